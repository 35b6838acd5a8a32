"""Generates melleafy.json: what hosts and exporters need to know about the package, from the plan and the emitted code.

Published exporters paste some of these values into Python and YAML unescaped, so signature, names and descriptions are
reduced to text that can't be misread there.
"""

import re
from collections import Counter
from functools import cache
from typing import Final

from msgspec import structs

from melleafy_tui.core.language.time.clock import short_interval
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.file_set import EmittedFile
from melleafy_tui.core.models.manifest import Heartbeat, Manifest, PipelineParameter, ScheduleConfig
from melleafy_tui.core.models.vocabulary import CATEGORIES, Category
from melleafy_tui.core.package.backends import Signature, mellea_table
from melleafy_tui.generators import package_shape as shape
from melleafy_tui.generators.labels import agent_description
from melleafy_tui.generators.literals import json_bytes
from melleafy_tui.generators.markdown_text import one_line, shortened
from melleafy_tui.generators.project_files import environment_variables
from melleafy_tui.generators.schedule_rows import DECLARED, declared_schedule, several_wake_ups, task_rows

_DESCRIPTION_LENGTH: Final = 200
_MISREAD: Final = LazyRegex(r"[\"\\#{}\[\]<>|&*!%@`]+")
_MISREAD_AT_START: Final = re.compile(r"^[^\w(]+", re.UNICODE)


def generate_manifest(committed: CommittedPlan) -> list[EmittedFile]:
    """Return melleafy.json."""
    document = structs.asdict(manifest(committed))
    document["pipeline_parameters"] = tuple(map(_parameter, document["pipeline_parameters"]))
    document["categories_resolved"] = _categories(committed)
    return [EmittedFile(f"{committed.package_name}/melleafy.json", json_bytes(document))]


_CLASSIFIED: Final = (
    *("source_runtime", "source_runtime_override", "hybrid_primary", "hybrid_contributors", "modality"),
    *("secondary_modalities", "archetype", "shape", "tool_involvement"),
)
"""What the manifest says of the source in the words of the classification."""


def manifest(committed: CommittedPlan) -> Manifest:
    """Return the manifest of a package without its resolved categories, of which there may be thousands."""
    settings, cost = committed.settings, committed.cost
    calls = {"message": cost.calls, "heartbeat": cost.calls_heartbeat} if cost else {}
    return Manifest(
        package_name=committed.package_name,
        entry_signature=shape.entry_signature(committed),
        pipeline_parameters=tuple(map(_declared, shape.pipeline_parameters(committed))),
        **{name: getattr(committed.classification, name) for name in _CLASSIFIED},
        categories_resolved={},
        declared_env_vars=tuple(variable.name for variable in environment_variables(committed)),
        schedule_config=_schedule_config(committed),
        backend=settings.backend,
        model_id=settings.model_id,
        persona_channel=settings.persona_channel,
        model_calls_per_run={name: count for name, count in calls.items() if count},
        prompt_characters_per_run=cost.prompt_characters if cost else 0,
        melleafy_tui_version=committed.melleafy_tui_version,
        source_snapshot=f"sha256:{committed.inventory.snapshot_id}",
        generated_at=committed.generated_at,
    )


def plain_line(text: str) -> str:
    """Return the text as prose that is safe in a Python docstring and as a bare YAML value."""
    line = _MISREAD.sub(lambda found: "'" if found[0] == '"' else " ", one_line(text))
    line = re.sub(":+ ", " - ", line.replace("'''", "'")).rstrip(": ")
    return shortened(_MISREAD_AT_START.sub("", line), _DESCRIPTION_LENGTH)


def _schedule_config(committed: CommittedPlan) -> ScheduleConfig:
    """Return the schedule for hosts: the declared text and the values read from it."""
    schedule, heartbeat = declared_schedule(committed), shape.is_heartbeat(committed)
    every = short_interval(schedule.seconds) if schedule.type == "interval" and schedule.seconds else ""
    return ScheduleConfig(
        **{name: getattr(schedule, name) for name in ("type", "timezone", *DECLARED) if name != "cadence"},
        cadence=schedule.cadence or (None if heartbeat else ""),
        wake_ups=several_wake_ups(committed),
        tasks=tuple(task.row for task in task_rows(committed)),
        heartbeat=Heartbeat(every=every) if every or heartbeat else None,
    )


_DEFAULTS: Final = {"": None, "None": None, "False": False, "0": 0}
"""The default of a parameter by its code; the others are plain texts."""


def _declared(parameter: shape.Parameter) -> PipelineParameter:
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
    """Return the entries by category; those of the identity are described, the first as the agent.

    Exporters read only that of the first. Building models would be slow, as there is one per rule.
    """
    names = [CATEGORIES[category].plan_name for category in Category if category is not Category.NONE]
    resolved: dict[str, object] = {}
    for name in names:
        entries = [entry for entry in committed.plan.entries if entry.category == name]
        described = name == CATEGORIES[Category.C1].plan_name
        agent = plain_line(agent_description(committed)) if described and entries else ""
        counts = Counter(entry.disposition for entry in entries)
        rows: list[dict[str, object]] = [
            {member: getattr(entry, member) for member in _OF_AN_ENTRY} for entry in entries
        ]
        if described:
            for row, entry in zip(rows, entries, strict=True):
                said = agent if entry is entries[0] else plain_line(entry.summary)
                row |= {"description": said} if said else {}
        resolved[name] = {
            "count": len(entries),
            "dispositions": dict(sorted(counts.items())),
            **({"description": agent} if agent else {}),
            "entries": rows,
        }
    return resolved


_OF_AN_ENTRY: Final = ("entry_id", "disposition", "source_of_decision", "target")


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
    methods = sorted(table.session_methods.items())
    return json_bytes(
        {
            "mellea_version": table.version,
            "modules": named,
            "calls": {name: _shown(table.calls[name]) for name in names if name in table.calls},
            "session_methods": {name: _shown(method) for name, method in methods},
        }
    )


def _shown(signature: Signature) -> dict[str, object]:
    """Return a signature as plain data; None if the callable takes any arguments."""
    keywords = None if signature.keywords is None else sorted(signature.keywords)
    return {"positional": signature.positional, "keywords": keywords, "required": signature.required}
