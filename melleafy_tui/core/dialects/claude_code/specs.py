"""Selects and reads the specs under `.claude/` and in plugins.

The converted spec is the file that the user named, else the root's own SKILL.md, else the only spec if the root has no
instructions. Every other skill, command and subagent is listed but not converted.
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import PurePosixPath
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.dialects.agent_skills.frontmatter_fields import FrontmatterField, Head, read_head
from melleafy_tui.core.dialects.agent_skills.homes import SPEC
from melleafy_tui.core.dialects.agent_skills.reader import SkillReading, field_elements, read_skill
from melleafy_tui.core.dialects.base import FileRule
from melleafy_tui.core.dialects.claude_code.command_arguments import (
    argument_elements,
    read_arguments,
    with_named_arguments,
)
from melleafy_tui.core.dialects.claude_code.file_rules import FILE_RULES, rule_for
from melleafy_tui.core.dialects.claude_code.servers_and_hooks import hook_elements
from melleafy_tui.core.dialects.claude_code.settings import is_rule, whole_server
from melleafy_tui.core.dialects.claude_code.settings_sources import LISTS, reported
from melleafy_tui.core.dialects.element_factory import UNCONVERTED, ElementFactory, Home, SourceSpan
from melleafy_tui.core.dialects.headed_steps import with_steps
from melleafy_tui.core.dialects.matchers import SPEC_FOLDERS
from melleafy_tui.core.language.wording import shorten
from melleafy_tui.core.models.facts import Facts, NotedFact
from melleafy_tui.core.models.findings import Diagnostic, diagnose
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.snapshot import Snapshot, SourceFile
from melleafy_tui.core.models.vocabulary import Runtime
from melleafy_tui.core.tables import table_beside

_TABLE: Final = table_beside(__file__, "frontmatter_keys.toml")
_FRONT_ROWS: Final[dict[str, str]] = _TABLE["rows"]
_OTHER_KEYS: Final = frozenset(_TABLE["other"])
KEYS: Final = frozenset(_FRONT_ROWS).union(_TABLE["read"], _OTHER_KEYS)
"""Frontmatter keys that Claude Code adds to the standard."""

_KINDS: Final = {"claude.skill": "skill", "claude.command": "command", "claude.agent": "subagent"}
_FOLDERS: Final = {
    "skills": "claude.skill",
    "commands": "claude.command",
    "prompts": "claude.command",
    "agents": "claude.agent",
    "agent": "claude.agent",
}
_SHELL_CONTEXT: Final = re.compile(r"!`[^`\n]+`")
_OPTIONAL: Final = frozenset(
    {"skill-field-missing", "skill-frontmatter-missing", "skill-name-folder", "skill-name-form"}
)
"""Findings about a SKILL.md that don't apply to commands and subagents."""


class Spec(Struct, frozen=True):
    """A spec file with its file rule."""

    path: str
    rule: FileRule

    @property
    def kind(self) -> str:
        """Return `skill`, `command` or `subagent`."""
        return _KINDS[self.rule.rule_id]


def specs_of(snapshot: Snapshot, *, plugin: bool) -> tuple[Spec, ...]:
    """Return every spec of the workspace, in path order."""
    inside = _rule_of_root(snapshot)
    rules = ((file.path, _spec_rule(file.path, snapshot, inside, plugin=plugin)) for file in snapshot.files)
    return tuple(Spec(path, rule) for path, rule in rules if rule is not None)


def _spec_rule(path: str, snapshot: Snapshot, inside: FileRule | None, *, plugin: bool) -> FileRule | None:
    """Return the rule that makes a file a spec, or None; `inside` is the rule for the root folder's own specs."""
    rule = rule_for(path, plugin=plugin)
    if rule is not None and rule.rule_id in _KINDS:
        return rule
    if path == SPEC:
        return _rule("claude.skill")
    if not path.endswith(".md"):
        return None
    if inside is not None and "/" not in path:
        return inside if inside.rule_id != "claude.skill" else None
    return _rule("claude.command") if path == snapshot.primary and rule is None else None


def chosen_spec(snapshot: Snapshot, specs: tuple[Spec, ...], *, has_memory: bool) -> Spec | None:
    """Return the spec to convert, or None if the instructions are converted instead."""
    named = next((spec for spec in specs if spec.path == snapshot.primary), None)
    own = next((spec for spec in specs if spec.path == SPEC), None)
    if named or own:
        return named or own
    return specs[0] if len(specs) == 1 and not has_memory else None


def read_spec(snapshot: Snapshot, spec: Spec) -> SkillReading:
    """Return the contents of a spec, including the keys that Claude Code adds to the standard."""
    folder, _, name = spec.path.rpartition("/")
    folder = f"{folder}/" if folder else ""
    found = read_skill(
        snapshot,
        folder,
        runtime=Runtime.CLAUDE_CODE.value,
        spec=name,
        other_keys=KEYS,
        is_agent=spec.kind == "subagent",
    )
    if spec.kind == "command":
        found = replace(  # only a skill has a folder of its own
            found,
            files=tuple(listed for listed in found.files if listed.path == spec.path),
            elements=tuple(element for element in found.elements if element.source_file == spec.path),
        )
    file = snapshot.file(spec.path)
    if file is None:
        return found
    rule_id = spec.rule.rule_id
    arguments = read_arguments(file, found.head)
    elements = [*found.elements, *_head_elements(file, found.head, rule_id)]
    elements += argument_elements(file, rule_id, arguments)
    named = [
        replace(each, dialect_rule_id=rule_id) if each.dialect_rule_id == "skill.spec" else each
        for each in with_named_arguments(elements, arguments)
    ]
    files = tuple(
        replace(listed, role=spec.rule.role, dialect_rule_id=rule_id) if listed.path == spec.path else listed
        for listed in found.files
    )
    diagnostics = [
        finding for finding in found.diagnostics if spec.kind == "skill" or finding.code not in _OPTIONAL
    ]
    own = tuple(_in_order(named))
    is_read = spec.kind != "subagent" and file.text is not None
    held, procedure, said = with_steps(file, own, snapshot) if is_read else (own, None, ())
    return SkillReading(found.head, files, held, (*diagnostics, *said, *_shell_context(file)), procedure)


