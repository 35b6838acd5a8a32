"""Finds passwords whose place in an address, a header, a command or a call says what they are."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from melleafy_tui.core.source.secrets.candidates import phrase_form, trimmed
from melleafy_tui.core.source.secrets.forms import form_of, is_placeholder, is_reference
from melleafy_tui.core.source.secrets.spans import SecretSpan, compiled, variable_before, variable_name
from melleafy_tui.core.source.secrets.vocabulary import lowered

LEAST: Final = 4
IN_CONNECTION: Final = "password in a connection string"

CONNECTION: Final = (
    r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]{1,20})://[^\s:/@\"'<>]{0,100}:(?P<value>[^\s\"'<>]{3,200})@(?="
    r"[^\s/@\"'<>]{1,100}(?:[/?:,;\s\"'`)>\]|]|\Z))"
)
_TOKEN_AT_HOST: Final = r"https?://(?P<value>[A-Za-z0-9_-]{20,200})(?::[^\s@/]{1,200})?@[\w.-]{3,100}"
_CONNECTION_NAMES: Final = {
    "postgresql": "POSTGRES",
    "http": "BASIC_AUTH",
    "https": "BASIC_AUTH",
    "mongodb+srv": "MONGODB",
}
_WORDS_FOR_PASSWORDS: Final = frozenset(("password", "pass", "pwd", "passwd", "secret", "token"))
AUTHORIZATION: Final = (
    r"(?i:authorization[\"']?[ \t]{0,4}[:=][ \t]{0,4}[\"'`]?(?:(?P<scheme>basic|bearer|token|apikey|ssws)[ \t]{1,4})?"
    r"(?P<value>[^\s\\\"'`<>|,;]{8,600}))"
)

_VALUE: Final = r"[\"']?(?P<value>[^\s\"'`|<>]{4,200})"
_IN_CALL: Final = r"[\"'](?P<value>[^\"'\n]{4,100})[\"']"
# fmt: off
_OPTIONS: Final = (
    ("sshpass", r"\bsshpass[ \t]+-p[ \t]*" + _VALUE),
    ("curl |wget |http -|https -", r"\b(?:curl|wget|https?)\b[^\n|]{0,200}?[ \t](?:-u|--user|-a|--auth"
     r"|--proxy-user|-U)[ =]?"
     r"[\"']?[\w.@%+-]{1,64}:(?P<value>[^\s\"'`|<>]{4,200})"),
    ("--pass|--pwd|--token|--api|--secret|--auth|--access|--storepass|--keypass", r"[ \t]--?(?:pass"
     r"(?:word|wd|phrase|code)?|pwd"
     r"|token|api-?key|secret(?:-key)?|auth-?(?:token|key)|access-?key|storepass|keypass)[ =][\"']?"
     r"(?P<value>[^\s\"'`|<>]{4,200})"),
    ("mysql|mariadb", r"\b(?:mysql\w*|mariadb\w*)\b[^\n|]{0,120}?[ \t]-p" + _VALUE),
    ("redis-cli", r"\bredis-cli\b[^\n|]{0,120}?[ \t](?:-a|--pass)[ \t=]" + _VALUE),
    ("mosquitto_", r"\bmosquitto_\w+\b[^\n|]{0,160}?[ \t]-P[ \t]*" + _VALUE),
    ("docker login|az login|twine|ldapsearch|ldapadd|ldapmodify",
     r"\b(?:login|twine upload|ldap\w{3,8})\b[^\n|]{0,160}?[ \t](?:-p|-w|-P)[ \t]*" + _VALUE),
    ("htpasswd", r"\bhtpasswd[ \t]+-\w{0,9}b\w{0,9}[ \t]+\S+[ \t]+\S+[ \t]+" + _VALUE),
    ("7z|zip -|unzip|unrar|rar |qpdf", r"\b(?:7z\w?|zip|unzip|unrar|rar|qpdf)\b[^\n|]{0,80}?[ \t](?:-p"
     r"|-P[ \t]|--decrypt )" + _VALUE),
    ("smbclient|rpcclient", r"\b(?:smbclient|rpcclient)\b[^\n|]{0,120}?-U[ \t]*[\"']?[\w\\.-]{1,60}%" + _VALUE),
    ("sudo -s", r"\becho[ \t]+[\"']?(?P<value>[^\s\"'`|<>]{4,200})[\"']?[ \t]*\|[ \t]*sudo[ \t]+-S"),
    ("--password-command", r"--password-command[ =]\S{0,3}echo[ \t]+" + _VALUE),
    ("snmp", r"\bsnmp\w+\b[^\n|]{0,80}?[ \t]-(?:c|A|X)[ \t]+" + _VALUE),
    ("influx |doctl ", r"\b(?:influx|doctl)\b[^\n|]{0,120}?[ \t]-t[ \t]+(?P<value>[\w+/=-]{20,200})"),
    ("openssl", r"\bopenssl\b[^\n|]{0,120}?[ \t](?:-k|-K|-passin|-passout|-pass)[ \t]+(?:pass:)?" + _VALUE),
    ("lftp", r"\blftp\b[^\n|]{0,80}?[ \t]-u[ \t]*[\w.@-]{1,40},(?P<value>[^\s\"'`|<>]{4,200})"),
    ("mongo", r"\bmongo\w*\b[^\n|]{0,160}?[ \t](?:-p|--password)[ \t=]+" + _VALUE),
    ("vncviewer|ncftp", r"\b(?:vnc\w+|ncftp\w*)\b[^\n|]{0,80}?[ \t](?:-?passwd|-p)[ \t=]+" + _VALUE),
)
_CALLS: Final = (
    ("<(echo", r"<\(echo[ \t]+" + _VALUE.replace("<>]", "<>)]")),
    ("auth(|auth=(|auth = (|auth: (|login(|signin(|sign_in(|credentials(|connect(|sequelize(|authenticator(",
     r"\b\w{0,20}(?:[lL]ogin|[aA]uth\w{0,12}|[cC]redentials?|sign_?[iI]n|[cC]onnect|Sequelize)(?:[ \t]*[=:][ \t]*)?\("
     r"(?:[^()\n]{0,80},)?[ \t]*[\"']?[\w.@+-]{1,64}[\"']?[ \t]*,[ \t]*"
     r"[\"'](?P<value>[^\s\"'/]{5,80}|(?:[a-z]{4} ){3}[a-z]{4})[\"'][ \t]*[,)]"),
    ("plainauth(", r"PlainAuth\([^,\n]{0,40},[^,\n]{1,60},[ \t]*" + _IN_CALL),
    ("wifi.begin(", r"(?i:wifi)\.begin\([ \t]*[^,\n]{1,60},[ \t]*[\"'](?P<value>[^\"'\n]{8,63})[\"']"),
    ("set_password(|setpassword(|username_pw_set(", r"\b(?:set_?[pP]assword"
     r"|username_pw_set)\([^)\n]{1,80},[ \t]*" + _IN_CALL + r"[ \t]*\)"),
    ("jwt.|hmac.new(|createhmac(|fernet(", r"(?:jwt\.(?:sign|encode|decode|verify)\([^,\n]{1,60},|hmac\.new\("
     r"|createHmac\([^,\n]{1,30},|Fernet\()[ \t]*b?[\"'](?P<value>[^\s\"'\n]{8,200})[\"']"),
)
_FIELDS: Final = (
    ("password=|pwd=|accountkey=|accesskey=|sharedsecret=|primarykey=",
     r"(?i:(?:;|\b)(?:password|pwd|accountkey|sharedaccesskey|sharedsecret|primarykey)=)"
     r"(?P<value>[^;\s\"'`<>&]{3,200})(?=[;&\"'`\s]|\Z)"),
    ("sqlplus|oracle:", r"(?i:(?:sqlplus|oracle:thin:|jdbc:oracle:\w+:))[ ]?@?\w{1,40}/(?P<value>[^\s@/\"']{4,100})@"),
    (":5432:|:3306:|:*:", r"[\w.-]{2,80}:(?:\d{2,5}|\*):[\w*-]{1,40}:[\w-]{1,40}:(?P<value>[^\s:]{4,100})\Z"),
    ("pass:", r"\bpass(?:in|out)?[ \t]+pass:" + _VALUE),
    ("machine ", r"\blogin[ \t]+\S{1,80}[ \t]+password[ \t]+" + _VALUE),
    ("net use", r"\bnet use\b[^\n]{0,40}?\\\\\S+[ \t]+(?P<value>[^\s/]{4,100})[ \t]+/user"),
    ("net use", r"\bnet use\b[^\n]{0,120}?/user:\S{1,60}[ \t]+" + _VALUE),
    ("chpasswd", r"\becho[ \t]+[\"']?[\w.-]{1,40}:(?P<value>[^\s\"'`|<>]{4,200})[\"']?[ \t]*\|[ \t]*"
     r"(?:sudo[ \t]+)?chpasswd"),
    ("/p:|/pass", r"[ \t]/p(?:ass(?:word)?)?:" + _VALUE),
    ("obscure", r"\brclone[ \t]+obscure[ \t]+" + _VALUE),
    ("identified by|securestring", r"(?i:identified by|ConvertTo-SecureString|SecureString)[ \t]+"
     r"(?:-String[ ])?" + _IN_CALL),
    ("sshpass\"|sshpass'|plink|mysql\"", r"(?:sshpass|plink|pscp|mysql)[\"'][ ]?,[ ]?[\"']-p[\"'][ ]?,[ ]?" + _VALUE),
    ("--pwd|--pin|--pass", r"[\"']--?(?:pass(?:word|wd|phrase|code)?|pwd|pin)[\"'][ ]?,[ ]?[\"']"
     r"(?P<value>(?=[^\"']{0,80}[\d\W])[^\s\"'`|<>-][^\s\"'`|<>]{3,200})[\"']"),
    ("passw|senha|contrase|mot de passe|парол|密码|密碼|パスワード",
     r"[`\"':=：][ \t]*(?P<value>[a-z]{4}(?:[ ][a-z]{4}){3})(?![ ]?\w)"),
    ("@", r"[\w.+-]{1,64}@[\w.-]{3,64}[`\"'*]{0,2}[ \t]*[/|:：,→][ \t]*[`\"'*]{0,2}"
     r"(?=[^\s`\"'|<>]{0,40}\d)(?=[^\s`\"'|<>]{0,40}[a-z])(?=[^\s`\"'|<>]{0,40}[A-Z!#$%^&])"
     r"(?P<value>[^\s`\"'|<>@/:,]{6,64})(?=[`\"'*|)\s,]|\Z)"),
    ("send \"|sendline", r"(?i:passw)[^\n]{0,20}?\bsend(?:line)?\b[^\n\"']{0,8}[\"'](?P<value>[^\s\"'\\]{4,80})"),
)
"""What a line holds, in lower case (one of the texts between bars), and the place of a password on such a line: behind
an option of a command, in a call, or in a field."""
# fmt: on
_CONNECTIONS: Final = frozenset(form for _, form in _FIELDS[:3])
_LABELLED: Final = frozenset(form for mark, form in _FIELDS if mark.startswith("passw|"))
"""Places behind the name of what the password is for: Google's four times four letters."""
PLACES: Final = {" -": _OPTIONS, "(": _CALLS, "": _FIELDS}
"""The places by what every line with one of them holds."""

