"""A desk that hands over to a billing agent."""

from agents import Agent, Runner, function_tool


@function_tool
def open_invoice(number: str) -> str:
    """Return the text of an invoice."""
    raise NotImplementedError


billing = Agent(name="Billing", instructions="You explain invoices in plain words.", tools=[open_invoice])
desk = Agent(
    name="Desk", instructions="You greet the caller and find out what it is about.", handoffs=[billing]
)

if __name__ == "__main__":
    print(Runner.run_sync(desk, "Why do I pay twice?").final_output)
