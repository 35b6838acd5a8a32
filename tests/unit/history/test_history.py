"""`history`: sessions and their counts, ranked sources, masked candidates, picks that become fixtures (seed 003)."""

import importlib
import json
import os
import re
import sys
from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from msgspec import structs
from pydantic import ValidationError

from benchmarks.history import measure, write_state
from melleafy_tui.cli.main import main
from melleafy_tui.core.decisions.file import format_decisions, parse_decisions, read_decisions
from melleafy_tui.core.errors import DecisionsRefused, UnusableInput, UsageError
from melleafy_tui.core.models.decisions import MOST_PICKED, DecisionsDocument, PickedFixture
from melleafy_tui.core.models.history import FixtureProposal, Signal
from melleafy_tui.core.openclaw.sessions.candidates import (
    PASSED_OVER,
    choose_sessions,
    picked_fixtures,
    propose_fixtures,
    real_turn,
)
from melleafy_tui.core.openclaw.sessions.personal_data import PERSONAL_DATA, mask_private
from melleafy_tui.core.openclaw.sessions.session_list import (
    PRIORITIES,
    list_sessions,
    open_state_folder,
    rank_sources,
)
from melleafy_tui.core.pipeline.conversion import Conversion
from melleafy_tui.engine import open_conversion
from melleafy_tui.generators.runtime.fixtures import case
from tests.conftest import PROJECT
from tests.generators.emitting import loaded_package
from tests.rows import every_row
from tests.safety.secret_lines import HELD_OUT_WITH_A_SECRET, WITH_A_SECRET
from tests.safety.secret_shapes import SHAPES, value_of

DRAWS = range(5)


def seed_line(role: str, content: object, minute: int = 0, **fields: object) -> dict[str, object]:
    return {"role": role, "content": content, "timestamp": f"2026-04-15T10:{minute:02}:00Z", **fields}


def entry(role: str, content: object, number: int) -> dict[str, object]:
    return {
        "type": "message",
        "id": f"m{number}",
        "parentId": f"m{number - 1}",
        "timestamp": "2026-04-16T10:00:00.000Z",
        "message": {"role": role, "content": content, "timestamp": 1776333600000},
    }


def state(folder: Path, transcripts: dict[str, Iterable[object] | bytes], index: object = None) -> Path:
    (folder / "agents").mkdir(parents=True, exist_ok=True)
    for name, lines in transcripts.items():
        agent, _, file = name.partition("/")
        place = folder / "agents" / agent / "sessions" / file
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(
            lines
            if isinstance(lines, bytes)
            else b"".join(json.dumps(line).encode() + b"\n" for line in lines)
        )
    if index is not None:
        place = folder / "agents/main/sessions/sessions.json"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(json.dumps(index))
    return folder


def proposed(folder: Path, names: tuple[str, ...] = ()) -> FixtureProposal:
    return propose_fixtures(folder, list_sessions(folder), names)


def user_turns(*texts: object) -> list[object]:
    return [seed_line("user", text, number % 60) for number, text in enumerate(texts)]


# --- reading ---------------------------------------------------------------------------------------


