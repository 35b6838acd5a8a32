"""Reads a graph: its prompts as elements, its nodes as the steps of a procedure."""

import ast
from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from melleafy_tui.core.dialects.base import FileRule, Reading
from melleafy_tui.core.dialects.element_factory import ElementFactory, Home, SourceSpan, listed_file
from melleafy_tui.core.dialects.langgraph.file_rules import CONFIGURATION, FILE_RULES, RUNTIME
from melleafy_tui.core.dialects.langgraph.graph import (
    ENDS,
    FINISH,
    START,
    Graph,
    Sent,
    find_graphs,
    labels_returned,
    sent_by,
)
from melleafy_tui.core.dialects.langgraph.nodes import Work, work_of
from melleafy_tui.core.dialects.static_python import (
    PythonModule,
    PythonSource,
    Text,
    decided_branches,
    last_name,
    lines_of_node,
    text_elements,
)
from melleafy_tui.core.dialects.step_elements import PLACEHOLDER, StepElements, type_name
from melleafy_tui.core.models.facts import Facts, StepFact
from melleafy_tui.core.models.findings import Diagnostic, diagnose
from melleafy_tui.core.models.mapping import NOT_REPRODUCED, UnsupportedConstruct
from melleafy_tui.core.models.procedure import END, ITEM, Branch, Does, Procedure, Returned, Step
from melleafy_tui.core.models.snapshot import Snapshot, SourceFile
from melleafy_tui.core.models.vocabulary import Category, Tag

_PROMPT: Final = Home(Tag.CONVERSE, Category.C1, "the system message of a node", "langgraph.prompt")
_INSTRUCTION: Final = Home(Tag.DECIDE, Category.C2, "a message of a node", "langgraph.instruction")
_INPUT: Final = Home(Tag.CONFIG, Category.C3, "a value that no node writes", "langgraph.input")
_TOOL: Final = Home(Tag.TOOL_TEMPLATE, Category.C6, "a tool of a node", "langgraph.tool")
_CODE: Final = Home(Tag.TOOL_TEMPLATE, Category.C6, "a node that calls no model", "langgraph.node.code")
_MESSAGES: Final = "messages"


