"""Generates pipeline.py: the agent as one synchronous function, `run_pipeline(...) -> AgentReply`.

Code that packages share is in the static modules; what is printed here reads as this agent: its inputs, its branches in
source order, its model calls.
"""

from collections.abc import Iterator
from typing import Final

from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.file_set import EmittedFile
from melleafy_tui.generators.code_layout import (
    RUNTIME_DOOR,
    import_lines,
    parameters,
    statement,
    used_names,
    value,
)
from melleafy_tui.generators.config import persona_notes
from melleafy_tui.generators.literals import plain_words, string_literal
from melleafy_tui.generators.model_steps import FORMS
from melleafy_tui.generators.package_shape import Parameter, declarations, pipeline_parameters, reply_class
from melleafy_tui.generators.pipeline_parts import PipelineParts
from melleafy_tui.generators.requirements import OPERATING, PERSONA_RULES, SCOPED
from melleafy_tui.generators.templates_environment import render_template

_ARGUMENT_TEXTS: Final = {"str": "{0}", "int": 'str({0}) if {0} else ""', "bool": '"yes" if {0} else ""'}
"""Code that passes an argument to the model; absent arguments are left out."""

_LABELS: Final = {
    "ASKED": "The user's message:",
    "DECIDE": "You were woken. Act if something is due now, or if what is known shows that a point of the message"
    " needs action; otherwise skip.",
    "EVENT": "An event woke you. Act on it and report:",
    "LISTED": "What to look at:",
    "TASK": "The text to work on:",
    "WOKEN": "You were woken; nobody wrote. Act on what needs it and report:",
}
"""What stands above the message, and the task of a decision."""


def generate_pipeline(committed: CommittedPlan) -> list[EmittedFile]:
    """Return pipeline.py."""
    parts = PipelineParts(committed)
    declared = pipeline_parameters(committed)
    reply = reply_class(committed)
    head = statement("", parameters("def run_pipeline", declarations(declared)), f" -> {reply}:")
    function = render_template(
        "pipeline.py.j2",
        head="\n".join(head),
        docstring="\n".join(_docstring(parts, declared)),
        parts=parts,
        texts=parts.texts,
        reply=reply,
        persona_notes=bool(persona_notes(committed)),
        persona="persona" if len(parts.texts.persona) > 1 else "config.PREFIX_TEXT",
        **_values(parts),
    )
    code = [
        f'"""The {plain_words(committed.project_name)} agent as one callable: run_pipeline(message) -> {reply}."""',
        "",
        *_imports(parts, reply, function),
        *_labels(function),
        "",
        "",
        function,
    ]
    return [EmittedFile(f"{committed.package_name}/pipeline.py", "\n".join(code).encode())]


def _values(parts: PipelineParts) -> dict[str, object]:
    """Return what the template needs beside the parts: code, and lists of names with their code."""
    texts = parts.texts
    form, filled, filled_name, reply_code = _filled(parts)
    known = [("now", f"spoken(clock({'config.TIME_ZONE' if texts.zone else ''}))")]
    known += [("user", "facts")] if texts.facts else []
    known += [("daily_notes", "state")] if texts.state else []
    known += [("memory", "memory")] if texts.memory else []
    first = parts.offers and not parts.replies_with_tools
    between = next((step.name for step in parts.steps if step.checks), "") if first else ""
    rules = _rules(parts)
    rule_list = rules[0] if len(rules) == 1 else "rules" if rules else ""
    documents = [f"document({rule_list})"] if rule_list else []
    if (phase := parts.last_phase) is not None:
        documents.append(f"config.{phase.texts}[{string_literal(phase.name)}]")
    return {
        "known": [(string_literal(key), code) for key, code in known],
        "rules": rules,
        "rule_list": rule_list,
        "documents": documents,
        "reason": '"an event happened" if event else "a message was given"'
        if parts.event
        else '"a message was given"',
        "always": parts.always_asked,
        "arguments": [
            (string_literal(found.name), _ARGUMENT_TEXTS[found.annotation].format(found.name))
            for found in parts.arguments
        ],
        "tools_before": between,
        "tools_last": first and not between,
        "task": bool(parts.schemas or parts.workflow),
        "form": form,
        "filled": filled,
        "filled_name": filled_name,
        "reply_code": reply_code,
    }


def _rules(parts: PipelineParts) -> list[str]:
    """Return the lists of rules of a run, as code."""
    found = [OPERATING] if parts.has_requirements else []
    found += [f"{SCOPED}.get(scope, [])"] if parts.scoped_rules else []
    found += ["read_rules()"] if parts.loaded_rules else []
    return [*found, PERSONA_RULES] if parts.persona_rules else found


def _filled(parts: PipelineParts) -> tuple[str, list[tuple[str, str]], str, str]:
    """Return the model of the final answer, the forms that it fills, what holds it, and the code of the text."""
    forms = parts.schemas
    if not forms:
        return "", [], "", "reply_text(sampling)"
    if len(forms) > 1:
        several = [(schema.attribute, f"forms.{schema.attribute}") for schema in forms]
        return FORMS, several, "forms", f"joined({', '.join(f'rendered({code})' for _, code in several)})"
    name = forms[0].attribute
    return forms[0].class_name, [(name, name)], name, f"rendered({name})"


def _labels(code: str) -> Iterator[str]:
    """Yield the texts of ours that code uses, below an empty line."""
    for place, name in enumerate(used_names(code, _LABELS)):
        yield from [""] * (not place)
        yield from statement(f"{name} = ", value(_LABELS[name]))


_OF_RUNTIME: Final = (
    *("AgentReply", "BestAttempt", "Panel", "Tool", "ToolCalls", "ToolError", "call_or_note", "chat_context"),
    *("clock", "document", "due_or_named", "home_folder", "is_wake_up", "joined", "listed", "model_call"),
    *("not_empty", "note_runs", "notes_on", "parse", "payload_text", "prompt", "read_facts", "read_history"),
    *("read_rules", "read_text", "rendered", "reply_text", "require_message", "session_options", "settled"),
    *("spoken", "transcript", "unmet_rules", "use_tools", "well_formed"),
)
"""The names of the runtime that the printed body may use; those that occur are imported."""


def _imports(parts: PipelineParts, reply: str, code: str) -> list[str]:
    schemas = [FORMS] if len(parts.schemas) > 1 else [schema.class_name for schema in parts.schemas]
    schemas += [reply] if reply != "AgentReply" else []
    names = {
        "collections.abc": used_names(code, ("Callable",)),
        "mellea": ["start_session"],
        "mellea.backends": used_names(code, ("ModelOption",)),
        ".": list(parts.modules),
        RUNTIME_DOOR: used_names(code, _OF_RUNTIME),
        ".constrained_slots": list(parts.hooks),
        ".fixtures": ["mock_tools"] if parts.mocks else [],
        ".requirements": used_names(code, (OPERATING, PERSONA_RULES, SCOPED)),
        ".schemas": schemas + (["HeartbeatDecision"] if parts.heartbeat else []),
    }
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
