"""Which lines are rules that every reply can be judged by: a closed test of place, topic and exclusions.

*Place*: the persona; or a line of rules or of facts about the person under a heading, lead-in or label of style,
tone, format, language or replies, or one whose own words speak of a reply or are nothing but a limit of one, or one
in a document without headings. The nearest heading or lead-in that says something decides. An order in memory is
offered, never ticked. *Topic*: a word of length,
form, language, tone or address; questions, or what is never said, with an order; what must be said only under a style
heading. *Exclusions*: template text, an example value, a question, a checkbox, a flow, an act out of the reader's
sight, a time, a bare permission.

Frozen on 28 workspaces that nobody had read, 73 % of what this test ticks was right and nothing harmful, with 37 %
found. More words don't cure the rest: words tuned on known files fell from 70 to 27 % found on the next ones.
"""

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import cache
from itertools import product
from typing import Final

from msgspec import Struct

from melleafy_tui.core.language.reply_checks import check_of, has_limit
from melleafy_tui.core.language.wording import sentences
from melleafy_tui.core.language.words import Words, has_wide_letters, read_tables, spaced
from melleafy_tui.core.models.mapping import RuleCheck

MOST_TICKED: Final = 20
"""So many judged rules are ticked: about what the panel reads in one call."""

SHORTEST_LEAD_IN: Final = 30
"""Characters of a lead-in that is a rule by itself; a shorter one only announces its list."""

LONGEST_TRAIT: Final = 80
"""Characters of a line of the persona that is a rule without an order ("Calm and short."); a longer one mentions.

Behind a label it is one only under a place of style: "Version: 2.0, Spanish" is a fact about the file."""

LONGEST_LABEL: Final = 3
"""Words of a label that can name a style; a longer one is an order of work: "Present in numbered format: …"."""

TOPICS: Final = {
    "length": "length",
    "limit": "a limit",
    "form": "form",
    "language": "language",
    "tone": "tone or address",
    "question": "questions",
    "never": "what is never said",
    "must": "what is said",
}
"""The topics with their words for people; the last three need an order beside their word."""

_WEAK: Final = ("question", "never", "must")
_ASIDE: Final = re.compile(r"`[^`]*`|[\"“„«「][^\"“”»」]*[\"”»」]|\([^()]{3,}\)|（[^（）]{3,}）")
"""What a line shows or adds without saying it: code, a quote, a bracket."""
_EMPHASIS: Final = re.compile(r"\*\*|__|~~")
_EXAMPLE_VALUE: Final = re.compile(r"[^\w\[(]*+(?:\[.*\]|_?\(.*\)_?)?\W*+")
_BRACKET: Final = re.compile(r"[:：]\s*[\[(]([^\])]*)")
_ARROW: Final = re.compile(r"→|->|=>|[↓⟶]")
_CHECKBOX: Final = re.compile(r"\W*\[[ xX]\]")
_LABEL: Final = re.compile(r"([^:：]{1,40})[:：]")
_COMMAND: Final = re.compile(r"`[^`\s]+ [^`]+`")
_FILE_OR_FOLDER: Final = re.compile(
    r"[\w*-]\.(?:md|jsonl?|py|sh|ya?ml|txt|csv)\b|\w/(?=\W|$)|~/", re.IGNORECASE
)
_CLOCK_TIME: Final = re.compile(r"(?<!\d)[0-2]?\d[:：][0-5]\d(?!\d)")
_CLAUSE_END: Final = re.compile("[,;:，；：、]")
_IDENTITY: Final = re.compile(
    r"(?:You(?: a|['’])re|Eres|Você é|Tu es|Du bist|Sei|Ты\W+)\s*[A-ZÀ-ÞА-Я]|你(?:是|叫)|あなたは"
)
"""A sentence that gives the agent's name."""
_NAME: Final = re.compile(r"[A-ZÀ-Þ]\w*(?:-\w+|[A-Z]\w*|\d)")
"""A word that can only be a name: `Mill-Bot`, `DeskOne`, `Unit7`."""
_MARK: Final = re.compile("[✅❌🚫⛔]")


