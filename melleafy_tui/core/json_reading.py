"""Reads JSON by its quickest reader, and of a large file only the fields that are looked at."""

import json
from typing import Any

import msgspec


def read_json(data: bytes, looked_at: object = Any) -> object:
    """Return what JSON holds.

    Args:
        data: The JSON.
        looked_at: The type of what is wanted, such as a typed dictionary of some fields; other fields are passed over.
            Where the JSON has another form, all of it is returned as it stands.

    Raises:
        ValueError: it is no JSON.
        RecursionError: it is nested too deeply.
    """
    try:
        found: object = msgspec.json.decode(data, type=looked_at)
    except (
        msgspec.DecodeError,
        UnicodeDecodeError,
    ):  # another form; or Python reads it, or says where it ends
        found = json.loads(data)
    return found
