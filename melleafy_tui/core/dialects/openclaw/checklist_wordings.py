"""What lines of HEARTBEAT.md are that order nothing: facts, states, cases, commands, parts of a report.

What stands above a line decides more than its words: "- Open orders" is a check under "Check", a case under "Alert
when", and a part of the message under "Report with".
"""

# ruff: noqa: E501 - a word list is easier to read in one piece

import re
from typing import Final

from melleafy_tui.core.dialects.openclaw.rule_wordings import CHECKING, OUTCOME, RESTRICTS
from melleafy_tui.core.dialects.openclaw.wake_words import TIME_LABELS, speaks_of_waking
from melleafy_tui.core.dialects.tag_rules import Wording, is_about_acting, lead_of, pattern
from melleafy_tui.core.language.directives import has_condition, polarity_of
from melleafy_tui.core.language.lead_ins import lead_in_row
from melleafy_tui.core.language.time.cadence import read_cadence
from melleafy_tui.core.language.time.clock import CLOCK
from melleafy_tui.core.language.wording import sentences
from melleafy_tui.core.models.vocabulary import Polarity

_FACTS: Final = (
    r"files?|paths?|folders?|director(?:y|ies)|locations?|purpose|why|reasons?|rationale|notes|context|background|principles?|data sources?|sources?|templates?|config(?:uration)?|settings?|savings|costs?|versions?|owner|model|channel|url|repos?(?:itory)?|project(?: path)?|managed[_ ]by|benefits?|features?|architecture|references?|resources?|knowledge|examples?|performance|root causes?|effects?|stack|environment(?: variables)?|env vars|credentials|contacts?|targets?|impact|timeline|locations? \w+ed|improvements?|advantages?|info(?:rmation)?|current time|placeholders|commits|lessons(?: learned)?|pitch|expected (?:results?|effects?|gains?)"
    r"|archivos?|ruta|ubicaci[oó]n|motivo|prop[oó]sito|notas?|contexto|configuraci[oó]n|arquivos?|caminho|configuraç\w+|dateien?|pfad|zweck|grund|hinweise?|fichiers?|chemin|emplacement|файлы?|путь|расположение|причина|цель|примечани\w+|контекст|настройки"
)
_FACTS_CJK: Final = r"预期效益|預期效益|效益|收益|信息|資訊|描述|改进|改進|优势|優勢|功能|哲学|哲學|教训|教訓|真相|评估|評估|用途|影响|影響|时间线|時間線|文件|檔案|路径|路徑|位置|目录|目錄|原理|根因|原因|说明|說明|备注|備註|背景|数据源|數據源|来源|來源|模板|配置|設定|设置|负责人|負責人|效果|優點|优点|架构|架構|环境变量|参考|參考|资源|資源|知识|示例|账户|帳戶|ファイル|パス|場所|目的|理由|説明|効果|設定|構成|参考"
_STATES: Final = (
    r"status|states?|results?|findings?|discover\w+|progress|done|completed|finished|feedback|scores?|history|summary of|health score|overview|achievements|holdings?|portfolio"
    r"|estado|resultados?|progreso|progresso|zustand|ergebnisse?|fortschritt|état|résultats?|статус|состояние|результаты?|прогресс"
)
_STATES_CJK: Final = r"状态|狀態|结果|結果|发现|進展|进展|完成|反馈|回饋|评分|評分|历史|歷史|记录|記錄|成果|持仓|持倉|ステータス|結果|進捗|完了|履歴"
_TAIL: Final = r"\W*(?:\(.*\)|（.*）|[—–-]\s.*)?\W*$"
FACT_LABEL: Final = pattern(
    rf"^\W*(?:(?:[\w-]+[ _]){{0,2}}(?:{_FACTS}|{_STATES})|[^\W\d_a-z]{{0,4}}(?:{_FACTS_CJK}|{_STATES_CJK}))\W{{0,4}}[:：]\s*\W*\S"
)
"""A label over a place, a reason or a state, with its value."""
FACT_HEADING: Final = pattern(
    rf"(?:(?:^|[\s·—–:：(（/&])(?:{_FACTS})|{_FACTS_CJK}){_TAIL}|^\W*(?:about|how it works|关于|關於)\b"
)
"""Headings and lead-ins that end in a word for facts."""
LISTED: Final = pattern(
    r"\b(?:projects?|sources?|resources|references|inspiration|structure|folders?|vaults?|accounts?|contacts?|links|sites|channels)\b(?: \([^)]*\))?\W*$"
    r"|(?:项目|項目|来源|來源|消息源?|资源|資源|参考|參考|结构|結構|目录|目錄|账号|帳號|联系人|聯絡人|频道|頻道|链接|連結|プロジェクト|情報源)\W*$|\b(?:proyectos|fuentes|projetos|fontes|projekte|quellen|projets)\W*$|(?:проекты|источники)\W*$"
)
"""Headings and lead-ins over things that are named, not described."""
PLACE_LABEL: Final = pattern(r"^\W*[^:：\n]{2,60}[:：][*_\s]*`?(?:[~.]?/|[A-Za-z]:\\|https?://)\S+\W*$")
"""A label with nothing but a place."""
STATE_HEADING: Final = pattern(
    rf"(?:(?:^|[\s·—–:：])(?:{_STATES})|(?:^\W*|的|系统|系統|运行|當前|当前|近期|工作|关键|關鍵)(?:{_STATES_CJK})){_TAIL}"
)
"""Headings that end in a word for what was the case."""
STATE_COLUMN: Final = pattern(
    rf"\b(?:{_STATES}|price|cost|p&l|p/l|profit|balance|commit)\b|状态|狀態|结果|結果|评分|評分|成果|成本|现价|現價|参考价|盈亏|盈虧|持仓|持倉"
)
"""Names of columns that say what was the case."""
SCRIPT_LABEL: Final = pattern(
    r"^\W*(?:[\w-]+[ _])?(?:scripts?|commands?|cmd|run|restart|start|stop|how|cli|脚本|腳本|命令|指令|运行|運行|执行|執行|质检|スクリプト|コマンド|実行|comando|befehl|commande|команда|скрипт)\W{0,4}[:：]\W*?(?:`|(?:bash|sh|zsh|python3?|node|npx|npm|uv|cargo|make|git|curl) \S|(?:~|\.{1,2})?/[\w.-]+)"
)
"""A label over a command."""
_MESSAGE: Final = r"\b(?:send|report|post|push|notify|message|summar\w+|brief\w*|digest|updates?|notification|alert|email|dashboard|answer|reply)\b|汇报|匯報|报告|報告|推送|提醒|通知|通報|摘要|总结|總結|レポート|報告|要約|\b(?:informe|resumen|reporte|relatório|resumo|bericht|rapport)\b|отч[её]т|сводк"
CONTENT_LEAD_IN: Final = pattern(
    rf"{_MESSAGE}|^\W*(?:then )?(?:keep it|include|provide|cover|提供|包含|包括)"
)
"""Lead-ins over what a message says."""
CASE_HEADING: Final = pattern(
    r"\b(?:when|if|only (?:if|when|for)|triggers?|conditions?|criteria|thresholds?|cases?|scenarios?|urgent|priority|escalat\w+|anything that|what to (?:skip|ignore|log|keep)|always|never|skip|ignore|allowed|immediately|decide|autonom\w+|exceptions?)\b"
    r"|触发|觸發|条件|條件|场景|場景|情况|情況|时机|時機|阈值|閾值|标准|標準|紧急|緊急|升级|升級|什么时候|何时|何時|忽略|跳过|跳過|不汇报|无需|沉默|允许|允許|自主|立即|只|仅|僅|条件|とき|場合|トリガー|しきい値|\b(?:cuándo|cuando|si|quando|se|wenn|falls|quand|umbral\w*|limiares|schwellen\w*|seuils?|criterios?)\b|когда|если|пороги?|услови"
)
"""Headings and lead-ins over cases, each of which says when something is done."""
WORK_ABOVE: Final = pattern(
    r"\b(?:check\w*|tasks?|to-?dos?|routines?|duties|rounds?|actions?|steps?|daily|weekly|hourly|monthly|nightly|morning|evening|noon|rotat\w+|monitor\w*|review|maintenance|agenda|schedule[ds]?|jobs?|cron|every|each|loop|cycle|goals?|backlog|queue|reminders?|prep\w*|audit|scan|watch|patrol|follow-?ups?)\b"
    r"|检查|檢查|巡检|巡檢|任务|任務|待办|待辦|执行|執行|每[天日周週月次年轮輪]|定期|定时|定時|例行|清单|清單|监控|監控|提醒|汇报|匯報|心跳|步骤|流程|轮换|輪替|早|晚|午|タスク|チェック|毎|定期|監視|朝|夜|\b(?:tareas?|rutina|revis\w+|diari\w+|seman\w+|cada|tarefas?|rotina|verific\w+|aufgaben?|prüf\w+|täglich|tâches?|quotidien\w*)\b|задач|провер|ежедневн|регламент|кажд"
)
"""Headings and lead-ins under which a bare noun is something to do."""


