"""OpenClaw's modality signals, its schedule, and what is said about both (seed 000 section 5, spec/conversion.md 2.2)."""

import json
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from melleafy_tui.core.dialects.openclaw.modality import modality_evidence, modality_findings, schedule
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.models.vocabulary import Modality
from tests.rows import every_row

MakeSnapshot = Callable[..., Snapshot]


def heartbeat(**fields: object) -> str:
    return json.dumps({"agents": {"defaults": {"heartbeat": fields}}}, indent=1)


def signs(snapshot: Snapshot) -> list[tuple[str, str, str, int]]:
    return [
        (found.modality.value, found.rule, found.file, found.line) for found in modality_evidence(snapshot)
    ]


def findings(snapshot: Snapshot) -> list[tuple[str, str]]:
    return [(found.code, found.location) for found in modality_findings(snapshot)]


# --- signals -----------------------------------------------------------------------------------------


@every_row("path", ["openclaw.json", "../openclaw.json", "openclaw.json5"])
def test_heartbeat_every(path: str, snapshot_of: MakeSnapshot) -> None:
    snapshot = snapshot_of({path: heartbeat(every="30m")})
    assert signs(snapshot) == [("heartbeat", "openclaw.json heartbeat.every", path, 5)]


def test_heartbeat_without_every_is_no_signal(snapshot_of: MakeSnapshot) -> None:
    assert signs(snapshot_of({"openclaw.json": heartbeat(target="last")})) == []


@every_row("every", ["0m", "0", 0, "0h"])
def test_off_silences_the_words_of_heartbeat_md_too(every: object, snapshot_of: MakeSnapshot) -> None:
    snapshot = snapshot_of({"openclaw.json": heartbeat(every=every), "HEARTBEAT.md": "Run every 30m\n"})
    assert signs(snapshot) == []
    assert schedule(snapshot).type == ""
    assert findings(snapshot) == [("heartbeat-off", "openclaw.json:5")]


def test_an_agents_own_heartbeat_wins(snapshot_of: MakeSnapshot) -> None:
    text = """{agents: {
      defaults: {heartbeat: {every: "0m"}},
      list: [
        {id: "main"},
        {id: "ops", workspace: "~/work/agent", heartbeat: {every: "5m"}},
      ]}}"""
    snapshot = snapshot_of({"openclaw.json": text})
    assert signs(snapshot) == [("heartbeat", "openclaw.json heartbeat.every", "openclaw.json", 5)]
    assert schedule(snapshot).seconds == 300
    assert findings(snapshot) == [
        ("several-agents", "openclaw.json:5"),
        ("heartbeat-overridden", "openclaw.json:5"),
    ]


@every_row(
    ("text", "line"),
    [
        pytest.param("Run every 30m during business hours\n", 1, id="sentence"),
        pytest.param("# Heartbeat (every 30 minutes)\n\n- Read it\n", 1, id="title"),
        pytest.param("# H\n\n**Every hour**\n\n- Read it\n", 3, id="bold line"),
        pytest.param("# H\n\n## Wake-up schedule: every 2 hours\n\n- Read it\n", 3, id="heading"),
        pytest.param("# H\n\n- Cadence: 45m\n- Read it\n", 3, id="item"),
        pytest.param("```\ninterval: 30m\n```\n", 2, id="fence"),
        pytest.param("# 心跳\n\n每30分钟检查邮件\n", 3, id="Chinese"),
        pytest.param("# Пульс\n\nЗапуск каждые 30 минут\n", 3, id="Russian"),
        pytest.param("0 9 * * 1-5\n", 1, id="cron line"),
        pytest.param("Check every 2-3 hours.\n", 1, id="words that are not understood"),
        pytest.param("## Heartbeat (3x/day: 8AM, 1PM, 9PM)\n\n- Read it\n", 1, id="clock times"),
    ],
)
def test_heartbeat_md_that_declares_a_cadence(text: str, line: int, snapshot_of: MakeSnapshot) -> None:
    snapshot = snapshot_of({"HEARTBEAT.md": text})
    assert signs(snapshot) == [("heartbeat", "HEARTBEAT.md cadence", "HEARTBEAT.md", line)]
    assert schedule(snapshot).lines == str(line)
    assert not schedule(snapshot).tasks


