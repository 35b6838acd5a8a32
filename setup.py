"""Compiles the templates into the wheel, which is all that pyproject.toml can't say."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py


class BuildWithTemplates(build_py):
    """Builds the modules, then lets the built package compile its own templates beside them."""

    def run(self) -> None:
        """Build; an editable installation compiles on its first use instead."""
        super().run()
        if self.editable_mode:
            return
        built = Path(self.build_lib).resolve()
        target = built / "melleafy_tui" / "generators" / "templates_compiled"
        shutil.rmtree(target, ignore_errors=True)  # an earlier build of other templates
        subprocess.run(
            [
                sys.executable,
                "-B",
                "-m",
                "melleafy_tui.generators.environment",
                str(target),
            ],
            check=True,
            env={**os.environ, "PYTHONPATH": str(built)},
            cwd=built,
        )


setup(cmdclass={"build_py": BuildWithTemplates})
