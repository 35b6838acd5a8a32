"""The JSON documents that commands print with `--json`, as models, so that each has a schema (`schema NAME`)."""

from typing import Literal

from pydantic import BaseModel, ConfigDict

from melleafy_tui.core.models.classification import Classification
from melleafy_tui.core.models.context import (
    ContextFile,
    NotLoaded,
    PromptMode,
    PromptSection,
    SessionKind,
    Sight,
)
from melleafy_tui.core.models.decisions import PickedFixture
from melleafy_tui.core.models.diagnostics import Diagnostic
from melleafy_tui.core.models.export import ExportedFile
from melleafy_tui.core.models.history import FixtureCandidate, RankedSource, SessionSummary
from melleafy_tui.core.models.inventory import FileCoverage, InventoriedFile
from melleafy_tui.core.models.lint import LintFinding
from melleafy_tui.core.models.materialize import AdapterConfig, MaterializedFile, MaterializeWarning
from melleafy_tui.core.models.plan import Conflict, PlanEntry
from melleafy_tui.core.models.vocabulary import Category, Tag

_CONFIG = ConfigDict(frozen=True, defer_build=True)
"""Built when used: a command without `--json` pays for none of them."""


class _Document(BaseModel):
    model_config = _CONFIG

    format_version: Literal["1.0"] = "1.0"


class SettingValue(BaseModel):
    """One setting and where its value came from."""

    model_config = _CONFIG

    name: str
    value: str | bool | list[str] | None
    source: str


class SettingsDocument(_Document):
    """`--show-settings --json`."""

    settings: tuple[SettingValue, ...]


class DetectDocument(_Document):
    """`detect --json`."""

    workspace: str
    snapshot: str
    classification: Classification
    diagnostics: tuple[Diagnostic, ...]


class ElementSummary(BaseModel):
    """One element; secrets are masked, and its full text stays in the workspace."""

    model_config = _CONFIG

    element_id: str
    key: str
    source_file: str
    source_lines: str
    kind: str
    tag: Tag
    category: Category
    content_summary: str
    confidence: float
    section: tuple[str, ...]
    rationale: str
    dialect_rule_id: str
    mapping_row: str
    template: bool
    runtime_only: str
    notes: tuple[str, ...]


class InventoryDocument(_Document):
    """`inventory --json`."""

    workspace: str
    snapshot: str
    files: tuple[InventoriedFile, ...]
    elements: tuple[ElementSummary, ...]
    coverage: tuple[FileCoverage, ...]
    diagnostics: tuple[Diagnostic, ...]


class DecisionOutcome(BaseModel):
    """What became of one decision of a decisions file.

    `another_text` marks one that was applied by its key alone, to an element that says something else altogether.
    """

    model_config = _CONFIG

    section: str
    name: str
    state: str
    key: str
    choice: str
    message: str
    old_text: str
    new_text: str
    likeness: float | None
    another_text: bool = False


class ElementContext(BaseModel):
    """What the agent saw of one element, and what the package puts into its prompts of it."""

    model_config = _CONFIG

    element_id: str
    key: str
    source_file: str
    source_lines: str
    sight: Sight
    characters: int
    characters_seen: int
    tokens_seen: int
    characters_after: int
    tokens_after: int


class FileAfter(BaseModel):
    """What the prompts of one run of the package hold of one file."""

    model_config = _CONFIG

    path: str
    characters: int
    tokens: int


class ContextDocument(_Document):
    """`context --json`; secrets in `content` and `prompt` are masked, figures are those of the text as it is.

    `characters`, `present` and the like count UTF-16 code units, as OpenClaw does; the figures after the conversion
    count characters.
    """

    workspace: str
    snapshot: str
    release: str
    origin: str
    session: SessionKind
    mode: PromptMode
    per_file: int | None
    total: int | None
    user_md: int | None
    sections: tuple[PromptSection, ...]
    files: tuple[ContextFile, ...]
    left_out: tuple[ContextFile, ...]
    not_loaded: tuple[NotLoaded, ...]
    more_not_loaded: int
    prompt: str
    prompt_tokens: int
    token_estimate: str
    elements: tuple[ElementContext, ...]
    files_after: tuple[FileAfter, ...]
    notes: tuple[str, ...]


