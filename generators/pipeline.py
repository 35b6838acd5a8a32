"""Generates pipeline.py: the agent as one synchronous function, `run_pipeline(...) -> AgentReply`."""

from typing import Final

from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.file_set import EmittedFile
from melleafy_tui.core.package.model_steps import PHASES_SYMBOL, TEXTS_SYMBOL
from melleafy_tui.core.package.result_schemas import ReportSchema
from melleafy_tui.generators.code_layout import (
    INDENT,
    Argument,
    Expression,
    Group,
    Raw,
    call,
    import_lines,
    listing,
    mapping,
    parameters,
    statement,
    value,
)
from melleafy_tui.generators.literals import plain_words, string_literal
from melleafy_tui.generators.package_shape import SCHEDULED_REQUEST, SCHEDULED_RUN, pipeline_parameters
from melleafy_tui.generators.pipeline_parts import CONFIG_MODULE, PipelineParts, Source, Step, pipeline_parts
from melleafy_tui.generators.provenance import SourceWriter
from melleafy_tui.generators.templates_environment import render_template

_ARGUMENT_TEXTS = {"str": "{0}", "int": 'str({0}) if {0} else ""', "bool": '"yes" if {0} else ""'}
"""Code that passes an argument to the model; absent arguments are left out."""

_STRATEGY = Raw("RepairTemplateStrategy(loop_budget=config.LOOP_BUDGET)")


def pipeline_body(parts: PipelineParts) -> list[str]:
    """Return the lines of the body, indented."""
    persona = "persona" if _persona_is_built(parts) else "config.PREFIX_TEXT"
    return [
        *_texts(parts),
        *_request(parts),
        *_fetched(parts),
        *(_wake_up(parts, persona) if parts.heartbeat else []),
        *_steps_and_tools(parts, persona),
        *_reply(parts, persona),
        *(line for schema in parts.schemas for line in _filled(parts, schema, persona)),
        *_afterwards(parts),
    ]


def _persona_is_built(parts: PipelineParts) -> bool:
    return len(parts.texts.persona) > 1


def _texts(parts: PipelineParts) -> list[str]:
    lines = ["    notes: list[str] = []"]
    if parts.external_backend:
        lines += [
            f"    {parts.backend_expression} = _backend(backend or config.BACKEND)",
            f"    {parts.model_expression} = model_id or config.MODEL_ID",
        ]
    if _persona_is_built(parts):
        lines += _gathered("persona", parts.texts.persona)
    if parts.texts.identity:
        lines += _identity(parts)
    if parts.texts.facts:
        lines += _gathered("facts", parts.texts.facts)
    return lines


def _identity(parts: PipelineParts) -> list[str]:
    fields = tuple(
        Argument(f"{label}: " if label else "**", source.code) for label, source in parts.texts.identity
    )
    shown = call("_listed", Group("", "{", "}", fields, "display"))
    return statement("identity = ", shown, indent=1)


def _request(parts: PipelineParts) -> list[str]:
    lines = _request_itself(parts)
    if parts.arguments:
        fields = mapping(
            (string_literal(found.name), Raw(_ARGUMENT_TEXTS[found.annotation].format(found.name)))
            for found in parts.arguments
        )
        lines += [
            *statement("arguments = ", call("_listed", fields), indent=1),
            "    request = _joined(request, arguments)",
        ]
    return lines


def _request_itself(parts: PipelineParts) -> list[str]:
    lines: list[str] = []
    if parts.event:
        lines += [
            "    request = message",
            "    if event:",
            '        request = _joined(f"This event happened: {event}", message)',
        ]
    else:
        lines.append("    request = message")
    if not parts.heartbeat:
        reason = (
            '"an event happened" if event else "a message was given"'
            if parts.event
            else '"a message was given"'
        )
        lines.append(f"    reason = {reason}")
        return [*lines, *_SCHEDULED] if parts.scheduled else lines
    lines.append('    reason = "a message was given"')
    if parts.has_checklist:
        lines.append('    checklist = "\\n".join(f"- {item}" for item in config.HEARTBEAT_CHECKLIST)')
    lines.append("    woken = message == HEARTBEAT")
    lines.append("    if woken:")
    if parts.has_checklist:
        lines.append('        request = f"Act on this checklist and report.\\n{checklist}"')
    else:
        lines.append('        request = "Do what is due now and report."')
    return lines


