"""What comes after the limit on a file's lines stays: as pieces of text, each line in one element, with a finding."""

from datetime import date
from pathlib import Path

from melleafy_tui.core.decisions.commands import SetDisposition
from melleafy_tui.core.decisions.rebase import DecisionState
from melleafy_tui.core.lazy_regex import LONGEST_LINE
from melleafy_tui.core.models.inventory import REST_OF_FILE, Element
from melleafy_tui.core.models.vocabulary import Category, Disposition, Severity, Shape, Tag
from melleafy_tui.core.pipeline.conversion import Conversion
from melleafy_tui.core.source.limits import LINES_READ, REST_PIECE
from melleafy_tui.engine import open_conversion

AS_OF, STAMP = date(2026, 11, 1), "2026-11-01T09:00:00Z"
SOUL = {"SOUL.md": "# Soul\n\nWarm.\n", "IDENTITY.md": "- **Name:** Loam\n"}


def fenced(lines: int) -> str:
    """Return a fence of so many lines, which is one element and cheap to read."""
    return "\n".join(("```text", *("rope" for _ in range(lines - 2)), "```\n"))


def opened(folder: Path, files: dict[str, str]) -> Conversion:
    folder.mkdir(exist_ok=True)
    for path, text in files.items():
        (folder / path).write_text(text, encoding="utf-8")
    return open_conversion(folder, as_of=AS_OF, generated_at=STAMP)


def rest_of(conversion: Conversion) -> list[Element]:
    return [element for element in conversion.inventory.elements if element.rationale == REST_OF_FILE]


REST = "".join(f"- Dry rope number {number}.\n" for number in range(2_000))
TEXTS = {
    "a list goes on": ("AGENTS.md", f"- Never lie.\n{fenced(LINES_READ - 2)}- Be kind.\n{REST}", LINES_READ + 1),
    "blank lines don't count": ("AGENTS.md", f"- Never lie.\n{chr(10) * 40}{fenced(LINES_READ - 1)}{REST}", LINES_READ + 41),
    "a fence stays whole": ("AGENTS.md", f"- Never lie.\n{fenced(LINES_READ - 9)}\n{fenced(40)}{REST}", LINES_READ - 6),
    "a whole file in one fence": ("AGENTS.md", f"- Never lie.\n{fenced(2 * LINES_READ)}", 2),
    "memory": ("MEMORY.md", f"# Ropes\n\n{'Dry.' + chr(10)}{fenced(LINES_READ - 2)}{REST}", LINES_READ + 2),
    "facts": ("USER.md", f"- Likes ropes.\n{fenced(LINES_READ - 1)}{REST}", LINES_READ + 1),
}  # fmt: skip
CATEGORIES = {"AGENTS.md": Category.C2, "MEMORY.md": Category.C5, "USER.md": Category.C3}


def test_each_line_is_in_one_element_and_the_finding_says_which_were_not_read(tmp_path: Path) -> None:
    wrong = {}
    for name, (path, text, first) in TEXTS.items():
        inventory = opened(tmp_path / name, {**SOUL, path: text}).inventory
        own = [element for element in inventory.elements if element.source_file == path]
        rest = [element for element in own if element.rationale == REST_OF_FILE]
        lines = text.splitlines()
        taken = [
            number
            for each in own
            for number in range(each.line_range[0], each.line_range[1] + 1)
            if lines[number - 1]
        ]
        found = [
            (each.file, each.lines, each.severity)
            for each in inventory.diagnostics
            if each.code == "file-long"
        ]
        seen = (
            taken == [number for number, line in enumerate(lines, 1) if line],
            rest[0].line_range[0],
            found,
            {each.category for each in rest},
            "\n".join(each.content_full for each in rest) == "\n".join(lines[first - 1 :]),
            all(len(each.statement) < 3 * REST_PIECE for each in rest),
        )  # fmt: skip
        expected = (
            True,
            first,
            [(path, f"{first}-{len(lines)}", Severity.WARNING)],
            {CATEGORIES[path]},
            True,
            True,
        )
        if seen != expected:
            wrong[name] = seen
    assert wrong == {}


