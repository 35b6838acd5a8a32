"""The file set: every emitted file in memory, with the way back from its lines to the source."""

from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256

from melleafy_tui.core.models.pieces import Pieced


@dataclass(frozen=True, slots=True)
class LineProvenance:
    """Emitted lines `first` to `last` (1-based, inclusive) that carry text of one element."""

    first: int
    last: int
    element_id: str
    source_file: str
    source_lines: str


@dataclass(frozen=True)
class EmittedFile(Pieced):
    """One file of the output; `path` is relative to the output folder, POSIX, checked to stay inside.

    `outline` is code with the items of its long lists left blank, which defines and imports the same at the same lines;
    it is `""` where that would leave nothing out.
    """

    path: str
    data: bytes = field(repr=False)
    provenance: tuple[LineProvenance, ...] = ()
    outline: str = field(default="", repr=False, compare=False)

    @cached_property
    def sha256(self) -> str:
        """Return the SHA-256 of the bytes in hexadecimal."""
        return sha256(self.data).hexdigest()

    @cached_property
    def text(self) -> str:
        """Return the file as text; bytes that are no UTF-8 are shown as replacement characters."""
        return self.data.decode("utf-8", "replace")


@dataclass(frozen=True)
class FileSet:
    """All emitted files, sorted by path."""

    files: tuple[EmittedFile, ...]
    package_name: str

    @cached_property
    def by_path(self) -> dict[str, EmittedFile]:
        """Return the files by path."""
        return {file.path: file for file in self.files}


@dataclass(frozen=True, slots=True)
class RunCost:
    """What one run of the package costs, as far as it can be counted beforehand.

    `calls` are the model calls of a run whose checks all pass at the first try, `calls_individual` what they would be
    with each judged rule on its own, `prompt_characters` the fixed text in the prompts of one run, `prompt_tokens`
    an estimate (`core/tokens.py`). `calls_heartbeat` are those of a heartbeat that acts, 0 where the package
    has none, and `judged_rules` counts the rules that the model judges.
    """

    calls: int
    calls_individual: int
    prompt_characters: int
    prompt_tokens: int
    calls_heartbeat: int = 0
    judged_rules: int = 0
