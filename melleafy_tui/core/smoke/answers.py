"""What the stand-in model answers: a minimal instance for a JSON schema, a verdict for a judge, plain text else."""

import json
from collections.abc import Mapping
from enum import StrEnum
from typing import cast

Schema = Mapping[str, object]

PLAIN_ANSWER = "Understood. I have looked into it and this is the result."
BROKEN_JSON = '{"decision": "act", "reason":'
_JUDGE_OPENING = "Check whether the output below satisfies the requirement below"
_DEEPEST = 12


class Behaviour(StrEnum):
    """How the stand-in server is told to behave (spec/package.md 8)."""

    PLAIN = "plain"
    JUDGE_SAYS_NO = "judge-no"
    BROKEN_JSON = "broken-json"
    EMPTY = "empty"
    SLOW = "slow"
    REFUSE = "refuse"


def is_judge(prompt: str) -> bool:
    """Return whether a prompt is Mellea 0.8's request to judge an output (its template Requirement.jinja2)."""
    return _JUDGE_OPENING in prompt


def answer(prompt: str, schema: Schema | None, behaviour: Behaviour) -> str:
    """Return the model's answer to one chat call."""
    if schema is not None:
        if behaviour is Behaviour.BROKEN_JSON:
            return BROKEN_JSON
        if behaviour is Behaviour.EMPTY:
            return ""
        return json.dumps(minimal_instance(schema), ensure_ascii=False)
    if is_judge(prompt):
        return "no" if behaviour is Behaviour.JUDGE_SAYS_NO else "yes"
    return "" if behaviour is Behaviour.EMPTY else PLAIN_ANSWER


def minimal_instance(schema: Schema, root: Schema | None = None, depth: int = 0) -> object:
    """Return the smallest value that a JSON schema allows, taking the first of its choices.

    Args:
        schema: The schema, as pydantic writes it.
        root: The schema that holds `$defs`; the schema itself when left out.
        depth: How deep the recursion stands; a recursive schema ends in None.
    """
    root = schema if root is None else root
    if depth > _DEEPEST:
        return None
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return cast(list[object], schema["enum"])[0]
    if "default" in schema:
        return schema["default"]
    reference = schema.get("$ref")
    if isinstance(reference, str):
        definitions = cast(Mapping[str, Schema], root.get("$defs", {}))
        return minimal_instance(definitions[reference.rsplit("/", 1)[-1]], root, depth + 1)
    for choice in ("anyOf", "oneOf", "allOf"):
        choices = schema.get(choice)
        if isinstance(choices, list) and choices:
            return minimal_instance(cast(Schema, choices[0]), root, depth + 1)
    return _by_type(schema, root, depth)


def _by_type(schema: Schema, root: Schema, depth: int) -> object:
    kind = schema.get("type")
    if kind == "object":
        properties = cast(Mapping[str, Schema], schema.get("properties", {}))
        required = cast(list[str], schema.get("required", list(properties)))
        return {
            name: minimal_instance(properties[name], root, depth + 1)
            for name in required
            if name in properties
        }
    if kind == "array":
        least = cast(int, schema.get("minItems", 0))
        items = cast(Schema, schema.get("items", {}))
        return [minimal_instance(items, root, depth + 1) for _ in range(least)]
    if kind == "integer":
        return int(cast(float, schema.get("minimum", 0)))
    if kind == "number":
        return float(cast(float, schema.get("minimum", 0)))
    if kind == "boolean":
        return False
    if kind == "null":
        return None
    return "stand-in".ljust(cast(int, schema.get("minLength", 0)), ".")
