"""Whatever a key of the wizard does can be done line by line too: the table in docs/wizard.md has a row for each."""

import re
from typing import Final

import pytest

from melleafy_tui.commands.linear.conversation import EVERYWHERE, LINEAR_STEPS
from melleafy_tui.keys.row import Key
from melleafy_tui.keys.table import KEYMAP
from tests.conftest import PROJECT

ALWAYS: Final = {*"12345nbq?", "Ctrl+C", *(answer.letter for answer in EVERYWHERE)}


def rows() -> dict[str, str]:
    page = (PROJECT / "docs" / "wizard.md").read_text(encoding="utf-8")
    table = page.partition("| key of the wizard | line by line |")[2].partition("\n\n")[0]
    lines = [re.fullmatch(r"\| (.+?) \| (.+) \|", line) for line in table.strip().splitlines()[1:]]
    return {name: found[2] for found in lines if found for name in found[1].split(", ")}


def said_of(name: str) -> str:
    known = rows()
    return known.get(name) or known.get(f"{name.partition('.')[0]}.*", "")


@pytest.mark.parametrize("key", KEYMAP, ids=lambda key: key.id)
def test_each_key_has_an_answer_or_a_reason(key: Key) -> None:
    said = said_of(key.id)
    assert said, f"docs/wizard.md does not say what {key.id} is line by line"
    if said.startswith("not needed: "):
        assert len(said.split()) > 3
        return
    own = [step for step in LINEAR_STEPS if step.step.value == key.id.partition(".")[0]]
    named = [LINEAR_STEPS[int(number) - 1] for number in re.findall(r"steps? (\d)", said)]
    understood = ALWAYS | {answer.letter for step in own or named for answer in step.answers}
    typed = re.findall(r"`([^`]+)`", said.partition(", then")[0]) or [said]
    unknown = {words.split()[0] for words in typed} - understood
    assert not unknown, f"{unknown} are no answers for {key.id}"


def test_no_row_is_of_a_key_that_is_gone() -> None:
    ids = {key.id for key in KEYMAP} | {f"{key.id.partition('.')[0]}.*" for key in KEYMAP}
    assert set(rows()) <= ids
