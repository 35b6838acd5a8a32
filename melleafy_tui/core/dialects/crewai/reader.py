"""Reads a crew: its texts as elements, its tasks as the steps of a procedure."""

import ast
from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from melleafy_tui.core.dialects.base import FileRule, Reading
from melleafy_tui.core.dialects.crewai.crew import Crew, Part, find_crews, flows, lone_agents
from melleafy_tui.core.dialects.crewai.file_rules import AGENTS, FILE_RULES, RUNTIME, TASKS
from melleafy_tui.core.dialects.element_factory import (
    ElementFactory,
    Home,
    SourceSpan,
    line_range,
    listed_file,
)
from melleafy_tui.core.dialects.static_python import PythonSource, Text, text_elements
from melleafy_tui.core.dialects.step_elements import StepElements, type_name
from melleafy_tui.core.models.facts import Facts, StepFact
from melleafy_tui.core.models.findings import Diagnostic, diagnose
from melleafy_tui.core.models.inventory import Decision
from melleafy_tui.core.models.mapping import DEFERRED, NOT_REPRODUCED, UnsupportedConstruct
from melleafy_tui.core.models.procedure import END, Branch, Does, Procedure, Returned, Step
from melleafy_tui.core.models.snapshot import Snapshot, SourceFile
from melleafy_tui.core.models.vocabulary import Category, DecisionKind, Tag
from melleafy_tui.core.package.naming import python_identifier
from melleafy_tui.core.tables import table_beside

_PERSONA: Final = (("role", "You are {}"), ("backstory", "{}"), ("goal", "Your personal goal is: {}"))
"""The order and the frame of CrewAI's own prompt."""

_EXPECTED: Final = (
    Decision(DecisionKind.JUDGED, "CrewAI asks the answer of the task to be this (expected_output)."),
)
_GUARDED: Final = (Decision(DecisionKind.JUDGED, "A guardrail of the task says it."),)
_RULE: Final = Home(Tag.DECIDE, Category.C2, "a task's expected_output", "crewai.task.expected_output")
_DESCRIPTION: Final = Home(Tag.DECIDE, Category.C2, "a task's description", "crewai.task.description")
_GUARDRAIL: Final = Home(Tag.DECIDE, Category.C2, "a task's guardrail", "crewai.task.guardrail")
_INPUT: Final = Home(Tag.CONFIG, Category.C3, "a {name} in a text", "crewai.input")
_TOOL: Final = Home(Tag.TOOL_TEMPLATE, Category.C6, "a tool of an agent or a task", "crewai.tool")

_NOT_TAKEN: Final[dict[str, str]] = table_beside(__file__, "not_taken.toml")
"""Settings of agents, tasks and crews that a package doesn't reproduce, and what it does instead."""

_MANAGER: Final = "manager"
_FINISH: Final = "finish"


