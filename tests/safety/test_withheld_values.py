"""A value that reads as a secret only in an emitted file is masked in the source, and the package is rendered again."""

import json
from datetime import date
from pathlib import Path

import pytest

from melleafy_tui.cli.recap import recap_of
from melleafy_tui.core.lint import secrets as lint
from melleafy_tui.core.source.secrets.detector import find_secrets
from melleafy_tui.core.source.secrets.spans import SecretSpan
from melleafy_tui.engine import open_conversion
from tests.safety.hostile_workspaces import put

WORD = "heron-loft"


def found_by_lints(text: str, **options: object) -> tuple[SecretSpan, ...]:
    """Return the secrets of a text, and each place of a word that only the lints take for one."""
    found = list(find_secrets(text, **options))  # type: ignore[arg-type]
    start = text.find(WORD)
    while start >= 0:
        found.append(SecretSpan(start, start + len(WORD), "password", "LOFT"))
        start = text.find(WORD, start + 1)
    return tuple(sorted(found, key=lambda span: span.start))


def test_what_only_the_lints_find_is_masked_in_the_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Emitted text was edited before: a word of ours could be hit, and a report said something else than the code."""
    put(
        tmp_path / "w",
        {
            "SOUL.md": "# Soul\n\n- Be calm.\n- Call the attic heron-loft and nothing else.\n",
            "AGENTS.md": "# Agents\n\n- Answer in one line.\n",
        },
    )
    monkeypatch.setattr(lint, "find_secrets", found_by_lints)
    conversion = open_conversion(tmp_path / "w", as_of=date(2026, 11, 1), generated_at="2026-11-01T09:00:00Z")
    assert any(WORD.encode() in file.data for file in conversion.rendered.files)
    assert conversion.lints.findings == ()
    assert conversion.late_masks == ("SOUL.md:1-4",) == recap_of(conversion).late_masks
    files = {file.path.rpartition("/")[2]: file.text for file in conversion.files.files if not file.static}
    assert [path for path, text in files.items() if WORD in text] == []
    assert "${LOFT}" in files["config.py"]
    assert json.loads(files["melleafy.json"])["package_name"] == "w_mellea"
