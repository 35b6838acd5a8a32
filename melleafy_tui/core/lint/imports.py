"""The lints of imports: what is imported exists, and, where the user asks, each module can be imported.

The first reads the code; the second runs it in a process of its own.
"""

import ast
import json
import os
import re
import sys
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from melleafy_tui.core.lint.linted_package import NotValidatable, Package
from melleafy_tui.core.lint.modules import Module, Problem
from melleafy_tui.core.models.file_set import RUNTIME_FOLDER, EmittedFile
from melleafy_tui.core.package.backends import mellea_table

ALWAYS_THERE: Final = frozenset({"mellea", "pydantic"})


def check_import_soundness(package: Package, module: Module) -> Iterator[Problem]:
    """Yield the imports of modules and names that don't exist."""
    project = package.files.get("pyproject.toml")
    declared = None if project is None else _declared_in(project)
    for node in module.nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from _imported(package, module, node, alias.name, (), declared)
        elif isinstance(node, ast.ImportFrom):
            names = tuple(alias.name for alias in node.names)
            yield from _imported(package, module, node, node.module or "", names, declared)


def _imported(
    package: Package,
    module: Module,
    node: ast.Import | ast.ImportFrom,
    name: str,
    names: tuple[str, ...],
    declared: frozenset[str] | None,
) -> Iterator[Problem]:
    levels = node.level if isinstance(node, ast.ImportFrom) else 0
    inner = package.imported(module.name.rpartition("/")[0], levels, name)
    top = name.partition(".")[0]
    if inner is not None:
        yield from _of_package(package, module, node, inner, names)
    elif levels:
        yield module.problem(node, "the import leaves the package", "Import from within the package.")
    elif top == "mellea":
        yield from _of_mellea(module, node, name, names)
    elif top in sys.stdlib_module_names:
        home = sys.modules.get(name)  # one that isn't loaded here stays unread: loading it would run code
        for wanted in names if home is not None else ():
            if wanted != "*" and not hasattr(home, wanted) and f"{name}.{wanted}" not in sys.modules:
                hint = "Name what the module has, or drop the import."
                yield module.problem(node, f"{name} has no {wanted}", hint)
    elif declared is not None and _normal(top) not in declared | ALWAYS_THERE:
        hint = "Declare it in pyproject.toml, or do without it."
        yield module.problem(node, f"{top} is neither in the standard library nor declared", hint)


def _of_mellea(module: Module, node: ast.stmt, name: str, names: tuple[str, ...]) -> Iterator[Problem]:
    table = mellea_table()
    known = table.modules.get(name)
    if known is None:
        yield module.problem(node, f"Mellea {table.version} has no module {name}", _nearest(names))
        return
    for wanted in names:
        if wanted != "*" and wanted not in known and f"{name}.{wanted}" not in table.modules:
            yield module.problem(
                node, f"{name} has no {wanted} in Mellea {table.version}", _nearest((wanted,))
            )


def _nearest(names: tuple[str, ...]) -> str:
    """Return which module of Mellea has one of the names, the one with the shortest path first."""
    for wanted in names:
        homes = [home for home, known in mellea_table().modules.items() if wanted in known]
        if homes:
            return f"Import {wanted} from {min(homes, key=lambda home: (home.count('.'), home))}."
    return "See intermediate/mellea_api_ref.json for what there is."


def _of_package(
    package: Package, module: Module, node: ast.stmt, inner: str, names: tuple[str, ...]
) -> Iterator[Problem]:
    below = {name: f"{inner}/{name}".lstrip("/") for name in names}
    carried = [
        name
        for name in (inner, *below.values())
        if any(map(package.is_carried, (f"{name}.py", f"{name}/__init__.py")))
    ]
    if carried:
        what = f"{carried[0]} is a file or folder of the workspace, not code of the package"
        yield module.problem(node, what, "Run it as a script: the lints don't judge files of the workspace.")
        return
    there = {name for name, path in below.items() if _is_module(package, path)}
    home = package.module_at(inner)
    if home is None:
        if not (there or _is_module(package, inner)):
            what = f"the package has no module {inner.replace('/', '.')}"
            moved = _is_module(package, RUNTIME_FOLDER + inner)
            hint = "It has moved: import from _runtime." if moved else "Emit the module, or drop the import."
            yield module.problem(node, what, hint)
        return
    for wanted in names:
        if wanted != "*" and wanted not in home.defined and wanted not in there:
            yield module.problem(node, f"{home.name} has no {wanted}")


def _is_module(package: Package, inner: str) -> bool:
    return package.has(f"{inner}.py") or package.has(f"{inner}/__init__.py")


def _declared_in(project: EmittedFile) -> frozenset[str] | None:
    """Return the distributions that a project declares, or None if that can't be read."""
    try:
        table = tomllib.loads(project.data.decode("utf-8")).get("project", {})
        wanted = [*table.get("dependencies", ())]
        for extra in table.get("optional-dependencies", {}).values():
            wanted += extra
        return frozenset(_normal(re.split(r"[\s<>=!~;\[(@]", line.strip(), maxsplit=1)[0]) for line in wanted)
    except (ValueError, RecursionError, AttributeError, TypeError):  # a field of another type
        return None


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "_", name).lower()


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
    print("null")
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
print(json.dumps(found))
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
    if report is None:
        raise NotValidatable("Mellea is not installed beside this program")
    for name, error, absent in report:
        hint = ""
        if absent and not absent.startswith(package.name):
            hint = f"Install {absent}, or declare it in pyproject.toml as an extra and import it where it is used."
        yield Problem(paths[name], 1, 0, f"it cannot be imported cleanly: {error}", hint)


def _dotted(package: str, name: str) -> str:
    inner = name.removesuffix(".py").replace("/", ".")
    return package if inner == "__init__" else f"{package}.{inner.removesuffix('.__init__')}"


def _report(root: str, modules: list[str]) -> list[tuple[str, str, str]] | None:
    """Return the modules that can't be imported, what each said and which library it lacks; None without Mellea.

    Raises:
        NotValidatable: a module ended the interpreter, or printed something else in the report's place.
    """
    import tempfile

    with tempfile.TemporaryDirectory() as home:
        lines = _last_words(json.dumps([root, modules]), home).splitlines()
    try:
        found = msgspec.json.decode(lines[-1], type=list[tuple[str, str, str]] | None)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, IndexError):
        found = [("", "", "")]
    if any(name not in modules for name, _, _ in found or ()):
        raise NotValidatable("the interpreter that imports the package gave no report")
    return found


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
