"""Decides whether a value is a secret or a look-alike: a placeholder, name, path, hash or word."""

import math
import re
from collections import Counter
from itertools import pairwise
from typing import Final

from melleafy_tui.core.lazy_regex import LazyRegex

LEAST_PASSWORD: Final = 4
LEAST_SENTENCE_PASSWORD: Final = 6
LONGEST_PASSWORD: Final = 128
LEAST_TOKEN: Final = 12
LEAST_PLAIN_PASSWORD: Final = 8
LEAST_BARE: Final = 24
LONG_BARE: Final = 40
LONGEST_BARE: Final = 256
LEAST_BARE_SEGMENT: Final = 16
LEAST_TOKEN_ENTROPY: Final = 2.8

_PLACEHOLDER: Final = re.compile(
    r"\$[{(]|!(?:secret|env|vault|include|sops)"
    r"|\$[A-Z][A-Z0-9_]+\Z|%\w+%|[<{(]|\\?\[[a-z ]"  # ${VAR}, <token>, {{ token }}, (none), [your key]
    r"|.*(?:your[-_]|[-_]here|example|sample|dummy|placeholder|change[-_]?me(?![\w-]*\d\d)|redacted|x{4,}"
    r"|[-_]x{3}\Z|\*{3,}|\.{3}|…)"
    r"|(?:env|op|vault|file|secret|secretref|keychain|keyring|aws|gcp|pass)(?::|//)"
    r"|(?:process\.env|os\.environ|import\.meta)",
    re.IGNORECASE,
)
_REFERENCE: Final = re.compile(
    r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+"  # a variable's name
    r"|(?:https?|wss?|ftp)://.*"
    r"|@?(?:~|\.{1,2})?/[\w./-]*:?"  # also as a label, and as an import
    r"|(?:[\w.-]*/)*[\w.-]*\.(?:md|json5?|ya?ml|toml|txt|py|ts|js|sh|env|pem|key|html?)"
    r"(?::\d+(?:-\d+)?|#[\w./-]*)?"  # with lines, a heading, or the variable of a masked value
    r"|mcp__.*|elem_\d+"  # a tool of an MCP server, an element
    r"|[a-z]+(?:_[a-z0-9]+)*(?:\.[a-z]+(?:_[a-z0-9]+)*)+"  # an attribute, a row: config.password_policy_2
    r"|[\w.+-]+@[\w-]+(?:\.[\w-]+)+"
    r"|(?i:arxiv|doi|isbn):.*|[\w.-]+/"
    r"|0x[0-9a-fA-F]{40}"  # an account of a block chain
    r"|(?:[\w.~-]*/)*[\w.-]+\.(?:tar|tgz|zip|t?gz|log|db|sqlite3?|csv|pdf|png|jpe?g|svg)(?:\.gz)?"
    r"|(?=\S*/)[\w./*-]*\*[\w./*-]*"  # a pattern of paths
    r"|[a-z0-9]+(?:[-.][a-z0-9]+)*(?:/[a-z0-9]+(?:[-.][a-z0-9]+)*)+"  # a model, a repository
    r"|[A-Z]+(?:SECRET|PASSWORD|TOKEN|KEY)|\S+\.(?:whl|deb|dmg|exe|apk|jar)"
    r"|[\w.]+\([^)]*\)?;?",
)
_NAME_OF_A_SECRET: Final = re.compile(
    r"(?=\S*(?:^|(?<=[-_.]))(?:pass(?:wor[dt]|wd|phrase|code)s?|kennwort|wachtwoord|pwd|secrets?|tokens?|keys?"
    r"|credentials?)(?:[-_.:]|\Z))"
    r"[a-z]+\d{0,2}(?:[-_.]+[a-z]+\d{0,2}|[-_.]+\d{1,2})*:?",
    re.IGNORECASE,
)
"""Hyphenated words with a telling part, such as the tool `reset-password` or `slots.password_2`."""

