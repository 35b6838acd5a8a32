"""Finds the files that a script imports or opens, and the imports that nothing resolves. Nothing is executed.

Python is read with `ast`: a module is looked for beside the script, and in the folders above it if the script changes
`sys.path`. What a script opens is any of its short texts that names a file or a folder near it.
"""

import posixpath
import re
import sys
import tomllib
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from typing import Any, Final

from melleafy_tui.core.models.snapshot import Snapshot, SourceFile
from melleafy_tui.core.source.python_code import facts_of
from melleafy_tui.core.tables import table_beside

_MOST_FILES: Final = 500
"""Files that one script may need; more are a folder of data that it only walks through."""
_LONGEST: Final = 100
_PATH: Final = re.compile(r"[\w./-]*\w")
_SCRIPTS: Final = (".sh", ".bash", ".zsh", ".js", ".mjs", ".cjs", ".ts", ".rb", ".pl")
_ENDING: Final = re.compile(r"\.\w{1,8}$")


def needed_by(scripts: Iterable[str], snapshot: Snapshot, *, modules_only: bool = False) -> frozenset[str]:
    """Return the scripts and all files that they need, at any remove.

    Args:
        scripts: The paths of scripts.
        snapshot: The workspace; a file that isn't open yet needs nothing so far.
        modules_only: Whether only what they import counts.
    """
    found: set[str] = set()
    waiting = [(script, _roots(script, snapshot)) for script in scripts if snapshot.has(script)]
    while waiting:
        path, roots = waiting.pop()
        if path in found:
            continue
        found.add(path)
        source = snapshot.file(path)
        if source is not None and source.text is not None and len(found) < _MOST_FILES:
            waiting += [(each, roots) for each in _imports(source, roots, snapshot)]
            if not modules_only:
                waiting += [(each, roots) for each in _opens(source, snapshot)]
    return frozenset(found)


def unresolved_imports(script: str, snapshot: Snapshot, declared: Collection[str]) -> tuple[str, ...]:
    """Return the modules that a Python script and its own modules import and that nothing provides.

    Args:
        script: The path of the script.
        snapshot: The workspace.
        declared: The modules of the distributions that the source declares.
    """
    roots = _roots(script, snapshot)
    missing: dict[str, None] = {}
    for path in sorted(needed_by((script,), snapshot, modules_only=True)):
        source = snapshot.file(path)
        if source is None or not path.endswith(".py"):
            continue
        facts = facts_of(source)
        relative = {name.lstrip(".") for name in facts.imports if name.startswith(".")}
        for module in facts.imports.keys() - facts.optional - relative:
            top = module.lstrip(".").partition(".")[0]
            is_known = not top or module.startswith(".") or top in sys.stdlib_module_names or top in declared
            if not is_known and not any(_module(top, roots, snapshot)):
                missing[top] = None
    return tuple(sorted(missing))


def _roots(script: str, snapshot: Snapshot) -> tuple[str, ...]:
    """Return the folders in which a script's modules are looked for, nearest first."""
    folder = posixpath.dirname(script)
    source = snapshot.file(script)
    if source is None or "sys.path" not in (source.text or ""):
        return (folder,)
    return tuple(_above(folder))


def _above(folder: str) -> Iterator[str]:
    while True:
        yield folder
        if not folder:
            return
        folder = posixpath.dirname(folder)


def _imports(source: SourceFile, roots: tuple[str, ...], snapshot: Snapshot) -> Iterator[str]:
    folder = posixpath.dirname(source.path)
    for name in facts_of(source).imports if source.path.endswith(".py") else ():
        dots = len(name) - len(name.lstrip("."))
        inside = [folder, *_above(posixpath.dirname(folder))][dots - 1 : dots] if dots else roots
        yield from _module(name.lstrip("."), inside, snapshot)


def _opens(source: SourceFile, snapshot: Snapshot) -> Iterator[str]:
    """Yield what the texts of a script name; a file of data opens nothing."""
    texts: Iterable[str] = ()
    if source.path.endswith(".py"):
        texts = facts_of(source).strings
    elif source.path.endswith(_SCRIPTS) or (source.lines[:1] and source.lines[0].startswith("#!")):
        texts = dict.fromkeys(_PATH.findall(source.text or ""))
    folder = posixpath.dirname(source.path)
    for text in texts:
        if text.rstrip("/").rpartition("/")[2] in snapshot.last_names:
            yield from _opened(text, folder, snapshot)


