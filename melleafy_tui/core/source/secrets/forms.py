"""Tells what form a value has, such as `digits4`, `random` or `joined`, and which values are never secret.

A form is a name for how a value looks; whether a value is a secret depends on the words around it as well.
"""

import math
import re
from collections import Counter
from functools import cache
from itertools import pairwise
from typing import Final

from melleafy_tui.core.source.secrets.vocabulary import CAMEL, is_solid

LONGEST_VALUE: Final = 1_000
LONGEST_PASSWORD: Final = 128
LEAST_RANDOM: Final = 20
LEAST_STRICT: Final = 16
LAST_YEAR: Final = "2035"
LEAST_OF_ID: Final = 17
"""Digits that ids of messages and channels have, as well as keys of routers."""

LENGTH_OF_AWS: Final = 40
"""Of a secret key of AWS, which can look like a path."""

_PLACEHOLDER: Final = re.compile(
    r"(?i:\$[{(]|!(?:secret|env|vault|include|sops)|\$[a-z]\w+\Z|%\w+%|[<{(（＜]|x{3,}(?!\w)|\\?\[[a-z ]"
    r"|.{0,120}?(?:your[-_ ]|[-_]here\b|remplacer|preench|einsetz|ersetz|reemplaz|sostitui|замени|заміни"
    r"|uzupełni|invullen|記入|填写|填寫|입력하세요|自訂|自定|example|sample|dummy|placeholder|change[-_]?me"
    r"(?![\w-]*\d\d)|redacted|x{4,}"
    r"|replace[-_]?me|change[-_](?:this|in)\b|[-_]x{3}\Z|\*{3,}|\.{3}|…|_{3,}|你的|ваш[_-]|votre[_-]|dein[-_]|tu_contra)"
    r"|(?:my[-_]?)?(?:token|secret|key|abc|xyz)[-_]?123\Z|\$[a-z]\w*(?:\.\w+)+\W?\Z"
    r"|(?:new|old|actual|real|some|the|my)[-_](?:token|password|passwd|pass|key|secret)\Z|1234-5678-|(?:env|op|vault|file|secret|secretref"
    r"|keychain|keyring|aws|gcp|pass|enc)(?::|//|\[)"
    r"|(?:process\.env|os\.environ|import\.meta|os\.getenv|todo|none|null|nil|n/a|tbd)\b)"
)
_REFERENCES: Final = (
    r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+"  # a variable's name
    r"|[a-z][a-z0-9+.-]{1,20}://.*"
    r"|@?(?:~|\.{1,2})?/[\w./~*-]*:?"  # a path, also as a label, and as an import
    r"|mcp__.*|(?:elem|tool)_\d+"  # a tool of an MCP server, an element
    r"|[a-z]{2,20}@[a-z][a-z-]{1,30}"  # a user on a host
    r"|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|@[\w-]+"
    r"|(?:stuns?|turns?|(?i:arxiv|doi|isbn)):.*|[\w.-]+/|[\w-]+(?:\.[\w-]+)+\.[a-z]{2}"
    r"|0x[0-9a-fA-F]{40}"  # an account of a block chain
    r"|[a-z0-9]+(?:[-.][a-z0-9]+)*(?:/[a-z0-9]+(?:[-.:][a-z0-9_]+)*)+"  # a model, a repository
    r"|[A-Z]+(?:SECRET|PASSWORD|TOKEN|KEY)|[\w.]+\([^)]*\)?;?"
    r"|[A-Za-z_][A-Za-z_.-]{0,60}=(?:[\"']?\$)?|[A-Z][A-Z0-9_]*="
    r"|[A-Z]:\\.*|\.[a-z][\w-]*|\d{2,5}:[\w.-]+:\d{2,5}"  # a hidden file, a tunnel of ssh
    r"|[a-z][a-z0-9./-]*:(?:\d+(?:\.\d+)*-[a-z]|[a-z]+\d[\w.]*-)[\w.-]*"  # an image of Docker
    r"|#[0-9A-Fa-f]{5}[A-Fa-f]|#(?=[0-9]*[A-Fa-f])[0-9A-Fa-f]{6}(?:[0-9A-Fa-f]{2})?"  # a colour
    r"|[a-z_]{4,}:\d+[dhmwy]|[a-z]{3,12}-0\d\d"  # a search for days, a numbered item
    r"|\d{1,3}(?:\.(?:\d{1,3}|[x*])){3}(?:/\d\d?)?|[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|ai|dev|app|cn)/[\w./-]*"
)
"""Names, addresses, paths and calls, which say where a value is."""

