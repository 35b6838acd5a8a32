"""Generates pipeline.py: the agent as one synchronous function, `run_pipeline(...) -> AgentReply`.

Code that packages share is in the static modules; what is printed here reads as this agent: its inputs, its branches in
source order, its model calls.
"""

from collections.abc import Iterable
from typing import Any, Final

from melleafy_tui.core.models.file_set import EmittedFile
from melleafy_tui.generators.config import persona_notes
from melleafy_tui.generators.documents import Documents
from melleafy_tui.generators.literals import RUNTIME_DOOR, Group, fitted, string_literal
from melleafy_tui.generators.package_shape import declarations, pipeline_parameters, reply_class
from melleafy_tui.generators.pipeline_parts import PipelineParts
from melleafy_tui.generators.procedure import generate_procedure
from melleafy_tui.generators.requirements import OPERATING, PERSONA_RULES, SCOPED
from melleafy_tui.generators.schemas import FORMS
from melleafy_tui.generators.templates_environment import code_file

_ARGUMENT_TEXTS: Final = {"str": "{0}", "int": 'str({0}) if {0} else ""', "bool": '"yes" if {0} else ""'}
"""Code that passes an argument to the model; absent arguments are left out."""


def generate_pipeline(documents: Documents) -> list[EmittedFile]:
    """Return pipeline.py."""
    if documents.committed.inventory.procedure is not None:
        return generate_procedure(documents, documents.committed.inventory.procedure)
    committed, parts = documents.committed, PipelineParts(documents)
    declared = pipeline_parameters(committed)
    reply = reply_class(committed)
    signature = Group("def run_pipeline(", tuple(declarations(declared)), f") -> {reply}:")
    return [
        code_file(
            committed,
            "pipeline.py",
            _names(parts, reply),
            project=committed.project_name,
            head=fitted(signature),
            declared=declared,
            parts=parts,
            texts=parts.texts,
            reply=reply,
            persona_notes=bool(persona_notes(documents)),
            persona="persona" if len(parts.texts.persona) > 1 else "config.PREFIX_TEXT",
            **_values(parts),
        )
    ]


def _values(parts: PipelineParts) -> dict[str, Any]:
    """Return what the template needs beside the parts: code, and lists of names with their code."""
    texts = parts.texts
    form, filled, filled_name, reply_code = _filled(parts)
    known = [("now", f"spoken(clock({'config.TIME_ZONE' if texts.zone else ''}))")]
    known += [("user", "facts")] if texts.facts else []
    known += [("daily_notes", "state")] if texts.state else []
    known += [("memory", "memory")] if texts.memory else []
    rules = _rules(parts)
    rule_list = rules[0] if len(rules) == 1 else "rules" if rules else ""
    documents = [f"document({rule_list})"] if rule_list else []
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
        "tools_last": parts.offers and not parts.replies_with_tools,
        "task": bool(parts.schemas),
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


_OF_RUNTIME: Final = (
    *("AgentReply", "BestAttempt", "Panel", "Tool", "ToolCalls", "ToolError", "chat_context", "hook"),
    *("clock", "document", "due_or_named", "home_folder", "is_wake_up", "joined", "listed", "model_call"),
    *("not_empty", "note_runs", "notes_on", "parse", "payload_text", "prompt", "read_facts", "read_history"),
    *("read_rules", "read_text", "rendered", "reply_text", "require_message", "session_options"),
    *("spoken", "transcript", "unmet_rules", "use_tools", "well_formed"),
)
"""The names of the runtime that the printed body may use; those that occur are imported."""


def _names(parts: PipelineParts, reply: str) -> dict[str, Iterable[str]]:
    """Return the names that the code may use, by the module that they are imported from."""
    forms = (FORMS, *(schema.class_name for schema in parts.schemas))
    return {
        "collections.abc": ["Callable"],
        "mellea": ["start_session"],
        "mellea.backends": ["ModelOption"],
        ".": ["config", "constrained_slots", "tools"],
        RUNTIME_DOOR: _OF_RUNTIME,
        ".constrained_slots": ["confirm", *(source.code for source in parts.texts.sources if source.hook)],
        ".fixtures": ["mock_tools"],
        ".requirements": [OPERATING, PERSONA_RULES, SCOPED],
        ".schemas": ["HeartbeatDecision", *forms, *([reply] if parts.schemas else [])],
    }
