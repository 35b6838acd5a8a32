"""The result of steps 1a and 1b, the inventory: files, elements and their coverage."""

from collections.abc import Mapping
from datetime import date
from functools import cached_property
from hashlib import sha256
from typing import Final

from msgspec import Struct, field, structs

from melleafy_tui.core.models.facts import Facts
from melleafy_tui.core.models.findings import Diagnostic
from melleafy_tui.core.models.mapping import RuleCheck, UnsupportedConstruct
from melleafy_tui.core.models.procedure import Procedure
from melleafy_tui.core.models.record import Record
from melleafy_tui.core.models.vocabulary import Category, DecisionKind, Tag

USER: Final = "user"
ASSISTED: Final = "assisted by "
"""Rationales of a tag, category or decision that the program didn't choose: the user, or a model for the user."""

REST_OF_FILE: Final = "file.rest"
"""The rationale of text after the limit on a file's lines, which no dialect read."""


class InventoriedFile(Record, frozen=True):
    """One file or folder that a dialect looks for (step 1a).

    `status` is `read`, `listed` (existence only), `carried` (as it stands), `absent`, or `skipped`. `runtimes` lists
    every dialect that reads the file, primary first.
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


PART: Final = "part"
"""The kind of a line of a persona or of facts that is judged beside the element that has its text."""


class Decision(Record, frozen=True):
    """One thing that happens because of an element.

    Attributes:
        kind: What happens.
        reason: Why, one sentence.
        source: Who decided: `""` for the program's test, `user`, or `assisted by` a model.
        check: What Python checks, for the decision that it does.
        against: `file:line` of the rule that excludes this one; neither is checked until the user chooses.
    """

    kind: DecisionKind
    reason: str
    source: str = ""
    check: RuleCheck | None = None
    against: str = ""


class Element(Record, frozen=True):
    """One unit of the source, converted as a whole (step 1b).

    Attributes:
        element_id: `elem_001`, … in source order; it changes when elements are added (decisions name an
            element by a stable key).
        source_lines: `"12"` or `"15-22"`, 1-based, as an editor shows them.
        kind: The form it has in the source: section, field, item, paragraph, table_row, fence, heading, file,
            json, variable.
        content_summary: The element's text, shortened to 100 characters.
        content_full: Its lines verbatim.
        statement: Its words on their own, behind its lead-ins, in the owner's words and with the owner's marks
            ("Never share: ❌ passwords"). What leaves the document alone uses this text.
        confidence: Always 1.0; published readers expect it.
        section: Headings above it, outermost first.
        context: Lead-ins and parent items above it, outermost first.
        label: The field's name in lower case if it is a field (`name`, `timezone`).
        dialect_rule_id: The file rule that produced it.
        mapping_row: The dialect's mapping row that applies to it, or `""`.
        suggested_category: Always None; published readers expect it.
        rationale: The place that decided where it belongs, or who did: `user`, or `assisted by` a model.
        scope: The folder a scoped rule applies to.
        decisions: What happens because of it: the decisions that are yes.
        offered: Decisions that are no, but that the review offers unticked.
        template: It is text of the runtime's own templates, which the owner didn't write.
        facts: What the dialect knows about it beyond its text.
    """

    element_id: str
    source_file: str
    source_lines: str
    kind: str
    tag: Tag
    category: Category
    content_summary: str
    content_full: str
    statement: str
    confidence: float = 1.0
    section: tuple[str, ...] = ()
    context: tuple[str, ...] = ()
    label: str = ""
    value: str = ""
    suggested_category: Category | None = None
    dialect_rule_id: str = ""
    mapping_row: str = ""
    rationale: str = ""
    aggregation_hint: str = ""
    notes: tuple[str, ...] = ()
    scope: str = ""
    decisions: tuple[Decision, ...] = ()
    offered: tuple[Decision, ...] = ()
    template: bool = False
    facts: Facts = field(default_factory=Facts)

    def said(self, words: str) -> "Element":
        """Return the element with other words as its text, for a value that stands among code."""
        return structs.replace(self, content_full=words)

    @property
    def line_range(self) -> tuple[int, int]:
        """Return the first and last line, 1-based, inclusive."""
        first, _, last = self.source_lines.partition("-")
        return int(first), int(last or first)

    def decided(self, *kinds: DecisionKind) -> Decision | None:
        """Return the first decision of one of these kinds that is yes, or None."""
        return next((found for found in self.decisions if found.kind in kinds), None)

    @property
    def is_left_out(self) -> bool:
        """Return whether it isn't part of the package."""
        return self.decided(DecisionKind.LEFT_OUT) is not None

    @property
    def stays_behind(self) -> bool:
        """Return whether the caller must give its value, since no file of the package has it."""
        is_given = self.decided(DecisionKind.OVERRIDABLE) is not None
        return is_given and self.decided(DecisionKind.TRAVELS) is None

    @property
    def is_retagged(self) -> bool:
        """Return whether the user chose the tag or category, or an assisting model for the user."""
        return self.rationale == USER or self.rationale.startswith(ASSISTED)

    @property
    def location(self) -> str:
        """Return `file:lines`, as provenance comments show it."""
        return f"{self.source_file}:{self.source_lines}"


