"""A difference of two texts, applied to the old one, gives the new one."""

import difflib

from hypothesis import given
from hypothesis import strategies as st

from melleafy_tui.actions.output_changes import unified

LINES = st.lists(st.sampled_from(["", "a", "b", "c", "@@ -1 +1 @@", "-- d"]), max_size=30)


CHANGES = st.lists(st.tuples(st.sampled_from([0, 1, 9, 300, 500]), LINES, LINES), max_size=4)


@given(CHANGES, st.sampled_from([0, 2, 300, 500]), st.sampled_from([1, 3]))
def test_a_difference_applied_to_the_old_text_gives_the_new(
    changes: list[tuple[int, list[str], list[str]]], below: int, context: int
) -> None:
    before, after = ["top"], ["top"]
    for above, old, new in changes:
        before += [*map(str, range(above)), *old]
        after += [*map(str, range(above)), *new]
    before += map(str, range(below))
    after += map(str, range(below))
    lines = unified("\n".join(before), "\n".join(after), "x", context=context)
    assert applied(before, lines[2:]) == after
    assert bool(lines) == (before != after)
    assert sum(line.startswith("--- ") for line in lines[:1]) == bool(lines)


def test_a_difference_of_short_texts_is_that_of_the_library() -> None:
    for old, new in (
        ("a\nb\nc", "a\nc\nc"),
        ("", "a\nb"),
        ("a", ""),
        ("x\n\ny\n", "x\n\ny\n\n"),
        ("same", "same"),
    ):
        before, after = (text.split("\n") if text else [] for text in (old, new))
        expected = difflib.unified_diff(before, after, "before/p", "after/p", lineterm="")
        assert unified(old, new, "p") == [*expected]


def applied(before: list[str], lines: list[str]) -> list[str]:
    """Return the text after a unified diff, with every place and every line of context checked."""
    after: list[str] = []
    read = 0
    for line in lines:
        if line.startswith("@@"):
            old, new = (part[1:].partition(",") for part in line.split()[1:3])
            start = int(old[0]) - (old[2] != "0")
            after += before[read:start]
            read = start
            assert int(new[0]) - (new[2] != "0") == len(after)
        elif line.startswith("+"):
            after.append(line[1:])
        else:
            assert before[read] == line[1:]
            read += 1
            if line.startswith(" "):
                after.append(line[1:])
    return [*after, *before[read:]]
