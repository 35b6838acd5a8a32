"""Finds passwords and codes that no label precedes: their shape and the words of the line give them away."""

import re
from collections.abc import Iterator
from typing import Final

from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.source.secrets.fields import NO_SECRET_LABEL, PASSWORD_LABEL
from melleafy_tui.core.source.secrets.labels import (
    ACCOUNT,
    PASSWORD,
    PLACE,
    Starts,
    literal,
    lowered,
    spelled,
    words,
)
from melleafy_tui.core.source.secrets.spans import SecretSpan
from melleafy_tui.core.source.secrets.values import (
    is_name_in_code,
    is_passphrase,
    is_password,
    is_pin,
    is_placeholder,
    is_prose,
    is_reference,
    is_unmistakable_password,
)

STRONG: Final = re.compile(
    r"(?<![^\s\"'`(（「:：=/,，、])(?=[^\s\"'`]{0,40}[A-Za-z])(?=[^\s\"'`]{0,40}\d)"
    r"(?P<value>[A-Za-z0-9._+-]{1,40}[!#$%&^*?~][^\s\"'`<>|/(){}=,;，。]{0,40})"
)
"""A word of letters and digits with a mark that only passwords have."""

_ACCESS: Final = (
    *PASSWORD["en"].split("|"),
    *ACCOUNT.split("|"),
    *(
        "imap",
        "smtp",
        "pop3",
        "ftp",
        "vpn",
        "nas",
        "ssh",
        "rdp",
        "decrypt",
        "unlock",
        "encrypted",
        "protected",
    ),
)
ACCESS_STARTS: Final = Starts((*spelled(dict.fromkeys((*_ACCESS, *words(PASSWORD)))), *literal((" / ",))))


def strong_words(line: str) -> Iterator[SecretSpan]:
    """Yield the words that can only be passwords, on lines about a password, an account or an access."""
    if not is_prose(line):
        return
    about_password = PASSWORD_LABEL.search(line) is not None
    if NO_SECRET_LABEL.search(line) and not about_password:
        return
    for match in STRONG.finditer(line):
        if "://" in line[: match.start()].rpartition(" ")[2] or _NOT_STRONG.search(match.group("value")):
            continue
        ends_sentence = not about_password and not line[match.end() :].strip("\"'`)*_. ")
        bare = _without_end(match.group("value"), ends_sentence=ends_sentence)
        if STRONG.fullmatch(bare) and _is_strong(bare):
            yield SecretSpan(match.start(), match.start() + len(bare), "password", "PASSWORD")


def _without_end(value: str, *, ends_sentence: bool) -> str:
    """Return a word without the marks of its sentence."""
    if ends_sentence and not _ENDS_WITH_MARK.fullmatch(value):
        return value.rstrip("!?.*")
    return value if ends_sentence else value.rstrip("*?.")


_NOT_STRONG: Final = re.compile(
    r"%[0-9A-F]{2}|\A\w+#\d{1,5}\Z|\A[\w-]+\?[\w=&-]*\Z|\A[\d.,]+%|\$\d|\*\*"
    r"|&(?:#|amp|lt|gt|quot)"
)
"""Escapes of addresses, handles such as `ada#1843`, queries and percentages."""
_ENDS_WITH_MARK: Final = re.compile(
    r"[A-Z][a-z]{2,16}(?:19|20)\d\d!|(?=[^!]*[a-z])(?=[^!]*[A-Z]{2})(?=(?:[^!\d]*\d){2})[A-Za-z0-9]{8,20}!"
)
"""Passwords that end with the mark which otherwise ends a sentence."""


def _is_strong(value: str) -> bool:
    return (
        len(value) >= 7
        and is_password(value, ends_line=True, quoted=True)
        and not is_name_in_code(value)
        and "://" not in value
        and re.search(r"[A-Za-z]\W?\d|\d\W?[A-Za-z]|[A-Za-z].*\d", value) is not None
        and re.match(r"(?:&\w+;|\d+[%$]|[\w-]+\?\w*|%\d|[A-Z]?\d?\$)", value) is None
    )


