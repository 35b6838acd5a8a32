"""Steps: elements that become a separate model call before the reply, depending on their tag.

"Classify each ticket as bug, question or billing" isn't a requirement on the reply, but a separate call whose answer
is passed to the reply. An element is a step if its category is C2, its wording neither forbids nor permits, and
either the user chose its tag or no dialect row applies to it. Steps that dialects mark with a `PhaseFact` are taken
together, one call a phase; the call of the reply takes the last phase along.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct

from melleafy_tui.core.language.orders import Polarity, polarity_of
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.facts import PhaseFact
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.plan import PlanEntry
from melleafy_tui.core.models.vocabulary import Category, Disposition, EntryKind, Tag
from melleafy_tui.core.package.naming import python_identifier


class StepRow(Struct, frozen=True):
    """Where steps with one tag go; each gets a separate function or entry in `target_file`, and its name later."""

    row_id: str
    target_file: str
    primitive: str
    mellea_construct: str
    target_symbol: str = ""


SLOTS: Final = "slots.py"
OBJECTS: Final = "mobjects.py"
TEXTS: Final = "config.py"
TEXTS_SYMBOL: Final = "GENERATION_STEPS"
PHASES_SYMBOL: Final = "WORKFLOW_PHASES"

STEP_ROWS: Final[dict[Tag, StepRow]] = {
    Tag.EXTRACT: StepRow("tag.extract", SLOTS, "generative", "@generative slot with a typed result"),
    Tag.CLASSIFY: StepRow("tag.classify", SLOTS, "generative", "@generative slot with one of its labels"),
    Tag.GENERATE: StepRow("tag.generate", TEXTS, "instruct", "m.instruct(format=Draft)"),
    Tag.TRANSFORM: StepRow("tag.transform", OBJECTS, "transform", "m.transform on an MObject"),
    Tag.QUERY: StepRow("tag.query", OBJECTS, "query", "m.query on an MObject"),
}
"""One row for each tag that has its own primitive."""

PHASE_ROW: Final = StepRow("tag.orchestrate", TEXTS, "instruct", "m.instruct a phase, the last in the reply")
"""The row of all steps of workflow phases, whatever they do."""

_IN_PHASES: Final = frozenset({*STEP_ROWS, Tag.VALIDATE_DOMAIN, Tag.ORCHESTRATE})

MOST_PARTS: Final = 12
LONGEST_PART: Final = 40
MOST_WORDS: Final = 4

_LABELS: Final = (
    LazyRegex(
        r"\b(?:as|into|one of|either|among|between):? (?P<parts>[^.;:!?\n]{3,400}?)"
        r"(?= (?:before|after|when|if|unless|so|then|based|depending|by|for|from|with|using)\b|[.;:!?\n]|$)",
        re.IGNORECASE,
    ),
    LazyRegex(
        r"(?:分类为|归类为|分为|分成|判断为|标记为)[:\uff1a]? ?(?P<parts>[^\u3002;\uff1b!\uff01?\uff1f\n]{2,200})"
    ),
)
_FIELDS: Final = (
    LazyRegex(
        r"\b(?:extract|pull out|collect|capture|identify|note):? (?P<parts>[^.;:!?\n]{3,400}?)"
        r"(?= (?:from|out of|in|of each|of every|for each|for every)\b|[.;:!?\n]|$)",
        re.IGNORECASE,
    ),
    LazyRegex(r"(?:提取|抽取)(?:出)?[:\uff1a]? ?(?P<parts>[^\u3002;\uff1b!\uff01?\uff1f\n]{2,200})"),
)
_BETWEEN: Final = LazyRegex(r" ?(?:,|\u3001|\uff0c|/|\bor\b|\band\b|或者|或|和) ?")
_REST: Final = LazyRegex(r"[^.;:!?\n]{1,400}")
"""The rest of a sentence belongs to a list if it goes on there: "contract for work or framework agreement"."""

_ASIDE: Final = LazyRegex(r"(?<!\s)\s*+[(\uff08][^()\uff08\uff09]*[)\uff09]")
_LISTED_ASIDE: Final = LazyRegex(
    r"(?<!\s)\s*+[(\uff08](?=[^()\uff08\uff09]*[,/\u3001\uff0c])[^()\uff08\uff09]*+[)\uff09]"
)
"""Text in brackets explains a label; in a list of fields, only a list in brackets would be split wrongly."""

_BEFORE: Final = LazyRegex(r"^(?:(?:either|both|the|a|an|any|each|its|their|one of) )+", re.IGNORECASE)
_QUOTES: Final = "\"'`*_“”‘’「」:\uff1a "


def step_row(element: Element, *, claimed: bool) -> StepRow | None:
    """Return the row for an element, or None if it isn't a step.

    Args:
        element: The element, with the user's retag.
        claimed: Whether a dialect row applies to it.
    """
    if element.category is not Category.C2 or (claimed and not element.is_retagged):
        return None
    if element.facts[PhaseFact].phase and element.tag in _IN_PHASES:
        return PHASE_ROW
    return None if _forbids_or_permits(element) else STEP_ROWS.get(element.tag)


def _forbids_or_permits(element: Element) -> bool:
    return polarity_of(element.statement) in (Polarity.FORBIDS, Polarity.PERMITS)


def phase_names(elements: Iterable[Element]) -> dict[str, str]:
    """Return the identifier of each workflow phase by the phase's name, in source order."""
    names: dict[str, str] = {}
    for element in elements:
        phase = element.facts[PhaseFact].phase
        if phase and phase not in names:
            names[phase] = python_identifier(phase, set(names.values()), fallback="phase")
    return names


