"""Schedules of days, weeks and months in eight languages, and what only sounds like a schedule, in our own words."""

from melleafy_tui.core.dialects.openclaw.modality import schedule
from melleafy_tui.core.models.classification import Schedule
from tests.dialects.openclaw.in_memory import snapshot_of

GATE = "- Look at the gate\n\n"

LISTS_OF_DAYS = (
    ('- Gate report Mon+Thu 8:30\n', 'asked: Gate report | 30 8 * * 1,4'),
    ('## Gate report (Mon & Thu 8:30)\n- count\n', 'Gate report | 30 8 * * 1,4'),
    ('- 周一、周四 8:30 看闸门\n', '看闸门 | 30 8 * * 1,4'),
    ('- 月・木 8:30 水門を見る\n', '水門を見る | 30 8 * * 1,4'),
    ('- Lun y jue 8:30: mirar la compuerta\n', 'mirar la compuerta | 30 8 * * 1,4'),
    ('- Seg e qui 8:30: ver a comporta\n', 'ver a comporta | 30 8 * * 1,4'),
    ('- Mo+Do 8:30 Uhr: Tor prüfen\n', 'Tor prüfen | 30 8 * * 1,4'),
    ('- Lun/jeu à 8h30 : voir la porte\n', 'voir la porte | 30 8 * * 1,4'),
    ('- Пн, чт 8:30 проверить ворота\n', 'проверить ворота | 30 8 * * 1,4'),
    ('- Seg-sex 9:00 ver a comporta\n', 'ver a comporta | 0 9 * * 1-5'),
    ('## Tägliche Torprüfung (Di–So)\n- ansehen\n', 'Tägliche Torprüfung | 86400 sun tue wed thu fri sat'),
    ('- The crew may so do it at 9:00 if asked\n',),
)  # fmt: skip
"""Two short weekdays before a clock time are a list; one alone is a word of its own."""

PLACES_IN_MONTHS = (
    ('- First Monday of the month at 9:00: air the nets\n', 'asked: air the nets | words 09:00 mon'),
    ('- Air the nets monthly (first Monday)\n', 'asked: Air the nets | words mon'),
    ('- 每月第一个周日 9:00 看闸门\n', 'asked: 看闸门 | words 09:00 sun'),
    ('- 第1日曜 9:00 水門を見る\n', 'asked: 水門を見る | words 09:00 sun'),
    ('- 毎月第2・第4木曜 10:00 水門を見る\n', 'asked: 水門を見る | words 10:00 thu'),
    ('- El primer lunes de cada mes a las 9:00: airear\n', 'asked: airear | words 09:00 mon'),
    ('- Na primeira segunda-feira do mês às 9h: arejar\n', 'asked: arejar | words 09:00 mon'),
    ('- Am ersten Montag des Monats um 9 Uhr das Tor prüfen\n', 'asked: das Tor prüfen | words 09:00 mon'),
    ('- Le premier lundi du mois à 9h, aérer\n', 'asked: aérer | words 09:00 mon'),
    ('- В первый понедельник месяца в 9:00 проверить ворота\n', 'asked: проверить ворота | words 09:00 mon'),
)  # fmt: skip
"""No cron line holds them: the words are kept with the weekday, on which alone a wake-up offers the task."""

EVERY_SECOND_WEEK = (
    ('- Every other Monday at 9:00 air the nets\n', 'asked: air the nets | 1209600 09:00 mon'),
    ('- Every 2 weeks on Friday: air the nets\n', 'asked: air the nets | 1209600 fri'),
    ('- Fortnightly: air the nets\n', 'air the nets | 1209600'),
    ('- 隔周周一 9:00 看闸门\n', 'asked: 看闸门 | 1209600 09:00 mon'),
    ('- 隔週月曜 9:00 に水門を見る\n', 'asked: 水門を見る | 1209600 09:00 mon'),
    ('- 隔天看闸门\n', '看闸门 | 172800'),
    ('- Quincenal: airear las redes\n', 'airear las redes | 1209600'),
    ('- Quinzenalmente: arejar as redes\n', 'arejar as redes | 1209600'),
    ('- Jeden zweiten Montag um 9 Uhr das Tor prüfen\n', 'asked: das Tor prüfen | 1209600 09:00 mon'),
    ('- 14-tägig das Tor prüfen\n', 'das Tor prüfen | 1209600'),
    ('- Un lundi sur deux à 9h, aérer\n', 'asked: aérer | 1209600 09:00 mon'),
    ('- Раз в две недели проверить ворота\n', 'проверить ворота | 1209600'),
)  # fmt: skip

