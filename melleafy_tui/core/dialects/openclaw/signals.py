"""OpenClaw's detection table (seed 000 section 1, spec/conversion.md 2.1)."""

from typing import Final

from melleafy_tui.core.dialects.base import Signal
from melleafy_tui.core.dialects.matchers import all_of, ambient, any_of, json_value, name_exists
from melleafy_tui.core.models.vocabulary import Strength

CONFIGURATION_PATHS: Final = ("openclaw.json", "openclaw.json5", "../openclaw.json", "../openclaw.json5")
"""Where OpenClaw's configuration may stand, as paths of the snapshot."""

WIKI_FOLDERS: Final = ("entities", "concepts", "syntheses", "sources", "_views")

SIGNALS: Final[tuple[Signal, ...]] = (
    Signal("SOUL.md", Strength.STRONG, name_exists("SOUL.md"), note="Bootstrap file."),
    Signal("IDENTITY.md", Strength.STRONG, name_exists("IDENTITY.md"), note="Bootstrap file."),
    Signal("AGENTS.md", Strength.MEDIUM, name_exists("AGENTS.md"), note="Also used by Claude Code."),
    Signal(
        "HEARTBEAT.md", Strength.STRONG, name_exists("HEARTBEAT.md"), note="Only OpenClaw uses this name."
    ),
    Signal(
        "BOOTSTRAP.md",
        Strength.STRONG,
        name_exists("BOOTSTRAP.md"),
        note="First-run ritual that deletes itself.",
    ),
    Signal(
        "MEMORY.md and memory/",
        Strength.STRONG,
        all_of(name_exists("MEMORY.md", "memory.md"), name_exists("memory/")),
        note="Long-term memory with daily notes.",
    ),
    Signal(
        "memory-wiki/",
        Strength.STRONG,
        any_of(*(name_exists(f"memory-wiki/{folder}/") for folder in WIKI_FOLDERS)),
        note="OpenClaw's wiki structure.",
    ),
    Signal(
        "openclaw.json agents.defaults.heartbeat",
        Strength.STRONG,
        json_value(
            CONFIGURATION_PATHS,
            "agents.defaults.heartbeat",
            "agents.list.*.heartbeat",
            "agents.entries.*.heartbeat",
            "agent.heartbeat",
        ),
        note="A heartbeat in the configuration, of the defaults or of one agent.",
    ),
    Signal(
        "TOOLS.md, USER.md and AGENTS.md",
        Strength.MEDIUM,
        all_of(name_exists("TOOLS.md"), name_exists("USER.md"), name_exists("AGENTS.md")),
        note="A part of the bootstrap set.",
    ),
    Signal(
        "~/.openclaw/",
        Strength.STRONG,
        ambient("~/.openclaw/"),
        ambient=True,
        note="OpenClaw is installed for this user.",
    ),
)
