"""Lints for secrets in emitted files and for names of MCP tools that lack their server."""

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from io import BytesIO
from typing import Final

from msgspec import DecodeError, Raw, Struct, json

from melleafy_tui.core.lint.modules import Module, Problem
from melleafy_tui.core.lint.package import INVENTORY, Inventory, NotValidatable, Package
from melleafy_tui.core.lint.provenance import line_counts
from melleafy_tui.core.models.file_set import CARRIED_FOLDERS, EmittedFile
from melleafy_tui.core.source.secrets.detector import (
    KEY_BLOCK_KIND,
    find_secrets,
    is_released,
    names_secret,
    tokens_in,
)
from melleafy_tui.core.source.secrets.forms import form_of

NO_SECRETS: Final = re.compile(
    r"[0-9a-f]{64}\b|\"key\"(?=: ?\")|(?<=\")[a-z_][a-z0-9_]*\.main:main(?=\")|\$HOME/path/to/workspace\b"
    r"|\.[a-z]\w{1,5}(?::\d+(?:-\d+)?|#[A-Z][A-Z0-9_]*(?:-L\d+)?)(?![\w.-])|\b[a-z]+(?:_(?:[a-z]+|\d{1,3})){2,}\b"
)
"""Text that only looks like a secret: digests, the label of plan keys, entry points, a sample path, source places,
names of several words.

An entry point follows the agent's name: `"password" = "password_mellea.main:main"`.
"""

LENGTH_OF_DIGEST: Final = 64
LINE_END: Final = r"\n"
"""A line end inside a literal; the text after it is not the value of the label before it."""

QUOTE: Final = r"\""
"""A quote inside a literal; the source was searched without its backslash, which would lengthen the value before it."""


class Found(Struct, frozen=True):
    """Text that looks like a secret.

    Attributes:
        line: The line where it, or the literal that holds it, begins (1-based).
        column: The column there.
        kind: What it looks like.
        value: The text.
        variable: The environment variable that could replace it.
        last: The line where the literal ends.
    """

    line: int
    column: int
    kind: str
    value: str
    variable: str
    last: int

    def is_released(self, released: frozenset[str]) -> bool:
        """Return whether the user released the value."""
        return bool(released) and self.kind != KEY_BLOCK_KIND and is_released(self.value, released)


def secrets_of(file: EmittedFile) -> tuple[Found, ...]:
    """Return every secret of a file, released or not.

    In JSON and Python each literal is searched by itself, and with the name it is given: secrets were masked in values,
    and what our own syntax puts beside a value is no label of it. Tables of our own reports are searched cell by cell.
    A file that is copied from the workspace is searched as it was when it was masked, so that both agree.

    Lines of JSON and cells of reports repeat: each different one is searched, and the whole only for its places.
    """
    if file.path.partition("/")[2].startswith(CARRIED_FOLDERS):
        return tuple(_in_text(_text(file.data), str, near=True))
    if file.path.endswith(".json"):
        return () if _is_clean_json(file.data) else tuple(_in_literals(_text(file.data), code=False))
    text = _text(file.data)
    if file.path.endswith(CODE_ENDINGS):
        return tuple(_in_literals(text, code=True))
    if _is_report(file.path):
        return () if _is_clean_report(text) else tuple(_in_text(text, _without_cells))
    return tuple(_in_text(text, _without_lookalikes))


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


CODE_ENDINGS: Final = (".py", ".toml")
REPORTS: Final = frozenset({"mapping_report.md", "SETUP.md"})
_JSON_LITERAL: Final = re.compile(
    r"(?:\"(?P<label>[A-Za-z_][\w.-]{0,60})\"[ \t]*:[ \t]*)?\"(?P<text>(?:\\.|[^\"\\])*)\"", re.DOTALL
)
_CODE_LITERAL: Final = re.compile(
    r"#[^\n]*"
    r"|(?:(?P<named>[\"']?)(?P<label>[A-Za-z_][\w.-]{0,60})(?P=named)\]?[ \t]*(?::[ \t]*\w{1,20}[ \t]*)?[:=][ \t]*)?"
    r"(?P<quote>\"\"\"|\'\'\'|\"|\')(?P<text>(?:\\.|(?!(?P=quote))[^\\])*)(?P=quote)",
    re.DOTALL,
)
"""A comment or a literal: a quote in a comment starts none."""


def _is_report(path: str) -> bool:
    return path.rpartition("/")[2] in REPORTS


