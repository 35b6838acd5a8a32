"""Packages on a real model of 135 million weights: what must hold whatever it says, and its server's closed doors.

The model's answers are nonsense. What is tested is that a run ends in time, with a reply or a sentence, and says the
truth about the reply. `make model` installs the model; without it these tests are skipped.
"""

import json
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from email.message import Message
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from typing import Any, Final

import pytest

from melleafy_tui.core.errors import UnusableInput
from melleafy_tui.core.output.emitted import find_package
from melleafy_tui.core.smoke.local_model import CONTEXT_TOKENS, LocalModel, find_model
from tests.conftest import PROJECT
from tests.safety.chain import run

try:
    MODEL, MISSING = find_model(), ""
except UnusableInput as missing:
    MODEL, MISSING = Path(), f"{missing} (`make model` installs both)"

pytestmark = [pytest.mark.model, pytest.mark.skipif(bool(MISSING), reason=MISSING)]

RUN_SECONDS: Final = 60.0
"""CPU seconds that a run may take; how long that is depends on what else the machine does."""
NO_END_SECONDS: Final = 280.0
SKILLS: Final = "tests/dialects/agent_skills/workspaces"
RUNS: Final = {
    "examples/ticket-triage": "Export has failed since this morning. Can you help?",
    "examples/persona-only": "What do you make of a rainy Monday?",
    "examples/release-desk": "Can we ship on Friday?",
    f"{SKILLS}/recipe-scaler": "Pancakes for 4: 200 g flour, 3 eggs, 400 ml milk. I need 10 portions.",
}
"""Three examples and a skill, with one message each."""
MORE: Final = {
    "examples/invoice-intake": "Invoice 4711 of Nord GmbH, 119.00 EUR with 19 % VAT, due 30 November.",
    "examples/memory-heavy": "What do you remember about the garden?",
    "examples/rule-heavy": "Please cancel my order 1234 today.",
    "examples/tool-heavy": "What is the weather like in Bremen?",
    "examples/hostile": "Hello",
    "examples/bakery-bot": "Was habt ihr ohne Gluten?",
    "examples/parcel-claims": "My parcel 00340 of 2 November came broken.",
    "examples/ticket-triage ": "heartbeat",
    f"{SKILLS}/commit-message": "I renamed a function and mended a typo in its docstring.",
    "tests/dialects/openclaw/workspaces/large-bakery-notes": "When does the next batch of rye come out?",
    "tests/dialects/openclaw/workspaces/agents-spanish-and-japanese": "¿A qué hora abrís?",
    "tests/dialects/openclaw/workspaces/user-facts": "What do you know about me?",
    "tests/dialects/claude_code/workspaces/command": "Add a test for the parser.",
}
"""The other examples, and five more sources."""


def converted(source: str, folder: Path) -> Path:
    """Return the folder of a package, which tries once so that the slowest machine has an answer in time."""
    out = folder / "out"
    done = run(PROJECT / source.strip(), "--dependencies=auto", "--quiet", "--out", out, "--as-of=2026-11-27")
    assert done.code == 0, done.messages
    config = find_package(out) / "config.py"
    text, changed = re.subn(r"(?m)^(LOOP_BUDGET\b.*= )\d+$", r"\g<1>1", config.read_text("utf-8"))
    assert changed == 1
    config.write_text(text, encoding="utf-8")
    return out


def answered(package: Path, *words: str) -> tuple[int, dict[str, Any], str]:
    """Run a package on the model as its user does; return exit code, JSON document and messages."""
    before = cpu_seconds()
    done = subprocess.run(
        [sys.executable, "-m", "melleafy_tui", "run", package, *words, "--local", "--json"],
        capture_output=True,
        text=True,
        timeout=NO_END_SECONDS,
        check=False,
    )
    assert cpu_seconds() - before < RUN_SECONDS
    return done.returncode, json.loads(done.stdout), done.stderr


