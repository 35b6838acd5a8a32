"""The CrewAI dialect: agents, tasks and the crew that orders them."""
