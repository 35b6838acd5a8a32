"""Asks about open decisions, twenty a call, and keeps the answers."""

import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from importlib.util import find_spec
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.actions.plurals import counted
from melleafy_tui.actions.session import AssistOffer
from melleafy_tui.cli.assist.model_process import CallFailed, call_model
from melleafy_tui.cli.assist.questions import NEVER_ASKED, Batch, Question, Reading, batches, questions_about
from melleafy_tui.cli.console import Console, on_terminal
from melleafy_tui.cli.json_documents import AssistSummary, part_of
from melleafy_tui.core.decisions.commands import KeepAssisted
from melleafy_tui.core.decisions.rebase import DecisionState, OverrideState
from melleafy_tui.core.decisions.state import Retag
from melleafy_tui.core.errors import MelleafyError, UnusableInput
from melleafy_tui.core.models.facts import ToolFact
from melleafy_tui.core.models.inventory import Inventory
from melleafy_tui.core.models.vocabulary import TOOLS, Disposition, EntryKind
from melleafy_tui.core.pipeline.conversion import Conversion
from melleafy_tui.core.pipeline.element_collection import apply_retags
from melleafy_tui.core.source.secrets.detector import mask_secrets
from melleafy_tui.version import INSTALL_HINT

_UNUSABLE: Final = "the model's answers for them can't be used"

Caller = Callable[[Mapping[str, object]], str]
"""Makes one model call and returns what the model said; raises CallFailed."""


class Assistance(Struct, frozen=True):
    """What asking gave.

    Attributes:
        model: Backend and model.
        asked: How many elements the model was asked about.
        calls: How many calls were made.
        answers: The usable answers, by key.
        problem: Why some elements have no answer, or `""`.
    """

    model: str
    asked: int
    calls: int = 0
    answers: Mapping[str, Retag] = {}
    problem: str = ""

    @property
    def words(self) -> str:
        """Return how many answers came, as a sentence."""
        answered, left = len(self.answers), self.asked - len(self.answers)
        calls = counted(self.calls, "call")
        if not left:
            return f"assist: {self.model} answered for all {answered} in {calls}; accept its answers in the review."
        keep = counted(left, "decision stays open", "decisions stay open")
        about = f"{self.model} answered for {answered} of {counted(self.asked, 'element')} in {calls}"
        return f"{about}; {keep}: {self.problem.rstrip('.')}."

    @property
    def summary(self) -> AssistSummary:
        """Return it for `--json`."""
        return part_of(AssistSummary, self, answered=len(self.answers))


def _agrees(question: str) -> bool:
    """Ask on a terminal; without one the backend that was named on purpose is answer enough."""
    if not on_terminal():
        return True
    try:
        return input(question).strip().lower() in ("y", "yes")
    except EOFError:
        return False


_ADDRESSES: Final = {
    "ollama": ("OLLAMA_HOST", "localhost:11434"),
    "openai": ("OPENAI_BASE_URL", "api.openai.com"),
}
_IN_PROCESS: Final = "hf"


def model_host(backend: str) -> tuple[str, bool]:
    """Return where a backend's model runs, in words, and whether that is this machine."""
    if backend == _IN_PROCESS:
        return "this machine", True
    if backend not in _ADDRESSES:
        return f"the servers of {backend}", False
    variable, usual = _ADDRESSES[backend]
    address = os.environ.get(variable) or usual
    host = urlsplit(address if "//" in address else f"//{address}").hostname or address
    with suppress(ValueError):
        number = ip_address(host)
        return host, number.is_loopback or number.is_unspecified
    return host, host == "localhost"


def assist(
    conversion: Conversion,
    console: Console,
    *,
    states: Collection[OverrideState] = (),
    dry_run: bool = False,
    call: Caller | None = None,
    confirm: Callable[[str], bool] = _agrees,
) -> Assistance:
    """Ask the configured model about the open decisions, keep its answers as decisions, and say how many came.

    Args:
        conversion: The conversion, which gets the answers as one act.
        console: For progress and messages.
        states: The states of the decisions in the file; an assisted one whose text has changed is asked again.
        dry_run: Only say what would be asked.
        call: Makes a call; None for Mellea.
        confirm: Asks whether lines may be sent to another machine.

    Raises:
        UnusableInput: Mellea isn't installed.
    """
    asking = _Asking.about(conversion, states)
    model, done = asking.done.model, asking.done
    if not done.asked:
        console.message("assist: no decision is open, so no model was asked.")
        return done
    if dry_run:
        console.message(f"assist: would ask {model} about {asking.words}; nothing was asked (--dry-run).")
        return done
    if find_spec("mellea") is None:
        raise UnusableInput(f"--assist {_NO_MELLEA}", hint=INSTALL_HINT.format("smoke"))
    host, is_here = model_host(conversion.settings.backend)
    if not is_here and not confirm(f"Send these lines, with secrets masked, to {host}? [y/N] "):
        console.message(f"assist: nothing was sent to {host}.")
        return done
    console.message(f"assist: asking {model} at {host} about {asking.words} …")
    done = asking.all(
        conversion,
        call or call_model,
        lambda number, total: console.progress(
            number, total, f"{'asked' if number == total else 'asking'} {model}"
        ),
    )
    said = done.words
    (console.message if len(done.answers) == done.asked else console.warning)(said)
    return done


_NO_MELLEA: Final = "needs Mellea, which is not installed"


