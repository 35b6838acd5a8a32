"""Fits the points of the evidence for secrets and writes them to `core/source/secrets/weights.py`.

    python -m scripts.fit_secret_weights --texts FILE [--known FILE]

It needs numpy, which Mellea brings. A logistic regression (log loss, half the sum of squares of all weights, L-BFGS)
over the values that the detector considers. Those of `tests/secrets/practice_*.jsonl` are labelled; `lines.jsonl` is
kept out, so that it measures. The other values come from real files: FILE after `--texts` holds a path on each line,
and values there count as secrets only if they are lines of FILE after `--known`; those with a form of their own are
left out.
"""

import argparse
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from msgspec import Struct

from melleafy_tui.core.source.secrets import weights
from melleafy_tui.core.source.secrets.candidates import candidates, form, phrase_form
from melleafy_tui.core.source.secrets.detector import formed_secrets
from melleafy_tui.core.source.secrets.evidence import describe, group_of
from melleafy_tui.core.source.secrets.judge import ends_of, groups_listed
from melleafy_tui.core.source.secrets.reading import Line, blocks
from melleafy_tui.core.source.secrets.relations import DIRECT, judged
from melleafy_tui.core.source.secrets.vocabulary import hits
from scripts.score_secrets import places
from tests.secrets.lines import LINES, read_lines

SETS: Final = (
    "a",
    "b",
    "c",
    "d",
    "own",
    "more",
    "f",
    "h",
    "i",
    "k",
    "l",
    "phrases",
    "plain",
    "tables",
    "tests",
)
SHARES: Final = {"plain": 3, "tables": 3, "tests": 20}
"""How often the values of sets count whose lines must not be missed; once, if not given."""

LEAST_SEEN: Final = 8
"""Evidence that fewer different values have gets no points."""

OVERLAP: Final = 0.75
PARTIAL: Final = 0.4
"""Shares of a value from which a candidate is the secret, and from which it is neither it nor another value."""

BIAS: Final = -1.0
"""What the sum of weights must exceed: below zero, since the files weigh more than the values that people have."""

CARE: Final = 0.4
WORDY: Final = frozenset(("word", "phrase", "joined"))
"""What plain words need more, and the groups of their forms: masking them destroys what the owner wrote."""

ROUNDS: Final = 200
MEMORY: Final = 10
Spans = Sequence[tuple[int, int]]
Vector = np.ndarray[tuple[int], np.dtype[np.float64]]


class Example(Struct, frozen=True):
    """The evidence of a value, whether it is a secret, and how often both were seen."""

    evidence: frozenset[str]
    secret: bool


def of_text(text: str, secrets: Spans, known: frozenset[str] = frozenset()) -> Iterator[Example]:
    """Yield the examples of a text.

    Args:
        text: The text.
        secrets: The places of its secrets.
        known: Values that are secrets where a word gives them, and left out elsewhere.
    """
    words = hits(text)
    formed = [(span.start, span.end) for span in formed_secrets(text, words)]
    for block in blocks(text, words, alone=False):
        like = {group for line in block for group in _groups(text, _on(line, secrets))}
        listed = groups_listed(block) if len(block) > 1 else frozenset[str]()
        for line in block:
            aided = like if len(block) > 1 else set[str]()
            yield from _of_line(line, text, secrets, formed, aided, listed, known)
            if aided and _on(line, secrets):  # one of a list must be found before it can speak for the others
                alone = _of_line(line, text, secrets, formed, set(), listed, known)
                yield from (example for example in alone if example.secret)


def _of_line(
    line: Line,
    text: str,
    secrets: Spans,
    formed: Spans,
    like: set[str],
    listed: frozenset[str],
    known: frozenset[str],
) -> Iterator[Example]:
    state = judged(line, like)
    masks, here = list(state.taken), _on(line, secrets)
    values = candidates(line)
    state.listed, state.values = listed, ends_of(values)
    for candidate in values:
        start, end = line.offset + candidate.start, line.offset + candidate.end
        before = [span for span in here if span[1] <= start]
        state.taken = masks + [(first - line.offset, last - line.offset) for first, last in before]
        state.like = like | set(_groups(text, before))
        described = describe(state, candidate)
        if described is None:
            continue
        if candidate.text in known:
            if described.relation is not None and described.relation.name in DIRECT:
                yield Example(described.evidence, True)
            continue
        share = max((_share(start, end, *span) for span in here), default=0)
        if share >= OVERLAP:
            yield Example(described.evidence, True)
        elif share < PARTIAL and not any(first < end and start < last for first, last in formed):
            relation = described.relation
            named = (
                relation is not None
                and relation.label in ("token", "key", "password")
                and relation.name in DIRECT | {"cell", "column"}
            )
            if secrets or not named or group_of(candidate.form) not in ("long", "hex"):
                yield Example(described.evidence, False)


def _on(line: Line, spans: Spans) -> list[tuple[int, int]]:
    end = line.offset + len(line.text)
    return [
        (max(first, line.offset), min(last, end))
        for first, last in spans
        if first < end and last > line.offset
    ]


def _groups(text: str, spans: Spans) -> Iterator[str]:
    for first, last in spans:
        yield group_of(form(text[first:last]) or phrase_form(text[first:last]) or "word")


def _share(start: int, end: int, first: int, last: int) -> float:
    return max(0, min(end, last) - max(start, first)) / max(end - start, last - first)


def practice() -> Iterator[Example]:
    """Yield the examples of the practice sets."""
    for name in SETS:
        for line in read_lines(LINES.with_name(f"practice_{name}.jsonl")):
            found = list(places(line))
            formed = formed_secrets(line.text, hits(line.text))
            if not any(span.start < last and first < span.end for span in formed for first, last in found):
                yield from [*of_text(line.text, found)] * SHARES.get(name, 1)


