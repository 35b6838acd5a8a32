"""Recognises actions that tools carry out, and rules that make them wait for the user's leave.

"Never push to main" is about an action; "never apologise" is about words. The tables are ordered by how often the
words name something that can't be taken back.
"""

# ruff: noqa: E501 - a word list is easier to read in one piece

import re
from functools import lru_cache
from typing import Final

from msgspec import Struct

from melleafy_tui.core.language.examples import gives_leave
from melleafy_tui.core.language.orders import Polarity, polarity_of
from melleafy_tui.core.language.wording import sentences
from melleafy_tui.core.lazy_regex import LONGEST_READ, LazyRegex
from melleafy_tui.core.models.facts import ActionFact


class ActionKind(Struct, frozen=True):
    """One row: a kind of action and the words that name it."""

    name: str
    pattern: LazyRegex


def _kind(name: str, pattern: str) -> ActionKind:
    return ActionKind(name, LazyRegex(pattern, re.IGNORECASE, longest=LONGEST_READ))


_AS_VERB: Final = r"(?:^\W*|[:;,]\s*|\b(?:never|not|to|or|and|before|without|must|may|can|please|always|only|then|you|first)\s+|n['’]t\s+)"
"""What stands before a word that is an order here and could be a noun elsewhere ("email", "post", "order")."""


