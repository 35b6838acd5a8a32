"""The OpenClaw dialect: its tables and its reader."""

from melleafy_tui.core.dialects.base import FileRule, MappingRow, Reading, ReadingContext, Signal
from melleafy_tui.core.dialects.openclaw import modality
from melleafy_tui.core.dialects.openclaw.file_rules import FILE_RULES, SIGNALS
from melleafy_tui.core.dialects.openclaw.reader import generation, read_workspace, wants
from melleafy_tui.core.dialects.openclaw.stock_text import is_mostly_template, is_template_line
from melleafy_tui.core.dialects.row_tables import mapping_rows
from melleafy_tui.core.models.classification import ModalityEvidence, Schedule
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.models.vocabulary import Runtime
from melleafy_tui.core.source.sources_below import MainFiles


class OpenClawDialect:
    """OpenClaw workspaces: SOUL.md, IDENTITY.md, AGENTS.md and the other bootstrap files."""

    @property
    def runtime(self) -> str:
        """Return the runtime's name."""
        return Runtime.OPENCLAW.value

    @property
    def title(self) -> str:
        """Return the runtime's display name."""
        return "OpenClaw"

    @property
    def source_title(self) -> str:
        """Return the name for one source of this runtime."""
        return "an OpenClaw workspace"

    @property
    def main_files(self) -> MainFiles:
        """Return the files that make a folder a source of this runtime."""
        return MainFiles(
            self.runtime, ("SOUL.md", "IDENTITY.md"), independent=True, holders=("openclaw.json",)
        )

    @property
    def signals(self) -> tuple[Signal, ...]:
        """Return the detection table."""
        return SIGNALS

    @property
    def file_rules(self) -> tuple[FileRule, ...]:
        """Return the file inventory table."""
        return FILE_RULES

    @property
    def surfaces(self) -> tuple[str, ...]:
        """Return where the files that it reads can be: as its file rules say."""
        return tuple(rule.pattern for rule in FILE_RULES)

    @property
    def mapping_rows(self) -> tuple[MappingRow, ...]:
        """Return the mapping table."""
        return mapping_rows("openclaw")

    def wants(self, path: str) -> bool:
        """Return whether the snapshot should open the file at this path."""
        return wants(path)

    def generation(self, snapshot: Snapshot) -> str:
        """Return the generation of OpenClaw that the source uses, in words."""
        return generation(snapshot)

    def modality_evidence(self, snapshot: Snapshot) -> tuple[ModalityEvidence, ...]:
        """Return every modality signal in the source."""
        return modality.modality_evidence(snapshot)

    def schedule(self, snapshot: Snapshot) -> Schedule:
        """Return the declared schedule, empty if there is none."""
        return modality.schedule(snapshot)

    def read(self, snapshot: Snapshot, context: ReadingContext) -> Reading:
        """Return the files and elements of the source."""
        return read_workspace(snapshot, context)

    def is_stock_text(self, line: str) -> bool:
        """Return whether a line is stock text from OpenClaw's templates."""
        return is_template_line(line) or is_mostly_template(line)
