"""Issue 8, "It must show" 1: three published releases assemble the same workspaces as we do."""

import json
import os
import re
from pathlib import Path

import pytest

from melleafy_tui.core.dialects.registry import Dialects
from melleafy_tui.core.models.context import Context, PromptMode, SessionKind
from melleafy_tui.core.openclaw.prompt.assembly import assemble
from melleafy_tui.core.openclaw.prompt.releases import HEARTBEAT
from melleafy_tui.engine import read_workspace
from tests.context.published import Case, Published, assemble_all
from tests.context.workspaces import WORKSPACES, write_workspace

pytestmark = pytest.mark.slow

RELEASES = ("2026.2.17", "2026.4.20", "2026.9.6")
"""The earliest, one of April, the newest."""

CHEAPEST = "2026.4.20"
"""This one is got alone, without the packages that it needs."""

FURTHER = tuple(os.environ.get("OPENCLAW_RELEASES", "").split())
"""Packages to compare beside these, named by whoever runs the test."""

SESSIONS = (
    (SessionKind.MAIN, PromptMode.FULL),
    (SessionKind.MAIN, PromptMode.NONE),
    (SessionKind.SUBAGENT, PromptMode.MINIMAL),
    (SessionKind.CRON, PromptMode.MINIMAL),
)


@pytest.mark.parametrize(
    "published",
    [
        # To get the others takes much longer than to compare them.
        name if name == CHEAPEST else pytest.param(name, marks=pytest.mark.long)
        for name in (*RELEASES, *FURTHER)
    ],
)
def test_same_files_order_cuts_markers_and_subset(published: str, tmp_path: Path) -> None:
    dialects = Dialects.default()
    cases, ours = [], {}
    for name in WORKSPACES:
        root = write_workspace(name, tmp_path)
        config = WORKSPACES[name].get("openclaw.json")
        snapshot = read_workspace(root, dialects)
        for session, mode in SESSIONS:
            key = f"{name}/{session}/{mode}"
            cases.append(
                Case(key, str(root), session.value, mode.value, json.loads(config) if config else {})
            )
            ours[key] = assemble(snapshot, release=published, session=session, mode=mode)
    theirs = assemble_all(published, cases, tmp_path)
    different = {key: found for key, context in ours.items() if (found := _difference(context, theirs[key]))}
    assert not different, json.dumps(different, indent=1)[:6000]


def _difference(ours: Context, theirs: Published) -> str:
    """Return in words where a prompt differs, or `""`."""
    if ours.mode is PromptMode.NONE:
        return "" if theirs.prompt == ours.prompt.rstrip("\n") else "mode none"
    shown = [_clean(f"## {file.heading}\n{file.content}\n") for file in ours.files]
    prompt, position, rest = _clean(theirs.prompt), 0, ""
    for file, block in zip(ours.files, shown, strict=True):
        at = prompt.find(block, position)
        if at < 0:
            start = prompt.find(f"## {file.heading}\n", position)
            common = next(
                (n for n, (a, b) in enumerate(zip(prompt[start:], block, strict=False)) if a != b), -1
            )
            return f"{file.path}: at {start}, from {common}: {block[common : common + 80]!r} is {prompt[start + common : start + common + 80]!r}"
        rest += prompt[position:at]
        position = at + len(block)
    rest += prompt[position:]
    held = {path.rpartition("/")[2] for path, _ in theirs.files} - {
        file.path.rpartition("/")[2] for file in ours.files
    }
    if held:
        return f"files that we leave out: {sorted(held)}"
    if len(theirs.files) != len(ours.files):
        return f"{len(theirs.files)} files, ours {len(ours.files)}"
    return _sections(ours, rest)


def _sections(ours: Context, rest: str) -> str:
    headings = [line for line in rest.split("\n") if re.match(r"##? ", line)]
    known = [section.heading for section in ours.sections]
    unknown = [heading for heading in headings if heading not in known]
    ordered = sorted(headings, key=known.index) if not unknown else headings
    held = {file.path.rpartition("/")[2] for file in ours.files}
    owed = [
        section.heading
        for section in ours.sections
        if not section.condition and section.heading not in headings
    ]
    if unknown or ordered != headings or owed:
        return f"sections: unknown {unknown}, owed {owed}, order {headings}"
    if (HEARTBEAT in held) != ("# Dynamic Project Context" in headings) and any(
        file.apart for file in ours.files
    ):
        return "HEARTBEAT.md stands elsewhere"
    return ""


def _clean(text: str) -> str:
    return re.sub("[\ud800-\udfff]", "\ufffd", text)
