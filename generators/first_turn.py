"""Counts what the first turn of a package costs, from the texts of its requests.

A turn makes one call for the reply or report, one for each 12 judged rules, and one for each rule judged
individually. The call of a reply offers the tools; a
form can't, so there one call finds that no tool is needed. A heartbeat that acts needs one more, to decide. The texts
are put together by the functions that the package itself uses (`runtime/prompts.py`), so that its frame is counted.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Final

from msgspec import Struct

from melleafy_tui.core.language.text_measures import estimated_tokens, letters_and_signs
from melleafy_tui.core.models.committed import CommittedPlan, PlannedElement
from melleafy_tui.core.models.file_set import RunCost
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.procedure import END, Does, Procedure
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind
from melleafy_tui.generators import package_shape as shape
from melleafy_tui.generators.config import identity_fields
from melleafy_tui.generators.constrained_slots import slot_of
from melleafy_tui.generators.documents import (
    GUIDANCE,
    PERSONA,
    RULES,
    USER,
    WAKE_UPS,
    Documents,
    persona_text,
    step_text,
    text_of,
)
from melleafy_tui.generators.pipeline import PipelineParts
from melleafy_tui.generators.procedure import tools_of
from melleafy_tui.generators.requirements import judge_calls, sorted_rules
from melleafy_tui.generators.runtime.memory import LONGEST_MAIN, LONGEST_RECALL, is_memory, passages_of
from melleafy_tui.generators.runtime.prompts import prompt, spoken, tagged
from melleafy_tui.generators.schedule_rows import task_rows
from melleafy_tui.generators.tools import script_parameters, working_tools

MESSAGE: Final = "hello"
"""The message of the turn; whoever knows a longer one adds its characters once a request."""
_NOW: Final = spoken(datetime(2026, 11, 27, 21, 40, tzinfo=UTC))

_JUDGE: Final = 440
"""Characters of the judge's task and of the tag around the answer (`runtime/rule_panel.py`)."""
_CHOICE: Final = 160
"""Characters that ask for the tools still needed (`runtime/tool_calls.py`)."""
_FORM: Final = 130
"""Characters with which Mellea asks for an answer in the form of a type."""
_ANSWER: Final = "x" * 60
"""An answer of the model, as short as that of the fake server; a longer one is read by each call after it."""

_REMEMBERED: Final = (
    Disposition.BUNDLE,
    Disposition.DELEGATE_TO_RUNTIME,
    Disposition.LOAD_FROM_DISK,
    Disposition.REAL_IMPL,
)
"""Dispositions with which a package finds the words of memory by itself."""


class Request(Struct, frozen=True):
    """One request: the text of its messages, and the tools that it offers, as JSON."""

    text: str
    tools: str = ""


def run_cost(committed: CommittedPlan, documents: Documents | None = None) -> RunCost:
    """Return what the first turn costs for a short message in the scope "general".

    Args:
        committed: The committed plan.
        documents: The texts of the package, if they are built.
    """
    documents = documents or Documents(committed)
    if (procedure := committed.inventory.procedure) is not None:
        answered, rules, judging = _first_way(documents, procedure)
        requests = [*answered, *judging]
    else:
        requests, rules = list(first_turn(documents)), list(_judged(committed))
        judging = [Request("")] * len(judge_calls(rules))
    counts = [letters_and_signs((each.text, each.tools)) for each in requests] or [(0, 0)]
    letters, signs = (sum(each) for each in zip(*counts, strict=True))
    answers = len(requests) - len(judging)
    tasks = (str(row.row["text"]) for row in task_rows(committed))
    woken = letters_and_signs([text_of(documents.pieces(WAKE_UPS)), *tasks])
    return RunCost(
        calls=len(requests),
        calls_individual=answers + len(rules),
        prompt_characters=letters + signs,
        prompt_tokens=estimated_tokens(letters, signs),
        largest_prompt_tokens=max(estimated_tokens(*count) for count in counts) + estimated_tokens(*woken),
        calls_heartbeat=len(requests) + 1 if shape.is_heartbeat(committed) else 0,
        judged_rules=len(rules),
    )


