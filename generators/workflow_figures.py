"""Sample figures of a workflow for fixtures: values of all that is read and fetched with which every check passes.

The checks are followed one after another: each sets the value on its left so that it holds. What comes out is tried on
all of them, so a workflow whose checks can't be met together simply has no figures.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Final
from urllib.parse import quote

from msgspec import Struct

from melleafy_tui.core.package.calculation_wordings import Relation
from melleafy_tui.core.package.calculations import Calculation, Operand
from melleafy_tui.core.package.reading_fields import FieldType, Reading, ReadingField
from melleafy_tui.core.package.workflow import Workflow

Place = tuple[str, str]
"""The variable of a reading or of a record, and the field."""
Value = Decimal | str | list[Decimal] | list[str]

_CENT: Final = Decimal("0.01")
_EXCESS: Final = Decimal(100)
"""What is added to a value so that a check of it fails."""


class Figures(Struct, frozen=True):
    """The values of a sample run.

    Attributes:
        values: What is read, by place.
        fetched: What the records hold, by place.
        passed: The outcome of each check.
    """

    values: Mapping[Place, Value]
    fetched: Mapping[Place, Value]
    passed: tuple[bool, ...]

    def of(self, reading: Reading) -> dict[str, object]:
        """Return what the scripted model reads."""
        return {field.name: plain(self.values[reading.variable, field.name]) for field in reading.fields}

    def lines(self, flow: Workflow) -> str:
        """Return a text that holds all that is to be read, one field a line."""
        pairs = (
            (field, self.values[reading.variable, field.name])
            for reading in flow.readings
            for field in reading.fields
        )
        return "\n".join(
            f"{field.words[:1].upper()}{field.words[1:]}: {_printed(value)}" for field, value in pairs
        )

    def web(self, flow: Workflow) -> dict[str, object]:
        """Return the canned record of each known call, by its address."""
        found: dict[str, object] = {}
        for made in flow.calls:
            argument = str(plain(self.values[made.reading.variable, made.field.name]))
            address = made.endpoint.url.replace(f"{{{made.endpoint.placeholder}}}", quote(argument, safe=""))
            fields = {
                name: plain(value)
                for (record, name), value in self.fetched.items()
                if record == made.variable
            }
            found[address] = fields
        return found


def plain(value: Value) -> object:
    """Return a value as plain JSON."""
    if isinstance(value, list):
        return [plain(item) for item in value]
    return float(value) if isinstance(value, Decimal) else value


def _printed(value: Value) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def passing_figures(flow: Workflow) -> Figures | None:
    """Return figures with which every check passes, or None if there is no check or none are found."""
    if not flow.checks:
        return None
    sheet = _Sheet(flow)
    for check in flow.checks:
        sheet.meet(check.calculation)
    return sheet.figures() if all(sheet.outcomes()) else None


def failing_figures(flow: Workflow) -> Figures | None:
    """Return figures with which some check fails and none is missing, or None if none are found."""
    if passing_figures(flow) is None:
        return None
    for check in reversed(flow.checks):
        sheet = _Sheet(flow)
        for each in flow.checks:
            sheet.meet(each.calculation)
        if (
            sheet.exceed(check.calculation)
            and False in (outcomes := sheet.outcomes())
            and None not in outcomes
        ):
            return sheet.figures()
    return None


class _Sheet:
    """The values while they are looked for."""

    def __init__(self, flow: Workflow) -> None:
        self._flow = flow
        self._stopping = {label for stop in flow.stops for label in stop.labels}
        self._values: dict[Place, Value] = {
            (reading.variable, field.name): self._first(field)
            for reading in flow.readings
            for field in reading.fields
        }
        self._fetched: dict[Place, Value] = {}

    def figures(self) -> Figures:
        return Figures(self._values, self._fetched, tuple(outcome is True for outcome in self.outcomes()))

    def _first(self, field: ReadingField) -> Value:
        match field.type:
            case FieldType.LABEL:
                return next((label for label in field.labels if label not in self._stopping), field.labels[0])
            case FieldType.MONEY:
                return Decimal("1000.00")
            case FieldType.NUMBER:
                return Decimal(20)
            case FieldType.COUNT:
                return Decimal(3)
            case FieldType.MONEY_LIST:
                return [Decimal("600.00"), Decimal("400.00")]
            case FieldType.TEXT_LIST:
                return ["a sample"]
        return "0042" if field.name.endswith(("number", "order", "id", "code")) else "Lindqvist Tools"

    # --- single values ------------------------------------------------------------------------

    def _get(self, operand: Operand) -> Value | None:
        if operand.number:
            return Decimal(operand.number)
        held = self._fetched if operand.fetched else self._values
        return held.get((operand.variable, operand.field))

    def _number(self, operand: Operand) -> Decimal | None:
        """Return a number; one of a record that isn't known yet is made up."""
        if operand.fetched and (operand.variable, operand.field) not in self._fetched:
            self._set(operand, Decimal("1000.00"))
        value = self._get(operand)
        return value if isinstance(value, Decimal) else None

    def _set(self, operand: Operand, value: Value) -> None:
        if not operand.number:
            held = self._fetched if operand.fetched else self._values
            held[operand.variable, operand.field] = value

    # --- checks -------------------------------------------------------------------------------

    def meet(self, made: Calculation) -> None:
        """Set the value on the left of a check so that it holds, or the record's value on its right."""
        right = made.right[0] if made.right else None
        if right is not None and right.fetched and made.relation in (Relation.EQUALS, Relation.SAME):
            value = self._get(made.left)
            if value is not None:
                self._set(right, value)
            return
        wanted = self._wanted(made)
        if wanted is not None:
            self._set(made.left, wanted)

    def exceed(self, made: Calculation) -> bool:
        """Change the value on the left of a check by more than it allows, and return whether that could be done."""
        value = self._number(made.left)
        if value is None or made.left.number or made.relation in (Relation.PRESENT, Relation.ABSENT):
            return False
        down = made.relation in (Relation.AT_LEAST, Relation.MORE)
        self._set(made.left, value - _EXCESS if down else value + _EXCESS)
        return True

    def _wanted(self, made: Calculation) -> Value | None:
        """Return the value on the left with which a check holds; None if it can't be told or is no matter."""
        if made.relation in (Relation.PRESENT, Relation.ABSENT):
            return None
        if made.relation is Relation.SAME:
            return self._get(made.right[0])
        if made.relation is Relation.LIST_SUM:
            return _total(self._get(made.right[0]))
        right = [self._number(operand) for operand in made.right]
        numbers = [number for number in right if number is not None]
        if len(numbers) < len(right) or not numbers:
            return None
        return _figured(made, numbers)

    def outcomes(self) -> list[bool | None]:
        """Return the outcome of each check: whether the value on its left is one that it allows."""
        return [self._outcome(check.calculation) for check in self._flow.checks]

    def _outcome(self, made: Calculation) -> bool | None:
        left = self._get(made.left)
        if made.relation in (Relation.PRESENT, Relation.ABSENT):
            return bool(left)
        wanted = self._wanted(made)
        if left is None or wanted is None:
            return None
        if not isinstance(left, Decimal) or not isinstance(wanted, Decimal):
            return left == wanted
        match made.relation:
            case Relation.AT_MOST | Relation.LESS:
                return left <= wanted
            case Relation.AT_LEAST | Relation.MORE:
                return left >= wanted
        return abs(left - wanted) <= _allowed(made, wanted)


def _total(listed: Value | None) -> Decimal:
    items = listed if isinstance(listed, list) else []
    return sum((item for item in items if isinstance(item, Decimal)), Decimal(0))


def _figured(made: Calculation, numbers: Sequence[Decimal]) -> Decimal:
    """Return the number with which a check holds, from the numbers on its right."""
    base = numbers[0]
    share = (base * Decimal(made.percent) / 100).quantize(_CENT) if made.percent else base
    match made.relation:
        case Relation.SUM:
            return sum(numbers, Decimal(0))
        case Relation.SUM_WITH_RATE:
            return base + (base * numbers[1] / 100).quantize(_CENT)
        case Relation.DIFFERENCE:
            return base - sum(numbers[1:], Decimal(0))
        case Relation.MORE:
            return share + 1
        case Relation.LESS:
            return share - 1
    return share


def _allowed(made: Calculation, wanted: Decimal) -> Decimal:
    if made.tolerance is None:
        return _CENT
    limit = Decimal(made.tolerance.limit)
    return wanted * limit / 100 if made.tolerance.percent else limit
