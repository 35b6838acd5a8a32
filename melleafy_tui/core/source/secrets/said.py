"""Finds passwords that a note gives without a label beside them: pairs below a service, variables, prompts, phrases."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.source.secrets.fields import NO_SECRET_LABEL, PASSWORD_LABEL
from melleafy_tui.core.source.secrets.labels import PLAIN_USERS, WIFI, Starts, literal, pattern
from melleafy_tui.core.source.secrets.odd_words import is_loose, is_odd, trimmed
from melleafy_tui.core.source.secrets.spans import SecretSpan
from melleafy_tui.core.source.secrets.values import (
    is_lone_word,
    is_prose,
    is_small_word,
    is_state_word,
    is_talk_word,
)

LONGEST_NOTE: Final = 200
_VALUE: Final = r"[\"'`“]?(?P<value>[^\s\"'`“”,;，。()（）|<>{}/]{6,64})"
_END: Final = r"(?=[\"'`”]?[ .!]{0,3}(?:\Z|[,;()）]|[ ]for\b|[ ]on\b))"

_PAIR: Final = LazyRegex(
    r"(?:[(（]|(?:登入|登录|登錄|ログイン|로그인|账号|帳號|アカウント|계정)[ ]?"
    r"|(?:[:：,]|->|→|\b(?:bios|nvr|is|at|for|as|box|ui|wiki|nas|login|admin|creds|use|user|with))[ ]{1,2})"
    r"(?P<user>[A-Za-z][\w.-]{1,30}(?:@[\w.-]{3,40})?)"
    rf"(?:[ ](?:/|//|\+|\||::|[–—-]|→|->)[ ]|:|/|,[ ](?:(?:secret|key|passkey)[ ])?|[ ](?=\S*\d)){_VALUE}{_END}",
    re.IGNORECASE,
)
_OF_SERVICE: Final = LazyRegex(
    r"\b(?:nvr|bios|sftp|postgres|mysql"
    r"|login|log[ ]in|sign[ -]?in|creds?|account|portal|registro|router|nas|wiki|jellyfin|plex|emby|immich"
    r"|nextcloud|grafana|portainer|pi-?hole|home[ ]assistant|unifi|synology|truenas|proxmox|camera|printer|viewer"
    r"|staging|demo|tenant|webmail|netflix|spotify|disney\+|library|school|gym|forum|admin|web[ ]ui|test[ ]user"
    r"|zugang|drucker|kamera|konto|compte|imprimante|cuenta|impresora|conta|accesso|stampante|accedi"
    r"|камера|принтер|аккаунт|акаунт|konto|drukarka|drukarki|printer|hesap|yazıcı)\b|账号|帳號|アカウント|계정",
    re.IGNORECASE,
)
_ASSIGNED: Final = LazyRegex(
    r"(?-i:\b(?:[A-Z][A-Z0-9]*_){1,4}(?:PASS|PW|PWD|PSW|AUTH|SECRET|PASSWORD|PASSWORT|PASSPHRASE|TOKEN|KEY|CLAVE|SENHA"
    r"|MDP|PIN))[\"'`*]{0,2}(?:[ ](?:should|must|has[ ]to|needs[ ]to|now|currently|is|was))?[ ]"
    r"(?:(?:equal|set|changed)[ ])?"
    r"(?:to|is|as|be|hold|holds|holding|with|equals|auf|ist|mit|a|es|à|est|em|é|на|en|op|w)[ ]{1,2}"
    rf"{_VALUE}",
    re.IGNORECASE,
)
_TYPED: Final = LazyRegex(
    r"\b(?:type|enter|give[ ]it|answer[ ](?:\w+[ ]){1,3}with|reply[ ]with|put|say|tippe|gib|tape|saisis|escribe|teclea"
    rf"|digite|digita|scrivi|введи|wpisz|typ|yaz)[ ]{_VALUE}",
    re.IGNORECASE,
)
_ASKED: Final = LazyRegex(
    r"\b(?:sudo|prompt|prompts|asks?|login|log[ ]in|unlock|secret|fragt|pide|demande|chiede|pede|спросит|спрашивает"
    r"|pyta|vraagt|sorunca)\b|passw",
    re.IGNORECASE,
)
_OPENS_IT: Final = re.compile(
    r"(?<![^\s\"'`(])(?P<value>[^\s\"'`“”,;()|<>{}/]{6,64})[\"'`]?[ ](?:opens|unlocks|decrypts)[ ](?:it|them|the)\b"
)
_LOCKED: Final = LazyRegex(
    r"\b(?:(?:locked|encrypted|protected|sealed)[ ](?:w/|with|by)"
    rf"|(?:pdf|zip|archive|file|doc|sheet)[ ](?:opens|unlocks)[ ](?:w/|with|using))[ ]{_VALUE}",
    re.IGNORECASE,
)
_SERVICE: Final = LazyRegex(
    r"\b(?:netflix|spotify|amazon|hulu|disney\+?|icloud|paypal|ebay|facebook|instagram|dropbox|github|gmail|steam|hbo"
    r"|linkedin|forum|wiki|mysql|postgres|router|nas)[ ](?:(?:account|login|root|admin)[ ])?"
    rf"(?:is[ ]now|is|to|now|=|->|→|jetzt|ahora|agora|adesso|теперь|тепер|teraz|nu)[ ]{_VALUE}",
    re.IGNORECASE,
)
_CHANGED: Final = LazyRegex(
    rf"\bchanged(?:[ ](?:it|that|this|mine|ours))?[ ]to[ ](?=\S*[!#$%&*+@?\d]){_VALUE}{_END}", re.IGNORECASE
)
_CLOSE: Final = re.compile(
    r"(?:密码|密碼|口令|パスワード|비밀번호|비번)[是为為は은는：: ]{0,2}(?P<value>[A-Za-z][A-Za-z\d!#@$%&*.-]{5,40})"
)
_PLAIN_WORD: Final = re.compile(
    r"\b(?:pw|psw|pass)[:=] ?(?P<value>[a-z]{6,24}) (?:for (?:the|my|our)|\((?:the|my|our)) "
)
_FORMS: Final = (
    (_ASSIGNED, None),
    (_TYPED, _ASKED),
    (_LOCKED, None),
    (_OPENS_IT, None),
    (_SERVICE, None),
    (_CHANGED, None),
    (_CLOSE, None),
)
_NUMBERED: Final = re.compile(r"[a-z]{4,16}(?:[_-][a-z]{2,12}){0,3}[-_]?\d{1,4}", re.IGNORECASE)
_SAID_WORDS: Final = (
    "pw: |pass: |psw: |_pass|_pw|_auth|_secret|_token|_key|_clave|_senha|_mdp|sudo|prompt|encrypted|locked"
    "|protected|opens |unlocks |decrypts |netflix|spotify|icloud|type |enter |changed |give it |mysql"
    "|answer|disney|paypal|密码|密碼|口令|パスワード|비밀번호|비번"
)
SAID_STARTS: Final = Starts(literal(_SAID_WORDS.split("|")))
_SERVICE_WORDS: Final = (
    "nvr|bios|sftp|postgres|mysql|登入|登录|login|log in|sign in|sign-in|creds|account|portal|registro|router"
    "|jellyfin|plex|immich|nextcloud|grafana|portainer|pi-hole|unifi|synology|truenas|proxmox|camera"
    "|printer|staging|demo tenant|webmail|web ui|wiki|zugang|drucker|kamera|konto|compte|cuenta|accesso"
    "|accedi|камер|принтер|аккаунт|hesap|账号|帳號|アカウント|계정"
)
SERVICE_STARTS: Final = Starts(literal(_SERVICE_WORDS.split("|")))


def said_words(line: str) -> Iterator[SecretSpan]:
    """Yield the passwords that a sentence gives to a variable, a prompt, a file or a service."""
    if len(line) > LONGEST_NOTE or not is_prose(line):
        return
    for match in _PLAIN_WORD.finditer(line):
        if is_lone_word(match.group("value")):
            yield _password(match, match.group("value"))
    for form, beside in _FORMS:
        for match in form.finditer(line):
            value = trimmed(match.group("value"))
            made_up = _is_made_up(value) or (form is _ASSIGNED and _NUMBERED.fullmatch(value) is not None)
            if made_up and (beside is None or beside.search(line)):
                yield _password(match, value)


def service_pairs(line: str) -> Iterator[SecretSpan]:
    """Yield the second halves of pairs on a note that names a device or a service: `Plex: anna / Pear.Tin4`."""
    if (
        len(line) > LONGEST_NOTE
        or not is_prose(line)
        or not _OF_SERVICE.search(line)
        or NO_SECRET_LABEL.search(line)
    ):
        return
    for match in _PAIR.finditer(line):
        value = trimmed(match.group("value"))
        if (
            _is_made_up(value)
            and "://" not in match.group()
            and value[:3].lower() != match.group("user")[:3].lower()
            and (match.group("user").lower() in _PLAIN or not is_talk_word(match.group("user")))
            and not is_small_word(match.group("user"))
        ):
            yield _password(match, value)


_QUOTED: Final = re.compile(r"[\"“„«](?P<value>[^\"“”„«»\n]{8,80})[\"”“»]")
_GUARDED: Final = LazyRegex(
    r"(?<![^\W\d_])(?:luks|veracrypt|filevault|disk|drive|backup|vault|keepass|bitwarden|borg|restic|ssh[ ]key|gpg"
    r"|wallet|archive|age[ ]identity|festplatte|sicherung|tresor|disque|coffre|disco|cofre|dysk|диск|caller"
    r"|unknown[ ]number|alarm[ ]company|bank|duress|encrypt|laufwerk|respaldo"
    r"|sauvegarde|pgp|kdbx|hd\b|nas\b|резерв|копи|zapas|kopi)",
    re.IGNORECASE,
)
_SAYS: Final = LazyRegex(
    r"\b(?:opens|unlocks|unlocked|encrypted|protected|secured|phrase|passphrase|password|words|unlock|öffnet|says?"
    r"|satz|contraseña|senha|hasło|wachtwoord|frase|zin)\b|фраз|fraz",
    re.IGNORECASE,
)
_GIVEN_PHRASE: Final = LazyRegex(
    r"\b(?:(?:opens|unlocks|unlocked|protected|encrypted|secured)[ ](?:with|by)"
    r"|(?:recovery|backup|drive|disk|unlock)[ ]phrase(?:[ ](?:is|=)|:)?"
    r"|words[ ]for[ ]the[ ]\w{3,9}[ ]are|(?:unlock|master)[ ]?[:=]|phrase[ ]de[ ]passe(?:[ ]\w{2,6}){0,2}"
    r"|(?:phrase|passphrase|password|passwort|satz|frase|contraseña|senha|mot[ ]de[ ]passe|фраза"
    r"|пароль|hasło|wachtwoord)\b"
    r"[^\n:=]{0,32}(?:[:=–]|[ ](?:contains|is)))[ ]"
    r"(?P<value>[^\W_][^\n:=\"`“”„()<>{}|/\\]{11,80})\Z",
    re.IGNORECASE,
)
_WORDS: Final = re.compile(r"[^\W_](?:[^\W_]|['’-]){0,18}[!?]?")
_JOINED: Final = re.compile(r"[a-z]{3,12}(?:([._-])[a-z]{3,12})(?:\1[a-z]{3,12}){1,7}")
_SAFE_WORD: Final = LazyRegex(
    r"\b(?:(?:safe|code|duress|panic|emergency|family) ?word|codewort)(?:[ ]for[^\n:,]{1,24})?"
    r"(?:[ ](?:is|=|ist|lautet)|,?[ ]which[ ]is|:)?[ ]"
    r"[\"'`]?(?P<value>[^\W\d_]{6,24})[\"'`]?[ .!]*\Z",
    re.IGNORECASE,
)
_DIGIT_GROUPS: Final = re.compile(r"(?<![\w.-])(?P<value>\d{5,6}(?:[ -]\d{5,6}){4,11})(?![\w.-])")
_PHRASE_WORDS: Final = (
    "phrase|opens |unlocks |unlocked |protected |encrypted |words for|safe word|safeword|code word"
    "|codeword|codewort|duress word|panic word|emergency word|family word|unlock |öffnet|say |satz|frase"
    "|фраз|fraz"
)
PHRASE_STARTS: Final = Starts(literal(_PHRASE_WORDS.split("|")))


def said_phrases(line: str) -> Iterator[SecretSpan]:
    """Yield the phrases of words on a note about a disk, a vault or a caller, in quotes or at its end."""
    if len(line) > LONGEST_NOTE or not is_prose(line):
        return
    for match in (*_DIGIT_GROUPS.finditer(line), *_SAFE_WORD.finditer(line)):
        if match.group("value")[0].isdecimal() or is_lone_word(match.group("value"), states=False):
            yield _phrase(match, match.group("value"))
    if not _GUARDED.search(line) or not _SAYS.search(line):
        return
    for match in (*_QUOTED.finditer(line), *_GIVEN_PHRASE.finditer(line.rstrip(" .`*"))):
        if _is_phrase(match.group("value"), quoted=match.re is _QUOTED):
            yield _phrase(match, match.group("value"))


def _is_phrase(text: str, *, quoted: bool) -> bool:
    """Return whether a text is three to eight words, mostly longer ones, that don't speak of a secret."""
    if _JOINED.fullmatch(text):
        return True
    parts = text.split()
    if not 3 <= len(parts) <= LONGEST_PHRASE or not all(map(_WORDS.fullmatch, parts)):
        return False
    small = sum(map(is_small_word, parts))
    if small * 2 >= len(parts) or any(map(is_talk_word, parts)):
        return False
    return quoted or not (
        any(map(is_state_word, parts))
        or (is_small_word(parts[0]) and (small > 1 or len(parts) < LEAST_AFTER_SMALL))
    )


