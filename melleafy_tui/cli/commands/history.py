"""`history`: lists an agent's sessions and their fixture candidates, and saves picks as decisions."""

import argparse
import os
from datetime import UTC, datetime
from pathlib import Path

from melleafy_tui.actions.plurals import counted
from melleafy_tui.cli.console import Console
from melleafy_tui.cli.json_documents import Document
from melleafy_tui.cli.workspace_conversion import dated
from melleafy_tui.core.decisions.file import read_decisions, write_decisions
from melleafy_tui.core.errors import UsageError
from melleafy_tui.core.models.decisions import MOST_PICKED, DecisionsDocument, PickedFixture
from melleafy_tui.core.models.history import FixtureCandidate, FixtureProposal, RankedSource, SessionSummary
from melleafy_tui.core.openclaw.sessions.candidates import choose_sessions, picked_fixtures, propose_fixtures
from melleafy_tui.core.openclaw.sessions.session_list import list_sessions, open_state_folder, rank_sources
from melleafy_tui.core.pipeline.timestamps import moment_of

LONGEST_SHOWN = 100


class HistoryDocument(Document, frozen=True, kw_only=True):
    """The document of `history --json`, names and turns masked; `candidates` needs `--session`."""

    state_folder: str
    sessions: tuple[SessionSummary, ...]
    sources: tuple[RankedSource, ...]
    candidates: tuple[FixtureCandidate, ...] = ()
    passed_over: dict[str, int]
    picked: tuple[dict[str, str], ...] = ()
    saved: str | None = None


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Print sessions and sources, or candidates, and save the picks."""
    picked: list[str] = arguments.pick or []
    _refuse_half_a_pick(arguments)
    folder = open_state_folder(Path(arguments.state_dir))
    sessions = list_sessions(folder, console.progress)
    sources = rank_sources(
        folder, sessions, dated(arguments.as_of, moment_of(os.environ, datetime.now(UTC))[0].date())
    )
    proposal = FixtureProposal()
    fixtures: tuple[PickedFixture, ...] = ()
    if arguments.session:
        chosen = choose_sessions(sessions, arguments.session)
        proposal = propose_fixtures(folder, chosen, arguments.mask or ())
        fixtures = picked_fixtures(proposal.candidates, picked)
    if fixtures:
        _save(Path(arguments.save), fixtures)
    console.document(
        HistoryDocument(
            state_folder=str(folder),
            sessions=sessions,
            sources=sources,
            candidates=proposal.candidates,
            passed_over=proposal.passed_over,
            picked=tuple(fixture.model_dump() for fixture in fixtures),
            saved=arguments.save if fixtures else None,
        )
    )
    if arguments.session:
        _say_proposal(proposal, console)
    else:
        _say_sessions(sessions, console)
        console.line()
        console.heading("Sources, most informative first")
        console.table([(source.signal, source.kind, source.path, source.note) for source in sources])
    if fixtures:
        console.heading(f"Saved {counted(len(fixtures), 'fixture')} to {arguments.save}")
    return 0


def _refuse_half_a_pick(arguments: argparse.Namespace) -> None:
    if bool(arguments.pick) != bool(arguments.save):
        raise UsageError(
            "--pick and --save go together", hint="Give `--pick ID --save melleafy-decisions.json`."
        )
    if arguments.pick and not arguments.session:
        raise UsageError(
            "--pick needs the sessions it picks from", hint="Give --session ID, or --session all."
        )


def _save(place: Path, fixtures: tuple[PickedFixture, ...]) -> None:
    document = read_decisions(place) if place.exists() else DecisionsDocument()
    names = {fixture.fixture_id for fixture in fixtures}
    kept = tuple(fixture for fixture in document.fixtures if fixture.fixture_id not in names)
    together = tuple(sorted((*kept, *fixtures), key=lambda fixture: fixture.fixture_id))
    if len(together) > MOST_PICKED:
        raise UsageError(
            f"{place} would hold {len(together)} fixtures, and a package takes {MOST_PICKED} from its history",
            hint="Remove some from its `fixtures`, or pick fewer; nothing was saved.",
        )
    write_decisions(place, document.model_copy(update={"fixtures": together}), known=document.digest)


def _say_sessions(sessions: tuple[SessionSummary, ...], console: Console) -> None:
    console.heading(counted(len(sessions), "session"))
    console.table(
        [
            (
                session.updated_at or "-",
                session.agent_id,
                session.session_id + (f"-topic-{session.thread_id}" if session.thread_id else ""),
                f"{session.counts.user} user",
                f"{session.counts.assistant} assistant",
                f"{session.counts.tool + session.counts.tool_result} tool",
                "; ".join(filter(None, (session.name, _damage(session)))),
            )
            for session in sessions
        ]
    )


def _damage(session: SessionSummary) -> str:
    parts = (
        session.unreadable,
        "last line incomplete" if session.torn else "",
        f"{counted(session.counts.malformed, 'malformed line')}" if session.counts.malformed else "",
        f"unknown roles: {', '.join(session.unknown_roles)}" if session.unknown_roles else "",
    )
    return ", ".join(filter(None, parts))


def _say_proposal(proposal: FixtureProposal, console: Console) -> None:
    console.heading(counted(len(proposal.candidates), "fixture candidate"))
    for candidate in proposal.candidates:
        text = " ".join(candidate.message.split())
        shown = text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - 1] + "…"
        masked = ", ".join(f"{count} {kind}" for kind, count in candidate.masked.items())
        times = f", {candidate.times} times" if candidate.times > 1 else ""
        console.line(f"  {candidate.candidate_id}  {shown}")
        console.line(f"      {candidate.came_from}{times}{f'; masked: {masked}' if masked else ''}")
    if proposal.passed_over:
        passed = ", ".join(f"{count} {reason}" for reason, count in proposal.passed_over.items())
        console.line(f"  skipped: {passed}")
