"""What a line of a workspace says: the wordings and the forms that the tag rules of OpenClaw test.

Each name is one idea with its words in all languages; the tables in `tag_rules.py` say in which order they count.
"""

# ruff: noqa: E501 - a word list is easier to read in one piece

import re
from collections.abc import Callable
from typing import Final

from melleafy_tui.core.dialects.openclaw.fields import is_placeholder
from melleafy_tui.core.dialects.openclaw.runtime_only import runtime_only_row
from melleafy_tui.core.dialects.openclaw.stock_text import is_template_text
from melleafy_tui.core.dialects.tag_rules import (
    FORBIDDEN_SPEECH,
    LOOKS_IN_CHINESE,
    PROCEDURE,
    QUERY,
    RULE_HEADING,
    SAID,
    SPEECH_PROHIBITION,
    Wording,
    is_directive,
    lead_of,
    pattern,
)
from melleafy_tui.core.language.directives import has_condition, is_imperative, polarity_of
from melleafy_tui.core.language.scripts import HAN, KANA, has_any
from melleafy_tui.core.language.wording import first_sentence, sentences
from melleafy_tui.core.lazy_regex import LONGEST_READ, LazyRegex
from melleafy_tui.core.models.vocabulary import Polarity

ORDERS: Final = (Polarity.OBLIGES, Polarity.FORBIDS)
SENTENCE: Final = 6
"""An order about the person has at least so many words; shorter ones are labels and traits ("Read widely")."""

