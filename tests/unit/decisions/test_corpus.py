"""Issue 6, "It must show" 1, on a corpus of realistic rules read by the real reader: rates, and no wrong match unmarked."""

import pytest

from tests.unit.decisions.edits import BASE_UIDS, EDITS, RULES, Edit, measure, reword

QUICK, WHOLE = 2, 30
REWORDS_QUICK, REWORDS_WHOLE = 20, 250

whole = pytest.mark.slow


def test_the_corpus_is_large_and_its_rules_share_words() -> None:
    assert len(RULES) >= 120
    assert len(set(BASE_UIDS.values())) == len(RULES), "a rule is no element of its own"
    openings = {" ".join(rule.text.split()[:2]) for rule in RULES}
    assert len(openings) < 0.8 * len(RULES)


@pytest.mark.slow
@pytest.mark.parametrize("edits", [QUICK, pytest.param(WHOLE, marks=whole)])
@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.__name__)
def test_an_untouched_rule_keeps_its_override_and_none_is_lost_or_moved_unmarked(
    edit: Edit, edits: int
) -> None:
    figures = measure(edit, edits, seed=20260115)
    assert figures.untouched > 50 * edits
    assert figures.kept == figures.untouched
    assert figures.unmarked == []
    assert figures.missing == 0


@pytest.mark.slow
@pytest.mark.parametrize("edits", [REWORDS_QUICK, pytest.param(REWORDS_WHOLE, marks=whole)])
def test_a_rule_reworded_in_a_fifth_of_its_words_is_found_again(edits: int) -> None:
    figures = measure(reword, edits, seed=20261121)
    assert figures.touched.total() == edits
    assert figures.found_again >= 0.95, figures.touched
    assert figures.unmarked == []
    assert {state for state, match in figures.touched if match == "wrong"} <= {"changed", "suggested"}
