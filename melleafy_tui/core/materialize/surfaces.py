"""The table of surfaces: which file of a surfaces folder stands for which file of an OpenClaw workspace (seed 001)."""

from typing import Final

from msgspec import Struct


class Surface(Struct, frozen=True):
    """One surface.

    Attributes:
        name: Its name, as in `surfaces/<name>.md`.
        target: The file of the workspace.
        required: Strict mode fails without it. HEARTBEAT.md and BOOTSTRAP.md are not: an agent may have no schedule,
            and OpenClaw itself deletes BOOTSTRAP.md after the first run.
        marked: OpenClaw puts a missing-file marker into the prompt where the file is missing.
        layer: What it can be synthesised from, `persona` or `identity`, or `""`.
    """

    name: str
    target: str
    required: bool
    marked: bool = True
    layer: str = ""

    @property
    def source(self) -> str:
        """Return the path below the source folder."""
        return f"{SURFACES_FOLDER}/{self.name}.md"


SURFACES_FOLDER: Final = "surfaces"
SKILLS_FOLDER: Final = "skills"
MEMORY_FOLDER: Final = "memory"
MEMORY_FILE: Final = "MEMORY.md"
"""Only taken over where the user maps it (`--memory-file`)."""

PERSONA_LAYER: Final = "persona.json"
"""The canonical persona layer of a source: name, displayName, role, emoji, avatar, vibe, background."""

SURFACES: Final = (
    Surface("instructions", "AGENTS.md", required=True),
    Surface("persona", "SOUL.md", required=True, layer="persona"),
    Surface("tools", "TOOLS.md", required=True),
    Surface("identity", "IDENTITY.md", required=True, layer="identity"),
    Surface("user", "USER.md", required=True),
    Surface("heartbeat", "HEARTBEAT.md", required=False),
    Surface("bootstrap", "BOOTSTRAP.md", required=False, marked=False),
)
BOOTSTRAP_SURFACE: Final = "bootstrap"
