"""Rows and words of the last screen: what will be written, what was written, and what to do next."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

from melleafy_tui.attention import WRITE_ORDER
from melleafy_tui.command_line import next_commands
from melleafy_tui.core.models.smoke import FixtureRun, FixtureStatus
from melleafy_tui.core.models.vocabulary import Disposition
from melleafy_tui.core.writing.plan import Action, PlannedFile, WritePlan
from melleafy_tui.rendering import Rendered
from melleafy_tui.screens.preview_rows import ACTION_MARKS
from melleafy_tui.widgets.rows import Row
from melleafy_tui.widgets.tones import Line, Span, Tone, fit, fit_end
from melleafy_tui.wizard_session import WizardSession
from melleafy_tui.words import category_title, homely, place

FIXTURE_SPANS: Final[dict[FixtureStatus, Span]] = {
    FixtureStatus.PASSED: ("✓ ", Tone.GOOD),
    FixtureStatus.UNMET: ("! ", Tone.WARN),
    FixtureStatus.FAILED: ("✗ ", Tone.BAD),
    FixtureStatus.ENVIRONMENT: ("? ", Tone.WARN),
}


def plan_rows(plan: WritePlan, done: frozenset[str]) -> list[Row]:
    """Return what a write does with each file, grouped, what needs the user's eye first."""
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
    """Return what there is to know before writing."""
    if rendered is None:
        return [(("Rendering the package …", Tone.MUTED),)]
    lines: list[Line] = [
        (("Package  ", Tone.MUTED), (rendered.files.package_name, Tone.STRONG)),
        (("Folder   ", Tone.MUTED), (place(session.out), Tone.STRONG)),
        _lint_line(rendered),
        _decisions_line(session),
        (),
    ]
    plan = rendered.plan
    if plan is None:
        return [
            *lines,
            (("✗ ", Tone.BAD), (homely(rendered.refusal), Tone.BAD)),
            (),
            ((f"{session.keys.spelled('write.output')} chooses another folder.", Tone.STRONG),),
        ]
    counts = Counter(file.action for file in plan.files)
    for action in WRITE_ORDER:
        if counts[action]:
            mark, words, tone = ACTION_MARKS[action]
            lines.append(((f"{mark} {counts[action]:>3} ", tone), (words, Tone.TEXT)))
    lines.extend(((f"• {note}", Tone.MUTED),) for note in plan.notes)
    lines.append(_fixtures_line(session))
    lines.append(())
    write = session.keys.spelled("write.write")
    if plan.changes or plan.stale_new_files:
        lines.append(
            (
                (write, Tone.KEY),
                (" writes this; it is written whole or not at all.", Tone.TEXT),
            )
        )
    else:
        lines.append((("The package on the disk is already what your decisions give.", Tone.GOOD),))
    return lines


def _lint_line(rendered: Rendered) -> Line:
    failing = len(rendered.lints.findings)
    if failing:
        return (("Lints    ", Tone.MUTED), (f"{failing} fail", Tone.BAD), ("  step 4 lists them", Tone.MUTED))
    return (("Lints    ", Tone.MUTED), (f"all {len(rendered.lints.results)} pass", Tone.GOOD))


def _fixtures_line(session: WizardSession) -> Line:
    picked = len(session.conversion.decisions.fixtures)
    held = f"{picked} of its fixtures from the agent's history; " if picked else ""
    return (
        ("• ", Tone.ACCENT),
        (held, Tone.TEXT),
        (session.keys.spelled("fixtures.pick"), Tone.KEY),
        (" picks more." if picked else " picks fixtures from the agent's history.", Tone.MUTED),
    )


def _decisions_line(session: WizardSession) -> Line:
    conversion, save = session.conversion, session.keys.spelled("decisions.save")
    if conversion.unsaved:
        return (
            ("Choices  ", Tone.MUTED),
            ("not saved yet", Tone.WARN),
            (f"  {save} saves them", Tone.MUTED),
        )
    if session.decisions_path is not None:
        return (
            ("Choices  ", Tone.MUTED),
            ("saved in ", Tone.TEXT),
            (place(session.decisions_path), Tone.TEXT),
        )
    return (("Choices  ", Tone.MUTED), ("all at their defaults", Tone.TEXT))


