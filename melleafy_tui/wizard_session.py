"""What the wizard knows beside the conversion: where it writes, what was rendered last, which steps were seen.

Headless: screens ask it and send it commands, and a test can do with it all that a user can do on a screen.
"""

import difflib
import shlex
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from time import monotonic
from typing import Final

from melleafy_tui.core.conversion import Conversion
from melleafy_tui.core.decisions.commands import Command, SetDisposition
from melleafy_tui.core.decisions.file import (
    format_decisions,
    parse_decisions,
    read_decisions,
    write_decisions,
)
from melleafy_tui.core.decisions.history import Act
from melleafy_tui.core.decisions.journal import Journal, JournalEntry
from melleafy_tui.core.decisions.rebase import DecisionState, OverrideState
from melleafy_tui.core.decisions.state import Decisions
from melleafy_tui.core.errors import MelleafyError
from melleafy_tui.core.models.decisions import DECISIONS_FILE
from melleafy_tui.core.models.diagnostics import Diagnostic
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.lint import LintReport
from melleafy_tui.core.models.package import FileSet
from melleafy_tui.core.models.plan import DependencyPlan, PlanEntry
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.models.vocabulary import UNKNOWN_RUNTIME, DecisionSource, Disposition, Severity
from melleafy_tui.core.stamp import settled
from melleafy_tui.core.writing.plan import WritePlan, plan_write
from melleafy_tui.core.writing.writer import WriteResult, write

LOW_CONFIDENCE: Final = 0.6
"""Below this the tag of an element is worth a look."""

EFFECT_LINES: Final = 60
"""Lines of a diff that the side pane shows."""

