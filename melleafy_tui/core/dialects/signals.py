"""Detection tables for the runtimes other than OpenClaw, including those without a dialect.

A dialect's own table replaces the one here.
"""

from typing import Final

from melleafy_tui.core.dialects.base import Matcher, Signal
from melleafy_tui.core.dialects.matchers import (
    CLAUDE_SPEC_FOLDERS,
    all_of,
    ambient_like,
    any_of,
    claude_key,
    name_exists,
    name_like,
    none_of,
    python_call,
    python_decorator,
    python_imports,
    python_keyword,
    python_name,
    python_string,
    skill_has_description,
    skill_has_standard_keys_only,
    skill_name_is_valid,
    spec_under_claude,
    text_mentions,
)
from melleafy_tui.core.models.vocabulary import Runtime, Strength

DEEPEST_PYTHON: Final = 4
"""Maximum depth of a Python file that is searched: `src/<package>/<part>/x.py`."""

_ASSET_FOLDERS: Final = ("skills/", "memory/", "memory-wiki/", "tests/", ".openclaw/", ".claude/", "docs/")
_DETECTION_FILES: Final = frozenset(
    {
        ".claude/settings.json",
        ".env",
        ".env.example",
        "SKILL.md",
        "config/agents.yaml",
        "config/tasks.yaml",
        "docker-compose.yaml",
        "docker-compose.yml",
        "langgraph.json",
        "letta.config.yaml",
    }
)
_LETTA_TEXT: Final = (".json", ".json5", ".yaml", ".yml", ".toml", ".af", ".env", ".env.example", ".md")


def detection_wants(path: str) -> bool:
    """Return whether detecting these runtimes needs the file at this path."""
    if path in _DETECTION_FILES or (path.startswith(CLAUDE_SPEC_FOLDERS) and path.endswith(".md")):
        return True
    if path.endswith(".py"):
        return searches_in(path[: path.rfind("/") + 1])
    return path.endswith(".af") and "/" not in path


def searches_in(folder: str) -> bool:
    """Return whether the Python files in a folder (`""` for the root, else with a final `/`) are searched."""
    return folder.count("/") <= DEEPEST_PYTHON and not folder.startswith(_ASSET_FOLDERS)


DETECTION_SURFACES: Final = (
    *sorted(_DETECTION_FILES),
    *(f"{folder}**" for folder in CLAUDE_SPEC_FOLDERS),
    "*.af",
    "*.py",
    "src/*/config/*.yaml",
    ".crewai/memory/*",
    "**/config/agents.yaml",
)
"""Where the files that detecting these runtimes needs can be, besides the Python files."""

MODULES: Final[dict[str, tuple[str, ...]]] = {
    Runtime.CREWAI: ("crewai",),
    Runtime.LANGGRAPH: ("langgraph",),
    Runtime.AUTOGEN: ("autogen", "autogen_agentchat"),
    Runtime.LETTA: ("letta", "letta_client"),
    Runtime.OPENAI_AGENTS_SDK: ("agents",),
    Runtime.SMOLAGENTS: ("smolagents",),
}
"""The modules of each runtime that is written in Python; a file that imports one is part of the agent."""


def _strong(name: str, matcher: Matcher, note: str = "") -> Signal:
    return Signal(name, Strength.STRONG, matcher, note=note)


def _medium(name: str, matcher: Matcher, note: str = "") -> Signal:
    return Signal(name, Strength.MEDIUM, matcher, note=note)


def _weak(name: str, matcher: Matcher, note: str = "") -> Signal:
    return Signal(name, Strength.WEAK, matcher, note=note)


def _beside_skill(matcher: Matcher) -> Matcher:
    """Match only if the root contains a SKILL.md."""
    return all_of(name_exists("SKILL.md"), matcher)


def _letta_words(pattern: str) -> Matcher:
    return any_of(text_mentions(pattern, _LETTA_TEXT), python_string(pattern, part=True))


