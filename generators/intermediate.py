"""Generates intermediate/*.json: what each conversion step found and decided.

The writer adds `step_7_report.json` and `emitted.json` after the lints have run and the file set is complete.
"""

from collections.abc import Callable, Mapping
from typing import Final

from msgspec import structs

from melleafy_tui.core.models.committed import CommittedPlan, PlannedElement
from melleafy_tui.core.models.file_set import EmittedFile
from melleafy_tui.core.models.inventory import Inventory, RecordedClaim
from melleafy_tui.core.models.manifest import LaidOutFile
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind
from melleafy_tui.core.package.setup_sections import backend_from_environment
from melleafy_tui.core.package.source_layout import source_layout
from melleafy_tui.generators.literals import json_bytes
from melleafy_tui.generators.manifest import shipped_reference

FOLDER: Final = "intermediate"
FORMAT_VERSION: Final = "1.0"


def _classification(committed: CommittedPlan) -> bytes:
    return _versioned(structs.asdict(committed.classification))


def _inventory(committed: CommittedPlan) -> bytes:
    inventory = committed.inventory
    shown = Inventory(
        files=inventory.files,
        elements=tuple(element for element in inventory.elements),
        diagnostics=committed.diagnostics,
    )
    return _versioned(
        {
            "snapshot": f"sha256:{inventory.snapshot_id}",
            "as_of": committed.as_of,
            "files": shown.files,
            "elements": shown.elements,
            "diagnostics": shown.diagnostics,
            **_claims(inventory),
            **_released(committed),
        }
    )


def _released(committed: CommittedPlan) -> dict[str, object]:
    """Return what the lints of a package on disk need to know about released values; empty if there are none."""
    if not committed.released_secrets:
        return {}
    return {"released_secrets": sorted(committed.released_secrets)}


def _claims(inventory: Inventory) -> dict[str, object]:
    """Return how the other runtimes of a hybrid read elements of the leading dialect; empty if there are none."""
    if not inventory.claims:
        return {}
    return {
        "claims": [
            RecordedClaim(
                element_id=claim.element_id,
                runtime=claim.runtime,
                source_lines=claim.reading.source_lines,
                tag=claim.reading.tag,
                category=claim.reading.category,
                dialect_rule_id=claim.reading.dialect_rule_id,
                mapping_row=claim.reading.mapping_row,
                rationale=claim.reading.rationale,
            )
            for claim in inventory.claims
        ]
    }


def _element_mapping(committed: CommittedPlan) -> bytes:
    mapping = committed.mapping
    treatments = {"treatments": mapping.treatments} if mapping.treatments else {}
    return _versioned({"mappings": mapping.mappings, "inlinings": mapping.inlinings, **treatments})


def _amendments(committed: CommittedPlan) -> bytes:
    removed = committed.planned_as(tuple(EntryKind), (Disposition.REMOVE,))
    moved = [
        item
        for item in committed.planned
        if item.entry.disposition is not Disposition.REMOVE and _is_moved(item)
    ]
    return _versioned(
        {"moved": [_moved(item) for item in moved], "removed": [_removed(item) for item in removed]}
    )


def _is_moved(item: PlannedElement) -> bool:
    return item.entry.target != f"{item.mapping.target_file}:{item.mapping.target_symbol}"


def _moved(item: PlannedElement) -> dict[str, object]:
    return {
        "element_id": item.element.element_id,
        "entry_id": item.entry.entry_id,
        "mapped_to": f"{item.mapping.target_file}:{item.mapping.target_symbol}",
        "amended_to": item.entry.target,
        "disposition": item.entry.disposition,
        "source_of_decision": item.entry.source_of_decision,
        "rationale": item.entry.why,
    }


def _removed(item: PlannedElement) -> dict[str, object]:
    return {
        "element_id": item.element.element_id,
        "entry_id": item.entry.entry_id,
        "mapped_to": f"{item.mapping.target_file}:{item.mapping.target_symbol}",
        "source_of_decision": item.entry.source_of_decision,
        "rationale": item.entry.why,
    }


def _judgment_calls(committed: CommittedPlan) -> bytes:
    return _versioned({"judgment_calls": committed.mapping.judgment_calls, "suggested_categories": ()})


def _dependency_plan(committed: CommittedPlan) -> bytes:
    return _versioned({"entries": committed.plan.entries, "conflicts": committed.plan.conflicts})


def _coverage_report(committed: CommittedPlan) -> bytes:
    files = committed.inventory.coverage
    lines, covered = sum(file.lines for file in files), sum(file.covered for file in files)
    return _versioned(
        {
            "lines": lines,
            "covered": covered,
            "ratio": round(covered / lines, 4) if lines else 1.0,
            "files": files,
        }
    )


def _runtime_directive(committed: CommittedPlan) -> bytes:
    settings = committed.settings
    return _versioned(
        {
            "backend": settings.backend,
            "model_id": settings.model_id,
            "from_environment": backend_from_environment(committed),
            "persona_channel": settings.persona_channel,
        }
    )


def _source_layout(committed: CommittedPlan) -> bytes:
    layout = source_layout(
        committed.snapshot,
        committed.inventory,
        committed.package_name,
    )
    members = {"files": tuple(map(_laid_out, layout.files)), "not_read": layout.not_read}
    return _versioned({name: value for name, value in members.items() if value})


def _laid_out(file: LaidOutFile) -> dict[str, object]:
    """Return the fields of a laid out file that differ from their defaults."""
    usual = LaidOutFile(path="", sha256="")
    return {name: value for name, value in structs.asdict(file).items() if value != getattr(usual, name)}


def _versioned(artifact: dict[str, object]) -> bytes:
    return json_bytes({"format_version": FORMAT_VERSION, **artifact})


ARTIFACTS: Final[Mapping[str, Callable[[CommittedPlan], bytes]]] = {
    "classification": _classification,
    "coverage_report": _coverage_report,
    "dependency_plan": _dependency_plan,
    "element_mapping": _element_mapping,
    "element_mapping_amendments": _amendments,
    "element_mapping_judgment_calls": _judgment_calls,
    "inventory": _inventory,
    "mellea_api_ref": lambda _: shipped_reference(),
    "runtime_directive": _runtime_directive,
    "source_layout": _source_layout,
}
"""The function of each artifact, by file name."""


def generate_artifact(name: str, committed: CommittedPlan) -> list[EmittedFile]:
    """Return one artifact."""
    return [EmittedFile(f"{committed.package_name}/{FOLDER}/{name}.json", ARTIFACTS[name](committed))]
