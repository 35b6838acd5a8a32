"""Makes the argparse parser of every command from `command_line.toml`; options are declared nowhere else.

It imports next to nothing and keeps its rows in named tuples, so that `--help` and `--version` stay fast.
"""

import argparse
import os
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Final, NamedTuple, NoReturn

from melleafy_tui.core.errors import UsageError, did_you_mean
from melleafy_tui.core.tables import table_beside
from melleafy_tui.version import __version__

PROGRAM: Final = "melleafy-tui"
CONVERT: Final = "convert"
"""The command that runs when none is named: `melleafy-tui WORKSPACE`."""


_TABLE: Final = table_beside(__file__, "command_line.toml")
_OPTIONS: Final[Mapping[str, Mapping[str, Any]]] = _TABLE["option"]
_ARGUMENTS: Final[Mapping[str, Mapping[str, Any]]] = _TABLE["argument"]
_GROUPS: Final[Mapping[str, Sequence[str]]] = _TABLE["group"]

EXITS: Final[str] = _TABLE["exits"]
HOSTS: Final = tuple(_OPTIONS["host"]["choices"])
"""What `export` writes for; the first is the way back to a workspace."""


class Example(NamedTuple):
    """One example of a command: the command line without the program's name, and what it does."""

    words: str
    about: str


class Command(NamedTuple):
    """One command; the table says what its fields mean."""

    name: str
    help: str
    module: str
    examples: tuple[Example, ...]
    arguments: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    conversion: tuple[str, ...] = ()
    json: bool = True
    tables: bool = False
    reads: bool = True


def _command(name: str, row: Mapping[str, Any]) -> Command:
    examples = tuple(Example(*example) for example in row["examples"])
    return Command(**{"name": name, "module": name, **row, "examples": examples})


COMMANDS: Final = tuple(_command(name, row) for name, row in _TABLE["command"].items())
COMMANDS_BY_NAME: Final = {command.name: command for command in COMMANDS}
NAMED_COMMANDS: Final = tuple(command for command in COMMANDS if command.name != CONVERT)


class _Parser(argparse.ArgumentParser):
    def __init__(self, command: Command) -> None:
        prog = PROGRAM if command.name == CONVERT else f"{PROGRAM} {command.name}"
        plain = partial(argparse.HelpFormatter, width=80)  # one without a width imports shutil
        super().__init__(prog=prog, allow_abbrev=False, add_help=False, formatter_class=plain)
        self._positionals.title = "arguments"
        self.color = False  # Python 3.14 would colour the help, and `help` prints no control characters
        self._command = command

    def error(self, message: str) -> NoReturn:
        """Raise the error instead of printing it: only the main function prints."""
        raise UsageError(message[:1].upper() + message[1:], hint=f"See `{self.prog} --help`.")

    def format_help(self) -> str:
        """Return the help: the examples, then how the command is used."""
        from melleafy_tui.cli.help_format import HelpFormatter, columns, examples_text, filled

        self.formatter_class = HelpFormatter
        self.usage = filled(self._usage(), " " * len("usage: ")).lstrip()
        about = self._command.help
        self.description = filled(f"{about[:1].upper()}{about[1:]}.")
        if self._command.name == CONVERT:
            listed = columns([(command.name, command.help) for command in NAMED_COMMANDS])
            self.description = f"commands:\n{listed}\n\n{filled(_TABLE['about'])}"
        self.epilog = filled(EXITS)
        return f"{examples_text(PROGRAM, self._command.examples)}\n{super().format_help()}"

    def _usage(self) -> str:
        """Return the command with its arguments, but without its options."""
        shown = [
            f"[{each.metavar}]" if each.nargs == "?" else str(each.metavar)
            for each in self._actions
            if not each.option_strings
        ]
        optional = ["[COMMAND]"] if self._command.name == CONVERT else []
        return " ".join([self.prog, *optional, *shown, "[options]"])

    def _check_value(self, action: argparse.Action, value: object) -> None:
        if action.choices is None or value in action.choices:
            return
        known = [str(choice) for choice in action.choices]
        meant = did_you_mean(str(value), known)
        name = action.option_strings[-1] if action.option_strings else action.metavar
        raise UsageError(
            f"{name} is {value!r}, which is not one of {', '.join(known)}",
            hint=f"{meant} See `{self.prog} --help`.".lstrip(),
        )


# --- from a row of the table to an argument --------------------------------------------------------


def _written_file(text: str) -> str:
    if text == "-":
        raise argparse.ArgumentTypeError("- is standard input, which can't be written; name a file")
    return text


_KINDS: Final[Mapping[str, Callable[[str], object]]] = {"written file": _written_file}


def _add_options(group: argparse._ActionsContainer, names: Iterable[str]) -> None:
    for name in names:
        row = _OPTIONS[name]
        flag = row.get("flag", name)
        flags = [row["short"]] if "short" in row else []
        given: dict[str, Any] = {"help": row["help"], "dest": row.get("dest", flag.replace("-", "_"))}
        if "value" not in row:
            given |= {"action": "store_true", "default": None if row.get("unset") else False}
        else:
            given |= _value(row) | {"action": "append" if row.get("repeated") else "store"}
        group.add_argument(*flags, f"--{flag}", **given)


def _add_arguments(parser: argparse.ArgumentParser, command: Command) -> None:
    for name in command.arguments:
        row = _ARGUMENTS[name]
        given = _value(row) | {"help": row["help"], "nargs": "?" if row.get("optional") else None}
        if row["value"] == "COMMAND":
            given["choices"] = tuple(COMMANDS_BY_NAME)
        parser.add_argument(row.get("dest", name), **given)


