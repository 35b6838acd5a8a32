"""Measures how many secrets the detector finds, on the labelled lines and on those held out of its making.

python -m benchmarks.secrets
"""

from tests.safety.secret_lines import (
    HELD_OUT_WITH_A_SECRET,
    HELD_OUT_WITHOUT_A_SECRET,
    WITH_A_SECRET,
    WITHOUT_A_SECRET,
)
from tests.safety.test_secret_recall import DRAWS, tally

if __name__ == "__main__":
    for name, lines in (
        ("labelled", (WITH_A_SECRET, WITHOUT_A_SECRET)),
        ("held out", (HELD_OUT_WITH_A_SECRET, HELD_OUT_WITHOUT_A_SECRET)),
    ):
        figures = tally(*lines)
        print(
            f"{name}: {len(lines[0])} lines with a secret, {len(lines[1])} without, {len(DRAWS)} values each; "
            f"recall {figures.recall:.1%}, precision {figures.precision:.1%}"
        )
        for line in sorted(set(figures.missed)):
            print("  missed:", line.replace("\n", " / "))
        for line in sorted(set(figures.wrong)):
            print("  wrong: ", line.replace("\n", " / "))
