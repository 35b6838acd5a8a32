"""The commands that change decisions: each takes the current decisions and returns the new ones.

Screens change decisions only through these commands, so undo and redo work the same everywhere.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeVar

from msgspec import Struct, structs
from msgspec.structs import replace

from melleafy_tui.core.decisions.keys import is_part_of
from melleafy_tui.core.decisions.state import (
    Decisions,
    Override,
    Retag,
    Reviewed,
    frozen,
    merged,
    override_of,
    retag_of,
)
from melleafy_tui.core.errors import UsageError
from melleafy_tui.core.models.conversion_settings import InvalidSetting, checked_settings
from melleafy_tui.core.models.vocabulary import MERGE, RESOLUTIONS, Category, Disposition, Tag
from melleafy_tui.core.package.backends import objection_to

if TYPE_CHECKING:  # few sessions have a decisions file or pick fixtures
    from melleafy_tui.core.models.decisions import PickedFixture

ValueT = TypeVar("ValueT")


class Command(Struct, frozen=True):
    """One change to the decisions."""

    @property
    def label(self) -> str:
        """What the act is called in the undo history."""
        return self._label()

    def apply(self, decisions: Decisions) -> Decisions:
        """Return the decisions after the act."""
        raise NotImplementedError

    def _label(self) -> str:
        raise NotImplementedError


class SetDisposition(Command, frozen=True):
    """Override one or more entries, or reset them to their defaults (`disposition` None)."""

    keys: tuple[str, ...]
    disposition: Disposition | None
    rationale: str = ""

    def _label(self) -> str:
        what = self.disposition.value if self.disposition else "default"
        return f"{what} for {_count(self.keys, 'entry', 'entries')}"

    def apply(self, decisions: Decisions) -> Decisions:
        """Return the decisions with the overrides set or removed."""
        overrides = dict(decisions.overrides)
        for key in self.keys:
            if self.disposition is None:
                overrides.pop(key, None)
                continue
            earlier = overrides.get(key, Override())
            rationale = self.rationale or earlier.rationale
            overrides[key] = replace(earlier, disposition=self.disposition, rationale=rationale)
        return replace(decisions, overrides=frozen(overrides))


class SetRationale(Command, frozen=True):
    """Set the reason for an override."""

    key: str
    rationale: str

    def _label(self) -> str:
        return "rationale"

    def apply(self, decisions: Decisions) -> Decisions:
        """Return the decisions with the rationale added to the existing override."""
        earlier = decisions.overrides.get(self.key)
        if earlier is None:
            return decisions
        changed = {**decisions.overrides, self.key: replace(earlier, rationale=self.rationale)}
        return replace(decisions, overrides=frozen(changed))


class JudgeIndividually(Command, frozen=True):
    """Judge rules individually, or combine them into one requirement again."""

    keys: tuple[str, ...]
    individually: bool

    def _label(self) -> str:
        how = "judge individually" if self.individually else "fold"
        return f"{how} {_count(self.keys, 'rule', 'rules')}"

    def apply(self, decisions: Decisions) -> Decisions:
        """Return the decisions with the choice applied."""
        overrides = dict(decisions.overrides)
        for key in self.keys:
            earlier = overrides.get(key, Override())
            if not self.individually and earlier.disposition is None:
                overrides.pop(key, None)
                continue
            overrides[key] = replace(earlier, judge_individually=self.individually or None)
        return replace(decisions, overrides=frozen(overrides))


class SetTag(Command, frozen=True):
    """Change the tag, category or decisions of elements, or reset all to what the program chose (all None)."""

    keys: tuple[str, ...]
    tag: Tag | None = None
    category: Category | None = None
    judged: bool | None = None
    left_out: bool | None = None
    travels: bool | None = None
    asks: bool | None = None
    against: str = ""
    """The key of the other rule, if `judged` settles a contradiction."""
    wording: str = ""
    """What is judged instead of the elements' own words."""

    def _label(self) -> str:
        return f"retag {_count(self.keys, 'element', 'elements')}"

    def apply(self, decisions: Decisions) -> Decisions:
        """Return the decisions with the retags set or removed."""
        retags = dict(decisions.retags)
        chosen = Retag(**{name: value for name, value in structs.asdict(self).items() if name != "keys"})
        for key in self.keys:
            if chosen == Retag():
                retags.pop(key, None)
                continue
            retags[key] = merged(replace(retags.get(key, Retag()), assisted_by=""), chosen)
        return replace(decisions, retags=frozen(retags))


