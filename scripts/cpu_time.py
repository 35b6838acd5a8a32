"""Run a command, print the CPU seconds that it and its children took, and say when that is over a limit.

    python scripts/cpu_time.py --limit 330 -- python -m pytest -m "not slow and not long"

The exit status is the command's own: a slow machine is told, not failed.
"""

import argparse
import resource
import subprocess
import sys
import time


def main() -> int:
    """Run the command that follows `--` and return its exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--limit", type=float, required=True, help="CPU seconds that the command may take")
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    started = time.monotonic()
    status = subprocess.run(options.command, check=False).returncode
    elapsed = time.monotonic() - started
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = used.ru_utime + used.ru_stime
    print(f"{cpu:.0f} CPU seconds (limit {options.limit:.0f}), {elapsed:.0f} s elapsed", flush=True)
    if cpu > options.limit:
        print(
            f"warning: over the limit by {cpu - options.limit:.0f} CPU seconds; "
            "see CONTRIBUTING.md before adding tests",
            file=sys.stderr,
        )
    return status


if __name__ == "__main__":
    sys.exit(main())
