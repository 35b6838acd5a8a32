"""Generates the package's README.md: what the agent does, how to run it, its stubs, and the user's decisions."""

from collections.abc import Sequence
from typing import Final

from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.file_set import EmittedFile
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind, PersonaChannel
from melleafy_tui.core.package.agent_names import program_name
from melleafy_tui.core.package.setup_sections import setup_guide_needed, triggered_sections
from melleafy_tui.generators import labels as words
from melleafy_tui.generators.config import always_requested, persona_text
from melleafy_tui.generators.emitted_code import EmittedCode
from melleafy_tui.generators.manifest import entry_function
from melleafy_tui.generators.markdown_text import shortened
from melleafy_tui.generators.package_shape import (
    CHECKLIST,
    SCHEDULED_REQUEST,
    is_heartbeat,
    is_scheduled,
    of_kind,
)
from melleafy_tui.generators.requirements import sorted_rules
from melleafy_tui.generators.schedule_rows import TASKS_SYMBOL, checklist_items, task_rows
from melleafy_tui.generators.setup_guide import backend_guide, stub_rows
from melleafy_tui.generators.templates_environment import document

README: Final = "README.md"

_SHOWN_RULES: Final = 5
_RULE_LENGTH: Final = 160
_SHOWN_STUBS: Final = 6
_SHOWN_DECISIONS: Final = 12
"""What a README of one screen has room for; the rest is in SETUP.md and mapping_report.md."""

_FETCHED: Final = (
    Disposition.DELEGATE_TO_RUNTIME,
    Disposition.EXTERNAL_INPUT,
    Disposition.LOAD_FROM_DISK,
)
"""Dispositions with which a persona's text is not in config.py."""

_OTHER_CHANNEL: Final = {
    PersonaChannel.PREFIX: PersonaChannel.SYSTEM,
    PersonaChannel.SYSTEM: PersonaChannel.PREFIX,
}


def generate_readme(committed: CommittedPlan, emitted: Sequence[EmittedFile]) -> list[EmittedFile]:
    """Return README.md."""
    package = committed.package_name
    code = EmittedCode(emitted, package)
    channel = committed.settings.persona_channel
    sorted_out = sorted_rules(committed)
    rules = sorted_out.required
    stubs = stub_rows(committed, code)
    overridden = [entry for entry in committed.plan.entries if entry.overridden]
    return [
        document(
            f"{package}/{README}",
            "readme.md.j2",
            committed=committed,
            package=package,
            program=program_name(committed.package_name),
            words=words,
            description=words.agent_description(committed),
            source=words.source_runtimes(committed),
            modality=words.MODALITIES[committed.classification.modality],
            heartbeat=is_heartbeat(committed),
            scheduled=_scheduled_work(committed),
            scheduled_tasks=bool(task_rows(committed)),
            rules=[shortened(item.element.statement, _RULE_LENGTH) for item in rules[:_SHOWN_RULES]],
            rule_stubs=bool(sorted_out.stubs),
            more_rules=max(0, len(rules) - _SHOWN_RULES),
            backend=backend_guide(committed.settings),
            signature=entry_function(code).signature,
            stubs=stubs[:_SHOWN_STUBS],
            all_stubs=len(stubs),
            overrides=[
                (entry, ", ".join(words.sources_of(committed, entry)[:3]))
                for entry in overridden[:_SHOWN_DECISIONS]
            ],
            more_overrides=max(0, len(overridden) - _SHOWN_DECISIONS),
            has_setup=setup_guide_needed(committed),
            setup_sections=[section for section in triggered_sections(committed) if not section.essential],
            channel=channel,
            other_channel=_OTHER_CHANNEL[channel],
            has_persona=bool(persona_text(committed) or of_kind(committed, EntryKind.IDENTITY, *_FETCHED)),
            fixtures=code.fixtures,
        )
    ]


def _scheduled_work(committed: CommittedPlan) -> list[str]:
    """Return what a run by the schedule does, in words; nothing if no schedule runs the agent."""
    if not is_scheduled(committed):
        return []
    symbols = {
        SCHEDULED_REQUEST: always_requested(committed),
        CHECKLIST: checklist_items(committed),
    }
    work = [f"what `config.{symbol}` lists" for symbol, items in symbols.items() if items]
    return [*work, f"the tasks of `config.{TASKS_SYMBOL}` that are due"] if task_rows(committed) else work
