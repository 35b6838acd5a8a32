"""Reads what the extracting and classifying steps of a workflow yield: the typed fields of a reading.

A field's type follows from its noun: "net amount" is money, "VAT rate" a number, "invoice number" text.
"""

# ruff: noqa: E501 - a wording is easier to read in one piece

import re
from collections.abc import Collection, Container, Sequence
from enum import StrEnum
from typing import Final

from msgspec import Struct

from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import Tag
from melleafy_tui.core.package.model_steps import fields_of, labels_of
from melleafy_tui.core.package.naming import ascii_words, python_identifier
from melleafy_tui.core.package.result_schemas import ReportSchema, SchemaField, field_name


class FieldType(StrEnum):
    """The type of a field."""

    TEXT = "text"
    MONEY = "money"
    NUMBER = "number"
    COUNT = "count"
    LABEL = "label"
    MONEY_LIST = "money list"
    TEXT_LIST = "text list"

    @property
    def numeric(self) -> bool:
        """Return whether a value is one number."""
        return self in (FieldType.MONEY, FieldType.NUMBER, FieldType.COUNT)


class ReadingField(Struct, frozen=True):
    """One field of a reading: its Python name, its noun in the source, its type, and the labels it is one of."""

    name: str
    words: str
    type: FieldType = FieldType.TEXT
    labels: tuple[str, ...] = ()
    description: str = ""


class Reading(Struct, frozen=True):
    """The fields that one model call reads: the steps it was made from, and further steps about their form.

    `variable` is the name of the result in the pipeline.
    """

    class_name: str
    variable: str
    fields: tuple[ReadingField, ...]
    elements: tuple[Element, ...]

    def labelled(self) -> tuple[ReadingField, ...]:
        """Return the fields that are one of several labels."""
        return tuple(field for field in self.fields if field.type is FieldType.LABEL)


_TYPES: Final[tuple[tuple[FieldType, LazyRegex], ...]] = (
    (
        FieldType.COUNT,
        LazyRegex(
            r"^number of (?!the\b)\w|\b(?:head)?count$|^(?:an)?zahl der |anzahl$|^nombre de |(?:个|人|件|份)数$",
            re.IGNORECASE,
        ),
    ),
    (
        FieldType.NUMBER,
        LazyRegex(
            r"\b(?:rate|percentage|percent|ratio|quantity)$|(?:steuer|zins|mehrwertsteuer|prozent)satz$|^taux\b"
            r"|^pourcentage\b|^tasa\b|^tipo (?:de|del) (?:iva|inter[eé]s)\b|^porcentaje\b|^taxa d[eoa]\b"
            r"|^al[ií]quota\b|^percentual\b|^cantidad\b|^quantidade\b|^quantité\b|(?:税率|比率|百分比|数量)$",
            re.IGNORECASE,
        ),
    ),
    (
        FieldType.MONEY_LIST,
        LazyRegex(
            r"\b(?:amounts|prices|totals|subtotals|fees|costs of each \w+)$|beträge$|^montants\b",
            re.IGNORECASE,
        ),
    ),
    (
        FieldType.MONEY,
        LazyRegex(
            r"\b(?:amount|price|cost|total|subtotal|sum|fee|balance|salary|deposit|rent)$"
            r"|^(?:net|gross|vat|sales tax|tax)$|(?:betrag|summe|preis|gebühr|saldo)$|^(?:mwst|mehrwertsteuer)\.?$"
            r"|^(?:montant|prix|total|somme|coût|solde)\b|^(?:importe|precio|monto|coste|costo|saldo|suma)\b"
            r"|^(?:preço|montante|custo|soma|quantia)\b|^valor (?:líquido|bruto|total)\b|^tva$|^iva$"
            r"|(?:金额|净额|总额|税额|余额|价格|单价|总价|费用|合计)$",
            re.IGNORECASE,
        ),
    ),
)
"""The first pattern found in a noun decides; a noun that no pattern knows is text."""