class KeepAssisted(Command, frozen=True):
    """Keep the answers of an assisting model; an element that a person has decided on stays as it is."""

    retags: Mapping[str, Retag]

    def _label(self) -> str:
        return f"{_count(tuple(self.retags), 'answer', 'answers')} of a model"

    def apply(self, decisions: Decisions) -> Decisions:
        """Return the decisions with the answers added."""
        kept = {
            key: retag
            for key, retag in self.retags.items()
            if (key not in decisions.overrides or retag.asks)
            and (key not in decisions.retags or decisions.retags[key].assisted_by)
        }
        return replace(decisions, retags=frozen({**decisions.retags, **kept})) if kept else decisions


class AcceptAssisted(Command, frozen=True):
    """Accept the answers of an assisting model: they count as the user's from then on."""

    keys: tuple[str, ...]

    def _label(self) -> str:
        return f"accept {_count(self.keys, 'answer', 'answers')} of a model"

    def apply(self, decisions: Decisions) -> Decisions:
        """Return the decisions with the answers accepted."""
        accepted = {
            key: replace(decisions.retags[key], assisted_by="")
            for key in self.keys
            if key in decisions.retags
        }
        return replace(decisions, retags=frozen({**decisions.retags, **accepted}))


class ResolveConflict(Command, frozen=True):
    """Resolve a hybrid's conflict as primary, contributor or merge, or reset it (`resolution` None)."""

    key: str
    resolution: str | None

    def _label(self) -> str:
        return f"conflict: {self.resolution or 'default'}"

    def apply(self, decisions: Decisions) -> Decisions:
        """Return the decisions with the conflict resolved; decisions on a part that is no longer merged are removed.

        Raises:
            UsageError: the resolution is unknown.
        """
        if self.resolution is not None and self.resolution not in RESOLUTIONS:
            raise UsageError(
                f"A conflict cannot be resolved with {self.resolution!r}",
                hint=f"Use one of {', '.join(RESOLUTIONS)}.",
                location=self.key,
            )
        conflicts = {key: chosen for key, chosen in decisions.conflicts.items() if key != self.key}
        if self.resolution is not None:
            conflicts[self.key] = self.resolution
        if self.resolution == MERGE:
            return replace(decisions, conflicts=frozen(conflicts))
        return replace(
            decisions,
            conflicts=frozen(conflicts),
            overrides=_without_parts(decisions.overrides, self.key),
            retags=_without_parts(decisions.retags, self.key),
        )


class ChangeSettings(Command, frozen=True):
    """Change settings by name; the Settings model validates the values."""

    changes: Mapping[str, object]

    def _label(self) -> str:
        return "settings: " + ", ".join(sorted(self.changes))

    def apply(self, decisions: Decisions) -> Decisions:
        """Return the decisions with the settings changed.

        Raises:
            UsageError: a name is unknown or a value is invalid.
        """
        for name in ("backend", "model_id"):
            objection = objection_to(name, self.changes[name]) if name in self.changes else ""
            if objection:
                raise UsageError(
                    f"The setting {name} can't be changed: {objection}", hint="Correct it.", location=name
                )
        try:
            settings = checked_settings({**structs.asdict(decisions.settings), **self.changes})
        except InvalidSetting as error:
            raise UsageError(
                f"The setting {error.name} cannot be {error.value!r}",
                hint=f"{error.reason}.",
                location=error.name,
            ) from error
        return replace(decisions, settings=settings)


class Acknowledge(Command, frozen=True):
    """Mark a diagnostic as reviewed, by `code:file`."""

    mark: str

    def _label(self) -> str:
        return f"acknowledge {self.mark}"

    def apply(self, decisions: Decisions) -> Decisions:
        """Return the decisions with the mark added."""
        if self.mark in decisions.acknowledged:
            return decisions
        return replace(decisions, acknowledged=tuple(sorted({*decisions.acknowledged, self.mark})))


class MarkReviewed(Command, frozen=True):
    """Settle items of the review without an override.

    `items` maps each item to the digest of the text that was read; when that text changes, the item is open again.
    """

    items: Mapping[str, str]
    answer: str

    def _label(self) -> str:
        return f"review {_count(tuple(self.items), 'item', 'items')}: {self.answer}"

    def apply(self, decisions: Decisions) -> Decisions:
        """Return the decisions with the answers added."""
        answered = {name: Reviewed(self.answer, text) for name, text in self.items.items()}
        return replace(decisions, reviewed=frozen({**decisions.reviewed, **answered}))


class Together(Command, frozen=True):
    """Several commands that are one act: undone and redone at once."""

    commands: tuple[Command, ...]
    label: str

    def apply(self, decisions: Decisions) -> Decisions:
        """Return the decisions after all commands, in order."""
        for command in self.commands:
            decisions = command.apply(decisions)
        return decisions


