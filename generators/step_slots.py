"""Emits slots.py: the steps whose answer Mellea generates from the types and the words of a function."""

from collections.abc import Iterator
from typing import Final

from melleafy_tui.core.models.committed import CommittedPlan, PlannedElement
from melleafy_tui.core.models.package import EmittedFile
from melleafy_tui.core.models.vocabulary import Tag
from melleafy_tui.core.steps import SLOTS, fields_of, labels_of
from melleafy_tui.generators.imports import import_lines
from melleafy_tui.generators.layout import Argument, Group, Raw, call, parameters, statement, value
from melleafy_tui.generators.literals import docstring_literal, identifier, string_literal
from melleafy_tui.generators.provenance import Page, provenance_comments, source_ranges
from melleafy_tui.generators.shape import model_steps, statement_of, symbol_of

_OF_PYDANTIC: Final = frozenset(
    {"construct", "copy", "dict", "fields", "from_orm", "json", "parse_file", "parse_obj", "parse_raw"}
    | {"schema", "schema_json", "update_forward_refs", "validate"}
)
"""Names that a field of a pydantic model cannot have, beside those that begin with `model_`."""


_CHECKED: Final = '''class CheckOutcome(BaseModel):
    """What a check on outside data came to."""

    outcome: Literal["holds", "fails", "cannot be checked"]
    reason: str = Field(description="One sentence that names what was compared.")
'''


def generate_step_slots(committed: CommittedPlan) -> list[EmittedFile]:
    """Return slots.py, or nothing where no step is a slot."""
    items = model_steps(committed, SLOTS)
    if not items:
        return []
    page = Page(f"{committed.package_name}/{SLOTS}")
    page.add('"""Steps before the reply that the model takes: words and types of each function say how."""')
    page.blank()
    checked = any(item.element.tag is Tag.VALIDATE_DOMAIN for item in items)
    labelled = checked or any(labels_of(statement_of(item.element)) for item in items if _chooses(item))
    modelled = checked or any(_fields(item) for item in items)
    names = {
        "typing": ["Literal"] if labelled else [],
        "mellea": ["generative"],
        "pydantic": ["BaseModel", "Field"] if modelled else [],
    }
    page.add(import_lines((), names))
    checks = [item for item in items if item.element.tag is Tag.VALIDATE_DOMAIN]
    if checks:
        page.blank(2)
        page.add(_CHECKED)
    aliases = [(item, labels) for item in items if (labels := _labels(item))]
    for number, (item, labels) in enumerate(aliases):
        page.blank(2 if checks and not number else 1)
        literals = tuple(Argument("", Raw(string_literal(label))) for label in labels)
        page.add(
            statement(f"{_type_name(item)} = ", Group("Literal", "[", "]", literals, "call")), [item.element]
        )
    for item in items:
        page.blank(2)
        if fields := _fields(item):
            page.add(list(_model(item, fields)), [item.element])
            page.blank(2)
        page.add(_slot(item), [item.element])
    return [page.emitted()]


def _slot(item: PlannedElement) -> list[str]:
    returns = _type_name(item) if _labels(item) or _fields(item) else "str"
    if item.element.tag is Tag.VALIDATE_DOMAIN:
        returns = "CheckOutcome"
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
    """Return name and words of each field that an extraction yields, where the text names them."""
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
