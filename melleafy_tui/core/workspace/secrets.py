"""Finding and masking secrets in text; the one door to the detector (spec/safety.md 4).

Vendors' token forms come from detect-secrets' plugins, which are slow to import and are loaded only where a text holds
one of their marks. What they lack is here: fields such as `Password: …` in prose and JSON, connection strings,
whole private key blocks, and random strings without a label.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Final

from melleafy_tui.core.workspace.secret_values import is_password, is_placeholder, is_random, is_token

LONGEST_WINDOW: Final = 4_000
WINDOW_OVERLAP: Final = 400
LONGEST_KEY_BLOCK: Final = 20_000
LONGEST_LABEL: Final = 40

_PLUGINS: Final = (
    ("aws", "AWSKeyDetector", "AWS_ACCESS_KEY"),
    ("azure_storage_key", "AzureStorageKeyDetector", "AZURE_STORAGE_KEY"),
    ("discord", "DiscordBotTokenDetector", "DISCORD_BOT_TOKEN"),
    ("github_token", "GitHubTokenDetector", "GITHUB_TOKEN"),
    ("gitlab_token", "GitLabTokenDetector", "GITLAB_TOKEN"),
    ("mailchimp", "MailchimpDetector", "MAILCHIMP_API_KEY"),
    ("openai", "OpenAIDetector", "OPENAI_API_KEY"),
    ("pypi_token", "PypiTokenDetector", "PYPI_TOKEN"),
    ("sendgrid", "SendGridDetector", "SENDGRID_API_KEY"),
    ("slack", "SlackDetector", "SLACK_TOKEN"),
    ("square_oauth", "SquareOAuthDetector", "SQUARE_OAUTH_SECRET"),
    ("stripe", "StripeDetector", "STRIPE_API_KEY"),
    ("telegram_token", "TelegramBotTokenDetector", "TELEGRAM_BOT_TOKEN"),
    ("twilio", "TwilioKeyDetector", "TWILIO_API_KEY"),
)
_PLUGIN_MARKS: Final = re.compile(
    r"AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9]|(?i:aws)|AccountKey=|[MNO][\w-]{23,25}\.|gh[oprsu]_|gl[a-z]{2,5}-|GR1348941"
    r"|[0-9a-z]{32}-us\d|T3BlbkFJ|pypi-|SG\.|(?i:xox)|(?i:hooks\.slack)|sq0csp|[rs]k_live_|\d{8,10}:\w"
    r"|AC[a-z0-9]{32}|SK[a-z0-9]{32}"
)
_OWN_PREFIXES: Final = (
    ("Anthropic key", "ANTHROPIC_API_KEY", re.compile(r"sk-ant-[A-Za-z0-9_-]{20,}")),
    ("OpenRouter key", "OPENROUTER_API_KEY", re.compile(r"sk-or-(?:v1-)?[A-Za-z0-9_-]{20,}")),
    (
        "API key",
        "OPENAI_API_KEY",
        re.compile(r"sk-(?:proj-|svcacct-)?(?=[A-Za-z_-]*[0-9])[A-Za-z0-9_-]{20,}"),
    ),
    ("GitHub token", "GITHUB_TOKEN", re.compile(r"github_pat_[A-Za-z0-9_]{22,}")),
    ("Google key", "GOOGLE_API_KEY", re.compile(r"AIza[A-Za-z0-9_-]{35}")),
    ("Google OAuth secret", "GOOGLE_CLIENT_SECRET", re.compile(r"GOCSPX-[A-Za-z0-9_-]{20,}")),
    ("Hugging Face token", "HF_TOKEN", re.compile(r"hf_[A-Za-z0-9]{30,}")),
    (
        "JSON web token",
        "JWT_TOKEN",
        re.compile(r"eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}(?:\.[A-Za-z0-9_-]*)?"),
    ),
    ("npm token", "NPM_TOKEN", re.compile(r"npm_[A-Za-z0-9]{36}")),
    ("Notion token", "NOTION_TOKEN", re.compile(r"(?:ntn|secret)_[A-Za-z0-9]{40,}")),
    ("Slack token", "SLACK_TOKEN", re.compile(r"xapp-\d-[A-Z0-9]+-\d+-[a-z0-9]+|xox[a-z]-[A-Za-z0-9-]{20,}")),
    ("Stripe key", "STRIPE_API_KEY", re.compile(r"(?:[rs]k_test_|whsec_)[A-Za-z0-9]{20,}")),
    ("xAI key", "XAI_API_KEY", re.compile(r"xai-[A-Za-z0-9]{40,}")),
    ("Groq key", "GROQ_API_KEY", re.compile(r"gsk_[A-Za-z0-9]{40,}")),
    ("Age key", "AGE_SECRET_KEY", re.compile(r"AGE-SECRET-KEY-1[A-Z0-9]{50,}")),
)
_KEY_BLOCK: Final = re.compile(
    r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d"
)
_KEY_BLOCK_END: Final = re.compile(r"-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----|Private-MAC: *\S+")
_CONNECTION: Final = re.compile(
    r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]{1,20})://[^\s:/@\"'<>]{0,100}:(?P<value>[^\s/@\"'<>]{3,200})@[^\s/]"
)
_PASSWORD_WORDS: Final = (
    r"password|passwd|passphrase|passcode|(?<![a-z])pwd|(?<![a-z])pass(?![a-z])|contraseña|senha|mot de passe"
    r"|пароль|密码|密碼|口令|パスワード"
)
_TOKEN_WORDS: Final = (
    r"api[_ -]?key|access[_ -]?key|auth[_ -]?key|private[_ -]?key|client[_ -]?key|service[_ -]?key|license[_ -]?key"
    r"|signing[_ -]?key|encryption[_ -]?key|webhook[_ -]?key|secret|token|credential|bearer|(?<![a-z])key(?![a-z])"
    r"|密钥|密鑰|令牌|токен|ключ"
)
_FIELD: Final = re.compile(
    rf"(?P<word>(?P<password>{_PASSWORD_WORDS})|(?:{_TOKEN_WORDS}))(?P<rest>[A-Za-z0-9_]{{0,24}})"
    r"(?P<joint>[\"'`*_)\]]{0,4}[ \t]{0,4}(?:=>|:=|==?|[:：|→]|\bis\b)?(?:[*_`]{1,3}[ \t])?[ \t]{0,4})"
    r"(?P<open>[\"'`*_]{0,4})"
    r"(?P<value>[^\s\"'`|<>，。；]{6,300})(?P<close>[\"'`*_,;.)\]}|]*)(?P<after>[ \t]*)",
    re.IGNORECASE,
)
_BARE: Final = re.compile(r"[A-Za-z0-9+/_-]{24,}={0,2}")
_CANDIDATE: Final = re.compile(
    rf"://|PRIVATE KEY|PuTTY|[A-Za-z0-9+/_.:-]{{20,}}|{_PASSWORD_WORDS}|{_TOKEN_WORDS}", re.IGNORECASE
)
_NO_SECRET_LABEL: Final = re.compile(
    r"public|sha-?\d*|hash|digest|checksum|fingerprint|integrity|commit|uuid|\bid\b|_id|keyid|idempotency|keyboard"
    r"|max|count|limit|usage|budget|primary key|foreign key|tokens$|tokenizer|tokeni[sz]e|keyword|session[_ ]?key",
    re.IGNORECASE,
)
_BEFORE_BARE: Final = re.compile(
    r"(?:sha-?\d{1,3}|md5|hash|digest|checksum|fingerprint|integrity|commit|etag|base64|ssh-\w+|ecdsa\S*)\W{0,4}\Z",
    re.IGNORECASE,
)
_LABEL_BEFORE: Final = re.compile(r"[A-Za-z0-9 _.-]*\Z")
_FILLERS: Final = frozenset({"THE", "A", "AN", "MY", "OUR", "YOUR", "USE", "WITH", "IS", "AND"})
_CONNECTION_NAMES: Final = {
    "postgresql": "POSTGRES",
    "http": "BASIC_AUTH",
    "https": "BASIC_AUTH",
    "mongodb+srv": "MONGODB",
}


@dataclass(frozen=True, slots=True)
class SecretSpan:
    """One secret in a text.

    `start` and `end` are offsets, `kind` is what it is in words, `variable` the name of the environment variable that
    can stand in its place.
    """

    start: int
    end: int
    kind: str
    variable: str


def find_secrets(text: str) -> tuple[SecretSpan, ...]:
    """Return the secrets of a text in order, without overlaps; one variable name stands for one value."""
    if not _CANDIDATE.search(text):
        return ()
    found = list(_key_blocks(text))
    for offset, window in _windows(text):
        found += [
            SecretSpan(offset + span.start, offset + span.end, span.kind, span.variable)
            for span in _in(window)
        ]
    return _named_apart(text, _without_overlaps(found))


def mask_secrets(text: str) -> str:
    """Return the text with each secret replaced by `${VARIABLE}`; the number of lines stays."""
    parts: list[str] = []
    position = 0
    for span in find_secrets(text):
        parts += [
            text[position : span.start],
            "${",
            span.variable,
            "}",
            _line_ends(text[span.start : span.end]),
        ]
        position = span.end
    return "".join((*parts, text[position:]))


def _line_ends(text: str) -> str:
    return "".join(re.findall(r"\r\n|\n|\r", text))


def _key_blocks(text: str) -> Iterator[SecretSpan]:
    position = 0
    while match := _KEY_BLOCK.search(text, position):
        limit = min(len(text), match.start() + LONGEST_KEY_BLOCK)
        end = _KEY_BLOCK_END.search(text, match.end(), limit)
        if end is not None:
            position = end.end()
        else:
            blank = re.compile(r"(?:\r\n|\n|\r)[ \t]*(?:\r\n|\n|\r)").search(text, match.end(), limit)
            position = blank.start() if blank else limit
        yield SecretSpan(match.start(), position, "private key", "PRIVATE_KEY")


def _windows(text: str) -> Iterator[tuple[int, str]]:
    """Yield pieces that hold a candidate: lines, long ones in overlapping windows, each with its offset."""
    for line in re.finditer(r"[^\r\n]+", text):
        for start in range(line.start(), line.end(), LONGEST_WINDOW - WINDOW_OVERLAP):
            window = text[start : min(start + LONGEST_WINDOW, line.end())]
            if _CANDIDATE.search(window):
                yield start, window
            if start + LONGEST_WINDOW >= line.end():
                break


def _in(line: str) -> Iterator[SecretSpan]:
    yield from _connections(line)
    yield from _vendor_tokens(line)
    yield from _fields(line)
    yield from _bare(line)


def _connections(line: str) -> Iterator[SecretSpan]:
    for match in _CONNECTION.finditer(line):
        if not is_placeholder(match.group("value")) and match.group("value").lower() not in (
            "password",
            "pass",
            "pwd",
        ):
            scheme = match.group("scheme").lower()
            name = _CONNECTION_NAMES.get(scheme, _variable(scheme))
            yield SecretSpan(*match.span("value"), "password in a connection string", f"{name}_PASSWORD")


def _vendor_tokens(line: str) -> Iterator[SecretSpan]:
    for kind, variable, pattern in _OWN_PREFIXES:
        for match in pattern.finditer(line):
            if not is_placeholder(match.group()) and not line[: match.start()][-1:].isalnum():
                yield SecretSpan(*match.span(), kind, _labelled(line, match.start()) or variable)
    if not _PLUGIN_MARKS.search(line):
        return
    for kind, variable, patterns in _plugin_patterns():
        for plugin_pattern in patterns:
            for match in plugin_pattern.finditer(line):
                # A group holds the secret where the pattern begins with its label, and a mere prefix elsewhere.
                group = 1 if plugin_pattern.groups and len(match.group(1) or "") >= 20 else 0
                start, end = match.span(group)
                if not is_placeholder(line[start:end]) and not line[:start][-1:].isalnum():
                    yield SecretSpan(start, end, kind, _labelled(line, start) or variable)


@cache
def _plugin_patterns() -> tuple[tuple[str, str, tuple[re.Pattern[str], ...]], ...]:
    loaded = []
    for module, name, variable in _PLUGINS:
        plugin = getattr(import_module(f"detect_secrets.plugins.{module}"), name)
        loaded.append((str(plugin.secret_type), variable, tuple(plugin.denylist)))
    return tuple(loaded)


def _fields(line: str) -> Iterator[SecretSpan]:
    position = 0
    while match := _FIELD.search(line, position):
        position = match.end("word")
        joint = match.group("joint")
        spaced = joint.strip(" \t\"'`*_)]")
        label = _label(line, match.start(), match.end("rest"))
        if not spaced and match.group("word").lower() not in ("bearer", "password", "passwd"):
            continue
        if _NO_SECRET_LABEL.search(label):
            continue
        value, start = _trimmed(match.group("value"), match.start("value"))
        quoted = any(mark in "\"'`" for mark in match.group("open"))
        if match.group("password"):
            ends_line = match.end("after") == len(line) and bool(spaced)
            good = (bool(spaced) or quoted) and is_password(value, ends_line=ends_line, quoted=quoted)
        else:
            good = is_token(value)
        if good:
            kind = "password" if match.group("password") else "token"
            yield SecretSpan(start, start + len(value), kind, _variable(label, kind.upper()))
            position = start + len(value)


def _trimmed(value: str, start: int) -> tuple[str, int]:
    # Closing marks that belong to the sentence or to Markdown, not to the value.
    return value.rstrip("*_,;.)]}") or value, start


def _bare(line: str) -> Iterator[SecretSpan]:
    for match in _BARE.finditer(line):
        before = line[: match.start()]
        word_before = before.rpartition(" ")[2]
        if "://" in word_before or _BEFORE_BARE.search(before[-40:]) or before[-1:] in (".", "@", "#", "\\"):
            continue
        if is_random(match.group()):
            yield SecretSpan(*match.span(), "random string", _labelled(line, match.start()) or "SECRET_VALUE")


def _label(line: str, word_start: int, word_end: int) -> str:
    """Return the field's name: the word that was found with what stands before it, at most four words."""
    before = _LABEL_BEFORE.search(line, max(0, word_start - LONGEST_LABEL), word_start)
    words = (before.group() if before else "").split(" ")[-4:]
    return (" ".join(words) + line[word_start:word_end]).strip(" .-_")


