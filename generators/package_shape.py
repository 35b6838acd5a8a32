"""Derives the functions, tools, rules and parameters of a package from the committed plan, for all generators.

This is where dispositions are translated into code: the other generators ask this module, not the plan, what to emit.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from melleafy_tui.core.language.wording import plain_text, without_block_marks
from melleafy_tui.core.models.committed import CommittedPlan, PlannedElement, once_a_plan
from melleafy_tui.core.models.facts import (
    ArgumentFact,
    InliningFact,
    MemoryPageFact,
    PermissionFact,
    ScheduleFact,
    SecretFact,
    StepFact,
    ToolFact,
)
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.procedure import Does, Procedure, Step
from melleafy_tui.core.models.vocabulary import Disposition, ElementRole, EntryKind, Modality
from melleafy_tui.core.package.naming import without_marks
from melleafy_tui.core.package.result_schemas import ReportSchema, kept_schemas
from melleafy_tui.core.package.sent_variables import may_cover
from melleafy_tui.generators.literals import Group, fitted, identifier, plain_words, string_literal

FACTS: Final = (EntryKind.FACT_STABLE, EntryKind.FACT_OVERRIDABLE)
TOOLS: Final = (EntryKind.TOOL_NARRATIVE, EntryKind.TOOL_CONCRETE, EntryKind.TOOL_ABSTRACT)
SLOT_DISPOSITIONS: Final = (Disposition.STUB, Disposition.DELEGATE_TO_RUNTIME)

CALLED: Final = (
    Disposition.REAL_IMPL,
    Disposition.STUB,
    Disposition.MOCK,
    Disposition.DELEGATE_TO_RUNTIME,
    Disposition.EXTERNAL_INPUT,
)
"""Dispositions with which a tool is a function that the model may call."""

LONGEST_SUMMARY: Final = 100
"""Most characters of source text that a docstring quotes."""

RECALL: Final = "recall_memory"
SEARCH: Final = "search_references"
"""Searches documents that the package has, beside RECALL, which searches the agent's own memory where it lies."""
SEARCHED_COPY: Final = (Disposition.BUNDLE, Disposition.LOAD_FROM_DISK)
"""Dispositions whose copies of memory one function searches."""
UPDATE: Final = "update_memory"
STORES_ENTRY: Final = "Store an entry in long-term memory, which others read too"
_LONGEST_TITLE: Final = 60
CHECKLIST: Final = "HEARTBEAT_CHECKLIST"
STATE_HOOK: Final = "load_working_state"
SCHEDULED_REQUEST: Final = "SCHEDULED_REQUEST"
CONTEXT_HOOK: Final = "load_user_context"
STEPS_REPLY: Final = "StepsReply"
"""The result of a run in steps."""
PERSONA_SYMBOL: Final = "PREFIX_TEXT"
GUIDANCE_SYMBOL: Final = "TOOL_GUIDANCE"
USER_CONTEXT: Final = "USER_CONTEXT"


class Function(Struct, frozen=True):
    """An emitted function, made from the plan entries that share its file and symbol."""

    symbol: str
    kind: EntryKind
    disposition: Disposition
    items: tuple[PlannedElement, ...]

    @property
    def elements(self) -> tuple[Element, ...]:
        """Return the elements that it was made from."""
        return tuple(item.element for item in self.items)

    @property
    def setup_section(self) -> str:
        """Return the section of SETUP.md that explains how to write it."""
        return next((item.entry.setup_section for item in self.items if item.entry.setup_section), "§8")


def numbered(labels: Iterable[str]) -> list[str]:
    """Return the labels with duplicates numbered: `Motto`, `Motto (2)`."""
    found: list[str] = []
    for label in labels:
        shown, number = label, 2
        while shown in found:
            shown, number = f"{label} ({number})", number + 1
        found.append(shown)
    return found


