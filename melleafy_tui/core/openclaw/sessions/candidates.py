"""Proposes fixtures from chosen sessions: distinct user turns, masked, each with its origin."""

import re
from collections import Counter, OrderedDict
from collections.abc import Collection, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.errors import UsageError
from melleafy_tui.core.models.decisions import MOST_PICKED, PickedFixture
from melleafy_tui.core.models.history import FixtureCandidate, FixtureProposal, SessionSummary
from melleafy_tui.core.openclaw.sessions.personal_data import mask_place, mask_private
from melleafy_tui.core.openclaw.sessions.transcripts import Line, Role, read_transcript
from melleafy_tui.core.tables import table_beside

SHORTEST_TURN: Final = 3
LONGEST_TURN: Final = 4_000
"""In characters; longer turns are pasted documents and make poor fixtures."""

_METADATA: Final = re.compile(
    r"\s*[A-Z][\w ()]{0,60}\((?:untrusted|trusted)[\w ,]{0,40}\):\s*```(?:json)?\s*\n[^`]{0,8000}```\s*"
)
_ENVELOPE: Final = re.compile(r"\s*\[[^\[\]\n]{1,200}\d{1,2}:\d{2}[^\[\]\n]{0,80}\]\s*")
_OWN_LINE: Final = re.compile(
    r"^[ \t]*(?:\[message_id: ?[^\]\n]*\]|Current time: [^\n]*|System: [^\n]*|\[media attached[^\]\n]*\])[ \t]*$\n?",
    re.MULTILINE,
)
_REPLY_TAG: Final = re.compile(r"\[\[[a-z_]{1,40}(?::[^\]\n]{0,80})?\]\]\s*")

PASSED_OVER: Final = tuple(
    (kind, re.compile(pattern, re.DOTALL))
    for kind, pattern in table_beside(__file__, "passed_over.toml").items()
)
"""Turns that OpenClaw writes as the user, by kind; each pattern is matched at the start of a turn."""


def real_turn(text: str) -> tuple[str, str]:
    """Return the unwrapped turn and `""`, or `""` and the reason why the turn is skipped.

    Args:
        text: The text of a line whose role is user.
    """
    if len(text) > 4 * LONGEST_TURN:
        return "", "too long"
    for _ in range(6):
        match = _METADATA.match(text) or _ENVELOPE.match(text)
        if match is None:
            break
        text = text[match.end() :]
    text = _REPLY_TAG.sub("", _OWN_LINE.sub("", text)).strip()
    for reason, pattern in PASSED_OVER:
        if pattern.match(text):
            return "", reason
    if len(text) > LONGEST_TURN:
        return "", "too long"
    if len(text) < SHORTEST_TURN:
        return "", "nothing said"
    return text, ""


MOST_CANDIDATES: Final = 500
"""Most turns kept while reading (the latest ones), so that memory does not grow with the transcript."""

ALL_SESSIONS: Final = "all"
EXPECTED: Final = "Answers a message of an earlier session, and keeps every rule"
_WORDS_IN_ID: Final = 4
_LONGEST_ID: Final = 40


class _Turn(Struct, frozen=True):
    text: str
    path: str
    line: Line
    times: int = 1


def choose_sessions(sessions: Sequence[SessionSummary], named: Collection[str]) -> tuple[SessionSummary, ...]:
    """Return the sessions named by id, key or path, or all readable ones for `all`, in the order of the list.

    Raises:
        UsageError: A name matches no session.
    """
    if ALL_SESSIONS in named:
        return tuple(session for session in sessions if not session.unreadable)
    chosen = [session for session in sessions if _names(session) & set(named)]
    left = set(named) - {name for session in chosen for name in _names(session)}
    if left:
        raise UsageError(
            f"No session is called {sorted(left)[0]!r}",
            hint="`melleafy-tui history STATE_DIR` lists the sessions.",
        )
    return tuple(chosen)


