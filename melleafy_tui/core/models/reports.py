"""Step 7's contract: lint findings and the report `intermediate/step_7_report.json` (spec/package.md 7)."""

from dataclasses import dataclass
from enum import StrEnum

from pydantic import BaseModel, ConfigDict


@dataclass(frozen=True, slots=True)
class LintFinding:
    """One failure: which lint, where (line and column 1-based, 0 for the whole file), what is wrong, what to do."""

    lint: str
    tier: int
    file: str
    line: int
    column: int
    message: str
    hint: str


@dataclass(frozen=True, slots=True)
class LintResult:
    """What one lint says of a package: `passed`, `failed` or `not validatable` (an artifact is missing)."""

    lint: str
    tier: int
    status: str
    findings: tuple[LintFinding, ...] = ()
    note: str = ""


@dataclass(frozen=True)
class LintReport:
    """The lints of one package, by tier."""

    results: tuple[LintResult, ...]

    @property
    def findings(self) -> tuple[LintFinding, ...]:
        """Return all failures in order of tier, lint, file and line."""
        return tuple(finding for result in self.results for finding in result.findings)

    @property
    def passed(self) -> bool:
        """Return whether no lint failed."""
        return not self.findings


class FixtureStatus(StrEnum):
    """How one fixture ended; only PASSED and UNMET mean that the package ran to its end."""

    PASSED = "passed"
    UNMET = "unmet"
    FAILED = "failed"
    ENVIRONMENT = "environment"


@dataclass(frozen=True, slots=True)
class FixtureRun:
    """One fixture's run.

    Attributes:
        fixture_id: The fixture.
        status: passed; unmet (it ran, and the reply breaks requirements); failed (an exception, an empty
            reply, no end in time); environment (no backend, no Mellea: nothing was proven).
        description: What the fixture expects, in the package's words.
        calls: Model calls that the stand-in server counted; None in a live run.
        reply: The start of the reply's text.
        skipped: The agent decided that there was nothing to do.
        unmet: Requirements that the reply breaks.
        notes: What the package says it left out, for example stubs.
        error: What went wrong, as `Type: message`.
    """

    fixture_id: str
    status: FixtureStatus
    description: str = ""
    calls: int | None = None
    reply: str = ""
    skipped: bool = False
    unmet: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    error: str = ""


class SmokeReport(BaseModel):
    """All fixtures of one smoke run."""

    model_config = ConfigDict(frozen=True)

    package_name: str
    live: bool
    behaviour: str
    mellea_version: str = ""
    runs: tuple[FixtureRun, ...]

    @property
    def passed(self) -> bool:
        """Return whether at least one fixture ran and none failed or lacked its environment."""
        good = (FixtureStatus.PASSED, FixtureStatus.UNMET)
        return bool(self.runs) and all(run.status in good for run in self.runs)


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class ExportState(StrEnum):
    """What became of one file."""

    IDENTICAL = "identical"
    """The bytes of the source, proven by their SHA-256."""
    CHANGED = "changed"
    """Written, with lines that differ from the source."""
    ADDED = "added"
    """Not in the source: the skill that calls the package."""
    LEFT_OUT = "left out"
    """In the source and not written."""


class ExportedFile(_Part):
    """One file; `reasons` say what differs, one sentence each."""

    path: str
    state: ExportState
    reasons: tuple[str, ...] = ()
