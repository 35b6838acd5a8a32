"""Answers of the fake model that a test scripts, and what a judge was asked."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import cast

from melleafy_tui.core.smoke.scripted_model import Answer, Behaviour, Entry, Schema, plays


class Script:
    """Scripted answers.

    The first entry whose schema title and pattern fit a call answers it, at most `times` times. An entry with `calls`
    fits only calls that offer these tools.

    Args:
        entries: The entries.
    """

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._entries = list(entries)
        self._left = [cast(int, entry.get("times", -1)) for entry in entries]

    def answer(
        self, prompt: str, schema: Schema | None, tools: Sequence[str], behaviour: Behaviour
    ) -> Answer | None:
        """Return the scripted answer to a call, or None where the script has none or the behaviour overrides it."""
        if not plays(behaviour, schema):
            return None
        title = str((schema or {}).get("title", ""))
        for place, entry in enumerate(self._entries):
            if self._left[place] and _fits(entry, title, prompt, tools):
                self._left[place] -= 1
                said = entry.get("reply", "")
                text = said if isinstance(said, str) else json.dumps(said, ensure_ascii=False)
                return Answer(text, _calls(entry))
        return None


def _fits(entry: Entry, title: str, prompt: str, tools: Sequence[str]) -> bool:
    named = {str(call.get("name", "")) for call in _calls(entry)}
    return (
        entry.get("schema", "") == title
        and named <= set(tools)
        and re.search(str(entry.get("match", "")), prompt) is not None
    )


def _calls(entry: Entry) -> tuple[Mapping[str, object], ...]:
    return tuple(cast(Sequence[Mapping[str, object]], entry.get("calls", ())))


def rules_in(prompt: str) -> list[str]:
    """Return the numbered rules of a panel's prompt; a rule may have several lines."""
    block = prompt.partition("<rules>\n")[2].partition("\n</rules>")[0]
    rules: list[str] = []
    for line in block.split("\n") if block else []:
        number = f"{len(rules) + 1}. "
        if line.startswith(number):
            rules.append(line.removeprefix(number))
        elif rules:
            rules[-1] += f"\n{line}"
    return rules
