"""Cuts a document into the parts that its headings order, and reads what the sentences of a part ask for."""

import re
import shlex
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from melleafy_tui.core.dialects.shell_requests import COMMAND_FENCES
from melleafy_tui.core.dialects.step_elements import type_name
from melleafy_tui.core.language import wording
from melleafy_tui.core.language.words import topic_pattern
from melleafy_tui.core.models.procedure import Returned
from melleafy_tui.core.package.naming import ascii_words, python_identifier
from melleafy_tui.core.source.segments import Segment

_WORDS: Final = Path(__file__).with_suffix(".toml")
_LEADS: Final = Path(wording.__file__).with_name("lead_words.toml")
_NUMBER: Final = re.compile(r"[\s#]*(?P<number>\d{1,2})\s*(?:[.:)\]、：—–-]+\s*|\s+|$)(?P<title>.*)")
_PLAIN_NUMBER: Final = re.compile(r"(?P<number>\d{1,2})[.)、]\s*(?P<title>\S.*)")
_CODE: Final = re.compile(r"`([^`\n]+)`")
_QUOTED: Final = re.compile(r"[`\"“']([\w .-]{1,40})[`\"”']")
_SENTENCE: Final = re.compile(r"(?<=[.!?。！？])\s+")
_PLACE: Final = re.compile(r"<([\w -]{1,40})>|\{(\w{1,40})\}|\$?([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)")
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
_MOST_FIELDS, _MOST_WORDS = 12, 5


class Part(Struct, frozen=True):
    """One step as the document has it: its heading, the lines from there to the next, and what stands there."""

    title: str
    first: int
    last: int
    said: tuple[Segment, ...]

    @property
    def sentences(self) -> list[str]:
        """Return what it says, sentence by sentence; fences say nothing."""
        texts = (each.words for each in self.said if each.kind not in ("fence", "heading", "table_header"))
        return [part.strip() for text in texts for part in _SENTENCE.split(text) if part.strip()]

    @property
    def text(self) -> str:
        """Return its lines."""
        return "\n".join("\n".join(each.lines) for each in self.said)


def headed_parts(segments: Sequence[Segment], lines: int) -> list[Part]:
    """Return the headed steps of a document, none if they aren't plainly steps."""
    headings = [each for each in segments if each.kind == "heading"]
    rows: dict[tuple[int, tuple[str, ...], bool], list[tuple[int, str, Segment]]] = {}
    for heading in headings:
        words = heading.words.strip(" *_:")
        named = topic_pattern(_WORDS, "step").match(words)
        found = _NUMBER.fullmatch(words[named.end() :]) if named else _PLAIN_NUMBER.fullmatch(words)
        above = heading.section
        if found is None or any(topic_pattern(_WORDS, "aside").search(each) for each in above):
            continue
        if named is None and not (above and topic_pattern(_LEADS, "steps").search(above[-1])):
            continue
        rows.setdefault((heading.level, above, named is not None), []).append(
            (int(found["number"]), found["title"].strip(" *_:") or words, heading)
        )
    plain = {key: row for key, row in rows.items() if _is_plain([number for number, _, _ in row])}
    level = min((key[0] for key in plain), default=0)
    outermost = [row for key, row in plain.items() if key[0] == level]
    numbered = [row for key, row in rows.items() if key[0] == level]
    if len(outermost) != 1 or len(numbered) != 1:  # several procedures: which one is taken, nobody says
        return []
    parts = [_cut(title, heading, headings, segments, lines) for _, title, heading in outermost[0]]
    others = (heading.first for row in rows.values() if row is not outermost[0] for _, _, heading in row)
    inside = all(any(part.first < line <= part.last for part in parts) for line in others)
    return parts if inside else []


def _is_plain(numbers: Sequence[int]) -> bool:
    return (
        len(numbers) > 1 and numbers[0] in (0, 1) and list(numbers) == [*range(numbers[0], numbers[-1] + 1)]
    )


def alternative_parts(segments: Sequence[Segment], lines: int) -> list[Part]:
    """Return the sections of a document of which a sentence above them says that one is done."""
    headings = [each for each in segments if each.kind == "heading"]
    for place, segment in enumerate(segments):
        if segment.kind in ("paragraph", "lead_in") and topic_pattern(_WORDS, "one_of").search(segment.words):
            after = [each for each in segments[place + 1 :] if each.kind == "heading"]
            same = [
                each for each in after if each.level == after[0].level and each.section == after[0].section
            ]
            if len(same) > 1 and segments[place + 1] is same[0]:
                return [_cut(each.words.strip(" *_:"), each, headings, segments, lines) for each in same]
    return []