LONGEST_PHRASE: Final = 8
LEAST_AFTER_SMALL: Final = 5
"""Words of a phrase that begins with an article."""


def _phrase(match: re.Match[str], value: str) -> SecretSpan:
    start = match.start("value")
    return SecretSpan(start, start + len(value), "password", "PASSPHRASE")


_PLAIN: Final = frozenset(PLAIN_USERS.split("|"))


def _is_made_up(value: str) -> bool:
    """Return whether a word is one that only a password looks like: with two digits, or a digit and a mark."""
    digits = len(re.findall(r"\d", value))
    return digits > 0 and (
        is_odd(value) or (is_loose(value) and (digits > 1 or _MARKED.match(value) is not None))
    )


_MARKED: Final = re.compile(r"(?=.*[A-Z])(?=.*[-_.!&+])")


def _password(match: re.Match[str], value: str) -> SecretSpan:
    start = match.start("value")
    return SecretSpan(start, start + len(value), "password", "PASSWORD")


_NETWORK: Final = LazyRegex(
    r"(?:ssid\d?|\bnetwork(?:[ ]name)?|\b(?:netz|netzwerk|netzname|netwerk|rete|réseau|red|rede|sieć|nom)|сеть|мережа"
    r"|ağ adı|ağı|\bağ|网络名?|網路名?|ネットワーク名|wpa_passphrase)[\"'`*]{0,3}"
    r"[ ]?(?:[:：=は]|\b(?:is|ist|est|es|è)\b)?[ ]?[\"'`“«„*]{0,3}\Z",
    re.IGNORECASE,
)
_ON_WIFI: Final = LazyRegex(pattern(WIFI.split("|")), re.IGNORECASE)
_KEY: Final = LazyRegex(
    r"\b(?:key|psk|pw|pass|clé|schlüssel|chiave|clave|chave|sleutel|klucz|anahtar)\b|ключ|密[码碼]",
    re.IGNORECASE,
)
FARTHEST_KEY: Final = 40
LONGEST_PUBLIC: Final = 50


