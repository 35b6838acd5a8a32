"""Compiles the templates and the command line's table into the wheel, which is all that pyproject.toml can't say."""

import json
import runpy
import shutil
import tomllib
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

COMPILER = Path(__file__).resolve().parent / "generators" / "template_compiler.py"


class BuildWithTemplates(build_py):
    """Builds the modules, then compiles the templates beside them."""

    def run(self) -> None:
        """Build; an editable installation compiles on its first use instead."""
        super().run()
        if self.editable_mode:
            return
        built = Path(self.build_lib).resolve() / "melleafy_tui"
        table = built / "cli" / "command_line.toml"
        rows = tomllib.loads(table.read_text(encoding="utf-8"))
        table.with_suffix(".json").write_text(json.dumps(rows), encoding="ascii")  # read ten times as fast
        target = built / "generators" / "templates_compiled"
        shutil.rmtree(target, ignore_errors=True)  # an earlier build of other templates
        # In this process: an isolated build's Jinja is on the path of no other.
        runpy.run_path(str(COMPILER))["compile_templates"](target)


setup(cmdclass={"build_py": BuildWithTemplates})
