"""Reads orders, prohibitions and permissions of languages other than English by their verbs.

Chinese says them at the head of a clause, Japanese and Korean at the end of a sentence, Spanish, Portuguese, French, German and
Russian with an imperative or an infinitive at the head. `directives.py` asks here after its own words.
"""

# ruff: noqa: E501 - a word list is easier to read in one piece

import re
from typing import Final

from melleafy_tui.core.language.scripts import HAN, HANGUL, KANA, has_any
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.vocabulary import Polarity

_READ: Final = 400
"""Characters of a sentence that are read; an order comes early."""


_CLAUSE_HEAD: Final = (
    r"(?:^\W*(?:[（(][^()（）]{1,8}[）)]\s*)?|[，,；;：:。→—]\s*|(?<=[时時后後前候])[，,]?\s*)"
)
_CHINESE_ADVERBS: Final = r"(?:就|再|才|则|則|也|都|只|先|请|請|要|应|應|直接|立即|立刻|马上|馬上|主动|主動|自己|自动|自動|定期|明确|明確|如实|如實|即刻|盡量|尽量|記得|记得|緊記|及时|及時|默认|預設|默認|优先|優先|尽快|儘快|重新|逐个|逐一|统一|統一|同时|同時|然后|然後|最后|最後|必要时|必要時|每[天日周週月年晚晨早隔]{1,2}[一二三四五六日天]?|今天|明天|早上|晚上){0,3}"
_CHINESE_VERBS: Final = (
    r"(?:创建|創建|建立|写(?!作|手|的)|寫(?!作|手|的)|更新|删除|刪除|删|刪|发(?!现|現|生|展|布会)|發(?!現|生|展)|通知|告诉|告訴|告知|检查|檢查|查(?!额|額|重)|执行|執行|运行|運行|跑|"
    r"记(?!忆|憶|者)|記(?!憶|者)|汇报|匯報|回报|回報|上报|上報|回复|回覆|回答|询问|詢問|追问|追問|问(?!题|題)|問(?!題)|确认|確認|补|補(?!充劑)|标记|標記|标注|標註|同步|保存|保留|读|讀|"
    r"提炼|提煉|蒸馏|归档|歸檔|整理|汇总|彙總|总结|總結|合并|合併|拆分|移入|移到|放到|放进|放在|转给|轉給|转交|轉交|转到|轉到|分派|分配给|分配給|委派|指派|交给|交給|交回|交由|派|调用|調用|使用|用(?!户|戶|于|於|途|法|量|例|来|來)|采用|採用|避免|遵守|遵循|保持|提醒|跳过|跳過|"
    r"停止|停下|等待|重试|重試|切换|切換|扫描|掃描|搜索|搜尋|分析|评估|評估|给出|給出|提供|列出|输出|輸出|生成|翻译|翻譯|说(?!法)|說(?!法)|引用|附上|附带|指出|解释|解釋|说明|說明|承认|承認|处理|處理|"
    r"修复|修復|修改|改(?!善|进|進|变|變)|安装|安裝|备份|備份|提交|推送|部署|测试|測試|验证|驗證|对照|對照|打开|打開|关闭|關閉|设置|設置|注意|记住|記住|尊重|当成|當成|视为|視為|考虑|考慮|处置|回滚|登记|登記|附|点名|點名|落盘|收口|保证|保證|推进|推進|睇|搵|俾|畀|覆(?!盖|蓋)|執(?!行者)|講|check(?=\s|(?-i:[\u3400-\u9fff])))"
)
_CHINESE_ORDER: Final = LazyRegex(
    rf"{_CLAUSE_HEAD}{_CHINESE_ADVERBS}(?:(?:把|将|將|对|對|向|跟|与|與|在|从|從)[^，,。；;：:]{{1,20}}?)?{_CHINESE_ADVERBS}{_CHINESE_VERBS}(?![：:的了]|(?:结果|結果|报告|報告|清单|清單|列表|规则|規則|方式|命令|频率|頻率|时间|時間|记录|記錄|示例|范例|範例|样例|樣例|格式|地址|面板)\W*$|目录 ?`|目錄 ?`|$)"
)
_CHINESE_PROHIBITION: Final = LazyRegex(
    r"(?:^\W*|[，,；;：:。—]\s*)(?:也|都|均|皆|绝|絕|一律|一概|默认|預設|自己)?(?:不(?!是|同|过|過|仅|僅|只|一定|定|确定|確定|如|清楚|知|管|论|論|到|足|用|需|必|会|會|好|错|錯|少|断|斷|可|等|了|够|夠|太|大|多|容易|明|变|變|在|行|对|對|想|喜|爱|愛|懂|理解|方便|合|符|满|滿|存在|匹配|像|算|高|低|急|重要|为|為|敢|怕|由|至于|至於|限|见|見|良|再是|休|睡|影响|影響|支持|包含|适|適|满足|具备|久)"
    r"(?![^，,。；;]{0,8}(?:就|→|则|則|时|時|的话|的話))|不(?:允许|允許|准(?!确|確|时|時|备|備))|严禁|嚴禁|切忌|杜绝|杜絕)"
    r"|[\s\d间間段夜晚录錄)）]不(?:推送|发送|發送|打扰|打擾|通知|汇报|匯報|提醒|回复|回覆)\S{0,4}$"
)
_CHINESE_MANNER: Final = LazyRegex(
    rf"^[^，,。；;：:是]{{1,8}}(?<![重主必需只不想将將])要(?![求点點闻聞素件害紧緊么麼是])|(?:就|该|該){_CHINESE_VERBS}\W*$|遇\S{{1,6}}先|^[^了是被，,。]{{2,12}}(?:拆|分|改|写|寫|转|轉|整理|翻译|翻譯)成|^要(?![求点點闻聞素件害是])[^，,。]{{1,12}}先|有[^，,。]{{1,8}}就{_CHINESE_VERBS}"
)
"""How something must be or be done: its subject before "must", a condition before "then", a result after "into"."""
_CHINESE_BARRED: Final = LazyRegex(
    r"(?:^\W*|[，,；;：:。—]\s*|(?-i:[\u3400-\u9fff]))(?:千祈|絕對|绝对|一定)?唔(?:好(?![意]|彩)|准|可以|得(?![閒闲])|應該|应该|要)|(?:未[经經]|没有|沒有|冇)[^，,。]{1,10}(?:不|唔)(?=[发發说說做用问問写寫改删刪推好准])"
)
"""Prohibitions of Cantonese, and those after "without"."""
_CHINESE_PERMISSION: Final = LazyRegex(
    r"^\W*(?:可以|可自由|可直接|允许|允許|无需|無需|不必|不用|不需要|唔使|唔洗|唔需要)(?:[^，,。]{0,6})(?:请求|請求|询问|詢問|许可|許可|确认|確認|批准|请示|請示|问|問|直接|自由|自行)|[^不]可以?(?:自主|自行)(?:决定|決定|处理|處理|执行|執行|完成|操作|修改)"
)

