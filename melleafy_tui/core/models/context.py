"""What the agent saw in its prompt: the output of the `context` command, and each element's visibility."""

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct

from melleafy_tui.core.models.record import Record
from melleafy_tui.core.tables import table_beside


class PromptMode(StrEnum):
    """How much of its system prompt OpenClaw assembles."""

    FULL = "full"
    MINIMAL = "minimal"
    NONE = "none"


class SessionKind(StrEnum):
    """Which session the prompt is for; each kind loads different files."""

    MAIN = "main"
    SUBAGENT = "subagent"
    CRON = "cron"


class FileState(StrEnum):
    """How a workspace file appears in the prompt."""

    WHOLE = "whole"
    CUT = "cut"
    EMPTY = "empty"
    MISSING = "missing"
    NO_ROOM = "no_room"
    WITHHELD = "withheld"


class LineState(StrEnum):
    """How one line of a requested file appears in the prompt."""

    SEEN = "seen"
    PARTLY = "partly_cut"
    DIGEST = "digest"
    CUT = "cut"
    FRONTMATTER = "frontmatter"


class Visibility(StrEnum):
    """Whether the prompt showed an element to the agent without a tool call."""

    SEEN = "seen"
    PARTLY = "partly_cut"
    CUT = "cut"
    LISTED = "listed"
    NOT_LOADED = "not_loaded"
    CONFIGURATION = "configuration"


_WORDS = table_beside(__file__, "visibility.toml")
VISIBILITY_SENTENCES: Mapping[Visibility, str] = {each: _WORDS["sentence"][each] for each in Visibility}
VISIBILITY_LABELS: Mapping[Visibility, str] = {each: _WORDS["label"][each] for each in Visibility}
"""Each value as a short label that follows "the agent"."""

AS_USUAL: frozenset[Visibility] = frozenset({Visibility.SEEN, Visibility.CONFIGURATION})
"""Values that need no remark next to an entry."""

UNSEEN: frozenset[Visibility] = frozenset({Visibility.CUT, Visibility.NOT_LOADED})
"""Values that mean the agent never saw the element."""


class LineRun(Record, frozen=True):
    """Consecutive lines with the same state; 1-based, inclusive."""

    first: int
    last: int
    state: LineState


class ContextFile(Record, frozen=True):
    """One file in the prompt, or one that was requested but is missing from it.

    Attributes:
        heading: What the prompt calls it.
        apart: It has its own section after the other files (HEARTBEAT.md).
        extra: The hook `bootstrap-extra-files` requested it.
        limit: Characters left for it in the budget; None means no limit.
        characters: Length of the file, in UTF-16 code units like every count here, because OpenClaw counts those.
        present: Characters of the file in the prompt.
        cut: Characters dropped because of the budget.
        frontmatter: Characters of frontmatter that were removed.
        trimmed: Removed trailing white space and repeated blank lines.
        tokens: Estimated tokens of its text in the prompt, markers included.
        lines: The state of its lines; blank lines are left out.
        content: Its text in the prompt, markers included.
    """

    path: str
    heading: str
    state: FileState
    apart: bool = False
    extra: bool = False
    limit: int | None = None
    characters: int = 0
    present: int = 0
    cut: int = 0
    frontmatter: int = 0
    trimmed: int = 0
    tokens: int = 0
    lines: tuple[LineRun, ...] = ()
    content: str = ""


class NotLoaded(Record, frozen=True):
    """A file that no prompt includes because it is nested or only linked to.

    `linked_from` is the `file:line` of the first link to it, or `""`; `exists` says whether the workspace contains it.
    """

    path: str
    reason: str
    linked_from: str = ""
    exists: bool = True


class PromptSection(Record, frozen=True):
    """A section that OpenClaw adds itself; `condition` says when, `""` means always."""

    heading: str
    condition: str = ""


class PromptLine(Struct, frozen=True):
    """One line of the printed prompt.

    `origin` is `file:line`, or `""` for text that OpenClaw adds; `mark` says that the line is OpenClaw's truncation
    marker; a `remark` is our own note about a truncation and isn't part of the prompt.
    """

    text: str
    origin: str = ""
    mark: bool = False
    remark: bool = False


class PromptFacts(Record, frozen=True, kw_only=True):
    """What is known of the prompt of one session, as one OpenClaw release assembles it."""

    release: str
    origin: str
    session: SessionKind
    mode: PromptMode
    per_file: int | None
    total: int | None
    user_md: int | None
    sections: tuple[PromptSection, ...]
    files: tuple[ContextFile, ...]
    left_out: tuple[ContextFile, ...]
    not_loaded: tuple[NotLoaded, ...]
    more_not_loaded: int
    prompt: str
    notes: tuple[str, ...] = ()


class Context(PromptFacts, frozen=True, kw_only=True):
    """The prompt of one session with the origin of each of its lines."""

    lines: tuple[PromptLine, ...]
