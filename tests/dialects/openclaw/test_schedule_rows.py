"""Which times of a workspace wake the agent, which are asked about, and which only stand there, in our own words."""

import json
from collections.abc import Mapping
from datetime import date

import pytest

from melleafy_tui.core.dialects.openclaw.modality import modality_evidence, schedule
from melleafy_tui.core.errors import UsageError
from melleafy_tui.core.language.time.next_runs import next_runs
from melleafy_tui.core.models.classification import Schedule
from melleafy_tui.core.pipeline.schedule_changes import read_changes, with_changes
from tests.dialects.openclaw.in_memory import snapshot_of

LOOK = "- Look at the gate\n\n"


def shown(found: Schedule) -> str:
    when = found.cron or (str(found.seconds) if found.seconds else found.type)
    window = f"{found.active_start}-{found.active_end}" if found.active_start else ""
    days = "" if found.cron else " ".join(found.days)
    return " ".join(filter(None, (when, days, window, found.timezone)))


def rows_of(files: Mapping[str, str] | str) -> list[str]:
    """Return every time with what becomes of it: the taken ones alone, the others behind their state."""
    tree = {"HEARTBEAT.md": files} if isinstance(files, str) else files
    return [
        f"{'' if row.state == 'taken' else f'{row.state}: '}{row.title or 'wake-up'} | {shown(row.schedule)}"
        for row in schedule(snapshot_of(tree)).rows
    ]


TAKEN: tuple[tuple[str, list[str]], ...] = (
    # Parts of the day.
    ("- 06:00–20:00: every 10 minutes, count the boats.\n- 20:00–22:00: every 30 minutes, read the gauge.\n- 22:00–06:00: nothing.\n",
     ["count the boats | 600 06:00-20:00", "read the gauge | 1800 20:00-22:00"]),
    ("- 08:00-12:00: every 20 minutes, ring the bell\n", ["ring the bell | 1200 08:00-12:00"]),
    # A weekday that is named.
    (f"{LOOK}## Net airing (weekly, on Fridays)\n- Air them\n", ["Net airing | 0 0 * * 5"]),
    (f"{LOOK}## Rope test (weekly on Monday)\n- Pull\n", ["Rope test | 0 0 * * 1"]),
    # Exceptions stay with their task, which is the whole section.
    (f"{LOOK}### Weekday round 07:30–07:50 UTC (once a day)\n\nWalk the wall.\n\n- Only if it is 07:30–07:50 UTC\n- Skip holidays\n",
     ["Weekday round | 86400 mon tue wed thu fri 07:30-07:50 UTC"]),
    (f"{LOOK}## Tide table (daily at 6:00)\n- Read it\n- Unless the lock is shut\n", ["Tide table | 0 6 * * *"]),
    # The introduction is the wake-up, in other languages, too.
    ("Werktags alle 20 Minuten von 7 bis 19 Uhr\n\n- Tor ansehen.\n", ["wake-up | 1200 mon tue wed thu fri 07:00-19:00"]),
    ("# Rondas\n\nCada 2 horas\n\n- Mirar la compuerta\n", ["wake-up | 7200"]),
    ("# 心跳\n\n每30分钟\n\n- 看闸门\n", ["wake-up | 1800"]),
    # Places: item start, label, bracket, time label, bold lead-in, first sentence, column, comment.
    (f"{LOOK}- Every 3 hours: count\n- **Oiling (Monday 9:00)**: the hinges\n- Gauge: every day at 8:00\n",
     ["count | 10800", "Oiling: the hinges | 0 9 * * 1", "Gauge | 0 8 * * *"]),
    (f"{LOOK}## Leak watch\n- Frequency: every 3 min\n- Look\n", ["Leak watch | 180"]),
    (f"{LOOK}## Leak watch\n\nEvery 3 minutes. Look below the wall.\n", ["Leak watch | 180"]),
    (f"{LOOK}## Leak watch\n\n### Schedule\n\nEvery Friday at 7:00\n", ["Leak watch | 0 7 * * 5"]),
    (f"{LOOK}## Nets\n<!-- cron: 0 10 * * 1 -->\nMend them.\n", ["Nets | 0 10 * * 1"]),
    (f"{LOOK}| Job | When |\n|---|---|\n| Bell | daily 9:00 |\n", ["Bell | 0 9 * * *"]),
    ("tasks:\n- name: mail\n  interval: 30m\n  prompt: Read it\n", ["mail | 1800"]),
    # Several headings of the first level are no title; a time that is told twice is one, the more exact one.
    ("# Daily\n- Look\n\n# Weekly\n- Sweep\n", ["Daily | 86400", "Weekly | 604800"]),
    (f"{LOOK}## Review\n- Frequency: weekly\n- Every Monday\n- Look\n", ["Review | 0 0 * * 1"]),
    (f"{LOOK}- Weekly: air the nets\n- Every Monday: air the nets\n", ["air the nets | 0 0 * * 1"]),
    # How often is part of the name where the time follows, or stands in the heading above.
    (f"{LOOK}- Daily report: every day at 9:00\n", ["Daily report | 0 9 * * *"]),
    (f"{LOOK}## Sunday\n\n**Weekly report (8AM):** write it\n", ["Weekly report | 0 8 * * 0"]),
    ("## Heartbeat (every 30 minutes)\n- Look at the gate\n- Count\n", ["wake-up | 1800"]),
    (f"{LOOK}## 4:15 (Mo-Sa)\n- Count\n", ["4:15 (Mo-Sa) | 15 4 * * 1-6"]),
    # What follows a label in bold is an item's start.
    (f"{LOOK}- **Deep sweep:** Every 6 hours, look below the wall.\n", ["Deep sweep: look below the wall | 21600"]),
    # Days above the checklist are those of the wake-up and of each task.
    ("Weekdays only.\n\n- Every 2 hours: count the boats\n", ["count the boats | 7200 mon tue wed thu fri"]),
    # Parts with times of their own are tasks; a heading over them is none; told twice is one.
    (f"{LOOK}## Rounds (daily)\n\n- 9:00 wall\n- 21:00 gate\n", ["wall | 0 9 * * *", "gate | 0 21 * * *"]),
    (f"{LOOK}- Daily at 9:00: ring the bell\n\n## Again\n- Daily at 9:00: ring the bell\n", ["ring the bell | 0 9 * * *"]),
)  # fmt: skip

