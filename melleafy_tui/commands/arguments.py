"""The command line as tables: commands, options, and the parsers made of them.

Imports nothing but argparse, and keeps its rows in named tuples, because `--help` and `--version` must be quick.
"""

import argparse
from collections.abc import Sequence
from typing import Final, NamedTuple, NoReturn

from melleafy_tui.core.errors import UsageError
from melleafy_tui.version import __version__

PROGRAM: Final = "melleafy-tui"
CONVERT: Final = "convert"
"""The command that needs no name: `melleafy-tui WORKSPACE`."""


class Option(NamedTuple):
    """One option; `metavar` is empty for a switch."""

    flag: str
    help: str
    metavar: str = ""
    choices: tuple[str, ...] = ()
    repeated: bool = False

    @property
    def name(self) -> str:
        """Return the name under which the value is found."""
        return self.flag.removeprefix("--").replace("-", "_")


class Positional(NamedTuple):
    """One argument without a flag."""

    name: str
    help: str
    choices: tuple[str, ...] = ()
    optional: bool = False


class CommandRow(NamedTuple):
    """One command: what it takes, and the module in `melleafy_tui.commands` that runs it."""

    name: str
    help: str
    module: str
    positionals: tuple[Positional, ...] = ()
    options: tuple[Option, ...] = ()
    reads_workspace: bool = True


SETTING_OPTIONS: Final = (
    Option("--package-name", "name of the generated package", "NAME"),
    Option("--source-runtime", "take this runtime instead of the detected one", "RUNTIME"),
    Option("--contributing-runtimes", "the other runtimes of a hybrid, separated by commas", "A,B"),
    Option(
        "--modality",
        "how the agent is woken, instead of what was detected",
        "MODALITY",
        ("heartbeat", "event_triggered", "scheduled", "synchronous_oneshot"),
    ),
    Option("--backend", "Mellea backend of the package (ollama)", "NAME"),
    Option("--model-id", "model of the package (granite4.1:3b)", "ID"),
    Option("--persona-channel", "where the persona travels (prefix)", "CHANNEL", ("prefix", "system")),
    Option("--openclaw-release", "release whose limits count (dialect-1.0)", "RELEASE"),
)

WORKSPACE_OPTIONS: Final = (
    Option("--out", "output folder (<workspace>_mellea beside the workspace)", "DIR"),
    Option("--in-place", "put the package into the workspace, and nothing else"),
    *SETTING_OPTIONS,
    Option("--as-of", "the day the conversion is made for (today)", "DATE"),
    Option("--decisions", "decisions file to apply", "FILE"),
    Option("--strict-decisions", "stop where an override has lost its entry (exit 13)"),
    Option("--dry-run", "say what would be written, and write nothing"),
    Option("--force", "overwrite edited files; their text is kept in .melleafy-backup/"),
    Option("--yes", "answer every question with its default"),
    Option("--show-settings", "say where each setting comes from, and stop"),
)

TARGET_OPTIONS: Final = (
    Option("--dry-run", "say what would be written, and write nothing"),
    Option("--force", "write into a folder that is not empty; replaced texts are kept in .melleafy-backup/"),
)

DISPLAY_OPTIONS: Final = (
    Option("--json", "print one JSON document, and nothing else, on standard output"),
    Option("--quiet", "print no messages but errors"),
    Option("--no-color", "no colours (also NO_COLOR)"),
    Option("--debug", "show the traceback of an unexpected fault"),
)

LINEAR: Final = Option("--linear", "ask the wizard's questions in plain lines (also ACCESSIBLE=1, TERM=dumb)")
DEPENDENCIES: Final = Option("--dependencies", "ask (the wizard), auto, config:PATH or strict", "MODE")

SCHEMA_NAMES: Final = (
    "classification",
    "decisions",
    "inventory",
    "lint",
    "manifest",
    "mapping",
    "plan",
    "smoke",
    "check",
    "context",
    "convert",
    "detect",
    "doctor",
    "error",
    "export",
    "history",
    "materialize",
    "preview",
    "settings",
    "inventory.json",
    "dependency_plan.json",
    "source_layout.json",
)
SHELLS: Final = ("bash", "zsh", "fish")

_WORKSPACE: Final = Positional("workspace", "folder of the agent, or its main file")
_PACKAGE: Final = Positional("package", "folder of a generated package")

