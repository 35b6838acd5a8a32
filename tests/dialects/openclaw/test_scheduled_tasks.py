"""What is scheduled, by which name and with whose lines: forms that were met in public workspaces, in our own words."""

from datetime import date
from pathlib import Path

from melleafy_tui.core.dialects.openclaw.modality import modality_evidence, schedule
from melleafy_tui.core.models.classification import Schedule
from melleafy_tui.engine import open_conversion
from melleafy_tui.generators.schedule_rows import task_rows
from tests.dialects.openclaw.in_memory import snapshot_of

NAMES: tuple[tuple[str, str, list[str]], ...] = (
    ("HEARTBEAT.md", "## Daily tide check (7:30 AM PT, weekdays)\n- Read the gauge\n",
     ["Daily tide check | 7:30 AM PT, weekdays | 30 7 * * 1-5 America/Los_Angeles"]),
    ("HEARTBEAT.md", "## 3. Leak watch\n- Frequency: every 3 min\n", ["Leak watch | every 3 min | 180"]),
    ("HEARTBEAT.md", "## Weekly review\n- Read the log\n", ["Weekly review | Weekly | 604800"]),
    ("HEARTBEAT.md", "### 每周回顾\n- 读日志\n", ["每周回顾 | 每周 | 604800"]),
    ("HEARTBEAT.md", "- Weekly, look at the hinges\n", ["look at the hinges | Weekly | 604800"]),
    ("AGENTS.md", "- Deferred boats: boats that wait → `boats.jsonl` with their draught. Cron picks up every 30 min.\n",
     ["Deferred boats | every 30 min | 1800"]),
    ("AGENTS.md", "- Weekly rope test cron fires Sunday 6 PM (in the shed).\n",
     ["Weekly rope test | Sunday 6 PM | 0 18 * * 0"]),
    ("AGENTS.md", "- Daily gate review (10AM cron) | Weekly lock audit (Sunday synthesis) | Rope book: `ropes.md`\n",
     ["Daily gate review | 10AM cron | 0 10 * * *", "Weekly lock audit | Sunday synthesis | 0 0 * * 0"]),
    ("AGENTS.md", "## 定时任务\n\n### 东门（老）\n- 04:15 写下水位\n- 08:30 早晨总览（船 + 闸门）\n",
     ["写下水位 | 04:15 | 15 4 * * *", "早晨总览 | 08:30 | 30 8 * * *"]),
    # A label of one word is named by its heading; alone, it makes the section the task.
    ("HEARTBEAT.md", "## Rope store\n- Review: every 3 days\n- Action: count the ropes\n",
     ["Rope store | every 3 days | 259200"]),
    ("HEARTBEAT.md", "## Rope store\n- Count: every 3 days\n- Airing: every 2 days\n",
     ["Rope store: Count | every 3 days | 259200", "Rope store: Airing | every 2 days | 172800"]),
    # How often in the name and the time in brackets; what each wake-up takes a part of; a label over a time of day.
    ("HEARTBEAT.md", "## 每日检查（每天 09:00）\n- 看闸门\n", ["每日检查 | 每天 09:00 | 0 9 * * *"]),
    ("HEARTBEAT.md", "### 周日晚检查闸门（周日21:00）\n- 看水位\n", ["周日晚检查闸门 | 周日21:00 | 0 21 * * 0"]),
    ("AGENTS.md", "### Rope test every Sunday evening (Sunday 21:00)\n- Pull\n",
     ["Rope test every Sunday evening | Sunday 21:00 | 0 21 * * 0"]),
    ("AGENTS.md", "### Ping the lock every 30 minutes (from 9:00)\n- Pull\n",
     ["Ping the lock | every 30 minutes (from 9:00) | 1800"]),
    # A heading that only sums up those below it is no task.
    ("AGENTS.md", "## Rounds (daily/weekly)\n\n### Tide book (daily at 22:00)\nWrite.\n\n### Gate round (Sunday 21:00)\nWalk.\n",
     ["Tide book | daily at 22:00 | 0 22 * * *", "Gate round | Sunday 21:00 | 0 21 * * 0"]),
    ("HEARTBEAT.md", "## Daily lock question\nAsk the keeper one.\n", ["Daily lock question | Daily | 86400"]),
    ("HEARTBEAT.md", "## Periodic checks (rotate through these, 2-4x/day)\n- Count the boats\n",
     ["Periodic checks | 2-4x/day | 21600"]),
    ("SOUL.md", "## The crew\n- 值班交接时间：每日 23:00 UTC\n", ["值班交接时间 | 每日 23:00 | 0 23 * * * UTC"]),
    ("SOUL.md", "## The crew\n- 值班时间：每日 9:00-18:00\n", []),
    # What a service does by itself is no job of the agent.
    ("TOOLS.md", "## Vault\n- **Auto-sync:** daily at 6 AM UTC\n", []),
    ("TOOLS.md", "## Vault\n- **Auto-copy:** a cron job every 5 minutes\n", ["Auto-copy: a cron job | every 5 minutes | 300"]),
    ("HEARTBEAT.md", "## Scheduled tasks\n- Tide report: every day at 9:00\n", ["Tide report | every day at 9:00 | 0 9 * * *"]),
)  # fmt: skip

