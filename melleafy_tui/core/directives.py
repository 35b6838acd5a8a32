"""What a text orders: polarity of a sentence, and what a lead-in does to the items under it.

"An item is a rule only with its lead-in" and "polarity lives in the lead-in" (spec/conversion.md 3.2). The tables are
ordered, the first row that matches wins. English first; the other languages of field-notes.md by their usual modal words.
"""

# ruff: noqa: E501 - a word list is easier to read in one piece

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from msgspec import Struct

from melleafy_tui.core.english import FUNCTION_WORDS, IMPERATIVES
from melleafy_tui.core.models.vocabulary import Polarity
from melleafy_tui.core.wording import lower_first, sentences
from melleafy_tui.core.wording_pattern import WordingPattern


class LeadIn(Struct, frozen=True):
    """One row of the lead-in table.

    Attributes:
        name: Stable name of the row.
        pattern: What the lead-in's text looks like.
        polarity: What it makes of a bare item, None where the item speaks for itself.
        joins: Whether the item's statement carries the lead-in.
        trigger: Whether the lead-in itself says when to act.
    """

    name: str
    pattern: WordingPattern
    polarity: Polarity | None
    joins: bool
    trigger: bool = False


def _words(pattern: str, words: str = "") -> WordingPattern:
    return WordingPattern(pattern, words=words)


LEAD_INS: Final[tuple[LeadIn, ...]] = (
    LeadIn(
        "ask_first",
        _words(
            r"\b(?:ask|check with \w+|confirm(?: with \w+)?|get (?:approval|permission|confirmation|consent))\s+"
            r"(?:\w+\s+){0,3}?(?:first|before|when unsure)\b"
            r"|\b(?:needs?|requires?|requiring|needing)\s+(?:\w+\s+){0,2}?"
            r"(?:approval|confirmation|permission|consent)\b|^(?:always )?ask$|先问|先确认|事前確認|сначала спроси"
            r"|\bpregunta primero|\bpergunte (?:antes|primeiro)",
            words="first before unsure approval confirmation permission consent ask pregunta pergunte",
        ),
        Polarity.OBLIGES,
        joins=True,
    ),
    LeadIn(
        "permits",
        _words(
            r"\bsafe to\b|\bfeel free\b|\bfreely\b|\byou (?:may|can)(?! (?:not|never|only))\b|\bfree to\b|\bok(?:ay)? to\b"
            r"|\bwithout asking\b|\b(?<!not )(?:allowed|permitted)\b|\bno need to ask\b|可以自由|无需(?:询问|确认)|允许"
            r"|можно свободно|разрешено|\bpuedes (?:hacer )?libremente|\bpermitido",
            words="safe feel free freely may can ok okay without allowed permitted need puedes permitido",
        ),
        Polarity.PERMITS,
        joins=True,
    ),
    LeadIn(
        "forbids",
        _words(
            r"\bmust(?:n['’]t| not| never)\b|\bnever\b|\b(?:do|does|should|may|can) ?n(?:o|['’])t(?:s|['’]s)?\b|\bcannot\b"
            r"|\bdo nots?\b|\bavoid(?:ed)?\b|\bforbidden\b|\bprohibited\b|\bnot allowed\b|\boff[- ]limits\b|\bwon['’]t\b"
            r"|\bhard no\b|\bno[- ]gos?\b|\bnot to do\b|\bdon['’]t\b|\bunder no circumstances\b|\banti-?patterns?\b"
            r"|禁止|不要|不得|严禁|嚴禁|绝不|絕不|不能|勿|しないこと|してはいけない|やらないこと|никогда|нельзя|запрещ|заборонено|ніколи"
            r"|\bnunca\b|\bjamás\b|\bprohibid|\bproibid|\bjangan\b|\bdilarang\b|\bniemals\b|\bverboten\b|\bjamais\b",
            words="must mustn never do don donot dont does should may mayn can cann cannot avoid forbidden prohibited not off"
            " won hard no under anti antipattern nunca prohibid proibid jangan dilarang niemals verboten jamais",
        ),
        Polarity.FORBIDS,
        joins=True,
    ),
    LeadIn(
        "notes",
        _words(r"^(?:notes?|background|context)$", words="note background context"),
        Polarity.DESCRIBES,
        joins=True,
    ),
    LeadIn(
        "examples",
        _words(
            r"\b(?:for example|examples?|for instance|e\.g\.?|such as|samples?|definitions?|glossary|legend|history"
            r"|change ?log|background)\s*$|^examples?\b|例如|示例|例：?$|пример|\bejemplos?",
            words="example instance e such sample definition glossary legend history change changelog background ejemplo",
        ),
        Polarity.DESCRIBES,
        joins=True,
    ),
    LeadIn(
        "conditions",
        _words(
            r"\b(?:when|if|unless|whenever|until|after|before|only if|only when|in case)\s*$|(?:时|時|если|\bcuando)\s*$",
            words="when if unless whenever until after before case cuando",
        ),
        None,
        joins=True,
    ),
    LeadIn(
        "trigger",
        _words(
            r"^(?:\W*)(?:if|when|whenever|unless|before|after|until|once|while|upon|during|as soon as|in case"
            r"|at the (?:start|end|beginning) of|on (?:each|every|first|any)|every (?:session|time|day|morning|evening|week"
            r"|turn|reply)|each (?:session|time|day|turn)|for (?:each|every|any))\b"
            r"|\bbefore (?:doing|you|any|each|every|starting)\b|\bat the (?:start|end) of (?:a|the|each|every)\b"
            r"|^(?:如果|当|當|每次|每天|在.{0,12}(?:前|后|時|时)|若)|^(?:если|когда|перед|после)\b|^(?:si|cuando|antes de|al)\b",
            words="if when unless before after until once while upon during soon case start end beginning each every first"
            " any si cuando antes al",
        ),
        None,
        joins=True,
        trigger=True,
    ),
    LeadIn(
        "obliges",
        _words(
            r"\b(?:must|always|required|mandatory)\b|^do$|^dos$|必须|必須|务必|務必|总是|обязательно|всегда|\bsiempre\b|\bsempre\b",
            words="must always required mandatory do dos siempre sempre",
        ),
        Polarity.OBLIGES,
        joins=True,
    ),
)