@every_row(
    ("text", "title", "when"),
    [
        pytest.param("## Mail (every 30 minutes)\n\n- Read it\n", "Mail", 1800, id="heading"),
        pytest.param("# H\n\n- **Mail** every 4 hours\n", "Mail", 14400, id="item"),
        pytest.param(
            "# H\n\n## Goat weighing (once per day)\n\n- Weigh\n", "Goat weighing", 86400, id="once a day"
        ),
        pytest.param(
            "# H\n\n### 🧹 Barn（每 3 天一次）\n\n- Sweep\n", "🧹 Barn", 259200, id="Chinese heading"
        ),
        pytest.param("# H\n\n## Pond (max once a day)\n\n- Look\n", "Pond", 86400, id="limit"),
        pytest.param("# H\n\n- The sync script runs every 5 minutes\n", "The sync script", 300, id="subject"),
        pytest.param("# H\n\n## Milk\n\n- Check frequency: every 2 hours\n", "Milk", 7200, id="label"),
        pytest.param(
            "| Task | Frequency |\n|---|---|\n| Mail | daily |\n", "Mail", 86400, id="frequency column"
        ),
        pytest.param(
            "tasks:\n- name: mail\n  interval: 30m\n  prompt: Read it\n", "mail", 1800, id="tasks block"
        ),
        pytest.param("```\nevery 30 minutes: mail\n```\n", "mail", 1800, id="fence"),
    ],
)
def test_a_tasks_cadence_is_not_the_heartbeats(
    text: str, title: str, when: int, snapshot_of: MakeSnapshot
) -> None:
    snapshot = snapshot_of({"HEARTBEAT.md": text})
    assert [sign[:2] for sign in signs(snapshot)] == [("heartbeat", "HEARTBEAT.md content")]
    found = schedule(snapshot)
    assert (found.type, found.cadence, found.seconds) == ("", "", None)
    (task,) = found.tasks
    assert (task.title.removesuffix(" runs"), task.schedule.seconds) == (title, when)


@every_row(
    ("text", "title"),
    [
        ("- Run every 2 hours during opening hours\n", "Barn"),
        ("- Task queue: feed the goats; run every 15 minutes\n", "Task queue: feed the goats"),
        ("- Goat count: every 45 minutes on weekdays, then report\n", "Goat count"),
        ("- Check frequency: every 45 minutes\n", "Barn"),
        ("- Every 2 hours, between 9:00 and 18:00, look at the fence\n", "look at the fence"),
        ("- Mow, at most once a week\n", "Mow"),
        ("- 毎日9時に山羊を数える\n", "山羊を数える"),
        ("- Schedule: every 4 hours & before the milking\n", "Barn"),
        ("At most once a day: count the eggs:\n- brown\n- white\n", "count the eggs"),
        ("No máximo uma vez por dia: contar os ovos:\n- brancos\n", "contar os ovos"),
        ("🐐 **Schedule**: every 6 hours\n🌾 **Scope**: the herd\n", "Barn"),
    ],
)
def test_a_task_is_named_by_what_it_does(text: str, title: str, snapshot_of: MakeSnapshot) -> None:
    (task,) = schedule(snapshot_of({"HEARTBEAT.md": f"# H\n\n## Barn\n\n{text}"})).tasks
    assert task.title == title


def test_hours_that_a_task_only_mentions_are_those_of_its_section(snapshot_of: MakeSnapshot) -> None:
    text = "# H\n\n## Barn\n- Active hours: 9am-5pm\n- Every 50 minutes during active hours\n"
    (task,) = schedule(snapshot_of({"HEARTBEAT.md": text})).tasks
    assert (task.schedule.active_start, task.schedule.active_end) == ("09:00", "17:00")


def test_what_stands_around_a_task_belongs_to_it(snapshot_of: MakeSnapshot) -> None:
    text = """# H

On each heartbeat (weekdays only, PT):
1. Feed the goats

## Barn
- Active hours: Mon–Fri, 9am–5pm PT
- Check frequency: every 50 minutes
- Quiet hours: 11pm–7am PT

## Sunday rounds
**Fence walk (8AM):** all of it.
"""
    found = schedule(snapshot_of({"HEARTBEAT.md": text}))
    assert (found.cadence, found.days, found.timezone) == ("", WEEKDAYS, "America/Los_Angeles")
    barn, fence = found.tasks
    assert (barn.title, barn.schedule.seconds, barn.schedule.days) == ("Barn", 3000, WEEKDAYS)
    assert (barn.schedule.active_hours, barn.schedule.timezone) == ("09:00-17:00", "America/Los_Angeles")
    assert (fence.title, fence.schedule.cron, fence.schedule.days) == ("Fence walk", "0 8 * * 0", ("sun",))


@every_row(
    ("line", "cron", "zone"),
    [
        ("**Schedule:** Every Friday at 7:00 AM PT", "0 7 * * 5", "America/Los_Angeles"),
        ("- When: every Friday at 7:00", "0 7 * * 5", ""),
        ("**时间**：每周五 7:00", "0 7 * * 5", ""),
        ("**触发时间：** 每周五 07:00 自动运行", "0 7 * * 5", ""),
        ("**Wann:** jeden Freitag um 7:00 Uhr", "0 7 * * 5", ""),
        ("- Frecuencia: todos los viernes a las 7:00", "0 7 * * 5", ""),
    ],
)
def test_a_line_says_more_exactly_when_its_heading_is_due(
    line: str, cron: str, zone: str, snapshot_of: MakeSnapshot
) -> None:
    text = f"# H\n\n## Fence walk (weekly)\n\n{line}\n\n- Look at every post\n"
    (task,) = schedule(snapshot_of({"HEARTBEAT.md": text})).tasks
    assert (task.title, task.schedule.cron, task.schedule.timezone) == ("Fence walk", cron, zone)


