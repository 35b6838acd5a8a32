"""Generates schemas.py: the forms that a reply fills, and what the steps of a procedure return."""

from collections.abc import Sequence
from typing import Final

from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.file_set import EmittedFile
from melleafy_tui.core.models.procedure import Procedure, Returned
from melleafy_tui.core.package.result_schemas import ReportSchema, SchemaField
from melleafy_tui.generators import package_shape as shape
from melleafy_tui.generators.literals import INDENT, RUNTIME_DOOR, Group, fits, fitted, string_literal
from melleafy_tui.generators.provenance import provenance_comments, source_ranges
from melleafy_tui.generators.templates_environment import code_file

FORMS: Final = "Forms"
"""The model of a final answer that fills several forms."""

_NAMES: Final = {"typing": ["Literal"], "pydantic": ["Field"], RUNTIME_DOOR: ["AgentReply", "TypedAnswer"]}


def generate_schemas(committed: CommittedPlan) -> list[EmittedFile]:
    """Return schemas.py, or nothing if no answer of the model has a form."""
    heartbeat, forms = shape.is_heartbeat(committed), shape.schemas(committed)
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
            reply=shape.reply_class(committed) if forms else "",
            filled=_filled_fields(forms),
        )
    ]


def _schemas_of(procedure: Procedure, committed: CommittedPlan) -> list[EmittedFile]:
    """Return schemas.py with what the steps of a procedure return, or nothing if all return text."""
    typed = [step for step in procedure.steps if step.type_name and step.step_id in procedure.reachable]
    results = [
        (name, step, list(map(_returned, step.returns)), shape.elements_of_step(committed, step))
        for name, step in {step.type_name: step for step in typed}.items()
    ]
    files = [code_file(committed, "schemas.py", _NAMES, "step_schemas.py.j2", results=results)]
    return files if results else []


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


def _form(schema: ReportSchema) -> dict[str, object]:
    """Return a form as code: its schema, the types of its choices, and its fields."""
    choices = (
        Group(f"{_alias(schema, field)} = Literal[", tuple(map(string_literal, field.options)), "]")
        for field in schema.fields
        if field.options
    )
    return {
        "schema": schema,
        "aliases": list(map(fitted, choices)),
        "fields": [_field(schema, field) for field in schema.fields],
        "comments": provenance_comments(source_ranges(schema.elements)),
    }


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
