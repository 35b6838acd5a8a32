"""Emits schemas.py: the typed results of the pipeline, plain JSON values throughout."""

from collections.abc import Iterator, Sequence
from typing import Final

from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.package import EmittedFile
from melleafy_tui.core.report_schemas import ReportSchema, SchemaField
from melleafy_tui.generators.imports import import_lines
from melleafy_tui.generators.layout import (
    INDENT,
    LINE_LENGTH,
    Argument,
    Expression,
    Group,
    Raw,
    call,
    statement,
    value,
)
from melleafy_tui.generators.literals import plain_words, string_literal
from melleafy_tui.generators.pipeline_parts import PipelineParts, pipeline_parts
from melleafy_tui.generators.provenance import Page, provenance_comments, source_ranges

_DECISION = '''class HeartbeatDecision(BaseModel):
    """Whether this wake-up has something to do."""

    decision: Literal["act", "skip"]
    reason: str = Field(description="One sentence that says why.")
'''

_DRAFT = '''class Draft(BaseModel):
    """A text that a step before the reply writes."""

    text: str = Field(min_length=1, description="The text, and nothing else.")
'''

NEVER_SKIPS: Final = "True when the run found nothing to do."
"""What `skipped` says in a package that no heartbeat wakes."""

_REPLY = '''class AgentReply(BaseModel):
    """What one run of the agent gives back."""

    text: str = Field(description="The reply; empty when the run was skipped.")
    skipped: bool = Field(description="%s")
    reason: str = Field(description="Why the run acted or skipped.")
    unmet: list[str] = Field(description="Requirements that the reply does not meet.")
    notes: list[str] = Field(
        description="What was left out, for example a memory stub."
    )
'''


def generate_schemas(committed: CommittedPlan) -> list[EmittedFile]:
    """Return schemas.py."""
    parts = pipeline_parts(committed)
    page = Page(f"{committed.package_name}/schemas.py")
    page.add('"""Typed results of the pipeline. All fields are plain JSON values."""')
    page.blank()
    limited = any(field.options for schema in parts.schemas for field in schema.fields)
    typing = ["Literal"] if parts.heartbeat or parts.tools or limited else []
    page.add(import_lines((), {"typing": typing, "pydantic": ["BaseModel", "Field"]}))
    classes = parts.heartbeat or bool(parts.tools) or parts.drafts
    aliased = bool(parts.schemas) and any(field.options for field in parts.schemas[0].fields)
    page.blank(1 if aliased and not classes else 2)
    if parts.heartbeat:
        page.add(_DECISION)
        page.blank(2)
    if parts.tools:
        page.add(_tool_choice(parts))
        page.blank(2)
    if parts.drafts:
        page.add(_DRAFT)
        page.blank(2)
    for schema in parts.schemas:
        if any(field.options for field in schema.fields):
            page.add(list(_aliases(schema)), schema.elements)
            page.blank(2)
        page.add(list(_schema(schema)), schema.elements)
        page.blank(2)
    reply = _REPLY.replace(
        "%s", "True when a heartbeat found nothing to do." if parts.heartbeat else NEVER_SKIPS
    )
    page.add([*reply.rstrip("\n").split("\n"), *_filled_fields(parts.schemas)])
    return [page.emitted()]


def _aliases(schema: ReportSchema) -> Iterator[str]:
    """Yield the values that the fields of a form may have, each as a type of its own."""
    for field in schema.fields:
        if field.options:
            literals = tuple(Argument("", Raw(string_literal(option))) for option in field.options)
            yield from statement(f"{_alias(schema, field)} = ", Group("Literal", "[", "]", literals, "call"))


def _schema(schema: ReportSchema) -> Iterator[str]:
    yield from provenance_comments(source_ranges(schema.elements))
    yield f"class {schema.class_name}(BaseModel):"
    yield f'    """{plain_words(schema.title)}: the fields that the source declares."""'
    yield ""
    for field in schema.fields:
        annotation = _alias(schema, field) if field.options else field.plain
        annotation = f"list[{annotation}]" if field.many else annotation
        described: dict[str, Expression] = {"default": Raw("None")} if field.optional else {}
        described["description"] = value(field.words)
        annotation += " | None" if field.optional else ""
        yield from _declared(field.name, annotation, call("Field", **described))


def _alias(schema: ReportSchema, field: SchemaField) -> str:
    return schema.class_name + "".join(word.capitalize() for word in field.name.split("_"))


def _filled_fields(schemas: Sequence[ReportSchema]) -> Iterator[str]:
    for schema in schemas:
        words = value(f"{schema.class_name} as the source describes it; None when the run was skipped.")
        filled = call("Field", default=Raw("None"), description=words)
        yield from _declared(schema.attribute, f"{schema.class_name} | None", filled)


def _declared(name: str, annotation: str, filled: Expression) -> list[str]:
    """Return the lines of a field; an annotation too long for its line is broken as `ruff format` breaks it."""
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


def _tool_choice(parts: PipelineParts) -> list[str]:
    names = ["none", *(tool.name for tool in parts.tools)]
    choices = Group(
        "Literal", "[", "]", tuple(Argument("", Raw(string_literal(name))) for name in names), "call"
    )
    return [
        "class ToolChoice(BaseModel):",
        '    """Which tool is needed next, if any."""',
        "",
        *statement("tool: ", choices, indent=1),
        '    request: str = Field(description="What to ask the tool; empty for none.")',
    ]