ASKED: tuple[tuple[str, list[str]], ...] = (
    # A window of times that aren't any.
    ("Every 30 minutes\n\n- Active hours: 25:00 to 99:99\n- Look at the gate\n", ["wake-up | 1800", "asked: wake-up | words"]),
    # A window in a heading's bracket that no form reads; in a log it says when it was.
    (f"{LOOK}## Morning (8-10 AM)\n- Count\n\n## Midday (12-2 PM)\n- Read\n", ["asked: Morning | words", "asked: Midday | words"]),
    (f"{LOOK}- Last day of each month, 21:00: write the summary\n", ["asked: write the summary | words"]),
    (f"{LOOK}- First Monday of the month at 9:00: air the nets\n", ["asked: air the nets | words mon"]),
    (f"{LOOK}- Every morning: open the gate\n", ["asked: open the gate | 86400"]),
    (f"{LOOK}## Report (daily at 9:00, except holidays)\n- Write\n", ["asked: Report (except holidays) | 0 9 * * *"]),
    (f"{LOOK}- Count the boats every 2 hours\n", ["asked: Count the boats | 7200"]),
    (f"{LOOK}- 9:00 ring the bell\n", ["asked: ring the bell | 0 9 * * *"]),
    ("## Every 30 minutes\n- Look at the gate\n- Count\n", ["asked: wake-up | 1800"]),
    # A heading whose words can't be read.
    (f"{LOOK}## يومياً الساعة 09:00\n- Look\n", ["asked: يومياً الساعة | words"]),
    (f"{LOOK}## Daily KPI check (Morning)\n- Count\n", ["asked: Daily KPI check | 86400"]),
    # How often the introduction speaks of, in whatever sentence it stands.
    (f"Vale keeps the lock. It runs every hour.\n\n{LOOK}", ["asked: wake-up | 3600"]),
    (f"# Rondas\n\nSe ejecuta cada hora.\n\n{LOOK}", ["asked: wake-up | 3600"]),
    (f"# Runde\n\nDie Liste wird jede Stunde gelesen.\n\n{LOOK}", ["asked: wake-up | 3600"]),
    (f"# Rounds\n\nRotate through these 2-4x/day.\n\n{LOOK}", ["asked: wake-up | 21600"]),
)  # fmt: skip

