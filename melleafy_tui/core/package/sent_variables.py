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
    "ANTHROPIC": ("anthropic.com",),
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
    "CF": ("cloudflare.com",),
    "CLOUDFLARE": ("cloudflare.com", "workers.dev"),
    "COHERE": ("cohere.ai", "cohere.com"),
    "DATADOG": ("datadoghq.com", "datadoghq.eu"),
    "DEEPSEEK": ("deepseek.com",),
    "DIGITALOCEAN": ("digitalocean.com", "digitaloceanspaces.com"),
    "DISCORD": ("discord.com", "discordapp.com"),
    "DROPBOX": ("dropbox.com", "dropboxapi.com"),
    "GCP": ("google.com", "googleapis.com"),
    "GEMINI": ("google.com", "googleapis.com"),
    "GH": ("github.com", "githubusercontent.com", "ghe.com"),
    "GITHUB": ("github.com", "githubusercontent.com", "ghe.com"),
    "GITLAB": ("gitlab.com",),
    "GOOGLE": ("google.com", "googleapis.com"),
    "GROQ": ("groq.com",),
    "HEROKU": ("heroku.com", "herokuapp.com"),
    "HF": ("huggingface.co", "hf.co"),
    "HUGGINGFACE": ("huggingface.co", "hf.co"),
    "LINEAR": ("linear.app",),
    "MISTRAL": ("mistral.ai",),
    "NOTION": ("notion.com", "notion.so"),
    "NPM": ("npmjs.com", "npmjs.org"),
    "OPENAI": ("openai.com",),
    "OPENROUTER": ("openrouter.ai",),
    "SENDGRID": ("sendgrid.com", "sendgrid.net"),
    "SENTRY": ("sentry.io",),
    "SLACK": ("slack.com",),
    "STRIPE": ("stripe.com",),
    "TELEGRAM": ("telegram.org",),
    "TWILIO": ("twilio.com",),
    "XAI": ("x.ai",),
}
"""The first word of a variable's name, and the domains that it belongs to."""


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
    domains = SERVICES.get(name.partition("_")[0])
    if domains is None or _is_local(host):
        return False
    return not any(host == domain or host.endswith(f".{domain}") for domain in domains)


def _is_local(host: str) -> bool:
    """Return whether a host is this machine, where proxies and gateways listen."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
