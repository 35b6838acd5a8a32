"""Determines what the emitted pipeline consists of: texts, steps, tools and rules."""

from collections.abc import Iterable
from functools import cached_property
from typing import Final

from msgspec import Struct

from melleafy_tui.core.models.committed import CommittedPlan, PlannedElement
from melleafy_tui.core.models.facts import PhaseFact
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind, Modality, PersonaChannel, Tag
from melleafy_tui.core.package.result_schemas import ReportSchema
from melleafy_tui.core.package.setup_sections import backend_from_environment
from melleafy_tui.generators.code_layout import Expression, Raw, call
from melleafy_tui.generators.config import (
    METADATA,
    NAME,
    PERSONA_SYMBOL,
    ROLE,
    checklist_items,
    identity_fields,
)
from melleafy_tui.generators.literals import string_literal
from melleafy_tui.generators.package_shape import (
    CONTEXT_HOOK,
    FACTS,
    RECALL,
    SLOT_DISPOSITIONS,
    STATE_HOOK,
    TOOLS,
    UPDATE,
    Function,
    Parameter,
    asked_rules,
    call_arguments,
    confirms_calls,
    denied_rules,
    functions,
    has_requirements,
    is_heartbeat,
    is_phase,
    is_scheduled,
    modalities,
    numbered,
    of_kind,
    pipeline_parameters,
    schemas,
    step_name,
    steps,
    symbol_of,
)
from melleafy_tui.generators.requirements import is_note, sorted_rules

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
"""Dispositions with which an identity's text is fetched at run time."""


class Source(Struct, frozen=True):
    """A source of text in a run: a constant of config.py, or a helper called with arguments.

    `helper` is `_given` (parameter and default), `_consult` (a host function), `_attempt` (work on files), or `""` if
    the first argument is the text itself or its `call`.
    """

    helper: str
    arguments: tuple[str, ...]

    @property
    def code(self) -> Expression:
        """Return the expression that evaluates to the text."""
        if self.helper:
            return call(self.helper, *map(Raw, self.arguments))
        return Raw(self.arguments[0])

    @property
    def always_there(self) -> bool:
        """Return whether the text is never empty."""
        return self.helper in ("", GIVEN) and self.arguments[-1] != _EMPTY


