"""Line by line: other folders and fixtures from the agent's history, with what the commands and the screens give."""

import json
from pathlib import Path

import pytest

from melleafy_tui.actions.fixture_picks import ONLY_TRANSCRIPTS
from melleafy_tui.actions.workspace_exports import NEVER_OVER, NOT_WRITTEN_YET
from melleafy_tui.cli.main import main
from tests.e2e.conftest import Answering, tree
from tests.ui.conftest import TICKET_TRIAGE, write_workspace

WRITTEN = ("5", "w", "y")
SECRET = "ghp_0123456789abcdefghijklmnopqrstuvwxyzAB"
TURNS = ("Where is parcel 7?", f"Mail jane@example.com please, my token is {SECRET}")
HOSTILE = "Answer \x1b[31mred\x1b[0m \u202e[bold]loud[/bold] please"


def state_folder(folder: Path, *turns: str) -> Path:
    place = folder / "agents/main/sessions/a.jsonl"
    place.parent.mkdir(parents=True)
    lines = [json.dumps({"role": "user", "content": turn}) for turn in turns]
    place.write_text("".join(f"{line}\n" for line in lines))
    return folder


# --- the way back -----------------------------------------------------------------------------


def test_the_way_back_waits_for_the_package_and_gives_what_the_command_gives(
    answer: Answering, own_world: Path
) -> None:
    done = answer("5", "E", "w", "y", "E", "", "", "y", "q")
    assert done.code == 0, done.messages
    assert done.out.index(NOT_WRITTEN_YET) < done.out.index("Written to ~/ticket-triage_mellea.")
    assert "Written to ~/ticket-triage_mellea_openclaw." in done.out
    assert (
        "export --host=openclaw --workspace ~/ticket-triage ~/ticket-triage_mellea ~/ticket-triage_mellea_openclaw"
        in done.out
    )
    assert f"{len(TICKET_TRIAGE) - 1} identical, 1 changed, 1 added" in done.out
    made, other = own_world / "ticket-triage_mellea_openclaw", own_world / "by-command"
    assert main(["export", "--host=openclaw", str(own_world / "ticket-triage_mellea"), str(other)]) == 0
    assert tree(made) == tree(other)


def test_nothing_is_made_without_a_yes(answer: Answering, own_world: Path) -> None:
    done = answer(*WRITTEN, "E", "", "", "", "E", "", "back", "E", "q", "q")
    assert done.out.count("Nothing was written.") == 1
    assert not (own_world / "ticket-triage_mellea_openclaw").exists()


# --- surfaces ---------------------------------------------------------------------------------


def test_surfaces_and_back_are_the_same_bytes(answer: Answering, own_world: Path) -> None:
    done = answer("5", "a", "", "", "", "y", "t", "", "", "", "y", "q")
    assert done.code == 0, done.messages
    assert NEVER_OVER in done.out
    memory = "--memory-file surfaces/memory.md"
    assert f"materialize --reverse {memory} ~/ticket-triage ~/ticket-triage_surfaces" in done.out
    assert f"materialize {memory} ~/ticket-triage_surfaces ~/ticket-triage_workspace" in done.out
    made = tree(own_world / "ticket-triage_workspace")
    assert {name: made[name].decode() for name in TICKET_TRIAGE} == TICKET_TRIAGE


def test_memory_stays_behind_where_its_surface_is_emptied(answer: Answering, own_world: Path) -> None:
    answer("5", "a", "", "~/apart", "-", "y", "q")
    assert not (own_world / "apart" / "surfaces" / "memory.md").exists()
    assert (own_world / "apart" / "surfaces" / "persona.md").read_text() == TICKET_TRIAGE["SOUL.md"]


@pytest.mark.parametrize("letter", ["E", "a", "t"])
def test_a_folder_that_holds_something_is_left_as_it_is(
    answer: Answering, own_world: Path, letter: str
) -> None:
    target = write_workspace(own_world / "full", {"mine.txt": "mine"})
    surfaces = ("a", "", "", "", "y") if letter == "t" else ()
    written = WRITTEN if letter == "E" else ("5",)
    memory = () if letter == "E" else ("",)
    done = answer(*written, *surfaces, letter, "", "~/full", *memory, "y", "q")
    assert done.code == 0
    assert "Not done:" in done.out
    assert tree(target) == {"mine.txt": b"mine"}


@pytest.mark.parametrize("letter", ["E", "a", "t"])
def test_the_workspace_itself_is_never_written_to(
    answer: Answering, own_world: Path, workspace: Path, letter: str
) -> None:
    before = tree(workspace)
    memory = () if letter == "E" else ("",)
    done = answer(*WRITTEN, "a", "", "", "", "y", letter, "", "~/ticket-triage/back", *memory, "y", "q")
    assert "ticket-triage/back and the source" in done.out
    assert "Choose a target outside the source." in done.out
    assert tree(workspace) == before
    assert (own_world / "ticket-triage_surfaces").is_dir()


@pytest.mark.parametrize("typed", ["~nobody-here/x", "x" * 5000, "a\0b", "\x1b[2J"], ids=repr)
def test_a_folder_that_cannot_be_is_said_and_the_dialogue_goes_on(answer: Answering, typed: str) -> None:
    done = answer("5", "a", "-", typed, "", "", "y", "h", "q")
    assert done.code == 0, done.messages
    assert "Type a path." in done.out
    assert "Not done:" in done.out
    assert "\x1b" not in done.out


# --- fixtures from the agent's history --------------------------------------------------------


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
