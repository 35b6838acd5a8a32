"""What every package shows the judge, and how each fault of a model ends its run: the examples, the shapes, the workspaces.

The examples and three shapes run in the slow suite, every other package in the long one.
"""

import inspect
import json
import re
import warnings
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

pytest.importorskip("mellea")

from melleafy_tui.core.models.file_set import FileSet
from melleafy_tui.core.smoke import fake_server, scripted_model
from melleafy_tui.core.smoke.fake_server import FakeModelServer, ModelCall
from melleafy_tui.core.smoke.scripted_model import REFUSAL, Behaviour, Schema, instance_of
from tests.conftest import PROJECT
from tests.converted import files_of, repository_of
from tests.generators.emitting import imported, write_files
from tests.generators.variants import shape_files, shapes
from tests.scripted import Script, rules_in

EXAMPLES = sorted(path for path in (PROJECT / "examples").iterdir() if path.is_dir())
WORKSPACES = sorted(path for path in (PROJECT / "tests" / "dialects").glob("*/workspaces/*") if path.is_dir())
USUAL = ("whole", "nothing", "scheduled")
"""Shapes with everything, with nothing, and without a message."""

CASES = [
    *(pytest.param(path, id=path.name, marks=pytest.mark.slow) for path in EXAMPLES),
    *(pytest.param(name, marks=pytest.mark.slow if name in USUAL else pytest.mark.long) for name in shapes()),
    *(pytest.param(path, id=f"{path.parts[-3]}-{path.name}", marks=pytest.mark.long) for path in WORKSPACES),
]

MESSAGE = "Please look at case 4711 for me."
TURNS = [{"role": "user", "text": "I am Rui."}, {"role": "assistant", "text": "Good morning, Rui."}]
RECALLED = "The zebra is called Tove."
ANSWERED = "The tool found nine otters."


@pytest.fixture(scope="module")
def server() -> Iterator[FakeModelServer]:
    with FakeModelServer(delay=1.0) as started:
        yield started


def package_of(source: Path | str) -> FileSet:
    """Return the package of a workspace or of a shape."""
    if isinstance(source, str):
        return shape_files(source)
    return files_of(repository_of(source) if "claude_code" in source.parts else source)


class Package:
    """A package that runs against the stand-in: its memory remembers one fact, its tools say one thing."""

    def __init__(self, pipeline: ModuleType, server: FakeModelServer, patch: pytest.MonkeyPatch) -> None:
        self.pipeline, self.server, self._patch = pipeline, server, patch
        self._runs = 0
        self.remembers = hasattr(pipeline, "recall_memory")
        if self.remembers:
            patch.setattr(pipeline, "recall_memory", lambda *_given, **_named: RECALLED)
        tools = getattr(pipeline, "tools", None)
        self.offered = list(getattr(tools, "TOOLS", ()))
        if self.offered:
            told = [replace(tool, function=_answering(tool), ask=False) for tool in self.offered]
            patch.setattr(tools, "TOOLS", told)

    @property
    def calls(self) -> list[ModelCall]:
        """Return the calls of the last run; one of a run that didn't wait for its answer may come later."""
        return [call for call in self.server.calls if call.mark == self._mark]

    @property
    def _mark(self) -> str:
        return f"{self.pipeline.__name__} {self._runs}"

    def run(
        self, behaviour: Behaviour = Behaviour.PLAIN, *, calls: tuple[dict[str, object], ...] = ()
    ) -> tuple[str, Any]:
        """Return the error of a run, or its reply; the first call that offers these tools calls them."""
        script = [{"calls": list(calls), "times": 1}] if calls else []
        self._runs += 1
        self._patch.setenv("OLLAMA_HOST", self.server.url + self.server.open_case(self._mark, Script(script)))
        self.server.behaviour = behaviour
        hangs = behaviour is Behaviour.SLOW
        self._patch.setattr(self.pipeline.config, "REQUEST_TIMEOUT", 0.3 if hangs else 60.0)
        try:
            return "", self.pipeline.run_pipeline(MESSAGE, TURNS)
        except Exception as error:
            return f"{type(error).__name__}: {error}", None

    def a_call(self) -> tuple[dict[str, object], ...]:
        """Return a call of the first tool, or none."""
        if not self.offered:
            return ()
        offered = self.offered[0].offered
        schema = offered.as_json_tool["function"]["parameters"]
        return ({"name": offered.name, "arguments": instance_of(schema)},)


def _answering(tool: Any) -> Any:
    """Return a function with the name and the parameters of a tool's that gives the one answer."""

    def function(**_given: object) -> str:
        return ANSWERED

    function.__name__, function.__doc__ = tool.function.__name__, tool.function.__doc__
    vars(function)["__signature__"] = inspect.signature(tool.function)
    return function


@pytest.fixture(params=CASES)
def package(
    request: pytest.FixtureRequest, server: FakeModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Package]:
    files = package_of(request.param)
    write_files(files, tmp_path)
    with warnings.catch_warnings(), imported(files.package_name, tmp_path) as pipeline:
        warnings.simplefilter("error")
        warnings.simplefilter(
            "ignore", ResourceWarning
        )  # Mellea keeps connections open until they are collected
        if hasattr(pipeline, "Steps"):
            pytest.skip("a run in steps has no earlier turns: tests/dialects/test_headed_steps.py")
        yield Package(pipeline, server, monkeypatch)


def judges(calls: list[ModelCall]) -> list[ModelCall]:
    return [call for call in calls if call.title == "Verdicts"]


def listed_in(prompt: str) -> list[str]:
    """Return the rules that a repair prompt names."""
    return re.findall(r"^\* (.*)", prompt.partition("It does not meet:\n")[2], re.MULTILINE)


