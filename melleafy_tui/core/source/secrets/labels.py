"""The words that name a secret, by kind and language, and the words that show that a label names none.

A word is found in other words, too (`Adminpasswort`, `DB_PASSWORD`), unless it has at most four Latin letters; a space
stands for a space, a hyphen, an underscore or nothing.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Final

PASSWORD: Final[Mapping[str, str]] = {
    "en": "password|passwd|passphrase|passcode|pass phrase|pwd|pass|pw|psw|pword|secret word"
    "|security word|secret phrase"
    "|security phrase|keepass master|bitwarden master|1password master|vault master|master phrase"
    "|diceware|unlock words|encryption phrase|code phrase|safeword|safe word",
    "de": "passwort|kennwort|zugangswort|losungswort",
    "fr": "mot de passe|mots de passe|mdp|phrase secrète|phrase de passe",
    "es": "contraseña|contrasena|frase de paso|clave de acceso|clave del|clave de la|clave wifi|clave wi-fi",
    "pt": "senha|palavra passe|frase secreta",
    "it": "parola d'ordine|frase segreta|parola segreta",
    "ru": "парол|кодовая фраза|кодовое слово",
    "uk": "парол|кодове слово|таємна фраза",
    "pl": "hasło|hasła|hasło|haslo|haseł",
    "nl": "wachtwoord|wachtzin|toegangswoord",
    "tr": "şifre|sifre|parola",
    "ja": "パスワード|パスフレーズ|合言葉|合い言葉",
    "ko": "비밀번호|비번|패스워드|암호|패스프레이즈",
    "zh": "密码|密碼|口令|通行码|通行碼|暗号|暗號|密语|密語",
    "wifi": "psk|wep key|wpa|wpa2|wpa3|wpa key|wpa2 key|wpa3 key|wifi key|wi-fi key|network key|wlan key"
    "|wlan schlüssel"
    "|netzwerkschlüssel|clé wifi|clé wi-fi"
    "|chiave wifi|chiave di rete|clave de red|chave da rede|暗号化キー|ネットワークキー",
}
TOKEN: Final[Mapping[str, str]] = {
    "en": "api key|access key|auth key|private key|client key|service key|license key|signing key|encryption key"
    "|webhook key"
    "|secret|token|credential|bearer|cookie|key|recovery key|app key|master key|appsecret|authorization|totp seed"
    "|2fa seed|otp seed|mfa seed|authenticator seed",
    "de": "schlüssel|geheimnis|zugangsdaten",
    "fr": "clé|jeton|identifiants",
    "es": "clave|secreto|credencial",
    "pt": "chave|segredo",
    "it": "chiave|segreto|gettone",
    "ru": "ключ|токен|секрет",
    "uk": "ключ|токен|секрет",
    "pl": "klucz|sekret",
    "nl": "sleutel|geheim",
    "tr": "anahtar|gizli",
    "ja": "キー|トークン|シークレット|秘密鍵|鍵",
    "ko": "키|토큰|시크릿|인증키",
    "zh": "密钥|密鑰|令牌|金鑰|金钥|凭证|憑證|秘钥|秘鑰|权杖|權杖",
}
RECOVERY: Final[Mapping[str, str]] = {
    "en": "recovery code|backup code|recovery key|rescue code|emergency code|2fa code|one-time code|scratch code"
    "|recovery codes"
    "|bitlocker|filevault|luks|veracrypt|emergency kit|reset code|app password|app-specific password"
    "|restore code|unlock key|2fa rescue|2fa backup|2fa recovery|2fa codes|mfa codes|backup key",
    "de": "wiederherstellungscode|wiederherstellungsschlüssel|ersatzcode|backup-code|notfallcode|app-passwort"
    "|sicherungscode"
    "|reservecode",
    "fr": "code de récupération|codes de récupération|code de secours|codes de secours|clé de récupération"
    "|clé de secours",
    "es": "código de recuperación|códigos de recuperación|código de respaldo|códigos de respaldo"
    "|clave de recuperación"
    "|codigo de recuperacion|codigos de respaldo",
    "pt": "código de recuperação|códigos de recuperação|chave de recuperação|código de backup|códigos de backup",
    "it": "codice di recupero|codici di recupero|codice di ripristino|chiave di ripristino|chiave di recupero"
    "|codici di backup|codice di backup",
    "ru": "код восстановления|коды восстановления|резервный код|резервные коды|ключ восстановления",
    "uk": "код відновлення|коди відновлення|резервний код|резервні коди|ключ відновлення",
    "pl": "kod odzyskiwania|kody odzyskiwania|kod zapasowy|kody zapasowe|klucz odzyskiwania",
    "nl": "herstelcode|herstelsleutel|back-upcode|noodcode",
    "tr": "kurtarma kodu|kurtarma kodları|kurtarma anahtarı|yedek kod",
    "ja": "リカバリーコード|リカバリコード|復旧コード|回復コード|バックアップコード|回復キー|復旧キー|リカバリーキー",
    "ko": "복구 코드|백업 코드|복구 키",
    "zh": "恢复码|恢復碼|备用码|備用碼|恢复密钥|恢復金鑰|恢复代码|复原码|復原碼|备份码|備份碼|救援码",
}
PIN: Final[Mapping[str, str]] = {
    "en": "pin|pin code|pin number|puk|passcode|digicode|keypad code",
    "de": "kartenpin|karten-pin|handypin|handy-pin|geräte-pin|bankpin|sim-pin|pin-nummer|geheimzahl|zahlencode",
    "fr": "digicode|code secret",
    "es": "clave numérica|número secreto",
    "ru": "пин|пин-код|пинкод",
    "uk": "пін|пін-код",
    "nl": "pincode",
    "ja": "暗証番号|暗証|ピンコード",
    "ko": "핀번호|핀 번호|핀코드",
    "zh": "pin码|pin碼",
}
CODE: Final[Mapping[str, str]] = {
    "en": "code|combination|combo|keypad|pin",
    "de": "code|kombination|zahlenschloss|geheimzahl",
    "fr": "code|combinaison",
    "es": "código|codigo|combinación|combinacion|clave|contraseña",
    "pt": "código|codigo|combinação|combinacao|senha|segredo",
    "it": "codice|combinazione",
    "ru": "код|комбинация|шифр",
    "uk": "код|комбінація|шифр",
    "pl": "kod|szyfr|kombinacja",
    "nl": "code|combinatie|cijfercode",
    "tr": "kod|kodu|şifre|kombinasyon",
    "ja": "コード|暗証番号|番号|パスコード|ダイヤル",
    "ko": "코드|비밀번호|번호|비번|암호",
    "zh": "密码|密碼|代码|代碼|口令|号码|门禁码|門禁碼|开门码|開門碼",
}
PLACE: Final[Mapping[str, str]] = {
    "en": "door|gate|garage|safe|alarm|lock|lockbox|keybox|building|entry|entrance|keypad|office|house|home"
    "|apartment|flat"
    "|elevator|lift|padlock|vault|locker|mailbox|shed|cabin|barn|intercom|security|access|unlock|disarm"
    "|tablet|phone"
    "|ipad|iphone|voicemail|sim|card|airbnb|bike|storage|cellar|basement|lobby|parking|pool|gym"
    "|front desk|server room",
    "de": "tür|haus|tor|garage|tresor|safe|alarm|schloss|schlüssel|eingang|zugang|keller|hof|wohnung|büro"
    "|schranke|spind|fach",
    "fr": "porte|portail|garage|coffre|alarme|immeuble|entrée|accès|portillon|cave|digicode|hall|bureau"
    "|cadenas|maison",
    "es": "puerta|portón|porton|portal|garaje|cochera|caja|alarma|entrada|acceso|cerradura|candado|edificio"
    "|oficina|casa|verja|trastero",
    "pt": "porta|portão|portao|garagem|cofre|alarme|entrada|acesso|cadeado|prédio|escritório|casa",
    "it": "porta|cancello|garage|cassaforte|allarme|portone|ingresso|accesso|citofono|lucchetto|cantina|ufficio"
    "|casa|box",
    "ru": "двер|ворот|гараж|сейф|домофон|сигнализац|подъезд|калитк|замок|замка|шлагбаум|офис|квартир",
    "uk": "двер|ворот|гараж|сейф|домофон|сигналізац|під'їзд|підʼїзд|під’їзд|хвіртк|замок|замка|шлагбаум"
    "|офіс|квартир",
    "pl": "drzwi|bram|garaż|sejf|alarm|domofon|furtk|kłódk|zamk|wejści|klatk|biur",
    "nl": "deur|poort|garage|kluis|alarm|slot|ingang|toegang|schuur|hek|kantoor|voordeur|sleutelkast",
    "tr": "kapı|kapi|garaj|kasa|alarm|bina|giriş|kilit|asma kilit|site|ofis",
    "ja": "ドア|玄関|門|ゲート|ガレージ|車庫|金庫|アラーム|警報|オートロック|宅配ボックス|鍵|キーボックス|扉"
    "|入口|入館|倉庫|ロッカー",
    "ko": "문|현관|대문|차고|금고|경보|도어락|게이트|출입|공동현관|창고|사물함|알람",
    "zh": "门|門|车库|車庫|大门|门禁|門禁|保险箱|保險箱|保险柜|保險櫃|警报|警報|报警|車門|闸|閘|锁|鎖|入口|仓库"
    "|倉庫|储物柜",
}
WIFI: Final = (
    "wi-fi|wifi|wlan|ssid|hotspot|ghz|无线|無線|ワイファイ|와이파이|вайфай|вай-фай|router|fritzbox|network"
    "|netz|网络"
)
ACCOUNT: Final = (
    "log in|login|logon|log on|sign in|signin|credentials|credential|creds|account|user|username"
    "|user name|admin|root"
    "|zugang|zugangsdaten|anmeldung|anmelden|benutzer|konto|nutzer|identifiants|identifiant|compte|connexion"
    "|utilisateur"
    "|usuario|cuenta|acceso|usuário|conta|acesso|utente|accesso|credenziali|логин|учётка|учетка|доступ|пользователь"
    "|логін|користувач|użytkownik|konto|logowanie|dostęp|gebruiker|inloggen|aanmelden|kullanıcı|giriş|hesap"
    "|ログイン|ユーザー|アカウント|로그인|계정|아이디|사용자|登录|登錄|登入|账号|帳號|账户|帳戶|用户名|用户|使用者"
)
PLAIN_USERS: Final = (
    "root|admin|administrator|administrador|user|guest|pi|ubuntu|postgres|sa|mysql|ftp|git|demo|test|test user|kodi"
    "|homeassistant|openhab|nas|debian|ec2-user|oracle|operator|manager|support|service|backup|deploy|me"
    "|gast|benutzer"
)


_READ_AS: Final = (
    *(("ı", "i"), ("İ", "i"), ("ſ", "s"), ("\u212a", "k")),
    *(("\u1c82", "о"), ("\u1c84", "т"), ("\u1c85", "т")),
)
"""Letters that case-insensitive patterns treat as equal to others, though `lower` doesn't."""