def planned_phases(elements: Iterable[Element], entries: Mapping[str, PlanEntry]) -> dict[str, list[Element]]:
    """Return the steps of each workflow phase that a run takes in every scope, by the phase's name, in source order.

    Args:
        elements: The elements, in source order.
        entries: The entries of the plan by element id.
    """
    phases: dict[str, list[Element]] = {}
    for element in elements:
        entry = entries.get(element.element_id)
        phase = element.facts[PhaseFact].phase
        bundled = entry is not None and entry.disposition is Disposition.BUNDLE
        if entry is not None and bundled and entry.kind is EntryKind.STEP and phase and not element.scope:
            phases.setdefault(phase, []).append(element)
    return phases


def checks_something(phase: Iterable[Element]) -> bool:
    """Return whether a phase checks outside data, for which it needs tools."""
    return any(element.tag is Tag.VALIDATE_DOMAIN for element in phase)


def chooses_tools_first(phases: Mapping[str, Sequence[Element]], *, form: bool) -> bool:
    """Return whether tools are chosen before the last call: a form calls none, an earlier phase that checks needs them.

    Args:
        phases: The phases of a run, in order.
        form: Whether the run fills a form.
    """
    return form or any(map(checks_something, list(phases.values())[:-1]))


def unused_tag(element: Element) -> str:
    """Return why the tag chosen by the user doesn't turn the element into a step, or `""`."""
    if not element.is_retagged or element.tag not in STEP_ROWS or element.category is Category.NONE:
        return ""
    if element.category is not Category.C2:
        return f"{element.tag.value} makes a step of its own only among the rules (C2); here the category decides."
    if _forbids_or_permits(element):
        return f"A text that {polarity_of(element.statement).value} can't be a step; it stays a rule."
    return ""


def labels_of(statement: str) -> tuple[str, ...]:
    """Return the labels a classification chooses from, or none if the text doesn't name them clearly."""
    return _parts(_ASIDE.sub("", statement), _LABELS)


def fields_of(statement: str) -> tuple[str, ...]:
    """Return the fields an extraction yields, or none if the text doesn't name them clearly."""
    return _parts(_LISTED_ASIDE.sub("", statement), _FIELDS)


def _parts(statement: str, patterns: tuple[LazyRegex, ...]) -> tuple[str, ...]:
    line = " ".join(statement.split())
    for pattern in patterns:
        for found in pattern.finditer(line):
            rest = _REST.match(line, found.end())
            listed = found["parts"] + (rest[0] if rest and _BETWEEN.search(rest[0]) else "")
            named = [_bare(part) for part in _BETWEEN.split(listed)]
            parts = tuple(dict.fromkeys(part for part in named if part))
            if 2 <= len(parts) <= MOST_PARTS and all(map(_is_short, parts)):
                return parts
    return ()


def _bare(part: str) -> str:
    return _BEFORE.sub("", part.strip(_QUOTES)).strip(_QUOTES)


def _is_short(part: str) -> bool:
    return len(part) <= LONGEST_PART and len(part.split()) <= MOST_WORDS
