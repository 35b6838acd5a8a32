"""Emits dependencies.yaml: what the package needs from outside of itself, for people and for scripts."""

from collections.abc import Sequence
from typing import Final

import yaml

from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.package import EmittedFile
from melleafy_tui.core.models.plan import PlanEntry
from melleafy_tui.core.models.vocabulary import Disposition
from melleafy_tui.generators.document_words import DISPOSITIONS, KINDS, sources_of
from melleafy_tui.generators.json_text import HIDDEN

OUTSIDE: Final = (
    Disposition.STUB,
    Disposition.DELEGATE_TO_RUNTIME,
    Disposition.EXTERNAL_INPUT,
    Disposition.MOCK,
    Disposition.REAL_IMPL,
)
"""Dispositions by which a package leans on its host, its caller, or a service."""

_SHOWN_SUMMARIES: Final = 3
_HEAD: Final = (
    "# What this package needs from outside: functions to write, values to give, services to reach.\n"
    "# The decisions behind it are in intermediate/dependency_plan.json.\n"
)


class _Dumper(yaml.SafeDumper):
    """A dumper that escapes a text with invisible or reordering characters, which PyYAML takes for printable."""

    def write_double_quoted(self, text: str, split: bool = True) -> None:
        """Write a text in double quotes, in ASCII where it misleads a reader."""
        allowed = self.allow_unicode
        self.allow_unicode = allowed and HIDDEN.search(text) is None
        super().write_double_quoted(text, split)
        self.allow_unicode = allowed


def _scalar(dumper: _Dumper, text: str) -> yaml.ScalarNode:
    style = '"' if HIDDEN.search(text) else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _scalar)


def generate_dependencies_file(committed: CommittedPlan) -> list[EmittedFile]:
    """Return dependencies.yaml, or nothing where the package needs nothing from outside."""
    outside = tuple(entry for entry in committed.plan.entries if entry.disposition in OUTSIDE)
    groups: dict[tuple[str, ...], list[PlanEntry]] = {}
    for entry in outside:
        alike = (
            entry.kind,
            entry.disposition,
            entry.source_of_decision,
            entry.target,
            entry.setup_section,
        )
        groups.setdefault(alike, []).append(entry)
    if not groups:
        return []
    rows = [_row(committed, entries) for entries in groups.values()]
    document = {"package": committed.package_name, "dependencies": rows}
    text = yaml.dump(document, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=100)
    return [EmittedFile(f"{committed.package_name}/dependencies.yaml", (_HEAD + text).encode("utf-8"))]


def _row(committed: CommittedPlan, entries: Sequence[PlanEntry]) -> dict[str, object]:
    """Return one dependency: the entries that the same target serves in the same way."""
    first = entries[0]
    row: dict[str, object] = {
        "what": KINDS[first.kind],
        "target": first.target,
        "disposition": first.disposition.value,
        "meaning": DISPOSITIONS[first.disposition],
        "category": first.category,
        "setup_section": first.setup_section,
        "summary": "; ".join(entry.summary for entry in entries[:_SHOWN_SUMMARIES]),
        "entries": [entry.entry_id for entry in entries],
        "sources": [place for entry in entries for place in sources_of(committed, entry)],
        "source_of_decision": first.source_of_decision.value,
    }
    return {name: value for name, value in row.items() if value not in ("", [])}
