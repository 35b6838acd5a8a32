"""Finds secrets that no label of their own names: pairs of user and password, Wi-Fi lines, codes of doors, defaults."""

import re
from collections.abc import Iterator
from typing import Final

from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.source.secrets.fields import NO_SECRET_LABEL, PASSWORD_LABEL, SECRET_LABEL, value_at
from melleafy_tui.core.source.secrets.labels import (
    ACCOUNT,
    CODE,
    PLACE,
    PLAIN_USERS,
    WIFI,
    Starts,
    literal,
    lowered,
    pattern,
    spelled,
    words,
)
from melleafy_tui.core.source.secrets.providers import SERVICES
from melleafy_tui.core.source.secrets.spans import SecretSpan, label_at, variable_name
from melleafy_tui.core.source.secrets.values import (
    is_name_in_code,
    is_passphrase,
    is_password,
    is_pin,
    is_placeholder,
    is_random,
    is_short_token,
    is_token,
    is_unmistakable_password,
    is_uuid,
)

_ACCOUNTS: Final = ACCOUNT.split("|")
_USER: Final = r"[\"'`*_]{0,3}(?P<user>[\w.@+%\\-]{1,64})[\"'`*_]{0,3}"
_BETWEEN: Final = (
    r"[ \t]{0,3}(?P<between>/|／|\||:|：|,|，|、|→|->|=>|\+|;|und|and|y|et|e|with|mit|con"
    r"|avec)[ \t]{1,3}|[:/](?=\S)"
)
PAIR_STARTS: Final = Starts(
    (
        *spelled(_ACCOUNTS),
        *((*re.escape(user), r"(?=[\"'`]?[ \t]?[/:])") for user in PLAIN_USERS.split("|")),
        ("@",),
    )
)
PAIR_VALUE: Final = re.compile(r"\d|(?i:pw|pass)")
PAIR: Final = LazyRegex(
    rf"(?:(?P<account>{pattern(sorted(_ACCOUNTS, key=len, reverse=True))})[\w/ -]{{0,16}}[\"'`*_)]{{0,3}}[ \t]{{0,3}}"
    r"(?:[:：=→は是|]|\b(?:is|as|with|ist|mit|als|con|como|avec|com)\b|->)?[ \t]{0,3}"
    rf"|(?<![\w/.])(?=[\"'`]?(?:(?i:{PLAIN_USERS})[\"'`]?[ \t]?[/:]"
    rf"|[\w.+-]{{1,40}}@[\w.-]{{3,40}}[\"'`]?[ \t]{{0,2}}(?:[/:|,]|(?:with|and|mit|con|avec)[ ]))))"
    rf"{_USER}(?:{_BETWEEN})",
    re.IGNORECASE,
)
_ME: Final = LazyRegex(
    r"\b(?:user(?:name)?|login|usuario|benutzer|account)[ :=]{1,3}(?P<user>[\w.@+-]{1,64})[ ,;/|]{1,4}(?:and[ ])?"
    r"(?:pw|pwd|pass|password|passwort|kennwort|pin)[ :=]{1,3}"
    r"|\bU[:=][ ]?(?P<u>[\w.@+-]{1,64})[ ,;/|]{1,4}P[:=][ ]?",
    re.IGNORECASE,
)


def pairs(line: str) -> Iterator[SecretSpan]:
    """Yield the passwords of `login: user / password` and `user me pw X`."""
    for match in _ME.finditer(line):
        value = value_at(line, match.end(), tight=True)
        if value and is_password(value.text, ends_line=True, quoted=len(value.text) > 5):
            yield SecretSpan(value.start, value.end, "password", "PASSWORD")
    for match in PAIR.finditer(line):
        if (
            "://" in line[max(0, match.start() - 12) : match.end() + 2]
            or "://" in line[max(0, match.start() - 80) : match.start()].rpartition(" ")[2]
            or NO_SECRET_LABEL.search(match.group())
            or line[match.end() : match.end() + 1] == "/"
        ):
            continue
        value = value_at(line, match.end())
        if value is None or "/" in value.text or not is_unmistakable_password(value.text):
            continue
        if is_name_in_code(value.text) or not value.text.isascii() or _HYPHENATED.fullmatch(value.text):
            continue
        if is_password(value.text, ends_line=False, quoted=False) and not _DATED.match(value.text):
            yield SecretSpan(value.start, value.end, "password", "PASSWORD")


