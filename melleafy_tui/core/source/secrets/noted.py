"""Finds secrets that no label of their own names: pairs of user and password, Wi-Fi lines, codes of doors, defaults."""

import re
from collections.abc import Iterator
from typing import Final

from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.source.secrets.fields import NO_SECRET_LABEL, value_at
from melleafy_tui.core.source.secrets.labels import (
    ACCOUNT,
    CODE,
    LOGIN_VERBS,
    PLACE,
    PLAIN_USERS,
    ROUTERS,
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
    is_lone_word,
    is_mixed,
    is_name_in_code,
    is_password,
    is_pin,
    is_prose,
    is_short_token,
    is_token,
    is_unmistakable_password,
    is_uuid,
)

_ACCOUNTS: Final = ACCOUNT.split("|")
_USER: Final = r"[\"'`*_]{0,3}(?P<user>[\w.@+%\\-]{1,64})[\"'`*_]{0,3}"
_BETWEEN: Final = (
    r"[ \t]{0,3}(?P<between>/|／|\||:|：|,|，|、|→|->|=>|\+|;|·|–|—|-|und|and|y|et|e|with|mit|con|com|met|и|і|z|ve|ile"
    r"|avec)[ \t]{1,3}|[:/／、，](?=\S)"
)
PAIR_STARTS: Final = Starts(
    (
        *spelled(_ACCOUNTS),
        *((*re.escape(user), r"(?=[\"'`]?[ \t]?[/:])") for user in PLAIN_USERS.split("|")),
        *spelled(LOGIN_VERBS.split("|")),
        ("@",),
        *literal(("u: ", "u:", "帳密", "账密", "帐密", "portal", "superuser", "credenzial", "registered as")),
        *((*re.escape(user), " ", "and ") for user in ("admin", "root")),
    )
)
PAIR_VALUE: Final = re.compile(r"\d|(?i:pw|pass|use |with )")
PAIR: Final = LazyRegex(
    rf"(?:(?P<account>{pattern(sorted(_ACCOUNTS, key=len, reverse=True))})[\w/ -]{{0,16}}[\"'`*_)]{{0,3}}[ \t]{{0,3}}"
    r"(?:[:：=→は是|]|\b(?:is|as|with|ist|mit|als|con|como|avec|com)\b|->)?[ \t]{0,3}"
    rf"|(?<![\w/.])(?=[\"'`]?(?:(?i:{PLAIN_USERS})[\"'`]?[ \t]?[/:]"
    rf"|[\w.+-]{{1,40}}@[\w.-]{{3,40}}[\"'`]?[ \t]{{0,2}}(?:[/:|,–—·-]|(?:with|and|mit|con|avec|com|y|e"
    rf"|et|и|і|z|met)[ ]))))"
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
        if (
            value is not None
            and _is_second_half(value.text)
            and (is_unmistakable_password(value.text) or _is_varied(value.text))
        ):
            yield SecretSpan(value.start, value.end, "password", "PASSWORD")
    for match in _PLAIN_PAIR.finditer(line):
        yield SecretSpan(*match.span("value"), "password", "PASSWORD")
    if is_prose(line) and LOGIN_STARTS.search(lowered(line)):
        yield from _logins(line)


def _is_second_half(value: str) -> bool:
    """Return whether a value can be the password of a pair, and is no path, name or date."""
    return (
        "/" not in value
        and value.isascii()
        and not is_name_in_code(value)
        and not _HYPHENATED.fullmatch(value)
        and is_password(value, ends_line=False, quoted=False)
        and not _DATED.match(value)
    )


def _is_varied(value: str) -> bool:
    """Return whether a short value mixes letters with digits, and has a capital, a mark or two digits."""
    return (
        is_mixed(value)
        and len(value) >= 6
        and not re.search(r"[:()]|\.\.|&#|x27", value)
        and re.search(r"(?=.*\d)(?=.*[a-z])(?:.*[A-Z].*\d|.*[!#$%&*+=?@_]|.*\d.*\d)", value) is not None
        and re.search(r"[A-Za-z]{3}|[!#$%&*?@]", value) is not None
        and re.fullmatch(r"[a-z]+-\d+[a-z]", value) is None
    )


LOGIN_STARTS: Final = Starts(spelled(LOGIN_VERBS.split("|")))
_ANY_USER: Final = r"(?<![\w/.:#@-])[\"'`]?(?P<user>[A-Za-z0-9][\w.@+-]{1,60})[\"'`]?"
_LOGINS: Final = tuple(
    LazyRegex(form, re.IGNORECASE)
    for form in (
        rf"{_ANY_USER}(?:[ ]{{1,2}}[/／·][ ]{{1,2}}|[/／:](?=\S)|`?[:/][ ]?`)",
        rf"(?:\b(?:as|als|como|come|com|con|mit|with|jako|как|як|avec|met|que|user|usuario|użytkownik)|用"
        rf"|以)[ ]{{0,2}}{_ANY_USER}"
        r"[ ](?:with|mit|con|com|avec|z|met|y|e|et|and|und|i|en|ve|и|і|з|с|和|,)[ ]{1,2}",
        rf"{_ANY_USER}[ ](?:ve|和|と|과|와)[ ]{{1,2}}",
        rf"\b(?:creds|credentials|login|zugangsdaten|identifiants"
        rf"|logindaten)[ ]?[:：=]?[ ]{{1,2}}{_ANY_USER}[ ]{{1,2}}(?=\S*\d)",
        rf"[(（]{_ANY_USER}[ ]?,[ ]{{1,2}}(?=[^()（）\s]+[)）])",
    )
)


def _logins(line: str) -> Iterator[SecretSpan]:
    """Yield the passwords of user and password on a line on which somebody logs in."""
    for form in _LOGINS:
        for match in form.finditer(line):
            value = value_at(line, match.end())
            if (
                value is None
                or match.group("user")[-2:] in (".g", ".e", "g.")
                or "://" in line[max(0, match.start() - 10) : match.end() + 3]
            ):
                continue
            before = line[max(0, match.start() - 40) : match.start()]
            loose = (
                match.group("user").lower() in _PLAIN or " " in match.group() or _JUST_BEFORE.search(before)
            )
            if loose and _is_second_half(value.text) and _is_varied(value.text):
                yield SecretSpan(value.start, value.end, "password", "PASSWORD")


_JUST_BEFORE: Final = LazyRegex(
    rf"(?:{pattern(LOGIN_VERBS.split('|'))})[\w ]{{0,14}}[:：]?[ ]?[\"'`]?\Z", re.IGNORECASE
)
_PLAIN: Final = frozenset(PLAIN_USERS.split("|"))
_PLAIN_PAIR: Final = LazyRegex(
    r"\b(?:use|try|with|as|using)[ ](?:root|admin|guest|pi|kodi|demo)[ ]?/[ ]?(?P<value>[a-z]{7,24})(?![\w/.])",
    re.IGNORECASE,
)
_SERVICE_LINE: Final = LazyRegex(
    r"\A[ \t>]*(?:[-*+][ ]|\d+[.)][ ])?[*_`]{0,2}[\w.][\w .&()-]{1,30}[*_`]{0,2}(?:[ ]?[:：]|[ ][–—-])[ ]"
    r"[\"'`]?(?P<user>[\w.@+-]{2,60})[\"'`]?(?:[ ]{1,2}[/|–—·][ ]{1,2}"
    r"|:(?=\S*[A-Z])(?=\S*\d))[\"'`]?(?P<value>[^\s\"'`]{6,60})[\"'`]?[ \t]*\Z"
)


_MAIL_LINE: Final = LazyRegex(
    r"[\w.+-]{1,40}@[\w-]{1,40}(?:\.[\w-]{2,20}){1,3}[)\"'`]?[ ]?(?P<sign>[:/|,–—·-]?)[ ]{1,2}[\"'`]?"
    r"(?P<value>[^\s\"'`]{6,60})[\"'`]?[ \t]*\Z"
)


def service_lines(line: str) -> Iterator[SecretSpan]:
    """Yield the password of a line that is a service with user and password: `Jira: anna / Sprint42!`."""
    mail = _MAIL_LINE.search(line)
    if mail and is_prose(line):
        value = mail.group("value")
        if (_is_second_half(value) and _is_varied(value)) or (
            mail.group("sign") == "/" and is_lone_word(value)
        ):
            yield SecretSpan(*mail.span("value"), "password", "PASSWORD")
    match = _SERVICE_LINE.match(line)
    if match and is_prose(line):
        value = match.group("value")
        alike = value[:3].lower() == match.group("user")[:3].lower() or "_" in value
        if (
            not alike
            and _is_second_half(value)
            and re.search(r"\d", value)
            and re.search(r"[A-Z]|[!#$%&*+=?@_]", value)
            and is_mixed(value)
        ):
            yield SecretSpan(*match.span("value"), "password", "PASSWORD")


_HYPHENATED: Final = re.compile(r"[a-z]+(?:-[a-z]+){2,}(?:-v?\d{1,3})?")
_DATED: Final = re.compile(
    r"\d{1,4}[-.:/]\d|v?\d+\.\d|[\d.,]+[A-Za-z%€]{1,3}\Z|\w+@\w+|[a-z]+-[a-z]+-?\d{0,2}\Z"
)
_WIFI_WORDS: Final = tuple(
    word for word in WIFI.split("|") if word not in ("network", "netz", "router", "网络")
)
WIFI_STARTS: Final = Starts(
    (*spelled(_WIFI_WORDS), *literal(("wifi:", "router", "modem", "fritz", *ROUTERS.split("|"))))
)
_WIFI: Final = LazyRegex(
    rf"(?:{pattern(_WIFI_WORDS)})[^:：=|\n/]{{0,30}}[ \t]{{0,3}}(?:[:：=|]|\")?[ \t]{{0,3}}[\"'`*]{{0,3}}"
    r"(?P<name>[^/|:,;\"`\n→]{1,40}?)[\"'`*]{0,3}[ \t]{0,3}"
    r"(?:/{1,2}|→|->|\||[ ]>[ ]|[ ][(（](?=[^()\s]+[)）])|[ ][-–—][ ]|[,;][ ](?:key|code|psk|schlüssel"
    r"|clé|chiave|clave|chave|pw"
    r"|pass)?[:= ]{0,3}|[ ]key[ :=]{1,3}|[ ]psk[ :=]{1,3})",
    re.IGNORECASE,
)
_QR: Final = re.compile(r"WIFI:[^\n]{0,80}?;?P:(?P<value>(?:\\.|[^;\\\n]){4,80})")


_WIFI_VALUE: Final = LazyRegex(
    r"\b(?:wi-?fi|wlan)\b[^\n:：=/|]{0,24}[:：][ ]?(?P<value>[A-Za-z\d!#$%&*?@-]{8,40})[ \t]*\Z",
    re.IGNORECASE,
)
_ROUTER: Final = LazyRegex(
    r"\b(?:router|modem|fritz!?box|access point|gateway)\b[^\n]{0,40}?\b(?:admin|root|user|administrator)[ ]?[,/:][ ]?"
    r"(?=[^\s,;]*\d)(?P<value>[^\s,;()\"'`]{6,40})(?![\w/])",
    re.IGNORECASE,
)


def wireless(line: str) -> Iterator[SecretSpan]:
    """Yield the keys of wireless networks: `Wi-Fi: Home / key`, and the text of QR codes."""
    for match in _QR.finditer(line):
        yield SecretSpan(*match.span("value"), "password", "WIFI_PASSWORD")
    for match in _WIFI_VALUE.finditer(line):
        if is_unmistakable_password(match.group("value")) and not is_name_in_code(match.group("value")):
            yield SecretSpan(*match.span("value"), "password", "WIFI_PASSWORD")
    for match in _ROUTER.finditer(line):
        if is_password(match.group("value"), ends_line=True, quoted=False):
            yield SecretSpan(*match.span("value"), "password", "ROUTER_PASSWORD")
    for match in _WIFI.finditer(line):
        value = value_at(line, match.end())
        if (
            value is None
            or line[: match.start()].endswith("_")  # a name in code
            or len(value.text) < 8
            or (line[: value.start].rstrip()[-1:] in "(（" and not re.search(r"\d", value.text))
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
    r"|[0-9]{3}-[0-9]{3}(?![\w-])|[0-9]{1,3}(?:(?:[-–/,]|[ ]?-[ ]?)[0-9]{1,3}){2,4}(?!\w)"
    r"|(?-i:(?=[A-ZА-Я]*\d)(?=\d*[A-ZА-Я])[A-ZА-Я0-9]{4,8}[#*]?)(?![\w-]))"
)
_NO_CODE: Final = LazyRegex(
    r"\b(?:ending|ends|endet|endend|terminad[ao]|finit|finale|finissant|eindigend|line|zeile|page|version"
    r"|since|until|year|http|status|error|review|postal|area|zip|qr|exit|country"
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
    r"(?P<value>[#*]?\d{4,8}[A-Z]?[#*]?|\d{1,4}[A-ZА-Я]\d{2,6}|[#*]?\d{1,2}(?:-\d{1,2}){2,3}"
    r"|\d{4}(?=[ ](?:zum|to|for|then|bis|until|pour|para"
    r"|per|для|do|om|için)[ ]))(?![A-Za-z0-9_%€$]|[-.,:/]\w)(?P<end>[ ](?:zum|to|for|then|bis|until|pour"
    r"|para|per|для|do|om|için)[ ])?(?(end)|(?![ ]\w))",
    re.IGNORECASE,
)
_COMPOUND: Final = re.compile(r"(?i:tür|tor|schloss|lock|alarm|box|safe|deur|slot|fach|code)|[^\x00-\x7f]")
"""Places that end a longer word: `Haustür`, `padlock`."""
_OPENED: Final = LazyRegex(
    r"door|gate(?!way|d)|garage|tür|tor\b|haus|porte|portail|puerta|port[óo]n|portão|cancello|двер|ворот"
    r"|drzwi|bram|deur"
    r"|poort|kapı|домофон|intercom|entry|entrance|подъезд|tresor|schloss|klatk|домофону|玄関|门|門|현관"
    r"|대문|lock|safe|tresor|alarm|coffre|cofre|сейф|kluis|金庫|금고|保险",
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
    if joint.group("sign").strip(" \t\"'`*_)]") and (
        not joint.group("value").isdecimal() or "change" in joint.group("sign").lower()
    ):
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
    for match in _matches(_KEYPAD, PLACE_STARTS, line, lower) if is_prose(line) else ():
        if lower[match.start() - 1 : match.start()].isalpha() and not _COMPOUND.match(match.group("place")):
            continue
        if lower.startswith(("way", "keeper"), match.end("place")):
            continue
        digits = match.group("value").strip("#*")
        rest = line[match.end() :].lstrip(" \t`*_\"'")[:1]
        alone = match.group("end") or rest in ("", *",.;|)），、。")
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
NO_KEY: Final = LazyRegex(
    r"\b(?:id|ids|commit|hash|sha\d*|md5|digest|checksum|page|database|doc|document|place|trace|span|run|job"
    r"|build|image|tag|gist|etag|rev"
    r"|revision|blob|tree|model|playlist|track|video|channel|board|workspace|folder|file|sheet|event|session"
    r"|request|zone|bucket"
    r"|region|version|release|branch|url|endpoint|customer|invoice|order|payment|block|view|collection|uuid"
    r"|fingerprint|user|org|public|ssh-\w+"
    r"|publishable|serial|device|entity)s?\b|[_-]id\b|序列号|序號|编号|編號|prüfsumme|somme de contr|suma de|soma de"
    r"|somma di|контрольн|хеш|хэш|校验|校驗|哈希|雜湊|チェックサム|ハッシュ|해시|체크섬|\"[xy]\"",
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
                NO_KEY.search(label)
                or NO_SECRET_LABEL.search(label)
                or "://" in label
                or "/" in match.group("gap")
            ):
                continue
            if match.group("name").lower().startswith(("git", "bitbucket")) and re.fullmatch(
                r"[0-9a-f]{40}", value
            ):
                continue
            if is_key(value):
                start = match.start("value")
                yield SecretSpan(
                    start, start + len(value), "token", variable_name(f"{match.group('name')} key", "KEY")
                )


_NAMED: Final = re.compile(r"sha-?\d{1,3}-|[A-Z]+(?:-[A-Z\d]+)+\Z|[a-z]+(?:-(?:[a-z]+|v?\d+))+\Z")


def is_key(value: str) -> bool:
    """Return whether a long word is hex or random text, and no name."""
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
        and not re.search(r"\.|--" if len(value) >= 32 and value.isalnum() else r"[a-z]{9}|\.|--", value)
    )
