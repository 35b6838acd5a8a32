"""Masks secrets in texts, files and elements; an element whose line contains one becomes a credential.

`content_full` keeps the original lines in memory only; a `SecretFact` tells every output to mask them. Masked text
contains no secret, and the detector never matches `${VARIABLE}`.
"""

import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from itertools import chain, count
from operator import itemgetter
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.language.python_syntax import parse_python
from melleafy_tui.core.language.wording import shorten
from melleafy_tui.core.models.facts import SecretFact
from melleafy_tui.core.models.findings import Diagnostic, diagnose
from melleafy_tui.core.models.inventory import REST_OF_FILE, Element
from melleafy_tui.core.models.snapshot import Snapshot, SourceFile
from melleafy_tui.core.models.vocabulary import Category, Tag
from melleafy_tui.core.source.secrets.detector import (
    KEY_BLOCK_KIND,
    find_secrets,
    is_released,
    secret_digest,
)
from melleafy_tui.core.source.secrets.spans import SecretSpan

LINE_END: Final = re.compile(r"\r\n|\n|\r")

WHOLE_TEXTS: Final = frozenset({"section", "file", "json"})
"""Kinds of element that contain more than the line with the secret; they keep their category and are masked."""

WORDS_BEFORE: Final = 16
"""Characters shown before a masked value, to tell it from others on its line."""

_SPOKEN_WITH_A_VOWEL: Final = (*"AEIOaeio", "npm", "xAI")
"""How the kinds of secret that need the article "an" begin."""

SHORTEST_TEXT: Final = 8
"""Length from which a text can hold a label and a value."""

SHORTEST_LINE: Final = 9
"""Length from which a line of a value, or the beginning of one that is cut off, is told from ordinary words."""

LEAST_CUT: Final = 4
LONGEST_CUT: Final = 200
BLOCK_MARKS: Final = " \t>"
CUT: Final = "…"

_Placed = tuple[int, int, SecretSpan, str]
"""First line, last line, place and value of a secret in a file."""

MOST_PASSES: Final = 3
QUOTES: Final = ("'", '"')
WHOLE: Final = ""
"""The withheld value of an element whose whole text is left out."""

ANYWHERE: Final = ""
"""The file of a withheld value that is masked in all that is reported about the source."""

LEFT_OUT: Final = "[secret, not copied]"
"""What replaces a text that can't be masked; the detector takes it for ours."""


class SecretPlace(Struct, frozen=True):
    """A suspected secret at one position in a file, used to ask the user whether it is one.

    Attributes:
        name: File and variable, `TOOLS.md#API_KEY`; it identifies one value of the file.
        file: The file.
        lines: `"12"` or `"15-22"`.
        kind: What it looks like, in words.
        variable: The environment variable that replaces it.
        digest: The digest under which the value is released; not shown or stored before that.
    """

    name: str
    file: str
    lines: str
    kind: str
    variable: str
    digest: str

    @property
    def line_range(self) -> tuple[int, int]:
        """Return the first and last line."""
        first, _, last = self.lines.partition("-")
        return int(first), int(last or first)


class Withheld(Struct, frozen=True):
    """A value that is masked in some lines of the source because it reads as a secret in an emitted file.

    Attributes:
        file: The source file, or `ANYWHERE`.
        lines: `"12"` or `"15-22"`.
        value: The value, `WHOLE` if it isn't found in the lines as it is.
        kind: What it looks like.
        variable: The environment variable that replaces it.
    """

    file: str
    lines: str
    value: str
    kind: str
    variable: str


class MaskedElements(Struct, frozen=True):
    """Elements with their secrets masked, what was found, and by file the values that only its elements give away."""

    elements: tuple[Element, ...]
    diagnostics: tuple[Diagnostic, ...]
    by_element: "Mapping[str, Sequence[_Placed]]"


def texts_of(element: Element) -> tuple[str, ...]:
    """Return the texts of an element that its outputs are made from."""
    told: list[str] = [element.content_full, element.content_summary]

    def keep(text: str) -> str:
        told.append(text)
        return text

    element.facts.with_text(keep)
    _with_text(element, keep)
    return tuple(told)


