"""The agents that an openclaw.json declares, which of them a workspace belongs to, and the limits set for it."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from melleafy_tui.core.errors import UsageError
from melleafy_tui.core.workspace.json5 import JsonNode


class Agent(Struct, frozen=True):
    """One declared agent with its place."""

    agent_id: str
    name: str
    node: JsonNode
    is_default: bool
    workspace: str


def declared_agents(root: JsonNode) -> Iterator[Agent]:
    """Yield the agents of a configuration, of either generation."""
    listed = root.at("agents.list")
    for node in listed.items() if listed else ():
        agent_id = text_at(node, "id") or text_at(node, "name")
        yield Agent(
            agent_id,
            text_at(node, "name") or agent_id,
            node,
            _flag(node, "default"),
            text_at(node, "workspace"),
        )
    entries = root.at("agents.entries")
    for key, node in entries.members() if entries else ():
        yield Agent(
            key, text_at(node, "name") or key, node, _flag(node, "default"), text_at(node, "workspace")
        )


def own_agent(agents: Sequence[Agent], workspace: str) -> Agent | None:
    """Return the agent that this workspace belongs to: by its folder, the default, `main`, the first."""
    for agent in agents:
        if agent.workspace and agent.workspace.replace("\\", "/").rstrip("/").rpartition("/")[2] == workspace:
            return agent
    chosen = [agent for agent in agents if agent.is_default] or [
        agent for agent in agents if agent.agent_id == "main"
    ]
    candidates = chosen or list(agents)
    return candidates[0] if candidates else None


def own_limits(root: JsonNode, workspace: str, agent: str = "") -> tuple[int | None, int | None]:
    """Return the budget limits that the configuration sets itself: for a file and in all.

    Args:
        root: The configuration.
        workspace: Name of the workspace's folder.
        agent: The id of the agent that is meant; by default the one that the workspace belongs to.

    Raises:
        UsageError: no such agent is declared.
    """
    agents = list(declared_agents(root))
    own = next((each for each in agents if each.agent_id == agent), None)
    if agent and own is None:
        raise no_such_agent(agent, [each.agent_id for each in agents])
    own = own or own_agent(agents, workspace)
    places = [own.node] if own else []
    places += [node for node in (root.at("agents.defaults"), root.at("agent")) if node]

    def limit(name: str) -> int | None:
        for node in places:
            found = node.at(name)
            if (
                found
                and isinstance(found.value, int)
                and not isinstance(found.value, bool)
                and found.value > 0
            ):
                return found.value
        return None

    return limit("bootstrapMaxChars"), limit("bootstrapTotalMaxChars")


def no_such_agent(agent: str, declared: Sequence[str]) -> UsageError:
    """Return the error for an agent that no configuration declares."""
    return UsageError(
        f"The configuration declares no agent {agent!r}",
        hint=f"It declares {', '.join(declared)}."
        if declared
        else "There is no openclaw.json that declares agents.",
        location="--agent",
    )


def text_at(node: JsonNode, path: str) -> str:
    """Return the text at a path below a node, `""` where there is none."""
    found = node.at(path)
    return found.value if found and isinstance(found.value, str) else ""


def _flag(node: JsonNode, path: str) -> bool:
    found = node.at(path)
    return found is not None and found.value is True
