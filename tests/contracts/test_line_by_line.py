"""Whatever a key of the wizard does can be done line by line too: the table in docs/wizard.md has a row for each."""

import re
from typing import Final

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


def test_each_key_has_an_answer_or_a_reason() -> None:
    known = rows()
    wrong = [fault for key in KEYMAP if (fault := fault_of(key, known))]
    assert wrong == []


def fault_of(key: Key, known: dict[str, str]) -> str:
    """Return what is wrong with the row of a key, or `""`."""
    said = known.get(key.id) or known.get(f"{key.id.partition('.')[0]}.*", "")
    if not said:
        return f"docs/wizard.md does not say what {key.id} is line by line"
    if said.startswith("not needed: "):
        return "" if len(said.split()) > 3 else f"no reason for {key.id}"
    own = [step for step in LINEAR_STEPS if step.step.value == key.id.partition(".")[0]]
    named = [LINEAR_STEPS[int(number) - 1] for number in re.findall(r"steps? (\d)", said)]
    understood = ALWAYS | {answer.letter for step in own or named for answer in step.answers}
    typed = re.findall(r"`([^`]+)`", said.partition(", then")[0]) or [said]
    unknown = {words.split()[0] for words in typed} - understood
    return f"{unknown} are no answers for {key.id}" if unknown else ""


def test_no_row_is_of_a_key_that_is_gone() -> None:
    ids = {key.id for key in KEYMAP} | {f"{key.id.partition('.')[0]}.*" for key in KEYMAP}
    assert set(rows()) <= ids
