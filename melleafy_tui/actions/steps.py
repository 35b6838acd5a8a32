"""Computes the wizard's progress: the five steps with their states, and the counts of the status line."""

from collections.abc import Collection
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from melleafy_tui.core.models.vocabulary import UNKNOWN_RUNTIME, Disposition, Severity

if TYPE_CHECKING:  # the frame imports this before the core
    from melleafy_tui.core.models.findings import Diagnostic
    from melleafy_tui.core.pipeline.conversion import Conversion


class Step(StrEnum):
    """The five steps in order."""

    DETECT = "detect"
    INVENTORY = "inventory"
    DECIDE = "decide"
    PREVIEW = "preview"
    WRITE = "write"


STEPS: Final = tuple(Step)

STEP_TITLES: Final[dict[Step, str]] = {
    Step.DETECT: "Detect",
    Step.INVENTORY: "Inventory",
    Step.DECIDE: "Decide",
    Step.PREVIEW: "Preview",
    Step.WRITE: "Write",
}


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
    entries = conversion.plan.entries
    cost = conversion.cost
    return Figures(
        elements=len(conversion.inventory.elements),
        entries=len(entries),
        overrides=sum(entry.overridden for entry in entries),
        stubs=sum(entry.disposition is Disposition.STUB for entry in entries),
        delegates=sum(entry.disposition is Disposition.DELEGATE_TO_RUNTIME for entry in entries),
        warnings=len(unread_warnings(conversion)),
        calls=cost.calls,
        prompt_tokens=cost.prompt_tokens,
    )


def states_of_steps(
    conversion: "Conversion", *, to_decide: int, lints: int, seen: Collection[Step], is_written: bool
) -> tuple[StepState, ...]:
    """Return the five steps with their states.

    Args:
        conversion: The conversion with its current decisions.
        to_decide: How many entries need review.
        lints: How many findings the rendered package has.
        seen: The steps that the user has looked at.
        is_written: Whether the package on disk is up to date with the decisions.
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
        Step.WRITE: 0,
    }
    counts[Step.DETECT] -= min(counts[Step.DETECT], len(inventory_warnings))

    def progress(step: Step) -> Progress:
        if step is Step.WRITE:
            return Progress.DONE if is_written else Progress.OPEN
        if counts[step]:
            return Progress.ATTENTION
        return Progress.DONE if step in seen else Progress.OPEN

    return tuple(StepState(step, progress(step), counts[step]) for step in STEPS)
