"""Recognises instructions that only make sense on OpenClaw, with the reason.

They are removed by default and listed for rewriting, so that none disappears silently.
"""

# ruff: noqa: E501 - a pattern is easier to read in one segment

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from msgspec import Struct

from melleafy_tui.core.language.directives import polarity_of
from melleafy_tui.core.language.wording import plain_text, sentences
from melleafy_tui.core.lazy_regex import LONGEST_LINE, LazyRegex
from melleafy_tui.core.models.vocabulary import Polarity


class RuntimeOnly(Struct, frozen=True):
    """One row: the pattern of the instruction, and why the package doesn't need it."""

    name: str
    pattern: LazyRegex
    reason: str


_BOOTSTRAP_FILES: Final = r"(?:SOUL|IDENTITY|AGENTS|USER|TOOLS|HEARTBEAT|MEMORY|BOOTSTRAP|BOOT)\.md"


def _cased(pattern: str) -> LazyRegex:
    return LazyRegex(pattern)


SELF_EDIT: Final = "self-edit"
"""The row of what an agent is told about rewriting its own files."""

RUNTIME_ONLY: Final[tuple[RuntimeOnly, ...]] = (
    RuntimeOnly(
        "reply-token",
        _cased(r"\b(?:HEARTBEAT_OK|NO_REPLY|ANNOUNCE_SKIP|REPLY_SKIP)\b"),
        "The reply token is OpenClaw's wire protocol; the package returns whether it skipped, and the host translates it.",
    ),
    RuntimeOnly(
        "reply-tag",
        _cased(r"(?<![.!?。] )\[\[\s*(?:reply_to_current|reply_to\s*:|audio_as_voice)"),
        "Reply tags are read by OpenClaw's channels only.",
    ),
    RuntimeOnly(
        "openclaw-command",
        _cased(r"(?<![\w./-])openclaw\s+(?:gateway|cron|system|agents?|skills?|hooks?|config|doctor|channels?|message|status|help|models?|dashboard|acp|pairing|configure|security|tui"
                   r"|sessions?|memory|logs|update|onboard|heartbeat|nodes?|browser|plugins?|setup|restart|start|stop|tasks?|approvals|devices?|sandbox|version|--\w+)\b|`openclaw\s+[a-z-]+"),
        "The openclaw command line does not exist where the package runs.",
    ),
    RuntimeOnly(
        "openclaw-tool",
        LazyRegex(r"\bsessions_(?:spawn|send|list|history|status|yield)\b|\bsession_status\b|\bmemory_(?:search|get)\b"
                   r"|\bthe\s+[`'\"]?(?:message|cron|gateway|canvas|nodes?|sessions)[`'\"]?\s+tool\b"
                   r"|[`'\"](?:message|cron|gateway|canvas)[`'\"]\s+tool\b|\bmessage[`'\"]? ?(?:工具|ツール)|\b(?:message|gateway|cron) action=\w|\bmessage\(\{", re.IGNORECASE),
        "The tool is built into OpenClaw and is not there at run time.",
    ),
    RuntimeOnly(
        "read-bootstrap-file",
        LazyRegex(rf"\b(?:(?:re-?)?read|load|skip|open|check|review|follow|ler|leia|reler|releu|carregar|lee|leer|cargar|carga|lire|lis|relire|charger|lies|lade|прочитай|загрузи|прочти)[:：]?\s+(?:\w+\s+){{0,3}}?[`*_(\[]*(?:memory/(?:YYYY-MM-DD|TODAY)\.md|{_BOOTSTRAP_FILES})"
                   rf"|(?:读取?|阅读|查看|加载|讀取?|閱讀|載入)\s*[`*]*{_BOOTSTRAP_FILES}|{_BOOTSTRAP_FILES}[`*]*[^。\n]{{0,30}}?を?(?:読|確認|参照|ロード)|(?:睇|载入)\s*[`*]*{_BOOTSTRAP_FILES}|memory/[\w./*-]+[`*]*[^。\n]{{0,30}}?を?(?:読み|読む|ロード)|\bload (?:today|yesterday)\b", re.IGNORECASE),
        "The package carries the file's text already; there is no file to read at run time.",
    ),
    RuntimeOnly(
        "loaded-file",
        LazyRegex(rf"^(?=.*\b(?:{_BOOTSTRAP_FILES}|SKILL\.md))(?=.*(?:\b(?:(?:is|are|gets?) (?:auto-?)?(?:load|inject)ed|loads? (?:at|on|in|every)|auto-?load|boot|at (?:session )?start(?:up)?|main session|curated|long-term memory|wins?|precedence|budget|character limit)\b|≤ ?\d+ ?(?:lines|行)|載入|加载|注入|启动时|啟動時|読み込|起動時|se cargan?|al iniciar|wird geladen|beim start|au démarrage|загружа|при запуске)).+", re.IGNORECASE | re.MULTILINE),
        "The package carries the file's text; how OpenClaw loads and ranks its files has no counterpart.",
    ),
    RuntimeOnly(
        "file-routing",
        LazyRegex(rf"^[^\w\n]{{0,8}}(?:[^→|;；\n]{{2,80}}?(?:→|->|=>|⇒)\s*[`*]{{0,3}}{_BOOTSTRAP_FILES}[`*]{{0,3}}(?:\s*[(（][^()（）\n]{{0,60}}[)）])?\s*(?:[|;；]\s*|$))+$", re.IGNORECASE | re.MULTILINE),
        "It says which of OpenClaw's files holds what; the package has them as one text.",
    ),
    RuntimeOnly(
        "load-nothing-else",
        LazyRegex(r"\b(?:do not|don['’]t|never) (?:pre-?)?load\b(?:[^.\n]{0,60}\b(?:files?|memory|context|docs?|skills?|everything|anything|all|them|it|history|sessions?|transcripts?|up-?front|by default|unless|until)\b|[^.\n]{0,40}\.md\b|\W*$)|\bload (?:only )?(?:on demand|lazily)\b|\bon-?demand only\b|(?:不要|别|別|不)(?:预|預)?(?:加载|載入|加載)|読み込まない|no cargues\b|não carregue\b|ne charge pas\b|lade nicht\b|не загружай", re.IGNORECASE),
        "The package carries its texts; there is nothing to load or to leave out at run time.",
    ),
    RuntimeOnly(
        "edit-heartbeat-file",
        LazyRegex(r"\b(?:edit|update|change|maintain|keep|add (?:\w+ ){0,3}to)\b[^.\n]{0,40}\bHEARTBEAT\.md\b|(?:编辑|編輯|更新|修改|維護|维护)\s*[`*]*HEARTBEAT\.md|HEARTBEAT\.md[`*]*\s*を?(?:編集|更新)|\b(?:edita|actualiza|modifie|bearbeite|обнови)\b[^.\n]{0,30}HEARTBEAT\.md", re.IGNORECASE),
        "HEARTBEAT.md is read by OpenClaw; the package's checklist is code.",
    ),
    RuntimeOnly(
        "read-memory-file",
        LazyRegex(r"^[^\w\n]*(?:[a-z0-9]{1,2}[.)]\s+)?(?:always |first |then )?(?:(?:re-?)?(?:read|load|skim|review(?! (?:[\w,'’-]+ ){1,8}from ))|lee|leer|lies|lis|leia|прочитай|读取?|閱讀|讀)[^.\n]{0,50}?[`*]*memory/[\w./*-]+"
                  r"|\b(?:read|review|organi[sz]e|maintain|distill)\b(?: and \w+)? (?:the |your |recent |through )*(?:memory files|daily (?:memory )?files)\b", re.IGNORECASE | re.MULTILINE),
        "The package loads its memory itself; the files' names and upkeep are OpenClaw's.",
    ),
    RuntimeOnly(
        "memory-upkeep",
        LazyRegex(r"\bwake up (?:fresh|blank|new)\b|\b(?:these|the|those) files are (?:(?:your|my) )?(?:continuity|memory)\b|\b(?:curated|distilled)\b[^.\n]{0,30}\bmemory\b[^.\n]{0,60}\braw (?:logs?|notes?)\b|\bdistilled essence\b"
                  r"|^[^\w\n]*(?:\d+\.\s+)?(?:(?:update|refresh|prune)\s+[`*]*MEMORY\.md[`*]*\s+with\b|remove\b[^.\n]{0,40}\bfrom [`*]*MEMORY\.md)|^[^\w\n]*[^:：`\n]{2,25}[:：][*\s]*[`*]*(?:MEMORY\.md|memory/YYYY-MM-DD\.md)[`*]*\s*(?:[—–(（-][^\n]*)?$|每次(?:会话|會話|对话|對話|启动|啟動|开始|開始|醒来|醒來)[^。\n]{0,14}(?:全新|醒来|醒來|从零|從零|重新|刚醒|空白)|(?:这些|這些|呢啲)(?:文件|檔案)(?:就)?(?:是|係)[^。\n]{0,4}(?:记忆|記憶|连续|連續|延续|延續)|(?:毎回|セッションごとに|セッション毎に)[^。\n]{0,14}(?:新しく|まっさら|新た|リセット|目覚め)|これらのファイル(?:が|は)[^。\n]{0,8}(?:記憶|継続)|\bestos archivos son tu (?:memoria|continuidad)|\besses arquivos são (?:a )?sua|\bces fichiers sont ta\b|\bdiese Dateien sind dein|\bdespiertas? (?:fresc|de cero|nuev)|\bacorda(?:s)? (?:do zero|renovad)|\bempiezas de cero\b|\bdesperta sem lembranças\b|\brepartez de zéro\b|\bwachen? (?:sie|du)? ?(?:ohne erinnerung|jedes mal neu)|\bti risvegli da zero\b|\b(?:estos archivos|estes arquivos|questi file|ces fichiers) (?:son|são|sono|sont) (?:tu|a sua|la tua|votre) (?:memoria|memória|mémoire)\b|\bdiese dateien sind (?:ihr|dein) gedächtnis\b|\bdeze bestanden zijn je geheugen\b|файлы[^.\n]{0,6}(?:твоя|ваша) память|файли[^.\n]{0,6}вашою пам|просыпаешься с чистого|매번 새로|이 파일들[^.\n]{0,8}기억|まっさらな状態で目覚め", re.IGNORECASE | re.MULTILINE),
        "How OpenClaw keeps its memory files has no counterpart; the package loads and writes its memory itself.",
    ),
    RuntimeOnly(
        SELF_EDIT,
        LazyRegex(r"\b(?:this|the) (?:file|document|soul)\b(?:['’]s| is| was always)\s+(?:yours|mine|your own|my own)\b|\b(?:yours|mine) to (?:evolve|change|rewrite|edit|keep)\b"
                  r"|\b(?:if|when(?:ever)?) (?:you|i) (?:change|edit|update|modify|rewrite) (?:this|the|your|my) (?:file|soul)\b|\bwant a sharper version\b"
                  r"|(?:如果|若)?(?:你|您|我)?(?:修改|更改|變更|改变|改變|改了)了?(?:这个|這個|此|本)(?:文件(?!夹)|檔案(?!夾))|(?:这个|這個|此|本)(?:文件(?!夹)|檔案(?!夾))[^。\n]{0,6}(?:属于|屬於|是|由)(?:你|我|您)[^。\n]{0,8}(?:的|演进|演進|完善|更新|进化|進化|自行)"
                  r"|このファイル[をは][^。\n]{0,14}(?:変更した|進化)|이 파일[을은][^.\n]{0,10}(?:변경|발전)"
                  r"|\bsi (?:cambias|modificas|changes|modifiez|modifies|modifichi) (?:este|ce|questo) (?:archivo|fichier|file)\b|\bse (?:alterar|mudar|modificar|modifichi) (?:este|questo) (?:arquivo|ficheiro|file)\b|\b(?:este|ce|questo) (?:archivo|arquivo|ficheiro|fichier|file) (?:es tuyo|é seu|é teu|vous appartient|est à toi|è tuo)\b"
                  r"|\b(?:wenn|falls) (?:du|sie) diese datei (?:änder|bearbeit)|\bdiese datei (?:gehört dir|dürfen sie|darfst du)\b|\bals je dit bestand wijzigt\b|\bdit bestand (?:is van jou|mag je)\b"
                  r"|если (?:ты |вы )?(?:меняе|измени)\w+ этот файл|этот файл (?:твой|ваш|принадлежит)|якщо (?:ти |ви )?зміни\w+ цей файл|цей файл (?:твій|належить)|\bjeśli zmieni\w+ ten plik\b|\bten plik może ewoluować\b|\bbu dosyayı (?:değiştirirsen|geliştirmek)", re.IGNORECASE),
        "The package's prompts are code: the agent doesn't rewrite the files it is made of.",
    ),
    RuntimeOnly(
        "model-choice",
        LazyRegex(r"^\W*(?:llm |ai )?models? (?:selection|routing|choice|assignments?|tiers?|usage|policy|strategy)\b(?: \w+)?\W*$|^\W*(?:模型选择|模型選擇|模型路由|模型(?:使用|分配|策略|调度|調度|配置)|モデル選択)|\b(?:fallbacks?|default model|primary model|model routing|models?)\b[^.\n]{0,60}[:：=→]\s*[^.\n]{0,60}\b(?:gpt|claude|opus|sonnet|haiku|gemini|kimi|qwen|deepseek|llama|grok|minimax|glm|mistral)\b", re.IGNORECASE),
        "The package's model is a setting of the package.",
    ),
    RuntimeOnly(
        "gateway",
        LazyRegex(r"\b(?:gateway|nodes?)\b[^.\n]{0,30}\b(?:connects?|routing|pair(?:s|ed|ing)|restarts?)\b|\bconnects? (?:via|through|to) (?:\w+ )?gateway\b|\bOpenClaw (?:handles|runs|loads|injects|reads|requires|needs|sends|wakes|delivers)\b|\bOpenClaw agent id\b|\bbootstrap(?:Total)?MaxChars\b"
                  r"|(?<![\w./-])(?:tools\.(?:exec|allow|deny|profile|elevated|sandbox|web)|agents\.(?:defaults|list)|gateway\.(?:auth|mode|port|bind)|channels\.[a-z]+\.[a-z]\w+|session\.(?:dmScope|reset))\b|\"(?:channels|gateway)\"\s*:\s*\{|^[^:：\n]{1,40}[:：][*\s]*`?~?/?[\w./-]*openclaw\.json`?\W*$", re.IGNORECASE | re.MULTILINE),
        "Gateway, nodes and OpenClaw's own configuration do not exist where the package runs.",
    ),
    RuntimeOnly(
        "sessions",
        LazyRegex(r"\bisolated sessions?\b|\bsub-?agents? (?:only )?(?:see|inherit|load|receive)\b|\bspawn(?:s|ing|ed)?\s+(?:\w+\s+){0,3}?(?:sub-?agents?|sessions?)\b|\bsub-?agents?\b[^.\n]{0,30}\b(?:announces?|SIGTERM)\b|(?:派发|派發|启动|啟動|生成)(?:一个|一個)?子代理|サブエージェントを(?:起動|生成)|\b(?:pre-?)?compaction\b|子代理(?:只)?(?:看|讀|读)|サブエージェントは|(?:子 ?agent|sub-?agents?|子代理|小弟|サブエージェント)[^。\n]{0,20}\b(?:spawn|announce)\b|(?-i:[\u3400-\u9fff\u3040-\u30ff]) ?spawn\b|\bspawn ?(?-i:[\u3400-\u9fff\u3040-\u30ff])|(?:上下文|会话|會話|对话|對話)[^。，\n]{0,14}(?:压缩|壓縮)|(?:压缩|壓縮)(?:前|后|後|次数|發生|发生)|コンテキスト(?:の)?圧縮|\b(?:sessionKey|sessionTarget|agentTurn|systemEvent|wakeMode)\b", re.IGNORECASE),
        "Sessions, subagents and compaction are OpenClaw's; each run of the package is one session.",
    ),
    RuntimeOnly(
        "heartbeat-or-cron",
        LazyRegex(r"\buse (?:the )?(?:isolated )?(?:heartbeats?|cron)(?: system| jobs?)? (?:when|for)\b|\bheartbeat (?:vs\.?|or) cron\b|\buse heartbeats productively\b|\b(?:batch|combin)(?:e|ing) (?:similar )?(?:periodic )?checks\b|\bheartbeat (?:polls?|prompt|poll message)\b|心跳(?:轮询|輪詢|提示词|提示詞|消息|訊息)|ハートビート(?:ポーリング|のプロンプト|プロンプト|ポール)|(?:收到|接到)\s*(?:heartbeat|心跳)(?: ?poll)?|\bpoll(?:s)? de heartbeat\b|\bsondage heartbeat\b|\b(?:track|note|log|record|keep)\b[^.\n]{0,50}\bheartbeat-state\.json\b|^(?:[^:：\n]{0,30}[:：])?[\W_]*(?:check |read |see )?[`*]*(?:memory/)?heartbeat-state\.json\b|\"lastChecks\"|心跳(?:还是|還是|与|與)\s*cron|^\W*(?:以下|下列|这些|這些)?(?:情况|情況)?(?:下)?用 ?(?:心跳|heartbeat|cron|定时任务|定時任務) ?(?:当|當|[：:]|的)|^\W*用 ?(?:心跳|cron|heartbeat) ?的?(?:场景|場景|时机|時機|情况|情況|时候)|(?:ハートビート|cron) ?を使う(?:とき|場合)", re.IGNORECASE),
        "Choosing between heartbeat and cron, and heartbeat-state.json, are OpenClaw's; the package's schedule is a setting.",
    ),
    RuntimeOnly(
        "skill-files",
        LazyRegex(r"\b(?:check|read|see|open|follow)\s+(?:its|the|their|each|that|every)\s+[`*]*SKILL\.md|(?:读取?|阅读|查看|讀取?|閱讀)\s*[`*]*SKILL\.md", re.IGNORECASE),
        "Skills are specs of their own; the package has no folder of skills to read.",
    ),
    RuntimeOnly(
        "bootstrap-ritual",
        LazyRegex(r"\bBOOTSTRAP\.md\b.{0,120}\bdelete\b|\bdelete\b.{0,80}\bBOOTSTRAP\.md\b", re.IGNORECASE),
        "BOOTSTRAP.md is a first-run ritual that the package does not have.",
    ),
    RuntimeOnly(
        "slash-command",
        _cased(r"(?:^|[\s`(])/(?:new|reset|compact|status|think|verbose|approve|restart)(?=[\s`.,)]|$)"
),
        "Slash commands are read by OpenClaw's chat only.",
    ),
)  # fmt: skip
"""Ordered rows; the first match gives the reason."""


