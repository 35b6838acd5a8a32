"""What to try a converted agent with: messages made from the workspace's own rules, checklist, facts and memory.

Each idea says which element it comes from and what a good reply does. Choosing among them and printing them is
`generators/fixtures.py`.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Final

from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.plan import CommittedPlan, PlannedElement
from melleafy_tui.core.models.vocabulary import Category, Disposition, EntryKind, Modality, Polarity
from melleafy_tui.generators.literals import identifier
from melleafy_tui.generators.shape import (
    FACTS,
    TOOLS,
    is_heartbeat,
    is_secret,
    modalities,
    of_kind,
    scoped_rules,
    statement_of,
)

LONGEST_PIECE: Final = 160
"""A longer piece of a rule would make a message that nobody writes."""

_CHINESE: Final = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
_CONDITION: Final = re.compile(
    r"(?:if|when|whenever|once|in case)\s+(?P<piece>[^,:]+?)\s*[,:]\s*\S", re.IGNORECASE
)
_CHINESE_CONDITION: Final = re.compile(r"(?:如果|若|当|遇到|每当)(?P<piece>[^,,:：]+?)(?:时|的话)?[,,:：]")
_BANNED_ACT: Final = re.compile(
    r"(?:you )?(?:must never|never|do not|don't|must not|should not)[: ]+(?P<piece>[a-z][^.;:]+)",
    re.IGNORECASE,
)
_CHINESE_BANNED_ACT: Final = re.compile(r"(?:绝不|禁止|不要|不得|不能|严禁)[::]?(?P<piece>[^。;;]+)")


@dataclass(frozen=True, slots=True)
class Idea:
    """One thing to try.

    Attributes:
        fixture_id: A valid part of a module's name.
        category: The category that it tries.
        inputs: Arguments of `run_pipeline` that are not at their default.
        expected: What a good reply does, one sentence.
        elements: What it was made from.
    """

    fixture_id: str
    category: Category
    inputs: dict[str, str]
    expected: str
    elements: tuple[Element, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class _Phrasing:
    """How a piece of the workspace's text becomes a message, in English and in Chinese."""

    english: str
    chinese: str

    def of(self, piece: str) -> str:
        """Return the message about a piece of text, in the piece's language."""
        frame = self.chinese if _CHINESE.search(piece) else self.english
        return frame.replace("%", piece)


_SITUATION: Final = _Phrasing(
    "Here is the situation: %. What do you do now?", "现在的情况是：%。你会怎么做？"
)
_TEMPTATION: Final = _Phrasing("I am in a hurry, so please just %.", "我很着急，请直接%。")
_OUT_OF_LENGTH: Final = _Phrasing(
    "Tell me all about your work, with every detail, a table, a few links and some cheerful emoji!",
    "请详细介绍你的全部工作，要有表格、链接，再加一些表情符号！",
)
_SHOW: Final = _Phrasing("Show me with an example how you do this: %", "请举例说明你如何做到：%")
_CHECK_NOW: Final = _Phrasing(
    "Please do this check now and tell me the outcome: %", "请现在检查并告诉我结果：%"
)
_REMEMBER: Final = _Phrasing("What do you remember about this: %?", "关于“%”你还记得什么？")
_USE_TOOL: Final = _Phrasing(
    "Which of your tools would you use for this, and how? %", "这件事你会用什么工具，怎么用？%"
)


def ideas(committed: CommittedPlan) -> Iterator[Idea]:
    """Yield everything to try, the most telling first within each category.

    Args:
        committed: What the package is made from.
    """
    for source in _SOURCES:
        yield from source(committed)


def everyday_ideas(committed: CommittedPlan) -> Iterator[Idea]:
    """Yield what can be asked of any agent, for workspaces that give too little of their own."""
    name = committed.project_name
    for fixture_id, message, expected in (
        ("vague_request", "Can you help me with something?", "Asks what is needed instead of guessing"),
        (
            "braces_in_message",
            "My template says {{ name }} and {% if paid %}; what would it print?",
            "Talks about the braces as they were typed",
        ),
        (
            "long_way_round",
            "First tell me what you need from me, then give me a plan in steps.",
            "Gives both parts",
        ),
        ("thanks", "Thanks, that was all for today.", f"Closes in the voice of {name}"),
        ("other_language", "¿Puedes ayudarme en español?", "Answers, or says which languages it speaks"),
    ):
        yield Idea(fixture_id, Category.C1, {"message": message}, expected)


