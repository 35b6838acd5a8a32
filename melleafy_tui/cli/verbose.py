"""Tells with `--verbose` what a command reads, where its settings come from, and how long the stages took."""

from collections.abc import Callable, Hashable
from pathlib import Path
from typing import Final, Self, TypeVar

from melleafy_tui.actions.configuration import Configuration
from melleafy_tui.cli.console import Console, counted
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.result_cache import ResultCache

ResultT = TypeVar("ResultT")

STAGES: Final = {
    "classification": "classification",
    "inventory": "inventory",
    "mapping": "mapping",
    "drafted": "plan",
    "committed": "committed plan",
    "lints": "files and lints",
}
"""The stages whose time is told, by the name of their result; the files are rendered when the lints read them."""


class TimedStages(ResultCache):
    """Caches the results of a conversion's stages, and tells how long the first run of each took.

    Args:
        console: Where the times are printed; None prints none.
        told: The stages that were told already; copies share it, because they continue the same conversion.
    """

    def __init__(self, console: Console | None = None, told: set[Hashable] | None = None) -> None:
        super().__init__()
        self._console = console
        self._told = set() if told is None else told

    def result(self, name: Hashable, inputs: tuple[object, ...], compute: Callable[[], ResultT]) -> ResultT:
        """Return the cached result or compute it, as `ResultCache` does."""

        def timed() -> ResultT:
            self._told.add(name)
            assert self._console is not None
            with self._console.timed(STAGES[str(name)]):
                return compute()

        tells = self._console is not None and name in STAGES and name not in self._told
        return super().result(name, inputs, timed if tells else compute)

    def copy(self) -> Self:
        """Return an independent copy of the cache."""
        other = super().copy()
        other._console, other._told = self._console, self._told
        return other


def tell_workspace(snapshot: Snapshot, console: Console) -> None:
    """Tell which files of a workspace were read."""
    console.detail(f"read: {snapshot.root}, {counted(len(snapshot.files), 'file')}")
    for file in snapshot.files:
        console.detail(f"read: {file.path}, {len(file.data):,} bytes")


def tell_settings(configuration: Configuration, config_file: Path | None, console: Console) -> None:
    """Tell which configuration file was read, and each setting that isn't a default, with its source."""
    if config_file is not None and config_file.is_file():
        console.detail(f"read: {config_file}")
    given = [item for item in configuration.resolved if item.source != "default"]
    for item in given:
        console.detail(f"setting: {item.name} = {item.text}, from {item.source}")
    if not given:
        console.detail("setting: every setting has its default")
