"""Every module can be imported in a fresh interpreter with a bare environment, and says nothing meanwhile."""

import json
import os
import sys
from collections.abc import Iterator

from melleafy_tui.core.lint.module import Problem
from melleafy_tui.core.lint.view import NotValidatable, PackageView

TIME_LIMIT = 120.0

_PROGRAM = """
import contextlib, importlib, io, json, sys
root, modules = json.loads(sys.stdin.read())
sys.path.insert(0, root)
try:
    import mellea
except Exception:
    print(json.dumps({"missing": "mellea"}))
    sys.exit(0)
found = []
for name in modules:
    said = io.StringIO()
    try:
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            importlib.import_module(name)
    except BaseException as error:
        absent = error.name if isinstance(error, ModuleNotFoundError) else ""
        found.append([name, f"{type(error).__name__}: {error}", absent or ""])
    else:
        if said.getvalue().strip():
            found.append([name, "it prints while it is imported", ""])
print(json.dumps({"found": found}))
"""


def check_importable(view: PackageView) -> Iterator[Problem]:
    """Yield the modules that cannot be imported."""
    if view.root is None:
        raise NotValidatable("the package is not on disk yet")
    paths = {
        _dotted(view.package, name): module.path
        for name, module in view.modules.items()
        if name != "__main__.py"
    }
    report = _imported_importable(str(view.root), sorted(paths))
    if "missing" in report:
        raise NotValidatable("Mellea is not installed beside this program")
    for name, error, absent in report["found"]:
        if absent and not absent.startswith(view.package):
            hint = f"Install {absent}, or declare it in pyproject.toml as an extra and import it where it is used."
        else:
            hint = "Keep the top level of a module to definitions."
        yield Problem(paths[name], 1, 0, f"it cannot be imported cleanly: {error}", hint)


def _dotted(package: str, name: str) -> str:
    inner = name.removesuffix(".py").replace("/", ".")
    return package if inner == "__init__" else f"{package}.{inner.removesuffix('.__init__')}"


def _imported_importable(root: str, modules: list[str]) -> dict[str, list[list[str]]]:
    import subprocess
    import tempfile

    with tempfile.TemporaryDirectory() as home:
        bare = {"PATH": os.defpath, "HOME": home, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONUTF8": "1"}
        try:
            done = subprocess.run(
                [sys.executable, "-I", "-B", "-c", _PROGRAM],
                input=json.dumps([root, modules]),
                cwd=home,
                env=bare,
                capture_output=True,
                text=True,
                timeout=TIME_LIMIT,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise NotValidatable(f"the import took more than {TIME_LIMIT:.0f} seconds") from error
    try:
        answer: dict[str, list[list[str]]] = json.loads(done.stdout.splitlines()[-1])
    except (ValueError, IndexError) as error:
        raise NotValidatable("the interpreter that imports the package ended early") from error
    return answer
