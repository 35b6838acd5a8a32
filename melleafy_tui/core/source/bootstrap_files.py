"""Refuses a workspace whose bootstrap files exist but have no text.

Without this, an agent would be converted as if its persona or its rules were empty.
"""

from typing import Final

from melleafy_tui.core.errors import UnusableInput
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.source.limits import KNOWN_NAMES, UNREAD_CODES

BOOTSTRAP_FILES: Final = frozenset(KNOWN_NAMES.values()) - {"BOOT.md", "DREAMS.md", "HOOK.md"}
"""Files in the root that a runtime puts into every prompt."""


def refuse_unread_texts(snapshot: Snapshot, *, decoded: bool = False) -> None:
    """Refuse a workspace with a file that a runtime looks for by its name and that has no text.

    Args:
        snapshot: The workspace, with the diagnostics of reading it.
        decoded: Whether texts of which nobody knows the encoding are refused too: replacement characters are
            nobody's rules.

    Raises:
        UnusableInput: such a file, or the one that was named as the main file, couldn't be read or decoded.
    """
    required = BOOTSTRAP_FILES | {snapshot.primary}
    for finding in snapshot.diagnostics:
        name = finding.file.rpartition("/")[2]
        is_unread = finding.code in UNREAD_CODES and finding.file in required
        is_garbled = decoded and finding.code == "undecodable-text" and name in KNOWN_NAMES.values()
        if is_unread or is_garbled:
            said = f"{finding.file} can't be {'read' if is_unread else 'decoded'}, so nothing was converted."
            raise UnusableInput(f"{said} {finding.message}", hint=finding.hint, location=finding.location)
