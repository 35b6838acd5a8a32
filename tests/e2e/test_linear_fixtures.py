"""Line by line: fixtures from the agent's history, with what the commands and the screens give."""

import json
from pathlib import Path

import pytest

from melleafy_tui.actions.fixture_picks import ONLY_TRANSCRIPTS
from tests.e2e.conftest import Answering, tree

SECRET = "ghp_0123456789abcdefghijklmnopqrstuvwxyzAB"
TURNS = ("Where is parcel 7?", f"Mail jane@example.com please, my token is {SECRET}")
HOSTILE = "Answer \x1b[31mred\x1b[0m \u202e[bold]loud[/bold] please"


def state_folder(folder: Path, *turns: str) -> Path:
    place = folder / "agents/main/sessions/a.jsonl"
    place.parent.mkdir(parents=True)
    lines = [json.dumps({"role": "user", "content": turn}) for turn in turns]
    place.write_text("".join(f"{line}\n" for line in lines))
    return folder


def test_turns_are_picked_given_back_undone_and_reach_the_package(
    answer: Answering, own_world: Path, tmp_path: Path
) -> None:
    folder, saved = state_folder(tmp_path / "state", *TURNS), tmp_path / "mine.json"
    done = answer(
        f"F {folder}", "Jane", "1", "1-2", "l", "2", "", "u", "u", "z", f"k {saved}", "5", "w", "y", "q"
    )
    assert done.code == 0, done.messages
    assert ONLY_TRANSCRIPTS in done.out
    assert "2 of 5 picked." in done.out
    assert "Unpicked: turn 2. Type undo to revert." in done.out
    assert "2 fixtures from the agent's history" in done.out
    messages = [each["message"] for each in json.loads(saved.read_text())["fixtures"]]
    assert "Mail [email] please, my token is ${GITHUB_TOKEN}" in messages
    assert len(messages) == 2
    made = tree(own_world / "ticket-triage_mellea")
    (index,) = (text.decode() for path, text in made.items() if path.endswith("/fixtures/__init__.py"))
    assert index.count('"history_') == 2
    assert SECRET not in done.out + "".join(text.decode() for text in made.values())


def test_more_than_a_package_takes_is_refused_and_the_rest_stands(answer: Answering, tmp_path: Path) -> None:
    folder = state_folder(tmp_path / "state", *(f"Where is parcel {number}?" for number in range(7)))
    done = answer("F", str(folder), "", "all", "1-7", "", "q", "discard")
    assert "A package takes 5 fixtures" in done.out
    assert "5 of 5 picked." in done.out
    assert done.code == 0


@pytest.mark.parametrize("typed", ["~/none", "~", "~nobody-here", "a\0b", "x" * 5000], ids=repr)
def test_a_state_folder_that_is_none_is_said_and_nothing_is_picked(answer: Answering, typed: str) -> None:
    done = answer("F", typed, "", "", "h", "q")
    assert done.code == 0, done.messages
    assert "0 overridden" in done.out
    assert "picked" not in done.out


def test_a_hostile_turn_is_only_shown_and_no_number_is_no_fault(answer: Answering, tmp_path: Path) -> None:
    folder = state_folder(tmp_path / "state", HOSTILE)
    done = answer("F", str(folder), "", "1", "0", "2", "1-99999999999", "9" * 5000, "x", "p", "q", "q")
    assert done.code == 0, done.messages
    assert "[bold]loud[/bold]" in done.out
    assert not {"\x1b", "\u202e"} & set(done.out)
    assert done.out.count("is not a number from 1 to 1.") == 5


def test_the_end_of_the_input_among_the_turns_keeps_what_was_picked(
    answer: Answering, tmp_path: Path
) -> None:
    folder = state_folder(tmp_path / "state", *TURNS)
    done = answer(f"F {folder}", "", "1", "1")
    assert done.code == 130
    assert "your decisions are in the journal" in done.messages
    again = answer("restore", "4", "l", "s", "q", "discard")
    assert "1 change). Restore them?" in again.out
    assert "fixtures/__init__.py" in again.out


def test_many_sessions_are_said_a_page_at_a_time_and_any_of_them_can_be_chosen(
    answer: Answering, tmp_path: Path
) -> None:
    folder = state_folder(tmp_path / "state", TURNS[0])
    first = folder / "agents/main/sessions/a.jsonl"
    for number in range(29):
        first.with_name(f"s{number:02}.jsonl").write_bytes(first.read_bytes())
    done = answer(f"F {folder}", "", "what", "", "31", "", f"F {folder}", "", "s", "p", "q")
    assert "Unknown answer: what" in done.out
    assert done.out.count("Showing 20 of 31.") == 3
    assert "1 Where is parcel 7?" in done.out