class GraphReader:
    """Reads the graph of a snapshot.

    Args:
        snapshot: The workspace.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._python = PythonSource(snapshot)
        self._graphs = find_graphs(snapshot, self._python)
        self._made = StepElements(self._python, _TOOL, _INPUT)
        self._elements = self._made.found
        self._findings: list[Diagnostic] = []
        self._unsupported: list[UnsupportedConstruct] = []
        self._taken: set[str] = set()
        self._names: dict[str, str] = {}
        self._work: dict[str, Work] = {}
        self._first: dict[str, str] = {}
        self._sent: dict[str, Sent] = {}

    def read(self) -> Reading:
        """Return the files and elements, and the steps of the first graph."""
        files = tuple(
            listed_file(file, rule, RUNTIME) for file in self._snapshot.files if (rule := rule_of(file))
        )
        procedure = self._procedure(self._graphs[0]) if self._graphs else None
        self._findings += self._made.unreadable()
        if others := [f"{each.title} ({each.place})" for each in self._graphs[1:]]:
            path, _, at = self._graphs[0].place.rpartition(":")
            told = {"taken": self._graphs[0].title, "others": ", ".join(others)}
            self._findings.append(diagnose("graph-one-of-several", path, at, **told))
        elements = self._made.completed(files, self._snapshot, "configuration")
        return Reading(files, elements, tuple(self._findings), tuple(self._unsupported), procedure)

    # --- the order ------------------------------------------------------------------------------------

    def _procedure(self, graph: Graph) -> Procedure | None:
        for line, what in graph.unread:
            self._unread(graph.module, line, what)
        works = {name: work_of(node.code, graph.module, self._python) for name, node in graph.nodes.items()}
        tools = {
            name
            for name, node in graph.nodes.items()
            if last_name(node.code) == "ToolNode" or ((own := works[name]) is not None and own.calls_tools)
        }
        for name, found in works.items():
            if name not in tools:
                self._names[name] = self._made.take_name(name, "node")
                if found is None:
                    self._unread(graph.module, graph.nodes[name].line, f"what the node {name} does")
                self._work[self._names[name]] = found or Work(graph.module)
        steps: list[Step] = []
        for name, step_id in self._names.items():
            work = self._work[step_id]
            waits = work.waits is not None and (work.asks or bool(work.texts))
            self._first[name] = f"{step_id}_answer" if waits else step_id
        self._find_sent(graph)
        for name in self._names:
            steps += self._steps_of(name, graph, tools)
        return self._finished(graph.title, self._ordered(steps, self._entry(graph)))

    def _find_sent(self, graph: Graph) -> None:
        """Keep the nodes that are taken for each item of a list of texts that another node returns."""
        returned = {
            field.name: f"{name}.{field.name}"
            for name, work in self._work.items()
            for field in self._fields(work)
            if field.kind == "list[str]"
        }
        functions = [(work.module, work.function) for work in self._work.values()]
        for route in graph.routes.values():
            functions += filter(None, [self._python.function(graph.module, last_name(route.code))])
        for module, function in functions:
            if function is None:
                continue
            sent = sent_by(function)
            if sent is None:
                continue
            step, over = self._names.get(sent.node, ""), returned.get(sent.over, "")
            if step and over and self._work[step].asks:
                self._sent[step] = replace(sent, over=over)
            else:
                what = "the items that are sent to a node, which is taken once"
                self._unread(module, function.lineno, what)

    def _finished(self, title: str, steps: list[Step]) -> Procedure | None:
        """Return the procedure, whose first step is given the caller's text where no other input is known."""
        if not steps:
            return None
        takes = any("message" in (*step.reads, *step.fills.values()) for step in steps)
        if not takes and not self._made.inputs:
            steps[0] = replace(steps[0], reads=("message", *steps[0].reads))
            takes = True
        return Procedure(
            title,
            tuple(steps),
            {step.persona: step.title for step in steps if step.persona},
            dict(self._made.inputs),
            takes_message=takes,
            clocks=tuple(self._made.clocks),
        )

    def _entry(self, graph: Graph) -> str:
        starts = [name for name in graph.edges.get(START, ()) if name in self._names]
        route = graph.routes.get(START)
        if not starts and route is not None:
            starts = [
                name for name in self._dests(route.code, graph, route.labels).values() if name in self._names
            ]
            self._unread(graph.module, route.line, "which node comes first")
        return self._first[starts[0]] if starts else next(iter(self._first.values()), "")

    def _ordered(self, steps: list[Step], entry: str) -> list[Step]:
        """Return the steps in the order of a run, the entry first; what can't be reached comes last."""
        by_id = {step.step_id: step for step in steps}
        seen: set[str] = set()
        order: list[Step] = []

        def visit(name: str) -> None:
            if name in by_id and name not in seen:
                seen.add(name)
                for branch in reversed(by_id[name].next):
                    visit(branch.to)
                order.insert(0, by_id[name])

        visit(entry)
        return [*order, *(step for step in steps if step.step_id not in seen)]

    def _steps_of(self, name: str, graph: Graph, tools: set[str]) -> Iterator[Step]:
        """Yield the step of a node, the wait before it, and the choice behind it."""
        step_id = self._names[name]
        work = self._work[step_id]
        place = f"{work.module.file.path}:{graph.nodes[name].line}"
        if work.function is not None:
            place = lines_of_node(work.module, work.function)
        after, chooses_by, choice = self._after(name, graph, tools, place)
        answer = self._first[name]
        if work.waits is not None:
            behind = after if answer == step_id else (Branch(step_id),)
            says = " ".join(PLACEHOLDER.sub(r"\1", work.waits).split()) or f"What do you say to {name}?"
            if len(behind) > 1 and choice is None:
                behind = (behind[0],)
            yield Step(answer, f"{name}: a person answers", place, Does.WAIT, says=says, next=behind)
        if work.asks:
            yield self._asking(step_id, name, place, work, after, chooses_by)
        elif work.waits is None or answer != step_id:
            yield self._coded(step_id, name, place, work, after)
        if choice is not None:
            yield choice

    def _after(
        self, name: str, graph: Graph, tools: set[str], place: str
    ) -> tuple[tuple[Branch, ...], str, Step | None]:
        """Return what follows a node, the field that decides it, and the step that chooses it, if none does."""
        step_id, work = self._names[name], self._work[self._names[name]]
        edges = [dest for dest in graph.edges.get(name, ()) if dest not in tools]
        route = graph.routes.get(name)
        code: ast.AST | None = None
        dests: dict[str, str] = {}
        if route is not None:
            dests = self._dests(route.code, graph, route.labels)
            found = self._python.function(graph.module, last_name(route.code))
            code = found[1] if found is not None else None
        elif work.function is not None:
            dests = {
                label: label for label in labels_returned(work.function) if label in (*graph.nodes, FINISH)
            }
            code = work.function if dests else None
        if any(dest in tools for dest in dests.values()) or (
            route is not None and last_name(route.code) == "tools_condition"
        ):
            dests = {label: dest for label, dest in dests.items() if dest not in tools}
            dests = dests or {FINISH: FINISH}
        to = {label: self._first.get(dest, END) for label, dest in dests.items()}
        ends = list(dict.fromkeys(to.values()))
        if len(ends) > 1:
            field, branches = decided_branches(code, to, ENDS) if code is not None else ("", {})
            options = {each.name: each.options for each in self._fields(work)}
            if field in options and branches and set(branches) <= set(options[field] or branches):
                rest = [end for end in ends if end not in branches.values()]
                listed = [Branch(end, value) for value, end in branches.items()]
                left = [value for value in options[field] if value not in branches]
                listed += [Branch(rest[0] if rest else END, "")] if rest or left else []
                return tuple(listed), field, None
            chooser = f"after_{step_id}"
            return (Branch(chooser),), "", self._choice(chooser, name, to, place, code)
        names = ends or [self._first.get(dest, END) for dest in edges]
        if len(names) > 1:
            what = f"an order of {', '.join(edges)}, which run side by side"
            self._unread(graph.module, graph.nodes[name].line, what)
            self._unsupported.append(
                UnsupportedConstruct(
                    NOT_REPRODUCED,
                    "Nodes side by side",
                    "Only the first of the nodes that run side by side is taken.",
                    "Call the others in `pipeline.py`.",
                    f"{name} → {', '.join(edges)}",
                    (graph.module.file.path,),
                )
            )
        return (Branch(names[0] if names else END),), "", None

    def _choice(self, chooser: str, name: str, to: dict[str, str], place: str, code: ast.AST | None) -> Step:
        """Return the step that chooses what follows, where the source decides it by code that stays there."""
        words = ast.get_docstring(code) if isinstance(code, ast.FunctionDef | ast.AsyncFunctionDef) else None
        said = " ".join((words or "").split("\n\n")[0].split())
        shown = {label.strip("_") or label: end for label, end in to.items()}
        function = getattr(code, "name", "")
        self._unsupported.append(
            UnsupportedConstruct(
                NOT_REPRODUCED,
                "Routing by code",
                "The code that chooses the next node stays in the source; in the package the model chooses among "
                "its labels.",
                f"Write the condition in `pipeline.py` in place of `{chooser}` if it must not be the model's choice.",
                f"{function or 'a function'} after {name}: {', '.join(shown)}",
                (place.partition(":")[0],),
            )
        )
        fields = (
            Returned("reason", "One sentence that says why."),
            Returned("next", "What comes next.", options=tuple(shown)),
        )
        return Step(
            chooser,
            f"What comes after {name}",
            place,
            Does.CHOOSE,
            reads=("message", self._names[name]),
            returns=fields,
            type_name="".join(part.capitalize() for part in chooser.split("_")),
            chooses_by="next",
            next=tuple(Branch(end, label) for label, end in shown.items()),
            says=f"Choose what comes next: {', '.join(shown)}. {said}".strip(),
        )

    def _dests(self, code: ast.expr, graph: Graph, labels: dict[str, str]) -> dict[str, str]:
        """Return the node of each label that a routing function may name."""
        if labels:
            return labels
        found = self._python.function(graph.module, last_name(code))
        named = labels_returned(found[1]) if found is not None else []
        known = {name: name for name in named if name in graph.nodes or name == FINISH}
        if not known and last_name(code) != "tools_condition":
            self._unread(graph.module, code.lineno, "where a routing function leads")
        return known

    def _unread(self, module: PythonModule, line: int, what: str) -> None:
        self._findings.append(diagnose("graph-unread", module.file.path, str(line), what=what))

    # --- the steps ------------------------------------------------------------------------------------

    def _asking(
        self,
        step_id: str,
        title: str,
        place: str,
        work: Work,
        after: tuple[Branch, ...],
        chooses_by: str = "",
    ) -> Step:
        persona = step_id if work.persona is not None else ""
        if work.persona is not None:
            self._say(work.persona, _PROMPT, StepFact(persona=step_id), step_id, work)
        for text in work.texts:
            self._say(text, _INSTRUCTION, StepFact(step_id), step_id, work)
        line = work.function.lineno if work.function is not None else 1
        if work.persona is None and not work.texts:
            self._unread(work.module, line, f"the prompt of the node {title}")
        fields, fills = self._fields(work), self._fills(step_id, work)
        given = {source.partition(".")[0] for source in fills.values()}
        if work.schema and not fields:
            self._unread(work.module, line, f"the fields of {work.schema}, so {title} returns text")
        over = self._sent.get(step_id, Sent()).over
        return Step(
            step_id,
            title,
            place,
            Does.REPEAT if over else Does.ASK,
            over=over,
            persona=persona,
            reads=tuple(name for name in self._reads(step_id, work) if name not in given),
            fills=fills,
            returns=fields,
            type_name=type_name(work.schema) if fields else "",
            chooses_by=chooses_by if fields else "",
            next=after,
            tools=tuple(self._tools(work)),
        )

    def _coded(self, step_id: str, title: str, place: str, work: Work, after: tuple[Branch, ...]) -> Step:
        """Return the step of a node that calls no model: a function that is left to write."""
        words = ast.get_docstring(work.function) if work.function is not None else ""
        said = " ".join((words or f"{title}: a node of the graph").split())
        node = work.function or work.module.tree.body[0]
        self._made.take_code(f"run_{step_id}", said, node, work.module, FILE_RULES[0].rule_id, _CODE)
        reads = self._reads(step_id, work)
        return Step(step_id, title, place, Does.RUN, reads=reads, next=after, function=f"run_{step_id}")

    def _fields(self, work: Work) -> tuple[Returned, ...]:
        return (self._python.fields(work.module, work.schema) or ()) if work.schema else ()

    def _reads(self, step_id: str, work: Work) -> tuple[str, ...]:
        """Return what a step is given: the caller's text, and the results of nodes that write what it reads."""
        reads = ["message"] if _MESSAGES in work.reads or not work.reads else []
        fields = {*work.reads, *work.renamed.values()}
        for name, other in self._work.items():
            written = {*other.writes, *(field.name for field in self._fields(other))}
            if name != step_id and fields & written:
                reads.append(name)
        return tuple(reads)

    def _fills(self, step_id: str, work: Work) -> dict[str, str]:
        """Return the step, or its field, that each placeholder of a step's texts is filled with."""
        texts = [*([work.persona] if work.persona is not None else []), *work.texts]
        places = dict.fromkeys(found[1] for text in texts for found in PLACEHOLDER.finditer(text.words))
        fills: dict[str, str] = {}
        for place in places:
            name = work.renamed.get(place, place)
            if name in self._sent.get(step_id, Sent()).fills:
                fills[place] = ITEM
                continue
            if name == _MESSAGES:  # they begin with the caller's
                fills[place] = "message"
                continue
            for other_id, other in self._work.items():
                if other_id != step_id and any(field.name == name for field in self._fields(other)):
                    fills[place] = f"{other_id}.{name}"
                elif other_id != step_id and name in other.writes and place not in fills:
                    fills[place] = other_id
        return fills

    def _say(self, text: Text, home: Home, fact: StepFact, step_id: str, work: Work) -> None:
        """Add the elements of a text; what no node writes is an input."""
        rule = FILE_RULES[0].rule_id
        key = f"{text.place} {text.words[:40]}"
        if fact.persona:
            words = "\n".join(line.rstrip() for line in text.words.strip().split("\n"))
            made = ElementFactory(text.file, rule).make(
                SourceSpan(text.first, text.last, "field"),
                words,
                home,
                Facts(fact),
                label=step_id,
                value=words,
            )
            self._elements.append(made)
        elif key not in self._taken:
            self._elements += text_elements(text, rule, home, Facts(fact))
        self._taken.add(key)
        written = {field for other in self._work.values() for field in other.writes}
        written |= {field.name for other in self._work.values() for field in self._fields(other)}
        written |= {*self._sent.get(step_id, Sent()).fills}
        names = {place for place, field in work.renamed.items() if field in written}
        self._made.take_inputs(text, rule, work.clocks, {*written, *names, _MESSAGES, "message"})

    def _tools(self, work: Work) -> Iterator[str]:
        """Yield the names of the tools of a node, each of which becomes one element."""
        node, module = work.tools, work.module
        if isinstance(node, ast.Name | ast.Attribute):
            reached = self._python.found(module, last_name(node))
            if last_name(node) in module.bound:
                node = module.bound[last_name(node)]
            elif reached is not None:
                module, node = reached[0], reached[0].bound.get(reached[1])
        for each in node.elts if isinstance(node, ast.List | ast.Tuple) else ():
            if name := self._made.take_tool(each, module, FILE_RULES[0].rule_id):
                yield name


def rule_of(file: SourceFile) -> FileRule | None:
    """Return the rule of a file that belongs to a graph, or None."""
    if file.path.endswith(".py") and file.text is not None:
        return FILE_RULES[0]
    return FILE_RULES[1] if file.path.rpartition("/")[2] == CONFIGURATION else None