def test_sessions_by_last_update_with_counts_from_both_forms_of_index_and_line(tmp_path: Path) -> None:
    lines = [
        seed_line("user", "How do I debounce an input?", 1),
        seed_line("assistant", "Use a timer.", 2),
        {"role": "tool", "name": "read_file", "input": {"path": "x"}, "timestamp": "2026-04-15T10:03:00Z"},
        {"role": "tool_result", "name": "read_file", "content": "…", "timestamp": "2026-04-15T10:04:00Z"},
        seed_line("narrator", "unknown", 5),
    ]
    later = [
        {"type": "session", "version": 3, "id": "b-2", "timestamp": "2026-04-16T09:00:00Z"},
        entry("user", [{"type": "text", "text": "Part one."}, {"type": "image", "data": "x"}], 1),
        entry("assistant", [{"type": "text", "text": "Reply."}, {"type": "toolCall", "id": "t"}], 2),
        entry("toolResult", [{"type": "text", "text": "result"}], 3),
    ]
    folder = state(
        tmp_path,
        {"main/abc123.jsonl": lines, "main/abc123-topic-7.jsonl": lines[:2], "other/b-2.jsonl": later},
        [{"id": "abc123", "name": "my-api", "updated_at": "2026-04-15T12:30:00Z", "message_count": 47}],
    )
    (folder / "agents/other/sessions/sessions.json").write_text(
        json.dumps(
            {"agent:other:main": {"sessionId": "b-2", "updatedAt": 1776340800000, "displayName": "Bob"}}
        )
    )
    sessions = list_sessions(folder)
    assert [(s.agent_id, s.session_id, s.thread_id) for s in sessions] == [
        ("other", "b-2", ""),
        ("main", "abc123", "7"),
        ("main", "abc123", ""),
    ]
    newest, topic, first = sessions
    assert (newest.key, newest.name, newest.updated_at) == (
        "agent:other:main",
        "Bob",
        "2026-04-16T12:00:00+00:00",
    )
    assert (newest.counts.user, newest.counts.assistant, newest.counts.tool_result, newest.counts.other) == (
        1,
        1,
        1,
        1,
    )
    assert (first.name, first.message_count, first.updated_at) == ("my-api", 47, "2026-04-15T12:30:00+00:00")
    assert structs.asdict(first.counts) == {
        "user": 1,
        "assistant": 1,
        "tool": 1,
        "tool_result": 1,
        "other": 1,
        "malformed": 0,
    }
    assert first.unknown_roles == ("narrator",)
    assert topic.counts.user == 1
    [candidate] = [found for found in proposed(folder).candidates if found.turn_id]
    assert (candidate.message, candidate.turn_id, candidate.parent_id) == ("Part one.", "m1", "m0")
    assert candidate.came_from == "agents/other/sessions/b-2.jsonl:2"


TORN = {
    "torn last line": (b'{"role":"user","content":"whole turn"}\n{"role":"user","cont', True, 0),
    "torn inside a character": ('{"role":"user","content":"whole turn"}\n{"role":"é'.encode()[:-1], True, 0),
    "no final newline": (b'{"role":"user","content":"whole turn"}', False, 0),
    "malformed in the middle": (b'{oops\n{"role":"user","content":"whole turn"}\n', False, 1),
    "no object": (b'[1]\n"x"\n{"role":"user","content":"whole turn"}\n', False, 2),
    "CRLF and blank lines": (b'\r\n\r\n{"role":"user","content":"whole turn"}\r\n', False, 0),
    "no UTF-8": (b'{"role":"user","content":"\xff"}\n{"role":"user","content":"whole turn"}\n', False, 1),
    "nested deep": (b"[" * 100_000 + b'\n{"role":"user","content":"whole turn"}\n', False, 1),
    "a line past the limit": (
        b'{"a":"' + b"x" * 9_000_000 + b'"}\n{"role":"user","content":"whole turn"}\n',
        False,
        1,
    ),
}


@pytest.mark.parametrize("case", TORN)
def test_a_damaged_transcript_is_read_as_far_as_it_goes(case: str, tmp_path: Path) -> None:
    data, torn, malformed = TORN[case]
    folder = state(tmp_path, {"main/a.jsonl": data})
    [session] = list_sessions(folder)
    assert (session.torn, session.counts.malformed, session.counts.user) == (torn, malformed, 1)
    assert [found.message for found in proposed(folder).candidates] == ["whole turn"]


CONTENTS = {
    "plain": ("hello there", "hello there"),
    "parts": ([{"type": "text", "text": "hello"}, {"type": "text", "text": "there"}], "hello\nthere"),
    "object": ({"type": "text", "text": "hello there"}, "hello there"),
    "nested": ({"parts": [{"text": "hello there"}]}, "hello there"),
    "tool result in the user's role": ([{"type": "tool_result", "content": "hidden"}], ""),
    "picture": ([{"type": "image", "data": "hidden"}], ""),
    "nothing": (None, ""),
    "a number": (7, ""),
    "deeper than anyone writes": ([[[[[["hidden"]]]]]], ""),
}


@pytest.mark.parametrize("case", CONTENTS)
def test_structured_content(case: str, tmp_path: Path) -> None:
    content, text = CONTENTS[case]
    folder = state(tmp_path, {"main/a.jsonl": user_turns(content)})
    assert [found.message for found in proposed(folder).candidates] == ([text] if text else [])


