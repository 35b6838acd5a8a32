"""Active hours in every form, and what only looks like a window (spec/conversion.md 2.2)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from melleafy_tui.core.language.time.active_hours import active_hours_in, read_active_hours
from tests.rows import every_row


@every_row(
    ("value", "start", "end", "zone", "normalised"),
    [
        pytest.param({"start": "09:00", "end": "18:00"}, "09:00", "18:00", "", False, id="object"),
        pytest.param(
            {"start": "09:00", "end": "24:00", "timezone": "Europe/Dublin"},
            "09:00",
            "24:00",
            "Europe/Dublin",
            False,
            id="object with zone and 24:00",
        ),
        pytest.param(
            {"start": "8:00", "end": "22:00", "tz": "user"}, "08:00", "22:00", "user", True, id="zone user"
        ),
        pytest.param({"start": 9, "end": 24}, "09:00", "24:00", "", True, id="numbers"),
        pytest.param({"start": 900, "end": 1730}, "09:00", "17:30", "", True, id="four digits"),
        pytest.param({"start": "9am", "end": "6pm"}, "09:00", "18:00", "", True, id="object of clocks"),
        pytest.param({"from": "22:00", "to": "06:00"}, "22:00", "06:00", "", False, id="over midnight"),
        pytest.param("09:00-18:00", "09:00", "18:00", "", False, id="text"),
        pytest.param(
            "09:00–18:00 Europe/Berlin", "09:00", "18:00", "Europe/Berlin", False, id="text with zone"
        ),
        pytest.param("9-18", "09:00", "18:00", "", True, id="bare hours"),
        pytest.param("9am-6pm", "09:00", "18:00", "", True, id="12-hour clock"),
        pytest.param("9-5pm", "09:00", "17:00", "", True, id="one half named, day"),
        pytest.param("8-11pm", "20:00", "23:00", "", True, id="one half named, evening"),
        pytest.param("12-5pm", "12:00", "17:00", "", True, id="from noon"),
        pytest.param("between 9am and 6pm", "09:00", "18:00", "", True, id="between"),
        pytest.param("from 8 to 22", "08:00", "22:00", "", True, id="from to"),
        pytest.param("10:00~22:00", "10:00", "22:00", "", False, id="wave"),
        pytest.param("上午9点到下午6点", "09:00", "18:00", "", True, id="Chinese"),
        pytest.param([9, 18], "09:00", "18:00", "", True, id="pair"),
    ],
)
def test_windows(value: object, start: str, end: str, zone: str, normalised: bool) -> None:
    hours = read_active_hours(value)
    assert hours is not None
    assert (hours.start, hours.end, hours.timezone) == (start, end, zone)
    assert hours.words == f"{start}-{end}"
    assert hours.normalised is normalised
    assert not hours.never


def test_equal_ends_mean_never() -> None:
    hours = read_active_hours({"start": "08:00", "end": "08:00"})
    assert hours is not None
    assert hours.never


@every_row(
    ("value", "words"),
    [
        pytest.param("business hours", "business hours", id="words"),
        pytest.param("soon", "soon", id="unknown"),
        pytest.param({"start": "dawn", "end": "dusk"}, "dawn-dusk", id="object of words"),
        pytest.param({"start": "09:00"}, "09:00-", id="half an object"),
        pytest.param({"start": 99, "end": 100}, "99-100", id="no hours"),
        pytest.param({"start": "25:00", "end": "26:00"}, "25:00-26:00", id="no clocks"),
        pytest.param(5, "5", id="a number"),
    ],
)
def test_what_is_not_understood_stays_words(value: object, words: str) -> None:
    hours = read_active_hours(value)
    assert hours is not None
    assert (hours.words, hours.start, hours.end) == (words, "", "")


@every_row("value", [None, "", "  ", {}, [], True, {"timezone": "UTC"}])
def test_no_window(value: object) -> None:
    assert read_active_hours(value) is None


@every_row(
    ("text", "words"),
    [
        ("Run every 30m during business hours", "business hours"),
        ("Run every 30m during opening hours", "opening hours"),
        ("every hour during our visiting hours", "our visiting hours"),
        ("every hour between 9am and 6pm", "09:00-18:00"),
        ("every hour, 9-5pm", "09:00-17:00"),
        ("active 08:00–22:00", "08:00-22:00"),
        ("工作时间内每小时", "工作时间"),
    ],
)
def test_windows_in_sentences(text: str, words: str) -> None:
    hours = active_hours_in(text)
    assert hours is not None
    assert hours.words == words


@every_row(
    "text",
    [
        "quiet hours 23:00-08:00",
        "Late night (23:00-08:00)",
        "23:00-08:00: stay silent",
        "every hour except 23:00-08:00",
        "not between 9am and 6pm",
        "outside business hours",
        "during quiet hours",
        "outside opening hours",
        "what changed during the last hours",
        "rest during all hours",
        "see pages 3-4",
        "between 3 and 5 tickets",
        "every hour",
    ],
)
def test_no_window_in_a_sentence(text: str) -> None:
    assert active_hours_in(text) is None


@given(st.integers(0, 23), st.integers(0, 59), st.integers(0, 24))
def test_any_window_of_clocks_comes_back(hour: int, minute: int, last: int) -> None:
    start, end = f"{hour:02d}:{minute:02d}", f"{last:02d}:00"
    for value in ({"start": start, "end": end}, f"{start}-{end}", f"{start} to {end}"):
        hours = read_active_hours(value)
        assert hours is not None
        assert (hours.start, hours.end, hours.never) == (start, end, start == end)
