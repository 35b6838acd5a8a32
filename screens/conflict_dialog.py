"""The question about an element that two runtimes would treat differently, with what may be chosen."""

from melleafy_tui.core.models.plan import Conflict
from melleafy_tui.widgets.dialogs import Choice, ChoiceDialog
from melleafy_tui.widgets.tones import Line, Tone
from melleafy_tui.wizard_session import WizardSession
from melleafy_tui.words import DISPOSITION_LABELS, RESOLUTION_NOTES, element_title


def conflict_dialog(session: WizardSession, conflict: Conflict) -> ChoiceDialog:
    """Return the question; it ends in the name of a resolution."""
    refusals = dict(conflict.refusals)
    options = [
        Choice(
            name,
            name,
            _what_it_does(conflict, name) or note,
            current=name == conflict.resolution,
            refusal=refusals.get(name, ""),
        )
        for name, note in RESOLUTION_NOTES.items()
    ]
    return ChoiceDialog("Two runtimes differ", options, lead=conflict_lines(session, conflict))


def _what_it_does(conflict: Conflict, resolution: str) -> str:
    """Return what becomes of the element where one runtime wins, `""` where there is nothing to add."""
    runtime = {"primary": conflict.primary, "contributor": conflict.contributor}.get(resolution)
    treatment = next((each for each in conflict.treatments if each.runtime == runtime), None)
    if treatment is None:
        return ""
    if treatment.disposition is None:
        return f"as {runtime} would: not converted"
    into = f" in {treatment.target}" if treatment.target else ""
    return f"as {runtime} would: {DISPOSITION_LABELS[treatment.disposition]}{into}"


def conflict_lines(session: WizardSession, conflict: Conflict) -> list[Line]:
    """Return what there is to say about a conflict between two runtimes."""
    element = session.conversion.inventory.by_id.get(conflict.element_id)
    title = element_title(element) if element else conflict.element_id
    return [
        ((title, Tone.STRONG),),
        (
            (
                f"{conflict.primary} leads, {conflict.contributor} contributes; now: {conflict.resolution}",
                Tone.MUTED,
            ),
        ),
    ]
