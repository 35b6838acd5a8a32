"""Reads TOOLS.md and the tool guidance in AGENTS.md: narrative about tools that grants nothing.

What is concrete in it (address, method, command, script of the workspace) is noted as facts for the planner.
"""

# ruff: noqa: E501 - a pattern is easier to read in one piece

import re
from typing import Final

from melleafy_tui.core.dialects.drafting import draft, undecomposed
from melleafy_tui.core.dialects.openclaw.fields import field_of_piece
from melleafy_tui.core.dialects.openclaw.runtime_only import runtime_only
from melleafy_tui.core.dialects.openclaw.tag_rules import TOOLS_RULES
from melleafy_tui.core.dialects.openclaw.task import Task
from melleafy_tui.core.dialects.openclaw.templates import is_template_text
from melleafy_tui.core.dialects.tagging import Wording, first_match
from melleafy_tui.core.directives import polarity_of, read_with_lead_in
from melleafy_tui.core.models.inventory import Element, Facts
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.models.vocabulary import Category, Polarity, Tag
from melleafy_tui.core.wording import plain_text
from melleafy_tui.core.workspace.pieces import Piece, cut_pieces

TOOLS_HEADING: Final = re.compile(
    r"^\W*(?:tools?(?: (?:notes|guidance|usage|policy))?|local tools|工具|ツール|инструменты|herramientas|ferramentas)\W*$",
    re.IGNORECASE,
)
"""A section of AGENTS.md that is tool guidance, since OpenClaw moved TOOLS.md there."""

_URL = re.compile(r"https?://[^\s<>\"'`)\]}|]+")
_METHOD = re.compile(
    r"\b(GET|POST|PUT|PATCH|DELETE|HEAD)\s+[`\"']?(?=https?://)|\bcurl\b.{0,80}?(?:-X|--request)[ =]?[`\"']?(GET|POST|PUT|PATCH|DELETE|HEAD)\b"
)
_CURL = re.compile(r"\bcurl\s+[^\n`]{0,200}?https?://")
_CODE = re.compile(r"`([^`\n]{2,300})`")
_COMMAND_HEAD: Final = re.compile(
    r"^\$?\s*(?:\./|(?:bash|sh|zsh|python3?|node|npx|uvx?|deno|bun|curl|ssh|docker|kubectl|git|gh|brew|ffmpeg|jq|rg|make|cargo|go)\s)"
)
_SCRIPT = re.compile(
    r"(?<![\w./-])(?:\./)?((?:[\w-]+/){0,6}[\w.-]+\.(?:sh|py|js|ts|mjs|rb|pl|bash|zsh))(?![\w/-])"
)
_HEADING_WORDS: Final = re.compile(
    r"^(?:tools?|local notes|notes|what goes here|examples?|why separate.*|setup|overview)\W*$", re.IGNORECASE
)


def read_tools(task: Task) -> list[Element]:
    """Return the elements of TOOLS.md."""
    return [tool_element(task, piece) for piece in cut_pieces(task.file)]


def tool_element(task: Task, piece: Piece) -> Element:
    """Return one piece of tool guidance."""
    full = task.file.cut(piece.first, piece.last)
    template = is_template_text(full)
    wording = _wording(piece)
    tagged = first_match(TOOLS_RULES, wording)
    field = field_of_piece(piece) if piece.kind != "lead_in" else None
    empty = field is not None and not field.is_filled and not wording.piece.kind.startswith("table")
    if tagged.tag is Tag.NO_DECOMPOSE or template or empty:
        rationale = "tools.template" if template and tagged.tag is not Tag.NO_DECOMPOSE else tagged.rationale
        return undecomposed(
            task.file, piece, task.rule_id, "tools.placeholder" if empty else rationale, template=template
        )
    facts = tool_facts(piece, wording.text, full, task.snapshot)
    return draft(
        task.file,
        piece.first,
        piece.last,
        kind=piece.kind,
        tag=tagged.tag,
        category=Category.C6,
        statement=_with_name(facts, wording.statement),
        rule_id=task.rule_id,
        rationale=tagged.rationale,
        confidence=tagged.confidence,
        mapping_row=_row(facts),
        section=piece.section,
        context=piece.context,
        polarity=wording.polarity,
        runtime_only=runtime_only(full),
        facts=facts,
    )


