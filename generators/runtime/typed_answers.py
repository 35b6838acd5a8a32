# Static module of melleafy-tui 0.2.0, not to be edited.
"""Answers of the model that have fields: their bounds, how they are read, their text."""

import json
from typing import Any, TypeVar

from mellea.stdlib.requirements import Requirement, req, simple_validate
from pydantic import BaseModel, ValidationError

from .runtime import PipelineError

ModelT = TypeVar("ModelT", bound=BaseModel)
LONGEST_TEXT, MOST_ITEMS = 1000, 20
"""The bounds of texts and lists in a typed answer that states none.

Servers make a grammar of them, which takes seconds where they are larger.
"""


class TypedAnswer(BaseModel):
    """An answer whose schema has bounds; a longer text is still read."""

    @classmethod
    def model_json_schema(cls, *given: Any, **named: Any) -> dict[str, Any]:
        """Return the schema, in which every text and list has a bound."""
        schema: dict[str, Any] = _ending(super().model_json_schema(*given, **named))
        return schema


def _ending(schema: Any) -> Any:
    """Return a JSON schema in which every text and list has a bound."""
    if isinstance(schema, list):
        return [_ending(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    found = {name: _ending(part) for name, part in schema.items()}
    if schema.get("type") == "string" and not {"enum", "const"} & schema.keys():
        found.setdefault("maxLength", LONGEST_TEXT)
    if schema.get("type") == "array":
        found.setdefault("maxItems", MOST_ITEMS)
    return found


def well_formed(model: type[BaseModel]) -> Requirement:
    """Return the requirement that an answer parses; malformed JSON is retried."""

    def parses(raw: str) -> tuple[bool, str]:
        try:
            model.model_validate_json(raw)
        except ValidationError as error:
            return False, "; ".join(
                f"{'.'.join(map(str, fault['loc'])) or error.title}: {fault['msg']}"
                for fault in error.errors()[:5]
            )
        return True, ""

    said = f"The answer is one {model.__name__} object in JSON."
    return req(said, simple_validate(parses))


def parse(raw: str, model: type[ModelT]) -> ModelT:
    """Parse a structured answer, or raise PipelineError."""
    try:
        return model.model_validate_json(raw)
    except ValidationError as error:
        raise PipelineError(
            f"no valid {model.__name__} in the model's answer"
        ) from error


def rendered(report: BaseModel) -> str:
    """Return a typed result as text, one field per line and list items below it."""
    lines: list[str] = []
    for name, found in report.model_dump(mode="json").items():
        label = name.replace("_", " ").capitalize()
        if isinstance(found, list):
            lines += [f"{label}:", *(f"- {_as_text(item)}" for item in found)]
        else:
            lines.append(f"{label}: {_as_text(found)}")
    return "\n".join(lines)


def _as_text(value: object) -> str:
    """Return a value of a typed result as text."""
    if value is None:
        return "not known"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
