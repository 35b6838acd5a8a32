"""Lints that leave out the plain items of long lists say what lints of the whole code say, whatever stands there."""

import ast

import pytest

from melleafy_tui.core.lint import modules as outline
from melleafy_tui.core.lint.modules import outline_of
from melleafy_tui.core.lint.runner import lint_file_set
from tests.unit.lint.conftest import REQUIREMENTS, MakeFileSet

ITEM = '    # PROVENANCE: AGENTS.md:1\n    check("Never auto-close a ticket."),\n'
LONG = """    # PROVENANCE: AGENTS.md:2
    req(
        "Keep every reply under "
        "120 words."
    ),
"""
MANY = REQUIREMENTS.replace(ITEM, ITEM * 60).replace("\n]\n", f"\n{LONG * 60}]\n")
PLACES = (ITEM * 30, LONG * 30)

STRANGE = {
    "nothing": "",
    "comma": "    ,\n",
    "no comma before": '    check("Never auto-close a ticket.")\n',
    "comma in a comment alone": '    check("Never auto-close a ticket.")  # a,\n',
    "bracket closed": "    )\n",
    "list closed": "]\n",
    "list closed and another opened": "]\nOTHER = [\n",
    "item of many lines around it": "    check(\n",
    "call around items": f"    check(\n{ITEM}{ITEM}    ),\n",
    "call with items": f'    # PROVENANCE: AGENTS.md:1\n    check(\n        "Never auto-close a ticket.",\n{ITEM * 4}    ),\n',
    "list in the list": f"    [\n{ITEM}{ITEM}    ],\n",
    "text over lines": f'    """\n{ITEM}{ITEM}    """,\n',
    "text over lines by backslash": f'    "a \\\n{ITEM}b",\n',
    "text that is not closed": '    "a\n',
    "bad escape": '    check("\\x"),\n',
    "loop": "    for x in []\n",
    "assignment": "    a = 1,\n",
    "unknown function": '    chek("Never auto-close a ticket."),\n',
    "too many arguments": '    check("Never", "auto-close a ticket.", 1, 2, 3),\n',
    "no comment before": 'check("Never auto-close a ticket."),\n    check("Never auto-close a ticket."),\n',
    "other lines": '    # PROVENANCE: AGENTS.md:99\n    check("Never auto-close a ticket."),\n',
    "other words": '    # PROVENANCE: AGENTS.md:1\n    check("Water the garden on Sundays."),\n',
    "half a tool": '    # PROVENANCE: AGENTS.md:1\n    check("mcp__never"),\n',
    "template": '    # PROVENANCE: AGENTS.md:1\n    check("user_variables"),\n',
    "null byte": '    check("a\0b"),\n',
    "indented otherwise": '      check("Never auto-close a ticket."),\n',
    "semicolon": '    check("Never auto-close a ticket."),;\n',
}


@pytest.mark.parametrize("strange", STRANGE.values(), ids=STRANGE)
def test_lints_say_what_they_say_of_the_whole(
    strange: str, make_file_set: MakeFileSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    codes = [MANY.replace(place, place + strange, 1) for place in PLACES]
    shortened = [lint_file_set(make_file_set({"requirements.py": code})) for code in codes]
    monkeypatch.setattr(outline, "LEAST", 2 * len(MANY.encode()))
    assert shortened == [lint_file_set(make_file_set({"requirements.py": code})) for code in codes]


def test_long_lists_are_left_out() -> None:
    found = outline_of(MANY.encode())
    assert found is not None
    assert len(found.items) == 118
    assert {item.text for item in found.items} == {
        "Never auto-close a ticket.",
        "Keep every reply under 120 words.",
    }
    lines = MANY.split("\n")
    assert all(lines[item.lineno - 1].startswith(("    check(", "    req(")) for item in found.items)
    assert ast.dump(found.tree).count("Never auto-close") == 1
