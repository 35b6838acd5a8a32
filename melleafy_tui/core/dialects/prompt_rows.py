"""Mapping rows for text of the prompt that dialects share: what the agent is, its rules, and notes beside them."""

from melleafy_tui.core.dialects.base import MappingRow
from melleafy_tui.core.models.vocabulary import Category, Disposition, EntryKind


def identity_row(row_id: str, signal: str, symbol: str, reason: str) -> MappingRow:
    """Return the row of a part of the identity: a constant, and where it is `PREFIX_TEXT`, the prefix of every call.

    Args:
        row_id: The row's id.
        signal: What of the source falls under it.
        symbol: The constant.
        reason: Why it becomes that.
    """
    return MappingRow(
        row_id,
        signal,
        Category.C1,
        EntryKind.IDENTITY,
        Disposition.BUNDLE,
        "config.py",
        symbol,
        "bundle",
        "prefix= argument on all m.instruct" if symbol == "PREFIX_TEXT" else "constant",
        reason=reason,
    )


def rule_row(
    row_id: str,
    signal: str,
    reason: str,
    symbol: str = "OPERATING_REQUIREMENTS",
    construct: str = "Requirement(description=..., validation_fn=...)",
) -> MappingRow:
    """Return the row of a rule that becomes a requirement.

    Args:
        row_id: The row's id.
        signal: What of the source falls under it.
        reason: Why it becomes that.
        symbol: The list that holds it.
        construct: What of Mellea it becomes.
    """
    return _rule_text(row_id, signal, reason, symbol, "Requirement", construct)


def note_row(row_id: str, signal: str, reason: str, construct: str = "prompt text") -> MappingRow:
    """Return the row of a text that stands beside the rules and is no requirement.

    Args:
        row_id: The row's id.
        signal: What of the source falls under it.
        reason: Why it becomes that.
        construct: What of the package it becomes.
    """
    return _rule_text(row_id, signal, reason, "OPERATING_NOTES", "bundle", construct)


def _rule_text(
    row_id: str, signal: str, reason: str, symbol: str, primitive: str, construct: str
) -> MappingRow:
    return MappingRow(
        row_id,
        signal,
        Category.C2,
        EntryKind.RULE,
        Disposition.BUNDLE,
        "requirements.py",
        symbol,
        primitive,
        construct,
        reason=reason,
    )
