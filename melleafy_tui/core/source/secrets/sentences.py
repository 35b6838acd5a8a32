"""Finds passwords in sentences: "changed the password to X", "use X as the password", "the password (X) ..."."""

import re
from collections.abc import Iterator
from typing import Final

from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.source.secrets.fields import NO_SECRET_LABEL, ON_WIFI, SPEAKS_OF_IT
from melleafy_tui.core.source.secrets.labels import PASSWORD, PIN, Starts, lowered, pattern, spelled, words
from melleafy_tui.core.source.secrets.spans import SecretSpan
from melleafy_tui.core.source.secrets.values import (
    is_mixed,
    is_name_in_code,
    is_pin,
    is_prose,
    is_said_phrase,
)

_PASSWORDS: Final = tuple(word for word in words(PASSWORD) if word != "pass")  # mostly the verb
PASSWORD_STARTS: Final = Starts(spelled(_PASSWORDS))
_LABEL: Final = rf"(?:{pattern(_PASSWORDS)})[a-zà-žа-яёіїєґ]{{0,5}}"
_QUOTED: Final = (
    r"[\"“„«‘「『`](?P<quoted>[^\"“”„«»‘’「」『』`\n]{4,80})[\"“”»’」』`]|'(?P<single>[^'\n]{4,80})'(?!\w)"
)
_PLAIN: Final = r"(?=\S{0,40}[\d!@#$%^&*+=?~])(?P<value>[^\s\"'`“”„«»「」『』|<>(){}，。；、,;]{5,80})"

_CHANGE: Final = (
    r"chang|reset|switch|set|updat|rotat|new|renam|geändert|änder|gesetzt|stell|cambi|mud|alter|modifi|chang|troqu"
    r"|impost|поменя|смени|измени|постав|змін|zmieni|ustawi|veranderd|gewijzigd|wijzig|ingesteld|değiş|変"
    r"|設定|바꿔|바꿨|변경"
)
_CHANGED: Final = LazyRegex(
    rf"{_LABEL}(?P<gap>[^.;!?:\n\"“„«]{{0,60}}?)[ ](?:to|as|auf|in|zu|a|à|para|en|por|como|na|на|naar)"
    rf"[ ]{{1,2}}(?:\*\*)?(?:{_QUOTED}|{_PLAIN})",
    re.IGNORECASE,
)
_CHANGES: Final = LazyRegex(_CHANGE, re.IGNORECASE)
_BESIDE: Final = LazyRegex(
    rf"{_LABEL}(?P<gap>(?:[ \t][^\W\d_](?:[^\W\d_]|['’-]){{0,14}}){{0,4}}?)"
    rf"[ \t]{{0,2}}(?:[(（,，、]|[-–—]{{1,2}}[ ]|[ ])[ \t]{{0,2}}(?:\*\*)?(?:{_QUOTED}|{_PLAIN})",
    re.IGNORECASE,
)
_LATER: Final = LazyRegex(
    rf"{_LABEL}(?P<gap>[^\n\"“„«|=]{{0,70}}?)[ ](?:it['’]s|it[ ]is|now|new[ ]one|sadly|namely|type|use"
    rf"|enter|try|say|tippe|gib|jetzt|nämlich|ahora|agora|maintenant"
    rf"|adesso|ora|теперь|тепер|teraz|nu|artık)[:]?[ ]{{1,2}}(?:\*\*)?(?:{_QUOTED}|{_PLAIN})",
    re.IGNORECASE,
)
_OPENS_WITH: Final = LazyRegex(
    r"\b(?:opens?|unlocks?|decrypts?|öffne\w*|abre\w*|ouvr\w*|apr[ei]\w*)\b[^\n.;]{0,24}?\b(?:with|mit"
    r"|con|com|avec)[ ]"
    r"(?P<value>\d{4,12}|(?=\S*\d)[^\s\"'`(),;]{6,60})",
    re.IGNORECASE,
)
_AS_PASSWORD: Final = LazyRegex(
    rf"(?<![\w/.#-])(?:{_QUOTED}|{_PLAIN})[ ](?:as|als|como|comme|come|como|jako|как|як|is|ist|es|est|è|é|for|für)[ ]"
    rf"(?:(?:the|your|our|my|its|a|das|dein|unser|la|le|il|el|mon|ma|mi|o|het|[^\W\d_]{{3,12}})[ ]){{0,3}}{_LABEL}"
    r"(?![\w-])",
    re.IGNORECASE,
)
_CJK_QUOTED: Final = LazyRegex(
    rf"{_LABEL}[はをがの은는이가을를是为為：: ]{{0,4}}[「『“\"](?P<quoted>[^「」『』“”\"\n]{{4,60}})[」』”\"]",
    re.IGNORECASE,
)
_DIGITS: Final = LazyRegex(
    rf"(?P<label>{_LABEL}|(?:{pattern(words(PIN))})\w{{0,4}})(?P<gap>(?:[ \t][^\W\d_]{{1,14}}){{0,2}})[ \t:：]{{0,3}}"
    r"(?P<value>[#*]?\d{4,26}[#*]?)(?=[ \t]*(?:[.,;)。，；、（(|]|\Z)|[^\x00-\x7f])",
    re.IGNORECASE,
)
_PREPOSITION: Final = LazyRegex(
    r"\b(?:for|of|on|to|at|in|from|with|by|and|or|user|account|host|server|für|von|auf|bei|mit|und|oder|pour|de|du|sur"
    r"|para|del|per|di|su|для|на|в|от|до|dla|w|na|do|voor|van|op|file|step|version|type|e|y|et|rule|via)[ \t]*\Z",
    re.IGNORECASE,
)