_PLAIN_WORD: Final = LazyRegex(
    r"1password|access|account|admin|always|anything|automatically|available|bitwarden|blank|cannot|config"
    r"|configured|contact|default|disabled|empty|enabled|encrypted|environment|expired|expires|field"
    r"|forbidden|generated|hashed|hidden|internal|invalid|keepass|keychain|lastpass|managed|manager"
    r"|masked|missing|needed|never|nothing|null|optional|password|passwords|placeholder|policy"
    r"|private|protected|provided|public|random|refresh|required|requires|reset|revoked|rotate"
    r"|rotated|rotation|secret|secrets|secure|security|shared|sharing|stored|string|tokens"
    r"|undefined|unknown|unset|user|username|value|vault"
    r"|ändern|erforderlich|geheim|niemals|passwort|unbekannt|vergessen|verschlüsselt|vertraulich|weitergeben"
    r"|zurücksetzen",
    re.IGNORECASE,
)
_UUID: Final = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_HEX: Final = re.compile(r"[0-9a-fA-F]+")
_METHOD: Final = re.compile(
    r"(?:sha|md|argon|bcrypt|scrypt|pbkdf|base|utf|totp|fido|oauth|ipv|rsa|ecdsa|esp)-?\d"
    r"|(?:\w{2,3}[-_])?(?:ed25519|x25519|ed448)",
    re.IGNORECASE,
)
_SOLID: Final = re.compile(r"[A-Za-z0-9_+/=-]*[A-Za-z0-9]{16,}[A-Za-z0-9_+/=-]*")
_NAME: Final = re.compile(r"(?:[a-z]{1,12}|\d{1,10})(?:[-_./](?:[a-z]{1,12}|\d{1,10}))+")
"""Consecutive words and numbers, such as `report-2026-47-de`."""

_DIGIT: Final = re.compile(r"\d")
_TWO_DIGITS: Final = re.compile(r"\d\D*\d")
_ASCII: Final = re.compile("[A-Za-z0-9]")
_MARKS: Final = frozenset("!@#$%^&*+=?~")
"""Marks that passwords contain and words don't."""

_CODE_SIGN: Final = re.compile(
    r"^--?[a-z]|\\(?:[nrt\"'\\]|u[0-9a-f]{4}|[sdwb][+*]|\Z)|\w\(.|^\]|\{\w+[:}]|\.\d?f\}|^//|^\d+/\d+$"
    r"|^ref\(|^[A-Za-z_]{3,}=[\d.{]|\[\w*\]|\]\[['\"]|\w\[[\w:'\"]*$|^\.\d[a-z]"
)
"""Options, calls, escapes and comments of code."""

_NUMBER: Final = re.compile(
    r"(?:19|20)\d\d[-/.]\d\d?(?:[-/.]\d\d?)?(?:T[\d:.]+Z?)?|\d+[.,]\d+\W?|\d+(?:[.,]\d+)?[%€$]"
    r"|v?\d+(?:\.\d+){1,3}(?:-\w+)?|\d{1,3}[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af].*|\d+\+?"
    r"(?:s|ms|h|min|m|d|MB|GB|KB|px|x|st|nd|rd|th)|\d\d?:\d\d(?::\d\d)?|[0-9a-f]{40}"
)
"""Dates, amounts, versions, times and commits."""

_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}\S*")


def is_placeholder(value: str) -> bool:
    """Return whether a value is a placeholder for a secret."""
    return bool(_PLACEHOLDER.match(value[:LONGEST_PASSWORD])) or (
        len(set(value)) < 3 and not value.isdecimal()
    )


def is_reference(value: str) -> bool:
    """Return whether a value is a name, address, path or call that says where a secret is."""
    return bool(_REFERENCE.fullmatch(value) or _NAME_OF_A_SECRET.fullmatch(value))


def _is_ruled_out(value: str, least: int) -> bool:
    """Return whether a value is too short for a secret, a placeholder, or says where a secret is."""
    return (
        len(value) < least
        or " " in value
        or _CODE_SIGN.search(value) is not None
        or is_placeholder(value)
        or is_reference(value)
    )