_AMOUNTS: Final = (
    r"(?:19|20)\d\d[-/.]\d\d?(?:[-/.]\d\d?)?(?:[T_ ][\d:.+Z]*)?|\d{1,2}[./]\d{1,2}[./]\d{2,4}|v\d\S{0,11}"
    r"|\d+[.,]\d+\W?|[€$£¥₹₩₽₺₴฿]\d.*|\d+(?:[.,]\d+)*[%€$]|v?\d+(?:\.\d+){1,5}(?:[-+]\w+)*|\d{1,3}[WVALHKM]"
    r"|0x[0-9A-Fa-f]{1,8}|\d[\d,]*(?:\.\d+)?[+?]?(?:s|ms|h|hrs?|mins?|m|d|k|MB|GB|KB|TB|px|r?em|vh|vw|pt|x|st|nd|rd|th|days?|hours?|weeks?|am|pm|kg|km|cm|mm|G?Hz"
    r"|fps|bits?|kW|°C|[MGk]bps|MHz)[?]?|\d+/(?:tcp|udp)|\d{4}-W\d\d|\d+-(?:bit|day|week|month|hour|minute|phase|step|char\w*|digit|word"
    r"|screen|fold|pass|line|page)s?"
    r"|\d+[-–](?:alpine|back|bar|based|column|core|hop|inch|layer|man|node|part|person|point|row|seat|shot|slim|stage"
    r"|star|tier|turn|way|year)s?(?:-old)?|\d+[kKM]?[-–]\d+(?:px|pt|[kKM]|MB|GB|kg|km|cm|mm|min|hrs?|h|s|d|days?|%)[?!]?|\d+–\d+"
    r"|\d{1,2}-\d{1,2}-(?:19|20)\d\d|[\d.:-]+Z|[0-9A-Fa-f]{2}(?::[0-9A-Fa-f]{2}){2,7}|\d{1,2}:\d\d(?::\d\d)?"
    r"|\d{2,5}x\d{2,5}\w{0,3}|\+\d[\d-]*|\d+×\S*|\d{2,5}\?transport=\w+|\d{1,3}\)|#\d{1,3}|20\d{6}[-–]20\d{6}|\d+00[-–]\d+00"
)
"""Dates, amounts, versions, times and sizes."""

