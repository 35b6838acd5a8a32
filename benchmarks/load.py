"""Measures large workspaces and many conversions in one process: seconds, peak memory, open files.

python -m benchmarks.load rules 10000
python -m benchmarks.load skills 1000
python -m benchmarks.load wiki 20000
python -m benchmarks.load megabytes 50
python -m benchmarks.load conversions 500
"""

import gc
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

from melleafy_tui.core.pipeline.conversion import Conversion
from melleafy_tui.engine import open_conversion

SOUL = "# Soul\n\n- Warm\n"


def _write(root: Path, files: Iterator[tuple[str, str]]) -> None:
    for name, text in (("SOUL.md", SOUL), *files):
        place = root / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")


def _rules(count: int) -> Iterator[tuple[str, str]]:
    yield "AGENTS.md", "# Rules\n\n" + "".join(f"- Never mention matter number {n}\n" for n in range(count))


def _skills(count: int) -> Iterator[tuple[str, str]]:
    for n in range(count):
        yield (
            f"skills/s{n}/SKILL.md",
            f"---\nname: s{n}\ndescription: does thing {n}\n---\n\n- Do thing {n}\n",
        )


def _wiki(count: int) -> Iterator[tuple[str, str]]:
    for n in range(count):
        yield f"memory-wiki/concepts/page-{n}.md", f"# Page {n}\n\nA fact about {n}.\n\n[[page-{n - 1}]]\n"


def _megabytes(count: int) -> Iterator[tuple[str, str]]:
    for n in range(count):
        yield (
            f"memory-wiki/concepts/notes-{n}.md",
            "# Notes\n\n" + "- a fact that somebody wrote down some day\n" * 24_000,
        )


FORMS: dict[str, Callable[[int], Iterator[tuple[str, str]]]] = {
    "rules": _rules,
    "skills": _skills,
    "wiki": _wiki,
    "megabytes": _megabytes,
}


def _opened(root: Path) -> Conversion:
    return open_conversion(root, as_of=date(2026, 11, 1), generated_at="2026-11-01T09:00:00Z")


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def _resident() -> int:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() // 1024


def _one(form: str, count: int, root: Path) -> None:
    _write(root, FORMS[form](count))
    start = time.perf_counter()
    conversion = _opened(root)
    for name in ("inventory", "plan", "rendered", "lints", "files"):
        getattr(conversion, name)
        print(
            f"{form} {count}: {name} after {time.perf_counter() - start:.1f} s, peak {_peak()} MB", flush=True
        )
    elements, findings = len(conversion.inventory.elements), len(conversion.lints.findings)
    print(f"{form} {count}: {elements} elements, {findings} lint findings")


def _many(count: int, root: Path) -> None:
    _write(root, _rules(40))
    start = time.perf_counter()
    for number in range(1, count + 1):
        assert _opened(root).files
        if number in (count // 10, count // 2, count):
            gc.collect()
            files = len(list(Path("/proc/self/fd").iterdir()))
            seconds = time.perf_counter() - start
            print(
                f"conversions {number}: {seconds:.0f} s, {_resident()} KB resident, {files} open files",
                flush=True,
            )


if __name__ == "__main__":
    what, size = sys.argv[1], int(sys.argv[2])
    with tempfile.TemporaryDirectory() as folder:
        if what == "conversions":
            _many(size, Path(folder, "w"))
        else:
            _one(what, size, Path(folder, "w"))
