<<<<<<< HEAD
"""What all static modules have in common: they say what they are, and a package can hold them as they are."""
=======
"""What holds for every static module of packages: its first lines, its imports, nothing done on import."""
>>>>>>> rt-b

import ast
import sys
from pathlib import Path

<<<<<<< HEAD
from melleafy_tui.generators.static_modules import STATIC_MODULES, static_module
from melleafy_tui.version import __version__
from tests.conftest import PROJECT

FOLDER = PROJECT / "generators" / "runtime"
INSTALLED = {"mellea", "pydantic", *sys.stdlib_module_names}


def test_the_folder_holds_the_static_modules_and_nothing_else() -> None:
    found = {
        path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.py") if path.name != "__init__.py"
    }
    assert found == set(STATIC_MODULES)


def test_each_says_what_it_is_and_of_which_release() -> None:
    for name in STATIC_MODULES:
        first, _, rest = (ast.get_docstring(ast.parse(static_module(name))) or "").partition("\n\n")
        assert first.endswith("."), name
        assert "\n" not in first, name
        said = " ".join(rest.split())
        assert said.startswith(
            f"Static module of melleafy-tui {__version__}: identical in every package of that"
        ), name


def test_each_imports_only_what_every_package_has() -> None:
    for name in STATIC_MODULES:
        for node in ast.walk(ast.parse(static_module(name))):
            if isinstance(node, ast.Import):
                assert {alias.name.partition(".")[0] for alias in node.names} <= INSTALLED, name
            elif isinstance(node, ast.ImportFrom) and node.level:
                beside = (Path(name).parent / f"{(node.module or '').replace('.', '/')}.py").as_posix()
                assert (node.level, beside in STATIC_MODULES) == (1, True), name
            elif isinstance(node, ast.ImportFrom):
                assert (node.module or "").partition(".")[0] in INSTALLED, name
=======
import pytest

from melleafy_tui.generators import runtime
from melleafy_tui.version import __version__

FOLDER = Path(runtime.__file__).parent
MODULES = sorted(path for path in FOLDER.rglob("*.py") if path.read_text("utf-8").count("\n") > 1)
ALLOWED = {"mellea", "pydantic", *sys.stdlib_module_names}
QUIET = (
    ast.Import,
    ast.ImportFrom,
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.ClassDef,
    ast.Assign,
    ast.AnnAssign,
)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_a_static_module(path: Path) -> None:
    tree = ast.parse(path.read_text("utf-8"))
    documentation = " ".join((ast.get_docstring(tree) or "").split())
    known = f"Static module of melleafy-tui {__version__}: identical in every package of that release"
    assert known in documentation
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            assert {name.name.partition(".")[0] for name in node.names} <= ALLOWED
        if isinstance(node, ast.ImportFrom):
            outside = (node.module or "").partition(".")[0]
            assert node.level or outside in ALLOWED, ast.unparse(node)
            inside = FOLDER.joinpath(*(node.module or "").split("."))
            assert not node.level or inside.with_suffix(".py").is_file()
    for statement in tree.body:
        text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        assert text or isinstance(statement, QUIET), ast.unparse(statement)
>>>>>>> rt-b