_KNOWN: Final = (
    r"[\w.-]+(?:/[\w.-]+)*:(?:v?\d+(?:\.\d+)+[\w.-]*|[0-9a-f]{40,64})|agent:[\w-]+:\S+|cc(?:0|-by)[\w.-]{0,20}|(?:[al]?gpl|mpl|apache|bsd|epl|eupl|cddl|osl)-\d[\w.-]{0,16}|(?:slate|gray|zinc|neutral|stone|red|orange|amber|yellow|lime|green|emerald|teal|cyan|sky|blue|indigo|violet"
    r"|purple|fuchsia|pink|rose|navy|gold|cream|sage)-\d{2,3}|(?:ctrl|cmd|alt|shift|option|meta)[+‑-]\S{1,12}|(?:us|eu|ap|sa|ca|me|af|il|cn)-[a-z]{4,9}-\d[a-z]?|(?:us|europe|asia|australia|africa|(?:north|south)america)-[a-z]{4,14}\d(?:-[a-z])?"
    r"|(?:b?float|u?int|[bf]p|bf|overlay|icml|neurips|t)\d{1,4}|(?:s3|flan)-[a-z]\S{0,20}"
    r"|(?:sha|md|argon|bcrypt|scrypt|pbkdf|base|utf|totp|fido|oauth|ipv|rsa|ecdsa|esp|aes|hs|rs|es|http|tls|ssl|web|mp"
    r"|arm|amd|win|log|iso|rfc|cve|wpa|ec|python|php|java|vue|react|postgres|mysql|redis|ubuntu|debian|ios|android"
    r"|sheet|iphone|ipad|pixel|macos|windows|office|auth|eip|erc|bip|usb|ddr|rtx|gtx|covid|curve|secp|step|test|page|line"
    r"|item|row|col|day|week|phase|task|level|ch|no|nr|abs|pm|text|route|kw|top|image|figure|fig|table|part|stage"
    r"|tier|version|option|model|track|scene|shot|frame|slide|chapter|section|sprint|batch|layer|node|depth|fail"
    r"|scram-sha)[-_.]?\d{1,3}(?!\d)[\w.+-]{0,3}"
    r"|(?:gpt|claude|llama[-_.]?[1-4]|qwen|gemini|glm|kimi|deepseek|mistral|opus|sonnet|haiku|minimax"
    r"|grok|gemma|codex|whisper|flux"
    r"|sdxl|openai|anthropic|bge|text-embedding|ed25519|x25519|secp256|1password|id_|ssh-|base\d\d|sha\d|x?chacha20|aarch64|webgl|libp2p|text2|image2|(?:micro)?k[38]s"
    r"|utf-?\d|argon2"
    r"|aes-|chacha20|tls_|hmac-|pbkdf2|fritz!|x86_64|arm64|amd64|ggml|output-|context-|https?/)[\w.:+!-]{0,40}"
)
"""Images and models with their versions, sessions of OpenClaw, names of algorithms, models and devices."""

_IDENTIFIERS: Final = (
    r"(?:(?:acct|asst|call|ch|chatcmpl|cus|evt|file|in|msg|org|pi|pk|pk_live|pk_test|pm|price|prod|proj|prj|dpl|re|req"
    r"|resp|run|seti|sub|thread|toolu|txn|user|app|tbl|rec|fld|viw|om|ou|oc|cli|on|img|bundle|trace"
    r"|span)_|[CDFGTUWB]0[A-Z0-9]{8,10}\Z|sha-?\d{1,3}-"
    r"|iVBORw0KGgo|R0lGOD|/9j/|UklGR|PHN2Zy|AAAA[A-Z]3NzaC1|age1|M(?:CowBQYDK2V|FkwEwYHKoZI|HYwEAYHKoZI|IIBIjANBg"
    r"|IICIjANBg)|ChIJ|AKfycb|c_[0-9a-f]{40}|(?:cite)?turn\d+[a-z]+\d|bc1[a-z0-9]{20}|T0{6,}).*"
    r"|(?:tbl|rec|viw|fld|app)[A-Za-z0-9]{14}|UC[\w-]{22}|PL[\w-]{16,34}"
)
"""Ids and publishable keys of services, checksums, images and public keys."""

_NO_SECRET: Final = re.compile(f"(?P<known>(?i:{_KNOWN}))|{_REFERENCES}|{_AMOUNTS}|{_IDENTIFIERS}")
_CODE: Final = re.compile(
    r"^--?[A-Za-z]|&\w{1,20}=|^[a-z-]+:#[0-9a-f]{3}|^-?\$\(|^\\[A-Za-z]|^[a-z]+(?:[,:][a-z]+)+$|^[a-z]+:[a-z]+:|;[A-Za-z]{2}|=(?i:true"
    r"|false|yes|no)\Z|^[?&]|@latest\Z|^[\w.-]+:\d+(?:\?|\Z)|\]\(|\\(?:[nrt\"'\\]"
    r"|u[0-9a-f]{4}|[sdwb][+*]|\Z)|\w\(.|^[\]})]|\.\d?[f%]\}?\Z|:[.,\d]*[\df%]\}|\{|^//|^\d+/\d+$|^ref\(|\[\w*\]"
    r"|^[A-Za-z_]{3,}=[\d.{]|^[A-Za-z_]{4,}=[A-Z]\d$|^\d=[A-Za-z]|\}\(|@\.|^[a-z_]+=[^=,]+,[a-z_]+=|^[a-z_]{2,}=[a-z]+(?:-[a-z]+)+$|\]\[['\"]|\w\[[\w:'\"]*$|^\.\d[a-z]|a-z|0-9|==|\|\||=>|::|\?\.|\[:"
    r"|^#[a-z]"
)
"""Options, calls, escapes, comments and patterns of code."""

