"""The way back: a converted package and its decisions become a workspace of the source runtime again."""
