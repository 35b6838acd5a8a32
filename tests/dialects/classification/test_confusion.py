"""Classification over every example workspace of every kind: the confusion matrix has no error off its diagonal.

`docs/dialects/classification.md` holds the matrix and what each near miss hinged on; `UPDATE_GOLDEN=1` writes it, a
person reads the difference.
"""

import os
from collections import Counter
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from melleafy_tui.core.dialects.registry import Dialects
from melleafy_tui.core.models.classification import Classification, RuntimeScore
from melleafy_tui.core.models.conversion_settings import Settings
from melleafy_tui.core.models.vocabulary import HYBRID, UNKNOWN_RUNTIME, Runtime
from melleafy_tui.core.pipeline.classify import HYBRID_MARGIN, classify
from melleafy_tui.core.source.snapshot_reader import read_snapshot
from tests.conftest import PROJECT
from tests.rows import every_row

PAGE = PROJECT / "docs" / "dialects" / "classification.md"
DIALECTS = PROJECT / "tests" / "dialects"
NEAR = 2.0
"""Points between the chosen runtime and the next candidate, or between a hybrid and no hybrid, that are a near miss."""

KINDS: dict[Path, str] = {
    DIALECTS / "openclaw" / "workspaces": Runtime.OPENCLAW,
    DIALECTS / "agent_skills" / "workspaces": Runtime.AGENT_SKILLS_STD,
    DIALECTS / "claude_code" / "workspaces": Runtime.CLAUDE_CODE,
    DIALECTS / "hybrid" / "workspaces": HYBRID,
    PROJECT / "examples": Runtime.OPENCLAW,
}
"""What the workspaces of a folder are, but for those named in EXCEPTIONS; below generic/ the folder's name says it."""

FRAGMENTS: dict[str, tuple[str, ...]] = {
    Runtime.CLAUDE_CODE: (
        "agents-bold-only-headings", "agents-chinese", "agents-fences", "agents-label-and-list",
        "agents-nested-and-wrapped", "agents-numbered-lists", "agents-polarity", "agents-prose-and-history",
        "agents-routes", "agents-russian", "agents-scoped", "agents-spanish-and-japanese", "agents-tables",
        "agents-thresholds-and-checks", "blockquotes-and-quotes", "long-lines",
    ),
    UNKNOWN_RUNTIME: (
        "memory-machine-blocks", "tools-sections", "tools-several-names-in-one-item", "user-facts",
        "user-instructions", "user-superseded", "user-table",
    ),
    HYBRID: ("hybrid-with-claude",),
}  # fmt: skip
"""Workspaces below openclaw/ that hold one file for one rule: AGENTS.md alone is Claude Code's by the seed's precedence
note, one file that many runtimes may have is no runtime's, and one is a hybrid on purpose."""


SHOWN: dict[str, str] = {
    "invoice-intake": Runtime.AGENT_SKILLS_STD,
    "release-desk": Runtime.CLAUDE_CODE,
}
"""Examples of runtimes other than OpenClaw."""


EXCEPTIONS: dict[str, str] = {
    **{f"openclaw/{name}": what for what, names in FRAGMENTS.items() for name in names},
    **{f"examples/{name}": what for name, what in SHOWN.items()},
}
"""What a workspace is that is of another kind than its folder's, by its name on the page."""


class Example(NamedTuple):
    name: str
    folder: Path
    expected: str


def examples() -> list[Example]:
    found = []
    for place, kind in KINDS.items():
        for folder in sorted(place.iterdir()) if place.is_dir() else ():
            if folder.is_dir():
                name = f"{place.parent.name if place.name == 'workspaces' else 'examples'}/{folder.name}"
                inner = folder / "workspace"
                found.append(Example(name, inner if inner.is_dir() else folder, EXCEPTIONS.get(name, kind)))
    for folder in sorted((DIALECTS / "generic" / "workspaces").iterdir()):
        found.append(Example(f"generic/{folder.name}", folder, folder.name))
    return found


EXAMPLES = examples()


@lru_cache(maxsize=256)
def classified(folder: Path) -> Classification:
    dialects = Dialects.default()
    return classify(read_snapshot(folder, wants=dialects.wants), Settings(), dialects)[0]


