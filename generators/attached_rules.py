"""Prints what requirements.py attaches to one reply: the judged rules as one, and rules with a validator of the host.

A judged requirement costs a call of the model per attempt; a rule that the user judges individually keeps its own
(spec/package.md 3).
"""

from collections.abc import Sequence
from typing import Final

from melleafy_tui.core.models.committed import PlannedElement
from melleafy_tui.generators.layout import Raw, statement
from melleafy_tui.generators.literals import string_literal
from melleafy_tui.generators.provenance import Page
from melleafy_tui.generators.shape import statement_of
from melleafy_tui.generators.sorted_rules import SortedRules

STUBBED: Final = '''class ValidatorFailed(RuntimeError):
    """A validator that the host wrote failed; the message names it and its rule."""


UNCHECKED = "not checked: "


def _stubbed(rule: str, validator: Callable[[str], tuple[bool, str]]) -> Requirement:
    """Return a rule with a validator of the host; while that is still a stub, every reply passes."""

    def validate(reply: str) -> tuple[bool, str]:
        try:
            return validator(reply)
        except NotImplementedError as missing:
            return True, f"{UNCHECKED}{missing}"
        except Exception as error:
            told = f"{type(error).__name__}: {error}"
            raise ValidatorFailed(
                f"{validator.__name__} failed: {told}; its rule: {rule}"
            ) from error

    return req(rule, validation_fn=simple_validate(validate))
'''
"""What requirements.py has for rules whose validator is the host's to write."""


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
    return any(not item.element.scope and not item.entry.judge_individually for item in rules.judged)
