"""The record of emitted texts gives each of them back whole, and holds a line for each."""

import json

import pytest

from melleafy_tui.core.models.file_set import EmittedFile, FileSet
from melleafy_tui.core.models.reports import LintReport
from melleafy_tui.core.output.emitted import EMITTED_TEXTS_NAME, with_reports


@pytest.mark.parametrize("size", [0, 1, 1 << 16, (1 << 16) + 1, 200_000])
def test_a_long_text_comes_back_as_it_was(size: int) -> None:
    texts = {
        "desk/a.md": "\U0001f41f" * size,
        "desk/b.md": 'é "quoted"\n\\' * (size // 9),
        "pyproject.toml": "x",
    }
    files = (EmittedFile(path, text.encode()) for path, text in texts.items())
    recorded = with_reports(FileSet(tuple(files), "desk"), LintReport(results=())).by_path[
        f"desk/{EMITTED_TEXTS_NAME}"
    ]
    lines = [f"  {json.dumps(path)}: {json.dumps(text)}" for path, text in texts.items()]
    assert recorded.data == ("{\n" + ",\n".join(lines) + "\n}\n").encode()


def test_without_texts_there_is_an_empty_record() -> None:
    recorded = with_reports(FileSet((), "desk"), LintReport(results=())).by_path[f"desk/{EMITTED_TEXTS_NAME}"]
    assert json.loads(recorded.data) == {}