def words(*tables: Mapping[str, str]) -> tuple[str, ...]:
    """Return the words of tables, the longest first."""
    found = {word for table in tables for row in table.values() for word in row.split("|")}
    return tuple(sorted(found, key=lambda word: (-len(word), word)))


def pattern(found: Iterable[str], *, stems: bool = False) -> str:
    """Return a pattern that finds the words; short Latin ones only as whole words, or as the start of words."""
    return "|".join(_pattern(word, "" if stems else r"(?![^\W\d_])") for word in found)


def lowered(text: str) -> str:
    """Return text in lower case at the same length, matching how case-insensitive patterns treat it."""
    if not text.isascii():
        for letter, plain in _READ_AS:
            text = text.replace(letter, plain)
    return text.lower()


class Starts:
    """Finds where words may begin in lower-case text, as one pattern that shares their first letters.

    Args:
        paths: The words as `spelled` or `literal` returns them.
    """

    def __init__(self, paths: Iterable[tuple[str, ...]]) -> None:
        self.paths = tuple(dict.fromkeys(paths))

    def search(self, lower: str, start: int = 0) -> re.Match[str] | None:
        """Return the first place at or after a position."""
        return (self._ascii if lower.isascii() else self._any).search(lower, start)

    def finditer(self, lower: str) -> Iterator[re.Match[str]]:
        """Return every place; words may overlap."""
        position = 0
        while match := self.search(lower, position):
            yield match
            position = match.start() + 1

    @cached_property
    def _any(self) -> re.Pattern[str]:
        return re.compile(_shared(self.paths))

    @cached_property
    def _ascii(self) -> re.Pattern[str]:
        return re.compile(_shared(path for path in self.paths if "".join(path).isascii()))


