"""Compares two workspaces, or their packages: what was added, removed, reworded, moved or is read differently."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Final, Literal

from msgspec import Struct

from melleafy_tui.actions.choices import category_words, decision_words
from melleafy_tui.actions.recorded_provenance import read_recorded_package, recorded_manifest
from melleafy_tui.core.decisions.keys import element_keys, normalised_text
from melleafy_tui.core.decisions.rebase import DecisionState, Match, Place, find_earlier, places_of
from melleafy_tui.core.language.text_measures import UNLIKE
from melleafy_tui.core.models.inventory import PART, Element
from melleafy_tui.core.models.mapping import MappingEntry
from melleafy_tui.core.models.plan import DependencyPlan
from melleafy_tui.core.models.record import Record
from melleafy_tui.core.models.vocabulary import Category, DecisionKind, EntryKind, Tag, ValidationKind
from melleafy_tui.core.pipeline.conversion import Conversion
from melleafy_tui.generators.package_shape import CALLED, SLOT_DISPOSITIONS, TOOLS, UPDATE

Group = Literal["Rules", "Tools", "Schedules", "Facts", "Persona", "Memory", "Credentials", "Other"]
Change = Literal["added", "removed", "reworded", "read differently", "moved"]

CHANGES: Final[tuple[Change, ...]] = ("added", "removed", "reworded", "read differently", "moved")

MOST_COMPARED: Final = 100_000
"""Pairs of texts that are compared by similarity, a few seconds' work; beyond it texts are added and removed."""

_GROUP_OF: Final[dict[Category, Group]] = {
    Category.C2: "Rules",
    Category.C6: "Tools",
    Category.C9: "Schedules",
    Category.C3: "Facts",
    Category.C1: "Persona",
    Category.C4: "Memory",
    Category.C5: "Memory",
    Category.C7: "Credentials",
    Category.C8: "Other",
    Category.NONE: "Other",
}
"""The group of each category, in the order in which groups are shown."""

_GROUPS: Final = tuple(dict.fromkeys(_GROUP_OF.values()))
_CHECKED_BY: Final = {ValidationKind.EXECUTABLE: "Python", ValidationKind.LLM_JUDGED: "a model"}

_ROUNDS: Final = 3
"""How often texts look for the most similar one, when several had the same candidate."""


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


class Detail(Record, frozen=True):
    """One thing that differs besides the text, such as tag, disposition or section."""

    what: str
    old: str
    new: str


class ElementChange(Record, frozen=True):
    """One element that differs; `old` is null if it was added, `new` if it was removed."""

    group: Group
    change: Change
    old: ElementState | None
    new: ElementState | None
    details: tuple[Detail, ...] = ()

    @property
    def state(self) -> ElementState:
        """Return the element as it is, or as it was if it was removed."""
        state = self.new or self.old
        assert state is not None
        return state


class FileDifference(Record, frozen=True):
    """A file without elements, such as a script, that was added, removed or changed."""

    path: str
    change: Literal["added", "removed", "changed"]


class Comparison(Struct, frozen=True):
    """The differences of two sides."""

    old: PackageFacts
    new: PackageFacts
    changes: tuple[ElementChange, ...]
    files: tuple[FileDifference, ...]

    @property
    def differs(self) -> bool:
        """Return whether anything differs; names and orders don't matter, nor does what one side doesn't know."""
        old, new = self.old, self.new
        return (
            bool(self.changes or self.files)
            or (old.runtime, old.trigger) != (new.runtime, new.trigger)
            or set(old.variables) != set(new.variables)
            or set(old.callable_tools) != set(new.callable_tools)
            or (None not in (old.model_calls, new.model_calls) and old.model_calls != new.model_calls)
        )


# --- the two sides ----------------------------------------------------------------------------


