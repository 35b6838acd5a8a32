"""Classification over every example workspace of every kind: the confusion matrix has no error off its diagonal."""

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from melleafy_tui.core.dialects.registry import Dialects
from melleafy_tui.core.models.classification import Classification
from melleafy_tui.core.models.conversion_settings import Settings
from melleafy_tui.core.models.vocabulary import HYBRID, UNKNOWN_RUNTIME, Runtime
from melleafy_tui.core.pipeline.classify import classify
from melleafy_tui.core.source.snapshot_reader import read_snapshot
from tests.conftest import PROJECT
from tests.rows import every_row

DIALECTS = PROJECT / "tests" / "dialects"
KINDS: dict[Path, str] = {
    DIALECTS / "openclaw" / "workspaces": Runtime.OPENCLAW,
    DIALECTS / "agent_skills" / "workspaces": Runtime.AGENT_SKILLS_STD,
    DIALECTS / "claude_code" / "workspaces": Runtime.CLAUDE_CODE,
    DIALECTS / "crewai" / "workspaces": Runtime.CREWAI,
    DIALECTS / "hermes" / "workspaces": Runtime.HERMES,
    DIALECTS / "hybrid" / "workspaces": HYBRID,
    DIALECTS / "langgraph" / "workspaces": Runtime.LANGGRAPH,
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
    "market-crew": Runtime.CREWAI,
    "parcel-claims": Runtime.AGENT_SKILLS_STD,
    "release-desk": Runtime.CLAUDE_CODE,
}
"""Examples of runtimes other than OpenClaw."""


EXCEPTIONS: dict[str, str] = {
    **{f"openclaw/{name}": what for what, names in FRAGMENTS.items() for name in names},
    **{f"examples/{name}": what for name, what in SHOWN.items()},
}
"""What a workspace is that is of another kind than its folder's, by its name."""


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
