"""What the mapping report says of a hybrid: who contributed what, and how conflicts were resolved (conversion.md 6)."""

from collections.abc import Iterator

from msgspec import Struct

from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.mapping import Treatment
from melleafy_tui.core.models.plan import Conflict
from melleafy_tui.core.models.vocabulary import CONTRIBUTOR, MERGE, DecisionSource
from melleafy_tui.generators.document_words import counted, runtime_title


class Contributor(Struct, frozen=True):
    """One runtime of a hybrid: its part, its score, and what it read."""

    title: str
    part: str
    score: str
    files: str
    elements: str


class ResolvedConflict(Struct, frozen=True):
    """One row of a table of conflicts; all but the id are plain text."""

    element_id: str
    place: str
    primary: str
    contributor: str
    outcome: str
    reason: str


def composition(committed: CommittedPlan) -> list[Contributor]:
    """Return the runtimes of a hybrid, the primary first; nothing where one runtime reads the source."""
    classification, inventory = committed.classification, committed.inventory
    if not classification.hybrid_contributors:
        return []
    scores = {score.runtime: score.score for score in classification.scores}
    leading = {file.path: file.runtimes[0] for file in inventory.files if file.runtimes}
    parts = {
        conflict.merged_element_id: conflict.contributor
        for conflict in committed.plan.conflicts
        if conflict.merged_element_id
    }
    rows = []
    for runtime in classification.dialect_runtimes:
        files = [
            file for file in inventory.files if runtime in file.runtimes and file.status in ("read", "listed")
        ]
        shared = sum(len(file.runtimes) > 1 for file in files)
        owners = (
            parts.get(element.element_id, leading.get(element.source_file, ""))
            for element in inventory.elements
        )
        cut = sum(owner == runtime for owner in owners)
        rows.append(
            Contributor(
                runtime_title(runtime, committed),
                "primary" if runtime == classification.hybrid_primary else "contributor",
                f"{scores.get(runtime, 0.0):g}",
                counted(len(files), "file") + (f", {shared} of them shared" if shared else ""),
                counted(cut, "element"),
            )
        )
    return rows


def resolved_conflicts(committed: CommittedPlan, *, by_user: bool) -> list[ResolvedConflict]:
    """Return the conflicts that the user resolved, or those that were resolved without the user."""
    return [
        _resolved(committed, conflict)
        for conflict in committed.plan.conflicts
        if (conflict.resolved_by is DecisionSource.USER) is by_user
    ]


def _reason(committed: CommittedPlan, conflict: Conflict) -> str:
    if conflict.resolved_by is DecisionSource.USER:
        return "You chose it."
    reason = conflict.reason
    for treatment in conflict.treatments:
        reason = reason.replace(f"{treatment.runtime} ", f"{runtime_title(treatment.runtime, committed)} ")
    return reason


def _resolved(committed: CommittedPlan, conflict: Conflict) -> ResolvedConflict:
    element = committed.inventory.by_id.get(conflict.element_id)
    said = {treatment.runtime: _said(treatment) for treatment in conflict.treatments}
    return ResolvedConflict(
        conflict.element_id,
        element.location if element else "",
        f"{runtime_title(conflict.primary, committed)}: {said.get(conflict.primary, '–')}",
        "; ".join(_of_others(committed, conflict, said)),
        _outcome(committed, conflict),
        _reason(committed, conflict),
    )


def _of_others(committed: CommittedPlan, conflict: Conflict, said: dict[str, str]) -> Iterator[str]:
    for runtime in dict.fromkeys((conflict.contributor, *said)):
        if runtime != conflict.primary:
            yield f"{runtime_title(runtime, committed)}: {said.get(runtime, '–')}"


def _said(treatment: Treatment) -> str:
    if treatment.disposition is None:
        return "not converted"
    return f"{treatment.category.value} {treatment.disposition.value} to {treatment.target}"


def _outcome(committed: CommittedPlan, conflict: Conflict) -> str:
    contributor = runtime_title(conflict.contributor, committed)
    match conflict.resolution:
        case resolution if resolution == MERGE:
            return f"merge ({conflict.merged_element_id} carries the part of {contributor})"
        case resolution if resolution == CONTRIBUTOR:
            return f"contributor ({contributor})"
        case _:
            return f"primary ({runtime_title(conflict.primary, committed)})"
