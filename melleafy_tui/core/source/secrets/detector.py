"""Finds the secrets in a text; every caller uses this module.

Most lines contain none, so a quick search of the whole text selects candidate lines. On those, a secret is a token in a
vendor's format, a labelled field such as `Password: ...`, a password in a connection string, a command's option or an
access code, or a random string without a label. Private key blocks, and tables whose header names a secret, span
several lines. Each secret gets the name of an environment variable that can replace it.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import lru_cache
from hashlib import blake2b, sha256
from itertools import islice, pairwise
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.source.secrets.command_lines import (
    COMMAND_STARTS,
    DEFAULT_STARTS,
    QUOTED_STARTS,
    command_options,
    connections,
    defaults,
    quoted_values,
)
from melleafy_tui.core.source.secrets.far_keys import NAMED_VALUE, far_keys, named_keys
from melleafy_tui.core.source.secrets.fields import (
    LABEL_STARTS,
    NO_SECRET_LABEL,
    SECRET_LABEL,
    announces,
    fields,
    lone_value,
)
from melleafy_tui.core.source.secrets.labels import Starts, literal, lowered
from melleafy_tui.core.source.secrets.lists import LONGEST_HEADING, below_heading, listed_codes, siblings
from melleafy_tui.core.source.secrets.locks import LOCK_DIGITS, lock_numbers
from melleafy_tui.core.source.secrets.nearby import (
    CODE_LISTS,
    CODE_WORDS,
    login_words,
    odd_words,
    repeated_codes,
    wifi_words,
)
from melleafy_tui.core.source.secrets.noted import (
    CODE_DIGITS,
    LONG_VALUE,
    PAIR_STARTS,
    PAIR_VALUE,
    PLACE_STARTS,
    WIFI_STARTS,
    door_codes,
    noted_keys,
    pairs,
    service_lines,
    wireless,
)
from melleafy_tui.core.source.secrets.phrases import noted_phrases, password_phrases
from melleafy_tui.core.source.secrets.providers import TOKEN, TOKEN_FORMS, WEBHOOK
from melleafy_tui.core.source.secrets.said import (
    PHRASE_STARTS,
    SAID_STARTS,
    SERVICE_STARTS,
    said_phrases,
    said_words,
    service_pairs,
    without_names,
)
from melleafy_tui.core.source.secrets.seed_phrases import (
    LONGEST_SEED,
    SEED_STARTS,
    labelled_phrases,
    seed_phrases,
)
from melleafy_tui.core.source.secrets.sentences import PASSWORD_STARTS, sentences
from melleafy_tui.core.source.secrets.spans import SecretSpan, variable_before, variable_name
from melleafy_tui.core.source.secrets.tables import table_at, table_cells
from melleafy_tui.core.source.secrets.unlabelled import (
    ACCESS_STARTS,
    ENTRY_DIGITS,
    ENTRY_STARTS,
    OPEN_STARTS,
    STRONG,
    entry_codes,
    strong_words,
    unlocking,
)
from melleafy_tui.core.source.secrets.values import (
    is_credential,
    is_ours,
    is_placeholder,
    is_random,
)

KEY_BLOCK: Final = re.compile(r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d")
KEY_BLOCK_END: Final = re.compile(r"-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----|Private-MAC: *\S+")
PUBLIC_BLOCK: Final = re.compile(
    r"-----BEGIN (?P<name>[A-Z0-9 ]{0,20}(?:CERTIFICATE|PUBLIC KEY|MESSAGE|SIGNATURE)[A-Z0-9 ]{0,20})-----"
    r"[^-]{0,20000}-----END (?P=name)-----"
)
AUTHORIZATION: Final = LazyRegex(
    r"authorization[\"']?[ \t]{0,4}[:=][ \t]{0,4}[\"'`]?(?P<scheme>basic|bearer|token|apikey)[ \t]+"
    r"(?P<value>[^\s\\\"'`<>|,;]{8,600})",
    re.IGNORECASE,
)
IDENTIFIER: Final = re.compile(
    r"(?:acct|asst|call|ch|chatcmpl|cus|evt|file|in|msg|org|pi|pk|pk_live|pk_test|pm|price|prod|proj|re|req|resp"
    r"|run|seti"
    r"|sub|thread|toolu|txn|user)_|sha-?\d{1,3}-"
    r"|iVBORw0KGgo|R0lGOD|/9j/|UklGR|PHN2Zy|AAAA[A-Z]3NzaC1"
)
"""Prefixes of public values: ids and publishable keys of services, checksums, images and public keys in base64."""

BARE: Final = re.compile(r"[A-Za-z0-9+/_-]{24,}={0,2}")
BEFORE_BARE: Final = re.compile(
    r"(?:public[ _-]?key|peer|sha-?\d{1,3}|md5|hash|digest|checksum|fingerprint|integrity|commit|etag"
    r"|base64|ssh-\w+|ecdsa\S*"
    r"|(?:place|page|doc|document|file|folder|sheet|video|track|channel|calendar)(?:[ _-]?id)?"
    r"|\bid(?:[ ]\w+){0,3}[\"'`*]{0,3}[:：]?)\W{0,4}\Z",
    re.IGNORECASE,
)

LONGEST_WINDOW: Final = 4_000
WINDOW_OVERLAP: Final = 400
LONGEST_KEY_BLOCK: Final = 20_000
KEY_BLOCK_KIND: Final = "private key"
"""The kind that can't be released: nothing else looks like it, and a truncated block includes the lines after it."""

