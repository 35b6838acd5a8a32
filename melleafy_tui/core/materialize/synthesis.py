"""Writing SOUL.md and IDENTITY.md from the persona layer, where a source has no surface for them (seed 001)."""

import json
from collections.abc import Mapping
from typing import Final

from melleafy_tui.core.errors import UnusableInput
from melleafy_tui.core.materialize.surfaces import PERSONA_LAYER
from melleafy_tui.core.models.exact_file import ExactFile

IDENTITY_FIELDS: Final = (
    ("Name", ("displayName", "name")),
    ("Role", ("role",)),
    ("Vibe", ("vibe",)),
    ("Emoji", ("emoji",)),
    ("Avatar", ("avatar",)),
)
"""Labels of IDENTITY.md, each with the names of the persona layer that give its value, the first that is there."""


def read_persona(layer: ExactFile | None) -> Mapping[str, str]:
    """Return the texts of a persona layer by name; empty where there is none.

    Raises:
        UnusableInput: it is no JSON object.
    """
    if layer is None:
        return {}
    try:
        document: object = json.loads(layer.data)
    except (ValueError, RecursionError) as error:
        raise UnusableInput(
            f"{PERSONA_LAYER} is no JSON", hint="Correct or remove it.", location=PERSONA_LAYER
        ) from error
    if not isinstance(document, dict):
        raise UnusableInput(
            f"{PERSONA_LAYER} holds no JSON object", hint="Correct or remove it.", location=PERSONA_LAYER
        )
    return {
        name: value.strip()
        for name, value in document.items()
        if isinstance(value, str) and value.strip() and _encodes(value)
    }


def synthesise(layer: str, persona: Mapping[str, str]) -> bytes | None:
    """Return the text of a surface made from the persona layer, or None where that says too little.

    Args:
        layer: `persona` for SOUL.md, `identity` for IDENTITY.md.
        persona: The texts of the persona layer.
    """
    text = {"persona": _soul, "identity": _identity}[layer](persona) if layer else ""
    return text.encode() if text else None


def _soul(persona: Mapping[str, str]) -> str:
    name = _first(persona, ("displayName", "name"))
    parts = [
        f"**Role:** {_line(persona['role'])}" if "role" in persona else "",
        persona.get("background", ""),
        persona.get("voice", ""),
    ]
    body = "\n\n".join(filter(None, parts))
    return f"# {_line(name)}\n\n{body}\n" if name and body else ""


def _identity(persona: Mapping[str, str]) -> str:
    rows = [(label, _first(persona, names)) for label, names in IDENTITY_FIELDS]
    lines = [f"- **{label}:** {_line(value)}\n" for label, value in rows if value]
    return "# Identity\n\n" + "".join(lines) if lines else ""


def _first(persona: Mapping[str, str], names: tuple[str, ...]) -> str:
    return next((persona[name] for name in names if name in persona), "")


def _line(text: str) -> str:
    return " ".join(text.split())


def _encodes(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
