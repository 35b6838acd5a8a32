"""The command line that packages get: flags from the signature, chat, schedule, fixtures, exit codes."""

import io
import json
import logging
import os
import re
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mellea")

from melleafy_tui.generators.runtime import confirming, runtime
from melleafy_tui.generators.runtime.command_line import run_command
from melleafy_tui.generators.runtime.confirming import asking_on_terminal, confirmed
from melleafy_tui.generators.runtime.fixtures.case import Case
from melleafy_tui.generators.runtime.prompts import NOW
from melleafy_tui.generators.runtime.repeating import repeated
from melleafy_tui.generators.runtime.runtime import (
    AgentReply,
    BackendError,
    InputError,
    PipelineError,
    Unmet,
    require_message,
    session_options,
)
from tests.generators.runtime.agent import config

UNMET = Unmet(rule="Be brief.", source="AGENTS.md:7", reason="it has 9 words")
VARIABLES = ("BACKEND", "MODEL", "TIMEOUT", "TOKENS")


@pytest.fixture(autouse=True)
def _no_settings_and_no_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runtime, "_find_model", lambda session: None)
    for name in VARIABLES:
        monkeypatch.delenv(f"MELLEA_{name}", raising=False)


def reply(text: str = "", **fields: Any) -> AgentReply:
    return AgentReply(
        **{"text": text, "skipped": not text, "reason": "so", "unmet": [], "notes": [], **fields}
    )


def echo(
    message: str | None,
    history: list[dict[str, str]] | str | None = None,
    count: int = 1,
    *,
    loud: bool = False,
    quiet: bool = True,
    fetch: Callable[[str], str] | None = None,
) -> AgentReply:
    """Say what was given.

    Args:
        message: The user's message, at most 100 %
            of the time.
        count: How often.

    Returns:
        The reply.
    """
    given = (message, history, count, loud, quiet, fetch)
    return reply(json.dumps(given))


class Terminal(io.StringIO):
    """Standard input at a terminal."""

    def isatty(self) -> bool:
        return True


