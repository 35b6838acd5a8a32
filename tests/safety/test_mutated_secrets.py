"""Secrets put at random places of a workspace never stop its conversion: no lint takes a masked text for a secret."""

import random
from datetime import date
from pathlib import Path

import pytest

from melleafy_tui.engine import open_conversion
from tests.safety.hostile_workspaces import put
from tests.safety.secret_lines import WITH_A_SECRET
from tests.safety.secret_shapes import value_of
from tests.safety.test_practice_secrets import WITH_SECRETS
from tests.safety.test_words_for_secrets import FORMS

DRAWS = (1, 4, 6, 30, 66, 109, 132, 199, 2112, 2187, 2463, 52155)
"""Any number is a draw, from 100 on with lines of two sets; all but 1 and 4 once failed."""


def mutated(files: dict[str, str], source: random.Random) -> dict[str, str]:
    """Return the files with lines that hold a secret among those of the Markdown."""
    result = dict(files)
    for path in source.sample(sorted(path for path in files if path.endswith(".md")), 2):
        lines = result[path].split("\n")
        for line, shape in source.sample(WITH_A_SECRET, 3):
            place = source.randrange(4 if lines[0] == "---" else 1, len(lines) + 1)
            lines.insert(min(place, len(lines)), line.replace("{}", value_of(shape, source.randrange(99))))
        result[path] = "\n".join(lines)
    return result


def with_practice_lines(files: dict[str, str], source: random.Random) -> dict[str, str]:
    """Return the files with three lines of the practice set in one of them."""
    path = source.choice(sorted(path for path in files if path.endswith(".md")))
    lines = files[path].split("\n")
    for text, _ in source.sample(WITH_SECRETS, 3):
        place = min(source.randrange(4 if lines[0] == "---" else 1, len(lines) + 1), len(lines))
        lines[place:place] = text.split("\n")
    return {**files, path: "\n".join(lines)}


def findings(tmp_path: Path, draw: int) -> list[str]:
    source = random.Random(draw)
    form = ("openclaw", "agent-skills", "claude-code")[draw % 3]
    root = tmp_path / f"{draw}" / "w"
    files = dict(FORMS[form])
    if sum(path.endswith(".md") for path in files) < 2:
        files["notes.md"] = "# Notes\n\n- Be kind\n"
    files = mutated(files, source)
    put(root, with_practice_lines(files, source) if draw >= 100 else files)
    conversion = open_conversion(root, as_of=date(2026, 11, 1), generated_at="2026-11-01T09:00:00Z")
    return [f"{draw} {found.file}:{found.line} {found.message}" for found in conversion.lints.findings]


@pytest.mark.slow
def test_no_secret_stops_a_conversion(tmp_path: Path) -> None:
    assert [found for draw in DRAWS for found in findings(tmp_path, draw)] == []


def test_an_id_in_a_copied_script_is_read_the_same_by_mask_and_lint(tmp_path: Path) -> None:
    """Its label says that it is no secret; searched without the label, the lint once refused the whole package."""
    sheet = "1QzXK7TFd8mtzZJFTdFvf7jKToC7liAd5-z_xpRs0lNs"
    put(
        tmp_path / "w",
        {
            "SOUL.md": "# Soul\n\nCalm.\n",
            "TOOLS.md": f"- Sheet ID: {sheet}\n- Run `scripts/sheet.py` to read the sheet.\n",
            "scripts/sheet.py": f'SHEET_ID = "{sheet}"\nprint(SHEET_ID)\n',
        },
    )
    conversion = open_conversion(tmp_path / "w", as_of=date(2026, 11, 1), generated_at="2026-11-01T09:00:00Z")
    assert conversion.lints.findings == ()
    copied = next(file for file in conversion.rendered.files if file.path.endswith("scripts/sheet.py"))
    assert sheet.encode() in copied.data


