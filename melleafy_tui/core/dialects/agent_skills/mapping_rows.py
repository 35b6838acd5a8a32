"""The mapping table of the Agent Skills dialect.

Row ids are stable and appear in the report. Steps have no row here: their tag decides
(`core/package/separate_steps.py`).
"""

from typing import Final

from melleafy_tui.core.dialects.base import MappingRow
from melleafy_tui.core.dialects.prompt_rows import identity_row, rule_row
from melleafy_tui.core.models.vocabulary import Category, Disposition, ElementRole, EntryKind

_CONFIG: Final = "config.py"
_SLOTS: Final = "constrained_slots.py"
_TOOLS: Final = "tools.py"


def _stub(row_id: str, signal: str, reason: str, *, setup: str = "§8") -> MappingRow:
    return MappingRow(
        row_id,
        signal,
        Category.C6,
        EntryKind.TOOL_ABSTRACT,
        Disposition.STUB,
        _SLOTS,
        "TOOLS",
        "stub",
        f"stub + SETUP.md {setup}",
        reason=reason,
        role=ElementRole.SKILL,
    )


def _tool(row_id: str, signal: str, construct: str, reason: str) -> MappingRow:
    return MappingRow(
        row_id,
        signal,
        Category.C6,
        EntryKind.TOOL_CONCRETE,
        Disposition.REAL_IMPL,
        _TOOLS,
        "TOOLS",
        "tool",
        construct,
        reason=reason,
    )


def _memory(row_id: str, signal: str, default: Disposition, construct: str, reason: str) -> MappingRow:
    return MappingRow(
        row_id,
        signal,
        Category.C5,
        EntryKind.MEMORY,
        default,
        _SLOTS,
        "recall_memory",
        "bundle" if default is Disposition.BUNDLE else "load",
        construct,
        reason=reason,
        role=ElementRole.REFERENCE,
    )


MAPPING_ROWS: Final[tuple[MappingRow, ...]] = (
    identity_row("skill.name", "frontmatter: name", "AGENT_NAME", "The skill's name is fixed."),
    identity_row(
        "skill.description",
        "frontmatter: description, when_to_use",
        "PREFIX_TEXT",
        "What the skill does and when it is used frames every call.",
    ),
    identity_row(
        "skill.metadata",
        "frontmatter: license, metadata",
        "AGENT_METADATA",
        "It is how the skill presents itself.",
    ),
    MappingRow(
        "skill.compatibility",
        "frontmatter: compatibility",
        Category.C8,
        EntryKind.CROSS_REFERENCE,
        Disposition.REMOVE,
        "mapping_report.md",
        "Removed During Audit",
        "report",
        "listed",
        reason="What the skill needs around it is for the host to provide; the report lists it.",
    ),
    identity_row(
        "skill.persona",
        "SKILL.md: who the model is to be",
        "PREFIX_TEXT",
        "The persona is the skill's own text and travels with every call.",
    ),
    rule_row(
        "skill.rule",
        "SKILL.md: a rule",
        "The skill's text is the prompt; a rule that is judged or checked is a requirement of every reply.",
    ),
    MappingRow(
        "skill.schema",
        "SKILL.md: fields of the result",
        Category.NONE,
        EntryKind.SCHEMA,
        Disposition.BUNDLE,
        "schemas.py",
        "AgentReply",
        "schema",
        "pydantic model, filled by m.instruct(format=...)",
        reason="The skill says which fields its result has, so the result is typed.",
    ),
    MappingRow(
        "skill.guidance",
        "SKILL.md: how a tool or a script is used",
        Category.C6,
        EntryKind.TOOL_NARRATIVE,
        Disposition.BUNDLE,
        _CONFIG,
        "TOOL_GUIDANCE",
        "bundle",
        "prompt text for that tool; grants no permission",
        reason="Guidance about a tool is text for the prompt and grants no permission.",
    ),
    _tool(
        "skill.endpoint",
        "SKILL.md: a method with an address",
        "function with time-out and allow-list",
        "Method and address say enough to write the call.",
    ),
    _tool(
        "skill.script",
        "scripts/: a Python or shell script that the skill says to run",
        "function with time-out that runs the script",
        "The script lies in the skill and its language runs without a build.",
    ),
    _stub(
        "skill.script.stub",
        "scripts/: another language, or nothing that can be called",
        "What the script does cannot be called from here as it stands.",
    ),
    _memory(
        "skill.reference.prose",
        "references/: prose",
        Disposition.BUNDLE,
        "text in references/, read at start",
        "A reference is the skill's own text and travels with it.",
    ),
    _memory(
        "skill.reference.long",
        "references/: long prose",
        Disposition.LOAD_FROM_DISK,
        "text in references/, path configurable",
        "A long reference is read from disk, so that it can change without the code.",
    ),
    _memory(
        "skill.reference.data",
        "references/: structured data",
        Disposition.LOAD_FROM_DISK,
        "data in references/, path configurable",
        "Data changes more often than code, so it is read from disk.",
    ),
    _tool(
        "skill.grant.web_fetch",
        "allowed-tools: WebFetch(domain:…)",
        "web_fetch with that allow-list",
        "The domains are named, so the call can be written with its allow-list.",
    ),
    _stub(
        "skill.grant.bash", "allowed-tools: Bash(pattern)", "What a shell may run is for the host to provide."
    ),
    _stub(
        "skill.commands",
        "SKILL.md: fences that run programs, without allowed-tools",
        "The skill's commands need a shell, and what it may run is for the host to provide.",
    ),
    _stub(
        "skill.grant.file",
        "allowed-tools: Read, Write, Edit and their kin",
        "Files lie with the host, which decides what may be read and written.",
    ),
    _stub(
        "skill.grant.mcp",
        "allowed-tools: mcp__server__tool",
        "The MCP server is connected by the host.",
        setup="§8, server in §3",
    ),
    _stub(
        "skill.grant.other",
        "allowed-tools: any other tool",
        "The source names the tool but not how to call it.",
    ),
)