_ENDINGS: Final = frozenset(
    """
    com org net io dev ai co app de fr es it nl pl ru ua jp kr cn tw uk us eu me tv local lan internal md json
    json5 yaml yml toml txt py ts tsx js jsx mjs sh env pem key html htm css csv pdf png jpg jpeg svg log db
    sqlite sqlite3 jsonl tmpl sock tar tgz zip gz whl deb dmg exe apk jar xls xlsx doc docx ppt pptx rb go rs
    java swift kt php cpp sql mp4 mp3 wav mov webp m4a ogg flac epub heic gif ico woff woff2 xml rss git ics
    diff patch ipynb conf ini plist service gguf bin lock bak gpg asc cmd bat ps1 dll dylib pth onnx ckpt safetensors
    timer socket tsv parquet npy
    """.split()  # noqa: SIM905
)
"""How names of hosts and files end."""

_FILE: Final = re.compile(r"[\w.~/-]*\.(?P<ending>\w{2,8})(?:(?::\d+(?:-\d+)?){1,2}|:[\w-]+|#[\w./-]*)?")
"""A name with an ending, then lines, a heading, or the variable of a masked value."""

_CODE_PARTS: Final = frozenset(
    """
    self this config cfg secrets process env environ settings args opts options params request req res response
    data state ctx random crypto base64 context props password passwd token key secret value values string length user
    auth client session os sys app window document console json body headers utils store model models db api core lib
    src test tests math date
    """.split()  # noqa: SIM905
)
"""Parts of a name of code."""

_DIGITS: Final = re.compile(
    r"(?P<keyed>#\d{4}[#*]?|[#*]\d{3,8}[#*]?|\d[#*]\d{2,8}|[#*]\d{4,8}[#*]|\*\d{3,8}|\d{3,8}[#*]"
    r"|\d{2,5}[#*]\d{1,6}[#*]?)"
    r"|(?P<phone>\d{3}[- ]\d{3}[- ]\d{4}|0\d{2,4}[-/ ]\d{3,8}|0\d{1,3}-\d{3,4}-\d{4}|1\d\d-\d{4}-\d{4})"
    r"|(?P<groups>\d{1,4}(?:[-/]\d{1,4}){1,5}|\d(?: \d){3,7}|\d{2}(?: \d{2}){1,3})"
)
_MADE_UP: Final = re.compile(
    r"(?P<ticket>[A-Z]{2,6}-?\d{1,7}|[A-Z]-?\d{1,3}|[A-Z]{2,6}(?:-\d{1,8}){1,3})"
    r"|(?P<lettered>(?=.{3,12}\Z)[A-ZА-ЯЁІ]{0,2}\d{2,6}(?:[A-ZА-ЯЁІ]\d{0,6}|[A-ZА-ЯЁІ]{2}|[a-z]{3,6}\d{2,5})?)"
    r"|(?P<at>[\w.-]+@[\w-]+)"
    r"|(?P<word>[^\W\d_]+[!?]?)"
    r"|(?P<camel>[A-Za-z][a-z]{1,14}(?:[A-Z][a-z]{0,14}){1,6}\d{0,4}[!?]?)"
    r"|(?P<numbered>[^\W\d_]{3,24}[-._]?\d{1,6}[!?]?|\d{1,6}[^\W\d_]{3,24}[!?]?)"
    r"|(?P<joined>[^\W\d_]{1,20}\d{0,4}(?:[-‑._'’][^\W\d_]{0,20}\d{0,4}){1,9}[!?]?)"
)
_MARKS: Final = frozenset("!#$%&*+=?@^~|;:/\\,()<>[]{}")
_HEX: Final = (frozenset("0123456789abcdef"), frozenset("0123456789ABCDEF"))
_SIGNS: Final = frozenset("_+/-.~")
_JOINTS: Final = str.maketrans("-_/+.=", "      ")


