"""Step 0: classifies a source on five axes, each with its evidence.

The runtime is determined first, then modality, tools, archetype and shape.
"""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.dialects.base import Signal
from melleafy_tui.core.dialects.registry import Dialects
from melleafy_tui.core.errors import ClassificationHalted, UnusableInput, UsageError, did_you_mean
from melleafy_tui.core.language.wording import first_of
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.classification import (
    Classification,
    ModalityEvidence,
    RuntimeScore,
    SignalEvidence,
)
from melleafy_tui.core.models.conversion_settings import Settings
from melleafy_tui.core.models.findings import Diagnostic, diagnose
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
from melleafy_tui.core.pipeline.schedule_changes import changed_evidence, read_changes, with_changes
from melleafy_tui.core.source.python_code import facts_of
from melleafy_tui.core.source.sources_below import HERE, sources_among

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

_PAIR_REASON: Final = "{1} and {0} never become a hybrid; {1} is chosen".format(*NEVER_HYBRID)


PERSONA: Final = "SOUL.md"


class Choice(Struct, frozen=True):
    """The chosen runtime, the other candidates within the margin, and the reason."""

    primary: str
    contributors: tuple[str, ...]
    reason: str

    @property
    def readers(self) -> tuple[str, ...]:
        """Return the runtimes whose dialects read the source, the primary first."""
        return (self.primary, *self.contributors)


def choose_runtime(scores: tuple[RuntimeScore, ...]) -> Choice:
    """Return the candidate with the best score, and those within the margin of it."""
    ranked = sorted((score for score in scores if score.candidate), key=lambda score: -score.score)
    if not ranked:
        return _without_candidate(scores)
    leads_claude = ranked[0].runtime == Runtime.CLAUDE_CODE.value  # it has no persona of its own
    close = tuple(
        score.runtime
        for score in ranked
        if ranked[0].score - score.score <= HYBRID_MARGIN
        or (
            # The evidence is who the agent is, which no other runtime's files can say.
            leads_claude and any(item.signal == PERSONA for item in score.evidence)
        )
    )
    primary, *contributors = _without_impossible_pair(close)
    points = {score.runtime: score.score for score in scores}
    reason = f"highest score ({points[primary]:g})"
    if set(NEVER_HYBRID) <= set(close):
        reason = _PAIR_REASON
    elif contributors:
        others = ", ".join(f"{name} {points[name]:g}" for name in contributors)
        reason = f"{primary} scores {points[primary]:g}; within {HYBRID_MARGIN:g} of it: {others}"
    return Choice(primary, tuple(contributors), reason)


