"""Fits the points that say how sure a tag is, and writes `core/dialects/openclaw/confidence_points.tsv`.

    python -m scripts.fit_confidence LABELS.json... CORPUS [--check FOLDS]

LABELS and CORPUS are those of `scripts/score_labels.py`. For each tag, a logistic regression (log loss, squared
weights, L-BFGS) tells the lines on which a careful reader accepts it from the others, by the evidence of
`confidence_evidence.py`, in which what the rules said is one piece among others. So the rules must be judged on lines
for which none of them was written: the lines of `FRESH` weigh most. `--check` writes nothing; it fits without one share
of the repositories after the other, and prints how often tags of the fresh lines of each share were wrong.
"""

import argparse
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from math import sqrt
from pathlib import Path
from random import Random
from typing import Final

import numpy as np
from msgspec import Struct
from scripts.fit_secret_weights import Rows, Vector, least

from melleafy_tui.core.dialects.openclaw import confidence
from melleafy_tui.core.dialects.openclaw.confidence import START, PointsTable, has_points, weighed
from melleafy_tui.core.dialects.openclaw.confidence_evidence import evidence
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import Tag
from scripts.score_labels import (
    KEPT_FOR_SCORING,
    Label,
    Scored,
    elements_of,
    holds,
    read_labels,
    reliability,
)

FRESH: Final = ("labels-blind-twelfth", "labels-thirteenth-practice")
"""Label files of lines for which no rule was written."""
CHECKED: Final = "labels-thirteenth-practice"
KEPT_FILES: Final = ("labels-unseen-scored",)
OTHER_SHARE: Final = 0.3
"""How much a line of another label file counts: on those the rules look better than they are."""
SECOND: Final = 0.7
"""How much a tag that a label names second counts as accepted."""
FEWEST_REPOSITORIES: Final = 5
"""Evidence in fewer repositories gets no points: it may be text of one workspace."""
ROWS: Final = 700
SHRINKING: Final = 6.0
ROUNDS: Final = 40
LEAST_POINTS: Final = 1
TAGS: Final = tuple(tag.value for tag in Tag)


class Example(Struct, frozen=True):
    """A labelled line: its label file, its label, its element as the rules read it, and the evidence."""

    file: str
    label: Label
    element: Element
    evidence: tuple[str, ...]


def examples(files: Iterable[Path], corpus: Path) -> Iterator[Example]:
    """Yield the labelled lines; those of repositories that are kept for scoring are left out."""
    by_workspace: dict[Path, list[tuple[str, Label]]] = defaultdict(list)
    for file in files:
        for label in read_labels(file) if file.stem not in KEPT_FILES else ():
            if label.repo not in KEPT_FOR_SCORING:
                by_workspace[corpus / label.repo.replace("/", "+") / label.ws].append((file.stem, label))
    for root, labels in by_workspace.items():
        elements = elements_of(root, rules_alone=True) if root.is_dir() else ()
        described = list(evidence(elements, has_points))
        for name, label in labels:
            for element, found in zip(elements, described, strict=True):
                if element.source_file == label.file and holds(element, label.line):
                    yield Example(name, label, element, tuple(found))
                    break


def accepted(label: Label, outcome: str) -> float:
    """Return how much a label accepts a tag."""
    if outcome in label.first_tags:
        return 1.0
    return SECOND if outcome in label.tags else 0.0


def fit(found: Sequence[Example]) -> PointsTable:
    """Return the points of the evidence in some examples."""
    known = [example for example in found if example.evidence]
    repositories: dict[str, set[str]] = defaultdict(set)
    for example in known:
        for name in example.evidence:
            repositories[name].add(example.label.repo)
    names = sorted(name for name, seen in repositories.items() if len(seen) >= FEWEST_REPOSITORIES)
    outcomes = [outcome for outcome in TAGS if any(accepted(each.label, outcome) for each in known)]
    first = {outcome: fit_outcome(known, outcome, names) for outcome in outcomes}
    counts = {name: sum(name in each.evidence for each in known) for name in names}

    def worth(name: str) -> float:
        return sqrt(counts[name]) * sum(sorted(abs(first[outcome][name]) for outcome in outcomes)[-3:])

    chosen = sorted(sorted(names, key=worth, reverse=True)[:ROWS])
    final = {outcome: fit_outcome(known, outcome, chosen) for outcome in outcomes}
    return PointsTable(
        {
            name: " ".join(
                f"{outcome} {points}"
                for outcome in outcomes
                if abs(points := round(10 * final[outcome][name])) >= LEAST_POINTS or name == START
            )
            for name in (START, *chosen)
        }
    )


def fit_outcome(found: Sequence[Example], outcome: str, names: Sequence[str]) -> dict[str, float]:
    """Return the weights of the evidence for one tag."""
    numbers = {name: number for number, name in enumerate(names, 1)}
    rows = Rows(
        [[0, *(numbers[name] for name in dict.fromkeys(each.evidence) if name in numbers)] for each in found]
    )
    wanted = np.array([accepted(each.label, outcome) for each in found])
    shares = np.array([1.0 if each.file in FRESH else OTHER_SHARE for each in found])

    def loss(point: Vector) -> tuple[float, Vector]:
        points = rows.sums(point)
        total = float(shares @ (np.logaddexp(0.0, points) - wanted * points) + SHRINKING * point @ point / 2)
        steps = shares * (1.0 / (1.0 + np.exp(-np.clip(points, -30, 30))) - wanted)
        return total, SHRINKING * point + rows.spread(steps, len(point))

    fitted = least(loss, np.zeros(len(names) + 1), ROUNDS)
    return dict(zip((START, *names), map(float, fitted), strict=True))


def check(found: Sequence[Example], folds: int) -> Iterator[str]:
    """Yield how often tags of fresh lines are wrong, by confidence, in repositories that weren't fitted on."""
    repositories = sorted({example.label.repo for example in found})
    Random(7).shuffle(repositories)
    read: list[Scored] = []
    for fold in range(folds):
        out = frozenset(repositories[fold::folds])
        fitted = fit([example for example in found if example.label.repo not in out])
        for each in found:
            if each.file == CHECKED and each.label.repo in out:
                element = weighed(each.element, each.evidence, fitted) if each.evidence else each.element
                read.append(Scored(each.label, "", element, ""))
    yield from reliability(read)


def main() -> None:
    """Fit the points and write them, or check them."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("labels", type=Path, nargs="+")
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--check", type=int, default=0, metavar="FOLDS")
    options = parser.parse_args()
    found = list(examples(options.labels, options.corpus))
    print(f"{len(found)} labelled lines")
    if options.check:
        print("\n".join(check(found, options.check)))
        return
    fitted = fit(found)
    place = Path(str(confidence.__file__)).with_name("confidence_points.tsv")
    place.write_text("".join(f"{name}\t{cells}\n" for name, cells in fitted.cells.items()), "utf-8")


if __name__ == "__main__":
    main()
