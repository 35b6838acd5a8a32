"""Print what the examples' packages cost as a Markdown table: model calls, prompt tokens, and lines of Python.

    python scripts/package_cost.py [TREE ...]

A tree is the root of a checkout with its own `.venv`, this one unless named; each converts the examples of this tree.
The packages run on Mellea against the stand-in server of this tree, which counts the calls and measures the prompts.
"""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from msgspec import Struct

from melleafy_tui.core.language.text_measures import estimated_tokens, letters_and_signs
from melleafy_tui.core.output.emitted import find_package
from melleafy_tui.core.smoke.fake_server import FakeModelServer
from melleafy_tui.core.smoke.scripted_model import Behaviour
from melleafy_tui.generators.static_modules import STATIC_MODULES

ROOT: Final = Path(__file__).resolve().parents[1]
AS_OF: Final = "2026-11-01"
MESSAGE: Final = "Please look at case 4711 for me."
RUN: Final = """\
import importlib, inspect, sys
run = importlib.import_module(sys.argv[1] + ".pipeline").run_pipeline
given = inspect.signature(run).parameters.values()
run(**{each.name: sys.argv[2] for each in given if each.default is each.empty})
"""
COPIED: Final = ("references", "scripts", "assets")
HEADER: Final = (
    "| example | tree | calls | judge says no | prompt tokens | judge says no "
    "| printed lines | fixtures | static |"
)


class Cost(Struct, frozen=True):
    """The calls and prompt tokens of a run, or nothing where the run failed."""

    calls: int
    tokens: int


class ExampleCost(Struct, frozen=True):
    """What the package of an example costs: where every rule is kept, and where the judge finds all of them broken."""

    example: str
    tree: str
    package: Path
    plain: Cost
    refused: Cost


def convert(tree: Path, example: Path, out: Path) -> Path:
    """Return the package that the converter of a tree makes of an example."""
    python = tree / ".venv" / "bin" / "python"
    told = (str(example), "--dependencies=auto", "--out", str(out), "--as-of", AS_OF)
    subprocess.run(
        [str(python), "-m", "melleafy_tui", *told], cwd=tree, check=True, capture_output=True, text=True
    )
    return find_package(out)


def run_cost(package: Path, server: FakeModelServer, message: str, behaviour: Behaviour) -> Cost:
    """Return what one run of a package costs."""
    server.calls.clear()
    server.behaviour = behaviour
    subprocess.run(
        [sys.executable, "-c", RUN, package.name, message],
        cwd=package.parent,
        env={**os.environ, "OLLAMA_HOST": server.url, "NO_PROXY": "127.0.0.1"},
        check=False,
        capture_output=True,
    )
    tokens = sum(estimated_tokens(*letters_and_signs([call.prompt])) for call in server.calls)
    return Cost(len(server.calls), tokens)


def lines_of(package: Path, *, static: bool) -> tuple[int, int]:
    """Return the lines of Python and, among them, those of fixtures; static modules alone, or printed ones alone."""
    total = fixtures = 0
    for path in package.rglob("*.py"):
        name = path.relative_to(package).as_posix()
        if name.startswith(COPIED) or is_static(path) is not static:
            continue
        lines = len(path.read_text(encoding="utf-8").splitlines())
        total += lines
        fixtures += lines if name.startswith("fixtures/") else 0
    return total, fixtures


def is_static(path: Path) -> bool:
    """Return whether a module of a package is the same in every package."""
    return path.name in {Path(name).name for name in STATIC_MODULES} and "Static module" in path.read_text(
        encoding="utf-8"
    )


def costs(trees: Mapping[str, Path], folder: Path) -> Iterator[ExampleCost]:
    """Yield what each example's package costs with the converter of each tree.

    Args:
        trees: Roots of checkouts by name.
        folder: Where the packages are written.
    """
    with FakeModelServer() as server:
        for example in sorted(path for path in (ROOT / "examples").iterdir() if path.is_dir()):
            for name, tree in trees.items():
                package = convert(tree, example, folder / name / example.name)
                yield ExampleCost(
                    example.name,
                    name,
                    package,
                    run_cost(package, server, MESSAGE, Behaviour.PLAIN),
                    run_cost(package, server, MESSAGE, Behaviour.JUDGE_SAYS_NO),
                )


def row(cost: ExampleCost) -> str:
    """Return the row of an example."""
    printed, fixtures = lines_of(cost.package, static=False)
    static, _ = lines_of(cost.package, static=True)
    cells = (cost.plain.calls, cost.refused.calls, f"{cost.plain.tokens:,}", f"{cost.refused.tokens:,}")
    lines = (printed - fixtures, fixtures, f"{static:,}")
    return f"| {cost.example} | {cost.tree} | {' | '.join(map(str, (*cells, *lines)))} |"


def main(arguments: list[str]) -> None:
    """Print the table."""
    given = [Path(argument).resolve() for argument in arguments] or [ROOT]
    trees = {tree.name: tree for tree in given}
    print(HEADER)
    print("|---|---|" + "--:|" * 7)
    with TemporaryDirectory() as folder:
        for cost in costs(trees, Path(folder)):
            print(row(cost), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
