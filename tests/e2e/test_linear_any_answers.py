"""Line by line: whatever is typed, nothing crashes, the source stays as it is, and no secret is said."""

import io
import shutil
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from melleafy_tui.actions.key_table import KeyTable
from melleafy_tui.cli.linear.conversation import commands_for
from melleafy_tui.cli.main import main
from melleafy_tui.core.models.vocabulary import DECISIONS_FILE
from tests.e2e.conftest import AS_OF, tree
from tests.ui.conftest import EPOCH, TICKET_TRIAGE, write_workspace

SECRET: Final = "ghp_0123456789abcdefghijklmnopqrstuvwxyzAB"
WORKSPACE: Final = {
    **TICKET_TRIAGE,
    "TOOLS.md": f"# Tools\n\n- Use the token {SECRET} for pushes.\n",
    ".env": f"API_TOKEN={SECRET}\n",
    "CLAUDE.md": "# Project\n\n- Never push to main.\n",
    ".claude/settings.json": '{"permissions": {"deny": ["WebFetch"]}}\n',
}
COMMANDS: Final = sorted(
    {typed for each in commands_for(KeyTable()) for typed in (each.letter, each.word) if typed}
)
KNOWN: Final = [
    *COMMANDS,
    "p",
    "?",
    "",
    "",
    "y",
    "-",
    "s",
    "1",
    "2 x",
    "back",
    "1-5",
    "list",
    "review all",
    "x 3",
]
HOSTILE: Final = [
    "\0", "\x1b[2J", "[bold]", "9" * 5000, "1-99999999999", "-1", "٣", "²", "é\u202e", "~nobody/x", "a:b:c", ":1",
    "AGENTS.md:5", "x 1 2 3", "x 0-2", "explain 5", "entry TOOLS.md:3", "inventory token", "files .env", "plan token",
    "x listed", "output .", "output \0", "save sub/none.json", "load none.json", "output ticket-triage", "output ..",
    "set source_runtime hybrid", "set contributing_runtimes openclaw,claude_code", "set \0 x", "retag 5 C1", "why 5 \0",
    "findings reviewed all", "output ticket-triage/out",
]  # fmt: skip


@pytest.fixture
def place(own_world: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder where whatever is typed as a path may be written."""
    place = own_world / "place"
    place.mkdir()
    monkeypatch.chdir(place)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", EPOCH)
    return place


def talk(source: Path, answers: list[str]) -> tuple[int, str]:
    """Return the exit code and all that was said, without what was typed."""
    said = io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(said), redirect_stderr(said):
        patch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in answers)))
        code = main([str(source), "--linear", "--as-of", AS_OF])
    return code, said.getvalue()


@pytest.mark.slow
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(answers=st.lists(st.sampled_from([*KNOWN, *KNOWN, *HOSTILE]), min_size=1, max_size=60))
def test_any_answers_end_well(place: Path, answers: list[str]) -> None:
    for left in (*place.iterdir(), place.parent / ".local"):
        shutil.rmtree(left, ignore_errors=True) if left.is_dir() else left.unlink(missing_ok=True)
    source = write_workspace(place / "ticket-triage", WORKSPACE)
    code, said = talk(source, answers)
    assert code in (0, 130), said[-2000:]
    assert not {"\x1b", "\u202e", "\0"} & set(said)
    kept = {name: text.decode() for name, text in tree(source).items() if name != DECISIONS_FILE}
    assert kept == WORKSPACE
    assert SECRET not in said
