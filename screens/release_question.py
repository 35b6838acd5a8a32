"""The question whether a masked value is a secret, which Detect asks about a finding and Inventory about an element."""

from msgspec import Struct

from melleafy_tui.actions.choices import Choice
from melleafy_tui.actions.labels import releasable
from melleafy_tui.core.decisions.commands import ReleaseSecret
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.pipeline.conversion import Conversion
from melleafy_tui.core.source.secrets.masking import SecretPlace, masked_words
from melleafy_tui.widgets.dialogs import ChoiceDialog
from melleafy_tui.widgets.frame import StepScreen
from melleafy_tui.widgets.styled_text import Line, Tone


class ReleaseQuestion(Struct, frozen=True):
    """The masked values to ask about.

    Attributes:
        places: The values, each once.
        offered: Their choices, by digest.
        released: The digests of the values that are released already.
    """

    places: tuple[SecretPlace, ...]
    offered: tuple[Choice, ...]
    released: frozenset[str]

    def dialog(self) -> ChoiceDialog:
        """Return the dialog, which returns a digest."""
        lead: list[Line] = [
            (("Show and keep its value, everywhere in the workspace?", Tone.TEXT),),
            (("● is already released; choose it to mask it again.", Tone.MUTED),),
        ]
        return ChoiceDialog("Not a secret?", self.offered, lead=lead)

    def answer(self, digest: str | None) -> tuple[ReleaseSecret, str] | None:
        """Return the command of an answer with its message, or None for no answer."""
        place = next((place for place in self.places if place.digest == digest), None)
        if place is None:
            return None
        free = place.digest not in self.released
        done = "is not a secret; its value is kept" if free else "is masked again"
        return ReleaseSecret(place.digest, place.name, free), f"{place.name} {done}"


def release_question(conversion: Conversion, element: Element) -> ReleaseQuestion | None:
    """Return the question about the masked values of an element, or None if it has none to release."""
    source = conversion.snapshot.file(element.source_file)
    places = releasable(source, element)
    if source is None or not places:
        return None
    released = frozenset(conversion.released_secrets)
    offered = tuple(
        Choice(
            place.digest,
            f"{'mask' if place.digest in released else 'release'} {place.variable}",
            f"{place.kind}, line {place.lines}: {masked_words(source, place)}",
            current=place.digest in released,
        )
        for place in places
    )
    return ReleaseQuestion(places, offered, released)


def ask_to_release(screen: StepScreen, question: ReleaseQuestion) -> None:
    """Ask the question over a screen, and carry out the answer."""

    def decide(digest: str | None) -> None:
        answer = question.answer(digest)
        if answer is not None:
            screen.post_message(screen.Act(*answer))

    screen.app.push_screen(question.dialog(), decide)
