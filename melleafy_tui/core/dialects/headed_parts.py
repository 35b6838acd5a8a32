"""Cuts a document into the parts that its headings order, and reads what the sentences of a part ask for."""

import re
import shlex
from collections.abc import Collection, Iterable, Sequence
from enum import Enum, auto
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.dialects.rules_document import is_step
from melleafy_tui.core.dialects.shell_requests import COMMAND_FENCES
from melleafy_tui.core.dialects.step_elements import type_name
from melleafy_tui.core.language import wording
from melleafy_tui.core.language.orders import is_imperative
from melleafy_tui.core.language.words import topic_pattern
from melleafy_tui.core.models.procedure import Returned
from melleafy_tui.core.package.naming import ascii_words, python_identifier
from melleafy_tui.core.source.segments import Segment

_WORDS: Final = Path(__file__).with_suffix(".toml")
_LEADS: Final = Path(wording.__file__).with_name("lead_words.toml")
_NUMBER: Final = re.compile(r"[\s#]*(?P<number>\d{1,2})\s*(?:[.:)\]、：—–-]+\s*|\s+|$)(?P<title>.*)")
_PLAIN_NUMBER: Final = re.compile(r"(?P<number>\d{1,2})[.)、]\s*(?P<title>\S.*)")
_SENTENCE: Final = re.compile(r"(?<=[.!?。！？])\s+")
_PLACE: Final = re.compile(r"<([\w -]{1,40})>|\{(\w{1,40})\}|\$?\b([A-Z][A-Z0-9]+(?:_[A-Z0-9]+)*)\b")
_BETWEEN: Final = re.compile(
    r"\s*(?:,\s*(?:and|or|und|oder|y|o|e|et|ou)\b|,|、|\b(?:and|or|und|oder)\b|或|和)\s*"
)
_CUT: Final = re.compile(r"\s(?:from|out of|in the|before|after|for each|so that|aus|de la)\b.*|[.;:!?。].*")
_ARTICLE: Final = re.compile(
    r"^\s*(?:the|a|an|its|their|any|der|die|das|el|la|los|le|les|il)\s+|\s(?:the|a|an)(?=\s)", re.IGNORECASE
)
_FROM: Final = re.compile(r"(?:From|Out of|Aus|De|Da)\s", re.IGNORECASE)
_BEFORE: Final = re.compile(
    r"^(?:for|if|when|once|after|before|from|in|on|wenn|falls|nach|vor)\b[^,:]{1,80}[,:]\s*", re.IGNORECASE
)
_PROGRAM: Final = re.compile(
    r"`(?:git|gh|npm|npx|yarn|pnpm|make|docker|kubectl|curl|pip|uv|cargo|go|grep|ls|cat|cd)\s[^`]*`"
)
_FILE: Final = re.compile(r"[\w/~-]\.(?:csv|html?|js|json|md|py|sh|toml|ts|txt|xml|ya?ml)\b")
_DEFINITE: Final = re.compile(r"\b(?:the|this)(?:\s+\w+){1,2}")
_LABELLED: Final = re.compile(r"[^.!?:—–]{1,40}(?::|\s[—–-]{1,2})\s")
_BOLD: Final = re.compile(r"\*\*([^*]{3,60})\*\*")
_MOST_FIELDS, _MOST_WORDS = 12, 5
ASKING_TOOL: Final = "AskUserQuestion"
"""The tool of Claude Code that puts a question before the person."""


