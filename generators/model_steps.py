"""Generates mobjects.py, slots.py and schemas.py: the steps that the model takes, and their typed results."""

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from melleafy_tui.core.models.committed import CommittedPlan, PlannedElement
from melleafy_tui.core.models.file_set import EmittedFile
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.procedure import Procedure, Returned
from melleafy_tui.core.models.vocabulary import Tag
from melleafy_tui.core.package.result_schemas import ReportSchema, SchemaField
from melleafy_tui.core.package.separate_steps import OBJECTS, SLOTS, fields_of, labels_of
from melleafy_tui.generators.literals import (
    INDENT,
    RUNTIME_DOOR,
    Group,
    docstring_literal,
    fits,
    fitted,
    identifier,
    string_literal,
)
from melleafy_tui.generators.package_shape import (
    elements_of_step,
    is_heartbeat,
    model_steps,
    reply_class,
    schemas,
    statement_of,
    symbol_of,
)
from melleafy_tui.generators.provenance import locations, provenance_comments, source_ranges
from melleafy_tui.generators.templates_environment import code_file


class _Step(Struct, frozen=True):
    """A step as code.

    Attributes:
        symbol: The name of its function.
        element: The element that it comes from.
        labels: The type of its choice as code, or `""`.
        fields: The fields of what it extracts, as code.
        returns: The type of its result.
    """

    symbol: str
    element: Element
    labels: str = ""
    fields: tuple[str, ...] = ()
    returns: str = "str"

    @property
    def comments(self) -> list[str]:
        """Return the comments on where it comes from."""
        return provenance_comments(source_ranges([self.element]))

    @property
    def place(self) -> str:
        """Return where it comes from, as its docstring says it."""
        return locations([self.element])

    @property
    def head(self) -> str:
        """Return the `def` line of a function of Mellea."""
        return fitted(Group(f"def {self.symbol}(", ("message: str",), f") -> {self.returns}:"))

    @property
    def asked(self) -> str:
        """Return the call that takes the step with the request as an object."""
        method = "query" if self.element.tag is Tag.QUERY else "transform"
        words = string_literal(statement_of(self.element))
        return fitted(Group(f"answer = m.{method}(", ("Request(message)", words)), INDENT)

    @property
    def docstring(self) -> str:
        """Return what the model is told of the step."""
        return docstring_literal(statement_of(self.element))

    @property
    def object_head(self) -> str:
        """Return the `def` line of a function that gets the session."""
        declared = ("m: MelleaSession[Any]", "message: str")
        return fitted(Group(f"def {self.symbol}(", declared, ") -> str:"))


def generate_step_objects(committed: CommittedPlan) -> list[EmittedFile]:
    """Return mobjects.py, or nothing if no step transforms or queries the request."""
    found = [_Step(symbol_of(item), item.element) for item in model_steps(committed, OBJECTS)]
    return [code_file(committed, OBJECTS, {}, steps=found, query=Tag.QUERY)] if found else []


def generate_step_slots(committed: CommittedPlan) -> list[EmittedFile]:
    """Return slots.py, or nothing if no step is a slot."""
    names = {"typing": ["Literal"], "mellea": ["generative"], "pydantic": ["BaseModel", "Field"]}
    found = list(map(_slot, model_steps(committed, SLOTS)))
    return [code_file(committed, SLOTS, names, steps=found)] if found else []


_OF_PYDANTIC: Final = frozenset(
    {"construct", "copy", "dict", "fields", "from_orm", "json", "parse_file", "parse_obj", "parse_raw"}
    | {"schema", "schema_json", "update_forward_refs", "validate"}
)
"""Names that a field of a pydantic model can't have, in addition to those that begin with `model_`."""


def _slot(item: PlannedElement) -> _Step:
    symbol, words = symbol_of(item), statement_of(item.element)
    name = "".join(word.capitalize() for word in symbol.split("_"))
    if item.element.tag is Tag.CLASSIFY and (labels := labels_of(words)):
        name += "Label"
        return _Step(symbol, item.element, labels=_literal_type(name, labels), returns=name)
    if item.element.tag is not Tag.EXTRACT or not (fields := _fields(words)):
        return _Step(symbol, item.element)
    shown = (_declared(field, "str", f"description={string_literal(said)}") for field, said in fields.items())
    return _Step(symbol, item.element, fields=tuple(shown), returns=f"{name}Result")


def _literal_type(name: str, options: Iterable[str]) -> str:
    return fitted(Group(f"{name} = Literal[", tuple(map(string_literal, options)), "]"))


