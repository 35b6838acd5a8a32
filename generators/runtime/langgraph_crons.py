# Static module of melleafy-tui 0.2.0, not to be edited.
"""The agent's schedule as crons of a LangGraph server.

crons.py of the project calls it; LangGraph's SDK is imported when it is used.
"""

import argparse
import sys
from collections.abc import Collection, Iterator, Sequence
from datetime import UTC, datetime, time, timedelta
from typing import NamedTuple

from .schedule import DAYS, Cadence, is_open, numbers, wake_ups

MADE_BY = {"made_by": "melleafy-tui"}
"""Metadata of the crons that replace_crons creates, and replaces."""
MOST_CRONS = 1000
DAY = 24 * 60
SUNDAY = datetime(2026, 11, 22, tzinfo=UTC)
"""The first day of the week whose times are tried."""


class CronError(ValueError):
    """A wake-up can't be written as cron lines; the message says why."""


class Cron(NamedTuple):
    """One cron of the server."""

    schedule: str
    timezone: str
    message: str


def crons(config: Cadence | Sequence[Cadence]) -> list[Cron]:
    """Return the crons for SCHEDULE_CONFIG; none where only events wake the agent.

    Active hours become part of the lines, so that nothing runs outside of them.

    Raises:
        CronError: cron can't express a wake-up.
    """
    found: dict[Cron, None] = {}
    for row in wake_ups(config):
        timed = row.get("cron") or row.get("seconds")
        zone = str(row.get("timezone") or "UTC")
        message = str(row.get("message") or "heartbeat")
        lines = cron_lines(row) if timed or row.get("type") != "event" else ()
        found |= {Cron(line, zone, message): None for line in lines}
    return list(found)


def cron_lines(wake_up: Cadence) -> list[str]:
    """Return the cron lines of one wake-up, limited to its active hours.

    An interval counts from the opening of the window, else from midnight.

    Raises:
        CronError: cron can't express it.
    """
    start = str(wake_up.get("active_start") or "")
    windowed = bool(start and wake_up.get("active_end"))
    cron = str(wake_up.get("cron") or "")
    if cron:
        fields = cron.split()
        if not windowed:
            return [cron]
        if len(fields) != 5:
            raise CronError(f"{cron!r} can't be limited to the active hours")
        minutes, hours = _times(fields[0], 59), _times(fields[1], 23)
        times = sorted(hour * 60 + minute for hour in hours for minute in minutes)
        return list(_lines(times, wake_up, " ".join(fields[2:])))
    seconds = wake_up.get("seconds")
    if not seconds:
        raise CronError("no time is known: set cron or seconds in SCHEDULE_CONFIG")
    every, odd = divmod(seconds if isinstance(seconds, int) else 0, 60)
    if odd or not every or DAY % every:
        raise CronError(
            f"no cron line means every {seconds} seconds: it must divide a day into"
            " whole minutes"
        )
    days = wake_up.get("days")
    for day in days if isinstance(days, list | tuple) else ():
        if day not in DAYS:
            raise CronError(f"{day!r} is not a weekday")
    opens = time.fromisoformat(start) if windowed else time()
    first = opens.hour * 60 + opens.minute
    return list(_lines([(first + at) % DAY for at in range(0, DAY, every)], wake_up))


def _times(field: str, most: int) -> set[int]:
    """Return the numbers that a minute or hour field means."""
    try:
        return numbers(field, 0, most)
    except ValueError as error:
        raise CronError(f"{field!r} can't be limited to the active hours") from error


def _lines(times: Sequence[int], wake_up: Cadence, rest: str = "") -> Iterator[str]:
    """Yield one line for all hours that share their minutes and weekdays."""
    open_on: dict[tuple[int, frozenset[int]], set[int]] = {}
    for at in times:
        moments = (SUNDAY + timedelta(days=day, minutes=at) for day in range(7))
        days = {day for day, moment in enumerate(moments) if is_open(wake_up, moment)}
        if days:
            open_on.setdefault((at // 60, frozenset(days)), set()).add(at % 60)
    groups: dict[tuple[frozenset[int], frozenset[int]], set[int]] = {}
    for (hour, on), minutes in open_on.items():
        groups.setdefault((frozenset(minutes), on), set()).add(hour)
    for (same, on), hours in groups.items():
        named = rest or f"* * {_field(on, 7)}"
        yield f"{_field(same, 60)} {_field(hours, 24)} {named}"


def _field(found: Collection[int], size: int) -> str:
    """Return a field of a cron line: `*`, `*/15`, `9-17` or `0,20`."""
    listed = sorted(found)
    step = size // len(listed)
    if listed == list(range(0, size, step)) and (step == 1 or len(listed) > 1):
        return "*" if step == 1 else f"*/{step}"
    if len(listed) > 2 and listed[-1] - listed[0] == len(listed) - 1:
        return f"{listed[0]}-{listed[-1]}"
    return ",".join(map(str, listed))


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
    config: Cadence | Sequence[Cadence],
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
    except Exception as error:  # noqa: BLE001 one line says it
        print(f"crons.py: {type(error).__name__}: {error}", file=sys.stderr)
        return 1
    print(f"crons.py: {len(wanted)} created, {gone} deleted", file=sys.stderr)
    return 0
