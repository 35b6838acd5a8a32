"""Scores of the source runtimes: which signals match, their sums, who may be chosen (spec/conversion.md 2.1)."""

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from melleafy_tui.core.dialects.base import Signal
from melleafy_tui.core.models.classification import RuntimeScore, SignalEvidence
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.models.vocabulary import STRENGTH_WEIGHTS, UNKNOWN_RUNTIME, Runtime, Strength

HYBRID_MARGIN: Final = 1.0
"""A candidate within this much of the best one makes a hybrid."""

MEDIUM_SIGNALS_NEEDED: Final = 2
_AMBIENT_ALONE: Final = "outside the workspace, and not counted without a signal in it"
_AMBIENT_COUNTED: Final = "outside the workspace, counted beside the signals in it"

READ_ALONE: Final = frozenset({"AGENTS.md", "CLAUDE.md", ".claude-plugin/plugin.json"})
"""Signals that choose Claude Code where no runtime is a candidate.

AGENTS.md by the seed's precedence note, the other two (ours) because no other runtime has files of these names.
"""

NEVER_HYBRID: Final = (Runtime.AGENT_SKILLS_STD.value, Runtime.CLAUDE_CODE.value)
"""The one pair that never becomes hybrid; the second one is chosen."""


class Choice(Struct, frozen=True):
    """Which runtime the scores choose: the primary, the other candidates about as strong, and why."""

    primary: str
    contributors: tuple[str, ...]
    reason: str


def score_runtimes(
    snapshot: Snapshot, tables: Iterable[tuple[str, tuple[Signal, ...]]]
) -> tuple[RuntimeScore, ...]:
    """Return a score for each runtime, in the order of the tables, which is the order that breaks ties."""
    return tuple(_score(snapshot, runtime, signals) for runtime, signals in tables)


def choose_runtime(scores: tuple[RuntimeScore, ...]) -> Choice:
    """Return the runtime that the scores choose: the best candidate, with those within the margin of it."""
    candidates = [score for score in scores if score.candidate]
    if not candidates:
        return _without_candidate(scores)
    ranked = sorted(candidates, key=lambda score: -score.score)
    best = ranked[0]
    close = [score for score in ranked if best.score - score.score <= HYBRID_MARGIN]
    names = [score.runtime for score in close]
    dropped, kept = NEVER_HYBRID
    pair = dropped in names and kept in names
    if pair:
        names.remove(dropped)
        if best.runtime == dropped:
            names.remove(kept)
            names.insert(0, kept)
    primary, contributors = names[0], tuple(names[1:])
    points = {score.runtime: score.score for score in scores}
    reason = f"{primary} scores {points[primary]:g}, the most of the candidates"
    if pair:
        reason = f"{kept} and {dropped} never become a hybrid; {kept} is chosen"
    elif contributors:
        others = ", ".join(f"{name} {points[name]:g}" for name in contributors)
        reason = f"{primary} scores {points[primary]:g}, and within {HYBRID_MARGIN:g} of it: {others}"
    return Choice(primary, contributors, reason)


def _score(snapshot: Snapshot, runtime: str, signals: tuple[Signal, ...]) -> RuntimeScore:
    found = [(signal, match) for signal in signals if (match := next(iter(signal.matcher(snapshot)), None))]
    in_workspace = any(not signal.ambient for signal, _ in found)
    evidence = []
    for signal, match in found:
        counted = in_workspace or not signal.ambient
        note = match.note or signal.note
        if signal.ambient:
            note = _AMBIENT_COUNTED if counted else _AMBIENT_ALONE
        evidence.append(
            SignalEvidence(
                runtime=runtime,
                signal=signal.name,
                strength=signal.strength,
                weight=STRENGTH_WEIGHTS[signal.strength],
                file=match.file,
                line=match.line,
                ambient=signal.ambient,
                counted=counted,
                note=note,
            )
        )
    counting = [item for item in evidence if item.counted]
    strong = sum(item.strength is Strength.STRONG for item in counting)
    medium = sum(item.strength is Strength.MEDIUM for item in counting)
    return RuntimeScore(
        runtime=runtime,
        score=sum(item.weight for item in counting),
        candidate=strong > 0 or medium >= MEDIUM_SIGNALS_NEEDED,
        evidence=tuple(evidence),
    )


def _without_candidate(scores: tuple[RuntimeScore, ...]) -> Choice:
    claude = Runtime.CLAUDE_CODE.value
    for score in scores:
        for item in score.evidence:
            if score.runtime == claude and item.signal in READ_ALONE:
                return Choice(claude, (), f"{item.signal} alone is read as Claude Code's")
    return Choice(UNKNOWN_RUNTIME, (), "no runtime has one strong or two medium signals")