_MARKED: Final = (DecisionState.CHANGED, DecisionState.STALE_DEFAULT)
"""States of an override that is applied and is to be looked at again."""

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
    plan: WritePlan | None = None
    seconds: float = 0.0
    """How long it took, so that the next one waits its turn on a large workspace."""
    refusal: str = ""
    """Why the output folder cannot be used, where it cannot."""


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
        now: The stamp for files that differ from those on the disk (`core/stamp.py`).
        journal: Where each act is kept against a crash.
        states: What became of each entry of the decisions file that the conversion was opened with.
    """

    def __init__(
        self,
        conversion: Conversion,
        *,
        out: Path,
        decisions_path: Path | None = None,
        force: bool = False,
        now: str = "",
        journal: Journal | None = None,
        states: Iterable[OverrideState] = (),
    ) -> None:
        self.conversion = conversion
        self.out = out
        self.decisions_path = decisions_path
        self.force = force
        self.now = now
        self.journal = journal
        self.seen: set[Step] = set()
        self.rendered: Rendered | None = None
        self.defaults: FileSet | None = None
        self.written: WriteResult | None = None
        self._written_decisions: Decisions | None = None
        self._effects: dict[tuple[object, ...], Effect] = {}
        self._reasons: tuple[DependencyPlan, dict[str, str]] | None = None
        self._resumed_acts = 0
        self._note_states(states)

    def _note_states(self, states: Iterable[OverrideState]) -> None:
        self.states = tuple(states)
        overrides = self.conversion.decisions.overrides
        self._to_review = {
            state.key: (overrides[state.key], state.message)
            for state in self.states
            if state.state in _MARKED and state.section == "overrides" and state.key in overrides
        }

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
        return self.reasons.get(entry.entry_id, "")

    @property
    def reasons(self) -> dict[str, str]:
        """Return why entries need the user's eye, by entry id, in the plan's order; worked out once a plan."""
        plan = self.conversion.plan
        if self._reasons is None or self._reasons[0] is not plan:
            by_id = self.conversion.inventory.by_id
            disputed = {
                conflict.element_id
                for conflict in plan.conflicts
                if conflict.resolved_by not in (DecisionSource.USER, DecisionSource.CONFIG)
            }
            found = {entry.entry_id: _reason(entry, by_id, disputed) for entry in plan.entries}
            self._reasons = (plan, {name: reason for name, reason in found.items() if reason})
        reviews = self._reviews
        if not reviews:
            return self._reasons[1]
        merged = {**self._reasons[1], **reviews}
        return {entry.entry_id: merged[entry.entry_id] for entry in plan.entries if entry.entry_id in merged}

    @property
    def _reviews(self) -> dict[str, str]:
        """Return what is to be looked at again after a load, as long as the user left it as it was loaded."""
        if not self._to_review:
            return {}
        overrides = self.conversion.decisions.overrides
        return {
            entry.entry_id: self._to_review[entry.key][1]
            for entry in self.conversion.plan.entries
            if entry.key in self._to_review and overrides.get(entry.key) == self._to_review[entry.key][0]
        }

    @property
    def attention_entries(self) -> tuple[PlanEntry, ...]:
        """Return the entries that need the user's eye, in order."""
        by_id = self.conversion.plan.by_id
        return tuple(by_id[name] for name in self.reasons)

    def elements_of(self, entry: PlanEntry) -> tuple[Element, ...]:
        """Return the source elements of an entry."""
        by_id = self.conversion.inventory.by_id
        return tuple(by_id[name] for name in entry.source_elements if name in by_id)

    @property
    def elements_by_entry(self) -> dict[str, tuple[Element, ...]]:
        """Return the source elements of every entry, for what walks over all of them."""
        by_id = self.conversion.inventory.by_id
        return {
            entry.entry_id: tuple(by_id[name] for name in entry.source_elements if name in by_id)
            for entry in self.conversion.plan.entries
        }

    @property
    def step_states(self) -> tuple[StepState, ...]:
        """Return the five steps with their states."""
        inventory_warnings = [
            finding
            for finding in self.conversion.inventory.diagnostics
            if finding.severity is not Severity.INFO
        ]
        counts = {
            Step.DETECT: len(self.warnings)
            + (self.conversion.classification.source_runtime == UNKNOWN_RUNTIME),
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

    @property
    def patience(self) -> float:
        """Return how long to wait for the next act before work is begun that a next act would make void."""
        return min(2.0, self.rendered.seconds / 2) if self.rendered is not None else 0.0

    def twin(self) -> Conversion:
        """Return the conversion as it stands now, for work in a thread while the user goes on."""
        return self.conversion.with_decisions(self.conversion.decisions)

    def keep(self, rendered: Rendered) -> bool:
        """Keep what a thread rendered, unless the decisions have gone on; return whether it was kept."""
        if (
            rendered.decisions != self.conversion.decisions
            or rendered.snapshot is not self.conversion.snapshot
        ):
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
        found = effect(self.twin(), entry)
        self.keep_effect(entry, found)
        return found

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

    def default_twin(self) -> Conversion:
        """Return the conversion without the user's overrides, with the same settings."""
        return self.conversion.with_decisions(Decisions(settings=self.conversion.settings))

    # --- the decisions file --------------------------------------------------------------------

    @property
    def suggested_decisions_path(self) -> Path:
        """Return where decisions are saved unless the user says otherwise: beside the source."""
        return self.decisions_path or Path(self.conversion.snapshot.root) / DECISIONS_FILE

    def save(self, path: Path) -> None:
        """Save the decisions.

        Raises:
            UnusableInput: the file cannot be written.
        """
        write_decisions(path, self.conversion.to_document())
        self.conversion.mark_saved()
        self.decisions_path = path
        self._to_review = {}
        if self.journal is not None:
            self.journal.clear()

    def load(self, path: Path) -> tuple[OverrideState, ...]:
        """Load a decisions file in the place of what was decided, as one act, and return each entry's state.

        Raises:
            UnusableInput: the file cannot be read.
            DecisionsRefused: an entry cannot be obeyed; nothing changed.
        """
        states = self.conversion.load(read_decisions(path))
        self.decisions_path = path
        self._note_states(states)
        return states

    def resume(self, entry: JournalEntry) -> tuple[OverrideState, ...]:
        """Take up the decisions of a journal, as one act, and return each entry's state.

        Raises:
            DecisionsRefused: an entry cannot be obeyed; nothing changed.
        """
        document = parse_decisions(entry.decisions, source=str(entry.place))
        states = self.conversion.load(document, kept=False)
        self._resumed_acts = max(0, entry.acts - 1)
        self._note_states(states)
        return states

    def choose_out(self, out: Path) -> None:
        """Write somewhere else; what was planned for the old folder no longer holds."""
        if out != self.out:
            self.out = out
            self.rendered = None
            self.written = None

    def note_in_journal(self, now: datetime) -> None:
        """Write the decisions to the journal, so that a crash loses nothing.

        Raises:
            OSError: the state folder cannot be written; the journal before is still there.
        """
        if self.journal is None:
            return
        if not self.conversion.unsaved:
            self.journal.clear()
            return
        self.journal.record(
            format_decisions(self.conversion.to_document()),
            acts=len(self.conversion.acts) + self._resumed_acts,
            saved_at=now,
            workspace=self.conversion.snapshot.root,
            snapshot=self.conversion.snapshot.snapshot_id,
        )

    # --- writing -------------------------------------------------------------------------------

    @property
    def is_written(self) -> bool:
        """Return whether the package on the disk is what the decisions give now."""
        return self.written is not None and self._written_decisions == self.conversion.decisions

    def plan_again(self, plan: WritePlan, *, restore: Collection[str]) -> WritePlan:
        """Return the plan with deleted files that the user wants to have back."""
        return plan_write(plan.emission, self.out, force=self.force, restore=restore)

    def write(self, plan: WritePlan) -> WriteResult:
        """Carry out a plan that was made for the decisions as they stand.

        Raises:
            OutputRefused: another run holds the output, it changed meanwhile, or it cannot be written.
        """
        result = write(plan)
        self.note_written(result, self.conversion.decisions)
        return result

    def note_written(self, result: WriteResult, decisions: Decisions) -> None:
        """Remember a package that was written with these decisions."""
        self.written, self._written_decisions = result, decisions

    @property
    def command_line(self) -> str:
        """Return the command line that does the same without the wizard."""
        parts = ["melleafy-tui", shell_path(Path(self.conversion.snapshot.root))]
        if self.decisions_path is not None:
            parts.append(f"--decisions {shell_path(self.decisions_path)}")
        parts.extend(("--dependencies=auto", "--out", shell_path(self.out)))
        if self.force:
            parts.append("--force")
        return " ".join(parts)


def shell_path(path: Path) -> str:
    """Return a path as a shell takes it, with `~` for the home folder."""
    try:
        home = Path.home()
    except RuntimeError:
        return shlex.quote(str(path))
    if path != home and path.is_relative_to(home):
        return f"~/{shlex.quote(path.relative_to(home).as_posix())}"
    return shlex.quote(str(path))


def _reason(entry: PlanEntry, by_id: Mapping[str, Element], disputed: Collection[str]) -> str:
    if entry.disposition is Disposition.STUB:
        return "You have to write this stub."
    if any(name in disputed for name in entry.source_elements):
        return "Two runtimes would treat it differently; press c to choose."
    if entry.overridden:
        return ""
    for name in entry.source_elements:
        element = by_id.get(name)
        if element is not None and element.runtime_only:
            return f"It only makes sense on the source runtime: {element.runtime_only}"
        if element is not None and element.confidence < LOW_CONFIDENCE:
            return f"The reading is unsure ({element.confidence:.0%}): {element.rationale}"
    return ""


def render(
    conversion: Conversion, out: Path, *, now: str, force: bool, restore: Collection[str] = ()
) -> Rendered:
    """Render and lint a conversion and plan the write; to be called with a twin when in a thread.

    Args:
        conversion: The conversion, or a twin of it.
        out: The output folder.
        now: The stamp for files that differ from those on the disk, `""` to keep the conversion's own.
        force: Whether edited files may be overwritten.
        restore: Deleted files that are to be written again.
    """
    started = monotonic()
    files = settled(conversion, out, now)
    plan: WritePlan | None = None
    refusal = ""
    try:
        plan = plan_write(files, out, force=force, restore=restore)
    except MelleafyError as error:
        refusal = str(error)
    lints = conversion.lints
    took = monotonic() - started
    return Rendered(conversion.decisions, conversion.snapshot, files, lints, plan, took, refusal)


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
            lines.append(f"── {path.removeprefix(after.package_name + '/')}")
            lines.extend(changed[2:])
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
