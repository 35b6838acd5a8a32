"""SCHEDULE_CONFIG, SCHEDULED_TASKS and SETUP §6: days, zones, several wake-ups and tasks of their own cadence."""

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from msgspec.structs import replace

from melleafy_tui.core.models.classification import Schedule, ScheduledTask
from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.facts import Facts, ScheduleFact
from melleafy_tui.core.models.manifest import Heartbeat, ScheduleConfig
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind, Modality
from melleafy_tui.core.pipeline.conversion import Conversion
from melleafy_tui.generators.manifest import manifest
from melleafy_tui.generators.runtime.schedule import clocks_on, due_tasks
from melleafy_tui.generators.schedule_rows import schedule_values, task_rows, wake_up_lines
from tests.converted import conversion_of
from tests.generators.committed import Piece, committed_plan

BARN = ScheduleFact("every 3 days", 259_200, kind="interval", title="Barn")
MILK = ScheduleFact(
    "at 06:00 and 17:30", kind="times", times=("06:00", "17:30"), zone="Europe/Oslo", title="Milk"
)


def task_piece(line: int, words: str, fact: ScheduleFact, disposition: Disposition) -> Piece:
    return Piece(
        "HEARTBEAT.md",
        str(line),
        EntryKind.SCHEDULE,
        disposition,
        symbol="SCHEDULED_TASKS",
        statement=words,
        facts=Facts(fact),
    )


def plan_of(
    schedule: Schedule, *pieces: Piece, modality: Modality = Modality.HEARTBEAT, text: str = "x\n" * 9
) -> CommittedPlan:
    """Return a plan in which each title of the pieces is a task of the schedule."""
    by_title: dict[str, list[Piece]] = {}
    for piece in pieces:
        by_title.setdefault(piece.facts[ScheduleFact].title if piece.facts else "", []).append(piece)
    tasks = tuple(task_of(title, found) for title, found in by_title.items() if title)
    schedule = replace(schedule, tasks=schedule.tasks or tasks)
    return committed_plan({"HEARTBEAT.md": text}, list(pieces), modality=modality, schedule=schedule)


def task_of(title: str, pieces: Sequence[Piece]) -> ScheduledTask:
    fact = pieces[0].facts[ScheduleFact]
    timed = Schedule(
        fact.kind,
        fact.cadence,
        fact.seconds,
        fact.cron,
        times=fact.times,
        days=fact.days,
        timezone=fact.zone,
        file="HEARTBEAT.md",
        lines=pieces[0].lines,
    )
    return ScheduledTask(title, timed, int(pieces[0].lines), int(pieces[-1].lines))


def test_elements_of_one_task_are_one_row() -> None:
    kept, removed = Disposition.DELEGATE_TO_RUNTIME, Disposition.REMOVE
    committed = plan_of(
        Schedule(),
        task_piece(1, "Barn (every 3 days)", BARN, kept),
        task_piece(2, "Sweep", BARN, kept),
        task_piece(3, "Mend the door", BARN, kept),
        task_piece(4, "Gone", ScheduleFact("hourly", 3600, kind="interval", title="Gone"), removed),
        task_piece(5, "Milk the goats", MILK, kept),
        text="Barn (every 3 days)\n- Sweep\n- Mend the door\nGone\nMilk the goats\n",
    )
    rows = [task.row for task in task_rows(committed)]
    assert rows[0] == {
        "name": "Barn",
        "text": "Barn (every 3 days)\n- Sweep\n- Mend the door",
        "cadence": "every 3 days",
        "seconds": 259_200,
    }
    assert [(row["name"], row["cron"], row["timezone"]) for row in rows[1:]] == [
        ("Milk", "0 6 * * *", "Europe/Oslo"),
        ("Milk", "30 17 * * *", "Europe/Oslo"),
    ]
    config = manifest(committed).schedule_config
    assert (config.type, config.cadence, config.tasks) == ("", None, tuple(rows))


def test_a_heartbeat_wakes_for_a_task_at_its_clock_times() -> None:
    kept = Disposition.DELEGATE_TO_RUNTIME
    committed = plan_of(
        Schedule("interval", "every 2 hours", 7200),
        task_piece(1, "Sweep", BARN, kept),
        task_piece(5, "Milk the goats", MILK, kept),
    )
    lines = [(line.line, line.message) for line in wake_up_lines(committed)]
    assert lines == [("0 */2 * * *", "heartbeat"), ("0 6 * * *", "Milk"), ("30 17 * * *", "Milk")]


