"""Five hybrids on disk: their inventories and conflicts, what each resolution emits, both doors, the package at work.

A golden changes only by hand: `python -m tests.dialects.hybrid.goldens [name …]` writes it, a person reads the difference.
"""

import json
import shutil
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

from melleafy_tui.cli.main import main
from melleafy_tui.core.decisions.commands import ChangeSettings, ResolveConflict
from melleafy_tui.core.models.inventory import PART
from melleafy_tui.core.models.vocabulary import CONTRIBUTOR, MERGE, Modality
from melleafy_tui.core.pipeline.conversion import Conversion
from melleafy_tui.core.source.markdown import is_blank
from tests import converted
from tests.dialects.hybrid.goldens import GOLDENS, NAMES, WORKSPACES, conversion_of, render
from tests.dialects.judges import complaints
from tests.dialects.readings import differences
from tests.generators.emitting import write_files
from tests.rows import every_row


def test_inventory_and_conflicts_are_the_golden() -> None:
    """Read the differences; where they are right: `python -m tests.dialects.hybrid.goldens [name …]`."""
    assert differences(GOLDENS, NAMES, render) == ""


def test_there_are_five_and_each_is_a_hybrid_by_its_scores() -> None:
    assert len(NAMES) >= 5
    assert {path.stem for path in GOLDENS.glob("*.txt")} == set(NAMES)
    assert {conversion_of(name).classification.source_runtime for name in NAMES} == {"hybrid"}


@every_row("name", NAMES)
def test_every_line_belongs_to_one_element(name: str) -> None:
    conversion = conversion_of(name)
    for file in conversion.inventory.files:
        source = conversion.snapshot.file(file.path)
        if file.status != "read" or source is None or file.path.endswith((".json", ".env")):
            continue
        held = [
            line
            for element in conversion.inventory.elements
            if element.source_file == file.path and element.kind not in (PART, "variable")
            for line in range(element.line_range[0], element.line_range[1] + 1)
        ]
        assert {n for n, line in enumerate(source.lines, 1) if not is_blank(line)} <= set(held), file.path
        if file.path.endswith((".md", ".yaml")) and file.path != "SKILL.md":
            assert len(held) == len(set(held)), file.path


def resolved(name: str, resolution: str) -> Conversion:
    """Return the conversion with every conflict resolved so, as far as that is possible."""
    conversion = conversion_of(name)
    twin = conversion.with_decisions(conversion.decisions)
    for conflict in conversion.plan.conflicts:
        if resolution not in dict(conflict.refusals):
            twin.act(ResolveConflict(conflict.key, resolution))
    return twin


WITH_CONFLICTS = ("openclaw-and-skill",)


def test_conflicts_are_in_the_workspaces_that_are_there_for_them() -> None:
    assert tuple(name for name in NAMES if conversion_of(name).plan.conflicts) == WITH_CONFLICTS


@pytest.mark.slow
@every_row(
    ("name", "resolution"),
    [*((name, "primary") for name in NAMES), *((n, r) for n in WITH_CONFLICTS for r in (CONTRIBUTOR, MERGE))],
)
def test_each_resolution_gives_a_package_that_passes_its_lints(name: str, resolution: str) -> None:
    assert resolved(name, resolution).lints.passed


def test_the_primary_modality_leads_and_the_contributors_is_secondary() -> None:
    found = conversion_of("openclaw-and-skill").classification
    assert found.hybrid_primary == "agent_skills_std"
    assert Modality.HEARTBEAT in (found.modality, *found.secondary_modalities)


def emitted(conversion: Conversion, name: str) -> str:
    (file,) = [file for file in conversion.files.files if file.path.endswith(f"/{name}")]
    return file.data.decode()


def test_a_merge_of_real_dialects_emits_both_parts() -> None:
    """The skill bundles the reference, OpenClaw makes scoped rules of it; a merge does both."""
    (conflict,) = [
        c for c in conversion_of("openclaw-and-skill").plan.conflicts if c.key.startswith("references/")
    ]
    assert {treatment.runtime for treatment in conflict.treatments} == {"agent_skills_std", "openclaw"}
    before, after = conversion_of("openclaw-and-skill"), resolved("openclaw-and-skill", MERGE)
    assert len(after.plan.entries) == len(before.plan.entries) + 1
    assert "Never change a figure" in emitted(resolved("openclaw-and-skill", CONTRIBUTOR), "requirements.py")


