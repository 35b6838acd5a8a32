"""The backends and model constants of Mellea 0.8, and checks of the names that users give."""

import json
from functools import cache
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from melleafy_tui.core.lazy_regex import LazyRegex

TABLE: Final = Path(__file__).with_name("mellea_api_0_8.json")


class Signature(Struct, frozen=True):
    """The arguments of a callable; None if it accepts any."""

    positional: tuple[str, ...] | None
    keywords: frozenset[str] | None
    required: tuple[str, ...]


class MelleaTable(Struct, frozen=True, rename={"version": "mellea_version"}):
    """The API of one Mellea release."""

    version: str
    modules: dict[str, frozenset[str]]
    calls: dict[str, Signature]
    session_methods: dict[str, Signature]


@cache
def mellea_table() -> MelleaTable:
    """Return the table that ships with the program."""
    return msgspec.json.decode(TABLE.read_bytes(), type=MelleaTable)


BACKENDS: Final = ("ollama", "openai", "hf", "huggingface", "watsonx", "litellm")
"""The names that `mellea.start_session` accepts; a test compares them with the installed Mellea."""

OLLAMA_MODELS: Final[list[str]] = json.loads(TABLE.with_name("ollama_models.json").read_bytes())
"""The models that Mellea knows on Ollama; a test compares them with the installed Mellea."""

_CONSTANT: Final = LazyRegex(r"[A-Z][A-Z0-9]*(_[A-Z0-9]+)+")
_MODELS: Final = "mellea.backends.model_ids"


def backend_objection(name: str) -> str:
    """Return why Mellea has no backend of this name, with a suggestion, or `""`."""
    if name in BACKENDS:
        return ""
    return f"Mellea 0.8 has no backend {name!r}; {_suggestion(name.lower(), BACKENDS)}"


def model_objection(name: str) -> str:
    """Return why a model can't have this name, with a suggestion, or `""`.

    Any name may be one of a server's own models. Only a blank, a control character, and the name of a Python
    constant are wrong everywhere.
    """
    if not name.strip():
        return "a model needs a name"
    if _CONSTANT.fullmatch(name):
        constants = sorted(entry for entry in mellea_table().modules.get(_MODELS, ()) if entry.isupper())
        known = "is a constant of Mellea" if name in constants else "looks like a constant of Mellea"
        return (
            f"{name} {known}, not a model's name; give the name that the backend uses, such as granite4.1:3b"
        )
    if any(letter.isspace() or not letter.isprintable() for letter in name):
        return f"{name!r} has a blank or a control character, which no model's name has"
    return ""


def objection_to(setting: str, value: object) -> str:
    """Return why a value can't be that of the setting `backend` or `model_id`, or `""`."""
    return backend_objection(str(value)) if setting == "backend" else model_objection(str(value))


def model_doubt(backend: str, name: str) -> str:
    """Return which known model a name may be a misspelling of, or `""`; a server may have a model of that name."""
    if backend != "ollama" or name in OLLAMA_MODELS:
        return ""
    by_word = {model.partition(":")[0]: model for model in OLLAMA_MODELS} | {
        model: model for model in OLLAMA_MODELS
    }
    from difflib import get_close_matches  # only a wrong name needs it

    near = get_close_matches(name.lower(), by_word, n=1, cutoff=0.75)
    return f"Mellea 0.8 doesn't know the model {name!r}; did you mean {by_word[near[0]]}?" if near else ""


def _suggestion(name: str, known: tuple[str, ...]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(name, known, n=1)
    return f"did you mean {near[0]}?" if near else f"use one of {', '.join(known)}"
