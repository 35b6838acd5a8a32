"""The shipped table of Mellea's interface is that of the installed Mellea."""

import subprocess
import sys
from pathlib import Path

import pytest

from melleafy_tui.core.package.backends import TABLE, mellea_table

SCRIPT = Path(__file__).resolve().parents[3] / "scripts" / "build_mellea_api.py"


@pytest.mark.slow
def test_the_table_is_what_the_script_makes_of_the_installed_mellea() -> None:
    mellea = pytest.importorskip("mellea")
    if not mellea.__file__:
        pytest.skip("Mellea is no package here")
    program = f"import runpy, sys; sys.stdout.buffer.write(runpy.run_path({str(SCRIPT)!r})['encoded']())"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout == TABLE.read_bytes()


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("mellea", "start_session"),
        ("mellea", "generative"),
        ("mellea.backends", "ModelOption"),
        ("mellea.core", "SamplingResult"),
        ("mellea.stdlib.requirements", "simple_validate"),
        ("mellea.stdlib.sampling", "RepairTemplateStrategy"),
    ],
)
def test_the_table_has_what_emitted_code_imports(module: str, name: str) -> None:
    assert name in mellea_table().modules[module]
