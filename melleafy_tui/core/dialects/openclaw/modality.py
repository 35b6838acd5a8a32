"""Finds an OpenClaw agent's triggers: modality signals, the wake-up, and the tasks with times of their own.

Times count where they are declared: in the configuration, in this agent's cron jobs, in HEARTBEAT.md, and in an
`openclaw cron add` of a set-up section. Those of other texts are listed, one row a section.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, takewhile
from typing import Final

from msgspec.structs import replace

from melleafy_tui.core.dialects.element_factory import line_range
from melleafy_tui.core.dialects.openclaw.configuration import (
    Configuration,
    Job,
    configuration_findings,
    configuration_of,
    has_jobs_file,
    job_schedule,
    jobs_of,
)
from melleafy_tui.core.dialects.openclaw.file_rules import rule_for
from melleafy_tui.core.dialects.openclaw.heartbeat_times import (
    HEARTBEAT_PATH,
    HeartbeatTimes,
    rhythm,
    times_of,
)
from melleafy_tui.core.dialects.openclaw.labelled_fields import field_of, filled_fields
from melleafy_tui.core.dialects.openclaw.schedule_words import form
from melleafy_tui.core.dialects.openclaw.stock_text import is_template_line
from melleafy_tui.core.dialects.openclaw.time_places import HALF_READ, INEXACT, TIMED_KINDS, time_of
from melleafy_tui.core.dialects.openclaw.user import overridable_subject
from melleafy_tui.core.language.time.cadence import read_cadence, seconds_between, with_days
from melleafy_tui.core.language.time.clock import read_interval
from melleafy_tui.core.language.time.zones import zone_in
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.classification import ModalityEvidence, Schedule, ScheduledTask, ScheduleRow
from melleafy_tui.core.models.findings import Diagnostic, diagnose
from melleafy_tui.core.models.snapshot import Snapshot, SourceFile
from melleafy_tui.core.models.vocabulary import Modality
from melleafy_tui.core.source.segments import Segment, cut_segments

OTHER_PATHS: Final = ("SOUL.md", "AGENTS.md", "TOOLS.md", "USER.md", "MEMORY.md", "BOOT.md")
"""Files whose times are listed, in the order in which OpenClaw loads them."""
_CRON_ADD: Final = form("cron_add", re.NOFLAG)
_OPTION: Final = LazyRegex(
    r"--(?P<name>cron|every|tz|name|message|system-event)[ =]"
    r"(?P<quote>[\"'])?(?P<value>(?(quote)[^\"']+|\S+))"
)
_PLACEHOLDER: Final = LazyRegex(r"[<{\[$]\w")
_SET_UP: Final = form("set_up")
_JOBS: Final = form("jobs")
_HOOK_FILE: Final = re.compile(r"(?:hooks/[^/]+/)?HOOK\.md")
_USER_PATH: Final = "USER.md"
_FACTS_OF_A_LINE: Final = re.compile(r"\s*[·|;]\s*")
"""What stands between the facts of one line: `Name: Robin · TZ: Europe/Lisbon`."""


def own_names(snapshot: Snapshot) -> frozenset[str]:
    """Return the names of this agent, in lower case: those of the configuration and that of IDENTITY.md."""
    configuration = configuration_of(snapshot)
    own = configuration.own if configuration is not None else None
    names = {own.agent_id, own.name} if own is not None else set()
    said = (each.field for each in filled_fields(snapshot.file("IDENTITY.md")))
    names |= {field.value for field in said if field.canonical == "name"}
    return frozenset(name.casefold() for name in names if name)


def heartbeat_times(snapshot: Snapshot) -> HeartbeatTimes:
    """Return what HEARTBEAT.md says about time."""
    file = snapshot.file(HEARTBEAT_PATH)
    return times_of(file, own_names(snapshot)) if file is not None else HeartbeatTimes()


# --- modality ----------------------------------------------------------------------------------------


def modality_evidence(snapshot: Snapshot) -> tuple[ModalityEvidence, ...]:
    """Return every modality signal in the source, heartbeat first."""
    configuration = configuration_of(snapshot)
    return (
        *_heartbeat(snapshot, configuration),
        *_events(snapshot, configuration),
        *_scheduled(snapshot),
    )


def _heartbeat(snapshot: Snapshot, configuration: Configuration | None) -> Iterator[ModalityEvidence]:
    if configuration is not None:
        if configuration.is_off:
            return
        every = configuration.heartbeat("every")
        if every is not None:
            note = f"every {every.value}" if read_interval(every.value) else "an interval of unknown form"
            yield ModalityEvidence(
                Modality.HEARTBEAT, "openclaw.json heartbeat.every", configuration.path, every.key_line, note
            )
    said = heartbeat_times(snapshot)
    for found in said.wake_ups:
        place = (HEARTBEAT_PATH, found.first, found.schedule.cadence)
        yield ModalityEvidence(Modality.HEARTBEAT, "HEARTBEAT.md cadence", *place)
    if said.content and not said.wake_ups:
        yield ModalityEvidence(
            Modality.HEARTBEAT, "HEARTBEAT.md content", HEARTBEAT_PATH, said.content, "no cadence of its own"
        )


def _events(snapshot: Snapshot, configuration: Configuration | None) -> Iterator[ModalityEvidence]:
    for name in snapshot.names:
        if _HOOK_FILE.fullmatch(name):
            yield ModalityEvidence(Modality.EVENT_TRIGGERED, "HOOK.md", name, 0)
    if configuration is not None:
        for hook in configuration.hooks():
            if hook.is_on and hook.wakes:
                place = (configuration.path, hook.node.key_line, hook.name)
                yield ModalityEvidence(Modality.EVENT_TRIGGERED, "openclaw.json hooks", *place)
    boot = snapshot.file("BOOT.md")
    if boot is not None and any(line.strip() and not is_template_line(line) for line in boot.lines):
        yield ModalityEvidence(
            Modality.EVENT_TRIGGERED, "BOOT.md", boot.path, 0, "runs when the gateway starts"
        )


def _scheduled(snapshot: Snapshot) -> Iterator[ModalityEvidence]:
    for command, _ in _commands(snapshot):
        yield ModalityEvidence(Modality.SCHEDULED, "openclaw cron add", command.schedule.file, command.first)
    for job in jobs_of(snapshot):
        if not job.idle_because:
            yield ModalityEvidence(Modality.SCHEDULED, "cron/jobs.json", job.path, job.node.key_line)


# --- schedule ----------------------------------------------------------------------------------------


def schedule(snapshot: Snapshot) -> Schedule:
    """Return the agent's wake-up with its tasks, and every time of the source with what became of it.

    Without a heartbeat, the jobs are the wake-ups.
    """
    configuration = configuration_of(snapshot)
    off = configuration is not None and configuration.is_off
    said = HeartbeatTimes() if off else heartbeat_times(snapshot)
    jobs = [_task(job) for job in jobs_of(snapshot) if not job.idle_because]
    jobs = [job for job in jobs if job.schedule.type in ("cron", "interval")]
    jobs += [job for job, is_set_up in _commands(snapshot) if is_set_up and job.schedule.type]
    tasks = [ScheduledTask(each.title, each.schedule, each.first, each.last) for each in said.tasks]
    if any(_heartbeat(snapshot, configuration)):
        own = _own_wake_ups(said, configuration)
        wakes, runs = own, _without_twins([*tasks, *jobs])
    else:
        own, runs = (), _without_twins(jobs)
        wakes = tuple(sorted((run.schedule for run in runs), key=seconds_between))
    rows = tuple(_rows(snapshot, own, runs, said))
    if not wakes:
        return Schedule(rows=rows)
    zones = _home_zones(snapshot, configuration, own, [run.schedule for run in runs])
    zone, zone_source = next((each for each in zones if each[0]), ("", ""))
    return replace(
        wakes[0],
        others=wakes[1:],
        tasks=tuple(runs),
        home_zone=zone,
        home_zone_source=zone_source,
        rows=rows,
    )


def _home_zones(
    snapshot: Snapshot, configuration: Configuration | None, *timed: Iterable[Schedule]
) -> Iterator[tuple[str, str]]:
    """Yield what may be the zone of clock times that name none, with `file:line` of what gives it.

    OpenClaw tells the agent the time of the user's zone, so "7:30" in a file means 7:30 there, else in the one zone
    that other times name. Jobs of its own scheduler run in that of the gateway's machine, which nothing here says.
    """
    node = configuration.user_timezone if configuration is not None else None
    if configuration is not None and node is not None:
        yield zone_in(f"9:00 {node.value}"), f"{configuration.path}:{node.key_line}"
    for each in filled_fields(snapshot.file(_USER_PATH)):
        others = map(field_of, _FACTS_OF_A_LINE.split(each.field.value))
        for field in (each.field, *filter(None, others)):
            if overridable_subject(field.label) == "timezone":
                zone = zone_in(f"9:00 {field.value}") or zone_in(f"{field.value} time")
                yield zone, f"{_USER_PATH}:{each.first}"
    for schedules in timed:
        stated = {found.timezone: found for found in reversed([*schedules]) if found.timezone}
        if len(stated) == 1:
            yield from ((zone, f"{found.file}:{found.first_line}") for zone, found in stated.items())


def _without_twins(runs: Sequence[ScheduledTask]) -> list[ScheduledTask]:
    """Return the tasks without a job whose name stands in the title of another at the same time."""
    kept: list[ScheduledTask] = []
    for run in runs:
        same = (each for each in kept if rhythm(each.schedule) == rhythm(run.schedule))
        if not any(run.title.casefold() in each.title.casefold() for each in same):
            kept.append(run)
    return kept


def _own_wake_ups(said: HeartbeatTimes, configuration: Configuration | None) -> tuple[Schedule, ...]:
    """Return the agent's own wake-ups, the one that OpenClaw obeys first; one without a cadence if none is declared."""
    timed = [found.schedule for found in said.wake_ups]
    configured = configuration.wake_up if configuration is not None else None
    if configured is not None:
        return (_limited(_limited(configured, timed[0]) if timed else configured, said.limits),)
    limited = (_limited(found, said.limits) for found in timed or [said.limits])
    return tuple(configuration.within_hours(each) if configuration is not None else each for each in limited)


