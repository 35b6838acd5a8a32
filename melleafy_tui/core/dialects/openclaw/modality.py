"""Finds an OpenClaw agent's triggers: modality signals and schedule."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from melleafy_tui.core.dialects.openclaw.cadence_reader import DeclaredTime, FileTimes
from melleafy_tui.core.dialects.openclaw.configuration import (
    Configuration,
    configuration_findings,
    configuration_of,
    job_schedule,
    jobs_of,
    text_at,
)
from melleafy_tui.core.dialects.openclaw.declared_cadences import cadence_findings, declared_times, times_of
from melleafy_tui.core.dialects.openclaw.file_outline import HEARTBEAT_PATH
from melleafy_tui.core.dialects.openclaw.file_rules import rule_for
from melleafy_tui.core.dialects.openclaw.home_zone import home_zone
from melleafy_tui.core.dialects.openclaw.references import REFERRING_RULES
from melleafy_tui.core.dialects.openclaw.stock_text import is_template_line
from melleafy_tui.core.language.time.active_hours import ActiveHours
from melleafy_tui.core.language.time.cadence import read_cadence, seconds_between, with_days
from melleafy_tui.core.language.time.clock import read_interval
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.classification import ModalityEvidence, Schedule, ScheduledTask
from melleafy_tui.core.models.findings import Diagnostic, diagnose
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.models.vocabulary import Modality
from melleafy_tui.core.source.json5 import JsonNode

_CRON_ADD: Final = LazyRegex(r"\b(?:openclaw|clawdbot|moltbot)\s+cron\s+add\b")
_CRON_OPTION: Final = LazyRegex(r"--(?:cron|every)[ =](?P<quote>[\"'])?(?P<value>(?(quote)[^\"']+|\S+))")
_ZONE_OPTION: Final = LazyRegex(r"--tz[ =](?P<quote>[\"'])?(?P<value>[\w/+-]+)")
_NAME_OPTION: Final = LazyRegex(r"--name[ =](?P<quote>[\"'])?(?P<value>(?(quote)[^\"']+|\S+))")
_HOOK_FILE: Final = re.compile(r"(?:hooks/[^/]+/)?HOOK\.md")
_DAY: Final = 86_400


def modality_evidence(snapshot: Snapshot) -> tuple[ModalityEvidence, ...]:
    """Return every modality signal in the source, heartbeat first."""
    configuration = configuration_of(snapshot)
    heartbeat = tuple(_heartbeat(snapshot, configuration))
    return (
        *heartbeat,
        *_events(snapshot, configuration),
        *_scheduled(snapshot),
        *(_clock_times(snapshot) if heartbeat else ()),
    )


def modality_findings(snapshot: Snapshot) -> tuple[Diagnostic, ...]:
    """Return the findings about the configuration and the cadences of a workspace."""
    return (
        *configuration_findings(snapshot),
        *cadence_findings(snapshot),
        *_disagreements(snapshot),
        *_zone_findings(snapshot),
    )


def schedule(snapshot: Snapshot) -> Schedule:
    """Return the agent's wake-up with its tasks: from the configuration, else from the text; empty if neither has one.

    Without a heartbeat, the jobs are the wake-ups.
    """
    configuration = configuration_of(snapshot)
    off = _is_off(configuration)
    tasks = () if off else _tasks(snapshot)
    jobs = _jobs(snapshot)
    if not off and any(_heartbeat(snapshot, configuration)):
        own = _own_wake_ups(snapshot, configuration)
        runs = _with_mentioned(snapshot, (*tasks, *jobs))
        first, others = own[0], own[1:]
    else:
        timed = [task for task in tasks if task.schedule.type in ("cron", "times", "interval")]
        runs = _with_mentioned(snapshot, [job for job in jobs if job.schedule.type] or timed)
        if not (off or any(_scheduled(snapshot))):
            return Schedule()
        own = ()
        wakes = sorted((run.schedule for run in runs), key=seconds_between)
        first, others = next(iter(wakes), Schedule()), tuple(wakes[1:])
    zone = home_zone(snapshot, configuration, own, [run.schedule for run in runs])
    unclear = [task for task in tasks if task not in runs and task.schedule.type == "words"]
    return replace(
        first,
        others=others,
        tasks=(*runs, *unclear),
        home_zone=zone.name,
        home_zone_source=zone.source,
    )


def _with_mentioned(snapshot: Snapshot, runs: Sequence[ScheduledTask]) -> list[ScheduledTask]:
    """Return what runs, with the jobs that a command of the text adds.

    One whose name stands in the title of another at the same time is that one.
    """

    def is_new(job: ScheduledTask) -> bool:
        at_its_time = (run for run in runs if _rhythm(run.schedule) == _rhythm(job.schedule))
        return not any(job.title.casefold() in run.title.casefold() for run in at_its_time)

    return [*runs, *filter(is_new, _from_mentions(snapshot))]


def _declared_wake_ups(snapshot: Snapshot) -> list[DeclaredTime]:
    """Return the wake-ups of the agent itself that its Markdown declares, without events."""
    return [found for found in declared_times(snapshot) if not found.title and found.schedule.type != "event"]


def _own_wake_ups(snapshot: Snapshot, configuration: Configuration | None) -> tuple[Schedule, ...]:
    """Return the agent's own wake-ups, the one that OpenClaw obeys first; one without a cadence if none is declared."""
    timed = [found.schedule for found in _declared_wake_ups(snapshot)]
    limits = times_of(snapshot, HEARTBEAT_PATH).constraints
    configured = _from_configuration(configuration)
    if configured is not None:
        said = timed[0] if timed else limits
        return (_limited(_limited(configured, said), limits),)
    distinct: dict[object, Schedule] = {}
    for found in timed:
        distinct.setdefault(_rhythm(found), found)
    wake_ups = tuple(_limited(found, limits) for found in distinct.values()) or (limits,)
    if configuration is not None and configuration.active_hours is not None:
        hours = configuration.active_hours
        wake_ups = tuple(_with_hours(found, hours, configuration) for found in wake_ups)
    return wake_ups


