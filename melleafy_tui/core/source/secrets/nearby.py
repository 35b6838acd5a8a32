"""Finds odd words anywhere on a line that speaks of a password, a login or a wireless network."""

import re
from collections.abc import Iterator
from typing import Final

from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.source.secrets.fields import NO_SECRET_LABEL, SPEAKS_OF_IT
from melleafy_tui.core.source.secrets.labels import (
    LOGINS,
    NEAR_PASSWORD,
    PASSWORD,
    PLAIN_USERS,
    ROUTERS,
    WIFI,
    Starts,
    literal,
    pattern,
    words,
)
from melleafy_tui.core.source.secrets.odd_words import (
    SERVICE_NAMES,
    WORD,
    is_joined,
    is_loose,
    is_odd,
    is_strong,
    trimmed,
)
from melleafy_tui.core.source.secrets.spans import SecretSpan
from melleafy_tui.core.source.secrets.values import is_code_word, is_lone_word, is_prose

_PASSWORDS: Final = tuple(word for word in (*words(PASSWORD), *NEAR_PASSWORD.split("|")) if word != "pass")
_LABEL: Final = LazyRegex(
    rf"(?<!\d)(?:{pattern(_PASSWORDS)})[^\W\d_]{{0,6}}"
    r"|(?<![\w-])(?-i:pass)(?=[:= ])(?![ ](?:the|an?|it|on|in|to|through|by|as|over|your|this|that|all|only|if|--?)\b)",
    re.IGNORECASE,
)
FARTHEST_BEFORE: Final = 90
FARTHEST_AFTER: Final = 60
FARTHEST_JOINED: Final = 30
LONGEST_NOTE: Final = 300
"""Characters of a line that is a note about a password; longer ones tell something."""

_OF_A_USER: Final = re.compile(
    r"(?:user(?:name)?|login|usuario|benutzer|account|host|server|sheet|doc|document|folder|page|ssid|network"
    r"|netz(?:werk)?|file|archive"
    r"|version|model|repo|branch|domain|bucket|ssh|scp|[\w-]*id)[\"']?[ ]?(?:[:=]{1,2}|is\b|[是はé])?[ ]?[\"'`“]?\Z",
    re.IGNORECASE,
)
_IS_A_USER: Final = re.compile(r"[\"'`]?[ ]{0,2}[/／][ ]{0,2}[\"'`]?[^\s\"'`]{5}")
_GIVES: Final = LazyRegex(
    r"(?:['’]s|\b(?:is|are|now|es|est|ist|è|é|heißt|lautet|jetzt|ahora|agora|adesso|ora|maintenant|jest|to|nu"
    r"|artık|a|à|au|em|auf|in|na|naar|por|para|was|were|war|era|était|był|было|був|oldu"
    r"|think|reads|says|namely|теперь|тепер|teraz|again)|[:：=→>-]|は|为|為|是|成|到|는|은)[ ]{1,2}[\"'`*“「]{0,2}\Z",
    re.IGNORECASE,
)


def odd_words(line: str) -> Iterator[SecretSpan]:
    """Yield the odd words near a word for passwords, and plainer ones where the sentence gives them."""
    if len(line) > LONGEST_NOTE or not is_prose(line):
        return
    labels = [match.span() for match in _LABEL.finditer(line)]
    for match in WORD.finditer(line):
        start, value = match.start("value"), trimmed(match.group("value"))
        end = start + len(value)
        if _OF_A_USER.search(line, max(0, start - 24), start) or _IS_A_USER.match(line, end):
            continue
        label = max((span for span in labels if span[1] <= start), default=None)
        behind = min(
            (first for first, _ in labels if first >= end), default=2 * len(line) + FARTHEST_AFTER + 1
        )
        near = label is not None and start - label[1] <= FARTHEST_BEFORE
        if (
            ((near or behind - end <= FARTHEST_AFTER) and is_odd(value))
            or (near and label and _is_given(line, label, start, value))
            or (_AS.fullmatch(line[end:behind]) and is_loose(value))
        ):
            yield SecretSpan(start, end, "password", "PASSWORD")