ACTIONS: Final[tuple[ActionKind, ...]] = (
    _kind(
        "message",
        rf"{_AS_VERB}(?:e-?mail|message|post|tweet|dm|forward|contact|phone|text|call|ping|notify)\b(?!\s*(?:is|are|was|:|$))"
        r"|(?<!\bhe )(?<!\bshe )(?<!\bthey )\b(?:send(?:s|ing)?(?! (?:\w+ )?(?:keystrokes?|keys|signals?|requests?|commands?|packets?)\b)|e-?mailing|messaging|posting|repl(?:y|ies|ying) to (?:emails?|strangers|clients?|customers)|tweeting|contacting|reach(?:ing)? out|outreach|publish(?:es|ing)?|broadcast(?:ing)?|(?:e-?mails|tweets|(?:public|social) posts|(?:external|outbound|outgoing|direct) (?:messages?|communications?|comms)))\b"
        r"|发送|发(?:邮件|消息|帖|布|通知)|寄信|發送|發(?:郵件|訊息|佈|布)|送信|投稿|メール|公開|\b(?:enviar|envíe?s?|alertar|notificar|avisar|mandar|mandes?|publicar|publiques?|publique|envie[sm]?|postar|poste)\b|\b(?:senden|sende(?:st|t)?|versenden|schick\w*|veröffentlich\w+|posten|verschick\w+)\b|\b(?:envoyer|envoie\w*|publier|publie\w*)\b|отправ\w+|публик\w+|опубликов\w+|рассыл\w+|联系|聯繫|連絡|\b(?:contact(?:ar|es|e|er|ez)|kontaktier\w*)\b|связыва\w+|свяж\w+|연락|발송|전송|보내|보낸|게시|발행|이메일|메일",
    ),
    _kind(
        "delete",
        r"\b(?:delet(?:e|es|ing|ion)|remov(?:e|ing|al) (?:files?|folders?|data|records?|branches|anything)|rm|rmdir|trash(?:ing)?|wip(?:e|ing)|drop(?:ping)? (?:tables?|the database|databases?|columns?)|purg(?:e|ing)|overwrit(?:e|ing)|destructive|destroy(?:ing)?|truncat(?:e|ing)|unsubscrib(?:e|ing)|archiv(?:e|ing) (?:emails?|files?))\b"
        r"|删除|刪除|清空|破坏性|破壞性|不可逆|敏感操作|覆盖|覆蓋|削除|消去|上書き|\b(?:borrar|borres?|eliminar|elimines?|sobrescrib\w+|apagar|apague[sm]?|excluir|deletar)\b|\b(?:lösch\w+|überschreib\w+|entfern\w+)\b|\b(?:supprim\w+|effac\w+|écras\w+)\b|удал\w+|стира\w+|перезапис\w+|--delete|삭제|지우|지운|덮어쓰|초기화",
    ),
    _kind(
        "publish_code",
        r"\b(?:push(?:es|ing|ed)?(?! (?:back|hard(?:er)?|for|forward|through|past|notifications?|(?:\w+ )?(?:deals?|products?|sales|people|users?|clients?|customers?|limits?|buttons?))\b)|force-?push|merg(?:e|ing) (?:prs?|pull|to|into|branches|without)|prs?\b.{0,20}\bmerge|deploy(?:s|ing|ed|ments?)?|releas(?:e|ing) (?:to|a|new)|commit(?:s|ting)?|roll(?:ing)? out|ship(?:ping)? to prod\w*)\b"
        r"|推送|提交代码|部署|上线|上線|合并|合併|デプロイ|プッシュ|コミット|マージ|\b(?:desplegar|despliegu\w+|hacer push|subir a producción|implantar|fazer (?:push|deploy))\b|\b(?:pushen|ausroll\w+|bereitstell\w+)\b|\b(?:pousser|déploy\w+)\b|деплой\w*|пуш\w*|выкат\w+|коммит\w*|배포|푸시|병합|머지|커밋",
    ),
    _kind(
        "spend",
        r"\b(?:buy(?:ing)?|purchas(?:e|es|ing)|pay(?:s|ing|ments?)?|spend(?:ing)?|transfer(?:s|ring)?|trad(?:e|es|ing)|order(?:ing)? (?:anything|goods|items|food|online)|book(?:ing)? (?:flights?|hotels?|tickets?|a |travel|appointments?)|refund(?:s|ing)?|subscrib(?:e|ing) to (?:paid|services?)|financial (?:actions?|transactions?)|move (?:money|funds)|withdraw\w*)\b"
        r"|退款|退费|付款|支付|购买|購買|转账|轉帳|下单|交易|花钱|支払|返金|発注|購入|送金|注文|\b(?:comprar|compres?|pagar|pagues?|transferir|transferencias?|gastar|gaste[sm]?|comprem?)\b|\b(?:kauf\w+|bezahl\w+|überweis\w+|bestell\w+)\b|\b(?:achet\w+|pay(?:er|ez)|virement\w*|dépens\w+)\b|куп\w+|оплат\w+|оплач\w+|перевод\w* (?:денег|средств)|трат\w+|결제|구매|구입|송금|이체|환불|매수|매도|거래|주문",
    ),
    _kind(
        "share",
        r"\b(?:share|sharing|leak(?:ing)?|exfiltrat\w+|expos(?:e|ing)|reveal(?:ing)?|disclos(?:e|ing)|surfac(?:e|ing) (?:personal|private)|load(?:ing)? in (?:shared|group)|print(?:ing)? (?:secrets?|keys?|tokens?|credentials?)|upload(?:s|ing)?)\b"
        r"|泄露|洩露|泄漏|洩漏|外泄|外洩|分享|上传|上傳|透露|漏洩|共有|漏ら[すさし]|外(?:部)?に(?:出|流)|流出|アップロード|\b(?:compart\w+|filtr(?:ar|es)|revel(?:ar|es?)|sub(?:ir|as)|vazar|vaze|exponer|expor)\b|\b(?:teilen|teile|preisgeb\w+|weitergeb\w+|hochlad\w+|verrate?\w*)\b|\b(?:partag\w+|divulg\w+|rév[éè]l\w+|télévers\w+)\b|раскры\w+|делиться|делись|слива\w+|загруж\w+|разглаш\w+|переда(?:вай|вать|ть|й)(?:те)?\b|\bgib\w* (?:\S+ ){0,6}?(?:weiter|preis|heraus)\b|\blade? (?:\S+ ){0,6}?hoch\b|공개|공유|유출|노출|누설|업로드",
    ),
    _kind(
        "run",
        r"\b(?:run(?:ning)? (?:[\w-]+ ){0,2}?(?:commands?|scripts?|code|sql|queries|migrations?|tests?|jobs?|destructive|actions?)|execut(?:e|es|ing)|sudo|restart(?:s|ing)?|reboot(?:ing)?|kill(?:ing)? (?:process\w*|the)|start(?:ing)? (?:servers?|services?|processes)|stop(?:ping)? (?:servers?|services?)|cron jobs?|ssh|shell|api calls?|spawn(?:ing)?)\b"
        r"|执行|執行|运行|運行|重启|重啟|停止服务|実行|再起動|\b(?:ejecut\w+|reinici\w+|correr|execut(?:ar|e)|rodar|reinicie)\b|\b(?:ausführ\w+|neu ?start\w+|führ\w* (?:\S+ ){0,6}?aus|\w*befehle?)\b|\b(?:exécut\w+|redémarr\w+|lancer)\b|запуск\w+|выполн\w+ (?:\w+ ){0,2}?(?:команд|скрипт)\w*|перезапус\w+|실행|재시작|재부팅",
    ),
    _kind(
        "install",
        r"\b(?:install(?:s|ing|ation)?|uninstall(?:ing)?|upgrad(?:e|ing)|pip install|npm (?:i|install)|brew|apt(?:-get)?|download(?:s|ing)?)\b|安装|安裝|升级|升級|下载|下載|インストール|ダウンロード|\b(?:instal\w+|descarg\w+|baix(?:ar|e))\b|\b(?:installier\w+|herunterlad\w+)\b|\b(?:télécharg\w+)\b|установ\w+|устанавлив\w+|скача\w+|обнов\w+ (?:пакет|верси)\w*|설치|업그레이드|다운로드",
    ),
    _kind(
        "write",
        r"\b(?:edit(?:s|ing)?|modif(?:y|ies|ying)|chang(?:e|es|ing) (?:\w+ ){0,3}?(?:files?|config\w*|settings?|code|schemas?|permissions?|passwords?|production|data)|writ(?:e|ing) (?:\w+ ){0,3}?(?:to|into)|creat(?:e|ing) (?:[\w-]+ ){0,2}?(?:files?|folders?|branches|events?|issues?|prs?|accounts?|tasks?)|renam(?:e|ing)|mov(?:e|ing) (?:\w+ ){0,2}?files?|touch(?:es|ing)?|schedul(?:e|ing) (?:meetings?|events?)|configur(?:e|ing)|disabl(?:e|es|ing)|git)\b"
        r"|停用|禁用|無効化|修改|编辑|編輯|改动|更改|写入|寫入|創建|创建|変更|編集|書き込|触(?:る|ら|れ)|\b(?:modific\w+|edit(?:ar|es|e)|cambi(?:ar|es)|alter(?:ar|e)|escrib\w+ en|mexer)\b|\b(?:änder\w+|bearbeit\w+|schreib\w+ in)\b|\b(?:modifi\w+|édit\w+)\b|измен\w+|редактир\w+|правь\w*|меня(?:ть|й)\w*|수정|편집|변경",
    ),
    _kind(
        "read",
        r"\b(?:access(?:es|ing)?|open(?:ing)? (?:\w+ ){0,2}?(?:links?|attachments?|files?)|click(?:ing)?|brows(?:e|ing)|search(?:ing)? the web|read(?:ing)? (?:\w+ ){0,2}?(?:emails?|files?|calendars?|private|messages)|explor(?:e|ing)|check(?:ing)? (?:\w+ ){0,1}?(?:calendars?|emails?|inbox)|work within this workspace|scan(?:ning)?|visit(?:ing)?)\b"
        r"|访问|訪問|打开链接|打開連結|点击|點擊|搜索网络|アクセス|開く|クリック|\b(?:acced\w+|abrir|abras?|acess(?:ar|e))\b|\b(?:zugreif\w+|öffn\w+)\b|\b(?:accéd\w+|ouvr\w+)\b|открыва\w+|откро\w+|доступ\w*|접속|접근|열람",
    ),
)  # fmt: skip
"""Kinds of action, the riskiest first."""

