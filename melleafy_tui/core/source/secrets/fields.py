"""Finds the values of labelled fields, `Password: ...` or "the PIN of the safe is ...", in 14 languages."""

import re
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.source.secrets.labels import (
    NO_GAP,
    NO_SECRET,
    PASSWORD,
    PIN,
    RECOVERY,
    TOKEN,
    WIFI,
    Starts,
    lowered,
    pattern,
    spelled,
    words,
)
from melleafy_tui.core.source.secrets.spans import SecretSpan, label_at, variable_name
from melleafy_tui.core.source.secrets.values import (
    is_dotted_phrase,
    is_grouped_code,
    is_lone_word,
    is_mixed,
    is_name_in_code,
    is_passphrase,
    is_password,
    is_pin,
    is_prose,
    is_said_phrase,
    is_short_token,
    is_solid,
    is_token,
    is_unmistakable_password,
    is_uuid,
    is_worded_phrase,
)

LABEL: Final = LazyRegex(
    "|".join(
        f"(?P<{kind}>{pattern(words(table))})"
        for kind, table in (("recovery", RECOVERY), ("pin", PIN), ("password", PASSWORD), ("token", TOKEN))
    ),
    re.IGNORECASE,
)
SECRET_LABEL: Final = LABEL
PASSWORD_LABEL: Final = LazyRegex(pattern(words(PASSWORD)), re.IGNORECASE)
LABEL_STARTS: Final = Starts(spelled(words(RECOVERY, PIN, PASSWORD, TOKEN)))
"""Every label begins at one of these."""

NO_SECRET_LABEL: Final = LazyRegex(NO_SECRET, re.IGNORECASE)
SPEAKS_OF_IT: Final = LazyRegex(NO_GAP, re.IGNORECASE)
ON_WIFI: Final = LazyRegex(WIFI, re.IGNORECASE)
_REST: Final = re.compile(r"[A-Za-z0-9_]{0,24}[à-öø-žа-яёіїєґ]{0,5}", re.IGNORECASE)
_CLOSE: Final = r"[\"'`*_)\]」』）}”’\\]{0,4}[ \t]{0,4}"
_VERBS: Final = (
    r"is|are|was|lautet|ist|sind|est|es|è|é|jest|to|brzmi|equals|(?:re)?set[ ]to|changed[ ]to|became|wants|reads|says"
    r"|heißt|war|wurde|c['’]est|était|era|sarebbe|будет|був|буде|было|был|є|was|werd|wordt|oldu|olacak|should[ ]be"
    r"|должен[ ]быть|will[ ]be|remains"
)
_SIGN: Final = (
    rf"(?P<sign>=>|->|-->|:=|==?|\|\||\?\?|\?:|:(?![-=?+]|//)|[：|→＝➜⇒]|(?<=[ \t])[-–—](?=[ \t])|[—–]"
    rf"|\((?=[\"'])|>(?!=)|\?(?=[ \t]\S*\d)"
    rf"|\b(?P<verb>{_VERBS})\b(?:[ ](?:now|currently|still|always|just|simply|again|jetzt|nun|noch"
    rf"|aktuell|ahora|actualmente|maintenant|toujours"
    r"|agora|ancora|adesso|теперь|сейчас|тепер|teraz|nu|nog|artık|şimdi))?"
    r"|(?:(?:已|被|重)?(?:改|设|設|换|換|更新|修改|设置|設置|設定)(?:成了?|为|為|到了?)|现在是|目前是"
    r"|現在是|就是|应该是|應該是"
    r"|は|是|为|為|:|：|은|는|이|가|が|を|를|을)(?:[:：])?|['’]s(?=[ ]))"
)
_DIRECT: Final = LazyRegex(rf"{_CLOSE}{_SIGN}", re.IGNORECASE)
_GAPPED: Final = LazyRegex(
    r"(?P<gap>[ \t]?(?:[^\s:：=|→,;!?。，、\"`(（]{0,24}|[\(（][^()（）\n]{0,40}[\)）]|[\"`][\w .-]{1,24}[\"`])"
    r"(?:[ \t](?:[^\s:：=|→,;!?。，、\"`(（]{1,24}|[\(（][^()（）\n]{0,40}[\)）]|[\"`][\w .-]{1,24}[\"`])){0,6}?)"
    rf"{_CLOSE}{_SIGN}",
    re.IGNORECASE,
)
_NEAR: Final = re.compile(_CLOSE)
_PIN_AFTER_WORDS: Final = re.compile(
    r"(?:[ \t](?:[^\W\d]{1,14}|[(（][^()\d]{1,24}[)）])){1,4}[ \t](?P<value>\d{4,8})(?=[ \t]*[.,;)]|[ \t]*\Z)"
)
_NEAR_IN_BRACKETS: Final = re.compile(r"[ \t]?[\(（][^()（）\n]{1,40}[\)）][ \t]{1,2}")
_OPEN: Final = re.compile(r"[ \t]{0,4}(?:\*{1,3}|_{1,3})?[ \t]{0,4}\\?(?P<quote>``|[\"'`“„«「『‘‚])?")
_QUOTES: Final = {"“": "”", "„": "“”", "«": "»", "「": "」", "『": "』", "‘": "’", "‚": "‘’"}
_WORD: Final = re.compile(r"[^\s\"`|<>，。；、）」』]{1,300}")
_AFTER: Final = re.compile(r"[*_\"'`,;.)\]}」』）]{0,6}[ \t]*(?:\||\Z|<!--|#|//|[(（])")
_CODES: Final = re.compile(
    r"(?=[^\s]*\d|[A-Z0-9]{4,}-)[A-Za-z0-9]{3,10}(?:[-–—][A-Za-z0-9]{3,10}){0,11}"
    r"(?:[ \t]*[,;/|·][ \t]*(?=\S*\d)[A-Za-z0-9]{3,10}(?:[-–][A-Za-z0-9]{3,10}){0,11}"
    r"|[ \t]+(?=\S*\d)[A-Za-z0-9]{4,10}(?:-[A-Za-z0-9]{3,10}){0,11}){0,20}(?![A-Za-z0-9])"
)
_GROUPS: Final = re.compile(r"[A-Za-z0-9]{4}(?:[ -][A-Za-z0-9]{4}){3,7}(?![A-Za-z0-9])")
_PIN_VALUE: Final = re.compile(
    r"[#*]{0,2}[0-9]{3,12}[#*]?(?![A-Za-z0-9_%€$]|[-.,:/]\w)|[0-9]{1,4}(?:[-–/ ][0-9]{1,4}){1,4}(?!\w)"
)