IF: Final = pattern(
    r"(?:^|[\s(,;:—–→-])(?:if|when|whenever|unless|otherwise|else|only (?:if|when|on))\b|如果|若|否则|否則|除非|只有|只在|除外|^[^，。,]{2,30}(?:时|時|后|後|前)[，,先再则則就立直保]|[^，。规準准原法通守](?:则|則)(?![一二三四五])|^\W*(?:失败|失敗)|(?<![及同当當实實定临臨小按随隨准準即平暂暫有何历歷耗超工限])(?:时|時)(?=[^间間刻候长長段区區代机機光事效钟鐘常\W])|的→|的 →|場合|たら|なければ|[あけせてねべめれえげ]れば|ならば|если\b|когда\b|иначе\b|\bsi\b(?! no)|\bcuando\b|\bquando\b|\bse\s(?=\w+[aeo]r\b)|\bwenn\b|\bfalls\b|\bsonst\b|\blorsque\b|\bquand\b"
)
"""Conditions of a check; "before" and "after" only order steps."""
LIMIT: Final = pattern(
    r"\bexactly \d|\bno more, no less\b|\b(?:at most|max(?:imum)?|no more than|only) (?:one|two|three|\d+)\b|\w\s*[<>≤≥]=?\s*\d|\b(?:one|once|two|twice|three|\d+)\b[^.;]{0,60}\b(?:max(?:imum)?|at most|tops)\W*$|最多|不超过|不超過|至多|以内|まで$|(?:超过|超過|低于|低於|高于|高於|大于|大於|小于|小於|达到|達到|不足|少于|少於)\s*\d|\d+\s?\S{0,3}以(?:上|下)(?:なら|の場合|で)"
)
ALERT_WHEN: Final = pattern(
    r"\b(?:when|if) to (?:alert|notify|escalate|speak|report|reach out|stay)|\b(?:alert|notify|escalate|report|warn|wake)\b[^.]{0,20}\b(?:if|when|on|for)\b|\bcuándo avisar|\bavisar (?:si|cuando)|何时(?:通知|提醒)|通知条件|通知條件|通知する(?:とき|場合)|когда (?:сообщать|писать)|\bwann melden"
)
CHECKING: Final = pattern(
    r"\b(?:check|checks|checking|monitor\w*|review|watch|scan|research|look|things to|brief|prep)\b|检查|檢查|監視|確認|チェック|\brevis\w+|\bverific\w+|\bprüf\w+|\bvérifi\w+|провер\w+"
)
CHECK_WHETHER: Final = pattern(
    r"^\W*(?:\d+\W+)?(?:then |also )?(?:check|see|look|verify|confirm|find out) (?:if|whether|that|for)\b(?!.*(?:[:;→]|\bif so\b))|^\W*(?:检查|檢查|查看|確認|确认)是否|^\W*(?:revisa|comprueba|verifica|verifique|cheque|prüfe|vérifie\w*|проверь) (?:si|se|ob|ли)\b"
)
VERIFIES: Final = pattern(
    r"(?:→|->|=>|:|^|\band\b)\s*(?:please\s+)?(?:verify|validate|confirm|make sure|ensure|test)\b|\b(?:is|are) (?:still )?(?:up|alive|reachable|running|healthy)\b|\bshould (?:all )?return\b|存活|是否(?:存在|正常|需要)|(?:^|[，,。；;：:→]|是否|を)\s*(?:再|先|並|并)?(?:確認|确认)"
)
COMMAND_FIRST: Final = pattern(
    r"^\W*(?:(?:run|execute|call|跑|執行|执行|運行|运行|実行|ejecut\w+|execut\w+|führe?|lance\w*|запус\w+)\s*)?`[^`]*(?:\s|\.(?:py|sh|js|ts|rb)\b)[^`]*`"
)
READS: Final = pattern(
    r"\bSELECT\b|\bcurl\b|\bwget\b|https?://|\b[\w-]+(?:\.[\w-]+)+\.(?:app|com|net|org|io|dev)\b|\bprint\(|\bGET\b|\bjq\b"
)
WRITES: Final = pattern(
    r"\bPOST\b|\bPUT\b|\bPATCH\b|\bDELETE\b|\bINSERT\b|\bUPDATE\b|>>|\bgit (?:commit|push)\b|--data\b|\s-d\s"
)
LINK_ONLY: Final = pattern(
    r"^\W*(?:full|more|further|see|details?|docs?|documentation|syntax|reference|manual|read more|详见|詳見|参见|參見|詳細|参照|ver|véase|siehe|voir|см\.?)\b[\w \t/&-]{0,30}[:：]?\s*(?:(?:in\s+)?(?:`[^`\s]+`|[\w./#-]+\.md\S*)(?:\s*(?:,|and|&|;|·|\|)\s*|\W*$)){1,4}$"
)
JSON_BODY: Final = pattern(r"\s*[\[{]")
PERSONA: Final = pattern(
    r"^you(?:['’]re| are) (?:[A-Z][\w-]* ?)?\W*(?:[—–-]|(?:an?|the|my|our)\b)|^your (?:name|role|persona) is\b|^你(?:是|的名字)|^あなたは|^(?:eres|você é|du bist|tu es)\b|^ты\s[—–-]"
)
FILING: Final = pattern(
    r"^[^.→]{3,120}(?:→|⇒|=>|->|➜|➡)\s*(?:\W*[\w~./-]+\.(?:md|jsonl?|ya?ml|txt|db|csv)\b|\W*`[^`]+`|[A-Z][\w ]{2,40}(?:section|queue|log|list|channel|file)?\W*(?:$|[|;]))"
)
WANTED_WORDS: Final = pattern(
    r"^\W*(?:\w+,?\s+){0,2}?(?:short|brief|concise|clear|direct|crisp|plain|honest|friendly|warm|terse|specific|actionable|decision-useful|structured|polite|professional)\b[\w ,-]{0,60}\b(?:summar(?:y|ies)|answers?|repl(?:y|ies)|updates?|reports?|messages?|language|tone|wording|feedback|explanations?|communication|drafts?|bullets?)\W*$"
)
STATES: Final = pattern(
    r"^\W*(?:you|we|it|they|he|she|this|that|these|the|an?|our|[A-Z`*][\w`*./-]*)(?:\s+[\w`*./()-]+){0,4}?\s+(?:is|are|was|were|has|have|owns?|runs?|lives?|reports?|contains?|means|equals|belongs?|counts?|holds?)\b"
    r"|^.{1,30}(?:是|有|为|為|位于|包含|属于|屬於)|^[^，。,]{1,20}(?:在 ?[`「“/]|由[^，。]{1,12}(?:负责|負責|维护|維護))|^[^，。,、]{1,15}は[^、。，]{1,20}$|(?:の担当|が担当|にある|にあります)\W*$|^.{1,30}(?:です|である|がある|とは)|^\W*[\w ]{1,30}\b(?:es|son|está|é|são|ist|sind|est|sont|hat|tiene|tem)\b"
    r"|^\W*you report to\b"
)
SHORT_FIELD: Final = pattern(
    r"^[^\s.!?:：`][^.!?:：`]{0,40}[:：]\s*(?![a-z]+s (?:at|to|the|an?|for|from|in|on|with)\b)(?!.*(?:\b(?:use|run|always|never|must|should|when|if|is|are)\b))(?:\S+\s+){0,15}\S+\s*$"
)
ABOUT_TOOL: Final = pattern(
    r"\b(?:is|are|was|were|isn['’]t|aren['’]t) (?:not )?(?:\w+ ){0,2}?(?:supported|available|required|needed|installed|used|allowed|limited|broken|deprecated|preferred|in the|on the|at the)\b|\b(?:supports?|returns?|requires?|updates?|creates?|prints?|handles?|syncs?|converts?|accepts?|reuses?|writes?|reads?|sends?|lists?)\s+(?:the|an?|all|any|existing|its|each|every|live)\b"
)
ADDRESSES_AGENT: Final = pattern(
    r"\b(?:tell|give|show|explain to|address|call|answer|remind|challenge|correct) me\b|\bpush back\b|\b(?:dime|explícame|háblame|respóndeme|no me des|me diga|me explique|sag mir|erklär mir|dis-moi|explique-moi)\b|告诉我|告訴我|叫我|教えて|скажи мне|объясни мне|обращайся"
)
OUTCOME: Final = pattern(
    r"^\W*(?:normal|abnormal|ok(?:ay)?|healthy|unhealthy|fail(?:ed|ure)?|anomal(?:y|ies|ous)|if (?:yes|no|so|not)|yes|no|正常|异常|異常|成功|失败|失敗|是|否|有|没有|沒有|sí|sim|não|ja|nein|oui|non|да|нет|норма)\W{0,3}(?:[:：]|→|->|=>)|^\W*(?:没有|沒有|无(?!论)|無(?!論)|nothing|none|no (?:new|issues?|changes?|alerts?))[^→：:]{0,24}(?:→|->|=>)"
)
"""What a check found, with what follows from it."""
MINOR_IF: Final = pattern(
    r"\((?:if|when) [^()]{1,40}\)|\b(?:if|when|as) (?:(?:it|they|one) exists?|needed|necessary|applicable|appropriate|possible|available|any|present|required)\b|（(?:如|若)[^（）]{1,20}）|必要なら|si (?:existe|aplica|procede)"
)
"""Conditions that don't turn a step into a decision ("if it exists", "(if applicable)")."""
NEGATED_ORDER: Final = pattern(r"^\W*(?:do not|don['’]t|never|不要|别|別|不得|禁止)\s?\w")
HOURS_FIRST: Final = pattern(
    r"^\W*\d{1,2}[:：]\d\d\s*(?:[-–—~～]|至|到|to)\s*\d{1,2}[:：]\d\d\W*(?:不|no |only|quiet|silent|静|靜|安静|skip|stay)"
)
LABEL_ALONE: Final = LazyRegex(r"\W*[^\s，,。.!?:：][^，,。.!?:：]{0,24}[:：]\W*$")
OPENING_LABEL: Final = LazyRegex(r"^\W*[^\s，,。.!?:：]{1,14}[:：]\s*")
TIME_COLUMN: Final = pattern(
    r"\b(?:cadence|frequency|schedule|interval|every|cron|when|times?)\b|频率|頻率|周期|週期|时间|時間|间隔|間隔|頻度|間隔|タイミング|\b(?:frecuencia|frequência|hora|fréquence|häufigkeit|uhrzeit)\b|частота|время"
)
"""Names of columns that say when a job runs."""
STATUS_HEADING: Final = pattern(
    r"^\W*(?:(?:current |last |latest )?(?:status|state)|当前状态|當前狀態|运行状态|状态|狀態|現在の状態|estado(?: actual)?|aktueller stand|état|статус)\W*$|^\W*(?:completed|done|finished|change ?log|history|log|已完成|完成(?:记录|記錄)|更新(?:记录|記錄|日志|日誌)|变更(?:记录|日志)|历史(?:记录)?|歷史|執行記錄|执行记录|完了|履歴|変更履歴|completado|concluído|erledigt|terminé|выполнено)\W*$"
)
"""Headings over what was the case when the file was written."""
UPKEEP: Final = pattern(
    r"^([_*])(?![_*])[^\n]{0,160}(?:\bupdate this\b|\badd to this\b|\bto be filled in\b|持续更新|持續更新|随时更新|不断更新|更新していく|随時更新|\bactual[ií]za(?:lo|r)?\b|\batualize\b|\baktualisier\w+|\bmets à jour\b|обновляй)[^\n]{0,80}\1$"
)
"""A paragraph in italics about the upkeep of the file, in the place of its stock line."""
KEEP_FILE: Final = pattern(
    r"^\W*(?:keep|mantén|mantenga|mantenha|garde[rz]?|halte|держи\w*)\s(?:this|este|ce|diese?|этот)\s(?:file|document|archivo|arquivo|documento|fichier|datei|dokument|файл)\b[^.。]{0,60}\b(?:short|small|brief|lean|empty|current|breve|cort[oa]|court|kurz|klein|коротк\w+)"
    r"|^\W*(?:请)?保持(?:本|此|这个|這個)(?:文件|檔案|文档)[^。]{0,6}(?:简短|簡短|精简|简洁|小)|^\W*このファイルは[^。]{0,10}(?:短く|小さく)|[。.]\s*(?:这是|這是)(?:你|您)的[^。]{0,12}(?:速查表|备忘单|小抄)|^\W*this is your cheat ?sheet\b"
)
"""Sentences about the upkeep or the purpose of the file itself."""
CASE_LEAD_IN: Final = pattern(
    r"^\W*(?:only|never|skip|ignore|auto-?\w+|do not|don['’]t)\b[^.]{0,40}[:：]?\W*$|[(（](?:no|not|never|don['’]t|without) \w[^()]{0,30}[)）]\W*$|^\W*(?:只|仅|僅|忽略|跳过|不要|无需)[^。]{0,16}[:：]?\W*$|(?:のみ|だけ|無視|しない)\W*$"
    r"|^\W*(?:solo|sólo|apenas|só|nur|seulement|uniquement|только|ignorar|ignorieren|ignorer|игнорировать)\b[^.]{0,40}[:：]?\W*$"
)
"""Lead-ins whose items are the cases that alone count, or don't."""
DATED_LOG: Final = pattern(
    r"^(?=[^\n]*\b20\d\d\s?[-/.年]\s?\d)(?=[^\n]*(?:\b(?:progress|done|completed|finished|status|findings?|log(?! (?:size|file|monitor|rotat|check|clean))|recap|results?|summary of)\b|[进進]展|完成|状态|狀態|记录|記錄|发现|收尾|事件|履歴|現状|完了|"
    r"\b(?:hecho|completado|progreso|concluído|erledigt|fortschritt|terminé|avancement)|завершен|выполнен|завершено|виконано|прогресс))|^\W*[✅✔☑](?=[^\n]*\b20\d\d)|^\W*(?:[01]?\d|2[0-3]):[0-5]\d\s*(?:最[终終])?(?:更新|updates?\b)"
)
"""Headings over a dated entry of a log."""
DATE_FIRST: Final = LazyRegex(r"^\W*20\d\d-\d\d-\d\d\W*")
LOGGED: Final = pattern(
    r"^\W*20\d\d-\d\d-\d\d\b(?!T)[^\n]*(?:[✅❌☑✔]|已|修复|修復|完成|失败|失敗|\b(?:done|sent|fixed|failed|finished|completed|resolved|skipped|delivered)\b|送信済|完了|enviad[oa]|hecho|concluíd[oa]|erledigt|gesendet|envoyé|terminé|отправлен|готово|сделано)"
    r"|^[^\w\n]*[✅❌☑✔⚠][^\w\n]*20\d\d-\d\d-\d\d\b(?!T)"
)
"""What was done on a day: an entry of a log, whatever it says."""
OUTPUT_FORM: Final = pattern(
    r"^\W*(?:output|report|reply|response|answer|message|summary)[ -]?(?:format|style|template|form|rules?)\b|^\W*(?:输出|輸出|报告|報告|汇报|回复|消息)(?:格式|要求|规范|規範)|出力(?:形式|フォーマット)|報告形式|\bformato de (?:salida|respuesta|saída|resposta)|ausgabeformat|format de (?:sortie|réponse)|формат (?:ответа|отчёта|отчета|вывода)|^\W*(?:(?:standard|expected) output|saída padrão|salida estándar|output esperado|输出内容|輸出內容)"
)
OUTSIDE_HOURS: Final = pattern(
    r"\boutside (?:these|those|active|working|the) hours\b|\bHEARTBEAT_OK\b|静默时段|安静时段|靜默時段"
)
SECOND_ORDER: Final = pattern(
    r"\b(?:and|then) (?:update|write|add|fix|move|save|record|report|send|file|log|delete|prune)\b|→|->"
)
"""What makes a look-up one part of a longer order."""
SCOPE_HEADING: Final = pattern(
    r"^\W*(?:what (?:you|i) (?:actually )?(?:build|do|own|handle|know|offer|cover|manage)|capabilities|(?:core )?(?:responsibilities|competenc(?:ies|es))|(?:your|my|primary|key|main) (?:team|scope|role|domain|responsibilities|duties)|scope|expertise|strengths|specialt(?:y|ies)|(?:主要|核心|工作)?(?:职责|職責|能力|任务|任務)(?:范围|範圍)?|擅长|専門|担当|역할|핵심 임무|capacidades|(?:principais )?responsabilidades|aufgabenbereich|compétences|обязанности)\W*$"
)
"""Headings over lists of what the agent is for."""
OPTION_LEAD_IN: Final = pattern(
    r"(?:触发|觸發|按这个|按這個|按此|追问|追問|执行|執行|処理|対応|\brespond|\breply|\bact|\btrigger)"
)
RULE_TABLE: Final = pattern(
    r"\b(?:rules?|routing|routes?|algorithms?|switching|decision(?:s| tree| matrix)?|escalations?|triage|hand-?offs?|troubleshooting)\b|\bgo(?:es)? where\b|\bwhere\b.{0,40}\bgoes?\b|[往放存]哪|トラブルシューティング|故障排|规则|規則|路由|算法|演算法|切换|切換|升级|升級|分流|分派|ルール|振り分け|アルゴリズム|\b(?:reglas|regras|règles|regeln)\b|правила|алгоритм"
)
"""Headings over a table whose rows say what to do in which case."""
CHECK_COLUMN: Final = pattern(
    r"\bchecks?\b|\bcriteri\w+\b|检查|檢查|验证|驗證|判断标准|判斷標準|チェック|確認項目|\b(?:comprobaci\w+|verifica\w+|prüf\w+|vérifi\w+)\b|провер"
)
"""Names of columns that say what is checked."""
RULES_ABOVE: Final = pattern(
    r"\b(?:rules?|guidelines?|limits?|boundaries|constraints?|guardrails?|polic(?:y|ies)|best practices)\W*$|(?:最佳实践|最佳實踐|安全机制|安全機制|规则|規則|规范|規範|规定|規定|要求|须知|須知|约定|約定|原则|原則|守则|限制|约束|注意事项|ルール|制約)\W*$|\b(?:reglas|límites|regras|limites|règles|regeln|grenzen)\W*$|(?:правила|ограничения)\W*$"
)
"""Headings and lead-ins that end in a word for rules."""
OPENS_AND_VERIFIES: Final = pattern(
    r"^\W*(?:open|visit|load|connect|call|ping|curl|fetch|log ?in)\b.{1,80}\band (?:verify|check|confirm|make sure|ensure)\b"
)
FAILED: Final = pattern(
    r"^[^→\n]{2,80}(?:失败|失敗|报错|報錯|异常|異常|不确定|不確定|非 ?200|エラー|\bfails?\b|\bfailed\b|\berrors?\b|\bunsure\b|\bstuck\b|\btime-?out\b|\bno response\b|\bfalla\b|\berreur\b|\bfehler\b|ошибк\w+)[^→\n]{0,40}(?:→|->|=>)"
)
"""A failure with what follows from it."""
STATUS_HEADER: Final = pattern(r"^\W*(?:status|state|状态|狀態|ステータス|estado|статус)\W*$")
STATUSES: Final = pattern(
    r"^\W*(?:status|state|状态|狀態|ステータス)\b[^:：—–]{0,20}[:：—–]\s*[^/|\n]{2,24}[/|][^/|\n]{2,24}[/|]"
)
"""The first column of a table of statuses, and a label before several to choose from."""
TOOL_STATUS: Final = pattern(
    r"^\W*(?:status|state|状态|狀態|ステータス|estado|statut|zustand|статус)\W{0,3}[:：]"
)
JOBS: Final = pattern(
    r"\bcron\b|\bscheduled (?:jobs|tasks)\b|排程|定时任务|定時任務|计划任务|定期実行|スケジュール|\btareas programadas|\btarefas agendadas|\bgeplante|расписани"
)
"""Headings over jobs that something else starts."""
DATA_FILE: Final = pattern(
    r"^[`\"(]?[\w./~*<>-]+\.(?:env|jsonl?|ya?ml|toml|csv|txt|key|pem|md)[`\")]?\s*(?:[:：(—–=-]|→|->|$)"
)
MODEL_FIELD: Final = pattern(
    r"^\W*(?:fallbacks?|(?:primary|default|premium|cheap|backup|fast)(?: \w+)?|models?|模型|モデル|modelo|modell|modèle|модель)\b[^:：=\n]{0,30}[:：=→]\W{0,4}(?:gpt|o\d|claude|opus|sonnet|haiku|gemini|kimi|qwen|deepseek|llama|grok|minimax|glm|mistral)\b"
)
"""A model under the name of its place."""
NUMBER: Final = pattern(r"\d[\d.,]*")
VERB: Final = pattern(r"\b(?:is|are|can|does|has|was|will|must|should)\b")
_FEWEST_FIGURES: Final = 3
_LONGEST_FIGURES: Final = 160
RULE_LABEL: Final = pattern(
    r"^\W*(?:(?:hard )?rules?|policy|important|warning|caution|never|always|规则|規則|原则|重要|ルール|regla|norma|regra|règle|regel|wichtig|правило|важно)\W{0,4}[:：]"
)
WANTED_REPLY: Final = pattern(
    r"(?:中文|英文|日文|简体|繁体|繁體|母语)(?:交流|沟通|溝通|对话|回复|回覆|回答)|^\W*(?:回复|回覆|回答|说话|沟通)?(?:要|尽量)?(?:简洁|簡潔|简短|精简|直接)(?:回复|回答|明了|一点|点)?\W*$|(?:简洁|簡潔|简短)(?:地)?(?:回复|回覆|回答)|说人话|說人話|直接说结论|(?:结论|結論)(?:先行|在前|前置)|先(?:说|給|给|講|讲)(?:结论|結論|重点|重點)|結論から|日本語で(?:返|答|話)|(?:箇条書き|簡潔|短く|手短)(?:に|で)?|敬語(?:で|は不要)|^\W*(?:preferred )?(?:tone|reply style|answer style|语气|語氣|口调|口調|tono|ton|тон)\W{0,4}[:：]"
)
"""How the person wants to be answered, said as a note."""
CHECK_QUESTION: Final = pattern(r"[?？]\W*$|(?:ある|いる|ない|済み|です|ます)か\W*$|[吗嗎]\W*$")
CONDITION_FIRST: Final = pattern(
    r"^\W*(?:if|when(?:ever)?|unless|如果|若|如(?=失败|失敗|有|无|無|需|遇|未|仍|不|为空|超)|一旦|假如|只要|除非|当[^。，,]{1,40}[时時]|當[^。，,]{1,40}[时時]|もし|si\s|cuando\b|quando\b|se o\b|se a\b|wenn\b|falls\b|lorsque\b|quand\b|если\b|когда\b)"
)
BARRED: Final = pattern(
    r"(?:^|[;,:.]\s*)(?:no|not|never|nothing but|only)\s+[^.;]{0,60}\b(?:trades?|transfers?|actions?|purchases?|payments?|orders?|posts?|messages?|emails?|calls?|push(?:es)?|deploys?|commits?|deletes?|changes?)\b"
)