COMMANDS: Final = (
    CommandRow(
        CONVERT,
        "convert a workspace: the wizard, or headless",
        "wizard",
        (_WORKSPACE,),
        (DEPENDENCIES, LINEAR),
    ),
    CommandRow("detect", "runtime, modality and their signals", "detect", (_WORKSPACE,)),
    CommandRow("inventory", "elements and coverage", "inventory", (_WORKSPACE,)),
    CommandRow(
        "plan",
        "dispositions, conflicts, state of the overrides",
        "plan",
        (_WORKSPACE,),
        (Option("--save", "write the decisions to this file", "FILE"),),
    ),
    CommandRow(
        "preview",
        "the emitted files; writes nothing",
        "preview",
        (_WORKSPACE,),
        (Option("--diff", "as a diff against what is on disk"),),
    ),
    CommandRow(
        "context",
        "what OpenClaw would have put into the agent's prompt",
        "context",
        (_WORKSPACE,),
        (
            Option(
                "--mode", "prompt mode; by default that of the session", "MODE", ("full", "minimal", "none")
            ),
            Option("--session", "whose prompt (main)", "KIND", ("main", "subagent", "cron")),
            Option("--agent", "agent of openclaw.json whose own limits hold", "ID"),
            Option("--drop-unseen", "remove what the agent never saw; with --save, in the decisions file"),
            Option("--save", "write the decisions to this file", "FILE"),
        ),
    ),
    CommandRow("check", "is the written package up to date? (exit 15: no)", "check", (_WORKSPACE,)),
    CommandRow("lint", "the lints on an existing package", "lint", (_PACKAGE,), (), False),
    CommandRow(
        "smoke",
        "run fixtures end to end",
        "smoke",
        (_PACKAGE,),
        (
            Option("--fixture", "run this fixture; can be given again", "ID", repeated=True),
            Option("--all", "run all fixtures (the default)"),
            Option("--live", "use the package's backend instead of the stand-in server"),
        ),
        False,
    ),
    CommandRow(
        "materialize",
        "an OpenClaw workspace from named surfaces, byte for byte, and back",
        "materialize",
        (
            Positional("source", "folder that holds surfaces/, skills/ and memory/"),
            Positional("target", "workspace to write"),
        ),
        (
            Option("--reverse", "from a workspace (SOURCE) to surfaces (TARGET)"),
            Option("--strict-missing-surfaces", "stop where a required surface is missing (exit 10)"),
            Option(
                "--no-exact", "synthesise SOUL.md and IDENTITY.md from persona.json where they are missing"
            ),
            Option("--no-skills", "leave skills/ out"),
            Option("--no-memory", "leave memory/ out"),
            Option("--no-bootstrap", "leave BOOTSTRAP.md out"),
            Option("--memory-file", "this file of the surfaces is MEMORY.md (surfaces/memory.md)", "PATH"),
            Option("--model", "model hint for the host, reported and not written", "ID"),
            Option(
                "--model-param",
                "model parameter for the host; can be given again",
                "NAME=VALUE",
                repeated=True,
            ),
            Option("--config", "runtime hint for the host; can be given again", "NAME=VALUE", repeated=True),
            *TARGET_OPTIONS,
        ),
        False,
    ),
    CommandRow(
        "history",
        "sessions of an agent, and fixtures from them",
        "history",
        (Positional("state_dir", "OpenClaw's state folder, often ~/.openclaw; nothing else is read"),),
        (
            Option(
                "--session",
                "propose fixtures from this session; can be given again, or `all`",
                "ID",
                repeated=True,
            ),
            Option("--pick", "take this candidate as a fixture; can be given again", "ID", repeated=True),
            Option("--save", "decisions file to put the picked fixtures into", "FILE"),
            Option("--mask", "mask this name too; can be given again", "NAME", repeated=True),
            Option("--as-of", "the day that decides which notes are recent (today)", "DATE"),
        ),
        False,
    ),
    CommandRow(
        "export",
        "the way back: a workspace from a converted package and its decisions",
        "export",
        (_PACKAGE, Positional("target", "workspace to write")),
        (
            Option("--host", "runtime of the workspace", "HOST", ("openclaw",)),
            Option("--no-skill", "add no skill that calls the package"),
            *TARGET_OPTIONS,
        ),
        False,
    ),
    CommandRow(
        "doctor",
        "is everything there: backend, model, Mellea, terminal",
        "doctor",
        (),
        tuple(option for option in SETTING_OPTIONS if option.name in ("backend", "model_id")),
        False,
    ),
    CommandRow(
        "serve",
        "the wizard in a browser, on loopback",
        "serve",
        (_WORKSPACE,),
        (
            Option("--port", "port to listen on (8000; 0 takes any free one)", "N"),
            Option("--host", "address to listen on, where it is not to be 127.0.0.1", "ADDRESS"),
        ),
    ),
    CommandRow(
        "schema",
        "JSON Schema of a document",
        "schema",
        (Positional("name", "the document", SCHEMA_NAMES),),
        (),
        False,
    ),
    CommandRow(
        "completion",
        "shell completion",
        "completion",
        (Positional("shell", "the shell", SHELLS),),
        (),
        False,
    ),
)
COMMANDS_BY_NAME: Final = {row.name: row for row in COMMANDS}
NAMED_COMMANDS: Final = tuple(row for row in COMMANDS if row.name != CONVERT)

