"""The LangGraph dialect: its tables and its reader."""

from typing import Final

from melleafy_tui.core.dialects.base import (
    MappingRow,
    Reading,
    ReadingContext,
    no_schedule,
    one_generation,
)
from melleafy_tui.core.dialects.langgraph.file_rules import CONFIGURATION, FILE_RULES, RUNTIME
from melleafy_tui.core.dialects.row_tables import mapping_rows
from melleafy_tui.core.dialects.signals import SIGNAL_TABLES
from melleafy_tui.core.models.classification import ModalityEvidence
from melleafy_tui.core.models.snapshot import Snapshot

BESIDE: Final = ("prompts.py", "state.py", "context.py", "configuration.py", "tools_and_schemas.py")
"""Modules that graphs take texts and types from, and that needn't import langgraph themselves."""


class LangGraphDialect:
    """LangGraph projects: a graph of nodes, or a prebuilt agent."""

    runtime = RUNTIME
    title = "LangGraph"
    source_title = "a LangGraph project"
    signals = SIGNAL_TABLES[runtime]
    file_rules = FILE_RULES
    surfaces = (f"**/{CONFIGURATION}", *(f"**/{name}" for name in BESIDE))
    generation = staticmethod(one_generation)
    schedule = staticmethod(no_schedule)

    @property
    def mapping_rows(self) -> tuple[MappingRow, ...]:
        """Return the mapping table."""
        return mapping_rows("langgraph")

    def wants(self, path: str) -> bool:
        """Return whether the snapshot should open the file at this path."""
        return path.rpartition("/")[2] in (CONFIGURATION, *BESIDE) and path.count("/") <= DEEPEST

    def modality_evidence(self, snapshot: Snapshot) -> tuple[ModalityEvidence, ...]:  # noqa: ARG002 - required by the protocol
        """Return no evidence: a graph is called once and answers."""
        return ()

    def read(self, snapshot: Snapshot, context: ReadingContext) -> Reading:  # noqa: ARG002 - required by the protocol
        """Return the files and elements of the project, and the steps of its graph."""
        from melleafy_tui.core.dialects.langgraph.reader import GraphReader  # most runs read no graph

        return GraphReader(snapshot).read()


DEEPEST: Final = 5
"""How many folders down the modules beside a graph are read."""
