"""The words by which HEARTBEAT.md is read, and the names that it gives its tasks."""

import re
from pathlib import Path
from typing import Final

from melleafy_tui.core.language.time.cadence import readable_line
from melleafy_tui.core.language.time.cadence_words import in_english
from melleafy_tui.core.language.time.clock import CLOCK, DAY
from melleafy_tui.core.language.time.zones import zone_at
from melleafy_tui.core.language.wording import plain_text, shorten
from melleafy_tui.core.language.words import PatternTable, topic_pattern
from melleafy_tui.core.lazy_regex import LONGEST_READ, LazyRegex
from melleafy_tui.core.models.classification import Schedule
from melleafy_tui.core.tables import table_beside

_WORDS: Final = Path(__file__).with_name("schedule_words.toml")
_FILE_NAMES: Final = LazyRegex(
    r"HEARTBEAT\.md|HEARTBEAT_OK|(?<![\w./-])[\w./-]*heartbeat[-_]\w[\w.-]*", re.IGNORECASE
)
_TIME_WORDS: Final = LazyRegex(
    rf"{CLOCK}|\b(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{{0,6}}\b|\bweek-?(?:days?|ends?)\b|\d+", re.IGNORECASE
)
_LABEL: Final = re.compile(r"\W*(?P<label>[^:：\n]{1,40}?)\s*[:：](?!\d\d\b)\s*(?P<value>\S.*)?$")


form: Final = PatternTable(table_beside(__file__, "time_forms.toml"), CLOCK=CLOCK, DAY=DAY).form
"""Returns a pattern of `time_forms.toml`."""


def says(topic: str, text: str) -> bool:
    """Return whether a text has a word of a topic of `schedule_words.toml`."""
    return topic_pattern(_WORDS, topic).search(text[:LONGEST_READ]) is not None


def words_before(topic: str, text: str) -> str:
    """Return what stands before the first word of a topic in a text, `""` if it has none."""
    found = topic_pattern(_WORDS, topic).search(text[:LONGEST_READ])
    return text[: found.start()] if found is not None else ""


def starts_with(topic: str, text: str) -> bool:
    """Return whether the first word of a text is one of a topic."""
    return says(topic, text) and not re.search(r"\w", words_before(topic, text))


def consists_of(text: str, *topics: str) -> bool:
    """Return whether a text has no other words than those of some topics and of times."""
    return not _rest(text, *topics)


_LONGEST_OF_TIMES: Final = 400
"""Characters beyond which a text says more than when; a row of 10,000 signs took half a minute."""


def _rest(text: str, *topics: str) -> str:
    if len(text) > _LONGEST_OF_TIMES:
        return text
    zone = zone_at(text)
    if zone is not None:
        text = f"{text[: zone.start]} {text[zone.end :]}"
    text = _TIME_WORDS.sub(" ", _FILE_NAMES.sub(" ", text))
    for topic in topics:
        text = topic_pattern(_WORDS, topic).sub(" ", text)
    return "".join(re.findall(r"[^\W\d_]", text))


def speaks_of_waking(text: str) -> bool:
    """Return whether a text speaks of the agent's heartbeat; the names of files and of the answer don't count."""
    return says("wake", _FILE_NAMES.sub(" ", text[:LONGEST_READ]))


def is_about_waking_only(text: str) -> bool:
    """Return whether a text has no words but those of a wake-up and its times: no task, thing or purpose."""
    return consists_of(text, "wake", "filler")


def is_agent_column(header: str) -> bool:
    """Return whether a column says whose row it is."""
    return says("agent_column", header) and consists_of(header, "agent_column", "filler")


def names_no_task(heading: str) -> bool:
    """Return whether a heading is about the wake-up, its settings or its rules."""
    return consists_of(heading, "wake", "filler", "general", "time_label") or speaks_of_waking(heading)


def label_and_value(text: str) -> tuple[str, str]:
    """Return the label at the start of a text and what stands behind it; both are empty for another text."""
    found = _LABEL.match(text[:LONGEST_READ])
    return (found["label"], found["value"] or "") if found is not None else ("", "")


def value_of_time_label(text: str) -> str | None:
    """Return what stands behind a label that says when: `Check frequency: hourly`; None for another line."""
    label, value = label_and_value(text)
    if not value or not consists_of(label, "time_label", "filler", "wake"):
        return None
    return value if says("time_label", label) or says("wake", label) else None


# --- the name of a task ------------------------------------------------------------------------------

_LONGEST_NAME: Final = 48
_BRACKETS: Final = re.compile(r"[(（\[]([^()（）\[\]]*)[)）\]]")
_WINDOW: Final = form("window")
_EDGES: Final = " \t-–—:：,，;；。.(（|#*→>にはで"
_DANGLING: Final = form("dangling")
_NUMBER: Final = re.compile(r"^(?:\[[ xX!✓]?\]\s*)?(?:\d{1,2}[.)、]|\d{1,2}(?:\.\d{1,2})+)\s+(?=\S)")
_ADVERB_NAME: Final = form("adverb_name")


def adverb_name(text: str) -> str:
    """Return the name at the start of a text if how often is its first word: `Weekly review`; else `""`."""
    found = _ADVERB_NAME.match(_NUMBER.sub("", readable_line(text[:LONGEST_READ])))
    return found["name"] if found is not None else ""


def words_beside(text: str, found: Schedule) -> str:
    """Return what a text says beside its cadence, window and zone: the name of a task, or `""`."""
    line = _NUMBER.sub("", readable_line(text[:LONGEST_READ]))
    named = adverb_name(line)
    if named and not found.cadence.startswith(named):
        return without_marks(named)
    rest = line.replace(found.cadence, " ", 1)
    zone = zone_at(rest)
    if zone is not None:
        rest = f"{rest[: zone.start]} {rest[zone.end :]}"
    if found.active_start:
        rest = _WINDOW.sub(" ", rest, count=1)
    rest = _BRACKETS.sub(lambda match: " " if is_about_waking_only(match[1]) else match[0], rest)
    left = _TIME_WORDS.sub(" ", in_english(rest).text)  # a heading that is only a time: "4:15 (Mo-Sa)"
    return without_marks(rest) if re.search(r"[^\W\d_]", left) else ""


def without_marks(text: str) -> str:
    """Return the words of a name without the numbers and punctuation around them."""
    text = re.sub(r"\s+([:：,，])", r"\1", " ".join(text.split()))
    before, text = "", re.sub(r"(?<=[(（])[\s:：,，]+|(?<=[:：])[,，]", "", text)
    while text != before:
        before, text = text, _NUMBER.sub("", _DANGLING.sub("", text)).strip(_EDGES)
    return text


def short_title(words: str) -> str:
    """Return the name of a task: its words, or their label where they are a whole line."""
    label = re.match(r"\W*([^:：\n]{2,60}?)\s*[:：]\s", words) if len(words) > _LONGEST_NAME else None
    return shorten(plain_text(label[1] if label else words).rstrip(" -–—"))
