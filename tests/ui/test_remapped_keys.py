"""Other keys from the configuration file: checked against the table of keys, shown wherever a key is named."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from textual.keys import Keys

from melleafy_tui.actions.key_remapping import NAMED_KEYS, UNBINDABLE, key_name, spelled
from melleafy_tui.actions.key_table import KEYMAP, KeyTable
from melleafy_tui.actions.resolved_settings import read_config
from melleafy_tui.cli.main import main
from melleafy_tui.core.errors import UsageError
from melleafy_tui.widgets.dialogs import HelpDialog
from melleafy_tui.widgets.footer import RowFooter
from melleafy_tui.widgets.styled_text import StyledText
from melleafy_tui.wizard.app import WizardApp
from tests.ui.conftest import keys, open_session, settled, shown, wait_for

Configure = Callable[[str], KeyTable]


@pytest.fixture
def config(own_world: Path) -> Path:
    place = own_world / ".config" / "melleafy-tui" / "config.toml"
    place.parent.mkdir(parents=True)
    return place


@pytest.fixture
def configure(config: Path) -> Configure:
    def call(text: str) -> KeyTable:
        config.write_text(text, encoding="utf-8")
        table = read_config(config)["keys"]
        assert isinstance(table, KeyTable)
        return table

    return call


def keys_of(table: KeyTable, name: str) -> str:
    return next(key.keys for key in table.rows if key.id == name)


# --- reading ----------------------------------------------------------------------------------


def test_every_form_of_toml_is_understood(configure: Configure) -> None:
    forms = (
        '[keys]\n"step.next" = "N"\n',
        '[keys]\nstep.next = "N"\n',
        '[keys.step]\nnext = "N"\n',
        'keys = { "step.next" = "N" }\n',
    )
    assert [keys_of(configure(text), "step.next") for text in forms] == ["N"] * len(forms)


def test_a_key_is_written_as_people_read_it() -> None:
    for written, name, read in (
        ("N", "N", "N"),
        ("?", "question_mark", "?"),
        ("+", "plus", "+"),
        ("/", "slash", "/"),
        ("ctrl+n", "ctrl+n", "^n"),
        ("f7", "f7", "f7"),
        ("shift+up", "shift+up", "shift+up"),
        ("ctrl+@", "ctrl+at", "^@"),
        ("comma", "comma", ","),
        ("é", "é", "é"),
    ):
        assert (key_name(written), spelled(name)) == (name, read)


def test_each_named_key_is_one_of_textual_s() -> None:
    assert set(NAMED_KEYS) - {key.value for key in Keys} <= {"space"}


def test_several_keys_for_one_action(configure: Configure) -> None:
    table = configure('[keys]\n"list.down" = "down, ctrl+n"\n')
    assert keys_of(table, "list.down") == "down,ctrl+n"
    assert table.spelled("list.down") == "down ^n"


def test_two_actions_may_change_places(configure: Configure) -> None:
    table = configure('[keys]\n"step.next" = "p"\n"step.previous" = "n"\n')
    assert (keys_of(table, "step.next"), keys_of(table, "step.previous")) == ("p", "n")


def test_one_key_may_mean_two_things_in_two_places(configure: Configure) -> None:
    configure('[keys]\n"decide.stub" = "Y"\n"write.smoke" = "Y"\n')


# --- refusing ---------------------------------------------------------------------------------


FAULTS = (
    ('\n[keys]\n"step.nxt" = "N"\n', 3, "no action 'step.nxt'"),
    (
        '[keys]\n# mine\n"step.next" = "b"\n',
        3,
        "would mean step.next and decide.bundle on the step decide",
    ),
    ('[keys]\n"list.down" = "n"\n', 2, "would mean list.down and step.next"),
    (
        '[keys]\nstep.next = "Z"\ndecide.mark = "Z"\n',
        2,
        "would mean step.next and decide.mark on the step decide",
    ),
    ('[keys]\n"step.next" = "escape"\n', 2, "would mean step.next and search.clear"),
    ('[keys]\n"step.next" = "hyper+n"\n', 2, "no key 'hyper+n'"),
    ('[keys]\n"step.next" = "nn"\n', 2, "no key 'nn'"),
    ('[keys]\n"step.next" = ""\n', 2, "must be written as a string"),
    ('[keys]\n"step.next" = 5\n', 2, "must be written as a string"),
    ("[keys.step]\nnext = [ 5 ]\n", 2, "must be written as a string"),
    ('model_id = "m"\nkeys = "n"\n', 2, "must be a table"),
    *((f'[keys]\n"step.next" = "{key}"\n', 2, "cannot be bound") for key in UNBINDABLE),
)


def test_a_fault_names_file_and_line(config: Path) -> None:
    for text, line, words in FAULTS:
        config.write_text(text, encoding="utf-8")
        with pytest.raises(UsageError) as caught:
            read_config(config)
        assert words in caught.value.message, text
        assert caught.value.location == f"{config}:{line}", text
        assert caught.value.hint, text


def test_a_slip_gets_a_suggestion(config: Path) -> None:
    config.write_text('[keys]\n"step.nxt" = "N"\n', encoding="utf-8")
    with pytest.raises(UsageError) as caught:
        read_config(config)
    assert "Did you mean step.next?" in caught.value.hint


def test_every_action_of_the_table_can_be_given_another_key(configure: Configure) -> None:
    kept = [key.id for key in KEYMAP if keys_of(configure(f'[keys]\n"{key.id}" = "f9"\n'), key.id) != "f9"]
    assert kept == []


def test_a_command_refuses_the_file_with_its_line(
    config: Path, workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config.write_text('[keys]\n"step.next" = "ctrl+m"\n', encoding="utf-8")
    assert main(["detect", str(workspace)]) == 2
    assert f"{config}:2: The key ctrl+m cannot be bound" in capsys.readouterr().err


def test_show_settings_names_them(config: Path, workspace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config.write_text('[keys]\n"step.next" = "N"\n', encoding="utf-8")
    assert main([str(workspace), "--show-settings", "--json"]) == 0
    settings = json.loads(capsys.readouterr().out)["settings"]
    assert {"name": "keys.step.next", "value": "N", "source": str(config)} in settings
    assert not [item for item in settings if item["name"] == "keys.step.previous"]


# --- in the wizard ----------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.usefixtures("still_packages")
async def test_the_new_key_works_the_old_one_does_not_and_every_place_shows_it(
    workspace: Path, configure: Configure
) -> None:
    table = configure('[keys]\n"step.next" = "N"\n"decide.remove" = "f9"\n"list.down" = "ctrl+n"\n')
    app = WizardApp(open_session(workspace, keys=table))
    async with app.run_test(size=(160, 48)) as pilot:
        await keys(pilot, "n")
        assert app.step_screen.STEP.value == "detect"
        await keys(pilot, "N")
        await wait_for(pilot, lambda: app.step_screen.STEP.value == "inventory", "the next step")
        footer = {key.spelled for key in app.screen.query_one(RowFooter).keys}
        assert "N" in footer
        assert "n" not in footer
        titles = [command.title for command in app.get_system_commands(app.step_screen)]
        assert "Next  (N)" in titles
        assert "remove  (f9)" not in titles

        await keys(pilot, "3")
        await wait_for(pilot, lambda: app.step_screen.STEP.value == "decide", "step 3")
        titles = [command.title for command in app.get_system_commands(app.step_screen)]
        assert "remove  (f9)" in titles
        before = app.screen.query_one("#entries").cursor  # type: ignore[attr-defined]
        await keys(pilot, "ctrl+n")
        assert app.screen.query_one("#entries").cursor == before + 1  # type: ignore[attr-defined]
        await keys(pilot, "x")
        assert app.session.figures.overrides == 0
        await keys(pilot, "f9")
        await wait_for(pilot, lambda: app.session.figures.overrides > 0, "the override")

        await keys(pilot, "question_mark")
        await shown(pilot, HelpDialog)
        help_keys = {key.id: key.spelled for key in app.session.keys.on("decide")}
        assert help_keys["step.next"] == "N"
        picture = app.export_screenshot()
        assert "f9" in picture


@pytest.mark.usefixtures("still_packages")
async def test_the_notice_of_a_tiny_terminal_names_the_key_that_leaves(
    configure: Configure, workspace: Path
) -> None:
    app = WizardApp(open_session(workspace, keys=configure('[keys]\n"app.quit" = "ctrl+w"\n')))
    async with app.run_test(size=(20, 5)) as pilot:
        await settled(pilot, "the first step is shown")
        assert "^w leaves" in str(app.screen.query_one("#too-small", StyledText).content)
        await keys(pilot, "ctrl+w")
        assert app.return_code == 0
