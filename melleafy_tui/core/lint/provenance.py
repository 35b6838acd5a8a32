"""The lint that each emitted constant, rule, step and stub has recorded source lines, which hold its text."""

import ast
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final

from melleafy_tui.core.language.text_measures import HAN, KANA, has_any
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.lint.consistency import CLASSIFICATION
from melleafy_tui.core.lint.linted_package import INVENTORY, Inventory, NotValidatable, Package
from melleafy_tui.core.lint.modules import NAMES, Module, Problem, first_line
from melleafy_tui.core.lint.recorded_places import RecordedPlaces, spelled_lines
from melleafy_tui.core.models.classification import Classification
from melleafy_tui.core.models.facts import DetailsFact
from melleafy_tui.core.models.file_set import LineProvenance
from melleafy_tui.core.models.inventory import Element

RULE_LISTS: Final = ("OPERATING_REQUIREMENTS", "SCOPED_REQUIREMENTS", "PERSONA_RULES", "HOST_RULES")
STEP_FILES: Final = ("slots.py", "mobjects.py")
"""Modules whose functions are steps before the reply."""

STUBS: Final = "constrained_slots.py"
"""The module of stubs, whose text is ours; only where they come from is checked."""

WITHOUT_SOURCE: Final = ("C8", "Run settings")
"""Sections of config.py whose constants are conversion settings, not source text."""

SETTINGS: Final = frozenset(NAMES["settings"])
TASKS: Final = "SCHEDULED_TASKS"
"""The constant of tasks, to which a decisions file can add some; those stand in no line of the source."""

OWN_NAMES: Final = "ENVIRONMENT_VARIABLES"
"""The constant of variables, which we name: the inventory doesn't have the words that some are named after."""

CONFIRM: Final = "confirm"
"""The hook that asks before calls; it is the same in every package that has one."""

ENOUGH: Final = 0.5
"""Share of a text's words that its source lines must contain; the rest is formatting and lead-ins."""

FRAME: Final = frozenset({"in", "heartbeat"})
"""Words that emitted text may add: before a scoped rule, beside the names in its path, and the message of a wake-up."""

_WORD: Final = re.compile(r"[^\W_]+")
_NORMALISED: Final = LazyRegex(
    r"[\d:]+(?:-[\d:]+)?|[\d*/,-]+(?: [\d*/,a-zA-Z-]+){4}"
    r"|(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Etc|Europe|Indian|Pacific)/[\w/+-]+"
    r"|mon|tue|wed|thu|fri|sat|sun"
)
"""What a reader writes its own way: clock times, windows (`06:00-23:00`), cron lines, zones, and days."""


def check_provenance(package: Package) -> Iterator[Problem]:
    """Yield the code whose text has no recorded source lines, or isn't in them."""
    recorded = RecordedPlaces.of(package.files, package.name)
    if recorded is None:
        raise NotValidatable("there is no readable intermediate/provenance.json")
    inventory = package.record(INVENTORY, Inventory)
    elements = {element.element_id: element for element in inventory.elements}
    counts = line_counts(inventory)
    for module in package.printed_modules.values():
        places = recorded.places(module.path)
        for place in places:
            yield from _wrong_place(module, place, elements, counts)
        for name, node in _carrying(module):
            first, last = first_line(node), getattr(node, "end_lineno", None) or 0
            named = {each.element_id for each in places if each.first <= last and each.last >= first}
            known = _added(package) if name == TASKS else frozenset()
            if named or known:
                own = [elements[each] for each in named if each in elements]
                if name != OWN_NAMES and module.name != STUBS and not _is_held(node, own, known):
                    where = ", ".join(sorted(f"{each.source_file}:{each.source_lines}" for each in own))
                    yield module.problem(node, f"its text is not in the lines recorded for it ({where})")
            elif recorded.is_emitted(module.path, first, last):
                yield module.problem(node, f"provenance.json does not say where {name} comes from")


def _added(package: Package) -> frozenset[str]:
    """Return the words of the tasks that the user added to those of the source."""
    tasks = package.record(CLASSIFICATION, Classification).schedule.tasks
    added = (f"{task.title} {task.text} {task.schedule.cadence}" for task in tasks if not task.schedule.file)
    return frozenset(word for text in added for word in words_of(text))


def line_counts(inventory: Inventory) -> dict[str, int]:
    """Return how many lines each file of the source has."""
    counts = {file.path: file.line_count for file in inventory.files}
    for element in inventory.elements:
        if lines := spelled_lines(element.source_lines):
            counts[element.source_file] = max(counts.get(element.source_file, 0), lines[1])
    return counts


