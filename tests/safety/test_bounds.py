"""Bounded work: what grows with the input grows in proportion, measured by what is made and never by a clock."""

import json
import sys
from datetime import date
from pathlib import Path
from types import FrameType

import pytest

from benchmarks.layouts import LAYOUTS, text_of
from melleafy_tui.core.decisions.keys import FURTHEST_WORD, slug
from melleafy_tui.core.errors import OutputRefused
from melleafy_tui.core.lint.linted_package import PROVENANCE, Inventory
from melleafy_tui.core.lint.provenance import line_counts
from melleafy_tui.core.lint.recorded_places import RecordedPlaces
from melleafy_tui.core.models.file_set import EmittedFile
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import Category, Tag
from melleafy_tui.core.openclaw.export.restored_workspace import restore_text
from melleafy_tui.core.output.emitted import EMITTED_TEXTS_NAME
from melleafy_tui.core.package.source_layout import source_layout
from melleafy_tui.engine import open_conversion
from tests.safety.hostile_workspaces import put

AS_OF = date(2026, 11, 1)
STAMP = "2026-11-01T09:00:00Z"


def settings_on_one_line(folder: Path, rules: int) -> Path:
    """Return a Claude Code workspace whose settings are one line that all the rules share."""
    allow = [f"Bash(run-{number} {'x' * 80})" for number in range(rules)]
    put(
        folder,
        {"CLAUDE.md": "- Be kind\n", ".claude/settings.json": json.dumps({"permissions": {"allow": allow}})},
    )
    return folder


def test_elements_of_one_long_line_do_not_each_hold_the_line(tmp_path: Path) -> None:
    held = []
    for rules in (100, 400):
        root = settings_on_one_line(tmp_path / str(rules), rules)
        elements = open_conversion(root, as_of=AS_OF, generated_at=STAMP).inventory.elements
        assert len(elements) > rules
        held.append(sum(len(element.content_full) for element in elements))
    assert held[1] < 6 * held[0]


def test_rules_on_one_long_line_keep_their_own_words(tmp_path: Path) -> None:
    conversion = open_conversion(settings_on_one_line(tmp_path / "w", 50), as_of=AS_OF, generated_at=STAMP)
    digests = {
        element.content_full for element in conversion.inventory.elements if "run-" in element.statement
    }
    assert len(digests) == 50
    assert conversion.lints.passed


def test_first_words_are_looked_for_near_the_beginning_only() -> None:
    assert slug("one two three " + "x" * 1_000_000, 3) == "one-two-three"
    assert slug("." * FURTHEST_WORD + " late", 3) == ""


def recorded(places: list[dict[str, str]], before: str, now: str) -> RecordedPlaces:
    """Return the places of one file of a package, which was emitted as `before`."""
    texts = {
        PROVENANCE: {"format_version": "1.0", "files": {"a.py": places}},
        EMITTED_TEXTS_NAME: {"p/a.py": before},
    }
    files = {f"p/{name}": EmittedFile(f"p/{name}", json.dumps(text).encode()) for name, text in texts.items()}
    found = RecordedPlaces.of({**files, "p/a.py": EmittedFile("p/a.py", now.encode())}, "p")
    assert found is not None
    return found


def place(lines: str) -> dict[str, str]:
    return {"lines": lines, "source_file": "A.md", "source_lines": "1", "element_id": "elem_001"}


def test_a_record_that_names_a_billion_lines_costs_as_many_as_the_file_has() -> None:
    found = recorded([place("1-999999999"), place("9" * 5_000), place("x")], "a\nb\n", "a\nb\nc\n")
    assert [(each.first, each.last) for each in found.places("p/a.py")] == [(1, 4)]


def test_a_long_edited_file_is_compared_up_to_its_first_change_only() -> None:
    before = [str(number) for number in range(5_000)]
    now = [*before[:10], *(f"new {number}" for number in range(5_000))]
    found = recorded([place("3-4"), place("4000")], "\n".join(before), "\n".join(now))
    assert [each.first for each in found.places("p/a.py")] == [3]