def without_names(text: str, spans: Iterable[SecretSpan]) -> list[SecretSpan]:
    """Return the spans without networks' names, beside SSID or before the word for a password, and public keys."""
    found = list(spans)
    behind = [*found[1:], None]
    return [span for span, after in zip(found, behind, strict=True) if not _is_a_name(text, span, after)]


_PUBLIC: Final = LazyRegex(
    r"(?:öffentlich\w* schlüssel|chave pública|clave pública|clé publique|chiave pubblica|открыт\w+ ключ"
    r"|відкрит\w+ ключ"
    r"|klucz publiczny|openbare sleutel|açık anahtar|公開鍵|公钥|公鑰|公開金鑰|공개 ?키)(?P<gap>[^\n.;,]{0,24})\Z",
    re.IGNORECASE,
)


_OF_ONE_WORD: Final = ("password", "token", "random string")
_OF_SECRET: Final = LazyRegex(
    rf"priv|geheim|secre|секрет|приват|秘密|私|비밀|{PASSWORD_LABEL.text}", re.IGNORECASE
)


def _is_a_name(text: str, span: SecretSpan, after: SecretSpan | None) -> bool:
    public = _PUBLIC.search(text[max(0, span.start - LONGEST_PUBLIC) : span.start])
    if public and span.kind in _OF_ONE_WORD and not _OF_SECRET.search(public.group("gap")):
        return True
    if span.kind != "password":
        return False
    farthest = max(0, span.start - LONGEST_NOTE)
    start = max(text.rfind("\n", farthest, span.start) + 1, farthest)
    before = text[start : span.start]
    if _NETWORK.search(before[-FARTHEST_KEY:]):
        return True
    if after is None or after.start - span.end > FARTHEST_KEY or not _ON_WIFI.search(before):
        return False
    between = text[span.end : after.start]
    return "\n" not in between and _speaks_of_key(between) and not _speaks_of_key(before)


def _speaks_of_key(words: str) -> bool:
    return _KEY.search(words) is not None or PASSWORD_LABEL.search(words) is not None
