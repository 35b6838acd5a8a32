"""The smoke run on small packages written here, against the real Mellea where the package uses it."""

import json
import textwrap
import threading
import urllib.error
import urllib.request
from contextlib import suppress
from pathlib import Path

import pytest

from melleafy_tui.core.errors import UnusableInput
from melleafy_tui.core.models.reports import FixtureRun, FixtureStatus
from melleafy_tui.core.output.emitted import find_package
from melleafy_tui.core.smoke.fake_server import FakeModelServer
from melleafy_tui.core.smoke.runner import SmokeRequest, run_smoke
from melleafy_tui.core.smoke.scripted_model import Behaviour
from melleafy_tui.generators.static_modules import static_module

MELLEA_PIPELINE = """
from mellea import start_session
from mellea.stdlib.requirements import req
from mellea.stdlib.sampling import RejectionSamplingStrategy
from . import config

def run_pipeline(message: str):
    with start_session(config.BACKEND, config.MODEL_ID) as m:
        sampling = m.instruct(
            message,
            requirements=[req("Be brief.")],
            strategy=RejectionSamplingStrategy(loop_budget=1),
            return_sampling_results=True,
        )
    unmet = [str(r.description) for r, verdict in sampling.result_validations if not verdict]
    return {"text": str(sampling), "unmet": unmet}
"""


def write_package(folder: Path, pipeline: str, fixtures: tuple[str, ...] = ("one",)) -> Path:
    package = folder / "tiny_mellea"
    package.mkdir()
    makers = "\n".join(
        f"def make_{name}():\n    return {{'message': {name!r}}}, {name!r}, 'expects {name}'"
        for name in fixtures
    )
    listed = ", ".join(f"make_{name}" for name in fixtures)
    (package / "fixtures.py").write_text(f"{makers}\nALL_FIXTURES = [{listed}]\n")
    (package / "config.py").write_text("BACKEND = 'openai'\nMODEL_ID = 'granite4.1:3b'\n")
    (package / "pipeline.py").write_text(textwrap.dedent(pipeline))
    (package / "__init__.py").write_text("from .pipeline import run_pipeline\n")
    (package / "melleafy.json").write_text(json.dumps({"declared_env_vars": ["TINY_TOKEN"]}))
    return package


def only_run(package: Path, behaviour: Behaviour = Behaviour.PLAIN) -> FixtureRun:
    report = run_smoke(SmokeRequest(package, behaviour=behaviour))
    assert len(report.runs) == 1
    return report.runs[0]


def test_the_real_mellea_runs_and_its_calls_are_counted(tmp_path: Path) -> None:
    report = run_smoke(SmokeRequest(write_package(tmp_path, MELLEA_PIPELINE, ("one", "two"))))
    assert report.passed
    assert report.mellea_version.startswith("0.8")
    assert [(run.fixture_id, run.calls) for run in report.runs] == [("one", 2), ("two", 2)]


@pytest.mark.slow
def test_a_judge_that_says_no_shows_the_unmet_requirement(tmp_path: Path) -> None:
    run = only_run(write_package(tmp_path, MELLEA_PIPELINE), Behaviour.JUDGE_SAYS_NO)
    assert run.status is FixtureStatus.UNMET
    assert run.unmet == ("Be brief.",)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("pipeline", "status", "said"),
    [
        pytest.param(
            "def run_pipeline(message):\n    raise ValueError('no good')",
            FixtureStatus.FAILED,
            "ValueError: no good",
            id="an-exception-is-a-failure",
        ),
        pytest.param(
            "def run_pipeline(message):\n    return {'text': ' '}",
            FixtureStatus.FAILED,
            "empty reply",
            id="an-empty-reply-is-a-failure",
        ),
        pytest.param(
            "async def run_pipeline(message):\n    return 'a'",
            FixtureStatus.FAILED,
            "TypeError: run_pipeline returned a coroutine",
            id="what-has-not-run-is-a-failure",
        ),
        pytest.param(
            "import os\ndef run_pipeline(m):\n    os._exit(3)", FixtureStatus.FAILED, "", id="a-dead-process"
        ),
        pytest.param("1 +", FixtureStatus.FAILED, "SyntaxError", id="an-unparseable-package"),
        pytest.param(
            "import mellea_is_not_here", FixtureStatus.FAILED, "ModuleNotFound", id="a-missing-module"
        ),
        pytest.param(
            "raise ModuleNotFoundError('no mellea', name='mellea')",
            FixtureStatus.ENVIRONMENT,
            "pip install '.[smoke]'",
            id="no-mellea-is-environment",
        ),
    ],
)
def test_what_is_no_success(tmp_path: Path, pipeline: str, status: FixtureStatus, said: str) -> None:
    run = only_run(write_package(tmp_path, pipeline))
    assert run.status is status
    assert said in run.error
    assert run.error