RED_LINES: Final = _words(
    r"^(?:red lines?|hard (?:limits?|stops?|lines?)|红线|紅線|レッドライン|красные линии)$",
    words="red hard",
)
"""Headings under which a bare noun phrase is forbidden."""

NAMES: Final = LeadIn("names", _words(""), None, joins=True)
"""A lead-in that gives the items their subject ("Send reports to:")."""

ANNOUNCES: Final = LeadIn(
    "announces",
    _words(
        r"\b(?:following|as follows|rules?|steps?|guidelines?|principles?|check ?lists?|procedures?|workflows?|process"
        r"|here(?:['’]s| is| are)|instructions?|tasks?|priorities|list|below|requirements?|basics|overview)\b"
        r"|规则|規則|步骤|如下|以下|правила|шаги|reglas|pasos|regras|passos|^.{0,2}$"
    ),
    None,
    joins=False,
)
"""A lead-in that only announces what follows."""

_FORGIVEN = _words(
    r"\b(?:never|do not|don['’]t) (?:forget|hesitate|fail|skip|miss|neglect|be afraid|stop)\b|\bnot only\b|别忘|不要忘",
    words="forget hesitate fail skip miss neglect afraid stop only",
)
_CONDITION_HEAD = r"(?:(?:if|when|whenever|unless|before|after|while|once|until|in|on|at|during|for|with|as)\b[^,;:.]{0,160}[,:]\s*)?"
_LEADING_LABEL = r"(?:[^.!?:：]{1,60}[:：]\s*|[^.!?—–]{1,60}\s[—–-]\s+)?"
_FORBIDS = _words(
    r"^\W*" + _LEADING_LABEL + _CONDITION_HEAD + r"(?:please\s+|you\s+|and\s+|but\s+|just\s+|also\s+)*"
    r"(?:never\b|do\s?n(?:o|['’])t\b|do not\b|dont\b|avoid\b|must ?n(?:o|['’])?t\b|must not\b|must never\b|should(?:n['’]t| not| never)\b"
    r"|may not\b|can(?:not|['’]t| not)\b|not to\b|no\s(?!need\b|matter\b|longer\b|problem\b|one\b)|stop \w+ing\b|refrain\b|under no circumstances\b"
    r"|refuse\b|不要|不得|不能|不可|禁止|严禁|嚴禁|绝不|絕不|绝对不|切勿|请勿|勿|别|никогда\b|нельзя\b|не\s|запрещ|ніколи\b|nunca\b|jamás\b|no\s\w+[ae]s?\b|não\b|nao\b"
    r"|jangan\b|dilarang\b|niemals\b|nie\b|keine?\b|ne\s\w+\spas\b|jamais\b)",
    words="never do don donot dont avoid must should may can cannot not no stop refrain refuse under nunca jangan dilarang"
    " niemals nie kein keine ne jamais nao",
)
_FORBIDS_WITHIN = _words(
    r"\b(?:must|should|may|will|shall|can)(?:n['’]t| not| never)\b|\bcannot\b|\bcan['’]t\b|\bnever\b|\bnot allowed\b|\b(?:is|are) (?:strictly )?"
    r"(?:forbidden|prohibited|off[- ]limits|banned)\b|不得|禁止|严禁|絕不|绝不|してはいけない|しないで|ないでください|нельзя|запрещ|не должен"
    r"|\bnunca|\bjangan|\bdilarang",
    words="must mustn should shouldn may mayn will willn shall shalln can cann cannot never not forbidden prohibited off"
    " banned nunca jangan dilarang",
)
_PERMITS = _words(
    r"^\W*"
    + _LEADING_LABEL
    + _CONDITION_HEAD
    + r"(?:you|the agent|the assistant|i)?\s*(?:\b|(?=['’]))(?:(?:may|can|could)(?!['’]t| not| never| only|not)\b(?=\s\w)"
    r"|(?:are|is|['’]re) (?:free|allowed|welcome|permitted) to\b|feel free\b|free to\b|(?:it['’]?s |it is )?(?:ok|okay|fine|safe|allowed) to\b"
    r"|no need to\b|optionally\b|可以|允许|可自由|можно\b|можешь\b|puedes\b|podes\b|pode\b|boleh\b)",
    words="may can could free allowed welcome permitted feel ok okay fine safe need optionally puedes podes pode boleh",
)
_OBLIGES = _words(
    r"\b(?:needs?|requires?|require) (?:\w+ ){0,2}?(?:approval|permission|confirmation|consent|sign-?off)\b"
    r"|^(?:спроси|проверь|проверяй|отвечай|пиши|используй|читай|сохраняй|обновляй|сообщи|предупреди|избегай)(?:те)?\b"
    r"|^(?:pregunta|pregunte|pergunte|confirma|confirme|revisa|revise|verifica|verifique|comprueba|responde|responda|usa|use|evita|evite|avisa|avise|escribe|escreva|lee|leia|mantén|mantenha)\b"
    r"|^(?:询问|问)|[，,]用|\b(?:must|always|should|shall|need(?:s|ed)? to|ha(?:ve|s) to|required to|is required|ensure|make sure|be sure|ought to|only use)\b"
    r"|不超过|控制在|^(?:请|先|再|始终|永远|优先|尽量|尽快|及时|立即|主动|保持|使用|检查|查看|读取|阅读|更新|记录|回复|回答|确认|遵守|尊重|遇到|收到|每日|定期)|必须|必須|务必|務必|应该|应当|應該|总是|總是|一定要|确保|確保|每次|请|請|[，,](?:先|请|就|则|要|应|立即|马上|通知)|^先.{1,40}再|需要|ください|すること|必ず|обязательно|всегда|сначала|сразу|нужно|должен|следует|завжди"
    r"|\bsiempre\b|\bdebe[ns]?\b|\bhay que\b|\bsempre\b|\bdeve[ms]?\b|\bharus\b|\bselalu\b|\bwajib\b|\btoujours\b|\bdoi[st]\b|\bimmer\b|\bmuss\b|반드시|항상|하세요",
    words="need needs require required pregunta pergunte confirma confirme revisa revise verifica verifique comprueba"
    " responde responda usa use evita evite avisa avise escribe escreva lee leia mantenha must always should shall have has ensure"
    " make be ought only siempre debe debes deben hay sempre deve deves harus selalu wajib toujours dois doit immer muss",
)
_CONDITION = _words(
    r"(?:^|[\s(,;:—–-])(?:if|when|whenever|unless|before|after|until|once|as soon as|in case|except when)\s+\S"
    r"|先.{1,30}再|如果|当.{1,30}[时時]|當.{1,30}[時时]|除非|之前|之后|以前|以后|の場合|たら|する前|если\b|когда\b|перед\b|после\b|якщо\b|\bsi\s|\bcuando\b|\bantes de\b"
    r"|\bquando\b|\bse\s|\bjika\b|\bapabila\b|\bsebelum\b|\bwenn\b|\bbevor\b|\blorsque\b|\bavant de\b|만약|경우",
    words="if when unless before after until once soon case si cuando antes quando se jika apabila sebelum wenn bevor"
    " lorsque avant",
)
_AFTER_CONDITION = re.compile(
    r"(?:if|when|whenever|unless|before|after|while|once|until|in|on|at|during|for|to|as|over|by|upon|from|throughout|every|each|with)\b"
    r"[^,→]{1,200}?(?:,|→|->|=>)\s*(?P<rest>.+)",
    re.IGNORECASE | re.DOTALL,
)
_QUOTED_SUBJECT = re.compile(r"\W*[\"“«][^\"”»]{1,200}[\"”»]\s+(?:is|are|was|means)\b", re.IGNORECASE)
_CROSS = re.compile(r"\W{0,4}(?:[❌🚫⛔✗✘✖]\ufe0f?)\s*")
_TICK = re.compile(r"\W{0,4}(?:[✅✔✓☑]\ufe0f?)\s*")
"""Marks that order by themselves: a cross forbids what stands after it, a tick only praises it."""
_CODE_SUBJECT = re.compile(r"\W*`|[\w./-]+\.[A-Za-z]\w{0,4}\b")
"""A code span or a file's name at the head of a sentence is no verb, whatever its letters."""
_SUBORDINATE = re.compile(r"\b(?:that|which|who|what|whose|because|since|so that)\b", re.IGNORECASE)
LONGEST_LOOK: Final = 4
"""Sentences of a text that are read for an order."""

