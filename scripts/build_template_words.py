"""Writes the checksums of the words of OpenClaw's template lines that the package ships, without text.

    python scripts/build_template_words.py FOLDER...

Each FOLDER is an unpacked release of OpenClaw (`npm pack openclaw@VERSION`) with `docs/**/reference/templates/*.md`.
Lines of AGENTS.md, SOUL.md and HEARTBEAT.md count, and long lines of the others: short ones there are examples, whose
owner's own form is a fact.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from melleafy_tui.core.dialects.openclaw.stock_paraphrases import FEWEST_WORDS, checksum, shingles
from melleafy_tui.core.dialects.openclaw.stock_text import normalised

TARGET: Final = Path("melleafy_tui/core/dialects/openclaw/template_words.bin")
RULES: Final = ("AGENTS.md", "SOUL.md", "HEARTBEAT.md")
LONG: Final = 12


def main() -> None:
    """Read the templates given on the command line and write the table."""
    found = {sums for folder in sys.argv[1:] for sums in _lines(Path(folder))}
    TARGET.write_bytes(
        b"".join(
            bytes([len(sums)]) + b"".join(one.to_bytes(3, "big") for one in sums) for sums in sorted(found)
        )
    )


def _lines(folder: Path) -> Iterator[tuple[int, ...]]:
    """Yield the checksums of each line that can be paraphrased."""
    for place in sorted(folder.glob("**/reference/templates/*.md")):
        text = place.read_text(encoding="utf-8")
        body = text.split("\n---\n", 1)[-1] if text.startswith("---\n") else text
        for line in body.splitlines():
            words = shingles(normalised(line))
            fewest = FEWEST_WORDS if place.name in RULES else LONG
            if fewest <= len(words) < 256 and not line.startswith("#"):
                yield tuple(sorted(map(checksum, words)))


if __name__ == "__main__":
    main()