_AS: Final = re.compile(
    r"[\"'`”»]{0,2}[ ](?:as|als|como|comme|come|jako|как|як|olarak)[ ](?:(?:the|its|a|das|la|el|il|le|o"
    r"|[^\W\d_]{3,10})[ ]){0,2}"
    r"|[ ]at the prompt[;,] that['’]s (?:its|the) "
)
_IN_PAIR: Final = LazyRegex(
    rf"{pattern([*LOGINS.split('|'), *WIFI.split('|'), 'ssid'])}|\b(?:user|id|nutzer|gast|guest|admin|root|login"
    rf"|logi?n)\b",
    re.IGNORECASE,
)


def _is_given(line: str, label: tuple[int, int], start: int, value: str) -> bool:
    """Return whether a word ends the sentence, list or bracket, and stands close to the label or after a verb."""
    rest = line[start + len(value) :].strip(" !*_`\"'”’»)）")
    ends = rest.strip(".") == ""
    if not ends and not rest.startswith(_STOPS):
        return False
    gap = line[label[1] : start]
    if SPEAKS_OF_IT.search(gap) or NO_SECRET_LABEL.search(gap):
        return False
    gives = _GIVES.search(gap) is not None
    close = start - label[1] <= FARTHEST_JOINED
    numbered = is_loose(value) and re.search(r"\d", value) is not None
    if line[label[0] : label[1]] == "pass":
        return numbered and close
    if is_joined(value) or (gives and is_loose(value)) or (numbered and ends):
        return close or gives
    if not ends or "|" in gap or not _is_word(value):
        return False
    said = _SAYS.search(gap)
    if said and is_lone_word(value, states=said.group("state") is not None):
        return True
    if line[label[0] : label[1]].isascii() and not is_lone_word(value):
        return False
    adjacent = not gap.strip(" \"'`“「")
    foreign = (
        not line[label[0] : label[1]].isascii()
        and value.isascii()
        and not _LATIN.search(line[label[0] : label[1]])
    )
    return adjacent and value == value.lower() and (foreign or _IN_PAIR.search(line[: label[0]]) is not None)


_SAYS: Final = LazyRegex(
    r"[ ](?:(?P<state>is|are|es|est|è|é|ist|jest|is[ ]now|['’]s)|lautet|heißt|reads|brzmi"
    r"|luidt)[ ]{1,2}[\"'`*“「]{0,2}\Z",
    re.IGNORECASE,
)


def _is_word(value: str) -> bool:
    return (
        is_lone_word(value, states=False) and not is_code_word(value) and value.lower() not in SERVICE_NAMES
    )


_STOPS: Final = (",", "，", "；", ";", "。", "に", "で", "だ", "です", "了", ". ", "—", "–")
_LATIN: Final = re.compile("[a-zA-Zà-žÀ-Ž]")


_WIRELESS: Final = tuple(
    word
    for word in (*WIFI.split("|"), *ROUTERS.split("|"))
    if word not in ("network", "netz", "网络", "網路", "router", "ruter", "wireless", "ghz", "modem")
)
_ON_WIFI: Final = LazyRegex(pattern(_WIRELESS), re.IGNORECASE)
_WIFI_NUMBER: Final = re.compile(
    r"(?<![\w.,:/+#-])(?P<value>[1-9]\d{7,19}|[0-9A-F]{8,26}|[0-9a-f]{10,26})(?![\w.,:/-])"
)
_NO_WIFI_VALUE: Final = LazyRegex(
    r"\b(?:call|tel|hotline|contract|customer|serial|order|invoice|mac|ip|firmware|version|channel|imei|sn|s/n|build|id"
    r"|number is|kundennummer|vertrag|téléphone|teléfono|telefone|telefono|телефон|numer)\b|电话|電話|전화",
    re.IGNORECASE,
)
_WIFI_LAST: Final = LazyRegex(
    r"(?:[,;、，][ ]?(?:(?:the[ ])?(?:key|pass\w*|pw|schlüssel|clé|chiave|clave|chave|sleutel|klucz|ключ"
    r"|anahtar)[ :=]{1,3})?"
    r"|[ ](?:key|sleutel|schlüssel|clé|chiave|clave|chave|klucz|ключ|anahtar|with|mit|avec|con|com|met|z|с"
    r"|із)[ :=]{1,3}"
    r"|[:：=][ ]?|[ ][/–—-][ ])[\"'`]?(?P<value>[^\s,;:、，。()\"'`/]{8,63})[\"'`]?[ .]*\Z",
    re.IGNORECASE,
)


