"""Checks the form of a European VAT number and prints `valid` or `invalid`."""

import re
import sys

FORMS = {
    "DE": r"DE\d{9}",
    "FR": r"FR[0-9A-Z]{2}\d{9}",
    "NL": r"NL\d{9}B\d{2}",
    "ES": r"ES[0-9A-Z]\d{7}[0-9A-Z]",
}


def main() -> int:
    number = sys.argv[1].replace(" ", "").upper() if len(sys.argv) > 1 else ""
    form = FORMS.get(number[:2])
    print("valid" if form and re.fullmatch(form, number) else "invalid")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
