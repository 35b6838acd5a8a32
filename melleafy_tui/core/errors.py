"""The one tree of errors that this project raises on purpose.

Every error says what is wrong, where, and what to do next. Nothing below the command line
prints one or turns it into an exit code (spec/cli.md): `melleafy_tui.cli.main` holds that table.

MelleafyError
├── UnusableInput            no such folder, no spec found, unreadable source
├── UsageError               options that contradict each other or have unknown values
├── DecisionsRefused         a decisions file with a refused entry
├── ClassificationHalted     a contradiction that only the user can resolve
├── StrictRefusal            a strict mode, and what it rules out would be done or is missing
├── LintFailed               the emitted package breaks a lint
├── SmokeFailed              a fixture failed in the smoke run
├── DecisionsUnresolved      --strict-decisions, and overrides are orphaned or suggested
├── DialectBroken            a dialect of another distribution cannot be loaded, or its tables are wrong
├── OutputConflict           files edited by the user conflict with the new text
├── OutputRefused            the output folder is not ours, is locked, or cannot be written
└── OutputStale              check: the package is not what workspace and decisions give
"""


class MelleafyError(Exception):
    """An error with a message for the user.

    Args:
        message: One sentence that says what is wrong.
        hint: One sentence that says what to do next.
        location: The place, as `file`, `file:line` or `file:line:column`.
    """

    def __init__(self, message: str, *, hint: str = "", location: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.location = location

    def __str__(self) -> str:
        """Return place, message and hint as one line."""
        where = f"{self.location}: " if self.location else ""
        what = self.message if self.message.endswith((".", "?", "!")) else f"{self.message}."
        return f"{where}{what} {self.hint}".rstrip()


class UnusableInput(MelleafyError):
    """The workspace cannot be read or holds nothing to convert."""


class UsageError(MelleafyError):
    """Options contradict each other or have unknown values."""


class DecisionsRefused(MelleafyError):
    """A decisions file holds an entry that cannot be obeyed."""


class ClassificationHalted(MelleafyError):
    """The source contradicts itself in a way that only the user can resolve."""


class StrictRefusal(MelleafyError):
    """A strict mode, and stubs or delegates would be produced, or a required surface is missing."""


class LintFailed(MelleafyError):
    """The emitted package breaks a lint."""


class SmokeFailed(MelleafyError):
    """A fixture failed in the smoke run."""


class DecisionsUnresolved(MelleafyError):
    """Strict decisions, and overrides are orphaned or only suggested."""


class DialectBroken(MelleafyError):
    """A dialect of another distribution cannot be loaded, or its tables are wrong."""


class OutputConflict(MelleafyError):
    """Files that the user edited conflict with the new text."""


class OutputRefused(MelleafyError):
    """The output folder is not ours, is locked, or cannot be written."""


class OutputStale(MelleafyError):
    """The package on disk is not what workspace and decisions give."""