class PlanDocument(_Document):
    """`plan --json`."""

    workspace: str
    snapshot: str
    package_name: str
    entries: tuple[PlanEntry, ...]
    conflicts: tuple[Conflict, ...]
    decisions: tuple[DecisionOutcome, ...]
    decision_counts: dict[str, int] = {}
    model_calls: int
    prompt_tokens: int


class FileChange(BaseModel):
    """One emitted file, and what a write does with it."""

    model_config = _CONFIG

    path: str
    action: str
    state: str
    content: str
    sha256: str | None = None
    note: str = ""
    diff: str | None = None
    text: str | None = None


class PreviewDocument(_Document):
    """`preview --json`; `text` is there without `--diff`, `diff` with it."""

    out: str
    package_name: str
    files: tuple[FileChange, ...]
    lint_findings: tuple[LintFinding, ...]


class Recap(BaseModel):
    """What a user should know after a conversion."""

    model_config = _CONFIG

    stubs: dict[str, int]
    delegates: dict[str, int]
    setup_sections: tuple[str, ...]
    model_calls: int
    prompt_tokens: int


class ConvertDocument(_Document):
    """The whole conversion with `--json`; after a conflict or in strict mode it says what stood in the way."""

    out: str
    package: str
    written: bool
    dry_run: bool
    recovered: str
    files: tuple[FileChange, ...]
    new_files: tuple[str, ...]
    backups: tuple[str, ...]
    recap: Recap
    decisions: tuple[DecisionOutcome, ...]
    decision_counts: dict[str, int] = {}
    diagnostics: tuple[Diagnostic, ...]
    lint_findings: tuple[LintFinding, ...] = ()
    refused: tuple[PlanEntry, ...] = ()
    exit_code: int = 0


class CheckDocument(_Document):
    """`check --json`."""

    out: str
    fresh: bool
    files: tuple[FileChange, ...]
    exit_code: int


class MaterializeDocument(_Document):
    """`materialize --json`; `exact` says whether every file has the bytes of its source."""

    source: str
    target: str
    reverse: bool
    adapter: AdapterConfig
    exact: bool
    files: tuple[MaterializedFile, ...]
    warnings: tuple[MaterializeWarning, ...]
    written: tuple[str, ...]
    unchanged: tuple[str, ...]
    backups: tuple[str, ...]
    recovered: str
    dry_run: bool


class ExportDocument(_Document):
    """`export --json`; `files` names every file of the source, and what was added.

    `notes` says where the source was no workspace of the host, or not of it alone.
    """

    package: str
    host: str
    target: str
    files: tuple[ExportedFile, ...]
    written: tuple[str, ...]
    unchanged: tuple[str, ...]
    backups: tuple[str, ...]
    notes: tuple[str, ...] = ()
    recovered: str
    dry_run: bool


class HistoryDocument(_Document):
    """`history --json`; names and turns are masked. `candidates` are there with `--session`."""

    state_folder: str
    sessions: tuple[SessionSummary, ...]
    sources: tuple[RankedSource, ...]
    candidates: tuple[FixtureCandidate, ...] = ()
    passed_over: dict[str, int] = {}
    picked: tuple[PickedFixture, ...] = ()
    saved: str | None = None


class DoctorCheck(BaseModel):
    """One check of `doctor`; `unknown` where nothing could be proven."""

    model_config = _CONFIG

    name: str
    status: Literal["ok", "warning", "failed", "unknown"]
    message: str
    hint: str = ""


class DoctorDocument(_Document):
    """`doctor --json`."""

    checks: tuple[DoctorCheck, ...]
    exit_code: int


class ErrorDetails(BaseModel):
    """One error."""

    model_config = _CONFIG

    kind: str
    message: str
    hint: str
    location: str


class ErrorDocument(BaseModel):
    """What `--json` prints where a command could not give its own document."""

    model_config = _CONFIG

    error: ErrorDetails
    exit_code: int
