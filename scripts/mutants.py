"""Measure what the tests notice: small random faults in the product, and which part of the suite finds each.

    python scripts/mutants.py list                              the faults of the default seed
    python scripts/mutants.py run --into quick.json             each against the quick tests
    python scripts/mutants.py run --slow --only 3,17            two of them against the slow ones

A mutant changes one expression: a comparison, `and` or `or`, a sign, a number, a truth value, a condition, or a
returned value. `run` works in a copy of the repository. It first runs the tests once with a probe at the place of
each mutant, then each mutant against the test modules that reached its place, until the first failure; a mutant
that no test reaches survives. A place that runs at import counts as reached by every module.
"""

import argparse
import ast
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
PRODUCT = ("melleafy_tui", "screens", "generators")
SEED, COUNT = 16, 40
PROBES = "MUTANT_PROBES"

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
}

PROBE = """
import os as _os
def _probe(number, value):
    test = _os.environ.get("PYTEST_CURRENT_TEST", "import").partition("::")[0].replace("/", "%")
    try:
        _os.close(_os.open(f"{_os.environ['MUTANT_PROBES']}/{number}@{test}", _os.O_CREAT))
    except (OSError, KeyError):
        pass
    return value
import builtins as _builtins
_builtins._probe = _probe
"""


@dataclass(frozen=True)
class Mutant:
    """One fault: the expression that is replaced, by its place in the file."""

    path: str
    line: int
    start: int
    end: int
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.before!r} -> {self.after!r}"


def changed(node: ast.AST) -> ast.expr | None:
    """Return an expression that means something else, or None where the node offers no fault."""
    match node:
        case ast.Compare(left=left, ops=[op], comparators=right) if type(op) in COMPARISONS:
            return ast.Compare(left, [COMPARISONS[type(op)]()], right)
        case ast.BoolOp(op=op, values=values):
            return ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return operand
        case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATORS:
            return ast.BinOp(left, OPERATORS[type(op)](), right)
        case ast.Constant(value=bool(value)):
            return ast.Constant(not value)
        case ast.Constant(value=int(value)):
            return ast.Constant(value + 1)
        case ast.IfExp(test=test, body=body, orelse=orelse):
            return ast.IfExp(test, orelse, body)
    return None


