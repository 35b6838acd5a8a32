"""Reads what a node does: the texts that it sends to a model, the fields that it reads and writes, its schema."""

import ast
from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct

from melleafy_tui.core.dialects.langgraph.graph import prebuilt
from melleafy_tui.core.dialects.static_python import (
    PythonModule,
    PythonSource,
    Text,
    calls_in,
    fields_read,
    keys_returned,
    keywords,
    last_name,
    locals_of,
    reads_clock,
)
from melleafy_tui.core.language.python_syntax import all_nodes, text_in

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef

_INVOKING: Final = ("invoke", "ainvoke")
_MODEL_CALLS: Final = (*_INVOKING, "stream", "astream", "with_structured_output", "generate_content")
_SYSTEM: Final = ("SystemMessage", "SystemMessagePromptTemplate")
_HUMAN: Final = ("HumanMessage", "HumanMessagePromptTemplate")
_TEMPLATES: Final = ("from_template", "from_messages", "from_string")
_PROMPTS: Final = ("prompt", "system_prompt", "state_modifier", "messages_modifier", "instructions", "system")
_OF_MODELS: Final = ("bind_tools(", "with_structured_output(", "llm", "model", "chat", "prompt |")
"""What marks the code that makes a model, or a chain with one."""

SHORTEST: Final = 12  # the fewest characters of a text that a node sends to a model


class Work(Struct):
    """What a node does.

    Attributes:
        function: Its function, or None for a prebuilt agent.
        module: The module of the function.
        asks: It calls a model.
        persona: Its system message.
        texts: Its other messages.
        schema: The class of the answer, or `""`.
        tools: The expression that lists its tools.
        clocks: Placeholders that a clock fills.
        renamed: The field of the state that fills a placeholder, where their names differ.
        reads: The fields of the state that it reads.
        writes: The fields of the state that it writes.
        waits: What it asks a person, or None.
        calls_tools: It makes a model's calls of tools.
    """

    module: PythonModule
    function: FunctionNode | None = None
    asks: bool = False
    persona: Text | None = None
    texts: list[Text] = []
    schema: str = ""
    tools: ast.expr | None = None
    clocks: tuple[str, ...] = ()
    renamed: dict[str, str] = {}
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    waits: str | None = None
    calls_tools: bool = False


def _work_of_agent(call: ast.Call, module: PythonModule, python: PythonSource) -> Work:
    """Return what a prebuilt agent does."""
    given = keywords(call)
    texts = (python.text(given.get(name), module) for name in _PROMPTS)
    listed = given.get("tools") or (call.args[1] if len(call.args) > 1 else None)
    persona = next((text for text in texts if text is not None), None)
    return Work(module, asks=True, persona=persona, tools=listed, reads=("messages",), writes=("messages",))


def work_of(code: ast.expr, module: PythonModule, python: PythonSource) -> Work | None:
    """Return what the code of a node does, or None if it isn't in this source."""
    if isinstance(code, ast.Name) and isinstance(module.bound.get(code.id), ast.Call):
        code = module.bound[code.id]
    if isinstance(code, ast.Call) and last_name(code) == "partial" and code.args:
        code = code.args[0]
    if isinstance(code, ast.Call):
        return _work_of_agent(code, module, python) if prebuilt(code, module) else None
    found = python.function(module, last_name(code))
    return _work(found[1], found[0], python) if found is not None else None


def _work(function: FunctionNode, module: PythonModule, python: PythonSource) -> Work:
    local = locals_of(function)
    nodes = all_nodes(function)
    calls = calls_in(function)
    state = function.args.args[0].arg if function.args.args else "state"
    if state == "self" and len(function.args.args) > 1:
        state = function.args.args[1].arg
    work = Work(module, function, reads=tuple(fields_read(nodes, state)), writes=tuple(keys_returned(nodes)))
    work.asks = any(_asks_model(call, module, local) for call in calls)
    for call in calls:
        name = last_name(call.func)
        if name == "with_structured_output" and call.args:
            work.schema = last_name(call.args[0])
        elif {"system_prompt", "instructions"} & keywords(call).keys():
            work.asks, work.tools = True, keywords(call).get("tools", work.tools)
        elif name == "bind_tools" and call.args:
            work.tools = call.args[0]
        elif name == "interrupt":
            said = python.text(call.args[0], module, local) if call.args else None
            work.waits = said.words if said is not None else ""
    spread = [call for call in calls if any(keyword.arg is None for keyword in call.keywords)]
    made = [ast.unparse(call) for call in (*spread, *calls_in(function, *_INVOKING))]
    is_named = not work.asks and "tool_calls" in ast.unparse(function)
    work.calls_tools = is_named and any("args" in words for words in made)
    work.schema = work.schema or _bound_schema(calls, module, local)
    sent = [call for call in calls if id(call) not in _handed_on(nodes, module, local)]
    system, human = _messages(nodes, sent, module, python, local)
    work.persona = system[0] if system else None
    work.texts = [*system[1:], *human]
    if work.asks and not system and not human:
        work.texts = list(_likely(local, module, python))
    given = [pair for call in calls_in(function, "format") for pair in keywords(call).items()]
    pairs = [(key, local.get(getattr(value, "id", ""), value)) for key, value in given]
    work.clocks = tuple(key for key, value in pairs if _is_clock(value, module, python))
    work.renamed = {
        key: name
        for key, value in pairs
        if key not in work.clocks and (name := next(fields_read(all_nodes(value), state), key)) != key
    }
    return work


