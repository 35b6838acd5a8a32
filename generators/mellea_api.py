"""The part of Mellea's interface that emitted code may use, as data: `intermediate/mellea_api_ref.json`.

It is cut from the table that the lints judge by (`core/lint/mellea_api_0_8.json`), which `scripts/build_mellea_api.py`
makes by introspection and a test compares with the installed Mellea. So a package has the same bytes on a machine
without Mellea, and emitted code cannot be judged by another table than the one it is handed with.
"""

from functools import cache
from typing import Final

from melleafy_tui.core.lint.mellea_table import Signature, mellea_table
from melleafy_tui.generators.json_text import json_bytes

MODULES: Final = (
    "mellea",
    "mellea.backends",
    "mellea.core",
    "mellea.stdlib.components",
    "mellea.stdlib.requirements",
    "mellea.stdlib.sampling",
)
"""Modules that emitted code imports from."""


@cache
def shipped_reference() -> bytes:
    """Return the table as it is emitted: names by module, what callables take, and the methods of a session."""
    table = mellea_table()
    named = {module: sorted(table.modules[module]) for module in MODULES}
    names = sorted({name for found in named.values() for name in found})
    return json_bytes(
        {
            "mellea_version": table.version,
            "modules": named,
            "calls": {name: _shown(table.calls[name]) for name in names if name in table.calls},
            "session_methods": {
                name: _shown(method) for name, method in sorted(table.session_methods.items())
            },
        }
    )


def _shown(signature: Signature) -> dict[str, object]:
    """Return what a callable takes; None where it takes any."""
    keywords = None if signature.keywords is None else sorted(signature.keywords)
    return {
        "positional": signature.positional,
        "keywords": keywords,
        "required": signature.required,
    }
