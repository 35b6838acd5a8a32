"""What a cell of the disposition matrix says, and the files of the package that its cells speak of."""

from enum import StrEnum
from typing import Final

from msgspec import Struct


class SymbolRule(StrEnum):
    """How a cell names what it emits.

    MAPPED takes the mapping's symbol where the mapping points into the same file, else `Cell.symbol`. FIXED is
    `Cell.symbol` itself. OWN is a function of the entry's own: `Cell.symbol` is its prefix. PARAMETER is a
    parameter of `run_pipeline` of the entry's own. FLAG is such a parameter with its flag in `main.py` (the target
    names the flag); where `Cell.symbol` is given, entries share that one. ENVIRONMENT is the variable's own name.
    STEP is the file and the symbol of the mapping, whichever file that is; `Cell.target_file` is the first of them.
    SECTION is a section of a document.
    """

    MAPPED = "mapped"
    FIXED = "fixed"
    OWN = "own"
    PARAMETER = "parameter"
    FLAG = "flag"
    ENVIRONMENT = "environment"
    SECTION = "section"
    STEP = "step"


class Cell(Struct, frozen=True):
    """One cell of the matrix.

    Attributes:
        allowed: Whether the disposition may be chosen for the kind.
        effect: What it does to the output, one sentence in plain words.
        refusal: Why it is not allowed, one sentence.
        target_file: The file that carries the effect.
        symbol_rule: How the name in that file is found.
        symbol: The fixed name, the prefix, or the section's title, after the rule.
        setup_section: The section of SETUP.md that it triggers, or `""`.
    """

    allowed: bool
    effect: str = ""
    refusal: str = ""
    target_file: str = ""
    symbol_rule: SymbolRule = SymbolRule.FIXED
    symbol: str = ""
    setup_section: str = ""


SLOTS: Final = "constrained_slots.py"
TOOLS: Final = "tools.py"
MOCKS: Final = "fixtures/mock_tools.py"
LOADER: Final = "loader.py"
CONFIG: Final = "config.py"
MAIN: Final = "main.py"
PIPELINE: Final = "pipeline.py"
REPORT: Final = "mapping_report.md"
REMOVED_SECTION: Final = "Removed During Audit"


def does(effect: str, file: str, rule: SymbolRule, symbol: str = "", *, setup: str = "") -> Cell:
    """Return an allowed cell."""
    return Cell(True, effect=effect, target_file=file, symbol_rule=rule, symbol=symbol, setup_section=setup)


def refused(reason: str) -> Cell:
    """Return a forbidden cell."""
    return Cell(False, refusal=reason)


LEFT_OUT = does(
    "It is left out of the package and listed in the mapping report under Removed During Audit.",
    REPORT,
    SymbolRule.SECTION,
    REMOVED_SECTION,
)
