"""Measures how decisions survive edits of a workspace: rates for each kind of single edit, wrong matches by state.

    python -m benchmarks.rebase [--rewords 1000] [--others 200] [--seed 20261121]

The corpus is `tests/unit/decisions/rules.txt`, rules of our own that share their words; half of the rules, and the
one that is edited, have an override. Each edit goes through the real reader, inventory and plan.
"""

import argparse

from tests.unit.decisions.edits import EDITS, RULES, Figures, measure, reword


def main() -> None:
    """Measure and print a Markdown table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rewords", type=int, default=1_000)
    parser.add_argument("--others", type=int, default=200)
    parser.add_argument("--seed", type=int, default=20261121)
    arguments = parser.parse_args()
    print(f"{len(RULES)} rules, seed {arguments.seed}\n")
    print(
        "| edit | edits | untouched kept | touched: found again | wrong, marked | wrong, unmarked | states |"
    )
    print("|---|---|---|---|---|---|---|")
    for edit in EDITS:
        edits = arguments.rewords if edit is reword else arguments.others
        print(row(edit.__name__.replace("_", " "), measure(edit, edits, arguments.seed)), flush=True)


def row(name: str, figures: Figures) -> str:
    """Return one line of the table."""
    kept = f"{figures.kept / max(1, figures.untouched):.2%} of {figures.untouched:,}"
    deleted = all(match != "right" for _, match in figures.touched)
    found = "-" if deleted else f"{figures.found_again:.1%} of {figures.touched.total():,}"
    states = ", ".join(
        f"{state} {match} {count}" if match != "none" else f"{state} {count}"
        for (state, match), count in figures.touched.most_common()
    )
    cells = (name, figures.edits, kept, found, figures.wrong, len(figures.unmarked), states or "-")
    return f"| {' | '.join(map(str, cells))} |"


if __name__ == "__main__":
    main()
