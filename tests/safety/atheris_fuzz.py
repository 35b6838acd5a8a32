"""Feeds the parsers with inputs that atheris steers by coverage; what hypothesis draws does not look at the code.

    pip install atheris
    python -m tests.safety.atheris_fuzz [PARSER…] [--seconds 60]

Each parser has a process of its own, since atheris ends the one that it runs in. It is no part of the suites: its
findings become examples of `test_fuzzing.py`. The exit status is the number of parsers that raised something of others.
"""

import argparse
import subprocess
import sys
import tempfile


def fuzz(name: str, seconds: int) -> None:
    """Feed one parser until the time is over; a fault ends the process with its traceback and the input."""
    import atheris

    with atheris.instrument_imports(include=["melleafy_tui"]):
        from tests.safety.parsers import PARSERS

    def once(data: bytes) -> None:
        provider = atheris.FuzzedDataProvider(data)
        PARSERS[name](provider.ConsumeUnicode(len(data)))

    with tempfile.TemporaryDirectory() as folder:
        atheris.Setup(
            [sys.argv[0], f"-max_total_time={seconds}", "-timeout=20", f"-artifact_prefix={folder}/"], once
        )
        atheris.Fuzz()


def main() -> int:
    """Feed the named parsers, or all of them, one after the other."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parsers", nargs="*")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.here:
        fuzz(options.parsers[0], options.seconds)
        return 0
    from tests.safety.parsers import PARSERS

    failed = 0
    for name in options.parsers or PARSERS:
        command = [sys.executable, "-m", __spec__.name, name, "--seconds", str(options.seconds), "--here"]
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
        runs = [line for line in done.stderr.splitlines() if line.startswith("Done ")]
        print(f"{name}: {runs[-1] if runs else 'failed'}", flush=True)
        if done.returncode or not runs:
            failed += 1
            print(done.stdout[-3000:], done.stderr[-3000:], sep="\n", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
