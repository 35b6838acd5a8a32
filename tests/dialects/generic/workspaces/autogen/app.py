"""Two agents that talk about recipes."""

from autogen import AssistantAgent, UserProxyAgent

cook = AssistantAgent(
    "cook",
    system_message="""You suggest one recipe for what is in the pantry.
Never suggest nuts.""",
)
guest = UserProxyAgent("guest", human_input_mode="NEVER")
guest.initiate_chat(cook, message="What is for dinner?")