def _value(row: Mapping[str, Any]) -> dict[str, Any]:
    kind = _KINDS[row["kind"]] if "kind" in row else None
    return {
        "metavar": row["value"],
        "choices": row.get("choices"),
        "default": row.get("default"),
        "type": kind,
    }


def _add_conversion(parser: argparse.ArgumentParser, command: Command) -> None:
    for name in command.conversion:
        _add_options(parser.add_argument_group(name), _GROUPS[name])


def _add_display_options(parser: argparse.ArgumentParser, command: Command) -> None:
    group = parser.add_argument_group("display")
    _add_options(group, ["json"] * command.json + ["wide"] * command.tables)
    loudness = group.add_mutually_exclusive_group()
    _add_options(loudness, ["verbose"] * command.reads + ["quiet"])
    _add_options(group, ["no-color", "debug"])
    add = parser.add_argument_group("help").add_argument
    add("-h", "--help", action="help", help="show this help and stop")
    about = "show the version and stop"
    add("-V", "--version", action="version", version=f"{PROGRAM} {__version__}", help=about)


# --- parsing ----------------------------------------------------------------------------------


def parser_of(command: Command) -> argparse.ArgumentParser:
    """Return the parser of one command."""
    parser = _Parser(command)
    _add_arguments(parser, command)
    if command.options:
        _add_options(parser.add_argument_group("options"), command.options)
    for name in command.groups:
        _add_options(parser.add_argument_group(name), _GROUPS[name])
    _add_conversion(parser, command)
    _add_display_options(parser, command)
    return parser


def arguments_of(command: Command) -> tuple[argparse.Action, ...]:
    """Return every argument of a command; positional arguments have no option strings."""
    return tuple(parser_of(command)._actions)


def conversion_options(command: Command) -> tuple[argparse.Action, ...]:
    """Return the conversion options that a command takes."""
    parser = argparse.ArgumentParser(add_help=False)
    _add_conversion(parser, command)
    return tuple(parser._actions)


def conversion_words(arguments: argparse.Namespace, *, without: Container[str] = ()) -> list[str]:
    """Return the conversion options of a command line as words for another one.

    Args:
        arguments: The command line.
        without: The names of options that are left out.
    """
    words = []
    for option in conversion_options(COMMANDS_BY_NAME[arguments.command]):
        value, flag = getattr(arguments, option.dest), option.option_strings[-1]
        if option.dest not in without and value:
            given = value if isinstance(value, list) else [value]
            words += [flag] if value is True else [f"{flag}={each}" for each in given]
    return words


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """Parse the command line; the result has `command` set.

    The first argument that isn't an option is the command, or the workspace to convert. To convert a folder
    that has the name of a command, write `./detect`.

    Raises:
        UsageError: the arguments are invalid.
    """
    words = list(argv)
    position = command_position(words)
    command = COMMANDS_BY_NAME[CONVERT if position is None else words.pop(position)]
    parser = parser_of(command)
    arguments, unknown = parser.parse_known_args(words)
    if unknown:  # the message of `run PACKAGE --local MESSAGE` stands behind an option
        arguments, unknown = parser.parse_known_intermixed_args(words)
    if position is None:
        _refuse_misspelt_command(arguments.workspace)
    if unknown:
        raise UsageError(f"Unrecognized arguments: {' '.join(unknown)}", hint=_hint(parser, unknown))
    arguments.command = command.name
    return arguments


def _refuse_misspelt_command(word: str | None) -> None:
    """Raise an error for a workspace that isn't there and is written like a command."""
    if word and not os.path.lexists(word):
        meant = did_you_mean(word, COMMANDS_BY_NAME, cutoff=0.75)
        if meant and os.sep not in word:
            hint = f"{meant} See `{PROGRAM} --help`."
            raise UsageError(f"{word!r} is neither a command nor a workspace", hint=hint)


def _hint(parser: argparse.ArgumentParser, unknown: Sequence[str]) -> str:
    """Return the option that was probably meant, and where all are listed."""
    typed = unknown[0].partition("=")[0]
    meant = ""
    if typed in _all_flags():
        meant = f"{parser.prog} doesn't take {typed}, other commands do."
    elif typed.startswith("--"):
        meant = did_you_mean(typed, [flag for each in parser._actions for flag in each.option_strings])
    return f"{meant} See `{parser.prog} --help`.".lstrip()


def _all_flags() -> frozenset[str]:
    return frozenset(
        flag for command in COMMANDS for each in arguments_of(command) for flag in each.option_strings
    )


def command_position(words: Sequence[str]) -> int | None:
    """Return the index of the command: the first word that is neither an option nor an option's value."""
    names = set(COMMANDS_BY_NAME)
    if names.isdisjoint(words):
        return None
    takes_value = _flags_with_value() if words[0].startswith("-") else frozenset()
    skip = False
    for position, word in enumerate(words):
        if skip:
            skip = False
        elif word == "--":
            return None
        elif not word.startswith("-"):
            return position if word in names else None
        else:
            skip = word in takes_value
    return None


def _flags_with_value() -> frozenset[str]:
    arguments = (argument for command in COMMANDS for argument in arguments_of(command))
    return frozenset(flag for each in arguments if each.nargs != 0 for flag in each.option_strings)