def symbol_of(item: PlannedElement) -> str:
    """Return the identifier of a planned element, or a safe one if the plan has none."""
    _, _, name = item.entry.target.partition(":")
    for candidate in (item.entry.symbol, name):
        if candidate.isidentifier():
            return candidate
    return identifier(
        item.entry.symbol or item.element.label or item.element.content_summary, fallback="entry"
    )


def of_kind(
    committed: CommittedPlan, kinds: EntryKind | Iterable[EntryKind], *dispositions: Disposition
) -> list[PlannedElement]:
    """Return the planned elements of the given kinds and dispositions, in source order."""
    return committed.planned_as({kinds} if isinstance(kinds, EntryKind) else set(kinds), dispositions)


def functions(
    committed: CommittedPlan, kinds: EntryKind | Iterable[EntryKind], *dispositions: Disposition
) -> list[Function]:
    """Return the functions for the given kinds and dispositions, one per symbol, in order of their first element."""
    by_symbol: dict[str, list[PlannedElement]] = {}
    for item in of_kind(committed, kinds, *dispositions):
        is_copy = item.entry.kind is EntryKind.MEMORY and item.entry.disposition in SEARCHED_COPY
        symbol = SEARCH if is_copy and _recalls(committed) else symbol_of(item)
        by_symbol.setdefault(symbol, []).append(item)
    if read := [item for item in by_symbol.get(UPDATE, ()) if item.element.facts[MemoryPageFact].is_read]:
        by_symbol.setdefault(RECALL, []).extend(read)  # a page that is written and read keeps both
    return [
        Function(symbol, items[0].entry.kind, items[0].entry.disposition, tuple(items))
        for symbol, items in by_symbol.items()
    ]


@once_a_plan
def _recalls(committed: CommittedPlan) -> bool:
    """Return whether a hook searches the agent's own memory."""
    return any(symbol_of(item) == RECALL for item in of_kind(committed, EntryKind.MEMORY, *SLOT_DISPOSITIONS))


def variable_of(item: PlannedElement) -> str:
    """Return the environment variable that a credential comes from."""
    _, _, name = item.entry.target.partition(":")
    return name if name.isascii() and name.isidentifier() else identifier(name, fallback="SECRET").upper()


def statement_of(element: Element) -> str:
    """Return the statement of an element."""
    return element.statement or element.content_full


def whole_statement_of(element: Element) -> str:
    """Return the statement of an element with the text that is inlined where it refers to another file."""
    words = inlined_words(element)
    return f"{statement_of(element)} ({words})" if words else statement_of(element)


def inlined_words(element: Element) -> str:
    """Return the file and the words that are inlined where an element refers to that file, or `""`."""
    found = element.facts[InliningFact]
    words = " ".join(plain_text(without_block_marks(line)) for line in found.inlined_text.splitlines())
    return f"{found.inlined_file}: {' '.join(words.split())}" if found.inlined_text else ""


def is_secret(element: Element) -> bool:
    """Return whether an element is a credential whose value was masked in the lines of another element."""
    return element.facts[SecretFact].secret


def shortened(words: str, longest: int) -> str:
    """Return text of at most `longest` characters, cut between words."""
    if len(words) <= longest:
        return words
    return (words[:longest].rpartition(" ")[0] or words[:longest]) + " …"


def summary_words(function: Function) -> str:
    """Return a one-line summary of the elements of a function for its docstring; never empty."""
    return shortened(plain_words(tool_description(function)), LONGEST_SUMMARY) or "as the source says"


def tool_description(tool: Function) -> str:
    """Return the description of a tool from its elements, without the tool's name at the start."""
    if tool.kind is EntryKind.MEMORY and tool.symbol == UPDATE:
        pages = (_first_words(item.element) for item in tool.items)
        return f"{STORES_ENTRY}. It has: {', '.join(dict.fromkeys(pages))}."
    return "\n".join(without_name(whole_statement_of(item.element), tool.symbol) for item in tool.items)


