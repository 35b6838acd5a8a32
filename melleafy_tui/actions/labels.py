"""Names and descriptions shown by wizard and command line: elements, entries, places, secrets."""

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from melleafy_tui.core.models.classification import AxisEvidence, Classification
from melleafy_tui.core.models.facts import SecretFact
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.meanings import ARCHETYPE_MEANINGS, SHAPE_MEANINGS, TOOL_MEANINGS
from melleafy_tui.core.models.plan import PlanEntry
from melleafy_tui.core.models.snapshot import SourceFile
from melleafy_tui.core.models.vocabulary import (
    CATEGORY_TITLES,
    PLAN_CATEGORIES,
    Category,
)
from melleafy_tui.core.source.secrets.masking import (
    LINE_END,
    SecretPlace,
    mask_secrets,
    secret_columns,
    secret_places,
)

NOTHING_TO_RELEASE: Final = "Nothing on its lines looks like a secret that could be released."
STAYS_MASKED: Final = "Settings and private keys stay masked; nothing else on its lines looks like a secret."

_PLAN_TITLES: Final[dict[str, str]] = {
    name: CATEGORY_TITLES[category]
    if category is Category.NONE
    else f"{category.value} {CATEGORY_TITLES[category]}"
    for category, name in PLAN_CATEGORIES.items()
}


class Axis(Struct, frozen=True):
    """One axis of the classification, with its value in words.

    Attributes:
        name: The axis.
        value: Its value in plain words, with the short name that documents have.
        confidence: From 0 to 1.
        evidence: The lines that speak for the value.
    """

    name: str
    value: str
    confidence: float
    evidence: tuple[AxisEvidence, ...]


def axes_of(found: Classification) -> tuple[Axis, ...]:
    """Return the axes that are inferred from the wording: kind of work, shape and use of tools."""
    work, tools = found.archetype, found.tool_involvement
    return (
        Axis(
            "archetype",
            f"{work.name.lower()}, {ARCHETYPE_MEANINGS[work]} ({work.value})",
            found.archetype_confidence,
            found.archetype_evidence,
        ),
        Axis(
            "shape",
            f"{found.shape.value.lower()}, {SHAPE_MEANINGS[found.shape]}",
            found.shape_confidence,
            found.shape_evidence,
        ),
        Axis(
            "tools",
            f"{TOOL_MEANINGS[tools]} ({tools.value})",
            found.tool_confidence,
            found.tool_evidence,
        ),
    )


def no_conflict_words(runtimes: Sequence[str]) -> str:
    """Return why there are no conflicts between the runtimes of the workspace."""
    if len(runtimes) < 2:
        return "There is no conflict: one runtime reads this workspace."
    return f"There is no conflict: {' and '.join(runtimes)} treat every element alike."


def changed_words(changed: Sequence[str]) -> str:
    """Return the changed source files as a short phrase."""
    return ", ".join(changed[:3]) + (f" and {len(changed) - 3} more" if len(changed) > 3 else "")


def followed_words(count: int) -> str:
    """Return the message after reading the source again, if every decision still applies."""
    if not count:
        return "there were no decisions to keep"
    return "your decision is unchanged" if count == 1 else f"your {count} decisions are unchanged"


def category_title(name: str) -> str:
    """Return a plan category as `C2 Operating rules`."""
    return _PLAN_TITLES.get(name, name)


def is_secret(element: Element) -> bool:
    """Return whether an element's value must be hidden."""
    return element.facts[SecretFact].secret


def place(path: Path) -> str:
    """Return a path for people, with `~` for the home folder."""
    try:
        home = Path.home()
    except RuntimeError:
        return str(path)
    return (
        f"~/{path.relative_to(home).as_posix()}" if path.is_relative_to(home) and path != home else str(path)
    )


def with_tilde(text: str) -> str:
    """Return a sentence with `~` for the home folder in its paths."""
    try:
        home = Path.home().as_posix()
    except RuntimeError:
        return text
    return text.replace(f"{home}/", "~/") if home not in ("", "/") else text


def shown_lines(source: SourceFile, elements: Iterable[Element], released: Collection[str] = ()) -> list[str]:
    """Return the lines of a source file as they may be shown: each line with a secret is hidden from the secret on.

    Args:
        source: The file.
        elements: The inventory's elements, of this file or of all files. If a secret's value isn't found in its lines,
            they are shown up to the first word that its masked text doesn't have, and those of settings up to `:`.
        released: Digests of values that look like secrets and that the user released.
    """
    lines = list(source.lines)
    columns = secret_columns(source, released)
    if columns:  # a value can be a secret only beside a mask
        again = LINE_END.split(mask_secrets(source.text or "", released))
        for number, (line, shown) in enumerate(zip(lines, again, strict=False), 1):
            if line != shown:
                columns.setdefault(number, _first_difference(line, shown))
    settings = source.path.casefold().endswith(SETTINGS_ENDINGS)
    secret = [each for each in elements if is_secret(each) and each.source_file == source.path]
    places = secret_places(source) if any(each.kind == "file" for each in secret) else ()
    for element in secret:
        if element.kind == "file" and _is_located(element, places):
            continue
        known = "" if settings else _shown_words(element)
        first, last = element.line_range
        for number in range(first, min(last, len(lines)) + 1):
            line = lines[number - 1]
            column = len(line) if settings else _shown_length(line, known)
            if column < len(line) or (settings and _SETTING.search(_KEY.sub("", line))):
                columns.setdefault(number, column)
    for number, column in columns.items():
        lines[number - 1] = masked(lines[number - 1], column)
    return lines


