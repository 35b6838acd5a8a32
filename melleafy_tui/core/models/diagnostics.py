"""Diagnostics: what was seen and could not be used as it stood, said with a stable code (spec/conversion.md 1)."""

from dataclasses import dataclass

from melleafy_tui.core.models.vocabulary import Severity


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding about the source.

    `code` is stable and listed in docs/diagnostics.md, `lines` is `""`, `"12"` or `"15-22"`, `message` is one
    sentence of what is wrong and `hint` one sentence of what to do.
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
