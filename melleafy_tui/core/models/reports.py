"""The reports on a package: lint findings (`intermediate/step_7_report.json`), smoke runs and exported files."""

from enum import StrEnum
from typing import Any

from melleafy_tui.core.models.record import Record


class LintFinding(Record, frozen=True):
    """One failure of a lint, with its place (line and column 1-based, 0 for the whole file) and a hint."""

    lint: str
    tier: int
    file: str
    line: int
    column: int
    message: str
    hint: str

    @property
    def spelled(self) -> str:
        """Return the finding as `file:line:column: lint: message hint`."""
        place = f"{self.file}:{self.line}:{self.column}" if self.line else self.file
        return f"{place}: {self.lint}: {self.message} {self.hint}".rstrip()


class LintResult(Record, frozen=True):
    """The result of one lint: `passed`, `failed` or `not validatable` (an artifact is missing)."""

    lint: str
    tier: int
    status: str
    findings: tuple[LintFinding, ...] = ()
    note: str = ""


class LintReport(Record, frozen=True):
    """The lint results of one package, by tier."""

    results: tuple[LintResult, ...]

    @property
    def findings(self) -> tuple[LintFinding, ...]:
        """Return all failures, ordered by tier, lint, file and line."""
        return tuple(finding for result in self.results for finding in result.findings)

    @property
    def passed(self) -> bool:
        """Return whether no lint failed."""
        return not self.findings


class FixtureStatus(StrEnum):
    """How a fixture's run ended; with PASSED, EXPECTED and UNMET the run completed."""

    PASSED = "passed"
    EXPECTED = "expected"
    UNMET = "unmet"
    FAILED = "failed"
    ENVIRONMENT = "environment"


class FixtureRun(Record, frozen=True):
    """One fixture's run.

    Attributes:
        status: passed; expected (the reply breaks exactly the rules that the fixture says); unmet (it ran, but the
            reply breaks rules, and the fixture doesn't say which); failed (an exception, an empty reply, a timeout or
            a broken expectation); environment (no backend or no Mellea, so nothing was tested).
        description: What the fixture expects, according to the package.
        calls: Model calls counted by the fake model server; None in a live run.
        reply: The start of the reply's text.
        skipped: The agent decided that there was nothing to do.
        unmet: The rules that the reply breaks: source, rule and reason.
        notes: What the package reports as left out, for example stubs.
        error: What went wrong, as `Type: message`.
        mismatches: How the run differs from what the fixture expects, each with what was found and expected.
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
    mismatches: tuple[str, ...] = ()

    @property
    def completed(self) -> bool:
        """Return whether the run ended with a reply, or as the fixture expects."""
        return self.status not in (FixtureStatus.FAILED, FixtureStatus.ENVIRONMENT)

    @property
    def broken_rules(self) -> tuple[str, ...]:
        """Return the rules that the reply breaks, one line each that says whether the fixture expects it."""
        said = "unmet, as expected" if self.status is FixtureStatus.EXPECTED else "unmet"
        return tuple(f"{said}: {rule}" for rule in self.unmet)

    @property
    def faults(self) -> tuple[str, ...]:
        """Return what went wrong, one line each."""
        return tuple(filter(None, (self.error, *self.mismatches)))


class SmokeReport(Record, frozen=True, kw_only=True):
    """All fixtures of one smoke run."""

    package_name: str
    live: bool
    behaviour: str
    mellea_version: str = ""
    runs: tuple[FixtureRun, ...]
    made_up_memory: str = ""
    """The file in the package that stands for the agent's memory in these runs."""

    @property
    def passed(self) -> bool:
        """Return whether at least one fixture ran and none ended as failed or environment."""
        return bool(self.runs) and all(run.completed for run in self.runs)


class RunReport(Record, frozen=True, kw_only=True):
    """One run of a package: the model of `--local`, if it was given, and the fields of its result."""

    package_name: str
    model: str
    reply: dict[str, Any]


class ExportState(StrEnum):
    """How an exported file compares with the source."""

    IDENTICAL = "identical"  # to the source, verified by SHA-256; copied from the workspace if it has secrets
    CHANGED = "changed"  # written, with lines that differ from the source
    ADDED = "added"  # by the export, such as the skill that calls the package
    LEFT_OUT = "left out"  # in the source, but not exported


class ExportedFile(Record, frozen=True, forbid_unknown_fields=True):
    """One exported file; each of `reasons` is a sentence about a difference."""

    path: str
    state: ExportState
    reasons: tuple[str, ...] = ()
