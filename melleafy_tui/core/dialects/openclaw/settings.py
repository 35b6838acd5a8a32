"""Reads openclaw.json and cron/jobs.json: one element per heartbeat field, hook, other agent and job.

Two elements may share a line of JSON. Lines without any element are kept and not converted.
"""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Final

from melleafy_tui.core.dialects.element_factory import UNCONVERTED, Home, SourceSpan, left_out, uncovered
from melleafy_tui.core.dialects.openclaw.configuration import (
    HEARTBEAT_DEFAULTS,
    JOB_TEXTS,
    Agent,
    Configuration,
    Hook,
    Job,
    configuration_in,
    job_schedule,
    jobs_of,
    key_words,
)
from melleafy_tui.core.dialects.openclaw.homes import IDENTITY_FIELDS
from melleafy_tui.core.dialects.openclaw.left_out import left_out_reason
from melleafy_tui.core.dialects.openclaw.reader_task import Task
from melleafy_tui.core.dialects.openclaw.tool_policy import policy_of
from melleafy_tui.core.language.time.cadence import schedule_fact
from melleafy_tui.core.language.wording import shorten, summarise
from melleafy_tui.core.models.classification import Schedule
from melleafy_tui.core.models.facts import DetailsFact, Facts, HookFact, NamedFact, ToolFact
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import Category, Tag
from melleafy_tui.core.source.json5 import JsonNode, JsonValue

HEARTBEAT_ROWS: Final[dict[str, str]] = {
    "every": "heartbeat.every",
    "activeHours": "heartbeat.activeHours",
    "lightContext": "heartbeat.lightContext",
    "isolatedSession": "heartbeat.isolatedSession",
    "prompt": "heartbeat.item",
}
"""Heartbeat fields with their own mapping row; all others use `heartbeat.other`."""


def read_settings(task: Task) -> list[Element]:
    """Return the elements of openclaw.json."""
    configuration = configuration_in(task.file, task.snapshot)
    if configuration is None:
        return _rest(task, [])
    own = configuration.own
    elements: list[Element] = []
    blocks = list(_heartbeats(configuration))
    for place, (where, node) in enumerate(blocks):
        later = {key for _, other in blocks[place + 1 :] for key, _ in other.members()}
        elements += [
            _heartbeat_field(task, where, key, field, overridden=key in later)
            for key, field in node.members()
        ]
    elements += [_hook(task, hook) for hook in configuration.hooks()]
    elements += [_other_agent(task, agent) for agent in configuration.agents if agent is not own]
    elements += _identity(task, own)
    elements += _asked_agents(task, configuration)
    keys = _keys(task, configuration.root, own)
    return sorted([*_rest(task, elements), *keys], key=lambda each: each.line_range)


def _identity(task: Task, own: Agent | None) -> Iterator[Element]:
    """Yield what the configuration says of who the agent is, where IDENTITY.md doesn't say it."""
    known = task.snapshot.file("IDENTITY.md")
    said = (known.text or "").casefold() if known is not None else ""
    identity = own.node.at("identity") if own is not None else None
    for key, node in identity.members() if identity is not None else ():
        if isinstance(node.value, str) and not re.search(rf"\b{re.escape(key.casefold())}\b\W*:", said):
            home = IDENTITY_FIELDS["name" if key == "name" else ""]
            yield task.factory.make(
                SourceSpan(node.key_line, node.end_line, "field", section=("identity",)),
                f"{key}: {node.value}",
                Home(home.tag, home.category, "config.identity", home.mapping_row),
                label=key.casefold(),
                value=node.value,
            )


def _asked_agents(task: Task, configuration: Configuration) -> Iterator[Element]:
    """Yield a tool for each agent that this one may ask."""
    policy = policy_of(configuration)
    for name, ways in configuration.asked_agents().items():
        node, folder = ways[0].node, configuration.folder_of(name)
        denied = [policy.denies(way.tool) for way in ways]
        tool = ToolFact(
            name=f"ask {name}",
            agent=folder or name,
            subtype="agent",
            missing="" if folder else f"{configuration.path} declares no agent {name}",
            denied=denied[0] if all(denied) else "",
        )
        yield task.factory.make(
            SourceSpan(node.line, node.end_line, "json", section=("subagents",)),
            f"Ask the agent {name}, and use its answer",
            Home(Tag.TOOL_TEMPLATE, Category.C6, "config.asked_agent", "agents.asked"),
            Facts(tool),
            label=name,
            notes=("Only the question crosses; the other agent keeps its own policy and memory.",),
        )


def _keys(task: Task, root: JsonNode, own: Agent | None) -> Iterator[Element]:
    """Yield a row for each key, with what becomes of it; it takes no line from the rest, whose keys stay."""
    own_node = own.node if own is not None else None
    defaults = (("agents.defaults", root.at("agents.defaults")), ("agent", root.at("agent")))
    for where, node in (*defaults, (f"agents[{own.agent_id}]" if own is not None else "", own_node)):
        for key, part in node.members() if node is not None else ():
            yield _key(task, f"{where}.{key}", key_words("agent", key), part)
    for key, part in root.members():
        if key not in ("agents", "agent"):
            yield _key(task, key, key_words("root", key), part)


def _key(task: Task, path: str, words: str, node: JsonNode) -> Element:
    return task.factory.make(
        SourceSpan(node.key_line, node.end_line, "json"),
        f"{path}: {words}",
        Home(*UNCONVERTED, "a key of the configuration"),
        summary=f"{path}: {words}",
    )