NONE: tuple[str, ...] = (
    # Reports about the past.
    f"{LOOK}### Repair log\n**When**: 2026-03-06 12:41\n- Deleted: the job that ran every minute\n- Next: 2026-03-07 03:00\n",
    f"{LOOK}## Findings (2026-02-01)\n- The pump ran every 5 minutes\n",
    f"{LOOK}## Last runs\n- Daily gate check at 9:00\n",
    # Other programs.
    f"{LOOK}# Copies (made by copy.sh)\n\nThe script saves all notes. It runs every 5 minutes and keeps 50 copies.\n",
    f"{LOOK}- The boat book is mirrored every 5 minutes\n",
    f"{LOOK}## Vault\n\nThe mirror syncs hourly; nothing to do here.\n",
    # A file of headings, which OpenClaw takes for empty.
    "# 1. Boats (every 30 minutes)\n# Look at the list.\n#\n# 2. Gate watch\n",
    "# Nets, hourly\n\n# Mend them\n",
    "## Every 2 hours\n<!-- later -->\n",
    # Fences, ages, limits, paths, paused and done lines, sentences.
    f"{LOOK}```\n0 9 * * * ring\n```\n",
    f"{LOOK}- Close boats older than 7 days\n- Ring not more often than every 2 hours\n- Write to `log/daily/x.md`\n",
    f"{LOOK}- Every 2 hours: count (paused)\n- [x] Every 3 hours: paint\n- ~~Daily at 9:00: ring~~\n",
    f"{LOOK}## Nets (max once a day)\n- Mend\n",
    f"{LOOK}- > $1.50 a day: tell the owner\n",
    f"{LOOK}## Work of 2026-03-06 17:40\n- Mended\n\n## Last look (18:25)\n- Mended\n",
    f"The pump's daemon runs every hour.\n\n{LOOK}",
)  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), [*TAKEN, *ASKED])
def test_a_time_is_taken_whole_or_asked(text: str, expected: list[str]) -> None:
    assert rows_of(text) == expected


@pytest.mark.parametrize("text", NONE)
def test_what_is_no_time_of_the_agent(text: str) -> None:
    assert rows_of(text) == []


def test_a_file_of_headings_wakes_nobody() -> None:
    assert modality_evidence(snapshot_of({"HEARTBEAT.md": NONE[6]})) == ()


def test_quiet_hours_with_an_exception_stay_words() -> None:
    def window(line: str) -> str:
        found = schedule(snapshot_of({"HEARTBEAT.md": f"- Look\n\n## Rules\n- {line}\n"}))
        return f"{found.active_start}-{found.active_end}"

    assert window("Quiet hours: 22:00-06:00") == "06:00-22:00"
    assert window("Quiet hours: 22:00-06:00, unless it is urgent") == "-"
    assert window("Night (01:00–08:00): silent unless critical") == "-"
    assert window("Active hours: 08:00-20:00") == "08:00-20:00"


def test_rows_of_other_agents_are_none_of_ours() -> None:
    table = (
        "| Agent | Job | When |\n|---|---|---|\n| Vale | Bell | daily 9:00 |\n| Rook | Horn | daily 10:00 |\n"
    )
    named = {"IDENTITY.md": "- **Name:** Vale\n", "HEARTBEAT.md": f"{LOOK}{table}"}
    assert rows_of(named) == ["Bell | 0 9 * * *"]


def test_times_elsewhere_are_listed_by_section_and_never_taken() -> None:
    files = {
        "HEARTBEAT.md": LOOK,
        "MEMORY.md": "## Jobs\n- Daily at 9:00: bell\n- Every 2 hours: horn\n",
        "AGENTS.md": "## Rounds (every 30 minutes)\n- Walk\n",
    }
    assert [row.partition(" |")[0] for row in rows_of(files)] == [
        "elsewhere: 1 time",
        "elsewhere: Jobs: 2 times",
    ]
    assert schedule(snapshot_of(files)).tasks == ()