class Part(Struct, frozen=True):
    """One step as the document has it: its heading, the lines from there to the next, and what stands there."""

    title: str
    first: int
    last: int
    said: tuple[Segment, ...]
    numbers: tuple[int, ...] = ()
    """Its number in the document, or those of the steps that it holds together."""

    def with_next(self, part: "Part") -> "Part":
        """Return it and the part behind it as one."""
        return replace(
            self, last=part.last, said=(*self.said, *part.said), numbers=(*self.numbers, *part.numbers)
        )

    @property
    def sentences(self) -> list[str]:
        """Return what it says, sentence by sentence; fences say nothing."""
        texts = (each.words for each in self.said if each.kind not in ("fence", "heading", "table_header"))
        return [part.strip() for text in texts for part in _SENTENCE.split(text) if part.strip()]

    @property
    def orders(self) -> list[str]:
        """Return the sentences that give an order by their place: the first one, and that of each numbered item."""
        numbered = (each.words for each in self.said if each.kind == "item" and each.ordered)
        return [*self.sentences[:1], *(_SENTENCE.split(words)[0] for words in numbered)]

    @property
    def text(self) -> str:
        """Return its lines."""
        return "\n".join("\n".join(each.lines) for each in self.said)


class Work(Enum):
    """Who can do what a sentence or a step orders."""

    MIND = auto()
    """A model, from what it is given."""
    LOOK = auto()
    """A model, if it is given the thing to look at."""
    THING = auto()
    """It is a model's kind of work on something outside."""
    KEEP = auto()
    """A result is put somewhere."""
    WORLD = auto()
    """Somebody or something outside a model."""
    PERSON = auto()
    """The person, who is asked."""
    OTHER = auto()
    """Work of which nothing is known."""
    NONE = auto()
    """No work is ordered."""
    UNSURE = auto()
    """Nobody can say."""


def headed_parts(segments: Sequence[Segment], lines: int) -> tuple[list[Part], str]:
    """Return the headed steps of a document, and why there are none although headings are numbered as steps are."""
    rows: dict[tuple[int, tuple[str, ...], bool], list[Part]] = {}
    for heading in (each for each in segments if each.kind == "heading"):
        words = heading.words.strip(" *_:")
        named = topic_pattern(_WORDS, "step").match(words)
        found = _NUMBER.fullmatch(words[named.end() :]) if named else _PLAIN_NUMBER.fullmatch(words)
        above = heading.section
        if found is None or any(topic_pattern(_WORDS, "aside").search(each) for each in above):
            continue
        if named is None and not _orders_work(above):
            continue
        part = _cut(heading, segments, lines, int(found["number"]))
        title = found["title"].strip(" *_:") or words
        rows.setdefault((heading.level, above, named is not None), []).append(replace(part, title=title))
    plain = {key: row for key, row in rows.items() if _is_plain([part.numbers[0] for part in row])}
    level = min((key[0] for key in plain), default=0)
    rivals = {key: row for key, row in rows.items() if key[0] == level}
    if len(rivals) > 1:  # the one that its heading calls the work is it
        rivals = {key: row for key, row in rivals.items() if _orders_work(key[1])}
    if len(rivals) != 1 or not rivals.keys() <= plain.keys():  # which of several is taken, nobody says
        return [], _SEVERAL if len(plain) > 1 else ""
    ((taken, row),) = rivals.items()
    # what is done on a condition isn't done in every run
    steps = [part for part in row if not topic_pattern(_WORDS, "if").match(part.title)]
    if not steps:
        return [], ""
    by_line = {part.first: part for part in steps}
    for heading in (each for each in segments if each.kind == "heading" and each.level == level):
        is_between = steps[0].first < heading.first < steps[-1].first
        if is_between and not topic_pattern(_WORDS, "aside").search(heading.words.strip(" *_:")):
            by_line.setdefault(heading.first, _cut(heading, segments, lines))
    parts = [by_line[line] for line in sorted(by_line)]
    others = (part.first for key, row in rows.items() if key != taken for part in row)
    inside = all(any(part.first < line <= part.last for part in parts) for line in others)
    if not inside and not _orders_work(taken[1]):
        return [], _SEVERAL
    return parts, ""


_SEVERAL: Final = "several rows of headings are numbered as steps are"


def _orders_work(above: Sequence[str]) -> bool:
    return bool(above) and topic_pattern(_LEADS, "steps").search(above[-1]) is not None