def after_lines(session: WizardSession, rendered: Rendered) -> list[Line]:
    """Return the result: where, what is left to do, what to try, how to do it again without the wizard."""
    written = session.written
    if written is None:
        return []
    head = "Written to " if written.changed else "Nothing had to change in "
    lines: list[Line] = [(("✓ ", Tone.GOOD), (head, Tone.GOOD), (place(written.out), Tone.STRONG))]
    if written.recovered:
        lines.append((("• ", Tone.ACCENT), (written.recovered, Tone.TEXT)))
    if written.backups:
        lines.append(
            (
                ("• ", Tone.ACCENT),
                (f"{len(written.backups)} of your files are kept in .melleafy-backup/", Tone.TEXT),
            )
        )
    lines.extend(
        (("! ", Tone.WARN), (f"Compare {name} with your own file.", Tone.WARN)) for name in written.new_files
    )
    lines.extend((_lint_line(rendered), _decisions_line(session), ()))
    lines.append((("What is left to you", Tone.HEADING),))
    lines.extend(recap_lines(session))
    lines.extend(
        ((), (("Try it", Tone.HEADING), (f"  {session.keys.spelled('copy.row')} copies", Tone.MUTED)))
    )
    lines.extend(
        (("$ ", Tone.MUTED), (command, Tone.TEXT)) for command in next_commands(session.out, rendered.files)
    )
    lines.extend(
        (
            (),
            (("The same without the wizard", Tone.HEADING),),
            (("$ ", Tone.MUTED), (session.command_line, Tone.TEXT)),
        )
    )
    lines.append(
        (
            (session.keys.spelled("package.export"), Tone.KEY),
            (" makes a workspace from it again.", Tone.TEXT),
        )
    )
    if session.conversion.unsaved:
        save = session.keys.spelled("decisions.save")
        lines.append(
            (
                (
                    f"It is the same only when your decisions are saved: {save}.",
                    Tone.WARN,
                ),
            )
        )
    return lines


def recap_lines(session: WizardSession) -> list[Line]:
    """Return stubs and delegates by category, with the sections of SETUP.md to read."""
    entries = session.conversion.plan.entries
    left = (Disposition.STUB, Disposition.DELEGATE_TO_RUNTIME)
    counts = Counter((entry.category, entry.disposition) for entry in entries if entry.disposition in left)
    if not counts:
        return [(("Nothing: no stub and no delegate.", Tone.GOOD),)]
    lines: list[Line] = []
    for (category, disposition), count in sorted(counts.items()):
        what = ("stub" if count == 1 else "stubs") if disposition is Disposition.STUB else "delegated"
        sections = sorted(
            {
                entry.setup_section
                for entry in entries
                if entry.category == category and entry.disposition is disposition and entry.setup_section
            }
        )
        read = f"  SETUP.md {', '.join(sections)}" if sections else ""
        lines.append(
            (
                ("• ", Tone.ACCENT),
                (f"{category_title(category)}: {count} {what}", Tone.TEXT),
                (read, Tone.INFO),
            )
        )
    return lines


def smoke_lines(runs: Sequence[FixtureRun], state: str) -> list[Line]:
    """Return what became of each fixture, and how the run as a whole stands."""
    lines: list[Line] = [(("Smoke run", Tone.HEADING), (f"  {state}", Tone.MUTED))]
    for run in runs:
        calls = f"  {run.calls} {'call' if run.calls == 1 else 'calls'}" if run.calls is not None else ""
        lines.append(
            (
                FIXTURE_SPANS[run.status],
                (run.fixture_id, Tone.TEXT),
                (f"  {run.status.value}{calls}", Tone.MUTED),
            )
        )
        lines.extend((("    ", Tone.MUTED), (text, Tone.WARN)) for text in (run.error, *run.unmet) if text)
        lines.extend((("    ", Tone.MUTED), (note, Tone.MUTED)) for note in run.notes)
    return lines
