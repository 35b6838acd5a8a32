"""Schemas that a source declares for its results: their fields, inferred types and class names.

Dialects record the fields as facts of SCHEMA elements; the mapping and the generators read them with this module.
"""

import keyword
import re
from collections.abc import Container, Iterable, Sequence
from itertools import chain, count
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.facts import Facts, SchemaFact
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import Tag
from melleafy_tui.core.package.naming import ascii_words, python_identifier

FALLBACK_CLASS: Final = "Report"
LONGEST_CLASS: Final = 40
LONGEST_FIELD: Final = 60
_TAKEN: Final = frozenset({"AgentReply", "BaseModel", "Field", "HeartbeatDecision", "Literal", "TypedAnswer"})
_OF_PYDANTIC: Final = frozenset(
    {"construct", "copy", "dict", "fields", "from_orm", "json", "parse_file", "parse_obj", "parse_raw"}
    | {"schema", "schema_json", "update_forward_refs", "validate"}
)

MOST_OPTIONS: Final = 12
_LABEL: Final = LazyRegex(
    r"^\W*(?:(?:phase|step|stage|part|task)\s*[\dIVX]+|\d+|第[一二三四五六七八九十\d]+[步阶]\w?)?\W*",
    re.IGNORECASE,
)
_FILLER: Final = frozenset(
    """
    the a an this fill use return output format template schema form in as following with fields of structure
    """.split()  # noqa: SIM905
)
_LIST: Final = LazyRegex(
    r"^(?:list|array|sequence)\b(?:\s*(?:of|<|\[)\s*(?P<inner>[\w ]+))?|^(?P<before>\w+)\s*\[\]|列表|数组",
    re.IGNORECASE,
)
_OPTIONS: Final = LazyRegex(
    r"^(?:one of|enum|either|choice of|choices?|select(?:ion)? of|取值|枚举|之一)?\s*+[:：]?\s*+(?P<options>.+)$",
    re.IGNORECASE,
)
_BETWEEN: Final = LazyRegex(r"(?<!\s)\s*+(?:,|\||/|、|，|\bor\b|或)\s*")
_OPTIONAL: Final = LazyRegex(
    r"\b(?:optional|nullable|or null|if any|may be empty|null if)\b|可选|可为空|选填",
    re.IGNORECASE,
)
_PLAIN: Final[tuple[tuple[str, LazyRegex], ...]] = (
    ("bool", LazyRegex(r"\b(?:bool(?:ean)?|true/false|yes/no|yes or no)\b|布尔|是/否|是否", re.IGNORECASE)),
    ("int", LazyRegex(r"\b(?:int(?:eger)?|count|whole number|rank)\b|整数|个数", re.IGNORECASE)),
    (
        "float",
        LazyRegex(
            r"\b(?:number|float|decimal|amount|percent(?:age)?|double|numeric)\b|数字|数值|金额|小数|百分",
            re.IGNORECASE,
        ),
    ),
    (
        "str",
        LazyRegex(
            r"\b(?:str(?:ing)?|text|date|datetime|time|url|uri|e-?mail|markdown|sentence|paragraph|name|id)\b|字符串|文本|文字|日期|时间",
            re.IGNORECASE,
        ),
    ),
)


class SchemaField(Struct, frozen=True):
    """One field: its Python name, its description, its type and its constraints.

    `plain` is `str`, `int`, `float` or `bool`; `options` are the allowed values, `many` says that it is a list.
    """

    name: str
    words: str
    plain: str = "str"
    options: tuple[str, ...] = ()
    many: bool = False
    optional: bool = False


class ReportSchema(Struct, frozen=True):
    """One schema: its class, the result's attribute for it, its title in the source and its fields."""

    class_name: str
    attribute: str
    title: str
    fields: tuple[SchemaField, ...]
    elements: tuple[Element, ...]


def schema_facts(title: str, fields: Sequence[tuple[str, str, str]]) -> Facts:
    """Return fields (name, type description, description) as facts of a SCHEMA element."""
    names, types, words = (tuple(row[column] for row in fields) for column in range(3))
    return Facts(SchemaFact(title, names, types, words))


def declares_fields(element: Element) -> bool:
    """Return whether an element declares fields of a schema."""
    return element.tag is Tag.SCHEMA and bool(element.facts[SchemaFact].field_names)


