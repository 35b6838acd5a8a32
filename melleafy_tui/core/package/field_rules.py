"""Reads rules about fields of a typed report that Python can check: "If a check fails, recommend `reject`".

A rule that demands more than one table row covers is split: the part that Python checks, and the rest for the judge.
"""

# ruff: noqa: E501 - a wording is easier to read in one piece

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Final

from msgspec import Struct

from melleafy_tui.core.language.checks.compiler import compile_rule
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.mapping import RuleCheck
from melleafy_tui.core.package.calculation_wordings import Relation
from melleafy_tui.core.package.calculations import Calculation, Operand, Values, read_condition
from melleafy_tui.core.package.reading_fields import Reading, bare_noun
from melleafy_tui.core.package.result_schemas import SchemaField


class When(StrEnum):
    """When a rule about a field holds."""

    ALWAYS = "always"
    ALL_PASSED = "every check passed"
    SOME_FAILED = "a check failed"
    SOME_MISSING = "a check could not be made"
    ABSENT = "a field is empty"
    PRESENT = "a field is not empty"
    LABEL = "a label is one of"
    CALCULATED = "a calculation holds"


class Condition(Struct, frozen=True):
    """When a rule holds: by the outcomes, by a field that was read, by its labels, or by a calculation."""

    when: When = When.ALWAYS
    operand: Operand | None = None
    labels: tuple[str, ...] = ()
    calculation: Calculation | None = None


class FieldRule(Struct, frozen=True):
    """A rule that fixes or forbids a value of a report field.

    Attributes:
        element: The rule in the source.
        field: The field.
        value: The value.
        forbidden: The field must not have the value.
        condition: When the rule holds.
        text: The checked part, as prompt and report show it.
        remainder: What the rule demands beyond, as a rule of its own for the judge, or `""`.
    """

    element: Element
    field: str
    value: str
    condition: Condition
    forbidden: bool = False
    text: str = ""
    remainder: str = ""


class TextRule(Struct, frozen=True):
    """A rule about the wording of one report field, or of all texts if `field` is empty, that Python checks."""

    element: Element
    check: RuleCheck
    field: str = ""


_RECOMMEND: Final = (
    r"(?:(?:then )?(?:always )?(?:recommend|choose|select|report|answer|return|give|propose|suggest|decide(?: on| for)?"
    r"|set (?:the )?(?P<field>[\w ]{1,40}?) to|mark (?:it|the \w+) as|put|use|the (?P<field2>[\w ]{1,40}?) (?:is|must be))"
    r"|(?:empfiehl|empfehle|wähle|setze)|(?:recommande[rz]?|choisi[rs]|recomienda|elige|recomende|escolha)"
    r"|(?:建议|推荐|选择|结论为|分类为))"
)
_VALUE: Final = r"[`\"'“‘「]?(?P<value>[^`\"'“”‘’「」,.;，。；]{1,40}?)[`\"'”’」]?"
_REST: Final = r"(?:(?:,? (?:and|und|et|y|e) |，?并)(?P<rest>[^.;。；]{3,120}))?"
_CLAUSE: Final = r"(?:[^,;:.]|(?<=\d)[.,](?=\d))"
_NEVER: Final = r"(?:never|do not|don't|must not|niemals|nie|ne jamais|jamais|nunca|不要|不得|禁止)"
_CONDITIONED: Final = tuple(
    LazyRegex(text, re.IGNORECASE)
    for text in (
        rf"(?:if|when|whenever|as soon as|in case) (?P<condition>{_CLAUSE}{{3,100}}?),? {_RECOMMEND} {_VALUE}{_REST}",
        rf"{_RECOMMEND} {_VALUE} (?:if|when|whenever|in case) (?P<condition>{_CLAUSE}{{3,100}})",
        rf"(?:wenn|falls) (?P<condition>{_CLAUSE}{{3,100}}?), {_RECOMMEND} {_VALUE}{_REST}",
        rf"(?:si|quand|se|cuando|quando) (?P<condition>{_CLAUSE}{{3,100}}?),? {_RECOMMEND} {_VALUE}{_REST}",
        rf"(?:如果|若|当)(?P<condition>[^,，;；。]{{2,60}}?)(?:时)?[,，](?:则|就)?{_RECOMMEND}\s?{_VALUE}{_REST}",
    )
)
_FORBIDDEN: Final = tuple(
    LazyRegex(text, re.IGNORECASE)
    for text in (
        rf"{_NEVER} {_RECOMMEND} {_VALUE} (?:for (?:an? |the |any )?[\w -]{{1,40}}? |)without (?P<absent>[^,;:.]{{2,60}})",
        rf"{_NEVER} {_RECOMMEND} {_VALUE} (?:if|when|while|as long as) (?P<condition>{_CLAUSE}{{3,100}})",
        rf"(?:if|when) (?P<condition>{_CLAUSE}{{3,100}}?), {_NEVER} {_RECOMMEND} {_VALUE}",
        rf"(?P<recommend>empfiehl|wähle) (?:niemals|nie) {_VALUE} (?:für [\w -]{{1,40}}? )?ohne (?P<absent>[^,;:.]{{2,60}})",
        rf"{_NEVER} {_RECOMMEND} {_VALUE} (?:pour \S{{1,20}} [\w -]{{1,40}}? |para \S{{1,20}} [\w -]{{1,40}}? |)(?:sans|sin|sem) (?P<absent>[^,;:.]{{2,60}})",
    )
)