CASES: Final = pattern(
    r"\b(?:triggers?|conditions?|when|if|cases?|situations?|scenarios?|signals?|signs|symptoms|criteria|heuristics?|questions?|decisions?)\b|条件|條件|场景|場景|情况|情況|时机|時機|触发|觸發|信号|場合|とき|ケース|判断|標準|标准|\b(?:cuando|quando|casos?|condiciones|criterios?|wenn|fälle|bedingungen|quand|cas|conditions)\b|\b(?:когда|случа\w+|услови\w+)\b"
)
"""Headings and lead-ins over cases."""
RESTRICTION: Final = pattern(
    r"\bonly (?:in|on|by|for|via|from|through|with|after)\b|\b(?:exclusively|solely|preferred)\b|只在|仅在|僅在|只由|仅限|僅限|只限|专属|專屬|のみ\W*$|だけ\W*$|に限る"
)
ORDER_LABEL: Final = pattern(
    r"^\W*(?:\w+ly )?(?:load|read|use|run|check|avoid|skip|keep|ask|do|don['’]t|never|always|include|exclude|prefer|require[sd]?|allow(?:ed)?|forbidden|must)\b[^:：]{0,30}[:：]|^\W*(?:禁止|允许|允許|必须|必須|优先|優先|避免|使用|读取|讀取)[^:：]{0,12}[:：]"
)
LABEL_VALUE: Final = pattern(r"^\W{0,4}[^:：=—–.!?。]{1,45}\W{0,3}(?:[:：=]|\s[—–-])\s*\S")
_BARE: Final = 6
"""Most words of an item that names a thing."""


