"""Defines the argparse parser of every command; options are declared nowhere else.

It imports nothing but argparse and keeps its rows in named tuples, so that `--help` and `--version` stay
fast.
"""

import argparse
import os
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, NoReturn

from melleafy_tui.core.errors import UsageError, did_you_mean
from melleafy_tui.version import __version__

PROGRAM: Final = "melleafy-tui"
CONVERT: Final = "convert"
"""The command that runs when none is named: `melleafy-tui WORKSPACE`."""

HOSTS: Final = ("openclaw", "langgraph", "mcp", "claude-code")
"""What `export` writes for; the first is the way back to a workspace."""

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
    "convert-all",
    "detect",
    "diff",
    "doctor",
    "error",
    "explain",
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
BEHAVIOURS: Final = (
    *("plain", "judge-no", "judge-one", "judge-garbage", "judge-empty"),
    *("broken-json", "empty", "decline", "slow", "refuse"),
)
"""The behaviours of the fake model, spelled out here because the command line starts without the smoke run."""

EXITS: Final = (
    "exit status: 0 done, 1 a bug, 2 unusable input, 3 contradiction in the source, 10 strict, 11 lint, "
    "12 smoke run, 13 strict decisions, 14 conflict with your edits, 15 stale or different, 130 interrupted"
)

_ABOUT_COMMANDS: Final = (
    "Without a command the wizard opens; --dependencies=auto, config:PATH or strict convert without a "
    f"terminal. `{PROGRAM} help COMMAND` says more. If a folder has the same name as a command, write ./NAME."
)

AddArguments = Callable[[argparse.ArgumentParser], None]


class Example(NamedTuple):
    """One example of a command.

    Attributes:
        words: The command line without the program's name.
        about: What it does.
    """

    words: str
    about: str


class Command(NamedTuple):
    """One command.

    Attributes:
        name: The word that the user types.
        help: The one-line description in the list of commands.
        module: The module in `melleafy_tui.cli.commands` that runs the command.
        add_arguments: Adds the command's own arguments to its parser.
        examples: The examples that its help begins with.
        groups: Add the conversion options that it takes, a group each.
        json: Whether it prints a JSON document.
        tables: Whether it prints tables.
        reads: Whether it reads a workspace, a package or another folder, which `--verbose` tells about.
    """

    name: str
    help: str
    module: str
    add_arguments: AddArguments
    examples: tuple[Example, ...]
    groups: tuple[AddArguments, ...] = ()
    json: bool = True
    tables: bool = False
    reads: bool = True


class _Parser(argparse.ArgumentParser):
    def __init__(self, command: Command) -> None:
        prog = PROGRAM if command.name == CONVERT else f"{PROGRAM} {command.name}"
        super().__init__(prog=prog, allow_abbrev=False, add_help=False)
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
        self.usage = filled(self._usage(), indent=len("usage: "))
        about = self._command.help
        self.description = filled(f"{about[:1].upper()}{about[1:]}.")
        if self._command.name == CONVERT:
            listed = columns([(command.name, command.help) for command in NAMED_COMMANDS])
            self.description = f"commands:\n{listed}\n\n{filled(_ABOUT_COMMANDS)}"
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


# --- shared arguments -------------------------------------------------------------------------


