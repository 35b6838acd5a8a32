"""What every step of the dialogue works with: the conversion, the user, commands, and what the user names."""

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from typing import Final, TypeVar

from msgspec import Struct

from melleafy_tui.actions.session import Rendered, WizardSession, render
from melleafy_tui.actions.traceability import element_at
from melleafy_tui.cli.linear.dialogue import Dialogue
from melleafy_tui.core.decisions.commands import Command
from melleafy_tui.core.errors import MelleafyError
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.plan import PlanEntry

ItemT = TypeVar("ItemT")

LISTED: Final = "listed"
"""Stands for all entries that were listed last."""

MANY: Final = 1_000
"""Entries beyond which rendering takes seconds, so that it is announced."""

_LONGEST_NUMBER: Final = 9
"""Digits of the longest number that an answer can hold."""


class LinearSession(Struct):
    """One user at work on one conversion."""

    wizard: WizardSession
    dialogue: Dialogue
    listed: frozenset[str] = frozenset()
    """Keys of the entries that were listed last."""

    # --- commands ------------------------------------------------------------------------------

    def act(self, command: Command, done: str = "") -> bool:
        """Carry out a command, record it in the journal and say so; return whether it changed anything."""
        if not self.wizard.act(command):
            self.dialogue.say("Nothing changed.")
            return False
        if done:
            self.dialogue.say(f"{done.replace('→', 'to').rstrip('.')}. Type undo to revert.")
        self.keep_journal()
        return True

    def keep_journal(self) -> None:
        """Write the decisions to the journal; if that fails, say so once and go on."""
        if fault := self.wizard.keep_journal(datetime.now(UTC)):
            self.dialogue.say(
                f"Can't write the journal ({fault}); a crash loses your decisions. Type save to save them."
            )

    def say_error(self, error: MelleafyError) -> None:
        """Say what couldn't be done, where, and what to do."""
        self.dialogue.say(f"Not done: {error}")

    # --- the package ---------------------------------------------------------------------------

    def rendered(self) -> Rendered:
        """Return the package for the current decisions.

        Raises:
            MelleafyError: it can't be rendered.
        """
        wizard = self.wizard
        rendered = wizard.rendered
        if rendered is None or not wizard.rendered_is_current:
            if len(wizard.conversion.plan.entries) > MANY:
                self.dialogue.say("Rendering the package; with this many entries that takes a moment.")
            rendered = render(wizard.conversion, wizard.out, now=wizard.now, force=wizard.force)
            wizard.keep(rendered)
        return rendered

    # --- what the user names -------------------------------------------------------------------

    def entry_named(self, words: str) -> PlanEntry | None:
        """Return the entry with an id or number; None, with a message, if there is none."""
        return self._named(words, self.wizard.conversion.plan.entries, lambda entry: entry.entry_id, "entry")

    def entries_named(self, words: str) -> list[PlanEntry]:
        """Return the entries of `3 5 8-12`, of an id, or of `listed`; empty, with a message, if one is missing."""
        if words.casefold() == LISTED:
            return self._listed_entries()
        by_number = {
            int(entry.entry_id.rpartition("_")[2]): entry for entry in self.wizard.conversion.plan.entries
        }
        numbers = typed_numbers(words, max(by_number, default=0))
        if len(numbers) < 2:
            entry = self.entry_named(words)
            return [entry] if entry is not None else []
        missing = [number for number in numbers if number not in by_number]
        if missing:
            self.dialogue.say(f"There is no entry {missing[0]}.")
            return []
        return [by_number[number] for number in numbers]

    def _listed_entries(self) -> list[PlanEntry]:
        kept = [entry for entry in self.wizard.conversion.plan.entries if entry.key in self.listed]
        if not kept:
            self.dialogue.say("No entry is listed yet. Type filter, search or differences to list entries.")
        return kept

    def element_named(self, words: str) -> Element | None:
        """Return the element with an id or number, or at `FILE:LINE`; None, with a message, if there is none."""
        elements = self.wizard.conversion.inventory.elements
        file, line = typed_place(words)
        found = element_at(elements, file, line) if line else None
        return found or self._named(words, elements, lambda element: element.element_id, "element")

    def path_named(self, wanted: str, paths: Iterable[str]) -> str | None:
        """Return the one path with this name or part; None, with a message, if there is none or more than one."""
        every = tuple(paths)
        found = [path for path in every if path == wanted or path.endswith(f"/{wanted}")]
        found = found or [path for path in every if wanted.casefold() in path.casefold()]
        if len(found) == 1:
            return found[0]
        if not found:
            self.dialogue.say(f"No file matches {wanted}.")
        else:
            self.dialogue.say(f"{len(found)} files match {wanted}; type more of the path:")
            self.dialogue.list(found, empty="")
        return None

    def _named(
        self, words: str, items: Sequence[ItemT], name_of: Callable[[ItemT], str], noun: str
    ) -> ItemT | None:
        asked = words or self.dialogue.name(
            f"Which {noun}? Type its number;", f"Type filter to list every {noun}."
        )
        wanted = asked.casefold()
        for item in items:
            name = name_of(item)
            number = name.rpartition("_")[2].lstrip("0")
            if wanted == name.casefold() or (wanted.lstrip("0") == number and wanted.isdigit()):
                return item
        self.dialogue.say(f"There is no {noun} {asked}.")
        return None


def typed_number(text: str) -> int:
    """Return the number that was typed, 0 for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _LONGEST_NUMBER else 0


def typed_numbers(text: str, most: int) -> list[int]:
    """Return the numbers of an answer such as `3 5, 8-12`, each once, in the order they were typed.

    Args:
        text: The answer.
        most: The largest number allowed; the result is empty if a number is larger.
    """
    numbers: dict[int, None] = {}
    for part in text.replace(",", " ").split():
        first, dash, last = part.partition("-")
        start, end = typed_number(first), typed_number(last if dash else first)
        if not 1 <= start <= end <= most:
            return []
        numbers.update(dict.fromkeys(range(start, end + 1)))
    return list(numbers)


def typed_place(text: str) -> tuple[str, int]:
    """Return file and line of `FILE:LINE`; the line is 0 if none was typed."""
    file, colon, line = text.rpartition(":")
    number = typed_number(line) if colon else 0
    return (file, number) if number else (text, 0)
