"""Generates `fixtures/`: five to eight cases as data."""

import re
from collections.abc import Iterable
from itertools import islice
from typing import Final

from msgspec.structs import replace

from melleafy_tui.core.models.file_set import EmittedFile
from melleafy_tui.core.models.procedure import Procedure
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
    """Return `fixtures/__init__.py`, and the made-up memory where a case needs it.

    Args:
        documents: The texts of the package.
    """
    committed = documents.committed
    if (procedure := committed.inventory.procedure) is not None:
        return _of_procedure(documents, procedure)
    maker = CaseMaker(documents)
    cases = _chosen(maker)
    used = {name for case in cases for answer in case.script for name in answer.blocks}
    files = [
        code_file(
            committed,
            "fixtures/__init__.py",
            {},
            "fixtures.py.j2",
            blocks={name: texts for name, texts in maker.proofs.blocks.items() if name in used},
            everything=maker.proofs.everything if len(maker.proofs.everything) > 1 else (),
            cases=[_printed(case, maker) for case in cases],
            with_memory=any(case.has_memory for case in cases),
        )
    ]
    if any(case.has_memory for case in cases):
        text = f"# Memory of the fixtures\n\n- {MADE_UP_FACT}\n"
        files.append(EmittedFile(f"{committed.package_name}/{MEMORY_FILE}", text.encode()))
        if maker.reads_daily_notes:
            note = f"{MADE_UP_NOTE}\n".encode()
            files.append(EmittedFile(f"{committed.package_name}/{DAILY_NOTE_FILE}", note))
    return files


def _of_procedure(documents: Documents, procedure: Procedure) -> list[EmittedFile]:
    """Return the fixtures of a source that orders its work in steps."""
    planned = islice(_distinct(ProcedureCases(documents, procedure).all()), MOST)
    cases = [
        {
            "name": literal(case.name),
            "description": from_source(string_literal(case.description), case.elements[:1]),
            "inputs": case.inputs,
            "script": [_answer(answer, ()) for answer in case.script],
            "expect": case.expect,
            "unmet": case.unmet,
            "error": case.error,
            "web": {},
            "environment": {},
        }
        for case in planned
    ]
    values = {"blocks": {}, "everything": (), "cases": cases, "with_memory": False}
    return [code_file(documents.committed, "fixtures/__init__.py", {}, "fixtures.py.j2", **values)]


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


def _printed(case: CasePlan, maker: CaseMaker) -> dict[str, object]:
    """Return a case with its values as code, without those that are defaults."""
    environment = {maker.memory_variable: MEMORY_FOLDER} if case.memory else {}
    return {
        "name": literal(case.name),
        "description": from_source(string_literal(case.description), case.elements[:1]),
        "inputs": case.inputs,
        "script": [_answer(answer, maker.proofs.everything) for answer in case.script],
        "expect": case.expect,
        "unmet": case.unmet,
        "error": case.error,
        "web": case.web,
        "environment": environment,
    }


def _answer(answer: Scripted, everything: tuple[str, ...]) -> dict[str, object]:
    blocks = [EVERYTHING] if len(everything) > 1 and answer.blocks == everything else answer.blocks
    has = [literal(text) for text in dict.fromkeys(answer.has) if text]
    return {
        "reply": answer.value if answer.reply is None else answer.reply.value,
        "more": answer.reply.more if answer.reply is not None and answer.reply.times else "",
        "times": answer.reply.times if answer.reply is not None else 0,
        "schema": answer.schema,
        "has": [*(f"*{name}" for name in blocks), *has],
        "lacks": answer.lacks,
        "broken": answer.broken,
    }