def test_a_secret_that_shows_only_in_a_cell_of_a_report_is_masked(tmp_path: Path) -> None:
    """In its fence the value has no label; in the summary, as a cell, it has one, and the lint refused the package."""
    fence = '~~~json\n{"k": "To unlock the PDF type Invoice2024!"}\n~~~\n'
    put(tmp_path / "w", {"SOUL.md": "# Soul\n\nCalm.\n", "TOOLS.md": f"# Tools\n\n- Private key:\n\n{fence}"})
    conversion = open_conversion(tmp_path / "w", as_of=date(2026, 11, 1), generated_at="2026-11-01T09:00:00Z")
    assert conversion.lints.findings == ()
    assert not [file.path for file in conversion.rendered.files if b"Invoice2024!" in file.data]


def test_bars_that_are_no_table_hide_no_secret_from_the_mask(tmp_path: Path) -> None:
    """They belong to the item above; in a report they are escaped, and there the lint found the password."""
    text = "# Rules\n\n## Passwort ändern\n\n- Passwort ändern\n| Router login at 192.168.1.1: admin / T0pfl0wer | x |\n"
    put(tmp_path / "w", {"SOUL.md": "# Soul\n\nCalm.\n", "AGENTS.md": text, "CLAUDE.md": text})
    conversion = open_conversion(tmp_path / "w", as_of=date(2026, 11, 1), generated_at="2026-11-01T09:00:00Z")
    assert conversion.lints.findings == ()
    assert not [file.path for file in conversion.rendered.files if b"T0pfl0wer" in file.data]


def test_a_mask_beside_a_character_that_code_escapes_is_still_a_mask(tmp_path: Path) -> None:
    """In a literal the space was four characters of the value of the label above, and the lint refused the package."""
    key = "pplx-" + "a8Kd0Qz7Lm2Xw9Rt4Vb6Nc1Yf3Hs5Jp0" * 2
    text = f"# Agents\n\nKeep these in mind.\n\n## passwd\nPerplexity:\u00a0{key}\n\n- Be kind.\n"
    put(tmp_path / "w", {"SOUL.md": text, "AGENTS.md": text})
    conversion = open_conversion(tmp_path / "w", as_of=date(2026, 11, 1), generated_at="2026-11-01T09:00:00Z")
    assert conversion.lints.findings == ()
    assert not [file.path for file in conversion.rendered.files if key.encode() in file.data]


def test_a_secret_in_a_heading_is_masked_for_all_that_is_below_it(tmp_path: Path) -> None:
    """The lines below keep the heading as their section: their keys held the secret, and the lint refused the package."""
    secrets = ("Xk9#mmQ2vv", "heron-loft-22", "sk-ant-api03-AbCdEfGhIjKlMnOpQrStUv1234567890AbCdEf")
    text = "# Agents\n\n" + "\n".join(
        f"## {label}: {secret}\n\nFor guests:\n\n- Say the name only.\n- Always reply in one line.\n"
        for label, secret in zip(("Server password", "Wi-Fi password", "API key"), secrets, strict=True)
    )
    put(tmp_path / "w", {"SOUL.md": "# Soul\n\nCalm.\n", "AGENTS.md": text, "TOOLS.md": text})
    conversion = open_conversion(tmp_path / "w", as_of=date(2026, 11, 1), generated_at="2026-11-01T09:00:00Z")
    assert conversion.lints.findings == ()
    emitted = b"".join(file.data for file in conversion.rendered.files)
    assert [secret for secret in secrets if secret.encode() in emitted] == []


def test_a_code_that_a_rule_forbids_to_say_is_masked(tmp_path: Path) -> None:
    """A fixture asks for it without the prohibition: there it is a code with its label, and the lint refused it."""
    text = "# Rules\n\n1. Never say 도어락 번호는 4410 이에요\n2. Be kind\n"
    put(tmp_path / "w", {"SOUL.md": "# Soul\n\nCalm.\n", "AGENTS.md": text})
    conversion = open_conversion(tmp_path / "w", as_of=date(2026, 11, 1), generated_at="2026-11-01T09:00:00Z")
    assert conversion.lints.findings == ()
    assert not [file.path for file in conversion.rendered.files if b"4410" in file.data]