_EDGES: Final = re.compile(r"\A[\W_]+|[\W_]+\Z")

LEAST_LONG_WORD: Final = 20
"""Minimum length of a vendor's token, and of a random string."""

_LONG_WORD: Final = re.compile(rf"\S{{{LEAST_LONG_WORD}}}")
_LINE: Final = re.compile(r"[^\r\n]+")


def find_secrets(
    text: str, released: Collection[str] = (), *, read_as: Callable[[str], str] = str, near: bool = True
) -> tuple[SecretSpan, ...]:
    """Return the secrets of a text in order, without overlaps; the same value always gets the same variable name.

    Args:
        text: The text.
        released: Digests of values that the user marked as not secret; the other secrets keep their variable names.
        read_as: Transforms one or more lines before they are searched; a function of a module, and the length must
            stay the same.
        near: Whether to look for values further from their label, and below or beside others. Not in text that we
            generate: it brings words and values together that the source keeps apart, and the source was masked before.
    """
    named = f"{near:d}{read_as.__module__}.{read_as.__qualname__}".encode()
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16, key=named[:64]).digest()
    if digest in _CLEAN:
        return ()
    found = [*_key_blocks(text, read_as), *seed_phrases(read_as(text)), *_in_lines(text, read_as, near=near)]
    if near:
        found += siblings(text, tuple(found), read_as)
    public = [match.span() for match in PUBLIC_BLOCK.finditer(text)] if "-----BEGIN" in text else []
    found = [
        span
        for span in found
        if not is_ours(text[span.start : span.end])
        and not any(start <= span.start and span.end <= end for start, end in public)
    ]
    if not found:
        if len(_CLEAN) >= MOST_CLEAN:
            _CLEAN.clear()
        _CLEAN.add(digest)
        return ()
    spans = _with_unique_names(
        text, _without_secret_names(text, without_names(text, _without_overlaps(found)))
    )
    if not released:
        return spans
    return tuple(
        span
        for span in spans
        if span.kind == KEY_BLOCK_KIND or not is_released(text[span.start : span.end], released)
    )


def _in_lines(text: str, read_as: Callable[[str], str], *, near: bool) -> Iterator[SecretSpan]:
    """Yield the secrets of the lines that may hold one, of tables, and of the line below a label that announces one."""
    table_end = 0
    for start, end in _lines_to_search(text):
        if start >= table_end and (table := table_at(text, start, end, read_as)):
            table_end = start + len(table)
            yield from table_cells(table, start)
        line = read_as(text[start:end])
        for offset, window in _windows(line):
            yield from _moved(_secrets_of_line(window, _KINDS if near else _DIRECT), start + offset)
        if announces(line):
            yield from _values_below(text, end, line, read_as)
        if not near:
            continue
        if SEED_STARTS.search(lowered(line)):
            yield from _moved(labelled_phrases(read_as(text[start : start + LONGEST_SEED])), start)
        if len(line) <= LONGEST_HEADING:
            yield from below_heading(text, end, line, read_as)
            yield from listed_codes(text, end, line, read_as)


def _values_below(text: str, end: int, label: str, read_as: Callable[[str], str]) -> Iterator[SecretSpan]:
    """Yield the secret below a line that announces it, or the codes of a list or fence."""
    position = end
    for below in islice(_LINE.finditer(text, end), MOST_CODES):
        if text.count("\n", position, below.start()) >= 3:
            return
        position = below.end()
        if _FENCE.match(below.group()):
            continue
        value = lone_value(label, read_as(below.group()), below.start())
        if value is None:
            return
        yield value
        if value.kind != "recovery code":
            return