def cpu_seconds() -> float:
    """Return what the processes that this one has waited for took, the model's server among them."""
    used = getrusage(RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def untruths(reply: dict[str, Any]) -> list[str]:
    """Return what is wrong with what a run says of itself; the limits are those of ticket-triage."""
    text, unmet = reply["text"], " ".join(rule["rule"] for rule in reply["unmet"])
    broken = {
        "Keep every reply under 120 words.": len(text.split()) > 125,
        "Do not use exclamation marks.": "!" in text,
        "Ask at most one question per reply.": text.count("?") > 1,
    }
    return [
        f"{rule} is broken, and nothing says so"
        for rule, is_so in broken.items()
        if is_so and rule not in unmet
    ]


def ends_truthfully(source: str, message: str, folder: Path) -> dict[str, Any]:
    """Run a source's package once, hold the end to what must be true, and return the reply; none for a sentence."""
    code, document, messages = answered(converted(source, folder), message)
    assert "Traceback" not in messages
    assert "tokens read" in messages
    if code:
        assert (code, document["error"]["kind"]) == (12, "SmokeFailed")
        assert re.search(r"^[\w-]+: \w.{10,}", messages, re.MULTILINE), "nothing says why"
        return {}
    reply: dict[str, Any] = document["reply"]
    assert reply["text"].strip() or reply["skipped"]
    assert all(rule["reason"] for rule in reply["unmet"])
    return reply


@pytest.mark.parametrize("source", RUNS)
def test_a_message_ends_with_the_truth_about_its_reply(source: str, tmp_path: Path) -> None:
    reply = ends_truthfully(source, RUNS[source], tmp_path)
    assert reply or source.startswith(SKILLS), "no reply"  # five typed calls are much for this model
    if "ticket-triage" in source:
        assert untruths(reply) == []


@pytest.mark.long
def test_nine_of_ten_other_sources_reply(tmp_path: Path) -> None:
    replied = {
        source: bool(ends_truthfully(source, message, tmp_path / str(number)))
        for number, (source, message) in enumerate(MORE.items())
    }
    assert sum(replied.values()) >= 0.9 * len(replied), replied


def test_a_prompt_that_is_too_long_ends_with_a_sentence_that_says_so(tmp_path: Path) -> None:
    code, document, messages = answered(converted("examples/persona-only", tmp_path), "word " * 9_000)
    assert (code, document["exit_code"]) == (12, 12)
    (said,) = [line for line in messages.splitlines() if "tokens" in line and "read," not in line]
    assert re.search(rf"prompt has [\d,]+ tokens.* {CONTEXT_TOKENS:,}", said), said


# --- the server -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def server() -> Iterator[LocalModel]:
    with LocalModel(MODEL) as model:
        yield model


def asked(
    server: LocalModel, path: str, *, key: bool = True, body: object = None, origin: str = ""
) -> tuple[int, Message]:
    """Return the status and the headers of an answer."""
    environment = server.environment
    headers = {"Content-Type": "application/json", "Origin": origin}
    if key:
        headers["Authorization"] = f"Bearer {environment['OPENAI_API_KEY']}"
    request = urllib.request.Request(
        environment["OPENAI_BASE_URL"].removesuffix("/v1") + path,
        json.dumps(body).encode() if body is not None else None,
        headers,
    )
    try:
        with urllib.request.urlopen(request, timeout=NO_END_SECONDS) as answer:
            return answer.status, answer.headers
    except urllib.error.HTTPError as refusal:
        return refusal.code, refusal.headers


def test_the_server_answers_nobody_without_its_key_and_no_web_page(server: LocalModel) -> None:
    chat = {"messages": [{"role": "user", "content": "Hello"}], "max_tokens": 1}
    web = "https://page.example"
    for path, body in (
        ("/v1/chat/completions", chat),
        ("/v1/models", None),
        ("/props", None),
        ("/slots", None),
    ):
        status, headers = asked(server, path, key=False, body=body, origin=web)
        assert (path, status) == (path, 401)
        assert not headers["Access-Control-Allow-Origin"]
    status, headers = asked(server, "/v1/chat/completions", body=chat, origin=web)
    assert (status, headers["Access-Control-Allow-Origin"]) == (200, "")
    assert asked(server, "/slots")[0] == 501
    assert asked(server, "/props", body={})[0] == 501
    assert asked(server, "/")[0] == 404
    assert server.environment["OPENAI_BASE_URL"].startswith("http://127.0.0.1:")


def test_the_server_is_gone_at_once_even_while_it_reads() -> None:
    body = json.dumps({"messages": [{"role": "user", "content": "word " * 7_000}]})
    with LocalModel(MODEL) as model:
        address = model.environment["OPENAI_BASE_URL"].split("/")[2]
        client = HTTPConnection(address, timeout=NO_END_SECONDS)
        client.request(
            "POST",
            "/v1/chat/completions",
            body,
            {
                "Authorization": f"Bearer {model.environment['OPENAI_API_KEY']}",
                "Content-Type": "application/json",
            },
        )
        begun = time.monotonic()
    assert time.monotonic() - begun < 2, "it takes 28 s to read this"
    with pytest.raises((ConnectionError, HTTPException)):
        client.getresponse()
    with pytest.raises(ConnectionRefusedError):
        HTTPConnection(address).connect()


def test_fixtures_run_on_the_model_and_are_not_held_to_their_scripts(tmp_path: Path) -> None:
    package = converted("examples/persona-only", tmp_path)
    name = json.loads(run("smoke", package, "--json").out)["runs"][0]["fixture_id"]
    done = run("smoke", package, "--fixture", name, "--local", "--json")
    report = json.loads(done.out)
    assert (done.code, report["behaviour"], report["live"]) == (0, "local", False), done.messages
    (ran,) = report["runs"]
    assert ran["status"] in ("passed", "unmet")
    assert ran["reply"] or ran["skipped"]


def test_a_file_that_is_no_model_is_refused(tmp_path: Path) -> None:
    nonsense = tmp_path / "mine.gguf"
    nonsense.write_text("GGUF or so")
    with pytest.raises(UnusableInput, match="can't be loaded"), LocalModel(nonsense):
        pass
