"""Defines tag rules: ordered, named rows with a confidence and a test on the wording; the first match wins.

Each dialect has its own tables.
"""

import re
from collections.abc import Callable, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.language.directives import CROSS, SPEECH_NOUNS, TICK, is_imperative, polarity_of
from melleafy_tui.core.language.lead_ins import CASES, lead_in_row, read_with_lead_in
from melleafy_tui.core.language.scripts import CYRILLIC, HAN, HANGUL, HEBREW, KANA
from melleafy_tui.core.language.wording import plain_text, sentences
from melleafy_tui.core.lazy_regex import LONGEST_READ, LazyRegex
from melleafy_tui.core.models.vocabulary import Polarity, Tag
from melleafy_tui.core.source.segments import Segment


class Wording(Struct, frozen=True):
    """The input of a tag rule's test.

    Attributes:
        segment: The segment with its form and context.
        text: Its own words without markers.
        statement: Its words with lead-in and polarity.
        polarity: Its polarity, including the lead-ins.
        own_polarity: The polarity of its own words.
        lead_in: Names of the lead-in rows above it.
        heading: The innermost heading above it.
        list_role: For items of a numbered list: `procedure`, `choice`, `rules` or `""`.
        phase: The phase of the work that it is in, where the dialect has phases, or `""`.
    """

    segment: Segment
    text: str
    statement: str
    polarity: Polarity
    own_polarity: Polarity
    lead_in: tuple[str, ...] = ()
    heading: str = ""
    list_role: str = ""
    phase: str = ""


class TagRule(Struct, frozen=True):
    """One row of a tag table: `looks_at` describes what the test reads, for the docs and the wizard."""

    name: str
    tag: Tag
    confidence: float
    looks_at: str
    matches: Callable[[Wording], bool]


class Tagged(Struct, frozen=True):
    """The tag of a segment with the rule that assigned it."""

    tag: Tag
    confidence: float
    rationale: str


def first_match(rules: Sequence[TagRule], wording: Wording) -> Tagged:
    """Return the tag of the first rule that matches; of a huge segment they read the beginning.

    Raises:
        LookupError: no rule matches; the last rule of each table always does.
    """
    if len(wording.text) > LONGEST_READ or len(wording.statement) > LONGEST_READ:
        wording = replace(
            wording, text=wording.text[:LONGEST_READ], statement=wording.statement[:LONGEST_READ]
        )
    for rule in rules:
        if rule.matches(wording):
            return Tagged(rule.tag, rule.confidence, rule.name)
    raise LookupError("The table has no rule for everything else.")


class IsKind:
    """Tests the form of a segment.

    Args:
        kinds: The forms that match.
    """

    def __init__(self, *kinds: str) -> None:
        self._kinds = kinds

    def __call__(self, wording: Wording) -> bool:
        """Return whether the segment has one of the forms."""
        return wording.segment.kind in self._kinds


class Says:
    """Tests the words of a segment, or its statement.

    Args:
        pattern: The pattern to find.
        statement: Whether to search the words with their lead-in.
    """

    def __init__(self, pattern: LazyRegex, *, statement: bool = False) -> None:
        self._pattern = pattern
        self._statement = statement

    def __call__(self, wording: Wording) -> bool:
        """Return whether the pattern is found."""
        return bool(self._pattern.search(wording.statement if self._statement else wording.text))


def anything(wording: Wording) -> bool:  # noqa: ARG001 - required by the test's signature
    """Match everything: the test of a table's last rule."""
    return True


def is_directive(wording: Wording) -> bool:
    """Return whether a segment orders, forbids or permits something."""
    return wording.polarity is not Polarity.DESCRIBES


# ruff: noqa: E501 - a word list is easier to read in one piece


def pattern(text: str) -> LazyRegex:
    """Compile a case-insensitive pattern for a table."""
    return LazyRegex(text, re.IGNORECASE, longest=LONGEST_READ)


