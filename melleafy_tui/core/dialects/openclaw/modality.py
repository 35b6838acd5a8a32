"""Finds an OpenClaw agent's triggers: modality signals and schedule."""

import re
from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from melleafy_tui.core.dialects.openclaw.configuration import (
    JOBS_PATH,
    Configuration,
    configuration_findings,
    configuration_of,
    jobs_of,
)
from melleafy_tui.core.dialects.openclaw.declared_cadences import (
    cadence_findings,
    declared_cadences,
    most_frequent,
)
from melleafy_tui.core.dialects.openclaw.file_rules import rule_for
from melleafy_tui.core.dialects.openclaw.stock_text import is_template_line
from melleafy_tui.core.language.time.active_hours import ActiveHours
from melleafy_tui.core.language.time.cadence import read_cadence
from melleafy_tui.core.language.time.clock import find_cron, read_interval
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.classification import ModalityEvidence, Schedule
from melleafy_tui.core.models.findings import Diagnostic
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.models.vocabulary import Modality
from melleafy_tui.core.source.json5 import JsonNode

_CRON_ADD: Final = LazyRegex(r"\b(?:openclaw|clawdbot|moltbot)\s+cron\s+add\b")
_CRON_OPTION: Final = LazyRegex(r"--(?:cron|every|at)[ =](?P<quote>[\"'])?(?P<value>(?(quote)[^\"']+|\S+))")
_HOOK_FILE: Final = re.compile(r"(?:hooks/[^/]+/)?HOOK\.md")
_MINUTE_MS: Final = 60_000


def modality_evidence(snapshot: Snapshot) -> tuple[ModalityEvidence, ...]:
    """Return every modality signal in the source, heartbeat first."""
    configuration = configuration_of(snapshot)
    return (
        *_heartbeat(snapshot, configuration),
        *_events(snapshot, configuration),
        *_scheduled(snapshot),
    )


def modality_findings(snapshot: Snapshot) -> tuple[Diagnostic, ...]:
    """Return the findings about the configuration and the cadences of a workspace."""
    return (*configuration_findings(snapshot), *cadence_findings(snapshot))


def schedule(snapshot: Snapshot) -> Schedule:
    """Return the schedule from the configuration, else HEARTBEAT.md, else a cron job; empty if there is none."""
    configuration = configuration_of(snapshot)
    if configuration is not None and _is_off(configuration):
        return _from_jobs(snapshot) or Schedule()
    declared = most_frequent(declared_cadences(snapshot))
    configured = _from_configuration(configuration) if configuration is not None else None
    chosen = configured or declared or _from_jobs(snapshot) or _from_mentions(snapshot)
    if chosen is None:
        return Schedule()
    if configured is not None and declared is not None and not configured.active_hours:
        # The configuration often has a bare interval while the window is only in the words.
        chosen = replace(
            chosen,
            active_hours=declared.active_hours,
            active_start=declared.active_start,
            active_end=declared.active_end,
            timezone=chosen.timezone or declared.timezone,
        )
    if configured is None and configuration is not None and configuration.active_hours is not None:
        chosen = _with_hours(chosen, configuration.active_hours, configuration)
    return chosen


def _heartbeat(snapshot: Snapshot, configuration: Configuration | None) -> Iterator[ModalityEvidence]:
    if configuration is not None:
        if _is_off(configuration):
            return
        every = configuration.heartbeat("every")
        if every is not None:
            note = f"every {every.value}" if read_interval(every.value) else "an interval of unknown form"
            yield ModalityEvidence(
                Modality.HEARTBEAT, "openclaw.json heartbeat.every", configuration.path, every.key_line, note
            )
    for found in declared_cadences(snapshot):
        if found.type != "event":
            line = int(found.lines.partition("-")[0])
            yield ModalityEvidence(
                Modality.HEARTBEAT, "HEARTBEAT.md cadence", found.file, line, found.cadence
            )


