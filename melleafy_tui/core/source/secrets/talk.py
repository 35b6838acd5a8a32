"""Small words, in fourteen languages: those that give a value, and those of texts that speak about secrets."""

from typing import Final


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


GIVES: Final = _set(
    """
    is are was were s isnt equals reads says became remains be named called to contains holds lautet ist sind heißt
    heisst war wurde bleibt est étaient était sont c es son era será è sono sarà é são foi jest są brzmi będzie это
    есть був є будет было был была це wordt werd luidt heet blijft oldu olacak olan dır dir
    """
)
"""The last word before a value that a sentence gives."""

CHANGES: Final = tuple(
    """
    chang reset switch set updat rotat new renam mov geändert änder gesetzt stell cambi mud alter modifi troqu passé
    impost помен смен измен постав змін zmieni ustawi verander gewijzigd wijzig ingesteld değiş
    """.split()  # noqa: SIM905
)
"""How verbs begin that give a value with a preposition: "changed it to"."""

TOWARDS: Final = _set(
    """
    to as auf in zu als a à en por para como na em op naar
    """
)

PRONOUNS: Final = _set(
    """
    it this that he she one so es er sie das ce c il elle eso esto ello isso isto esso questo это он она то це
    """
)

AS: Final = _set(
    """
    as als como comme come jako как як olarak is ist es est è é jest to это це for für
    """
)
"""Words between a value and the word for what it is: "X as the password"."""

ADVERBS: Final = _set(
    """
    now currently still always just simply again also only probably nowadays jetzt nun noch aktuell wieder immer ahora
    actualmente todavía aún maintenant toujours encore actuellement agora atualmente ainda ancora adesso ora sempre
    теперь сейчас пока ещё тепер зараз досі teraz nadal obecnie nu nog altijd artık şimdi hâlâ
    """
)
"""Words between a verb and the value that it gives."""

TIMES: Final = _set(
    """
    at around by until till before after um gegen ab bis à vers las às alle в до о o do om rond saat
    """
)
"""Words before a time of the day."""

ARTICLES: Final = _set(
    """
    the a an my our your his her its their this that der die das dem den des ein eine einem einen mein meine unser
    unsere dein le la les l un une mon ma mes notre votre du de el los las lo mi tu su nuestra nuestro o os as um uma
    meu minha nosso nossa il gli i mio mia nostro nostra una uno мой моя моё мои наш наша het een mijn ons onze
    """
)

SMALL: Final = ARTICLES | _set(
    """
    and any are at too very be by can do don for from get given has have if in into is it keep last must never no not
    of on only or out per read see set share so t than then there to type under use used via was when where which who
    will with you we they he she i me us but all some how why what und oder nie nicht mit von vom zum zur siehe bei
    wie auf im am aus nach wenn et ou jamais ne pas dans avec sur pour par voir y en con del por para nunca ver e não
    na com em que se à al della nel non w jest od z się у в на не см и с к от из по для о об но та до від із зі op het
    niet nooit van zie ve bir ile için da
    """
)
"""Words that hold sentences together."""

COMMANDS: Final = _set(
    """
    git npm npx pnpm yarn pip docker kubectl python python3 node cd typst curl wget make cargo brew apt sudo systemctl
    openclaw ls cat grep echo
    """
)
"""How a command begins, which is no phrase."""

PLACES: Final = tuple(
    """
    box post_ parcel_ storage_ mailbox mailroom letterbox locker cabinet cupboard building elevator lift storage
    dispenser rack yard courtyard pool gym stairwell studio spind schließfach schrank kasten briefkasten packstation
    paketstation aufzug casier vestiaire consigne immeuble taquilla casillero finca trastero buzón armário prédio
    condomínio armadietto casella armadio ascensore portone ячейк шкафч подъезд кладов лифт ліфт комор поштомат
    постамат skrytk szafk skrzynk paczkomat wind klatk kastje berging dolap bina apartman asansör posta_kutusu
    ロッカー ポスト 宅配 사물함 택배함 우체통 엘리베이터 储物柜 儲物櫃 快递柜 信箱 柜 櫃 电梯 電梯 单元 單元 小区 驿站
    驛站 菜鸟 快递
    """.split()  # noqa: SIM905
)
"""How words begin for what is numbered: a number behind one is its address, and no code."""

ENTRIES: Final = tuple(
    """
    door gate garage entrance barrier tür tor eingang porte portail puerta portón porta portão cancel двер ворот
    гараж drzwi bram deur poort kapı ドア ゲート 門 문 대문 게이트 门 大门
    """.split()  # noqa: SIM905
)
"""How words begin for doors and gates: a number of three digits at most says which one."""

ACCOUNTS: Final = _set(
    """
    account accounts acct konto konten compte cuenta conta аккаунт акаунт hesap
    账号 帳號 账户 帳戶 帐号 アカウント 계정
    """
)
"""Words before the name of an account."""

