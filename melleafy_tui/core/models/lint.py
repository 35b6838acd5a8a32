"""Step 7's contract: lint findings and the report `intermediate/step_7_report.json` (spec/package.md 7)."""

from dataclasses import dataclass


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
