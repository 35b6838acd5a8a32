"""Counts what the first turn of a package costs, from the texts of its requests.

A turn makes one call for the reply or report, one for each 12 judged rules, and one for each rule judged
individually. The call of a reply offers the tools; a
form can't, so there one call finds that no tool is needed. A heartbeat that acts needs one more, to decide. The texts
are put together by the functions that the package itself uses (`runtime/prompts.py`), so that its frame is counted.
"""

import json
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Final

from msgspec import Struct

from melleafy_tui.core.language.text_measures import estimated_tokens, letters_and_signs
from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.file_set import RunCost
from melleafy_tui.core.models.procedure import END, Does, Procedure
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind
from melleafy_tui.generators import package_shape as shape
from melleafy_tui.generators.config import field_text, identity_fields
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
from melleafy_tui.generators.requirements import Rules, rules_of_run, rules_of_step, texts_told
from melleafy_tui.generators.runtime.memory import DAILY, LONGEST_MAIN, LONGEST_RECALL, PATTERNS, passages_of
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
_TAKEN: Final = 75
"""Characters around the text of steps that no model takes (`runtime/steps.py`)."""
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
    procedure = committed.inventory.procedure
    turn = _Turn(documents)
    if procedure is None:
        turn.reply()
    else:
        turn.first_way(procedure)
    requests = [*turn.answered, *turn.judging]
    counts = [letters_and_signs((each.text, each.tools)) for each in requests] or [(0, 0)]
    letters, signs = (sum(each) for each in zip(*counts, strict=True))
    tasks = (str(row.row["text"]) for row in task_rows(committed))
    woken = letters_and_signs([text_of(documents.pieces(WAKE_UPS)), *tasks])
    return RunCost(
        calls=len(requests),
        calls_individual=len(turn.answered) + turn.judged,
        prompt_characters=letters + signs,
        prompt_tokens=estimated_tokens(letters, signs),
        largest_prompt_tokens=max(estimated_tokens(*count) for count in counts) + estimated_tokens(*woken),
        calls_heartbeat=len(requests) + 1 if shape.is_heartbeat(committed) else 0,
        judged_rules=turn.judged,
    )