def _rhythm(found: Schedule) -> tuple[object, ...]:
    """Return what two wake-ups have in common if they are the same: the time, or the words if there is none."""
    words = "" if found.seconds or found.cron else found.cadence
    return found.seconds, found.cron, found.times, words


def _limited(found: Schedule, limits: Schedule) -> Schedule:
    """Return a wake-up with the days, window and zone that the text gives, where it has none of its own."""
    if (
        not found.active_hours
        and limits.active_hours
        and not (found.times and not found.seconds and limits.quiet_hours)
    ):
        found = replace(
            found,
            active_hours=limits.active_hours,
            active_start=limits.active_start,
            active_end=limits.active_end,
            quiet_hours=limits.quiet_hours,
        )
    found = with_days(found, limits.days) if found.type else replace(found, days=found.days or limits.days)
    return replace(found, timezone=found.timezone or limits.timezone)


def _tasks(snapshot: Snapshot) -> tuple[ScheduledTask, ...]:
    """Return the tasks with a cadence of their own, each once, without the jobs that a command adds."""
    found: dict[object, ScheduledTask] = {}
    commands = {
        (path, number)
        for path, first, command in _mentions(snapshot)
        if _CRON_OPTION.search(command)
        for number in range(first, first + command.count("\n") + 1)
    }
    for each in declared_times(snapshot):
        if each.title and each.schedule.type != "event" and (each.schedule.file, each.line) not in commands:
            found.setdefault(
                (each.title.casefold(), _rhythm(each.schedule)),
                ScheduledTask(each.title, each.schedule),
            )
    return tuple(found.values())


def _disagreements(snapshot: Snapshot) -> Iterator[Diagnostic]:
    """Yield a finding for each line that gives the wake-up another cadence than the one that OpenClaw obeys."""
    configuration = configuration_of(snapshot)
    if _is_off(configuration):
        return
    configured = _from_configuration(configuration)
    declared = [found.schedule for found in _declared_wake_ups(snapshot)]
    chosen = configured or next(iter(declared), None)
    if chosen is None:
        return
    for found in declared:
        if found.file == chosen.file or seconds_between(found) == seconds_between(chosen):
            continue
        yield diagnose(
            "wake-ups-disagree",
            found.file,
            found.lines,
            cadence=found.cadence,
            other=f"{chosen.file}:{chosen.lines}",
            chosen=chosen.cadence,
        )


def _zone_findings(snapshot: Snapshot) -> Iterator[Diagnostic]:
    """Yield a finding where clock times name no zone and nothing else gives it: those of the text, those of jobs."""
    found = schedule(snapshot)
    timed = (found, *found.others, *(task.schedule for task in found.tasks))
    without = {(each.file, each.lines): each for each in timed if each.times and not each.timezone}
    jobs = [each for each in without.values() if each.file.endswith("jobs.json")]
    texts = [each for each in without.values() if not each.file.endswith((".json", ".json5"))]
    if texts and not found.home_zone:
        yield diagnose("time-zone-not-stated", texts[0].file, texts[0].lines, cadence=texts[0].cadence)
    if jobs:
        yield diagnose("job-zone-not-stated", jobs[0].file, jobs[0].lines)


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
    own = _declared_wake_ups(snapshot)
    for found in own:
        path = found.schedule.file
        yield ModalityEvidence(
            Modality.HEARTBEAT, f"{path} cadence", path, found.line, found.schedule.cadence
        )
    said = times_of(snapshot, HEARTBEAT_PATH)
    if said.content and not own and not _is_job_list(said):
        yield ModalityEvidence(
            Modality.HEARTBEAT, "HEARTBEAT.md content", HEARTBEAT_PATH, said.content, "no cadence of its own"
        )


