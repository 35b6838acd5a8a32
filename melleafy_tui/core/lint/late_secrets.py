"""Masks what reads as a secret only in an emitted file, so that it can't stop a conversion.

Secrets are masked in the source. A report, a fixture or a literal can still put a label beside a value that it didn't
have there, and then the lint for secrets finds it.
"""

import json
from collections.abc import Iterable
from typing import Final

from melleafy_tui.core.lint.secrets import EMITTED_TEXTS, LARGEST, LITERAL_ENDINGS, in_literals, secrets_of
from melleafy_tui.core.models.file_set import CARRIED_FOLDERS, EmittedFile, FileSet

LATE_MASK: Final = "REDACTED"
"""One plain word: it can't break a string, a YAML value or a table, and the detector takes it for a mask."""

MOST_ROUNDS: Final = 3
_SHORTEST: Final = 4


def late_masks_note(paths: Iterable[str]) -> str:
    """Return the sentence that tells a user in which files words were masked after rendering."""
    return f"{LATE_MASK} stands for words that read as a secret in the package: {', '.join(paths)}"


def without_late_secrets(files: FileSet, released: frozenset[str]) -> FileSet:
    """Return the files with each secret masked that the lint would find, in every file that repeats it.

    Args:
        files: The package as it was rendered.
        released: Digests of the values that the user released; they stay.
    """
    values = {
        found.value
        for file in files.files
        if not file.static and len(file.data) <= LARGEST and not file.path.endswith(EMITTED_TEXTS)
        for found in secrets_of(file)
        if not found.is_released(released) and len(found.value) >= _SHORTEST
    }
    if not values:
        return files
    forms = sorted({form for value in values for form in _forms(value)}, key=len, reverse=True)
    return FileSet(tuple(_masked(file, forms) for file in files.files), files.package_name)


def _forms(value: str) -> Iterable[str]:
    """Yield a value as text, JSON and Python write it, and as JSON repeats a file that holds one of these."""
    for form in (
        value,
        json.dumps(value)[1:-1],
        json.dumps(value, ensure_ascii=False)[1:-1],
        repr(value)[1:-1],
    ):
        yield from (form, json.dumps(form)[1:-1], json.dumps(form, ensure_ascii=False)[1:-1])


def _masked(file: EmittedFile, forms: list[str]) -> EmittedFile:
    carried = file.path.partition("/")[2].startswith(CARRIED_FOLDERS)
    if file.static or carried or b"\0" in file.data:
        return file
    text = file.data.decode("utf-8", "replace")
    if file.path.endswith(LITERAL_ENDINGS):
        masked = in_literals(text, lambda part: _replaced(part, forms), code=not file.path.endswith(".json"))
    else:
        masked = _replaced(text, forms)
    if masked == text:
        return file
    return EmittedFile(file.path, masked.encode(), file.provenance)


def _replaced(text: str, forms: list[str]) -> str:
    for form in forms:
        text = text.replace(form, LATE_MASK)
    return text
