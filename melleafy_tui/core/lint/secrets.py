"""No emitted file holds a secret, and tools of MCP servers are named in full."""

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

NO_SECRETS: Final = re.compile(r"[0-9a-f]{64}\b|\"key\"(?=: ?\")|(?<=\")[a-z_][a-z0-9_]*\.main:main(?=\")")
"""Fingerprints of files, the label of plan keys, and the entry point of a command, which only look like secrets.

An entry point stands behind the agent's own name, so `"password" = "password_mellea.main:main"` reads as a field.
"""

OWN_LABELS: Final = {
    label: label.replace(name, b" " * len(name))
    for name, label in (
        (b'"key"', b'"key": "'),
        (b'"key"', b'"key":"'),
        (b'"mapping_id"', b'"mapping_id": "map_'),
    )
}
"""Labels as they stand on each row of plan and mapping, to be blanked before anything is searched.

The one of keys names a secret elsewhere, and `mapping_id` holds the word PIN.
"""

LINE_END: Final = r"\n"
"""A line end inside a literal; what stands after it is no value of the label before it."""


class Found(Struct, frozen=True):
    """What looks like a secret: where it stands (1-based), what it looks like, and the value."""

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
    """Return a text of the same length without what only looks like secrets."""
    return NO_SECRETS.sub(lambda found: " " * len(found.group()), text).replace(LINE_END, "\x0b\x0b")


EMITTED_TEXTS: Final = "intermediate/emitted_texts.json"
"""The other files once more, each looked at where it stands; quoted anew, labels and values run together."""

UNQUALIFIED: Final = re.compile(r"mcp__(?!\w+?__\w)\w*")
INVENTORY: Final = "intermediate/inventory.json"
SHORTEST_PART: Final = 6
"""Characters of a released value that a cut must leave, for what is left to be told from another secret."""

LARGEST: Final = 2_000_000
HINT: Final = "Take the value from the environment, and change it where it was used."


def check_secrets(view: PackageView, file: EmittedFile) -> Iterator[Problem]:
    """Yield the secrets of a file; a value that the user released as no secret is none."""
    if len(file.data) > LARGEST or b"\0" in file.data or file.path.endswith(EMITTED_TEXTS):
        return
    released, values = _released(view)
    for found in secrets_of(file):
        if not (found.is_released(released) or _is_part(found.value, values)):
            said = f"it holds what looks like a secret ({found.kind})"
            yield Problem(file.path, found.line, found.column, said, HINT)


def check_tool_names(module: Module) -> Iterator[Problem]:
    """Yield names of tools that lack their server."""
    for node in module.nodes:
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and UNQUALIFIED.fullmatch(node.value)
        ):
            hint = "Write mcp__<server>__<tool>."
            yield module.problem(node, f"{node.value} does not name server and tool", hint)


def _released(view: PackageView) -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the digests that the package records, and their values as its elements have them, since summaries cut."""
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
    """Return whether what was found is what a cut left of a released value."""
    part = found.rstrip("…\"'`,")
    return len(part) >= SHORTEST_PART and any(part in value for value in values)
