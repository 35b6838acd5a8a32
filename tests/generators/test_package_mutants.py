"""The fixtures of a package prove its agent: they notice what is broken in it."""

import pytest

pytest.importorskip("mellea")

from tests.package_mutants import WORKSPACES, measured


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ticket-triage", "supplier-vetting"])
def test_fixtures_notice_nine_in_ten_mutants(name: str) -> None:
    (_, faults), *mutants = measured(WORKSPACES[name])
    assert faults == []
    survivors = [mutant for mutant, noticed in mutants if not noticed]
    assert len(survivors) <= len(mutants) / 10, survivors
    assert len(mutants) >= 30