_HYPHENATED: Final = re.compile(r"[a-z]+(?:-[a-z]+){2,}(?:-v?\d{1,3})?")
_DATED: Final = re.compile(
    r"\d{1,4}[-.:/]\d|v?\d+\.\d|[\d.,]+[A-Za-z%€]{1,3}\Z|\w+@\w+|[a-z]+-[a-z]+-?\d{0,2}\Z"
)
_WIFI_WORDS: Final = tuple(
    word for word in WIFI.split("|") if word not in ("network", "netz", "router", "网络")
)
WIFI_STARTS: Final = Starts((*spelled(_WIFI_WORDS), *literal(("wifi:",))))
_WIFI: Final = LazyRegex(
    rf"(?:{pattern(_WIFI_WORDS)})[^:：=|\n/]{{0,30}}[ \t]{{0,3}}(?:[:：=|]|\")?[ \t]{{0,3}}[\"'`*]{{0,3}}"
    r"(?P<name>[^/|:,;\"`\n→]{1,40}?)[\"'`*]{0,3}[ \t]{0,3}"
    r"(?:[ ]/[ ]|/|→|->|\||[ ]>[ ]|[ ][-–—][ ]|[,;][ ](?:key|code|psk|schlüssel|clé|chiave|clave|chave|pw"
    r"|pass)?[:= ]{0,3}|[ ]key[ :=]{1,3}|[ ]psk[ :=]{1,3})",
    re.IGNORECASE,
)
_QR: Final = re.compile(r"WIFI:[^\n]{0,80}?;?P:(?P<value>(?:\\.|[^;\\\n]){4,80})")


def wireless(line: str) -> Iterator[SecretSpan]:
    """Yield the keys of wireless networks: `Wi-Fi: Home / key`, and the text of QR codes."""
    for match in _QR.finditer(line):
        yield SecretSpan(*match.span("value"), "password", "WIFI_PASSWORD")
    for match in _WIFI.finditer(line):
        value = value_at(line, match.end())
        if (
            value is None
            or line[: match.start()].endswith("_")  # a name in code
            or len(value.text) < 8
            or is_name_in_code(value.text)
            or (value.text.islower() and value.text.isalpha() and line[: value.start].rstrip()[-1:] == ",")
            or (re.fullmatch(r"[A-Za-z.]+|[\d.]+\w{0,3}", value.text) and not value.alone)
        ):
            continue
        if is_password(value.text, ends_line=value.alone, quoted=value.quoted) and not _DATED.match(
            value.text
        ):
            yield SecretSpan(value.start, value.end, "password", "WIFI_PASSWORD")


_CODE_WORDS: Final = words(CODE)
_CODE_STARTS: Final = Starts((*spelled(_CODE_WORDS), *literal(("code", "kod", "код"))))
PLACE_STARTS: Final = Starts(spelled(words(PLACE), stems=True))
CODE_DIGITS: Final = re.compile(
    r"(?<![A-Za-z0-9])[#*]?[0-9]{3}|(?<!\d)\d\d?[-–/ ]\d\d?[-–/ ]\d|\b[A-Z]\d{3}|\d{2}[^\W\d_]\d|\d{3,}[A-Z#*]"
)
"""The start of the digits; checked first, since many lines contain a marker."""