MINUTES_OF_HOURS = (
    ('- Every hour at :50 look at the gauge\n', 'look at the gauge | 50 * * * *'),
    ('| Job | When |\n|---|---|\n| Gauge | `:02` hourly |\n', 'Gauge | 2 * * * *'),
    ('- 每小时:50 看水位\n', '看水位 | 50 * * * *'),
    ('- 每小时 55 分看水位\n', '看水位 | 55 * * * *'),
    ('- 毎時50分に水位を見る\n', '水位を見る | 50 * * * *'),
    ('- Cada hora en el minuto 50 mirar el nivel\n', 'mirar el nivel | 50 * * * *'),
    ('- A cada hora, no minuto 50, ver o nível\n', 'ver o nível | 50 * * * *'),
    ('- Stündlich um :50 den Pegel ablesen\n', 'den Pegel ablesen | 50 * * * *'),
    ('- Toutes les heures à la minute 50, lire le niveau\n', 'lire le niveau | 50 * * * *'),
    ('- Каждый час на 50-й минуте смотреть уровень\n', 'смотреть уровень | 50 * * * *'),
)  # fmt: skip

SEVERAL_ON_A_LINE = (
    ('- Look every 30 minutes and oil the locks every 2 hours\n',),
    ('- Daily at 9:00: count boats. Weekly on Friday at 17:00: send the list\n', 'asked: count boats. Weekly on Friday at 17:00: send the list | 0 9 * * *'),
    ('- 每天9点看闸门，每周五17点发报告\n', 'asked: 看闸门,每周五17点发报告 | 0 9 * * *'),
    ('- 毎日8時に水門を見る、毎週金曜17時に報告を送る\n', 'asked: 水門を見る、毎週金曜17時に報告を送る | 0 8 * * *'),
    ('- Cada día a las 8:00 mirar y cada viernes a las 17:00 avisar\n', 'asked: mirar y cada viernes a las 17:00 avisar | 0 8 * * *'),
    ('- Todo dia às 8h ver a comporta e toda sexta às 17h avisar\n', 'asked: ver a comporta e toda sexta às 17h avisar | 0 8 * * *'),
    ('- Jeden Tag um 8 Uhr prüfen und jeden Freitag um 17 Uhr melden\n', 'asked: prüfen und jeden Freitag um 17 Uhr melden | 0 8 * * *'),
    ('- Chaque jour à 8h regarder et chaque vendredi à 17h avertir\n', 'asked: regarder et chaque vendredi à 17h avertir | 0 8 * * *'),
    ('- Каждый день в 8:00 смотреть, каждую пятницу в 17:00 писать\n', 'asked: смотреть, каждую пятницу в 17:00 писать | 0 8 * * *'),
)  # fmt: skip

