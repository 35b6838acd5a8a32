"""The words of fourteen languages that speak of secrets, each with the concept it stands for.

`_` joins words that stand together, with a blank, a hyphen, an underscore or nothing between them. `*` behind a word
stands for endings, `*` before it for the first parts of a compound: `*passwort` is found in `Adminpasswort`.
Words of scripts without blanks are found inside other words.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final


class Concept(StrEnum):
    """What a word says about the values near it."""

    PASSWORD = "password"
    PASS = "pass"
    """A short word for a password that has other meanings in most texts."""
    PHRASE = "phrase"
    SAYING = "saying"
    """A word for a phrase that isn't always secret: "the phrase for the disk"."""
    TOKEN = "token"
    KEY = "key"
    """A word for a key of any kind: of an API, of a network, of a door."""
    PIN = "pin"
    CODE = "code"
    SPARE = "spare"
    """What makes a code a recovery code: backup, emergency, one-time."""
    SEED = "seed"
    LOGIN = "login"
    USER = "user"
    WIFI = "wifi"
    SSID = "ssid"
    """The name of a network, which stands before its password."""
    LOCK = "lock"
    DEVICE = "device"
    VAULT = "vault"
    """What a passphrase protects: a disk, a backup, a key."""
    ENTER = "enter"
    SITE = "site"
    """Where people sign in: a portal, an app, a platform."""
    SAY = "say"
    """What asks for a spoken word: "say X", "the answer is X"."""
    SERVICE = "service"
    OTHER = "other"
    """What numbers and ids are that are no secret."""
    PUBLIC = "public"