_CODE: Final = LazyRegex(
    rf"(?P<word>{pattern(_CODE_WORDS)}|(?<=[^\W\d_]{{3}})code(?![^\W\d_])|(?<![^\W\d_])(?:kod|код|шифр)\w{{0,3}})",
    re.IGNORECASE,
)
_CODE_GAP: Final = LazyRegex(
    r"(?P<gap>(?:[^\d\n.;!?|:：=→]|(?<=\w)\.(?=\w)){0,44}?)"
    r"(?P<sign>[\"'`*_)\]]{0,4}[ \t]{0,3}(?:=>|->|[:：=→|＝]|[-–—]|\b(?:is|ist|lautet|est|es|è|é|jest"
    r"|(?:set|changed)[ ]to)\b|是|为|為|は|[은는이가])?)"
    r"[ \t]{0,4}[\"'`*_(（「]{0,4}[ \t]{0,2}(?P<value>[#*]{0,2}[0-9]{3,12}[#*]{0,2}(?![A-Za-z0-9_%€$]|[-.,:/]\w)"
    r"|[0-9]{1,3}(?:(?:[-–/,]|[ ]?-[ ]?)[0-9]{1,3}){2,4}(?!\w)"
    r"|(?-i:(?=[A-ZА-Я]*\d)(?=\d*[A-ZА-Я])[A-ZА-Я0-9]{4,8}[#*]?)(?![\w-]))"
)
_NO_CODE: Final = LazyRegex(
    r"\b(?:line|zeile|page|version|since|until|year|http|status|error|review|postal|area|zip|qr|exit|country"
    r"|source|in|src"
    r"|lines|at|um|am|changed?|changes|before|after|ask|never|not|row|room|version|bar|promo|discount|voucher"
    r"|coupon|tax"
    r"|dress|color|colour|iata|icao|currency|booking|order|invoice|product|model|part|item|tracking|ticket|event"
    r"|postcode"
    r"|postleitzahl|vorwahl|postal|postale?|fiscal|dress|morse|response|return|reason|opcode|unicode|asset"
    r"|serial|account)\b",
    re.IGNORECASE,
)
_BACKWARD: Final = LazyRegex(
    r"(?<![\w.:/#-])(?P<value>[#*]?\d{4,6}[#*]?)[\"'`*_)]{0,4}[ \t,]{0,3}"
    r"(?:(?:is|=|-|–|—|for|opens?|unlocks?|disarms?|öffnet|ouvre|abre|apre|opent|ist|est|es|è|é|на|для|to"
    r"|at|on)[ \t]"
    r"(?:the[ ]|my[ ]|our[ ]|die[ ]|das[ ]|der[ ]|la[ ]|le[ ]|el[ ]|il[ ]|o[ ]|de[ ]|open[ ]|unlock[ ]"
    r"|disarm[ ])*(?P<what>[^\d\n.;|]{3,40}))",
    re.IGNORECASE,
)
_OPENS: Final = LazyRegex(r"open|unlock|disarm|öffnet|ouvre|abre|apre", re.IGNORECASE)


_KEYPAD: Final = LazyRegex(
    rf"(?P<place>{pattern(words(PLACE), stems=True)})\w{{0,4}}[\"'`*_)]{{0,4}}[ \t]{{0,3}}(?:[:：=→|]"
    rf"|->)[ \t]{{0,3}}[\"'`*_]{{0,4}}"
    r"(?P<value>[#*]?\d{4,8}[#*]?)(?![A-Za-z0-9_%€$]|[-.,:/]\w|[ ]\w)",
    re.IGNORECASE,
)
_OPENED: Final = LazyRegex(
    r"door|gate|garage|tür|tor\b|haus|porte|portail|puerta|port[óo]n|portão|cancello|двер|ворот|drzwi|bram|deur"
    r"|poort|kapı|玄関|门|門|현관|대문|lock|safe|tresor|alarm|coffre|cofre|сейф|kluis|金庫|금고|保险",
    re.IGNORECASE,
)


def _matches(form: LazyRegex, starts: Starts, line: str, lower: str) -> Iterator[re.Match[str]]:
    """Yield the matches of a form, without overlaps, that begin at one of the starts."""
    position = 0
    while start := starts.search(lower, position):
        match = form.match(line, start.start())
        if match:
            yield match
        position = match.end() if match else start.start() + 1


_BESIDE: Final = re.compile(r"\b(?:at|um|am|in|before|after|changed?|room|row)\b", re.IGNORECASE)


def _speaks_of_another_code(line: str, match: re.Match[str], joint: re.Match[str]) -> bool:
    """Return whether the words around a code say that it is another, such as an exit code; a sign weakens places."""
    around = line[max(0, match.start() - 14) : joint.start("value")]
    if joint.group("sign").strip(" \t\"'`*_)]") and not joint.group("value").isdecimal():
        around = _BESIDE.sub("", around)
    return _NO_CODE.search(around) is not None


