"""Small emissions with records, and an output folder, for the tests of writing."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from melleafy_tui.core.models.file_set import EmittedFile, FileSet
from melleafy_tui.core.models.reports import LintReport
from melleafy_tui.core.output.emitted import with_reports

MANIFEST = '{"melleafy_tui_version": "0", "stamp": "%s"}\n'

Emission = Callable[..., FileSet]


def make_emission(texts: Mapping[str, str | bytes], *, package: str = "agent", stamp: str = "1") -> FileSet:
    files = {f"{package}/melleafy.json": MANIFEST % stamp, **texts}
    emitted = (
        EmittedFile(path, text.encode() if isinstance(text, str) else text)
        for path, text in sorted(files.items())
    )
    return with_reports(FileSet(tuple(emitted), package), LintReport(results=()))


@pytest.fixture
def emission() -> Emission:
    return make_emission


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "agent_mellea"


@pytest.fixture
def tree() -> Callable[[Path], dict[str, bytes]]:
    def read(folder: Path) -> dict[str, bytes]:
        if not folder.is_dir():
            return {}
        return {
            str(path.relative_to(folder)): path.read_bytes()
            for path in sorted(folder.rglob("*"))
            if path.is_file() and not path.is_symlink()
        }

    return read