_FENCE: Final = re.compile(r"[ \t>]*(?:`{3,}|~{3,})\w{0,12}[ \t]*\Z")
MOST_CODES: Final = 24
"""Lines below a label that are looked at: services hand out up to sixteen codes."""


_CLEAN: Final[set[bytes]] = set()
"""Digests of texts without a secret; a conversion looks at most files more than once."""

MOST_CLEAN: Final = 50_000


def secret_digest(value: str) -> str:
    """Return the digest under which a value is released; it is only stored for values that aren't secret.

    Punctuation around the value is ignored: whether a final `!` belongs to a password depends on what follows it.
    """
    bare = _EDGES.sub("", value) or value
    return f"sha256:{sha256(bare.encode('utf-8', 'surrogatepass')).hexdigest()}"


def is_released(value: str, released: Collection[str]) -> bool:
    """Return whether a value was released, also in the escaped form of a string literal."""
    plain = re.sub(r"\\(?=[\\\"'])", "", value)
    return secret_digest(value) in released or secret_digest(plain) in released


@lru_cache(maxsize=4_096)  # the same few names stand beside thousands of values
def names_secret(label: str) -> bool:
    """Return whether a label, such as the name of a header, marks its value as a secret."""
    return bool(SECRET_LABEL.search(label)) and not NO_SECRET_LABEL.search(label)


def _lines_to_search(text: str) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each line that may contain a secret, in order.

    Other lines contain none, except in private key blocks and in tables, whose header is one of these lines.
    """
    line_ends = text.replace("\r", "\n") if "\r" in text else text
    lower = lowered(text)
    words = _token_words(text)
    word = next(words, len(text))
    starts = _STARTS.fitting(lower)
    end = -1
    while True:
        start = starts.search(lower, end + 1)
        hit = min(start.start() if start else len(text), word)
        if hit >= len(text):
            return
        begin = line_ends.rfind("\n", end + 1, hit) + 1 or end + 1
        end = _line_end(line_ends, hit)
        while word <= end:
            word = next(words, len(text) + 1)
        yield begin, end


def _token_words(text: str) -> Iterator[int]:
    """Yield where the long words are that may hold a token, in order."""
    known: dict[str, bool] = {}
    for found in _LONG_WORDS.finditer(text):
        word = found.group()
        if word not in known:
            known[word] = _may_hold_token(word)
        if known[word]:
            yield found.start()


_LONG_WORDS: Final = re.compile(rf"\S{{{LEAST_LONG_WORD},}}")


def _line_end(line_ends: str, position: int) -> int:
    end = line_ends.find("\n", position)
    return len(line_ends) if end < 0 else end


def _may_hold_token(word: str) -> bool:
    """Return whether a long word may contain a vendor's token or a random string; True for words split into windows."""
    return (
        len(word) > WINDOW_OVERLAP
        or TOKEN.search(word) is not None
        or LONG_VALUE.search(word) is not None
        or any(is_random(found) for found in BARE.findall(word))
    )


def _secrets_of_line(line: str, kinds: "Iterable[_Kind]") -> Iterator[SecretSpan]:
    """Yield the secrets of a line, or of a window of a long line; they may overlap and share names."""
    lower = lowered(line)
    begun: dict[Starts | None, bool] = {None: True}
    for kind in kinds:
        if kind.form is not None and not kind.form.search(line):
            continue
        if kind.starts not in begun:
            begun[kind.starts] = kind.starts is not None and kind.starts.search(lower) is not None
        if begun[kind.starts]:
            yield from kind.find(line)


_TOKEN_PATTERNS: Final = tuple((kind, variable, LazyRegex(form)) for _, kind, variable, form in TOKEN_FORMS)


def _vendor_tokens(line: str) -> Iterator[SecretSpan]:
    if not TOKEN.search(line):
        return
    for kind, variable, pattern in _TOKEN_PATTERNS:
        for match in pattern.finditer(line):
            start, end = match.span("value" if "value" in pattern.compiled.groupindex else 0)
            if not is_placeholder(line[start:end]) and not line[: match.start()][-1:].isalnum():
                yield SecretSpan(start, end, kind, variable_before(line, start) or variable)


def _authorizations(line: str) -> Iterator[SecretSpan]:
    for match in AUTHORIZATION.finditer(line):
        value, start = _trimmed(match.group("value"), match.start("value"))
        if is_credential(value):
            bearer = match.group("scheme").lower() == "bearer"
            variable = "BEARER_TOKEN" if bearer else "AUTHORIZATION_VALUE"
            yield SecretSpan(start, start + len(value), "token", variable)


def _trimmed(value: str, start: int) -> tuple[str, int]:
    # Closing marks belong to the sentence or the Markdown, not to the value.
    return value.rstrip("*_,;.)]}") or value, start