class Ran:
    """One use of the command line: the exit code and what was printed."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


Run = Callable[..., Ran]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    def ran(
        *arguments: str,
        pipeline: Callable[..., AgentReply] = echo,
        cases: Sequence[Case] = (),
        stdin: str | io.StringIO = "",
        **more: Any,
    ) -> Ran:
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin) if isinstance(stdin, str) else stdin)
        named = {"program": "agent", "description": "100 % careful", "version": "1.2", **more}
        try:
            code = run_command(pipeline, cases, arguments=arguments, **named)
        except SystemExit as ended:
            code = int(ended.code or 0)
        said = capsys.readouterr()
        return Ran(code, said.out, said.err)

    return ran


def test_every_parameter_has_a_flag_of_its_type(run: Run) -> None:
    ran = run("--message", "Hi", "--history", "[]", "--count", "3", "--loud", "--no-quiet")
    assert json.loads(ran.out) == ["Hi", "[]", 3, True, False, None]
    assert json.loads(run("--message", "Hi").out) == ["Hi", None, 1, False, True, None]
    for wrong in (["--count", "x"], ["--fetch", "x"], ["--every", "1h"]):
        assert run("--message", "Hi", *wrong).code == 2


def test_the_help_shows_the_docstring_and_what_is_on_offer(run: Run) -> None:
    ran = run("--help", description="100 % careful %(prog)s")
    assert ran.code == 0
    said = " ".join(ran.out.split())
    assert "100 % careful % (prog)s" in said
    assert "--message MESSAGE The user's message, at most 100 % of the time." in said
    assert "[MELLEA_TOKENS]" in said
    assert not {"--confirm", "--schedule", "--every", "--fetch", "MELLEA_MODEL"} & set(
        said.replace("]", " ").split()
    )
    offered = run("--help", schedule=print, every=repeated, confirm=print).out
    assert all(word in offered for word in ("--confirm", "--schedule", "--every", "100 % careful"))
    assert run("--version").out == "agent 1.2\n"


def test_the_message_comes_from_standard_input_when_no_flag_gives_it(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert json.loads(run(stdin="from a pipe\n").out)[0] == "from a pipe\n"
    assert "reading standard input" in run(stdin=Terminal("typed")).err

    def on_event(message: str | None, event: str = "") -> AgentReply:
        return reply(f"{message} {event}")

    assert run("--event", "push", pipeline=on_event, stdin="unread").out == "None push\n"


def test_other_required_parameters_must_be_given(run: Run) -> None:
    def two(message: str, working_state: str) -> AgentReply:
        return reply(message + working_state)

    ran = run("--message", "a", pipeline=two)
    assert ran.code == 2
    assert "required: --working-state" in ran.err
    assert run("--message", "a", "--working-state", "b", pipeline=two).out == "ab\n"


def test_standard_output_carries_only_the_reply(run: Run) -> None:
    def busy(message: str) -> AgentReply:
        return reply(
            "Yes.",
            unmet=[UNMET],
            notes=["recall_memory: none", "2 rules were not judged: the judge gave no answer"],
        )

    ran = run("--message", "Hi", pipeline=busy)
    assert (ran.code, ran.out) == (0, "Yes.\n")
    assert ran.err.splitlines() == [
        "agent: unmet: AGENTS.md:7 Be brief. (it has 9 words)",
        "agent: note: recall_memory: none",
        "agent: note: 2 rules were not judged: the judge gave no answer",
    ]
    ran = run("--message", "Hi", "--json", pipeline=busy)
    assert (ran.code, ran.err, json.loads(ran.out)["unmet"][0]["source"]) == (0, "", "AGENTS.md:7")
    ran = run("--message", "", pipeline=lambda message: reply())
    assert (ran.code, ran.out, ran.err) == (0, "", "agent: skipped: so\n")


def test_strict_fails_on_what_is_unmet_or_not_judged(run: Run) -> None:
    rows: list[tuple[dict[str, Any], int]] = [
        ({}, 0),
        ({"notes": ["recall_memory: none", "x: 2 rules were not judged: y"]}, 0),
        ({"unmet": [UNMET]}, 1),
        ({"notes": ["1 rule was not judged: it is a stub"]}, 1),
    ]
    for fields, code in rows:
        assert (
            run("--message", "", "--strict", pipeline=lambda message, f=fields: reply("Hi", **f)).code == code
        )


def test_errors_are_said_in_one_line(run: Run) -> None:
    def failing(error: Exception) -> Callable[[str], AgentReply]:
        def pipeline(message: str) -> AgentReply:
            require_message(message)
            raise error

        return pipeline

    rows: list[tuple[Exception, str, int, str]] = [
        (BackendError("no server"), "Hi", 1, "agent: no server\n"),
        (InputError("too long"), "Hi", 2, "agent: too long\n"),
        (BackendError("no server"), " ", 2, "agent: message is empty; pass the text to work on\n"),
    ]
    for error, message, code, said in rows:
        ran = run(pipeline=failing(error), stdin=message)
        assert (ran.code, ran.out, ran.err) == (code, "", said)
    ran = run(pipeline=failing(KeyError("key")), stdin="Hi")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith("agent: Traceback (most recent call last):\n")
    assert ran.err.endswith("KeyError: 'key'\n\n")
    assert run(pipeline=failing(KeyboardInterrupt()), stdin="Hi").code == 130  # type: ignore[arg-type]
    ran = run("--message", "Hi", variables=("PATH", "AGENT_KEY"))
    assert (ran.code, ran.err) == (0, "agent: AGENT_KEY is not set (SETUP.md §2)\n")


def chatty(message: str, history: list[dict[str, str]] | str | None = None) -> AgentReply:
    assert isinstance(history, list)
    if message == "fail":
        raise BackendError("no server")
    if message == "stop":
        raise KeyboardInterrupt
    said = " | ".join(f"{turn['role']}: {turn['text']}" for turn in history)
    return reply(f"{message} after [{said}]" if message != "nothing" else "")


def test_a_chat_keeps_its_history_until_the_input_ends(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    ran = run("--chat", pipeline=chatty, stdin="one\n\n  nothing\nfail\ntwo\n")
    assert ran.out == "one after []\ntwo after [user: one | assistant: one after []]\n"
    assert (ran.code, ran.err) == (1, "agent: skipped: so\nagent: no server\n")
    earlier = '[{"role": "user", "text": "zero"}]'
    ran = run(
        "--chat", "--message", "one", "--history", earlier, "--json", pipeline=chatty, stdin="stop\ntwo\n"
    )
    assert (ran.code, ran.err) == (0, "")
    assert [json.loads(line)["text"] for line in ran.out.splitlines()] == ["one after [user: zero]"]
    assert run("--chat", "--history", "{", pipeline=chatty).code == 2
    assert run("--chat", pipeline=chatty).code == 0
    assert run("--chat", pipeline=chatty, stdin=Terminal("one\n")).err == "> > "


def chosen(message: str | None) -> AgentReply:
    found = session_options(config(), "")
    return reply(json.dumps(found.pop("model_options") | found))


def test_settings_come_from_flags_or_else_from_the_environment(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    flags = ["--backend", "openai", "--model", "m", "--timeout", "1.5", "--tokens", "300"]
    settled = json.loads(run(*flags, pipeline=chosen).out)
    assert settled == {
        "backend_name": "openai",
        "model_id": "m",
        "timeout": 1.5,
        "@@@context_window@@@": 8192,
        "@@@max_new_tokens@@@": 300,
        "max_retries": 0,
    }
    for name, text in zip(VARIABLES, ("hf", "other", "9", "100"), strict=True):
        monkeypatch.setenv(f"MELLEA_{name}", text)
    assert json.loads(run(*flags, pipeline=chosen).out) == settled
    settled = json.loads(run(pipeline=chosen).out)
    assert (settled["backend_name"], settled["timeout"], settled["@@@max_new_tokens@@@"]) == (
        "ollama",
        9,
        100,
    )
    settled = json.loads(run(pipeline=chosen, model_variables=("MELLEA_BACKEND", "MELLEA_MODEL")).out)
    assert (settled["backend_name"], settled["model_id"]) == ("hf", "other")
    for wrong in (["--timeout", "x"], ["--tokens", "x"]):
        assert run(*wrong, pipeline=chosen).code == 2
    monkeypatch.setenv("MELLEA_TOKENS", "many")
    assert "argument --tokens: invalid int value: 'many'" in run(pipeline=chosen).err


def test_a_parameter_may_have_the_name_of_one_of_our_flags(run: Run) -> None:
    def named(message: str, model: str = "", json: str = "") -> AgentReply:
        return reply(f"{model} {json} {session_options(config(), '')['model_id']}")

    assert run("--message", "Hi", "--model", "T", "--json", "x", pipeline=named).out == "T x granite4.1:3b\n"


def careful(message: str, history: list[dict[str, str]] | str | None = None) -> AgentReply:
    return reply(f"{message}: {confirmed('send()')} {confirmed('post()')}")


def test_an_action_is_asked_about_only_with_confirm(run: Run) -> None:
    given = {"pipeline": careful, "confirm": asking_on_terminal}
    ran = run("--message", "Hi", "--confirm", stdin=Terminal("y\nNO\n"), **given)
    assert ran.out == "Hi: True False\n"
    assert ran.err == "agent: send(): go on? [y/N] agent: post(): go on? [y/N] "
    assert run("--message", "Hi", "--confirm", stdin=Terminal("YES\n"), **given).out == "Hi: True False\n"
    assert run("--message", "Hi", stdin="y\ny\n", **given).out == "Hi: False False\n"


def test_what_is_piped_in_never_confirms_an_action(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The lines of a chat may be the words of others: one that makes the model act, and a `y` below it."""
    options = {"pipeline": careful, "stdin": "Hi\ny\n", "confirm": asking_on_terminal}
    monkeypatch.setattr(confirming, "TERMINAL", str(tmp_path / "no terminal"))
    ran = run("--chat", "--confirm", **options)
    assert ran.out == "Hi: False False\ny: False False\n"
    assert "there is no terminal to ask on, so the answer is no" in ran.err
    (tmp_path / "terminal").write_text("y\n")
    monkeypatch.setattr(confirming, "TERMINAL", str(tmp_path / "terminal"))
    assert run("--chat", "--confirm", **options).out == "Hi: True True\ny: True True\n"


