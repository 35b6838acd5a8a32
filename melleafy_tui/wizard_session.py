"""What the wizard knows beside the conversion: where it writes, what was rendered last, which steps were seen.

Headless: screens ask it and send it commands, and a test can do with it all that a user can do on a screen.
"""

import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from melleafy_tui.core.conversion import Conversion
from melleafy_tui.core.decisions.commands import Command, SetDisposition
from melleafy_tui.core.decisions.history import Act
from melleafy_tui.core.decisions.state import Decisions
from melleafy_tui.core.errors import MelleafyError
from melleafy_tui.core.models.diagnostics import Diagnostic
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.lint import LintReport
from melleafy_tui.core.models.package import FileSet
from melleafy_tui.core.models.plan import PlanEntry
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.models.vocabulary import UNKNOWN_RUNTIME, DecisionSource, Disposition, Severity
from melleafy_tui.core.writing.plan import WritePlan, plan_write
from melleafy_tui.core.writing.writer import WriteResult, write

LOW_CONFIDENCE: Final = 0.6
"""Below this the tag of an element is worth a look."""

EFFECT_LINES: Final = 60
"""Lines of a diff that the side pane shows."""

_DOCUMENTS: Final = ("mapping_report.md", "README.md", "melleafy.json")


class Step(StrEnum):
    """The five steps in their order."""

    DETECT = "detect"
    INVENTORY = "inventory"
    DECIDE = "decide"
    PREVIEW = "preview"
    WRITE = "write"


STEPS: Final = tuple(Step)


class Progress(StrEnum):
    """How far a step is."""

    DONE = "done"
    ATTENTION = "needs attention"
    OPEN = "not yet"


@dataclass(frozen=True, slots=True)
class StepState:
    """One step on the rail, with the number of things that need attention."""

    step: Step
    progress: Progress
    count: int = 0


@dataclass(frozen=True, slots=True)
class Figures:
    """The counts that matter, as the status line shows them."""

    elements: int
    entries: int
    overrides: int
    stubs: int
    delegates: int
    warnings: int
    calls: int
    prompt_tokens: int


@dataclass(frozen=True)
class Rendered:
    """The files and lints of one state of the decisions."""

    decisions: Decisions
    snapshot: Snapshot
    files: FileSet
    lints: LintReport


@dataclass(frozen=True)
class Effect:
    """What an override changes in the output: a unified diff, cut to a readable length, and the files it reaches."""

    title: str
    lines: tuple[str, ...]
    files: tuple[str, ...]
    left_out: int = 0


