"""What is no JSON, or isn't what a conversion writes, is told in one place and spares the other lints."""

import json

import pytest

from melleafy_tui.core.lint.table import lint_file_set
from melleafy_tui.core.models.file_set import EmittedFile, FileSet
from melleafy_tui.core.source.json5 import read_json
from tests.unit.lint.conftest import MakeFileSet

INVENTORY = "intermediate/inventory.json"


@pytest.mark.parametrize("elements", ["null", "7", '"rows"', '{"a": 1}', "[7]"])
def test_a_record_of_another_form_is_not_validatable(elements: str, make_file_set: MakeFileSet) -> None:
    files = make_file_set({INVENTORY: f'{{"files": [], "elements": {elements}}}'})
    notes = {result.lint: result.note for result in lint_file_set(files).results}
    for lint in ("coverage", "provenance-complete"):
        assert f"{INVENTORY} is not what a conversion writes" in notes[lint]


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
        read_json(data)
    with pytest.raises(ValueError) as pythons:
        json.loads(data)
    assert str(ours.value) == str(pythons.value)


@pytest.mark.parametrize("data", [b"[1, 2]", b'{"a": NaN}', b'"\\ud800"', '{"a": "é"}'.encode()])
def test_what_python_reads_is_json(data: bytes) -> None:
    read_json(data)


def test_json_that_is_nested_too_deeply_is_told() -> None:
    with pytest.raises(RecursionError):
        read_json(b"[" * 100_000 + b"]" * 100_000)


def test_a_row_in_another_encoding_fails_one_lint_and_spares_the_others(make_file_set: MakeFileSet) -> None:
    files = make_file_set({INVENTORY: ("Warm, curious tone.", "Warm, curious tone; POUND")})
    broken = (
        EmittedFile(file.path, file.data.replace(b"POUND", b"\xa3"), static=file.static)
        for file in files.files
    )
    report = lint_file_set(FileSet(tuple(broken), files.package_name))
    assert [(found.lint, found.file) for found in report.findings] == [
        ("parseable", f"{files.package_name}/{INVENTORY}")
    ]
