"""Generates `fixtures/`: five to eight cases as data."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.file_set import EmittedFile
from melleafy_tui.generators.documents import Documents
from melleafy_tui.generators.fixture_cases import MADE_UP_FACT, MADE_UP_NOTE, AgentCases
from melleafy_tui.generators.fixture_proofs import NOW, CasePlan, Code, Proofs
from melleafy_tui.generators.literals import string_literal
from melleafy_tui.generators.procedure_cases import ProcedureCases
from melleafy_tui.generators.provenance import from_source, locations
from melleafy_tui.generators.templates_environment import code_file

MEMORY_FILE: Final = "fixtures/memory/MEMORY.md"
DAILY_NOTE_FILE: Final = f"fixtures/memory/memory/{NOW[:10]}.md"
FEWEST: Final = 5
MOST: Final = 8
"""Most fixtures of a package, unless the user picked more."""

ALWAYS: Final = 3
"""Cases that stay however many messages the user picked."""


def generate_fixtures(documents: Documents) -> list[EmittedFile]:
    """Return `fixtures/__init__.py`, and the made-up memory where a case needs it."""
    committed = documents.committed
    if (procedure := committed.inventory.procedure) is not None:
        return [_module(committed, [*islice(_distinct(ProcedureCases(documents, procedure).all()), MOST)])]
    maker = AgentCases(documents)
    cases = _chosen(maker)
    files = [_module(committed, cases, maker.proofs)]
    if any(map(_has_memory, cases)):
        notes = {MEMORY_FILE: f"# Memory of the fixtures\n\n- {MADE_UP_FACT}\n"}
        notes |= {DAILY_NOTE_FILE: f"{MADE_UP_NOTE}\n"} if maker.reads_daily_notes else {}
        files += [
            EmittedFile(f"{committed.package_name}/{path}", text.encode()) for path, text in notes.items()
        ]
    return files


def _module(committed: CommittedPlan, cases: Sequence[CasePlan], proofs: Proofs | None = None) -> EmittedFile:
    """Return `fixtures/__init__.py`; the cases of a procedure share no proofs."""
    everything = proofs.everything if proofs and len(proofs.everything) > 1 else []
    used: set[str] = {
        text for case in cases for answer in case.script for text in answer.has if isinstance(text, Code)
    }
    used |= {f"*{name}" for name in everything}
    blocks = proofs.blocks if proofs else {}
    return code_file(
        committed,
        "fixtures/__init__.py",
        {},
        "fixtures.py.j2",
        blocks={name: texts for name, texts in blocks.items() if f"*{name}" in used},
        everything=everything,
        cases=[(case, _described(case)) for case in cases],
        with_memory=any(map(_has_memory, cases)),
    )


def _described(case: CasePlan) -> str:
    """Return what a case shows as code, with the source lines."""
    said = " ".join(case.description.split())
    said += f" ({locations(case.elements)})" if case.elements else ""
    return from_source(string_literal(said), case.elements[:1])


def _has_memory(case: CasePlan) -> bool:
    """Return whether the made-up memory is read."""
    return any(isinstance(given, Code) for given in (*case.inputs.values(), *case.environment.values()))


_CASE: Final = re.compile(rb'^    Case\(\n        "(\w+)",', re.MULTILINE)


def fixture_names(emitted: Iterable[EmittedFile]) -> list[str]:
    """Return the ids of the emitted fixtures, in order."""
    code = next((file.data for file in emitted if file.path.endswith("/fixtures/__init__.py")), b"")
    return [found.decode() for found in _CASE.findall(code)]


def _chosen(maker: AgentCases) -> list[CasePlan]:
    """Return the cases to print: those the user picked, then those that prove most."""
    picked = list(maker.picked())
    found: list[CasePlan] = []
    for case in maker.all():
        if len(found) < max(ALWAYS, MOST - len(picked)) and (
            case.proves or len(found) + len(picked) < FEWEST
        ):
            found.append(case)
    return list(_distinct([*picked, *found]))


def _distinct(cases: Iterable[CasePlan]) -> Iterable[CasePlan]:
    """Yield the cases, with a number added to repeated ids."""
    ids: set[str] = set()
    for case in cases:
        name, number = case.id, 2
        while name in ids:
            name, number = f"{case.id}_{number}", number + 1
        ids.add(name)
        yield replace(case, id=name)
