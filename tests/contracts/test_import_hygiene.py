"""What each door imports, seen from a fresh interpreter: static contracts are in the project file."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.conftest import PROJECT

SCREENS: Final = ("opening", "detect", "inventory", "decide", "preview", "write", "review")
LOADED = "import json, sys; {code}; print(json.dumps(sorted(sys.modules)), file=sys.stderr)"


def modules_after(code: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", LOADED.format(code=code)],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return set(json.loads(done.stderr.strip().splitlines()[-1]))


def roots(modules: set[str]) -> set[str]:
    return {module.split(".")[0] for module in modules}


def test_the_conversion_runs_without_terminal_templates_or_mellea() -> None:
    loaded = roots(modules_after("import melleafy_tui.core.pipeline.conversion"))
    assert not loaded & {"textual", "rich", "jinja2", "mellea", "argparse"}


def test_importing_the_package_imports_nothing_heavy() -> None:
    assert not roots(modules_after("import melleafy_tui")) & {"pydantic", "textual", "jinja2", "markdown_it"}


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_and_version_import_no_library_and_make_no_records(option: str) -> None:
    code = f"""
import sys
from pathlib import Path
from typing import Final
sys.argv = ["melleafy-tui", "{option}"]
from melleafy_tui.cli.main import main
try:
    main()
except SystemExit:
    pass
"""
    loaded = roots(modules_after(f"exec({code!r})"))
    assert not loaded & {"textual", "pydantic", "markdown_it", "jinja2", "yaml"}
    assert not loaded & {"msgspec", "dataclasses"}, "they cost as much as the rest"
    assert "melleafy_tui" in loaded


def test_detect_imports_no_lints_and_no_reader_of_another_runtime() -> None:
    example = str(PROJECT / "examples" / "ticket-triage")
    loaded = modules_after(f"from melleafy_tui.cli.main import main; main(['detect', {example!r}])")
    assert "melleafy_tui.core.dialects.openclaw.reader" in loaded
    assert not roots(loaded) & {"textual", "jinja2", "mellea", "yaml", "pydantic"}
    assert not [
        name
        for name in loaded
        if name.startswith(("melleafy_tui.core.lint.", "melleafy_tui.generators"))
        or (name.endswith(".reader") and ("claude_code" in name or "agent_skills" in name))
    ]


def test_the_screens_import_no_pydantic() -> None:
    code = "; ".join(
        f"import melleafy_tui.{part}" for part in ("wizard.app", *map("screens.{}".format, SCREENS))
    )
    assert not roots(modules_after(code)) & {"pydantic", "pydantic_core", "jinja2", "mellea"}


def test_a_conversion_without_settings_of_a_user_imports_no_pydantic(tmp_path: Path) -> None:
    example = str(PROJECT / "examples" / "ticket-triage")
    arguments = [example, "--dependencies=auto", "--quiet", "--out", str(tmp_path / "out")]
    loaded = roots(modules_after(f"from melleafy_tui.cli.main import main; main({arguments!r})"))
    assert "jinja2" in loaded
    assert not loaded & {"textual", "pydantic", "pydantic_core", "mellea"}
    assert not loaded & {"email", "difflib", "platformdirs"}


SOURCES: Final = sorted(
    path for folder in ("melleafy_tui", "generators", "screens") for path in (PROJECT / folder).rglob("*.py")
)
PARSERS: Final = re.compile(
    r"\bast\.(?:parse|literal_eval)\b|\bfrom ast import\b|\bPyCF_ONLY_AST\b|(?<![\w.])compile\("
)


def test_python_is_parsed_behind_one_lock() -> None:
    found = {
        path.relative_to(PROJECT).as_posix() for path in SOURCES if PARSERS.search(path.read_text("utf-8"))
    }
    assert found == {"melleafy_tui/core/language/python_syntax.py"}, (
        "side by side, Python 3.11 ends both with a SystemError"
    )


def test_a_conversion_imports_nothing_for_json_decisions_edits_or_other_peoples_dialects(
    tmp_path: Path,
) -> None:
    example = str(PROJECT / "examples" / "ticket-triage")
    arguments = [example, "--dependencies=auto", "--quiet", "--out", str(tmp_path / "out")]
    loaded = modules_after(f"from melleafy_tui.cli.main import main; main({arguments!r})")
    assert {"melleafy_tui.generators.render", "melleafy_tui.core.lint.table", "filelock"} <= loaded
    assert not loaded & {
        "merge3",
        "melleafy_tui.core.decisions.commands",
        "melleafy_tui.core.decisions.file",
        "melleafy_tui.core.decisions.rebase",
        "melleafy_tui.core.dialects.plugins",
        "melleafy_tui.core.models.decisions",
        "melleafy_tui.core.output.merge",
        "melleafy_tui.actions.key_remapping",
    }