def mask_secrets(text: str, released: Collection[str] = (), *, quotes_numbers: bool = False) -> str:
    """Return the text with each unreleased secret replaced by `${VARIABLE}`; the number of lines stays the same.

    A masked text is searched again: what stands beside a mask may now be the value of a label. The mask of a bare
    number breaks JSON and Python, unless it is quoted.
    """
    taken: set[str] = set()
    for _ in range(MOST_PASSES):
        masked = _masked_once(text, released, taken, '"' if quotes_numbers else "")
        if masked == text:
            break
        text = masked
    return text


def _masked_once(text: str, released: Collection[str], taken: set[str], quote: str) -> str:
    """Return the text with the secrets masked that one search finds; `taken` has the names of earlier ones."""
    parts: list[str] = []
    position, named = 0, set(taken)
    for span in find_secrets(text, released):
        numbered = (f"{span.variable}_{number}" for number in count(2))
        free = next(name for name in chain([span.variable], numbered) if name not in named)
        value = text[span.start : span.end]
        mark = quote if value.isdecimal() and text[span.start - 1 : span.start] not in QUOTES else ""
        parts += [text[position : span.start], mark, "${", free, "}", mark, _line_ends(value)]
        position = span.end
        taken.add(free)
    return "".join((*parts, text[position:]))


def masked_whole(text: str, released: Collection[str] = ()) -> str:
    """Return the text with its secrets masked, again where masking brought labels and values together.

    A text in which secrets are left after that is replaced whole, so that no lint refuses it.
    """
    masked = mask_secrets(text, released)
    return LEFT_OUT if find_secrets(masked, released) else masked


def secret_places(source: SourceFile) -> tuple[SecretPlace, ...]:
    """Return the releasable secrets of a file in order; a value that occurs twice has two places with one name."""
    if source.text is None:
        return ()
    return tuple(
        SecretPlace(
            _name(source.path, span),
            source.path,
            _lines(first, last),
            span.kind,
            span.variable,
            secret_digest(value),
        )
        for first, last, span, value in _by_lines(source)
        if span.kind != KEY_BLOCK_KIND
    )


def masked_words(source: SourceFile, place: SecretPlace) -> str:
    """Return the words around a value on its line, with every secret on the line masked."""
    line = LINE_END.split(mask_secrets(source.text or ""))[place.line_range[0] - 1].strip()
    before, mark, after = line.partition(f"${{{place.variable}}}")
    head = before if len(before) <= WORDS_BEFORE else f"…{before[-WORDS_BEFORE:]}"
    return f"{head}{mark and '••••••'}{after}"


def _in_lines(spans: Sequence[_Placed], line_range: tuple[int, int]) -> Sequence[_Placed]:
    """Return the secrets on some lines, of those of a file in order; no two of them overlap."""
    first, last = line_range
    return spans[bisect_left(spans, first, key=itemgetter(1)) : bisect_right(spans, last, key=itemgetter(0))]


def mask_elements(
    elements: Sequence[Element],
    snapshot: Snapshot,
    released: Collection[str] = (),
    credential_row: str = "",
    withheld: Collection[Withheld] = (),
) -> MaskedElements:
    """Return the elements with secrets masked, and what was found; whole files are searched, to find multi-line blocks.

    Args:
        elements: The elements that the dialects read.
        snapshot: The workspace.
        released: Digests of the values that the user released.
        credential_row: The mapping row for a line with a secret.
        withheld: Values that read as secrets in an emitted file.
    """
    spans = {
        source.path: list(_by_lines(source))
        for path in {element.source_file for element in elements}
        if (source := snapshot.file(path)) is not None and source.text is not None
    }
    masked_in = {
        path: [found for found in placed if not _is_free(found, released)] for path, placed in spans.items()
    }
    result: list[Element] = []
    diagnostics: dict[tuple[str, str], Diagnostic] = {}
    by_element: dict[str, list[_Placed]] = {}
    cleaners = {path: _cleaner(found, released) for path, found in masked_in.items() if found}
    for element in elements:
        inside = _in_lines(spans.get(element.source_file, ()), element.line_range)
        kept = [found for found in inside if not _is_free(found, released)]
        if not kept and element.rationale != REST_OF_FILE and (joined := _joined(element, released)):
            kept, inside = joined, [*inside, *joined]
            by_element.setdefault(element.source_file, []).extend(joined)
        if late := _withheld_from(element, withheld):
            kept += late
            by_element.setdefault(element.source_file, []).extend(late)
        masked = _masked(element, kept, released, credential_row) if kept else element
        clean = cleaners.get(element.source_file)
        result.append(_with_masked_headings(masked, clean) if clean else masked)
        held = set(kept)
        for found in inside:
            start, end, span, _ = found
            lines = _lines(start, end)
            diagnostics.setdefault(
                (element.source_file, f"{lines}:{span.variable}"),
                diagnose(
                    _code(span, found in held),
                    element.source_file,
                    lines,
                    kind=_with_article(span.kind),
                    variable=span.variable,
                    name=_name(element.source_file, span),
                ),
            )
    return MaskedElements(tuple(result), tuple(diagnostics.values()), by_element)


