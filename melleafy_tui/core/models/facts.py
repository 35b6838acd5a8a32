"""Typed facts: what a dialect knows about an element beyond its text, one record type for each kind.

Dialects attach facts; the core and the generators look them up by type. `inventory.json` shows all facts of an
element as one flat object keyed by field name. A dialect can define its own kinds for facts that only it or readers
of that file use.
"""

from collections.abc import Iterator
from functools import cache
from typing import Any, ClassVar, TypeVar

import msgspec
from msgspec import Struct, field, structs

FactT = TypeVar("FactT", bound="Fact")


class Fact(Struct, frozen=True, omit_defaults=True):
    """Base class of all facts; every field has a default, so a missing fact reads like an empty one."""

    recorded: ClassVar[bool] = True
    """Whether `inventory.json` includes facts of this kind."""


class NamedFact(Fact, frozen=True):
    """A fact with a name that generated code can use, for elements that aren't labelled fields."""

    name: str = ""


class ToolFact(NamedFact, frozen=True):
    """How a tool is called and what it can reach.

    Attributes:
        urls: Every address in the text.
        url: The address the tool calls.
        method: The HTTP method of the call.
        command: The command line as the source writes it.
        script: Path of a script in the workspace.
        program: A program of the machine that the command calls.
        grant: The source runtime's own name for the tool, which its permission rules use.
        server: The MCP server that this element declares.
        document: Path of the text that the tool returns: a skill of the workspace.
        agent: The folder with the workspace of the agent that is asked.
        description: What a skill says it is for.
        skill: The tool is a skill with its own spec.
        subtype: narrative, concrete_http, concrete_script, abstract, agent, or skill.
        patterns: Patterns that restrict the tool's use.
        domains: Hosts from which the tool may fetch any address.
        mcp_server: The MCP server that provides the tool.
        source_script: A script that can't be called without changes.
        missing: Why its script can't run: a module that nothing provides.
        denied: Why the source itself forbids the tool, with the line that does.
        is_bound: The grant says what its skill may call; the rest asks first.
        asks: The ids of the elements for which each call asks first.
        query: Names of the query that a call may leave out.
        calls: Further command lines by which the source calls the script or the program.
        parameters: What the user made of a parameter of the script, by its name there (`Argument.words`).
    """

    urls: tuple[str, ...] = ()
    url: str = ""
    method: str = ""
    command: str = ""
    script: str = ""
    program: str = ""
    grant: str = ""
    server: str = ""
    document: str = ""
    agent: str = ""
    description: str | None = None
    skill: bool = False
    subtype: str = ""
    patterns: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()
    mcp_server: str = ""
    source_script: str = ""
    missing: str = ""
    denied: str = ""
    is_bound: bool = False
    asks: tuple[str, ...] = ()
    query: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()
    parameters: tuple[tuple[str, str], ...] = ()


class ScriptSendsFact(Fact, frozen=True):
    """What a tool's script could send where it doesn't belong: variable and host, and why it is asked about."""

    recorded: ClassVar[bool] = False

    variables: tuple[tuple[str, str, str], ...] = ()


class ScheduleFact(Fact, frozen=True):
    """When something runs: the source's wording, and what was read from it, as in `Schedule`.

    `kind` and `zone` are its type and time zone. `task` says what a scheduled run should do, if the element's text says
    more than that; `title` names a task that has a cadence of its own, `""` is the agent's own wake-up.
    """

    cadence: str = ""
    seconds: int | None = None
    cron: str = ""
    task: str = ""
    kind: str = ""
    times: tuple[str, ...] = ()
    days: tuple[str, ...] = ()
    zone: str = ""
    active_hours: str = ""
    active_start: str = ""
    active_end: str = ""
    quiet_hours: str = ""
    title: str = ""


class HookFact(NamedFact, frozen=True):
    """A hook on host events: the events, their filter, and the handler, whose code isn't read."""

    enabled: bool | None = None
    events: tuple[str, ...] = ()
    matcher: str | None = None
    handler: str = ""


class PermissionFact(Fact, frozen=True):
    """A permission rule for tool calls: `denies` forbids them, `asks` requires confirmation first."""

    denies: str = ""
    asks: str = ""


class ActionFact(Fact, frozen=True):
    """What a rule says about actions that tools carry out.

    Attributes:
        effect: `confirm`, if the actions wait for the user's leave.
        actions: The kinds of action, as in `core/language/actions.py`: `message`, `delete`, `run`, …
    """

    effect: str = ""
    actions: tuple[str, ...] = ()


class ArgumentFact(Fact, frozen=True):
    """An argument the caller passes: `type` is `str`, `int` or `bool`; `argument` and `name` have the same value.

    `default` is the value that the source itself gives it.
    """

    argument: str = ""
    name: str = ""
    type: str = ""
    choices: tuple[str, ...] = ()
    default: str = ""