_PATH_END: Final = re.compile(r"\.(?:md|json5?|ya?ml|toml|txt|py|ts|js|sh)[`\"')]{0,2}\Z")
_INSIDE_VARIABLE: Final = re.compile(r"\$\{[A-Za-z0-9_]*\Z")
_LONG_WORD: Final = re.compile(r"[a-z]{8}")
_ONE_TIME: Final = re.compile(r"2fa|totp|otp|mfa|authenticator", re.IGNORECASE)


class _Value(Struct, frozen=True):
    """The text after a label: its place, whether quotes surround it, whether it ends its line or cell."""

    start: int
    end: int
    text: str
    quoted: bool
    alone: bool


def fields(line: str) -> Iterator[SecretSpan]:
    """Yield the values of the labelled fields of a line."""
    position = 0
    lower = lowered(line)
    while start := LABEL_STARTS.search(lower, position):
        match = LABEL.match(line, start.start())
        if match is None:
            position = start.start() + 1
            continue
        position = match.end()
        for span in _of_label(line, match):
            yield span
            position = max(position, span.end)


def _of_label(line: str, match: re.Match[str]) -> Iterator[SecretSpan]:
    """Yield the value of one label; recovery codes may be several."""
    kind = str(match.lastgroup)
    if line[match.end() : match.end() + 1] == "@":  # user:pass@host
        return
    rest = _REST.match(line, match.end())
    end = rest.end() if rest else match.end()
    label = label_at(line, match.start(), end)
    if _INSIDE_VARIABLE.search(line, max(0, match.start() - 60), match.start()):
        return
    if NO_SECRET_LABEL.search(_ID_BEFORE.sub("", label)) or NO_SECRET_LABEL.search(line[end : end + 6]):
        return
    if kind == "token" and ON_WIFI.search(line[max(0, match.start() - 60) : end + 60]):
        kind = "wifi"
    found = _found(line, match.start(), end, kind, label)
    if found is not None:
        yield found
    if kind == "recovery":
        yield from _codes_after(line, found.end if found else end, label)
    elif kind == "token":
        yield from _more_tokens(line, found, end, label)


