"""The contract of `intermediate/source_layout.json`: what of a source file stands in no element (the way back).

Together with the lines of the elements in `inventory.json` it gives each text file back byte for byte; the SHA-256
proves it. Lines are counted from 1; only what differs from the rule of its file is listed.
"""

from pydantic import BaseModel, ConfigDict


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class LaidOutFile(_Part):
    """One file that was read.

    Attributes:
        path: Path relative to the workspace.
        sha256: Digest of its bytes.
        encoding: utf-8, utf-8-sig, utf-16 or binary.
        lines: How many lines it has.
        line_end: The most frequent line end.
        other_line_ends: Line ends that differ from it; the last line has `""` where the file ends without one.
        gaps: Text of the lines that no element has verbatim and that are not empty, such as blanks, and long lines of
            JSON that many elements share.
        masked: Lines that hold a secret, with the secret replaced by `${VARIABLE}`.
        values_dropped: It held values of environment variables or headers, which were never kept; the digest is that
            of the text without them.
    """

    path: str
    sha256: str
    encoding: str = "utf-8"
    lines: int = 0
    line_end: str = "\n"
    other_line_ends: dict[int, str] = {}
    gaps: dict[int, str] = {}
    masked: dict[int, str] = {}
    values_dropped: bool = False


class SourceLayout(_Part):
    """All files that were read, and the names of those that were not.

    `not_read` names files, and folders of which nothing was read as one name with a final `/`, so that a new daily note
    makes no package stale.
    """

    format_version: str = "1.0"
    files: tuple[LaidOutFile, ...] = ()
    not_read: tuple[str, ...] = ()
