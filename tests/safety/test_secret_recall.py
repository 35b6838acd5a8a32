"""How many secrets the detector finds and how often it is wrong, on lines labelled by hand (spec/safety.md 4)."""

from collections.abc import Sequence
from dataclasses import dataclass

from melleafy_tui.core.source.secrets.detector import find_secrets
from tests.safety.secret_lines import (
    WITH_A_SECRET,
    WITHOUT_A_SECRET,
)
from tests.safety.secret_shapes import value_of

LEAST_RECALL = 0.98
LEAST_PRECISION = 0.90
DRAWS = range(5)
"""Each line is read with so many values of its shape."""


@dataclass
class Tally:
    """What was found where a secret stands, what was missed, and what was found where none stands."""

    found: list[str]
    missed: list[str]
    wrong: list[str]

    @property
    def recall(self) -> float:
        return len(self.found) / (len(self.found) + len(self.missed))

    @property
    def precision(self) -> float:
        return len(self.found) / (len(self.found) + len(self.wrong))


def tally(with_a_secret: Sequence[tuple[str, str]], without_a_secret: Sequence[str]) -> Tally:
    """Return what the detector does with every line, for every draw of a value."""
    result = Tally([], [], [])
    for draw in DRAWS:
        for line, shape in with_a_secret:
            secret = value_of(shape, draw)
            text = line.replace("{}", secret)
            place = text.index(secret)
            spans = find_secrets(text)
            covering = [s for s in spans if s.start <= place and place + len(secret) <= s.end]
            (result.found if covering else result.missed).append(text)
            result.wrong += [
                f"{text}  [{text[s.start : s.end]}]"
                for s in spans
                if s.end <= place or s.start >= place + len(secret)
            ]
        for line in without_a_secret:
            result.wrong += [f"{line}  [{line[s.start : s.end]}]" for s in find_secrets(line)]
    return result


def test_recall_and_precision_on_the_labelled_lines() -> None:
    assert len(WITH_A_SECRET) + len(WITHOUT_A_SECRET) >= 300
    result = tally(WITH_A_SECRET, WITHOUT_A_SECRET)
    assert result.recall >= LEAST_RECALL, "\n".join(result.missed)
    assert result.precision >= LEAST_PRECISION, "\n".join(result.wrong)
