"""The disposition matrix: which dispositions each kind of entry allows, and what each one emits."""

from enum import StrEnum
from typing import Final

import msgspec
from msgspec import Struct

from melleafy_tui.core.models.vocabulary import Disposition, EntryKind
from melleafy_tui.core.tables import table_beside


class SymbolRule(StrEnum):
    """How a cell names what it emits.

    MAPPED uses the mapping's symbol if the mapping points into the same file, else `Cell.symbol`. FIXED is
    `Cell.symbol` itself. OWN is a separate function for the entry, prefixed with `Cell.symbol`. PARAMETER is a
    separate parameter of `run_pipeline`. FLAG is such a parameter with its flag in `main.py` (the target names the
    flag); if `Cell.symbol` is set, entries share that flag. ENVIRONMENT is the variable's name. READER is a
    shared function that reads the entry's own file. SECTION is a section of a document.
    """

    MAPPED = "mapped"
    FIXED = "fixed"
    OWN = "own"
    PARAMETER = "parameter"
    FLAG = "flag"
    ENVIRONMENT = "environment"
    SECTION = "section"
    READER = "reader"


class Cell(Struct, frozen=True):
    """One cell of the matrix.

    Attributes:
        effect: What the disposition does to the output, one sentence.
        refusal: Why it may not be chosen for the kind, one sentence.
        target_file: The file that the effect appears in.
        symbol_rule: How the name in that file is determined.
        symbol: The fixed name, the prefix, or the section's title, depending on the rule.
        setup_section: The section of SETUP.md it triggers, or `""`.
    """

    effect: str = ""
    refusal: str = ""
    target_file: str = ""
    symbol_rule: SymbolRule = SymbolRule.FIXED
    symbol: str = ""
    setup_section: str = ""

    @property
    def allowed(self) -> bool:
        """Return whether the disposition may be chosen for the kind."""
        return not self.refusal


class _Row(Struct, frozen=True):
    """What `dispositions.toml` holds of a kind."""

    default: Disposition
    reason: str
    like: EntryKind | None = None
    refuses: dict[Disposition, str] = {}
    in_steps: dict[Disposition, str] = {}
    does: dict[Disposition, Cell] = {}

    def cells(self, rows: "dict[EntryKind, _Row]") -> dict[Disposition, Cell]:
        """Return the cells of the kind, with those of the kind that it is like."""
        refused = {disposition: Cell(refusal=reason) for disposition, reason in self.refuses.items()}
        like = rows[self.like].cells(rows) if self.like else {Disposition.REMOVE: _LEFT_OUT}
        cells = like | self.does | refused
        return {disposition: cells[disposition] for disposition in Disposition}


_LEFT_OUT: Final = Cell(
    "It is left out of the package and listed in the mapping report under Removed During Audit.",
    target_file="mapping_report.md",
    symbol_rule=SymbolRule.SECTION,
    symbol="Removed During Audit",
)
_ROWS: Final = msgspec.convert(
    table_beside(__file__, "dispositions.toml"),
    dict[EntryKind, _Row],
)
MATRIX: Final = {kind: row.cells(_ROWS) for kind, row in _ROWS.items()}
DEFAULTS: Final = {kind: row.default for kind, row in _ROWS.items()}
DEFAULT_REASONS: Final = {kind: row.reason for kind, row in _ROWS.items()}


def cell(kind: EntryKind, disposition: Disposition) -> Cell:
    """Return the cell of the matrix for a kind and a disposition."""
    return MATRIX[kind][disposition]


def refused_in_steps(kind: EntryKind, disposition: Disposition) -> str:
    """Return why a disposition may not be chosen for a kind in a package that runs as steps, or `""`."""
    row = _ROWS[kind]
    like = refused_in_steps(row.like, disposition) if row.like else ""
    return row.in_steps.get(disposition, like)


def allowed_for(kind: EntryKind) -> tuple[Disposition, ...]:
    """Return the dispositions that can be chosen for a kind, in the matrix's order."""
    return tuple(disposition for disposition in Disposition if MATRIX[kind][disposition].allowed)
