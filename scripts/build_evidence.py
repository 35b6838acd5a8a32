"""Writes docs/evidence.md from the results in benchmarks/recorded, and measures these anew when asked.

    python scripts/build_evidence.py [--measure NAME …]

NAME is one of `packages`, `decisions` and `secrets`, which come out the same on every machine and which tests hold to
what this checkout gives, or `performance` and `newcomer`, which depend on the machine; `exact` and `all` take several.
`by_hand.json` is what a person measured, with the date.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import textwrap
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

PROJECT: Final = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(PROJECT))

from melleafy_tui.core.source.secrets.detector import find_secrets  # noqa: E402
from scripts import newcomer_minutes, package_cost  # noqa: E402
from scripts.build_reference import table  # noqa: E402
from tests.secrets.lines import read_lines  # noqa: E402
from tests.secrets.test_held_out import LANGUAGES  # noqa: E402
from tests.unit.decisions.edits import EDITS, Edit, Figures, measure, reword  # noqa: E402

RECORDED: Final = PROJECT / "benchmarks" / "recorded"
PAGE: Final = PROJECT / "docs" / "evidence.md"
NOTICE: Final = "<!-- Written by scripts/build_evidence.py from benchmarks/recorded; don't edit it here. -->"
SUITES: Final = ("real", "packages", "trees", "fleet", "growth")
EDITS_OF_A_KIND: Final = 30
REWORDS: Final = 250
RANDOM_SEED: Final = 20261121


def recorded(name: str) -> Any:
    """Return a recorded result."""
    return json.loads((RECORDED / f"{name}.json").read_text(encoding="utf-8"))


# --- what comes out the same everywhere ---------------------------------------------------------


def packages() -> list[dict[str, Any]]:
    """Return what one run of each example's package costs."""
    with tempfile.TemporaryDirectory() as folder:
        found = package_cost.costs({"": PROJECT}, Path(folder))
        return [
            {
                "example": each.example,
                "calls": [each.plain.calls, each.refused.calls],
                "tokens": [each.plain.tokens, each.refused.tokens],
            }
            for each in found
        ]


def edits_of(edit: Edit) -> Figures:
    """Return what single edits of a kind do to decisions."""
    return measure(edit, REWORDS if edit is reword else EDITS_OF_A_KIND, RANDOM_SEED)


def decision_row(edit: Edit, found: Figures) -> dict[str, Any]:
    """Return the record of the edits of a kind."""
    states = Counter[str]()
    for (state, match), count in found.touched.items():
        states[f"{state} on another rule" if match == "wrong" else state] += count
    return {
        "edit": edit.__name__.replace("_", " "),
        "edits": found.edits,
        "untouched": [found.kept, found.untouched],
        "edited": dict(sorted(states.items())),
        "unmarked": len(found.unmarked),
    }


def decisions() -> list[dict[str, Any]]:
    """Return how decisions follow each kind of edit."""
    return [decision_row(edit, edits_of(edit)) for edit in EDITS]


def secrets() -> list[dict[str, Any]]:
    """Return how many values of each kind are masked, or masked and asked about, in lines that nobody tuned for."""
    total, masked, asked = Counter[str](), Counter[str](), Counter[str]()
    for line in read_lines():
        if line.secrets and line.language not in LANGUAGES:
            continue
        spans = find_secrets(line.text)
        kind = line.kind if line.secrets else "look-alike"
        for value in line.secrets or (line.text,):
            place = line.text.index(value)
            hits = [
                span
                for span in spans
                if not line.secrets or (span.start <= place and place + len(value) <= span.end)
            ]
            total[kind] += 1
            masked[kind] += any(span.sure for span in hits)
            asked[kind] += bool(hits) and not any(span.sure for span in hits)
    return [
        {"kind": kind, "lines": count, "masked": masked[kind], "asked": asked[kind]}
        for kind, count in sorted(total.items())
    ]


# --- what depends on the machine ----------------------------------------------------------------


