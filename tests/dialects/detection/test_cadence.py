"""The reader of time, form by form and language by language, and what is no cadence."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from melleafy_tui.core.language.time.cadence import (
    read_cadence,
    read_cadences,
    read_time_cell,
    seconds_between,
)
from melleafy_tui.core.language.time.cadence_forms import APPOINTMENTS, CADENCES
from melleafy_tui.core.language.time.cadence_words import in_english
from melleafy_tui.core.language.time.clock import read_interval
from melleafy_tui.core.language.time.cron import DAY_NAMES, cron_of, find_cron, times_of
from melleafy_tui.core.language.time.zones import zone_in
from melleafy_tui.core.models.classification import Schedule
from tests.guard import bounded
from tests.rows import every_row

MINUTE, HOUR, DAY = 60, 3_600, 86_400

INTERVALS = [
    ("30m", 30 * MINUTE, "30m"),
    ("1h", HOUR, "1h"),
    ("90s", 90, "90s"),
    ("2d", 2 * DAY, "2d"),
    ("1h30m", 90 * MINUTE, "1h30m"),
    ("30 minutes", 30 * MINUTE, "30 minutes"),
    ("Every 30m", 30 * MINUTE, "30m"),
    ("Run every 30m during business hours", 30 * MINUTE, "30m"),
    ("every 30 minutes", 30 * MINUTE, "every 30 minutes"),
    ("check mail every 15 min.", 15 * MINUTE, "every 15 min"),
    ("every two hours", 2 * HOUR, "every two hours"),
    ("every half hour", 30 * MINUTE, "every half hour"),
    ("every half an hour", 30 * MINUTE, "every half an hour"),
    ("every 1 hour and 30 minutes", 90 * MINUTE, "every 1 hour and 30 minutes"),
    ("every 1.5 hours", 90 * MINUTE, "every 1.5 hours"),
    ("every hour", HOUR, "every hour"),
    ("Once every 4 hours", 4 * HOUR, "Once every 4 hours"),
    ("each day", DAY, "each day"),
    ("hourly", HOUR, "hourly"),
    ("The inbox is checked hourly.", HOUR, "hourly"),
    ("daily", DAY, "daily"),
    ("weekly", 7 * DAY, "weekly"),
    ("every other day", 2 * DAY, "every other day"),
    ("every two weeks", 14 * DAY, "every two weeks"),
    ("once a day", DAY, "once a day"),
    ("twice a day", DAY // 2, "twice a day"),
    ("twice daily", DAY // 2, "twice daily"),
    ("three times a day", DAY // 3, "three times a day"),
    ("4x/day", DAY // 4, "4x/day"),
    ("2× per week", 7 * DAY // 2, "2× per week"),
    ("once per hour", HOUR, "once per hour"),
    ("## Email (every 30 minutes)", 30 * MINUTE, "every 30 minutes"),
    ("- **Email** — every 4 hours", 4 * HOUR, "every 4 hours"),
    ("## Daily checks", DAY, "Daily"),
    ("### 📋 Weekly review", 7 * DAY, "Weekly"),
    ("每30分钟检查邮件", 30 * MINUTE, "每30分钟"),
    ("每隔2小时", 2 * HOUR, "每隔2小时"),
    ("每小时", HOUR, "每小时"),
    ("每日", DAY, "每日"),
    ("每天", DAY, "每天"),
    ("每半小时", 30 * MINUTE, "每半小时"),
    ("30分ごとに確認", 30 * MINUTE, "30分ごとに"),
    ("1時間ごと", HOUR, "1時間ごと"),
    ("毎日3回", DAY // 3, "毎日3回"),
    ("каждые 30 минут", 30 * MINUTE, "каждые 30 минут"),
    ("каждый час", HOUR, "каждый час"),
    ("ежедневно", DAY, "ежедневно"),
    ("cada 30 minutos", 30 * MINUTE, "cada 30 minutos"),
    ("a cada 2 horas", 2 * HOUR, "a cada 2 horas"),
    ("cada hora", HOUR, "cada hora"),
    ("setiap 30 menit", 30 * MINUTE, "setiap 30 menit"),
    ("Check the inbox every 15 min, quiet hours 23:00-08:00", 15 * MINUTE, "every 15 min"),
]

CRONS = [
    ("daily at 09:00", "0 9 * * *", "daily at 09:00"),
    ("daily at 9", "0 9 * * *", "daily at 9"),
    ("every day at 9:30am", "30 9 * * *", "every day at 9:30am"),
    ("every day at 9 p.m.", "0 21 * * *", "every day at 9 p.m."),
    ("9am daily", "0 9 * * *", "9am daily"),
    ("at 18:15 every day", "15 18 * * *", "18:15 every day"),
    ("daily at noon", "0 12 * * *", "daily at noon"),
    ("nightly at midnight", "0 0 * * *", "nightly at midnight"),
    ("daily at 12am", "0 0 * * *", "daily at 12am"),
    ("daily at 12pm", "0 12 * * *", "daily at 12pm"),
    ("every night at 23:00", "0 23 * * *", "every night at 23:00"),
    ("every morning at 8am", "0 8 * * *", "every morning at 8am"),
    ("every evening at 8pm", "0 20 * * *", "every evening at 8pm"),
    ("daily at 09:00, 13:00 and 17:00", "0 9,13,17 * * *", "daily at 09:00, 13:00 and 17:00"),
    ("(2x/day: 10AM, 2PM EST)", "0 10,14 * * *", "2x/day: 10AM, 2PM"),
    ("every weekday at 9am", "0 9 * * 1-5", "every weekday at 9am"),
    ("weekdays at 9am", "0 9 * * 1-5", "weekdays at 9am"),
    ("every weekend at 10:00", "0 10 * * 0,6", "every weekend at 10:00"),
    ("every weekday", "0 0 * * 1-5", "every weekday"),
    ("every Monday", "0 0 * * 1", "every Monday"),
    ("every Monday at 9am", "0 9 * * 1", "every Monday at 9am"),
    ("every Tuesday and Thursday at 14:30", "30 14 * * 2,4", "every Tuesday and Thursday at 14:30"),
    ("Mondays at 9am", "0 9 * * 1", "Mondays at 9am"),
    ("on Sundays", "0 0 * * 0", "on Sundays"),
    ("Mon-Fri 09:00", "0 9 * * 1-5", "Mon-Fri 09:00"),
    ("Fri–Mon at 8am", "0 8 * * 0,1,5,6", "Fri–Mon at 8am"),
    ("## Weekly Review (Sundays)", "0 0 * * 0", "Sundays"),
    ("## Weekly Review (Sunday 18:00)", "0 18 * * 0", "Sunday 18:00"),
    ("monthly", "0 0 1 * *", "monthly"),
    ("every month at 08:00", "0 8 1 * *", "every month at 08:00"),
    ("quarterly", "0 0 1 1,4,7,10 *", "quarterly"),
    ("*/30 9-18 * * 1-5", "*/30 9-18 * * 1-5", "*/30 9-18 * * 1-5"),
    ("Run it at `0 9 * * MON-FRI`", "0 9 * * 1-5", "0 9 * * MON-FRI"),
    ("cron: 0 0 1 JAN *", "0 0 1 1 *", "0 0 1 JAN *"),
    ("@daily", "0 0 * * *", "@daily"),
    ("@hourly", "0 * * * *", "@hourly"),
    ("每日 09:00", "0 9 * * *", "每日 09:00"),
    ("每天早上9点", "0 9 * * *", "每天早上9点"),
    ("每天下午3点半", "30 15 * * *", "每天下午3点半"),
    ("每周一 09:00", "0 9 * * 1", "每周一 09:00"),
    ("毎日 9時", "0 9 * * *", "毎日 9時"),
    ("毎週月曜日", "0 0 * * 1", "毎週月曜日"),
    ("ежедневно в 09:00", "0 9 * * *", "ежедневно в 09:00"),
    ("todos los días a las 9:00", "0 9 * * *", "todos los días a las 9:00"),
    ("todos los lunes", "0 0 * * 1", "todos los lunes"),
]

EVENTS = [
    "every session start",
    "At session start",
    "at the start of every session",
    "on startup",
    "@reboot",
    "每次会话开始",
]

WORDS = [
    ("every few hours", "every few hours"),
    ("Check every couple of hours", "every couple of hours"),
    ("at least once a day", "at least once a day"),
    ("biweekly", "biweekly"),
    ("every first Monday of the month", "every first Monday of the month"),
    ("(4x/day: 10AM, 2PM EST)", "4x/day: 10AM, 2PM"),
]

NO_CADENCE = [
    "",
    "Check mail",
    "09:00",
    "at 9am",
    "Meeting on Monday at 9am",
    "Quiet hours 23:00-08:00",
    "Late night (23:00-08:00): stay silent",
    "items older than 7 days",
    "> 7 days",
    "the last 24h",
    "within 2 hours",
    "wait 30 minutes",
    "30m after the meeting",
    "it would be nice to check hourly",
    "Maybe check daily",
    "Consider running this every hour",
    "e.g. every 30 minutes",
    "for example, daily",
    "don't check every hour",
    "Never write every 30 minutes",
    "at most once a day",
    "no more than twice a day",
    "up to 4 times a day",
    "2-4 times per day",
    "Things to check (rotate through these, 2-4 times per day)",
    "read the daily notes",
    "Update memory/2026-01-01.md, the daily log",
    "every ticket",
    "every reply should be short",
    "every now and then",
    "every time you wake",
    "the hourly rate is 50",
    "1 2 3 4 5",
    "99 9 * * *",
    "every 0 minutes",
    "<!-- every 30 minutes -->",
]


@every_row(("text", "seconds", "words"), INTERVALS)
def test_interval(text: str, seconds: int, words: str) -> None:
    found = read_cadence(text)
    assert found is not None
    assert (found.type, found.seconds, found.cron, found.cadence) == ("interval", seconds, "", words)


@every_row(("text", "cron", "words"), CRONS)
def test_cron(text: str, cron: str, words: str) -> None:
    found = read_cadence(text)
    assert found is not None
    assert (found.type, found.seconds, found.cron, found.cadence) == ("cron", None, cron, words)


@every_row("text", EVENTS)
def test_event(text: str) -> None:
    found = read_cadence(text)
    assert found is not None
    assert (found.type, found.seconds, found.cron) == ("event", None, "")


@every_row(("text", "words"), WORDS)
def test_unknown_forms_stay_words(text: str, words: str) -> None:
    found = read_cadence(text)
    assert found is not None
    assert (found.type, found.seconds, found.cron, found.cadence) == ("words", None, "", words)


RANGES_AND_DATES = (
    # A range keeps its words and is done as often as keeps it.
    ("every 4-6 hours", "every 4-6 hours | 14400"),
    ("每4到6小时", "每4到6小时 | 14400"),
    ("2〜3時間ごとに見る", "2〜3時間ごとに | 7200"),
    ("toutes les 2 à 3 heures", "toutes les 2 à 3 heures | 7200"),
    ("Gauge check: 2-3x per day", "2-3x per day | 28800"),
    # Numbered days of a month, and places in it that no cron line holds.
    ("the 15th of each month", "the 15th of each month | 0 0 15 * *"),
    (
        "on the 1st and 15th of every month at 8am",
        "on the 1st and 15th of every month at 8am | 0 8 1,15 * * 08:00",
    ),
    ("monthly on the 2nd at 9:00", "monthly on the 2nd at 9:00 | 0 9 2 * * 09:00"),
    ("- first Monday of each month at 9:00", "first Monday of each month at 9:00 | None 09:00"),
    ("on the last day of the month at 17:00", "on the last day of the month at 17:00 | None 17:00"),
    ("每月最后一天 17:00", "每月最后一天 17:00 | None 17:00"),
    ("am letzten Tag jedes Monats um 17 Uhr", "am letzten Tag jedes Monats um 17 Uhr | None 17:00"),
    # What a heading is about is no part of its cadence.
    ("Weekly lock audit (10AM)", "10AM | 604800 10:00"),
    ("Daily tide check (7:30 AM PT, weekdays)", "7:30 AM PT, weekdays | 30 7 * * 1-5 07:30"),
    ("Daily gate review at 9:00", "9:00 | 0 9 * * * 09:00"),
    ("Weekly report - Sunday 6pm", "Sunday 6pm | 0 18 * * 0 18:00"),
    ("Weekly review", "Weekly | 604800"),
)


def test_ranges_and_dates_are_kept_and_quoted() -> None:
    wrong = []
    for text, expected in RANGES_AND_DATES:
        found = read_cadence(text, expected=True)
        when = (found.cron or found.seconds, *found.times) if found else ()
        shown = f"{found.cadence if found else ''} | {' '.join(map(str, when))}"
        if shown != expected:
            wrong.append(f"{text!r}: {shown!r} instead of {expected!r}")
    assert not wrong, "\n".join(wrong)


# --- eight languages: text, seconds or cron line, days, zone, window ------------------------------------

WEEKDAYS = "mon tue wed thu fri"
LANGUAGES = {
    "English": [
        ("7:00 AM PT weekdays", "0 7 * * 1-5", WEEKDAYS, "America/Los_Angeles", ""),
        ("Goat count (6:30 PM ET weekdays)", "30 18 * * 1-5", WEEKDAYS, "America/New_York", ""),
        ("Weekly (Thursdays 3:00 PM PT)", "0 15 * * 4", "thu", "America/Los_Angeles", ""),
        ("3x/day: 8AM, 1PM, 9PM EST, cron", "0 8,13,21 * * *", "", "America/New_York", ""),
        ("Every 40 min, Mon–Fri, 8am–6pm PT", 2400, WEEKDAYS, "America/Los_Angeles", "08:00-18:00"),
        ("Daily milk check (7:30 AM PT, weekdays)", "30 7 * * 1-5", WEEKDAYS, "America/Los_Angeles", ""),
        ("every day at 09:00 UTC+8", "0 9 * * *", "", "Etc/GMT-8", ""),
        ("every month on the 15th at 10:00", "0 10 15 * *", "", "", ""),
        ("every 30 minutes, quiet hours 23:00–06:00", 1800, "", "", "06:00-23:00"),
        ("every hour, weekends off", HOUR, WEEKDAYS, "", ""),
    ],
    "Chinese": [
        ("每30分钟", 1800, "", "", ""),
        ("一日三次", DAY // 3, "", "", ""),
        ("每週一次", 7 * DAY, "", "", ""),
        ("每 3 天一次", 3 * DAY, "", "", ""),
        ("每天早上9点", "0 9 * * *", "", "", ""),
        ("每晚10点半", "30 22 * * *", "", "", ""),
        ("每天15:10 (Asia/Taipei)", "10 15 * * *", "", "Asia/Taipei", ""),
        ("北京时间每天9点", "0 9 * * *", "", "Asia/Shanghai", ""),
        ("每周一至周五 9:00", "0 9 * * 1-5", WEEKDAYS, "", ""),
        ("每周一、三、五 上午10点", "0 10 * * 1,3,5", "mon wed fri", "", ""),
        ("每月1号", "0 0 1 * *", "", "", ""),
        ("每小时，免打扰时间 23:00-07:00", HOUR, "", "", "07:00-23:00"),
        ("每天早晚7点", "0 7,19 * * *", "", "", ""),
        ("20分钟一次", 1200, "", "", ""),
        ("每天第一次心跳：看水位", DAY, "", "", ""),
    ],
    "Japanese": [
        ("30分ごとに確認", 1800, "", "", ""),
        ("毎朝8時", "0 8 * * *", "", "", ""),
        ("毎週月曜日 午前9時半", "30 9 * * 1", "mon", "", ""),
        ("月曜から金曜の9時", "0 9 * * 1-5", WEEKDAYS, "", ""),
        ("1日3回", DAY // 3, "", "", ""),
        ("週に2回", 7 * DAY // 2, "", "", ""),
        ("日本時間で毎日9時", "0 9 * * *", "", "Asia/Tokyo", ""),
        ("毎日9時から18時の間、30分ごと", 1800, "", "", "09:00-18:00"),
        ("朝晩6時に毎日", "0 6,18 * * *", "", "", ""),
        ("その日最初のハートビート：水位を見る", DAY, "", "", ""),
    ],
    "Spanish": [
        ("cada dos horas", 2 * HOUR, "", "", ""),
        ("todos los lunes a las 9 de la mañana", "0 9 * * 1", "mon", "", ""),
        ("de lunes a viernes a las 20:30", "30 20 * * 1-5", WEEKDAYS, "", ""),
        ("diariamente a las 21:00 hora de Madrid", "0 21 * * *", "", "Europe/Madrid", ""),
        ("tres veces al día", DAY // 3, "", "", ""),
        ("Cada día: 21hs", "0 21 * * *", "", "", ""),
        ("cada hora de 9 a 18 h", HOUR, "", "", "09:00-18:00"),
        ("En el primer heartbeat del día: regar", DAY, "", "", ""),
        ("cada 3 días a las 6:30", 3 * DAY, "", "", ""),
    ],
    "Portuguese": [
        ("a cada duas horas", 2 * HOUR, "", "", ""),
        ("toda segunda-feira às 9h30", "30 9 * * 1", "mon", "", ""),
        ("de segunda a sexta às 8h", "0 8 * * 1-5", WEEKDAYS, "", ""),
        ("diariamente às 21:00 (horário de Brasília)", "0 21 * * *", "", "America/Sao_Paulo", ""),
        ("três vezes ao dia", DAY // 3, "", "", ""),
        ("a cada hora das 9h às 18h", HOUR, "", "", "09:00-18:00"),
        ("Uma vez por dia (8h BRT)", "0 8 * * *", "", "America/Sao_Paulo", ""),
        ("Semanal (segunda, 9h)", "0 9 * * 1", "mon", "", ""),
        ("Semanal (segunda, 10h São Paulo)", "0 10 * * 1", "mon", "", ""),
        ("Relatório diário (2h)", DAY, "", "", ""),
        ("No primeiro heartbeat do dia: regar", DAY, "", "", ""),
        ("a cada 3 dias às 6:30", 3 * DAY, "", "", ""),
    ],
    "German": [
        ("alle zwei Stunden", 2 * HOUR, "", "", ""),
        ("werktags um 8 Uhr", "0 8 * * 1-5", WEEKDAYS, "", ""),
        ("jeden Tag um 9 Uhr und 17 Uhr", "0 9,17 * * *", "", "", ""),
        ("täglich um 20 Uhr Berliner Zeit", "0 20 * * *", "", "Europe/Berlin", ""),
        ("dreimal am Tag", DAY // 3, "", "", ""),
        ("alle 15 Minuten, Ruhezeit 23:00–06:00", 900, "", "", "06:00-23:00"),
        ("stündlich von 9 bis 18 Uhr", HOUR, "", "", "09:00-18:00"),
        ("Beim ersten Herzschlag des Tages: gießen", DAY, "", "", ""),
        ("alle 3 Tage um 6:30 Uhr", 3 * DAY, "", "", ""),
    ],
    "French": [
        ("toutes les deux heures", 2 * HOUR, "", "", ""),
        ("tous les lundis à 9h30", "30 9 * * 1", "mon", "", ""),
        ("du lundi au vendredi à 8h", "0 8 * * 1-5", WEEKDAYS, "", ""),
        ("quotidien à 21h00 (heure de Paris)", "0 21 * * *", "", "Europe/Paris", ""),
        ("trois fois par jour", DAY // 3, "", "", ""),
        ("chaque heure de 9h à 18h", HOUR, "", "", "09:00-18:00"),
        ("Au premier heartbeat de la journée : arroser", DAY, "", "", ""),
        ("tous les 3 jours à 6h30", 3 * DAY, "", "", ""),
    ],
    "Russian": [
        ("каждые два часа", 2 * HOUR, "", "", ""),
        ("по понедельникам в 9 утра", "0 9 * * 1", "mon", "", ""),
        ("по будням в 20:30", "30 20 * * 1-5", WEEKDAYS, "", ""),
        ("ежедневно в 21:00 по Москве", "0 21 * * *", "", "Europe/Moscow", ""),
        ("три раза в день", DAY // 3, "", "", ""),
        ("каждые 15 минут, тихие часы с 23:00 до 7:00", 900, "", "", "07:00-23:00"),
        ("Первый heartbeat дня: полить", DAY, "", "", ""),
        ("каждые 3 дня в 6:30", 3 * DAY, "", "", ""),
    ],
}


@every_row(
    ("text", "when", "days", "zone", "hours"),
    [pytest.param(*row, id=f"{language}: {row[0]}") for language, rows in LANGUAGES.items() for row in rows],
)
def test_times_in_eight_languages(text: str, when: int | str, days: str, zone: str, hours: str) -> None:
    found = read_cadence(text)
    assert found is not None
    assert (found.seconds or found.cron, found.timezone, found.active_hours) == (when, zone, hours)
    assert set(found.days) == set(days.split())


@every_row(
    ("text", "seconds", "times"),
    [
        ("Every 3 days at 6:30 AM PT", 3 * DAY, ("06:30",)),
        ("每3天 6:30", 3 * DAY, ("06:30",)),
        ("3日ごとに6時30分", 3 * DAY, ("06:30",)),
        ("cada 3 días a las 6:30", 3 * DAY, ("06:30",)),
        ("a cada 3 dias às 6:30", 3 * DAY, ("06:30",)),
        ("alle 3 Tage um 6:30 Uhr", 3 * DAY, ("06:30",)),
        ("tous les 3 jours à 6h30", 3 * DAY, ("06:30",)),
        ("каждые 3 дня в 6:30", 3 * DAY, ("06:30",)),
        ("Every 3 hours, first at 6:30", 3 * HOUR, ()),
    ],
)
def test_an_interval_of_days_keeps_its_clock_time(text: str, seconds: int, times: tuple[str, ...]) -> None:
    found = read_cadence(text)
    assert found is not None
    assert (found.seconds, found.times) == (seconds, times)


@every_row(
    ("text", "cron"),
    [
        ("18:45 daily, after the milking", "45 18 * * *"),
        ("Milk jobs run at 18:45 JST daily that fill the tank", "45 18 * * *"),
        ("Daily summary: what the goats ate, at 18:45", "45 18 * * *"),
        ("Daily summary: what the goats ate, if the gate is shut at 18:45", ""),
    ],
)
def test_a_clock_time_apart_from_its_adverb(text: str, cron: str) -> None:
    found = read_cadence(text)
    assert found is not None
    assert found.cron == cron


@every_row(
    ("text", "hours"),
    [
        ("Morning (6:00–7:00 JST)", "06:00-07:00"),
        ("下午 (14:00-15:00)", "14:00-15:00"),
        ("夕方（17:00〜18:00）", "17:00-18:00"),
        ("Tarde (16:00-17:00)", "16:00-17:00"),
        ("Manhã (6:00-7:00)", "06:00-07:00"),
        ("Abends (18:00–19:00)", "18:00-19:00"),
        ("Matin (6:00-7:00)", "06:00-07:00"),
        ("Вечер (18:00–19:00)", "18:00-19:00"),
    ],
)
def test_a_part_of_the_day_with_its_window_in_a_schedule(text: str, hours: str) -> None:
    found = read_cadence(text, expected=True)
    assert found is not None
    assert (found.seconds, found.active_hours) == (DAY, hours)
    assert read_cadence(text) is None


def test_of_several_windows_none_is_kept() -> None:
    found = read_cadence("Look 3 times a day (at dawn 06-07, at noon 12-13, at dusk 19-20)")
    assert found is not None
    assert found.active_hours == ""


@every_row(
    "text",
    [
        "Look at the pond (max once a day)",
        "Photos, less often — 1x per day max",
        "como máximo una vez al día",
        "höchstens einmal am Tag",
        "不超过每小时一次",
        "Never write twice a day",
    ],
)
def test_a_limit_is_no_cadence(text: str) -> None:
    assert read_cadence(text) is None


@every_row(
    ("text", "kind", "times"),
    [
        ("daily at 09:00 and 17:30", "times", "09:00 17:30"),
        ("every morning", "words", ""),
        ("every Sunday evening", "words", ""),
        ("weekdays at 08:00 and 08:30", "times", "08:00 08:30"),
    ],
)
def test_times_that_one_cron_line_cannot_hold(text: str, kind: str, times: str) -> None:
    found = read_cadence(text)
    assert found is not None
    assert (found.type, found.cron, " ".join(found.times)) == (kind, "", times)


@every_row(
    ("text", "lines"),
    [
        ("05:25 Copy the ledger", ["25 5 * * *"]),
        ("Midday walk (1:00 PM)", ["0 13 * * *"]),
        ("Tue/Thu/Sat 6:20AM ET", ["20 6 * * 2,4,6"]),
        (":10/:40 07-21 Reading", ["10,40 * * * *"]),
        ("daily 8PM count, Saturday 7AM report", ["0 20 * * *", "0 7 * * 6"]),
        ("Sunday", []),
        ("the 10 best of 2020", []),
    ],
)
def test_clock_times_where_a_schedule_is_expected(text: str, lines: list[str]) -> None:
    assert [found.cron for found in read_cadences(text, expected=True)] == lines


@every_row(
    ("text", "zone"),
    [
        ("at 9 AM CT", "America/Chicago"),
        ("09:00 MSK", "Europe/Moscow"),
        ("9:00 UTC+05:30", "Asia/Kolkata"),
        ("Zeitzone Wien", "Europe/Vienna"),
        ("台北時間", "Asia/Taipei"),
        ("the PT department", ""),
        ("et puis est-ce", ""),
        ("Springfield time", ""),
    ],
)
def test_time_zones(text: str, zone: str) -> None:
    assert zone_in(text) == zone


@given(
    st.lists(st.integers(0, 23), min_size=1, max_size=6, unique=True),
    st.integers(0, 59),
    st.sets(st.sampled_from(DAY_NAMES), max_size=6),
)
def test_cron_lines_come_back(hours: list[int], minute: int, days: set[str]) -> None:
    times = sorted(f"{hour:02d}:{minute:02d}" for hour in hours)
    line = cron_of(times, sorted(days))
    assert find_cron(line) == line
    read, named = times_of(line)
    assert (list(read), set(named)) == (times, days)
    found = read_cadence(line)
    assert found is not None
    assert (found.cron, found.times) == (line, read)


@every_row("text", NO_CADENCE)
def test_no_cadence(text: str) -> None:
    assert read_cadence(text) is None


# --- windows and zones beside a cadence --------------------------------------------------------------


@every_row(
    ("text", "hours", "start", "end", "zone"),
    [
        ("Run every 30m during business hours", "business hours", "", "", ""),
        ("every 30m between 9am and 6pm", "09:00-18:00", "09:00", "18:00", ""),
        ("every hour (08:00–22:00 Europe/Berlin)", "08:00-22:00", "08:00", "22:00", "Europe/Berlin"),
        ("every 15 minutes, quiet hours 23:00-08:00", "08:00-23:00", "08:00", "23:00", ""),
        ("every hour, quiet between 23:00 and 06:00", "06:00-23:00", "06:00", "23:00", ""),
        ("every 20 min, 7 AM - 7 PM PT", "07:00-19:00", "07:00", "19:00", "America/Los_Angeles"),
        ("daily at 09:00 Asia/Tokyo", "", "", "", "Asia/Tokyo"),
        ("daily at 09:00 UTC", "", "", "", "UTC"),
        ("daily at 09:00 PST", "", "", "", "America/Los_Angeles"),
        ("daily at 9 Berlin time", "", "", "", "Europe/Berlin"),
    ],
)
def test_windows_and_zones(text: str, hours: str, start: str, end: str, zone: str) -> None:
    found = read_cadence(text)
    assert found is not None
    assert (found.active_hours, found.active_start, found.active_end, found.timezone) == (
        hours,
        start,
        end,
        zone,
    )


@every_row(
    ("cell", "header", "cron"),
    [
        ("09:00", "Time", "0 9 * * *"),
        ("9am, 5pm", "When", "0 9,17 * * *"),
        ("`08:30`", "时间", "30 8 * * *"),
        ("every Monday", "Task", "0 0 * * 1"),
    ],
)
def test_time_columns(cell: str, header: str, cron: str) -> None:
    found = read_time_cell(cell, header)
    assert found is not None
    assert found.cron == cron


@every_row(("cell", "header"), [("09:00", "Task"), ("09:00 or later", "Time"), ("soon", "Time")])
def test_cells_that_tell_no_time(cell: str, header: str) -> None:
    assert read_time_cell(cell, header) is None


# --- values of a configuration -----------------------------------------------------------------------


@every_row(
    ("value", "seconds"),
    [
        ("30m", 1_800),
        ("1h30m", 5_400),
        ("24h", DAY),
        ("90 seconds", 90),
        ("0m", 0),
        ("0", 0),
        (0, 0),
        ("30", 1_800),
        (30, 1_800),
        (0.5, 30),
        (" 30M ", 1_800),
        ("often", None),
        ("every 30m", None),
        ("-5m", None),
        (-5, None),
        (True, None),
        (None, None),
        ({}, None),
        ("", None),
        (float("nan"), None),
        (float("inf"), None),
    ],
)
def test_interval_values(value: object, seconds: int | None) -> None:
    assert read_interval(value) == seconds


@every_row(
    ("text", "expected"),
    [
        ("0 9 * * 1-5", "0 9 * * 1-5"),
        ("*/5 * * * *", "*/5 * * * *"),
        ("0 9 ? * MON", "0 9 * * 1"),
        ("0 0 1 jan,jul *", "0 0 1 1,7 *"),
        ("60 9 * * *", ""),
        ("0 24 * * *", ""),
        ("0 9 0 * *", ""),
        ("0 9 * 13 *", ""),
        ("0 9 * * 8", ""),
        ("*/0 * * * *", ""),
        ("30-10 * * * *", ""),
        ("0 9 * *", ""),
        ("0 0 9 * * *", ""),
        ("0 9 * * MONDAY", ""),
        ("1 2 3 4 5", ""),
    ],
)
def test_cron_lines(text: str, expected: str) -> None:
    assert find_cron(text) == expected


# --- how often ---------------------------------------------------------------------------------------


@every_row(
    ("schedule", "seconds"),
    [
        (Schedule(type="interval", seconds=60), 60),
        (Schedule(type="cron", cron="0 9 * * *"), DAY),
        (Schedule(type="cron", cron="*/30 * * * *"), 1_800),
        (Schedule(type="cron", cron="0 9,17 * * *"), DAY / 2),
        (Schedule(type="cron", cron="0 9 * * 1"), 7 * DAY),
        (Schedule(type="words"), float("inf")),
        (Schedule(type="event"), float("inf")),
    ],
)
def test_seconds_between(schedule: Schedule, seconds: float) -> None:
    assert seconds_between(schedule) == pytest.approx(seconds)


# --- always ------------------------------------------------------------------------------------------


@given(st.integers(1, 999), st.sampled_from(["s", "m", "h", "d"]))
def test_every_compact_interval_is_read_alone_and_in_a_sentence(number: int, unit: str) -> None:
    seconds = number * {"s": 1, "m": 60, "h": 3_600, "d": DAY}[unit]
    alone, within = (
        read_cadence(f"{number}{unit}"),
        read_cadence(f"Look at the queue every {number}{unit}, then reply."),
    )
    assert alone is not None
    assert within is not None
    assert alone.seconds == within.seconds == read_interval(f"{number}{unit}") == seconds


@given(st.text(alphabet=st.sampled_from("every 30mhday19:0apm*/-,每天日()#"), max_size=80))
def test_what_is_found_is_quoted_from_the_text_and_whole(text: str) -> None:
    found = read_cadence(text)
    if found is None:
        return
    assert found.cadence
    assert found.type in ("interval", "cron", "event", "words")
    assert (found.type == "interval") == (found.seconds is not None)
    assert (found.type == "cron") == bool(found.cron)
    assert found.type != "cron" or find_cron(found.cron) == found.cron


@every_row(
    "part", ["every ", "9:00 ", "9am,", "mon ", "* ", "1 ", "a", "every 1", "no ", "每", "daily ", "("]
)
def test_time_is_bounded(part: str) -> None:
    with bounded():
        read_cadence(part * 150_000)


def test_a_text_has_a_word_of_each_form_that_matches_it() -> None:
    lines = set(re.findall(r'"([^"\n]{3,200})"', Path(__file__).read_text("utf-8")))
    seen = set()
    for text in map(in_english, lines):
        for form in (*CADENCES, *APPOINTMENTS):
            if form.pattern.search(text.text):
                seen.add(form.pattern.text)
                assert form.may_match(text.text.lower()), (form.pattern.text, text.text)
    assert len(seen) > 32
