"""Writes the JSON document of a command member by member, so that the text of a large one never stands whole."""

import json
from collections.abc import Iterator
from typing import Final

from pydantic import BaseModel, TypeAdapter

_STRETCH: Final = 500
"""Items of a long list that are written at a time."""

_END_OF_LIST: Final = b"\n  ]"


def written(document: object) -> Iterator[bytes]:
    """Yield a document in pieces of ASCII; together they are what pydantic writes of the whole.

    Args:
        document: A model or a record.
    """
    if not isinstance(document, BaseModel):
        yield _json(document)
        return
    between = b"{"
    for name in type(document).model_fields:
        value = getattr(document, name)
        if isinstance(value, tuple) and len(value) > _STRETCH:
            yield between
            yield from _long_list(document, name, value)
        else:
            yield between + _member(document, name)
        between = b","
    yield b"\n}"


def _long_list(document: BaseModel, name: str, items: tuple[object, ...]) -> Iterator[bytes]:
    for start in range(0, len(items), _STRETCH):
        part = document.model_copy(update={name: items[start : start + _STRETCH]})
        member = _member(part, name)
        opening = member.index(b"[") + 1
        yield (b"," if start else member[:opening]) + member[opening : -len(_END_OF_LIST)]
    yield _END_OF_LIST


def _member(document: BaseModel, name: str) -> bytes:
    return _json(document, {name}).removeprefix(b"{").removesuffix(b"\n}")


def _json(document: object, members: set[str] | None = None) -> bytes:
    adapter = TypeAdapter(type(document))
    try:
        return adapter.dump_json(document, indent=2, by_alias=True, ensure_ascii=True, include=members)
    except ValueError:  # a lone surrogate, as in a file name that is no UTF-8; json has a form for it
        plain = adapter.dump_python(document, mode="json", by_alias=True, include=members)
        return json.dumps(plain, indent=2).encode("ascii")
