"""The format of a decisions file, which users keep under version control and review (docs/decisions.md).

`melleafy-tui schema decisions` prints the JSON Schema of `DecisionsDocument`.
"""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Final, Literal, Self

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, PrivateAttr, model_validator

from melleafy_tui.core.models.vocabulary import Category, Disposition, Modality, PersonaChannel, Tag

DECISIONS_FORMAT_VERSION: Final = "1.1"
DECISIONS_SCHEMA: Final = "melleafy-decisions.schema.json"
"""The name of the JSON Schema beside a decisions file."""

MOST_PICKED: Final = 5
"""Most fixtures a package can take from the agent's history; with its own three that makes eight."""

Digest = Annotated[str, Field(pattern=r"^sha256:[0-9a-f]{0,64}…?$")]
Resolution = Literal["primary", "contributor", "merge"]


def _ask_in_schema(schema: dict[str, Any], part: type[Any]) -> None:
    """Write what a part of a file needs into its JSON Schema."""
    if part.needs:
        schema["allOf"] = [{"anyOf": [{"required": [name]} for name in names]} for names in part.needs]


class _Part(BaseModel):
    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        populate_by_name=True,
        defer_build=True,
        json_schema_extra=_ask_in_schema,
    )

    needs: ClassVar[Mapping[tuple[str, ...], str]] = {}
    """Names of which one must have a value, with what to say if none has."""

    @model_validator(mode="after")
    def _has_what_it_needs(self) -> Self:
        for names, said in self.needs.items():
            if all(getattr(self, name) is None for name in names):
                raise ValueError(said)
        return self


class WorkspaceReference(_Part):
    """The workspace the decisions were made for."""

    name: str = ""
    snapshot: str = Field(default="", description="Digest of the files as they were read.")


class DecidedSettings(_Part):
    """The settings that differ from the defaults; null or an absent name means the default."""

    source_runtime: str | None = None
    contributing_runtimes: tuple[str, ...] | None = None
    modality: Modality | None = None
    package_name: str | None = None
    backend: str | None = None
    model_id: str | None = None
    persona_channel: PersonaChannel | None = None
    openclaw_release: str | None = None
    keep_stock_text: bool | None = None
    schedule: tuple[str, ...] | None = Field(
        default=None,
        description="The wake-up and tasks, each as NAME = WHEN or NAME = off: wake-up = every 2 hours.",
    )


class Expectations(_Part):
    """What an entry looked like when the user decided on it, to detect later changes to the workspace."""

    default: Disposition | None = Field(default=None, description="The default disposition at that time.")
    text: Digest | None = Field(
        default=None, description="Digest of the element's own text, markers dropped."
    )
    lead_in: Digest | None = Field(
        default=None, description="Digest of the lines that introduce the element."
    )
    follows: Digest | None = Field(
        default=None, description="Start of the digest of the element before it in its section."
    )
    precedes: Digest | None = Field(
        default=None, description="Start of the digest of the element after it in its section."
    )
    words: str | None = Field(
        default=None,
        max_length=500,
        description="The element's words, to find it again when it was reworded.",
    )


class _Keyed(_Part):
    needs = {("key", "entry_id"): "it names no entry: give a key or an entry_id"}

    key: str | None = Field(
        default=None,
        min_length=1,
        description="File, heading path and first words: AGENTS.md#rules/be-brief.",
    )
    entry_id: str | None = Field(
        default=None,
        pattern=r"^dep_\d{3,}$",
        description="The entry's number in the plan, where there is no key.",
    )
    expects: Expectations | None = None

    @property
    def name(self) -> str:
        """Return the key, or the entry's number if there is no key."""
        return self.key or self.entry_id or ""


class OverrideItem(_Keyed):
    """One override of a plan entry."""

    needs = _Keyed.needs | {
        ("disposition", "judge_individually"): "it decides nothing: give a disposition or judge_individually"
    }
    disposition: Disposition | None = None
    override_rationale: str = ""
    judge_individually: bool | None = Field(
        default=None, description="Give a rule that the model judges a requirement of its own."
    )


EarlierUse = Literal["judged", "guided", "enforced", "context", "schedule", "runtime_only", "nothing"]
"""What an element was for in decisions files before 1.1; each says yes or no to some decisions."""

JUDGED_BY_USE: Final[dict[str, bool]] = {"judged": True, "guided": False, "context": False}
LEFT_OUT_BY_USE: Final = ("runtime_only", "nothing")


class _Answered(_Keyed):
    """A decision about an element that the user took, or an assisting model for the user."""

    assisted_by: str | None = Field(
        default=None,
        min_length=1,
        max_length=400,
        pattern=r"^\S+$",
        description="Backend and model that chose it, until a person accepts it: ollama/granite4.1:3b.",
    )


