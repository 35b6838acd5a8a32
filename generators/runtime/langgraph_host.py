# Static module of melleafy-tui 0.2.0, not to be edited.
"""The agent as a LangGraph graph of one node; a thread keeps the conversation.

graph.py of the project calls it; it needs LangGraph.
"""

import inspect
from collections.abc import Callable
from typing import Annotated, Any, get_type_hints

from langgraph.channels import EphemeralValue
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from typing_extensions import TypedDict

from .runtime import AgentReply, is_wake_up, read_history

REPLY = "reply"
"""The key of the result in the state."""
HISTORY = "history"
"""The parameter that a thread keeps from run to run."""

Pipeline = Callable[..., AgentReply]
Update = dict[str, object]


def agent_graph(
    run_pipeline: Pipeline, *, name: str, given: type, result: type
) -> CompiledStateGraph[Any, None, Any, Any]:
    """Return the compiled graph: START, the agent, END.

    Args:
        run_pipeline: The package's function.
        name: The name of the graph.
        given: The TypedDict of the input, with a key per parameter.
        result: The TypedDict of the output.
    """
    made: Any = TypedDict  # with keys that only the caller knows
    hints = get_type_hints(given, include_extras=True)
    one_run = made(
        given.__name__,
        {
            key: hint if key == HISTORY else Annotated[hint, EphemeralValue]
            for key, hint in hints.items()
        },
        total=False,
    )
    keys = {**get_type_hints(one_run, include_extras=True), **get_type_hints(result)}
    state = made("State", keys, total=False)
    graph: Any = StateGraph(state, input_schema=one_run, output_schema=result)
    graph.add_node("agent", agent_node(run_pipeline))
    graph.add_edge(START, "agent")
    graph.add_edge("agent", END)
    compiled: CompiledStateGraph[Any, None, Any, Any] = graph.compile(name=name)
    return compiled


def agent_node(run_pipeline: Pipeline) -> Callable[[Update], Update]:
    """Return the node, which calls the agent and adds both turns to the history.

    Everything but the history holds for one run: a key that an input leaves out has its
    default, also on a thread that ran before.
    """
    parameters = inspect.signature(run_pipeline).parameters
    first = next(iter(parameters), "")

    def agent(state: Update) -> Update:
        given = {
            key: value
            for key, value in state.items()
            if key in parameters and value is not None
        }
        if first:
            given.setdefault(first, None)
        reply = run_pipeline(**given)
        message = given.get(first)
        if HISTORY not in parameters or is_wake_up(message) or not reply.text:
            return {REPLY: reply}
        earlier: Any = given.get(HISTORY)
        turns = [turn.model_dump() for turn in read_history([], earlier)]
        turns.append({"role": "user", "text": str(message)})
        turns.append({"role": "assistant", "text": reply.text})
        return {REPLY: reply, HISTORY: turns}

    return agent
