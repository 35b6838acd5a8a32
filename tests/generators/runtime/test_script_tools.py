"""Scripts and commands that packages run: no shell, one deadline, no child left behind."""

import errno
import gc
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from melleafy_tui.core.package.permissions import denying
from melleafy_tui.generators.runtime import script_tools
from melleafy_tui.generators.runtime.script_tools import run_program, run_script
from melleafy_tui.generators.runtime.tools_common import ToolError, ToolRefused, ToolTimeout, canned

SHOW = 'for word in "$@"; do echo "[$word]"; done'


@pytest.fixture
def scripts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(script_tools, "PACKAGE", tmp_path)
    monkeypatch.setattr(script_tools, "SCRIPTS", tmp_path)
    (tmp_path / "show.sh").write_text(SHOW)
    return tmp_path


def run_shell(scripts: Path, code: str, timeout: float = 20.0) -> str:
    """Run code of a shell as a script."""
    (scripts / "code.sh").write_text(code)
    return run_script("code.sh", timeout=timeout)


@pytest.mark.parametrize("hostile", ["; touch x", "$(touch x)", "`id`", "a b", "{name}", "*", "", "ä\n'\""])
def test_a_part_is_one_word_whatever_it_holds(scripts: Path, hostile: str) -> None:
    assert run_script("show.sh", ("--to={name}", "{name}"), parts={"name": hostile}) == (
        f"[--to={hostile}]\n[{hostile}]\n"
    )


def test_words_come_from_the_source_and_from_the_request(scripts: Path) -> None:
    words = ("list", "--days={days}")
    assert run_script("show.sh", words, parts={"days": "3"}, extra="a 'b c'") == (
        "[list]\n[--days=3]\n[a]\n[b c]\n"
    )
    assert run_script("show.sh", extra="it's") == "[it's]\n"


def test_options_stand_where_the_source_has_them_and_only_those_that_are_given(scripts: Path) -> None:
    options: dict[str, object] = {
        "--days": -3,
        "--to": ["a b", "c"],
        "--all": True,
        "--x": ("1", "2"),
        "--off": False,
    }
    left_out: dict[str, object] = {
        "--none": None,
        "--empty": "",
        "--nobody": [],
        "--nothing": (),
        "--zero": 0,
    }
    given = run_script(
        "show.sh",
        ("add", "{options}", "{town}", "{rest}", "{more}"),
        parts={"town": "Ulm", "rest": None, "more": ["x", "y"]},
        options={**options, **left_out},
    )
    assert given.split("\n") == [
        f"[{word}]"
        for word in (
            "add",
            "--days",
            "-3",
            "--to",
            "a b",
            "--to",
            "c",
            "--all",
            "--x",
            "1",
            "2",
            "--zero",
            "0",
        )
    ] + ["[Ulm]", "[x]", "[y]", ""]


@pytest.mark.parametrize("value", ["-rf", "--output=x", "-"])
def test_no_value_becomes_an_option(scripts: Path, value: str) -> None:
    with pytest.raises(ToolRefused, match="looks like an option"):
        run_script("show.sh", ("{file}",), parts={"file": value})
    with pytest.raises(ToolRefused, match="looks like an option"):
        run_script("show.sh", extra=f"a {value}")
    with pytest.raises(ToolRefused, match="looks like an option"):
        run_script("show.sh", ("{options}",), options={"--to": [value]})
    assert run_script("show.sh", ("--file={file}",), parts={"file": value}) == f"[--file={value}]\n"


def test_only_scripts_of_the_package_run(scripts: Path, tmp_path: Path) -> None:
    outside = tmp_path.parent / f"{tmp_path.name}-outside.sh"
    outside.write_text("echo outside")
    (scripts / "link.sh").symlink_to(outside)
    for name in ("missing.sh", f"../{outside.name}", "link.sh", str(outside), "."):
        with pytest.raises(ToolError, match="is not in the package"):
            run_script(name)


def test_the_interpreter_follows_from_the_suffix_and_the_first_line(scripts: Path) -> None:
    (scripts / "python.py").write_text("import sys; print(sys.executable, sys.argv[1:])")
    (scripts / "arrays.sh").write_text('#!/usr/bin/env bash\nlist=(a b)\necho "${list[1]}"\n')
    (scripts / "program").write_text("#!/bin/sh\necho it\n")
    (scripts / "program").chmod(0o755)
    assert run_script("python.py", extra="a") == f"{sys.executable} ['a']\n"
    assert run_script("arrays.sh") == "b\n"
    assert run_script("program") == "it\n"


def test_a_program_of_the_machine_runs_without_a_shell() -> None:
    words = ("%s|", "{text}", "{options}")
    given = {"parts": {"text": "$(id) a"}, "options": {"-x": None}}
    assert run_program("printf", words, **given) == "$(id) a|"  # type: ignore[arg-type]
    with pytest.raises(ToolError, match="no-such-program: no-such-program is not installed"):
        run_program("no-such-program", ("x",))
    with pytest.raises(ToolRefused, match=r"Bash\(git push \*\) denies git"):
        run_program("git", ("push", "--force"), denied=denying("Bash(git push *)"))
    with canned({"git status": "clean"}):
        assert run_program("git", ("status",)) == "clean"