def _has_letter(value: str) -> bool:
    return any(character.isalpha() for character in value)


def _has_digit(value: str) -> bool:
    return _DIGIT.search(value) is not None


def is_password(value: str, *, ends_line: bool, quoted: bool) -> bool:
    """Return whether the value of a password field is a real password, even if it is a plain word."""
    if len(value) > LONGEST_PASSWORD or _NUMBER.fullmatch(value) or re.search(r"\s", value):
        return False
    if _is_ruled_out(value, LEAST_PASSWORD) or _PLAIN_WORD.fullmatch(value):
        return False
    alone = ends_line or quoted
    if not _ASCII.search(value):
        return False
    if not _has_letter(value):
        return alone and _has_digit(value)
    if _has_digit(value) or not _MARKS.isdisjoint(value):
        return len(value) >= LEAST_SENTENCE_PASSWORD or alone
    return (
        alone
        and len(value) >= (LEAST_SENTENCE_PASSWORD if quoted else LEAST_PLAIN_PASSWORD)
        and value.isascii()
    )


def is_uuid(value: str) -> bool:
    """Return whether a value is a UUID; only a label can say that one is secret."""
    return _UUID.fullmatch(value) is not None


def is_name_in_code(value: str) -> bool:
    """Return whether a value is a variable or an attribute of code, such as `env1.mean_degree` or `utils_1.options`."""
    return _NAME_IN_CODE.fullmatch(value) is not None


_NAME_IN_CODE: Final = re.compile(
    r"[a-z]+\d{0,3}(?:_[a-z]+\d{0,3})+|(?=\S*[a-z]{4})!{0,2}[A-Za-z_]\w{0,24}(?:\.[A-Za-z_]\w{0,24})+"
)


def is_unmistakable_password(value: str) -> bool:
    """Return whether a value can only be a password: mixed letters and digits, and not the name of a method."""
    return (
        len(value) >= LEAST_PLAIN_PASSWORD
        and _has_letter(value)
        and _has_digit(value)
        and not _METHOD.match(value)
        and not _UUID.fullmatch(value)
    )


def is_credential(value: str) -> bool:
    """Return whether the text after `Authorization: Bearer` is a credential; any text of some length counts."""
    return not _is_ruled_out(value, LEAST_TOKEN)


def is_solid(value: str) -> bool:
    """Return whether a value is one long run of letters and digits, unlike any word or name."""
    return bool(_SOLID.fullmatch(value))


def is_token(value: str) -> bool:
    """Return whether the value of a token or key field is a real one: long, mixed and not a name or date."""
    if not _TWO_DIGITS.search(value) and not is_jumbled(value):
        return False
    if _is_ruled_out(value, LEAST_TOKEN) or _DATE.fullmatch(value) or _NAME.fullmatch(value):
        return False
    if not _has_letter(value) or not value.isascii():
        return False
    return entropy(value) >= LEAST_TOKEN_ENTROPY


def is_jumbled(value: str) -> bool:
    """Return whether letters change their case as no words in camel case do: `JQmVJAaVIoShYbCx`."""
    return re.fullmatch(r"[\w+/-]+", value) is not None and any(
        map(_is_jumbled_part, re.split(r"[-_+/]", value))
    )


def _is_jumbled_part(part: str) -> bool:
    lower, upper = (sum(map(kind, part)) for kind in (str.islower, str.isupper))
    return (
        len(part) >= LEAST_TOKEN
        and min(lower, upper) >= 3
        and len(_CAMEL_WORD.findall(part)) * 5 >= len(part) * 2
    )


_CAMEL_WORD: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z](?![a-z])")


