"""The state of one wizard: the conversion, the output folder, the rendered package, and the steps seen.

It is headless: screens query it and send it commands, and tests can do everything that a user can do on a
screen.
"""

from collections.abc import Callable, Collection, Iterable
from datetime import datetime
from pathlib import Path
from time import monotonic
from types import MappingProxyType
from typing import TYPE_CHECKING

from msgspec import Struct, structs

from melleafy_tui.actions.display_names import command_line
from melleafy_tui.actions.edited_package import findings_on_disk
from melleafy_tui.actions.key_table import KeyTable
from melleafy_tui.actions.source_watch import changed_paths
from melleafy_tui.actions.steps import (
    Figures,
    PaneLayout,
    Step,
    StepState,
    figures_of,
    states_of_steps,
)
from melleafy_tui.actions.traceability import elements_of
from melleafy_tui.core.decisions.journal import Journal, JournalEntry
from melleafy_tui.core.decisions.rebase import OverrideState
from melleafy_tui.core.decisions.state import Decisions, Override
from melleafy_tui.core.errors import MelleafyError, UnusableInput
from melleafy_tui.core.models.file_set import FileSet
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.plan import PlanEntry
from melleafy_tui.core.models.reports import LintFinding, LintReport
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.models.vocabulary import DECISIONS_FILE
from melleafy_tui.core.output.paths import read_without_links
from melleafy_tui.core.output.write_plan import PlannedFile, Settlement, Settlements, WritePlan, plan_write
from melleafy_tui.core.output.writer import WriteResult, write
from melleafy_tui.core.pipeline.conversion import Conversion
from melleafy_tui.core.pipeline.file_effects import FileEffects, effects_of
from melleafy_tui.core.pipeline.review_cards import (
    open_items,
    open_reasons,
    overrides_to_review,
    review_cards,
)
from melleafy_tui.core.pipeline.review_rows import ReviewItem
from melleafy_tui.core.pipeline.timestamps import settled
from melleafy_tui.engine import check_out, memory_folder

if TYPE_CHECKING:  # most sessions load no decisions file
    from melleafy_tui.core.models.decisions import DecisionsDocument


class Output(Struct, frozen=True):
    """Where and how the package is written.

    Attributes:
        folder: The output folder.
        force: Whether edited files may be overwritten (with a backup).
        now: The timestamp for files that differ from those on disk (`core/pipeline/timestamps.py`).
    """

    folder: Path
    force: bool = False
    now: str = ""


class DecisionsSource(Struct, frozen=True):
    """Where the decisions come from, and where they are saved.

    Attributes:
        path: The decisions file that was loaded or will be saved to, if one was named.
        states: The status of each decision in the file that the conversion was opened with.
        journal: Records each command in case of a crash.
        digest: The SHA-256 of that file.
    """

    path: Path | None = None
    states: tuple[OverrideState, ...] = ()
    journal: Journal | None = None
    digest: str = ""


class Rendered(Struct, frozen=True):
    """The files and lint findings for one state of the decisions.

    Attributes:
        decisions: The decisions it was rendered for.
        snapshot: The source it was rendered from.
        files: The files.
        lints: What the lints found in them.
        plan: What a write would do, or None if the output folder can't be used.
        seconds: How long rendering took; on a large workspace the next one is delayed accordingly.
        refusal: Why the output folder can't be used, or `""`.
    """

    decisions: Decisions
    snapshot: Snapshot
    files: FileSet
    lints: LintReport
    plan: WritePlan | None = None
    seconds: float = 0.0
    refusal: str = ""

    def is_of(self, conversion: Conversion) -> bool:
        """Return whether this was rendered for the conversion's current decisions and source."""
        return self.decisions == conversion.decisions and self.snapshot is conversion.snapshot


class ConflictTexts(Struct, frozen=True):
    """The texts of a file that the user edited and whose new text doesn't fit.

    Attributes:
        path: Its path in the output folder.
        user: The user's text.
        now: The new text.
    """

    path: str
    user: bytes
    now: bytes


class AssistOffer(Struct, frozen=True):
    """What a model can be asked about the open decisions.

    Attributes:
        model: Backend and model.
        words: Where it runs, how much is asked, and what is sent.
        refusal: Why it can't be asked now, or `""`.
        ask: Asks, and keeps the answers as one act of the conversion; given what to call with the calls done and all
            calls, and what returns whether nobody waits any more. Returns what came, as a sentence.
    """

    model: str
    words: tuple[str, ...]
    refusal: str
    ask: Callable[[Conversion, Callable[[int, int], object], Callable[[], bool]], str]


