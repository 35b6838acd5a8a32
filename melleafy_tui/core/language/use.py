"""Reads what an element is for: one ordered table; the first row that matches gives the use.

Items of one list share their use unless the words of one clearly say otherwise (`share_in_lists`).
"""

# ruff: noqa: E501 - a table is easier to read with one row a line

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import Final

from msgspec import Struct, structs
from msgspec.structs import replace

from melleafy_tui.core.language.actions import action_fact, asks_approval
from melleafy_tui.core.language.checks.compiler import compile_rule
from melleafy_tui.core.language.directives import polarity_of
from melleafy_tui.core.language.scripts import ACCENTED, CYRILLIC, HANGUL, KANA, has_any
from melleafy_tui.core.language.wording import plain_text, without_block_marks
from melleafy_tui.core.lazy_regex import LONGEST_READ, LazyRegex
from melleafy_tui.core.models.facts import ActionFact, PermissionFact, ToolFact
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import Category, Polarity, Tag, Use

_C = Category
_CARRIERS: Final = frozenset(
    {"heading", "rule", "other", "frontmatter", "comment", "table_header", "lead_in"}
)
_ORDERS: Final = frozenset({Polarity.OBLIGES, Polarity.FORBIDS})
_WORK_TAGS: Final = frozenset({Tag.ORCHESTRATE, Tag.QUERY, Tag.DETERMINISTIC, Tag.REMEDIATE, Tag.TOOL_INPUT})
_NO_ORDERS: Final = frozenset({Use.CONTEXT, Use.NOTHING})
_BY_OWN_WORDS: Final = frozenset({Use.ENFORCED, Use.RUNTIME_ONLY})
"""Uses that a line has by its own words or its lead-in, never because its list has them."""
_ORDER_ROWS: Final = frozenset({"unseen", "shown", "prohibition", "order"})
"""Rows of orders, which a list of facts doesn't turn into facts."""
_FACT_TAGS: Final = frozenset({Tag.CONFIG, Tag.TOOL_TEMPLATE, Tag.SCHEMA})


def _pattern(text: str) -> LazyRegex:
    return LazyRegex(text, re.IGNORECASE, longest=LONGEST_READ)


SHOWS_IN_REPLY: Final = _pattern(
    r"\b(?:escalat(?:e|ing)\b|recommend\w*|classif\w+|flag|decline|suggest\w*|offer|explain\w*|cite|quote|mention\w*|state|tell|say|saying|ask|answer\w*|repl(?:y|ies)|respond\w*|apologi[sz]\w+|greet\w*|promis\w+|guess\w*|assum(?:e[sd]?|ing)|invent\w*|fabricat\w+|hallucinat\w+|make up|made up|claim\w*|lie\b|lying|bluff\w*|exaggerat\w+|overstat\w+|pretend\w*|mislead\w*|speculat\w+|translate|summari[sz]\w+|diagnos\w+|prescri\w+|advi[sc]e\w*|lecture|speak\w*|admit|acknowledge|close|reject|refuse|approve|categori[sz]e|label|prioriti[sz]e|rank|list|name|present|include|surface|redact|warn\w*|inform|remind|copy|output)\b"
    r"|回复|回覆|回答|告诉|告訴|提醒|解释|解釋|编造|編造|猜测|猜測|道歉|承诺|建议|建議|說明|说明|答え|返信|説明|伝え|推測|\b(?:respond\w+|contest\w+|explic\w+|recom\w+|dig(?:a|as|me)|invent\w+|antwort\w+|erklär\w+|empfehl\w+|erfind\w+|sag\w*|répond\w+|expliqu\w+|invent\w+)\b|отвеча\w+|ответ\w*|объясн\w+|придумыва\w+|рекоменд\w+|сообщ\w+|указыва\w+"
    r"|\b(?:cita|cit(?:ar|er|ez)|nenn\w+|demande[rz]?|p(?:re|er)gunt(?:ar?|e)|frag(?:en?|t)(?!.*\bab\b)|versprich)\b|спроси\w*|聞く|尋ね|묻|물어|\b(?:di|dis|dites|sage?)\s+[\"“„«]|(?:скажи|ответь)(?:те)?\b|[说說][：:]?[“\"「]|引用|[标標][注註]|明記|」と(?:言|伝|答|返)|출처|안내|답변|응답|설명|언급|추천|제안|표기|명시|라고 (?:말|답|안내)",
)
"""Words for what can be seen in a reply or a typed result."""

