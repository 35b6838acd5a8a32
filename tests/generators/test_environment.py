"""Templates: ours only, undefined names are errors, and cached ones say the same."""

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


def test_a_name_that_is_not_given_is_an_error() -> None:
    with pytest.raises(UndefinedError):
        environment.render_template("setup_guide.md.j2")
