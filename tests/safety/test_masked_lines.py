"""A line that orders something and holds a secret keeps its order: masked in its place, beside the credential."""

from pathlib import Path
from typing import Final

from melleafy_tui.core.decisions.commands import SetDisposition
from melleafy_tui.core.models.vocabulary import Category, Disposition, EntryKind
from melleafy_tui.core.pipeline.conversion import Conversion
from melleafy_tui.engine import open_conversion
from tests.ui.conftest import AS_OF, STAMP

SECRET: Final = "Tr0ub4dor-77x"
LINES: Final = {
    "HEARTBEAT.md": (
        f"- Log in to the till with ana@example.test, password: {SECRET}, and check the drawer",
        "config.py",
        "check the drawer",
    ),
    "AGENTS.md": (
        f"- Before each order, unlock the shelf (password: {SECRET}) and count the loaves",
        "requirements.py",
        "count the loaves",
    ),
    "USER.md": (f"- Rui bakes at night; his password: {SECRET}, and he likes rye", "config.py", "likes rye"),
    "TOOLS.md": (
        f"- Oven camera: rtsp in the back room, password: {SECRET}, faces the door",
        "config.py",
        "faces the door",
    ),
}
"""By file: a line with a secret, the file that carries its other words, and the last of them."""


def _workspace(folder: Path) -> Path:
    folder.mkdir()
    (folder / "SOUL.md").write_text("# Soul\n\nYou are calm.\n")
    for name, (line, _, _) in LINES.items():
        (folder / name).write_text(f"# Notes\n\n- Sweep the floor first\n{line}\n- Close the window last\n")
    return folder


def _opened(folder: Path) -> Conversion:
    return open_conversion(_workspace(folder), as_of=AS_OF, generated_at=STAMP)


def _texts(conversion: Conversion) -> dict[str, str]:
    return {file.path.rpartition("/")[2]: file.text for file in conversion.files.files}


def _missing(texts: dict[str, str]) -> list[str]:
    return [name for name, (_, file, words) in LINES.items() if words not in texts[file]]


def test_the_words_around_a_secret_reach_the_model_masked(tmp_path: Path) -> None:
    conversion = _opened(tmp_path / "bakery")
    elements = conversion.inventory.elements
    credentials = [element.source_file for element in elements if element.category is Category.C7]
    assert sorted(credentials) == sorted(LINES)
    texts = _texts(conversion)
    assert _missing(texts) == []
    assert [path for path, text in texts.items() if SECRET in text] == []
    assert conversion.lints.passed


def test_a_removed_credential_takes_its_line_along(tmp_path: Path) -> None:
    conversion = _opened(tmp_path / "bakery")
    keys = tuple(entry.key for entry in conversion.plan.entries if entry.kind is EntryKind.CREDENTIAL)
    conversion.act(SetDisposition(keys, Disposition.REMOVE))
    assert _missing(_texts(conversion)) == list(LINES)


def test_every_secret_of_a_text_has_its_variable(tmp_path: Path) -> None:
    (tmp_path / "SOUL.md").write_text("# Soul\n\nYou are calm.\n")
    keys = (
        "  - Oven API Key: ov-q8ZrT2mLx0VbN5cYw7KdHf3A\n  - Till Secret: Jk29xQw7LmZt4RbVn8YcPd5sHf1gAe6u\n"
    )
    (tmp_path / "TOOLS.md").write_text(f"# Tools\n\n```\nkeys of the shop:\n{keys}```\n")
    files = open_conversion(tmp_path, as_of=AS_OF, generated_at=STAMP).rendered
    example = files.by_path[".env.example"].text
    config = files.by_path[f"{files.package_name}/config.py"].text
    for name in ("OVEN_API_KEY", "TILL_SECRET"):
        assert f"\n{name}=" in example
        assert f'"{name}"' in config