def test_nothing_that_is_shown_acts_on_the_terminal(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    acts = "a\x1b]52;c;x\x07\x9b2J\u202eb\rc\x7f"
    seen = "a\\u001b]52;c;x\\u0007\\u009b2J\\u202eb\\u000dc\\u007f"

    def acting(message: str) -> AgentReply:
        confirmed(f"send({acts})")
        return reply(acts, notes=[acts], unmet=[Unmet(rule=acts, source=acts, reason=acts)])

    given = {"pipeline": acting, "confirm": asking_on_terminal}
    ran = run("--message", "Hi", "--confirm", stdin=Terminal("n\n"), **given)
    assert ran.out == f"{acts}\n", "what is piped on is the reply as it is"
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", ran.err)
    assert ran.err.count(seen) == 5
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert run("--message", "Hi", stdin=Terminal("n\n"), **given).out == f"{seen}\n"


def test_a_schedule_wakes_the_agent_with_the_settings_and_goes_on_after_an_error(run: Run) -> None:
    def in_a_thread(wake: Callable[..., object]) -> None:
        for given in ((), ("tick",)):
            thread = threading.Thread(target=wake, args=given)
            thread.start()
            thread.join()

    def woken(message: str | None) -> AgentReply:
        if not message:
            raise BackendError("no server")
        return reply(f"{message} {session_options(config(), '')['model_id']}")

    ran = run("--schedule", "--model", "m", pipeline=woken, schedule=in_a_thread, stdin="unread")
    assert (ran.code, ran.out, ran.err) == (0, "tick m\n", "agent: no server\n")
    ran = run("--schedule", "--message", "now", pipeline=woken, schedule=in_a_thread)
    assert ran.out == "now granite4.1:3b\n" * 2

    def stopped(wake: Callable[..., object]) -> None:
        raise KeyboardInterrupt

    def broken(wake: Callable[..., object]) -> None:
        raise PipelineError("no scheduler can read '5 x'")

    assert run("--schedule", pipeline=woken, schedule=stopped).code == 0
    ran = run("--schedule", pipeline=woken, schedule=broken)
    assert (ran.code, ran.err) == (1, "agent: no scheduler can read '5 x'\n")
    assert run("--message", "Hi", pipeline=woken, schedule=broken).code == 0


def test_every_repeats_until_it_is_interrupted(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []

    def sleep(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr("time.sleep", sleep)
    ran = run("--every", "90m", every=repeated, pipeline=lambda message: reply(f"woken {message!r}"))
    assert (ran.code, ran.out, waits) == (0, "woken ''\n" * 3, [5400.0] * 3)
    for wrong in ("soon", "0s", "5", "1h30m"):
        assert run("--every", wrong, every=repeated).code == 2


def test_a_fixture_gives_its_inputs_its_time_and_its_responses(run: Run) -> None:
    opened: list[Mapping[str, object]] = []

    @contextmanager
    def canned(answers: Mapping[str, object]) -> Iterator[None]:
        opened.append(answers)
        yield

    cases = [
        Case("fits", "It fits", {"message": "Hi"}, web={"u": 1}),
        Case("empty", "It is refused", {"message": ""}, error="InputError"),
    ]
    timed = {"cases": cases, "pipeline": lambda message: reply(require_message(message) + os.environ[NOW])}
    ran = run("--fixture", "fits", web=canned, **timed)
    assert (ran.code, ran.out, ran.err, opened) == (0, f"Hi{cases[0].now}\n", "", [{"u": 1}])
    ran = run("--fixture", "empty", **timed)
    assert (ran.code, ran.err) == (2, "agent: message is empty; pass the text to work on\n")
    ran = run("--fixture", "none", **timed)
    assert (ran.code, "fits" in ran.err, "empty" in ran.err) == (2, True, True)


def test_the_log_of_mellea_is_not_shown(run: Run) -> None:
    logger = logging.getLogger("mellea")
    level = logger.level
    try:
        run("--message", "Hi")
        assert logger.level == logging.CRITICAL
    finally:
        logger.setLevel(level)
