"""Lints of imports: no missing names, and, where the user asks for it, every module can be imported."""

import ast
import builtins
import json
import os
import re
import sys
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, TypeGuard

from melleafy_tui.core.lint.modules import Module, Problem
from melleafy_tui.core.lint.view import NotValidatable, PackageView
from melleafy_tui.core.models.file_set import CARRIED_FOLDERS, EmittedFile
from melleafy_tui.core.package.mellea_api import mellea_table

ALWAYS_THERE = frozenset({"mellea", "pydantic"})


def check_import_soundness(view: PackageView, module: Module) -> Iterator[Problem]:
    """Yield the imports of modules and names that don't exist, and the names used without any definition."""
    declared = _declared(view)
    yield from _undefined(module)
    for node in module.nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from _absolute(view, module, node, alias.name, (), declared)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names = tuple(alias.name for alias in node.names)
            yield from _absolute(view, module, node, node.module or "", names, declared)
        elif isinstance(node, ast.ImportFrom):
            yield from _relative_import_soundness(view, module, node)


def _absolute(
    view: PackageView,
    module: Module,
    node: ast.stmt,
    name: str,
    names: tuple[str, ...],
    declared: frozenset[str] | None,
) -> Iterator[Problem]:
    top = name.partition(".")[0]
    if top == "mellea":
        yield from _of_mellea(module, node, name, names)
    elif top == view.package:
        inner = name.partition(".")[2]
        yield from _of_package(view, module, node, inner.replace(".", "/"), names)
    elif top in sys.stdlib_module_names:
        yield from _of_the_standard_library(module, node, name, names)
    elif declared is not None and _normal(top) not in declared | ALWAYS_THERE:
        hint = "Declare it in pyproject.toml, or do without it."
        yield module.problem(node, f"{top} is neither in the standard library nor declared", hint)


def _of_the_standard_library(
    module: Module, node: ast.stmt, name: str, names: tuple[str, ...]
) -> Iterator[Problem]:
    home = sys.modules.get(name)  # one that isn't loaded here stays unread: loading it would run code
    for wanted in names if home is not None else ():
        if wanted != "*" and not hasattr(home, wanted) and f"{name}.{wanted}" not in sys.modules:
            yield module.problem(
                node, f"{name} has no {wanted}", "Name what the module has, or drop the import."
            )


def _undefined(module: Module) -> Iterator[Problem]:
    """Yield the names that are used as globals and that neither the module nor Python defines."""
    if any(isinstance(node, ast.ImportFrom) and node.names[0].name == "*" for node in module.nodes):
        return
    scopes = module.scopes
    top = scopes[0]
    globals_set = (
        symbol.get_name()
        for scope in scopes
        for symbol in scope.get_symbols()
        if (scope is top or symbol.is_declared_global()) and (symbol.is_assigned() or symbol.is_imported())
    )
    known = {*globals_set, *dir(builtins), *_OF_MODULES}
    unknown = {
        symbol.get_name()
        for scope in scopes
        for symbol in scope.get_symbols()
        if symbol.is_referenced() and (scope is top or symbol.is_global()) and symbol.get_name() not in known
    }
    for node in module.nodes if unknown else ():
        if isinstance(node, ast.Name) and node.id in unknown:
            yield module.problem(node, f"{node.id} is not defined", "Define it, import it, or drop its use.")


_OF_MODULES: Final = frozenset({"__file__", "__path__", "__annotations__"})
"""Names that every module has, besides those that `builtins` has as well."""


def _of_mellea(module: Module, node: ast.stmt, name: str, names: tuple[str, ...]) -> Iterator[Problem]:
    table = mellea_table()
    known = table.modules.get(name)
    if known is None:
        yield module.problem(node, f"Mellea {table.version} has no module {name}", _nearest(names, name))
        return
    for wanted in names:
        if wanted != "*" and wanted not in known and f"{name}.{wanted}" not in table.modules:
            yield module.problem(
                node, f"{name} has no {wanted} in Mellea {table.version}", _nearest((wanted,), "")
            )


def _nearest(names: tuple[str, ...], module: str) -> str:
    table = mellea_table()
    for wanted in names:
        homes = sorted(
            (home for home, known in table.modules.items() if wanted in known),
            key=lambda home: (home.count("."), home),
        )
        if homes:
            return f"Import {wanted} from {homes[0]}."
    return (
        f"See intermediate/mellea_api_ref.json for what there is{f' instead of {module}' if module else ''}."
    )


def _relative_import_soundness(view: PackageView, module: Module, node: ast.ImportFrom) -> Iterator[Problem]:
    folder = module.name.split("/")[:-1]
    if node.level - 1 > len(folder):
        yield module.problem(node, "the import leaves the package", "Import from within the package.")
        return
    parts = folder[: len(folder) - (node.level - 1)]
    parts += node.module.split(".") if node.module else []
    yield from _of_package(view, module, node, "/".join(parts), tuple(alias.name for alias in node.names))


def _of_package(
    view: PackageView, module: Module, node: ast.stmt, inner: str, names: tuple[str, ...]
) -> Iterator[Problem]:
    carried = next(
        (name for name in (inner, *(_below(inner, name) for name in names)) if _is_carried(name)), ""
    )
    if carried:
        hint = "Run it as a script: the lints don't judge files of the workspace."
        yield module.problem(
            node, f"{carried} is a file or folder of the workspace, not code of the package", hint
        )
        return
    home = view.module_at(f"{inner}.py") or view.module_at(_below(inner, "__init__.py"))
    if home is None:
        if not view.path_of(f"{inner}.py") and not any(
            _is_module(view, _below(inner, name)) for name in names
        ):
            hint = "Emit the module, or drop the import."
            yield module.problem(node, f"the package has no module {inner.replace('/', '.')}", hint)
        return
    for wanted in names:
        if wanted != "*" and not home.defines(wanted) and not _is_module(view, _below(inner, wanted)):
            yield module.problem(node, f"{home.name} has no {wanted}", "Define it there, or drop the import.")


def _below(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def _is_carried(inner: str) -> bool:
    return f"{inner}/".startswith(CARRIED_FOLDERS)


def _is_module(view: PackageView, inner: str) -> bool:
    return view.has(f"{inner}.py") or view.has(f"{inner}/__init__.py")


def _declared(view: PackageView) -> frozenset[str] | None:
    file = view.file("pyproject.toml")
    return None if file is None else _declared_in(file)


def _declared_in(file: EmittedFile) -> frozenset[str] | None:
    try:
        project = tomllib.loads(file.data.decode("utf-8")).get("project", {})
        wanted = [*project.get("dependencies", ())]
        for extra in project.get("optional-dependencies", {}).values():
            wanted += extra
        return frozenset(_normal(re.split(r"[\s<>=!~;\[(@]", line.strip(), maxsplit=1)[0]) for line in wanted)
    except (ValueError, RecursionError, AttributeError, TypeError):  # a field of another type
        return None


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "_", name).lower()


TIME_LIMIT = 120.0
NOT_IMPORTED = "nothing is imported without --import"

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
    """Yield the modules that cannot be imported; this runs the package's top-level code."""
    if view.root is None:
        raise NotValidatable(NOT_IMPORTED)
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


_LONGEST_REPORT: Final = 1_000_000
