"""Maps the closed vocabularies to their look: tones for dispositions, marks for severities and strengths."""

from typing import Final

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
    Action.UNTOUCHED: ("=", "same", Tone.MUTED),
    Action.CREATE: ("+", "new", Tone.GOOD),
    Action.REPLACE: ("~", "changed", Tone.ACCENT),
    Action.REMOVE: ("-", "removed", Tone.BAD),
    Action.MERGE: ("&", "merged with your edits", Tone.KEYWORD),
    Action.CONFLICT: ("!", "conflicts with your edits", Tone.WARN),
    Action.KEEP_EDITS: ("e", "edited by you, kept", Tone.INFO),
    Action.STAY_DELETED: ("x", "deleted by you", Tone.WARN),
    Action.FORGET: ("x", "gone", Tone.MUTED),
    Action.OVERWRITE: ("!", "overwritten, with a backup", Tone.WARN),
}

ACTION_TERMS: Final = tuple((mark, f"{words}.") for mark, words, _ in ACTION_MARKS.values())