def command(*arguments: str) -> str:
    """Carry out a command and return what it printed."""
    printed = StringIO()
    with redirect_stdout(printed):
        assert main(arguments) == 0
    return printed.getvalue()


def test_plan_tells_conflicts_and_their_state_and_a_decisions_file_changes_them(tmp_path: Path) -> None:
    workspace = str(WORKSPACES / "openclaw-and-skill")
    before = json.loads(command("plan", workspace, "--json"))
    (conflict,) = [c for c in before["conflicts"] if c["key"].startswith("references/")]
    assert (conflict["resolution"], conflict["resolved_by"]) == ("primary", "auto")
    decisions = tmp_path / "decisions.json"
    decisions.write_text(
        json.dumps({"conflicts": [{"key": conflict["key"], "resolution": "contributor"}]}), encoding="utf-8"
    )
    after = json.loads(command("plan", workspace, "--json", "--decisions", str(decisions)))
    (conflict,) = [c for c in after["conflicts"] if c["key"].startswith("references/")]
    assert (conflict["resolution"], conflict["resolved_by"]) == ("contributor", "user")
    assert [(state["section"], state["state"]) for state in after["decisions"]] == [("conflicts", "applied")]


def test_auto_mode_lists_what_it_resolved(tmp_path: Path) -> None:
    out = tmp_path / "out"
    command(str(WORKSPACES / "openclaw-and-skill"), "--dependencies=auto", "--out", str(out))
    report = next(out.glob("*/mapping_report.md")).read_text(encoding="utf-8")
    auto = report.partition("### Hybrid conflicts auto-resolved")[2].partition("## 2")[0]
    assert "references/AGENTS.md" in auto
    assert "| OpenClaw | contributor |" in report


def test_options_name_the_contributors() -> None:
    shown = command(
        "detect", str(WORKSPACES / "openclaw-and-skill"), "--json", "--source-runtime", "hybrid",
        "--contributing-runtimes", "openclaw,agent_skills_std",
    )  # fmt: skip
    found = json.loads(shown)
    found = found.get("classification", found)
    assert (found["hybrid_primary"], found["hybrid_contributors"]) == ("openclaw", ["agent_skills_std"])


@pytest.mark.slow
def test_packages_are_clean_code(tmp_path: Path) -> None:
    merged = [resolved(name, MERGE) for name in WITH_CONFLICTS]
    for conversion in merged:  # beside the same workspace's other package
        conversion.act(ChangeSettings({"package_name": f"merged_{conversion.committed.package_name}"}))
    packages = [*(resolved(name, "primary").files for name in NAMES), *(each.files for each in merged)]
    assert complaints(packages, tmp_path, "--isolated") == ""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "resolution"),
    [*((name, "primary") for name in NAMES), *((name, MERGE) for name in WITH_CONFLICTS)],
)
def test_the_package_runs_its_fixtures_on_mellea(name: str, resolution: str, tmp_path: Path) -> None:
    pytest.importorskip("mellea")
    write_files(resolved(name, resolution).files, tmp_path)
    command("smoke", str(tmp_path), "--all")


def test_no_confirm_is_offered_where_no_tool_makes_the_call_that_is_asked_for(tmp_path: Path) -> None:
    copy = shutil.copytree(WORKSPACES / "openclaw-and-claude", tmp_path / "inn")
    rules = copy / "AGENTS.md"
    rules.write_text(rules.read_text("utf-8").replace("Run `make check`", "Check all"), encoding="utf-8")
    files = converted.conversion_of(copy).files.by_path
    guide = files["inn_keeper_mellea/SETUP.md"].data.decode()
    assert "Bash(git push" in guide
    assert "The package has no tool that makes such calls" in guide
    assert "confirm" not in files["inn_keeper_mellea/pipeline.py"].data.decode()
    assert "--confirm" not in files["inn_keeper_mellea/main.py"].data.decode()
