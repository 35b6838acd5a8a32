"""The package as the decisions give it, rendered beside the screens once no act follows for a moment."""

from typing import TYPE_CHECKING, Final

from textual.timer import Timer
from textual.worker import Worker

from melleafy_tui.beside import beside
from melleafy_tui.core.errors import MelleafyError
from melleafy_tui.rendering import Rendered, refused, render
from melleafy_tui.screens import SCREENS, screen_of
from melleafy_tui.step_app import StepApp

if TYPE_CHECKING:
    from melleafy_tui.wizard_session import WizardSession

SETTLE: Final = 0.05
"""Seconds without an act after which the package is rendered anew."""


class BackgroundRendering:
    """The renderings of one wizard; a newer one takes the place of the one at work.

    Args:
        app: Draws what was rendered, or says why there is nothing.
        session: The conversion in the hands of this user, which keeps the package.
    """

    def __init__(self, app: StepApp, session: "WizardSession") -> None:
        self._app, self._session = app, session
        self._settling: Timer | None = None

    def soon(self) -> None:
        """Render when no act has followed for a moment."""
        if self._settling is not None:
            self._settling.stop()
        self._settling = self._app.set_timer(SETTLE + self._session.patience, self.begin)

    def begin(self) -> Worker[None]:
        """Render what the decisions give now, and return the worker."""
        return self._app.run_worker(
            self._render,
            exclusive=True,
            group="render",
            exit_on_error=False,
            description="render the package",
        )

    async def _render(self) -> None:
        session = self._session
        twin, out, now, force = session.twin(), session.out, session.now, session.force

        def rendered_package() -> Rendered:
            for step in SCREENS:  # whoever goes on finds them imported
                screen_of(step)
            return render(twin, out, now=now, force=force)

        try:
            rendered = await beside(rendered_package, name="render the package")
        except MelleafyError as error:
            self._app.call_later(self._show_failure, error)
        else:
            self._app.call_later(self._keep, rendered)

    def _keep(self, rendered: Rendered) -> None:
        """Keep what was rendered, where it still is what the decisions give, and draw it."""
        if self._session.keep(rendered):
            self._app.step_screen.show_state()

    def _show_failure(self, error: MelleafyError) -> None:
        """Say why there is no package; the steps show it where the files would stand."""
        self._session.keep(refused(self._session.conversion, error))
        self._app.step_screen.show_state()
        self._app.notify(str(error), title="The package cannot be made", severity="error", markup=False)