_NAMED_BY: Final = LazyRegex(
    r" (?:name|number|no\.?|id|code)$|(?:name|nummer)$|^(?:nom|numéro) d[eu] |^(?:nombre|número) del? "
    r"|^(?:nome|número) d[aoe] ",
    re.IGNORECASE,
)
"""What identifies a thing: "supplier name" may be called `supplier`."""

_QUALITIES: Final = frozenset(
    {
        "category",
        "class",
        "complexity",
        "genre",
        "importance",
        "impact",
        "intent",
        "kind",
        "language",
        "level",
        "mood",
        "outcome",
        "priority",
        "quality",
        "reason",
        "relevance",
        "risk",
        "sentiment",
        "severity",
        "stage",
        "status",
        "subject",
        "tone",
        "topic",
        "type",
        "urgency",
        "priorität",
        "dringlichkeit",
        "kategorie",
        "art",
        "typ",
        "stimmung",
        "sprache",
        "schweregrad",
        "priorité",
        "urgence",
        "catégorie",
        "gravité",
        "prioridad",
        "urgencia",
        "categoría",
        "gravedad",
        "prioridade",
        "urgência",
        "categoria",
        "优先级",
        "紧急程度",
        "类型",
        "类别",
        "严重程度",
        "语言",
        "情绪",
    }
)
"""Nouns that a label describes; of other nouns, such as "document", a label gives the kind."""

_CLASSIFIED: Final = (
    LazyRegex(
        r"^(?:classify|sort|rate|label|categori[sz]e|tag|assign|mark|grade|rank|route|judge|decide whether|assess"
        r"|determine whether)\s+(?P<noun>[^,.;:]{1,60}?)\s+(?:as|into|to|by|is)\b",
        re.IGNORECASE,
    ),
    LazyRegex(
        r"^(?:ordne|klassifiziere|stufe|bewerte)\s+(?P<noun>[^,.;:]{1,60}?)\s+(?:als|nach|in)\b",
        re.IGNORECASE,
    ),
    LazyRegex(
        r"^(?:classe[rz]?|clasifica|clasifique|classifi(?:e[rz]?|que|car))\s+(?P<noun>[^,.;:]{1,60}?)\s+(?:comme|en|como)\b",
        re.IGNORECASE,
    ),
    LazyRegex(r"^(?:将|把)(?P<noun>[^,，。]{1,20}?)(?:分类为|归类为|分为|分成|判断为|标记为)"),
)
_OF_MANY: Final = LazyRegex(
    r"\b(?:of|for|from|in) (?:each|every|all|any) |\b(?:rows?|lines?|entries|items|records|a list|a table) (?:with|of) ",
    re.IGNORECASE,
)
_PLURAL: Final = LazyRegex(r"[^siu]s$", re.IGNORECASE)
_ONE_OF_MANY: Final = LazyRegex(
    r"\b(?:each|every|all|any|jede[nrs]?|alle[rn]?|chaque|cada|tous|toutes|todos|todas)\b|每|所有|各",
    re.IGNORECASE,
)
_ARTICLE: Final = LazyRegex(
    r"^(?:(?:the|a|an|its|their|this|that|any|der|die|das|den|dem|des|ein|eine|einen|einem|einer|le|la|les|un|une"
    r"|du|el|los|las|una|del|o|a|os|as|um|uma|do|da)\s+|l['’]\s*)+(?=\S)",
    re.IGNORECASE,
)
_FORM_OF_FIELDS: Final = LazyRegex(
    r"^(?:convert|normali[sz]e|express|round|format|write|give|copy)\s+(?:every|each|all|the)?\s*(?:\w+\s+){0,2}?"
    r"(?:amounts?|dates?|numbers?|currenc\w+|prices?|times?|names?|fields?|percentages?|units?)\b"
    r"|^将?所有(?:日期|金额|数字|时间).{0,12}(?:转换|统一|换算)",
    re.IGNORECASE,
)


def bare_noun(words: str) -> str:
    """Return a noun without article, quotes and outer spaces."""
    return _ARTICLE.sub("", " ".join(words.split()).strip(" `\"'“”*_")).strip()


def field_type(noun: str) -> FieldType:
    """Return the type of what a noun names."""
    return next((kind for kind, pattern in _TYPES if pattern.search(noun.strip())), FieldType.TEXT)