def test_a_sentence_about_the_line_above_is_no_task(snapshot_of: MakeSnapshot) -> None:
    text = "# H\n\n## Goats\n\n- Open the gate\n- This is most urgent on the first heartbeat of the day\n"
    assert schedule(snapshot_of({"HEARTBEAT.md": text})).tasks == ()


def test_an_adverb_in_the_name_of_a_job_is_part_of_it(snapshot_of: MakeSnapshot) -> None:
    text = "# T\n\n## Cron jobs\n\n- **07:15 Daily Goat Count** (isolated) - to the board\n"
    (task,) = schedule(snapshot_of({"TOOLS.md": text, "HEARTBEAT.md": "# H\n\n- Feed\n"})).tasks
    assert (task.title, task.schedule.times) == ("Daily Goat Count", ("07:15",))


def test_a_paragraph_below_a_timed_heading_gives_its_clock_time(snapshot_of: MakeSnapshot) -> None:
    text = "# H\n\n## Daily maintenance\n\n**Every morning at 6:00** - job `milk`:\n\n1. Milk\n"
    (task,) = schedule(snapshot_of({"HEARTBEAT.md": text})).tasks
    assert (task.schedule.cron, task.schedule.lines) == ("0 6 * * *", "3-5")


@every_row(
    "text",
    [
        "# H\n\nAll those tasks execute on schedule, every 30 minutes.\n\n## Goats\n- Feed\n",
        "# H\n\nPlease execute all of the following tasks each 30 minutes:\n\n## Goats\n- Feed\n",
        "# H\n\n## Heartbeat protocol\n\nWhenever a heartbeat runs, every 30 minutes:\n\n1. Feed\n",
        "# H\n\n## 山羊\n- 喂\n\n## 执行\n\n以下任务每30分钟执行一次：\n\n- 喂\n",
        "# H\n\nEstas tareas se ejecutan cada 30 minutos:\n\n- Ordeñar\n",
        "# H\n\nDiese Aufgaben laufen alle 30 Minuten:\n\n- Melken\n",
        "# H\n\n## Goats\n- Feed\n\n## Fence\n- Look\n\n## Frequency\n\nEvery 30 minutes\n",
    ],
)
def test_what_is_said_of_all_tasks_is_the_wake_up(text: str, snapshot_of: MakeSnapshot) -> None:
    found = schedule(snapshot_of({"HEARTBEAT.md": text}))
    assert (found.seconds, found.tasks) == (1800, ())


def test_a_heading_that_only_says_when_belongs_to_the_task_before_it(snapshot_of: MakeSnapshot) -> None:
    text = "# H\n\n## Fence (daily)\n- Look\n\n## Goats\n- Feed\n\n## Frequency\n\nCheck every 30 minutes.\n"
    found = schedule(snapshot_of({"HEARTBEAT.md": text}))
    assert found.seconds is None
    assert [(task.title, task.schedule.seconds) for task in found.tasks] == [
        ("Fence", 86400),
        ("Goats", 1800),
    ]


@every_row(
    "text",
    [
        pytest.param("- 读一读每日笔记\n", id="a daily thing in Chinese"),
        pytest.param("- **每周记录文件**：`r/`\n", id="a folder of daily plans in Chinese"),
        pytest.param("1. 数一数过了几个工作日\n", id="weekdays that are counted in Chinese"),
        pytest.param("- 快到周末就多烤一炉\n", id="a weekend that is near in Chinese"),
        pytest.param("Plan that elsewhere (e.g. a timer every 5h).\n", id="an example after another word"),
        pytest.param("固定的活（如「每周五 7:00」）另外安排\n", id="an example in Chinese"),
        pytest.param("## Reminders (disabled)\n\n- Every 30 minutes: feed\n", id="disabled"),
        pytest.param("## 提醒（已停用）\n\n- 每30分钟：喂\n", id="disabled in Chinese"),
        pytest.param(
            "## Sync (automatic)\n\nEvery 5 minutes these are copied to the barn.\n", id="automatic"
        ),
        pytest.param("```bash\n# the daily rounds\nbash rounds.sh daily\n```\n", id="a comment in a script"),
    ],
)
def test_words_of_time_that_are_no_schedule(text: str, snapshot_of: MakeSnapshot) -> None:
    found = schedule(snapshot_of({"HEARTBEAT.md": f"# H\n\n- Feed\n\n{text}"}))
    assert (found.seconds, found.tasks) == (None, ())


def test_a_log_with_times_is_no_schedule(snapshot_of: MakeSnapshot) -> None:
    text = """# H

## Barn (daily)
- Count the goats

## Progress (2026-03-02 17:10)
- Gate: mended, next look Monday 09:30
| Part | Done |
|---|---|
| Roof | weekend work |

## Findings (17:25)
- The well is dry

## 18:05 update
- 09:00 pump (automatic)
- Report every 20 minutes until it is mended
"""
    found = schedule(snapshot_of({"HEARTBEAT.md": text}))
    assert [(task.title, task.schedule.seconds) for task in found.tasks][:1] == [("Barn", 86400)]
    assert [task.schedule.seconds for task in found.tasks[1:]] == [1200]


