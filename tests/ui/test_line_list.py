"""The list on the line API: folding, narrowing, moving, and columns that no text can break."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from textual.app import App, ComposeResult
from textual.pilot import Pilot

from melleafy_tui.widgets.file_view import FileView
from melleafy_tui.widgets.line_list import LineList
from melleafy_tui.widgets.rows import Row
from melleafy_tui.widgets.styled_text import Tone, fit, fit_end, line_text, shown
from melleafy_tui.widgets.syntax import coloured
from tests.ui.conftest import keys


class Lists(App[None]):
    def compose(self) -> ComposeResult:
        yield LineList(id="rows")
        yield FileView(id="file")

    def get_theme_variable_defaults(self) -> dict[str, str]:
        names = ("cursor-row", "cursor-row-blurred", "region", *(f"tone-{tone.value}" for tone in Tone))
        return dict.fromkeys(names, "#ffffff")


ROWS = [
    Row("a", (("A", Tone.TEXT),), group=True),
    Row("a1", (("one", Tone.TEXT),), depth=1, words="one"),
    Row("a2", (("two", Tone.TEXT),), depth=1, words="two"),
    Row("b", (("B", Tone.TEXT),), group=True),
    Row("b1", (("three", Tone.TEXT),), depth=1, words="three"),
]


async def filled(pilot: Pilot[Any]) -> LineList:
    rows = pilot.app.query_one("#rows", LineList)
    rows.show_rows(ROWS)
    rows.focus()
    await pilot.pause()
    return rows


def ids(rows: LineList) -> list[str]:
    return [row.id for row in rows.visible_rows]


async def test_a_group_folds_and_unfolds() -> None:
    async with Lists().run_test() as pilot:
        rows = await filled(pilot)
        await keys(pilot, "left")
        assert ids(rows) == ["a", "b", "b1"]
        await keys(pilot, "enter")
        assert ids(rows) == ["a", "a1", "a2", "b", "b1"]


async def test_a_narrowed_list_shows_its_groups_open_and_keys_fold_nothing_there() -> None:
    async with Lists().run_test() as pilot:
        rows = await filled(pilot)
        await keys(pilot, "left")
        rows.narrow("o")
        assert ids(rows) == ["a", "a1", "a2"]
        await keys(pilot, "g", "enter", "left")
        assert rows.row_line(ROWS[0], 20)[0][0] == "▾ "
        rows.narrow("")
        assert ids(rows) == ["a", "b", "b1"]


async def test_going_to_a_row_unfolds_what_hides_it() -> None:
    async with Lists().run_test() as pilot:
        rows = await filled(pilot)
        await keys(pilot, "left")
        assert rows.go_to("a2")
        assert rows.current is ROWS[2]
        assert not rows.go_to("nowhere")


async def test_narrowing_keeps_the_heads_of_what_is_found_and_the_cursor_on_its_row() -> None:
    async with Lists().run_test() as pilot:
        rows = await filled(pilot)
        rows.go_to("b1")
        rows.narrow("THR")
        assert ids(rows) == ["b", "b1"]
        assert rows.current is ROWS[4]
        rows.narrow("")
        assert rows.current is ROWS[4]


async def test_the_cursor_stays_on_its_row_when_rows_come_and_go() -> None:
    async with Lists().run_test() as pilot:
        rows = await filled(pilot)
        rows.go_to("b1")
        rows.show_rows(ROWS[3:])
        assert ids(rows)[rows.cursor] == "b1"
        rows.show_rows([])
        assert rows.current is None
        await keys(pilot, "down", "G", "enter", "left", "right", "pagedown")


async def test_ten_thousand_rows_draw_only_those_in_view() -> None:
    drawn: list[int] = []

    def row(number: int) -> Row:
        def line(_width: int) -> tuple[tuple[str, Tone], ...]:
            drawn.append(number)
            return ((str(number), Tone.TEXT),)

        return Row(str(number), line, words=str(number))

    async with Lists().run_test(size=(80, 24)) as pilot:
        rows = pilot.app.query_one("#rows", LineList)
        rows.show_rows([row(number) for number in range(10_000)])
        rows.focus()
        await pilot.pause()
        await keys(pilot, "G")
        await pilot.pause()
        assert rows.current is not None
        assert rows.current.id == "9999"
    assert len(set(drawn)) < 100


@settings(max_examples=30)
@given(st.text(max_size=80), st.integers(0, 60))
def test_a_fitted_text_is_exactly_as_wide_as_asked(text: str, width: int) -> None:
    assert cell_len(fit(text, width)) == width
    assert cell_len(fit_end(text, width)) == width


def test_a_path_that_is_cut_keeps_the_name_of_its_file() -> None:
    assert fit_end("pipeline.py", 12) == "pipeline.py "
    assert fit_end("desk_mellea/intermediate/emitted.json", 20) == "…ediate/emitted.json"


async def test_what_an_empty_list_says_is_wrapped() -> None:
    async with Lists().run_test(size=(24, 12)) as pilot:
        rows = LineList(empty="No matches. Esc shows everything again.")
        await pilot.app.mount(rows)
        await pilot.pause()
        lines = [rows.render_line(y).text.rstrip() for y in range(4)]
        assert lines == ["No matches. Esc shows", "everything again.", "", ""]


@given(st.text(alphabet=st.characters(categories=["Cc", "Cf", "Cs", "Zl", "Zp"]), max_size=40))
def test_no_control_character_reaches_the_terminal(text: str) -> None:
    assert not any(ord(character) < 0x20 or 0x7F <= ord(character) < 0xA0 for character in shown(text))


@given(st.lists(st.text(alphabet=st.characters(exclude_characters="\r\n"), max_size=60), max_size=12))
def test_colours_never_change_the_text(lines: list[str]) -> None:
    for name in ("a.py", "a.md", "a.json", "a.toml", "a.unknown"):
        made = coloured(name, lines)
        assert not made or [line_text(line) for line in made] == lines


async def test_what_has_no_colours_is_shown_as_it_is() -> None:
    assert not coloured("a.unknown", ["a", "b"])
    async with Lists().run_test(size=(60, 20)) as pilot:
        view = pilot.app.query_one("#file", FileView)
        view.show_lines(["one", "two"], colour=lambda lines: coloured("a.unknown", lines))
        await pilot.pause()
        assert [view.render_line(y).text.strip() for y in range(2)] == ["1  one", "2  two"]


async def test_lines_of_a_file_are_rows_when_they_are_asked_for() -> None:
    async with Lists().run_test(size=(60, 20)) as pilot:
        view = pilot.app.query_one("#file", FileView)
        view.show_lines([f"Row {number}" for number in range(1, 10_001)])
        assert view.go_to("9000")
        assert (view.line_number, len(view.all_rows)) == (9000, 10_000)
        assert [row.search for row in view.all_rows[:2]] == ["row 1", "row 2"]
        assert not view.go_to("10001")
        assert not view.go_to("none")
        view.narrow("ROW 999")
        assert (len(view.visible_rows), view.line_number, view.hits_words) == (10_000, 999, "hit 1 of 11")
        view.go_to_hit(1)
        view.go_to_hit(1)
        assert (view.line_number, view.hits_words) == (9991, "hit 3 of 11")
        view.go_to_hit(-1)
        view.go_to_hit(-1)
        view.go_to_hit(-1)
        assert (view.line_number, view.hits_words) == (9999, "hit 11 of 11")
        view.narrow("")
        assert (len(view.visible_rows), view.line_number) == (10_000, 9999)


async def test_a_file_view_wraps_a_huge_line() -> None:
    async with Lists().run_test(size=(60, 20)) as pilot:
        view = pilot.app.query_one("#file", FileView)
        view.show_lines(["x" * 1_000_000, "b"])
        view.focus()
        await pilot.pause()
        await keys(pilot, "right", "left", "down")
        assert view.line_number == 1, "its second row"
        await keys(pilot, "G")
        assert view.line_number == 2


async def test_markup_is_shown_as_it_was_typed() -> None:
    async with Lists().run_test(size=(60, 20)) as pilot:
        rows = pilot.app.query_one("#rows", LineList)
        rows.show_rows([Row("a", (("[bold]x[/] [link=y]z\x1b[31m", Tone.TEXT),))])
        await pilot.pause()
        assert rows.render_line(0).text.strip() == "[bold]x[/] [link=y]z␛[31m"
