"""A small package for pictures: it follows every decision, and stays the same when the generators' text changes.

Its files are a choice of those that the real package has (`test_still_package.py` holds the two together), with short
texts of its own, so that a picture changes when a screen does and not when an emitted comment does.
"""

from melleafy_tui.core.models.committed import CommittedPlan, PlannedElement
from melleafy_tui.core.models.file_set import EmittedFile, FileSet, LineProvenance
from melleafy_tui.core.models.reports import LintReport, LintResult
from melleafy_tui.core.models.vocabulary import Disposition

LINTS = LintReport(
    results=tuple(
        LintResult(lint, tier, "passed") for lint, tier in (("parses", 1), ("imports", 2), ("provenance", 3))
    )
)
HELD_ELSEWHERE = {Disposition.REMOVE, Disposition.EXTERNAL_INPUT}
PIPELINE = '''\
"""The {agent} agent as one callable: run_pipeline(message) -> AgentReply."""

from mellea import start_session

from . import {modules}
from ._runtime import (
    AgentReply,
    BestAttempt,
    Panel,
    reply_text,
    session_options,
    unmet_rules,
)
from .requirements import OPERATING_REQUIREMENTS


def run_pipeline(message: str, user_context: str = "") -> AgentReply:
    """Answer one message as {agent} does."""
    panel = Panel(OPERATING_REQUIREMENTS, inputs=lambda: {{"message": message}})
    with start_session(**session_options(config, message)) as m:
        sampling = m.instruct(
            message,
            prefix=config.PREFIX_TEXT,
            grounding_context={{"user": user_context}},
            requirements=panel.requirements,
            strategy=BestAttempt(loop_budget=config.LOOP_BUDGET),
            return_sampling_results=True,
        )
    return AgentReply(text=reply_text(sampling), unmet=unmet_rules(sampling))
'''
RUNTIME = '''\
"""What every package shares: the reply, sessions and errors."""


class AgentReply:
    """One reply of the agent."""
'''


def still_package(committed: CommittedPlan) -> FileSet:
    """Return the package of a committed plan, in short texts that only the plan changes."""
    folder = committed.package_name
    modules: dict[str, list[PlannedElement]] = {"config.py": [], "requirements.py": []}
    for item in committed.planned:
        file = item.entry.target.partition(":")[0]
        if item.entry.disposition is Disposition.STUB:
            file = "constrained_slots.py"
        if file.endswith(".py") and item.entry.disposition not in HELD_ELSEWHERE:
            modules.setdefault(file, []).append(item)
    slots = ", constrained_slots" if "constrained_slots.py" in modules else ""
    pipeline = PIPELINE.format(agent=committed.project_name, modules=f"config{slots}")
    entries = "".join(f"{entry.entry_id}: {entry.disposition.value}\n" for entry in committed.plan.entries)
    files = [
        EmittedFile("pyproject.toml", f'[project]\nname = "{folder}"\n'.encode()),
        EmittedFile(f"{folder}/README.md", f"# {committed.project_name}\n\nOne callable.\n".encode()),
        EmittedFile(f"{folder}/SETUP.md", b"# Setup\n\nLeft for you to do.\n"),
        EmittedFile(f"{folder}/__init__.py", b"from .pipeline import run_pipeline\n"),
        EmittedFile(
            f"{folder}/fixtures/__init__.py",
            b'ALL_FIXTURES = [Case("check_tickets_have_waited_more"), Case("introduction")]\n',
        ),
        EmittedFile(f"{folder}/fixtures/case.py", b'class Case:\n    """One case as data."""\n'),
        EmittedFile(f"{folder}/intermediate/dependency_plan.json", entries.encode()),
        EmittedFile(f"{folder}/mapping_report.md", f"# Report\n\n{entries}".encode()),
        EmittedFile(f"{folder}/melleafy.json", b"{}\n"),
        EmittedFile(f"{folder}/pipeline.py", pipeline.encode()),
        EmittedFile(f"{folder}/_runtime/runtime.py", RUNTIME.encode()),
        *(_module(f"{folder}/{name}", items) for name, items in modules.items()),
    ]
    return FileSet(tuple(sorted(files, key=lambda file: file.path)), folder)


def _module(path: str, items: list[PlannedElement]) -> EmittedFile:
    """Return a module with a section for each element, and the way back from each."""
    lines = [f'"""{path.rpartition("/")[2]}: what the source says, as literals."""', ""]
    provenance = []
    for item in items:
        element = item.element
        symbol = item.entry.target.rpartition(":")[2]
        origin = f"# PROVENANCE: {element.location}"
        if item.entry.disposition in (Disposition.STUB, Disposition.DELEGATE_TO_RUNTIME):
            name = f"{item.entry.entry_id}_of_the_host"
            section = [
                f"def {name}() -> str:",
                f"    {origin}",
                f"    raise NotImplementedError({name!r})",
                "",
            ]
        else:
            how = "  # judged" if item.entry.judge_individually else ""
            section = [origin, f"{symbol} = {element.statement!r}{how}", ""]
        first = len(lines) + 1
        lines.extend(section)
        provenance.append(
            LineProvenance(
                first, len(lines) - 1, element.element_id, element.source_file, element.source_lines
            )
        )
    return EmittedFile(path, "\n".join(lines).encode(), tuple(provenance))
