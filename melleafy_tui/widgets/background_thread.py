"""Runs work in a thread that nobody waits for when the program ends, so that leaving takes effect at once.

Textual's thread workers and `asyncio.to_thread` use the loop's executor, whose threads are joined when the loop closes
and again when the interpreter ends: leaving would wait for a rendering of seconds. They are for work that must finish
(writing, the smoke run). Everything else runs here, awaited by an ordinary Textual worker that can be cancelled.
"""

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Final, TypeVar

ResultT = TypeVar("ResultT")

AT_ONCE: Final = 0.4
"""Seconds after which the screen says that work is still going on."""


async def background_thread(work: Callable[[], ResultT], *, name: str) -> ResultT:
    """Run work in a daemon thread and return its result; when this is cancelled, the result is dropped.

    Args:
        work: What to do; abandoning it halfway must do no harm.
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
        with suppress(RuntimeError):  # the loop is closed, and nobody waits
            loop.call_soon_threadsafe(settle)

    threading.Thread(target=run, name=name, daemon=True).start()
    return await future
