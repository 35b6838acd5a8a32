"""Scores how elements are read against hand labels of lines of public workspaces, which aren't in this repository.

    python scripts/score_labels.py LABELS.json... CORPUS [--show]

Each LABELS.json names repository, workspace, file, line and the line's digest, without text. CORPUS holds a checkout of
each repository as `owner+name`. A line whose digest differs isn't scored. `--show` prints each miss of the
repositories that may be read; those in KEPT_FOR_SCORING are only counted.
"""

# ruff: noqa: E501 - tables are easier to read with one row a line

import argparse
import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from hashlib import sha1
from math import sqrt
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from melleafy_tui.core.dialects.openclaw.dialect import OpenClawDialect
from melleafy_tui.core.dialects.registry import Dialects
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.snapshot import Snapshot, SourceFile
from melleafy_tui.core.models.vocabulary import Use
from melleafy_tui.core.pipeline.inventory import take_inventory

KEPT_FOR_SCORING: Final = (
    "YunosukeYoshino/openclaw-workspace",
    "nicola-king/openclaw-workspace",
    "tangshingkwan/openclaw-workspace",
)
"""The last three labelled repositories by name, chosen before anyone read them; nobody tunes rules on them."""

SCRIPTS: Final[Mapping[str, str]] = {
    "Korean": r"[\uac00-\ud7a3]",
    "Japanese": r"[\u3040-\u30ff]",
    "Chinese": r"[\u3400-\u9fff]",
    "Russian": r"[\u0400-\u04ff]",
}
"""Letters by which a workspace's language is told, in the order they are looked for."""
SMALL_WORDS: Final[Mapping[str, str]] = {
    "English": r"\b(?:the|and|of|is|you)\b",
    "Spanish": r"\b(?:el|los|una|para|que)\b",
    "Portuguese": r"\b(?:não|uma|você|para|os)\b",
    "German": r"\b(?:und|der|die|nicht|ist)\b",
    "French": r"\b(?:les|des|vous|pour|est)\b",
}
"""Words by which it is told among those with Latin letters."""
LEAST_SHARE: Final = 0.1
"""The share of a script's letters from which a workspace is in its language."""

FILES: Final = (
    "AGENTS.md",
    "SOUL.md",
    "IDENTITY.md",
    "USER.md",
    "TOOLS.md",
    "HEARTBEAT.md",
    "MEMORY.md",
    "BOOTSTRAP.md",
)
SURE: Final = ((0.0, 0.6), (0.6, 0.75), (0.75, 0.9), (0.9, 1.01))
"""Bounds of the reliability table."""


class Label(Struct, frozen=True):
    """The hand labels of one line; those with two values are two independent labellings."""

    repo: str
    ws: str
    file: str
    line: int
    sha1: str
    categories: tuple[str, ...]
    first_tags: tuple[str, ...]
    tags: tuple[str, ...]
    template: tuple[bool, ...] = ()
    openclaw_only: tuple[bool, ...] = ()
    use: tuple[str, ...] = ()
    raw: bool = False


class Scored(Struct, frozen=True):
    """A label, the words of its line, the element that holds the line, and the workspace's language and elements."""

    label: Label
    words: str
    element: Element
    language: str
    elements: tuple[Element, ...] = ()


class Measure(Struct, frozen=True):
    """One measure: its name, which labels count for it, and whether an element fits a label."""

    name: str
    counts: Callable[[Label], bool]
    fits: Callable[[Label, Element], bool]


def is_runtime_only(element: Element) -> bool:
    """Return whether the converter leaves a line out because it makes sense on its runtime only."""
    return element.use is Use.RUNTIME_ONLY


def all_say(said: tuple[bool, ...]) -> bool:
    """Return whether something was labelled, each time as true."""
    return bool(said) and all(said)


def none_says(said: tuple[bool, ...]) -> bool:
    """Return whether something was labelled, never as true."""
    return bool(said) and not any(said)


