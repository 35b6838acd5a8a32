"""Matchers that detection tables use to look for signals in a snapshot.

Each function here makes a matcher from data. A matcher checks the names and texts that were read, and yields the places
of the signal in path order.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from posixpath import commonprefix
from typing import Final

from msgspec import Struct

from melleafy_tui.core.dialects.base import Match, Matcher
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.source.frontmatter import split_frontmatter
from melleafy_tui.core.source.json5 import JsonNode, parsed_files
from melleafy_tui.core.source.python_code import PythonFacts, facts_of

_DATA_ENDINGS: Final = tuple(
    ".json .json5 .yaml .yml .toml .af .cfg .ini .env .env.example".split()  # noqa: SIM905
)


def name_exists(*names: str) -> Matcher:
    """Match if one of the names exists; a folder's name ends with `/`."""

    def matcher(snapshot: Snapshot) -> Iterator[Match]:
        return (Match(name) for name in names if snapshot.has(name))

    return matcher


def name_like(pattern: str) -> Matcher:
    """Match names against a pattern in which `*` matches inside one path segment."""
    depth = pattern.rstrip("/").count("/")
    ending = re.split(r"[*?\]]", pattern)[-1]

    def matcher(snapshot: Snapshot) -> Iterator[Match]:
        for name in snapshot.names:
            if not name.endswith(ending):  # of 100,000 names, few do
                continue
            if name.rstrip("/").count("/") == depth and fnmatchcase(name, pattern):
                yield Match(name)

    return matcher


def ambient(pattern: str) -> Matcher:
    """Match names that exist outside the workspace by a regular expression on the whole name."""
    compiled = LazyRegex(pattern)

    def matcher(snapshot: Snapshot) -> Iterator[Match]:
        return (Match(found) for found in snapshot.ambient if compiled.fullmatch(found))

    return matcher


class CombinedMatcher(Struct, frozen=True):
    """Matches by several matchers together."""

    find: Matcher
    parts: tuple[Matcher, ...]

    def __call__(self, snapshot: Snapshot) -> Iterable[Match]:
        """Return the places of the signal."""
        return self.find(snapshot)


def all_of(*matchers: Matcher) -> Matcher:
    """Match if all of the matchers match; the evidence names the first place of each."""

    def matcher(snapshot: Snapshot) -> Iterator[Match]:
        found: list[Match] = []
        for inner in matchers:
            first = next(iter(inner(snapshot)), None)
            if first is None:
                return
            found.append(first)
        note = "with " + ", ".join(match.file for match in found[1:]) if found[1:] else ""
        yield Match(found[0].file, found[0].line, note)

    return CombinedMatcher(matcher, matchers)


def any_of(*matchers: Matcher) -> Matcher:
    """Match if any of the matchers does."""

    def matcher(snapshot: Snapshot) -> Iterator[Match]:
        for inner in matchers:
            yield from inner(snapshot)

    return CombinedMatcher(matcher, matchers)


def none_of(*matchers: Matcher) -> Matcher:
    """Match, without a place, if none of the matchers does."""

    def matcher(snapshot: Snapshot) -> Iterator[Match]:
        if all(next(iter(inner(snapshot)), None) is None for inner in matchers):
            yield Match("")

    return CombinedMatcher(matcher, matchers)


def json_value(names: tuple[str, ...], *paths: str) -> Matcher:
    """Match if one of the files has a value at one of the paths; `*` matches any one key or index.

    A file that isn't valid JSON5 doesn't match; its reader reports it.
    """

    def matcher(snapshot: Snapshot) -> Iterator[Match]:
        for name, root in parsed_files(snapshot, names):
            for path in paths:
                for node in _nodes_at(root, path.split(".")):
                    yield Match(name, node.key_line, path)

    return matcher


def _nodes_at(node: JsonNode, steps: list[str]) -> Iterator[JsonNode]:
    if not steps:
        yield node
        return
    if steps[0] == "*":
        for child in node.children.values():
            yield from _nodes_at(child, steps[1:])
        return
    found = node.at(steps[0])
    if found is not None:
        yield from _nodes_at(found, steps[1:])


def text_mentions(pattern: str, endings: tuple[str, ...] = _DATA_ENDINGS) -> Matcher:
    """Match lines of text files with these endings by a regular expression.

    Markdown below the root is skipped: notes and documents there may mention any runtime.
    """
    compiled = LazyRegex(pattern)

    def matcher(snapshot: Snapshot) -> Iterator[Match]:
        for file in snapshot.without_notes:
            if not file.path.endswith(endings) or not file.text or not compiled.search(file.text):
                continue
            for number, line in enumerate(file.lines, start=1):
                if compiled.search(line):
                    yield Match(file.path, number)

    return matcher