def runs_of_two_days(committed: CommittedPlan) -> Counter[str]:
    """Run the lines of SETUP §6 as cron does, those of one minute beside each other, and count the tasks' runs."""
    rows, lines = [task.row for task in task_rows(committed)], wake_up_lines(committed)
    last_runs: dict[str, str] = {}
    counted: Counter[str] = Counter()
    monday = datetime(2026, 11, 2, tzinfo=UTC)
    for now in (monday + timedelta(minutes=minute) for minute in range(2 * 24 * 60)):
        fired = [line for line in lines if now.time() in clocks_on(line.line, now.date())]
        done = [
            str(row["name"])
            for line in fired
            for row in (
                due_tasks(rows, last_runs, now)
                if line.message == "heartbeat"
                else [next(row for row in rows if row["name"] == line.message)]
            )
        ]
        counted.update(done)
        last_runs |= dict.fromkeys(done, now.isoformat())
    return counted


def test_the_lines_of_the_crontab_reach_each_task_as_often_as_it_is_told_and_never_twice() -> None:
    kept = Disposition.DELEGATE_TO_RUNTIME
    timed = replace(MILK, zone="UTC")
    often = ScheduleFact("every 4 hours", 14_400, kind="interval", title="Feed")
    daily = ScheduleFact("daily", 86_400, kind="interval", title="Count")
    wake_ups = {
        "every 30 minutes": Schedule("interval", "every 30 minutes", 1800),
        "at nine": Schedule("cron", "at nine", cron="0 9 * * *", times=("09:00",)),
        "none told": Schedule(),
    }
    for name, wake_up in wake_ups.items():
        pieces = [task_piece(1, "Milk", timed, kept), task_piece(3, "Feed", often, kept)]
        committed = plan_of(wake_up, *pieces, task_piece(5, "Count", daily, kept))
        counted = runs_of_two_days(committed)
        assert (counted["Milk"], counted["Count"]) == (4, 2), name
        assert 11 <= counted["Feed"] <= 12, name


def test_a_task_that_a_heartbeat_meets_has_no_line_of_its_own() -> None:
    kept = Disposition.DELEGATE_TO_RUNTIME
    review = ScheduleFact(
        "Sunday 10 AM", kind="cron", cron="0 10 * * 0", times=("10:00",), days=("sun",), title="R"
    )
    inside = Schedule(
        "cron",
        "10 AM, 2 PM",
        cron="0 10,14 * * *",
        times=("10:00", "14:00"),
        active_start="08:00",
        active_end="23:00",
    )
    lines = wake_up_lines(plan_of(inside, task_piece(1, "R (Sunday 10 AM)", review, kept)))
    assert [line.line for line in lines] == ["0 10,14 * * *"]
    weekdays = replace(inside, days=("mon", "tue"), cron="0 10,14 * * 1,2", active_start="11:00")
    lines = wake_up_lines(plan_of(weekdays, task_piece(1, "R (Sunday 10 AM)", review, kept)))
    assert [line.line for line in lines] == ["0 14 * * 1,2", "0 10 * * 0"]


def test_a_heartbeat_without_a_cadence_declares_none() -> None:
    committed = plan_of(Schedule(days=("mon", "tue"), timezone="Europe/Oslo"))
    assert schedule_values(committed) == {
        "type": "",
        "cadence": None,
        "days": ("mon", "tue"),
        "timezone": "Europe/Oslo",
    }
    assert [line.line for line in wake_up_lines(committed)] == ["*/30 * * * 1,2"]