def _cleaner(spans: Sequence[_Placed], released: Collection[str]) -> Callable[[str], str]:
    """Return what takes the secrets of a file out of a text; many elements have the same headings."""
    values = tuple(_named_values(spans))

    @cache
    def clean(text: str) -> str:
        return masked_whole(without_values(text, values), released)

    return clean


def _with_masked_headings(element: Element, clean: Callable[[str], str]) -> Element:
    """Return an element whose headings and lead-ins hold no secret of other lines of its file."""
    told = (*element.section, *element.context, element.aggregation_hint)
    return element if all(clean(text) == text for text in told) else _with_text(element, clean)


_TEXTS: Final = ("statement", "value", "label", "aggregation_hint", "suggestion_reason", "runtime_only")
_LISTS: Final = ("section", "context", "notes")
"""Fields of an element that tell its lines or what stands above them, beside its summary and its verbatim lines."""


def _with_text(element: Element, change: Callable[[str], str]) -> Element:
    """Return an element with `change` applied to all that it tells of the source, but for its verbatim lines."""
    changed: dict[str, object] = {name: change(getattr(element, name)) for name in _TEXTS}
    changed |= {name: tuple(map(change, getattr(element, name))) for name in _LISTS}
    return replace(element, content_summary=shorten(change(element.content_summary)), **changed)


def without_values(text: str, values: Iterable[tuple[str, str]]) -> str:
    """Return a text without these values, the lines of one, and the beginning of one that is cut off.

    Args:
        text: The text.
        values: Each value with its variable.
    """
    for value, variable in values:
        if value == WHOLE or not (value in text or text.endswith(CUT) or len(value.splitlines()) > 1):
            continue
        mask = f"${{{variable}}}"
        for part in _parts(value):
            text = text.replace(part, mask)
            if text.endswith(CUT):
                text = _without_beginning(text, " ".join(part[:LONGEST_CUT].split()), mask)
    return text


def _named_values(placed: Iterable[_Placed]) -> list[tuple[str, str]]:
    return [(value, span.variable) for _, _, span, value in placed]


def _parts(value: str) -> Iterator[str]:
    """Yield a value, and its lines if it has several, as a reader joins them without the marks of Markdown."""
    yield value
    lines = value.splitlines()
    if len(lines) > 1:
        yield from (bare for line in lines if len(bare := line.strip(BLOCK_MARKS)) >= SHORTEST_LINE)


def _without_beginning(text: str, value: str, mask: str) -> str:
    """Return a text that was cut off, with the beginning of the value that it ends with replaced."""
    shown = text.removesuffix(CUT)
    lengths = range(min(len(value), len(shown)), LEAST_CUT - 1, -1)
    length = next((length for length in lengths if shown.endswith(value[:length])), 0)
    return f"{shown[:-length]}{mask}{CUT}" if length else text


_PROHIBITS: Final = re.compile(
    r"(?:you )?(?:must never|never|do not|don't|must not|should not)[: ]+|绝不|禁止|不要|不得|不能|严禁",
    re.IGNORECASE,
)


