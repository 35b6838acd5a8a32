"""What a user can do in the wizard or in plain lines, independent of how it is displayed."""
