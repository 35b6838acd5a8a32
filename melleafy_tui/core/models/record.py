"""Records that the program works with and that JSON documents contain as well."""

from contextvars import ContextVar
from typing import TYPE_CHECKING, Final, get_type_hints

from msgspec import NODEFAULT, Struct, structs

if TYPE_CHECKING:  # the schema is only built for documents
    from pydantic import GetCoreSchemaHandler
    from pydantic_core import CoreSchema

_BEGUN: Final[ContextVar[frozenset[str]]] = ContextVar("begun", default=frozenset())
"""The records whose schema is being built: a record that contains its own kind only refers to it."""


class Record(Struct, frozen=True):
    """A Struct that pydantic models can contain: pydantic reads, writes and describes it like a dataclass.

    Models are built several times slower, and a conversion makes thousands of these.
    """

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: object, handler: "GetCoreSchemaHandler") -> "CoreSchema":
        """Return the pydantic schema for such records in a document."""
        from pydantic_core import core_schema

        ref = f"{cls.__module__}.{cls.__qualname__}"
        if ref in _BEGUN.get():
            return core_schema.definition_reference_schema(ref)
        hints = get_type_hints(cls)
        members = {}
        begun = _BEGUN.set(_BEGUN.get() | {ref})
        try:
            schemas = {name: handler.generate_schema(hints[name]) for name in cls.__struct_fields__}
        finally:
            _BEGUN.reset(begun)
        for field in structs.fields(cls):
            schema = schemas[field.name]
            if field.default is not NODEFAULT:
                schema = core_schema.with_default_schema(schema, default=field.default)
            elif (
                field.default_factory is dict
            ):  # shown in a schema, as what makes a default is not; pydantic copies it
                schema = core_schema.with_default_schema(schema, default={})
            elif field.default_factory is not NODEFAULT:
                schema = core_schema.with_default_schema(schema, default_factory=field.default_factory)
            members[field.name] = core_schema.typed_dict_field(schema, required=field.required)
        return core_schema.no_info_wrap_validator_function(
            lambda value, read: value if isinstance(value, cls) else cls(**read(value)),
            core_schema.typed_dict_schema(
                members,
                cls=cls,
                extra_behavior="forbid" if cls.__struct_config__.forbid_unknown_fields else "ignore",
            ),
            ref=ref,
            serialization=core_schema.wrap_serializer_function_ser_schema(
                lambda record, write: write(structs.asdict(record))
            ),
        )