_CODE_NAME: Final = LazyRegex(
    rf"(?:(?:{pattern(_CODE_WORDS)}|pin|puk)s?|.{{0,20}}[ -](?:code|pin|kod|код|combo))", re.IGNORECASE
)


def names_code(header: str) -> bool:
    """Return whether the header of a column is a word for the code of a door or a device."""
    return _CODE_NAME.fullmatch(header) is not None


def door_codes(line: str) -> Iterator[SecretSpan]:
    """Yield digits that open a door or a device; other codes are ordinary numbers."""
    lower = lowered(line)
    for match in _matches(_CODE, _CODE_STARTS, line, lower):
        near = lower[max(0, match.start() - 44) : match.end() + 44]
        joint = _CODE_GAP.match(line, match.end())
        if joint is None or not PLACE_STARTS.search(near) or _speaks_of_another_code(line, match, joint):
            continue
        value = joint.group("value")
        sign = joint.group("sign").strip(" \t\"'`*_)]")
        digits = value.strip("#*")
        if not is_pin(digits) or (re.fullmatch(r"(?:19|20)\d\d", digits) and not sign):
            continue
        if match.group("word").isupper() and not sign and not digits.isdecimal():
            continue
        label = label_at(line, match.start(), joint.start("sign"))
        yield SecretSpan(*joint.span("value"), "access code", variable_name(label, "ACCESS_CODE"))
    for match in _matches(_KEYPAD, PLACE_STARTS, line, lower):
        digits = match.group("value").strip("#*")
        alone = not line[match.end() :].strip(" \t.`*_|\"')")
        if (
            alone
            and _OPENED.search(match.group("place"))
            and (match.group("value") != digits or not re.fullmatch(r"0\d[03]0|(?:19|20)\d\d", digits))
        ):
            yield SecretSpan(
                *match.span("value"),
                "access code",
                variable_name(f"{match.group('place')} code", "ACCESS_CODE"),
            )
    for match in _BACKWARD.finditer(line):
        what = match.group("what")
        if (
            PLACE_STARTS.search(lowered(what)) and (_CODE.search(what) or _OPENS.search(match.group()))
        ) and is_pin(match.group("value")):
            yield SecretSpan(*match.span("value"), "access code", "ACCESS_CODE")


_NAME_OF_VARIABLE: Final = r"(?P<name>[A-Za-z_][\w.-]{1,60})"
_DEFAULTS: Final = tuple(
    LazyRegex(form)
    for form in (
        rf"(?i:getenv|environ\.get|environ\.setdefault|env|config|env\.fetch|env::var|get_env"
        rf"|fetch)[(\[][ \t]*[\"']{_NAME_OF_VARIABLE}[\"']"
        r"(?:[ \t]*,|[)\]]?[ \t]*(?:\?:|\|\||\?\?|or))[ \t]*(?:default[ \t]*=[ \t]*"
        r"|default_value[ \t]*=[ \t]*)?[\"'`](?P<value>[^\"'`\n]{4,300})[\"'`]",
        rf"(?:process\.env|import\.meta\.env|Bun\.env|ENV)(?:\."
        rf"|\[[\"']){_NAME_OF_VARIABLE}(?:[\"']\])?[ \t]*(?:\|\||\?\?"
        rf"|or)=?[ \t]*[\"'`](?P<value>[^\"'`\n]{{4,300}})[\"'`]",
        rf"\$\{{{_NAME_OF_VARIABLE}:?[-=][\"']?(?P<value>[^}}\"'\s$]{{4,300}})[\"']?\}}",
        r"(?:key|name|id)=[\"'](?P<name>[\w .:-]{2,60})[\"'][ \t]+value=[\"'](?P<value>[^\"'\n]{4,300})[\"']",
        rf"{_NAME_OF_VARIABLE}[ \t]*=[ \t]*(?:new[ ])?(?:String|SecretStr|Secret|Password|bytes"
        rf"|b64decode)(?:\.\w+)?\([ \t]*b?[\"'](?P<value>[^\"'\n]{{4,300}})[\"']",
        r"(?:setItem|set_password|setPassword|set|define)\([ \t]*[\"'](?P<name>[\w .-]{2,60})[\"'][ \t]*,[ \t]*"
        r"(?:[\"'][\w .@-]{1,60}[\"'][ \t]*,[ \t]*)?[\"'`](?P<value>[^\"'`\n]{4,300})[\"'`]",
    )
)
DEFAULT_STARTS: Final = Starts(
    literal(
        (
            "env",
            "${",
            "value=",
            "string",
            "secret",
            "password(",
            "bytes(",
            "b64decode",
            "set_password",
            "setpassword",
            "setitem",
            "define(",
            "config(",
            "set(",
            "fetch",
        )
    )
)


