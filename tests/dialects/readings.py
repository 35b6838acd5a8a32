"""What a dialect reads in a workspace, and the inventory of it as text that a reviewer can read line by line."""

import sys
from collections.abc import Callable, Iterable, Iterator
from datetime import date
from difflib import unified_diff
from pathlib import Path
from typing import Final, NamedTuple

from melleafy_tui.core.dialects.registry import Dialects
from melleafy_tui.core.models.classification import Classification
from melleafy_tui.core.models.conversion_settings import Settings
from melleafy_tui.core.models.findings import Diagnostic
from melleafy_tui.core.models.inventory import Element, Inventory
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.models.vocabulary import DecisionKind
from melleafy_tui.core.pipeline.classify import classify
from melleafy_tui.core.pipeline.element_collection import take_inventory

AS_OF: Final = date(2026, 8, 1)
LONGEST: Final = 200
"""Characters of a statement that a golden shows."""


class Reading(NamedTuple):
    """A workspace as it was read, and what the classification found wrong with it."""

    snapshot: Snapshot
    classification: Classification
    found: tuple[Diagnostic, ...]
    inventory: Inventory

    @property
    def findings(self) -> tuple[Diagnostic, ...]:
        """Return the findings of every part, in the order in which they are told."""
        return (*self.snapshot.diagnostics, *self.found, *self.inventory.diagnostics)


def read(snapshot: Snapshot, dialects: Dialects, *runtimes: str) -> Reading:
    """Read a workspace with the dialects of these runtimes, or with those that it is classified as."""
    classification, found = classify(snapshot, Settings(), dialects)
    inventory = take_inventory(
        snapshot,
        runtimes or classification.dialect_runtimes,
        dialects,
        as_of=AS_OF,
        openclaw_release="dialect-1.0",
    )
    return Reading(snapshot, classification, found, inventory)


def inventory_text(reading: Reading) -> str:
    """Return the inventory as text: `lines tag category polarity row | statement`, file by file."""
    out = [*_head(reading.classification)]
    for file in reading.inventory.files:
        if file.status == "absent":
            continue
        out += ["", f"== {file.path} ({file.status}, {file.dialect_rule_id})"]
        out += [_line(element) for element in reading.inventory.elements if element.source_file == file.path]
    return text_of(out, reading.findings)


def text_of(lines: list[str], findings: tuple[Diagnostic, ...]) -> str:
    """Return the lines of a golden with its findings below them."""
    told = [f"{d.severity.value} {d.code} {d.location}".rstrip() for d in findings]
    return "\n".join([*lines, *(["", "== diagnostics", *told] if told else [])]) + "\n"


def _head(classification: Classification) -> Iterator[str]:
    contributors = ", ".join(classification.hybrid_contributors)
    primary = f" of {classification.hybrid_primary}, {contributors}" if contributors else ""
    yield f"runtime: {classification.source_runtime}{primary} ({scores(classification)})"
    secondary = "".join(f" + {modality.value}" for modality in classification.secondary_modalities)
    schedule = classification.schedule
    when = ", ".join(part for part in (schedule.cadence, schedule.active_hours, schedule.timezone) if part)
    yield f"modality: {classification.modality.value}{secondary}" + (f" ({when})" if when else "")
    if classification.generation:
        yield f"generation: {classification.generation}"


def scores(classification: Classification) -> str:
    """Return the runtimes that a signal speaks for, with their scores."""
    return ", ".join(f"{score.runtime} {score.score:g}" for score in classification.scores if score.score)


_QUIET: Final = frozenset({DecisionKind.TRAVELS})
"""Decisions that always go with another one."""


def _line(element: Element) -> str:
    flags = [
        *(["stock"] if element.template else []),
        *(each.kind.value.replace("_", " ") for each in element.decisions if each.kind not in _QUIET),
        *([f"scope {element.scope}"] if element.scope else []),
    ]
    return element_line(element) + (f" [{', '.join(flags)}]" if flags else "")


def element_line(element: Element) -> str:
    """Return an element in one line: where it stands, what it was read as, and its statement."""
    row = f" {element.mapping_row}" if element.mapping_row else ""
    statement = element.statement.replace("\r\n", "\n").replace("\r", "\n").strip("\n").replace("\n", " ⏎ ")
    if len(statement) > LONGEST:
        statement = statement[:LONGEST] + " …"
    return f"{element.source_lines} {element.tag.value} {element.category.value}{row} | {statement}"


def write_goldens(folder: Path, names: Iterable[str], render: Callable[[str], str]) -> None:
    """Write the goldens that are named on the command line, or all of them."""
    for name in sys.argv[1:] or names:
        (folder / f"{name}.txt").write_text(render(name), encoding="utf-8", newline="\n")


def differences(folder: Path, names: Iterable[str], render: Callable[[str], str]) -> str:
    """Return how the inventories differ from the goldens in a folder, as unified diffs; nothing where none does."""
    found: list[str] = []
    for name in names:
        golden = (folder / f"{name}.txt").read_text(encoding="utf-8").split("\n")
        found += unified_diff(golden, render(name).split("\n"), f"{name}.txt", "now", lineterm="", n=1)
    return "\n".join(found)
