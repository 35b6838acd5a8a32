"""A document whose names aren't UTF-8, as file names may be, is written all the same."""

import json

from melleafy_tui.cli.json_documents import SettingsDocument, SettingValue, written


def test_a_name_that_is_no_utf_8_is_written_in_its_form() -> None:
    document = SettingsDocument(
        settings=(SettingValue(name="out", value="caf\udce9 é \x7f", source="--out"),)
    )
    assert json.loads(written(document))["settings"][0]["value"] == "caf\udce9 é \x7f"