def is_bare(text: str) -> bool:
    """Return whether a text is a few Latin words without any mark."""
    words = _MARK.sub("", text)
    return words.isascii() and len(words.split()) <= _BARE


_MARK: Final = re.compile(r"^[^\w`]+")
SHELLS: Final = frozenset(
    {"bash", "sh", "shell", "zsh", "console", "powershell", "ps1", "python", "py", "cmd", "sql"}
)
FORM_OF_ANSWER: Final = pattern(
    r"\b(?:format|template|layout|structure|form|skeleton)\b|格式|模板|範本|模版|フォーマット|テンプレート|書式|\b(?:formato|plantilla|modelo|vorlage|modèle)\b|формат|шаблон"
)
"""Headings and lead-ins over the form of an answer or a report."""


GOVERNS: Final = pattern(
    r"^(?!\W*(?:why|为什么|為什麼|なぜ|por qu|warum|pourquoi|почему)).*(?:\b(?:not|never|always|only|must|should|shall|requires?|required|needs?|allowed|forbidden|mandatory|escalat\w+|approvals?|confirmation|avoid|exclude[ds]?|skip|ignore)\b|n['’]t\b|不(?!同)|[禁只仅僅必须須勿]|需要|避免|しない|のみ|べき"
    r"|\b(?:sempre|siempre|nunca|jamais|não|precisa\w*|debe\w*|deve\w*|requier\w+|requer\w*|s[oó]lo|só|apenas|evita\w*|evite|escal\w+|toujours|nie|niemals|immer|nur|nicht|kein\w*|muss)\b|никогда|всегда|только|нельзя|\bне\b|нужн|должн)"
)
"""Headings and lead-ins that say what must, may or must not be: what stands below them is a rule."""


