"""The manual page: what the parsers say now, in roff that man reads without a complaint."""

import os
import shutil
import subprocess

import pytest

from melleafy_tui.cli.argument_table import COMMANDS, NAMED_COMMANDS, arguments_of
from scripts.make_man_page import PAGE, man_page

HINT = "run `make man`"


def test_the_page_is_what_the_parsers_say() -> None:
    assert PAGE.read_text(encoding="utf-8").splitlines() == man_page().splitlines(), HINT


def test_a_reader_finds_every_command_and_option() -> None:
    if shutil.which("man") is None:
        pytest.skip("man is not installed here")
    environment = {**os.environ, "MANWIDTH": "100", "LC_ALL": "C.UTF-8", "MANOPT": ""}
    done = subprocess.run(
        ["man", "--warnings", "-l", str(PAGE)],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
        env=environment,
    )
    assert done.stderr == ""
    lines = {line.strip() for line in done.stdout.splitlines()}
    words = {word.strip(",.") for line in lines for word in line.split()}
    assert {command.name for command in NAMED_COMMANDS} <= {line.split()[0] for line in lines if line}
    flags = {flag for command in COMMANDS for each in arguments_of(command) for flag in each.option_strings}
    assert flags - words == set()