def _in_text(text: str, read_as: Callable[[str], str], *, near: bool = False) -> Iterator[Found]:
    for span in find_secrets(text, read_as=read_as, near=near):
        line, column = _place(text, span.start)
        value = text[span.start : span.end]
        yield Found(line, column, span.kind, value, span.variable, line + value.count("\n"))


def _place(text: str, start: int) -> tuple[int, int]:
    return text.count("\n", 0, start) + 1, start - text.rfind("\n", 0, start)


def _in_literals(text: str, *, code: bool) -> Iterator[Found]:
    known: dict[tuple[str, str], list[_Secret]] = {}
    literals, rest = _parted(text, code=code)
    for start, label, literal in literals:
        named = label, literal
        if named not in known:
            known[named] = _in_literal(*named)
        for kind, value, variable in known[named]:
            line, column = _place(text, start)
            yield Found(line, column, kind, value, variable, line + literal.count("\n"))
    if find_secrets(_different_lines(rest), read_as=_without_lookalikes, near=False):
        yield from _in_text(rest, _without_lookalikes)


def _parted(text: str, *, code: bool) -> tuple[list[tuple[int, str, str]], str]:
    """Return the literals of a text with their places and labels, and what stands beside them."""
    literals: list[tuple[int, str, str]] = []
    rest: list[str] = []
    end = 0
    for match in (_CODE_LITERAL if code else _JSON_LITERAL).finditer(text):
        label, literal = match.group("label", "text")
        if literal is None:
            continue
        start, stop = match.span("text")
        literals.append((start, label or "", literal))
        # Beside the literals of JSON there are only marks and numbers: no column is needed there.
        rest += (text[end:start], _blanked(literal) if code else "\x0b")
        end = stop
    rest.append(text[end:])
    return literals, "".join(rest)


def _different_lines(text: str) -> str:
    return "\n".join(dict.fromkeys(text.split("\n")))


def _is_clean_json(data: bytes) -> bool:
    """Return whether a file is JSON, where a literal ends on its line, and no line of it holds a secret."""
    try:
        json.decode(data, type=Raw)
    except DecodeError:
        return False
    return not any(_in_literals(_text(b"".join(dict.fromkeys(BytesIO(data)))), code=False))


def _is_clean_report(text: str) -> bool:
    """Return whether no cell of a report's tables holds a secret, and nothing between them."""
    lines = [(line, line.startswith("|")) for line in _without_lookalikes(text).split("\n")]
    between = "\n".join("" if is_row else line.replace("|", "\x0b") for line, is_row in lines)
    cells = {cell.strip() for line, is_row in lines if is_row for cell in line.split("|")}
    return not any(find_secrets(each, read_as=_without_lookalikes, near=False) for each in (between, *cells))


def _blanked(literal: str) -> str:
    """Return as many characters without a meaning; lines stay lines."""
    return "\n".join("\x0b" * len(line) for line in literal.split("\n"))


_Secret = tuple[str, str, str]
"""Kind, value and variable of a secret."""


def _in_literal(label: str, text: str) -> list[_Secret]:
    """Return the secrets of a literal, whose text may have escapes, and of the name it is given."""
    literal = _unescaped(text)
    if len(literal) < SHORTEST_PART - 2 or (label in OWN_NAMES and not re.search(r"\s", literal)):
        return []
    spans = (
        tokens_in(literal)
        if label in PLACES
        else find_secrets(literal, read_as=_without_lookalikes, near=False)
    )
    found = [(span.kind, literal[span.start : span.end], span.variable) for span in spans]
    if not found and label and label not in OWN_NAMES and names_secret(label) and _is_certain(literal):
        return [("password", literal, "PASSWORD")]
    return found


OWN_NAMES: Final = frozenset({"key", "mapping_id", "secret_env", "variable"})
PLACES: Final = frozenset({"key", "path", "file", "source_file"})
"""Labels of paths, which have no words around a value; a key is a path and headings that were masked."""

_CERTAIN: Final = frozenset({"strong", "token", "random", "long random"})


def _is_certain(literal: str) -> bool:
    """Return whether a literal under a name for a secret is one, and no name or path of ours."""
    return form_of(literal) in _CERTAIN and frozenset("/:$(").isdisjoint(literal)


def _unescaped(literal: str) -> str:
    if "\\" not in literal:
        return literal
    return _ESCAPE.sub(_character, literal)


