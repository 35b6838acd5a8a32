"""Measures `history` on a long transcript: time, and peak memory beside a state folder without it.

    python -m benchmarks.history [--megabytes 200] [--form seed|entry] [--turns all|few|same]

Each figure is a whole process, from fork to exit; memory is the largest resident set that the kernel saw.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Final

PROGRAM: Final = """
import resource, sys
from melleafy_tui.cli.main import main
code = main(["history", sys.argv[1], "--session", "all", "--json"])
print(code, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)
"""
TURNS: Final = {"all": 1, "few": 1_000, "same": 0}
"""How often a user turn says something new: always, once in a thousand, never."""


@dataclass(frozen=True)
class Peak:
    """One process: what it proposed, how long it took and the memory it held at most."""

    candidates: int
    older: int
    seconds: float
    kilobytes: int


def write_state(folder: Path, megabytes: int, *, form: str = "seed", turns: str = "all") -> Path:
    """Write a state folder with one small and one long transcript, and return the long one."""
    sessions = folder / "agents/main/sessions"
    sessions.mkdir(parents=True)
    (sessions / "small.jsonl").write_bytes(_line("user", "hello there", 0, form))
    long = sessions / "long.jsonl"
    with long.open("wb") as stream:
        for data in _lines(form, TURNS[turns]):
            stream.write(data)
            if stream.tell() >= megabytes * 1_000_000:
                break
    return long


def measure(folder: Path) -> Peak:
    """Return what reading and proposing costs."""
    started = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(folder)], capture_output=True, text=True, timeout=500, check=True
    )
    seconds = time.perf_counter() - started
    code, kilobytes = done.stderr.split()[-2:]
    if code != "0":
        raise SystemExit(done.stderr)
    document = json.loads(done.stdout)
    return Peak(len(document["candidates"]), document["passed_over"].get("older", 0), seconds, int(kilobytes))


def _lines(form: str, new: int) -> Iterator[bytes]:
    for number in count():
        says = number // new if new else 0
        yield _line("user", f"Where is parcel {says:x} of the north quay?", 2 * number, form)
        yield _line("assistant", "It stands behind the crane. " * 70, 2 * number + 1, form)


def _line(role: str, text: str, number: int, form: str) -> bytes:
    turn: dict[str, object] = {"role": role, "content": text, "timestamp": "2026-04-15T10:00:00Z"}
    if form == "entry":
        message = {"role": role, "content": [{"type": "text", "text": text}]}
        turn = {"type": "message", "id": f"m{number}", "parentId": f"m{number - 1}", "message": message}
    return json.dumps(turn).encode() + b"\n"


def _main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--megabytes", type=int, default=200)
    parser.add_argument("--form", choices=("seed", "entry"), default="seed")
    parser.add_argument("--turns", choices=tuple(TURNS), default="all")
    words = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        state = Path(folder) / "state"
        long = write_state(state, words.megabytes, form=words.form, turns=words.turns)
        lines = sum(1 for _ in long.open("rb"))
        with_it = measure(state)
        long.unlink()
        without = measure(state)
    print(f"{words.megabytes} MB, {lines:,} lines, form {words.form}, new turns: {words.turns}")
    print(f"  with it    {with_it.seconds:6.1f} s  peak {with_it.kilobytes / 1024:6.1f} MiB")
    print(f"  without it {without.seconds:6.1f} s  peak {without.kilobytes / 1024:6.1f} MiB")
    print(f"  the transcript costs {(with_it.kilobytes - without.kilobytes) / 1024:.1f} MiB of memory")
    print(f"  {with_it.candidates} candidates, {with_it.older:,} older turns passed over")


if __name__ == "__main__":
    _main()
