"""What every step of the dialogue works with: the session, the user, and the way an act is carried out."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, TypeVar

from melleafy_tui.commands.linear.dialogue import Dialogue
from melleafy_tui.core.decisions.commands import Command
from melleafy_tui.core.errors import MelleafyError
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.plan import PlanEntry
from melleafy_tui.provenance import element_at
from melleafy_tui.rendering import Rendered, render
from melleafy_tui.wizard_session import WizardSession

ItemT = TypeVar("ItemT")

LISTED: Final = "listed"
"""Names all entries that were listed last."""

MANY: Final = 1_000
"""Entries beyond which making the package takes seconds, so that it is said before."""

_LONGEST_NUMBER: Final = 9
"""Digits of a number that anything here can have; longer ones are no number of ours."""


@dataclass
class Talk:
    """One user at work on one conversion."""

    session: WizardSession
    dialogue: Dialogue
    listed: frozenset[str] = frozenset()
    """Keys of the entries that were listed last."""

    # --- acts ----------------------------------------------------------------------------------

    def act(self, command: Command, done: str = "") -> bool:
        """Carry out a command, keep it in the journal and say so; return whether it changed anything."""
        if not self.session.act(command):
            self.dialogue.say("Nothing changed.")
            return False
        if done:
            self.dialogue.say(f"{done.replace('→', 'to')}. u takes it back.")
        self.keep_journal()
        return True

    def keep_journal(self) -> None:
        """Write the decisions to the journal; where that fails, say so once and go on."""
        try:
            self.session.note_in_journal(datetime.now(UTC))
        except OSError as fault:
            self.session.journal = None
            self.dialogue.say(
                f"Your decisions are not kept against a crash: {fault.strerror}. Save them with k."
            )

    def say_error(self, error: MelleafyError) -> None:
        """Say what could not be done, where, and what to do."""
        self.dialogue.say(f"Not done: {error}")

    # --- what the package is now ---------------------------------------------------------------

    def rendered(self) -> Rendered:
        """Return the package as the decisions give it now.

        Raises:
            MelleafyError: it cannot be made as things stand.
        """
        session = self.session
        rendered = session.rendered
        if rendered is None or not session.rendered_is_current:
            if len(session.conversion.plan.entries) > MANY:
                self.dialogue.say("Making the package; with so many entries that takes a moment.")
            rendered = render(session.conversion, session.out, now=session.now, force=session.force)
            session.keep(rendered)
        return rendered

    # --- finding what the user names -----------------------------------------------------------

    def entry_named(self, words: str) -> PlanEntry | None:
        """Return the entry with an id or its number, or None after saying that there is none."""
        return self._named(words, self.session.conversion.plan.entries, lambda entry: entry.entry_id, "entry")

    def entries_named(self, words: str) -> list[PlanEntry]:
        """Return the entries of `3 5 8-12`, of an id, or of `listed`; none after saying which there is not."""
        entries = self.session.conversion.plan.entries
        if words.casefold() == LISTED:
            kept = [entry for entry in entries if entry.key in self.listed]
            if not kept:
                self.dialogue.say("No entry is listed yet; l, s and v list them.")
            return kept
        by_number = {int(entry.entry_id.rpartition("_")[2]): entry for entry in entries}
        numbers = typed_numbers(words, max(by_number, default=0))
        if len(numbers) < 2:
            entry = self.entry_named(words)
            return [entry] if entry is not None else []
        missing = [number for number in numbers if number not in by_number]
        if missing:
            self.dialogue.say(f"There is no entry {missing[0]}.")
            return []
        return [by_number[number] for number in numbers]

    def element_named(self, words: str) -> Element | None:
        """Return the element with an id or its number, or at `FILE:LINE`, or None after saying that there is none."""
        elements = self.session.conversion.inventory.elements
        file, line = typed_place(words)
        found = element_at(elements, file, line) if line else None
        return found or self._named(words, elements, lambda element: element.element_id, "element")

    def path_named(self, wanted: str, paths: Iterable[str]) -> str | None:
        """Return the one path that is so called, or holds these words; None after saying that there is not one."""
        every = tuple(paths)
        found = [path for path in every if path == wanted or path.endswith(f"/{wanted}")]
        found = found or [path for path in every if wanted.casefold() in path.casefold()]
        if len(found) == 1:
            return found[0]
        if not found:
            self.dialogue.say(f"There is no file {wanted}.")
        else:
            self.dialogue.say(f"{len(found)} files hold {wanted}; type more of the path:")
            self.dialogue.list(found, empty="")
        return None

    def _named(
        self, words: str, items: Sequence[ItemT], name_of: Callable[[ItemT], str], noun: str
    ) -> ItemT | None:
        asked = words or self.dialogue.name(
            f"Which {noun}? Type its number, as the list says it;", f"l lists every {noun}."
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
    """Return a number that was typed, 0 where it is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _LONGEST_NUMBER else 0


def typed_numbers(text: str, most: int) -> list[int]:
    """Return the numbers of an answer such as `3 5, 8-12`, each once, in the order they were typed.

    Args:
        text: The answer.
        most: The largest number there is; the answer is none where one of its numbers is beyond it.
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
    """Return file and line of `FILE:LINE`; the line is 0 where none was typed."""
    file, colon, line = text.rpartition(":")
    number = typed_number(line) if colon else 0
    return (file, number) if number else (text, 0)
