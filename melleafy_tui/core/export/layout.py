"""Recording what of the source stands in no element, when a package is made, so that the way back is exact."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.snapshot import Snapshot, SourceFile
from melleafy_tui.core.models.source_layout import LaidOutFile, SourceLayout
from melleafy_tui.core.workspace.environment_files import is_environment_file
from melleafy_tui.core.workspace.secrets import mask_secrets

LINE_END: Final = re.compile(r"\r\n|\n|\r")
MOST_NAMES: Final = 2_000
"""Names of unread files that are listed one by one; above it whole folders stand for them."""


def source_layout(snapshot: Snapshot, elements: Iterable[Element]) -> SourceLayout:
    """Return the layout of a workspace.

    Args:
        snapshot: The workspace as it was read.
        elements: The inventory's elements.
    """
    by_file: dict[str, list[Element]] = {}
    for element in elements:
        by_file.setdefault(element.source_file, []).append(element)
    return SourceLayout(
        files=tuple(_laid_out(file, by_file.get(file.path, ())) for file in snapshot.files),
        not_read=_not_read(snapshot),
    )


def split_lines(text: str) -> tuple[list[str], list[str]]:
    """Return the lines of a text without their ends, and the ends; the last one may be `""`."""
    lines = LINE_END.split(text)
    ends = LINE_END.findall(text)
    if lines[-1] == "":
        lines.pop()
    else:
        ends.append("")
    return lines, ends


def _laid_out(source: SourceFile, elements: Sequence[Element]) -> LaidOutFile:
    if source.text is None:
        return LaidOutFile(path=source.path, sha256=source.sha256, encoding=source.encoding)
    lines, ends = split_lines(source.text)
    usual = Counter(end for end in ends if end).most_common(1)
    line_end = usual[0][0] if usual else "\n"
    secret = [element for element in elements if element.facts.get("secret") is True]
    shown = split_lines(mask_secrets(source.text))[0] if secret else lines
    if len(shown) != len(lines):
        shown = ["" for _ in lines]
    covered = line_numbers(elements)
    return LaidOutFile(
        path=source.path,
        sha256=source.sha256,
        encoding=source.encoding,
        lines=len(lines),
        line_end=line_end,
        other_line_ends={number: end for number, end in enumerate(ends, 1) if end != line_end},
        gaps={
            number: shown[number - 1]
            for number, line in enumerate(lines, 1)
            if line and number not in covered
        },
        masked={number: shown[number - 1] for number in sorted(line_numbers(secret)) if number <= len(lines)},
        values_dropped=is_environment_file(source.path),
    )


def line_numbers(elements: Iterable[Element]) -> set[int]:
    """Return the numbers of all lines that elements cover."""
    numbers: set[int] = set()
    for element in elements:
        first, last = element.line_range
        numbers.update(range(first, last + 1))
    return numbers


def _not_read(snapshot: Snapshot) -> tuple[str, ...]:
    read = {file.path for file in snapshot.files}
    folders = {
        "/".join(path.split("/")[:depth]) + "/" for path in read for depth in range(1, path.count("/") + 1)
    }
    left = [name for name in snapshot.names if name not in read and name not in folders]
    whole = {name for name in left if name.endswith("/")}
    if len(left) <= MOST_NAMES:
        inhabited = {name.rpartition("/")[0] + "/" for name in left if not name.endswith("/")}
        inhabited |= {parent for name in whole for parent in _parents(name.rstrip("/"))}
        return tuple(name for name in left if not (name in whole and name in inhabited))
    return tuple(name for name in left if not any(parent in whole for parent in _parents(name.rstrip("/"))))


def _parents(name: str) -> list[str]:
    parts = name.split("/")
    return ["/".join(parts[:depth]) + "/" for depth in range(1, len(parts))]
