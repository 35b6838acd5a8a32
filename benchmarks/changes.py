"""Measures what one changed disposition costs until figures, its file and the package show it, without any screen."""

import gc
import tempfile
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path

from benchmarks.measuring import Cost, Figure, Row, measured
from benchmarks.workspaces import make_workspace
from melleafy_tui.actions.output_changes import file_difference
from melleafy_tui.actions.traceability import carried_lines
from melleafy_tui.core.decisions.commands import SetDisposition
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind
from melleafy_tui.core.pipeline.conversion import Conversion
from melleafy_tui.engine import open_conversion


class Changing:
    """A conversion of which one rule after the other is removed, so that no state comes twice."""

    def __init__(self, root: Path) -> None:
        self._conversion: Conversion = open_conversion(
            root, as_of=date(2026, 11, 1), generated_at="2026-11-01T00:00:00Z"
        )
        entries = self._conversion.plan.entries
        self._keys = iter([entry.key for entry in entries if entry.kind is EntryKind.RULE])
        self.elements = len(self._conversion.inventory.elements)
        self._path = f"{self._conversion.rendered.package_name}/requirements.py"
        self._defaults = self._conversion.files.file(self._path)
        gc.freeze()  # as the wizard does when a workspace is open

    def plan(self) -> Cost:
        """Remove the next rule and take the plan and its cost again."""
        return self._timed(lambda: self._conversion.cost)

    def show(self) -> Cost:
        """Remove the next rule and make what the preview shows of it: its file, and the difference to the defaults."""
        return self._timed(self._shown)

    def render(self) -> Cost:
        """Remove the next rule and render every file again."""
        return self._timed(lambda: self._conversion.rendered.files)

    def lint(self) -> Cost:
        """Remove the next rule, and lint the files that were made; only the lints count."""
        self._act()
        _ = self._conversion.rendered.files
        started = time.process_time()
        _ = self._conversion.lints
        return Cost((time.process_time() - started) * 1000)

    def _shown(self) -> object:
        cost, file = self._conversion.cost, self._conversion.rendered.file(self._path)
        if file is None:
            raise LookupError(self._path)
        lines = file.text.removesuffix("\n").split("\n")
        return cost, lines, carried_lines(file), file_difference(self._defaults, file, self._path)

    def _timed(self, result: Callable[[], object]) -> Cost:
        started = time.process_time()
        self._act()
        result()
        return Cost((time.process_time() - started) * 1000)

    def _act(self) -> None:
        self._conversion.act(SetDisposition((next(self._keys),), Disposition.REMOVE))


def changes(rounds: int, *, small: bool) -> list[Figure]:
    """Measure a change at about a thousand and ten thousand elements, in processor time of our own."""
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as folder:
        for rules in (300,) if small else (900, 9_000):
            root = Path(folder) / str(rules)
            make_workspace(root, 20, rules)
            changing = Changing(root)
            size = f"{changing.elements:,} elements"
            rows += [
                Row(f"a changed disposition in the plan, {size}", changing.plan),
                Row(f"a changed disposition in its file and difference, {size}", changing.show),
                Row(f"a changed disposition in every file, {size}", changing.render),
                Row(f"lints after it, {size}", changing.lint),
            ]
        return measured("changes", rows, rounds)
