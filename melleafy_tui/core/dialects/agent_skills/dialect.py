"""The Agent Skills dialect: its tables and its reader.

Imports that only reading needs are made in the methods: every conversion asks every dialect which files it wants.
"""

from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from melleafy_tui.core.dialects.agent_skills.frontmatter_fields import Head, read_head
from melleafy_tui.core.dialects.agent_skills.homes import FILE_RULES, SPEC
from melleafy_tui.core.dialects.base import Dialect, Reading, ReadingContext
from melleafy_tui.core.dialects.signals import SIGNAL_TABLES
from melleafy_tui.core.language.time.cadence import read_cadence
from melleafy_tui.core.models.classification import ModalityEvidence, Schedule, ScheduleRow
from melleafy_tui.core.models.findings import diagnose
from melleafy_tui.core.models.mapping import NOT_REPRODUCED, UnsupportedConstruct
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.models.vocabulary import Modality, Runtime
from melleafy_tui.core.source.sources_below import MainFiles

_INEXACT: Final = "No exact time can be read from it."
_NO_CONTRACT: Final = UnsupportedConstruct(
    NOT_REPRODUCED,
    "No invocation contract",
    "The standard has no fields for it; how it is woken is inferred, as a diagnostic says.",
    "Call `run_pipeline` with one message, or choose another trigger with `--modality`.",
    "A skill names neither inputs nor outputs, nor how it is woken",
    (SPEC,),
)


class AgentSkillsDialect(Dialect):
    """Agent Skills: a folder with a SKILL.md, scripts, references and assets."""

    runtime = Runtime.AGENT_SKILLS_STD.value
    title = "Agent Skills"
    source_title = "an Agent Skill"
    main_files = MainFiles(runtime, ("SKILL.md",), closed=True)
    signals = SIGNAL_TABLES[runtime]
    file_rules = FILE_RULES
    tables = ("agent_skills",)
    surfaces = (SPEC,)

    def schedule(self, snapshot: Snapshot) -> Schedule:
        """Return the time in the skill's field for one."""
        return declared_schedule(snapshot)

    def wants(self, path: str) -> bool:
        """Return whether the snapshot should open the file at this path."""
        return path == SPEC

    def belonging(self, snapshot: Snapshot) -> Iterable[str]:
        """Return the files to open because of what was read: with a SKILL.md in the root, all of them."""
        return () if snapshot.file(SPEC) is None else snapshot.paths

    def modality_evidence(self, snapshot: Snapshot) -> tuple[ModalityEvidence, ...]:
        """Return the evidence of a field that owners add; the standard has none for it."""
        found = declared_schedule(snapshot)
        place = ("schedule field", SPEC, found.first_line, found.cadence)
        return (ModalityEvidence(Modality.SCHEDULED, *place),) if found.type else ()

    def read(self, snapshot: Snapshot, context: ReadingContext) -> Reading:  # noqa: ARG002 - required by the protocol
        """Return the files and elements of the skill in the root folder."""
        from melleafy_tui.core.dialects.agent_skills.reader import read_skill
        from melleafy_tui.core.dialects.headed_steps import with_steps

        found = read_skill(snapshot)
        unsupported = (_NO_CONTRACT,)
        spec = snapshot.file(SPEC)
        if spec is None:
            return Reading(found.files, found.elements, found.diagnostics, unsupported)
        elements, procedure = found.elements, None
        findings = list(found.diagnostics)
        if not declared_schedule(snapshot).type:
            called = Modality.SYNCHRONOUS_ONESHOT.value
            findings.append(diagnose("skill-modality-inferred", SPEC, modality=called, confidence=ON_CALL))
            if spec.text is not None:
                elements, procedure, said = with_steps(spec, elements, snapshot)
                findings += said
        findings.append(diagnose("skill-no-contract", SPEC))
        return Reading(found.files, elements, tuple(findings), unsupported, procedure)


ON_CALL: Final = 0.8
"""Confidence that a skill is called once and answers, since it has no field that says when it runs."""


def declared_schedule(snapshot: Snapshot) -> Schedule:
    """Return the time in a field such as `schedule`, which owners add; one that can't be read whole is asked about."""
    file = snapshot.file(SPEC)
    head = read_head(file) if file is not None and file.text is not None else Head()
    field = next((field for key in ("schedule", "cron") if (field := head.get(key)) and field.text), None)
    if field is None:
        return Schedule()
    found = read_cadence(field.text, expected=True) or Schedule("words", field.text)
    timed = replace(found, file=SPEC, lines=field.lines)
    if timed.type in ("interval", "cron", "times"):
        return timed
    return Schedule(rows=(ScheduleRow("asked", "", timed, _INEXACT, field.first, field.last),))
