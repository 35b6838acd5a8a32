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
from melleafy_tui.actions.steps import STEPS
from melleafy_tui.cli.linear import write_step
from melleafy_tui.cli.linear.conversation import answers_on
from melleafy_tui.cli.main import main
from melleafy_tui.core.models.reports import SmokeReport
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
LETTERS: Final = sorted({answer.letter for step in STEPS for answer in answers_on(step, KeyTable())})
KNOWN: Final = [*LETTERS, *"123456789", "n", "p", "?", "", "", "y", "-", "s", "all", "back", "1-5", "x 3"]
HOSTILE: Final = [
    "\0", "\x1b[2J", "[bold]", "9" * 5000, "1-99999999999", "-1", "٣", "²", "é\u202e", "~nobody/x", "a:b:c", ":1",
    "AGENTS.md:5", "o 1 2 3", "o 0-2", "e 5", "t TOOLS.md:3", "S TOOLS.md:3", "v .env", "/ token", "A token",
    "F .", "F \0", "k sub/none.json", "d none.json", "ticket-triage", "ticket-triage/out", "..", "openclaw + claude_code",
]  # fmt: skip


@pytest.fixture
def place(own_world: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder where whatever is typed as a path may be written, with a smoke run that costs nothing."""
    place = own_world / "place"
    place.mkdir()
    monkeypatch.chdir(place)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", EPOCH)
    report = SmokeReport(package_name="p", live=False, behaviour="plain", runs=())
    monkeypatch.setattr(write_step, "run_smoke", lambda *_args, **_options: report)
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
    if "is not a secret; its value is kept" not in said:
        assert SECRET not in said
