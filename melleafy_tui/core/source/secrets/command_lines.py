"""Finds secrets in addresses, on command lines and as the default of a variable or an option."""

import re
from collections.abc import Iterator
from typing import Final

from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.source.secrets.fields import (
    LABEL_STARTS,
    NO_SECRET_LABEL,
    PASSWORD_LABEL,
    SECRET_LABEL,
)
from melleafy_tui.core.source.secrets.labels import Starts, literal, lowered
from melleafy_tui.core.source.secrets.odd_words import is_joined
from melleafy_tui.core.source.secrets.spans import SecretSpan, label_at, variable_name
from melleafy_tui.core.source.secrets.values import (
    is_dotted_phrase,
    is_mixed,
    is_name_in_code,
    is_passphrase,
    is_password,
    is_placeholder,
    is_random,
    is_short_token,
    is_token,
    is_unmistakable_password,
)

_NAME_OF_VARIABLE: Final = r"(?P<name>[A-Za-z_][\w.-]{1,60})"
_NAME_OF_VARIABLE_OR_NUMBER: Final = r"(?P<name>\d|[A-Za-z_][\w.-]{1,60})"
_QUOTED_VALUE: Final = r"[\"'`](?P<value>[^\"'`\n]{4,300})[\"'`]"
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
        rf"(?:(?P<set>[A-Za-z_]\w{{1,60}})=[\"']?)?\$\{{{_NAME_OF_VARIABLE_OR_NUMBER}:?[-=:]?(?<=[-=:])[\"']?"
        r"(?P<value>[^}\"'\s$]{4,300})[\"']?\}",
        r"(?:key|name|id)=[\"'](?P<name>[\w .:-]{2,60})[\"'][ \t]+value=[\"'](?P<value>[^\"'\n]{4,300})[\"']",
        rf"{_NAME_OF_VARIABLE}[ \t]*=[ \t]*(?:new[ ])?(?:String|SecretStr|Secret|Password|bytes"
        rf"|b64decode)(?:\.\w+)?\([ \t]*b?[\"'](?P<value>[^\"'\n]{{4,300}})[\"']",
        r"(?P<name>ConvertTo-SecureString|IDENTIFIED BY|SecureString)[ \t]+(?:-String[ ])?" + _QUOTED_VALUE,
        r"(?:setItem|set_password|setPassword|set|define)\([ \t]*[\"'](?P<name>[\w .-]{2,60})[\"'][ \t]*,[ \t]*"
        r"(?:[\"'][\w .@-]{1,60}[\"'][ \t]*,[ \t]*)?[\"'`](?P<value>[^\"'`\n]{4,300})[\"'`]",
    )
)
DEFAULT_STARTS: Final = Starts(
    literal(
        (
            *("env", "${", "value=", "string", "secret", "password(", "bytes(", "b64decode", "set_password"),
            *("setpassword", "setitem", "define(", "config(", "set(", "fetch", "identified by"),
        )
    )
)


def defaults(line: str) -> Iterator[SecretSpan]:
    """Yield the values that stand in for a secret variable: `getenv("TOKEN", "value")`, `${TOKEN:-value}`."""
    for form in _DEFAULTS:
        for match in form.finditer(line):
            name, value = match.groupdict().get("set") or match.group("name"), match.group("value")
            if NO_SECRET_LABEL.search(name):
                continue
            secret = SECRET_LABEL.search(name) or name in _SAYS_SECRET
            kept = is_password(value, ends_line=True, quoted=True) or is_token(value) or is_joined(value)
            if (secret and kept) or is_random(value) or re.fullmatch(r"[0-9a-f]{32,64}", value):
                password = bool(PASSWORD_LABEL.search(name))
                yield SecretSpan(
                    *match.span("value"), "password" if password else "token", variable_name(name)
                )


