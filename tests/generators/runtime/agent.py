"""A small agent on the static runtime, in the shape that the generators print."""

from collections.abc import Callable
from types import ModuleType
from typing import Any, Literal

from mellea import start_session

from melleafy_tui.generators.runtime.checks import at_most, in_texts
from melleafy_tui.generators.runtime.prompts import Piece, document, prompt
from melleafy_tui.generators.runtime.rule_panel import Panel
from melleafy_tui.generators.runtime.runtime import (
    AgentReply,
    BestAttempt,
    chat_context,
    hook,
    is_wake_up,
    model_call,
    not_empty,
    notes_on,
    read_history,
    reply_text,
    session_options,
    transcript,
    unmet_rules,
)
from melleafy_tui.generators.runtime.typed_answers import TypedAnswer, parse, well_formed

ESCALATE = "If a ticket mentions data loss, escalate it to the on-call engineer."


def judged(asks: str, source: str = "", *, own_call: bool = False) -> Piece:
    """Return the piece of a rule for the judge."""
    return Piece(f"- {asks}\n", source, asks, own_call=own_call)


def checked(asks: str, check: Callable[[str], str], source: str = "") -> Piece:
    """Return the piece of a rule that Python checks."""
    return Piece(f"- {asks}\n", source, asks, check)


RULES = [
    judged("Never auto-close a ticket without confirmation.", "AGENTS.md:5"),
    checked("Keep every reply under 120 words.", at_most(119, "words"), "AGENTS.md:6"),
    judged(ESCALATE, "AGENTS.md:7"),
    Piece("- You may look up past tickets freely.\n", "AGENTS.md:9"),
]


def config(**changed: object) -> ModuleType:
    """Return a config.py."""
    module: Any = ModuleType("config")
    settings = {
        "BACKEND": "ollama",
        "MODEL_ID": "granite4.1:3b",
        "LOOP_BUDGET": 2,
        "ANSWER_TOKENS": 2048,
        "REQUEST_TIMEOUT": 20.0,
        "SMALLEST_CONTEXT": 8192,
        "LARGEST_CONTEXT": 32768,
    }
    vars(module).update({**settings, **changed})
    found: ModuleType = module
    return found


class Decision(TypedAnswer):
    """Whether there is anything to do now."""

    reason: str
    decision: Literal["act", "skip"]


def recall_memory(query: str) -> str:
    """Return what memory knows."""
    return f"[MEMORY.md] The billing queue is handled by another team ({len(query)})."


def run_agent(
    message: object,
    history: list[dict[str, str]] | str | None = None,
    *,
    rules: list[Piece] = RULES,
    settings: ModuleType | None = None,
    recall: Callable[[str], str] = recall_memory,
) -> AgentReply:
    """Answer one message, or handle one wake-up."""
    chosen: Any = settings or config()
    notes: list[str] = []
    turns = read_history(notes, history)
    woken = is_wake_up(message)
    request = "Act on the checklist." if woken else str(message)
    memory = hook(notes, recall, request)
    inputs = {"conversation": transcript(turns), "message": request, "memory": memory}
    session = session_options(chosen, document(rules), *inputs.values())
    reason = "a message was given"
    if woken:
        with model_call(), start_session(**session) as m:
            wake_up = m.instruct(
                "Decide whether anything needs action now.",
                requirements=[well_formed(Decision)],
                format=Decision,
                strategy=BestAttempt(loop_budget=chosen.LOOP_BUDGET),
            )
        decision = parse(str(wake_up), Decision)
        reason = decision.reason
        if decision.decision == "skip":
            return AgentReply(text="", skipped=True, reason=reason, unmet=[], notes=notes)
    panel = Panel(rules, inputs=lambda: inputs)
    with model_call(), start_session(**session, ctx=chat_context(turns)) as m:
        sampling = m.instruct(
            prompt(document(rules), message=request, memory=memory),
            requirements=[*panel.requirements, not_empty()],
            strategy=BestAttempt(loop_budget=chosen.LOOP_BUDGET),
            return_sampling_results=True,
        )
    return AgentReply(
        text=reply_text(sampling),
        skipped=False,
        reason=reason,
        unmet=unmet_rules(sampling),
        notes=[*notes, *notes_on(sampling)],
    )


def run_report(message: str) -> AgentReply:
    """Decide on one document, with a structured answer that the panel judges."""
    rules = [
        judged("Name the missing piece in the reason.", "SKILL.md:27"),
        checked("Keep the reason under 5 words.", in_texts(at_most(4, "words")), "SKILL.md:43"),
    ]
    panel = Panel(rules, inputs=lambda: {"message": message}, model=Decision)
    with model_call(), start_session(**session_options(config(), message)) as m:
        sampling = m.instruct(
            message,
            requirements=[well_formed(Decision), *panel.requirements],
            format=Decision,
            strategy=BestAttempt(loop_budget=2),
            return_sampling_results=True,
        )
    decision = parse(str(sampling), Decision)
    return AgentReply(
        text=f"{decision.decision}: {decision.reason}",
        skipped=False,
        reason="a document was given",
        unmet=unmet_rules(sampling),
        notes=notes_on(sampling),
    )