SPEECH_ORDER: Final = _pattern(
    r"^(?:[^.:]{0,60}:\s*)?(?:you\s+)?(?:must\s+)?(?:never|do not|don['’]t|avoid|always|not)\s+(?:\w+ly\s+)?(?:recommend|suggest|promis|say|tell|mention|claim|guess|speculat|apologi[sz]|invent|fabricat|name|quote|cite|discuss|diagnos|advi[sc]e|describe|admit|praise|joke|swear|insult|repeat|ask|answer|lie\b|lying|bluff|exaggerat|overstat|pretend|deceiv|mislead|hallucinat|flatter)\w*\b"
    r"|不(?:要|得|能|可|准|许)?(?:承诺|承諾|保证|保證|猜测|猜測|编造|編造)|(?:約束|断言|推測|捏造)(?:は)?しない|(?:약속|추측|단정)하지 ?(?:않|마|말)|\bne (?:promets|promettez|devine|invente)|\b(?:nunca|no|não) (?:promet|invent|adivin)[ae]s?\b|\b(?:versprich|erfinde|errate|behaupte) (?:nie|niemals|keine?|nicht)\b|\bне (?:обещай|выдумывай|придумывай|гадай)"
)
"""An order about saying something, whatever action its object names ("never promise a refund")."""

OUT_OF_SIGHT: Final = _pattern(
    r"`[^`]*`|\b[\w-]+\.(?:md|json|ya?ml|py|sh|txt)\b|\b(?:files?|folders?|director(?:y|ies)|branch(?:es)?|repo(?:sitor(?:y|ies))?|commits?|tests?|code|scripts?|memory|logs?|notes?|databases?|tools?|sub-?agents?|sessions?|tokens?|api|crons?|backlog|tasks?|tickets? queue|workspace|docs?|documentation|backups?)\b"
    r"|文件|文檔|檔案|脚本|腳本|日志|日誌|记忆|記憶|代码|程式|任务|任務|ファイル|メモリ|スクリプト|\b(?:archivos?|carpetas?|memoria|código|arquivos?|pastas?|datei(?:en)?|ordner|skripte?|fichiers?|dossiers?|mémoire)\b|файл\w*|папк\w*|памят\w*|скрипт\w*|код\b",
)
"""Words for work that leaves no trace in a reply."""


_KEEPS_A_FILE: Final = _pattern(
    r"\b(?:updat|edit|revis)(?:e|es|ing)?\b[^.;→]{0,40}\.(?:md|jsonl?|ya?ml|txt|csv)\b"
    r"|\b(?:append|add|log|record|save|write|note|put)\b[^.;→]{0,60} (?:to|in|into)\b[^.;→]{0,40}\.(?:md|jsonl?|ya?ml|txt|csv)\b"
    r"|(?:更新|写入|寫入|记录到|記錄到|追加到|保存到)[^。；→]{0,20}\.(?:md|jsonl?|txt)"
    r"|\b(?:actualiza|añade|anota|atualiza|aktualisiere?|ergänze?|mets? à jour|ajoute)\b[^.;→]{0,40}\.(?:md|jsonl?|txt)\b|(?:обнови|запиши)\w*[^.;→]{0,40}\.(?:md|jsonl?|txt)\b"
)
"""An order to keep a file up to date, whatever the note in it is about."""

WAKE_UP: Final = _pattern(r"\bheartbeats?\b|心跳|ハートビート|\blatido\b|\bпульс\b")
"""Words of headings and lead-ins under which a check is part of a wake-up."""

_CLAUSES: Final = re.compile(r"[,;:.—–→。，；：]\s*|\s(?:and|then|or|but)\s")
_IF: Final = re.compile(r"\W*(?:if|when(?:ever)?|unless|before|after|while|until|once)\b", re.IGNORECASE)
_NAMES: Final = LazyRegex(r"`[^`\n]{1,80}`|(?<![\w./*-])[\w./*-]{1,120}\.(?:md|jsonl?|ya?ml|py|sh|txt)\b")
"""Names of files and commands, whose words say nothing about a reply."""
_OPENING: Final = 36
"""A clause's verb is among its first words; in English nothing but these stands before it."""
_HAN_OPENING: Final = 10
_ALPHABETS: Final = (KANA, HANGUL, CYRILLIC, ACCENTED)
_HAN_DUTY: Final = re.compile(r"(?:必[须須]|[务務]必|都要)([^（(]{1,8})")
"""A modal verb of Chinese, and the verb after it."""
_BEFORE_VERB: Final = re.compile(
    r"[\W\d_]*(?:(?:you|must|should|will|can|may|never|not|no|nunca|nie|jamais|n[ãa]o|do|don['’]t|always|siempre|immer|please|also|first|then|just|only|simply|instead|to|proactively|immediately|explicitly|clearly|briefly|[a-z]{3,}ly)\b[\W_]*)*",
    re.IGNORECASE,
)
_FORM: Final = LazyRegex(r"(?:^|[:：])\W{0,4}[<\[{]|\w [/|] \w")
"""A blank to fill in, or the values that may stand there."""
_SPANS: Final = LazyRegex(r"`[^`\n]*\s[^`\n]*`")


