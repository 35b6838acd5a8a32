"""Templates: ours only, undefined names are errors, and cached ones say the same."""

import os
from pathlib import Path
from shutil import rmtree

import pytest
from jinja2 import UndefinedError

from melleafy_tui.generators import templates_environment as environment
from melleafy_tui.generators.render import render_package
from tests.generators.committed import reference_plan


def rendered() -> list[tuple[str, bytes]]:
    environment.environment.cache_clear()
    return [(file.path, file.data) for file in render_package(reference_plan()).files]


def test_cached_templates_say_the_same_as_those_compiled_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("where the folder should be", encoding="utf-8")
    monkeypatch.setenv("XDG_CACHE_HOME", str(in_the_way))
    in_memory = rendered()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert rendered() == in_memory
    cached = {path: path.stat().st_mtime_ns for path in (tmp_path / "melleafy-tui/templates").iterdir()}
    assert cached
    assert rendered() == in_memory
    assert {path: path.stat().st_mtime_ns for path in cached} == cached
    monkeypatch.setattr(environment.environment(), "cache", None)
    rmtree(tmp_path / "melleafy-tui")  # while it runs
    assert [(file.path, file.data) for file in render_package(reference_plan()).files] == in_memory
    environment.environment.cache_clear()


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="POSIX has owners")
def test_compiled_templates_of_somebody_else_are_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are code: whoever can write to the folder could have the program run theirs."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    in_place = rendered()
    assert environment.environment().bytecode_cache is not None
    monkeypatch.setattr(os, "geteuid", lambda: tmp_path.stat().st_uid + 1)
    assert rendered() == in_place
    assert environment.environment().bytecode_cache is None
    environment.environment.cache_clear()


def test_a_name_that_is_not_given_is_an_error() -> None:
    with pytest.raises(UndefinedError):
        environment.render_template("setup_guide.md.j2")
