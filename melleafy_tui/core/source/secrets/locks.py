"""Finds the numbers that open a lock where no word for a code joins them: "the safe opens with 4-18-27"."""

import re
from collections.abc import Iterator
from typing import Final

from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.source.secrets.labels import Starts, lowered, pattern, spelled
from melleafy_tui.core.source.secrets.spans import SecretSpan
from melleafy_tui.core.source.secrets.values import is_pin, is_prose

_LOCKS: Final = (
    "door|doors|building|entrance|entry|apartment|tür|haustor|puerta|porte|porta|дверь|двери|drzwi|deur|ドア|문|门|門"
    "|bike|cabinet|shed|cellar|mailbox|alarm|alarmanlage|alarme|alarma|allarme|сигнализац|сигналізац|警报|警報|报警器"
    "|アラーム|경보|알람"
    "|safe|tresor|coffre|caja fuerte|cofre|cassaforte|сейф|sejf|kluis|kasa|金庫|금고|保险箱|保險箱|保险柜|保險櫃"
    "|lockbox|lock box|key box|keybox|key safe|keysafe|keypad|padlock|bike lock|smart lock|door lock|combination lock"
    "|schlüsselkasten|schlüsselbox|schlüsselsafe|schlüsseltresor|zahlenschloss|fahrradschloss|vorhängeschloss"
    "|türschloss"
    "|boîte à clés|boite à clés|boîte à clé|cadenas|antivol|candado|caja de llaves|cajetín|cadeado|caixa de chaves"
    "|lucchetto|cassetta delle chiavi|sleutelkluis|sleutelkast|cijferslot|hangslot|fietsslot|kłódk|skrzynk|skrytk|kilit"
    "|замок|замка|замку|ключниц|キーボックス|宅配ボックス|オートロック|南京錠|ダイヤル錠|도어락|자물쇠|택배함|무인택배"
    "|密码锁|密碼鎖|门锁|門鎖|挂锁|掛鎖|门禁|門禁|大门|大門|铁门|鐵門|快递柜|信箱|儲物櫃|储物柜|置物櫃|行李箱"
    "|intercom|digicode|domofon|домофон|під'їзд|під’їзд|подъезд|citofono|portero automático|interfone|공동현관|현관"
    "|대문"
    "|gate|garage|front door|back door|side door|main door|portail|portillon|portão|portón|portal|cancello|portone"
    "|haustür|hoftor|gartentor|einfahrt|tiefgarage|garagentor|kellertür|voordeur|achterdeur|poort|slagboom|brama|bramy"
    "|bramk|furtk|klatka|шлагбаум|калитк|хвіртк|ворота|гараж|kapı|bahçe kapısı|garaj|玄関|門扉|車庫|차고|车库|車庫"
    "|lift code|elevator|aufzug|fahrstuhl|ascensor|ascenseur|лифт|ліфт|storage unit|self storage|gun cabinet|barn"
    "|alarm panel|panic code|duress code|trastero|schuur|schuppen|rolltor"
    "|locker|luggage|suitcase|koffer|valise|maleta|valigia|walizk|чемодан|валіз|スーツケース|ロッカー|캐리어|사물함"
)
_STARTS_OF_LOCKS: Final = Starts(spelled(_LOCKS.split("|")))
_PINS: Final = (
    "pin|pins|puk|pin1|pin2|puk1|puk2|pin-code|pincode|pin code|pin number|handypin|kartenpin|geheimzahl|geheimnummer"
    "|nip|clave numérica|número secreto|код карты|пин|пін|пинкод|пінкод|пин-код|пін-код|暗証番号|暗証|비밀번호|핀번호"
    "|pin码|pin碼|取款密码|提款密碼|支付密码|锁屏密码|鎖屏密碼|解锁码|解鎖碼|passcode|screen lock|unlock code"
    "|parental control|parental controls|parental code|child lock|phone lock|pairing code|pairing|face id fallback"
    "|windows hello|sim lock|карты пин|pini|pinini|pin kodu"
    "|kids lock|entsperrcode|code de déverrouillage|schermcode|kod pin"
)
LOCK_DIGITS: Final = re.compile(
    r"\d{3}|\d[a-zа-яіїє]{3,8}\d|\d{4}|\d[A-ZА-Я]\d|\d{1,2}-\d{1,2}-\d|\d#|[A-Z]\d{3}"
)

