"""Counts which lines of the owners of public workspaces reach something that runs or is prompted in their packages.

    python scripts/score_reach.py CORPUS [--show] [--only TEXT]

Every live workspace below CORPUS is converted with the default decisions: a folder with SOUL.md, IDENTITY.md or
HEARTBEAT.md and three of the eight bootstrap files, outside backups, templates and skills. Headings, blank lines,
labels without a value and stock text aren't counted. A line reaches the package if most of its pairs of neighbouring
words stand in the strings of its own modules or in the texts that it loads; what stands only in docstrings of stubs
or in the documents doesn't run. Texts are reworded on the way, so words are compared and not lines. `--show` prints
each line that doesn't arrive; repositories in KEPT_FOR_SCORING are only counted.
"""

import argparse
import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from itertools import chain, pairwise
from pathlib import Path
from typing import Final

from msgspec import Struct
from score_labels import KEPT_FOR_SCORING, row

from melleafy_tui.core.dialects.openclaw.stock_text import is_template_line
from melleafy_tui.core.dialects.registry import Dialects
from melleafy_tui.core.language.wording import plain_text, without_block_marks
from melleafy_tui.core.models.facts import ScheduleFact
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.plan import PlanEntry
from melleafy_tui.core.models.vocabulary import Category, Disposition, Use
from melleafy_tui.core.pipeline.conversion import Conversion
from melleafy_tui.core.source.sources_below import sources_below
from melleafy_tui.engine import open_conversion

FILES: Final = ("AGENTS.md", "HEARTBEAT.md", "SOUL.md", "USER.md", "TOOLS.md", "IDENTITY.md")
BOOTSTRAP: Final = (*FILES, "MEMORY.md", "BOOTSTRAP.md")
NOT_LIVE: Final = re.compile(r"backup|template|archiv|export|starter|(?:^|/)(?:skills|vendor|_\w+)(?:/|$)")
DAY: Final = date(2026, 8, 1)
ENOUGH: Final = 0.66
"""Share of a line's pairs of words that must arrive; lists are joined and markers dropped on the way."""

_WORD: Final = re.compile(r"[㐀-鿿぀-ヿ]|[^\W_㐀-鿿぀-ヿ]+")
_MARKS: Final = re.compile(r"\s*(?:#|```|~~~|<!--|-->|[-*_=]{3,}\s*$|\|?[\s:|-]+\|?\s*$)")
_STUBS: Final = "constrained_slots.py"
_ITS_OWN: Final = "OpenClaw only"
_EMPTY: Final = ".placeholder"
"""The end of the rules that read a label without a value."""
_NOT_RUN: Final = ("fixtures/", "intermediate/", "scripts/", "assets/")


class Fate(Struct, frozen=True):
    """Where one line of an owner went: `runs`, `reported` or `nothing`, and why it doesn't run."""

    repo: str
    file: str
    line: int
    words: str
    outcome: str
    reason: str = ""


def live_workspaces(corpus: Path) -> Iterator[Path]:
    """Yield the live workspaces below a folder."""
    for repository in sorted(path for path in corpus.iterdir() if path.is_dir()):
        for source in sources_below(repository, Dialects.default().main_files):
            folder = repository / source.path
            names = {path.name for path in folder.iterdir()}
            if not NOT_LIVE.search(source.path) and len(names & set(BOOTSTRAP)) >= len(BOOTSTRAP) // 2 - 1:
                yield folder


def fates(folder: Path, repo: str) -> Iterator[Fate]:
    """Convert a workspace and yield where each line of its owner went."""
    conversion = open_conversion(folder, as_of=DAY, generated_at=f"{DAY}T00:00:00Z")
    if "openclaw" not in conversion.classification.dialect_runtimes:
        return
    run, report = _texts(conversion)
    entries = conversion.plan.by_element
    for file in conversion.snapshot.files:
        if file.path not in FILES:
            continue
        by_line = {
            line: element
            for element in conversion.inventory.elements
            if element.source_file == file.path
            for line in range(element.line_range[0], element.line_range[1] + 1)
        }
        for number, text in enumerate(file.lines, start=1):
            element = by_line.get(number)
            if element is None or not _is_owners(text, element):
                continue
            entry = entries.get(element.element_id)
            if _runs(text, element, entry, run):
                yield Fate(repo, file.path, number, text.strip(), "runs")
                continue
            outcome = "reported" if f"`{element.location}`" in report else "nothing"
            yield Fate(repo, file.path, number, text.strip(), outcome, _reason(element, entry))


def _is_owners(text: str, element: Element) -> bool:
    if element.kind in ("heading", "comment", "table_header") or element.rationale.endswith(_EMPTY):
        return False
    if element.template or is_template_line(text):
        return False
    return not _MARKS.match(text) and bool(_WORD.search(text))


