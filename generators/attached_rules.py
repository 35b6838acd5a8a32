"""Prints what requirements.py attaches to one reply: the judged rules as one, and validators that are still stubs.

A judged requirement costs a call of the model per attempt; a rule that the user judges individually keeps its own
(spec/package.md 3).
"""

from collections.abc import Sequence
from typing import Final

from melleafy_tui.core.models.plan import PlannedElement
from melleafy_tui.generators.layout import Raw, statement
from melleafy_tui.generators.literals import string_literal
from melleafy_tui.generators.provenance import Page
from melleafy_tui.generators.shape import statement_of, symbol_of
from melleafy_tui.generators.sorted_rules import SortedRules

UNTIL_WRITTEN: Final = '''

def _until_written(validator: Callable[[str], tuple[bool, str]]) -> Validation:
    """Return the validator; while it is still a stub, every reply passes it."""

    def validate(reply: str) -> tuple[bool, str]:
        try:
            return validator(reply)
        except NotImplementedError as missing:
            return True, f"not checked: {missing}"

    return simple_validate(validate)
'''

_UNCHECKED: Final = '''

def unchecked_rules() -> list[str]:
    """Return a note for each rule whose validator is still to be written."""
    notes: list[str] = []
    for validator in STUB_VALIDATORS:
        try:
            validator("")
        except NotImplementedError as missing:
            notes.append(str(missing))
    return notes
'''


def add_stub_list(page: Page, rules: SortedRules) -> None:
    """Add the list of validators that are still to be written, and what tells of them."""
    stubs = sorted({symbol_of(item) for item in rules.stubs})
    if not stubs:
        return
    page.blank()
    page.add("STUB_VALIDATORS: list[Callable[[str], tuple[bool, str]]] = [")
    page.add([f"    {name}," for name in stubs])
    page.add("]")
    page.add(_UNCHECKED)


def add_attached(page: Page, rules: SortedRules) -> None:
    """Add the function that returns the requirements of one reply."""
    alone = [item for item in rules.judged if item.entry.judge_individually]
    if alone:
        _add_individual(page, alone)
    page.blank(2)
    given = 'scope: str = "general"' if rules.scoped else ""
    page.add(f"def attached_requirements({given}) -> list[Requirement]:")
    page.add(_attached_body(rules, alone))


def _add_individual(page: Page, alone: Sequence[PlannedElement]) -> None:
    page.blank()
    page.add("JUDGED_INDIVIDUALLY: frozenset[str] = frozenset(")
    page.add("    {")
    for item in alone:
        entry = statement("", Raw(string_literal(statement_of(item.element))), ",", indent=2)
        page.add(entry, [item.element])
    page.add(["    }", ")"])


def _attached_body(rules: SortedRules, alone: Sequence[PlannedElement]) -> list[str]:
    chosen = "OPERATING_REQUIREMENTS"
    body = ['    """Return the requirements of one reply."""']
    if rules.scoped:
        chosen = "rules"
        body.append("    rules = [*OPERATING_REQUIREMENTS, *SCOPED_REQUIREMENTS.get(scope, [])]")
    if len(rules.judged) == len(alone):
        return [*body, f"    return {chosen}" if rules.scoped else f"    return [*{chosen}]"]
    body = [
        '    """Return the requirements of one reply: checked rules one by one, judged ones as one."""',
        *body[1:],
    ]
    if alone:
        body += [
            "    single = [",
            "        r",
            f"        for r in {chosen}",
            "        if r.validation_fn is not None or r.description in JUDGED_INDIVIDUALLY",
            "    ]",
            f"    judged = [r for r in {chosen} if r not in single]",
        ]
    else:
        body += [
            f"    single = [r for r in {chosen} if r.validation_fn is not None]",
            f"    judged = [r for r in {chosen} if r.validation_fn is None]",
        ]
    if not _always_judged(rules):
        body += ["    if not judged:", "        return single"]
    return [
        *body,
        '    lines = "\\n".join(f"- {r.description}" for r in judged)',
        '    return [*single, req(f"The reply follows every one of these rules:\\n{lines}")]',
    ]


def _always_judged(rules: SortedRules) -> bool:
    """Return whether some rule that holds in every scope is judged with others."""
    return any(item in rules.general and not item.entry.judge_individually for item in rules.judged)
