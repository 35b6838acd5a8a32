"""The JSON documents that commands print with `--json`, as records, so that each has a schema."""

import json
from typing import Literal, TypeVar

import msgspec

from melleafy_tui.core.models.classification import Classification
from melleafy_tui.core.models.findings import Diagnostic
from melleafy_tui.core.models.inventory import Decision, FileCoverage, InventoriedFile
from melleafy_tui.core.models.plan import Conflict, PlanEntry
from melleafy_tui.core.models.record import Record, shown_in_documents
from melleafy_tui.core.models.reports import LintFinding
from melleafy_tui.core.models.vocabulary import Category, Tag

PartT = TypeVar("PartT", bound=Record)


def part_of(kind: type[PartT], *records: object, **given: object) -> PartT:
    """Return a document or a part of one that shows records.

    Args:
        kind: The kind of part.
        records: Each field is that of the first one which has it by the same name.
        given: The fields that they lack.
    """
    found = {
        name: getattr(record, name)
        for record in reversed(records)
        for name in kind.__struct_fields__
        if name not in given and hasattr(record, name)
    }
    return kind(**found, **given)


class Document(Record, frozen=True, kw_only=True):
    """The fields that every document starts with; documents of a single command are defined in its module."""

    format_version: Literal["1.0"] = "1.0"


class OfWorkspace(Document, frozen=True, kw_only=True):
    """The fields of a document about one workspace."""

    workspace: str
    snapshot: str


class OfFolder(Document, frozen=True, kw_only=True):
    """The fields of a document about a folder that is written."""

    target: str
    written: tuple[str, ...]
    unchanged: tuple[str, ...]
    backups: tuple[str, ...]
    recovered: str
    dry_run: bool


class SettingValue(Record, frozen=True, kw_only=True):
    """One setting and its source."""

    name: str
    value: str | bool | list[str] | None
    source: str


class SettingsDocument(Document, frozen=True, kw_only=True):
    """The document of `--show-settings --json`."""

    settings: tuple[SettingValue, ...]


class SourceInFolder(Record, frozen=True, kw_only=True):
    """A source in a folder that isn't one itself."""

    path: str
    runtime: str
    files: int
    command: str
    """The command line that converts it."""


class DetectDocument(OfWorkspace, frozen=True, kw_only=True):
    """The document of `detect --json`."""

    classification: Classification
    diagnostics: tuple[Diagnostic, ...]
    sources: tuple[SourceInFolder, ...] = ()
    """The sources in a folder that isn't one itself."""


class ElementSummary(Record, frozen=True, kw_only=True):
    """One element; secrets are masked, and the full text stays in the workspace."""

    element_id: str
    key: str
    source_file: str
    source_lines: str
    kind: str
    tag: Tag
    category: Category
    content_summary: str
    section: tuple[str, ...]
    rationale: str
    dialect_rule_id: str
    mapping_row: str
    decisions: tuple[Decision, ...]
    template: bool
    notes: tuple[str, ...]


class InventoryDocument(OfWorkspace, frozen=True, kw_only=True):
    """The document of `inventory --json`."""

    files: tuple[InventoriedFile, ...]
    elements: tuple[ElementSummary, ...]
    coverage: tuple[FileCoverage, ...]
    diagnostics: tuple[Diagnostic, ...]


class DecisionOutcome(Record, frozen=True, kw_only=True):
    """The status of one decision of a decisions file.

    `another_text` marks a decision that was applied by its key alone, to an element with unrelated text.
    """

    section: str
    name: str
    state: str
    key: str
    choice: str
    message: str
    old_text: str
    new_text: str
    similarity: float | None
    another_text: bool = False


class ReviewChoice(Record, frozen=True, kw_only=True):
    """One answer of a row and what it changes."""

    letter: str
    name: str
    label: str
    change: str


class ReviewLine(Record, frozen=True, kw_only=True):
    """One row of a card; `item` is the key of its answer, and the first answer is the suggested one."""

    item: str
    file: str
    lines: str
    text: str
    why: str
    result: str
    ticked: bool
    settled: bool
    entry_id: str
    answers: tuple[ReviewChoice, ...]


class ReviewCard(Record, frozen=True, kw_only=True):
    """One card of the review with all of its rows, those that are settled too."""

    card: str
    title: str
    rows: tuple[ReviewLine, ...]


