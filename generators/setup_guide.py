"""Generates README.md and SETUP.md.

README.md says how to run the agent, what is checked, what is left to do and left out; SETUP.md what is left to set up,
in sections with fixed numbers (`core/package/setup_sections.py`).
"""

import re
import shlex
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from functools import partial
from typing import Any, Final

from msgspec import Struct

from melleafy_tui.core.language.time.clock import short_interval
from melleafy_tui.core.language.wording import plain_text, without_block_marks
from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.conversion_settings import Settings
from melleafy_tui.core.models.facts import HookFact, ToolFact
from melleafy_tui.core.models.file_set import EmittedFile
from melleafy_tui.core.models.procedure import Does
from melleafy_tui.core.models.vocabulary import Category, Disposition, ElementRole, EntryKind
from melleafy_tui.core.package import setup_sections
from melleafy_tui.core.package.agent_names import program_name
from melleafy_tui.core.package.file_account import account_of
from melleafy_tui.core.package.sent_variables import variables_sent
from melleafy_tui.core.package.source_tool_rules import tool_rows
from melleafy_tui.generators import labels as words
from melleafy_tui.generators import package_shape as shape
from melleafy_tui.generators import schedule_rows
from melleafy_tui.generators.config import always_requested
from melleafy_tui.generators.constrained_slots import REWRITES, obstacle, signature, slot_functions, slot_of
from melleafy_tui.generators.fixtures import fixture_names
from melleafy_tui.generators.markdown_text import one_line, shortened
from melleafy_tui.generators.project_files import environment_variables
from melleafy_tui.generators.provenance import lines_of_names, source_ranges
from melleafy_tui.generators.requirements import is_stub, required_rules
from melleafy_tui.generators.templates_environment import package_document
from melleafy_tui.generators.tools import home_variable, memory_variable, programs_of

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


def _cron_groups(lines: Iterable[schedule_rows.CronLine], program: str) -> list[tuple[str, list[str]]]:
    """Return the lines of the crontab by the time zone that they mean; those that mean any come first."""
    lines = list(lines)
    groups: dict[str, list[str]] = {cron.zone: [] for cron in lines if cron.is_of_a_zone}
    first = next(iter(groups), "")
    for cron in lines:
        run = f"cd /path/to/this/folder && .venv/bin/{program} --message={_cron_word(cron.message)} --json"
        groups.setdefault(cron.zone if cron.zone in groups else first, []).append(f"{cron.line} {run}")
    return list(groups.items())


def _read_as(row: schedule_rows.Row) -> str:
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
    rows = [task.row for task in schedule_rows.task_rows(committed)]
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
    line: int


def generate_setup_guide(committed: CommittedPlan, emitted: Sequence[EmittedFile]) -> list[EmittedFile]:
    """Return SETUP.md, or nothing if the README covers everything."""
    if not setup_sections.setup_guide_needed(committed):
        return []
    lines = schedule_rows.wake_up_lines(committed)
    return [
        package_document(
            committed,
            GUIDE,
            "setup_guide.md.j2",
            variables=environment_variables(committed),
            sent=variables_sent(committed),
            suppliers=partial(shape.functions, committed, EntryKind.CREDENTIAL),
            backend=backend_guide(committed.settings),
            model=shell_word(committed.settings.model_id),
            files=partial(_files, committed),
            dispositions={
                kind.value: Counter(
                    item.entry.disposition for item in shape.of_kind(committed, kind, *Disposition)
                )
                for kind in EntryKind
            },
            references_only=_references_only(committed),
            memory_variable=memory_variable(committed),
            recalls=any(found.symbol == shape.RECALL for found in slot_functions(committed)),
            home_variable=home_variable(committed),
            wiki=wiki_folders(committed),
            messages={line.message for line in lines},
            by_default=any(line.by_default for line in lines),
            cron_groups=_cron_groups(lines, program_name(committed.package_name)),
            cron_zones=[line.zone for line in lines if line.is_of_a_zone],
            read_as=_read_as,
            without_line=_without_line,
            host_items=shape.in_role(committed, ElementRole.EVENT),
            events=lambda element: element.facts[HookFact].events,
            servers=_servers(committed),
            stubs=stub_rows(committed, emitted),
            fixtures=fixture_names(emitted),
        )
    ]