_MARKS: Final = {
    needed: tuple((mark, row) for row in rows for mark in row[0].split("|"))
    for needed, rows in PLACES.items()
}
_OPTION: Final = "--pass"
LONGEST_LINE: Final = 4_000


def connections(text: str) -> Iterator[SecretSpan]:
    """Yield the passwords in addresses and connection strings, and the credentials in headers of a text."""
    lines = list(_lines_with_user(text))
    for match in _matches(CONNECTION, text, lines):
        value = match["value"]
        if not is_placeholder(value) and "[^" not in value and value.lower() not in _WORDS_FOR_PASSWORDS:
            scheme = match["scheme"].lower()
            name = _CONNECTION_NAMES.get(scheme, variable_name(scheme))
            yield SecretSpan(*match.span("value"), IN_CONNECTION, f"{name}_PASSWORD")
    for match in _matches(_TOKEN_AT_HOST, text, lines):
        if form_of(match["value"]) in _STRONG:
            yield SecretSpan(*match.span("value"), IN_CONNECTION, "BASIC_AUTH_PASSWORD")
    for match in (
        compiled(AUTHORIZATION).finditer(text) if "uthorization" in text or "UTHORIZATION" in text else ()
    ):
        value = match["value"].rstrip("*_,;.)]}")
        scheme = (match["scheme"] or "").lower()
        if not scheme and form_of(value) not in _STRONG | {"commit"}:
            continue
        if len(value) >= 12 and not is_placeholder(value) and not is_reference(value):
            variable = "BEARER_TOKEN" if scheme == "bearer" else "AUTHORIZATION_VALUE"
            yield SecretSpan(match.start("value"), match.start("value") + len(value), "token", variable)