_OPENS: Final = (
    r"(?:un)?lock(?:s|ed)?|decrypt(?:s|ed)?|open(?:s|ed)?|encrypted|protected|log(?:s|ged)?[ ]?in(?:to)?"
    r"|connect(?:s|ed)?"
    r"|join(?:s|ed)?|entsperr\w*|entschlüssel\w*|öffne\w*|déverrouill\w*|déchiffr\w*|ouvr\w*|desbloque\w*"
    r"|descifr\w*|abr[ei]\w*|sblocc\w*|apr[ei]\w*"
)
_WITH: Final = (
    r"with|using|via|by[ ](?:typing|entering|saying)|type|enter|use|say|is|mit|avec|con|com|per|met|:|=|→|->"
)
_UNLOCKED: Final = LazyRegex(
    rf"\b(?:{_OPENS})\b[^\n]{{0,48}}?(?:\b(?:{_WITH})(?![\w])|[:=→])[ ]{{1,2}}(?:the[ ]|word[ ]|phrase[ ]"
    rf"|password[ ]|passphrase[ ]){{0,3}}"
    r"(?:(?P<quote>[\"'`“«„])(?P<quoted>[^\"'`“”«»\n]{4,80})[\"'`”»]|(?P<value>[^\s\"'`,;|<>]{6,80}))",
    re.IGNORECASE,
)
_SAID: Final = LazyRegex(
    r"\b(?:phrase|words?|sentence|passphrase"
    r"|challenge)\b[^\n\"“«„]{0,24}[\"“«„](?P<quoted>[^\"“”«»\n]{8,80})[\"”»]",
    re.IGNORECASE,
)
OPEN_STARTS: Final = Starts(
    literal(
        (
            *(
                "lock",
                "decrypt",
                "open",
                "encrypted",
                "protected",
                "log",
                "connect",
                "join",
                "phrase",
                "word",
            ),
            *(
                "entsperr",
                "entschlüssel",
                "öffne",
                "déverrouill",
                "déchiffr",
                "ouvr",
                "desbloque",
                "descifr",
                "abre",
            ),
            *(
                "frase",
                "фраз",
                "fraz",
                "satz",
                "zin",
                "语",
                "語",
                "フレーズ",
                "문구",
                "암호",
                "合言葉",
                "asks",
            ),
            *("abri", "sblocc", "apri", "apre", "sentence", "challenge"),
        )
    )
)


def unlocking(line: str) -> Iterator[SecretSpan]:
    """Yield what unlocks a file, disk or network by a sentence: `unlock it with "four odd small words"`."""
    if not is_prose(line):
        return
    for match in _SAID.finditer(line) if _GUARDS.search(line) else ():
        if _is_phrase(match.group("quoted")):
            yield SecretSpan(*match.span("quoted"), "password", "PASSPHRASE")
    for match in _UNLOCKED.finditer(line):
        yield from _unlocked(match)


def _unlocked(match: re.Match[str]) -> Iterator[SecretSpan]:
    quoted, start = match.group("quoted"), match.start("value")
    if quoted:
        if _is_mixed(quoted) or (_is_phrase(quoted) and _GUARDS.search(match.group())):
            yield SecretSpan(*match.span("quoted"), "password", "PASSPHRASE")
        return
    value = match.group("value").rstrip(".)]*_!?")
    if _is_mixed(value):
        yield SecretSpan(start, start + len(value), "password", "PASSWORD")


_GUARDS: Final = LazyRegex(
    r"unlock|decrypt|verif|secur|secret|identity|alarm|\bsafe\b|vault|entsperr|entschlüssel|déverrouill"
    r"|déchiffr|desbloque"
    r"|descifr|sblocc",
    re.IGNORECASE,
)


def _is_phrase(text: str) -> bool:
    return is_passphrase(text, quoted=True) and text == text.lower() and "," not in text


def _is_mixed(value: str) -> bool:
    """Return whether a word has letters and at least two digits as passwords have, and is no name."""
    return (
        is_unmistakable_password(value)
        and len(re.findall(r"\d", value)) >= 2
        and is_password(value, ends_line=True, quoted=False)
        and not is_reference(value)
        and not is_placeholder(value)
        and not is_name_in_code(value)
        and re.fullmatch(
            r"[A-Za-z]{1,3}[-_]?\d+|[A-Z]+-\d+|\w+@\w.*|\d+\w{1,3}|[\w.-]*:\d+|[\w-]+(?:\.[\w-]+)+|v?\d[\d.]*\w*",
            value,
        )
        is None
    )


