"""The search for lines that may hold a secret passes over none that does."""

import ast
import json
import re
from itertools import pairwise

import pytest

from melleafy_tui.core.models.snapshot import Snapshot, SourceFile
from melleafy_tui.core.source.secrets import detector, judge, masking, reading
from melleafy_tui.core.source.secrets.detector import find_secrets
from melleafy_tui.core.source.secrets.masking import masked_whole
from melleafy_tui.core.source.secrets.spans import SecretSpan
from tests.safety.hostile_texts import TEXTS
from tests.safety.secret_lines import WITH_A_SECRET, WITHOUT_A_SECRET
from tests.safety.secret_shapes import SHAPES, value_of


def searched_line_by_line(text: str) -> tuple[SecretSpan, ...]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(reading, "_ODD_OR_ADDRESS", re.compile("."))
        patched.setattr(detector, "_CLEAN", dict[bytes, int]())
        patched.setattr(judge, "_CLEAN", set[object]())
        return find_secrets(text)


USUAL, ODD = ("ı", "密", "\\n"), ("İ", "ſ", "\u212a", "ß", "é", "\u1c84", "?", "\xa0")


@pytest.mark.parametrize("odd", [*USUAL, *(pytest.param(odd, marks=pytest.mark.slow) for odd in ODD)])
def test_a_search_of_every_line_finds_no_more(odd: str) -> None:
    lines = [line.replace("{}", value_of(shape, 1)) for line, shape in WITH_A_SECRET]
    texts = ["\n".join(lines), "\r\n".join(WITHOUT_A_SECRET), "\n".join(TEXTS.values())]
    texts += [f"a {odd}{value_of(shape, 2)}{odd} b" for shape in SHAPES]
    for text in texts:
        for changed in (text, text.upper(), text.replace(" ", f" {odd}"), re.sub("[isk]", odd, text)):
            assert find_secrets(changed) == searched_line_by_line(changed)


def test_a_search_of_our_own_texts_passes_over_no_line_that_holds_one() -> None:
    lines = [line.replace("{}", value_of(shape, 1)) for line, shape in WITH_A_SECRET]
    values = [value_of(shape, 2) for shape in SHAPES]
    texts = [*lines, *WITHOUT_A_SECRET, *values, *(f"{value}: code" for value in values), "\n".join(lines)]
    found = [find_secrets(text, near=False) for text in texts]
    with pytest.MonkeyPatch.context() as patched:
        for module in (detector, judge):
            patched.setattr(module, "may_be_given", lambda text, words: True)
        patched.setattr(detector, "_NAME", re.compile(r"\Z."))
        patched.setattr(detector, "_CLEAN", dict[bytes, int]())
        patched.setattr(judge, "_CLEAN", set[object]())
        assert [find_secrets(text, near=False) for text in texts] == found


LOOK_ALIKES = (
    "| Bedrock in Dublin | `anthropic.claude-haiku-4-5-20251001-v1:0` |",
    "copy it to the orchard table (DB: 8b1f0c52-6e4d-4a93-9c07-51d2e7fa3b60) at dusk",
    "- till auth api: `c94a7e10-2b6f-4d58-a3e1-70f9d5b8264c`",
    "- Fastly account ID: `b17d0e94ac5f42638e0d91c7fa25b864`",
    "pip install --user --upgrade dist/ferry-3.41.7-py3-none-any.whl",
    '"oar-from-package": ["oar-from-package@0.4.2", "", {}, "sha512-Kd8Rw5Q1z3LmXn72PsVgyT4BhED+akf9c6rt0UOCJ2x=="]',
    'type Decision = "build" | "watch" | "pass" | "queued";',
    'headers={"x-api-key": os.getenv("GROVE_API_KEY"), "grove-version": "2024-03-09"}',
    "API_SECRET = config['grove']['api_secret']",
    'run.py --prompt "hi" --api-key "sk-xxx"',
    "python profile.py https://social.example/user/profile/5d3c7b8a00000000120387fa",
    "**API 密钥获取步骤**:",
    '"secret": APPSECRET',
    "- Key models: openrouter/openai/gpt-4o",
    "| **地址** | `7Kq2vRm9TzWx4YbNc3PdLs8HfGj5aEuQ6rVt1oXiZwBn` |",
    "Deposit SOL to the wallet 7Kq2vRm9TzWx4YbNc3PdLs8HfGj5aEuQ6rVt1oXiZwBn on Fridays",
    "| #1 | `MCowBQYDK2VwAyEAq4Wz7TnLx2Rk9VbYc3PdMs8HfGj5aEuQ6rVt1oXiZwA=` | active |",
    "You must use this tool when... | `use this tool when...` |\n| `always call the search function` | use any tool",
)


def test_look_alikes_as_in_real_workspaces_stay() -> None:
    assert [line for line in LOOK_ALIKES if find_secrets(line)] == []


def test_a_password_of_64_hex_digits_is_one() -> None:
    digits = "4f9c1e07b2a85d3660e1c97ad48b25f3" * 2
    (span,) = find_secrets(f'"passphrase": "{digits}"')
    assert span.end - span.start == 64
    assert find_secrets(f'"sha256": "{digits}"') == ()


def test_texts_joined_after_masking_hold_none() -> None:
    lines = [line.replace("{}", value_of(shape, 1)) for line, shape in WITH_A_SECRET]
    joined = [" ".join((first, second)) for first, second in pairwise(lines)]
    assert [text for text in joined if find_secrets(masked_whole(text))] == []


def test_a_text_that_masking_does_not_clean_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(masking, "mask_secrets", lambda text, released=(): f"{text} ")
    assert masked_whole("password: hunter2-Hx81") == masking.LEFT_OUT
    assert masked_whole("no such thing").strip() == "no such thing"
    assert find_secrets(f"password: {masking.LEFT_OUT}") == ()


def test_the_syntax_of_a_copied_file_survives_its_masks() -> None:
    texts = {
        "a.json": '{"alarm_code": 48213, "door code": "7391", "api_key": "k3J9x2LmQ8vT4bN7"}',
        "b.py": 'ALARM_CODE = 48213\nTOKEN = os.getenv("API_TOKEN", "k3J9x2LmQ8vT4bN7")\n',
    }
    files = tuple(SourceFile(path, text.encode(), text) for path, text in texts.items())
    copies = masking.copies_without_secrets(Snapshot("w", "/w", files, tuple(texts)), ())
    assert set(copies) == set(texts)
    assert json.loads(copies["a.json"])["api_key"] == "${API_KEY}"
    ast.parse(copies["b.py"])
    assert not any(b"48213" in copy or b"k3J9x2" in copy for copy in copies.values())
