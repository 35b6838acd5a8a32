"""The texts that a run of the emitted pipeline brings together, and how each is fetched, as code.

One row of the disposition matrix decides for each text (spec/package.md 4): a constant, a parameter, a function of
the host, a file of the package, or working code.
"""

from collections.abc import Iterable
from functools import cached_property
from typing import Final

from msgspec import Struct

from melleafy_tui.core.models.committed import CommittedPlan, PlannedElement
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind
from melleafy_tui.generators.config import METADATA, NAME, ROLE
from melleafy_tui.generators.layout import Expression, Raw, call
from melleafy_tui.generators.literals import string_literal
from melleafy_tui.generators.parameters import Parameter, pipeline_parameters
from melleafy_tui.generators.persona import PERSONA_SYMBOL, identity_fields
from melleafy_tui.generators.shape import (
    CONTEXT_HOOK,
    FACTS,
    RECALL,
    SLOT_DISPOSITIONS,
    STATE_HOOK,
    UPDATE,
    Function,
    functions,
    numbered,
    of_kind,
)

SLOTS_MODULE: Final = "constrained_slots"
LOADER_MODULE: Final = "loader"
TOOLS_MODULE: Final = "tools"
MOCKS_MODULE: Final = "mock_tools"

_EMPTY: Final = '""'
GIVEN: Final = "_given"
CONSULT: Final = "_consult"
ATTEMPT: Final = "_attempt"

_ELSEWHERE: Final = (
    Disposition.DELEGATE_TO_RUNTIME,
    Disposition.EXTERNAL_INPUT,
    Disposition.LOAD_FROM_DISK,
)
"""Dispositions by which an identity's text is fetched at run time."""


class Source(Struct, frozen=True):
    """A text that a run brings together: a constant of config.py, or a helper called with arguments.

    `helper` is `_given` (parameter and default), `_consult` (a function of the host), `_attempt` (work on files), or
    `""` where the first argument is the text itself or its `call`.
    """

    helper: str
    arguments: tuple[str, ...]

    @property
    def code(self) -> Expression:
        """Return the expression that yields the text."""
        if self.helper:
            return call(self.helper, *map(Raw, self.arguments))
        return Raw(self.arguments[0])

    @property
    def always_there(self) -> bool:
        """Return whether the text cannot be empty."""
        return self.helper in ("", GIVEN) and self.arguments[-1] != _EMPTY


