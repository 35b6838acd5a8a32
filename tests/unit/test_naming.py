"""Names made of untrusted text: identifiers, package names, the agent's own name."""

import builtins
import keyword

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from melleafy_tui.core.models.conversion_settings import Settings
from melleafy_tui.core.models.inventory import Element, Inventory
from melleafy_tui.core.models.snapshot import Snapshot, SourceFile
from melleafy_tui.core.models.vocabulary import Category
from melleafy_tui.core.package.agent_names import package_name, project_name
from melleafy_tui.core.package.naming import RESERVED_NAMES, python_identifier
from tests.unit.planning import element, inventory_of, snapshot_of

IDENTIFIERS = {
    "plain": ("Never auto-close a ticket", "never_auto_close_a_ticket"),
    "accents": ("Müller's Straße", "mullers_strasse"),
    "keyword": ("class", "class_item"),
    "soft-keyword": ("match", "match_item"),
    "builtin": ("print", "print_item"),
    "device": ("con", "con_item"),
    "slot-parameter": ("backend", "backend_item"),
    "digits": ("007", "item_007"),
    "path": ("../../etc/passwd", "etc_passwd"),
    "template": ("{{ config }}", "config_item"),
    "dunder": ("__import__", "import_item"),
    "empty": ("", "item"),
    "full-width": ("ＡＢＣ", "abc"),
}


@pytest.mark.parametrize("case", IDENTIFIERS)
def test_identifier_of(case: str) -> None:
    text, expected = IDENTIFIERS[case]
    assert python_identifier(text) == expected


def test_texts_without_latin_letters_stay_apart() -> None:
    assert python_identifier("工单") != python_identifier("内存")
    assert python_identifier("工单").startswith("item_")


def test_a_taken_name_gets_the_next_number() -> None:
    assert python_identifier("Be brief", {"be_brief", "be_brief_2"}) == "be_brief_3"


@given(st.text(), st.sets(st.sampled_from(["a", "a_2", "item", "class_item"])))
def test_an_identifier_is_always_safe(text: str, taken: set[str]) -> None:
    name = python_identifier(text, taken)
    assert name.isidentifier()
    assert name.isascii()
    assert name == name.lower()
    assert not name.startswith("_")
    assert len(name) <= 64
    assert name not in taken
    assert name not in RESERVED_NAMES
    assert not keyword.iskeyword(name)
    assert not hasattr(builtins, name)
    assert python_identifier(text, taken) == name


def named(value: str) -> Inventory:
    return inventory_of(
        replace(element("IDENTITY.md", f"name: {value}"), category=Category.C1, label="name", value=value)
    )


def with_skill(text: str) -> Snapshot:
    return replace(snapshot_of("folder"), files=(SourceFile("SKILL.md", text.encode(), text),))


PACKAGES = {
    "identity": (snapshot_of("x"), named("ticket-triage"), "ticket_triage_mellea"),
    "folder": (snapshot_of("My Agent"), inventory_of(), "my_agent_mellea"),
    "frontmatter-first": (with_skill("---\nname: pdf-tool\n---\n"), named("other"), "pdf_tool_mellea"),
    "broken-frontmatter": (with_skill("---\nname: [\n---\n"), named("other"), "other_mellea"),
    "name-that-is-no-text": (with_skill("---\nname: 3\n---\n"), named("other"), "other_mellea"),
    "non-latin-name": (snapshot_of("helper"), named("工单"), "helper_mellea"),
    "nothing-latin": (snapshot_of("工单"), inventory_of(), "agent_mellea"),
    "digits": (snapshot_of("007"), inventory_of(), "agent_007_mellea"),
    "suffix-once": (snapshot_of("triage_mellea"), inventory_of(), "triage_mellea"),
    "keyword": (snapshot_of("class"), inventory_of(), "class_mellea"),
    "path": (snapshot_of("../.."), inventory_of(), "agent_mellea"),
    "remark": (snapshot_of("x"), named("SOL (System Operations Liaison)"), "sol_mellea"),
    "other-field": (snapshot_of("x"), named("Ada | **Role:** clerk"), "ada_mellea"),
    "only-a-remark": (snapshot_of("x"), named("(Ada)"), "ada_mellea"),
    "many-separators": (snapshot_of("a -- b__c"), inventory_of(), "a_b_c_mellea"),
}


@pytest.mark.parametrize("case", PACKAGES)
def test_package_name_of(case: str) -> None:
    snapshot, inventory, expected = PACKAGES[case]
    assert package_name(Settings(), snapshot, inventory) == expected


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [("my_pkg", "my_pkg"), ("My Pkg", "my_pkg"), ("../x", "x"), ("import", "import_agent")],
)
def test_a_chosen_package_name_is_made_safe_and_gets_no_suffix(chosen: str, expected: str) -> None:
    assert package_name(Settings(package_name=chosen), snapshot_of(), inventory_of()) == expected


@given(st.text(), st.text(max_size=30), st.none() | st.text())
def test_a_package_name_is_always_an_identifier_and_one_path_segment(
    folder: str, name: str, chosen: str | None
) -> None:
    found = package_name(Settings(package_name=chosen), snapshot_of(folder), named(name))
    assert found.isidentifier()
    assert found.isascii()
    assert found == found.lower()
    assert not keyword.iskeyword(found)


@given(st.text(), st.text())
def test_the_agents_name_is_one_visible_line(folder: str, name: str) -> None:
    found = project_name(snapshot_of(folder), named(name))
    assert found
    assert found == " ".join(found.split())
    assert len(found) <= 120
    assert found.isprintable()


def test_the_agents_name_keeps_its_own_letters() -> None:
    assert project_name(snapshot_of("x"), named("Тикет 工单")) == "Тикет 工单"


def test_an_identity_name_outside_c1_is_no_name() -> None:
    other: Element = replace(element("USER.md", "name: Ada"), category=Category.C3, label="name", value="Ada")
    assert project_name(snapshot_of("triage"), inventory_of(other)) == "triage"
