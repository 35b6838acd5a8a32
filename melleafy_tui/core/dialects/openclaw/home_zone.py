"""Finds the time zone of clock times that name none: the user's, else the one that the other times name.

OpenClaw tells the agent the time of the user's zone, so "7:30" in a file means 7:30 there. Jobs of its own scheduler
are different: without a zone they run in that of the gateway's machine, which nothing in a workspace says.
"""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final

from melleafy_tui.core.dialects.openclaw.configuration import Configuration
from melleafy_tui.core.dialects.openclaw.schedule_words import form
from melleafy_tui.core.dialects.openclaw.stock_text import is_template_line
from melleafy_tui.core.language.time.zones import zone_in
from melleafy_tui.core.language.wording import plain_text
from melleafy_tui.core.models.classification import Schedule
from melleafy_tui.core.models.snapshot import Snapshot

_USER_PATH: Final = "USER.md"
_LABELLED: Final = form("labelled")


HomeZone = tuple[str, str]
"""The zone of times without one, and `file:line` of what gives it; both empty if nothing does."""


def home_zone(
    snapshot: Snapshot,
    configuration: Configuration | None,
    wake_ups: Iterable[Schedule],
    tasks: Iterable[Schedule],
) -> HomeZone:
    """Return the zone of clock times that name none.

    Args:
        snapshot: The workspace.
        configuration: Its configuration.
        wake_ups: The agent's own wake-ups.
        tasks: What has a time of its own.
    """
    found = chain(_of_settings(configuration), _of_user(snapshot), _of_others(wake_ups), _of_others(tasks))
    return next(found, ("", ""))


def _of_settings(configuration: Configuration | None) -> Iterator[HomeZone]:
    node = configuration.user_timezone if configuration is not None else None
    if configuration is not None and node is not None and (zone := zone_in(f"9:00 {node.value}")):
        yield zone, f"{configuration.path}:{node.key_line}"


def _of_user(snapshot: Snapshot) -> Iterator[HomeZone]:
    file = snapshot.file(_USER_PATH)
    for number, line in enumerate(file.lines if file is not None else (), start=1):
        labelled = _LABELLED.search(plain_text(line)) if not is_template_line(line) else None
        value = labelled["value"].strip(" |*") if labelled else ""
        if zone := zone_in(f"9:00 {value}") or zone_in(f"{value} time"):
            yield zone, f"{_USER_PATH}:{number}"


def _of_others(timed: Iterable[Schedule]) -> Iterator[HomeZone]:
    """Yield the zone that times name if they name only one."""
    stated = {found.timezone: found for found in reversed([*timed]) if found.timezone}
    for zone, found in stated.items() if len(stated) == 1 else ():
        yield zone, f"{found.file}:{found.first_line}"