class RetagItem(_Answered):
    """The tag or category of one element."""

    needs = _Keyed.needs | {("tag", "category", "use"): "it decides nothing: give a tag or a category"}
    tag: Tag | None = None
    category: Category | None = None
    use: EarlierUse | None = Field(default=None, description="What files before 1.1 decided.")


class JudgedItem(_Answered):
    """Whether one line is checked on every reply; its own wording if the user gave one."""

    answer: Literal["yes", "no"]
    wording: str = Field(default="", max_length=2_000, description="What is checked instead of the line.")


class LeftOutItem(_Answered):
    """Whether one line of the source stays out of the package."""

    answer: Literal["leave", "keep"]


class TravelsItem(_Answered):
    """Whether the value of one fact about the user is in the package; without it the caller must give it."""

    answer: Literal["yes", "no"]


class TaskItem(_Answered):
    """A time that a model suggests for one element as a task of the agent; on its own it wakes nobody."""

    answer: str = Field(min_length=1, max_length=200, description="When it is due: every 2 hours.")


class ContradictionItem(_Answered):
    """Which of two rules that exclude each other is checked: one entry for each that was decided on."""

    answer: Literal["keep", "drop"]
    against: str = Field(default="", max_length=4_000, description="The key of the other rule.")


class ToolItem(_Answered):
    """Whether the package may call one tool: working code, a question before each call, a stub, or no tool at all.

    An entry may change its parameters, too, or them alone.
    """

    needs = _Keyed.needs | {("answer", "parameters"): "it decides nothing: give an answer or parameters"}

    answer: Literal["allow", "ask", "stub", "deny"] | None = None
    parameters: dict[str, Annotated[str, Field(max_length=400)]] | None = Field(
        default=None,
        description="Name, type and default of a parameter, by its name in the script: days: whole number = 3.",
    )

    @property
    def disposition(self) -> Disposition | None:
        """Return the disposition that the answer stands for; None for `ask`, which leaves it as it is."""
        return TOOL_ANSWERS.get(self.answer or "")


TOOL_ANSWERS: Final = {
    "allow": Disposition.REAL_IMPL,
    "stub": Disposition.STUB,
    "deny": Disposition.REMOVE,
}


class ConflictItem(_Keyed):
    """How one conflict of a hybrid is resolved."""

    resolution: Resolution


class ReleaseItem(_Part):
    """One value that looks like a secret but isn't, according to the user.

    `key` is the file and variable where the user released it. The digest identifies the value; an entry written by
    hand without one releases the value that the key names when the file is read.
    """

    needs = {("key", "digest"): "it names no value: give a key or a digest"}
    expects: ClassVar[None] = None
    """The digest already identifies the value."""

    key: str | None = Field(
        default=None, min_length=1, max_length=4_000, description="File and variable: TOOLS.md#API_KEY."
    )
    digest: str | None = Field(
        default=None,
        pattern=r"^sha256:[0-9a-f]{64}$",
        description="Digest of the value; the digest isn't secret.",
    )
    kind: str = Field(default="", max_length=200, description="What it looks like, for people.")
    lines: str = Field(default="", max_length=40, description="Where it stood, for people.")

    @property
    def name(self) -> str:
        """Return the file and variable, or the digest if there is no key."""
        return self.key or self.digest or ""


class PickedFixture(_Part):
    """A fixture the user picked from the agent's history; its text is masked again on every read."""

    fixture_id: str = Field(pattern=r"^history_[a-z0-9_]{1,52}$", description="Id of the fixture.")
    message: str = Field(min_length=1, max_length=8_000, description="The user's turn, masked.")
    expected: str = Field(default="", max_length=500, description="What a good reply does, one sentence.")
    came_from: str = Field(
        default="", max_length=1_000, description="Transcript and line, below the state folder."
    )


class ReviewedItem(_Part):
    """One item of the review that a person settled without an override: `item` is its reason and key."""

    item: str = Field(
        min_length=1, max_length=4_000, description="Reason and key: schedule:HEARTBEAT.md#checks."
    )
    answer: str = Field(min_length=1, max_length=40, description="What was answered, for people.")
    expects: Expectations | None = None


AnswerItem = JudgedItem | LeftOutItem | TravelsItem | TaskItem | ContradictionItem | ToolItem
"""The entries with the answer to one decision about an element."""

