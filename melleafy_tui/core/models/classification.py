"""The result of step 0, the classification: five axes with their evidence (`intermediate/classification.json`)."""

from melleafy_tui.core.models.record import Record
from melleafy_tui.core.models.vocabulary import Archetype, Modality, Shape, Strength, ToolInvolvement


class SignalEvidence(Record, frozen=True):
    """One signal of a runtime that matched.

    `signal` is the stable name of its row in the dialect's table. Line 0 means the whole file. An ambient signal was
    found outside the workspace; `counted` is False if its weight isn't added to the score.
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


class RuntimeScore(Record, frozen=True):
    """The score of one runtime and the signals behind it; `candidate` says whether it can be chosen."""

    runtime: str
    score: float
    candidate: bool
    evidence: tuple[SignalEvidence, ...] = ()


class AxisEvidence(Record, frozen=True):
    """Why an axis has its value: the name of the rule that matched, and where in the source."""

    rule: str
    file: str = ""
    line: int = 0
    note: str = ""
    weight: float = 1.0


class ModalityEvidence(Record, frozen=True):
    """One signal for a modality."""

    modality: Modality
    rule: str
    file: str
    line: int
    note: str = ""


class Schedule(Record, frozen=True):
    """When the agent runs, normalised if the declaration could be parsed.

    `type` is `interval`, `cron`, `times` (clock times that one cron line can't hold), `event`, `words` or `""` (none,
    or no cadence). `cadence` is the source's wording. `seconds` is the interval, `cron` a five-field line, `times` the
    clock times as `HH:MM`, `days` the weekdays (`mon` to `sun`; none means all). `active_hours` is the window as
    declared; `active_start` and `active_end` are `HH:MM`; `quiet_hours` is the window that was declared as quiet, of
    which the active hours are the complement. `timezone` is an IANA name if given. `file` and `lines` locate it.
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
    times: tuple[str, ...] = ()
    days: tuple[str, ...] = ()
    quiet_hours: str = ""
    others: tuple["Schedule", ...] = ()
    """The agent's other wake-ups, if it has several."""
    tasks: tuple["ScheduledTask", ...] = ()
    """What has a cadence of its own and is done in a wake-up when it is due."""
    home_zone: str = ""
    """The time zone of the clock times that name none, `""` if nothing says it."""
    home_zone_source: str = ""
    """`file:line` of what gives that zone."""
    rows: tuple["ScheduleRow", ...] = ()
    """Every time of the source and what became of it, for the review."""

    @property
    def first_line(self) -> int:
        """Return the first line of the declaration, 0 if it has no place."""
        return int(self.lines.partition("-")[0] or 0)


class ScheduledTask(Record, frozen=True):
    """A task with a time of its own, and the lines of its text; a task that a decision adds has its text here."""

    title: str
    schedule: Schedule
    first: int = 0
    last: int = 0
    text: str = ""


class ScheduleRow(Record, frozen=True):
    """One time of the source, or one section of a text with times, for the review.

    `state` is `taken`, `asked` (not due until the owner says so), `elsewhere` (a section of another text) or `off` (a
    job that doesn't wake this agent). `title` names the task, `""` is the wake-up; `schedule` has file, lines, words,
    time as read and zone; `reason` says why it isn't taken; `first` and `last` are the lines of the task.
    """

    state: str
    title: str
    schedule: Schedule
    reason: str = ""
    first: int = 0
    last: int = 0


class Classification(Record, frozen=True, kw_only=True):
    """The result of step 0."""

    source_runtime: str
    hybrid_primary: str | None = None
    hybrid_contributors: tuple[str, ...] = ()
    source_runtime_override: str | None = None
    scores: tuple[RuntimeScore, ...]
    runtime_reason: str
    generation: str = ""
    """Which generation of the runtime the source was written for, for example "OpenClaw before 2026.7"."""
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
        """Return the runtimes whose dialects read the source: the primary, then the contributors."""
        primary = self.hybrid_primary or self.source_runtime
        return (primary, *self.hybrid_contributors)
