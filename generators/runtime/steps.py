# Static module of melleafy-tui 0.2.0, not to be edited.
"""The steps of a procedure: what one is asked, what it returns, what came of it.

What comes next is the control flow of pipeline.py.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any, TypedDict, TypeVar, Unpack

from mellea import MelleaSession
from mellea.backends import ModelOption
from mellea.core import SamplingResult
from pydantic import BaseModel, Field

from .prompts import Piece, document, prompt, tagged
from .runtime import (
    AgentReply,
    BestAttempt,
    EndingBackend,
    InputError,
    PipelineError,
    Unmet,
    joined,
    not_empty,
    notes_on,
    reply_text,
    session_options,
    unmet_rules,
)
from .typed_answers import parse, rendered, well_formed

ModelT = TypeVar("ModelT", bound=BaseModel)
Confirm = Callable[[str], bool]
Maker = Callable[..., Any]
"""Panel, or ToolCalls of some tools; a package without rules or tools lacks it."""
GIVEN = "The text to work on:"
DONE = "These steps are done; what came of them is given below."
NEXT = "Take this step now:"
MOST_HANDED_ON = 6000
"""The most characters of a result that later steps are given."""
RESULT = 500
"""The tokens that the result of a step is counted with before it is there."""


class StepResult(BaseModel):
    """What came of one step."""

    step: str = Field(description="Its name in pipeline.py.")
    source: str = Field(description="File and lines of the step.")
    text: str = Field(description="What it returned, as text.")
    calls: int = Field(default=0, description="The model calls that it took.")
    unmet: list[Unmet] = Field(default=[], description="Its rules that are broken.")
    notes: list[str] = Field(default=[], description="What was missing in it.")


class StepsReply(AgentReply):
    """The result of one run: the last step's text, and what came of each step."""

    steps: list[StepResult] = Field(description="The steps that were taken.")
    stopped: str = Field(description="The step that ended the run early, or empty.")
    question: str = Field(description="What a person must answer first, or empty.")


class Asked(TypedDict, total=False):
    """How a step is asked: what ask() and fill() take by name.

    ask is a line above the owner's text, prefix the persona, reads the results that the
    step sees, fills the result for each {placeholder}, tools makes the calls of what it
    may call, and more what it sees besides, by name.
    """

    ask: str
    prefix: str
    reads: Sequence[str]
    fills: Mapping[str, str]
    tools: Maker
    more: Mapping[str, str]


def require(name: str, value: object) -> str:
    """Return a parameter, or raise InputError if it is empty."""
    if not isinstance(value, str) or not value.strip():
        raise InputError(f"{name} is empty")
    return value


def page(config: ModuleType, path: str) -> str:
    """Return a carried document of the package."""
    place = Path(str(config.__file__)).parent / path
    return place.read_text(encoding="utf-8-sig", errors="replace")


def says(text: str, words: str) -> bool:
    """Return whether a result has words, whole and in any case."""
    return bool(re.search(rf"(?<!\w){re.escape(words)}(?!\w)", text, re.IGNORECASE))