SAID: Final = r"(?:say|mention|apologi[sz]e|promise|greet|reply|respond|answer|speak|write in|talk|sound|lecture|flatter|swear|joke|praise)"
OUTPUT_LIMIT: Final = pattern(
    rf"\b(?:keep|make|limit|cap|hold|write|format|phrase|word|start|begin|end|open|close|sign)\b[^.]{{0,60}}\b(?:{SPEECH_NOUNS})\b"
    r"|\b(?:under|at most|no more than|not more than|max(?:imum)?(?: of)?|fewer than|less than|within|up to|at least|exactly|no longer than|limit(?:ed)? to)"
    r"\s+(?:\d+\s*|(?:one|two|three|four|five|six|seven|eight|nine|ten)\s+)(?:words?|sentences?|characters?|chars|lines?|bullets?|paragraphs?|emojis?|questions?)\b"
    r"|\b(?:reply|respond|answer|write|speak|communicate|talk)\s+(?:only\s+|always\s+|back\s+)?(?:in|with)\s+\S"
    r"|\b(?:start|begin|open|end|close|finish)\s+(?:\w+\s+){0,3}?with\s+[\"“'‘`]|\bkeep (?:[\w'’-]+ ){0,2}?(?:it|them|these|those|things|briefs?|updates?|summar(?:y|ies)|explanations?|drafts?|reports?|posts?|captions?|communication|conversations?|e-?mails?) (?:short|brief|concise|simple|polite|friendly|formal|scannable|skimmable|readable|crisp|tight|to the point|under \d+|below \d+)\b|\b(?:be|stay|sound)\s+(?:concise|brief|short|polite|direct|terse|warm|friendly|clear|formal|informal|succinct|kind)\b"
    r"|\b(?:no|avoid|without|skip|drop|use|prefer)\s+(?:\w+\s+){0,3}?(?:emojis?|jargon|filler|small talk|preambles?|exclamation marks?|markdown|tables?|headings?"
    r"|bullet points?|bullets|spelling|grammar|punctuation|plain text|code blocks?|disclaimers?|apologies|pleasantries|corporate speak|slang)\b"
    r"|\b(?:updates?|reports?|summar(?:y|ies)|repl(?:y|ies)|answers?|responses?|messages?)\s+(?:must|should|always|has to|have to|needs? to)\s+(?:always |also |explicitly )?(?:includ|contain|stat|cit|show|nam|list|say|start|end|open|close)\w*"
    r"|\b(?:in|use) (?:this|the following) (?:form|format|shape|template|layout)\b|\b(?:tone|voice|style|language)\s*(?:is|:|should|must)|字数|用中文|用英文|用繁體|用繁体|用粤语|用粵語|(?:结论|結論|重点|重點)(?:先行|前置|在前|优先|優先)|先(?:说|説|講|讲|给|給)(?:结论|結論|重点|重點)|結論から|语气|語氣|表情符号|简洁|簡潔|简短|回复(?:时|要|必须|中)|不超过.{0,6}[字行句]|\d+ ?(?:行|文字|字|句|文)(?:以内|以內)|箇条書き|日本語で|敬語|絵文字|отвечай на|кратко|язык ответа|\b(?:respond\w*|responda|contest\w*|habla\w*|fal[ae]\w*) (?:\w+ )?(?:en|em) \w|\b(?:antwort\w*|sprich\w*|schreib\w*) (?:\w+ )?auf [a-z]*(?:deutsch|englisch|französisch)|\b(?:répond\w*|parle\w*) (?:\w+ )?en \w|en español|\b(?:sé|sea|seja|sei|seien sie|sois|soyez|будь(?:те)?) (?:\w+ )?(?:brev|dire[ck]t|diret|clar|concis|kurz|knapp|bref|amab|gentil|honest|кратк|вежлив)"
    r"|\b(?:fech|termin|finaliz|encerr|cierr|acab|beend|schließ|finis|empie[zc]|comien[zc]|come[cç]|beginn|заверш|заканчив|начин)\w* (?:\S+ ){0,4}?(?:com|con|par|por|mit|словами):? [\"“„«]"
    r"|\b(?:chaque|cada|toda|jede[rnms]?) (?:réponse|respuesta|resposta|antwort)\b|кажд\w+ ответ|\bfasse? dich kurz\b|(?:모든|매) (?:답변|응답)|(?:짧게|간결하게) |답변(?:은|을) |(?:한국어|영어|존댓말|반말)로|이모지|\d+ ?(?:자|글자|문장|줄)(?:를|을|로| ?이내| ?이하| ?제한)"
    r"|\b(?:unter|höchstens|maximal|sous|moins de|maximum|au plus|menos de|debajo de|máximo|hasta|no más de|até|abaixo de) (?:de )?\d+ (?:zeichen|wörter\w*|sätze\w*|zeilen|caractères|mots|phrases|lignes|caracteres|palabras|palavras|frases|líneas|linhas)\b|(?:не (?:длиннее|больше|более)|максимум) \d+ (?:символ|слов|предложени|строк)"
)
SPEECH_PROHIBITION: Final = pattern(
    rf"\b(?:never|don['’]t|do not|avoid|must not|should not|no)\s+(?!need\b|have\b)(?:\w+\s+){{0,2}}?(?:{SAID}\b(?!\s+to\s+(?:emails?|strangers|anyone))|(?:write|surface|show|use|output)\s+[\"“'‘`]|write (?:like|as if)\b|(?:write|give|send|produce|post)\s+(?:[\w-]+\s+){{0,2}}?(?:summar(?:y|ies)|essays?|{SPEECH_NOUNS})\b)"
)
FORBIDDEN_SPEECH: Final = pattern(rf"^(?:[\w'’-]+ ){{0,2}}(?:{SPEECH_NOUNS})\W*$")
"""Bare noun phrases that a lead-in forbids: "Long answers"."""
SPEECH: Final = pattern(
    rf"\b(?:{SAID}|{SPEECH_NOUNS})\b(?!\s+(?:tool\b|工具|ツール))|回复|回覆|回答|语气|返信|回答する|отвеча|ответ|respuesta|responde|resposta|\b(?:réponses?|antwort(?:en)?)\b|답변|응답|이모지"
)
HANDLED: Final = pattern(
    r"\b(?:find|skip|ignore|filter|merge|batch|group|store|save|log|read|approve|remove|delete|strip|parse|record|fetch|count|track|search|monitor|archive|forward|route|collect|load|copy|update|process|receive|queue|retry|treat|handle|open|match|label|pull|capture|test|return)\b[^.;:]{0,40}\b(?:answers?|repl(?:y|ies)|responses?|messages?|outputs?|tables?|words?|formats?)\b"
)
"""Deeds whose object is a message or a result, and which say nothing about the agent's own words."""