def _first_words(page: Element) -> str:
    """Return the title of a page of memory, or the start of its text."""
    text = statement_of(page).strip()
    return shortened(plain_words(text.partition("\n")[0].lstrip("# ")), _LONGEST_TITLE)


def without_name(text: str, symbol: str) -> str:
    """Return the text without its function's name at the start; a name that says more in another script stays."""
    name, separator, rest = text.partition(": ")
    if not (separator and rest.strip() and without_marks(name).isascii()):
        return text
    return rest if identifier(name, fallback="") == identifier(symbol, fallback="") else text


def schemas(committed: CommittedPlan) -> tuple[ReportSchema, ...]:
    """Return the forms that a run fills, in source order."""
    kept = of_kind(committed, EntryKind.SCHEMA, Disposition.BUNDLE)
    wanted = {item.element.element_id for item in kept}
    return kept_schemas(committed.inventory.elements, wanted)


def denied_rules(committed: CommittedPlan) -> tuple[PlannedElement, ...]:
    """Return the permission rules that deny calls and that the package enforces, in source order."""
    kept = of_kind(committed, EntryKind.RULE, Disposition.BUNDLE)
    return tuple(item for item in kept if item.element.facts[PermissionFact].denies)


def asked_rules(committed: CommittedPlan) -> tuple[PlannedElement, ...]:
    """Return the permission rules that require confirmation of a call, in source order."""
    kept = of_kind(committed, EntryKind.RULE, Disposition.BUNDLE)
    return tuple(item for item in kept if item.element.facts[PermissionFact].asks)


def confirms_calls(committed: CommittedPlan) -> bool:
    """Return whether a run may ask for confirmation of a tool call."""
    return bool(confirmed_functions(committed)) or asks_for_some_call(committed)


def confirmed_functions(committed: CommittedPlan) -> dict[str, tuple[Element, ...]]:
    """Return the lines of the source for which each call of a function is confirmed first, by its name."""
    kept = {item.element.element_id: item.element for item in of_kind(committed, _STATING, *CALLED, _BUNDLE)}
    found: dict[str, tuple[Element, ...]] = {}
    for function in offered_functions(committed):
        wanted = dict.fromkeys(rule for element in function.elements for rule in element.facts[ToolFact].asks)
        if rules := tuple(kept[rule] for rule in wanted if rule in kept):
            found[function.symbol] = rules
    return found


def asks_for_some_call(committed: CommittedPlan) -> bool:
    """Return whether a permission rule, or a grant's bound, may make a call of an offered function ask."""
    rules = [item.element.facts[PermissionFact].asks for item in asked_rules(committed)]
    offered = offered_functions(committed)
    facts = [element.facts[ToolFact] for function in offered for element in function.elements]
    if any(fact.is_bound and fact.patterns for fact in facts):
        return True
    names = [each.elements[0].facts[ToolFact].grant or each.symbol for each in offered]
    return any(may_cover(rule, name) for rule in rules for name in names)


_BUNDLE: Final = Disposition.BUNDLE
_STATING: Final = (EntryKind.RULE, EntryKind.IDENTITY, *FACTS, *TOOLS)
"""The kinds of entries that may say what an action needs; one that was taken out says nothing."""


def offered_functions(committed: CommittedPlan) -> list[Function]:
    """Return what the model may call: tools, and the hook that changes memory where its condition holds."""
    hooks = functions(committed, EntryKind.MEMORY, *SLOT_DISPOSITIONS)
    tools = [tool for tool in functions(committed, TOOLS, *CALLED) if not denied_reason(tool)]
    return [*tools, *(hook for hook in hooks if hook.symbol == UPDATE)]


def in_place(function: Function) -> bool:
    """Return whether a hook reads the agent's own files where they lie, until the host replaces it."""
    delegated = function.items[0].entry.disposition is Disposition.DELEGATE_TO_RUNTIME
    return delegated and function.symbol in (RECALL, STATE_HOOK)


