"""Step 0: classifies a source on five axes, each with its evidence.

The runtime is determined first, then modality, tools, archetype and shape.
"""

import re
from collections.abc import Iterable
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.dialects.base import Signal
from melleafy_tui.core.dialects.registry import Dialects
from melleafy_tui.core.errors import ClassificationHalted, UsageError
from melleafy_tui.core.models.classification import (
    Classification,
    ModalityEvidence,
    RuntimeScore,
    SignalEvidence,
)
from melleafy_tui.core.models.findings import Diagnostic, diagnose
from melleafy_tui.core.models.settings import Settings
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.models.vocabulary import (
    HYBRID,
    STRENGTH_WEIGHTS,
    UNKNOWN_RUNTIME,
    Modality,
    Runtime,
    Strength,
)
from melleafy_tui.core.pipeline.inferred_axes import infer_archetype, infer_shape, infer_tools, own_lines
from melleafy_tui.core.source.python_code import python_facts

HYBRID_MARGIN: Final = 1.0
"""Candidates whose score is within this margin of the best make a hybrid."""

MEDIUM_SIGNALS_NEEDED: Final = 2
_AMBIENT_ALONE: Final = "outside the workspace, and not counted without a signal in it"
_AMBIENT_COUNTED: Final = "outside the workspace, counted beside the signals in it"

READ_ALONE: Final = frozenset({"AGENTS.md", "CLAUDE.md", ".claude-plugin/plugin.json"})
"""Signals that choose Claude Code if no runtime is a candidate.

AGENTS.md by convention; no other runtime uses files with the other two names.
"""

NEVER_HYBRID: Final = (Runtime.AGENT_SKILLS_STD.value, Runtime.CLAUDE_CODE.value)
"""The one pair that never makes a hybrid; the second one is chosen."""


class Choice(Struct, frozen=True):
    """The chosen runtime, the other candidates within the margin, and the reason."""

    primary: str
    contributors: tuple[str, ...]
    reason: str


def score_runtimes(
    snapshot: Snapshot, tables: Iterable[tuple[str, tuple[Signal, ...]]]
) -> tuple[RuntimeScore, ...]:
    """Return the score of each runtime, in the order of the tables, which breaks ties."""
    return tuple(_score(snapshot, runtime, signals) for runtime, signals in tables)


def choose_runtime(scores: tuple[RuntimeScore, ...]) -> Choice:
    """Return the candidate with the best score, and those within the margin of it."""
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
    reason = f"highest score ({points[primary]:g})"
    if pair:
        reason = f"{kept} and {dropped} never become a hybrid; {kept} is chosen"
    elif contributors:
        others = ", ".join(f"{name} {points[name]:g}" for name in contributors)
        reason = f"{primary} scores {points[primary]:g}; within {HYBRID_MARGIN:g} of it: {others}"
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


OWN_MARK_LINES: Final = 30
OWN_MARK: Final = re.compile(
    r"auto-?generated\b[^\n]{0,40}\bmelleafy|\bmelleafy[^\n]{0,40}\bauto-?generated", re.IGNORECASE
)
"""Recognizes a SKILL.md that this tool wrote."""

MANY_CONTRIBUTORS: Final = 3


def classify(
    snapshot: Snapshot, settings: Settings, dialects: Dialects
) -> tuple[Classification, tuple[Diagnostic, ...]]:
    """Classify a source.

    Raises:
        UsageError: the settings name an unknown runtime, or contradict each other.
        ClassificationHalted: the source declares two mutually exclusive modalities.
    """
    scored, findings = _without_own_skill(snapshot)
    findings += _python_problems(snapshot)
    scores = score_runtimes(scored, dialects.signal_tables())
    natural = choose_runtime(scores)
    runtime = _chosen(natural, settings, dialects)
    findings += _about_choice(runtime, natural, scores, settings, dialects)
    readers = (runtime.primary, *runtime.contributors)
    by_reader = [dialects.get(name).modality_evidence(snapshot) for name in readers]
    evidence = tuple(found for part in by_reader for found in part)
    modality, secondary = modality_of(evidence, by_reader[0], settings)
    schedules = (dialects.get(name).schedule(snapshot) for name in readers)
    primary = dialects.get(runtime.primary)
    lines = tuple(own_lines(snapshot, dialects.stock_text_of(readers)))
    tools, archetype, shape = infer_tools(snapshot, lines), infer_archetype(lines), infer_shape(lines)
    is_hybrid = bool(runtime.contributors)
    classification = Classification(
        source_runtime=HYBRID if is_hybrid else runtime.primary,
        hybrid_primary=runtime.primary if is_hybrid else None,
        hybrid_contributors=runtime.contributors,
        source_runtime_override=settings.source_runtime,
        scores=scores,
        runtime_reason=runtime.reason,
        generation=primary.generation(snapshot),
        modality=modality,
        secondary_modalities=secondary,
        modality_override=settings.modality,
        modality_evidence=evidence,
        schedule=next((found for found in schedules if found.type), primary.schedule(snapshot)),
        archetype=archetype.value,
        archetype_evidence=archetype.evidence,
        archetype_confidence=archetype.confidence,
        shape=shape.value,
        shape_evidence=shape.evidence,
        shape_confidence=shape.confidence,
        tool_involvement=tools.value,
        tool_evidence=tools.evidence,
        tool_confidence=tools.confidence,
    )
    return classification, (*dialects.problems, *findings)