@pytest.mark.parametrize("index", [[1, "x", {}], {"a": 1}, "text", None, {"k": {"sessionId": ["x"]}}])
def test_an_index_that_is_none_costs_nothing(index: object, tmp_path: Path) -> None:
    folder = state(tmp_path, {"main/a.jsonl": user_turns("hello there")}, index)
    assert [session.session_id for session in list_sessions(folder)] == ["a"]


def test_nothing_but_sessions_is_opened_and_no_link_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = state(tmp_path / "state", {"main/a.jsonl": user_turns("hello there")}, [])
    state(folder, {"credentials/c.jsonl": user_turns("SECRET")})
    outside = state(tmp_path / "outside", {"x/s.jsonl": user_turns("SECRET")})
    for path in (
        "credentials/t.json",
        "openclaw.json",
        "agents/main/auth-profiles.json",
        "workspace/MEMORY.md",
    ):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text("SECRET")
    (folder / "agents/main/sessions/link.jsonl").symlink_to(outside / "agents/x/sessions/s.jsonl")
    (folder / "agents/linked").symlink_to(outside / "agents/x")
    os.mkfifo(folder / "agents/main/sessions/pipe.jsonl")
    opened: list[str] = []

    def watch(event: str, arguments: tuple[object, ...]) -> None:
        if event == "open" and watching and str(arguments[0]).startswith(str(tmp_path)):
            opened.append(Path(str(arguments[0])).relative_to(folder).as_posix())

    watching = True
    sys.addaudithook(watch)
    sessions = list_sessions(open_state_folder(folder))
    proposal = propose_fixtures(folder, sessions)
    ranked = rank_sources(folder, sessions, date(2026, 4, 16))
    watching = False
    assert set(opened) == {
        "openclaw.json",
        "agents/main/sessions/sessions.json",
        "agents/main/sessions/a.jsonl",
    }
    assert [session.session_id for session in sessions] == ["a"]
    assert "SECRET" not in str(proposal)
    assert [(row.path, row.signal) for row in ranked if row.kind == "credentials"] == [
        ("credentials/", Signal.NEVER)
    ]


