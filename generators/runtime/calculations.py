"""Arithmetic and comparisons that the source orders, each with a typed outcome.

Static module of melleafy-tui 0.2.0: identical in every package of that release that has
it. A missing value makes a check "not made", never passed or failed. A re-run merges
your edits.
"""

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Final, Literal

Comparison = Literal[">", ">=", "<", "<=", "==", "!="]
CENT: Final = Decimal("0.01")
MOST_DIGITS: Final = 12
"""Digits before the point, or zeros after it, with which every check has a result."""

_OPERATORS: Final[dict[str, Callable[[Decimal, Decimal], bool]]] = {
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
    "==": operator.eq,
    "!=": operator.ne,
}
_NEGATIONS: Final = {
    ">": "not above",
    ">=": "below",
    "<": "not below",
    "<=": "above",
    "==": "not equal to",
    "!=": "equal to",
}
_AFFIRMATIONS: Final = {
    ">": "above",
    ">=": "at least",
    "<": "below",
    "<=": "at most",
    "==": "equal to",
    "!=": "not equal to",
}


@dataclass(frozen=True)
class Outcome:
    """The outcome of a check; passed is None if it could not be made."""

    check: str
    passed: bool | None
    detail: str

    def __str__(self) -> str:
        """Return the line of the report."""
        word = {True: "passed", False: "failed", None: "not made"}[self.passed]
        return f"{self.check}: {word}, {self.detail}"


def number(value: object) -> Decimal | None:
    """Return a number as it came from a document, a model or an endpoint.

    None stands for text that is no number, and for one that no document means.
    """
    if not isinstance(value, int | float | str | Decimal):
        return None
    try:
        found = Decimal(str(value).strip())
    except (InvalidOperation, ValueError):  # an integer may have too many digits
        return None
    if not found.is_finite() or (found and abs(found.adjusted()) > MOST_DIGITS):
        return None
    return found


def total_of(values: Sequence[object]) -> Decimal | None:
    """Return the sum of all values; None when one is missing or there are none."""
    found = [number(value) for value in values]
    known = [value for value in found if value is not None]
    return sum(known, Decimal(0)) if known and len(known) == len(found) else None


def percentage_of(amount: object, percent: object) -> Decimal | None:
    """Return a percentage of an amount, rounded to cents; None when one is missing."""
    base, rate = number(amount), number(percent)
    if base is None or rate is None:
        return None
    return (base * rate / 100).quantize(CENT)


def difference_within(
    check: str,
    value: object,
    expected: object,
    *,
    percent: object = None,
    amount: object = None,
) -> Outcome:
    """Check that a value is within some percent, or an amount, of the expected one."""
    given, wanted = number(value), number(expected)
    if given is None or wanted is None:
        return _not_made(check, {"value": given, "expected value": wanted})
    rate, most = number(percent), number(amount)
    apart = abs(given - wanted)
    shown = f"{given} against {_printed_like(wanted, given)}"
    if rate is None:
        allowed = most or Decimal(0)
        return Outcome(check, apart <= allowed, f"{shown}, {apart} apart")
    if not wanted:
        return Outcome(check, None, "a percentage of zero can't be taken")
    share = apart / abs(wanted) * 100
    return Outcome(check, share <= rate, f"{shown}, {share:.1f} % apart")


def equals_sum(
    check: str,
    total: object,
    parts: Sequence[object],
    *,
    tolerance: Decimal = CENT,
) -> Outcome:
    """Check that a total is the sum of its parts."""
    given, wanted = number(total), total_of(parts)
    if given is None or wanted is None:
        return _not_made(check, {"total": given, "part": wanted})
    detail = f"the parts make {wanted}, printed is {given}"
    return Outcome(check, abs(given - wanted) <= tolerance, detail)


def compare(check: str, left: object, relation: Comparison, right: object) -> Outcome:
    """Check how two numbers relate."""
    first, second = number(left), number(right)
    if first is None or second is None:
        return _not_made(check, {"first value": first, "second value": second})
    passed = _OPERATORS[relation](first, second)
    words = (_AFFIRMATIONS if passed else _NEGATIONS)[relation]
    return Outcome(check, passed, f"{first} is {words} {second}")


def same_text(check: str, first: object, second: object) -> Outcome:
    """Check that two texts are the same, apart from case and spaces."""
    texts = [
        " ".join(str(given).split()).casefold() if given is not None else ""
        for given in (first, second)
    ]
    if not all(texts):
        which = "first" if not texts[0] else "second"
        return Outcome(check, None, f"the {which} text is missing")
    same = texts[0] == texts[1]
    return Outcome(check, same, f"{first} {'is' if same else 'is not'} {second}")


def present(check: str, value: object, what: str) -> Outcome:
    """Check that something is there: not None, not empty, not only blanks."""
    empty = value is None or (isinstance(value, str) and not value.strip())
    if not empty and isinstance(value, list | tuple | dict | set):
        empty = not value
    return Outcome(check, not empty, f"{what} is {'missing' if empty else 'there'}")


def _printed_like(value: Decimal, other: Decimal) -> Decimal:
    """Return a number with cents if the number beside it has them and nothing finer."""
    with_cents = value.quantize(CENT) if abs(value) < 10**12 else value
    return (
        with_cents if other.as_tuple().exponent == -2 and with_cents == value else value
    )


def _not_made(check: str, values: dict[str, Decimal | None]) -> Outcome:
    """Return the outcome of a check whose values are missing."""
    missing = [what for what, value in values.items() if value is None]
    return Outcome(check, None, f"the {' and the '.join(missing)} is missing")
