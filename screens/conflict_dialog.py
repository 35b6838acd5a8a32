"""The dialog about an element that two runtimes would treat differently."""

from melleafy_tui.actions.labels import RESOLUTION_NOTES, element_title, resolution_note
from melleafy_tui.actions.session import WizardSession
from melleafy_tui.core.models.plan import Conflict
from melleafy_tui.widgets.dialogs import Choice, ChoiceDialog
from melleafy_tui.widgets.styled_text import Line, Tone


def conflict_dialog(session: WizardSession, conflict: Conflict) -> ChoiceDialog:
    """Return the dialog; it returns the name of a resolution."""
    refusals = dict(conflict.refusals)
    options = [
        Choice(
            name,
            name,
            resolution_note(conflict, name),
            current=name == conflict.resolution,
            refusal=refusals.get(name, ""),
        )
        for name in RESOLUTION_NOTES
    ]
    return ChoiceDialog("Two runtimes differ", options, lead=conflict_lines(session, conflict))


def conflict_lines(session: WizardSession, conflict: Conflict) -> list[Line]:
    """Return the description of a conflict between two runtimes."""
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