def _found(line: str, start: int, end: int, kind: str, label: str) -> SecretSpan | None:
    for joint in (_DIRECT.match(line, end), _GAPPED.match(line, end)):
        if joint is None or _speaks_of_it(joint):
            continue
        tight = joint.group("sign") == "=" and line[end : joint.end()] == "=" and line[start:end].isupper()
        verb = joint.group("verb") is not None
        if (joint.group("verb") or "").lower() == "to" and not _POLISH.match(line, start):
            continue
        value = value_at(line, joint.end(), tight=tight)
        if (
            value
            and kind == "pin"
            and (joint.group("verb") or "").lower() == "to"
            and not value.text[:1].isdigit()
        ):
            continue
        if value and kind == "token" and "gap" in joint.groupdict() and _LONG_WORD.search(value.text):
            continue
        if value is not None and (span := _judged(line, kind, label, value, verb)) is not None:
            return span
    if _DIRECT.match(line, end):
        return None
    if kind == "pin" and (far := _PIN_AFTER_WORDS.match(line, end)) and is_pin(far.group("value")):
        return SecretSpan(*far.span("value"), "access code", variable_name(label, "ACCESS_CODE"))
    near = _NEAR_IN_BRACKETS.match(line, end) or _NEAR.match(line, end)
    at = near.end() if near else end
    value = value_at(line, at)
    if value is None or kind == "recovery" or (at == end and not value.quoted):
        return None
    return _near(kind, label, value, line, start)


_ID_BEFORE: Final = re.compile(
    r"\b(?:id|budget|usage|keyboard|limits?|commit|count)[ _](?=\S)", re.IGNORECASE
)
"""An "Apple ID password" is no id."""
_MORE_TOKENS: Final = re.compile(
    r"[\"'`]?[ \t]{0,2}(?:[/,;|&+、，]|\b(?:and|und|et|y|e|и|en|i"
    r"|ve)\b)[ \t]{0,2}[\"'`]?(?P<value>[A-Za-z0-9_+/-]{16,200}={0,2})(?![\w.])"
)
_FAR_TOKEN: Final = re.compile(
    r"(?P<gap>(?:[ \t][^\W\d_]{1,16}){1,6})[ \t]{1,2}[`\"'(]?(?P<value>[A-Za-z0-9_+/-]{32,200}={0,2})(?![\w.])"
)


def _more_tokens(line: str, found: SecretSpan | None, end: int, label: str) -> Iterator[SecretSpan]:
    """Yield the other tokens of a list, or the token a few words after its label."""
    form, at = (_MORE_TOKENS, found.end) if found else (_FAR_TOKEN, end)
    match = form.match(line, at)
    if match is None or not is_token(match.group("value")) or not is_solid(match.group("value")):
        return
    if found is None and (
        SPEAKS_OF_IT.search(match.group("gap")) or NO_SECRET_LABEL.search(match.group("gap"))
    ):
        return
    yield SecretSpan(*match.span("value"), "token", variable_name(label, "TOKEN"))


_POLISH: Final = LazyRegex(r"has[łl]|kod\b|pin\b|klucz|fraza", re.IGNORECASE)
"""Words of lines on which "to" means "is"."""

_FAR_CODE: Final = re.compile(
    r"(?<![\w/.#-])(?P<value>(?=[a-z ]*\d)(?:[a-z0-9]{4}[ ]){3,12}[a-z0-9]{4}"
    r"|(?:[A-Za-z0-9]{4,6}-){2,11}[A-Za-z0-9]{4,6}|(?:[a-z]{4}[ -]){3,7}[a-z]{4}"
    r"|(?=[A-Za-z]*\d)[A-Za-z0-9]{3,6}-(?=[A-Za-z]*\d)[A-Za-z0-9]{3,6}"
    r"|(?=[a-z-]*\d)[a-z0-9]{4}-[a-z0-9]{4}|(?!(?:19|20)\d{6})\d{8}|\d{4}[ -]\d{4}"
    r"|(?=[a-z]*\d)(?=\d*[a-z])[a-z0-9]{8,20}"
    r"|(?<=[\"'])(?=[a-z]*\d)[A-Za-z0-9]{6,16}(?=[\"']))(?![\w/-])"
)
_FARTHEST_CODE: Final = 240


