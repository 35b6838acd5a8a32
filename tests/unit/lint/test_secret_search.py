"""What looks like a secret in an emitted file is found wherever it stands, also where it takes several lines."""

import json

import pytest

from melleafy_tui.core.lint.secrets import Found, secrets_of
from melleafy_tui.core.models.file_set import EmittedFile
from melleafy_tui.core.source.secrets.detector import find_secrets
from tests.safety.secret_lines import WITH_A_SECRET
from tests.safety.secret_shapes import value_of
from tests.secrets.lines import LINES, read_lines

PASSWORD = value_of("chosen password", 3)
ROW = f"| wiki | {PASSWORD} |"
CLEAN = [
    "# Desk",
    "",
    *(f"- Row {number} holds the ledger of the north quay." for number in range(9)),
    "",
    "Bye.",
]


def found_in(lines: list[str], ends: str = "\n") -> tuple[Found, ...]:
    return secrets_of(EmittedFile("desk/a.md", ends.join(lines).encode()))


def found_in_file(path: str, text: str) -> tuple[str, ...]:
    return tuple(found.value for found in secrets_of(EmittedFile(path, text.encode())))


@pytest.mark.parametrize("place", [0, 5, len(CLEAN)])
def test_a_secret_is_found_on_any_line(place: int) -> None:
    assert found_in(CLEAN) == ()
    for line, shape in WITH_A_SECRET:
        secret = line.replace("{}", value_of(shape, 1)).split("\n")
        alone = [found.value for found in found_in(["", *secret, ""])]
        among = found_in([*CLEAN[:place], "", *secret, "", *CLEAN[place:]])
        assert [found.value for found in among] == alone
        assert all(place + 1 < found.line <= place + 1 + len(secret) for found in among)


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_a_cell_below_a_header_that_names_a_secret_is_found(ends: str) -> None:
    rows = ["| a | password |", "|---|---|", "| b | c |", ROW]
    assert [found.value for found in found_in([*CLEAN, *rows, *CLEAN], ends)] == [PASSWORD]
    assert not found_in([*CLEAN, "| a | b |", "|---|---|", ROW, *CLEAN], ends)


def test_a_quote_in_a_literal_ends_the_value_as_in_the_source() -> None:
    line = 'export RING_PASSWORD="${RING_PASSWORD:-otter}"'
    assert not found_in([line])
    assert not found_in([json.dumps({"10": line}, indent=1)])
    assert found_in([json.dumps({"10": line.replace("otter", PASSWORD)}, indent=1)])


def test_a_quote_inside_a_text_or_a_comment_starts_no_literal() -> None:
    value = "tulip-harbour-9Q!x2"
    apart = ["say='hi'", "password", value]
    assert not found_in_file("desk/a.json", json.dumps(apart, indent=1))
    assert found_in_file("desk/a.json", json.dumps(["say='hi'", f"password: {PASSWORD}"])) == (PASSWORD,)
    assert not found_in_file("desk/a.py", f"# don't\nROWS = {apart[1:]}\n")
    assert found_in_file("desk/a.py", f"# don't\nNOTE = 'password: {PASSWORD}'\n") == (PASSWORD,)


def test_names_that_we_made_are_no_login() -> None:
    named = "rule_load_skill_user_wants, rule_load_skill_user_wants_2"
    assert not found_in_file("desk/a.py", f'"""Cases.\n\n- C2: {named}\n"""\n')


def test_a_row_behind_the_line_end_of_a_literal_is_a_row() -> None:
    assert found_in(["| a | password |", "|---|---|", f"\\n{ROW}"])


def test_a_file_from_the_workspace_is_searched_as_it_was_there() -> None:
    number = value_of("google", 1).removeprefix("AIza")
    named = f'SHEET_ID = "1{number}"\n'
    for folder, found in (("scripts/", False), ("", True)):
        file = EmittedFile(f"desk_mellea/{folder}a.py", named.encode())
        assert bool(secrets_of(file)) is found, folder
    told = EmittedFile("desk_mellea/scripts/a.py", f'password = "{PASSWORD}"\n'.encode())
    assert [found.value for found in secrets_of(told)] == [PASSWORD]


def test_what_is_searched_once_is_found_at_each_place() -> None:
    """Lines of JSON and cells of reports repeat; each different one is searched once."""
    bare = "".join(f'{{\n  "name": "desk",\n  password: {PASSWORD}\n}}\n' for _ in range(2))
    told = json.dumps([{"note": f"password: {PASSWORD}"}, {"text": f"password: {PASSWORD}"}], indent=1)
    report = f"# Report\n\n| a | b |\n|---|---|\n| x | password: {PASSWORD} |\n| password: {PASSWORD} | x |\n"
    for path, text, lines in (
        ("desk/a.json", bare, [3, 7]),
        ("desk/a.json", told, [3, 6]),
        ("desk/mapping_report.md", report, [5, 6]),
        ("desk/SETUP.md", f"# Setup\n\nThe password: {PASSWORD}\n", [3]),
    ):
        assert [found.line for found in secrets_of(EmittedFile(path, text.encode()))] == lines, text


def test_a_secret_beside_its_label_is_found_where_those_further_away_count_too() -> None:
    """So a line that the mask found clean needs no second search by the lint."""
    lines = [line.text for line in read_lines(LINES.with_name("practice_a.jsonl")) if "\n" not in line.text]
    beside = [line for line in lines if find_secrets(line, near=False)]
    assert len(beside) > 100
    assert [line for line in beside if not find_secrets(line)] == []
