"""Records that the program works with and that JSON documents contain as they are."""

from typing import Any

from msgspec import Struct

from melleafy_tui.core.models.facts import DetailsFact, Facts


class Record(Struct, frozen=True):
    """A record that documents show, field by field."""


def shown_in_documents(value: object) -> object:
    """Return what stands in a document for a value that is no record.

    Raises:
        TypeError: a document can't show it.
    """
    if isinstance(value, Facts):
        return value.as_json()
    raise TypeError(f"{type(value).__name__} can't be written as JSON")


def read_from_document(kind: type, value: Any) -> object:
    """Return a value that is no record from what stands in a document, which doesn't say the kinds of facts."""
    if kind is not Facts:
        return value
    return Facts(DetailsFact(value)) if value else Facts()
