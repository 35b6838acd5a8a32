"""Entry point of the command line: parses, runs one command, prints errors, and returns the exit code.

Heavy modules are imported by the command that needs them, so that `--help` and `--version` stay fast.
"""

import argparse
import errno
import gc
import importlib
import os
import re
import shlex
import sys
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Final, TextIO, cast

from melleafy_tui.cli.argument_table import COMMANDS_BY_NAME, CONVERT, PROGRAM, parse, parser_of
from melleafy_tui.cli.console import Console, flush, show
from melleafy_tui.core.errors import (
    ClassificationHalted,
    DecisionsRefused,
    DecisionsUnresolved,
    LintFailed,
    MelleafyError,
    OutputConflict,
    OutputRefused,
    OutputStale,
    SmokeFailed,
    StrictRefusal,
    UnusableInput,
    UsageError,
)

EXIT_DONE: Final = 0
EXIT_FAULT: Final = 1
EXIT_INTERRUPTED: Final = 130

EXIT_CODES: Final[dict[type[MelleafyError], int]] = {
    UnusableInput: 2,
    UsageError: 2,
    DecisionsRefused: 2,
    OutputRefused: 2,
    ClassificationHalted: 3,
    StrictRefusal: 10,
    LintFailed: 11,
    SmokeFailed: 12,
    DecisionsUnresolved: 13,
    OutputConflict: 14,
    OutputStale: 15,
}
"""Exit codes by class of error; all others exit with 1."""

_COMPLETING: Final = "_MELLEAFY_TUI_COMPLETE"
"""Set by the completion script of a shell, which asks what completes a command line."""

_READ: Final = ("package", "source", "state_dir")
"""Arguments that name a folder to read; the files of a workspace are told when they were read."""

