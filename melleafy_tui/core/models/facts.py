"""Typed facts: what a dialect knows about an element beyond its words, one record a kind.

A dialect attaches facts, the core and the generators read them by their type. `inventory.json` shows all of an
element's facts as one flat object, whose keys are the fields' names. A dialect may define kinds of its own for what
only it or a reader of that file looks at.
"""

from collections.abc import Callable, Iterator
from typing import Any, ClassVar, Final, TypeVar

import msgspec
from msgspec import Struct, field, structs
from pydantic_core import CoreSchema, SchemaSerializer, core_schema

FactT = TypeVar("FactT", bound="Fact")


class Fact(Struct, frozen=True, omit_defaults=True):
    """One kind of fact; every field has a default, so that an absent fact reads like an empty one."""

    recorded: ClassVar[bool] = True
    """Whether `inventory.json` shows it."""


class NamedFact(Fact, frozen=True):
    """A name that something in the package can be called by, where it isn't a labelled field."""

    name: str = ""


class ToolFact(NamedFact, frozen=True):
    """What a tool is called by and reaches.

    Attributes:
        urls: Every address in the text.
        url: The address that is called.
        method: The HTTP method of the call.
        command: The command line as the source writes it.
        script: Path of a script of the workspace.
        grant: The source runtime's own name for the tool, which its permission rules use.
        server: The MCP server that this element declares.
        description: What a skill says it is for.
        skill: It's a skill, a spec of its own.
        subtype: narrative, concrete_http, concrete_script, abstract, or skill.
        patterns: What bounds the use of the tool.
        domains: Hosts that the tool may fetch any address of.
        mcp_server: The MCP server that the tool belongs to.
        source_script: A script that can't be called as it stands.
    """

    urls: tuple[str, ...] = ()
    url: str = ""
    method: str = ""
    command: str = ""
    script: str = ""
    grant: str = ""
    server: str = ""
    description: str | None = None
    skill: bool = False
    subtype: str = ""
    patterns: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()
    mcp_server: str = ""
    source_script: str = ""


class ScheduleFact(Fact, frozen=True):
    """When something is done: the source's words, and what was understood of them.

    `task` is what a run of the schedule is to do, where the element's text says more than that.
    """

    cadence: str = ""
    seconds: int | None = None
    cron: str = ""
    task: str = ""


class HookFact(NamedFact, frozen=True):
    """An event of the host: which events, what they're filtered by, and the handler that was noted and not read."""

    enabled: bool | None = None
    events: tuple[str, ...] = ()
    matcher: str | None = None
    handler: str = ""


class PermissionFact(Fact, frozen=True):
    """A permission rule about tool calls: `denies` forbids them, `asks` wants them confirmed first."""

    denies: str = ""
    asks: str = ""


class ArgumentFact(Fact, frozen=True):
    """An argument that a caller gives: `type` is `str`, `int` or `bool`; `argument` and `name` are the same."""

    argument: str = ""
    name: str = ""
    type: str = ""
    choices: tuple[str, ...] = ()


class SecretFact(Fact, frozen=True):
    """A credential, or a text that holds one.

    Attributes:
        secret: The element's own lines hold a secret, so only its masked statement may leave.
        variable: The environment variable that the package reads it from.
        secret_env: The variable that replaces the first value in masked text.
        secret_envs: The variables of all values, where there are several.
    """

    secret: bool = False
    variable: str = ""
    secret_env: str = ""
    secret_envs: tuple[str, ...] = ()


class PhaseFact(Fact, frozen=True):
    """The phase of a workflow that a step belongs to, in the source's words."""

    phase: str = ""


class SchemaFact(Fact, frozen=True, omit_defaults=False):
    """Fields that the source declares for a result: columns of names, types in words, and descriptions."""

    title: str = field(default="", name="schema")
    field_names: tuple[str, ...] = ()
    field_types: tuple[str, ...] = ()
    field_words: tuple[str, ...] = ()

    @property
    def rows(self) -> Iterator[tuple[str, str, str]]:
        """Return name, type in words and description of each field."""
        return zip(self.field_names, self.field_types, self.field_words, strict=True)


class InliningFact(Fact, frozen=True):
    """Text of another file that stands where the element refers to it."""

    inlined_file: str = ""
    inlined_lines: str = ""
    inlined_text: str = ""


class MemoryPageFact(Fact, frozen=True):
    """A page of a structured memory: its folder, how many claims it makes, the pages that it links to."""

    folder: str = ""
    claims: int = 0
    wikilinks: tuple[str, ...] = ()
    frontmatter_keys: tuple[str, ...] = ()