def _fields(words: str) -> dict[str, str]:
    """Return the description of each field that an extraction returns by its name, if the text names them."""
    named: dict[str, str] = {}
    for number, said in enumerate(fields_of(words), start=1):
        name = identifier(said, fallback=f"field_{number}")
        reserved = name in _OF_PYDANTIC or name.startswith("model_")
        named.setdefault(f"{name}_text" if reserved else name, said)
    return named


FORMS: Final = "Forms"
"""The model of a final answer that fills several forms."""

_NAMES: Final = {
    "typing": ["Literal"],
    "pydantic": ["BaseModel", "Field"],
    RUNTIME_DOOR: ["AgentReply"],
}


class _Form(Struct, frozen=True):
    """A form as code: its schema, the types of its choices, and its fields."""

    schema: ReportSchema
    aliases: list[str]
    fields: list[str]
    comments: list[str]


def generate_schemas(committed: CommittedPlan) -> list[EmittedFile]:
    """Return schemas.py, or nothing if no answer of the model has a form."""
    heartbeat, forms = is_heartbeat(committed), schemas(committed)
    if (procedure := committed.inventory.procedure) is not None:
        return _schemas_of(procedure, committed)
    if not heartbeat and not forms:
        return []
    return [
        code_file(
            committed,
            "schemas.py",
            _NAMES,
            heartbeat=heartbeat,
            forms=list(map(_form, forms)),
            several=FORMS if len(forms) > 1 else "",
            reply=reply_class(committed) if forms else "",
            filled=_filled_fields(forms),
        )
    ]


def _schemas_of(procedure: Procedure, committed: CommittedPlan) -> list[EmittedFile]:
    """Return schemas.py with what the steps of a procedure return, or nothing if all return text."""
    typed = [step for step in procedure.steps if step.type_name and step.step_id in procedure.reachable]
    found = {step.type_name: step for step in typed}
    results = [
        (name, step, list(map(_returned, step.returns)), elements_of_step(committed, step))
        for name, step in found.items()
    ]
    return (
        [code_file(committed, "schemas.py", _NAMES, "step_schemas.py.j2", results=results)] if results else []
    )


_BOUNDS: Final = {"str": "max_length=2000", "list[str]": "max_length=20"}


def _returned(field: Returned) -> str:
    """Return a field of a step's result; texts and lists are bounded."""
    annotation, given = field.kind, []
    if field.options:
        annotation = f"Literal[{', '.join(map(string_literal, field.options))}]"
    elif field.kind in _BOUNDS:
        given.append(_BOUNDS[field.kind])
    if field.optional:
        annotation, given = f"{annotation} | None", ["default=None", *given]
    if field.words:
        given.append(f"description={string_literal(field.words)}")
    return _declared(field.name, annotation, *given) if given else f"{INDENT}{field.name}: {annotation}"


def _form(schema: ReportSchema) -> _Form:
    aliases = [
        _literal_type(_alias(schema, field), field.options) for field in schema.fields if field.options
    ]
    comments = provenance_comments(source_ranges(schema.elements))
    return _Form(schema, aliases, [_field(schema, field) for field in schema.fields], comments)


def _field(schema: ReportSchema, field: SchemaField) -> str:
    annotation = _alias(schema, field) if field.options else field.plain
    annotation = f"list[{annotation}]" if field.many else annotation
    described = f"description={string_literal(field.words)}"
    if field.optional:
        return _declared(field.name, f"{annotation} | None", "default=None", described)
    return _declared(field.name, annotation, described)


def _alias(schema: ReportSchema, field: SchemaField) -> str:
    return schema.class_name + "".join(word.capitalize() for word in field.name.split("_"))


def _filled_fields(forms: Sequence[ReportSchema]) -> list[str]:
    said = "{} as the source describes it; None when the run was skipped."
    return [
        _declared(
            schema.attribute,
            f"{schema.class_name} | None",
            "default=None",
            f"description={string_literal(said.format(schema.class_name))}",
        )
        for schema in forms
    ]


def _declared(name: str, annotation: str, *given: str) -> str:
    """Return a field of a model; one with a very long name and type stays on one line, whatever its length."""
    opening = f"{INDENT}{name}: {annotation} = Field("
    if fits(opening):
        return fitted(Group(opening[len(INDENT) :], given), INDENT)
    return f"{opening}{', '.join(given)})  # fmt: skip"
