"""Refuses a workspace whose bootstrap files exist but could not be read.

Without this, an agent would be converted as if its persona or its rules were empty.
"""

from typing import Final

from melleafy_tui.core.errors import UnusableInput
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.source.limits import KNOWN_NAMES, UNREAD_CODES

BOOTSTRAP_FILES: Final = frozenset(KNOWN_NAMES.values()) - {"BOOT.md", "DREAMS.md", "HOOK.md"}
"""Files in the root that a runtime puts into every prompt."""


def refuse_unread_bootstrap_files(snapshot: Snapshot) -> None:
    """Refuse a workspace with a bootstrap file that exists and couldn't be read.

    Args:
        snapshot: The workspace, with the diagnostics of reading it.

    Raises:
        UnusableInput: a bootstrap file, or the file that was named as the main file, couldn't be read.
    """
    required = BOOTSTRAP_FILES | {snapshot.primary}
    for finding in snapshot.diagnostics:
        if finding.code in UNREAD_CODES and finding.file in required:
            raise UnusableInput(
                f"{finding.file} can't be read, so nothing was converted. {finding.message}",
                hint=finding.hint,
                location=finding.file,
            )


def refuse_undecodable_texts(snapshot: Snapshot) -> None:
    """Refuse a conversion of texts of which nobody knows the encoding: replacement characters are nobody's rules.

    Args:
        snapshot: The workspace, with the diagnostics of reading it.

    Raises:
        UnusableInput: a file that a runtime looks for by its name isn't UTF-8, and no other encoding surely fits.
    """
    for finding in snapshot.diagnostics:
        if finding.code == "undecodable-text" and finding.file.rpartition("/")[2] in KNOWN_NAMES.values():
            raise UnusableInput(
                f"{finding.file} can't be decoded, so nothing was converted. {finding.message}",
                hint=finding.hint,
                location=finding.location,
            )