QUOTED_STARTS: Final = Starts((*LABEL_STARTS.paths, *literal(("pass", "pwd", "login"))))
_IN_QUOTES: Final = re.compile(
    r"[\w.:# *-]{0,24}[\"'`\])]{0,3}(?P<gap>[^\n\"'`;]{0,60})[bru]?[\"'`](?P<value>[^\s\"'`]{5,200})\\?[\"'`]"
)
_CODE_OF_PATTERN: Final = re.compile(r"[\\(){}\[\]|<>]|a-z|0-9|\$")
_IS_NAME: Final = re.compile(r"[\"'\]]{0,2}[ \t]*(?:=>?|:)")
_CAMEL: Final = re.compile(
    r"[a-z0-9](?:Pass|Pwd|Psk|Passwd)[ \t]*[:=]{1,2}[ \t]*[\"'`](?P<value>[^\s\"'`]{5,200})[\"'`]"
)
_APP_PASSWORD: Final = re.compile(r"[\"'`](?P<value>(?:[a-z]{4} ){3}[a-z]{4})[\"'`]")
"""Google shows the passwords of apps as four groups of letters."""
_JOINS: Final = re.compile(r"[=,(|?:+]|\bor\b|\Z")


def quoted_values(line: str) -> Iterator[SecretSpan]:
    """Yield the quoted values that code gives to a name: `fill("#password", "value")`, `"--token", default="value"`."""
    for start in LABEL_STARTS.finditer(lowered(line)):
        label = SECRET_LABEL.match(line, start.start())
        found = label and _IN_QUOTES.match(line, label.end())
        if not label or not found or not _JOINS.search(found.group("gap")):
            continue
        value, named = found.group("value"), label_at(line, start.start(), label.end())
        around = f"{named}{line[label.end() : found.start('value')]}"
        if _CODE_OF_PATTERN.search(value) or (
            named.lower().endswith("pass") and not _IS_NAME.match(line, label.end())
        ):
            continue
        if (
            NO_SECRET_LABEL.search(around)
            or (is_name_in_code(value) and not is_dotted_phrase(value))
            or "://" in around
        ):
            continue
        password = label.lastgroup == "password"
        secret = (
            label.group().lower().startswith("secret")
            and is_unmistakable_password(value)
            and is_password(value, ends_line=True, quoted=True)
        )
        if (
            (is_mixed(value) or is_dotted_phrase(value))
            if password
            else (secret or is_token(value) or is_short_token(value))
        ):
            yield SecretSpan(*found.span("value"), "password" if password else "token", variable_name(named))
    for match in (*_CAMEL.finditer(line), *_APP_PASSWORD.finditer(line)):
        value = match.group("value")
        if " " in value or (is_mixed(value) and not is_name_in_code(value)):
            yield SecretSpan(*match.span("value"), "password", "PASSWORD")