def test_there_are_examples_of_every_kind() -> None:
    kinds = {example.expected for example in EXAMPLES}
    assert {*Runtime, HYBRID, UNKNOWN_RUNTIME} == kinds
    assert len(EXAMPLES) > 80


def test_every_exception_is_an_example() -> None:
    assert set(EXCEPTIONS) <= {example.name for example in EXAMPLES}


@every_row("example", EXAMPLES)
def test_no_error_off_the_diagonal(example: Example) -> None:
    assert classified(example.folder).source_runtime == example.expected


def test_the_page_tells_the_matrix_and_what_each_near_miss_hinged_on() -> None:
    """A new workspace may be missing in the page until it is written again; what it tells must be so."""
    text = page()
    if os.environ.get("UPDATE_GOLDEN"):
        PAGE.write_text(text, encoding="utf-8", newline="\n")
    rows = [line.split(" | ") for line in PAGE.read_text(encoding="utf-8").splitlines() if " | " in line]
    misses = [row for row in rows if "/" in row[0]]
    assert len(misses) > 20
    assert [row for row in misses if " | ".join(row) not in text] == []
    kinds = [*(runtime.value for runtime in Runtime), HYBRID, UNKNOWN_RUNTIME]
    matrix = {row[0].strip("| "): [cell.strip("| ") for cell in row[1:]] for row in rows}
    for number, kind in enumerate(kinds):
        off = [cell for column, cell in enumerate(matrix[kind]) if column != number]
        assert set(off) == {"·"}
        assert 0 < int(matrix[kind][number]) <= sum(example.expected == kind for example in EXAMPLES)


def page() -> str:
    """Return the page of the matrix, from the classification of every example."""
    counts = Counter((example.expected, classified(example.folder).source_runtime) for example in EXAMPLES)
    kinds = [*(runtime.value for runtime in Runtime), HYBRID, UNKNOWN_RUNTIME]
    lines = [
        "# Classification of every example workspace",
        "",
        "Written by `tests/dialects/classification/test_confusion.py` (`UPDATE_GOLDEN=1`), which also checks it: rows are what",
        "a workspace is, columns what it was classified as.",
        "",
        "| is, read as → | " + " | ".join(kinds) + " |",
        "|---" * (len(kinds) + 1) + "|",
        *(
            f"| {kind} | " + " | ".join(str(counts[kind, other] or "·") for other in kinds) + " |"
            for kind in kinds
        ),
        "",
        "## Near misses",
        "",
        f"Where the next runtime lies within {NEAR:g} points, or a hybrid's margin of {HYBRID_MARGIN:g} was missed or met by as little, this is",
        "what the choice hinged on.",
        "",
        "| workspace | read as | scores | hinged on |",
        "|---|---|---|---|",
    ]
    for example in EXAMPLES:
        found = classified(example.folder)
        hinge = _hinge(found)
        if hinge:
            scores = ", ".join(f"{score.runtime} {score.score:g}" for score in _ranked(found) if score.score)
            lines.append(f"| {example.name} | {found.source_runtime} | {scores or '–'} | {hinge} |")
    return "\n".join(lines) + "\n"


def _ranked(found: Classification) -> list[RuntimeScore]:
    return sorted(found.scores, key=lambda score: -score.score)


def _hinge(found: Classification) -> str:
    best, second = _ranked(found)[:2]
    if found.source_runtime == UNKNOWN_RUNTIME:
        return ""
    if not best.candidate:
        return f"no candidate: {found.runtime_reason}"
    if found.source_runtime == HYBRID:
        gap = best.score - max(s.score for s in found.scores if s.runtime in found.hybrid_contributors)
        return f"a gap of {gap:g}, within the margin: " + _against(best, second)
    if second.score and best.score - second.score <= NEAR:
        why = "is no candidate" if not second.candidate else f"lies {best.score - second.score:g} behind"
        return f"{second.runtime} {why}; " + _against(best, second)
    return ""


def _against(best: RuntimeScore, second: RuntimeScore) -> str:
    def signals(score: RuntimeScore) -> str:
        return ", ".join(f"`{item.signal}`" for item in score.evidence if item.counted)

    return f"{signals(best)} against {signals(second)}"
