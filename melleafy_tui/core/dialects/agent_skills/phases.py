"""Finds the phases of a skill's work by its headings."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from melleafy_tui.core.dialects.agent_skills import wordings as words
from melleafy_tui.core.language.directives import is_imperative
from melleafy_tui.core.source.segments import Segment

_FEWEST: Final = 2
"""Headings of phases that make a document a sequence of phases; its other lists are rules and knowledge."""


class Phases(Struct, frozen=True):
    """The headings of a document that name a phase of the work."""

    headings: frozenset[str] = frozenset()

    def of(self, section: Sequence[str], list_role: str) -> str:
        """Return the phase of the work that a segment belongs to.

        Args:
            section: The headings above it, outermost first.
            list_role: What its numbered list is, as in `Wording`.

        Returns:
            The outermost heading that names a phase, else that of a procedure without phases, or `""`.
        """
        named = next((heading for heading in section if heading in self.headings), "")
        if named or len(self.headings) >= _FEWEST:
            return named
        *_, above = ("", *section)
        if list_role in ("procedure", "orders"):
            return above or "workflow"
        return above if is_workflow(above) else ""


def is_workflow(heading: str) -> bool:
    """Return whether the text below a heading is a workflow."""
    return bool(words.WORKFLOW_HEADING.search(heading)) and not words.RULES_HEADING.search(heading)


def phases_of(segments: Sequence[Segment]) -> Phases:
    """Return the phases of a document.

    A bare number before a heading also counts patterns, options and chapters: numbered headings of one section are
    phases below the heading of a workflow, or when most of them are orders.
    """
    found: set[str] = set()
    numbered: dict[tuple[str, ...], list[str]] = {}
    for segment in segments:
        if segment.kind != "heading":
            continue
        if words.PHASE_HEADING.search(segment.text):
            found.add(segment.text)
        elif words.NUMBERED_HEADING.match(segment.text):
            numbered.setdefault(tuple(segment.section), []).append(segment.text)
    for section, headings in numbered.items():
        if _are_phases(section, headings):
            found.update(headings)
    return Phases(frozenset(found))


def _are_phases(section: tuple[str, ...], headings: Sequence[str]) -> bool:
    above = section[-1] if section else ""
    if words.SETUP_HEADING.search(above):
        return False
    if words.WORKFLOW_HEADING.search(above):
        return True
    if len(section) > 1 and words.TOPIC_HEADING.search(above):
        return False
    orders = sum(is_imperative(words.NUMBERED_HEADING.sub("", heading)) for heading in headings)
    return 2 * orders >= len(headings)
