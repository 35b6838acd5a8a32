"""What all static modules have in common: they say what they are, and a package can hold them as they are."""

import ast
import sys
from collections import Counter
from pathlib import Path

import pytest

from melleafy_tui.core.lint.table import lint_package
from melleafy_tui.generators.static_modules import (
    HOST_MODULES,
    STATIC_MODULES,
    offered_by,
    own_modules,
    place_of,
    static_module,
)
from melleafy_tui.version import __version__
from tests.conftest import PROJECT

FOLDER = PROJECT / "generators" / "runtime"
MOST_COLUMNS = 88
INSTALLED = {"httpx", "mellea", "ollama", "pydantic", "pydantic_core", *sys.stdlib_module_names}
OF_HOSTS = {"langgraph", "langgraph_sdk", "mcp", "typing_extensions"}
"""What LangGraph or MCP brings; only the modules of HOST_MODULES import it."""


def test_the_folder_holds_the_static_modules_and_nothing_else() -> None:
    found = {
        path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.py") if path.name != "__init__.py"
    }
    assert found == {*STATIC_MODULES, *HOST_MODULES} - {"permissions.py"}  # of the core


def test_each_says_what_it_is_and_of_which_release() -> None:
    for name in (*STATIC_MODULES, *HOST_MODULES):
        mark, _, code = static_module(name).decode().partition("\n")
        assert mark == f"# Static module of melleafy-tui {__version__}, not to be edited.", name
        first = (ast.get_docstring(ast.parse(code)) or "").partition("\n\n")[0]
        assert first.endswith("."), name
        assert "\n" not in first, name


def test_each_name_that_the_door_can_offer_stands_in_one_module() -> None:
    behind = (module for module in STATIC_MODULES if place_of(module) != module)  # fixtures/ has no door
    homes = Counter(name for module in behind for name in offered_by(module))
    assert {name for name, count in homes.items() if count > 1} == set()


@pytest.mark.parametrize(
    "name",
    [
        *("checks.py", "command_line.py", "rule_panel.py", "runtime.py", "fixtures/case.py"),
        *("http_tools.py", "permissions.py"),
        *HOST_MODULES,
    ],
)
def test_what_most_packages_hold_has_no_line_that_ruff_calls_too_long(name: str) -> None:
    long = [line for line in static_module(name).splitlines() if len(line) > MOST_COLUMNS]
    assert long == []


def test_each_imports_only_what_every_package_has() -> None:
    for name in (*STATIC_MODULES, *HOST_MODULES):
        installed = INSTALLED | OF_HOSTS if name in HOST_MODULES else INSTALLED
        for node in ast.walk(ast.parse(static_module(name))):
            if isinstance(node, ast.Import):
                assert {alias.name.partition(".")[0] for alias in node.names} <= installed, name
            elif isinstance(node, ast.ImportFrom) and node.level:
                beside = (Path(name).parent / f"{(node.module or '').replace('.', '/')}.py").as_posix()
                assert (node.level, beside in STATIC_MODULES) == (1, True), name
            elif isinstance(node, ast.ImportFrom):
                assert (node.module or "").partition(".")[0] in installed, name


def test_none_does_anything_when_it_is_imported() -> None:
    quiet = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Assign)
    for name in (*STATIC_MODULES, *HOST_MODULES):
        for node in ast.parse(static_module(name)).body:
            text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            assert text or isinstance(node, (*quiet, ast.AnnAssign)), (name, ast.unparse(node))


def test_an_edited_static_module_is_a_finding_and_one_of_this_release_is_not(tmp_path: Path) -> None:
    package = tmp_path / "p"
    for folder in ("fixtures", "_runtime"):
        (package / folder).mkdir(parents=True)
    for name in ("__init__.py", "fixtures/__init__.py"):
        (package / name).write_text("ALL_FIXTURES: list[object] = []\n")
    for name in STATIC_MODULES:
        (package / place_of(name)).write_bytes(static_module(name))
    own = own_modules()
    assert lint_package(tmp_path, own).findings == ()
    edited = package / "_runtime/runtime.py"
    edited.write_bytes(edited.read_bytes() + b"\nprint('here')\n")
    assert [(found.lint, found.file) for found in lint_package(tmp_path, own).findings] == [
        ("static-modules", "p/_runtime/runtime.py")
    ]
    edited.write_bytes(b"print('here')\n")
    assert "import-side-effects" in {found.lint for found in lint_package(tmp_path, own).findings}
