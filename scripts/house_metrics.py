"""Print the measures of the source tree as a Markdown table, one column for each tree.

Run `python scripts/house_metrics.py [TREE ...]`; a tree is the root of a checkout, this one unless named.
"""

import ast
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final

from msgspec import Struct

RECORDS: Final = ("Struct", "dataclass", "BaseModel", "TypedDict", "NamedTuple")
CACHES: Final = ("lru_cache", "cache", "cached_property", "ResultCache")
FOLDERS: Final = ("melleafy_tui", "screens", "generators")
LOOSE: Final = ("melleafy_tui", "melleafy_tui/core")
SHORT: Final = 80
COMPLEX: Final = 10

Graph = dict[str, set[str]]


class Module(Struct, frozen=True):
    """One module of the product: its dotted name, its path in the tree, its lines and its syntax tree."""

    name: str
    path: Path
    lines: int
    tree: ast.Module

    @property
    def is_package(self) -> bool:
        """Return whether this is the `__init__.py` of a folder."""
        return self.path.name == "__init__.py"


def read_modules(root: Path) -> dict[str, Module]:
    """Return every module of the product that git knows, by its dotted name."""
    listed = subprocess.run(
        ["git", "ls-files", *(f"{folder}/*.py" for folder in FOLDERS)],
        cwd=root,
        capture_output=True,
        text=True,
        check=True,
    )
    found = {}
    for line in listed.stdout.splitlines():
        parts = list(Path(line).with_suffix("").parts)
        if parts[0] != "melleafy_tui":
            parts.insert(0, "melleafy_tui")
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        text = (root / line).read_text(encoding="utf-8")
        found[name] = Module(name, Path(line), len(text.splitlines()), ast.parse(text))
    return found


def import_graph(modules: Mapping[str, Module], *, at_import: bool) -> Graph:
    """Return which modules each module imports: all of them, or only those that importing it loads."""
    return {name: set(_imports(module, modules, at_import)) - {name} for name, module in modules.items()}


def _imports(module: Module, modules: Mapping[str, Module], at_import: bool) -> Iterator[str]:
    for node in _top_level(module.tree) if at_import else ast.walk(module.tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield from (name for name in (inner if inner in modules else node.module,) if name in modules)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in modules)


def _top_level(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what runs when the module is imported."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            continue
        yield child
        yield from _top_level(child)


def longest_chain(graph: Graph) -> list[str]:
    """Return the longest chain of imports; an import that closes a circle isn't followed."""
    open_now: set[str] = set()

    @cache
    def below(name: str) -> tuple[str, ...]:
        open_now.add(name)
        chains = [list(below(target)) for target in sorted(graph[name]) if target not in open_now]
        open_now.discard(name)
        return (name, *max(chains, key=len, default=[]))

    return max((list(below(name)) for name in sorted(graph)), key=len)


def circles(graph: Graph) -> list[set[str]]:
    """Return the groups of nodes that can all reach each other."""

    def reached(start: str) -> set[str]:
        seen: set[str] = set()
        left = [start]
        while left:
            for target in graph[left.pop()] - seen:
                seen.add(target)
                left.append(target)
        return seen

    reach = {name: reached(name) for name in graph}
    groups = {
        frozenset(other for other in reach[name] if name in reach[other])
        for name in graph
        if name in reach[name]
    }
    return [set(group) for group in groups]


def folder_graph(graph: Graph, modules: Mapping[str, Module]) -> Graph:
    """Return which folders import each other; a module counts for its folder, a loose one for itself."""
    folders: Graph = {}
    for name, targets in graph.items():
        folder = _folder(modules[name])
        others = {_folder(modules[target]) for target in targets} - {folder}
        folders.setdefault(folder, set()).update(others)
        for other in others:
            folders.setdefault(other, set())
    return folders


def _folder(module: Module) -> str:
    parent = module.path.parent
    return str(module.path if str(parent) in LOOSE and not module.is_package else parent)


def sibling_circles(graph: Graph) -> list[set[str]]:
    """Return the circles among what lies in one folder, modules and subfolders, as import-linter counts them."""
    levels: dict[str, Graph] = {}
    for name, targets in graph.items():
        for target in targets:
            parts, others = name.split("."), target.split(".")
            depth = next((n for n, (a, b) in enumerate(zip(parts, others, strict=False)) if a != b), 0)
            if depth:
                level = levels.setdefault(".".join(parts[:depth]), {})
                level.setdefault(parts[depth], set()).add(others[depth])
                level.setdefault(others[depth], set())
    return [group for level in levels.values() for group in circles(level)]


def record_kinds(modules: Iterable[Module]) -> Counter[str]:
    """Return how many classes of each kind of record there are, subclasses of our own included."""
    classes = [node for m in modules for node in ast.walk(m.tree) if isinstance(node, ast.ClassDef)]
    bases = {node.name: [_name(base) for base in node.bases] for node in classes}

    def kind(name: str, seen: frozenset[str] = frozenset()) -> str:
        if name in RECORDS:
            return name
        kinds = (kind(base, seen | {name}) for base in bases.get(name, ()) if base not in seen)
        return next(filter(None, kinds), "")

    counts: Counter[str] = Counter()
    for node in classes:
        decorated = any(_name(decorator) == "dataclass" for decorator in node.decorator_list)
        found = "dataclass" if decorated else next(filter(None, (kind(_name(b)) for b in node.bases)), "")
        counts[found] += 1
    return counts


def _name(node: ast.expr) -> str:
    if isinstance(node, ast.Call):
        return _name(node.func)
    if isinstance(node, ast.Subscript):
        return _name(node.value)
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def cache_uses(modules: Iterable[Module]) -> Counter[str]:
    """Return how often each kind of cache decorates or is called."""
    counts: Counter[str] = Counter()
    for module in modules:
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Call) and _name(node) in CACHES:
                counts[_name(node)] += 1
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                plain = [d for d in node.decorator_list if not isinstance(d, ast.Call)]
                counts.update(_name(decorator) for decorator in plain if _name(decorator) in CACHES)
    return counts