GOES_HERE: Final = pattern(
    r"\b(?:what (?:goes|belongs)|keep|put|capture|record|add|store|things to (?:capture|record|remember)|useful things to \w+) here\b|\buse this file (?:for|to)\b|^\W*things like\W*$|\bwhat to (?:capture|record) here\b"
    r"|(?:这里|這裡|此处|此文件)(?:放|记|記|用于|用來|存放|适合)|放这里|记录什么|ここに(?:書|記録|置)|\bqué va aquí|\bo que vai aqui|\bwas hierher gehört|\bce qui va ici|что (?:здесь|сюда)"
)
"""Headings and lead-ins over what a file is for."""
PURPOSE_COLUMN: Final = pattern(
    r"\b(?:purpose|use(?: for)?|what(?: it does)?|description|does|function|when to use)\b|用途|说明|說明|描述|功能|作用|目的|機能|説明|\b(?:propósito|descripción|uso|descrição|zweck|beschreibung|rôle)\b|назначение|описание"
)
"""Names of columns that say what something is for."""
HINT_LABEL: Final = pattern(
    r"^\W*(?:alternative|alternatively|instead|workaround|tip|hint|best practice|important)\b\W*[:：—–-]\W*"
)
CHOOSES: Final = pattern(
    r"\b(?:instead|rather than|only|over|alternative(?:ly)?|prefer\w*)\b|代替|而不是|优先|優先|代わりに|のみ|\ben (?:lugar|vez) de\b|\bem vez de\b|\bstatt\b|\bau lieu d|\bвместо\b"
)
NO_ORDER: Final = pattern(
    r"^\W*(?:`|[\w-]+/|(?!(?:alternative|instead|workaround|tip|hint|best practice|important)\b)(?:\S+\s){0,3}\S+[:：])"
)
"""Starts of a line that is a command, a pair of words, or a label with its value."""
VALUE_COLUMN: Final = pattern(
    r"\b(?:value|amount|current|limit|quota|meaning|price|cost|default|time|day)\b|值|含义|含義|额度|額度|价格|價格|费用|比例|时间|時間|意味|金額|\b(?:valor|precio|preço|wert|preis|valeur|prix)\b|значение|цена"
)
TOOL_COLUMN: Final = pattern(
    r"\b(?:tools?|commands?|skills?|scripts?|apis?|functions?|endpoints?|servers?|apps?|cli|usage|purpose|what it does|description)\b|工具|命令|技能|脚本|腳本|接口|用途|说明|說明|ツール|コマンド|\b(?:herramientas?|comandos?|ferramentas?|werkzeuge?|befehle?|outils?|commandes?)\b|инструмент|команда"
)
"""Names of columns that show whether a table is of values or of tools."""
DUTY: Final = pattern(
    r"\b(?:should|must|need(?:s)? to|has to|have to)\b(?! (?:be )?(?:set|installed|configured|running|enabled|available)\b)(?: \w+){0,2}? \w{3,}|\b(?:debe[ns]?|hay que|deve[m]?|muss|müssen|sollte[n]?|doi(?:t|vent)|il faut)\b|(?:应该|應該|必须|必須|需要先|务必)|(?:べき|必要があ)|(?:нужно|следует|должн)"
)
"""Words for a duty in a sentence that isn't an order by its form."""
_CODE: Final = LazyRegex(r"`[^`]*`|https?://\S+|\S*[/\\]\S+")
_FEWEST_WORDS: Final = 7