class UseRow(Struct, frozen=True):
    """One row: a use, whether its words are clear enough to stand against the list, and its test."""

    name: str
    use: Use
    clear: bool
    looks_at: str
    matches: Callable[[Element], bool]


def _is_rule(element: Element) -> bool:
    return element.category is _C.C2 or (
        element.category in (_C.C1, _C.C3, _C.C6)
        and element.tag not in (Tag.CONFIG, Tag.CONVERSE, Tag.TOOL_TEMPLATE)
    )


def _by_lead_in(element: Element) -> bool:
    above = (*element.section[-1:], *element.context)
    return any(asks_approval(text) for text in above)


def _is_about_words(element: Element) -> bool:
    if element.category is _C.C3 and element.tag is Tag.VALIDATE_OUTPUT:
        return True
    if element.category is not _C.C2 or element.polarity not in _ORDERS or asks_approval(element.statement):
        return False
    return (
        element.tag is Tag.VALIDATE_OUTPUT
        or bool(SPEECH_ORDER.search(element.statement))
        or compile_rule(element.statement, element.polarity, element.section) is not None
    )


def _is_permitted_by_lead_in(element: Element) -> bool:
    return (
        element.polarity is Polarity.PERMITS
        and polarity_of(plain_text(without_block_marks(element.content_full))) is not Polarity.PERMITS
        and bool(element.context or element.section)
    )


def _is_about_action(element: Element) -> bool:
    if not _is_rule(element) and not (
        element.category in (_C.C1, _C.C3, _C.C6) and element.kind != "section"
    ):
        return False
    fact = action_fact(_acting_words(element), element.polarity)
    if fact.effect == "confirm" and element.polarity is Polarity.DESCRIBES and _tells(element):
        return False
    return bool(fact.effect) and (
        bool(fact.actions)
        or (
            fact.effect == "confirm"
            and element.tag is Tag.DECIDE
            and element.polarity is not Polarity.FORBIDS
        )
        or _by_lead_in(element)
        or _is_permitted_by_lead_in(element)
    )


def _acting_words(element: Element) -> str:
    """Return the own words of an item that forbids by itself, else its statement.

    The lead-in of such an item says when it holds ("In a scheduled run:"), and names no action that is barred.
    """
    if element.kind != "item" or element.polarity is not Polarity.FORBIDS or asks_approval(element.statement):
        return element.statement
    own = plain_text(without_block_marks(element.content_full), keep_code_marks=True)
    return own if polarity_of(own) is Polarity.FORBIDS else element.statement


def _tells(element: Element) -> bool:
    """Return whether a rule's text is a fact or a question, in which an approval is only mentioned."""
    return element.category is _C.C2 and (
        element.tag is Tag.CONFIG or element.statement.rstrip().endswith(("?", "？"))
    )


def _shows(element: Element) -> bool:
    """Return whether a clause opens with a word for what shows in a reply; the rest of it may be about anything."""
    if element.category is _C.C6:
        return False
    clauses = _CLAUSES.split(_NAMES.sub("", _ordering_words(element)))
    return any(map(_opens_with_speech, clauses))


def _ordering_words(element: Element) -> str:
    """Return the own words of an item that orders by itself, else its statement with the lead-in."""
    own = plain_text(without_block_marks(element.content_full), keep_code_marks=True)
    return own if element.kind == "item" and polarity_of(own) in _ORDERS else element.statement


def _opens_with_speech(clause: str) -> bool:
    if _IF.match(clause):
        return False
    if not clause.isascii():
        if has_any(clause, *_ALPHABETS):
            return bool(SHOWS_IN_REPLY.search(clause[:_OPENING]))
        return any(map(SHOWS_IN_REPLY.search, (clause[:_HAN_OPENING], *_HAN_DUTY.findall(clause))))
    before = _BEFORE_VERB.match(clause)
    return bool(SHOWS_IN_REPLY.match(clause, before.end() if before else 0))


def _hidden(element: Element) -> bool:
    return bool(OUT_OF_SIGHT.search(element.statement))