class CrewReader:
    """Reads the crew of a snapshot.

    Args:
        snapshot: The workspace.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._python = PythonSource(snapshot)
        self._crews, self._problems = find_crews(snapshot, self._python)
        self._made = StepElements(self._python, _TOOL, _INPUT)
        self._elements = self._made.found

    def read(self) -> Reading:
        """Return the files and elements, and the steps of the first crew."""
        files = tuple(
            listed_file(file, rule, RUNTIME) for file in self._snapshot.files if (rule := rule_of(file))
        )
        crew = self._crews[0] if self._crews else None
        procedure = self._procedure(crew) if crew is not None else None
        for agent in lone_agents(self._python) if crew is None else ():  # one persona, with their tools
            self._persona(agent, "")
            self._tools(agent)
        return Reading(
            files,
            self._made.completed(files, self._snapshot, "YAML"),
            tuple(self._diagnostics(crew)),
            tuple(self._unsupported(crew)),
            procedure,
        )

    def _diagnostics(self, crew: Crew | None) -> Iterator[Diagnostic]:
        for path, problem in self._problems.items():
            yield diagnose("source-unreadable-part", path, what=problem)
        yield from self._made.unreadable()
        if crew is None:
            return
        for path, line, what in crew.unread:
            yield diagnose("graph-unread", path, str(line), what=what)
        if others := [f"{other.title} ({other.place})" for other in self._crews[1:]]:
            path, _, at = crew.place.rpartition(":")
            yield diagnose("graph-one-of-several", path, at, taken=crew.title, others=", ".join(others))

    def _unsupported(self, crew: Crew | None) -> Iterator[UnsupportedConstruct]:
        for file, line, name in flows(self._python):
            yield UnsupportedConstruct(
                DEFERRED,
                "Flow",
                "A flow orders crews by its own methods, which aren't converted yet.",
                "Convert each crew, and call the packages from your flow.",
                f"class {name} (line {line})",
                (file.path,),
            )
        if crew is None:
            return
        for part in (*crew.agents.values(), *crew.tasks, *crew.own):
            for key, instead in _NOT_TAKEN.items():
                node = part.settings.get(key)
                off = isinstance(node, ast.Constant) and not node.value
                off = off or (*part.listed.get(key, ()), "")[0].casefold() in ("false", "null")
                in_words = key == "guardrail" and isinstance(node, ast.Constant)
                if (node is None and key not in part.listed) or off or in_words:
                    continue
                path = part.module.file.path if part.module is not None else crew.place.partition(":")[0]
                where = f" (line {node.lineno})" if node is not None else ""
                yield UnsupportedConstruct(
                    NOT_REPRODUCED,
                    f"`{key}`",
                    f"It isn't reproduced: {instead}.",
                    "Nothing, unless the agent depends on it.",
                    f"{part.name}: {key}{where}",
                    (path,),
                )

    # --- the texts ------------------------------------------------------------------------------------

    def _add(self, text: Text, home: Home, fact: StepFact, decisions: tuple[Decision, ...] = ()) -> None:
        rule = rule_of(text.file) or FILE_RULES[2]
        made = text_elements(text, rule.rule_id, home, Facts(fact), decisions)
        self._elements += made
        self._made.take_inputs(text, rule.rule_id)

    def _persona(self, agent: Part, name: str) -> None:
        for rank, (key, frame) in enumerate(_PERSONA):
            text = agent.texts.get(key)
            if text is None:
                continue
            home = Home(Tag.CONVERSE, Category.C1, f"an agent's {key}", f"crewai.agent.{key}")
            rule = rule_of(text.file) or FILE_RULES[2]
            words = "\n".join(line.strip() for line in text.words.strip().split("\n"))
            made = ElementFactory(text.file, rule.rule_id).make(
                SourceSpan(text.first, text.last, "field"),
                words,
                home,
                Facts(StepFact(persona=name, rank=rank)) if name else Facts(),
                label=key,
                value=frame.format(words) if name else words,
            )
            self._elements.append(made)
            if name:
                self._made.take_inputs(text, rule.rule_id)

    def _tools(self, owner: Part) -> tuple[str, ...]:
        """Return the names of the tools of an agent or a task."""
        node, module = owner.settings.get("tools"), owner.module
        if module is None or not isinstance(node, ast.List | ast.Tuple):
            return ()
        rule = FILE_RULES[2].rule_id
        return tuple(filter(None, (self._made.take_tool(each, module, rule) for each in node.elts)))

    # --- the order ------------------------------------------------------------------------------------

    def _procedure(self, crew: Crew) -> Procedure:
        names = {task.name: self._made.take_name(task.name, "task") for task in crew.tasks}
        personas: dict[str, str] = {}
        found: list[Step] = []
        for place, task in enumerate(crew.tasks):
            found += self._steps_of(task, crew, names, place, personas)
        if crew.hierarchical and len(crew.tasks) > 1:
            found = self._managed(crew, found, personas)
        else:
            found = [
                replace(step, next=(Branch(found[place + 1].step_id if place + 1 < len(found) else END),))
                for place, step in enumerate(found)
            ]
        if not self._made.inputs and found:
            found[0] = replace(found[0], reads=("message", *found[0].reads))
        return Procedure(
            crew.title,
            tuple(found),
            personas,
            dict(self._made.inputs),
            clocks=tuple(self._made.clocks),
            bound=max(25, 3 * len(found)),
        )

    def _agent_of(self, task: Part, crew: Crew) -> Part | None:
        name = next(iter(task.names("agent") or ()), "")
        by_key = {name.casefold(): part for name, part in crew.agents.items()}
        only = next(iter(crew.agents.values())) if len(crew.agents) == 1 else None
        return by_key.get(name.casefold(), only)

    def _persona_of(self, agent: Part | None, personas: dict[str, str]) -> str:
        if agent is None:
            return ""
        name = python_identifier(agent.name, set(), fallback="agent")
        if name not in personas and agent.texts:
            personas[name] = agent.name
            self._persona(agent, name)
        return name if name in personas else ""

    def _steps_of(
        self, task: Part, crew: Crew, names: dict[str, str], place: int, personas: dict[str, str]
    ) -> Iterator[Step]:
        """Yield the step of a task, and the wait behind it where a person is asked."""
        step_id, agent = names[task.name], self._agent_of(task, crew)
        persona = self._persona_of(agent, personas)
        for key, home, decided in (
            ("description", _DESCRIPTION, ()),
            ("expected_output", _RULE, _EXPECTED),
            ("guardrail", _GUARDRAIL, _GUARDED),
        ):
            if (text := task.texts.get(key)) is not None:
                self._add(text, home, StepFact(step_id), decided)
        context = task.names("context")
        earlier = [names[other.name] for other in crew.tasks[:place]]
        reads = earlier if context is None else [names[name] for name in context if name in names]
        waits = task.flag("human_input")
        answer = f"{step_id}_feedback"
        fields, type_name = self._fields_of(task)
        tools = dict.fromkeys((*(self._tools(agent) if agent is not None else ()), *self._tools(task)))
        yield Step(
            step_id,
            task.name,
            _place_of(task, crew),
            persona=persona,
            reads=(*reads, *([answer] if waits else [])),
            returns=fields,
            type_name=type_name,
            tools=tuple(tools),
        )
        if waits:
            question = f"What do you think of the result of {task.name}?"
            yield Step(answer, f"Feedback on {task.name}", _place_of(task, crew), Does.WAIT, says=question)

    def _fields_of(self, task: Part) -> tuple[tuple[Returned, ...], str]:
        for key in ("output_pydantic", "output_json", "response_model"):
            name = next(iter(task.names(key) or ()), "")
            if name and task.module is not None:
                fields = self._python.fields(task.module, name)
                if fields:
                    return fields, type_name(name)
        return (), ""

    def _managed(self, crew: Crew, found: list[Step], personas: dict[str, str]) -> list[Step]:
        """Return the steps of a crew whose manager chooses the next task."""
        tasks = [step for step in found if step.does is Does.ASK]
        options = (*(step.step_id for step in tasks), _FINISH)
        agent = crew.agents.get(crew.manager)
        persona = self._persona_of(agent, personas)
        says = (
            "You manage a crew. Choose the task that is done next, given what is there already; "
            f"choose {_FINISH} once every task is done."
        )
        manager = Step(
            _MANAGER,
            "The manager chooses the next task",
            crew.place,
            Does.CHOOSE,
            persona,
            reads=tuple(step.step_id for step in tasks),
            returns=(
                Returned("reason", "One sentence that says why."),
                Returned("task", "The task that is done next.", options=options),
            ),
            type_name="NextTask",
            chooses_by="task",
            next=(*(Branch(step.step_id, step.step_id) for step in tasks), Branch(END, _FINISH)),
            says=says,
        )
        back = (Branch(_MANAGER),)
        after = {step.step_id: found[place + 1] for place, step in enumerate(found[:-1])}
        waits = {name: (Branch(step.step_id),) for name, step in after.items() if step.does is Does.WAIT}
        return [manager, *(replace(step, next=waits.get(step.step_id, back)) for step in found)]


def rule_of(file: SourceFile) -> FileRule | None:
    """Return the rule of a file that belongs to a crew, or None."""
    if file.path.endswith(AGENTS):
        return FILE_RULES[0]
    if file.path.endswith(TASKS):
        return FILE_RULES[1]
    return FILE_RULES[2] if file.path.endswith(".py") and file.text is not None else None


def _place_of(task: Part, crew: Crew) -> str:
    texts = list(task.texts.values())
    if not texts:
        return crew.place
    path = texts[0].file.path
    own = [text for text in texts if text.file.path == path]
    return f"{path}:{line_range(min(text.first for text in own), max(text.last for text in own))}"
