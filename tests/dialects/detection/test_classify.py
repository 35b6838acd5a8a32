"""Step 0: candidates, precedence, hybrids, overrides, modality, and the evidence of each axis (spec/conversion.md 2)."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from melleafy_tui.core.dialects.base import (
    Dialect,
    Matcher,
    Reading,
    ReadingContext,
    Signal,
)
from melleafy_tui.core.dialects.matchers import (
    name_exists,
    python_call,
    python_decorator,
    python_imports,
    python_name,
    python_string,
)
from melleafy_tui.core.dialects.registry import Dialects
from melleafy_tui.core.errors import ClassificationHalted, UnusableInput, UsageError
from melleafy_tui.core.models.classification import Classification, ModalityEvidence, RuntimeScore, Schedule
from melleafy_tui.core.models.conversion_settings import Settings, checked_settings
from melleafy_tui.core.models.snapshot import Snapshot
from melleafy_tui.core.models.vocabulary import Modality, Runtime, Strength
from melleafy_tui.core.pipeline.classify import choose_runtime, classify
from melleafy_tui.core.source.json5 import read_record
from melleafy_tui.core.source.snapshot_reader import read_snapshot
from melleafy_tui.generators.literals import json_bytes
from tests.rows import every_row

MakeSnapshot = Callable[..., Snapshot]
SKILL = "---\nname: tidy\ndescription: Tidies.\n---\nDo it.\n"
HEARTBEAT, EVENTS = Modality.HEARTBEAT, Modality.EVENT_TRIGGERED
SCHEDULED, ONE_SHOT = Modality.SCHEDULED, Modality.SYNCHRONOUS_ONESHOT


def result(snapshot: Snapshot, **settings: object) -> tuple[Classification, list[str]]:
    classification, findings = classify(snapshot, checked_settings(settings), Dialects.default())
    return classification, [finding.code for finding in findings]


def score(classification: Classification, runtime: str) -> RuntimeScore:
    return next(found for found in classification.scores if found.runtime == runtime)


def points(**scores: float) -> tuple[RuntimeScore, ...]:
    """Return scores of candidates, in the order that breaks ties."""
    return tuple(
        RuntimeScore(runtime, scores.get(runtime, 0.0), runtime in scores)
        for runtime in [*map(str, Runtime), "zz"]
    )


# --- runtime: scores and candidates ------------------------------------------------------------------


def test_a_score_is_the_sum_over_distinct_signals(snapshot_of: MakeSnapshot) -> None:
    found, _ = result(
        snapshot_of({"SOUL.md": "s", "IDENTITY.md": "i", "AGENTS.md": "a", "TOOLS.md": "t", "USER.md": "u"})
    )
    openclaw = score(found, "openclaw")
    assert openclaw.score == 2 + 2 + 1 + 1
    assert {item.signal: item.weight for item in openclaw.evidence} == {
        "SOUL.md": 2.0,
        "IDENTITY.md": 2.0,
        "AGENTS.md": 1.0,
        "TOOLS.md, USER.md and AGENTS.md": 1.0,
    }


def test_a_signal_counts_once_however_often_it_stands_there(snapshot_of: MakeSnapshot) -> None:
    found, _ = result(snapshot_of({"a.py": "StateGraph(S)\nStateGraph(T)\n", "b.py": "StateGraph(U)\n"}))
    assert score(found, "langgraph").score == 2.0


def test_one_strong_signal_makes_a_candidate(snapshot_of: MakeSnapshot) -> None:
    found, _ = result(snapshot_of({"SOUL.md": "s"}))
    assert found.source_runtime == "openclaw"
    assert score(found, "openclaw").candidate


def test_two_medium_signals_make_a_candidate(snapshot_of: MakeSnapshot) -> None:
    found, _ = result(snapshot_of({"AGENTS.md": "a", "TOOLS.md": "t", "USER.md": "u"}))
    assert found.source_runtime == "openclaw"
    assert not score(found, "claude_code").candidate


def test_one_medium_signal_makes_none(snapshot_of: MakeSnapshot) -> None:
    found, codes = result(snapshot_of({".mcp.json": "{}", "notes.md": "n"}))
    assert (found.source_runtime, score(found, "claude_code").candidate) == ("unknown", False)
    assert "runtime-unknown" in codes


def test_weak_signals_make_none(snapshot_of: MakeSnapshot) -> None:
    found, _ = result(snapshot_of({"app.py": "m = HfApiModel()\n"}))
    assert found.source_runtime == "unknown"
    assert score(found, "smolagents").score == 0.5


@every_row("name", ["CLAUDE.md", ".claude-plugin/plugin.json"])
def test_a_file_of_claude_code_alone_is_claude_codes(snapshot_of: MakeSnapshot, name: str) -> None:
    found, codes = result(snapshot_of({name: "{}"}))
    assert found.source_runtime == "claude_code"
    assert not score(found, "claude_code").candidate
    assert "runtime-unknown" not in codes


def test_agents_alone_is_claude_codes(snapshot_of: MakeSnapshot) -> None:
    found, codes = result(snapshot_of({"AGENTS.md": "a"}))
    assert found.source_runtime == "claude_code"
    assert "AGENTS.md alone" in found.runtime_reason
    assert codes == []


def test_a_runtime_whose_dialect_is_not_there_is_told(snapshot_of: MakeSnapshot) -> None:
    found, codes = result(snapshot_of({"app.py": "CodeAgent()\n"}))
    assert found.source_runtime == "smolagents"
    assert "dialect-missing" in codes


def test_nothing_known(snapshot_of: MakeSnapshot) -> None:
    found, codes = result(snapshot_of({"README.md": "r"}))
    assert found.source_runtime == "unknown"
    assert found.dialect_runtimes == ("unknown",)
    assert codes == ["runtime-unknown"]


def test_a_folder_that_only_holds_sources_names_them(snapshot_of: MakeSnapshot) -> None:
    files = {f"skills/s{number}/SKILL.md": "---\nname: s\n---\n" for number in range(7)}
    found, codes = result(snapshot_of({**files, "state/workspace-a/SOUL.md": "s"}))
    assert (found.source_runtime, codes) == ("unknown", ["holds-sources"])
    _, findings = classify(snapshot_of(files), Settings(), Dialects.default())
    assert "(7) are skills/s0, skills/s1, skills/s2, skills/s3, skills/s4 and 2 more." in findings[0].message


def test_other_agents_in_a_workspace_are_named(snapshot_of: MakeSnapshot) -> None:
    files = {
        "SOUL.md": "s",
        "skills/x/SKILL.md": "k",
        "skills/x/assets/SOUL.md": "s",
        "crew/cook/IDENTITY.md": "i",
    }
    _, findings = classify(snapshot_of(files), Settings(), Dialects.default())
    assert [(each.code, each.message.rpartition(": ")[2]) for each in findings] == [
        ("holds-agents", "crew/cook.")
    ]


# --- runtime: the home folder ------------------------------------------------------------------------


def test_home_alone_makes_no_folder_an_openclaw_one(snapshot_of: MakeSnapshot) -> None:
    found, _ = result(snapshot_of({"README.md": "r"}, ambient=("~/.openclaw/",)))
    openclaw = score(found, "openclaw")
    assert (found.source_runtime, openclaw.score, openclaw.candidate) == ("unknown", 0.0, False)
    (evidence,) = openclaw.evidence
    assert evidence.ambient
    assert not evidence.counted
    assert "not counted" in evidence.note


def test_home_adds_its_weight_beside_a_signal_of_the_workspace(snapshot_of: MakeSnapshot) -> None:
    found, _ = result(snapshot_of({"SOUL.md": "s"}, ambient=("~/.openclaw/",)))
    assert score(found, "openclaw").score == 4.0
    assert [item.counted for item in score(found, "openclaw").evidence] == [True, True]


# --- runtime: the choice -----------------------------------------------------------------------------


@every_row(
    ("scores", "primary", "contributors"),
    [
        pytest.param({"openclaw": 6.0, "letta": 4.5}, "openclaw", (), id="farther than the margin"),
        pytest.param({"openclaw": 6.0, "letta": 5.0}, "openclaw", ("letta",), id="just within the margin"),
        pytest.param(
            {"openclaw": 5.0, "letta": 6.0}, "letta", ("openclaw",), id="the higher score is primary"
        ),
        pytest.param({"claude_code": 4.0, "openclaw": 4.0}, "claude_code", ("openclaw",), id="tie of two"),
        pytest.param(
            {"zz": 4.0, "smolagents": 4.0}, "smolagents", ("zz",), id="added runtimes come last in a tie"
        ),
        pytest.param(
            {"openclaw": 6.0, "letta": 5.5, "crewai": 5.0, "autogen": 4.5},
            "openclaw",
            ("letta", "crewai"),
            id="pairwise with the primary only",
        ),
        pytest.param(
            {"agent_skills_std": 8.0, "claude_code": 8.0}, "claude_code", (), id="the pair at a tie"
        ),
        pytest.param(
            {"agent_skills_std": 8.0, "claude_code": 7.0}, "claude_code", (), id="the pair, skills ahead"
        ),
        pytest.param(
            {"agent_skills_std": 8.0, "claude_code": 6.5}, "agent_skills_std", (), id="the pair, far apart"
        ),
        pytest.param(
            {"agent_skills_std": 8.0, "claude_code": 8.0, "openclaw": 7.5},
            "claude_code",
            ("openclaw",),
            id="the pair and a third",
        ),
        pytest.param(
            {"openclaw": 8.0, "agent_skills_std": 8.0, "claude_code": 7.0},
            "claude_code",
            ("openclaw",),
            id="the pair at the head of a tie",
        ),
    ],
)
def test_choice(scores: dict[str, float], primary: str, contributors: tuple[str, ...]) -> None:
    chosen = choose_runtime(points(**scores))
    assert (chosen.primary, chosen.contributors) == (primary, contributors)


@every_row(
    ("first", "second"),
    [(first, second) for first, second in zip(list(Runtime)[:-1], list(Runtime)[1:], strict=True)],
)
def test_ties_follow_the_order_of_the_vocabulary(first: Runtime, second: Runtime) -> None:
    chosen = choose_runtime(points(**{second.value: 4.0, first.value: 4.0}))
    expected = Runtime.CLAUDE_CODE if first is Runtime.AGENT_SKILLS_STD else first
    assert chosen.primary == expected


def test_a_runtime_that_is_no_candidate_makes_no_hybrid(snapshot_of: MakeSnapshot) -> None:
    found, _ = result(snapshot_of({"SOUL.md": "s", "CLAUDE.md": "c"}))
    assert (found.source_runtime, found.hybrid_primary) == ("openclaw", None)


def test_a_hybrid_names_its_parts(snapshot_of: MakeSnapshot) -> None:
    found, codes = result(snapshot_of({"SOUL.md": "s", "app.py": "StateGraph(S)\n"}))
    assert found.source_runtime == "hybrid"
    assert (found.hybrid_primary, found.hybrid_contributors) == ("openclaw", ("langgraph",))
    assert found.dialect_runtimes == ("openclaw", "langgraph")
    assert codes == []


def test_many_contributors_are_a_warning(snapshot_of: MakeSnapshot) -> None:
    source = "StateGraph(S)\nCodeAgent()\nRunner.run_sync(a)\n"
    found, codes = result(snapshot_of({"SOUL.md": "s", "app.py": source}))
    assert found.hybrid_contributors == ("langgraph", "openai_agents_sdk", "smolagents")
    assert "hybrid-many" in codes


@given(
    st.dictionaries(
        st.sampled_from([str(runtime) for runtime in Runtime]),
        st.sampled_from([1.0, 1.5, 2.0, 2.5, 3.5]),
        min_size=1,
    )
)
def test_the_choice_never_beats_the_best_by_more_than_the_margin(scores: dict[str, float]) -> None:
    chosen = choose_runtime(points(**scores))
    best = max(scores.values())
    named = (chosen.primary, *chosen.contributors)
    assert len(set(named)) == len(named)
    assert all(best - scores[name] <= 1.0 for name in named)
    assert not {"agent_skills_std", "claude_code"} <= set(named)
    left_out = {name for name, points_of in scores.items() if best - points_of <= 1.0} - set(named)
    assert left_out <= {"agent_skills_std"}


# --- runtime: this tool's own SKILL.md ---------------------------------------------------------------


@every_row(
    "mark",
    [
        "<!-- auto-generated by melleafy-tui -->",
        "# Autogenerated: melleafy",
        "<!-- melleafy: auto-generated -->",
    ],
)
def test_an_own_skill_is_left_out(mark: str, snapshot_of: MakeSnapshot) -> None:
    found, codes = result(snapshot_of({"SKILL.md": f"{SKILL}\n{mark}\n", "SOUL.md": "s"}))
    assert found.source_runtime == "openclaw"
    assert score(found, "agent_skills_std").evidence == ()
    assert "own-skill-mark" in codes


def test_a_mark_after_the_thirtieth_line_is_text(snapshot_of: MakeSnapshot) -> None:
    text = SKILL + "\n" * 30 + "auto-generated by melleafy\n"
    found, codes = result(snapshot_of({"SKILL.md": text}))
    assert found.source_runtime == "agent_skills_std"
    assert "own-skill-mark" not in codes


def test_another_tools_mark_is_none_of_ours(snapshot_of: MakeSnapshot) -> None:
    _, codes = result(snapshot_of({"SKILL.md": f"{SKILL}\nauto-generated by a script\n"}))
    assert "own-skill-mark" not in codes


def test_python_that_does_not_parse_is_named(snapshot_of: MakeSnapshot) -> None:
    classification, findings = classify(
        snapshot_of({"SOUL.md": "s", "app.py": "x = 1\ndef broken(:\n"}), Settings(), Dialects.default()
    )
    assert classification.source_runtime == "openclaw"
    assert [(finding.code, finding.location) for finding in findings] == [("python-syntax", "app.py:2")]


def test_python_deep_in_a_tree_costs_no_finding(snapshot_of: MakeSnapshot) -> None:
    _, findings = classify(
        snapshot_of({"SOUL.md": "s", "app/vendor/old.py": "print 1\n", "app/near.py": "x = 1\n"}),
        Settings(),
        Dialects.default(),
    )
    assert [finding.code for finding in findings] == []


ODD_FORMS = {
    "an import after another": (python_imports("agents"), "import os, agents\n"),
    "an import on two lines": (python_imports("agents"), "import \\\n    agents\n"),
    "a relative import": (python_imports("agents"), "from .agents import Runner\n"),
    "a name imported in brackets": (
        python_imports("langgraph.graph.StateGraph"),
        "from langgraph.graph import (\n    END,\n    StateGraph,\n)\n",
    ),
    "a decorator with a blank": (python_decorator("agent"), "@ agent\ndef f(): ...\n"),
    "a decorator that is called": (python_decorator("agent"), "@agent(name=1)\ndef f(): ...\n"),
    "a decorator of an object": (python_decorator("bus.on"), "@bus . on\ndef f(): ...\n"),
    "a call with a blank": (python_call("StateGraph"), "g = lg.StateGraph (x)\n"),
    "a keyword with a blank": (python_call(keyword="handoffs"), "f(handoffs = [])\n"),
    "a name": (python_name("add_messages"), "x = lg.add_messages\n"),
    "a part of a text": (python_string("letta", part=True), "x = 'the letta server'\n"),
}


@every_row(("matcher", "code"), ODD_FORMS.values())
def test_a_python_signal_is_found_in_any_form(matcher: Matcher, code: str, snapshot_of: MakeSnapshot) -> None:
    assert {found.file for found in matcher(snapshot_of({"a/b/c/x.py": code}))} == {"a/b/c/x.py"}


# --- runtime: --source-runtime -----------------------------------------------------------------------


def test_an_override_keeps_the_scores_and_is_recorded(snapshot_of: MakeSnapshot) -> None:
    found, codes = result(snapshot_of({"SOUL.md": "s", "CLAUDE.md": "c"}), source_runtime="claude_code")
    assert (found.source_runtime, found.source_runtime_override) == ("claude_code", "claude_code")
    assert score(found, "openclaw").score == 2.0
    assert codes == []


def test_an_override_that_hides_a_hybrid_warns(snapshot_of: MakeSnapshot) -> None:
    snapshot = snapshot_of({"SOUL.md": "s", "app.py": "StateGraph(S)\n"})
    classification, findings = classify(snapshot, Settings(source_runtime="openclaw"), Dialects.default())
    assert classification.source_runtime == "openclaw"
    (finding,) = [finding for finding in findings if finding.code == "hybrid-hidden"]
    assert "--contributing-runtimes openclaw,langgraph" in finding.hint


def test_an_override_without_any_signal_warns(snapshot_of: MakeSnapshot) -> None:
    _, codes = result(snapshot_of({"SOUL.md": "s"}), source_runtime="letta")
    assert "override-without-signal" in codes


def test_the_unknown_runtime_can_be_chosen(snapshot_of: MakeSnapshot) -> None:
    found, _ = result(snapshot_of({"SOUL.md": "s"}), source_runtime="unknown")
    assert found.source_runtime == "unknown"


def test_a_hybrid_by_name(snapshot_of: MakeSnapshot) -> None:
    found, _ = result(
        snapshot_of({"SOUL.md": "s"}), source_runtime="hybrid", contributing_runtimes=("letta", "openclaw")
    )
    assert (found.source_runtime, found.hybrid_primary) == ("hybrid", "letta")
    assert found.hybrid_contributors == ("openclaw",)


def test_the_pair_is_no_hybrid_by_name_either(snapshot_of: MakeSnapshot) -> None:
    found, _ = result(
        snapshot_of({"SKILL.md": SKILL}),
        source_runtime="hybrid",
        contributing_runtimes=("agent_skills_std", "claude_code"),
    )
    assert (found.source_runtime, found.hybrid_primary) == ("claude_code", None)


@every_row(
    ("settings", "message"),
    [
        pytest.param({"source_runtime": "openclawed"}, "no runtime named 'openclawed'", id="unknown name"),
        pytest.param({"source_runtime": "hybrid"}, "needs two runtimes", id="hybrid alone"),
        pytest.param(
            {"source_runtime": "hybrid", "contributing_runtimes": ("openclaw", "openclaw")},
            "needs two runtimes",
            id="hybrid of one twice",
        ),
        pytest.param(
            {"source_runtime": "hybrid", "contributing_runtimes": ("openclaw", "x")},
            "named 'x'",
            id="unknown part",
        ),
        pytest.param(
            {"contributing_runtimes": ("openclaw", "letta")}, "goes with", id="parts without hybrid"
        ),
        pytest.param(
            {"source_runtime": "letta", "contributing_runtimes": ("openclaw",)},
            "goes with",
            id="parts of another",
        ),
    ],
)
def test_options_that_cannot_be_obeyed(
    settings: dict[str, object], message: str, snapshot_of: MakeSnapshot
) -> None:
    with pytest.raises(UsageError, match=message) as caught:
        result(snapshot_of({"SOUL.md": "s"}), **settings)
    assert caught.value.hint


# --- modality ----------------------------------------------------------------------------------------

CRON = "openclaw cron add --every 1h\n"


@every_row(
    ("files", "primary", "secondary"),
    [
        pytest.param({}, ONE_SHOT, (), id="none"),
        pytest.param({"HEARTBEAT.md": "Run every 30m\n"}, HEARTBEAT, (), id="heartbeat"),
        pytest.param({"HOOK.md": "h"}, EVENTS, (), id="event"),
        pytest.param({"AGENTS.md": CRON}, SCHEDULED, (), id="scheduled"),
        pytest.param(
            {"HEARTBEAT.md": "Run every 30m\n", "HOOK.md": "h"},
            HEARTBEAT,
            (EVENTS,),
            id="heartbeat and event",
        ),
        pytest.param({"HOOK.md": "h", "AGENTS.md": CRON}, EVENTS, (SCHEDULED,), id="event and scheduled"),
        pytest.param(
            {"AGENTS.md": CRON, "HOOK.md": "h", "HEARTBEAT.md": "Run every 30m\n"},
            HEARTBEAT,
            (EVENTS, SCHEDULED),
            id="all three",
        ),
        pytest.param(
            {"AGENTS.md": "- Stream results and approve each one.\n"}, ONE_SHOT, (), id="words alone"
        ),
    ],
)
def test_modality(
    files: dict[str, str], primary: Modality, secondary: tuple[Modality, ...], snapshot_of: MakeSnapshot
) -> None:
    found, _ = result(snapshot_of({"SOUL.md": "s", **files}))
    assert (found.modality, found.secondary_modalities) == (primary, secondary)


@every_row(
    ("override", "secondary"),
    [
        (HEARTBEAT, (EVENTS,)),
        (EVENTS, (HEARTBEAT,)),
        (SCHEDULED, (HEARTBEAT, EVENTS)),
        (ONE_SHOT, (EVENTS,)),
    ],
)
def test_an_override_of_the_modality(
    override: Modality, secondary: tuple[Modality, ...], snapshot_of: MakeSnapshot
) -> None:
    snapshot = snapshot_of({"SOUL.md": "s", "HEARTBEAT.md": "Run every 30m\n", "HOOK.md": "h"})
    found, _ = result(snapshot, modality=override)
    assert (found.modality, found.modality_override) == (override, override)
    assert found.secondary_modalities == secondary
    assert len(found.modality_evidence) == 2


class ToyDialect(Dialect):
    """A runtime that is added from outside and says that its agents run once, on a heartbeat."""

    runtime = "toy"
    title = "Toy"

    def __init__(
        self,
        modalities: tuple[Modality, ...] = (HEARTBEAT, ONE_SHOT),
        strength: Strength = Strength.STRONG,
    ) -> None:
        self.modalities = modalities
        self.signals = (Signal("toy.md", strength, name_exists("toy.md")),)

    def wants(self, path: str) -> bool:
        return path == "toy.md"

    def generation(self, snapshot: Snapshot) -> str:
        return "first toys"

    def modality_evidence(self, snapshot: Snapshot) -> tuple[ModalityEvidence, ...]:
        return tuple(
            ModalityEvidence(modality, f"says {modality}", "toy.md", 1) for modality in self.modalities
        )

    def schedule(self, snapshot: Snapshot) -> Schedule:
        return Schedule(type="interval", cadence="every minute", seconds=60)

    def read(self, snapshot: Snapshot, context: ReadingContext) -> Reading:
        return Reading((), ())


def test_a_contradiction_halts_and_names_the_way_out(snapshot_of: MakeSnapshot) -> None:
    with pytest.raises(ClassificationHalted) as caught:
        classify(snapshot_of({"toy.md": "x"}), Settings(), Dialects.of(ToyDialect()))
    assert "--modality heartbeat" in caught.value.hint


@every_row("modality", [HEARTBEAT, ONE_SHOT])
def test_a_contradiction_is_resolved_by_the_user(modality: Modality, snapshot_of: MakeSnapshot) -> None:
    found, _ = classify(snapshot_of({"toy.md": "x"}), Settings(modality=modality), Dialects.of(ToyDialect()))
    assert (found.modality, found.secondary_modalities) == (modality, ())


def test_in_a_hybrid_the_primarys_modality_comes_first(snapshot_of: MakeSnapshot) -> None:
    toy = ToyDialect(modalities=(SCHEDULED,))
    dialects = Dialects([*[Dialects.default().get("openclaw")], toy], Dialects.default().get("nothing"))
    settings = Settings(source_runtime="hybrid", contributing_runtimes=("toy", "openclaw"))
    snapshot = snapshot_of({"toy.md": "x", "HEARTBEAT.md": "Run every 30m\n"})
    found, _ = classify(snapshot, settings, dialects)
    assert (found.modality, found.secondary_modalities) == (SCHEDULED, (HEARTBEAT,))


def test_a_dialect_from_outside_is_detected(snapshot_of: MakeSnapshot) -> None:
    toy = ToyDialect(modalities=())
    found, findings = classify(snapshot_of({"toy.md": "x"}), Settings(), Dialects.of(toy))
    assert (found.source_runtime, found.generation, found.schedule.seconds) == ("toy", "first toys", 60)
    assert findings == ()


# --- the inferred axes -------------------------------------------------------------------------------


@every_row(
    ("role", "archetype"),
    [
        ("Code review and metrics analyst", "A"),
        ("Newsletter writer who drafts blog posts", "B"),
        ("First-line support triage", "C"),
        ("Webhook and CRM integration bot", "D1"),
        ("Coordinates sub-agents and their workflows", "D2"),
        ("Tutor who explains the documentation", "E"),
    ],
)
def test_archetype(role: str, archetype: str, snapshot_of: MakeSnapshot) -> None:
    found, _ = result(snapshot_of({"IDENTITY.md": f"- **Name:** x\n- **Role:** {role}\n"}))
    assert found.archetype == archetype
    assert found.archetype_evidence[0].line == 2
    assert 0.2 <= found.archetype_confidence <= 0.95


def test_no_words_about_the_work(snapshot_of: MakeSnapshot) -> None:
    found, _ = result(snapshot_of({"SOUL.md": "Be kind.\n"}))
    assert found.archetype_evidence[0].rule == "default"
    assert found.archetype_confidence == 0.2


@every_row(
    ("text", "shape"),
    [
        ("1. Read\n2. Check\n3. Reply\n", "Sequential"),
        ("1. Read\n\n2. Check\n\n3. Reply\n", "Sequential"),
        ("1. Read\n2. Check\n", "One-shot"),
        ("- Read\n- Check\n- Reply\n", "One-shot"),
        ("Read the ticket and then sort it.\n\nAfter that reply.\n", "Sequential"),
        ("3. Three\n1. One\n2. Two\n", "One-shot"),
    ],
)
def test_shape(text: str, shape: str, snapshot_of: MakeSnapshot) -> None:
    found, _ = result(snapshot_of({"SOUL.md": "s", "AGENTS.md": text}))
    assert found.shape == shape
    assert found.shape_evidence


@every_row(
    ("files", "expected"),
    [
        pytest.param({}, "P0", id="none"),
        pytest.param({"AGENTS.md": "Run:\n\n    curl https://host.example/x\n"}, "P2", id="command"),
        pytest.param({"TOOLS.md": "- camera: front door\n"}, "P3", id="tool guidance"),
        pytest.param({"AGENTS.md": "- Use the search tool first.\n"}, "P3", id="words about a tool"),
        pytest.param({"HOOK.md": "h"}, "P4", id="hook"),
        pytest.param({"SKILL.md": "---\nname: a\nallowed-tools: Read\n---\n"}, "P3", id="allowed-tools"),
        pytest.param(
            {".claude/settings.json": '{"permissions": {"allow": ["Read"]}}'}, "P3", id="permissions.allow"
        ),
        pytest.param({".claude/settings.json": '{"permissions": {"allow": []}}'}, "P0", id="nothing allowed"),
        pytest.param({".claude/settings.json": "{"}, "P0", id="broken settings"),
        pytest.param({"graph.py": "@tool\ndef a() -> None: ...\n"}, "P3", id="@tool in code"),
        pytest.param({"graph.py": "@toolbox\ndef a() -> None: ...\n"}, "P0", id="no @tool"),
        pytest.param({"skills/x/SKILL.md": "s", "HOOK.md": "h"}, "P3", id="skill before hook"),
    ],
)
def test_tools(files: dict[str, str], expected: str, snapshot_of: MakeSnapshot) -> None:
    found, _ = result(snapshot_of({"SOUL.md": "s", **files}))
    assert found.tool_involvement == expected
    assert found.tool_evidence


def test_the_same_source_gives_the_same_classification(snapshot_of: MakeSnapshot) -> None:
    files = {
        "SOUL.md": "s",
        "AGENTS.md": "1. Read\n2. Check\n3. Reply\n",
        "app.py": "StateGraph(S)\nCodeAgent()\n",
    }
    first, _ = result(snapshot_of(files))
    again, _ = result(snapshot_of(dict(reversed(files.items()))))
    assert json_bytes(first) == json_bytes(again)
    assert read_record(json_bytes(first), Classification) == first


def test_a_named_file_is_a_main_file_or_of_a_named_runtime(tmp_path: Path) -> None:
    (tmp_path / "SOUL.md").write_text("You keep a lock.\n")
    (tmp_path / "AGENTS.md").write_text("- Be brief.\n")
    (tmp_path / "diary.md").write_text("Rain.\n")
    (tmp_path / "other").mkdir()
    (tmp_path / "other/diary.md").write_text("Rain.\n")
    dialects = Dialects.default()

    def runtime_of(name: str, runtime: str | None = None) -> str:
        snapshot = read_snapshot(tmp_path / name, wants=dialects.wants)
        return classify(snapshot, Settings(source_runtime=runtime), dialects)[0].source_runtime

    assert runtime_of("SOUL.md") == "openclaw"
    for name in ("diary.md", "other/diary.md"):
        with pytest.raises(UnusableInput, match="not the main file"):
            runtime_of(name)
        assert runtime_of(name, "openclaw") == "openclaw"
