"""The LangGraph dialect: its tables and its reader."""

from typing import Final

from melleafy_tui.core.dialects.base import Dialect, Reading, ReadingContext
from melleafy_tui.core.dialects.langgraph.file_rules import CONFIGURATION, FILE_RULES, RUNTIME
from melleafy_tui.core.dialects.signals import SIGNAL_TABLES
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.source.sources_below import MainFiles

BESIDE: Final = ("prompts.py", "state.py", "context.py", "configuration.py", "tools_and_schemas.py")
"""Modules that graphs take texts and types from, and that needn't import langgraph themselves."""


class LangGraphDialect(Dialect):
    """LangGraph projects: a graph of nodes, or a prebuilt agent."""

    runtime = RUNTIME
    title = "LangGraph"
    source_title = "a LangGraph project"
    signals = SIGNAL_TABLES[runtime]
    file_rules = FILE_RULES
    tables = ("langgraph",)
    main_files = MainFiles(RUNTIME, (CONFIGURATION,))
    surfaces = (f"**/{CONFIGURATION}", *(f"**/{name}" for name in BESIDE))

    def wants(self, path: str) -> bool:
        """Return whether the snapshot should open the file at this path."""
        return path.rpartition("/")[2] in (CONFIGURATION, *BESIDE) and path.count("/") <= DEEPEST

    def read(self, snapshot: Snapshot, context: ReadingContext) -> Reading:  # noqa: ARG002 - required by the protocol
        """Return the files and elements of the project, and the steps of its graph."""
        from melleafy_tui.core.dialects.langgraph.reader import GraphReader  # most runs read no graph

        return GraphReader(snapshot).read()


DEEPEST: Final = 5
"""How many folders down the modules beside a graph are read."""