def denied_reason(tool: Function) -> str:
    """Return why the source forbids a tool that is left to write, or `""`; such a tool isn't offered."""
    if tool.disposition not in SLOT_DISPOSITIONS:
        return ""
    return next((why for element in tool.elements if (why := element.facts[ToolFact].denied)), "")


def role_of(committed: CommittedPlan, element: Element) -> ElementRole | None:
    """Return the role that an element's mapping row gives it, or None."""
    row = committed.mapping_rows.get(element.mapping_row)
    return row.role if row is not None else None


def in_role(committed: CommittedPlan, role: ElementRole) -> list[Element]:
    """Return the elements that have a role, in source order."""
    return [element for element in committed.inventory.elements if role_of(committed, element) is role]


def call_arguments(committed: CommittedPlan) -> list[PlannedElement]:
    """Return the arguments that the source declares for itself; each becomes a parameter."""
    return [item for item in of_kind(committed, FACTS, Disposition.EXTERNAL_INPUT) if is_argument(item)]


def is_argument(item: PlannedElement) -> bool:
    """Return whether a fact about the user is an argument that the source declares for itself."""
    return ArgumentFact in item.element.facts


def has_requirements(committed: CommittedPlan) -> bool:
    """Return whether the package has a requirements.py: some rule is neither dropped nor loaded from a file."""
    if committed.inventory.procedure is not None:
        return True
    return bool(of_kind(committed, EntryKind.RULE, Disposition.BUNDLE, *SLOT_DISPOSITIONS))


def modalities(committed: CommittedPlan) -> tuple[Modality, ...]:
    """Return the primary modality and the secondary ones."""
    return (committed.classification.modality, *committed.classification.secondary_modalities)


def is_heartbeat(committed: CommittedPlan) -> bool:
    """Return whether a run may be a heartbeat."""
    return Modality.HEARTBEAT in modalities(committed)


def is_scheduled(committed: CommittedPlan) -> bool:
    """Return whether a schedule runs the agent with tasks from the source, without a heartbeat."""
    return (
        Modality.SCHEDULED in modalities(committed)
        and not is_heartbeat(committed)
        and bool(scheduled_requests(committed) or committed.classification.schedule.tasks)
    )


def wakes(committed: CommittedPlan) -> bool:
    """Return whether a run without a message is a wake-up."""
    return is_heartbeat(committed) or is_scheduled(committed)


_GENERIC_NAMES: Final = frozenset({"agent", "assistant", "bot", "helper", "main", "skill", "tool"})


def reply_class(committed: CommittedPlan) -> str:
    """Return the class of a run's result: `AgentReply`, or its own subclass where the source declares a form."""
    if committed.inventory.procedure is not None:
        return STEPS_REPLY
    if not schemas(committed):
        return "AgentReply"
    words = [word for word in identifier(committed.project_name, fallback="own").split("_") if word]
    last = words[-1] if words[-1] not in _GENERIC_NAMES else "".join(word.capitalize() for word in words)
    name = f"{last[:1].upper()}{last[1:]}Reply"
    is_usable = name != "AgentReply" and name.isidentifier() and len(name) <= _LONGEST_TITLE
    return name if is_usable else "OwnReply"


def scheduled_requests(committed: CommittedPlan) -> list[PlannedElement]:
    """Return the tasks of each scheduled run."""
    return [
        item
        for item in of_kind(committed, EntryKind.SCHEDULE, *Disposition)
        if item.entry.disposition is not Disposition.REMOVE
        and statement_of(item.element).strip()
        and role_of(committed, item.element) is not ElementRole.EVENT
    ]


def task_of(item: PlannedElement) -> str:
    """Return the task of a scheduled run: the part of the element that names it, or its whole text."""
    return item.element.facts[ScheduleFact].task or statement_of(item.element)


ARGUMENT_DEFAULTS: Final = {"str": '""', "int": "0", "bool": "False"}
"""The types of a command's arguments, and their default values."""


