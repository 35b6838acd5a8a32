"""The files of a crew."""

from typing import Final

from melleafy_tui.core.dialects.base import FileRule
from melleafy_tui.core.models.vocabulary import Category, Runtime

RUNTIME: Final = Runtime.CREWAI.value
AGENTS: Final = "config/agents.yaml"
TASKS: Final = "config/tasks.yaml"
FILE_RULES: Final = (
    FileRule("crewai.agents", f"*/{AGENTS}", "agents of a crew", Category.C1),
    FileRule("crewai.tasks", f"*/{TASKS}", "tasks of a crew", Category.C2),
    FileRule("crewai.code", "*.py", "code of a crew, parsed and never run", Category.C2),
)
