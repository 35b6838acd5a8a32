"""A ferry desk as a graph."""

from langchain_core.tools import tool
from langgraph.checkpoint.memory import MemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages

STATE = {"messages": add_messages}


@tool
def next_departure(pier: str) -> str:
    """Return when the next ferry leaves a pier."""
    raise NotImplementedError


def answer(state, make_agent):
    return make_agent(system_prompt="You answer questions about ferries in two sentences.", tools=[next_departure])


builder = StateGraph(STATE)
builder.add_node("answer", answer)
builder.add_edge(START, "answer")
builder.add_edge("answer", END)
graph = builder.compile(checkpointer=MemorySaver())