_FENCES: Final = ("```", "~~~")
_FEW_LINES: Final = 3
_GOVERNING: Final = frozenset({"heartbeat-or-cron", "model-choice"})
"""Rows whose heading or lead-in governs all that is below it."""

OWN_LEAD_INS: Final = frozenset({"memory-upkeep", "heartbeat-or-cron"})
"""Rows whose lead-ins are sentences about OpenClaw, which announce nothing else."""

_MARKER: Final = LazyRegex(r"^\s*(?:[-*+]|#{1,6}|\d+[.)])\s+(?:\[.\]\s+)?")
_CLAUSE: Final = LazyRegex(
    r"\s[—–]\s(?=(?:skip|only|if|unless|when)\b)|[;；]\s*(?:(?:otherwise|or else|else|sonst)\b,?\s*)?|[,，—–] ?(?:otherwise|or else|else|sonst)\b,?\s*|[,，]?否则",
    re.IGNORECASE,
)
"""Separators between an order and the token to answer with when there is nothing to do."""

_ABOUT_HEARTBEAT: Final = LazyRegex(
    r"\b(?:heartbeats?|cron)\b|心跳|定时任务|ハートビート|пульс", re.IGNORECASE
)
"""What an order beside a reply token is about, if it only holds where OpenClaw polls."""

