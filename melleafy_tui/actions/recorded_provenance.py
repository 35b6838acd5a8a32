"""Recovers which elements the lines of a written package come from, by the source lines that its text names."""

import ast
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate, groupby, islice
from operator import itemgetter
from pathlib import Path
from typing import Final, TypeVar

from msgspec import Struct
from pydantic import TypeAdapter, ValidationError

from melleafy_tui.core.dialects.registry import Dialects
from melleafy_tui.core.errors import UnusableInput
from melleafy_tui.core.lint.modules import Module, called, dotted
from melleafy_tui.core.lint.provenance import (
    INVENTORY,
    Mark,
    as_marked,
    first_line,
    marks,
    named_places,
)
from melleafy_tui.core.lint.view import ENVIRONMENT_EXAMPLE, Package, read_package
from melleafy_tui.core.models.file_set import CARRIED_FOLDERS, EmittedFile, FileSet, LineProvenance
from melleafy_tui.core.models.inventory import Element, InventoriedFile, RecordedInventory
from melleafy_tui.core.models.manifest import Manifest
from melleafy_tui.core.models.plan import DependencyPlan
from melleafy_tui.core.models.vocabulary import Disposition
from melleafy_tui.core.output.emitted import (
    EMITTED_NAME,
    MANIFEST_NAME,
    is_static,
    package_folders,
    read_recorded,
)
from melleafy_tui.core.result_cache import ResultCache
from melleafy_tui.core.source.sources_below import HERE, sources_among

ModelT = TypeVar("ModelT")

_LINES: Final = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?", re.ASCII)
_PLAN: Final = "intermediate/dependency_plan.json"
_SOURCE: Final = "Source: "
_RULE_KINDS: Final = ("<!-- judged ", "<!-- guidance ")
_CASES: Final = "Case"
_TOOLS: Final = "Tool"
_RULES: Final = ("checked", "guidance", "judged")
_JUDGED_RULES: Final = "JUDGED_RULES"


MOST_PLACES: Final = 100_000
"""Places of elements that are read from one file: in a hostile package, each line could name all elements."""


class _Stretch(Struct, frozen=True):
    """Emitted lines and the source lines that they name, `()` where the name of a tool is enough.

    `name` is the function, class or constant that they are in, `text` that of a rule.
    """

    first: int
    last: int
    name: str
    marks: tuple[Mark, ...] = ()
    text: str = ""


class _Carried:
    """Finds the elements that a package carries, by source lines and by name."""

    def __init__(self, elements: Iterable[Element], plan: DependencyPlan) -> None:
        by_file: dict[str, list[tuple[int, int, Element]]] = {}
        self._names: dict[str, frozenset[str]] = {}
        self._by_name: dict[str, list[Element]] = {}
        for element in elements:
            entry = plan.by_element.get(element.element_id)
            if entry is not None and entry.disposition is Disposition.REMOVE:
                continue
            by_file.setdefault(as_marked(element.source_file), []).append((*element.line_range, element))
            names = frozenset({entry.symbol, entry.target.partition(":")[2]} if entry else ()) - {""}
            if entry is not None:
                self._names[element.element_id] = names
            for name in names:
                self._by_name.setdefault(name, []).append(element)
        self._by_file = {file: sorted(found, key=itemgetter(0, 1)) for file, found in by_file.items()}
        self._ends = {
            file: list(accumulate((last for _, last, _ in found), max))
            for file, found in self._by_file.items()
        }
        """By file, the highest last line among each element and those before it."""

    def of(self, stretch: _Stretch) -> list[Element]:
        """Return the elements of a stretch, in the order in which it names them."""
        if not stretch.marks:
            return self._by_name.get(stretch.name, [])
        found = {
            element.element_id: element for mark in stretch.marks for element in self._at(mark, stretch.name)
        }
        told = {key for key, each in found.items() if each.statement and each.statement in stretch.text}
        lines = {(found[key].source_file, line) for key in told for line in found[key].line_range}
        return [
            each
            for key, each in found.items()
            if key in told or lines.isdisjoint((each.source_file, line) for line in each.line_range)
        ]

    def _at(self, mark: Mark, name: str) -> list[Element]:
        """Return the elements on marked lines; of those on one line, as in JSON, the ones that are emitted there.

        A heading has no plan entry; it is there if the mark names its line, and no other element is on it.
        """
        sorted_here = self._by_file.get(mark.file, [])
        start = bisect_left(self._ends.get(mark.file, []), mark.first)
        end = bisect_right(sorted_here, mark.last, key=itemgetter(0))
        here = [each for _, last, each in sorted_here[start:end] if last >= mark.first]
        planned = [each for each in here if each.element_id in self._names]
        named = [each for each in planned if name in self._names[each.element_id]]
        if named and len({each.source_lines for each in planned}) == 1:
            return named
        taken = {line for each in planned for line in each.line_range}
        return [each for each in here if each.element_id in self._names or taken.isdisjoint(each.line_range)]


