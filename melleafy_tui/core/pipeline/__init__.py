"""The steps from a snapshot to a plan, and the conversion that runs them."""
