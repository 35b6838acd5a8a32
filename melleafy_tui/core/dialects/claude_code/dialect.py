"""The Claude Code dialect: its tables and its reader.

Imports that only reading needs are made in the methods: every conversion asks every dialect which files it wants.
"""

from collections.abc import Iterable

from melleafy_tui.core.dialects.base import Dialect, Reading, ReadingContext
from melleafy_tui.core.dialects.claude_code.file_rules import FILE_RULES, SURFACES, rule_for, wants
from melleafy_tui.core.dialects.claude_code.instructions import OUTER_FILES
from melleafy_tui.core.dialects.signals import SIGNAL_TABLES
from melleafy_tui.core.models.classification import ModalityEvidence
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.models.vocabulary import Runtime
from melleafy_tui.core.source.sources_below import MainFiles


class ClaudeCodeDialect(Dialect):
    """Claude Code: CLAUDE.md, `.claude/`, `.mcp.json`, plugins."""

    runtime = Runtime.CLAUDE_CODE.value
    title = "Claude Code"
    source_title = "a Claude Code project"
    main_files = MainFiles(runtime, ("CLAUDE.md",))
    signals = SIGNAL_TABLES[runtime]
    file_rules = FILE_RULES
    tables = ("claude_code", "agent_skills")
    surfaces = SURFACES
    outer_files = OUTER_FILES
    wants = staticmethod(wants)

    def belonging(self, snapshot: Snapshot) -> Iterable[str]:
        """Return the parts of a plugin, and the files of the skill that is converted."""
        if snapshot.has("SOUL.md") and not any(
            rule_for(path) for path in snapshot.paths if path != "AGENTS.md"
        ):
            return ()  # beside SOUL.md, an AGENTS.md alone is another runtime's; the reader takes 18 ms to import
        from melleafy_tui.core.dialects.claude_code.reader import files_to_open

        return files_to_open(snapshot)

    def modality_evidence(self, snapshot: Snapshot) -> tuple[ModalityEvidence, ...]:
        """Return every modality signal in the source."""
        from melleafy_tui.core.dialects.claude_code.modality import modality_evidence

        return tuple(modality_evidence(snapshot))

    def read(self, snapshot: Snapshot, context: ReadingContext) -> Reading:  # noqa: ARG002 - required by the protocol
        """Return the files and elements of the source."""
        from melleafy_tui.core.dialects.claude_code.reader import read_workspace

        return read_workspace(snapshot)
