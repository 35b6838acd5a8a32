"""Reads an OpenClaw workspace: lists the files of the table, passes each to its reader, follows references."""

from collections.abc import Callable, Iterator
from typing import Final

from msgspec.structs import replace

from melleafy_tui.core.dialects.base import FileRule, Reading, ReadingContext
from melleafy_tui.core.dialects.element_factory import listed_file, unread_file
from melleafy_tui.core.dialects.named_documents import documents_in, read_documents
from melleafy_tui.core.dialects.openclaw.budgets import (
    RETIRED,
    Budget,
    budget_of,
    over_file_limit,
    with_own_limits,
)
from melleafy_tui.core.dialects.openclaw.configuration import configuration_of, no_such_agent
from melleafy_tui.core.dialects.openclaw.extensions import (
    read_bootstrap,
    read_environment,
    read_hook,
    read_skill,
)
from melleafy_tui.core.dialects.openclaw.extra_bootstrap import extra_paths
from melleafy_tui.core.dialects.openclaw.file_rules import FILE_RULES, SCOPED, rule_for
from melleafy_tui.core.dialects.openclaw.heartbeat import read_boot, read_heartbeat
from melleafy_tui.core.dialects.openclaw.heartbeat_times import is_empty_for_openclaw
from melleafy_tui.core.dialects.openclaw.identity import read_identity
from melleafy_tui.core.dialects.openclaw.modality import modality_findings
from melleafy_tui.core.dialects.openclaw.reader_task import Task
from melleafy_tui.core.dialects.openclaw.references import REFERRING_RULES, follow_references
from melleafy_tui.core.dialects.openclaw.sections import read_rules, read_sections
from melleafy_tui.core.dialects.openclaw.settings import read_cron_jobs, read_settings
from melleafy_tui.core.dialects.openclaw.tool_policy import read_tools, tool_parts, with_policy
from melleafy_tui.core.dialects.openclaw.user import read_user
from melleafy_tui.core.dialects.openclaw.wiki import (
    counted_notes,
    daily_elements,
    daily_notes,
    notes_elements,
    read_wiki_file,
    searched_notes,
)
from melleafy_tui.core.dialects.tool_facts import is_tools_heading
from melleafy_tui.core.models.findings import Diagnostic, diagnose
from melleafy_tui.core.models.inventory import Element, InventoriedFile
from melleafy_tui.core.models.snapshot import Snapshot, SourceFile
from melleafy_tui.core.models.vocabulary import Runtime
from melleafy_tui.core.source.frontmatter import frontmatter_of
from melleafy_tui.core.source.markdown import parse_markdown
from melleafy_tui.core.source.segments import cut_sections


def generation(snapshot: Snapshot) -> str:
    """Return the generation in words with the evidence for it, or `""` if it can't be determined."""
    retired = [path for path in RETIRED if snapshot.file(path) is not None]
    newer = list(_newer_signs(snapshot))
    if retired and newer:
        earlier, later = map(" and ".join, (retired, newer))
        return f"between two generations of OpenClaw: {earlier} of the earlier one, {later} of the later one"
    if retired:
        first = min(RETIRED[path] for path in retired)
        return f"OpenClaw before {first} ({' and '.join(retired)} in the workspace)"
    if newer:
        return f"OpenClaw since {max(RETIRED.values())} ({' and '.join(newer)})"
    return ""


def _newer_signs(snapshot: Snapshot) -> list[str]:
    signs = []
    agents = snapshot.file("AGENTS.md")
    if agents is not None and any(is_tools_heading(section.heading) for section in cut_sections(agents)):
        signs.append("a Tools section in AGENTS.md")
    configuration = configuration_of(snapshot)
    if configuration is not None and configuration.root.at("agents.entries"):
        signs.append(f"agents.entries in {configuration.path}")
    return signs


RUNTIME: Final = Runtime.OPENCLAW.value

_WIKI_READERS: Final = {
    rule.rule_id: read_wiki_file for rule in FILE_RULES if rule.rule_id.startswith("openclaw.wiki.")
}
READERS: Final[dict[str, Callable[[Task], list[Element]]]] = {
    "openclaw.soul": read_sections,
    "openclaw.identity": read_identity,
    "openclaw.agents": read_rules,
    "openclaw.agents.scoped": read_rules,
    "openclaw.user": read_user,
    "openclaw.tools": read_tools,
    "openclaw.memory": read_sections,
    "openclaw.dreams": read_sections,
    "openclaw.heartbeat": read_heartbeat,
    "openclaw.bootstrap": read_bootstrap,
    "openclaw.boot": read_boot,
    **_WIKI_READERS,
    "openclaw.config": read_settings,
    "openclaw.cron": read_cron_jobs,
    "openclaw.hook": read_hook,
    "openclaw.skill": read_skill,
    "openclaw.env": read_environment,
}
"""The reader for each file rule whose contents are read."""


