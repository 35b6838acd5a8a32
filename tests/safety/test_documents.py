"""promises.toml names tests that exist, and has rows for each part of spec/safety.md and each fault that it lists."""

import re
import tomllib
from pathlib import Path
from typing import Final

from tests.conftest import PROJECT

TABLE: Final = tomllib.loads(Path(__file__).with_name("promises.toml").read_text(encoding="utf-8"))
ROWS: Final = [*TABLE["promise"], *TABLE["fault"]]
PARTS: Final = set(range(1, 11))
FAULTS: Final = 13


def test_each_named_test_exists() -> None:
    named = sorted({test for row in ROWS for test in row["tests"]})
    texts = {test: (PROJECT / test.partition("::")[0]).read_text(encoding="utf-8") for test in named}
    assert [
        test
        for test in named
        if not re.search(rf"^(async )?def {test.partition('::')[2]}\(", texts[test], re.MULTILINE)
    ] == []


def test_no_part_of_the_promises_is_without_a_test() -> None:
    assert {row["part"] for row in TABLE["promise"] if row["tests"]} == PARTS
    assert len(TABLE["fault"]) == FAULTS
    assert [row["what"] for row in ROWS if not row["tests"]] == []
