"""One choice of a dialog: what it is called and what it gives."""

from msgspec import Struct


class Choice(Struct, frozen=True):
    """One thing to choose: the value returned, its label and its meaning.

    `refusal` says why it can't be chosen now; such a choice is shown but not accepted.
    """

    value: str
    label: str
    note: str = ""
    current: bool = False
    refusal: str = ""