def test_a_skipped_run_may_have_no_text(tmp_path: Path) -> None:
    package = write_package(tmp_path, "def run_pipeline(message):\n    return {'text': '', 'skipped': True}")
    assert only_run(package).status is FixtureStatus.PASSED


def test_the_package_sees_dummies_for_its_declared_variables_and_nothing_of_the_user_s(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_REAL_TOKEN", "from-the-user")
    pipeline = """
    import os
    def run_pipeline(message):
        return {"text": f"{os.environ['TINY_TOKEN']} {os.environ.get('MY_REAL_TOKEN')}"}
    """
    assert only_run(write_package(tmp_path, pipeline)).reply == "stand-in None"


@pytest.mark.slow
def test_a_live_run_without_a_backend_is_environment_and_never_passed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = write_package(tmp_path, MELLEA_PIPELINE)
    (package / "config.py").write_text("BACKEND = 'ollama'\nMODEL_ID = 'granite4.1:3b'\n")
    monkeypatch.setenv("OLLAMA_HOST", "http://127.0.0.1:9")
    report = run_smoke(SmokeRequest(package, live=True))
    assert [run.status for run in report.runs] == [FixtureStatus.ENVIRONMENT]
    assert not report.passed


def test_a_run_that_does_not_end_is_stopped_and_failed(tmp_path: Path) -> None:
    package = write_package(
        tmp_path, "import threading\ndef run_pipeline(message):\n    threading.Event().wait()"
    )
    report = run_smoke(SmokeRequest(package, time_limit=1.0))
    assert [run.status for run in report.runs] == [FixtureStatus.FAILED]
    assert "did not finish within 1 seconds" in report.runs[0].error


def test_a_cancelled_run_reports_what_had_run(tmp_path: Path) -> None:
    pipeline = """
    import threading
    def run_pipeline(message):
        if message == "two":
            threading.Event().wait()
        return {"text": message}
    """
    cancelled = threading.Event()
    request = SmokeRequest(write_package(tmp_path, pipeline, ("one", "two")))
    report = run_smoke(request, on_run=lambda _: cancelled.set(), cancelled=cancelled)
    assert [run.fixture_id for run in report.runs] == ["one"]


def test_one_fixture_can_be_chosen_and_an_unknown_one_is_refused(tmp_path: Path) -> None:
    package = write_package(
        tmp_path, "def run_pipeline(message):\n    return {'text': message}", ("one", "two")
    )
    report = run_smoke(SmokeRequest(package, fixture_ids=("two",)))
    assert [run.fixture_id for run in report.runs] == ["two"]
    with pytest.raises(UnusableInput, match="no fixture 'three'"):
        run_smoke(SmokeRequest(package, fixture_ids=("three",)))


def test_the_package_is_found_from_the_output_folder(tmp_path: Path) -> None:
    package = write_package(tmp_path, "")
    assert find_package(tmp_path) == package.resolve() == find_package(package)
    with pytest.raises(UnusableInput, match="There is no such folder"):
        find_package(tmp_path / "elsewhere")
    (tmp_path / "elsewhere").mkdir()
    with pytest.raises(UnusableInput, match=r"holds no melleafy\.json"):
        find_package(tmp_path / "elsewhere")


ASKING = """
import json, os, threading, urllib.request

class InputError(ValueError):
    pass

def ask(**more):
    body = {"model": "m", "messages": [{"role": "user", "content": more.pop("prompt")}], **more}
    url = os.environ["OLLAMA_HOST"] + "/api/chat"
    with urllib.request.urlopen(urllib.request.Request(url, data=json.dumps(body).encode())) as response:
        return json.load(response)["message"]
"""
"""What the pipelines of these tests ask the fake server with, without Mellea."""

CASES_HEAD = "from .case import Answer, Case\n\nALL_FIXTURES = [\n"


def write_cases(folder: Path, pipeline: str, cases: str) -> Path:
    package = write_package(folder, f"{textwrap.dedent(ASKING)}\n{textwrap.dedent(pipeline)}")
    (package / "fixtures.py").unlink()
    (package / "fixtures").mkdir()
    (package / "fixtures" / "__init__.py").write_text(f"{CASES_HEAD}{cases}\n]\n")
    (package / "fixtures" / "case.py").write_bytes(static_module("fixtures/case.py"))
    return package


def test_a_run_is_held_against_what_its_case_expects(tmp_path: Path) -> None:
    pipeline = """
    def run_pipeline(message):
        if message == "raise":
            raise InputError("no")
        if message == "raise late":
            ask(prompt="x")
            raise InputError("late")
        said = ask(prompt=message)["content"]
        unmet = [{"rule": "Be kind.", "source": "A.md:1", "reason": "rude"}] if "rude" in said else []
        return {"text": said, "unmet": unmet, "report": {"total": 3}}
    """
    cases = """
    Case("good", "", {"message": "a"}, [Answer("Hello")], {"report.total": 3, "text": "Hello"}),
    Case("wrong", "", {"message": "b"}, [Answer("Hello")], {"report.total": 4}),
    Case("unmet", "", {"message": "c"}, [Answer("rude")], unmet=["A.md:1"]),
    Case("unmet_else", "", {"message": "d"}, [Answer("rude")]),
    Case("raises", "", {"message": "raise"}, error="InputError"),
    Case("raises_late", "", {"message": "raise late"}, [Answer("x")], error="InputError"),
    Case("raises_not", "", {"message": "f"}, [Answer("Hi")], error="InputError"),
    Case("raises_else", "", {"message": "raise"}, error="BackendError"),
    """
    package = write_cases(tmp_path, pipeline, cases)
    report = run_smoke(SmokeRequest(package))
    told = {run.fixture_id: (run.status.value, *run.mismatches) for run in report.runs}
    assert told == {
        "good": ("passed",),
        "wrong": ("failed", "report.total is 3, expected 4"),
        "unmet": ("expected",),
        "unmet_else": ("failed", "unmet are ['A.md:1'], expected []"),
        "raises": ("passed",),
        "raises_late": ("failed", "InputError came after 1 model calls, expected before any"),
        "raises_not": ("failed", "the run succeeded, expected InputError"),
        "raises_else": ("failed", "the run raised InputError, expected BackendError"),
    }
    said = {run.fixture_id: run.broken_rules for run in report.runs if run.unmet}
    assert said["unmet"] == ("unmet, as expected: A.md:1 Be kind. (rude)",)
    assert not report.passed
    overridden = run_smoke(SmokeRequest(package, fixture_ids=("wrong",), behaviour=Behaviour.DECLINE))
    assert [(run.status.value, run.mismatches) for run in overridden.runs] == [("passed", ())]


def test_exactly_the_scripted_calls_are_made_and_each_prompt_has_what_it_must(tmp_path: Path) -> None:
    pipeline = """
    def run_pipeline(message):
        for prompt in message.split():
            schema = {"title": "Verdicts", "properties": {"rule_1": {}, "rule_2": {}}} if prompt == "judge" else None
            said = ask(prompt=prompt, format=schema)["content"]
        return {"text": said}
    """
    cases = r"""
    Case("as_scripted", "", {"message": "one judge"}, [Answer("a", has=["on"], lacks=["x"]),
         Answer(schema="Verdicts", has=["judge"], broken=[2])],
         {"text": '{"rule_1": {"reason": "expected in this test", "verdict": "kept"}, '
                  '"rule_2": {"reason": "expected in this test", "verdict": "broken"}}'}),
    Case("grown", "", {"message": "one"}, [Answer("a", more=" b", times=2)], {"text": "a b b"}),
    Case("any", "", {"message": "one"}, [Answer("a", schema="*")], {"text": "a"}),
    Case("has_not", "", {"message": "one"}, [Answer("a", has=["two"], lacks=["one"])]),
    Case("too_many", "", {"message": "one one"}, [Answer("a")]),
    Case("too_few", "", {"message": "one"}, [Answer("a"), Answer("b")]),
    Case("another", "", {"message": "judge"}, [Answer("a")]),
    Case("no_tool", "", {"message": "one"}, [Answer({"tool": "look_up", "arguments": {}})]),
    """
    report = run_smoke(SmokeRequest(write_cases(tmp_path, pipeline, cases)))
    assert {run.fixture_id: run.mismatches for run in report.runs} == {
        "as_scripted": (),
        "grown": (),
        "any": (),
        "has_not": ("not in the prompt for a text: 'two'", "in the prompt for a text: 'one'"),
        "too_many": ("the model was called once more, for a text",),
        "too_few": ("the model was never asked for a text",),
        "another": ("the model was asked for Verdicts, expected a text",),
        "no_tool": ("the tool look_up is not offered",),
    }


def test_a_made_up_memory_stands_for_the_agent_s_own_and_is_said(tmp_path: Path) -> None:
    pipeline = """
    import os
    def run_pipeline(message):
        return {"text": str(os.environ.get("TINY_MEMORY")), "unmet": []}
    """
    package = write_cases(tmp_path, pipeline, 'Case("one", "", {"message": "a"}),')
    assert run_smoke(SmokeRequest(package)).made_up_memory == ""
    memory = package / "fixtures" / "memory" / "MEMORY.md"
    memory.parent.mkdir()
    memory.write_text("- The key hangs behind the door.\n", encoding="utf-8")
    report = run_smoke(SmokeRequest(package))
    assert report.made_up_memory == "fixtures/memory/MEMORY.md"
    assert [run.reply for run in report.runs] == [str(memory.parent)]
    assert run_smoke(SmokeRequest(package, live=True)).made_up_memory == ""


def test_calls_that_overlap_never_get_the_answers_of_another_case(tmp_path: Path) -> None:
    pipeline = """
    late = []
    def run_pipeline(message):
        host = os.environ["OLLAMA_HOST"]
        if message == "one":
            late.append(host)
            return {"text": ask(prompt=message)["content"]}
        own = ask(prompt=message)["content"]
        os.environ["OLLAMA_HOST"] = late[0]
        return {"text": f"{own}, late: {ask(prompt='still one')['content']}"}
    """
    cases = """
    Case("one", "", {"message": "one"}, [Answer("first"), Answer("more")], {"text": "first"}),
    Case("two", "", {"message": "two"}, [Answer("second")], {"text": "second, late: more"}),
    """
    report = run_smoke(SmokeRequest(write_cases(tmp_path, pipeline, cases)))
    assert report.runs[1].status.value == "passed"
    assert report.runs[1].calls == 1  # the first's late call is counted before or after its report


def test_a_case_brings_its_variables_tool_calls_and_answers_of_the_web(tmp_path: Path) -> None:
    pipeline = """
    from ._runtime.tools_common import current
    def run_pipeline(message):
        offered = [{"type": "function", "function": {"name": "look_up"}}]
        made = ask(prompt=message, tools=offered).get("tool_calls", [])
        said = [made, current, os.environ.get("DESK_MEMORY"), os.environ.get("MELLEA_AGENT_NOW")]
        return {"text": json.dumps(said)}
    """
    cases = r"""
    Case("tool", "", {"message": "a"}, [Answer({"tool": "look_up", "arguments": {}})],
         {"text": '[[{"function": {"name": "look_up", "arguments": {}}}], {"https://x/": "amber"}, "/memory", "then"]'},
         web={"https://x/": "amber"}, environment={"DESK_MEMORY": "/memory"}, now="then"),
    Case("none", "", {"message": "b"}, [Answer("")],
         {"text": '[[], {}, null, "2026-11-27T17:40+00:00"]'}),
    """
    package = write_cases(tmp_path, pipeline, cases)
    (package / "_runtime").mkdir()
    (package / "_runtime/tools_common.py").write_text(
        textwrap.dedent(
            """
            from contextlib import contextmanager
            current = {}
            @contextmanager
            def canned(web):
                current.update(web)
                yield
                current.clear()
            """
        )
    )
    report = run_smoke(SmokeRequest(package))
    assert [(run.status.value, run.faults) for run in report.runs] == [("passed", ())] * 2


def post(url: str, document: object) -> bytes:
    request = urllib.request.Request(url, data=json.dumps(document).encode())
    with urllib.request.urlopen(request, timeout=10) as response:
        return bytes(response.read())


def test_the_wire_log_keeps_messages_as_they_were_typed() -> None:
    with FakeModelServer() as server:
        typed = "{{ config }} {% raw %} \u202e"
        post(f"{server.url}/api/chat", {"model": "m", "messages": [{"role": "user", "content": typed}]})
    assert server.calls[0].messages == (("user", typed),)


def test_refusing_is_an_http_error_and_an_unknown_path_too() -> None:
    with FakeModelServer(Behaviour.REFUSE) as server:
        with pytest.raises(urllib.error.HTTPError, match="503"):
            post(f"{server.url}/api/chat", {"messages": []})
        with pytest.raises(urllib.error.HTTPError, match="404"):
            post(f"{server.url}/api/embed", {})
        with pytest.raises(urllib.error.HTTPError, match="400"):
            urllib.request.urlopen(urllib.request.Request(f"{server.url}/api/chat", data=b"{"), timeout=10)


def test_a_slow_answer_ends_when_the_server_stops() -> None:
    server = FakeModelServer(Behaviour.SLOW, delay=3600)
    asked = threading.Event()

    def ask() -> None:
        asked.set()
        with suppress(OSError):
            post(f"{server.url}/api/chat", {"messages": []})

    with server:
        thread = threading.Thread(target=ask)
        thread.start()
        asked.wait(10)
    thread.join(10)
    assert not thread.is_alive()
