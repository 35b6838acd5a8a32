"""Keyword search in memory files: those that ship with the package, or the agent's own where they lie.

Static module of melleafy-tui 0.2.0: identical in every package of that release that has it. It is
read-only. A re-run merges your edits.
"""

import math
import os
import re
from collections import Counter
from functools import lru_cache
from pathlib import Path

PATTERNS = ("MEMORY.md", "memory.md", "memory/**/*.md", "memory-wiki/**/*.md")
"""What counts as memory in a folder; daily notes don't."""
DAILY = re.compile(r"\d{4}-\d{2}-\d{2}")
WORD = re.compile(r"[\u3040-\u9fff]|[^\W_\u3040-\u9fff]+")


def find_folder(configured: str, variable: str, package: Path) -> Path:
    """Return the folder of the agent's memory files.

    Args:
        configured: config.MEMORY_FOLDER, relative to the package; empty if it isn't known.
        variable: The environment variable that names another folder.
        package: The folder of the package.

    Raises:
        FileNotFoundError: neither names a folder that exists.
    """
    named = os.environ.get(variable, "").strip()
    if not named and not configured:
        raise FileNotFoundError(
            f"no memory folder is known; set {variable} to the agent's workspace"
        )
    folder = (
        Path(named).expanduser()
        if named
        else Path(os.path.normpath(package / configured))
    )
    if not folder.is_dir():
        raise FileNotFoundError(
            f"there is no memory folder {folder}; set {variable} to the agent's workspace"
        )
    return folder


def recall(
    query: str,
    folder: Path,
    limit: int = 4000,
    patterns: tuple[str, ...] = PATTERNS,
) -> str:
    """Return what the memory files in a folder say about the query.

    If all of memory fits the limit in characters, return all of it; otherwise the best matching
    passages (BM25) that fit.

    Raises:
        FileNotFoundError: the folder does not exist.
    """
    if not folder.is_dir():
        raise FileNotFoundError(f"there is no memory folder {folder}")
    found = {
        path
        for pattern in patterns
        for path in folder.glob(pattern)
        if path.is_file()
    }
    files = sorted(path for path in found if not DAILY.match(path.name))
    passages = _passages(tuple((path, path.stat().st_mtime_ns) for path in files))
    whole = "\n".join(passages)
    if len(whole) <= limit:
        return whole
    chosen: list[str] = []
    for passage in _ranked(query, passages):
        if sum(map(len, chosen)) + len(passage) <= limit:
            chosen.append(passage)
    return "\n".join(chosen)


@lru_cache(maxsize=2)
def _passages(files: tuple[tuple[Path, int], ...]) -> tuple[str, ...]:
    """Return each bullet or paragraph with its file and heading; the times of change keep it fresh."""
    found: list[str] = []
    for path, _changed in files:
        heading = ""
        for block in re.split(r"\n\s*\n|\n(?=\s*[-*#])", path.read_text("utf-8")):
            text = " ".join(block.split())
            if text.startswith("#"):
                heading = text.lstrip("# ")
            elif text:
                found.append(f"[{path.name}] {heading}: {text.lstrip('-* ')}")
    return tuple(found)


def _ranked(query: str, passages: tuple[str, ...]) -> list[str]:
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
        for word in WORD.findall(text.lower())
    ]
