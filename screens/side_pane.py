"""The side pane of the disposition table: describes a row, and computes its exact effect in a thread."""

from typing import Final

from textual import work
from textual.timer import Timer

from melleafy_tui.actions.key_table import KeyTable
from melleafy_tui.actions.output_changes import Effect, effect
from melleafy_tui.actions.plurals import counted
from melleafy_tui.actions.session import WizardSession
from melleafy_tui.core.models.context import AS_USUAL, VISIBILITY_SENTENCES
from melleafy_tui.core.models.plan import PlanEntry
from melleafy_tui.core.models.vocabulary import DISPOSITIONS, Disposition
from melleafy_tui.core.package.dispositions import cell
from melleafy_tui.core.pipeline.conversion import Conversion
from melleafy_tui.screens.vocabulary_marks import DISPOSITION_TONES
from melleafy_tui.widgets.background_thread import background_thread
from melleafy_tui.widgets.styled_text import Line, Tone
from melleafy_tui.widgets.styled_view import Pane
from melleafy_tui.widgets.syntax import diff_line


def entry_lines(session: WizardSession, entry: PlanEntry, effect: Effect | None) -> list[Line]:
    """Return the description of one row: what it does, its exact change, the alternatives."""
    elements = session.elements_of(entry)
    shown = DISPOSITIONS[entry.disposition]
    lines: list[Line] = [
        ((f"{shown.label}  ", DISPOSITION_TONES[entry.disposition]), (shown.meaning, Tone.TEXT)),
        (
            (f"{entry.entry_id}  ", Tone.MUTED),
            (elements[0].location if elements else "settings", Tone.INFO),
        ),
        ((entry.summary, Tone.STRONG),),
    ]
    reason = session.reasons.get(entry.entry_id)
    if reason:
        lines.append((("! ", Tone.WARN), (reason, Tone.WARN)))
    lines.append(())
    lines.extend(_decision_lines(entry))
    known = session.conversion.seen
    lines.extend(
        ((VISIBILITY_SENTENCES[known[element.element_id].visibility], Tone.WARN),)
        for element in elements[:1]
        if element.element_id in known and known[element.element_id].visibility not in AS_USUAL
    )
    place = entry.target + (f"  SETUP {entry.setup_section}" if entry.setup_section else "")
    lines.append((("→ ", Tone.ACCENT), (place, Tone.TEXT)))
    lines.append(())
    lines.extend(_effect_lines(effect))
    lines.append(())
    lines.append((("Alternatives", Tone.HEADING),))
    lines.extend(_alternatives(entry, session.keys))
    return lines


def _decision_lines(entry: PlanEntry) -> list[Line]:
    """Return what happens to an entry, why, and whose choice it is."""
    whose = "◆ your choice" if entry.overridden else f"the default ({entry.source_of_decision.value})"
    lines: list[Line] = [
        (("Decided: ", Tone.MUTED), (whose, Tone.KEY if entry.overridden else Tone.MUTED)),
        ((cell(entry.kind, entry.disposition).effect, Tone.TEXT),),
    ]
    if entry.overridden:
        lines.append(((f"Default: {entry.default_disposition.value}. {entry.reason}", Tone.MUTED),))
    elif entry.reason:
        lines.append(((entry.reason, Tone.MUTED),))
    if entry.override_rationale:
        lines.append((("Why: ", Tone.MUTED), (entry.override_rationale, Tone.TEXT)))
    return lines


def _effect_lines(effect: Effect | None) -> list[Line]:
    if effect is None:
        return [(("What it changes", Tone.HEADING), ("  working it out …", Tone.MUTED))]
    lines: list[Line] = [(("What it changes", Tone.HEADING), (f"  {effect.title}", Tone.MUTED))]
    if not effect.lines:
        lines.append((("Nothing in the code.", Tone.MUTED),))
    lines.extend(diff_line(text) for text in effect.lines)
    if effect.left_out:
        lines.append(((f"… {effect.left_out} more lines; see Preview", Tone.MUTED),))
    return lines


def _alternatives(entry: PlanEntry, keys: KeyTable) -> list[Line]:
    lines: list[Line] = []
    for disposition in Disposition:
        if disposition is entry.disposition:
            continue
        option = cell(entry.kind, disposition)
        default = " (default)" if disposition is entry.default_disposition else ""
        label = DISPOSITIONS[disposition].label + default
        if option.allowed:
            key = keys.spelled_of(f"dispose({disposition.value!r})")
            named: Line = ((f"{key} ", Tone.KEY), (label, DISPOSITION_TONES[disposition]))
            lines.append((*named, (f"  {option.effect}", Tone.TEXT)))
        else:
            lines.append(((f"· {label}  {option.refusal}", Tone.MUTED),))
    return lines


_SETTLE: Final = 0.12
"""Seconds that the cursor must rest on a row before its exact change is computed."""

_MOST_KNOWN: Final = 200


class EffectPane(Pane):
    """Shows what the row under the cursor does.

    Args:
        session: The wizard's state; the pane only reads it.
    """

    def __init__(self, session: WizardSession, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._session = session
        self._entry: PlanEntry | None = None
        self._settling: Timer | None = None
        self._known: dict[tuple[object, ...], Effect] = {}
        """What rows change, each for the plan that it was computed for."""

    def show_entry(self, entry: PlanEntry) -> None:
        """Show a row; its exact change follows once the cursor rests there."""
        same = self._entry is not None and self._entry.entry_id == entry.entry_id
        self._stop()
        self._entry = entry
        known = self.known_effect(entry)
        self.show_lines(entry_lines(self._session, entry, known), from_top=not same)
        if known is None:
            self._settling = self.set_timer(_SETTLE + self._session.settle_seconds, self._start)

    def show_group(self, count: int) -> None:
        """Show what can be done with the rows of a group."""
        self._stop()
        self._entry = None
        if not count:
            self.show_lines([(("Move to a row to read what it does.", Tone.MUTED),)])
            return
        self.show_lines(
            [
                ((f"{counted(count, 'entry', 'entries')} in this group", Tone.STRONG),),
                (("A disposition key asks, then decides all of them that are in view.", Tone.TEXT),),
                (("⏎ folds and unfolds, ␣ marks.", Tone.MUTED),),
            ]
        )

    def known_effect(self, entry: PlanEntry) -> Effect | None:
        """Return what an entry changes, if that was computed for the current decisions."""
        return self._known.get(self._key(entry))

    def _key(self, entry: PlanEntry) -> tuple[object, ...]:
        return id(self._session.conversion.plan), entry.entry_id, entry.disposition

    def _stop(self) -> None:
        if self._settling is not None:
            self._settling.stop()
            self._settling = None

    def _start(self) -> None:
        if self._entry is not None and self.screen.is_current:
            self._work_out(self._session.copy(), self._key(self._entry), self._entry)

    @work(
        exclusive=True,
        group="effect",
        exit_on_error=False,
        description="work out what a row changes",
    )
    async def _work_out(self, conversion: Conversion, key: tuple[object, ...], entry: PlanEntry) -> None:
        found = await background_thread(lambda: effect(conversion, entry), name="work out what a row changes")
        if len(self._known) > _MOST_KNOWN:
            self._known.clear()
        self._known[key] = found
        if self._entry is not None and self._key(self._entry) == key:
            self.show_lines(entry_lines(self._session, self._entry, found), from_top=False)
