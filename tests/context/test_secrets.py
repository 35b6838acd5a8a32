"""No secret of a workspace is in what `context` says, not even the half that a cut leaves of it."""

from collections.abc import Iterable
from typing import Final

import pytest

from melleafy_tui.core.models.context import Context
from melleafy_tui.core.models.snapshot import Snapshot, SourceFile
from melleafy_tui.core.openclaw.prompt.assembly import assemble
from melleafy_tui.core.openclaw.prompt.truncation import BLANK
from melleafy_tui.core.openclaw.prompt.utf16 import units
from melleafy_tui.core.source.secrets.masking import mask_secrets
from tests.safety.secret_shapes import value_of

SHAPES: Final = ("github classic", "anthropic", "stripe live", "slack app", "google", "npm")
LEAST: Final = 8
"""Characters in a row that would be a part of a secret."""


def _prompt(name: str, text: str, release: str, limit: int = 400) -> Context:
    limits = f'{{"agents": {{"defaults": {{"bootstrapMaxChars": {limit}}}}}}}'
    files = tuple(
        SourceFile(path, content.encode(), content)
        for path, content in ((name, text), ("openclaw.json", limits))
    )
    return assemble(Snapshot("w", "/w", files, (name, "openclaw.json")), release=release)


def _leaks(secret: str, text: str) -> bool:
    parts = (secret[at : at + LEAST] for at in range(4, len(secret) - LEAST))
    return any(part in text for part in parts)


@pytest.mark.parametrize("step", [16, pytest.param(3, marks=pytest.mark.slow)])
def test_no_half_of_a_secret_is_left_at_a_cut(step: int) -> None:
    for shape in SHAPES:
        for release in ("dialect-1.0", "2026.2.17", "2026.4.20"):
            cut_through(shape, release, range(100, 330, step))


def cut_through(shape: str, release: str, places: Iterable[int]) -> None:
    """Let cuts fall before, within and behind a secret of this shape."""
    secret, halved = value_of(shape, 7), 0
    for before in places:
        text = f"{'🚢' * 4}{'y' * before}\nuse key {secret} here\n" + "- plain words\n" * 60
        text += f"use key {secret} {'z' * (before % 130)}\n"
        context = _prompt("SOUL.md", text, release)
        (file,) = [file for file in context.files if file.path == "SOUL.md"]
        shown = mask_secrets(context.prompt)
        assert not _leaks(secret, shown), before
        assert not _leaks(secret, mask_secrets(file.content))
        assert file.present + file.cut + file.frontmatter + file.trimmed == len(units(text))
        halved += BLANK * 3 in context.prompt
    assert halved


@pytest.mark.parametrize("release", ["2026.5.28", "2026.9.6"])
def test_no_half_of_a_secret_ends_a_line_of_the_digest(release: str) -> None:
    secret = value_of("github classic", 3)
    halved = 0
    for words in range(180, 240, 3):
        rules = f"- must use {'w' * words} {secret} always\n" * 2
        context = _prompt("AGENTS.md", "a\n" * 1000 + rules + "b\n" * 1000, release, limit=2_000)
        assert not _leaks(secret, mask_secrets(context.prompt)), words
        halved += BLANK * 3 in context.prompt
    assert halved


def test_a_secret_that_is_shown_whole_is_left_to_the_mask() -> None:
    secret = value_of("github classic", 3)
    context = _prompt("SOUL.md", f"use key {secret} here\n" + "- plain words\n" * 60, "dialect-1.0")
    assert secret in context.prompt
    assert secret not in mask_secrets(context.prompt)
