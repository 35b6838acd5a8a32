"""The lint that imports every module of a package on disk, in a process of its own, where the user asks for it."""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, TypeGuard

from melleafy_tui.core.lint.linted_package import NotValidatable, Package
from melleafy_tui.core.lint.modules import Problem

TIME_LIMIT: Final = 120.0
NOT_IMPORTED: Final = "nothing is imported without --import"

_LONGEST_REPORT: Final = 1_000_000

_PROGRAM: Final = """
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


def check_importable(package: Package) -> Iterator[Problem]:
    """Yield the modules that cannot be imported; this runs the package's top-level code."""
    if package.root is None:
        raise NotValidatable(NOT_IMPORTED)
    paths = {
        _dotted(package.name, name): module.path
        for name, module in package.modules.items()
        if name != "__main__.py"
    }
    report = _report(str(package.root), sorted(paths))
    if "missing" in report:
        raise NotValidatable("Mellea is not installed beside this program")
    for name, error, absent in report["found"]:
        if absent and not absent.startswith(package.name):
            hint = f"Install {absent}, or declare it in pyproject.toml as an extra and import it where it is used."
        else:
            hint = ""
        yield Problem(paths[name], 1, 0, f"it cannot be imported cleanly: {error}", hint)


def _dotted(package: str, name: str) -> str:
    inner = name.removesuffix(".py").replace("/", ".")
    return package if inner == "__init__" else f"{package}.{inner.removesuffix('.__init__')}"


def _report(root: str, modules: list[str]) -> dict[str, list[list[str]]]:
    import tempfile

    with tempfile.TemporaryDirectory() as home:
        lines = _last_words(json.dumps([root, modules]), home).splitlines()
    try:
        answer = json.loads(lines[-1]) if lines else None
    except (ValueError, RecursionError):
        answer = None
    if not _is_answer(answer, modules):  # a module may end the interpreter, and print when it ends
        raise NotValidatable("the interpreter that imports the package gave no report")
    return answer


def _is_answer(answer: object, modules: list[str]) -> TypeGuard[dict[str, list[list[str]]]]:
    if not isinstance(answer, dict):
        return False
    found = answer.get("found", [] if "missing" in answer else None)
    return isinstance(found, list) and all(
        isinstance(row, list)
        and len(row) == len(("module", "error", "absent"))
        and all(isinstance(text, str) for text in row)
        and row[0] in modules
        for row in found
    )


def _last_words(given: str, home: str) -> str:
    """Return the end of what the program prints; neither it nor what it leaves behind is waited for any longer."""
    import signal
    import subprocess

    said = Path(home, "said")
    bare = {"PATH": os.defpath, "HOME": home, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONUTF8": "1"}
    with said.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, "-I", "-B", "-c", _PROGRAM],
            stdin=subprocess.PIPE,
            stdout=out,
            stderr=subprocess.DEVNULL,
            cwd=home,
            env=bare,
            start_new_session=True,
        )
    try:
        process.communicate(given.encode(), timeout=TIME_LIMIT)
    except subprocess.TimeoutExpired as error:
        raise NotValidatable(f"the import took more than {TIME_LIMIT:.0f} seconds") from error
    finally:
        with suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    with said.open("rb") as printed:
        printed.seek(max(0, said.stat().st_size - _LONGEST_REPORT))
        return printed.read().decode("utf-8", "replace")