_IF_NOTHING: Final = LazyRegex(
    r"^\W*(?:(?:if|when)\s+(?:there(?:['’]s| is)\s+)?nothing|unless\s+(?:some|any)thing)\b[^,;:]{0,60}$",
    re.IGNORECASE,
)
"""When to answer with the token, after a dash."""

_ABOUT_FILES: Final = frozenset({"memory-upkeep", SELF_EDIT})
_ABOUT_THEM: Final = LazyRegex(
    r"^\W*(?:read|update|sync|keep|trust|use) (?:them|it)\b|^\W*(?:(?:阅读|读|更新|閱讀|讀|同步)(?:它们|它們|它))"
    r"|^\W*(?:as|while) (?:you|i) (?:learn|grow|become)\b|^\W*(?:当|當|随着|隨著)(?:你|我)|^\W*(?:tell|告诉|告知) (?:the |your )?(?:user|human)",
    re.IGNORECASE,
)
"""Orders about the files that the sentence before them names."""

_QUOTED: Final = LazyRegex(r"\"[^\"\n]{1,80}\"|“[^”\n]{1,80}”")
"""Examples of what somebody says, which order nothing."""

_CONDITION: Final = LazyRegex(r"(?:if|when(?:ever)?|unless|for (?:each|every)|如果|当)\b", re.IGNORECASE)


