"""A file of which only the new lines are searched holds the secrets that a search of the whole finds."""

import random

import pytest

from melleafy_tui.core.lint.secret_search import Found, secrets_of
from melleafy_tui.core.models.package import EmittedFile
from tests.safety.secret_lines import WITH_A_SECRET, WITHOUT_A_SECRET
from tests.safety.secret_shapes import value_of

PASSWORD = value_of("chosen password", 3)
ROW = f"| wiki | {PASSWORD} |"
CLEAN = [
    "# Desk",
    "",
    *(f"- Row {number} holds the ledger of the north quay." for number in range(9)),
    "",
    "Bye.",
]


def after_a_change(before: list[str], after: list[str], ends: str = "\n") -> tuple[Found, ...]:
    """Return what is found in lines whose last version was searched, which has to be what is found without it."""
    old, new, fresh = (
        EmittedFile("desk/a.md", ends.join(lines).encode()) for lines in (before, after, after)
    )
    secrets_of(old, None)
    found = secrets_of(new, old)
    assert found == secrets_of(fresh, None)
    return found


@pytest.mark.parametrize("place", [0, 5, len(CLEAN)])
def test_a_new_line_is_searched(place: int) -> None:
    for line, shape in WITH_A_SECRET:
        secret = line.replace("{}", value_of(shape, 1))
        after_a_change(CLEAN, [*CLEAN[:place], *secret.split("\n"), *CLEAN[place:]])
    assert after_a_change(CLEAN, [*CLEAN[:place], f"Password: {PASSWORD}", *CLEAN[place:]])


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("before", "after"),
    [
        (["| a | token |", "|---|---|", "", "Stop.", ROW], ["| a | password |", "|---|---|", ROW]),
        (["| a | password |", "|---|---|", "Stop.", ROW], ["| a | password |", "|---|---|", ROW]),
        (["| a | password |", "|-|-|", "", "Stop.", "", ROW], ["| a | password |", "|-|-|", "", "", ROW]),
        (
            ["| a | password |", "Stop.", "", "|---|---|", "", ROW],
            ["| a | password |", "", "|---|---|", "", ROW],
        ),
        (["| a | password |", "Stop.", "|---|---|", ROW], ["| a | password |", "|---|---|", ROW]),
        (["| a | password |", "|---|---|", "| b | c |"], ["| a | password |", "|---|---|", "| b | c |", ROW]),
        (["| a | b |", "|---|---|", ROW], ["| a | password |", "|---|---|", ROW]),
        (["a", "MIIB"], ["a", "-----BEGIN PRIVATE KEY-----", "MIIB"]),
    ],
)
def test_what_stands_on_several_lines_is_found_whichever_of_them_is_new(
    before: list[str], after: list[str], ends: str
) -> None:
    assert after_a_change([*CLEAN, *before, *CLEAN], [*CLEAN, *after, *CLEAN], ends)


def test_lines_that_move_about() -> None:
    source = random.Random(7)
    lines = [*CLEAN, *WITHOUT_A_SECRET[:60], "| a | password |", "|---|---|", "| b | c |", ROW]
    lines += [line.replace("{}", value_of(shape, 2)) for line, shape in WITH_A_SECRET[:40]]
    for _ in range(60):
        before = source.sample(lines, 6)
        after = list(before)
        for _ in range(source.randint(1, 3)):
            place = source.randrange(len(after) + 1)
            after[place : place + source.randint(0, 2)] = source.sample(lines, source.randint(0, 2))
        after_a_change(before, after)


def test_a_row_behind_the_line_end_of_a_literal_is_a_row() -> None:
    rows = ("| a | password |", "|---|---|", f"\\n{ROW}")
    assert secrets_of(EmittedFile("desk/a.md", "\n".join(rows).encode()), None)