WORDS: Final[Mapping[Concept, str]] = {
    Concept.PASSWORD: """
        password* passwords passwd pwd pw pws psw pword pass_phrase pasword passwrd pass_word access_word login_pass
        *password *passwd *passphrase psk wpa_passphrase sudo_pass db_pass smtp_pass mail_pass email_pass imap_pass
        ftp_pass http_pass app_pass my_pass admin_pass root_pass user_pass mysql_pass postgres_pass pg_pass redis_pass
        mqtt_pass wifi_pass wlan_pass api_pass vnc_pass rpc_pass proxy_pass auth_pass basic_pass dev_pass web_pass
        mongo_pass amqp_pass rabbit_pass sshpass pgpass userpass passwort* passwörter kennwort* kennwörter zugangswort
        zugangskennung losungswort *passwort *kennwort mot_de_passe mots_de_passe mdp contraseñ* contrasen*
        clave_de_acceso clave_maestra clave_secreta senha* palavra_passe palavras_passe парол* пасс пассворд hasł*
        haseł haslo wachtwoord* ww wachtwd toegangswoord* *wachtwoord şifre* sifre* parola* parola_di_accesso
        parola_d_accesso パスワード パスワ PW 비밀번호 비번 패스워드 암호 暗証パスワード 密码 密碼 口令 通行码 通行碼
        帳密 账密 帐密 提取码 提取碼 访问码 授权码 授權碼 parol parolya mima angou anshou bango_ansho amho bimil
        bimilbeonho kouling losung_wort haslo_do clave_wifi zugangspasswort anmeldepasswort einmalpasswort
        startpasswort initialpasswort parolă jelszó heslo lösenord
        login_word anmeldewort sitzungskennwort clave_de_sesión clave_del_wifi clave_de_la_wifi clave_de_inicio
        clave_de_red código_de_acceso_web mot_d_accès parolni passcodes_list wachtwoordje 登录密码 登入密碼
        解锁口令 解壓口令 解压口令 지문암호 로그인암호 パス词 パスコード表 pwds passwds paswoord parolin parolamız
        şifremiz şifremi
        пароля_от парольчик*
        """,
    Concept.PASS: "pass パス",
    Concept.PHRASE: """
        passphrase passphrases passphrase* keyphrase key_phrase code_word codeword code_phrase safe_word safeword
        watchword secret_word secret_phrase security_word security_phrase unlock_phrase unlock_words unlock_word
        duress_word duress_phrase panic_word challenge_word family_word diceware recovery_word encryption_phrase
        backup_phrase vault_phrase disk_phrase gpg_phrase pgp_phrase ssh_phrase login_phrase master_phrase
        agent_phrase filevault_phrase verbal_password codewort* codewörter kennsatz* merksatz* geheimsatz* losung
        passsatz geheimwort sicherheitswort mot_secret mot_de_code mot_clé_secret phrase_de_passe phrase_secrète
        phrase_secrete phrase_clé phrase_d_accès palabra_clave palabra_secreta palabra_de_paso frase_de_paso
        frase_de_contraseña frase_secreta frase_clave frase_de_acceso frase_de_seguridad frase_de_cifrado
        frase_contraseña frase_senha frase_passe palavra_secreta palavra_chave frase_de_acesso frase_de_segurança
        parola_d_ordine parola_chiave parola_segreta frase_segreta frase_d_accesso frase_di_accesso frase_di_sicurezza
        парольн*_фраз* фраза_пароль кодов*_фраз* кодов*_слов* секретн*_фраз* секретн*_слов* ключев*_фраз* тайн*_слов*
        таємн*_фраз* таємн*_слов* кодове_слово fraz*_hasłow* tajn*_fraz* fraz*_szyfruj* tajn*_hasł* wachtzin*
        wachtwoordzin* geheime_zin codewoord* codezin parola_cümle* gizli_cümle* gizli_kelime* şifre_cümle*
        パスフレーズ 合言葉 合い言葉 合いことば あいことば 암구호 암호문구 암호_문구 패스프레이즈 비밀_문구 비밀문구
        密语 密語 通关密语 通關密語 密码短语 密碼短語 加密短语 加密短語 暗号 暗號 口令短语
        hauptphrase leitsatz schlüsselsatz entsperrsatz startsatz losungssatz passwortsatz codesatz 25th_word
        extra_word hidden_word pick_up_word pickup_word pick_up_phrase pickup_phrase key_sentence unlock_sentence
        secret_sentence repository_phrase disk_sentence wallet_word phrase_maîtresse phrase_maitresse
        phrase_de_chiffrement phrase_de_déverrouillage phrase_de_sécurité mot_de_sécurité mot_de_passage
        phrase_de_récupération_du_coffre frase_maestra frase_de_desbloqueo frase_de_arranque palabra_de_seguridad
        contraseña_hablada santo_y_seña frase_mestra frase_de_desbloqueio palavra_de_segurança senha_falada
        palavra_combinada frase_principale frase_maestra_del frase_di_sblocco parola_di_sicurezza frase_padrona
        главн*_фраз* фраз*_разблокир* фраз*_доступ* слово_пароль проверочн*_слов* условн*_фраз* условн*_слов*
        головн*_фраз* фраз*_розблок* умовн*_слов* умовн*_фраз* хасл* fraz*_główn* fraz*_dostępu fraz*_odblok*
        hasło_słowne zdanie_hasło umówion*_słow* hoofdzin sleutelzin ontgrendelzin beveiligingswoord veiligheidswoord
        afgesproken_woord wachtzinnetje ana_cümle anahtar_cümle parola_kelimesi güvenlik_kelimesi güvenlik_sözcüğü
        ek_sözcük ek_sözcüğü ek_kelime ek_kelimesi 追加ワード 追加の単語 合図の言葉 秘密の言葉 秘密の文 暗号化フレーズ
        復号フレーズ 문장_암호 암호_문장 추가_단어 약속_단어
        비밀_단어 비밀단어 비밀_문장 暗语 暗語 通关句 通關句 附加短语 附加短語 口令句 密句 暗语句 切口 私鑰的片語
        私钥的短语 附加词 附加詞
        """,
    Concept.SAYING: """
        phrase *phrase satz frase фраз* fraz* zin cümle* words 短语 短語 フレーズ 문구 palabras
        palavras parole mots wörter woorden słów слов слова слів слово słowo woord kelime
         wachtsatz satzes sätze worten frases frasi zinnetje zdanie zdania zdaniem предложени* речення cümlesi
        cümleyi cümleyle sözcük sözcüğü sözcükle kelimesi kelimeyle словом словами 片語 片语 単語 ワード 문장 단어
        字词
        """,
    Concept.TOKEN: """
        token secret secrets bearer cookie cookies jwt authtoken apitoken api_token *token *secret appsecret api_key
        api_keys apikey apikeys api_secret access_key accesskey auth_key authkey private_key private_key_id privatekey
        privkey secret_key secretkey client_secret client_key service_key license_key licence_key signing_key
        encryption_key master_key masterkey app_key appkey webhook_key write_key admin_key shared_key deploy_key
        product_key serial_key network_encryption_key repokey sshkey hostkey keypair sas sas_token connect_sid x_auth
        bw_session session_token session_key jsessionid phpsessid setup_key totp totp_seed otp_seed mfa_seed
        signing_seed ed25519_seed hex_seed wallet_seed community_string ct0 li_at llat pat app_id_secret appid_secret
        auth_token hmac_key fernet_key aes_key rails_master_key network_key_hex api_schlüssel lizenzschlüssel
        zugriffsschlüssel api_hash session_secret genkey zugriffstoken geheimnis* api_key_secret clé_api clé_d_api
        clé_de_l_api clé_secrète clé_privée clef_privée chave_privada chiave_privata clef_api jeton* clave_de_api
        clave_de_la_api clave_api clave_privada secreto* credencial* chave_de_api chave_da_api chave_api segredo*
        chiave_api chiave_segreta gettone segreto токен* секрет* ключ*_api секретн*_ключ* приватн*_ключ* ключ*_доступ*
        token* tokenu tokena sekret* klucz_api klucz*_dostęp* api_sleutel geheim geheime_sleutel toegangstoken*
        belirte* gizli_anahtar* api_anahtar* erişim_anahtar* トークン シークレット 秘密鍵 アクセスキー APIキー 토큰
        시크릿 인증키 비밀키 비밀 API_키 秘密 令牌 密钥 密鑰 金鑰 金钥 秘钥 秘鑰 凭证 憑證 权杖 權杖 私钥 私鑰 激活码
        preshared pre_shared preshared_key private_half secret_half local_key application_key app_id_key
        zugangsschlüssel miyao himitsu tajne tajny tajna gizli secreta segreta secrète 비밀값 密匙 签名密钥 簽章金鑰
        station_key api_schluessel dienstschlüssel serviceschlüssel clé_de_service clé_de_station clé_locale
        clé_de_compte secret_client secret_partagé clé_partagée clé_de_signature clave_de_servicio clave_local
        clave_secreta_de secreto_de_cliente chave_local chave_secreta chave_de_serviço segredo_do_cliente
        chiave_locale chiave_di_servizio chiave_condivisa lokaler_schlüssel локальн*_ключ* общ*_ключ* локальний_ключ
        klucz*_lokaln* klucz*_prywatn* klucz*_tajn* lokale_sleutel privésleutel geheime_code yerel_anahtar
        özel_anahtar hashkey hash_key hashiv hash_iv ローカルキー 共有キー 共通鍵 署名鍵 로컬키 로컬_키 서명키 공유키
        共享密钥 共用金鑰 本地密钥 hmac
        hmac_secret shared_secret sheets_hmac partner_key account_key private_id device_key location_key project_key
        public_private_key app_token bot_token refresh_token access_token pairing_key link_key noise_psk api_psk
        vapid_private stream_key ingest_key licence_secret install_key
        """,
    Concept.KEY: """
        key keys schlüssel* *schlüssel clé clés clef clefs clave claves llave llaves chave chaves chiave chiavi ключ*
        klucz* sleutel* *sleutel anahtar* passkey キー 鍵 키 キーワード kluch klyuch kagi yolsuz_anahtar
        """,
    Concept.PIN: """
        pin pins puk puks pin1 pin2 puk1 puk2 pincode* pin_code pin_number pin_nummer passcode passcodes passcode*
        digicode* geheimzahl*
        zahlencode entsperrcode* sperrcode* screen_lock kartenpin handypin simpin bankpin code_secret
        code_confidentiel código_pin codice_pin codice_segreto número_secreto pin_kodu пин* пін* 暗証番号 暗証
        ピンコード パスコード 핀번호 핀_번호 핀코드 핀 锁屏密码 鎖屏密碼 解锁密码 解鎖密碼 支付密码 取款密码 取款密碼
        geheimnummer* geheimcode* sicherheitscode türcode code_pin numéro_d_identification_personnel numero_segreto
        numero_personal código_secreto número_personal código_confidencial pinkode пинкод* пін_код* pincod* pinem
        pinie pinlek pinin 개인번호 암호번호 개인식별번호 暗証コード 暗证号 暗證號 按键码 按鍵碼 智能卡密码
        """,
    Concept.CODE: """
        code codes *code *codes combination combinations combo combos kombination* zahlenkombination* combinaison*
        código* codigo* combinación combinacion combinação combinacao codice codici combinazion* код* комбинац*
        комбінац* шифр kod kodu kody kodem kodów kodlar* koduna kodunu szyfr kombinacj* cijfercode* combinatie*
        kombinasyon* コード 番号 ダイヤル 코드 번호 代码 代碼 号码 號碼 码 碼 digits ziffern ziffernfolge chiffres
        dígitos cifre цифр* цифри cyfr* cijfers haneli rakam* 桁 자리 数字 數字 숫자 serial activation voucher
        gift_card license licence lizenz licenza licencia licença лиценз* ліценз* licencj* lisans* seriennummer
        numéro_de_série 序号 序號 シリアル 시리얼
        codice_di_ritiro afhaalcode abholcode abholcodes pickup_code pick_up_code access_code access_codes entry_code
        entry_codes join_code invite_code lobby_code room_code meeting_code session_code class_code codigos códigos
        коды кодом кодов кодами кодові кодів kodunuz kodları kody_do 入室コード 視聴コード 参加コード 招待コード
        입장_코드 초대_코드 참가_코드 取件码 取件碼
        取貨碼 邀请码 邀請碼 参会码 房间码 觀看碼
        """,
    Concept.SPARE: """
        recovery backup backups emergency rescue one_time onetime scratch spare fallback 2fa mfa 2sv two_factor 2_step
        restore reset_code authenticator* emergency_kit secret_key_kit wiederherstellung* notfall*
        ersatz* einmal* zweitschlüssel secours récupération respaldo* recuperación emergencia* reserva* recuperação
        recupero ripristino riserva emergenz* восстановлен* резервн* запасн* аварийн* одноразов* відновлен* аварійн*
        odzyskiwan* zapasow* awaryjn* ratunkow* rezerwow* jednorazow* herstel* nood* reserve* eenmalig* back_up*
        kurtarma yedek acil tek_kullanım* リカバリ 復旧 回復 復元 バックアップ 予備 緊急 非常 救援 ワンタイム 복구
        백업 예비 비상 긴급 일회용 恢复 恢復 备用验证码 備用驗證碼 备用 備用 备份 備份 应急 應急 紧急 备援 備援 还原
        還原 复原 復原 一次性
        wiederherstellungscode* reservecode* notfallcode* ersatzcode* códigos_de_respaldo recuperación_de
        códigos_de_emergencia dépannage di_riserva di_emergenza reservecodes
        """,
    Concept.SEED: """
        seed seeds seed_phrase seed_words mnemonic* recovery_phrase paper_wallet wallet_words twelve_words 12_words
        24_words semilla semente сид мнемо* frase_semilla frase_de_recuperación сід 助记词 助記詞 注记词 註記詞 备份词
        備份詞 ニーモニック シードフレーズ 니모닉 시드
        """,
    Concept.LOGIN: """
        login logins logon log_in log_into log_on logs_in logged_in sign_in sign_into signs_in signed_in signin
        credential credentials creds cred account accounts acct admin root guest administrator superuser auth
        authenticate basic_auth registered_as portal webmail staging dashboard website web_ui admin_panel admin_page
        anmeld* *login melde_dich meld_dich meld_je zugang* zugangsdaten konto kontos einlogg* logge identifiant*
        compte* connexion connecte* se_connecter cuenta* acceso* accede* inicia_sesión iniciar_sesión entra_con
        acesso* entre_com entra_com faça_login conta_de minha_conta accesso* accedi* credenziali логин* учётк* учетк*
        учётн* учетн* аккаунт* акаунт* войти войди вход доступ* кабинет логін* обліков* увійти увійди вхід logowan*
        zaloguj* loguj* kont* dostęp* inlog* aanmeld* giriş hesap* hesab* ログイン アカウント サインイン 로그인 계정
        登录 登錄 登入 账号 帳號 账户 帳戶 帐号 学号 elternportal kundenportal kundenkonto mitgliedsnummer
        kundennummer_und espace_client espace_presse área_privada área_de_cliente área_do_cliente area_clienti
        area_riservata личный_кабинет кабинет* журнал* щоденник* panel_klienta dziennik* mijn_omgeving マイページ 会員
        会員番号 마이페이지 회원 会员 會員 工号 學號 后台 後台
        logging_in log_back_in sign_back_in logs_on sign_on signed_up enrolled profile_login anmelden angemeldet
        anmeldung abgemeldet einloggen eingeloggt ausgeloggt benutzerkonto session_windows ouvrir_la_session
        se_connecte se_connectent connecter ressaisir reconnecté reconnecter déconnecté entre_comme identifiants
        entra_como entrar_como entras_como ingresa ingresar ingreso sesión autenticarse entro_com acessar
        acessa logar loga logado deslogou entrare_come entra_come accedere accede_con accedo collegarsi autenticarsi
        войти_как заходим_как заходить_как зайти зайди залогин* разлогин* авториз* зайти_як зайди_як увійшов залогін*
        розлогін* wszedł* wszedłem weszłam wejść wylogow* wylogował logujemy wchodzimy ingelogd uitgelogd inloggen
        log_in_als aanmelden giriş_yap* girdim giriyoruz giriyorum girilecek oturum* oturumu ログオン サインオン 入る
        로그온 접속 登陆
        登進 登进
        """,
    Concept.USER: """
        user users username usernames user_name userid usr benutzer* nutzer* utilisateur* usuario* usuário* utente*
        пользовател* користувач* użytkownik* gebruiker* kullanıcı* ユーザー 아이디 사용자 用户名 用户 使用者
        benutzername* anmeldename* login_name account_name nick nickname nom_d_utilisateur pseudo nombre_de_usuario
        nome_de_usuário nome_utente имя_пользовател* ник никнейм логином нік ім_я_користувача nazwa_użytkownika
        gebruikersnaam* kullanıcı_adı ユーザ名 ユーザー名 사용자명 사용자_이름 用戶名 帳號名 账户名
        """,
    Concept.WIFI: """
        wifi wi_fi wlan *wlan *wifi hotspot hotspots router* *router access_point wireless fritzbox* fritz_box fritz
        livebox speedport easybox freebox starlink eero deco_mesh mesh_node network networks netz *netz netzwerk*
        *netzwerk réseau* guest_network red_wifi red_de_invitados red_invitados rede rete сеть сети мереж* sieć sieci
        netwerk* *netwerk ağ ağı ağının вайфай* вай_фай* роутер* маршрутизатор* ruter* modem* módem* wpa wpa2 wpa3 wep
        repeater internet_bei 无线 無線 网络 網路 路由器 宽带 寬頻 热点 熱點 ワイファイ ルーター ネットワーク 와이파이
        공유기 네트워크 internet online iot mesh net internetu internete интернет* інтернет* інтернеті internetin 网
        ネット 電波 인터넷
        hotspot_name wlan_schlüssel router_key ssid_key rede_wifi red_wi_fi réseau_invité gastnetz* gäste_wlan
        гостев*_сет* гостьов* gastennetwerk misafir_ağı kablosuz kablosuz_ağ kablosuz_anahtar 親機 無線LAN
        ポケットwifi
        ポケットWi-Fi 에그 핫스팟 공유기암호 wlan_kabel wi‑fi mifi pocket_wifi access_points routeur* enrutador*
        roteador* tethering
        """,
    Concept.SSID: """
        ssid ssid1 ssid2 essid wifi_name wi_fi_name network_name wlan_name netzname netzwerkname nom_du_réseau
        nom_du_wifi nombre_de_la_red nome_da_rede nome_della_rete имя_сети название_сети назва_мережі nazwa_sieci
        netwerknaam ağ_adı wifi_adı 网络名 網路名 网名 網名 WiFi名 ネットワーク名 네트워크_이름 network_s_name
        name_of_the_network
        """,
    Concept.LOCK: """
        door doors doorbell frontdoor backdoor gate gates garage garages safe alarm alarms lock locks *lock lockbox
        lock_box keybox key_box key_safe keysafe keypad keypads entrance entry entryway padlock* locker lockers
        intercom mailbox mailroom letterbox shed barn storage_unit elevator building front_door deadbolt cabin cottage
        airbnb disarm duress suitcase luggage cabinet cellar hatch turnstile barrier loading_dock server_room
        pool_gate greenhouse gun_safe keyless entry_phone tür* *tür *türe tor tore garagentor gartentor hoftor
        einfahrtstor garage* *garage tresor* *tresor alarm* *alarm schloss *schloss schlüsselkasten* schlüsselfach
        schlüsselbox *eingang eingang* spind* schranke* briefkasten schuppen keller türöffner porte* portail*
        portillon coffre* coffre_fort alarme* immeuble* cadenas interphone* serrure* boîte_à_clés boîte_à_clefs
        entrée_de_l_immeuble puerta* portón porton garaje* cochera* caja_fuerte caja alarma* candado* cerradura*
        trastero* taquilla* verja* finca porta* portão portões portao garagem cofre* cadeado* fechadura* prédio
        condomínio armário portone* cancello cancelli cassaforte allarme* lucchetto serratura* citofono* antifurto
        cantina armadietto ingresso двер* ворот* гараж* сейф* домофон* сигнализац* подъезд* калитк* замок замк*
        шлагбаум* ячейк* кладов* воріт сигналізац* під_їзд* під_ʼїзд* хвіртк* комор* drzw* bram* garaż* sejf* domofon*
        furtk* kłódk* zamek zamk* klatk* szlaban* skrytk* piwnic* deur* *deur poort* *poort kluis* slot hek hangslot*
        sleutelkast* sleutelkluis* schuur slagboom berging kapı* kapi garaj* kasa* kilit* kilid* apartman* bariyer*
        bina bina_giriş* ドア 玄関 門 ゲート ガレージ 車庫 金庫 アラーム 警報 オートロック 宅配ボックス キーボックス
        扉 入口 ロッカー 南京錠 スーツケース 自転車 문 현관 대문 차고 금고 경보 도어락 게이트 출입 공동현관 창고
        사물함 알람 자물쇠 택배함 엘리베이터 주차장 门 车库 保险箱 保險箱 保险柜 保險櫃 警报 报警 閘 闸 锁 鎖 储物柜
        儲物櫃 快递柜 信箱 电梯 電梯 道闸 单元 單元 小区 chain rack cupboard cupboards barriers boom turnstiles cage
        cages locker_room bin_room bins parcel_box parcel_locker box post_box dispenser yard courtyard pool gym
        studio_door side_door stairwell lift combination_lock wheel wheels dial_lock kasten kästchen zahlenschloss
        serverschrank schrank schranke schranken rädchen hof innenhof zaun vorhängeschloss tastenfeld tastatur_tür
        aufzug packstation paketstation barrière casier casiers vestiaire molette molettes grille cour digicode
        boîtier consigne barrera torniquete buzón cajita rodillos rueditas casillero portero verja reja catraca
        cancela caixa_de_correio armários portaria interfone roletes sbarra tastierino rotelle casella armadio
        rastrelliera tornello ascensore турникет* постамат* поштомат* шкафчик* шкафчиц* решетк* решётк* навісн* замку
        шафк* шафу домофоні ліфт* лифт* укритт* сховищ* paczkomat* bramk* szafk* skrzynk* śmietnik* winda windy
        slagboom* kastje sleutelkluisje cijferslot* *slot fietsenstalling hangslotje turnike* dolap dolabı
        kargo_dolabı posta_kutusu asma_kilit çit asansör* bahçe 駐輪場 ポスト 宅配 ダイヤル錠 門扉 セコム 警備 入退室
        택배 우체통 출입문 차단기 키박스 자전거 에스원 세콤 驿站 驛站 菜鸟 快递 取件 取貨 柜 櫃 转盘 轉盤 门禁 門禁
        栏杆 欄杆 保全 轮子 滾輪
        dial_safe drawer toolbox bunker vault_door bikeshed bike_shed bike_lock roller_door loft annex padlocked
        keysafe_box key_cabinet key_locker drehkreuz* vorhängeschl* rolltor* rollladen kellertür* gartenhaus*
        schublade* truhe* fahrradschloss zahlenschl* haustür* wohnungstür* hoftür* turnstiles_gate tiroir* cabanon
        cabane vélo antivol antivols rideau_métallique tourniquet tourniquets volet portail_automatique cofrecito
        cofre cajón arcón caseta persiana bicicleta candadito cofrinho cofrinhos gaveta galpão portinhola bicicletário
        cassetto cassetti bauletto capanno serranda saracinesca bicicletta lucchetti cancelletto tornelli охран*
        сигналк* велозамок ящик* тумб* гараж ролет* калитки турникеты вертушк* охорон* хвіртці шухляд* szuflad*
        kasetk* rower* bramka roleta bramki szlabanu skrzynia lade lades kist fietsslot rolluik* tuinhek hekje
        schuurtje draaihek slotje sleuteldoosje çekmece çekmecesi sandık bisiklet panjur bahçe_kapısı turnikeden
        bahçe_kapı 引き出し シャッター 自転車の鍵 物置 セキュリティ 警備会社 서랍 자물통 셔터 자전거_자물쇠 창고문
        출입구 抽屉 抽屜 卷帘门 鐵捲門 自行车锁 腳踏車鎖 鑰匙盒 钥匙盒 密码锁 密碼鎖
        门铃 門鈴 单车
        """,
    Concept.DEVICE: """
        phone phones iphone ipad tablet tablets sim esim sim_card card cards debit credit_card atm voicemail watch
        laptop tesla visa amex mastercard kindle smartphone parental macbook windows_hello credit_union bank karte*
        *karte handy* bankkarte girokonto ec_karte téléphone* portable carte carte_bleue carte_bancaire tarjeta*
        cajero* móvil* celular* cartão cartões telemóvel* carta bancomat телефон* карт* картк* kart* telefon* pinpas
        pas bankpas telefoon* cep_telefonu планшет* banka カード スマホ 携帯 銀行 カート 카드 휴대폰 폰 手机 手機 卡
        银行 提款 tv telly console switch playstation xbox nintendo set_top_box oven hob dishwasher washing_machine
        boiler thermostat copier photocopier till cash_register terminal pos kiosk fridge child_lock parental_lock
        kids_profile guided_access screen_time payphone_box remote alexa sim_pin pension tachograph pc computer
        notebook desktop chromebook bios sudo fernseher konsole backofen kochfeld spülmaschine waschmaschine heizung
        kopierer kasse kassen kindersicherung gerät rechner téléviseur télé four lave_linge copieur caisse tablette
        ordinateur ordi televisor tele horno lavadora fotocopiadora caja_registradora ordenador portátil datáfono
        televisão forno fogão copiadora maquininha computador televisore lavatrice fotocopiatrice cassa
        stampante_multifunzione portatile телевизор* приставк* плит* духовк* мультиварк* копир* касс* ноут* ноутбук*
        компьютер* экран* телевізор* ксерокс* кас* комп_ютер* екран* telewizor* dekoder* piekarnik* pralk* ksero* kasa
        kasy laptopa laptopie komputer* ekran* televisie kookplaat inductieplaat wasmachine kopieerapparaat kassa
        kinderslot televizyon* fırın* ocak çamaşır_makinesi kombi fotokopi* yazarkasa* dizüstü bilgisayar* テレビ
        タブレット 端末 レジ コピー機 食洗機 チャイルドロック パソコン ノートPC 노트북 태블릿 텔레비전 복사기 계산대
        컴퓨터 로봇청소기 电视 電視 平板 收银机 收銀機 复印机 影印機 电脑 電腦 笔记本 筆電 手表 手錶
        sim1 sim2 fuel_card fuel_cards tankkarte* carte_carburant carte_sim tarjeta_sim tarjeta_de_combustible
        cartão_combustível chip carta_carburante carta_sim топливн*_карт* сим_карт* симк* сімк* паливн*_карт*
        karta_paliwowa tankpas tankpassen yakıt_kartı 유심 유심1 유심2 심카드 シム 燃料カード 給油カード 油卡 加油卡
        sim卡 touchscreen
        touch_screen touch_panel control_panel fax kiosk_screen time_clock timeclock stempeluhr pointeuse
        reloj_de_fichar anrufbeantworter mailbox_pin répondeur buzón_de_voz caixa_postal_de_voz segreteria
        автоответчик* голосов*_почт* автовідповідач* poczta_głosowa poczty_głosowej voicemailbox sesli_mesaj 留守電
        留守番電話
        음성사서함 语音信箱 語音信箱 ipad_pro
        """,
    Concept.VAULT: """
        disk disks drive filevault bitlocker vault vaults keepass* keepass keepassdx keepass2 kdbx bitwarden 1password
        luks veracrypt truecrypt cryptomator
        cryptsetup gpg pgp ssh_key borg restic kopia duplicati gocryptfs sops age_key age_identity keyring
        encrypt* encryption decrypt* archive archives zip zips pdf pdfs usb_stick time_machine hard_drive festplatte*
        *festplatte sicherung* laufwerk* verschlüssel* *verschlüsselung disque* chiffr* sauvegarde* disco discos
        cifrad* copia* cópia* criptograf* encript* cifrat* диск* шифр* архив* резервн*_коп* dysk* zaszyfr* kopi*
        schijf versleutel* disk_şifre* şifreli 硬盘 硬碟 磁盘 磁碟 加密 压缩包 壓縮 解压 解壓 ディスク 暗号化 解凍
        디스크 암호화 압축 rar archive_file 7z encrypted decrypts unlocks_the protected sheet excel tagebuch
        blattschutz sealed entpacken entschlüssel* geschützt* protégé* conteneur protegid* protett*
        protetto защищ* распак* зашифр* захищ* розпак* zaszyfrowan* chronion* beveiligd* uitpakken korumalı arşiv*
        şifrelenmiş 压缩 加密文件 開くパスワード 保護 보호 암호문서 受保護 解壓縮
        keepassxc enpass nordpass dashlane lastpass proton_pass roboform joplin standard_notes obsidian_sync tresorit
        boxcryptor kleopatra gpg4win gnupg ecryptfs encfs zfs dm_crypt dmcrypt rclone duplicacy arq tarsnap
        ansible_vault 7_zip 7zip winrar sparsebundle disk_image disk_images dmg keybase trezor coldcard bitbox
        hardware_wallet ledger_nano ledger_wallet encrypted_volume encrypted_container wallet_words cold_wallet
        hidden_wallet truenas encrypts encrypting ciphered locked_with
        pendrive usb_key thumb_drive backup_drive backup_disk external_drive repo_key tomb data_room
        passport_scans tresordatei container_datei passwortspeicher passworttresor archivdatei sicherungsplatte*
        backupplatte datensicherung* verschlüsselt* entschlüsseln brieftasche geldbörse kryptowallet usb_stick*
        stick_mit coffre_numérique archive_chiffrée clé_usb disque_dur portefeuille porte_monnaie sauvegardes
        conteneur_chiffré chiffré chiffrée déchiffr* bóveda baúl archivo_cifrado cifrado cifrada descifr* desencript*
        disco_duro memoria_usb billetera monedero cartera_fría volumen_cifrado copia_de_seguridad cofre_digital
        arquivo_cifrado criptografad* desencriptar encriptad* carteira carteira_fria disco_externo volume_cifrado
        cofre_do_keepassxc decifr* volume_cifrato cifrata archivio portafoglio chiavetta* disco_esterno portachiavi
        decriptare контейнер* шифрован* зашифрован* расшифров* флешк* кошел* кошелёк* хранилищ* том_с архів* розшифр*
        гаманец* гаманц* archiwum kontener* szyfrowan* odszyfr* pendriv* portfel* portfela magazyn_haseł zbiór archief
        archieven versleuteld ontsleutel* portemonnee kluisbestand wachtwoordkluis arşivi kripto cüzdan* cüzdanı
        cüzdanın soğuk_cüzdan usb_bellek kasası ウォレット 保管庫 外付け 圧縮ファイル 復号 書庫 지갑 암호화된 압축파일
        외장하드 보관함 금고파일 트레저 렛저 加密盘
        加密碟 壓縮檔 压缩档 移动硬盘 行動硬碟 保险库 密碼庫 密码库 加密檔 硬件钱包 隱藏錢包 私鑰庫
        """,
    Concept.ENTER: """
        press presses punch punches dial dials enter typing typed opens unlock unlocks unlocked get_in gets_in wants
        set_to disarms asks takes accepts drück* öffnet öffnen öffne tippe tipp gib entsperr* geht_mit geht_auf
        schaltet scharf unscharf composez compose tapez tape ouvre* s_ouvre se_coupe presiona marca pulsa teclea abre*
        se_abre desactiva* se_desactiva digita* digite pressione premi si_apre apre apri открыва* снима* нажм* введи
        введите набери відкрива* натисн* відчиня* otwier* wciśnij wpisz opent toets druk typ açıl* tuşla* bas 按 输入
        輸入 转 轉 押す 開く 入力 누르 열려 입력 gets_you_in lets_you_in gets_me_in let_in lets_in works prompts
        prompted prompt feed feeds key_in tap put_in fill_in wakes eingeben eintippen tippt tippen gibst antippen
        reinkommen kommt_man_rein lässt_rein startet weckt taper tapes saisir saisit débloque déverrouill* lève entrer
        escribe escribir teclear poner ponga entras entrar desbloque* levanta escreve digitar colocar coloca
        desbloquei* libera entra inserire inserisci scrivi digitare fare sblocca si_alza si_entra entrare вводим
        вводишь вводить вбить вбей вписать впиши набрать тыкаем тычем пускает открывает разблок* заходим захожу
        вводимо вводиш вводити вбити вписати набрати пускає відкриває розблок* заходимо заходить wpisać wpisuje wpisuj
        wpuszcza wchodzi otwiera odblok* rusza puszcza invoeren voer typt typen tikt tik ontgrendel* werkt yaz yazınca
        girince girer giriyor çevir deyince açıyor açılır ister 打つ 入れる 入れて 入れたら 打って 解除 押し 開け 開き
        해제 풀 넣 치 들어가 열림 열린 填 打 敲 拨 撥 解锁 解鎖 打开 打開 解开 解開 开门 開門 拧 擰
        mounts boots decrypt_with encrypts_with answers_to gets_me_back lets_me_in wake swipe buzz
        buzzes type_in types keyed arm arms arming rejoin rejoined reconnect mounten einhängen gemountet hochfährt
        hochfahren bootet aufgeht aufmachen aufsperren aufschließen entsperren entsperrt freischalten freigeschaltet
        einschalten scharfschalten verlangt hilft anlernen eingetippt eingegeben monte démarre démarrer ouvrir ouvrez
        ouvrent déverrouiller déverrouille réclame exige demande valider saisie saisissez composer composes activer
        désactiver armer désarmer arranca arrancar desbloquear desbloquea descifra pide piden dictas dicta marcar
        marcas tecleas teclea_el poner_en armar desarmar activa activar abrir abres montar monta_com destrava
        destravar destranca pede pedem digitas digitando teclar ativar abrem abrir_a retirar montare avvia avviare
        sbloccare sblocchi chiede chiedono digiti digitate premere si_sblocca attivare disattivare armare inserendo
        aprire монтир* смонтир* загруж* запус* отпир* открыть открываем разблокирует просит спрашивает набирай
        набираем жми жать нажать нажимаем вводи вводят введёшь впишем снять снимает поставить постановк* ставим монту*
        завантаж* запуск* відімкн* відмик* відкрити розблокувати розблоковує просить питає набираємо тисни натиснути
        вводять зняти поставити чекає чекаємо montuje uruchom* startuje otworzyć otwieramy odblokować odblokuje prosi
        pyta wpisujesz wpisujemy wklep wklepać naciśnij rozbroić uzbroić czeka odszyfrujesz mount_met koppelen
        start_op opstarten openen opengaat ontgrendelen vraagt intoetsen intikken tikken toetsen drukken inschakelen
        uitschakelen draait horen bağlan* açarken açılış* açmak açar açıyoruz istiyor sorar soruyor yazıyoruz
        yazılacak giriliyor girilir gir tuşlayıp basıp kurmak devreye bekler マウント 開くとき 開ける 解錠 施錠
        打ち込む 打ち込んで 聞かれたら
        求められたら 마운트 부팅 열려면 열 때 여는 누르면 입력하면 넣으면 치면 쳐야 눌러 挂载 掛載 开机 開機 打开时 輸
        输 输完 刷
        """,
    Concept.SITE: """
        site sites websites webpage web page portals app apps platform store shop booking moodle subscription
        membership member newsletter forum streaming cinema airline library clinic insurance utility supplier profile
        seite webseite portale plattform anwendung verein buchung shop_seite kunden mitglied formular site_web portail
        plateforme appli application abonnement adhérent médiathèque cantine sitio página plataforma aplicación tienda
        web_del socio biblioteca site_do página_do aplicativo loja assinatura sito pagina piattaforma applicazione
        negozio registro abbonamento сайт* портал* приложени* платформ* магазин* подписк* библиотек* сайті сайту
        застосун* додатк* крамниц* підписк* бібліотек* strona stronie portalu aplikacj* platform* sklep* subskrypcj*
        bibliotek* karnet* website_van portaal winkel bibliotheek lidnummer sitesi sitesinde uygulama* platformu
        mağaza* abonelik abone kütüphane üye サイト アプリ ページ フォーム 홈페이지 사이트 앱 网站 網站 平台 系统 系統
        应用 網頁 网页
        extranet intranet cms shop_backend webshop kalender kontoführung online_apotheke onlinebanking billetterie
        boutique tienda_online loja_virtual negozio_online interfaz интернет_магазин* госуслуг* internetbank*
        webwinkel website_beheer 웹사이트 쇼핑몰 사이트에 商城 網站後台 网店 admin_ui web_interface weboberfläche
        webinterface
        interface_web interfaz_web interfaccia arayüz* интерфейс* інтерфейс* interfejs*
        """,
    Concept.SAY: """
        say says saying tell tells told answer answers reply replies whisper word agreed asks_for sag sagt sagen sage
        nennt antwort antwortet stichwort wort dire dites répond répondre réponse mot annonce diga decir dile responde
        respuesta palabra diz dizer falar fala resposta palavra combinamos dica rispondi risposta dici
        parola_concordata скажи скажет сказать скажите говори говорит ответ ответь сказано скажеш сказати каже
        відповідь відповідай powiedz powiedzieć powie powiedziała mówi odpowiedź zeg zegt zeggen antwoord söyle söyler
        söyleyin desin demesi cevap yanıt 言う 言え 言って 言えば 答え 라고 말하 대답 说 說 报 報 答 问 問
        reply_with replying call_sign sprich sprichst nennen nenne réponds répondez disant diciendo dirán contesta
        contestar responder dizendo respondem pronuncia pronunciare dicendo rispondere назови назвать ответить отвечай
        відповісти відповідають назви назвати кажуть odpowiedz odpowiadać mówimy mówić zeggen_ze noemen noem
        antwoorden söyleyerek söyleriz dersin denilecek 合図 伝える 伝えて 回 对上 對上 대답하 말해 말하면 대면
        """,
    Concept.PUBLIC: """
        初始提交 public public_key public_keys pubkey publickey publishable hash hashes hashed *hash sha sha1 sha256
        sha384 sha512 md5 md5sum sha256sum checksum* digest fingerprint* integrity etag commit commits *commit
        cherry_pick blake3 sha_1 sha_256 prüfsumme* certificate öffentlich* clé_publique publique pública
        clave_pública chave_pública pubblica chiave_pubblica открыт*_ключ* відкрит*_ключ* klucz*_publiczn* publiczn*
        openbare_sleutel açık_anahtar wallet_address deposit_address
        钱包地址 recipient peer git_checkout go_sum tx rev 公钥
        公鑰 公開鍵 公開金鑰 공개_키 공개키 コミット 校验 哈希 rollback rolled_back reverted revert image_id digests
        checksums somme_de_contrôle empreinte empreintes huella suma_de_comprobación soma_de_verificação
        impressão_digital somma_di_controllo impronta хэш* хеш* контрольн*_сумм* отпечат* відбит* suma_kontrolna
        odcisk_palca vingerafdruk controlegetal özet özeti parmak_izi sağlama ハッシュ 指紋 チェックサム 해시 지문
        체크섬 校验和 指纹 哈希值 雜湊 回滚 回滾 deposit deposits donate donation donations sol eth btc usdt trc20
        erc20 spende* faire_un_don donación doação donazione 收款 捐款 寄付 öffentlich*_schlüssel solana_wallet
        eth_wallet
        btc_wallet hot_wallet deposit_wallet
        """,
    Concept.OTHER: """
        page_token next_token file_token obj_token node_token folder_token wiki_token doc_token quantity 网关
        内网 封锁 单元测试 转换 轉換 转型 轉型 building_year year_built building_age baujahr card_bg
        bg_color 背景 背景色 颜色 顏色
        主色 行数 行數 代码行 股票代码 纯代码
        pid hostname hostnames 主机名 主機名 background backgrounds foreground border borders padding margin rgba rgb
        css palette rtx gtx geforce radeon 状态码 狀態碼 错误码 錯誤碼 id ids uuid guid ending extension order orders
        order_number invoice* ticket tickets issue issues room rooms flight seat isbn iban bic vin zip_code zipcode
        postal_code postcode postal plz postleitzahl phone_number phone_no tel call hotline price prices cost costs
        eur usd error errors error_code exit_code status status_code http_code source_code booking_code color_code
        colour_code qr_code dress_code promo_code promo_codes coupon_code coupon_codes discount_codes promo area_code
        country_code bar_code barcode code_review code_block code_style vs_code vscode claude_code xcode opcode
        unicode bytecode encode decode geocode leetcode opencode discount_code language_code currency_code
        response_code return_code reason_code codebase line lines pages step steps chapter model models version
        versions pull_request pr build tracking customer channel chat guild folder *folder file files document
        documents doc docs sheets place map board thread message date day birthday time minutes seconds hours port
        ports 端口 端口号 埠 連接埠 网关端口 ポート ポート番号 포트 puerto puertos порт порты
        firmware max_tokens max_token token_count token_budget token_limit token_usage token_type tokens
        tokenizer tokenize session_keys primary_key foreign_key cache_key sort_key partition_key idempotency_key
        keyboard keyword keywords key_thing key_things key_point key_points key_insight key_insights key_takeaway
        key_takeaways key_result key_results key_contact key_contacts key_file key_files key_signature key_binding
        key_bindings key_idea key_finding key_findings key_metric key_metrics key_features key_feature key_value
        key_values key_decisions key_learning key_learnings key_principle key_principles key_rule key_rules
        key_changes key_facts key_id key_ids key_name key_type secret_santa secret_ingredient secret_sauce secret_name
        safe_mode safe_search pass_rate pass_through passthrough pass_threshold pass_count pass_fail second_pass
        first_pass third_pass final_pass one_pass two_pass next_pass multi_pass passport passports pin_pad gpio_pin
        gpio_pins tuning_pin pinned account_number account_id gate_number network_id channel_id chat_id seed_data
        random_seed seed_potatoes door_step password_policy password_manager password_reset password_length
        password_field password_hash password_hint login_page login_form login_flow login_screen sign_in_with
        login_attempts user_id user_agent bestellnummer bestellung* rechnung* auftrag* aktenzeichen hausnummer
        kundennummer vertrag* zimmer raum preis commande* facture* numéro_de_téléphone code_postal bâtiment colis
        pedido* factura* código_postal piso precio teléfono_de numero_d_ordine ordine ordini cap fattura prezzo cep
        encomenda preço nota_fiscal заказ* накладн* код*_ошибк* код*_город* почтов*_индекс* кабинет_№ счёт счет
        замовлен* рахун* zamówien* kod_pocztowy faktur* cena bestelling* factuur huisnummer prijs sipariş* posta_kodu
        fatura fiyat 订单 訂單 单号 单號 门牌 門牌 电话 電話 注文 電話番号 郵便番号 주문 전화 우편번호 验证码 驗證碼
        代码块 源代码 页面 编号 文件 contract contracts listing property reservation reservations plate plates
        reference ref class sign iso paint wallpaper colour color copies gsm pieces batteries battery bus train
        gate_no row boarding departure customer_no member_no customer_number account_no item_no article_no part_no sku
        serial_no visitors people guests_total km metres meters litres grams euros dollars percent release episode
        season level score match size sizes poem poems contest raffle discount coupon vertrag vertragsnummer kundennr
        artikel artikelnr modell farbe tapete kopien blatt seiten stück batterien reservierung zug gleis kilometer
        euro prozent größe rabatt gutschein karteikarten personen contrat réf référence modèle peinture papier_peint
        feuilles piles réservation vol quai remise contrato referencia modelo pintura copias hojas pilas reserva_de
        vuelo tren andén descuento contrato_de referência tinta cópias folhas pilhas voo trem desconto
        portão_de_embarque contratto riferimento modello vernice copie fogli batterie_stilo volo treno binario sconto
        prenotazione договор* артикул* модел* краск* обои копи* лист* батаре* бронь рейс* поезд* скидк* страниц* штук
        договір фарб* шпалер* копі* аркуш* бронюван* поїзд* знижк* сторін* банк* umow* artykuł* model* farb* tapet*
        kopii kartek bateri* rezerwacj* lot lotu pociąg* rabat* stron sztuk contract_nr artikelnummer model_nr verf
        behang kopieën vellen batterijen reservering vlucht trein spoor korting sözleşme* ürün_kodu boya* duvar_kağıdı
        kopya* sayfa* pil piller rezervasyon* uçuş* tren* indirim* uçak 契約 型番 品番 壁紙 電池 予約番号 便名 列車
        割引 冊 枚 号室 계약 모델 벽지 건전지 예약번호 고객번호 항공편 할인 合同 型号 型號 油漆 壁纸 电池 預約 预约
        航班 车次 車次 折扣 信用代码 信用代碼 月费 月費 case_no ticket_no tracking_no reg_no registration_no
        passport_no locker_no apartment apt flat floor storey block unit wohnung stock etage stockwerk appartement
        étage bloc apartamento apto bloco appartamento scala piano кв квартир* этаж* поверх* корпус mieszkani* piętr*
        lokal* woning verdieping daire kat blok 階 층 호 楼 樓 棟 접수번호 問い合わせ番号 ends_in ending_in endziffer
        box_no notion playlist page_id document_id doc_id device_id deveui sid account_sid client_id application_id
        project_id station_id fob miete rent alquiler loyer aluguel affitto аренда оренда czynsz huur kira индекс
        індекс kod_miejsca puerto порт count counts counted total totals width height length depth repair repaired
        budget volume_of speed anzahl gezählt breite höhe länge reparatur compté* nombre largeur hauteur réparation
        contad* cantidad ancho reparación arreglo contados quantidade largura conserto numero_di contati larghezza
        riparazione количеств* всего ширин* ремонт* кількість усього liczba razem szerokość naprawa aantal geteld
        breedte reparatie sayısı genişlik tamir* の数 修理 幅 개수 수리 너비 数量 宽度 修锁 error_code* status_code*
        exit_code* return_code* fehlercode* code_erreur code_d_erreur código_de_error código_de_erro codice_errore
        codice_di_errore код_помилки kod_błędu foutcode* hata_kodu エラーコード 오류_코드 错误代码 錯誤代碼
        """,
}
"""By concept, its words in English, German, French, Spanish, Portuguese, Italian, Russian, Ukrainian, Polish, Dutch,
Turkish, Japanese, Korean and Chinese."""