def _labelled(line: str, start: int) -> str:
    """Return the variable name from a field name right before a value, or `""`."""
    head = line[max(0, start - 80) : start].rstrip(" \t\"'`*_(<")
    if head[-1:] not in ("=", ":", "：", "|"):
        return ""
    name = _LABEL_BEFORE.search(head.rstrip("=:：| \t\"'`*_"))
    label = " ".join((name.group() if name else "").split(" ")[-4:]).strip(" .-_")
    if not label or label.lower() in ("http", "https"):
        return ""
    return _variable(label)


def _variable(label: str, fallback: str = "SECRET_VALUE") -> str:
    """Return an environment variable's name for a field's name."""
    if " " not in label:
        label = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", label)
    words = [word for word in re.split(r"[^A-Za-z0-9]+", label.upper()) if word]
    while len(words) > 1 and words[0] in _FILLERS:
        words.pop(0)
    name = "_".join(words).replace("GIT_HUB", "GITHUB")[:LONGEST_LABEL].strip("_")
    if not name:
        return fallback
    if name in ("BEARER", "AUTHORIZATION_BEARER"):
        return "BEARER_TOKEN"
    return name if not name[0].isdigit() else f"KEY_{name}"


def _without_overlaps(spans: list[SecretSpan]) -> list[SecretSpan]:
    """Return the spans in order; of two that overlap, the one that starts first, then the longer one."""
    kept: list[SecretSpan] = []
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        if not kept or span.start >= kept[-1].end:
            kept.append(span)
        elif span.end > kept[-1].end:
            kept[-1] = SecretSpan(kept[-1].start, span.end, kept[-1].kind, kept[-1].variable)
    return kept


def _named_apart(text: str, spans: list[SecretSpan]) -> tuple[SecretSpan, ...]:
    owners: dict[str, str] = {}
    named = []
    for span in spans:
        value = text[span.start : span.end]
        variable, number = span.variable, 2
        while owners.setdefault(variable, value) != value:
            variable, number = f"{span.variable}_{number}", number + 1
        named.append(SecretSpan(span.start, span.end, span.kind, variable))
    return tuple(named)
