"""Step 4, Preview: the files as they would be written, with the source of each line."""

from collections.abc import Callable, Iterable
from typing import ClassVar, Final

from rich.cells import cell_len
from textual import on, work
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.widget import Widget

from melleafy_tui.actions.output_changes import alike, file_difference, unified
from melleafy_tui.actions.session import Rendered, WizardSession
from melleafy_tui.actions.steps import Step
from melleafy_tui.actions.traceability import carried_lines, emitted_path, lines_of_element, provenance_at
from melleafy_tui.core.decisions.state import Decisions
from melleafy_tui.core.models.file_set import EmittedFile, FileSet
from melleafy_tui.core.models.reports import LintFinding, LintReport
from melleafy_tui.core.output.paths import read_without_links
from melleafy_tui.core.output.write_plan import Action, WritePlan
from melleafy_tui.core.pipeline.conversion import Conversion
from melleafy_tui.screens.text_panes import GENERATED, Origin
from melleafy_tui.screens.vocabulary_marks import ACTION_MARKS, ACTION_TERMS
from melleafy_tui.widgets.background_thread import background_thread
from melleafy_tui.widgets.file_view import FileView
from melleafy_tui.widgets.footer import bindings
from melleafy_tui.widgets.frame import FRAME_STYLES, StepScreen
from melleafy_tui.widgets.line_list import LineList
from melleafy_tui.widgets.rows import Row
from melleafy_tui.widgets.styled_text import Line, Tone, as_title, fit, fit_end, shorten
from melleafy_tui.widgets.syntax import coloured, diff_line


def tree_rows(files: FileSet, plan: WritePlan | None, lints: LintReport) -> list[Row]:
    """Return the emitted files as a tree."""
    actions = {file.path: file.action for file in plan.files} if plan is not None else {}
    failing: dict[str, int] = {}
    for finding in lints.findings:
        path = emitted_path(files, finding.file)
        failing[path] = failing.get(path, 0) + 1
    rows: list[Row] = []
    open_folders: list[str] = []
    for path in sorted(files.by_path, key=_tree_order):
        *folders, name = path.split("/")
        for level in range(alike(open_folders, folders), len(folders)):
            row_id = "folder:" + "/".join(folders[: level + 1])
            rows.append(Row(row_id, ((folders[level] + "/", Tone.HEADING),), depth=level, group=True))
        open_folders = folders
        rows.append(
            Row(
                path,
                _file_line(name, actions.get(path), failing.get(path, 0)),
                depth=len(folders),
                words=path.casefold(),
            )
        )
    return rows


def _file_line(name: str, action: Action | None, failing: int) -> Callable[[int], Line]:
    mark, words, tone = ACTION_MARKS[action] if action is not None else (" ", "", Tone.MUTED)
    lint = f" ✗{failing}" if failing else ""

    def line(width: int) -> Line:
        remark = f" {words}" if width >= len(name) + len(words) + 10 else ""
        room = max(4, width - 2 - len(remark) - len(lint))
        return (
            (f"{mark} ", tone),
            (fit(name, min(room, max(len(name), room))), Tone.TEXT),
            (remark, Tone.MUTED),
            (lint, Tone.BAD),
        )

    return line


def _tree_order(path: str) -> list[tuple[int, str]]:
    *folders, name = path.split("/")
    return [*((1, folder) for folder in folders), (0, name)]


def lint_rows(lints: LintReport) -> list[Row]:
    """Return the lint failures."""
    return [
        Row(
            f"lint:{number}",
            _lint_line(finding),
            words=f"{finding.lint} {finding.file} {finding.message}".casefold(),
        )
        for number, finding in enumerate(lints.findings)
    ]


