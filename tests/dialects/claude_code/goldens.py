"""The workspaces on disk and the readable inventories of them; `python -m tests.dialects.claude_code.goldens` writes them.

Each workspace is copied to a folder of its own and made a repository there, since Claude Code reads up to the
repository's root and this project is one too. A golden is written to be read, line by line, before it is committed.
"""

import shutil
import sys
import tempfile
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Final

from melleafy_tui.core.classify import classify
from melleafy_tui.core.dialects.registry import Dialects
from melleafy_tui.core.inventory import take_inventory
from melleafy_tui.core.models.classification import Classification
from melleafy_tui.core.models.diagnostics import Diagnostic
from melleafy_tui.core.models.inventory import Element, Inventory
from melleafy_tui.core.models.settings import Settings
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.models.vocabulary import Polarity
from melleafy_tui.core.workspace.reader import read_snapshot

HERE: Final = Path(__file__).parent
WORKSPACES: Final = HERE / "workspaces"
GOLDENS: Final = HERE / "golden"
NAMED: Final = {
    "command": ".claude/commands/fix-issue.md",
    "monorepo": "services/billing",
    "skill": ".claude/skills/incident-brief/SKILL.md",
}
"""What is named to the tool, where it is not the workspace itself."""

NAMES: Final = tuple(sorted(folder.name for folder in WORKSPACES.iterdir() if folder.is_dir()))
AS_OF: Final = date(2026, 8, 1)
LONGEST: Final = 200


def copied(name: str, folder: Path) -> Path:
    """A copy of a workspace that is a repository, and the path in it that is named."""
    root = folder / name
    shutil.copytree(WORKSPACES / name, root)
    (root / ".git").mkdir()
    return root / NAMED.get(name, "")


def snapshot_of(path: Path) -> Snapshot:
    dialects = Dialects.default()
    return read_snapshot(path, wants=dialects.wants, surroundings=dialects.surroundings)


def inventory_of(snapshot: Snapshot) -> tuple[Classification, tuple[Diagnostic, ...], Inventory]:
    dialects = Dialects.default()
    classification, found = classify(snapshot, Settings(), dialects)
    inventory = take_inventory(
        snapshot, classification.dialect_runtimes, dialects, as_of=AS_OF, openclaw_release="dialect-1.0"
    )
    return classification, found, inventory


def render(name: str, folder: Path) -> str:
    """The inventory of a workspace as text: `lines tag category polarity row | statement`, file by file."""
    snapshot = snapshot_of(copied(name, folder))
    classification, found, inventory = inventory_of(snapshot)
    out = [*_head(classification)]
    for file in inventory.files:
        note = f" — {file.note}" if file.note else ""
        out += ["", f"== {file.path} ({file.status}, {file.dialect_rule_id}){note}"]
        out += [_line(element) for element in inventory.elements if element.source_file == file.path]
    findings = (*snapshot.diagnostics, *found, *inventory.diagnostics)
    if findings:
        out += ["", "== diagnostics"]
        out += [f"{d.severity.value} {d.code} {d.location}".rstrip() for d in findings]
    return "\n".join(out) + "\n"


def _head(classification: Classification) -> Iterator[str]:
    natural = ", ".join(f"{score.runtime} {score.score:g}" for score in classification.scores if score.score)
    yield f"runtime: {classification.source_runtime} ({natural})"
    secondary = "".join(f" + {modality.value}" for modality in classification.secondary_modalities)
    cadence = classification.schedule.cadence
    yield f"modality: {classification.modality.value}{secondary}" + (f" ({cadence})" if cadence else "")
    for evidence in classification.modality_evidence:
        yield f"  {evidence.modality.value}: {evidence.rule} at {evidence.file}:{evidence.line} {evidence.note}".rstrip()


def _line(element: Element) -> str:
    polarity = "" if element.polarity is Polarity.DESCRIBES else f" {element.polarity.value}"
    row = f" {element.mapping_row}" if element.mapping_row else ""
    statement = element.statement.strip("\n").replace("\n", " ⏎ ")
    if len(statement) > LONGEST:
        statement = statement[:LONGEST] + " …"
    scope = f" [scope {element.scope}]" if element.scope else ""
    return f"{element.source_lines} {element.tag.value} {element.category.value}{polarity}{row} | {statement}{scope}"


def main() -> int:
    """Write every golden, or those of the named workspaces."""
    GOLDENS.mkdir(exist_ok=True)
    for name in sys.argv[1:] or NAMES:
        with tempfile.TemporaryDirectory() as folder:
            text = render(name, Path(folder))
        (GOLDENS / f"{name}.txt").write_text(text, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