def defaults(line: str) -> Iterator[SecretSpan]:
    """Yield the values that stand in for a secret variable: `getenv("TOKEN", "value")`, `${TOKEN:-value}`."""
    for form in _DEFAULTS:
        for match in form.finditer(line):
            name, value = match.group("name"), match.group("value")
            if NO_SECRET_LABEL.search(name):
                continue
            secret = SECRET_LABEL.search(name)
            kept = is_password(value, ends_line=True, quoted=True) or is_token(value)
            if (secret and kept) or is_random(value) or re.fullmatch(r"[0-9a-f]{32,64}", value):
                password = bool(PASSWORD_LABEL.search(name))
                yield SecretSpan(
                    *match.span("value"), "password" if password else "token", variable_name(name)
                )


_ARGUMENT: Final = r"[\"']?(?P<value>[^\s\"'`|<>]{4,200})"
COMMANDS: Final = (
    (("sshpass",), r"\bsshpass[ \t]+-p[ \t]*" + _ARGUMENT),
    (
        ("curl", "wget", "http"),
        r"\b(?:curl|wget|https?)\b[^\n|]{0,200}?[ \t](?:-u|--user|-a|--auth|--proxy-user"
        r"|-U)[ =]?[\"']?[\w.@%+-]{1,64}:(?P<value>[^\s\"'`|<>]{4,200})",
    ),
    (
        ("--",),
        r"[ \t]--?(?:pass(?:word|wd|phrase|code)?|pwd|token|api-?key|secret(?:-key)?|auth-?token|authkey"
        r"|access-?key|storepass|keypass|http-password"
        r"|requirepass|root-password|admin-password|rcon-password|new-password|db-pass(?:word)?|key"
        r"|client-secret)[ =][\"']?"
        r"(?P<value>[^\s\"'`|<>]{4,200})",
    ),
    (("mysql", "mariadb"), r"\b(?:mysql\w*|mariadb\w*)\b[^\n|]{0,120}?[ \t]-p" + _ARGUMENT),
    (("redis-cli",), r"\bredis-cli\b[^\n|]{0,120}?[ \t](?:-a|--pass)[ \t=]" + _ARGUMENT),
    (("mosquitto",), r"\bmosquitto_\w+\b[^\n|]{0,160}?[ \t]-P[ \t]*" + _ARGUMENT),
    (
        ("login", "twine"),
        r"\b(?:login|twine upload|az login|ldapsearch)\b[^\n|]{0,160}?[ \t](?:-p|-w|-P)[ \t]" + _ARGUMENT,
    ),
    (("htpasswd",), r"\bhtpasswd[ \t]+-\w*b\w*[ \t]+\S+[ \t]+\S+[ \t]+" + _ARGUMENT),
    (
        ("zip", "7z", "rar"),
        r"\b(?:7z\w?|zip|unzip|unrar|rar|qpdf)\b[^\n|]{0,80}?[ \t](?:-p|-P[ \t]|--decrypt )" + _ARGUMENT,
    ),
    (
        ("smb", "cifs", "rpcclient"),
        r"\b(?:smbclient|rpcclient|mount)\b[^\n|]{0,120}?(?:-U[ \t]*[\w\\.-]{1,60}%|password=)" + _ARGUMENT,
    ),
    (("pass:",), r"\bpass(?:in|out)?[ \t]+pass:" + _ARGUMENT),
    (("machine", "login"), r"\blogin[ \t]+\S{1,80}[ \t]+password[ \t]+" + _ARGUMENT),
    (("net use",), r"\bnet use\b[^\n]{0,120}?/user:\S{1,60}[ \t]+" + _ARGUMENT),
    (
        ("chpasswd",),
        r"\becho[ \t]+[\"']?[\w.-]{1,40}:"
        + r"(?P<value>[^\s\"'`|<>]{4,200})"
        + r"[\"']?[ \t]*\|[ \t]*(?:sudo[ \t]+)?chpasswd",
    ),
    (
        ("auth", "login("),
        r"(?:\bauth[ \t]*=[ \t]*\(|\blogin\(|BasicAuth\()[ \t]*[\"'][^\"'\n]{1,64}[\"'][ \t]*,[ \t]*[\"']"
        r"(?P<value>[^\"'\n]{4,100})",
    ),
    (("sudo",), r"\becho[ \t]+[\"']?(?P<value>[^\s\"'`|<>]{4,200})[\"']?[ \t]*\|[ \t]*sudo[ \t]+-S"),
)
"""What to look for first, and the option or argument of a command that takes a password."""

