"""Generates pipeline.py: the agent as one synchronous function, `run_pipeline(...) -> AgentReply`.

Code that packages share is in the static modules; what is printed here reads as this agent: its inputs, its branches in
source order, its model calls.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct

from melleafy_tui.core.models.committed import CommittedPlan, PlannedElement
from melleafy_tui.core.models.file_set import EmittedFile
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind, Modality, PersonaChannel
from melleafy_tui.generators import package_shape as shape
from melleafy_tui.generators import requirements
from melleafy_tui.generators.assets import identity_file
from melleafy_tui.generators.config import (
    METADATA,
    NAME,
    ROLE,
    always_requested,
    identity_fields,
    persona_notes,
)
from melleafy_tui.generators.documents import GUIDANCE, USER, Documents
from melleafy_tui.generators.literals import RUNTIME_DOOR, string_literal
from melleafy_tui.generators.procedure import generate_procedure
from melleafy_tui.generators.schedule_rows import checklist_items
from melleafy_tui.generators.schemas import FORMS
from melleafy_tui.generators.templates_environment import code_file
from melleafy_tui.generators.tools import working_tools


class PipelineParts:
    """The parts of a package's pipeline.

    Args:
        committed: The committed plan.

    Attributes:
        heartbeat: A run may be a heartbeat.
        scheduled: A schedule may run the agent with tasks from the source.
        wakes: A run without a message is a wake-up.
        event: An event may wake the agent.
        system_persona: The persona is passed as the system prompt.
        schemas: The forms to fill after the reply.
        tools: tools.py lists tools that the model may call.
        passed_tools: The parameters that are tools, passed by the caller.
        offers: The model may call tools.
        replies_with_tools: The call of the reply offers the tools.
    """

    def __init__(self, committed: CommittedPlan) -> None:
        self.heartbeat: Final = shape.is_heartbeat(committed)
        self.scheduled: Final = shape.is_scheduled(committed)
        self.wakes: Final = self.heartbeat or self.scheduled
        self.event: Final = Modality.EVENT_TRIGGERED in shape.modalities(committed)
        self.system_persona: Final = committed.settings.persona_channel is PersonaChannel.SYSTEM
        self.schemas: Final = shape.schemas(committed)
        external = shape.functions(committed, shape.TOOLS, Disposition.EXTERNAL_INPUT)
        self.tools: Final = bool(working_tools(committed).callable)
        self.passed_tools: Final = tuple(sorted(function.symbol for function in external))
        self.offers: Final = self.tools or bool(external)
        self.replies_with_tools: Final = self.offers and not self.schemas  # a form calls no tools


class Source(Struct, frozen=True):
    """A source of text in a run, as an expression.

    One that is fetched may fail, which becomes a note; `otherwise` takes the place of an empty text.
    """

    code: str
    given: tuple[str, ...] = ()
    fetched: bool = False
    otherwise: str = ""


def generate_pipeline(documents: Documents) -> list[EmittedFile]:
    """Return pipeline.py."""
    committed = documents.committed
    if committed.inventory.procedure is not None:
        return generate_procedure(documents, committed.inventory.procedure)
    parts = PipelineParts(committed)
    persona, identity = _persona(committed), list(_identity(committed))
    known = {"facts": _facts(documents), "state": _state(committed), "memory": _memory(committed)}
    sources = [
        *persona,
        *(source for _, source in identity),
        *(each for found in known.values() for each in found),
    ]
    asked = {
        shape.SCHEDULED_REQUEST: always_requested(committed),
        shape.CHECKLIST: checklist_items(committed),
    }
    hooks = [source.code for source in sources if source.fetched and "." not in source.code]
    return [
        code_file(
            committed,
            "pipeline.py",
            _names(parts, shape.reply_class(committed), hooks),
            parts=parts,
            persona_notes=bool(persona_notes(documents)),
            persona="persona" if len(persona) > 1 else "config.PREFIX_TEXT",
            personas=persona,
            identity=identity,
            texts=known,
            replaces_facts=_replaces_facts(committed),
            guidance=bool(documents.pieces(GUIDANCE)),
            saves_state=bool(shape.functions(committed, EntryKind.STATE, Disposition.REAL_IMPL)),
            rule_stubs=any(map(requirements.is_stub, requirements.required_rules(committed))),
            rules=_rules(documents),
            judges=requirements.has_rules_to_meet(committed),
            always=[symbol for symbol, found in asked.items() if found],
            arguments={shape.symbol_of(item) for item in shape.call_arguments(committed)},
        )
    ]


def _rules(documents: Documents) -> list[str]:
    """Return the lists of rules of a run, as code."""
    committed = documents.committed
    lists = {
        requirements.OPERATING: shape.has_requirements(committed),
        f"{requirements.SCOPED}.get(scope, [])": requirements.scopes_of(committed),
        "read_rules()": shape.of_kind(committed, EntryKind.RULE, Disposition.LOAD_FROM_DISK),
        requirements.PERSONA_RULES: requirements.rules_without_text(documents),
    }
    return [code for code, found in lists.items() if found]


# --- texts ------------------------------------------------------------------------------------------

_ELSEWHERE: Final = (Disposition.DELEGATE_TO_RUNTIME, Disposition.EXTERNAL_INPUT, Disposition.LOAD_FROM_DISK)
"""Dispositions with which an identity's text is fetched at run time."""
_FETCHED: Final = (
    *shape.SLOT_DISPOSITIONS,
    Disposition.REAL_IMPL,
    Disposition.MOCK,
    Disposition.LOAD_FROM_DISK,
)


