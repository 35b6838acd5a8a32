"""Every row of every detection table: what matches it, and what looks like it and does not (spec/conversion.md 2.1)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import pytest

from melleafy_tui.core.dialects.base import Match, Signal
from melleafy_tui.core.dialects.signals import SIGNAL_TABLES, detection_wants
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.models.vocabulary import Runtime, Strength
from tests.rows import every_row

TABLES: Mapping[str, tuple[Signal, ...]] = {
    runtime: signals for runtime, signals in SIGNAL_TABLES.items() if runtime != Runtime.HERMES
}
STRONG, MEDIUM, WEAK = Strength.STRONG, Strength.MEDIUM, Strength.WEAK
HEARTBEAT = '{\n "agents": {"defaults": {\n  "heartbeat": {"every": "30m"}}}}'
SKILL = "---\nname: {name}\ndescription: {description}\n---\nbody\n"


@dataclass(frozen=True)
class Case:
    """A workspace, and where in it a signal stands."""

    files: Mapping[str, str] = field(default_factory=dict)
    names: tuple[str, ...] = ()
    ambient: tuple[str, ...] = ()
    at: tuple[str, int] = ("", 0)
    root: str = "/work/agent"


def name(path: str) -> Case:
    return Case(names=(path,), at=(path, 0))


def python(source: str, line: int) -> Case:
    return Case({"app.py": source}, at=("app.py", line))


def skill(line: str, number: int = 3) -> Case:
    return Case({"SKILL.md": f"---\nname: x\n{line}\n---\n"}, at=("SKILL.md", number))


ROWS: dict[str, dict[str, tuple[Strength, Case]]] = {
    "openclaw": {
        "SOUL.md": (STRONG, name("SOUL.md")),
        "IDENTITY.md": (STRONG, name("IDENTITY.md")),
        "AGENTS.md": (MEDIUM, name("AGENTS.md")),
        "HEARTBEAT.md": (STRONG, name("HEARTBEAT.md")),
        "BOOTSTRAP.md": (STRONG, name("BOOTSTRAP.md")),
        "MEMORY.md and memory/": (STRONG, Case(names=("MEMORY.md", "memory/x.md"), at=("MEMORY.md", 0))),
        "memory-wiki/": (STRONG, Case(names=("memory-wiki/concepts/x.md",), at=("memory-wiki/concepts/", 0))),
        "openclaw.json agents.defaults.heartbeat": (
            STRONG,
            Case({"openclaw.json": HEARTBEAT}, at=("openclaw.json", 3)),
        ),
        "TOOLS.md, USER.md and AGENTS.md": (
            MEDIUM,
            Case(names=("TOOLS.md", "USER.md", "AGENTS.md"), at=("TOOLS.md", 0)),
        ),
        "~/.openclaw/": (STRONG, Case(ambient=("~/.openclaw/",), at=("~/.openclaw/", 0))),
    },
    "agent_skills_std": {
        "SKILL.md": (STRONG, name("SKILL.md")),
        "SKILL.md name": (STRONG, skill("a: b", 2)),
        "SKILL.md description": (STRONG, skill("description: does things")),
        "SKILL.md standard keys only": (STRONG, skill("description: y", 2)),
        "SKILL.md with scripts/": (MEDIUM, Case(names=("SKILL.md", "scripts/x.py"), at=("SKILL.md", 0))),
        "SKILL.md with references/": (MEDIUM, Case(names=("SKILL.md", "reference/x.md"), at=("SKILL.md", 0))),
        "SKILL.md with assets/": (MEDIUM, Case(names=("SKILL.md", "assets/x.png"), at=("SKILL.md", 0))),
        "SKILL.md without .claude/": (MEDIUM, name("SKILL.md")),
        "SKILL.md without .mcp.json": (MEDIUM, name("SKILL.md")),
        "SKILL.md without other runtimes' files": (MEDIUM, name("SKILL.md")),
    },
    "claude_code": {
        ".claude/": (STRONG, Case(names=(".claude/x.md",), at=(".claude/", 0))),
        ".claude/settings.json": (STRONG, name(".claude/settings.json")),
        "spec under .claude/": (STRONG, Case({".claude/agents/x.md": "x"}, at=(".claude/agents/x.md", 0))),
        "frontmatter disable-model-invocation": (STRONG, skill("disable-model-invocation: true")),
        "frontmatter user-invocable": (STRONG, skill("user-invocable: false")),
        "frontmatter context: fork": (STRONG, skill("context: fork")),
        "frontmatter agent": (STRONG, skill("agent: Explore")),
        "frontmatter hooks": (STRONG, skill("hooks: {}")),
        "frontmatter paths": (STRONG, skill("paths: [src]")),
        "CLAUDE.md": (MEDIUM, name("CLAUDE.md")),
        "AGENTS.md": (MEDIUM, name("AGENTS.md")),
        ".mcp.json": (MEDIUM, name(".mcp.json")),
        ".claude-plugin/plugin.json": (MEDIUM, name(".claude-plugin/plugin.json")),
        "frontmatter shell": (MEDIUM, skill("shell: bash")),
        "frontmatter argument-hint": (MEDIUM, skill("argument-hint: '[file]'")),
        "frontmatter arguments": (MEDIUM, skill("arguments: [a]")),
        "frontmatter model": (MEDIUM, skill("model: opus")),
        "frontmatter effort": (MEDIUM, skill("effort: high")),
    },
    "letta": {
        "*.af": (STRONG, name("agent.af")),
        "letta.config.yaml": (STRONG, name("letta.config.yaml")),
        "agent_type": (STRONG, Case({"agent.af": '{\n "agent_type": "memgpt_agent"}'}, at=("agent.af", 2))),
        "sleep-time agent": (STRONG, python("client.create(enable_sleeptime=True)\n", 1)),
        "archival_memory": (
            MEDIUM,
            Case({"agent.af": '{"t": "archival_memory_insert"}'}, at=("agent.af", 1)),
        ),
        "request_heartbeat": (MEDIUM, python("f(request_heartbeat)\n", 1)),
        "LETTA_ variables": (MEDIUM, Case({".env": "LETTA_PG_URI=\n"}, at=(".env", 1))),
        "persona and human blocks": (
            MEDIUM,
            python("c(memory_blocks=[{'label': 'persona'}, {'label': 'human'}])\n", 1),
        ),
    },
    "crewai": {
        "config/agents.yaml and config/tasks.yaml": (
            STRONG,
            Case(names=("config/agents.yaml", "config/tasks.yaml"), at=("config/agents.yaml", 0)),
        ),
        "CrewAI decorators": (STRONG, python("@CrewBase\nclass A: ...\n", 1)),
        "from crewai import": (STRONG, python("\nfrom crewai import Crew\n", 2)),
        "Flow decorators": (
            STRONG,
            python(
                "from crewai.flow.flow import Flow, start\nclass F(Flow):\n @start()\n def a(self): ...\n", 1
            ),
        ),
        ".crewai/memory": (MEDIUM, Case(names=(".crewai/memory/x.db",), at=(".crewai/memory/", 0))),
        "@crewai_event_bus.on": (MEDIUM, python("@crewai_event_bus.on(E)\ndef f(): ...\n", 1)),
        "tools.py with crewai.tools": (MEDIUM, python("from crewai.tools import tool\n", 1)),
        "MCPServerAdapter": (WEAK, python("a = MCPServerAdapter(x)\n", 1)),
        "Chroma paths": (WEAK, name("chroma.sqlite3")),
    },
    "langgraph": {
        "langgraph.json": (STRONG, name("langgraph.json")),
        "from langgraph.graph import StateGraph": (
            STRONG,
            python("from langgraph.graph import StateGraph\n", 1),
        ),
        "StateGraph(": (STRONG, python("\ng = graph.StateGraph(S)\n", 2)),
        "add_messages": (STRONG, python("x = Annotated[list, add_messages]\n", 1)),
        "checkpointer": (MEDIUM, python("g.compile(checkpointer=c)\n", 1)),
        "interrupt": (MEDIUM, python("g.compile(interrupt_before=['a'])\n", 1)),
        "Command(goto=": (MEDIUM, python("return_ = Command(goto='a')\n", 1)),
        "Send(": (MEDIUM, python("x = Send('n', {})\n", 1)),
        "store": (MEDIUM, python("s = InMemoryStore()\n", 1)),
        "langgraph.prebuilt": (WEAK, python("from langgraph.prebuilt import ToolNode\n", 1)),
    },
    "autogen": {
        "from autogen import": (STRONG, python("from autogen import AssistantAgent\n", 1)),
        "from autogen_agentchat": (STRONG, python("from autogen_agentchat.agents import A\n", 1)),
        "OAI_CONFIG_LIST": (MEDIUM, name("OAI_CONFIG_LIST")),
        "AssistantAgent(": (MEDIUM, python("a = AssistantAgent('x')\n", 1)),
        "UserProxyAgent(": (MEDIUM, python("a = ag.UserProxyAgent('x')\n", 1)),
    },
    "openai_agents_sdk": {
        "Runner.run_sync(": (STRONG, python("Runner.run_sync(a, 'x')\n", 1)),
        "Agent( with instructions=": (STRONG, python("a = Agent(name='x', instructions='y')\n", 1)),
        "@function_tool": (MEDIUM, python("@function_tool\ndef f(): ...\n", 1)),
        "handoffs=": (MEDIUM, python("a = Agent(handoffs=[b])\n", 1)),
        "from agents import": (MEDIUM, python("from agents import Runner\n", 1)),
    },
    "smolagents": {
        "CodeAgent(": (STRONG, python("a = CodeAgent(tools=[])\n", 1)),
        "ToolCallingAgent(": (STRONG, python("a = ToolCallingAgent(tools=[])\n", 1)),
        "from smolagents": (MEDIUM, python("from smolagents import tool\n", 1)),
        "additional_authorized_imports": (MEDIUM, python("A(additional_authorized_imports=['x'])\n", 1)),
        "HfApiModel(": (WEAK, python("m = HfApiModel()\n", 1)),
    },
}

MakeSnapshot = Callable[..., Snapshot]


def signal(runtime: str, row: str) -> Signal:
    return next(found for found in TABLES[runtime] if found.name == row)


def matches(runtime: str, row: str, snapshot: Snapshot) -> list[Match]:
    return list(signal(runtime, row).matcher(snapshot))


ALL = [
    pytest.param(runtime, row, strength, case, id=f"{runtime}: {row}")
    for runtime, rows in ROWS.items()
    for row, (strength, case) in rows.items()
]


def test_every_row_of_every_table_has_a_case() -> None:
    tables = {runtime: [found.name for found in signals] for runtime, signals in TABLES.items()}
    assert {str(runtime): names for runtime, names in tables.items()} == {
        runtime: list(rows) for runtime, rows in ROWS.items()
    }


@every_row(("runtime", "row", "strength", "case"), ALL)
def test_row(runtime: str, row: str, strength: Strength, case: Case, snapshot_of: MakeSnapshot) -> None:
    snapshot = snapshot_of(case.files, names=case.names, ambient=case.ambient, root=case.root)
    found = matches(runtime, row, snapshot)
    assert found, "the row does not match its own case"
    assert (found[0].file, found[0].line) == case.at
    assert signal(runtime, row).strength is strength


@every_row(("runtime", "row", "strength", "case"), ALL)
def test_row_is_silent_on_another_workspace(
    runtime: str, row: str, strength: Strength, case: Case, snapshot_of: MakeSnapshot
) -> None:
    other = snapshot_of({"README.md": "# A folder\n", "main.py": "print('hello')\n", "data.json": "{}"})
    assert matches(runtime, row, other) == []


# --- the finer points of some rows -------------------------------------------------------------------


def test_the_home_signal_is_the_only_ambient_one() -> None:
    assert [found.name for signals in TABLES.values() for found in signals if found.ambient] == [
        "~/.openclaw/"
    ]


@every_row("path", ["openclaw.json", "openclaw.json5", "../openclaw.json"])
@every_row(
    "text",
    [
        "{agents: {defaults: {heartbeat: {every: '30m'}}}}",
        "{agents: {list: [{id: 'a', heartbeat: {every: '30m'}}]}}",
        "{agents: {entries: {main: {heartbeat: {every: '30m'}}}}}",
    ],
)
def test_configuration_of_either_generation_and_place(
    path: str, text: str, snapshot_of: MakeSnapshot
) -> None:
    assert matches("openclaw", "openclaw.json agents.defaults.heartbeat", snapshot_of({path: text}))


@every_row("text", ["{}", "{agents: {defaults: {model: 'x'}}}", "{agents: {", "[]"])
def test_configuration_without_a_heartbeat(text: str, snapshot_of: MakeSnapshot) -> None:
    assert not matches(
        "openclaw", "openclaw.json agents.defaults.heartbeat", snapshot_of({"openclaw.json": text})
    )


@every_row("folder", ["entities", "concepts", "syntheses", "sources", "_views"])
def test_wiki_folders(folder: str, snapshot_of: MakeSnapshot) -> None:
    assert matches("openclaw", "memory-wiki/", snapshot_of({}, names=(f"memory-wiki/{folder}/x.md",)))


def test_a_wiki_folder_alone_is_no_signal(snapshot_of: MakeSnapshot) -> None:
    assert not matches("openclaw", "memory-wiki/", snapshot_of({}, names=("memory-wiki/x.md",)))


def test_memory_in_lower_case_counts(snapshot_of: MakeSnapshot) -> None:
    assert matches("openclaw", "MEMORY.md and memory/", snapshot_of({}, names=("memory.md", "memory/x.md")))


@every_row("names", [("MEMORY.md",), ("memory/x.md",)])
def test_half_of_a_pair_is_no_signal(names: tuple[str, ...], snapshot_of: MakeSnapshot) -> None:
    assert not matches("openclaw", "MEMORY.md and memory/", snapshot_of({}, names=names))


def test_a_skill_below_the_root_is_no_agent_skills_signal(snapshot_of: MakeSnapshot) -> None:
    snapshot = snapshot_of({"skills/tidy/SKILL.md": SKILL.format(name="tidy", description="x")})
    for row in ROWS["agent_skills_std"]:
        assert not matches("agent_skills_std", row, snapshot)
    for row in ROWS["claude_code"]:
        assert not matches("claude_code", row, snapshot)


@every_row(
    ("skill_name", "valid"),
    [
        ("a", True),
        ("tidy-desk-2", True),
        ("Tidy", False),
        ("tidy_desk", False),
        ("-a", False),
        ("a--b", False),
    ],
)
def test_names_of_skills(skill_name: str, valid: bool, snapshot_of: MakeSnapshot) -> None:
    snapshot = snapshot_of({"SKILL.md": f"---\nname: {skill_name}\n---\n"})
    assert bool(matches("agent_skills_std", "SKILL.md name", snapshot)) is valid


def test_a_key_outside_the_standard(snapshot_of: MakeSnapshot) -> None:
    snapshot = snapshot_of({"SKILL.md": "---\nname: x\ndescription: y\nhooks: {}\n---\n"})
    assert not matches("agent_skills_std", "SKILL.md standard keys only", snapshot)


@every_row(
    ("row", "path"),
    [
        ("SKILL.md without .claude/", ".claude/x.md"),
        ("SKILL.md without .mcp.json", ".mcp.json"),
        ("SKILL.md without other runtimes' files", "SOUL.md"),
        ("SKILL.md without other runtimes' files", "agent.af"),
        ("SKILL.md without other runtimes' files", "langgraph.json"),
    ],
)
def test_what_a_plain_skill_may_not_have_beside_it(row: str, path: str, snapshot_of: MakeSnapshot) -> None:
    assert not matches("agent_skills_std", row, snapshot_of({}, names=("SKILL.md", path)))


def test_a_claude_folder_above_the_workspace(snapshot_of: MakeSnapshot) -> None:
    found = matches("claude_code", ".claude/", snapshot_of({}, ambient=("../../.claude/",)))
    assert [match.file for match in found] == ["../../.claude/"]


@every_row(
    ("root", "path", "expected"),
    [
        ("/home/me/.claude/skills/tidy", "SKILL.md", True),
        ("/home/me/.claude/commands", "x.md", True),
        ("/home/me/.claude/other", "x.md", False),
        ("/home/me/claude/skills/tidy", "SKILL.md", False),
    ],
)
def test_a_root_that_lies_under_a_claude_folder(
    root: str, path: str, expected: bool, snapshot_of: MakeSnapshot
) -> None:
    assert (
        bool(matches("claude_code", "spec under .claude/", snapshot_of({path: "x"}, root=root))) is expected
    )


def test_context_other_than_fork(snapshot_of: MakeSnapshot) -> None:
    snapshot = snapshot_of({"SKILL.md": "---\ncontext: shared\n---\n"})
    assert not matches("claude_code", "frontmatter context: fork", snapshot)


@every_row(
    "source",
    [
        "# from crewai import Crew\n",
        "text = 'from crewai import Crew'\n",
        "from crewai import (\n",
        "from crewai_like import Crew\n",
    ],
)
def test_python_signals_come_from_the_syntax_tree(source: str, snapshot_of: MakeSnapshot) -> None:
    assert not matches("crewai", "from crewai import", snapshot_of({"app.py": source}))


@every_row(("path", "expected"), [("AGENTS.md", True), ("memory-wiki/concepts/letta.md", False)])
def test_notes_below_the_root_speak_of_any_runtime(
    path: str, expected: bool, snapshot_of: MakeSnapshot
) -> None:
    snapshot = snapshot_of({path: "Calls archival_memory_insert.\n"})
    assert bool(matches("letta", "archival_memory", snapshot)) is expected


@every_row(
    ("path", "wanted"),
    [
        ("app.py", True),
        ("src/pkg/crew.py", True),
        ("skills/x/scripts/run.py", False),
        ("tests/test_app.py", False),
        ("a/b/c/d/e/f.py", False),
        ("SKILL.md", True),
        ("agent.af", True),
        ("deep/agent.af", False),
        (".claude/skills/x/SKILL.md", True),
        (".claude/.credentials.json", False),
        (".claude/other/x.md", False),
        ("notes.txt", False),
    ],
)
def test_files_that_detection_opens(path: str, wanted: bool) -> None:
    assert detection_wants(path) is wanted