def test_what_is_made_and_what_is_drawn_is_no_schedule(snapshot_of: MakeSnapshot) -> None:
    text = "# H\n\n## Barn\n```\n║ WEEKLY BARN MAIL ║\n```\n- Outputs:\n  - Daily summary in `b.md`\n- Feed\n"
    assert schedule(snapshot_of({"HEARTBEAT.md": text})).tasks == ()


def test_a_task_that_waits_for_a_heartbeat_gives_it_no_zone(snapshot_of: MakeSnapshot) -> None:
    text = "# H\n\n## Weather\n- **When:** one time a day, at the first heartbeat past 06:30 ET\n"
    assert schedule(snapshot_of({"HEARTBEAT.md": text})).timezone == ""


@every_row(
    ("text", "start", "end", "quiet"),
    [
        ("- Feed\n\n## Rules\n- Late night, 22:00-06:00 PT: no bells\n", "06:00", "22:00", "22:00-06:00"),
        ("- Feed\n\n## 规则\n- 安静时间 22:00-06:00\n", "06:00", "22:00", "22:00-06:00"),
        ("- Feed\n\n## Goats\n- Late night, 22:00-06:00 PT: no bells\n", "", "", ""),
        ("## Active hours\n9:00 AM – 10:00 PM EST.\n\n## Checks\n- Feed\n", "09:00", "22:00", ""),
        ("- Feed\n- Quiet hours: 10pm–7am PT\n", "07:00", "22:00", "22:00-07:00"),
        ("- Feed\n- If 7 AM–7 PM: sing\n", "", "", ""),
    ],
)
def test_the_window_of_a_heartbeat(
    text: str, start: str, end: str, quiet: str, snapshot_of: MakeSnapshot
) -> None:
    found = schedule(snapshot_of({"HEARTBEAT.md": "# H\n\n" + text}))
    assert (found.active_start, found.active_end, found.quiet_hours) == (start, end, quiet)


@every_row(
    "text",
    [
        pytest.param("", id="empty"),
        pytest.param("# Heartbeat\n\n# Keep this file empty to skip\n", id="comments only"),
        pytest.param("# H\n\nNo tasks configured.\n", id="no tasks"),
        pytest.param("# H\n\n- 暂无任务\n", id="no tasks in Chinese"),
        pytest.param("# H\n\nНет задач\n", id="no tasks in Russian"),
        pytest.param("# H\n\n_Порожній, завдань немає_\n", id="empty in Ukrainian"),
        pytest.param("# H\n\nVacío por ahora\n", id="empty in Spanish"),
        pytest.param("<!-- every 30 minutes -->\n", id="a comment"),
        pytest.param("- Reply HEARTBEAT_OK every time\n", id="only on OpenClaw"),
    ],
)
def test_heartbeat_md_that_asks_for_nothing(text: str, snapshot_of: MakeSnapshot) -> None:
    snapshot = snapshot_of({"HEARTBEAT.md": text})
    assert signs(snapshot) == []
    assert schedule(snapshot).type == ""


@every_row(
    "text",
    [
        pytest.param("- Check mail\n- Tickets older than 7 days\n", id="ages"),
        pytest.param("<!-- every 30 minutes -->\n- Check mail\n", id="a comment above"),
        pytest.param("| Task | Note |\n|---|---|\n| 09:00 | Mail |\n", id="a clock in another column"),
        pytest.param("- Write, e.g. every 30 minutes, a line\n", id="an example"),
        pytest.param("- One nudge per topic per day max\n", id="a limit that is a rule"),
        pytest.param("- Only try once per heartbeat\n", id="once per heartbeat"),
        pytest.param("- It would be nice to check hourly\n", id="a wish"),
    ],
)
def test_content_without_a_cadence_is_a_heartbeat_without_a_schedule(
    text: str, snapshot_of: MakeSnapshot
) -> None:
    snapshot = snapshot_of({"HEARTBEAT.md": text})
    assert [sign[:2] for sign in signs(snapshot)] == [("heartbeat", "HEARTBEAT.md content")]
    found = schedule(snapshot)
    assert (found.type, found.cadence, found.seconds, found.tasks) == ("", "", None, ())


def test_jobs_with_clock_times_and_no_heartbeat_are_scheduled(snapshot_of: MakeSnapshot) -> None:
    text = """# HEARTBEAT.md - The farm's day

## Milking (6:00 AM PT weekdays)
1. Milk

## Closing (9:30 PM PT)
1. Lock the barn
"""
    snapshot = snapshot_of({"HEARTBEAT.md": text})
    assert [sign[:2] for sign in signs(snapshot)] == [("scheduled", "a task with a clock time")] * 2
    found = schedule(snapshot)
    assert [each.cron for each in (found, *found.others)] == ["30 21 * * *", "0 6 * * 1-5"]
    assert {each.timezone for each in (found, *found.others)} == {"America/Los_Angeles"}