def is_random(value: str) -> bool:
    """Return whether a value without a label is almost certainly a secret."""
    core = value.rstrip("=")
    if not LEAST_BARE <= len(core) <= LONGEST_BARE or is_placeholder(value) or is_reference(value):
        return False
    if _UUID.fullmatch(core) or _HEX.fullmatch(core):
        return False
    if max(len(part) for part in re.split(r"[-_/+]", core)) < LEAST_BARE_SEGMENT:
        return False
    return _mixes_kinds(core) and entropy(core) >= min(4.5, 0.86 * math.log2(len(core)))


def _mixes_kinds(core: str) -> bool:
    """Return whether a value alternates between letters of both cases and digits, as random text does."""
    kinds = [_kind(character) for character in core]
    counts = Counter(kinds)
    if counts["upper"] < 3 or counts["lower"] < 3 or counts["digit"] < (2 if len(core) >= LONG_BARE else 3):
        return False
    return sum((one == "digit") != (other == "digit") for one, other in pairwise(kinds)) >= 4


def entropy(value: str) -> float:
    """Return the Shannon entropy of a value in bits per character."""
    length = len(value)
    return -sum(count / length * math.log2(count / length) for count in Counter(value).values())


def _kind(character: str) -> str:
    if character.isdecimal():
        return "digit"
    if character.isupper():
        return "upper"
    return "lower" if character.islower() else "mark"


_SMALL_WORDS: Final = (
    "a an and any are as ask at be before by can check contact don't for from get given has have if in into is it "
    "its keep kept last must my never no not of on only or our out per read rotate see set share should stored "
    "that the their them then there this to type under use used via was when where which who will with you your "
    "der die das ein eine ist im und oder nie nicht mit von vom zum zur siehe frage bei le la les un une est et "
    "ou jamais ne pas dans avec de des du voir demander el los las una es en y o con del por para nunca ver "
    "preguntar het een niet nooit met van zie vraag w na jest do od z siehe liegt steht frag frage fragen wie "
    "у в на не см и спроси спросить смотри лежит есть нет как что он она это для по из с к от"
)
_STOP_WORDS: Final = frozenset(_SMALL_WORDS.split())


def is_passphrase(text: str, *, quoted: bool, named: bool = False) -> bool:
    """Return whether several words are a passphrase and no sentence: short, without small words or odd characters.

    Args:
        text: The words.
        quoted: Whether quotes surround them.
        named: Whether the label says that it is a phrase; then capitals and every script count without quotes.
    """
    parts = re.split(r"[ \t]+", text.strip())
    if not 2 <= len(parts) <= 12 or len(text) > 160 or is_placeholder(text):
        return False
    low = [part.strip(",.;").lower() for part in parts]
    if any(part in _STOP_WORDS or _PLAIN_WORD.fullmatch(part) for part in low):
        return quoted and len(parts) >= 4 and bool(re.search(r"\d|[!@#$%^&*]", text)) and "://" not in text
    plain = all(re.fullmatch(r"[^\W_]{1,14}[!?.,]?", part) for part in parts)
    if quoted:
        return plain and len(parts) >= 3
    if named and not re.search(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]", text):
        return plain and len(parts) >= 4
    return len(parts) >= 4 and all(re.fullmatch(r"[a-zà-žа-яёіїєґ]{2,14}|\d{1,4}", part) for part in parts)


def is_pin(text: str) -> bool:
    """Return whether digits can open a door: three to twelve, also in groups, and no year with a month."""
    digits = re.sub(r"\D", "", text)
    if not 3 <= len(digits) <= 12 or (len(digits) == 3 and not text.strip("0123456789")):
        return False
    return not re.fullmatch(r"(?:19|20)\d\d[-/]\d\d?(?:[-/]\d\d?)?|\d\d?/\d\d?/\d{2,4}", text)