def is_about_speech(wording: Wording) -> bool:
    """Return whether an order is about the agent's own words, rather than about messages that it handles."""
    if not is_directive(wording) or not SPEECH.search(wording.text) or HANDLED.search(wording.text):
        return False
    return wording.own_polarity is not Polarity.DESCRIBES or bool(
        SPEECH.search(f"{wording.segment.lead_in} {wording.heading}") or not wording.lead_in
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
    r"|^(?:(?:at least|at most|max(?:imum)?|min(?:imum)?|no more than) )?\d[\d.,]*\s*(?:%|ms|s|sec(?:onds?)?|min(?:utes?)?|hours?|days?|kb|mb|gb|tokens?|words?|retries|times|attempts|items?|requests?|calls?|messages?|lines?) (?:minimum|maximum|min|max|at (?:least|most)|between|per|limit)\b[^.!?]{0,60}\.?$"
)
HISTORY: Final = pattern(
    r"^(?:[*_]*(?:last (?:[\w-]+ )?(?:updated?|modified|reviewed|edited)|updated|created|创建(?:时间|日期|者|人)?|創建人|作者|维护(?:者|人)|維護(?:者|人)|建立(?:时间|時間|日期)|創建(?:時間|日期)|作成日|creado|criado|erstellt|создан|version|origin(?=[^\n]{0,40}\d)|incident|revision|v\d+(?:\.\d+)*|changelog|author|date|status(?!=|-\w)|更新日期|最后更新|(?:上次|最近|最后|最後)[^:：\s]{1,8}|状态|狀態|ステータス|last (?:run|check(?:ed)?|heartbeat|scan|seen)|版本|最終更新|обновлено|версия|última actualización|versão)\b[*_]*\s*[:：(=—–-])"
    r"|^[*_(]*(?:v?\d+\.\d+(?:\.\d+)?|20\d\d-\d\d-\d\d)[*_)]*\s*[:：—–(|-]|^[*_(]*20\d\d-\d\d-\d\d[*_)]*\.?$"
)
FILE_DESCRIPTION: Final = pattern(
    r"^[`\"(]?[\w./~*<>-]+(?:\.(?:md|json5?|ya?ml|py|sh|txt|ts|js|csv|db|sqlite|toml)|/)[`\")]?\s*(?:[:：(—–=|-]|→|->|$)"
)
THIS_DOCUMENT: Final = pattern(
    r"^(?:this (?:file|document|folder|page|section|workspace)\b|this is (?:just |only )?(?:a|your) (?:starting point|template)\b|(?:这里|這裡|這裏|此处|此處)(?:记录|記錄|存放|保存|列出)|ここ(?:に|は)[^。]{0,20}(?:記録|書く|書いて|まとめ)|这(?:只)?是(?:一个|你的)?起点|這(?:只)?是(?:一個|你的)?起點|これは出発点|本文件|此文件|本文档|このファイル|этот файл|este (?:archivo|documento))"
)
ROUTE: Final = pattern(r"\w\s+>\s+\w[^>]{0,40}\s>\s+\w|(?:→|⇒|=>|->|➜|➡)\s*\S")
QUERY: Final = pattern(
    r"^(?:[^,.;:]{0,60}[,:]\s*)?(?:always |please |then |also )?(?:check|read|look (?:up|at|for|through|into)|search|scan|review|fetch|query|list|find|retrieve|inspect|monitor|recall|consult|pull|see if|watch)\b|检查|檢查|查看|查询|查詢|搜索|搜尋|監視|監控|監控|確認|チェック|провер|посмотри|revisa|comprueba|verifique|cek\b|periksa"
)
LOOKS_IN_CHINESE: Final = pattern(
    r"(?:^\W*|[，,：:；;。→]\s*|[先再请請并並去须須要应應会會后後前時时动動期次日天周週来來以令]|行|`\s*)(?:检查|檢查|查看|查询|查詢|搜索|搜尋|监视|監視|监控|監控|确认|確認)(?!失败|失敗|结果|結果|过程|過程|频率|頻率|清单|清單|中)"
)
"""A look-up as the verb of a Chinese clause; elsewhere its words are nouns."""
TRANSFORM: Final = pattern(
    r"^(?:always |then )?(?:convert|translate|reformat|normali[sz]e|transform|rewrite|reword|transcribe|redact)\b|翻译|转换|翻訳"
)
CLASSIFY: Final = pattern(
    r"^(?:always |then )?(?:classify|categori[sz]e|label|triage|sort|rank|prioriti[sz]e)\b.{0,80}\b(?:as|into|by|under)\b|(?:^|[，,。；;：:]\s*)(?:把|将|將)?[^，,。；;：:]{0,12}分[类類](?:为|為|到|成|至|$)"
)
EXTRACT: Final = pattern(r"^(?:always |then )?(?:extract|pull out|parse out)\b|提取|抽出")
GENERATE: Final = pattern(
    r"^(?:always |then )?(?:draft|compose|generate|summari[sz]e|sum up|produce|write (?:an? |the )(?:[\w'’-]+ ){0,2}?(?:reports?|summary|digest|notes?|e-?mail|mail|repl(?:y|ies)|letter|post|article|draft|brief|plan|message|story|description|minutes|newsletter|answer|review|paragraph)\b)|撰写|生成|起草|总结|要約"
)
RULE_HEADING: Final = pattern(
    r"\b(?:rules?|guidelines?|principles?|boundaries|policy|policies|standards|must|conventions?|red lines?|never|always|do(?:n['’]ts?|s)|limits?|safety|security|constraints?|requirements?|laws?|norms?|etiquette|behaviou?r)\b"
    r"|规则|規則|原则|原則|准则|守则|禁止|纪律|边界|安全|ルール|правила|принципы|границы|правило|reglas|principios|regras|limites|aturan"
)
ACTION_HEADER: Final = pattern(
    r"\b(?:actions?|when|if|do|don['’]ts?|rules?|triggers?|situations?|scenarios?|conditions?|(?<!use )cases?|events?|allowed|forbidden|ask|behaviou?r|policy|response|respond|then|routes?|routing|delegate|escalat\w+|limits?|requirements?|instead|avoid|fix|solution|must|should|always|never)\b"
    r"|动作|動作|(?<!适用)(?<!適用)[场場]景|情况|情況|情形|规则|規則|触发|觸發|条件|條件|处理|處理|做法|怎么做|怎麼做|应对|應對|对策|默认解释|要求|禁止|避免|如果|若|写到|写哪|寫到|寫哪|シナリオ|対応|ルール|トリガー|действи\w+|правил\w+|если|когда|избег\w+|acci(?:ón|ones)|aç(?:ão|ões)|regras?|reglas?|quando|cuando|aktion|regel|wenn|quand|règle"
)
"""Names of columns that say what to do in which case."""
NON_LATIN: Final = (CYRILLIC, HEBREW, KANA, HAN, HANGUL)
URL_OR_COMMAND: Final = pattern(
    r"https?://|^\s*(?:GET|POST|PUT|PATCH|DELETE)\s+\S|^\$\s|^`[^`]*\s[^`]*`|`[^`\s]+\.(?:py|sh|js|ts|rb)`|`[^`]*\s-{1,2}\w[^`]*`|\b(?:curl|ssh|npx|uvx?|pip|npm|python3?|node|bash|docker|kubectl|git|gh|brew|ffmpeg)\s+\S|\b\d{1,3}(?:\.\d{1,3}){3}\b|(?:^|\s)[~.]?/[\w.-]+/[\w./-]+|\bport\b\s*[:=]?\s*\d|\b(?:host(?:name)?|address|endpoint)\b\s*[:=]\s*\S|\b[\w-]+\.(?:local|lan|internal)\b"
)


