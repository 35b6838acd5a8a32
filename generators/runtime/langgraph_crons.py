# Static module of melleafy-tui 0.2.0, not to be edited.
"""The agent's schedule as crons of a LangGraph server.

crons.py of the project calls it; LangGraph's SDK is imported when it is used.
"""

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

MADE_BY = {"made_by": "melleafy-tui"}
"""Metadata of the crons that replace_crons creates, and replaces."""
MOST_CRONS = 1000
DAY = 24 * 60
WEEKDAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")

Schedule = Mapping[str, object]
"""SCHEDULE_CONFIG, or one of its wake-ups."""
Field = frozenset[int]
"""The numbers of one field of a cron line."""
SHARED = ("timezone", "active_start", "active_end", "message")
"""What several wake-ups have in common unless they say otherwise."""
WHATEVER_FAILS = Exception
"""What a server and its client may end with; the command says it in one line."""


class CronError(ValueError):
    """A wake-up can't be written as cron lines; the message says why."""


class Cron(NamedTuple):
    """One cron of the server."""

    schedule: str
    timezone: str
    message: str


def crons(config: Schedule | Sequence[Schedule]) -> list[Cron]:
    """Return the crons for SCHEDULE_CONFIG; none where only events wake the agent.

    Active hours become part of the lines, so that nothing runs outside of them.

    Raises:
        CronError: cron can't express a wake-up.
    """
    found: dict[Cron, None] = {}
    for row in _wake_ups(config):
        zone = str(row.get("timezone") or "UTC")
        message = str(row.get("message") or "heartbeat")
        for line in cron_lines(row):
            found[Cron(line, zone, message)] = None
    return list(found)


def _wake_ups(config: Schedule | Sequence[Schedule]) -> list[Schedule]:
    """Return the wake-ups: one, a list, or those under "wake_ups"."""
    if not isinstance(config, Mapping):
        return list(config)
    listed = config.get("wake_ups")
    if isinstance(listed, list | tuple):
        shared = {key: config[key] for key in SHARED if key in config}
        return [{**shared, **row} for row in listed]
    timed = config.get("cron") or config.get("seconds")
    return [] if config.get("type") == "event" and not timed else [config]


def cron_lines(wake_up: Schedule) -> list[str]:
    """Return the cron lines of one wake-up, limited to its active hours.

    An interval counts from the opening of the window, else from midnight.

    Raises:
        CronError: cron can't express it.
    """
    window = _window(wake_up)
    cron = str(wake_up.get("cron") or "")
    if cron:
        fields = cron.split()
        if window is None:
            return [cron]
        if len(fields) != 5:
            raise CronError(f"{cron!r} can't be limited to the active hours")
        minutes, hours = _numbers(fields[0], 60), _numbers(fields[1], 24)
        times = [hour * 60 + minute for hour in hours for minute in minutes]
        return list(_lines(times, window, " ".join(fields[2:])))
    seconds = wake_up.get("seconds")
    if not seconds:
        raise CronError("no time is known: set cron or seconds in SCHEDULE_CONFIG")
    every, odd = divmod(seconds if isinstance(seconds, int) else 0, 60)
    if odd or not every or DAY % every:
        raise CronError(
            f"no cron line means every {seconds} seconds: it must divide a day into"
            " whole minutes"
        )
    first = window[0] if window else 0
    times = [(first + at) % DAY for at in range(0, DAY, every)]
    days = wake_up.get("days")
    named = [str(day) for day in days] if isinstance(days, list | tuple) else []
    if wrong := [day for day in named if day not in WEEKDAYS]:
        raise CronError(f"{wrong[0]!r} is not a weekday")
    return list(_lines(times, window, "* *", [WEEKDAYS.index(day) for day in named]))