_JAPANESE_END: Final = r"(?:[（(][^）)]{0,80}[）)])?[。．.!！\s]*$"
_JAPANESE_PROHIBITION: Final = LazyRegex(
    r"(?:(?<!少)(?<!足り)(?<!問題)(?<!じゃ)(?<!では)(?<!でき)(?<!かもしれ)(?<!わから)(?<!分から)(?<!必要)(?<!限ら)(?<!知ら)(?<!変わら)[かがさたばまらわしべせけてれえねめ](?<!され)(?<!られ)(?<!発生し)(?<!存在し)(?<!一致し)(?<!完了し)(?:ない(?:こと|で)?|ません)|禁止|厳禁|NG|不可|(?:して|っては|しては)(?:なら|いけ)ない|[くぐすつぬぶむる]な|べからず|べきではない|避ける(?:こと)?|避けて|控える)"
    + _JAPANESE_END
)
_JAPANESE_ORDER: Final = LazyRegex(
    r"(?:する|せよ|しろ|します|しましょう|すること|こと|べき|てください|てほしい|なさい|書く|読む|送る|伝える|聞く|尋ねる|使う|答える|残す|守る|待つ|直す|確かめる|進める|返す|出す|入れる|加える|止める|示す|知らせる|調べる|見る|まとめる|付ける|分ける|選ぶ|優先|厳守|徹底|必須)"
    + _JAPANESE_END
)
_JAPANESE_NOUN_ORDER: Final = LazyRegex(
    r"(?:[をにではとやくばらずもて時後前りか]|から|まで|ごと|など|即時|毎[日朝晩週月回])(?:再|一括|自動|定期|即時?|必要最小限で)?(?:確認|記録|報告|通知|更新|実行|作成|整理|保存|把握|質問|回答|分割|処理|送信|検索|削除|投稿|共有|検証|修正|追加|生成|取得|調査|分析|要約|提案|相談|連絡|優先|徹底|継続|停止|中断|移動|登録|参照|対応|判断|明記|統一|報連相|厳守|説明|翻訳|集約|抽出|提示|反映|追記|返信|待機|復旧|点検|バックアップ|コミット|チェック|テスト|レビュー|デプロイ|プッシュ|メモ|スキップ|リトライ|キャッシュ|ログ|アーカイブ)"
    + _JAPANESE_END
)
"""An order that ends in the noun of its deed, as notes and lists are written; before it an object or a moment."""
_JAPANESE_VERB_ORDER: Final = LazyRegex(
    r"^[^はが]*(?:[をにでと]|から|まで)[^、。はがを]{1,6}(?<!であ)(?<!があ)(?<!にあ)(?<!でき)(?<!とな)(?<!にな)[うくぐすつぬぶむる]"
    + _JAPANESE_END
)
_JAPANESE_PERMISSION: Final = LazyRegex(
    r"(?:[てで]も?(?:よい|いい|構わない|かまわない)|許可(?:は)?(?:不要|いらない)|自由に[^。]{1,20}|確認(?:は)?不要)"
    + _JAPANESE_END
)
_JAPANESE_LABEL: Final = LazyRegex(r"([^:：。、]{4,60})[:：]\s*\S")