_DIGITS: Final = (
    r"(?P<value>[#*]?\d{4,8}[#*]?(?![\w%€$]|[-.,:/]\w)|\d{1,2}(?:-\d{1,2}){2,3}(?![-\w])"
    r"|\d(?:[ -]\d){3,7}(?![-\w]))"
)
_PRESSED: Final = LazyRegex(
    r"(?:\b(?:(?:opens?|unlocks?|öffnet|abre|s['’]ouvre|ouvre|apre|open|otwiera|открывается|відкривається"
    r"|açılır|geht[ ]auf"
    r"|disattiva|desactiva|désactive|entschärf\w*|deaktivier\w*|gaat[ ]open)(?:[ ]\w+){0,3}?[ ](?:with"
    r"|using|by|via|mit|con|com|avec|met|на|кодом)|wants|expects|(?:dis)?arm(?:s|ed|ing)?"
    r"|deactivate\w*|takes|enter|press|punch(?:[ ]in)?|type|dial"
    r"|key[ ]in|gets?[ ]in"
    r"|drück\w*|tipp\w*|eingeb\w*|composez|tapez|appuy\w*|marca\w*|pulsa\w*|tecle\w*|digit[aei]\w*|premi"
    r"|wciśnij|wpisz|toets\w*|набери\w*"
    r"|введи\w*|нажми\w*|наберіть|tuşla\w*|gir)\b|按|输入|輸入|押|入力|누르|입력)"
    rf"(?P<gap>[^\d\n.;,$#€£]{{0,24}}?){_DIGITS}",
    re.IGNORECASE,
)
_NOT_PRESSED: Final = LazyRegex(
    r"\b(?:at|um|à|from|until|till|by|before|after|since|in|line|page|port|room|for|ticket|order|year"
    r"|version|um|ab|bis|alle|las|los|às|alle)\b",
    re.IGNORECASE,
)
_PRESS_IN: Final = re.compile(r"\b(?:punch|key|type|dial|gets?)[ ]in\b", re.IGNORECASE)
_SET_TO: Final = LazyRegex(
    r"(?:\b(?:alarm|lock|padlock|lockbox|keypad|keybox|safe|gate|door|combination|combo|entry|entrance|panel|tresor"
    r"|\w*schloss|alarmanlage|haustür|schlüsselbox|cadenas|coffre|alarme|candado|caja|alarma|cofre|cadeado|lucchetto"
    r"|cassaforte|allarme|сейф|домофон|замок|kłódka|sejf|kluis|slot|hangslot|kasa"
    r"|kilit)\b[^\d\n.;]{0,24}?(?:\bis\b|\bset[ ]to\b|\?|:|=|[–—-])[ ]{0,2})"
    rf"{_DIGITS}(?=[ ](?:then|and|until|to|for|zum|bis|pour|para|per|для)\b|[ ]?[.,;)#*\"'`]|[ ]*\Z)",
    re.IGNORECASE,
)
_OTHER_NUMBER: Final = LazyRegex(
    r"\b(?:error|exit|status|http|sensor|order|invoice|ticket|issue|model|part|item|serial|tracking"
    r"|version|line|page|room|phone|tel"
    r"|zip|postal|price|costs?|volume|level|temperature|delay|timeout|port|size|width|height|count|total"
    r"|score|id|postleitzahl)\b",
    re.IGNORECASE,
)
"""Words of lines whose numbers are others."""

