"""Measures a key press in a long list, from the key to the last repaint, against the least list on the line API.

What is measured is processor time of the whole process, several presses a sample: Textual repaints on a clock of its
own, so that the time that passes is mostly waiting. As in the wizard, the collector does not look through the rows.
"""

import asyncio
import gc
import time
from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar

from rich.segment import Segment
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from benchmarks.measuring import Cost, Figure, Row, figures
from melleafy_tui.widgets.line_list import LineList
from melleafy_tui.widgets.rows import Row as ListRow
from melleafy_tui.widgets.styled_text import DARK, Tone

KEYS = ("down", "pagedown", "end", "home")
NEEDLES = ("7", "77", "777")
SCREEN = (100, 30)
PRESSES = 6
"""Presses of each key in a sample."""
QUIET = 0.05
"""Seconds after a repaint in which what follows from the key is painted too; waiting takes no processor time."""
LONGEST = 30.0
"""Seconds after which a key counts as not followed by a repaint."""


def texts(count: int) -> list[str]:
    """Return the rows' texts."""
    return [
        f"row {number} AGENTS.md:{number} Never move the boat without its keeper" for number in range(count)
    ]


class LeastList(ScrollView, can_focus=True):
    """Rows, a cursor and a filter, and nothing else."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "cursor(1)"),
        Binding("pagedown", "cursor(20)"),
        Binding("end", "cursor(10000000)"),
        Binding("home", "cursor(-10000000)"),
    ]

    def __init__(self, rows: list[str]) -> None:
        super().__init__()
        self.all = [(row, row.lower()) for row in rows]
        self.shown = rows
        self.cursor = 0

    def on_mount(self) -> None:
        """Take the size of the rows."""
        self.virtual_size = Size(80, len(self.shown))

    def action_cursor(self, by: int) -> None:
        """Move the cursor into view."""
        self.cursor = max(0, min(len(self.shown) - 1, self.cursor + by))
        self.scroll_to_region(Region(0, self.cursor, 1, 1), animate=False)
        self.refresh()

    def narrow(self, needle: str) -> None:
        """Show the rows that hold a text."""
        self.shown = [row for row, small in self.all if needle in small]
        self.cursor = 0
        self.virtual_size = Size(80, len(self.shown))
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Return one row."""
        place = y + self.scroll_offset.y
        text = self.shown[place] if place < len(self.shown) else ""
        mark = "> " if place == self.cursor else "  "
        return Strip([Segment(mark + text, self.rich_style)]).adjust_cell_length(self.size.width)


class _Painted(App[None]):
    """Tells when it has painted."""

    def __init__(self, made: Callable[[], Any]) -> None:
        super().__init__()
        self.register_theme(DARK)
        self.theme = DARK.name
        self.made = made
        self.painted = asyncio.Event()

    def compose(self) -> ComposeResult:
        yield self.made()

    def _display(self, screen: Any, renderable: Any) -> None:
        super()._display(screen, renderable)
        self.painted.set()


class _Ours(LineList):
    """Our list with the same rows."""

    def __init__(self, rows: list[str]) -> None:
        super().__init__()
        self.given = [
            ListRow(str(n), ((text, Tone.TEXT),), words=text.lower()) for n, text in enumerate(rows)
        ]

    def on_mount(self) -> None:
        """Show the rows."""
        self.show_rows(self.given)


async def _session(made: Callable[[], Any], rounds: int) -> dict[str, list[Cost]]:
    app = _Painted(made)
    costs: dict[str, list[Cost]] = {}
    async with app.run_test(size=SCREEN) as pilot:
        await pilot.pause()
        shown: Any = app.query("LeastList, LineList").first()
        shown.focus()
        await pilot.pause()
        gc.collect()
        gc.freeze()
        for _ in range(rounds + 1):
            spent = dict.fromkeys(
                (*KEYS, *(f"filter key {number}" for number in range(1, len(NEEDLES) + 1))), 0.0
            )
            for _ in range(PRESSES):
                for key in KEYS:
                    spent[key] += await _spent(app, lambda key=key: app.post_message(events.Key(key, None)))
                for number, needle in enumerate(NEEDLES, start=1):
                    spent[f"filter key {number}"] += await _spent(
                        app, lambda needle=needle: shown.narrow(needle)
                    )
                await _spent(app, lambda: shown.narrow(""))
            for name, seconds in spent.items():
                costs.setdefault(name, []).append(Cost(seconds * 1000 / PRESSES))
        gc.unfreeze()
    return {name: found[1:] for name, found in costs.items()}


async def _spent(app: _Painted, act: Callable[[], object]) -> float:
    """Return the processor time, in seconds, of an act and every repaint that follows from it."""
    app.painted.clear()
    started = time.process_time()
    act()
    try:
        await asyncio.wait_for(app.painted.wait(), LONGEST)
    except TimeoutError:
        raise SystemExit("a key was not followed by a repaint") from None
    await asyncio.sleep(QUIET)
    return time.process_time() - started


def keys(rounds: int, *, small: bool) -> list[Figure]:
    """Measure both lists in turn at three lengths."""
    found: list[Figure] = []
    for count in (1_000, 10_000) if small else (1_000, 10_000, 100_000):
        rows = texts(count)
        least: dict[str, list[Cost]] = {}
        ours: dict[str, list[Cost]] = {}
        for _ in range(2):  # in turn, so that a busy moment hits both
            for made, into in ((partial(LeastList, rows), least), (partial(_Ours, rows), ours)):
                for name, costs in asyncio.run(_session(made, max(4, rounds // 2 + 1))).items():
                    into.setdefault(name, []).extend(costs)
        table_rows: list[Row] = []
        costs_by_name: dict[str, list[Cost]] = {}
        for name in least:
            floor, own = f"least list, {name}, {count:,} rows", f"{name}, {count:,} rows"
            table_rows += [Row(floor, lambda: Cost(0)), Row(own, lambda: Cost(0), (floor,), 1.2)]
            costs_by_name |= {floor: least[name], own: ours[name]}
        found += figures("keys", table_rows, costs_by_name)
    return found
