"""`help` and `completion`: print what the parsers say, and what completes a command line.

A shell's script asks the program at each Tab, with _MELLEAFY_TUI_COMPLETE set and the words up to the cursor: all
shells complete alike, and no script grows old. shtab (1.13) isn't used: it completes a command only as the first word,
and after a workspace its scripts for fish and zsh complete neither paths nor options.
"""

import argparse
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from melleafy_tui.cli.argument_table import (
    COMMANDS_BY_NAME,
    CONVERT,
    arguments_of,
    command_position,
    parser_of,
)
from melleafy_tui.cli.console import Console
from melleafy_tui.core.models.vocabulary import HYBRID, UNKNOWN_RUNTIME, Runtime
from melleafy_tui.core.package.backends import BACKENDS

_VALUES: Final[dict[str, tuple[str, ...]]] = {
    "--dependencies": ("ask", "auto", "config:", "strict"),
    "--source-runtime": (*Runtime, HYBRID, UNKNOWN_RUNTIME),
    "--contributing-runtimes": tuple(Runtime),
    "--backend": BACKENDS,
}
"""Values that the parsers leave to others to check."""

_PATHS: Final = {
    **dict.fromkeys(("FILE", "FILE[:LINE[-LINE]]", "WORKSPACE", "SOURCE", "OLD", "NEW"), "files"),
    **dict.fromkeys(("DIR", "FOLDER", "PACKAGE", "TARGET", "STATE_DIR"), "folders"),
}
"""What a value's name in the help says of it; a workspace can be named by its main file."""


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Print the script for one shell."""
    script = Path(__file__).with_name(f"completion.{arguments.shell}").read_text(encoding="utf-8")
    console.lines(script.rstrip("\n"), always=True)
    return 0


def show_help(arguments: argparse.Namespace, console: Console) -> int:
    """Print the help for one command, or for the program."""
    parser = parser_of(COMMANDS_BY_NAME[arguments.name or CONVERT])
    console.lines(parser.format_help().rstrip("\n"), always=True)
    return 0


def completions(words: Sequence[str]) -> list[str]:
    """Return what may stand in the place of the last word, a line each: the word, a tab, and what it does.

    A line without a word stands for paths: it has `files` or `folders` behind the tab.

    Args:
        words: What follows the program's name, up to the cursor; bash has `=` as a word of its own.
    """
    before = [word for word in words[:-1] if word != "="]
    current = words[-1] if words and words[-1] != "=" else ""
    found = _offered(before, current)
    return [line for line in found if line.startswith(current) or line.endswith(("\tfiles", "\tfolders"))]


def _offered(before: list[str], current: str) -> Iterator[str]:
    position = command_position(before)
    command = COMMANDS_BY_NAME[CONVERT if position is None else before.pop(position)]
    actions = arguments_of(command)
    by_flag = {flag: each for each in actions for flag in each.option_strings}
    flag, equals, _ = current.partition("=")
    if equals and flag in by_flag:
        yield from (f"{flag}={line}" for line in _of_value(by_flag[flag]))
    elif before and before[-1] in by_flag and by_flag[before[-1]].nargs != 0:
        yield from _of_value(by_flag[before[-1]])
    elif current.startswith("-"):
        for each in actions:
            yield from (f"{name}\t{_about(each)}" for name in each.option_strings if name.startswith("--"))
    else:
        typed = [word for place, word in enumerate(before) if not _is_option(before, place, by_flag)]
        if command.name == CONVERT and not typed and position is None:
            yield from (f"{each.name}\t{each.help}" for each in COMMANDS_BY_NAME.values())
        positional = [each for each in actions if not each.option_strings][len(typed) :]
        yield from _of_value(positional[0]) if positional else ()


def _is_option(words: Sequence[str], place: int, by_flag: dict[str, argparse.Action]) -> bool:
    """Return whether a word is an option, or the value of one."""
    before = by_flag.get(words[place - 1]) if place else None
    return words[place].startswith("-") or (before is not None and before.nargs != 0)


def _of_value(action: argparse.Action) -> Iterator[str]:
    flags = action.option_strings
    values = tuple(map(str, action.choices or ())) or _VALUES.get(flags[-1] if flags else "", ())
    yield from (f"{value}\t" for value in values)
    if not values and action.metavar in _PATHS:
        yield f"\t{_PATHS[str(action.metavar)]}"


def _about(action: argparse.Action) -> str:
    return re.sub(r"[:;]? ?%\(choices\)s", "", action.help or "")
