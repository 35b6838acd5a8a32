"""`diff`: says what changed between two workspaces, two releases of a skill, or their packages."""

import argparse
from pathlib import Path

from melleafy_tui.actions.recorded_provenance import is_package
from melleafy_tui.actions.workspace_diff import (
    Comparison,
    ElementChange,
    FileDifference,
    PackageFacts,
    Side,
    compare,
    package_side,
    workspace_side,
)
from melleafy_tui.cli.console import Console
from melleafy_tui.cli.differences import markdown, only, print_comparison
from melleafy_tui.cli.json_documents import Document, part_of
from melleafy_tui.cli.workspace_conversion import (
    open_session,
    refuse_conversion_options,
)
from melleafy_tui.core.errors import UnusableInput, UsageError

EXIT_DIFFERENT = 15
"""As for `check`: what was compared isn't the same."""

_TWO = (
    "Name two workspaces, skills or packages; an earlier commit needs a checkout of its own "
    "(`git worktree add ../old COMMIT`)."
)


class DiffDocument(Document, frozen=True, kw_only=True):
    """The document of `diff --json`; the texts of elements are whole, with secrets masked."""

    old_source: str
    new_source: str
    differs: bool
    old: PackageFacts
    new: PackageFacts
    changes: tuple[ElementChange, ...]
    files: tuple[FileDifference, ...]
    new_variables: tuple[str, ...]
    removed_variables: tuple[str, ...]
    new_callable_tools: tuple[str, ...]
    removed_callable_tools: tuple[str, ...]
    exit_code: int


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Print what changed, and return 0, or with `--exit-code` 15 if anything did.

    Args:
        arguments: The command line; `old` and `new` are workspaces, packages or output folders.
        console: Where the result is printed.

    Raises:
        UnusableInput: A side doesn't exist or can't be read.
        UsageError: Both sides are the same folder, or options contradict each other.
    """
    if arguments.json and arguments.format == "markdown":
        raise UsageError("--json and --format=markdown contradict each other", hint="Give one of them.")
    _refuse_unusable(arguments)
    comparison = compare(*(_side(arguments, name, console) for name in (arguments.old, arguments.new)))
    old, new = comparison.old.runtime, comparison.new.runtime
    if old != new:
        console.message(f"note: OLD is read as {old} and NEW as {new}; --source-runtime sets it for both.")
    code = EXIT_DIFFERENT if arguments.exit_code and comparison.differs else 0
    if arguments.json:
        console.document(_document(arguments, comparison, code))
    elif console.quiet:
        pass
    elif arguments.format == "markdown":
        console.lines(markdown(comparison, arguments.old, arguments.new))
    else:
        print_comparison(comparison, arguments.old, arguments.new, console)
    return code


def _refuse_unusable(arguments: argparse.Namespace) -> None:
    for side, name in (("old", arguments.old), ("new", arguments.new)):
        if not Path(name).exists():
            raise UnusableInput(f"The {side} side doesn't exist", hint=_TWO, location=name)
    if Path(arguments.old).resolve() == Path(arguments.new).resolve():
        raise UsageError("OLD and NEW are the same folder", hint=_TWO)
    if is_package(Path(arguments.old)) and is_package(Path(arguments.new)):
        refuse_conversion_options(arguments)


def _side(arguments: argparse.Namespace, name: str, console: Console) -> Side:
    if is_package(Path(name)):
        return package_side(Path(name))
    of_side = argparse.Namespace(**{**vars(arguments), "workspace": name})
    return workspace_side(open_session(of_side, console).conversion)


def _document(arguments: argparse.Namespace, comparison: Comparison, code: int) -> DiffDocument:
    old, new = comparison.old, comparison.new
    return part_of(
        DiffDocument,
        comparison,
        old_source=arguments.old,
        new_source=arguments.new,
        new_variables=only(new.variables, old.variables),
        removed_variables=only(old.variables, new.variables),
        new_callable_tools=only(new.callable_tools, old.callable_tools),
        removed_callable_tools=only(old.callable_tools, new.callable_tools),
        exit_code=code,
    )
