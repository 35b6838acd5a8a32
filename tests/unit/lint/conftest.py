"""A small whole package that every lint passes, to be broken one edit at a time."""

import json
from collections.abc import Callable

import pytest

from melleafy_tui.core.models.file_set import EmittedFile, FileSet
from melleafy_tui.generators.static_modules import static_module

CONFIG = '''"""Constants."""

from typing import Final

# === C1: Identity ===

PREFIX_TEXT: Final = "Warm, curious tone."
# PROVENANCE: SOUL.md:1

# === C8: Runtime environment ===

BACKEND: Final = "ollama"
MODEL_ID: Final = "granite4.1:3b"

# === C9: Scheduling ===

SCHEDULE_CONFIG: Final[dict[str, object]] = {"type": "interval", "cadence": "30m"}
# PROVENANCE: HEARTBEAT.md:1

# === Run settings ===

LOOP_BUDGET: Final = 2
'''

REQUIREMENTS = '''"""Rules."""

from mellea.stdlib.requirements import Requirement, check, req, simple_validate


def _at_most_119_words(reply: str) -> tuple[bool, str]:
    """Return whether the reply keeps AGENTS.md:2, and the reason."""
    count = len(reply.split())
    return count <= 119, f"the reply has {count} words"


OPERATING_REQUIREMENTS: list[Requirement] = [
    # PROVENANCE: AGENTS.md:1
    check("Never auto-close a ticket."),
    # PROVENANCE: AGENTS.md:2
    req(
        "Keep every reply under 120 words.",
        validation_fn=simple_validate(_at_most_119_words),
    ),
]
'''

SLOTS = '''"""Functions of the host."""


def recall_memory(query: str) -> str:
    """Return what memory holds about the query.

    Source: MEMORY.md:1 (C5, delegate_to_runtime). See SETUP.md §5.
    """
    raise NotImplementedError("recall_memory: see SETUP.md §5")
'''

SCHEMAS = '''"""Results."""

from pydantic import BaseModel


class Decision(BaseModel):
    """Whether to act."""

    act: bool


class AgentReply(BaseModel):
    """A reply."""

    text: str
'''

PIPELINE = '''"""The agent."""

from pathlib import Path

from mellea import start_session
from mellea.stdlib.sampling import RepairTemplateStrategy

from . import config
from .constrained_slots import recall_memory
from .requirements import OPERATING_REQUIREMENTS
from .schemas import AgentReply, Decision


def run_pipeline(message: str, user_context: str = "") -> AgentReply:
    """Answer one message."""
    guide = (Path(__file__).parent / "references" / "guide.md").read_text("utf-8")
    memory = recall_memory(message)
    with start_session(config.BACKEND, config.MODEL_ID) as m:
        thought = m.instruct("Decide.", prefix=config.PREFIX_TEXT, format=Decision)
    decision = Decision.model_validate_json(str(thought))
    with start_session(config.BACKEND, config.MODEL_ID) as m:
        sampling = m.instruct(
            f"{message} {decision.act}",
            prefix=config.PREFIX_TEXT,
            requirements=[*OPERATING_REQUIREMENTS],
            grounding_context={"user": str(user_context), "memory": str(memory), "guide": str(guide)},
            strategy=RepairTemplateStrategy(loop_budget=config.LOOP_BUDGET),
            return_sampling_results=True,
        )
    if not sampling.success:
        return AgentReply(text="")
    return AgentReply(text=str(sampling))
'''

SLOT_FILE = '''"""Slots."""

from mellea import generative


# PROVENANCE: AGENTS.md:1
@generative
def triage(ticket: str) -> str:
    """Never close a ticket."""
    raise NotImplementedError
'''

FIXTURE_IDS = ("introduction", "heartbeat", "rule_a", "rule_b", "a_case")

SOURCE = {
    "SOUL.md": ("C1", "config.py", "PREFIX_TEXT", "bundle", ["Warm, curious tone."]),
    "AGENTS.md": (
        "C2",
        "requirements.py",
        "OPERATING_REQUIREMENTS",
        "bundle",
        ["Never auto-close a ticket.", "Keep every reply under 120 words."],
    ),
    "MEMORY.md": (
        "C5",
        "constrained_slots.py",
        "recall_memory",
        "delegate_to_runtime",
        ["The billing queue."],
    ),
    "HEARTBEAT.md": (
        "C9",
        "config.py",
        'SCHEDULE_CONFIG["cadence"]',
        "delegate_to_runtime",
        ["Run every 30m"],
    ),
    "USER.md": ("C3", "main.py", "--user-context", "external_input", ["Timezone: Europe/Dublin"]),
}
PLAN_NAMES = {
    "C1": "c1_identity",
    "C2": "c2_operating_rules",
    "C3": "c3_user_facts",
    "C4": "c4_short_term_state",
    "C5": "c5_long_term_memory",
    "C6": "c6_tools",
    "C7": "c7_credentials",
    "C8": "c8_runtime_environment",
    "C9": "c9_scheduling",
}


