"""Whatever a key of the wizard does can be done line by line too: by its letter, or as docs/wizard.md says."""

import re
from typing import Final

from melleafy_tui.actions.key_table import ALL, KEYMAP, Key, KeyTable
from melleafy_tui.actions.steps import STEPS, Step
from melleafy_tui.cli.linear.conversation import AT_EVERY_QUESTION, EVERYWHERE, NAVIGATION, answers_on
from melleafy_tui.cli.linear.typed_commands import commands_of
from tests.conftest import PROJECT

BOUND: Final = {
    *((name, ALL) for name in (*NAVIGATION, *AT_EVERY_QUESTION)),
    *((action.row, ALL) for action in EVERYWHERE),
    *((action.row, step.value) for step in STEPS for action in commands_of(step).actions),
}
"""Rows of the key table with the places where the plain-line mode has them."""


def section() -> str:
    page = (PROJECT / "docs" / "wizard.md").read_text(encoding="utf-8")
    return page.partition("## Line by line")[2].partition("\n## ")[0]


def rows() -> dict[str, str]:
    table = section().partition("| key of the wizard | line by line |")[2].partition("\n\n")[0]
    lines = [re.fullmatch(r"\| (.+?) \| (.+) \|", line) for line in table.strip().splitlines()[1:]]
    return {name: found[2] for found in lines if found for name in found[1].split(", ")}


def test_each_key_has_its_letter_another_answer_or_a_reason() -> None:
    known = rows()
    wrong = [fault for key in KEYMAP if (fault := fault_of(key, known))]
    assert wrong == []


def fault_of(key: Key, known: dict[str, str]) -> str:
    """Return what is wrong with a key, or `""`."""
    said = known.get(key.id) or known.get(f"{key.id.partition('.')[0]}.*", "")
    bound = all((key.id, place) in BOUND for place in key.where)
    if bound and key.letter:
        return f"docs/wizard.md has a row for {key.id}, which has its letter" if said else ""
    if not said:
        return f"docs/wizard.md does not say what {key.id} is line by line"
    if said.startswith("not needed: "):
        return "" if len(said.split()) > 3 else f"no reason for {key.id}"
    named = [STEPS[int(number) - 1] for number in re.findall(r"steps? (\d)", said)] or STEPS
    understood = {"Ctrl+C", *(row.letter for step in named for row in answers_on(step, KeyTable()))}
    typed = re.findall(r"`([^`]+)`", said) or [said]
    unknown = {words.split()[0] for words in typed} - understood
    return f"{unknown} are no answers for {key.id}" if unknown else ""


def test_no_row_is_of_a_key_that_is_gone() -> None:
    ids = {key.id for key in KEYMAP} | {f"{key.id.partition('.')[0]}.*" for key in KEYMAP}
    assert set(rows()) <= ids


def test_the_documentation_names_every_letter_that_no_key_has() -> None:
    table = section().partition("| step | answers |")[2].partition("\n\n")[0]
    named = {line.split("|")[1].strip(): line for line in table.strip().splitlines()[1:]}
    for step in (*STEPS, None):
        place = f"{STEPS.index(step) + 1} {step.value.title()}" if isinstance(step, Step) else "everywhere"
        actions = EVERYWHERE if step is None else commands_of(step).actions
        own = {action.letter for action in actions if action.letter}
        assert own == {typed.split()[0] for typed in re.findall(r"`([^`]+)`", named[place])}, place