def wifi_words(line: str) -> Iterator[SecretSpan]:
    """Yield the odd words and long numbers on a note about a wireless network, and the last word of a list."""
    if (
        len(line) > LONGEST_NOTE
        or not is_prose(line)
        or NO_SECRET_LABEL.search(line)
        or _NO_WIFI_VALUE.search(line)
    ):
        return
    label = next(iter(_ON_WIFI.finditer(line)), None)
    if label is None:
        return
    for match in (*_WIFI_NUMBER.finditer(line), *WORD.finditer(line)):
        start, value = match.start("value"), trimmed(match.group("value"))
        last = not line[start + len(value) :].strip(" .!*_`\"'”’»)）")
        number = match.re is _WIFI_NUMBER and (
            value.isdecimal() or (re.search(r"\d", value) and re.search("[A-Fa-f]", value))
        )
        if (
            abs(start - label.end()) <= FARTHEST_BEFORE
            and not _OF_A_USER.search(line, max(0, start - 24), start)
            and (number or (last and start >= label.end() and len(value) >= 8 and _is_last_of_wifi(value)))
        ):
            yield SecretSpan(start, start + len(value), "password", "WIFI_PASSWORD")
    listed = _WIFI_LAST.search(line)
    if listed and listed.start() >= label.start() and _is_wifi_word(listed.group("value")):
        yield SecretSpan(*listed.span("value"), "password", "WIFI_PASSWORD")


def _is_last_of_wifi(value: str) -> bool:
    """Return whether the last word of a note on a network is odd, or a plainer one with two digits."""
    return is_odd(value) or (
        is_loose(value) and re.search(r"\d\d", value) is not None and "fritz" not in value.lower()
    )


def _is_wifi_word(value: str) -> bool:
    return is_loose(value) or (value.islower() and is_lone_word(value))


_USER: Final = r"[\w.@+%-]{2,60}"
_SECOND: Final = LazyRegex(
    rf"(?:(?<![^\s\"'`(（:：]){_USER}[\"'`]?[ ]?(?:/{{1,2}}|／|[ ][–—|·-])[ ]{{1,2}}"
    rf"|(?<![^\s\"'`(（:：])(?P<tight>{_USER})[/:／](?=\S)"
    rf"|{_USER},?[ ](?:then|and|with|und|mit|y|con|e|com|et|avec|en|met|i|z|и|с|та|з|ve|ile|plus)[ ]{{1,2}}"
    rf"|{_USER}[,，、][ ]?)"
    r"[\"'`]?(?P<value>[^\s\"'`“”,;，。()（）|<>{}]{6,64})",
    re.IGNORECASE,
)
_UP: Final = LazyRegex(
    r"(?<![\w])u(?:ser)?[ ]?[:=][ ]?\S{2,60}[ ,;/|]{1,4}p(?:w|ass)?[ ]?[:=][ ]?[\"'`]?(?P<value>[^\s\"'`]{6,64})",
    re.IGNORECASE,
)
_PLAIN_USER: Final = LazyRegex(
    rf"(?<![\w/.:#@-])[\"'`]?(?P<user>{PLAIN_USERS}|ospite|invitado|convidado|invité|гость"
    rf"|misafir)[\"'`]?(?:[ ]?/[ ]?|:|[ ](?:and|with|und|mit|y|con|e|com|et|avec|en"
    rf"|met|i|z|и|с|та|з|ve)[ ])"
    r"[\"'`]?(?P<value>[^\s\"'`“”,;:/|<>{}()]{5,40})[\"'`]?[ .!)]*\Z",
    re.IGNORECASE,
)
_AS_USER: Final = LazyRegex(
    r"\b(?:log|sign)(?:s|ged|ged)?[ ]?(?:in|on|into)\b[^\n]{0,40}?\bas[ ][\w.@-]{2,40}[ ](?:with|using|and"
    r"|/)[ ][\"'`]?(?P<value>[^\s\"'`“”,;/|<>{}()]{5,40})[\"'`]?[ .!)]*\Z",
    re.IGNORECASE,
)
_WORKS: Final = LazyRegex(
    r"(?<![\w/.:#@-])(?:root|admin|guest|demo|gast|invitado|convidado|ospite"
    r"|gość)/(?P<value>[a-z][\w.!-]{5,30})(?=[ ](?:works|for|on|at|to|gets|still|geht|funktioniert|auf|bei|en|para"
    r"|sur|su|na)\b)",
    re.IGNORECASE,
)