def _cut(
    title: str, heading: Segment, headings: Sequence[Segment], segments: Sequence[Segment], lines: int
) -> Part:
    ends = (each.first - 1 for each in headings if each.first > heading.first and each.level <= heading.level)
    last = min(ends, default=lines)
    said = tuple(each for each in segments if heading.first < each.first <= last)
    return Part(title, heading.first, max((each.last for each in said), default=heading.last), said)


# --- sentences --------------------------------------------------------------------------------------


def stops_a_run(sentence: str) -> bool:
    """Return whether a sentence ends the run on a condition."""
    begins = topic_pattern(_WORDS, "if").search(sentence)
    return begins is not None and bool(topic_pattern(_WORDS, "stop").search(sentence))


def needs_the_world(part: Part, carried: Sequence[str]) -> bool:
    """Return whether a step orders what only something outside a model can do."""
    if any(each.kind == "fence" and each.info.casefold() in COMMAND_FENCES for each in part.said):
        return True
    orders = (part.title, *part.sentences)
    reading = topic_pattern(_WORDS, "reading")  # what is carried can be read
    return any(is_outside(each) for each in orders if not (carried and reading.match(_order(each))))


def is_outside(sentence: str) -> bool:
    """Return whether a sentence orders what only something outside a model can do."""
    order = _order(sentence)
    if topic_pattern(_WORDS, "world").match(order) or _PROGRAM.match(order):
        return True
    about = topic_pattern(_WORDS, "outside").search(order) or _PROGRAM.search(order)
    return about is not None and topic_pattern(_WORDS, "acts").match(order) is not None


def _order(sentence: str) -> str:
    """Return a sentence from its verb on, without marks and the condition or the extent before it."""
    return _BEFORE.sub("", sentence.strip(" *_-—>"), count=1).strip(" *_-—>")


def only_loads(part: Part) -> bool:
    """Return whether a step only orders to read documents, which the steps behind it are given."""
    reading = topic_pattern(_WORDS, "reading")
    return bool(part.sentences) and all(reading.match(_order(each)) for each in part.sentences)


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
    for sentence in part.sentences:
        order = topic_pattern(_WORDS, "take").search(sentence)
        begins = order is not None and (not order.start() or _FROM.match(sentence))
        if begins and not is_outside(sentence) and (found := listed(after(sentence, "take"))):
            return found
    return []


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


def nouns_of(title: str) -> str:
    """Return what a title is about: the words behind its article, else behind its verb."""
    _, article, rest = title.partition(" the ")
    return _ARTICLE.sub(" ", rest if article else " ".join(title.split()[1:])).strip()


def class_of(title: str) -> str:
    """Return the name of the type that a step with this title returns."""
    words = (ascii_words(nouns_of(title)) or ascii_words(title)).split("_")
    name = "".join(word[:1].upper() + word[1:] for word in words[:4] if word.isidentifier()) or "Found"
    return type_name(name if name[0].isalpha() else f"Found{name}")


def fenced(lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines of fences, also of those inside items."""
    inside = False
    for line in lines:
        if line.lstrip().startswith(("```", "~~~")):
            inside = not inside
        elif inside:
            yield line


def split_call(text: str) -> list[str]:
    """Return the words of a call, each placeholder as `{name}`."""
    held = _PLACE.sub(
        lambda found: "{" + re.sub(r"[ -]", "_", (found[1] or found[2] or found[3]).lower()) + "}", text
    )
    try:
        return shlex.split(held.partition(" #")[0].replace("`", ""))
    except ValueError:
        return [held]


def placed(words: Iterable[str]) -> tuple[list[str], list[str]]:
    """Return the words of a call as the reader of calls takes them, and the names of their placeholders."""
    shown = list(words)
    values = [name for word in shown for name in re.findall(r"\{(\w+)\}", word)]
    return [re.sub(r"\{(\w+)\}", r"<\1>", word) for word in shown], values


def codes_in(sentence: str) -> list[str]:
    """Return the code spans of a sentence."""
    return _CODE.findall(sentence)


def values_of_stop(sentence: str) -> list[str]:
    """Return the values, in marks, of the condition on which a sentence ends the run."""
    return list(dict.fromkeys(_QUOTED.findall(sentence.split(", ")[0])))


def prints(sentence: str) -> bool:
    """Return whether a sentence says what a script prints."""
    return topic_pattern(_WORDS, "prints").search(sentence) is not None


def asks_a_person(sentence: str) -> bool:
    """Return whether a sentence orders to put something before the person and wait."""
    return topic_pattern(_WORDS, "person").match(_order(sentence)) is not None