def python_imports(*names: str) -> Matcher:
    """Match imports of a module, of anything below it, or of a `module.name`."""

    def places(facts: PythonFacts) -> Iterator[int]:
        for imported, line in facts.imports.items():
            if any(imported == name or imported.startswith(f"{name}.") for name in names):
                yield line

    modules = frozenset(name.partition(".")[0] for name in names)
    return PythonMatcher(places, _mentions(names, r"(?:from|import|,)[\s\\.]*%s\b", part=0), modules)


def python_decorator(*names: str) -> Matcher:
    """Match decorators by name as written, called or not."""

    def places(facts: PythonFacts) -> Iterator[int]:
        return (line for name, line in facts.decorators.items() if name in names)

    return PythonMatcher(places, _mentions(names, r"@\s*(?:\w+\s*\.\s*)*%s\b"))


def python_call(*names: str, keyword: str = "") -> Matcher:
    """Match calls by name or its last part, of any function without one, with a keyword argument if one is given."""

    def places(facts: PythonFacts) -> Iterator[int]:
        for call in facts.calls:
            named = any(call.name == name or call.name.endswith(f".{name}") for name in names)
            if (named or not names) and (not keyword or keyword in call.keywords):
                yield call.line

    mentioned = _mentions(names, r"\b%s\s*\(") if names else _mentions([keyword], r"\b%s\s*=")
    return PythonMatcher(places, mentioned)


def python_name(*names: str) -> Matcher:
    """Match any use of an identifier, including imports."""

    def places(facts: PythonFacts) -> Iterator[int]:
        for name in names:
            if name in facts.names:
                yield facts.names[name]
        for imported, line in facts.imports.items():
            if imported.rpartition(".")[2] in names:
                yield line

    return PythonMatcher(places, _mentions(names, r"\b%s\b"))


def python_string(pattern: str, *, part: bool = False) -> Matcher:
    """Match short string constants by a regular expression, on the whole string or on a part of it."""
    compiled = LazyRegex(pattern)
    matches = compiled.search if part else compiled.fullmatch

    def places(facts: PythonFacts) -> Iterator[int]:
        return (line for text, line in facts.strings.items() if matches(text))

    return PythonMatcher(places, lambda text: compiled.search(text) is not None)


class PythonMatcher(Struct, frozen=True):
    """Matches facts about Python files; only files whose text mentions what it looks for are parsed.

    Of the thousands of files of a vendored library or a monorepo, few mention an agent's framework.

    Attributes:
        places: Returns the lines of the signal in a file.
        mentioned_in: Returns whether a text may hold the signal.
        modules: The modules whose imports are the signal, if it is one of imports.
    """

    places: Callable[[PythonFacts], Iterable[int]]
    mentioned_in: Callable[[str], bool]
    modules: frozenset[str] = frozenset()

    def __call__(self, snapshot: Snapshot) -> Iterator[Match]:
        """Yield the places of the signal."""
        for file in snapshot.without_notes:
            if file.path.endswith(".py") and file.text is not None and self.mentioned_in(file.text):
                for line in sorted(self.places(facts_of(file))):
                    yield Match(file.path, line)


def python_parts(matcher: Matcher) -> Iterator[PythonMatcher]:
    """Yield the matchers of Python files that a matcher is made of."""
    if isinstance(matcher, PythonMatcher):
        yield matcher
    elif isinstance(matcher, CombinedMatcher):
        for part in matcher.parts:
            yield from python_parts(part)


def imported_files(snapshot: Snapshot, library: str) -> Iterator[str]:
    """Yield the modules below the root that the opened ones import, if one of these imports a library."""
    opened = [file for file in snapshot.files if file.path.endswith(".py") and library in (file.text or "")]
    if not any(name.partition(".")[0] == library for file in opened for name in facts_of(file).imports):
        return
    modules: dict[str, list[str]] = {}
    for path in snapshot.paths:
        if path.endswith(".py"):
            parts = path.removesuffix(".py").removesuffix("/__init__").split("/")
            modules.setdefault(parts[-1], []).append(path)
    for file in snapshot.files:
        for name in facts_of(file).imports if file.path.endswith(".py") else ():
            for dotted in (name, name.rpartition(".")[0]):
                ends = tuple(f"/{dotted.replace('.', '/')}{ending}" for ending in (".py", "/__init__.py"))
                near = [
                    path for path in modules.get(dotted.rpartition(".")[2], ()) if f"/{path}".endswith(ends)
                ]
                if near:  # of several, the one beside the module that imports it
                    yield max(near, key=lambda path: len(commonprefix([path, file.path])))