_KOREAN_DEED: Final = r"(?:확인|기록|보고|검증|사용|우선|유지|작성|저장|갱신|공유|요청|전송|재시도|통보|응답|답변|안내|전달|표시|표기|명시|포함|추가|준수|생략|제공|설명|요약|정리|삭제|알림|실행|진행|완료|분석|호출|검색|대기|중단|적용|참조|언급|회신|번역|처리|제안|질문|문의|업데이트|커밋|푸시|테스트|백업)"
"""A noun of a deed, which ends an order in notes and lists."""
_KOREAN_END: Final = r"(?:\([^()]{0,80}\))?[.。!\s]*$"
_KOREAN_PROHIBITION: Final = LazyRegex(
    r"(?:지\s?(?:않는다|않습니다|않기|않을 것|않도록(?: 한다)?|않음|마라|말라|말 것|말기|말자|말아야 (?:한다|합니다|함)|마세요|마십시오)|금지(?:한다|합니다|함|됨)?|(?:면|서는) 안 ?(?:된다|됩니다|됨)|불허(?:한다)?)"
    + _KOREAN_END
    + r"|^\W*(?:절대 )?금지\W*[:：]"
)
_KOREAN_PERMISSION: Final = LazyRegex(
    r"(?:해도|하여도) (?:된다|됩니다|됨|좋다|좋습니다|괜찮다)|(?:승인|허락|확인|허가)(?:은|이|을)? ?(?:불필요|필요 ?없[다음]|없이 (?:가능|진행|실행))(?:하다|합니다|함|한다)?|자유롭게 (?:[가-힣]+ ){0,2}[가-힣]+"
    + _KOREAN_END
)
_KOREAN_ORDER: Final = LazyRegex(
    rf"(?:(?<!생각)한다|하라|하세요|하십시오|할 것|해야 (?:한다|합니다|함)|해라|해 ?주세요|합니다|[가-힣](?:을|를|으로|로|에|후|시|마다) (?:[가-힣]+ )?{_KOREAN_DEED}|(?:게|히|이|없이|기반|위주|중심|항상|반드시|절대|먼저|제한|원칙|규칙|형식|[\"”’\'`」]) {_KOREAN_DEED}|[가-힣](?:본|낸|준|쓴|둔|인|긴|린|른|킨|춘|묻는|적는|찾는|읽는|만든|넣는|뺀|힌|꾼|눈|룬|단)다)"
    + _KOREAN_END
)

