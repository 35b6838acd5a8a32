"""What the source has and the package does not: the tables behind sections 8 and 9 of the mapping report.

Each row says what was declared, why it is not reproduced, and what to do (seed 000 sections 6, 7 and 8).
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.plan import PlanEntry
from melleafy_tui.core.models.vocabulary import UNKNOWN_RUNTIME, Disposition, Runtime
from melleafy_tui.core.setup_sections import OPENCLAW_ADAPTER, setup_guide_needed
from melleafy_tui.generators.document_words import counted, runtime_title
from melleafy_tui.generators.markdown_text import inline
from melleafy_tui.generators.shape import masked

NOT_REPRODUCED: Final = "Runtime-specific constructs not reproduced"
DEFERRED: Final = "Detected but not handled"

_CLAIMS: Final = re.compile(r"^(?:claims:|#+ *claims\b)", re.MULTILINE | re.IGNORECASE)
_WIKILINK: Final = re.compile(r"\[\[(?!reply_to_|audio_)[^\[\]\n]{1,200}\]\]")
_SKILL_SPEC: Final = "skill.spec"
_NOTED_FOLDERS: Final = ("skill.evals", "skill.agents", "skill.shared")
_WIKI_ROWS: Final = ("wiki.file", "wiki.write")


class Construct(Struct, frozen=True):
    """One row: `declared` and the rest are Markdown, `places` are `file:lines`."""

    title: str
    declared: str
    places: tuple[str, ...]
    why: str
    to_do: str


class Reason(Struct, frozen=True):
    """Why a mapping row is not carried over, and what to do instead."""

    title: str
    why: str
    to_do: str


_ROWS_NOT_REPRODUCED: Final[dict[str, Reason]] = {
    "heartbeat.lightContext": Reason(
        "`lightContext`",
        "It trims the prompt of a wake-up to save tokens; Mellea always passes the full context.",
        "Nothing needs to be done: it saves cost and does not change what the agent does.",
    ),
    "heartbeat.isolatedSession": Reason(
        "`isolatedSession`",
        "Mellea has no session policy; each run of the package starts fresh sessions anyway.",
        "Nothing needs to be done; keep state in the hooks of `SETUP.md` §4 if runs are to share any.",
    ),
}

_ROWS_DEFERRED: Final[dict[str, Reason]] = {
    "agents.list": Reason(
        "Another agent in the workspace",
        "A package is one agent; calls from one agent to another are not generated.",
        "Convert the other agent's own workspace and call its `run_pipeline` from your host.",
    ),
    "hook.entry": Reason(
        "Hook handler",
        "The event is carried over, the TypeScript handler is not: no code of the workspace is translated or run.",
        "Let your host receive the event and call the package, as `SETUP.md` §7 says.",
    ),
    "hook.command": Reason(
        "Hook command",
        "The event is carried over, the command is not: no code of the workspace is translated or run.",
        "Let your host receive the event and call the package, as `SETUP.md` §7 says.",
    ),
    "spec.noted": Reason(
        "Another skill, command or subagent",
        "Each is a spec of its own; it was noted and not expanded.",
        "Name its file to `melleafy-tui` to convert it.",
    ),
    "skill.file": Reason(
        "Workspace skill",
        "A skill is a spec of its own; here it is one stub that the agent can call.",
        "Convert its folder with `melleafy-tui`, then call that package from the stub.",
    ),
}


def reported_elsewhere(entry: PlanEntry) -> bool:
    """Return whether section 8 or 9, not section 5, tells why the entry was left out."""
    return any(title in entry.target for title in (NOT_REPRODUCED, DEFERRED))


def not_reproduced(committed: CommittedPlan) -> list[Construct]:
    """Return section 8's rows."""
    return [
        *_invocation_contract(committed),
        *_active_hours(committed),
        *_by_row(committed, _ROWS_NOT_REPRODUCED),
        *_others(committed, NOT_REPRODUCED, _ROWS_NOT_REPRODUCED),
        *_inlinings(committed),
        *_runtime_only(committed),
    ]


def deferred(committed: CommittedPlan) -> list[Construct]:
    """Return section 9's rows."""
    return [
        *_by_row(committed, _ROWS_DEFERRED),
        *_others(committed, DEFERRED, _ROWS_DEFERRED),
        *_noted_folders(committed),
        *_wiki(committed),
        *_without_dialect(committed),
        *_native_adapter(committed),
    ]


def _invocation_contract(committed: CommittedPlan) -> Iterator[Construct]:
    specs = [file.path for file in committed.inventory.files if file.dialect_rule_id == _SKILL_SPEC]
    if specs:
        yield Construct(
            "No invocation contract",
            "A skill names neither inputs nor outputs, nor how it is woken",
            tuple(specs),
            "The standard has no fields for it; how it is woken is inferred, as a diagnostic says.",
            "Call `run_pipeline` with one message, or choose another modality with `--modality`.",
        )


def _noted_folders(committed: CommittedPlan) -> Iterator[Construct]:
    for file in committed.inventory.files:
        if file.dialect_rule_id in _NOTED_FOLDERS and file.status == "listed":
            yield Construct(
                "Folder beside the skill",
                f"{inline(file.path)} ({inline(file.role)})",
                (file.path,),
                "It was noted and never opened: evaluations and other agents are no part of the skill's own run.",
                "Convert what lies in it by itself if the agent needs it.",
            )


