"""What can be edited of a row of the review, as a few fields, what they are read as, and the command they make."""

import re
from collections.abc import Callable, Mapping
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.actions.choices import Field
from melleafy_tui.core.decisions.commands import ChangeSettings, Command, SetTag
from melleafy_tui.core.errors import MelleafyError, UsageError
from melleafy_tui.core.language.time.cron import DAY_NAMES, cron_of
from melleafy_tui.core.language.time.next_runs import next_runs
from melleafy_tui.core.models.classification import Schedule, ScheduleRow
from melleafy_tui.core.models.facts import ToolFact
from melleafy_tui.core.package.script_calls import script_call
from melleafy_tui.core.pipeline.behaviour_rows import time_as_read, timed_rows
from melleafy_tui.core.pipeline.conversion import Conversion
from melleafy_tui.core.pipeline.review_rows import Card, ReviewRow
from melleafy_tui.core.pipeline.schedule_changes import WAKE_UP, is_about, read_changes


class RowEdit(Struct, frozen=True):
    """An edit of one row.

    Attributes:
        title: What is edited.
        fields: The values.
        read: Returns what values are read as, a line each, for a person to check; raises a MelleafyError whose
            message says what is wrong with them.
        command: Returns the command that carries the values out; raises the same.
    """

    title: str
    fields: tuple[Field, ...]
    read: Callable[[Mapping[str, str]], tuple[str, ...]]
    command: Callable[[Mapping[str, str]], Command]

    def fault(self, values: Mapping[str, str]) -> str:
        """Return what is wrong with values, or `""`."""
        try:
            self.read(values)
        except MelleafyError as error:
            return error.message
        return ""


EDITABLE: Final = ("schedule:", "judged:", "tool:")
"""How the items of rows begin that have something to edit."""


def edit_of(conversion: Conversion, row: ReviewRow) -> RowEdit | None:
    """Return what can be edited of a row of the review, or None."""
    timed = timed_rows(conversion).get(row.item)
    if timed is not None and "=" not in timed.title and "|" not in timed.title:
        return _time_edit(conversion, timed)
    kind, _, key = row.item.partition(":")
    if kind == "tool":
        return _parameters_edit(conversion, key)
    return _wording_edit(key, row) if kind == "judged" else None


def added_row(conversion: Conversion, row: ReviewRow) -> Command | None:
    """Return the command that checks every reply for a row of another card, or None if it has no rule."""
    entry = conversion.plan.by_id.get(row.entry_id)
    if entry is None or row.item.startswith(("judged:", "schedule:", "secret:", "tool:")):
        return None
    keys = tuple(conversion.keys[name] for name in entry.source_elements if name in conversion.keys)
    return SetTag(keys, judged=True) if keys else None


# --- wake-up and tasks -----------------------------------------------------------------------------------


def new_task(conversion: Conversion, card: Card) -> RowEdit | None:
    """Return the edit that adds a task, on the card of those; None on any other."""
    return _new_task(conversion, "", Schedule()) if card is Card.WAKES else None


def _new_task(conversion: Conversion, name: str, schedule: Schedule) -> RowEdit:
    fields = (Field("name", "Name", name), *_fields(schedule), Field("does", "What it does", ""))

    def change(values: Mapping[str, str]) -> str:
        if not values["name"] or not values["does"]:
            raise UsageError("A task needs a name and what it does")
        return f"{values['name']} = {_when(values)} | {values['does']}"

    return RowEdit("New task", fields, _reader(conversion, change), _changer(conversion, change))


def _time_edit(conversion: Conversion, row: ScheduleRow) -> RowEdit:
    name = row.title or WAKE_UP
    if row.state == "elsewhere":
        return _new_task(conversion, name, row.schedule)
    zone = row.schedule.timezone or conversion.classification.schedule.home_zone
    fields = _fields(row.schedule, zone)

    def change(values: Mapping[str, str]) -> str:
        kept = {} if row.title else {"days": row.schedule.days, "hours": row.schedule.active_start}
        whole = {field: _WHOLE[field] for field, before in kept.items() if before and not values[field]}
        return f"{name} = {_when({**values, **whole})}"

    title = f"When is {row.title!r} due?" if row.title else "When does the agent wake?"
    return RowEdit(title, fields, _reader(conversion, change), _changer(conversion, change))


def _fields(schedule: Schedule, zone: str = "") -> tuple[Field, ...]:
    when = time_as_read(Schedule(cadence=schedule.cadence, seconds=schedule.seconds, times=schedule.times))
    hours = f"{schedule.active_start}-{schedule.active_end}" if schedule.active_start else ""
    return (
        Field("when", "Time: every 30 minutes, 9:00 and 17:00, a cron line, or off", when),
        Field("days", "Days: weekdays, mon-fri, tue, fri; empty for all", ", ".join(schedule.days)),
        Field("hours", "Active hours: 08:00-18:00; empty for always", hours),
        Field("zone", "Zone: Europe/Dublin; empty for the host's own", zone),
    )


_WHOLE: Final = {"days": "mon-sun", "hours": "00:00-24:00"}
"""What an emptied field of the wake-up says: what a change leaves out stays as it was."""

_RANGES: Final = {"weekdays": "mon-fri", "weekend": "sat-sun", "weekends": "sat-sun"}
_HOURS: Final = re.compile(r"\d{1,2}:\d{2} ?[-–] ?\d{1,2}:\d{2}")
_WEEK: Final = (*DAY_NAMES[1:], DAY_NAMES[0])