def performance() -> Any:
    """Run the benchmarks and return their figures, with commit, floors and load."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bench.json"
        subprocess.run(
            [sys.executable, "-m", "benchmarks", *SUITES, "--json", str(path)], cwd=PROJECT, check=True
        )
        return json.loads(path.read_text(encoding="utf-8"))


def newcomer() -> Any:
    """Go each route of the README with empty and with warm caches, and return the seconds of its steps."""
    load, rows = os.getloadavg()[0], []
    for warm in (False, True):
        for route in newcomer_minutes.INSTALLS:
            with tempfile.TemporaryDirectory() as place:
                steps = newcomer_minutes.measured(route, Path(place), warm=warm)
                taken = {step.name: round(step.seconds, 1) for step in steps}
            rows.append({"route": route, "caches": "warm" if warm else "empty", "seconds": taken})
    return {"commit": commit(), "load": round(load, 1), "rows": rows}


def commit() -> str:
    """Return the commit of this checkout."""
    command = ["git", "describe", "--always", "--dirty=+"]
    return subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=True).stdout.strip()


EXACT: Final[dict[str, Callable[[], Any]]] = {
    "packages": packages,
    "decisions": decisions,
    "secrets": secrets,
}
ALL: Final = {**EXACT, "performance": performance, "newcomer": newcomer}


# --- the page -----------------------------------------------------------------------------------


def page() -> str:
    """Return docs/evidence.md."""
    parts = [
        "# Evidence",
        NOTICE,
        "Figures that were measured, each with the command that measures it. What comes out the same on every "
        "machine (packages, decisions, secrets) is held by tests to what this release gives.",
        *_speed(recorded("performance")),
        *_packages(recorded("packages")),
        *_decisions(recorded("decisions")),
        *_secrets(recorded("secrets")),
        *_newcomer(recorded("newcomer")),
        *_by_hand(recorded("by_hand")),
    ]
    return "\n\n".join(part if part.startswith(("|", "<!--")) else _filled(part) for part in parts) + "\n"


def _filled(text: str) -> str:
    """Return a paragraph in lines that are as long as those of the other pages."""
    return textwrap.fill(text, width=119, break_long_words=False, break_on_hyphens=False)


def _speed(found: Any) -> Iterable[str]:
    yield "## Speed and memory"
    yield (
        "A figure is compared with a floor: a program, measured in turn with it, that does the unavoidable part with "
        "the same libraries. Ratios travel between machines, milliseconds don't. "
        f"Measured by `make bench` at commit {found['commit']}, Python {found['python']}, {found['cores']} cores, "
        f"load {found['load']:g}; medians of processor time."
    )
    rows = [
        (
            figure["name"],
            f"{figure['milliseconds']:,.0f} ± {figure['spread']:.0f} ms" if figure["milliseconds"] else " ",
            f"{figure['megabytes']:.0f} MB" if figure["megabytes"] else " ",
            figure["floor"],
            f"{figure['ratio']:.2f}",
            f"{figure['target']:g}" if figure["target"] else " ",
        )
        for figure in found["figures"]
        if figure["floor"]
    ]
    yield table(("what", "time", "memory", "compared with", "ratio", "aim"), rows)


def _packages(found: Any) -> Iterable[str]:
    yield "## What a run of a package costs"
    yield (
        "Model calls and estimated prompt tokens of one message to each example's package, first where every rule is "
        "kept, then where the judge finds every rule broken. Measured by `python scripts/package_cost.py`."
    )
    yield table(
        ("example", "calls", "all broken", "prompt tokens", "all broken"),
        (
            (row["example"], *map(str, row["calls"]), *(f"{tokens:,}" for tokens in row["tokens"]))
            for row in found
        ),
    )


def _decisions(found: Any) -> Iterable[str]:
    yield "## Decisions after an edit of the workspace"
    yield (
        "Single random edits of 127 rules that share their words, half of them with a decision. A reworded rule had a "
        "fifth of its words replaced, dropped or added. Measured by `python -m benchmarks.rebase`."
    )
    yield table(
        ("edit", "edits", "decisions on other rules that held", "decision on the edited rule"),
        (
            (
                row["edit"],
                str(row["edits"]),
                f"{row['untouched'][0]:,} of {row['untouched'][1]:,}",
                ", ".join(f"{count} {state}" for state, count in row["edited"].items()) or " ",
            )
            for row in found
        ),
    )
    unmarked = sum(row["unmarked"] for row in found)
    yield (
        f"{unmarked or 'None'} was applied to another rule without a mark. "
        "[Decisions](decisions.md#when-the-source-changes) explains the states."
    )


def _secrets(found: Any) -> Iterable[str]:
    yield "## Secrets"
    lines = sum(row["lines"] for row in found)
    yield (
        f"{lines} values and lines in ten languages that no writer of the detector has read. “Asked” is masked until "
        "you answer. Measured by `python scripts/build_evidence.py --measure secrets`."
    )
    yield table(
        ("kind", "lines", "masked", "asked"),
        ((row["kind"], str(row["lines"]), str(row["masked"]), str(row["asked"])) for row in found),
    )


def _newcomer(found: Any) -> Iterable[str]:
    yield "## From a clone to the first package and answer"
    yield (
        f"Seconds of the README's commands, by `make newcomer`, at commit {found['commit']}, load {found['load']:g}."
    )
    yield table(
        ("route", "caches", "seconds of each step", "in all"),
        (
            (
                row["route"],
                row["caches"],
                ", ".join(f"{name} {seconds:g}" for name, seconds in row["seconds"].items()),
                f"{sum(row['seconds'].values()):.0f}",
            )
            for row in found["rows"]
        ),
    )


def _by_hand(found: Any) -> Iterable[str]:
    yield "## Measured by hand"
    yield table(("what", "result", "when"), ((row["what"], row["result"], row["when"]) for row in found))


def main() -> None:
    """Measure what is asked for, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--measure", nargs="+", default=[], choices=[*ALL, "exact", "all"], metavar="NAME")
    asked = parser.parse_args().measure
    for name, result in ALL.items():
        if {name, "all"} & {*asked} or ("exact" in asked and name in EXACT):
            text = json.dumps(result(), indent=1, ensure_ascii=False) + "\n"
            (RECORDED / f"{name}.json").write_text(text, encoding="utf-8")
            print(f"Measured: {name}", flush=True)
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