_LABEL: Final = r"^\W*(?:[^.!?:：\n]{1,40}[:：]\s*)?(?P<case>(?:si|se|wenn|falls|quand|si|lorsque|cuando|quando|если|когда|antes de|avant de|bevor|перед|al|beim|à la|e[nm] caso de|no caso de|en cas de|bei|im falle?|в случае|при)\b[^,:]{1,120}[,:]\s*|(?:im zweifel(?:sfall)?|bei (?:zweifeln?|unsicherheit|unklarheit))\s+)?(?:(?:siempre|sempre|toujours|immer|всегда|primero|primeiro|d'abord|zuerst|сначала|luego|depois|puis|ensuite|dann|затем|потом|bitte|пожалуйста|por favor|también|também|aussi|auch)\s+)?"
_ROMANCE_ORDERS: Final = (
    # Spanish and Portuguese: imperatives and infinitives
    r"(?:usa|usar|utili[cz][ea]|utilizar|lea|lee|leia|leer|ler|revis[ae]|revisar|verifi(?:ca|que|car)|comprueb[ae]|comprobar|confirm[ae]|confirmar|avis[ae]|avisar|avise|notifi(?:ca|que|car)|env[íi][ae]|envie|enviar|escrib[ae]|escribir|escreva|escrever|guard[ae]|guardar|salv[ae]|salvar|registr[ae]|registrar|"
    r"actuali[cz][ae]|actualizar|atualiz[ae]|atualizar|respond[ea]|responder|pregunt[ae]|preguntar|pergunt[ae]|perguntar|pid[ae]|pedir|peça|mant[ée]n|mantenga|mantenha|mantener|manter|evit[ae]|evitar|sigue|siga|seguir|cre[ae]|crear|cri[ae]|criar|busca|busque|buscar|ejecut[ae]|ejecutar|executa|executar|esper[ae]|esperar|"
    r"resum[ea](?= (?:el|la|los|las|o|a|os|as|en|em|lo)\b)|resumir|expli(?:ca|que|car)|prioriz[ae]|prioric[ae]|priorizar|respet[ae]|respetar|respeit[ae]|respeitar|document[ae]|documentar|dej[ae]|dejar|deix[ae]|deixar|haz|haga|hacer|faz|faça|fazer|pon|ponga|poner|consult[ae]|consultar|cita|citar|incluye|incluya|incluir|inclua|mar(?:ca|que|car)|anot[ae]|anotar|"
    r"report[ae]|reportar|relat[ae]|inform[ae]|informar|recuerd[ae]|recordar|lembr[ae]|muestr[ae]|mostrar|mostre|borr[ae]|borrar|elimin[ae]|eliminar|prueb[ae]|probar|test[ae]|testar|reinici[ae]|reintent[ae]|entreg[ae]|propon(?:er|ga)|propón|detente|conserv[ae]r?|termin(?:ar|[ae](?!\s+(?:a las?|às?|em|en|el|o) \d))|finali[cz](?:ar|[ae])|finalice|acab(?:ar|[ae])|encerr(?:ar|e)|feche|fechar|empiez[ae]|empiece|empezar|comienz[ae]|comience|comece|começ(?:ar|a)|añad(?:ir|[ae])|agreg(?:ar|a)|agregue|adicion(?:ar|[ae])|acrescent(?:ar|[ae])|rechaz[ae]|rechace|rechazar|recus[ae]|recusar|traduc(?:e|ir)|traduza|traduzca|habl[ae]|hablar|fale|diga|di(?=\s+[\"“«])|sé(?=\s)|seja(?=\s)|sea(?=\s+(?:breve|clar|concis|honest|direct|amable|cort[eé]s))|revert[ae]|valid[ae]|validar|investig[ae]|investigar|"
    # French
    r"lis|lisez|lire|vérifie[zr]?|vérifier|écri[st]|écrivez|écrire|envoie[zr]?|envoyer|réponds|répondez|répondre|demande[zr]?|demander|utilise[zr]?|utiliser|évite[zr]?|éviter|garde[zr]?|garder|mets|mettez|mettre|crée[zr]?|créer|attends|attendez|attendre|résume[zr]?|résumer|explique[zr]?|expliquer|respecte[zr]?|respecter|"
    r"note[zr]|noter|signale[zr]?|signaler|préviens|prévenez|prévenir|suis|suivez|suivre|relance[zr]?|relancer|supprime[zr]?|supprimer|ajoute[zr]?|ajouter|propose[zr]|proposer|lance[zr]?|lancer|privilégie[zr]?|privilégier|reste[zr]?|rester|tiens|tenez|tenir|fais|faites|faire|cherche[zr]?|chercher|conserve[zr]|termine[zr]|finis|finissez|commence[zr]|refuse[zr]|dis|dites|parle[zr]?|traduis(?:ez)?|affiche[zr]?|inclus|incluez|sois|soyez)"
)
_GERMAN_ORDERS: Final = (
    r"(?:lies|lesen|prüfen?|schreiben?|senden?|schicken?|fragen?|antworten?|nutzen?|verwenden?|benutzen?|vermeiden?|halten?|erstellen?|aktualisieren?|speicheren?|speichern|melden?|warten?|fassen?|erklären?|nennen?|notieren?|löschen?|starten?|führen?|suchen?|achten?|beachten?|respektieren?|"
    r"dokumentieren?|bleiben?|gib|geben|nimm|nehmen|setzen?|stellen?|zeigen?|informieren?|bestätigen?|testen?|behandle|behandeln|erinneren?|öffnen?|schließen?|tragen?|legen?|ordnen?|gehen?|schlagen?|bevorzugen?|priorisieren?|beenden?|füge|fügen|sei|seien|lehnen?|sprich|sprechen|beginnen?|übersetzen?|mach|machen?|erwähnen?|sage?(?=\s+[„\"“«»])|sagen)"
)
_GERMAN_IMPERATIVE: Final = r"(?:(?!(?:ich|die|diese|alle|viele|meine|deine|seine|ihre|unsere|jede|heute|ohne|habe|hatte|werde|würde|könnte|sollte|möchte|brauche|weitere|andere|manche|einige|beide|mehrere|gerade|leute)\b)[a-zäöüß]+e|gib|nimm|lies|sprich|vergiss|lass|mach|tu|geh|frag|sag|zeig|schreib|schick|bleib|greif|triff|wirf|hilf|versprich)"
_GERMAN_FINITE: Final = (
    r"(?:ist|sind|war(?:en)?|wird|werden|wurden?|hat|haben|kann|können|gibt|geht|steht|liegt|fehlt|fehlen)"
)
"""Verbs with which a sentence states something, whatever its first word ends in."""
_RUSSIAN_ORDERS: Final = (
    r"(?:(?:про|от|на|со|пере|по|за|вы|у|с|при|до|об)?(?:читай|читать|верь|верять|веряй|пиши|писать|правь|правляй|правлять|шли|слать|веди|вести|спроси|спрашивай|спрашивать|отвечай|отвечать|используй|использовать|храняй|хранить|хранять|обновляй|обновлять|обнови|сообщай|сообщать|сообщи|заканчивай|заканчивать|начинай|начинать|откажись|отказывайся|переводи|переводить|скажи|ответь|предупреждай|предупреждать|предупреди|избегай|избегать|"
    r"ищи|искать|запускай|запускать|запусти|делай|делать|сделай|жди|ждать|помни|помнить|соблюдай|соблюдать|уважай|уважать|указывай|указывать|укажи|предлагай|предлагать|предложи|следуй|следовать|следи|следить|держи|держать|говори|говорить|думай|удаляй|удалять|добавляй|добавлять|добавь|записывай|записывать|запиши|уточняй|уточнять|уточни|проси|просить|останавливай|остановись|учитывай|учитывать|назови|называй|напоминай|напоминать|напомни)(?:те|ся|тесь)?)"
)
_EUROPEAN_ORDERS: Final = tuple(
    LazyRegex(rf"{_LABEL}{orders}(?=[\s,:;.!]|$)(?(case)|(?!\s*[:|]))", re.IGNORECASE)
    for orders in (_ROMANCE_ORDERS, _GERMAN_ORDERS, _RUSSIAN_ORDERS)
)
_INFINITIVE: Final = LazyRegex(
    r"^\W*(?:(?!(?:lugar|mujer|taller|hogar|poder|dólar|ayer|mar)\b)[a-zà-ÿ]{2,}(?:ar|er|ir)(?:se|l[aoe]s?|nos)?\b(?=.{0,60}\b(?:el|los|las|del|al|una?|um|uma|dos|das|em|nas?|nos|por|para|con|com|sin|sem|que|cada|tod[ao]s?|y|ou|ao)\b)"
    r"|[a-zà-ÿ]{2,}(?:er|ir|re)\b(?=.{0,60}\b(?:les|des|du|une|aux?|et|pour|avec|dans|chaque|toute?s?)\b)"
    r"|(?!(?:память|печать|область|сеть)\b)[а-яіїє]+(?<![сеё])(?:[аеиоуыяёії]ть(?:ся)?|йти)\s+(?![—–-])|[\w ,äöüß-]{4,60}\b(?:prüfen|senden|schreiben|lesen|melden|aktualisieren|erstellen|speichern|löschen|sichern|bestätigen|informieren|zusammenfassen)\W*$)",
    re.IGNORECASE,
)
"""A verb in the infinitive at the head of a note in a language that orders with it; in German at its end."""
_EUROPEAN_PROHIBITION: Final = LazyRegex(
    rf"^\W*(?:[^.!?:：\n]{{1,40}}[:：]\s*)?(?:bitte\s+)?{_GERMAN_IMPERATIVE}\s+(?:(?:du|dich|dir|sie|sich|es|ihm|ihr|ihnen|mir|uns|hier|dabei|dort|auch|bitte)\s+){{0,2}}(?:nie(?:mals)?|kein(?:e[nmrs]?)?)\b|^\W*(?:[^.!?:：\n]{{1,40}}[:：]\s*)?(?:bitte\s+)?{_GERMAN_IMPERATIVE}(?!.*\b{_GERMAN_FINITE}\b)\s(?:[\wäöüß`./-]+\s){{0,5}}?(?:nicht|nie(?:mals)?)\b|"
    r"^\W*(?:[^.!?:：\n]{1,40}[:：]\s*)?(?:[\wäöüß`./-]+\s+){0,6}?(?:nie(?:mals)?|keinesfalls|auf keinen fall|nicht)\s(?:[\wäöüß`./-]+\s){0,6}?[\wäöüß]+en\b[.!]?\s*$|^\W*(?:ne|n['’])\s?\w+[^.]{0,30}\b(?:pas|jamais|rien)\b|[,;:]\s*(?:não|nunca|jamás)\s+\w+(?:ar|er|ir)\b|[,;:]\s*no\s+(?:borrar|usar|enviar|hacer|tocar|compartir|publicar|mandar|subir|eliminar|ejecutar|instalar|cambiar|modificar|responder)\b",
    re.IGNORECASE,
)


