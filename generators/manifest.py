"""Emits melleafy.json: what hosts and exporters need to know of the package, read from plan and emitted code.

Published exporters paste some of these values into Python and YAML as they stand. So signature, names and
descriptions are reduced to what cannot be misread there.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Final

from melleafy_tui.core.models.classification import Schedule
from melleafy_tui.core.models.manifest import (
    Heartbeat,
    Manifest,
    PipelineParameter,
    ResolvedCategory,
    ResolvedEntry,
    ScheduleConfig,
)
from melleafy_tui.core.models.package import EmittedFile
from melleafy_tui.core.models.plan import CommittedPlan, PlanEntry, PlannedElement, by_entry
from melleafy_tui.core.models.vocabulary import PLAN_CATEGORIES, Category
from melleafy_tui.generators.document_words import agent_description
from melleafy_tui.generators.emitted_code import EmittedCode, EmittedFunction
from melleafy_tui.generators.environment_example import environment_variables
from melleafy_tui.generators.json_text import json_file, json_list, json_object, json_piece, json_value
from melleafy_tui.generators.markdown_text import one_line, shortened

ENTRY_FILE: Final = "pipeline.py"
ENTRY_FUNCTION: Final = "run_pipeline"
_NO_ENTRY: Final = EmittedFunction(
    ENTRY_FILE,
    ENTRY_FUNCTION,
    0,
    (PipelineParameter(name="message", type="str", required=True),),
    "AgentReply",
    "",
)
"""Stands in where no code was emitted, so that a preview of the manifest alone can be shown."""

_UNITS: Final = ((86400, "d"), (3600, "h"), (60, "m"), (1, "s"))
_DESCRIPTION_LENGTH: Final = 200
_MISREAD: Final = re.compile(r"[\"\\#{}\[\]<>|&*!%@`]+")
_MISREAD_AT_START: Final = re.compile(r"^[^\w(]+", re.UNICODE)


def generate_manifest(committed: CommittedPlan, emitted: Sequence[EmittedFile]) -> list[EmittedFile]:
    """Return melleafy.json."""
    document = manifest(committed, emitted).model_dump()
    for parameter in document["pipeline_parameters"]:
        if parameter["required"]:
            _drop_empty(parameter, "default")
    members = {
        name: _categories(committed) if name == "categories_resolved" else json_value(value, 1)
        for name, value in document.items()
    }
    return [EmittedFile(f"{committed.package_name}/melleafy.json", json_file(json_object(members)))]


def manifest(committed: CommittedPlan, emitted: Sequence[EmittedFile]) -> Manifest:
    """Return the manifest of a package, without its resolved categories, which are written piece by piece."""
    classification = committed.classification
    entry = EmittedCode(emitted, committed.package_name).function(ENTRY_FILE, ENTRY_FUNCTION) or _NO_ENTRY
    return Manifest(
        package_name=committed.package_name,
        entry_signature=entry.signature,
        pipeline_parameters=entry.parameters,
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
        schedule_config=schedule_config(classification.schedule),
        backend=committed.settings.backend,
        model_id=committed.settings.model_id,
        persona_channel=committed.settings.persona_channel,
        model_calls_per_run=_calls(committed),
        melleafy_tui_version=committed.melleafy_tui_version,
        source_snapshot=f"sha256:{committed.snapshot.snapshot_id}",
        generated_at=committed.generated_at,
    )


def plain_line(text: str) -> str:
    """Return the text as prose that stays prose inside a Python docstring and as a bare YAML value."""
    line = _MISREAD.sub(lambda found: "'" if found[0] == '"' else " ", one_line(text))
    line = re.sub(":+ ", " - ", line.replace("'''", "'")).rstrip(": ")
    return shortened(_MISREAD_AT_START.sub("", line), _DESCRIPTION_LENGTH)


def schedule_config(schedule: Schedule) -> ScheduleConfig:
    """Return the schedule as hosts read it: declared words beside what was understood of them."""
    every = interval(schedule.seconds) if schedule.seconds else ""
    return ScheduleConfig(
        type=schedule.type,
        cadence=schedule.cadence,
        active_hours=schedule.active_hours,
        seconds=schedule.seconds,
        cron=schedule.cron,
        active_start=schedule.active_start,
        active_end=schedule.active_end,
        timezone=schedule.timezone,
        heartbeat=Heartbeat(every=every) if every else None,
    )


def interval(seconds: int) -> str:
    """Return an interval in its largest whole unit: 1800 is `30m`."""
    size, unit = next((size, unit) for size, unit in _UNITS if seconds % size == 0)
    return f"{seconds // size}{unit}"


def _drop_empty(record: dict[str, object], field: str) -> None:
    if record[field] is None:
        del record[field]


def _categories(committed: CommittedPlan) -> Iterator[bytes]:
    entries: dict[str, list[PlanEntry]] = {
        PLAN_CATEGORIES[category]: [] for category in Category if category is not Category.NONE
    }
    for entry in committed.plan.entries:
        if entry.category in entries:
            entries[entry.category].append(entry)
    known = by_entry(committed.planned, _text_of_item)
    return json_object({name: _category(committed, name, found, known) for name, found in entries.items()}, 1)


def _category(
    committed: CommittedPlan, name: str, entries: Sequence[PlanEntry], known: Mapping[int, bytes]
) -> Iterator[bytes]:
    described = name == PLAN_CATEGORIES[Category.C1] and bool(entries)
    agent = plain_line(agent_description(committed)) if described else None
    resolved = ResolvedCategory(
        count=len(entries),
        dispositions=dict(sorted(Counter(entry.disposition for entry in entries).items())),
        description=agent,
    ).model_dump()
    _drop_empty(resolved, "description")
    if described:
        written = (
            _entry_text(entry, _description(entry, agent if number == 0 else None))
            for number, entry in enumerate(entries)
        )
    else:
        written = (known.get(id(entry)) or _entry_text(entry, None) for entry in entries)
    members = {name: json_value(value, 3) for name, value in resolved.items()}
    return json_object({**members, "entries": json_list(written, 3)}, 2)


def _text_of_item(item: PlannedElement) -> bytes:
    return _entry_text(item.entry, None)


def _entry_text(entry: PlanEntry, description: str | None) -> bytes:
    resolved = asdict(
        ResolvedEntry(entry.entry_id, entry.disposition, entry.source_of_decision, entry.target, description)
    )
    _drop_empty(resolved, "description")
    return json_piece(resolved, 4)


def _description(entry: PlanEntry, agent: str | None) -> str | None:
    """Return what an identity entry says; the first one speaks for the agent, as exporters read only that."""
    return agent or plain_line(entry.summary) or None


def _calls(committed: CommittedPlan) -> dict[str, int]:
    if committed.cost is None:
        return {}
    calls = {"message": committed.cost.calls}
    if committed.cost.calls_heartbeat:
        calls["heartbeat"] = committed.cost.calls_heartbeat
    return calls