def _add_workspace(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("workspace", metavar="WORKSPACE", help="folder of the agent, or its main file")


def _written_file(text: str) -> str:
    if text == "-":
        raise argparse.ArgumentTypeError("- is standard input, which can't be written; name a file")
    return text


def _share(text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = 0.0
    if not 0.0 < share <= 1.0:
        raise argparse.ArgumentTypeError(f"{text!r} is no share: name a number above 0, up to 1")
    return share


def _add_package(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("package", metavar="PACKAGE", help="folder of a generated package")


def _add_backend(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--backend", metavar="NAME", help="Mellea backend of the package (ollama)")
    group.add_argument("--model-id", metavar="ID", help="model of the package (granite4.1:3b)")


def _add_target_options(group: argparse._ArgumentGroup) -> None:
    add = group.add_argument
    add("-n", "--dry-run", action="store_true", help="show what would be written, and write nothing")
    add(
        "-f",
        "--force",
        action="store_true",
        help="write into a folder that is not empty; replaced texts are kept in .melleafy-backup/",
    )


def _add_source(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument_group("source").add_argument
    add("--source-runtime", metavar="RUNTIME", help="take this runtime instead of the detected one")
    add(
        "--contributing-runtimes",
        metavar="A,B",
        help="the other runtimes of a hybrid, separated by commas",
    )
    modalities = ("heartbeat", "event_triggered", "scheduled", "synchronous_oneshot")
    about = "how the agent is woken, instead of what was detected: %(choices)s"
    add("--modality", metavar="MODALITY", choices=modalities, help=about)
    add("--openclaw-release", metavar="RELEASE", help="release whose limits apply (dialect-1.0)")
    add(
        "--keep-stock-text",
        action="store_true",
        help="convert the runtime's stock text like the owner's own rules",
    )
    add("--as-of", metavar="DATE", help="date of the conversion (today)")


def _add_output(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument_group("output").add_argument
    add("-o", "--out", metavar="DIR", help="output folder (<workspace>_mellea beside the workspace)")
    add("--in-place", action="store_true", help="put the package into the workspace, and nothing else")
    add("--package-name", metavar="NAME", help="name of the generated package")


def _add_decisions(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument_group("decisions").add_argument
    add("--decisions", metavar="FILE", help="decisions file to apply; - reads it from standard input")
    add(
        "--strict-decisions",
        action="store_true",
        help="fail if an override matches no entry (exit 13)",
    )
    add("--show-settings", action="store_true", help="show where each setting comes from, and stop")


def _add_model(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("model")
    _add_backend(group)
    about = "where the persona goes (prefix): %(choices)s"
    group.add_argument("--persona-channel", metavar="CHANNEL", choices=("prefix", "system"), help=about)


def _add_writing(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument_group("writing").add_argument
    add("-n", "--dry-run", action="store_true", help="show what would be written, and write nothing")
    about = "overwrite edited files; their text is kept in .melleafy-backup/"
    add("-f", "--force", action="store_true", help=about)
    add("-y", "--yes", action="store_true", help="answer every question with its default")


_LOOK: Final = (_add_source, _add_decisions)
"""Options of the commands that only read the workspace."""

_CONVERSION: Final = (_add_source, _add_output, _add_decisions, _add_model)
"""Options of the commands that make the package, on the disk or in memory."""


def _add_display_options(parser: argparse.ArgumentParser, command: Command) -> None:
    group = parser.add_argument_group("display")
    add = group.add_argument
    if command.json:
        about = "print one JSON document, and nothing else, on standard output"
        add("--json", action="store_true", help=about)
    if command.tables:
        about = "print whole tables; on a terminal their widest columns are cut to fit its width"
        add("--wide", action="store_true", help=about)
    loudness = group.add_mutually_exclusive_group()
    if command.reads:
        about = "tell on standard error what is read, where settings come from, and how long it took"
        loudness.add_argument("-v", "--verbose", action="store_true", help=about)
    loudness.add_argument("-q", "--quiet", action="store_true", help="print only errors")
    add("--no-color", action="store_true", help="no colours (also NO_COLOR)")
    add("--debug", action="store_true", help="show the traceback of an unexpected fault")
    add = parser.add_argument_group("help").add_argument
    add("-h", "--help", action="help", help="show this help and stop")
    about = "show the version and stop"
    add("-V", "--version", action="version", version=f"{PROGRAM} {__version__}", help=about)


_ASSIST_BELOW: Final = "--assist for readings with a lower confidence than this (0.6)"
_ASSIST: Final = (
    "ask the configured model about the uncertain elements first, and keep its answers as decisions "
    "for you to accept (extra smoke)"
)


# --- the commands -----------------------------------------------------------------------------


def _add_convert(parser: argparse.ArgumentParser) -> None:
    _add_workspace(parser)
    add = parser.add_argument_group("mode").add_argument
    add("--dependencies", metavar="MODE", help="ask (the wizard), auto, config:PATH or strict")
    about = "ask the wizard's questions in plain lines (also ACCESSIBLE=1, TERM=dumb)"
    add("--linear", action="store_true", help=about)
    add("--assist", action="store_true", default=None, help=_ASSIST)
    add("--assist-below", dest="assist", metavar="SHARE", type=_share, help=_ASSIST_BELOW)
    add = parser.add_argument_group("many workspaces").add_argument
    about = "convert every workspace, skill and project below WORKSPACE, and print one table"
    add("--all", action="store_true", help=about)
    add("--jobs", metavar="N", help="with --all: how many processes convert at once (one a core)")
    add("--shard", metavar="K/N", help="with --all: only every N-th source by the hash of its path")


def _add_plan(parser: argparse.ArgumentParser) -> None:
    _add_workspace(parser)
    add = parser.add_argument_group("options").add_argument
    add("--save", metavar="FILE", type=_written_file, help="write the decisions to this file")
    add("-n", "--dry-run", action="store_true", help="with --save: write nothing")
    add("--assist", action="store_true", default=None, help=_ASSIST)
    add("--assist-below", dest="assist", metavar="SHARE", type=_share, help=_ASSIST_BELOW)


def _add_preview(parser: argparse.ArgumentParser) -> None:
    _add_workspace(parser)
    add = parser.add_argument_group("options").add_argument
    add("--diff", action="store_true", help="as a diff against what is on disk")
    about = "as if edited files were overwritten (--force of the conversion)"
    add("-f", "--force", action="store_true", help=about)


def _add_explain(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("workspace", metavar="SOURCE", help="workspace, or folder of a generated package")
    about = (
        "a file of the workspace or an emitted one, and its lines; for example AGENTS.md:12, AGENTS.md:12-15, "
        "my_agent_mellea/config.py:8 or config.py"
    )
    parser.add_argument("file", metavar="FILE[:LINE[-LINE]]", help=about)


def _add_diff(parser: argparse.ArgumentParser) -> None:
    about = "the earlier workspace, skill or package, for example a checkout of the last release"
    parser.add_argument("old", metavar="OLD", help=about)
    parser.add_argument("new", metavar="NEW", help="the later one, for example ./my-agent")
    add = parser.add_argument_group("options").add_argument
    about = "text for the terminal, or Markdown for a pull request (text): %(choices)s"
    add("--format", metavar="FORMAT", choices=("text", "markdown"), default="text", help=about)
    add("--exit-code", action="store_true", help="fail if there are differences (exit 15)")


def _add_context(parser: argparse.ArgumentParser) -> None:
    _add_workspace(parser)
    add = parser.add_argument_group("options").add_argument
    about = "prompt mode; by default that of the session: %(choices)s"
    add("--mode", metavar="MODE", choices=("full", "minimal", "none"), help=about)
    about = "whose prompt (main): %(choices)s"
    add("--session", metavar="KIND", choices=("main", "subagent", "cron"), help=about)
    add("--agent", metavar="ID", help="agent of openclaw.json whose limits apply")
    about = "remove what the agent never saw; with --save, in the decisions file"
    add("--drop-unseen", action="store_true", help=about)
    add("--save", metavar="FILE", type=_written_file, help="write the decisions to this file")
    add("-n", "--dry-run", action="store_true", help="with --save: write nothing")


def _add_check(parser: argparse.ArgumentParser) -> None:
    _add_workspace(parser)
    add = parser.add_argument_group("options").add_argument
    about = "also fail where a file is edited, deleted or added (exit 15)"
    add("--exact", action="store_true", help=about)


def _add_lint(parser: argparse.ArgumentParser) -> None:
    _add_package(parser)
    add = parser.add_argument_group("options").add_argument
    about = "also import each module (lint importable), which runs the package's top-level code"
    add("--import", dest="import_modules", action="store_true", help=about)


def _add_smoke(parser: argparse.ArgumentParser) -> None:
    _add_package(parser)
    add = parser.add_argument_group("options").add_argument
    add("--fixture", metavar="ID", action="append", help="run this fixture; can be given again")
    add("--all", action="store_true", help="run all fixtures (the default)")
    about = "also run each judged rule's fixture, in which the judge finds it broken"
    add("--every-rule", action="store_true", help=about)
    about = "how the fake model behaves (plain): %(choices)s"
    add("--behaviour", metavar="NAME", choices=BEHAVIOURS, default="plain", help=about)
    add("--live", action="store_true", help="use the package's backend instead of the fake server")


def _add_materialize(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("source", metavar="SOURCE", help="folder that holds surfaces/, skills/ and memory/")
    parser.add_argument("target", metavar="TARGET", help="workspace to write")
    group = parser.add_argument_group("options")
    add = group.add_argument
    add("--reverse", action="store_true", help="from a workspace (SOURCE) to surfaces (TARGET)")
    about = "stop where a required surface is missing (exit 10)"
    add("--strict-missing-surfaces", action="store_true", help=about)
    about = "synthesise SOUL.md and IDENTITY.md from persona.json where they are missing"
    add("--no-exact", action="store_true", help=about)
    add("--no-skills", action="store_true", help="leave skills/ out")
    add("--no-memory", action="store_true", help="leave memory/ out")
    add("--no-bootstrap", action="store_true", help="leave BOOTSTRAP.md out")
    about = "this file of the surfaces is MEMORY.md (surfaces/memory.md)"
    add("--memory-file", metavar="PATH", help=about)
    add("--model", metavar="ID", help="model hint for the host, reported and not written")
    about = "model parameter for the host; can be given again"
    add("--model-param", metavar="NAME=VALUE", action="append", help=about)
    about = "runtime hint for the host; can be given again"
    add("--config", metavar="NAME=VALUE", action="append", help=about)
    _add_target_options(group)


def _add_history(parser: argparse.ArgumentParser) -> None:
    about = "OpenClaw's state folder, often ~/.openclaw; nothing else is read"
    parser.add_argument("state_dir", metavar="STATE_DIR", help=about)
    add = parser.add_argument_group("options").add_argument
    about = "propose fixtures from this session; can be given again, or `all`"
    add("--session", metavar="ID", action="append", help=about)
    add("--pick", metavar="ID", action="append", help="take this candidate as a fixture; can be given again")
    add("--save", metavar="FILE", type=_written_file, help="decisions file to put the picked fixtures into")
    add("--mask", metavar="NAME", action="append", help="mask this name too; can be given again")
    add("--as-of", metavar="DATE", help="the day that decides which notes are recent (today)")


def _add_export(parser: argparse.ArgumentParser) -> None:
    _add_package(parser)
    parser.add_argument("target", metavar="TARGET", help="folder to write")
    group = parser.add_argument_group("options")
    about = "what it is for: %(choices)s"
    group.add_argument("--host", metavar="HOST", choices=HOSTS, help=about)
    about = "openclaw: add no skill that calls the package"
    group.add_argument("--no-skill", action="store_true", help=about)
    about = "openclaw: the converted workspace, for the files that the conversion didn't use"
    group.add_argument("--workspace", metavar="FOLDER", dest="workspace_files", help=about)
    _add_target_options(group)


def _add_doctor(parser: argparse.ArgumentParser) -> None:
    _add_backend(parser.add_argument_group("options"))


def _add_serve(parser: argparse.ArgumentParser) -> None:
    _add_workspace(parser)
    add = parser.add_argument_group("options").add_argument
    add("--port", metavar="N", help="port to listen on (8000; 0 takes any free one)")
    add("--host", metavar="ADDRESS", help="address to listen on, where it is not to be 127.0.0.1")
    about = "overwrite edited files; their text is kept in .melleafy-backup/"
    add("-f", "--force", action="store_true", help=about)


def _add_schema(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", choices=SCHEMA_NAMES, help="the document")
    add = parser.add_argument_group("options").add_argument
    about = "put the schema next to this decisions file, whose editors then complete and check it"
    add("--beside", metavar="FILE", type=_written_file, help=about)


def _add_completion(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", metavar="SHELL", choices=SHELLS, help="the shell")


def _add_help(parser: argparse.ArgumentParser) -> None:
    names = tuple(command.name for command in COMMANDS)
    parser.add_argument("name", metavar="COMMAND", nargs="?", choices=names, help="the command")


COMMANDS: Final = (
    Command(
        CONVERT,
        "convert a workspace: the wizard, or headless",
        "wizard",
        _add_convert,
        (
            Example("./my-agent", "open the wizard"),
            Example("./my-agent --dependencies=auto", "convert with every default, without questions"),
            Example("convert --all ./agents --jobs 4", "convert every workspace below a folder"),
        ),
        (*_CONVERSION, _add_writing),
        tables=True,
    ),
    Command(
        "detect",
        "runtime, trigger and their signals",
        "detect",
        _add_workspace,
        (
            Example("detect ./my-agent", "what runtime it is, how it is woken, and why"),
            Example("detect ./my-agent --json", "the same as a JSON document"),
            Example("detect ./my-agent --source-runtime openclaw", "read it as an OpenClaw workspace"),
        ),
        _LOOK,
        tables=True,
    ),
    Command(
        "inventory",
        "elements and coverage",
        "inventory",
        _add_workspace,
        (
            Example("inventory ./my-agent", "every element with its tag and category"),
            Example("inventory ./my-agent --decisions my.json", "with the tags that you changed"),
            Example("inventory ./my-agent --json", "with every field, as a JSON document"),
        ),
        _LOOK,
        tables=True,
    ),
    Command(
        "plan",
        "dispositions, conflicts, state of the overrides",
        "plan",
        _add_plan,
        (
            Example("plan ./my-agent", "what becomes of each entry"),
            Example("plan ./my-agent --decisions my.json", "the state of each of your overrides, too"),
            Example("plan ./my-agent --save my.json", "write a decisions file to edit"),
        ),
        _CONVERSION,
        tables=True,
    ),
    Command(
        "preview",
        "the emitted files; writes nothing",
        "preview",
        _add_preview,
        (
            Example("preview ./my-agent", "what a conversion would do to each file"),
            Example("preview ./my-agent --diff", "the changed lines"),
            Example("preview ./my-agent --decisions my.json", "with your decisions"),
        ),
        _CONVERSION,
        tables=True,
    ),
    Command(
        "explain",
        "what a line became, or where an emitted line comes from",
        "explain",
        _add_explain,
        (
            Example("explain ./my-agent AGENTS.md:12", "what became of line 12"),
            Example("explain ./my-agent AGENTS.md", "the whole file, a line for each element"),
            Example("explain ./my-agent_mellea config.py:8-20", "where emitted lines come from"),
        ),
        _CONVERSION,
        tables=True,
    ),
    Command(
        "diff",
        "what changed between two workspaces or skill releases",
        "diff",
        _add_diff,
        (
            Example("diff ./last-release ./my-agent", "the rules, tools, schedules and facts that changed"),
            Example("diff ./old ./new --format markdown", "the same for a pull request"),
            Example("diff ./old ./new --exit-code", "fail if anything differs (exit 15)"),
        ),
        _LOOK,
    ),
    Command(
        "context",
        "what OpenClaw would have put into the agent's prompt",
        "context",
        _add_context,
        (
            Example("context ./my-agent", "the prompt of the main session"),
            Example("context ./my-agent --session cron", "the prompt of a scheduled run"),
            Example(
                "context ./my-agent --drop-unseen --save my.json",
                "decide to remove what the agent never saw",
            ),
        ),
        _CONVERSION,
        tables=True,
    ),
    Command(
        "check",
        "is the written package up to date? (exit 15: no)",
        "check",
        _add_check,
        (
            Example("check ./my-agent", "whether a conversion would change a file"),
            Example("check ./my-agent --decisions my.json", "with the decisions of the conversion"),
            Example("check ./my-agent --exact", "whether anybody edited a file"),
        ),
        _CONVERSION,
        tables=True,
    ),
    Command(
        "lint",
        "the lints on an existing package; reads it, runs nothing",
        "lint",
        _add_lint,
        (
            Example("lint ./my-agent_mellea", "read the package, and run nothing of it"),
            Example("lint ./my-agent_mellea --import", "import its modules, too"),
            Example("lint ./my-agent_mellea --json", "the findings as a JSON document"),
        ),
        tables=True,
    ),
    Command(
        "smoke",
        "run fixtures end to end; imports and runs the package",
        "smoke",
        _add_smoke,
        (
            Example("smoke ./my-agent_mellea", "run all fixtures on a fake model server"),
            Example("smoke ./my-agent_mellea --every-rule", "break each judged rule in turn"),
            Example("smoke ./my-agent_mellea --live", "ask the package's own model"),
        ),
    ),
    Command(
        "materialize",
        "an OpenClaw workspace from named surfaces (exact copy), and back",
        "materialize",
        _add_materialize,
        (
            Example("materialize ./surfaces ./my-agent", "write the workspace"),
            Example("materialize ./surfaces ./my-agent --dry-run", "list what would be written"),
            Example("materialize ./my-agent ./surfaces --reverse", "write the surfaces"),
        ),
        tables=True,
    ),
    Command(
        "history",
        "sessions of an agent, and fixtures from them",
        "history",
        _add_history,
        (
            Example("history ~/.openclaw", "its sessions, and the most informative sources"),
            Example("history ~/.openclaw --session all", "fixtures that could be taken from them"),
            Example(
                "history ~/.openclaw --session all --pick history_1a2b --save my.json",
                "take one of these fixtures into a decisions file",
            ),
        ),
        tables=True,
    ),
    Command(
        "export",
        "export a package to a workspace, LangGraph, MCP or Claude Code",
        "export",
        _add_export,
        (
            Example("export ./my-agent_mellea ./graph --host=langgraph", "write a LangGraph project"),
            Example("export ./my-agent_mellea ./plugin --host=claude-code", "write a Claude Code plugin"),
            Example(
                "export ./my-agent_mellea ./copy --host=openclaw --workspace ./my-agent",
                "take the files that the conversion didn't use from the old workspace",
            ),
        ),
    ),
    Command(
        "doctor",
        "check the setup: backend, model, Mellea, terminal",
        "doctor",
        _add_doctor,
        (
            Example("doctor", "check backend, model, Mellea and terminal"),
            Example("doctor --model-id granite4.1:8b", "check whether this model is there"),
            Example("doctor --json", "the checks as a JSON document"),
        ),
    ),
    Command(
        "serve",
        "the wizard in a browser, on loopback",
        "serve",
        _add_serve,
        (
            Example("serve ./my-agent", "print the address of the wizard"),
            Example("serve ./my-agent --port 0", "listen on any free port"),
            Example("serve ./my-agent --decisions my.json", "start with your decisions"),
        ),
        _CONVERSION,
        json=False,
    ),
    Command(
        "schema",
        "JSON Schema of a document",
        "schema",
        _add_schema,
        (
            Example("schema decisions", "what a decisions file may hold"),
            Example("schema decisions --beside my.json", "put it next to your file, for your editor"),
            Example("schema plan", "the document of plan --json"),
        ),
        reads=False,
    ),
    Command(
        "completion",
        "shell completion",
        "completion",
        _add_completion,
        (
            Example("completion bash", "print the script for bash"),
            Example("completion zsh", "print the script for zsh"),
            Example("completion fish", "print the script for fish"),
        ),
        json=False,
        reads=False,
    ),
    Command(
        "help",
        "help for a command",
        "help",
        _add_help,
        (
            Example("help", "all commands, and the options of a conversion"),
            Example("help plan", "the same as plan --help"),
        ),
        json=False,
        reads=False,
    ),
)
COMMANDS_BY_NAME: Final = {command.name: command for command in COMMANDS}
NAMED_COMMANDS: Final = tuple(command for command in COMMANDS if command.name != CONVERT)


# --- parsing ----------------------------------------------------------------------------------


def parser_of(command: Command) -> argparse.ArgumentParser:
    """Return the parser of one command."""
    parser = _Parser(command)
    command.add_arguments(parser)
    for add_group in command.groups:
        add_group(parser)
    _add_display_options(parser, command)
    return parser


def arguments_of(command: Command) -> tuple[argparse.Action, ...]:
    """Return every argument of a command; positional arguments have no option strings."""
    return tuple(parser_of(command)._actions)


def conversion_options(command: Command) -> tuple[argparse.Action, ...]:
    """Return the conversion options that a command takes."""
    parser = argparse.ArgumentParser(add_help=False)
    for add_group in command.groups:
        add_group(parser)
    return tuple(parser._actions)


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """Parse the command line; the result has `command` set.

    The first argument that isn't an option is the command, or the workspace to convert. To convert a folder
    that has the name of a command, write `./detect`.

    Raises:
        UsageError: the arguments are invalid.
    """
    words = list(argv)
    position = _command_position(words)
    command = COMMANDS_BY_NAME[CONVERT if position is None else words.pop(position)]
    parser = parser_of(command)
    arguments, unknown = parser.parse_known_args(words)
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


def _command_position(words: Sequence[str]) -> int | None:
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
