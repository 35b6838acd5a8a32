"""Generates SETUP.md: what is left to set up, in sections with fixed numbers (`core/package/setup_sections.py`)."""

import re
import shlex
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Any, Final

from msgspec import Struct

from melleafy_tui.core.language.time.clock import short_interval
from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.conversion_settings import Settings
from melleafy_tui.core.models.facts import HookFact, ToolFact
from melleafy_tui.core.models.file_set import EmittedFile
from melleafy_tui.core.models.vocabulary import Category, Disposition, ElementRole, EntryKind, Modality
from melleafy_tui.core.package.agent_names import program_name
from melleafy_tui.core.package.sent_variables import variables_sent
from melleafy_tui.core.package.setup_sections import (
    OPENCLAW_ADAPTER,
    REWRITE,
    backend_from_environment,
    host_rules,
    is_stub,
    linked_pages,
    rules_to_confirm,
    setup_guide_needed,
    triggered_sections,
)
from melleafy_tui.generators import labels as words
from melleafy_tui.generators.constrained_slots import REWRITES, signature, slot_functions, slot_of
from melleafy_tui.generators.fixtures import fixture_names
from melleafy_tui.generators.markdown_text import one_line
from melleafy_tui.generators.package_shape import (
    CHECKLIST,
    RECALL,
    SLOT_DISPOSITIONS,
    STATE_HOOK,
    UPDATE,
    confirms_calls,
    functions,
    in_role,
    is_heartbeat,
    modalities,
    role_of,
    statement_of,
)
from melleafy_tui.generators.project_files import environment_variables
from melleafy_tui.generators.provenance import lines_of_names, source_ranges
from melleafy_tui.generators.schedule_rows import (
    OPENCLAW_DEFAULT,
    WAKE_UP_MESSAGE,
    CronLine,
    Row,
    checklist_items,
    declared_schedule,
    has_times_without_zone,
    openclaw_heartbeat,
    task_rows,
    wake_up_lines,
)
from melleafy_tui.generators.templates_environment import document
from melleafy_tui.generators.tools import home_variable, memory_variable

_ALIASES: Final = {"hf": "huggingface"}


def backend_guide(settings: Settings) -> dict[str, Any]:
    """Return how to set up the chosen backend: `title`, `needs`, and shell `commands` with the model filled in."""
    guides = words.LABELS["backends"]
    guide = guides.get(_ALIASES.get(settings.backend, settings.backend), guides["other"])
    model = shell_word(settings.model_id)
    return {**guide, "commands": [line.replace("{model}", model) for line in guide["commands"]]}


def shell_word(text: str) -> str:
    """Return the text as one word of a shell command, with hidden characters as signs."""
    return shlex.quote(one_line(text))


def _cron_groups(lines: Iterable[CronLine], program: str) -> list[tuple[str, list[str]]]:
    """Return the lines of the crontab by the time zone that they mean; those that mean any come first."""
    lines = list(lines)
    groups: dict[str, list[str]] = {cron.zone: [] for cron in lines if cron.is_of_a_zone}
    first = next(iter(groups), "")
    for cron in lines:
        run = f"cd /path/to/this/folder && .venv/bin/{program} --message={_cron_word(cron.message)} --json"
        groups.setdefault(cron.zone if cron.zone in groups else first, []).append(f"{cron.line} {run}")
    return list(groups.items())


def _read_as(row: Row) -> str:
    """Return what a cadence was read as, where its words don't say it: ` → 09:00 (sun)`, ` → every 4h`."""
    times, days, seconds = row.get("times"), row.get("days"), row.get("seconds")
    said = str(row.get("cadence", ""))
    found = ", ".join(map(str, times)) if isinstance(times, tuple) and times[0] not in said else ""
    if isinstance(seconds, int) and re.search(r"\d\s*[-–—~]\s*\d", said):
        found = f"every {short_interval(seconds)}"
    named = f" ({', '.join(map(str, days))})" if isinstance(days, tuple) else ""
    return (f" → {found}" if found else "") + named


