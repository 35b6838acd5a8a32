"""Reads a package's JSON artifacts for the lints, the large ones row by row.

Rows of large artifacts are decoded on demand, one list at a time, and only the fields that a lint reads: the whole
trees would take more memory than the package.
"""

import json
from codecs import getincrementaldecoder
from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.json import Decoder
from msgspec.structs import asdict

from melleafy_tui.core.source.json5 import read_json

JsonObject = Mapping[str, object]

_CHUNK: Final = 1 << 18
"""Bytes decoded at a time to check the encoding."""


class _File(Struct, frozen=True):
    path: object = UNSET
    line_count: object = UNSET


class _Inventory(Struct, frozen=True):
    files: list[_File] | UnsetType = UNSET
    elements: list[msgspec.Raw] | UnsetType = UNSET
    released_secrets: object = UNSET


class _Element(Struct, frozen=True):
    element_id: object = UNSET
    source_file: object = UNSET
    source_lines: object = UNSET
    category: object = UNSET


class _ElementTexts(Struct, frozen=True):
    content_summary: object = UNSET
    content_full: object = UNSET
    statement: object = UNSET
    section: object = UNSET
    context: object = UNSET
    label: object = UNSET
    value: object = UNSET


class _ElementMapping(Struct, frozen=True):
    mappings: list[msgspec.Raw] | UnsetType = UNSET


class _MappingEntry(Struct, frozen=True):
    mapping_id: object = UNSET
    element_id: object = UNSET
    target_file: object = UNSET
    target_symbol: object = UNSET
    primitive: object = UNSET


class _DependencyPlan(Struct, frozen=True):
    entries: list[msgspec.Raw] | UnsetType = UNSET


class _PlanEntry(Struct, frozen=True):
    entry_id: object = UNSET
    category: object = UNSET
    disposition: object = UNSET
    source_of_decision: object = UNSET
    source_elements: object = UNSET
    target: object = UNSET


_LARGE: Final[Mapping[str, object]] = {
    "intermediate/inventory.json": _Inventory,
    "intermediate/element_mapping.json": _ElementMapping,
    "intermediate/dependency_plan.json": _DependencyPlan,
}
"""Decoders of the artifacts that have a row for each element, by artifact name."""

ELEMENT: Final = Decoder(_Element)
ELEMENT_TEXTS: Final = Decoder(_ElementTexts)
_ROWS: Final[Mapping[str, Decoder[Any]]] = {
    "elements": ELEMENT,
    "mappings": Decoder(_MappingEntry),
    "entries": Decoder(_PlanEntry),
}
"""Decoders of the row fields that lints read, by the key of the list."""


def read_artifact(name: str, data: bytes) -> object:
    """Return the decoded artifact; the rows of a large one stay undecoded.

    Args:
        name: The artifact, relative to the package.
        data: Its JSON.

    Raises:
        ValueError: The data is not valid JSON.
        RecursionError: The JSON is nested too deeply.
    """
    return _declared(read_json(data, _LARGE.get(name, Any)))


def read_row(row: object, fields: Decoder[Any]) -> JsonObject | None:
    """Return a row of an artifact as an object, or None if it is not an object.

    Args:
        row: The row, decoded or not.
        fields: Decodes the fields that lints read.
    """
    read = _declared(row)
    if isinstance(row, msgspec.Raw):
        try:
            read = _declared(fields.decode(row))
        except (msgspec.DecodeError, UnicodeDecodeError):
            read = json.loads(bytes(row).decode("utf-8", "replace"))  # `check_json` reports other encodings
    return read if isinstance(read, dict) else None


def _declared(read: object) -> object:
    """Return a record as an object of those fields that the JSON has, another value as it is."""
    if not isinstance(read, Struct):
        return read
    return {name: value for name, value in asdict(read).items() if value is not UNSET}


def rows_of(artifact: JsonObject, key: str) -> Iterator[JsonObject] | None:
    """Return an iterator over the objects in a list of an artifact, or None if there is no such list."""
    found = artifact.get(key)
    if not isinstance(found, list):
        return None
    fields = _ROWS.get(key, ELEMENT)
    return (row for unread in found if (row := read_row(unread, fields)) is not None)


def text_of(row: JsonObject, key: str) -> str:
    """Return a text field of a JSON object, or `""` if there is none."""
    found = row.get(key)
    return found if isinstance(found, str) else ""


def check_json(data: bytes) -> None:
    """Check that bytes are valid JSON without building the values.

    Raises:
        ValueError: The bytes are not valid JSON.
        RecursionError: The JSON is nested too deeply.
    """
    try:
        msgspec.json.decode(data, type=msgspec.Raw)
        decoder = getincrementaldecoder("utf-8")()
        for start in range(0, len(data), _CHUNK):
            decoder.decode(data[start : start + _CHUNK])
        decoder.decode(b"", final=True)
    except (msgspec.DecodeError, UnicodeDecodeError):  # Python accepts more JSON; its errors have a position
        json.loads(data)