class Steps:
    """One run: the values that it was given, and what its steps returned.

    Args:
        config: The config.py of the package.
        values: The values of the owner's {placeholders}, by the text between the braces.
        message: The text to work on.
        known: What the caller gave besides, by name.
        general: The owner's rules that stand above all steps.
        others: The owner's text of each step that no model takes, by its name.
        by_system: The persona goes by the system prompt.
        confirm: Is asked before calls of tools that need a yes.
        panel: Panel, if there are rules to hold answers against.
    """

    def __init__(
        self,
        config: ModuleType,
        values: Mapping[str, str] | None = None,
        *,
        message: str = "",
        known: Mapping[str, str] | None = None,
        general: Sequence[Piece] = (),
        others: Mapping[str, Sequence[Piece]] | None = None,
        by_system: bool = False,
        confirm: Confirm | None = None,
        panel: Maker | None = None,
    ) -> None:
        """Begin a run."""
        self._config, self._values, self._message = config, dict(values or {}), message
        self._general, self._others = general, dict(others or {})
        self._by_system, self._confirm = by_system, confirm
        self._panel = panel
        self.known: dict[str, str] = dict(known or {})
        self._fields: dict[str, str] = {}
        self.results: list[StepResult] = []
        self._sure: list[str] = list((known or {}).values())
        self._text = ""

    def session(self, *texts: Sequence[Piece]) -> dict[str, Any]:
        """Return the arguments of start_session() for a run with steps of these texts."""
        found = (self._general, *self._others.values(), *texts)
        pieces = (piece for each in found for piece in each)
        return session_options(
            self._config,
            self._message,
            *(piece.text + piece.asks for piece in pieces),
            *self._values.values(),
            *self.known.values(),
            room=RESULT * len(texts),
        )

    def ask(
        self,
        m: MelleaSession[Any],
        step: str,
        source: str,
        pieces: Sequence[Piece],
        **how: Unpack[Asked],
    ) -> str:
        """Let the model take a step, hold its words against the step's rules, return the best."""
        before = self.known.get(step, "") if "more" in how else ""
        result, sampling = self._instruct(m, step, source, pieces, None, how)
        self._text = joined(before, self._done(result, reply_text(sampling), sampling))
        self.known[step] = self._text[:MOST_HANDED_ON]
        return result.text

    def fill(
        self,
        m: MelleaSession[Any],
        step: str,
        source: str,
        pieces: Sequence[Piece],
        form: type[ModelT],
        *,
        decides: bool = False,
        **how: Unpack[Asked],
    ) -> ModelT:
        """Let the model take a step whose result has fields, which may decide what follows."""
        result, sampling = self._instruct(m, step, source, pieces, form, how)
        found = self._split(step, parse(str(sampling), form))
        before = self._text
        self._done(result, rendered(found), sampling)
        self._text = before if decides and before else self._text
        return found

    def call(
        self,
        step: str,
        source: str,
        work: Callable[..., object],
        *given: object,
        confirm: Confirm | None = None,
        **named: object,
    ) -> str:
        """Take a step by code and return what it says; if it fails, no later step is taken."""
        name = getattr(work, "__name__", step)
        try:
            if confirm is not None and not confirm(name):
                raise PipelineError("it needs a yes first")
            found = work(*given, **named)
        except Exception as error:
            said = str(error) or type(error).__name__
            raise PipelineError(
                f"{step} ({source}): {name}: {said.removeprefix(f'{name}: ')}"
            ) from error
        text = rendered(found) if isinstance(found, BaseModel) else str(found or "")
        return self.keep(step, source, text.strip())

    def read(
        self,
        step: str,
        source: str,
        work: Callable[..., object],
        form: type[ModelT],
        **named: Any,
    ) -> ModelT:
        """Take a step by code whose result has fields, which is printed as JSON."""
        return self._split(step, parse(self.call(step, source, work, **named), form))

    def question(self, step: str) -> str:
        """Return the owner's text of a step that a person takes."""
        return self.filled(document(self._others[step])).strip("\r\n")

    def value(self, name: str) -> str:
        """Return a result, or one field of it."""
        return self._fields.get(name, self.known.get(name, ""))

    def missing(self, *names: str) -> str:
        """Return which values aren't known, or are of the model's making; code isn't run with these."""
        held = " ".join((self._message, *self._values.values(), *self._sure))
        unknown = [name for name in names if not self.value(name).strip()]
        given = held.casefold()
        made_up = [n for n in names if self.value(n).strip().casefold() not in given]
        for found, said in ((unknown, "isn't known"), (made_up, "isn't in the text")):
            if found:
                return f"{found[0].rpartition('.')[2].replace('_', ' ')} {said}"
        return ""

    def _split(self, step: str, found: ModelT) -> ModelT:
        """Keep the fields of a result, each as text."""
        for name, value in found.model_dump(mode="json").items():
            listed = "\n".join(map(str, value)) if isinstance(value, list) else value
            self._fields[f"{step}.{name}"] = "" if value is None else str(listed)
        return found

    def keep(self, step: str, source: str, text: str) -> str:
        """Keep the result of a step that no model took."""
        self._sure.append(text)
        self._text, self.known[step] = text, text[:MOST_HANDED_ON]
        self.results.append(StepResult(step=step, source=source, text=text))
        return text

    def items(self, text: str, most: int) -> Iterator[str]:
        """Yield the lines of a list that an earlier step returned, without their marks."""
        bare = re.sub(r"(?m)^\s*(?:[-*+•]|\d+[.)])\s+", "", text)
        filled = [line.strip() for line in bare.splitlines() if line.strip()]
        if len(filled) > most and self.results:
            self.results[-1].notes.append(
                f"only the first {most} of {len(filled)} items were taken"
            )
        yield from filled[:most]

    def reply(
        self, *, stopped: str = "", reason: str = "", text: str = "", question: str = ""
    ) -> StepsReply:
        """Return the result of the run."""
        return StepsReply(
            text=text or self._text or question,
            skipped=False,
            reason=reason or "all steps were taken",
            unmet=[rule for result in self.results for rule in result.unmet],
            notes=[note for result in self.results for note in result.notes],
            steps=self.results,
            stopped=stopped,
            question=question,
        )

    def given(self, *names: str) -> str:
        """Return what a step reads as one text, each result in its tag."""
        known = {**self.known, "message": self._message}
        return tagged({name: known.get(name, "") for name in names})

    def filled(self, text: str, fills: Mapping[str, str] | None = None) -> str:
        """Return a text with the values in the place of the owner's {placeholders}, once each."""
        results = {**self.known, **self._fields, "message": self._message}
        values = {place: results.get(name, "") for place, name in (fills or {}).items()}
        values |= self._values
        return re.sub(
            r"\{([A-Za-z_][A-Za-z0-9_-]*)\}",
            lambda found: values.get(found[1], found[0]),
            text,
        )

    def _instruct(
        self,
        m: MelleaSession[Any],
        step: str,
        source: str,
        pieces: Sequence[Piece],
        form: type[BaseModel] | None,
        how: Asked,
    ) -> tuple[StepResult, SamplingResult[str]]:
        """Ask the model, and return what is known of the step so far and its answers."""
        result = StepResult(step=step, source=source, text="")
        backend = EndingBackend.of(m.backend)
        m.backend, before = backend, backend.calls
        fills = how.get("fills")
        self.known.update(how.get("more", {}))
        reads = how.get("reads", ())
        taken = [piece for name in reads for piece in self._others.get(name, ())]

        def with_values(piece: Piece) -> Piece:
            text, asks = (self.filled(each, fills) for each in (piece.text, piece.asks))
            return replace(piece, text=text, asks=asks)

        texts = (self._general, taken, pieces)
        general, done, now = ([*map(with_values, found)] for found in texts)
        own = [*general, *done, *now]
        parts = [document(own)]
        if done:
            parts = [document(general), DONE, document(done), NEXT, document(now)]
        task = joined(self.filled(how.get("ask", ""), fills), *parts)
        message = self._message if "message" in reads else ""
        known = {name: self.known[name] for name in reads if name in self.known}
        known |= how.get("more", {})
        persona = self.filled(how.get("prefix", ""), fills)
        seen = {**known, "message": message} | ({} if message else {"task": task})
        calls: Any = None
        if offer := how.get("tools"):
            rounds = getattr(self._config, "TOOL_BUDGET", 3)
            calls = offer(result.notes, confirm=self._confirm, rounds=rounds)

        def inputs() -> dict[str, str]:
            return {**seen, "tool_results": calls.results} if calls else seen

        system = {ModelOption.SYSTEM_PROMPT: persona} if self._by_system else {}
        panel = self._panel(own, inputs=inputs, model=form) if self._panel else None
        strategy = calls.strategy if calls else BestAttempt
        sampling = m.instruct(
            prompt(task, message=message, label=GIVEN, **known),
            prefix=None if self._by_system or not persona else persona,
            model_options=system,
            requirements=[
                *(panel.requirements if panel else ()),
                not_empty() if form is None else well_formed(form),
            ],
            format=form,
            strategy=strategy(loop_budget=self._config.LOOP_BUDGET),
            return_sampling_results=True,
        )
        result.calls = backend.calls - before
        return result, sampling

    def _done(
        self, result: StepResult, text: str, sampling: SamplingResult[str]
    ) -> str:
        """Keep the result of a step that the model took."""
        self._text, self.known[result.step] = text, text[:MOST_HANDED_ON]
        result.text, result.unmet = text, unmet_rules(sampling)
        result.notes += notes_on(sampling)
        self.results.append(result)
        return text