LONGEST_LABEL: Final = 4
"""Words of a first sentence that only names what the next one forbids ("Tests first. No code without tests.")."""

LONGEST_PARENT: Final = 3
"""Words of a parent item that only names what the items under it are about ("Oven")."""

_FIRST_WORDS = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")
_AROUND: Final = re.compile(r"^\W+|\W+$")
_STATES: Final = frozenset(
    {"is", "are", "was", "were", "has", "had", "means", "contain", "contains", "lives", "live"}
)
_ADVERBS: Final = frozenset(
    {"always", "please", "then", "also", "first", "next", "finally", "only", "instead", "just", "immediately", "briefly",
     "proactively", "actively", "carefully", "quickly", "regularly", "periodically", "now", "lastly", "second", "third",
     "silently", "and", "or", "but", "so", "explicitly", "clearly", "simply", "occasionally", "automatically"}
)  # fmt: skip


_VERBS_AND_ADVERBS: Final = IMPERATIVES | _ADVERBS

_ASKS: Final = re.compile(
    r"(?:what|why|how|which|where|who)\b(?!.*\b(?:not to|to avoid|never|must not)\b)", re.IGNORECASE
)
"""A heading that asks ("What does not scale") is no order, unless it names what not to do."""


@lru_cache(maxsize=256)  # it stands above many items
def lead_in_row(text: str) -> LeadIn:
    """Return the row that says what a lead-in or heading does to the items under it."""
    bare = text.strip().strip("*_").rstrip(":：").strip()
    if _FORGIVEN.search(bare):
        return ANNOUNCES
    for row in LEAD_INS:
        if row.pattern.search(bare):
            return row
    return ANNOUNCES if ANNOUNCES.pattern.search(bare) else NAMES


