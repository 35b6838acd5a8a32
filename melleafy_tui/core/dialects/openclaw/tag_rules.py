"""The tag rules of the OpenClaw dialect: ordered tables, one a family of files (spec/conversion.md 3.2).

The first rule that matches wins; its name is the element's rationale, its confidence the element's.
"""

import re
from typing import Final

from melleafy_tui.core.dialects.openclaw.fields import is_placeholder
from melleafy_tui.core.dialects.tagging import TagRule, Wording
from melleafy_tui.core.directives import has_condition, is_imperative
from melleafy_tui.core.english import SPEECH_NOUNS
from melleafy_tui.core.models.vocabulary import Polarity, Tag


def _pattern(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_SAID: Final = r"(?:say|mention|apologi[sz]e|promise|greet|reply|respond|answer|speak|write in|talk|sound|lecture|flatter|swear|joke|praise)"
_OUTPUT_LIMIT = _pattern(
    rf"\b(?:keep|make|limit|cap|hold|write|format|phrase|word|start|begin|end|open|close|sign)\b[^.]{{0,60}}\b(?:{SPEECH_NOUNS})\b"
    r"|\b(?:under|at most|no more than|not more than|max(?:imum)?(?: of)?|fewer than|less than|within|up to|at least|exactly|no longer than|limit(?:ed)? to)"
    r"\s+(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten)\s*(?:words?|sentences?|characters?|chars|lines?|bullets?|paragraphs?|emojis?)\b"
    r"|\b(?:reply|respond|answer|write|speak|communicate|talk)\s+(?:only\s+|always\s+|back\s+)?(?:in|with)\s+\S"
    r"|\b(?:be|stay|sound)\s+(?:concise|brief|short|polite|direct|terse|warm|friendly|clear|formal|informal|succinct|kind)\b"
    r"|\b(?:no|avoid|without|skip|drop|use|prefer)\s+(?:\w+\s+){0,3}?(?:emojis?|jargon|filler|small talk|preambles?|exclamation marks?|markdown|tables?|headings?"
    r"|bullet points?|bullets|plain text|code blocks?|disclaimers?|apologies|pleasantries|corporate speak|slang)\b"
    r"|\b(?:tone|voice|style|language)\s*(?:is|:|should|must)|字数|用中文|用英文|语气|語氣|表情符号|简洁|簡潔|简短|回复(?:时|要|必须|中)|不超过.{0,6}字|日本語で|敬語|絵文字|отвечай на|кратко|язык ответа|responde en|en español|responda em"
)
_SPEECH_PROHIBITION = _pattern(
    rf"\b(?:never|don['’]t|do not|avoid|must not|should not|no)\s+(?:\w+\s+){{0,2}}?{_SAID}\b(?!\s+to\s+(?:emails?|strangers|anyone))"
)
_SPEECH = _pattern(
    rf"\b(?:{_SAID}|{SPEECH_NOUNS})\b|回复|回覆|回答|语气|返信|回答する|отвеча|ответ|respuesta|responde|resposta"
)
_ASK_USER = _pattern(
    r"^(?:[^,.;]{0,80}[,:]\s*)?(?:always |please |then )?ask\s+(?:the |your )?(?:user|human|owner|operator|customer|him|her|them|clarifying|for clarification|a clarifying|me|what|which|whether|first|before)\b"
    r"|\bask (?:the |your )?(?:user|human|owner) (?:first|before|if|whether|for|to)\b|询问用户|先问|問用戶|ユーザーに(?:確認|質問)|спроси(?:те)? пользовател|pregunta al usuario|pergunte ao usuário"
)
_REMEDIATE = _pattern(
    r"\b(?:fix|correct|repair|retry|try again|re-?run|redo|revise|rework)\b.{0,80}\b(?:until|again|re-?check|re-?run|re-?test|verify|pass(?:es)?|recheck)\b"
    r"|\b(?:retry|re-?run|try again)\b.{0,40}\b(?:times?|once|twice)\b|\bif (?:it|that|this|the \w+) fails?\b.{0,80}\b(?:fix|retry|try)\b"
    r"|重试|重試|修复后.{0,10}(?:检查|验证)|再実行|повтори(?:те)? попытку"
)
_VALIDATE_DOMAIN = _pattern(
    r"^(?:[^,.;]{0,60}[,:]\s*)?(?:always |please |then )?(?:verify|validate|double-?check|cross-?check|confirm|check|make sure|ensure)\s+(?:that\s+)?(?:\w+\s+){0,4}?"
    r"(?:ids?|numbers?|addresses|amounts?|totals?|dates?|invoices?|orders?|records?|data|urls?|links?|sources?|facts?|prices?|inputs?|files? exists?|signatures?|checksums?|schema|fields?|values?|accounts?|balances?|emails? address(?:es)?)\b"
    r"|核对|核實|验证.{0,10}(?:数据|金额|来源)|検証|проверь(?:те)? (?:данные|сумм|источник)"
)
_THRESHOLD = _pattern(
    r"^[^.!?:：=]{2,50}\s*(?:[:：=]|\bis\b)\s*[<>≤≥~]?\s*[$€£¥]?\d[\d.,_]*\s*(?:%|ms|s|sec(?:onds?)?|m|min(?:utes?)?|h|hours?|d|days?|weeks?|kb|mb|gb|tokens?|words?|chars?|characters?|retries|times|attempts|items?|usd|eur|次|秒|分钟|小时|天|回)?\.?$"
)
_HISTORY = _pattern(
    r"^(?:[*_]*(?:last (?:updated|modified|reviewed|edited)|updated|created|version|revision|v\d+(?:\.\d+)*|changelog|author|date|status|更新日期|最后更新|版本|最終更新|обновлено|версия|última actualización|versão)\b[*_]*\s*[:：(=—–-])"
    r"|^[*_(]*(?:v?\d+\.\d+(?:\.\d+)?|20\d\d-\d\d-\d\d)[*_)]*\s*[:：—–(|-]|^[*_(]*20\d\d-\d\d-\d\d[*_)]*\.?$"
)
_FILE_DESCRIPTION = _pattern(
    r"^[`\"(]?[\w./~*<>-]+(?:\.(?:md|json5?|ya?ml|py|sh|txt|ts|js|csv|db|sqlite|toml)|/)[`\")]?\s*(?:[:：(—–=|-]|→|->|$)"
)
_THIS_DOCUMENT = _pattern(
    r"^(?:this (?:file|document|folder|page|section|workspace)\b|本文件|此文件|本文档|このファイル|этот файл|este (?:archivo|documento))"
)
_ROUTE = _pattern(r"(?:→|⇒|=>|->|➜|➡)\s*\S")
_QUERY = _pattern(
    r"^(?:[^,.;:]{0,60}[,:]\s*)?(?:always |please |then |also )?(?:check|read|look up|look at|search|scan|review|fetch|query|list|find|retrieve|inspect|monitor|recall|consult|pull|see if|watch)\b|检查|查看|查询|搜索|確認|チェック|провер|посмотри|revisa|comprueba|verifique|cek\b|periksa"
)
_TRANSFORM = _pattern(
    r"^(?:always |then )?(?:convert|translate|reformat|normali[sz]e|transform|rewrite|reword|transcribe|redact)\b|翻译|转换|翻訳"
)
_CLASSIFY = _pattern(
    r"^(?:always |then )?(?:classify|categori[sz]e|label|triage|sort|rank|prioriti[sz]e)\b.{0,80}\b(?:as|into|by|under)\b|分类|分類"
)
_EXTRACT = _pattern(r"^(?:always |then )?(?:extract|pull out|parse out)\b|提取|抽出")
_GENERATE = _pattern(
    r"^(?:always |then )?(?:draft|compose|generate|summari[sz]e|produce|write (?:a|an|the)\b(?! down))|撰写|生成|起草|总结|要約"
)
_RULE_HEADING = _pattern(
    r"\b(?:rules?|guidelines?|principles?|boundaries|policy|policies|standards?|must|conventions?|red lines?|never|always|do(?:n['’]t)?s?|limits?|safety|security|constraints?|requirements?|laws?|norms?|etiquette|behaviou?r)\b"
    r"|规则|規則|原则|原則|准则|守则|禁止|纪律|边界|安全|ルール|правила|принципы|границы|правило|reglas|principios|regras|limites|aturan"
)
_ACTION_HEADER = _pattern(
    r"\b(?:action|when|if|do|rule|trigger|situation|condition|allowed|ask|behaviou?r|policy|response|then|route|escalate|limit)\b|动作|场景|情况|规则|действие|acción|ação"
)
_NON_LATIN = re.compile(r"[\u0400-\u04ff\u0590-\u05ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_URL_OR_COMMAND = _pattern(
    r"https?://|^\s*(?:GET|POST|PUT|PATCH|DELETE)\s+\S|^[`$]|`[^`]*\s-{1,2}\w[^`]*`|\b(?:curl|ssh|npx|uvx?|pip|npm|python3?|node|bash|docker|kubectl|git|gh|brew|ffmpeg)\s+\S|\b\d{1,3}(?:\.\d{1,3}){3}\b|(?:^|\s)[~.]?/[\w.-]+/[\w./-]+|\bport\b\s*[:=]?\s*\d"
)


def _is_kind(*kinds: str) -> "_KindTest":
    return _KindTest(kinds)


class _KindTest:
    """Tests a piece's form."""

    def __init__(self, kinds: tuple[str, ...]) -> None:
        self._kinds = kinds

    def __call__(self, wording: Wording) -> bool:
        return wording.piece.kind in self._kinds


class _WordTest:
    """Tests the words of a piece, or its statement."""

    def __init__(self, pattern: re.Pattern[str], *, statement: bool = False) -> None:
        self._pattern = pattern
        self._statement = statement

    def __call__(self, wording: Wording) -> bool:
        return bool(self._pattern.search(wording.statement if self._statement else wording.text))


def _is_directive(wording: Wording) -> bool:
    return wording.polarity is not Polarity.DESCRIBES


def _speaks(wording: Wording) -> bool:
    return bool(_SPEECH_PROHIBITION.search(wording.statement)) or (
        wording.polarity is Polarity.FORBIDS and bool(re.match(_SAID, wording.text, re.IGNORECASE))
    )


def _condition(wording: Wording) -> bool:
    from_lead_in = "conditions" in wording.lead_in or "trigger" in wording.lead_in
    return (from_lead_in or has_condition(wording.text)) and (_is_directive(wording) or from_lead_in)


def _directive_rules(prefix: str) -> tuple[TagRule, ...]:
    """Return the rules about wording that hold for every text that orders something."""
    return (
        TagRule(f"{prefix}.step", Tag.ORCHESTRATE, 0.85, "a numbered list whose lead-in or heading names a procedure",
                lambda wording: wording.list_role == "procedure" and wording.own_polarity is not Polarity.FORBIDS),
        TagRule(f"{prefix}.choice", Tag.DECIDE, 0.8, "a numbered list of alternatives or priorities",
                lambda wording: wording.list_role == "choice"),
        TagRule(f"{prefix}.ask_user", Tag.CONVERSE, 0.85, "an order to ask the user", _WordTest(_ASK_USER)),
        TagRule(f"{prefix}.remediate", Tag.REMEDIATE, 0.75, "fix and check again", _WordTest(_REMEDIATE)),
        TagRule(f"{prefix}.speech_prohibited", Tag.VALIDATE_OUTPUT, 0.85, "a prohibition on what the agent says", _speaks),
        TagRule(f"{prefix}.output_limit", Tag.VALIDATE_OUTPUT, 0.9, "length, tone, format or language of the agent's words",
                lambda wording: _is_directive(wording) and bool(_OUTPUT_LIMIT.search(wording.statement))),
        TagRule(f"{prefix}.domain_check", Tag.VALIDATE_DOMAIN, 0.75, "a check on outside data", _WordTest(_VALIDATE_DOMAIN)),
        TagRule(f"{prefix}.condition", Tag.DECIDE, 0.85, "if, when, unless, before, after, until, also in the lead-in", _condition),
        TagRule(f"{prefix}.prohibition", Tag.DECIDE, 0.9, "a prohibition on acting, also by the lead-in",
                lambda wording: wording.polarity is Polarity.FORBIDS),
        TagRule(f"{prefix}.permission", Tag.DECIDE, 0.8, "a permission, also by the lead-in",
                lambda wording: wording.polarity is Polarity.PERMITS),
        TagRule(f"{prefix}.speech", Tag.VALIDATE_OUTPUT, 0.7, "an order about the agent's own words",
                lambda wording: _is_directive(wording) and bool(_SPEECH.search(wording.text))),
        TagRule(f"{prefix}.threshold", Tag.CONFIG, 0.75, "a named number", _WordTest(_THRESHOLD)),
        TagRule(f"{prefix}.unnamed_step", Tag.ORCHESTRATE, 0.55, "an order in a numbered list that nothing names",
                lambda wording: wording.piece.ordered and wording.list_role == "" and is_imperative(wording.text)),
        TagRule(f"{prefix}.classify", Tag.CLASSIFY, 0.7, "an order to sort into kinds", _WordTest(_CLASSIFY)),
        TagRule(f"{prefix}.extract", Tag.EXTRACT, 0.7, "an order to take fields out of a text", _WordTest(_EXTRACT)),
        TagRule(f"{prefix}.transform", Tag.TRANSFORM, 0.7, "an order to bring a text into another form", _WordTest(_TRANSFORM)),
        TagRule(f"{prefix}.query", Tag.QUERY, 0.65, "an order to read or look up",
                lambda wording: _is_directive(wording) and bool(_QUERY.search(wording.text))),
        TagRule(f"{prefix}.generate", Tag.GENERATE, 0.65, "an order to write a text",
                lambda wording: _is_directive(wording) and bool(_GENERATE.search(wording.text))),
        TagRule(f"{prefix}.directive", Tag.DECIDE, 0.65, "any other order", _is_directive),
    )  # fmt: skip


def _structural_rules(prefix: str) -> tuple[TagRule, ...]:
    """Return the rules about form that hold in every file that is cut into items."""
    return (
        TagRule(f"{prefix}.heading", Tag.NO_DECOMPOSE, 1.0, "a heading", _is_kind("heading")),
        TagRule(f"{prefix}.markup", Tag.NO_DECOMPOSE, 1.0, "a comment, rule, marker or frontmatter",
                _is_kind("comment", "rule", "other", "frontmatter", "table_header")),
        TagRule(f"{prefix}.placeholder", Tag.NO_DECOMPOSE, 0.95, "a placeholder",
                lambda wording: wording.piece.kind != "fence" and is_placeholder(wording.piece.text)),
        TagRule(f"{prefix}.quoted_output", Tag.NO_DECOMPOSE, 0.6, "a blockquote that orders nothing",
                lambda wording: wording.piece.quoted and not _is_directive(wording)),
        TagRule(f"{prefix}.history", Tag.NO_DECOMPOSE, 0.85, "a date, version or history line", _WordTest(_HISTORY)),
        TagRule(f"{prefix}.about_document", Tag.NO_DECOMPOSE, 0.75, "a sentence about the document itself",
                _WordTest(_THIS_DOCUMENT)),
    )  # fmt: skip


AGENTS_RULES: Final[tuple[TagRule, ...]] = (
    *_structural_rules("agents"),
    TagRule("agents.lead_in_trigger", Tag.DECIDE, 0.7, "a lead-in that says when to act",
            lambda wording: wording.piece.kind == "lead_in" and "trigger" in wording.lead_in),
    TagRule("agents.lead_in", Tag.NO_DECOMPOSE, 0.9, "a lead-in that only announces", _is_kind("lead_in")),
    TagRule("agents.bare_fence", Tag.NO_DECOMPOSE, 0.6, "a fence whose introduction orders nothing",
            lambda wording: wording.piece.kind == "fence" and wording.own_polarity is Polarity.DESCRIBES),
    TagRule("agents.example", Tag.NO_DECOMPOSE, 0.7, "an item under a lead-in that announces examples",
            lambda wording: "examples" in wording.lead_in),
    TagRule("agents.file_description", Tag.NO_DECOMPOSE, 0.65, "a file's name with what it holds",
            lambda wording: bool(_FILE_DESCRIPTION.match(wording.text)) and wording.own_polarity is Polarity.DESCRIBES
            and not _ROUTE.search(wording.text)),
    *_directive_rules("agents"),
    TagRule("agents.route", Tag.DECIDE, 0.7, "a route `X → Y`", _WordTest(_ROUTE)),
    TagRule("agents.action_row", Tag.DECIDE, 0.7, "a table row whose header speaks of acting",
            lambda wording: wording.piece.kind == "table_row" and bool(_ACTION_HEADER.search(" ".join(wording.piece.header)))),
    TagRule("agents.item_under_rules", Tag.DECIDE, 0.6, "an item under a heading that announces rules",
            lambda wording: wording.piece.kind == "item" and bool(_RULE_HEADING.search(wording.heading))),
    TagRule("agents.item", Tag.DECIDE, 0.45, "an item that orders nothing by its wording", _is_kind("item")),
    TagRule("agents.other_language", Tag.DECIDE, 0.4, "a paragraph in a language whose orders are not told from prose",
            lambda wording: wording.piece.kind == "paragraph" and bool(_NON_LATIN.search(wording.text))
            and bool(_RULE_HEADING.search(wording.heading))),
    TagRule("agents.prose", Tag.NO_DECOMPOSE, 0.7, "everything else: plain prose", lambda wording: True),
)  # fmt: skip
"""AGENTS.md and scoped AGENTS.md."""

TOOLS_RULES: Final[tuple[TagRule, ...]] = (
    *_structural_rules("tools"),
    TagRule("tools.lead_in", Tag.NO_DECOMPOSE, 0.85, "a lead-in that only announces", _is_kind("lead_in")),
    TagRule("tools.rule", Tag.DECIDE, 0.75, "a prohibition or condition on using a tool",
            lambda wording: wording.own_polarity is Polarity.FORBIDS or _condition(wording)),
    TagRule("tools.command", Tag.CONFIG, 0.8, "a command, address, port or path", _WordTest(_URL_OR_COMMAND)),
    TagRule("tools.fence", Tag.CONFIG, 0.7, "a fenced block", _is_kind("fence")),
    TagRule("tools.description", Tag.TOOL_TEMPLATE, 0.75, "everything else: text about a tool", lambda wording: True),
)  # fmt: skip
"""TOOLS.md and the `## Tools` section of AGENTS.md."""

USER_RULES: Final[tuple[TagRule, ...]] = (
    *_structural_rules("user"),
    TagRule("user.lead_in", Tag.NO_DECOMPOSE, 0.85, "a lead-in that only announces", _is_kind("lead_in")),
    TagRule("user.fact", Tag.CONFIG, 0.85, "everything else: a fact about the user", lambda wording: True),
)
"""USER.md; placeholders and superseded facts are set aside before."""

HEARTBEAT_RULES: Final[tuple[TagRule, ...]] = (
    TagRule("heartbeat.markup", Tag.NO_DECOMPOSE, 1.0, "a comment, rule, marker or frontmatter",
            _is_kind("comment", "rule", "other", "frontmatter", "table_header")),
    TagRule("heartbeat.heading", Tag.NO_DECOMPOSE, 1.0, "a heading without a cadence", _is_kind("heading")),
    TagRule("heartbeat.placeholder", Tag.NO_DECOMPOSE, 0.95, "a placeholder",
            lambda wording: wording.piece.kind != "fence" and is_placeholder(wording.piece.text)),
    TagRule("heartbeat.history", Tag.NO_DECOMPOSE, 0.85, "a date, version or history line", _WordTest(_HISTORY)),
    TagRule("heartbeat.lead_in", Tag.NO_DECOMPOSE, 0.85, "a lead-in that only announces",
            lambda wording: wording.piece.kind == "lead_in" and "trigger" not in wording.lead_in),
    TagRule("heartbeat.query", Tag.QUERY, 0.8, "a check that reads something",
            lambda wording: wording.piece.kind != "lead_in" and bool(_QUERY.search(wording.text))),
    TagRule("heartbeat.item", Tag.ORCHESTRATE, 0.8, "a checklist item or table row",
            _is_kind("item", "table_row", "lead_in")),
    TagRule("heartbeat.instruction", Tag.ORCHESTRATE, 0.7, "a paragraph or fence that orders something",
            lambda wording: _is_directive(wording) or wording.piece.kind == "fence"),
    TagRule("heartbeat.prose", Tag.NO_DECOMPOSE, 0.7, "everything else: plain prose", lambda wording: True),
)  # fmt: skip
"""HEARTBEAT.md and BOOT.md; cadence declarations are told before, by the cadence grammar."""

_CHOICE = _pattern(
    r"\b(?:one of|either|priorit(?:y|ies)|in order of|order of (?:preference|importance)|options?|alternatives?|choose|pick)\b|优先|優先|выбери|prioridad"
)
_PROCEDURE = _pattern(
    r"\b(?:steps?|procedure|workflow|process|how to|sequence|in (?:this |that )?order|check ?list|startup|start-?up|boot|routine|protocol|pipeline|every (?:session|time|day|run)|each (?:session|time|day|run)"
    r"|before|after|when|whenever|on (?:start|wake|startup)|first thing|do (?:this|these|the following)|loop|ritual|flow)\b|流程|步骤|步驟|手順|每次|порядок|шаги|алгоритм|pasos|passos|langkah"
)
_RULE_LIST = _pattern(
    r"\b(?:rules?|principles?|guidelines?|laws?|never|must|don['’]ts?|boundaries|polic(?:y|ies)|values?|standards?|tenets?|commandments?)\b|规则|規則|原则|原則|准则|правила|reglas|regras"
)


def list_role(lead_in: str, above: str, heading: str) -> str:
    """Return what a numbered list is by the line above it: `procedure`, `choice`, `rules` or `""`.

    A numbered procedure and a numbered rule list look alike; only the line above tells (field-notes.md).
    """
    for line in (lead_in, above, heading):
        for role, pattern in (("choice", _CHOICE), ("rules", _RULE_LIST), ("procedure", _PROCEDURE)):
            if line and pattern.search(line):
                return role
    return ""