class _Turn:
    """The requests of a first turn, as far as they are known in advance.

    Args:
        documents: The texts of the package.

    Attributes:
        answered: The requests for an answer.
        judging: The requests of the judge.
        judged: How many rules the judge is asked for.
    """

    def __init__(self, documents: Documents) -> None:
        self._documents, self._committed = documents, documents.committed
        self.answered: list[Request] = []
        self.judging: list[Request] = []
        self.judged = 0

    def reply(self) -> None:
        """Add the calls of a reply, or of the forms that a run fills."""
        committed, documents, parts = self._committed, self._documents, PipelineParts(self._committed)
        fields = [*identity_fields(committed)]
        elsewhere: list[str] = []  # what the agent is told of itself by a parameter's default, or a file
        for item in shape.of_kind(
            committed, EntryKind.IDENTITY, Disposition.EXTERNAL_INPUT, Disposition.LOAD_FROM_DISK
        ):
            is_persona = item.mapping.target_symbol == shape.PERSONA_SYMBOL
            if is_persona and not item.element.stays_behind:
                elsewhere.append(field_text(item.element))
            fields += [] if is_persona or item.element.stays_behind else [item]
        known = {
            "now": _NOW,
            "user": self._text(USER, *self._loaded(*shape.FACTS)),
            "memory": _memory(committed),
        }
        asked = prompt(
            self._text(RULES, *self._loaded(EntryKind.RULE)),
            message=MESSAGE,
            identity="\n".join(f"{item.element.label}: {field_text(item.element)}" for item in fields),
            tool_notes=self._text(GUIDANCE),
            **known,
        )
        passed = shape.functions(committed, shape.TOOLS, Disposition.EXTERNAL_INPUT)
        tools = _offered(committed, [tool for tool, _ in working_tools(committed).callable], passed)
        persona = "\n\n".join([self._text(PERSONA), *elsewhere])
        self._answer(persona, asked, tools, form=bool(parts.schemas))
        self._judge(rules_of_run(documents), {"message": MESSAGE, **known})

    def first_way(self, procedure: Procedure) -> None:
        """Add the calls of the steps of a run whose branches are the first ones."""
        name, seen = procedure.steps[0].step_id, set[str]()
        while name != END and name not in seen:
            seen.add(name)
            step = procedure.by_id[name]
            if step.asks:
                known = {read: _ANSWER for read in step.reads if read != "message"}
                message = MESSAGE if "message" in step.reads else ""
                told = texts_told(self._committed, name)
                texts = [*map(self._text, (RULES, *told, step_text(name)))]
                task = "\n\n".join(filter(None, [*texts, "x" * _TAKEN if told else ""]))
                asked = prompt(f"{step.says}\n{task}", message=message, **known)
                tools = _offered(self._committed, tools_of(step, self._committed))
                self._answer(self._text(persona_text(step.persona)), asked, tools, form=bool(step.type_name))
                shown = {**known, "message": message, "task": "" if message else task}
                self._judge(rules_of_step(self._documents, name), shown)
            ahead = [branch.to for branch in step.next if branch.to not in seen]
            going = [to for to in ahead if to != END and procedure.by_id[to].does is not Does.STOP]
            name = next(iter((*going, *ahead)), END)

    def _answer(self, persona: str, asked: str, tools: str, *, form: bool) -> None:
        """Add the calls of an answer: one that offers the tools; a form is asked for after it."""
        text = f"{persona.rstrip()}\n\n{asked}" if persona.strip() else asked
        if tools:
            self.answered.append(Request(text + "x" * _CHOICE, tools))
        if form or not tools:
            self.answered.append(Request(text + "x" * (_FORM if form else 0)))

    def _judge(self, rules: Rules, shown: dict[str, str]) -> None:
        """Add the calls of the judge."""
        self.judged += len(rules.judged)
        for call in rules.calls:
            words = (shape.whole_statement_of(item.element) for item in call)
            asked = "\n".join(f"{place}. {each}" for place, each in enumerate(words, start=1))
            self.judging.append(Request("x" * _JUDGE + tagged({"rules": asked}) + tagged(shown) + _ANSWER))

    def _text(self, name: str, *others: str) -> str:
        """Return a text of the package, and what else stands with it."""
        return "\n\n".join(filter(None, (text_of(self._documents.pieces(name)), *others)))

    def _loaded(self, *kinds: EntryKind) -> list[str]:
        """Return the statements of some kinds that a file of the package has."""
        items = shape.of_kind(self._committed, kinds, Disposition.LOAD_FROM_DISK)
        return [shape.statement_of(item.element) for item in items if not item.element.scope]


def _memory(committed: CommittedPlan) -> str:
    """Return memory as it lies: all of it where a run sees all of it, else as much as one may see."""
    remembered = shape.functions(committed, EntryKind.MEMORY, *_REMEMBERED)
    found = [each for each in remembered if each.symbol in (shape.RECALL, shape.SEARCH)]
    lies_there = any(map(shape.in_place, found))
    paths = {item.source_file for each in found if not shape.in_place(each) for item in each.elements}
    texts = {
        file.path: file.text
        for file in committed.snapshot.files
        if file.text is not None and (file.path in paths or (lies_there and _is_memory(file.path)))
    }
    main = texts.get("MEMORY.md", "").strip()
    main = texts.pop("MEMORY.md").strip() if 0 < len(main) <= LONGEST_MAIN else ""
    passages = [each for path, text in texts.items() for each in passages_of(path.rpartition("/")[2], text)]
    known = {file.path for file in committed.snapshot.files}
    if lies_there and any(_is_memory(name) for name in committed.snapshot.names if name not in known):
        passages.append("x" * LONGEST_RECALL)  # notes that nobody read: as much of them as a run may see
    return "\n\n".join(filter(None, (main, "\n".join(passages)[:LONGEST_RECALL])))


def _is_memory(path: str) -> bool:
    """Return whether a path in a workspace is one of the files that a package searches for memory."""
    folder, _, name = path.rpartition("/")
    if not folder:
        return name in PATTERNS
    return path.startswith(("memory/", "memory-wiki/")) and name.endswith(".md") and not DAILY.match(name)


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