COLUMNS = (
    ('| Task | Frequency | Time |\n|---|---|---|\n| Gate | Weekly | Mon 9:00 |\n', 'Gate | 0 9 * * 1'),
    ('| Task | Frequency | Time |\n|---|---|---|\n| Gate | Weekly | 9:00 |\n', 'asked: Gate | 604800 09:00'),
    ('| Task | Time | Day | Frequency |\n|---|---|---|---|\n| Gate | 9:00 | Monday | Weekly |\n', 'Gate | 0 9 * * 1'),
    ('| Job | Time |\n|---|---|\n| Gate | 21:03 Wed (weekly) |\n', 'asked: Gate | 604800'),
    ('| Job | Time |\n|---|---|\n| Gate | 09:10 1st (monthly) |\n', 'Gate | 10 9 1 * *'),
    ('| Time | Task | Frequency |\n|---|---|---|\n| 09:30-14:30 | Tide | every 10 minutes |\n', 'Tide | 600 09:30-14:30'),
    ('| 任务 | 频率 | 时间 |\n|---|---|---|\n| 看闸门 | 每周 | 周一 9:00 |\n', '看闸门 | 0 9 * * 1'),
    ('| 作業 | 頻度 | 曜日 | 時刻 |\n|---|---|---|---|\n| 水門 | 毎週 | 月曜 | 9:00 |\n', '水門 | 0 9 * * 1'),
    ('| Tarea | Frecuencia | Hora |\n|---|---|---|\n| Compuerta | Semanal | Lunes 9:00 |\n', 'Compuerta | 0 9 * * 1'),
    ('| Tarefa | Frequência | Horário |\n|---|---|---|\n| Comporta | Semanal | Segunda 9:00 |\n', 'Comporta | 0 9 * * 1'),
    ('| Aufgabe | Häufigkeit | Uhrzeit |\n|---|---|---|\n| Tor | Wöchentlich | Montag 9:00 |\n', 'Tor | 0 9 * * 1'),
    ('| Tâche | Fréquence | Heure |\n|---|---|---|\n| Porte | Hebdomadaire | Lundi 9h00 |\n', 'Porte | 0 9 * * 1'),
    ('| Задача | Частота | Время |\n|---|---|---|\n| Ворота | Еженедельно | Понедельник 9:00 |\n', 'Ворота | 0 9 * * 1'),
)  # fmt: skip

GROUPS = (
    ('## 每日定时任务\n\n### 上午 9:30 - 数船\n- 数\n\n### 下午 4:00 - 看水位\n- 看\n', '数船 | 30 9 * * *', '看水位 | 0 16 * * *'),
    ('## Daily tasks\n\n### 9:00 - Count the boats\n- Count\n\n### 16:00 - Read the gauge\n- Read\n', 'Count the boats | 0 9 * * *', 'Read the gauge | 0 16 * * *'),
    ('## 每周一早晨（定时触发）\n\n### 9:00 - 数船\n- 数\n\n### 9:05 - 看水位\n- 看\n', '数船 | 0 9 * * 1', '看水位 | 5 9 * * 1'),
    ('### Weekend\n\n| Time | Task |\n|---|---|\n| Sat 10:00 | Review |\n', 'Review | 0 10 * * 6'),
    ('```\n# Night watch every 4 hours\n0 */4 * * * ./watch.sh >> watch.log 2>&1\n```\n',),
    ('Every day at 8:00 write the report:\n\n```yaml\nschedule: "0 8 * * *"  # every day at 8:00\n```\n',),
    ('## 1x par jour (matin, ~9:00)\n- Regarder\n', '1x par jour | 0 9 * * *'),
    ('## Ronde 1x par semaine (dimanche, ~10:00)\n- Regarder\n', 'asked: Ronde (dimanche, ~10:00) | 604800'),
    ('## 每周检查 (每周一运行)\n- 看\n', '每周检查 | 0 0 * * 1'),
    ('- Daily at 13:00 PM: write\n', 'write | 0 13 * * *'),
    ('## Tide report (daily)\n- 9:00 and 21:00 each\n- Content: the tide at 12:00\n', 'Tide report | 0 9,21 * * *'),
    ('## Tide report (daily)\n- Time: 9 am\n- 9 pm\n', 'Tide report | 0 9 * * *', 'Tide report (9 pm) | 0 21 * * *'),
    ('## Tide report (daily)\n- 9:00 wake the crew\n', 'wake the crew | 0 9 * * *'),
    ('### A. 每天潮汐摘要\n- **早上 9 点**、**晚上 9 点** 各一次\n- 内容：水位\n', 'A. 潮汐摘要 | 86400', '各一次 | 0 9,21 * * *'),
    ('## Informe de mareas (diario)\n- a las 9:00 y 21:00\n', 'Informe de mareas | 0 9,21 * * *'),
    ('## Hourly tide report\n- 9:00\n', 'Hourly tide report | 3600'),
    ('## Reflection (run once per day, ~21:00)\n- Think\n', 'Reflection | 0 21 * * *'),
    ('## Tide book (weekly)\n\n**Schedule:** Every Monday at 10:00 (or in its heartbeat)\n\n- Read\n', 'Tide book | 0 10 * * 1'),
    ('## Boats (daily)\n- Count\n\n## Mail\n- Read\n\n## Frequency\nCheck every 30 minutes on weekdays.\n', 'Boats | 86400', 'asked:  | 1800 mon tue wed thu fri'),
)  # fmt: skip
"""A heading over others with clock times is none itself; a cron line is named by the comment above it."""