def above(wording: Wording) -> str:
    """Return the line that governs a segment: the lead-in of its list, else its heading."""
    return lead_of(wording.segment) or wording.segment.lead_in or wording.heading


WHEN_LABEL: Final = pattern(
    rf"^\W*(?:(?:[\w-]+ ){{0,2}}(?:{TIME_LABELS})|[^\W\d_a-z]{{0,4}}(?:频率|頻率|时间|時間|周期|週期|頻度))\W{{0,4}}[:：]"
)
"""A label over when something is done."""
_TOLD: Final = pattern(
    r"(?:^\W*|[，,→：:。]|->)\s*(?:全部|均|都)?已(?:修复|修復|解决|解決|完成|恢复|恢復|处理|處理|注册|註冊|建立|添加|更新|配置|固化|移除|删除|刪除|迁移|安装|启用|启动|关闭|上线)"
)
_TICKED: Final = re.compile(r"\w\s*✅\W*$")
_DATED: Final = re.compile(r"\d{1,2}[:：]\d\d|\b20\d\d")


_LEADS_ON: Final = pattern(r"^\W*(?:\d+[.)]\s*)?已[^，,：:。→\n]{1,6}\s*(?:→|->|⇒)\s*(?!已)\S")
"""What a state leads to: `已解决 → 移到历史记录`."""