_OTHER_RUNTIMES_FILES: Final = any_of(
    name_exists(
        "AGENTS.md",
        "BOOTSTRAP.md",
        "CLAUDE.md",
        "HEARTBEAT.md",
        "IDENTITY.md",
        "OAI_CONFIG_LIST",
        "SOUL.md",
        "config/agents.yaml",
        "langgraph.json",
        "letta.config.yaml",
        "openclaw.json",
    ),
    name_like("*.af"),
)

AGENT_SKILLS_STD: Final = (
    _strong("SKILL.md", name_exists("SKILL.md")),
    _strong("SKILL.md name", skill_name_is_valid),
    _strong("SKILL.md description", skill_has_description),
    _strong("SKILL.md standard keys only", skill_has_standard_keys_only),
    _medium("SKILL.md with scripts/", _beside_skill(name_exists("scripts/"))),
    _medium("SKILL.md with references/", _beside_skill(name_exists("references/", "reference/"))),
    _medium("SKILL.md with assets/", _beside_skill(name_exists("assets/"))),
    _medium("SKILL.md without .claude/", _beside_skill(none_of(name_exists(".claude/")))),
    _medium("SKILL.md without .mcp.json", _beside_skill(none_of(name_exists(".mcp.json")))),
    _medium("SKILL.md without other runtimes' files", _beside_skill(none_of(_OTHER_RUNTIMES_FILES))),
)

CLAUDE_CODE: Final = (
    _strong(
        ".claude/",
        any_of(name_exists(".claude/"), ambient_like(r"(?:\.\./)+\.claude/")),
        "In the workspace, or above it up to the repository's root.",
    ),
    _strong(".claude/settings.json", name_exists(".claude/settings.json")),
    _strong("spec under .claude/", spec_under_claude),
    _strong("frontmatter disable-model-invocation", claude_key("disable-model-invocation")),
    _strong("frontmatter user-invocable", claude_key("user-invocable")),
    _strong("frontmatter context: fork", claude_key("context", "fork")),
    _strong("frontmatter agent", claude_key("agent")),
    _strong("frontmatter hooks", claude_key("hooks")),
    _strong("frontmatter paths", claude_key("paths")),
    _medium("CLAUDE.md", name_exists("CLAUDE.md")),
    _medium("AGENTS.md", name_exists("AGENTS.md"), "Also used by OpenClaw."),
    _medium(".mcp.json", name_exists(".mcp.json")),
    _medium(".claude-plugin/plugin.json", name_exists(".claude-plugin/plugin.json")),
    _medium("frontmatter shell", claude_key("shell")),
    _medium("frontmatter argument-hint", claude_key("argument-hint")),
    _medium("frontmatter arguments", claude_key("arguments")),
    _medium("frontmatter model", claude_key("model")),
    _medium("frontmatter effort", claude_key("effort")),
)

LETTA: Final = (
    _strong("*.af", name_like("*.af")),
    _strong("letta.config.yaml", name_exists("letta.config.yaml")),
    _strong(
        "agent_type",
        any_of(
            text_mentions(r"agent_type\W{1,6}(?:memgpt_agent|letta_v1_agent)\b"),
            python_string(r"memgpt_agent|letta_v1_agent"),
        ),
    ),
    _strong(
        "sleep-time agent",
        any_of(python_keyword("enable_sleeptime"), _letta_words(r"enable_sleeptime|\bsleep-time agent")),
    ),
    _medium(
        "archival_memory",
        any_of(
            python_name("archival_memory_insert", "archival_memory_search"),
            _letta_words(r"\barchival_memory_(?:insert|search)\b"),
        ),
    ),
    _medium(
        "request_heartbeat", any_of(python_name("request_heartbeat"), _letta_words(r"\brequest_heartbeat\b"))
    ),
    _medium("LETTA_ variables", _letta_words(r"\bLETTA_(?:PG_URI|SERVER_PASSWORD|ENCRYPTION_KEY)\b")),
    _medium(
        "persona and human blocks",
        any_of(
            all_of(python_string("persona"), python_string("human"), python_keyword("memory_blocks")),
            text_mentions(
                r"\b(?:persona|human)_block\b|<(?:persona|human)>|\bblock_(?:persona|human)\b", _LETTA_TEXT
            ),
        ),
    ),
)

