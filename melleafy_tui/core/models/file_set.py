"""The file set: every emitted file in memory, with the source lines that each emitted line comes from."""

from collections.abc import Collection
from functools import cached_property
from hashlib import sha256
from typing import Final

from msgspec import Struct

CARRIED_FOLDERS: Final = ("references/", "scripts/", "assets/")
"""Package folders that contain copies of workspace files instead of generated code."""

RUNTIME_FOLDER: Final = "_runtime/"
"""The package folder of the modules that are the same in every package of a release."""

MOVED: Final = "source/"
"""The package folder of carried files whose own name the package uses itself."""

_MODULES: Final = frozenset(
    {
        "__init__", "__main__", "config", "constrained_slots", "main", "mobjects", "pipeline", "requirements",
        "schemas", "slots", "tools",
    }
)  # fmt: skip
_FOLDERS: Final = frozenset({"fixtures", "intermediate", "_runtime", "source", *_MODULES})
_FILES: Final = frozenset(
    {
        *(f"{name}.py" for name in _MODULES),
        "readme.md", "setup.md", "mapping_report.md", "melleafy.json", "dependencies.yaml", "py.typed",
        "pyproject.toml",
    }
)  # fmt: skip
"""What a package calls its own, compared without case; a folder named like a module would hide it."""


def carried_place(path: str) -> str:
    """Return where a carried file lies in the package: under its own path, or in `source/` if that name is taken."""
    top, slash, _ = path.partition("/")
    return f"{MOVED}{path}" if top.casefold() in (_FOLDERS if slash else _FILES) else path


def may_be_carried(name: str) -> bool:
    """Return whether a path in the package is none that the package uses itself."""
    return name.startswith(MOVED) or carried_place(name) == name


def is_carried(name: str, source_paths: Collection[str]) -> bool:
    """Return whether a file of the package was carried from the source.

    Args:
        name: Its path in the package.
        source_paths: The paths of the source's files.
    """
    return name.startswith((*CARRIED_FOLDERS, MOVED)) or (name in source_paths and may_be_carried(name))


class LineProvenance(Struct, frozen=True, order=True, gc=False):
    """Emitted lines `first` to `last` (1-based, inclusive) with text of one element."""

    first: int
    last: int
    element_id: str
    source_file: str
    source_lines: str


class EmittedFile(Struct, frozen=True, dict=True):
    """One output file; `path` is POSIX, relative to the output folder, and checked to stay inside it.

    A `static` file is a module that is copied as it is into every package that needs it.
    """

    path: str
    data: bytes
    provenance: tuple[LineProvenance, ...] = ()
    static: bool = False

    def __repr__(self) -> str:
        """Return the path; the content would fill the screen."""
        return f"EmittedFile({self.path!r})"

    @cached_property
    def sha256(self) -> str:
        """Return the SHA-256 of the bytes in hexadecimal."""
        return sha256(self.data).hexdigest()

    @property
    def text(self) -> str:
        """Return the file decoded as UTF-8, with replacement characters for invalid bytes; the text isn't cached."""
        return self.data.decode("utf-8", "replace")


class FileSet(Struct, frozen=True, dict=True):
    """All emitted files, sorted by path, and the package's folder."""

    files: tuple[EmittedFile, ...]
    package_name: str

    @cached_property
    def by_path(self) -> dict[str, EmittedFile]:
        """Return the files by path."""
        return {file.path: file for file in self.files}

    def file(self, path: str) -> EmittedFile | None:
        """Return the file at a path, or None."""
        return self.by_path.get(path)


class RunCost(Struct, frozen=True):
    """What one run of the package costs, as far as that is known in advance.

    `calls` counts the model calls of a run in which all checks pass at the first try, `calls_individual` those if each
    judged rule had its own call. `prompt_characters` counts all requests of a first turn: the package's own frame,
    tools as JSON and memory as it lies are in it, earlier turns and the model's words aren't. `prompt_tokens` estimates
    its tokens (`core/language`), `largest_prompt_tokens` those of the largest request, a wake-up with every task
    included. `calls_heartbeat` counts the calls of a heartbeat that acts (0 if the package has no heartbeat),
    `judged_rules` the rules the model judges.
    """

    calls: int = 0
    calls_individual: int = 0
    prompt_characters: int = 0
    prompt_tokens: int = 0
    calls_heartbeat: int = 0
    judged_rules: int = 0
    largest_prompt_tokens: int = 0
