"""A dialect of another distribution may read files around the root, within the repository and no farther."""

from pathlib import Path

from melleafy_tui.core.dialects.generic.dialect import GenericDialect
from melleafy_tui.core.dialects.plugins import PluginDialect
from melleafy_tui.core.dialects.registry import Dialects
from melleafy_tui.core.source.outer_files import OuterFiles
from melleafy_tui.core.source.snapshot_reader import read_snapshot
from tests.dialects.toys import CousinDialect
from tests.rows import every_row


class LookingAround(CousinDialect):
    """A toy that asks for a file of the folders above."""

    outer_files = OuterFiles(("ABOVE.md", "/etc/hostname"))


class Faulty(CousinDialect):
    """A toy that fails when it is asked."""

    @property
    def outer_files(self) -> OuterFiles:
        raise ValueError("no")


@every_row(
    ("dialect", "read"),
    [(LookingAround(), ["../ABOVE.md"]), (CousinDialect(), []), (Faulty(), [])],
)
def test_files_above_are_read_within_the_repository(
    tmp_path: Path, dialect: CousinDialect, read: list[str]
) -> None:
    root = tmp_path / "repository" / "agent"
    root.mkdir(parents=True)
    (root.parent / ".git").mkdir()
    (root / "notes.md").write_text("- Be brief.\n")
    for folder in (tmp_path, root.parent):
        (folder / "ABOVE.md").write_text("- Be kind.\n")
    generic = GenericDialect()
    dialects = Dialects([PluginDialect(dialect, "toys", generic)], generic)
    snapshot = read_snapshot(root, wants=dialects.wants, outer_files=dialects.outer_files)
    assert [file.path for file in snapshot.files if file.path.startswith("..")] == read
