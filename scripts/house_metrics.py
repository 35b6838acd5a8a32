"""Hold the product against `budgets.toml`: lines of Python per folder, modules, long patterns and long lines.

Run `python scripts/house_metrics.py` for a table (`--tree PATH`: of another checkout), with `--check` to fail when
something is over its budget, with `--lower` to write lower figures where the tree is below its budget.
"""

import argparse
import ast
import re
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent
BUDGETS: Final = ROOT / "budgets.toml"
SOURCES: Final = ("melleafy_tui", "screens", "generators")
LONG_PATTERN: Final = 200
LONG_LINE: Final = 120
# A string is taken for a pattern when it holds what hardly anything but a regular expression does.
PATTERN_SIGN: Final = re.compile(r"\(\?|\\[bswdBSWD]")


def measure(tree: Path, folders: list[str]) -> tuple[Counter[str], Counter[str]]:
    """Return the lines per folder of `budgets.toml`, and the modules, long patterns and long lines of a checkout.

    Args:
        tree: The root of the checkout.
        folders: The folders with a budget; a module counts for the deepest that holds it, a loose one for the first.
    """
    lines, rest = Counter(dict.fromkeys(folders, 0)), Counter[str]()
    listing = ["git", "ls-files", "-co", "--exclude-standard", *(f"{source}/*.py" for source in SOURCES)]
    listed = subprocess.run(listing, cwd=tree, capture_output=True, text=True, check=True).stdout.splitlines()
    for name in sorted({name for name in listed if (tree / name).is_file()}):
        text = (tree / name).read_text(encoding="utf-8")
        holders = (folder for folder in folders if name.startswith(f"{folder}/"))
        lines[max(holders, key=len, default=folders[0])] += len(text.splitlines())
        rest["modules"] += 1
        rest["long_patterns"] += sum(len(string) > LONG_PATTERN for string in _patterns(ast.parse(text)))
        rest["long_lines"] += sum(len(line) > LONG_LINE for line in text.splitlines())
    return lines, rest


def _patterns(tree: ast.Module) -> Iterator[str]:
    """Yield the text of every string that looks like a regular expression; a docstring stands alone and doesn't."""
    alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    joined = [node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)]
    pieces = {id(piece) for node in joined for piece in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant | ast.JoinedStr) and id(node) not in alone | pieces:
            text = ast.unparse(node) if isinstance(node, ast.JoinedStr) else node.value
            if isinstance(text, str) and PATTERN_SIGN.search(text):
                yield text


def lower(text: str, counted: Counter[str]) -> str:
    """Return the text of `budgets.toml` with each figure lowered to what was counted, none raised."""

    def figure(line: re.Match[str]) -> str:
        return f"{line[1]}{min(int(line[3]), counted[line[2]])}"

    return re.sub(r'^("?([\w/]+)"? = )(\d+)$', figure, text, flags=re.MULTILINE)


def main() -> int:
    """Print the table, or what is over; return how the program exits."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tree", type=Path, default=ROOT)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--lower", action="store_true")
    options = parser.parse_args()
    read = tomllib.loads(BUDGETS.read_text(encoding="utf-8"))
    lines, rest = measure(options.tree, list(read["lines"]))
    counted, budget = lines + rest, read["lines"] | read["rest"]
    over = [name for name in budget if counted[name] > budget[name]]
    if options.lower:
        BUDGETS.write_text(lower(BUDGETS.read_text(encoding="utf-8"), counted), encoding="utf-8")
    if not options.check:
        for name in budget:
            print(f"{name:40} {counted[name]:8,} of {budget[name]:7,}")
    for name in over:
        excess = counted[name] - budget[name]
        print(f"Over budget: {name} has {counted[name]:,}, budget {budget[name]:,} ({excess:,} too many).")
    print(f"Sum: {lines.total():,} lines in {rest['modules']} modules.")
    return int(options.check and bool(over))


if __name__ == "__main__":
    sys.exit(main())