_SINGLE: Final = re.compile(r"(?<![\w-])(?P<value>\d(?:-\d){3,7})(?![-\w])")
_TURNED: Final = re.compile(
    r"(?P<value>(?:(?:\b[RLrl]|[右左]|\b(?:right|left|rechts"
    r"|links)[ ]?(?:to[ ])?)[ ]?\d{1,2}(?!\d)[ ,、;→-]{0,3}){3,6})"
)
_SPOKEN: Final = LazyRegex(
    r"\b(?P<value>(?:(?:zero|oh|one|two|three|four|five|six|seven|eight|nine)[ ,-]{1,2}){3,7}"
    r"(?:zero|oh|one|two|three|four|five|six|seven|eight|nine))\b",
    re.IGNORECASE,
)
_SHORT: Final = LazyRegex(
    r"\b(?:\w*lock|luggage|suitcase|\w*schloss|cadenas|candado|cadeado|lucchetto|замок|замка|kłódk\w"
    r"|hangslot|kilidi?)\b"
    r"(?:[ ](?!the\b|at\b|um\b|until\b|by\b|after\b)\w{1,12}){0,3}?(?:[ ]?[:=–—-]|[ ]is|[ ]ist|[ ]est"
    r"|[ ]es|[ ]è|[ ]é)?[ ]{1,2}"
    r"(?P<value>\d{3,8}|\d{1,2}(?:-\d{1,2}){2,3})(?=[ ]*(?:[.,;)]|\Z))",
    re.IGNORECASE,
)
_AT_DOOR: Final = LazyRegex(
    r"\b(?:(?:front|back|side|main|garden|garage|cellar|building|apartment|flat|office|street|outer|inner"
    r"|rear|basement)[ ](?:door|gate),?|lock ?box|key ?box|key ?safe|padlock)[ ]"
    r"(?P<value>[#*]?\d{4,6}[#*]?)(?=[ ]*(?:[.,;)]|\Z|[ ](?:behind|under|by|near|beside|next|then)\b))",
    re.IGNORECASE,
)
_DEVICE: Final = LazyRegex(
    r"\b(?:iphone|ipad|tablet)\b[ ]?[:=][ ]?(?P<value>\d{6}|\d{4})[ ]*\Z", re.IGNORECASE
)
_KEYED: Final = re.compile(
    r"(?:[:：=][ ]?|[^\x00-\x7f][ ])(?P<value>#\d{4,6}|\d{2,4}[#*]\d{0,4})(?=[ ]*(?:[.,;)。，]|\Z))"
)
_HASHED: Final = re.compile(r"(?<![\w.#*/-])(?P<value>[#*]?\d{4,8}[#*])(?![\w#*])")
ENTRY_STARTS: Final = Starts(
    (*spelled(words(PLACE), stems=True), *literal(("press", "get in", "gets in", "punch")))
)
ENTRY_DIGITS: Final = re.compile(
    r"\d{3}|\d[ -]\d[ -]\d[ -]\d|\d+\D{1,12}\d+\D{1,12}\d|\b[a-z]{3,5}[ ,-]{1,2}[a-z]{3,5}[ ,-]{1,2}", re.I
)


def entry_codes(line: str) -> Iterator[SecretSpan]:
    """Yield the digits that somebody presses at a door, an alarm or a lock, where no word says "code"."""
    if not is_prose(line):
        return
    for match in _PRESSED.finditer(line):
        if not _NOT_PRESSED.search(_PRESS_IN.sub("", match.group("gap"))) and _is_code(match.group("value")):
            yield _access_code(match)
    if _OTHER_NUMBER.search(line):
        return
    for form in (_SET_TO, _SINGLE, _TURNED, _SPOKEN, _HASHED, _SHORT, _AT_DOOR, _DEVICE, _KEYED):
        for match in form.finditer(line):
            if _is_code(match.group("value")) or form in (_TURNED, _SPOKEN, _SHORT, _AT_DOOR):
                yield _access_code(match)


def _access_code(match: re.Match[str]) -> SecretSpan:
    value = match.group("value").rstrip(" ,、;→-")
    return SecretSpan(match.start("value"), match.start("value") + len(value), "access code", "ACCESS_CODE")


def _is_code(value: str) -> bool:
    digits = value.strip("#*")
    return is_pin(digits) and not re.fullmatch(r"(?:19|20)\d\d", digits)


def near_entry(line: str) -> bool:
    """Return whether a line speaks of a door, an alarm or a lock."""
    return ENTRY_STARTS.search(lowered(line)) is not None
