"""Finds graphs in Python source: nodes, edges and what decides among them; nothing is run."""

import ast
import json
from collections.abc import Iterator
from posixpath import dirname, join, normpath
from typing import Final

from msgspec import Struct, field

from melleafy_tui.core.dialects.langgraph.file_rules import CONFIGURATION
from melleafy_tui.core.dialects.static_python import (
    PythonModule,
    PythonSource,
    assigned,
    calls_in,
    expression_name,
    keywords,
    last_name,
    literals,
)
from melleafy_tui.core.language.python_syntax import all_nodes, text_in
from melleafy_tui.core.models.snapshot import Snapshot

START: Final = "__start__"
FINISH: Final = "__end__"
ENDS: Final = {"START": START, "END": FINISH}
_PREBUILT: Final = ("create_react_agent", "create_agent")
_EDITED: Final = (
    *("add_node", "add_edge", "add_conditional_edges", "add_sequence"),
    *("set_entry_point", "set_finish_point", "set_conditional_entry_point"),
)


class Node(Struct, frozen=True):
    """A node of a graph: its name, what takes it, and the line that adds it."""

    name: str
    code: ast.expr
    line: int


class Route(Struct, frozen=True):
    """What decides which node follows one: a function, and the node of each of its labels, if the source says them."""

    code: ast.expr
    labels: dict[str, str]
    line: int


class Graph(Struct):
    """One graph.

    Attributes:
        title: Its name.
        module: The module that builds it.
        line: The line of its `StateGraph(...)`.
        nodes: Its nodes by name, in the order in which they are added.
        edges: What follows each node in any case.
        routes: What decides what follows a node.
        unread: Lines with something that can't be told, and what.
    """

    title: str
    module: PythonModule
    line: int
    nodes: dict[str, Node] = field(default_factory=dict)
    edges: dict[str, list[str]] = field(default_factory=dict)
    routes: dict[str, Route] = field(default_factory=dict)
    unread: list[tuple[int, str]] = field(default_factory=list)

    @property
    def place(self) -> str:
        """Return file and line."""
        return f"{self.module.file.path}:{self.line}"


def find_graphs(snapshot: Snapshot, python: PythonSource) -> list[Graph]:
    """Return the graphs of a source: those that its configuration names first, in its order, then the others."""
    graphs: list[Graph] = []
    for module in python.modules.values():
        graphs += list(_graphs_of(module)) or _agents_of(module)
    named = [
        (path, _built_by(python.modules.get(path), variable)) for path, variable in _configured(snapshot)
    ]

    def place(graph: Graph) -> tuple[int, int]:
        path, files = graph.module.file.path, [path for path, _ in named]
        own = (path, graph.title)
        return [*named, own].index(own), [*files, path].index(path)

    return sorted((each for each in graphs if each.nodes), key=place)


def _built_by(module: PythonModule | None, variable: str) -> str:
    """Return the name of the builder that a compiled graph comes from, or the variable itself."""
    value = module.bound.get(variable) if module is not None else None
    return last_name(_root(value)) or variable if value is not None else variable


def _configured(snapshot: Snapshot) -> Iterator[tuple[str, str]]:
    """Yield the path and the variable of each graph that a langgraph.json names."""
    for file in snapshot.files:
        if file.path.rpartition("/")[2] != CONFIGURATION or file.text is None:
            continue
        try:
            data = json.loads(file.text)
        except (ValueError, RecursionError):
            continue
        graphs = data.get("graphs") if isinstance(data, dict) else None
        for entry in graphs.values() if isinstance(graphs, dict) else ():
            named = entry.get("path") if isinstance(entry, dict) else entry
            if isinstance(named, str) and ":" in named:
                path, _, variable = named.rpartition(":")
                yield normpath(join(dirname(file.path), path)), variable


def _graphs_of(module: PythonModule) -> Iterator[Graph]:
    """Yield the graphs that a module builds; calls belong to the last `StateGraph(...)` above them with that name."""
    made: dict[str, Graph] = {}
    calls = calls_in(module.tree)
    made_by = calls_in(module.tree, "StateGraph", "MessageGraph")
    builders = {id(call): call for call in made_by if last_name(call) not in module.classes}
    names = {
        id(value): last_name(targets[0])
        for targets, value in map(assigned, all_nodes(module.tree))
        if value is not None
    }
    chained = {id(_root(call)): names.get(id(_outermost(call, calls)), "") for call in calls}
    steps = [*builders.values(), *calls_in(module.tree, *_EDITED)]
    for call in sorted(steps, key=lambda each: (each.end_lineno or 0, each.end_col_offset or 0)):
        if id(call) in builders:
            name = names.get(id(call)) or chained.get(id(call)) or f"graph_{call.lineno}"
            made[f"{name}:{call.lineno}"] = graph = Graph(name, module, call.lineno)
            made[name] = graph
            continue
        root = _root(call)
        graph_of = made.get(last_name(root)) if isinstance(root, ast.Name) else None
        if isinstance(root, ast.Call):
            graph_of = next((each for each in made.values() if each.line == root.lineno), None)
        if graph_of is not None:
            _edit(graph_of, call)
    yield from {id(graph): graph for graph in made.values()}.values()


def _root(node: ast.AST) -> ast.AST:
    """Return what a chain of calls begins with: a name, or the construction."""
    while True:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            node = node.func.value
        elif isinstance(node, ast.Attribute):
            node = node.value
        else:
            return node


