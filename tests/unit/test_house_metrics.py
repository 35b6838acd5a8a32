"""The gate on size: what is over its budget is named, and a budget is only ever lowered."""

import shutil
import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "scripts" / "house_metrics.py"


def _run(root: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(root / "scripts" / SCRIPT.name), *options]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def _checkout(root: Path, budgets: str) -> None:
    subprocess.run(["git", "init", "-q", root], check=True)
    for name, text in {
        "melleafy_tui/core/lint/one.py": "x = 1\n" * 5,
        "melleafy_tui/core/words.py": f'"""Not a pattern: \\\\b {"a" * 300}."""\nWORDS = r"\\b(?:{"a|" * 150}b)"\n',
        "scripts/elsewhere.py": "x = 1\n" * 100,
        "budgets.toml": budgets,
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    shutil.copy(SCRIPT, root / "scripts")


def test_names_folder_figure_and_budget_when_over(tmp_path: Path) -> None:
    _checkout(
        tmp_path,
        budgets='[lines]\n"melleafy_tui" = 2\n"melleafy_tui/core/lint" = 4\n[rest]\nlong_patterns = 0\n',
    )
    ran = _run(tmp_path, "--check")
    assert ran.returncode == 1
    assert ran.stdout.splitlines() == [
        "Over budget: melleafy_tui/core/lint has 5, budget 4 (1 too many).",
        "Over budget: long_patterns has 1, budget 0 (1 too many).",
        "Sum: 7 lines in 2 modules.",
    ]


def test_lowers_and_never_raises(tmp_path: Path) -> None:
    _checkout(
        tmp_path,
        budgets='[lines]\n"melleafy_tui" = 9\n\n"melleafy_tui/core/lint" = 4\n\n[rest]\nmodules = 3\n',
    )
    _run(tmp_path, "--lower")
    written = (tmp_path / "budgets.toml").read_text(encoding="utf-8")
    assert written == '[lines]\n"melleafy_tui" = 2\n\n"melleafy_tui/core/lint" = 4\n\n[rest]\nmodules = 2\n'


def test_passes_within_budget(tmp_path: Path) -> None:
    _checkout(tmp_path, budgets='[lines]\n"melleafy_tui" = 7\n[rest]\nmodules = 2\n')
    assert _run(tmp_path, "--check").returncode == 0
