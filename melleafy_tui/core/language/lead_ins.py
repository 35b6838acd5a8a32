"""Combines a lead-in or a heading with the items under it.

An item is often a rule only because of its lead-in, and the lead-in can give the polarity. The table is ordered; the
first matching row wins.
"""

# ruff: noqa: E501 - a word list is easier to read in one piece

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from msgspec import Struct

from melleafy_tui.core.language.directives import (
    CROSS,
    FORGIVEN,
    FUNCTION_WORDS,
    IMPERATIVES,
    TICK,
    polarity_of,
)
from melleafy_tui.core.language.wording import lower_first, sentences
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.vocabulary import Polarity


class LeadIn(Struct, frozen=True):
    """One row of the lead-in table.

    Attributes:
        name: Stable name of the row.
        pattern: The pattern of the lead-in's text.
        polarity: The polarity of a bare item under it, None if the item decides.
        joins: Whether the item's statement includes the lead-in.
        trigger: Whether the lead-in itself says when to act.
    """

    name: str
    pattern: LazyRegex
    polarity: Polarity | None
    joins: bool
    trigger: bool = False


LEAD_INS: Final[tuple[LeadIn, ...]] = (
    LeadIn(
        "ask_first",
        LazyRegex(
            r"\b(?:ask|check with \w+|confirm(?: with \w+)?|get (?:approval|permission|confirmation|consent))\s+"
            r"(?:\w+\s+){0,3}?(?:first|before|when unsure)\b"
            r"|(?<!no )\b(?:needs?|requires?|requiring|needing)\s+(?:[\w'’-]+\s+){0,2}?"
            r"(?:approval|confirmation|permission|consent)\b|(?<!no )\b(?:approval|confirmation|permission|consent|sign-?off) (?:is )?(?:required|needed)\b|\b(?:precisa\w*|requer\w*|requier\w+|necesita\w*) (?:de |\w+ )?(?:aprova|aproba|confirma|permi[st]|autoriza)\w*|^(?:always )?ask$|先问|先确认|(?:向|跟|与|與|经|經)\S{1,6}(?:确认|確認|批准)|事前確認|сначала спроси"
            r"|先に(?:確認|聞|相談)|(?:要|が必要な)(?:確認|承認)|承認が必要|\bpregunta primero|\bpergunte (?:antes|primeiro)",
            re.IGNORECASE,
        ),
        Polarity.OBLIGES,
        joins=True,
    ),
    LeadIn(
        "permits",
        LazyRegex(
            r"\bsafe to\b|\bfeel free\b|\bfreely\b|\byou (?:may|can)(?! (?:not|never|only))\b|\bfree to\b|\bok(?:ay)? to\b"
            r"|自由に(?:やって|して|でき)|(?:確認|許可)(?:なし|不要)で|\b(?:do|does)(?:n['’]t| not) (?:require|need) (?:[\w'’-]+ ){0,3}?(?:input|approval|permission|confirmation|review|consent)\b|\b(?:without asking|no approval|without approval)\b|\b(?<!not )(?:allowed|permitted)\b|\bno need to ask\b|可以自由|^可以|^可[上发發公分]|^(?:se puede|pode-se|man darf|on peut|можно)\b|してよい|してもよい|可(?:以)?(?:自主|自行|独立|獨立|放心)(?:决定|決定|处理|處理|执行|執行|完成|操作|做)?|无需(?:询问|确认)|(?<!不)(?:允许|允許)|可(?:直接)?[执執]行|\bautoris(?:é|ée|és|ées)\b|\berlaubt\b"
            r"|можно свободно|разрешено|\bpuedes (?:hacer )?libremente|\bpermitido",
            re.IGNORECASE,
        ),
        Polarity.PERMITS,
        joins=True,
    ),
    LeadIn(
        "forbids",
        LazyRegex(
            r"\bmust(?:n['’]t| not| never)\b|\bnever\b|\b(?:do|does|should|may|can) ?n(?:o|['’])t(?:s|['’]s)?\b|\bcannot\b"
            r"|\bdo nots?\b|\bavoid(?:ed)?\b|\bforbidden\b|\bprohibited\b|\bnot allowed\b|\boff[- ]limits\b|\bwon['’]t\b"
            r"|\bhard no\b|\bno[- ]gos?\b|\bnot to do\b|\bdon['’]t\b|\bunder no circumstances\b|\banti-?patterns?\b"
            r"|禁止|不要|不得|严禁|嚴禁|绝不|絕不|不能|勿|しないこと|してはいけない|やらないこと|никогда|нельзя|запрещ|заборонено|ніколи"
            r"|不允许|不允許|^避免|\bevit(?:e|a|ar|ez|er)\b|\bvermeide[nt]?\b|избега(?:й|ть)|\binterdit|\b(?:não|no|nicht|ne pas) (?:fazer|hacer|tun|faire)\b|\bnunca\b|\bjamás\b|\bprohibid|\bproibid|\bjangan\b|\bdilarang\b|\bniemals\b|\bverboten\b|\bjamais\b",
            re.IGNORECASE,
        ),
        Polarity.FORBIDS,
        joins=True,
    ),
    LeadIn(
        "notes",
        LazyRegex(r"^(?:notes?|background|context)$", re.IGNORECASE),
        Polarity.DESCRIBES,
        joins=True,
    ),
    LeadIn(
        "examples",
        LazyRegex(
            r"^(?!\W*(?:if|when(?:ever)?|before|after|unless)\b).*\b(?:for example|examples?|for instance|e\.g\.?|such as|samples?|definitions?|glossary|legend|history"
            r"|change ?log|background)\s*$|^examples?\b|例如|示例|例：?$|пример|\bejemplos?",
            re.IGNORECASE,
        ),
        Polarity.DESCRIBES,
        joins=True,
    ),
    LeadIn(
        "conditions",
        LazyRegex(
            r"\b(?:when|if|unless|whenever|until|after|before|only if|only when|in case)\s*$|(?:时|時|时机|時機|时候|時候|场景|場景|情况|情況|とき|場合|ケース|если|когда|\bcuando|\bquando|\bquand|\blorsque|\bwenn)(?:[（(][^()（）]{0,40}[)）])?\s*$",
            re.IGNORECASE,
        ),
        None,
        joins=True,
    ),
    LeadIn(
        "trigger",
        LazyRegex(
            r"^(?:\W*)(?:if|when|whenever|unless|before|after|until|once|while|upon|during|as soon as|in case"
            r"|at the (?:start|end|beginning) of|on (?:each|every|first|any)|every (?:session|time|day|morning|evening|week"
            r"|turn|reply)|each (?:session|time|day|turn)|for (?:each|every|any))\b"
            r"|\bbefore (?:doing|you|any|each|every|starting)\b|\bat the (?:start|end) of (?:a|the|each|every)\b"
            r"|^(?:如果|当|當|每次|每天|在.{0,12}(?:前|后|時|时)|若)|^(?:если|когда|перед|после)\b|^(?:si|cuando|antes de|al)\b",
            re.IGNORECASE,
        ),
        None,
        joins=True,
        trigger=True,
    ),
    LeadIn(
        "obliges",
        LazyRegex(
            r"\b(?:must|always|required|mandatory)\b|^do$|^dos$|必须|必須|务必|務必|总是|обязательно|всегда|\bsiempre\b|\bsempre\b",
            re.IGNORECASE,
        ),
        Polarity.OBLIGES,
        joins=True,
    ),
)