def _active_hours(committed: CommittedPlan) -> Iterator[Construct]:
    schedule = committed.classification.schedule
    if schedule.active_hours:
        yield Construct(
            "`activeHours`",
            inline(schedule.active_hours),
            (f"{schedule.file}:{schedule.lines}",) if schedule.file else (),
            "Mellea has no day-gating: the pipeline runs whenever its scheduler invokes it.",
            "Let your scheduler keep the window, as `SETUP.md` §6.1 says; `melleafy.json` keeps the declaration.",
        )


def _by_row(committed: CommittedPlan, rows: dict[str, Reason]) -> Iterator[Construct]:
    for row, reason in rows.items():
        found = committed.inventory.in_rows([row])
        if found:
            yield _construct(reason, found)


def _others(committed: CommittedPlan, section: str, known: dict[str, Reason]) -> Iterator[Construct]:
    """Yield what a dialect sends to a section without a row in our table, so that nothing is dropped silently."""
    by_id = committed.inventory.by_id
    for entry in committed.plan.entries:
        if entry.disposition is not Disposition.REMOVE or section not in entry.target:
            continue
        found = [by_id[element] for element in entry.source_elements if element in by_id]
        if found and all(element.mapping_row not in known for element in found):
            to_do = "Reproduce it in your host if you rely on it."
            construct = _construct(Reason(inline(entry.summary), inline(entry.reason), to_do), found)
            yield _said_once(construct, masked(found[0]).content_summary) if len(found) == 1 else construct


def _said_once(construct: Construct, summary: str) -> Construct:
    """Return the row of one element with `label: value` in two parts; its title would say both once more."""
    label, _, declared = summary.partition(": ")
    return replace(construct, title=inline(label), declared=inline(declared))


def _construct(reason: Reason, found: Iterable[Element]) -> Construct:
    elements = [masked(element) for element in found]
    declared = "; ".join(inline(element.content_summary) for element in elements[:5])
    more = f"; and {counted(len(elements) - 5, 'more', 'more')}" if len(elements) > 5 else ""
    places = tuple(element.location for element in elements)
    return Construct(reason.title, declared + more, places, reason.why, reason.to_do)


def _inlinings(committed: CommittedPlan) -> Iterator[Construct]:
    by_id = committed.inventory.by_id
    for inlining in committed.mapping.inlinings:
        element = by_id.get(inlining.element_id)
        reader = f" into {inline(element.content_summary)} ({element.location})" if element else ""
        yield Construct(
            "BOOTSTRAP inlining",
            f"Text of the first-run ritual was inlined{reader}",
            (f"{inlining.source_file}:{inlining.source_lines}",),
            "`BOOTSTRAP.md` deletes itself after the first run, so a reference to it would lead nowhere.",
            "Read the inlined text once; it stands in the package with its own provenance.",
        )


def _runtime_only(committed: CommittedPlan) -> Iterator[Construct]:
    for item in committed.planned:
        if item.element.runtime_only and item.entry.disposition is Disposition.REMOVE:
            yield Construct(
                "Instruction for the source runtime",
                inline(masked(item.element).statement),
                (item.element.location,),
                inline(item.element.runtime_only),
                "Rewrite it for your host in the workspace and convert again, or keep it with another disposition.",
            )


def _wiki(committed: CommittedPlan) -> Iterator[Construct]:
    pages = committed.inventory.in_rows(_WIKI_ROWS)
    linked = [page for page in pages if page.facts.get("wikilinks") or _WIKILINK.search(page.content_full)]
    if linked:
        yield Construct(
            "Wikilink rewriting",
            f"{counted(len(linked), 'page')} with `[[wikilinks]]`",
            tuple(page.source_file for page in linked),
            "Mellea has no wiki; links are kept as text and are not rewritten when a page is renamed.",
            "Follow or rewrite links in your memory backend, as `SETUP.md` §5.1 says.",
        )
    claims = [page for page in pages if page.facts.get("claims") or _CLAIMS.search(page.content_full)]
    if claims:
        yield Construct(
            "`claims:` frontmatter",
            f"{counted(len(claims), 'page')} with structured claims",
            tuple(page.source_file for page in claims),
            "How claims compose and how far they hold is not documented; they are kept as opaque metadata.",
            "Read them in your `recall_memory` if you rely on them.",
        )


def _without_dialect(committed: CommittedPlan) -> Iterator[Construct]:
    """Yield what is not known about each runtime that has no dialect of its own."""
    for runtime in committed.classification.dialect_runtimes:
        files = [
            file
            for file in committed.inventory.files
            if runtime in file.runtimes and file.dialect_rule_id.startswith("generic.")
        ]
        if files:
            known = runtime != UNKNOWN_RUNTIME
            title = inline(runtime_title(runtime, committed)) if known else "The source's runtime"
            yield Construct(
                f"{title}: everything beyond its texts",
                f"{counted(len(files), 'file')} read by general rules",
                tuple(file.path for file in files),
                f"There is no dialect for {title} yet: control flow, memory, hand-overs and schedules were not read."
                if known
                else "The runtime was not recognised, so no rule of its own could be applied.",
                "Compare `intermediate/inventory.json` with the source, and add what is missing in the wizard.",
            )


def _native_adapter(committed: CommittedPlan) -> Iterator[Construct]:
    if Runtime.OPENCLAW in committed.classification.dialect_runtimes:
        guide = (
            f"Follow “{OPENCLAW_ADAPTER.title}” in `SETUP.md` to run the package under OpenClaw."
            if setup_guide_needed(committed)
            else "Call the package's program from an OpenClaw skill or hook if you want it there."
        )
        yield Construct(
            "OpenClaw-native host adapter",
            f"The source is an {runtime_title(Runtime.OPENCLAW, committed)} workspace",
            (),
            "The package is neutral Python for Mellea; no `openclaw.json` and no workspace files are emitted.",
            guide,
        )