def is_sentence(wording: Wording) -> bool:
    """Return whether a text about a command has a sentence's words beside it, and isn't a label with a value."""
    text = _CODE.sub("", wording.segment.text[:LONGEST_READ])
    return not LABEL_VALUE.match(wording.text) and (
        len(text.split()) >= _FEWEST_WORDS or (not text.isascii() and len(text) > 4 * _FEWEST_WORDS)
    )


def is_command_fence(wording: Wording) -> bool:
    """Return whether a segment is a fence of commands, by its language or by most of its lines."""
    if wording.segment.kind != "fence":
        return False
    if wording.segment.info.split(" ")[0].casefold() in SHELLS:
        return True
    lines = [
        line
        for line in wording.segment.lines
        if line.strip() and not line.lstrip().startswith(("```", "~~~", "#"))
    ]
    return bool(lines) and 2 * sum(bool(COMMAND_LINE.match(line)) for line in lines) > len(lines)


COMMAND_LINE: Final = pattern(
    r"\s*(?:\$ |(?:sudo )?(?:curl|ssh|scp|npx|npm|pnpm|yarn|uvx?|pip3?|python3?|node|bash|sh|docker|kubectl|git|gh|brew|apt|systemctl|cat|ls|cd|cp|mv|rm|mkdir|grep|tail|find|echo|export|openclaw|sqlite3|psql|jq|ffmpeg|make|\./[\w./-]+)\s)"
)


