"""The contract of a decisions file, the file that a user keeps and reviews (spec/decisions.md).

The JSON Schema of `DecisionsDocument` is what `melleafy-tui schema decisions` prints.
"""

from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from melleafy_tui.core.models.vocabulary import Category, Disposition, Modality, PersonaChannel, Tag

DECISIONS_FORMAT_VERSION: Final = "1.0"
DECISIONS_SCHEMA: Final = "melleafy-decisions.schema.json"
DECISIONS_FILE: Final = "melleafy-decisions.json"

Digest = Annotated[str, Field(pattern=r"^sha256:[0-9a-f]{6,64}$")]
Resolution = Literal["primary", "contributor", "merge"]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class WorkspaceReference(_Part):
    """The workspace that the decisions were made for."""

    name: str = ""
    snapshot: str = Field(default="", description="Digest of the files as they were read.")


class DecidedSettings(_Part):
    """The settings that differ from the defaults; null and an absent name both mean the default."""

    source_runtime: str | None = None
    contributing_runtimes: tuple[str, ...] | None = None
    modality: Modality | None = None
    package_name: str | None = None
    backend: str | None = None
    model_id: str | None = None
    persona_channel: PersonaChannel | None = None
    openclaw_release: str | None = None


class Expectations(_Part):
    """What an entry was when the user decided on it; it tells whether the workspace has changed since."""

    default: Disposition | None = Field(default=None, description="The default disposition at that time.")
    text: Digest | None = Field(
        default=None, description="Digest of the element's own text, markers dropped."
    )
    lead_in: Digest | None = Field(
        default=None, description="Digest of the lines that introduce the element."
    )
    words: str | None = Field(
        default=None,
        max_length=500,
        description="The element's words, to find it again when it was reworded.",
    )


class _Keyed(_Part):
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

    @model_validator(mode="after")
    def _is_named(self) -> "_Keyed":
        if self.key is None and self.entry_id is None:
            raise ValueError("it names no entry: give a key or an entry_id")
        return self

    @property
    def name(self) -> str:
        """The key, or the entry's number where there is no key."""
        return self.key or self.entry_id or ""


class OverrideItem(_Keyed):
    """One override of a plan entry."""

    disposition: Disposition | None = None
    override_rationale: str = ""
    judge_individually: bool | None = Field(
        default=None, description="Give a rule that the model judges a requirement of its own."
    )

    @model_validator(mode="after")
    def _decides(self) -> "OverrideItem":
        if self.disposition is None and self.judge_individually is None:
            raise ValueError("it decides nothing: give a disposition or judge_individually")
        return self


class RetagItem(_Keyed):
    """One element's tag or category, chosen by the user."""

    tag: Tag | None = None
    category: Category | None = None

    @model_validator(mode="after")
    def _decides(self) -> "RetagItem":
        if self.tag is None and self.category is None:
            raise ValueError("it decides nothing: give a tag or a category")
        return self


class ConflictItem(_Keyed):
    """How one conflict of a hybrid is resolved."""

    resolution: Resolution


DecisionItem = OverrideItem | RetagItem | ConflictItem


class DecisionsDocument(_Part):
    """A decisions file."""

    schema_reference: str | None = Field(default=None, alias="$schema")
    format_version: Literal["1.0"] = DECISIONS_FORMAT_VERSION
    workspace: WorkspaceReference | None = None
    settings: DecidedSettings = DecidedSettings()
    overrides: tuple[OverrideItem, ...] = ()
    retags: tuple[RetagItem, ...] = ()
    conflicts: tuple[ConflictItem, ...] = ()
    acknowledged: tuple[str, ...] = ()