CHOICE: Final = pattern(
    r"\b(?:one of|either|priorit(?:y|ies)|in order of|order of (?:preference|importance)|options?|alternatives?|choose|pick|wins?|outranks?|precedence|overrides?|ranked|ranking|hierarchy)\b|为准|為準|优先|優先|выбери|prioridad"
)
PROCEDURE: Final = pattern(
    r"\b(?:steps?|procedure|workflow|process|how to|sequence|in (?:this |that )?order|check ?list|startup|start-?up|boot|routine|protocol|pipeline|every (?:session|time|day|run)|each (?:session|time|day|run)"
    r"|before|after|when|whenever|on (?:start|wake|startup)|first thing|do (?:this|these|the following)|loop|ritual|flow)\b|流程|步骤|步驟|手順|每次|порядок|шаги|алгоритм|pasos|passos|langkah"
)
RULE_LIST: Final = pattern(
    r"\b(?:rules?|principles?|guidelines?|laws?|never|must|don['’]ts?|boundaries|polic(?:y|ies)|values?|standards|tenets?|commandments?|non-negotiables?|mandatory|practices|tips|habits)\b|最佳实践|最佳實踐|ベストプラクティス|规则|規則|原则|原則|准则|правила|reglas|regras"
)


def wording_of(segment: Segment) -> Wording:
    """Return the input of the tag rules: own words, statement and polarity with all context."""
    if segment.kind == "fence":
        return _fence_wording(segment)
    text = own_words(segment)
    heading = segment.section[-1] if segment.section else ""
    if segment.kind == "lead_in":
        row = lead_in_row(text)
        names = (row.name, "trigger") if row.trigger else (row.name,)
        return Wording(segment, text, text, Polarity.DESCRIBES, polarity_of(text), names, heading)
    if segment.kind in ("heading", "comment", "rule", "other", "frontmatter", "table_header"):
        return Wording(segment, text, text, Polarity.DESCRIBES, Polarity.DESCRIBES, (), heading)
    return _statement_wording(segment, text, heading)