def _codes_after(line: str, end: int, label: str) -> Iterator[SecretSpan]:
    """Yield the codes further along a line about recovery codes: in a list, or after other words."""
    for match in _FAR_CODE.finditer(line, end, end + _FARTHEST_CODE):
        if is_grouped_code(match.group("value")):
            yield SecretSpan(*match.span("value"), "recovery code", variable_name(label, "RECOVERY_CODE"))


def _speaks_of_it(joint: re.Match[str]) -> bool:
    gap = joint.groupdict().get("gap") or ""
    return bool(
        gap
        and (
            gap[0] in "/.\\"
            or "://" in gap
            or _PATH_END.search(gap)
            or SPEAKS_OF_IT.search(gap)
            or NO_SECRET_LABEL.search(gap)
        )
    )


def value_at(line: str, position: int, *, tight: bool = False) -> _Value | None:
    """Return the value that starts at a position of a line, quoted or one word."""
    opened = _OPEN.match(line, position)
    at = opened.end() if opened else position
    quote = (opened.group("quote") if opened else None) or ""
    if quote:
        ends = [line.find(mark, at, at + 300) for mark in _QUOTES.get(quote, quote)]
        closed = min((end for end in ends if end > at), default=-1)
        if closed > at:
            text = line[at:closed].rstrip("\\")
            return _Value(at, at + len(text), text, True, True)
    word = _WORD.match(line, at)
    if word is None:
        return None
    text = _trimmed(word.group())
    alone = tight or _AFTER.match(line, at + len(text)) is not None
    return _Value(at, at + len(text), text, False, alone)


def _trimmed(value: str) -> str:
    # Closing marks belong to the sentence or the Markdown, not to the value.
    cut = value.rstrip("'’*_,;.)]}")
    if value[len(cut) : len(cut) + 1] == "}" and "{" in cut:
        cut += "}"
    return cut or value


def _judged(line: str, kind: str, label: str, value: _Value, verb: bool) -> SecretSpan | None:
    """Return the secret after a label and a sign or verb."""
    if kind == "recovery":
        return _recovery(line, label, value)
    if kind == "pin":
        plain = is_unmistakable_password(value.text)
        return _pin(line, label, value) or (_plain(line, "password", label, value, verb) if plain else None)
    return _plain(line, kind, label, value, verb)


def _recovery(line: str, label: str, value: _Value) -> SecretSpan | None:
    found = (_GROUPS.match(value.text) if value.quoted else _GROUPS.match(line, value.start)) or _CODES.match(
        line, value.start
    )
    offset = value.start if found and found.string is not line else 0
    if found and is_grouped_code(found.group()):
        return SecretSpan(
            found.start() + offset,
            found.end() + offset,
            "recovery code",
            variable_name(label, "RECOVERY_CODE"),
        )
    return _plain(line, "password", label, value, verb=False)


def _pin(line: str, label: str, value: _Value) -> SecretSpan | None:
    found = _PIN_VALUE.match(line, value.start)
    if not found or not is_pin(found.group()):
        return None
    return SecretSpan(found.start(), found.end(), "access code", variable_name(label, "ACCESS_CODE"))


def _plain(line: str, kind: str, label: str, value: _Value, verb: bool) -> SecretSpan | None:
    in_prose = value.alone and re.search(r"\d", value.text) and " " in line[: value.start].strip()
    if (
        is_name_in_code(value.text)
        and not (is_dotted_phrase(value.text) and is_prose(line))
        and not value.quoted
        and not in_prose
        and ("_" in label or label[:1].islower())
    ):
        return None
    if re.fullmatch(r"pass", label, re.IGNORECASE) and re.fullmatch(r"[a-z_*+-]+", value.text):
        return None  # "PASS: the result of a test"
    phrase = _phrase(line, label, value, verb=verb) if kind == "password" else None
    if phrase is not None:
        return SecretSpan(phrase[0], phrase[1], "password", variable_name(label, "PASSWORD"))
    if kind == "token" and _ONE_TIME.search(label):
        groups = _GROUPS.match(line, value.start)
        if groups and " " in groups.group():
            return SecretSpan(groups.start(), groups.end(), "token", variable_name(label, "TOKEN"))
    if kind in ("token", "wifi") and (
        is_token(value.text) or (is_short_token(value.text) and (value.alone or value.quoted))
    ):
        return SecretSpan(value.start, value.end, "token", variable_name(label, "TOKEN"))
    if kind == "token" and not _may_name_password(label, value):
        return None
    plain = is_lone_word(value.text) or is_dotted_phrase(value.text)
    lone = kind in ("password", "wifi") and value.alone and plain and _may_be_a_word(line, label, value)
    if not lone and not is_password(value.text, ends_line=value.alone and not verb, quoted=value.quoted):
        return None
    return SecretSpan(value.start, value.end, "password", variable_name(label, "PASSWORD"))