_SCHEDULED: Final = (
    "    if message == SCHEDULED_RUN:",
    f'        request = f"Do what this schedule asks for.\\n{{config.{SCHEDULED_REQUEST}}}"',
    '        reason = "the schedule asked for it"',
)
"""Code of a scheduled run."""


def _fetched(parts: PipelineParts) -> list[str]:
    lines: list[str] = []
    if parts.texts.state:
        lines += _gathered("state", parts.texts.state)
    if parts.texts.memory:
        lines += _gathered("memory", parts.texts.memory)
    return lines


def _wake_up(parts: PipelineParts, persona: str) -> list[str]:
    question = '"Decide whether anything needs action now."'
    if parts.has_checklist:
        question = 'f"Decide whether anything on this checklist needs action now.\\n{checklist}"'
    instruct = _instruct(
        parts,
        Raw(question),
        persona,
        requirements=Raw("[_well_formed(HeartbeatDecision)]"),
        extra={"format": Raw("HeartbeatDecision"), "strategy": _STRATEGY},
        grounding=_grounding(parts, results=False),
    )
    return [
        "",
        "    if woken:",
        *_session(parts, 2),
        *statement("wake_up = ", instruct, indent=3),
        "        decision = _parse(str(wake_up), HeartbeatDecision)",
        "        reason = decision.reason",
        '        if decision.decision == "skip":',
        "            return AgentReply(",
        '                text="", skipped=True, reason=reason, unmet=[], notes=notes',
        "            )",
    ]


def _steps_and_tools(parts: PipelineParts, persona: str) -> list[str]:
    """Return steps and tools; in a workflow the tools come before the first check, which gets their results."""
    early = parts.tools_at
    lines = ["", "    steps: dict[str, str] = {}"] if parts.steps else []
    lines += _steps(parts, persona, 0, early)
    if parts.steps and early == len(parts.steps):
        lines.append("    findings = _listed(steps)")
    if parts.tools:
        lines += _tools(parts, persona, _known(parts) if parts.workflow and early else "request")
    if early < len(parts.steps):
        lines += ["    if results:", '        steps["tool_results"] = results']
        lines += [*_steps(parts, persona, early, len(parts.steps)), "    findings = _listed(steps)"]
    return lines


def _known(parts: PipelineParts) -> str:
    return "_so_far(request, steps, memory)" if parts.texts.memory else "_so_far(request, steps)"


def _steps(parts: PipelineParts, persona: str, first: int, last: int) -> list[str]:
    lines: list[str] = []
    for number, step in enumerate(parts.steps[first:last], first):
        indent = 1
        if step.scope:
            lines.append(f"    if scope == {string_literal(step.scope)}:")
            indent = 2
        request = _known(parts) if parts.workflow and (number or parts.texts.memory) else "request"
        lines += _step(parts, step, persona, indent, request)
    return lines


def _step(parts: PipelineParts, step: Step, persona: str, indent: int, request: str) -> list[str]:
    name = string_literal(step.name)
    before = f"steps[{name}] = "
    if step.module == CONFIG_MODULE:
        texts = PHASES_SYMBOL if step.phase else TEXTS_SYMBOL
        given = [Raw(f"config.{texts}[{name}]"), Raw(request), Raw(persona)]
        if parts.external_backend:
            given += [Raw(parts.backend_expression), Raw(parts.model_expression)]
        return statement(before, call("_drafted", *given), indent=indent)
    function = Raw(f"{step.module}.{step.name}")
    if not step.taken_by_model:
        return statement(before, call("_consult", Raw("notes"), function, Raw(request)), indent=indent)
    settled = call("_settled", value(step.name), function, Raw("m"), Raw(request))
    return [
        *_session(parts, indent),
        *statement(before, settled, indent=indent + 1),
    ]


