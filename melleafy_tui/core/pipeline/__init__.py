"""The conversion steps from a snapshot to a plan, and the `Conversion` that runs them."""
