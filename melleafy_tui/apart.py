"""Long acts apart from the screen: on a copy of the conversion, in a thread, while keys wait for the end.

What an act on a few entries takes is less than a frame; reading a big source again, another runtime or a decisions file
takes seconds. The copy takes the conversion's place when the work is done, so a stopped act leaves nothing behind.
"""

from collections import deque
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from msgspec import Struct
from textual import events
from textual.app import App
from textual.worker import Worker

from melleafy_tui.beside import AT_ONCE, beside
from melleafy_tui.core.decisions.commands import (
    ChangeSettings,
    Command,
    ReleaseSecret,
    ReplaceDecisions,
    SetTag,
)
from melleafy_tui.core.errors import MelleafyError
from melleafy_tui.type_ahead import TypeAhead
from melleafy_tui.widgets.working import Working
from melleafy_tui.wizard_steps import figures_of

if TYPE_CHECKING:
    from melleafy_tui.core.conversion import Conversion
    from melleafy_tui.wizard_session import WizardSession

ResultT = TypeVar("ResultT")

FAR: Final = (SetTag, ChangeSettings, ReleaseSecret, ReplaceDecisions)
"""Commands that reach every element or entry; the others reach only those that they name."""

STOPS: Final = "app.interrupt"


def reaches_far(command: Command) -> bool:
    """Return whether a command may take longer than a frame in a big workspace."""
    return isinstance(command, FAR)


class LongAct(Struct, Generic[ResultT], frozen=True):
    """An act that is carried out on a copy of the conversion.

    Attributes:
        words: What is being done, for the notice.
        work: The act; it is given the copy, in a thread.
        done: Is told the result when the copy has taken the conversion's place.
        refused: Is told why nothing has changed.
    """

    words: str
    work: "Callable[[Conversion], ResultT]"
    done: Callable[[ResultT], object]
    refused: Callable[[MelleafyError], object]


class Apart:
    """The long acts of one wizard, one at a time.

    Args:
        app: Where the notice is shown.
        keys: Holds the keys back.
        session: The conversion in the hands of this user.
    """

    def __init__(self, app: App[int], keys: TypeAhead, session: "WizardSession") -> None:
        self._app, self._keys, self._session = app, keys, session
        self._worker: Worker[None] | None = None
        self._later: deque[Callable[[], object]] = deque()

    @property
    def at_work(self) -> bool:
        """Return whether an act is under way."""
        return self._worker is not None

    def begin(self, act: LongAct[ResultT]) -> None:
        """Carry an act out on a copy of the conversion."""
        self._keys.hold(but=self._stops)
        self._worker = self._app.run_worker(
            self._carry_out(act), group="apart", description=act.words, exit_on_error=False
        )

    def after(self, act: Callable[[], object]) -> None:
        """Let something be done when the act under way has ended."""
        self._later.append(act)

    def stop(self) -> bool:
        """Stop the act and what waits for it, and return whether one was under way; nothing has changed."""
        if self._worker is None:
            return False
        self._later.clear()
        self._worker.cancel()
        return True

    def _stops(self, key: events.Key) -> bool:
        return any(row.id == STOPS for row in self._session.keys.pressed(key.key))

    async def _carry_out(self, act: LongAct[ResultT]) -> None:
        notice = Working(act.words, self._session.keys.spelled(STOPS))
        soon = self._app.set_timer(AT_ONCE, lambda: self._app.push_screen(notice))
        try:
            outcome = await self._outcome(act)
        finally:
            self._worker = None
            soon.stop()
            if notice.is_current:
                self._app.pop_screen()
            self._keys.release()
        outcome()
        while self._later and not self.at_work:
            self._later.popleft()()

    async def _outcome(self, act: LongAct[ResultT]) -> Callable[[], object]:
        copy = self._session.conversion.copy()

        def worked() -> ResultT:
            result = act.work(copy)
            figures_of(copy)  # what is drawn next
            return result

        try:
            result = await beside(worked, name=act.words)
        except MelleafyError as error:
            return partial(act.refused, error)
        self._session.conversion.take_over(copy)
        return partial(act.done, result)
