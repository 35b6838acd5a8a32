"""docs/evidence.md says what was recorded, and what comes out the same on every machine is what this checkout gives."""

import pytest

from scripts.build_evidence import ALL, PAGE, packages, page, recorded, secrets


def test_the_page_says_what_is_recorded() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run `make docs`"


def test_performance_is_recorded_with_its_commit_load_and_floors() -> None:
    found = recorded("performance")
    assert found["commit"]
    assert found["load"] >= 0
    assert [figure["name"] for figure in found["figures"] if figure["floor"]]
    assert recorded("newcomer")["commit"]
    assert len(ALL) == 5


def test_the_rates_of_the_search_for_secrets_are_current() -> None:
    assert secrets() == recorded("secrets"), "run `python scripts/build_evidence.py --measure secrets`"


@pytest.mark.slow
def test_the_costs_of_the_examples_packages_are_current() -> None:
    now, told = packages(), recorded("packages")
    again = "run `python scripts/build_evidence.py --measure packages`"
    assert [(row["example"], row["calls"]) for row in now] == [
        (row["example"], row["calls"]) for row in told
    ], again
    for row, known in zip(
        now, told, strict=True
    ):  # a prompt has a path in it, whose length is the checkout's
        assert row["tokens"] == pytest.approx(known["tokens"], rel=0.01), again
