"""A guard for tests of work that must not blow up, far above what the work needs on any machine."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final, NoReturn

CPU_SECONDS: Final = 30.0


@contextmanager
def bounded(seconds: float = CPU_SECONDS) -> Iterator[None]:
    """Fail what takes more CPU time of this process than it could on the slowest machine.

    Time that other processes take doesn't count. A search of a regular expression is interrupted, too.

    Args:
        seconds: CPU seconds that are no question of the machine.

    Raises:
        AssertionError: The work took longer.
    """

    def stop(_: int, __: FrameType | None) -> NoReturn:
        raise AssertionError(f"no end within {seconds:.0f} CPU seconds")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
