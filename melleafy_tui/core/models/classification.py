"""Step 0's contract: five axes with their evidence (`intermediate/classification.json`, spec/conversion.md 2)."""

from dataclasses import dataclass

from melleafy_tui.core.models.vocabulary import Archetype, Modality, Shape, Strength, ToolInvolvement


@dataclass(frozen=True, slots=True)
class SignalEvidence:
    """One signal of a runtime that matched.

    `signal` is the row's stable name in the dialect's table. `file` and `line` say where (line 0: the whole
    file). An ambient signal lies outside the workspace; `counted` is False where it may not add its weight.
    """

    runtime: str
    signal: str
    strength: Strength
    weight: float
    file: str
    line: int = 0
    ambient: bool = False
    counted: bool = True
    note: str = ""


@dataclass(frozen=True, slots=True)
class RuntimeScore:
    """What one runtime's signals add up to; `candidate` says whether it may be chosen (spec/conversion.md 2.1)."""

    runtime: str
    score: float
    candidate: bool
    evidence: tuple[SignalEvidence, ...] = ()


@dataclass(frozen=True, slots=True)
class AxisEvidence:
    """Why an axis has its value: the named rule, and the place in the source."""

    rule: str
    file: str = ""
    line: int = 0
    note: str = ""
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class ModalityEvidence:
    """One signal for a modality (seed 000 section 5)."""

    modality: Modality
    rule: str
    file: str
    line: int
    note: str = ""


@dataclass(frozen=True, slots=True)
class Schedule:
    """When the agent is to be woken, normalised where it was understood (spec/conversion.md 2.2).

    `type` is `interval`, `cron`, `event`, `words` or `""` (none). `cadence` keeps the source's words. `seconds` is
    the interval, `cron` a five-field line. `active_hours` keeps the declared window; `active_start` and
    `active_end` are `HH:MM`, `timezone` is IANA where given. `file` and `lines` say where the cadence stands.
    """

    type: str = ""
    cadence: str = ""
    seconds: int | None = None
    cron: str = ""
    active_hours: str = ""
    active_start: str = ""
    active_end: str = ""
    timezone: str = ""
    file: str = ""
    lines: str = ""


@dataclass(frozen=True, kw_only=True)
class Classification:
    """The result of step 0."""

    source_runtime: str
    hybrid_primary: str | None = None
    hybrid_contributors: tuple[str, ...] = ()
    source_runtime_override: str | None = None
    scores: tuple[RuntimeScore, ...]
    runtime_reason: str
    generation: str = ""
    """Which generation of the runtime the source shows, in words, for example "OpenClaw before 2026.7"."""
    modality: Modality
    secondary_modalities: tuple[Modality, ...] = ()
    modality_override: Modality | None = None
    modality_evidence: tuple[ModalityEvidence, ...] = ()
    schedule: Schedule = Schedule()
    archetype: Archetype
    archetype_evidence: tuple[AxisEvidence, ...] = ()
    archetype_confidence: float = 1.0
    shape: Shape
    shape_evidence: tuple[AxisEvidence, ...] = ()
    shape_confidence: float = 1.0
    tool_involvement: ToolInvolvement
    tool_evidence: tuple[AxisEvidence, ...] = ()
    tool_confidence: float = 1.0

    @property
    def dialect_runtimes(self) -> tuple[str, ...]:
        """Return the runtimes whose dialects read the source: the primary first, then the contributors."""
        primary = self.hybrid_primary or self.source_runtime
        return (primary, *self.hybrid_contributors)
