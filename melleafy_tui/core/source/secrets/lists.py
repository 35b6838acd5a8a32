"""Finds secrets by the lines around them: below a heading that announces codes or passwords, and beside their like."""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Final

from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.source.secrets.fields import NO_SECRET_LABEL, SPEAKS_OF_IT
from melleafy_tui.core.source.secrets.locks import LOCK_VALUE, PIN, is_lock_code, names_lock
from melleafy_tui.core.source.secrets.odd_words import is_joined, is_odd, trimmed
from melleafy_tui.core.source.secrets.spans import SecretSpan
from melleafy_tui.core.source.secrets.values import (
    is_lone_word,
    is_name_in_code,
    is_password,
    is_placeholder,
    is_prose,
    is_reference,
)

MOST_ITEMS: Final = 24
LONGEST_HEADING: Final = 90
LONGEST_ITEM: Final = 160
_LINE: Final = re.compile(r"[^\r\n]+")
_BULLET: Final = r"[ \t>]*(?:[-*+•·][ \t]+|\d{1,2}[.)][ \t]+|\[[ x]\][ ]?)?"
_ITEM: Final = LazyRegex(
    rf"(?P<bullet>{_BULLET})[*_`\"']{{0,2}}(?P<name>[^\s:：=→|`\"'][^\n:：=→|`\"']{{0,48}}?)[*_`\"']{{0,2}}[ \t]*"
    r"(?P<sign>[:：=→|]|->|=>|[ ][–—-](?=[ ]))[ \t]*[*_]{0,2}[`\"'“«「]?"
    r"(?P<value>[^\s`\"'“”«»「」|][^\n`\"'“”«»「」|]{2,80}?)[`\"'”»」]?[*_]{0,2}[ \t|.;,]*(?:[(（#][^\n]{0,60})?\Z"
)
_CODE_ITEM: Final = re.compile(
    rf"(?P<bullet>{_BULLET})(?P<name>[^\W\d_][^\d\n:,;.]{{1,32}})[ ](?P<value>[#*]?\d{{3,8}}[#*]?)[ \t]*\Z"
)
_PAIR: Final = LazyRegex(r"(?P<user>[^\s/|,]{2,60})(?:[ ]?[/|,:][ ]?|[ ][–—-][ ])(?P<value>[^\s/|,]{5,60})\Z")
_ABOUT_CODES: Final = LazyRegex(
    r"\b(?:codes?|combinations?|pins?|keypads?|códigos?|codici|coduri|kody|kodlar|кодов|коды|коди)\b|pins?\b|密码|密碼"
    r"|暗証|비밀번호|番号|번호",
    re.IGNORECASE,
)
_ABOUT_PASSWORDS: Final = LazyRegex(
    r"\b(?:pass(?:words?|phrases?|codes?)|logins?|credentials|accounts?|access(?:es)?|pws?|wi-?fi|wlan)\b|passw"
    r"|kennw|zugangsdaten|zugänge|anmeldedaten"
    r"|mots? de passe|identifiants|comptes|contraseñas?|claves|accesos|cuentas|senhas?|contas|acessos|credenziali"
    r"|accessi"
    r"|парол|доступы|учётки|учетки|облікові|hasł|konta|dostępy|wachtwoord|inloggegevens|şifre|parola|hesaplar"
    r"|giriş bilgileri"
    r"|密码|密碼|账号|帳號|帐号|口令|パスワード|アカウント|비밀번호|계정|암호",
    re.IGNORECASE,
)
_CHAT: Final = LazyRegex(
    r"[ \t>*-]*(?:\[[^\]\n]{3,24}\]"
    r"|\(?\d{1,2}[:.]\d\d\)?)?[ ,-]{0,3}\*{0,2}(?:\w[\w .@-]{0,24}[:：>])\*{0,2}[ ](?P<said>[^\n]{3,120})\Z"
)


def below_heading(text: str, end: int, heading: str, read_as: Callable[[str], str]) -> Iterator[SecretSpan]:
    """Yield the values of the list below a line that announces codes or passwords, or the answer to a question.

    Args:
        text: The whole text.
        end: Where the heading ends.
        heading: The line, as `read_as` gives it.
        read_as: Transforms a line before it is searched, without changing its length.
    """
    kind = _announced(heading)
    if not kind:
        return
    if heading.rstrip(" *_")[-1:] in "?？":
        yield from _answer(text, end, kind, read_as)
        return
    position = end
    for line in islice(_LINE.finditer(text, end), MOST_ITEMS):
        words = read_as(line.group())
        if (
            text.count("\n", position, line.start()) > (2 if position == end else 1)
            or len(words) > LONGEST_ITEM
        ):
            return
        item = _ITEM.match(words) or (_CODE_ITEM.match(words) if kind == "codes" else None)
        if item is None or not is_prose(words):
            return
        position = line.end()
        found = _value_of(item, kind)
        if found:
            yield _moved(found, line.start(), kind)


