"""Takes secrets out of what leaves the inventory: values are masked, elements become credentials (spec/safety.md 4).

`content_full` keeps the verbatim lines, in memory only; `facts["secret"]` tells every output to mask them.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from melleafy_tui.core.diagnostics import diagnose
from melleafy_tui.core.models.diagnostics import Diagnostic
from melleafy_tui.core.models.inventory import Element, Facts
from melleafy_tui.core.models.snapshot import Snapshot, SourceFile
from melleafy_tui.core.models.vocabulary import Category, Tag
from melleafy_tui.core.wording import shorten
from melleafy_tui.core.workspace.secrets import SecretSpan, find_secrets, mask_secrets

LINE_END: Final = re.compile(r"\r\n|\n|\r")

WHOLE_TEXTS: Final = frozenset({"section", "file", "json"})
"""Kinds that are more than the line with the secret; they keep their category and are masked."""


def mask_elements(
    elements: Sequence[Element], snapshot: Snapshot
) -> tuple[tuple[Element, ...], tuple[Diagnostic, ...]]:
    """Return the elements with secrets masked, and what was found; a file is searched whole, for blocks over lines."""
    spans: dict[str, list[tuple[int, int, SecretSpan, str]]] = {}
    result: list[Element] = []
    diagnostics: dict[tuple[str, str], Diagnostic] = {}
    for element in elements:
        source = snapshot.file(element.source_file)
        if source is None or source.text is None:
            result.append(element)
            continue
        if element.source_file not in spans:
            spans[element.source_file] = list(_by_lines(source))
        first, last = element.line_range
        inside = [found for found in spans[element.source_file] if found[0] <= last and found[1] >= first]
        if not inside:
            result.append(element)
            continue
        result.append(_masked(element, inside))
        for start, end, span, _ in inside:
            lines = str(start) if start == end else f"{start}-{end}"
            diagnostics.setdefault(
                (element.source_file, f"{lines}:{span.variable}"),
                diagnose("secret-found", element.source_file, lines, kind=span.kind, variable=span.variable),
            )
    return tuple(result), tuple(diagnostics.values())


def copies_without_secrets(snapshot: Snapshot, elements: Sequence[Element]) -> dict[str, bytes]:
    """Return the masked bytes of the files that hold a secret, for packages that bring files of the source along.

    A file all of whose elements are free of secrets was searched already (`mask_elements`).
    """
    clean = {element.source_file for element in elements}
    clean -= {element.source_file for element in elements if element.facts.get("secret") is True}
    copies: dict[str, bytes] = {}
    for file in snapshot.files:
        if file.text is not None and file.path not in clean:
            masked = mask_secrets(file.text)
            if masked != file.text:
                copies[file.path] = masked.encode("utf-8", "surrogatepass")
    return copies


def secret_columns(source: SourceFile) -> dict[int, int]:
    """Return the lines of a file that hold a secret, each with the number of characters before its first one."""
    columns: dict[int, int] = {}
    for first, last, _, value in _by_lines(source):
        start = LINE_END.split(value)[0]
        line = source.lines[first - 1]
        columns[first] = min(columns.get(first, len(line)), max(line.find(start), 0))
        columns.update(dict.fromkeys(range(first + 1, last + 1), 0))
    return columns


def _by_lines(source: SourceFile) -> Iterable[tuple[int, int, SecretSpan, str]]:
    """Yield first line, last line, place and value of each secret of a file."""
    text = source.text or ""
    found = find_secrets(text)
    if not found:
        return
    starts = [0]
    for number in range(1, len(source.lines) + 1):
        piece = source.cut(number, number)
        end = starts[-1] + len(piece)
        width = 2 if text[end : end + 2] == "\r\n" else 1
        starts.append(end + width)
    line = 0
    for span in found:
        while line + 1 < len(starts) and starts[line + 1] <= span.start:
            line += 1
        last = line
        while last + 1 < len(starts) and starts[last + 1] < span.end:
            last += 1
        yield line + 1, last + 1, span, text[span.start : span.end]


def _masked(element: Element, inside: Sequence[tuple[int, int, SecretSpan, str]]) -> Element:
    values = [(value, span.variable) for _, _, span, value in inside]
    names = list(dict.fromkeys(variable for _, variable in values))

    def clean(text: str) -> str:
        for value, variable in values:
            for piece in (value, *(line.strip() for line in value.splitlines() if len(line.strip()) > 8)):
                text = text.replace(piece, f"${{{variable}}}")
        return mask_secrets(text)

    facts: Facts = {
        name: clean(value)
        if isinstance(value, str)
        else [clean(text) for text in value]
        if isinstance(value, list)
        else value
        for name, value in element.facts.items()
    }
    facts["secret"] = True
    facts["secret_env"] = names[0]
    if len(names) > 1:
        facts["secret_envs"] = names
    masked = replace(
        element,
        statement=clean(element.statement),
        content_summary=shorten(clean(element.content_summary)),
        value=clean(element.value),
        label=clean(element.label),
        section=tuple(clean(text) for text in element.section),
        context=tuple(clean(text) for text in element.context),
        notes=tuple(clean(text) for text in element.notes),
        facts=facts,
    )
    if element.kind in WHOLE_TEXTS or element.category is Category.C7:
        return masked
    facts["variable"] = names[0]
    return replace(
        masked,
        tag=Tag.CONFIG,
        category=Category.C7,
        mapping_row="env.var",
        rationale="secret",
        confidence=0.9,
        content_summary=_named(names[0], masked.content_summary),
        suggested_category=None,
        suggestion_reason="",
    )


def _named(variable: str, summary: str) -> str:
    """Return a summary with the variable's name, in a form that is not itself taken for a password and its value."""
    return summary if variable in summary else shorten(f"${{{variable}}}: {summary}")
