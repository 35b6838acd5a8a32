"""A writer and a critic who take turns."""

from datetime import date
from typing import Literal

from langchain_openai import ChatOpenAI
from langgraph.graph import StateGraph
from pydantic import BaseModel
from typing_extensions import TypedDict

llm = ChatOpenAI(model="gpt-4o")


class State(TypedDict):
    topic: str
    draft: str
    verdict: str


class Verdict(BaseModel):
    verdict: Literal["good", "again"]
    advice: str


critic = llm.with_structured_output(Verdict)


def write(state: State):
    prompt = f"""Write a joke about {state["topic"]} for {date.today()}.
Keep it under 40 words."""
    return {"draft": llm.invoke(prompt).content}


def judge(state: State):
    return critic.invoke(f"Is this joke funny? {state['draft']}")


def ready(state: State) -> str:
    """Stop once the joke is good."""
    if state["verdict"] == "good":
        return "Done"
    return "Again"


workflow = StateGraph(State)
workflow.add_node("write", write)
workflow.add_node("judge", judge)
workflow.set_entry_point("write")
workflow.add_edge("write", "judge")
workflow.add_conditional_edges("judge", ready, {"Done": "__end__", "Again": "write"})
app = workflow.compile()
