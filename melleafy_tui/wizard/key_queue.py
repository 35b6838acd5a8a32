"""Queues keys so that each takes effect before the next is delivered.

A fast typist, a paste or a macro sends `/stub` at once. Textual would deliver all five keys to the focused
list, and `s` would set a disposition instead of being searched for.
"""

from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from textual import events
from textual.app import App
from textual.message import Message
from textual.timer import Timer
from textual.widget import Widget

KEY_ROUNDS: Final = 3
"""Generations of messages that may follow from a key: submitted, closed, carried out."""

KEY_CHECK: Final = 0.05
KEY_TIMEOUT: Final = 5.0
"""Seconds after which the next key is delivered even if the one before it shows no effect."""


@dataclass
class KeySettled(Message):
    """Travels through the widgets behind a key and its messages; when it arrives, the key has taken effect."""

    target: Widget
    rounds: int


class KeyQueue:
    """Delivers keys one at a time.

    Args:
        app: The app; it passes each `KeySettled` that reaches it to `follow`.
        deliver: Delivers a key to the focused widget.
    """

    def __init__(self, app: App[int], deliver: Callable[[events.Key], Awaitable[None]]) -> None:
        self._app, self._deliver = app, deliver
        self._waiting: deque[events.Key] = deque()
        self._timeout: Timer | None = None
        self._target: Widget | None = None
        self._checks = 0
        self._let_through: Callable[[events.Key], bool] | None = None

    def hold(self, *, but: Callable[[events.Key], bool]) -> None:
        """Queue keys until there is a screen for them.

        Args:
            but: Returns whether a key is delivered at once anyway.
        """
        self._let_through = but

    def release(self) -> None:
        """Deliver the queued keys one by one, once the screen in view is mounted."""
        self._let_through = None
        if self._waiting and self._timeout is None:
            self._wait_for(None)

    def drop(self) -> None:
        """Forget the queued keys: they were pressed before there was anything to see."""
        self._waiting.clear()

    @property
    def at_rest(self) -> bool:
        """Return whether the queue is empty and the last key has taken effect."""
        return self._timeout is None and not self._waiting and self._let_through is None

    async def take(self, key: events.Key) -> None:
        """Deliver a key now, or when its turn comes."""
        if self._let_through is not None:
            if self._let_through(key):
                await self._deliver(key)
            else:
                self._waiting.append(key)
            return
        self._waiting.append(key)
        if self._timeout is None:
            await self._next()

    def follow(self, message: KeySettled) -> None:
        """Deliver the next key once this key's messages, and those they caused, have been handled."""
        if message.rounds < KEY_ROUNDS and message.target.is_running:
            message.target.post_message(KeySettled(message.target, message.rounds + 1))
        else:
            self._app.call_later(self._had_its_effect)

    async def _next(self) -> None:
        key = self._waiting.popleft()
        target = self._app.focused or self._app.screen
        self._wait_for(target)
        await self._deliver(key)
        target.post_message(KeySettled(target, 1))

    def _wait_for(self, target: Widget | None) -> None:
        self._target, self._checks = target, 0
        self._timeout = self._app.set_interval(KEY_CHECK, self._look_after)

    async def _look_after(self) -> None:
        """Continue if the key closed the widget it was sent to, or if messages are blocked for too long."""
        self._checks += 1
        gone = self._target is None or not self._target.is_attached
        if gone or self._checks * KEY_CHECK > KEY_TIMEOUT:
            await self._had_its_effect()

    async def _had_its_effect(self) -> None:
        if self._timeout is None or not self._app.screen.is_mounted:
            return  # a key would be lost on a screen that is still being mounted
        self._timeout.stop()
        self._timeout = self._target = None
        if self._waiting and self._let_through is None:
            await self._next()