_NOT_OURS: Final = frozenset(
    getattr(errno, name)
    for name in (
        *("EACCES", "EDQUOT", "EIO", "EMFILE", "ELOOP", "ENAMETOOLONG"),
        *("ENFILE", "ENODEV", "ENOSPC", "EPERM", "EROFS"),
    )
)
"""System errors whose cause is the machine: permissions, disk, limits."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    _replace_closed_streams()
    _show_what_cannot_be_encoded(sys.stdout, sys.stderr)
    if _COMPLETING in os.environ:
        from melleafy_tui.cli.commands.completion import completions

        show("\n".join(completions(words)), sys.stdout)
        return EXIT_DONE
    console = Console(
        json="--json" in words,
        quiet="--quiet" in words,
        debug="--debug" in words,
        wide="--wide" in words,
        color=_wants_color(words),
        out=sys.stdout,
        messages=sys.stderr,
    )
    code = _guarded(words, console)
    try:
        flush(console.out)
    except MelleafyError as error:
        code = code or _report(error, console)
    flush(console.messages)
    return code


def _guarded(words: Sequence[str], console: Console) -> int:
    """Run a command, report how it failed if it did, and return the exit code."""
    try:
        return _run(words, console)
    except MelleafyError as error:
        return _report(error, console)
    except KeyboardInterrupt:
        console.message(
            "Interrupted. No file was left half-written; a wizard's decisions are in its journal."
        )
        return EXIT_INTERRUPTED
    except Exception as fault:
        system = (
            fault.__context__ if isinstance(fault, RuntimeError) else fault
        )  # a link that leads to itself
        if isinstance(system, OSError) and system.errno in _NOT_OURS and not console.debug:
            return _report(_of_the_system(system), console)
        return _report_fault(fault, console)


def exit_code(error: MelleafyError) -> int:
    """Return the exit code of an error, by its closest class in the table."""
    return next((EXIT_CODES[kind] for kind in type(error).__mro__ if kind in EXIT_CODES), EXIT_FAULT)


def _import_msgspec() -> None:
    """Import msgspec without typing_extensions, of which it only takes what `typing` has since Python 3.11."""
    if "typing_extensions" in sys.modules:
        return
    no_module = cast(ModuleType, None)  # the import system's way to say that there is none
    sys.modules["typing_extensions"] = no_module
    try:
        importlib.import_module("msgspec")
    finally:
        del sys.modules["typing_extensions"]


def _run(words: Sequence[str], console: Console) -> int:
    arguments = parse(words or _this_folder(console))
    if getattr(arguments, "workspace", "") is None:
        [arguments.workspace] = _this_folder(console, arguments.command)
    _refuse_address(arguments)
    console.quiet = arguments.quiet
    console.verbose = getattr(arguments, "verbose", False)
    collects = gc.isenabled()  # it isn't where the process ends with the command
    gc.disable()  # one shot: almost nothing that a command builds is freed before it ends
    _import_msgspec()
    named, _, function = COMMANDS_BY_NAME[arguments.command].module.partition(".")
    command = importlib.import_module(f"melleafy_tui.cli.commands.{named}")
    run: Callable[[argparse.Namespace, Console], int] = getattr(command, function or "run")
    if _only_shows_settings(arguments):
        from melleafy_tui.cli.workspace_conversion import show_settings

        run = show_settings
    for name in _READ:
        if hasattr(arguments, name):
            console.detail(f"read: {getattr(arguments, name)}")
    try:
        with console.timed("all"):
            return run(arguments, console)
    finally:
        if collects:
            gc.enable()


def _this_folder(console: Console, command: str = "") -> list[str]:
    """Return the current folder as the workspace, if it is an agent's own.

    Raises:
        UsageError: it isn't; without a command the help was printed.
    """
    from melleafy_tui.core.dialects.registry import Dialects

    names = [name for kind in Dialects.default().main_files for name in kind.names]
    if any(os.path.isfile(name) for name in names):  # noqa: PTH113
        return ["."]
    if not command and not console.json:
        show(parser_of(COMMANDS_BY_NAME[CONVERT]).format_help(), console.messages)
    raise UsageError(
        f"No workspace was named, and this folder holds none of {', '.join(names)}",
        hint=f"For example `{' '.join(filter(None, (PROGRAM, command)))} ./my-agent`.",
    )


_ADDRESS: Final = re.compile(r"(?:https?|ssh|git)://|git@[^/]+:")


def _refuse_address(arguments: argparse.Namespace) -> None:
    """Refuse the address of a repository in the place of a folder.

    Raises:
        UsageError: an argument is one.
    """
    for name in ("workspace", "package", "source", "old", "new"):
        named = str(getattr(arguments, name, ""))
        if _ADDRESS.match(named):
            raise UsageError(
                f"{named} is an address, not a folder on this machine",
                hint=f"Clone it first: `git clone {shlex.quote(named)}`, and name the folder.",
            )


def _only_shows_settings(arguments: argparse.Namespace) -> bool:
    """Return whether a command stops after its settings; `--all` and a package for `explain` refuse the option."""
    refuses = arguments.command == "explain" or getattr(arguments, "all", False)
    return bool(getattr(arguments, "show_settings", False)) and not refuses


def _report(error: MelleafyError, console: Console) -> int:
    code = exit_code(error)
    console.error(error)
    if console.json and not console.documents:
        console.object(
            {
                "error": {
                    "kind": type(error).__name__,
                    "message": error.message,
                    "hint": error.hint,
                    "location": error.location,
                    "commands": [command for command, _ in error.commands],
                },
                "exit_code": code,
            }
        )
    return code


def _of_the_system(fault: OSError) -> MelleafyError:
    """Return the error for a failure of the machine, such as a full disk; it isn't a bug to report."""
    return OutputRefused(
        f"The run stopped: {(fault.strerror or type(fault).__name__).lower()}",
        hint="Check this path, its permissions and the free space.",
        location=str(fault.filename or ""),
    )


def _report_fault(fault: Exception, console: Console) -> int:
    from melleafy_tui.actions.fault_log import write_fault_log

    if console.debug:
        sys.excepthook(type(fault), fault, fault.__traceback__)
    log = write_fault_log(fault)
    where = f"The log is {log}." if log else "No log could be written."
    error = MelleafyError(
        f"An unexpected fault stopped the run ({type(fault).__name__}); this is a bug of {PROGRAM}",
        hint=f"{where} Run again with --debug to see more.",
    )
    return _report(error, console)


def _wants_color(words: Sequence[str]) -> bool:
    refused = "--no-color" in words or bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
    return not refused and sys.stdout.isatty()


def _replace_closed_streams() -> None:
    """Open the null device for each standard stream that the caller closed; Python has None there."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115, PTH123 - open to the end


def _show_what_cannot_be_encoded(*streams: TextIO) -> None:
    """Print escapes on a terminal without Unicode instead of failing."""
    for stream in streams:
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
