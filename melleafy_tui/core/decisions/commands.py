"""The commands that change decisions: each takes the current decisions and returns the new ones.

Screens change decisions only through these commands, so undo and redo work the same everywhere.
"""

from collections.abc import Collection, Mapping
from typing import Any

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


class Command(Struct, frozen=True):
    """One change to the decisions; a kind of command says what it is called and which fields it changes."""

    @property
    def label(self) -> str:
        """What the act is called in the undo history."""
        return self._label()

    def apply(self, decisions: Decisions) -> Decisions:
        """Return the decisions after the act.

        Raises:
            UsageError: a setting or a resolution isn't possible.
        """
        changes = self._changes(decisions)
        fixed = {name: frozen(value) if isinstance(value, dict) else value for name, value in changes.items()}
        return replace(decisions, **fixed)

    def includes(self, *kinds: "type[Command]") -> bool:
        """Return whether the act, or a part of it, is of one of these kinds."""
        return isinstance(self, kinds)

    def _label(self) -> str:
        raise NotImplementedError

    def _changes(self, decisions: Decisions) -> dict[str, Any]:
        """Return the new value of each field of the decisions that changes."""
        raise NotImplementedError


class SetDisposition(Command, frozen=True):
    """Override one or more entries, or reset them to their defaults (`disposition` None)."""

    keys: tuple[str, ...]
    disposition: Disposition | None
    rationale: str = ""

    def _label(self) -> str:
        what = self.disposition.value if self.disposition else "default"
        return f"{what} for {counted(len(self.keys), 'entry', 'entries')}"

    def _changes(self, decisions: Decisions) -> dict[str, Any]:
        if self.disposition is None:
            return {"overrides": _without(decisions.overrides, self.keys)}
        earlier = {key: decisions.overrides.get(key, Override()) for key in self.keys}
        changed = {
            key: replace(each, disposition=self.disposition, rationale=self.rationale or each.rationale)
            for key, each in earlier.items()
        }
        return {"overrides": {**decisions.overrides, **changed}}


class SetRationale(Command, frozen=True):
    """Set the reason for an existing override."""

    key: str
    rationale: str

    def _label(self) -> str:
        return "rationale"

    def _changes(self, decisions: Decisions) -> dict[str, Any]:
        earlier = decisions.overrides.get(self.key)
        changed = {self.key: replace(earlier, rationale=self.rationale)} if earlier is not None else {}
        return {"overrides": {**decisions.overrides, **changed}}


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
    parameters: tuple[tuple[str, str], ...] = ()
    """What a tool's parameters are instead, by the names that its script gives them."""

    def _label(self) -> str:
        return f"retag {counted(len(self.keys), 'element')}"

    def _changes(self, decisions: Decisions) -> dict[str, Any]:
        chosen = Retag(**{name: value for name, value in structs.asdict(self).items() if name != "keys"})
        if chosen == Retag():
            return {"retags": _without(decisions.retags, self.keys)}
        earlier = {key: replace(decisions.retags.get(key, Retag()), assisted_by="") for key in self.keys}
        return {"retags": {**decisions.retags, **{key: merged(earlier[key], chosen) for key in self.keys}}}


class KeepAssisted(Command, frozen=True):
    """Keep the answers of an assisting model; an element that a person has decided on stays as it is."""

    retags: Mapping[str, Retag]

    def _label(self) -> str:
        return f"{counted(len(self.retags), 'answer')} of a model"

    def _changes(self, decisions: Decisions) -> dict[str, Any]:
        kept = {
            key: retag
            for key, retag in self.retags.items()
            if (key not in decisions.overrides or retag.asks)
            and (key not in decisions.retags or decisions.retags[key].assisted_by)
        }
        return {"retags": {**decisions.retags, **kept}}


class AcceptAssisted(Command, frozen=True):
    """Accept the answers of an assisting model: they count as the user's from then on."""

    keys: tuple[str, ...]

    def _label(self) -> str:
        return f"accept {counted(len(self.keys), 'answer')} of a model"

    def _changes(self, decisions: Decisions) -> dict[str, Any]:
        own = {
            key: replace(each, assisted_by="") for key, each in decisions.retags.items() if key in self.keys
        }
        return {"retags": {**decisions.retags, **own}}


class ResolveConflict(Command, frozen=True):
    """Resolve a hybrid's conflict as primary, contributor or merge, or reset it (`resolution` None).

    Decisions on a part that is no longer merged are removed.
    """

    key: str
    resolution: str | None

    def _label(self) -> str:
        return f"conflict: {self.resolution or 'default'}"

    def _changes(self, decisions: Decisions) -> dict[str, Any]:
        if self.resolution is not None and self.resolution not in RESOLUTIONS:
            raise UsageError(
                f"A conflict cannot be resolved with {self.resolution!r}",
                hint=f"Use one of {', '.join(RESOLUTIONS)}.",
                location=self.key,
            )
        chosen = {self.key: self.resolution} if self.resolution is not None else {}
        changes: dict[str, Any] = {"conflicts": _without(decisions.conflicts, [self.key]) | chosen}
        if self.resolution != MERGE:
            for name in ("overrides", "retags"):
                decided = getattr(decisions, name)
                changes[name] = _without(decided, [key for key in decided if is_part_of(key, self.key)])
        return changes


