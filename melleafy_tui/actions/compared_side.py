"""One side of a comparison: a workspace or a written package, with what each of its elements becomes."""

from collections import Counter
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Final

from msgspec import Struct

from melleafy_tui.actions.recorded_provenance import read_recorded_package, recorded_manifest
from melleafy_tui.core.decisions.keys import element_keys
from melleafy_tui.core.models.inventory import PART, Element
from melleafy_tui.core.models.mapping import MappingEntry
from melleafy_tui.core.models.plan import DependencyPlan
from melleafy_tui.core.models.record import Record
from melleafy_tui.core.models.vocabulary import Category, DecisionKind, EntryKind, Tag, ValidationKind
from melleafy_tui.core.pipeline.conversion import Conversion
from melleafy_tui.generators.package_shape import CALLED, SLOT_DISPOSITIONS, TOOLS, UPDATE

_CHECKED_BY: Final = {ValidationKind.EXECUTABLE: "Python", ValidationKind.LLM_JUDGED: "a model"}


class ElementState(Record, frozen=True):
    """One element on one side; secrets are masked.

    `disposition` and `target` are `""` for an element that needs no decision. `checked_by` says who judges a rule,
    `""` if nobody does or the side is a package, which doesn't record it.
    """

    element_id: str
    key: str
    source_file: str
    source_lines: str
    section: tuple[str, ...]
    lead_in: str
    kind: str
    tag: Tag
    category: Category
    decisions: tuple[DecisionKind, ...]
    disposition: str
    target: str
    checked_by: str
    text: str


class PackageFacts(Record, frozen=True):
    """What a side is as a whole; null is unknown, as for a written package that doesn't record it."""

    name: str
    runtime: str
    trigger: str
    model_calls: int | None
    prompt_tokens: int | None
    variables: tuple[str, ...]
    callable_tools: tuple[str, ...]


class Side(Struct, frozen=True, dict=True):
    """One side of a comparison: masked elements with their keys, what becomes of them, and the package as a whole.

    `files` has the digest of each file by path. It and `mappings` are None for a package, which doesn't record them.
    """

    facts: PackageFacts
    elements: tuple[Element, ...]
    keys: Mapping[str, str]
    plan: DependencyPlan
    mappings: Mapping[str, MappingEntry] | None
    files: Mapping[str, str] | None

    @cached_property
    def _on_lines(self) -> Counter[str]:
        return Counter(element.location for element in self.elements)

    def shares_lines(self, element: Element) -> bool:
        """Return whether another element is on the same lines."""
        return self._on_lines[element.location] > 1

    def state(self, element: Element, *, verbatim: bool) -> ElementState:
        """Return an element as it is on this side.

        Args:
            element: The element.
            verbatim: Whether its text is shown as the source has it, not as one sentence.
        """
        entry = self.plan.by_element.get(element.element_id)
        mapping = (self.mappings or {}).get(element.element_id)
        kind = mapping.validation_kind if mapping is not None else None
        return ElementState(
            element_id=element.element_id,
            key=self.keys[element.element_id],
            source_file=element.source_file,
            source_lines=element.source_lines,
            section=section_of(element),
            lead_in=" ".join(element.context),
            kind=element.kind,
            tag=element.tag,
            category=element.category,
            decisions=tuple(each.kind for each in element.decisions),
            disposition=entry.disposition.value if entry else "",
            target=entry.target if entry else "",
            checked_by=_CHECKED_BY[kind] if kind else "",
            text=_verbatim(element) if verbatim else element.statement or _verbatim(element),
        )


def workspace_side(conversion: Conversion) -> Side:
    """Return a workspace as one side of a comparison, with the conversion's decisions."""
    from melleafy_tui.generators.project_files import environment_variables  # only a comparison renders

    committed, cost = conversion.committed, conversion.cost
    classification = committed.classification
    return Side(
        facts=PackageFacts(
            name=committed.package_name,
            runtime=classification.source_runtime,
            trigger=classification.modality.value,
            model_calls=cost.calls,
            prompt_tokens=cost.prompt_tokens,
            variables=tuple(variable.name for variable in environment_variables(committed)),
            callable_tools=_callable_tools(committed.plan),
        ),
        elements=committed.inventory.elements,
        keys=conversion.keys,
        plan=committed.plan,
        mappings=committed.mapping.by_element,
        files={file.path: file.sha256 for file in conversion.snapshot.files},
    )


def package_side(folder: Path) -> Side:
    """Return a written package as one side of a comparison, as its conversion recorded it.

    Args:
        folder: The package, or the output folder that holds it.

    Raises:
        UnusableInput: There is no package, or its records are missing or damaged.
    """
    package = read_recorded_package(folder)
    manifest = recorded_manifest(package, folder)
    plan, elements = package.plan, package.inventory.elements
    return Side(
        facts=PackageFacts(
            name=manifest.package_name,
            runtime=manifest.source_runtime,
            trigger=manifest.modality.value,
            model_calls=manifest.model_calls_per_run.get("message"),
            prompt_tokens=None,
            variables=manifest.declared_env_vars,
            callable_tools=_callable_tools(plan),
        ),
        elements=elements,
        keys=element_keys(elements),
        plan=plan,
        mappings=None,
        files=None,
    )


def _callable_tools(plan: DependencyPlan) -> tuple[str, ...]:
    """Return what the model may call: tools, and the hook that changes memory."""
    names = (
        (entry, entry.symbol or entry.target.rpartition(":")[2])
        for entry in plan.entries
        if entry.disposition in CALLED
    )
    offered = (
        name
        for entry, name in names
        if entry.kind in TOOLS
        or (entry.kind is EntryKind.MEMORY and name == UPDATE and entry.disposition in SLOT_DISPOSITIONS)
    )
    return tuple(dict.fromkeys(offered))


def section_of(element: Element) -> tuple[str, ...]:
    """Return the headings above an element, without its own."""
    return element.section[:-1] if element.kind in ("section", "heading") else element.section


def carries(element: Element) -> bool:
    """Return whether an element is more than a heading, a link or a bracket.

    A part isn't: it is a line of another element, which has its text.
    """
    if element.kind == PART:
        return False
    is_text = element.kind in ("file", "field", "item", "paragraph", "table_row")
    return element.category is not Category.NONE or is_text


def is_long(element: Element) -> bool:
    """Return whether an element has several lines, so that it is shown as the source has it."""
    return "\n" in element.content_full.strip()


def _verbatim(element: Element) -> str:
    return element.content_full