class Parameter(Struct, frozen=True):
    """One parameter of `run_pipeline`.

    Attributes:
        name: Its name.
        annotation: Its type as code.
        default: Its default as code, or `""`.
        description: Its description, for docstring and `--help`.
        is_callable: It takes a function, so it has no flag and no JSON form.
        default_constant: The constant of `config.py` that replaces an absent value, or `""`.
        elements: The elements that it was made from.
    """

    name: str
    annotation: str
    default: str
    description: str
    is_callable: bool = False
    default_constant: str = ""
    elements: tuple[Element, ...] = ()

    @property
    def declaration(self) -> str:
        """Return the parameter as the signature declares it."""
        return f"{self.name}: {self.annotation}" + (f" = {self.default}" if self.default else "")


def pipeline_parameters(committed: CommittedPlan) -> tuple[Parameter, ...]:
    """Return the parameters of the emitted `run_pipeline`, in order; the message comes first."""
    procedure = committed.inventory.procedure
    return tuple(_parameters(committed) if procedure is None else _parameters_of(procedure, committed))


def _parameters(committed: CommittedPlan) -> Iterable[Parameter]:
    external = Disposition.EXTERNAL_INPUT
    yield _message(committed)
    turns = 'Earlier turns as a list of {"role": "user" or "assistant", "text": ...}, or its JSON.'
    yield Parameter("history", "list[dict[str, str]] | str | None", "None", turns)
    for item in call_arguments(committed):
        argument = item.element.facts[ArgumentFact]
        among = f" One of: {', '.join(argument.choices)}." if argument.choices else ""
        said = f"The argument {argument.argument} of the command.{among}"
        kind = argument.type or "str"
        yield Parameter(symbol_of(item), kind, ARGUMENT_DEFAULTS[kind], said, elements=(item.element,))
    context = [item for item in of_kind(committed, FACTS, external) if not is_argument(item)]
    needed = [item for item in context if item.element.stays_behind]
    if context and not needed:
        yield _text_parameter("user_context", "Facts about the user that change", context, USER_CONTEXT)
    rules = of_kind(committed, EntryKind.RULE, Disposition.BUNDLE, Disposition.STUB)
    if scopes := sorted({item.element.scope for item in rules if item.element.scope}):
        known = ", ".join(["general", *scopes])
        yield Parameter("scope", "str", '"general"', f"Which scoped rules hold: {known}.")
    if Modality.EVENT_TRIGGERED in modalities(committed):
        yield Parameter("event", "str", '""', "What happened, when an event wakes the agent.")
    for found in functions(committed, EntryKind.IDENTITY, external):
        said = f"The agent's own text from {found.items[0].element.location}"
        yield _text_parameter(found.symbol, said, found.items, f"DEFAULT_{found.symbol.upper()}")
    for kind, name, said in _PASSED:
        if items := of_kind(committed, kind, external):
            yield _text_parameter(name, said, items, "")
    if copied := of_kind(committed, EntryKind.MEMORY, Disposition.LOAD_FROM_DISK):
        said = "The folder that memory is read from; empty takes the copy in the package."
        yield Parameter("memory_path", "str", '""', said, elements=tuple(item.element for item in copied))
    for found in functions(committed, TOOLS, external):
        said = "A function that carries out the tool; without it the run goes on and says so."
        kind = "Callable[[str], str] | None"
        yield Parameter(found.symbol, kind, "None", said, is_callable=True, elements=found.elements)
    if needed:  # by keyword, since others before it have a default
        names = ", ".join(dict.fromkeys(item.element.content_summary for item in needed))
        said = f"Facts about the user that the package doesn't hold: {names}."
        elements = tuple(item.element for item in context)
        yield Parameter("user_context", "str", "", said, elements=elements)


_PASSED: Final = (
    (EntryKind.STATE, "working_state", "The agent's notes of today and yesterday"),
    (EntryKind.MEMORY, "memory_context", "What long-term memory holds about the message"),
)
"""What the caller may pass instead of a hook that fetches it: the parameter, and what it is."""