LABELS = (
    ("HEARTBEAT.md", "## 任务\n\n### 2. 每日潮汐报告\n- 触发: 15:30 (周一至周五)\n- 任务: 读水位\n",
     ["每日潮汐报告 | 15:30 | 30 15 * * 1-5"]),
    ("HEARTBEAT.md", "## 闸门检查\n- 触发: 周六 10:00\n- 任务: 每周六看一次铰链\n", ["闸门检查 | 周六 10:00 | 0 10 * * 6"]),
    ("HEARTBEAT.md", "## Gate check\n- Runs: every 4 hours\n- Look at the hinges\n", ["Gate check | every 4 hours | 14400"]),
    ("HEARTBEAT.md", "## Gate check\n- Cron: `0 6 * * *`\n- Look at the hinges\n", ["Gate check | 0 6 * * * | 0 6 * * *"]),
)  # fmt: skip

NOT_IN_FORCE: tuple[tuple[str, str, list[str]], ...] = (
    # Examples, suggestions and templates.
    ("HEARTBEAT.md", "- Look at the gate\n\n## Example tasks\n- Count the boats every 2 hours\n", []),
    ("HEARTBEAT.md", "- Look at the gate\n\nTo switch more on, add lines such as these:\n\n- Count the boats every 2 hours\n", []),
    ("HEARTBEAT.md", "- Look at the gate\n\n## 可添加的检查任务\n\n根据需要，可以添加以下定期检查：\n\n| 检查项 | 频率 |\n|---|---|\n| 船只 | 每小时 |\n", []),
    ("HEARTBEAT.md", "- Look at the gate\n\n## Proposed checks\n\n| Check | Every |\n|---|---|\n| Boats | 2 hours |\n", []),
    # What is switched off, planned or given up.
    ("HEARTBEAT.md", "- Look at the gate\n- ~~Count the boats every 2 hours~~\n", []),
    ("HEARTBEAT.md", "- Look at the gate\n- Count the boats every 2 hours (paused until May)\n", []),
    ("HEARTBEAT.md", "- Look at the gate\n- [DISABLED] Count the boats every 2 hours\n", []),
    ("HEARTBEAT.md", "- Look at the gate\n\n## Boat count (every 2 hours)\nStatus: disabled\n- Count\n", []),
    ("HEARTBEAT.md", "- Look at the gate\n\n## Retired checks\n- Count the boats every 2 hours\n", []),
    ("HEARTBEAT.md", "- Look at the gate\n\n## Planned\n- Count the boats every 2 hours\n", []),
    ("AGENTS.md", "- Look at the gate\n\n## 示例（每日船报）\n\n每日船报按此写：\n", []),
    ("AGENTS.md", "**Example — a boat that waits:**\nKeeper: \"Ring me every day at 9:00 PM, by cron.\"\n", []),
    # Late at night little is done; what a mirror does by itself, and things named by how often, are no tasks.
    ("HEARTBEAT.md", "- Look at the gate\n\n## Rules\n- Late night (23:00-08:00): ring for a leak only\n", []),
    ("AGENTS.md", "The boat book is mirrored every 5 minutes via cron.\n", []),
    ("HEARTBEAT.md", "- Look at the gate\n- 收到消息后生成每日船报并发送\n- 船报：每日一句（不重复）\n", []),
    # A date and a rule of three numbers are no windows.
    ("AGENTS.md", "## 定时任务\n\n- 每日船报 - 六条规则（2026-03-07 定）\n", ["船报 | 每日 | 86400"]),
    ("HEARTBEAT.md", "## Eyes\n### Rest (20-20-20)\n- **Every 20 minutes** - look at the far bank\n",
     ["look at the far bank | Every 20 minutes | 1200"]),
    # Clock times before a dash are times of each day below a heading for reminders; elsewhere they are a log.
    ("HEARTBEAT.md", "- Look at the gate\n\n## Reminders\n- **09:30** - drink\n- **11:00** - stretch\n",
     ["drink | 09:30 | 30 9 * * *", "stretch | 11:00 | 0 11 * * *"]),
    ("HEARTBEAT.md", "- Look at the gate\n\n## Notes\n- **09:30** - boats counted\n", []),
    ("AGENTS.md", "## Cron: boat report\n\nTriggered:\n- every day at 19:00 (if the gate is open)\n",
     ["Cron: boat report | every day at 19:00 | 0 19 * * *"]),
    # Days before a window only say when it holds.
    ("HEARTBEAT.md", "## 潮汐（每次心跳）\n工作日 09:00-18:00，看未来两小时的潮汐。\n", []),
    ("HEARTBEAT.md", "- Look at the gate\n- Weekdays 9:00-18:00, look at the tide\n", []),
    # Several jobs on one line.
    ("AGENTS.md", "## Cron\ncopy 02:00 / tide-report 23:30\n", ["Cron: copy | 02:00 | 0 2 * * *", "Cron: tide-report | 23:30 | 30 23 * * *"]),
    # A switch is no task; one that is off stops the task that it names.
    ("HEARTBEAT.md", "- Look at the gate\n\n## Daily boat brief (once per day)\n- Count\n\n## Settings\n- Daily brief enabled: `no`\n", []),
    ("HEARTBEAT.md", "- Look at the gate\n\n## Daily boat brief (once per day)\n- Count\n\n## Settings\n- Daily brief enabled: yes\n",
     ["Daily boat brief | once per day | 86400"]),
    ("AGENTS.md", "## Cron jobs\n\n| Job | When | Status |\n|---|---|---|\n| Bell | 9:00 | active |\n| Horn | 10:00 | paused |\n",
     ["Bell | 9:00 | 0 9 * * *"]),
    ("AGENTS.md", "## Cron jobs\n\n| Job | When | |\n|---|---|---|\n| Bell | 9:00 | ✅ |\n| Horn | 10:00 | ❌ off |\n",
     ["Bell | 9:00 | 0 9 * * *"]),
    # What a table of changes compares.
    ("HEARTBEAT.md", "- Look at the gate\n\n| What | Before | After |\n|---|---|---|\n| Heartbeat | every 3 hours | hourly |\n", []),
    ("HEARTBEAT.md", "- 看闸门\n\n| 项 | 调整前 | 调整后 |\n|---|---|---|\n| 船只 | 每 3 小时 | 每小时 |\n", []),
    ("HEARTBEAT.md", "## Suggested checks\n- Count the boats every 2 hours\n- 🚫 BLOCKED → ask the skipper\n",
     ["Count the boats | every 2 hours | 7200"]),
    # How long something is kept or may take is no cadence.
    ("HEARTBEAT.md", "| Check | TTL | Reason |\n|---|---|---|\n| boats | 5 min | slow |\n| gates | 2 min | fast |\n", []),
    ("HEARTBEAT.md", "| Check | Interval |\n|---|---|\n| boats | 5 min |\n", ["boats | 5 min | 300"]),
    # In a list of jobs brackets hold how often, and an arrow leads from the time to the work; elsewhere they don't.
    ("TOOLS.md", "## Scheduled Jobs\n- Net watch (4h) | Tide digest (Sun 9am)\n- Gate check (30 min)\n",
     ["Net watch | 4h | 14400", "Tide digest | Sun 9am | 0 9 * * 0", "Gate check | 30 min | 1800"]),
    ("AGENTS.md", "## Cron Jobs\n- **gate-brief**: 7:00 Berlin → lists the boats\n- tide-watch: 18:30 → reads the gauge\n",
     ["gate-brief | 7:00 Berlin | 0 7 * * * Europe/Berlin", "tide-watch | 18:30 | 30 18 * * *"]),
    ("AGENTS.md", "## Cron Jobs\n- gate-brief: 7:00 Harbourside → lists the boats\n- Lunch: 12:00 → 13:00\n", []),
    ("AGENTS.md", "## Schedule of the day\n- Crew meeting (2h)\n- Gate: 7:00 → opened by hand\n", []),
    # A task's cron line in a comment below its heading says more than the heading.
    ("HEARTBEAT.md", "## Gate check, daily\n<!-- cron: 0 9 * * 1-6 -->\nLook at it.\n\n## Nets\n<!-- cron: 0 10 * * 1 -->\nMend them.\n",
     ["Gate check | 0 9 * * 1-6 | 0 9 * * 1-6", "Nets | 0 10 * * 1 | 0 10 * * 1"]),
    ("HEARTBEAT.md", "- Look at the gate\n\n<!-- cron: 0 9 * * 1-6 -->\n", []),
)  # fmt: skip