class PickFixtures(Command, frozen=True):
    """Pick these fixtures from the agent's history, replacing those picked before."""

    fixtures: "tuple[PickedFixture, ...]"

    def _label(self) -> str:
        return f"pick {_count(tuple(item.fixture_id for item in self.fixtures), 'fixture', 'fixtures')}"

    def apply(self, decisions: Decisions) -> Decisions:
        """Return the decisions with the fixtures picked.

        Raises:
            UsageError: there are too many, or two have the same name.
        """
        from melleafy_tui.core.models.decisions import MOST_PICKED

        names = {fixture.fixture_id for fixture in self.fixtures}
        if len(self.fixtures) > MOST_PICKED or len(names) < len(self.fixtures):
            raise UsageError(
                f"A package takes {MOST_PICKED} fixtures from its history, each with a name of its own",
                hint="Pick fewer.",
            )
        return replace(decisions, fixtures=tuple(sorted(self.fixtures, key=lambda item: item.fixture_id)))


class ReleaseSecret(Command, frozen=True):
    """Release a value that looks like a secret wherever it occurs, or mask it again (`released` False)."""

    digest: str
    name: str
    """Where the user saw it: file and variable."""
    released: bool = True

    def _label(self) -> str:
        return f"{'release' if self.released else 'mask'} {self.name}"

    def apply(self, decisions: Decisions) -> Decisions:
        """Return the decisions with the value released or masked again."""
        released = {
            digest: name for digest, name in decisions.released_secrets.items() if digest != self.digest
        }
        if self.released:
            released[self.digest] = decisions.released_secrets.get(self.digest, self.name)
        return replace(decisions, released_secrets=frozen(released))


class AcceptSuggestion(Command, frozen=True):
    """Apply an orphaned decision of a loaded file to another element, unless one is named to the suggested one."""

    name: str
    """The key or `entry_id` in the file."""
    key: str = ""
    """The element to apply it to; `""` stands for the suggested one."""

    def _label(self) -> str:
        return f"move {self.name}" if self.key else f"accept the suggestion for {self.name}"

    def apply(self, decisions: Decisions) -> Decisions:
        """Return the decisions with the suggestion applied, unless its element already has such a decision."""
        from melleafy_tui.core.models.decisions import ConflictItem, OverrideItem, ReleaseItem, ToolItem

        overrides, retags = dict(decisions.overrides), dict(decisions.retags)
        conflicts = dict(decisions.conflicts)
        left = []
        for kept in decisions.unplaced:
            key, item = self.key or kept.suggestion, kept.item
            if item.name != self.name or not key:
                left.append(kept)
            elif isinstance(item, OverrideItem | ToolItem) and key not in overrides:
                overrides[key] = override_of(item)
            elif isinstance(item, ConflictItem) and key not in conflicts:
                conflicts[key] = item.resolution
            elif isinstance(item, OverrideItem | ToolItem | ConflictItem | ReleaseItem) or key in retags:
                left.append(kept)
            else:
                retags[key] = replace(retag_of(item), assisted_by="")
        return replace(
            decisions,
            overrides=frozen(overrides),
            retags=frozen(retags),
            conflicts=frozen(conflicts),
            unplaced=tuple(left),
        )


class DropUnplaced(Command, frozen=True):
    """Drop decisions of a loaded file whose element wasn't found."""

    names: tuple[str, ...]
    """The keys or `entry_id`s in the file."""

    def _label(self) -> str:
        return f"drop {_count(self.names, 'unplaced decision', 'unplaced decisions')}"

    def apply(self, decisions: Decisions) -> Decisions:
        """Return the decisions without them."""
        left = tuple(kept for kept in decisions.unplaced if kept.item.name not in self.names)
        return replace(decisions, unplaced=left)


class ReplaceDecisions(Command, frozen=True):
    """Replace all decisions with those of a loaded decisions file."""

    decisions: Decisions
    source: str
    act: str = "load"

    def _label(self) -> str:
        return f"{self.act} {self.source}"

    def apply(self, decisions: Decisions) -> Decisions:  # noqa: ARG002 - the earlier state is replaced
        """Return the loaded decisions."""
        return self.decisions


def _without_parts(decided: Mapping[str, ValueT], key: str) -> Mapping[str, ValueT]:
    """Return a copy without the decisions on merged parts of an element."""
    return frozen({name: value for name, value in decided.items() if not is_part_of(name, key)})


def _count(keys: tuple[str, ...], one: str, many: str) -> str:
    return f"{len(keys)} {one if len(keys) == 1 else many}"
