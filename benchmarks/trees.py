"""Measures `detect` in a tree of 100,000 files against a bare walk with `stat` that reads what dialects declare.

How soon it can be ended is measured too: the longest time between two reports of progress, at which it ends.

Half of the files are Python: a third of these in the agent's own monorepo, the others in a virtual environment, a
vendored library and build output. Beside them stand `node_modules`, media, logs, and a `.git` with many objects.
"""

import os
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

from benchmarks.measuring import DOOR, Cost, Figure, Row, measured, process, process_environment, tree

WALK = (sys.executable, "-m", "benchmarks.trees", "walk")
GAP = """
import sys, time
from pathlib import Path
from melleafy_tui.core.dialects.registry import Dialects
from melleafy_tui.engine import read_workspace
dialects, marks = Dialects.default(), [time.perf_counter()]
read_workspace(Path(sys.argv[1]), dialects, progress=lambda *_: marks.append(time.perf_counter()))
marks.append(time.perf_counter())
print(1000 * max(after - before for before, after in zip(marks, marks[1:])))
"""
MOST_MEMORY = Cost(0.0, 120.0)
MOST_PATIENCE = Cost(200.0)
LINE = (
    "    total += weigh(row, number={number})  # the keeper of the north quay checks this row twice a day\n"
)
SHARES = (
    ("services/{a}/src/{b}", ".py", 17),
    ("venv/lib/python3.11/site-packages/{a}/{b}", ".py", 23),
    ("vendor/{a}/{b}", ".py", 7),
    ("build/lib/{a}/{b}", ".py", 3),
    ("node_modules/{a}/{b}", ".js", 25),
    ("media/{a}/{b}", ".png", 10),
    ("logs/{a}/{b}", ".log", 5),
    (".git/objects/{a}/{b}", "", 10),
)
"""Folders, the ending of their files, and their share of all files in percent."""


def make_tree(root: Path, files: int, size: int = 20) -> None:
    """Write a workspace with a tree of files around it; the same every time.

    Args:
        root: The folder to make.
        files: Number of files around the workspace.
        size: Lines of the largest Python file in tens; the smallest has a tenth of them.
    """
    (root / "memory").mkdir(parents=True)
    for name, text in _WORKSPACE.items():
        (root / name).write_text(text, encoding="utf-8")
    for form, ending, share in SHARES:
        count = files * share // 100
        for number in range(count):
            folder = root / form.format(a=f"part-{number // 400}", b=f"area-{number // 20 % 20}")
            if number % 20 == 0:
                folder.mkdir(parents=True, exist_ok=True)
            lines = 1 + number % (size * 10)
            (folder / f"file_{number}{ending}").write_text(
                "import os\nfrom pathlib import Path\n\n\ndef weigh_all(rows):\n    total = 0\n"
                + "".join(LINE.format(number=number) for number in range(lines))
                + "    return total\n",
                encoding="utf-8",
            )


_WORKSPACE = {
    "SOUL.md": "# Soul\n\nSteady and exact.\n",
    "IDENTITY.md": "- **Name:** Marta\n- **Role:** clerk of the harbour\n",
    "AGENTS.md": "# Rules\n\n" + "".join(f"- Never move berth {n} without its keeper.\n" for n in range(150)),
    "HEARTBEAT.md": "# Heartbeat\n\n- Look at the queue every 30 minutes.\n",
    ".gitignore": "*.log\n__pycache__/\nlogs/\nvenv/\nmemory/\nSOUL.md\n!services/\n",
    "memory/2026-10-30.md": "Quiet.\n",
}


def walk(root: Path) -> None:
    """Walk with `stat`, and read what dialects declare: Markdown near the root, and the monorepo's Python files."""
    services = os.fspath(root / "services")
    folders = [os.fspath(root)]
    while folders:
        folder = folders.pop()
        is_declared = folder.startswith(services)
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
                    continue
                entry.stat(follow_symlinks=False)
                if is_declared or entry.name in _WORKSPACE:
                    Path(entry.path).read_bytes()


def trees(rounds: int, *, small: bool) -> list[Figure]:
    """Measure what the first look at a large tree costs."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "tree"
        files = 10_000 if small else 100_000
        make_tree(root, files)
        read = f"walk of {files} files"
        return measured(
            "trees",
            [
                Row(read, partial(process, [*WALK, str(root)])),
                Row(
                    f"detect in {files} files",
                    partial(process, [*DOOR, "detect", str(root), "--json"]),
                    (read,),
                    1.5,
                ),
                Row(
                    f"memory of detect in {files} files",
                    partial(process, [*DOOR, "detect", str(root), "--json"]),
                    most=MOST_MEMORY,
                ),
                Row(
                    "longest wait until reading can be ended", partial(_longest_gap, root), most=MOST_PATIENCE
                ),
            ],
            rounds,
        )


def _longest_gap(root: Path) -> Cost:
    done = subprocess.run(
        [sys.executable, "-c", GAP, str(root)],
        cwd=tree(),
        env=process_environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    return Cost(float(done.stdout))


if __name__ == "__main__":
    walk(Path(sys.argv[2]))
