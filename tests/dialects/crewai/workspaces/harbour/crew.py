"""A crew of three agents that are written in Python."""

from textwrap import dedent

from crewai import Agent, Crew, Task
from crewai.tools import tool
from crewai_tools import SerperDevTool
from pydantic import BaseModel, Field

HOUSE_STYLE = "You write short sentences."


class Berth(BaseModel):
    """Where a ship lies."""

    pier: str = Field(description="The letter of the pier.")
    depth: float
    free: bool


@tool("Tide table")
def tide_table(day: str) -> str:
    """Return high and low water of a day."""
    return f"high water on {day}: 06:40"


def planner() -> Agent:
    return Agent(
        role="Harbour planner",
        goal="Find a berth for {ship}",
        backstory=dedent("""\
            You know each pier by its depth.
            You never guess a draught."""),
        tools=[tide_table, SerperDevTool()],
        allow_delegation=True,
    )


pilot = Agent(role="Pilot", goal="Bring {ship} in safely", backstory="You have sailed for 30 years.")
clerk = Agent(role="Clerk", goal="Tell the captain", backstory=HOUSE_STYLE)

berth = Task(
    description="Choose the berth for {ship}, whose draught is {draught} metres.",
    expected_output="Pier, depth, and whether it is free.",
    agent=planner(),
    output_pydantic=Berth,
)
weather = Task(
    description="Say what the weather of {day} means for pilots.",
    expected_output="Two sentences at most.",
    agent=pilot,
    context=[],
)
letter = Task(
    description=f"""
    Write to the captain of {{ship}}.

    - Name the pier.
    - Never promise a time.
    """,
    expected_output="A letter of at most 120 words.",
    guardrail="The letter blames nobody.",
    agent=clerk,
    human_input=True,
    output_file="letter.md",
)

crew = Crew(agents=[planner(), pilot, clerk], tasks=[berth, weather, letter], memory=True)