def test_several_wake_ups_carry_their_messages() -> None:
    jobs = (
        Schedule("cron", "7 AM", cron="0 7 * * 1-5", timezone="Europe/Oslo", file="HEARTBEAT.md", lines="1"),
        Schedule("cron", "6 PM", cron="0 18 * * *", timezone="Europe/Oslo", file="HEARTBEAT.md", lines="2"),
    )
    tasks = tuple(
        ScheduledTask(title, job, job.first_line, job.first_line)
        for title, job in zip(("Milking", "Closing"), jobs, strict=True)
    )
    first = Schedule(
        "cron",
        "7 AM",
        cron="0 7 * * 1-5",
        timezone="Europe/Oslo",
        file="HEARTBEAT.md",
        lines="1",
        others=jobs[1:],
        tasks=tasks,
    )
    milking = ScheduleFact("7 AM", kind="cron", cron="0 7 * * 1-5", zone="Europe/Oslo", title="Milking")
    committed = plan_of(
        first,
        task_piece(1, "Milk the goats", milking, Disposition.DELEGATE_TO_RUNTIME),
        modality=Modality.SCHEDULED,
    )
    listed = schedule_values(committed)["wake_ups"]
    assert isinstance(listed, tuple)
    assert [(row["cron"], row["message"], row["timezone"]) for row in listed] == [
        ("0 7 * * 1-5", "Milking", "Europe/Oslo"),
        ("0 18 * * *", "Closing", "Europe/Oslo"),
    ]
    assert [line.line for line in wake_up_lines(committed)] == ["0 7 * * 1-5", "0 18 * * *"]
    assert manifest(committed).schedule_config.wake_ups == listed
    assert [task.row["name"] for task in task_rows(committed)] == ["Milking", "Closing"]


def test_clock_times_of_different_minutes_are_several_cron_lines() -> None:
    schedule = Schedule("times", "daily at 09:00 and 17:30", times=("09:00", "17:30"), days=("sat",))
    committed = plan_of(schedule)
    listed = schedule_values(committed)["wake_ups"]
    assert isinstance(listed, tuple)
    assert [row["cron"] for row in listed] == ["0 9 * * 6", "30 17 * * 6"]


def test_the_published_form_of_an_interval() -> None:
    config = manifest(plan_of(Schedule("interval", "30m", 1800, active_hours="business hours")))
    assert config.schedule_config == ScheduleConfig(
        type="interval",
        cadence="30m",
        active_hours="business hours",
        seconds=1800,
        heartbeat=Heartbeat(every="30m"),
    )


def test_a_task_may_take_the_hours_of_its_wake_up(tmp_path: Path) -> None:
    (tmp_path / "SOUL.md").write_text("A baker.\n")
    (tmp_path / "HEARTBEAT.md").write_text(
        "This runs every 30 minutes, quiet between 23:00 and 06:00.\n\n- Flour check (once per day)\n"
    )
    lints = conversion_of(tmp_path).lints
    assert [found.message for result in lints.results for found in result.findings] == []


JOBS = """{"jobs": [
  {"name": "tally", "enabled": true, "schedule": {"kind": "cron", "expr": "30 4 * * *"},
   "payload": {"kind": "agentTurn", "message": "Count the sacks."}},
  {"name": "flour", "enabled": true, "schedule": {"kind": "cron", "expr": "0 7 * * 1-5", "tz": "Europe/Oslo"},
   "payload": {"kind": "agentTurn", "message": "Order the flour."}},
  {"name": "oven", "enabled": true, "schedule": {"kind": "every", "everyMs": 600000},
   "payload": {"kind": "agentTurn", "message": "Look at the oven."}},
  {"name": "fair", "enabled": true, "schedule": {"kind": "at", "at": "2026-12-01T09:00:00Z"},
   "payload": {"kind": "agentTurn", "message": "Pack for the fair."}}
]}
"""


def test_each_job_of_a_scheduler_wakes_the_agent_for_itself(tmp_path: Path) -> None:
    """All jobs together were the request of every wake-up, and jobs at intervals had no line."""
    (tmp_path / "cron").mkdir()
    (tmp_path / "cron/jobs.json").write_text(JOBS, encoding="utf-8")
    (tmp_path / "SOUL.md").write_text("You are Ada, a baker.\n", encoding="utf-8")
    conversion = conversion_of(tmp_path)
    committed = conversion.committed
    assert [task.row["text"] for task in task_rows(committed)] == [
        "tally (30 4 * * *): Count the sacks.",
        "flour (0 7 * * 1-5 Europe/Oslo): Order the flour.",
        "oven (every 10m): Look at the oven.",
    ]
    lines = {(cron.line, cron.message, cron.zone) for cron in wake_up_lines(committed)}
    assert lines == {
        ("30 4 * * *", "tally", ""),
        ("0 7 * * 1-5", "flour", "Europe/Oslo"),
        ("*/10 * * * *", "oven", ""),
    }
    listed = schedule_values(committed)["wake_ups"]
    assert isinstance(listed, tuple)
    assert sorted(row["message"] for row in listed) == ["flour", "oven", "tally"]
    config = conversion.files.by_path[f"{conversion.files.package_name}/config.py"].text
    assert "SCHEDULE_CONFIG" in config
    assert "SCHEDULED_REQUEST" not in config