def first_turn(documents: Documents) -> Iterator[Request]:
    """Yield the requests of the first turn, as far as they are known in advance."""
    committed = documents.committed
    parts = PipelineParts(committed)
    persona, known = _persona(documents), _known(documents)
    passed = shape.functions(committed, shape.TOOLS, Disposition.EXTERNAL_INPUT)
    tools = _offered(committed, [tool for tool, _ in working_tools(committed).callable], passed)
    yield from _answering(_reply(documents, persona, known), tools, form=bool(parts.schemas))
    yield from _judging(list(_judged(committed)), {"message": MESSAGE, **known})


def _answering(asked: str, tools: str, *, form: bool) -> Iterator[Request]:
    """Yield the calls of an answer: one that offers the tools; a form is asked for after it."""
    if tools:
        yield Request(asked + "x" * _CHOICE, tools)
    if form or not tools:
        yield Request(asked + "x" * (_FORM if form else 0))


def _judging(rules: Sequence[PlannedElement], shown: dict[str, str]) -> Iterator[Request]:
    """Yield the calls of the judge."""
    for call in judge_calls(rules):
        words = (shape.whole_statement_of(item.element) for item in call)
        asked = "\n".join(f"{place}. {each}" for place, each in enumerate(words, start=1))
        yield Request("x" * _JUDGE + tagged({"rules": asked}) + tagged(shown) + _ANSWER)


def _first_way(
    documents: Documents, procedure: Procedure
) -> tuple[list[Request], list[PlannedElement], list[Request]]:
    """Return the requests of the steps of a run whose branches are the first ones, the judged rules and their calls."""
    committed = documents.committed
    answered: list[Request] = []
    judged: list[PlannedElement] = []
    judging: list[Request] = []
    wanted = {item.element.element_id: item for item in sorted_rules(committed).judged}
    name, seen = procedure.steps[0].step_id, set[str]()
    while name != END and name not in seen:
        seen.add(name)
        step = procedure.by_id[name]
        if step.asks:
            pieces = [
                piece for text in (RULES, step_text(name)) for piece in documents.pieces(text, apart=wanted)
            ]
            known = {read: _ANSWER for read in step.reads if read != "message"}
            message = MESSAGE if "message" in step.reads else ""
            asked = prompt(f"{step.says}\n{text_of(pieces)}", message=message, **known)
            tools = _offered(committed, tools_of(step, committed))
            persona = text_of(documents.pieces(persona_text(step.persona)))
            answered += _answering(_under(persona, asked), tools, form=bool(step.type_name))
            items = (piece.item for piece in pieces if piece.item is not None)
            rules = [item for item in items if item.element.element_id in wanted]
            shown = {**known, "message": message, "task": "" if message else text_of(pieces)}
            judging += _judging(rules, shown)
            judged += rules
        ahead = [branch.to for branch in step.next if branch.to not in seen]
        going = [to for to in ahead if to != END and procedure.by_id[to].does is not Does.STOP]
        name = next(iter((*going, *ahead)), END)
    return answered, judged, judging


def _reply(documents: Documents, persona: str, seen: dict[str, str]) -> str:
    committed = documents.committed
    texts = [text_of(documents.pieces(RULES)), *map(shape.statement_of, _loaded(committed, EntryKind.RULE))]
    fields = {
        item.element.label: item.element.value or shape.statement_of(item.element)
        for item in _identity(committed)
    }
    guidance = text_of(documents.pieces(GUIDANCE))
    task = "\n\n".join(filter(None, texts))
    asked = prompt(task, message=MESSAGE, identity=_listed(fields), tool_notes=guidance, **seen)
    return _under(persona, asked)


def _under(persona: str, text: str) -> str:
    return f"{persona.rstrip()}\n\n{text}" if persona.strip() else text


def _listed(fields: dict[str, str]) -> str:
    return "\n".join(f"{label}: {text}" for label, text in fields.items())


def _loaded(committed: CommittedPlan, kinds: EntryKind | Iterable[EntryKind]) -> Iterator[Element]:
    """Yield the elements of some kinds that a file of the package has."""
    items = shape.of_kind(committed, kinds, Disposition.LOAD_FROM_DISK)
    return (item.element for item in items if not item.element.scope)


# --- texts ------------------------------------------------------------------------------------------


