"""Elements that dialects for runtimes written in Python share: tools of a step, and inputs that fill its texts."""

import ast
import re
from collections.abc import Container, Iterator, Sequence
from typing import Final

from melleafy_tui.core.dialects.element_factory import (
    UNCONVERTED,
    ElementFactory,
    Home,
    SourceSpan,
    uncovered,
)
from melleafy_tui.core.dialects.static_python import CLOCK, PythonModule, PythonSource, Text, last_name
from melleafy_tui.core.models.facts import ArgumentFact, Facts, ToolFact
from melleafy_tui.core.models.findings import Diagnostic, diagnose
from melleafy_tui.core.models.inventory import Element, InventoriedFile
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.package.naming import python_identifier

PLACEHOLDER: Final = re.compile(r"\{([A-Za-z_][A-Za-z0-9_-]*)\}")
"""What such runtimes replace in a text; JSON in braces stays."""


RESERVED: Final = frozenset(
    """
    chosen_tools clock config confirm constrained_slots current end item m message model_call now page prompt require
    require_message run run_pipeline says session spoken start_session steps tools
    """.split()  # noqa: SIM905 - a word list is easier to read in one piece
)
"""Names that the pipeline of a package with steps uses itself."""

_TYPES: Final = frozenset({"Any", "BaseModel", "Field", "Literal", "MelleaSession", "Steps", "StepsReply"})


def type_name(name: str) -> str:
    """Return the name of a step's result, which isn't one that the package uses itself."""
    return f"{name}Result" if name in _TYPES else name


class StepElements:
    """Collects the elements of a procedure.

    Args:
        python: The Python of the source.
        tool: Where tools belong.
        given: Where inputs belong.
    """

    def __init__(self, python: PythonSource, tool: Home, given: Home) -> None:
        self._python, self._tool, self._given = python, tool, given
        self.found: Final[list[Element]] = []
        self.inputs: Final[dict[str, str]] = {}
        """What stands between the braces of a text, by the name of the parameter."""
        self.clocks: Final[dict[str, None]] = {}
        """The placeholders that stand for date and time."""
        self.names: Final[set[str]] = set(RESERVED)
        """Names that steps and inputs have already."""
        self._taken: set[str] = set()

    def completed(
        self, files: Sequence[InventoriedFile], snapshot: Snapshot, other: str
    ) -> tuple[Element, ...]:
        """Return the elements file by file, with the lines that nothing was read from.

        Args:
            files: The files, in order.
            snapshot: The workspace.
            other: What files that aren't Python hold.
        """
        for listed in files:
            source = snapshot.file(listed.path)
            if source is None or source.text is None:
                continue
            kind = "code" if listed.path.endswith(".py") else other
            own = [element for element in self.found if element.source_file == source.path]
            for first, last in uncovered(source, own):
                lines = f"{kind[:1].upper()}{kind[1:]}, {last - first + 1} lines"
                self.found.append(
                    ElementFactory(source, listed.dialect_rule_id).make(
                        SourceSpan(first, last, kind),
                        source.cut(first, last),
                        Home(*UNCONVERTED, f"the {kind} around it"),
                        summary=lines if last > first else "",
                    )
                )
        order = {listed.path: place for place, listed in enumerate(files)}
        return tuple(sorted(self.found, key=lambda each: (order[each.source_file], each.line_range[0])))

    def unreadable(self) -> Iterator[Diagnostic]:
        """Yield a finding for each module that isn't valid Python."""
        for file, line in self._python.broken:
            yield diagnose("source-unreadable-part", file.path, str(line), what="it is not valid Python")

    def take_name(self, words: str, fallback: str) -> str:
        """Return a name for a step that nothing else in the pipeline has."""
        name = python_identifier(words, self.names, fallback=fallback)
        self.names.add(name)
        return name

    def take_tool(self, node: ast.expr, module: PythonModule, rule_id: str) -> str:
        """Return the name of a tool; the first time it is named it becomes an element.

        Args:
            node: What names or makes it.
            module: The module that does.
            rule_id: The file rule of the module.
        """
        name = last_name(node)
        if name and name not in self._taken:
            found = self._python.function(module, name) or self._python.class_of(module, name)
            said = ast.get_docstring(found[1]) if found is not None else ""
            words = " ".join((said or f"{name}, which the source has").split())
            self.take_code(name, words, node, module, rule_id, self._tool)
        return name

    def take_code(
        self, name: str, words: str, node: ast.AST, module: PythonModule, rule_id: str, home: Home
    ) -> None:
        """Add the element of a function that is left to write."""
        self._taken.add(name)
        first = getattr(node, "lineno", 1)
        last = first if isinstance(node, ast.stmt) else getattr(node, "end_lineno", first)
        self.found.append(
            ElementFactory(module.file, rule_id).make(
                SourceSpan(first, last, "code"),
                words,
                home,
                Facts(ToolFact(name=name, subtype="abstract", description=words)),
                label=name,
            )
        )

    def take_inputs(
        self, text: Text, rule_id: str, clocks: Container[str] = (), known: Container[str] = ()
    ) -> None:
        """Make what stands in braces in a text parameters of a run, each at the line of its first use.

        Args:
            text: The text.
            rule_id: The file rule of its file.
            clocks: What a clock fills.
            known: What isn't given by the caller.
        """
        for found in PLACEHOLDER.finditer(text.words):
            place = found[1]
            if place == CLOCK or place in clocks:
                self.clocks.setdefault(place)
            elif place not in known and place not in self.inputs.values():
                name = self.take_name(place.replace("-", "_"), "value")
                self.inputs[name] = place
                line = min(text.first + text.words[: found.start()].count("\n"), text.last)
                self.found.append(
                    ElementFactory(text.file, rule_id).make(
                        SourceSpan(line, line, "variable"),
                        f"{{{place}}} is given for each run",
                        self._given,
                        Facts(ArgumentFact(name, name, "str")),
                        label=name,
                    )
                )
