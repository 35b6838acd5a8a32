"""Reads the frontmatter of a SKILL.md: its fields with their lines, and findings about them.

The limits on name, description and compatibility are those of the Agent Skills standard.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct

from melleafy_tui.core.dialects.element_factory import line_range
from melleafy_tui.core.dialects.matchers import SKILL_KEYS
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.findings import Diagnostic, diagnose
from melleafy_tui.core.models.snapshot import SourceFile
from melleafy_tui.core.source.frontmatter import split_frontmatter

LONGEST_NAME: Final = 64
LONGEST_DESCRIPTION: Final = 1024
LONGEST_COMPATIBILITY: Final = 500
"""Maximum lengths in characters, from the Agent Skills standard."""

_NAME: Final = LazyRegex(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_KEY: Final = LazyRegex(r"(?P<key>[A-Za-z][\w-]*)[ \t]*:")
_FENCE: Final = re.compile(r"---[ \t]*")


class FrontmatterField(Struct, frozen=True):
    """One top-level field: its key, its value, its first and last line."""

    key: str
    value: object
    first: int
    last: int

    @property
    def lines(self) -> str:
        """Return its lines in the form of `Element.source_lines`."""
        return line_range(self.first, self.last)

    @property
    def text(self) -> str:
        """Return its value as one line of text, or `""` if it isn't text."""
        return " ".join(self.value.split()) if isinstance(self.value, str) else ""


class Head(Struct, frozen=True):
    """The frontmatter of a spec.

    Attributes:
        fields: Its fields in source order.
        last: Its last line, the closing `---` if there is one; 0 if there is no frontmatter.
        problem: Why the block isn't valid YAML, or `""`; its plain `name: value` lines are still read.
    """

    fields: tuple[FrontmatterField, ...] = ()
    last: int = 0
    problem: str = ""

    def get(self, key: str) -> FrontmatterField | None:
        """Return the field with this key, or None."""
        return next((field for field in self.fields if field.key == key), None)

    def text(self, key: str) -> str:
        """Return the value of a key as one line of text, or `""` if there is none."""
        field = self.get(key)
        return field.text if field is not None else ""


def read_head(file: SourceFile) -> Head:
    """Return the frontmatter of a spec, with its plain fields even if it isn't valid YAML."""
    head = split_frontmatter("\n".join(file.lines))
    if head.data is not None:
        return Head(_fields(file, dict(head.data), dict(head.key_lines), head.last_line), head.last_line)
    if not head.simple_fields:
        return Head(problem=head.problem)
    last = head.simple_last_line
    closing = last if _FENCE.fullmatch(file.lines[last - 1]) else last + 1
    lines: dict[str, int] = {}
    for number, line in enumerate(file.lines[1 : closing - 1], 2):
        match = _KEY.match(line)
        if match:
            lines.setdefault(match["key"], number)
    return Head(_fields(file, dict(head.simple_fields), lines, closing), last, head.problem)


def _fields(
    file: SourceFile, data: dict[str, object], lines: dict[str, int], closing: int
) -> tuple[FrontmatterField, ...]:
    """Return the fields, each extending to the next one without the blank lines between them."""
    ordered = sorted((lines[key], key) for key in data if key in lines)
    ends = [first - 1 for first, _ in ordered[1:]] + [closing - 1]
    found = []
    for (first, key), end in zip(ordered, ends, strict=True):
        last = end
        while last > first and not file.lines[last - 1].strip():
            last -= 1
        found.append(FrontmatterField(key, data[key], first, last))
    return tuple(found)


CLAUDE_CODE_KEYS: Final = frozenset(
    {
        "agent", "argument-hint", "arguments", "context", "disable-model-invocation", "disallowedTools", "effort",
        "hooks", "model", "paths", "shell", "tools", "user-invocable", "version",
    }
)  # fmt: skip
"""Keys that Claude Code adds to a skill's; a skill has them wherever its folder lies."""


def head_findings(path: str, head: Head, folder: str, other_keys: Iterable[str] = ()) -> Iterator[Diagnostic]:
    """Yield the problems in a frontmatter.

    Args:
        path: The spec's path.
        head: Its frontmatter.
        folder: The name of the skill's folder, which must equal the skill's name.
        other_keys: Keys that another runtime adds to the standard.
    """
    if not head.last:
        reason = head.problem or "the file does not start with ---"
        yield diagnose("skill-frontmatter-missing", path, "1", problem=reason)
        return
    if head.problem:
        yield diagnose("skill-frontmatter-loose", path, f"1-{head.last}", problem=head.problem)
    yield from _about_name(path, head, folder)
    yield from _about_length(path, head, "description", LONGEST_DESCRIPTION, required=True)
    yield from _about_length(path, head, "compatibility", LONGEST_COMPATIBILITY, required=False)
    for field in head.fields:
        if field.key not in SKILL_KEYS | CLAUDE_CODE_KEYS and field.key not in other_keys:
            yield diagnose("skill-key-unknown", path, field.lines, key=field.key)
    metadata = head.get("metadata")
    if metadata is not None and not isinstance(metadata.value, dict):
        yield diagnose("skill-metadata-no-mapping", path, metadata.lines)


def _about_name(path: str, head: Head, folder: str) -> Iterator[Diagnostic]:
    field = head.get("name")
    if field is None or not field.text:
        yield diagnose("skill-field-missing", path, f"1-{head.last}", key="name")
        return
    if len(field.text) > LONGEST_NAME or not _NAME.fullmatch(field.text):
        yield diagnose(
            "skill-name-form", path, field.lines, name=field.text[:LONGEST_NAME], limit=LONGEST_NAME
        )
    if field.text != folder:
        yield diagnose("skill-name-folder", path, field.lines, name=field.text[:LONGEST_NAME], folder=folder)


def _about_length(path: str, head: Head, key: str, limit: int, *, required: bool) -> Iterator[Diagnostic]:
    field = head.get(key)
    if field is None or not field.text:
        if required:
            yield diagnose("skill-field-missing", path, f"1-{head.last}", key=key)
        return
    length = len(field.value) if isinstance(field.value, str) else 0
    if length > limit:
        yield diagnose("skill-field-long", path, field.lines, key=key, characters=length, limit=limit)
