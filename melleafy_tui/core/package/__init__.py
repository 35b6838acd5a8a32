"""What a generated package consists of: facts shared by the plan, generators, lints and documents."""
