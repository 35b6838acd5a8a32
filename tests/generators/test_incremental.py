"""An act renders only what it reaches, and what comes out is what a fresh conversion of the same decisions gives."""

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from melleafy_tui.core.decisions.commands import ChangeSettings, JudgeIndividually, SetDisposition, SetTag
from melleafy_tui.core.decisions.state import Decisions, Override, frozen
from melleafy_tui.core.dialects.registry import Dialects
from melleafy_tui.core.errors import MelleafyError
from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.file_set import FileSet
from melleafy_tui.core.models.snapshot import Snapshot, SourceFile
from melleafy_tui.core.models.vocabulary import Category, Disposition, EntryKind, Modality, Tag
from melleafy_tui.core.output.plan import plan_write
from melleafy_tui.core.output.writer import write
from melleafy_tui.core.pipeline.conversion import Conversion, RenderPackage, RunContext
from melleafy_tui.core.pipeline.timestamps import settled
from melleafy_tui.generators.render import Renderer, render_package

WORKSPACE = {
    "AGENTS.md": "# Rules\n\nMust never:\n\n- close a ticket | or `two`\n- quote [a link](https://x.example/_y_)\n\n"
    "## Replies\n\n- Keep every reply under 60 words.\n- Keep every reply under 60 words!\n- Be kind to *all*.\n"
    "- If the map is missing, ask first.\n- You may read the record.\n- Row 7 holds the rope.\n"
    "- Ask the user <b>before</b> anything that costs money.\n",
    "SOUL.md": '# Soul\n\nWarm, "curious" tone.\n\n- Never shouts.\n',
    "IDENTITY.md": "- **Name:** Marta\n- **Role:** clerk\n- **Creature:** heron\n",
    "USER.md": "- **Name:** Ana\n- **Timezone:** Europe/Lisbon\n- **Mood:** often tired\n",
    "TOOLS.md": "# Tools\n\n- ssh host: quay.example\n- Run `scripts/count.py` to count ropes.\n- API key: $HARBOUR_KEY\n",
    "MEMORY.md": "# Memory\n\nThe billing queue is handled by another team.\n",
    "HEARTBEAT.md": "- Check the tide every 30 minutes.\n- Look at the ledger.\n",
    "memory/2026-01-14.md": "Spoke about ropes.\n",
    "skills/knots/SKILL.md": "---\nname: knots\ndescription: ties knots\n---\n\nTie the knot.\n",
}


STAMP = "2026-01-15T00:00:00Z"
LATER = "2026-02-01T12:00:00Z"


def opened(
    decisions: Decisions | None = None, *, stamp: str = STAMP, render: RenderPackage | None = None
) -> Conversion:
    sources = tuple(SourceFile(path, text.encode(), text) for path, text in sorted(WORKSPACE.items()))
    return Conversion(
        Snapshot("quay", "/workspace/quay", sources, tuple(sorted(WORKSPACE))),
        dialects=Dialects.default(),
        render=render or Renderer(),
        run_context=RunContext(date(2026, 1, 15), stamp),
        decisions=decisions,
    )


BEGUN = opened()
_ = BEGUN.files
KEYS = [entry.key for entry in BEGUN.plan.entries]
ELEMENTS = [BEGUN.keys[element.element_id] for element in BEGUN.inventory.elements]

SOME_KEYS = st.lists(st.sampled_from(KEYS), min_size=1, max_size=3, unique=True).map(tuple)
ACTS = st.one_of(
    st.builds(
        SetDisposition, SOME_KEYS, st.sampled_from([None, *Disposition]), st.sampled_from(["", "no | need"])
    ),
    st.builds(JudgeIndividually, SOME_KEYS, st.booleans()),
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
                {"persona_channel": "requirement"},
                {"package_name": "other_mellea"},
                {"model_id": "m"},
            ]
        ),
    ),
    st.sampled_from(["undo", "redo"]),
)


RULE = next(entry.key for entry in BEGUN.plan.entries if entry.kind is EntryKind.RULE)
CHECKED = next(
    entry.key
    for entry in BEGUN.plan.entries
    if entry.source_elements and BEGUN.mapping.by_element[entry.source_elements[0]].check
)
EACH_ACT = [
    SetDisposition((RULE,), Disposition.STUB, "ours | alone"),
    JudgeIndividually((CHECKED,), individually=True),
    ChangeSettings({"model_id": "m"}),
    ChangeSettings({"package_name": "other_mellea"}),
    ChangeSettings({"modality": Modality.EVENT_TRIGGERED}),
    SetTag((RULE,), None, Category.C3),
    "undo",
    "undo",
    "redo",
    SetDisposition((RULE,), Disposition.REMOVE),
]


def carried_out_and_compared(acts: list[object]) -> None:
    """Carry acts out on one conversion, and compare every file with that of a fresh one after each of them."""
    conversion = opened()
    assert conversion.rendered.files
    for act in acts:
        try:
            if act == "undo":
                conversion.undo()
            elif act == "redo":
                conversion.redo()
            else:
                conversion.act(act)  # type: ignore[arg-type]
        except MelleafyError:
            continue
        fresh = opened(conversion.decisions)
        assert conversion.plan == fresh.plan
        assert conversion.cost == fresh.cost
        assert conversion.lints == fresh.lints
        for made, expected in zip(conversion.rendered.files, fresh.rendered.files, strict=True):
            assert (made.path, made.data, made.provenance) == (
                expected.path,
                expected.data,
                expected.provenance,
            )
        assert conversion.stamped(LATER).rendered == opened(conversion.decisions, stamp=LATER).rendered
    assert conversion.files == opened(conversion.decisions).files


def rendered_for(
    folder: Path, stamp: str, now: str, decisions: Decisions | None = None
) -> tuple[FileSet, list[str]]:
    """Return the files to write to a folder, with the stamps of all plans that were rendered on the way."""
    stamps: list[str] = []

    def render(committed: CommittedPlan) -> FileSet:
        stamps.append(committed.generated_at)
        return render_package(committed)

    return settled(opened(decisions, stamp=stamp, render=render), folder, now), stamps


def test_a_first_conversion_is_rendered_once(tmp_path: Path) -> None:
    files, stamps = rendered_for(tmp_path / "out", STAMP, STAMP)
    assert stamps == [STAMP]
    assert files == opened().files


@pytest.mark.slow
def test_a_re_run_that_changes_something_gets_the_present_time_and_what_a_first_one_would_give(
    tmp_path: Path,
) -> None:
    first, _ = rendered_for(tmp_path, STAMP, STAMP)
    write(plan_write(first, tmp_path))
    assert rendered_for(tmp_path, STAMP, LATER) == (first, [STAMP])
    changed = Decisions(overrides=frozen({RULE: Override(Disposition.REMOVE)}))
    files, stamps = rendered_for(tmp_path, STAMP, LATER, changed)
    assert stamps == [STAMP, LATER]
    assert files == opened(changed, stamp=LATER).files


@pytest.mark.slow
def test_each_kind_of_act_gives_the_files_of_a_fresh_conversion() -> None:
    carried_out_and_compared(EACH_ACT)


@pytest.mark.slow
@settings(max_examples=5, deadline=None)
@given(st.lists(ACTS, min_size=1, max_size=6))
def test_any_acts_give_the_files_of_a_fresh_conversion(acts: list[object]) -> None:
    carried_out_and_compared(acts)
