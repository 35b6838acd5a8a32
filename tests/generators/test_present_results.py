"""Whatever was decided before, a conversion has the files that a fresh one of the same decisions has."""

from datetime import date
from pathlib import Path

import pytest

from melleafy_tui.core.decisions.commands import ChangeSettings, SetDisposition, SetTag
from melleafy_tui.core.decisions.state import Decisions, Override, frozen
from melleafy_tui.core.dialects.registry import Dialects
from melleafy_tui.core.errors import MelleafyError
from melleafy_tui.core.models.committed import CommittedPlan
from melleafy_tui.core.models.file_set import FileSet
from melleafy_tui.core.models.snapshot import Snapshot, SourceFile
from melleafy_tui.core.models.vocabulary import Category, Disposition, EntryKind, Modality
from melleafy_tui.core.output.write_plan import plan_write
from melleafy_tui.core.output.writer import write
from melleafy_tui.core.pipeline.conversion import Conversion, RenderPackage, RunContext
from melleafy_tui.core.pipeline.timestamps import settled
from melleafy_tui.generators.render import render_package
from tests.converted import JudgeAlone

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
        render=render or render_package,
        run_context=RunContext(date(2026, 1, 15), stamp),
        decisions=decisions,
    )


BEGUN = opened()
RULE = next(entry.key for entry in BEGUN.plan.entries if entry.kind is EntryKind.RULE)
CHECKED = next(
    entry.key
    for entry in BEGUN.plan.entries
    if entry.source_elements and BEGUN.mapping.by_element[entry.source_elements[0]].check
)
EACH_ACT = [
    SetDisposition((RULE,), Disposition.STUB, "ours | alone"),
    JudgeAlone((CHECKED,)),
    ChangeSettings({"model_id": "m"}),
    ChangeSettings({"package_name": "other_mellea"}),
    ChangeSettings({"modality": Modality.EVENT_TRIGGERED}),
    SetTag((RULE,), None, Category.C3),
    "undo",
    "undo",
    "redo",
    SetDisposition((RULE,), Disposition.REMOVE),
]


def test_each_kind_of_act_gives_the_files_of_a_fresh_conversion() -> None:
    conversion = opened()
    assert conversion.rendered.files
    for act in EACH_ACT:
        try:
            if act in ("undo", "redo"):
                getattr(conversion, str(act))()
            else:
                conversion.act(act)  # type: ignore[arg-type] # a command
        except MelleafyError:
            continue
        fresh = opened(conversion.decisions)
        assert conversion.plan == fresh.plan
        assert conversion.cost == fresh.cost
        assert [*conversion.rendered.files] == [*fresh.rendered.files]
        assert conversion.lints == fresh.lints
    assert conversion.stamped(LATER).files == opened(conversion.decisions, stamp=LATER).files


def test_copies_with_the_same_decisions_share_what_is_computed() -> None:
    conversion = opened()
    copy = conversion.with_decisions(conversion.decisions)
    assert copy.rendered is conversion.rendered
    copy.act(SetDisposition((RULE,), Disposition.REMOVE))
    assert copy.plan != conversion.plan
    assert copy.inventory is conversion.inventory
    conversion.take_over(copy)
    assert conversion.plan is copy.plan


@pytest.mark.parametrize("path", [file.path for file in BEGUN.rendered.files])
def test_each_file_alone_is_the_one_of_the_whole(path: str) -> None:
    assert render_package(BEGUN.committed).file(path) == BEGUN.rendered.by_path[path]


def test_there_is_no_file_at_another_path() -> None:
    for path in ("nowhere.py", "quay_mellea/loader2.py", "quay_mellea/fixtures/nothing.py", ""):
        assert BEGUN.rendered.file(path) is None


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