def _joined(element: Element, released: Collection[str]) -> list[_Placed]:
    """Return the secrets of an element's own texts: reading it can bring a label and a value together.

    The summary is searched once more as a cell, as it stands in the tables of our reports, and a prohibition without
    its opening: "never say the code of the door is …" tells it all the same, and a fixture asks for what is forbidden.
    """
    summary = element.content_summary
    cell = f"| {summary.replace('|', '&#124;')} |"
    asked = _PROHIBITS.sub("", element.statement)
    own = (element.content_full, element.value, element.label)
    made = (element.statement, summary, cell, asked)
    return [
        (*element.line_range, span, text[span.start : span.end])
        for text in dict.fromkeys((*own, *made))
        if len(text) >= SHORTEST_TEXT
        for span in find_secrets(text, released, near=text in own)
    ]


def _withheld_from(element: Element, withheld: Iterable[Withheld]) -> list[_Placed]:
    """Return the values of an element that an emitted file would tell."""
    return [
        (*element.line_range, SecretSpan(0, 0, each.kind, each.variable), each.value)
        for each in withheld
        if (each.file, each.lines) == (element.source_file, element.source_lines)
    ]


def _with_article(kind: str) -> str:
    return f"{'an' if kind.startswith(_SPOKEN_WITH_A_VOWEL) else 'a'} {kind}"


def _is_free(found: _Placed, released: Collection[str]) -> bool:
    return bool(released) and found[2].kind != KEY_BLOCK_KIND and is_released(found[3], released)


def _code(span: SecretSpan, kept: bool) -> str:
    if not kept:
        return "secret-released"
    return "secret-kept" if span.kind == KEY_BLOCK_KIND else "secret-found"


def _name(path: str, span: SecretSpan) -> str:
    return f"{path}#{span.variable}"


