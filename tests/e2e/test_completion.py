"""Completion in bash, zsh and fish: each shell runs its script, and completes the same lines to the same words."""

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pexpect
import pytest

from melleafy_tui.cli.argument_table import COMMANDS, arguments_of
from melleafy_tui.cli.commands import completion
from melleafy_tui.cli.commands.completion import completions

COMPLETED = {
    "det": {"detect"},
    "conv": {"convert"},
    "expl": {"explain"},
    "dif": {"diff"},
    "help mat": {"materialize"},
    "help exp": {"explain", "export"},
    "completion z": {"zsh"},
    "schema dec": {"decisions"},
    "schema decisions --bes": {"--beside"},
    "plan ws --wi": {"--wide"},
    "convert --all ws --sh": {"--show-settings"},
    "./ws --for": {"--force"},
    "detect ws --for": set[str](),
    "preview ws --dif": {"--diff"},
    "ws --modality h": {"heartbeat"},
    "ws --dependencies st": {"strict"},
    "ws --source-runtime claude": {"claude_code"},
    "ws --backend wat": {"watsonx"},
    "diff a b --format m": {"markdown"},
    "history st --session ma": set[str](),
    "context ws --session ma": {"main"},
    "my-a": {"my-agent"},
    "plan my-": {"my-agent", "my-notes.md"},
    "smoke my-": {"my-agent"},
    "explain my-agent my-n": {"my-notes.md"},
    "diff my-agent my-a": {"my-agent"},
    "plan ws --save my-n": {"my-notes.md"},
    "ws --out my-": {"my-agent"},
}
"""What is typed after the program's name, and every word that completes it."""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    folder = tmp_path / "place"
    (folder / "my-agent").mkdir(parents=True)
    (folder / "my-notes.md").write_text("")
    return folder


def script(shell: str) -> Path:
    return Path(completion.__file__).with_name(f"completion.{shell}")


def in_bash(line: str, folder: Path) -> set[str]:
    words = ["melleafy-tui", *line.split()]
    code = (
        f"source {script('bash')}; COMP_WORDS=({shlex.join(words)}); COMP_CWORD={len(words) - 1}; "
        '_melleafy_tui; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    return set(output(["bash", "-c", code], folder))


def in_fish(line: str, folder: Path) -> set[str]:
    code = f"source {script('fish')}; complete -C {shlex.quote(f'melleafy-tui {line}')}"
    return {
        found.partition("\t")[0].rstrip("/") for found in output(["fish", "--no-config", "-c", code], folder)
    }


def output(command: list[str], folder: Path) -> list[str]:
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60, cwd=folder)
    return done.stdout.splitlines()


SHELLS = ("bash", "zsh", "fish")
INSTALLED = {shell for shell in SHELLS if shutil.which(shell)}


@pytest.mark.parametrize(("shell", "complete"), [("bash", in_bash), ("fish", in_fish)])
def test_lines_are_completed(shell: str, complete: Callable[[str, Path], set[str]], place: Path) -> None:
    if shell not in INSTALLED:
        pytest.skip(f"{shell} is not installed here")
    found = {line: complete(line, place) - {""} for line in COMPLETED}
    wrong = {line: (words, COMPLETED[line]) for line, words in found.items() if words != COMPLETED[line]}
    assert wrong == {}


def test_zsh_completes_lines(place: Path) -> None:
    """Type each line and Tab; a line with one completion is completed, with none or several it stays or is begun."""
    if "zsh" not in INSTALLED:
        pytest.skip("zsh is not installed here")
    shell = pexpect.spawn(
        "zsh", ["-f", "-i"], cwd=str(place), encoding="utf-8", dimensions=(50, 200), timeout=60
    )
    shell.sendline(
        "unsetopt zle_bracketed_paste; PS1='ready> '; autoload -U compinit; compinit -u -D; setopt no_list_beep; "
        f"unsetopt auto_list auto_menu; source {script('zsh')}; print begun"
    )
    shell.expect("\nbegun\r")
    wrong = {}
    for line, words in COMPLETED.items():
        shell.send(f"melleafy-tui {line}\t\x01print -r -- '<\x05'\r")
        shell.expect(r"\n<melleafy-tui ([^\r]*)\r")
        typed = shell.match.group(1).rstrip("/ ") if shell.match else ""
        before = line.rpartition(" ")[0]
        expected = {f"{before} {word}".strip() for word in words}
        if (len(words) == 1 and typed not in expected) or (len(words) != 1 and not typed.startswith(line)):
            wrong[line] = typed
        if not words and typed != line:
            wrong[line] = typed
    shell.close(force=True)
    assert wrong == {}


def test_bash_completes_values_behind_an_equals_sign(place: Path) -> None:
    assert in_bash("ws --modality = h", place) == {"heartbeat"}
    assert in_bash("plan ws --save =", place) >= {"my-agent", "my-notes.md"}


@pytest.mark.parametrize("shell", SHELLS)
def test_a_script_is_accepted(shell: str) -> None:
    if shell in INSTALLED:
        subprocess.run([shell, "-n", str(script(shell))], check=True, timeout=30)


def test_every_option_of_every_command_is_offered() -> None:
    for command in COMMANDS:
        offered = {line.partition("\t")[0] for line in completions([command.name, "-"])}
        assert offered == {
            flag for each in arguments_of(command) for flag in each.option_strings if flag.startswith("--")
        }
