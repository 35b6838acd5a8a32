"""Steps 1a and 1b's contract: files, elements and their coverage (spec/conversion.md 3)."""

from dataclasses import dataclass, field
from datetime import date
from functools import cached_property

from pydantic import BaseModel, ConfigDict

from melleafy_tui.core.models.facts import Facts
from melleafy_tui.core.models.findings import Diagnostic
from melleafy_tui.core.models.mapping import UnsupportedConstruct
from melleafy_tui.core.models.vocabulary import Category, Polarity, Tag


@dataclass(frozen=True, slots=True)
class InventoriedFile:
    """One file or folder that the dialect asks for (step 1a).

    `status` is `read`, `listed` (existence only), `absent`, or `skipped`. `runtimes` holds every dialect that
    claims the file, primary first.
    """

    path: str
    role: str
    status: str
    dialect_rule_id: str
    characters: int = 0
    line_count: int = 0
    sha256: str = ""
    runtimes: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Element:
    """One piece of the source that is converted as a whole (step 1b).

    Attributes:
        element_id: `elem_001`, … in source order; a position, not an identity (see spec/decisions.md, keys).
        source_file: Path of the file.
        source_lines: `"12"` or `"15-22"`, 1-based, as an editor shows them.
        kind: The form it has in the source: section, field, item, paragraph, table_row, fence, heading, file,
            json, variable.
        content_summary: At most 100 characters of the element's own words.
        content_full: Its lines verbatim.
        statement: What it says as one self-contained sentence or text, markers dropped, with lead-in and
            polarity ("Must never: send mail to strangers"). Everything that leaves the inventory uses this.
        section: Headings above it, outermost first.
        context: Lead-ins and parent items above it, outermost first.
        label: The field's name where it is a field (`name`, `timezone`), lower case.
        value: The field's value.
        dialect_rule_id: The file rule that cut it.
        mapping_row: The dialect's mapping row it falls under, or `""`.
        rationale: The tag rule that matched.
        scope: The folder a scoped rule holds for.
        template: It is stock text of the runtime's own templates.
        runtime_only: Why it only makes sense on the source runtime, or `""`.
        facts: What the dialect knows about it beyond its words.
    """

    element_id: str
    source_file: str
    source_lines: str
    kind: str
    tag: Tag
    category: Category
    content_summary: str
    content_full: str = field(repr=False)
    statement: str = field(repr=False)
    confidence: float = 1.0
    section: tuple[str, ...] = ()
    context: tuple[str, ...] = ()
    polarity: Polarity = Polarity.DESCRIBES
    label: str = ""
    value: str = ""
    suggested_category: Category | None = None
    suggestion_reason: str = ""
    dialect_rule_id: str = ""
    mapping_row: str = ""
    rationale: str = ""
    aggregation_hint: str = ""
    notes: tuple[str, ...] = ()
    scope: str = ""
    template: bool = False
    runtime_only: str = ""
    facts: Facts = field(default_factory=Facts)

    @property
    def line_range(self) -> tuple[int, int]:
        """Return first and last line, 1-based, inclusive."""
        first, _, last = self.source_lines.partition("-")
        return int(first), int(last or first)

    @property
    def location(self) -> str:
        """Return `file:lines`, the form of every provenance mark."""
        return f"{self.source_file}:{self.source_lines}"


@dataclass(frozen=True, slots=True)
class Claim:
    """How a contributing dialect of a hybrid reads the lines of an element (spec/conversion.md 6).

    Attributes:
        element_id: The element, which the dialect that leads in its file has cut.
        runtime: The contributing runtime.
        reading: The same lines, or those around them, as the contributor cuts and tags them; without an id.
    """

    element_id: str
    runtime: str
    reading: Element


@dataclass(frozen=True, slots=True)
class FileCoverage:
    """How much of a file's non-blank lines belongs to an element (`coverage_report.json`)."""

    path: str
    lines: int
    covered: int
    uncovered_lines: tuple[int, ...] = ()


@dataclass(frozen=True)
class Inventory:
    """The result of steps 1a and 1b."""

    files: tuple[InventoriedFile, ...]
    elements: tuple[Element, ...]
    coverage: tuple[FileCoverage, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    claims: tuple[Claim, ...] = ()
    """What the contributors of a hybrid read in files that another dialect has cut."""

    unsupported: tuple[UnsupportedConstruct, ...] = ()
    """What the dialects found beside the elements and a package can't carry."""

    @cached_property
    def by_id(self) -> dict[str, Element]:
        """Return the elements by `element_id`."""
        return {element.element_id: element for element in self.elements}


@dataclass(frozen=True, slots=True)
class RecordedClaim:
    """A claim as a package records it: what the contributor says of the element, not its whole reading.

    Attributes:
        element_id: The element.
        runtime: The contributing runtime.
        source_lines: The lines as the contributor cuts them.
        tag: Its tag for them.
        category: Its category.
        dialect_rule_id: Its file rule.
        mapping_row: Its mapping row, or `""`.
        rationale: Its tag rule.
    """

    element_id: str
    runtime: str
    source_lines: str
    tag: Tag
    category: Category
    dialect_rule_id: str = ""
    mapping_row: str = ""
    rationale: str = ""


class RecordedInventory(BaseModel):
    """The inventory as a package records it (`intermediate/inventory.json`), its secrets masked."""

    model_config = ConfigDict(frozen=True, defer_build=True)

    format_version: str
    snapshot: str
    as_of: date
    files: tuple[InventoriedFile, ...]
    elements: tuple[Element, ...]
    diagnostics: tuple[Diagnostic, ...] = ()
    claims: tuple[RecordedClaim, ...] = ()
    """There is none but in a hybrid."""
    released_secrets: tuple[str, ...] = ()
    """Digests of values that look like secrets and that the user released as none."""
