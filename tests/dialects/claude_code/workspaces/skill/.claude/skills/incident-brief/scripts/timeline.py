"""Prints the minutes between two clock times."""

import sys

if __name__ == "__main__":
    print(len(sys.argv))
