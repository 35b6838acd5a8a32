"""The CrewAI dialect: its tables and its reader."""

from melleafy_tui.core.dialects.base import (
    MappingRow,
    Reading,
    ReadingContext,
    no_schedule,
    one_generation,
)
from melleafy_tui.core.dialects.crewai.file_rules import AGENTS, FILE_RULES, RUNTIME, TASKS
from melleafy_tui.core.dialects.row_tables import mapping_rows
from melleafy_tui.core.dialects.signals import SIGNAL_TABLES
from melleafy_tui.core.models.classification import ModalityEvidence
from melleafy_tui.core.models.snapshot import Snapshot


class CrewAIDialect:
    """CrewAI projects: agents and tasks in YAML or Python, and the crew that orders them."""

    runtime = RUNTIME
    title = "CrewAI"
    source_title = "a CrewAI project"
    signals = SIGNAL_TABLES[runtime]
    file_rules = FILE_RULES
    surfaces = (f"**/{AGENTS}", f"**/{TASKS}")
    generation = staticmethod(one_generation)
    schedule = staticmethod(no_schedule)

    @property
    def mapping_rows(self) -> tuple[MappingRow, ...]:
        """Return the mapping table."""
        return mapping_rows("crewai")

    def wants(self, path: str) -> bool:
        """Return whether the snapshot should open the file at this path."""
        return path.endswith((AGENTS, TASKS))

    def modality_evidence(self, snapshot: Snapshot) -> tuple[ModalityEvidence, ...]:  # noqa: ARG002 - required by the protocol
        """Return no evidence: a crew is called once and answers."""
        return ()

    def read(self, snapshot: Snapshot, context: ReadingContext) -> Reading:  # noqa: ARG002 - required by the protocol
        """Return the files and elements of the project, and the steps of its crew."""
        from melleafy_tui.core.dialects.crewai.reader import CrewReader  # most runs read no crew

        return CrewReader(snapshot).read()