def _keeps_a_file(element: Element) -> bool:
    """Return whether a rule is an order to keep a file, and none that a reply shows as well."""
    return (
        element.category is _C.C2
        and element.kind in ("item", "paragraph", "table_row")
        and element.polarity is not Polarity.FORBIDS
        and bool(_KEEPS_A_FILE.search(element.statement))
        and not _shows(element)
        and not _is_about_action(element)
    )


def _in_wake_up(element: Element) -> bool:
    return any(WAKE_UP.search(text) for text in (*element.section, *element.context))


def _is_command(element: Element) -> bool:
    """Return whether an element shows commands, whatever it says about them."""
    return element.kind == "fence" or len(_SPANS.findall(element.content_full)) > 1


USES: Final[tuple[UseRow, ...]] = (
    UseRow("runtime", Use.RUNTIME_ONLY, True, "a line that makes sense on its runtime only",
           lambda e: bool(e.runtime_only)),
    UseRow("permission_rule", Use.ENFORCED, True, "a permission rule of the runtime's settings",
           lambda e: bool(e.facts[PermissionFact].denies or e.facts[PermissionFact].asks)),
    UseRow("carrier", Use.NOTHING, True, "a heading, a separator, a lead-in that only announces",
           lambda e: e.category is _C.NONE and e.kind in _CARRIERS),
    UseRow("schema", Use.CONTEXT, True, "the form of a result", lambda e: e.tag is Tag.SCHEMA),
    UseRow("unconverted", Use.NOTHING, True, "a placeholder, a date, a link, stock text that is no rule",
           lambda e: e.category is _C.NONE),
    UseRow("schedule", Use.SCHEDULE, True, "scheduling", lambda e: e.category is _C.C9),
    UseRow("state", Use.CONTEXT, True, "memory, state, credentials, the runtime's environment",
           lambda e: e.category in (_C.C4, _C.C5, _C.C7, _C.C8)),
    UseRow("chosen_rule", Use.JUDGED, True, "a tag of a rule that the user chose",
           lambda e: e.category is _C.C2 and e.is_retagged
           and e.tag in (Tag.VALIDATE_OUTPUT, Tag.VALIDATE_DOMAIN, Tag.REMEDIATE, Tag.DECIDE, Tag.CONVERSE)),
    UseRow("form", Use.CONTEXT, True, "the form of an answer, with its blanks",
           lambda e: e.category is _C.C2 and e.tag is Tag.VALIDATE_OUTPUT and e.polarity is Polarity.DESCRIBES
           and (e.kind == "fence" or bool(_FORM.search(e.statement)))),
    UseRow("manner", Use.JUDGED, True, "how its words should be, said as a trait",
           lambda e: e.category is _C.C2 and e.tag is Tag.VALIDATE_OUTPUT and e.polarity is Polarity.DESCRIBES
           and not e.template and e.kind in ("item", "paragraph")),
    UseRow("wake_up_check", Use.SCHEDULE, True, "something to look at in a wake-up",
           lambda e: e.category is _C.C2 and e.tag is Tag.QUERY and _in_wake_up(e)),
    UseRow("stock_rule", Use.GUIDED, True, "stock text about no action", lambda e: e.template and e.category is not _C.C1 and not _is_about_action(e)),
    UseRow("upkeep", Use.GUIDED, True, "an order to keep a file up to date", _keeps_a_file),
    UseRow("words", Use.JUDGED, True, "a rule about the agent's own words", _is_about_words),
    UseRow("action", Use.ENFORCED, True, "a permission, prohibition or approval about an action", _is_about_action),
    UseRow("command", Use.GUIDED, True, "commands that a rule shows",
           lambda e: e.category is _C.C2 and e.tag in _FACT_TAGS and _is_command(e)),
    UseRow("barred", Use.ENFORCED, True, "a fact about the person that bars actions",
           lambda e: e.category is _C.C3 and e.tag is Tag.DECIDE and e.polarity is not Polarity.OBLIGES
           and bool(action_fact(e.statement, Polarity.FORBIDS).actions)),
    UseRow("tool_order", Use.GUIDED, True, "an order about working with a tool",
           lambda e: e.category is _C.C6 and e.tag is Tag.TOOL_TEMPLATE and e.kind in ("item", "paragraph")
           and e.polarity is Polarity.OBLIGES and not e.facts[ToolFact].subtype.startswith("concrete")),
    UseRow("fact", Use.CONTEXT, True, "persona, facts, descriptions of tools, constants",
           lambda e: not _is_rule(e) or e.tag in _FACT_TAGS),
    UseRow("carried", Use.GUIDED, True, "a lead-in with a trigger", lambda e: e.kind == "lead_in"),
    UseRow("permission", Use.GUIDED, True, "a permission about no action", lambda e: e.polarity is Polarity.PERMITS),
    UseRow("route", Use.GUIDED, True, "a route, a rank or a condition that orders nothing by its words",
           lambda e: e.polarity is Polarity.DESCRIBES and e.tag not in (Tag.CONFIG, Tag.QUERY)),
    UseRow("description", Use.CONTEXT, False, "words that order nothing", lambda e: e.polarity is Polarity.DESCRIBES),
    UseRow("asks", Use.JUDGED, True, "an order to ask the user", lambda e: e.tag is Tag.CONVERSE),
    UseRow("work", Use.GUIDED, True, "a step, a look-up, a command, a repair", lambda e: e.tag in _WORK_TAGS),
    UseRow("unseen", Use.GUIDED, False, "an order about files, code, memory or tools",
           lambda e: _hidden(e) and not _shows(e)),
    UseRow("shown", Use.JUDGED, False, "an order whose keeping shows in a reply", _shows),
    UseRow("prohibition", Use.JUDGED, False, "a prohibition about no action", lambda e: e.polarity is Polarity.FORBIDS),
    UseRow("order", Use.GUIDED, False, "any other order", lambda e: e.polarity in _ORDERS),
)  # fmt: skip
"""Ordered rows; the last one matches every element that is left."""


