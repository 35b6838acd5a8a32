"""Masks the secrets of a file once, when it is read; everything after that sees the masked text.

A mask replaces the value and nothing else. The values stay in memory beside the text, so that the owner can look at one
and release it.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.models.facts import Facts, SecretFact, ToolFact
from melleafy_tui.core.models.findings import Diagnostic, diagnose
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.snapshot import Secret, Snapshot, SourceFile
from melleafy_tui.core.models.vocabulary import Category, Tag
from melleafy_tui.core.source.script_needs import needed_by
from melleafy_tui.core.source.secrets.detector import (
    find_secrets,
    is_code,
    is_free,
    mask_of,
    secret_digest,
)
from melleafy_tui.core.source.secrets.found_secret import spliced
from melleafy_tui.core.source.secrets.known_forms import KEY_BLOCK_KIND

WORDS_BEFORE: Final = 16
"""Characters shown before a masked value, to tell it from others on its line."""

HIDDEN: Final = "••••••"
_SPOKEN_WITH_A_VOWEL: Final = (*"AEIOaeio", "npm", "xAI")
"""How the kinds of secret that need the article "an" begin."""


class SecretPlace(Struct, frozen=True):
    """A masked value in a file, used to ask the owner whether it is a secret."""

    file: str
    secret: Secret

    @property
    def name(self) -> str:
        """Return file and variable, `TOOLS.md#API_KEY`; it identifies one value of the file."""
        return f"{self.file}#{self.secret.variable}"

    @property
    def digest(self) -> str:
        """Return the digest under which the value is released; it isn't shown or stored before that."""
        return secret_digest(self.secret.value)


def masked_file(file: SourceFile) -> SourceFile:
    """Return a file with its secrets masked; in code only what is certainly one."""
    text = file.text
    if text is None or not (spans := find_secrets(text, path=file.path)):
        return file
    masked, places = spliced(text, [(span.start, span.end, mask_of(text, span, file.path)) for span in spans])
    secrets: list[Secret] = []
    for span, place in zip(spans, places, strict=True):
        value, mask = text[span.start : span.end], mask_of(text, span, file.path)
        first = 1 + _line_ends(text[: span.start])
        last = first + _line_ends(value)
        lines = str(first) if last == first else f"{first}-{last}"
        secrets.append(Secret(place, mask, value, lines, span.kind, span.variable, span.sure, span.named))
    code = is_code(file.path, text)
    return replace(file, raw=None, text=masked, encoding="utf-8", secrets=tuple(secrets), is_code=code)


def _line_ends(text: str) -> int:
    return text.count("\n") + text.count("\r") - text.count("\r\n")


def with_released(snapshot: Snapshot, released: Collection[str]) -> Snapshot:
    """Return a snapshot with the released values in their places again; a key block can't be released.

    Args:
        snapshot: The workspace, masked.
        released: Digests of the values that the owner released.
    """
    if not released:
        return snapshot
    files = tuple(_released(file, released) if file.secrets else file for file in snapshot.files)
    return snapshot if files == snapshot.files else replace(snapshot, files=files)


def _released(file: SourceFile, released: Collection[str]) -> SourceFile:
    secrets = [replace(each, released=is_free(each.kind, each.value, released)) for each in file.secrets]
    if not any(each.released for each in secrets):
        return file
    changes = [
        (each.start, each.start + len(each.mask), each.value if each.released else each.mask)
        for each in secrets
    ]
    text, places = spliced(file.text or "", changes)
    moved = tuple(replace(each, start=place) for each, place in zip(secrets, places, strict=True))
    return replace(file, text=text, raw=None, secrets=moved, masked_sha256=file.sha256)


def secret_places(source: SourceFile) -> tuple[SecretPlace, ...]:
    """Return the releasable secrets of a file in order; a value that occurs twice has two places with one name."""
    return tuple(SecretPlace(source.path, each) for each in source.secrets if each.kind != KEY_BLOCK_KIND)


def masked_words(source: SourceFile, place: SecretPlace) -> str:
    """Return the words around a value on its line, with every secret on the line masked."""
    line = source.lines[int(place.secret.lines.partition("-")[0]) - 1].strip()
    before, mark, after = line.partition(f"${{{place.secret.variable}}}")
    head = before if len(before) <= WORDS_BEFORE else f"…{before[-WORDS_BEFORE:]}"
    return f"{head}{mark and HIDDEN}{after}"


def about_secrets(snapshot: Snapshot) -> Iterator[Diagnostic]:
    """Yield what was masked or released in each file."""
    for file in snapshot.files:
        found = {each.variable: each for each in reversed(file.secrets)}
        for each in reversed(found.values()):
            code = "secret-found" if each.sure else "secret-possible"
            code = "secret-kept" if each.kind == KEY_BLOCK_KIND else code
            yield diagnose(
                "secret-released" if each.released else code,
                file.path,
                each.lines,
                kind=_with_article(each.kind),
                variable=each.variable,
                name=SecretPlace(file.path, each).name,
                length=len(each.value),
            )


def _with_article(kind: str) -> str:
    return f"{'an' if kind.startswith(_SPOKEN_WITH_A_VOWEL) else 'a'} {kind}"


def with_held_back(elements: Iterable[Element], snapshot: Snapshot) -> list[Element]:
    """Return the elements, of which the tools whose script holds a secret know the line that holds them back."""
    return [_with_reason(element, snapshot) for element in elements]


def _with_reason(element: Element, snapshot: Snapshot) -> Element:
    script = element.facts[ToolFact].script
    needed = map(snapshot.file, sorted(needed_by([script], snapshot))) if script else ()
    source = next((each for each in needed if each is not None and each.is_held_back), None)
    if source is None:
        return element
    first = next(each for each in source.secrets if not each.released)
    reason = f"{source.path}:{first.lines} holds {_with_article(first.kind)}, so the script is not copied"
    return replace(element, facts=element.facts.adding(SecretFact(held_back=reason)))


def credentials_in(snapshot: Snapshot, elements: Sequence[Element], credential_row: str) -> Iterator[Element]:
    """Yield a credential for each sure secret that its owner named, below the lines that it was masked in.

    Args:
        snapshot: The workspace, masked.
        elements: Its elements.
        credential_row: The mapping row of credentials.
    """
    held = {element.facts[SecretFact].variable for element in elements if element.category is Category.C7}
    tools = [element.content_full for element in elements if _is_callable(element)]
    for file in snapshot.files:
        own = [element for element in elements if element.source_file == file.path] if file.secrets else []
        for each in file.secrets:
            first = int(each.lines.partition("-")[0])
            ranges = ((element, *element.line_range) for element in own)
            host = next((element for element, start, end in ranges if start <= first <= end), None)
            if each.released or not (each.sure and each.named) or each.variable in held or host is None:
                continue
            held.add(each.variable)
            is_read = any(f"${{{each.variable}}}" in text for text in tools)
            yield Element(
                element_id="",
                source_file=file.path,
                source_lines=each.lines,
                kind="variable",
                tag=Tag.CONFIG,
                category=Category.C7,
                content_summary=each.variable,
                content_full=each.mask.strip('"'),
                statement=each.variable,
                section=host.section,
                label=each.variable.lower(),
                value=each.variable,
                dialect_rule_id=host.dialect_rule_id,
                mapping_row=credential_row,
                rationale="secret",
                confidence=0.9,
                facts=Facts(SecretFact(secret=True, variable=each.variable, is_read=is_read)),
            )


def _is_callable(element: Element) -> bool:
    tool = element.facts[ToolFact]
    return bool(tool.url or tool.command or tool.script)