def polarity_by_verb(sentence: str) -> Polarity:
    """Return the polarity that a sentence's verbs give in a language other than English."""
    said = sentence[:_READ]
    if has_any(said, KANA):
        return _japanese(sentence[-_READ:])
    if has_any(said, HAN):
        return _chinese(said)
    if has_any(said, HANGUL):
        return _korean(sentence[-_READ:])
    if _EUROPEAN_PROHIBITION.search(said):
        return Polarity.FORBIDS
    ordered = _INFINITIVE.match(said) or any(form.search(said) for form in _EUROPEAN_ORDERS)
    return Polarity.OBLIGES if ordered else Polarity.DESCRIBES


def _korean(said: str) -> Polarity:
    """Return the polarity of a Korean sentence, which its end gives."""
    if _KOREAN_PERMISSION.search(said):
        return Polarity.PERMITS
    if _KOREAN_PROHIBITION.search(said):
        return Polarity.FORBIDS
    return Polarity.OBLIGES if _KOREAN_ORDER.search(said) else Polarity.DESCRIBES


def _chinese(said: str) -> Polarity:
    """Return the polarity of a Chinese sentence: whichever of order and prohibition comes first."""
    if _CHINESE_PERMISSION.search(said):
        return Polarity.PERMITS
    if _CHINESE_BARRED.search(said):
        return Polarity.FORBIDS
    order, prohibition = _CHINESE_ORDER.search(said), _CHINESE_PROHIBITION.search(said)
    if prohibition and (order is None or prohibition.start() <= order.start()):
        return Polarity.FORBIDS
    return Polarity.OBLIGES if order or _CHINESE_MANNER.search(said) else Polarity.DESCRIBES


def is_japanese(sentence: str) -> bool:
    """Return whether a sentence is Japanese, whose verb stands at its end: a word it opens with orders nothing."""
    return has_any(sentence[:_READ], KANA)


def _japanese(said: str) -> Polarity:
    """Return the polarity of a Japanese sentence, which its end gives; a label's end gives a prohibition, too."""
    if _JAPANESE_PERMISSION.search(said):
        return Polarity.PERMITS
    label = _JAPANESE_LABEL.match(said)
    if _JAPANESE_PROHIBITION.search(said) or (label and _JAPANESE_PROHIBITION.search(label[1])):
        return Polarity.FORBIDS
    orders = (_JAPANESE_ORDER, _JAPANESE_NOUN_ORDER, _JAPANESE_VERB_ORDER)
    if any(order.search(said) for order in orders):
        return Polarity.OBLIGES
    return Polarity.DESCRIBES
