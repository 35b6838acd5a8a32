"""Fault points: an object of file operations that is stopped before or after one of them, and processes really killed."""

import errno
import os
import signal
from collections.abc import Callable, Collection

from melleafy_tui.core.output.file_operations import FileOperations

OPERATIONS = frozenset(
    name for name, value in vars(FileOperations).items() if callable(value) and not name.startswith("_")
)


class FaultyOperations(FileOperations):
    """File operations that call `fault` at one fault point, counted from 0, two points an operation."""

    def __init__(
        self, point: int, fault: Callable[[], None], operations: Collection[str] = OPERATIONS
    ) -> None:
        self.point = point
        self.fault = fault
        self.operations = operations
        self.passed = 0

    def __getattribute__(self, name: str) -> object:
        attribute = super().__getattribute__(name)
        if name not in OPERATIONS or name not in self.operations:
            return attribute

        def step(*arguments: object) -> None:
            self.reach()
            attribute(*arguments)
            self.reach()

        return step

    def reach(self) -> None:
        here, self.passed = self.passed, self.passed + 1
        if here == self.point:
            self.fault()


def kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def failing(code: int) -> Callable[[], None]:
    """Return a fault that raises an operating system's error."""

    def fail() -> None:
        raise OSError(code, os.strerror(code))

    return fail


full_disk = failing(errno.ENOSPC)
read_only = failing(errno.EROFS)


def in_child(action: Callable[[], object]) -> int:
    """Run an action in a forked child, as another process, and return its wait status."""
    child = os.fork()
    if child == 0:
        try:
            action()
        finally:
            os._exit(0)
    return os.waitpid(child, 0)[1]


def killed_at(point: int, action: Callable[[FileOperations], object]) -> bool:
    """Run an action in a child that is killed at a fault point; return whether it got that far."""
    return os.WIFSIGNALED(in_child(lambda: action(FaultyOperations(point, kill))))
