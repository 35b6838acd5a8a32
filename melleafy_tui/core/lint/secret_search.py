"""Searches an emitted file for secrets."""

import re
from typing import Final

from msgspec import Struct

from melleafy_tui.core.models.package import EmittedFile
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
