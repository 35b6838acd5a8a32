"""Finds crews in a source: agents, tasks and their order, in YAML and in Python that is only parsed."""

import ast
from collections.abc import Iterator, Mapping
from posixpath import dirname, join, normpath
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from melleafy_tui.core.dialects.crewai.file_rules import AGENTS, TASKS
from melleafy_tui.core.dialects.static_python import (
    PythonModule,
    PythonSource,
    Text,
    assigned,
    bindings,
    calls_in,
    keywords,
    last_name,
)
from melleafy_tui.core.dialects.static_yaml import Value, read_yaml
from melleafy_tui.core.language.python_syntax import all_nodes, text_in
from melleafy_tui.core.models.snapshot import Snapshot, SourceFile

AGENT_TEXTS: Final = ("role", "goal", "backstory")
TASK_TEXTS: Final = ("description", "expected_output")


class Part(Struct, frozen=True):
    """An agent or a task: its name, its texts, its other settings as Python, and where it is defined."""

    name: str
    texts: dict[str, Text] = field(default_factory=dict)
    settings: dict[str, ast.expr] = field(default_factory=dict)
    module: PythonModule | None = None
    line: int = 0
    listed: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Names that YAML lists: `context`, `tools`, `agent`, `output_pydantic`."""

    def names(self, key: str) -> tuple[str, ...] | None:
        """Return the names that a setting lists, or None if it isn't set."""
        node = self.settings.get(key)
        if node is None:
            return self.listed.get(key)
        nodes = node.elts if isinstance(node, ast.List | ast.Tuple) else [node]
        return tuple(filter(None, map(last_name, nodes)))

    def flag(self, key: str) -> bool:
        """Return whether a setting is true."""
        node = self.settings.get(key)
        if node is None:
            return (*self.listed.get(key, ()), "")[0].casefold() == "true"
        return isinstance(node, ast.Constant) and node.value is True


class Crew(Struct, frozen=True):
    """One crew.

    Attributes:
        title: Its name.
        place: File and line of its `Crew(...)`, or its tasks file.
        agents: Its agents by name.
        tasks: Its tasks, in order.
        hierarchical: A manager chooses the next task.
        manager: The agent that manages, or `""`.
        own: What else its call sets.
        unread: What can't be told from the source, as `file:line` and what is missing.
    """

    title: str
    place: str
    agents: dict[str, Part]
    tasks: tuple[Part, ...]
    hierarchical: bool = False
    manager: str = ""
    own: tuple[Part, ...] = ()
    unread: tuple[tuple[str, int, str], ...] = ()


def find_crews(snapshot: Snapshot, python: PythonSource) -> tuple[list[Crew], dict[str, str]]:
    """Return the crews of a source, those first of which all is told, and what is wrong with YAML files by path."""
    yaml_files, problems = _yaml_files(snapshot, python)
    crews = [
        crew
        for module in python.modules.values()
        for call in _calls(module, "Crew")
        if (crew := _crew_of(call, module, python, yaml_files)).tasks
    ]
    if not crews:
        crews = list(_yaml_crews(yaml_files))
    return sorted(crews, key=lambda crew: bool(crew.unread)), problems


def _yaml_files(
    snapshot: Snapshot, python: PythonSource
) -> tuple[dict[str, dict[str, Value]], dict[str, str]]:
    """Return the YAML files of agents and tasks by path; those that a class names are among them."""
    named = {path for module in python.modules.values() for path in _configured(module).values()}
    found: dict[str, dict[str, Value]] = {}
    problems: dict[str, str] = {}
    for file in snapshot.files:
        if file.text is not None and (file.path in named or file.path.endswith((AGENTS, TASKS))):
            found[file.path], problem = read_yaml(file)
            if problem:
                problems[file.path] = problem
    return found, problems


def _configured(module: PythonModule) -> dict[str, str]:
    """Return the paths of `agents_config` and `tasks_config` in a module, the usual ones where it names none."""
    beside = dirname(module.file.path)
    found = {"agents_config": AGENTS, "tasks_config": TASKS}
    for owner in module.classes.values():
        for name, value in bindings(owner.body).items():
            if name in found and (path := text_in(value)) is not None:
                found[name] = path
    return {name: normpath(join(beside, path)) for name, path in found.items()}


