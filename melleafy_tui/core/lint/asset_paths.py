"""Bundled files are found from `Path(__file__).parent`, and exist."""

import ast
from collections.abc import Iterator

from melleafy_tui.core.lint.asset_reading import bundled_paths
from melleafy_tui.core.lint.module import Module, Problem
from melleafy_tui.core.lint.syntax import dotted
from melleafy_tui.core.lint.view import PackageView

BUNDLED = ("references/", "scripts/", "assets/", "./references/", "./scripts/", "./assets/")
_ASSET_PATHS_HINT = 'Write Path(__file__).parent / "references" / "x.md".'


def check_asset_paths(view: PackageView, module: Module) -> Iterator[Problem]:
    """Yield the paths that lead nowhere."""
    yield from _relative_asset_paths(module)
    if module.name.startswith("fixtures/"):
        return
    for node, path in bundled_paths(module):
        if path and not path.startswith(BUNDLED):
            continue
        if not path:
            yield module.problem(node, "a path leaves the package", _ASSET_PATHS_HINT)
        elif not (view.has(path) or view.has(f"{path.rstrip('/')}/")):
            yield module.problem(node, f"{path} is not in the package", "Bundle the file, or drop the path.")


def _relative_asset_paths(module: Module) -> Iterator[Problem]:
    for call in module.calls:
        name = dotted(call.func)
        if name not in ("open", "Path", "pathlib.Path", "os.path.join") or not call.args:
            continue
        first = call.args[0]
        if (
            isinstance(first, ast.Constant)
            and isinstance(first.value, str)
            and f"{first.value}/".startswith(BUNDLED)
        ):
            yield module.problem(call, f"{first.value} is looked up in the current folder", _ASSET_PATHS_HINT)
