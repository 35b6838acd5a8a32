"""The workspaces on disk: each reads as its golden says, every line is held exactly once, no secret is shown.

A golden changes only by hand: `python -m tests.dialects.openclaw.goldens [name …]` writes it, a person reads the difference.
"""

import re

from melleafy_tui.core.source.secrets.detector import mask_secrets
from tests.dialects.openclaw.goldens import GOLDENS, NAMES, WORKSPACES, reading_of, render, root_of
from tests.dialects.openclaw.test_coverage import BESIDE
from tests.dialects.readings import differences
from tests.rows import every_row

SECRETS = ("Hav3n-Kr4n-77", "Kr4n-und-Kai-1984", "abc123secretvalue", "radio.local")


def test_inventory_is_the_golden() -> None:
    """Read the differences; where they are right: `python -m tests.dialects.openclaw.goldens [name …]`."""
    assert differences(GOLDENS, NAMES, render) == ""


def test_every_golden_has_its_workspace() -> None:
    assert {path.stem for path in GOLDENS.glob("*.txt")} == set(NAMES)
    assert len(NAMES) >= 33
    assert sum(name.startswith("large-") for name in NAMES) == 3


def lines_on_disk(data: bytes, path: str) -> list[str]:
    """The lines of a file, secrets masked, cut without the reader's help: only LF, CRLF and CR end a line."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = data.decode("utf-16")
    else:
        try:
            text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8")
        except UnicodeDecodeError:  # a Chinese page of an older editor
            text = data.decode("gb18030", "replace")
    return re.split("\r\n|\n|\r", mask_secrets(text, path=path))


@every_row("name", NAMES)
def test_every_line_on_disk_is_held_exactly_once(name: str) -> None:
    inventory = reading_of(name).inventory
    for file in inventory.files:
        if file.status != "read":
            continue
        if file.path.endswith((".json", ".json5")) or file.path.startswith(".env"):
            continue  # several elements may share a line of a configuration; values of variables are not kept
        lines = lines_on_disk((root_of(name) / file.path).read_bytes(), file.path)
        held: list[int] = []
        for element in inventory.elements:
            if element.source_file != file.path or element.kind in BESIDE:
                continue
            first, last = element.line_range
            held += range(first, last + 1)
            kept = re.split("\r\n|\n|\r", element.content_full)
            assert kept == lines[first - 1 : last], element.location
        filled = {number for number, line in enumerate(lines, 1) if line.strip(" \t\f\v\r")}
        assert filled <= set(held), sorted(filled - set(held))
        assert len(held) == len(set(held))


@every_row("name", NAMES)
def test_coverage_is_complete(name: str) -> None:
    coverage = reading_of(name).inventory.coverage
    assert [(report.path, report.uncovered_lines) for report in coverage if report.uncovered_lines] == []


@every_row("name", NAMES)
def test_no_value_of_a_secret_is_shown(name: str) -> None:
    shown = render(name)
    assert not [secret for secret in SECRETS if secret in shown]


def test_the_workspaces_hold_what_they_are_there_for() -> None:
    raw = {
        path: (WORKSPACES / "encodings" / path).read_bytes() for path in ("SOUL.md", "USER.md", "TOOLS.md")
    }
    assert raw["SOUL.md"].startswith(b"\xef\xbb\xbf")
    assert b"\r\n" in raw["SOUL.md"]
    assert raw["USER.md"][:2] in (b"\xff\xfe", b"\xfe\xff")
    assert b"\x0c" in raw["TOOLS.md"]
    assert re.search(rb"\r(?!\n)", raw["TOOLS.md"])
    assert (WORKSPACES / "links" / "AGENTS.md").is_symlink()
    assert (
        max(map(len, (WORKSPACES / "long-lines" / "AGENTS.md").read_text(encoding="utf-8").split("\n")))
        > 40_000
    )
