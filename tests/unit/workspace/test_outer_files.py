"""What is read outside the root: named files up to the repository's root, and imports; nothing beyond (safety 5)."""

from pathlib import Path

import pytest

from melleafy_tui.core.dialects.registry import Dialects
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.source.outer_files import import_path, repository_of
from melleafy_tui.core.source.snapshot_reader import read_snapshot

Tree = dict[str, str]


def build(base: Path, tree: Tree) -> Path:
    for path, content in tree.items():
        target = base / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(content, encoding="utf-8")
    return base


def read(root: Path, home: Path | None = None) -> Snapshot:
    dialects = Dialects.default()
    return read_snapshot(root, wants=dialects.wants, home=home, outer_files=dialects.outer_files)


def paths(snapshot: Snapshot) -> list[str]:
    return [file.path for file in snapshot.files]


def codes(snapshot: Snapshot) -> list[tuple[str, str]]:
    return [(finding.code, finding.file) for finding in snapshot.diagnostics]


def test_named_files_up_to_the_repository_and_none_beyond(tmp_path: Path) -> None:
    build(
        tmp_path,
        {
            "CLAUDE.md": "outside",
            ".claude/settings.json": "{}",
            "repo/.git/HEAD": "x",
            "repo/CLAUDE.md": "top",
            "repo/.claude/settings.json": "{}",
            "repo/.claude/settings.local.json": "{}",
            "repo/.mcp.json": "{}",
            "repo/other.md": "o",
            "repo/a/.claude/CLAUDE.md": "a",
            "repo/a/b/CLAUDE.md": "b",
        },
    )
    assert paths(read(tmp_path / "repo/a/b")) == [
        "../../.claude/settings.json",
        "../../.claude/settings.local.json",
        "../../.mcp.json",
        "../../CLAUDE.md",
        "../.claude/CLAUDE.md",
        "CLAUDE.md",
    ]


def test_without_a_repository_nothing_above_is_read(tmp_path: Path) -> None:
    build(tmp_path, {"CLAUDE.md": "above", "a/CLAUDE.md": "@../CLAUDE.md"})
    snapshot = read(tmp_path / "a")
    assert paths(snapshot) == ["CLAUDE.md"]
    assert ("import-outside", "CLAUDE.md (@../CLAUDE.md)") in codes(snapshot)


def test_the_home_folder_ends_the_way_up(tmp_path: Path) -> None:
    build(
        tmp_path, {".git/HEAD": "x", ".claude/settings.json": "{}", "CLAUDE.md": "home", "a/CLAUDE.md": "a"}
    )
    assert paths(read(tmp_path / "a", home=tmp_path)) == ["CLAUDE.md"]
    assert repository_of(tmp_path / "a", tmp_path) is None


def test_a_link_out_of_the_repository_is_not_followed(tmp_path: Path) -> None:
    build(tmp_path, {"outside.md": "secret", "repo/.git/HEAD": "x", "repo/a/CLAUDE.md": "@../linked.md\n"})
    (tmp_path / "repo/CLAUDE.md").symlink_to(tmp_path / "outside.md")
    (tmp_path / "repo/linked.md").symlink_to(tmp_path / "outside.md")
    snapshot = read(tmp_path / "repo/a")
    assert paths(snapshot) == ["CLAUDE.md"]
    assert ("link-outside", "../CLAUDE.md") in codes(snapshot)
    assert ("import-outside", "CLAUDE.md (@../linked.md)") in codes(snapshot)


@pytest.mark.parametrize(
    "reference", ["~/notes.md", "/etc/hosts.md", "../../../x.md", "C:/x.md", "../../outside.md"]
)
def test_an_import_never_leaves_the_repository(tmp_path: Path, reference: str) -> None:
    build(tmp_path, {"outside.md": "o", "repo/.git/HEAD": "x", "repo/a/CLAUDE.md": f"- See @{reference}\n"})
    snapshot = read(tmp_path / "repo/a")
    assert paths(snapshot) == ["CLAUDE.md"]
    assert ("import-outside", f"CLAUDE.md (@{reference})") in codes(snapshot)


def test_credentials_and_one_users_notes_are_never_opened(tmp_path: Path) -> None:
    build(
        tmp_path,
        {
            ".git/HEAD": "x",
            "CLAUDE.md": "@credentials/key.md\n@CLAUDE.local.md\n",
            "credentials/key.md": "k",
            "CLAUDE.local.md": "mine",
            ".claude/.credentials.json": "{}",
        },
    )
    snapshot = read(tmp_path)
    assert paths(snapshot) == ["CLAUDE.md"]
    assert "CLAUDE.local.md" in snapshot.names
    assert [code for code, _ in codes(snapshot)].count("link-private") == 2


def test_imports_are_followed_five_hops_and_end(tmp_path: Path) -> None:
    chain = {f"{number}.md": f"@{number + 1}.md\n" for number in range(8)}
    build(tmp_path, {".git/HEAD": "x", "docs/x": "", "CLAUDE.md": "@deep/0.md\n"})
    build(tmp_path / "deep", chain)
    read_ones = [path for path in paths(read(tmp_path)) if path.startswith("deep/")]
    # The generic dialect opens Markdown one folder down, so the bound shows two folders down.
    build(tmp_path, {"CLAUDE.md": "@one/two/0.md\n"})
    build(tmp_path / "one/two", chain)
    assert read_ones
    assert [path for path in paths(read(tmp_path)) if path.startswith("one/")] == [
        f"one/two/{number}.md" for number in range(5)
    ]


def test_import_paths_are_relative_to_their_file() -> None:
    assert import_path("../CLAUDE.md", "docs/a.md") == "../docs/a.md"
    assert import_path("docs/a.md", "../b.md") == "b.md"
    assert import_path("a.md", "~/b.md") == ""
