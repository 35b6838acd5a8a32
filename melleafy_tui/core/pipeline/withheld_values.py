"""Finds the values of the source that read as secrets only in an emitted file, so that the source is masked there, too.

Secrets are masked where the source is read. A report, a fixture or a literal can still put a label beside a value that
it didn't have there, and then the lint for secrets finds it. The conversion adds it to what is masked, and renders
again.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from melleafy_tui.core.lint.secrets import EMITTED_TEXTS, Found, secrets_of
from melleafy_tui.core.models.file_set import EmittedFile, FileSet
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.reports import LintReport
from melleafy_tui.core.source.secrets.masking import ANYWHERE, WHOLE, Withheld, texts_of

MOST_ROUNDS: Final = 4
LEAST_LETTERS: Final = 4
"""Letters and digits by which a value is recognised whose marks an emitted file writes in another way."""


def withheld_note(places: Iterable[str]) -> str:
    """Return the sentence that tells a user on which lines values were masked after a first rendering."""
    return f"Also masked, because they read as secrets in the package: {', '.join(places)}"


def places_of(withheld: Iterable[Withheld]) -> tuple[str, ...]:
    """Return where values were withheld, as `TOOLS.md:12`."""
    return tuple(sorted({f"{each.file}:{each.lines}" for each in withheld if each.file}))


def withheld_in(
    files: FileSet, report: LintReport, elements: Sequence[Element], released: frozenset[str]
) -> frozenset[Withheld]:
    """Return the values to mask in the source so that no lint finds them in these files.

    Args:
        files: The package as it was rendered.
        report: What the lints found in it.
        elements: The elements that it was rendered from.
        released: Digests of the values that the user released; they stay.
    """
    places = {(finding.file, finding.line, finding.column) for finding in report.findings}
    paths = {path for path, _, _ in places}
    return frozenset(
        withheld
        for file in files.files
        if file.path in paths and not file.path.endswith(EMITTED_TEXTS)
        for found in secrets_of(file)
        if (file.path, found.line, found.column) in places and not found.is_released(released)
        for withheld in _withheld(file, found, elements)
    )


def _withheld(file: EmittedFile, found: Found, elements: Sequence[Element]) -> Iterator[Withheld]:
    """Yield the places of a value in the source: on the lines that the text comes from, else wherever it stands."""
    rows = [row for row in file.provenance if row.first <= found.last and found.line <= row.last]
    near = [element for element in elements if element.element_id in {row.element_id for row in rows}]
    holding = _holding(near, found.value) or _holding(elements, found.value)
    for element, value in holding:
        yield Withheld(element.source_file, element.source_lines, value, found.kind, found.variable)
    for element in () if holding else near:
        yield Withheld(element.source_file, element.source_lines, WHOLE, found.kind, found.variable)
    yield Withheld(ANYWHERE, "", found.value, found.kind, found.variable)


def _holding(elements: Iterable[Element], value: str) -> list[tuple[Element, str]]:
    """Return the elements that hold a value, with the value as each has it, and each as often as it has forms of it."""
    return [
        (element, written)
        for element in elements
        for written in {_as_written(text, value) for text in texts_of(element)} - {""}
    ]


def _as_written(text: str, value: str) -> str:
    """Return a value as a text holds it, or `""`: an emitted file escapes marks, and shows control characters."""
    if value in text:
        return value
    wanted, letters = _letters(value), _letters(text)
    start = "".join(letter for _, letter in letters).find("".join(letter for _, letter in wanted))
    if len(wanted) < LEAST_LETTERS or start < 0:
        return ""
    return text[letters[start][0] : letters[start + len(wanted) - 1][0] + 1]


def _letters(text: str) -> list[tuple[int, str]]:
    return [(place, letter) for place, letter in enumerate(text) if letter.isalnum()]
