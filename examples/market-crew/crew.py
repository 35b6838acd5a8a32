"""The crew behind the chalkboard of the stall. run: python main.py"""

from crewai import Agent, Crew, Process, Task
from crewai.project import CrewBase, agent, crew, task

# TODO: the tool for the weather, when there is time


@CrewBase
class MarketCrew:
    agents_config = "config/agents.yaml"
    tasks_config = "config/tasks.yaml"

    @agent
    def scout(self) -> Agent:
        return Agent(config=self.agents_config["scout"])

    @agent
    def schreiber(self) -> Agent:
        return Agent(config=self.agents_config["schreiber"], verbose=True)

    @task
    def look_around(self) -> Task:
        return Task(config=self.tasks_config["look_around"])

    @task
    def choose(self) -> Task:
        return Task(config=self.tasks_config["choose"])

    @task
    def aushang(self) -> Task:
        return Task(config=self.tasks_config["aushang"], output_file="aushang.md")

    @crew
    def crew(self) -> Crew:
        return Crew(agents=self.agents, tasks=self.tasks, process=Process.sequential, verbose=True)