@every_row(
    ("path", "text", "title", "when"),
    [
        pytest.param(
            "TOOLS.md", "## Cron\n\n- 05:25 Copy the ledger\n", "Copy the ledger", "25 5 * * *", id="register"
        ),
        pytest.param(
            "TOOLS.md", "- Queue: `q.jsonl`; every 2h 8AM-10PM ET\n", "Queue", 7200, id="interval with hours"
        ),
        pytest.param(
            "TOOLS.md", "## Cron\n\n- Every Sunday at 9am ET: report\n", "report", "0 9 * * 0", id="zone"
        ),
        pytest.param(
            "AGENTS.md",
            "The fence cron fires Saturday 5 PM.\n",
            "The fence",
            "0 17 * * 6",
            id="cron line",
        ),
        pytest.param(
            "SOUL.md",
            "# S\n\n### Midday look (1:00 PM PT)\n- Look\n",
            "Midday look",
            "0 13 * * *",
            id="heading",
        ),
        pytest.param(
            "AGENTS.md",
            "The cron jobs:\n\n- Weekly barn review (10AM): the roof only\n",
            "Weekly barn review",
            604_800,
            id="task within the cadence",
        ),
        pytest.param("SOUL.md", "- Daily: count the goats\n", "count the goats", 86400, id="label"),
        pytest.param(
            "AGENTS.md",
            "The rules of the mill. All of them are in `mill.md`. The wheel check cron fires Saturday 5 PM.\n",
            "The wheel check",
            "0 17 * * 6",
            id="only its own sentence names it",
        ),
        pytest.param(
            "TOOLS.md",
            "## Dairy\n\n- Store: `dairy.db`; daily 9PM weighing\n",
            "Dairy: weighing",
            "0 21 * * *",
            id="the words behind it name it",
        ),
        pytest.param(
            "TOOLS.md",
            "- Cron list: `Swap file`, Mon/Wed 5:45AM ET; the rest is old\n",
            "Cron list: Swap file",
            "45 5 * * 1,3",
            id="a zone is no name",
        ),
        pytest.param(
            "SOUL.md",
            "- **Daily digest:** the herd at 20:15 JST\n",
            "Daily digest",
            "15 20 * * *",
            id="digest",
        ),
        pytest.param(
            "AGENTS.md",
            "- Friday at 8pm EST: sweep the yard\n",
            "sweep the yard",
            "0 20 * * 5",
            id="time label",
        ),
        pytest.param(
            "AGENTS.md", "- 每周五 20:00：打扫院子\n", "打扫院子", "0 20 * * 5", id="Chinese time label"
        ),
        pytest.param(
            "AGENTS.md",
            "- Freitags um 20 Uhr: Hof fegen\n",
            "Hof fegen",
            "0 20 * * 5",
            id="German time label",
        ),
    ],
)
def test_schedules_in_other_files_are_tasks(
    path: str, text: str, title: str, when: object, snapshot_of: MakeSnapshot
) -> None:
    found = schedule(snapshot_of({"HEARTBEAT.md": "- Feed\n", path: text}))
    assert found.type == ""
    (task,) = found.tasks
    assert task.title.startswith(title)
    assert (task.schedule.seconds or task.schedule.cron, task.schedule.file) == (when, path)


@every_row(
    ("path", "text"),
    [
        ("AGENTS.md", "- **Daily notes:** `memory/YYYY-MM-DD.md`\n"),
        ("AGENTS.md", "The team meets every Monday at 10:00.\n"),
        ("AGENTS.md", "The folder syncs automatically, cron every 2h.\n"),
        ("AGENTS.md", "Every cron job runs at least once a week.\n"),
        ("USER.md", "- Wakes up daily at 7:00\n"),
        ("TOOLS.md", "The mill (built 2019, 10:30 tour) is old.\n"),
        ("AGENTS.md", "- Thursday at 7pm PT: when the miller asks, sweep the yard\n"),
    ],
)
def test_times_in_other_files_that_are_no_schedule(path: str, text: str, snapshot_of: MakeSnapshot) -> None:
    assert schedule(snapshot_of({"HEARTBEAT.md": "- Feed\n", path: text})).tasks == ()


def test_a_heartbeat_in_a_register_of_jobs_is_the_wake_up(snapshot_of: MakeSnapshot) -> None:
    text = "## 排程\n\n- **08:00 早報**\n- ***/20 07-21 Heartbeat**（main）— 安靜優先\n"
    found = schedule(snapshot_of({"HEARTBEAT.md": "- Feed\n", "TOOLS.md": text}))
    assert (found.seconds, found.active_hours, found.lines) == (1200, "07:00-21:00", "4")
    assert [task.schedule.cron for task in found.tasks] == ["0 8 * * *"]


def test_sources_that_disagree_are_a_finding(snapshot_of: MakeSnapshot) -> None:
    files = {"openclaw.json": heartbeat(every="30m"), "HEARTBEAT.md": "# H\n\nRuns every hour.\n"}
    snapshot = snapshot_of(files)
    (finding,) = modality_findings(snapshot)
    assert (finding.code, finding.location) == ("wake-ups-disagree", "HEARTBEAT.md:3")
    assert "every hour" in finding.message
    assert "openclaw.json:5" in finding.message
    assert schedule(snapshot).seconds == 1800
    same = files | {"HEARTBEAT.md": "Runs every 30 minutes.\n"}
    assert findings(snapshot_of(same)) == []