def case_of(name: str) -> str:
    return f"""    Case(
        "{name}",
        "Answers",
        {{"message": "About {name}", "user_context": ""}},
        [Answer("Done.")],
        expect={{"skipped": False}},
    ),
"""


def fixture_index() -> str:
    cases = "".join(map(case_of, FIXTURE_IDS))
    return f'"""Fixtures."""\n\nfrom .case import Answer, Case\n\nALL_FIXTURES = [\n{cases}]\n'


def artifacts() -> dict[str, dict[str, object]]:
    elements: list[dict[str, object]] = []
    mappings: list[dict[str, object]] = []
    entries: list[dict[str, object]] = []
    for file, (category, target, symbol, disposition, lines) in SOURCE.items():
        for line, text in enumerate(lines, start=1):
            number = f"{len(elements) + 1:03d}"
            elements.append(
                {
                    "element_id": f"elem_{number}",
                    "source_file": file,
                    "source_lines": str(line),
                    "kind": "item",
                    "tag": "DECIDE",
                    "category": category,
                    "content_summary": text,
                    "content_full": text,
                    "statement": text,
                    "context": [],
                }
            )
            mappings.append(
                {
                    "mapping_id": f"map_{number}",
                    "element_id": f"elem_{number}",
                    "target_file": target,
                    "target_symbol": symbol,
                    "primitive": "bundle",
                    "mellea_construct": "",
                }
            )
            entries.append(
                {
                    "entry_id": f"dep_{number}",
                    "key": f"{file}#{line}",
                    "kind": "rule",
                    "default_disposition": disposition,
                    "setup_section": "",
                    "summary": text,
                    "category": PLAN_NAMES[category],
                    "disposition": disposition,
                    "source_of_decision": "auto",
                    "source_elements": [f"elem_{number}"],
                    "target": f"{target}:{symbol}",
                }
            )
    classification: dict[str, object] = {
        "source_runtime": "openclaw",
        "modality": "heartbeat",
        "archetype": "C",
        "shape": "One-shot",
        "tool_involvement": "P0",
    }
    directive: dict[str, object] = {
        "backend": "ollama",
        "model_id": "granite4.1:3b",
        "persona_channel": "prefix",
    }
    resolved: dict[str, object] = {}
    for name in PLAN_NAMES.values():
        own = [entry for entry in entries if entry["category"] == name]
        counts: dict[str, int] = {}
        for entry in own:
            counts[str(entry["disposition"])] = counts.get(str(entry["disposition"]), 0) + 1
        keys = ("entry_id", "disposition", "source_of_decision", "target")
        resolved[name] = {
            "count": len(own),
            "dispositions": counts,
            "entries": [{key: entry[key] for key in keys} for entry in own],
        }
    manifest: dict[str, object] = {
        "manifest_version": "1.1.0",
        "format_version": "1.0",
        "package_name": "desk_mellea",
        "entry_signature": 'run_pipeline(message: str, user_context: str = "") -> AgentReply',
        "pipeline_parameters": [
            {"name": "message", "type": "str", "required": True},
            {"name": "user_context", "type": "str", "required": False, "default": ""},
        ],
        "categories_resolved": resolved,
        "declared_env_vars": ["DESK_REGION"],
        "schedule_config": {"type": "interval", "cadence": "30m", "active_hours": ""},
        "mellea_version": "0.8.0",
        "melleafy_tui_version": "0.1.0",
        "source_snapshot": "sha256:" + "0" * 64,
        "generated_at": "2026-11-01T00:00:00Z",
        **classification,
        **directive,
    }
    read = {"role": "", "status": "read", "dialect_rule_id": ""}
    files = [{"path": file, "line_count": len(row[4]), **read} for file, row in SOURCE.items()]
    coverage = [
        {"path": file, "lines": len(row[4]), "covered": len(row[4]), "uncovered_lines": []}
        for file, row in SOURCE.items()
    ]
    return {
        "melleafy.json": manifest,
        "intermediate/classification.json": {**classification, "scores": [], "runtime_reason": ""},
        "intermediate/runtime_directive.json": directive,
        "intermediate/inventory.json": {"files": files, "elements": elements},
        "intermediate/element_mapping.json": {"mappings": mappings},
        "intermediate/dependency_plan.json": {"entries": entries},
        "intermediate/coverage_report.json": {"files": coverage},
    }


