"""Maps the files of a surfaces folder to the files of an OpenClaw workspace, and lists paths that are never written."""

import re
from pathlib import PurePosixPath
from typing import Final

from msgspec import Struct

from melleafy_tui.core.source.dropped_values import is_environment_file
from melleafy_tui.core.tables import table_beside


class Surface(Struct, frozen=True):
    """One surface.

    Attributes:
        name: Its name, as in `surfaces/<name>.md`.
        target: The file of the workspace.
        required: Strict mode fails without it. HEARTBEAT.md and BOOTSTRAP.md are optional: an agent may have no
            schedule, and OpenClaw itself deletes BOOTSTRAP.md after the first run.
        marked: OpenClaw puts a missing-file marker into the prompt if the file is missing.
        layer: The layer that it can be synthesised from, `persona` or `identity`, or `""`.
    """

    name: str
    target: str
    required: bool
    marked: bool = True
    layer: str = ""

    @property
    def source(self) -> str:
        """Return its path below the source folder."""
        return f"{SURFACES_FOLDER}/{self.name}.md"


SURFACES_FOLDER: Final = "surfaces"
SKILLS_FOLDER: Final = "skills"
MEMORY_FOLDER: Final = "memory"
MEMORY_FILE: Final = "MEMORY.md"
"""Copied only if the user maps it (`--memory-file`)."""

PERSONA_LAYER: Final = "persona.json"
"""The persona layer of a source: name, displayName, role, emoji, avatar, vibe, background."""

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


NEVER_WRITTEN: Final = tuple(
    (re.compile(pattern, re.IGNORECASE | re.DOTALL), reason)
    for reason, pattern in table_beside(__file__, "never_written.toml")["row"]
)
"""Patterns that a whole relative path matches, each with the reason; the first that matches gives it."""


def never_written(path: str) -> str:
    """Return why a file or folder at this path, relative to a workspace, is never written, or `""`.

    Args:
        path: POSIX path; a folder may end in `/`.
    """
    bare = path.rstrip("/")
    found = next((reason for pattern, reason in NEVER_WRITTEN if pattern.fullmatch(bare)), "")
    is_secret = is_environment_file(bare) and not _is_sample(PurePosixPath(bare).name)
    return found or ("secrets" if is_secret else "")


def _is_sample(name: str) -> bool:
    return name.lower().endswith((".example", ".sample", ".template", ".dist"))
