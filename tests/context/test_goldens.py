"""Prompts of twelve workspaces, by release and mode, held against what was read and accepted.

`UPDATE_GOLDEN=1` writes them anew; a run of lines stands as its place and a digest of its text, everything else verbatim.
"""

import os
from collections.abc import Iterator
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from typing import Final

import pytest

from melleafy_tui.core.dialects.registry import Dialects
from melleafy_tui.core.models.context import Context, FileState, PromptLine, PromptMode, SessionKind
from melleafy_tui.core.openclaw.prompt.assembly import OWN_WORDS, assemble
from melleafy_tui.engine import read_workspace
from tests.context.workspaces import WORKSPACES, write_workspace

GOLDEN: Final = Path(__file__).parent / "golden"
RELEASES: Final = ("dialect-1.0", "2026.2.17", "2026.4.20", "2026.5.28", "2026.9.6")
PROMPTS: Final = (
    (SessionKind.MAIN, PromptMode.FULL),
    (SessionKind.MAIN, PromptMode.MINIMAL),
    (SessionKind.MAIN, PromptMode.NONE),
    (SessionKind.SUBAGENT, PromptMode.MINIMAL),
)


@pytest.mark.slow
@pytest.mark.parametrize("name", WORKSPACES)
def test_the_prompts_of_a_workspace(name: str, tmp_path: Path) -> None:
    snapshot = read_workspace(write_workspace(name, tmp_path), Dialects.default())
    parts = []
    seen: dict[str, str] = {}
    for release in RELEASES:
        for session, mode in PROMPTS:
            title = f"=== {release} · {session} · {mode}"
            context = assemble(
                snapshot, release=release, session=session, mode=mode, place="/home/agent/workspace"
            )
            body = "\n".join(_compact(context))
            same = seen.setdefault(body, title)
            parts.append(
                f"{title}\n{body}\n" if same is title else f"{title}\nas {same.removeprefix('=== ')}\n"
            )
    text = "\n".join(parts)
    golden = GOLDEN / f"{name}.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(text, "utf-8")
    assert text == golden.read_text("utf-8")


def _compact(context: Context) -> Iterator[str]:
    sections = {section.heading for section in context.sections}
    yield f"sections {sha256(' '.join(section.heading for section in context.sections).encode()).hexdigest()[:8]}"
    shown = [
        line
        for line in context.lines
        if line.text and line.text not in sections and not line.text.startswith(OWN_WORDS[:-1])
    ]
    for key, group in groupby(shown, _group):
        lines = list(group)
        if key == "own":
            yield " | ".join(line.text for line in lines)
        elif key == "mark":
            yield from (f"  ✂ {line.text}" for line in lines)
        else:
            first, last = lines[0].origin, lines[-1].origin.rpartition(":")[2]
            digest = sha256("\n".join(line.text for line in lines).encode("utf-8", "replace")).hexdigest()[:8]
            yield f"  {first}-{last} {digest}"
    for file in (*context.files, *context.left_out):
        if file.state in (FileState.WITHHELD, FileState.MISSING):
            yield f"  {file.path} {file.state}"
            continue
        yield (
            f"  {file.path} {file.state} of {file.limit}: {file.present} present, {file.cut} cut, "
            f"{file.frontmatter} + {file.trimmed} off"
        )


def _group(line: PromptLine) -> str:
    if line.mark:
        return "mark"
    return line.origin.rpartition(":")[0] or "own"