class WizardSession:
    """One conversion in the hands of one user.

    Args:
        conversion: The state that everything is derived from.
        out: The output folder.
        decisions_path: The decisions file that was loaded or is to be saved to, where one was named.
        force: Whether edited files may be overwritten (with a backup).
    """

    def __init__(
        self, conversion: Conversion, *, out: Path, decisions_path: Path | None = None, force: bool = False
    ) -> None:
        self.conversion = conversion
        self.out = out
        self.decisions_path = decisions_path
        self.force = force
        self.seen: set[Step] = set()
        self.rendered: Rendered | None = None
        self.defaults: FileSet | None = None
        self.written: WriteResult | None = None
        self._written_decisions: Decisions | None = None
        self._effects: dict[tuple[object, ...], Effect] = {}

    # --- acts ----------------------------------------------------------------------------------

    def act(self, command: Command) -> bool:
        """Carry out a command and return whether it changed anything.

        Raises:
            MelleafyError: the command is refused; nothing changed.
        """
        return self.conversion.act(command)

    def undo(self) -> Act | None:
        """Take back the last act."""
        return self.conversion.undo()

    def redo(self) -> Act | None:
        """Do the last undone act again."""
        return self.conversion.redo()

    # --- figures and steps ---------------------------------------------------------------------

    @property
    def figures(self) -> Figures:
        """Return the counts of the status line."""
        entries = self.conversion.plan.entries
        cost = self.conversion.cost
        return Figures(
            elements=len(self.conversion.inventory.elements),
            entries=len(entries),
            overrides=sum(entry.overridden for entry in entries),
            stubs=sum(entry.disposition is Disposition.STUB for entry in entries),
            delegates=sum(entry.disposition is Disposition.DELEGATE_TO_RUNTIME for entry in entries),
            warnings=len(self.warnings),
            calls=cost.calls,
            prompt_tokens=cost.prompt_tokens,
        )

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        """Return warnings and errors that the user has not marked as read."""
        read = set(self.conversion.decisions.acknowledged)
        return tuple(
            finding
            for finding in self.conversion.diagnostics
            if finding.severity is not Severity.INFO and f"{finding.code}:{finding.file}" not in read
        )

    def attention(self, entry: PlanEntry) -> str:
        """Return why an entry needs the user's eye, or `""`."""
        if entry.disposition is Disposition.STUB:
            return "You have to write this stub."
        if any(
            conflict.element_id in entry.source_elements
            and conflict.resolved_by not in (DecisionSource.USER, DecisionSource.CONFIG)
            for conflict in self.conversion.plan.conflicts
        ):
            return "Two runtimes would treat it differently; press c to choose."
        if entry.overridden:
            return ""
        for element in self.elements_of(entry):
            if element.runtime_only:
                return f"It only makes sense on the source runtime: {element.runtime_only}"
            if element.confidence < LOW_CONFIDENCE:
                return f"The reading is unsure ({element.confidence:.0%}): {element.rationale}"
        return ""

    @property
    def attention_entries(self) -> tuple[PlanEntry, ...]:
        """Return the entries that need the user's eye, in order."""
        return tuple(entry for entry in self.conversion.plan.entries if self.attention(entry))

    def elements_of(self, entry: PlanEntry) -> tuple[Element, ...]:
        """Return the source elements of an entry."""
        by_id = self.conversion.inventory.by_id
        return tuple(by_id[name] for name in entry.source_elements if name in by_id)

    @property
    def step_states(self) -> tuple[StepState, ...]:
        """Return the five steps with their states."""
        inventory_warnings = [
            finding
            for finding in self.conversion.inventory.diagnostics
            if finding.severity is not Severity.INFO
        ]
        counts = {
            Step.DETECT: len(self.warnings) + (self.conversion.classification.source_runtime == UNKNOWN_RUNTIME),
            Step.INVENTORY: len(inventory_warnings),
            Step.DECIDE: len(self.attention_entries),
            Step.PREVIEW: len(self.rendered.lints.findings) if self.rendered else 0,
            Step.WRITE: 0,
        }
        counts[Step.DETECT] -= min(counts[Step.DETECT], len(inventory_warnings))
        return tuple(StepState(step, self._progress(step, counts[step]), counts[step]) for step in STEPS)

    def _progress(self, step: Step, count: int) -> Progress:
        if step is Step.WRITE:
            return Progress.DONE if self.is_written else Progress.OPEN
        if count:
            return Progress.ATTENTION
        return Progress.DONE if step in self.seen else Progress.OPEN

    # --- rendering -----------------------------------------------------------------------------

    @property
    def rendered_is_current(self) -> bool:
        """Return whether what was rendered last is what the decisions give now."""
        kept = self.rendered
        return (
            kept is not None
            and kept.decisions == self.conversion.decisions
            and kept.snapshot is self.conversion.snapshot
        )

    def twin(self) -> Conversion:
        """Return the conversion as it stands now, for work in a thread while the user goes on."""
        return self.conversion.with_decisions(self.conversion.decisions)

    def keep(self, rendered: Rendered) -> bool:
        """Keep what a thread rendered, unless the decisions have gone on; return whether it was kept."""
        if rendered.decisions != self.conversion.decisions or rendered.snapshot is not self.conversion.snapshot:
            return False
        self.rendered = rendered
        return True

    def effect_of(self, entry: PlanEntry) -> Effect:
        """Return what the entry's disposition changes in the output, kept for the next time it is asked.

        An overridden entry is compared with its default; one at its default with the package without it.
        """
        kept = self.known_effect(entry)
        if kept is not None:
            return kept
        effect = effect(self.twin(), entry)
        self.keep_effect(entry, effect)
        return effect

    def known_effect(self, entry: PlanEntry) -> Effect | None:
        """Return an effect that was computed for the decisions as they stand."""
        return self._effects.get(self._effect_key(entry))

    def keep_effect(self, entry: PlanEntry, found: Effect) -> None:
        """Keep an effect for the decisions as they stand."""
        if len(self._effects) > 200:
            self._effects.clear()
        self._effects[self._effect_key(entry)] = found

    def _effect_key(self, entry: PlanEntry) -> tuple[object, ...]:
        return (id(self.conversion.plan), entry.entry_id, entry.disposition)

    # --- writing -------------------------------------------------------------------------------

    @property
    def is_written(self) -> bool:
        """Return whether the package on the disk is what the decisions give now."""
        return self.written is not None and self._written_decisions == self.conversion.decisions

    def plan_write(self, files: FileSet | None = None) -> WritePlan:
        """Return what a write would do.

        Raises:
            OutputRefused: the output folder cannot be used.
        """
        return plan_write(files or self.twin().files, self.out, force=self.force)

    def write(self, plan: WritePlan) -> WriteResult:
        """Write the package and remember that it was written."""
        decisions = self.conversion.decisions
        result = write(plan)
        self.note_written(result, decisions)
        return result

    def note_written(self, result: WriteResult, decisions: Decisions) -> None:
        """Remember a package that was written with these decisions."""
        self.written = result
        self._written_decisions = decisions


