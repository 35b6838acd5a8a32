"""`explain`: says which elements a source line became, or which ones an emitted line comes from, and why."""

import argparse
from pathlib import Path

from melleafy_tui.actions.recorded_provenance import is_package, read_recorded_package
from melleafy_tui.cli.console import Console
from melleafy_tui.cli.explanation import Provenance, explain, known_files, plain_path
from melleafy_tui.cli.workspace_conversion import (
    named_decisions,
    open_session,
    refuse_conversion_options,
    say_unused_decisions,
    show_settings,
)
from melleafy_tui.engine import workspace_root


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Print where the lines of a file come from and what became of them.

    Args:
        arguments: The command line; `workspace` is a workspace, a package or its output folder.
        console: Where the result is printed.

    Raises:
        UnusableInput: There is no such file or line, or a package has no usable records.
        UsageError: The lines are misspelt, or a package is given conversion options.
    """
    source = Path(arguments.workspace)
    if is_package(source):
        found = _of_package(source, arguments)
    elif arguments.show_settings:
        return show_settings(arguments, console)
    else:
        found = _of_workspace(arguments, console)
    explain(found, arguments.workspace, arguments.file, console)
    return 0


# --- the two kinds of source ------------------------------------------------------------------


def _of_workspace(arguments: argparse.Namespace, console: Console) -> Provenance:
    _, decisions_path = named_decisions(arguments)
    session = open_session(arguments, console, decisions_path=decisions_path)
    say_unused_decisions(arguments, session, console)
    root = workspace_root(Path(arguments.workspace))
    out = root if session.configuration["in_place"] else session.out
    return Provenance.of(session.conversion, session.conversion.files, root, out)


def _of_package(source: Path, arguments: argparse.Namespace) -> Provenance:
    refuse_conversion_options(arguments)
    package = read_recorded_package(source)
    folder, inventory = plain_path(source), package.inventory
    return Provenance(
        kind="package",
        root=None,
        out=folder if (folder / package.files.package_name).is_dir() else folder.parent,
        sources=known_files(inventory.files, inventory.elements),
        elements=inventory.elements,
        plan=package.plan,
        files=package.files,
    )
