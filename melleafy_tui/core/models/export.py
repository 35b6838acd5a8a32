"""The contract of `export`: what became of each file of the workspace on its way back."""

from enum import StrEnum

from pydantic import BaseModel, ConfigDict


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class ExportState(StrEnum):
    """What became of one file."""

    IDENTICAL = "identical"
    """The bytes of the source, proven by their SHA-256."""
    CHANGED = "changed"
    """Written, with lines that differ from the source."""
    ADDED = "added"
    """Not in the source: the skill that calls the package."""
    LEFT_OUT = "left out"
    """In the source and not written."""


class ExportedFile(_Part):
    """One file; `reasons` say what differs, one sentence each."""

    path: str
    state: ExportState
    reasons: tuple[str, ...] = ()
