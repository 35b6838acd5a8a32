from crewai import Agent, Crew, Process, Task
from crewai.project import CrewBase, agent, crew, task


@CrewBase
class Desk:
    """The desk for letters."""

    @agent
    def sorter(self) -> Agent:
        return Agent(config=self.agents_config["sorter"], verbose=True)

    @agent
    def answerer(self) -> Agent:
        return Agent(config=self.agents_config["answerer"])

    @task
    def sort_letter(self) -> Task:
        return Task(config=self.tasks_config["sort_letter"])

    @task
    def answer_letter(self) -> Task:
        return Task(config=self.tasks_config["answer_letter"])

    @crew
    def crew(self) -> Crew:
        return Crew(agents=self.agents, tasks=self.tasks, process=Process.hierarchical, manager_llm="gpt-4o")