def _days(text: str) -> tuple[str, ...]:
    """Return the weekdays that a list of names and ranges means."""
    found: set[str] = set()
    for part in text.casefold().replace(" and ", ",").replace(" ", ",").split(","):
        first, _, last = _RANGES.get(part, part).partition("-")
        ends = [next((day for day in _WEEK if each.startswith(day)), "") for each in (first, last or first)]
        if part and "" in ends:
            raise UsageError(f"{part!r} is not a day", hint="For example weekdays, mon-fri or tue, fri.")
        if part:
            start, end = (_WEEK.index(each) for each in ends)
            found.update(_WEEK[start : end + 1] if start <= end else (*_WEEK[start:], *_WEEK[: end + 1]))
    return tuple(day for day in _WEEK if day in found)


def _when(values: Mapping[str, str]) -> str:
    """Return the values as one time in words, which are read like those of the source."""
    when, days = values["when"], _days(values["days"])
    if not when:
        raise UsageError("The time is missing")
    if values["hours"] and not _HOURS.fullmatch(values["hours"]):
        raise UsageError(f"The hours {values['hours']!r} can't be read", hint="For example 08:00-18:00.")
    [alone] = read_changes([f"time = {when}"])
    if alone.when is None or not any(values[name] for name in ("days", "hours", "zone")):
        return when
    if days and alone.when.times:
        when = cron_of(alone.when.times, days) or when
    elif days:
        when = f"{when} {days[0]}-{days[-1]}"
    when = " ".join([when, *(f"active {values['hours']}",) * bool(values["hours"]), values["zone"]]).strip()
    [whole] = read_changes([f"time = {when}"])
    read = whole.when
    if read is None or (days and set(read.days or _WEEK) != set(days)):
        raise UsageError("An interval can't have these days", hint="For example mon-fri.")
    if values["zone"] and read.timezone != values["zone"]:
        raise UsageError(f"{values['zone']!r} is not a time zone", hint="For example Europe/Dublin.")
    return when


def _reader(
    conversion: Conversion, change: Callable[[Mapping[str, str]], str]
) -> Callable[[Mapping[str, str]], tuple[str, ...]]:
    home = conversion.classification.schedule.home_zone

    def read(values: Mapping[str, str]) -> tuple[str, ...]:
        [found] = read_changes([change(values)])
        if found.when is None:
            return ("Nothing wakes the agent for it.",)
        runs = ", ".join(next_runs(found.when, conversion.as_of)) or "none that can be told"
        return (
            f"Read as: {time_as_read(found.when, found.when.timezone or home)}",
            f"Next three runs: {runs}",
        )

    return read


def _changer(
    conversion: Conversion, change: Callable[[Mapping[str, str]], str]
) -> Callable[[Mapping[str, str]], Command]:
    def command(values: Mapping[str, str]) -> Command:
        text = change(values)
        name = text.partition("=")[0].strip()
        kept = tuple(each for each in conversion.settings.schedule if not is_about(each, name))
        return ChangeSettings({"schedule": (*kept, text)})

    return command


# --- parameters of a tool ------------------------------------------------------------------------------------


def _parameters_edit(conversion: Conversion, key: str) -> RowEdit | None:
    """Return the edit of the parameters of a tool that runs a script or a program, or None if it has none."""
    keys = conversion.keys
    found = (each for each in conversion.inventory.elements if keys[each.element_id] == key)
    fact = next((each.facts[ToolFact] for each in found), ToolFact())
    is_run = fact.script or fact.program
    file = conversion.snapshot.file(fact.script)
    call = script_call(replace(fact, parameters=()), file) if is_run else None
    if call is None or not call.arguments:
        return None
    chosen, arguments = dict(fact.parameters), {f"p{at}": each for at, each in enumerate(call.arguments)}
    fields = (
        Field(name, f"{each.option or each.name}: name, type, default", chosen.get(each.name, each.words))
        for name, each in arguments.items()
    )

    def read(values: Mapping[str, str]) -> tuple[str, ...]:
        changed = [each.changed(values[name]) for name, each in arguments.items()]
        names = [each.name for each in changed]
        if double := next((name for name in names if names.count(name) > 1), ""):
            raise UsageError(f"Two parameters are called {double}")
        return (f"The tool takes {', '.join(each.words for each in changed)}",)

    def command(values: Mapping[str, str]) -> Command:
        read(values)
        written = {each.name: values[name].strip() for name, each in arguments.items()}
        kept = [
            each.name for each in call.arguments if written[each.name] != each.words or each.name in chosen
        ]
        return SetTag((key,), parameters=tuple((name, written[name]) for name in kept))

    return RowEdit("Parameters", tuple(fields), read, command)


# --- judged rules --------------------------------------------------------------------------------------------


def _wording_edit(key: str, row: ReviewRow) -> RowEdit:
    def read(values: Mapping[str, str]) -> tuple[str, ...]:
        if not values["wording"]:
            raise UsageError("The wording is missing")
        return ("Every reply is checked for these words; the prompt keeps yours.",)

    def command(values: Mapping[str, str]) -> Command:
        read(values)
        return SetTag((key,), judged=True, wording=values["wording"])

    return RowEdit("What is checked?", (Field("wording", "Wording", row.text),), read, command)