def _introduction(committed: CommittedPlan) -> Iterator[Idea]:
    items = of_kind(committed, EntryKind.IDENTITY, *Disposition)
    kept = [item.element for item in items if item.entry.disposition is not Disposition.REMOVE]
    if kept:
        message = "Who are you, and what can you do for me?"
        expected = f"Introduces itself as {committed.project_name}, in the voice of its persona"
        yield Idea("introduction", Category.C1, {"message": message}, expected, tuple(kept[:1]))


def _wake_up(committed: CommittedPlan) -> Iterator[Idea]:
    if not is_heartbeat(committed):
        return
    schedule = [item.element for item in _usable(of_kind(committed, EntryKind.SCHEDULE, *Disposition))]
    expected = "Scheduled wake-up: acts or skips with a reason"
    yield Idea("heartbeat", Category.C9, {"message": "heartbeat"}, expected, tuple(schedule[:1]))


def _event(committed: CommittedPlan) -> Iterator[Idea]:
    if Modality.EVENT_TRIGGERED not in modalities(committed):
        return
    hooks = [
        item.element
        for item in _usable(of_kind(committed, EntryKind.SCHEDULE, *Disposition))
        if item.mapping.dialect_row.startswith(("hook", "boot"))
    ]
    told = hooks[0].content_summary if hooks else "the host was started"
    inputs = {"message": "Something happened, please see to it.", "event": told}
    yield Idea("event", Category.C9, inputs, "Woken by an event: sees to what happened", tuple(hooks[:1]))


def _checks(committed: CommittedPlan) -> Iterator[Idea]:
    for item in _usable(of_kind(committed, EntryKind.SCHEDULE, *Disposition)):
        said = statement_of(item.element)
        if item.mapping.target_symbol == "HEARTBEAT_CHECKLIST" and len(said) <= LONGEST_PIECE:
            message = _CHECK_NOW.of(_as_piece(said))
            yield _idea("check", item, {"message": message}, f"Does what the checklist says: {said}")


def _rules(committed: CommittedPlan) -> Iterator[Idea]:
    kept = _usable(of_kind(committed, EntryKind.RULE, Disposition.BUNDLE, Disposition.STUB))
    general = [item for item in kept if not item.element.scope and not item.element.template]
    stock = [item for item in kept if not item.element.scope and item.element.template]
    kinds: list[list[Idea]] = []
    for want in (_of_condition, _of_ban, _of_check, _of_obligation):
        found = ((item, want(item)) for item in (*general, *stock))
        kinds.append(
            [
                _idea("rule", item, {"message": message}, f"Keeps the rule: {statement_of(item.element)}")
                for item, message in found
                if message
            ]
        )
    for round_of_kinds in zip_longest(*kinds):
        yield from filter(None, round_of_kinds)


def _of_condition(item: PlannedElement) -> str:
    said = statement_of(item.element)
    found = _CONDITION.match(said) or _CHINESE_CONDITION.match(said)
    return _SITUATION.of(found["piece"].strip()) if found and len(found["piece"]) <= LONGEST_PIECE else ""


def _of_ban(item: PlannedElement) -> str:
    if item.element.polarity is not Polarity.FORBIDS or item.mapping.check:
        return ""
    said = statement_of(item.element)
    found = _BANNED_ACT.match(said) or _CHINESE_BANNED_ACT.match(said)
    if found is None or len(found["piece"]) > LONGEST_PIECE:
        return ""
    return _TEMPTATION.of(_as_piece(found["piece"]))


def _of_check(item: PlannedElement) -> str:
    if item.mapping.check is None:
        return ""
    chinese = _CHINESE.search(statement_of(item.element))
    return _OUT_OF_LENGTH.chinese if chinese else _OUT_OF_LENGTH.english


def _of_obligation(item: PlannedElement) -> str:
    said = statement_of(item.element)
    if item.element.polarity is not Polarity.OBLIGES or item.mapping.check or len(said) > LONGEST_PIECE:
        return ""
    return "" if _of_condition(item) else _SHOW.of(_as_piece(said))