def read_cron_jobs(task: Task) -> list[Element]:
    """Return the elements of cron/jobs.json, one per job."""
    return _rest(task, [_job(task, job) for job in jobs_of(task.snapshot) if job.path == task.file.path])


def _heartbeats(configuration: Configuration) -> Iterator[tuple[str, JsonNode]]:
    own = configuration.own
    nodes = [(where, configuration.root.at(where)) for where in HEARTBEAT_DEFAULTS]
    nodes += [(f"agents[{own.agent_id}].heartbeat", own.node.at("heartbeat"))] if own is not None else []
    yield from ((where, node) for where, node in nodes if node and isinstance(node.value, dict))


def _heartbeat_field(task: Task, where: str, key: str, node: JsonNode, *, overridden: bool) -> Element:
    row = HEARTBEAT_ROWS.get(key, "heartbeat.other")
    shown = _shown(node.value)
    if key == "every" and re.fullmatch(r"\d+", shown) and shown != "0":
        shown = f"{shown}m"  # a number without a unit means minutes
    if overridden:
        return _kept(
            task,
            node.key_line,
            node.end_line,
            f"heartbeat.{key}: {shown} (the agent's own value replaces it)",
        )
    statement = node.value if key == "prompt" and isinstance(node.value, str) else f"heartbeat.{key}: {shown}"
    return task.factory.make(
        SourceSpan(node.key_line, node.end_line, "json", section=(where,)),
        statement,
        Home(
            Tag.ORCHESTRATE,
            Category.C9,
            f"config.heartbeat.{key}" if key in HEARTBEAT_ROWS else "config.heartbeat.other",
            row,
        ),
        Facts(DetailsFact({"path": f"{where}.{key}", "field": key, **_values(node.value)})),
        summary=summarise(statement) if key == "prompt" else shorten(statement),
        label=key,
        value=shown,
        decisions=left_out(left_out_reason(statement)) if key == "prompt" else (),
    )


def _values(value: JsonValue) -> dict[str, object]:
    """Return what the facts record of a field's value: the value itself, or the plain members of an object."""
    if isinstance(value, dict):
        return {name: str(part) for name, part in value.items() if isinstance(part, str | int | float)}
    return {"value": value} if isinstance(value, str | int | float) else {}


def _hook(task: Task, hook: Hook) -> Element:
    enabled = hook.node.at("enabled")
    off = enabled is not None and enabled.value is False
    row = "hook.entry" if hook.wakes else "hook.housekeeping"
    return task.factory.make(
        SourceSpan(hook.node.key_line, hook.node.end_line, "json", section=("hooks",)),
        f"Hook {hook.name}{' (switched off)' if off else '' if hook.wakes else ' (wakes nobody)'}",
        Home(Tag.ORCHESTRATE, Category.C9, "config.hook", row),
        Facts(HookFact(name=hook.name, enabled=None if enabled is None else bool(enabled.value))),
        label=hook.name,
    )


def _other_agent(task: Task, agent: Agent) -> Element:
    name = agent.name or "without a name"
    return task.factory.make(
        SourceSpan(agent.node.key_line, agent.node.end_line, "json", section=("agents",)),
        f"Another agent: {name}",
        Home(Tag.CONFIG, Category.C2, "config.other_agent", "agents.list"),
        Facts(NamedFact(name), DetailsFact({"agent": agent.agent_id})),
        label=agent.agent_id,
    )


def _job(task: Task, job: Job) -> Element:
    node, idle = job.node, job.idle_because
    name = node.text("name", "id") or "job"
    found = job_schedule(node)
    schedule = ""
    if found is not None:
        every = "every" if found.type == "interval" else ""
        schedule = " ".join(filter(None, (every, found.cadence, found.timezone)))
    message = node.text(*JOB_TEXTS)
    shown = f"{name} ({schedule})" if schedule else name
    shown = f"{shown}, {idle}" if idle else shown
    return task.factory.make(
        SourceSpan(node.key_line, node.end_line, "json", section=("jobs",)),
        f"{shown}: {message}" if message else shown,
        Home(Tag.ORCHESTRATE, Category.C9, "cron.job", "cron.idle_job" if idle else "cron.job"),
        Facts(NamedFact(name), *(() if idle else (schedule_fact(found or Schedule(), title=name),))),
        summary=shorten(shown),
        label=name,
    )


def _rest(task: Task, elements: Iterable[Element]) -> list[Element]:
    """Return the elements in line order, with elements for the lines between them that none covers."""
    result = list(elements)
    result += [_kept(task, first, last) for first, last in uncovered(task.file, result)]
    return sorted(result, key=lambda element: element.line_range)


def _kept(task: Task, first: int, last: int, words: str = "") -> Element:
    shown = words or "The rest of the configuration"
    return task.factory.make(
        SourceSpan(first, last, "json"),
        shown,
        Home(*UNCONVERTED, "config.overridden" if words else "config.rest"),
        summary=shorten(shown),
    )


def _shown(value: JsonValue) -> str:
    """Return a value on one line; an object that is a window becomes `start-end timezone`."""
    if isinstance(value, dict) and {"start", "end"} <= value.keys():
        zone = value.get("timezone")
        return f"{value['start']}-{value['end']}" + (f" {zone}" if zone else "")
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, sort_keys=False)