class Side(Struct, frozen=True, dict=True):
    """One side of a comparison: masked elements with their keys, what becomes of them, and the package as a whole.

    `files` has the digest of each file by path. It and `mappings` are None for a package, which doesn't record them.
    """

    facts: PackageFacts
    elements: tuple[Element, ...]
    keys: Mapping[str, str]
    plan: DependencyPlan
    mappings: Mapping[str, MappingEntry] | None = None
    files: Mapping[str, str] | None = None

    @cached_property
    def on_lines(self) -> Counter[str]:
        """Return how many elements are on the same lines, by location."""
        return Counter(element.location for element in self.elements)

    @cached_property
    def places(self) -> dict[str, Place]:
        """Return the place of each element, by key."""
        return places_of(self.elements, self.keys)

    def state(self, element: Element, *, verbatim: bool) -> ElementState:
        """Return an element on this side; its text as the source has it, or as one sentence."""
        entry = self.plan.by_element.get(element.element_id)
        mapping = (self.mappings or {}).get(element.element_id)
        kind = mapping.validation_kind if mapping is not None else None
        return ElementState(
            element_id=element.element_id,
            key=self.keys[element.element_id],
            source_file=element.source_file,
            source_lines=element.source_lines,
            section=_place(element)[1:],
            lead_in=" ".join(element.context),
            kind=element.kind,
            tag=element.tag,
            category=element.category,
            decisions=tuple(each.kind for each in element.decisions),
            disposition=entry.disposition.value if entry else "",
            target=entry.target if entry else "",
            checked_by=_CHECKED_BY[kind] if kind else "",
            text=element.content_full if verbatim else element.statement or element.content_full,
        )