RED_LINES: Final = LazyRegex(
    r"^(?:red lines?|hard (?:limits?|stops?|lines?)|红线|紅線|レッドライン|красные линии)$", re.IGNORECASE
)
"""Headings under which a bare noun phrase is forbidden."""

CASES: Final = LazyRegex(
    r"^when (?:not )?to (?!use\b)\w+|\b(?:when|if|only if|unless)$|^(?:何时|何時|什么时候|什麼時候)|(?:时机|時機|タイミング|する(?:とき|場合))$|^(?:cuándo|quando|quand|wann|когда) (?!usar\b|utiliser\b|verwend)\w+",
    re.IGNORECASE,
)
"""Headings that say when to do something ("When to escalate"); the items below are the cases."""

NAMES: Final = LeadIn("names", LazyRegex("", re.IGNORECASE), None, joins=True)
"""A lead-in that completes the sentence its items finish ("Send reports to:")."""

ANNOUNCES: Final = LeadIn(
    "announces",
    LazyRegex(
        r"\b(?:following|as follows|rules?|steps?|guidelines?|principles?|check ?lists?|procedures?|workflows?|process"
        r"|here(?:['’]s| is| are)|instructions?|tasks?|priorities|list|below|requirements?|basics|overview)\b"
        r"|规则|規則|步骤|如下|以下|правила|шаги|reglas|pasos|regras|passos|^(?!be$).{0,2}$",
        re.IGNORECASE,
    ),
    None,
    joins=False,
)
"""A lead-in that only introduces what follows."""

