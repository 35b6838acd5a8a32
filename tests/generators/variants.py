"""Plans that cover the disposition matrix: every allowed cell, beside a workspace that has an entry of every kind."""

from functools import cache

from msgspec.structs import replace

from melleafy_tui.core.language.orders import Polarity
from melleafy_tui.core.models.classification import Schedule
from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.conversion_settings import Settings
from melleafy_tui.core.models.facts import Facts, SecretFact, ToolFact
from melleafy_tui.core.models.file_set import FileSet
from melleafy_tui.core.models.vocabulary import (
    Disposition,
    EntryKind,
    Modality,
    PersonaChannel,
    Tag,
)
from melleafy_tui.core.package.dispositions import allowed_for
from melleafy_tui.core.package.result_schemas import schema_facts
from melleafy_tui.generators.render import render_package
from tests.generators.committed import Piece, committed_plan

FILES = {
    "SOUL.md": "# Soul\n\n## Voice\n\nWarm, curious tone.\n\n## Boundaries\n\n- Private things stay private.\n",
    "IDENTITY.md": "- **Name:** desk\n- **Role:** Front desk\n- **Emoji:** 🎫\n",
    "AGENTS.md": "- Never close a ticket.\n- Answer in English.\n- You may joke.\n",
    "docs/AGENTS.md": "- Use British spelling.\n",
    "FORM.md": "- ticket_id (string): the number of the ticket\n",
    "USER.md": "- **Timezone:** Europe/Dublin\n- **Team:** Platform, four people\n",
    "MEMORY.md": "# Memory\n\n- The billing queue is handled by another team.\n",
    "memory/2026-01-15.md": "",
    "HEARTBEAT.md": "Every 30m\n\n- Check the queue\n",
    "TOOLS.md": "- `gh` opens issues\n- GET https://api.example.com/tickets/{id}\n- `scripts/report.sh` prints a report\n",
    "scripts/report.sh": '#!/bin/sh\necho "report for $1"\n',
    "skills/deploy/SKILL.md": "Deploys a service.\n",
    ".env": "TICKET_TOKEN=\n",
}

STATEFUL = Schedule(
    type="interval",
    cadence="30m",
    seconds=1800,
    active_hours="09:00-18:00",
    active_start="09:00",
    active_end="18:00",
    timezone="Europe/Dublin",
    file="HEARTBEAT.md",
    lines="1",
)

_B, _R, _S, _M, _D, _E, _L, _X, *_ = Disposition

PIECES: dict[str, Piece] = {
    "soul.title": Piece("SOUL.md", "1", None, form="heading"),
    "soul.voice": Piece("SOUL.md", "3-5", EntryKind.IDENTITY, form="section"),
    "soul.boundaries": Piece("SOUL.md", "7-9", EntryKind.IDENTITY, form="section"),
    "identity.name": Piece("IDENTITY.md", "1", EntryKind.IDENTITY, label="name", value="desk"),
    "identity.role": Piece("IDENTITY.md", "2", EntryKind.IDENTITY, label="role", value="Front desk"),
    "identity.emoji": Piece("IDENTITY.md", "3", EntryKind.IDENTITY, label="emoji", value="🎫"),
    "rule": Piece("AGENTS.md", "1", EntryKind.RULE, polarity=Polarity.FORBIDS),
    "rule.other": Piece("AGENTS.md", "2", EntryKind.RULE),
    "rule.note": Piece("AGENTS.md", "3", EntryKind.RULE, polarity=Polarity.PERMITS),
    "rule.scoped": Piece("docs/AGENTS.md", "1", EntryKind.RULE, scope="docs"),
    "fact.overridable": Piece(
        "USER.md", "1", EntryKind.FACT_OVERRIDABLE, _E, label="timezone", value="Europe/Dublin"
    ),
    "fact.stable": Piece("USER.md", "2", EntryKind.FACT_STABLE, label="team", value="Platform, four people"),
    "state": Piece("memory/2026-01-15.md", "1", EntryKind.STATE, _D, statement="Notes of today"),
    "memory": Piece("MEMORY.md", "1-3", EntryKind.MEMORY, _D, form="section"),
    "schedule": Piece("HEARTBEAT.md", "1", EntryKind.SCHEDULE, _D),
    "checklist": Piece("HEARTBEAT.md", "3", EntryKind.SCHEDULE, _D, symbol="HEARTBEAT_CHECKLIST"),
    "tool.narrative": Piece("TOOLS.md", "1", EntryKind.TOOL_NARRATIVE, facts=Facts(ToolFact(name="gh"))),
    "tool.http": Piece(
        "TOOLS.md",
        "2",
        EntryKind.TOOL_CONCRETE,
        _R,
        facts=Facts(
            ToolFact(
                name="tickets",
                url="https://api.example.com/tickets/{id}",
                method="GET",
                command='curl -H "Authorization: Bearer $TICKET_TOKEN" https://api.example.com/tickets/{id}',
            )
        ),
    ),
    "tool.script": Piece(
        "TOOLS.md",
        "3",
        EntryKind.TOOL_CONCRETE,
        _R,
        facts=Facts(ToolFact(name="report", script="scripts/report.sh", command="scripts/report.sh")),
    ),
    "tool.skill": Piece(
        "skills/deploy/SKILL.md",
        "1",
        EntryKind.TOOL_ABSTRACT,
        _S,
        facts=Facts(ToolFact(name="deploy", skill=True)),
    ),
    "credential": Piece(
        ".env",
        "1",
        EntryKind.CREDENTIAL,
        _E,
        label="TICKET_TOKEN",
        statement="TICKET_TOKEN",
        facts=Facts(SecretFact(variable="TICKET_TOKEN")),
    ),
    "schema": Piece(
        "FORM.md",
        "1",
        EntryKind.SCHEMA,
        symbol="AnswerSheet",
        tag=Tag.SCHEMA,
        facts=schema_facts("Answer sheet", [("ticket_id", "string", "the number of the ticket")]),
    ),
}
"""One entry of every kind, by a name for tests."""