def under(pattern: LazyRegex) -> Callable[[Wording], bool]:
    """Return a test of the heading or lead-in above a segment."""
    return lambda wording: any(
        pattern.search(line)
        for line in (wording.heading, wording.segment.lead_in, wording.segment.parent)
        if line
    )


def is_form_fence(wording: Wording) -> bool:
    """Return whether a fence shows the form of an answer, by what stands above it."""
    return wording.segment.kind == "fence" and under(FORM_OF_ANSWER)(wording)


def is_form_line(wording: Wording) -> bool:
    """Return whether a line is part of the form of an answer: a label with a blank or its values."""
    segment = wording.segment
    if segment.kind not in ("item", "paragraph") or wording.own_polarity is Polarity.FORBIDS:
        return False
    return any(FORM_OF_ANSWER.search(heading) for heading in segment.section) and (
        is_placeholder(segment.text) or bool(FORM_LINE.match(wording.text))
    )


FORM_LINE: Final = pattern(
    r"^[^.!?:：]{1,40}[:：]\W{0,4}(?:<[^<>]{1,60}>|\[[^\[\]]{1,60}\](?!\()|\{[^{}]{1,60}\}|[^/|.:]{1,40}(?: [/|] [^/|.:]{1,40}){1,8}\W*$)"
)
"""A label with a placeholder or with the values that it takes."""

LABELLED_ORDER: Final = pattern(
    r"^[^.!?:：]{1,40}[:：]\W*(?:always|never|must|do not|don['’]t|siempre|nunca|no (?=\w+[aei]r\b)|sempre|toujours|jamais|immer|nie|niemals|必须|必須|务必|不要|禁止|必ず|всегда|никогда)\b"
)
HELPING: Final = pattern(
    r"\b(?:how to|help(?:ing)?|work(?:ing)? with|expect(?:s|ations)?|rules?|do(?:n['’]ts?|s)|guidelines?|instructions?|boundaries|approvals?)\b|规则|規則|要求|协作|協作|注意|ルール|接し方|\b(?:reglas|cómo|instrucciones|regras|como|regeln|règles)\b|правила|как "
)
"""Headings over what the person wants done."""
LABELLED: Final = pattern(r"^[^.!?:：]{1,40}[:：]")
PAST: Final = pattern(r"^\W*(?:set|put|read|cut|let|run|split|spread|quit|hit|cost|see)\b")
"""Verbs that look like an order and are a past form or a link ("Set up a server last year", "See the plan")."""


DISLIKES: Final = pattern(
    r"^\W*(?:[^.!?:：]{1,40}[:：]\s*)?(?:(?:he|she|they)\s+)?(?:does(?:n['’]t| not)|is(?:n['’]t| not)|can(?:['’]t|not)|hates?|dislikes?)\b|^\W*(?:[^.!?:：]{1,40}[:：]\s*)?(?:不喜欢|不喜歡|讨厌|討厭|不爱|不愛|não (?:gosta|lembra|sabe|quer|tem)|no (?:le )?(?:gusta|sabe|quiere|tiene)|nunca (?:configurou|usou|ha|hizo)|mag (?:keine?|nicht)|n['’]aime|не (?:любит|хочет|знает|умеет))"
)
"""What the person doesn't do, know or like, which forbids nothing."""
GOALS: Final = pattern(
    r"\b(?:goals?|objectives?|interests?|aspirations?|mission|dreams?|hobbies|ambitions?)\b|目标|目標|梦想|夢想|兴趣|興趣|愿望|\b(?:objetivos?|metas?|intereses|sonhos?|ziele|interessen|objectifs)\b|цели|интересы"
)
"""Headings over what the person wants for themselves."""
DEFINITION: Final = pattern(r"^\W*[\w`./ -]{1,25}\s=\s[^.!?。]{1,80}\W*$")
NAMED_PART: Final = pattern(r"^[^.!?:：—–]{1,40}\s[—–-]\s")
SHORT_NAME: Final = pattern(r"^\W*(?:[\w'’/&]+\s){1,3}[—–-]\s")
"""A name with what it stands for after a dash ("Call notes — turn raw notes into summaries")."""
MANNER_LEAD_IN: Final = pattern(
    r"^\W*(?:be|sound|stay|speak|write|talk|communicate|sé|sei|sois)\W*$|\b(?:should|must) (?:be|sound|feel|read)\W*$|\b(?:tone|style|voice|replies|answers|reviews|messages|reports|updates)\b[^.]{0,30}\b(?:is|are|be)\W*$|语气[^。]{0,6}[:：]?$|口調は\W*$"
)
"""Lead-ins that a trait completes."""
MANNER_HEADING: Final = pattern(
    r"\b(?:tone|voice|style|wording|phrasing|writing|communication)\b|语气|語氣|文风|文風|(?:语言|語言|沟通|溝通|回复|回覆|说话|說話|交流|对话|對話|表达|表達|写作|寫作)(?:风格|風格|方式|习惯|習慣|要求)?\W*$|口調|話し方|文体|コミュニケーション|\b(?:tono|estilo|tom|ton|stil)\b|\bтон\b|стиль"
)
_TRAIT: Final = 5
"""Most words of a trait."""