def breaking(rule: str, prompt: str, schema: Schema | None, behaviour: Behaviour) -> str:
    """Answer as the stand-in does, but with one rule broken."""
    said = fake_server_answer(prompt, schema, behaviour)
    if (schema or {}).get("title") != "Verdicts":
        return said
    verdicts = json.loads(said)
    for place, text in enumerate(rules_in(prompt)):
        if text == rule:
            verdicts[f"rule_{place + 1}"] |= {"verdict": "broken", "reason": "told so"}
    return json.dumps(verdicts)


fake_server_answer = scripted_model.answer


def shown_to_the_judge(package: Package) -> None:
    """Check that the judge sees what the agent saw, in a window with room for every prompt."""
    error, reply = package.run(calls=package.a_call())
    assert not error
    calls = package.calls
    roles = [role for call in calls if call.title != "Verdicts" for role, _ in call.messages]
    assert "assistant" in roles, "the agent has real turns"
    for judge in judges(calls):
        assert MESSAGE in judge.prompt
        assert "user: I am Rui.\nassistant: Good morning, Rui." in judge.prompt
        assert not package.remembers or RECALLED in judge.prompt
        assert not package.offered or "reading_rules" in judge.prompt or ANSWERED in judge.prompt
    for call in calls:
        assert int(str(call.options["num_ctx"])) > len(call.prompt) * 0.4
    assert len({str(call.options["num_ctx"]) for call in calls}) == 1
    assert reply.text or reply.skipped


def unjudged(reply: Any) -> int:
    """Return how many rules the notes say that nobody judged."""
    found = (re.match(r"(\d+) rules? w(as|ere) not judged: ", note) for note in reply.notes)
    return sum(int(note[1]) for note in found if note)


def one_broken_rule(package: Package, rule: str, plain: Any, patch: pytest.MonkeyPatch) -> None:
    """Check that a broken rule is one more unmet rule, and that the repair names it and nothing that is kept."""
    with patch.context() as patched:
        patched.setattr(fake_server, "answer", partial(breaking, rule))
        error, reply = package.run()
    assert not error
    known = [(found.rule, found.source) for found in plain.unmet]
    more = [found for found in reply.unmet if (found.rule, found.source) not in known]
    assert [(found.rule, found.reason) for found in more] == [(rule, "told so")]
    assert more[0].source
    repairs = [call.prompt for call in package.calls if f"* {rule} (told so)" in call.prompt]
    assert repairs
    broken = tuple(text.splitlines()[0] for text in (rule, *(text for text, _ in known)))
    named = {line for repair in repairs for line in listed_in(repair)}
    assert [line for line in named if not line.startswith(broken)] == []


def ends_truthfully(package: Package, behaviour: Behaviour, plain: Any, judged: int, typed: bool) -> str:
    """Check how a fault ends the run, and return it in a few words."""
    error, reply = package.run(behaviour)
    unsaid = unjudged(reply) - unjudged(plain) if reply else 0
    if behaviour in (Behaviour.REFUSE, Behaviour.SLOW):
        assert error.startswith("BackendError: "), error
        return "BackendError"
    if behaviour is Behaviour.EMPTY or (typed and behaviour in (Behaviour.BROKEN_JSON, Behaviour.DECLINE)):
        assert re.match("PipelineError: (no valid|no usable|the model returned an empty)", error), error
        return "PipelineError"
    if error and typed and behaviour in (Behaviour.CUT, Behaviour.RAMBLE):
        assert re.match("PipelineError: (no valid|no usable)", error), error
        return "PipelineError"
    assert not error
    if behaviour in (Behaviour.CUT, Behaviour.RAMBLE, Behaviour.TERSE):
        was_cut = [note for note in reply.notes if note.startswith("the reply was cut by the token limit")]
        assert typed or bool(was_cut) is (behaviour is not Behaviour.TERSE)
        assert unsaid == 0 if behaviour is Behaviour.RAMBLE else unsaid <= judged
        judgement = f", {unsaid} of {judged} not judged" if judged else ""
        return ("the reply, cut" if was_cut else "the reply") + judgement
    if behaviour is Behaviour.DECLINE:
        assert reply.text == REFUSAL
        assert bool(judges(package.calls)) is bool(judged)
        return "the refusal, judged" if judged else "the refusal"
    assert reply.text == plain.text
    assert [found.source for found in reply.unmet] == [found.source for found in plain.unmet]
    if behaviour is Behaviour.BUSY_ONCE:
        assert reply == plain
        return "as if nothing had been"
    assert unsaid == judged
    return "the reply, not judged" if judged else "the reply, nothing to judge"


FAULTS = (
    *(Behaviour.JUDGE_EMPTY, Behaviour.JUDGE_GARBAGE, Behaviour.BROKEN_JSON, Behaviour.EMPTY),
    *(Behaviour.DECLINE, Behaviour.REFUSE, Behaviour.SLOW, Behaviour.BUSY_ONCE),
    *(Behaviour.RAMBLE, Behaviour.TERSE, Behaviour.CUT),
)


def test_a_run_is_judged_on_what_it_saw_and_ends_truthfully(
    package: Package, monkeypatch: pytest.MonkeyPatch, record_property: Any
) -> None:
    error, plain = package.run()
    assert not error
    calls = package.calls
    rules = list(dict.fromkeys(rule for judge in judges(calls) for rule in rules_in(judge.prompt)))
    typed = any(call.schema is not None and call.title != "Verdicts" for call in calls)
    shown_to_the_judge(package)
    for rule in rules[-1:]:
        one_broken_rule(package, rule, plain, monkeypatch)
    for behaviour in FAULTS:
        record_property(behaviour.value, ends_truthfully(package, behaviour, plain, len(rules), typed))
