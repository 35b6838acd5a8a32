"""The Agent Skills dialect: its tables and its reader.

Imports that only reading needs are made in the methods: every conversion asks every dialect which files it wants.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from msgspec.structs import replace

from melleafy_tui.core.dialects.agent_skills.frontmatter_fields import Head, read_head
from melleafy_tui.core.dialects.agent_skills.homes import FILE_RULES, SPEC
from melleafy_tui.core.dialects.base import Dialect, Reading, ReadingContext
from melleafy_tui.core.dialects.signals import SIGNAL_TABLES
from melleafy_tui.core.language.time.cadence import read_cadence
from melleafy_tui.core.lazy_regex import LazyRegex
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
        """Return the evidence in the description's wording; the standard has no field for it."""
        return tuple(modality_evidence(snapshot))

    def read(self, snapshot: Snapshot, context: ReadingContext) -> Reading:  # noqa: ARG002 - required by the protocol
        """Return the files and elements of the skill in the root folder."""
        from melleafy_tui.core.dialects.agent_skills.reader import read_skill
        from melleafy_tui.core.dialects.headed_steps import with_steps

        found = read_skill(snapshot)
        unsupported = (_NO_CONTRACT,)
        spec = snapshot.file(SPEC)
        if spec is None:
            return Reading(found.files, found.elements, found.diagnostics, unsupported)
        name, confidence = inferred_modality(snapshot)
        elements, procedure = found.elements, None
        if spec.text is not None and not declared_schedule(snapshot).type:
            elements, procedure = with_steps(spec, elements, snapshot)
        return Reading(
            found.files,
            elements,
            (
                *found.diagnostics,
                diagnose("skill-modality-inferred", SPEC, modality=name, confidence=confidence),
                diagnose("skill-no-contract", SPEC),
            ),
            unsupported,
            procedure,
        )


ON_CALL: Final = 0.8
"""Confidence that a skill is called once and answers, when its description suggests nothing else."""

_ONCE_PER: Final = (3_600, 86_400, 7 * 86_400)

BY_WORDS: Final = 0.5
"""Confidence of a modality inferred from the description alone."""

_WORDS: Final[tuple[tuple[Modality, LazyRegex], ...]] = (
    (Modality.SCHEDULED, LazyRegex(r"\b(?:on a schedule|cron)\b|定时", re.IGNORECASE)),
    (
        Modality.EVENT_TRIGGERED,
        LazyRegex(
            r"\b(?:webhook|whenever an? [\w -]{2,30} (?:arrives|is (?:opened|created|received|pushed))"
            r"|on (?:every|each) (?:push|commit|pull request|new \w+))\b|触发时|收到.{1,10}时自动",
            re.IGNORECASE,
        ),
    ),
)


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


def modality_evidence(snapshot: Snapshot) -> Iterator[ModalityEvidence]:
    """Yield the evidence for a trigger in the description of the root's skill."""
    file = snapshot.file(SPEC)
    if file is None or file.text is None:
        return
    head = read_head(file)
    declared = declared_schedule(snapshot)
    if declared.type:
        yield ModalityEvidence(
            Modality.SCHEDULED, "schedule field", SPEC, declared.first_line, declared.cadence
        )
    for key in ("description", "when_to_use"):
        field = head.get(key)
        for modality, words in _WORDS if field is not None else ():
            said = _said(modality, words, field.text) if field is not None else ""
            if said and field is not None:
                note = f"inferred from “{said}”, confidence {BY_WORDS}"
                yield ModalityEvidence(modality, "words of the description", SPEC, field.first, note)


def _said(modality: Modality, words: LazyRegex, text: str) -> str:
    """Return the words that speak for a modality; `every 90 days` may be what the skill is about."""
    match = words.search(text)
    if match is not None or modality is not Modality.SCHEDULED:
        return match[0] if match is not None else ""
    found = read_cadence(text)
    regular = found is not None and (found.times or found.days or found.cron or found.seconds in _ONCE_PER)
    return found.cadence if found is not None and regular else ""


def inferred_modality(snapshot: Snapshot) -> tuple[str, float]:
    """Return the modality inferred for a skill, and its confidence."""
    found = next(modality_evidence(snapshot), None)
    if found is None:
        return Modality.SYNCHRONOUS_ONESHOT.value, ON_CALL
    return found.modality.value, BY_WORDS