def _calls(module: PythonModule, name: str) -> Iterator[ast.Call]:
    """Yield the calls of a class of crewai, whatever the module calls it."""
    for call in calls_in(module.tree):
        used = last_name(call.func)
        origin = module.imported.get(used, used)
        if origin.rpartition(".")[2] == name and used not in {*module.classes, *module.functions}:
            yield call


def _yaml_crews(files: Mapping[str, dict[str, Value]]) -> Iterator[Crew]:
    """Yield a crew for each tasks file that no code orders: its tasks in the order of the file."""
    for path, data in files.items():
        if path.endswith(TASKS):
            agents = files.get(path.removesuffix(TASKS) + AGENTS, {})
            tasks = tuple(part for name in data if (part := _from_yaml(name, data)).texts)
            title = path.removesuffix(TASKS).rstrip("/").rpartition("/")[2] or "crew"
            yield Crew(title, f"{path}:1", {name: _from_yaml(name, agents) for name in agents}, tasks)


def _from_yaml(name: str, data: Mapping[str, Value]) -> Part:
    """Return an agent or a task of a YAML file; what the code sets is left to the caller."""
    own = data.get(name)
    fields = own if isinstance(own, dict) else {}
    texts = {key: value for key, value in fields.items() if isinstance(value, Text) and value.words.strip()}
    wanted = {key: value for key, value in texts.items() if key in (*AGENT_TEXTS, *TASK_TEXTS, "guardrail")}
    listed: dict[str, tuple[str, ...]] = {
        key: (value.words.strip(),) for key, value in texts.items() if key not in wanted
    }
    for key, value in fields.items():
        if isinstance(value, list):
            listed[key] = tuple(each.words.strip() for each in value if isinstance(each, Text))
    return Part(name, wanted, listed=listed)


def _crew_of(
    call: ast.Call,
    module: PythonModule,
    python: PythonSource,
    yaml_files: Mapping[str, dict[str, Value]],
) -> Crew:
    given = keywords(call)
    unread: list[tuple[str, int, str]] = []
    agents: dict[str, Part] = {}
    known: dict[str, Part] = {}
    for other in (module, *_reached(module, python)):
        agents |= {part.name: part for part in _parts(other, "Agent", python, yaml_files) if part.name}
        known |= {part.name: part for part in _parts(other, "Task", python, yaml_files) if part.name}
    owner = next((name for name, each in module.classes.items() if _holds(each, call.lineno)), "")
    names = {**module.bound, **_local(module, call)}
    listed = given.get("tasks")
    if isinstance(listed, ast.Name):
        listed = names.get(listed.id)
    tasks = [part for part in known.values() if part.module is module]
    if owner:
        tasks = [part for part in tasks if _holds(module.classes[owner], part.line)] or tasks
    if isinstance(listed, ast.List | ast.Tuple):
        tasks = []
        for each in listed.elts:
            made = _made(each, names, known)
            if made is None:
                unread.append((module.file.path, each.lineno, f"the task {last_name(each) or 'in the list'}"))
            else:
                tasks.append(made)
    elif not (isinstance(listed, ast.Attribute) and listed.attr == "tasks"):
        line = listed.lineno if listed is not None else call.lineno
        unread.append((module.file.path, line, "the list of tasks; they are taken in source order"))
    for part in tasks:
        if part.module is not None and "description" not in part.texts:
            unread.append((part.module.file.path, part.line, f"the description of the task {part.name}"))
    title = owner or module.file.path.rpartition("/")[2].removesuffix(".py")
    return Crew(
        title,
        f"{module.file.path}:{call.lineno}",
        agents,
        tuple(tasks),
        last_name(given.get("process")) == "hierarchical",
        last_name(given.get("manager_agent")),
        (Part(title, settings=given, module=module),),
        tuple(unread),
    )