def _without_line(committed: CommittedPlan, started: Collection[str]) -> list[str]:
    """Return the names of the tasks that a scheduler can't start."""
    rows = [task.row for task in task_rows(committed)]
    return [
        str(row["name"])
        for row in rows
        if not row.get("cron")
        and (not row.get("seconds") or (row.get("days") and row["name"] not in started))
    ]


def _cron_word(text: str) -> str:
    """Return a text as one word of a command in a crontab, where `%` is special; it stands behind `--message=`."""
    return f'"{text}"' if re.fullmatch(r"[\w .-]+", text) else shell_word(text).replace("%", r"\%")


GUIDE: Final = "SETUP.md"


class StubRow(Struct, frozen=True):
    """One stub, as section 8 lists it."""

    symbol: str
    signature: str
    sources: tuple[str, ...]
    says: str
    to_write: str
    section: str
    disposition: Disposition
    line: int


def generate_setup_guide(committed: CommittedPlan, emitted: Sequence[EmittedFile]) -> list[EmittedFile]:
    """Return SETUP.md, or nothing if the README covers everything."""
    if not setup_guide_needed(committed):
        return []
    package = committed.package_name
    stubs = stub_rows(committed, emitted)
    schedule = declared_schedule(committed)
    lines = wake_up_lines(committed)
    messages = {line.message for line in lines}
    zones = [line.zone for line in lines if line.is_of_a_zone]
    leaves_checklist = WAKE_UP_MESSAGE not in messages and not is_heartbeat(committed)
    sections = triggered_sections(committed)
    from_openclaw = OPENCLAW_ADAPTER in sections
    return [
        document(
            f"{package}/{GUIDE}",
            "setup_guide.md.j2",
            committed=committed,
            package=package,
            program=program_name(committed.package_name),
            words=words,
            sections=sections,
            openclaw_section=OPENCLAW_ADAPTER,
            variables=environment_variables(committed),
            sent=variables_sent(committed),
            secret_stubs=[stub for stub in stubs if stub.symbol in _secrets(committed, *SLOT_DISPOSITIONS)],
            secret_mocks=_secrets(committed, Disposition.MOCK),
            backend=backend_guide(committed.settings),
            backend_from_environment=backend_from_environment(committed),
            model=shell_word(committed.settings.model_id),
            state=_files(committed, EntryKind.STATE),
            state_disposition=_dispositions(committed, EntryKind.STATE),
            state_hook=STATE_HOOK,
            memory=_files(committed, EntryKind.MEMORY),
            memory_disposition=_dispositions(committed, EntryKind.MEMORY),
            memory_ways=_ways(_dispositions(committed, EntryKind.MEMORY)),
            references_only=_references_only(committed),
            recall=RECALL,
            memory_variable=memory_variable(committed),
            recalls=any(found.symbol == RECALL for found in slot_functions(committed)),
            memory_lies=bool(committed.memory_folder),
            home_variable=home_variable(committed),
            update=UPDATE,
            updates=any(stub.symbol == UPDATE for stub in stubs),
            wiki=wiki_folders(committed),
            schedule=schedule,
            cron_groups=_cron_groups(lines, program_name(committed.package_name)),
            cron_zone=next(iter(zones), ""),
            hours_without_zone=bool(zones),
            home_zone=schedule.home_zone if has_times_without_zone(committed) else "",
            tasks=[task.row for task in task_rows(committed)],
            read_as=_read_as,
            unclear=[] if is_heartbeat(committed) else _without_line(committed, messages),
            checklist_left=CHECKLIST if leaves_checklist and checklist_items(committed) else "",
            openclaw_default=OPENCLAW_DEFAULT,
            schedule_disposition=_dispositions(committed, EntryKind.SCHEDULE),
            heartbeat=is_heartbeat(committed),
            event_triggered=Modality.EVENT_TRIGGERED in modalities(committed),
            host_items=[
                (element, element.facts[HookFact].events) for element in in_role(committed, ElementRole.EVENT)
            ],
            host_rules=[
                statement_of(committed.inventory.by_id[element])
                for entry in host_rules(committed)
                for element in entry.source_elements
            ],
            servers=_servers(committed),
            asked=[
                committed.inventory.by_id[element]
                for entry in rules_to_confirm(committed)
                for element in entry.source_elements
            ],
            confirms=confirms_calls(committed),
            stubs=stubs,
            fixtures=fixture_names(emitted),
            from_openclaw=from_openclaw,
            openclaw=openclaw_heartbeat(schedule) if from_openclaw else "",
        )
    ]