MEASURES: Final = (
    Measure(
        "category",
        lambda label: bool(label.categories),
        lambda label, e: e.category.value in label.categories,
    ),
    Measure("first tag", lambda _: True, lambda label, e: e.tag.value in label.first_tags),
    Measure("accepted tag", lambda _: True, lambda label, e: e.tag.value in label.tags),
    Measure("use", lambda label: bool(label.use), lambda label, e: e.use.value in label.use),
    Measure(
        "runtime-only found", lambda label: all_say(label.openclaw_only), lambda _, e: is_runtime_only(e)
    ),
    Measure(
        "runtime-only false", lambda label: none_says(label.openclaw_only), lambda _, e: is_runtime_only(e)
    ),
    Measure("stock found", lambda label: all_say(label.template), lambda _, e: e.template),
    Measure("stock false", lambda label: none_says(label.template), lambda _, e: e.template),
)


def read_labels(place: Path) -> tuple[Label, ...]:
    """Return the labels of a file."""
    return tuple(
        msgspec.convert(item, Label) for item in json.loads(place.read_text(encoding="utf-8"))["lines"]
    )


class RulesAlone(OpenClawDialect):
    """The dialect with the confidence of its rules' rows."""

    def with_confidence(self, elements: Sequence[Element]) -> tuple[Element, ...]:
        """Return the elements as the rules read them."""
        return tuple(elements)


def elements_of(root: Path, *, rules_alone: bool = False) -> tuple[Element, ...]:
    """Return the elements of a workspace's bootstrap files, with the confidence of the rules' rows or of points."""
    files = tuple(
        SourceFile(
            name, (root / name).read_bytes(), (root / name).read_text(encoding="utf-8", errors="replace")
        )
        for name in FILES
        if (root / name).is_file()
    )
    names = tuple(sorted(path.name + ("/" if path.is_dir() else "") for path in root.iterdir()))
    return take_inventory(
        Snapshot(root.name, f"/{root.name}", files, names),
        ("openclaw",),
        Dialects.of(RulesAlone() if rules_alone else OpenClawDialect()),
        as_of=date(2026, 8, 1),
        openclaw_release="dialect-1.0",
    ).elements


def language_of(root: Path) -> str:
    """Return the main language of a workspace's files."""
    text = "\n".join(
        (root / name).read_text(encoding="utf-8", errors="replace")
        for name in FILES
        if (root / name).is_file()
    )
    letters = sum(map(str.isalpha, text))
    for language, letter in SCRIPTS.items():
        if len(re.findall(letter, text)) > LEAST_SHARE * letters:
            return language
    return max(SMALL_WORDS, key=lambda name: len(re.findall(SMALL_WORDS[name], text.lower())))


def scored(labels: Iterable[Label], corpus: Path) -> Iterator[Scored]:
    """Yield each label whose line is still there, with its element."""
    by_workspace: dict[Path, list[Label]] = defaultdict(list)
    for label in labels:
        by_workspace[corpus / label.repo.replace("/", "+") / label.ws].append(label)
    for root, found in by_workspace.items():
        elements = elements_of(root) if root.is_dir() else ()
        language = language_of(root)
        for label in found:
            words = line_of(root / label.file, label.line)
            digest = sha1((words if label.raw else words.strip()).encode()).hexdigest()
            element = next(
                (e for e in elements if e.source_file == label.file and holds(e, label.line)), None
            )
            if element is not None and digest == label.sha1:
                yield Scored(label, words.strip(), element, language, elements)


def holds(element: Element, line: int) -> bool:
    """Return whether a line belongs to an element."""
    first, last = element.line_range
    return first <= line <= last


def line_of(place: Path, number: int) -> str:
    """Return one line of a file, `""` if it isn't there."""
    lines = place.read_text(encoding="utf-8", errors="replace").split("\n") if place.is_file() else []
    return lines[number - 1] if number <= len(lines) else ""


