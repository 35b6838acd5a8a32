"""Runs the benchmark suites and prints their tables.

    python -m benchmarks [SUITE…] [--rounds 7] [--small] [--json FILE] [--before JSON_OR_CHECKOUT] [--profile]

With the checkout of an earlier commit as BEFORE, each of its rows is run in turn with the row of this one. Without a
suite, the workspaces like real ones (`real`) are measured; `all` takes every suite.

A suite's module is imported when its turn comes: what this process holds would count as memory of the processes that it
starts.
"""

import argparse
from importlib import import_module
from pathlib import Path

from benchmarks.measuring import Figure, against, commit, earlier, table, write_json

SUITES = ("real", "packages", "trees", "fleet", "growth", "keys", "changes")
"""Each is a function in the module of its name."""

ALL = "all"


def main() -> None:
    """Measure what is asked for, print it, and write it as JSON where asked."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__.splitlines()[0])
    parser.add_argument("suites", nargs="*", choices=[*SUITES, ALL, []], help="real by default")
    parser.add_argument("--rounds", type=int, default=7, help="runs of each row after one to warm up")
    parser.add_argument("--small", action="store_true", help="smaller workspaces, to try the suites out")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there")
    parser.add_argument(
        "--before", type=Path, metavar="PATH", help="figures of an earlier run, or a checkout"
    )
    parser.add_argument(
        "--profile", action="store_true", help="print the top functions of the largest real shape"
    )
    options = parser.parse_args()
    if options.profile:
        import_module("benchmarks.real").profile()
        return
    asked = SUITES if ALL in options.suites else options.suites or ["real"]
    before = earlier(options.before) if options.before and options.before.is_file() else None
    if options.before and before is None:
        before = {}
        against(options.before, before)
    print(f"commit {commit()}, {options.rounds} rounds")
    found: list[Figure] = []
    for name in asked:
        suite = getattr(import_module(f"benchmarks.{name}"), name)
        made: list[Figure] = suite(options.rounds, small=options.small)
        found += made
    print()
    print(table(found, before), flush=True)
    if options.json:
        write_json(options.json, found, options.rounds)


if __name__ == "__main__":
    main()
