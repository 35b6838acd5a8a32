"""The exit status is that of the work, and an error gives its true reason."""

import errno
import io
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from melleafy_tui.cli.main import main
from melleafy_tui.core.models.reports import LintFinding, LintReport, LintResult

AS_OF = ("--as-of", "2026-11-01")


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "helper"
    folder.mkdir()
    (folder / "SOUL.md").write_text("# Soul\n\nWarm.\n", encoding="utf-8")
    (folder / "AGENTS.md").write_text("# Rules\n\n- Never guess\n", encoding="utf-8")
    return folder


@pytest.fixture
def closed_pipe(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Make standard output a pipe whose reader has gone, as after `… | head -c 0`."""
    read, write = os.pipe()
    os.close(read)
    stream = os.fdopen(write, "w", buffering=1)
    monkeypatch.setattr(sys, "stdout", stream)
    yield
    with suppress(OSError):
        stream.close()


def test_a_closed_pipe_changes_no_exit_status(
    workspace: Path, closed_pipe: None, capsys: pytest.CaptureFixture[str]
) -> None:
    out = workspace.parent / "out"
    missing = workspace.parent / "missing"
    codes = [
        main([str(word) for word in words])
        for words in (
            ("detect", workspace),
            ("detect", workspace, "--json"),
            (workspace, "--dependencies=auto", "--out", out, *AS_OF),
            ("check", workspace, "--out", out, "--as-of", "2026-11-02"),
            ("lint", missing),
            ("detect", missing, "--json"),
        )
    ]
    (out / "helper_mellea" / "pipeline.py").write_text("raise RuntimeError\n", encoding="utf-8")
    codes += [main(["lint", str(out)])]
    assert codes == [0, 0, 0, 15, 2, 2, 11]
    assert (out / "helper_mellea" / "melleafy.json").is_file()


def test_an_output_that_takes_no_files_is_named_with_its_reason(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    device = workspace.parent / "full"
    os.mknod(device, 0o600 | 0o020000, os.makedev(1, 7))
    (workspace.parent / "note.md").write_text("x", encoding="utf-8")
    for out, reason in (
        ("/proc/foo", "no files can be created in /proc"),
        (device, "is not a folder"),
        (device / "x", f"{device} is not a folder"),
        (workspace.parent / "note.md" / "x", "note.md is not a folder"),
    ):
        assert main([str(workspace), "--dependencies=auto", "--out", str(out), *AS_OF]) == 2, out
        said = capsys.readouterr().err
        assert reason in said, said
        assert "report" not in said
        assert "Another run" not in said
    assert main(["plan", str(workspace), "--save", str(device)]) == 2
    assert "not a regular file" in capsys.readouterr().err
    assert device.is_char_device()


def test_a_link_that_leads_to_itself_is_named(workspace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    loop = workspace.parent / "loop"
    loop.symlink_to("loop")
    for words in (
        (loop, "--dependencies=auto"),
        (workspace, "--dependencies=auto", "--out", loop),
        (workspace, "--dependencies=auto", "--out", loop / "x"),
        ("check", workspace, "--out", loop),
        ("explain", loop, "SOUL.md"),
        ("diff", loop, workspace),
        ("lint", loop),
        ("smoke", loop),
        ("convert", "--all", loop),
        ("export", loop, workspace.parent / "x", "--host=openclaw"),
    ):
        code, said = main([str(word) for word in words]), capsys.readouterr().err
        assert (code, "loop" in said, "bug" in said) == (2, True, False), (words, said)


@pytest.mark.parametrize("closed", ["stdin", "stdout", "stderr"])
def test_a_closed_stream_changes_no_exit_status(
    closed: str, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for words, code in (
        (("detect", workspace), 0),
        (("detect", workspace, "--json"), 0),
        ((workspace, "--dependencies=auto", "--dry-run"), 0),
        ((workspace, "--dependencies=auto", "--dry-run", "--decisions", "-"), 2),
        (("lint", workspace / "missing"), 2),
        ((workspace,), 2),
    ):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO()))
        monkeypatch.setattr(sys, closed, None)
        assert main([str(word) for word in words]) == code, words


def test_full_standard_output_is_no_bug_of_ours(
    workspace: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for options in ((), ("--json",)):
        with open("/dev/full", "w", encoding="utf-8", buffering=1) as full:  # noqa: PTH123 - as the shell opens it
            monkeypatch.setattr(sys, "stdout", full)
            assert main(["detect", str(workspace), *options]) == 2
        said = capsys.readouterr().err
        assert "can't be written: no space left on device" in said
        assert "bug" not in said


def test_a_failure_of_the_machine_is_no_bug_of_ours(
    workspace: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for number, reason in ((errno.EMFILE, "too many open files"), (errno.EIO, "input/output error")):

        def fail(*_: object, number: int = number, **__: object) -> None:
            raise OSError(number, os.strerror(number), "/somewhere")

        monkeypatch.setattr("melleafy_tui.cli.commands.detect.open_session", fail)
        assert main(["detect", str(workspace)]) == 2
        said = capsys.readouterr().err
        assert f"/somewhere: The run stopped: {reason}" in said
        assert "bug" not in said


def test_a_device_in_place_of_the_decisions_ends_the_run(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = workspace.parent / "out"
    for device in ("/dev/full", "/dev/zero"):
        assert main([str(workspace), "--out", str(out), "--dependencies=auto", "--decisions", device]) == 2
        assert "decisions file is larger than" in capsys.readouterr().err
    assert not out.exists()


def test_a_lint_that_fails_over_the_users_own_text_asks_for_no_report(
    workspace: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def finding(file: str) -> LintReport:
        return LintReport((LintResult("lint", 1, "failed", (LintFinding("lint", 1, file, 1, 1, "x", "y"),)),))

    for file, asks in (("helper_mellea/scripts/tide.py", False), ("helper_mellea/pipeline.py", True)):
        monkeypatch.setattr("melleafy_tui.core.lint.table.lint_file_set", lambda _, file=file: finding(file))
        assert (
            main([str(workspace), "--dependencies=auto", "--out", str(workspace.parent / "out"), *AS_OF])
            == 11
        )
        said = capsys.readouterr().err
        assert ("report" in said) is asks, said
        assert ("what to change in the workspace" in said) is not asks, said


def test_an_edit_that_breaks_the_package_is_said_and_is_no_bug_of_ours(
    workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [str(workspace), "--dependencies=auto", "--out", str(workspace.parent / "out"), *AS_OF]
    assert main(words) == 0
    place = workspace.parent / "out" / "helper_mellea" / "pipeline.py"
    place.write_text(f"{place.read_text(encoding='utf-8')}\nraise RuntimeError(\n", encoding="utf-8")
    capsys.readouterr()
    assert main(words) == 11
    said = capsys.readouterr().err
    assert "With your edits" in said
    assert "report" not in said


def test_a_missing_state_folder_is_named(workspace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for folder, reason in ((workspace.parent / "none", "no such"), (workspace / "SOUL.md", "not a folder")):
        assert main(["history", str(folder)]) == 2
        said = capsys.readouterr().err.lower()
        assert str(folder).lower() in said
        assert reason in said, said


@pytest.mark.slow
def test_hash_seed_time_zone_and_folder_change_no_byte(workspace: Path) -> None:
    trees = []
    for seed, zone, language in (
        ("0", "UTC", "C"),
        ("1", "Pacific/Kiritimati", "C.UTF-8"),
        ("4242", "Pacific/Pago_Pago", "tr_TR.UTF-8"),
    ):
        out = workspace.parent / seed / "out"
        source = shutil.copytree(workspace, workspace.parent / seed / "helper")
        environment = {**os.environ, "PYTHONHASHSEED": seed, "TZ": zone, "LC_ALL": language}
        environment.pop("SOURCE_DATE_EPOCH", None)  # `--as-of` is the only condition
        subprocess.run(
            [sys.executable, "-m", "melleafy_tui", source, "--dependencies=auto", "--out", out, *AS_OF],
            env=environment,
            check=True,
            capture_output=True,
        )
        trees.append(
            {place.relative_to(out): place.read_bytes() for place in out.rglob("*") if place.is_file()}
        )
    assert trees[0]
    assert trees[0] == trees[1] == trees[2]