def _persona(committed: CommittedPlan) -> list[Source]:
    """Return the sources of the persona text, the bundled one first."""
    return [
        Source("config.PREFIX_TEXT"),
        *(source for _, source in _passed_identity(committed, persona=True)),
    ]


def _identity(committed: CommittedPlan) -> Iterator[tuple[str, Source]]:
    """Yield name, role and other fields, each with its label as code; an empty label unpacks a dict."""
    symbols = [item.mapping.target_symbol for item in identity_fields(committed)]
    own = [(label, symbol) for label, symbol in (("name", NAME), ("role", ROLE)) if symbol in symbols]
    for label, symbol in own:
        yield string_literal(label), Source(f"config.{symbol}")
    if len(symbols) > len(own):
        yield "", Source(f"config.{METADATA}")
    passed = _passed_identity(committed, persona=False)
    labels = shape.numbered(item.element.label or item.entry.symbol for item, _ in passed)
    for label, (_, source) in zip(labels, passed, strict=True):
        yield string_literal(label), source


def _passed_identity(committed: CommittedPlan, *, persona: bool) -> list[tuple[PlannedElement, Source]]:
    """Return what a run is told of the agent from outside of config.py: its persona, or other fields."""
    found = shape.functions(committed, EntryKind.IDENTITY, *_ELSEWHERE)
    return [
        (item, _source(committed, next(each for each in found if item in each.items)))
        for item in shape.of_kind(committed, EntryKind.IDENTITY, *_ELSEWHERE)
        if (item.mapping.target_symbol == shape.PERSONA_SYMBOL) is persona
    ]


def _replaces_facts(committed: CommittedPlan) -> bool:
    """Return whether what the caller may pass replaces some of the facts."""
    given = [each for each in shape.pipeline_parameters(committed) if each.name == "user_context"]
    return bool(given and given[0].default and shape.of_kind(committed, shape.FACTS, Disposition.BUNDLE))


def _facts(documents: Documents) -> list[Source]:
    """Return the sources of the facts about the user."""
    committed = documents.committed
    given = [each for each in shape.pipeline_parameters(committed) if each.name == "user_context"]
    whole = f"config.{shape.USER_CONTEXT}"
    own = [Source(whole)] if documents.pieces(USER) else []
    if given and not given[0].default:
        own.append(Source("user_context"))
    elif given and not _replaces_facts(committed):
        own = [Source("user_context", otherwise=whole)]
    return [*own, *_fetched(committed, shape.FACTS)]