_SAYS_SECRET: Final = frozenset(("ConvertTo-SecureString", "IDENTIFIED BY", "SecureString"))
"""Words that only a password follows."""

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
    (("net use",), r"\bnet use\b[^\n]{0,40}?\\\\\S+[ \t]+(?P<value>[^\s/]{4,100})[ \t]+/user"),
    (("net use",), r"\bnet use\b[^\n]{0,120}?/user:\S{1,60}[ \t]+" + _ARGUMENT),
    (
        ("chpasswd",),
        r"\becho[ \t]+[\"']?[\w.-]{1,40}:"
        + r"(?P<value>[^\s\"'`|<>]{4,200})"
        + r"[\"']?[ \t]*\|[ \t]*(?:sudo[ \t]+)?chpasswd",
    ),
    (
        ("auth", "login("),
        r"(?:\bauth[ \t]*=[ \t]*\(|\blogin\(|BasicAuth\(|\bauthenticate\("
        r"|Credentials?\()[ \t]*[\"'][^\"'\n]{1,64}[\"'][ \t]*,[ \t]*[\"']"
        r"(?P<value>[^\"'\n]{4,100})",
    ),
    (("ldap",), r"\bldap\w{3,8}\b[^\n|]{0,160}?[ \t]-w[ \t]*" + _ARGUMENT),
    (("mongo",), r"\bmongo\w*\b[^\n|]{0,160}?[ \t](?:-p|--password)[ \t=]+" + _ARGUMENT),
    (("influx",), r"\binflux\b[^\n|]{0,120}?[ \t]-{1,2}password[ \t=]+" + _ARGUMENT),
    (("lftp",), r"\blftp\b[^\n|]{0,80}?[ \t]-u[ \t]*[\w.@-]{1,40},(?P<value>[^\s\"'`|<>]{4,200})"),
    (("rclone",), r"\brclone[ \t]+obscure[ \t]+" + _ARGUMENT),
    (
        ("openssl",),
        r"\bopenssl\b[^\n|]{0,120}?[ \t](?:-k|-K|-passin|-passout|-pass)[ \t]+(?:pass:)?" + _ARGUMENT,
    ),
    (("snmp",), r"\bsnmp\w+\b[^\n|]{0,80}?[ \t]-(?:c|A|X)[ \t]+" + _ARGUMENT),
    (("echo",), r"<\(echo[ \t]+" + _ARGUMENT.replace("<>]", "<>)]")),
    (("/p:", "/password:", "/pass:"), r"[ \t]/p(?:ass(?:word)?)?:" + _ARGUMENT),
    (("vnc",), r"\bvnc\w+\b[^\n|]{0,80}?[ \t](?:-?passwd|-p)[ \t=]+" + _ARGUMENT),
    (("ftp", "ncftp"), r"\b(?:nc)?ftp(?:put|get|ls)?\b[^\n|]{0,80}?[ \t]-p[ \t]+" + _ARGUMENT),
    (("user",), r"\bCREATE (?:USER|ROLE|LOGIN)\b[^\n]{0,80}?\bPASSWORD[ \t=]+" + _ARGUMENT),
    (("-p",), r"(?:sshpass|plink|pscp|mysql)[\"'][ ]?,[ ]?[\"']-p[\"'][ ]?,[ ]?" + _ARGUMENT),
    (
        ("expect", "send"),
        r"(?:expect"
        r"|assert)\b[^\n]{0,40}?(?i:passw)[^\n]{0,20}?\bsend(?:line)?\b[^\n\"']{0,8}[\"'](?P<value>[^\s\"'\\]{4,80})",
    ),
    (
        ("login", "basicauth"),
        r"(?:\blogin|\.auth|BasicAuth|authenticate|Credentials?"
        r"|connect)\([ \t]*[\w.]{1,40}[ \t]*,[ \t]*[\"'](?P<value>[^\"'\n]{4,100})[\"']",
    ),
    (
        ("set_password", "setpassword"),
        r"\bset_?[pP]assword\([^)\n]{1,80},[ \t]*[\"'](?P<value>[^\"'\n]{4,100})[\"'][ \t]*\)",
    ),
    (
        ("auth", "login(", "credential", "sign_in(", "signin("),
        r"\b\w{0,20}(?:[lL]ogin|[aA]uth\w{0,12}|[cC]redentials?"
        r"|sign_?[iI]n)\([^()\n]{0,80},[ \t]*[\"'](?P<value>(?=[^\s\"']*\d)[^\s\"'.:/]{6,80})[\"'][ \t]*[,)]",
    ),
    (
        ("connect(",),
        r"\bconnect\([^()\n]{0,80},[^()\n]{0,80},[ \t]*[\"'](?P<value>(?=[^\s\"']*\d)[^\s\"'.:/]{6,80})[\"'][ \t]*[,)]",
    ),
    (("plainauth",), r"PlainAuth\([^,\n]{0,40},[^,\n]{1,60},[ \t]*[\"'](?P<value>[^\"'\n]{4,100})[\"']"),
    (("wifi.begin",), r"(?i:wifi)\.begin\([ \t]*[^,\n]{1,60},[ \t]*[\"'](?P<value>[^\"'\n]{8,63})[\"']"),
    (
        ("jwt", "hmac", "createhmac", "fernet"),
        r"(?:jwt\.(?:sign|encode|decode|verify)\([^,\n]{1,60},|hmac\.new\(|createHmac\([^,\n]{1,30},"
        r"|Fernet\()[ \t]*b?[\"'](?P<value>[^\s\"'\n]{8,200})[\"']",
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
        r"https?://(?P<value>[A-Za-z0-9_-]{20,200})(?::[^\s@/]{1,200})?@[\w.-]{3,100}",
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
