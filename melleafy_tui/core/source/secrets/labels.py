"""The words that name a secret, by kind and language, and the words that show that a label names none.

A word is found in other words, too (`Adminpasswort`, `DB_PASSWORD`), unless it has at most four Latin letters; a space
stands for a space, a hyphen, an underscore or nothing.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Final

PASSWORD: Final[Mapping[str, str]] = {
    "en": "keyphrase|passkey phrase|pass-phrase|agent phrase|encryption passphrase|disk password|pw hint answer"
    "|access word|recovery word|"
    "kdbx master|duress phrase|duress word|panic word|"
    "password|passwd|passphrase|passcode|pass phrase|pwd|pass|pw|psw|pword|secret word"
    "|security word|secret phrase"
    "|security phrase|keepass master|bitwarden master|1password master|vault master|master phrase"
    "|diceware|unlock words|encryption phrase|code phrase|safeword|safe word|code word|codeword|watchword"
    "|challenge word|filevault phrase|disk phrase|vault phrase|unlock phrase|gpg phrase|key phrase|backup "
    "phrase|login phrase|ssh phrase|pgp phrase|pass word",
    "de": "geheimsatz|merksatz|passphrase|zugangskennung|sperrwort|"
    "passwort|passwörter|kennwort|zugangswort|losungswort|codewort|kennsatz|passsatz|losung|schlüsselwort"
    "|zugangsschlüssel|geheimwort|geheimer satz",
    "fr": "phrase clé|sésame|mot-clé secret|"
    "mot de passe|mots de passe|mdp|phrase secrète|phrase de passe|mot secret|phrase d'accès|phrase "
    "d’accès|mot de code|code wifi|code wi-fi"
    "|code du wifi|code du wi-fi",
    "es": "contraseña|contrasena|clave de|mi clave|clave para|frase de paso|clave de acceso|clave del|clave de la"
    "|clave wifi|clave wi-fi"
    "|palabra clave|palabra secreta|frase secreta|frase de acceso|frase de seguridad|frase de cifrado"
    "|frase clave|frase de contraseña|clave maestra",
    "pt": "senha|frase senha|frase passe|palavra passe|frase secreta|palavra secreta|palavra chave|frase "
    "de acesso|frase de segurança",
    "it": "parola d'ordine|frase segreta|parola segreta|parola chiave|frase d'accesso|frase di accesso"
    "|frase di sicurezza|frase di cifratura|parola di accesso",
    "ru": "пасс|секретный вопрос ответ|"
    "парол|фраза пароль|парольная фраза|парольной фраз|кодовая фраза|кодовое слово|секретная фраза"
    "|секретное слово|ключевая фраза|фраза для|фраза от|фраза к",
    "uk": "парол|парольна фраза|кодове слово|таємна фраза|кодова фраза|секретна фраза|фраза для|фраза від"
    "|таємне слово",
    "pl": "hasło|hasła|hasło|haslo|haseł|hasłem|fraza hasłowa|fraza do|fraza dla|tajna fraza|fraza szyfrująca",
    "nl": "ww|wachtwoord|wachtzin|toegangswoord|wachtwoordzin|codewoord|wifi code|geheime zin|wachtwoordzin",
    "tr": "şifre|sifre|parola|parola cümlesi|gizli kelime|gizli cümle",
    "ja": "パス:|パス：|合いことば|あいことば|"
    "パスワード|パスフレーズ|合言葉|合い言葉|パスコード|暗証パスワード",
    "ko": "비밀번호|비번|패스워드|암호|암호문구|암호 문구|패스프레이즈|암구호|비밀 문구|비밀문구",
    "zh": "帳密|账密|帐密|口令卡|通关密语|通關密語|"
    "密码|密碼|口令|通行码|通行碼|暗号|暗號|密语|密語|密码短语|密碼短語|提取码|提取碼|访问码|授权码|授權碼",
    "wifi": "security key|clé de sécurité|clé de securite|klucz sieciowy|klucz wifi|klucz do wifi|wifi sleutel"
    "|netwerksleutel|clave wpa|chave wifi|chave do wifi|chiave del wifi|ключ сети|ключ от wi-fi|ключ вай-фай"
    "|ключ мережі|ağ anahtarı|kablosuz anahtar|网络密钥|網路金鑰|無線金鑰|无线密钥|セキュリティキー|보안 키"
    "|네트워크 키|psk|wep key|wpa|wpa2|wpa3|wpa key|wpa2 key|wpa3 key|wifi key|wi-fi key|network key|wlan key"
    "|wlan schlüssel"
    "|netzwerkschlüssel|sicherheitsschlüssel|wlan code|wifi code|wireless key|clé wifi|clé wi-fi|clé wpa|clé du wifi"
    "|chiave wifi|chiave di rete|clave de red|chave da rede|暗号化キー|ネットワークキー",
}
TOKEN: Final[Mapping[str, str]] = {
    "en": "api key|access key|auth key|private key|client key|service key|license key|signing key|encryption key"
    "|webhook key"
    "|secret|token|credential|bearer|cookie|key|recovery key|app key|master key|appsecret|authorization|totp seed"
    "|2fa seed|otp seed|mfa seed|authenticator seed|totp|setup key|ed25519 seed|wallet seed|hex seed"
    "|signing seed|keypair|repokey|masterkey|sshkey|authkey|hostkey|ct0|li_at|serial key|product key"
    "|jsessionid|phpsessid|connect.sid|community string|2fa key|private_key_id",
    "de": "schlüssel|geheimnis|zugangsdaten|lizenzschlüssel",
    "fr": "clé|clef|jeton|identifiants",
    "es": "clave|secreto|credencial|llave",
    "pt": "chave|segredo",
    "it": "chiave|segreto|gettone",
    "ru": "ключ|токен|секрет",
    "uk": "ключ|токен|секрет",
    "pl": "klucz|sekret",
    "nl": "sleutel|geheim",
    "tr": "anahtar|gizli",
    "ja": "キー|トークン|シークレット|秘密鍵|鍵",
    "ko": "키|토큰|시크릿|인증키",
    "zh": "秘密|密钥|密鑰|令牌|金鑰|金钥|凭证|憑證|秘钥|秘鑰|权杖|權杖|私钥|私鑰|激活码",
}
RECOVERY: Final[Mapping[str, str]] = {
    "en": "security key phrase|emergency codes|single use codes|verification backup|login codes|spare codes"
    "|spare code|printed codes|backup phrase code|"
    "recovery code|backup code|recovery key|rescue code|emergency code|2fa code|one-time code|scratch code"
    "|recovery codes"
    "|bitlocker|filevault|luks|veracrypt|emergency kit|reset code|app password|app-specific password"
    "|restore code|unlock key|2fa rescue|2fa backup|2fa recovery|2fa codes|mfa codes|backup key|2 step backup"
    "|emergency access code|matrix security key|element security key|scratch codes|backup codes|rescue "
    "codes|one-time codes"
    "|one-time backup|single-use:|single-use code|single-use codes|offline code|bypass code",
    "de": "notfall-code|notfall-codes|tan-liste|einmalkennwörter|einmalpasswörter|rettungscodes|zweitcodes|"
    "wiederherstellungscode|wiederherstellungscodes|wiederherstellungsschlüssel|ersatzcode|ersatzcodes"
    "|backup-code|backup-codes|notfallcode|notfallcodes|app-passwort|sicherungscode|sicherungscodes|reservecode"
    "|reservecodes|einmalcode|einmalcodes|rettungscode|notfallschlüssel",
    "fr": "code d'urgence|codes d'urgence|codes à usage unique|codes de sauvegarde|code de sauvegarde"
    "|code de dépannage|"
    "codes de récup|code de récup"
    "|code de récupération|codes de récupération|code de secours|codes de secours|clé de récupération"
    "|clé de secours",
    "es": "código de reserva|códigos de reserva|códigos de emergencia|código de emergencia"
    "|códigos de seguridad de un solo uso|códigos de un solo uso|codigos de recuperacion|"
    "codigos de emergencia|codigos de reserva|códigos recuperación|codigos de seguridad|"
    "código de recuperación|códigos de recuperación|código de respaldo|códigos de respaldo"
    "|clave de recuperación"
    "|codigo de recuperacion|codigos de respaldo",
    "pt": "código de reserva|códigos de reserva|códigos de emergência|código de emergência|códigos de segurança"
    "|códigos de uso único|códigos de acesso de emergência|"
    "código de recuperação|códigos de recuperação|chave de recuperação|código de backup|códigos de backup",
    "it": "codici di emergenza|codice di emergenza|codici di riserva|codice di riserva|codici di sicurezza"
    "|codici usa e getta|"
    "codici recupero|codice recupero|codici backup|codici emergenza|"
    "codice di recupero|codici di recupero|codice di ripristino|chiave di ripristino|chiave di recupero"
    "|codici di backup|codice di backup",
    "ru": "одноразовые коды|запасные коды|запасной код|аварийный код|аварийные коды|коды доступа|"
    "код восстановления|коды восстановления|резервный код|резервные коды|ключ восстановления",
    "uk": "запасні коди|запасний код|одноразові коди|аварійні коди|аварійний код|"
    "код відновлення|коди відновлення|резервний код|резервні коди|ключ відновлення",
    "pl": "kody jednorazowe|kody awaryjne|kod awaryjny|kody ratunkowe|kody rezerwowe|kod ratunkowy|"
    "kod odzyskiwania|kody odzyskiwania|kod zapasowy|kody zapasowe|klucz odzyskiwania",
    "nl": "herstelcodes|reservecode|reservecodes|back-upcodes|backupcodes|noodcodes|eenmalige codes|"
    "back-up codes|nood codes|"
    "herstelcode|herstelsleutel|back-upcode|noodcode",
    "tr": "yedek kodlar|acil durum kodu|acil durum kodları|tek kullanımlık kod|"
    "kurtarma kodu|kurtarma kodları|kurtarma anahtarı|yedek kod",
    "ja": "回復用コード|緊急用コード|非常用コード|ワンタイムコード|リカバリ用コード|バックアップ用コード|"
    "救援コード|救済コード|"
    "リカバリーコード|リカバリコード|復旧コード|回復コード|バックアップコード|回復キー|復旧キー|リカバリーキー"
    "|予備コード|緊急コード",
    "ko": "일회용 코드|긴급 코드|비상코드|예비코드|복구용 코드|"
    "복구 코드|백업 코드|복구 키|복구코드|백업코드|복구키|예비 코드|비상 코드",
    "zh": "应急代码|應急代碼|應急碼|紧急代码|緊急代碼|备援码|備援碼|恢复秘钥|回復碼|还原码|還原碼|救援代码|一次性代码|"
    "恢复码|恢復碼|备用码|備用碼|恢复密钥|恢復金鑰|恢复代码|复原码|復原碼|备份码|備份碼|救援码"
    "|备用验证码|備用驗證碼"
    "|恢復代碼|復原金鑰|恢复短码|应急码|备份代码|备用代码|備用代碼|修復金鑰|恢復密鑰",
}
PIN: Final[Mapping[str, str]] = {
    "en": "pin|pins|pin code|pin number|puk|pairing code|"
    "passcode|digicode|keypad code|lock code|unlock code|screen lock",
    "de": "kartenpin|karten-pin|handypin|handy-pin|geräte-pin|bankpin|sim-pin|pin-nummer|geheimzahl|zahlencode"
    "|entsperrcode|sperrcode",
    "fr": "digicode|code secret|code pin|code confidentiel",
    "es": "clave numérica|número secreto|código pin",
    "pt": "código pin|pin do",
    "it": "codice pin|codice segreto",
    "pl": "kod pin",
    "tr": "pin kodu",
    "ru": "пин|пин-код|пинкод",
    "uk": "пін|пін-код",
    "nl": "pincode",
    "ja": "暗証番号|暗証|ピンコード|解除コード|解錠コード|パスコード|ロック番号",
    "ko": "잠금|핀번호|핀 번호|핀코드|잠금번호|잠금 번호|출입번호|출입 번호|해제 코드|해제코드",
    "zh": "pin码|pin碼|锁屏密码|鎖屏密碼|解锁密码|解鎖密碼|解鎖碼|解锁码|支付密码|取款密码",
}
CODE: Final[Mapping[str, str]] = {
    "en": "code|codes|combination|combo|keypad|pin|passcode",
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
    "ja": "コード|暗証番号|番号|パスコード|ダイヤル|暗証",
    "ko": "코드|비밀번호|번호|비번|암호",
    "zh": "密码|密碼|代码|代碼|口令|号码|门禁码|門禁碼|开门码|開門碼",
}
PLACE: Final[Mapping[str, str]] = {
    "en": "door|parental|child lock|gate|garage|safe|alarm|lock|lockbox|keybox|building|entry|entrance|keypad"
    "|office|house|home"
    "|apartment|flat"
    "|elevator|lift|padlock|vault|locker|mailbox|shed|cabin|barn|intercom|security|access|unlock|disarm"
    "|tablet|phone"
    "|ipad|iphone|voicemail|sim|card|airbnb|bike|storage|cellar|basement|lobby|parking|pool|gym"
    "|front desk|server room|luggage|suitcase|cabinet|drawer|mailroom|loading dock|dock|gun safe|key safe|letterbox"
    "|cottage|lodge|studio|shop|warehouse|scooter|bank|atm|debit|credit|watch|laptop|greenhouse|hatch|turnstile"
    "|boom barrier|barrier|staircase|rooftop|stairwell|lab|studio|panel",
    "de": "tür|haus|tor|garage|tresor|safe|alarm|schloss|schlüssel|eingang|zugang|keller|hof|wohnung|büro"
    "|schranke|spind|fach|fahrrad|koffer|karte|handy|garten|schuppen|treppenhaus|einfahrt|carport",
    "fr": "porte|portail|garage|coffre|alarme|immeuble|entrée|accès|portillon|cave|digicode|hall|bureau"
    "|cadenas|maison|serrure|carte|téléphone|parking|résidence|grille|valise|vélo|local",
    "es": "puerta|portón|porton|portal|garaje|cochera|caja|alarma|entrada|acceso|cerradura|candado|edificio"
    "|oficina|casa|verja|trastero|tarjeta|cajero|móvil|maleta|barrera|finca|ascensor|taquilla",
    "pt": "porta|portão|portao|garagem|cofre|alarme|entrada|acesso|cadeado|prédio|escritório|casa"
    "|fechadura|cartão|celular|mala"
    "|condomínio|elevador|armário",
    "it": "porta|cancello|garage|cassaforte|allarme|portone|ingresso|accesso|citofono|lucchetto|cantina|ufficio"
    "|casa|box|carta|bancomat|telefono|valigia|serratura|palazzo|condominio|ascensore|armadietto|bici",
    "ru": "двер|ворот|гараж|сейф|домофон|сигнализац|подъезд|калитк|замок|замка|шлагбаум|офис|квартир|карт|телефон"
    "|ячейк|чемодан|склад|кладов",
    "uk": "двер|ворот|воріт|гараж|сейф|домофон|сигналізац|під'їзд|підʼїзд|під’їзд|хвіртк|замок|замка|шлагбаум"
    "|офіс|квартир|картк|телефон|комор|склад|валіз",
    "pl": "drzwi|bram|garaż|sejf|alarm|domofon|furtk|kłódk|zamk|wejści|klatk|biur|kart|telefon|szlaban"
    "|piwnic|walizk|skryt|blok|rower",
    "nl": "deur|poort|garage|kluis|alarm|slot|ingang|toegang|schuur|hek|kantoor|voordeur|sleutelkast"
    "|hangslot|pinpas|telefoon|slagboom|koffer|fiets"
    "|berging|kelder|sleutelkluis",
    "tr": "kapı|kapi|garaj|kasa|alarm|bina|giriş|kilit|asma kilit|site|ofis|kart|telefon|bavul|depo"
    "|asansör|otopark|bariyer|apartman",
    "ja": "ドア|玄関|門|ゲート|ガレージ|車庫|金庫|アラーム|警報|オートロック|宅配ボックス|鍵|キーボックス|扉"
    "|入口|入館|倉庫|ロッカー|カード|スマホ|携帯|南京錠|自転車|スーツケース|駐輪場|駐車場|事務所"
    "|エレベーター|ボックス",
    "ko": "문|현관|대문|차고|금고|경보|도어락|게이트|출입|공동현관|창고|사물함|알람|카드|휴대폰|자물쇠"
    "|자전거|사무실|택배함|엘리베이터|주차장|캐리어|도어",
    "zh": "门|門|车库|車庫|大门|门禁|門禁|保险箱|保險箱|保险柜|保險櫃|警报|警報|报警|車門|闸|閘|锁|鎖|入口|仓库"
    "|倉庫|储物柜|儲物櫃|置物櫃|卡|手机|手機|行李箱|电梯|電梯|单元|單元|办公室|辦公室|小区|車位|快递柜"
    "|道闸|道閘|家门|信箱",
}
WIFI: Final = (
    "wi-fi|wifi|wlan|ssid|hotspot|ghz|无线|無線|ワイファイ|와이파이|вайфай|вайфая|вайфаю|вай-фай|router|fritzbox"
    "|network|netz|网络|網路|wireless|access point|ruter|роутер|маршрутизатор|modem|módem|red wifi|guest network"
    "|gastnetz|gastnetwerk|red de invitados|rede de visitas|rede de convidados|réseau invités|rete ospiti"
    "|гостевая сеть|гостьова мережа|sieć dla gości|misafir ağı|ゲストネットワーク|게스트 네트워크|访客网络|訪客網路"
)
ACCOUNT: Final = (
    "log in|login|logon|log on|sign in|signin|credentials|credential|creds|account|user|username"
    "|user name|admin|root"
    "|zugang|zugangsdaten|anmeldung|anmelden|benutzer|konto|nutzer|identifiants|identifiant|compte|connexion"
    "|utilisateur"
    "|usuario|cuenta|acceso|usuário|portal|a conta|conta de|conta da|conta do|minha conta|acesso|utente|accesso"
    "|credenziali|логин|учётка|учетка|доступ|пользователь"
    "|логін|користувач|użytkownik|konto|logowanie|dostęp|gebruiker|inloggen|aanmelden|kullanıcı|giriş|hesap"
    "|ログイン|ユーザー|アカウント|로그인|계정|아이디|사용자|登录|登錄|登入|账号|帳號|账户|帳戶|用户名|用户|使用者"
)
NEAR_PASSWORD: Final = (
    "パス|codice wifi|codice del wifi|code wifi|wachtwd|pasword|passwrd|пассворд|комбинация"
)
"""Short words for passwords that a sign or an odd word must follow."""

ROUTERS: Final = (
    "livebox|speedport|easybox|freebox|fritz box|starlink|eero|deco mesh|mesh node|internet bei|宽带|寬頻"
)
"""Devices that only a wireless network is noted for."""

LOGINS: Final = (
    "login|log in|logs in|logged in|sign in|signs in|signin|credential|creds|account|superuser|user name|username"
    "|registered as"
    "|zugang|anmeld|einlogg|konto|benutzer|nutzer|identifiant|connecte|connexion|compte|utilisateur|usuario|cuenta"
    "|acceso"
    "|inicia sesión|entra con|usuário|portal|a conta|conta de|conta da|conta do|minha conta|acesso|entra com"
    "|entre com|utente|accesso|accedi|credenziali|логин|учётк|учетк"
    "|аккаунт|кабинет|пользователь|войти|вход|логін|увійти|вхід|обліков|користувач|użytkownik|logowanie|zaloguj|dostęp"
    "|gebruiker|inlog|account|kullanıcı|giriş|hesap|ログイン|アカウント|ユーザー|로그인|계정|아이디|사용자"
    "|登录|登錄|登入|账号|帳號|账户|帳戶|用户名|使用者|帳密|账密"
)
"""Words of notes in which a name and its password stand side by side."""

LOGIN_VERBS: Final = (
    "log in|log into|logged in|logs in|login|log on|sign in|sign into|signed in|authenticate|auth with"
    "|auth as|melde dich"
    "|meld dich|anmelden|anmeldung|einloggen|logge dich|einlogg|connecte|connecter|connexion"
    "|identifie-toi|inicia sesión"
    "|iniciar sesión|entra con|entrar con|entra como|accede|acceder|accedi|accedere|entra nel|faça login|fazer login"
    "|entre com|entrar com|acesse|войди|войти|вход|заходи|зайди|увійди|увійти|вхід|заходь|zaloguj|loguj"
    "|logowanie|inlog"
    "|meld je|aanmelden|giriş yap|giriş|oturum|登录|登錄|登入|ログイン|サインイン|로그인|basic auth"
    "|credentials|creds|ssh|ftp"
    "|sftp|rdp|staging|website|web site|wiki|nas|vpn|printer|test user|test account|camera|dashboard"
    "|portal|admin panel|admin page|backend|后台|後台|管理画面|관리자"
)
"""Words of lines on which somebody logs in."""

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
    return "|".join(_pattern(word, "" if stems else r"(?![A-Za-z\u00c0-\u04ff])") for word in found)


def lowered(text: str) -> str:
    """Return text in lower case at the same length, matching how case-insensitive patterns treat it."""
    if not text.isascii():
        for letter, plain in _READ_AS:
            text = text.replace(letter, plain)
    return text.lower()


_FOREIGN_LETTER: Final = re.compile(r"[^\W\x00-\x7f]")
"""A letter beyond ASCII; dashes and arrows are in most texts, and don't need the words of other alphabets."""