def element_number(number: int) -> str:
    """Return the `element_id` for a position in source order, counted from 1."""
    return f"elem_{number:03}"


class Claim(Struct, frozen=True):
    """How a contributing dialect of a hybrid reads the lines of an element of the dialect that leads in the file.

    `reading` is the contributor's element for the same or surrounding lines, without an id.
    """

    element_id: str
    runtime: str
    reading: Element


class FileCoverage(Record, frozen=True):
    """How many of a file's non-blank lines belong to an element (`coverage_report.json`)."""

    path: str
    lines: int
    covered: int
    uncovered_lines: tuple[int, ...] = ()


def snapshot_id(digests: Mapping[str, str]) -> str:
    """Return the SHA-256 of the sorted (path, SHA-256) pairs of a source in hexadecimal."""
    digest = sha256()
    for path, each in sorted(digests.items()):
        digest.update(f"{path}\0{each}\n".encode("utf-8", "surrogateescape"))
    return digest.hexdigest()


class Inventory(Struct, frozen=True, dict=True):
    """The result of steps 1a and 1b.

    Attributes:
        claims: How the contributors of a hybrid read files in which another dialect leads.
        unsupported: Constructs in the source that aren't elements and that a package can't reproduce.
        digests: The SHA-256 of each source file by path, of one with secrets that of its masked text.
        procedure: The order in which the source has its work done, if it says one.
    """

    files: tuple[InventoriedFile, ...]
    elements: tuple[Element, ...]
    coverage: tuple[FileCoverage, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    claims: tuple[Claim, ...] = ()
    unsupported: tuple[UnsupportedConstruct, ...] = ()
    digests: Mapping[str, str] = field(default_factory=dict)
    procedure: Procedure | None = None

    @cached_property
    def snapshot_id(self) -> str:
        """Return the digest of the source as it was read, without its secrets."""
        return snapshot_id(self.digests)

    @cached_property
    def by_id(self) -> dict[str, Element]:
        """Return the elements by `element_id`."""
        return {element.element_id: element for element in self.elements}


class RecordedClaim(Record, frozen=True):
    """A claim as recorded in a package: the contributor's element for the same lines, without its text."""

    element_id: str
    runtime: str
    source_lines: str
    tag: Tag
    category: Category
    dialect_rule_id: str = ""
    mapping_row: str = ""
    rationale: str = ""


class RecordedInventory(Record, frozen=True):
    """The inventory as recorded in a package (`intermediate/inventory.json`), with secrets masked."""

    format_version: str
    snapshot: str
    as_of: date
    files: tuple[InventoriedFile, ...]
    elements: tuple[Element, ...]
    diagnostics: tuple[Diagnostic, ...] = ()
    claims: tuple[RecordedClaim, ...] = ()
    """Empty unless the source is a hybrid."""
    released_secrets: tuple[str, ...] = ()
    """Digests of values that look like secrets but that the user released."""
