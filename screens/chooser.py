"""The screen before the first step that lists the sources in a folder which isn't one itself."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

from rich.cells import cell_len
from textual import on
from textual.binding import BindingType
from textual.message import Message
from textual.widget import Widget

from melleafy_tui.actions.key_table import CHOOSER, KeyTable
from melleafy_tui.actions.plurals import counted
from melleafy_tui.actions.steps import STEPS, Progress, StepState
from melleafy_tui.widgets.footer import bindings
from melleafy_tui.widgets.frame import FRAME_STYLES, SearchFrame, StepRail
from melleafy_tui.widgets.line_list import LineList
from melleafy_tui.widgets.rows import Row
from melleafy_tui.widgets.styled_text import Line, StyledText, Tone, fit, fit_end, shown

if TYPE_CHECKING:  # the first frame is painted before the core is imported
    from melleafy_tui.core.source.sources_below import FoundSource

CHOOSER_TITLE: Final = "Sources"
CHOOSER_TERMS: Final = (
    ("source", "What one package is made from: a workspace, a skill or a project."),
    ("runtime", "The program that the agent was written for, by the main file in its folder."),
    ("files", "How many files the folder has, without those of other sources in it."),
)

_GAP: Final = 2


class ChooserScreen(SearchFrame):
    """A list of sources; Enter opens one.

    Args:
        folder: The name of the folder.
        sources: The sources in it.
        keys: The user's key table.
    """

    CSS_PATH: ClassVar[list[str]] = [FRAME_STYLES]  # type: ignore[assignment]
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(CHOOSER)]
    DEFAULT_CSS = """
    ChooserScreen {
        & #body { padding: 1 2 0 2; }
        & #lead { height: auto; margin-bottom: 1; }
    }
    """

    @dataclass
    class Chosen(Message):
        """Posted with the path of the source to open."""

        path: str

    def __init__(self, folder: str, sources: "Sequence[FoundSource]", keys: KeyTable) -> None:
        super().__init__(keys)
        self._folder, self._sources = folder, sources
        self._runtime_width = max((cell_len(each.runtime) for each in sources), default=0) + _GAP
        self._files_width = max((cell_len(counted(each.files, "file")) for each in sources), default=0) + _GAP

    @property
    def where(self) -> str:
        """Return the screen's name in the key table."""
        return CHOOSER

    def compose_body(self) -> Iterable[Widget]:
        """Yield what the folder is, and its sources."""
        yield StyledText(id="lead")
        yield LineList(id="sources", empty="No matches.")

    def on_mount(self) -> None:
        """Fill the list."""
        self.query_one("#title", StyledText).show_lines([((shown(self._folder), Tone.HEADING),)])
        self.query_one(StepRail).show_states([StepState(step, Progress.OPEN) for step in STEPS], None)
        lead = (
            f"This folder isn't a source itself; it holds {counted(len(self._sources), 'source')}. Open one."
        )
        self.query_one("#lead", StyledText).show_lines([((lead, Tone.TEXT),)])
        rows = self.query_one(LineList)
        rows.show_rows(
            [
                Row(each.path, self._line(each), words=f"{each.runtime} {each.path}".casefold())
                for each in self._sources
            ]
        )
        rows.focus()

    def _line(self, source: "FoundSource") -> Callable[[int], Line]:
        def line(width: int) -> Line:
            return (
                (fit(source.runtime, self._runtime_width), Tone.ACCENT),
                (fit_end(source.path, width - self._runtime_width - self._files_width), Tone.STRONG),
                (counted(source.files, "file").rjust(self._files_width), Tone.MUTED),
            )

        return line

    def searched(self) -> LineList:
        """Return the list of sources."""
        return self.query_one(LineList)

    def idle_keys(self) -> set[str]:
        """Return the ids of keys that would do nothing now."""
        return {"app.help", "app.interrupt", *(() if self.is_narrowed else ("search.clear",))}

    @on(LineList.Opened, "#sources")
    def open_source(self, event: LineList.Opened) -> None:
        """Open the source under the cursor."""
        self.post_message(self.Chosen(event.row.id))
