"""Determines what the emitted pipeline consists of: texts, tools and rules."""

from collections.abc import Iterable
from functools import cached_property
from typing import Final

from msgspec import Struct

from melleafy_tui.core.models.committed import PlannedElement
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind, Modality, PersonaChannel
from melleafy_tui.generators.assets import identity_file
from melleafy_tui.generators.config import (
    METADATA,
    NAME,
    ROLE,
    always_requested,
    identity_fields,
)
from melleafy_tui.generators.documents import GUIDANCE, USER, Documents
from melleafy_tui.generators.literals import string_literal
from melleafy_tui.generators.package_shape import (
    CHECKLIST,
    CONTEXT_HOOK,
    FACTS,
    PERSONA_SYMBOL,
    RECALL,
    SCHEDULED_REQUEST,
    SLOT_DISPOSITIONS,
    STATE_HOOK,
    TOOLS,
    USER_CONTEXT,
    Function,
    Parameter,
    call_arguments,
    confirms_calls,
    functions,
    has_requirements,
    is_heartbeat,
    is_scheduled,
    modalities,
    numbered,
    of_kind,
    pipeline_parameters,
    schemas,
    symbol_of,
)
from melleafy_tui.generators.requirements import rules_without_text, sorted_rules
from melleafy_tui.generators.schedule_rows import checklist_items, task_rows
from melleafy_tui.generators.tools import working_tools

CONFIG_MODULE: Final = "config"
SLOTS_MODULE: Final = "constrained_slots"
TOOLS_MODULE: Final = "tools"
MOCKS_MODULE: Final = "mock_tools"
HOOK_ERROR: Final = "Exception"
FILE_ERROR: Final = "OSError"
"""What may end a function of the host, and a function that reads files, without ending the run."""

_ELSEWHERE: Final = (
    Disposition.DELEGATE_TO_RUNTIME,
    Disposition.EXTERNAL_INPUT,
    Disposition.LOAD_FROM_DISK,
)
"""Dispositions with which an identity's text is fetched at run time."""


class Source(Struct, frozen=True):
    """A source of text in a run, as an expression.

    `catch` is the error that becomes a note if the text is fetched, or `""`; `otherwise` takes the place of an empty
    text; `hook` says that the code is a function of constrained_slots.py.
    """

    code: str
    given: tuple[str, ...] = ()
    catch: str = ""
    otherwise: str = ""
    hook: bool = False


class PipelineTexts:
    """The texts of a package's pipeline.

    Args:
        documents: The texts of the package.
    """

    def __init__(self, documents: Documents) -> None:
        self._committed = committed = documents.committed
        self._documents = documents
        self._parameters: dict[str, Parameter] = {
            parameter.name: parameter for parameter in pipeline_parameters(committed)
        }

    @cached_property
    def sources(self) -> tuple[Source, ...]:
        """Return all sources of text of a run."""
        return (
            *self.persona,
            *(source for _, source in self.identity),
            *self.facts,
            *self.state,
            *self.memory,
        )

    @cached_property
    def persona(self) -> tuple[Source, ...]:
        """Return the sources of the persona text, the bundled one first."""
        others = [
            item
            for item in of_kind(self._committed, EntryKind.IDENTITY, *_ELSEWHERE)
            if item.mapping.target_symbol == PERSONA_SYMBOL
        ]
        return (Source("config.PREFIX_TEXT"), *(self._identity_source(item) for item in others))

    @cached_property
    def identity(self) -> tuple[tuple[str, Source], ...]:
        """Return name, role and other fields, each with its label as code; an empty label unpacks a dict."""
        fields = identity_fields(self._committed)
        symbols = [item.mapping.target_symbol for item in fields]
        found: list[tuple[str, Source]] = []
        if NAME in symbols:
            found.append((string_literal("name"), Source(f"config.{NAME}")))
        if ROLE in symbols:
            found.append((string_literal("role"), Source(f"config.{ROLE}")))
        if len(symbols) > len(found):
            found.append(("", Source(f"config.{METADATA}")))
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
        """Return the sources of the facts about the user."""
        stable = bool(of_kind(self._committed, FACTS, Disposition.BUNDLE))
        given = self._parameters.get("user_context")
        whole = f"config.{USER_CONTEXT}"
        own = [Source(whole)] if self._documents.pieces(USER) else []
        if given is not None and not given.default:
            own.append(Source("user_context"))
        elif given is not None and not stable:
            own = [Source("user_context", otherwise=whole)]
        return (*own, *self._fetched(FACTS, ()))

    @cached_property
    def replaces_facts(self) -> bool:
        """Return whether what the caller may pass replaces some of the facts."""
        given = self._parameters.get("user_context")
        stable = bool(of_kind(self._committed, FACTS, Disposition.BUNDLE))
        return stable and given is not None and bool(given.default)

    @cached_property
    def state(self) -> tuple[Source, ...]:
        """Return the sources of the agent's short-term notes."""
        found = [Source("working_state", otherwise='""')] if "working_state" in self._parameters else []
        return (*found, *self._fetched((EntryKind.STATE,), ()))

    @cached_property
    def memory(self) -> tuple[Source, ...]:
        """Return the sources of the memory relevant to the request."""
        found = [Source("memory_context", otherwise='""')] if "memory_context" in self._parameters else []
        return (*found, *self._fetched((EntryKind.MEMORY,), ("request",)))

    @cached_property
    def saves_state(self) -> bool:
        """Return whether a run ends with a note in the state file."""
        return bool(functions(self._committed, EntryKind.STATE, Disposition.REAL_IMPL))

    @cached_property
    def guidance(self) -> bool:
        """Return whether config.py has text about tools."""
        return bool(self._documents.pieces(GUIDANCE))

    @property
    def zone(self) -> str:
        """Return the time zone of the user, or `""`."""
        return self._committed.classification.schedule.home_zone

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
        found: dict[str, Source] = {}
        for disposition in wanted:
            for function in functions(self._committed, kinds, disposition):
                if disposition in SLOT_DISPOSITIONS and function.symbol not in (
                    RECALL,
                    STATE_HOOK,
                    CONTEXT_HOOK,
                ):
                    continue
                source = self._source(function, given)
                found.setdefault(source.code, source)
        return list(found.values())

    def _source(self, function: Function, given: tuple[str, ...]) -> Source:
        """Return the source that fetches the text of a function of the package."""
        symbol = function.symbol
        match function.disposition:
            case Disposition.STUB | Disposition.DELEGATE_TO_RUNTIME:
                return Source(symbol, given, HOOK_ERROR, hook=True)
            case Disposition.BUNDLE if function.kind is EntryKind.MEMORY:
                return Source(symbol, given, FILE_ERROR, hook=True)
            case Disposition.MOCK:
                return Source(f"{MOCKS_MODULE}.{symbol}", given, HOOK_ERROR)
            case Disposition.REAL_IMPL:
                return Source(f"{TOOLS_MODULE}.{symbol}", given, FILE_ERROR)
            case Disposition.EXTERNAL_INPUT:
                default = self._parameters[symbol].default_constant
                return Source(symbol, otherwise=f"config.{default}")
            case Disposition.LOAD_FROM_DISK if function.kind is EntryKind.MEMORY:
                return Source(symbol, (*given, "memory_path"), FILE_ERROR, hook=True)
            case _ if function.kind is EntryKind.IDENTITY:
                return Source("read_text", (string_literal(identity_file(function)),))
            case _:
                return Source("read_facts()")


