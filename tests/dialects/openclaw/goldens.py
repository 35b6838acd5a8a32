"""The workspaces on disk and the readable inventories of them; `python -m tests.dialects.openclaw.goldens` writes the latter.

A golden is written to be read: whoever updates one reads the difference line by line before it is committed.
"""

import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Final

from melleafy_tui.core.classify import classify
from melleafy_tui.core.dialects.openclaw.dialect import OpenClawDialect
from melleafy_tui.core.dialects.registry import Dialects
from melleafy_tui.core.inventory import take_inventory
from melleafy_tui.core.models.classification import Classification
from melleafy_tui.core.models.diagnostics import Diagnostic
from melleafy_tui.core.models.inventory import Element, Inventory
from melleafy_tui.core.models.settings import Settings
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.models.vocabulary import Polarity
from melleafy_tui.engine import read_workspace

HERE: Final = Path(__file__).parent
WORKSPACES: Final = HERE / "workspaces"
GOLDENS: Final = HERE / "golden"
NAMES: Final = tuple(sorted(folder.name for folder in WORKSPACES.iterdir() if folder.is_dir()))
DIALECTS: Final = Dialects.of(OpenClawDialect())
AS_OF: Final = date(2026, 8, 1)
LONGEST: Final = 200


def root_of(name: str) -> Path:
    """The workspace itself, which lies below the configuration in `config-above`."""
    inner = WORKSPACES / name / "workspace"
    return inner if inner.is_dir() else WORKSPACES / name


def snapshot_of(name: str) -> Snapshot:
    return read_workspace(root_of(name), DIALECTS)


def inventory_of(snapshot: Snapshot) -> tuple[Classification, tuple[Diagnostic, ...], Inventory]:
    classification, found = classify(snapshot, Settings(), DIALECTS)
    inventory = take_inventory(snapshot, ("openclaw",), DIALECTS, as_of=AS_OF, openclaw_release="dialect-1.0")
    return classification, found, inventory


def render(name: str) -> str:
    """The inventory of a workspace as text: `lines tag category polarity row | statement`, file by file."""
    snapshot = snapshot_of(name)
    classification, found, inventory = inventory_of(snapshot)
    out = [*_head(classification)]
    read = [file for file in inventory.files if file.status != "absent"]
    for file in read:
        out += ["", f"== {file.path} ({file.status}, {file.dialect_rule_id})"]
        out += [_line(element) for element in inventory.elements if element.source_file == file.path]
    findings = (*snapshot.diagnostics, *found, *inventory.diagnostics)
    if findings:
        out += ["", "== diagnostics"]
        out += [f"{d.severity.value} {d.code} {d.location}".rstrip() for d in findings]
    return "\n".join(out) + "\n"


def _head(classification: Classification) -> Iterator[str]:
    contributors = ", ".join(classification.hybrid_contributors)
    primary = f" of {classification.hybrid_primary}, {contributors}" if contributors else ""
    natural = ", ".join(f"{score.runtime} {score.score:g}" for score in classification.scores if score.score)
    yield f"runtime: {classification.source_runtime}{primary} ({natural})"
    secondary = "".join(f" + {modality.value}" for modality in classification.secondary_modalities)
    schedule = classification.schedule
    when = ", ".join(part for part in (schedule.cadence, schedule.active_hours, schedule.timezone) if part)
    yield f"modality: {classification.modality.value}{secondary}" + (f" ({when})" if when else "")
    if classification.generation:
        yield f"generation: {classification.generation}"


def _line(element: Element) -> str:
    polarity = "" if element.polarity is Polarity.DESCRIBES else f" {element.polarity.value}"
    row = f" {element.mapping_row}" if element.mapping_row else ""
    flags = [
        *(["stock"] if element.template else []),
        *(["only on OpenClaw"] if element.runtime_only else []),
        *([f"speaks for {element.suggested_category.value}"] if element.suggested_category else []),
        *([f"scope {element.scope}"] if element.scope else []),
    ]
    statement = element.statement.replace("\r\n", "\n").replace("\r", "\n").strip("\n").replace("\n", " ⏎ ")
    if len(statement) > LONGEST:
        statement = statement[:LONGEST] + " …"
    shown = f" [{', '.join(flags)}]" if flags else ""
    return f"{element.source_lines} {element.tag.value} {element.category.value}{polarity}{row} | {statement}{shown}"


def main() -> int:
    """Write every golden, or those of the named workspaces."""
    GOLDENS.mkdir(exist_ok=True)
    for name in sys.argv[1:] or NAMES:
        (GOLDENS / f"{name}.txt").write_text(render(name), encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
