"""Maps the closed vocabularies to their look: tones for dispositions, marks for severities and strengths."""

from typing import Final

from melleafy_tui.actions.write_actions import ACTIONS
from melleafy_tui.core.models.vocabulary import DISPOSITIONS, Disposition, Severity, Strength
from melleafy_tui.core.output.write_plan import Action
from melleafy_tui.widgets.styled_text import Span, Tone

DISPOSITION_TONES: Final[dict[Disposition, Tone]] = {
    disposition: Tone(shown.tone) for disposition, shown in DISPOSITIONS.items()
}

SEVERITY_SPANS: Final[dict[Severity, Span]] = {
    Severity.INFO: ("i ", Tone.INFO),
    Severity.WARNING: ("! ", Tone.WARN),
    Severity.ERROR: ("✗ ", Tone.BAD),
}

STRENGTH_MARKS: Final[dict[Strength, str]] = {
    Strength.STRONG: "●●●",
    Strength.MEDIUM: "●● ",
    Strength.WEAK: "●  ",
}

ACTION_MARKS: Final[dict[Action, tuple[str, str, Tone]]] = {
    action: (shown.mark, shown.words, Tone(shown.tone)) for action, shown in ACTIONS.items()
}

ACTION_TERMS: Final = tuple((mark, f"{words}.") for mark, words, _ in ACTION_MARKS.values())