def _secrets(committed: CommittedPlan, *dispositions: Disposition) -> list[str]:
    """Return the functions that supply credentials."""
    return [found.symbol for found in functions(committed, EntryKind.CREDENTIAL, *dispositions)]


def stub_rows(committed: CommittedPlan, emitted: Sequence[EmittedFile]) -> list[StubRow]:
    """Return the functions in constrained_slots.py that are still to be written, in the order of the file."""
    path = f"{committed.package_name}/constrained_slots.py"
    lines = lines_of_names(next((file.data for file in emitted if file.path == path), b""))
    rows = []
    for found in slot_functions(committed):
        if not is_stub(found.items[0].entry):
            continue
        rows.append(
            StubRow(
                symbol=found.symbol,
                signature=signature(found.symbol, slot_of(found)),
                sources=tuple(place.location for place in source_ranges(found.elements)),
                says="; ".join(element.content_summary for element in found.elements[:3]),
                to_write=slot_of(found).missing,
                section=found.setup_section,
                disposition=found.disposition,
                line=lines.get(found.symbol, 0),
            )
        )
    if linked := linked_pages(committed):
        rows.append(
            StubRow(
                symbol=REWRITE,
                signature=signature(REWRITE, REWRITES),
                sources=tuple(place.location for place in source_ranges([page.element for page in linked])),
                says="The pages link to each other",
                to_write=REWRITES.missing,
                section="§8",
                disposition=Disposition.STUB,
                line=lines.get(REWRITE, 0),
            )
        )
    return rows


def wiki_folders(committed: CommittedPlan) -> dict[str, list[str]]:
    """Return the names of the wiki pages by folder."""
    pages = in_role(committed, ElementRole.MEMORY_PAGE)
    folders: dict[str, list[str]] = {}
    for path in dict.fromkeys(page.source_file for page in pages):
        folder, _, name = path.rpartition("/")
        folders.setdefault(folder, []).append(name)
    return folders


def _servers(committed: CommittedPlan) -> dict[str, dict[str, dict[str, None]]]:
    """Return the places that name an MCP server and the functions for its tools, in source order, by its name."""
    found: dict[str, dict[str, dict[str, None]]] = {}
    for item in committed.planned:
        tool = item.element.facts[ToolFact]
        name = tool.mcp_server or tool.server
        if name and item.entry.disposition is not Disposition.REMOVE:
            server = found.setdefault(name, {"places": {}, "functions": {}})
            server["places"].setdefault(item.element.location)
            if tool.mcp_server or item.element.category is Category.C6:
                server["functions"].setdefault(item.entry.symbol)
    return found


def _files(committed: CommittedPlan, kind: EntryKind) -> list[str]:
    kept = (
        item.element.source_file
        for item in committed.planned_as((kind,), tuple(Disposition))
        if item.entry.disposition is not Disposition.REMOVE
        and role_of(committed, item.element) is not ElementRole.MEMORY_PAGE
    )
    return list(dict.fromkeys(kept))


def _ways(found: Iterable[Disposition]) -> list[Disposition]:
    """Return the dispositions, with one of each group that the guide describes in the same way."""
    kept = list(found)
    same = (Disposition.BUNDLE, Disposition.LOAD_FROM_DISK)
    return [each for each in kept if each is not same[1] or same[0] not in kept]


def _references_only(committed: CommittedPlan) -> bool:
    """Return whether the memory consists only of a skill's reference material, not of notes."""
    memory = committed.planned_as((EntryKind.MEMORY,), tuple(Disposition))
    roles = {role_of(committed, item.element) for item in memory}
    return roles == {ElementRole.REFERENCE}


def _dispositions(committed: CommittedPlan, kind: EntryKind) -> Counter[Disposition]:
    return Counter(item.entry.disposition for item in committed.planned_as((kind,), tuple(Disposition)))