def _fence_wording(segment: Segment) -> Wording:
    """Return the wording of a fenced block, which its lead-in orders or doesn't."""
    heading = segment.section[-1] if segment.section else ""
    lead, body = segment.lead_in, "\n".join(segment.lines)
    if not lead:
        return Wording(segment, body, body, Polarity.DESCRIBES, Polarity.DESCRIBES, (), heading)
    own = polarity_of(lead)
    if own is Polarity.DESCRIBES and lead_in_row(lead).trigger:
        own = Polarity.OBLIGES
    return Wording(segment, lead, f"{lead}\n{body}", own, own, (), heading)


def _statement_wording(segment: Segment, text: str, heading: str) -> Wording:
    """Return the wording of an item, a paragraph or a table row with its lead-ins."""
    is_row = segment.kind == "table_row"
    orders_itself = is_row and is_about_acting(segment.header)  # even in a section of prohibitions
    own = row_polarity(segment) if is_row else polarity_of(text)
    governs = not orders_itself and not (segment.kind == "paragraph" and CASES.search(heading))
    reading = read_with_lead_in(text, segment.context, heading if governs else "")
    if is_row and reading.polarity in (Polarity.DESCRIBES, Polarity.OBLIGES) and not reading.lead_ins:
        reading = replace(reading, polarity=own)
    role = list_role(lead_of(segment), segment.above, heading) if segment.ordered else ""
    statement = reading.statement
    if role == "choice" and (not reading.lead_ins or _ranks(lead_of(segment), reading.lead_ins)):
        statement = _with_rank(segment, text, heading)
    return Wording(segment, text, statement, reading.polarity, own, reading.lead_ins, heading, role)


