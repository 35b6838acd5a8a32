# Static module of melleafy-tui 0.2.0, not to be edited.
"""Search in the agent's memory files, which it never changes."""

import math
import os
import re
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from pathlib import Path

PATTERNS = ("MEMORY.md", "memory.md", "memory/**/*.md", "memory-wiki/**/*.md")
"""What counts as memory in a folder; daily notes don't."""
DAILY = re.compile(r"\d{4}-\d{2}-\d{2}")
WORD = r"[\u3040-\u9fff]|[^\W_\u3040-\u9fff]+"
"""Compiled on first use: that takes as long as importing the module."""
LARGEST_FILE = 2_000_000
"""Bytes of a file that are read; what lies beyond them is not found."""
LARGEST_MEMORY = 20_000_000
"""Bytes of all files together that are read."""
LONGEST_PASSAGE = 1000
LONGEST_MAIN = 20_000
"""Characters of MEMORY.md that a run sees whole."""
LONGEST_RECALL = 4000
"""Characters of passages that a run sees, and of each daily note."""


def find_folder(configured: str, variable: str, package: Path) -> Path:
    """Return the folder of the agent's memory files, or raise FileNotFoundError.

    Args:
        configured: config.MEMORY_FOLDER, relative to the package; empty if it isn't
            known.
        variable: The environment variable that names another folder.
        package: The folder of the package.
    """
    named = os.environ.get(variable, "").strip()
    folder = Path(named).expanduser() if named else package / configured
    if (named or configured) and folder.is_dir():
        return folder.resolve()
    what = "no memory folder is known"
    if named or configured:
        what = f"there is no memory folder {os.path.normpath(folder)}"
    raise FileNotFoundError(f"{what}; set {variable} to the agent's workspace")


def recall(
    query: str,
    folder: Path,
    limit: int = LONGEST_RECALL,
    *,
    budget: int = LONGEST_MAIN,
    patterns: Sequence[str] = PATTERNS,
) -> str:
    """Return MEMORY.md as it stands, and what other memory files say about the query.

    Of the others all is returned if it fits the limit, else the best matching passages
    (BM25) that fit. A MEMORY.md that is over its budget is one of the others.

    Args:
        query: What to look for.
        folder: The folder of the memory files, which must exist.
        limit: The most characters of passages.
        budget: The most characters of MEMORY.md.
        patterns: Which files are memory.
    """
    whole: list[str] = []
    passages: list[str] = []
    for path, text in texts_of(files_in(folder, patterns)):
        is_main = path.parent == folder and path.name.lower() == "memory.md"
        if is_main and len(text.strip()) <= budget:
            whole.append(text.strip())
        else:
            passages += passages_of(path.name, text)
    if sum(map(len, passages)) + len(passages) > limit:
        passages = _fitting(_ranked(query, passages), limit)
    return "\n\n".join(filter(None, (*whole, "\n".join(passages))))


def files_in(folder: Path, patterns: Sequence[str]) -> list[Path]:
    """Return the files in a folder, each once also where letter case doesn't matter.

    Daily notes are left out, and links that lead out of the folder.
    """
    if not folder.is_dir():
        raise FileNotFoundError(f"there is no memory folder {folder}")
    inside = folder.resolve()
    found: dict[tuple[int, int], Path] = {}
    for path in sorted({path for each in patterns for path in folder.glob(each)}):
        is_note = patterns == PATTERNS and DAILY.match(path.name)
        if path.is_file() and path.resolve().is_relative_to(inside) and not is_note:
            found.setdefault((path.stat().st_dev, path.stat().st_ino), path)
    return list(found.values())


def daily_notes(folder: Path, today: date) -> str:
    """Return the notes of yesterday and today below memory/, each with its file.

    Of a long note the end is kept, where the day went on.
    """
    days = (today - timedelta(days=1), today)
    paths = [path for day in days for path in sorted(folder.glob(f"memory/{day}*.md"))]
    inside = (p for p in paths if p.resolve().is_relative_to(folder.resolve()))
    texts = ((path, text.strip()) for path, text in texts_of(inside))
    return "\n\n".join(
        f"[{path.name}]\n{'…' * (len(text) > LONGEST_RECALL)}{text[-LONGEST_RECALL:]}"
        for path, text in texts
        if text
    )


def passages_of(name: str, written: str) -> Iterator[str]:
    """Yield each bullet or paragraph of a file with the file's name and its heading."""
    heading = ""
    apart = re.sub(r"(?m)^[ \t]*(#{1,6}[ \t].*)$", r"\n\1\n", written)
    for block in re.split(r"\n\s*\n|\n(?=\s*(?:[-*+]|\d+[.)])\s)", apart):
        text = " ".join(block.split())
        if re.match(r"#{1,6}\s", text):
            heading = text.strip("# ")
        else:
            said = re.sub(r"^(?:[-*+]|\d+[.)])\s", "", text)
            short = [said] if said else []
            whole = len(said) <= LONGEST_PASSAGE
            for part in short if whole else textwrap.wrap(said, LONGEST_PASSAGE):
                yield f"[{name}] {heading}: {part}"


def texts_of(files: Iterable[Path]) -> Iterator[tuple[Path, str]]:
    """Yield each file with its text, up to LARGEST_FILE and LARGEST_MEMORY bytes."""
    left = LARGEST_MEMORY
    for path in files:
        with path.open("rb") as file:
            data = file.read(min(left, LARGEST_FILE))
        left -= len(data)
        yield path, re.sub("\r\n?", "\n", data.decode("utf-8-sig", "replace"))


def _fitting(texts: Iterable[str], limit: int) -> list[str]:
    """Return the texts that fit the limit together, in their order."""
    chosen: list[str] = []
    for text in texts:
        if sum(map(len, chosen)) + len(text) <= limit:
            chosen.append(text)
    return chosen


def _ranked(query: str, passages: list[str]) -> list[str]:
    """Return the passages that share a word with the query, best match first."""
    bags = [Counter(_words(passage)) for passage in passages]
    mean = sum(bag.total() for bag in bags) / max(len(bags), 1)
    spread = Counter(word for bag in bags for word in bag)
    wanted = set(_words(query))

    def score(bag: Counter[str]) -> float:
        length = 0.25 + 0.75 * bag.total() / mean
        return sum(
            math.log(1 + (len(bags) - spread[word] + 0.5) / (spread[word] + 0.5))
            * bag[word]
            * 2.2
            / (bag[word] + 1.2 * length)
            for word in wanted
            if bag[word]
        )

    scored = [(score(bag), at) for at, bag in enumerate(bags)]
    return [passages[at] for mark, at in sorted(scored, key=lambda s: -s[0]) if mark]


def _words(text: str) -> list[str]:
    """Return the words of a text, without plural endings."""
    return [
        re.sub(r"(?<=\w{3})(?:es|s|e)$", "", word)
        for word in re.findall(WORD, text.lower())
    ]