def _is_job_list(said: FileTimes) -> bool:
    """Return whether HEARTBEAT.md has only jobs with clock times, and never speaks of a heartbeat.

    An item without a time is done at each heartbeat, which OpenClaw has unless it is switched off.
    """
    times = [found.schedule for found in said.declared if found.title]
    return (
        not said.waking
        and not said.untimed
        and any(found.times and found.type != "words" for found in times)
        and not any(found.type == "interval" and (found.seconds or 0) < _DAY for found in times)
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
    for found in times_of(snapshot, HEARTBEAT_PATH).declared:
        if found.schedule.type == "event":
            yield ModalityEvidence(
                Modality.EVENT_TRIGGERED,
                "HEARTBEAT.md event",
                HEARTBEAT_PATH,
                found.line,
                found.schedule.cadence,
            )


def _scheduled(snapshot: Snapshot) -> Iterator[ModalityEvidence]:
    for path, number, _ in _mentions(snapshot):
        yield ModalityEvidence(Modality.SCHEDULED, "openclaw cron add", path, number)
    for path, job in jobs_of(snapshot):
        yield ModalityEvidence(Modality.SCHEDULED, "cron/jobs.json", path, job.key_line)
    said = times_of(snapshot, HEARTBEAT_PATH)
    if (said.content and _is_job_list(said)) or not any(_heartbeat(snapshot, configuration_of(snapshot))):
        yield from _clock_times(snapshot)


def _clock_times(snapshot: Snapshot) -> Iterator[ModalityEvidence]:
    for found in declared_times(snapshot):
        if found.title and found.schedule.times:
            yield ModalityEvidence(
                Modality.SCHEDULED,
                "a task with a clock time",
                found.schedule.file,
                found.line,
                found.schedule.cadence,
            )


def _mentions(snapshot: Snapshot) -> Iterator[tuple[str, int, str]]:
    """Yield the path, line and text of each `openclaw cron add` in the inventoried files, continued lines and all."""
    for file in snapshot.files:
        if not file.text or "cron" not in file.text or not _CRON_ADD.search(file.text):
            continue
        rule = rule_for(file.path)
        if rule is None or not rule.contents:
            continue
        for number, line in enumerate(file.lines, start=1):
            if _CRON_ADD.search(line) and not is_template_line(line):
                yield file.path, number, _continued(file.lines[number - 1 :])


def _continued(lines: Sequence[str]) -> str:
    """Return the first line with those that a backslash at its end joins to it."""
    end = next((at for at, line in enumerate(lines) if not line.rstrip().endswith("\\")), len(lines) - 1)
    return "\n".join(lines[: end + 1])


def _is_off(configuration: Configuration | None) -> bool:
    every = configuration.heartbeat("every") if configuration is not None else None
    return every is not None and read_interval(every.value) == 0


def _from_configuration(configuration: Configuration | None) -> Schedule | None:
    if configuration is None:
        return None
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
    users = configuration.user_timezone
    zone = (
        (str(users.value) if users is not None else "") if hours.timezone in ("", "user") else hours.timezone
    )
    return replace(
        found,
        active_hours=hours.words,
        active_start=hours.start,
        active_end=hours.end,
        timezone="" if zone == "local" else zone or found.timezone,
    )


def _jobs(snapshot: Snapshot) -> tuple[ScheduledTask, ...]:
    found = (_job(path, job) for path, job in jobs_of(snapshot))
    return tuple(job for job in found if job is not None)


def _job(path: str, job: JsonNode) -> ScheduledTask | None:
    lines = str(job.key_line) if job.key_line == job.end_line else f"{job.key_line}-{job.end_line}"
    found = job_schedule(job)
    if found is None:
        return None
    name = text_at(job, "name") or text_at(job, "id") or "job"
    return ScheduledTask(name, replace(found, file=path, lines=lines))


def _from_mentions(snapshot: Snapshot) -> Iterator[ScheduledTask]:
    """Yield the jobs that the agent's own files add by a command; a skill's are examples."""
    for path, number, line in _mentions(snapshot):
        rule = rule_for(path)
        if rule is None or rule.rule_id not in REFERRING_RULES:
            continue
        option, zone, name = _CRON_OPTION.search(line), _ZONE_OPTION.search(line), _NAME_OPTION.search(line)
        found = read_cadence(option.group("value")) if option else None
        if found is not None:
            yield ScheduledTask(
                name.group("value") if name else "cron job",
                replace(
                    found,
                    file=path,
                    lines=str(number),
                    timezone=zone.group("value") if zone else found.timezone,
                ),
            )
