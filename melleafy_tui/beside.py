"""Work beside the event loop, in a thread that no end of the program waits for: whoever leaves is let go at once.

Textual's own threads are joined when the app ends. Only what must come to its end is left to them: writing, and the
smoke run with its server.
"""

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Final, TypeVar

ResultT = TypeVar("ResultT")

AT_ONCE: Final = 0.4
"""Seconds within which work counts as done at once; what takes longer is said on the screen."""


async def beside(work: Callable[[], ResultT], *, name: str) -> ResultT:
    """Do work in a thread and return what it gives; when this is cancelled, the thread's result is dropped.

    Args:
        work: What to do; it must leave nothing half done that anybody would miss.
        name: What the thread is called.

    Raises:
        Exception: what the work raised.
    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[ResultT] = loop.create_future()

    def give(result: ResultT) -> None:
        if not future.done():
            future.set_result(result)

    def fail(error: Exception) -> None:
        if not future.done():
            future.set_exception(error)

    def run() -> None:
        settle: Callable[[], None]
        try:
            settle = partial(give, work())
        except Exception as error:
            settle = partial(fail, error)
        with suppress(RuntimeError):  # the loop has ended, and nobody waits
            loop.call_soon_threadsafe(settle)

    threading.Thread(target=run, name=name, daemon=True).start()
    return await future
