"""What the last step asks: whether to write what fails a lint, what was deleted since, and what to copy."""

from collections.abc import Sequence
from typing import Final

from melleafy_tui.command_line import next_commands
from melleafy_tui.core.models.lint import LintReport
from melleafy_tui.core.models.package import FileSet
from melleafy_tui.core.writing.plan import WritePlan
from melleafy_tui.widgets.dialogs import Choice, ChoiceDialog
from melleafy_tui.widgets.tones import Line, Tone
from melleafy_tui.wizard_session import WizardSession
from melleafy_tui.words import place

_LISTED: Final = 6
_COMMAND_NOTES: Final = ("install it", "run one fixture", "run all fixtures")


def failing_lints_dialog(lints: LintReport) -> ChoiceDialog:
    """Return the question whether to write a package that fails a lint; it ends in "look" or "write"."""
    count = len(lints.findings)
    choices = [
        Choice("look", "Look at the first", "step 4 opens at its line", current=True),
        Choice("write", "Write anyway", "the report names what fails"),
    ]
    return ChoiceDialog("1 lint fails" if count == 1 else f"{count} lints fail", choices)


def deleted_files_dialog(plan: WritePlan) -> ChoiceDialog:
    """Return the question about files that the user deleted; it ends in "keep" (deleted) or "restore"."""
    paths = [file.path for file in plan.deleted]
    lead: list[Line] = [((path, Tone.TEXT),) for path in paths[:_LISTED]]
    if len(paths) > _LISTED:
        lead.append(((f"… and {len(paths) - _LISTED} more", Tone.MUTED),))
    choices = [Choice("keep", "Leave them deleted", current=True), Choice("restore", "Write them again")]
    return ChoiceDialog("You deleted these since they were written", choices, lead=lead)


def stale_source_dialog(changed: Sequence[str]) -> ChoiceDialog:
    """Return the question about a source that changed since it was read; it ends in "read" or "write"."""
    lead: list[Line] = [((path, Tone.TEXT),) for path in changed[:_LISTED]]
    if len(changed) > _LISTED:
        lead.append(((f"… and {len(changed) - _LISTED} more", Tone.MUTED),))
    choices = [
        Choice("read", "Read it again", "your decisions follow", current=True),
        Choice("write", "Write all the same", "what was read before"),
    ]
    return ChoiceDialog("The source has changed on the disk", choices, lead=lead)


def copy_dialog(session: WizardSession, files: FileSet) -> ChoiceDialog:
    """Return the list of what can be copied; it ends in the text itself."""
    offered = [
        *(
            (text, note, text)
            for text, note in zip(next_commands(session.out, files), _COMMAND_NOTES, strict=True)
        ),
        (session.command_line, "the same without the wizard", session.command_line),
        (str(session.out), "the folder", place(session.out)),
    ]
    return ChoiceDialog("Copy", [Choice(*each) for each in offered])
