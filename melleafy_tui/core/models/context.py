"""What an agent saw: the contract of the `context` command and of each element's sight (seeds 002 and 004)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from msgspec import Struct
from pydantic import ConfigDict
from pydantic.dataclasses import dataclass as checked_dataclass

_BUILT_WHEN_USED: Final = ConfigDict(defer_build=True)


class PromptMode(StrEnum):
    """How much of its system prompt OpenClaw assembles (seed 004, prompt modes)."""

    FULL = "full"
    MINIMAL = "minimal"
    NONE = "none"


class SessionKind(StrEnum):
    """Which session the prompt is for; each is given files of its own."""

    MAIN = "main"
    SUBAGENT = "subagent"
    CRON = "cron"


class FileState(StrEnum):
    """What became of one file of the workspace in the prompt."""

    WHOLE = "whole"
    CUT = "cut"
    EMPTY = "empty"
    MISSING = "missing"
    NO_ROOM = "no_room"
    WITHHELD = "withheld"


class LineState(StrEnum):
    """What became of one line of a file that the prompt asks for."""

    SEEN = "seen"
    PARTLY = "partly_cut"
    DIGEST = "digest"
    CUT = "cut"
    FRONTMATTER = "frontmatter"


class Sight(StrEnum):
    """Whether the agent ever saw an element without asking for it."""

    SEEN = "seen"
    PARTLY = "partly_cut"
    CUT = "cut"
    LISTED = "listed"
    NOT_LOADED = "not_loaded"
    CONFIGURATION = "configuration"


SIGHT_WORDS: Mapping[Sight, str] = {
    Sight.SEEN: "The agent saw it in every turn.",
    Sight.PARTLY: "The agent saw a part of it; the rest was cut by the budget.",
    Sight.CUT: "The agent never saw it: it was cut out of the prompt.",
    Sight.LISTED: "The agent saw name and description; it read the rest when it chose to.",
    Sight.NOT_LOADED: "The agent never saw it unless it opened the file itself.",
    Sight.CONFIGURATION: "It configures OpenClaw and was no text for the agent.",
}
"""Each sight as one sentence for people."""

SIGHT_LABELS: Mapping[Sight, str] = {
    Sight.SEEN: "saw it",
    Sight.PARTLY: "saw a part of it",
    Sight.CUT: "never saw it, cut",
    Sight.LISTED: "saw its description",
    Sight.NOT_LOADED: "never saw it, not loaded",
    Sight.CONFIGURATION: "was only configured by it",
}
"""Each sight in a few words, after "the agent"."""

AS_USUAL: frozenset[Sight] = frozenset({Sight.SEEN, Sight.CONFIGURATION})
"""What needs no word beside an entry."""

UNSEEN: frozenset[Sight] = frozenset({Sight.CUT, Sight.NOT_LOADED})
"""What counts as never seen."""


@checked_dataclass(frozen=True, slots=True, config=_BUILT_WHEN_USED)
class LineRun:
    """Neighbouring lines with one state; 1-based, inclusive, as an editor numbers them."""

    first: int
    last: int
    state: LineState


@checked_dataclass(frozen=True, slots=True, config=_BUILT_WHEN_USED)
class ContextFile:
    """One file in the prompt, or one that the prompt asks for and does not hold.

    Attributes:
        path: Path in the workspace.
        heading: What the prompt calls it.
        state: What became of it.
        apart: It stands in a section of its own, after the others (HEARTBEAT.md).
        extra: The hook `bootstrap-extra-files` asked for it.
        limit: Characters that were left for it; None means no limit.
        characters: Characters of the file; like all counts in UTF-16 code units, as OpenClaw counts.
        present: Characters of the file in the prompt.
        cut: Characters that the budget took away.
        frontmatter: Characters of frontmatter that were taken away.
        trimmed: White space at the end, and blank lines beyond the first of a run, that were taken away.
        tokens: Estimated tokens of its text in the prompt, markers included.
        lines: What became of its lines; blank ones are in no run.
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
    content: str = field(default="", repr=False)


@checked_dataclass(frozen=True, slots=True, config=_BUILT_WHEN_USED)
class NotLoaded:
    """A file that is in no prompt: nested, or named by a link only.

    `linked_from` is the `file:line` of the first link to it, or `""`; `exists` is whether the workspace holds it.
    """

    path: str
    reason: str
    linked_from: str = ""
    exists: bool = True


@checked_dataclass(frozen=True, slots=True, config=_BUILT_WHEN_USED)
class PromptSection:
    """One section of OpenClaw's own; `condition` says what must hold for it, `""` that it always stands there."""

    heading: str
    condition: str = ""


class PromptLine(Struct, frozen=True):
    """One line of the prompt as it is printed.

    `origin` is `file:line`, or `""` for OpenClaw's own words and markers; `mark` tells a marker of a cut; a `remark` is
    ours about a cut and stands in no prompt.
    """

    text: str
    origin: str = ""
    mark: bool = False
    remark: bool = False


@dataclass(frozen=True, slots=True)
class Context:
    """The prompt of one session of one release."""

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
    prompt: str = field(repr=False)
    lines: tuple[PromptLine, ...] = field(repr=False)
    notes: tuple[str, ...] = ()

    @property
    def in_order(self) -> tuple[ContextFile, ...]:
        """Return the files of the prompt, and then those that it asks for and does not hold."""
        return (*self.files, *self.left_out)
