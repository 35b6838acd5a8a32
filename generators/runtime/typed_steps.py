"""Steps that are functions of Mellea, and typed results as text.

Static module of melleafy-tui 0.2.0: identical in every package of that release that has
it, not to be edited.
"""

import json
from collections.abc import Callable
from typing import Any

from mellea import MelleaSession
from mellea.core import ComponentParseError
from pydantic import BaseModel, ValidationError

from .runtime import EndingBackend, PipelineError


def settled(
    take: Callable[..., object],
    m: MelleaSession[Any],
    message: str,
    attempts: int,
) -> str:
    """Return what a step found, taken again while the answer is malformed or empty.

    Raises:
        PipelineError: no attempt gave a usable answer.

    """
    m.backend = EndingBackend.of(m.backend)
    for _ in range(attempts):
        try:
            found = take(m, message=message)
        except (ComponentParseError, ValidationError):
            continue
        text = found.model_dump_json() if isinstance(found, BaseModel) else str(found)
        if text.strip():
            return text
    raise PipelineError(f"no usable answer to the step {getattr(take, '__name__', '')}")


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
