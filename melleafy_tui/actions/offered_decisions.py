"""What the wizard says of a decisions file that it found and nobody has named."""

from pathlib import Path

from msgspec import Struct

from melleafy_tui.core.decisions.saved_files import is_saved
from melleafy_tui.core.errors import MelleafyError
from melleafy_tui.core.pipeline.file_effects import NO_EFFECT, effects_of


class Offer(Struct, frozen=True):
    """Whether this user saved the file, and what to read before loading it."""

    is_own: bool
    lines: tuple[str, ...]


def offer_of(path: Path) -> Offer:
    """Return the offer of a decisions file; one that can't be read isn't this user's."""
    from melleafy_tui.core.decisions.file import read_decisions

    try:
        document = read_decisions(path)
    except MelleafyError as error:
        return Offer(is_own=False, lines=(str(error),))
    is_own = is_saved(document.digest)
    effects = effects_of(document).lines or (NO_EFFECT,)
    return Offer(is_own, effects if is_own else ("You didn't save this file here.", *effects))