def login_words(line: str) -> Iterator[SecretSpan]:
    """Yield the second halves of pairs on a note about a login or an account."""
    if len(line) > LONGEST_NOTE or not is_prose(line):
        return
    for form in (_UP, _WORKS, _PLAIN_USER, _AS_USER):
        for match in form.finditer(line):
            value = trimmed(match.group("value"))
            user = match.groupdict().get("user") or ""
            plain = is_lone_word(value) and _is_word(value) and (form is not _PLAIN_USER or user in _PLAINEST)
            if is_loose(value) or (form is not _UP and plain):
                yield SecretSpan(
                    match.start("value"), match.start("value") + len(value), "password", "PASSWORD"
                )
    if not _LOGIN.search(line) or NO_SECRET_LABEL.search(line):
        return
    told = _TOLD_PAIR.search(line)
    if told and is_lone_word(told.group("value")) and _is_word(told.group("value")):
        yield SecretSpan(*told.span("value"), "password", "PASSWORD")
    for match in _SECOND.finditer(line):
        value = trimmed(match.group("value"))
        start = match.start("value")
        last = not line[start + len(value) :].strip(" .!*_`\"'”’»)）")
        if "://" in line[max(0, match.start() - 8) : start] or "/" in value or re.match(r"\w+@\w+\.", value):
            continue
        pair = last and match.group("tight") is None and line.count(",") < MOST_COMMAS
        if (is_strong(value) and (match.group("tight") is None or _MIXED.search(value))) or (
            pair
            and (
                is_odd(value)
                or (is_loose(value) and _SLASH.search(match.group()))
                or (_OF_ID.search(match.group()) and _is_word(value))
                or (is_joined(value) and not _HYPHENS.fullmatch(value))
            )
        ):
            yield SecretSpan(start, start + len(value), "password", "PASSWORD")


