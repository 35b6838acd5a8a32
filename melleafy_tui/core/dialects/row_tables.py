"""Reads a dialect's mapping table: rows by id, each a form of `row_forms.toml` with what the row says otherwise."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from melleafy_tui.core.dialects.base import MappingRow

_FOLDER: Final = Path(__file__).parent


@cache
def mapping_rows(dialect: str) -> tuple[MappingRow, ...]:
    """Return the rows of a dialect's `mapping_rows.toml`, in its order.

    Args:
        dialect: The dialect's folder.
    """
    forms = tomllib.loads((_FOLDER / "row_forms.toml").read_text(encoding="utf-8"))
    table = tomllib.loads((_FOLDER / dialect / "mapping_rows.toml").read_text(encoding="utf-8"))
    rows = ({"row_id": row_id} | forms.get(row.pop("like", ""), {}) | row for row_id, row in table.items())
    return msgspec.convert(tuple(rows), tuple[MappingRow, ...])
