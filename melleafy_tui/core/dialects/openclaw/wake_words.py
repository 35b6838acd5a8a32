"""The words, in eight languages, that tell the agent's own wake-up from a task, a schedule from other lists."""

# ruff: noqa: E501 - a word list is easier to read in one piece, and has letters of other scripts

import re
from typing import Final

from melleafy_tui.core.language.time.clock import CLOCK
from melleafy_tui.core.language.time.zones import zone_at
from melleafy_tui.core.lazy_regex import LONGEST_READ, LazyRegex

_WAKE: Final = (
    r"heart[ -]?beats?|wake(?:s|-?ups?| ups?|[- ]?cycles?)?|waking"
    r"|latidos?|pulso|despertar|batimentos?|herzschlag|aufwachen|weckruf|réveils?|battements?|пульс\w*|сердцебиени\w*|пробуждени\w*"
)
_WAKE_CJK: Final = r"心跳|唤醒|喚醒|ハートビート|起床"
_FILLER: Final = (
    r"heartbeat\.md|runs?|running|this|these|those|all|following|tasks?|when(?:ever)?|the|file|checklist|agent|me|you|it|please|schedule[ds]?|cadence|intervals?|frequency|check(?:s|-?ins?)?|in|up|for|of|to"
    r"|cron|periodic(?:ally)?|loop|cycles?|polls?|execut(?:e[sd]?|ion)|triggers?(?:ed)?|fires?|at|on|is|are|once|automatically|during|only|and|every|each|active|business|quiet|hours?|timing|default|should|will|with|within|between|from|openclaw|reads"
    r"|est[ae]s?|estos|comprobaciones|tareas|verificaciones|tarefas|verificações|diese|aufgaben|prüfungen|ces|tâches|vérifications|эти|задачи|проверки"
    r"|ejecut\w+|frecuencia|intervalos?|horario|cada|el|la|los|las|de|en|se|execut\w+|frequência|o|a|os|as|do|da|no|na|ausführen|läuft|laufen|intervalle?|häufigkeit|der|die|das|im|exécut\w+|fréquence|le|les|du|au"
    r"|lê|lee|lit|liest|читает|ficheiro|arquivo|archivo|fichero|fichier|datei|файл|запуск\w*|запускать\w*|запускается|интервал\w*|частота|в|на|каждые|расписание|min(?:ute)?s?|mins?"
)
_FILLER_CJK: Final = r"机制|機制|自动|自動|准时|準時|确保|確保|以下|这些|這些|任务|任務|タスク|次の|运行|運行|執行|执行|频率|頻率|间隔|間隔|周期|週期|一次|触发|觸發|检查|檢查|每次|時|时|的|を|に|は|する|頻度|実行|チェック|间"
_OWN_WORDS: Final = LazyRegex(rf"\b(?:{_WAKE}|{_FILLER})\b|{_WAKE_CJK}|{_FILLER_CJK}", re.IGNORECASE)
_SPEAKS_OF_WAKING: Final = LazyRegex(
    rf"\b(?:{_WAKE})\b|{_WAKE_CJK}|\bopenclaw (?:reads|lê|lee|liest|lit|читает)\b", re.IGNORECASE
)
_FILE_NAMES: Final = LazyRegex(
    r"HEARTBEAT\.md|HEARTBEAT_OK|(?<![\w./-])[\w./-]*heartbeat[-_]\w[\w.-]*", re.IGNORECASE
)
_TIME_WORDS: Final = LazyRegex(
    rf"{CLOCK}|\b(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{{0,6}}\b|\bweek-?(?:days?|ends?)\b|\d+", re.IGNORECASE
)
REGISTER: Final = LazyRegex(
    r"\b(?:cron(?:tab|[- ]?jobs?)?s?|schedul(?:e[ds]?|ing)|timetable|routines?|rhythm|recurring|calendar of jobs"
    r"|horarios?|programaci[oó]n|tareas programadas|rutinas?|agenda|cronograma|tarefas agendadas|rotinas?|zeitplan|ablaufplan|geplante"
    r"|planning|planification|tâches planifiées|расписани\w*|планировщик\w*)\b"
    r"|排程|定时|定時|日程|时间表|時間表|计划任务|作息|スケジュール|予定|定期",
    re.IGNORECASE,
)
"""A heading or lead-in whose list is a schedule."""