def test_only_named_variables_are_passed_on(scripts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRM_TOKEN", "given")
    monkeypatch.setenv("AWS_SECRET", "kept")
    (scripts / "env.sh").write_text('echo "$CRM_TOKEN-$AWS_SECRET-${PATH:+path}"')
    assert run_script("env.sh") == "--path\n"
    assert run_script("env.sh", variables=("CRM_TOKEN", "UNSET")) == "given--path\n"


def test_standard_input_is_empty(scripts: Path) -> None:
    reading, writing = os.pipe()
    kept = os.dup(0)
    os.write(writing, b"of this process")
    os.close(writing)
    os.dup2(reading, 0)
    try:
        assert run_shell(scripts, "cat") == ""
    finally:
        os.dup2(kept, 0)
        os.close(kept)
        os.close(reading)


def test_what_goes_wrong_is_a_typed_error(scripts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (scripts / "fails.sh").write_text("echo first >&2; echo the reason >&2; exit 3")
    (scripts / "locked").write_text("x")
    (scripts / "missing.rb").write_text("x")
    monkeypatch.setitem(script_tools.INTERPRETERS, ".rb", ("no-such-program-here",))
    rows: list[tuple[Callable[[], object], str]] = [
        (lambda: run_script("fails.sh"), "fails.sh ended with 3: the reason"),
        (lambda: run_script("missing.rb"), "missing.rb: no-such-program-here is not installed"),
        (lambda: run_shell(scripts, "kill -9 $$"), "code.sh ended with -9: "),
        (lambda: run_script("locked"), "locked: .*Permission denied"),
        (lambda: run_script("show.sh", extra="a\0b"), "null byte"),
        (lambda: run_script("show.sh", extra="a\ud800"), "surrogates not allowed"),
    ]
    for call, said in rows:
        with pytest.raises(ToolError, match=said):
            call()


def test_rules_of_the_source_deny_commands(scripts: Path) -> None:
    denied = denying("Bash(show.sh secret)")
    with pytest.raises(ToolRefused, match=r"denies show\.sh"):
        run_script("show.sh", extra="secret", denied=denied)
    assert run_script("show.sh", extra="public", denied=denied) == "[public]\n"
    with pytest.raises(ToolRefused, match=r"Bash\(sh:\*\) denies"):
        run_script("show.sh", denied=denying("Bash(sh:*)"))


def test_fixtures_run_no_program(scripts: Path) -> None:
    with canned({"show.sh a": "answer"}):
        assert run_script("show.sh", extra="a") == "answer"
        with pytest.raises(ToolError, match=r"show.sh b: no canned response"):
            run_script("show.sh", extra="b")


def alive(process: int) -> bool:
    """Return whether a process runs; one that ended and waits for its parent does not."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def gone(process: int) -> bool:
    """Return whether a process ends within twenty seconds."""
    until = time.monotonic() + 20
    while alive(process) and time.monotonic() < until:
        time.sleep(0.01)
    return not alive(process)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_a_time_out_ends_the_program_and_its_children(scripts: Path) -> None:
    (scripts / "hangs.sh").write_text('sleep 60 & echo $! > "$1"; wait')
    begun = time.monotonic()
    with pytest.raises(ToolTimeout, match=r"hangs.sh: it does not end in time"):
        run_script("hangs.sh", extra=str(scripts / "child"), timeout=0.3)
    assert time.monotonic() - begun < 30
    assert gone(int((scripts / "child").read_text()))


def test_a_program_that_may_not_be_ended_is_not_waited_for(
    scripts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As one that runs as another user, such as `sudo`."""

    def refuse(*_: object) -> None:
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr(script_tools, "END_SECONDS", 0.1)
    monkeypatch.setattr(os, "killpg", refuse)
    begun = time.monotonic()
    with pytest.raises(ToolTimeout):
        run_shell(scripts, "sleep 5", timeout=0.1)
    assert time.monotonic() - begun < 4


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_a_child_that_keeps_the_pipes_open_is_not_waited_for(scripts: Path) -> None:
    (scripts / "forks.sh").write_text('sleep 60 & echo $! > "$1"; echo started')
    begun = time.monotonic()
    assert run_script("forks.sh", extra=str(scripts / "child"), timeout=30) == "started\n"
    assert time.monotonic() - begun < 30
    assert gone(int((scripts / "child").read_text()))


def test_a_program_that_closes_its_output_is_waited_for_no_longer_than_allowed(scripts: Path) -> None:
    with pytest.raises(ToolTimeout):
        run_shell(scripts, "exec >&- 2>&-; exec sleep 60", timeout=0.3)


def test_an_endless_output_is_cut_off(scripts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(script_tools, "MAX_BYTES", 10_000)
    with pytest.raises(ToolError, match=r"code\.sh: it prints more than 10000 bytes"):
        run_shell(scripts, "while :; do echo yes; done")
    with pytest.raises(ToolError, match="prints more than"):
        run_shell(scripts, "while :; do echo yes >&2; done")


def test_a_program_that_drips_output_meets_the_deadline(scripts: Path) -> None:
    begun = time.monotonic()
    with pytest.raises(ToolTimeout):
        run_shell(scripts, "for _ in $(seq 1200); do echo x; sleep 0.05; done", timeout=0.3)
    assert time.monotonic() - begun < 30


def test_nothing_stays_open(scripts: Path) -> None:
    gc.collect()
    open_files = Path("/proc/self/fd")
    before = len(list(open_files.iterdir())) if open_files.exists() else 0
    for _ in range(3):
        run_script("show.sh", extra="a")
        with pytest.raises(ToolTimeout):
            run_shell(scripts, "sleep 60", timeout=0.05)
    assert (len(list(open_files.iterdir())) if before else 0) <= before
