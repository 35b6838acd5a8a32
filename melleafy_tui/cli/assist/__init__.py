"""`--assist`: asks the configured model about the uncertain elements, and keeps its answers as decisions."""