def _made(node: ast.expr, names: Mapping[str, ast.expr], known: Mapping[str, Part]) -> Part | None:
    """Return the task that an item of a list is: by its own name, or by that of the function that makes it."""
    name, made = last_name(node), node
    value = names.get(name)
    if isinstance(value, ast.Call) and last_name(value) in known:
        made = value
    part = known.get(last_name(made)) or known.get(name)
    if part is None or not isinstance(made, ast.Call) or part.module is None:
        return part
    function = part.module.functions.get(last_name(made))
    declared = [each.arg for each in function.args.args if each.arg != "self"] if function is not None else []
    given = {**dict(zip(declared, made.args, strict=False)), **keywords(made)}
    settings = {
        key: _followed(given.get(node.id, node), names) if isinstance(node, ast.Name) else node
        for key, node in part.settings.items()
    }
    return replace(part, name=name, settings=settings)


def _followed(node: ast.expr, names: Mapping[str, ast.expr]) -> ast.expr:
    """Return the call that a name is bound to, or the node itself."""
    value = names.get(last_name(node)) if isinstance(node, ast.Name) else None
    return value if isinstance(value, ast.Call) else node


def _reached(module: PythonModule, python: PythonSource) -> Iterator[PythonModule]:
    """Yield the modules of the source that a module imports names from."""
    found = [python.found(module, name) for name in module.imported]
    reached = {each[0].file.path: each[0] for each in found if each is not None}
    yield from reached.values()


def _holds(owner: ast.stmt, line: int) -> bool:
    return owner.lineno <= line <= (owner.end_lineno or 0)


def _inner(module: PythonModule, call: ast.Call) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    """Return the innermost function that has a call."""
    holders = [each for each in module.functions.values() if _holds(each, call.lineno)]
    return max(holders, key=lambda each: each.lineno, default=None)


def _local(module: PythonModule, call: ast.Call) -> dict[str, ast.expr]:
    """Return the values of names in the function that has a call."""
    inner = _inner(module, call)
    return bindings(inner.body) if inner is not None else {}


def _parts(
    module: PythonModule, kind: str, python: PythonSource, yaml_files: Mapping[str, dict[str, Value]]
) -> Iterator[Part]:
    """Yield the agents or tasks that a module constructs, with the name that others use for them, or `""`."""
    texts = AGENT_TEXTS if kind == "Agent" else TASK_TEXTS
    path = _configured(module)[f"{kind.lower()}s_config"]
    for call in _calls(module, kind):
        name = _name_of(module, call)
        given, local = keywords(call), _local(module, call)
        config = given.get("config", call.args[0] if call.args else None)
        key = name
        if isinstance(config, ast.Subscript) and isinstance(config.slice, ast.Constant):
            key = str(config.slice.value)
        data = yaml_files.get(path, {}) if config is not None else {}
        part = _from_yaml(key, data)
        for each in (*texts, "guardrail"):
            text = python.text(given.get(each), module, local)
            if text is not None and text.words.strip():
                part.texts[each] = text
        yield replace(part, name=name, settings=given, module=module, line=call.lineno)


def lone_agents(python: PythonSource) -> Iterator[Part]:
    """Yield the agents of a source without a crew, whatever they are bound to."""
    for module in python.modules.values():
        yield from _parts(module, "Agent", python, {})


def _name_of(module: PythonModule, call: ast.Call) -> str:
    """Return the name that a construction is bound to: that of its function, or of its variable."""
    for node in all_nodes(module.tree):
        targets, value = assigned(node)
        if value is call:
            return last_name(targets[0])
    inner = _inner(module, call)
    nodes = all_nodes(inner) if inner is not None else ()
    returned = any(isinstance(node, ast.Return) and node.value is call for node in nodes)
    return inner.name if inner is not None and returned else ""


def flows(python: PythonSource) -> Iterator[tuple[SourceFile, int, str]]:
    """Yield the classes that are flows, which order several crews."""
    for module in python.modules.values():
        for name, owner in module.classes.items():
            bases = (base.value if isinstance(base, ast.Subscript) else base for base in owner.bases)
            if any(last_name(base) == "Flow" for base in bases):
                yield module.file, owner.lineno, name