_NUMBER: Final = (
    r"(?<![^\W\u3040-\u9fff\uac00-\ud7af])(?<![.,:/€$£¥+#*-])(?<!\d[ ])"
    r"(?P<value>[#*]{0,2}\d{4,8}[#*]?|\d{1,2}(?:-\d{1,2}){2,3}"
    r"|\d{1,4}[A-ZА-ЯІ]\d{2,5}[#*]?"
    r"|\d{2,5}[#*]\d{2,5}[#*]?|\d{2,4}[a-zа-яіїє]{3,8}\d{2,6}|[A-ZА-ЯІ]\d{3,5}[A-ZА-ЯІ]?[#*]?"
    r"|\d{3}(?=[ .!。]*\Z))"
    r"(?![^\W\u3040-\u9fff\uac00-\ud7af]|[%€$£¥°年月日时時分点點号號楼樓层層室個个人件股원년월일시분층호개명]|[ ]\d"
    r"|[-.,:/]\w|[ ]?(?:€|\$|¥|元|円|원|zł|руб|грн|km|kg|%))"
)
_ANY: Final = LazyRegex(_NUMBER)
LOCK_VALUE: Final = _ANY

PIN: Final = LazyRegex(
    rf"(?<![^\W\d_])(?:{_PINS}|entsperr\w{{1,6}}|déverrouill\w{{1,4}}|desbloque\w{{0,4}}|sblocc\w{{1,4}}"
    rf"|odblok\w{{1,6}}|(?:раз|роз)блок\w{{1,8}}|ontgrendel\w{{0,4}}|voicemail)(?![^\W\d_])|(?:スマホ|携帯|画面)の?ロック"
    rf"|ロック解除|锁屏|鎖屏|잠금|暗証番号?|비밀번호|핀번호|(?:解锁|解鎖)[码碼]",
    re.IGNORECASE,
)
_CODE: Final = LazyRegex(
    r"(?<![^\W\d_])(?:codes?|código|codigo|codice|kod|kodu|код|コード|코드|code)(?![^\W\d_])|密码|密碼|番号|번호",
    re.IGNORECASE,
)
_OTHER: Final = LazyRegex(
    r"\":|\w_\w|company|hotline|\b0[89]00\b|门牌|門牌|\b(?:error|posta|postal|postale|poczt\w*|post\w*kod\w*|cap|cep"
    r"|plz|exit|backdoors?|status|http|https|sensor|order|orders|invoice|ticket|issue|model|serial|tracking"
    r"|version|lines?"
    r"|pages?|room|rooms|phone[ ](?:number|no)"
    r"|tel|call|fax|zip|postal|price|costs?|volume|level|temperature|delay|timeout|ports?|size"
    r"|width|height|counts?|totals?|scores?|ids?|postleitzahl|plz|year|since|until|before|after|at|um|gpio|board|chip"
    r"|area|country|promo|discount|voucher|coupon|tax|dress|color|colour|booking|product|item|event|reason|close"
    r"|return|returns|response|stock|ending|ends|endet|bar|qr|hs|iata|currency|usage|lat|long|population|rows?|steps?"
    r"|seconds?|minutes?|ms|tokens?|words?|chars|characters|users?|files?|commits?|tests?|pixels?|reward|points?|views?"
    r"|likes?|followers?|subscribers?|revenue|budget|salary|amount|limit|max|min|ca|approx|about|around|over|under)\b"
    r"|股票|代码|代號|邮编|郵遞|邮政|区号|區號|错误|錯誤|郵便番号|電話|전화|우편|错|价|價|版本|行|页|頁|年|元|円",
    re.IGNORECASE,
)
_JOINS: Final = LazyRegex(
    r"(?:\b(?:with|mit|con|com|avec|met|z|на|с|із|is|set[ ]to|to|has|say|says|enter|press|pressing|typing|type|dial|try"
    r"|use|using|le|the|ist|est|es|è|é|jest|kodem|кодом|по|via|then)|[:：=→>–—-]|は|が|に|を|轉|转|按|撥|拨|是|为|為|到|用|：|은|는|이|가"
    r"|[\u3040-\u9fff\uac00-\ud7af])[ ]{0,2}[\"'`*「(]{0,3}\Z",
    re.IGNORECASE,
)
LONGEST_NOTE: Final = 160


def names_lock(line: str) -> bool:
    """Return whether a line speaks of a lock, a door or an alarm."""
    return _STARTS_OF_LOCKS.search(lowered(line)) is not None


