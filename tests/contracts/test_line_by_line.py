"""Whatever a key of the wizard does can be done line by line too: by a command, or as docs/wizard.md says."""

import re

from melleafy_tui.actions.key_table import KEYMAP, REVIEW_KEYS
from melleafy_tui.cli.linear.conversation import COMMANDS, find
from tests.conftest import PROJECT


def rows() -> dict[str, str]:
    """What the page says of keys without a command, by key."""
    page = (PROJECT / "docs" / "wizard.md").read_text(encoding="utf-8")
    section = page.partition("## Line by line")[2].partition("\n## ")[0]
    table = section.partition("| key of the wizard | line by line |")[2].partition("\n\n")[0]
    lines = [re.fullmatch(r"\| (.+?) \| (.+) \|", line) for line in table.strip().splitlines()[1:]]
    return {name: found[2] for found in lines if found for name in found[1].split(", ")}


def test_each_key_has_a_command_or_a_row_that_says_what_stands_for_it() -> None:
    known = rows()
    bound = {command.row for command in COMMANDS}
    without = [key.id for key in KEYMAP if key.id not in bound]
    said = {name: known.get(name) or known.get(f"{name.partition('.')[0]}.*", "") for name in without}
    assert [name for name, words in said.items() if not words] == []
    unknown = {
        words
        for words in said.values()
        if not words.startswith("not needed: ")
        and not find(COMMANDS, words.partition("`")[2].partition("`")[0])
    }
    assert unknown == set()


def test_no_row_is_of_a_key_that_is_gone_or_has_a_command() -> None:
    ids = {key.id for key in KEYMAP} - {command.row for command in COMMANDS}
    assert set(rows()) <= ids | {f"{name.partition('.')[0]}.*" for name in ids}


def test_each_command_names_a_key_of_the_wizard_and_a_function() -> None:
    ids = {key.id for key in (*KEYMAP, *REVIEW_KEYS)}
    assert [command.word for command in COMMANDS if command.row and command.row not in ids] == []
    assert [command.word for command in COMMANDS if not callable(command.function)] == []