def report_schemas(elements: Iterable[Element]) -> tuple[ReportSchema, ...]:
    """Return the schemas of a source, ordered by first field; elements with the same title form one schema."""
    grouped: dict[str, list[Element]] = {}
    for element in elements:
        if declares_fields(element):
            grouped.setdefault(element.facts[SchemaFact].title, []).append(element)
    found: list[ReportSchema] = []
    taken: set[str] = set(_TAKEN)
    attributes: set[str] = {"text", "skipped", "reason", "unmet", "notes"}
    for title, members in grouped.items():
        name = _class_name(title, taken)
        taken.add(name)
        snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
        attribute = python_identifier(snake, attributes, fallback="report")
        attributes.add(attribute)
        found.append(ReportSchema(name, attribute, title, _fields(members), tuple(members)))
    return tuple(found)


def kept_schemas(elements: Sequence[Element], wanted: Container[str]) -> tuple[ReportSchema, ...]:
    """Return the schemas of some elements, under the names that they have among all of the source.

    Args:
        elements: All elements.
        wanted: The ids of those that count.
    """
    found = []
    for schema in report_schemas(elements):
        own = tuple(element for element in schema.elements if element.element_id in wanted)
        if own:
            found.append(replace(schema, fields=report_schemas(own)[0].fields, elements=own))
    return tuple(found)


def _class_name(title: str, taken: set[str]) -> str:
    words = list(filter(None, ascii_words(_LABEL.sub("", title)).split("_")))
    kept = [word for word in words if word not in _FILLER][:4] or words[:3]
    stem = "".join(word.capitalize() for word in kept)[:LONGEST_CLASS] or FALLBACK_CLASS
    if not stem[0].isalpha():
        stem = f"{FALLBACK_CLASS}{stem}"
    report = f"{stem}Report"
    numbered = (f"{report}{number}" for number in count(2))
    return next(name for name in chain((stem, report), numbered) if name not in taken)


def _fields(members: Sequence[Element]) -> tuple[SchemaField, ...]:
    found: dict[str, SchemaField] = {}
    for element in members:
        for label, kind, words in element.facts[SchemaFact].rows:
            name = field_name(label, found)
            found.setdefault(name, _field(name, label, kind, words))
    return tuple(found.values())


def field_name(label: str, taken: Container[str] = frozenset()) -> str:
    """Return the name of a field: the source's own if Python and pydantic allow it.

    Args:
        label: What the source calls it.
        taken: Names to avoid if the source's own can't be written in ASCII.
    """
    name = ascii_words(label)
    if not name or name[0].isdigit():
        return python_identifier(label, taken, fallback="field")
    if keyword.iskeyword(name) or name in _OF_PYDANTIC or name.startswith("model_"):
        name = f"{name}_value"
    return name[:LONGEST_FIELD].rstrip("_")


def _field(name: str, label: str, kind: str, words: str) -> SchemaField:
    described = _description(name, label, words)
    optional = bool(_OPTIONAL.search(kind))
    bare = _OPTIONAL.sub("", kind).strip(" ,;()（）")
    many = _LIST.search(bare)
    if many:
        inner = many["inner"] or many["before"] or ""
        return SchemaField(name, described, _plain(inner) or "str", (), many=True, optional=optional)
    options = options_of(bare)
    plain = _plain(bare) or "str"
    if options and (plain != "bool" or len(options) != 2):
        return SchemaField(name, described, "str", options, optional=optional)
    return SchemaField(name, described, plain, optional=optional)


def _description(name: str, label: str, words: str) -> str:
    """Return a field's description; it includes the label if the name lost something of it."""
    if not words:
        return label
    return f"{label}: {words}" if ascii_words(label) != name else words


def options_of(kind: str) -> tuple[str, ...]:
    """Return the values a type description allows, as in `one of: pay, hold` or `"low" | "high"`; else none."""
    match = _OPTIONS.match(kind.strip())
    if match is None:
        return ()
    parts = (part.strip(" `\"'“”.") for part in _BETWEEN.split(match["options"]))
    named = tuple(dict.fromkeys(filter(None, parts)))
    announced = not kind.strip().startswith(match["options"])
    if not 2 <= len(named) <= MOST_OPTIONS or any(len(part) > LONGEST_CLASS for part in named):
        return ()
    return named if announced or not any(_plain(part) for part in named) else ()


def _plain(words: str) -> str:
    return next((plain for plain, pattern in _PLAIN if pattern.search(words)), "")
