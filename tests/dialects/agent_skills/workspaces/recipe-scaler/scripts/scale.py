"""Multiplies every number in its arguments by the factor given first, and prints one a line."""

import sys

from rounding import kitchen


def main() -> int:
    if len(sys.argv) < 3:
        print("usage: scale.py FACTOR NUMBER [NUMBER ...]", file=sys.stderr)
        return 2
    factor = float(sys.argv[1])
    for text in sys.argv[2:]:
        print(kitchen(float(text) * factor))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
