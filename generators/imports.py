"""Import blocks of emitted modules, sorted and wrapped as ruff does."""

from collections.abc import Iterable, Mapping
from typing import Final

from melleafy_tui.generators.layout import INDENT, LINE_LENGTH

_OWN: Final = "."
_THIRD_PARTY: Final = ("mellea", "pydantic")


def import_lines(modules: Iterable[str], names: Mapping[str, Iterable[str]]) -> list[str]:
    """Return the lines of an import block: standard library, others, our own, with a blank line between.

    Args:
        modules: Modules imported whole.
        names: What is imported from which module; entries without names are passed over.
    """
    groups: dict[int, list[str]] = {0: [], 1: [], 2: []}
    for module in sorted(modules):
        groups[_group(module)].append(f"import {module}")
    for module in sorted(names, key=lambda name: (name != _OWN, name)):
        found = sorted(set(names[module]), key=_as_sorted)
        if found:
            groups[_group(module)] += _from(module, found)
    blocks = [lines for lines in groups.values() if lines]
    return [line for number, lines in enumerate(blocks) for line in ([""] if number else []) + lines]


def _group(module: str) -> int:
    if module.startswith("."):
        return 2
    return 1 if module.partition(".")[0] in _THIRD_PARTY else 0


def _as_sorted(name: str) -> tuple[int, str]:
    """Return the sort key of isort: constants, classes, the rest."""
    kind = 0 if name.isupper() and len(name) > 1 else 1 if name[:1].isupper() else 2
    return kind, name


def _from(module: str, names: list[str]) -> list[str]:
    line = f"from {module} import {', '.join(names)}"
    if len(line) <= LINE_LENGTH:
        return [line]
    return [f"from {module} import (", *(f"{INDENT}{name}," for name in names), ")"]
