"""The LangGraph dialect: its tables and its reader."""

from collections.abc import Iterable

from melleafy_tui.core.dialects.base import Dialect, Reading, ReadingContext
from melleafy_tui.core.dialects.langgraph.file_rules import CONFIGURATION, FILE_RULES, RUNTIME
from melleafy_tui.core.dialects.matchers import imported_files
from melleafy_tui.core.dialects.signals import SIGNAL_TABLES
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.source.sources_below import MainFiles


class LangGraphDialect(Dialect):
    """LangGraph projects: a graph of nodes, or a prebuilt agent."""

    runtime = RUNTIME
    title = "LangGraph"
    source_title = "a LangGraph project"
    signals = SIGNAL_TABLES[runtime]
    file_rules = FILE_RULES
    tables = ("langgraph",)
    main_files = MainFiles(RUNTIME, (CONFIGURATION,))
    surfaces = (f"**/{CONFIGURATION}",)

    def wants(self, path: str) -> bool:
        """Return whether the snapshot should open the file at this path."""
        return path.rpartition("/")[2] == CONFIGURATION

    def belonging(self, snapshot: Snapshot) -> Iterable[str]:
        """Return the modules that those with a graph import."""
        return imported_files(snapshot, "langgraph")

    def read(self, snapshot: Snapshot, context: ReadingContext) -> Reading:  # noqa: ARG002 - required by the protocol
        """Return the files and elements of the project, and the steps of its graph."""
        from melleafy_tui.core.dialects.langgraph.reader import GraphReader  # most runs read no graph

        return GraphReader(snapshot).read()
