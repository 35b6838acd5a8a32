"""`help` and `completion`: print what the parsers say, and a shell script that completes it.

shtab (1.13) isn't used: it completes a command only as the first word, and after a workspace its scripts for
fish and zsh complete neither paths nor options.
"""

import argparse
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from msgspec import Struct

from melleafy_tui.cli.argument_table import (
    COMMANDS,
    COMMANDS_BY_NAME,
    CONVERT,
    PROGRAM,
    Command,
    arguments_of,
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

FILES, FOLDERS = "files", "folders"
_PATHS: Final = {
    **dict.fromkeys(("FILE", "FILE[:LINE[-LINE]]", "WORKSPACE", "SOURCE", "OLD", "NEW"), FILES),
    **dict.fromkeys(("DIR", "FOLDER", "PACKAGE", "TARGET", "STATE_DIR"), FOLDERS),
}
"""What a value's name in the help says of it; a workspace can be named by its main file."""

_SEEN: Final = {
    command.name: f"'__fish_seen_subcommand_from {command.name}'"
    for command in COMMANDS
    if command.name != CONVERT
}


class Argument(Struct, frozen=True):
    """An argument as shells complete it.

    Attributes:
        flags: Its option strings, the long one last; none for a positional.
        name: Its value's name, `""` for none.
        about: What it does.
        values: The values it can have, if they are known.
        repeated: Whether it can be given again.
    """

    flags: tuple[str, ...]
    name: str
    about: str
    values: tuple[str, ...]
    repeated: bool

    @property
    def paths(self) -> str:
        """Return whether its values are files or folders, or `""`."""
        return "" if self.values else _PATHS.get(self.name, "")


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Print the script for one shell."""
    console.lines(SCRIPTS[arguments.shell]().rstrip("\n"), always=True)
    return 0


def completed_arguments(command: Command) -> tuple[Argument, ...]:
    """Return the arguments of a command, positionals first."""
    found = [_argument(action) for action in arguments_of(command)]
    return tuple(sorted(found, key=lambda argument: bool(argument.flags)))


def _argument(action: argparse.Action) -> Argument:
    flags = tuple(action.option_strings)
    choices = tuple(map(str, action.choices or ())) or _VALUES.get(flags[-1] if flags else "", ())
    name = "" if flags and action.nargs == 0 else str(action.metavar or "")
    about = re.sub(r"[:;]? ?%\(choices\)s", "", action.help or "")
    return Argument(flags, name, about, choices, isinstance(action, argparse._AppendAction))


def show_help(arguments: argparse.Namespace, console: Console) -> int:
    """Print the help for one command, or for the program."""
    console.lines(
        parser_of(COMMANDS_BY_NAME[arguments.name or CONVERT]).format_help().rstrip("\n"), always=True
    )
    return 0


def _script(shell: str, **parts: str) -> str:
    """Return the script for a shell, `completion.NAME`, with what stands there as `@PART@` filled in."""
    names = [command.name for command in COMMANDS]
    parts |= {"PROGRAM": PROGRAM, "CONVERT": CONVERT, "NAMES": " ".join(names), "NAMES_OR": "|".join(names)}
    script = Path(__file__).with_name(f"completion.{shell}").read_text(encoding="utf-8")
    return re.sub(r"@([A-Z_]+)@", lambda part: parts[part[1]], script)


# --- bash -------------------------------------------------------------------------------------


def bash() -> str:
    """Return the script for bash."""
    return _script("bash", COMMANDS="\n".join(map(_bash_command, COMMANDS)))


def _bash_command(command: Command) -> str:
    arguments = completed_arguments(command)
    flags = " ".join(flag for each in arguments for flag in each.flags if flag.startswith("--"))
    positional = [each for each in arguments if not each.flags]
    words = " ".join(value for each in positional for value in each.values)
    paths = next((each.paths for each in reversed(positional) if each.paths), "")
    own = f' words="{words}"' if words else ""
    cases = "".join(
        f'        {"|".join(each.flags)}) words="{" ".join(each.values)}" paths="{each.paths}" flags="" ;;\n'
        for each in arguments
        if each.flags and each.name
    )
    return (
        f'    {command.name})\n      flags="{flags}"{own} paths="{paths}"\n'
        f'      case "$previous" in\n{cases}      esac ;;'
    )


# --- zsh --------------------------------------------------------------------------------------


def zsh() -> str:
    """Return the script for zsh."""
    listed = "\n".join(f"    {_quoted(f'{each.name}:{each.help}')}" for each in COMMANDS)
    return _script("zsh", LISTED=listed, COMMANDS="\n".join(map(_zsh_command, COMMANDS)))


def _zsh_command(command: Command) -> str:
    lines = [f"    {command.name})", "      _arguments -s -S \\"]
    number = 0
    for argument in completed_arguments(command):
        if not argument.flags:
            number += 1
            first = command.name == CONVERT and number == 1
            does = "_melleafy_tui_first" if first else _zsh_values(argument)
            lines.append(f"        {_quoted(f'{number}:{_zsh_text(argument.name)}:{does}')} \\")
        else:
            lines.append(f"        {_zsh_option(argument)} \\")
    return "\n".join([*lines[:-1], lines[-1].removesuffix(" \\") + " ;;"])


def _zsh_option(argument: Argument) -> str:
    about = f"[{_zsh_text(argument.about)}]"
    value = f":{_zsh_text(argument.name)}:{_zsh_values(argument)}" if argument.name else ""
    flags = [_zsh_flag(flag, takes_value=bool(value)) for flag in argument.flags]
    if argument.repeated:
        return " ".join(_quoted(f"*{flag}{about}{value}") for flag in flags)
    without = f"({' '.join(argument.flags)})"
    together = f"{{{','.join(flags)}}}" if len(flags) > 1 else flags[0]
    return f"'{without}'{together}{_quoted(about + value)}"


def _zsh_flag(flag: str, *, takes_value: bool) -> str:
    if not takes_value:
        return flag
    return f"{flag}=" if flag.startswith("--") else f"{flag}+"


def _zsh_values(argument: Argument) -> str:
    if argument.values:
        return f"({' '.join(value.replace(':', chr(92) + ':') for value in argument.values)})"
    return {FILES: "_files", FOLDERS: "_files -/"}.get(argument.paths, " ")


def _zsh_text(text: str) -> str:
    return re.sub(r"([\[\]:\\])", r"\\\1", text)


# --- fish -------------------------------------------------------------------------------------


def fish() -> str:
    """Return the script for fish."""
    names = " ".join(_SEEN)
    unnamed = f"'not __fish_seen_subcommand_from {names}'"
    lines = [f"# fish completion of {PROGRAM}; save it as ~/.config/fish/completions/{PROGRAM}.fish"]
    for command in COMMANDS:
        about = _quoted(command.help)
        lines.append(f"complete -c {PROGRAM} -n __fish_use_subcommand -a {command.name} -d {about}")
    for command in COMMANDS:
        seen = _SEEN.get(command.name, unnamed)
        for argument in completed_arguments(command):
            lines += _fish_argument(argument, seen)
    return "\n".join(lines) + "\n"


def _fish_argument(argument: Argument, seen: str) -> Iterator[str]:
    start = f"complete -c {PROGRAM} -n {seen}"
    values = _quoted(" ".join(argument.values))
    if argument.paths == FOLDERS:
        values = "'(__fish_complete_directories)'"
    offered = f" -a {values}" if argument.values or argument.paths == FOLDERS else ""
    if not argument.flags:
        if offered:
            yield f"{start} -f{offered}"
        return
    names = "".join(f" -l {flag[2:]}" if flag[:2] == "--" else f" -s {flag[1:]}" for flag in argument.flags)
    value = ""
    if argument.name:
        value = f" -x{offered}" if argument.paths != FILES else " -r -F"
    yield f"{start}{names}{value} -d {_quoted(argument.about)}"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


SCRIPTS: Final[dict[str, Callable[[], str]]] = {"bash": bash, "zsh": zsh, "fish": fish}
