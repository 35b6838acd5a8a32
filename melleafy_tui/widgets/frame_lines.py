"""The two lines of the frame that tell of the whole conversion: its title, and the counts that matter."""

from typing import Final

from melleafy_tui.widgets.tones import Line, Span, Tone, shorten
from melleafy_tui.wizard_session import WizardSession
from melleafy_tui.wizard_steps import Figures
from melleafy_tui.words import MODALITY_TITLES

_SHORT_WORDS_BELOW: Final = 100
"""Columns below which the counts are named by shorter words."""


def title_line(session: WizardSession) -> Line:
    """Return workspace, runtime, modality, and whether decisions are unsaved."""
    conversion = session.conversion
    classification = conversion.classification
    runtime = classification.hybrid_primary or classification.source_runtime
    if classification.hybrid_contributors:
        runtime += " + " + ", ".join(classification.hybrid_contributors)
    unsaved: Span = ("● unsaved decisions", Tone.WARN) if conversion.unsaved else ("saved", Tone.MUTED)
    if not conversion.unsaved and not conversion.acts and session.decisions_path is None:
        unsaved = ("all at defaults", Tone.MUTED)
    changed: tuple[Span, ...] = ()
    if session.newer is not None:
        changed = (
            ("   ! source changed, ", Tone.WARN),
            (session.keys.spelled("source.reread"), Tone.KEY),
            (" reads it again", Tone.WARN),
        )
    return (
        (shorten(conversion.snapshot.name, 32), Tone.HEADING),
        ("  ", Tone.TEXT),
        (runtime, Tone.TEXT),
        (" · ", Tone.MUTED),
        (MODALITY_TITLES[classification.modality], Tone.TEXT),
        ("   ", Tone.MUTED),
        unsaved,
        *changed,
    )


def status_line(figures: Figures, width: int) -> Line:
    """Return the counts that matter, named by words that fit a view so wide."""
    spans: list[Span] = []
    for count, words, tone in (
        (figures.elements, ("element", "elements", "elem.", "elem."), Tone.TEXT),
        (figures.overrides, ("overridden", "overridden", "yours", "yours"), Tone.ACCENT),
        (figures.stubs, ("stub", "stubs", "stub", "stubs"), Tone.WARN),
        (figures.delegates, ("delegate", "delegates", "deleg.", "deleg."), Tone.INFO),
        (figures.warnings, ("warning", "warnings", "warn.", "warn."), Tone.WARN),
        (figures.calls, ("call/run", "calls/run", "call/run", "calls/run"), Tone.TEXT),
        (figures.prompt_tokens, ("prompt token", "prompt tokens", "token", "tokens"), Tone.TEXT),
    ):
        if spans:
            spans.append((" · ", Tone.MUTED))
        word = words[(2 if width < _SHORT_WORDS_BELOW else 0) + (count != 1)]
        spans.append((f"{count:,}".replace(",", " "), tone if count else Tone.TEXT))
        spans.append((f" {word}", Tone.MUTED))
    return tuple(spans)