def test_several_wake_ups_are_a_list(snapshot_of: MakeSnapshot) -> None:
    text = "# H\n\n- Heartbeat on weekdays at 9am\n- Heartbeat every Sunday at 18:00\n"
    found = schedule(snapshot_of({"HEARTBEAT.md": text}))
    assert [each.cron for each in (found, *found.others)] == ["0 9 * * 1-5", "0 18 * * 0"]


def test_a_job_with_a_clock_time_needs_no_heartbeat(snapshot_of: MakeSnapshot) -> None:
    snapshot = snapshot_of({"AGENTS.md": "## Cron jobs\n\n- 05:25 Copy the ledger\n", "SOUL.md": "s"})
    assert [sign[:2] for sign in signs(snapshot)] == [("scheduled", "a task with a clock time")]
    assert schedule(snapshot).cron == "25 5 * * *"


def test_a_cadence_in_another_file_is_none(snapshot_of: MakeSnapshot) -> None:
    assert signs(snapshot_of({"AGENTS.md": "Check in every 30 minutes.\n", "SOUL.md": "hourly\n"})) == []


@every_row("path", ["HOOK.md", "hooks/mail/HOOK.md"])
def test_hook_files(path: str, snapshot_of: MakeSnapshot) -> None:
    assert signs(snapshot_of({path: "# Hook\n"})) == [("event_triggered", "HOOK.md", path, 0)]


def test_hook_files_elsewhere_are_none(snapshot_of: MakeSnapshot) -> None:
    assert signs(snapshot_of({}, names=("skills/x/HOOK.md", "hooks/a/b/HOOK.md"))) == []


@every_row(
    ("hooks", "line"),
    [
        pytest.param('{"internal": {"entries": {\n"mail": {}}}}', 3, id="internal entries"),
        pytest.param('{"entries": {\n"mail": {"enabled": true}}}', 3, id="entries"),
        pytest.param('{"mappings": [\n{"match": {"path": "x"}}]}', 3, id="webhook mappings"),
        pytest.param('[\n{"name": "mail"}]', 3, id="list"),
    ],
)
def test_hooks_of_the_configuration(hooks: str, line: int, snapshot_of: MakeSnapshot) -> None:
    snapshot = snapshot_of({"openclaw.json": f'{{\n"hooks": {hooks}}}'})
    assert signs(snapshot) == [("event_triggered", "openclaw.json hooks", "openclaw.json", line)]


def test_a_hook_that_is_switched_off(snapshot_of: MakeSnapshot) -> None:
    text = '{"hooks": {"internal": {"entries": {"mail": {"enabled": false}}}}}'
    assert signs(snapshot_of({"openclaw.json": text})) == []


def test_boot_md_runs_on_an_event(snapshot_of: MakeSnapshot) -> None:
    assert signs(snapshot_of({"BOOT.md": "- Say hello\n"})) == [("event_triggered", "BOOT.md", "BOOT.md", 0)]
    assert signs(snapshot_of({"BOOT.md": "\n"})) == []


def test_every_session_start_is_an_event(snapshot_of: MakeSnapshot) -> None:
    snapshot = snapshot_of({"HEARTBEAT.md": "At every session start, read the log.\n"})
    assert signs(snapshot) == [("event_triggered", "HEARTBEAT.md event", "HEARTBEAT.md", 1)]


@every_row(
    "path", ["AGENTS.md", "TOOLS.md", "HEARTBEAT.md", "memory-wiki/concepts/x.md", "skills/x/SKILL.md"]
)
def test_openclaw_cron_add_anywhere_in_the_inventoried_text(path: str, snapshot_of: MakeSnapshot) -> None:
    snapshot = snapshot_of({path: "# X\n\nRun `openclaw cron add --name brief` once.\n"})
    assert ("scheduled", "openclaw cron add", path, 3) in signs(snapshot)


@every_row(
    ("path", "text"),
    [
        ("README.md", "openclaw cron add"),
        ("AGENTS.md", "openclaw cron list"),
        ("AGENTS.md", "add a cron job"),
    ],
)
def test_what_is_no_cron_add(path: str, text: str, snapshot_of: MakeSnapshot) -> None:
    assert signs(snapshot_of({path: text})) == []


WEEKDAYS = ("mon", "tue", "wed", "thu", "fri")
JOBS = """{"jobs": [
 {"name": "brief", "schedule": {"kind": "cron", "expr": "0 9 * * 1-5", "tz": "Europe/Dublin"}},
 {"name": "poll", "schedule": {"kind": "every", "everyMs": 900000}},
 {"name": "off", "enabled": false, "schedule": {"kind": "every", "everyMs": 1000}}
]}"""


