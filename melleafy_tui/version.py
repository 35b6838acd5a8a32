"""The version of the project, in the one place that the build, `--version` and the manifest read; how to install it."""

__version__ = "0.2.0"
# The project is on no package index yet, so an extra is installed from its own folder.
INSTALL_HINT = "In the clone or archive of melleafy-tui, run `pip install '.[{}]'`."
