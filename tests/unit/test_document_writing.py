"""A document whose names aren't UTF-8, as file names may be, is written all the same."""

import json

from pydantic import TypeAdapter

from melleafy_tui.cli.json_documents import SettingsDocument, SettingValue, written


def test_a_name_that_is_no_utf_8_is_written_in_its_form() -> None:
    document = SettingsDocument(
        settings=(SettingValue(name="out", value="caf\udce9 é \x7f", source="--out"),)
    )
    plain = TypeAdapter(SettingsDocument).dump_python(document, mode="json", by_alias=True)
    assert written(document) == json.dumps(plain, indent=2).encode("ascii")