def _tools(parts: PipelineParts, persona: str, request: str) -> list[str]:
    own = [(string_literal(tool.name), Raw(tool.expression)) for tool in parts.tools if not tool.parameter]
    lines = ["", *statement("offered: dict[str, Callable[[str], str]] = ", mapping(own), indent=1)]
    for tool in parts.tools:
        if tool.parameter:
            lines += [
                f"    if not {tool.name}:",
                *statement(
                    "", call("notes.append", value(f"{tool.name}: no function was passed for it")), indent=2
                ),
                "    else:",
                *statement("offered |= ", mapping([(string_literal(tool.name), Raw(tool.name))]), indent=2),
            ]
    arguments = [Raw(request), Raw(persona), Raw("offered"), Raw("notes")]
    arguments += [Raw("confirm")] if parts.confirms else []
    if parts.external_backend:
        arguments += [Raw(parts.backend_expression), Raw(parts.model_expression)]
    return [
        *lines,
        *statement("results = ", call("_use_tools", *arguments), indent=1),
    ]


def _reply(parts: PipelineParts, persona: str) -> list[str]:
    description = "request"
    lines = [""]
    if parts.has_notes:
        lines.append('    guidance = "\\n".join(OPERATING_NOTES)')
        description = "_joined(request, guidance)"
    rules: list[Expression] = []
    if parts.has_requirements:
        scope = 'scope or "general"' if parts.scoped_requirements else ""
        rules.append(Raw(f"*attached_requirements({scope})"))
    if parts.loaded_rules:
        lines += [
            "    rules = _attempt(notes, loader.read_operating_rules)",
            '    loaded = [req(f"The reply follows each of these rules:\\n{rules}")] if rules else []',
        ]
        rules.append(Raw("*loaded"))
    rules.append(Raw("says_something"))
    lines += [
        "    says_something = check(",
        '        "The reply is not empty.", validation_fn=simple_validate(_says_something)',
        "    )",
    ]
    instruct = _instruct(
        parts,
        Raw(description),
        persona,
        requirements=listing(rules),
        extra={"strategy": _STRATEGY, "return_sampling_results": Raw("True")},
        grounding=_grounding(parts, results=True),
    )
    lines += [*_session(parts, 1), *statement("sampling = ", instruct, indent=2)]
    lines += [
        "    unmet = _unmet(sampling)",
        "    text = str(sampling).strip()",
        "    if not text:",
        '        raise PipelineError("the model returned an empty reply")',
    ]
    return lines


def _filled(parts: PipelineParts, schema: ReportSchema, persona: str) -> list[str]:
    """Return the call that fills a form from the request, the results of the steps, and the reply."""
    name = schema.class_name
    keys = [("findings", _or_nothing_found(parts))] if parts.steps else []
    keys += [("tool_results", 'results or "none was called"')] if parts.tools else []
    keys += [("reply", "text")]
    named: dict[str, Expression] = {}
    if parts.system_persona:
        named["model_options"] = mapping([("ModelOption.SYSTEM_PROMPT", Raw(persona))])
    else:
        named["prefix"] = Raw(persona)
    named["requirements"] = Raw(f"[_well_formed({name})]")
    named["grounding_context"] = mapping((string_literal(key), Raw(f"str({code})")) for key, code in keys)
    named |= {"format": Raw(name), "strategy": _STRATEGY}
    asked = f"Fill the fields of {name} for this request; take them from the findings and the reply."
    return [
        "",
        *_session(parts, 1),
        *statement(
            "form = ", call("m.instruct", Raw(f'f"{asked}\\n\\nRequest: {{request}}"'), **named), indent=2
        ),
        *statement(f"{schema.attribute} = ", call("_parse", Raw("str(form)"), Raw(name)), indent=1),
    ]