def imports_any(modules: Iterable[str]) -> Callable[[bytes], bool]:
    """Return a test whether the bytes of a Python file may import one of the modules.

    It passes over the bytes once, whatever the number of modules, and looks closely only at lines with an import.
    """
    names = b"|".join(re.escape(module).encode() for module in sorted(modules))
    imported = re.compile(rb"(?:from|import|,)[\s\\.]*(?:%s)\b" % names)

    def test(data: bytes) -> bool:
        at = data.find(_IMPORT)
        while at >= 0:
            if imported.search(data, max(0, at - _LONGEST_IMPORT), at + _LONGEST_IMPORT):
                return True
            at = data.find(_IMPORT, at + len(_IMPORT))
        return False

    return test


_IMPORT: Final = b"import"
_LONGEST_IMPORT: Final = 100
"""Bytes before and after the word in which a module's name is looked for."""


def _mentions(names: Iterable[str], form: str, *, part: int = -1) -> Callable[[str], bool]:
    """Return a test whether a text may use one of the names.

    Args:
        names: Names, dotted or not.
        form: The form of the use as a regular expression, with `%s` for the name.
        part: The part of a dotted name that stands there.
    """
    parts = sorted({name.split(".")[part] for name in names})
    used = LazyRegex("|".join(form % re.escape(name) for name in parts))
    return lambda text: any(name in text for name in parts) and used.search(text) is not None


_SKILL_NAME: Final = LazyRegex(r"[a-z0-9]+(-[a-z0-9]+)*")
SKILL_KEYS: Final = frozenset(
    {"name", "description", "license", "compatibility", "metadata", "allowed-tools", "when_to_use"}
)
CLAUDE_SPEC_FOLDERS: Final = (".claude/skills/", ".claude/commands/", ".claude/agents/")
SPEC_FOLDERS: Final = (*CLAUDE_SPEC_FOLDERS, ".github/agents/", ".github/prompts/", ".opencode/agent/")
"""Folders whose files have the shape of Claude Code's subagents; as the root, each says what its files are."""


def skill_signal(part: str) -> Matcher:
    """Match the root's SKILL.md by its valid `name`, its `description`, or its `standard keys` without any other."""

    def test(data: Mapping[str, object]) -> str:
        if part == "standard keys":
            return next(iter(data)) if SKILL_KEYS.issuperset(data) else ""
        value = data.get(part)
        is_valid = isinstance(value, str) and _SKILL_NAME.fullmatch(value) if part == "name" else value
        return part if is_valid else ""

    return _frontmatter(lambda path, _primary: path == "SKILL.md", test)


def claude_key(key: str, value: str = "") -> Matcher:
    """Match a key that Claude Code reads in the frontmatter of a spec, with a certain value if one is given."""

    def is_spec(path: str, primary: str) -> bool:
        return path.endswith(".md") and (path in ("SKILL.md", primary) or _in_claude_folder(path))

    return _frontmatter(
        is_spec, lambda data: key if key in data and (not value or data[key] == value) else ""
    )


def spec_under_claude() -> Matcher:
    """Match specs under `.claude/skills|commands|agents/`; the root itself may be one of these folders."""

    def matcher(snapshot: Snapshot) -> Iterator[Match]:
        root = snapshot.root.replace("\\", "/").strip("/")
        root_is_inside = any(f"/{folder}" in f"/{root}/" for folder in SPEC_FOLDERS)
        for file in snapshot.files:
            at_root = root_is_inside and "/" not in file.path
            if file.path.endswith(".md") and (at_root or _in_claude_folder(file.path)):
                yield Match(file.path)

    return matcher


def _in_claude_folder(path: str) -> bool:
    return ".claude/" in path and any(f"/{folder}" in f"/{path}" for folder in CLAUDE_SPEC_FOLDERS)


def _frontmatter(is_spec: Callable[[str, str], bool], test: Callable[[Mapping[str, object]], str]) -> Matcher:
    """Match in the frontmatter of specs, on the line of the key that the test returns."""

    def matcher(snapshot: Snapshot) -> Iterator[Match]:
        for file in snapshot.files:
            head = split_frontmatter(file.text or "") if is_spec(file.path, snapshot.primary) else None
            if head is not None and head.data and (key := test(head.data)):
                yield Match(file.path, head.key_lines.get(key, head.first_line), key)

    return matcher
