"""Generates mobjects.py, slots.py and schemas.py: the steps that the model takes, and their typed results."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from melleafy_tui.core.models.committed import CommittedPlan, PlannedElement
from melleafy_tui.core.models.file_set import EmittedFile
from melleafy_tui.core.models.vocabulary import Tag
from melleafy_tui.core.package.result_schemas import ReportSchema, SchemaField
from melleafy_tui.core.package.separate_steps import OBJECTS, SLOTS, fields_of, labels_of
from melleafy_tui.generators.code_layout import (
    INDENT,
    LINE_LENGTH,
    RUNTIME_DOOR,
    Argument,
    Expression,
    Group,
    Raw,
    call,
    import_lines,
    parameters,
    statement,
    value,
)
from melleafy_tui.generators.literals import docstring_literal, identifier, plain_words, string_literal
from melleafy_tui.generators.package_shape import (
    is_heartbeat,
    model_steps,
    reply_class,
    schemas,
    statement_of,
    symbol_of,
)
from melleafy_tui.generators.provenance import SourceWriter, locations, provenance_comments, source_ranges

_HEAD = '''"""Steps before the reply that transform the request or ask something of it."""

from typing import Any

from mellea import MelleaSession
from mellea.stdlib.components import MObject


class Request(MObject):
    """What the user wrote, as an object that Mellea can query and transform."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text

    def content_as_string(self) -> str:
        """Return the text that the model sees."""
        return self.text
'''


def generate_step_objects(committed: CommittedPlan) -> list[EmittedFile]:
    """Return mobjects.py, or nothing if no step transforms or queries the request."""
    items = model_steps(committed, OBJECTS)
    if not items:
        return []
    writer = SourceWriter(f"{committed.package_name}/{OBJECTS}")
    writer.add(_HEAD)
    for item in items:
        writer.blank(2)
        writer.add(_step(item), [item.element])
    return [writer.emitted()]


def _step(item: PlannedElement) -> list[str]:
    method, does = ("transform", "Return the request, transformed")
    if item.element.tag is Tag.QUERY:
        method, does = ("query", "Return what the request says to the question")
    declared = ["m: MelleaSession[Any]", "message: str"]
    asked = call(f"m.{method}", call("Request", Raw("message")), value(statement_of(item.element)))
    return [
        *provenance_comments(source_ranges([item.element])),
        *statement("", parameters(f"def {symbol_of(item)}", declared), " -> str:"),
        f'    """{does} ({locations([item.element])})."""',
        *statement("answer = ", asked, indent=1),
        "    return str(answer)",
    ]


_OF_PYDANTIC: Final = frozenset(
    {"construct", "copy", "dict", "fields", "from_orm", "json", "parse_file", "parse_obj", "parse_raw"}
    | {"schema", "schema_json", "update_forward_refs", "validate"}
)
"""Names that a field of a pydantic model can't have, in addition to those that begin with `model_`."""


def generate_step_slots(committed: CommittedPlan) -> list[EmittedFile]:
    """Return slots.py, or nothing if no step is a slot."""
    items = model_steps(committed, SLOTS)
    if not items:
        return []
    writer = SourceWriter(f"{committed.package_name}/{SLOTS}")
    writer.add('"""Steps before the reply that the model takes: words and types of each function say how."""')
    writer.blank()
    writer.add(_slot_imports(items))
    for item in filter(_labels, items):
        writer.blank()
        writer.add(statement(f"{_type_name(item)} = ", _literal_type(_labels(item))), [item.element])
    for item in items:
        _add_slot(writer, item)
    return [writer.emitted()]


def _slot_imports(items: Sequence[PlannedElement]) -> list[str]:
    names = {
        "typing": ["Literal"] if any(map(_labels, items)) else [],
        "mellea": ["generative"],
        "pydantic": ["BaseModel", "Field"] if any(map(_fields, items)) else [],
    }
    return import_lines((), names)


def _literal_type(options: Iterable[str]) -> Expression:
    literals = tuple(Argument("", Raw(string_literal(option))) for option in options)
    return Group("Literal", "[", "]", literals, "call")


def _add_slot(writer: SourceWriter, item: PlannedElement) -> None:
    """Add the function of a slot, with the model of what it extracts above it."""
    writer.blank(2)
    if fields := _fields(item):
        writer.add(list(_model(item, fields)), [item.element])
        writer.blank(2)
    writer.add(_slot(item), [item.element])


def _slot(item: PlannedElement) -> list[str]:
    returns = _type_name(item) if _labels(item) or _fields(item) else "str"
    return [
        *provenance_comments(source_ranges([item.element])),
        "@generative",
        *statement("", parameters(f"def {symbol_of(item)}", ["message: str"]), f" -> {returns}:"),
        f"    {docstring_literal(statement_of(item.element))}",
        "    raise NotImplementedError",
    ]


def _model(item: PlannedElement, fields: tuple[tuple[str, str], ...]) -> Iterator[str]:
    yield f"class {_type_name(item)}(BaseModel):"
    yield f'    """What {symbol_of(item)} finds; a field is empty when the message does not say."""'
    yield ""
    for name, words in fields:
        yield from statement(f"{name}: str = ", call("Field", description=value(words)), indent=1)


def _chooses(item: PlannedElement) -> bool:
    return item.element.tag is Tag.CLASSIFY


def _labels(item: PlannedElement) -> tuple[str, ...]:
    return labels_of(statement_of(item.element)) if _chooses(item) else ()


def _fields(item: PlannedElement) -> tuple[tuple[str, str], ...]:
    """Return the name and description of each field that an extraction returns, if the text names them."""
    if item.element.tag is not Tag.EXTRACT:
        return ()
    named: dict[str, str] = {}
    for number, words in enumerate(fields_of(statement_of(item.element)), start=1):
        name = identifier(words, fallback=f"field_{number}")
        reserved = name in _OF_PYDANTIC or name.startswith("model_")
        named.setdefault(f"{name}_text" if reserved else name, words)
    return tuple(named.items())


def _type_name(item: PlannedElement) -> str:
    words = "".join(word.capitalize() for word in symbol_of(item).split("_"))
    return f"{words}{'Label' if _chooses(item) else 'Result'}"


_DECISION: Final = '''class HeartbeatDecision(BaseModel):
    """Whether there is anything to do now."""

    reason: str = Field(description="One sentence that says why.")
    decision: Literal["act", "skip"]
