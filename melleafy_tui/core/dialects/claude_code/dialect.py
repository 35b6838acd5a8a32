"""The Claude Code dialect: its tables and its reader.

Imports that only reading needs are made in the methods: every conversion asks every dialect which files it wants.
"""

from melleafy_tui.core.dialects.base import FileRule, MappingRow, Reading, ReadingContext, Signal
from melleafy_tui.core.dialects.claude_code import file_rules
from melleafy_tui.core.dialects.claude_code.instructions import OUTER_FILES
from melleafy_tui.core.dialects.row_tables import mapping_rows
from melleafy_tui.core.dialects.signals import CLAUDE_CODE
from melleafy_tui.core.models.classification import ModalityEvidence, Schedule
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.models.vocabulary import Runtime
from melleafy_tui.core.source.outer_files import OuterFiles
from melleafy_tui.core.source.sources_below import MainFiles


class ClaudeCodeDialect:
    """Claude Code: CLAUDE.md, `.claude/`, `.mcp.json`, plugins."""

    @property
    def runtime(self) -> str:
        """Return the runtime's name."""
        return Runtime.CLAUDE_CODE.value

    @property
    def title(self) -> str:
        """Return the runtime's display name."""
        return "Claude Code"

    @property
    def source_title(self) -> str:
        """Return the name for one source of this runtime."""
        return "a Claude Code project"

    @property
    def main_files(self) -> MainFiles:
        """Return the files that make a folder a source of this runtime."""
        return MainFiles(self.runtime, ("CLAUDE.md",))

    @property
    def signals(self) -> tuple[Signal, ...]:
        """Return the detection table."""
        return CLAUDE_CODE

    @property
    def file_rules(self) -> tuple[FileRule, ...]:
        """Return the file inventory table."""
        return file_rules.FILE_RULES

    @property
    def surfaces(self) -> tuple[str, ...]:
        """Return where the files that it reads can be: as its file rules say, and those of skills in skill folders."""
        return file_rules.SURFACES

    @property
    def mapping_rows(self) -> tuple[MappingRow, ...]:
        """Return the mapping table: its own rows, then those for the parts that a skill has too."""
        return mapping_rows("claude_code") + mapping_rows("agent_skills")

    @property
    def outer_files(self) -> OuterFiles:
        """Return which files above the root, and which imports, are read."""
        return OUTER_FILES

    def wants(self, path: str) -> bool:
        """Return whether the snapshot should open the file at this path."""
        return file_rules.wants(path)

    def generation(self, snapshot: Snapshot) -> str:  # noqa: ARG002 - required by the protocol
        """Return `""`: Claude Code has one generation."""
        return ""

    def modality_evidence(self, snapshot: Snapshot) -> tuple[ModalityEvidence, ...]:
        """Return every modality signal in the source."""
        from melleafy_tui.core.dialects.claude_code.modality import modality_evidence

        return tuple(modality_evidence(snapshot))

    def schedule(self, snapshot: Snapshot) -> Schedule:
        """Return the declared schedule, empty if there is none."""
        from melleafy_tui.core.dialects.claude_code.modality import schedule

        return schedule(snapshot)

    def read(self, snapshot: Snapshot, context: ReadingContext) -> Reading:  # noqa: ARG002 - required by the protocol
        """Return the files and elements of the source."""
        from melleafy_tui.core.dialects.claude_code.reader import read_workspace

        return read_workspace(snapshot)
