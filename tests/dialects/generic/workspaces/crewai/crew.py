"""The crew of the orchard."""

from crewai import Agent, Crew, Task
from crewai.project import CrewBase, agent, crew, task
from crewai.tools import tool


@tool("Crate scale")
def weigh_crate(crate: str) -> float:
    """Return the weight of a crate in kilograms."""
    raise NotImplementedError


@CrewBase
class Orchard:
    @agent
    def taster(self) -> Agent:
        return Agent(config=self.agents_config["taster"], tools=[weigh_crate])

    @task
    def taste(self) -> Task:
        return Task(config=self.tasks_config["taste"])

    @crew
    def orchard(self) -> Crew:
        return Crew(agents=self.agents, tasks=self.tasks)