class RecordedPackage(Struct, frozen=True):
    """A written package: its files with the provenance that their text names, and what the conversion recorded."""

    files: FileSet
    inventory: RecordedInventory
    plan: DependencyPlan


def is_package(path: Path) -> bool:
    """Return whether a folder is a package or the output folder of one, not a workspace that holds a package."""
    if any((path / name).is_file() for name in (MANIFEST_NAME, EMITTED_NAME)):
        return True
    if not path.is_dir() or not package_folders(path):
        return False
    names = [found.name for found in path.iterdir()]
    return all(found.path != HERE for found in sources_among(names, Dialects.default().main_files))


def read_recorded_package(folder: Path) -> RecordedPackage:
    """Read a package from disk, which may have been edited or downloaded; nothing of it runs.

    Args:
        folder: The package, or the output folder that holds it.

    Raises:
        UnusableInput: There is no package, or its records are missing or damaged.
    """
    files, out = read_package(folder)
    package = out / files.package_name
    inventory = _record(package, INVENTORY, RecordedInventory)
    plan = _record(package, _PLAN, DependencyPlan)
    if not all(_LINES.fullmatch(element.source_lines) for element in inventory.elements):
        raise _unreadable(package, f"{INVENTORY} isn't what a conversion writes (an element has no lines)")
    named = _with_named_places(files, inventory.elements, plan)
    return RecordedPackage(with_copies(named, inventory.files, inventory.elements), inventory, plan)


def recorded_manifest(package: RecordedPackage, folder: Path) -> Manifest:
    """Return the manifest of a package.

    Args:
        package: The package.
        folder: Where it was read from, for the message of an error.

    Raises:
        UnusableInput: The manifest is missing or damaged.
    """
    file = package.files.by_path.get(f"{package.files.package_name}/{MANIFEST_NAME}")
    try:
        return TypeAdapter(Manifest).validate_json(file.data if file is not None else b"")
    except ValidationError as error:
        raise _unreadable(folder, f"{MANIFEST_NAME} isn't what a conversion writes") from error


def _record(package: Path, name: str, model: type[ModelT]) -> ModelT:
    try:
        return TypeAdapter(model).validate_json(read_recorded(package / name))
    except ValidationError as error:
        problem = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, problem["loc"])) or "the file"
        message = f"{name} isn't what a conversion writes ({where}: {problem['msg'].lower()})"
        raise _unreadable(package, message) from error
    except (OSError, ValueError) as error:
        message = f"The package has no readable {name}, which says where its lines come from"
        raise _unreadable(package, message) from error


def _unreadable(package: Path, message: str) -> UnusableInput:
    hint = "Convert the workspace again, or name the workspace instead of the package."
    return UnusableInput(message, hint=hint, location=str(package))


def _with_named_places(files: FileSet, elements: Iterable[Element], plan: DependencyPlan) -> FileSet:
    """Return the files with the places that their text names.

    A text of several elements names only the range of all of them, so each of these gets the whole text.
    """
    carried = _Carried(elements, plan)
    package = Package(files, None, ResultCache())
    modules = {module.path: module for module in package.modules.values()}

    def read(file: EmittedFile) -> EmittedFile:
        found = (
            LineProvenance(
                stretch.first, stretch.last, element.element_id, element.source_file, element.source_lines
            )
            for stretch in dict.fromkeys(_stretches(file, modules.get(file.path)))
            for element in carried.of(stretch)
        )
        return EmittedFile(file.path, file.data, tuple(sorted(dict.fromkeys(islice(found, MOST_PLACES)))))

    return FileSet(tuple(read(file) for file in files.files), files.package_name)


def with_copies(files: FileSet, sources: Iterable[InventoriedFile], elements: Iterable[Element]) -> FileSet:
    """Return the file set in which exact copies of source files, such as scripts, have the elements of these.

    Args:
        files: The emitted files.
        sources: The files of the source.
        elements: Its elements.
    """
    by_digest = {source.sha256: source.path for source in sources if source.sha256 and source.characters}
    by_file: dict[str, list[Element]] = {}
    for element in elements:
        by_file.setdefault(element.source_file, []).append(element)

    def copied(file: EmittedFile) -> EmittedFile:
        inside = file.path.removeprefix(f"{files.package_name}/")
        if file.provenance or not inside.startswith(CARRIED_FOLDERS) or file.sha256 not in by_digest:
            return file
        found = [
            LineProvenance(*each.line_range, each.element_id, each.source_file, each.source_lines)
            for each in by_file.get(by_digest[file.sha256], ())
        ]
        return EmittedFile(file.path, file.data, tuple(found), file.static)

    return FileSet(tuple(copied(file) for file in files.files), files.package_name)


def _stretches(file: EmittedFile, module: Module | None) -> Iterator[_Stretch]:
    if module is not None:
        if module.unreadable is None and not is_static(file.path, file.data):
            names = _names(module)
            yield from _marked(module, names)
            yield from _described(module, names)
    elif file.path.rpartition("/")[2] == ENVIRONMENT_EXAMPLE:
        yield from _variables(file.text.split("\n"))
    elif file.path.endswith(".md"):
        yield from _rule_lines(file.text.split("\n"))