HANDLES: Final = _set(
    """
    github gitlab twitter instagram telegram reddit youtube linkedin facebook
    """
)
"""Services before the name that somebody has there."""

TALK: Final = _set(
    """
    storage dirla dirlo nessuno kimseye kimse verme personne partager compartir niemandem weitergeben никому nikomu
    podawać doorgeven ask asks asked asking store stored stores storing kept keep keeps never must should shouldn
    needed need needs share shared sharing written write generated change changes rotate rotation rotated use uses
    using check checks contact get given required requires require from file files keychain bitwarden keepass lastpass
    env environment via same provided none null nil tbd tba todo unknown unset undefined sent send sms email emails
    manager managers secret secrets hidden empty blank optional enter type your please forgot forgotten confirm show
    hide reset invalid incorrect wrong correct weak strong password passwords passphrase passphrases token tokens key
    keys credential credentials when if who which that can cannot can't will won't may might minimum maximum least
    most characters chars words digits letters options option setting settings security click select tab button page
    section menu app account accounts create creates generate current system services tests test code codes error
    errors else long length special default example examples placeholder automatically prompt prompted prompts
    protected leave here policy policies rules access admin always anything available configured configuration config
    disabled enabled encrypted expired expires expire expiry field fields forbidden internal managed masked missing
    nothing private public random refresh revoked revoke secure string strings value values vault user users username
    breached proceed textbox
    usernames login logins hash hashed hashes bcrypt scrypt argon argon2 sha256 stale valid validated true false yes
    no ok okay ready done pending failed fail pass passed fails success only also not don't does doesn't isn't wasn't
    without inside outside somewhere separately manually interactive interactively securely locally plaintext plain
    text base64 bearer basic oauth oauth2 sso mfa 2fa jwt rsa ed25519 uuid int bool boolean integer number object
    array list dict any str bytes redacted censored removed omitted deleted changeme secretly verify verified rejected
    accepted authentication authorization authorized unauthorized database server client service github google apple
    microsoft slack discord telegram docker windows linux macos android below above next previous later before after
    first second third last another other both every each instead together anywhere everywhere nowhere something
    someone everyone anyone nobody everybody memory local remote global production staging development prod dev
    localhost root basename filename keyring dotenv script scripts works working work broken fixed updated added
    strategy decision skill skills management hygiene content recommended quarterly generator strength hint hints
    minutes minute hours hour days day weeks week months month seconds am pm defaults chore screen siehe frage fragen
    nie niemals nicht liegt steht stehen gespeichert bitte muss müssen darf ändern geändert eingeben vergessen
    erforderlich geheim unbekannt verschlüsselt vertraulich zurücksetzen gehören gehört brauchen braucht mindestens
    zeichen hinterlegt anders richtig falsch leer voir demander jamais demande demandez stocké doit saisir oublié
    gestionnaire trousseau requis obligatoire indispensable ver preguntar pregunta nunca guardada guardado está debe
    pedir pide introduce olvidada obligatoria necesaria requerida gestor escribas compartas fica cofre pergunte
    guardar guardes esqueci obrigatória vedi chiedi chiedere mai deve sa salvare portachiavi obbligatoria richiesta
    спроси спросить смотри лежит нет хранится хранятся хранить не никогда должен должна введите забыл показывай писать
    менеджере обязателен запитай лежить зберігається зберігаємо ніколи повинен надсилай змінюємо zapytaj nigdy jest
    zapisane musi menedżerze ustawiona ustawione trzymamy wymagane zna zie vraag nooit moet staat staan bewaard
    verplicht zet zorunlu yazılır sor asla değil saklanır saklı yazma unutursan gerekli
    varchar nvarchar numeric bigint smallint money bit timestamp datetime const
    """
)
"""Words of texts that speak about a secret without telling it, and values that say there is none."""

SPEAKS: Final = _set(
    """
    ask asks stored kept never must should need needs share shared rotate rotates rotation required requires forgot
    forgotten reset policy policies manager expires expire expired invalid incorrect wrong missing set via require
    generate generated don't cannot can't won't without hide show printed drawer fridge memorised memorized changes
    when if enter entered input valid validate check checks handle handled handling support supports allow allows
    siehe frag frage nie niemals liegt steht gespeichert muss ändern vergessen gehören brauchen demander jamais stocké
    doit oublié changer gestionnaire preguntar pregunta nunca guardada debe olvidada gestor fica cofre pergunte
    guardes esqueci vedi chiedi mai deve sa salvare спроси спросить лежит нет хранится хранятся никогда должен не
    запитай зберігається ніколи змінюємо zapytaj nigdy trzymamy zna musi zie vraag nooit moet staat zet zorunlu
    yazılır sor asla değil saklanır yazma unutursan
    """
)
"""Words of sentences that speak about secrets without telling one."""

