"""The cheap test before the detector never says no to a text that one of the detector's forms matches."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from melleafy_tui.core.workspace import secret_forms
from melleafy_tui.core.workspace.secret_candidates import may_hold_label, may_hold_secret

FORMS = {
    "private key": secret_forms.KEY_BLOCK,
    "connection string": secret_forms.CONNECTION,
    "authorization": secret_forms.AUTHORIZATION,
    "option of a command": secret_forms.COMMAND_OPTION,
    "field": secret_forms.FIELD,
    "random string": secret_forms.BARE,
    **{kind: re.compile(form) for kind, _, form in secret_forms.OWN_FORMS},
}
LABELS = re.compile(rf"(?:{secret_forms.PASSWORD_WORDS}|{secret_forms.TOKEN_WORDS})", re.IGNORECASE)


@pytest.mark.parametrize("name", FORMS)
@settings(max_examples=25)
@given(st.data())
def test_every_form_passes_the_test(name: str, data: st.DataObject) -> None:
    text = data.draw(st.from_regex(FORMS[name]))
    assert may_hold_secret(text)


@given(st.from_regex(LABELS))
def test_every_label_passes_the_test(text: str) -> None:
    assert may_hold_label(text)


@pytest.mark.parametrize(("kind", "form"), [(kind, form) for kind, _, form in secret_forms.OWN_FORMS])
@settings(max_examples=25)
@given(st.data())
def test_every_form_of_our_own_has_its_mark(kind: str, form: str, data: st.DataObject) -> None:
    text = data.draw(st.from_regex(form))
    assert secret_forms.OWN_MARKS.search(text), kind


def test_ordinary_lines_do_not_pass() -> None:
    assert not may_hold_secret("Row 7 holds the ledger of the north quay, and 60 words are enough.")
