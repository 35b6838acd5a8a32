"""The wording that the tag rules look for, as patterns: English first, then the other languages of field-notes.md."""

# ruff: noqa: E501 - a word list is easier to read in one piece

import re
from typing import Final

from melleafy_tui.core.english import SPEECH_NOUNS
from melleafy_tui.core.lazy_regex import LazyRegex


def pattern(text: str) -> LazyRegex:
    """Return a pattern of the table, which ignores case."""
    return LazyRegex(text, re.IGNORECASE)


SAID: Final = r"(?:say|mention|apologi[sz]e|promise|greet|reply|respond|answer|speak|write in|talk|sound|lecture|flatter|swear|joke|praise)"
OUTPUT_LIMIT: Final = pattern(
    rf"\b(?:keep|make|limit|cap|hold|write|format|phrase|word|start|begin|end|open|close|sign)\b[^.]{{0,60}}\b(?:{SPEECH_NOUNS})\b"
    r"|\b(?:under|at most|no more than|not more than|max(?:imum)?(?: of)?|fewer than|less than|within|up to|at least|exactly|no longer than|limit(?:ed)? to)"
    r"\s+(?:\d+\s*|(?:one|two|three|four|five|six|seven|eight|nine|ten)\s+)(?:words?|sentences?|characters?|chars|lines?|bullets?|paragraphs?|emojis?|questions?)\b"
    r"|\b(?:reply|respond|answer|write|speak|communicate|talk)\s+(?:only\s+|always\s+|back\s+)?(?:in|with)\s+\S"
    r"|\b(?:start|begin|open|end|close|finish)\s+(?:\w+\s+){0,3}?with\s+[\"“'‘`]|\bkeep (?:it|them|these|those) (?:short|brief|concise|simple|polite|friendly|formal|under|below)\b|\b(?:be|stay|sound)\s+(?:concise|brief|short|polite|direct|terse|warm|friendly|clear|formal|informal|succinct|kind)\b"
    r"|\b(?:no|avoid|without|skip|drop|use|prefer)\s+(?:\w+\s+){0,3}?(?:emojis?|jargon|filler|small talk|preambles?|exclamation marks?|markdown|tables?|headings?"
    r"|bullet points?|bullets|spelling|grammar|punctuation|plain text|code blocks?|disclaimers?|apologies|pleasantries|corporate speak|slang)\b"
    r"|\b(?:in|use) (?:this|the following) (?:form|format|shape|template|layout)\b|\b(?:tone|voice|style|language)\s*(?:is|:|should|must)|字数|用中文|用英文|语气|語氣|表情符号|简洁|簡潔|简短|回复(?:时|要|必须|中)|不超过.{0,6}字|日本語で|敬語|絵文字|отвечай на|кратко|язык ответа|\bresponde en|en español|\bresponda em"
)
SPEECH_PROHIBITION: Final = pattern(
    rf"\b(?:never|don['’]t|do not|avoid|must not|should not|no)\s+(?!need\b|have\b)(?:\w+\s+){{0,2}}?(?:{SAID}\b(?!\s+to\s+(?:emails?|strangers|anyone))|write\s+[\"“'‘`])"
)
FORBIDDEN_SPEECH: Final = pattern(rf"^(?:[\w'’-]+ ){{0,2}}(?:{SPEECH_NOUNS})\W*$")
"""What stands bare under a lead-in that forbids: "Long answers"."""
SPEECH: Final = pattern(
    rf"\b(?:{SAID}|{SPEECH_NOUNS})\b(?!\s+tool\b)|回复|回覆|回答|语气|返信|回答する|отвеча|ответ|respuesta|responde|resposta"
)
ASK_USER: Final = pattern(
    r"^(?:[^,.;]{0,80}[,:]\s*)?(?:always |please |then )?ask\s+(?:the |your )?(?:user|human|owner|operator|customer|guest|client|caller|visitor|reader|patient|student|him|her|them|for it|for them|for the missing|clarifying|for clarification|a clarifying|me|what|which|whether|first|before)\b"
    r"|\bask (?:the |your )?(?:user|human|owner) (?:first|before|if|whether|for|to)\b|询问用户|先问|問用戶|ユーザーに(?:確認|質問)|спроси(?:те)? пользовател|\bpregunta al usuario|\bpergunte ao usuário"
)
REMEDIATE: Final = pattern(
    r"\b(?:fix|correct|repair|retry|try again|re-?run|redo|revise|rework)\b.{0,80}\b(?:until|again|re-?check|re-?run|re-?test|verify|pass(?:es)?|recheck)\b"
    r"|\b(?:retry|re-?run|try again)\b.{0,40}\b(?:times?|once|twice)\b|\bif (?:it|that|this|the \w+) fails?\b.{0,80}\b(?:fix|retry|try)\b"
    r"|重试|重試|修复后.{0,10}(?:检查|验证)|再実行|повтори(?:те)? попытку"
)
VALIDATE_DOMAIN: Final = pattern(
    r"^(?:[^,.;]{0,60}[,:]\s*)?(?:always |please |then )?(?:verify|validate|double-?check|cross-?check|confirm|check|make sure|ensure)\s+(?:that\s+)?(?:\w+\s+){0,4}?"
    r"(?:ids?|numbers?|addresses|amounts?|totals?|dates?|invoices?|orders?|records?|data|urls?|links?|sources?|facts?|prices?|inputs?|files? exists?|signatures?|checksums?|schema|fields?|values?|accounts?|balances?|emails? address(?:es)?)\b"
    r"|核对|核實|验证.{0,10}(?:数据|金额|来源)|検証|провер(?:ь|яй)(?:те)? (?:данные|сумм|источник|номер|дат|адрес)"
)
THRESHOLD: Final = pattern(
    r"^[^.!?:：=]{2,50}(?<!\d)\s*(?:[:：=]|\bis\b)\s*[<>≤≥~]?\s*[$€£¥]?\d[\d.,_]*\s*(?:%|ms|s|sec(?:onds?)?|m|min(?:utes?)?|h|hours?|d|days?|weeks?|kb|mb|gb|tokens?|words?|chars?|characters?|retries|times|attempts|items?|usd|eur|次|秒|分钟|小时|天|回)?\.?$"
)
HISTORY: Final = pattern(
    r"^(?:[*_]*(?:last (?:updated|modified|reviewed|edited)|updated|created|version|revision|v\d+(?:\.\d+)*|changelog|author|date|status|更新日期|最后更新|版本|最終更新|обновлено|версия|última actualización|versão)\b[*_]*\s*[:：(=—–-])"
    r"|^[*_(]*(?:v?\d+\.\d+(?:\.\d+)?|20\d\d-\d\d-\d\d)[*_)]*\s*[:：—–(|-]|^[*_(]*20\d\d-\d\d-\d\d[*_)]*\.?$"
)
FILE_DESCRIPTION: Final = pattern(
    r"^[`\"(]?[\w./~*<>-]+(?:\.(?:md|json5?|ya?ml|py|sh|txt|ts|js|csv|db|sqlite|toml)|/)[`\")]?\s*(?:[:：(—–=|-]|→|->|$)"
)
THIS_DOCUMENT: Final = pattern(
    r"^(?:this (?:file|document|folder|page|section|workspace)\b|本文件|此文件|本文档|このファイル|этот файл|este (?:archivo|documento))"
)
ROUTE: Final = pattern(r"\w\s+>\s+\w[^>]{0,40}\s>\s+\w|(?:→|⇒|=>|->|➜|➡)\s*\S")
QUERY: Final = pattern(
    r"^(?:[^,.;:]{0,60}[,:]\s*)?(?:always |please |then |also )?(?:check|read|look (?:up|at|for|through|into)|search|scan|review|fetch|query|list|find|retrieve|inspect|monitor|recall|consult|pull|see if|watch)\b|检查|查看|查询|搜索|確認|チェック|провер|посмотри|revisa|comprueba|verifique|cek\b|periksa"
)
TRANSFORM: Final = pattern(
    r"^(?:always |then )?(?:convert|translate|reformat|normali[sz]e|transform|rewrite|reword|transcribe|redact)\b|翻译|转换|翻訳"
)
CLASSIFY: Final = pattern(
    r"^(?:always |then )?(?:classify|categori[sz]e|label|triage|sort|rank|prioriti[sz]e)\b.{0,80}\b(?:as|into|by|under)\b|分类|分類"
)
EXTRACT: Final = pattern(r"^(?:always |then )?(?:extract|pull out|parse out)\b|提取|抽出")
GENERATE: Final = pattern(
    r"^(?:always |then )?(?:draft|compose|generate|summari[sz]e|sum up|produce|write (?:an? |the )(?:[\w'’-]+ ){0,2}?(?:reports?|summary|digest|notes?|e-?mail|mail|repl(?:y|ies)|letter|post|article|draft|brief|plan|message|story|description|minutes|newsletter|answer|review|paragraph)\b)|撰写|生成|起草|总结|要約"
)
RULE_HEADING: Final = pattern(
    r"\b(?:rules?|guidelines?|principles?|boundaries|policy|policies|standards?|must|conventions?|red lines?|never|always|do(?:n['’]t)?s?|limits?|safety|security|constraints?|requirements?|laws?|norms?|etiquette|behaviou?r)\b"
    r"|规则|規則|原则|原則|准则|守则|禁止|纪律|边界|安全|ルール|правила|принципы|границы|правило|reglas|principios|regras|limites|aturan"
)
ACTION_HEADER: Final = pattern(
    r"\b(?:action|when|if|do|rule|trigger|situation|condition|allowed|ask|behaviou?r|policy|response|then|route|escalate|limit)\b|动作|场景|情况|规则|действие|acción|ação"
)
NON_LATIN: Final = LazyRegex(r"[\u0400-\u04ff\u0590-\u05ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
URL_OR_COMMAND: Final = pattern(
    r"https?://|^\s*(?:GET|POST|PUT|PATCH|DELETE)\s+\S|^\$\s|^`[^`]*\s[^`]*`|`[^`\s]+\.(?:py|sh|js|ts|rb)`|`[^`]*\s-{1,2}\w[^`]*`|\b(?:curl|ssh|npx|uvx?|pip|npm|python3?|node|bash|docker|kubectl|git|gh|brew|ffmpeg)\s+\S|\b\d{1,3}(?:\.\d{1,3}){3}\b|(?:^|\s)[~.]?/[\w.-]+/[\w./-]+|\bport\b\s*[:=]?\s*\d|\b(?:host(?:name)?|address|endpoint)\b\s*[:=]\s*\S|\b[\w-]+\.(?:local|lan|internal)\b"
)


CHOICE: Final = pattern(
    r"\b(?:one of|either|priorit(?:y|ies)|in order of|order of (?:preference|importance)|options?|alternatives?|choose|pick)\b|优先|優先|выбери|prioridad"
)
PROCEDURE: Final = pattern(
    r"\b(?:steps?|procedure|workflow|process|how to|sequence|in (?:this |that )?order|check ?list|startup|start-?up|boot|routine|protocol|pipeline|every (?:session|time|day|run)|each (?:session|time|day|run)"
    r"|before|after|when|whenever|on (?:start|wake|startup)|first thing|do (?:this|these|the following)|loop|ritual|flow)\b|流程|步骤|步驟|手順|每次|порядок|шаги|алгоритм|pasos|passos|langkah"
)
RULE_LIST: Final = pattern(
    r"\b(?:rules?|principles?|guidelines?|laws?|never|must|don['’]ts?|boundaries|polic(?:y|ies)|values?|standards?|tenets?|commandments?|non-negotiables?|mandatory)\b|规则|規則|原则|原則|准则|правила|reglas|regras"
)
