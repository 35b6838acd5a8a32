"""What the wizard shows when something went wrong: a refusal with its next step, or a fault with its log."""

from melleafy_tui.actions.fault_log import write_fault_log
from melleafy_tui.actions.labels import homely, place
from melleafy_tui.core.errors import MelleafyError
from melleafy_tui.widgets.dialogs import TextDialog
from melleafy_tui.widgets.styled_text import Line, Tone


def error_dialog(title: str, error: MelleafyError) -> TextDialog:
    """Return a dialog with an error, its place and the next step."""
    lines: list[Line] = []
    if error.location:
        lines.append(((homely(error.location), Tone.INFO),))
    lines.extend((((homely(error.message), Tone.TEXT),), (), ((homely(error.hint), Tone.STRONG),)))
    return TextDialog(title, lines, bad=True)


def fault_dialog(fault: BaseException, work: str) -> TextDialog:
    """Write the log of a fault in the background and return a dialog that says where it is.

    Args:
        fault: What no screen expected.
        work: What was to be done, as in "it was to render the package".
    """
    log = write_fault_log(fault)
    lines: list[Line] = [
        (("This is a bug in the wizard, not in your workspace. Your decisions are kept.", Tone.TEXT),),
        ((f"Couldn't {work}: {type(fault).__name__}", Tone.MUTED),),
    ]
    if log is not None:
        lines.append(((f"The log is {place(log)}", Tone.STRONG),))
    return TextDialog("Something went wrong", lines, bad=True)
