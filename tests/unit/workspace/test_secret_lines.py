"""The search for lines that may hold a secret passes over none that does."""

import re

import pytest

from melleafy_tui.core.source.secrets import detector
from melleafy_tui.core.source.secrets.detector import find_secrets
from melleafy_tui.core.source.secrets.spans import SecretSpan
from tests.safety.hostile_texts import TEXTS
from tests.safety.secret_lines import WITH_A_SECRET, WITHOUT_A_SECRET
from tests.safety.secret_shapes import SHAPES, value_of


def searched_line_by_line(text: str) -> tuple[SecretSpan, ...]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(
            detector,
            "_lines_to_search",
            lambda text: (line.span() for line in re.finditer(r"[^\r\n]+", text)),
        )
        return find_secrets(text)


@pytest.mark.parametrize("odd", ["ı", "İ", "ſ", "\u212a", "ß", "é", "密", "\u1c84", "?", "\xa0", "\\n"])
def test_a_search_of_every_line_finds_no_more(odd: str) -> None:
    lines = [line.replace("{}", value_of(shape, 1)) for line, shape in WITH_A_SECRET]
    texts = ["\n".join(lines), "\r\n".join(WITHOUT_A_SECRET), "\n".join(TEXTS.values())]
    texts += [f"a {odd}{value_of(shape, 2)}{odd} b" for shape in SHAPES]
    for text in texts:
        for changed in (text, text.upper(), text.replace(" ", f" {odd}"), re.sub("[isk]", odd, text)):
            assert find_secrets(changed) == searched_line_by_line(changed)
