"""The wizard in a real terminal: what signals leave behind, and which bytes it draws."""

import os
import re
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.e2e.pseudo_terminal import PseudoTerminal
from tests.ui.conftest import TICKET_TRIAGE, write_workspace

pytestmark = pytest.mark.slow

_COLOUR = re.compile(rb"\x1b\[(?:[0-9:]+;)*(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])[;:0-9]*m")
_MAIN_SCREEN = b"\x1b[?1049l"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return write_workspace(tmp_path / "ticket-triage", TICKET_TRIAGE)


def send(number: signal.Signals) -> Callable[[PseudoTerminal], None]:

    return lambda terminal: os.kill(terminal.process, number)


def test_a_signal_keeps_unsaved_decisions_for_the_next_start(tmp_path: Path) -> None:
    for end, status in (
        (send(signal.SIGTERM), 143),
        (send(signal.SIGINT), 130),
        (send(signal.SIGHUP), 129),
        (PseudoTerminal.hang_up, None),
    ):
        workspace = write_workspace(tmp_path / str(status) / "ticket-triage", TICKET_TRIAGE)
        with PseudoTerminal(str(workspace)) as wizard:
            wizard.wait_for("Accept")  # a key is offered once it is taken
            wizard.type("!3")
            wizard.wait_for("Entries by category")
            wizard.type("/auto-close\r")
            wizard.wait_for("auto-close")
            wizard.type("s")
            wizard.wait_for("◆")
            end(wizard)
            ended = wizard.wait_for_end()
            if status is not None:  # else there is no terminal to restore, and nobody to read the status
                assert ended == status
                assert _MAIN_SCREEN in wizard.written
        with PseudoTerminal(str(workspace)) as wizard:
            wizard.wait_for("Unsaved decisions from an earlier session")
            wizard.type("\r")
            wizard.wait_for("unsaved decisions")
            wizard.type("3D")
            wizard.wait_for("stub")


def test_no_color_leaves_no_colour_in_any_byte(workspace: Path) -> None:
    for value, options, coloured in (("1", (), False), ("", (), True), ("", ("--no-color",), False)):
        with PseudoTerminal(str(workspace), *options, environment={"NO_COLOR": value}) as wizard:
            wizard.wait_for("Accept")  # a key is offered once it is taken
            wizard.type("!")
            for step, words in (
                ("2", "SOUL.md"),
                ("3", "Entries"),
                ("4", "pipeline.py"),
                ("5", "Writ"),
                ("?", "Help"),
            ):
                wizard.type(step)
                wizard.wait_for(words)
            assert bool(_COLOUR.search(wizard.written)) is coloured
