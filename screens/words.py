"""How the closed vocabularies look on every screen: tones for dispositions, marks for severities and strengths."""

from typing import Final

from melleafy_tui.core.models.vocabulary import Disposition, Severity, Strength
from melleafy_tui.widgets.tones import Span, Tone

DISPOSITION_TONES: Final[dict[Disposition, Tone]] = {
    Disposition.BUNDLE: Tone.GOOD,
    Disposition.REAL_IMPL: Tone.ACCENT,
    Disposition.STUB: Tone.WARN,
    Disposition.MOCK: Tone.NUMBER,
    Disposition.DELEGATE_TO_RUNTIME: Tone.KEYWORD,
    Disposition.EXTERNAL_INPUT: Tone.INFO,
    Disposition.LOAD_FROM_DISK: Tone.NAME,
    Disposition.REMOVE: Tone.BAD,
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