def _parameters_of(procedure: Procedure, committed: CommittedPlan) -> Iterable[Parameter]:
    """Yield the inputs that the source names, a text where it names none, and what a person is asked in between."""
    arguments = call_arguments(committed)
    if procedure.takes_message:
        yield Parameter("message", "str", "", "The text to work on.")
    elif not arguments:
        yield Parameter("message", "str | None", "None", "A text for the first step; it needs none.")
    places = placeholders(committed)
    for item in arguments:
        name, default = symbol_of(item), item.element.facts[ArgumentFact].default
        said = (
            f"What stands for {{{places[name]}}} in the source." if name in places else f"The input {name}."
        )
        code = string_literal(default) if default else ""
        yield Parameter(name, "str", code, said, elements=(item.element,))
    for step in procedure.steps:
        if step.does is Does.WAIT:
            said = step.says or f"What came of {step.title}; without it a run ends with a question."
            yield Parameter(step.step_id, "str | None", "None", said)


def placeholders(committed: CommittedPlan) -> dict[str, str]:
    """Return what stands between the braces of the owner's texts for each parameter that fills it."""
    procedure = committed.inventory.procedure
    known = procedure.placeholders if procedure is not None else {}
    named = ((symbol_of(item), item.element.facts[ArgumentFact].name) for item in call_arguments(committed))
    return {symbol: known[name] for symbol, name in named if name in known}


def elements_of_step(committed: CommittedPlan, step: Step) -> tuple[Element, ...]:
    """Return the elements that have the words of a step."""
    found = committed.inventory.elements
    return tuple(element for element in found if element.facts[StepFact].step == step.step_id)


def persona_symbol(name: str) -> str:
    """Return the constant of config.py with a persona."""
    return f"{name.upper()}_{PERSONA_SYMBOL}" if name else PERSONA_SYMBOL


def declarations(declared: Sequence[Parameter]) -> list[str]:
    """Return the parameters as the signature declares them; one without a default is given by name."""
    first, *others = declared
    found = [first.declaration]
    for parameter in others:
        after_default = any("=" in each for each in found)
        found += ["*"] if not parameter.default and after_default and "*" not in found else []
        found.append(parameter.declaration)
    return found


def entry_signature(committed: CommittedPlan) -> str:
    """Return the signature of the emitted `run_pipeline`."""
    declared = ", ".join(declarations(pipeline_parameters(committed)))
    return f"run_pipeline({declared}) -> {reply_class(committed)}"


def entry_head(committed: CommittedPlan) -> str:
    """Return the `def` line of the emitted `run_pipeline`."""
    declared = declarations(pipeline_parameters(committed))
    return fitted(Group("def run_pipeline(", tuple(declared), f") -> {reply_class(committed)}:"))


def _message(committed: CommittedPlan) -> Parameter:
    """Return the message: a workflow works on a text; a conversation may also be woken without one."""
    if wakes(committed):
        words = 'The user\'s message; "heartbeat", an empty text or None means a scheduled run.'
        # hosts with a schedule call without arguments; a heartbeat's host passes the state that it keeps
        default = "" if is_heartbeat(committed) else "None"
        return Parameter("message", "str | None", default, words)
    workflow = bool(schemas(committed))
    words = "The text to work on." if workflow else "The user's message."
    if committed.classification.modality is Modality.SCHEDULED:  # its host learns from a typed error
        return Parameter("message", "str | None", "None", words)
    return Parameter("message", "str" if workflow else "str | None", "", words)


def _text_parameter(name: str, said: str, items: Iterable[PlannedElement], constant: str) -> Parameter:
    said += f"; empty takes config.{constant}." if constant else "; empty means none."
    elements = tuple(item.element for item in items)
    return Parameter(name, "str", '""', said, default_constant=constant, elements=elements)