def test_a_file_at_the_limit_is_read_whole(tmp_path: Path) -> None:
    text = f"- Never lie.\n\n{fenced(LINES_READ - 2)}- Be kind.\n\n"
    conversion = opened(tmp_path / "w", {**SOUL, "AGENTS.md": text})
    assert rest_of(conversion) == []
    assert not any(found.code == "file-long" for found in conversion.inventory.diagnostics)


def test_the_rest_reaches_the_prompt_with_its_secrets_masked(tmp_path: Path) -> None:
    text = f"- Never lie.\n{fenced(LINES_READ - 1)}{REST}- Log in with the password Heron77!x.\n"
    conversion = opened(tmp_path / "w", {**SOUL, "AGENTS.md": text})
    assert {element.tag for element in rest_of(conversion)} == {Tag.CONFIG}
    assert conversion.lints.passed
    emitted = {file.path.rpartition("/")[2]: file.data.decode() for file in conversion.files.files}
    assert "Dry rope number 1999." in emitted["requirements.py"]
    assert not any("Heron77" in text for text in emitted.values())


def test_a_decision_on_a_piece_survives_an_edit_above_it(tmp_path: Path) -> None:
    rest = "".join(f"## Rope {number}\n\n{'Dry it well. ' * 150}\n\n" for number in range(30))
    text = f"- Never lie.\n{fenced(LINES_READ - 1)}{rest}"
    folder = tmp_path / "w"
    conversion = opened(folder, {**SOUL, "AGENTS.md": text})
    piece = rest_of(conversion)[2]
    entry = next(entry for entry in conversion.plan.entries if piece.element_id in entry.source_elements)
    conversion.act(SetDisposition((entry.key,), Disposition.REMOVE))
    edited = opened(folder, {**SOUL, "AGENTS.md": f"- Be kind.\n{text}"})
    (state,) = conversion.reread(edited.snapshot)
    assert (state.state, state.key) == (DecisionState.APPLIED, entry.key)


def test_lines_after_the_limit_say_nothing_about_the_shape(tmp_path: Path) -> None:
    steps = "1. Dry the rope.\n2. Coil it.\n3. Hang it up.\n"
    shapes = [
        opened(tmp_path / name, {**SOUL, "AGENTS.md": text}).classification.shape
        for name, text in {
            "before": f"{steps}{fenced(LINES_READ)}",
            "after": f"- Never lie.\n{fenced(LINES_READ)}{steps}",
        }.items()
    ]
    assert shapes == [Shape.SEQUENTIAL, Shape.ONE_SHOT]


def test_a_long_line_is_one_element_with_a_finding_and_its_secrets_masked(tmp_path: Path) -> None:
    words = "dry rope " * (LONGEST_LINE // 9)
    line = f"Coil it. {words} the password is Heron77!x and {words}"
    conversion = opened(tmp_path / "w", {**SOUL, "AGENTS.md": f"- Never lie.\n\n{line}\n\n- Be kind.\n"})
    assert [
        (found.lines, found.severity)
        for found in conversion.inventory.diagnostics
        if found.code == "line-long"
    ] == [("3", Severity.WARNING)]
    own = [element for element in conversion.inventory.elements if element.source_file == "AGENTS.md"]
    assert [element.line_range for element in own] == [(1, 1), (3, 3), (5, 5), (3, 3)], (
        "the last is the credential"
    )
    assert conversion.lints.passed
    assert not any("Heron77" in file.data.decode() for file in conversion.files.files)


def test_a_line_at_the_limit_has_no_finding(tmp_path: Path) -> None:
    conversion = opened(
        tmp_path / "w", {**SOUL, "AGENTS.md": f"{'a ' * (LONGEST_LINE // 2)}\n\n- Be kind.\n"}
    )
    assert not any(found.code == "line-long" for found in conversion.inventory.diagnostics)