def wants(path: str) -> bool:
    """Return whether the dialect reads the file at this path."""
    rule = rule_for(path)
    return rule is not None and rule.contents


def read_workspace(snapshot: Snapshot, context: ReadingContext) -> Reading:
    """Return the files, elements and diagnostics of an OpenClaw workspace."""
    rules: dict[str, FileRule] = {}
    files = tuple(_files(snapshot, context, rules))
    elements: list[Element] = []
    diagnostics: list[Diagnostic] = []
    budget = own_budget(snapshot, context.options.get("openclaw_release", ""))
    for listed in files:
        if listed.dialect_rule_id == "openclaw.memory.daily" and listed.path == "memory/":
            elements += daily_elements(snapshot, context)
        if listed.dialect_rule_id == "openclaw.memory.notes":
            elements += notes_elements(snapshot)
        source = snapshot.file(listed.path)
        if listed.status != "read" or source is None:
            continue
        task = Task(source, rules[listed.path], snapshot, context)
        found = READERS[listed.dialect_rule_id](task)
        elements += [*found, *tool_parts(task)]
        diagnostics += _about_file(task)
    diagnostics += modality_findings(snapshot)
    diagnostics += _over_budget(files, budget)
    references = follow_references(with_policy(elements, snapshot), snapshot)
    diagnostics += references.diagnostics
    stock = sum(element.template for element in references.elements)
    if stock:
        diagnostics.append(diagnose("template-text", "", count=stock))
    referring = [each for each in references.elements if each.dialect_rule_id in REFERRING_RULES]
    ordered = [*read_documents(referring, {file.path for file in files}, snapshot, RUNTIME)]
    more = (element for _, element in ordered if element is not None)
    listed_too = (listed for listed, _ in ordered)
    return Reading((*files, *listed_too), (*references.elements, *more), tuple(diagnostics))


def files_to_open(snapshot: Snapshot) -> Iterator[str]:
    """Yield the documents that the bootstrap files name, and those that these name."""
    for file in snapshot.files:
        rule = rule_for(file.path)
        is_document = rule is None and file.path.endswith(".md")
        if is_document or (rule is not None and rule.rule_id in REFERRING_RULES):
            yield from documents_in(file.text or "", snapshot)


def _files(
    snapshot: Snapshot, context: ReadingContext, rules: dict[str, FileRule]
) -> Iterator[InventoriedFile]:
    """Yield the files of the table in its order, including absent ones that are expected.

    Args:
        snapshot: The workspace.
        context: The reading context, with today's date.
        rules: Is filled with the row that matches each path.
    """
    by_rule: dict[str, list[str]] = {}
    for path in _paths(snapshot):
        rule = rule_for(path)
        if rule is not None:
            rules[path] = rule
            by_rule.setdefault(rule.rule_id, []).append(path)
    for path in extra_paths(snapshot):
        rule = rule_for(path.rpartition("/")[2])
        if rule is not None and "/" in path:
            if path in rules:
                by_rule[rules[path].rule_id].remove(path)
            rules[path] = rule
            by_rule.setdefault(rule.rule_id, []).append(path)
    seen: set[str] = set()
    for rule in FILE_RULES:
        if rule.rule_id in seen:
            continue
        seen.add(rule.rule_id)
        paths = by_rule.get(rule.rule_id, [])
        if rule.rule_id == "openclaw.memory.daily":
            yield from _daily(snapshot, rule, context)
            continue
        if rule.rule_id == "openclaw.memory.notes":
            yield from _notes(snapshot, rule)
            continue
        if not paths and rule.expected:
            yield unread_file(rule.pattern, rule, RUNTIME, status="absent")
        for path in paths:
            yield _file(snapshot, rules[path], path)


def _paths(snapshot: Snapshot) -> list[str]:
    opened = [file.path for file in snapshot.files]
    return sorted({*opened, *(name for name in snapshot.names if not name.endswith("/"))})