LONGEST_PARENT: Final = 3
"""Maximum words in a parent item that only names a topic ("Oven")."""

_AROUND: Final = LazyRegex(r"^\W+|\W+$")
_BRACKETS: Final = ("()", "（）", "[]", "【】", "「」")

_ASKS: Final = LazyRegex(
    r"(?:what|why|how|which|where|who)\b(?!.*\b(?:not to|to avoid|never|must not)\b)", re.IGNORECASE
)
"""A heading that asks a question ("What does not scale"), which isn't an order unless it says what not to do."""


@lru_cache(maxsize=256)  # many items share a lead-in
def lead_in_row(text: str) -> LeadIn:
    """Return the table row for a lead-in or heading."""
    bare = text.strip().strip("*_").rstrip(":：").strip()
    if FORGIVEN.search(bare):
        return ANNOUNCES
    governing = _governing(bare)
    for row in LEAD_INS:
        if row.pattern.search(governing if row.polarity is Polarity.FORBIDS else bare):
            return row
    return ANNOUNCES if ANNOUNCES.pattern.search(bare) else NAMES


_CASE: Final = LazyRegex(
    r"\W*(?:(?:if|when(?:ever)?|once|while|si|cuando|quando|se|wenn|falls|quand|lorsque|если|когда)\b|如果|若(?!要)|[当當](?![前然日天]))",
    re.IGNORECASE,
)
_RULES: Final = LazyRegex(
    r"\b(?:required|mandatory|rules?|principles?|laws?)\b|(?:规则|規則|铁律|鐵律|原则|原則|ルール)\W*$|\b(?:reglas|regras|règles|regeln)\b",
    re.IGNORECASE,
)
"""Names of what holds as it stands, whatever a bracket says about breaking it."""
_BRACKETED: Final = LazyRegex(r"(?:\([^()]*\)?|（[^（）]*）?)\s*$")
_ASIDE: Final = LazyRegex(
    r"[—–;；,，]\s*(?:but )?(?:(?:never|not|do not|don['’]t|nunca|nie|jamais|не)(?![\w-])|不要|别|別|而不是|而非).*$",
    re.IGNORECASE,
)


def _governing(lead_in: str) -> str:
    """Return the words of a lead-in whose prohibition holds for its items.

    Not those of a condition ("When you don't know"), nor of an aside ("look first, never guess", "(never empty)").
    """
    if _CASE.match(lead_in):
        _, comma, lead_in = lead_in.replace("，", ",").rpartition(",")
        if not comma:
            return ""
    bare = _BRACKETED.sub("", lead_in).rstrip()
    if bare != lead_in and (
        _RULES.search(bare) or polarity_of(bare) is Polarity.OBLIGES or "(or " in lead_in
    ):
        lead_in = bare
    before = _ASIDE.sub("", lead_in).rstrip()
    return before if before != lead_in and polarity_of(before) is Polarity.OBLIGES else lead_in


@lru_cache(maxsize=256)  # many items share a heading
def heading_row(heading: str) -> LeadIn:
    """Return the table row for a heading over bare items; only short headings about acting count."""
    bare = _AROUND.sub("", heading)
    head, dash, _ = bare.partition(" - ")
    if dash and lead_in_row(head) in (ANNOUNCES, NAMES):
        return ANNOUNCES
    if RED_LINES.match(bare):
        return LeadIn("red_lines", RED_LINES, None, joins=True)
    if len(bare.split()) > 6 or _ASKS.match(bare):
        return ANNOUNCES
    row = lead_in_row(bare)
    if row.polarity is None and CASES.search(bare):
        return LeadIn("trigger", CASES, None, joins=True, trigger=True)
    return row if row.name in ("forbids", "permits", "ask_first", "examples", "notes") else ANNOUNCES


class LeadInReading(Struct, frozen=True):
    """An item combined with its lead-ins: its statement, its polarity, and the rows that decided."""

    statement: str
    polarity: Polarity
    lead_ins: tuple[str, ...] = ()