def listed_parts(segments: Sequence[Segment]) -> list[Part]:
    """Return the items of the one numbered list whose heading or lead-in orders work, none if there are more."""
    lists: dict[int, list[int]] = {}
    for place, segment in enumerate(segments):
        is_aside = any(topic_pattern(_WORDS, "aside").search(each) for each in segment.section)
        if is_step(segment) and segment.depth == 1 and not is_aside:
            lists.setdefault(segment.list_number, []).append(place)
    parts: list[Part] = []
    for place in next(iter(lists.values()), []) if len(lists) == 1 else ():
        deep, after_it = len(segments[place].context), range(place + 1, len(segments))
        end = next((at for at in after_it if len(segments[at].context) <= deep), len(segments))
        said = tuple(segments[place:end])
        label = _BOLD.match(said[0].text)  # a label names the step better than its first sentence
        title = (label[1] if label else _SENTENCE.split(said[0].words)[0]).strip(" *_:.")
        last = max(each.last for each in said)
        parts.append(Part(title, said[0].first, last, said, (len(parts) + 1,)))
    shown = any(each.kind == "fence" for part in parts for each in part.said)
    return parts if len(parts) > 1 and not shown else []


def _is_plain(numbers: Sequence[int]) -> bool:
    return (
        len(numbers) > 1 and numbers[0] in (0, 1) and list(numbers) == [*range(numbers[0], numbers[-1] + 1)]
    )


def alternative_parts(segments: Sequence[Segment], lines: int) -> list[Part]:
    """Return the sections of a document of which a sentence above them says that one is done."""
    for place, segment in enumerate(segments):
        if segment.kind in ("paragraph", "lead_in") and topic_pattern(_WORDS, "one_of").search(segment.words):
            after = [each for each in segments[place + 1 :] if each.kind == "heading"]
            same = [
                each for each in after if each.level == after[0].level and each.section == after[0].section
            ]
            if len(same) > 1 and segments[place + 1] is same[0]:
                return [_cut(each, segments, lines) for each in same]
    return []


def _cut(heading: Segment, segments: Sequence[Segment], lines: int, number: int = 0) -> Part:
    behind = [each for each in segments if each.first > heading.first]
    ends = (each.first - 1 for each in behind if each.kind == "heading" and each.level <= heading.level)
    end = min(ends, default=lines)
    said = tuple(each for each in behind if each.first <= end)
    last = max((each.last for each in said), default=heading.last)
    return Part(heading.words.strip(" *_:"), heading.first, last, said, (number,))


# --- sentences --------------------------------------------------------------------------------------


def stops_a_run(sentence: str) -> bool:
    """Return whether a sentence ends the run on a condition."""
    return all(topic_pattern(_WORDS, topic).search(sentence) for topic in ("if", "stop"))


class Known(Struct, frozen=True):
    """What a step can speak of, in single words: what is always given, and what the steps before it gave."""

    subject: frozenset[str]
    results: frozenset[str] = frozenset()

    def adding(self, texts: Iterable[str]) -> "Known":
        """Return what is known with the results of one more step."""
        return replace(self, results=self.results.union(*map(words_in, texts)))


def work_of(part: Part, known: Known, pages: Collection[str]) -> Work:
    """Return who can do a step: a model only what is plainly its own work by the title, else by the first sentence.

    Args:
        part: The step.
        known: What it can speak of.
        pages: The carried documents that it names.
    """
    person = topic_pattern(_WORDS, "person")
    asks = [each for each in (part.title, *part.sentences) if person.match(_order(each))]
    on_condition = topic_pattern(_WORDS, "if")
    always = [each for each in asks if each in part.sentences[:2] or not on_condition.search(each)]
    if always or ASKING_TOOL in part.text:
        return Work.PERSON
    known = known.adding(("file document page reference rule",) if pages else ())
    title, *orders = (_ordered(each, known) for each in (part.title, *part.orders))
    shown = any(each.kind == "fence" and each.info.casefold() in COMMAND_FENCES for each in part.said)
    outside = any(is_outside(each, known) for each in part.sentences)
    if shown or outside or title in (Work.WORLD, Work.THING, Work.KEEP):
        return Work.WORLD
    looks = topic_pattern(_WORDS, "look").match(_order(part.title))
    if pages and looks and Work.WORLD not in orders:
        return Work.LOOK
    first = title if title is Work.MIND else next(iter(orders), Work.NONE)
    is_at_hand = looks and _DEFINITE.search(part.title.casefold())
    if is_at_hand and Work.MIND in (_ordered(each, known) for each in part.sentences):
        first = Work.MIND  # "Find the risks" of a text that it also judges
    heads = {_ordered(_SENTENCE.split(each.words)[0], known) for each in part.said if each.kind != "fence"}
    is_plain = not {Work.THING, Work.WORLD, Work.OTHER} & {*orders} and Work.THING not in heads
    return first if first is Work.WORLD or (first is Work.MIND and is_plain) else Work.UNSURE


