"""Generates melleafy.json: what hosts and exporters need to know about the package, from the plan and the emitted code.

Published exporters paste some of these values into Python and YAML unescaped, so signature, names and descriptions are
reduced to text that can't be misread there.
"""

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import Final

from msgspec import structs

from melleafy_tui.core.language.time.clock import short_interval
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.classification import Schedule
from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.file_set import EmittedFile
from melleafy_tui.core.models.manifest import (
    Heartbeat,
    Manifest,
    PipelineParameter,
    ResolvedCategory,
    ScheduleConfig,
)
from melleafy_tui.core.models.plan import PlanEntry
from melleafy_tui.core.models.vocabulary import CATEGORIES, Category
from melleafy_tui.core.package.backends import Signature, mellea_table
from melleafy_tui.generators.labels import agent_description
from melleafy_tui.generators.literals import json_bytes
from melleafy_tui.generators.markdown_text import one_line, shortened
from melleafy_tui.generators.package_shape import (
    Parameter,
    entry_signature,
    is_heartbeat,
    pipeline_parameters,
)
from melleafy_tui.generators.project_files import environment_variables
from melleafy_tui.generators.schedule_rows import Row, TaskRow, declared_schedule, several_wake_ups, task_rows

_DESCRIPTION_LENGTH: Final = 200
_MISREAD: Final = LazyRegex(r"[\"\\#{}\[\]<>|&*!%@`]+")
_MISREAD_AT_START: Final = re.compile(r"^[^\w(]+", re.UNICODE)


def generate_manifest(committed: CommittedPlan) -> list[EmittedFile]:
    """Return melleafy.json."""
    document = structs.asdict(manifest(committed))
    document["pipeline_parameters"] = tuple(map(_parameter, document["pipeline_parameters"]))
    document["categories_resolved"] = _categories(committed)
    return [EmittedFile(f"{committed.package_name}/melleafy.json", json_bytes(document))]


def manifest(committed: CommittedPlan) -> Manifest:
    """Return the manifest of a package without its resolved categories, of which there may be thousands."""
    classification = committed.classification
    return Manifest(
        package_name=committed.package_name,
        entry_signature=entry_signature(committed),
        pipeline_parameters=tuple(map(_declared, pipeline_parameters(committed))),
        source_runtime=classification.source_runtime,
        source_runtime_override=classification.source_runtime_override,
        hybrid_primary=classification.hybrid_primary,
        hybrid_contributors=classification.hybrid_contributors,
        modality=classification.modality,
        secondary_modalities=classification.secondary_modalities,
        archetype=classification.archetype,
        shape=classification.shape,
        tool_involvement=classification.tool_involvement,
        categories_resolved={},
        declared_env_vars=tuple(variable.name for variable in environment_variables(committed)),
        schedule_config=schedule_config(
            declared_schedule(committed),
            wake_ups=several_wake_ups(committed),
            tasks=task_rows(committed),
            heartbeat=is_heartbeat(committed),
        ),
        backend=committed.settings.backend,
        model_id=committed.settings.model_id,
        persona_channel=committed.settings.persona_channel,
        model_calls_per_run=_calls(committed),
        prompt_characters_per_run=committed.cost.prompt_characters if committed.cost else 0,
        melleafy_tui_version=committed.melleafy_tui_version,
        source_snapshot=f"sha256:{committed.inventory.snapshot_id}",
        generated_at=committed.generated_at,
    )


def plain_line(text: str) -> str:
    """Return the text as prose that is safe in a Python docstring and as a bare YAML value."""
    line = _MISREAD.sub(lambda found: "'" if found[0] == '"' else " ", one_line(text))
    line = re.sub(":+ ", " - ", line.replace("'''", "'")).rstrip(": ")
    return shortened(_MISREAD_AT_START.sub("", line), _DESCRIPTION_LENGTH)


