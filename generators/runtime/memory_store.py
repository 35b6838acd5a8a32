# Static module of melleafy-tui 0.2.0, not to be edited.
"""The agent's memory in a store to add to, first filled from its files."""

import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from .memory import files_in, texts_of

EVERY_FILE = ("**/*",)
LONGEST_QUERY = 32
BUSY_SECONDS = 20.0


class MemoryStoreError(OSError):
    """The memory store can't be used."""


class MemoryStore:
    """Texts in a SQLite file with full-text search, first filled from a folder."""

    def __init__(self, path: Path, folder: Path) -> None:
        """Store where the file is and where its first texts come from.

        The file is made at the first use.
        """
        self._path, self._folder = path, folder

    def recall(self, query: str, results: int = 5) -> str:
        """Return the best texts about the query; empty when nothing is known.

        Raises:
            MemoryStoreError: the store can't be used.
        """
        found = re.findall(r"\w+", query.casefold())
        words = list(dict.fromkeys(found))[:LONGEST_QUERY]
        if not words:
            return ""
        with self._opened() as memory:
            texts = _matching(memory, words, results)
            return "\n\n".join(texts or _containing(memory, words, results))

    def remember(self, text: str, source: str = "") -> str:
        """Add a text, and return it.

        Raises:
            MemoryStoreError: the store can't be used.
        """
        with self._opened() as memory, memory:
            memory.execute("INSERT INTO memory VALUES (?, ?)", (text, source))
        return text

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        """Open the store; fill it when it is new."""
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with closing(sqlite3.connect(self._path, timeout=BUSY_SECONDS)) as memory:
                with memory:
                    memory.execute("BEGIN IMMEDIATE")  # two first runs take turns
                    self._fill(memory)
                yield memory
        except (sqlite3.Error, OSError, UnicodeEncodeError) as error:
            raise MemoryStoreError(
                f"the memory store can't be used: {error}"
            ) from error

    def _fill(self, memory: sqlite3.Connection) -> None:
        if memory.execute("PRAGMA user_version").fetchone()[0] == 0:
            files = files_in(self._folder, EVERY_FILE)
            memory.execute("CREATE VIRTUAL TABLE memory USING fts5(text, source)")
            memory.executemany("INSERT INTO memory VALUES (?, ?)", _sections(files))
            memory.execute("PRAGMA user_version = 1")


def _matching(memory: sqlite3.Connection, words: list[str], results: int) -> list[str]:
    """Return the best matches of the full-text search."""
    wanted = " OR ".join(f'"{word}"' for word in words)
    rows = memory.execute(
        "SELECT text FROM memory WHERE memory MATCH ? ORDER BY rank LIMIT ?",
        (wanted, results),
    )
    return [str(row[0]) for row in rows]


def _containing(
    memory: sqlite3.Connection, words: list[str], results: int
) -> list[str]:
    """Return texts that hold a part of a word, for scripts without spaces."""
    pairs = {
        word[start : start + 2]
        for word in words
        if not word.isascii()
        for start in range(max(1, len(word) - 1))
    }
    rows = memory.execute("SELECT text FROM memory ORDER BY rowid").fetchall()
    scored = [(sum(pair in str(row[0]) for pair in pairs), str(row[0])) for row in rows]
    best = sorted((one for one in scored if one[0]), key=lambda one: -one[0])
    return [text for _, text in best[:results]]


def _sections(files: Sequence[Path]) -> list[tuple[str, str]]:
    """Return the sections of files, each with its file's name."""
    found: list[tuple[str, str]] = []
    for path, text in texts_of(files):
        parts = re.split(r"^(?=#{1,6} )", text, flags=re.MULTILINE)
        found += [(part.strip(), path.name) for part in parts if part.strip()]
    return found
