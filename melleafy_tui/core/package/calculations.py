"""Reads the checks of a workflow that Python can make: comparisons, sums, percentages, bounds and presence.

A step that says more than the tables know, or names anything but a field that was read or fetched, gives None and is
left to the model: no calculation is better than a wrong one.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from melleafy_tui.core.language.wording import sentences
from melleafy_tui.core.package.calculation_wordings import (
    CLAUSES,
    COMPARISONS,
    NUMBER,
    OWNED,
    RATE_ENDINGS,
    SUFFIX,
    TOLERANCES,
    VERBS,
    Relation,
)
from melleafy_tui.core.package.naming import ascii_words
from melleafy_tui.core.package.reading_fields import FieldType, Reading, ReadingField, bare_noun, field_type

LONGEST_STATEMENT: Final = 300


class Operand(Struct, frozen=True):
    """One value: a field of a reading or of what a tool fetched, by the variable that holds it, or a number."""

    words: str
    variable: str = ""
    field: str = ""
    fetched: bool = False
    type: FieldType = FieldType.MONEY
    number: str = ""


class Tolerance(Struct, frozen=True):
    """The largest difference that passes, as written: an amount, or a percentage of the right operand."""

    limit: str
    percent: bool = False


class Calculation(Struct, frozen=True):
    """A check that Python makes, as one relation of a left operand to others.

    `percent` is the percentage of a SHARE, AT_MOST, ..., or empty.
    """

    relation: Relation
    left: Operand
    right: tuple[Operand, ...] = ()
    tolerance: Tolerance | None = None
    percent: str = ""


class Fetched(Struct, frozen=True):
    """What a known call returns: its noun in the source and its variable in the pipeline."""

    noun: str
    variable: str


class Values:
    """The values that a calculation may name.

    Args:
        readings: The readings before it.
        fetched: What was fetched before it.
    """

    def __init__(self, readings: Sequence[Reading], fetched: Sequence[Fetched]) -> None:
        self._fields: dict[str, tuple[Reading, ReadingField]] = {}
        for reading in readings:
            for field in reading.fields:
                for words in (field.words, field.name.replace("_", " ")):
                    self._fields.setdefault(words.casefold(), (reading, field))
        self._fetched: Mapping[str, Fetched] = {found.noun.casefold(): found for found in fetched}

    def operand(self, words: str, like: Operand | None = None) -> Operand | None:
        """Return the value that a noun names, or None.

        Args:
            words: A noun, a number, or what a tool fetched, with or without the name of its field.
            like: The operand that it is compared with: "the purchase order" means the same field of the order.
        """
        noun = bare_noun(words)
        number = NUMBER.fullmatch(noun)
        if number:
            return Operand(noun, number="0" if number["zero"] else _decimal(number["number"]))
        whole = self._fetched.get(noun.casefold())
        if whole and like and like.field and not like.fetched:
            return Operand(noun, whole.variable, like.field, fetched=True, type=like.type)
        if noun.casefold() in self._fields:
            reading, field = self._fields[noun.casefold()]
            return Operand(noun, reading.variable, field.name, type=field.type)
        return self._of_fetched(noun)

    def rate(self, words: str) -> Operand | None:
        """Return the percentage that a noun such as "VAT" stands for, if only its rate was read."""
        noun = bare_noun(words).casefold()
        for ending in RATE_ENDINGS:
            held = self._fields.get(ending.format(noun))
            if held and held[1].type is FieldType.NUMBER:
                return Operand(bare_noun(words), held[0].variable, held[1].name, type=FieldType.NUMBER)
        return None

    def _of_fetched(self, noun: str) -> Operand | None:
        for pattern in OWNED:
            found = pattern.fullmatch(noun)
            owner = self._fetched.get(bare_noun(found["owner"]).casefold()) if found else None
            if found and owner and ascii_words(bare_noun(found["field"])):
                field = bare_noun(found["field"])
                return Operand(noun, owner.variable, ascii_words(field), fetched=True, type=field_type(field))
        return None


def read_calculation(statement: str, values: Values) -> Calculation | None:
    """Return the calculation that a step describes, or None if its wording or an operand isn't known.

    Args:
        statement: The step's text.
        values: The values that are known before it.
    """
    text = " ".join(statement.split())
    if not text or len(text) > LONGEST_STATEMENT:
        return None
    first, *others = (part.strip(" .。;；") for part in sentences(text))
    first, tolerance = _without_tolerance(first)
    for other in others:
        said = read_tolerance(other)
        if said is None or tolerance is not None:
            return None
        tolerance = said
    found = next(_readings(first, tolerance, values), None)
    return None if found is None or found.relation is Relation.ABSENT else found


def _without_tolerance(sentence: str) -> tuple[str, Tolerance | None]:
    """Return a sentence without the tolerance at its end, and the tolerance, None if it states none."""
    aside = SUFFIX.search(sentence)
    tolerance = read_tolerance(next(filter(None, aside.groups()))) if aside else None
    return (sentence[: aside.start()].strip() if aside and tolerance else sentence), tolerance


def read_tolerance(text: str) -> Tolerance | None:
    """Return the tolerance that a sentence or phrase states, or None."""
    bare = text.strip(" .。()")
    for pattern in TOLERANCES:
        found = pattern.fullmatch(bare)
        if found:
            given = found.groupdict()
            limit = given.get("limit") or given.get("limit2") or ""
            return Tolerance(_decimal(limit), bool(given.get("percent") or given.get("percent2")))
    return None


def read_condition(clause: str, values: Values) -> Calculation | None:
    """Return the calculation that a clause such as "the net amount is above 10,000" states, or None."""
    return next(_of_clause(" ".join(clause.split()), None, values), None)


def _readings(text: str, tolerance: Tolerance | None, values: Values) -> Iterator[Calculation]:
    for pattern in COMPARISONS:
        if found := pattern.fullmatch(text):
            yield from _built(Relation.EQUALS, found, tolerance, values)
    verb = VERBS.match(text)
    if verb:
        yield from _of_clause(text[verb.end() :], tolerance, values)


def _of_clause(clause: str, tolerance: Tolerance | None, values: Values) -> Iterator[Calculation]:
    for relation, pattern in CLAUSES:
        if found := pattern.fullmatch(clause):
            yield from _built(relation, found, tolerance, values)


_WITHOUT_TOLERANCE: Final = frozenset({Relation.PRESENT, Relation.ABSENT})
_NUMERIC: Final = frozenset(Relation) - {Relation.SAME, *_WITHOUT_TOLERANCE}


def _built(
    relation: Relation, found: re.Match[str], tolerance: Tolerance | None, values: Values
) -> Iterator[Calculation]:
    """Yield the calculation of a match, if each operand is known and has a type that fits."""
    parts = found.groupdict()
    left = values.operand(parts["a"])
    if left is None or left.number:
        return
    right = [values.operand(words, left) for name in ("b", "c") if (words := parts.get(name))]
    third = parts.get("c")
    if relation is Relation.SUM and third and right[-1] is None:
        relation, right[-1] = Relation.SUM_WITH_RATE, values.rate(third)
    if relation is Relation.EQUALS and not left.type.numeric:
        relation = Relation.SAME
    known = tuple(filter(None, right))
    built = Calculation(relation, left, known, tolerance, _decimal(parts.get("n") or ""))
    if len(known) == len(right) and _fits(built):
        yield built


def _fits(built: Calculation) -> bool:
    """Return whether the operands have types that the relation can compare."""
    if built.relation in _WITHOUT_TOLERANCE:
        return built.tolerance is None
    if built.relation is Relation.LIST_SUM:
        return built.left.type.numeric and built.right[0].type is FieldType.MONEY_LIST
    operands = (built.left, *built.right)
    if built.relation in _NUMERIC:
        return all(operand.number or operand.type.numeric for operand in operands)
    texts = all(
        operand.type in (FieldType.TEXT, FieldType.LABEL) and not operand.number for operand in operands
    )
    return texts and built.tolerance is None


def _decimal(written: str) -> str:
    """Return a written number as Python writes it: `1.000,50` and `1,000.50` are both `1000.50`."""
    digits = re.sub(r"[ ']", "", written)
    mark = re.search(r"[.,](\d+)$", digits)
    if mark is None:
        return digits
    grouped = len(mark[1]) == 3 and not digits.startswith("0")
    whole = re.sub(r"[.,]", "", digits[: mark.start()])
    return f"{whole}{mark[1]}" if grouped else f"{whole}.{mark[1]}"
