"""The shipped table of Mellea's interface is that of the installed Mellea, and covers what emitted code imports."""

import ast
import json

import pytest

from melleafy_tui.core.models.manifest import MELLEA_VERSION
from melleafy_tui.generators.mellea_api import introspect, shipped_reference
from melleafy_tui.generators.render import render_package
from tests.generators.committed import reference_plan


def test_the_shipped_table_is_of_the_version_that_packages_ask_for() -> None:
    assert json.loads(shipped_reference())["mellea_version"] == MELLEA_VERSION


def test_the_shipped_table_equals_the_installed_mellea() -> None:
    mellea = pytest.importorskip("mellea", reason="Mellea is not installed")
    assert mellea
    assert introspect() == shipped_reference()


def test_every_import_of_emitted_code_is_in_the_table() -> None:
    modules = json.loads(shipped_reference())["modules"]
    files = render_package(reference_plan()).files
    imports = [
        (node.module, alias.name)
        for file in files
        if file.path.endswith(".py")
        for node in ast.walk(ast.parse(file.text))
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("mellea")
        for alias in node.names
    ]
    assert imports
    assert [(module, name) for module, name in imports if name not in modules.get(module, {})] == []