JOB: Final = LazyRegex(
    r"\b(?:cron(?:tab|s)?|scheduled job|systemd timer|launchd)\b|定时任务|定時任務", re.IGNORECASE
)
"""Words of a line that speaks of a scheduler's job."""

LIST_OF_JOBS: Final = LazyRegex(
    r"\b(?:cron(?:tab|s)?|(?:scheduled|recurring) (?:jobs|tasks)|automations?)\b|(?:定时|定時|计划|計劃|周期)任[务務]|定期(?:任务|タスク|ジョブ)"
    r"|\btareas programadas\b|\btarefas agendadas\b|\bgeplante aufgaben\b|\btâches planifiées\b|\bзадачи по расписанию\b",
    re.IGNORECASE,
)
"""The heading of a list of jobs."""

LABEL_FIRST: Final = LazyRegex(
    r"^\W*(?:daily|weekly|nightly|hourly|monthly|(?:every|each)\s[\w ]{2,24}|每[天日周週月]\S{0,3}|毎[日週月朝晩]|diariamente|semanal\w*|täglich|wöchentlich|quotidien\w*|hebdomadaire|ежедневно|еженедельно)\W*\s*[:：]",
    re.IGNORECASE,
)
"""A line that starts with its cadence as a label: `Daily: check the log`."""

TIME_LABELS: Final = (
    r"frequency|cadence|schedule|interval|timing|when|triggers?|run time|runs?(?: at| every)?|repeats?|cron|frecuencia|cuándo|horario|frequência|quando|horário"
    r"|häufigkeit|wann|zeitplan|fréquence|quand|horaire|частота|когда|расписание"
    r"|频率|頻率|頻度|间隔|間隔|时间|時間|(?:触发|觸發|执行|執行|运行|運行|检查|檢查|默认|預設)?(?:时机|時機|时间|時間|频率|頻率|周期|週期|间隔)|触发|觸發|周期|スケジュール|タイミング|実行時刻|いつ"
)
"""Labels that say when, and not what."""
TIME_LABELLED: Final = LazyRegex(
    rf"^\W*(?:[\w-]+ |心跳|ハートビート){{0,2}}(?:{TIME_LABELS})\s*[:：]", re.IGNORECASE, longest=LONGEST_READ
)
"""A line that starts with a label for a cadence: `Check frequency: …`."""

WAKE_UP_TIMES: Final = LazyRegex(
    rf"(?:{TIME_LABELS}|times?|hours|rhythm)\W*$", re.IGNORECASE, longest=LONGEST_READ
)
"""The end of a heading about when something happens."""

GENERAL: Final = LazyRegex(
    r"\W*(?:(?:general|important|basic|ground|core|key) )?(?:rules?|notes?|general|guidelines?|constraints?|limits|polic(?:y|ies)|settings|reminders?|boundaries"
    r"|reglas|normas|notas|límites|regras|limites|regeln|hinweise|grenzen|règles|remarques|consignes|правила|заметки|ограничения)(?: \(.*\))?\W*"
    r"|\W*(?:规则|規則|注意(?:事项|事項)?|说明|說明|原则|原則|ルール|注意点|約束|方針)\W*",
    re.IGNORECASE,
)
"""A heading that names no task: what stands below it holds for the whole file."""

SETTINGS: Final = LazyRegex(
    r"\W*(?:(?:current|heartbeat) )?(?:configuration|config|settings|set-?up)\W*|\W*(?:当前|目前|基本)?(?:配置|設定|设置)\W*",
    re.IGNORECASE,
)
"""A heading over the heartbeat's own settings."""

ALL_TIMES: Final = LazyRegex(
    r"\b(?:all )?times?\b.{0,24}\b(?:in|are|PT|ET|CT|MT|[A-Z]{3})|时区|時區|タイムゾーン|zona horaria|fuso|zeitzone|fuseau|часовой пояс|time ?zone",
    re.IGNORECASE,
)
"""A line that gives the zone or days of all times around it."""

