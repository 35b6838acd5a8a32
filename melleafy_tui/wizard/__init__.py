"""The Textual app: loading, long operations, dialogs, and the queue of keys."""
