"""Measures the inventory of a large workspace against plain reading of the same files; time and peak memory.

    python benchmarks/inventory.py [--pages 3000] [--rules 2000] [--rounds 3] [--json FILE]

The floor is one process that walks the folder, reads every file, decodes it and parses its frontmatter with
python-frontmatter. A second floor also parses AGENTS.md with markdown-it. Each figure is a whole process, from
fork to exit; memory is the largest resident set that the kernel saw.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]

FLOOR = """
import sys
from pathlib import Path
import frontmatter
found = []
for path in sorted(Path(sys.argv[1]).rglob("*")):
    if path.is_file():
        text = path.read_bytes().decode("utf-8")
        found.append((path, text, frontmatter.loads(text).metadata))
if sys.argv[2:]:
    from markdown_it import MarkdownIt
    MarkdownIt("commonmark").enable("table").parse((Path(sys.argv[1]) / "AGENTS.md").read_text("utf-8"))
print(len(found))
"""

SUBJECTS = ("boat", "berth", "ticket", "crane", "ledger", "lamp", "rope", "sluice", "letter", "map")
FORMS = (
    "Never move the {subject} of row {number} without its keeper.",
    "If the {subject} of row {number} is missing, ask the harbour master first.",
    "Check the number of the {subject} in row {number} before you answer.",
    "Keep answers about the {subject} of row {number} under 60 words.",
    "You may read the record of the {subject} in row {number}.",
    "Row {number} holds the {subject} of the north quay.",
)


@dataclass(frozen=True)
class Figure:
    """One measured command: the median time, the largest memory, and both as ratios to the floor."""

    name: str
    seconds: float
    megabytes: float
    time_ratio: float
    memory_ratio: float


def make_workspace(root: Path, pages: int, rules: int) -> None:
    """Write a workspace with as many wiki pages and rules; the same every time."""
    root.mkdir(parents=True)
    (root / "SOUL.md").write_text("# Soul\n\nSteady.\n", encoding="utf-8")
    (root / "IDENTITY.md").write_text("- **Name:** Marta\n- **Role:** clerk\n", encoding="utf-8")
    lines = ["# Rules", ""]
    for number in range(rules):
        if number % 20 == 0:
            lines += [
                "",
                f"## Part {number // 20 + 1}",
                "",
                "Must never:" if number % 60 == 40 else "Rules:",
                "",
            ]
        subject, form = SUBJECTS[number % len(SUBJECTS)], FORMS[number % len(FORMS)]
        lines.append(f"- {form.format(subject=subject, number=number)}")
    (root / "AGENTS.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    folders = ("entities", "concepts", "syntheses", "sources")
    for number in range(pages):
        folder = root / "memory-wiki" / folders[number % len(folders)]
        folder.mkdir(parents=True, exist_ok=True)
        claims = "\n".join(
            f"  - id: c{claim}\n    text: Row {number} holds {claim} ropes." for claim in range(3)
        )
        body = "\n\n".join(
            f"Paragraph {part} of page {number}, see [[page-{(number + part) % pages}]]." for part in range(6)
        )
        text = f"---\ntitle: Page {number}\nclaims:\n{claims}\n---\n\n# Page {number}\n\n{body}\n"
        (folder / f"page-{number}.md").write_text(text, encoding="utf-8")


def run(command: list[str]) -> tuple[float, float]:
    """Return seconds and peak megabytes of one process."""
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "1793500000"}
    started = time.perf_counter()
    process = subprocess.Popen(command, cwd=PROJECT, env=environment, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{command[:4]} ended with {process.returncode}")
    kilobytes = usage.ru_maxrss / (1024 if sys.platform == "darwin" else 1)
    return time.perf_counter() - started, kilobytes / 1024


def measure(pages: int, rules: int, rounds: int) -> list[Figure]:
    """Measure every command `rounds` times, one after the other, on the same workspace."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "workspace"
        make_workspace(root, pages, rules)
        commands = {
            "read and parse frontmatter": [sys.executable, "-c", FLOOR, str(root)],
            "and parse AGENTS.md": [sys.executable, "-c", FLOOR, str(root), "markdown"],
            "inventory --json": [sys.executable, "-m", "melleafy_tui", "inventory", str(root), "--json"],
        }
        found: dict[str, list[tuple[float, float]]] = {name: [] for name in commands}
        for _ in range(rounds):
            for name, command in commands.items():
                found[name].append(run(command))
    medians = {name: statistics.median(seconds for seconds, _ in values) for name, values in found.items()}
    peaks = {name: max(megabytes for _, megabytes in values) for name, values in found.items()}
    floor = next(iter(commands))
    return [
        Figure(name, medians[name], peaks[name], medians[name] / medians[floor], peaks[name] / peaks[floor])
        for name in commands
    ]


def main() -> None:
    """Measure, print the table, and write it as JSON where asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pages", type=int, default=3000)
    parser.add_argument("--rules", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    figures = measure(options.pages, options.rules, options.rounds)
    print(f"{'what':28}{'seconds':>9}{'ratio':>7}{'peak MB':>9}{'ratio':>7}")
    for figure in figures:
        print(
            f"{figure.name:28}{figure.seconds:9.2f}{figure.time_ratio:7.2f}{figure.megabytes:9.1f}{figure.memory_ratio:7.2f}"
        )
    if options.json:
        text = json.dumps([asdict(figure) for figure in figures], indent=2) + "\n"
        options.json.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
