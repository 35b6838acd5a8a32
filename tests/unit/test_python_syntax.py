"""Python text is parsed by threads side by side, as the wizard's are when one act follows another."""

import gc
import sys
import threading
from collections.abc import Iterator

import pytest

from melleafy_tui.core.language.python_syntax import parse_python

SOURCE = "\n".join(f"def act_{number}(of, by):\n    return [of, (by, {number})]" for number in range(300))
THREADS = 4
ROUNDS = 4


class Finalized:
    """Garbage in a circle, whose end runs Python: there the thread that parses may lose its turn."""

    def __init__(self) -> None:
        self.circle = self

    def __del__(self) -> None:
        for _ in range(50):
            pass


@pytest.fixture
def many_turns() -> Iterator[None]:
    """Let threads take turns often, and the collector run often."""
    interval, threshold = sys.getswitchinterval(), gc.get_threshold()
    sys.setswitchinterval(1e-5)
    gc.set_threshold(100, 5, 5)
    yield
    gc.set_threshold(*threshold)
    sys.setswitchinterval(interval)


@pytest.mark.slow
@pytest.mark.usefixtures("many_turns")
def test_threads_that_parse_at_once_get_their_trees() -> None:
    found: list[object] = []

    def run() -> None:
        for _ in range(ROUNDS):
            Finalized()
            try:
                found.append(len(parse_python(SOURCE).body))
            except SystemError as error:
                found.append(error)

    threads = [threading.Thread(target=run) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [300] * THREADS * ROUNDS


def test_what_is_no_python_is_refused() -> None:
    with pytest.raises(SyntaxError):
        parse_python("def (")
