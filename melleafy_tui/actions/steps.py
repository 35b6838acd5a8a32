"""The steps: what people see of each, how far each is, and the counts of the status line."""

from collections.abc import Collection, Mapping
from enum import StrEnum
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from melleafy_tui.core.models.vocabulary import (
    ARCHETYPE_MEANINGS,
    CATEGORIES,
    DECISION_MEANINGS,
    DISPOSITIONS,
    SHAPE_MEANINGS,
    TAG_MEANINGS,
    TOOL_MEANINGS,
    UNKNOWN_RUNTIME,
    Category,
    Severity,
)
from melleafy_tui.core.tables import table_beside

if TYPE_CHECKING:  # the frame imports this before the core
    from melleafy_tui.core.models.findings import Diagnostic
    from melleafy_tui.core.pipeline.conversion import Conversion


class Step(StrEnum):
    """The steps in order."""

    DETECT = "detect"
    INVENTORY = "inventory"
    DECIDE = "decide"
    PREVIEW = "preview"
    WRITE = "write"


Terms = tuple[tuple[str, str], ...]
"""Each term or sign with one sentence."""

_TERMS_OF: Final[dict[str, Terms]] = {
    "dispositions": tuple((shown.label, shown.meaning) for shown in DISPOSITIONS.values()),
    "categories": tuple(
        (category.value, f"{facts.title}. {facts.meaning}")
        for category, facts in CATEGORIES.items()
        if category is not Category.NONE
    ),
    "tags": tuple((tag.value, sentence) for tag, sentence in TAG_MEANINGS.items()),
    "decisions": tuple(
        (kind.value.replace("_", " "), sentence) for kind, sentence in DECISION_MEANINGS.items()
    ),
    "axes": tuple(
        (value.value, f"{value.name.capitalize().replace('_', ' ')}: {sentence}.")
        for meanings in (ARCHETYPE_MEANINGS, SHAPE_MEANINGS, TOOL_MEANINGS)
        for value, sentence in meanings.items()
    ),
}
"""The terms that a row of `steps.toml` names by one word."""


class StepInfo(Struct, frozen=True):
    """What people see of a step.

    Its screen is the class `TITLEScreen` in the module of `screens/` with the step's name.

    Attributes:
        title: Its name on the rail.
        about: What it is about, for the help of its key.
        hint: The lines of the hint for a first visit.
        terms: The terms and signs of its screen.
    """

    title: str
    about: str
    hint: tuple[str, ...]
    terms: Terms


def _info(row: Mapping[str, Any]) -> StepInfo:
    terms = (_TERMS_OF[term] if isinstance(term, str) else (tuple(term),) for term in row["terms"])
    return StepInfo(row["title"], row["about"], tuple(row["hint"]), tuple(chain.from_iterable(terms)))


STEP_INFO: Final[dict[Step, StepInfo]] = {
    Step(name): _info(row) for name, row in table_beside(__file__, "steps.toml").items()
}

STEPS: Final = tuple(STEP_INFO)


class Progress(StrEnum):
    """How far a step is."""

    DONE = "done"
    ATTENTION = "needs attention"
    OPEN = "not yet"


class StepState(Struct, frozen=True):
    """One step on the rail, with the number of things that need attention."""

    step: Step
    progress: Progress
    count: int = 0


class Figures(Struct, frozen=True):
    """The counts of the status line."""

    elements: int
    entries: int
    overrides: int
    stubs: int
    delegates: int
    warnings: int
    calls: int
    prompt_tokens: int


class PaneLayout(Struct, frozen=True):
    """How the panes of a step are arranged at one size.

    Attributes:
        share: The list's share of the room, in tenths; 0 as the step is made.
        maximised: The id of the pane that has all the room, or `""`.
    """

    share: int = 0
    maximised: str = ""


def unread_warnings(conversion: "Conversion") -> tuple["Diagnostic", ...]:
    """Return warnings and errors that the user has not marked as reviewed."""
    read = set(conversion.decisions.acknowledged)
    return tuple(
        finding
        for finding in conversion.diagnostics
        if finding.severity is not Severity.INFO and f"{finding.code}:{finding.file}" not in read
    )


def figures_of(conversion: "Conversion") -> Figures:
    """Return the counts of a conversion."""
    from melleafy_tui.core.package.setup_sections import (  # the first paint needs none of it
        delegates_by_category,
        stubs_by_category,
    )

    entries = conversion.plan.entries
    cost = conversion.cost
    return Figures(
        elements=len(conversion.inventory.elements),
        entries=len(entries),
        overrides=sum(entry.overridden for entry in entries),
        stubs=sum(stubs_by_category(entries, conversion.inventory).values()),
        delegates=sum(delegates_by_category(entries).values()),
        warnings=len(unread_warnings(conversion)),
        calls=cost.calls,
        prompt_tokens=cost.prompt_tokens,
    )


def states_of_steps(
    conversion: "Conversion",
    *,
    to_decide: int,
    lints: int,
    seen: Collection[Step],
    is_written: bool,
    on_disk: int,
) -> tuple[StepState, ...]:
    """Return the steps with their states.

    Args:
        conversion: The conversion with its current decisions.
        to_decide: How many cards of the review are open, and decisions on a changed text.
        lints: How many findings the rendered package has.
        seen: The steps that the user has looked at.
        is_written: Whether the package on disk is up to date with the decisions.
        on_disk: How many findings the lints have in the files on disk, with the user's edits.
    """
    inventory_warnings = [
        finding for finding in conversion.inventory.diagnostics if finding.severity is not Severity.INFO
    ]
    counts = {
        Step.DETECT: len(unread_warnings(conversion))
        + (conversion.classification.source_runtime == UNKNOWN_RUNTIME),
        Step.INVENTORY: len(inventory_warnings),
        Step.DECIDE: to_decide,
        Step.PREVIEW: lints,
        Step.WRITE: on_disk if is_written else 0,
    }
    counts[Step.DETECT] -= min(counts[Step.DETECT], len(inventory_warnings))

    def progress(step: Step) -> Progress:
        if step is Step.WRITE and not counts[step]:
            return Progress.DONE if is_written else Progress.OPEN
        if counts.get(step):
            return Progress.ATTENTION
        return Progress.DONE if step in seen else Progress.OPEN

    return tuple(StepState(step, progress(step), counts.get(step, 0)) for step in STEPS)