def literal(found: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    """Return texts letter by letter, for `Starts`."""
    return tuple(tuple(map(re.escape, word)) for word in found)


def spelled(found: Iterable[str], *, stems: bool = False) -> tuple[tuple[str, ...], ...]:
    """Return the words of `pattern` letter by letter, for `Starts`."""
    return tuple(_path(lowered(word), "" if stems else r"(?![^\W\d_])") for word in found)


def _path(word: str, after: str) -> tuple[str, ...]:
    letters = tuple("[ _-]?" if letter in " -" else re.escape(letter) for letter in word)
    if "[ _-]?" in letters:
        return letters
    if len(word) <= 4 and word.isascii():
        return (*letters, rf"(?<![^\W\d_]{re.escape(word)}){after}")
    return letters


def _shared(paths: Iterable[tuple[str, ...]]) -> str:
    """Return a pattern for the paths in which those with the same first part share it."""
    groups: dict[str, list[tuple[str, ...]]] = {}
    for path in paths:
        if not path:
            return ""
        groups.setdefault(path[0], []).append(path[1:])
    found = [first + _shared(rest) for first, rest in groups.items()]
    return found[0] if len(found) == 1 else f"(?:{'|'.join(found)})" if found else r"(?!)"


def _pattern(word: str, after: str) -> str:
    plain = re.escape(word).replace("\\ ", "[ _-]?").replace("\\-", "[ _-]?")
    if len(word) <= 4 and word.isascii():
        return rf"(?<![^\W\d_]){plain}{after}"
    if re.search(r"[а-яіїєґ]|[àâäçéèêëîïôöùûüñáíóúãõłśżźćęąğışİ]", word) and len(word) <= 5:
        return rf"(?<![^\W\d_]){plain}"
    return plain


NO_SECRET: Final = (
    r"public|sha-?\d*|hash|digest|checksum|fingerprint|integrity|commit|uuid|\bid\b|_id|keyid|idempotency|keyboard"
    r"|max|(?<!ac)count|limit|usage|budget|\b(?:primary|foreign|cache|sort|partition|index) key|tokens$"
    r"|tokenizer|tokeni[sz]e"
    r"|pass[_ ]?(?:rate|threshold|pct|per|count|criteri)|keyword|session[_ ]?key|publishable|\bpass(?:ed"
    r"|es|ing|rate)\b"
)
NO_GAP: Final = (
    r"\b(?:policy|policies|length|limit|count|reset|rules?|manager|budget|interval|rotat\w+|expir\w+|fil[es]"
    r"|path|type|url"
    r"|link|format|variable|env|environment|location|hash|strength|minimum|min|max|usage|size|ttl|prefix|field"
    r"|name|page"
    r"|version|id|must|should|never|not|don't|has|have|needs?|ask|see|if|when|are|can|may|will|before|after|then"
    r"|richtlinie|länge|muss|darf|niemals|nie|wenn|longueur|doit|jamais|longitud|debe|nunca|deve|mai|должен|никогда"
    r"|повинен|musi|nigdy|moet|nooit|asla)\b"
)
"""Words between a label and its sign after which no secret follows."""