@cache
def _ours() -> re.Pattern[str]:
    return re.compile(
        r"[\s\"'`,;:(){}\[\]]*(?:\$\{[A-Z0-9_]+\}[^\w$]*)+(?:\$\{?[A-Z0-9_]*)?|.*\[secret, not copied\].*"
        r"|\*{3,}.*|•{3,}.*"
    )


def is_ours(value: str) -> bool:
    """Return whether a value is what masking left: a `${VARIABLE}`, also in quotes, or a blanked value."""
    return bool(_ours().fullmatch(value))


def is_placeholder(value: str) -> bool:
    """Return whether a value is a placeholder for a secret."""
    return bool(_PLACEHOLDER.match(value[:LONGEST_PASSWORD])) or (
        len(set(value)) < 3 and not any(map(str.isdecimal, value))
    )


def is_reference(value: str) -> bool:
    """Return whether a value is a name, an address, a path, an amount or the like, which is no secret."""
    if _NO_SECRET.fullmatch(value):
        return True
    file = _FILE.fullmatch(value) if "." in value else None
    return file is not None and file["ending"] in _ENDINGS


def is_known(value: str) -> bool:
    """Return whether a value is a known name, such as a model's, whose parts aren't values by themselves."""
    match = _NO_SECRET.fullmatch(value)
    return match is not None and match["known"] is not None


def form_of(value: str) -> str:
    """Return the name of a value's form, or `""` for one that is never a secret by the words around it."""
    if not 3 <= len(value) <= LONGEST_VALUE or is_placeholder(value):
        return ""
    if _is_base64(value):
        return "random" if len(value) < 40 else "long random"
    if is_reference(value) and not (len(value) == LENGTH_OF_AWS and _is_strict(value)):
        return ""
    if _is_scrambled(value):
        return "scrambled"
    if (value[0].isdecimal() or value[0] in "#*" or value[-1] in "#*") and (form := _digits_form(value)):
        return form
    if "/" in value and not _is_strict(value):
        return ""
    if "." in value and _is_dotted(value):
        if not _CODE_PARTS.isdisjoint(value.lower().split(".")):
            return ""
        return (
            "dotted digits"
            if any(map(str.isdecimal, value))
            else "dotted"
            if value.count(".") < 2
            else "dotted 3"
            if value.count(".") < 3
            else "dotted 4"
        )
    return _long_form(value.removesuffix("%3D").removesuffix("%3D")) or (
        "" if _CODE.search(value) else _cased(value)
    )


_BASE64: Final = re.compile(r"[A-Za-z0-9+/]{22,}={0,2}")


def _is_base64(value: str) -> bool:
    """Return whether a value with slashes is encoded bytes rather than a path: it ends with `=`, or alternates."""
    if "/" not in value or not _BASE64.fullmatch(value):
        return False
    least = min(sum(map(kind, value)) for kind in (str.isupper, str.islower, str.isdecimal))
    alternates = value.endswith("=") or (len(value) % 4 == 0 and "+" in value)
    return least > 1 and _switches(value) >= 4 and (alternates or (len(value) % 4 == 0 and least > 3))


_SCRAMBLED: Final = re.compile(r"[A-Za-z0-9!#$%&*+=?@^~_.;:-]{7,40}")
_NAMED_PART: Final = (
    r"^--?[A-Za-z]{2,}|[?&]?\b[A-Za-z_]{4,}=|[a-z]{5}|[A-Z]{5}|\d{4}|[ad]-[zd]|0-9|[?*+][?+]|\.\*|[:@]\d|%[YmdHMS]"
    r"|\w\+\w+\+|[A-Z]\d{2}"
)
"""What a name, an option or a pattern has, and what a program makes up seldom."""