def use_row(element: Element) -> UseRow:
    """Return the row that gives an element's use, from its own words and lead-ins."""
    return next((row for row in USES if row.matches(element)), USES[-1])


def with_use(element: Element) -> Element:
    """Return an element with its use and what it says about actions, read by itself."""
    row = use_row(element)
    return _with(element, row.use, row.name)


def with_uses(
    elements: Sequence[Element], *, orders: Mapping[str, Use], keep_stock_text: bool = False
) -> tuple[Element, ...]:
    """Return elements with their uses, shared in lists.

    Args:
        elements: All elements, in source order.
        orders: The use of orders whose words don't say what they are for, by file rule; the default is guided.
        keep_stock_text: Whether stock text is read as if the owner had written it.
    """
    rows = [
        _of_file(use_row(replace(element, template=False) if keep_stock_text else element), element, orders)
        for element in elements
    ]
    uses = share_in_lists(elements, rows)
    return tuple(
        _with(element, use, row.name if use is row.use else "list")
        for element, row, use in zip(elements, rows, uses, strict=True)
    )


def _of_file(row: UseRow, element: Element, orders: Mapping[str, Use]) -> UseRow:
    use = orders.get(element.dialect_rule_id.partition("+")[0])
    return row if use is None or row is not USES[-1] else structs.replace(row, use=use)


def share_in_lists(elements: Sequence[Element], rows: Sequence[UseRow]) -> tuple[Use, ...]:
    """Return the use of each element: items whose words aren't clear take that of most others in their list."""
    uses = [row.use for row in rows]
    for _, group in groupby(range(len(elements)), key=lambda position: _list_of(elements[position])):
        positions = list(group)
        if len(positions) < 2 or elements[positions[0]].kind not in ("item", "table_row"):
            continue
        common = _common([rows[position] for position in positions])
        if common is not None:
            for position in positions:
                keeps = rows[position].clear or (common in _NO_ORDERS and rows[position].name in _ORDER_ROWS)
                uses[position] = uses[position] if keeps else common
    return tuple(uses)


def _list_of(element: Element) -> tuple[object, ...]:
    return element.source_file, element.section, element.context, element.kind, element.category


def _common(rows: Sequence[UseRow]) -> Use | None:
    """Return the use that a list shares, or None: that of most items with clear words, else that of most others.

    A use that only its own words or lead-in give a line decides for that line alone.
    """
    clear = [row.use for row in rows if row.clear]
    most = _most_frequent(clear)
    if clear and most not in _BY_OWN_WORDS:
        return most
    return _most_frequent([row.use for row in rows if not row.clear])


def _most_frequent(uses: Sequence[Use]) -> Use | None:
    """Return the most frequent use; None for a tie, and for no uses."""
    ranked = Counter(uses).most_common(2)
    is_tie = len(ranked) > 1 and ranked[0][1] == ranked[1][1]
    return ranked[0][0] if ranked and not is_tie else None


def _with(element: Element, use: Use, rationale: str) -> Element:
    facts = element.facts
    if use is Use.ENFORCED:
        found = action_fact(_acting_words(element), element.polarity)
        facts = facts.adding(found) if found.effect else facts
    elif ActionFact in facts:
        facts = facts.without(ActionFact)
    return replace(element, use=use, use_rationale=rationale, facts=facts)
