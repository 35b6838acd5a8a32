"""Print the tide table of a harbour."""

import sys


def main() -> int:
    print(f"harbour {sys.argv[1] if len(sys.argv) > 1 else 'unknown'}: no table yet")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
