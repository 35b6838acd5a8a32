"""Text as TOML: basic strings that hold any text, which are JSON strings with one more escape."""

import json
import re

from melleafy_tui.generators.json_text import HIDDEN


def toml_string(text: str) -> str:
    """Return the text as a basic string; a lone surrogate, which TOML cannot hold, becomes a replacement character."""
    sound = text.encode("utf-8", "replace").decode("utf-8") if not _encodes(text) else text
    return HIDDEN.sub(_escape, json.dumps(sound, ensure_ascii=False))


def toml_array(items: list[str]) -> str:
    """Return an array of strings, one a line where there are several."""
    if len(items) < 2:
        return f"[{', '.join(map(toml_string, items))}]"
    rows = "".join(f"    {toml_string(item)},\n" for item in items)
    return f"[\n{rows}]"


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def _encodes(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
