"""The footer: the keys that work on the row under the cursor, as many as its one line holds."""

from collections.abc import Sequence
from typing import ClassVar

from msgspec import Struct
from rich.cells import cell_len
from textual import events
from textual.actions import parse
from textual.binding import Binding
from textual.command import CommandPalette

from melleafy_tui.actions.key_table import DIALOG_KEYS, KEYMAP, Key
from melleafy_tui.widgets.styled_text import Span, StyledText, Tone, content, line_text


class FooterKey(Struct, frozen=True):
    """One key of the footer.

    Attributes:
        spelled: The key as shown to people.
        label: One or two words.
        name: Textual's name of the key, which a click presses.
    """

    spelled: str
    label: str
    name: str

    @property
    def width(self) -> int:
        """Return the columns that it takes."""
        return cell_len(self.spelled) + cell_len(self.label) + _GAPS


_GAPS = 3
"""Columns between key and label, and after the label."""


class RowFooter(StyledText):
    """Shows keys, most useful first; a click presses one."""

    DEFAULT_CSS = """
    RowFooter { height: 1; padding: 0 1; background: $footer-background; }
    """

    LEADING: ClassVar[Tone] = Tone.ACCENT

    def __init__(self) -> None:
        super().__init__()
        self._lead = ""
        self._keys: tuple[FooterKey, ...] = ()
        self._last: FooterKey | None = None
        self._places: list[tuple[range, FooterKey]] = []

    @property
    def keys(self) -> tuple[FooterKey, ...]:
        """Return the keys in view."""
        return tuple(key for _, key in self._places)

    def show_keys(self, keys: Sequence[FooterKey], *, last: FooterKey | None = None, lead: str = "") -> None:
        """Show keys.

        Args:
            keys: The keys, most useful first; those that don't fit are left out.
            last: A key that is always in view, at the end.
            lead: What is said before them.
        """
        if (tuple(keys), last, lead) != (self._keys, self._last, self._lead):
            self._keys, self._last, self._lead = tuple(keys), last, lead
            self._draw()

    def on_resize(self) -> None:
        """Show as many keys as fit now."""
        self._draw()

    def _draw(self) -> None:
        spans: list[Span] = [(f"{self._lead}  ", self.LEADING)] if self._lead else []
        room = self.content_size.width - (self._last.width if self._last is not None else 0)
        self._places.clear()
        for key in self._keys:
            if cell_len(line_text(spans)) + key.width - 1 > room:
                break
            self._add(key, spans)
        if self._last is not None:
            self._add(self._last, spans)
        self.update(content([tuple(spans)]), layout=False)  # its one line never changes the layout

    def _add(self, key: FooterKey, spans: list[Span]) -> None:
        start = cell_len(line_text(spans))
        spans += [(key.spelled, Tone.KEY), (f" {key.label}  ", Tone.TEXT)]
        self._places.append((range(start, start + key.width - 2), key))

    def on_click(self, event: events.Click) -> None:
        """Press the key that was clicked."""
        inside = event.get_content_offset(self)
        if inside is None:
            return
        for columns, key in self._places:
            if inside.x in columns:
                self.app.simulate_key(key.name)


def bindings(where: str) -> list[Binding]:
    """Return the bindings of one place, in the table's order."""
    return [binding(key) for key in KEYMAP if where in key.where]


def parse_actions() -> None:
    """Parse the action of every key, which Textual then caches.

    Textual parses their arguments as Python literals, and nothing may parse Python while a thread does
    (`core/language/python_syntax.py`): call this before starting one.
    """
    own = (each.action for each in CommandPalette.BINDINGS if isinstance(each, Binding))
    for action in (*(key.action for key in (*KEYMAP, *DIALOG_KEYS)), *own):
        parse(action)


def binding(key: Key) -> Binding:
    """Return one row as Textual's binding."""
    return Binding(
        key.keys,
        key.action,
        key.label,
        show=key.shown,
        key_display=key.spelled,
        tooltip=key.tooltip,
        id=key.id,
    )