def lock_numbers(line: str) -> Iterator[SecretSpan]:
    """Yield the numbers of a short note about a lock, and those near the word PIN."""
    if len(line) > LONGEST_NOTE or not is_prose(line):
        return
    numbers = [match for match in _ANY.finditer(line) if _may_open(line, match)]
    if not numbers or len(numbers) > MOST_NUMBERS:
        return
    rest = _OF_DAY.sub(" ", _ANY.sub(" ", line))
    if _OTHER.search(rest):
        return
    lower = lowered(line)
    about_lock = _STARTS_OF_LOCKS.search(lower) is not None
    for match in numbers:
        start, end = match.span("value")
        if line[start - 1 : start] in ("(", "（"):
            continue
        if match.group("value")[0].isalpha() and not _is_named(line, start) and not _CODE.search(line):
            continue  # gate Q12, the name of something
        if (
            _is_of_pin(line, start, end)
            or (about_lock and (_is_of_lock(line, start, end) or _ends_part(line, start, end)))
            or _is_of_device(line, start, end)
            or _ends_note(line, start, end)
        ):
            yield SecretSpan(start, end, "access code", "ACCESS_CODE")


def _may_open(line: str, match: re.Match[str]) -> bool:
    """Return whether a number can open a lock; one that looks like a year, only beside a word for a code."""
    start = match.start("value")
    if is_lock_code(match.group("value")):
        return True
    return (
        _YEAR.fullmatch(match.group("value")) is not None
        and _CODE.search(line[max(0, start - 10) : start]) is not None
    )


_YEAR: Final = re.compile(r"(?:19[4-9]|20[0-3])\d")
_OF_DAY: Final = re.compile(r"\bafter (?:hours|dark|\d\d? ?[ap]m)\b", re.IGNORECASE)
"""When a code is needed: no word that gives a number another meaning."""
MOST_NUMBERS: Final = 4
LEAST_DIGITS: Final = 3


def is_lock_code(value: str) -> bool:
    """Return whether digits can open a lock, and are no year, date or round number."""
    digits = value.strip("#*")
    if re.fullmatch(r"(?:19[4-9]|20[0-3])\d|[1-9]000|(?:19|20)\d{2}[01]\d[0-3]\d", value):
        return False
    if len(digits) == LEAST_DIGITS and digits.isdecimal():
        return True
    return is_pin(digits) if digits.isdecimal() or "-" in digits else True


def _is_of_pin(line: str, start: int, end: int) -> bool:
    """Return whether the word PIN stands before a number, with words between, or "as its PIN" behind it."""
    before = list(PIN.finditer(line[max(0, start - 60) : start]))
    if before:
        return before[-1].group()[:1] != "p" or bool(_OF_A_THING.search(line))
    behind = re.match(
        r"[\"'`)*]{0,3}[ ](?:as|als|como|comme|come|jako|как|як|is|ist|for)[ ][^\d\n]{0,24}", line[end:]
    )
    return behind is not None and PIN.search(behind.group()) is not None


_OF_A_THING: Final = LazyRegex(
    r"card|atm|bank|phone|mobile|sim|voicemail|tv|tesla|car\b|tablet|ipad|iphone|watch|laptop|windows hello|door"
    r"|gate|safe"
    r"|alarm|lock|keyboard|bluetooth|headset"
    r"|mum|mom|dad|gran|his|her|my|our|pin[ ]?[:=]|karte|handy|carte|tarjeta|cartão|carta|bancomat|telefo"
    r"|pas|kaart|kart|móvil|movil|telemóvel|celular|visa|mastercard|account|stick|token|parental|kids|profile",
    re.IGNORECASE,
)


def _is_of_lock(line: str, start: int, end: int) -> bool:
    """Return whether a number ends its sentence on a line about a lock, or a verb or sign gives it."""
    ends = not line[end:].strip(" .!*_`\"')」；;，,。、）")
    if _FOR_LOCK.match(line, end):
        return True
    if end - start == LEAST_DIGITS and not _SHORT_LOCK.search(line):
        return False
    near = _STARTS_OF_LOCKS.search(lowered(line[max(0, start - 60) : start])) is not None
    return near and (ends or _JOINS.search(line[max(0, start - 24) : start]) is not None)


def _is_named(line: str, start: int) -> bool:
    """Return whether a lock and a sign stand directly before a place."""
    return bool(_SIGN.search(line[:start])) and names_lock(line[max(0, start - 20) : start])