NO_TASKS: Final = LazyRegex(
    r"^\W*(?!.{0,120}(?:\b(?:without|unless|since|until|approval|allowed|permitted)\b|[时時则則→]))(?:"
    r"(?:there (?:are|is) )?(?:currently )?(?:no|none|nothing)\b[^.]{0,30}\b(?:tasks?|checks?|jobs?|items?|instructions|reminders?|configured|scheduled|to (?:check|do)|yet)\b[^.]{0,40}\.?\W*$"
    r"|(?:nothing|none|(?:keep this file )?empty|n/?a|tbd|なし|特になし)(?: here| yet)?\W*$"
    r"|(?:пусто|порожн|vací[oa]|vazi[oa]|leer|vide\b|empty)\w{0,3}\b[^.:]{0,60}$"
    r"|(?:暂无|暫無|没有|沒有|无|無)[^。]{0,12}(?:任务|任務|检查|檢查|タスク)|(?:タスク|作業)(?:は|が)?(?:ありません|なし|未設定)"
    r"|(?:sin|no hay|ninguna|sem|não há|nenhuma|(?:noch )?keine|aucune|pas de)\b[^.]{0,20}\b(?:tareas?|comprobaciones|tarefas?|verificaç\w+|aufgaben?|prüfungen|tâches?|vérifications?)"
    r"|(?:пока )?(?:нет|немає)\b[^.]{0,20}(?:задач|проверок)"
    r")",
    re.IGNORECASE,
)
"""A line that says there is nothing to do."""

_HOURS_DECLARED: Final = LazyRegex(
    r"\b(?:active|operating|waking|awake|business|working|quiet|silent|sleep(?:ing)?|late[- ]night) ?(?:hours?|time|window)?\b|\bdo not disturb\b|\bonly (?:run|wake|between)|\bquiet\b"
    r"|活跃|活躍|工作时间|静默|安静|安靜|免打扰|勿扰|深夜|稼働|サイレント|activ[ao]s?|silencio|silêncio|ativ[ao]s?|ruhezeit\w*|aktive|calmes|silenc\w+|тихи\w+|тишин\w+|активн\w+",
    re.IGNORECASE,
)
WAKING_REMARK: Final = LazyRegex(
    rf"(?:\b(?:{_WAKE})|{_WAKE_CJK})[\s*_`]*[(（]\s*(?P<inner>[^()（）\n]{{2,40}})", re.IGNORECASE
)
"""A remark in brackets after the heartbeat, which may say how often it is: `each heartbeat (every 4h)`."""
_REMINDS: Final = LazyRegex(
    r"\breminders?\b|提醒|リマインド|\brecordatorios?\b|\blembretes?\b|\berinnerung\w*|\brappels?\b|напоминани",
    re.IGNORECASE,
)
_CLOCK_FIRST: Final = re.compile(r"[\W_]*(?:[01]?\d|2[0-3])[:：][0-5]\d[*_]*\s*[-–—]\s*\D")
GOES_ON: Final = LazyRegex(
    r"\bonly (?:check|run|do|watch|monitor)\b|\breduced?\b|\bfewer\b|\bless often\b|\bno quiet\b|[无無没][需有]?静默|减少|減少|降低|[只仅僅](?:检查|檢查|做|看|监控|監控|执行|執行|保留)|のみ(?:確認|チェック|実行)",
    re.IGNORECASE,
)
"""Words of quiet hours in which some work goes on."""
_CONDITION: Final = LazyRegex(
    r"^\W*(?:(?:if|when|unless|si|se|wenn|falls|если)\b|如果|若(?!干)|もし|[当當](?=.{0,24}[时時候]))",
    re.IGNORECASE,
)


def speaks_of_waking(text: str) -> bool:
    """Return whether a text speaks of the agent's heartbeat; the names of files and of the answer don't count."""
    return bool(_SPEAKS_OF_WAKING.search(_FILE_NAMES.sub(" ", text)))


def declares_hours(text: str) -> bool:
    """Return whether a text declares active or quiet hours, rather than a condition on the time of day."""
    return bool(_HOURS_DECLARED.search(text)) and not is_condition(text)


def is_reminder(text: str, heading: str) -> bool:
    """Return whether an item such as `- 09:30 - drink` gives a time of each day: its heading is about reminders."""
    return bool(_CLOCK_FIRST.match(text)) and bool(_REMINDS.search(heading))


def is_condition(text: str) -> bool:
    """Return whether a text starts with a condition, such as `if they ask`."""
    return bool(_CONDITION.match(text))


def is_about_waking_only(text: str) -> bool:
    """Return whether a text has no words but those of a wake-up and its times: no task, thing or purpose."""
    text = text[:LONGEST_READ]
    zone = zone_at(text)
    if zone is not None:
        text = text[: zone.start] + " " + text[zone.end :]
    rest = _OWN_WORDS.sub(" ", _TIME_WORDS.sub(" ", _FILE_NAMES.sub(" ", text)))
    return re.search(r"[^\W\d_]", rest) is None