_PUBLIC_KEY: Final = re.compile(r"M(?:CowBQYDK2V|FkwEwYHKoZI|HYwEAYHKoZI|IIBIjANBg|IICIjANBg)")
"""How the DER form of a public Ed25519, elliptic or RSA key begins (RFC 5280, RFC 8410)."""

_BASE58: Final = re.compile(r"[1-9A-HJ-NP-Za-km-z]{26,44}")
_OF_A_WALLET: Final = LazyRegex(
    r"address|wallet|deposit|\b(?:sol|solana|btc|bitcoin)\b|адрес|dirección|endereço|adresse|indirizzo|adres"
    r"|地址|位址|钱包|錢包|充值|转账|轉帳|アドレス|주소",
    re.IGNORECASE,
)
_OF_A_KEY: Final = LazyRegex(
    r"private|secret|\bkey|seed|passw|私钥|私鑰|密钥|密鑰|秘密|密码|密碼|ключ|clave|schlüssel|clé|chiave|chave",
    re.IGNORECASE,
)


_OF_A_DOCUMENT: Final = LazyRegex(
    r"\b(?:folder|sheet|spreadsheet|document|dossier|foglio|cartella|ordner|carpeta|planilha|pasta|klasör|arkusz"
    r"|identifiant|map)\b|таблиц|папк|フォルダ|シート|文件夹|文档|資料夾|폴더|시트",
    re.IGNORECASE,
)


def _is_public(line: str, value: str) -> bool:
    """Return whether a random value is public: a public key, or the address of a wallet that the line speaks of."""
    if _PUBLIC_KEY.match(value) or (_OF_A_DOCUMENT.search(line) and not _OF_A_KEY.search(line)):
        return True
    return bool(
        _BASE58.fullmatch(value)
        and _OF_A_WALLET.search(line)
        and not _OF_A_KEY.search(line.replace(value, ""))
    )


def _bare(line: str) -> Iterator[SecretSpan]:
    for match in BARE.finditer(line):
        before = line[: match.start()]
        word_before = before.rpartition(" ")[2]
        if (
            IDENTIFIER.match(match.group())
            or "://" in word_before
            or BEFORE_BARE.search(before[-40:])
            or before[-1:] in (".", "@", "#", "\\")
            or _is_public(line, match.group())
        ):
            continue
        if is_random(match.group()):
            yield SecretSpan(
                *match.span(), "random string", variable_before(line, match.start()) or "SECRET_VALUE"
            )


def _webhooks(line: str) -> Iterator[SecretSpan]:
    for match in WEBHOOK.finditer(line):
        if not is_placeholder(match.group().rstrip("/").rpartition("/")[2]) and "<" not in match.group():
            variable = "SLACK_TOKEN" if "hooks.slack.com" in match.group() else "WEBHOOK_URL"
            yield SecretSpan(*match.span(), "webhook address", variable)


LONG_HEX: Final = re.compile(r"[A-Za-z0-9+/_-]{20}|(?i:x-[\w-]{0,30}(?:key|token|secret|auth))")


class _Kind(Struct, frozen=True):
    """One kind of secret.

    Every line with this kind contains one of `starts`, or a long word, and matches `form`.
    """

    find: Callable[[str], Iterator[SecretSpan]]
    form: re.Pattern[str] | None = None
    starts: Starts | None = None