def is_grouped_code(text: str) -> bool:
    """Return whether a text consists of codes as services hand them out for emergencies."""
    if re.fullmatch(r"\d{4}-\d\d-\d\d.*|\d{1,3}", text) or is_placeholder(text):
        return False
    letters = text.replace(" ", "").replace("-", "")
    if re.fullmatch(r"(?:[a-z]{4}[ -]){3,7}[a-z]{4}", text):
        return len(set(letters)) > 6 and sum(letter in "aeiou" for letter in letters) < 0.42 * len(letters)
    return (
        len(letters) >= 6 and any(map(str.isdecimal, letters)) and not re.fullmatch(r"(?:19|20)\d\d", letters)
    )


def is_short_token(value: str) -> bool:
    """Return whether a value of eight letters or more mixes letters and digits as only a token does."""
    if (
        len(value) < 8
        or not _has_digit(value)
        or is_placeholder(value)
        or is_reference(value)
        or _DATE.fullmatch(value)
        or not value.isascii()
    ):
        return False
    if _BASE32.fullmatch(value):
        return True
    if _NAME.fullmatch(value) or not re.fullmatch(r"[A-Za-z0-9_+/=.-]+", value):
        return False
    kinds = [character.isdecimal() for character in value]
    return (
        sum(kinds) >= 2 and sum(one != other for one, other in pairwise(kinds)) >= 3 and entropy(value) >= 2.5
    )


_BASE32: Final = re.compile(r"(?=[A-Z]*[2-7])[A-Z2-7]{16,64}=*")


_OURS: Final = re.compile(
    r"[\s\"'`,;:(){}\[\]]*(?:\$\{[A-Z0-9_]+\}[^\w$]*)+(?:\$\{?[A-Z0-9_]*)?|.*\[secret, not copied\].*|\*{3,}.*|•{3,}.*"
)


def is_ours(value: str) -> bool:
    """Return whether a value is what masking left: a `${VARIABLE}`, also in quotes, or a blanked value."""
    return bool(_OURS.fullmatch(value))


_CODE_LINE: Final = re.compile(
    r"[{};]\s*(?:$|//|#)|[}\]],?\s*$|=>|&&|\|\||==|</|\w\([\w.]*[,)]|\)\s*[{;]|\)[.,]\w|^\s*(?:import"
    r"|from|def|class|return"
    r"|const|let|var|if \(|for \("
    r"|elif|assert|expect|print|function|new |await|throw|raise|case |type |interface )|#:~:|\\[wdsbn][+*]?"
)
LONGEST_PROSE: Final = 600


def is_prose(line: str) -> bool:
    """Return whether a line is a person's note rather than code, where marks and digits mean something else."""
    return len(line) <= LONGEST_PROSE and _CODE_LINE.search(line) is None


def is_mixed(value: str) -> bool:
    """Return whether a value without a sign before it can only be a password: letters with digits or marks."""
    if (
        len(value) < LEAST_MIXED
        or not is_password(value, ends_line=True, quoted=True)
        or not _has_letter(value)
    ):
        return False
    if not (_has_digit(value) or not _STRONG_MARKS.isdisjoint(value)) or _LOOK_ALIKE.fullmatch(value):
        return False
    return not (_METHOD.match(value) or _UUID.fullmatch(value) or is_name_in_code(value))


_STRONG_MARKS: Final = frozenset("!@#$%^&*?")
LEAST_MIXED: Final = 5
_LOOK_ALIKE: Final = re.compile(
    r"\S*[?=&]+|[\w.\[\]'-]+=.*|[?*&].*|\d{1,3}-[a-z]+|[a-z]+(?:-[a-z]+)*(?:-\d+){2,}"
    r"|[a-z]+[A-Z][A-Za-z]+|[A-Z]+-[\d.]+|[a-z]+(?:_[a-z0-9]+)+|.*a-zA-Z.*|\w+@\w[\w.-]*"
    r"|v?\d[\d.,:/-]*\w{0,3}|[\w.-]*:\d*|#\w+|[A-Za-z]{1,3}\d{1,2}|\+\d+|\w+\+|~\S*"
)
"""Queries, tickets, handles, versions, amounts and ports."""

