"""The work that a source orders in steps: one typed graph for crews, graphs, skills and commands.

Dialects offer it; the generators know nothing else of a source's order. The words of a step and of the persona that
takes it are those of the elements with a `StepFact`, so that a decision about a line holds for the step as well.
"""

from collections.abc import Iterator
from enum import StrEnum
from functools import cached_property
from typing import Final

from msgspec import field

from melleafy_tui.core.models.record import Record
from melleafy_tui.core.models.visible_text import visible

END: Final = "end"
"""What follows the last step."""
ITEM: Final = "item"
"""What a step that is repeated is given each time; it can fill a placeholder."""


class Does(StrEnum):
    """What a step does."""

    ASK = "ask"
    CHOOSE = "choose"
    RUN = "run"
    STOP = "stop"
    REPEAT = "repeat"
    WAIT = "wait"


class Returned(Record, frozen=True):
    """One field that a step returns: its identifier, what the source says of it, its type in Python.

    `options` are the values that it can have, if the source names them.
    """

    name: str
    words: str = ""
    kind: str = "str"
    options: tuple[str, ...] = ()
    optional: bool = False


class Branch(Record, frozen=True):
    """What follows a step: the next one, or `END`; `when` is the value of the returned field, `""` for any other."""

    to: str
    when: str = ""


class Step(Record, frozen=True):
    """One step of a procedure.

    Attributes:
        step_id: Its identifier, which its function in the package has.
        source: File and lines, such as `config/tasks.yaml:3-7`.
        persona: The identifier of the persona that takes it; `""` for the package's own.
        reads: The parameters and earlier steps that it is given; `message` is the caller's text.
        fills: The step, or its field as `step.field`, that fills each placeholder of its texts that no input fills.
        returns: The fields that it returns; none means text.
        type_name: The class of its result, if it returns fields.
        chooses_by: The returned field that decides what follows.
        next: What follows.
        tools: The functions that the model may call in it: their names, or the lines that they come from.
        command: A script in the source and its arguments, as `name=step.field`.
        over: The list of an earlier step that it is repeated over, as `step.field`.
        says: Why a run stops, or what the person is asked.
        function: The function that takes it, of `constrained_slots.py`.
        note: What the package doesn't reproduce of it.
    """

    step_id: str
    title: str
    source: str
    does: Does = Does.ASK
    persona: str = ""
    reads: tuple[str, ...] = ()
    fills: dict[str, str] = field(default_factory=dict)
    returns: tuple[Returned, ...] = ()
    type_name: str = ""
    chooses_by: str = ""
    next: tuple[Branch, ...] = (Branch(END),)
    tools: tuple[str, ...] = ()
    command: tuple[str, ...] = ()
    over: str = ""
    says: str = ""
    function: str = ""
    note: str = ""

    @property
    def asks(self) -> bool:
        """Return whether it calls the model."""
        return self.does in (Does.ASK, Does.CHOOSE, Does.REPEAT)


class Procedure(Record, frozen=True, dict=True):
    """Steps with their order; the first one is taken first.

    Attributes:
        title: What the source calls it.
        steps: The steps, each after those that it reads where the graph has no loop.
        personas: The title of each persona by its identifier.
        placeholders: The form in which the texts name each parameter, by parameter: `{topic}`.
        clocks: The placeholders that stand for date and time.
        takes_message: The caller gives a text to work on.
        bound: How many steps a run with a loop takes at most.
        pages: The carried documents that steps read, by the name under which they read them.
    """

    title: str
    steps: tuple[Step, ...]
    personas: dict[str, str] = field(default_factory=dict)
    placeholders: dict[str, str] = field(default_factory=dict)
    takes_message: bool = False
    clocks: tuple[str, ...] = ()
    bound: int = 25
    pages: dict[str, str] = field(default_factory=dict)

    @cached_property
    def by_id(self) -> dict[str, Step]:
        """Return the steps by their identifier."""
        return {step.step_id: step for step in self.steps}

    @cached_property
    def loops(self) -> bool:
        """Return whether a run can come back to a step."""
        order = {step.step_id: place for place, step in enumerate(self.steps)}
        return any(
            branch.to != END and order[branch.to] <= order[step.step_id]
            for step in self.steps
            for branch in step.next
        )

    @cached_property
    def reachable(self) -> frozenset[str]:
        """Return the steps that a run can come to."""
        return frozenset(self._from(self.steps[0].step_id)) if self.steps else frozenset()

    def _from(self, start: str) -> Iterator[str]:
        seen, pending = {END}, [start]
        while pending:
            name = pending.pop()
            if name in seen:
                continue
            seen.add(name)
            yield name
            pending += [branch.to for branch in self.by_id[name].next]

    def join_of(self, step: Step) -> str:
        """Return the first step that all branches of a step come to, or `END`."""
        paths = [tuple(self._from(branch.to)) for branch in step.next if branch.to != END]
        if len(paths) < len(step.next):
            return END
        order = (each.step_id for each in self.steps)
        return next((name for name in order if all(name in path for path in paths)), END)


def tree_lines(procedure: Procedure) -> Iterator[str]:
    """Yield the graph as a tree: a line for each step, the branches below it."""
    for place, step in enumerate(procedure.steps, start=1):
        asked = "1 call" if step.asks else step.does
        yield visible(f"{place} {step.title} ({asked}), {step.source}")
        if len(step.next) > 1:
            for branch in step.next:
                to = "end" if branch.to == END else procedure.by_id[branch.to].title
                yield visible(f"  ├ {branch.when or 'otherwise'} → {to}")


def mermaid_lines(procedure: Procedure) -> Iterator[str]:
    """Yield the graph as a Mermaid flowchart."""
    yield "flowchart TD"
    for step in procedure.steps:
        words = "".join(sign if sign.isalnum() or sign in " -_.,:" else " " for sign in step.title)
        yield f'    {step.step_id}["{" ".join(words.split())}"]'
    for step in procedure.steps:
        for branch in step.next:
            said = "".join(sign if sign.isalnum() or sign in " -_" else " " for sign in branch.when)
            to = "done([end])" if branch.to == END else branch.to  # Mermaid has a word `end` of its own
            yield f"    {step.step_id} -->{f'|{said}|' if said.strip() else ''} {to}"