def _outcomes(*rows: tuple[When, str]) -> tuple[tuple[When, LazyRegex], ...]:
    return tuple((when, LazyRegex(text, re.IGNORECASE)) for when, text in rows)


_OUTCOMES: Final = _outcomes(
    (
        When.ALL_PASSED,
        r"(?:every|each|all)(?: of)?(?: the)? checks? (?:pass(?:es)?|passed|succeeds?|holds?|is ok|are ok|is fine|are fine)|no check fails",
    ),
    (
        When.SOME_FAILED,
        r"(?:an?y?|one|some|at least one|one or more|either)(?: of the)? checks? fail(?:s|ed)?|not every check passes",
    ),
    (
        When.SOME_MISSING,
        r"(?:an?y?|one|some|at least one|one or more)(?: of the)? checks? (?:cannot|can't|could not|couldn't|can not) be (?:made|done|carried out|performed|completed|run)"
        r"|(?:an?y?|one|some) checks? is (?:missing|not made|not possible|impossible)",
    ),
    (When.ALL_PASSED, r"alle prüfungen (?:bestanden sind|bestehen)|jede prüfung bestanden ist"),
    (When.SOME_FAILED, r"eine prüfung (?:fehlschlägt|scheitert|nicht bestanden ist)"),
    (When.SOME_MISSING, r"eine prüfung nicht (?:möglich ist|durchgeführt werden kann|gemacht werden kann)"),
    (
        When.ALL_PASSED,
        r"(?:tous les contrôles|toutes les vérifications) (?:passent|réussissent|sont réussis|sont réussies)",
    ),
    (When.SOME_FAILED, r"(?:un contrôle|une vérification) échoue"),
    (
        When.SOME_MISSING,
        r"(?:un contrôle|une vérification) (?:ne peut pas être (?:fait|faite|effectué|effectuée)|est impossible)",
    ),
    (When.ALL_PASSED, r"todas las comprobaciones pasan|todas as verificações passa(?:re)?m"),
    (When.SOME_FAILED, r"(?:una|alguna) comprobación falla|(?:uma|alguma) verificação falha(?:r)?"),
    (
        When.SOME_MISSING,
        r"(?:una|alguna) comprobación no (?:se puede|puede) (?:hacer|hacerse|realizarse)|(?:uma|alguma) verificação não pud?e(?:r)? ser feita",
    ),
    (When.ALL_PASSED, r"(?:所有|全部)检查(?:都|均)?(?:通过|合格)"),
    (When.SOME_FAILED, r"(?:有|任何)(?:一项|任何)?检查(?:失败|不通过|未通过)"),
    (When.SOME_MISSING, r"(?:有|任何)(?:一项|任何)?检查(?:无法|不能)(?:进行|完成)"),
)
_LABEL_IS: Final = (
    LazyRegex(
        r"(?:the |this |it|ist? )?(?P<noun>[\w -]{0,40}?) ?(?:is|was) (?:an? |either an? )?(?P<labels>[^,;:.]{2,100})",
        re.IGNORECASE,
    ),
    LazyRegex(r"(?P<noun>[\w -]{1,40}?) (?P<labels>ein(?:e)? [^,;:.]{2,100}?) ist", re.IGNORECASE),
    LazyRegex(r"(?P<noun>[\w' -]{1,40}?) (?:est|es|é|for|sea) (?P<labels>[^,;:.]{2,100})", re.IGNORECASE),
    LazyRegex(r"(?P<noun>[^,，;；。]{1,20}?)(?:是|为|属于)(?P<labels>[^,，;；。]{1,40})"),
)
_BETWEEN: Final = LazyRegex(
    r",? (?:or|oder|ou|o) (?:an? |un[ae]? |uma? |eine? )?|, |、|或者|或", re.IGNORECASE
)


def labels_named(text: str, readings: Sequence[Reading]) -> tuple[Operand, tuple[str, ...]] | None:
    """Return the field and the labels that a clause such as "the document is a reminder or a statement" names.

    Args:
        text: The clause, without "if".
        readings: The readings before it.
    """
    for pattern in _LABEL_IS:
        if found := pattern.fullmatch(text):
            named = {bare_noun(part).casefold() for part in _BETWEEN.split(found["labels"])}
            held = [chosen for reading in readings for chosen in _fields_with(named, reading)]
            if len(held) == 1:
                return held[0]
    return None


def _fields_with(named: set[str], reading: Reading) -> Iterator[tuple[Operand, tuple[str, ...]]]:
    """Yield the fields of a reading that have all the named labels, with those labels."""
    for field in reading.labelled():
        if named <= {label.casefold() for label in field.labels}:
            operand = Operand(field.words, reading.variable, field.name, type=field.type)
            yield operand, tuple(label for label in field.labels if label.casefold() in named)


