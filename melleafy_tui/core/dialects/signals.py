"""Detection tables (`signals.toml`), also of runtimes without a dialect; a dialect's own replaces the one here."""

from collections.abc import Callable
from typing import Any, Final

from melleafy_tui.core.dialects import matchers
from melleafy_tui.core.dialects.base import Matcher, Signal
from melleafy_tui.core.models.vocabulary import Runtime, Strength
from melleafy_tui.core.tables import table_beside

DEEPEST_PYTHON: Final = 4
"""Maximum depth of a Python file that is searched: `src/<package>/<part>/x.py`."""

_ASSET_FOLDERS: Final = ("skills/", "memory/", "memory-wiki/", "tests/", ".openclaw/", ".claude/", "docs/")
_DETECTION_FILES: Final = frozenset(
    """
    .claude/settings.json .env .env.example SKILL.md config/agents.yaml config/tasks.yaml docker-compose.yaml
    docker-compose.yml langgraph.json letta.config.yaml
    """.split()  # noqa: SIM905
)


def detection_wants(path: str) -> bool:
    """Return whether detecting these runtimes needs the file at this path."""
    if path in _DETECTION_FILES or (path.startswith(matchers.CLAUDE_SPEC_FOLDERS) and path.endswith(".md")):
        return True
    if path.endswith(".py"):
        return searches_in(path[: path.rfind("/") + 1])
    return path.endswith(".af") and "/" not in path


def searches_in(folder: str) -> bool:
    """Return whether the Python files in a folder (`""` for the root, else with a final `/`) are searched."""
    return folder.count("/") <= DEEPEST_PYTHON and not folder.startswith(_ASSET_FOLDERS)


DETECTION_SURFACES: Final = (
    *sorted(_DETECTION_FILES),
    *(f"{folder}**" for folder in matchers.CLAUDE_SPEC_FOLDERS),
    *("*.af", "*.py", "src/*/config/*.yaml", ".crewai/memory/*", "**/config/agents.yaml"),
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

_NOTES_TOO: Final = (".json", ".json5", ".yaml", ".yml", ".toml", ".af", ".env", ".env.example", ".md")


def _notes_mention(pattern: str) -> Matcher:
    return matchers.text_mentions(pattern, _NOTES_TOO)


def _words(pattern: str) -> Matcher:
    return matchers.any_of(_notes_mention(pattern), matchers.python_string(pattern, part=True))


_MATCHERS: Final[dict[str, Callable[..., Matcher]]] = {
    "all": matchers.all_of,
    "any": matchers.any_of,
    "none": matchers.none_of,
    "names": matchers.name_exists,
    "like": matchers.name_like,
    "ambient": matchers.ambient,
    "json": matchers.json_value,
    "frontmatter": matchers.claude_key,
    "skill": matchers.skill_signal,
    "specs": matchers.spec_under_claude,
    "mentions": matchers.text_mentions,
    "notes_mention": _notes_mention,
    "words": _words,
    "imports": matchers.python_imports,
    "decorators": matchers.python_decorator,
    "calls": matchers.python_call,
    "calls_with": lambda name, keyword: matchers.python_call(name, keyword=keyword),
    "keyword": lambda name: matchers.python_call(keyword=name),
    "identifiers": matchers.python_name,
    "string": matchers.python_string,
}
"""What each name in the table makes of its arguments, which are texts or other matchers."""


def _made(given: dict[str, list[Any]]) -> Matcher:
    ((name, arguments),) = given.items()
    return _MATCHERS[name](*(_made(each) if isinstance(each, dict) else each for each in arguments))


def _signal(strength: str, name: str, given: dict[str, list[Any]], note: str = "") -> Signal:
    return Signal(name, Strength(strength), _made(given), ambient="ambient" in given, note=note)


SIGNAL_TABLES: Final[dict[str, tuple[Signal, ...]]] = {
    runtime: tuple(_signal(*row) for row in rows)
    for runtime, rows in table_beside(__file__, "signals.toml").items()
}