SERVICES: Final = """
    openai anthropic claude gemini mistral cohere deepseek openrouter groq perplexity tavily serper serpapi exa brave
    huggingface replicate stability elevenlabs deepgram assemblyai pinecone qdrant weaviate langsmith openweather
    openweathermap weatherapi accuweather mapbox tomtom geoapify sonarr radarr lidarr readarr prowlarr bazarr jackett
    jellyfin jellyseerr plex emby overseerr tautulli sabnzbd nzbget portainer grafana influxdb nextcloud paperless
    immich gotify pushover pushbullet ntfy cloudflare datadog newrelic pagerduty opsgenie sentry algolia auth0 okta
    heroku vercel netlify linode vultr hetzner digitalocean aws azure gcp firebase supabase planetscale mongodb redis
    upstash twilio vonage plivo messagebird mailchimp mailgun postmark sparkpost sendgrid resend brevo stripe paypal
    square adyen klarna plaid coinbase binance kraken bitfinex alpaca polygon finnhub alphavantage newsapi tmdb omdb
    trakt lastfm spotify youtube twitch discord telegram slack twitter reddit facebook instagram github gitlab
    bitbucket jira confluence trello asana notion airtable todoist clickup linear monday zendesk freshdesk intercom
    hubspot salesforce pipedrive zoho shopify woocommerce etsy ebay amazon rapidapi docker npm pypi circleci travis
    codecov sonarqube snyk tailscale zerotier pihole pi_hole duckdns dynu homeassistant home_assistant hass hue tado
    nest shelly tuya tibber octopus octoprint solaredge enphase unifi synology truenas proxmox feishu lark dingtalk
    wecom wechat weixin aliyun tencent baidu qwen dashscope zhipu moonshot minimax siliconflow amap gaode bitly
    wakatime steam flightaware aviationstack unsplash pexels giphy deepl zapier ifttt n8n netflix disney hulu icloud
    dropbox gmail linkedin wikipedia wordpress joomla nvr bios smb mqtt rdp vnc idrac ilo ipmi forum foro kiosk imap4
    caldav webdav sftp ssh ftp smtp imap postgres mysql mariadb nas wiki kibana jenkins gitea vaultwarden printer
    drucker
    imprimante impresora stampante принтер drukarka yazıcı camera kamera камера
    arlo eufy wyze reolink hikvision dahua lodgify guesty smoobu beds24 airbnb_host visualcrossing meteostat
    tomorrowio openuv entsoe aemet knmi ns_api hg_brasil polygon_io marktplaats vinted allegro olx letgo sahibinden
    kleinanzeigen leboncoin wallapop mercadolivre mercadolibre shopee lazada rakuten yahoo hotmail outlook protonmail
    tutanota kahoot mentimeter padlet overleaf zotero webuntis ilias pronote ecole_directe overlays patreon substack
    tumblr mastodon bluesky tiktok snapchat roblox minecraft factorio teamspeak mumble ventrilo qbittorrent unraid
    openwrt opnsense pfsense mikrotik ubiquiti omada tplink asus keenetic qnap plesk cpanel whm directadmin
    prestashop magento odoo erpnext lexoffice datev elster finanzonline impots agenzia_entrate spid inps gosuslugi
    diia epuap zus digid belastingdienst edevlet e_devlet webex teams jitsi bigbluebutton postnl dhl fedex correios
    colissimo seur packeta inpost omniva parcelforce evri
    """
"""Services and devices by whose name alone people note a key or a pair of user and password."""

USERS: Final = frozenset(
    """
    root admin administrator administrador user guest pi ubuntu postgres sa mysql ftp git demo kodi openhab nas debian
    oracle operator manager deploy gast benutzer ospite invitado convidado invité гость gość misafir superuser editor
    viewer
    """.split()  # noqa: SIM905
)
"""Names of users that anybody knows."""
