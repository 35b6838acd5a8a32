"""What belongs to OpenClaw alone is named in no package of another runtime, unless the source names it itself."""

import re
from pathlib import Path

import pytest

from melleafy_tui.core.models.vocabulary import Runtime
from melleafy_tui.generators.static_modules import STATIC_MODULES
from tests.conftest import PROJECT
from tests.converted import conversion_of, repository_of
from tests.dialects.agent_skills.goldens import SHOWN as SHOWN_SKILL
from tests.dialects.claude_code.goldens import WORKSPACES as CLAUDE
from tests.rows import every_row

DIALECTS = PROJECT / "tests" / "dialects"
OF_OPENCLAW = re.compile(
    r"openclaw|heartbeat|\b(?:SOUL|IDENTITY|USER|TOOLS|BOOTSTRAP|DREAMS)\.md|\bSOUL\b", re.IGNORECASE
)
SHOWN = (".md", ".py", ".toml", ".yaml", ".example")
"""What a reader of the package opens; JSON has the vocabulary of every runtime as keys."""

WAKE_UP = re.compile(r"""(--message |["'])"?heartbeat"?(?=["' :,;`)]|$)""")
"""The message that wakes a package of any runtime that has a schedule, as a literal."""

FOLDERS = (
    *(
        folder
        for kind in ("agent_skills", "claude_code", "generic", "hybrid")
        for folder in sorted((DIALECTS / kind / "workspaces").iterdir())
        if folder.is_dir() and "openclaw" not in folder.name
    ),
    SHOWN_SKILL,
)


@pytest.mark.slow
@every_row("folder", FOLDERS)
def test_no_package_of_another_runtime_speaks_of_openclaw(folder: Path) -> None:
    conversion = conversion_of(repository_of(folder) if folder.parent == CLAUDE else folder)
    assert Runtime.OPENCLAW.value not in conversion.classification.dialect_runtimes
    source = "\n".join(file.text or "" for file in conversion.snapshot.files)
    found = {
        (file.path, word)
        for file in conversion.files.files
        if file.path.endswith(SHOWN)
        and file.path.partition("/")[2] not in STATIC_MODULES  # the same bytes in packages of every runtime
        for line in file.text.splitlines()
        if not line.startswith("| OpenClaw |")  # a score of the classification
        for word in OF_OPENCLAW.findall(WAKE_UP.sub("", line))
        if word.casefold() not in source.casefold()
    }
    assert found == set()


def test_there_is_one_of_each_kind() -> None:
    assert {folder.parent.parent.name for folder in FOLDERS if folder != SHOWN_SKILL} == {
        "agent_skills", "claude_code", "generic", "hybrid",
    }  # fmt: skip
    assert len(FOLDERS) > 20
