"""Texts that a workspace may hold, for property tests: every plane of Unicode, and all that Python's literals care about."""

from hypothesis import strategies as st

PLANES = range(17)
"""The planes of Unicode; each has 65,536 code points."""

AWKWARD = (
    '"',
    "'",
    '"""',
    "'''",
    "\\",
    "\\N{BULLET}",
    "\\x41",
    "\n",
    "\r\n",
    "\r",
    "{{ x }}",
    "{% y %}",
    "{",
    "}",
    "%s",
    "#",
    "`",
    "\t",
    "\x7f",
    "\x85",
    "\u2028",
    "\u202e",
    *(chr(code) for code in range(1, 32)),
)
"""What a careless literal loses: quotes, backslashes, line ends, braces, and every control character but NUL."""


def of_plane(plane: int) -> st.SearchStrategy[str]:
    """Return the characters of a plane that UTF-8 can carry, without NUL."""
    return st.characters(
        min_codepoint=max(1, plane << 16), max_codepoint=(plane << 16) | 0xFFFF, exclude_categories=["Cs"]
    )


def texts_with(plane: int) -> st.SearchStrategy[str]:
    """Return texts that hold a character of a plane, something awkward, and anything else, in any order."""
    anything = st.sampled_from(AWKWARD) | st.sampled_from(PLANES).flatmap(of_plane)
    forced = st.tuples(of_plane(plane), st.sampled_from(AWKWARD), st.lists(anything, max_size=12))
    return forced.flatmap(lambda parts: st.permutations([parts[0], parts[1], *parts[2]])).map("".join)