ANSWERS: Final[Mapping[type[AnswerItem], tuple[str, Mapping[str, bool]]]] = {
    JudgedItem: ("judged", {"yes": True, "no": False}),
    ContradictionItem: ("judged", {"keep": True, "drop": False}),
    LeftOutItem: ("left_out", {"leave": True, "keep": False}),
    TravelsItem: ("travels", {"yes": True, "no": False}),
    TaskItem: ("due", {}),
    ToolItem: ("asks", {"ask": True}),
}
"""Which field of a retag the answer of each kind decides, and the value of each answer; a time is its own value."""

DecisionItem = OverrideItem | RetagItem | AnswerItem | ConflictItem | ReleaseItem

SECTIONS: Final[Mapping[str, type[DecisionItem]]] = {
    "overrides": OverrideItem,
    "tools": ToolItem,
    "conflicts": ConflictItem,
    "retags": RetagItem,
    "judged": JudgedItem,
    "left_out": LeftOutItem,
    "travels": TravelsItem,
    "tasks": TaskItem,
    "contradictions": ContradictionItem,
}
"""The sections of decisions about elements, each with the kind of its entries."""

RETAGGING: Final = tuple(SECTIONS)[3:]
"""Those whose entries decide on an element alone."""


class DecisionsDocument(_Part):
    """A decisions file.

    A document read from disk remembers its file name and the line of each entry for error messages.
    """

    _source: str = PrivateAttr(default="")
    _digest: str = PrivateAttr(default="")
    _lines: dict[tuple[str, int], int] = PrivateAttr(default_factory=dict)

    schema_reference: str = Field(default="", alias="$schema", description="The JSON Schema, for editors.")
    format_version: Literal["1.0", "1.1"] = DECISIONS_FORMAT_VERSION
    workspace: WorkspaceReference | None = None
    settings: DecidedSettings = DecidedSettings()
    overrides: tuple[OverrideItem, ...] = ()
    tools: tuple[ToolItem, ...] = ()
    retags: tuple[RetagItem, ...] = ()
    judged: tuple[JudgedItem, ...] = ()
    left_out: tuple[LeftOutItem, ...] = ()
    travels: tuple[TravelsItem, ...] = ()
    tasks: tuple[TaskItem, ...] = ()
    contradictions: tuple[ContradictionItem, ...] = ()
    conflicts: tuple[ConflictItem, ...] = ()
    acknowledged: tuple[str, ...] = ()
    reviewed: tuple[ReviewedItem, ...] = Field(
        default=(), description="Items of the review that were settled without an override."
    )
    released_secrets: tuple[ReleaseItem, ...] = Field(
        default=(),
        validation_alias=AliasChoices("secrets", "released_secrets"),
        serialization_alias="secrets",
        description="Values that look like secrets and are none.",
    )
    fixtures: tuple[PickedFixture, ...] = Field(
        default=(), max_length=MOST_PICKED, description="Fixtures from the agent's history."
    )

    @model_validator(mode="before")
    @classmethod
    def _reads_schedule_items(cls, data: object) -> object:
        """Take entries of kind `schedule`, each a key and an answer, as settings."""
        if not isinstance(data, dict) or not isinstance(items := data.get("schedule"), list):
            return data
        settings = {**(data.get("settings") or {})}
        named = [item for item in items if isinstance(item, dict)]
        lines = [f"{each.get('key', '')} = {each.get('answer', '')}" for each in named]
        settings["schedule"] = [*settings.get("schedule", ()), *lines]
        return {**{key: value for key, value in data.items() if key != "schedule"}, "settings": settings}

    @model_validator(mode="after")
    def _names_fixtures_apart(self) -> Self:
        names = [fixture.fixture_id for fixture in self.fixtures]
        if len(names) != len(set(names)):
            raise ValueError("two fixtures have one fixture_id")
        return self

    def __eq__(self, other: object) -> bool:
        """Return whether both documents have the same content, regardless of where they were read."""
        if not isinstance(other, DecisionsDocument):
            return False
        return self._content == other._content

    @property
    def _content(self) -> dict[str, object]:
        return self.model_dump(exclude={"schema_reference", "format_version"})

    def read_from(self, source: str, lines: Mapping[tuple[str, int], int], digest: str) -> Self:
        """Return a copy that remembers the file it was read from, its digest, and the line of each entry."""
        located = self.model_copy()
        located._source, located._lines, located._digest = source, dict(lines), digest
        return located

    @property
    def source(self) -> str:
        """Return the name of the file the document was read from, or `""`."""
        return self._source

    @property
    def digest(self) -> str:
        """Return the SHA-256 of the file the document was read from, or `""`."""
        return self._digest

    def location_of(self, section: str, number: int) -> str:
        """Return `file:line` of an entry, or as much of it as is known."""
        line = self._lines.get((section, number))
        return f"{self._source}:{line}" if line else self._source