def _lines(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"


def copies_without_secrets(
    snapshot: Snapshot, elements: Sequence[Element], released: Collection[str] = ()
) -> dict[str, bytes]:
    """Return the masked bytes of the files that contain a secret, for packages that include source files.

    Files whose elements contain no secrets are skipped: `mask_elements` already searched them.
    """
    clean = {element.source_file for element in elements}
    clean -= {element.source_file for element in elements if element.facts[SecretFact].secret}
    copies: dict[str, bytes] = {}
    for file in snapshot.files:
        if file.text is not None and file.path not in clean:
            masked = _masked_copy(file.path, file.text, released)
            if masked != file.text:
                copies[file.path] = masked.encode("utf-8", "surrogatepass")
    return copies


def masked_digests(
    snapshot: Snapshot, by_element: Mapping[str, Sequence[_Placed]] | None = None
) -> dict[str, str]:
    """Return the SHA-256 of each file by path, of one with secrets that of its masked text.

    From a digest of the text itself, a PIN is found by trying all. Released values are masked too, so that a release
    changes no digest.

    Args:
        snapshot: The workspace.
        by_element: By file, the values that only its elements give away.
    """
    return {file.path: masked_digest(file, (by_element or {}).get(file.path, ())) for file in snapshot.files}


def masked_digest(file: SourceFile, by_element: Sequence[_Placed] = ()) -> str:
    """Return the SHA-256 of a file, or of its masked text if it has secrets."""
    if file.text is None:
        return file.sha256
    text = file.text
    for first, last, _, value in by_element:
        if value == WHOLE:
            text = text.replace(file.cut(first, last), LEFT_OUT)
    masked = without_values(mask_secrets(text), _named_values(by_element))
    return file.sha256 if masked == file.text else sha256(masked.encode("utf-8", "surrogatepass")).hexdigest()


_PARSERS: Final[Mapping[str, Callable[[str], object]]] = {"json": json.loads, "py": parse_python}


def _masked_copy(path: str, text: str, released: Collection[str]) -> str:
    """Return the masked text of a file; where masks of bare numbers would break its syntax, they are quoted.

    A file whose syntax no mask keeps, or that still reads as if it held a secret, is replaced whole.
    """
    masked = mask_secrets(text, released)
    if masked == text:
        return text
    parse = _PARSERS.get(path.rpartition(".")[2].casefold(), str)
    parses = _parses(parse, text)
    for numbers in (False, True):
        masked = mask_secrets(text, released, quotes_numbers=numbers) if numbers else masked
        if (not parses or _parses(parse, masked)) and not find_secrets(masked, released):
            return masked
    return json.dumps(LEFT_OUT)


def _parses(parse: Callable[[str], object], text: str) -> bool:
    try:
        parse(text)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return False
    return True


def secret_columns(source: SourceFile, released: Collection[str] = ()) -> dict[int, int]:
    """Return the lines of a file that contain a secret, each with the number of characters before the first one."""
    columns: dict[int, int] = {}
    for found in _by_lines(source):
        first, last, _, value = found
        if _is_free(found, released):
            continue
        start = LINE_END.split(value)[0]
        line = source.lines[first - 1]
        columns[first] = min(columns.get(first, len(line)), max(line.find(start), 0))
        columns.update(dict.fromkeys(range(first + 1, last + 1), 0))
    return columns


def secret_values(source: SourceFile, released: Collection[str] = ()) -> dict[str, str]:
    """Return the variable of each value in a file that is a secret, the longest first."""
    found = {
        value: span.variable for *_, span, value in _by_lines(source) if not is_released(value, released)
    }
    return dict(sorted(found.items(), key=lambda row: -len(row[0])))


def _by_lines(source: SourceFile) -> Iterable[_Placed]:
    """Yield the first line, last line, span and value of each secret in a file."""
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


def _masked(
    element: Element,
    inside: Sequence[_Placed],
    released: Collection[str],
    credential_row: str,
) -> Element:
    values = _named_values(inside)
    names = list(dict.fromkeys(variable for _, variable in values))
    first: dict[str, str] = {}
    for value, variable in values:
        first.setdefault(value, variable)
    used = tuple(dict.fromkeys(first.values()))
    whole = _left_out_by(element, inside)

    def clean(text: str) -> str:
        if whole and text.strip():
            return whole
        return masked_whole(without_values(text, values), released)

    held = SecretFact(
        secret=True,
        variable=element.facts[SecretFact].variable,
        secret_env=names[0],
        secret_envs=used if len(used) > 1 else (),
        heading=_masked_heading(element, clean),
        lines=clean(element.content_full) if element.kind in ("section", "file") else "",
    )
    masked = replace(_with_text(element, clean), facts=element.facts.with_text(clean).adding(held))
    if element.kind in WHOLE_TEXTS or element.category is Category.C7:
        return masked
    around = replace(
        held,
        variable=names[0],
        text_category=element.category.value,
        text_tag=element.tag.value,
        text_row=element.mapping_row,
    )
    return replace(
        masked,
        facts=masked.facts.adding(around),
        tag=Tag.CONFIG,
        category=Category.C7,
        mapping_row=credential_row,
        rationale="secret",
        confidence=0.9,
        content_summary=_named(names[0], masked.content_summary),
        suggested_category=None,
        suggestion_reason="",
    )


def _left_out_by(element: Element, inside: Sequence[_Placed]) -> str:
    """Return what replaces each text of an element that holds nothing but the lines of a value, else `""`."""
    if any(value == WHOLE for _, _, _, value in inside):
        return LEFT_OUT
    first, last = element.line_range
    broken = (row for row in inside if len(row[3].splitlines()) > 1)  # the place of others is their element's
    around = (span for start, end, span, _ in broken if start <= first and last <= end)
    return next((f"${{{span.variable}}}" for span in around), "")


def _masked_heading(element: Element, clean: Callable[[str], str]) -> str:
    """Return the masked heading of an element that begins with one that holds a secret, else `""`."""
    if element.kind not in ("section", "heading"):
        return ""
    first = element.content_full.lstrip().partition("\n")[0].lstrip("#").strip()
    masked = clean(first)
    return masked if masked != first else ""


def _named(variable: str, summary: str) -> str:
    """Return a summary with the variable's name, in a form that isn't itself taken for a password and its value."""
    return summary if variable in summary else shorten(f"${{{variable}}}: {summary}")


def _line_ends(text: str) -> str:
    return "".join(re.findall(r"\r\n|\n|\r", text))