def render(conversion: Conversion) -> Rendered:
    """Render and lint a conversion; to be called with a twin when in a thread."""
    return Rendered(conversion.decisions, conversion.snapshot, conversion.files, conversion.lints)


def effect(conversion: Conversion, entry: PlanEntry) -> Effect:
    """Return what an entry's disposition changes in the output of a conversion."""
    if entry.overridden:
        other, title = None, f"against the default, {entry.default_disposition.value}"
    else:
        other, title = Disposition.REMOVE, "against the package without it"
    try:
        command = SetDisposition((entry.key,), other)
        before = conversion.with_decisions(command.apply(conversion.decisions)).rendered
    except MelleafyError:
        return Effect("It cannot be left out, so there is nothing to compare with.", (), ())
    return difference(before, conversion.rendered, title)


def difference(before: FileSet, after: FileSet, title: str) -> Effect:
    """Return the difference between two file sets, code first, bookkeeping files left out."""
    lines: list[str] = []
    reached: list[str] = []
    for path in sorted({*before.by_path, *after.by_path}, key=_reading_order):
        if "/intermediate/" in path or path.endswith(_DOCUMENTS):
            continue
        changed = file_difference(before, after, path, context=1)
        if changed:
            reached.append(path)
            lines.extend(changed)
    return Effect(title, tuple(lines[:EFFECT_LINES]), tuple(reached), max(0, len(lines) - EFFECT_LINES))


def file_difference(before: FileSet, after: FileSet, path: str, *, context: int = 3) -> list[str]:
    """Return the unified diff of one file, without line ends, empty where nothing differs."""
    old, new = before.by_path.get(path), after.by_path.get(path)
    if old is not None and new is not None and old.data == new.data:
        return []
    return unified(old.text if old else "", new.text if new else "", path, context=context)


def unified(old: str, new: str, path: str, *, context: int = 3) -> list[str]:
    """Return the unified diff of two texts, without line ends."""
    made: Iterable[str] = difflib.unified_diff(
        old.split("\n"), new.split("\n"), f"before/{path}", f"after/{path}", n=context, lineterm=""
    )
    return list(made)


def _reading_order(path: str) -> tuple[int, str]:
    return (0 if path.endswith(".py") and "/fixtures/" not in path else 1, path)
