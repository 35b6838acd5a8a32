"""Tables that stand as TOML beside the module that reads them.

A wheel has each as JSON, too (`setup.py`): tomllib takes 32 of the 335 ms of a conversion, json 2. `--help` reads a
table first of all, so this module imports next to nothing.
"""

import json
import os
from typing import Any


def table_beside(module: str, name: str) -> dict[str, Any]:
    """Return a table of this program.

    Args:
        module: The `__file__` of the module that the table stands beside.
        name: The name of the TOML file; it may begin with a folder.
    """
    path = os.path.join(os.path.dirname(module), name)  # noqa: PTH118, PTH120 - pathlib takes longer
    try:
        with open(f"{path.removesuffix('.toml')}.json", "rb") as file:  # noqa: PTH123
            built: dict[str, Any] = json.load(file)
            return built
    except FileNotFoundError:
        import tomllib  # a checkout has no build

        with open(path, "rb") as file:  # noqa: PTH123
            return tomllib.load(file)
