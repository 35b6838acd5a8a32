"""The CrewAI dialect: its tables and its reader."""

from collections.abc import Iterable

from melleafy_tui.core.dialects.base import Dialect, Reading, ReadingContext
from melleafy_tui.core.dialects.crewai.file_rules import AGENTS, FILE_RULES, RUNTIME, TASKS
from melleafy_tui.core.dialects.matchers import imported_files
from melleafy_tui.core.dialects.signals import SIGNAL_TABLES
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.source.sources_below import MainFiles


class CrewAIDialect(Dialect):
    """CrewAI projects: agents and tasks in YAML or Python, and the crew that orders them."""

    runtime = RUNTIME
    title = "CrewAI"
    source_title = "a CrewAI project"
    signals = SIGNAL_TABLES[runtime]
    file_rules = FILE_RULES
    tables = ("crewai",)
    main_files = MainFiles(RUNTIME, ("crew.py", AGENTS), project="pyproject.toml")
    surfaces = (f"**/{AGENTS}", f"**/{TASKS}")

    def wants(self, path: str) -> bool:
        """Return whether the snapshot should open the file at this path."""
        return path.endswith((AGENTS, TASKS))

    def belonging(self, snapshot: Snapshot) -> Iterable[str]:
        """Return the modules that those with a crew import."""
        return imported_files(snapshot, "crewai")

    def read(self, snapshot: Snapshot, context: ReadingContext) -> Reading:  # noqa: ARG002 - required by the protocol
        """Return the files and elements of the project, and the steps of its crew."""
        from melleafy_tui.core.dialects.crewai.reader import CrewReader  # most runs read no crew

        return CrewReader(snapshot).read()