def read_noted(file: SourceFile, spec: Spec, *, beside: Spec | None) -> Element | None:
    """Return the single element of a spec that is listed but not converted, or None if it has no text.

    Args:
        file: The spec.
        spec: Its path and rule.
        beside: The spec that is converted, None if the instructions are; only then others are left to name.
    """
    if not any(line.strip() for line in file.lines):
        return None
    head = read_head(file)
    name = head.text("name") or spec_name(spec.path)
    about = head.text("description")
    shown = f"{spec.kind} {name}: {about}" if about else f"{spec.kind} {name}"
    return ElementFactory(file, spec.rule.rule_id).make(
        SourceSpan(1, len(file.lines), "file"),
        shown,
        Home(*UNCONVERTED, "spec.noted", "spec.noted"),
        Facts(NotedFact(spec.path)) if spec.kind != "skill" and beside is None else Facts(),
        notes=("It is a spec of its own: name its file to convert it.",),
    )


def spec_name(path: str) -> str:
    """Return a spec's name from its path: the folder of a skill, the stem of a command or a subagent."""
    given = PurePosixPath(path)
    return given.parent.name if given.name == SPEC else given.stem


def _rule(rule_id: str) -> FileRule:
    return next(rule for rule in FILE_RULES if rule.rule_id == rule_id)


def _rule_of_root(snapshot: Snapshot) -> FileRule | None:
    """Return the file rule for the root folder's own spec, if the root is inside `.claude/`."""
    parts = PurePosixPath(snapshot.root.replace("\\", "/")).parts
    for part, inside in pairwise(parts):
        if f"{part}/{inside}/" in SPEC_FOLDERS:
            return _rule(_FOLDERS[inside])
    return None


def _in_order(elements: list[Element]) -> list[Element]:
    """Return the elements grouped by file and sorted by first line."""
    paths = dict.fromkeys(element.source_file for element in elements)
    order = {path: place for place, path in enumerate(paths)}
    return sorted(elements, key=lambda element: (order[element.source_file], element.line_range[0]))


def _head_elements(file: SourceFile, head: Head, rule_id: str) -> Iterator[Element]:
    lines = {argument.first for argument in read_arguments(file, head)}
    used = next((field.key for field in head.fields if field.first in lines), "")
    for field in head.fields:
        if row := _reported_row(field.key, used):
            yield _reported(file, field, rule_id, row)
        elif field.key == "hooks":
            yield from _hooks(file, field, rule_id)
        elif field.key == "tools":
            grants = FrontmatterField("allowed-tools", field.value, field.first, field.last)
            yield from field_elements(file, grants)
        elif field.key == "disallowedTools":
            yield from _denied(file, field, rule_id)


def _reported_row(key: str, used: str) -> str:
    """Return the row of a key that is only reported, or `""`; `used` is the key that declares the arguments."""
    is_unused = key in ("argument-hint", "arguments") and key != used
    return _FRONT_ROWS.get(key, "front.other" if key in _OTHER_KEYS or is_unused else "")


def _reported(file: SourceFile, field: FrontmatterField, rule_id: str, row: str) -> Element:
    value = field.value
    text = ", ".join(map(str, value)) if isinstance(value, list) else str(value).lower().strip()
    shown = f"{field.key}: {field.text or text}"
    return ElementFactory(file, rule_id).make(
        SourceSpan(field.first, field.last, "field"),
        shown,
        reported(f"front.{field.key}", row),
        summary=shorten(shown),
        label=field.key,
        value=field.text or text,
    )


def _hooks(file: SourceFile, field: FrontmatterField, rule_id: str) -> Iterator[Element]:
    """Yield what each hook of a frontmatter becomes; a field without one is only reported."""
    found = False
    for event, groups in (field.value if isinstance(field.value, dict) else {}).items():
        for group in (each for each in groups if isinstance(each, dict)) if isinstance(groups, list) else ():
            hooks, matcher = group.get("hooks"), str(group.get("matcher", ""))
            for hook in hooks if isinstance(hooks, list) else [group]:
                found = True
                span = SourceSpan(field.first, field.last, "json", section=("hooks", str(event)))
                yield from hook_elements(ElementFactory(file, rule_id), span, str(event), matcher, hook)
    if not found:
        yield _reported(file, field, rule_id, "front.other")


def _denied(file: SourceFile, field: FrontmatterField, rule_id: str) -> Iterator[Element]:
    value = field.value
    rules = value if isinstance(value, list) else re.split(r",\s*(?![^()]*\))", str(value))
    denied = LISTS["deny"]
    for rule in (str(rule).strip() for rule in rules):
        if is_rule(rule):
            yield ElementFactory(file, rule_id).make(
                SourceSpan(field.first, field.last, "field"),
                f"{denied.lead}: {rule}",
                denied.home("front.disallowedTools"),
                denied.facts(rule, whole_server(rule)),
                summary=shorten(f"deny: {rule}"),
                label=rule,
            )


def _shell_context(file: SourceFile) -> Iterator[Diagnostic]:
    for number, line in enumerate(file.lines, 1):
        if _SHELL_CONTEXT.search(line):
            yield diagnose("shell-context", file.path, str(number))
