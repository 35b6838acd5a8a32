"""Finds passphrases of several words: after a word for phrases on a line about a disk, a key or a backup."""

import re
from collections.abc import Iterator
from typing import Final

from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.source.secrets.labels import PASSWORD, pattern, words
from melleafy_tui.core.source.secrets.spans import SecretSpan
from melleafy_tui.core.source.secrets.values import (
    is_placeholder,
    is_prose,
    is_small_word,
    is_state_word,
    is_talk_word,
)

_PHRASES: Final = (
    "phrase|frase|fraza|frazą|фраза|фразу|фразой|satz|wachtzin|zin|cümle|문구|フレーズ|短语|短語|密语|密語|口令|合言葉|合い言葉"
    "|passphrase|diceware|codewort|codewoord|safeword|kennsatz|パスフレーズ|암호문구|패스프레이즈"
)
_GUARDED: Final = (
    "ssh|gpg|pgp|disk|drive|backup|vault|luks|veracrypt|cryptomator|cryptsetup|filevault|encrypt|wallet|keyring|decrypt"
    "|archive|zip|container|restic|borg|kopia|duplicity|age|keepass|bitwarden|key|unlock|passphrase|agent|nas"
    "|time machine|duress|panic|caller|bank|school|kita|veracrypt|filevault|kdbx"
    "|cifrad|copia|disco|verschlüssel|festplatte|sicherung|laufwerk|schlüssel|sauvegarde|chiffr|disque|clé|coffre"
    "|cifrat"
    "|chiave|criptograf|encript|cópia|chave|диск|шифр|резерв|бэкап|ключ|бекап|копі|kopi|dysk|szyfr|klucz|schijf|sleutel"
    "|versleutel|yedek|anahtar|şifre|硬盘|硬碟|磁盘|磁碟|備份|备份|加密|密钥|密鑰|金鑰|ディスク|暗号|バックアップ|鍵|백업|디스크|암호|키"
)
_VERB: Final = (
    r"is|are|was|reads|ist|lautet|heißt|es|est|è|é|jest|brzmi|to|это|це|c['’]est|luidt|olarak|now"
    r"|set[ ]to|changed[ ]to"
)
_NAMED: Final = LazyRegex(
    rf"(?:(?<![^\W\d_])|(?=[^\x00-\u04ff]))(?:{_PHRASES})(?P<gap>[^\n:：=→\"'`“„«()]{{0,48}}?)"
    rf"(?:[ ]?[:：=→]|[ ][-–—]|[ ](?:{_VERB})|は|は、|는|은|是|为|為|(?P<bare>(?<=passphrase)(?=[ ])"
    rf"|(?<=\(phrase)(?=[ ])))[ ]{{0,2}}[*_]{{0,2}}[\"'`“„«「]?"
    r"(?P<value>[^\W\d_][^\n:=\"`“”„«»「」()（）<>{}|/\\]{3,80})",
    re.IGNORECASE,
)
_TYPED: Final = LazyRegex(
    r"\b(?:asks?|asked|prompts?|prompted|challenged?|verify|verification)\b[^\n]{0,48}?\b(?:type"
    r"|say|answer|enter|reply"
    r"|tippe|sage|antworte|tapo|escribo|digo|tape|dis|scrivo"
    r"|dico)(?:[ ]with)?[ :]{1,2}[\"'`“]?(?P<value>[^\W\d_][^\n:=\"`“”()<>{}|/\\]{9,80})",
    re.IGNORECASE,
)
_UNLOCKED: Final = LazyRegex(
    r"\b(?:unlock|decrypt|open)(?:s|ed)?\b[^\n]{0,32}?\b(?:vault|disk|drive|backup|archive|volume|container|wallet"
    r"|key|keyring)"
    r"[ ](?:with|using)[ ](?P<value>[^\W\d_][^\n:=\"`“”()<>{}|/\\]{9,80})",
    re.IGNORECASE,
)
_OF_A_PASSWORD: Final = LazyRegex(
    rf"(?:{pattern(words(PASSWORD))})[^\n:：=→\"'`.,;]{{0,32}}?(?:[ ](?:{_VERB})"
    rf"|['’]s)[ ]{{1,2}}(?P<value>[^\W\d_][^\n:=\"`“”()<>{{}}|/\\]{{7,48}})",
    re.IGNORECASE,
)
_CJK: Final = LazyRegex(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_WORD: Final = LazyRegex(r"[^\W_](?:[^\W_]|['’ʼ&.-]){0,18}[!?]?|&|\d{1,4}")
_CJK_TALK: Final = LazyRegex(
    r"[请請问問见見在需联聯设設输輸用忘保存改换換找]|密|没|不要|ください|です|ます|ない|する|した|参照|なし|설정|입력|사용|저장|문의|[다요세음함됨까죠오]\Z|없"
)
LONGEST_NOTE: Final = 240
LEAST_PHRASE: Final = 8


def noted_phrases(line: str) -> Iterator[SecretSpan]:
    """Yield the words after "phrase" on a line about a disk or key, and those that somebody types when asked."""
    if len(line) > LONGEST_NOTE or not is_prose(line) or not _GUARDS.search(line):
        return
    for form in (_NAMED, _TYPED, _UNLOCKED):
        for match in form.finditer(line):
            if form is _NAMED and any(map(is_talk_word, match.group("gap").split())):
                continue
            joined = form is _TYPED or (form is _NAMED and match.group("bare") is None)
            yield from _phrase(line, match, joined)


def password_phrases(line: str) -> Iterator[SecretSpan]:
    """Yield the two to five words that a sentence gives as a password: `the password is Lazy Street 5`."""
    if len(line) > LONGEST_NOTE or not is_prose(line):
        return
    for match in _OF_A_PASSWORD.finditer(line):
        value = match.group("value").rstrip(" .!*_`\"'")
        parts = value.split()
        if (
            2 <= len(parts) <= 5
            and (any(map(str.isdecimal, parts[1:])) or any(part[0].isupper() for part in parts[1:]))
            and all(_WORD.fullmatch(part) for part in parts)
            and not any(is_talk_word(part) or is_small_word(part) or is_state_word(part) for part in parts)
        ):
            yield SecretSpan(
                match.start("value"), match.start("value") + len(value), "password", "PASSPHRASE"
            )


_GUARDS: Final = LazyRegex(
    rf"(?<![^\W\d_])(?:{_GUARDED})|bitlocker|codewor|verschlüss|암호|暗号", re.IGNORECASE
)


def _phrase(line: str, match: re.Match[str], joined: bool) -> Iterator[SecretSpan]:
    value = match.group("value").rstrip(" .!*_`\"'”’»」")
    start = match.start("value")
    rest = line[start + len(value) :].strip(" .!*_`\"'”“’»」)）")
    if rest or is_placeholder(value):
        return
    if _CJK.search(value):
        told = _CJK_TALK.search(value) or not joined or len(value) > 30
        if not told and len(value) >= 4 and not re.search(r"[，。,;；]", value):
            yield SecretSpan(start, start + len(value), "password", "PASSPHRASE")
        return
    if len(value) < LEAST_PHRASE:
        return
    parts = [part.strip(",") for part in value.split()]
    if (
        not 3 <= len(parts) <= 12
        or "," in value
        or ". " in value
        or not all(_WORD.fullmatch(part) for part in parts)
    ):
        return
    talk = [part for part in parts if is_talk_word(part) and not is_small_word(part)]
    if talk or is_state_word(parts[0]) or (is_small_word(parts[0]) and not joined):
        return
    small = sum(map(is_small_word, parts))
    if small * 2 <= len(parts):
        yield SecretSpan(start, start + len(value), "password", "PASSPHRASE")
