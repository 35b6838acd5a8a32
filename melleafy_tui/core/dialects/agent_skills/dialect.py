"""The Agent Skills dialect: its tables and its reader.

Imports that only reading needs are made in the methods: every conversion asks every dialect which files it wants.
"""

from typing import Final

from melleafy_tui.core.dialects.agent_skills.file_rules import FILE_RULES, SPEC, rule_for
from melleafy_tui.core.dialects.base import FileRule, MappingRow, Reading, ReadingContext, Signal
from melleafy_tui.core.dialects.signals import AGENT_SKILLS_STD
from melleafy_tui.core.models.classification import ModalityEvidence, Schedule
from melleafy_tui.core.models.findings import diagnose
from melleafy_tui.core.models.mapping import NOT_REPRODUCED, UnsupportedConstruct
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.models.vocabulary import Runtime
from melleafy_tui.core.source.sources_below import MainFiles

_NO_CONTRACT: Final = UnsupportedConstruct(
    NOT_REPRODUCED,
    "No invocation contract",
    "The standard has no fields for it; how it is woken is inferred, as a diagnostic says.",
    "Call `run_pipeline` with one message, or choose another trigger with `--modality`.",
    "A skill names neither inputs nor outputs, nor how it is woken",
    (SPEC,),
)


class AgentSkillsDialect:
    """Agent Skills: a folder with a SKILL.md, scripts, references and assets."""

    @property
    def runtime(self) -> str:
        """Return the runtime's name."""
        return Runtime.AGENT_SKILLS_STD.value

    @property
    def title(self) -> str:
        """Return the runtime's display name."""
        return "Agent Skills"

    @property
    def source_title(self) -> str:
        """Return the name for one source of this runtime."""
        return "an Agent Skill"

    @property
    def main_files(self) -> MainFiles:
        """Return the files that make a folder a source of this runtime."""
        return MainFiles(self.runtime, ("SKILL.md",), closed=True)

    @property
    def signals(self) -> tuple[Signal, ...]:
        """Return the detection table."""
        return AGENT_SKILLS_STD

    @property
    def file_rules(self) -> tuple[FileRule, ...]:
        """Return the file inventory table."""
        return FILE_RULES

    @property
    def surfaces(self) -> tuple[str, ...]:
        """Return where the files that it reads can be: as its file rules say."""
        return tuple(rule.pattern for rule in FILE_RULES)

    @property
    def mapping_rows(self) -> tuple[MappingRow, ...]:
        """Return the mapping table."""
        from melleafy_tui.core.dialects.agent_skills.mapping_rows import MAPPING_ROWS

        return MAPPING_ROWS

    def wants(self, path: str) -> bool:
        """Return whether the snapshot should open the file at this path."""
        rule = rule_for(path)
        return rule is not None and rule.contents

    def generation(self, snapshot: Snapshot) -> str:  # noqa: ARG002 - required by the protocol
        """Return `""`: the standard has one generation."""
        return ""

    def modality_evidence(self, snapshot: Snapshot) -> tuple[ModalityEvidence, ...]:
        """Return the evidence in the description's wording; the standard has no field for it."""
        from melleafy_tui.core.dialects.agent_skills.modality import modality_evidence

        return tuple(modality_evidence(snapshot))

    def schedule(self, snapshot: Snapshot) -> Schedule:  # noqa: ARG002 - required by the protocol
        """Return an empty schedule: a skill declares none."""
        return Schedule()

    def read(self, snapshot: Snapshot, context: ReadingContext) -> Reading:  # noqa: ARG002 - required by the protocol
        """Return the files and elements of the skill in the root folder."""
        from melleafy_tui.core.dialects.agent_skills.modality import inferred_modality
        from melleafy_tui.core.dialects.agent_skills.reader import read_skill

        found = read_skill(snapshot)
        unsupported = (_NO_CONTRACT, *found.unsupported)
        if snapshot.file(SPEC) is None:
            return Reading(found.files, found.elements, found.diagnostics, unsupported)
        name, confidence = inferred_modality(snapshot)
        return Reading(
            found.files,
            found.elements,
            (
                *found.diagnostics,
                diagnose("skill-modality-inferred", SPEC, modality=name, confidence=confidence),
                diagnose("skill-no-contract", SPEC),
            ),
            unsupported,
        )