def tells_deed(wording: Wording) -> bool:
    """Return whether a line without an open box tells what has been done."""
    segment = wording.segment
    leads_on = segment.task != "done" and bool(_LEADS_ON.search(wording.text))
    if segment.task == "open" or segment.kind == "fence" or leads_on or OUTCOME.search(wording.text):
        return False
    return bool(_TOLD.search(wording.text)) or (
        bool(_TICKED.search(wording.text)) and any(map(_DATED.search, segment.section))
    )


_DONE: Final = pattern(rf"[✅✔☑]|已|完成|\b(?:{_STATES})\b|{_STATES_CJK}")


def is_done(wording: Wording) -> bool:
    """Return whether a ticked line only tells what was done, by its words or by a heading above it."""
    segment = wording.segment
    return segment.task == "done" and any(map(_DONE.search, (wording.text, *segment.section)))


def has_facts_above(wording: Wording) -> bool:
    """Return whether a lead-in that orders nothing stands over facts."""
    lead = lead_of(wording.segment)
    return bool(lead) and polarity_of(lead) is Polarity.DESCRIBES and bool(FACT_HEADING.search(lead))


def is_state_row(wording: Wording) -> bool:
    """Return whether a table row says what was the case."""
    segment = wording.segment
    return (
        segment.kind == "table_row"
        and not is_about_acting(segment.header)
        and bool(STATE_COLUMN.search(" | ".join(segment.header[1:])))
    )


_BRACKETED: Final = re.compile(r"\([^()]*\)|（[^（）]*）")


def is_case_below(wording: Wording) -> bool:
    """Return whether an item that orders nothing is a case, by what governs it."""
    lead = _BRACKETED.sub("", lead_of(wording.segment))
    if lead:
        row = lead_in_row(lead)
        return row.trigger or row.name == "conditions" or bool(CASE_HEADING.search(lead))
    return bool(CASE_HEADING.search(wording.heading)) and not CHECKING.search(wording.heading)


def is_content(wording: Wording) -> bool:
    """Return whether an item is a part of the message that its lead-in orders."""
    *_, last = sentences(lead_of(wording.segment)) or ("",)
    if not last:
        return bool(_REPORT_HEADING.search(wording.heading)) and not _CHECK.search(wording.heading)
    is_over_cases = _CHECK.search(last) or _CASE_END.search(last)
    return bool(CONTENT_LEAD_IN.search(_CLAUSE.split(last)[-1])) and not is_over_cases


_CHECK: Final = pattern(r"\bcheck\w*|\bverif\w+|\bconfirm\w*|检查|檢查|确认|確認|チェック|\brevis\w+|провер")
_REPORT_HEADING: Final = pattern(
    rf"(?:\b(?:reports?|briefs?|briefing|summary|digest|recap)|汇报|匯報|报告|報告|摘要|总结|總結|レポート|informe|relatório|bericht|отч[её]т|сводка){_TAIL}"
)
"""Headings that end in the name of a message."""
_CLAUSE: Final = re.compile(r"[,，]\s*")
_CASE_END: Final = pattern(
    r"\b(?:when|if|only|on|for|unless)\W*$|(?:时|時|时机|時機|情况|情況|条件|時|とき|場合|si|quando|cuando|wenn|falls|если|когда)\W*$"
)


def is_fact(wording: Wording) -> bool:
    """Return whether a line that orders nothing is a fact, by its label or by what governs it."""
    text = wording.text
    if (
        wording.segment.task
        or has_condition(text)
        or read_cadence(text) is not None
        or RESTRICTS.search(text)
    ):
        return False
    if FACT_LABEL.match(text):
        return True
    lead = above(wording)
    return bool(FACT_HEADING.search(lead)) and not WORK_ABOVE.search(lead) and not CASE_HEADING.search(lead)


_CLOCKS: Final = re.compile(rf"(?:{CLOCK})", re.IGNORECASE)


def says_when(text: str) -> bool:
    """Return whether a text has a cadence or clock times, or speaks of a wake-up."""
    return speaks_of_waking(text) or read_cadence(text) is not None or bool(_CLOCKS.search(text))


CASE_LABEL: Final = pattern(
    r"^\W*\d{1,3} ?%\+?\W{0,4}[:：]|^\W*(?:triggers?|conditions?|when|if|触发(?:条件)?|觸發(?:條件)?|条件|條件|disparador|gatilho|auslöser)\W{0,3}[:：]"
)
"""A label over a case."""
ABOUT_FILE: Final = pattern(
    r"\bthis (?:file|checklist|list|document)\b|(?:此|本|这个|這個)(?:文件|檔案|清单|清單)|このファイル|\b(?:este|esta) (?:archivo|arquivo|lista)\b|\bdiese (?:datei|liste)\b|\bce fichier\b|этот файл"
)
"""Words for the file itself."""