def workspace_side(conversion: Conversion) -> Side:
    """Return a workspace as one side of a comparison, with the conversion's decisions."""
    from melleafy_tui.generators.project_files import environment_variables  # only a comparison renders

    committed, cost = conversion.committed, conversion.cost
    return Side(
        facts=PackageFacts(
            name=committed.package_name,
            runtime=committed.classification.source_runtime,
            trigger=committed.classification.modality.value,
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
    return Side(
        facts=PackageFacts(
            name=manifest.package_name,
            runtime=manifest.source_runtime,
            trigger=manifest.modality.value,
            model_calls=manifest.model_calls_per_run.get("message"),
            prompt_tokens=None,
            variables=manifest.declared_env_vars,
            callable_tools=_callable_tools(package.plan),
        ),
        elements=package.inventory.elements,
        keys=element_keys(package.inventory.elements),
        plan=package.plan,
    )


def _callable_tools(plan: DependencyPlan) -> tuple[str, ...]:
    """Return what the model may call: tools, and the hook that changes memory."""
    found: dict[str, None] = {}
    for entry in plan.entries:
        name = entry.symbol or entry.target.rpartition(":")[2]
        updates = entry.kind is EntryKind.MEMORY and name == UPDATE and entry.disposition in SLOT_DISPOSITIONS
        if entry.disposition in CALLED and (entry.kind in TOOLS or updates):
            found[name] = None
    return tuple(found)


def _place(element: Element) -> tuple[str, ...]:
    """Return the file of an element and the headings above it, without its own."""
    is_heading = element.kind in ("section", "heading")
    return (element.source_file, *(element.section[:-1] if is_heading else element.section))


def _carries(element: Element) -> bool:
    """Return whether an element is more than a heading, a link, or a line of another element, which has its text."""
    is_text = element.kind in ("file", "field", "item", "paragraph", "table_row")
    return element.kind != PART and (element.category is not Category.NONE or is_text)


def _is_long(element: Element) -> bool:
    """Return whether an element has several lines, so that it is shown as the source has it."""
    return "\n" in element.content_full.strip()


# --- which elements belong together -----------------------------------------------------------


def compare(old: Side, new: Side) -> Comparison:
    """Return what differs between two sides, sorted by group."""
    before = {old.keys[each.element_id]: each for each in old.elements}
    after = {new.keys[each.element_id]: each for each in new.elements}
    found = _pairs(old, new, before, after)
    rows = [_change(old, new, before[key], after[other]) for key, other in found.items()]
    rows += [_one_sided(old, each, "removed") for key, each in before.items() if key not in found]
    kept = set(found.values())
    rows += [_one_sided(new, each, "added") for key, each in after.items() if key not in kept]
    changes = sorted((row for row in rows if row is not None), key=_order)
    return Comparison(old.facts, new.facts, tuple(changes), tuple(_files(old, new)))


def _order(row: ElementChange) -> tuple[int, bool, str, int, bool]:
    """Sort by group and place; what only reads differently, often a consequence of other changes, comes last."""
    first = int(row.state.source_lines.partition("-")[0])
    consequence = row.change == "read differently"
    return _GROUPS.index(row.group), consequence, row.state.source_file, first, row.change != "removed"


def _pairs(
    old: Side, new: Side, before: Mapping[str, Element], after: Mapping[str, Element]
) -> dict[str, str]:
    """Return the keys of the elements that are on both sides, old to new."""
    free = {key: place for key, place in new.places.items() if key in after}
    waiting: Sequence[Place] = [place for key, place in old.places.items() if key in before]
    found: dict[str, str] = {}
    for _ in range(_ROUNDS):
        matches = find_earlier(waiting, free, most_compared=MOST_COMPARED)
        pairs = list(zip(waiting, matches, strict=True))
        # Of several texts with one candidate, the most similar one takes it.
        for place, match in sorted(pairs, key=lambda pair: (_is_guess(pair[1]), -(pair[1].similarity or 0))):
            if (
                match.place is not None
                and match.place.key in free
                and not _is_another(before[place.key], match)
            ):
                found[place.key] = match.place.key
                del free[match.place.key]
        waiting = [place for place, match in pairs if _is_guess(match) and place.key not in found]
        if not waiting:
            break
    return found


def _is_guess(match: Match) -> bool:
    return match.state is DecisionState.SUGGESTED


def _is_another(element: Element, match: Match) -> bool:
    """Return whether only the first words are the same; a field is the same one whatever its value is."""
    unlike = match.similarity is not None and match.similarity < UNLIKE
    return unlike and not element.label and element.kind != "file"


# --- what differs -----------------------------------------------------------------------------


def _one_sided(side: Side, element: Element, change: Change) -> ElementChange | None:
    if not _carries(element):
        return None
    state = side.state(element, verbatim=_is_long(element))
    old, new = (state, None) if change == "removed" else (None, state)
    return ElementChange(_GROUP_OF[element.category], change, old, new)


def _change(old: Side, new: Side, one: Element, other: Element) -> ElementChange | None:
    """Return how an element differs, or None if it doesn't or carries nothing."""
    if not (_carries(one) or _carries(other)):
        return None
    shares_lines = old.on_lines[one.location] > 1 or new.on_lines[other.location] > 1
    reworded = _is_reworded(one, other, by_statement=shares_lines)
    verbatim = (reworded and one.statement == other.statement) or _is_long(one) or _is_long(other)
    before, after = old.state(one, verbatim=verbatim), new.state(other, verbatim=verbatim)
    known = old.mappings is not None and new.mappings is not None  # who checks a rule
    read = _details(
        ("lead-in", before.lead_in, after.lead_in) if verbatim else ("", "", ""),
        ("tag", before.tag.value, after.tag.value),
        ("category", category_words(before.category), category_words(after.category)),
        ("decisions", _kinds(before), _kinds(after)),
        ("checked by", before.checked_by, after.checked_by) if known else ("", "", ""),
        ("disposition", before.disposition, after.disposition),
        ("target", before.target, after.target),
    )
    moved = _details(
        ("file", before.source_file, after.source_file),
        ("section", " / ".join(before.section), " / ".join(after.section)),
    )
    if not (reworded or read or moved):
        return None
    change: Change = "reworded" if reworded else "read differently" if read else "moved"
    shown = other if _carries(other) else one
    return ElementChange(_GROUP_OF[shown.category], change, before, after, (*read, *moved))


def _details(*rows: tuple[str, str, str]) -> tuple[Detail, ...]:
    return tuple(Detail(what, old, new) for what, old, new in rows if old != new)


def _kinds(element: ElementState) -> str:
    return ", ".join(map(decision_words, element.decisions)) or "none"


def _is_reworded(one: Element, other: Element, *, by_statement: bool) -> bool:
    """Return whether the words or those of the lead-in differ.

    Elements with a line in common, as of a list of tools, differ by their statements only. Otherwise a statement
    doesn't tell, since it may hold the number of a step.
    """
    if by_statement or "json" in (one.kind, other.kind):
        return one.statement != other.statement
    return normalised_text(one) != normalised_text(other) or (
        one.context != other.context and one.statement != other.statement
    )


def _files(old: Side, new: Side) -> Iterator[FileDifference]:
    """Yield the differing files that have no elements on either side."""
    if old.files is None or new.files is None:
        return
    covered = {element.source_file for side in (old, new) for element in side.elements}
    for path in sorted({*old.files, *new.files} - covered):
        if path not in old.files:
            yield FileDifference(path, "added")
        elif path not in new.files:
            yield FileDifference(path, "removed")
        elif old.files[path] != new.files[path]:
            yield FileDifference(path, "changed")
