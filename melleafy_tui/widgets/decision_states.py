"""What became of each entry of a decisions file, as lines of a dialog."""

from collections import Counter
from collections.abc import Iterable

from melleafy_tui.core.decisions.rebase import APPLIED_STATES, DecisionState, OverrideState
from melleafy_tui.widgets.tones import Line, Tone


def state_lines(states: Iterable[OverrideState]) -> list[Line]:
    """Return the number of entries in each state, then each entry, those that need the user's eye first."""
    ordered = sorted(states, key=lambda state: (_urgency(state), state.section, state.name))
    if not ordered:
        return [(("The file holds no override; its settings are in force.", Tone.TEXT),)]
    counts = Counter(state.state for state in ordered)
    summary = ", ".join(f"{counts[state]} {state}" for state in DecisionState if counts[state])
    lines: list[Line] = [((summary, Tone.HEADING),), ()]
    for state in ordered:
        sure = state.state is DecisionState.APPLIED
        applied = state.state in APPLIED_STATES
        lines.append(
            (
                (f"{'✓' if applied else '!'} {state.state}", Tone.GOOD if sure else Tone.WARN),
                ("  " + state.name, Tone.TEXT),
                (f"  {state.choice}", Tone.STRONG),
            )
        )
        lines.append(((f"  {state.message}", Tone.MUTED),))
        lines.extend(text_lines(state))
    return lines


def text_lines(state: OverrideState) -> list[Line]:
    """Return the old and the new text of an entry whose text is not the one that was decided on."""
    if not state.text_differs:
        return []
    return [
        ((f"  {sign} {text}", tone),)
        for sign, text, tone in (("-", state.old_text, Tone.REMOVED), ("+", state.new_text, Tone.ADDED))
        if text
    ]


def _urgency(state: OverrideState) -> int:
    if state.state not in APPLIED_STATES:
        return 0
    return 2 if state.state is DecisionState.APPLIED else 1
