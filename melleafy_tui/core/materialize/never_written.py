"""What never travels into a workspace or out of one: operational configuration, secrets, and runtime state.

Seed 001, "What the adapter MUST NOT own"; environment files and version control are ours, for the same reason.
"""

import re
from pathlib import PurePosixPath
from typing import Final

from msgspec import Struct

from melleafy_tui.core.source.secrets.dropped_values import is_environment_file


class NeverWritten(Struct, frozen=True):
    """One row: a pattern that the whole relative path must match, and why it stays behind."""

    pattern: re.Pattern[str]
    reason: str


def _row(pattern: str, reason: str) -> NeverWritten:
    return NeverWritten(re.compile(pattern, re.IGNORECASE | re.DOTALL), reason)


CONFIGURATION: Final = "operational configuration of one installation"
SECRET: Final = "secrets"
STATE: Final = "runtime state"

NEVER_WRITTEN: Final = (
    _row(r"(\.\./)?openclaw\.json5?([.](bak|backup|old)[^/]*)?", CONFIGURATION),
    _row(r"(.*/)?\.openclaw/.*", STATE),
    _row(r"(.*/)?credentials(/.*)?", SECRET),
    _row(r"(.*/)?\.credentials\.json", SECRET),
    _row(r"(.*/)?(auth-profiles|auth)\.json", SECRET),
    _row(r"agents/.*/?sessions(/.*)?", STATE),
    _row(r"(.*/)?logs(/.*)?", "logs"),
    _row(r"(.*/)?[^/]*\.log(\.\d+)?", "logs"),
    _row(r"(.*/)?(cache|\.cache|__pycache__|\.pytest_cache|\.mypy_cache|\.ruff_cache)(/.*)?", "caches"),
    _row(r"(.*/)?[^/]*\.py[co]", "caches"),
    _row(r"(.*/)?(node_modules|\.venv|venv)(/.*)?", "installed packages"),
    _row(r"(.*/)?\.git(/.*)?", "version control"),
    _row(r"(.*/)?(\.DS_Store|Thumbs\.db|desktop\.ini)", STATE),
)
"""Checked in order; the first row that matches gives the reason."""


def never_written(path: str) -> str:
    """Return why a file or folder at this path, relative to a workspace, is never written, or `""`.

    Args:
        path: POSIX path; a folder may end in `/`.
    """
    bare = path.rstrip("/")
    for row in NEVER_WRITTEN:
        if row.pattern.fullmatch(bare):
            return row.reason
    if is_environment_file(bare) and not _is_sample(PurePosixPath(bare).name):
        return SECRET
    return ""


def _is_sample(name: str) -> bool:
    return name.lower().endswith((".example", ".sample", ".template", ".dist"))
