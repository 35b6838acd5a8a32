"""The structure of a generated package, shared by the plan, generators, lints and documents."""
