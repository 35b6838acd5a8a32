"""Generates pipeline.py: the agent as one synchronous function, `run_pipeline(...) -> AgentReply`.

Code that packages share is in the static modules; what is printed here reads as this agent: its inputs, its branches in
source order, its model calls.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.file_set import EmittedFile
from melleafy_tui.core.package.model_steps import PHASES_SYMBOL, TEXTS_SYMBOL
from melleafy_tui.generators.code_layout import (
    INDENT,
    RUNTIME_DOOR,
    Argument,
    Expression,
    Group,
    Raw,
    call,
    import_lines,
    listing,
    mapping,
    operands,
    parameters,
    statement,
    subscript,
    used_names,
    value,
)
from melleafy_tui.generators.config import PERSONA_NOTES, persona_notes
from melleafy_tui.generators.literals import plain_words, string_literal
from melleafy_tui.generators.model_steps import FORMS
from melleafy_tui.generators.package_shape import (
    CHECKLIST,
    Parameter,
    declarations,
    pipeline_parameters,
    reply_class,
)
from melleafy_tui.generators.pipeline_parts import CONFIG_MODULE, PipelineParts, Source, Step
from melleafy_tui.generators.provenance import SourceWriter
from melleafy_tui.generators.requirements import OPERATING, SCOPED
from melleafy_tui.generators.schedule_rows import TASKS_SYMBOL

_ARGUMENT_TEXTS: Final = {"str": "{0}", "int": 'str({0}) if {0} else ""', "bool": '"yes" if {0} else ""'}
"""Code that passes an argument to the model; absent arguments are left out."""

_STRATEGY: Final = Raw("BestAttempt(loop_budget=config.LOOP_BUDGET)")
_TOOL_STRATEGY: Final = Raw("calls.strategy(loop_budget=config.LOOP_BUDGET)")


def generate_pipeline(committed: CommittedPlan) -> list[EmittedFile]:
    """Return pipeline.py."""
    parts = PipelineParts(committed)
    declared = pipeline_parameters(committed)
    reply = reply_class(committed)
    body = _Body(committed, parts, declared, reply).lines()
    writer = SourceWriter(f"{committed.package_name}/pipeline.py")
    name = plain_words(committed.project_name)
    writer.add(f'"""The {name} agent as one callable: run_pipeline(message) -> {reply}."""')
    writer.blank()
    head = statement("", parameters("def run_pipeline", declarations(declared)), f" -> {reply}:")
    writer.add(_imports(parts, reply, "\n".join([*head, *body])))
    writer.blank(2)
    writer.add([*head, *_docstring(parts, declared), *body])
    return [writer.emitted()]


class _Body:
    """Prints the body of run_pipeline, branch by branch."""

    def __init__(
        self, committed: CommittedPlan, parts: PipelineParts, declared: tuple[Parameter, ...], reply: str
    ) -> None:
        self._parts = parts
        self._texts = parts.texts
        self._declared = declared
        self._reply = reply
        known = f"list(config.{PERSONA_NOTES})" if persona_notes(committed) else "[]"
        self._notes = f"    notes: list[str] = {known}"
        self._persona = "persona" if len(self._texts.persona) > 1 else "config.PREFIX_TEXT"

    def lines(self) -> list[str]:
        """Return the indented lines of the body."""
        return [
            self._notes,
            "    turns = read_history(notes, history)",
            *self._fixed_texts(),
            *self._request(),
            *self._fetched(),
            *self._rules(),
            *self._inputs(),
            *self._session_options(),
            *(self._wake_up() if self._parts.heartbeat else []),
            *self._steps(),
            *(self._tools_first(self._known_to_tools) if self._chooses_last else []),
            *self._answer(),
        ]

    # --- what the run knows -------------------------------------------------------------------

    def _fixed_texts(self) -> Iterator[str]:
        if len(self._texts.persona) > 1:
            yield from _joined("persona", self._texts.persona)
        if self._texts.identity:
            fields = tuple(
                Argument(f"{label}: " if label else "**", source.expression)
                for label, source in self._texts.identity
            )
            yield from statement(
                "identity = ", call("listed", Group("", "{", "}", fields, "display")), indent=1
            )
        if self._texts.facts:
            yield from _joined("facts", self._texts.facts)

    def _request(self) -> Iterator[str]:
        if self._parts.wakes:
            yield from self._woken_request()
        elif self._parts.event:
            yield '    request = payload_text(message) or ""'
            yield "    if not event:"
            yield "        require_message(request)"
        else:
            yield "    request = require_message(message)"
        if not self._parts.wakes:
            yield f"    reason = {self._reason}"
        if self._parts.event:
            yield "    if event:"
            yield '        request = joined(f"This event happened: {event}", request)'
        if self._parts.arguments:
            fields = mapping(
                (string_literal(found.name), Raw(_ARGUMENT_TEXTS[found.annotation].format(found.name)))
                for found in self._parts.arguments
            )
            yield from statement(
                "request = ", call("joined", Raw("request"), call("listed", fields)), indent=1
            )

    @property
    def _reason(self) -> str:
        given = '"a message was given"'
        return f'"an event happened" if event else {given}' if self._parts.event else given

    def _woken_request(self) -> Iterator[str]:
        event = " and not event" if self._parts.event else ""
        yield f"    woken = is_wake_up(message){event}"
        yield '    request = message or ""'
        yield f"    reason = {self._reason}"
        if self._parts.scheduled:
            yield from self._scheduled_request()
            return
        yield from self._due_tasks()
        checklist = self._parts.checklist
        if checklist == "checklist":
            both = call("joined", Raw(f"config.{CHECKLIST}"), Raw("asked"))
            yield from statement("checklist = ", both, indent=1)
        yield "    if woken:"
        if checklist:
            yield f'        request = f"Act on this checklist and report.\\n{{{checklist}}}"'
        else:
            yield '        request = "Do what is due now and report."'
        if self._parts.tasks:
            yield "    elif due:"
            yield from self._asked_by_schedule("asked")

    def _scheduled_request(self) -> Iterator[str]:
        """Yield the request of a run that a schedule started: a named task, or what is due and what is always asked."""
        always = [Raw(f"config.{symbol}") for symbol in self._parts.always_asked]
        if self._parts.tasks:
            yield from self._due_tasks()
            if always:
                yield "    if woken:"
                yield from statement("asked = ", call("joined", *always, Raw("asked")), indent=2)
            yield "    if asked:"
        else:
            yield "    if woken:"
        text = "asked"
        if not self._parts.tasks and len(always) == 1:
            text = always[0].code
        elif not self._parts.tasks:
            yield from statement("asked = ", call("joined", *always), indent=2)
        yield from self._asked_by_schedule(text)
        if self._parts.tasks and not always:
            yield "    elif woken:"
            skipped = self._skipped(string_literal("nothing on the schedule is due"))
            yield from statement("return ", skipped, indent=2)

    def _skipped(self, reason: str) -> Expression:
        """Return the reply of a run that does nothing."""
        values = {"text": '""', "skipped": "True", "reason": reason, "unmet": "[]", "notes": "notes"}
        return call(self._reply, **{name: Raw(code) for name, code in values.items()})

    def _asked_by_schedule(self, text: str) -> Iterator[str]:
        yield f'        request = f"Do what this schedule asks for.\\n{{{text}}}"'
        yield '        reason = "the schedule asked for it"'

    def _due_tasks(self) -> Iterator[str]:
        """Yield the tasks of a wake-up, or the task that the message names: `due`, and as text `asked`."""
        if not self._parts.tasks:
            return
        folder = f"home_folder({string_literal(self._parts.package_name)})"
        yield from operands("tasks_file = ", [folder, '"state.json"'], "/", indent=1)
        given = [Raw("notes"), Raw(f"config.{TASKS_SYMBOL}"), Raw("tasks_file"), Raw("request")]
        yield from statement("due = ", call("due_or_named", *given, woken=Raw("woken")), indent=1)
        yield """    asked = joined(*(str(task["text"]) for task in due))"""

    def _fetched(self) -> Iterator[str]:
        if self._texts.state:
            yield from _joined("state", self._texts.state)
        if self._texts.memory:
            yield from _joined("memory", self._texts.memory)

    def _rules(self) -> Iterator[str]:
        if self._parts.rule_list == "rules":
            listed = [OPERATING] if self._parts.has_requirements else []
            listed += [f"{SCOPED}.get(scope, [])"] if self._parts.scoped_rules else []
            if self._parts.loaded_rules:
                listed.append("read_rules()")
            if len(listed) == 1 and "(" in listed[0]:
                yield f"    rules = {listed[0]}"
            else:
                several = listing([Raw(f"*{expression}") for expression in listed])
                yield from statement("rules = ", several, indent=1)
        if self._guided:
            yield f"    guidance = guidance_text({self._parts.rule_list})"

    @property
    def _guided(self) -> bool:
        return self._parts.has_guidance or (self._parts.loaded_rules and bool(self._parts.rule_list))

    def _inputs(self) -> Iterator[str]:
        named = [("conversation", "transcript(turns)"), ("message", "request")]
        named += [("user", "facts")] if self._texts.facts else []
        named += [("state", "state")] if self._texts.state else []
        named += [("memory", "memory")] if self._texts.memory else []
        pairs = [(string_literal(key), Raw(code)) for key, code in named]
        yield from statement("inputs = ", mapping(pairs), indent=1)

    def _session_options(self) -> Iterator[str]:
        """Yield the tools, whose answers need room in the context window, and the options of all sessions."""
        texts = [Raw("config"), Raw(self._persona)]
        room: dict[str, Expression] = {}
        if self._parts.offers:
            yield from self._tool_calls()
            room["room"] = Raw("calls.room")
        if self._parts.rule_list:
            yield from statement(
                "listed_rules = ",
                Raw(f'"\\n".join(rule.text for rule in {self._parts.rule_list})'),
                indent=1,
            )
            texts.append(Raw("listed_rules"))
        texts += [Raw("config.TOOL_GUIDANCE")] if self._texts.guidance else []
        texts.append(Raw("*inputs.values()"))
        yield from statement("session = ", call("session_options", *texts, **room), indent=1)

    # --- the model calls ----------------------------------------------------------------------

    def _wake_up(self) -> Iterator[str]:
        question = '"Decide whether anything needs action now."'
        if self._parts.checklist:
            asked = "Decide whether anything on this checklist needs action now."
            question = f'f"{asked}\\n{{{self._parts.checklist}}}"'
        instruct = self._instruct(
            Raw(question),
            requirements=listing([call("well_formed", Raw("HeartbeatDecision"))]),
            grounding=self._grounding(results=False, identity=False),
            extra={"format": Raw("HeartbeatDecision"), "strategy": _STRATEGY},
        )
        yield ""
        yield "    if woken:"
        yield from _session(2)
        yield from statement("wake_up = ", instruct, indent=3)
        yield "        decision = parse(str(wake_up), HeartbeatDecision)"
        yield "        reason = decision.reason"
        yield '        if decision.decision == "skip":'
        yield from statement("return ", self._skipped("reason"), indent=3)

    def _steps(self) -> Iterator[str]:
        if not self._parts.steps:
            return
        yield ""
        yield "    steps: dict[str, str] = {}"
        chosen = not self._chooses_between
        for number, step in enumerate(self._parts.steps):
            indent = 1
            if step.checks and not chosen:
                chosen = True
                yield from self._tools_first([Argument("**", Raw("steps"))])
                yield '    steps["tool_results"] = results or "nothing found"'
            if step.phase:
                yield from ("", f"    # {plain_words(step.phase)}")
            if step.scope:
                yield f"    if scope == {string_literal(step.scope)}:"
                indent = 2
            yield from self._step(step, indent, known=self._parts.workflow and number > 0)
        yield "    findings = listed(steps)"

    @property
    def _chooses_first(self) -> bool:
        """Return whether the model chooses tools before the call of the reply."""
        return self._parts.offers and not self._parts.replies_with_tools

    @property
    def _chooses_between(self) -> bool:
        """Return whether the model chooses tools before a phase that checks outside data."""
        return self._chooses_first and any(step.checks for step in self._parts.steps)

    @property
    def _chooses_last(self) -> bool:
        return self._chooses_first and not self._chooses_between

    def _step(self, step: Step, indent: int, *, known: bool) -> Iterator[str]:
        before = f"steps[{string_literal(step.name)}] = "
        request: Expression = (
            call("joined", Raw("request"), Raw("listed(steps)")) if known else Raw("request")
        )
        if step.module == CONFIG_MODULE:
            texts = PHASES_SYMBOL if step.phase else TEXTS_SYMBOL
            text = subscript(f"config.{texts}", step.name)
            described = call("joined", text, Raw("request"), *([Raw("listed(steps)")] if known else []))
            instruct = self._instruct(
                described,
                requirements=listing([Raw("not_empty()")]),
                grounding=self._grounding(results=False, identity=False),
                extra={"strategy": _STRATEGY, "return_sampling_results": Raw("True")},
            )
            yield from _session(indent, turns=True)
            yield from statement("found = ", instruct, indent=indent + 1)
            yield from statement(before, Raw("reply_text(found)"), indent=indent)
            return
        function = Raw(f"{step.module}.{step.name}")
        if not step.taken_by_model:
            hooked = call(
                "call_or_note", Raw("notes"), function, request, catch=Raw("Exception"), otherwise=Raw('""')
            )
            yield from statement(before, hooked, indent=indent)
            return
        settled = call("settled", function, Raw("m"), request, Raw("config.LOOP_BUDGET"))
        yield from _session(indent, turns=True)
        yield from statement(before, settled, indent=indent + 1)

    def _tool_calls(self) -> Iterator[str]:
        offered: Expression = Raw("tools.TOOLS")
        if self._parts.passed_tools:
            yield "    offered = [*tools.TOOLS]" if self._parts.tools else "    offered: list[Tool] = []"
            offered = Raw("offered")
        for name in self._parts.passed_tools:
            described = subscript("config.TOOL_DESCRIPTIONS", name)
            made = call("offered.append", call("Tool", Raw(name), described, value(name)))
            yield f"    if {name}:"
            yield from statement("", made, indent=2)
            yield "    else:"
            missing = call("notes.append", value(f"{name}: no function was passed for it"))
            yield from statement("", missing, indent=2)
        named: dict[str, Expression] = {"confirm": Raw("confirm")} if self._parts.confirms else {}
        named |= {"rounds": Raw("config.TOOL_BUDGET")}
        yield from statement("calls = ", call("ToolCalls", offered, Raw("notes"), **named), indent=1)

    @property
    def _known_to_tools(self) -> list[Argument]:
        return [Argument('"findings": ', Raw("findings"))] if self._parts.steps else []

    def _tools_first(self, known: Iterable[Argument]) -> Iterator[str]:
        """Yield the call in which the model chooses tools before the call that needs their results.

        Args:
            known: What the model knows by then, beside the memory.
        """
        yield ""
        named = self._persona_argument()
        remembered = [Argument('"memory": ', Raw("memory"))] if self._texts.memory else []
        if pairs := (*remembered, *known):
            named["known"] = Group("", "{", "}", pairs, "display")
        made = call("use_tools", Raw("m"), Raw("request"), Raw("calls"), **named)
        yield from _session(1, turns=True)
        yield from statement("results = ", made, indent=2)

    def _answer(self) -> Iterator[str]:
        parts = self._parts
        form, indent = self._form, 2 if parts.replies_with_tools else 1
        yield ""
        if parts.last_phase is not None:
            yield f"    # {plain_words(parts.last_phase.phase)}"
        if parts.replies_with_tools:
            yield "    while True:"
        wanted: list[Expression] = []
        if parts.rule_list:
            judged: dict[str, Expression] = {"inputs": self._judged_inputs()}
            judged |= {"model": Raw(form)} if form else {}
            yield from statement("panel = ", call("Panel", Raw(parts.rule_list), **judged), indent=indent)
            wanted.append(Raw("*panel.requirements"))
        wanted.append(call("well_formed", Raw(form)) if form else Raw("not_empty()"))
        extra_arguments: dict[str, Expression] = {"format": Raw(form)} if form else {}
        strategy = _TOOL_STRATEGY if parts.replies_with_tools else _STRATEGY
        instruct = self._instruct(
            self._described(),
            requirements=listing(wanted),
            grounding=self._grounding(results=True, identity=True),
            extra={**extra_arguments, "strategy": strategy, "return_sampling_results": Raw("True")},
        )
        yield from _session(indent, turns=True)
        yield from statement("sampling = ", instruct, indent=indent + 1)
        if parts.replies_with_tools:
            yield "        if not calls.make():"
            yield "            break"
        yield from self._result(form)

    @property
    def _form(self) -> str:
        """Return the model of the final answer, or `""` if that is a text."""
        forms = self._parts.schemas
        return FORMS if len(forms) > 1 else forms[0].class_name if forms else ""

    def _judged_inputs(self) -> Expression:
        """Return what the judge sees beside the answer."""
        pairs = [Argument(f"{string_literal(key)}: ", Raw(code)) for key, code in self._found()]
        if self._parts.replies_with_tools:
            pairs.append(Argument('"tool_results": ', Raw("calls.results")))
        if not pairs:
            return Raw("inputs")
        return Group("", "{", "}", (Argument("**", Raw("inputs")), *pairs), "display")

    def _described(self) -> Expression:
        if self._parts.last_phase is not None:
            phase = subscript(f"config.{PHASES_SYMBOL}", self._parts.last_phase.name)
            return call("joined", phase, Raw("request"), *([Raw("guidance")] if self._guided else []))
        return Raw('f"{request}\\n\\n{guidance}"') if self._guided else Raw("request")

    def _filled(self, form: str) -> tuple[list[str], dict[str, str], str]:
        """Return the lines that parse the final answer, the forms that it fills, and the code of the text."""
        forms = self._parts.schemas
        if not form:
            return [], {}, "reply_text(sampling)"
        if form == FORMS:
            several = {schema.attribute: f"forms.{schema.attribute}" for schema in forms}
            text = ", ".join(f"rendered({code})" for code in several.values())
            return [f"    forms = parse(str(sampling), {form})"], several, f"joined({text})"
        attribute = forms[0].attribute
        parsed = [f"    {attribute} = parse(str(sampling), {form})"]
        return parsed, {attribute: attribute}, f"rendered({attribute})"

    def _result(self, form: str) -> Iterator[str]:
        parsed, filled, text = self._filled(form)
        yield from parsed
        if self._texts.saves_state:
            saved = [Raw("notes"), Raw("tools.save_working_state"), Raw("request"), Raw(text)]
            yield from statement(
                "", call("call_or_note", *saved, catch=Raw("OSError"), otherwise=Raw("None")), indent=1
            )
        if self._parts.tasks:
            yield "    if due:"
            yield "        note_runs(notes, due, tasks_file)"
        result = {
            "text": Raw(text),
            "skipped": Raw("False"),
            "reason": Raw("reason"),
            "unmet": Raw("unmet_rules(sampling)"),
            "notes": Raw("[*notes, *notes_on(sampling)]"),
        }
        result |= {name: Raw(code) for name, code in filled.items()}
        yield from statement("return ", call(self._reply, **result), indent=1)

    # --- its arguments ------------------------------------------------------------------------

    def _instruct(
        self,
        description: Expression,
        *,
        requirements: Expression,
        grounding: Expression | None,
        extra: dict[str, Expression],
    ) -> Expression:
        named = self._persona_argument()
        named["requirements"] = requirements
        if grounding is not None:
            named["grounding_context"] = grounding
        return call("m.instruct", description, **named, **extra)

    def _persona_argument(self) -> dict[str, Expression]:
        if self._parts.system_persona:
            return {"model_options": mapping([("ModelOption.SYSTEM_PROMPT", Raw(self._persona))])}
        return {"prefix": Raw(self._persona)}

    def _found(self) -> list[tuple[str, str]]:
        found = [("findings", "findings")] if self._parts.steps else []
        return [*found, ("tool_results", "results")] if self._chooses_last else found

    def _grounding(self, *, results: bool, identity: bool) -> Expression | None:
        keys = [
            ("agent", "identity", identity and bool(self._texts.identity)),
            ("user", _or_words("facts", self._texts.facts, "nothing known"), bool(self._texts.facts)),
            ("state", _or_words("state", self._texts.state, "no notes"), bool(self._texts.state)),
            ("memory", _or_words("memory", self._texts.memory, "nothing recalled"), bool(self._texts.memory)),
            ("tool_guidance", "config.TOOL_GUIDANCE", results and self._texts.guidance),
        ]
        pairs = [(string_literal(key), call("str", Raw(name))) for key, name, there in keys if there]
        if results:
            pairs += [
                (string_literal(key), call("str", Raw(f'{name} or "nothing found"')))
                for key, name in self._found()
            ]
            if self._parts.replies_with_tools:
                pairs.append(('"tool_results"', call("str", Raw('calls.results or "nothing yet"'))))
        return mapping(pairs) if pairs else None


def _joined(name: str, sources: tuple[Source, ...]) -> list[str]:
    if len(sources) == 1:
        return statement(f"{name} = ", sources[0].expression, indent=1)
    joined = call("joined", *(source.expression for source in sources))
    return statement(f"{name} = ", joined, indent=1)


def _or_words(name: str, sources: tuple[Source, ...], otherwise: str) -> str:
    """Return the name, with a fallback text in case all its sources are empty."""
    if any(source.present for source in sources):
        return name
    return f"{name} or {string_literal(otherwise)}"


def _session(indent: int, *, turns: bool = False) -> list[str]:
    context = ", ctx=chat_context(turns)" if turns else ""
    return [f"{INDENT * indent}with model_call(), start_session(**session{context}) as m:"]


_HELPERS: Final[dict[str, tuple[str, ...]]] = {
    RUNTIME_DOOR: (
        "BestAttempt",
        "Panel",
        "Rule",
        "Tool",
        "ToolCalls",
        "ToolError",
        "call_or_note",
        "chat_context",
        "due_or_named",
        "guidance_text",
        "home_folder",
        "is_wake_up",
        "joined",
        "listed",
        "model_call",
        "not_empty",
        "note_runs",
        "notes_on",
        "parse",
        "payload_text",
        "read_facts",
        "read_history",
        "read_rules",
        "read_text",
        "rendered",
        "reply_text",
        "require_message",
        "session_options",
        "settled",
        "transcript",
        "unmet_rules",
        "use_tools",
        "well_formed",
    ),
    "mellea.backends": ("ModelOption",),
    "collections.abc": ("Callable",),
}
"""The names that the printed body may use, by the module that has them; those that occur are imported."""


def _imports(parts: PipelineParts, reply: str, code: str) -> list[str]:
    names = {module: used_names(code, found) for module, found in _HELPERS.items()}
    names["mellea"] = ["start_session"]
    names["."] = list(parts.modules)
    names[".constrained_slots"] = list(parts.hooks)
    if parts.mocks:
        names[".fixtures"] = ["mock_tools"]
    names[".requirements"] = list(parts.requirement_names)
    schemas = [FORMS] if len(parts.schemas) > 1 else [schema.class_name for schema in parts.schemas]
    schemas += ["HeartbeatDecision"] if parts.heartbeat else []
    home = RUNTIME_DOOR if reply == "AgentReply" else ".schemas"
    names[".schemas"] = schemas
    names[home] = [*names[home], reply]
    return import_lines((), names)


def _docstring(parts: PipelineParts, declared: tuple[Parameter, ...]) -> list[str]:
    summary = "Answer one message."
    if parts.heartbeat:
        summary = "Answer one message, or handle one heartbeat."
    elif parts.scheduled:
        summary = "Answer one message, or do what the schedule asks for."
    returned = "whether the run was skipped, and the rules that the reply breaks."
    return [
        f'    """{summary}',
        "",
        "    Args:",
        *(f"        {parameter.name}: {plain_words(parameter.description)}" for parameter in declared),
        "",
        "    Returns:",
        f"        The reply, {returned}",
        "",
        "    Raises:",
        "        InputError: the input is missing, invalid or too long for the model.",
        "        BackendError: a model call failed.",
        *(["        RuleError: a validator of the host failed."] if parts.rule_stubs else []),
        "        PipelineError: the model's answer is unusable.",
        '    """',
    ]