def assist_offer(conversion: Conversion) -> AssistOffer:
    """Return what the review offers to ask the configured model, and what asks it."""
    asking = _Asking.about(conversion)
    host, is_here = model_host(conversion.settings.backend)
    leaves = "Secrets are masked." if is_here else "These lines leave this machine, with secrets masked."
    refusal = "" if asking.done.asked else "No decision is open, so there is nothing to ask."
    if find_spec("mellea") is None:
        refusal = f"Asking a model {_NO_MELLEA}. {INSTALL_HINT.format('smoke')}"

    def ask(copy: Conversion, tell: Callable[[int, int], object], is_stopped: Callable[[], bool]) -> str:
        call = partial(call_model, is_stopped=is_stopped)
        return asking.all(copy, call, tell).words.removeprefix("assist: ")

    return AssistOffer(asking.done.model, (f"At {host}: {asking.words}.", leaves), refusal, ask)


def open_questions(conversion: Conversion, states: Collection[OverrideState] = ()) -> tuple[Question, ...]:
    """Return the elements to ask about, in source order: those that nobody has decided on.

    An earlier answer of a model is asked for again where its text has changed.

    Args:
        conversion: The conversion.
        states: The states of the decisions in the file.
    """
    reworded = (state.key for state in states if state.assisted and state.state is DecisionState.CHANGED)
    keys = {*_open_rules(conversion), *_open_times(conversion), *reworded}
    # As they were read, but for what the user made a credential, which no call shows.
    elements = tuple(
        now if now.category is NEVER_ASKED else read
        for read, now in zip(conversion.resolved.elements, conversion.inventory.elements, strict=True)
    )
    places = {place: conversion.keys[element.element_id] for place, element in enumerate(elements)}
    asked = {
        at: key for at, key in places.items() if elements[at].category is not NEVER_ASKED and key in keys
    }
    return questions_about(elements, asked)


def callable_tools(conversion: Conversion) -> dict[str, str]:
    """Return the keys of the tools that the package may call without asking, by their names."""
    entries = conversion.plan.by_element
    return {
        entry.symbol: conversion.keys[element.element_id]
        for element in conversion.inventory.elements
        if (entry := entries.get(element.element_id)) is not None
        and entry.kind in TOOLS
        and entry.disposition is Disposition.REAL_IMPL
        and not element.facts[ToolFact].asks
    }


def _open_rules(conversion: Conversion) -> Iterator[str]:
    """Yield the keys of the owner's rules of which nothing and nobody has said whether a reply is judged by them."""
    decisions, entries = conversion.decisions, conversion.plan.by_element
    for element in conversion.inventory.elements:
        entry = entries.get(element.element_id)
        if entry is None or entry.kind is not EntryKind.RULE or element.template or element.decisions:
            continue
        key = conversion.keys[element.element_id]
        if key not in decisions.retags and key not in decisions.overrides:
            yield key


def _open_times(conversion: Conversion) -> Iterator[str]:
    """Yield the keys of the lines with a time that isn't taken, of which nobody has said whether it wakes the agent."""
    rows = [each for each in conversion.classification.schedule.rows if each.state in ("asked", "elsewhere")]
    for element in conversion.inventory.elements:
        key, (first, last) = conversion.keys[element.element_id], element.line_range
        is_line = element.kind in ("item", "paragraph", "table_row", "lead_in") and not element.template
        for row in rows if is_line and key not in conversion.decisions.retags else ():
            if row.schedule.file == element.source_file and row.first <= first <= last <= row.last:
                yield key


class _Asking(Struct, frozen=True):
    """The calls of one run."""

    named: Mapping[str, object]
    done: Assistance
    tools: Mapping[str, str]
    planned: Sequence[Batch]

    @classmethod
    def about(cls, conversion: Conversion, states: Collection[OverrideState] = ()) -> "_Asking":
        """Return the calls about what is open in a conversion."""
        questions, tools = open_questions(conversion, states), callable_tools(conversion)
        backend, model = conversion.settings.backend, conversion.settings.model_id
        done = Assistance(f"{backend}/{model}", len(questions))
        return cls({"backend": backend, "model": model}, done, tools, batches(questions, tools))

    @property
    def words(self) -> str:
        """Return how much is asked."""
        calls = counted(len(self.planned), "call")
        return f"{counted(self.done.asked, 'open decision')} in {calls}"

    def all(self, conversion: Conversion, call: Caller, tell: Callable[[int, int], object]) -> Assistance:
        """Make the calls, up to the first that fails, and keep the answers as one act.

        What stays open is asked by the next run, which asks nothing else.
        """
        answers: dict[str, Retag] = {}
        asking: dict[str, Retag] = {}
        calls, problem = 0, ""
        for batch in self.planned:
            tell(calls, len(self.planned))
            calls += 1
            try:
                text = call({**self.named, "prompt": batch.prompt(), "fields": batch.allowed})
            except CallFailed as failed:
                problem = mask_secrets(failed.message)
                break
            said = batch.answers(text, self.done.model)
            found = [
                each for each in batch.questions.values() if each.key in said and _fits(each, said[each.key])
            ]
            problem = problem if len(found) == len(batch.questions) else _UNUSABLE
            answers |= {each.key: said[each.key].retag for each in found}
            tools = {self.tools[said[each.key].asks] for each in found if said[each.key].asks}
            asking |= dict.fromkeys(tools, Retag(asks=True, assisted_by=self.done.model))
        tell(len(self.planned), len(self.planned))
        conversion.act(KeepAssisted({**asking, **answers}))
        return replace(self.done, calls=calls, answers=answers, problem=problem)


def _fits(question: Question, reading: Reading) -> bool:
    """Return whether the inventory takes an answer."""
    element = question.element
    alone = Inventory(files=(), elements=(element,))
    try:
        apply_retags(alone, {element.element_id: question.key}, {question.key: reading.retag})
    except MelleafyError:
        return False
    return True