def tool_facts(piece: Piece, text: str, full: str, snapshot: Snapshot) -> Facts:
    """Return what a text says about a tool: name, addresses, method, command, script of the workspace."""
    facts: Facts = {}
    name = _name(piece, text)
    if name:
        facts["name"] = name
    addresses = [found.rstrip(".,;:") for found in _URL.findall(full)]
    if addresses:
        facts["urls"] = list(dict.fromkeys(addresses))
    method = _METHOD.search(full)
    if addresses and (method or _CURL.search(full)):
        facts["url"] = addresses[0]
        facts["method"] = (method[1] or method[2]) if method else "GET"
    script = next((path for path in _SCRIPT.findall(full) if snapshot.has(path)), "")
    command = _command(piece, full) or _script_call(full, script)
    if command:
        facts["command"] = command
    if script:
        facts["script"] = script
    facts["subtype"] = _subtype(facts)
    return facts


def _subtype(facts: Facts) -> str:
    if facts.get("url"):
        return "concrete_http"
    if facts.get("script") and facts.get("command"):
        return "concrete_script"
    return "narrative"


def _row(facts: Facts) -> str:
    return {"concrete_http": "tools.endpoint", "concrete_script": "tools.script"}.get(
        str(facts["subtype"]), "tools.narrative"
    )


def _name(piece: Piece, text: str) -> str:
    for heading in reversed(piece.section):
        if TOOLS_HEADING.match(heading):
            break
        if ".md" not in heading and not _HEADING_WORDS.match(heading) and len(heading.split()) <= 6:
            return heading
    code = re.match(r"^[*_]{0,2}`([^`\n]{1,60})`", piece.text)
    if code:
        return code[1]
    bold = re.match(r"^(?:\*\*|__)([^*_\n]{1,60})(?:\*\*|__)", piece.text)
    if bold:
        return plain_text(bold[1]).rstrip(":：")
    label = re.match(r"^([^:：.!?\n]{1,40})[:：]", text)
    return label[1].strip() if label and len(label[1].split()) <= 4 else ""


def _command(piece: Piece, full: str) -> str:
    if piece.kind == "fence" and piece.lines:
        first = next(
            (line.strip() for line in piece.lines if line.strip() and not line.lstrip().startswith("#")), ""
        )
        return first.removeprefix("$ ") if _COMMAND_HEAD.match(first) else ""
    return next((code.removeprefix("$ ") for code in _CODE.findall(full) if _COMMAND_HEAD.match(code)), "")


def _script_call(full: str, script: str) -> str:
    """Return the code span that is a script of the workspace with its arguments, or `""`."""
    if not script:
        return ""
    return next((code for code in _CODE.findall(full) if code.removeprefix("./").split(" ")[0] == script), "")


def _with_name(facts: Facts, statement: str) -> str:
    name = facts.get("name")
    if (
        isinstance(name, str)
        and name
        and not re.search(rf"(?<!\w){re.escape(name)}(?!\w)", _names_of(statement), re.IGNORECASE)
    ):
        return f"{name}: {statement}"
    return statement


def _names_of(statement: str) -> str:
    """Return a statement without addresses and host names, in which a tool's name does not name the tool."""
    return re.sub(r"\S+[./]\S+", "", statement)


def _wording(piece: Piece) -> Wording:
    if piece.kind == "table_row":
        names = [plain_text(name) for name in piece.header]
        cells = [plain_text(cell, keep_code_marks=True) for cell in piece.cells]
        pairs = [
            f"{names[i]}: {cell}" if i < len(names) and names[i] else cell
            for i, cell in enumerate(cells)
            if cell
        ]
        text = "; ".join(pairs)
    elif piece.kind == "fence":
        text = "\n".join(part for part in (piece.lead_in, *piece.lines) if part)
    else:
        text = piece.words
    own = polarity_of(text)
    if piece.kind in (
        "heading",
        "comment",
        "rule",
        "other",
        "frontmatter",
        "table_header",
        "lead_in",
        "fence",
    ):
        return Wording(piece, text, text, Polarity.DESCRIBES, Polarity.DESCRIBES)
    reading = read_with_lead_in(text, piece.context)
    return Wording(piece, text, reading.statement, reading.polarity, own, reading.lead_ins)