def runtime_only(text: str, above: Sequence[str] = ()) -> str:
    """Return why a text only makes sense on OpenClaw, or `""`.

    A text that also gives another order is kept whole, so that the order isn't lost, unless it speaks of OpenClaw
    in two ways.

    Args:
        text: The lines.
        above: The heading and lead-in above them, which can be about OpenClaw as a whole.
    """
    governing = next((row for line in above if (row := _governing_row(line))), None)
    if governing is not None:
        return governing.reason
    text = text[:LONGEST_LINE]
    row = runtime_only_row(text)
    if row is None:
        return ""
    if text.lstrip().startswith(_FENCES):
        return row.reason if _is_mostly_openclaw(text) else ""
    if text.count("\n") < _FEW_LINES and _ways(text) > 1:
        return row.reason
    row_names_heartbeat = row.name == "reply-token"
    said = [
        plain_text(clause).strip()
        for line in text.splitlines()
        for part in sentences(_QUOTED.sub("", _MARKER.sub("", line)))
        for clause in _CLAUSE.split(part)
    ]
    rest = [
        part
        for part in said
        if runtime_only_row(part) is None
        and not (row_names_heartbeat and (_ABOUT_HEARTBEAT.search(part) or _IF_NOTHING.search(part)))
        and not (row.name in _ABOUT_FILES and _ABOUT_THEM.search(part))
    ]
    return "" if any(map(_orders, rest)) or _does_more(row, said) else row.reason


