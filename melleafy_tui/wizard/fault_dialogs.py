"""The dialog for an unexpected fault, with its log."""

from melleafy_tui.actions.display_names import place
from melleafy_tui.actions.fault_log import write_fault_log
from melleafy_tui.widgets.dialogs import TextDialog
from melleafy_tui.widgets.styled_text import Line, Tone


def fault_dialog(fault: BaseException, work: str) -> TextDialog:
    """Write the log of a fault in the background and return a dialog that names the log.

    Args:
        fault: The unexpected exception.
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