def is_manner(wording: Wording) -> bool:
    """Return whether an item is a trait, rather than a sentence, under words for how the agent speaks or writes."""
    if wording.segment.kind != "item" or wording.own_polarity is not Polarity.DESCRIBES:
        return False
    is_short = len(wording.text.split()) <= _TRAIT and len(wording.text) <= 10 * _TRAIT
    above = wording.segment.lead_in
    return is_short and (
        bool(MANNER_LEAD_IN.search(above)) or (not above and bool(MANNER_HEADING.search(wording.heading)))
    )


def is_stock_prose(wording: Wording) -> bool:
    """Return whether a stock paragraph orders nothing, or describes OpenClaw before it orders something there."""
    full = "\n".join(wording.segment.lines)
    if wording.own_polarity is not Polarity.DESCRIBES and not (
        polarity_of(first_sentence(wording.text)) is Polarity.DESCRIBES and runtime_only_row(full)
    ):
        return False
    return is_template_text(full)


def speaks(wording: Wording) -> bool:
    """Return whether a line forbids the agent to say something."""
    return (is_directive(wording) and bool(SPEECH_PROHIBITION.search(_first_order(wording)))) or (
        wording.polarity is Polarity.FORBIDS
        and bool(re.match(SAID, wording.text, re.IGNORECASE) or FORBIDDEN_SPEECH.search(wording.text))
    )


def _first_order(wording: Wording) -> str:
    """Return the first sentence of its own that orders; with it the lead-in, where no sentence does."""
    own = sentences(wording.text)
    if len(own) < 2:
        return wording.statement
    return next((text for text in own if polarity_of(text) is not Polarity.DESCRIBES), wording.statement)


_LATER_PROHIBITION: Final = pattern(
    r"[，,；;—–]\s*(?:不要|别(?!人)|別(?!人)|禁止|切勿|请勿|勿|不得|(?:but )?(?:do(?:es)? not|don['’]t|doesn['’]t|never)\b)"
)


def forbids_too(wording: Wording) -> bool:
    """Return whether a text of several sentences or clauses forbids something in a later one."""
    if wording.segment.kind not in ("item", "paragraph"):
        return False
    return bool(_LATER_PROHIBITION.search(wording.text)) or any(
        polarity_of(text) is Polarity.FORBIDS for text in sentences(wording.text)[1:4]
    )


def under_scope(wording: Wording) -> bool:
    """Return whether a heading or lead-in names what the agent is for; a heading above it may, unless its own says more."""
    above = lead_of(wording.segment) or wording.heading
    if SCOPE_HEADING.search(above) or SCOPE_HEADING.search(wording.heading):
        return True
    says_more = wording.segment.ordered or PROCEDURE.search(above) or RULE_HEADING.search(above)
    return not says_more and any(map(SCOPE_HEADING.search, wording.segment.section[-2:-1]))


def orders_first(wording: Wording) -> bool:
    """Return whether the first sentence of a text orders or forbids."""
    return polarity_of(next(iter(sentences(wording.text)), "")) in (Polarity.OBLIGES, Polarity.FORBIDS)


def condition(wording: Wording) -> bool:
    """Return whether a line orders under a condition, its own or that of its lead-in."""
    from_lead_in = "conditions" in wording.lead_in or "trigger" in wording.lead_in
    return (from_lead_in or has_condition(wording.text)) and (is_directive(wording) or from_lead_in)


_ARROW: Final = LazyRegex(r"(?<!\s)\s*+(?:→|⇒|=>|->|➜|➡)\s*")


def is_case(wording: Wording) -> bool:
    """Return whether an item says what is the case, and after an arrow what to do."""
    if (
        wording.segment.kind != "item"
        or wording.segment.ordered
        or wording.segment.text.lstrip("*_ ").startswith("`")
    ):
        return False
    case, *orders = _ARROW.split(wording.text)
    return bool(orders) and polarity_of(case) is Polarity.DESCRIBES and polarity_of(orders[0]) in ORDERS


def is_figures(text: str) -> bool:
    """Return whether a line has figures and names, and no verb."""
    return (
        len(text) <= _LONGEST_FIGURES
        and sum(1 for _ in NUMBER.finditer(text)) >= _FEWEST_FIGURES
        and not VERB.search(text)
    )


def decides(text: str) -> bool:
    """Return whether a check decides: its first sentence has a condition, or a later one and the first orders nothing."""
    rest = MINOR_IF.sub("", text)
    first = first_sentence(rest)
    if IF.search(first) or LIMIT.search(first):
        return True
    return not is_imperative(first) and bool(IF.search(rest) or LIMIT.search(rest))


RESTRICTS: Final = pattern(
    r"^\W*only\b|\b(?:must|always)\b|[,:;]\s*only\s+\w+|必须|必須|务必|務必|一定要|一律|必ず|\b(?:siempre|sempre|toujours|immer)\b|всегда"
)
"""Words that bound an order."""
_BOUND: Final = 160
"""Characters of a text in which they are looked for."""


def restricts(wording: Wording) -> bool:
    """Return whether an order restricts rather than asks for work."""
    return wording.own_polarity is Polarity.OBLIGES and bool(RESTRICTS.search(wording.text[:_BOUND]))


def looks_up(text: str) -> bool:
    """Return whether a text orders to look something up; in Chinese a clause must have it as its verb."""
    if not QUERY.search(text):
        return False
    is_chinese = has_any(text, HAN) and not has_any(text, KANA)
    return not is_chinese or bool(LOOKS_IN_CHINESE.search(text))