VARIED = (
    "soul.voice",
    "identity.name",
    "rule",
    "fact.overridable",
    "fact.stable",
    "state",
    "memory",
    "schedule",
    "tool.narrative",
    "tool.http",
    "tool.script",
    "tool.skill",
    "credential",
    "schema",
)
"""The entries that are tried at every disposition."""

CELLS = [
    (name, disposition)
    for name in VARIED
    for kind in [PIECES[name].kind]
    if kind is not None
    for disposition in allowed_for(kind)
]


def plan_with(
    changes: dict[str, Disposition],
    *,
    name: str = "desk",
    without: tuple[str, ...] = (),
    backend: Disposition = _B,
    channel: PersonaChannel = PersonaChannel.PREFIX,
    modality: Modality = Modality.HEARTBEAT,
    secondary: tuple[Modality, ...] = (),
    schedule: Schedule = STATEFUL,
) -> CommittedPlan:
    """Return the whole workspace's plan with some entries at another disposition or left away."""
    pieces = [
        replace(piece, disposition=changes.get(key, piece.disposition))
        for key, piece in PIECES.items()
        if key not in without
    ]
    return committed_plan(
        FILES,
        pieces,
        name=name,
        modality=modality,
        secondary=secondary,
        schedule=schedule,
        settings=Settings(persona_channel=channel),
        backend=backend,
    )


EVERYTHING = tuple(PIECES)
"""All entries, to be left away one group at a time."""


@cache
def cell_plan(name: str, disposition: Disposition) -> CommittedPlan:
    """Return the whole workspace's plan with one entry, or the backend, at another disposition."""
    return plan_with({}, backend=disposition) if name == "backend" else plan_with({name: disposition})


@cache
def cell_files(name: str, disposition: Disposition) -> FileSet:
    """Return the rendered package of a cell; it is made once."""
    return render_package(cell_plan(name, disposition))


@cache
def shape_files(name: str) -> FileSet:
    """Return the rendered package of a shape; it is made once."""
    return render_package(shapes()[name])


SHAPES: dict[str, CommittedPlan] = {}


def shapes() -> dict[str, CommittedPlan]:
    """Return packages of very different shape, by name."""
    if not SHAPES:
        only_soul = tuple(key for key in PIECES if not key.startswith("soul"))
        SHAPES.update(
            {
                "whole": plan_with({}, name="whole"),
                "nothing": plan_with(
                    {}, name="nothing", without=EVERYTHING, modality=Modality.SYNCHRONOUS_ONESHOT
                ),
                "persona": plan_with(
                    {}, name="persona", without=only_soul, modality=Modality.SYNCHRONOUS_ONESHOT
                ),
                "system": plan_with({}, name="system", channel=PersonaChannel.SYSTEM),
                "external_backend": plan_with({}, name="external backend", backend=_E),
                "event": plan_with(
                    {}, name="event", modality=Modality.EVENT_TRIGGERED, without=("schedule", "checklist")
                ),
                "scheduled": plan_with({}, name="scheduled", modality=Modality.SCHEDULED),
                "both": plan_with({}, name="both", secondary=(Modality.EVENT_TRIGGERED,)),
                "no_checklist": plan_with({}, name="no checklist", without=("checklist",)),
                "all_external": plan_with(
                    {
                        key: _E
                        for key, piece in PIECES.items()
                        if piece.kind and _E in allowed_for(piece.kind)
                    },
                    name="all external",
                    backend=_E,
                ),
                "all_stubs": plan_with(
                    {
                        key: _S
                        for key, piece in PIECES.items()
                        if piece.kind and _S in allowed_for(piece.kind)
                    },
                    name="all stubs",
                ),
                "all_delegated": plan_with(
                    {
                        key: _D
                        for key, piece in PIECES.items()
                        if piece.kind and _D in allowed_for(piece.kind)
                    },
                    name="all delegated",
                ),
                "all_mocked": plan_with(
                    {
                        key: _M
                        for key, piece in PIECES.items()
                        if piece.kind and _M in allowed_for(piece.kind)
                    },
                    name="all mocked",
                ),
                "all_real": plan_with(
                    {
                        key: _R
                        for key, piece in PIECES.items()
                        if piece.kind and _R in allowed_for(piece.kind)
                    },
                    name="all real",
                ),
                "all_loaded": plan_with(
                    {
                        key: _L
                        for key, piece in PIECES.items()
                        if piece.kind and _L in allowed_for(piece.kind)
                    },
                    name="all loaded",
                ),
                "all_removed": plan_with(
                    {key: _X for key, piece in PIECES.items() if piece.kind}, name="all removed"
                ),
            }
        )
    return SHAPES