def _state(committed: CommittedPlan) -> list[Source]:
    """Return the sources of the agent's short-term notes."""
    return [*_given(committed, "working_state"), *_fetched(committed, (EntryKind.STATE,))]


def _memory(committed: CommittedPlan) -> list[Source]:
    """Return the sources of the memory relevant to the request."""
    return [*_given(committed, "memory_context"), *_fetched(committed, (EntryKind.MEMORY,), "request")]


def _given(committed: CommittedPlan, name: str) -> list[Source]:
    return [
        Source(name, otherwise='""') for each in shape.pipeline_parameters(committed) if each.name == name
    ]


def _fetched(committed: CommittedPlan, kinds: tuple[EntryKind, ...], *given: str) -> list[Source]:
    """Return the functions of the package that fetch a text, each once."""
    wanted = (*_FETCHED, Disposition.BUNDLE) if EntryKind.MEMORY in kinds else _FETCHED
    found: dict[str, Source] = {}
    for disposition in wanted:
        for function in shape.functions(committed, kinds, disposition):
            is_hook = function.symbol in (shape.RECALL, shape.STATE_HOOK, shape.CONTEXT_HOOK)
            if is_hook or disposition not in shape.SLOT_DISPOSITIONS:
                source = _source(committed, function, *given)
                found.setdefault(source.code, source)
    return list(found.values())


def _source(committed: CommittedPlan, function: shape.Function, *given: str) -> Source:
    """Return the source that fetches the text of a function of the package."""
    symbol, is_memory = function.symbol, function.kind is EntryKind.MEMORY
    match function.disposition:
        case Disposition.MOCK:
            return Source(f"mock_tools.{symbol}", given, fetched=True)
        case Disposition.REAL_IMPL:
            return Source(f"tools.{symbol}", given, fetched=True)
        case Disposition.EXTERNAL_INPUT:
            [declared] = (each for each in shape.pipeline_parameters(committed) if each.name == symbol)
            return Source(symbol, otherwise=f"config.{declared.default_constant}")
        case Disposition.LOAD_FROM_DISK if not is_memory:
            name = (string_literal(identity_file(function)),)
            is_identity = function.kind is EntryKind.IDENTITY
            return Source("read_text", name) if is_identity else Source("read_facts()")
        case disposition:
            loaded = shape.of_kind(committed, EntryKind.MEMORY, Disposition.LOAD_FROM_DISK)
            chosen = disposition in shape.SEARCHED_COPY and bool(loaded)  # one function searches all copies
            return Source(symbol, (*given, "memory_path") if chosen else given, fetched=True)


# --- names ------------------------------------------------------------------------------------------

_OF_RUNTIME: Final = (
    *("AgentReply", "BestAttempt", "Panel", "Tool", "ToolCalls", "ToolError", "chat_context", "hook"),
    *("clock", "document", "due_or_named", "home_folder", "is_wake_up", "joined", "listed", "model_call"),
    *("not_empty", "note_runs", "notes_on", "parse", "payload_text", "prompt", "read_facts", "read_history"),
    *("read_rules", "read_text", "rendered", "reply_text", "require_message", "session_options"),
    *("spoken", "transcript", "unmet_rules", "well_formed"),
)
"""The names of the runtime that the printed body may use; those that occur are imported."""


def _names(parts: PipelineParts, reply: str, hooks: Iterable[str]) -> dict[str, Iterable[str]]:
    """Return the names that the code may use, by the module that they are imported from."""
    forms = (FORMS, *(schema.class_name for schema in parts.schemas))
    return {
        "collections.abc": ["Callable"],
        "mellea": ["start_session"],
        "mellea.backends": ["ModelOption"],
        ".": ["config", "constrained_slots", "tools"],
        RUNTIME_DOOR: _OF_RUNTIME,
        ".constrained_slots": ["confirm", *hooks],
        ".fixtures": ["mock_tools"],
        ".requirements": [requirements.OPERATING, requirements.PERSONA_RULES, requirements.SCOPED],
        ".schemas": ["HeartbeatDecision", *forms, *([reply] if parts.schemas else [])],
    }