@lru_cache(maxsize=256)  # it stands above many items
def heading_row(heading: str) -> LeadIn:
    """Return what a heading does to bare items under it; only short headings that speak of acting count."""
    bare = _AROUND.sub("", heading)
    if RED_LINES.match(bare):
        return LeadIn("red_lines", RED_LINES, None, joins=True)
    if len(bare.split()) > 6 or _ASKS.match(bare):
        return ANNOUNCES
    row = lead_in_row(bare)
    return row if row.name in ("forbids", "permits", "ask_first", "examples", "notes") else ANNOUNCES


@lru_cache(maxsize=256)  # an item's own words are read by themselves, with its lead-in and by its list
def polarity_of(text: str) -> Polarity:
    """Return what a text by itself does to the agent: its first sentence, else the first one after it that orders."""
    if _CROSS.match(text):
        return Polarity.FORBIDS
    if _TICK.match(text):
        text = _TICK.sub("", text, count=1)
    first, *later = sentences(text)[:LONGEST_LOOK] or ("",)
    polarity = _sentence_polarity(first)
    if polarity is not Polarity.DESCRIBES:
        return polarity
    ordered = next(
        (found for found in map(_sentence_polarity, later) if found is not Polarity.DESCRIBES), polarity
    )
    if ordered is Polarity.FORBIDS and len(first.split()) > LONGEST_LABEL:
        return Polarity.OBLIGES
    return ordered