def lead_of(segment: Segment) -> str:
    """Return the words that introduce an item's list: its lead-in, for a nested list its parent with a colon."""
    return segment.lead_in or (segment.parent if segment.parent.endswith((":", "：")) else "")


def _with_rank(segment: Segment, text: str, heading: str) -> str:
    """Return a ranked item with the name of its list and its position, without which it means nothing."""
    name = (lead_of(segment) or heading).rstrip(":： ")
    return f"{name} ({segment.number}): {text}" if name else text


RANKS: Final = pattern(
    r"\b(?:wins?|outranks?|precedence|overrides?|ranked|ranking|hierarchy|priorit(?:y|ies)|in (?:this )?order)\b|优先|優先|为准|為準|prioridad|приоритет"
)
"""Words of lead-ins over a list in which the first counts most."""


def _ranks(lead_in: str, lead_ins: tuple[str, ...]) -> bool:
    return len(lead_ins) == 1 and bool(RANKS.search(lead_in))


BINDS: Final = pattern(
    r"\b(?:must|always|only|required|mandatory)\b|必须|必須|务必|務必|一律|必ず|[只仅僅]|先.{1,20}[后後再]|\b(?:siempre|sempre|toujours|immer)\b|всегда"
)
"""Words that bind, in whichever place of a sentence or a cell they are."""


ORDER_COLUMN: Final = pattern(
    r"^\W*(?:always|never|do(?:n['’]ts?|s)?|must(?: not)?|rules?|必须|禁止|规则|規則|ルール|siempre|nunca|reglas?|regras?|regel|правило)\W*$"
)
"""Names of a first column that is itself the order."""
_MARK: Final = LazyRegex(rf"{CROSS.text}|{TICK.text}")
"""Marks of a table that compares: what is there and what isn't."""


def row_polarity(segment: Segment) -> Polarity:
    """Return the polarity of a table row: the strongest of its cells beside the name of what it is about.

    In a table whose columns aren't about acting, a verb at the head of a cell is what something does.
    """
    first = 0 if ORDER_COLUMN.search(" ".join(segment.header[:1])) else 1
    cells = [_MARK.sub("", plain_text(cell)) for cell in segment.cells[first:]]
    said = set(map(polarity_of, cells))
    if not is_about_acting(segment.header) and not any(map(BINDS.search, cells)):
        said.discard(Polarity.OBLIGES)
    order = (Polarity.FORBIDS, Polarity.OBLIGES, Polarity.PERMITS)
    return next((polarity for polarity in order if polarity in said), Polarity.DESCRIBES)


def prose_of_lead_in(segment: Segment) -> Segment:
    """Return a lead-in of several sentences as a paragraph of all but the last, which alone its items carry.

    Where only the last one orders, it stays with the others, which mean little without it.
    """
    if segment.kind != "lead_in":
        return segment
    said = sentences(segment.text)
    if len(said) < 2:
        return segment
    own = said[:-1] if _orders_before_last(said) else said
    return replace(segment, kind="paragraph", text=" ".join(own))


def _orders_before_last(said: Sequence[str]) -> bool:
    """Return whether a lead-in orders in an earlier sentence, or not in the last one either."""
    orders = [polarity_of(plain_text(text)) in (Polarity.OBLIGES, Polarity.FORBIDS) for text in said]
    return any(orders[:-1]) or not orders[-1]


def own_words(segment: Segment) -> str:
    """Return a segment's own words without markers; a table row includes its header's names."""
    if segment.kind == "table_row":
        pairs = []
        for index, cell in enumerate(segment.cells):
            name = plain_text(segment.header[index]) if index < len(segment.header) else ""
            shown = plain_text(cell, keep_code_marks=True)
            if shown:
                pairs.append(f"{name}: {shown}" if name else shown)
        return "; ".join(pairs)
    return segment.words


def is_about_acting(header: tuple[str, ...]) -> bool:
    """Return whether a table's header is about acting."""
    return bool(ACTION_HEADER.search(" ".join(header)))