def test_cron_jobs(snapshot_of: MakeSnapshot) -> None:
    snapshot = snapshot_of({"cron/jobs.json": JOBS})
    assert signs(snapshot) == [
        ("scheduled", "cron/jobs.json", "cron/jobs.json", 2),
        ("scheduled", "cron/jobs.json", "cron/jobs.json", 3),
    ]
    found = schedule(snapshot)
    assert (found.seconds, found.cadence, found.file, found.lines) == (900, "15m", "cron/jobs.json", "3")
    (other,) = found.others
    assert (other.cron, other.timezone, other.lines) == ("0 9 * * 1-5", "Europe/Dublin", "2")
    assert [task.title for task in found.tasks] == ["brief", "poll"]


def test_jobs_beside_a_heartbeat_are_tasks(snapshot_of: MakeSnapshot) -> None:
    found = schedule(snapshot_of({"../cron/jobs.json": JOBS, "HEARTBEAT.md": "Run every 30m\n"}))
    assert (found.seconds, found.others) == (1800, ())
    assert [(task.title, task.schedule.file) for task in found.tasks] == [
        ("brief", "../cron/jobs.json"),
        ("poll", "../cron/jobs.json"),
    ]


@every_row(
    ("folder", "names"),
    [
        ("workspace", ["own", "unnamed"]),
        ("workspace-mill", ["mill's"]),
        ("workspace-barn", ["unnamed"]),
        ("farm", None),
    ],
)
def test_jobs_of_other_agents_are_told_by_the_folder(
    folder: str, names: list[str] | None, snapshot_of: MakeSnapshot
) -> None:
    jobs = [
        {"name": "own", "agentId": "main", "schedule": {"kind": "every", "everyMs": 900_000}},
        {"name": "unnamed", "schedule": {"kind": "every", "everyMs": 900_000}},
        {"name": "mill's", "agentId": "mill", "schedule": {"kind": "every", "everyMs": 900_000}},
    ]
    snapshot = snapshot_of({"../cron/jobs.json": json.dumps({"jobs": jobs}), "HEARTBEAT.md": "- Feed\n"})
    found = schedule(replace(snapshot, name=folder))
    assert [task.title for task in found.tasks] == (names or ["own", "unnamed", "mill's"])


def test_signals_come_in_order_of_precedence(snapshot_of: MakeSnapshot) -> None:
    snapshot = snapshot_of(
        {
            "HOOK.md": "h",
            "AGENTS.md": "openclaw cron add",
            "HEARTBEAT.md": "every hour\n",
            "openclaw.json": heartbeat(every="1h"),
        }
    )
    found = [sign[0] for sign in signs(snapshot)]
    assert found == ["heartbeat", "heartbeat", "event_triggered", "scheduled"]
    assert list(Modality)[:3] == [Modality.HEARTBEAT, Modality.EVENT_TRIGGERED, Modality.SCHEDULED]


# --- schedule ----------------------------------------------------------------------------------------


@every_row(
    ("every", "kind", "seconds", "cadence"),
    [
        ("30m", "interval", 1_800, "30m"),
        ("1h30m", "interval", 5_400, "1h30m"),
        (15, "interval", 900, "15m"),
        ("often", "words", None, "often"),
        ("${HEARTBEAT_EVERY}", "words", None, "${HEARTBEAT_EVERY}"),
    ],
)
def test_schedule_of_the_configuration(
    every: object, kind: str, seconds: int | None, cadence: str, snapshot_of: MakeSnapshot
) -> None:
    found = schedule(
        snapshot_of({"openclaw.json": heartbeat(every=every), "HEARTBEAT.md": "every 5 minutes\n"})
    )
    assert (found.type, found.seconds, found.cadence) == (kind, seconds, cadence)
    assert (found.file, found.lines) == ("openclaw.json", "5")


def test_the_window_of_the_configuration(snapshot_of: MakeSnapshot) -> None:
    hours = {"start": "9:00", "end": "18:00", "timezone": "Europe/Dublin"}
    snapshot = snapshot_of({"openclaw.json": heartbeat(every="30m", activeHours=hours)})
    found = schedule(snapshot)
    assert (found.active_hours, found.active_start, found.active_end) == ("09:00-18:00", "09:00", "18:00")
    assert found.timezone == "Europe/Dublin"
    assert findings(snapshot) == [("active-hours-normalised", "openclaw.json:6-10")]


@every_row(("zone", "expected"), [("user", "Asia/Tokyo"), ("", "Asia/Tokyo"), ("local", ""), ("UTC", "UTC")])
def test_the_users_time_zone(zone: str, expected: str, snapshot_of: MakeSnapshot) -> None:
    beat = {"every": "1h", "activeHours": {"start": "09:00", "end": "18:00", "timezone": zone}}
    text = json.dumps({"agents": {"defaults": {"userTimezone": "Asia/Tokyo", "heartbeat": beat}}})
    assert schedule(snapshot_of({"openclaw.json": text})).timezone == expected


def test_the_window_in_words_beside_an_interval_in_the_configuration(snapshot_of: MakeSnapshot) -> None:
    found = schedule(
        snapshot_of(
            {"openclaw.json": heartbeat(every="30m"), "HEARTBEAT.md": "Run every 30m during business hours\n"}
        )
    )
    assert (found.cadence, found.active_hours, found.file) == ("30m", "business hours", "openclaw.json")