def _is_scrambled(value: str) -> bool:
    """Return whether capitals, small letters, digits and signs alternate as in what a program makes up."""
    if _RARE.isdisjoint(value) or not _SCRAMBLED.fullmatch(value):
        return False
    kinds = [
        "a" if letter.islower() else "A" if letter.isupper() else "0" if letter.isdecimal() else letter
        for letter in value
    ]
    if sum(one != other for one, other in pairwise(kinds)) * 2 <= len(value) + 1 or not {"a", "A"} <= {
        *kinds
    }:
        return False
    return len({*kinds}) > 2 and re.search(_NAMED_PART, value) is None


_RARE: Final = frozenset("!#$%&*+=?@^~")


def is_generated(value: str) -> bool:
    """Return whether letters, digits and signs of three kinds alternate, as in what a program makes up for a cell."""
    if _is_scrambled(value):
        return True
    if is_placeholder(value.lstrip("([{<")) or is_reference(value) or "://" in value or value.count("/") > 1:
        return False
    kinds = [
        "a" if letter.islower() else "A" if letter.isupper() else "0" if letter.isdecimal() else "#"
        for letter in value
    ]
    switches = sum(one != other and (one, other) != ("A", "a") for one, other in pairwise(kinds))
    return "0" in kinds and len({*kinds}) > 2 and switches * 3 >= len(value) and "--" not in value


def _digits_form(value: str) -> str:
    """Return the form of a value of digits, with the marks of a keypad or in groups."""
    if value.isdecimal():
        return _count_of(value) if value.isascii() and len(value) <= 20 else ""
    match = _DIGITS.fullmatch(value)
    if match is None or match["phone"]:
        return ""
    if match["keyed"]:
        return "hashed" if value[0] == "#" and value[1:].isdecimal() else "keyed"
    numbers = value.translate(_JOINTS).split()
    if not 3 <= sum(map(len, numbers)) <= 12:
        return ""
    if len(numbers) != 2:
        return "digit groups"
    return "" if all(number[-1] in "05" for number in numbers) else "digit pair"


_NUMBER: Final = re.compile(r"\d(?<!\S\d)\d{2,11}(?=[.,;]?(?:\s|\Z))")


def with_numbers_alike(text: str) -> str:
    """Return a text of the same length with one number in place of all that stand alone and have the same form.

    A number that is no secret shows for all of its form that they are none.
    """
    return _NUMBER.sub(_alike, text)


_NAMED_NUMBER: Final = re.compile(
    r"(?<!\S)(?!(?i:(?:my)?(?:abc|key|secret|token)|argon|chacha|llama|pbkdf|secp|sha)\d)(?=[A-Fa-f]{0,23}[G-Zg-z])"
    r"(?P<name>[A-Za-z]{3,24})(?P<number>\d{3,6})(?=[.,;]?(?:\s|\Z))"
)
"""A name with a number behind it, as in `item1204`; of some, the number says what they are: `sha256`."""


def with_names_alike(text: str) -> str:
    """Return a text as `with_numbers_alike`, also for numbers behind a name."""
    return _NAMED_NUMBER.sub(_named_alike, with_numbers_alike(text))


def _named_alike(match: re.Match[str]) -> str:
    name, number = match.groups()
    return name + "111111"[: len(number)]


def _alike(match: re.Match[str]) -> str:
    digits = match.group()
    if not digits.isascii():
        return digits
    form, alike = _ALIKE[len(digits), digits[0] == "0"]
    return alike if _count_of(digits) == form else digits


def _count_of(digits: str) -> str:
    length = len(digits)
    if length > 8 and digits in "01234567890":
        return ""
    if length == 11 and digits[0] == "1" and digits[1] > "2":
        return ""
    if length == 8 and digits[:2] in ("19", "20") and digits[4] in "01" and digits[6] in "0123":
        return "date"
    if length == 4 and "1900" <= digits <= LAST_YEAR:
        return "year"
    if length >= 4 and digits.endswith("000"):
        return "round"
    if length in (10, 13) and digits[:2] in ("15", "16", "17", "18", "19"):  # seconds since 1970
        return "date"
    if length == 4 and digits[0] in "012" and int(digits[:2]) < 24 and digits[2] < "6" and digits[3] in "05":
        return "time"
    return f"digits{length if length < 9 else 9 if length <= 12 else 13 if length < LEAST_OF_ID else 17}"


