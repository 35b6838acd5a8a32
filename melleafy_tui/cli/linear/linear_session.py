"""What every command of the plain-line mode works with: the conversion, the user, and what the user names."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Final

from msgspec import Struct

from melleafy_tui.actions.session import Rendered, WizardSession, render
from melleafy_tui.actions.traceability import element_at
from melleafy_tui.cli.linear.dialogue import Dialogue
from melleafy_tui.core.decisions.commands import Command
from melleafy_tui.core.errors import MelleafyError
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.plan import PlanEntry

LISTED: Final = "listed"
"""Stands for all entries that were listed last."""

_LONGEST_NUMBER: Final = 9
"""Digits of the longest number that an answer can hold."""


class LinearSession(Struct):
    """One user at work on one conversion."""

    wizard: WizardSession
    dialogue: Dialogue
    listed: frozenset[str] = frozenset()
    """Keys of the entries that were listed last."""

    def act(self, command: Command, done: str) -> bool:
        """Carry out a command, record it in the journal and say so; return whether it changed anything."""
        if not self.wizard.act(command):
            self.dialogue.say("Nothing changed.")
            return False
        self.keep_journal()
        self.dialogue.say(f"{done.replace('→', 'to').rstrip('.')}. Type undo to revert.")
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

    def rendered(self) -> Rendered:
        """Return the package for the current decisions.

        Raises:
            MelleafyError: it can't be rendered.
        """
        wizard = self.wizard
        rendered = wizard.rendered
        if rendered is None or not wizard.rendered_is_current:
            rendered = render(wizard.conversion, wizard.out, now=wizard.now, force=wizard.force)
            wizard.keep(rendered)
        return rendered

    # --- what the user names -------------------------------------------------------------------

    def entries_named(self, words: str) -> list[PlanEntry]:
        """Return the entries of `3 5 8-12` or `listed`; empty, with a message, if one is missing."""
        entries = self.wizard.conversion.plan.entries
        if words.casefold() == LISTED:
            found = [entry for entry in entries if entry.key in self.listed]
        else:
            by_number = {int(entry.entry_id.rpartition("_")[2]): entry for entry in entries}
            numbers = typed_numbers(words.casefold().replace("dep_", ""), max(by_number, default=0))
            found = [by_number[number] for number in numbers if number in by_number]
            found = found if len(found) == len(numbers) else []
        if not found:
            self.dialogue.say(
                f"No entry is called {words or 'so'}. Type plan to list the entries with their numbers."
            )
        return found

    def element_named(self, words: str) -> Element | None:
        """Return the element with a number or at `FILE:LINE`; None, with a message, if there is none."""
        elements = self.wizard.conversion.inventory.elements
        file, line = typed_place(words)
        number = typed_number(words.casefold().removeprefix("elem_").lstrip("0"))
        numbered = (each for each in elements if number and each.element_id.endswith(f"_{number:03}"))
        found = element_at(elements, file, line) if line else next(numbered, None)
        if found is None:
            self.dialogue.say(
                f"No element is called {words or 'so'}. Type inventory to list the elements with their numbers."
            )
        return found

    def path_named(self, wanted: str, paths: Iterable[str]) -> str | None:
        """Return the one path with this name or part; None, with a message, if there is none or more than one."""
        every = tuple(paths)
        found = [path for path in every if path == wanted or path.endswith(f"/{wanted}")]
        found = found or [path for path in every if wanted.casefold() in path.casefold()]
        if len(found) == 1:
            return found[0]
        if found:
            self.dialogue.say(f"{len(found)} files match {wanted}; type more of the path:")
        self.dialogue.say(*(found or [f"No file matches {wanted}."]))
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
