"""Templates: ours only, undefined names are errors, and compiled ahead they say the same."""

from collections.abc import Iterator
from pathlib import Path
from shutil import copytree

import pytest
from jinja2 import UndefinedError

from melleafy_tui.generators import template_compiler
from melleafy_tui.generators import templates_environment as environment
from melleafy_tui.generators.render import render_package
from tests.generators.committed import reference_plan


@pytest.fixture
def fresh_environment() -> Iterator[None]:
    environment.environment.cache_clear()
    yield
    environment.environment.cache_clear()


def rendered() -> list[tuple[str, bytes]]:
    environment.environment.cache_clear()
    return [(file.path, file.data) for file in render_package(reference_plan()).files]


@pytest.mark.usefixtures("fresh_environment")
def test_compiled_templates_say_the_same_as_those_compiled_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("where the folder should be", encoding="utf-8")
    monkeypatch.setattr(environment, "COMPILED", in_the_way)
    in_memory = rendered()
    monkeypatch.setattr(environment, "COMPILED", tmp_path / "compiled")
    assert rendered() == in_memory
    (folder,) = (tmp_path / "compiled").iterdir()
    times = {path.name: path.stat().st_mtime_ns for path in folder.glob("*.py")}
    assert len(times) == len(list(template_compiler.TEMPLATES.glob("*.j2")))
    assert rendered() == in_memory
    assert {path.name: path.stat().st_mtime_ns for path in folder.glob("*.py")} == times


def test_templates_that_changed_are_compiled_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    templates = tmp_path / "templates"
    copytree(template_compiler.TEMPLATES, templates)
    monkeypatch.setattr(template_compiler, "TEMPLATES", templates)
    before = template_compiler.compile_templates(tmp_path / "compiled")
    assert template_compiler.compile_templates(tmp_path / "compiled") == before
    (templates / "readme.md.j2").write_text("{# another #}", encoding="utf-8")
    after = template_compiler.compile_templates(tmp_path / "compiled")
    assert after != before
    assert before.is_dir()


def test_a_name_that_is_not_given_is_an_error() -> None:
    with pytest.raises(UndefinedError):
        environment.render_template("setup_guide.md.j2")
