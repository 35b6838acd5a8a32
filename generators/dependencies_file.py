"""Emits dependencies.yaml: what the package needs from outside of itself, one entry each, for people and scripts."""

from collections.abc import Sequence
from typing import Final

import yaml

from melleafy_tui.core.models.package import EmittedFile
from melleafy_tui.core.models.plan import CommittedPlan, PlanEntry
from melleafy_tui.core.models.vocabulary import Disposition
from melleafy_tui.generators.document_words import DISPOSITIONS, KINDS, sources_of

OUTSIDE: Final = (
    Disposition.STUB,
    Disposition.DELEGATE_TO_RUNTIME,
    Disposition.EXTERNAL_INPUT,
    Disposition.MOCK,
    Disposition.REAL_IMPL,
)
"""Dispositions by which a package leans on its host, its caller, or a service."""

_HEAD: Final = (
    "# What this package needs from outside: functions to write, values to give, services to reach.\n"
    "# The decisions behind it are in intermediate/dependency_plan.json.\n"
)


def generate_dependencies_file(
    committed: CommittedPlan, _emitted: Sequence[EmittedFile] = ()
) -> list[EmittedFile]:
    """Return dependencies.yaml, or nothing where the package needs nothing from outside."""
    needed = [entry for entry in committed.plan.entries if entry.disposition in OUTSIDE]
    if not needed:
        return []
    document = {
        "package": committed.package_name,
        "dependencies": [_row(committed, entry) for entry in needed],
    }
    text = yaml.safe_dump(document, sort_keys=False, allow_unicode=True, width=100)
    return [EmittedFile(f"{committed.package_name}/dependencies.yaml", (_HEAD + text).encode("utf-8"))]


def _row(committed: CommittedPlan, entry: PlanEntry) -> dict[str, object]:
    row: dict[str, object] = {
        "entry_id": entry.entry_id,
        "what": KINDS[entry.kind],
        "summary": entry.summary,
        "category": entry.category,
        "disposition": entry.disposition.value,
        "meaning": DISPOSITIONS[entry.disposition],
        "target": entry.target,
        "setup_section": entry.setup_section,
        "sources": list(sources_of(committed, entry)),
        "source_of_decision": entry.source_of_decision.value,
    }
    return {name: value for name, value in row.items() if value not in ("", [])}