NO_SCHEDULE = (
    # How often a thing comes isn't how often the agent looks at it.
    "- Monitor the daily backup\n", "- Ensure that the backup runs daily\n", "- Check the page that is filled hourly\n",
    "- 监控每日备份\n", "- 新船 → 积累到每日报告\n", "- Mirar la copia diaria\n",
    "- Ver a cópia diária\n", "- Das tägliche Backup ansehen\n", "- Regarder la copie quotidienne\n", "- Смотреть ежедневную копию\n",
    "- 浏览 + 每天1篇\n", "- Falls der Montags-Bericht fehlt, nachholen\n", "- 系统 cron 会自动每天 2:00 同步\n",
    # What was done, what is to be ready, what is excepted, tried again or done once.
    "## Log\n- 10:00 daily check done\n", "## Recent runs\n### 09:00 gate\n- fine\n", "## Last checks\n- Daily gate check: 2026-03-04 09:00\n",
    "## 执行日志\n### 每日检查 3月4日 09:00\n- 好\n", "## Status\n- Report: sent (8:00)\n", "- Silence (except Monday 6:35 by cron)\n",
    "## Zeitplan\n- Deadline: bis spätestens Montag 6:35 Uhr\n", "- If both pumps fail, try again every 5 minutes\n",
    "## One-time report\n- At 7:00 AM ET: write it\n", "## Cron\n### After the Friday scan (10:30 AM)\n- Write\n",
    "## 3.10 Use the pump (twice)\n- Pump\n", "Last heartbeat: (set by the lock once a month)\n", "1. **每日日志** — 看今天有没有\n",
    "- Letter A (\"How long do you wait every week?\")\n", "- Boat count (every hour, paused)\n", "## Boat count (hourly)\n- **当前状态**：已暂停\n- Count\n", "Retired jobs: `net-watch` (its monthly scan did nothing)\n",
    "```\n9:00 weekly-reporter reads the log\n```\n", "```markdown\n## Daily summary\n- boats: [n]\n### Weekly\n- nets: [n]\n```\n", "Wöchentlich: Sonntag oder Montag\n",
)  # fmt: skip


def shown(found: Schedule) -> str:
    """Return what was read: cron line, or interval or `words` with clock times, days and window."""
    when = found.cron or (str(found.seconds) if found.seconds else found.type)
    more = () if found.cron else (*found.times, *found.days, found.active_hours)
    return " ".join(filter(None, (when, *more)))


def tasks_of(text: str) -> list[str]:
    """Return the tasks that are taken, and those that are asked about."""
    found = schedule(snapshot_of({"HEARTBEAT.md": GATE + text}))
    return [
        f"{'asked: ' if row.state == 'asked' else ''}{row.title} | {shown(row.schedule)}"
        for row in found.rows
        if row.state in ("taken", "asked")
    ]


def misread(*tables: tuple[tuple[str | None, ...], ...]) -> str:
    wrong = [
        f"{text!r}: {found} instead of {expected}"
        for text, *expected in (row for table in tables for row in table)
        if text is not None and (found := tasks_of(text)) != [each for each in expected if each]
    ]
    return "\n".join(wrong)


def test_weekdays_places_in_the_month_and_every_second_week() -> None:
    assert not misread(LISTS_OF_DAYS, PLACES_IN_MONTHS, EVERY_SECOND_WEEK)


def test_minutes_of_the_hour_and_several_cadences_on_a_line() -> None:
    assert not misread(MINUTES_OF_HOURS, SEVERAL_ON_A_LINE)


def test_a_time_may_stand_in_several_cells_or_below_a_group() -> None:
    assert not misread(COLUMNS, GROUPS)


def test_what_only_sounds_like_a_schedule_is_none() -> None:
    taken = {text: schedule(snapshot_of({"HEARTBEAT.md": GATE + text})).tasks for text in NO_SCHEDULE}
    assert {text for text, tasks in taken.items() if tasks} == set()
