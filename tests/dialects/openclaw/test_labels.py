"""The tag rules against the labels of a careful human (tests/dialects/openclaw/labels.txt)."""

from tests.dialects.openclaw.labelled import labelled


def test_there_are_enough_lines_of_enough_kinds() -> None:
    rows = labelled()
    assert len(rows) >= 120
    assert len({row.line for row in rows}) == len(rows)
    assert len({row.tag for row in rows}) >= 13
    assert len({row.path for row in rows}) >= 7


def test_the_rules_agree_with_a_careful_human() -> None:
    rows = labelled()
    wrong = [
        f"{row.line!r}: {row.tag} {row.polarity}, found {row.found.tag} {row.found.polarity}"
        for row in rows
        if not row.agrees
    ]
    assert len(wrong) <= len(rows) // 50, wrong


def test_no_prohibition_is_read_as_anything_else() -> None:
    forbidden = [row for row in labelled() if row.polarity == "forbids"]
    assert [row.line for row in forbidden if row.found.polarity.value != "forbids"] == []