EXITS: Final = (
    "exit status: 0 done, 1 a bug, 2 unusable input, 3 contradiction in the source, 10 strict, 11 lint,\n"
    "12 smoke run, 13 strict decisions, 14 conflict with your edits, 15 stale, 130 interrupted"
)


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """Raise instead of printing: only the command line's main function prints."""
        raise UsageError(message[:1].upper() + message[1:], hint=f"See `{self.prog} --help`.")


def options_of(row: CommandRow) -> tuple[Option, ...]:
    """Return every option that a command takes."""
    return (*row.options, *(WORKSPACE_OPTIONS if row.reads_workspace else ()), *DISPLAY_OPTIONS)


def parser_of(row: CommandRow) -> argparse.ArgumentParser:
    """Return the parser of one command."""
    name = "" if row.name == CONVERT else f" {row.name}"
    parser = _Parser(
        prog=f"{PROGRAM}{name}",
        description=None if row.name == CONVERT else f"{row.help[:1].upper()}{row.help[1:]}.",
        epilog=EXITS if row.name != CONVERT else f"{_commands_help()}\n{EXITS}",
        usage=None if row.name != CONVERT else f"{PROGRAM} [COMMAND] WORKSPACE [options]",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
        add_help=False,
    )
    for positional in row.positionals:
        parser.add_argument(
            positional.name,
            help=positional.help,
            choices=positional.choices or None,
            metavar=positional.name.upper(),
        )
    groups = (
        ("options", row.options),
        ("conversion", WORKSPACE_OPTIONS if row.reads_workspace else ()),
        ("output", DISPLAY_OPTIONS),
    )
    for title, options in groups:
        group = parser.add_argument_group(title) if options else None
        for option in options:
            assert group is not None
            if not option.metavar:
                group.add_argument(option.flag, action="store_true", help=option.help)
            else:
                group.add_argument(
                    option.flag,
                    metavar=option.metavar,
                    choices=option.choices or None,
                    action="append" if option.repeated else "store",
                    help=option.help + (f": {', '.join(option.choices)}" if option.choices else ""),
                )
    about = parser.add_argument_group("help")
    about.add_argument("-h", "--help", action="help", help="show this help and stop")
    about.add_argument("--version", action="version", version=f"{PROGRAM} {__version__}")
    return parser


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """Return the arguments, with `command` set.

    The first argument that is no option names the command, or the workspace of the command that needs no name; a
    workspace folder called like a command is reached as `./detect`.

    Raises:
        UsageError: the arguments are not understood.
    """
    words = list(argv)
    position = _first_positional(words)
    row = COMMANDS_BY_NAME[CONVERT]
    if position is not None and words[position] in {command.name for command in NAMED_COMMANDS}:
        row = COMMANDS_BY_NAME[words.pop(position)]
    arguments = parser_of(row).parse_args(words)
    arguments.command = row.name
    return arguments


def _first_positional(words: Sequence[str]) -> int | None:
    takes_value = {option.flag for row in COMMANDS for option in options_of(row) if option.metavar}
    skip = False
    for position, word in enumerate(words):
        if skip:
            skip = False
        elif word == "--":
            return None
        elif not word.startswith("-"):
            return position
        else:
            skip = word in takes_value
    return None


def _commands_help() -> str:
    rows = "\n".join(f"  {row.name:<12}{row.help}" for row in NAMED_COMMANDS)
    return (
        f"commands:\n{rows}\n\n"
        "Without a command the wizard opens; --dependencies=auto, config:PATH or strict convert without a terminal.\n"
        f"`{PROGRAM} COMMAND --help` says more. A folder called like a command is named with ./\n"
    )