def _limited(found: Schedule, limits: Schedule) -> Schedule:
    """Return a wake-up with the days, window and zone that the text gives, where it has none of its own."""
    if limits.active_hours and not found.active_hours and not (found.times and limits.quiet_hours):
        window = ("active_hours", "active_start", "active_end", "quiet_hours")
        found = replace(found, **{name: getattr(limits, name) for name in window})
    found = with_days(found, limits.days) if found.type else replace(found, days=found.days or limits.days)
    return replace(found, timezone=found.timezone or limits.timezone)


def _task(job: Job) -> ScheduledTask:
    first, last = job.node.key_line, job.node.end_line
    found = replace(job_schedule(job.node) or Schedule(), file=job.path, lines=line_range(first, last))
    return ScheduledTask(job.node.text("name", "id") or "job", found, first, last)


def _commands(snapshot: Snapshot) -> Iterator[tuple[ScheduledTask, bool]]:
    """Yield the job of each `openclaw cron add` in the files that are read, and whether it is in a set-up section."""
    for file in snapshot.files:
        rule = rule_for(file.path) if file.text and _CRON_ADD.search(file.text) else None
        heading = ""
        for number, line in enumerate(file.lines, start=1) if rule is not None and rule.contents else ():
            heading = line if re.match(r"#{1,6}\s", line) else heading
            if _CRON_ADD.search(line) and not is_template_line(line):
                continued = takewhile(lambda each: each.rstrip().endswith("\\"), file.lines[number - 1 :])
                last = min(number + sum(1 for _ in continued), len(file.lines))
                yield _command(file, number, last), bool(_SET_UP.search(heading))


