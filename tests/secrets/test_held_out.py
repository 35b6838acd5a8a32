"""How much of lines that no writer of the detector has read is masked, or asked about."""

from collections import Counter
from typing import Final

from melleafy_tui.core.source.secrets.detector import find_secrets
from melleafy_tui.core.source.secrets.labelled_values import names_secret
from tests.secrets.lines import Line, read_lines

LANGUAGES: Final = frozenset(("en", "de", "es", "pt", "fr", "it", "ru", "zh", "ja", "ko"))
LEAST: Final = {
    "provider-token": 0.98,
    "connection-string": 0.99,
    "private-key": 0.99,
    "labelled password": 0.85,
}
MOST_WRONG: Final = 3
"""Look-alikes of 351 that are masked without a question."""


def _kind(line: Line, value: str) -> str:
    """Return the kind of a line, "labelled password" for one with a label and a link directly before the value."""
    before = line.text[: line.text.index(value)].rpartition("\n")[2].rstrip(" `*\"'")
    label = before.rstrip(":：=").rstrip(" `*\"'")
    is_linked = before != label and names_secret(label.rpartition(" ")[2])
    return "labelled password" if line.kind in ("password", "wifi") and is_linked else line.kind


def test_tokens_and_labelled_passwords_are_masked_or_asked() -> None:
    lines = [line for line in read_lines() if line.language in LANGUAGES]
    total, found = Counter[str](), Counter[str]()
    for line in lines:
        spans = find_secrets(line.text)
        for value in line.secrets:
            place = line.text.index(value)
            kind = _kind(line, value)
            total[kind] += 1
            found[kind] += any(span.start <= place and place + len(value) <= span.end for span in spans)
    assert {kind for kind, least in LEAST.items() if found[kind] < least * total[kind]} == set()


def test_what_only_looks_like_a_secret_is_not_masked_unasked() -> None:
    wrong = [
        span for line in read_lines() if not line.secrets for span in find_secrets(line.text) if span.sure
    ]
    assert len(wrong) <= MOST_WRONG
