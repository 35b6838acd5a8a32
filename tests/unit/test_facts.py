"""Typed facts: one of a kind, empty where absent, flat in JSON."""

from msgspec import Struct

from melleafy_tui.core.models.facts import (
    DetailsFact,
    Facts,
    JudgmentFact,
    MemoryPageFact,
    NamedFact,
    SecretFact,
    ToolFact,
)
from melleafy_tui.core.source.json5 import read_record


class Recorded(Struct):
    facts: Facts


def test_an_absent_fact_reads_like_an_empty_one() -> None:
    facts = Facts(ToolFact(url="https://a.test"))
    assert (facts[ToolFact].url, facts[SecretFact].secret, facts.name) == ("https://a.test", False, "")
    assert SecretFact not in facts
    assert not Facts().as_json()


def test_json_is_flat_and_leaves_out_what_is_not_said() -> None:
    facts = Facts(
        ToolFact(name="lamp", urls=("https://a.test",)),
        DetailsFact({"colour": "red", "lit": False}),
        JudgmentFact("Which lamp?", "this one"),
    )
    assert facts.as_json() == {"name": "lamp", "urls": ("https://a.test",), "colour": "red", "lit": False}


def test_what_a_document_records_reads_back_as_details() -> None:
    back = read_record(b'{"facts": {"name": "lamp", "urls": ["https://a.test"]}}', Recorded)
    assert back.facts.as_json() == {"name": "lamp", "urls": ["https://a.test"]}


def test_two_readings_of_an_element_join_field_by_field() -> None:
    other = Facts(ToolFact(name="lamp", url="https://a.test"), MemoryPageFact(claims=2))
    own = Facts(ToolFact(name="light"), NamedFact("beam"))
    joined = other | own
    assert joined[ToolFact] == ToolFact(name="light", url="https://a.test")
    assert joined[MemoryPageFact].claims == 2
    assert joined.name == "beam"