_TALK_WORDS: Final = (
    "ask asks see stored store stores kept keep keeps never not must should need needs needed set "
    "share shared written "
    "generated change changed rotate use used using uses check contact don't do get given required requires from "
    "file vault keychain 1password bitwarden keepass env environment via same provided none tbd unknown todo "
    "sent send sms email manager secret hidden empty blank optional enter type your please forgot forgotten "
    "confirm show hide reset invalid incorrect wrong correct weak strong password passphrase passwords "
    "only when if who which that it's isn't can can't cannot will won't may minimum least characters words "
    "options option settings security click select tab button page section menu app account accounts new create "
    "generate current system service services tests test code error check else "
    "long length special default example placeholder automatically prompt prompted protected leave here "
    "siehe frage nie niemals nicht liegt steht fragen gespeichert bitte muss darf ändern eingeben vergessen "
    "voir demander jamais ne demande demandez stocké doit saisir oublié ver preguntar pregunta nunca guardada "
    "guardado está debe pedir pide introduce olvidada vedi chiedi chiedere mai deve zie vraag nooit moet staat "
    "спроси спросить смотри лежит нет хранится не никогда должен введите забыл запитай лежить зберігається "
    "zapytaj nigdy jest zapisane musi sor asla değil saklanır"
)
_TALK: Final = frozenset(_TALK_WORDS.split())
"""Words of texts that speak about a secret."""


def is_said_phrase(text: str) -> bool:
    """Return whether a quoted text of two to eight words is a passphrase and doesn't speak about one."""
    parts = text.split()
    if (
        not 2 <= len(parts) <= 8
        or len(text) > 80
        or is_placeholder(text)
        or re.search(r"[<>{}\[\]=/\\|:]|\.\.", text)
    ):
        return False
    return _is_phrase_of(parts)


def _is_phrase_of(parts: list[str]) -> bool:
    low = [part.strip(",.;!?").lower() for part in parts]
    if any(part in _TALK for part in low) or _CJK.search("".join(low)) or len(set(low)) < len(low) - 1:
        return False
    return all(_PHRASE_WORD.fullmatch(part) for part in parts) and any(len(part) > 2 for part in low)


def is_worded_phrase(text: str, *, named: bool, verb: bool) -> bool:
    """Return whether the rest of a line after a label is a phrase of words, and no sentence about a secret.

    Args:
        text: The words.
        named: Whether the label says that it is a phrase.
        verb: Whether a verb joins them, so that the words may end a sentence.
    """
    parts = text.split()
    least = 3 if verb or not named else 2
    if not least <= len(parts) <= 12 or len(text) > 100 or is_placeholder(text) or not _is_phrase_of(parts):
        return False
    low = [part.strip(",.;!?").lower() for part in parts]
    small = any(part in _STOP_WORDS for part in low)
    if (
        named
        and verb
        and small
        and len(parts) >= 4
        and low[0] not in _STOP_WORDS
        and not _STATE.fullmatch(low[0])
    ):
        small = text != text.lower()
    if not named:
        numbered = not verb and any(re.fullmatch(r"\d{1,4}!?", part) for part in low[1:])
        return text == text.lower() and (numbered or not small) and len(parts) <= 7
    return not (verb and small) and not any(re.search(r"[.,;!?]$", part) for part in parts[:-1])


_CJK: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_PHRASE_WORD: Final = re.compile(r"[^\W_][^\W_'’&.-]{0,1}(?:[^\W_]|['’&.-]){0,17}[!?.,]?|&")


def is_dotted_phrase(value: str) -> bool:
    """Return whether words with dots between are a phrase, and no attribute, file or host."""
    parts = value.split(".")
    if not 3 <= len(parts) <= 7 or not re.fullmatch(r"[^\W\d_]{1,14}(?:\.[^\W_]{1,14})+", value):
        return False
    return not any(part in _CODE_PARTS for part in value.lower().split("."))


