"""Writes the checksums of the words of OpenClaw's template lines that the package ships, without text.

    python scripts/build_template_words.py FOLDER...

Each FOLDER is an unpacked release of OpenClaw (`npm pack openclaw@VERSION`), or a checkout of its translated documents
(github.com/openclaw/docs), with `**/reference/templates/*.md`. Lines of AGENTS.md, SOUL.md and HEARTBEAT.md count, and
long lines of the others: short ones there are examples, whose owner's own form is a fact. Of lines that say nearly the
same, the table has one.
"""

import sys
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from melleafy_tui.core.dialects.openclaw.stock_paraphrases import FEWEST_WORDS, checksum, packed, shingles
from melleafy_tui.core.dialects.openclaw.stock_text import normalised

TARGET: Final = Path("melleafy_tui/core/dialects/openclaw/template_words.bin")
RULES: Final = ("AGENTS.md", "SOUL.md", "HEARTBEAT.md")
LANGUAGES: Final = frozenset(
    {
        "docs",
        "zh-CN",
        "zh-TW",
        "ja-JP",
        "ko",
        "ko-KR",
        "es",
        "pt-BR",
        "de",
        "fr",
        "it",
        "ru",
        "uk",
        "pl",
        "nl",
    }
)
"""Folders of the languages that the rules read; `docs` has the English ones."""
LONG: Final = 12
SAME: Final = 0.45
"""The share of common words from which two template lines are one."""


def main() -> None:
    """Read the templates given on the command line and write the table."""
    lines: list[frozenset[int]] = []
    for sums in sorted({sums for folder in sys.argv[1:] for sums in _lines(Path(folder))}):
        words = frozenset(sums)
        if not any(len(words & known) >= SAME * len(words | known) for known in lines):
            lines.append(words)
    pairs = sorted((found, number) for number, words in enumerate(lines) for found in words)
    sums, numbers = zip(*pairs, strict=True)
    TARGET.write_bytes(packed(array("I", sums), array("H", numbers), bytes(map(len, lines))))


def _lines(folder: Path) -> Iterator[tuple[int, ...]]:
    """Yield the checksums of each line that can be paraphrased."""
    for place in sorted(folder.glob("**/reference/templates/*.md")):
        if place.parts[-4] not in LANGUAGES or ".dev." in place.name:
            continue
        text = place.read_text(encoding="utf-8")
        body = text.split("\n---\n", 1)[-1] if text.startswith("---\n") else text
        for line in body.splitlines():
            words = shingles(normalised(line))
            fewest = FEWEST_WORDS if place.name in RULES else LONG
            if fewest <= len(words) < 256 and not line.startswith("#"):
                yield tuple(sorted(set(map(checksum, words))))


if __name__ == "__main__":
    main()