def read_condition_of(text: str, readings: Sequence[Reading], values: Values) -> Condition | None:
    """Return when a rule holds, from its clause without "if", or None if the clause isn't known."""
    clause = " ".join(text.split()).strip(" .")
    for when, pattern in _OUTCOMES:
        if pattern.fullmatch(clause):
            return Condition(when)
    if labels := labels_named(clause, readings):
        return Condition(When.LABEL, *labels)
    calculation = read_condition(clause, values)
    if calculation is None or calculation.left.fetched:
        return None
    if calculation.relation is Relation.ABSENT:
        return Condition(When.ABSENT, calculation.left)
    if calculation.relation is Relation.PRESENT:
        return Condition(When.PRESENT, calculation.left)
    return Condition(When.CALCULATED, calculation=calculation)


def read_field_rule(
    element: Element, fields: Sequence[SchemaField], readings: Sequence[Reading], values: Values
) -> FieldRule | None:
    """Return the rule about a report field that Python can check, or None.

    Args:
        element: The rule.
        fields: The fields of the report.
        readings: All readings.
        values: The values of all readings.
    """
    text = " ".join(element.statement.split()).strip(" .。")
    for found, chosen in _matches(_FORBIDDEN, text, fields):
        forbidding = _forbidding_condition(found, readings, values)
        return FieldRule(element, *chosen, forbidding, True, element.statement) if forbidding else None
    for found, chosen in _matches(_CONDITIONED, text, fields):
        condition = read_condition_of(found["condition"], readings, values)
        if condition:
            return _with_remainder(element, chosen, condition, found)
    return None


def _matches(
    patterns: Iterable[LazyRegex], text: str, fields: Sequence[SchemaField]
) -> Iterator[tuple[re.Match[str], tuple[str, str]]]:
    """Yield each match of a rule that names a field of the report and its value."""
    for pattern in patterns:
        found = pattern.fullmatch(text)
        chosen = _chosen(found, fields) if found else None
        if found and chosen:
            yield found, chosen


def _with_remainder(
    element: Element, chosen: tuple[str, str], condition: Condition, found: re.Match[str]
) -> FieldRule:
    rest = found.groupdict().get("rest")
    if not rest:
        return FieldRule(element, *chosen, condition, False, element.statement)
    text = found.string
    checked = text[: found.start("rest")].rstrip()
    checked = re.sub(r",?\s*(?:and|und|et|y|e|并)$|，?并$", "", checked).rstrip(" ,，")
    lead = text[: found.end("condition")]
    stop = "。" if text[-1] > "\u2fff" else "."
    return FieldRule(element, *chosen, condition, False, f"{checked}{stop}", f"{lead}, {rest.strip()}{stop}")


def _forbidding_condition(
    found: re.Match[str], readings: Sequence[Reading], values: Values
) -> Condition | None:
    parts = found.groupdict()
    if parts.get("absent"):
        operand = values.operand(parts["absent"])
        known = operand is not None and not operand.fetched and not operand.number
        return Condition(When.ABSENT, operand) if known else None
    return read_condition_of(parts["condition"], readings, values)


def _chosen(found: re.Match[str] | None, fields: Sequence[SchemaField]) -> tuple[str, str] | None:
    """Return the one field that allows the value of a match, and the value as the report spells it."""
    if found is None:
        return None
    parts = found.groupdict()
    named = (parts.get("field") or parts.get("field2") or "").strip().casefold().replace(" ", "_")
    value = bare_noun(parts["value"]).casefold()
    held = [
        (field.name, option)
        for field in fields
        for option in field.options
        if option.casefold() == value and not field.many and named in ("", field.name)
    ]
    return held[0] if len(held) == 1 else None


_WITHIN_TEXTS: Final = ("no_", "not_contains", "without", "plain_text", "lowercase")
"""Kinds of check that hold for several texts if they hold for each."""


def read_text_rule(element: Element, fields: Sequence[SchemaField]) -> TextRule | None:
    """Return the rule about the wording of a report that Python can check, or None.

    "Keep the reason under 40 words" is the rule "Keep the reply under 40 words", applied to the field `reason`.

    Args:
        element: The rule.
        fields: The fields of the report.
    """
    texts = [field for field in fields if field.plain == "str" and not field.options and not field.many]
    for field in texts:
        check = _check_of_field(element, field)
        if check is not None:
            return TextRule(element, check, field.name)
    check = compile_rule(element.statement, element.polarity)
    if check is not None and check.kind.startswith(_WITHIN_TEXTS):
        return TextRule(element, check)
    return None


def _check_of_field(element: Element, field: SchemaField) -> RuleCheck | None:
    noun = re.escape(field.name.replace("_", " "))
    about = re.sub(rf"(?i)\b(?:the |your )?`?{noun}`?(?! of\b)\b", "the reply", element.statement, count=1)
    if about == element.statement:
        return None
    return compile_rule(about[0].upper() + about[1:], element.polarity)