STATE_ENDINGS: Final = tuple(
    """
    ed ing able ible ive ful less ous ent ly ory ary ized ised tion tions é és ment ments ity ness ship iert lich isch
    ung bar ado ada ido ida ato ata uto uta oire ées eert ние ный ная ное ена ено ть ться ований owane any ane
    """.split()  # noqa: SIM905
)
"""How words end that say what something is like or what happens to it."""

SOLID_GIVES: Final = tuple(
    """
    改成了 改成 改为 改為 换成 換成 设为 設為 设成 是 为 為 就是 现在是 目前是 現在是 应该是 は が を に の って 는 은
    이 가 을 를 로 으로 에 의
    """.split()  # noqa: SIM905
)

SOLID_TALK: Final = _set(
    """
    各种 各種 各类 各類 告诉 告訴 入力 输入 輸入 입력 내세요 적혀 書いて 写在 请 請 问 問 见 見 需 联系 聯 必须
    不要 不能 没 忘 保存 存在
    存放 管理器 至少 提醒 放在 发送 有效 过期 领取 領取 统一 重置 まで ください ない する こと 参照 保管 変更 以上
    出さ 知ら 설정 저장 문의 공유 절대 있습니다 마세요 적지 알려
    """
)
"""Parts of sentences about a secret in scripts without blanks."""


def _table(text: str) -> dict[str, str]:
    """Return the use of each word of a table, whose rows begin with it and a colon."""
    found, name = dict[str, str](), ""
    for word in text.split():
        if word.endswith(":"):
            name = word[:-1]
        else:
            found.setdefault(word, name)
    return found


LEADS: Final = _table(
    """
    then: then next afterwards dann danach anschließend puis ensuite luego después depois poi dopo потом затем дальше
        далее далі потім potem dalej następnie daarna vervolgens sonra ardından
    with: with by mit avec con com met с со з із z ze ile via through after nach pod po
    use: using use uses used take try tries nimm nutze benutze benutzt prends utilise usa usar use_o usi используй
        используем użyj używa gebruik gebruikt kullan append pass passes put have has gave give given
    for: per for für pour para для do voor için
    type: type types typed typing enter enters press punch dial input key write fill feed tap hit turn spin tippe tippt
        tippen gib eingeben drücke drück taper tape tapez tapes saisir composer compose faire faisant escribe escribir
        teclea marca marcar pon poner ponen digite digitar digita colocar coloca coloque insere inserisci inserire
        metti mette fare scrivi набери набрать введи вводишь вводить вбить впиши вписать нажми тыкаем вбити вписати
        вводиш натисни набрати wpisz wpisać wciśnij naciśnij klepnąć voer typ toets tik invoeren yaz gir tuşla bas
        çevir
    say: say tell tells answer replies reply sag sagt sagen antwortet nenne dis dire dites diga dile diz dizer fala
        falar dica rispondi скажи скажет сказать скажите сказати скажеш powiedz powie powiedziała powiedzieć zeg zegt
        söyle answers
    wants: wants needs need requires asks accepts takes expects wanted likes will verlangt braucht demande veut attend
        faut pide quiere acepta pede quer aceita chiede vuole accetta просит хочет требует принимает даём спросит
        просить хоче приймає pyta chce prosi wymaga wil vraagt ister istiyor
    set: changed set reset made switched rotated geändert gesetzt changé mis puesto cambiado mudei mudou cambiato messo
        поменяли сменил поставил змінив поставив zmieniłem ustawiłem veranderd gewijzigd gezet değiştirdim yaptım
    opens: opens open unlocks works work gets lets wakes logs öffnet geht entsperrt startet weckt ouvre marche débloque
        lève abre funciona desbloquea entra desbloqueia libera apre funziona sblocca открывает пускает работает
        подходит відкриває пускає працює підходить otwiera działa wpuszcza puszcza opent werkt ontgrendelt açar açıyor
        açılıyor çalışır geçer
    and: and und et y e i и та і й ve or oder ou o u или або lub albo of veya plus
    in: en in im auf dans em na в у w op bij at on zu à a naar into unter under over über
    number: no nr n° № number nummer numéro número numero номер nummers numara nr. num id ref
    """
) | dict.fromkeys(GIVES, "is")
"""What the word before or behind a value does with it."""

SOLID_LEADS: Final = _table(
    """
    then: 然后 然後 之后 之後 再 接着 接著 そのあと その後 次に 다음 그다음 이어서
    with: 用 靠 拿 由 凭 憑
    type: 输入 輸入 输 輸 填 打 敲 按 拨 撥 选 入 转到 轉到 拨到 調到 补 補
    say: 说 說 报 報 答 叫 念
    wants: 要 求
    set: 改成 改为 改為 换成 換成 设为 設為
    is: 是 为 為 は が って 는 은 이 가
    opens: で 開 开 打开 打開 解开 就 로 으로 を押 を入 と入 と打 と言 라고 면 해제 열 풀 为开
    and: 和 跟 与 與 と 와 과
    number: 第 号 號 番 번
    """
)
"""The same in scripts without blanks."""