def test_an_inventory_with_lines_that_are_none_is_read_without_them() -> None:
    lines = ("9" * 5_000, "3-x", "²", "", "1-")
    kind = ("item", Tag.DECIDE, Category.C2, "", "", "")
    elements = tuple(Element("elem_001", "A.md", each, *kind) for each in lines)
    assert line_counts(Inventory(files=(), elements=elements)) == {}


def test_a_file_on_one_line_comes_back_byte_for_byte(tmp_path: Path) -> None:
    conversion = open_conversion(settings_on_one_line(tmp_path / "w", 60), as_of=AS_OF, generated_at=STAMP)
    elements = conversion.inventory.elements
    (laid_out,) = (
        file
        for file in source_layout(conversion.snapshot, conversion.inventory, "w").files
        if file.path.endswith("settings.json")
    )
    own = [element for element in elements if element.source_file == laid_out.path]
    restored = restore_text(laid_out, own, ())
    assert restored is not None
    assert restored.identical
    assert restored.data == (tmp_path / "w" / ".claude" / "settings.json").read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("shape", ["headings", "small tables"])
def test_calls_stay_in_proportion_beside_a_claude_folder(shape: str, tmp_path: Path) -> None:
    """What compares every pair of lines costs 8 to 14 times as much here, what looks them up 3.5 times."""
    made = {}
    for size in (3_000, 12_000):
        root = tmp_path / str(size)
        put(root, {**LAYOUTS["beside .claude"], "AGENTS.md": text_of(shape, size)})
        made[size] = calls_of(root)
    assert made[12_000] < 5 * made[3_000]


def calls_of(root: Path) -> int:
    """Return how many functions a plan calls and returns from, which no slow machine makes more."""
    calls = 0

    def count(_: FrameType, __: str, ___: object) -> None:
        nonlocal calls
        calls += 1

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        _ = open_conversion(root, as_of=AS_OF, generated_at=STAMP).plan
    finally:
        sys.setprofile(before)
    return calls


def test_five_thousand_fences_that_nobody_closes_convert(tmp_path: Path) -> None:
    put(
        tmp_path / "w",
        {"SOUL.md": "# SOUL.md\n\nBe calm.\n", "AGENTS.md": "# A\n\n" + "```bash\nrun it\n" * 5_000},
    )
    assert open_conversion(tmp_path / "w", as_of=AS_OF, generated_at=STAMP).lints.passed


@pytest.mark.parametrize("piece", ["0123456789abcdef", "data:image/png;base64,", "iVBORw0KGgo"])
def test_periodic_hex_and_addresses_with_data_cost_no_more_calls_when_they_are_longer(
    piece: str, tmp_path: Path
) -> None:
    made = []
    for count in (500, 2_000):
        root = tmp_path / str(count)
        put(root, {"SOUL.md": "# SOUL.md\n\nBe calm.\n", "AGENTS.md": f"# A\n\n- key data:{piece * count}\n"})
        made.append(calls_of(root))
    assert made[1] < 2 * made[0]


def test_scripts_whose_names_differ_only_in_case_are_refused_with_both_names(tmp_path: Path) -> None:
    skill = "---\nname: beep\ndescription: Beeps.\n---\n\nRun `scripts/a.sh`, then `scripts/A.sh`.\n"
    put(tmp_path / "beep", {"SKILL.md": skill, "scripts/a.sh": "echo 1\n", "scripts/A.sh": "echo 2\n"})
    conversion = open_conversion(tmp_path / "beep", as_of=AS_OF, generated_at=STAMP)
    with pytest.raises(OutputRefused, match=r"differ only in case.*scripts/A\.sh.*scripts/a\.sh"):
        _ = conversion.lints


@pytest.mark.parametrize("depth", [150, 900, 9_000])
def test_a_body_of_a_request_that_is_nested_without_end_converts(depth: int, tmp_path: Path) -> None:
    command = f"curl -X POST https://x.example/a -d '{{\"a\":{'[' * depth}{']' * depth}}}'"
    put(
        tmp_path / "w",
        {
            "SOUL.md": "# SOUL.md\n\nBe calm.\n",
            "TOOLS.md": f"# T\n\n## Post\n\nPost it with:\n\n```bash\n{command}\n```\n",
        },
    )
    assert open_conversion(tmp_path / "w", as_of=AS_OF, generated_at=STAMP).lints.passed
