"""Reads a Claude Code workspace: instructions up to the repository's root, the spec, settings and servers."""

from collections.abc import Callable, Collection, Iterator
from pathlib import PurePosixPath
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from melleafy_tui.core.dialects.agent_skills.homes import SPEC
from melleafy_tui.core.dialects.base import FileRule, Reading
from melleafy_tui.core.dialects.claude_code.file_rules import FILE_RULES, IMPORTED, rule_for
from melleafy_tui.core.dialects.claude_code.instructions import follow, read_memory
from melleafy_tui.core.dialects.claude_code.modality import has_memory, is_plugin, settings_paths
from melleafy_tui.core.dialects.claude_code.servers_and_hooks import read_hooks, read_plugin, read_servers
from melleafy_tui.core.dialects.claude_code.settings import read_settings
from melleafy_tui.core.dialects.claude_code.settings_sources import (
    MergedSettings,
    Source,
    merge_settings,
    settings_problem,
    settings_root,
    with_uncovered_lines,
)
from melleafy_tui.core.dialects.claude_code.specs import Spec, chosen_spec, read_noted, read_spec, specs_of
from melleafy_tui.core.dialects.element_factory import (
    UNCONVERTED,
    ElementFactory,
    Home,
    SourceSpan,
    listed_file,
    unread_file,
)
from melleafy_tui.core.dialects.named_documents import documents_in, read_documents
from melleafy_tui.core.language.wording import first_of
from melleafy_tui.core.models.findings import Diagnostic, diagnose
from melleafy_tui.core.models.inventory import Element, InventoriedFile
from melleafy_tui.core.models.procedure import Procedure
from melleafy_tui.core.models.snapshot import Snapshot, SourceFile
from melleafy_tui.core.models.vocabulary import Runtime

RUNTIME: Final = Runtime.CLAUDE_CODE.value
_MOST_SHOWN: Final = 5
LOCAL_NOTES: Final = "CLAUDE.local.md"

_SETTINGS_READERS: Final[dict[str, Callable[[Source], Iterator[Element]]]] = {
    "claude.settings": read_settings,
    "claude.servers": lambda file: read_servers(file, file.root.at("mcpServers") or file.root),
    "claude.plugin": read_plugin,
    "claude.plugin.hooks": lambda file: read_hooks(file, file.root.at("hooks") or file.root),
}


class _Collected(Struct):
    """The results read so far."""

    snapshot: Snapshot
    files: list[InventoriedFile] = field(default_factory=list)
    elements: list[Element] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)
    procedure: Procedure | None = None


def read_workspace(snapshot: Snapshot) -> Reading:
    """Return the files, elements and diagnostics of a Claude Code workspace."""
    plugin = is_plugin(snapshot)
    specs = specs_of(snapshot, plugin=plugin)
    spec = chosen_spec(snapshot, specs, has_memory=has_memory(snapshot))
    read = _Collected(snapshot)
    if spec is not None:
        _read_spec(read, spec)
    _read_memories(read, plugin=plugin)
    _read_settings(read, plugin=plugin)
    _note_specs(read, specs, spec)
    if spec is None and (found := _skills_elsewhere(snapshot, specs)):
        skills = "1 skill lies" if len(found) == 1 else f"{len(found)} skills lie"
        read.diagnostics.append(
            diagnose("skills-elsewhere", "", skills=skills, paths=first_of(found, _MOST_SHOWN))
        )
    if snapshot.has(LOCAL_NOTES):
        rule = next(rule for rule in FILE_RULES if rule.pattern == LOCAL_NOTES)
        read.files.append(unread_file(LOCAL_NOTES, rule, RUNTIME, "Never opened."))
        read.diagnostics.append(diagnose("local-notes-unread", LOCAL_NOTES))
    if spec is None and not has_memory(snapshot) and len(specs) > 1:
        read.diagnostics.append(diagnose("spec-unnamed", "", count=len(specs)))
    for listed, element in read_documents(read.elements, read.seen, snapshot, RUNTIME):
        read.files.append(listed)
        read.elements += [element] if element is not None else []
    is_scoped = any(element.scope for element in read.elements)
    procedure = None if is_scoped else read.procedure  # a run in steps has no scopes
    return Reading(tuple(read.files), tuple(read.elements), tuple(read.diagnostics), (), procedure)