def goes_back(part: Part) -> int | None:
    """Return the number of the step that a step goes on with instead of the next; 0 if it isn't a number."""
    found = next((said for each in part.sentences if (said := after(each, "jump"))), None)
    number = re.match(r"\W*(\d{1,2})\b", found or "")
    return None if found is None else int(number[1]) if number else 0


def _ordered(sentence: str, known: Known) -> Work:
    """Return who can do what a sentence orders."""
    order = _order(sentence)
    is_known = not known.results.isdisjoint(words_in(order))
    about = not is_known and bool(topic_pattern(_WORDS, "outside").search(order) or _PROGRAM.search(order))
    is_given = not about and (is_known or bool(topic_pattern(_WORDS, "given").search(order)))
    if _PROGRAM.match(order) or topic_pattern(_WORDS, "world").match(order):
        return Work.WORLD
    if topic_pattern(_WORDS, "keep").match(order):
        return Work.KEEP
    makes = topic_pattern(_WORDS, "make").match(order)
    is_mind = topic_pattern(_WORDS, "text" if makes else "mind").search(order)
    if (is_mind and (makes or not is_mind.start())) or _takes(sentence) or options_of(sentence):
        return Work.THING if about else Work.MIND
    if topic_pattern(_WORDS, "look").match(order):
        definite = words_in(" ".join(_DEFINITE.findall(order.casefold())))
        is_given = is_given or not known.subject.isdisjoint(definite)
        is_file = not is_known and _FILE.search(order)
        return Work.WORLD if about or is_file else Work.MIND if is_given else Work.LOOK
    if topic_pattern(_WORDS, "seek").match(order):  # what a step named isn't yet there to be looked through
        return Work.MIND if is_given and not is_known else Work.WORLD
    if not is_imperative(order):
        return Work.NONE
    is_manner = topic_pattern(_WORDS, "manner").match(order)
    return Work.WORLD if about else Work.NONE if is_manner else Work.OTHER


def words_in(text: str) -> set[str]:
    """Return the longer words of a text, in the singular."""
    return {word.removesuffix("s") for word in re.findall(r"[^\W\d_]{4,}", text.casefold())}


def is_outside(sentence: str, known: Known) -> bool:
    """Return whether a sentence orders what isn't a model's kind of work."""
    return _ordered(sentence, known) is Work.WORLD and not _LABELLED.match(sentence)


def _order(sentence: str) -> str:
    """Return a sentence from its verb on, without marks and the condition or the extent before it."""
    return _BEFORE.sub("", sentence.strip(" *_-—>"), count=1).strip(" *_-—>")


def after(sentence: str, topic: str) -> str:
    """Return what follows the first word of a topic, or `""`."""
    found = topic_pattern(_WORDS, topic).search(sentence)
    return sentence[found.end() :] if found else ""


