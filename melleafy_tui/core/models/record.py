"""Records that the program works with and that JSON documents contain as well."""

from collections.abc import Callable
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Final, get_type_hints

from msgspec import NODEFAULT, Struct, structs

if TYPE_CHECKING:  # the schema is only built for documents
    from pydantic import GetCoreSchemaHandler

_BEGUN: Final[ContextVar[frozenset[str]]] = ContextVar("begun", default=frozenset())
"""The records whose schema is being built: a record that contains its own kind only refers to it."""


class Record(Struct, frozen=True):
    """A Struct that pydantic models can contain: pydantic reads, writes and describes it like a dataclass.

    Models are built several times slower, and a conversion makes thousands of these.
    """

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: object, handler: "GetCoreSchemaHandler") -> Any:
        """Return the pydantic schema for such records in a document, as the dictionary that pydantic's core takes."""
        ref = f"{cls.__module__}.{cls.__qualname__}"
        if ref in _BEGUN.get():
            return {"type": "definition-ref", "schema_ref": ref}
        hints = get_type_hints(cls)
        members = {}
        begun = _BEGUN.set(_BEGUN.get() | {ref})
        try:
            schemas = {name: handler.generate_schema(hints[name]) for name in cls.__struct_fields__}
        finally:
            _BEGUN.reset(begun)
        for field in structs.fields(cls):
            schema: Any = schemas[field.name]
            if field.default is not NODEFAULT:
                schema = {"type": "default", "schema": schema, "default": field.default}
            elif field.default_factory is dict:  # shown in a schema, as what makes a default isn't
                schema = {"type": "default", "schema": schema, "default": {}}
            elif field.default_factory is not NODEFAULT:
                schema = {"type": "default", "schema": schema, "default_factory": field.default_factory}
            members[field.name] = {"type": "typed-dict-field", "schema": schema, "required": field.required}

        def read_back(value: object, read: Callable[[object], dict[str, Any]]) -> Record:
            return value if isinstance(value, cls) else cls(**read(value))

        def write_out(record: Record, write: Callable[[object], object]) -> object:
            return write(structs.asdict(record))

        unknown = "forbid" if cls.__struct_config__.forbid_unknown_fields else "ignore"
        return {
            "type": "function-wrap",
            "function": {"type": "no-info", "function": read_back},
            "schema": {"type": "typed-dict", "fields": members, "cls": cls, "extra_behavior": unknown},
            "ref": ref,
            "serialization": {"type": "function-wrap", "function": write_out},
        }