class WizardSession:
    """One user's work on one conversion.

    Args:
        conversion: The state that everything else is computed from.
        output: Where and how the package is written.
        decisions: Where the decisions come from, and where they are saved.
        keys: The user's keys.
        read_source: Reads the workspace from disk again; None if it is never read again.
    """

    def __init__(
        self,
        conversion: Conversion,
        output: Output,
        decisions: DecisionsSource = DecisionsSource(),  # noqa: B008 - frozen
        *,
        keys: KeyTable | None = None,
        read_source: Callable[[], Snapshot] | None = None,
    ) -> None:
        self.conversion = conversion
        self.out, self.force, self.now = output.folder, output.force, output.now
        self.decisions_path, self.journal = decisions.path, decisions.journal
        self._on_disk = decisions.digest
        self.keys = keys or KeyTable()
        self.read_source = read_source
        self.assist_offer: Callable[[Conversion], AssistOffer] | None = None
        """Returns what a model can be asked; the command line, which alone runs one, gives it."""
        self.newer: Snapshot | None = None
        self.seen: set[Step] = set()
        self.settlements: dict[str, Settlement] = {}
        self.review_place = ("", "")
        """The card and the row of the review that were in view last."""
        self.pane_layouts: dict[tuple[Step, str], PaneLayout] = {}
        self.compared_figures: Figures | None = None
        self._noted_figures: Figures | None = None
        self.rendered: Rendered | None = None
        self.defaults: FileSet | None = None
        self.written: WriteResult | None = None
        self.findings_on_disk: tuple[LintFinding, ...] = ()
        self._written_decisions: Decisions | None = None
        self._to_review: dict[str, tuple[Override, str]] = {}
        """Overrides of a loaded file whose text or default has changed since, until they are saved."""
        self._merges: tuple[PlannedFile, ...] = ()
        self._all_cards: tuple[tuple[object, ...], tuple[ReviewItem, ...]] = (), ()
        self._resumed_acts = 0
        self.is_journaled = False
        self._journal_fault = ""
        self.effects = FileEffects()
        self._note_states(decisions.states)

    def _note_states(self, states: Iterable[OverrideState]) -> None:
        self.states = tuple(states)
        self._to_review = overrides_to_review(self.conversion.decisions, self.states)

    # --- the source on disk --------------------------------------------------------------------

    def note_newer(self, snapshot: Snapshot) -> tuple[str, ...]:
        """Store a later reading of the source and return the files that differ from what is shown."""
        changed = changed_paths(self.conversion.snapshot, snapshot)
        self.newer = snapshot if changed else None
        return changed

    def take_newer(self) -> tuple[OverrideState, ...]:
        """Switch to the source as it is on disk and return the status of each decision.

        Raises:
            MelleafyError: the decisions can't be applied to it; nothing changed.
        """
        if self.newer is None:
            return ()
        states = self.conversion.reread(self.newer)
        self.note_reread(states)
        return states

    def note_reread(self, states: Iterable[OverrideState]) -> None:
        """Reset what depended on the old source, and store the status of each decision."""
        self.newer = self.rendered = self.defaults = self.written = None
        self._note_states(states)

    # --- figures and steps ---------------------------------------------------------------------

    @property
    def figures(self) -> Figures:
        """Return the counts of the status line."""
        return figures_of(self.conversion)

    def note_figures(self) -> bool:
        """Compare the counts with those before the last act; return whether it changed them."""
        now = self.figures
        changed = self._noted_figures is not None and self._noted_figures != now
        self.compared_figures = self._noted_figures if changed else None
        self._noted_figures = now
        return changed

    @property
    def reasons(self) -> dict[str, str]:
        """Return why entries need review, by entry id, in the plan's order."""
        return open_reasons(self.conversion, self.cards)

    @property
    def cards(self) -> tuple[ReviewItem, ...]:
        """Return the open cards of the review, with their open rows."""
        return open_items(self.all_cards)

    @property
    def all_cards(self) -> tuple[ReviewItem, ...]:
        """Return every card of the review, with the rows that are answered too; computed once for each state."""
        decisions = self.conversion.decisions
        state = self.conversion.plan, decisions, self._merges, self._to_review
        if tuple(map(id, self._all_cards[0])) != tuple(map(id, state)):
            made = decisions.overrides
            changed = {key: said for key, (each, said) in self._to_review.items() if made.get(key) == each}
            self._all_cards = state, review_cards(self.conversion, self._merges, changed)
        return self._all_cards[1]

    def elements_of(self, entry: PlanEntry) -> tuple[Element, ...]:
        """Return the source elements of an entry."""
        return elements_of(entry, self.conversion.inventory.by_id)

    @property
    def step_states(self) -> tuple[StepState, ...]:
        """Return the steps with their states."""
        return states_of_steps(
            self.conversion,
            to_decide=len(self.cards),
            lints=len(self.rendered.lints.findings) if self.rendered else 0,
            seen=self.seen,
            is_written=self.is_written,
            on_disk=len(self.findings_on_disk),
        )

    # --- rendering -----------------------------------------------------------------------------

    @property
    def rendered_is_current(self) -> bool:
        """Return whether the last rendering is up to date with the decisions."""
        return self.rendered is not None and self.rendered.is_of(self.conversion)

    @property
    def settle_seconds(self) -> float:
        """Return how long to wait for another command before starting work that it would invalidate."""
        return min(2.0, self.rendered.seconds / 2) if self.rendered is not None else 0.0

    def copy(self) -> Conversion:
        """Return a copy of the conversion, for work in a thread."""
        return self.conversion.with_decisions(self.conversion.decisions)

    def keep(self, rendered: Rendered) -> bool:
        """Store what a thread rendered, unless the decisions have changed; return whether it was stored."""
        if not rendered.is_of(self.conversion):
            return False
        self._show_plan(rendered)
        return True

    def _show_plan(self, rendered: Rendered) -> None:
        self.rendered = rendered
        merges = rendered.plan.conflicts if rendered.plan is not None else ()
        self._merges = merges if merges != self._merges else self._merges

    # --- the decisions file --------------------------------------------------------------------

    @property
    def suggested_decisions_path(self) -> Path:
        """Return where decisions are saved by default: next to the source."""
        return self.decisions_path or Path(self.conversion.snapshot.root) / DECISIONS_FILE

    def save(self, path: Path) -> Path | None:
        """Save the decisions, and return the backup of a file at that path that this session doesn't know.

        Raises:
            UnusableInput: the file can't be written.
        """
        from melleafy_tui.core.decisions.file import write_decisions  # only sessions with a decision need it

        written = write_decisions(path, self.conversion.to_document(), known=self._on_disk)
        self._on_disk = written.digest
        self.conversion.mark_saved()
        self.decisions_path = path
        self._to_review = {}
        if self.journal is not None:
            self.journal.clear()
        return written.backup

    def save_with_package(self) -> bool:
        """Save the decisions that a package was written with; return whether they are saved.

        They go to the file that they came from, else beside the source. A file that nobody loaded, or that somebody
        edited since, is never replaced.
        """
        if not self.conversion.unsaved:
            return True
        from melleafy_tui.core.decisions.file import holds_others_decisions

        path = self.suggested_decisions_path
        if holds_others_decisions(path, self._on_disk):
            return False
        try:
            self.save(path)
        except UnusableInput:
            return False
        return True

    def load(self, path: Path) -> tuple[OverrideState, ...]:
        """Load a decisions file in place of the current decisions, as one command; return each decision's status.

        Raises:
            UnusableInput: the file can't be read.
            DecisionsRefused: a decision can't be applied; nothing changed.
        """
        from melleafy_tui.core.decisions.file import read_decisions

        document = read_decisions(path)
        states = self.conversion.load(document)
        self.note_loaded(path, states, document)
        return states

    def note_loaded(self, path: Path, states: Iterable[OverrideState], document: "DecisionsDocument") -> None:
        """Store the path, the statuses, the effects and the SHA-256 of a decisions file that was loaded."""
        self.decisions_path, self._on_disk = path, document.digest
        self._note_states(states)
        self.effects = effects_of(document, self.states, self.conversion)

    def resume(self, entry: JournalEntry) -> tuple[OverrideState, ...]:
        """Restore the decisions of a journal, as one command; return each decision's status.

        Raises:
            DecisionsRefused: a decision can't be applied; nothing changed.
        """
        states = resume_journal(self.conversion, entry)
        self.note_resumed(entry, states)
        return states

    def note_resumed(self, entry: JournalEntry, states: Iterable[OverrideState]) -> None:
        """Store the statuses of a journal that was restored."""
        self._resumed_acts = max(0, entry.acts - 1)
        self._note_states(states)

    def choose_out(self, out: Path) -> None:
        """Change the output folder; the plan for the old folder is dropped.

        Raises:
            OutputRefused: it would change the source workspace.
        """
        if out != self.out:
            root = Path(self.conversion.snapshot.root)
            check_out(out, root)
            self.out = out
            self.conversion.place_memory(memory_folder(root, out))
            self.rendered = self.written = None

    def note_in_journal(self, now: datetime) -> None:
        """Write the decisions to the journal, so that a crash loses nothing.

        Raises:
            OSError: the state folder can't be written; the previous journal is kept.
        """
        self.is_journaled = False
        if self.journal is None:
            return
        if not self.conversion.unsaved:
            self.journal.clear()
        else:
            from melleafy_tui.core.decisions.file import format_decisions

            self.journal.record(
                format_decisions(self.conversion.to_document()),
                acts=len(self.conversion.acts) + self._resumed_acts,
                saved_at=now,
                workspace=self.conversion.snapshot.root,
                snapshot=self.conversion.inventory.snapshot_id,
            )
        self.is_journaled = True

    def keep_journal(self, now: datetime) -> str:
        """Write the decisions to the journal; return why that failed, once until it succeeds again, or `""`."""
        told, self._journal_fault = self._journal_fault, ""
        try:
            self.note_in_journal(now)
        except OSError as fault:
            self._journal_fault = fault.strerror or type(fault).__name__
        return "" if told else self._journal_fault

    # --- writing -------------------------------------------------------------------------------

    @property
    def is_written(self) -> bool:
        """Return whether the package on disk is up to date with the decisions."""
        return self.written is not None and self._written_decisions == self.conversion.decisions

    def plan_again(self, plan: WritePlan, *, restore: Collection[str]) -> WritePlan:
        """Return the plan with deleted files that the user wants to restore."""
        return plan_write(
            plan.emission, self.out, force=self.force, restore=restore, settled=self.settlements
        )

    def texts_of_conflict(self, plan: WritePlan, path: str) -> ConflictTexts | None:
        """Return the user's text and the new one, or None if the file has no text."""
        emitted, place = plan.emission.file(path), self.out / path
        if emitted is None or place.is_symlink() or not place.is_file():
            return None
        try:
            user = read_without_links(place)
        except OSError:  # too large to be merged here, or gone since the plan was made
            return None
        if b"\0" in user + emitted.data:
            return None
        return ConflictTexts(path, user, emitted.data)

    def settle(self, plan: WritePlan, path: str, text: bytes | None) -> None:
        """Settle a conflict with a text, or with None for the user's own; a write carries it out."""
        emitted = plan.emission.by_path[path]
        self.settlements = {**self.settlements, path: Settlement(emitted.sha256, text)}
        self.written = None
        if self.rendered is not None:
            self._show_plan(structs.replace(self.rendered, plan=self.plan_again(plan, restore=plan.restore)))

    def write(self, plan: WritePlan) -> WriteResult:
        """Carry out a plan that was made for the current decisions.

        Raises:
            OutputRefused: another run holds the output, it changed meanwhile, or it can't be written.
        """
        result = write(plan)
        self.note_written(result, self.conversion.decisions, findings_on_disk(result))
        return result

    def note_written(
        self, result: WriteResult, decisions: Decisions, findings: tuple[LintFinding, ...]
    ) -> None:
        """Store the result of writing the package with these decisions, and what the lints found on disk."""
        self.written, self._written_decisions, self.findings_on_disk = result, decisions, findings

    @property
    def command_line(self) -> str:
        """Return the command line that does the same without the wizard."""
        workspace = Path(self.conversion.snapshot.root)
        return command_line(workspace, self.out, decisions_path=self.decisions_path, force=self.force)


