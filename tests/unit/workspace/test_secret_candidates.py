"""The cheap tests before the detector never pass over a text or line that one of the detector's forms matches."""

import re
from collections.abc import Iterator
from importlib import import_module

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from melleafy_tui.core.workspace import secret_candidates, secret_forms, secrets
from melleafy_tui.core.workspace.secret_candidates import lines_to_search, may_hold_label, may_hold_secret
from melleafy_tui.core.workspace.secret_line import SecretSpan
from melleafy_tui.core.workspace.secrets import find_secrets
from tests.safety.hostile_texts import TEXTS
from tests.safety.secret_lines import WITH_A_SECRET, WITHOUT_A_SECRET
from tests.safety.secret_shapes import SHAPES, value_of

FORMS = {
    "private key": secret_forms.KEY_BLOCK,
    "connection string": secret_forms.CONNECTION,
    "authorization": secret_forms.AUTHORIZATION.compiled,
    "option of a command": secret_forms.COMMAND_OPTION,
    "field": secret_forms.FIELD,
    "code": secret_forms.CODE.compiled,
    "random string": secret_forms.BARE,
    **{kind: re.compile(form) for kind, _, form in secret_forms.OWN_FORMS},
}
LABELS = re.compile(rf"(?:{secret_forms.PASSWORD_WORDS}|{secret_forms.TOKEN_WORDS})", re.IGNORECASE)


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMS)
@settings(max_examples=25)
@given(st.data())
def test_every_form_passes_the_test(name: str, data: st.DataObject) -> None:
    text = data.draw(st.from_regex(FORMS[name]))
    assert may_hold_secret(text)


def test_every_known_secret_passes_the_test_and_has_its_mark() -> None:
    texts = [line.replace("{}", value_of(shape, draw)) for line, shape in WITH_A_SECRET for draw in range(3)]
    texts += [value_of(shape, draw) for shape in SHAPES for draw in range(3)]
    passed_over = [
        (name, text)
        for name, form in FORMS.items()
        for text in texts
        if (found := form.search(text)) and not may_hold_secret(found[0])
    ]
    assert passed_over == []
    unmarked = [
        (kind, text)
        for kind, _, form in secret_forms.OWN_FORMS
        for text in texts
        if (found := re.search(form, text)) and not secret_forms.OWN_MARKS.search(found[0])
    ]
    assert unmarked == []
    reached = {name for name, form in FORMS.items() if any(map(form.search, texts))}
    assert len(reached) > 0.5 * len(FORMS), "so few forms were reached that the test says nothing"


@settings(max_examples=25)
@given(st.from_regex(LABELS))
def test_every_label_passes_the_test(text: str) -> None:
    assert may_hold_label(text)


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "form"), [(kind, form) for kind, _, form in secret_forms.OWN_FORMS])
@settings(max_examples=25)
@given(st.data())
def test_every_form_of_our_own_has_its_mark(kind: str, form: str, data: st.DataObject) -> None:
    text = data.draw(st.from_regex(form))
    assert secret_forms.OWN_MARKS.search(text), kind


ORDINARY = "Row 7 holds the ledger of the north quay, and 60 words are enough."


def test_ordinary_lines_do_not_pass() -> None:
    assert not may_hold_secret(ORDINARY)
    text = (
        f"{ORDINARY}\n" * 3
        + '{"sha256": "'
        + "0123456789abcdef" * 4
        + '"}\nSee intermediate/element_mapping.json:12.\n'
    )
    assert list(lines_to_search(text)) == []


def every_line(text: str) -> Iterator[tuple[int, int]]:
    return (line.span() for line in re.finditer(r"[^\r\n]+", text))


def searched_line_by_line(text: str) -> tuple[SecretSpan, ...]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(secrets, "lines_to_search", every_line)
        return find_secrets(text)


ODD = ("ı", "İ", "ſ", "\u212a", "ß", "é", "密", "\u1c84", "?", "\xa0", "\\n")
"""Letters that patterns without case take for others or whose small form is longer, and what else shifts places."""


def test_a_search_in_small_blocks_finds_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [line.replace("{}", value_of(shape, 1)) for line, shape in WITH_A_SECRET]
    texts = [end.join(lines) for end in ("\n", "\r\n", "\r", "\n\n")]
    whole = [list(lines_to_search(text)) for text in texts]
    assert all(map(len, whole))
    for size in (1, 7, 100):
        monkeypatch.setattr(secret_candidates, "_BLOCK", size)
        assert [list(lines_to_search(text)) for text in texts] == whole


@pytest.mark.parametrize(
    "odd", [pytest.param(odd, marks=() if odd in ODD[:4] else pytest.mark.slow) for odd in ODD]
)
def test_a_search_of_every_line_finds_no_more(odd: str) -> None:
    lines = [line.replace("{}", value_of(shape, 1)) for line, shape in WITH_A_SECRET]
    texts = ["\n".join(lines), "\r\n".join(WITHOUT_A_SECRET), "\n".join(TEXTS.values())]
    texts += [f"a {odd}{value_of(shape, 2)}{odd} b" for shape in SHAPES]
    for text in texts:
        for changed in (text, text.upper(), text.replace(" ", f" {odd}"), re.sub("[isk]", odd, text)):
            assert find_secrets(changed) == searched_line_by_line(changed)


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMS)
@settings(max_examples=20)
@given(st.data())
def test_a_search_of_every_line_finds_no_more_of_any_form(name: str, data: st.DataObject) -> None:
    text = f"{ORDINARY}\n{data.draw(st.from_regex(FORMS[name]))}\n{ORDINARY}"
    assert find_secrets(text) == searched_line_by_line(text)


@pytest.mark.slow
@pytest.mark.parametrize(("module", "name"), [(module, name) for module, name, _ in secret_forms.PLUGINS])
@settings(max_examples=20)
@given(st.data())
def test_a_search_of_every_line_finds_no_more_of_any_plugin(
    module: str, name: str, data: st.DataObject
) -> None:
    plugin = getattr(import_module(f"detect_secrets.plugins.{module}"), name)
    form = data.draw(st.sampled_from(list(plugin.denylist)))
    value = data.draw(st.from_regex(form, fullmatch=True))
    text = f"{ORDINARY}\n- {value}\n{ORDINARY}"
    assert find_secrets(text) == searched_line_by_line(text)


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\n\n"])
def test_cells_are_found_wherever_their_header_stands(ends: str) -> None:
    value = value_of("chosen password", 1)
    rows = (
        "| a | b |",
        "|---|---|",
        "| c | d |",
        "| Service | Password |",
        "|---|:-:|",
        "| mail | e |",
        f"| wiki | {value} |",
    )
    text = ends.join((ORDINARY, *rows, ORDINARY, f"| x | {value} |"))
    (found,) = find_secrets(text)
    assert (text[found.start : found.end], text.count(value, 0, found.start)) == (value, 0)