APPROVAL: Final = LazyRegex(
    r"(?<!already )(?<!built-in )(?<!-)\b(?:approv(?:al(?! (?:situations?|status|rates?|workflows?|flows?|history|buttons?)\b)|es?|ed|ing)|permission|consent|sign-?off|green ?light|go-?ahead)\b|\bask(?:s|ing)?\s+(?:\w+\s+){0,3}?(?:first|before)\b|\bbefore (?:\w+\s+){0,2}?asking\b|\bcheck with (?:me|us|the|your|\w+ (?:before|first))\b|\bconfirm(?:ation|ed|s)? (?:\w+ ){0,3}?(?:first|before|with)\b|\b(?:without|explicit(?:ly)?|written|wait for|until|requires?|needs?) (?:\w+ ){0,3}?(?:confirm(?:ation|s|ed)?|asking|say(?:s|ing)? so|ok|okay|yes)\b|\bexplicitly (?:requested|requests?|asked|asks?|told|approved|ordered)\b|\bbefore I say\b|\bdrafts? only\b|\bneeds? (?:[\w-]+['’]s|my|the (?:\w+ )?(?:owner|user|human|boss|manager)['’]s) (?:word|ok|okay|yes|sign-?off|blessing|nod|go)\b"
    r"|批准|授权|授權|许可|許可|先问|先問|先(?:询问|確認|确认)|征得|徵得|(?:向|跟|与|與|经|經)[^，。,]{1,6}(?:确认|確認|批准|请示|請示)|(?<!无)(?<!無)(?<!不)需(?:要|由|经|經|得到)?[^，。,、]{0,6}(?:确认|確認)|(?:双重|雙重|二次|再次)(?:确认|確認)|(?<!无需)(?<!無需)(?<!不需)(?<!不需要)(?<!不用)(?<!不必)(?<!没有)(?<!沒有)(?:请示|請示)|同意|确认后|確認後|未经|未經|审批|審批|等(?:待)?[^，。,]{0,4}(?:确认|確認|批准|同意)|(?<!无需)(?<!無需)(?<!不需)(?<!不需要)(?<!不用)(?<!不必)(?:人类|人類|人工|用户|用戶)(?:来|來)?(?:确认|確認)|必(?:须)?(?:确认|確認)|(?<!无)(?<!無)(?<!不)需要?先?(?:确认|確認)|承認|事前に?確認|先に(?:確認|聞|相談)|前に(?:必ず|一度)?(?:\w{1,8}(?:に|の))?(?:確認する|確認して|確認を(?:取|と|求|得)|聞[くいけ]|相談|許可|承認)|\w(?:さん)?の(?:確認|承認|許可)(?:なし|を得)|承認が?必要|許可なく|\b(?:aprob\w+|aprov\w+|permiso|permissão|consentimiento|autoriz\w+|confirmación|confirmação|pregunt\w+ (?:antes|primero)|pergunt\w+ (?:antes|primeiro)|confirm(?:ar?|e) (?:antes|primeiro|primero|com (?:[oa] )?|con )\w*|ped(?:ir|e|imos) (?:ok|permiso|confirm\w+)|peço ok|sin (?:preguntar|que))\b|\b(?:genehmig\w+|freigabe|freigegeben|erlaubnis|zustimmung|rückfrage|vorher frag\w+|frag\w*,? (?:\w+ ){0,3}?(?:zuerst|vorher|erst|bevor)|(?:ohne|nach|auf) (?:\w+ ){0,2}?bestätigung)\b|\b(?:approbation|autorisation|accord|demande\w* (?:d['’]abord|avant)|(?:sans|après|attend\w*) (?:\w+ )?(?:confirmation|validation)|confirme\w* (?:d['’]abord|avant|avec))\b|одобр\w+|разрешени\w+|согласи\w+|подтвержден\w+|спро(?:си|сить)\w* (?:сначала|перед)|сначала спро\w+|без (?:спроса|подтверждения)|спр(?:оси|ашивай)\w*,? (?:прежде|перед|до)|승인|허락|허가|동의|컨펌|먼저 (?:확인(?:받|을 받)|물어|묻|질문|문의)|사전(?:에)? (?:확인|보고|협의)|[가-힣]의 확인 ?(?:없이|후|을 받)",
    re.IGNORECASE,
)
"""Words that make an action wait for the user."""


