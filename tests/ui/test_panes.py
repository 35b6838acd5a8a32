"""Panes follow one cursor, change their size and place, and the frame says what works and what an act changed."""

from pathlib import Path
from typing import Any

import pytest
from textual.content import Content
from textual.pilot import Pilot

from melleafy_tui.actions.steps import Step
from melleafy_tui.core.models.vocabulary import DISPOSITIONS, TAG_MEANINGS
from melleafy_tui.core.package.dispositions import cell
from melleafy_tui.screens.decide import DecideScreen
from melleafy_tui.screens.inventory import InventoryScreen
from melleafy_tui.screens.text_panes import EmittedView, SourceView
from melleafy_tui.widgets.dialogs import ChoiceDialog, FormDialog, HelpDialog
from melleafy_tui.widgets.file_view import FileView, wrapped
from melleafy_tui.widgets.footer import RowFooter
from melleafy_tui.widgets.line_list import LineList
from melleafy_tui.widgets.styled_text import StyledText, Tone, line_text, part_of
from melleafy_tui.widgets.styled_view import Pane
from melleafy_tui.wizard.app import WizardApp
from tests.ui.conftest import keys, open_session, rendered, shown, wait_for, write_workspace

pytestmark = pytest.mark.usefixtures("still_packages")

SMALL, MEDIUM, LARGE = (80, 24), (120, 40), (160, 48)
AUTO_CLOSE = "Never auto-close"


def in_view(app: WizardApp) -> set[str]:
    screen = app.step_screen
    return {name for name in screen.PANES if screen.query_one(f"#{name}").region}


def status(app: WizardApp) -> str:
    return str(app.step_screen.query_one("#status", StyledText).content)


def footer(app: WizardApp) -> list[str]:
    return [key.spelled for key in app.step_screen.query_one(RowFooter).keys]


def line_at(view: FileView) -> str:
    """Return the highlighted lines of a file."""
    rows = [row for row in view.all_rows if view.in_region(row)]
    return " ".join(line_text(view.row_line(row, view.size.width)) for row in rows)


async def stand_on_rule(pilot: Pilot[Any], app: WizardApp, step: str) -> None:
    await keys(pilot, step)
    element = next(
        element for element in app.session.conversion.inventory.elements if AUTO_CLOSE in element.content_full
    )
    app.step_screen.reveal(element.element_id)
    await pilot.pause()


@pytest.mark.parametrize("step", ["2", "3"])
async def test_source_and_emitted_lines_follow_the_row_on_wide_terminals(app: WizardApp, step: str) -> None:
    async with app.run_test(size=LARGE) as pilot:
        await rendered(pilot)
        await stand_on_rule(pilot, app, step)
        screen = app.step_screen
        assert in_view(app) == set(screen.PANES)
        source, emitted = screen.query_one(SourceView), screen.query_one(EmittedView)
        await wait_for(pilot, lambda: AUTO_CLOSE in line_at(source), "the source lines are shown")
        await wait_for(
            pilot,
            lambda: "requirements.py" in str(emitted.border_title) and "ever auto-close" in line_at(emitted),
            "the emitted lines are shown",
        )
        await keys(pilot, "g", "j", "j")
        await wait_for(
            pilot, lambda: "requirements.py" not in str(emitted.border_title), "the emitted lines follow"
        )
        await wait_for(pilot, lambda: AUTO_CLOSE not in line_at(source), "the source lines follow")


@pytest.mark.slow
@pytest.mark.parametrize("step", ["2", "3"])
async def test_tab_brings_one_pane_after_the_other_on_narrow_terminals(app: WizardApp, step: str) -> None:
    async with app.run_test(size=SMALL) as pilot:
        await rendered(pilot)
        await keys(pilot, step)
        screen = app.step_screen
        first, *others = screen.PANES
        assert in_view(app) == {first, others[0]}
        for pane in others:
            await keys(pilot, "tab")
            assert in_view(app) == {first, pane}
            assert screen.focused is screen.query_one(f"#{pane}")
        await keys(pilot, "tab")
        assert in_view(app) == {first, others[-1]}
        await keys(pilot, "shift+tab", "shift+tab")
        assert in_view(app) == {first, others[-2]}


async def test_a_small_terminal_has_ten_rows_of_the_list_and_eight_of_the_source(app: WizardApp) -> None:
    async with app.run_test(size=SMALL) as pilot:
        await keys(pilot, "2")
        screen = app.step_screen
        assert screen.query_one("#tree").content_size.height >= 10
        assert screen.query_one("#source").content_size.height >= 8