def list_role(lead_in: str, above: str, heading: str) -> str:
    """Return the role of a numbered list from the line above it: `procedure`, `choice`, `rules` or `""`.

    A numbered procedure and a numbered rule list look alike; only the line above tells them apart.
    """
    for line in (lead_in,) if lead_in else (above, heading):
        for role, pattern in (("choice", CHOICE), ("rules", RULE_LIST), ("procedure", PROCEDURE)):
            if line and pattern.search(line) and not (role == "rules" and lead_in_row(line).trigger):
                return role
    return ""


STEP_VERB: Final = pattern(
    r"^\W*(?:(?:then|puis|ensuite|luego|después|depois|dann|затем|потом)\s+)?(?:lire|extraire|rédiger|suivre|envoyer|vérifier|créer|écrire|mettre|ajouter|demander|attendre|publier|lancer|ouvrir|noter|résumer"
    r"|leer|extraer|redactar|seguir|enviar|verificar|revisar|crear|escribir|añadir|agregar|preguntar|esperar|publicar|ejecutar|abrir|anotar|resumir|guardar|actualizar|confirmar"
    r"|ler|extrair|redigir|criar|escrever|adicionar|perguntar|executar|salvar|atualizar|carregar|clarificar|planejar|testar|documentar|implementar|analisar|identificar|validar|buscar|definir|registrar"
    r"|lies|prüfe|erstelle|schreibe|sende|frage|öffne|speichere|aktualisiere|прочитай|проверь|создай|напиши|отправь|спроси|открой|сохрани|обнови|запиши)\b"
    r"|^\W*(?:先|再|然后|然後|最后|最後|接着)?(?:检查|檢查|执行|執行|记录|記錄|读取?|讀取?|写入?|寫入?|更新|确认|確認|分析|生成|发送|發送|保存|搜索|搜尋|创建|創建|运行|運行|整理|汇总|彙總|输出|輸出|通知|提交|验证|驗證|打开|打開|制定|拆解)"
    r"|(?:する|します|してください|を確認|を実行|を記録|を読む|を作成|を送る)[。\s]*$"
)
"""Verbs that open (in Japanese, close) a step; in numbered lists only, where a noun is rarely written like them."""


def is_step_list(items: Sequence[Segment]) -> bool:
    """Return whether a numbered list is a sequence of steps: most items order, few forbid or are about the answer."""
    words = [item.words for item in items]
    forbidding = sum(polarity_of(text) is Polarity.FORBIDS for text in words)
    if not items[0].ordered or forbidding > (len(words) >= _LONG_LIST) or _are_cases(items):
        return False
    ordering = sum(
        is_imperative(item.words) or bool(STEP_VERB.search(item.words) or _COMMAND.match(item.text))
        for item in items
    )
    about_answers = sum(bool(OUTPUT_LIMIT.search(text)) for text in words)
    bound = sum(bool(_BOUND.search(text)) for text in words)
    return 2 * ordering >= len(words) and 2 * about_answers < len(words) and 2 * bound <= len(words)


_LONG_LIST: Final = 4
"""A list of so many steps may say at one of them what not to do."""
_COMMAND: Final = LazyRegex(r"[*_]{0,2}`[^`\n]*[\s./][^`\n]*`[*_]{0,2}\W*(?:$|[—–-]\s)")
"""A step that is only a command, with what it is for."""
_BOUND: Final = pattern(
    r"\b(?:must|always|never)\b|必须|必須|务必|務必|必ず|\b(?:siempre|sempre|toujours|immer)\b"
)
"""Words of rules: a list most of whose items have them isn't a sequence."""


def _are_cases(items: Sequence[Segment]) -> bool:
    """Return whether the items under a lead-in that says when are cases, each with what follows from it."""
    return lead_in_row(lead_of(items[0])).trigger and all(ROUTE.search(item.text) for item in items)


def chain(segment: Segment, tag: Tag, lengths: dict[int, int]) -> str:
    """Return a step's position in its numbered list, for `aggregation_hint`, or `""`."""
    length = lengths.get(segment.list_number, 0)
    if tag is not Tag.ORCHESTRATE or not segment.ordered or length < 2:
        return ""
    name = segment.lead_in or segment.above or (segment.section[-1] if segment.section else "")
    under = f" under “{name.rstrip(':：')}”" if name else ""
    return f"chain: step {segment.number} of {length}{under}"