_SIGN: Final = re.compile(r"[:：=→]\s{0,2}\Z")
_FOR_LOCK: Final = LazyRegex(
    r"[\"'`*]{0,2}[ ](?:for|opens|unlocks|gets[ ](?:you|them)[ ]in|öffnet|für|pour|para|per|voor|для)[ ](?:the[ ]"
    r"|our[ ]|my[ ]|die[ ]|das[ ]|den[ ]|la[ ]|le[ ]|el[ ]|il[ ]|o[ ]|de[ ]|het[ ])?"
    rf"(?:\w{{1,12}}[ ])?(?:{pattern(_LOCKS.split('|'))})",
    re.IGNORECASE,
)


def _ends_note(line: str, start: int, end: int) -> bool:
    """Return whether a short note is words, the word "code" and a number."""
    return (
        len(line) <= SHORT_NOTE
        and not line[end:].strip(" .!*_`\"')」；;，,。、）")
        and re.search(r"[^\W\d_]{3}", line[:start]) is not None
        and _CODE.search(line[max(0, start - 24) : start]) is not None
    )


SHORT_NOTE: Final = 60
_SHORT_LOCK: Final = LazyRegex(
    r"код|kod|code|código|codice|lock\b|schloss|cadenas|candado|lucchetto|slot\b|kłódk|замок|鍵|자물쇠|锁|鎖",
    re.IGNORECASE,
)


def _ends_part(line: str, start: int, end: int) -> bool:
    """Return whether a number of four digits or more ends the part of a list that names its lock."""
    part = _PARTS.split(line[max(0, start - FARTHEST_IN_PART) : start])[-1]
    return (
        end - start > LEAST_DIGITS
        and _PART_ENDS.match(line, end) is not None
        and _TIME.fullmatch(line[start:end]) is None
        and _STARTS_OF_LOCKS.search(lowered(part)) is not None
    )


FARTHEST_IN_PART: Final = 44
_PARTS: Final = re.compile(r"[,;、，；]\s|[、，；|]|(?<!\.)\. ")
_TIME: Final = re.compile(r"(?:[01]\d|2[0-3])[0-5][05]")
_PART_ENDS: Final = LazyRegex(
    r"[\"'`*]{0,2}(?:[ ]{0,3}(?:[,;、，；。(（|]|\.[ ]|\Z)|[ ](?:only|then|and|und|y|e|et|и|та|і|en|ve|i|or|behind"
    r"|under|by|near|beside|next[ ]to"
    r"|at[ ]the|left|right|on[ ]the|à[ ](?:droite|gauche)|derrière|sous|à[ ]côté|links|rechts"
    r"|hinter|unter|neben|hängt|debajo|detrás|junto|sotto|dietro|accanto|потом|потім|затем|puis|dann|luego|poi|depois"
    r"|potem|daarna|sonra)\b)",
    re.IGNORECASE,
)


def _is_of_device(line: str, start: int, end: int) -> bool:
    """Return whether four or six digits end a short note that names a phone, a tablet or another thing with a PIN."""
    before = line[max(0, start - FARTHEST_IN_PART) : start]
    named = _DEVICE.search(_PARTS.split(before)[-1] if end - start == DEVICE_DIGITS else before)
    return (
        named is not None
        and end - start in (4, DEVICE_DIGITS)
        and len(line) <= LONGEST_DEVICE_NOTE
        and (end - start == DEVICE_DIGITS or named.group("sign") is not None)
        and _PART_ENDS.match(line, end) is not None
        and _TIME.fullmatch(line[start:end]) is None
    )


DEVICE_DIGITS: Final = 6
LONGEST_DEVICE_NOTE: Final = 90
_DEVICE: Final = LazyRegex(
    r"(?<![^\W\d_])(?:phone|iphone|ipad|tablet|watch|apple watch|laptop|windows[ ]hello|macbook|handy|smartphone"
    r"|téléphone|portable|móvil|teléfono|celular|telemóvel|telefono|cellulare|телефон\w{0,3}|планшет\w{0,2}|telefon\w{0,4}"
    r"|telefoon|スマホ|携帯|휴대폰|폰|手机|手機)(?![^\W\d_])(?![ ](?:number|no|nummer))"
    r"[^\d\n:：=→,;.]{0,24}(?P<sign>[:：=→][ ]?)?[\"'`*]{0,2}[ ]?\Z",
    re.IGNORECASE,
)
