"""Matchers for specs of Agent Skills and Claude Code: where they stand, and what their frontmatter says."""

import re
from collections.abc import Iterator
from typing import Final

from melleafy_tui.core.dialects.base import Match, Matcher
from melleafy_tui.core.dialects.matchers import frontmatter
from melleafy_tui.core.models.snapshot import Snapshot, SourceFile
from melleafy_tui.core.workspace.frontmatter import Frontmatter

SKILL_NAME: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
SKILL_KEYS: Final = frozenset(
    {"name", "description", "license", "compatibility", "metadata", "allowed-tools", "when_to_use"}
)
CLAUDE_SPEC_FOLDERS: Final = (".claude/skills/", ".claude/commands/", ".claude/agents/")


def root_skill(snapshot: Snapshot) -> Iterator[SourceFile]:
    """Yield the SKILL.md of the root; one below it is no Agent Skills signal."""
    file = snapshot.file("SKILL.md")
    if file is not None:
        yield file


def claude_specs(snapshot: Snapshot) -> Iterator[SourceFile]:
    """Yield the Markdown files whose frontmatter Claude Code reads: the spec itself, and those under `.claude/`."""
    for file in snapshot.files:
        path = file.path
        if path.endswith(".md") and (
            path == "SKILL.md" or path == snapshot.primary or _in_claude_folder(path)
        ):
            yield file


def spec_under_claude(snapshot: Snapshot) -> Iterator[Match]:
    """Match specs under `.claude/skills|commands|agents/`; the root may itself be such a folder."""
    root_is_inside = _in_claude_folder(snapshot.root.replace("\\", "/").strip("/") + "/")
    for file in snapshot.files:
        at_root = root_is_inside and "/" not in file.path
        if file.path.endswith(".md") and (at_root or _in_claude_folder(file.path)):
            yield Match(file.path)


def _in_claude_folder(path: str) -> bool:
    return ".claude/" in path and any(f"/{folder}" in f"/{path}" for folder in CLAUDE_SPEC_FOLDERS)


def claude_key(key: str, value: str = "") -> Matcher:
    """Match a frontmatter key of Claude Code's, with one value where given."""

    def test(head: Frontmatter) -> Iterator[str]:
        data = head.data or {}
        if key in data and (not value or data[key] == value):
            yield key

    return frontmatter(claude_specs, test)


def _valid_name(head: Frontmatter) -> Iterator[str]:
    name = (head.data or {}).get("name")
    if isinstance(name, str) and SKILL_NAME.fullmatch(name):
        yield "name"


def _description(head: Frontmatter) -> Iterator[str]:
    if (head.data or {}).get("description"):
        yield "description"


def _standard_keys_only(head: Frontmatter) -> Iterator[str]:
    keys = list(head.data or {})
    if keys and SKILL_KEYS.issuperset(keys):
        yield keys[0]


skill_name_is_valid: Final = frontmatter(root_skill, _valid_name)
skill_has_description: Final = frontmatter(root_skill, _description)
skill_has_standard_keys_only: Final = frontmatter(root_skill, _standard_keys_only)
