"""The mapping table of the Claude Code dialect.

Row ids are stable and appear in the report. The table includes the rows of the Agent Skills dialect after its own, for
the parts of a spec that both share.
"""

from typing import Final

from melleafy_tui.core.dialects.agent_skills.mapping_rows import MAPPING_ROWS as SKILL_ROWS
from melleafy_tui.core.dialects.base import MappingRow
from melleafy_tui.core.dialects.prompt_rows import identity_row, note_row, rule_row
from melleafy_tui.core.models.mapping import DEFERRED, NOT_REPRODUCED, UnsupportedPart
from melleafy_tui.core.models.vocabulary import Category, Disposition, ElementRole, EntryKind

_CONFIG: Final = "config.py"
_REPORT: Final = "mapping_report.md"


def _reported(
    row_id: str,
    signal: str,
    reason: str,
    section: str = NOT_REPRODUCED,
    category: Category = Category.NONE,
    unsupported: UnsupportedPart | None = None,
) -> MappingRow:
    return MappingRow(
        row_id,
        signal,
        category,
        EntryKind.CROSS_REFERENCE,
        Disposition.REMOVE,
        _REPORT,
        section,
        "report",
        "deferred" if section == DEFERRED else "not reproduced",
        reason=reason,
        unsupported=unsupported,
    )


def _host(
    row_id: str,
    signal: str,
    construct: str,
    setup: str,
    reason: str,
    role: ElementRole | None = None,
    unsupported: UnsupportedPart | None = None,
) -> MappingRow:
    return MappingRow(
        row_id,
        signal,
        Category.C9,
        EntryKind.SCHEDULE,
        Disposition.DELEGATE_TO_RUNTIME,
        "SETUP.md",
        setup,
        "delegate",
        construct,
        setup,
        reason,
        role,
        unsupported,
    )


OWN_ROWS: Final[tuple[MappingRow, ...]] = (
    rule_row(
        "memory.rule",
        "CLAUDE.md: a rule",
        "The file's text is the prompt; a rule that is judged or checked is a requirement of every reply.",
    ),
    rule_row(
        "memory.scoped",
        "<folder>/CLAUDE.md, rules with `paths`: a rule",
        "The rule holds for some files only.",
        "SCOPED_REQUIREMENTS",
        "Requirement(description=..., validation_fn=...) in calls of its scope",
    ),
    MappingRow(
        "memory.guidance",
        "CLAUDE.md: how a command or a tool is used",
        Category.C6,
        EntryKind.TOOL_NARRATIVE,
        Disposition.BUNDLE,
        _CONFIG,
        "TOOL_GUIDANCE",
        "bundle",
        "prompt text for that tool; grants no permission",
        reason="Text about a command is part of the prompt and grants no permission.",
    ),
    rule_row(
        "permission.deny",
        "settings: permissions.deny, frontmatter disallowedTools",
        "What is denied must not happen, so replies and tool calls are checked for it.",
        construct="Requirement with a validator, and a check of every tool call in _runtime/permissions.py",
    ),
    note_row(
        "permission.ask",
        "settings: permissions.ask",
        "A call that wants a confirmation is refused until the caller's confirm says yes.",
        "run_pipeline(confirm=…) before the call, and prompt text",
    ),
    note_row(
        "permission.plan",
        "settings: defaultMode plan",
        "In plan mode nothing is changed before someone says yes.",
        "run_pipeline(confirm=…) before every call that changes something, and prompt text",
    ),
    _reported(
        "settings.mode",
        "settings: any other defaultMode",
        "How Claude Code itself asks for permission does not hold for a package; deny and ask rules do.",
    ),
    _reported(
        "settings.other", "settings: any other key", "The setting configures Claude Code's own program."
    ),
    MappingRow(
        "settings.env",
        "settings: env; .mcp.json: env, headers",
        Category.C7,
        EntryKind.CREDENTIAL,
        Disposition.EXTERNAL_INPUT,
        ".env.example",
        "",
        "parameter",
        "environment variable",
        "§2",
        "Values stay in the environment.",
    ),
    _host(
        "hook.command",
        "settings, plugin or frontmatter: a hook",
        "event_triggered + SETUP.md §7",
        "§7",
        "The event is the host's; no hook of the source is run or translated.",
        ElementRole.EVENT,
        UnsupportedPart(
            DEFERRED,
            "Hook command",
            "The event is carried over, the command is not: no code of the workspace is translated or run.",
            "Let your host receive the event and call the package, as `SETUP.md` §7 says.",
        ),
    ),
    _host(
        "loop.command",
        "text: /loop",
        "scheduled + SETUP.md §6",
        "§6",
        "Waking the agent again and again is the host's work.",
    ),
    MappingRow(
        "mcp.server",
        ".mcp.json, settings or plugin: an MCP server",
        Category.C6,
        EntryKind.TOOL_ABSTRACT,
        Disposition.STUB,
        "constrained_slots.py",
        "TOOLS",
        "stub",
        "stub + SETUP.md §8, server in §3",
        "§8",
        "The MCP server is connected by the host.",
    ),
    identity_row("plugin.name", "plugin.json: name", "AGENT_NAME", "The plugin's name is fixed."),
    identity_row(
        "plugin.description", "plugin.json: description", "AGENT_ROLE", "It says what the plugin is for."
    ),
    identity_row(
        "plugin.metadata",
        "plugin.json: version, author, license, keywords",
        "AGENT_METADATA",
        "It is how the plugin presents itself.",
    ),
    MappingRow(
        "command.argument",
        "frontmatter: argument-hint, arguments; text: $1",
        Category.C3,
        EntryKind.FACT_OVERRIDABLE,
        Disposition.EXTERNAL_INPUT,
        "main.py",
        "",
        "parameter",
        "typed parameter of run_pipeline and a flag",
        reason="Each call gives its own arguments.",
    ),
    _reported(
        "front.invocation",
        "frontmatter: disable-model-invocation, user-invocable",
        "Who may start a spec is Claude Code's choice; a package runs when its caller calls it.",
    ),
    _reported(
        "front.context",
        "frontmatter: context, agent",
        "Each run of a package starts sessions of its own, so it is always apart from the caller's context.",
    ),
    _reported(
        "front.paths",
        "frontmatter: paths",
        "Which files make Claude Code load a text is its own choice; the package always has it.",
    ),
    _reported(
        "front.shell",
        "frontmatter: shell",
        "The package runs no shell for the prompt's own commands.",
    ),
    _reported(
        "front.model",
        "frontmatter or settings: model, effort",
        "The model of a package is chosen by --backend and --model-id.",
        category=Category.C8,
    ),
    _reported("front.other", "frontmatter: any other key", "The key configures Claude Code's own program."),
    _reported(
        "spec.noted",
        "another skill, command or subagent",
        "Each is a spec of its own; convert it from its own file.",
        DEFERRED,
        unsupported=UnsupportedPart(
            DEFERRED,
            "Another skill, command or subagent",
            "Each is a spec of its own; it was noted and not expanded.",
            "Name its file to `melleafy-tui` to convert it.",
        ),
    ),
)
"""The dialect's own rows."""

MAPPING_ROWS: Final[tuple[MappingRow, ...]] = (*OWN_ROWS, *SKILL_ROWS)
"""All rows; ids are unique."""