def _runs(text: str, element: Element, entry: PlanEntry | None, run: "Words") -> bool:
    said = element.value if element.kind == "field" and element.value else text
    kept = entry is not None and entry.disposition is not Disposition.REMOVE
    return run.hold(said) or (kept and _is_data(element))


def _is_data(element: Element) -> bool:
    """Return whether an element is carried as data: a cadence, or a credential's variable."""
    return element.category is Category.C7 or bool(element.facts[ScheduleFact].cadence)


def _reason(element: Element, entry: PlanEntry | None) -> str:
    if element.use is Use.RUNTIME_ONLY or element.runtime_only:
        return _ITS_OWN
    if entry is None:
        return f"not planned ({element.kind}: {element.rationale})"
    return f"{entry.disposition.value} {entry.target.partition(':')[0]} ({element.mapping_row or element.rationale})"


class Words:
    """The words of many texts, for asking whether a line is among them."""

    def __init__(self) -> None:
        self._pairs: set[tuple[str, str]] = set()
        self._single: set[str] = set()

    def add(self, text: str) -> None:
        """Add a text."""
        words = _words(text)
        self._single.update(words)
        self._pairs.update(pairwise(words))

    def hold(self, line: str) -> bool:
        """Return whether most neighbouring words of a line are neighbours here."""
        cells = [_words(cell) for cell in line.split("|")]
        pairs = [pair for words in cells for pair in pairwise(words)]
        if not pairs:
            return self._single.issuperset(chain(*cells))
        return sum(pair in self._pairs for pair in pairs) >= ENOUGH * len(pairs)


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(plain_text(without_block_marks(text)))]


def _texts(conversion: Conversion) -> tuple[Words, str]:
    """Return the words that run or are prompted, and the report."""
    run, report = Words(), ""
    package = conversion.files.package_name
    for file in conversion.files.files:
        path = file.path.removeprefix(f"{package}/")
        if file.static or path.startswith(_NOT_RUN):
            continue
        if path.startswith("references/"):
            run.add(file.text)
        elif path == "mapping_report.md":
            report = file.text
        elif path.endswith(".py"):
            for string, is_doc in _strings(file.text):
                if not (is_doc and path == _STUBS):
                    run.add(string)
    return run, report


def _strings(code: str) -> Iterator[tuple[str, bool]]:
    """Yield each string of a module, and whether it is a docstring."""
    tree = ast.parse(code)
    documented = (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    docs = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, documented) and node.body and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value, id(node) in docs


def table(title: str, found: Sequence[Fate]) -> Iterator[str]:
    """Yield the lines that don't run of each file, and their reasons."""
    yield f"{title}: lines that reach nothing that runs"
    by_file: dict[str, list[Fate]] = defaultdict(list)
    for fate in found:
        by_file[fate.file].append(fate)
    for file in FILES:
        lines = by_file[file]
        lost = [fate for fate in lines if fate.outcome != "runs"]
        yield row(file, len(lost), len(lines))
        yield row("  but for OpenClaw only", sum(fate.reason != _ITS_OWN for fate in lost), len(lines))
        yield row("  not in the report", sum(fate.outcome == "nothing" for fate in lost), len(lines))
    yield ""
    for (file, outcome, reason), number in _reasons(found):
        yield f"  {number:5} {file:13} {outcome:10} {reason}"


def _reasons(found: Iterable[Fate]) -> list[tuple[tuple[str, str, str], int]]:
    counts = Counter((fate.file, fate.outcome, fate.reason) for fate in found if fate.outcome != "runs")
    return sorted(counts.items(), key=lambda pair: (FILES.index(pair[0][0]), -pair[1]))


def main() -> None:
    """Convert the workspaces and print the tables."""
    parser = argparse.ArgumentParser(description="Count the owners' lines that reach the package.")
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--show", action="store_true", help="print the lines that don't arrive")
    parser.add_argument("--only", default="", help="only workspaces whose path contains this")
    arguments = parser.parse_args()
    found: list[Fate] = []
    for folder in live_workspaces(arguments.corpus):
        place = str(folder.relative_to(arguments.corpus))
        if arguments.only in place:
            found += fates(folder, place)
    kept = tuple(name.replace("/", "+") for name in KEPT_FOR_SCORING)
    read = [fate for fate in found if not fate.repo.startswith(kept)]
    scored = [fate for fate in found if fate.repo.startswith(kept)]
    out = [f"{len({fate.repo for fate in found})} workspaces, {len(found)} lines", ""]
    out += [*table("read", read), "", *table("kept for scoring", scored)]
    if arguments.show:
        out += [""] + [
            f"{f.outcome} | {f.reason} | {f.repo} {f.file}:{f.line} | {f.words[:200]}"
            for f in read
            if f.outcome != "runs"
        ]
    print("\n".join(out))


if __name__ == "__main__":
    main()
