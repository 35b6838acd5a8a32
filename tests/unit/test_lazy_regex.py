"""A lazy regex is compiled on first use."""

import re

from melleafy_tui.core.lazy_regex import LazyRegex


def test_a_regex_is_compiled_on_first_use() -> None:
    lazy = LazyRegex(r"b+", re.IGNORECASE)
    assert "compiled" not in vars(lazy)
    assert lazy.search("aBb")
    assert "compiled" in vars(lazy)