def _command(file: SourceFile, first: int, last: int) -> ScheduledTask:
    """Return the job that a command adds; its schedule is empty if a value isn't literal or the time can't be read."""
    command = "\n".join(file.lines[first - 1 : last])
    found = {option["name"]: option["value"] for option in _OPTION.finditer(command)}
    when = found.get("cron") or found.get("every") or ""
    time = (read_cadence(when) if not _PLACEHOLDER.search(command) else None) or Schedule()
    zone = found.get("tz", time.timezone)
    timed = replace(time, file=file.path, lines=line_range(first, last), timezone=zone)
    text = found.get("message") or found.get("system-event") or ""
    return ScheduledTask(found.get("name", "cron job"), timed, first, last, text)


# --- every time of the source, for the review ----------------------------------------------------------

_NO_JOBS_FILE: Final = "The texts speak of cron jobs, and no cron/jobs.json is in the folder or above it."
_ELSEWHERE: Final = "Times in a text that doesn't tell when the agent is woken."
_MENTIONED: Final = "A command that adds a job, outside of a set-up section."


def _rows(
    snapshot: Snapshot, own: Iterable[Schedule], runs: Sequence[ScheduledTask], said: HeartbeatTimes
) -> Iterator[ScheduleRow]:
    for found in own:
        if found.cadence:
            yield ScheduleRow("taken", "", found, first=found.first_line, last=found.first_line)
    for run in runs:
        yield ScheduleRow("taken", run.title, run.schedule, first=run.first, last=run.last)
    for part in said.asked:
        yield ScheduleRow("asked", part.title, part.schedule, part.problem, part.first, part.last)
    taken = {(run.schedule.file, run.schedule.first_line) for run in runs}
    for job, _ in _commands(snapshot):
        if job.schedule.type and (job.schedule.file, job.first) not in taken:
            yield ScheduleRow("asked", job.title, job.schedule, _MENTIONED, job.first, job.last)
    for idle in (job for job in jobs_of(snapshot) if job.idle_because):
        task = _task(idle)
        yield ScheduleRow("off", task.title, task.schedule, idle.idle_because, task.first, task.last)
    elsewhere = list(_elsewhere(snapshot))
    yield from elsewhere
    if not has_jobs_file(snapshot) and any(_JOBS.search(row.title) for row in elsewhere):
        yield ScheduleRow("asked", "cron/jobs.json", Schedule(), _NO_JOBS_FILE)