MEMORY = (
    "## Cron jobs\n\n| Job | When | State |\n|---|---|---|\n| Daily copy | 03:00 Mon to Fri | ✅ set up |\n"
)
MEMORIES: tuple[tuple[dict[str, str], list[str]], ...] = (
    ({"MEMORY.md": MEMORY}, ["Daily copy | 03:00 Mon to Fri | 0 3 * * 1-5"]),
    (
        {"MEMORY.md": MEMORY, "AGENTS.md": "## Cron jobs\n- 9:00 ring the bell\n"},
        ["ring the bell | 9:00 | 0 9 * * *"],
    ),
    (
        {"MEMORY.md": "## Harbour\n- Cron jobs: copy (6h), tide report (Fri 18:00 CET), bell (08:00 CET)\n"},
        [
            "copy | 6h | 21600",
            "tide report | Fri 18:00 | 0 18 * * 5 Europe/Paris",
            "bell | 08:00 | 0 8 * * * Europe/Paris",
        ],
    ),
    (
        {
            "MEMORY.md": "## Automations set up in May\n\n- **06:00 UTC (07:00 local)** - Tide research\n"
            "- **09:00 UTC (10:00 local)** - Gate review (Tuesday & Friday)\n"
        },
        ["Tide research | 06:00 | 0 6 * * * UTC", "Gate review | 09:00 | 0 9 * * 2,5 UTC"],
    ),
    (
        {
            "MEMORY.md": "## Systems\n\n| System | Schedule |\n|---|---|\n| Gate report | Sundays 10 AM UTC (cron) |\n"
            "\n## Again\n\n| System | Schedule |\n|---|---|\n| Gate report | Sundays 10 AM UTC (cron) |\n"
        },
        ["Gate report | Sundays 10 AM | 0 10 * * 0 UTC"],
    ),
    (
        {"MEMORY.md": "## Cron jobs (as of 2026-03-06)\n- 9:00 ring the bell\n"},
        ["ring the bell | 9:00 | 0 9 * * *"],
    ),
    ({"MEMORY.md": "## Meetings\n\n| Who | When |\n|---|---|\n| The keeper | Sundays 10 AM |\n"}, []),
    ({"MEMORY.md": "## 2026-03-11: cron jobs\n- 9:00 ring the bell\n"}, []),
    ({"MEMORY.md": "## Lessons\n- Cron jobs run at 9:00, never earlier\n"}, []),
)
"""Files, and the tasks that are read of them: MEMORY.md's only if nothing else lists jobs."""

