"""Mapping rows for prompt text that dialects share: the agent's identity, its rules, and notes."""

from melleafy_tui.core.dialects.base import MappingRow
from melleafy_tui.core.models.vocabulary import Category, Disposition, EntryKind


def identity_row(row_id: str, signal: str, symbol: str, reason: str) -> MappingRow:
    """Return the row for a part of the identity: a constant, or for `PREFIX_TEXT` the prefix of every call.

    Args:
        row_id: The row's id.
        signal: The part of the source that it applies to.
        symbol: The constant.
        reason: Why the row maps to it.
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
    """Return the row for a rule that becomes a requirement.

    Args:
        row_id: The row's id.
        signal: The part of the source that it applies to.
        reason: Why the row maps to it.
        symbol: The list that contains the requirement.
        construct: The Mellea construct that it becomes.
    """
    return _rule_text(row_id, signal, reason, symbol, "Requirement", construct)


def note_row(row_id: str, signal: str, reason: str, construct: str = "prompt text") -> MappingRow:
    """Return the row for prompt text that accompanies the rules and isn't a requirement.

    Args:
        row_id: The row's id.
        signal: The part of the source that it applies to.
        reason: Why the row maps to it.
        construct: The part of the package that it becomes.
    """
    return _rule_text(row_id, signal, reason, "OPERATING_REQUIREMENTS", "bundle", construct)


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
