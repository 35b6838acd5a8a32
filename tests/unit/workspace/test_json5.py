"""JSON5 with positions: values, places, errors with line and column, bounded work."""

import json
import math
import subprocess
import sys

import json5 as json_five
import pytest
from hypothesis import given
from hypothesis import strategies as st

from melleafy_tui.core.source.json5 import DEEPEST_NESTING, Json5Error, JsonNode, parse_json5
from tests.guard import bounded

DOCUMENT = """{
  // the agents
  agents: {
    defaults: {
      "heartbeat": {
        every: '30m',
        activeHours: {
          start: "09:00",
          end: "18:00",
        },
      },
    },
    list: [
      {id: "main"}, {id: "other"},
    ],
  },
}
"""


def at(path: str) -> JsonNode:
    node = parse_json5(DOCUMENT).at(path)
    assert node is not None
    return node


def test_values() -> None:
    assert parse_json5(DOCUMENT).value == {
        "agents": {
            "defaults": {"heartbeat": {"every": "30m", "activeHours": {"start": "09:00", "end": "18:00"}}},
            "list": [{"id": "main"}, {"id": "other"}],
        }
    }


@pytest.mark.parametrize(
    ("path", "key_line", "line", "end_line"),
    [
        ("agents", 3, 3, 16),
        ("agents.defaults.heartbeat", 5, 5, 11),
        ("agents.defaults.heartbeat.every", 6, 6, 6),
        ("agents.defaults.heartbeat.activeHours", 7, 7, 10),
        ("agents.list.1.id", 14, 14, 14),
    ],
)
def test_places(path: str, key_line: int, line: int, end_line: int) -> None:
    node = at(path)
    assert (node.key_line, node.line, node.end_line) == (key_line, line, end_line)


def test_a_value_has_its_place_in_the_text() -> None:
    node = at("agents.defaults.heartbeat.every")
    assert DOCUMENT[node.start : node.end] == "'30m'"


def test_a_key_on_another_line_than_its_value() -> None:
    node = parse_json5('{\n"a":\n\n[1,\n2]}').at("a")
    assert node is not None
    assert (node.key_line, node.line, node.end_line) == (2, 4, 5)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_are_those_of_an_editor(end: str) -> None:
    node = parse_json5(end.join(("{", "// note", "a: 1,", "b: 2}"))).at("b")
    assert node is not None
    assert node.line == 4


def test_paths_that_lead_nowhere() -> None:
    root = parse_json5(DOCUMENT)
    for path in ("agents.nothing", "agents.list.5", "agents.list.id", "agents.defaults.heartbeat.every.more"):
        assert root.at(path) is None
    assert root.at("") is root


def test_the_last_of_two_equal_keys_holds() -> None:
    root = parse_json5("{a: 1,\n a: 2}")
    assert root.value == {"a": 2}
    node = root.at("a")
    assert node is not None
    assert node.line == 2


def test_members_and_items_in_source_order() -> None:
    root = parse_json5("{b: [3, 4], a: 1}")
    assert [key for key, _ in root.members()] == ["b", "a"]
    listed = root.at("b")
    assert listed is not None
    assert [node.value for node in listed.items()] == [3, 4]
    assert list(listed.members()) == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        pytest.param("0x1F", 31, id="hexadecimal"),
        pytest.param(".5", 0.5, id="leading point"),
        pytest.param("5.", 5.0, id="trailing point"),
        pytest.param("+1", 1, id="plus"),
        pytest.param("-1e3", -1000.0, id="exponent"),
        pytest.param("-Infinity", -math.inf, id="infinity"),
        pytest.param("'it\\'s'", "it's", id="single quotes"),
        pytest.param('"a\\\nb"', "ab", id="line continuation"),
        pytest.param('"a\\\r\nb"', "ab", id="continuation over CRLF"),
        pytest.param('"\\x41\\u0042\\v"', "AB\v", id="escapes"),
        pytest.param('"C:\\\\xampp\\\\users"', "C:\\xampp\\users", id="escaped backslashes"),
        pytest.param('"\\ud83d\\ude00"', "😀", id="pair of surrogates"),
        pytest.param('"\\ud800"', "\ufffd", id="lone surrogate"),
        pytest.param("{$a_1: null}", {"$a_1": None}, id="bare key"),
        pytest.param("{null: true, Infinity: 1}", {"null": True, "Infinity": 1}, id="reserved words as keys"),
        pytest.param("/* a */ [1, /* b\n */ 2,] // c", [1, 2], id="comments"),
        pytest.param("\ufeff{}", {}, id="byte order mark"),
        pytest.param("[\u00a0\u2028]", [], id="spaces"),
    ],
)
def test_forms(text: str, value: object) -> None:
    assert parse_json5(text).value == value