_DIRECT: Final = (
    _Kind(
        connections,
        re.compile("[@;:]"),
        Starts(
            literal(
                (
                    "://",
                    "password=",
                    "pwd=",
                    "key=",
                    "sharedsecret=",
                    ":5432:",
                    ":*:",
                    "oracle",
                    "sqlplus",
                    ":3306:",
                )
            )
        ),
    ),
    _Kind(_webhooks, starts=Starts(literal(("http://", "https://", "hook.e", "hook.u", "hooks.")))),
    _Kind(_vendor_tokens, _LONG_WORD),
    _Kind(_authorizations, starts=Starts(literal(("authorization",)))),
    _Kind(command_options, re.compile(r"[ \t\"'(]"), COMMAND_STARTS),
    _Kind(defaults, re.compile(r"[\"'}`]"), DEFAULT_STARTS),
    _Kind(quoted_values, re.compile("[\"'`]"), QUOTED_STARTS),
    _Kind(fields, starts=LABEL_STARTS),
    _Kind(wireless, starts=WIFI_STARTS),
    _Kind(pairs, PAIR_VALUE, PAIR_STARTS),
    _Kind(
        service_lines,
        re.compile(r" [/|–—·] |@|\w:\w"),
        Starts(literal((" / ", " | ", " – ", " — ", " · ", "@"))),
    ),
    _Kind(door_codes, CODE_DIGITS, PLACE_STARTS),
    _Kind(entry_codes, ENTRY_DIGITS, ENTRY_STARTS),
    _Kind(sentences, starts=PASSWORD_STARTS),
    _Kind(strong_words, STRONG, ACCESS_STARTS),
    _Kind(unlocking, starts=OPEN_STARTS),
    _Kind(noted_keys, LONG_VALUE),
    _Kind(_bare, BARE),
)
_KINDS: Final = (
    *_DIRECT,
    _Kind(odd_words, starts=LABEL_STARTS),
    _Kind(noted_phrases, starts=OPEN_STARTS),
    _Kind(password_phrases, starts=PASSWORD_STARTS),
    _Kind(wifi_words, starts=WIFI_STARTS),
    _Kind(login_words, starts=PAIR_STARTS),
    _Kind(repeated_codes, CODE_LISTS, CODE_WORDS),
    _Kind(said_words, PAIR_VALUE, SAID_STARTS),
    _Kind(said_phrases, starts=PHRASE_STARTS),
    _Kind(said_phrases, starts=PASSWORD_STARTS),
    _Kind(service_pairs, PAIR_VALUE, SERVICE_STARTS),
    _Kind(far_keys, LONG_HEX, LABEL_STARTS),
    _Kind(named_keys, NAMED_VALUE),
    _Kind(lock_numbers, LOCK_DIGITS, PLACE_STARTS),
    _Kind(lock_numbers, LOCK_DIGITS, LABEL_STARTS),
)
_STARTS: Final = Starts(
    (
        *(path for kind in _KINDS if kind.starts for path in kind.starts.paths),
        *SEED_STARTS.paths,
        *literal(("xox", "aws")),
    )
)


def _key_blocks(text: str, read_as: Callable[[str], str]) -> Iterator[SecretSpan]:
    text = read_as(text)
    position = 0
    while match := KEY_BLOCK.search(text, position):
        limit = min(len(text), match.start() + LONGEST_KEY_BLOCK)
        end = KEY_BLOCK_END.search(text, match.end(), limit)
        if end is not None:
            position = end.end()
        else:
            blank = re.compile(r"(?:\r\n|\n|\r)[ \t]*(?:\r\n|\n|\r)").search(text, match.end(), limit)
            position = blank.start() if blank else limit
        yield SecretSpan(match.start(), position, KEY_BLOCK_KIND, "PRIVATE_KEY")


def _windows(line: str) -> Iterator[tuple[int, str]]:
    """Yield a line with its offset; a long line is split into overlapping windows."""
    for start in range(0, len(line), LONGEST_WINDOW - WINDOW_OVERLAP):
        yield start, line[start : start + LONGEST_WINDOW]
        if start + LONGEST_WINDOW >= len(line):
            break


def _moved(spans: Iterable[SecretSpan], offset: int) -> Iterator[SecretSpan]:
    for span in spans:
        yield SecretSpan(offset + span.start, offset + span.end, span.kind, span.variable)


def _without_overlaps(spans: list[SecretSpan]) -> list[SecretSpan]:
    """Return the spans in order; of two that overlap, keep the one that starts first, then the longer one."""
    kept: list[SecretSpan] = []
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        if not kept or span.start >= kept[-1].end:
            kept.append(span)
        elif span.end > kept[-1].end:
            kept[-1] = SecretSpan(kept[-1].start, span.end, kept[-1].kind, kept[-1].variable)
    return kept


def _without_secret_names(text: str, spans: list[SecretSpan]) -> list[SecretSpan]:
    """Return the spans with secrets removed from variable names, which come from the words before the value."""
    result = spans[:1]
    for before, span in pairwise(spans):
        near = text[max(0, before.start, span.start - WINDOW_OVERLAP) : before.end].upper()
        if any(len(word) > 2 and word in near for word in span.variable.split("_")):
            words = re.findall(r"[A-Za-z0-9]+", text[before.end : span.start])[-4:]
            span = replace(span, variable=variable_name(" ".join(words)))
        result.append(span)
    return result


def _with_unique_names(text: str, spans: list[SecretSpan]) -> tuple[SecretSpan, ...]:
    owners: dict[str, str] = {}
    named = []
    for span in spans:
        value = text[span.start : span.end]
        variable, number = span.variable, 2
        while owners.setdefault(variable, value) != value:
            variable, number = f"{span.variable}_{number}", number + 1
        named.append(SecretSpan(span.start, span.end, span.kind, variable))
    return tuple(named)
