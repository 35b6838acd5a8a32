"""Lints that check that each emitted constant, rule, step and stub names the source lines of its text."""

import ast
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate
from operator import itemgetter
from typing import Final

from msgspec import Struct

from melleafy_tui.core.language.scripts import HAN, KANA, has_any
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.lint.artifacts import ELEMENT, ELEMENT_TEXTS, JsonObject, read_row, rows_of, text_of
from melleafy_tui.core.lint.modules import RULE_LISTS, Module, Problem
from melleafy_tui.core.lint.view import NotValidatable, PackageView
from melleafy_tui.core.package.source_layout import HIDDEN

_LINES: Final = re.compile(r"(?P<first>\d{1,9})(?:-(?P<last>\d{1,9}))?", re.ASCII)
_KEPT_PLACES: Final = 16
"""Source ranges whose words are cached: marks of one range are adjacent, and caching all would take much memory."""

_WORD: Final = re.compile(r"[^\W_]+")


class Mark(Struct, frozen=True):
    """One provenance comment."""

    line: int
    file: str
    first: int
    last: int


class Sources:
    """Looks up the words of source lines in the inventory.

    Args:
        inventory: The artifact; the texts of an element are decoded on demand.
    """

    def __init__(self, inventory: JsonObject) -> None:
        self._read: dict[tuple[str, int, int], tuple[frozenset[str], bool]] = {}
        self._by_file: dict[str, list[tuple[int, int, object]]] = {}
        for file, first, last, row in _places_of_elements(inventory):
            self._by_file.setdefault(file, []).append((first, last, row))
        for found in self._by_file.values():
            found.sort(key=itemgetter(0))
        self._ends = {
            file: list(accumulate((last for _, last, _ in found), max))
            for file, found in self._by_file.items()
        }
        """By file, the highest last line among each element and those before it."""

    def words(self, mark: Mark) -> frozenset[str]:
        """Return the words of the source lines that a mark names."""
        return self._at(mark)[0]

    def hidden(self, mark: Mark) -> bool:
        """Return whether the inventory hides text of the lines that a mark names, because they hold a secret."""
        return self._at(mark)[1]

    def _at(self, mark: Mark) -> tuple[frozenset[str], bool]:
        """Return the words, and whether text is hidden; cached, because many marks can name one long line."""
        place = (mark.file, mark.first, mark.last)
        if place not in self._read:
            if len(self._read) == _KEPT_PLACES:
                self._read.clear()
            texts = self._texts_at(mark)
            words = frozenset[str]().union(*map(words_of, texts))
            self._read[place] = (words, any(HIDDEN in text for text in texts))
        return self._read[place]

    def _texts_at(self, mark: Mark) -> list[str]:
        pieces = self._by_file.get(mark.file, [])
        start = bisect_left(self._ends.get(mark.file, []), mark.first)
        end = bisect_right(pieces, mark.last, key=itemgetter(0))
        return [_text(row) for _, last, row in pieces[start:end] if last >= mark.first]


def line_counts(inventory: JsonObject) -> dict[str, int]:
    """Return how many lines each file of the source has."""
    counts: dict[str, int] = {}
    for row in rows_of(inventory, "files") or ():
        count = row.get("line_count")
        counts[as_marked(text_of(row, "path"))] = count if isinstance(count, int) else 0
    for file, _, last, _ in _places_of_elements(inventory):
        counts[file] = max(counts.get(file, 0), last)
    return counts


def _places_of_elements(inventory: JsonObject) -> Iterator[tuple[str, int, int, object]]:
    """Yield the file, first line, last line and row (possibly undecoded) of each element."""
    marked: dict[str, str] = {}
    elements = inventory.get("elements")
    for row in elements if isinstance(elements, list) else ():
        element = read_row(row, ELEMENT) or {}
        if lines := _LINES.fullmatch(text_of(element, "source_lines")):
            path = text_of(element, "source_file")
            if path not in marked:
                marked[path] = as_marked(path)
            first = int(lines["first"])
            yield marked[path], first, int(lines["last"] or first), row