'''

FORMS: Final = "Forms"
"""The model of a final answer that fills several forms."""


def generate_schemas(committed: CommittedPlan) -> list[EmittedFile]:
    """Return schemas.py, or nothing if no answer of the model has a form."""
    reply = reply_class(committed)
    body = SourceWriter("")
    if is_heartbeat(committed):
        body.blank(2)
        body.add(_DECISION)
    forms = schemas(committed)
    _add_forms(body, forms)
    if reply != "AgentReply":
        head = [f"class {reply}(AgentReply):", '    """The result of one run of the agent."""', ""]
        body.blank(2)
        body.add([*head, *_filled_fields(forms)])
    if body.next_line == 1:
        return []
    writer = SourceWriter(f"{committed.package_name}/schemas.py")
    writer.add('"""Structured answers of the model, and the result of a run."""')
    writer.blank()
    writer.add(_schema_imports(body.emitted().text))
    writer.extend(body)
    return [writer.emitted()]


def _add_forms(writer: SourceWriter, forms: Sequence[ReportSchema]) -> None:
    for schema in forms:
        if aliases := _aliases(schema):
            writer.blank(1 if writer.next_line == 1 else 2)
            writer.add(aliases, schema.elements)
        writer.blank(2)
        writer.add(list(_schema(schema)), schema.elements)
    if len(forms) > 1:
        writer.blank(2)
        writer.add(_all_forms(forms))


def _schema_imports(code: str) -> list[str]:
    names = {
        "typing": ["Literal"] if "Literal[" in code else [],
        "pydantic": ["BaseModel", *(["Field"] if " Field(" in code or "=Field(" in code else [])],
        RUNTIME_DOOR: ["AgentReply"] if "(AgentReply):" in code else [],
    }
    return import_lines((), names)


def _all_forms(forms: Sequence[ReportSchema]) -> list[str]:
    lines = [f"class {FORMS}(BaseModel):", '    """The forms that one answer fills."""', ""]
    return [*lines, *(f"    {schema.attribute}: {schema.class_name}" for schema in forms)]


def _aliases(schema: ReportSchema) -> list[str]:
    """Return type aliases for the allowed values of a form's fields."""
    return [
        line
        for field in schema.fields
        if field.options
        for line in statement(f"{_alias(schema, field)} = ", _literal_type(field.options))
    ]


def _schema(schema: ReportSchema) -> Iterator[str]:
    yield from provenance_comments(source_ranges(schema.elements))
    yield f"class {schema.class_name}(BaseModel):"
    yield f'    """{plain_words(schema.title)}: the fields that the source declares."""'
    yield ""
    for field in schema.fields:
        yield from _field(schema, field)


def _field(schema: ReportSchema, field: SchemaField) -> list[str]:
    """Return the lines of a field of a form."""
    annotation = _alias(schema, field) if field.options else field.plain
    annotation = f"list[{annotation}]" if field.many else annotation
    described: dict[str, Expression] = {"default": Raw("None")} if field.optional else {}
    described["description"] = value(field.words)
    annotation += " | None" if field.optional else ""
    return _declared(field.name, annotation, call("Field", **described))


def _alias(schema: ReportSchema, field: SchemaField) -> str:
    return schema.class_name + "".join(word.capitalize() for word in field.name.split("_"))


def _filled_fields(schemas: Sequence[ReportSchema]) -> Iterator[str]:
    for schema in schemas:
        words = value(f"{schema.class_name} as the source describes it; None when the run was skipped.")
        filled = call("Field", default=Raw("None"), description=words)
        yield from _declared(schema.attribute, f"{schema.class_name} | None", filled)


def _declared(name: str, annotation: str, filled: Expression) -> list[str]:
    """Return the lines of a field; a long annotation is broken as `ruff format` does."""
    before = f"{name}: {annotation} = "
    if len(f"{INDENT}{before}Field(") <= LINE_LENGTH:
        return statement(before, filled, indent=1)
    lines = list(statement("", filled, indent=2))
    plain = annotation.isidentifier()
    if len(f"{INDENT}{before}(") <= LINE_LENGTH and (len(lines) == 1 or not plain):
        return [f"{INDENT}{before}(", *lines, f"{INDENT})"]
    if plain:
        return statement(before, filled, indent=1)
    if not annotation.endswith(" | None"):
        inner = annotation.removeprefix("list[").removesuffix("]")
        return [
            f"{INDENT}{name}: list[",
            f"{INDENT * 2}{inner}",
            *statement("] = ", filled, indent=1),
        ]
    parts = [annotation]
    if len(f"{INDENT * 2}{annotation}") > LINE_LENGTH:
        parts = [annotation.removesuffix(" | None"), "| None"]
    return [
        f"{INDENT}{name}: (",
        *(f"{INDENT * 2}{part}" for part in parts),
        *statement(") = ", filled, indent=1),
    ]