def _may_be_a_word(line: str, label: str, value: _Value) -> bool:
    """Return whether a password without digits can stand here: in prose, and not after the verb "to pass"."""
    in_table = line[: value.start].rstrip(" *`\"'")[-1:] == "|"
    return not in_table and not _PASS.search(label) and is_prose(line)


_PASS: Final = re.compile(r"(?:\A|[ _-])pass(?:ing|es|ed)?(?:_\w+)?\Z", re.IGNORECASE)

_AMBIGUOUS: Final = re.compile(
    r"clave|chave|zugangsdaten|identifiants|credential|chiave|secret\Z|geheim", re.IGNORECASE
)
"""Words for keys that also name passwords."""


def _may_name_password(label: str, value: _Value) -> bool:
    mixed = is_unmistakable_password(value.text) and not is_name_in_code(value.text)
    return bool(_AMBIGUOUS.search(label)) and (mixed or "credential" not in label.lower())


_SAYS_PHRASE: Final = re.compile(
    r"phrase|satz|diceware|unlock words|safe ?word|code ?word|codewort|codewoord|losung|frase|фраз"
    r"|wachtzin|wachtwoordzin"
    r"|кодов|palabra|palavra chave|parola chiave|parola d|cümle|fraza|암구호|문구|密码短语|密碼短語"
    r"|合言葉|合い言葉|密语|密語|暗号|暗號|口令|パスフレーズ|패스프레이즈|암호",
    re.IGNORECASE,
)
_JOINED_WORDS: Final = re.compile(r"[a-z]{3,9}(?:([-._])[a-z]{3,9})(?:\1[a-z]{3,9}){2,7}(?![\w/-])")
_REST_OF_CELL: Final = re.compile(r"[^|\n<>()（]{1,160}")
_CJK_PHRASE: Final = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af][\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af ]{3,40}"
)


def _phrase(line: str, label: str, value: _Value, *, verb: bool) -> tuple[int, int] | None:
    """Return where a passphrase of several words stands: in quotes, or up to the end of its line or cell."""
    named = bool(
        _SAYS_PHRASE.search(label) or _PHRASE_BEFORE.search(line, max(0, value.start - 30), value.start)
    )
    groups = _GROUPS.match(line, value.start)
    if groups and is_grouped_code(groups.group()) and " " in groups.group():
        return groups.span()
    if value.quoted:
        said = (
            is_passphrase(value.text, quoted=True)
            or (named and _CJK_PHRASE.fullmatch(value.text))
            or (is_said_phrase(value.text) and _may_be_a_word(line, label, value))
        )
        return (value.start, value.end) if said else None
    joined = _JOINED_WORDS.match(line, value.start)
    if named and joined:
        return joined.span()
    if named and value.alone and _KANA_PHRASE.fullmatch(value.text):
        return value.start, value.end
    return _rest_as_phrase(line, label, value.start, named=named, verb=verb)


_PHRASE_BEFORE: Final = re.compile(
    r"\b(?:phrase|frase|fraza|фраза)\b[^:=]{0,20}[:=][ \"'`]{0,3}\Z", re.IGNORECASE
)
_KANA_PHRASE: Final = re.compile(r"[\u3041-\u30ff]{4,20}")