def _asks_model(call: ast.Call, module: PythonModule, local: Mapping[str, ast.expr]) -> bool:
    """Return whether a call asks a model: by what its object was made with, else by the object's name."""
    name = last_name(call.func)
    if name not in _MODEL_CALLS or not isinstance(call.func, ast.Attribute):
        return False
    owner: ast.AST = call.func.value
    if isinstance(owner, ast.Name):
        owner = local.get(owner.id) or module.bound.get(owner.id) or owner
    words = ast.unparse(owner).casefold()
    if name == "with_structured_output" or any(mark in words for mark in _OF_MODELS):
        return True
    return isinstance(owner, ast.Name) and owner.id not in module.functions and "tool" not in words


def _bound_schema(calls: list[ast.Call], module: PythonModule, local: Mapping[str, ast.expr]) -> str:
    """Return the schema of a model that is bound outside of the function."""
    for call in calls:
        owner = call.func.value if isinstance(call.func, ast.Attribute) else None
        if last_name(call.func) in _INVOKING and isinstance(owner, ast.Name) and owner.id not in local:
            for each in calls_in(module.bound.get(owner.id, owner), "with_structured_output"):
                if each.args:
                    return last_name(each.args[0])
    return ""


def _handed_on(nodes: list[ast.AST], module: PythonModule, local: Mapping[str, ast.expr]) -> set[int]:
    """Return what a node returns for later nodes, and its own model isn't sent, by identity."""
    found: set[int] = set()
    for node in nodes:
        if isinstance(node, ast.Return) and not any(
            _asks_model(call, module, local) for call in calls_in(node)
        ):
            found.update(map(id, all_nodes(node)))
    return found


def _messages(
    nodes: list[ast.AST],
    calls: list[ast.Call],
    module: PythonModule,
    python: PythonSource,
    local: Mapping[str, ast.expr],
) -> tuple[list[Text], list[Text]]:
    """Return the texts that go to a model as system messages, and the others."""
    system: list[Text] = []
    human: list[Text] = []

    def add(role: str, node: ast.expr | None) -> None:
        text = _text(node, module, python, local)
        if text is None or len(text.words.strip()) < SHORTEST:
            return
        found = system if role in ("system", "developer") else human
        if all(each.words != text.words for each in (*system, *human)):
            found.append(text)

    for call in calls:
        name, given = last_name(call.func), keywords(call)
        first = call.args[0] if call.args else None
        add("system", given.get("system_prompt", given.get("instructions")))
        if name in _SYSTEM:
            add("system", given.get("content", first))
        elif name in _HUMAN:
            add("human", given.get("content", first))
        elif name in _TEMPLATES and not isinstance(first, ast.List | ast.Tuple):
            add("human", given.get("template", first))
        elif name in (*_INVOKING, "stream", "astream") and _asks_model(call, module, local):
            add("human", first)
    for node in nodes:
        if isinstance(node, ast.Dict):
            pairs = dict(zip(map(text_in, node.keys), node.values, strict=True))
            role = pairs.get("role")
            if isinstance(role, ast.Constant):
                add(str(role.value), pairs.get("content"))
        elif isinstance(node, ast.Tuple) and len(node.elts) == 2:
            role = node.elts[0]
            if isinstance(role, ast.Constant) and role.value in ("system", "human", "user"):
                add(str(role.value), node.elts[1])
    return system, human


def _text(
    node: ast.expr | None, module: PythonModule, python: PythonSource, local: Mapping[str, ast.expr]
) -> Text | None:
    """Return a text; that of a field of a context is the field's default."""
    found = python.text(node, module, local)
    if found is not None or node is None:
        return found
    value = local.get(getattr(node, "id", ""), node)
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr == "format":
        value = value.func.value
    return python.default_of(value.attr) if isinstance(value, ast.Attribute) else None


def _likely(local: Mapping[str, ast.expr], module: PythonModule, python: PythonSource) -> Iterator[Text]:
    """Yield the texts of variables that are called a prompt."""
    for name, value in local.items():
        if "prompt" in name.casefold() or "instruction" in name.casefold():
            text = _text(value, module, python, local)
            if text is not None and len(text.words.strip()) >= SHORTEST:
                yield text


def _is_clock(node: ast.expr, module: PythonModule, python: PythonSource) -> bool:
    """Return whether an expression takes its value from a clock, or from a function of the source that does."""
    found = python.function(module, last_name(node)) if isinstance(node, ast.Call) else None
    return reads_clock(node) or (found is not None and reads_clock(found[1]))