_COMMANDS: Final = tuple((found, LazyRegex(form)) for found, form in COMMANDS)
COMMAND_STARTS: Final = Starts(literal(mark for found, _ in COMMANDS for mark in found))


_QUOTED_PHRASE: Final = LazyRegex(
    r"[ \t]--?pass(?:word|phrase)?[ =](?P<quote>[\"'])(?P<value>[^\"'\n]{8,100})(?P=quote)"
)


def command_options(line: str) -> Iterator[SecretSpan]:
    """Yield the passwords on command lines."""
    lower = line.lower()
    for match in _QUOTED_PHRASE.finditer(line):
        if is_passphrase(match.group("value"), quoted=True):
            yield SecretSpan(*match.span("value"), "password", "PASSPHRASE")
    for found, form in _COMMANDS:
        if any(mark in lower for mark in found):
            for match in form.finditer(line):
                value = match.group("value").rstrip("`*,;.)")
                option = found == ("--",)
                if (is_password(value, ends_line=not option, quoted=False) and not option) or (
                    option
                    and is_password(value, ends_line=True, quoted=False)
                    and (is_unmistakable_password(value) or is_token(value))
                ):
                    start = match.start("value")
                    yield SecretSpan(start, start + len(value), "password", "PASSWORD")


CONNECTION: Final = re.compile(
    r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]{1,20})://[^\s:/@\"'<>]{0,100}:(?P<value>[^\s\"'<>]{3,200})@(?="
    r"[^\s/@\"'<>]{1,100}(?:[/?:,;\s\"'`)>\]|]|\Z))"
)
_CONNECTION_NAMES: Final = {
    "postgresql": "POSTGRES",
    "http": "BASIC_AUTH",
    "https": "BASIC_AUTH",
    "mongodb+srv": "MONGODB",
}
_OTHER_CONNECTIONS: Final = tuple(
    LazyRegex(form, re.IGNORECASE)
    for form in (
        r"(?:;|\b)(?:password|pwd|accountkey|sharedaccesskey|sharedsecret"
        r"|primarykey)=(?P<value>[^;\s\"'`<>&]{3,200})(?=[;&\"'`\s]|\Z)",
        r"(?:sqlplus|oracle:thin:|jdbc:oracle:\w+:)[ ]?@?\w{1,40}/(?P<value>[^\s@/\"']{4,100})@",
        r"[\w.-]{2,80}:(?:\d{2,5}|\*):[\w*-]{1,40}:[\w-]{1,40}:(?P<value>[^\s:]{4,100})\Z",
        r"https?://(?P<value>[A-Za-z0-9_-]{20,200})@[\w.-]{3,100}",
        r"(?<![\w:])//[\w.-]{1,60}:(?P<value>[^\s:/@\"']{4,100})@[\w.-]{1,100}/",
    )
)


def connections(line: str) -> Iterator[SecretSpan]:
    """Yield the passwords in connection strings and addresses."""
    for match in CONNECTION.finditer(line):
        value = match.group("value")
        if not is_placeholder(value) and value.lower() not in (
            "password",
            "pass",
            "pwd",
            "passwd",
            "<password>",
        ):
            scheme = match.group("scheme").lower()
            name = _CONNECTION_NAMES.get(scheme, variable_name(scheme))
            yield SecretSpan(*match.span("value"), "password in a connection string", f"{name}_PASSWORD")
    for form in _OTHER_CONNECTIONS:
        for match in form.finditer(line):
            value = match.group("value")
            if is_password(value, ends_line=True, quoted=True) and (
                ";" in line or "://" in line or "@" in line or ":" in line
            ):
                yield SecretSpan(*match.span("value"), "password in a connection string", "DATABASE_PASSWORD")


