"""Compiles the command line's table into the wheel, which is all that pyproject.toml can't say."""

import json
import tomllib
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py


class BuildWithTable(build_py):
    """Builds the modules, then writes the table beside them."""

    def run(self) -> None:
        """Build; an editable installation reads the table as it is."""
        super().run()
        if self.editable_mode:
            return
        built = Path(self.build_lib).resolve() / "melleafy_tui"
        table = built / "cli" / "command_line.toml"
        rows = tomllib.loads(table.read_text(encoding="utf-8"))
        table.with_suffix(".json").write_text(json.dumps(rows), encoding="ascii")  # read ten times as fast


setup(cmdclass={"build_py": BuildWithTable})
