"""Diagnostics: problems found in the source, each with a stable code (docs/reference/findings.md)."""

from typing import Final

import msgspec
from msgspec import Struct

from melleafy_tui.core.models.record import Record
from melleafy_tui.core.models.vocabulary import Severity
from melleafy_tui.core.tables import table_beside


class Diagnostic(Record, frozen=True):
    """One finding about the source.

    `code` is stable, `lines` is `""`, `"12"` or `"15-22"`. `message` says in one sentence what is wrong, `hint` what
    to do.
    """

    code: str
    severity: Severity
    file: str
    lines: str
    message: str
    hint: str

    @property
    def location(self) -> str:
        """Return `file` or `file:lines`, for messages."""
        return f"{self.file}:{self.lines}" if self.lines else self.file


class DiagnosticRow(Struct, frozen=True):
    """One row of `findings.toml`; `diagnose` fills in the names in braces in `message` and `hint`."""

    severity: Severity
    message: str
    hint: str
    unread: bool = False
    """Something of the owner's wasn't read or carried, so the review shows it."""


BY_PART: Final[dict[str, dict[str, DiagnosticRow]]] = msgspec.convert(
    table_beside(__file__, "findings.toml"),
    dict[str, dict[str, DiagnosticRow]],
)
"""The codes of each part of a conversion."""

DIAGNOSTICS: Final = {code: row for rows in BY_PART.values() for code, row in rows.items()}
"""All diagnostic codes."""


def diagnose(code: str, file: str, lines: str = "", **values: str | int | float) -> Diagnostic:
    """Return the diagnostic for a code.

    Args:
        code: A key of DIAGNOSTICS.
        file: The file it is about, relative to the workspace; `""` for the whole workspace.
        lines: `""`, `"12"` or `"15-22"`.
        values: Values for the names in braces in the row's message and hint.

    Raises:
        KeyError: the code has no row, or a value is missing; both are bugs.
    """
    row = DIAGNOSTICS[code]
    return Diagnostic(
        code, row.severity, file, lines, row.message.format(**values), row.hint.format(**values)
    )