def _without_impossible_pair(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the runtimes without the dropped one of the pair that never makes a hybrid; the kept one is its heir."""
    dropped, kept = NEVER_HYBRID
    if not {dropped, kept} <= set(names):
        return names
    heirs = (kept, *names) if names[0] == dropped else names
    return tuple(dict.fromkeys(name for name in heirs if name != dropped))


def _score(snapshot: Snapshot, runtime: str, signals: tuple[Signal, ...]) -> RuntimeScore:
    """Return the score of one runtime; what lies outside the workspace counts beside a signal in it only."""
    found = [(signal, match) for signal in signals if (match := next(iter(signal.matcher(snapshot)), None))]
    in_workspace = any(not signal.ambient for signal, _ in found)
    of_ambient = _AMBIENT_COUNTED if in_workspace else _AMBIENT_ALONE
    evidence = tuple(
        SignalEvidence(
            runtime,
            signal.name,
            signal.strength,
            STRENGTH_WEIGHTS[signal.strength],
            match.file,
            match.line,
            ambient=signal.ambient,
            counted=in_workspace or not signal.ambient,
            note=of_ambient if signal.ambient else match.note or signal.note,
        )
        for signal, match in found
    )
    counting = [item for item in evidence if item.counted]
    strengths = Counter(item.strength for item in counting)
    is_candidate = strengths[Strength.STRONG] > 0 or strengths[Strength.MEDIUM] >= MEDIUM_SIGNALS_NEEDED
    return RuntimeScore(runtime, sum(item.weight for item in counting), is_candidate, evidence)


def _without_candidate(scores: tuple[RuntimeScore, ...]) -> Choice:
    claude = Runtime.CLAUDE_CODE.value
    for score in scores:
        for item in score.evidence:
            if score.runtime == claude and item.signal in READ_ALONE:
                return Choice(claude, (), f"{item.signal} alone is read as Claude Code's")
    return Choice(UNKNOWN_RUNTIME, (), "no runtime has one strong or two medium signals")


OWN_MARK_LINES: Final = 30
OWN_MARK: Final = LazyRegex(
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
        UnusableInput: a file was named that is no main file of the runtime.
    """
    scored = _without_own_skill(snapshot)
    scores = tuple(_score(scored, name, signals) for name, signals in dialects.signal_tables())
    natural = choose_runtime(scores)
    runtime = _chosen(natural, settings, dialects)
    _refuse_other_files(snapshot, runtime, settings, dialects)
    findings = (
        *(() if scored is snapshot else (diagnose("own-skill-mark", "SKILL.md"),)),
        *_python_problems(snapshot),
        *_about_choice(runtime, natural, scores, settings, dialects),
        *_about_sources_below(snapshot, runtime, dialects),
    )
    readers = runtime.readers
    by_reader = [dialects.get(name).modality_evidence(snapshot) for name in readers]
    evidence = tuple(found for part in by_reader for found in part)
    changes = read_changes(settings.schedule)
    evidence = changed_evidence(evidence, changes)
    modality, secondary = _modality_of(evidence, by_reader[0], settings)
    schedules = [dialects.get(name).schedule(snapshot) for name in readers]
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
        schedule=with_changes(
            next((found for found in schedules if found.type), schedules[0]),
            changes,
            is_heartbeat=Modality.HEARTBEAT in (modality, *secondary),
        ),
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


def _without_own_skill(snapshot: Snapshot) -> Snapshot:
    """Return the snapshot without a root SKILL.md that this tool wrote, since that mustn't be scored."""
    skill = snapshot.file("SKILL.md")
    if skill is None or not any(OWN_MARK.search(line) for line in skill.lines[:OWN_MARK_LINES]):
        return snapshot
    files = tuple(file for file in snapshot.files if file is not skill)
    return replace(snapshot, files=files, names=tuple(name for name in snapshot.names if name != skill.path))


def _python_problems(snapshot: Snapshot) -> Iterator[Diagnostic]:
    """Yield the Python files near the root that can't be parsed; those deeper may be anyone's, and are many."""
    for file in snapshot.files:
        if file.path.endswith(".py") and file.text is not None and file.path.count("/") <= 1:
            facts = facts_of(file)
            if facts.problem:
                line = str(facts.problem_line) if facts.problem_line else ""
                yield diagnose("python-syntax", file.path, line, problem=facts.problem)


def _chosen(natural: Choice, settings: Settings, dialects: Dialects) -> Choice:
    """Return the runtime from the settings, else the one the scores choose."""
    wanted, contributing = settings.source_runtime, settings.contributing_runtimes
    known = (*dialects.known_runtimes, UNKNOWN_RUNTIME)
    offered = (*known, HYBRID)
    for name in (*((wanted,) if wanted and wanted != HYBRID else ()), *contributing):
        if name not in known:
            raise UsageError(
                f"There is no runtime named {name!r}",
                hint=f"{did_you_mean(name, offered)} Use one of: {', '.join(offered)}.".lstrip(),
            )
    if wanted == HYBRID:
        return _named_hybrid(contributing)
    if contributing:
        raise UsageError(
            "--contributing-runtimes goes with --source-runtime hybrid only",
            hint=f"Use --source-runtime hybrid --contributing-runtimes {','.join(contributing)}, or drop it.",
        )
    return natural if wanted is None else Choice(wanted, (), f"--source-runtime {wanted} chose it")


def _named_hybrid(contributing: tuple[str, ...]) -> Choice:
    """Return the hybrid of the runtimes that the settings name."""
    named = tuple(dict.fromkeys(contributing))
    if len(named) < 2:
        raise UsageError(
            "--source-runtime hybrid needs two runtimes or more",
            hint="Name them with --contributing-runtimes a,b; the first one is the primary.",
        )
    primary, *others = _without_impossible_pair(named)
    reason = f"--source-runtime hybrid chose {' and '.join([primary, *others])}" if others else _PAIR_REASON
    return Choice(primary, tuple(others), reason)


def _about_choice(
    runtime: Choice,
    natural: Choice,
    scores: tuple[RuntimeScore, ...],
    settings: Settings,
    dialects: Dialects,
) -> Iterator[Diagnostic]:
    """Yield what to know of the chosen runtimes, and what the signals say against one that the settings name."""
    for name in runtime.readers:
        if name != UNKNOWN_RUNTIME and not dialects.has(name):
            yield diagnose("dialect-missing", "", runtime=name)
    wanted = settings.source_runtime
    if wanted is not None and wanted != HYBRID:
        others = ",".join(name for name in natural.readers if name != wanted)
        if natural.contributors and others:
            yield diagnose("hybrid-hidden", "", runtime=wanted, others=others)
        matched = any(score.runtime == wanted and score.evidence for score in scores)
        if not matched and wanted != UNKNOWN_RUNTIME:
            yield diagnose("override-without-signal", "", runtime=wanted)
    if len(runtime.contributors) >= MANY_CONTRIBUTORS:
        yield diagnose("hybrid-many", "", count=len(runtime.contributors))


def _refuse_other_files(snapshot: Snapshot, runtime: Choice, settings: Settings, dialects: Dialects) -> None:
    """Refuse a named file that no dialect reads, unless the user says which runtime it is of."""
    named = snapshot.primary
    is_known = runtime.primary != UNKNOWN_RUNTIME
    is_read = is_known and any(dialects.get(name).wants(named) for name in runtime.readers)
    if named and settings.source_runtime is None and not is_read:
        raise UnusableInput(
            "The file is not the main file of an agent or a skill",
            hint="Name its folder, a main file such as AGENTS.md or SKILL.md, or its runtime with --source-runtime.",
            location=named,
        )


def _about_sources_below(snapshot: Snapshot, runtime: Choice, dialects: Dialects) -> Iterator[Diagnostic]:
    """Yield what to know of the folders that are sources of their own, or that the runtime is unknown without them."""
    is_unknown = runtime.primary == UNKNOWN_RUNTIME
    # All crews of a project are one source.
    kinds = [kind for kind in dialects.main_files if is_unknown or not kind.project]
    found = () if snapshot.primary else sources_among(snapshot.names, kinds)
    mine = (source for source in found if is_unknown or source.runtime == runtime.primary)
    below = [source.path for source in mine if source.path != HERE]
    if below:
        code = "holds-sources" if is_unknown else "holds-agents"
        yield diagnose(code, "", count=len(below), paths=first_of(below, _MOST_SHOWN))
    elif is_unknown:
        yield diagnose("runtime-unknown", "")


_MOST_SHOWN: Final = 5


# --- modality ---------------------------------------------------------------------------------------


def _modality_of(
    evidence: tuple[ModalityEvidence, ...], primary_evidence: tuple[ModalityEvidence, ...], settings: Settings
) -> tuple[Modality, tuple[Modality, ...]]:
    """Return the primary modality and the others; in a hybrid the primary runtime decides the primary modality."""
    found = {each.modality for each in evidence}
    one_shot, chosen = Modality.SYNCHRONOUS_ONESHOT, settings.modality
    if chosen is not None:
        hidden = {chosen, one_shot, Modality.HEARTBEAT} if chosen is one_shot else {chosen, one_shot}
        return chosen, tuple(each for each in Modality if each in found - hidden)
    if {Modality.HEARTBEAT, one_shot} <= found:
        declared = (each for each in evidence if each.modality in (Modality.HEARTBEAT, one_shot))
        places = ", ".join(f"{each.rule} in {each.file}" for each in declared)
        raise ClassificationHalted(
            f"The source declares both a heartbeat and a synchronous one-shot run ({places})",
            hint="Choose with --modality heartbeat or --modality synchronous_oneshot.",
        )
    own = {each.modality for each in primary_evidence}
    ordered = sorted(found - {one_shot}, key=lambda each: (each not in own, [*Modality].index(each)))
    # A person's yes is part of a run and starts none; hosts know no such trigger.
    first = next((each for each in ordered if each is not Modality.REVIEW_GATED), one_shot)
    return first, tuple(each for each in ordered if each is not first)