@lru_cache(maxsize=256)  # a rule is read for its use and for what it does
def actions_in(text: str) -> tuple[str, ...]:
    """Return the kinds of action that a text names, in the order of the table."""
    return tuple(kind.name for kind in ACTIONS if kind.pattern.search(text))


@lru_cache(maxsize=512)  # a heading or lead-in is read for each of its items
def asks_approval(text: str) -> bool:
    """Return whether a text makes something wait for the user's agreement."""
    return bool(APPROVAL.search(text))


def action_fact(text: str, polarity: Polarity) -> ActionFact:
    """Return which actions a rule makes wait for the user's leave; empty if it asks for none.

    Args:
        text: The rule with its lead-in.
        polarity: Its polarity; a permission asks for no leave.
    """
    words = approving_words(text)
    if polarity is Polarity.PERMITS or not asks_approval(words):
        return ActionFact()
    return ActionFact("confirm", actions_in(words))


def approving_words(text: str) -> str:
    """Return the sentences of a rule that ask for leave, without those that say that nobody need be asked."""
    kept = [
        each
        for each in sentences(text)
        if not (asks_approval(each) and gives_leave(each, forbids=polarity_of(each) is not Polarity.OBLIGES))
    ]
    return " ".join(filter(asks_approval, kept)) or " ".join(kept)