def stub_rows(committed: CommittedPlan, emitted: Sequence[EmittedFile]) -> list[StubRow]:
    """Return the functions in constrained_slots.py that are still to be written, in the order of the file."""
    path = f"{committed.package_name}/constrained_slots.py"
    lines = lines_of_names(next((file.data for file in emitted if file.path == path), b""))
    found = [
        (each.symbol, slot_of(each), each.elements, each.setup_section)
        for each in slot_functions(committed)
        if setup_sections.is_stub(each.items[0].entry)
    ]
    if linked := tuple(page.element for page in setup_sections.linked_pages(committed)):
        found.append((setup_sections.REWRITE, REWRITES, linked, "§8"))
    return [
        StubRow(
            symbol,
            signature(symbol, slot),
            tuple(place.location for place in source_ranges(elements)),
            slot.says or "; ".join(element.content_summary for element in elements[:3]),
            ": ".join(filter(None, (slot.missing, obstacle(elements)))),
            section,
            lines.get(symbol, 0),
        )
        for symbol, slot, elements, section in found
    ]


def wiki_folders(committed: CommittedPlan) -> dict[str, list[str]]:
    """Return the names of the wiki pages by folder."""
    pages = shape.in_role(committed, ElementRole.MEMORY_PAGE)
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


def _files(committed: CommittedPlan, kind: str) -> list[str]:
    kept = (
        item.element.source_file
        for item in committed.planned_as((EntryKind(kind),), tuple(Disposition))
        if item.entry.disposition is not Disposition.REMOVE
        and shape.role_of(committed, item.element) is not ElementRole.MEMORY_PAGE
    )
    return list(dict.fromkeys(kept))


def _references_only(committed: CommittedPlan) -> bool:
    """Return whether the memory consists only of a skill's reference material, not of notes."""
    memory = committed.planned_as((EntryKind.MEMORY,), tuple(Disposition))
    roles = {shape.role_of(committed, item.element) for item in memory}
    return roles == {ElementRole.REFERENCE}


# --- README.md ---------------------------------------------------------------------------------------

README: Final = "README.md"

_OF_GIT: Final = frozenset((".git", ".gitattributes", ".gitignore", ".gitmodules"))
_RULE_LENGTH: Final = 160
UNCLEAR_STEPS: Final = "steps-unsure"


def generate_readme(committed: CommittedPlan, emitted: Sequence[EmittedFile]) -> list[EmittedFile]:
    """Return README.md."""
    rules, procedure = required_rules(committed), committed.inventory.procedure
    steps = procedure.steps if procedure is not None else ()
    return [
        package_document(
            committed,
            README,
            "readme.md.j2",
            always=always_requested(committed),
            rules=rules,
            rule_stubs=any(map(is_stub, rules)),
            backend=backend_guide(committed.settings),
            stubs=stub_rows(committed, emitted),
            programs=programs_of(committed),
            left=_left_behind(committed),
            fixtures=fixture_names(emitted),
            leave=[rule for rule in tool_rows(committed.inventory.elements)[1] if not rule.is_left_out],
            plainly=_plainly,
            waits=[step for step in steps if step.does is Does.WAIT],
            unclear=[each.message for each in committed.diagnostics if each.code == UNCLEAR_STEPS],
        )
    ]


def _plainly(rule: str) -> str:
    """Return a rule without Markdown's marks, the items of its list one after the other, as far as there is room."""
    lines = [plain_text(without_block_marks(line)) for line in re.split(r"\n| (?=- )", rule) if line.strip()]
    lead, *items = lines or [""]
    kept = lead
    for item in items:
        longer = f"{kept}; {item}" if kept is not lead else f"{lead} {item}"
        if len(longer) > _RULE_LENGTH:
            return f"{kept} …"
        kept = longer
    return shortened(kept, _RULE_LENGTH)


def _left_behind(committed: CommittedPlan) -> list[str]:
    """Return the files of the source that no run sees and that aren't carried, as their outermost folders."""
    named = (row.path for row in account_of(committed).named if row.reason != "memory")
    tops = (path.partition("/") for path in named)
    return list(dict.fromkeys(f"{top}/" if slash else top for top, slash, _ in tops if top not in _OF_GIT))