MISREAD: tuple[tuple[str, str, list[str]], ...] = (
    # A row is named by what it is about, not by the id of the job; a cell of a name and its time has both.
    ("AGENTS.md", "## Cron jobs\n| ID | 名称 | 频率 |\n|---|---|---|\n| 6dc015c5 | 看闸门 | 每天 02:00 |\n",
     ["看闸门 | 每天 02:00 | 0 2 * * *"]),
    ("HEARTBEAT.md", "## Models\n| Kind | Model |\n|---|---|\n| Boat watch (every 30 minutes) | `small` |\n",
     ["Boat watch | every 30 minutes | 1800"]),
    ("HEARTBEAT.md", "## Models\n| Kind | Model |\n|---|---|\n| Weekly boat review | `small` |\n",
     ["Weekly boat review | Weekly | 604800"]),
    # When something was mended, what there is none of, and what a branch, condition, path or plan only names.
    ("HEARTBEAT.md", "- Look\n\n**2026-04-28 repairs**:\n| Problem | Repair | Time |\n|---|---|---|\n| Gate | oil | 18:52 |\n", []),
    ("HEARTBEAT.md", "- 看闸门\n\n## 每日任务提醒\n\n无固定每日任务。\n", []),
    ("HEARTBEAT.md", "- Look\n\n```\nif today is Monday:\n    run the weekly gate check\nelse:\n    skip the daily count\n```\n", []),
    ("HEARTBEAT.md", "- 看闸门\n\n## 安静\n\n当以下情况时不要打扰：\n- 每日监控无异常\n", []),
    ("HEARTBEAT.md", "- 读 `日志\\每日闸门\\a.md` 的内容\n", []),
    ("TOOLS.md", "## The net\nThe cron job that counts every day failed for want of oil.\n", []),
    ("TOOLS.md", "### 路线图\n- 5 天：修改 cron 任务（每日反思）\n", []),
    # How many times in a range, a clock time behind half of the day or behind the name, the zone before a window.
    ("HEARTBEAT.md", "## 潮汐检查（每天2-3次）\n- 看水位\n", ["潮汐检查 | 每天2-3次 | 28800"]),
    ("HEARTBEAT.md", "- 每天晚10点 集中汇报\n", ["集中汇报 | 每天晚10点 | 0 22 * * *"]),
    ("HEARTBEAT.md", "## 排程\n- **每日巡船** 09:00 — 数船\n- 精读 - 每天 7:00 - 书\n",
     ["每日巡船 | 09:00 | 0 9 * * *", "精读 | 每天 7:00 | 0 7 * * *"]),
    ("HEARTBEAT.md", "## Watch\n- **Morning (UTC 06:00-12:00):** boats\n", ["boats | Morning | 86400 06:00-12:00 UTC"]),
)  # fmt: skip

