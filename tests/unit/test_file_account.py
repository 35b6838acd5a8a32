"""Every file below a source is read, carried, or named with a reason, and the counts add up to the disk."""

import os
from pathlib import Path
from typing import Final

import pytest

from melleafy_tui.core.package.carried_files import carried_files
from melleafy_tui.core.package.file_account import REASONS, FileAccount
from melleafy_tui.core.pipeline.conversion import Conversion
from tests.conftest import PROJECT
from tests.converted import conversion_of

SOURCES: Final = sorted(
    folder
    for folder in (*(PROJECT / "examples").iterdir(), *(PROJECT / "tests/dialects").glob("*/workspaces/*"))
    if folder.is_dir()
)
SKILL: Final = "---\nname: pots\ndescription: Packs pots.\n---\n\nRun `python3 scripts/pack.py`.\n"


def on_disk(root: Path, account: FileAccount) -> list[str]:
    """Return the files below a folder, without those in the folders that the account names as one line."""
    left = tuple(tree.path for tree in account.trees)
    found = []
    for folder, below, names in os.walk(root):
        names += [name for name in below if Path(folder, name).is_symlink()]
        above = Path(folder).relative_to(root).as_posix()
        paths = (name if above == "." else f"{above}/{name}" for name in names)
        found += [path for path in paths if not path.startswith(left)]
    return found


def counted(conversion: Conversion, root: Path) -> FileAccount:
    account = conversion.account
    listed = [*account.read, *account.carried, *(each.path for each in account.named)]
    assert len(listed) == len(set(listed)) == account.total
    assert sorted(listed) == sorted(on_disk(root, account))
    assert {each.reason for each in (*account.named, *account.trees)} <= REASONS.keys()
    assert sum(row.count for row in account.rows()) == len(account.named) + len(account.trees)
    return account


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: f"{path.parent.parent.name}-{path.name}")
def test_every_file_is_read_carried_or_named(source: Path) -> None:
    conversion = conversion_of(source)
    account = counted(conversion, source)
    folder = f"{conversion.committed.package_name}/"
    carried = [path for _, path in carried_files(conversion.committed)]
    assert [path for path in carried if conversion.rendered.file(folder + path) is None] == []
    report = conversion.rendered.file(f"{folder}mapping_report.md")
    assert report is not None
    assert account.words in report.text


def test_a_skill_travels_whole_byte_for_byte(tmp_path: Path) -> None:
    files = {
        "SKILL.md": SKILL.encode(),
        "scripts/pack.py": b"from lib.boxes import count\nprint(count())\n",
        "scripts/lib/__init__.py": b"",
        "scripts/lib/boxes.py": b"def count() -> int:\n    return 3\n",
        "assets/a/b/c/label.bin": b"\x00\xff\r\n",
        "Config/rates.txt": b"one\r\ntwo",
        "README.md": b"For people.\n",
        "LICENSE.txt": b"Free.\n",
        "a b (1).txt": b"x",
        ".hidden/note.txt": b"y",
        "tools/x.py": b"z = 1\n",
    }
    kept = {**files, "node_modules/x/index.js": b"", ".env": b"TOKEN=1\n"}
    for path, data in kept.items():
        (tmp_path / "pots" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "pots" / path).write_bytes(data)
    (tmp_path / "pots" / "link.txt").symlink_to("README.md")
    conversion = conversion_of(tmp_path / "pots")
    account = counted(conversion, tmp_path / "pots")
    emitted = {path.partition("/")[2]: file.data for path, file in conversion.files.by_path.items()}
    moved = {"Config/rates.txt", "README.md", "tools/x.py"}
    for path, data in files.items():
        if path != "SKILL.md":
            assert emitted[f"source/{path}" if path in moved else path] == data
    reasons = {each.path: each.reason for each in (*account.named, *account.trees)}
    assert reasons == {
        ".env": "environment",
        "link.txt": "link",
        "node_modules/": "installed libraries",
    }
    assert conversion.lints.passed


def test_links_in_linked_folders_count_once(tmp_path: Path) -> None:
    (tmp_path / "pots" / "a" / "b").mkdir(parents=True)
    (tmp_path / "pots" / "SKILL.md").write_text(SKILL, encoding="utf-8")
    (tmp_path / "pots" / "a" / "c.md").write_text("x\n", encoding="utf-8")
    (tmp_path / "pots" / "a" / "b" / "back").symlink_to("../c.md")
    (tmp_path / "pots" / "link").symlink_to("a")
    account = counted(conversion_of(tmp_path / "pots"), tmp_path / "pots")
    assert sorted(each.path for each in account.named) == ["a/b/back", "link"]


def reasons_of(root: Path, files: dict[str, str]) -> dict[str, str]:
    """Return the reason for each file of a workspace that is only named."""
    for name, text in {"SOUL.md": "# SOUL.md\n\nCalm.\n", **files}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return {each.path: each.reason for each in counted(conversion_of(root), root).named}


def test_skills_are_read_where_openclaw_finds_them(tmp_path: Path) -> None:
    def skill(name: str, more: str = "") -> str:
        return f"---\nname: {name}\ndescription: Knows the {name}.\n---\n\nLook at the {name}{more}.\n"

    named = reasons_of(
        tmp_path,
        {
            "skills/SKILL.md": skill("harbour master"),
            "skills/tide/SKILL.md": skill("tide"),
            "skills/tide/drafts/SKILL.md": skill("draft"),
            "skills/harbour/cranes/SKILL.md": skill("cranes"),
            ".agents/skills/wind/SKILL.md": skill("wind"),
            ".agents/skills/tide/SKILL.md": skill("tide", " again"),
            "other/skills/moon/SKILL.md": skill("moon"),
        },
    )
    assert named == {
        "skills/tide/drafts/SKILL.md": "source",
        ".agents/skills/tide/SKILL.md": "source",
        "other/skills/moon/SKILL.md": "source",
    }


def test_a_copy_of_what_is_read_counts_once(tmp_path: Path) -> None:
    rules = "# Rules\n\n- Read `docs/RULES.md` and `docs/piers.md` first.\n"
    files = {"AGENTS.md": rules, "docs/RULES.md": rules, "docs/piers.md": "Two piers.\n"}
    assert reasons_of(tmp_path, files) == {"docs/RULES.md": "copy"}
    references = [file.path for file in conversion_of(tmp_path).files.files if "references/" in file.path]
    assert [path.rpartition("/")[2] for path in references] == ["piers.md"]
