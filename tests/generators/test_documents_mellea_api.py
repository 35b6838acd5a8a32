"""The table of Mellea's interface that a package carries is cut from the one it is judged by, and covers its imports."""

import ast
import json

import pytest

from melleafy_tui.core.models.manifest import MELLEA_VERSION
from melleafy_tui.core.package.backends import mellea_table
from melleafy_tui.generators.manifest import MODULES, shipped_reference
from tests.generators.variants import shape_files, shapes


def test_the_table_is_of_the_version_that_packages_ask_for() -> None:
    assert json.loads(shipped_reference())["mellea_version"] == MELLEA_VERSION


@pytest.mark.parametrize("module", MODULES)
def test_a_module_has_the_names_that_the_lints_know(module: str) -> None:
    assert set(json.loads(shipped_reference())["modules"][module]) == mellea_table().modules[module]


def test_a_session_has_the_methods_that_emitted_code_calls() -> None:
    methods = json.loads(shipped_reference())["session_methods"]
    assert "return_sampling_results" in methods["instruct"]["keywords"]
    assert methods["query"]["required"] == ["obj", "query"]
    assert methods["transform"]["required"] == ["obj", "transformation"]


@pytest.mark.parametrize("name", sorted(shapes()))
def test_every_import_of_emitted_code_is_in_the_table(name: str) -> None:
    modules = json.loads(shipped_reference())["modules"]
    imports = [
        (node.module, alias.name)
        for file in shape_files(name).files
        if file.path.endswith(".py")
        for node in ast.walk(ast.parse(file.text))
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("mellea")
        for alias in node.names
    ]
    assert imports
    assert [(module, found) for module, found in imports if found not in modules.get(module, ())] == []