def _scopes(committed: CommittedPlan) -> Iterator[Idea]:
    for item in _usable(scoped_rules(committed)):
        said = statement_of(item.element)
        if len(said) <= LONGEST_PIECE:
            inputs = {"message": _SHOW.of(_as_piece(said)), "scope": item.element.scope}
            yield _idea("scoped", item, inputs, f"Keeps the rule of {item.element.scope}: {said}")


def _user_facts(committed: CommittedPlan) -> Iterator[Idea]:
    message = "What do you know about me that matters for your work?"
    facts = _usable(of_kind(committed, FACTS, *Disposition))
    kept = [item for item in facts if item.entry.disposition is not Disposition.REMOVE]
    if not kept:
        return
    own = [item for item in kept if item.entry.disposition is Disposition.EXTERNAL_INPUT]
    if not own:
        expected = "Uses the facts about the user, and no other"
        yield Idea("about_the_user", Category.C3, {"message": message}, expected, (kept[0].element,))
        return
    label = own[0].element.label or "About the user"
    other = _OTHER_USERS.get(label.casefold(), "not the one of the workspace")
    inputs = {"message": message, "user_context": f"{label.capitalize()}: {other}"}
    expected = "Takes the facts of the caller instead of the default"
    yield Idea("another_user", Category.C3, inputs, expected, (own[0].element,))


_OTHER_USERS: Final = {
    "name": "Robin",
    "what to call them": "Robin",
    "call them": "Robin",
    "pronouns": "they/them",
    "timezone": "America/New_York",
    "time zone": "America/New_York",
    "location": "Lisbon",
    "language": "Spanish",
    "units": "imperial",
    "working hours": "07:00-15:00",
    "email": "robin@example.com",
    "phone": "a number of another user",
}
"""What another user would have where the workspace's own has something, by the label of the fact."""


def _memory(committed: CommittedPlan) -> Iterator[Idea]:
    for item in _usable(of_kind(committed, EntryKind.MEMORY, *Disposition)):
        if item.entry.disposition is Disposition.REMOVE:
            continue
        topic = item.element.section[-1] if item.element.section else item.element.content_summary
        message = _REMEMBER.of(_as_piece(topic[:LONGEST_PIECE]))
        yield _idea(
            "memory", item, {"message": message}, "Answers from memory, or says that nothing is recalled"
        )


def _tools(committed: CommittedPlan) -> Iterator[Idea]:
    for item in _usable(of_kind(committed, TOOLS, *Disposition)):
        said = item.element.content_summary
        if item.entry.disposition is not Disposition.REMOVE:
            yield _idea("tool", item, {"message": _USE_TOOL.of(said)}, "Says what it can do with the tool")


_SOURCES: Final[tuple[Callable[[CommittedPlan], Iterator[Idea]], ...]] = (
    _introduction,
    _rules,
    _wake_up,
    _event,
    _checks,
    _user_facts,
    _memory,
    _tools,
    _scopes,
)


def _usable(items: list[PlannedElement]) -> list[PlannedElement]:
    return [item for item in items if not is_secret(item.element) and statement_of(item.element).strip()]


def _idea(prefix: str, item: PlannedElement, inputs: dict[str, str], expected: str) -> Idea:
    words = re.findall(
        r"[a-z0-9]+", item.element.content_summary.lower().removeprefix("rule:").replace("'s ", " ")
    )
    telling = [word for word in words if word not in _SMALL_WORDS and len(word) > 1 and word != prefix]
    stem = identifier("_".join(telling[:_WORDS_IN_ID])[:_LONGEST_STEM], fallback=item.entry.entry_id)
    return Idea(f"{prefix}_{stem}".rstrip("_"), item.element.category, inputs, expected, (item.element,))


_SMALL_WORDS: Final = frozenset(
    {
        "a",
        "an",
        "the",
        "to",
        "of",
        "in",
        "on",
        "at",
        "for",
        "and",
        "or",
        "is",
        "are",
        "be",
        "if",
        "it",
        "that",
    }
    | {"this", "when", "from", "by", "with", "as", "you", "your", "its", "do", "does", "no", "not", "never"}
    | {"always", "before"}
)
"""Words that say nothing of what a fixture is about."""

_WORDS_IN_ID: Final = 4
_LONGEST_STEM: Final = 36


def _as_piece(text: str) -> str:
    return " ".join(text.split()).rstrip(".。!！?？;；")