class SecretFact(Fact, frozen=True):
    """A credential.

    Attributes:
        secret: Its value was found in a text, and masked there.
        variable: The environment variable the package reads the credential from.
        is_read: Whether a tool reads the variable of a masked value; of the others nobody is asked.
        held_back: Why a tool's script isn't copied: the line with a secret in it.
    """

    secret: bool = False
    variable: str = ""
    is_read: bool = False
    held_back: str = ""


class StepFact(Fact, frozen=True):
    """The step of a procedure, or the persona, that has the element's words.

    Attributes:
        step: The step's identifier.
        persona: The persona's identifier.
        rank: The place of the words in a persona that isn't in source order.
    """

    step: str = ""
    persona: str = ""
    rank: int = 0


class SchemaFact(Fact, frozen=True, omit_defaults=False):
    """Fields the source declares for a result: parallel tuples of names, type descriptions, and descriptions."""

    title: str = field(default="", name="schema")
    field_names: tuple[str, ...] = ()
    field_types: tuple[str, ...] = ()
    field_words: tuple[str, ...] = ()

    @property
    def rows(self) -> Iterator[tuple[str, str, str]]:
        """Yield name, type description and description of each field."""
        return zip(self.field_names, self.field_types, self.field_words, strict=True)


class InliningFact(Fact, frozen=True):
    """Text of another file, inlined where the element refers to it."""

    inlined_file: str = ""
    inlined_lines: str = ""
    inlined_text: str = ""


class MemoryPageFact(Fact, frozen=True):
    """A page of a structured memory: folder, number of claims, the pages it links to, whether a text reads it."""

    folder: str = ""
    claims: int = 0
    wikilinks: tuple[str, ...] = ()
    frontmatter_keys: tuple[str, ...] = ()
    is_read: bool = False


class NotedFact(Fact, frozen=True):
    """A command or subagent that is listed and not converted: the file to name instead."""

    recorded: ClassVar[bool] = False

    file: str = ""


class JudgmentFact(Fact, frozen=True):
    """A choice the dialect made between two interpretations; the report lists it as a judgment call."""

    recorded: ClassVar[bool] = False

    question: str = ""
    chosen: str = ""
    reason: str = ""


class DetailsFact(Fact, frozen=True):
    """Details under the source's own names, for readers of `inventory.json`; no code reads them."""

    details: dict[str, Any] = field(default_factory=dict)


@cache
def _empty(kind: type[FactT]) -> FactT:
    return kind()


class Facts:
    """The facts of one element, at most one of each kind.

    Args:
        facts: The facts; a later one replaces an earlier one of the same kind.
    """

    __slots__ = ("_by_kind",)

    def __init__(self, *facts: Fact) -> None:
        self._by_kind: dict[type[Fact], Fact] = {type(fact): fact for fact in facts}

    def __getitem__(self, kind: type[FactT]) -> FactT:
        """Return the fact of a kind, or an empty one if there is none."""
        found = self._by_kind.get(kind)
        return found if isinstance(found, kind) else _empty(kind)

    def __iter__(self) -> Iterator[Fact]:
        return iter(self._by_kind.values())

    def __contains__(self, kind: type[Fact]) -> bool:
        return kind in self._by_kind

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Facts) and self._by_kind == other._by_kind

    def __hash__(self) -> int:
        return hash(tuple(self._by_kind))

    def __repr__(self) -> str:
        return f"Facts({', '.join(map(repr, self))})"

    def __or__(self, other: "Facts") -> "Facts":
        """Return these facts merged with another element's; the other element's values win."""
        return self.adding(*(structs.replace(self[type(fact)], **_given(fact)) for fact in other))

    @property
    def name(self) -> str:
        """Return the name from the first fact that has one, or `""`."""
        names = [fact.name for fact in self if isinstance(fact, NamedFact | ArgumentFact) and fact.name]
        return "".join(names[-1:])

    def adding(self, *facts: Fact) -> "Facts":
        """Return a copy with these facts added; each replaces the existing one of its kind."""
        return Facts(*self, *facts)

    def as_json(self) -> dict[str, object]:
        """Return all facts as one flat object, as `inventory.json` shows them."""
        shown: dict[str, object] = {}
        for fact in self:
            if isinstance(fact, DetailsFact):
                shown |= fact.details
            elif fact.recorded:
                shown |= msgspec.to_builtins(fact)
        return shown


def _given(fact: Fact) -> dict[str, object]:
    """Return the fields of a fact that aren't empty."""
    empty = type(fact)()
    return {name: value for name, value in structs.asdict(fact).items() if value != getattr(empty, name)}
