"""The program: `python -m melleafy_tui`, and the installed command."""

import gc
import os
import sys

_INTERRUPTED = 130
# `typing` isn't imported before an interrupt is handled: it is a fifth of the time until `main` can handle one.


def command() -> None:
    """Run the command line and end the process.

    The interpreter would first free every object one by one, which takes longer than the work of a small conversion;
    the system frees them at once. A run ends as usual where another thread is at work or somebody traces it.
    """
    try:
        gc.disable()  # a command that stays enables it
        from melleafy_tui.cli.main import main  # an interrupt meanwhile prints no traceback

        code = main()
    except KeyboardInterrupt:  # or a second one, while the first is reported
        code = _INTERRUPTED
    if _alone() and _flushed():
        os._exit(code)
    sys.exit(code)


def _alone() -> bool:
    threading = sys.modules.get("threading")
    other_threads = threading is not None and threading.active_count() > 1
    return not other_threads and sys.gettrace() is None and sys.getprofile() is None


def _flushed() -> bool:
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError):  # the usual end says so
        return False
    return True


if __name__ == "__main__":
    command()
