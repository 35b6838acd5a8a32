"""A folder that isn't a source itself but holds some, such as an agent's state folder or a collection of skills.

The wizard offers its sources in a chooser, the plain lines in a question, and the other commands list them.
"""

import shlex
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from msgspec import Struct

from melleafy_tui.actions.plurals import counted
from melleafy_tui.core.dialects.registry import Dialects
from melleafy_tui.core.errors import UnusableInput
from melleafy_tui.core.package.setup_sections import unexpanded_files
from melleafy_tui.core.pipeline.conversion import Conversion
from melleafy_tui.core.source.sources_below import HERE, FoundSource, holds_sources, sources_below

PROGRAM: Final = "melleafy-tui"


class FolderSources(Struct, frozen=True):
    """A folder, and the sources in it.

    Attributes:
        folder: The folder, as it was named.
        found: Its sources, by path.
    """

    folder: Path
    found: tuple[FoundSource, ...]

    def command(self, source: FoundSource, *options: str, command: str = "") -> str:
        """Return the command line that converts one of the sources, or runs another command on it."""
        place = shlex.quote((self.folder / source.path).as_posix())
        return " ".join(filter(None, (PROGRAM, command, place, *options)))

    @property
    def command_for_all(self) -> str:
        """Return the command line that converts all of them."""
        return f"{PROGRAM} convert --all {shlex.quote(self.folder.as_posix())}"


class HoldsSources(UnusableInput):
    """A folder was named that isn't a source itself and holds some.

    Args:
        sources: The folder, and the sources in it.
        options: The options of the command lines that are listed.
        command: Their command, if it isn't the conversion.
    """

    def __init__(self, sources: FolderSources, *options: str, command: str = "") -> None:
        super().__init__(
            f"{sources.folder} isn't a source itself; it holds {counted(len(sources.found), 'source')}",
            hint=f"Name one of them, or convert all of them with `{sources.command_for_all}`.",
        )
        self.sources = sources
        self.commands = tuple(
            (sources.command(source, *options, command=command), source_words(source))
            for source in sources.found
        )


def source_words(source: FoundSource) -> str:
    """Return a source's runtime and size for people."""
    return f"{source.runtime}, {counted(source.files, 'file')}"


def sources_by_name(folder: Path) -> FolderSources | None:
    """Return the sources in a folder that a file marks as no source itself, found without opening any file.

    Args:
        folder: What was named; None is returned for anything but a folder.
    """
    if not folder.is_dir():
        return None
    kinds = Dialects.default().main_files
    marked = any(kind.holders and any((folder / name).is_file() for name in kind.holders) for kind in kinds)
    found = sources_below(folder, kinds) if marked else ()
    return _held(folder, found) if holds_sources(folder, kinds, found) else None


def sources_instead_of(conversion: Conversion, folder: Path) -> FolderSources | None:
    """Return the sources in a folder that turned out to be none itself when it was read.

    Args:
        conversion: The conversion of the folder.
        folder: The folder, as it was named.
    """
    codes = {finding.code for finding in conversion.diagnostics}
    if codes.isdisjoint(("holds-sources", "spec-unnamed")):
        return None
    found = sources_below(folder, conversion.dialects.main_files)
    runtime = conversion.classification.source_runtime
    files = (FoundSource(file, runtime, 1) for file in unexpanded_files(conversion.inventory.elements))
    return _held(folder, sorted((*found, *files)))


def _held(folder: Path, found: Iterable[FoundSource]) -> FolderSources | None:
    below = tuple(source for source in found if source.path != HERE)
    return FolderSources(folder, below) if below else None
