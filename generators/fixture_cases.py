"""Turns ideas into cases: the inputs of a run, the answers of a scripted model, and what must come of it."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.committed import CommittedPlan, PlannedElement
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import Category, Disposition, EntryKind
from melleafy_tui.core.package.left_memory import MEMORY_COPIED
from melleafy_tui.generators.fixture_ideas import OUT_OF_LENGTH, REMEMBER, Idea, ideas
from melleafy_tui.generators.fixture_scripts import EVERYWHERE, FixtureScripts, JudgedRule
from melleafy_tui.generators.package_shape import (
    is_heartbeat,
    of_kind,
    pipeline_parameters,
    statement_of,
    wakes,
)
from melleafy_tui.generators.tools import working_tools

Inputs = Mapping[str, object]

MEMORY_FILE: Final = "fixtures/memory/MEMORY.md"
"""The made-up memory of a package that ships no memory of its own."""

MADE_UP_FACT: Final = "The spare key of the archive hangs behind the blue door."
_MADE_UP_MESSAGE: Final = "Where is the spare key of the archive?"
_MADE_UP_PROOF: Final = "hangs behind the blue door"

TURNS: Final = (
    ("user", "Can you help me with something?"),
    ("assistant", "Gladly. Which matter is it about?"),
)
"""The earlier turns of the conversation."""

_TURNS_PROOF: Final = "Which matter is it about"
_SPECIAL: Final = LazyRegex(r"[\\.^$*+?{}\[\]|()]")


class Scripted(Struct, frozen=True):
    """One entry of a case's script.

    Attributes:
        kind: `verdicts`, `answer`, `faulty` (the answer that breaks checks), `decision`, `calls` or `unseen` (what is
            said when the text that a case proves did not reach the model).
        match: The pattern that the prompt must match, or `""`.
        broken: The number of the rule that the verdicts find broken; 0 for none.
        decision: `act` or `skip`.
        calls: The calls of tools, each with `name` and `arguments`.
    """

    kind: str
    match: str = ""
    broken: int = 0
    decision: str = ""
    calls: tuple[Mapping[str, object], ...] = ()


class CasePlan(Struct, frozen=True):
    """One case to print.

    Attributes:
        idea: Its id, category, description, elements and the inputs that differ from their defaults.
        script: The entries of its script.
        fields: Values of the result by path.
        lacks: Patterns that the text must not match.
        unmet: The sources of exactly the rules that are unmet; None where it isn't said.
        error: The error that the run must raise.
        memory: It runs on the made-up memory.
        web: Canned answers by address.
    """

    idea: Idea
    script: tuple[Scripted, ...] = ()
    fields: Mapping[str, object] = {}
    lacks: tuple[str, ...] = ()
    unmet: tuple[str, ...] | None = None
    error: str = ""
    memory: bool = False
    web: Mapping[str, object] = {}


class CaseMaker:
    """Makes the cases of a package.

    Args:
        committed: The committed plan.
    """

    def __init__(self, committed: CommittedPlan) -> None:
        self._committed = committed
        self._names = {parameter.name for parameter in pipeline_parameters(committed)}
        self.scripts = FixtureScripts(committed)
        self.ideas = tuple(ideas(committed))
        self._rule_ideas = {idea.elements[0].element_id: idea for idea in self.ideas if idea.elements}

    def kept(self, idea: Idea) -> CasePlan:
        """Return the case of an idea: the scripted model keeps every rule."""
        if idea.inputs.get("message") == "heartbeat" and is_heartbeat(self._committed):
            return self._skipped(idea)
        return CasePlan(idea, self._good(), {"skipped": False}, unmet=self._unmet(idea))

    def required(self) -> Iterator[CasePlan]:
        """Yield the cases that every package needs where they apply, the most important first."""
        yield from self._broken_rule()
        yield from self._memory()
        if "history" in self._names:
            yield self._conversation()
        yield from self._tool_result()
        if is_heartbeat(self._committed):
            found = (idea for idea in self.ideas if idea.fixture_id == "heartbeat")
            yield from map(self._skipped, found)
        elif not wakes(self._committed):
            said = "Empty input: refused before any model call"
            yield CasePlan(Idea("empty", Category.NONE, {"message": ""}, said), error="InputError")
        yield from (self.kept(idea) for idea in self.ideas if idea.fixture_id == "event")
        yield from self._broken_check()
        if is_heartbeat(self._committed):
            yield self._acted()

    # --- the scripted model -------------------------------------------------------------------

    def _good(self, match: str = "") -> tuple[Scripted, ...]:
        """Return a script that keeps every rule; with a pattern, only if it is in the prompts."""
        judged = (Scripted("verdicts", match),) if self.scripts.verdicts else ()
        if not match:
            return (*judged, Scripted("answer"))
        unseen = (Scripted("verdicts", broken=1),) if judged else ()
        return (*judged, *unseen, Scripted("answer", match), Scripted("unseen"))

    def _broken(self, rule: JudgedRule) -> tuple[Scripted, ...]:
        """Return a script in which the judge finds one rule broken."""
        match = f"\n{rule.place}\\. {pattern(rule.opening)}" if self.scripts.many_calls else ""
        kept = (Scripted("verdicts"),) if match else ()
        return (Scripted("verdicts", match, rule.place), *kept, Scripted("answer"))

    def _unmet(self, idea: Idea) -> tuple[str, ...] | None:
        return self.scripts.unmet_by(self.scripts.answer, str(idea.inputs.get("scope", EVERYWHERE)))

    # --- the cases ----------------------------------------------------------------------------

    def _broken_rule(self) -> Iterator[CasePlan]:
        """Yield the case of a judged rule that is broken, one with a message of its own if there is one."""
        judged = self.scripts.judged
        if not judged:
            return
        chosen = next((rule for rule in judged if self._own_idea(rule)), judged[0])
        idea = self._own_idea(chosen) or self._any_idea()
        said = f"The judge finds this rule broken, and exactly it is reported: {statement_of(chosen.item.element)}"
        scope = {"scope": chosen.scope} if chosen.scope != EVERYWHERE else {}
        element = chosen.item.element
        yield CasePlan(
            Idea(
                f"broken_{idea.fixture_id.removeprefix('rule_')}",
                element.category,
                {**idea.inputs, **scope},
                said,
                (element,),
            ),
            self._broken(chosen),
            {"skipped": False},
            unmet=chosen.unmet if self._unmet(idea) is not None else None,
        )

    def _own_idea(self, rule: JudgedRule) -> Idea | None:
        return self._rule_ideas.get(rule.item.element.element_id)

    def _any_idea(self) -> Idea:
        ready = (idea for idea in self._rule_ideas.values() if idea.category is Category.C2)
        return next(ready, Idea("rule", Category.C2, {"message": "Please take care of this one."}, ""))

    def breaking_inputs(self) -> Inputs:
        """Return the inputs of the runs in which each judged rule in turn is broken."""
        return self._any_idea().inputs

    def _conversation(self) -> CasePlan:
        turns = [{"role": role, "text": text} for role, text in TURNS]
        about = self._any_idea()
        inputs = {"message": about.inputs["message"], "history": turns}
        idea = Idea(
            "conversation",
            Category.C1,
            inputs,
            "A second turn: model and judge see the first",
            about.elements,
        )
        return self._proof(idea, _TURNS_PROOF)

    def _proof(self, idea: Idea, match: str) -> CasePlan:
        """Return a case that holds only if the prompts match the pattern."""
        return CasePlan(
            idea, self._good(match), {"skipped": False}, lacks=(UNSEEN[:-1],), unmet=self._unmet(idea)
        )

    def _memory(self) -> Iterator[CasePlan]:
        items = of_kind(self._committed, EntryKind.MEMORY, *Disposition)
        kept = [item for item in items if item.entry.disposition is not Disposition.REMOVE]
        if "memory_context" in self._names:
            said = "What the caller passes as memory reaches model and judge"
            inputs: dict[str, object] = {"message": _MADE_UP_MESSAGE, "memory_context": MADE_UP_FACT}
            elements = tuple(item.element for item in kept[:1])
            yield self._proof(Idea("memory_passed", Category.C5, inputs, said, elements), _MADE_UP_PROOF)
            return
        told = next(filter(None, map(self._remembered, kept)), None)
        if told is not None:
            yield told
        elif any(item.entry.disposition is Disposition.DELEGATE_TO_RUNTIME for item in kept):
            said = "A fact of the memory folder reaches model and judge; the memory is made up"
            elements = tuple(item.element for item in kept[:1])
            idea = Idea("memory_found", Category.C5, {"message": _MADE_UP_MESSAGE}, said, elements)
            yield replace(self._proof(idea, _MADE_UP_PROOF), memory=True)

    def _remembered(self, item: PlannedElement) -> CasePlan | None:
        """Return the case of a fact that ships with the package: one half of it is asked for by the other."""
        if item.entry.disposition not in MEMORY_COPIED:
            return None
        for line in item.element.content_full.split("\n"):
            words = line.strip(" \t-*#>").split(" ")
            half = len(words) // 2
            if len(words) < _FEWEST_WORDS or line.startswith("#"):
                continue
            asked, proof = " ".join(words[:half]), " ".join(words[half : half + _MOST_WORDS])
            said = "A fact of the memory reaches model and judge"
            idea = Idea("memory_found", Category.C5, {"message": REMEMBER.of(asked)}, said, (item.element,))
            return self._proof(idea, pattern(proof))
        return None

    def _tool_result(self) -> Iterator[CasePlan]:
        """Yield the case of an endpoint that the model calls, whose answer reaches model and judge."""
        tools = working_tools(self._committed)
        if tools.denied or tools.asked:
            return
        for function, called in tools.http:
            if called.method != "GET" or not called.host or function.symbol in tools.confirming:
                continue
            arguments = dict.fromkeys(called.parameters, "42")
            address = called.template
            for name, given in arguments.items():
                address = address.replace(f"{{{name}}}", given)
            about = {element.element_id for element in function.elements}
            found = (i for i in self.ideas if about & {element.element_id for element in i.elements})
            idea = next(found, replace(self._any_idea(), fixture_id=f"tool_{function.symbol}"))
            said = f"What the tool {function.symbol} answers reaches model and judge"
            idea = replace(idea, category=Category.C6, expected=said, elements=function.elements[:1])
            case = self._proof(idea, _TOOL_ANSWER)
            made = Scripted("calls", calls=({"name": function.symbol, "arguments": arguments},))
            yield replace(case, script=(made, *case.script), web={address: {"note": _TOOL_ANSWER}})
            return

    def _skipped(self, idea: Idea) -> CasePlan:
        said = replace(
            idea, inputs={"message": "heartbeat"}, expected="A wake-up with nothing to do: it is skipped"
        )
        script = (Scripted("decision", decision="skip"),)
        return CasePlan(said, script, {"skipped": True, "text": ""})

    def _acted(self) -> CasePlan:
        said = "A wake-up without a message that acts: the reply is judged like any other"
        idea = Idea("heartbeat_acts", Category.C9, {"message": None}, said)
        script = (Scripted("decision", decision="act"), *self._good())
        return CasePlan(idea, script, {"skipped": False}, unmet=self._unmet(idea))

    def _broken_check(self) -> Iterator[CasePlan]:
        faulty = self.scripts.faulty
        if faulty is None:
            return
        unmet = self.scripts.unmet_by(faulty) or ()
        said = "The reply breaks rules that Python checks: exactly they are reported"
        idea = Idea(
            "checks_broken", Category.C2, {"message": OUT_OF_LENGTH.english}, said, self._elements(unmet)
        )
        judged = (Scripted("verdicts"),) if self.scripts.verdicts else ()
        yield CasePlan(idea, (*judged, Scripted("faulty")), {"skipped": False}, unmet=unmet)

    def _elements(self, sources: Iterable[str]) -> tuple[Element, ...]:
        wanted = set(sources)
        found = (item.element for item in of_kind(self._committed, EntryKind.RULE, *Disposition))
        return tuple(element for element in found if element.location in wanted)


UNSEEN: Final = "What this fixture proves did not reach the model."
_TOOL_ANSWER: Final = "the seal is amber"
_FEWEST_WORDS: Final = 6
_MOST_WORDS: Final = 8


def pattern(text: str) -> str:
    """Return the pattern that matches exactly this text."""
    return _SPECIAL.sub(r"\\\g<0>", text)