def wilson(hits: int, number: int) -> tuple[float, float]:
    """Return the 95 % interval of a share."""
    if not number:
        return 0.0, 1.0
    z, share = 1.96, hits / number
    middle = share + z * z / (2 * number)
    spread = z * sqrt(share * (1 - share) / number + z * z / (4 * number * number))
    return (middle - spread) / (1 + z * z / number), (middle + spread) / (1 + z * z / number)


def row(name: str, hits: int, number: int) -> str:
    """Return one line of a table."""
    low, high = wilson(hits, number)
    share = f"{hits / number:6.1%}" if number else "     –"
    return f"  {name:22} {share}  {hits:4} of {number:4}  [{low:5.1%}, {high:6.1%}]"


def table(title: str, rows: Sequence[Scored]) -> Iterator[str]:
    """Yield the lines of a table with every measure."""
    yield f"{title} (n = {len(rows)})"
    for measure in MEASURES:
        counted = [item for item in rows if measure.counts(item.label)]
        hits = sum(measure.fits(item.label, item.element) for item in counted)
        yield row(measure.name, hits, len(counted))


def reliability(rows: Sequence[Scored]) -> Iterator[str]:
    """Yield how many elements of each band of confidence have a tag outside the accepted set."""
    yield f"tag outside the accepted set, by confidence (n = {len(rows)})"
    for low, high in SURE:
        band = [item for item in rows if low <= item.element.confidence < high]
        wrong = sum(item.element.tag.value not in item.label.tags for item in band)
        yield row(f"{low:.2f} to {min(high, 1.0):.2f}", wrong, len(band))


def grouped(rows: Sequence[Scored], key: Callable[[Scored], str]) -> Iterator[tuple[str, list[Scored]]]:
    """Yield the rows of each group, in order of its name."""
    groups: dict[str, list[Scored]] = defaultdict(list)
    for item in rows:
        groups[key(item)].append(item)
    yield from sorted(groups.items())


def misses(rows: Sequence[Scored]) -> Iterator[str]:
    """Yield each line that a measure finds wrong, with what was read and what was labelled."""
    for item in rows:
        label, e = item.label, item.element
        wrong = [m.name for m in MEASURES if m.counts(label) and m.fits(label, e) == m.name.endswith("false")]
        if wrong:
            yield (
                f"{', '.join(wrong)} | {label.repo[:6]} {label.file}:{label.line} {e.kind} | "
                f"{e.category.value} {e.tag.value} {e.use.value} ({e.rationale} {e.confidence:.2f}, {e.use_rationale}) | "
                f"wants {'/'.join(label.categories)} {'/'.join(label.tags)} {'/'.join(label.use)} | {item.words[:150]}"
            )


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description="Score readings against hand labels.")
    parser.add_argument("labels", type=Path, nargs="+")
    parser.add_argument("corpus", type=Path)
    parser.add_argument(
        "--show", action="store_true", help="print the misses of repositories that may be read"
    )
    arguments = parser.parse_args()
    labels = [label for place in arguments.labels for label in read_labels(place)]
    rows = list(scored(labels, arguments.corpus))
    kept = [item for item in rows if item.label.repo in KEPT_FOR_SCORING]
    read = [item for item in rows if item.label.repo not in KEPT_FOR_SCORING]
    out = [f"{len(rows)} of {len(labels)} labelled lines found unchanged", ""]
    out += [*table("read while building", read), "", *table("kept for scoring", kept), ""]
    for name, part in grouped(rows, lambda item: item.label.file):
        out += [*table(name, part), ""]
    for name, part in grouped(rows, lambda item: item.language):
        out += [*table(name, part), ""]
    out += [*reliability(rows), "", *reliability(read), "", *reliability(kept)]
    if arguments.show:
        out += ["", *misses(read)]
    print("\n".join(out))


if __name__ == "__main__":
    main()
