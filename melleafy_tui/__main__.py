"""The program: `python -m melleafy_tui`, and the installed command."""

import gc
import sys

_INTERRUPTED = 130
# `typing` isn't imported before an interrupt is handled: it is a fifth of the time until `main` can handle one.


def command() -> None:
    """Run the command line and end the process."""
    try:
        gc.disable()  # a command that stays enables it
        from melleafy_tui.cli.main import main  # an interrupt meanwhile prints no traceback

        code = main()
    except KeyboardInterrupt:  # or a second one, while the first is reported
        code = _INTERRUPTED
    sys.exit(code)


if __name__ == "__main__":
    command()
