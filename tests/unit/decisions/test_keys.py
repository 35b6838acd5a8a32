"""Keys that survive edits: file, heading path and first words (spec/decisions.md)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from melleafy_tui.core.decisions.keys import (
    element_digest,
    element_keys,
    fold,
    key_file,
    key_stem,
    normalised_text,
    slug,
)
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import Category
from tests.unit.planning import element, numbered


def key_of(found: Element) -> str:
    return element_keys(numbered([found]))["elem_001"]


KEYS = {
    "rule": (element("AGENTS.md", "Never auto-close a ticket without confirmation.", section=("Red Lines",)),
             "AGENTS.md#red-lines/never-auto-close-a-ticket"),
    "short-rule": (element("AGENTS.md", "Read the ticket first", section=("Triage",)), "AGENTS.md#triage/read-the-ticket-first"),
    "no-heading": (element("AGENTS.md", "Be brief."), "AGENTS.md#be-brief"),
    "nested-headings": (element("AGENTS.md", "Be brief.", section=("A", "B c")), "AGENTS.md#a/b-c/be-brief"),
    "markup": (element("AGENTS.md", "**Be** `brief` — [now](http://x.test)!"), "AGENTS.md#be-brief-now"),
    "apostrophe": (element("AGENTS.md", "Don’t guess"), "AGENTS.md#dont-guess"),
    "chinese": (element("AGENTS.md", "不要猜测", section=("规则",)), "AGENTS.md#规则/不要猜测"),
    "cyrillic": (element("AGENTS.md", "Не гадай"), "AGENTS.md#не-гадай"),
    "only-signs": (element("AGENTS.md", "---"), "AGENTS.md#text"),
    "field": (replace(element("IDENTITY.md", "**Name:** ada", section=("Card",)), label="name"), "IDENTITY.md#card/name"),
    "section-with-own-heading-in-path": (
        replace(element("SOUL.md", "## Voice\n\nWarm.", kind="section"), section=("Soul", "Voice")), "SOUL.md#soul/voice"),
    "section-without-own-heading-in-path": (
        replace(element("SOUL.md", "## Voice\n\nWarm.", kind="section"), section=("Soul",)), "SOUL.md#soul/voice"),
    "heading": (replace(element("AGENTS.md", "# Rules", kind="heading"), section=("Rules",)), "AGENTS.md#rules"),
    "preamble": (element("SOUL.md", "Hello there, friend.", kind="section"), "SOUL.md#hello-there-friend"),
    "whole-file": (element("memory-wiki/a b.md", "anything", kind="file"), "memory-wiki/a b.md#file"),
    "hash-in-path": (element("a#b~1/AGENTS.md", "Be brief"), "a%23b%7E1/AGENTS.md#be-brief"),
    "control-in-path": (element("a\x1b\udcff/AGENTS.md", "Be brief"), "a%1B%FF/AGENTS.md#be-brief"),
    "slash-in-heading": (element("AGENTS.md", "Be brief", section=("a/b",)), "AGENTS.md#a-b/be-brief"),
}  # fmt: skip


@pytest.mark.parametrize("case", KEYS)
def test_key_of(case: str) -> None:
    found, expected = KEYS[case]
    assert key_of(found) == expected


def test_repeats_are_numbered_from_two() -> None:
    same = [element("AGENTS.md", "Be brief", section=("Rules",))] * 3
    assert list(element_keys(numbered(same)).values()) == [
        "AGENTS.md#rules/be-brief",
        "AGENTS.md#rules/be-brief~2",
        "AGENTS.md#rules/be-brief~3",
    ]
    assert key_stem("AGENTS.md#rules/be-brief~3") == "AGENTS.md#rules/be-brief"
    assert key_file("AGENTS.md#rules/be-brief~3") == "AGENTS.md"


FOLDED = {
    "whitespace": ("  Be \t brief\r\n  now ", "Be brief now"),
    "bullet": ("- Be brief", "Be brief"),
    "number": ("12. Be brief", "Be brief"),
    "task": ("- [x] Be brief", "Be brief"),
    "quote": ("> - Be brief", "Be brief"),
    "emphasis": ("**Be** _brief_ `now` ~~not~~", "Be brief now not"),
    "link": ("See [the page](https://x.test/a)", "See the page"),
    "heading": ("## Voice\n\nWarm", "Voice Warm"),
    "number-in-text": ("Keep 3. and 4. apart", "Keep 3. and 4. apart"),
    "minus-in-text": ("1 - 2", "1 - 2"),
}


@pytest.mark.parametrize("case", FOLDED)
def test_markers_and_whitespace_do_not_count(case: str) -> None:
    text, expected = FOLDED[case]
    assert fold(text) == expected


def test_a_credential_is_digested_by_its_statement_alone() -> None:
    secret = replace(element(".env", "KEY=hunter2"), category=Category.C7, statement="KEY")
    assert normalised_text(secret) == "KEY"
    assert element_digest(secret) == element_digest(replace(secret, content_full="KEY=other"))


def test_folding_a_long_line_is_quick() -> None:
    for piece in ("[", "*_", "> ", "- [", "](", "`~"):
        assert isinstance(fold(piece * 200_000), str)


texts = st.text(alphabet="ab -~#/.*[]()工\n", max_size=20) | st.sampled_from(
    ["Be brief", "Be brief now", "Never mail"]
)
headings = st.lists(st.sampled_from(["A", "a", "B c", "~2", "工"]), max_size=2).map(tuple)
elements = st.lists(
    st.builds(
        lambda file, text, section, kind: element(file, text, section=section, kind=kind),
        st.sampled_from(["AGENTS.md", "SOUL.md"]),
        texts,
        headings,
        st.sampled_from(["item", "section", "paragraph", "file", "heading"]),
    ),
    max_size=25,
)


@settings(max_examples=40)
@given(elements)
def test_no_two_elements_have_the_same_key(found: list[Element]) -> None:
    keys = element_keys(numbered(found))
    assert len(set(keys.values())) == len(found)


@settings(max_examples=40)
@given(elements, elements, st.integers(0, 25))
def test_keys_stay_when_other_sections_and_files_change(
    found: list[Element], others: list[Element], at: int
) -> None:
    """Text inserted under headings, or in files, that have nothing of ours moves no key of ours."""
    foreign = [replace(other, section=("Elsewhere", *other.section), kind="item") for other in others]
    before = element_keys(numbered(found))
    mixed = numbered([*found[:at], *foreign, *found[at:]])
    after = element_keys(mixed)
    ours = [after[one.element_id] for one in mixed if one.section[:1] != ("Elsewhere",)]
    assert ours == list(before.values())


@settings(max_examples=40)
@given(st.text(max_size=200))
def test_a_slug_has_letters_digits_and_hyphens_only(text: str) -> None:
    found = slug(text)
    assert len(found) <= 48
    assert all(letter.isalnum() or letter == "-" for letter in found.replace("-", ""))
    assert not found.startswith("-")
    assert not found.endswith("-")
