"""Reads a skill's references and assets: prose to bundle or to load, data to load from disk, assets to record."""

from pathlib import PurePosixPath
from typing import Final

from melleafy_tui.core.dialects.element_factory import ElementFactory, ElementText, SourceSpan, TagDecision
from melleafy_tui.core.models.facts import DetailsFact, Facts, NamedFact
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.snapshot import SourceFile
from melleafy_tui.core.models.vocabulary import Category, Tag
from melleafy_tui.core.wording import plain_text, summarise
from melleafy_tui.core.workspace.pieces import block_text, cut_sections

PROSE: Final = (".md", ".markdown", ".mdx", ".txt", ".rst")
DATA: Final = (".json", ".jsonl", ".csv", ".tsv", ".yaml", ".yml", ".toml", ".xml")
LONGEST_BUNDLED: Final = 8_000
"""Characters of prose that travel in the prompt; longer prose is loaded from disk (ours)."""


def is_reference(path: str) -> bool:
    """Return whether a file is prose or data that the model can be given, by its ending."""
    return PurePosixPath(path).suffix.lower() in (*PROSE, *DATA)


def read_reference(file: SourceFile, rule_id: str) -> Element | None:
    """Return the one element of a reference, or None where the file holds no text."""
    if not any(line.strip() for line in file.lines):
        return None
    data = PurePosixPath(file.path).suffix.lower() in DATA
    long = not data and len(file.text or "") > LONGEST_BUNDLED
    row = "skill.reference.data" if data else "skill.reference.long" if long else "skill.reference.prose"
    title = _title(file) if not data else ""
    shown = f"{PurePosixPath(file.path).name}: {title}" if title else PurePosixPath(file.path).name
    return ElementFactory(file, rule_id).make(
        SourceSpan(1, len(file.lines), "file"),
        ElementText(shown, summary=summarise(shown)),
        TagDecision(Tag.QUERY, Category.C5, f"reference.{'data' if data else 'prose'}", row, confidence=0.9),
        Facts(
            NamedFact(PurePosixPath(file.path).stem),
            DetailsFact({"reference": file.path, "structured": data}),
        ),
    )


def _title(file: SourceFile) -> str:
    if not file.path.lower().endswith((".md", ".markdown", ".mdx")):
        return next((line.strip() for line in file.lines if line.strip()), "")
    for section in cut_sections(file):
        if section.heading:
            return section.heading
        for block in section.body:
            words = plain_text(block_text(block))
            if words:
                return words
    return ""
