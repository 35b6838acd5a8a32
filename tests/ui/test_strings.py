"""All sentences of screens, messages and help stand in one file, which is read whole before it is accepted."""

import ast
import os
import tomllib
from collections.abc import Iterator
from pathlib import Path

from melleafy_tui.actions.key_table import CONFLICT_KEYS, KEYMAP, REVIEW_KEYS
from melleafy_tui.actions.steps import STEP_INFO
from tests.conftest import PROJECT

KEPT = PROJECT / "snapshots" / "strings.txt"
FOLDERS = ("screens", "melleafy_tui/widgets", "melleafy_tui/wizard", "melleafy_tui/actions")
MODULES = (
    "core/pipeline/behaviour_rows.py",
    "core/pipeline/file_effects.py",
    "core/pipeline/open_rows.py",
    "core/pipeline/review_rows.py",
    "core/decisions/application.py",
)
TABLES = ("models/vocabulary.toml", "package/dispositions.toml")
CORE = PROJECT / "melleafy_tui" / "core"
STYLES = ("{ ", ": $", "#", "-", "(?:", "tuple[")
"""How strings begin or what they hold that only style sheets, patterns and types read."""


def sentences(path: Path) -> Iterator[str]:
    """Yield what a module may show: strings of more than one word, with `…` for what is filled in."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    silent = {id(node) for holder in ast.walk(tree) for node in _documentation(holder)}
    inside = {
        id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in ast.walk(node)
    }
    for node in ast.walk(tree):
        text = ""
        if isinstance(node, ast.JoinedStr):
            text = "".join(str(part.value) if isinstance(part, ast.Constant) else "…" for part in node.values)
        elif (
            isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in inside | silent
        ):
            text = node.value
        words = " ".join(text.split())
        if " " in words and sum(letter.isalpha() for letter in words) > 3 and not _is_style(words):
            yield words


def _documentation(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the strings of a body that nothing reads: docstrings, also those of attributes and constants."""
    for child in getattr(node, "body", ()) if isinstance(getattr(node, "body", ()), list) else ():
        if isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant):
            yield child.value


def _is_style(words: str) -> bool:
    return words.startswith(STYLES) or "; }" in words


def all_strings() -> str:
    """Return the file: the strings of each module in order, then those of the key tables."""
    paths = [path for folder in FOLDERS for path in sorted((PROJECT / folder).glob("*.py"))]
    paths += [PROJECT / "melleafy_tui" / name for name in MODULES]
    blocks = []
    for path in paths:
        said = list(dict.fromkeys(sentences(path)))
        if said and path.name != "key_table.py":
            blocks.append("\n".join([f"## {path.relative_to(PROJECT).as_posix()}", *said]))
    for name in TABLES:
        said = [
            line for line in _values(tomllib.loads((CORE / name).read_text(encoding="utf-8"))) if " " in line
        ]
        blocks.append("\n".join([f"## melleafy_tui/core/{name}", *dict.fromkeys(said)]))
    terms = [f"{word}: {meaning}" for info in STEP_INFO.values() for word, meaning in info.terms]
    blocks.append("\n".join(["## terms", *dict.fromkeys(terms)]))
    keys = [f"{key.spelled}  {key.label}: {key.tooltip}" for key in (*KEYMAP, *REVIEW_KEYS, *CONFLICT_KEYS)]
    return "\n\n".join([*blocks, "\n".join(["## keys", *dict.fromkeys(keys)])]) + "\n"


def _values(table: object) -> Iterator[str]:
    """Yield the texts of a TOML table in order."""
    if isinstance(table, dict):
        for value in table.values():
            yield from _values(value)
    elif isinstance(table, str):
        yield table


def test_every_string_was_read() -> None:
    """Renew the file with UPDATE_GOLDEN=1, and read what has changed in it."""
    now = all_strings()
    if os.environ.get("UPDATE_GOLDEN"):
        KEPT.write_text(now, encoding="utf-8")
    assert now.splitlines() == KEPT.read_text(encoding="utf-8").splitlines()
