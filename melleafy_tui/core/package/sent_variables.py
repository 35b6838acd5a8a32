"""Finds the environment variables that a tool sends to a host, and those whose name belongs to another service."""

from collections.abc import Iterator
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

from msgspec import Struct

from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.facts import ToolFact
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind
from melleafy_tui.core.package.tool_variables import SECRET_PATTERN, curl_headers

_VARIABLE: Final = LazyRegex(SECRET_PATTERN)

SERVICES: Final[dict[str, tuple[str, ...]]] = {
    "AIRTABLE": ("airtable.com",),
    "ANTHROPIC": ("anthropic.com", "claude.com"),
    "ASANA": ("asana.com",),
    "ATLASSIAN": ("atlassian.com", "atlassian.net"),
    "AWS": ("amazonaws.com", "amazonaws.com.cn", "aws.amazon.com", "aws"),
    "AZURE": (
        "azure.com",
        "azure.net",
        "azurewebsites.net",
        "microsoft.com",
        "microsoftonline.com",
        "windows.net",
    ),
    "BITBUCKET": ("bitbucket.org", "atlassian.com"),
    "CLICKUP": ("clickup.com",),
    "CF": ("cloudflare.com",),
    "CLOUDFLARE": ("cloudflare.com", "workers.dev"),
    "COHERE": ("cohere.ai", "cohere.com"),
    "DATADOG": ("datadoghq.com", "datadoghq.eu"),
    "DEEPSEEK": ("deepseek.com",),
    "DIGITALOCEAN": ("digitalocean.com", "digitaloceanspaces.com"),
    "DISCORD": ("discord.com", "discordapp.com"),
    "DOCKER": ("docker.com", "docker.io"),
    "DOCKERHUB": ("docker.com", "docker.io"),
    "DROPBOX": ("dropbox.com", "dropboxapi.com"),
    "ELEVENLABS": ("elevenlabs.io",),
    "FIGMA": ("figma.com",),
    "FIREBASE": ("firebaseio.com", "google.com", "googleapis.com"),
    "GCP": ("google.com", "googleapis.com"),
    "GEMINI": ("google.com", "googleapis.com"),
    "GH": ("github.com", "githubusercontent.com", "ghe.com"),
    "GITHUB": ("github.com", "githubusercontent.com", "ghe.com"),
    "GITLAB": ("gitlab.com",),
    "GOOGLE": ("google.com", "googleapis.com"),
    "GROQ": ("groq.com",),
    "HEROKU": ("heroku.com", "herokuapp.com"),
    "HF": ("huggingface.co", "hf.co"),
    "HUBSPOT": ("hubapi.com", "hubspot.com"),
    "HUGGINGFACE": ("huggingface.co", "hf.co"),
    "JIRA": ("atlassian.com", "atlassian.net"),
    "LINEAR": ("linear.app",),
    "MAILGUN": ("mailgun.net", "mailgun.org"),
    "MISTRAL": ("mistral.ai",),
    "NETLIFY": ("netlify.app", "netlify.com"),
    "NOTION": ("notion.com", "notion.so"),
    "NPM": ("npmjs.com", "npmjs.org"),
    "OPENAI": ("openai.com",),
    "OPENROUTER": ("openrouter.ai",),
    "PAYPAL": ("paypal.com",),
    "PERPLEXITY": ("perplexity.ai",),
    "PINECONE": ("pinecone.io",),
    "PYPI": ("pypi.org",),
    "REDDIT": ("reddit.com",),
    "REPLICATE": ("replicate.com",),
    "SENDGRID": ("sendgrid.com", "sendgrid.net"),
    "SENTRY": ("sentry.io",),
    "SHOPIFY": ("myshopify.com", "shopify.com"),
    "SLACK": ("slack.com",),
    "SPOTIFY": ("spotify.com",),
    "STRIPE": ("stripe.com",),
    "SUPABASE": ("supabase.co", "supabase.com"),
    "TAVILY": ("tavily.com",),
    "TELEGRAM": ("telegram.org",),
    "TODOIST": ("todoist.com",),
    "TRELLO": ("trello.com",),
    "TWILIO": ("twilio.com",),
    "TWITTER": ("twitter.com", "x.com"),
    "VERCEL": ("vercel.app", "vercel.com"),
    "XAI": ("x.ai",),
}
"""A word of a variable's name, and the domains that it belongs to."""


class SentVariable(Struct, frozen=True):
    """One variable that a tool sends; `is_foreign` if its name belongs to a service with other hosts."""

    name: str
    host: str
    is_foreign: bool


def sent_variables(element: Element) -> Iterator[SentVariable]:
    """Yield each variable in the address or the headers of a tool's request, once, with the host that gets it."""
    url = element.facts[ToolFact].url
    if not url:
        return
    try:
        host = (urlsplit(url).hostname or "").lower().rstrip(".")
    except ValueError:
        host = ""
    texts = (url, *(value for _, value in curl_headers(element)))
    names = dict.fromkeys(
        found["variable"] or found["plain"] for text in texts for found in _VARIABLE.finditer(text)
    )
    for name in names:
        yield SentVariable(name, host, _is_foreign(name, host))


def variables_sent(committed: CommittedPlan) -> tuple[SentVariable, ...]:
    """Return the variables that a package's tools send, or would send if the user allowed it, in source order."""
    tools = committed.planned_as(tuple(EntryKind), (Disposition.REAL_IMPL, Disposition.STUB))
    return tuple(dict.fromkeys(sent for tool in tools for sent in sent_variables(tool.element)))


def foreign_variables(element: Element) -> str:
    """Return a sentence about the variables that a tool sends to a host of another service, or `""`."""
    found = [sent for sent in sent_variables(element) if sent.is_foreign]
    if not found:
        return ""
    names = ", ".join(sent.name for sent in found)
    return (
        f"It would send {names} to {found[0].host or 'an unknown host'}, which is not a host of that service; "
        "choose real_impl to allow it."
    )


def _is_foreign(name: str, host: str) -> bool:
    domains = [domain for word in name.split("_") for domain in SERVICES.get(word, ())]
    if not domains or _is_local(host):
        return False
    return not any(host == domain or host.endswith(f".{domain}") for domain in domains)


def _is_local(host: str) -> bool:
    """Return whether a host is this machine, where proxies and gateways listen."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
