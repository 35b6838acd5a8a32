"""Templates: ours only, undefined names are errors, and compiled ahead they say the same."""

from pathlib import Path

import pytest
from jinja2 import UndefinedError

from melleafy_tui.generators import environment
from melleafy_tui.generators.render import render_package
from tests.generators.committed import reference_plan


def test_compiled_templates_say_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    request.addfinalizer(environment.environment.cache_clear)
    monkeypatch.setattr(environment, "COMPILED", tmp_path / "none")
    environment.environment.cache_clear()
    plain = render_package(reference_plan())
    environment.compile_templates(tmp_path / "compiled")
    monkeypatch.setattr(environment, "COMPILED", tmp_path / "compiled")
    environment.environment.cache_clear()
    assert environment.is_compiled(tmp_path / "compiled")
    assert [(file.path, file.data) for file in render_package(reference_plan()).files] == [
        (file.path, file.data) for file in plain.files
    ]


def test_templates_that_changed_are_not_taken_compiled(tmp_path: Path) -> None:
    environment.compile_templates(tmp_path)
    (tmp_path / environment.STAMP).write_text("of other templates", encoding="utf-8")
    assert not environment.is_compiled(tmp_path)
    assert not environment.is_compiled(tmp_path / "nowhere")


def test_a_name_that_is_not_given_is_an_error() -> None:
    with pytest.raises(UndefinedError):
        environment.render_template("pipeline_helpers.py.j2")