def _file(snapshot: Snapshot, rule: FileRule, path: str) -> InventoriedFile:
    source = snapshot.file(path)
    if rule is SCOPED and any(snapshot.has(f"{folder}SOUL.md") for folder in folders_of(path)):
        note = "Another agent's: its folder has a SOUL.md of its own."
        return unread_file(path, rule, RUNTIME, note)
    if path.endswith("/SKILL.md") and (other := _read_instead(path, snapshot)):
        return unread_file(path, rule, RUNTIME, f"OpenClaw reads {other} instead.")
    if not rule.contents:
        return unread_file(path, rule, RUNTIME, "Never opened.")
    if source is None:
        return unread_file(path, rule, RUNTIME, "It was not read.", status="skipped")
    note = f"OpenClaw no longer reads it since {RETIRED[path]}." if path in RETIRED else ""
    return listed_file(source, rule, RUNTIME, note)


def _read_instead(path: str, snapshot: Snapshot) -> str:
    """Return the skill that a skill is part of, or the one in `skills/` that has its name, `""` for none."""
    name = path.split("/")[-2]
    above = (f"{folder}SKILL.md" for folder in folders_of(path) if not folder.endswith("skills/"))
    others = (*above, f"skills/{name}/SKILL.md")
    return next((other for other in others if other != path and snapshot.has(other)), "")


def folders_of(path: str) -> Iterator[str]:
    """Yield the folders below the root that hold a file, each with its final `/`."""
    parts = path.split("/")[:-1]
    yield from ("/".join(parts[:count]) + "/" for count in range(1, len(parts) + 1))


def _daily(snapshot: Snapshot, rule: FileRule, context: ReadingContext) -> Iterator[InventoriedFile]:
    notes = daily_notes(snapshot)
    if not notes:
        return
    shown = [element.source_file for element in daily_elements(snapshot, context)]
    count = f"{counted_notes(notes)}, never opened."
    yield unread_file("memory/", replace(rule, role="daily notes"), RUNTIME, count)
    for path in shown:
        yield unread_file(path, rule, RUNTIME, "Never opened.")


def _notes(snapshot: Snapshot, rule: FileRule) -> Iterator[InventoriedFile]:
    notes = searched_notes(snapshot)
    if notes:
        count = f"{len(notes)} {'note' if len(notes) == 1 else 'notes'} below memory/, never opened."
        yield unread_file(notes[0], rule, RUNTIME, count)


def _about_file(task: Task) -> Iterator[Diagnostic]:
    if task.file.path.endswith(".md"):
        yield from _about_markdown(task.file)
    if task.rule_id == "openclaw.heartbeat" and is_empty_for_openclaw(task.file):
        yield diagnose("heartbeat-empty", task.file.path)


def _about_markdown(file: SourceFile) -> Iterator[Diagnostic]:
    text = file.text or ""
    # Parse only files that can have a finding: a wiki has thousands that can't.
    if "```" in text or "~~~" in text:
        for block in parse_markdown(file.lines).blocks:
            if not block.closed:
                yield diagnose("fence-unclosed", file.path, str(block.first))
    head = frontmatter_of(file) if text.startswith("---") else None
    if head is not None and head.problem and head.simple_fields:
        yield diagnose("frontmatter-refused", file.path, "1", problem=head.problem)


def own_budget(snapshot: Snapshot, release: str, agent: str = "") -> Budget:
    """Return the limits in effect for a workspace: the release's, replaced by those in its configuration.

    Args:
        snapshot: The workspace.
        release: The release, or `dialect-1.0`.
        agent: The id of the agent whose limits apply; by default the agent that the workspace belongs to.

    Raises:
        UsageError: the release is unknown, or the configuration doesn't declare the agent.
    """
    budget = budget_of(release)
    configuration = configuration_of(snapshot)
    if configuration is not None:
        return with_own_limits(budget, *configuration.limits(agent), f"set in {configuration.path}")
    if agent:
        raise no_such_agent(agent, ())
    return budget


def _over_budget(files: tuple[InventoriedFile, ...], budget: Budget) -> Iterator[Diagnostic]:
    counted = {rule.pattern for rule in FILE_RULES if rule.counts_in_budget}
    characters = {
        file.path: file.characters for file in files if file.path in counted and file.status == "read"
    }
    for path, count, limit in over_file_limit(budget, characters):
        yield diagnose("budget-file", path, characters=count, limit=limit, origin=budget.origin)
    total = sum(characters.values())
    if budget.total is not None and total > budget.total:
        yield diagnose("budget-total", "", characters=total, limit=budget.total, origin=budget.origin)