def read_with_lead_in(text: str, context: Sequence[str], heading: str = "") -> LeadInReading:
    """Return an item's self-contained statement and its polarity.

    Args:
        text: The item's own words.
        context: Lead-ins and parent items above it, outermost first.
        heading: The innermost heading above it.
    """
    own = polarity_of(text)
    if _is_quoted_example(text, context, heading) or (
        own is Polarity.FORBIDS and _is_fault(text, context, heading)
    ):
        own = Polarity.DESCRIBES
    if _RIGHT_WAY.match(text):
        context = [above for above in context if lead_in_row(above).polarity is not Polarity.FORBIDS]
        heading = "" if heading_row(heading).polarity is Polarity.FORBIDS else heading
    text = _without_marks(text) or text
    carried, rows, polarity = _carried_from(text, context, own)
    if not rows and heading and _heading_counts(row := heading_row(heading), text, own):
        carried.insert(0, _heading_words(heading))
        rows.append(row.name)
        polarity = _of_red_line(own) if row.name == "red_lines" else _combined(row, own, polarity)
    if not carried:
        return LeadInReading(text, polarity)
    return LeadInReading(": ".join((*carried, lower_opening(text))), polarity, tuple(rows))


_RIGHT_WAY: Final = LazyRegex(
    rf"{TICK.text}|\W{{0,4}}(?:good|better|best|right|correct|do(?: this)?(?: instead)?|instead|正确|正確|推荐|推薦|良い例|正しい)\W{{0,4}}[:：]",
    re.IGNORECASE,
)
"""What shows the right way among things that are forbidden."""
_LACK: Final = LazyRegex(r"\W*(?:no|not|missing|没有|沒有|无|無|缺少)\s?(?!\w+ing\b)\S", re.IGNORECASE)
_FAULTS: Final = LazyRegex(
    r"\b(?:failures?|mistakes?|pitfalls?|symptoms?|errors?|troubleshooting|problems?|issues?|anti-?patterns?|smells?|red flags|warning signs|limitations?|gotchas|weaknesses|bugs?)\b"
    r"|错误|錯誤|故障|常见问题|常見問題|陷阱|缺陷|症状|局限|排查|トラブル|よくある(?:失敗|間違い)",
    re.IGNORECASE,
)
"""Headings and lead-ins over lists of faults, in which "No salt" tells what is wrong."""


def _is_fault(text: str, context: Sequence[str], heading: str) -> bool:
    """Return whether a text that begins with "no" names a fault in a list of them."""
    above = context[-1] if context else heading
    return bool(_LACK.match(text) and _FAULTS.search(above))


_QUOTED: Final = LazyRegex(r"[\"“”„«「『‘][^\"“”„«»「」『』]{2,200}[\"“”»」』’][.。]?")


def _is_quoted_example(text: str, context: Sequence[str], heading: str) -> bool:
    """Return whether a prohibition quotes an item as what not to say, so that the words in it order nothing."""
    if not _QUOTED.fullmatch(text.strip()):
        return False
    rows = (*map(lead_in_row, context), *([heading_row(heading)] if heading else []))
    return any(row.polarity is Polarity.FORBIDS for row in rows)


def _carried_from(text: str, context: Sequence[str], own: Polarity) -> tuple[list[str], list[str], Polarity]:
    """Return the words that an item takes from those above it, the rows that decided, and its polarity."""
    carried: list[str] = []
    rows: list[str] = []
    polarity = own
    for above in context:
        if not above.rstrip().endswith((":", "：")):
            if _completes(above, own):
                carried.append(above.rstrip(".。"))
            continue
        row = _row_of(above)
        if row is ANNOUNCES and _is_fragment(text, above, own):
            carried.append(_announcement(above))
        if row.joins and not _speaks_for_itself(row, own):
            carried.append(_announcement(above))
            rows.append(row.name)
            polarity = _combined(row, own, polarity)
            if row is NAMES and polarity is Polarity.DESCRIBES:
                polarity = _of_name(carried[-1])
    return carried, rows, polarity


def _row_of(lead_in: str) -> LeadIn:
    """Return the row of a lead-in: that of its last sentence where it says enough, which is all that its items complete."""
    *before, last = sentences(lead_in) or (lead_in,)
    says_enough = len(last.split()) >= _FEWEST_WORDS or polarity_of(last) is not Polarity.DESCRIBES
    return lead_in_row(last if before and says_enough else lead_in)


_FEWEST_WORDS: Final = 3
"""A shorter last sentence ("Examples:") leaves the one before it in force."""


def _of_name(lead_in: str) -> Polarity:
    """Return the polarity of a bare item under a lead-in that completes its sentence."""
    orders = lead_in.casefold() == "be" or polarity_of(lead_in) is Polarity.OBLIGES
    return Polarity.OBLIGES if orders else Polarity.DESCRIBES


