"""Generates the pipeline.py of a source that orders its work in steps: one function a step, branches as Python.

What a step is asked stands in requirements.py, what it returns in schemas.py; what comes next is printed here, so that
`run_pipeline` reads as the procedure.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.facts import ArgumentFact, ToolFact
from melleafy_tui.core.models.file_set import EmittedFile
from melleafy_tui.core.models.procedure import END, Branch, Does, Procedure, Step
from melleafy_tui.core.models.vocabulary import PersonaChannel
from melleafy_tui.generators import package_shape as shape
from melleafy_tui.generators.documents import RULES, Documents
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
from melleafy_tui.generators.requirements import OPERATING
from melleafy_tui.generators.templates_environment import code_file
from melleafy_tui.generators.tools import working_tools

SIGNATURE: Final = ("m: MelleaSession[Any]", "run: Steps")
_RESULT: Final = "_result"
_RETURN: Final = "return run.reply()"
_OF_RUNTIME: Final = (
    *("Steps", shape.STEPS_REPLY, "chosen_tools", "clock", "model_call", "page", "prompt", "require"),
    "require_message",
    *("says", "spoken"),
)


def constant_of(step: Step) -> str:
    """Return the name of the list in requirements.py that has the words of a step."""
    return step.step_id.upper()


def taken_steps(procedure: Procedure) -> list[Step]:
    """Return the steps that a run can come to, in source order."""
    return [step for step in procedure.steps if step.step_id in procedure.reachable]


def generate_procedure(documents: Documents, procedure: Procedure) -> list[EmittedFile]:
    """Return pipeline.py.

    Args:
        documents: The texts of the package.
        procedure: The steps.
    """
    committed = documents.committed
    steps = taken_steps(procedure)
    texts = [constant_of(step) for step in steps if step.asks]
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
                ".requirements": [OPERATING, *texts],
                ".schemas": {step.type_name for step in steps if step.type_name},
            },
            "procedure.py.j2",
            title=procedure.title or committed.project_name,
            steps=[
                _code(step, committed, procedure) for step in steps if step.does not in (Does.STOP, Does.WAIT)
            ],
            begin=fitted(Group("run = Steps(", tuple(_run_arguments(documents, procedure))), INDENT),
            opened=fitted(Group("session = run.session(", tuple(texts)), INDENT),
            flow="\n".join(
                _loop(procedure, steps) if procedure.loops else _flow(procedure, steps[0].step_id, END, True)
            ),
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
        yield Group("{", tuple(f"{string_literal(place)}: {code}" for place, code in values), "}")
    declared = {each.name: each for each in shape.pipeline_parameters(committed)}
    if (message := declared.get("message")) is not None:
        code = "require_message(message)" if not message.default else 'message or ""'
        yield f"message={code}"
    reads = {name for step in procedure.steps for name in step.reads}
    known = ['"now": spoken(clock())'] if "now" in reads else []
    known += [
        f"{string_literal(name)}: "
        + (f'{symbol} or ""' if declared[symbol].default else f"require({string_literal(symbol)}, {symbol})")
        for item in shape.call_arguments(committed)
        for name, symbol in [(item.element.facts[ArgumentFact].argument, shape.symbol_of(item))]
        if name in reads and symbol not in shape.placeholders(committed)
    ]
    known += [
        f"{string_literal(name)}: page(config, {string_literal(path)})"
        for name, path in procedure.pages.items()
        if name in reads
    ]
    known += [
        f'{string_literal(step.step_id)}: {step.step_id} or ""'
        for step in procedure.steps
        if step.does is Does.WAIT and step.step_id in reads
    ]
    if known:
        yield Group("known={", tuple(known), "}")
    if documents.pieces(RULES):
        yield f"general={OPERATING}"
    if committed.settings.persona_channel is PersonaChannel.SYSTEM:
        yield "by_system=True"
    if shape.confirms_calls(committed):
        yield "confirm=confirm"


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
    given = ["m", string_literal(step.step_id), string_literal(step.source), constant_of(step)]
    given += [step.type_name] if step.type_name else []
    given += [f"ask={string_literal(step.says)}"] if step.says else []
    given.append(f"prefix=config.{shape.persona_symbol(step.persona)}")
    if step.reads:
        given.append(f"reads=[{', '.join(map(string_literal, step.reads))}]")
    if step.fills:
        pairs = (f"{string_literal(place)}: {string_literal(name)}" for place, name in step.fills.items())
        given.append(f"fills={{{', '.join(pairs)}}}")
    if names := [tool.symbol for tool in tools_of(step, committed)]:
        shown = ", ".join(map(string_literal, names))
        given.append(f"tools=chosen_tools(tools.TOOLS, {shown})")
    if step.over:
        given.append('more={"item": item}')
    if step.type_name and len(step.next) > 1:
        given.append("decides=True")
    return Group(f"return run.{'fill' if step.type_name else 'ask'}(", tuple(given))


def _called(step: Step, committed: CommittedPlan) -> Group:
    given = [string_literal(step.step_id), string_literal(step.source)]
    tool = tool_of(step, committed)
    given.append(f"tools.{tool.symbol}" if tool else f"constrained_slots.{step.function}")
    if step.reads and not step.command:
        given.append(f"run.given({', '.join(map(string_literal, step.reads))})")
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
    offered = [function for function, _ in working_tools(committed).callable]
    return [
        function
        for function in offered
        if any({element.facts.name, element.location} & {*step.tools} for element in function.elements)
    ]


# --- the order ---------------------------------------------------------------------------------------


def _flow(
    procedure: Procedure, start: str, until: str, tail: bool, margin: str = 2 * INDENT
) -> Iterator[str]:
    """Yield the code from a step to where its branches join.

    Args:
        procedure: The steps.
        start: The first step.
        until: The step that follows behind the code.
        tail: Nothing but the end of the run follows.
        margin: What the lines begin with.
    """
    current = start
    while current not in (until, END):
        step = procedure.by_id[current]
        if current != start:
            yield ""
        yield f"{margin}# {plain_words(step.title)} ({plain_words(step.source)})"
        yield from _taken(step, margin)
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
            yield from _headed("if", _condition(step, branch, going), margin)
            yield from _flow(procedure, branch.to, END, False, margin + INDENT)
            if branch.to == END:
                yield f"{margin}{INDENT}{_RETURN}"
        if alone:
            current = going[0].to
            continue
        branches = [branch for branch in step.next if branch not in ending or not going]
        branches.sort(key=lambda branch: not branch.when)
        for place, branch in enumerate(branches):
            body = [*_flow(procedure, branch.to, join, tail and join == END, margin + INDENT)]
            if branch.to == END and not (tail and join == END):
                body.append(f"{margin}{INDENT}{_RETURN}")
            if place < len(branches) - 1:
                yield from _headed("elif" if place else "if", _condition(step, branch, ()), margin)
                yield from body or [f"{margin}{INDENT}pass"]
            elif body:
                yield f"{margin}else:" + (f"  # {plain_words(branch.when)}" if branch.when else "")
                yield from body
        current = join
    if current == END and until != END and not tail:
        yield f"{margin}{_RETURN}"


def _ends(procedure: Procedure, branch: Branch) -> bool:
    """Return whether a branch ends the run at once."""
    return branch.to == END or procedure.by_id[branch.to].does is Does.STOP


def _loop(procedure: Procedure, steps: Sequence[Step]) -> Iterator[str]:
    """Yield the code of a graph that comes back to steps: each turn takes the current one."""
    margin, inner = 2 * INDENT, 3 * INDENT
    yield f"{margin}current = {string_literal(steps[0].step_id)}"
    yield f"{margin}for _ in range(config.MAX_STEPS):"
    for place, step in enumerate(steps):
        yield f"{inner}{'elif' if place else 'if'} current == {string_literal(step.step_id)}:"
        body = inner + INDENT
        yield f"{body}# {plain_words(step.title)} ({plain_words(step.source)})"
        yield from _taken(step, body)
        if step.does is Does.STOP:
            continue
        for number, branch in enumerate(step.next):
            to = f"current = {string_literal(branch.to)}"
            if len(step.next) == 1:
                yield body + to
                continue
            if number == len(step.next) - 1:
                yield f"{body}else:"
            else:
                yield from _headed("elif" if number else "if", _condition(step, branch, ()), body)
            yield f"{body}{INDENT}{to}"
    yield f"{inner}if current == {string_literal(END)}:"
    yield f"{inner}{INDENT}break"
    yield f"{margin}else:"
    said = f"the {procedure.bound} steps of a run were taken (MAX_STEPS in config.py)"
    stopped = Group("return run.reply(", ('stopped="budget"', f"reason={string_literal(said)}"))
    yield fitted(stopped, inner)


def _taken(step: Step, margin: str) -> Iterator[str]:
    """Yield the code that takes one step."""
    if step.does is Does.STOP:
        words = plain_words(step.says) or step.title
        given = (
            f"stopped={string_literal(step.step_id)}",
            f"reason={string_literal(step.source)}",
            f"text={string_literal(words)}",
        )
        yield fitted(Group("return run.reply(", given), margin)
        return
    if step.does is Does.WAIT:
        yield f"{margin}if not {step.step_id}:"
        given = (
            f"stopped={string_literal(step.step_id)}",
            f"reason={string_literal('a person must answer first')}",
            f"question={string_literal(plain_words(step.says) or step.title)}",
        )
        yield fitted(Group("return run.reply(", given), margin + INDENT)
        kept = (string_literal(step.step_id), string_literal(step.source), step.step_id)
        yield fitted(Group("run.keep(", kept), margin)
    elif step.over:
        text = f"run.value({string_literal(step.over)})"
        yield f"{margin}for item in run.items({text}, config.MAX_ITEMS):"
        yield f"{margin}{INDENT}{step.step_id}(m, run, item)"
    else:
        if values := values_of(step):
            asked = ", ".join(map(string_literal, values.values()))
            yield f"{margin}if missing := run.missing({asked}):"
            given = (f"stopped={string_literal(step.step_id)}", "reason=missing", "text=missing")
            yield fitted(Group("return run.reply(", given), margin + INDENT)
        held = f"{step.step_id}{_RESULT} = " if len(step.next) > 1 else ""
        yield f"{margin}{held}{step.step_id}({'m, ' if step.asks else ''}run)"
    if step.does is Does.WAIT and len(step.next) > 1:
        yield f"{margin}{step.step_id}{_RESULT} = {step.step_id}"


def _condition(step: Step, branch: Branch, others: Sequence[Branch]) -> str:
    """Return the condition of a branch; that of "otherwise" is that no other holds."""
    name, value = f"{step.step_id}{_RESULT}", string_literal(branch.when)
    if not branch.when and others:
        value = string_literal(others[0].when)
    is_typed, sign = bool(step.chooses_by or step.function), "==" if branch.when else "!="
    if is_typed:
        return f"{name}{f'.{step.chooses_by}' if step.chooses_by else ''} {sign} {value}"
    return f"{'' if branch.when else 'not '}says({name}, {value})"


def _headed(word: str, condition: str, margin: str) -> Iterator[str]:
    """Yield the head of a branch, in brackets if it is too long for a line."""
    line = f"{margin}{word} {condition}:"
    if fits(line):
        yield line
    else:
        yield from (f"{margin}{word} (", f"{margin}{INDENT}{condition}", f"{margin}):")