def of_files(paths: Iterable[str], known: frozenset[str]) -> Iterator[Example]:
    """Yield each example of some files once a value, without secrets."""
    seen: set[Example] = set()
    for path in paths:
        try:
            text = Path(path).read_text("utf-8")
        except (OSError, UnicodeDecodeError):
            continue
        for example in of_text(text, (), known):
            if example not in seen:
                seen.add(example)
                yield example


class Rows:
    """The columns that each example has: a matrix of zeros and ones, of which only the ones are kept."""

    def __init__(self, rows: Sequence[Sequence[int]]) -> None:
        self._lengths = np.array([len(row) for row in rows])
        self._columns = np.concatenate([np.array(row) for row in rows])
        self._starts = np.concatenate(([0], np.cumsum(self._lengths)[:-1]))

    def sums(self, point: Vector) -> Vector:
        """Return the sum of each row's weights."""
        return np.add.reduceat(point[self._columns], self._starts)

    def spread(self, values: Vector, size: int) -> Vector:
        """Return the sum, for each of so many columns, of the values of the rows that have it."""
        return np.zeros(size) + np.bincount(self._columns, np.repeat(values, self._lengths), size)


def fit(examples: Counter[Example]) -> dict[str, float]:
    """Return the weights of the evidence, and of `""`, which every value has."""
    seen = Counter[str]()
    for example, count in examples.items():
        seen.update(dict.fromkeys(example.evidence, count))
    names = ["", *sorted(name for name, count in seen.items() if count >= LEAST_SEEN)]
    numbers = {name: number for number, name in enumerate(names)}
    rows = Rows([[0, *(numbers[name] for name in each.evidence if name in numbers)] for each in examples])
    signs = np.array([1.0 if each.secret else -1.0 for each in examples])
    counts = np.array([float(count) for count in examples.values()])
    free = np.ones(len(names))
    free[0] = 0.0

    def loss(point: Vector) -> tuple[float, Vector]:
        margins = signs * rows.sums(point)
        total = float(counts @ np.logaddexp(0.0, -margins) + (free * point) @ point / 2)
        pull = counts * signs / (1.0 + np.exp(np.clip(margins, -700, 700)))
        return total, free * point - rows.spread(pull, len(names))

    found = least(loss, np.zeros(len(names)))
    return {name: float(weight) - CARE * _is_form(name) for name, weight in zip(names, found, strict=True)}


def _is_form(name: str) -> bool:
    """Return whether evidence is the form of a plain word; a value has exactly one form."""
    return group_of(name.partition(": ")[2]) in WORDY


def least(loss: Callable[[Vector], tuple[float, Vector]], point: Vector, rounds: int = ROUNDS) -> Vector:
    """Return the point of the least loss (limited-memory BFGS with backtracking)."""
    value, slope = loss(point)
    steps: deque[tuple[Vector, Vector]] = deque(maxlen=MEMORY)
    for _ in range(rounds):
        way = _direction(slope, steps)
        down, length = float(way @ slope), 1.0 if steps else 1 / (1 + float(np.abs(slope).sum()))
        while True:
            new = point + length * way
            new_value, new_slope = loss(new)
            if new_value <= value + 1e-4 * length * down or length < 1e-9:
                break
            length /= 2
        steps.append((new - point, new_slope - slope))
        done = value - new_value < 1e-6 * value
        point, value, slope = new, new_value, new_slope
        if done:
            break
    return point


def _direction(slope: Vector, steps: Sequence[tuple[Vector, Vector]]) -> Vector:
    way, parts = -slope, []
    for step, change in reversed(steps):
        part = float(step @ way) / float(step @ change)
        parts.append(part)
        way = way - part * change
    if steps:
        step, change = steps[-1]
        way = way * (float(step @ change) / float(change @ change))
    for (step, change), part in zip(steps, reversed(parts), strict=True):
        way = way + (part - float(change @ way) / float(step @ change)) * step
    return way


def written(found: dict[str, float], source: str) -> str:
    """Return the module of the weights with other numbers: its tables keep their rows and columns."""
    tenths = {name: round(10 * weight) for name, weight in found.items()}
    lines, name_of = list[str](), None
    columns: list[str] = []
    for line in source.splitlines():
        if line.startswith("START"):
            line = f"START: Final = {tenths[''] - round(10 * BIAS)}"
        elif (table := weights.TABLES.get(line.partition(":")[0])) is not None:
            columns, name_of = [], table
        elif line == '"""':
            name_of = None
        elif "|" in line and name_of is not None:
            row, _, cells = line.partition("|")
            if columns:
                names = [name_of(row.strip(), column.replace("_", " ")) for column in columns]
                numbers = [str(tenths.get(name, 0) or ".") for name in names]
                widths = [max(4, len(column) + 1) for column in columns]
                cells = "".join(f"{number:>{width}}" for number, width in zip(numbers, widths, strict=True))
                line = f"{row}|{cells}"
            else:
                columns = cells.split()
        lines.append(line)
    return "\n".join(lines) + "\n"


def main() -> None:
    """Fit the weights and write them."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--texts", type=Path, required=True)
    parser.add_argument("--known", type=Path)
    options = parser.parse_args()
    known = frozenset(options.known.read_text("utf-8").splitlines() if options.known else ())
    examples = Counter(practice())
    examples.update(of_files(options.texts.read_text("utf-8").splitlines(), known))
    print(
        f"{examples.total()} values, {sum(count for each, count in examples.items() if each.secret)} secrets"
    )
    module = Path(str(weights.__file__))
    module.write_text(written(fit(examples), module.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main()