def yields_fields(element: Element) -> bool:
    """Return whether a step extracts fields or chooses a label that its wording names, once and not of each thing."""
    statement = " ".join(element.statement.split())
    if element.tag is Tag.EXTRACT:
        return bool(fields_of(statement)) and not _OF_MANY.search(statement)
    if element.tag is not Tag.CLASSIFY or not labels_of(statement):
        return False
    noun = _noun(statement)
    return not _ONE_OF_MANY.search(noun) and (_is_quality(noun) or not _PLURAL.search(noun))


def gives_their_form(element: Element) -> bool:
    """Return whether a step only says in which form earlier fields are to be given."""
    return element.tag is Tag.TRANSFORM and bool(_FORM_OF_FIELDS.search(element.statement.strip()))


def reading_fields(
    elements: Sequence[Element], reports: Sequence[ReportSchema], fetched: Collection[str], taken: set[str]
) -> tuple[ReadingField, ...]:
    """Return the fields that steps yield, in source order.

    Args:
        elements: The steps.
        reports: The forms of the source: a field that stands in one has its name and description.
        fetched: Nouns of what tools fetch: "purchase order number" is called after the purchase order it identifies.
        taken: Names that fields of earlier readings have; the new ones are added.
    """
    found: list[ReadingField] = []
    for element in elements:
        if element.tag is Tag.CLASSIFY:
            found.append(_label_field(element.statement, reports, taken))
        elif element.tag is Tag.EXTRACT:
            for words in fields_of(element.statement):
                field = _field(words, reports, fetched, taken)
                if field.name not in taken:
                    taken.add(field.name)
                    found.append(field)
    return tuple(found)


def _field(
    words: str, reports: Sequence[ReportSchema], fetched: Collection[str], taken: Container[str]
) -> ReadingField:
    thing = _NAMED_BY.sub("", words)
    own, short = field_name(words, taken), field_name(thing, taken)
    if ascii_words(words):
        declared = {field.name: field for report in reports for field in report.fields}
        for name in (own, short):
            if name in declared and (kind := _declared_type(words, declared[name])):
                return ReadingField(name, words, kind, description=declared[name].words)
    identifies = thing != words and thing.casefold() in {noun.casefold() for noun in fetched}
    return ReadingField(short if identifies else own, words, field_type(words))


def _declared_type(words: str, declared: SchemaField) -> FieldType | None:
    """Return the type of a field that a form declares too, or None if a reading can't have it."""
    if declared.options or declared.plain == "bool":
        return None
    if declared.many:
        return {"str": FieldType.TEXT_LIST, "float": FieldType.MONEY_LIST}.get(declared.plain)
    kind = field_type(words)
    if declared.plain == "float":
        return kind if kind in (FieldType.MONEY, FieldType.NUMBER) else FieldType.NUMBER
    return FieldType.COUNT if declared.plain == "int" else FieldType.TEXT


def _label_field(statement: str, reports: Sequence[ReportSchema], taken: set[str]) -> ReadingField:
    labels = labels_of(statement)
    noun = _noun(statement)
    declared = _declared_labels(labels, reports)
    name = declared.name if declared else "kind"
    if declared is None and _is_quality(noun):
        name = field_name(noun, taken)
    if name in taken:
        name = python_identifier(f"{noun} kind", taken, fallback="kind")
    taken.add(name)
    return ReadingField(name, noun, FieldType.LABEL, labels, declared.words if declared else "")


def _declared_labels(labels: Collection[str], reports: Sequence[ReportSchema]) -> SchemaField | None:
    """Return the report field that has exactly these labels as its options."""
    fields = (field for report in reports for field in report.fields if field.options and not field.many)
    return next((field for field in fields if set(field.options) == set(labels)), None)


def _is_quality(noun: str) -> bool:
    return noun.casefold().split(" ")[-1] in _QUALITIES


def _noun(statement: str) -> str:
    line = " ".join(statement.split())
    matches = (pattern.search(line) for pattern in _CLASSIFIED)
    return next((bare_noun(match["noun"]) for match in matches if match), "")
