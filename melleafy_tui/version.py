"""The version of the project, in the one place that the build, `--version` and the manifest read."""

__version__ = "0.2.0"