class PipelineTexts:
    """The texts of one package's pipeline.

    Args:
        committed: The committed plan.
    """

    def __init__(self, committed: CommittedPlan) -> None:
        self._committed = committed
        self._parameters: dict[str, Parameter] = {
            parameter.name: parameter for parameter in pipeline_parameters(committed)
        }

    @cached_property
    def sources(self) -> tuple[Source, ...]:
        """Return every source of text of a run."""
        return (
            *self.persona,
            *(source for _, source in self.identity),
            *self.facts,
            *self.state,
            *self.memory,
        )

    @property
    def several(self) -> bool:
        """Return whether one of the texts is joined from more than one source."""
        return any(len(group) > 1 for group in (self.persona, self.facts, self.state, self.memory))

    @cached_property
    def persona(self) -> tuple[Source, ...]:
        """Return the sources of the persona text, the bundled one first."""
        others = [
            item
            for item in of_kind(self._committed, EntryKind.IDENTITY, *_ELSEWHERE)
            if item.mapping.target_symbol == PERSONA_SYMBOL
        ]
        return (Source("", ("config.PREFIX_TEXT",)), *(self._identity_source(item) for item in others))

    @cached_property
    def identity(self) -> tuple[tuple[str, Source], ...]:
        """Return name, role and other fields, each with its label as code; an empty label spreads a dict."""
        fields = identity_fields(self._committed)
        symbols = [item.mapping.target_symbol for item in fields]
        found: list[tuple[str, Source]] = []
        if NAME in symbols:
            found.append((string_literal("name"), Source("", (f"config.{NAME}",))))
        if ROLE in symbols:
            found.append((string_literal("role"), Source("", (f"config.{ROLE}",))))
        if any(symbol not in (NAME, ROLE) for symbol in symbols):
            found.append(("", Source("", (f"config.{METADATA}",))))
        elsewhere = [
            item
            for item in of_kind(self._committed, EntryKind.IDENTITY, *_ELSEWHERE)
            if item.mapping.target_symbol != PERSONA_SYMBOL
        ]
        labels = numbered(item.element.label or item.entry.symbol for item in elsewhere)
        found += [
            (string_literal(label), self._identity_source(item))
            for label, item in zip(labels, elsewhere, strict=True)
        ]
        return tuple(found)

    @cached_property
    def facts(self) -> tuple[Source, ...]:
        """Return the sources of what is known about the user."""
        found: list[Source] = []
        if of_kind(self._committed, FACTS, Disposition.BUNDLE):
            found.append(Source("", ("config.USER_CONTEXT",)))
        if "user_context" in self._parameters:
            found.append(Source(GIVEN, ("user_context", "config.DEFAULT_USER_CONTEXT")))
        found += self._fetched(FACTS, ())
        return tuple(found)

    @cached_property
    def state(self) -> tuple[Source, ...]:
        """Return the sources of the agent's short-term notes."""
        found = [Source(GIVEN, ("working_state", _EMPTY))] if "working_state" in self._parameters else []
        return (*found, *self._fetched((EntryKind.STATE,), ()))

    @cached_property
    def memory(self) -> tuple[Source, ...]:
        """Return the sources of what is remembered about the request."""
        found = [Source(GIVEN, ("memory_context", _EMPTY))] if "memory_context" in self._parameters else []
        return (*found, *self._fetched((EntryKind.MEMORY,), ("request",)))

    @cached_property
    def saves_state(self) -> bool:
        """Return whether a run ends with a note in the state file."""
        return bool(functions(self._committed, EntryKind.STATE, Disposition.REAL_IMPL))

    @cached_property
    def updates_memory(self) -> str:
        """Return the function that is told what a run came to, as code, or `""`."""
        for found in functions(self._committed, EntryKind.MEMORY, *SLOT_DISPOSITIONS):
            if found.symbol == UPDATE:
                return f"{SLOTS_MODULE}.{UPDATE}"
        return ""

    @cached_property
    def guidance(self) -> bool:
        """Return whether config.py has text about tools."""
        return bool(of_kind(self._committed, EntryKind.TOOL_NARRATIVE, Disposition.BUNDLE))

    def _identity_source(self, item: PlannedElement) -> Source:
        for found in functions(self._committed, EntryKind.IDENTITY, item.entry.disposition):
            if item in found.items:
                return self._source(found, ())
        raise AssertionError("an identity element without a function")

    def _fetched(self, kinds: Iterable[EntryKind], given: tuple[str, ...]) -> list[Source]:
        kinds = tuple(kinds)
        wanted: tuple[Disposition, ...] = (
            *SLOT_DISPOSITIONS,
            Disposition.REAL_IMPL,
            Disposition.MOCK,
            Disposition.LOAD_FROM_DISK,
        )
        if EntryKind.MEMORY in kinds:
            wanted = (*wanted, Disposition.BUNDLE)
        found: dict[tuple[str, ...], Source] = {}
        for disposition in wanted:
            for function in functions(self._committed, kinds, disposition):
                if disposition in SLOT_DISPOSITIONS and function.symbol not in (
                    RECALL,
                    STATE_HOOK,
                    CONTEXT_HOOK,
                ):
                    continue
                source = self._source(function, given)
                found.setdefault(source.arguments, source)
        return list(found.values())

    def _source(self, function: Function, given: tuple[str, ...]) -> Source:
        """Return how the text behind a function of the package is fetched."""
        symbol = function.symbol
        match function.disposition:
            case Disposition.STUB | Disposition.DELEGATE_TO_RUNTIME:
                return Source(CONSULT, ("notes", f"{SLOTS_MODULE}.{symbol}", *given))
            case Disposition.MOCK:
                return Source(CONSULT, ("notes", f"{MOCKS_MODULE}.{symbol}", *given))
            case Disposition.REAL_IMPL:
                return Source(ATTEMPT, ("notes", f"{TOOLS_MODULE}.{symbol}", *given))
            case Disposition.EXTERNAL_INPUT:
                return Source(GIVEN, (symbol, f"config.{self._parameters[symbol].default_constant}"))
            case Disposition.LOAD_FROM_DISK if function.kind is EntryKind.MEMORY:
                return Source(ATTEMPT, ("notes", f"{LOADER_MODULE}.{symbol}", "memory_path"))
            case _:
                return Source(ATTEMPT, ("notes", f"{LOADER_MODULE}.{symbol}"))