_ALIKE: Final = {
    (length, first == "0"): (_count_of(alike), alike)
    for length in range(3, 13)
    for first in "01"
    for alike in [f"{first}{'1' * (length - 1)}"]
}
"""The number in place of others of its form, by their length and whether they begin with a zero."""


def _is_dotted(value: str) -> bool:
    """Return whether a value is words with dots between them, such as a name of code."""
    parts = value.strip("!?").split(".")
    return 2 <= len(parts) <= 9 and all(
        part.isascii() and part.isidentifier() and len(part) <= 25 for part in parts
    )


def _long_form(value: str) -> str:
    """Return the form of what only a program makes up: hex, base64, groups of letters and digits, or `""`."""
    core = value.rstrip("=")
    digits = sum(map(str.isdecimal, core))
    if digits > 0 and len(core) >= 8 and any(map(frozenset(core).issubset, _HEX)) and not core.isdecimal():
        return _hex_form(core)
    if digits > 1 and (form := _grouped_form(value)):
        return form
    if not value.isascii() or not all(letter.isalnum() or letter in _SIGNS for letter in core):
        return ""
    if len(core) >= LEAST_RANDOM and (_is_mixed(core) or value.endswith("=")) and entropy(core) >= 3.2:
        if not _is_strict(core):
            return "plain random"
        return "random" if len(core) < 40 else "long random"
    if len(core) >= 10 and digits > 1 and _switches(core) >= 3 and entropy(core) >= 2.5:
        return "token"
    return "token" if is_jumbled(core) else ""


def _hex_form(core: str) -> str:
    if len(set(core)) <= 5:
        return ""
    if len(core) >= 32:
        return "commit" if len(core) == 40 else "hex"
    return "short hex" if _switches(core) >= 2 else "mixed"


UUID: Final = [8, 4, 4, 4, 12]


def _grouped_form(value: str) -> str:
    """Return the form of groups of letters and digits of about one length, as services hand them out, or `""`."""
    if "/" in value or "_" in value or not value.isascii():
        return ""
    parts = value.replace(" ", "-").split("-")
    lengths = list(map(len, parts))
    if len(parts) < 2 or not all(map(str.isalnum, parts)):
        return ""
    if lengths == UUID and frozenset(value.lower()) <= _HEX[0] | {"-"}:
        return "uuid"
    few = len(parts) < 4
    if (
        len(parts) > 16
        or min(lengths) < 3
        or max(lengths) > 8
        or max(lengths) - min(lengths) > (0 if few else 3)
    ):
        return ""
    mixed = sum(any(map(str.isdecimal, part)) for part in parts)
    if mixed * 2 < len(parts) or (few and value not in (value.lower(), value.upper())):
        return ""
    return "product key" if not few and value.isupper() and min(lengths) >= 4 and "-" in value else "groups"


def _is_strict(core: str) -> bool:
    """Return whether a value mixes capitals, small letters and digits in one long run, as nothing else does."""
    longest = max(map(len, core.translate(_JOINTS).split()), default=0)
    least = min(sum(map(kind, core)) for kind in (str.isupper, str.islower, str.isdecimal))
    return longest >= LEAST_STRICT and least >= 3 and len(core) >= LEAST_RANDOM


def _is_mixed(core: str) -> bool:
    """Return whether a value alternates between letters and digits, as random text does."""
    digits = sum(map(str.isdecimal, core))
    if not digits:
        return is_jumbled(core)
    return max(map(len, core.translate(_JOINTS).split())) >= 10 and digits >= 2 and _switches(core) >= 4


def _switches(core: str) -> int:
    """Return how often a letter stands beside a digit."""
    return sum(
        one.isdecimal() != other.isdecimal()
        for one, other in pairwise(core)
        if one.isalnum() and other.isalnum()
    )


