"""A file that the user edited and whose new text doesn't fit: both texts, and what to do with them."""

from collections.abc import Callable, Sequence
from difflib import SequenceMatcher
from typing import Any, ClassVar, Final

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import Screen

from melleafy_tui.actions.key_table import CONFLICT_KEYS
from melleafy_tui.actions.session import ConflictTexts, WizardSession
from melleafy_tui.widgets.dialogs import Dialog
from melleafy_tui.widgets.file_view import FileView
from melleafy_tui.widgets.footer import RowFooter, binding
from melleafy_tui.widgets.frame import WIDE, WIDTHS, footer_key
from melleafy_tui.widgets.styled_text import as_title
from melleafy_tui.widgets.syntax import coloured

KEEP: Final = b""
"""The answer that keeps the user's text; every text that replaces it has letters."""


def differing_lines(user: Sequence[str], now: Sequence[str]) -> list[tuple[range, range]]:
    """Return where two texts differ: the lines of each side, numbered from 1."""
    matcher = SequenceMatcher(None, user, now, autojunk=False)
    return [
        (range(left + 1, left_end + 1), range(right + 1, right_end + 1))
        for kind, left, left_end, right, right_end in matcher.get_opcodes()
        if kind != "equal"
    ]


class ConflictDialog(Dialog[bytes]):
    """Both texts side by side; returns the text that the file gets, KEEP for the user's own, or None.

    Args:
        texts: The texts.
        note: Why they can't be merged.
    """

    BINDINGS: ClassVar[list[BindingType]] = [binding(key) for key in CONFLICT_KEYS]
    HORIZONTAL_BREAKPOINTS = [*WIDTHS, (WIDE, "-wide")]  # noqa: RUF012 - Textual's own name and type

    def __init__(self, texts: ConflictTexts, note: str) -> None:
        super().__init__()
        self._texts, self._note = texts, note
        self._user = texts.user.decode("utf-8", "replace").splitlines()
        self._now = texts.now.decode("utf-8", "replace").splitlines()
        self._places = differing_lines(self._user, self._now)
        self._at = 0
        self._settled: dict[int, bool] = {}
        """Whether the new lines are taken at a difference, by its number."""

    def compose(self) -> ComposeResult:
        """Yield the two texts."""
        with Vertical(classes="dialog -tall") as box:
            box.border_title = as_title(f"{self._texts.path}: {self._note}")
            with Horizontal(id="conflict-texts"):
                yield FileView(id="user-text", classes="pane", empty="The file is empty.")
                yield FileView(id="new-text", classes="pane", empty="The new text is empty.")
            yield RowFooter()

    def on_mount(self) -> None:
        """Show both texts at their first difference."""
        path = self._texts.path
        for name, title, lines, side in (
            ("user-text", "Yours, on the disk", self._user, 0),
            ("new-text", "New", self._now, 1),
        ):
            view = self.query_one(f"#{name}", FileView)
            view.border_title = title
            marked = {number for place in self._places for number in place[side]}
            view.show_lines(lines, colour=lambda texts: coloured(path, texts), marked=marked)
        self.query_one("#user-text").focus()
        *keys, close = map(footer_key, CONFLICT_KEYS)
        self.query_one(RowFooter).show_keys(keys, last=close)
        self.call_after_refresh(self.action_difference, 0)

    def action_difference(self, by: int) -> None:
        """Go to a difference in both texts."""
        if not self._places:
            return
        self._at = (self._at + by) % len(self._places)
        for name, lines in zip(("user-text", "new-text"), self._places[self._at], strict=True):
            first = max(1, lines.start)
            self.query_one(f"#{name}", FileView).highlight(first, max(first - 1, lines.stop - 1))
        said = f"difference {self._at + 1} of {len(self._places)}, {len(self._settled)} settled"
        self.query_one(".dialog").border_subtitle = said

    def action_keep(self) -> None:
        """Keep the user's text."""
        self.dismiss(KEEP)

    def action_take(self) -> None:
        """Take the new text."""
        self.dismiss(self._texts.now)

    def action_settle(self, takes_new: bool) -> None:
        """Keep the user's lines or take the new ones at this difference, and go to the next that is open."""
        if not self._places:
            return
        self._settled[self._at] = takes_new
        left = [at for at in range(len(self._places)) if at not in self._settled]
        if left:
            self._at = next((at for at in left if at > self._at), left[0])
            self.action_difference(0)
        else:
            text = self._settled_text()
            self.dismiss(KEEP if text == self._texts.user else text)

    def _settled_text(self) -> bytes:
        """Return the user's text with the new lines where they were taken."""
        user, now = (
            text.decode("utf-8", "surrogateescape").splitlines(keepends=True)
            for text in (self._texts.user, self._texts.now)
        )
        lines: list[str] = []
        end = 0
        for number, (mine, new) in enumerate(self._places):
            lines += user[end : mine.start - 1]
            taken, place = (now, new) if self._settled[number] else (user, mine)
            lines += taken[place.start - 1 : place.stop - 1]
            end = mine.stop - 1
        return "".join([*lines, *user[end:]]).encode("utf-8", "surrogateescape")


_SETTLED: Final = {
    True: "You keep your text of {}; the new one is left out.",
    False: "{} gets the text that you chose; yours goes to .melleafy-backup/.",
}
"""What is said when a conflict is settled, by whether the user's text is kept."""


def open_conflict(screen: Screen[Any], session: WizardSession, path: str, then: Callable[[], object]) -> bool:
    """Show both texts of a file, and settle it with the user's answer; return whether the file has a conflict.

    Args:
        screen: The screen that asks.
        session: The wizard's state.
        path: The file's path in the output folder.
        then: Called when it is settled.
    """
    plan = session.rendered.plan if session.rendered is not None else None
    planned = next((file for file in plan.conflicts if file.path == path), None) if plan is not None else None
    if plan is None or planned is None:
        return False
    texts = session.texts_of_conflict(plan, path)
    if texts is None:
        screen.notify(f"{path} can't be compared here: {planned.note}.", severity="warning", markup=False)
        return True

    def decide(text: bytes) -> None:
        session.settle(plan, path, None if text == KEEP else text)
        screen.notify(_SETTLED[text == KEEP].format(path), markup=False)
        then()

    ConflictDialog(texts, planned.note).ask(screen.app, decide)
    return True
