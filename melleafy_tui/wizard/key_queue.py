"""Keeps keys in order: each waits until the one before it has taken effect.

A fast typist, a paste or a macro sends `/stub` at once. Textual would hand all five keys to the list that has the
focus now, and `s` would decide on a row instead of being searched for.
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
"""How many messages may follow from one another on a key: submitted, closed, acted."""

KEY_CHECK: Final = 0.05
KEY_PATIENCE: Final = 5.0
"""Seconds after which the next key is let through though the one before it has left no trace."""


@dataclass
class KeySettled(Message):
    """Follows a key through the widgets, and then the messages that the key gave rise to."""

    target: Widget
    rounds: int


class KeyQueue:
    """The keys that wait for their turn.

    Args:
        app: Whose keys they are; it gives each `KeySettled` that reaches it to `follow`.
        deliver: Hands a key to what has the focus.
    """

    def __init__(self, app: App[int], deliver: Callable[[events.Key], Awaitable[None]]) -> None:
        self._app, self._deliver = app, deliver
        self._waiting: deque[events.Key] = deque()
        self._patience: Timer | None = None
        self._target: Widget | None = None
        self._checks = 0
        self._let_through: Callable[[events.Key], bool] | None = None

    def hold(self, *, but: Callable[[events.Key], bool]) -> None:
        """Keep the keys until there is a screen for them.

        Args:
            but: Tells which key is let through at once all the same.
        """
        self._let_through = but

    def release(self) -> None:
        """Let the kept keys through, one after the other, once the screen in view has come up."""
        self._let_through = None
        if self._waiting and self._patience is None:
            self._wait_for(None)

    @property
    def at_rest(self) -> bool:
        """Return whether no key waits or is held back, and the last one has had its effect."""
        return self._patience is None and not self._waiting and self._let_through is None

    async def take(self, key: events.Key) -> None:
        """Let a key through now, or when it is its turn."""
        if self._let_through is not None:
            if self._let_through(key):
                await self._deliver(key)
            else:
                self._waiting.append(key)
            return
        self._waiting.append(key)
        if self._patience is None:
            await self._next()

    def follow(self, message: KeySettled) -> None:
        """Let the next key through when this one's messages, and theirs, have gone the same way."""
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
        self._patience = self._app.set_interval(KEY_CHECK, self._look_after)

    async def _look_after(self) -> None:
        """Go on where the key closed what it was sent to, or something holds its messages up for very long."""
        self._checks += 1
        gone = self._target is None or not self._target.is_attached
        if gone or self._checks * KEY_CHECK > KEY_PATIENCE:
            await self._had_its_effect()

    async def _had_its_effect(self) -> None:
        if self._patience is None or not self._app.screen.is_mounted:
            return  # a key for a screen that is still coming up would be lost
        self._patience.stop()
        self._patience = self._target = None
        if self._waiting and self._let_through is None:
            await self._next()
