"""The table of keys: no key means two things on one screen, and each row does something that exists."""

import re
from collections import Counter
from pathlib import Path

import pytest

from melleafy_tui.app import WizardApp
from melleafy_tui.keymap import ALL, KEYMAP, LIST, Key
from melleafy_tui.keys.table import KeyTable
from melleafy_tui.screens import screen_of
from melleafy_tui.widgets.line_list import LineList
from melleafy_tui.wizard_steps import STEPS

SCREENS = {step.value: screen_of(step) for step in STEPS}


def test_each_row_has_an_id_of_its_own() -> None:
    assert [name for name, count in Counter(key.id for key in KEYMAP).items() if count > 1] == []


@pytest.mark.parametrize("screen", [step.value for step in STEPS])
def test_no_key_means_two_things_on_one_screen(screen: str) -> None:
    pressed = Counter(name for key in KeyTable().on(screen) for name in key.keys.split(","))
    assert [name for name, count in pressed.items() if count > 1] == []


@pytest.mark.parametrize("key", KEYMAP, ids=lambda key: key.id)
def test_the_action_of_a_key_exists_where_it_works(key: Key) -> None:
    name = re.split(r"\(", key.action)[0]
    owners: list[type[object]] = []
    if ALL in key.where or name.startswith("app."):
        owners.append(WizardApp)
    elif LIST in key.where:
        owners.append(LineList)
    owners.extend(SCREENS[where] for where in key.where if where in SCREENS and not name.startswith("app."))
    assert owners
    for owner in owners:
        assert hasattr(owner, f"action_{name.removeprefix('app.')}"), f"{owner.__name__} has no {name}"


@pytest.mark.parametrize("key", KEYMAP, ids=lambda key: key.id)
def test_help_says_what_a_key_does_in_one_sentence(key: Key) -> None:
    assert key.tooltip.endswith(".")
    assert key.label


@pytest.mark.parametrize("key", KEYMAP, ids=lambda key: key.id)
def test_the_documentation_has_the_row_as_it_is(key: Key) -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "wizard.md").read_text(encoding="utf-8")
    assert f"| `{key.spelled}` | {key.id} | {key.tooltip} |" in page