_DIVIDES_WORK: Final = LazyRegex(
    r"^\W*[A-Z][\w-]*(?: \([^()\n]{1,40}\))? (?:delegates?|owns?|handles?|leads?|manages?|reviews?|approves?|decides?|routes?|reports?)\b"
)
"""Who does which work, which is the owner's whatever starts it."""

_FILE_ROWS: Final = frozenset({"read-bootstrap-file", "read-memory-file", "loaded-file", "memory-upkeep"})
"""Rows of files that the package loads by itself."""
_STEP: Final = re.compile(r"[,;，；、]\s*(?:(?:and|then|und|dann|y|luego|e|et|puis|и)\s+)?")
"""Separators between the orders of one sentence: `read the notes, run the script and send the result`."""


def _does_more(row: RuntimeOnly, clauses: Sequence[str]) -> bool:
    """Return whether a text about files that the package loads by itself gives other orders, too, or divides work."""
    steps = (step for clause in clauses for step in _STEP.split(clause)) if row.name in _FILE_ROWS else ()
    if row.name in _TOOL_ROWS and any(map(_DIVIDES_WORK.search, clauses)):
        return True
    return any(
        runtime_only_row(step) is None
        and not (_CONDITION.match(step) or _OWN_FILE.search(step) or _ABOUT_THEM.search(step))
        and polarity_of(step) is not Polarity.DESCRIBES
        for step in steps
    )


