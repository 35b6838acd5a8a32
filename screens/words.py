"""How the closed vocabularies look on every screen: tones for dispositions and severities, terms for the help."""

from typing import Final

from melleafy_tui.core.models.vocabulary import (
    CATEGORY_TITLES,
    Category,
    Disposition,
    Severity,
    Strength,
)
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

DISPOSITION_TERMS: Final = (
    ("bundle", "The text becomes part of the package."),
    ("real_impl", "Working code is generated for it."),
    ("stub", "A typed function is left for you to write; it raises NotImplementedError until then."),
    ("mock", "A made-up sample, for the package's own fixtures only."),
    ("delegate", "The host that runs the package provides it; SETUP.md says what to connect."),
    ("external", "It is passed in from outside on each run, as a parameter and a flag or as a variable."),
    ("load", "It is read from a file of the package at start, so that it can be edited without code."),
    ("remove", "It is left out; the mapping report lists it."),
)

CATEGORY_TERMS: Final = tuple(
    (category.value, f"{title}.")
    for category, title in CATEGORY_TITLES.items()
    if category is not Category.NONE
)
