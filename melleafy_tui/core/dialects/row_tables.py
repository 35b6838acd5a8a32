"""Reads a dialect's mapping table: rows by id, each a form of `row_forms.toml` with what the row says otherwise."""

from functools import cache

import msgspec

from melleafy_tui.core.dialects.base import MappingRow
from melleafy_tui.core.tables import table_beside


@cache
def mapping_rows(dialect: str) -> tuple[MappingRow, ...]:
    """Return the rows of a dialect's `mapping_rows.toml`, in its order.

    Args:
        dialect: The dialect's folder.
    """
    forms = table_beside(__file__, "row_forms.toml")
    table = table_beside(__file__, f"{dialect}/mapping_rows.toml")
    rows = ({"row_id": row_id} | forms.get(row.pop("like", ""), {}) | row for row_id, row in table.items())
    return msgspec.convert(tuple(rows), tuple[MappingRow, ...])
