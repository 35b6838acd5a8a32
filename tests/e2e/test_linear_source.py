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
    done = answer("p", "x 5", above, "where", "plan", "R", "D", "read again", "q", "y")
    assert done.out.count(CHANGED) == 1
    assert "Read again; your decision is unchanged." in done.out
    assert "auto-close" in done.out.partition("Read again")[2]
    assert "The source hasn't changed." in done.out
    assert done.code == 0


def test_a_decision_whose_element_is_gone_is_kept_and_the_review_asks(
    answer: Answering, edit: Callable[..., Callable[[], None]]
) -> None:
    gone = edit("- Never auto-close a ticket without confirmation.\n", "")
    done = answer("", "", "", "x 5", gone, "R", "review", "1 drop", "undo", "p", "q", "y")
    assert "1 orphaned" in done.out
    assert "Row 1: drop it. Type undo to revert." in done.out


def test_a_change_that_is_taken_back_is_no_change(
    answer: Answering, edit: Callable[..., Callable[[], None]]
) -> None:
    there, back = edit("# Agents\n", "# Agents!\n"), edit("# Agents!\n", "# Agents\n")
    done = answer("p", there, "where", back, "where", "R", "q")
    assert done.out.count(CHANGED) == 1
    assert "The source hasn't changed." in done.out


@pytest.mark.parametrize(
    ("chosen", "words"),
    [(("n", "R", "w", "y"), "90 words"), (("y", "y"), "120 words"), (("",), ""), (("back",), "")],
)
def test_a_stale_source_is_written_only_as_the_user_says(
    answer: Answering,
    own_world: Path,
    edit: Callable[..., Callable[[], None]],
    chosen: tuple[str, ...],
    words: str,
) -> None:
    done = answer("p", edit("under 120 words", "under 90 words"), "w", *chosen, "q")
    assert done.code == 0, done.messages
    file = own_world / REQUIREMENTS
    assert file.exists() == bool(words)
    assert words in (file.read_text() if words else "")


def test_a_source_that_is_gone_writes_nothing(answer: Answering, own_world: Path, workspace: Path) -> None:
    done = answer("p", lambda: workspace.rename(own_world / "moved"), "w", "R", "where", "q")
    assert done.code == 0, done.messages
    assert done.out.count("Not done:") == 2
    assert not (own_world / "ticket-triage_mellea").exists()