class Starts:
    """Finds where words may begin in lower-case text, as one pattern that shares their first letters.

    Args:
        paths: The words as `spelled` or `literal` returns them.
    """

    def __init__(self, paths: Iterable[tuple[str, ...]]) -> None:
        self.paths = tuple(dict.fromkeys(paths))

    def search(self, lower: str, start: int = 0) -> re.Match[str] | None:
        """Return the first place at or after a position."""
        return self.fitting(lower).search(lower, start)

    def fitting(self, lower: str) -> re.Pattern[str]:
        """Return the pattern with the words that the text has letters for."""
        foreign = not lower.isascii() and _FOREIGN_LETTER.search(lower)
        return self._any if foreign else self._ascii

    def finditer(self, lower: str) -> Iterator[re.Match[str]]:
        """Return every place; words may overlap."""
        position, pattern = 0, self.fitting(lower)
        while match := pattern.search(lower, position):
            yield match
            position = match.start() + 1

    @cached_property
    def _any(self) -> re.Pattern[str]:
        return re.compile(_shared(self.paths))

    @cached_property
    def _ascii(self) -> re.Pattern[str]:
        return re.compile(_shared(path for path in self.paths if not _FOREIGN_LETTER.search("".join(path))))


def literal(found: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    """Return texts letter by letter, for `Starts`."""
    return tuple(tuple(map(re.escape, word)) for word in found)


def spelled(found: Iterable[str], *, stems: bool = False) -> tuple[tuple[str, ...], ...]:
    """Return the words of `pattern` letter by letter, for `Starts`."""
    return tuple(_path(lowered(word), "" if stems else r"(?![A-Za-z\u00c0-\u04ff])") for word in found)


def _path(word: str, after: str) -> tuple[str, ...]:
    letters = tuple("[ _-]?" if letter in " -" else re.escape(letter) for letter in word)
    if "[ _-]?" in letters:
        return letters
    if len(word) <= 4 and word.isascii():
        return (*letters, rf"(?<![A-Za-z\u00c0-\u04ff]{re.escape(word)}){after}")
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
        return rf"(?<![A-Za-z\u00c0-\u04ff]){plain}{after}"
    if re.search(r"[а-яіїєґ]|[àâäçéèêëîïôöùûüñáíóúãõłśżźćęąğışİ]", word) and len(word) <= 5:
        return rf"(?<![^\W\d_]){plain}"
    return plain


NO_SECRET: Final = (
    r"public|sha-?\d+|\bsha\b|(?<!api[_ -])hash|digest|checksum|fingerprint|integrity|commit|uuid|\bid\b"
    r"|(?<!private_key)_id|keyid|idempotency|keyboard"
    r"|\bmax|_max|(?<!ac)count|limit|usage|budget|\b(?:primary|foreign|cache|sort|partition|index) key|tokens$"
    r"|tokenizer|tokeni[sz]e"
    r"|pass[_ ]?(?:rate|threshold|pct|per|count|criteri)|(?:first|second|third|next|multi|single|two|one"
    r"|by|final|dry|fast|full)[- ]pass\b|keyword|session[_ ]?key|publishable|\bpass(?:ed"
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