class AssistSummary(Record, frozen=True, kw_only=True):
    """What `--assist` asked a model about, and how many answers came; `problem` says why some are missing."""

    model: str
    asked: int
    calls: int
    answered: int
    problem: str = ""


class FileCounts(Record, frozen=True, kw_only=True):
    """What became of the files below the source: the three add up to the total."""

    total: int
    read: int
    carried: int
    named: int


class Decided(Document, frozen=True, kw_only=True):
    """What a decisions file did in a conversion."""

    decisions: tuple[DecisionOutcome, ...]
    decision_counts: dict[str, int]
    decision_effects: dict[str, tuple[str, ...]]


class PlanDocument(Decided, frozen=True, kw_only=True):
    """The document of `plan --json`."""

    workspace: str
    snapshot: str
    package_name: str
    entries: tuple[PlanEntry, ...]
    conflicts: tuple[Conflict, ...]
    review: tuple[ReviewCard, ...] = ()
    assist: AssistSummary | None = None
    model_calls: int
    prompt_tokens: int
    prompt_characters: int
    next_runs: dict[str, tuple[str, ...]]
    files: FileCounts | None = None
    named_files: dict[str, str]


class FileChange(Record, frozen=True, kw_only=True):
    """One emitted file, and what a write does to it."""

    path: str
    action: str
    state: str
    content: str
    sha256: str | None = None
    note: str = ""
    diff: str | None = None
    text: str | None = None


class PreviewDocument(Document, frozen=True, kw_only=True):
    """The document of `preview --json`: `diff` with `--diff`, `text` without."""

    out: str
    package_name: str
    files: tuple[FileChange, ...]
    lint_findings: tuple[LintFinding, ...]


class Recap(Record, frozen=True, kw_only=True):
    """What the user should know after a conversion."""

    stubs: dict[str, int]
    delegates: dict[str, int]
    setup_sections: tuple[str, ...]
    model_calls: int
    prompt_tokens: int
    prompt_characters: int
    unexpanded_skills: tuple[str, ...] = ()
    unexpanded_files: tuple[str, ...] = ()
    files: FileCounts | None = None


class ConvertDocument(Decided, frozen=True, kw_only=True):
    """The document of a whole conversion with `--json`; `refused` lists the entries that prevented it."""

    out: str
    package: str
    written: bool
    dry_run: bool
    recovered: str
    files: tuple[FileChange, ...]
    new_files: tuple[str, ...]
    backups: tuple[str, ...]
    recap: Recap
    diagnostics: tuple[Diagnostic, ...]
    lint_findings: tuple[LintFinding, ...] = ()
    refused: tuple[PlanEntry, ...] = ()
    assist: AssistSummary | None = None
    exit_code: int = 0


class ConvertedSource(Record, frozen=True, kw_only=True):
    """One source that `convert --all` found, and what became of it; `changed` counts the files that a write changes."""

    path: str
    runtime: str
    exit_code: int
    out: str = ""
    package: str = ""
    written: bool = False
    files: int = 0
    changed: int = 0
    message: str = ""
    hint: str = ""
    skills_left: tuple[str, ...] = ()
    told: tuple[str, ...] = ()


class ConvertAllDocument(Document, frozen=True, kw_only=True):
    """The document of `convert --all --json`; `found` counts the sources."""

    folder: str
    out: str
    found: int
    results: tuple[ConvertedSource, ...]
    exit_code: int


class DifferingFile(Record, frozen=True, kw_only=True):
    """A file that isn't what is emitted: edited, deleted, foreign, stale, missing or added."""

    path: str
    difference: str


class CheckDocument(Document, frozen=True, kw_only=True):
    """The document of `check --json`: what a write would change, and every file that isn't exactly what is emitted."""

    out: str
    fresh: bool
    files: tuple[FileChange, ...]
    differing: tuple[DifferingFile, ...]
    exit_code: int


class ErrorDetails(Record, frozen=True, kw_only=True):
    """One error."""

    kind: str
    message: str
    hint: str
    location: str
    commands: tuple[str, ...] = ()
    """Command lines that work instead, if the error names some."""


class ErrorDocument(Record, frozen=True, kw_only=True):
    """The document that `--json` prints when a command fails."""

    error: ErrorDetails
    exit_code: int


def written(document: object) -> bytes:
    """Return a document as JSON in ASCII."""
    plain = msgspec.to_builtins(document, str_keys=True, enc_hook=shown_in_documents)
    return json.dumps(plain, indent=2).encode("ascii")