_OPENS_WITH_FILE: Final = LazyRegex(
    rf"^[\W_]*(?:\d+[\W_]+)?(?:{_BOOTSTRAP_FILES}|memory/[\w*-]+\.md)", re.IGNORECASE
)
_READING_LIST: Final = LazyRegex(
    r"\b(?:read|load|boot|startup|start-up|(?:every|each|per) session|session start|on wake|context files)\b|读|讀|読|加载|加載|载入|載入|启动|啟動|起動|每次(?:会话|會話|对话|對話)|セッション(?:開始|ごと|毎)"
    r"|\b(?:lee|leer|leia|ler|lis|lire|lies|lesen|cada sesión|cada sessão|chaque session|jede(?:r)? (?:session|sitzung))\b|прочита\w+|чита\w+|каждую сессию",
    re.IGNORECASE,
)


def is_file_to_read(text: str, above: Sequence[str]) -> bool:
    """Return whether an item only names one of OpenClaw's files under words that tell to read it.

    Args:
        text: The item's lines.
        above: The heading, lead-in and parent above it.
    """
    return bool(_OPENS_WITH_FILE.search(text)) and any(_READING_LIST.search(line) for line in above)


FILE_TO_READ: Final = "The package carries the file's text already; there is no file to read at run time."


_MEMORY_HEADING: Final = LazyRegex(
    r"\bmemory\b|\bcontinuity\b|记忆|記憶|メモリ|\bmemorias?\b|\bmémoire\b|\bgedächtnis\b|\bпамят\w*",
    re.IGNORECASE,
)
_MEMORY_PLACE: Final = LazyRegex(
    r"(?<![A-Za-z0-9_/])MEMORY\.md\b|(?<![A-Za-z0-9_/])memory/(?:[`*{<\[(]*(?:YYYY|TODAY|date|yesterday|\d{4}-|\*)|\s|$|[`*])|\bdaily (?:notes?|logs?|files?)\b|(?:每日|日次|当日|當日)(?:笔记|筆記|日志|日誌|ログ|ノート)",
    re.IGNORECASE,
)
_STARTUP_HEADING: Final = LazyRegex(
    r"\b(?:every|each|new) session\b|\bsession (?:start\w*|boot)\b|\b(?:boot|start-?up|wake-?up)(?: (?:sequence|routine|protocol|ritual|checklist|order))?\W*$|每次(?:会话|會話|启动|啟動|醒)|会话(?:启动|开始)|會話(?:啟動|開始)|启动(?:流程|顺序|序列)|啟動(?:流程|順序)|セッション(?:開始|ごと|毎)|起動(?:時|手順)|\bcada ses\w+|\bchaque session|\bjede\w* (?:session|sitzung)|кажд\w+ сесси\w+",
    re.IGNORECASE,
)
_OWN_FILE: Final = LazyRegex(
    rf"\b(?:{_BOOTSTRAP_FILES})|\bmemory/(?:[`*{{<\[(]*(?:YYYY|TODAY|date|\d{{4}}-|\*)|\s|$|[`*])|\bBOOTSTRAP\b",
    re.IGNORECASE,
)
_OPENCLAW_HEADING: Final = LazyRegex(
    r"\bOpenClaw\b|(?<!\bAI )(?<!\bAPI )(?<!payment )(?<!email )(?<!sms )\bgateway\b|\b(?:clawdbot|moltbot)\b|网关|網關|ゲートウェイ",
    re.IGNORECASE,
)