def _sentence_polarity(sentence: str) -> Polarity:
    if _FORGIVEN.search(sentence):
        return Polarity.OBLIGES
    if _QUOTED_SUBJECT.match(sentence):
        return Polarity.DESCRIBES
    if _FORBIDS.match(sentence):
        return Polarity.FORBIDS
    if _PERMITS.match(sentence):
        return Polarity.PERMITS
    if is_imperative(sentence):
        return Polarity.OBLIGES
    main_clause = _SUBORDINATE.split(sentence, maxsplit=1)[0]
    if _FORBIDS_WITHIN.search(main_clause):
        return Polarity.FORBIDS
    if _OBLIGES.search(main_clause):
        return Polarity.OBLIGES
    return Polarity.DESCRIBES


def is_imperative(text: str) -> bool:
    """Return whether a sentence opens with a verb that orders, also after a label or a condition."""
    if _opens_with_verb(text):
        return True
    label = _LABEL.match(text)
    if label and _opens_with_verb(label["rest"]):
        return True
    condition = _AFTER_CONDITION.match(text)
    return bool(condition and _opens_with_verb(condition["rest"]))


_LABEL: Final = re.compile(r"[^.!?:：—–]{1,80}(?:[:：]|\s(?:[—–-]|→|->|=>))\s+(?P<rest>.+)", re.DOTALL)


def has_condition(text: str) -> bool:
    """Return whether a text says when it holds."""
    return bool(_CONDITION.search(text))


def _opens_with_verb(text: str) -> bool:
    opening = _FIRST_WORDS.search(text, 0, 160)
    if opening is None or opening[0].casefold() not in _VERBS_AND_ADVERBS or _CODE_SUBJECT.match(text):
        return False
    words = _FIRST_WORDS.findall(text[:160])
    while words and words[0].casefold() in _ADVERBS and len(words) > 1:
        if words[0].casefold() == "always":
            return True
        words = words[1:]
    if not words or words[0].casefold() not in IMPERATIVES:
        return False
    following = [word.casefold() for word in words[1:3]]
    bare = text.lstrip("*_`\"' ")
    if any(mark in bare for mark in ":：|") and re.match(
        rf"(?:\w+\s+)?{re.escape(words[0])}\s*[:：|]", bare, re.IGNORECASE
    ):
        return False
    if following and following[0] in _STATES:
        return False
    # "Test results are here": a noun that looks like a verb, with its verb after the next word.
    return len(following) < 2 or following[1] not in _STATES or following[0] in FUNCTION_WORDS


class Reading(Struct, frozen=True):
    """An item read with what stands above it: its statement, its polarity, and the rows that decided."""

    statement: str
    polarity: Polarity
    lead_ins: tuple[str, ...] = ()


