"""Where a line of an OpenClaw workspace belongs: its file, and its form in that file, decide alone.

One row a file and form. Nothing here looks at what a line says; what may happen because of it is decided apart.
"""

from collections.abc import Mapping
from typing import Final

from melleafy_tui.core.dialects.element_factory import Home
from melleafy_tui.core.dialects.rules_document import RulesPlaces
from melleafy_tui.core.models.vocabulary import Category, Tag

SECTIONS: Final[Mapping[str, Home]] = {
    "openclaw.soul": Home(Tag.CONVERSE, Category.C1, "a section of SOUL.md", "soul.body"),
    "openclaw.memory": Home(Tag.QUERY, Category.C5, "a section of MEMORY.md", "memory.body"),
    "openclaw.dreams": Home(Tag.QUERY, Category.C5, "a section of DREAMS.md", "dreams.body"),
}
"""Files of which each section is one element, by file rule."""

PERSONA: Final = Home(Tag.CONVERSE, Category.C1, "text of IDENTITY.md beside its fields", "identity.prose")
IDENTITY_FIELDS: Final[Mapping[str, Home]] = {
    "name": Home(Tag.CONFIG, Category.C1, "the name in IDENTITY.md", "identity.name"),
    "role": Home(Tag.CONFIG, Category.C1, "the role in IDENTITY.md", "identity.role"),
    "": Home(Tag.CONFIG, Category.C1, "a field of IDENTITY.md", "identity.meta"),
}
"""Fields of IDENTITY.md with a value, by label; `""` is every other label."""

RULES: Final = RulesPlaces(
    Home(Tag.DECIDE, Category.C2, "a rule of AGENTS.md", "agents.rule"),
    Home(Tag.ORCHESTRATE, Category.C2, "a step of AGENTS.md", "agents.rule"),
)
SCOPED_RULES: Final = RulesPlaces(
    Home(Tag.DECIDE, Category.C2, "a rule of a folder's AGENTS.md", "agents.scoped"),
    Home(Tag.ORCHESTRATE, Category.C2, "a step of a folder's AGENTS.md", "agents.scoped"),
)
TOOLS: Final[Mapping[str, Home]] = {
    "concrete_http": Home(Tag.TOOL_TEMPLATE, Category.C6, "a request of the tool guidance", "tools.endpoint"),
    "concrete_script": Home(Tag.TOOL_TEMPLATE, Category.C6, "a command of the tool guidance", "tools.script"),
    "": Home(Tag.TOOL_TEMPLATE, Category.C6, "tool guidance", "tools.narrative"),
}
"""TOOLS.md, and AGENTS.md below a heading that names tools, by what a line shows."""

FACTS: Final[Mapping[bool, Home]] = {
    True: Home(Tag.CONFIG, Category.C3, "a fact of USER.md that the caller may replace", "user.overridable"),
    False: Home(Tag.CONFIG, Category.C3, "a fact of USER.md", "user.stable"),
}
"""USER.md, by whether the fact's label is overridable."""

CHECKLIST: Final = Home(Tag.ORCHESTRATE, Category.C9, "the checklist of HEARTBEAT.md", "heartbeat.item")
TASK: Final = Home(
    Tag.ORCHESTRATE, Category.C9, "a task of HEARTBEAT.md with a time of its own", "heartbeat.task"
)
CADENCE: Final = Home(
    Tag.ORCHESTRATE, Category.C9, "the times of the wake-up in HEARTBEAT.md", "heartbeat.body"
)
AT_START: Final = Home(Tag.ORCHESTRATE, Category.C9, "the checklist of BOOT.md", "boot.item")