def governed_reason(text: str, section: Sequence[str], above: Sequence[str] = ()) -> str:
    """Return why a line under a heading about OpenClaw's sessions, memory files or gateway makes sense there only.

    A line with an order that names none of its files stays.

    Args:
        text: The line.
        section: The headings above it, without the file's title.
        above: The lead-in and parent above it.
    """
    places = (
        (_STARTUP_HEADING, _OWN_FILE, FILE_TO_READ),
        (
            _MEMORY_HEADING,
            _MEMORY_PLACE,
            "How OpenClaw keeps its memory files has no counterpart; the package loads and writes its memory itself.",
        ),
    )
    for heading, place, reason in places:
        if place.search(text) and any(map(heading.search, (*section, *above))):
            parts = [plain_text(part) for part in sentences(_MARKER.sub("", text))]
            if not any(_orders(part) for part in parts if not place.search(part)):
                return reason
    return ""


def starts_session(above: Iterable[str]) -> bool:
    """Return whether a heading or lead-in says that what is below it is done when a session starts."""
    return any(map(_STARTUP_HEADING.search, above))


_TOOL_ROWS: Final = frozenset({"openclaw-command", "openclaw-tool", "gateway", "sessions", "slash-command"})


def names_tool(reason: str) -> bool:
    """Return whether a reason is that a line names a tool, command or service of OpenClaw."""
    return any(row.reason == reason for row in RUNTIME_ONLY if row.name in _TOOL_ROWS)


