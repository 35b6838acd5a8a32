"""The Agent Skills dialect: its tables and its reader under the shape that all dialects share (issue 7).

What reads a source is imported when there is one: every conversion asks every dialect what it wants.
"""

from melleafy_tui.core.diagnostics import diagnose
from melleafy_tui.core.dialects.agent_skills.file_rules import FILE_RULES, SPEC, rule_for
from melleafy_tui.core.dialects.base import FileRule, MappingRow, Reading, ReadingContext, Signal
from melleafy_tui.core.dialects.signals import AGENT_SKILLS_STD
from melleafy_tui.core.models.classification import ModalityEvidence, Schedule
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.models.vocabulary import Runtime


class AgentSkillsDialect:
    """Agent Skills: a folder with a SKILL.md, scripts, references and assets."""

    @property
    def runtime(self) -> str:
        """Return the runtime's name."""
        return Runtime.AGENT_SKILLS_STD.value

    @property
    def title(self) -> str:
        """Return the runtime's name for people."""
        return "Agent Skills"

    @property
    def signals(self) -> tuple[Signal, ...]:
        """Return the detection table."""
        return AGENT_SKILLS_STD

    @property
    def file_rules(self) -> tuple[FileRule, ...]:
        """Return the file inventory table."""
        return FILE_RULES

    @property
    def mapping_rows(self) -> tuple[MappingRow, ...]:
        """Return the mapping table."""
        from melleafy_tui.core.dialects.agent_skills.mapping_rows import MAPPING_ROWS

        return MAPPING_ROWS

    def wants(self, path: str) -> bool:
        """Return whether the snapshot is to open the file at this path."""
        rule = rule_for(path)
        return rule is not None and rule.contents

    def generation(self, snapshot: Snapshot) -> str:  # noqa: ARG002 - the protocol's shape
        """Return nothing: the standard has one generation."""
        return ""

    def modality_evidence(self, snapshot: Snapshot) -> tuple[ModalityEvidence, ...]:
        """Return what the words of the description say; there is no field for it."""
        from melleafy_tui.core.dialects.agent_skills.modality import modality_evidence

        return tuple(modality_evidence(snapshot))

    def schedule(self, snapshot: Snapshot) -> Schedule:  # noqa: ARG002 - the protocol's shape
        """Return no schedule: a skill declares none."""
        return Schedule()

    def read(self, snapshot: Snapshot, context: ReadingContext) -> Reading:  # noqa: ARG002 - the protocol's shape
        """Return files and elements of the skill in the root."""
        from melleafy_tui.core.dialects.agent_skills.modality import inferred
        from melleafy_tui.core.dialects.agent_skills.reader import read_skill

        found = read_skill(snapshot)
        if snapshot.file(SPEC) is None:
            return Reading(found.files, found.elements, found.diagnostics)
        name, confidence = inferred(snapshot)
        return Reading(
            found.files,
            found.elements,
            (
                *found.diagnostics,
                diagnose("skill-modality-inferred", SPEC, modality=name, confidence=confidence),
                diagnose("skill-no-contract", SPEC),
            ),
        )
