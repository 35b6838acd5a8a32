"""Generates intermediate/*.json: what each conversion step found and decided.

The writer adds `step_7_report.json` and `emitted.json` after the lints have run and the file set is complete.
"""

from collections.abc import Callable, Mapping
from typing import Final

from msgspec import structs

from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.file_set import EmittedFile
from melleafy_tui.core.models.inventory import RecordedClaim
from melleafy_tui.core.models.manifest import LaidOutFile
from melleafy_tui.core.models.vocabulary import Disposition
from melleafy_tui.core.package.setup_sections import backend_from_environment
from melleafy_tui.core.package.source_layout import source_layout
from melleafy_tui.generators.literals import json_bytes
from melleafy_tui.generators.manifest import shipped_reference

FOLDER: Final = "intermediate"
FORMAT_VERSION: Final = "1.0"
Artifact = dict[str, object]


def _inventory(committed: CommittedPlan) -> Artifact:
    """Return the elements; how other runtimes of a hybrid read them, and what the lints of a package need, if any."""
    inventory = committed.inventory
    reading = ("source_lines", "tag", "category", "dialect_rule_id", "mapping_row", "rationale")
    claims = [
        RecordedClaim(
            element_id=claim.element_id,
            runtime=claim.runtime,
            **{name: getattr(claim.reading, name) for name in reading},
        )
        for claim in inventory.claims
    ]
    found: Artifact = {
        "snapshot": f"sha256:{inventory.snapshot_id}",
        "as_of": committed.as_of,
        "files": inventory.files,
        "elements": inventory.elements,
        "diagnostics": committed.diagnostics,
    }
    found |= {"claims": claims} if claims else {}
    released = sorted(committed.released_secrets)
    return {**found, "released_secrets": released} if released else found


def _element_mapping(committed: CommittedPlan) -> Artifact:
    mapping = committed.mapping
    treatments = {"treatments": mapping.treatments} if mapping.treatments else {}
    return {"mappings": mapping.mappings, "inlinings": mapping.inlinings, **treatments}


def _amendments(committed: CommittedPlan) -> Artifact:
    """Return the entries that stand elsewhere than the mapping says, and those that were removed."""
    found: dict[str, list[Artifact]] = {"moved": [], "removed": []}
    for item in committed.planned:
        entry, mapped_to = item.entry, f"{item.mapping.target_file}:{item.mapping.target_symbol}"
        is_removed = entry.disposition is Disposition.REMOVE
        if not is_removed and entry.target == mapped_to:
            continue
        amended = {"amended_to": entry.target, "disposition": entry.disposition}
        found["removed" if is_removed else "moved"].append(
            {
                "element_id": item.element.element_id,
                "entry_id": entry.entry_id,
                "mapped_to": mapped_to,
                **({} if is_removed else amended),
                "source_of_decision": entry.source_of_decision,
                "rationale": entry.why,
            }
        )
    return {**found}


def _coverage_report(committed: CommittedPlan) -> Artifact:
    files = committed.inventory.coverage
    lines, covered = sum(file.lines for file in files), sum(file.covered for file in files)
    ratio = round(covered / lines, 4) if lines else 1.0
    return {"lines": lines, "covered": covered, "ratio": ratio, "files": files}


def _runtime_directive(committed: CommittedPlan) -> Artifact:
    settings = committed.settings
    return {
        "backend": settings.backend,
        "model_id": settings.model_id,
        "from_environment": backend_from_environment(committed),
        "persona_channel": settings.persona_channel,
    }


def _source_layout(committed: CommittedPlan) -> Artifact:
    """Return the layout of the files, without what is empty and what a file has by default."""
    layout = source_layout(committed.snapshot, committed.inventory, committed.package_name)
    usual = LaidOutFile(path="", sha256="")
    files = tuple(
        {name: value for name, value in structs.asdict(file).items() if value != getattr(usual, name)}
        for file in layout.files
    )
    return {name: value for name, value in (("files", files), ("not_read", layout.not_read)) if value}


ARTIFACTS: Final[Mapping[str, Callable[[CommittedPlan], Artifact]]] = {
    "classification": lambda committed: structs.asdict(committed.classification),
    "coverage_report": _coverage_report,
    "dependency_plan": lambda committed: {
        "entries": committed.plan.entries,
        "conflicts": committed.plan.conflicts,
    },
    "element_mapping": _element_mapping,
    "element_mapping_amendments": _amendments,
    "element_mapping_judgment_calls": lambda committed: {
        "judgment_calls": committed.mapping.judgment_calls,
        "suggested_categories": (),
    },
    "inventory": _inventory,
    "runtime_directive": _runtime_directive,
    "source_layout": _source_layout,
}
"""The content of each artifact, by file name."""


def generate_artifacts(committed: CommittedPlan) -> list[EmittedFile]:
    """Return the artifacts, and the table of Mellea's API."""
    made = {
        name: json_bytes({"format_version": FORMAT_VERSION, **content(committed)})
        for name, content in ARTIFACTS.items()
    }
    made["mellea_api_ref"] = shipped_reference()
    folder = f"{committed.package_name}/{FOLDER}"
    return [EmittedFile(f"{folder}/{name}.json", data) for name, data in made.items()]