def resume_journal(conversion: Conversion, entry: JournalEntry) -> tuple[OverrideState, ...]:
    """Restore the decisions of a journal in a conversion, as one command; return each decision's status.

    Raises:
        DecisionsRefused: a decision can't be applied; nothing changed.
    """
    from melleafy_tui.core.decisions.file import parse_decisions

    return conversion.load(parse_decisions(entry.decisions, source=str(entry.place)), kept=False)


def render(
    conversion: Conversion,
    out: Path,
    *,
    now: str,
    force: bool,
    restore: Collection[str] = (),
    settlements: Settlements = MappingProxyType({}),
) -> Rendered:
    """Render and lint a conversion, and plan the write.

    Args:
        conversion: The conversion; a copy if this runs in a thread.
        out: The output folder.
        now: The timestamp for files that differ from those on disk, `""` to keep the conversion's own.
        force: Whether edited files may be overwritten.
        restore: Deleted files to write again.
        settlements: What the user chose for files with a conflict.
    """
    started = monotonic()
    files = settled(conversion, out, now)
    plan: WritePlan | None = None
    refusal = ""
    try:
        plan = plan_write(files, out, force=force, restore=restore, settled=settlements)
    except MelleafyError as error:
        refusal = str(error)
    lints = conversion.lints
    took = monotonic() - started
    return Rendered(conversion.decisions, conversion.snapshot, files, lints, plan, took, refusal)


def refused(conversion: Conversion, error: MelleafyError) -> Rendered:
    """Return a result without files that says why the package can't be rendered."""
    empty = FileSet((), conversion.committed.package_name)
    return Rendered(
        conversion.decisions, conversion.snapshot, empty, LintReport(results=()), refusal=str(error)
    )