OFF = (
    "The heartbeat is disabled for now.\n\n- Count the boats every 2 hours\n",
    "**Status:** heartbeat paused\n\n- Count the boats every 2 hours\n",
    "当前未开启定期心跳检查。\n\n需要开启时，按以下结构添加：\n\n| 检查项 | 频率 |\n|---|---|\n| 船只 | 每小时 |\n",
    "此文件定义定期检查任务。当前为空，跳过心跳。\n",
)
"""Texts of HEARTBEAT.md that switch the heartbeat off."""

WAKE_UPS: tuple[tuple[str, str, list[str]], ...] = (
    ("## 心跳执行时间\n- **默认频率**：每天 9:00 - 10:00 之间\n- **周末**：可延迟到 10:00 - 11:00\n\n## 检查\n- 看闸门\n",
     "每天 | 86400 09:00-10:00", []),
    # Labelled lines of one quoted paragraph.
    ("# HEARTBEAT.md - v3\n\n> **用途**: 看闸门\n> **频率**: 每 20 分钟一次\n> **方式**: 守望脚本\n\n## 检查\n\n- 看闸门\n",
     "每 20 分钟一次 | 1200", []),
    ("# HEARTBEAT.md\n\n**Purpose:** watch the gate\n**Frequency:** every 20 minutes\n\n## Checks\n\n- Look at the gate\n",
     "every 20 minutes | 1200", []),
    # A remark after the heartbeat says how often it is; so does a line below a heading for the configuration.
    ("## Every heartbeat (30m)\n- [ ] Look at the gate\n", "30m | 1800", []),
    ("> What is looked at on each heartbeat (every 4h).\n\n- [ ] Look at the gate\n", "4h | 14400", []),
    ("## ⏰ Current configuration\n\n**Interval:** 30 minutes\n**Mode:** steer\n\n## Checks\n- Look at the gate\n",
     "30 minutes | 1800", []),
    # So does a label below a heading for what holds for the whole file.
    ("## Rules\n\n- **Cadence:** every 45 minutes, quiet otherwise\n- **Limit:** five messages a day\n\n## Checks\n- Look at the gate\n",
     "every 45 minutes | 2700", []),
    # How often below a heading that says so is the task's, also where the heading speaks of a heartbeat.
    ("- Look at the gate\n\n## Weekly boat review (first heartbeat of the week)\nOnce per week, write down:\n- the boats\n",
     " | ", ["Weekly boat review"]),
    # The title of a daily checklist is a task's, in Chinese as in English.
    ("# HEARTBEAT.md - 每日船务清单\n\n- 看闸门\n", " | ", ["每日船务清单"]),
    # A sentence about the runtime is its wake-up's.
    ("## Instruções\n\nO OpenClaw lê este ficheiro a cada 30 minutos.\n\n- conta os barcos\n", "a cada 30 minutos | 1800", []),
    ("OpenClaw reads this file every 30 minutes.\n\n- count the boats\n", "every 30 minutes | 1800", []),
    # A table of changes gives no wake-up.
    ("## 检查\n\n- 看闸门\n\n## 成效\n\n| 项 | 调整前 | 调整后 |\n|---|---|---|\n| 心跳频率 | 每 3 小时 | 每小时 |\n", " | ", []),
)  # fmt: skip


