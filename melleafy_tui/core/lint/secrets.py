"""Lints for secrets in emitted files and for names of MCP tools that lack their server.

Secrets were masked when the source was read. The lint looks once more for what is a secret by its form, wherever it is.
"""

import ast
import re
from collections.abc import Iterator
from typing import Final

from melleafy_tui.core.lint.modules import Module, Problem
from melleafy_tui.core.lint.package import INVENTORY, Inventory, NotValidatable, Package
from melleafy_tui.core.models.file_set import EmittedFile
from melleafy_tui.core.source.secrets.detector import certain_secrets, is_free

UNQUALIFIED: Final = re.compile(r"mcp__(?!\w+?__\w)\w*")
LARGEST: Final = 2_000_000


def check_secrets(package: Package, file: EmittedFile) -> Iterator[Problem]:
    """Yield the secrets in a file, except values that the user released."""
    if len(file.data) > LARGEST or b"\0" in file.data:
        return
    text = file.data.decode("utf-8", "replace")
    for found in certain_secrets(text):
        if not is_free(found.kind, text[found.start : found.end], _released(package)):
            line, column = (
                text.count("\n", 0, found.start) + 1,
                found.start - text.rfind("\n", 0, found.start),
            )
            yield Problem(file.path, line, column, f"it holds what looks like a secret ({found.kind})")


def _released(package: Package) -> frozenset[str]:
    """Return the released digests that the package records."""
    try:
        return frozenset(package.record(INVENTORY, Inventory).released_secrets)
    except NotValidatable:
        return frozenset()


def check_tool_names(module: Module) -> Iterator[Problem]:
    """Yield the names of MCP tools that lack their server."""
    for node in module.nodes:
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and UNQUALIFIED.fullmatch(node.value)
        ):
            hint = "Write mcp__<server>__<tool>."
            yield module.problem(node, f"{node.value} does not name server and tool", hint)
