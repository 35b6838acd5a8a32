"""Generates the package's README.md: how to run the agent, what is checked, what is left to do and left out."""

import re
from collections.abc import Sequence
from typing import Final

from melleafy_tui.core.language.wording import plain_text, without_block_marks
from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.file_set import EmittedFile
from melleafy_tui.core.package.file_account import account_of
from melleafy_tui.core.package.source_tool_rules import tool_rows
from melleafy_tui.generators.config import always_requested
from melleafy_tui.generators.fixtures import fixture_names
from melleafy_tui.generators.markdown_text import shortened
from melleafy_tui.generators.requirements import is_stub, required_rules
from melleafy_tui.generators.setup_guide import backend_guide, stub_rows
from melleafy_tui.generators.templates_environment import package_document
from melleafy_tui.generators.tools import programs_of

README: Final = "README.md"

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
