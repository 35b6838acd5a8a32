"""The table of keys: no key means two things on one screen, and each row does something that exists."""

from collections import Counter
from pathlib import Path

from melleafy_tui.actions.key_table import (
    ALL,
    CONFLICT_KEYS,
    DIALOG_KEYS,
    KEYMAP,
    LIST,
    REVIEW_KEYS,
    SEARCHING,
    TASKS,
    Key,
    KeyTable,
    task_of,
)
from melleafy_tui.actions.steps import STEPS
from melleafy_tui.screens import screen_of
from melleafy_tui.widgets.line_list import LineList
from melleafy_tui.wizard.app import WizardApp

SCREENS = {step.value: screen_of(step) for step in STEPS}


def test_each_row_has_an_id_of_its_own_a_label_and_one_sentence_of_help() -> None:
    assert [name for name, count in Counter(key.id for key in KEYMAP).items() if count > 1] == []
    assert [key.id for key in KEYMAP if not key.tooltip.endswith(".") or not key.label] == []


def test_no_key_means_two_things_on_one_screen() -> None:
    for screen in SCREENS:
        pressed = Counter(name for key in KeyTable().on(screen) for name in key.keys.split(","))
        assert [name for name, count in pressed.items() if count > 1] == [], screen


def test_no_key_means_two_things_in_a_search_or_a_dialog() -> None:
    lists = KeyTable().within(LIST)
    for context in (KeyTable().within(SEARCHING), DIALOG_KEYS, REVIEW_KEYS, (*CONFLICT_KEYS, *lists)):
        pressed = Counter(name for key in context for name in key.keys.split(","))
        assert [name for name, count in pressed.items() if count > 1] == []


def test_the_help_has_a_group_for_each_key_and_a_key_for_each_group() -> None:
    assert {task_of(key) for key in KEYMAP} == {title for title, _ in TASKS}


def owners(key: Key) -> list[type[object]]:
    """Return what must have the action of a key."""
    if ALL in key.where or key.action.startswith("app."):
        found: list[type[object]] = [WizardApp]
    elif SEARCHING in key.where:
        found = [*SCREENS.values()]
    else:
        found = [LineList] if LIST in key.where else []
    if not key.action.startswith("app."):
        found.extend(SCREENS[where] for where in key.where if where in SCREENS)
    return found


def test_the_action_of_a_key_exists_where_it_works() -> None:
    faults = [key.id for key in KEYMAP if not owners(key)]
    for key in KEYMAP:
        action = f"action_{key.action.partition('(')[0].removeprefix('app.')}"
        faults += [f"{key.id}: {each.__name__}" for each in owners(key) if not hasattr(each, action)]
    assert faults == []


def test_the_documentation_has_every_row_as_it_is() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "reference" / "keys.md").read_text(
        encoding="utf-8"
    )
    missing = [key.id for key in KEYMAP if f"| `{key.spelled}` | {key.id} | {key.tooltip} |" not in page]
    assert missing == []
