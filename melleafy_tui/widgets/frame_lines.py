"""The two lines of the frame that tell of the whole conversion: its title, and the counts that matter."""

from typing import TYPE_CHECKING, Final

from rich.cells import cell_len

from melleafy_tui.widgets.tones import Line, Span, Tone, line_text, shorten
from melleafy_tui.words import MODALITY_TITLES

if TYPE_CHECKING:
    from melleafy_tui.wizard_session import WizardSession
    from melleafy_tui.wizard_steps import Figures

_PADDING: Final = 2
"""Columns that the line keeps free at its sides."""


def title_line(session: "WizardSession") -> Line:
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


def status_line(figures: "Figures", width: int) -> Line:
    """Return the counts that matter, named by the longest words with which all of them fit a view so wide."""
    lines = [_status_line(figures, level) for level in range(3)]
    return next((line for line in lines if cell_len(line_text(line)) <= width - _PADDING), lines[-1])


def _status_line(figures: "Figures", level: int) -> Line:
    spans: list[Span] = []
    for count, words, tone in (
        (figures.elements, (("element", "elements"), ("elem.", "elem."), ("el", "el")), Tone.TEXT),
        (
            figures.overrides,
            (("overridden", "overridden"), ("yours", "yours"), ("yours", "yours")),
            Tone.ACCENT,
        ),
        (figures.stubs, (("stub", "stubs"), ("stub", "stubs"), ("stub", "stubs")), Tone.WARN),
        (figures.delegates, (("delegate", "delegates"), ("deleg.", "deleg."), ("del", "del")), Tone.INFO),
        (figures.warnings, (("warning", "warnings"), ("warn.", "warn."), ("warn", "warn")), Tone.WARN),
        (figures.calls, (("call/run", "calls/run"), ("call/run", "calls/run"), ("call", "calls")), Tone.TEXT),
        (
            figures.prompt_tokens,
            (("prompt token", "prompt tokens"), ("token", "tokens"), ("tok", "tok")),
            Tone.TEXT,
        ),
    ):
        if spans:
            spans.append((" · ", Tone.MUTED))
        spans.append((f"{count:,}".replace(",", " "), tone if count else Tone.TEXT))
        spans.append((f" {words[level][count != 1]}", Tone.MUTED))
    return tuple(spans)