def _lines(
    times: Sequence[int],
    window: tuple[int, int] | None,
    rest: str,
    days: Sequence[int] = (),
) -> Iterator[str]:
    """Yield one line for all hours that share their minutes.

    A window that goes past midnight belongs to the day on which it opens.
    """
    start, end = window or (0, DAY)
    late = [at for at in times if at >= start and (at < end or end < start)]
    early = [at for at in times if at < end < start]
    parts = ((late, 0), (early, 1)) if days else ((early + late, 0),)
    for of_day, shift in parts:
        weekday = frozenset((day + shift) % 7 for day in days or range(7))
        named = f"{rest} {_field(weekday, 7)}" if rest == "* *" else rest
        by_hour: dict[int, set[int]] = {}
        for at in sorted(of_day):
            by_hour.setdefault(at // 60, set()).add(at % 60)
        groups: dict[Field, set[int]] = {}
        for hour, minutes in by_hour.items():
            groups.setdefault(frozenset(minutes), set()).add(hour)
        for same, hours in groups.items():
            yield f"{_field(same, 60)} {_field(frozenset(hours), 24)} {named}"


def _field(numbers: Field, size: int) -> str:
    """Return a field of a cron line: `*`, `*/15`, `9-17` or `0,20`."""
    listed = sorted(numbers)
    step = size // len(listed)
    if listed == list(range(0, size, step)) and (step == 1 or len(listed) > 1):
        return "*" if step == 1 else f"*/{step}"
    if len(listed) > 2 and listed[-1] - listed[0] == len(listed) - 1:
        return f"{listed[0]}-{listed[-1]}"
    return ",".join(map(str, listed))


def _numbers(field: str, size: int) -> Field:
    """Return the numbers that a minute or hour field means."""
    found: set[int] = set()
    for part in field.split(","):
        span, slash, step = part.partition("/")
        low, dash, high = span.partition("-")
        if span == "*":
            low, high = "0", str(size - 1)
        elif not dash:
            high = str(size - 1) if slash else low
        every = step if slash else "1"
        if not all(text.isdecimal() for text in (low, high, every)) or not int(every):
            raise CronError(f"{field!r} can't be limited to the active hours")
        found.update(range(int(low), int(high) + 1, int(every)))
    return frozenset(number for number in found if number < size)


def _window(wake_up: Schedule) -> tuple[int, int] | None:
    """Return the active hours in minutes from midnight, or None."""
    found: list[int] = []
    for key in ("active_start", "active_end"):
        hour, _, minute = str(wake_up.get(key) or "").partition(":")
        if not (hour.isdecimal() and minute.isdecimal()):
            return None
        found.append(int(hour) * 60 + int(minute))
    return found[0], found[1]


def replace_crons(url: str | None, graph: str, wanted: Sequence[Cron]) -> int:
    """Create crons on a server, and delete those of an earlier call, which are counted.

    Args:
        url: The address of the server; the SDK's default where it is None.
        graph: The name of the graph, as in langgraph.json.
        wanted: The crons.
    """
    from langgraph_sdk import get_sync_client

    with get_sync_client(url=url) as client:
        assistants = client.assistants.search(graph_id=graph, limit=MOST_CRONS)
        stale = [
            cron["cron_id"]
            for assistant in assistants
            for cron in client.crons.search(
                assistant_id=assistant["assistant_id"], limit=MOST_CRONS
            )
            if MADE_BY.items() <= (cron.get("metadata") or {}).items()
        ]
        for cron in wanted:
            client.crons.create(
                graph,
                schedule=cron.schedule,
                timezone=cron.timezone,
                input={"message": cron.message},
                metadata=MADE_BY,
            )
        for cron_id in stale:
            client.crons.delete(cron_id)
    return len(stale)


def run_crons(
    config: Schedule | Sequence[Schedule],
    *,
    graph: str,
    arguments: Sequence[str] | None = None,
) -> int:
    """Run the command line of crons.py, and return the exit code.

    Args:
        config: SCHEDULE_CONFIG.
        graph: The name of the graph, as in langgraph.json.
        arguments: The arguments; those of the process when left out.
    """
    parser = argparse.ArgumentParser(
        prog="crons.py", description="Put the agent's schedule on a LangGraph server."
    )
    parser.add_argument("--url", help="the server, such as http://localhost:2024")
    parser.add_argument("--list", action="store_true", help="only print the crons")
    parser.add_argument("--remove", action="store_true", help="only delete the crons")
    options = parser.parse_args(arguments)
    try:
        wanted = [] if options.remove else crons(config)
    except CronError as error:
        print(f"crons.py: {error}", file=sys.stderr)
        return 1
    for cron in wanted:
        print(f"{cron.schedule}  {cron.timezone}  {cron.message}")
    if options.list:
        return 0
    try:
        gone = replace_crons(options.url, graph, wanted)
    except WHATEVER_FAILS as error:
        print(f"crons.py: {type(error).__name__}: {error}", file=sys.stderr)
        return 1
    print(f"crons.py: {len(wanted)} created, {gone} deleted", file=sys.stderr)
    return 0