class PipelineTexts:
    """The texts of a package's pipeline.

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
        """Return all sources of text of a run."""
        return (
            *self.persona,
            *(source for _, source in self.identity),
            *self.facts,
            *self.state,
            *self.memory,
        )

    @property
    def several(self) -> bool:
        """Return whether any text is joined from several sources."""
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
        """Return name, role and other fields, each with its label as code; an empty label unpacks a dict."""
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
        """Return the sources of the facts about the user."""
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
        """Return the sources of the memory relevant to the request."""
        found = [Source(GIVEN, ("memory_context", _EMPTY))] if "memory_context" in self._parameters else []
        return (*found, *self._fetched((EntryKind.MEMORY,), ("request",)))

    @cached_property
    def saves_state(self) -> bool:
        """Return whether a run ends with a note in the state file."""
        return bool(functions(self._committed, EntryKind.STATE, Disposition.REAL_IMPL))

    @cached_property
    def updates_memory(self) -> str:
        """Return the code of the function that records the result of a run in memory, or `""`."""
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
        """Return the source that fetches the text of a function of the package."""
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


CONFIG_MODULE: Final = "config"
STEP_SLOTS_MODULE: Final = "slots"
OBJECTS_MODULE: Final = "mobjects"


class OfferedTool(Struct, frozen=True):
    """A tool that the model may call: its name and function; `parameter` if the caller passes it."""

    name: str
    expression: str
    parameter: bool = False


class Step(Struct, frozen=True):
    """A step before the reply: `module` defines its function, `config` the text that a draft follows."""

    name: str
    module: str
    scope: str
    phase: bool = False
    check: bool = False

    @property
    def taken_by_model(self) -> bool:
        """Return whether the step calls the model."""
        return self.module != SLOTS_MODULE


class PipelineParts:
    """The parts of a package's pipeline, as code.

    Args:
        committed: The committed plan.
    """

    def __init__(self, committed: CommittedPlan) -> None:
        self._committed = committed
        self.texts: Final = PipelineTexts(committed)

    # --- what kind of run it is ---------------------------------------------------------------

    @cached_property
    def heartbeat(self) -> bool:
        """Return whether a run may be a heartbeat."""
        return is_heartbeat(self._committed)

    @cached_property
    def scheduled(self) -> bool:
        """Return whether a schedule may run the agent with tasks from the source."""
        return is_scheduled(self._committed)

    @cached_property
    def has_checklist(self) -> bool:
        """Return whether config.py has a checklist for wake-ups."""
        return bool(checklist_items(self._committed))

    @cached_property
    def event(self) -> bool:
        """Return whether an event may wake the agent."""
        return Modality.EVENT_TRIGGERED in modalities(self._committed)

    @cached_property
    def system_persona(self) -> bool:
        """Return whether the persona is passed as the system prompt."""
        return self._committed.settings.persona_channel is PersonaChannel.SYSTEM

    @cached_property
    def external_backend(self) -> bool:
        """Return whether the caller chooses backend and model."""
        return backend_from_environment(self._committed)

    @property
    def backend_expression(self) -> str:
        """Return the first argument of start_session."""
        return "chosen_backend" if self.external_backend else "config.BACKEND"

    @property
    def model_expression(self) -> str:
        """Return the second argument of start_session."""
        return "chosen_model" if self.external_backend else "config.MODEL_ID"

    # --- its steps ----------------------------------------------------------------------------

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """Return the steps before the reply, in source order."""
        found = (
            Step(
                step_name(item),
                item.entry.target.partition(".")[0],
                item.element.scope,
                _is_phase(item),
                item.element.tag is Tag.VALIDATE_DOMAIN,
            )
            for item in steps(self._committed)
        )
        return tuple(dict.fromkeys(found))

    @cached_property
    def schemas(self) -> tuple[ReportSchema, ...]:
        """Return the forms to fill after the reply."""
        return schemas(self._committed)

    @cached_property
    def workflow(self) -> bool:
        """Return whether the steps form a workflow, in which each step gets the results of those before it."""
        taken = [item.element for item in steps(self._committed)]
        return len(self.steps) > 1 and any(element.facts[PhaseFact].phase for element in taken)

    @property
    def tools_at(self) -> int:
        """Return how many steps come before the tools: in a workflow those before its first check."""
        if not (self.workflow and self.tools):
            return len(self.steps)
        return next((number for number, step in enumerate(self.steps) if step.check), len(self.steps))

    @property
    def drafts(self) -> bool:
        """Return whether a step writes a text."""
        return any(step.module == CONFIG_MODULE for step in self.steps)

    @property
    def settles(self) -> bool:
        """Return whether a step is a function that calls the model."""
        return any(step.module in (STEP_SLOTS_MODULE, OBJECTS_MODULE) for step in self.steps)

    # --- its tools ----------------------------------------------------------------------------

    @cached_property
    def tools(self) -> tuple[OfferedTool, ...]:
        """Return the tools that the model may call, by name."""
        modules = {
            Disposition.STUB: SLOTS_MODULE,
            Disposition.DELEGATE_TO_RUNTIME: SLOTS_MODULE,
            Disposition.REAL_IMPL: TOOLS_MODULE,
            Disposition.MOCK: MOCKS_MODULE,
        }
        found = [
            OfferedTool(function.symbol, f"{module}.{function.symbol}")
            for disposition, module in modules.items()
            for function in functions(self._committed, TOOLS, disposition)
        ]
        found += [
            OfferedTool(function.symbol, function.symbol, parameter=True)
            for function in functions(self._committed, TOOLS, Disposition.EXTERNAL_INPUT)
        ]
        return tuple(sorted(found, key=lambda tool: tool.name))

    @cached_property
    def tool_errors(self) -> bool:
        """Return whether a tool of tools.py can fail with ToolError."""
        return bool(functions(self._committed, TOOLS, Disposition.REAL_IMPL))

    @cached_property
    def guarded(self) -> bool:
        """Return whether permission rules deny calls of its tools or require confirmation."""
        return bool(self.tools) and bool(denied_rules(self._committed) or asked_rules(self._committed))

    @cached_property
    def confirms(self) -> bool:
        """Return whether the caller is asked to confirm some calls."""
        return confirms_calls(self._committed)

    @cached_property
    def arguments(self) -> tuple[Parameter, ...]:
        """Return the parameters that come from arguments declared by the source."""
        named = {symbol_of(item) for item in call_arguments(self._committed)}
        return tuple(found for found in pipeline_parameters(self._committed) if found.name in named)

    # --- its rules ----------------------------------------------------------------------------

    @cached_property
    def has_requirements(self) -> bool:
        """Return whether the package has a requirements.py."""
        return has_requirements(self._committed)

    @cached_property
    def scoped_requirements(self) -> bool:
        """Return whether some requirements apply in one scope only."""
        return bool(sorted_rules(self._committed).scoped)

    @cached_property
    def has_notes(self) -> bool:
        """Return whether some rules are prompt text only."""
        kept = of_kind(self._committed, EntryKind.RULE, Disposition.BUNDLE, Disposition.STUB)
        return any(is_note(item) for item in kept)

    @cached_property
    def rule_stubs(self) -> bool:
        """Return whether some rules need a validator written by the host."""
        stubs = of_kind(self._committed, EntryKind.RULE, Disposition.STUB)
        return any(not is_note(item) for item in stubs)

    @cached_property
    def loaded_rules(self) -> bool:
        """Return whether some rules are loaded from a file."""
        return bool(of_kind(self._committed, EntryKind.RULE, Disposition.LOAD_FROM_DISK))

    @property
    def requirement_names(self) -> tuple[str, ...]:
        """Return what the pipeline imports from requirements.py."""
        if not self.has_requirements:
            return ()
        names = ["attached_requirements"]
        names += ["OPERATING_NOTES"] if self.has_notes else []
        names += ["UNCHECKED", "ValidatorFailed"] if self.rule_stubs else []
        return tuple(names)

    # --- what follows for the module ----------------------------------------------------------

    @property
    def structured(self) -> bool:
        """Return whether a run asks for structured answers."""
        return self.heartbeat or bool(self.tools) or self.drafts or bool(self.schemas)

    @property
    def consults(self) -> bool:
        """Return whether a run calls host functions."""
        hooks = any(not step.taken_by_model for step in self.steps)
        return (
            hooks
            or any(source.helper == CONSULT for source in self.texts.sources)
            or bool(self.texts.updates_memory)
        )

    @property
    def attempts(self) -> bool:
        """Return whether a run works on files that may be missing."""
        return (
            any(source.helper == ATTEMPT for source in self.texts.sources)
            or self.loaded_rules
            or self.texts.saves_state
        )

    @property
    def mocks(self) -> bool:
        """Return whether a run uses made-up samples."""
        return self._uses(MOCKS_MODULE)

    @property
    def joins(self) -> bool:
        """Return whether a run joins several texts into one."""
        several = self.texts.several or self.has_notes
        return several or self.event or bool(self.arguments)

    @property
    def defaults(self) -> bool:
        """Return whether an absent parameter is replaced by source text."""
        return any(source.helper == GIVEN for source in self.texts.sources)

    @property
    def uses_callable(self) -> bool:
        """Return whether the module names the type of a function."""
        return self.consults or self.attempts or self.settles or bool(self.tools)

    @property
    def modules(self) -> tuple[str, ...]:
        """Return the modules of the package that the pipeline uses."""
        found = ["config"]
        found += [SLOTS_MODULE] if self._uses(SLOTS_MODULE) or self.texts.updates_memory else []
        found += [module for module in (STEP_SLOTS_MODULE, OBJECTS_MODULE) if self._uses(module)]
        found += [LOADER_MODULE] if self._uses(LOADER_MODULE) or self.loaded_rules else []
        found += [TOOLS_MODULE] if self._uses(TOOLS_MODULE) or self.texts.saves_state else []
        return tuple(found)

    def _uses(self, module: str) -> bool:
        named = [argument for source in self.texts.sources for argument in source.arguments]
        named += [tool.expression for tool in self.tools]
        named += [f"{step.module}.{step.name}" for step in self.steps]
        return any(expression.startswith(f"{module}.") for expression in named)

    def persona_argument(self, persona: str) -> str:
        """Return the argument that passes the persona to `m.instruct`."""
        if self.system_persona:
            return f"model_options={{ModelOption.SYSTEM_PROMPT: {persona}}}"
        return f"prefix={persona}"


def _is_phase(item: PlannedElement) -> bool:
    return is_phase(item) and item.entry.disposition is Disposition.BUNDLE


def pipeline_parts(committed: CommittedPlan) -> PipelineParts:
    """Return the parts of the package's pipeline."""
    return PipelineParts(committed)
