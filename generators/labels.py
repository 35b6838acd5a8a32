"""Labels of runtimes, dispositions and other vocabularies, shared by all documents."""

import re
from collections.abc import Iterable
from typing import Any, Final

from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models import vocabulary
from melleafy_tui.core.models.classification import AxisEvidence
from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.plan import PlanEntry
from melleafy_tui.core.models.vocabulary import Category
from melleafy_tui.core.tables import table_beside
from melleafy_tui.generators.markdown_text import one_line, shortened

LABELS: Final[dict[str, Any]] = table_beside(__file__, "labels.toml")
RUNTIMES: Final[dict[str, str]] = LABELS["runtimes"]
MODALITIES: Final = LABELS["modalities"]
ARCHETYPES: Final = LABELS["archetypes"]
SHAPES: Final = LABELS["shapes"]
TOOL_INVOLVEMENTS: Final = LABELS["tool_involvements"]
DISPOSITIONS: Final = {
    disposition: info.in_documents for disposition, info in vocabulary.DISPOSITIONS.items()
}

DECIDED_BY: Final = LABELS["decided_by"]

_ASKS_FOR_NOTHING: Final[dict[str, str]] = LABELS["asks_for_nothing"]
"""Why text of a rule asks for nothing, by the end of the rule's name."""


def asks_for_nothing(rule: str) -> str:
    """Return why the text that a rule read asks for nothing; an unknown rule is named."""
    return _ASKS_FOR_NOTHING.get(rule.rpartition(".")[2], rule)


KINDS: Final = LABELS["kinds"]

_DESCRIPTION_LENGTH: Final = 160
_SENTENCE: Final = re.compile(r".+?(?:[.!?。！？](?=\s|$)\s*|[。！？]|$)")
_SIGNALS_SHOWN: Final = 3


def runtime_title(runtime: str, committed: CommittedPlan) -> str:
    """Return the display name of a runtime."""
    return RUNTIMES.get(runtime) or committed.runtime_titles.get(runtime, runtime)


def source_runtimes(committed: CommittedPlan) -> str:
    """Return the display names of the source's runtimes: `OpenClaw`, or `OpenClaw with Claude Code`."""
    primary, *contributors = (
        runtime_title(runtime, committed) for runtime in committed.classification.dialect_runtimes
    )
    return f"{primary} with {' and '.join(contributors)}" if contributors else primary


def counted(number: int, one: str, many: str = "") -> str:
    """Return the number with its noun: `1 rule`, `3 rules`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


_SAYS_WHO: Final = LazyRegex(
    rf"\W*(?:(?:{LABELS['says_who']['words']})\b(?!\W+(?:{LABELS['says_who']['negated']})\b)"
    rf"|{LABELS['says_who']['signs']})",
    re.IGNORECASE,
)
"""Openings of a sentence that says who the agent is, rather than what it isn't."""


def agent_description(committed: CommittedPlan) -> str:
    """Return a one-line description of the agent in the source's own words.

    Its role, else the sentence of its persona that says who it is, else the start of that.
    """
    identity = [item.element for item in committed.planned if item.element.category is Category.C1]
    for label in LABELS["role_labels"]:
        for element in identity:
            if element.label == label and element.value:
                return _first_sentences(element.value)
    said = [
        element.content_summary
        for element in identity
        if not element.label and not element.template and element.content_summary
    ]
    if summary := next(filter(_SAYS_WHO.match, said), "") or next(iter(said), ""):
        return _first_sentences(summary)
    return f"{committed.project_name}, an agent converted from {source_runtimes(committed)}"


def _first_sentences(text: str) -> str:
    """Return as many sentences of the text as the limit allows; a longer first sentence is cut after a word."""
    kept = ""
    for sentence in _SENTENCE.findall(one_line(text)):
        if len(kept) + len(sentence) > _DESCRIPTION_LENGTH:
            break
        kept += sentence
    return kept.strip() or shortened(text, _DESCRIPTION_LENGTH)


def signals(evidence: Iterable[AxisEvidence]) -> tuple[str, ...]:
    """Return the first distinct signals for an axis, each with its first location."""
    places: dict[tuple[str, str], list[AxisEvidence]] = {}
    for found in evidence:
        places.setdefault((found.rule, found.note), []).append(found)
    said = []
    for (rule, note), all_found in list(places.items())[:_SIGNALS_SHOWN]:
        first = all_found[0]
        place = f"{first.file}:{first.line}" if first.line else first.file
        more = " and elsewhere" if len(all_found) > 1 else ""
        said.append(f"{rule}{f': {note}' if note else ''}{f' ({place}{more})' if place else ''}")
    return tuple(said)


def sources_of(committed: CommittedPlan, entry: PlanEntry) -> tuple[str, ...]:
    """Return `file:lines` of each source element of an entry."""
    by_id = committed.inventory.by_id
    return tuple(by_id[element].location for element in entry.source_elements if element in by_id)