def propose_fixtures(
    folder: Path, sessions: Sequence[SessionSummary], names: Sequence[str] = ()
) -> FixtureProposal:
    """Return the fixture candidates from the chosen sessions, latest session first.

    Args:
        folder: The state folder.
        sessions: The chosen sessions.
        names: Additional words to mask, such as names of people.
    """
    passed_over: Counter[str] = Counter()
    found: OrderedDict[str, FixtureCandidate] = OrderedDict()
    for session in sessions:
        for turn in reversed(_turns(folder, session, passed_over).values()):
            candidate = _candidate(turn, names)
            if not SHORTEST_TURN <= len(candidate.message) <= LONGEST_TURN:
                passed_over["too long" if len(candidate.message) > LONGEST_TURN else "nothing said"] += 1
                continue
            earlier = found.get(candidate.candidate_id)
            if earlier is not None:
                times = earlier.times + candidate.times
                found[candidate.candidate_id] = replace(earlier, times=times)
            elif len(found) < MOST_CANDIDATES:
                found[candidate.candidate_id] = candidate
            else:
                passed_over["older"] += 1
    return FixtureProposal(
        candidates=tuple(_with_unique_names(list(found.values()))),
        passed_over=dict(sorted(passed_over.items())),
    )


def picked_fixtures(
    candidates: Sequence[FixtureCandidate], picked: Collection[str]
) -> tuple[PickedFixture, ...]:
    """Return the fixtures for the picked candidates, in the order of the list.

    Raises:
        UsageError: An id matches no candidate, or more are picked than a package can have.
    """
    known = {candidate.candidate_id for candidate in candidates}
    left = set(picked) - known
    if left:
        raise UsageError(
            f"No candidate is called {sorted(left)[0]!r}", hint="Run without --pick to see the candidates."
        )
    chosen = [candidate for candidate in candidates if candidate.candidate_id in picked]
    if len(chosen) > MOST_PICKED:
        raise UsageError(
            f"{len(chosen)} fixtures are picked, and a package takes {MOST_PICKED} from its history",
            hint="The other places are for the workspace's own rules; pick fewer.",
        )
    return tuple(
        PickedFixture(
            fixture_id=candidate.fixture_id,
            message=candidate.message,
            expected=EXPECTED,
            came_from=candidate.came_from,
        )
        for candidate in chosen
    )


def _turns(folder: Path, session: SessionSummary, passed_over: Counter[str]) -> OrderedDict[bytes, _Turn]:
    """Return the latest distinct user turns of a session, oldest first."""
    turns: OrderedDict[bytes, _Turn] = OrderedDict()
    for line in read_transcript(folder / session.path):
        if line.role is not Role.USER:
            continue
        text, reason = real_turn(line.text)
        if not text:
            passed_over[reason] += 1
            continue
        digest = sha256(_folded(text).encode("utf-8", "replace")).digest()
        earlier = turns.pop(digest, None)
        if earlier is not None:
            turns[digest] = replace(earlier, times=earlier.times + 1)
        else:
            turns[digest] = _Turn(text, session.path, replace(line, text=""))
        if len(turns) > MOST_CANDIDATES:
            turns.popitem(last=False)
            passed_over["older"] += 1
    return turns


def _candidate(turn: _Turn, names: Sequence[str]) -> FixtureCandidate:
    masked = mask_private(turn.text, names)
    message = masked.text.strip()
    digest = sha256(_folded(message).encode()).hexdigest()[:10]
    words = re.findall(r"[a-z][a-z0-9]+", re.sub(r"\$\{\w+\}|\[\w+\]", " ", message.lower()))
    stem = "_".join(words[:_WORDS_IN_ID])[:_LONGEST_ID].strip("_") or digest
    return FixtureCandidate(
        candidate_id=f"turn_{digest}",
        fixture_id=f"history_{stem}",
        message=message,
        came_from=mask_place(f"{turn.path}:{turn.line.number}"),
        timestamp=turn.line.timestamp,
        turn_id=mask_place(turn.line.turn_id),
        parent_id=mask_place(turn.line.parent_id),
        times=turn.times,
        masked=masked.found,
    )


def _with_unique_names(candidates: list[FixtureCandidate]) -> list[FixtureCandidate]:
    """Return the candidates with unique names; equal names all get a digest appended."""
    taken = Counter(candidate.fixture_id for candidate in candidates)
    return [
        candidate
        if taken[candidate.fixture_id] == 1
        else replace(candidate, fixture_id=f"{candidate.fixture_id}_{candidate.candidate_id[-6:]}")
        for candidate in candidates
    ]


def _names(session: SessionSummary) -> set[str]:
    own = session.session_id + (f"-topic-{session.thread_id}" if session.thread_id else "")
    return {own, session.path, *filter(None, [session.key])}


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