def evaluated(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes that run and whose place is known: no patterns, no annotations, nothing inside an f-string."""
    yield node
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not isinstance(child, ast.pattern | ast.JoinedStr):
                yield from evaluated(child)


def candidates(root: Path) -> Iterator[Mutant]:
    """Yield every fault that the product offers, in the order of files and places."""
    paths = [path for folder in PRODUCT for path in sorted((root / folder).rglob("*.py"))]
    for path in paths:
        inside = path.relative_to(root)
        if inside.parts[:2] in {("melleafy_tui", n) for n in PRODUCT}:
            continue
        source = path.read_text(encoding="utf-8")
        starts = [0]
        for text in source.encode().splitlines(keepends=True):
            starts.append(starts[-1] + len(text))
        tree = ast.parse(source)
        nodes: list[tuple[ast.expr, ast.expr]] = []
        for node in evaluated(tree):
            if isinstance(node, ast.Return) and node.value is not None:
                if not isinstance(node.value, ast.Constant):
                    nodes.append((node.value, ast.Constant(None)))
            elif isinstance(node, ast.expr) and (replacement := changed(node)) is not None:
                nodes.append((node, replacement))
        for node, replacement in nodes:
            assert node.end_lineno is not None
            assert node.end_col_offset is not None
            start = starts[node.lineno - 1] + node.col_offset
            end = starts[node.end_lineno - 1] + node.end_col_offset
            after = ast.unparse(ast.fix_missing_locations(ast.copy_location(replacement, node)))
            before = source.encode()[start:end].decode()
            yield Mutant(inside.as_posix(), node.lineno, start, end, before, after)


def chosen(root: Path, seed: int, count: int) -> list[Mutant]:
    """Return the faults of a seed, in the order of files and places."""
    every = list(candidates(root))
    picked = random.Random(seed).sample(range(len(every)), count)
    return [every[number] for number in sorted(picked)]


def put(root: Path, mutants: list[tuple[Mutant, str]]) -> Callable[[], None]:
    """Replace expressions in the tree at `root` and return what puts the files back as they were."""
    by_file: dict[Path, list[tuple[Mutant, str]]] = defaultdict(list)
    for mutant, text in mutants:
        by_file[root / mutant.path].append((mutant, text))
    before = {path: path.read_bytes() for path in by_file}
    for path, changes in by_file.items():
        data = before[path]
        for mutant, text in sorted(changes, key=lambda change: -change[0].start):
            data = data[: mutant.start] + text.encode() + data[mutant.end :]
        path.write_bytes(data)

    def restore() -> None:
        for path, data in before.items():
            path.write_bytes(data)

    return restore


def all_pass(root: Path, marks: str, *arguments: str, probes: Path | None = None) -> bool:
    """Run tests of the tree at `root` and return whether all passed."""
    environment = {**os.environ, "PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1"}
    if probes is not None:
        environment[PROBES] = str(probes)
    command = [sys.executable, "-m", "pytest", "-q", "-m", marks, "-n", "2", "--dist", "loadfile", *arguments]
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)
    (root / "mutants.log").write_text(done.stdout[-20_000:] + done.stderr[-5_000:], encoding="utf-8")
    return done.returncode in (0, 5)


def reached(root: Path, mutants: list[Mutant], marks: str) -> dict[int, list[str]]:
    """Return the test modules that execute the place of each mutant; all of them for one that an import executes."""
    probes = Path(tempfile.mkdtemp(prefix="probes-"))
    site = root / "melleafy_tui" / "__init__.py"
    kept = site.read_bytes()
    inside_another = {
        number
        for number, mutant in enumerate(mutants)
        for other in mutants
        if other is not mutant and other.path == mutant.path and other.start <= mutant.start < other.end
    }
    restore = put(
        root,
        [
            (mutant, f"_probe({number}, ({mutant.before}))")
            for number, mutant in enumerate(mutants)
            if number not in inside_another
        ],
    )
    site.write_bytes(kept + PROBE.encode())
    try:
        if not all_pass(root, marks, probes=probes):
            print("warning: tests failed with the probes in place; see mutants.log", file=sys.stderr)
    finally:
        restore()
        site.write_bytes(kept)
    found: dict[int, list[str]] = {
        number: ["import"] if number in inside_another else [] for number in range(len(mutants))
    }
    for path in sorted(probes.iterdir()):
        number, _, module = path.name.partition("@")
        found[int(number)].append(module.replace("%", "/"))
    shutil.rmtree(probes)
    return found


def run(options: argparse.Namespace) -> int:
    """Try each mutant and print one line for it, with the modules that reached it and whether one failed."""
    mutants = chosen(PROJECT, options.seed, options.count)
    root = Path(tempfile.mkdtemp(prefix="mutants-")) / "clone"
    subprocess.run(["git", "clone", "--quiet", str(PROJECT), str(root)], check=True)
    marks = "slow and not long" if options.slow else "not slow and not long"
    if options.tests:
        shutil.rmtree(root / "tests")
        shutil.copytree(options.tests, root / "tests", symlinks=True)
    only = {int(n) for n in options.only.split(",")} if options.only else set(range(len(mutants)))
    modules = reached(root, mutants, marks)
    results = []
    for number, mutant in enumerate(mutants):
        if number not in only:
            continue
        paths = modules[number]
        tests = [] if "import" in paths else paths
        restore = put(root, [(mutant, f"({mutant.after})")])
        try:
            killed = bool(paths) and not all_pass(root, marks, "-x", *tests)
        finally:
            restore()
        results.append({"number": number, **asdict(mutant), "reached_by": len(paths), "killed": killed})
        print(
            f"{number:3} {'killed' if killed else 'SURVIVED':8} {len(paths):3} modules  {mutant}", flush=True
        )
    if options.into:
        Path(options.into).write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    print(f"{sum(bool(r['killed']) for r in results)} of {len(results)} killed")
    shutil.rmtree(root.parent)
    return 0


def main() -> int:
    """Read the command line and list or try the mutants."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("command", choices=("list", "run"))
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--count", type=int, default=COUNT)
    parser.add_argument("--only", default="", help="numbers of mutants, with commas")
    parser.add_argument("--slow", action="store_true", help="the slow tests instead of the quick ones")
    parser.add_argument("--tests", help="a tests folder to use instead of this repository's")
    parser.add_argument("--into", help="a JSON file for the results")
    options = parser.parse_args()
    if options.command == "run":
        return run(options)
    for number, mutant in enumerate(chosen(PROJECT, options.seed, options.count)):
        print(f"{number:3} {mutant}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