def _afterwards(parts: PipelineParts) -> list[str]:
    lines: list[str] = []
    if parts.rule_stubs:
        lines.append("    notes += _unchecked(sampling)")
    if parts.texts.saves_state:
        lines.append("    _attempt(notes, tools.save_working_state, request, text)")
    if parts.texts.updates_memory:
        lines.append(f"    _consult(notes, {parts.texts.updates_memory}, text)")
    named = {name: Raw(name) for name in ("text", "reason", "unmet", "notes")}
    named = {"text": named["text"], "skipped": Raw("False"), **named}
    named |= {schema.attribute: Raw(schema.attribute) for schema in parts.schemas}
    return [*lines, *statement("return ", call("AgentReply", **named), indent=1)]


def _instruct(
    parts: PipelineParts,
    description: Expression,
    persona: str,
    *,
    requirements: Expression,
    extra: dict[str, Expression],
    grounding: Expression | None,
) -> Expression:
    named: dict[str, Expression] = {}
    if parts.system_persona:
        named["model_options"] = mapping([("ModelOption.SYSTEM_PROMPT", Raw(persona))])
    else:
        named["prefix"] = Raw(persona)
    named["requirements"] = requirements
    if grounding is not None:
        named["grounding_context"] = grounding
    return call("m.instruct", description, **named, **extra)


def _grounding(parts: PipelineParts, *, results: bool) -> Expression | None:
    keys = [
        ("agent", "identity", bool(parts.texts.identity)),
        ("user", _or_words("facts", parts.texts.facts, "nothing known"), bool(parts.texts.facts)),
        ("state", _or_words("state", parts.texts.state, "no notes"), bool(parts.texts.state)),
        ("memory", _or_words("memory", parts.texts.memory, "nothing recalled"), bool(parts.texts.memory)),
        ("findings", _or_nothing_found(parts), results and bool(parts.steps)),
        ("tool_guidance", "config.TOOL_GUIDANCE", parts.texts.guidance),
        ("tool_results", 'results or "none was called"', results and bool(parts.tools)),
    ]
    pairs = [(string_literal(key), Raw(f"str({name})")) for key, name, there in keys if there]
    return mapping(pairs) if pairs else None


def _or_nothing_found(parts: PipelineParts) -> str:
    always = any(step.taken_by_model and not step.scope for step in parts.steps)
    return "findings" if always else 'findings or "nothing found"'


def _or_words(name: str, sources: tuple[Source, ...], otherwise: str) -> str:
    """Return the name, with a fallback text in case all its sources are empty."""
    always = any(source.always_there for source in sources)
    return name if always else f"{name} or {string_literal(otherwise)}"


def _session(parts: PipelineParts, indent: int) -> list[str]:
    opened = f"start_session({parts.backend_expression}, {parts.model_expression})"
    return [f"{INDENT * indent}with _model_call(), {opened} as m:"]


def _gathered(name: str, sources: tuple[Source, ...]) -> list[str]:
    if len(sources) == 1:
        return statement(f"{name} = ", sources[0].code, indent=1)
    joined = call("_joined", *(source.code for source in sources))
    return statement(f"{name} = ", joined, indent=1)


