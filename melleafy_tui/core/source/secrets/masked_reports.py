"""Masks secrets in what is reported about a source: the classification, findings, and what a package can't reproduce.

Such texts quote values of files that no element needs to hold, often without their labels.
"""

from collections.abc import Collection, Iterable
from enum import Enum
from typing import Final, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.source.secrets.masking import Withheld, masked_whole, secret_values, without_values

_Reported = TypeVar("_Reported", bound=Struct)

_NAMES: Final = frozenset(
    """
    code dialect_rule_id file generation home_zone_source lines path places role row_id rule runtime runtimes sha256
    signal source_runtime status
    """.split()  # noqa: SIM905
)
"""Fields with names of ours and places, which hold no text of the source."""

LEAST_REPORTED: Final = 4
"""Characters that a text with a secret has at least."""


class ReportMask:
    """Masks the secrets in records about a snapshot.

    Args:
        snapshot: The workspace.
        released: Digests of the values that the user released.
        withheld: Values that read as secrets in an emitted file.
    """

    def __init__(
        self, snapshot: Snapshot, released: Collection[str] = (), withheld: Iterable[Withheld] = ()
    ) -> None:
        self._snapshot = snapshot
        self._released = released
        self._withheld = {each.value: each.variable for each in withheld if each.value}
        self._values: dict[str, dict[str, str]] = {}

    def masked(self, records: Iterable[_Reported]) -> tuple[_Reported, ...]:
        """Return records with the secrets in their texts masked, those inside them too."""
        return tuple(self._record(record, "") for record in records)

    def _record(self, record: _Reported, file: str) -> _Reported:
        """Return a record of which every text is masked with the values of the file that it names."""
        file = getattr(record, "file", "") or next(iter(getattr(record, "places", ())), file)
        changed: dict[str, object] = {}
        for name in record.__struct_fields__:
            before: object = getattr(record, name)
            if name not in _NAMES and (after := self._value(before, file)) != before:
                changed[name] = after
        return replace(record, **changed) if changed else record

    def _value(self, value: object, file: str) -> object:
        if isinstance(value, str) and not isinstance(value, Enum):
            return self._text(value, file) if len(value) >= LEAST_REPORTED else value
        if isinstance(value, tuple):
            return tuple(self._value(part, file) for part in value)
        return self._record(value, file) if isinstance(value, Struct) else value

    def _text(self, text: str, file: str) -> str:
        values = (*self._values_of(file).items(), *self._withheld.items())
        return masked_whole(without_values(text, values), self._released)

    def _values_of(self, path: str) -> dict[str, str]:
        if path not in self._values:
            file = self._snapshot.file(path) if path else None
            self._values[path] = secret_values(file, self._released) if file is not None else {}
        return self._values[path]
