"""The OpenClaw dialect: its tables and its reader."""

from melleafy_tui.core.dialects.base import Dialect
from melleafy_tui.core.dialects.openclaw import modality
from melleafy_tui.core.dialects.openclaw.file_rules import FILE_RULES
from melleafy_tui.core.dialects.openclaw.reader import files_to_open, generation, read_workspace, wants
from melleafy_tui.core.dialects.openclaw.stock_text import is_mostly_template, is_template_line
from melleafy_tui.core.dialects.signals import SIGNAL_TABLES
from melleafy_tui.core.models.vocabulary import Runtime
from melleafy_tui.core.source.sources_below import MainFiles


class OpenClawDialect(Dialect):
    """OpenClaw workspaces: SOUL.md, IDENTITY.md, AGENTS.md and the other bootstrap files."""

    runtime = Runtime.OPENCLAW.value
    title = "OpenClaw"
    source_title = "an OpenClaw workspace"
    main_files = MainFiles(runtime, ("SOUL.md", "IDENTITY.md"), independent=True, holders=("openclaw.json",))
    signals = SIGNAL_TABLES[runtime]
    file_rules = FILE_RULES
    tables = ("openclaw", "agent_skills")
    surfaces = tuple(rule.pattern for rule in FILE_RULES)
    wants = staticmethod(wants)
    belonging = staticmethod(files_to_open)
    generation = staticmethod(generation)
    modality_evidence = staticmethod(modality.modality_evidence)
    schedule = staticmethod(modality.schedule)
    read = staticmethod(read_workspace)

    def is_stock_text(self, line: str) -> bool:
        """Return whether a line is stock text from OpenClaw's templates."""
        return is_template_line(line) or is_mostly_template(line)