def test_a_command_that_adds_a_job_counts_in_a_set_up_section_with_literal_values() -> None:
    command = 'openclaw cron add --name heat --cron "*/5 * * * *" --message "Heat the oven"\n'
    [task] = schedule(snapshot_of({"TOOLS.md": f"## Setup\n\n{command}"})).tasks
    assert (task.title, task.text, task.schedule.cron) == ("heat", "Heat the oven", "*/5 * * * *")
    assert rows_of({"TOOLS.md": f"## Oven\n\n{command}"}) == ["asked: heat | */5 * * * *"]
    assert rows_of({"TOOLS.md": '## Setup\n\nopenclaw cron add --name <name> --cron "0 9 * * *"\n'}) == []


def test_jobs_of_this_agent_are_taken_and_others_listed() -> None:
    jobs = [
        {"name": "mine", "schedule": {"kind": "cron", "expr": "0 9 * * *"}},
        {"name": "off", "enabled": False, "schedule": {"kind": "cron", "expr": "0 8 * * *"}},
        {"name": "once", "schedule": {"kind": "at", "at": "2026-01-01T09:00:00Z"}},
    ]
    found = rows_of({"cron/jobs.json": json.dumps({"jobs": jobs})})
    assert found == ["mine | 0 9 * * *", "off: off | 0 8 * * *", "off: once | words"]


def test_a_short_label_of_the_zone_in_a_line_with_others() -> None:
    files = {
        "HEARTBEAT.md": "- Every day at 9:00: look\n",
        "USER.md": "- **Name:** Robin · **TZ:** Europe/Moscow · two cats\n",
    }
    assert schedule(snapshot_of(files)).home_zone == "Europe/Moscow"


def changed(text: str, *changes: str) -> Schedule:
    found = schedule(snapshot_of({"HEARTBEAT.md": text}))
    return with_changes(found, read_changes(changes), is_heartbeat=True)


def test_the_schedule_is_set_changed_added_to_and_dropped() -> None:
    text = "Every 30 minutes\n\n- Every morning: open the gate\n- Daily at 9:00: ring the bell\n"
    found = changed(
        text,
        "wake-up = every 2 hours, 08:00-20:00 Europe/Berlin",
        "open the gate = daily at 6:00",
        "ring the bell = off",
        "Post = Fridays at 17:00 | Post the list",
    )
    assert shown(found) == "7200 08:00-20:00 Europe/Berlin"
    assert [(task.title, shown(task.schedule), task.first, task.text) for task in found.tasks] == [
        ("open the gate", "0 6 * * *", 3, ""),
        ("Post", "0 17 * * 5", 0, "Post the list"),
    ]
    assert [row.state for row in found.rows] == ["taken", "off", "taken", "taken"]
    with pytest.raises(UsageError):
        read_changes(["wake-up = now and then"])


@pytest.mark.parametrize(
    ("when", "expected"),
    [
        ("daily at 9:00 on tuesday, friday", "0 9 * * 2,5"),
        ("every hour on saturday", "3600 sat"),
        ("every 2 hours on monday and friday 8:00-18:00", "7200 mon fri 08:00-18:00"),
        ("9:00 on Mon, Wed and Fri", "0 9 * * 1,3,5"),
    ],
)
def test_a_decided_time_keeps_its_days(when: str, expected: str) -> None:
    (change,) = read_changes([f"Bell = {when}"])
    assert change.when is not None
    assert shown(change.when) == expected


@pytest.mark.parametrize("when", ["9:00, 17:00 on weekdays", "daily at 9:00 except sunday", "soon"])
def test_a_decided_time_that_is_not_read_whole_is_refused(when: str) -> None:
    with pytest.raises(UsageError, match="can't be read whole"):
        read_changes([f"Bell = {when}"])


def test_the_next_runs_keep_window_and_days() -> None:
    friday = date(2026, 8, 7)
    night = Schedule("interval", "", 7200, active_start="22:00", active_end="02:00", days=("fri",))
    assert next_runs(night, friday) == ("2026-08-07 22:00", "2026-08-08 00:00", "2026-08-14 22:00")
    assert next_runs(Schedule("cron", cron="0 9 1,15 * *"), friday) == (
        "2026-08-15 09:00",
        "2026-09-01 09:00",
        "2026-09-15 09:00",
    )
    assert next_runs(Schedule("words"), friday) == ()
