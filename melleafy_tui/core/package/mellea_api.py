"""The table of Mellea 0.8's API: its modules, its names, and the signatures of its callables.

`scripts/build_mellea_api.py` generates the table; a test compares it with the installed Mellea.
"""

import json
from functools import cache
from pathlib import Path
from typing import Final

from msgspec import Struct

TABLE: Final = Path(__file__).with_name("mellea_api_0_8.json")


class Signature(Struct, frozen=True):
    """The arguments of a callable; None if it accepts any."""

    positional: tuple[str, ...] | None
    keywords: frozenset[str] | None
    required: tuple[str, ...]


class MelleaTable(Struct, frozen=True):
    """The API of one Mellea release."""

    version: str
    modules: dict[str, frozenset[str]]
    calls: dict[str, Signature]
    session_methods: dict[str, Signature]


@cache
def mellea_table() -> MelleaTable:
    """Return the table that ships with the program."""
    data = json.loads(TABLE.read_bytes())
    return MelleaTable(
        version=data["mellea_version"],
        modules={name: frozenset(names) for name, names in data["modules"].items()},
        calls={name: _signature(row) for name, row in data["calls"].items()},
        session_methods={name: _signature(row) for name, row in data["session_methods"].items()},
    )


def _signature(row: dict[str, list[str] | None]) -> Signature:
    positional, keywords = row["positional"], row["keywords"]
    return Signature(
        None if positional is None else tuple(positional),
        None if keywords is None else frozenset(keywords),
        tuple(row["required"] or ()),
    )
