"""Generates the pipeline.py of a source that orders its work in steps: one function a step, branches as Python.

What a step is asked stands in requirements.py, what it returns in schemas.py; what comes next is printed here, so that
`run_pipeline` reads as the procedure.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.facts import ArgumentFact, ToolFact
from melleafy_tui.core.models.file_set import EmittedFile
from melleafy_tui.core.models.procedure import END, Branch, Does, Procedure, Step
from melleafy_tui.core.models.vocabulary import PersonaChannel
from melleafy_tui.generators import package_shape as shape
from melleafy_tui.generators.documents import RULES, Documents, step_text
from melleafy_tui.generators.literals import (
    INDENT,
    RUNTIME_DOOR,
    Group,
    docstring_literal,
    fits,
    fitted,
    plain_words,
    string_literal,
)
from melleafy_tui.generators.requirements import OPERATING, has_rules_to_meet
from melleafy_tui.generators.templates_environment import code_file
from melleafy_tui.generators.tools import working_tools

SIGNATURE: Final = ("m: MelleaSession[Any]", "run: Steps")
Node = dict[str, Any]
"""What a run takes: a step, a branch with what it holds, or a line of code."""
_OF_RUNTIME: Final = (
    *("Panel", "Steps", shape.STEPS_REPLY, "chosen_tools", "clock", "model_call", "page", "prompt"),
    *("require", "require_message", "says", "spoken"),
)


def constant_of(step: Step) -> str:
    """Return the name of the list in requirements.py that has the words of a step."""
    return step.step_id.upper()


def generate_procedure(documents: Documents, procedure: Procedure) -> list[EmittedFile]:
    """Return pipeline.py.

    Args:
        documents: The texts of the package.
        procedure: The steps.
    """
    committed = documents.committed
    steps = [step for step in procedure.steps if step.step_id in procedure.reachable]
    texts = [constant_of(step) for step in steps if step.asks]
    others = others_of(documents, procedure)
    return [
        code_file(
            committed,
            "pipeline.py",
            {
                "typing": ["Any"],
                "mellea": ["MelleaSession", "start_session"],
                ".": ["config", "constrained_slots", "tools"],
                ".constrained_slots": ["confirm"],
                RUNTIME_DOOR: _OF_RUNTIME,
                ".requirements": [OPERATING, *texts, *map(constant_of, others)],
                ".schemas": {step.type_name for step in steps if step.type_name},
            },
            "procedure.py.j2",
            title=procedure.title or committed.project_name,
            steps=[
                _code(step, committed, procedure) for step in steps if step.does not in (Does.STOP, Does.WAIT)
            ],
            begin=fitted(Group("run = Steps(", tuple(_run_arguments(documents, procedure))), INDENT),
            opened=fitted(Group("session = run.session(", tuple(texts)), INDENT),
            loops=procedure.loops,
            end=END,
            taken=steps,
            flow=[] if procedure.loops else list(_flow(procedure, steps[0].step_id, END, True)),
            full=f"the {procedure.bound} steps of a run were taken (MAX_STEPS in config.py)",
            values=values_of,
            others={step.step_id for step in others},
            condition=_condition,
            headed=_headed,
        )
    ]


def _run_arguments(documents: Documents, procedure: Procedure) -> Iterator[str | Group]:
    committed = documents.committed
    yield "config"
    values = [
        (place, f"require({string_literal(name)}, {name})")
        for name, place in shape.placeholders(committed).items()
    ]
    values += [(place, "spoken(clock())") for place in procedure.clocks]
    if values:
        yield _pairs("{", values)
    declared = {each.name: each for each in shape.pipeline_parameters(committed)}
    if (message := declared.get("message")) is not None:
        code = "require_message(message)" if not message.default else 'message or ""'
        yield f"message={code}"
    reads = {name for step in procedure.steps for name in step.reads}
    given = [("now", "spoken(clock())")]
    for item in shape.call_arguments(committed):
        symbol = shape.symbol_of(item)
        if symbol not in shape.placeholders(committed):
            required = f"require({string_literal(symbol)}, {symbol})"
            code = f'{symbol} or ""' if declared[symbol].default else required
            given.append((item.element.facts[ArgumentFact].argument, code))
    given += [(name, f"page(config, {string_literal(path)})") for name, path in procedure.pages.items()]
    given += [(step.step_id, f'{step.step_id} or ""') for step in procedure.steps if step.does is Does.WAIT]
    if known := [pair for pair in given if pair[0] in reads]:
        yield _pairs("known={", known)
    if documents.pieces(RULES):
        yield f"general={OPERATING}"
    if others := others_of(documents, procedure):
        yield _pairs("others={", [(step.step_id, constant_of(step)) for step in others])
    if committed.settings.persona_channel is PersonaChannel.SYSTEM:
        yield "by_system=True"
    if shape.confirms_calls(committed):
        yield "confirm=confirm"
    if has_rules_to_meet(committed):
        yield "panel=Panel"


def _pairs(start: str, values: Sequence[tuple[str, str]]) -> Group:
    return Group(start, tuple(f"{string_literal(name)}: {code}" for name, code in values), "}")


def others_of(documents: Documents, procedure: Procedure) -> list[Step]:
    """Return the steps that no model takes and that have words of the owner: later steps are told them."""
    taken = (step for step in procedure.steps if step.step_id in procedure.reachable and not step.asks)
    return [step for step in taken if documents.pieces(step_text(step.step_id))]


# --- the functions -----------------------------------------------------------------------------------


def _code(step: Step, committed: CommittedPlan, procedure: Procedure) -> dict[str, object]:
    """Return the function of a step as code, and the elements that it was made from."""
    by = f", by the {procedure.personas[step.persona]}" if step.persona not in ("", step.step_id) else ""
    declared = [*(SIGNATURE if step.asks else SIGNATURE[1:]), *(["item: str"] if step.over else [])]
    head = Group(f"def {step.step_id}(", tuple(declared), f") -> {step.type_name or 'str'}:")
    return {
        "head": fitted(head),
        "docstring": docstring_literal(f"{plain_words(step.title)}{plain_words(by)} ({step.source})."),
        "body": fitted(_asked(step, committed) if step.asks else _called(step, committed), INDENT),
        "elements": shape.elements_of_step(committed, step),
    }


def _asked(step: Step, committed: CommittedPlan) -> Group:
    given: list[str | Group] = ["m", *map(string_literal, (step.step_id, step.source)), constant_of(step)]
    given += [step.type_name] if step.type_name else []
    given += [f"ask={string_literal(step.says)}"] if step.says else []
    given.append(f"prefix=config.{shape.persona_symbol(step.persona)}")
    if step.reads:
        given.append(Group("reads=[", tuple(map(string_literal, step.reads)), "]"))
    if step.fills:
        pairs = (f"{string_literal(place)}: {string_literal(name)}" for place, name in step.fills.items())
        given.append(Group("fills={", tuple(pairs), "}"))
    if names := [string_literal(tool.symbol) for tool in tools_of(step, committed)]:
        given.append(Group("tools=chosen_tools(", ("tools.TOOLS", *names), ")"))
    if step.over:
        given.append('more={"item": item}')
    if step.type_name and len(step.next) > 1:
        given.append("decides=True")
    return Group(f"return run.{'fill' if step.type_name else 'ask'}(", tuple(given))


def _called(step: Step, committed: CommittedPlan) -> Group:
    given: list[str | Group] = [string_literal(step.step_id), string_literal(step.source)]
    tool = tool_of(step, committed)
    given.append(f"tools.{tool.symbol}" if tool else f"constrained_slots.{step.function}")
    if step.reads and not step.command:
        given.append(Group("run.given(", tuple(map(string_literal, step.reads)), ")"))
    for name, value in values_of(step).items():
        given.append(f"{name}=run.value({string_literal(value)})")
    if step.type_name:
        given.insert(3, step.type_name)
    if tool is not None and tool.symbol in shape.confirmed_functions(committed):
        given.append("confirm=confirm")
    return Group(f"return run.{'read' if step.type_name else 'call'}(", tuple(given))


def values_of(step: Step) -> dict[str, str]:
    """Return the arguments of the script that a step runs: the step, or its field, that gives each."""
    return dict(pair.split("=", 1) for pair in step.command[1:])


def tool_of(step: Step, committed: CommittedPlan) -> shape.Function | None:
    """Return the function that runs the script of a step, or None."""
    offered = [function for function, _ in working_tools(committed).callable]
    scripts = ((tool, element.facts[ToolFact].script) for tool in offered for element in tool.elements)
    return next((tool for tool, script in scripts if step.command and script == step.command[0]), None)


def tools_of(step: Step, committed: CommittedPlan) -> list[shape.Function]:
    """Return the functions that a step may call, in source order."""
    return [
        function
        for function, _ in working_tools(committed).callable
        if any({element.facts.name, element.location} & {*step.tools} for element in function.elements)
    ]


# --- the order ---------------------------------------------------------------------------------------


_RETURN: Final[Node] = {"line": "return run.reply()"}
_PASS: Final[Node] = {"line": "pass"}


def _flow(procedure: Procedure, start: str, until: str, tail: bool) -> Iterator[Node]:
    """Yield what is taken from a step to where its branches join: steps, branches with what they hold, and lines.

    Args:
        procedure: The steps.
        start: The first step.
        until: The step that follows behind.
        tail: Nothing but the end of the run follows.
    """
    current = start
    while current not in (until, END):
        step = procedure.by_id[current]
        yield {"step": step, "apart": current != start}
        if step.does is Does.STOP:
            return
        if len(step.next) == 1:
            current = step.next[0].to
            continue
        join = procedure.join_of(step)
        going = [branch for branch in step.next if not _ends(procedure, branch)]
        alone = len(going) == 1
        ending = [branch for branch in step.next if branch not in going and (branch.when or alone)]
        for branch in ending if going else ():
            held = [*_flow(procedure, branch.to, END, False), *([_RETURN] if branch.to == END else [])]
            yield {"word": "if", "condition": _condition(step, branch, going), "held": held}
        if alone:
            current = going[0].to
            continue
        branches = [branch for branch in step.next if branch not in ending or not going]
        branches.sort(key=lambda branch: not branch.when)
        ends = tail and join == END
        for place, branch in enumerate(branches):
            held = [*_flow(procedure, branch.to, join, ends)]
            held += [_RETURN] if branch.to == END and not ends else []
            if place < len(branches) - 1:
                condition = _condition(step, branch, ())
                yield {"word": "elif" if place else "if", "condition": condition, "held": held or [_PASS]}
            elif held:
                yield {"word": "else", "when": branch.when, "held": held}
        current = join
    if current == END and until != END and not tail:
        yield _RETURN


def _ends(procedure: Procedure, branch: Branch) -> bool:
    """Return whether a branch ends the run at once."""
    return branch.to == END or procedure.by_id[branch.to].does is Does.STOP


def _condition(step: Step, branch: Branch, others: Sequence[Branch]) -> str:
    """Return the condition of a branch; that of "otherwise" is that no other holds."""
    name, value = f"{step.step_id}_result", string_literal(branch.when)
    if not branch.when and others:
        value = string_literal(others[0].when)
    is_typed, sign = bool(step.chooses_by or step.function), "==" if branch.when else "!="
    if is_typed:
        return f"{name}{f'.{step.chooses_by}' if step.chooses_by else ''} {sign} {value}"
    return f"{'' if branch.when else 'not '}says({name}, {value})"


def _headed(word: str, condition: str, margin: str) -> str:
    """Return the head of a branch, in brackets if it is too long for a line."""
    line = f"{margin}{word} {condition}:"
    return line if fits(line) else f"{margin}{word} (\n{margin}{INDENT}{condition}\n{margin}):"
