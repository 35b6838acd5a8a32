"""What step 5 says and asks: the plan of a write, its result, the recap, the fixtures that ran."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

from melleafy_tui.actions.choices import Choice
from melleafy_tui.actions.display_names import next_commands, place, with_tilde
from melleafy_tui.actions.plurals import counted
from melleafy_tui.actions.recap import recap_lines
from melleafy_tui.actions.session import Rendered, WizardSession
from melleafy_tui.core.models.file_set import FileSet
from melleafy_tui.core.models.reports import FixtureRun, FixtureStatus, LintReport
from melleafy_tui.core.output.write_plan import WRITE_ORDER, Action, PlannedFile, WritePlan
from melleafy_tui.screens.vocabulary_marks import ACTION_MARKS
from melleafy_tui.widgets.dialogs import ChoiceDialog
from melleafy_tui.widgets.rows import Row
from melleafy_tui.widgets.styled_text import Line, Span, Tone, fit, fit_end

FIXTURE_SPANS: Final[dict[FixtureStatus, Span]] = {
    FixtureStatus.PASSED: ("✓ ", Tone.GOOD),
    FixtureStatus.EXPECTED: ("= ", Tone.TEXT),
    FixtureStatus.UNMET: ("! ", Tone.WARN),
    FixtureStatus.FAILED: ("✗ ", Tone.BAD),
    FixtureStatus.ENVIRONMENT: ("? ", Tone.WARN),
}


def plan_rows(plan: WritePlan, done: frozenset[str]) -> list[Row]:
    """Return what a write does to each file, grouped, those that need review first."""
    groups: dict[Action, list[PlannedFile]] = {}
    for file in plan.files:
        groups.setdefault(file.action, []).append(file)
    rows: list[Row] = []
    for action in WRITE_ORDER:
        held = groups.get(action, [])
        if not held:
            continue
        mark, words, tone = ACTION_MARKS[action]
        rows.append(
            Row(
                f"action:{action.value}",
                ((f"{mark} ", tone), (words, Tone.HEADING), (f"  {len(held)}", Tone.MUTED)),
                group=True,
            )
        )
        rows.extend(Row(file.path, _file_line(file, written=file.path in done), depth=1) for file in held)
    return rows


def _file_line(file: PlannedFile, *, written: bool) -> Callable[[int], Line]:
    def line(width: int) -> Line:
        room = width - 3
        named = min(room, max(20, room * 2 // 3)) if file.note else room
        return (
            ("✓ " if written else "  ", Tone.GOOD),
            (fit_end(file.path, named), Tone.TEXT),
            (fit(f" {file.note}", room - named) if file.note else "", Tone.MUTED),
        )

    return line


def before_lines(session: WizardSession, rendered: Rendered | None) -> list[Line]:
    """Return the summary before writing."""
    if rendered is None:
        return [(("Rendering the package …", Tone.MUTED),)]
    lines: list[Line] = [
        (("Package  ", Tone.MUTED), (rendered.files.package_name, Tone.STRONG)),
        (("Folder   ", Tone.MUTED), (place(session.out), Tone.STRONG)),
        _lint_line(len(rendered.lints.findings), len(rendered.lints.results)),
        _decisions_line(session),
        (),
    ]
    plan = rendered.plan
    if plan is None:
        return [
            *lines,
            (("✗ ", Tone.BAD), (with_tilde(rendered.refusal), Tone.BAD)),
            (),
            ((f"{session.keys.spelled('write.output')} chooses another folder.", Tone.STRONG),),
        ]
    counts = Counter(file.action for file in plan.files)
    for action in WRITE_ORDER:
        if counts[action]:
            mark, words, tone = ACTION_MARKS[action]
            lines.append(((f"{mark} {counts[action]:>3} ", tone), (words, Tone.TEXT)))
    lines.extend(((f"• {note}", Tone.MUTED),) for note in plan.notes)
    lines.append(())
    if plan.changes or plan.stale_new_files:
        count = "the file" if len(plan.changes) == 1 else f"all {len(plan.changes)} files"
        does = f" writes {count}; if one fails, none is kept."
        lines.append(((session.keys.spelled("write.write"), Tone.KEY), (does, Tone.TEXT)))
    else:
        lines.append((("The package on disk is up to date with your decisions.", Tone.GOOD),))
    return lines


def _lint_line(failing: int, lints: int, where: str = "step 4 lists them") -> Line:
    if failing:
        return (("Lints    ", Tone.MUTED), (f"{failing} fail", Tone.BAD), (f"  {where}", Tone.MUTED))
    return (("Lints    ", Tone.MUTED), (f"all {lints} pass", Tone.GOOD))


def _decisions_line(session: WizardSession) -> Line:
    head: Span = ("Decisions", Tone.MUTED)
    if session.conversion.unsaved:
        saves = f"  {session.keys.spelled('decisions.save')} saves them"
        return (head, (" not saved yet", Tone.WARN), (saves, Tone.MUTED))
    where = f"saved in {place(session.decisions_path)}" if session.decisions_path else "all at their defaults"
    return (head, (f" {where}", Tone.TEXT))


def after_lines(session: WizardSession, rendered: Rendered) -> list[Line]:
    """Return the result: where it was written, what is left to do, what to try, and the equivalent command line."""
    written, keys = session.written, session.keys
    if written is None:
        return []
    head = "Written to " if written.changed else "Nothing had to change in "
    lines: list[Line] = [(("✓ ", Tone.GOOD), (head, Tone.GOOD), (place(written.out), Tone.STRONG))]
    notes = [written.recovered] if written.recovered else []
    if written.backups:
        notes.append(f"Your replaced files are kept in .melleafy-backup/: {len(written.backups)}")
    lines += [(("• ", Tone.ACCENT), (note, Tone.TEXT)) for note in notes]
    lines += [
        (("! ", Tone.WARN), (f"{name}: ⏎ on the conflict opens both texts.", Tone.WARN))
        for name in written.new_files
    ]
    lines += [*_lint_lines(session, rendered), _decisions_line(session), ()]
    package = written.out / rendered.files.package_name
    lines.append((("Left for you to do", Tone.HEADING),))
    lines += [((with_tilde(line), Tone.TEXT),) for line in recap_lines(session.conversion, package)]
    copies = f"  {keys.spelled('copy.row')} copies"
    lines += [(), (("Try it", Tone.HEADING), (copies, Tone.MUTED))]
    commands = next_commands(session.out, rendered.files)
    lines += [(("$ ", Tone.MUTED), (command, Tone.TEXT)) for command in commands]
    lines += [(), (("The same without the wizard", Tone.HEADING),)]
    lines.append((("$ ", Tone.MUTED), (session.command_line, Tone.TEXT)))
    if session.conversion.unsaved:
        save = keys.spelled("decisions.save")
        lines.append(((f"Save your decisions first, or the result differs: {save}.", Tone.WARN),))
    return lines


def _lint_lines(session: WizardSession, rendered: Rendered) -> list[Line]:
    """Return the lint result of the files on disk, which may hold edits of the user."""
    on_disk, lints = session.findings_on_disk, len(rendered.lints.results)
    if not on_disk:
        return [_lint_line(len(rendered.lints.findings), lints)]
    lines = [_lint_line(len(on_disk), lints, "in the files on disk, with your edits")]
    lines.extend((("✗ ", Tone.BAD), (finding.spelled, Tone.TEXT)) for finding in on_disk[:_LISTED])
    return lines


def smoke_lines(runs: Sequence[FixtureRun], state: str) -> list[Line]:
    """Return the result of each fixture, and the status of the whole run."""
    lines: list[Line] = [(("Smoke run", Tone.HEADING), (f"  {state}", Tone.MUTED))]
    for run in runs:
        calls = f"  {counted(run.calls, 'call')}" if run.calls is not None else ""
        lines.append(
            (
                FIXTURE_SPANS[run.status],
                (run.fixture_id, Tone.TEXT),
                (f"  {run.status.value}{calls}", Tone.MUTED),
            )
        )
        told = Tone.MUTED if run.status is FixtureStatus.EXPECTED else Tone.WARN
        lines.extend((("    ", Tone.MUTED), (text, told)) for text in (*run.faults, *run.broken_rules))
        lines.extend((("    ", Tone.MUTED), (note, Tone.MUTED)) for note in run.notes)
    return lines


_LISTED: Final = 6
_COMMAND_NOTES: Final = ("install it", "ask it something", "run all fixtures")


def failing_lints_dialog(lints: LintReport) -> ChoiceDialog:
    """Return the dialog before writing a package that fails a lint; it returns "look" or "write"."""
    count = len(lints.findings)
    choices = [
        Choice("look", "Look at the first", "step 4 opens at its line", current=True),
        Choice("write", "Write anyway", "the report names what fails"),
    ]
    return ChoiceDialog(counted(count, "lint fails", "lints fail"), choices)


def deleted_files_dialog(plan: WritePlan) -> ChoiceDialog:
    """Return the dialog about files that the user deleted; it returns "keep" (deleted) or "restore"."""
    lead = _listed([file.path for file in plan.deleted])
    choices = [Choice("keep", "Leave them deleted", current=True), Choice("restore", "Write them again")]
    return ChoiceDialog("You deleted these since they were written", choices, lead=lead)


def stale_source_dialog(changed: Sequence[str]) -> ChoiceDialog:
    """Return the dialog about a source that changed since it was read; it returns "read" or "write"."""
    choices = [
        Choice("read", "Read it again", "your decisions are kept", current=True),
        Choice("write", "Write anyway", "from what was read before"),
    ]
    return ChoiceDialog("The source has changed on the disk", choices, lead=_listed(changed))


def _listed(paths: Sequence[str]) -> list[Line]:
    more = [((f"… and {len(paths) - _LISTED} more", Tone.MUTED),)] if len(paths) > _LISTED else []
    return [*(((path, Tone.TEXT),) for path in paths[:_LISTED]), *more]


def copy_dialog(session: WizardSession, files: FileSet) -> ChoiceDialog:
    """Return the list of texts to copy; it returns the chosen text."""
    offered = [
        *(
            (text, note, text)
            for text, note in zip(next_commands(session.out, files), _COMMAND_NOTES, strict=True)
        ),
        (session.command_line, "the same without the wizard", session.command_line),
        (str(session.out), "the folder", place(session.out)),
    ]
    return ChoiceDialog("Copy", [Choice(*each) for each in offered])