@pytest.mark.slow
async def test_a_pane_is_maximised_and_shared_and_each_size_remembers_its_own(app: WizardApp) -> None:
    async with app.run_test(size=MEDIUM) as pilot:
        await rendered(pilot)
        await keys(pilot, "2", "z")
        assert in_view(app) == {"tree"}
        await keys(pilot, "tab")
        assert in_view(app) == {"source"}
        await pilot.resize_terminal(*LARGE)
        await wait_for(
            pilot, lambda: in_view(app) == set(InventoryScreen.PANES), "all panes of the large size"
        )
        before = app.step_screen.query_one("#tree").size.width
        await keys(pilot, "greater_than_sign", "greater_than_sign")
        assert app.step_screen.query_one("#tree").size.width > before
        await keys(pilot, "3", "2")
        assert app.step_screen.query_one("#tree").size.width > before
        await pilot.resize_terminal(*MEDIUM)
        await wait_for(pilot, lambda: in_view(app) == {"source"}, "the pane is maximised again")
        await keys(pilot, "z")
        assert in_view(app) >= {"tree", "source"}


@pytest.mark.slow
async def test_hits_are_counted_gone_through_and_highlighted_beside(app: WizardApp) -> None:
    async with app.run_test(size=LARGE) as pilot:
        await rendered(pilot)
        await keys(pilot, "2", "slash", *"ticket")
        screen = app.step_screen
        tree, lead = screen.query_one("#tree", LineList), screen.query_one(RowFooter)
        count = sum(not row.group for row in tree.visible_rows)
        assert f"hit 1 of {count}" in str(lead.content)
        await keys(pilot, "enter", "n")
        assert f"hit 2 of {count}" in str(lead.content)
        assert footer(app)[:3] == ["n", "N", "Esc"]
        await keys(pilot, "N", "N")
        assert f"hit {count} of {count}" in str(lead.content)
        assert app.step_screen.STEP.value == "inventory"
        source = screen.query_one(SourceView)
        spans = [span for row in source.all_rows for span in source.row_line(row, 60)]
        assert any(tone is Tone.FOUND and text.casefold() == "ticket" for text, tone in spans)
        await keys(pilot, "escape", "n")
        assert app.step_screen.STEP.value == "decide"


async def test_the_footer_has_the_keys_of_the_row_and_no_refused_disposition(app: WizardApp) -> None:
    async with app.run_test(size=LARGE) as pilot:
        await stand_on_rule(pilot, app, "3")
        entry = app.step_screen.current  # type: ignore[attr-defined]
        for disposition, info in DISPOSITIONS.items():
            works = cell(entry.kind, disposition).allowed and disposition is not entry.disposition
            assert (info.key in footer(app)) == works, info.label
        assert "⌫" not in footer(app)
        await keys(pilot, "x")
        assert "⌫" in footer(app)
        assert "x" not in footer(app)
        assert "u" in footer(app)
        assert footer(app)[-1] == "?"


async def test_an_act_shows_the_counts_before_and_after(app: WizardApp) -> None:
    async with app.run_test(size=LARGE, notifications=True) as pilot:
        await stand_on_rule(pilot, app, "3")
        before = app.session.figures
        await keys(pilot, "x")
        after = app.session.figures
        assert f"{before.overrides} → {after.overrides}" in status(app)
        assert f" · {after.prompt_tokens} prompt tokens" in status(app)
        assert f" · {before.delegates} left to the host" in status(app)
        rack = app.screen.query("Toast")
        bottom = app.step_screen.query_one("#status").region.y
        await wait_for(pilot, lambda: bool(app.screen.query("Toast")), "the message is shown")
        assert all(toast.region.bottom <= bottom for toast in rack)


async def test_a_hint_shifts_nothing(app: WizardApp) -> None:
    async with app.run_test(size=SMALL) as pilot:
        await keys(pilot, "2")
        before = {name: app.step_screen.query_one(f"#{name}").region for name in in_view(app)}
        app.step_screen.show_hint(visible=True)
        await pilot.pause()
        hint = app.step_screen.query_one("#hint")
        assert hint.region
        assert hint.region.bottom <= app.step_screen.query_one("#status").region.y
        assert {name: app.step_screen.query_one(f"#{name}").region for name in in_view(app)} == before


