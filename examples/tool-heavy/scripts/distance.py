"""Print the distance between two postcodes in kilometres, by their first digits."""

import sys


def zone(postcode: str) -> int:
    digits = "".join(sign for sign in postcode if sign.isdigit())
    return int(digits[:2] or "0")


def main() -> int:
    if len(sys.argv) != 3:
        print("usage: distance.py FROM TO", file=sys.stderr)
        return 2
    print(abs(zone(sys.argv[1]) - zone(sys.argv[2])) * 11)
    return 0


if __name__ == "__main__":
    sys.exit(main())
