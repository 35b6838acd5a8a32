"""All errors that this project raises on purpose.

Every error says what is wrong, where, and what to do next. Only the command line prints errors and turns them into
exit codes; the table is in `melleafy_tui.cli.main`.
"""

from collections.abc import Iterable


class MelleafyError(Exception):
    """An error with a message for the user.

    Args:
        message: One sentence that says what is wrong.
        hint: One sentence that says what to do next.
        location: Where it is wrong, as `file`, `file:line` or `file:line:column`.
    """

    def __init__(self, message: str, *, hint: str = "", location: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.location = location
        self.commands: tuple[tuple[str, str], ...] = ()
        """Command lines that work instead, each with what it is about."""

    def __str__(self) -> str:
        """Return location, message and hint on one line."""
        where = f"{self.location}: " if self.location else ""
        what = self.message if self.message.endswith((".", "?", "!")) else f"{self.message}."
        return f"{where}{what} {self.hint}".rstrip()


class UnusableInput(MelleafyError):
    """The workspace can't be read or contains nothing to convert."""


class UsageError(MelleafyError):
    """Options contradict each other or have unknown values."""


class DecisionsRefused(MelleafyError):
    """A decisions file contains an entry that can't be applied."""


class ClassificationHalted(MelleafyError):
    """The source contradicts itself in a way that only the user can resolve."""


class StrictRefusal(MelleafyError):
    """A strict mode is set, but stubs or delegates would be emitted or a required surface is missing."""


class LintFailed(MelleafyError):
    """The emitted package breaks a lint."""


class SmokeFailed(MelleafyError):
    """A fixture failed in the smoke run."""


class DecisionsUnresolved(MelleafyError):
    """Strict decisions are required, but overrides are orphaned or only suggested."""


class DialectBroken(MelleafyError):
    """A dialect plugin can't be loaded, or its tables are wrong."""


class OutputConflict(MelleafyError):
    """Files that the user edited conflict with the new text."""


class OutputRefused(MelleafyError):
    """The output folder isn't ours, is locked, or can't be written."""


class OutputStale(MelleafyError):
    """The package on disk doesn't match workspace and decisions."""


def did_you_mean(name: str, known: Iterable[str], *, cutoff: float = 0.6) -> str:
    """Return the start of a hint, "Did you mean openclaw?", or `""` if no known name is similar.

    Args:
        name: What the user wrote.
        known: The names that exist.
        cutoff: How similar the two must be, from 0 to 1; letter case, `-` and `_` don't count.
    """
    from difflib import get_close_matches  # only a run that fails needs it

    by_plain = {_plain(each): each for each in known}
    near = get_close_matches(_plain(name), by_plain, 1, cutoff)
    return f"Did you mean {by_plain[near[0]]}?" if near else ""


def quoted_names(message: str) -> list[str]:
    """Return the names between single quotes, such as the allowed values in a message of a library."""
    return message.split("'")[1::2]


def _plain(name: str) -> str:
    return name.lower().replace("-", "_")