OPENCLAW_FACT: Final = (
    "It describes OpenClaw's own command line, gateway or settings, which aren't there at run time."
)


def is_openclaw_heading(heading: str) -> bool:
    """Return whether a heading says that what is below it is about OpenClaw itself."""
    return bool(_OPENCLAW_HEADING.search(heading))


def is_model_heading(heading: str) -> bool:
    """Return whether a heading makes all below it a choice of models."""
    row = _governing_row(heading)
    return row is not None and row.name == "model-choice"


def _is_mostly_openclaw(fence: str) -> bool:
    """Return whether most lines of a fence, comments aside, speak of OpenClaw."""
    lines = [
        line
        for line in fence.splitlines()
        if line.strip() and not line.lstrip().startswith(("#", "//", *_FENCES))
    ]
    return 2 * sum(runtime_only_row(line) is not None for line in lines) > len(lines)


def _governing_row(line: str) -> RuntimeOnly | None:
    """Return the row of a heading or lead-in that makes all below it OpenClaw's own."""
    return next((row for row in RUNTIME_ONLY if row.name in _GOVERNING and row.pattern.search(line)), None)


def _ways(text: str) -> int:
    """Return in how many ways a text speaks of OpenClaw."""
    return sum(row.pattern.search(text) is not None for row in RUNTIME_ONLY)


def _orders(sentence: str) -> bool:
    return bool(_CONDITION.match(sentence)) or polarity_of(sentence) is not Polarity.DESCRIBES


@lru_cache(maxsize=256)  # a line is read whole and by its clauses
def runtime_only_row(text: str) -> RuntimeOnly | None:
    """Return the row that matches a text, or None."""
    return next((row for row in RUNTIME_ONLY if row.pattern.search(text)), None)