def test_the_window_of_the_configuration_beside_a_cadence_in_words(snapshot_of: MakeSnapshot) -> None:
    found = schedule(
        snapshot_of(
            {"openclaw.json": heartbeat(activeHours="09:00-18:00"), "HEARTBEAT.md": "Run every 30m\n"}
        )
    )
    assert (found.cadence, found.active_hours, found.file) == ("30m", "09:00-18:00", "HEARTBEAT.md")


@every_row(
    ("line", "kind", "meaning"),
    [
        ('openclaw cron add --cron "0 9 * * *" --name x', "cron", "0 9 * * *"),
        ("openclaw cron add --every 30m", "interval", "1800"),
        ("openclaw cron add --name x", "", ""),
    ],
)
def test_schedule_of_a_mentioned_cron_job(
    line: str, kind: str, meaning: str, snapshot_of: MakeSnapshot
) -> None:
    found = schedule(snapshot_of({"AGENTS.md": line}))
    assert found.type == kind
    assert (found.cron or str(found.seconds or "")) == meaning


LEDGER = "## Recurring tasks\n\n1. **Every 2 hours**: count the till\n2. **Every Monday 10:00**: bake for the week\n"


@every_row(
    ("files", "titles"),
    [
        ({"skills/oven/SKILL.md": 'openclaw cron add --name heat --cron "*/5 * * * *"'}, []),
        ({"memory-wiki/concepts/oven.md": 'openclaw cron add --name heat --cron "*/5 * * * *"'}, []),
        ({"TOOLS.md": 'openclaw cron add --name heat --cron "*/5 * * * *"'}, ["heat"]),
        ({"TOOLS.md": '```\nopenclaw cron add \\\n  --name heat \\\n  --cron "*/5 * * * *"\n```'}, ["heat"]),
        ({"TOOLS.md": 'openclaw cron add --name till --every "2h"'}, []),
        (
            {"HEARTBEAT.md": "- Look at the oven\n", "TOOLS.md": "openclaw cron add --name heat --every 5m"},
            ["heat"],
        ),
    ],
)
def test_tasks_of_the_text_stay_beside_commands_for_jobs(
    files: dict[str, str], titles: list[str], snapshot_of: MakeSnapshot
) -> None:
    """An example in a skill or a wiki page is no job of the agent, and one that the text has counts once."""
    found = [task.title for task in schedule(snapshot_of({"AGENTS.md": LEDGER, **files})).tasks]
    assert found == ["count the till", "bake for the week", *titles]


def test_no_schedule(snapshot_of: MakeSnapshot) -> None:
    assert schedule(snapshot_of({"SOUL.md": "s"})).type == ""


# --- findings ----------------------------------------------------------------------------------------


@every_row(
    ("fields", "code"),
    [
        ({"every": "often"}, "cadence-not-understood"),
        ({"every": "0m"}, "heartbeat-off"),
        ({"activeHours": "dawn till dusk"}, "active-hours-not-understood"),
        ({"activeHours": {"start": "08:00", "end": "08:00"}}, "active-hours-never"),
        ({"activeHours": [9, 18]}, "active-hours-normalised"),
    ],
)
def test_findings_about_the_heartbeat(
    fields: dict[str, object], code: str, snapshot_of: MakeSnapshot
) -> None:
    found = modality_findings(snapshot_of({"openclaw.json": heartbeat(**fields)}))
    assert [finding.code for finding in found] == [code]
    assert found[0].lines.partition("-")[0] == "5"


def test_nothing_to_say_about_a_plain_heartbeat(snapshot_of: MakeSnapshot) -> None:
    fields = {"every": "30m", "activeHours": {"start": "09:00", "end": "18:00"}}
    assert findings(snapshot_of({"openclaw.json": heartbeat(**fields)})) == []


@every_row("path", ["openclaw.json", "../openclaw.json", "cron/jobs.json"])
def test_syntax_errors_have_their_place(path: str, snapshot_of: MakeSnapshot) -> None:
    snapshot = snapshot_of({path: '{\n "a": `x`\n}'})
    (finding,) = modality_findings(snapshot)
    assert (finding.code, finding.location) == ("json-syntax", f"{path}:2")
    assert "line 2, column 7" in finding.message
    assert signs(snapshot) == []


def test_a_cadence_in_words_is_named(snapshot_of: MakeSnapshot) -> None:
    snapshot = snapshot_of({"HEARTBEAT.md": "# H\n\nCheck every few hours.\n"})
    assert findings(snapshot) == [("cadence-not-understood", "HEARTBEAT.md:3")]


def test_a_secret_where_an_interval_should_be_is_not_quoted(snapshot_of: MakeSnapshot) -> None:
    value = "ghp_" + "a1B2" * 9
    (finding,) = modality_findings(snapshot_of({"openclaw.json": heartbeat(every=value)}))
    assert value not in finding.message
