"""Lints for secrets in emitted files and for names of MCP tools that lack their server."""

import ast
import re
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from melleafy_tui.core.lint.artifacts import ELEMENT_TEXTS, JsonObject, read_row, text_of
from melleafy_tui.core.lint.modules import Module, Problem
from melleafy_tui.core.lint.view import NotValidatable, PackageView
from melleafy_tui.core.models.file_set import EmittedFile
from melleafy_tui.core.source.secrets.detector import KEY_BLOCK_KIND, find_secrets, is_released

NO_SECRETS: Final = re.compile(
    r"[0-9a-f]{64}\b|\"key\"(?=: ?\")|(?<=\")[a-z_][a-z0-9_]*\.main:main(?=\")|\$HOME/path/to/workspace\b"
)
"""Text that only looks like a secret: digests, the label of plan keys, a command's entry point, a sample path.

An entry point follows the agent's name: `"password" = "password_mellea.main:main"`.
"""

OWN_LABELS: Final = {
    label: label.replace(name, b" " * len(name))
    for name, label in (
        (b'"key"', b'"key": "'),
        (b'"key"', b'"key":"'),
        (b'"mapping_id"', b'"mapping_id": "map_'),
    )
}
"""Labels on the rows of plan and mapping that are blanked before the search.

Elsewhere the label of keys names a secret, and `mapping_id` contains the word PIN.
"""

LINE_END: Final = r"\n"
"""A line end inside a literal; the text after it is not the value of the label before it."""

QUOTE: Final = r"\""
"""A quote inside a literal; the source was searched without its backslash, which would lengthen the value before it."""


class Found(Struct, frozen=True):
    """Text that looks like a secret: its position (1-based), its kind, and its value."""

    line: int
    column: int
    kind: str
    value: str

    def is_released(self, released: frozenset[str]) -> bool:
        """Return whether the user released the value."""
        return bool(released) and self.kind != KEY_BLOCK_KIND and is_released(self.value, released)


def secrets_of(file: EmittedFile) -> tuple[Found, ...]:
    """Return every secret of a file, released or not."""
    text = _text(file.data)
    return tuple(
        Found(
            text.count("\n", 0, span.start) + 1,
            span.start - text.rfind("\n", 0, span.start),
            span.kind,
            text[span.start : span.end],
        )
        for span in find_secrets(text, read_as=_without_lookalikes)
    )


def _text(data: bytes) -> str:
    for label, blanked in OWN_LABELS.items():
        data = data.replace(label, blanked)
    return data.decode("utf-8", "replace")


def _without_lookalikes(text: str) -> str:
    """Return the text with everything that only looks like a secret blanked; the length stays the same."""
    text = NO_SECRETS.sub(lambda found: " " * len(found.group()), text)
    return text.replace(LINE_END, "\x0b\x0b").replace(QUOTE, ' "')


EMITTED_TEXTS: Final = "intermediate/emitted_texts.json"
"""Repeats the text of other files, which are searched themselves; quoting would join labels and values."""

UNQUALIFIED: Final = re.compile(r"mcp__(?!\w+?__\w)\w*")
INVENTORY: Final = "intermediate/inventory.json"
SHORTEST_PART: Final = 6
"""Shortest prefix of a released value that is recognized as a part of it and not as another secret."""

LARGEST: Final = 2_000_000
HINT: Final = "Take the value from the environment, and change it where it was used."


def check_secrets(view: PackageView, file: EmittedFile) -> Iterator[Problem]:
    """Yield the secrets in a file, except values that the user released."""
    if len(file.data) > LARGEST or b"\0" in file.data or file.path.endswith(EMITTED_TEXTS):
        return
    released, values = _released(view)
    for found in secrets_of(file):
        if not (found.is_released(released) or _is_part(found.value, values)):
            said = f"it holds what looks like a secret ({found.kind})"
            yield Problem(file.path, found.line, found.column, said, HINT)


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


def _released(view: PackageView) -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the released digests that the package records, and the full values found in its elements."""
    try:
        return view.fact(INVENTORY, _released_in)
    except NotValidatable:
        return frozenset(), ()


def _released_in(inventory: JsonObject) -> tuple[frozenset[str], tuple[str, ...]]:
    recorded, rows = inventory.get("released_secrets"), inventory.get("elements")
    if not isinstance(recorded, list) or not recorded or not isinstance(rows, list):
        return frozenset(), ()
    digests = frozenset(map(str, recorded))
    values: set[str] = set()
    for row in rows:
        element = read_row(row, ELEMENT_TEXTS) or {}
        for text in (text_of(element, "content_full"), text_of(element, "statement")):
            found = set(find_secrets(text)) - set(find_secrets(text, digests))
            values |= {text[span.start : span.end] for span in found}
    return digests, tuple(sorted(values))


def _is_part(found: str, values: tuple[str, ...]) -> bool:
    """Return whether the text is a truncated released value."""
    part = found.rstrip("…\"'`,")
    return len(part) >= SHORTEST_PART and any(part in value for value in values)