_CODE_LINE: Final = re.compile(
    r"[ \t>]*(?:[-*+•·][ \t]+|\d{1,2}[.)][ \t]+)?(?:\[[ xX]\][ ]?|[☐☑✅✗✓][ ]?)?[*_`~]{0,4}"
    r"(?P<value>[a-z0-9]{4,6}(?:-[a-z0-9]{4,6}){1,3}|[A-Z0-9]{4,6}(?:-[A-Z0-9]{4,6}){1,3}|[a-z0-9]{8,12}|[A-Z0-9]{8,12}"
    r"|\d{4}[ ]\d{4}|\d{6})[*_`~]{0,4}[ .,;]*(?:\(?(?:used|used up|gone|benutzt|usado|utilisé|usato)\)?)?[ \t]*"
)
_OF_CODES: Final = LazyRegex(
    r"codes?\b|códigos|codici|kody|kodlar|коды|коди|コード|코드|代码|代碼|[码碼]|2fa|mfa|recover|backup|wiederherst"
    r"|herstel|secours|respaldo",
    re.IGNORECASE,
)
LEAST_CODES: Final = 2


def listed_codes(text: str, end: int, heading: str, read_as: Callable[[str], str]) -> Iterator[SecretSpan]:
    """Yield the codes of one form that stand alone on the lines below a heading about codes.

    Args:
        text: The whole text.
        end: Where the heading ends.
        heading: The line, as `read_as` gives it.
        read_as: Transforms a line before it is searched, without changing its length.
    """
    if not _OF_CODES.search(heading) or NO_SECRET_LABEL.search(heading):
        return
    found: list[tuple[int, str]] = []
    position = end
    for line in islice(_LINE.finditer(text, end), MOST_ITEMS):
        gap = text.count("\n", position, line.start())
        match = _CODE_LINE.fullmatch(read_as(line.group())) if len(line.group()) <= LONGEST_ITEM else None
        if match is None or gap > (1 if found else 2):
            break
        position = line.end()
        found.append((line.start() + match.start("value"), match.group("value")))
    shapes = {tuple(map(len, re.split("[ -]", code))) for _, code in found}
    numbered = sum(re.search(r"\d", code) is not None for _, code in found)
    dates = any(re.match(r"(?:19|20)\d\d", code) for _, code in found)
    if len(found) >= LEAST_CODES and len(shapes) == 1 and numbered * 2 > len(found) and not dates:
        for start, code in found:
            yield SecretSpan(start, start + len(code), "recovery code", "RECOVERY_CODE")


def _announced(line: str) -> str:
    """Return `"codes"` or `"passwords"` if a short line without a value announces a list of them, else `""`."""
    plain = line.strip(" \t#*_>-`")
    if not 2 < len(plain) <= LONGEST_HEADING or line.lstrip()[:1] == "|" or not is_prose(line):
        return ""
    is_heading = line.lstrip(" >")[:1] in "#*-_" or plain[-1:] in ":：?？" or len(plain) <= SHORT_HEADING
    said = _CHAT.match(line)
    plain = said.group("said") if said else plain
    asked = plain[-1:] in "?？"
    if not is_heading or (re.search(r"[:：=→]\s*\S", plain) and not asked) or re.search(r"[.!。]\s", plain):
        return ""
    if NO_SECRET_LABEL.search(plain) or SPEAKS_OF_IT.search(plain):
        return ""
    if (
        (names_lock(plain) and (_ABOUT_CODES.search(plain) or asked))
        or PIN.search(plain)
        or _CODES.fullmatch(plain)
    ):
        return "codes"
    return "passwords" if _ABOUT_PASSWORDS.search(plain) else ""


SHORT_HEADING: Final = 40
_CODES: Final = re.compile(
    r"(?i:(?:house |home |door |our |my )?(?:codes?|códigos|codici|kody|kodlar|коды|коди))[:：]?"
)


def _answer(text: str, end: int, kind: str, read_as: Callable[[str], str]) -> Iterator[SecretSpan]:
    """Yield what the next line of a chat answers to a question for a code or password."""
    line = _LINE.search(text, end)
    said = _CHAT.match(read_as(line.group())) if line and text.count("\n", end, line.start()) <= 2 else None
    if line is None or said is None:
        return
    value = trimmed(said.group("said").strip("`\"' "))
    start = line.start() + line.group().rfind(value)
    if kind == "codes" and LOCK_VALUE.fullmatch(value) and is_lock_code(value):
        yield SecretSpan(start, start + len(value), "access code", "ACCESS_CODE")
    elif (
        kind == "passwords"
        and " " not in value
        and (is_odd(value) or is_joined(value) or is_lone_word(value))
    ):
        yield SecretSpan(start, start + len(value), "password", "PASSWORD")


