"""Makes the package that the decisions give, with its lints and the plan of the write, for a wizard to keep."""

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
    """The files and lints of one state of the decisions."""

    decisions: Decisions
    snapshot: Snapshot
    files: FileSet
    lints: LintReport
    plan: WritePlan | None = None
    seconds: float = 0.0
    """How long it took, so that the next one waits its turn on a large workspace."""
    refusal: str = ""
    """Why the output folder cannot be used, where it cannot."""

    def is_of(self, conversion: Conversion) -> bool:
        """Return whether this is what the conversion gives as it stands."""
        return self.decisions == conversion.decisions and self.snapshot is conversion.snapshot


@dataclass(frozen=True)
class RenderedAhead:
    """One file of one state of the decisions, made before the others so that a change is seen at once."""

    decisions: Decisions
    snapshot: Snapshot
    file: EmittedFile

    def is_of(self, conversion: Conversion) -> bool:
        """Return whether this is what the conversion gives as it stands."""
        return self.decisions == conversion.decisions and self.snapshot is conversion.snapshot


def ahead(conversion: Conversion, path: str) -> RenderedAhead | None:
    """Return one file as it will be written, without making the others.

    Args:
        conversion: The conversion; a copy where this runs in a thread.
        path: Its path in the output folder; within the package where that is written into the workspace.
    """
    files = conversion.rendered
    found = files.file(path) or files.file(f"{files.package_name}/{path}")
    if found is None or path.endswith(MANIFEST_NAME):  # its stamp is settled when all files are there
        return None
    file = found if found.path == path else EmittedFile(path, found.data, found.provenance)
    return RenderedAhead(conversion.decisions, conversion.snapshot, file)


def render(
    conversion: Conversion, out: Path, *, now: str, force: bool, restore: Collection[str] = ()
) -> Rendered:
    """Render and lint a conversion and plan the write.

    Args:
        conversion: The conversion; a copy where this runs in a thread.
        out: The output folder.
        now: The stamp for files that differ from those on the disk, `""` to keep the conversion's own.
        force: Whether edited files may be overwritten.
        restore: Deleted files that are to be written again.
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
    """Return what there is to keep where the package cannot be rendered: no files, and why."""
    empty = FileSet((), conversion.committed.package_name)
    return Rendered(
        conversion.decisions, conversion.snapshot, empty, LintReport(results=()), refusal=str(error)
    )
