# Static module of melleafy-tui 0.2.0, not to be edited.
"""Typed results as text."""

import json

from pydantic import BaseModel


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
