"""An agent's sessions as fixture candidates, read from the state folder that the user names."""
