"""A release is one version everywhere, with dated notes that the release workflow can cut from the changelog."""

import re
import runpy
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from melleafy_tui.version import __version__

PROJECT = Path(__file__).resolve().parents[2]
SCRIPT = PROJECT / "scripts" / "release_notes.py"
CHANGELOG = (PROJECT / "CHANGELOG.md").read_text(encoding="utf-8")
TEXT = "# Changelog\n\n## [Unreleased]\n\n## [1.1.0] - 2026-02-03\n\n### Added\n\n- One.\n\n## [1.0.0] - 2026-01-02\n\n- Two.\n"
cut: Callable[[str, str, str], str] = runpy.run_path(str(SCRIPT))["release_notes"]


def run(tag: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(SCRIPT), tag],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_the_script_prints_the_notes_of_this_version() -> None:
    done = run(f"v{__version__}")
    assert done.returncode == 0, done.stderr
    assert "### Added\n\n- " in done.stdout
    assert "\n## " not in done.stdout
    assert done.stdout.strip() in CHANGELOG


def test_the_script_refuses_another_tag() -> None:
    done = run("v99.0.0")
    assert done.returncode == 1
    assert done.stdout == ""
    assert (
        done.stderr == f"error: tag v99.0.0 doesn't match version {__version__} in melleafy_tui/version.py\n"
    )


def test_notes_end_where_the_next_section_starts() -> None:
    assert cut("v1.1.0", "1.1.0", TEXT) == "### Added\n\n- One.\n"
    assert cut("v1.0.0", "1.0.0", TEXT) == "- Two.\n"


@pytest.mark.parametrize(
    ("version", "changelog", "reason"),
    [
        ("1.2.0", TEXT, "no heading"),
        ("1.1.0", TEXT.replace(" - 2026-02-03", ""), "no heading"),
        ("1.1.0", TEXT.replace("- One.\n", ""), "no entries"),
    ],
)
def test_a_changelog_without_dated_notes_is_refused(version: str, changelog: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        cut(f"v{version}", version, changelog)


def test_every_file_names_the_same_version() -> None:
    citation = yaml.safe_load((PROJECT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["version"] == __version__
    assert f"## [{__version__}] - {citation['date-released']}\n" in CHANGELOG
    hooks = [
        revision
        for path in sorted((PROJECT / "docs").rglob("*.md"))
        for revision in re.findall(
            r"melleafy-tui\n\s*rev: (\S+)", path.read_text(encoding="utf-8"), re.MULTILINE
        )
    ]
    assert hooks
    assert set(hooks) == {f"v{__version__}"}


def test_every_changelog_entry_is_one_sentence() -> None:
    entries = re.findall(r"^- (.*(?:\n  .*)*)", CHANGELOG, re.MULTILINE)
    assert entries
    prose = [re.sub(r"`[^`]*`", "code", entry) for entry in entries]
    assert [entry for entry in prose if len(re.findall(r"[.!?](?=\s|$)", entry)) > 1] == []