PLACES = {
    "config.py": {"PREFIX_TEXT: Final =": "elem_001", "SCHEDULE_CONFIG: Final": "elem_005"},
    "requirements.py": {
        'check("Never auto-close a ticket.")': "elem_002",
        '"Keep every reply under 120 words."': "elem_003",
    },
    "constrained_slots.py": {"def recall_memory": "elem_004"},
    "slots.py": {"def triage": "elem_002"},
}
"""What marks the lines of each element in the code."""


def provenance(code: dict[str, str]) -> dict[str, object]:
    elements = {str(row["element_id"]): row for row in rows_of("intermediate/inventory.json", "elements")}
    files: dict[str, object] = {}
    for name, marks in PLACES.items():
        lines = code[name].split("\n")
        found = {next(n for n, line in enumerate(lines, 1) if mark in line): marks[mark] for mark in marks}
        keys = ("element_id", "source_file", "source_lines")
        files[name] = [
            {"lines": str(line), **{key: elements[each][key] for key in keys}} for line, each in found.items()
        ]
    return {"format_version": "1.0", "files": files}


def rows_of(name: str, key: str) -> list[dict[str, object]]:
    found = artifacts()[name][key]
    assert isinstance(found, list)
    return found


def sound_files() -> dict[str, str]:
    inner = {
        "__init__.py": '"""The desk."""\n\nfrom .pipeline import run_pipeline\n\n__all__ = ["run_pipeline"]\n',
        "__main__.py": '"""Run it."""\n\nimport sys\n\nfrom .main import main\n\nsys.exit(main())\n',
        "main.py": (
            '"""Command line."""\n\nimport argparse\n\nfrom .pipeline import run_pipeline\n\n\n'
            'def main() -> int:\n    """Run once."""\n    parser = argparse.ArgumentParser()\n'
            '    parser.add_argument("--user-context", default="")\n'
            '    print(run_pipeline("", parser.parse_args().user_context).text)\n    return 0\n'
        ),
        "config.py": CONFIG,
        "requirements.py": REQUIREMENTS,
        "constrained_slots.py": SLOTS,
        "schemas.py": SCHEMAS,
        "pipeline.py": PIPELINE,
        "slots.py": SLOT_FILE,
        "references/guide.md": "A guide.\n",
        "fixtures/__init__.py": fixture_index(),
        "fixtures/case.py": CASE_MODULE.decode(),
        **{name: json.dumps(data, indent=2) for name, data in artifacts().items()},
    }
    inner["intermediate/provenance.json"] = json.dumps(provenance(inner), indent=2)
    return {
        "pyproject.toml": '[project]\nname = "desk"\ndependencies = ["mellea>=0.8,<0.9", "pydantic"]\n',
        ".env.example": "DESK_REGION=\n",
        **{f"desk_mellea/{name}": text for name, text in inner.items()},
    }


CASE_MODULE = static_module("fixtures/case.py")
MakeFileSet = Callable[..., FileSet]


@pytest.fixture
def make_file_set() -> MakeFileSet:
    """Return a maker of the sound package with edits: path -> (old, new), path -> whole text, path -> None to leave it out."""

    def make(edits: dict[str, tuple[str, str] | str | None] | None = None) -> FileSet:
        files: dict[str, str] = sound_files()
        for path, edit in (edits or {}).items():
            full = path if path in ("pyproject.toml", ".env.example") else f"desk_mellea/{path}"
            if edit is None:
                del files[full]
            elif isinstance(edit, str):
                files[full] = edit
            else:
                old, new = edit
                assert old in files[full], f"{old!r} is not in {full}"
                files[full] = files[full].replace(old, new)
        emitted = (
            EmittedFile(path, text.encode(), static=text.encode() == CASE_MODULE)
            for path, text in sorted(files.items())
        )
        return FileSet(tuple(emitted), "desk_mellea")

    return make
