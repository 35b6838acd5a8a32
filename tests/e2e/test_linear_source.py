"""Line by line: the source changes on the disk; it is said, read again on request, and never written stale unasked."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.e2e.conftest import Answering

CHANGED = "The source changed on disk: AGENTS.md."
REQUIREMENTS = "ticket-triage_mellea/ticket_triage_mellea/requirements.py"


@pytest.fixture
def edit(workspace: Path) -> Callable[..., Callable[[], None]]:
    """Return what changes AGENTS.md when it is called."""

    def made(old: str, new: str) -> Callable[[], None]:
        def change() -> None:
            file = workspace / "AGENTS.md"
            text = file.read_text()
            assert old in text
            file.write_text(text.replace(old, new))

        return change

    return made


def test_a_change_is_said_once_and_read_again_and_decisions_follow(
    answer: Answering, edit: Callable[..., Callable[[], None]]
) -> None:
    above = edit("# Agents\n", "# Agents\n\nOne more line above.\n")
    done = answer("3", "o 5", "x", "", above, "4", "2", "R", "3", "D", "R", "q", "discard")
    assert done.out.count(CHANGED) == 1
    assert "Read again; your decision is unchanged." in done.out
    assert "auto-close" in done.out.partition("Read again")[2]
    assert "The source hasn't changed." in done.out
    assert done.code == 0


def test_a_decision_whose_element_is_gone_is_kept_and_said(
    answer: Answering, edit: Callable[..., Callable[[], None]]
) -> None:
    gone = edit("- Never auto-close a ticket without confirmation.\n", "")
    done = answer("3", "o 5", "x", "", gone, "R", "g", "drop", "u", "q", "discard")
    assert "Your decisions: 1 orphaned." in done.out
    assert "Dropped. Type undo to revert." in done.out


def test_a_change_that_is_taken_back_is_no_change(
    answer: Answering, edit: Callable[..., Callable[[], None]]
) -> None:
    there, back = edit("# Agents\n", "# Agents!\n"), edit("# Agents!\n", "# Agents\n")
    done = answer(there, "2", back, "3", "R", "q")
    assert done.out.count(CHANGED) == 1
    assert "The source hasn't changed." in done.out


@pytest.mark.slow
@pytest.mark.parametrize(
    ("chosen", "words"), [("read", "90 words"), ("write", "120 words"), ("", ""), ("back", "")]
)
def test_a_stale_source_is_written_only_as_the_user_says(
    answer: Answering,
    own_world: Path,
    edit: Callable[..., Callable[[], None]],
    chosen: str,
    words: str,
) -> None:
    shorter = edit("under 120 words", "under 90 words")
    written = ("w", "y") if chosen == "read" else ("y",) if chosen == "write" else ()
    done = answer("5", shorter, "w", chosen, *written, "q")
    assert done.code == 0, done.messages
    assert "  AGENTS.md" in done.out
    file = own_world / REQUIREMENTS
    assert file.exists() == bool(words)
    assert words in (file.read_text() if words else "")


def test_a_source_that_is_gone_writes_nothing(answer: Answering, own_world: Path, workspace: Path) -> None:
    done = answer("5", lambda: workspace.rename(own_world / "moved"), "w", "R", "4", "q")
    assert done.code == 0, done.messages
    assert done.out.count("Not done:") == 2
    assert not (own_world / "ticket-triage_mellea").exists()