def docstrings(modules: Iterable[Module]) -> tuple[int, int]:
    """Return how many public modules, classes, functions and methods have a docstring, and how many there are."""
    nodes = [node for module in modules for node in _public(module.tree)]
    return sum(ast.get_docstring(node) is not None for node in nodes), len(nodes)


def _public(
    node: ast.Module | ast.ClassDef,
) -> Iterator[ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef]:
    yield node
    for child in node.body:
        if isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            if child.name.startswith("_") or any(_name(d) == "overload" for d in child.decorator_list):
                continue
            if isinstance(child, ast.ClassDef):
                yield from _public(child)
            else:
                yield child


def complex_blocks(root: Path, modules: Iterable[Module]) -> int:
    """Return how many functions have a cyclomatic complexity over 10, counted by ruff."""
    ran = subprocess.run(
        [
            str(Path(sys.executable).with_name("ruff")),
            *("check", "--isolated", "--no-cache", "--ignore-noqa", "--exit-zero", "--output-format=json"),
            *("--select=C901", "--config", f"lint.mccabe.max-complexity={COMPLEX}"),
            *(str(module.path) for module in modules),
        ],
        cwd=root,
        capture_output=True,
        text=True,
        check=True,
    )
    return len(json.loads(ran.stdout))


def measures(root: Path) -> dict[str, str]:
    """Return each measure of a tree as text, by its name."""
    modules = read_modules(root)
    every = list(modules.values())
    all_imports = import_graph(modules, at_import=False)
    importers = Counter(target for targets in all_imports.values() for target in targets)
    lines = Counter[str]()
    for module in every:
        lines[_area(module)] += module.lines
    crumbs = [m for m in every if importers[m.name] == 1 and m.lines < SHORT and not m.is_package]
    knots = circles(folder_graph(all_imports, modules))
    between = sibling_circles(all_imports)
    records, caches = record_kinds(every), cache_uses(every)
    documented, public = docstrings(every)
    loose = Counter(str(m.path.parent) for m in every if not m.is_package)
    return {
        "lines": f"{lines.total():,}",
        **{f"lines in `{area}/`": f"{lines[area]:,}" for area in sorted(lines)},
        "modules": str(len(every)),
        "modules without `__init__.py`": str(sum(not m.is_package for m in every)),
        "loose modules in `melleafy_tui/`": str(loose["melleafy_tui"]),
        "loose modules in `core/`": str(loose["melleafy_tui/core"]),
        f"modules with one importer and under {SHORT} lines": str(len(crumbs)),
        "longest import chain (modules)": str(len(longest_chain(import_graph(modules, at_import=True)))),
        "circles between modules": str(len(circles(all_imports))),
        "circles between neighbours in one folder": str(len(between)),
        "folders in a circle, a folder and its subfolders included": str(sum(map(len, knots))),
        f"functions with a complexity over {COMPLEX}": str(complex_blocks(root, every)),
        **{f"records: {kind}": str(records[kind]) for kind in RECORDS},
        **{f"caches: {kind}": str(caches[kind]) for kind in CACHES},
        "public names with a docstring": f"{documented:,} of {public:,} ({documented / public:.1%})",
    }


def _area(module: Module) -> str:
    parts = [part for part in module.path.parts[:-1] if part != "melleafy_tui"]
    return "/".join(parts[: 2 if parts[:1] == ["core"] else 1]) or "melleafy_tui"


def main(trees: list[str]) -> None:
    """Print the table for some trees."""
    columns = [measures(Path(tree)) for tree in trees]
    names = list(dict.fromkeys(name for column in columns for name in column))
    print(f"| measure | {' | '.join(f'`{Path(tree).resolve().name}`' for tree in trees)} |")
    print("|---|" + "---:|" * len(trees))
    for name in names:
        print(f"| {name} | {' | '.join(column.get(name, '0') for column in columns)} |")


if __name__ == "__main__":
    main(sys.argv[1:] or [str(Path(__file__).parent.parent)])