def _persona(documents: Documents) -> str:
    elsewhere = [
        item.element.value or shape.statement_of(item.element)
        for item in _passed_identity(documents.committed)
        if item.mapping.target_symbol == shape.PERSONA_SYMBOL
    ]
    return "\n\n".join([text_of(documents.pieces(PERSONA)), *elsewhere])


def _identity(committed: CommittedPlan) -> Iterator[PlannedElement]:
    """Yield name, role and what else the agent says of itself, bundled or not."""
    yield from identity_fields(committed)
    yield from (
        item for item in _passed_identity(committed) if item.mapping.target_symbol != shape.PERSONA_SYMBOL
    )


def _passed_identity(committed: CommittedPlan) -> Iterator[PlannedElement]:
    """Yield what the agent is told of itself from outside of config.py: a parameter's default, or a file."""
    items = shape.of_kind(
        committed, EntryKind.IDENTITY, Disposition.EXTERNAL_INPUT, Disposition.LOAD_FROM_DISK
    )
    return (item for item in items if not item.element.stays_behind)


def _known(documents: Documents) -> dict[str, str]:
    """Return what a run knows, by its tag."""
    committed = documents.committed
    facts = [text_of(documents.pieces(USER)), *map(shape.statement_of, _loaded(committed, shape.FACTS))]
    return {"now": _NOW, "user": "\n\n".join(filter(None, facts)), "memory": _memory(committed)}


def _memory(committed: CommittedPlan) -> str:
    """Return memory as it lies: all of it where a run sees all of it, else as much as one may see."""
    remembered = shape.functions(committed, EntryKind.MEMORY, *_REMEMBERED)
    found = [each for each in remembered if each.symbol in (shape.RECALL, shape.SEARCH)]
    lies_there = any(map(shape.in_place, found))
    paths = {item.source_file for each in found if not shape.in_place(each) for item in each.elements}
    texts = {
        file.path: file.text
        for file in committed.snapshot.files
        if file.text is not None and (file.path in paths or (lies_there and is_memory(file.path)))
    }
    main = texts.get("MEMORY.md", "").strip()
    main = texts.pop("MEMORY.md").strip() if 0 < len(main) <= LONGEST_MAIN else ""
    passages = [each for path, text in texts.items() for each in passages_of(path.rpartition("/")[2], text)]
    known = {file.path for file in committed.snapshot.files}
    if lies_there and any(is_memory(name) for name in committed.snapshot.names if name not in known):
        passages.append("x" * LONGEST_RECALL)  # notes that nobody read: as much of them as a run may see
    return "\n\n".join(filter(None, (main, "\n".join(passages)[:LONGEST_RECALL])))


# --- tools ------------------------------------------------------------------------------------------


def _offered(
    committed: CommittedPlan, tools: Iterable[shape.Function], passed: Iterable[shape.Function] = ()
) -> str:
    """Return the tools that a call offers as the JSON that Ollama is sent."""
    working = working_tools(committed)
    scripts = {function.symbol: script_parameters(working, function) for function, _ in working.scripts}
    found = [_schema(tool, scripts.get(tool.symbol) or slot_of(tool).declared) for tool in tools]
    found += [_schema(tool, ["request: str"]) for tool in passed]
    return json.dumps(found, ensure_ascii=False) if found else ""


def _schema(tool: shape.Function, declared: Iterable[str]) -> dict[str, object]:
    names = {each.partition(":")[0]: "=" not in each for each in declared}
    described: dict[str, object] = {
        "type": "object",
        "required": [name for name, needed in names.items() if needed],
        "properties": {name: {"type": "string", "description": ""} for name in names},
    }
    about = {"name": tool.symbol, "description": shape.tool_description(tool), "parameters": described}
    return {"type": "function", "function": about}


# --- rules ------------------------------------------------------------------------------------------


def _judged(committed: CommittedPlan) -> Iterator[PlannedElement]:
    """Yield the rules that are judged in every scope, those in a file of the package last."""
    yield from (item for item in sorted_rules(committed).judged if not item.element.scope)
    for item in shape.of_kind(committed, EntryKind.RULE, Disposition.LOAD_FROM_DISK):
        if item.mapping.validation_kind is not None and not item.element.scope:
            yield item