_GUESTS: Final = ("ospite", "invitado", "convidado", "invité", "гость", "misafir")
_PLAINEST: Final = frozenset(
    ("admin", "root", "guest", "pi", "gast", "administrator", "kodi", "Admin", "Guest", *_GUESTS)
)
_TOLD_PAIR: Final = LazyRegex(
    r"(?:[:：]|\b(?:ist|is|est|es|è|é|mit|with|con|com|avec|jest"
    r"|z))[ ]{1,2}[\w.@-]{2,40}[ ][/／][ ](?P<value>[^\W\d_]{5,24})[ .]*\Z",
    re.IGNORECASE,
)
_OF_ID: Final = re.compile(r"\A(?=[^/／]*[\d@.])[^/／]{2,60}[/／]")
_SLASH: Final = re.compile(r"[/／][ ]")
_MIXED: Final = re.compile(r"[A-Z].*\d|\d.*[A-Z]|[!#$%&*+?^~]")
MOST_COMMAS: Final = 3
_HYPHENS: Final = re.compile(r"[a-z]+-[a-z]+|[A-Z][a-z]+-[A-Z][a-z]+")
_LOGIN: Final = LazyRegex(rf"(?<![A-Za-zÀ-ӿ])(?:{pattern(LOGINS.split('|'))})", re.IGNORECASE)
_REPEATED: Final = LazyRegex(
    r"(?<![\w/.#=-])(?P<one>(?:[a-z0-9]{4,6}-[a-z0-9]{4,6}|[A-Z0-9]{4,6}-[A-Z0-9]{4,6}|[a-z0-9]{8,12}"
    r"|[A-Z0-9]{8,12}|\d{3,4}[ ]\d{3,4}|\d{6,8}))"
    r"(?:(?:[ ]?[,;/|·、，][ ]?|[ ](?:or|and|oder|und|o|y|ou|et|e|i|и|en|of|ve|と|或)[ ]"
    r"|[ ]{1,2})[\w-]{3,13}(?:[ ]\d{3,4})?(?![\w/.-])){1,15}"
)
_OF_CODES: Final = LazyRegex(
    r"codes?\b|códigos?|codici|kod[yiów]\b|kodlar|коды|кодов|коди|コード|코드|代码|代碼|[码碼]|2fa|mfa|discord|recover|backup"
    r"|lose my"
    r"|lost my|spare"
    r"|rescue|emergency|accepts|one-time|notfall|ersatz|secours|respaldo|reserva|riserva|запасн|резерв|zapas|nood"
    r"|reserve|yedek",
    re.IGNORECASE,
)
CODE_WORDS: Final = Starts(
    literal(
        (
            "code",
            "códig",
            "codic",
            "kod",
            "код",
            "コード",
            "코드",
            "代码",
            "代碼",
            "码",
            "碼",
            "2fa",
            "discord",
            "mfa",
            "recover",
            "lose my",
            "lost my",
            "spare",
            "rescue",
            "accepts",
            "one-time",
            "notfall",
            "ersatz",
            "secours",
            "respaldo",
            "reserv",
            "riserva",
            "запасн",
            "резерв",
            "zapas",
            "nood",
            "yedek",
        )
    )
)
CODE_LISTS: Final = re.compile(
    r"(?=[a-z-]{0,5}\d)[a-z0-9]{4,6}-[a-z0-9]{4,6}|(?=[A-Z-]{0,5}\d)[A-Z0-9]{4,6}-[A-Z0-9]{4,6}"
    r"|\d{6}\W{1,4}\d{6}|[a-z0-9]{8,12}\W{1,4}[a-z0-9]{8}|[A-Z0-9]{8,12}\W{1,4}[A-Z0-9]{8}|\d{4} \d{4}\W"
)
_ONE_CODE: Final = re.compile(r"[A-Za-z0-9]{4,6}-[A-Za-z0-9]{4,6}|\d{3,4}[ ]\d{3,4}|[A-Za-z0-9]{6,12}")


def repeated_codes(line: str) -> Iterator[SecretSpan]:
    """Yield the codes of a list of codes that have one form, on a line that speaks of codes."""
    if len(line) > LONGEST_NOTE or not is_prose(line) or not _OF_CODES.search(line):
        return
    for match in _REPEATED.finditer(line):
        codes = list(_ONE_CODE.finditer(line, match.start(), match.end()))
        shapes = {_shape(code.group()) for code in codes}
        if len(codes) < 2 or len(shapes) > 1 or not any(re.search(r"\d", code.group()) for code in codes):
            continue
        digits = sum(bool(re.search(r"\d", code.group())) for code in codes)
        if (
            digits < 2
            or digits * 2 < len(codes)
            or any(re.fullmatch(r"(?:19|20)\d{6}|[a-z]{3,6}-\d+", code.group()) for code in codes)
        ):
            continue
        for code in codes:
            if not re.search(r"[\d-]", code.group()):
                continue
            yield SecretSpan(*code.span(), "recovery code", "RECOVERY_CODE")


def _shape(code: str) -> tuple[int, ...]:
    return tuple(map(len, re.split("[ -]", code)))
