"""Three-way merges: clean where they are, never called clean where they are not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from melleafy_tui.core.output.merge import merge_three

BASE = b"def a():\n    raise NotImplementedError\n\n\ndef b():\n    return 1\n"


def test_an_implemented_stub_and_a_new_text_elsewhere_both_stand() -> None:
    user = BASE.replace(b"raise NotImplementedError", b"return 'mine'")
    now = BASE.replace(b"return 1", b"return 2")
    merged = merge_three("slots.py", before=BASE, user=user, now=now)
    assert merged.data == user.replace(b"return 1", b"return 2")
    assert merged.conflicts == 0


def test_the_same_line_changed_on_both_sides_is_a_conflict() -> None:
    merged = merge_three("a.py", before=b"x = 1\n", user=b"x = 2\n", now=b"x = 3\n")
    assert merged.data is None
    assert merged.conflicts == 1
    assert "1 place" in merged.reason


@pytest.mark.parametrize(
    ("path", "before", "user", "now"),
    [
        pytest.param(
            "a.py",
            b"a = 1\nb = 2\nc = 3\nd = 4\ne = 5\n",
            b'"""\na = 1\nb = 2\nc = 3\nd = 4\ne = 5\n"""\n',
            b'a = 1\nb = 2\n"""doc"""\nc = 3\nd = 4\ne = 5\n',
            id="python",
        ),
        pytest.param(
            "a.toml",
            b"[a]\nx = 1\ny = 2\nz = 3\n",
            b"[a]\nq = 4\nx = 1\ny = 2\nz = 3\n",
            b"[a]\nx = 1\ny = 2\nz = 3\nq = 5\n",
            id="toml",
        ),
    ],
)
def test_a_merge_that_would_not_parse_is_a_conflict(
    path: str, before: bytes, user: bytes, now: bytes
) -> None:
    merged = merge_three(path, before=before, user=user, now=now)
    assert merged.data is None
    assert "not be a valid" in merged.reason


def test_line_ends_turned_to_crlf_by_an_editor_are_no_conflict() -> None:
    user = BASE.replace(b"raise NotImplementedError", b"return 'mine'").replace(b"\n", b"\r\n")
    now = BASE.replace(b"return 1", b"return 2")
    merged = merge_three("slots.py", before=BASE, user=user, now=now)
    assert merged.data == user.replace(b"return 1", b"return 2")


def test_bytes_that_are_no_text_are_never_merged() -> None:
    merged = merge_three("logo.png", before=b"\0a\nb\n", user=b"\0a\nc\n", now=b"\0d\nb\n")
    assert merged.data is None


LINES = st.lists(st.sampled_from([b"a\n", b"b\n", b"c\n", b"d\n", b"\n"]), max_size=8).map(b"".join)


@given(before=LINES, user=LINES)
def test_a_side_that_did_not_change_yields_to_the_other(before: bytes, user: bytes) -> None:
    assert merge_three("a.md", before=before, user=user, now=before).data == user
    assert merge_three("a.md", before=before, user=before, now=user).data == user


@given(before=LINES, user=LINES, now=LINES)
def test_a_clean_merge_loses_no_line_that_only_the_user_added(before: bytes, user: bytes, now: bytes) -> None:
    merged = merge_three("a.md", before=before, user=user + b"mine\n", now=now)
    if merged.data is not None:
        assert b"mine\n" in merged.data