def _outermost(call: ast.Call, calls: list[ast.Call]) -> ast.Call:
    holding = [each for each in calls if _root(each) is _root(call)]
    return max(holding, key=lambda each: (each.end_lineno or 0, each.end_col_offset or 0), default=call)


def _edit(graph: Graph, call: ast.Call) -> None:
    given, named, method = [*call.args], keywords(call), last_name(call)
    if method == "add_node" and given:
        name = name_of(given[0])
        code = given[1] if len(given) > 1 else named.get("action", given[0])
        if name and (code is not given[0] or isinstance(code, ast.Name | ast.Attribute)):
            graph.nodes[name] = Node(name, code, call.lineno)
        else:
            graph.unread.append((call.lineno, "the name of a node"))
    elif method == "add_edge" and len(given) > 1:
        sources = given[0].elts if isinstance(given[0], ast.List | ast.Tuple) else [given[0]]
        for source in sources:
            graph.edges.setdefault(name_of(source), []).append(name_of(given[1]))
    elif method == "add_sequence" and given and isinstance(given[0], ast.List | ast.Tuple):
        before = ""
        for each in given[0].elts:
            pair = each.elts if isinstance(each, ast.Tuple) else [each, each]
            name = name_of(pair[0])
            graph.nodes[name] = Node(name, pair[1], call.lineno)
            if before:
                graph.edges.setdefault(before, []).append(name)
            before = name
    elif method == "set_entry_point" and given:
        graph.edges.setdefault(START, []).append(name_of(given[0]))
    elif method == "set_finish_point" and given:
        graph.edges.setdefault(name_of(given[0]), []).append(FINISH)
    elif method in ("add_conditional_edges", "set_conditional_entry_point"):
        first = START if method.startswith("set") else name_of(given[0]) if given else ""
        rest = given if method.startswith("set") else given[1:]
        chooses = rest[0] if rest else named.get("path")
        mapped = rest[1] if len(rest) > 1 else named.get("path_map")
        if first and chooses is not None:
            graph.routes[first] = Route(chooses, _labels(mapped), call.lineno)


def _labels(node: ast.expr | None) -> dict[str, str]:
    if isinstance(node, ast.Dict):
        pairs = zip(node.keys, node.values, strict=True)
        return {text: name_of(value) for key, value in pairs if key is not None and (text := _label(key))}
    if isinstance(node, ast.List | ast.Tuple):
        return {name: name for name in map(name_of, node.elts) if name}
    return {}


def _label(node: ast.expr) -> str:
    return str(node.value) if isinstance(node, ast.Constant) else name_of(node)


def name_of(node: ast.expr) -> str:
    """Return the name of a node as an expression gives it: a text, `START`, `END`, or that of a function."""
    if (text := text_in(node)) is not None:
        return text
    name = last_name(node)
    return ENDS.get(name, name)


def _agents_of(module: PythonModule) -> list[Graph]:
    """Return the prebuilt agents of a module, each a graph of one node: a model that may call tools."""
    return [
        Graph(name, module, value.lineno, {name: Node(name, value, value.lineno)})
        for name, value in module.bound.items()
        if isinstance(value, ast.Call) and prebuilt(value, module)
    ]


def prebuilt(call: ast.expr, module: PythonModule) -> bool:
    """Return whether an expression makes a prebuilt agent of langgraph or langchain."""
    name = last_name(call) if isinstance(call, ast.Call) else ""
    origin = module.imported.get(name, "")
    return origin.rpartition(".")[2] in _PREBUILT and origin.startswith(("langgraph", "langchain"))


def labels_returned(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str]:
    """Return the nodes that a function names as what comes next: in its annotation, else in what it returns."""
    annotated = [name for each in literals(function.returns) if (name := name_of(each))]
    if annotated:
        return annotated
    found: list[str] = []
    for node in all_nodes(function):
        values: list[ast.expr | None] = []
        if isinstance(node, ast.Return):
            last = node.value
            values = [last.body, last.orelse] if isinstance(last, ast.IfExp) else [last]
        elif isinstance(node, ast.Call) and last_name(node) == "Command":
            values = [keywords(node).get("goto")]
        elif isinstance(node, ast.Call) and last_name(node) == "Send":
            values = [*node.args[:1]]
        for value in values:
            parts = value.elts if isinstance(value, ast.List) else [value]
            found += [text_in(part) or ENDS.get(getattr(part, "id", ""), "") for part in parts]
    return list(filter(None, dict.fromkeys(found)))


class Sent(Struct, frozen=True):
    """A node that is taken for each item of a field of the state, and the fields there that an item fills."""

    node: str = ""
    over: str = ""
    fills: tuple[str, ...] = ()


def sent_by(function: ast.AST) -> Sent | None:
    """Return what a function sends to a node: empty if it isn't each item of one list, None if it sends nothing."""
    sends = calls_in(function, "Send")
    loops = [each for each in all_nodes(function) if isinstance(each, ast.ListComp) and each.elt in sends]
    if not sends or len(sends) > 1 or len(loops) != 1 or len(sends[0].args) != len(("node", "state")):
        return Sent() if sends else None
    node, given = sends[0].args
    loop, *others = loops[0].generators
    pairs = zip(given.keys, given.values, strict=True) if isinstance(given, ast.Dict) else ()
    item = last_name(loop.target)
    fills = [text for key, value in pairs if getattr(value, "id", None) == item and (text := text_in(key))]
    is_whole = not others and not loop.ifs
    return Sent(name_of(node), expression_name(loop.iter), tuple(fills)) if fills and is_whole else Sent()