def read_with_lead_in(text: str, context: Sequence[str], heading: str = "") -> Reading:
    """Return an item's self-contained statement and its polarity.

    Args:
        text: The item's own words.
        context: Lead-ins and parent items above it, outermost first.
        heading: The innermost heading above it.
    """
    own = polarity_of(text)
    polarity = own
    text = _without_marks(text)
    carried: list[str] = []
    rows: list[str] = []
    for above in context:
        row = lead_in_row(above) if above.rstrip().endswith((":", "：")) else None
        if row is None:
            label = len(above.split()) <= LONGEST_PARENT and polarity_of(above) is Polarity.DESCRIBES
            if label or (own is Polarity.DESCRIBES and len(above) <= 160):
                carried.append(above.rstrip(".。"))
            continue
        if row.joins and not _speaks_for_itself(row, own):
            carried.append(_announcement(above))
            rows.append(row.name)
            polarity = _combined(row, own, polarity)
            if row is NAMES and polarity is Polarity.DESCRIBES and is_imperative(carried[-1]):
                polarity = Polarity.OBLIGES
    if not rows and heading:
        row = heading_row(heading)
        if (
            row.joins
            and not (_bounds_itself(text, own) if row.name == "red_lines" else _speaks_for_itself(row, own))
            and (row.polarity is not None or own is Polarity.DESCRIBES or row.name == "red_lines")
        ):
            carried.insert(0, _AROUND.sub("", heading))
            rows.append(row.name)
            polarity = _of_red_line(own) if row.name == "red_lines" else _combined(row, own, polarity)
    if not carried:
        return Reading(text, polarity)
    return Reading(": ".join((*carried, lower_opening(text))), polarity, tuple(rows))


def _without_marks(text: str) -> str:
    """Return a text without a tick at its head, and with "Don't" for a cross."""
    if not _CROSS.match(text):
        return _TICK.sub("", text, count=1) if _TICK.match(text) else text
    bare = _CROSS.sub("", text, count=1)
    return bare if polarity_of(bare) is Polarity.FORBIDS else f"Don't: {lower_opening(bare)}"


def _announcement(lead_in: str) -> str:
    """Return the last sentence of a lead-in without its colon and without symbols at its head."""
    last = (sentences(lead_in) or (lead_in,))[-1]
    return re.sub(r"^[^\w\"“(`\[]+", "", last.rstrip().rstrip(":：").rstrip()) or last


_BOUND: Final = re.compile(
    r"\b(?:when(?:ever)?|if|unless|until|before|after|always|only|must|should|need|ask|confirm|instead|over)\b|>|如果|除非|必须|先",
    re.IGNORECASE,
)
"""Words that make an order a boundary of its own."""


def _bounds_itself(text: str, own: Polarity) -> bool:
    """Return whether an item says by itself what the red line is: it forbids, or orders under a condition.

    A bare order ("Share client data") names the act that lies behind the line, so it must keep its heading.
    """
    return own is Polarity.FORBIDS or (own is not Polarity.DESCRIBES and bool(_BOUND.search(text)))


def _of_red_line(own: Polarity) -> Polarity:
    return Polarity.FORBIDS if own is Polarity.DESCRIBES else own


def _speaks_for_itself(row: LeadIn, own: Polarity) -> bool:
    """Return whether an item with this polarity of its own needs no such lead-in."""
    if row.name == "notes":
        return own in (Polarity.FORBIDS, Polarity.OBLIGES)
    return (row.polarity is Polarity.FORBIDS and own is Polarity.FORBIDS) or (
        row.polarity is Polarity.PERMITS and own is Polarity.FORBIDS
    )


def _combined(row: LeadIn, own: Polarity, so_far: Polarity) -> Polarity:
    if row.polarity is not None:
        return row.polarity
    if row.name == "conditions" or (row.name == "trigger" and own is Polarity.DESCRIBES):
        return Polarity.OBLIGES
    return so_far


_COMMON_WORDS: Final = IMPERATIVES | FUNCTION_WORDS


def lower_opening(text: str) -> str:
    """Return text that can stand after a colon: a common first word loses its capital, a name keeps it."""
    word = re.match(r"[^\W\d_]+(?:['’-][^\W\d_]+)*", text)
    if word and word[0].casefold() in _COMMON_WORDS and word[0] != "I":
        return lower_first(text)
    first = word[0].casefold() if word else ""
    if first.endswith("ing") and len(first) > 5:
        return lower_first(text)
    return text