def _rest_as_phrase(line: str, label: str, start: int, *, named: bool, verb: bool) -> tuple[int, int] | None:
    """Return where a phrase without quotes stands: the rest of a cell, or for a phrase label its first part."""
    rest = _REST_OF_CELL.match(line, start)
    whole = rest.group().rstrip(" \t.,;*_`\"'") if rest else ""
    texts = (whole, re.split(r"[,;–—。，、]|\. ", whole)[0].rstrip()) if named else (whole,)
    loose = (
        is_prose(line)
        and "_" not in label
        and not (verb and not named)
        and not _PASS.search(line[:start].rstrip(" :=→-*"))
    )
    for text in texts:
        if is_passphrase(text, quoted=False, named=named) or (
            loose
            and is_worded_phrase(
                text, named=named or (not verb and ON_WIFI.search(line) is not None), verb=verb
            )
        ):
            return start, start + len(text)
    return None


def _near(kind: str, label: str, value: _Value, line: str, start: int) -> SecretSpan | None:
    """Return the secret directly after a label, without a sign between."""
    span = (value.start, value.end)
    if kind == "pin":
        if value.quoted or label != "pin":  # a pin of a plug or a board
            return _pin(line, label, value)
        return None
    if kind == "token":
        return _near_token(label, value, line)
    if kind == "wifi" and is_token(value.text) and (value.quoted or is_solid(value.text)):
        return SecretSpan(*span, "token", variable_name(label, "TOKEN"))
    if re.fullmatch(r"(?:.*[ -])?pass", label) and len(re.findall(r"\d", value.text)) < 2:
        return None  # "pass `schema` to it"
    if found := _near_phrase(label, value, line):
        return found
    if _is_beside(label, value, line, start):
        return SecretSpan(*span, "password", variable_name(label, "PASSWORD"))
    return None


def _near_token(label: str, value: _Value, line: str) -> SecretSpan | None:
    """Return the token directly after a label."""
    variable = variable_name(label, "TOKEN")
    if _ONE_TIME.search(label) and (groups := _GROUPS.match(line, value.start)):
        return SecretSpan(*groups.span(), "token", variable)
    of_api = value.alone and is_uuid(value.text) and _KEY_OF_API.search(label)
    bearer = label.lower().endswith("bearer")
    if of_api or (is_token(value.text) and (bearer or value.quoted or is_solid(value.text))):
        return SecretSpan(value.start, value.end, "token", variable)
    return None


def _near_phrase(label: str, value: _Value, line: str) -> SecretSpan | None:
    """Return the phrase directly after a label that says "phrase", up to the end of the line."""
    if not _SAYS_PHRASE.search(label) or not _may_be_a_word(line, label, value):
        return None
    rest = _rest_as_phrase(line, label, value.start, named=True, verb=True)
    if rest and rest[1] == len(line.rstrip(" .`*\"'")):
        return SecretSpan(*rest, "password", variable_name(label, "PASSWORD"))
    if _FOUR_JOINED.fullmatch(value.text) and value.alone:
        return SecretSpan(value.start, value.end, "password", variable_name(label, "PASSWORD"))
    return None


def _is_beside(label: str, value: _Value, line: str, start: int) -> bool:
    """Return whether a value directly after the label of a password can only be the password."""
    if not label.isascii() and value.alone and is_password(value.text, ends_line=True, quoted=False):
        short = re.fullmatch(r"(?=\D*\d)(?=\d*[A-Za-z])[A-Za-z0-9]{4,8}", value.text)
        if len(value.text) >= LEAST_LONG_PASSWORD or short or is_mixed(value.text):
            return True
    if _is_listed(label, value, line, start):
        return True
    if _IN_BRACKETS.match(line, start) and (is_lone_word(value.text) or is_mixed(value.text)):
        return True
    if value.quoted and is_password(value.text, ends_line=True, quoted=True):
        return True
    return is_password(value.text, ends_line=False, quoted=False) and is_unmistakable_password(value.text)


def _is_listed(label: str, value: _Value, line: str, start: int) -> bool:
    """Return whether a plain word is the password in a list: `user anna, password rainyday`."""
    return (
        value.alone
        and len(value.text) >= LEAST_LISTED
        and _LISTED.search(line[max(0, start - 24) : start]) is not None
        and PASSWORD_LABEL.search(label) is not None
        and not _PASS.search(label)
        and is_lone_word(value.text)
        and not SPEAKS_OF_IT.search(value.text)
    )