def test_not_a_number() -> None:
    value = parse_json5("NaN").value
    assert isinstance(value, float)
    assert math.isnan(value)


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        pytest.param("", 1, 1, "the file is empty", id="empty"),
        pytest.param("  // only a comment\n", 2, 1, "the file is empty", id="only a comment"),
        pytest.param("{", 1, 2, "expected a key or `}`, found the end of the file", id="open object"),
        pytest.param("{\n  a: `x`\n}", 2, 6, "unexpected character ```", id="backticks"),
        pytest.param("{a: 01}", 1, 5, "the number is not valid JSON5", id="octal"),
        pytest.param("{a: 1x}", 1, 5, "the number is not valid JSON5", id="number and letter"),
        pytest.param('{"a" 1}', 1, 6, "expected `:`, found `1`", id="no colon"),
        pytest.param("{a: 1,, b: 2}", 1, 7, "expected a key or `}`, found `,`", id="two commas"),
        pytest.param("[1 2]", 1, 4, "expected `,` or `]`, found `2`", id="no comma"),
        pytest.param('"a" "b"', 1, 5, "expected the end, found a string", id="two values"),
        pytest.param('{"a": "x\ny"}', 1, 7, "the string is not closed on its line", id="open string"),
        pytest.param("{a: 1 /* x", 1, 7, "the comment is not closed", id="open comment"),
        pytest.param("{a: undefined}", 1, 5, "expected a value, found `undefined`", id="unknown word"),
        pytest.param("{a: \x07}", 1, 5, "unexpected control character", id="control character"),
    ],
)
def test_errors_have_their_place(text: str, line: int, column: int, message: str) -> None:
    with pytest.raises(Json5Error) as caught:
        parse_json5(text)
    assert (caught.value.line, caught.value.column, caught.value.message) == (line, column, message)


def test_errors_quote_no_long_word() -> None:
    with pytest.raises(Json5Error) as caught:
        parse_json5("{token: abcdefghijklmnopqrstuvwxyz}")
    assert "abcdefghijklm" not in str(caught.value)


@pytest.mark.parametrize("opening", ["[", "{a:"])
def test_nesting_is_bounded(opening: str) -> None:
    with pytest.raises(Json5Error, match="nested deeper"):
        parse_json5(opening * 100_000)
    parse_json5("[" * DEEPEST_NESTING + "]" * DEEPEST_NESTING)


def test_a_very_long_number() -> None:
    assert parse_json5("9" * 5_000).value == math.inf


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('{"a":1 /*' + "\n*" * 100_000, id="open comment"),
        pytest.param('"' + "\\" * 200_001, id="backslashes"),
        pytest.param('{"a":"' + "x\\\\" * 100_000, id="open string"),
        pytest.param("a" * 300_000, id="one word"),
        pytest.param("[" + "1," * 50_000, id="open array"),
    ],
)
def test_time_is_linear(text: str) -> None:
    with bounded(), pytest.raises(Json5Error):
        parse_json5(text)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=20,
)


@given(json_values, st.sampled_from([None, 0, 2]), st.booleans())
def test_strict_json_gives_what_json_gives(value: object, indent: int | None, ascii_only: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    assert parse_json5(text).value == json.loads(text)


@given(json_values)
def test_every_node_stands_where_it_says(value: object) -> None:
    text = json.dumps(value, indent=1)

    def check(node: JsonNode) -> None:
        assert text[node.start] == json.dumps(node.value, indent=1)[0]
        assert node.line == text.count("\n", 0, node.start) + 1
        for child in node.children.values():
            assert node.line <= child.key_line <= child.line <= child.end_line <= node.end_line
            check(child)

    check(parse_json5(text))


@pytest.mark.parametrize("text", [DOCUMENT, "{a:+.5e-2, 'b': [1,], // c\n}", "[0xfF, 'x\\ty']"])
def test_agrees_with_another_reader(text: str) -> None:
    assert parse_json5(text).value == json_five.loads(text)


FIRST_READS = """
import enum, sys, threading
import msgspec
from melleafy_tui.core.source.json5 import read_record

sys.setswitchinterval(1e-6)
for number in range(60):
    kind = enum.StrEnum("Kind", {f"M{at}": f"m{at}" for at in range(30)})
    inner = msgspec.defstruct("Inner", [("first", kind), ("second", kind)])
    record = msgspec.defstruct("Record", [(f"a{at}", kind if at % 2 else inner) for at in range(12)])
    values = {f"a{at}": "m1" if at % 2 else {"first": "m1", "second": "m2"} for at in range(12)}
    data = msgspec.json.encode(values)
    barrier = threading.Barrier(4)

    def read() -> None:
        barrier.wait()
        read_record(data, record)

    threads = [threading.Thread(target=read) for _ in range(4)]
    [each.start() for each in threads]
    [each.join() for each in threads]
"""


def test_threads_that_read_the_first_record_of_a_type_end_no_process() -> None:
    """The wizard ended with a segmentation fault where two threads linted the first package."""
    done = subprocess.run([sys.executable, "-c", FIRST_READS], check=False, capture_output=True, timeout=100)
    assert (done.returncode, done.stderr) == (0, b"")
