"""Finding and masking secrets in text; the one door to the detector (spec/safety.md 4).

What stands on one line is found by `secret_line.py`; what takes several is found here: private key blocks, and tables
with a header that names passwords.
"""

import re
from collections.abc import Callable, Collection, Iterator
from hashlib import sha256
from itertools import pairwise
from typing import Final

from msgspec.structs import replace

from melleafy_tui.core.workspace.secret_candidates import lines_to_search
from melleafy_tui.core.workspace.secret_forms import (
    KEY_BLOCK,
    KEY_BLOCK_END,
    KEY_BLOCK_MARKS,
    NO_SECRET_LABEL,
    PASSWORD_LABEL,
    SECRET_LABEL,
)
from melleafy_tui.core.workspace.secret_line import SecretSpan, secrets_of_line, variable_name
from melleafy_tui.core.workspace.secret_tables import end_of_table, is_delimiter, labelled_cells, line_after
from melleafy_tui.core.workspace.secret_values import is_password, is_token

LONGEST_WINDOW: Final = 4_000
WINDOW_OVERLAP: Final = 400
LONGEST_KEY_BLOCK: Final = 20_000
KEY_BLOCK_KIND: Final = "private key"
"""Never released: nothing else looks like it, and what is cut off one swallows the lines after it."""

_EDGES: Final = re.compile(r"\A[\W_]+|[\W_]+\Z")


def find_secrets(
    text: str, released: Collection[str] = (), *, read_as: Callable[[str], str] = str
) -> tuple[SecretSpan, ...]:
    """Return the secrets of a text in order, without overlaps; one variable name stands for one value.

    Args:
        text: The text.
        released: Digests of values that the user released as no secrets; the others keep their variables' names.
        read_as: What is searched in place of a line or several, of the same length.
    """
    found = [*_key_blocks(text, read_as)]
    table_end = 0
    for start, end in lines_to_search(text):
        if start >= table_end and (table := _table(text, start, end, read_as)):
            table_end = start + len(table)
            found += _table_cells(table, start)
        for offset, window in _windows(read_as(text[start:end])):
            found += _moved(secrets_of_line(window), start + offset)
    if not found:
        return ()
    spans = _named_apart(text, _labelled_apart(text, _without_overlaps(found)))
    if not released:
        return spans
    return tuple(
        span
        for span in spans
        if span.kind == KEY_BLOCK_KIND or not is_released(text[span.start : span.end], released)
    )


def secret_digest(value: str) -> str:
    """Return the name under which a value is released; it is only ever written for one that is no secret.

    Marks around it are no part of it: whether a final `!` belongs to a password depends on what stands behind it.
    """
    bare = _EDGES.sub("", value) or value
    return f"sha256:{sha256(bare.encode('utf-8', 'surrogatepass')).hexdigest()}"


def is_released(value: str, released: Collection[str]) -> bool:
    """Return whether a value was released, also where it stands with the escapes of a literal."""
    plain = re.sub(r"\\(?=[\\\"'])", "", value)
    return secret_digest(value) in released or secret_digest(plain) in released


def mask_secrets(text: str, released: Collection[str] = ()) -> str:
    """Return the text with each secret that is not released replaced by `${VARIABLE}`; the number of lines stays."""
    parts: list[str] = []
    position = 0
    for span in find_secrets(text, released):
        parts += [
            text[position : span.start],
            "${",
            span.variable,
            "}",
            _line_ends(text[span.start : span.end]),
        ]
        position = span.end
    return "".join((*parts, text[position:]))


def names_secret(label: str) -> bool:
    """Return whether a label, such as the name of a header, says that its value is a secret."""
    return bool(SECRET_LABEL.search(label)) and not NO_SECRET_LABEL.search(label)


def _line_ends(text: str) -> str:
    return "".join(re.findall(r"\r\n|\n|\r", text))


def _key_blocks(text: str, read_as: Callable[[str], str]) -> Iterator[SecretSpan]:
    if not any(mark in text for mark in KEY_BLOCK_MARKS):
        return
    text = read_as(text)
    position = 0
    while match := KEY_BLOCK.search(text, position):
        limit = min(len(text), match.start() + LONGEST_KEY_BLOCK)
        end = KEY_BLOCK_END.search(text, match.end(), limit)
        if end is not None:
            position = end.end()
        else:
            blank = re.compile(r"(?:\r\n|\n|\r)[ \t]*(?:\r\n|\n|\r)").search(text, match.end(), limit)
            position = blank.start() if blank else limit
        yield SecretSpan(match.start(), position, KEY_BLOCK_KIND, "PRIVATE_KEY")


def _table(text: str, start: int, end: int, read_as: Callable[[str], str]) -> str:
    """Return the table whose header is a line, or `""` where the line is none."""
    if not read_as(text[start:end]).lstrip().startswith("|") or not is_delimiter(
        read_as(line_after(text, end))
    ):
        return ""
    return read_as(text[start : end_of_table(text, end, read_as)])


def _table_cells(table: str, offset: int) -> Iterator[SecretSpan]:
    """Yield what stands below a header that names passwords or tokens."""
    for cell in labelled_cells(table):
        value = cell.value
        password = PASSWORD_LABEL.search(cell.header)
        if is_password(value, ends_line=True, quoted=False) if password else is_token(value):
            variable = variable_name(cell.header, "PASSWORD" if password else "TOKEN")
            kind = "password" if password else "token"
            start = offset + cell.start
            yield SecretSpan(start, start + len(value), kind, variable)


def _windows(line: str) -> Iterator[tuple[int, str]]:
    """Yield a line, a long one in overlapping windows, each with its offset."""
    for start in range(0, len(line), LONGEST_WINDOW - WINDOW_OVERLAP):
        yield start, line[start : start + LONGEST_WINDOW]
        if start + LONGEST_WINDOW >= len(line):
            break


def _moved(spans: tuple[SecretSpan, ...], offset: int) -> Iterator[SecretSpan]:
    for span in spans:
        yield SecretSpan(offset + span.start, offset + span.end, span.kind, span.variable)


def _without_overlaps(spans: list[SecretSpan]) -> list[SecretSpan]:
    """Return the spans in order; of two that overlap, the one that starts first, then the longer one."""
    kept: list[SecretSpan] = []
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        if not kept or span.start >= kept[-1].end:
            kept.append(span)
        elif span.end > kept[-1].end:
            kept[-1] = SecretSpan(kept[-1].start, span.end, kept[-1].kind, kept[-1].variable)
    return kept


def _labelled_apart(text: str, spans: list[SecretSpan]) -> list[SecretSpan]:
    """Return the spans with no secret in a variable's name, which a label takes from the words before its value."""
    result = spans[:1]
    for before, span in pairwise(spans):
        first = span.variable.split("_")[0]
        near = text[max(0, before.start, span.start - WINDOW_OVERLAP) : before.end].upper()
        if len(first) > 2 and first in near:
            words = re.findall(r"[A-Za-z0-9]+", text[before.end : span.start])[-4:]
            span = replace(span, variable=variable_name(" ".join(words)))
        result.append(span)
    return result


def _named_apart(text: str, spans: list[SecretSpan]) -> tuple[SecretSpan, ...]:
    owners: dict[str, str] = {}
    named = []
    for span in spans:
        value = text[span.start : span.end]
        variable, number = span.variable, 2
        while owners.setdefault(variable, value) != value:
            variable, number = f"{span.variable}_{number}", number + 1
        named.append(SecretSpan(span.start, span.end, span.kind, variable))
    return tuple(named)