def _text(row: object) -> str:
    element = read_row(row, ELEMENT_TEXTS) or {}
    texts = [
        text_of(element, key) for key in ("content_full", "statement", "value", "label", "content_summary")
    ]
    for key in ("context", "section"):
        found = element.get(key)
        texts += map(str, found) if isinstance(found, list) else []
    return "\n".join(dict.fromkeys(texts))  # most elements say the same thrice


def as_marked(path: str) -> str:
    """Return a path as comments write it, with invisible characters escaped."""
    if path.isprintable():
        return path.replace("\\", "_").replace('"', "_")
    shown = (character if character.isprintable() else repr(character)[1:-1] for character in path)
    return "".join("_" if character in '\\"' else character for character in shown)


def words_of(text: str) -> list[str]:
    """Return the words of a text; each Chinese or Japanese character counts as a word."""
    words: list[str] = _WORD.findall(text.casefold())
    if text.isascii():
        return words
    return [part for word in words for part in (word if has_any(word, KANA, HAN) else (word,))]


INVENTORY: Final = "intermediate/inventory.json"
MARK: Final = re.compile(
    r"^\s*# PROVENANCE: (?P<file>.+?):(?P<first>\d{1,9})(?:-(?P<last>\d{1,9}))?(?P<note>\s.*)?$"
)
PLACE: Final = re.compile(r"[^\s:]+:\d+(?:-\d+)?")
STEP_FILES: Final = ("slots.py", "mobjects.py")
"""Modules whose functions are steps before the reply; each function has a provenance comment."""

WITHOUT_SOURCE: Final = ("C8", "Run settings")
"""Sections of config.py whose constants are conversion settings, not source text."""

SETTINGS: Final = frozenset(
    {"BACKEND", "LARGEST_CONTEXT", "LOOP_BUDGET", "MEMORY_FOLDER", "MODEL_ID", "REQUEST_TIMEOUT"}
    | {"DECISION_TOKENS", "SMALLEST_CONTEXT", "TOOL_BUDGET"}
)
OWN_NAMES: Final = "ENVIRONMENT_VARIABLES"
"""The constant of variables, which we name: the inventory doesn't have the words that some are named after."""

ENOUGH: Final = 0.5
"""Share of a text's words that its source lines must contain; the rest is formatting and lead-ins."""

FRAME: Final = ("in",)
"""Words that emitted text may add before a scoped rule, in addition to the names in its path."""

HINT: Final = "Name the lines it comes from: # PROVENANCE: AGENTS.md:5"
RULE_HINT: Final = 'Name the lines it comes from: judged("…", "AGENTS.md:5")'


def check_provenance(view: PackageView) -> Iterator[Problem]:
    """Check that the package has provenance at all; yields no problems itself.

    Raises:
        NotValidatable: The package lacks what the lint compares with.
    """
    if not view.has("melleafy.json") and not any(
        b"# PROVENANCE:" in file.data for file in view.modules.values()
    ):
        raise NotValidatable("the package has no provenance comments")
    yield from ()


def check_module_provenance(view: PackageView, module: Module) -> Iterator[Problem]:
    """Yield the code of a module that names no source lines, or the wrong ones."""
    found = list(marks(module))
    marked = {mark.line for mark in found}
    match module.name:
        case "config.py":
            yield from _constants(module, marked)
        case "requirements.py":
            found += _rule_marks(module)
            yield from _rules(module, marked | {mark.line for mark in found})
        case "constrained_slots.py":
            yield from _stubs(module)
        case name if name in STEP_FILES:
            yield from _steps(module, marked)
        case _:
            pass
    yield from _places(view, module, found)


def marks(module: Module) -> Iterator[Mark]:
    """Yield the provenance comments of a module."""
    for number, line in enumerate(module.lines, start=1):
        if "# PROVENANCE:" in line and (found := MARK.match(line)):
            first = int(found["first"])
            yield Mark(number, found["file"], first, int(found["last"] or first))