_ESCAPES: Final = {"n": "\n", "r": "\r", "t": "\t"}
_ESCAPE: Final = re.compile(
    r"\\(?:(?P<plain>[nrt\"'\\/])|x(?P<two>[0-9a-f]{2})|u(?P<four>[0-9a-f]{4})|U(?P<eight>000[0-9a-f]{5}))",
    re.IGNORECASE,
)


def _character(found: re.Match[str]) -> str:
    code = found["two"] or found["four"] or found["eight"]
    return chr(int(code, 16)) if code else _ESCAPES.get(found["plain"], found["plain"])


def _without_lookalikes(text: str) -> str:
    """Return the text with everything that only looks like a secret blanked; the length stays the same."""
    if _may_look_alike(text):
        text = NO_SECRETS.sub(lambda found: " " * len(found.group()), text)
    return text.replace(LINE_END, "\x0b\x0b").replace(QUOTE, ' "')


def _may_look_alike(text: str) -> bool:
    """Return whether a text has the marks of something in `NO_SECRETS`; most literals have none."""
    return (
        text.count("_") > 1
        or "$" in text
        or '"' in text
        or ("." in text and (":" in text or "#" in text))
        or max(map(len, text.split()), default=0) >= LENGTH_OF_DIGEST
    )


def _without_cells(text: str) -> str:
    """Return a row of our own tables as separate cells: what stands in one is no label of the next."""
    return _without_lookalikes(text).replace("|", "\x0b")


EMITTED_TEXTS: Final = "intermediate/emitted_texts.json"
"""Repeats the text of other files, which are searched themselves; quoting would join labels and values."""

UNQUALIFIED: Final = re.compile(r"mcp__(?!\w+?__\w)\w*")
SHORTEST_PART: Final = 6
"""Shortest prefix of a released value that is recognized as a part of it and not as another secret."""

LARGEST: Final = 2_000_000


def check_secrets(package: Package, file: EmittedFile) -> Iterator[Problem]:
    """Yield the secrets in a file, except values that the user released."""
    if len(file.data) > LARGEST or b"\0" in file.data or file.path.endswith(EMITTED_TEXTS):
        return
    released, values = _released(package)
    holds = secrets_of(file)
    if holds and (paths := _paths_with(holds, package)):
        holds = secrets_of(_without(paths, file))
    for found in holds:
        if not (found.is_released(released) or _is_part(found.value, values)):
            said = f"it holds what looks like a secret ({found.kind})"
            yield Problem(file.path, found.line, found.column, said)


def _paths_with(holds: Iterable[Found], package: Package) -> list[str]:
    """Return the paths of the source that hold what looks like a secret, and no token: names of ours, as masks are."""
    try:
        paths = line_counts(package.record(INVENTORY, Inventory))
    except NotValidatable:
        return []
    values = {found.value for found in holds}
    return [path for path in paths if any(value in path for value in values) and not tokens_in(path)]


def _without(paths: Iterable[str], file: EmittedFile) -> EmittedFile:
    """Return a file with these paths blanked; its lines and columns stay."""
    text = _text(file.data)
    for path in paths:
        text = text.replace(path, " " * len(path))
    return EmittedFile(file.path, text.encode())


def check_tool_names(module: Module) -> Iterator[Problem]:
    """Yield the names of MCP tools that lack their server."""
    for node in module.nodes:
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and UNQUALIFIED.fullmatch(node.value)
        ):
            hint = "Write mcp__<server>__<tool>."
            yield module.problem(node, f"{node.value} does not name server and tool", hint)


def _released(package: Package) -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the released digests that the package records, and the full values found in its elements."""
    try:
        return _released_in(package.record(INVENTORY, Inventory))
    except NotValidatable:
        return frozenset(), ()


def _released_in(inventory: Inventory) -> tuple[frozenset[str], tuple[str, ...]]:
    if not inventory.released_secrets:
        return frozenset(), ()
    digests = frozenset(inventory.released_secrets)
    values: set[str] = set()
    for element in inventory.elements:
        for text in (element.content_full, element.statement):
            found = set(find_secrets(text)) - set(find_secrets(text, digests))
            values |= {text[span.start : span.end] for span in found}
    return digests, tuple(sorted(values))


def _is_part(found: str, values: tuple[str, ...]) -> bool:
    """Return whether the text is a truncated released value."""
    part = found.rstrip("…\"'`,")
    return len(part) >= SHORTEST_PART and any(part in value for value in values)
