"""Finds the secrets of a text; every caller uses this module.

A secret has a form of its own (`forms`, `seed_phrases`) or is the value of a label (`labels`). In code and JSON the
name of a variable or key decides. Each secret gets the name of an environment variable that can replace it.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from hashlib import sha256
from typing import Final

from msgspec.structs import replace

from melleafy_tui.core.models.snapshot import LINE_END
from melleafy_tui.core.source.secrets.found_secret import SecretSpan, spliced
from melleafy_tui.core.source.secrets.known_forms import KEY_BLOCK_KIND, formed_secrets
from melleafy_tui.core.source.secrets.labelled_values import assigned_secrets, labelled_secrets
from melleafy_tui.core.source.secrets.seed_phrases import seed_phrases
from melleafy_tui.core.source.secrets.values import is_placeholder

CODE_ENDINGS: Final = frozenset(
    """
    py pyi sh bash zsh fish js mjs cjs ts tsx jsx rb go rs php pl lua java kt swift c h cpp cs ps1 bat cmd r sql
    """.split()  # noqa: SIM905
)
LEAST_PIECE: Final = 3
"""Characters of a piece of a value that no variable's name may hold."""

_PIECES: Final = re.compile(rf"[A-Z0-9]{{{LEAST_PIECE},}}")
JSON_ENDINGS: Final = frozenset(("json", "json5", "jsonc"))


def is_code(path: str, text: str = "") -> bool:
    """Return whether a file is a program: by the ending of its name, or by its first line."""
    name = path.rpartition("/")[2]
    _, dot, ending = name.rpartition(".")
    return ending.lower() in CODE_ENDINGS if dot else text.startswith("#!")


def _is_json(path: str) -> bool:
    return path.rpartition(".")[2].lower() in JSON_ENDINGS


def find_secrets(text: str, released: Collection[str] = (), *, path: str = "") -> tuple[SecretSpan, ...]:
    """Return the secrets of a text in order, without overlaps; the same value always gets the same variable name.

    Args:
        text: The text.
        released: Digests of values that the user marked as not secret; the other secrets keep their variable names.
        path: The file that it comes from, whose ending tells how it is read; without one it is prose.
    """
    spans = _named(text, _without_overlaps(_found(text, path)))
    return tuple(span for span in spans if not is_free(span.kind, text[span.start : span.end], released))


def certain_secrets(text: str) -> tuple[SecretSpan, ...]:
    """Return what is a secret by its form alone, wherever it is."""
    spans = _without_overlaps((*formed_secrets(text), *seed_phrases(text)))
    return tuple(span for span in spans if not _is_example(text, span))


def _is_example(text: str, span: SecretSpan) -> bool:
    """Return whether a value is a placeholder or cut: "eyJhbGci…" shows a token's beginning."""
    is_cut = text.startswith(("...", "…"), span.end)
    return span.kind != KEY_BLOCK_KIND and (is_cut or is_placeholder(text[span.start : span.end]))


def _found(text: str, path: str) -> Iterator[SecretSpan]:
    yield from formed_secrets(text)
    yield from seed_phrases(text)
    is_program = is_code(path, text)
    if is_program or _is_json(path):
        yield from assigned_secrets(text, "code" if is_program else "json")
    if not is_program:
        yield from labelled_secrets(text)  # in JSON what strings say


def secret_digest(value: str) -> str:
    """Return the digest under which a value is released; it is only stored for values that aren't secret."""
    return f"sha256:{sha256(value.encode('utf-8', 'surrogatepass')).hexdigest()}"


def is_free(kind: str, value: str, released: Collection[str]) -> bool:
    """Return whether the user released a value; a key block can't be released."""
    return bool(released) and kind != KEY_BLOCK_KIND and secret_digest(value) in released


def _without_overlaps(spans: Iterable[SecretSpan]) -> list[SecretSpan]:
    """Return the spans in order; of two that overlap, keep the sure and then the longer one, as long as both."""
    kept: list[SecretSpan] = []
    for span in sorted(spans, key=lambda span: (span.start, -span.end, not span.sure)):
        if not kept or span.start >= kept[-1].end:
            kept.append(span)
            continue
        before = kept[-1]
        best = span if span.sure and not before.sure else before
        kept[-1] = replace(best, start=before.start, end=max(before.end, span.end))
    return kept


def _named(text: str, spans: Iterable[SecretSpan]) -> Iterator[SecretSpan]:
    """Yield the spans with a number behind the name of each other value of one name, from 2 on."""
    owners: dict[str, str] = {}
    told: list[str] = []  # no name may hold a piece of a value that stands before its label
    for span in spans:
        value, number = text[span.start : span.end], 1
        parts = span.variable.split("_")  # a short one says nothing, but to leave it out would
        pieces = [part for part in parts if len(part) < LEAST_PIECE or not any(part in each for each in told)]
        span = replace(span, variable="_".join(pieces) or span.kind.upper().replace(" ", "_"))
        variable = span.variable
        told += [word for word in _PIECES.findall(value.upper()) if not word.isalpha()]
        if _is_example(text, span):
            continue
        while owners.setdefault(variable, value) != value:
            number += 1
            variable = f"{span.variable}_{number}"
        yield replace(span, variable=variable)


def mask_secrets(text: str, released: Collection[str] = (), *, path: str = "") -> str:
    """Return the text with each unreleased secret replaced by `${VARIABLE}`; the number of lines stays the same."""
    spans = find_secrets(text, released, path=path)
    return spliced(text, [(span.start, span.end, mask_of(text, span, path)) for span in spans])[0]


def mask_of(text: str, span: SecretSpan, path: str = "") -> str:
    """Return what replaces a value: its variable, quoted where a bare number of JSON was, and its line ends."""
    value = text[span.start : span.end]
    is_bare = _is_json(path) and text[span.start - 1 : span.start] not in ('"', "'")
    quote = '"' if is_bare and value.isdecimal() else ""
    return f"{quote}${{{span.variable}}}{quote}{''.join(LINE_END.findall(value))}"