_SERVICES: Final = LazyRegex(
    r"(?<![\w@/])(?P<name>(?:"
    + "|".join(map(re.escape, sorted(SERVICES, key=len, reverse=True)))
    + r")(?![a-z]))"
    r"(?P<gap>[^\n:：=|→`]{0,30}?)[\"'`*_)]{0,4}[ \t]{0,3}(?:=>|->|[:：=|→–—-]|\bis\b|は|是)?[ \t]{0,3}[\"'`*_(]{0,4}"
    r"(?P<value>[A-Za-z0-9+/_-]{20,200}={0,2})(?![\w.-])",
    re.IGNORECASE,
)
_NOTED: Final = LazyRegex(
    r"(?P<name>\b(?:key|keys|account|service|api|auth|authentication|login|access|credentials?|schlüssel|konto"
    r"|dienst|clé|compte|clave|cuenta"
    r"|conta|servicio|serviço|servizio|ключ|сервис|аккаунт|usługa|konto|dienst|sleutel|hesap|servis)\b|服务|服務"
    r"|账号|帳號|接口|サービス|アカウント|서비스|계정)"
    r"(?P<gap>[^\n:：=|→`/]{0,30}?)[\"'`*_)]{0,4}[ \t]{0,3}(?:=>|->|[:：=|→–—]|\bis\b|は|是"
    r"|[ ]-)[ \t]{0,3}[\"'`*_(]{0,4}"
    r"(?P<value>[A-Za-z0-9+/_-]{20,200}={0,2})(?![\w.-])",
    re.IGNORECASE,
)
_HEX: Final = re.compile(r"[0-9a-fA-F]{32,128}")
_NO_KEY: Final = LazyRegex(
    r"\b(?:id|ids|commit|hash|sha\d*|md5|digest|checksum|page|database|doc|document|place|trace|span|run|job"
    r"|build|image|tag|gist|etag|rev"
    r"|revision|blob|tree|model|playlist|track|video|channel|board|workspace|folder|file|sheet|event|session"
    r"|request|zone|bucket"
    r"|region|version|release|branch|url|endpoint|customer|invoice|order|payment|block|view|collection|uuid"
    r"|fingerprint|user|org|public"
    r"|publishable|serial|device|entity)s?\b|[_-]id\b",
    re.IGNORECASE,
)
LONG_VALUE: Final = re.compile(r"(?<![\w/.])(?=[A-Za-z+/_-]{0,40}\d)[A-Za-z0-9+/_-]{20,}(?![\w.])")


def noted_keys(line: str) -> Iterator[SecretSpan]:
    """Yield hex and base64 after the name of a service, key or account."""
    if not LONG_VALUE.search(line):
        return
    for form in (_SERVICES, _NOTED):
        for match in form.finditer(line):
            value = match.group("value").rstrip(".-")
            label = line[max(0, match.start() - 30) : match.start("value")]
            if (
                _NO_KEY.search(label)
                or NO_SECRET_LABEL.search(label)
                or "://" in label
                or "/" in match.group("gap")
            ):
                continue
            if match.group("name").lower().startswith(("git", "bitbucket")) and re.fullmatch(
                r"[0-9a-f]{40}", value
            ):
                continue
            if _is_key(value):
                start = match.start("value")
                yield SecretSpan(
                    start, start + len(value), "token", variable_name(f"{match.group('name')} key", "KEY")
                )


_NAMED: Final = re.compile(r"sha-?\d{1,3}-|[a-z]+(?:-(?:[a-z]+|v?\d+))+\Z")


def _is_key(value: str) -> bool:
    if (
        value.startswith("-") or is_uuid(value) or _NAMED.match(value)
    ):  # the rest of a name, such as a model's
        return False
    if _HEX.fullmatch(value):
        return len(set(value)) > 5
    return (
        (len(value) >= 20 or value.isalnum())
        and is_token(value)
        and is_short_token(value)
        and not re.search(r"[a-z]{9}|\.|--", value)
    )