def _elsewhere(snapshot: Snapshot) -> Iterator[ScheduleRow]:
    """Yield one row for each section of another file that has times."""
    for file in filter(None, map(snapshot.file, OTHER_PATHS)):
        timed = [each for each in cut_segments(file) if _has_time(each, file)]
        for section, members in groupby(timed, key=lambda each: each.section):
            places = [*members]
            first, last = places[0].first, places[-1].last
            words = "1 time" if len(places) == 1 else f"{len(places)} times"
            title = f"{section[-1]}: {words}" if section else words
            found = time_of(places[0], expected=False)
            cadence = found.schedule.cadence if found is not None else ""
            said = Schedule("words", cadence, file=file.path, lines=f"{first}-{last}")
            yield ScheduleRow("elsewhere", title, said, _ELSEWHERE, first, last)


def _has_time(segment: Segment, file: SourceFile) -> bool:
    if segment.kind not in TIMED_KINDS or is_template_line(file.lines[segment.first - 1]):
        return False
    return read_cadence(segment.text) is not None and time_of(segment, expected=False) is not None


# --- findings ------------------------------------------------------------------------------------------


def modality_findings(snapshot: Snapshot) -> tuple[Diagnostic, ...]:
    """Return the findings about the configuration and the cadences of a workspace."""
    said = heartbeat_times(snapshot)
    unread = [each.schedule for each in said.asked if each.problem in (HALF_READ, INEXACT)]
    return (
        *configuration_findings(snapshot),
        *(
            diagnose("cadence-not-understood", HEARTBEAT_PATH, found.lines, cadence=found.cadence)
            for found in unread
        ),
        *_disagreements(snapshot, said),
        *_zone_findings(snapshot),
    )


def _disagreements(snapshot: Snapshot, said: HeartbeatTimes) -> Iterator[Diagnostic]:
    """Yield a finding for each line that gives the wake-up another cadence than the one that OpenClaw obeys."""
    configuration = configuration_of(snapshot)
    chosen = configuration.wake_up if configuration is not None and not configuration.is_off else None
    if chosen is None:
        return
    for found in (each.schedule for each in said.wake_ups):
        if seconds_between(found) != seconds_between(chosen):
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
