"""Generates `fixtures/`: five to eight cases as data."""

import re
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Final

from msgspec.structs import replace

from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.file_set import EmittedFile
from melleafy_tui.generators.documents import Documents
from melleafy_tui.generators.fixture_cases import (
    DAILY_NOTE_FILE,
    MADE_UP_FACT,
    MADE_UP_NOTE,
    MEMORY_FILE,
    MEMORY_FOLDER,
    CaseMaker,
    CasePlan,
    Scripted,
)
from melleafy_tui.generators.fixture_texts import Reply
from melleafy_tui.generators.literals import literal, string_literal
from melleafy_tui.generators.procedure_cases import ProcedureCases
from melleafy_tui.generators.provenance import from_source
from melleafy_tui.generators.templates_environment import code_file

FEWEST: Final = 5
MOST: Final = 8
"""Most fixtures of a package, unless the user picked more."""

EVERYTHING: Final = "EVERYTHING"
"""The constant with all blocks that stand in the prompt of a reply."""

ALWAYS: Final = 3
"""Cases that stay however many messages the user picked."""


def generate_fixtures(documents: Documents) -> list[EmittedFile]:
    """Return `fixtures/__init__.py`, and the made-up memory where a case needs it."""
    committed = documents.committed
    folder = f"{committed.package_name}/"
    if (procedure := committed.inventory.procedure) is not None:
        planned = islice(_distinct(ProcedureCases(documents, procedure).all()), MOST)
        return [_module(committed, list(planned))]
    maker = CaseMaker(documents)
    cases = _chosen(maker)
    files = [_module(committed, cases, maker)]
    if any(case.has_memory for case in cases):
        text = f"# Memory of the fixtures\n\n- {MADE_UP_FACT}\n"
        files.append(EmittedFile(folder + MEMORY_FILE, text.encode()))
        if maker.reads_daily_notes:
            files.append(EmittedFile(folder + DAILY_NOTE_FILE, f"{MADE_UP_NOTE}\n".encode()))
    return files


def _module(
    committed: CommittedPlan, cases: Sequence[CasePlan], maker: CaseMaker | None = None
) -> EmittedFile:
    """Return `fixtures/__init__.py`; the cases of a procedure need no maker, as they share no blocks."""
    used = {name for case in cases for answer in case.script for name in answer.blocks}
    blocks = maker.proofs.blocks if maker else {}
    everything = maker.proofs.everything if maker and len(maker.proofs.everything) > 1 else ()
    variable = maker.memory_variable if maker else ""
    return code_file(
        committed,
        "fixtures/__init__.py",
        {},
        "fixtures.py.j2",
        blocks={name: texts for name, texts in blocks.items() if name in used},
        everything=everything,
        cases=[
            {
                "case": case,
                "description": from_source(string_literal(case.description), case.elements[:1]),
                "script": [_answer(answer, everything) for answer in case.script],
                "environment": {variable: MEMORY_FOLDER} if case.memory else {},
            }
            for case in cases
        ],
        with_memory=any(case.has_memory for case in cases),
    )


_CASE: Final = re.compile(rb'^    Case\(\n        "(\w+)",', re.MULTILINE)


def fixture_names(emitted: Iterable[EmittedFile]) -> list[str]:
    """Return the ids of the emitted fixtures, in order."""
    code = next((file.data for file in emitted if file.path.endswith("/fixtures/__init__.py")), b"")
    return [found.decode() for found in _CASE.findall(code)]


def _chosen(maker: CaseMaker) -> list[CasePlan]:
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
        name, number = case.name, 2
        while name in ids:
            name, number = f"{case.name}_{number}", number + 1
        ids.add(name)
        yield replace(case, name=name)


def _answer(answer: Scripted, everything: tuple[str, ...]) -> dict[str, object]:
    blocks = [EVERYTHING] if everything and answer.blocks == everything else answer.blocks
    has = [literal(text) for text in dict.fromkeys(answer.has) if text]
    reply = answer.reply or Reply(answer.value)
    return {
        "reply": reply.value,
        "more": reply.more if reply.times else "",
        "times": reply.times,
        "schema": answer.schema,
        "has": [*(f"*{name}" for name in blocks), *has],
        "lacks": answer.lacks,
        "broken": answer.broken,
    }