def listed(text: str) -> list[Returned]:
    """Return the fields that a list of noun phrases names, none if one of them is no short noun phrase."""
    phrases = [part.strip(" *_`\"'") for part in _BETWEEN.split(_CUT.sub("", text).strip()) if part.strip()]
    found: dict[str, Returned] = {}
    for phrase in phrases:
        bare = " ".join(_ARTICLE.sub(" ", phrase).split())
        name = python_identifier(ascii_words(bare) or bare, set(found), fallback="field")
        if len(bare.split()) > _MOST_WORDS + 1 or not bare:
            return []
        found[name] = Returned(name, phrase, optional=True)
    return list(found.values()) if 2 <= len(found) <= _MOST_FIELDS else []


def fields_of(part: Part) -> list[Returned]:
    """Return the facts that a step takes out of a text, if it names them."""
    return next((listed(after(each, "take")) for each in part.sentences if _takes(each)), [])


def _takes(sentence: str) -> bool:
    """Return whether a sentence orders to take named facts out of a text."""
    order = topic_pattern(_WORDS, "take").search(sentence)
    is_from = _FROM.match(sentence) or topic_pattern(_WORDS, "given").search(sentence)
    is_mind = topic_pattern(_WORDS, "mind").match(sentence) is not None
    begins = order is not None and (bool(_FROM.match(sentence)) or not order.start())
    return begins and bool(is_from or is_mind) and len(listed(after(sentence, "take"))) > 1


def choice_of(part: Part) -> tuple[str, ...]:
    """Return the alternatives between which a step orders to decide; beside another condition they aren't all."""
    found = [(each, options) for each in part.sentences if (options := options_of(each))]
    cases = [each for each in part.sentences if not stops_a_run(each)]
    is_apart = any(each.endswith("?") or topic_pattern(_WORDS, "if").match(each) for each in cases)
    return () if is_apart or not found else found[0][1]


def options_of(sentence: str) -> tuple[str, ...]:
    """Return the alternatives between which a sentence orders to decide."""
    found = topic_pattern(_WORDS, "decide").match(sentence)
    if found is None:
        return ()
    rest = sentence[found.end() :]
    named = re.search(r"\b(?:as|into|als)\b:?\s*(.+)", rest)
    if named is None and not re.search(r"\b(?:or|oder)\b", rest):
        return ()
    text = re.split(r", never\b|[.;!?]", named[1] if named else rest)[0]
    options = [part.strip(" *_`\"':") for part in _BETWEEN.split(text) if part.strip(" *_`\"':")]
    short = all(len(option.split()) <= _MOST_WORDS + 1 for option in options)
    return tuple(dict.fromkeys(options)) if 2 <= len(options) <= _MOST_FIELDS and short else ()


def repeated_for(part: Part) -> set[str]:
    """Return what a step is done for one after the other, in single words."""
    thing = next((found for each in (part.title, *part.orders[:1]) if (found := after(each, "each"))), "")
    return words_in(re.split(r"[,:;.]", thing)[0])


def nouns_of(title: str) -> str:
    """Return what a title is about: the words behind its article, else behind its verb."""
    _, article, rest = title.partition(" the ")
    return _ARTICLE.sub(" ", rest if article else " ".join(title.split()[1:])).strip()


def class_of(title: str) -> str:
    """Return the name of the type that a step with this title returns."""
    words = (ascii_words(nouns_of(title)) or ascii_words(title)).split("_")
    name = "".join(word[:1].upper() + word[1:] for word in words[:4] if word.isidentifier()) or "Found"
    return type_name(name if name[0].isalpha() else f"Found{name}")


def split_call(text: str) -> tuple[list[str], list[str]]:
    """Return the words of a call as the reader of calls takes them, and the names of their placeholders."""
    held = _PLACE.sub(
        lambda found: "{" + re.sub(r"[ -]", "_", (found[1] or found[2] or found[3]).lower()) + "}", text
    )
    try:
        words = shlex.split(held.partition(" #")[0].replace("`", ""))
    except ValueError:
        words = [held]
    values = [name for word in words for name in re.findall(r"\{(\w+)\}", word)]
    return [re.sub(r"\{(\w+)\}", r"<\1>", word) for word in words], values