def generate_pipeline(committed: CommittedPlan) -> list[EmittedFile]:
    """Return pipeline.py."""
    parts = pipeline_parts(committed)
    writer = SourceWriter(f"{committed.package_name}/pipeline.py")
    name = plain_words(committed.project_name)
    writer.add(f'"""The {name} agent as one callable: run_pipeline(message) -> AgentReply."""')
    writer.blank()
    writer.add(_imports(parts))
    for constant in _module_constants(parts):
        writer.blank()
        writer.add(constant)
    writer.blank(2)
    writer.add(
        render_template(
            "pipeline_helpers.py.j2",
            structured=parts.structured,
            joins=parts.joins,
            defaults=parts.defaults,
            listed_fields=bool(parts.texts.identity or parts.steps or parts.arguments),
            guarded=parts.guarded,
            confirms=parts.confirms,
            settles=parts.settles,
            workflow=parts.workflow,
            references=bool(parts.texts.memory),
            rule_stubs=parts.rule_stubs,
            drafts=parts.drafts,
            consults=parts.consults,
            attempts=parts.attempts,
            tools=bool(parts.tools),
            tool_errors=parts.tool_errors,
            external_backend=parts.external_backend,
            persona_argument=parts.persona_argument("persona"),
        )
    )
    writer.blank(2)
    declared = [parameter.declaration for parameter in pipeline_parameters(committed)]
    writer.add(statement("", parameters("def run_pipeline", declared), " -> AgentReply:"))
    writer.add(_docstring(committed, parts))
    writer.add(pipeline_body(parts))
    return [writer.emitted()]


def _module_constants(parts: PipelineParts) -> list[list[str]]:
    constants: list[list[str]] = []
    if parts.heartbeat:
        constants.append(['HEARTBEAT = "heartbeat"'])
    if parts.scheduled:
        constants.append(statement("SCHEDULED_RUN = ", value(SCHEDULED_RUN)))
    if parts.structured:
        constants.append(['ModelT = TypeVar("ModelT", bound=BaseModel)'])
    if parts.external_backend:
        constants.append(['BackendName = Literal["ollama", "hf", "openai", "watsonx", "litellm"]'])
    return constants


def _imports(parts: PipelineParts) -> list[str]:
    typing = ["Literal"] if parts.external_backend else []
    typing += ["Any"] if parts.settles else []
    mellea_requirements = ["check", "simple_validate"]
    if parts.structured:
        typing.append("TypeVar")
        mellea_requirements += ["Requirement", "req"]
    if parts.loaded_rules:
        mellea_requirements.append("req")
    schemas = ["AgentReply"]
    schemas += ["Draft"] if parts.drafts else []
    schemas += ["HeartbeatDecision"] if parts.heartbeat else []
    schemas += ["ToolChoice"] if parts.tools else []
    schemas += [schema.class_name for schema in parts.schemas]
    names: dict[str, list[str]] = {
        "collections.abc": ["Callable", "Iterator"] if parts.uses_callable else ["Iterator"],
        "contextlib": ["contextmanager"],
        "typing": typing,
        "mellea": ["MelleaSession", "start_session"] if parts.settles else ["start_session"],
        "mellea.backends": ["ModelOption"] if parts.system_persona else [],
        "mellea.core": ["SamplingResult"],
        "mellea.stdlib.requirements": mellea_requirements,
        "mellea.stdlib.sampling": ["RepairTemplateStrategy"],
        "pydantic": ["BaseModel", "ValidationError"] if parts.structured or parts.settles else [],
        ".": list(parts.modules),
        ".fixtures": ["mock_tools"] if parts.mocks else [],
        ".permissions": ["refusal", *(["question"] if parts.confirms else [])] if parts.guarded else [],
        ".requirements": list(parts.requirement_names),
        ".schemas": schemas,
    }
    return import_lines((), names)


def _docstring(committed: CommittedPlan, parts: PipelineParts) -> list[str]:
    summary = "Answer one message."
    if parts.heartbeat:
        summary = "Answer one message, or decide on one heartbeat and act on it."
    elif parts.scheduled:
        summary = "Answer one message, or do what the schedule asks for."
    lines = [f'    """{summary}', "", "    Args:"]
    lines += [
        f"        {parameter.name}: {plain_words(parameter.description)}"
        for parameter in pipeline_parameters(committed)
    ]
    return [
        *lines,
        "",
        "    Returns:",
        "        The reply, whether it was skipped, and which requirements it does not meet.",
        "",
        "    Raises:",
        "        BackendError: a model call did not come to its end.",
        *(["        RuleError: a validator of the host failed."] if parts.rule_stubs else []),
        "        PipelineError: the model's answer could not be used.",
        '    """',
    ]
