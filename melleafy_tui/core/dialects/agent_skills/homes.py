"""Where a line of a skill's body belongs: its form, and the heading or lead-in above it, decide alone."""

from collections.abc import Mapping
from typing import Final

from melleafy_tui.core.dialects.element_factory import Home
from melleafy_tui.core.models.vocabulary import Category, Tag

BODY: Final[Mapping[str, Home]] = {
    "schema": Home(Tag.SCHEMA, Category.NONE, "a field of the result", "skill.schema"),
    "step": Home(Tag.ORCHESTRATE, Category.C2, "a step of the work"),
    "command": Home(Tag.TOOL_TEMPLATE, Category.C6, "a fence of commands or code", "skill.guidance"),
    "endpoint": Home(Tag.TOOL_TEMPLATE, Category.C6, "a request with its address", "skill.endpoint"),
    "persona": Home(Tag.CONVERSE, Category.C1, "the text of an agent", "skill.persona"),
    "rule": Home(Tag.DECIDE, Category.C2, "a rule of the skill", "skill.rule"),
}
"""Homes by form; a step has no row, since each phase of steps becomes a call of its own."""