class Place(StrEnum):
    """What kind of document a line is from."""

    PERSONA = "persona"
    RULES = "rules"
    PERSON = "facts about the person"
    MEMORY = "memory"


class ReplyLine(Struct, frozen=True):
    """One line of the owner as the test reads it.

    Attributes:
        place: What kind of document it is from.
        kind: lead_in, item, paragraph or table_row.
        text: Its own words with their marks.
        headings: The headings above it without the document's title, outermost first.
        lead_ins: The lead-ins and parent items above it, outermost first.
        template: It is text of the runtime's templates.
        quoted: It stands in a block quote: somebody's words, or an example of a reply, give no order.
        numbered: It is an item of a numbered list.
    """

    place: Place
    kind: str
    text: str
    headings: tuple[str, ...] = ()
    lead_ins: tuple[str, ...] = ()
    template: bool = False
    quoted: bool = False
    numbered: bool = False


class ReplyRule(Struct, frozen=True):
    """A line that is a rule about replies.

    Attributes:
        position: The line's place among those that were read.
        ticked: It is judged or checked unless the user says no; else it is only offered.
        reason: Why, for a person: "Under the heading 'Style', it speaks of length."
        check: The check that Python makes instead of the judge.
        headings: Those that it keeps before it when it leaves the document, outermost first.
        items: The places of the list that a lead-in takes with it.
    """

    position: int
    ticked: bool
    reason: str
    check: RuleCheck | None = None
    headings: tuple[str, ...] = ()
    items: tuple[int, ...] = ()


class _Tables:
    def __init__(self) -> None:
        topics, words = read_tables("reply_topics.toml"), read_tables("reply_words.toml")
        self.topics = {name: Words(topics[name]) for name in TOPICS}
        self.reply, self.order = Words(words["reply"]), Words(words["order"])
        self.style, self.other = Words(words["style_places"]), Words(words["other_places"])
        self.acts, self.times = Words(words["acts"]), Words(words["times"])
        self.permissions, self.preferences = Words(words["permissions"]), Words(words["preferences"])
        pairs = (
            (name, product(words["refusals"][name], listed)) for name, listed in words["telling"].items()
        )
        self.untold = Words({name: tuple(map(" ".join, each)) for name, each in pairs})
        self.conditions = Words(words["conditions"])
        self.example_marks = Words(words["example_marks"])


@cache
def _tables() -> _Tables:
    return _Tables()


def reply_rules(lines: Sequence[ReplyLine]) -> tuple[ReplyRule, ...]:
    """Return the lines that are rules about replies, in their order.

    Args:
        lines: All lines of a source that may be, in the owner's order.
    """
    found: list[ReplyRule] = []
    taken: set[int] = set()
    seen: set[str] = set()
    judged = 0
    for position, line in enumerate(lines):
        words = spaced(line.text)
        if position in taken or words in seen or line.template:
            continue
        test = _Test(line)
        if not test.is_ticked and not test.is_listed:
            continue
        seen.add(words)
        items = tuple(_items_of(lines, position)) if line.kind == "lead_in" else ()
        taken.update(items)
        check = None if items else test.check
        judged += test.is_ticked and check is None
        ticked = test.is_ticked and (check is not None or judged <= MOST_TICKED)
        full = f" {MOST_TICKED} rules before it are judged." if test.is_ticked and not ticked else ""
        check = check if ticked else None
        found.append(ReplyRule(position, ticked, test.reason + full, check, _kept(line.headings), items))
    return tuple(found)


def _kept(headings: Sequence[str]) -> tuple[str, ...]:
    """Return the headings that say more than that what follows is about style: "First reply", "What I never do"."""
    return tuple(each for each in headings if _tables().style.without(spaced(each)).strip())


def _items_of(lines: Sequence[ReplyLine], lead_in: int) -> Iterator[int]:
    """Yield the places of the lines that follow a lead-in and have it above them."""
    words = spaced(lines[lead_in].text)
    for position in range(lead_in + 1, len(lines)):
        if words not in map(spaced, lines[position].lead_ins):
            return
        yield position


