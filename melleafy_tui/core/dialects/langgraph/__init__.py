"""The LangGraph dialect: graphs of nodes, read with `ast` and never run."""
