"""From a converted package and its decisions back to a workspace."""
