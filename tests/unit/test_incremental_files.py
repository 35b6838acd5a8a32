"""Files and lints that are kept from state to state are those that are made from scratch, whatever is done between."""

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from melleafy_tui.core.decisions.commands import ChangeSettings, JudgeIndividually, SetDisposition, SetTag
from melleafy_tui.core.dialects.registry import Dialects
from melleafy_tui.core.errors import MelleafyError
from melleafy_tui.core.lint.runner import lint_file_set
from melleafy_tui.core.models.snapshot import Snapshot, SourceFile
from melleafy_tui.core.models.vocabulary import Category, Disposition, EntryKind, Modality, Tag
from melleafy_tui.core.pipeline.conversion import Conversion, RunContext
from melleafy_tui.core.result_cache import ResultCache
from melleafy_tui.generators.inputs import DeclaredInputs, UndeclaredInput
from melleafy_tui.generators.render import GENERATORS, Renderer, Rendering, render_package

WORKSPACE = {
    "AGENTS.md": "# Rules\n\nMust never:\n\n- close a ticket | or `two`\n- quote [a link](https://x.example/_y_)\n\n"
    "## Replies\n\n- Keep every reply under 60 words.\n- Be kind to *all*.\n- If the map is missing, ask first.\n"
    "- You may read the record.\n- Classify each ticket as bug, question or billing.\n",
    "SOUL.md": '# Soul\n\nWarm, "curious" tone.\n\n- Never shouts.\n',
    "IDENTITY.md": "- **Name:** Marta\n- **Role:** clerk\n",
    "USER.md": "- **Name:** Ana\n- **Timezone:** Europe/Lisbon\n- **Mood:** often tired\n",
    "TOOLS.md": "# Tools\n\n- ssh host: quay.example\n- Run `scripts/count.py` to count ropes.\n- API key: $HARBOUR_KEY\n"
    "- Weather: `curl -H 'X-Key: $WEATHER_KEY' https://weather.example/today`\n",
    "MEMORY.md": "# Memory\n\nThe billing queue is handled by another team.\n",
    "HEARTBEAT.md": "- Check the tide every 30 minutes.\n",
    "memory/2026-01-14.md": "Spoke about ropes.\n",
    "skills/knots/SKILL.md": "---\nname: knots\ndescription: ties knots\n---\n\nTie the knot.\n",
}
RULES = {EntryKind.RULE}


def opened() -> Conversion:
    sources = tuple(SourceFile(path, text.encode(), text) for path, text in sorted(WORKSPACE.items()))
    return Conversion(
        Snapshot("quay", "/workspace/quay", sources, tuple(sorted(WORKSPACE))),
        dialects=Dialects.default(),
        render=Renderer(),
        run_context=RunContext(date(2026, 1, 15), "2026-01-15T00:00:00Z"),
    )


BEGUN = opened()
KEYS = [entry.key for entry in BEGUN.plan.entries]
RULE = next(entry.key for entry in BEGUN.plan.entries if entry.kind is EntryKind.RULE)
ELEMENTS = [BEGUN.keys[element.element_id] for element in BEGUN.inventory.elements]
ACTS = st.one_of(
    st.builds(
        SetDisposition,
        st.lists(st.sampled_from(KEYS), min_size=1, max_size=3, unique=True).map(tuple),
        st.sampled_from([None, *Disposition]),
        st.sampled_from(["", "no | need"]),
    ),
    st.builds(JudgeIndividually, st.sampled_from(KEYS).map(lambda key: (key,)), st.booleans()),
    st.builds(
        SetTag,
        st.sampled_from(ELEMENTS).map(lambda key: (key,)),
        st.sampled_from([None, *Tag]),
        st.sampled_from([None, *Category]),
    ),
    st.builds(
        ChangeSettings,
        st.sampled_from(
            [
                {"modality": Modality.EVENT_TRIGGERED},
                {"modality": None},
                {"persona_channel": "system"},
                {"package_name": "other_mellea"},
                {"model_id": "m"},
            ]
        ),
    ),
    st.sampled_from(["undo", "redo", "copy", "stamp"]),
)


def after(conversion: Conversion, act: object) -> Conversion:
    """Return the conversion after an act; one that is refused changes nothing."""
    if act == "copy":
        copy = conversion.copy()
        conversion.take_over(copy)
        return copy
    if act == "stamp":
        return conversion.stamped("2026-02-01T12:00:00Z")
    try:
        if isinstance(act, str):
            getattr(conversion, act)()
        else:
            conversion.act(act)  # type: ignore[arg-type] # a command, as the strategy builds them
    except MelleafyError:
        pass
    return conversion


@pytest.mark.parametrize("examples", [2, pytest.param(5, marks=pytest.mark.slow)])
def test_files_and_lints_after_any_acts_are_those_made_from_scratch(examples: int) -> None:
    @settings(max_examples=examples, deadline=None)
    @given(st.lists(ACTS, min_size=2, max_size=4))
    def held(acts: list[object]) -> None:
        conversion = opened()
        _ = conversion.lints
        for act in acts:
            conversion = after(conversion, act)
            fresh = render_package(conversion.committed)
            assert [*conversion.rendered.files] == [*fresh.files]
            assert conversion.lints == lint_file_set(fresh)

    held()


@settings(max_examples=3, deadline=None)
@given(st.lists(ACTS, min_size=2, max_size=4), st.integers(0, 999))
def test_a_file_alone_after_any_acts_is_the_one_of_the_whole(acts: list[object], place: int) -> None:
    conversion = opened()
    for act in acts:
        conversion = after(conversion, act)
        whole = render_package(conversion.committed)
        path = whole.files[place % len(whole.files)].path
        assert conversion.rendered.file(path) == whole.by_path[path]


def test_an_act_makes_no_file_that_reads_nothing_of_it() -> None:
    conversion = opened()
    before = conversion.rendered.by_path
    conversion.act(SetDisposition((RULE,), Disposition.REMOVE))
    made = {path for path, file in conversion.rendered.by_path.items() if file is not before.get(path)}
    package = conversion.rendered.package_name
    assert f"{package}/requirements.py" in made
    kept = ("intermediate/inventory.json", "intermediate/source_layout.json")
    assert {f"{package}/{name}" for name in kept} <= before.keys()
    assert not made & {f"{package}/{name}" for name in kept}


def test_a_row_that_reads_what_it_does_not_declare_fails() -> None:
    committed = BEGUN.committed
    whole = Rendering(committed, GENERATORS, ResultCache())
    for row, generator in enumerate(GENERATORS):
        if not generator.reads or not whole.made_by(row):
            continue
        bare = (*GENERATORS[:row], replace(generator, reads=()), *GENERATORS[row + 1 :])
        with pytest.raises(UndeclaredInput):
            Rendering(committed, bare, ResultCache()).made_by(row)


def test_declared_inputs_hold_nothing_else() -> None:
    inputs = DeclaredInputs(BEGUN.committed, ("package_name", EntryKind.RULE))
    assert inputs.package_name == BEGUN.committed.package_name
    assert inputs.planned_as(RULES, tuple(Disposition)) == BEGUN.committed.planned_as(
        RULES, tuple(Disposition)
    )
    for name in ("snapshot", "fixtures", "planned", "cost"):
        with pytest.raises(UndeclaredInput):
            getattr(inputs, name)
    with pytest.raises(UndeclaredInput):
        inputs.planned_as((EntryKind.MEMORY,), tuple(Disposition))
