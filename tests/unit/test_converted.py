"""Shared conversions of test workspaces can't be changed by the tests that share them."""

import pytest

from melleafy_tui.core.decisions.commands import ChangeSettings
from tests.conftest import PROJECT
from tests.converted import conversion_of, files_of

EXAMPLE = PROJECT / "examples" / "invoice-intake"


@pytest.mark.slow
def test_a_shared_conversion_refuses_acts_and_its_copy_carries_them_out() -> None:
    shared = conversion_of(EXAMPLE)
    assert conversion_of(EXAMPLE) is shared
    act = ChangeSettings({"package_name": "another"})
    with pytest.raises(AssertionError, match="shared"):
        shared.act(act)
    twin = shared.copy()
    assert twin.act(act)
    assert twin.files.package_name == "another"
    assert files_of(EXAMPLE).package_name == "invoice_intake_mellea"