def _constants(config: Module, marked: set[int]) -> Iterator[Problem]:
    for name, statement in config.defined.items():
        if not name.isupper() or not isinstance(statement, ast.Assign | ast.AnnAssign) or name in SETTINGS:
            continue
        if isinstance(statement.value, ast.Constant) and not statement.value.value:
            continue
        if (statement.end_lineno or 0) + 1 not in marked and not _section(
            config, statement.lineno
        ).startswith(WITHOUT_SOURCE):
            yield config.problem(statement, f"{name} does not say where it comes from", HINT)


def _section(module: Module, line: int) -> str:
    for number in range(line - 1, 0, -1):
        found = re.fullmatch(r"# === (.+) ===", module.lines[number - 1].strip())
        if found:
            return found[1]
    return ""


def _rules(module: Module, marked: set[int]) -> Iterator[Problem]:
    for item in _rule_items(module):
        if marked.isdisjoint((item.lineno, item.lineno - 1)):
            yield module.problem(item, "a rule does not say where it comes from", RULE_HINT)


def _rule_marks(module: Module) -> list[Mark]:
    """Return the sources that rules name as their last argument."""
    found: list[Mark] = []
    for item in _rule_items(module):
        place = item.args[-1] if isinstance(item, ast.Call) and len(item.args) > 1 else None
        if isinstance(place, ast.Constant):
            found += named_places(str(place.value), item.lineno)
    return found


def named_places(source: str, line: int) -> Iterator[Mark]:
    """Yield what a text such as `AGENTS.md:5, 7-9, SOUL.md:2` names; names of files may hold commas.

    Args:
        source: The text; no regular expression searches it, as it may be long.
        line: The line that it stands on.
    """
    file = ""
    name: list[str] = []
    for part in source.split(", "):
        before, colon, lines = part.rpartition(":")
        place = _LINES.fullmatch(lines)
        if place is None or not (colon or file):
            name.append(part)
            continue
        file = ", ".join((*name, before)) if colon else file
        name = []
        first = int(place["first"])
        yield Mark(line, file, first, int(place["last"] or first))


def _rule_items(module: Module) -> Iterator[ast.expr]:
    for name in RULE_LISTS:
        statement = module.defined.get(name)
        value = statement.value if isinstance(statement, ast.Assign | ast.AnnAssign) else None
        lists = value.values if isinstance(value, ast.Dict) else [value]
        for found in lists:
            if isinstance(found, ast.List | ast.Tuple):
                yield from found.elts


CONFIRM: Final = "confirm"
"""The hook that asks before calls; it is the same in every package that has one."""


def _stubs(module: Module) -> Iterator[Problem]:
    for name, function in module.defined.items():
        if not isinstance(function, ast.FunctionDef) or name.startswith("_"):
            continue
        if name != CONFIRM and not PLACE.search(ast.get_docstring(function) or ""):
            hint = "Add to its docstring: Source: MEMORY.md:1-3."
            yield module.problem(function, f"{name} does not say where it comes from", hint)


def _steps(module: Module, marked: set[int]) -> Iterator[Problem]:
    for function in _functions(module):
        if not function.name.startswith("_") and first_line(function) - 1 not in marked:
            what = f"{function.name} does not say where it comes from"
            yield module.problem(function, what, HINT)


def _functions(module: Module) -> Iterator[ast.FunctionDef]:
    return (node for node in module.tree.body if isinstance(node, ast.FunctionDef))


def first_line(function: ast.FunctionDef) -> int:
    """Return the line of a function's first decorator, else of its `def`."""
    return min([function.lineno, *(found.lineno for found in function.decorator_list)])


def _places(view: PackageView, module: Module, found: list[Mark]) -> Iterator[Problem]:
    try:
        counts = view.fact(INVENTORY, line_counts)
    except NotValidatable:
        return
    for mark in found:
        count = counts.get(mark.file)
        if count is None:
            yield module.problem(mark.line, f"{mark.file} is not a file of the source", "Correct the path.")
        elif not 1 <= mark.first <= mark.last <= count:
            yield module.problem(mark.line, f"{mark.file} has only {count} lines", "Correct the lines.")
    sources = view.fact(INVENTORY, Sources)
    for node, own in _marked(module, found):
        if node is module.defined.get(OWN_NAMES):
            continue
        known_files = all(mark.file in counts for mark in own)
        if known_files and not _is_held(node, own, sources):
            places = ", ".join(f"{mark.file}:{mark.first}" for mark in own)
            hint = "Name the lines that hold the text, or restore the text."
            yield module.problem(node, f"its text is not in the lines it names ({places})", hint)


