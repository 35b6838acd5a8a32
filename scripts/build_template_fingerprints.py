"""Writes the compact table of OpenClaw's template lines that the package ships: sorted prefixes of eight bytes.

Run from the repository root with the path of `openclaw-template-lines.json` from the shared data as argument.
The normalisation is that of `melleafy_tui/core/dialects/openclaw/stock_text.py`.
"""

import json
import sys
from pathlib import Path

TARGET = Path("melleafy_tui/core/dialects/openclaw/template_lines.bin")


def main() -> None:
    """Read the fingerprints given on the command line and write the table."""
    lines = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))["lines"]
    TARGET.write_bytes(b"".join(sorted(bytes.fromhex(fingerprint) for fingerprint in lines)))


if __name__ == "__main__":
    main()