LEAST_LONG_PASSWORD: Final = 12
_FOUR_JOINED: Final = re.compile(r"[a-z]{3,9}(?:([-._])[a-z]{3,9})(?:\1[a-z]{3,9}){2,7}")
_LISTED: Final = LazyRegex(
    r"(?:[:,;，、：]|\b(?:with|and|mit|und|con|y|com|e|avec|et|z|i|met|en|ve|с|и|з|і|wi-?fi|wlan|ssh|vpn"
    r"|nas))[ *`]{0,3}\Z",
    re.IGNORECASE,
)
LEAST_LISTED: Final = 7
_KEY_OF_API: Final = re.compile(
    r"(?:auth|api|access|secret|app|license)[ _-]?(?:key|token|secret)\Z", re.IGNORECASE
)
_IN_BRACKETS: Final = re.compile(r"(?<=[(（])[\w -]{2,20}[ :=：]{1,3}[^\s()（）]{4,60}[)）]")
_BARE_LABEL: Final = LazyRegex(
    rf"(?:{LABEL.text})\w{{0,24}}[ \t]*(?:[\(（][^()\n]{{0,40}}[\)）])?[\"'`*_]{{0,4}}[ \t]*[:：=]?"
    rf"[\"'`*_]{{0,4}}[ \t]*\Z",
    re.IGNORECASE,
)
_LONE_VALUE: Final = re.compile(
    r"[ \t>]*(?:[-*+][ \t]+|\d{1,2}[.)][ \t]+)?(?:value[ ]?[:=][ ]*)?(?P<value>\S.*?)[ \t]*\Z"
)


def announces(line: str) -> bool:
    """Return whether a line ends with a label, so that the next line may be the value."""
    if len(line) > 120:
        return False
    ends_with_sign = line.rstrip(" \t*_`\"'")[-1:] in (":", "：", "=")
    is_title = line.lstrip(" \t").startswith(("#", "*", "-"))
    match = _bare_label(line)
    if match is None or NO_SECRET_LABEL.search(line):
        return False
    return (
        ends_with_sign
        or is_title
        or bool(match.group("recovery"))
        or bool(_SAYS_PHRASE.search(match.group()))
    )


def _bare_label(line: str) -> re.Match[str] | None:
    """Return the label that a line ends with."""
    return next(
        (
            found
            for start in LABEL_STARTS.finditer(lowered(line))
            if (found := _BARE_LABEL.match(line, start.start()))
        ),
        None,
    )


def lone_value(label_line: str, line: str, offset: int) -> SecretSpan | None:
    """Return the secret that a line consists of, after a line that announces it."""
    found = _LONE_VALUE.match(line)
    match = _bare_label(label_line)
    if found is None or match is None or len(line) > 300:
        return None
    value = value_at(line, found.start("value"))
    if value is None or (":" in value.text[:-1] and " " in line.strip()):
        return None
    kind = _kind_of(match)
    named = kind == "password" and _SAYS_PHRASE.search(match.group())
    if kind == "password" and not (value.quoted or named) and not is_unmistakable_password(value.text):
        return None
    label = label_at(label_line, match.start(), match.end()).strip(" :*_`=：")
    span = _judged(line, kind, label, value, verb=False)
    if span is None or line[span.end : found.end("value")].strip("`*_\"'”»」』., "):
        return None
    plain = not value.quoted and not is_unmistakable_password(value.text)
    if named and plain and not re.search(r"[ ]|-.*-", line[span.start : span.end]):
        return None
    return SecretSpan(span.start + offset, span.end + offset, span.kind, span.variable)


def _kind_of(match: re.Match[str]) -> str:
    return next(kind for kind in ("recovery", "pin", "password", "token") if match.group(kind))


def cell_value(header: str, cell: str, *, on_wifi: bool) -> SecretSpan | None:
    """Return the secret that a whole cell of a table is, by its header; `on_wifi` if the table is about networks."""
    match = LABEL.search(header)
    value = value_at(cell, 0)
    if match is None or value is None:
        return None
    kind = _kind_of(match)
    span = _judged(cell, "password" if kind == "token" and on_wifi else kind, header, value, verb=False)
    return span if span is not None and not cell[span.end :].strip("`*_\"'. ") else None