def _events(snapshot: Snapshot, configuration: Configuration | None) -> Iterator[ModalityEvidence]:
    for name in snapshot.names:
        if _HOOK_FILE.fullmatch(name):
            yield ModalityEvidence(Modality.EVENT_TRIGGERED, "HOOK.md", name, 0)
    if configuration is not None:
        for name, node in configuration.hooks():
            yield ModalityEvidence(
                Modality.EVENT_TRIGGERED, "openclaw.json hooks", configuration.path, node.key_line, name
            )
    boot = snapshot.file("BOOT.md")
    if boot is not None and any(line.strip() and not is_template_line(line) for line in boot.lines):
        yield ModalityEvidence(
            Modality.EVENT_TRIGGERED, "BOOT.md", boot.path, 0, "runs when the gateway starts"
        )
    for found in declared_cadences(snapshot):
        if found.type == "event":
            line = int(found.lines.partition("-")[0])
            yield ModalityEvidence(
                Modality.EVENT_TRIGGERED, "HEARTBEAT.md event", found.file, line, found.cadence
            )


def _scheduled(snapshot: Snapshot) -> Iterator[ModalityEvidence]:
    for path, number, _ in _mentions(snapshot):
        yield ModalityEvidence(Modality.SCHEDULED, "openclaw cron add", path, number)
    for job in jobs_of(snapshot):
        yield ModalityEvidence(Modality.SCHEDULED, "cron/jobs.json", JOBS_PATH, job.key_line)


def _mentions(snapshot: Snapshot) -> Iterator[tuple[str, int, str]]:
    """Yield the path, line and text of each `openclaw cron add` in the inventoried files."""
    for file in snapshot.files:
        if not file.text or "cron" not in file.text or not _CRON_ADD.search(file.text):
            continue
        rule = rule_for(file.path)
        if rule is None or not rule.contents:
            continue
        for number, line in enumerate(file.lines, start=1):
            if _CRON_ADD.search(line) and not is_template_line(line):
                yield file.path, number, line


def _is_off(configuration: Configuration) -> bool:
    every = configuration.heartbeat("every")
    return every is not None and read_interval(every.value) == 0


def _from_configuration(configuration: Configuration) -> Schedule | None:
    every = configuration.heartbeat("every")
    if every is None or not str(every.value).strip():
        return None
    seconds = read_interval(every.value)
    found = Schedule(
        type="interval" if seconds else "words",
        cadence=_cadence_words(every),
        seconds=seconds,
        file=configuration.path,
        lines=str(every.key_line),
    )
    hours = configuration.active_hours
    return _with_hours(found, hours, configuration) if hours is not None else found


def _cadence_words(every: JsonNode) -> str:
    if isinstance(every.value, int | float) and not isinstance(every.value, bool):
        return f"{every.value:g}m"
    return str(every.value)


def _with_hours(found: Schedule, hours: ActiveHours, configuration: Configuration) -> Schedule:
    zone = configuration.user_timezone if hours.timezone in ("", "user") else hours.timezone
    return replace(
        found,
        active_hours=hours.words,
        active_start=hours.start,
        active_end=hours.end,
        timezone="" if zone == "local" else zone or found.timezone,
    )


def _from_jobs(snapshot: Snapshot) -> Schedule | None:
    found = [_job(job) for job in jobs_of(snapshot)]
    return most_frequent(tuple(job for job in found if job is not None))


def _job(job: JsonNode) -> Schedule | None:
    lines = str(job.key_line) if job.key_line == job.end_line else f"{job.key_line}-{job.end_line}"
    expression, zone, every = job.at("schedule.expr"), job.at("schedule.tz"), job.at("schedule.everyMs")
    if expression is not None and isinstance(expression.value, str):
        cron = find_cron(expression.value)
        timezone = zone.value if zone is not None and isinstance(zone.value, str) else ""
        kind = "cron" if cron else "words"
        return Schedule(
            type=kind, cadence=expression.value, cron=cron, timezone=timezone, file=JOBS_PATH, lines=lines
        )
    if (
        every is not None
        and isinstance(every.value, int)
        and not isinstance(every.value, bool)
        and every.value >= 1000
    ):
        minutes, rest = divmod(every.value, _MINUTE_MS)
        words = f"{minutes}m" if not rest else f"{every.value // 1000}s"
        return Schedule(
            type="interval", cadence=words, seconds=every.value // 1000, file=JOBS_PATH, lines=lines
        )
    return None


def _from_mentions(snapshot: Snapshot) -> Schedule | None:
    for path, number, line in _mentions(snapshot):
        option = _CRON_OPTION.search(line)
        found = read_cadence(option.group("value")) if option else None
        if found is not None:
            return replace(found, file=path, lines=str(number))
    return None
