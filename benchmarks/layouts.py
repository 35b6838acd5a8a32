"""Measures how the time of a conversion grows with one file, for 14 shapes of text in three layouts.

python -m benchmarks.layouts            # 25, 50 and 100 KB a file
python -m benchmarks.layouts --full     # 0.5, 1 and 2 MB a file

Each figure is the CPU time of one conversion, whole file set and lints; the exponent is fitted to the three sizes.
"""

import gc
import math
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Final

from melleafy_tui.engine import open_conversion

SHAPES: Final[dict[str, Callable[[int], str]]] = {
    "headings": lambda n: f"## Heading {n}\n\n",
    "headings with text": lambda n: f"## Heading {n}\n\nSome words about {n}.\n\n",
    "nested headings": lambda n: f"{'#' * (n % 6 + 1)} Part {n}\n\n",
    "rules": lambda n: f"- Never mention matter number {n}\n",
    "numbered steps": lambda n: f"{n + 1}. Look at item {n}\n",
    "nested items": lambda n: f"{'  ' * (n % 5)}- item {n}\n",
    "paragraphs": lambda n: f"The office number {n} is in the north wing.\n\n",
    "one paragraph": lambda n: f"The office number {n} is in the north wing.\n",
    "small tables": lambda n: f"| a | b |\n|---|---|\n| x{n} | y |\n\n",
    "one table": lambda n: ("| a | b |\n|---|---|\n" if n == 0 else "") + f"| x{n} | y |\n",
    "fences": lambda n: f"```bash\necho {n}\n```\n\n",
    "quotes": lambda n: f"> Say {n} kindly.\n\n",
    "comments": lambda n: f"<!-- note {n} -->\n\n",
    "one long line": lambda n: f"word{n} ",
}
"""The n-th piece of each shape of text."""

LAYOUTS: Final[dict[str, dict[str, str]]] = {
    "openclaw": {"SOUL.md": "# Soul\n\nWarm.\n", "IDENTITY.md": "- **Name:** Loam\n"},
    "beside .claude": {
        "SOUL.md": "# Soul\n\nWarm.\n",
        "IDENTITY.md": "- **Name:** Loam\n",
        "CLAUDE.md": "@AGENTS.md\n",
        ".claude/settings.json": "{}",
    },
    "skill": {"SKILL.md": "---\nname: loam\ndescription: Minds the garden.\n---\n\n"},
}
"""The other files of each layout; the text is in AGENTS.md, or at the end of SKILL.md."""

SIZES: Final = (25_000, 50_000, 100_000)
FULL_SIZES: Final = (500_000, 1_000_000, 2_000_000)


def text_of(shape: str, size: int) -> str:
    """Return a text of one shape and about this many characters."""
    pieces: list[str] = []
    length = 0
    while length < size:
        pieces.append(SHAPES[shape](len(pieces)))
        length += len(pieces[-1])
    return "".join(pieces)


def seconds(layout: str, shape: str, size: int, *, whole: bool = True) -> float:
    """Return the CPU seconds of one conversion; without `whole`, up to its plan."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "w"
        files = dict(LAYOUTS[layout])
        name = "SKILL.md" if "SKILL.md" in files else "AGENTS.md"
        files[name] = files.get(name, "") + text_of(shape, size)
        for path, text in files.items():
            place = root / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8")
        gc.collect()
        started = time.process_time()
        conversion = open_conversion(root, as_of=date(2026, 11, 1), generated_at="2026-11-01T09:00:00Z")
        _ = conversion.lints if whole else conversion.plan
        return time.process_time() - started


def slope(sizes: tuple[int, ...], costs: list[float]) -> float:
    """Return the exponent of the power law that fits best."""
    points = [(math.log(size), math.log(max(cost, 1e-3))) for size, cost in zip(sizes, costs, strict=True)]
    middle = sum(x for x, _ in points) / len(points)
    return sum((x - middle) * y for x, y in points) / sum((x - middle) ** 2 for x, _ in points)


def main() -> None:
    """Print one row for each shape and layout."""
    gc.disable()  # as a command does
    full = "--full" in sys.argv
    sizes = FULL_SIZES if full else SIZES
    for layout in LAYOUTS:
        for shape in SHAPES:
            costs = [seconds(layout, shape, size, whole="--plan" not in sys.argv) for size in sizes]
            shown = "  ".join(f"{cost:6.2f}" for cost in costs)
            print(f"{layout:15} {shape:20} {shown}  {slope(sizes, costs):5.2f}", flush=True)


if __name__ == "__main__":
    main()