@pytest.mark.slow
async def test_words_are_explained_where_they_are_chosen_and_shown(app: WizardApp) -> None:
    async with app.run_test(size=MEDIUM) as pilot:
        await stand_on_rule(pilot, app, "2")
        element = app.step_screen.current  # type: ignore[attr-defined]
        about = app.step_screen.query_one("#detail", Pane).said
        assert about.startswith(element.tag.value)
        assert TAG_MEANINGS[element.tag][:40] in about
        await keys(pilot, "T")
        dialog = await shown(pilot, ChoiceDialog)
        assert TAG_MEANINGS[element.tag] in str(dialog.query_one("#note", StyledText).content)
        await keys(pilot, "escape", "U")
        dialog = await shown(pilot, ChoiceDialog)
        rows = dialog.query_one("#choices", LineList)
        assert rows.go_to("not_judged")
        await pilot.pause()
        assert "nothing judges or checks it" in str(dialog.query_one("#note", StyledText).content)
        await keys(pilot, "enter")
        await wait_for(
            pilot,
            lambda: app.session.conversion.decisions.retags != {},
            "the decision is taken",
        )
        await keys(pilot, "backspace")
        await wait_for(
            pilot,
            lambda: app.session.conversion.inventory.by_id[element.element_id] == element,
            "the decision is reset",
        )


@pytest.mark.slow
@pytest.mark.parametrize("size", [SMALL, LARGE])
async def test_the_help_is_grouped_and_says_every_sentence_whole(
    app: WizardApp, size: tuple[int, int]
) -> None:
    async with app.run_test(size=size) as pilot:
        await keys(pilot, "3", "question_mark")
        dialog = await shown(pilot, HelpDialog)
        rows = dialog.query_one(LineList)
        await wait_for(pilot, lambda: bool(rows.all_rows), "the help is filled")
        text = " ".join(
            " ".join(line_text(rows.row_line(row, rows.size.width)).split()) for row in rows.all_rows
        )
        joined = " ".join(text.split())
        for key in app.session.keys.on(Step.DECIDE.value):
            for word in key.tooltip.split():
                assert word in joined, key.id
        assert rows.size.width > size[0] * 3 // 4
        assert "…" not in joined.replace("by… ", "")


@pytest.mark.slow
async def test_titles_show_text_of_a_workspace_as_it_is(workspace: Path) -> None:
    name, rule = "skills/[b]x [@click=app.quit]y/SKILL.md", "Never say [/b] [red]x[/] to people."
    write_workspace(
        workspace,
        {name: "---\nname: xy\ndescription: d\n---\n\n- Never lie.\n", "AGENTS.md": f"# Rules\n\n- {rule}\n"},
    )
    app = WizardApp(open_session(workspace))
    async with app.run_test(size=LARGE) as pilot:
        await keys(pilot, "2")
        elements = app.session.conversion.inventory.elements
        note = next(element for element in elements if element.source_file == name)
        app.step_screen.reveal(note.element_id)
        await pilot.pause()
        screen = app.step_screen
        assert Content.from_markup(str(screen.query_one(SourceView).border_title)).plain == name
        await keys(pilot, "f")
        dialog = await shown(pilot, ChoiceDialog)
        assert dialog.query_one("#choices", LineList).go_to(f"file:{name}")
        await keys(pilot, "enter")
        assert name in Content.from_markup(str(screen.query_one("#tree").border_subtitle)).plain
        told = next(element for element in elements if rule in element.content_full)
        await keys(pilot, "3")
        app.step_screen.reveal(told.element_id)
        await keys(pilot, "x", "a")
        title = (await shown(pilot, FormDialog)).query_one(".dialog").border_title
        assert "never say [/b] [red]x[/] to people" in Content.from_markup(str(title)).plain


def test_long_lines_wrap_without_losing_a_letter() -> None:
    lines = ["short", "a line of words that is longer than the room it has", "x" * 50, "日本語" * 10, ""]
    parts = wrapped(lines, 20)
    for number, line in enumerate(lines, 1):
        assert "".join(line[start:end] for each, start, end in parts if each == number) == line
    styled = (("ab", Tone.TEXT), ("cdef", Tone.KEY))
    assert part_of(styled, 1, 4) == (("b", Tone.TEXT), ("cd", Tone.KEY))
    assert isinstance(DecideScreen.PANES, tuple)
