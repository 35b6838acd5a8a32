"""On a corpus of realistic rules, decisions follow edits as docs/evidence.md says, and none is lost or moved unmarked."""

import pytest

from scripts.build_evidence import decision_row, edits_of, recorded
from tests.unit.decisions.edits import BASE_UIDS, EDITS, RULES, Edit, reword


def test_the_corpus_is_large_and_its_rules_share_words() -> None:
    assert len(RULES) >= 120
    assert len(set(BASE_UIDS.values())) == len(RULES), "a rule is no element of its own"
    openings = {" ".join(rule.text.split()[:2]) for rule in RULES}
    assert len(openings) < 0.8 * len(RULES)


@pytest.mark.slow
@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.__name__)
def test_decisions_follow_an_edit_as_recorded_and_none_is_lost_or_moved_unmarked(edit: Edit) -> None:
    figures = edits_of(edit)
    assert figures.untouched > 50 * figures.edits
    assert figures.kept == figures.untouched
    assert figures.unmarked == []
    assert figures.missing == 0
    assert {state for state, match in figures.touched if match == "wrong"} <= {"changed", "suggested"}
    assert edit is not reword or figures.found_again >= 0.95, figures.touched
    known = {row["edit"]: row for row in recorded("decisions")}
    found = decision_row(edit, figures)
    assert found == known[found["edit"]], "run `python scripts/build_evidence.py --measure decisions`"
