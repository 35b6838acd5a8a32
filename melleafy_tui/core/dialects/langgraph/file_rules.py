"""The files of a graph."""

from typing import Final

from melleafy_tui.core.dialects.base import FileRule
from melleafy_tui.core.models.vocabulary import Category, Runtime

RUNTIME: Final = Runtime.LANGGRAPH.value
CONFIGURATION: Final = "langgraph.json"
FILE_RULES: Final = (
    FileRule("langgraph.code", "*.py", "code of a graph, parsed and never run", Category.C2),
    FileRule("langgraph.configuration", CONFIGURATION, "the graphs of a project", Category.NONE),
)
