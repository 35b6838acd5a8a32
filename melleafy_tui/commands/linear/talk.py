"""What every step of the dialogue works with: the session, the user, and the way an act is carried out."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from melleafy_tui.commands.linear.dialogue import Dialogue
from melleafy_tui.core.decisions.commands import Command
from melleafy_tui.core.errors import MelleafyError
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.plan import PlanEntry
from melleafy_tui.rendering import Rendered, render
from melleafy_tui.wizard_session import WizardSession

ItemT = TypeVar("ItemT")


@dataclass
class Talk:
    """One user at work on one conversion."""

    session: WizardSession
    dialogue: Dialogue

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
            rendered = render(session.conversion, session.out, now=session.now, force=session.force)
            session.keep(rendered)
        return rendered

    # --- finding what the user names -----------------------------------------------------------

    def entry_named(self, words: str) -> PlanEntry | None:
        """Return the entry with an id or its number, or None after saying that there is none."""
        return self._named(words, self.session.conversion.plan.entries, lambda entry: entry.entry_id, "entry")

    def element_named(self, words: str) -> Element | None:
        """Return the element with an id or its number, or None after saying that there is none."""
        elements = self.session.conversion.inventory.elements
        return self._named(words, elements, lambda element: element.element_id, "element")

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


def typed_path(text: str) -> Path:
    """Return a path that a user typed, absolute, with `~` taken for the home folder."""
    path = Path(text)
    with suppress(RuntimeError):
        path = path.expanduser()
    return path.absolute()