def test_the_only_job_of_a_scheduler_is_what_every_wake_up_is_for(tmp_path: Path) -> None:
    (tmp_path / "cron").mkdir()
    only = JOBS.partition(",\n  {")[0] + "]}"
    (tmp_path / "cron/jobs.json").write_text(only, encoding="utf-8")
    (tmp_path / "SOUL.md").write_text("You are Ada, a baker.\n", encoding="utf-8")
    committed = conversion_of(tmp_path).committed
    assert not task_rows(committed)
    assert [(cron.line, cron.message) for cron in wake_up_lines(committed)] == [("30 4 * * *", "heartbeat")]


def lock_keeper(folder: Path, heartbeat: str, **files: str) -> Conversion:
    (folder / "SOUL.md").write_text("You keep a lock.\n", encoding="utf-8")
    (folder / "HEARTBEAT.md").write_text(heartbeat, encoding="utf-8")
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return conversion_of(folder)


def setup_of(conversion: Conversion) -> str:
    return conversion.files.by_path[f"{conversion.files.package_name}/SETUP.md"].text


def test_what_has_no_time_beside_jobs_is_done_at_a_heartbeat(tmp_path: Path) -> None:
    """OpenClaw reads HEARTBEAT.md every half hour unless that is switched off; only the named jobs had a line."""
    conversion = lock_keeper(
        tmp_path,
        "- Daily at 9:00: count the boats\n- Fridays at 17:00: write the list\n- Look at the gate\n",
    )
    messages = [cron.message for cron in wake_up_lines(conversion.committed)]
    assert messages == ["heartbeat", "count the boats", "write the list"]
    assert "its own default and not declared by the source" in setup_of(conversion)


def test_the_setup_says_when_no_wake_up_goes_through_the_checklist(tmp_path: Path) -> None:
    """With the heartbeat off, OpenClaw reads no HEARTBEAT.md, and its jobs are all that wakes the agent."""
    off = '{"agents": {"defaults": {"heartbeat": {"every": "0m"}}}}'
    note = "none goes through the checklist"
    for name in ("off", "on"):
        (tmp_path / name / "cron").mkdir(parents=True)
        (tmp_path / name / "cron/jobs.json").write_text(JOBS, encoding="utf-8")
    conversion = lock_keeper(tmp_path / "off", "- Look at the gate\n", **{"openclaw.json": off})
    messages = {cron.message for cron in wake_up_lines(conversion.committed)}
    assert messages == {"tally", "flour", "oven"}
    assert note in setup_of(conversion)
    assert note not in setup_of(lock_keeper(tmp_path / "on", "- Look at the gate\n"))


def test_the_only_job_of_a_file_is_done_with_what_the_file_says_about_it(tmp_path: Path) -> None:
    conversion = lock_keeper(
        tmp_path, "## Schedule\n- Write the report every day at 8:00\n\n## What is in it\n- boats\n- tides\n"
    )
    assert [cron.message for cron in wake_up_lines(conversion.committed)] == ["heartbeat"]
    assert "none goes through the checklist" not in setup_of(conversion)


def test_the_name_of_a_task_may_begin_with_a_dash(tmp_path: Path) -> None:
    """argparse takes `--message "-q"` for two options; behind the equals sign it is a value."""
    conversion = lock_keeper(
        tmp_path,
        "- Count the boats daily at 9:00\n",
        **{"AGENTS.md": "## Cron jobs\n- -q boats: every day at 7:00\n"},
    )
    assert "--message=" in setup_of(conversion)
    assert "--message " not in setup_of(conversion).partition("**With cron**")[2].partition("```\n\n")[0]