def _is_fragment(text: str, lead_in: str, own: Polarity) -> bool:
    """Return whether an item means nothing without a lead-in that only announces: an object of its order, a blank."""
    return own is Polarity.DESCRIBES and (
        polarity_of(lead_in) is not Polarity.DESCRIBES or text.startswith("<")
    )


def _completes(parent: str, own: Polarity) -> bool:
    """Return whether an item needs the words of its parent item: a bare topic, or what a description is about."""
    if len(parent.split()) <= LONGEST_PARENT and polarity_of(parent) is Polarity.DESCRIBES:
        return True
    return own is Polarity.DESCRIBES and len(parent) <= 160


def _heading_counts(row: LeadIn, text: str, own: Polarity) -> bool:
    """Return whether a heading acts as the lead-in of an item that has none."""
    if not row.joins:
        return False
    if row.name == "red_lines":
        return not _bounds_itself(text, own)
    if row.polarity is Polarity.FORBIDS and own is Polarity.OBLIGES and _DUTY.search(text):
        return False
    return not _speaks_for_itself(row, own) and (row.polarity is not None or own is Polarity.DESCRIBES)


_DUTY: Final = LazyRegex(
    r"^\W*(?:if|wenn|falls|si|se|если)\b[^,:]{2,80},|\b(?:must|should|shall|muss|müssen|debe[ns]?|deve[ms]?|doi(?:s|t|vent)|должн\w+|должен)\b"
    r"|^\W*(?:如果|若)[^，]{2,40}，|^\W*(?![不禁勿别別])[^，]{0,80}(?:必[须須]|[务務]必|只能|[应應][该該当當]|控制在)|만약|반드시|해야",
    re.IGNORECASE,
)
"""What must be done, said below a heading of what must not: a bare order there names a forbidden act, this doesn't."""


def _without_marks(text: str) -> str:
    """Return a text without a leading tick, and with "Don't" for a leading cross."""
    if not CROSS.match(text):
        return TICK.sub("", text, count=1) if TICK.match(text) else text
    bare = CROSS.sub("", text, count=1)
    return bare if polarity_of(bare) is Polarity.FORBIDS else f"Don't: {lower_opening(bare)}"


def _heading_words(heading: str) -> str:
    """Return a heading without symbols around it; a bracket that it opens stays closed."""
    bare = _AROUND.sub("", heading)
    closing = next((end for start, end in _BRACKETS if bare.count(start) > bare.count(end)), "")
    return bare + closing


def _announcement(lead_in: str) -> str:
    """Return the last sentence of a lead-in without its colon and leading symbols."""
    last = (sentences(lead_in) or (lead_in,))[-1]
    return re.sub(r"^[^\w\"“(`\[]+", "", last.rstrip().rstrip(":：").rstrip()) or last


_BOUND: Final = LazyRegex(
    r"\b(?:when(?:ever)?|if|unless|until|before|after|always|only|must|should|need|ask|confirm|instead|over)\b|>|如果|除非|必须|先",
    re.IGNORECASE,
)
"""Words that make an order a boundary on its own."""


def _bounds_itself(text: str, own: Polarity) -> bool:
    """Return whether an item states the red line itself: it forbids, or orders under a condition.

    A bare order ("Share client data") names the forbidden act, so it must keep its heading.
    """
    return own is Polarity.FORBIDS or (own is not Polarity.DESCRIBES and bool(_BOUND.search(text)))


def _of_red_line(own: Polarity) -> Polarity:
    return Polarity.FORBIDS if own is Polarity.DESCRIBES else own


def _speaks_for_itself(row: LeadIn, own: Polarity) -> bool:
    """Return whether an item with this polarity of its own doesn't need the lead-in."""
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
_TITLE: Final = LazyRegex(r"[A-Z][a-z]+(?: [A-Z][\w-]*)+\W*(?::|–|—|→|$)")
"""A label of capitalised words before a colon or dash ("Plan Mode 🧠: think only")."""


def lower_opening(text: str) -> str:
    """Return text for use after a colon: a common first word loses its capital, a name or title keeps it."""
    if _TITLE.match(text):
        return text
    word = re.match(r"[^\W\d_]+(?:['’-][^\W\d_]+)*", text)
    if word and word[0].casefold() in _COMMON_WORDS and word[0] != "I":
        return lower_first(text)
    first = word[0].casefold() if word else ""
    if first.endswith("ing") and len(first) > 5:
        return lower_first(text)
    return text