# --- runtime ----------------------------------------------------------------------------------------


def _without_own_skill(snapshot: Snapshot) -> tuple[Snapshot, tuple[Diagnostic, ...]]:
    """Return the snapshot without a root SKILL.md that this tool wrote, since that mustn't be scored."""
    skill = snapshot.file("SKILL.md")
    if skill is None or not any(OWN_MARK.search(line) for line in skill.lines[:OWN_MARK_LINES]):
        return snapshot, ()
    scored = replace(
        snapshot,
        files=tuple(file for file in snapshot.files if file is not skill),
        names=tuple(name for name in snapshot.names if name != skill.path),
    )
    return scored, (diagnose("own-skill-mark", skill.path),)


def _python_problems(snapshot: Snapshot) -> tuple[Diagnostic, ...]:
    findings = []
    for file in snapshot.files:
        if file.path.endswith(".py") and file.text is not None:
            facts = python_facts(file.text)
            if facts.problem:
                line = str(facts.problem_line) if facts.problem_line else ""
                findings.append(diagnose("python-syntax", file.path, line, problem=facts.problem))
    return tuple(findings)


def _chosen(natural: Choice, settings: Settings, dialects: Dialects) -> Choice:
    """Return the runtime from the settings, else the one the scores choose."""
    wanted, contributing = settings.source_runtime, settings.contributing_runtimes
    known = (*dialects.known_runtimes, UNKNOWN_RUNTIME)
    for name in (*((wanted,) if wanted and wanted != HYBRID else ()), *contributing):
        if name not in known:
            raise UsageError(
                f"There is no runtime named {name!r}",
                hint=f"Use one of: {', '.join((*known, HYBRID))}.",
            )
    if wanted != HYBRID:
        if contributing:
            raise UsageError(
                "--contributing-runtimes goes with --source-runtime hybrid only",
                hint=f"Use --source-runtime hybrid --contributing-runtimes {','.join(contributing)}, or drop it.",
            )
        return natural if wanted is None else Choice(wanted, (), f"--source-runtime {wanted} chose it")
    named = tuple(dict.fromkeys(contributing))
    if len(named) < 2:
        raise UsageError(
            "--source-runtime hybrid needs two runtimes or more",
            hint="Name them with --contributing-runtimes a,b; the first one is the primary.",
        )
    dropped, kept = NEVER_HYBRID
    if dropped in named and kept in named:
        named = tuple(name for name in named if name != dropped)
        if len(named) == 1:
            return Choice(kept, (), f"{kept} and {dropped} never become a hybrid; {kept} is chosen")
    return Choice(named[0], named[1:], f"--source-runtime hybrid chose {' and '.join(named)}")


def _about_choice(
    runtime: Choice,
    natural: Choice,
    scores: tuple[RuntimeScore, ...],
    settings: Settings,
    dialects: Dialects,
) -> tuple[Diagnostic, ...]:
    findings = []
    if runtime.primary == UNKNOWN_RUNTIME:
        findings.append(diagnose("runtime-unknown", ""))
    for name in (runtime.primary, *runtime.contributors):
        if name != UNKNOWN_RUNTIME and not dialects.has(name):
            findings.append(diagnose("dialect-missing", "", runtime=name))
    wanted = settings.source_runtime
    if wanted is not None and wanted != HYBRID:
        found = (natural.primary, *natural.contributors)
        others = ",".join(name for name in found if name != wanted)
        if natural.contributors and others:
            findings.append(diagnose("hybrid-hidden", "", runtime=wanted, others=others))
        matched = any(score.runtime == wanted and score.evidence for score in scores)
        if not matched and wanted != UNKNOWN_RUNTIME:
            findings.append(diagnose("override-without-signal", "", runtime=wanted))
    if len(runtime.contributors) >= MANY_CONTRIBUTORS:
        findings.append(diagnose("hybrid-many", "", count=len(runtime.contributors)))
    return tuple(findings)


# --- modality ---------------------------------------------------------------------------------------


def _in_order(evidence: tuple[ModalityEvidence, ...]) -> tuple[Modality, ...]:
    present = {found.modality for found in evidence}
    return tuple(modality for modality in Modality if modality in present)


def modality_of(
    evidence: tuple[ModalityEvidence, ...], primary_evidence: tuple[ModalityEvidence, ...], settings: Settings
) -> tuple[Modality, tuple[Modality, ...]]:
    """Return the primary modality and the others; in a hybrid the primary runtime decides the primary modality."""
    present = _in_order(evidence)
    one_shot = Modality.SYNCHRONOUS_ONESHOT
    if settings.modality is not None:
        rest = tuple(found for found in present if found not in (settings.modality, one_shot))
        if settings.modality is one_shot:
            rest = tuple(found for found in rest if found is not Modality.HEARTBEAT)
        return settings.modality, rest
    if Modality.HEARTBEAT in present and one_shot in present:
        places = ", ".join(
            f"{found.rule} in {found.file}"
            for found in evidence
            if found.modality in (Modality.HEARTBEAT, one_shot)
        )
        raise ClassificationHalted(
            f"The source declares both a heartbeat and a synchronous one-shot run ({places})",
            hint="Choose with --modality heartbeat or --modality synchronous_oneshot.",
        )
    ordered = tuple(dict.fromkeys((*_in_order(primary_evidence), *present)))
    explicit = tuple(found for found in ordered if found is not one_shot)
    if not explicit:
        return one_shot, ()
    return explicit[0], explicit[1:]