def _module(name: str, roots: Iterable[str], snapshot: Snapshot) -> Iterator[str]:
    """Yield the files of a module or of the part of its name that is one, the packages above it included."""
    for root in roots:
        path, found = root, []
        for part in name.split("."):
            path = posixpath.join(path, part)
            if snapshot.has(f"{path}.py"):
                found.append(f"{path}.py")
                break
            if not snapshot.has(f"{path}/"):
                break
            init = f"{path}/__init__.py"
            found.append(
                init if snapshot.has(init) else f"{path}/"
            )  # a folder without one loads nothing itself
        if found:
            yield from found
            return


def _opened(text: str, folder: str, snapshot: Snapshot) -> Iterator[str]:
    """Yield the file that a text names, or what lies in the folder that it names, seen from the script."""
    name = posixpath.normpath(text.strip().rstrip("/")) if 0 < len(text.strip()) <= _LONGEST else "."
    while name.startswith("../"):
        name = name[3:]
    if name in (".", "..") or name.startswith("/"):
        return
    for near in _above(folder):
        path = posixpath.join(near, name)
        if snapshot.has(path):
            yield path
            return
        if snapshot.has(f"{path}/") and near and not _ENDING.search(name):
            yield from [each for each in snapshot.below(f"{path}/") if not each.endswith("/")][:_MOST_FILES]
            return


# --- declared requirements --------------------------------------------------------------------------

_MODULES: Final[dict[str, str]] = table_beside(__file__, "distribution_modules.toml")["modules"]
_REQUIREMENT: Final = re.compile(
    r"(?P<name>[A-Za-z][\w.-]{0,80})(?:\[[\w, -]{1,80}\])?\s*(?:[<>=!~]=?\s*[\w.*]{1,30}(?:\s*,\s*)?)*"
)
_INSTALL: Final = re.compile(r"\b(?:pip3?|uv pip|uv) (?:install|add)\s+([^\n`|&;<>]{1,300})")
_INLINE: Final = re.compile(r"(?m)^# /// script\n((?:#.*\n)+?)# ///")


def declared_requirements(snapshot: Snapshot) -> dict[str, str]:
    """Return the requirements that a source declares, by the module that each provides.

    They stand in requirements files, in pyproject.toml, in the head of a script, or behind `pip install` in a text.
    """
    found: dict[str, str] = {}
    for file in snapshot.files:
        for line in _declared(file.path.rpartition("/")[2], file.text or ""):
            match = _REQUIREMENT.fullmatch(line.strip())
            if match is not None:
                name = re.sub(r"[-_.]+", "-", match["name"]).lower()
                found.setdefault(_MODULES.get(name, name.replace("-", "_")), line.strip())
    return found


def _declared(name: str, text: str) -> Iterator[str]:
    if name.startswith("requirements") and name.endswith(".txt"):
        yield from (line.partition("#")[0] for line in text.splitlines())
    elif name == "pyproject.toml":
        yield from _listed(text, lambda table: table.get("project", {}).get("dependencies", ()))
    elif name.endswith(".py"):
        for block in _INLINE.findall(text):
            lines = "\n".join(line[2:] for line in block.splitlines())
            yield from _listed(lines, lambda table: table.get("dependencies", ()))
    elif name.endswith(".md") and " install" in text:
        for words in _INSTALL.findall(text):
            yield from (word.strip("\"'") for word in words.split() if not word.startswith("-"))


def _listed(text: str, of: Callable[[dict[str, Any]], Iterable[object]]) -> Iterator[str]:
    with suppress(tomllib.TOMLDecodeError, AttributeError):
        yield from (str(line).partition(";")[0] for line in of(tomllib.loads(text)))


# --- packages of Node -------------------------------------------------------------------------------

JAVASCRIPT: Final = (".js", ".mjs", ".cjs")
_SPECIFIER: Final = re.compile(
    r"""(?:\bfrom|\brequire\(|\bimport\(|^import)\s{0,9}["'](?P<name>[^"'\n]{1,200})["']""", re.MULTILINE
)
_BUILT_IN: Final = frozenset(table_beside(__file__, "node_modules.toml")["built_in"])


def unresolved_packages(script: str, snapshot: Snapshot) -> tuple[str, ...]:
    """Return the npm packages that a JavaScript file and its own modules import; none is installed with a package."""
    missing: dict[str, None] = {}
    for path in sorted(needed_by((script,), snapshot)):
        source = snapshot.file(path)
        for found in _SPECIFIER.finditer(source.text or "") if source and path.endswith(JAVASCRIPT) else ():
            name, _, rest = found["name"].partition("/")
            if not name.startswith((".", "node:")) and name not in {*_BUILT_IN, ""}:
                missing[f"{name}/{rest.partition('/')[0]}" if name.startswith("@") else name] = None
    return tuple(sorted(missing))
