"""Static modules that are copied into emitted packages as they are."""
