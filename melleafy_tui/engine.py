"""Opens a conversion from a workspace path, with its dialects, generators and decisions.

Wizard and command line both open their conversion here; no other module combines these parts.
"""

import os
from collections.abc import Callable, Iterator
from datetime import date
from functools import partial
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from melleafy_tui.core.decisions.state import Decisions
from melleafy_tui.core.dialects.openclaw.extra_bootstrap import extra_paths
from melleafy_tui.core.dialects.registry import Dialects
from melleafy_tui.core.dialects.tool_facts import named_scripts
from melleafy_tui.core.errors import OutputRefused
from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.conversion_settings import Settings
from melleafy_tui.core.models.file_set import FileSet, RunCost
from melleafy_tui.core.models.snapshot import ReadingOptions, Snapshot
from melleafy_tui.core.models.vocabulary import DECISIONS_FILE
from melleafy_tui.core.output.emitted import package_folders
from melleafy_tui.core.pipeline.conversion import Conversion, RunContext
from melleafy_tui.core.source.bootstrap_files import refuse_unread_texts
from melleafy_tui.core.source.limits import LONGEST_NAME
from melleafy_tui.core.source.script_needs import needed_by
from melleafy_tui.core.source.snapshot_reader import Progress, read_snapshot
from melleafy_tui.user_folders import home_folder

OUTPUT_SUFFIX: Final = "_mellea"
EARLIER_OUTPUT: Final = "earlier-output"
"""The diagnostic code for a folder that has a `melleafy.json`."""


def open_conversion(
    workspace: Path,
    *,
    as_of: date,
    generated_at: str,
    settings: Settings | None = None,
    home: Path | None = None,
    earlier_day: date | None = None,
    out: Path | None = None,
    progress: Progress = lambda _share, _found: None,
    options: ReadingOptions = ReadingOptions(),  # noqa: B008 - frozen
) -> Conversion:
    """Read a workspace and return its conversion.

    Args:
        workspace: The folder, or its main file.
        as_of: The date of the conversion.
        generated_at: The timestamp of the package (`core/pipeline/timestamps.py`).
        settings: The initial settings.
        home: The home folder; only the existence of `.openclaw/` in it is checked.
        earlier_day: The date of the existing package; it is kept if `as_of` would change nothing else, so
            that a package doesn't change by its date alone.
        out: The output folder; None stands for the default one.
        progress: Called with the share of the reading that is done and what was read; may raise to end it.
        options: What the user allows the reader beyond the workspace.

    Raises:
        UnusableInput: there is nothing to convert at that path.
    """
    dialects = Dialects.default()
    snapshot = read_workspace(workspace, dialects, home=home, progress=progress, options=options)
    refuse_unread_texts(snapshot, decoded=True)

    def made_for(day: date) -> Conversion:
        return Conversion(
            snapshot,
            dialects=dialects,
            render=_render,
            price=_price,
            run_context=RunContext(day, generated_at, memory_folder(workspace, out)),
            decisions=Decisions(settings=settings or Settings()),
        )

    conversion = made_for(as_of)
    if earlier_day is not None and earlier_day != as_of:
        earlier = made_for(earlier_day)
        if earlier.inventory == conversion.inventory:
            return earlier
    return conversion


def read_workspace(
    workspace: Path,
    dialects: Dialects,
    *,
    home: Path | None = None,
    progress: Progress = lambda _share, _found: None,
    options: ReadingOptions = ReadingOptions(),  # noqa: B008 - frozen
) -> Snapshot:
    """Read a workspace, for the first time or again.

    A package of ours in it (`--in-place`) is not reported: a second run must give the same result as the
    first.

    Args:
        workspace: The folder, or its main file.
        dialects: The dialects that read it.
        home: The home folder; only the existence of `.openclaw/` in it is checked.
        progress: Called with the share of the reading that is done and what was read; may raise to end it.
        options: What the user allows the reader beyond the workspace.

    Raises:
        UnusableInput: there is nothing to convert at that path, or a bootstrap file can't be read.
    """
    snapshot = read_snapshot(
        workspace,
        wants=dialects.wants,
        reach=dialects.reach,
        home=home,
        outer_files=dialects.outer_files,
        named=lambda found: (*_named(found), *dialects.belonging(found)),
        progress=progress,
        options=options,
    )
    refuse_unread_texts(snapshot)
    ours = package_folders(Path(snapshot.root))
    return replace(
        snapshot,
        diagnostics=tuple(
            finding
            for finding in snapshot.diagnostics
            if not (finding.code == EARLIER_OUTPUT and finding.file in ours)
        ),
    )


def _named(snapshot: Snapshot) -> Iterator[str]:
    """Yield the files named by a hook or a tool, which no dialect asks for by itself."""
    yield from extra_paths(snapshot)
    yield from needed_by([*named_scripts(snapshot)], snapshot)


def source_reader(conversion: Conversion) -> Callable[[], Snapshot]:
    """Return a function that reads a conversion's workspace from disk again; it raises as `read_workspace` does."""
    root, primary = Path(conversion.snapshot.root), conversion.snapshot.primary
    workspace = root / primary if primary else root
    options = conversion.snapshot.options
    return partial(read_workspace, workspace, conversion.dialects, home=home_folder(), options=options)


def workspace_root(workspace: Path) -> Path:
    """Return the absolute folder of a workspace, given the folder or its main file."""
    absolute = Path(workspace).absolute()
    return absolute.parent if absolute.is_file() else absolute


def default_out(workspace: Path) -> Path:
    """Return the default output folder, next to a workspace; a name that would be too long is cut."""
    root = workspace_root(workspace).resolve()
    name = root.name or "workspace"
    while len(os.fsencode(f"{name}{OUTPUT_SUFFIX}")) > LONGEST_NAME:
        name = name[:-1]
    return root.parent / f"{name}{OUTPUT_SUFFIX}"


def memory_folder(workspace: Path, out: Path | None = None) -> str:
    """Return a workspace's path relative to its package in an output folder, `""` if they don't lie in one folder."""
    root = workspace_root(workspace).resolve()
    folder = (out or default_out(workspace)).resolve()
    if folder == root:  # --in-place
        return ".."
    return f"../../{root.name}" if folder.parent == root.parent and root.name else ""


def check_out(out: Path, root: Path) -> None:
    """Refuse an output folder that would change the source workspace.

    Raises:
        OutputRefused: it is the workspace, is inside it, or contains it.
    """
    real_out, real_root = out.resolve(), root.resolve()
    if real_out == real_root or real_root in real_out.parents:
        raise OutputRefused(
            f"The output folder {out} lies in the workspace, which is never changed",
            hint="Choose a folder outside, or use --in-place to add the package to the workspace.",
        )
    if real_out in real_root.parents:
        raise OutputRefused(
            f"The output folder {out} holds the workspace itself",
            hint="Choose a folder of its own with --out.",
        )


def decisions_beside(workspace: Path) -> Path | None:
    """Return the decisions file in a workspace or in its output folder, or None; a link may lead anywhere."""
    places = (workspace_root(workspace) / DECISIONS_FILE, default_out(workspace) / DECISIONS_FILE)
    return next((place for place in places if place.is_file() and not place.is_symlink()), None)


def _price(committed: CommittedPlan) -> RunCost:
    from melleafy_tui.generators.first_turn import run_cost  # most commands need no figures

    return run_cost(committed)


def _render(committed: CommittedPlan) -> FileSet:
    from melleafy_tui.generators.render import render_package  # most commands don't render

    return render_package(committed)