def shown(found: Schedule) -> str:
    """Return a schedule as one line: the source's words, then what was read from them."""
    when = found.cron or found.seconds or " ".join(found.times)
    limits = (str(when), found.active_hours, found.timezone)
    return f"{found.cadence} | {' '.join(filter(None, limits))}"


def test_tasks_are_named_and_timed() -> None:
    wrong = []
    for file, text, expected in (*NAMES, *LABELS, *NOT_IN_FORCE, *MISREAD):
        others = {} if file == "HEARTBEAT.md" else {"HEARTBEAT.md": "- Look at the gate\n"}
        found = schedule(snapshot_of({file: text, **others}))
        tasks = [f"{task.title} | {shown(task.schedule)}" for task in found.tasks]
        if tasks != expected:
            wrong.append(f"{text!r}: {tasks} instead of {expected}")
    assert not wrong, "\n".join(wrong)


def test_jobs_that_only_a_memory_lists_are_tasks() -> None:
    wrong = []
    jobs: dict[str, str]
    for jobs, expected in MEMORIES:
        found = schedule(snapshot_of({"HEARTBEAT.md": "- Look at the gate\n", **jobs}))
        tasks = [f"{task.title} | {shown(task.schedule)}" for task in found.tasks]
        if tasks != expected:
            wrong.append(f"{jobs}: {tasks}")
    assert not wrong, "\n".join(wrong)


def test_a_heartbeat_that_is_switched_off_wakes_nobody() -> None:
    wrong = []
    for text in OFF:
        snapshot = snapshot_of({"HEARTBEAT.md": text})
        found = schedule(snapshot)
        if found.tasks or found.type or modality_evidence(snapshot):
            wrong.append(text)
    assert not wrong, "\n".join(wrong)


def test_a_section_about_the_wake_up_has_no_tasks() -> None:
    wrong = []
    for text, wake_up, tasks in WAKE_UPS:
        found = schedule(snapshot_of({"HEARTBEAT.md": text}))
        if (shown(found), [task.title for task in found.tasks]) != (wake_up, tasks):
            wrong.append(f"{text!r}: {shown(found)} {[task.title for task in found.tasks]}")
    assert not wrong, "\n".join(wrong)


def test_quiet_hours_in_which_some_work_goes_on_are_no_window() -> None:
    quiet = "- Count the boats\n- Quiet hours: 23:00-06:00"
    assert schedule(snapshot_of({"HEARTBEAT.md": f"{quiet}, say nothing\n"})).active_hours == "06:00-23:00"
    assert not schedule(snapshot_of({"HEARTBEAT.md": f"{quiet}, only check the lock\n"})).active_hours


def test_a_line_that_opens_a_section_of_parts_is_the_task_of_them_all(tmp_path: Path) -> None:
    """Woken for the task alone, the agent would else be told the line and nothing that stands below it."""
    (tmp_path / "SOUL.md").write_text("You keep a lock.\n")
    (tmp_path / "HEARTBEAT.md").write_text(
        "# HEARTBEAT.md\n\n## Boat report\n\nWrite the boat report daily at 8:00:\n\n### What is in it\n- boats\n"
        "- tides\n\n### Where it goes\n- the board\n\n## Gate\n- Look at the gate\n"
    )
    conversion = open_conversion(tmp_path, as_of=date(2026, 1, 15), generated_at="2026-01-15T00:00:00Z")
    (task,) = task_rows(conversion.committed)
    assert [element.source_lines for element in task.elements] == ["5", "8", "9", "12"]
