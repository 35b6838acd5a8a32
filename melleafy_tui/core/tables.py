"""Tables that stand as TOML beside the module that reads them."""

import tomllib
from pathlib import Path
from typing import Any


def table_beside(module: str, name: str) -> dict[str, Any]:
    """Return a table of this program.

    Args:
        module: The `__file__` of the module that the table stands beside.
        name: The name of the TOML file; it may begin with a folder.
    """
    return tomllib.loads((Path(module).parent / name).read_text(encoding="utf-8"))
