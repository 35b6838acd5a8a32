"""A file that is taken over byte for byte: its path below a folder, and its bytes."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class ExactFile:
    """One file; `path` is relative and POSIX, `executable` is the owner's permission to run it."""

    path: str
    data: bytes = field(repr=False)
    executable: bool = False