def _marked(module: Module, names: Mapping[int, str]) -> Iterator[_Stretch]:
    """Yield what provenance comments name."""
    owners = _owners(module)
    for mark in marks(module):
        first, last = _lines(owners[mark.line]) if mark.line in owners else (mark.line, mark.line)
        yield _Stretch(first, last, names.get(first, ""), (mark,))


def _owners(module: Module) -> dict[int, ast.AST]:
    """Return by line what each comment is about: the statement that ends above it, else what begins below it."""
    above = {_lines(node)[1]: node for node in reversed(module.tree.body)}
    below = {_lines(node)[0]: node for node in (*_items(module), *module.tree.body)}
    owners: dict[int, ast.AST] = {}
    number = 1
    for are_comments, lines in groupby(module.lines, lambda line: line.lstrip().startswith("#")):
        end = number + len(list(lines))
        owner = above.get(number - 1) or below.get(end)
        if are_comments and owner is not None:
            owners.update(dict.fromkeys(range(number, end), owner))
        number = end
    return owners


def _names(module: Module) -> dict[int, str]:
    """Return by line the function, class or constant that it belongs to."""
    named = ((name, _lines(statement)) for name, statement in module.defined.items())
    return {line: name for name, (first, last) in named for line in range(first, last + 1)}


def _items(module: Module) -> Iterator[ast.expr]:
    """Yield the items of the lists that the module defines."""
    for node in module.tree.body:
        value = getattr(node, "value", None)
        if isinstance(value, ast.List):
            yield from value.elts


def _described(module: Module, names: Mapping[int, str]) -> Iterator[_Stretch]:
    """Yield what docstrings, rules, fixtures and the table of tools name."""
    for node in module.tree.body:
        match node:
            case ast.FunctionDef() | ast.ClassDef():
                yield from _stretch(node, node.name, ast.get_docstring(node) or "")
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.List(elts=rows)) if name == _JUDGED_RULES:
                for row in rows:
                    yield from _row(row)
            case _:
                pass
    for call in module.calls:
        yield from _call(call, names)


def _call(call: ast.Call, names: Mapping[int, str]) -> Iterator[_Stretch]:
    match called(call), call.args:
        case name, [ast.Constant(value=str(text)), *_, ast.Constant(value=str(places))] if name in _RULES:
            if named := tuple(named_places(places, call.lineno)):
                yield _Stretch(*_lines(call), names.get(call.lineno, ""), named, text)
        case name, [function, *_] if name == _TOOLS:
            yield _Stretch(*_lines(call), dotted(function).rpartition(".")[2])
        case name, [_, ast.Constant(value=str(text)), *_] if name == _CASES:
            yield from _stretch(call, "", text)
        case _:
            pass


def _row(row: ast.expr) -> Iterator[_Stretch]:
    """Yield what a row of the judged rules names, which begins with the places of its rules."""
    match row:
        case ast.Tuple(elts=[ast.Tuple(elts=places), *_]):
            texts = [str(place.value) for place in places if isinstance(place, ast.Constant)]
            if named := tuple(named_places(", ".join(texts), row.lineno)):
                yield _Stretch(*_lines(row), "", named)
        case _:
            pass


def _stretch(node: ast.FunctionDef | ast.ClassDef | ast.Call, name: str, text: str) -> Iterator[_Stretch]:
    said = " ".join(text.split()).rstrip(".")
    if _SOURCE in said:
        places = said.rpartition(_SOURCE)[2].partition(" (")[0]
    else:
        places = said[:-1].rpartition("(")[2] if said.endswith(")") else ""
    if named := tuple(named_places(places, node.lineno)):
        yield _Stretch(*_lines(node), name, named)


def _lines(node: ast.AST) -> tuple[int, int]:
    """Return the first and last line of a node, a function's decorators included."""
    first = first_line(node) if isinstance(node, ast.FunctionDef) else getattr(node, "lineno", 1)
    return first, getattr(node, "end_lineno", None) or first


def _variables(lines: list[str]) -> Iterator[_Stretch]:
    for number, line in enumerate(lines[:-1], start=1):
        if line.startswith(f"# {_SOURCE}"):
            named = tuple(named_places(line.removeprefix(f"# {_SOURCE}"), number))
            yield from (
                [_Stretch(number + 1, number + 1, lines[number].partition("=")[0], named)] if named else []
            )


def _rule_lines(lines: list[str]) -> Iterator[_Stretch]:
    for number, line in enumerate(lines, start=1):
        _, kind, comment = line.rpartition("<!-- ")
        if f"{kind}{comment}".startswith(_RULE_KINDS) and comment.endswith(" -->"):
            named = tuple(named_places(comment.removesuffix(" -->").partition(" ")[2], number))
            yield from [_Stretch(number, number, "", named)] if named else []