class JudgmentFact(Fact, frozen=True):
    """A choice between two readings that the dialect made for an element; the report lists it as a judgment call."""

    recorded: ClassVar[bool] = False

    question: str = ""
    chosen: str = ""
    reason: str = ""


class DetailsFact(Fact, frozen=True):
    """Details under names of the source's own, for readers of `inventory.json`; no code looks at them."""

    details: dict[str, Any] = field(default_factory=dict)


class Facts:
    """The facts of one element, at most one of a kind.

    Args:
        facts: The facts; a later one replaces an earlier one of its kind.
    """

    __slots__ = ("_by_kind",)

    __pydantic_serializer__: ClassVar[SchemaSerializer]
    """What every writer of JSON asks for, those of records that know no pydantic model included."""

    def __init__(self, *facts: Fact) -> None:
        self._by_kind: dict[type[Fact], Fact] = {type(fact): fact for fact in facts}

    def __getitem__(self, kind: type[FactT]) -> FactT:
        """Return the fact of a kind, an empty one where there is none."""
        found = self._by_kind.get(kind)
        return found if isinstance(found, kind) else kind()

    def __iter__(self) -> Iterator[Fact]:
        return iter(self._by_kind.values())

    def __len__(self) -> int:
        return len(self._by_kind)

    def __contains__(self, kind: type[Fact]) -> bool:
        return kind in self._by_kind

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Facts) and self._by_kind == other._by_kind

    def __hash__(self) -> int:
        return hash(tuple(self._by_kind))

    def __repr__(self) -> str:
        return f"Facts({', '.join(map(repr, self))})"

    def __or__(self, other: "Facts") -> "Facts":
        """Return these facts with those of another element; where both say something, the other one holds."""
        return self.adding(
            *(
                structs.replace(self._by_kind[type(fact)], **_given(fact))
                if type(fact) in self._by_kind
                else fact
                for fact in other
            )
        )

    @property
    def name(self) -> str:
        """Return the name that one of the facts gives, or `""`."""
        names = [fact.name for fact in self if isinstance(fact, NamedFact | ArgumentFact) and fact.name]
        return names[-1] if names else ""

    def adding(self, *facts: Fact) -> "Facts":
        """Return the facts with others, each in place of one of its kind."""
        return Facts(*self, *facts)

    def without(self, kind: type[Fact]) -> "Facts":
        """Return the facts without one kind."""
        return Facts(*(fact for fact in self if type(fact) is not kind))

    def with_text(self, change: Callable[[str], str]) -> "Facts":
        """Return the facts with every text in them changed, for example masked."""
        return Facts(
            *(
                structs.replace(
                    fact, **{name: _changed(value, change) for name, value in structs.asdict(fact).items()}
                )
                for fact in self
            )
        )

    def as_json(self) -> dict[str, object]:
        """Return all facts as one flat object, as `inventory.json` shows them."""
        shown: dict[str, object] = {}
        for fact in self:
            if isinstance(fact, DetailsFact):
                shown |= fact.details
            elif fact.recorded:
                shown |= msgspec.to_builtins(fact)
        return shown

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: object, _handler: object) -> CoreSchema:
        """Return how a document holds facts."""
        return _FLAT


def _given(fact: Fact) -> dict[str, object]:
    """Return the fields of a fact that say something."""
    empty = type(fact)()
    return {name: value for name, value in structs.asdict(fact).items() if value != getattr(empty, name)}


def _changed(value: object, change: Callable[[str], str]) -> object:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, tuple | list):
        return type(value)(_changed(part, change) for part in value)
    if isinstance(value, dict):
        return {name: _changed(part, change) for name, part in value.items()}
    return value


def _read_back(members: dict[str, object]) -> Facts:
    """Return facts from a document, which doesn't say of which kind they were."""
    return Facts(DetailsFact(members)) if members else Facts()


_SCALARS: Final = (
    core_schema.str_schema(),
    core_schema.int_schema(),
    core_schema.float_schema(),
    core_schema.bool_schema(),
    core_schema.list_schema(core_schema.str_schema()),
    core_schema.none_schema(),
)
_FLAT: Final = core_schema.no_info_after_validator_function(
    _read_back,
    core_schema.dict_schema(core_schema.str_schema(), core_schema.union_schema([*_SCALARS])),
    serialization=core_schema.plain_serializer_function_ser_schema(Facts.as_json),
)
Facts.__pydantic_serializer__ = SchemaSerializer(_FLAT)