def _wrong_place(
    module: Module, place: LineProvenance, elements: Mapping[str, Element], counts: Mapping[str, int]
) -> Iterator[Problem]:
    """Yield what of a recorded place doesn't exist: its element, its file or its lines."""
    if place.element_id not in elements:
        yield module.problem(place.first, f"{place.element_id} is in no inventory")
    count = counts.get(place.source_file)
    lines = spelled_lines(place.source_lines)
    if count is None:
        yield module.problem(place.first, f"{place.source_file} is not a file of the source")
    elif lines is None or not 1 <= lines[0] <= lines[1] <= count:
        yield module.problem(place.first, f"{place.source_file} has no line {place.source_lines}")


def _carrying(module: Module) -> Iterator[tuple[str, ast.AST]]:
    """Yield the code of a module that carries text of the source, with what findings call it."""
    for name, statement in module.defined.items():
        is_constant = isinstance(statement, ast.Assign | ast.AnnAssign)
        is_function = isinstance(statement, ast.FunctionDef) and not name.startswith("_")
        if module.name == "config.py" and is_constant and name.isupper() and name not in SETTINGS:
            if not _is_empty(statement) and not _section(module, statement.lineno).startswith(WITHOUT_SOURCE):
                yield name, statement
        elif module.name == "requirements.py" and name in RULE_LISTS:
            yield from (("a rule", item) for item in _items(statement))
        elif (module.name == STUBS and is_function and name != CONFIRM) or (
            module.name in STEP_FILES and is_function
        ):
            yield name, statement


def _is_empty(statement: ast.stmt) -> bool:
    value = getattr(statement, "value", None)
    return isinstance(value, ast.Constant) and not value.value


def _section(module: Module, line: int) -> str:
    """Return the title of the section that a line is in."""
    titles = (re.fullmatch(r"# === (.+) ===", above.strip()) for above in reversed(module.lines[: line - 1]))
    return next((title[1] for title in titles if title), "")


def _items(statement: ast.stmt) -> Iterator[ast.expr]:
    value = getattr(statement, "value", None)
    for found in value.values if isinstance(value, ast.Dict) else [value]:
        if isinstance(found, ast.List | ast.Tuple):
            yield from found.elts


@lru_cache(maxsize=1024)  # one element stands behind many rules
def _known_words(element: Element) -> frozenset[str]:
    """Return the words of an element and of the path of its file."""
    own = (element.content_full, element.statement, element.value, element.label, element.content_summary)
    inlined = str(element.facts[DetailsFact].details.get("inlined_text", ""))
    texts = (*own, inlined, *element.context, *element.section, element.source_file)
    return frozenset(word for text in texts for word in words_of(text))


def words_of(text: str) -> list[str]:
    """Return the words of a text; each Chinese or Japanese character counts as a word."""
    words: list[str] = _WORD.findall(text.casefold())
    if text.isascii():
        return words
    return [part for word in words for part in (word if has_any(word, KANA, HAN) else (word,))]


def _is_held(node: ast.AST, elements: list[Element], known: frozenset[str]) -> bool:
    """Return whether elements and words known otherwise hold the text of a node, as the inventory shows them."""
    known = FRAME.union(known, *map(_known_words, elements))
    emitted = [word for text in _texts(node) for word in words_of(text)]
    held = sum(map(known.__contains__, emitted))
    is_mapping = isinstance(getattr(node, "value", None), ast.Dict)  # its other words are ours
    return not emitted or held >= (1 if is_mapping else ENOUGH * len(emitted))


def _texts(node: ast.AST) -> Iterator[str]:
    """Yield the texts of a node that come from the source; the keys of a dict and its type are ours."""
    parts: list[ast.AST] = [node]
    if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
        parts = [node.args[0], *(each.value for each in node.keywords if each.arg == "asks")]
    elif isinstance(node, ast.FunctionDef):
        # A slot's docstring comes from the source; those of other functions are written by the generator.
        parts = [*(node.body[:1] if node.decorator_list else node.body[1:])]
    elif isinstance(value := getattr(node, "value", None), ast.AST):
        parts = [value]
    while parts:
        part = parts.pop()
        parts += _values(part) if isinstance(part, ast.Dict) else ast.iter_child_nodes(part)
        text = part.value if isinstance(part, ast.Constant) else None
        if isinstance(text, str) and not _NORMALISED.fullmatch(text):
            yield text


def _values(mapping: ast.Dict) -> Iterator[ast.AST]:
    for key, value in zip(mapping.keys, mapping.values, strict=True):
        if not (isinstance(key, ast.Constant) and key.value == "type"):
            yield value