def _is_held(node: ast.AST, marks: list[Mark], sources: Sources) -> bool:
    """Return whether the marked lines hold the text of a node, as far as the inventory shows them."""
    if any(sources.hidden(mark) for mark in marks):
        return True
    known = frozenset(FRAME).union(*map(sources.words, marks), *(_words_of_path(mark.file) for mark in marks))
    return _holds(_texts(node), known, every=not _is_mapping(node))


@lru_cache(maxsize=16)  # thousands of marks name one file
def _words_of_path(path: str) -> list[str]:
    return words_of(path)


def _texts(node: ast.AST) -> list[str]:
    return [
        inner.value
        for inner in _values(node)
        if isinstance(inner.value, str) and not _NORMALISED.fullmatch(inner.value)
    ]


_NORMALISED: Final = LazyRegex(
    r"[\d:]+(?:-[\d:]+)?|[\d*/,-]+(?: [\d*/,a-zA-Z-]+){4}"
    r"|(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Etc|Europe|Indian|Pacific)/[\w/+-]+"
)
"""What a reader writes its own way: clock times, windows (`06:00-23:00`), cron lines, and zones."""


def _marked(module: Module, found: list[Mark]) -> Iterator[tuple[ast.AST, list[Mark]]]:
    """Yield each node that provenance comments mark, with those comments."""
    grouped: dict[int, tuple[ast.AST, list[Mark]]] = {}
    marked_nodes = _MarkedNodes(module) if found else None
    for mark in found:
        node = marked_nodes.at(mark.line) if marked_nodes is not None else None
        if node is not None:
            grouped.setdefault(id(node), (node, []))[1].append(mark)
    yield from grouped.values()


def _holds(texts: list[str], known: frozenset[str], *, every: bool) -> bool:
    words = [word for text in texts for word in words_of(text)]
    if not words:
        return True
    held = sum(map(known.__contains__, words))
    return held / len(words) >= ENOUGH if every else held > 0


def _is_mapping(node: ast.AST) -> bool:
    return isinstance(getattr(node, "value", None), ast.Dict)


def _values(node: ast.AST) -> Iterator[ast.Constant]:
    match node:
        case ast.Call(func=ast.Name(), args=[ast.Constant() as text, *_]):  # a rule: its text comes first
            yield text
            return
    value = getattr(node, "value", None)
    if isinstance(node, ast.FunctionDef):
        # A slot's docstring comes from the source; those of other functions are written by the generator.
        value = ast.Module(node.body[:1] if node.decorator_list else node.body[1:], [])
    parts: list[ast.AST] = (
        list(value.values) if isinstance(value, ast.Dict) else [value if isinstance(value, ast.AST) else node]
    )
    for part in parts:
        keys = {id(key) for inner in ast.walk(part) if isinstance(inner, ast.Dict) for key in inner.keys}
        for inner in ast.walk(part):
            if isinstance(inner, ast.Constant) and id(inner) not in keys:
                yield inner


class _MarkedNodes:
    """Finds the node that a provenance comment marks, by line."""

    def __init__(self, module: Module) -> None:
        self._code = [
            number for number, line in enumerate(module.lines, 1) if not line.lstrip().startswith("#")
        ]
        self._below: dict[int, ast.AST] = {first_line(found): found for found in _functions(module)}
        self._below |= {item.lineno: item for item in _rule_items(module)}
        self._above = {node.end_lineno: node for node in reversed(module.tree.body)}

    def at(self, line: int) -> ast.AST | None:
        """Return the node that a comment marks: the list item or function below it, else the statement above it."""
        place = bisect_left(self._code, line)
        if place < len(self._code) and (below := self._below.get(self._code[place])):
            return below
        above = bisect_right(self._code, line) - 1
        return self._above.get(self._code[above]) if above >= 0 else None
