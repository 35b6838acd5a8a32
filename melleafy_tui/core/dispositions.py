"""The disposition matrix: what each disposition does to each kind of plan entry, or why it is not allowed.

One table (spec/package.md 4). The plan, the decisions file, the wizard's keys and its side pane all read this table.
"""

from typing import Final

from melleafy_tui.core.disposition_cells import Cell
from melleafy_tui.core.disposition_texts import TEXT_ROWS
from melleafy_tui.core.disposition_works import WORK_ROWS
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind

MATRIX: Final[dict[EntryKind, dict[Disposition, Cell]]] = {**TEXT_ROWS, **WORK_ROWS}

DEFAULTS: Final[dict[EntryKind, Disposition]] = {
    EntryKind.IDENTITY: Disposition.BUNDLE,
    EntryKind.RULE: Disposition.BUNDLE,
    EntryKind.STEP: Disposition.BUNDLE,
    EntryKind.SCHEMA: Disposition.BUNDLE,
    EntryKind.FACT_STABLE: Disposition.BUNDLE,
    EntryKind.FACT_OVERRIDABLE: Disposition.EXTERNAL_INPUT,
    EntryKind.STATE: Disposition.DELEGATE_TO_RUNTIME,
    EntryKind.MEMORY: Disposition.DELEGATE_TO_RUNTIME,
    EntryKind.TOOL_NARRATIVE: Disposition.BUNDLE,
    EntryKind.TOOL_CONCRETE: Disposition.REAL_IMPL,
    EntryKind.TOOL_ABSTRACT: Disposition.STUB,
    EntryKind.CREDENTIAL: Disposition.EXTERNAL_INPUT,
    EntryKind.BACKEND: Disposition.BUNDLE,
    EntryKind.SCHEDULE: Disposition.DELEGATE_TO_RUNTIME,
    EntryKind.CROSS_REFERENCE: Disposition.REMOVE,
}

DEFAULT_REASONS: Final[dict[EntryKind, str]] = {
    EntryKind.IDENTITY: "Who the agent is stays the same in every run.",
    EntryKind.RULE: "A rule holds for every reply, so the package checks it.",
    EntryKind.SCHEMA: "The source says which fields its result has.",
    EntryKind.STEP: "Its tag asks for a call of the model before the reply.",
    EntryKind.FACT_STABLE: "The fact seldom changes.",
    EntryKind.FACT_OVERRIDABLE: "Another user, host or day would change the fact.",
    EntryKind.STATE: "Short-term state belongs to the host that keeps it.",
    EntryKind.MEMORY: "Long-term memory lives on after the package is made, so the host keeps it.",
    EntryKind.TOOL_NARRATIVE: "It tells about a tool and grants no permission to call it.",
    EntryKind.TOOL_CONCRETE: "The source names an address or a script that code can call.",
    EntryKind.TOOL_ABSTRACT: "The source names the tool but not how to call it.",
    EntryKind.CREDENTIAL: "A credential comes from the environment and from nowhere else.",
    EntryKind.BACKEND: "A package names the backend and the model that it was made for.",
    EntryKind.SCHEDULE: "A package does not wake itself; the host's scheduler does.",
    EntryKind.CROSS_REFERENCE: "It belongs to the source runtime alone.",
}


def cell(kind: EntryKind, disposition: Disposition) -> Cell:
    """Return the cell of the matrix for a kind and a disposition."""
    return MATRIX[kind][disposition]


def allowed_for(kind: EntryKind) -> tuple[Disposition, ...]:
    """Return the dispositions that may be chosen for a kind, in the matrix's order."""
    return tuple(disposition for disposition in Disposition if MATRIX[kind][disposition].allowed)