class ChangeSettings(Command, frozen=True):
    """Change settings by name; the Settings model validates the values."""

    changes: Mapping[str, object]

    def _label(self) -> str:
        return "settings: " + ", ".join(sorted(self.changes))

    def _changes(self, decisions: Decisions) -> dict[str, Any]:
        for name in ("backend", "model_id"):
            objection = objection_to(name, self.changes[name]) if name in self.changes else ""
            if objection:
                raise UsageError(
                    f"The setting {name} can't be changed: {objection}", hint="Correct it.", location=name
                )
        try:
            return {"settings": checked_settings({**structs.asdict(decisions.settings), **self.changes})}
        except InvalidSetting as error:
            raise UsageError(
                f"The setting {error.name} cannot be {error.value!r}",
                hint=f"{error.reason}.",
                location=error.name,
            ) from error


class Acknowledge(Command, frozen=True):
    """Mark a diagnostic as reviewed, by `code:file`."""

    mark: str

    def _label(self) -> str:
        return f"acknowledge {self.mark}"

    def _changes(self, decisions: Decisions) -> dict[str, Any]:
        return {"acknowledged": tuple(sorted({*decisions.acknowledged, self.mark}))}


class MarkReviewed(Command, frozen=True):
    """Settle items of the review without an override.

    `items` maps each item to the digest of the text that was read; when that text changes, the item is open again.
    """

    items: Mapping[str, str]
    answer: str

    def _label(self) -> str:
        return f"review {counted(len(self.items), 'item')}: {self.answer}"

    def _changes(self, decisions: Decisions) -> dict[str, Any]:
        answered = {name: Reviewed(self.answer, text) for name, text in self.items.items()}
        return {"reviewed": {**decisions.reviewed, **answered}}


class Together(Command, frozen=True):
    """Several commands that are one act: undone and redone at once."""

    commands: tuple[Command, ...]
    label: str

    def apply(self, decisions: Decisions) -> Decisions:
        """Return the decisions after all commands, in order."""
        for command in self.commands:
            decisions = command.apply(decisions)
        return decisions

    def includes(self, *kinds: type[Command]) -> bool:
        """Return whether one of the commands is of one of these kinds."""
        return any(command.includes(*kinds) for command in self.commands)


class ReleaseSecret(Command, frozen=True):
    """Release a value that looks like a secret wherever it occurs, or mask it again (`released` False)."""

    digest: str
    name: str
    """Where the user saw it: file and variable."""
    released: bool = True

    def _label(self) -> str:
        return f"{'release' if self.released else 'mask'} {self.name}"

    def _changes(self, decisions: Decisions) -> dict[str, Any]:
        earlier = decisions.released_secrets
        chosen = {self.digest: earlier.get(self.digest, self.name)} if self.released else {}
        return {"released_secrets": _without(earlier, [self.digest]) | chosen}


class AcceptSuggestion(Command, frozen=True):
    """Apply an orphaned decision of a loaded file to another element, unless one is named to the suggested one.

    An element that already has such a decision keeps it.
    """

    name: str
    """The key or `entry_id` in the file."""
    key: str = ""
    """The element to apply it to; `""` stands for the suggested one."""

    def _label(self) -> str:
        return f"move {self.name}" if self.key else f"accept the suggestion for {self.name}"

    def _changes(self, decisions: Decisions) -> dict[str, Any]:
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
        return {"overrides": overrides, "retags": retags, "conflicts": conflicts, "unplaced": tuple(left)}


class DropUnplaced(Command, frozen=True):
    """Drop decisions of a loaded file whose element wasn't found."""

    names: tuple[str, ...]
    """The keys or `entry_id`s in the file."""

    def _label(self) -> str:
        return f"drop {counted(len(self.names), 'unplaced decision')}"

    def _changes(self, decisions: Decisions) -> dict[str, Any]:
        return {"unplaced": tuple(kept for kept in decisions.unplaced if kept.item.name not in self.names)}


class ReplaceDecisions(Command, frozen=True):
    """Replace all decisions with those of a loaded decisions file."""

    decisions: Decisions
    source: str
    act: str = "load"

    def _label(self) -> str:
        return f"{self.act} {self.source}"

    def _changes(self, decisions: Decisions) -> dict[str, Any]:  # noqa: ARG002 - the earlier state is replaced
        return {name: getattr(self.decisions, name) for name in self.decisions.__struct_fields__}


def counted(number: int, noun: str, many: str = "") -> str:
    """Return a count with its noun: `1 rule`, `2 rules`; `many` is the noun for more, if it doesn't end with an s."""
    return f"{number} {noun if number == 1 else many or f'{noun}s'}"


def _without(decided: Mapping[str, Any], keys: Collection[str]) -> dict[str, Any]:
    return {key: value for key, value in decided.items() if key not in keys}
