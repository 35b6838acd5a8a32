"""Print the distance between two postcodes in kilometres (a sample: it counts the difference of their first digits)."""

import sys


def main() -> int:
    if len(sys.argv) != 3:
        print("usage: distance.py FROM TO", file=sys.stderr)
        return 2
    first, second = (int("".join(c for c in code if c.isdigit())[:2] or "0") for code in sys.argv[1:])
    print(abs(first - second) * 11)
    return 0


if __name__ == "__main__":
    sys.exit(main())