def is_jumbled(value: str) -> bool:
    """Return whether letters change their case as no words in camel case do: `JQmVJAaVIoShYbCx`."""
    return any(map(_is_jumbled_part, value.translate(_JOINTS).split()))


def _is_jumbled_part(part: str) -> bool:
    lower, upper = (sum(map(kind, part)) for kind in (str.islower, str.isupper))
    return len(part) >= 12 and min(lower, upper) >= 3 and len(CAMEL.findall(part)) * 5 >= len(part) * 2


def entropy(value: str) -> float:
    """Return the Shannon entropy of a value in bits per character."""
    length = len(value)
    return -sum(count / length * math.log2(count / length) for count in Counter(value).values())


_CASED: Final = frozenset(("mixed", "numbered", "numbered once", "joined digits", "camel digits", "strong"))


def _cased(value: str) -> str:
    """Return the form of what a person makes up, apart for values in capitals, as models and articles have them."""
    form = _short_form(value)
    return f"capital {form}" if form in _CASED and value.isupper() else form


def _short_form(value: str) -> str:
    """Return the form of what a person makes up: words, words with digits, words joined, marks between."""
    digits = sum(map(str.isdecimal, value))
    letters = sum(map(str.isalpha, value))
    if not letters:
        return ""
    match = _MADE_UP.fullmatch(value)
    name = match.lastgroup if match else None
    if name in ("ticket", "lettered", "at"):
        return name
    if any(letter in _MARKS for letter in value.rstrip("!?")):
        if len(value) < 5 or not (letters > 1 or len(value) > 7):
            return ""
        if len(value) >= LEAST_LINKED and not is_solid(value) and (linked := _LINKED.fullmatch(value)):
            return "linked 3" if linked["more"] else "linked lower" if value.islower() else "linked"
        return "strong" if digits else "marked"
    if value.endswith("!") and digits:
        return "strong"
    if is_solid(value) and not (digits and name == "joined"):
        return "solid" if len(value) >= 4 else ""
    match name:
        case "word":
            return _word_form(value.rstrip("!?"))
        case "camel":
            return "camel digits" if digits else "camel"
        case "numbered":
            return "numbered" if digits > 1 else "numbered once"
        case "joined":
            return "named" if digits > 4 else "joined digits" if digits else _joined_form(value)
        case _:
            return ("mixed" if len(value) >= 4 else "") if digits else "odd" if len(value) >= 5 else ""


LEAST_LINKED: Final = 8
_LINKED: Final = re.compile(
    r"[^\W\d_]{2,}[&+!%*~$][^\W\d_]{2,}\d{0,4}(?P<more>(?:[&+!%*~$][^\W\d_]{2,})+)?[!?]?"
)
"""Words with a sign between them, as people make up: `Salt&Pepper`."""

MOST_SHORT: Final = 1


def _joined_form(value: str) -> str:
    """Return the form of joined words: `snake_case` as code has it, or with hyphens, of two words or more."""
    parts = value.strip("!?").translate(_JOINED_BY).split()
    if "_" in value and (value.islower() or len(parts) < 3):
        return "snake" if value.islower() else "joined"
    if len(parts) > 3 and sum(len(part) < 3 for part in parts) <= MOST_SHORT:
        return "joined 4"
    return "joined 3" if len(parts) > 2 else "joined"


_JOINED_BY: Final = str.maketrans("-_.'’‑", "      ")


def _vowels(value: str) -> int:
    return sum(letter in "AEIOU" for letter in value)


LEAST_LETTERS: Final = 12


def _word_form(value: str) -> str:
    if len(value) < 4:
        return ""
    if value.islower():
        if len(value) >= LEAST_LETTERS and value.isascii() and _vowels(value.upper()) * 5 < len(value):
            return "odd"
        return (
            "word"
            if all(letter < "\u0250" or "\u1e00" <= letter <= "\u1eff" for letter in value)
            else "foreign"
        )
    if value.isupper():
        return (
            "unspoken"
            if len(value) >= 5 and value.isascii() and _vowels(value) * 3 < len(value)
            else "capitals"
        )
    return "title" if value.istitle() else "camel"
