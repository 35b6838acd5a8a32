"""Measures the headless door: cold starts, conversions from one desk to ten thousand files, memory, and growth."""

import sys
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from benchmarks.measuring import PROJECT, Figure, Row, exponent, measured, process
from benchmarks.workspaces import make_workspace

EXAMPLE = PROJECT / "examples" / "ticket-triage"
IMPORTS = "import pydantic, markdown_it, yaml, jinja2"
FLOORS = (sys.executable, "-m", "benchmarks.floors")
DOOR = (sys.executable, "-m", "melleafy_tui")


def starts(rounds: int, *, small: bool) -> list[Figure]:  # noqa: ARG001 - one size
    """Measure what every command pays before it does anything."""
    python = sys.executable
    bare = "bare interpreter"
    return measured(
        "starts",
        [
            Row(bare, partial(process, [python, "-c", "pass"])),
            Row("--help", partial(process, [*DOOR, "--help"]), (bare,), 3.0),
            Row("--version", partial(process, [*DOOR, "--version"]), (bare,), 3.0),
            Row("the libraries' imports", partial(process, [python, "-c", IMPORTS])),
            Row(
                "detect",
                partial(process, [*DOOR, "detect", str(EXAMPLE), "--json"]),
                ("the libraries' imports",),
            ),
        ],
        rounds,
    )


def conversions(rounds: int, *, small: bool) -> list[Figure]:
    """Measure whole conversions against the least that they do."""
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        sizes = (100, 200) if small else (1_000, 2_000)
        big = scratch / "big"
        make_workspace(big, *sizes)
        rows: list[Row] = []
        for name, source, target in (
            ("the example", EXAMPLE, 1.3),
            (f"{sizes[0]} files, {sizes[1]} rules", big, 1.5),
        ):
            written = scratch / f"{source.name}-written"
            process(_convert(source, written))
            least = [*FLOORS, "convert", str(source), str(written), str(scratch / "copied")]
            floor = f"floor of {name}"
            rows += [
                Row(floor, partial(process, least)),
                Row(f"convert {name}", partial(process, _convert(source, written)), (floor,), target),
            ]
        return measured("conversions", rows, rounds)


def inventories(rounds: int, *, small: bool) -> list[Figure]:
    """Measure the inventory of many wiki files against reading them with their frontmatter."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "wiki"
        pages = 1_000 if small else 10_000
        make_workspace(root, pages, 20)
        read = f"read {pages} wiki files"
        return measured(
            "inventories",
            [
                Row(read, partial(process, [*FLOORS, "read", str(root)])),
                Row(
                    f"inventory of {pages} wiki files",
                    partial(process, [*DOOR, "inventory", str(root), "--json"]),
                    (read,),
                    2.0,
                ),
            ],
            rounds,
        )


def growth(rounds: int, *, small: bool) -> list[tuple[str, float]]:
    """Return how the cost of a preview grows with files and with rules, as exponents beside the cold start."""
    sizes: Sequence[int] = (10, 100, 300, 1_000) if small else (10, 100, 1_000, 10_000)
    found = []
    for what in ("files", "rules"):
        with tempfile.TemporaryDirectory() as folder:
            rows = []
            for size in sizes:
                root = Path(folder) / str(size)
                make_workspace(root, *((size, 10) if what == "files" else (1, size)))
                command = [*DOOR, "preview", str(root), "--json"]
                rows.append(Row(str(size), partial(process, command)))
            costs = [figure.milliseconds for figure in measured("growth", rows, rounds)]
            found.append((what, exponent(sizes, costs)))
    return found


def _convert(source: Path, out: Path) -> list[str]:
    return [*DOOR, str(source), "--dependencies=auto", "--quiet", "--force", "--out", str(out)]
