"""How a rule's check is called: printed into requirements.py, and run here to know which scripted answers break it.

The functions are those that every package gets, so that there is nothing to keep equal to them. The core only decides
which rule has which check (`core/language/reply_checks.py`) and never runs one.
"""

from typing import Final

from melleafy_tui.core.models.mapping import RuleCheck
from melleafy_tui.generators.code_layout import Expression, call, value
from melleafy_tui.generators.runtime import checks, permissions
from melleafy_tui.generators.runtime.checks import Check

DENIED_CALL: Final = "shows_no_call"
"""The check that stands in permissions.py; the others are in checks.py."""


def check_expression(check: RuleCheck) -> Expression:
    """Return the call that makes a check, such as `at_most(120, "words")`."""
    return call(check.kind, *map(value, _arguments(check)))


def is_kept(check: RuleCheck, text: str) -> bool:
    """Return whether a text keeps the rule."""
    module = permissions if check.kind == DENIED_CALL else checks
    made: Check = getattr(module, check.kind)(*_arguments(check))
    return not made(text)


def _arguments(check: RuleCheck) -> tuple[int | str, ...]:
    if check.kind == "between":
        return (check.least, check.limit, check.thing)
    if check.kind in ("at_most", "at_least"):
        return (check.limit, check.thing)
    return (check.thing,) if check.thing else check.phrases