def files_to_open(snapshot: Snapshot) -> Iterator[str]:
    """Yield the parts of a plugin, and the files in the folder of the skill that is converted."""
    plugin = is_plugin(snapshot)
    if plugin:
        yield from (path for path in snapshot.paths if (rule := rule_for(path)) is not None and rule.contents)
    spec = chosen_spec(snapshot, specs_of(snapshot, plugin=plugin), has_memory=has_memory(snapshot))
    for path in _instruction_files(snapshot, plugin=plugin):
        file = snapshot.file(path)
        yield from documents_in((file.text or "") if file is not None else "", snapshot)
    if spec is not None and spec.kind == "skill":
        folder = spec.path.removesuffix(PurePosixPath(spec.path).name)
        yield from (path for path in snapshot.paths if path.startswith(folder))


def _read_spec(read: _Collected, spec: Spec) -> None:
    found = read_spec(read.snapshot, spec)
    read.files += found.files
    read.elements += found.elements
    read.diagnostics += found.diagnostics
    read.procedure = found.procedure
    read.diagnostics.append(diagnose("spec-chosen", spec.path, kind=spec.kind))
    read.seen.update(listed.path for listed in found.files)
    file = read.snapshot.file(spec.path)
    if file is not None:
        _follow_imports(read, file, "")


def _read_memories(read: _Collected, *, plugin: bool) -> None:
    """Read the instructions, from the farthest folder to the nearest."""
    instructions = _instruction_files(read.snapshot, plugin=plugin)
    for file in read.snapshot.files:
        rule = rule_for(file.path, plugin=plugin)
        if rule is not None and rule.rule_id.startswith("claude.memory") and file.path not in instructions:
            why = _left_aside(file.path, [each.path for each in read.snapshot.files], read.snapshot)
            if why:
                read.diagnostics.append(diagnose("instructions-once", file.path, why=why))
                aside = replace(rule, rule_id="claude.memory.aside")
                read.files.append(unread_file(file.path, aside, RUNTIME, f"{why}."))
    expected = next(rule for rule in FILE_RULES if rule.expected)
    if not instructions.keys() & {"CLAUDE.md", ".claude/CLAUDE.md", "AGENTS.md"}:
        read.files.append(unread_file(expected.pattern, expected, RUNTIME, status="absent"))
    for path, rule in instructions.items():
        memory = read.snapshot.file(path)
        if memory is None or path in read.seen:
            continue
        read.seen.add(path)
        scope = path.rpartition("/")[0] if rule.rule_id == "claude.memory.scoped" else ""
        _add_memory(read, memory, rule, scope)
        _follow_imports(read, memory, scope)


def _instruction_files(snapshot: Snapshot, *, plugin: bool) -> dict[str, FileRule]:
    """Return the instruction files with their rules, the farthest folder first."""
    ranked = []
    for file in snapshot.files:
        rule = rule_for(file.path, plugin=plugin)
        if rule is not None and rule.rule_id.startswith(("claude.memory", "claude.rules")) and rule.contents:
            ranked.append((-file.path.count("../"), FILE_RULES.index(rule), file.path, rule))
    found = {path: rule for _, _, path, rule in sorted(ranked, key=lambda found: found[:3])}
    return {path: rule for path, rule in found.items() if not _left_aside(path, found, snapshot)}


def _left_aside(path: str, found: Collection[str], snapshot: Snapshot) -> str:
    """Return why an instruction file counts no second time, or `""`: Claude Code reads CLAUDE.md before AGENTS.md."""
    if snapshot.links.get(path, "") in found:
        return f"It is a link to {snapshot.links[path]}"
    folder, slash, name = path.rpartition("/")
    others = (f"{folder}{slash}{other}" for other in ("CLAUDE.md", ".claude/CLAUDE.md"))
    if name == "AGENTS.md":
        other = next((other for other in others if other in found and not snapshot.links.get(other)), "")
        return f"Claude Code reads {other} in its place" if other else ""
    return ""