def _value_of(item: re.Match[str], kind: str) -> tuple[int, int] | None:
    """Return where the value of an item stands in its line."""
    name, value = item.group("name"), item.group("value").rstrip(" *_`.")
    start = item.start("value")
    if _OTHER_NAME.search(name) or NO_SECRET_LABEL.search(name):
        return None
    if kind == "codes":
        code = LOCK_VALUE.match(value)
        return (start, start + len(code.group())) if code and is_lock_code(code.group()) else None
    pair = _PAIR.fullmatch(value)
    if pair:
        start, value = start + pair.start("value"), pair.group("value")
    plain = value.rstrip(",;")
    if (
        " " in plain
        or is_placeholder(plain)
        or "://" in plain
        or ("@" in plain[1:-1] and "." in plain.rpartition("@")[2])
    ):
        return None
    kept = is_odd(plain) or is_joined(plain) or (_is_secret_word(plain) and bool(pair))
    return (start, start + len(plain)) if kept else None


def _is_secret_word(value: str) -> bool:
    return is_lone_word(value) or (
        is_password(value, ends_line=True, quoted=True)
        and not is_reference(value)
        and not is_name_in_code(value)
        and re.search(r"\d|[!#$%&*+?@]", value) is not None
    )


_OTHER_NAME: Final = LazyRegex(
    r"\b(?:user(?:name)?s?|login|e-?mail|mail|url|site|website|host|server|port|phone|tel|address|ssid|network"
    r"|name|date|since|updated|version"
    r"|model|status|role|owner|type|scope|plan|id|number|count|year|zip|file|path|folder|repo|branch|provider"
    r"|region|expires?"
    r"|benutzer|nutzer|adresse|usuario|utilisateur|utente|usuário|пользователь|логин|用户|帐号|账号|帳號)\b",
    re.IGNORECASE,
)


def siblings(text: str, found: Iterable[SecretSpan], read_as: Callable[[str], str]) -> Iterator[SecretSpan]:
    """Yield the last parts of the rows directly above and below a row whose last part is a secret, in one form."""
    walked: set[int] = set()
    for span in found:
        line = _line_at(text, span.start) if span.kind in ("password", "access code") else None
        if line is None:
            continue
        start, end, words = line
        if start in walked:  # the rows around it were looked at from another one
            continue
        row = _row_of(read_as(words))
        if row is None or text[span.end : end].strip(" \t*_`\"'|.;,)"):
            continue
        for step in (-1, 1):
            place = start if step < 0 else end
            for _ in range(MOST_ITEMS):
                near = _next_line(text, place, step)
                if near is None:
                    break
                first, last, words = near
                other = _row_of(read_as(words))
                if other is None or other[:2] != row[:2]:
                    break
                walked.add(first)
                place = first if step < 0 else last
                value = trimmed(other[2].strip("*_`\"'|;,) "))
                at = first + words.rfind(value)
                if value and _is_like(value, span):
                    yield SecretSpan(
                        at,
                        at + len(value),
                        span.kind,
                        "ACCESS_CODE" if span.kind == "access code" else "PASSWORD",
                    )


def _is_like(value: str, span: SecretSpan) -> bool:
    if span.kind == "access code":
        return (
            not value[0].isalpha()
            and bool(LOCK_VALUE.fullmatch(value))
            and is_lock_code(value)
            and abs(len(value) - (span.end - span.start)) <= 2
        )
    return " " not in value and (
        is_odd(value) or is_joined(value) or (len(value) >= 5 and is_lone_word(value))
    )


_SEPARATORS: Final = re.compile(r"[ ](?:[/|–—·-]|→|->)[ ]|[:：=→|]|,[ ]")


def _row_of(line: str) -> tuple[str, str, str] | None:
    """Return the bullet, the separators and the last part of a row that is a list of parts."""
    if len(line) > LONGEST_ITEM or not is_prose(line):
        return None
    bullet = re.match(_BULLET, line)
    signs = [match.group().strip() for match in _SEPARATORS.finditer(line)]
    if not signs or bullet is None or (len(signs) < 2 and not bullet.group().strip()):
        return None
    mark = re.sub(r"\d+", "1", bullet.group().strip())
    return mark, "".join(signs), _SEPARATORS.split(line)[-1]


def _line_at(text: str, position: int) -> tuple[int, int, str] | None:
    """Return the line at a position with its start and end, if it's short; a file may be one line of megabytes."""
    first, last = max(0, position - LONGEST_ITEM), min(len(text), position + LONGEST_ITEM)
    start = text.rfind("\n", first, position)
    end = text.find("\n", position, last)
    if (start < 0 and first > 0) or (end < 0 and last < len(text)):
        return None
    end = len(text) if end < 0 else end
    return start + 1, end, text[start + 1 : end].rstrip("\r")


def _next_line(text: str, place: int, step: int) -> tuple[int, int, str] | None:
    """Return the line before a line's start, or after a line's end."""
    if step < 0:
        return _line_at(text, place - 1) if place > 0 else None
    return _line_at(text, place + 1) if place + 1 < len(text) else None


def _moved(found: tuple[int, int], offset: int, kind: str) -> SecretSpan:
    start, end = found
    if kind == "codes":
        return SecretSpan(offset + start, offset + end, "access code", "ACCESS_CODE")
    return SecretSpan(offset + start, offset + end, "password", "PASSWORD")