def schedule_config(
    schedule: Schedule,
    *,
    wake_ups: Sequence[Row] = (),
    tasks: Sequence[TaskRow] = (),
    heartbeat: bool = False,
) -> ScheduleConfig:
    """Return the schedule for hosts: the declared text and the values read from it."""
    every = short_interval(schedule.seconds) if schedule.type == "interval" and schedule.seconds else ""
    return ScheduleConfig(
        type=schedule.type,
        cadence=schedule.cadence or (None if heartbeat else ""),
        active_hours=schedule.active_hours,
        seconds=schedule.seconds,
        cron=schedule.cron,
        active_start=schedule.active_start,
        active_end=schedule.active_end,
        timezone=schedule.timezone,
        times=schedule.times,
        days=schedule.days,
        quiet_hours=schedule.quiet_hours,
        wake_ups=tuple(wake_ups),
        tasks=tuple(task.row for task in tasks),
        heartbeat=Heartbeat(every=every) if every or heartbeat else None,
    )


_DEFAULTS: Final = {"": None, "None": None, "False": False, "0": 0}
"""The default of a parameter by its code; the others are plain texts."""


def _declared(parameter: Parameter) -> PipelineParameter:
    code = parameter.default
    default = _DEFAULTS[code] if code in _DEFAULTS else code.strip('"')
    return PipelineParameter(
        name=parameter.name, type=parameter.annotation, required=not code, default=default
    )


def _parameter(parameter: PipelineParameter) -> dict[str, object]:
    """Return a parameter without a default if it is required."""
    shown: dict[str, object] = structs.asdict(parameter)
    if parameter.required:
        del shown["default"]
    return shown


def _categories(committed: CommittedPlan) -> dict[str, object]:
    entries: dict[str, list[PlanEntry]] = {
        CATEGORIES[category].plan_name: [] for category in Category if category is not Category.NONE
    }
    for entry in committed.plan.entries:
        if entry.category in entries:
            entries[entry.category].append(entry)
    return {name: _category(committed, name, found) for name, found in entries.items()}


def _category(committed: CommittedPlan, name: str, entries: Sequence[PlanEntry]) -> dict[str, object]:
    described = name == CATEGORIES[Category.C1].plan_name and bool(entries)
    agent = plain_line(agent_description(committed)) if described else None
    resolved: dict[str, object] = structs.asdict(
        ResolvedCategory(
            count=len(entries),
            dispositions=dict(sorted(Counter(entry.disposition for entry in entries).items())),
            description=agent,
        )
    )
    if agent is None:
        del resolved["description"]
    resolved["entries"] = [
        _entry(entry, _description(entry, agent if number == 0 else None) if described else None)
        for number, entry in enumerate(entries)
    ]
    return resolved


def _entry(entry: PlanEntry, description: str | None) -> dict[str, object]:
    """Return a `ResolvedEntry` as a dict: building models would be slow, as there is one per rule."""
    resolved: dict[str, object] = {
        "entry_id": entry.entry_id,
        "disposition": entry.disposition,
        "source_of_decision": entry.source_of_decision,
        "target": entry.target,
    }
    return resolved if description is None else {**resolved, "description": description}


def _description(entry: PlanEntry, agent: str | None) -> str | None:
    """Return the description of an identity entry; the first describes the agent, as exporters read only that."""
    return agent or plain_line(entry.summary) or None


def _calls(committed: CommittedPlan) -> dict[str, int]:
    if committed.cost is None:
        return {}
    calls = {"message": committed.cost.calls}
    if committed.cost.calls_heartbeat:
        calls["heartbeat"] = committed.cost.calls_heartbeat
    return calls


MODULES: Final = (
    "mellea",
    "mellea.backends",
    "mellea.backends.tools",
    "mellea.core",
    "mellea.stdlib.components",
    "mellea.stdlib.context",
    "mellea.stdlib.requirements",
    "mellea.stdlib.sampling",
)
"""Mellea modules that emitted code imports from."""


@cache
def shipped_reference() -> bytes:
    """Return the emitted table of Mellea's API: names by module, signatures, and the methods of a session."""
    table = mellea_table()
    named = {module: sorted(table.modules[module]) for module in MODULES}
    names = sorted({name for found in named.values() for name in found})
    return json_bytes(
        {
            "mellea_version": table.version,
            "modules": named,
            "calls": {name: _shown(table.calls[name]) for name in names if name in table.calls},
            "session_methods": {
                name: _shown(method) for name, method in sorted(table.session_methods.items())
            },
        }
    )


def _shown(signature: Signature) -> dict[str, object]:
    """Return a signature as plain data; None if the callable takes any arguments."""
    keywords = None if signature.keywords is None else sorted(signature.keywords)
    return {
        "positional": signature.positional,
        "keywords": keywords,
        "required": signature.required,
    }