def _add_memory(read: _Collected, file: SourceFile, rule: FileRule, scope: str, note: str = "") -> None:
    read.files.append(listed_file(file, rule, RUNTIME, note))
    if file.text is not None:
        read.elements += read_memory(file, rule.rule_id, read.snapshot, scope)


def _follow_imports(read: _Collected, file: SourceFile, scope: str) -> None:
    for found, by in follow(file, read.snapshot, read.seen, read.diagnostics):
        _add_memory(read, found, IMPORTED, scope, f"Imported by {by}.")


def _read_settings(read: _Collected, *, plugin: bool) -> None:
    """Read settings, servers and the plugin, each in order of precedence, highest first."""
    paths = settings_paths(read.snapshot)
    merged = merge_settings(read.snapshot, paths)
    for element in read.elements:
        if element.kind == "grant":
            merged.places.setdefault(("grant", element.facts.name), element.location)
    found = []
    for file in read.snapshot.files:
        rule = rule_for(file.path, plugin=plugin)
        if rule is not None and rule.rule_id in _SETTINGS_READERS:
            place = paths.index(file.path) if file.path in paths else len(paths)
            found.append((file.path.count("../"), FILE_RULES.index(rule), place, file, rule))
    strongest: dict[str, tuple[list[Element], list[Diagnostic]]] = {}
    for _, _, place, file, rule in sorted(found, key=lambda row: (row[0], row[2], row[1])):
        strongest[file.path] = _settings_of(file, rule, merged, holds=place < len(paths))
    for _, _, place, file, rule in sorted(found, key=lambda row: (-row[0], row[1])):
        note = ""
        if rule.rule_id == "claude.settings":
            rank = f"Settings {place + 1} of {len(paths)}, the first wins."
            note = rank if place < len(paths) else "Not used."
        read.files.append(listed_file(file, rule, RUNTIME, note))
        elements, diagnostics = strongest[file.path]
        read.elements += elements
        read.diagnostics += diagnostics


def _settings_of(
    file: SourceFile, rule: FileRule, merged: MergedSettings, *, holds: bool
) -> tuple[list[Element], list[Diagnostic]]:
    if file.text is None:
        return [], []
    if rule.rule_id == "claude.settings" and not holds:
        return list(_whole(file, rule)), [diagnose("settings-farther", file.path)]
    root = settings_root(file)
    if root is None:
        return list(_whole(file, rule)), list(settings_problem(file))
    source = Source(file, rule.rule_id, root, merged)
    return with_uncovered_lines(source, _SETTINGS_READERS[rule.rule_id](source)), source.diagnostics


def _whole(file: SourceFile, rule: FileRule) -> Iterator[Element]:
    filled = [number for number, line in enumerate(file.lines, 1) if line.strip()]
    if filled:
        yield ElementFactory(file, rule.rule_id).make(
            SourceSpan(filled[0], filled[-1], "json"),
            "Settings that are not used",
            Home(*UNCONVERTED, "settings.unused"),
        )


def _note_specs(read: _Collected, specs: tuple[Spec, ...], chosen: Spec | None) -> None:
    for spec in specs:
        file = read.snapshot.file(spec.path)
        if spec == chosen or file is None or spec.path in read.seen:
            continue
        read.files.append(listed_file(file, spec.rule, RUNTIME, "Noted and not expanded."))
        element = read_noted(file, spec, beside=chosen) if file.text is not None else None
        read.elements += [element] if element is not None else []


def _skills_elsewhere(snapshot: Snapshot, specs: tuple[Spec, ...]) -> list[str]:
    """Return the folders of skills that aren't specs of the workspace and lie in no other skill."""
    skills = {PurePosixPath(name).parent for name in snapshot.names if name.endswith(f"/{SPEC}")}
    known = {PurePosixPath(spec.path).parent for spec in specs}
    return sorted(folder.as_posix() for folder in skills - known if skills.isdisjoint(folder.parents))
