"""Prints the changelog's section of a version, and fails unless tag, version and changelog agree.

Run from the repository root with a tag such as `v0.2.0` as argument.
"""

import re
import runpy
import sys
from pathlib import Path


def release_notes(tag: str, version: str, changelog: str) -> str:
    """Return the notes of the version that a tag names.

    Args:
        tag: The tag, `v` and the version.
        version: The version that the package reports.
        changelog: The text of CHANGELOG.md.

    Returns:
        The section's text without its heading.

    Raises:
        ValueError: The tag is not the package's version, or the changelog has no dated section with entries for it.
    """
    if tag != f"v{version}":
        raise ValueError(f"tag {tag} doesn't match version {version} in melleafy_tui/version.py")
    heading = rf"^## \[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d\n(.*?)(?=^## |\Z)"
    section = re.search(heading, changelog, re.MULTILINE | re.DOTALL)
    if section is None:
        raise ValueError(f"CHANGELOG.md has no heading '## [{version}] - YYYY-MM-DD'")
    if not re.search(r"^- ", section[1], re.MULTILINE):
        raise ValueError(f"CHANGELOG.md has no entries for {version}")
    return section[1].strip() + "\n"


def main() -> None:
    """Print the notes of the tag given on the command line."""
    if len(sys.argv) != 2:
        sys.exit("usage: python scripts/release_notes.py TAG")
    version = runpy.run_path("melleafy_tui/version.py")["__version__"]
    try:
        sys.stdout.write(
            release_notes(sys.argv[1], version, Path("CHANGELOG.md").read_text(encoding="utf-8"))
        )
    except ValueError as fault:
        sys.exit(f"error: {fault}")


if __name__ == "__main__":
    main()