def _lint_line(finding: LintFinding) -> Callable[[int], Line]:
    where = f"{finding.file}:{finding.line}" if finding.line else finding.file

    def line(width: int) -> Line:
        place = fit_end(where, min(cell_len(where), max(8, width * 2 // 3)))
        rest = max(0, width - cell_len(place) - 4)
        return (
            ("✗ ", Tone.BAD),
            (place, Tone.INFO),
            (shorten(f" {finding.message} [{finding.lint}]", rest), Tone.TEXT),
        )

    return line


_CHANGED: Final = (Action.REPLACE, Action.MERGE, Action.CONFLICT, Action.OVERWRITE)
"""What a write does to a file of an earlier package that differs."""

VIEWS: Final = ("content", "diff against the disk", "diff against the defaults")


class PreviewScreen(StepScreen):
    """Package tree, content or diff, the line's source, and lint failures."""

    CSS_PATH: ClassVar[list[str]] = [FRAME_STYLES, "preview.tcss"]  # type: ignore[assignment]
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(Step.PREVIEW)]
    STEP = Step.PREVIEW
    MORE_TERMS = ACTION_TERMS
    PANES = ("tree", "content", "origin", "lints")
    SPLIT = ("left", "right")

    def __init__(self, session: WizardSession) -> None:
        super().__init__(session)
        self._view = VIEWS[0]
        self._path = ""
        self._pending = ""
        self._opens_first = True
        """Whether the first change is yet to be opened: nothing else was asked for."""

    def compose_body(self) -> Iterable[Widget]:
        """Yield tree, content and source side by side, and the lints below: their lines need the whole width."""
        with Horizontal(id="panes", classes="group"):
            with Vertical(id="left", classes="group"):
                tree = LineList(id="tree", classes="pane", empty="Rendering the package …")
                tree.border_title = "Package"
                yield tree
            with Vertical(id="right", classes="group"):
                yield FileView(id="content", empty="Choose a file.", classes="pane")
                yield Origin(id="origin", classes="pane")
        lints = LineList(id="lints", classes="pane")
        lints.border_title = "Lints"
        yield lints

    def on_mount(self) -> None:
        """Focus the tree."""
        self.query_one("#tree").focus()

    # --- drawing -------------------------------------------------------------------------------

    def show_body(self) -> None:
        """Draw the last rendering; the app renders again after each command."""
        rendered = self.session.rendered
        tree = self.query_one("#tree", LineList)
        lints = self.query_one("#lints", LineList)
        if rendered is None:
            lints.display = False
            return
        tree.border_subtitle = "" if self.session.rendered_is_current else "rendering …"
        tree.show_rows(tree_rows(rendered.files, rendered.plan, rendered.lints))
        findings = rendered.lints.findings
        lints.display = bool(findings)
        lints.border_title = f"Lints: {len(findings)} fail"
        lints.show_rows(lint_rows(rendered.lints))
        if self._pending:
            target, self._pending = self._pending, ""
            self.reveal(target)
        is_first = self._opens_first and self.session.rendered_is_current
        if rendered.files.files and (is_first or not self._path):
            self._opens_first = not is_first
            self._open_first(rendered)
        self._show_content()

    def _open_first(self, rendered: Rendered) -> None:
        """Open the first file that differs from an earlier package's, else the pipeline."""
        changed = self._changed_files()
        wanted = changed[0] if changed else f"{rendered.files.package_name}/pipeline.py"
        tree = self.query_one("#tree", LineList)
        if tree.go_to(wanted):
            self._view = VIEWS[1] if changed else self._view
        else:
            tree.go_to(rendered.files.files[0].path)

    def _changed_files(self) -> list[str]:
        """Return the files of an earlier package that a write changes, in the tree's order."""
        plan = self.session.rendered.plan if self.session.rendered is not None else None
        changed = {each.path for each in plan.files if each.action in _CHANGED} if plan is not None else set()
        return [row.id for row in self.query_one("#tree", LineList).all_rows if row.id in changed]

    @property
    def current_file(self) -> EmittedFile | None:
        """Return the file that is shown."""
        rendered = self.session.rendered
        return rendered.files.file(self._path) if rendered is not None else None

    @on(LineList.Moved, "#tree")
    def follow_tree(self, event: LineList.Moved) -> None:
        """Show the file under the cursor."""
        if event.row is not None and not event.row.group and event.row.id != self._path:
            self._path = event.row.id
            self._show_content()

    def _show_content(self) -> None:
        content = self.query_one("#content", FileView)
        file = self.current_file
        if file is None:
            return
        content.border_title = as_title(file.path)
        content.border_subtitle = self._view
        if self._view == VIEWS[0]:
            lines = file.text.removesuffix("\n").split("\n")
            path = file.path
            content.show_lines(lines, colour=lambda texts: coloured(path, texts), marked=carried_lines(file))
        else:
            lines = self._difference(file)
            content.show_lines(
                lines or ["Nothing differs."],
                colour=lambda texts: [diff_line(text) for text in texts],
                numbered=False,
            )
        self._show_origin()

    def _difference(self, file: EmittedFile) -> list[str]:
        if self._view == VIEWS[2]:
            defaults = self.session.defaults
            if defaults is None:
                conversion = self.session.conversion
                self._render_defaults(conversion.with_decisions(Decisions(settings=conversion.settings)))
                return ["Rendering the defaults …"]
            return file_difference(defaults.file(file.path), file, file.path)
        on_disk = self.session.out / file.path
        try:
            before = read_without_links(on_disk).decode("utf-8", "replace") if on_disk.exists() else ""
        except OSError as fault:
            return [f"The file on the disk cannot be read: {fault.strerror}"]
        return unified(before, file.text, file.path)

    @work(exclusive=True, group="defaults", exit_on_error=False, description="render the defaults")
    async def _render_defaults(self, conversion: Conversion) -> None:
        self.session.defaults = await background_thread(lambda: conversion.files, name="render the defaults")
        self._show_content()

    @on(LineList.Moved, "#content")
    def _show_origin(self) -> None:
        origin = self.query_one(Origin)
        file = self.current_file
        origin.display = self._view == VIEWS[0]
        if file is not None and origin.display:
            origin.show_line(self.session.conversion, file, self.query_one("#content", FileView).line_number)

    # --- going places --------------------------------------------------------------------------

    def reveal(self, target: str) -> None:
        """Go to the emitted lines of an element, or to `path:line`."""
        rendered = self.session.rendered
        if rendered is None:
            self._pending = target
            return
        if target in self.session.conversion.inventory.by_id:
            places = list(lines_of_element(rendered.files, target))
            if not places:
                self.notify("No emitted line has text of this element.", markup=False)
                return
            self._open(places[0][0], places[0][1].first, places[0][1].last)
            return
        path, _, line = target.rpartition(":")
        self._open(emitted_path(rendered.files, path), int(line), int(line))

    def action_next_place(self) -> None:
        """Go to the next place that carries the element of the line."""
        rendered, file = self.session.rendered, self.current_file
        line = self.query_one("#content", FileView).line_number
        found = provenance_at(file, line) if file is not None and self._view == VIEWS[0] else None
        if rendered is None or file is None or found is None:
            self.notify(GENERATED, markup=False)
            return
        places = list(lines_of_element(rendered.files, found.element_id))
        path, lines = places[(places.index((file.path, found)) + 1) % len(places)]
        self._open(path, lines.first, lines.last)
        if len(places) > 1:
            self.notify(f"Place {places.index((path, lines)) + 1} of {len(places)}.", markup=False)

    def _open(self, path: str, first: int, last: int) -> None:
        self._view, self._opens_first = VIEWS[0], False
        tree = self.query_one("#tree", LineList)
        if not tree.go_to(path):
            self.stop_search()
            if not tree.go_to(path):
                return
        self._path = path
        self._show_content()
        content = self.query_one("#content", FileView)
        content.highlight(max(1, first), max(1, last))
        content.focus()

    @on(LineList.Opened, "#tree")
    def _enter_file(self) -> None:
        self.query_one("#content").focus()

    @on(LineList.Opened, "#content")
    def _go_to_source(self) -> None:
        file = self.current_file
        if file is None or self._view != VIEWS[0]:
            return
        found = provenance_at(file, self.query_one("#content", FileView).line_number)
        if found is None:
            self.notify(GENERATED, markup=False)
            return
        self.post_message(self.GoTo(Step.INVENTORY, found.element_id))

    @on(LineList.Opened, "#lints")
    def _go_to_lint(self, event: LineList.Opened) -> None:
        rendered = self.session.rendered
        if rendered is None:
            return
        finding = rendered.lints.findings[int(event.row.id.partition(":")[2])]
        self._open(emitted_path(rendered.files, finding.file), finding.line, finding.line)
        self.notify(finding.hint or finding.message, title=finding.lint, severity="warning", markup=False)

    # --- keys ----------------------------------------------------------------------------------

    def action_next_view(self) -> None:
        """Show content, or one of the two diffs."""
        self._view = VIEWS[(VIEWS.index(self._view) + 1) % len(VIEWS)]
        self._show_content()

    def action_change(self, by: int) -> None:
        """Go to the next or the previous change: in a diff to the next place, else to the next changed file."""
        content = self.query_one("#content", FileView)
        changed, hunks = self._changed_files(), self._hunks()
        beyond = [line for line in hunks if (line - content.line_number) * by > 0]
        if beyond:
            content.go_to(str(beyond[0] if by > 0 else beyond[-1]))
        elif changed:
            order = [row.id for row in self.query_one("#tree", LineList).all_rows]
            here = order.index(self._path) if self._path in order else -1
            later = [path for path in changed if (order.index(path) - here) * by > 0]
            self._view = VIEWS[1]
            self.query_one("#tree", LineList).go_to((later or changed)[0 if by > 0 else -1])
            self._show_content()
            hunks = self._hunks()
            if hunks:
                content.go_to(str(hunks[0 if by > 0 else -1]))
        else:
            self.notify("No file of an earlier package changes.", markup=False)

    def _hunks(self) -> list[int]:
        """Return the lines at which the places of the diff in view begin."""
        file = self.current_file if self._view != VIEWS[0] else None
        lines = self._difference(file) if file is not None else []
        return [number for number, line in enumerate(lines, 1) if line.startswith("@@")]

    def idle_keys(self) -> set[str]:
        """Return the ids of keys that would do nothing on this line."""
        content, file = self.query_one("#content", FileView), self.current_file
        carries = (
            content.has_focus
            and self._view == VIEWS[0]
            and file is not None
            and provenance_at(file, content.line_number) is not None
        )
        idle = super().idle_keys()
        if not carries:
            idle.add("preview.places")
        if content.has_focus and not carries:
            idle.add("list.open")
        return idle

    def searched(self) -> LineList | None:
        """Return the content if it has the focus, else the tree."""
        content = self.query_one("#content", FileView)
        return content if content.has_focus else self.query_one("#tree", LineList)

    def copied(self) -> str:
        """Return the line under the cursor, or the path."""
        content = self.query_one("#content", FileView)
        file = self.current_file
        if content.has_focus and file is not None and content.line_number:
            return f"{file.path}:{content.line_number}"
        return self._path
