"""Generates the package's README.md: how to run the agent, what is checked, what is left to do and left out."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from melleafy_tui.core.language.wording import plain_text, without_block_marks
from melleafy_tui.core.models.committed import CommittedPlan, PlannedElement
from melleafy_tui.core.models.file_set import EmittedFile
from melleafy_tui.core.package.file_account import account_of
from melleafy_tui.core.package.source_tool_rules import tool_rows
from melleafy_tui.generators import package_shape as shape
from melleafy_tui.generators.config import always_requested
from melleafy_tui.generators.fixtures import fixture_names
from melleafy_tui.generators.markdown_text import shortened
from melleafy_tui.generators.requirements import is_stub, required_rules
from melleafy_tui.generators.schedule_rows import TASKS_SYMBOL, checklist_items, task_rows
from melleafy_tui.generators.setup_guide import backend_guide, stub_rows
from melleafy_tui.generators.templates_environment import package_document
from melleafy_tui.generators.tools import programs_of

README: Final = "README.md"

_SHOWN_RULES: Final = 6
_OF_GIT: Final = frozenset((".git", ".gitattributes", ".gitignore", ".gitmodules"))
_RULE_LENGTH: Final = 160


def generate_readme(committed: CommittedPlan, emitted: Sequence[EmittedFile]) -> list[EmittedFile]:
    """Return README.md."""
    rules = required_rules(committed)
    return [
        package_document(
            committed,
            README,
            "readme.md.j2",
            scheduled=_scheduled_work(committed),
            kept=_kept(rules),
            rule_stubs=any(map(is_stub, rules)),
            backend=backend_guide(committed.settings),
            example=" ".join(_example(committed)),
            stubs=stub_rows(committed, emitted),
            programs=programs_of(committed),
            left=_left_behind(committed),
            fixtures=fixture_names(emitted),
            leave=[rule for rule in tool_rows(committed.inventory.elements)[1] if not rule.is_left_out],
            plainly=_plainly,
        )
    ]


def _example(committed: CommittedPlan) -> Iterator[str]:
    """Yield the flags of a first run: what a run needs, else a message."""
    needed = [
        each for each in shape.pipeline_parameters(committed) if not each.default and each.name != "message"
    ]
    if committed.inventory.procedure is None or not needed:
        yield '--message "Hello, what can you do?"'
        return
    for parameter in needed:
        yield f'--{parameter.name.replace("_", "-")} "…"'


def _kept(rules: Sequence[PlannedElement]) -> list[tuple[str, list[str], int]]:
    """Return how rules are checked, their words, and how many have no room."""
    by_python = [item for item in rules if item.mapping.check is not None]
    judged = [item for item in rules if item.mapping.check is None]
    ways = (("Checked by Python, in every reply", by_python), ("Judged by a model, in every reply", judged))
    return [
        (
            how,
            [_plainly(item.element.statement) for item in items[:_SHOWN_RULES]],
            max(0, len(items) - _SHOWN_RULES),
        )
        for how, items in ways
        if items
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


def _scheduled_work(committed: CommittedPlan) -> list[str]:
    """Return what a run by the schedule does, in words; nothing if no schedule runs the agent."""
    if not shape.is_scheduled(committed):
        return []
    symbols = {
        shape.SCHEDULED_REQUEST: always_requested(committed),
        shape.CHECKLIST: checklist_items(committed),
    }
    work = [f"what `config.{symbol}` lists" for symbol, items in symbols.items() if items]
    return [*work, f"the tasks of `config.{TASKS_SYMBOL}` that are due"] if task_rows(committed) else work