class _Test:
    """The closed test of one line."""

    def __init__(self, line: ReplyLine) -> None:
        self._line = line
        self._body = _EMPHASIS.sub("", line.text).strip()
        label = _LABEL.match(self._body)
        self._label = label[1] if label else ""
        self._is_labelled = bool(label) and spaced(self._label).count(" ") <= LONGEST_LABEL + 1
        self._plain = spaced(_ASIDE.sub(" ", self._body))
        tables = _tables()
        self._where, self._styled, is_other = self._nearest_place()
        self._topics = [name for name, words in tables.topics.items() if words.are_in(self._plain)]
        if "limit" in self._topics and not has_limit(self._plain):
            self._topics.remove("limit")
        if "never" not in self._topics and tables.untold.are_in(self._plain):
            self._topics.append("never")
        self._strong = [name for name in self._topics if name not in _WEAK]
        self._orders, self._ordered = tables.order.are_in(self._plain), self._topics_in_orders()
        self._speaks_of_reply = tables.reply.are_in(self._plain)
        is_other = is_other or self._is_about_another()
        self.check = None if is_other else check_of(line.text, line.lead_ins, line.headings)
        excluded = is_other or self._is_excluded()
        passes = not excluded and self._has_topic()
        is_always = not self._is_case() and (self._styled or not self._has_condition())
        self.is_ticked = passes and is_always and line.place is not Place.MEMORY
        offered = self._is_offered() or (passes and (self._orders or self.check is not None))
        self.is_listed = not excluded and not self.is_ticked and offered

    def _nearest_place(self) -> tuple[str, bool, bool]:
        """Return what decides the place, in words, whether it is one of style, and whether it is another."""
        tables, line = _tables(), self._line
        above = [*(("below the lead-in", text) for text in reversed(line.lead_ins))]
        above += [("under the heading", text) for text in reversed(line.headings)]
        for where, text in above:
            words = spaced(text)
            if tables.other.are_in(words) or _CLOCK_TIME.search(text):
                return "", False, True
            if tables.style.are_in(words):
                return f"{where} {_named(text)}", True, False
        label_words = spaced(self._label)
        if self._is_labelled and tables.style.are_in(label_words):
            return f"by its label {_named(self._label)}", True, False
        return "", False, False

    def _is_about_another(self) -> bool:
        """Return whether a line starts with the name that its lead-in or heading starts with: "Pump-Bot speaks …"."""
        name = _NAME.match(self._body)
        above = (*self._line.lead_ins, *self._line.headings[-1:])
        return name is not None and any(_EMPHASIS.sub("", text).startswith(name[0]) for text in above)

    def _is_excluded(self) -> bool:
        tables, line, body = _tables(), self._line, self._body
        is_persona = line.place is Place.PERSONA
        is_open = "{{" in body or _EXAMPLE_VALUE.fullmatch(body) or self._has_example_value()
        if is_open or _CHECKBOX.match(body):
            return True
        if line.quoted or (line.kind != "table_row" and body.startswith("|")):
            return True
        if body.endswith(("?", "？")) or len(_ARROW.findall(body)) > 1:
            return True
        if line.kind == "table_row" and not self._styled:
            return True
        if line.kind == "lead_in" and not (self._speaks_of_reply and len(body) > SHORTEST_LEAD_IN):
            return True
        if line.numbered and line.lead_ins and not self._orders:  # a place in what its lead-in orders
            return True
        acts = tables.acts.are_in(spaced(body)) or _FILE_OR_FOLDER.search(body)
        # Two of a strong topic, a place of style and a word for replies outweigh an act out of the reader's sight.
        signs = [*filter(None, (self._strong, self._styled, self._speaks_of_reply))]
        if acts and not signs[1:] and not (self._speaks_of_reply and self.check):
            return True
        if _COMMAND.search(body) and not self._strong:
            return True
        is_limit = self.check is not None and not _MARK.match(body)
        says_place = self._styled or self._speaks_of_reply or is_limit
        in_place = is_persona or says_place or not line.headings
        if line.place is Place.PERSON:  # a sentence that only describes the person asks for nothing
            says_style = self._styled and (self._orders or line.kind != "paragraph")
            in_place = says_style or tables.preferences.are_in(self._plain)
        if not in_place or (not self._strong and tables.times.are_in(self._plain)):
            return True
        if any(map(_only_permits, (self._plain, *map(spaced, line.lead_ins)))):
            return True
        return self.check is None and not self._strong and self._is_short()

    def _has_example_value(self) -> bool:
        bracket = _BRACKET.search(self._body)
        return bracket is not None and _tables().example_marks.are_in(f" {spaced(bracket[1]).split(' ')[1]} ")

    def _is_case(self) -> bool:
        """Return whether a line is one of the cases of a heading ("When to stay brief"), or says who the agent is."""
        above = spaced("".join(self._line.headings[-1:]))
        is_case = not self._orders and _tables().conditions.after_start_of(above) is not None
        return is_case or (not self._styled and _IDENTITY.match(self._body) is not None)

    def _has_condition(self) -> bool:
        """Return whether a line or its lead-in starts with a case, so that most replies can't show it."""
        starts = (
            spaced(_CLAUSE_END.split(text, maxsplit=1)[0]) for text in (self._body, *self._line.lead_ins)
        )
        return any(_tables().conditions.after_start_of(words) is not None for words in starts)

    def _is_short(self) -> bool:
        letters = sum(map(str.isalnum, self._plain))
        return letters < (3 if has_wide_letters(self._plain) else 8)

    def _is_order(self) -> bool:
        line = self._line
        marked = any(map(_MARK.search, (line.text, *line.lead_ins, *line.headings[-1:])))
        is_trait = line.place is Place.PERSONA and len(self._plain) <= LONGEST_TRAIT and not self._is_labelled
        return self._orders or marked or self._styled or is_trait

    def _has_topic(self) -> bool:
        if self.check is not None or (self._strong and (self._is_order() or len(self._strong) > 1)):
            return True
        is_about_replies = self._styled or self._speaks_of_reply or self._line.place is Place.PERSONA
        if "never" in self._topics or ("question" in self._topics and is_about_replies):
            return "never" in self._ordered or ("question" in self._ordered and is_about_replies)
        several = len({*_WEAK}.intersection(self._topics)) > 1
        return "must" in self._topics and self._styled and ("must" in self._ordered or several)

    def _topics_in_orders(self) -> set[str]:
        """Return the topics that need an order and stand in one sentence with it; elsewhere they are mentioned."""
        tables = _tables()
        announced = "".join(text for text in self._line.lead_ins[-1:] if len(text) <= SHORTEST_LEAD_IN)
        said = map(spaced, sentences(_ASIDE.sub(" ", f"{announced} {self._body}")))
        ordered = list(filter(tables.order.are_in, said))
        named = [*((name, tables.topics[name]) for name in _WEAK), ("never", tables.untold)]
        return {name for name, words in named if any(map(words.are_in, ordered))}

    def _is_offered(self) -> bool:
        """Return whether a line without a topic is offered unticked: an order of the persona or of a style place."""
        place = self._line.place
        in_place = place is Place.PERSONA or (self._styled and place is Place.RULES)
        return self._orders and self._line.kind != "table_row" and in_place

    @property
    def reason(self) -> str:
        """Return why the line is a rule about replies, in one sentence."""
        where = (
            self._where
            or {
                Place.PERSONA: "in the persona",
                Place.RULES: "by its own words",
                Place.PERSON: "among the facts about the person",
                Place.MEMORY: "in memory, which gives no orders by itself",
            }[self._line.place]
        )
        what = "it is an order, but of no topic of replies"
        if self._topics:
            what = f"it speaks of {' and '.join(TOPICS[name] for name in self._topics)}"
        elif self.is_ticked:
            what = "it is a limit that Python can check"
        return f"{where[0].upper()}{where[1:]}, {what}."


def _only_permits(words: str) -> bool:
    tables = _tables()
    permits = tables.permissions.are_in(words)
    return permits and not tables.order.are_in(tables.permissions.without(words))


def _named(text: str) -> str:
    return f"'{_EMPHASIS.sub('', text).strip(' :：')}'"
