"""What lints read of an artifact is what stands there, however it is written, and what is no JSON is none."""

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from melleafy_tui.core.lint.artifacts import ELEMENT_TEXTS, check_json, read_artifact, read_row, rows_of
from melleafy_tui.core.lint.runner import lint_file_set
from melleafy_tui.core.models.file_set import EmittedFile, FileSet
from tests.unit.lint.conftest import MakeFileSet

INVENTORY = "intermediate/inventory.json"
FIELDS = ("element_id", "source_file", "source_lines", "category")
TEXTS = ("content_full", "statement", "label", "value", "content_summary", "section", "context")

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(), max_size=4),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)
rows = st.dictionaries(st.sampled_from((*FIELDS, *TEXTS, "facts")), json_values, max_size=4)


@given(st.lists(rows | json_values, max_size=4), st.booleans())
@example([{"element_id": "\ud800", "statement": "\udcff"}], True)
@example([7, {"element_id": "elem_001"}], False)
def test_rows_are_read_field_by_field_as_they_stand(elements: list[object], ascii_only: bool) -> None:
    text = json.dumps({"elements": elements}, ensure_ascii=ascii_only)
    artifact = read_artifact(INVENTORY, text.encode("utf-8", "replace"))
    assert isinstance(artifact, dict)
    objects = [
        row for row in json.loads(text.encode("utf-8", "replace"))["elements"] if isinstance(row, dict)
    ]
    read = list(rows_of(artifact, "elements") or ())
    assert [{name: row.get(name) for name in FIELDS} for row in read] == [
        {name: row.get(name) for name in FIELDS} for row in objects
    ]
    texts = [row for unread in artifact["elements"] if (row := read_row(unread, ELEMENT_TEXTS)) is not None]
    assert [{name: row.get(name) for name in TEXTS} for row in texts] == [
        {name: row.get(name) for name in TEXTS} for row in objects
    ]


@pytest.mark.parametrize("elements", [None, 7, "rows", {"a": 1}])
def test_an_artifact_of_another_form_is_read_as_it_is(elements: object) -> None:
    artifact = read_artifact(INVENTORY, json.dumps({"elements": elements, "format": 1}).encode())
    assert artifact == {"elements": elements, "format": 1}
    assert rows_of({"elements": elements}, "elements") is None


@pytest.mark.parametrize(
    "data",
    [
        b'{"statement": "\xff"}',
        b'{"elements": [{"statement": "caf\xe9"}]}',
        b'{"statement": "' + b"x" * (1 << 18) + b'\xc3"}',
        b'{"a": 1,}',
        b'{"a": 1} 2',
        b"",
    ],
)
def test_what_is_no_json_is_said_in_the_words_of_python(data: bytes) -> None:
    with pytest.raises(ValueError) as ours:
        check_json(data)
    with pytest.raises(ValueError) as pythons:
        json.loads(data)
    assert str(ours.value) == str(pythons.value)


@pytest.mark.parametrize("data", [b"[1, 2]", b'{"a": NaN}', b'"\\ud800"', '{"a": "é"}'.encode()])
def test_what_python_reads_is_json(data: bytes) -> None:
    check_json(data)


def test_json_that_is_nested_too_deeply_is_told() -> None:
    with pytest.raises(RecursionError):
        check_json(b"[" * 100_000 + b"]" * 100_000)


def test_a_row_in_another_encoding_fails_one_lint_and_spares_the_others(make_file_set: MakeFileSet) -> None:
    files = make_file_set({INVENTORY: ("Warm, curious tone.", "Warm, curious tone; POUND")})
    broken = (EmittedFile(file.path, file.data.replace(b"POUND", b"\xa3")) for file in files.files)
    report = lint_file_set(FileSet(tuple(broken), files.package_name))
    assert [(found.lint, found.file) for found in report.findings] == [
        ("parseable", f"{files.package_name}/{INVENTORY}")
    ]
