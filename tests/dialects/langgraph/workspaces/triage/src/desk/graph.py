"""A desk that sorts letters, and asks before it sends one."""

from typing import Literal

from langchain.chat_models import init_chat_model
from langchain_core.messages import HumanMessage, SystemMessage
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, interrupt
from pydantic import BaseModel, Field
from typing_extensions import TypedDict

from desk import prompts

model = init_chat_model("openai:gpt-4.1")


class State(TypedDict):
    letter: str
    owner: str
    kind: str
    reply: str


class Sorted(BaseModel):
    reasoning: str
    kind: Literal["ignore", "notify", "respond"] = Field(description="What to do with the letter.")


def triage(state: State) -> Command[Literal["answer", "note", "__end__"]]:
    """Sort a letter."""
    found = model.with_structured_output(Sorted).invoke(
        [SystemMessage(content=prompts.TRIAGE.format(owner=state["owner"])), HumanMessage(content=f"The letter: {state['letter']}")]
    )
    if found.kind == "respond":
        goto = "answer"
    elif found.kind == "notify":
        goto = "note"
    else:
        goto = END
    return Command(goto=goto, update={"kind": found.kind})


def answer(state: State):
    said = model.invoke(prompts.REPLY.format(kind=state["kind"]))
    return {"reply": said.content}


def ask(state: State):
    """Ask before the reply is sent."""
    interrupt("May the reply be sent?")


def send(state: State):
    """Send the reply by post."""
    post_office.send(state["reply"])


def note(state: State):
    """Put a note on the board."""
    board.add(state["letter"])


builder = StateGraph(State)
builder.add_node(triage)
builder.add_node("answer", answer)
builder.add_node("ask", ask)
builder.add_node("send", send)
builder.add_node("note", note)
builder.add_edge(START, "triage")
builder.add_edge("answer", "ask")
builder.add_edge("ask", "send")
builder.add_edge("send", END)
builder.add_edge("note", END)
graph = builder.compile()