def sentences(line: str) -> Iterator[SecretSpan]:
    """Yield the passwords that a sentence about a password gives."""
    if not is_prose(line) or "/" in line[:1]:
        return
    lower = lowered(line)
    for start in PASSWORD_STARTS.finditer(lower):
        at = start.start()
        for form, changes in ((_CHANGED, True), (_BESIDE, False), (_LATER, False)):
            match = form.match(line, at)
            if match is None or (changes and not _CHANGES.search(line[max(0, at - 60) : match.end() + 24])):
                continue
            if form is _LATER:
                yield from _given(line, match, changes=True)
                continue
            if _is_talk(match.group("gap")) or (not changes and _PREPOSITION.search(match.group("gap"))):
                continue
            yield from _given(line, match, changes)
    for match in _AS_PASSWORD.finditer(line):
        yield from _given(line, match, changes=False)
    for match in _CJK_QUOTED.finditer(line):
        if is_said_phrase(match.group("quoted")) or is_mixed(match.group("quoted")):
            yield SecretSpan(*match.span("quoted"), "password", "PASSWORD")
    for match in _OPENS_WITH.finditer(line):
        if is_pin(match.group("value")) or is_mixed(match.group("value")):
            yield SecretSpan(*match.span("value"), "password", "PASSWORD")
    yield from _numbers(line)


def _is_talk(gap: str) -> bool:
    return bool(SPEAKS_OF_IT.search(gap) or NO_SECRET_LABEL.search(gap))


def _given(line: str, match: re.Match[str], changes: bool) -> Iterator[SecretSpan]:
    """Yield the value of a match when only a password can look like it."""
    for name in ("quoted", "single"):
        text = match.group(name)
        if text is not None:
            if is_mixed(text) or is_said_phrase(text):
                yield SecretSpan(*match.span(name), "password", "PASSWORD")
            return
    start, value = match.start("value"), match.group("value")
    ends = not line[match.end() :].strip(" .!?*_`)")
    bare = value.rstrip(".)]*_?:") if not changes else value.rstrip(".)]*_?")
    if bare.endswith("!") and not ends:
        bare = bare.rstrip("!")
    if is_mixed(bare) and not is_name_in_code(bare) and "://" not in bare:
        yield SecretSpan(start, start + len(bare), "password", "PASSWORD")


def _numbers(line: str) -> Iterator[SecretSpan]:
    """Yield the digits directly after a label of another language than English, or on a line about a network."""
    for match in _DIGITS.finditer(line):
        digits = match.group("value").strip("#*")
        label = match.group("label")
        on_wifi = len(digits) >= 8 and ON_WIFI.search(line)
        on_device = _DEVICES.search(line[max(0, match.start() - 24) : match.start()])
        if (label.isascii() and not (on_wifi or on_device) and not _LATIN.search(label)) or _is_talk(
            match.group("gap")
        ):
            continue
        if (is_pin(digits) or on_wifi) and not re.fullmatch(r"(?:19|20)\d\d", digits):
            yield SecretSpan(*match.span("value"), "access code", "ACCESS_CODE")


_DEVICES: Final = LazyRegex(
    r"voicemail|phone|mobile|card|bank|alarm|safe|door|gate|locker|mailbox|tablet", re.IGNORECASE
)
_LATIN: Final = LazyRegex(
    r"passwort|kennwort|wachtwoord|contrase|senha|haslo|sifre|parola|clave|mdp|mot de passe", re.IGNORECASE
)
