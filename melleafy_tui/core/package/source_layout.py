"""Records the text between the elements of a file, so that an export can restore it; of other files, the digest."""

from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from melleafy_tui.core.models.inventory import Element, Inventory
from melleafy_tui.core.models.manifest import LaidOutFile, SourceLayout
from melleafy_tui.core.models.snapshot import LINE_END, Snapshot, SourceFile, lines_of
from melleafy_tui.core.models.vocabulary import DECISIONS_FILE


def source_layout(snapshot: Snapshot, inventory: Inventory, package_name: str) -> SourceLayout:
    """Return the layout of a workspace.

    Args:
        snapshot: The workspace as it was read, its secrets masked.
        inventory: Its elements, and the digests of its files.
        package_name: The package, which is left out if it is in the workspace itself (`--in-place`).
    """
    by_file: dict[str, list[Element]] = {}
    for element in inventory.elements:
        by_file.setdefault(element.source_file, []).append(element)
    return SourceLayout(
        files=tuple(
            _laid_out(file, inventory.digests[file.path], by_file.get(file.path, ()))
            for file in snapshot.files
        ),
        not_read=_names_not_read(snapshot, f"{package_name}/"),
    )


def split_lines(text: str) -> tuple[list[str], list[str]]:
    """Return the lines of a text without line endings, and the line endings; the last one can be `""`."""
    lines, ends = lines_of(text), LINE_END.findall(text)
    return list(lines), ends + [""] * (len(lines) - len(ends))


def _laid_out(source: SourceFile, digest: str, elements: Sequence[Element]) -> LaidOutFile:
    hidden = [each for each in source.secrets if not each.released]
    left_out = any(not element.content_full for element in elements)
    laid_out = LaidOutFile(
        path=source.path,
        sha256=digest,
        encoding=source.encoding,
        values_dropped=source.values_dropped,
        secrets_masked=bool(source.secrets),
    )
    if source.text is None or not elements or left_out:
        return laid_out  # a way back takes it from the workspace, by its digest
    lines, ends = split_lines(source.text)
    line_end, other_line_ends = _line_ends(ends)
    masked = {number for each in hidden for number in _numbers(each.lines)}
    return replace(
        laid_out,
        lines=len(lines),
        line_end=line_end,
        other_line_ends=other_line_ends,
        gaps={number: lines[number - 1] for number in _gaps(lines, elements) if number not in masked},
        masked={number: lines[number - 1] for number in sorted(masked)},
    )


def _numbers(lines: str) -> range:
    first, _, last = lines.partition("-")
    return range(int(first), int(last or first) + 1)


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


def _holds_its_lines(element: Element, lines: Sequence[str]) -> bool:
    """Return whether an element contains its lines verbatim; one of many on a long line of JSON doesn't."""
    return element.kind != "json" or element.content_full.startswith(lines[element.line_range[0] - 1])


def line_numbers(elements: Iterable[Element]) -> set[int]:
    """Return the numbers of all lines that the elements cover."""
    numbers: set[int] = set()
    for element in elements:
        first, last = element.line_range
        numbers.update(range(first, last + 1))
    return numbers


def _names_not_read(snapshot: Snapshot, package: str) -> tuple[str, ...]:
    """Return the unread names, without our own files and the package; a folder without any read file is one name."""
    read = {file.path for file in snapshot.files}
    inhabited = {parent for path in read for parent in _parents(path)}
    known = {*read, *inhabited, DECISIONS_FILE}
    ours = (package, ".melleafy-")
    left = (name for name in snapshot.names if name not in known and not name.startswith(ours))
    outermost = {
        next((parent for parent in _parents(name) if parent not in inhabited), name) for name in left
    }
    return tuple(sorted(outermost))


def _parents(name: str) -> list[str]:
    """Return the folders above a name, outermost first, each with its final `/`."""
    parts = name.rstrip("/").split("/")
    return ["/".join(parts[:depth]) + "/" for depth in range(1, len(parts))]