@pytest.mark.parametrize("where", ["nowhere", "empty", "state/credentials/x"])
def test_a_folder_that_is_no_state_folder_is_refused(where: str, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    state(tmp_path / "state/credentials/x", {})
    with pytest.raises(UnusableInput):
        open_state_folder(tmp_path / where)


# --- ranking ---------------------------------------------------------------------------------------


def test_the_priorities_are_the_seed_s() -> None:
    assert {kind: signal.value for kind, (signal, _) in PRIORITIES.items()} == {
        "memory": "very high",
        "recent daily note": "high",
        "dreams": "medium",
        "assistant turns": "medium",
        "old daily note": "low",
        "tool pairs": "low",
        "configuration": "very low",
        "credentials": "never",
    }
    order = list(Signal)
    assert [order.index(signal) for signal, _ in PRIORITIES.values()] == sorted(
        order.index(signal) for signal, _ in PRIORITIES.values()
    )


def test_sources_are_ranked_the_most_telling_first(tmp_path: Path) -> None:
    folder = state(
        tmp_path,
        {"main/a.jsonl": [*user_turns("hello there"), seed_line("assistant", "x"), seed_line("tool", "y")]},
    )
    notes = ("2026-04-15", "2026-04-09", "2026-04-08", "2020-01-01", "2026-99-99")
    for path in ("MEMORY.md", "DREAMS.md", "AGENTS.md", *(f"memory/{day}.md" for day in notes)):
        (folder / "workspace" / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / "workspace" / path).write_text("x")
    (folder / "openclaw.json").write_text("{}")
    (folder / "credentials").mkdir()
    ranked = rank_sources(folder, list_sessions(folder), date(2026, 4, 15))
    assert [(row.path.removeprefix("workspace/"), row.kind) for row in ranked] == [
        ("MEMORY.md", "memory"),
        ("memory/2026-04-15.md", "recent daily note"),
        ("memory/2026-04-09.md", "recent daily note"),
        ("DREAMS.md", "dreams"),
        ("agents/main/sessions/a.jsonl", "assistant turns"),
        ("memory/2026-99-99.md", "old daily note"),
        ("memory/2026-04-08.md", "old daily note"),
        ("memory/2020-01-01.md", "old daily note"),
        ("agents/main/sessions/a.jsonl", "tool pairs"),
        ("openclaw.json", "configuration"),
        ("credentials/", "credentials"),
    ]


@every_row(
    ("named", "where"),
    [
        ("../agent", "agent"),
        ("~/agent/", "home/agent"),
        ("{root}/agent", "agent"),
        ("workspace", "state/workspace"),
        ("inner/agent", "state/inner/agent"),
    ],
)
def test_the_workspace_that_the_configuration_names_is_ranked(
    named: str, where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    folder = state(tmp_path / "state", {"main/a.jsonl": user_turns("hello there")})
    for name in ("MEMORY.md", "memory/2026-04-15.md"):
        (tmp_path / where / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / where / name).write_text("SECRET")
    written = named.format(root=tmp_path)
    (folder / "openclaw.json").write_text(f"{{agents: {{defaults: {{workspace: '{written}'}}}}, // JSON5\n}}")
    ranked = rank_sources(folder, (), date(2026, 4, 15))
    assert [row.path for row in ranked] == [
        f"{written.rstrip('/')}/MEMORY.md",
        f"{written.rstrip('/')}/memory/2026-04-15.md",
        "openclaw.json",
    ]


# --- candidates ------------------------------------------------------------------------------------

META = (
    'Conversation info (untrusted metadata):\n```json\n{"sender_id": "5003590611", "sender": "D W"}\n```\n\n'
)
TURNS = {
    "plain": ("What is due today?", "What is due today?"),
    "metadata": (META + META.replace("Conversation info", "Sender") + "What is due?", "What is due?"),
    "envelope": ("[Telegram Alice id:77 2026-04-15 10:01 UTC] What is due?", "What is due?"),
    "timestamp": ("[Sat 2026-02-14 18:49 GMT-3] What is due?", "What is due?"),
    "message id": ("What is due?\n[message_id: 42]", "What is due?"),
    "system line": ("System: [2026] node connected\n\nWhat is due?", "What is due?"),
    "reply tag": ("[[reply_to_current]] What is due?", "What is due?"),
    "own brackets": ("[draft] What is due?", "[draft] What is due?"),
}
PASSED = {
    "command": "/new",
    "heartbeat": "Read HEARTBEAT.md if it exists. If nothing needs attention, reply HEARTBEAT_OK.",
    "session start": "A new session was started via /new or /reset. Greet the user.",
    "memory flush": "Pre-compaction memory flush. Store durable memories now.",
    "scheduled": "[cron:abc] Send the report",
    "too long": "x" * 5_000,
    "nothing said": "ok",
}


@pytest.mark.parametrize("case", TURNS)
def test_the_wrapping_is_taken_off_a_turn(case: str) -> None:
    text, turn = TURNS[case]
    assert real_turn(text) == (turn, "")


@pytest.mark.parametrize("reason", PASSED)
def test_what_openclaw_writes_is_no_turn(reason: str) -> None:
    assert real_turn(PASSED[reason]) == ("", reason)
    assert {row for row, _ in PASSED_OVER} <= set(PASSED)


def test_turns_are_proposed_once_with_their_place_and_how_often(tmp_path: Path) -> None:
    folder = state(
        tmp_path,
        {
            "main/a.jsonl": user_turns("Where is parcel 7?", "where is  PARCEL 7?", "/new", "Thanks a lot"),
            "main/b.jsonl": user_turns("Where is parcel 7?"),
        },
    )
    proposal = proposed(folder)
    assert [(found.message, found.times) for found in proposal.candidates] == [
        ("Thanks a lot", 1),
        ("Where is parcel 7?", 3),
    ]
    assert proposal.candidates[0].came_from == "agents/main/sessions/a.jsonl:4"
    assert proposal.passed_over == {"command": 1}
    assert proposal == proposed(folder)
    sessions = list_sessions(folder)
    assert len(choose_sessions(sessions, ["a"])) == 1
    with pytest.raises(UsageError, match="nobody"):
        choose_sessions(sessions, ["a", "nobody"])


PLANTED = {
    "e-mail address": ("write to jane.doe+x@mail.example.co.uk soon", "jane.doe"),
    "quoted e-mail": ('write to "jane doe"@example.com', "jane"),
    "e-mail (at)": ("write to jane (at) example.com", "jane"),
    "encoded e-mail": ("https://x.test/?m=jane%40example.com", "jane"),
    "full-width e-mail": ("jane＠example.com", "jane"),
    "e-mail in Chinese": ("发到用户@例子.公司好吗", "例子"),
    "e-mail with a hidden character": ("ja\u200bne@exam\u00adple.com", "jane"),
    "e-mail [at] [dot]": ("write to jane [at] example [dot] com", "example"),
    "e-mail in words": ("write to jane.doe at example dot com", "jane.doe"),
    "e-mail with spaces": ("write to jane.doe @ example.com", "jane.doe"),
    "e-mail as an entity": ("write to jane.doe&#64;example.com", "jane.doe"),
    "e-mail encoded twice": ("https://x.test/?m=jane.doe%2540example.com", "jane.doe"),
    "small at sign": ("jane.doe﹫example.com", "jane.doe"),
    "handle": ("ask @janedoe77 please", "janedoe"),
    "phone": ("call +49 (0)30 1234-5678 now", "1234"),
    "chat id": ("the chat is 5003590611", "5003590611"),
    "card": ("card 4111 1111 1111 1111 please", "4111"),
    "account": ("pay to DE89 3704 0044 0532 0130 00", "3704"),
    "ip": ("ssh to 192.168.17.23", "192.168"),
    "home folder": ("look in /home/janedoe/notes.txt", "janedoe"),
    "Windows home": ("look in C:\\Users\\Jane\\notes.txt", "Jane"),
    "token": ("use ghp_" + "a1B2" * 9, "a1B2a1B2"),
    "password": ("the password: Tr0ub4dor&3x", "Tr0ub4dor"),
    "key that looks like none": ("api_key: Pt2DaBGq=ZaympfDPb", "Pt2DaBGq"),
    "short word for a password": ("creds: desk / mango17", "mango17"),
    "connection string": ("postgres://app:s3cretpw@db.example.com/x", "s3cretpw"),
    "private key": (
        "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA7\n-----END RSA PRIVATE KEY-----",
        "MIIE",
    ),
}


@pytest.mark.parametrize("case", PLANTED)
def test_what_is_planted_is_masked(case: str, tmp_path: Path) -> None:
    text, secret = PLANTED[case]
    folder = state(tmp_path, {"main/a.jsonl": user_turns(text)})
    [candidate] = proposed(folder).candidates
    assert secret not in candidate.message
    assert secret.lower() not in candidate.fixture_id
    assert candidate.masked
    assert mask_private(candidate.message).text == candidate.message


def test_every_row_of_personal_data_is_reached() -> None:
    kinds = {kind for text, _ in PLANTED.values() for kind in mask_private(text).found}
    rows = {row.kind for row in PERSONAL_DATA}
    assert rows - kinds <= {"address in a link"}
    assert "address in a link" in mask_private("see ftp://jane@[::1]/x").found or "[email]" in (
        mask_private("see ftp://jane@[::1]/x").text
    )


@pytest.mark.parametrize(
    "text",
    [
        "Move 3 tickets to 2026-04-15 10:30.",
        "Version 2.31.0 costs $1,200.50",
        "Is 12345678 open?",
        "a at b",
        "C# @ 5",
        "Meet me @ 10.30",
        "The pass is open; a passport: no. Pin the note.",
    ],
)
def test_plain_text_is_left_alone(text: str) -> None:
    assert mask_private(text).text == text


def test_names_that_the_user_gives_are_masked() -> None:
    assert mask_private("Tell jane doe and Janet", ["Jane Doe"]).text == "Tell [name] and Janet"
    masked = mask_private("My name is Email, mail a@b.org", ["name", "email", " "])
    assert masked.text == "My [name] is [name], mail [email]"
    assert masked.found == {"e-mail address": 1, "name": 2}


CARRIERS = {
    "plain": lambda text: seed_line("user", text),
    "parts": lambda text: seed_line(
        "user", [{"type": "text", "text": "first"}, {"type": "text", "text": text}]
    ),
    "entry": lambda text: entry("user", text, 3),
    "entry with parts": lambda text: entry("human", [{"type": "text", "text": text}], 4),
    "nested": lambda text: seed_line("user", {"parts": [{"text": text}]}),
}
"""The forms of a line that carry a turn."""

ADDRESS_FORMS = (
    "{}",
    "<{}>",
    "mailto:{}?subject=x",
    "[mail](mailto:{})",
    "`{}`",
    "{},",
    "user={}&x=1",
    "({})",
)


@given(
    before=st.text(max_size=40),
    after=st.text(max_size=40),
    address=st.emails(),
    form=st.sampled_from(ADDRESS_FORMS),
    secret=st.builds(value_of, st.sampled_from(sorted(SHAPES)), st.integers(0, 10_000)),
    carrier=st.sampled_from(sorted(CARRIERS)),
    times=st.integers(1, 3),
)
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_no_planted_secret_or_address_is_in_any_fixture(
    before: str,
    after: str,
    address: str,
    form: str,
    secret: str,
    carrier: str,
    times: int,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    assume(secret not in before + after)
    texts = (f"{before} {form.format(address)} {after}", f"{before}\napi_key: {secret}\n{after}")
    lines = [CARRIERS[carrier](text) for text in texts for _ in range(times)]
    folder = state(tmp_path_factory.mktemp("planted"), {"main/a.jsonl": lines})
    proposal = proposed(folder)
    picked = picked_fixtures(proposal.candidates, [found.candidate_id for found in proposal.candidates])
    domain = address.rpartition("@")[2]
    for message, whole in (
        *((each.message, repr(each)) for each in proposal.candidates),
        *((each.message, each.model_dump_json()) for each in picked),
    ):
        assert address not in message
        assert domain not in message or domain in before + after
        assert secret not in whole
        assert not re.search(r"[\w.]@[\w]", message)


@pytest.mark.parametrize(("lines", "least"), [(WITH_A_SECRET, 0.92), (HELD_OUT_WITH_A_SECRET, 0.92)])
@pytest.mark.parametrize(
    "draw", [DRAWS[0], *(pytest.param(draw, marks=pytest.mark.slow) for draw in DRAWS[1:])]
)
def test_the_labelled_lines_as_turns(
    lines: tuple[tuple[str, str], ...], least: float, draw: int, tmp_path: Path
) -> None:
    secrets = [value_of(shape, draw) for _, shape in lines]
    turns = {
        f"main/{number}.jsonl": user_turns(line.replace("{}", secret))
        for number, ((line, _), secret) in enumerate(zip(lines, secrets, strict=True))
    }
    texts = {found.came_from: repr(found) for found in proposed(state(tmp_path, {**turns})).candidates}
    leaked = [
        lines[number][0]
        for number, secret in enumerate(secrets)
        if secret in texts.get(f"agents/main/sessions/{number}.jsonl:1", "")
    ]
    assert 1 - len(leaked) / len(lines) >= least, leaked


MEETING = [
    "jane",
    "@",
    " at ",
    " dot ",
    "[at]",
    ".",
    "com",
    " ",
    "pw:",
    "token=",
    "secret: ",
    "\n",
    "${X}",
    "[email]",
]
MEETING += [
    "+49 30 1234567",
    "/home/x",
    "'",
    '"',
    "`",
    "abcdef12",
    "-",
    "://",
    "{",
    "}",
    "%40",
    "[",
    "]",
    "(",
    ")",
]
"""Pieces of which one mask's leavings look like something to another."""


@given(text=st.text(max_size=200) | st.lists(st.sampled_from(MEETING), max_size=14).map("".join))
@settings(max_examples=100, deadline=None)
def test_masking_twice_changes_nothing(text: str) -> None:
    once = mask_private(text).text
    assert mask_private(once).text == once


HOSTILE_TURNS = {
    "grows when masked": "@ab " * 999,
    "nothing but hidden characters": "\u200b\u200b\u200b\u200b",
    "half a character": "what is due \ud800?",
    "NUL and escapes": "what is due \x00 \x1b]0;owned\x07?",
    "4,000 braces": "{" * 4_000,
    "a placeholder": "${HOME} {{ 7 * 7 }} is due",
}


@pytest.mark.parametrize("case", HOSTILE_TURNS)
def test_every_candidate_can_be_picked(case: str, tmp_path: Path) -> None:
    lines = [{"id": "\ud800", "parentId": "jane@example.com", **seed_line("user", HOSTILE_TURNS[case])}]
    name = os.fsdecode(b"jane@example.com\x1b[31m\n" + b"\xe9" * 200)
    folder = state(tmp_path / "state", {f"jane@example.org/{name}.jsonl": lines})
    proposal = proposed(folder)
    picked = picked_fixtures(proposal.candidates, [found.candidate_id for found in proposal.candidates])
    assert len(picked) == (0 if case in ("grows when masked", "nothing but hidden characters") else 1)
    assert len(picked) + sum(proposal.passed_over.values()) == 1
    assert "jane" not in repr(proposal.candidates)
    document = DecisionsDocument(fixtures=picked)
    assert parse_decisions(format_decisions(document)) == document


def test_a_transcript_that_cannot_be_read_is_listed_and_the_others_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = state(
        tmp_path, {"main/a.jsonl": user_turns("hello there"), "main/b.jsonl": user_turns("secret")}
    )
    opening = os.open

    def refuse(path: str | Path, flags: int, mode: int = 0o777) -> int:
        if str(path).endswith("b.jsonl"):
            raise PermissionError(13, "Permission denied")
        return opening(path, flags, mode)

    monkeypatch.setattr(os, "open", refuse)
    assert main(["history", str(folder)]) == 0
    assert "The transcript cannot be read (Permission denied)" in capsys.readouterr().out
    assert main(["history", str(folder), "--session", "all"]) == 0
    assert "hello there" in capsys.readouterr().out
    assert main(["history", str(folder), "--session", "b"]) == 2


# --- picks become fixtures -------------------------------------------------------------------------


def converted(source: Path) -> Conversion:
    return open_conversion(source, as_of=date(2026, 11, 1), generated_at="2026-11-01T00:00:00Z")


def fixture(number: int, message: str = "Where is parcel 7?") -> PickedFixture:
    return PickedFixture(
        fixture_id=f"history_{number}",
        message=f"{message} {'again ' * number}".strip(),
        expected="Answers",
        came_from=f"agents/main/sessions/a.jsonl:{number}",
    )


@pytest.mark.parametrize(
    ("example", "count"),
    [
        ("persona-only", 1),
        ("persona-only", MOST_PICKED),
        ("hostile", 2),
        *(
            pytest.param(example, count, marks=pytest.mark.slow)
            for example in ("persona-only", "rule-heavy", "hostile")
            for count in range(1, MOST_PICKED + 1)
        ),
    ],
)
def test_picked_turns_enter_the_package_beside_its_own(count: int, example: str) -> None:
    conversion = converted(PROJECT / "examples" / example)
    conversion.load(DecisionsDocument(fixtures=tuple(fixture(number) for number in range(count))))
    files = {file.path.partition("/")[2]: file.text for file in conversion.files.files}
    space: dict[str, Any] = {"__package__": case.__package__, "__file__": "fixtures/__init__.py"}
    exec(compile(files["fixtures/__init__.py"], "x", "exec"), space)
    cases: list[case.Case] = space["ALL_FIXTURES"]
    assert {f"history_{number}" for number in range(count)} <= {made.id for made in cases}
    assert 5 <= len(cases) <= 8
    assert conversion.lints.passed
    inputs, name, expected = cases[0]()
    assert (inputs["message"], name) == ("Where is parcel 7?", "history_0")
    assert expected == "Answers (from agents/main/sessions/a.jsonl:0)"


def test_picks_are_one_act_and_survive_saving_loading_and_a_changed_workspace(tmp_path: Path) -> None:
    source = tmp_path / "desk"
    source.mkdir()
    (source / "SOUL.md").write_text("# Soul\n\nWarm.\n")
    conversion = converted(source)
    conversion.load(DecisionsDocument(fixtures=(fixture(1), fixture(0))))
    document = conversion.to_document()
    assert [item.fixture_id for item in document.fixtures] == ["history_0", "history_1"]
    again = parse_decisions(format_decisions(document))
    assert again == document
    (source / "SOUL.md").write_text("# Soul\n\nQuite another text.\n")
    other = converted(source)
    other.load(again)
    assert other.to_document().fixtures == document.fixtures
    conversion.undo()
    assert not conversion.to_document().fixtures
    conversion.redo()
    assert len(conversion.decisions.fixtures) == 2
    with pytest.raises(ValidationError):
        DecisionsDocument(fixtures=tuple(fixture(number) for number in range(MOST_PICKED + 1)))
    with pytest.raises(ValidationError):
        DecisionsDocument(fixtures=(fixture(1), fixture(1)))


HOSTILE = '"""\n{{ 7*7 }} {% raw %} \\N{BULLET} ${HOME}\r\nexit() \x1b[31m \u202e'


def test_a_hostile_turn_stays_text(tmp_path: Path) -> None:
    conversion = converted(PROJECT / "examples/persona-only")
    conversion.load(DecisionsDocument(fixtures=(fixture(0, HOSTILE),)))
    with loaded_package(conversion.files, tmp_path):
        cases = importlib.import_module(f"{conversion.files.package_name}.fixtures").ALL_FIXTURES
    (case,) = [case for case in cases if case.id == "history_0"]
    assert case.inputs["message"] == conversion.decisions.fixtures[0].message
    assert conversion.lints.passed


@pytest.mark.parametrize(
    "name", ["class", "history_x y", "../x", "history_", "History_a", "__init__", "mock_tools"]
)
def test_a_fixture_s_name_is_a_plain_module(name: str) -> None:
    with pytest.raises(DecisionsRefused):
        parse_decisions(json.dumps({"fixtures": [{"fixture_id": name, "message": "hello"}]}))


def test_a_decisions_file_edited_by_hand_is_masked_too() -> None:
    conversion = converted(PROJECT / "examples/persona-only")
    item = {"fixture_id": "history_a", "message": "mail jane@example.com, token ghp_" + "a1B2" * 9}
    conversion.load(parse_decisions(json.dumps({"fixtures": [item]})))
    emitted = "".join(file.text for file in conversion.files.files)
    assert "jane@example.com" not in emitted
    assert "a1B2a1B2" not in emitted
    assert conversion.lints.passed


# --- the command -----------------------------------------------------------------------------------


def test_the_command_lists_proposes_picks_and_the_pick_reaches_the_package(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = state(
        tmp_path / "state", {"main/a.jsonl": user_turns("Where is parcel 7?", "Mail j@x.org please")}
    )
    assert main(["history", str(folder)]) == 0
    assert "2 user" in capsys.readouterr().out
    assert main(["history", str(folder), "--session", "a", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    ids = {found["message"]: found["candidate_id"] for found in document["candidates"]}
    assert set(ids) == {"Where is parcel 7?", "Mail [email] please"}
    decisions = tmp_path / "decisions.json"
    words = ["history", str(folder), "--session", "all", "--save", str(decisions)]
    for found in ids.values():
        assert main([*words, "--pick", found]) == 0
    assert [item.message for item in read_decisions(decisions).fixtures] == [
        "Mail [email] please",
        "Where is parcel 7?",
    ]
    before = decisions.read_bytes()
    assert main([*words, "--pick", ids["Where is parcel 7?"]]) == 0
    assert decisions.read_bytes() == before
    out = tmp_path / "out"
    source = str(PROJECT / "examples/persona-only")
    assert main([source, f"--dependencies=config:{decisions}", "--out", str(out)]) == 0
    (index,) = out.glob("*/fixtures/__init__.py")
    assert index.read_text(encoding="utf-8").count('"history_') == 2


@pytest.mark.parametrize(
    "words",
    [["--pick", "x"], ["--save", "x"], ["--pick", "x", "--save", "y"], ["--session", "nobody"]],
)
def test_half_a_pick_is_refused(words: list[str], tmp_path: Path) -> None:
    folder = state(tmp_path / "state", {"main/a.jsonl": user_turns("hello there")})
    assert main(["history", str(folder), *words]) == 2
    assert (
        main(["history", str(folder), "--session", "a", "--pick", "turn_x", "--save", str(tmp_path / "d")])
        == 2
    )
    assert not (tmp_path / "d").exists()


def test_more_picks_than_a_package_takes_are_refused(tmp_path: Path) -> None:
    folder = state(tmp_path, {"main/a.jsonl": user_turns(*(f"question number {n}" for n in "abcdef"))})
    candidates = proposed(folder).candidates
    with pytest.raises(UsageError, match="6 fixtures"):
        picked_fixtures(candidates, [found.candidate_id for found in candidates])


@pytest.mark.slow
@pytest.mark.parametrize("form", ["seed", "entry"])
def test_a_transcript_of_200_mb_is_read_in_bounded_memory(form: str, tmp_path: Path) -> None:
    long = write_state(tmp_path, 200, form=form)
    with_it = measure(tmp_path)
    long.unlink()
    without = measure(tmp_path)
    assert (with_it.candidates, without.candidates) == (500, 1)
    assert with_it.older > 50_000
    assert with_it.kilobytes - without.kilobytes < 10 * 1024, f"{with_it} with 200 MB, {without} without"