class PipelineParts:
    """The parts of a package's pipeline, as code.

    Args:
        documents: The texts of the package.

    Attributes:
        texts: The texts that a run knows.
        package_name: The name of the package.
        heartbeat: A run may be a heartbeat.
        scheduled: A schedule may run the agent with tasks from the source.
        wakes: A run without a message is a wake-up.
        event: An event may wake the agent.
        has_checklist: config.py has a checklist for wake-ups.
        tasks: A wake-up has tasks with a cadence of their own.
        always_asked: The constants of config.py with what every scheduled run is asked to do.
        system_persona: The persona is passed as the system prompt.
        schemas: The forms to fill after the reply.
        tools: tools.py lists tools that the model may call.
        passed_tools: The parameters that are tools, passed by the caller.
        offers: The model may call tools.
        replies_with_tools: The call of the reply offers the tools.
        confirms: Some calls are confirmed first.
        arguments: The parameters that come from arguments declared by the source.
        has_requirements: The package has rules for its replies.
        scoped_rules: Some rules apply in one scope only.
        persona_rules: Some rules stand in the persona or the facts.
        rule_stubs: Some rules need a validator written by the host.
        loaded_rules: Some rules are loaded from a file.
    """

    def __init__(self, documents: Documents) -> None:
        committed, rules = documents.committed, sorted_rules(documents.committed)
        arguments = {symbol_of(item) for item in call_arguments(committed)}
        external = functions(committed, TOOLS, Disposition.EXTERNAL_INPUT)
        self.texts: Final = PipelineTexts(documents)
        self.package_name: Final = committed.package_name
        self.heartbeat: Final = is_heartbeat(committed)
        self.scheduled: Final = is_scheduled(committed)
        self.wakes: Final = self.heartbeat or self.scheduled
        self.event: Final = Modality.EVENT_TRIGGERED in modalities(committed)
        self.has_checklist: Final = bool(checklist_items(committed))
        self.tasks: Final = self.wakes and bool(task_rows(committed))
        asked = ((SCHEDULED_REQUEST, always_requested(committed)), (CHECKLIST, self.has_checklist))
        self.always_asked: Final = tuple(symbol for symbol, found in asked if found)
        self.system_persona: Final = committed.settings.persona_channel is PersonaChannel.SYSTEM
        self.schemas: Final = schemas(committed)
        self.tools: Final = bool(working_tools(committed).callable)
        self.passed_tools: Final = tuple(sorted(function.symbol for function in external))
        self.offers: Final = self.tools or bool(external)
        self.replies_with_tools: Final = self.offers and not self.schemas  # a form calls no tools
        self.confirms: Final = confirms_calls(committed)
        self.arguments: Final = tuple(
            each for each in pipeline_parameters(committed) if each.name in arguments
        )
        self.has_requirements: Final = has_requirements(committed)
        self.scoped_rules: Final = bool(rules.scoped)
        self.persona_rules: Final = bool(rules_without_text(documents))
        self.rule_stubs: Final = bool(rules.stubs)
        self.loaded_rules: Final = bool(of_kind(committed, EntryKind.RULE, Disposition.LOAD_FROM_DISK))
