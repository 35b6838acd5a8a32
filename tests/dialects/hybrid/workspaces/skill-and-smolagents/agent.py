"""An agent that reads the weather."""

from smolagents import CodeAgent, HfApiModel, ToolCallingAgent, tool


@tool
def rain_tomorrow(town: str) -> bool:
    """Say whether it will rain tomorrow.

    Args:
        town: The town.
    """
    raise NotImplementedError


advice = CodeAgent(
    tools=[rain_tomorrow],
    model=HfApiModel(),
    instructions="You say in one line whether to take an umbrella.",
    additional_authorized_imports=["json"],
)
desk = ToolCallingAgent(tools=[], model=HfApiModel(), managed_agents=[advice])
