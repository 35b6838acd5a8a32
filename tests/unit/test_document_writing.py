"""A document that is written member by member is byte for byte what is written of the whole."""

import json

import pytest
from pydantic import TypeAdapter

from melleafy_tui.cli.json_documents import Document, ElementSummary, InventoryDocument, written
from melleafy_tui.core.models.inventory import Decision
from melleafy_tui.core.models.reports import LintReport
from melleafy_tui.core.models.vocabulary import Category, DecisionKind, Tag


def inventory(count: int, *, name: str = "page") -> InventoryDocument:
    elements = (
        ElementSummary(
            element_id=f"elem_{number}",
            key="",
            source_file=f"{name}-{number}.md",
            source_lines="1",
            kind="file",
            tag=Tag.QUERY,
            category=Category.C5,
            content_summary="[… \x7f é]",
            section=("[", "]"),
            rationale="",
            dialect_rule_id="",
            mapping_row="",
            decisions=(Decision(DecisionKind.LEFT_OUT, "state"),),
            template=False,
            notes=(),
        )
        for number in range(count)
    )
    return InventoryDocument(
        workspace=name, snapshot="", files=(), elements=tuple(elements), coverage=(), diagnostics=()
    )


@pytest.mark.parametrize("count", [0, 1, 500, 501, 1000, 1201])
def test_a_document_is_written_as_pydantic_writes_it(count: int) -> None:
    document = inventory(count)
    whole = TypeAdapter(InventoryDocument).dump_json(document, indent=2, by_alias=True, ensure_ascii=True)
    assert b"".join(written(document)) == whole


@pytest.mark.parametrize("document", [Document(), LintReport(results=())])
def test_a_document_without_lists_is_too(document: object) -> None:
    whole = TypeAdapter(type(document)).dump_json(document, indent=2, by_alias=True, ensure_ascii=True)
    assert b"".join(written(document)) == whole


def test_a_name_that_is_no_utf_8_is_written_in_its_form() -> None:
    document = inventory(501, name="caf\udce9")
    plain = TypeAdapter(InventoryDocument).dump_python(document, mode="json", by_alias=True)
    assert b"".join(written(document)) == json.dumps(plain, indent=2).encode("ascii")
