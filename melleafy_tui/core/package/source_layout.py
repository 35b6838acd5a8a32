"""Records the text between the elements of a file, so that an export can restore it; of other files, the digest."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Final

from melleafy_tui.core.models.facts import SecretFact
from melleafy_tui.core.models.inventory import Element, Inventory
from melleafy_tui.core.models.manifest import LaidOutFile, SourceLayout
from melleafy_tui.core.models.snapshot import Snapshot, SourceFile
from melleafy_tui.core.models.vocabulary import DECISIONS_FILE
from melleafy_tui.core.source.secrets.detector import find_secrets
from melleafy_tui.core.source.secrets.masking import mask_secrets

LINE_END: Final = re.compile(r"\r\n|\n|\r")
HIDDEN: Final = "[secret, not copied]"
"""Replaces a line whose secret couldn't be separated from the rest."""


def source_layout(
    snapshot: Snapshot, inventory: Inventory, package_name: str, released: Collection[str] = ()
) -> SourceLayout:
    """Return the layout of a workspace.

    Args:
        snapshot: The workspace as it was read.
        inventory: Its elements, and the digests of its files.
        package_name: The package, which is left out if it is in the workspace itself (`--in-place`).
        released: Digests of values that look like secrets but that the user released.
    """
    by_file: dict[str, list[Element]] = {}
    for element in inventory.elements:
        by_file.setdefault(element.source_file, []).append(element)
    return SourceLayout(
        files=tuple(
            _laid_out(file, inventory.digests[file.path], by_file.get(file.path, ()), released)
            for file in snapshot.files
        ),
        not_read=_not_read(snapshot, f"{package_name}/"),
    )


def split_lines(text: str) -> tuple[list[str], list[str]]:
    """Return the lines of a text without line endings, and the line endings; the last one can be `""`."""
    lines = LINE_END.split(text)
    ends = LINE_END.findall(text)
    if lines[-1] == "":
        lines.pop()
    else:
        ends.append("")
    return lines, ends


def _laid_out(
    source: SourceFile, digest: str, elements: Sequence[Element], released: Collection[str]
) -> LaidOutFile:
    secrets_masked = digest != source.sha256
    if source.text is None or not elements:  # a way back takes it from the workspace, by its digest
        return LaidOutFile(
            path=source.path,
            sha256=digest,
            encoding=source.encoding,
            values_dropped=source.values_dropped,
            secrets_masked=secrets_masked,
        )
    lines, ends = split_lines(source.text)
    line_end, other_line_ends = _line_ends(ends)
    secret = [element for element in elements if element.facts[SecretFact].secret]
    gaps = _gaps(lines, elements)
    shown = _shown_lines(source.text, lines, {*gaps, *line_numbers(secret)}, released)
    hidden = {number: shown[number - 1] for number in gaps if shown[number - 1] != lines[number - 1]}
    return LaidOutFile(
        path=source.path,
        sha256=digest,
        encoding=source.encoding,
        lines=len(lines),
        line_end=line_end,
        other_line_ends=other_line_ends,
        gaps={number: lines[number - 1] for number in gaps if number not in hidden},
        masked=dict(sorted({**hidden, **_masked(lines, shown, secret)}.items())),
        values_dropped=source.values_dropped,
        secrets_masked=secrets_masked,
    )


def _line_ends(ends: Sequence[str]) -> tuple[str, dict[int, str]]:
    """Return the most frequent line ending, and the lines that end otherwise."""
    usual = Counter(filter(None, ends)).most_common(1)
    line_end = usual[0][0] if usual else "\n"
    return line_end, {number: end for number, end in enumerate(ends, 1) if end != line_end}


def _gaps(lines: Sequence[str], elements: Sequence[Element]) -> list[int]:
    """Return the numbers of the non-empty lines that no element contains verbatim."""
    covered = line_numbers(elements)
    covered -= line_numbers(element for element in elements if not _holds_its_lines(element, lines))
    return [number for number, line in enumerate(lines, 1) if line and number not in covered]


def _shown_lines(
    text: str, lines: Sequence[str], recorded: Collection[int], released: Collection[str]
) -> Sequence[str]:
    """Return the lines with secrets masked, or empty ones if masking changed their number.

    A recorded line that still reads as a secret by itself, as it stands in the record, is hidden.
    """
    if not recorded:
        return lines
    shown = split_lines(mask_secrets(text, released))[0]
    if len(shown) != len(lines):
        return [""] * len(lines)
    return [
        HIDDEN if number in recorded and find_secrets(line, released, near=False) else line
        for number, line in enumerate(shown, 1)
    ]


def _holds_its_lines(element: Element, lines: Sequence[str]) -> bool:
    """Return whether an element contains its lines verbatim; one of many on a long line of JSON doesn't."""
    return element.kind != "json" or element.content_full.startswith(lines[element.line_range[0] - 1])


def _masked(lines: Sequence[str], shown: Sequence[str], secret: Sequence[Element]) -> dict[int, str]:
    """Return the masked lines of elements with a secret; lines are hidden that only the element is masked in."""
    masked: dict[int, str] = {}
    for element in secret:
        numbers = [number for number in sorted(line_numbers([element])) if number <= len(lines)]
        unfound = all(shown[number - 1] == lines[number - 1] for number in numbers)
        for number in numbers:
            line = lines[number - 1].strip()
            withheld = shown[number - 1] == lines[number - 1] and line not in element.content_full
            masked[number] = HIDDEN if line and (unfound or withheld) else shown[number - 1]
    return dict(sorted(masked.items()))


def line_numbers(elements: Iterable[Element]) -> set[int]:
    """Return the numbers of all lines that the elements cover."""
    numbers: set[int] = set()
    for element in elements:
        first, last = element.line_range
        numbers.update(range(first, last + 1))
    return numbers


def _not_read(snapshot: Snapshot, own: str) -> tuple[str, ...]:
    """Return the unread names, without our own files; a folder without any read file is a single name."""
    read = {file.path for file in snapshot.files}
    inhabited = {parent for path in read for parent in _parents(path)}
    known = {*read, *inhabited, DECISIONS_FILE}
    left = (name for name in snapshot.names if name not in known and not name.startswith((own, ".melleafy-")))
    outermost = {
        next((parent for parent in _parents(name) if parent not in inhabited), name) for name in left
    }
    return tuple(sorted(outermost))


def _parents(name: str) -> list[str]:
    """Return the folders above a name, outermost first, each with its final `/`."""
    parts = name.rstrip("/").split("/")
    return ["/".join(parts[:depth]) + "/" for depth in range(1, len(parts))]
