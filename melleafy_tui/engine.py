"""Putting the parts together: a workspace path becomes a conversion with dialects, generators and decisions.

Both doors, wizard and command line, open their conversion here; nothing else knows all the parts.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from functools import cache, partial
from pathlib import Path
from typing import Final

from melleafy_tui.core.decisions.state import Decisions
from melleafy_tui.core.dialects.registry import Dialects
from melleafy_tui.core.dialects.tool_facts import named_scripts
from melleafy_tui.core.errors import OutputRefused
from melleafy_tui.core.models.settings import Settings
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.models.vocabulary import DECISIONS_FILE
from melleafy_tui.core.openclaw.prompt.extra_files import extra_paths
from melleafy_tui.core.output.emitted import package_folders
from melleafy_tui.core.pipeline.conversion import Conversion, RenderPackage, RunContext
from melleafy_tui.core.source.reader import read_snapshot
from melleafy_tui.user_folders import home_folder

OUTPUT_SUFFIX: Final = "_mellea"
EARLIER_OUTPUT: Final = "earlier-output"
"""The reader's code for a folder that holds a `melleafy.json`."""


def open_conversion(
    workspace: Path,
    *,
    as_of: date,
    generated_at: str,
    settings: Settings | None = None,
    home: Path | None = None,
    earlier_day: date | None = None,
) -> Conversion:
    """Read a workspace and return its conversion.

    Args:
        workspace: The folder, or its main file.
        as_of: The day the conversion is made for.
        generated_at: The stamp of the package (`core/pipeline/timestamps.py`).
        settings: The settings to start from.
        home: The home folder, looked at for the existence of `.openclaw/` only.
        earlier_day: The day of the package that is there already; it stays where `as_of` would change nothing, so that
            a package does not age by the date alone.

    Raises:
        UnusableInput: there is nothing to convert at that path.
    """
    dialects = Dialects.default()
    snapshot = read_workspace(workspace, dialects, home=home)

    renderer = cache(_load_renderer)

    def made_for(day: date) -> Conversion:
        return Conversion(
            snapshot,
            dialects=dialects,
            render=lambda committed: renderer()(committed),
            run_context=RunContext(as_of=day, generated_at=generated_at),
            decisions=Decisions(settings=settings or Settings()),
        )

    conversion = made_for(as_of)
    if earlier_day is not None and earlier_day != as_of:
        earlier = made_for(earlier_day)
        if earlier.inventory == conversion.inventory:
            return earlier
    return conversion


def read_workspace(workspace: Path, dialects: Dialects, *, home: Path | None = None) -> Snapshot:
    """Read a workspace, or read it again.

    A package of ours in it (`--in-place`) is no finding about the source: the second run must give what the first gave.

    Raises:
        UnusableInput: there is nothing to convert at that path.
    """
    around = dialects.surroundings
    snapshot = read_snapshot(workspace, wants=dialects.wants, home=home, surroundings=around)
    by_name = (*extra_paths(snapshot), *named_scripts(snapshot))
    unopened = frozenset(path for path in by_name if snapshot.file(path) is None)
    if (
        unopened
    ):  # files that a hook puts into the prompt, or a tool runs, and that no dialect asks for by themselves

        def wants(path: str) -> bool:
            return path in unopened or dialects.wants(path)

        snapshot = read_snapshot(workspace, wants=wants, home=home, surroundings=around)
    ours = package_folders(Path(snapshot.root))
    return replace(
        snapshot,
        diagnostics=tuple(
            finding
            for finding in snapshot.diagnostics
            if not (finding.code == EARLIER_OUTPUT and finding.file in ours)
        ),
    )


def source_reader(conversion: Conversion) -> Callable[[], Snapshot]:
    """Return what reads the workspace of a conversion as it is on the disk now; it raises as `read_workspace` does."""
    root, primary = Path(conversion.snapshot.root), conversion.snapshot.primary
    workspace = root / primary if primary else root
    return partial(read_workspace, workspace, conversion.dialects, home=home_folder())


def workspace_root(workspace: Path) -> Path:
    """Return the folder of a workspace that is named by its folder or by its main file, absolute."""
    absolute = Path(workspace).absolute()
    return absolute.parent if absolute.is_file() else absolute


def default_out(workspace: Path) -> Path:
    """Return the output folder beside a workspace."""
    root = workspace_root(workspace).resolve()
    return root.parent / f"{root.name or 'workspace'}{OUTPUT_SUFFIX}"


def check_out(out: Path, root: Path) -> None:
    """Refuse an output folder that would change the source workspace.

    Raises:
        OutputRefused: it is the workspace, lies inside it, or holds it.
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
    """Return the decisions file that lies in a workspace or in its output folder, or None."""
    places = (workspace_root(workspace) / DECISIONS_FILE, default_out(workspace) / DECISIONS_FILE)
    return next((place for place in places if place.is_file()), None)


def _load_renderer() -> RenderPackage:
    from melleafy_tui.generators.render import Renderer  # most commands never render

    return Renderer()
