"""The workspaces on disk and the readable inventories of them; `python -m tests.dialects.claude_code.goldens` writes them.

A golden is written to be read, line by line, before it is committed.
"""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from melleafy_tui.core.dialects.registry import Dialects
from melleafy_tui.core.models.classification import Classification
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.source.snapshot_reader import read_snapshot
from tests.converted import repository_of
from tests.dialects.readings import Reading, element_line, read, scores, text_of, write_goldens

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


def root_of(name: str) -> Path:
    """The path that is named, in a copy of the workspace that is a repository."""
    return repository_of(WORKSPACES / name) / NAMED.get(name, "")


def snapshot_of(path: Path) -> Snapshot:
    dialects = Dialects.default()
    return read_snapshot(
        path, wants=dialects.wants, outer_files=dialects.outer_files, named=dialects.belonging
    )


@cache
def reading_of(name: str) -> Reading:
    """What is read in a workspace, by the dialects of the runtimes that it is classified as."""
    return read(snapshot_of(root_of(name)), Dialects.default())


def render(name: str) -> str:
    """The inventory of a workspace as text: `lines tag category polarity row | statement`, file by file."""
    reading = reading_of(name)
    out = [*_head(reading.classification)]
    for file in reading.inventory.files:
        note = f" — {file.note}" if file.note else ""
        out += ["", f"== {file.path} ({file.status}, {file.dialect_rule_id}){note}"]
        out += [
            element_line(element) + (f" [scope {element.scope}]" if element.scope else "")
            for element in reading.inventory.elements
            if element.source_file == file.path
        ]
    return text_of(out, reading.findings)


def _head(classification: Classification) -> Iterator[str]:
    yield f"runtime: {classification.source_runtime} ({scores(classification)})"
    secondary = "".join(f" + {modality.value}" for modality in classification.secondary_modalities)
    cadence = classification.schedule.cadence
    yield f"modality: {classification.modality.value}{secondary}" + (f" ({cadence})" if cadence else "")
    for evidence in classification.modality_evidence:
        yield f"  {evidence.modality.value}: {evidence.rule} at {evidence.file}:{evidence.line} {evidence.note}".rstrip()


if __name__ == "__main__":
    write_goldens(GOLDENS, NAMES, render)
