"""The words about one plan entry: what it is, what its disposition does, its exact change, the alternatives."""

from melleafy_tui.core.dispositions import cell
from melleafy_tui.core.models.context import AS_USUAL, SIGHT_WORDS
from melleafy_tui.core.models.plan import PlanEntry
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind
from melleafy_tui.effects import Effect
from melleafy_tui.keys.table import KeyTable
from melleafy_tui.screens.words import DISPOSITION_TONES
from melleafy_tui.widgets.syntax import diff_line
from melleafy_tui.widgets.tones import Line, Span, Tone
from melleafy_tui.wizard_session import WizardSession
from melleafy_tui.words import DISPOSITION_LABELS, title_of


def entry_title(session: WizardSession, entry: PlanEntry) -> str:
    """Return an entry's summary, without a secret's value."""
    return title_of(entry, session.elements_of(entry))


def entry_lines(session: WizardSession, entry: PlanEntry, effect: Effect | None) -> list[Line]:
    """Return what there is to say about one row: what it does, its exact change, the alternatives."""
    elements = session.elements_of(entry)
    here = cell(entry.kind, entry.disposition)
    lines: list[Line] = [
        (
            (f"{entry.entry_id}  ", Tone.MUTED),
            (elements[0].location if elements else "settings", Tone.INFO),
        ),
        ((entry_title(session, entry), Tone.STRONG),),
    ]
    reason = session.attention(entry)
    if reason:
        lines.append((("! ", Tone.WARN), (reason, Tone.WARN)))
    lines.append(())
    lines.append(
        (
            (entry.disposition.value, DISPOSITION_TONES[entry.disposition]),
            (
                " ◆ your choice" if entry.overridden else f"  the default ({entry.source_of_decision.value})",
                Tone.MUTED,
            ),
        )
    )
    lines.append(((here.effect, Tone.TEXT),))
    if entry.overridden:
        lines.append(((f"Default: {entry.default_disposition.value}. {entry.reason}", Tone.MUTED),))
    elif entry.reason:
        lines.append(((entry.reason, Tone.MUTED),))
    if entry.override_rationale:
        lines.append((("Why: ", Tone.MUTED), (entry.override_rationale, Tone.TEXT)))
    if entry.kind is EntryKind.RULE and entry.judge_individually:
        lines.append((("The model judges it by a requirement of its own; J takes that back.", Tone.ACCENT),))
    known = session.conversion.seen
    lines.extend(
        ((SIGHT_WORDS[known[element.element_id].sight], Tone.WARN),)
        for element in elements[:1]
        if element.element_id in known and known[element.element_id].sight not in AS_USUAL
    )
    place = entry.target + (f"  SETUP {entry.setup_section}" if entry.setup_section else "")
    lines.append((("→ ", Tone.ACCENT), (place, Tone.TEXT)))
    lines.append(())
    lines.extend(_effect_lines(effect))
    lines.append(())
    lines.append((("Alternatives", Tone.HEADING),))
    lines.extend(_alternatives(entry, session.keys))
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
        key: Span = (
            f"{keys.spelled_of(f'dispose({disposition.value!r})')} " if option.allowed else "· ",
            Tone.KEY if option.allowed else Tone.MUTED,
        )
        default = " (default)" if disposition is entry.default_disposition else ""
        lines.append(
            (
                key,
                (
                    DISPOSITION_LABELS[disposition] + default,
                    DISPOSITION_TONES[disposition] if option.allowed else Tone.MUTED,
                ),
                (
                    "  " + (option.effect if option.allowed else option.refusal),
                    Tone.TEXT if option.allowed else Tone.MUTED,
                ),
            )
        )
    return lines
