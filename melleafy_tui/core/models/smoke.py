"""Step 7b's contract: what became of each fixture in a smoke run (spec/package.md 8)."""

from dataclasses import dataclass
from enum import StrEnum

from pydantic import BaseModel, ConfigDict


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
