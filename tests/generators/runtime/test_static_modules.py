"""What holds for every static module of packages: its first lines, its imports, nothing done on import."""

import ast
import sys
from pathlib import Path

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