_CODE_PARTS_WORDS: Final = (
    "com org net io dev local de example internal app ai co uk password passwd pass secret secrets "
    "key keys token config "
    "settings env environ process self this data user users request response args options props state "
    "value values field "
    "fields get set json yaml yml toml md py js ts txt html db database default auth session client "
    "server api os sys "
    "credentials params result name id form input body headers context ctx var vars module models "
    "utils main test tests"
)
_CODE_PARTS: Final = frozenset(_CODE_PARTS_WORDS.split())


def is_small_word(word: str) -> bool:
    """Return whether a word is an article, a preposition or another small one."""
    return word.lower() in _STOP_WORDS


def is_talk_word(word: str) -> bool:
    """Return whether a word belongs to texts that speak about a secret."""
    return word.lower() in _TALK or bool(_PLAIN_WORD.fullmatch(word))


def is_state_word(word: str) -> bool:
    """Return whether a word says what something is like or where it is, such as "required"."""
    return bool(_STATE.fullmatch(word))


def is_code_word(word: str) -> bool:
    """Return whether a word is a part of names in code, files and hosts."""
    return word.lower() in _CODE_PARTS


def is_lone_word(value: str, *, states: bool = True) -> bool:
    """Return whether a plain word after "the password is" can be the password, and no state such as "required".

    Args:
        value: The word.
        states: Whether words that end as adjectives do, such as `required`, are none.
    """
    if not re.fullmatch(r"(?=.{5,30}\Z)[^\W\d_]{2,24}(?:-[^\W\d_]{2,24}){0,4}", value) or is_placeholder(
        value
    ):
        return False
    parts = value.lower().split("-")
    return not (value.isupper() or _CJK.search(value)) and not any(
        part in _TALK or _PLAIN_WORD.fullmatch(part) or (states and _STATE.fullmatch(part)) for part in parts
    )


_STATE: Final = LazyRegex(
    r"\w*(?:ed|ing|able|ible|ive|ful|less|ous|ent|ant|ual|ial|ally|ory|ary|ly|est|ized|iert|lich|isch|ung|bar"
    r"|sis|ior|iour|tion|tions|ment|ity|ness|ship|ado|ada|ido|ida|ato|ata|uto|uta|ito|ita|oire|able|ée"
    r"|ées|és|eert|ние|ный|ная|ное|ена|ено|ан|ть|ться|ований|owane|any|ane)"
    r"|right|there|their|short|simple|under|above|below|safe|fine|okay|great|known|shown|given|taken"
    r"|stolen|broken|written"
    r"|hidden|forgotten|plaintext|plain|local|global|legacy|basic|valid|handled|everything|something"
    r"|itself|yours|hers|mine"
    r"|strength|policy|policies|entropy|history|vault|store|storage|prompt|prompts|change|changes"
    r"|protocol|behind|instead|together|anywhere|without|because|through|perhaps|support|again|about"
    r"|after|before|later|always|often|still|today|tomorrow|first|second|third|other|another|exactly|outside"
    r"|inside|online|offline|visible|common|unique|complex|critical|obvious|sensitive|alphanumeric"
    r"|numeric|rather|usually"
    r"|richtig|falsch|nötig|leer|kurz|sicher|gleich|anders|dabei|gültig|faux|juste|vide|court|correcta"
    r"|correcto|vacía|segura"
    r"|seguro|falsa|sbagliata|vuota|sicura|верный|неверный|пустой|невірний|błędne|puste|fout|leeg|juist"
    r"|yanlış|doğru|wrong"
    r"|bcrypt|scrypt|argon|login|logins|email|emails|database|basically|false|undefined|boolean|integer"
    r"|number|object|array"
    r"|text|input|label|button|hash|hashes|cipher|salt|where|which|whose|these|those|three|seven|eight"
    r"|enough|extra|human"
    r"|cloud|files?|users?|admins?|system|server|service|client|google|github|apple|microsoft|signal|slack|discord"
    r"|telegram|docker|proton|dashlane|firefox|chrome|safari|windows|linux|macos|android|gmail|outlook|changeme",
    re.IGNORECASE,
)
