"""An archivist with memory blocks."""

from letta_client import Letta

client = Letta()
agent = client.agents.create(
    memory_blocks=[
        {"label": "persona", "value": "I keep the village archive."},
        {"label": "human", "value": ""},
    ],
    system_prompt="You find old photographs and say where each one lies.",
    enable_sleeptime=True,
)
