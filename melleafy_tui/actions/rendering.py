"""Renders the package for the current decisions, with its lint findings and the plan of the write."""

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from melleafy_tui.core.decisions.state import Decisions
from melleafy_tui.core.errors import MelleafyError
from melleafy_tui.core.models.file_set import EmittedFile, FileSet
from melleafy_tui.core.models.reports import LintReport
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.output.emitted import MANIFEST_NAME
from melleafy_tui.core.output.plan import WritePlan, plan_write
from melleafy_tui.core.pipeline.conversion import Conversion
from melleafy_tui.core.pipeline.timestamps import settled


@dataclass(frozen=True)
class Rendered:
    """The files and lint findings for one state of the decisions."""

    decisions: Decisions
    snapshot: Snapshot
    files: FileSet
    lints: LintReport
    plan: WritePlan | None = None
    seconds: float = 0.0
    """How long rendering took; on a large workspace the next one is delayed accordingly."""
    refusal: str = ""
    """Why the output folder can't be used, or `""`."""

    def is_of(self, conversion: Conversion) -> bool:
        """Return whether this was rendered for the conversion's current decisions and source."""
        return self.decisions == conversion.decisions and self.snapshot is conversion.snapshot


@dataclass(frozen=True)
class RenderedAhead:
    """One file rendered before the others, so that a change shows at once."""

    decisions: Decisions
    snapshot: Snapshot
    file: EmittedFile

    def is_of(self, conversion: Conversion) -> bool:
        """Return whether this was rendered for the conversion's current decisions and source."""
        return self.decisions == conversion.decisions and self.snapshot is conversion.snapshot


def render_file(conversion: Conversion, path: str) -> RenderedAhead | None:
    """Render one file as it will be written, without the others.

    Args:
        conversion: The conversion; a copy if this runs in a thread.
        path: Its path in the output folder, or within the package if that is written into the workspace.
    """
    files = conversion.rendered
    found = files.file(path) or files.file(f"{files.package_name}/{path}")
    if found is None or path.endswith(MANIFEST_NAME):  # the manifest's timestamp depends on all files
        return None
    file = found if found.path == path else EmittedFile(path, found.data, found.provenance)
    return RenderedAhead(conversion.decisions, conversion.snapshot, file)


def render(
    conversion: Conversion, out: Path, *, now: str, force: bool, restore: Collection[str] = ()
) -> Rendered:
    """Render and lint a conversion, and plan the write.

    Args:
        conversion: The conversion; a copy if this runs in a thread.
        out: The output folder.
        now: The timestamp for files that differ from those on disk, `""` to keep the conversion's own.
        force: Whether edited files may be overwritten.
        restore: Deleted files to write again.
    """
    started = monotonic()
    files = settled(conversion, out, now)
    plan: WritePlan | None = None
    refusal = ""
    try:
        plan = plan_write(files, out, force=force, restore=restore)
    except MelleafyError as error:
        refusal = str(error)
    lints = conversion.lints
    took = monotonic() - started
    return Rendered(conversion.decisions, conversion.snapshot, files, lints, plan, took, refusal)


def refused(conversion: Conversion, error: MelleafyError) -> Rendered:
    """Return a result without files that says why the package can't be rendered."""
    empty = FileSet((), conversion.committed.package_name)
    return Rendered(
        conversion.decisions, conversion.snapshot, empty, LintReport(results=()), refusal=str(error)
    )
