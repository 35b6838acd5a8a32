"""What an agent's sessions hold, read only from the state folder that the user names (seed 003)."""
