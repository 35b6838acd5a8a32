"""An agent that reads the weather."""

from smolagents import CodeAgent, tool


@tool
def rain_tomorrow(town: str) -> bool:
    """Say whether it will rain tomorrow.

    Args:
        town: The town.
    """
    raise NotImplementedError


agent = CodeAgent(
    tools=[rain_tomorrow], model=None, instructions="You say in one line whether to take an umbrella."
)
