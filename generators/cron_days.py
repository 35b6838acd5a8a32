"""The weekdays of a cron line in APScheduler's words: cron counts days from Sunday, APScheduler from Monday.

`with_named_days` runs here for SETUP.md, and its source travels word for word into the emitted runner, which
reads a line that the user may have changed (spec/package.md 4, C9 `real_impl`).
"""

import inspect
from functools import cache


def with_named_days(line: str) -> str:
    """Return a cron line with its weekdays by name; cron counts them from Sunday, APScheduler from Monday."""
    names = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
    *fields, days = line.split()
    named: list[str] = []
    for part in days.split(","):
        span, _, step = part.replace("*/", "0-6/").partition("/")
        first, _, last = span.partition("-")
        bounds = (first, last or first, step or "1")
        if all(bound.isdigit() for bound in bounds) and step != "0":
            start, end, every = map(int, bounds)
            named += [names[day % 7] for day in range(start, end + 1, every)]
        else:
            named.append(part)
    return " ".join([*fields, ",".join(named)])


@cache
def with_named_days_source() -> str:
    """Return the function as code."""
    return inspect.getsource(with_named_days).rstrip("\n")