CREWAI: Final = (
    _strong(
        "config/agents.yaml and config/tasks.yaml",
        any_of(
            all_of(name_exists("config/agents.yaml"), name_exists("config/tasks.yaml")),
            all_of(name_like("src/*/config/agents.yaml"), name_like("src/*/config/tasks.yaml")),
        ),
    ),
    _strong("CrewAI decorators", python_decorator("CrewBase", "agent", "task", "crew")),
    _strong("from crewai import", python_imports("crewai")),
    _strong(
        "Flow decorators",
        all_of(python_imports("crewai.flow"), python_decorator("start", "listen", "router")),
    ),
    _medium(".crewai/memory", name_exists(".crewai/memory", ".crewai/memory/")),
    _medium("@crewai_event_bus.on", python_decorator("crewai_event_bus.on")),
    _medium("tools.py with crewai.tools", python_imports("crewai.tools", "crewai_tools")),
    _weak("MCPServerAdapter", python_name("MCPServerAdapter")),
    _weak(
        "Chroma paths",
        any_of(name_exists("chroma.sqlite3", "chroma/", ".chroma/"), python_imports("chromadb")),
    ),
)

LANGGRAPH: Final = (
    _strong("langgraph.json", name_exists("langgraph.json")),
    _strong(
        "from langgraph.graph import StateGraph",
        python_imports("langgraph.graph.StateGraph", "langgraph.graph.state"),
    ),
    _strong("StateGraph(", python_call("StateGraph")),
    _strong("add_messages", python_name("add_messages")),
    _medium(
        "checkpointer",
        any_of(
            python_name(
                "MemorySaver",
                "InMemorySaver",
                "SqliteSaver",
                "AsyncSqliteSaver",
                "PostgresSaver",
                "AsyncPostgresSaver",
            ),
            python_keyword("checkpointer"),
        ),
    ),
    _medium("interrupt", any_of(python_call("interrupt"), python_keyword("interrupt_before"))),
    _medium("Command(goto=", python_call("Command", keyword="goto")),
    _medium("Send(", python_call("Send")),
    _medium("store", python_name("InMemoryStore", "PostgresStore", "AsyncPostgresStore", "BaseStore")),
    _weak("langgraph.prebuilt", python_imports("langgraph.prebuilt")),
)

AUTOGEN: Final = (
    _strong("from autogen import", python_imports("autogen")),
    _strong("from autogen_agentchat", python_imports("autogen_agentchat")),
    _medium(
        "OAI_CONFIG_LIST",
        any_of(name_exists("OAI_CONFIG_LIST"), python_string(r"OAI_CONFIG_LIST(?:\.json)?")),
    ),
    _medium("AssistantAgent(", python_call("AssistantAgent")),
    _medium("UserProxyAgent(", python_call("UserProxyAgent")),
)

OPENAI_AGENTS_SDK: Final = (
    _strong("Runner.run_sync(", python_call("Runner.run_sync")),
    _strong("Agent( with instructions=", python_call("Agent", keyword="instructions")),
    _medium("@function_tool", python_decorator("function_tool")),
    _medium("handoffs=", python_keyword("handoffs")),
    _medium("from agents import", python_imports("agents")),
)

SMOLAGENTS: Final = (
    _strong("CodeAgent(", python_call("CodeAgent")),
    _strong("ToolCallingAgent(", python_call("ToolCallingAgent")),
    _medium("from smolagents", python_imports("smolagents")),
    _medium("additional_authorized_imports", python_keyword("additional_authorized_imports")),
    _weak("HfApiModel(", python_call("HfApiModel")),
)

SIGNAL_TABLES: Final[dict[str, tuple[Signal, ...]]] = {
    Runtime.AGENT_SKILLS_STD: AGENT_SKILLS_STD,
    Runtime.CLAUDE_CODE: CLAUDE_CODE,
    Runtime.CREWAI: CREWAI,
    Runtime.LANGGRAPH: LANGGRAPH,
    Runtime.AUTOGEN: AUTOGEN,
    Runtime.LETTA: LETTA,
    Runtime.OPENAI_AGENTS_SDK: OPENAI_AGENTS_SDK,
    Runtime.SMOLAGENTS: SMOLAGENTS,
}
