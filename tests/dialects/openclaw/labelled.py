"""Lines of our own writing with the labels of a careful human, and how often the rules agree.

`python -m tests.dialects.openclaw.labelled` prints the agreement and every line where rules and human differ.
"""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from melleafy_tui.core.models.inventory import Element
from tests.dialects.openclaw.in_memory import elements_of

LABELS: Final = Path(__file__).with_name("labels.txt")


@dataclass(frozen=True)
class Labelled:
    """One line with its labels and with what the rules made of it."""

    path: str
    line: str
    tag: str
    polarity: str
    found: Element

    @property
    def agrees(self) -> bool:
        return (self.found.tag.value, self.found.polarity.value) == (self.tag, self.polarity)


def labelled() -> tuple[Labelled, ...]:
    rows = [
        line for line in LABELS.read_text(encoding="utf-8").split("\n") if line and not line.startswith("#")
    ]
    return tuple(_row(*row.split(" | ", maxsplit=3)) for row in rows)


def _row(place: str, tag: str, polarity: str, line: str) -> Labelled:
    path, _, form = place.partition(" ")
    above, _, own = line.rpartition(" >> ") if " >> " in line else ("", "", line)
    heading, _, lead_in = (part.strip() for part in above.partition("##"))
    parts = []
    if heading:
        parts.append(f"## {heading}")
    if lead_in:
        parts.append(lead_in)
    numbered = own[0].isdigit() and own[1] == "."
    shown = own if numbered or form == "paragraph" else f"- {own}"
    # A list of one is no list: the numbered ones get a neighbour of their own kind.
    parts.append(f"{shown}\n2. Lock the drawer" if numbered else shown)
    text = "\n\n".join(parts) + "\n"
    number = text[: text.index(shown)].count("\n") + 1
    (found,) = (
        element
        for element in elements_of(path, text)
        if element.line_range[0] <= number <= element.line_range[1]
    )
    return Labelled(path, line, tag, polarity, found)


def main() -> int:
    rows = labelled()
    tags = sum(row.found.tag.value == row.tag for row in rows)
    polarities = sum(row.found.polarity.value == row.polarity for row in rows)
    both = sum(row.agrees for row in rows)
    sys.stdout.write(f"{len(rows)} lines: tag {tags}, polarity {polarities}, both {both}" + "\n")
    for row in rows:
        if not row.agrees:
            found = f"{row.found.tag.value} {row.found.polarity.value} ({row.found.rationale})"
            sys.stdout.write(
                f"{row.path}: {row.line!r}: human {row.tag} {row.polarity}, rules {found}" + "\n"
            )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