def _first_difference(line: str, other: str) -> int:
    pairs = enumerate(zip(line, other, strict=False))
    return next((place for place, (one, two) in pairs if one != two), min(len(line), len(other)))


def _is_located(element: Element, places: Iterable[SecretPlace]) -> bool:
    """Return whether each value of an element was found in its lines; a file's own text tells nothing of them."""
    first, last = element.line_range
    near = {each.variable for each in places if each.line_range[0] <= last and each.line_range[1] >= first}
    held = element.facts[SecretFact]
    return bool(held.secret_env) and near.issuperset((held.secret_env, *held.secret_envs))


SETTINGS_ENDINGS: Final = (".json", ".json5", ".jsonc")
_KEY: Final = re.compile(r"(?:\"[^\"\n]*\"|'[^'\n]*'|[\w$]+)[ \t]*:")
_SETTING: Final = re.compile(r"\b(?!(?:true|false|null)\b)\w")
"""The beginning of what a line of settings says, without its keys."""

_NUMBER: Final = re.compile(r"[ \t>]*\d{1,2}[.)](?=\s)")
_WORD: Final = re.compile(r"\S+")
_MARKS: Final = "#>*_`~|-+=[](){}<>\"'“”„.,:;!?"


def _shown_words(element: Element) -> str:
    """Return the words of an element's masked texts, each between blanks and without marks around it."""
    texts = (
        element.statement,
        element.label,
        element.value,
        *element.section,
        *element.context,
        element.content_summary,
    )
    return " \n ".join(["", *(" ".join(word for word, _ in _words(text)) for text in texts), ""])


def _shown_length(line: str, known: str) -> int:
    """Return how much of a line, from its beginning, stands word by word in what is shown of its element."""
    number = _NUMBER.match(line)
    words = _words(line, number.end() if number else 0)
    if not words or f" {' '.join(word for word, _ in words)} " in known:
        return len(line)
    count = bisect_left(
        range(1, len(words)),
        True,
        key=lambda count: f" {' '.join(word for word, _ in words[:count])} " not in known,
    )
    return words[count][1]


def _words(text: str, start: int = 0) -> list[tuple[str, int]]:
    """Return the words of a text without marks around them, and where each begins."""
    found = ((match[0].strip(_MARKS).casefold(), match.start()) for match in _WORD.finditer(text, start))
    return [(word, start) for word, start in found if word]


def releasable(source: SourceFile | None, element: Element) -> tuple[SecretPlace, ...]:
    """Return the values on an element's lines that look like secrets and can be released, each once."""
    first, last = element.line_range
    places = secret_places(source) if source is not None else ()
    near = [place for place in places if place.line_range[0] <= last and place.line_range[1] >= first]
    return tuple({place.digest: place for place in reversed(near)}.values())[::-1]


def masked(line: str, column: int) -> str:
    """Return a line of a secret with its value hidden; the part before `=` or `:` stays, up to the column."""
    for mark in ("=", ":"):
        head, found, rest = line[:column].partition(mark)
        if found and (rest.strip() or column < len(line)):
            return f"{head}{mark} ••••••"
    return (
        f"{line[:column].rstrip()} ••••••".lstrip()
        if column < len(line)
        else "••••••"
        if line.strip()
        else line
    )


def element_title(element: Element) -> str:
    """Return an element's summary, or only its name if it has a secret."""
    if is_secret(element):
        return element.label or element.value or "a secret"
    return element.content_summary or element.statement


def element_remarks(element: Element) -> list[str]:
    """Return remarks about an element other than its tag, category and target."""
    remarks: tuple[tuple[bool, str], ...] = (
        (
            is_secret(element),
            "A secret: its value is masked here and never written; if it isn't one, release it.",
        ),
        (element.template, "Stock text of the runtime's own templates."),
        (bool(element.runtime_only), f"Only makes sense on the source runtime: {element.runtime_only}"),
        (
            element.suggested_category is not None,
            f"Could be {element.suggested_category}: {element.suggestion_reason}",
        ),
        (bool(element.aggregation_hint), element.aggregation_hint),
        (bool(element.scope), f"Holds for {element.scope}"),
    )
    return [*(text for holds, text in remarks if holds), *element.notes]


def title_of(entry: PlanEntry, elements: Sequence[Element]) -> str:
    """Return an entry's summary without a secret's value; `elements` are the entry's source elements."""
    return element_title(elements[0]) if elements and is_secret(elements[0]) else entry.summary
