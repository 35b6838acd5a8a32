"""Reads prompts and tools from the code of a runtime that has no dialect.

Python is parsed with `ast` and never run. The connections between them (graph, hand-overs, memory) are not converted,
and the inventory says so.
"""

from collections.abc import Iterable, Iterator
from inspect import cleandoc
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.dialects.element_factory import UNCONVERTED, ElementFactory, Home, SourceSpan
from melleafy_tui.core.dialects.signals import MODULES
from melleafy_tui.core.models.facts import Facts, ToolFact
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.snapshot import SourceFile
from melleafy_tui.core.models.vocabulary import Category, Tag
from melleafy_tui.core.source.markdown import is_blank
from melleafy_tui.core.source.python_code import PythonFacts, facts_of

PROMPTS: Final = frozenset(
    {"backstory", "goal", "instructions", "persona", "role", "system_message", "system_prompt"}
)
"""Keyword arguments whose text each runtime sends to the model."""

TOOL_DECORATORS: Final = frozenset({"tool", "function_tool"})

_NOTE: Final = "Read without a dialect: what stands around it in the code is not converted."


class ModelText(Struct, frozen=True):
    """Lines with text for the model; `name` is the name of the tool or field."""

    first: int
    last: int
    rule: str
    statement: str
    tag: Tag
    category: Category
    name: str = ""


def imports_runtime(source: SourceFile, runtime: str) -> bool:
    """Return whether a Python file imports a module of a runtime."""
    wanted = MODULES.get(runtime, ())
    return bool(wanted) and any(name.partition(".")[0] in wanted for name in facts_of(source).imports)


def python_elements(source: SourceFile, rule_id: str) -> list[Element]:
    """Return the elements of a Python file: its prompts, its tools, and the remaining lines unconverted."""
    facts = facts_of(source)
    return _elements(source, _without_overlaps([*_tools(facts), *_prompts(facts)]), rule_id, "code")


def _tools(facts: PythonFacts) -> Iterator[ModelText]:
    for function in facts.functions:
        if function.decorators & TOOL_DECORATORS:
            said = cleandoc(function.docstring or function.name.replace("_", " "))
            yield ModelText(
                function.first,
                function.last,
                "generic.tool",
                said,
                Tag.TOOL_TEMPLATE,
                Category.C6,
                name=function.name,
            )


def _prompts(facts: PythonFacts) -> Iterator[ModelText]:
    for found in facts.texts:
        text = cleandoc(found.text) if found.keyword in PROMPTS else ""
        if text:
            yield ModelText(
                found.first, found.last, "generic.prompt", text, Tag.CONVERSE, Category.C1, name=found.keyword
            )


def _without_overlaps(texts: Iterable[ModelText]) -> list[ModelText]:
    """Return the texts in order; a tool includes everything inside it, and prompts that share a line are merged."""
    kept: list[ModelText] = []
    for found in sorted(texts, key=lambda text: (text.first, -text.last)):
        if not kept or found.first > kept[-1].last:
            kept.append(found)
            continue
        if found.category is kept[-1].category is Category.C1:
            kept[-1] = replace(
                kept[-1],
                last=max(kept[-1].last, found.last),
                statement=f"{kept[-1].statement}\n{found.statement}",
                name="",
            )
    return kept


def _elements(source: SourceFile, texts: list[ModelText], rule_id: str, kind: str) -> list[Element]:
    elements: list[Element] = []
    next_line = 1
    for text in texts:
        elements += _rest(source, next_line, text.first - 1, rule_id, kind)
        elements.append(
            ElementFactory(source, rule_id).make(
                SourceSpan(text.first, text.last, kind),
                text.statement,
                Home(text.tag, text.category, text.rule),
                Facts(ToolFact(name=text.name)) if text.category is Category.C6 else Facts(),
                notes=(_NOTE,),
            )
        )
        next_line = text.last + 1
    return [*elements, *_rest(source, next_line, len(source.lines), rule_id, kind)]


def _rest(source: SourceFile, first: int, last: int, rule_id: str, kind: str) -> Iterator[Element]:
    while first <= last and is_blank(source.lines[first - 1]):
        first += 1
    while last >= first and is_blank(source.lines[last - 1]):
        last -= 1
    if first <= last:
        yield ElementFactory(source, rule_id).make(
            SourceSpan(first, last, kind),
            source.cut(first, last),
            Home(*UNCONVERTED, f"generic.{kind}"),
            summary=f"Code, {last - first + 1} lines" if kind == "code" else "",
        )