def _lines_with_user(text: str) -> Iterator[tuple[int, int]]:
    """Yield the places of the lines of a text that may hold an address with a user's name."""
    place = text.find("://") if "@" in text else -1
    while place >= 0:
        stop = text.find("\n", place)
        stop = len(text) if stop < 0 else stop
        if text.find("@", place, stop) >= 0:
            yield text.rfind("\n", 0, place) + 1, stop
        place = text.find("://", stop)


def _matches(form: str, text: str, lines: Sequence[tuple[int, int]]) -> Iterator[re.Match[str]]:
    for line in lines:
        yield from compiled(form).finditer(text, *line)


def placed_passwords(text: str) -> Iterator[SecretSpan]:
    """Yield the passwords that stand in a place for them: options of commands, arguments of calls."""
    lower = lowered(text)
    for marks, form in _rows_of(lower):
        for start, end in _lines_with(lower, marks):
            for match in compiled(form).finditer(text[start:end]):
                value = trimmed(match["value"])
                if _is_password(value, option=marks.startswith(_OPTION)):
                    kind = IN_CONNECTION if form in _CONNECTIONS else "password"
                    first = start + match.start("value")
                    named = variable_before(text, first) if form in _LABELLED else ""
                    variable = "DATABASE_PASSWORD" if form in _CONNECTIONS else named or "PASSWORD"
                    yield SecretSpan(first, first + len(value), kind, variable)


