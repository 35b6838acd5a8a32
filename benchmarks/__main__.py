"""Runs the benchmark suites and prints their tables.

    python -m benchmarks [SUITE…] [--rounds 7] [--small] [--json FILE]

A suite's module is imported when its turn comes: what this process holds would count as memory of the processes that it
starts.
"""

import argparse
from importlib import import_module
from pathlib import Path

from benchmarks.measuring import Figure, commit, table, write_json

SUITES = {
    "starts": "headless",
    "conversions": "headless",
    "inventories": "headless",
    "paint": "paint",
    "keys": "keys",
    "changes": "changes",
    "memory": "memory",
}
"""Each suite and its module."""

GROWTH = "growth"


def main() -> None:
    """Measure what is asked for, print it, and write it as JSON where asked."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__.splitlines()[0])
    parser.add_argument("suites", nargs="*", choices=[*SUITES, GROWTH, []], help="all of them by default")
    parser.add_argument("--rounds", type=int, default=7, help="runs of each row after one to warm up")
    parser.add_argument("--small", action="store_true", help="smaller workspaces, to try the suites out")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there")
    options = parser.parse_args()
    asked = options.suites or [GROWTH, *SUITES]
    print(f"commit {commit()}, {options.rounds} rounds")
    found: list[Figure] = []
    for name in asked:
        print(f"\n## {name}\n", flush=True)
        if name == GROWTH:
            growth = import_module("benchmarks.headless").growth
            for what, slope in growth(min(options.rounds, 3), small=options.small):
                print(f"cost of a preview grows with the number of {what} to the power of {slope:.2f}")
            continue
        suite = getattr(import_module(f"benchmarks.{SUITES[name]}"), name)
        made: list[Figure] = suite(options.rounds, small=options.small)
        print(table(made), flush=True)
        found += made
    if options.json:
        write_json(options.json, found, options.rounds)


if __name__ == "__main__":
    main()
