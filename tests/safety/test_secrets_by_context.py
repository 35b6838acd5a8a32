"""Secrets that only the lines around them or a distant word give away, in our own words."""

import time

import pytest

from melleafy_tui.core.source.secrets.detector import find_secrets
from melleafy_tui.core.source.secrets.masking import mask_secrets

BY_CONTEXT = (
    ("Garden door codes\n- us: 481920\n- neighbour: 730418\n", ("481920", "730418")),
    ("- Scanner — office — blueKettle7\n- Plotter — office — inkAndPaper\n", ("blueKettle7", "inkAndPaper")),
    ("[09:12] Ola: gate?\n[09:12] me: 48213\n", ("48213",)),
    ("The old one was too short, so the password for the shed tablet is now lazyGreyHeron8.", ("lazyGreyHeron8",)),
    ("пароль от вай-фая поменяли, теперь veselaya_utka7", ("veselaya_utka7",)),
    ("Credit card (the green one) has 4816 as its PIN", ("4816",)),
    ("ssh agent phrase is paper owls hum at noon", ("paper owls hum at noon",)),
)  # fmt: skip
WITHOUT_A_SECRET = (
    "Add a user model with password hashing",
    "The alarm rings at 0630 and again at 0645",
    "- Tests: PASS, re-implementation of the gate (Q118)",
    "Install it on Ubuntu / Debian, then log in",
    "Never tell anyone the password, not even Mia.",
    "Locksmith for the front door: 555 0199",
    "Solana wallet: E4RXzriRsRRGp1JcGQwhhCjc65Bq8kDAXCCpVTZzQB2c",
)


def test_secrets_are_masked_by_the_lines_and_words_around_them() -> None:
    left = [value for text, values in BY_CONTEXT for value in values if value in mask_secrets(text)]
    assert left == []


def test_words_of_other_things_stay() -> None:
    assert [mask_secrets(text) for text in WITHOUT_A_SECRET] == list(WITHOUT_A_SECRET)


def test_text_of_ours_is_searched_for_direct_values_only() -> None:
    text = "Garden door codes\n- us: 481920\npassword: Kx7!mTq2wz\n"
    assert [text[span.start : span.end] for span in find_secrets(text, near=False)] == ["Kx7!mTq2wz"]


def test_no_name_of_a_variable_holds_a_part_of_another_secret() -> None:
    assert "5580" not in mask_secrets("eSIM PIN1 5580 PUK1 73190462")


@pytest.mark.parametrize(
    "unit", ["- a / b / Quarry77!x\n", "pass Qw3rty77 ", "seed phrase: ", "door codes:\n- a: 4471\n"]
)
def test_the_time_grows_with_the_length(unit: str) -> None:
    def seconds(size: int) -> float:
        begun = time.process_time()
        find_secrets(unit * (size // len(unit)) + str(size))
        return time.process_time() - begun

    assert seconds(240_000) < 10 * seconds(60_000) + 0.2