def _rows_of(lower: str) -> dict[tuple[str, str], None]:
    """Return the places that a text may have."""
    marks = [pair for needed, pairs in _MARKS.items() if needed in lower for pair in pairs]
    return dict.fromkeys([row for mark, row in marks if mark in lower])


def _lines_with(lower: str, marks: str) -> Iterator[tuple[int, int]]:
    """Yield the places of the lines that hold one of some marks, or of the windows around a mark in a long line."""
    end = 0
    for place in sorted({place for mark in marks.split("|") for place in _each(mark, lower)}):
        if place < end:
            continue
        start = max(lower.rfind("\n", 0, place) + 1, place - LONGEST_LINE // 4)
        stop = lower.find("\n", place)
        end = min(len(lower) if stop < 0 else stop, place + LONGEST_LINE)
        yield start, end


def _each(mark: str, lower: str) -> Iterator[int]:
    place = lower.find(mark)
    while place >= 0:
        yield place
        place = lower.find(mark, place + 1)


_STRONG: Final = frozenset(
    (
        "random",
        "long random",
        "hex",
        "short hex",
        "token",
        "groups",
        "strong",
        "mixed",
        "numbered",
        "joined digits",
        "uuid",
    )
)


def _is_password(value: str, *, option: bool) -> bool:
    """Return whether a value in a place for a password is one; an option of a command may take a name as well."""
    if len(value) < LEAST:
        return False
    form = form_of(value) or phrase_form(value)
    if option:
        return form in _STRONG
    return bool(form) and value.lower() not in _WORDS_FOR_PASSWORDS
