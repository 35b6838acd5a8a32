"""Which files a session's prompt asks for, in the order in which their budget is spent (seeds 002 and 004)."""

from collections.abc import Iterator

from msgspec import Struct

from melleafy_tui.core.context.extra_files import accepted, extra_paths
from melleafy_tui.core.context.releases import MEMORY, MEMORY_OTHER, Assembly, MemoryName
from melleafy_tui.core.context.units import decoded
from melleafy_tui.core.dialects.openclaw.budgets import Budget
from melleafy_tui.core.models.context import SessionKind
from melleafy_tui.core.models.snapshot import Snapshot


class Wanted(Struct, frozen=True):
    """One file that the prompt asks for.

    `text` is its text in code units, or None where it is missing. `withheld` says that this kind of session is not
    given it.
    """

    path: str
    text: str | None
    extra: bool = False
    withheld: bool = False

    @property
    def name(self) -> str:
        """Return the file's name without its folders."""
        return self.path.rpartition("/")[2]


def wanted_files(
    snapshot: Snapshot, assembly: Assembly, budget: Budget, session: SessionKind
) -> tuple[Wanted, ...]:
    """Return the files in the order in which they are loaded, those that the session is not given included."""
    given = session_files(assembly, budget, session)
    found: dict[str, Wanted] = {}
    for path in _paths(snapshot, assembly):
        text = _text(snapshot, assembly, path)
        if text is None and path in assembly.silent:
            continue
        found[path] = Wanted(path, text, withheld=given is not None and path not in given)
    if assembly.extra_files:
        for path in extra_paths(snapshot):
            text = _text(snapshot, assembly, path)
            if text is not None and accepted(assembly, path) and path not in found:
                name = path.rpartition("/")[2]
                found[path] = Wanted(path, text, extra=True, withheld=given is not None and name not in given)
    return tuple(found.values())


def session_files(assembly: Assembly, budget: Budget, session: SessionKind) -> tuple[str, ...] | None:
    """Return the names of the files that a session is given, or None where it is given all."""
    if session is SessionKind.SUBAGENT or (session is SessionKind.CRON and assembly.cron_like_subagent):
        return budget.subagent
    return assembly.cron if session is SessionKind.CRON else None


def _paths(snapshot: Snapshot, assembly: Assembly) -> Iterator[str]:
    for path in assembly.order:
        other = snapshot.file(MEMORY_OTHER) is not None
        if path != MEMORY or assembly.memory is MemoryName.CAPITALS or not other:
            yield path
        elif assembly.memory is MemoryName.BOTH:
            yield from (MEMORY, MEMORY_OTHER)
        else:
            yield MEMORY if snapshot.file(MEMORY) is not None else MEMORY_OTHER


def _text(snapshot: Snapshot, assembly: Assembly, path: str) -> str | None:
    file = snapshot.file(path)
    if file is None or (assembly.file_bytes is not None and len(file.data) > assembly.file_bytes):
        return None
    return decoded(file.data)
