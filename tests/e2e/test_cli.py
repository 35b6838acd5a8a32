"""The command line from outside: each command, each exit code, what goes to which stream (spec/cli.md)."""

import json
import os
import re
import shutil
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import jsonschema
import pytest
import yaml

from melleafy_tui.cli.argument_table import COMMANDS_BY_NAME, NAMED_COMMANDS, arguments_of
from melleafy_tui.cli.commands.schema import MODELS
from melleafy_tui.cli.main import EXIT_CODES
from melleafy_tui.core import errors
from melleafy_tui.core.models.vocabulary import DECISIONS_FILE
from melleafy_tui.wizard.loading import LoadedWorkspace, WorkspaceLoader
from tests.conftest import PROJECT
from tests.e2e.conftest import Done, Run

FILES = {
    "SOUL.md": "# Soul\n\n## Voice\n\nWarm and curious\n",
    "IDENTITY.md": "name: helper\n",
    "AGENTS.md": "# Agents\n\n## Rules\n\n- Never send mail to strangers\n- Keep replies under 90 words\n",
    "MEMORY.md": "# Memory\n\n## Team\n\nFive people\n",
}
AS_OF = "2026-11-01"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "helper"
    folder.mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def convert(run: Run, workspace: Path) -> Run:
    def call(*words: object) -> Done:
        return run(workspace, "--dependencies=auto", "--as-of", AS_OF, *words)

    return call


@pytest.fixture
def package(workspace: Path) -> Path:
    return workspace.parent / "helper_mellea" / "helper_mellea"


def tree(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def decisions(place: Path, *overrides: dict[str, object], **others: object) -> Path:
    place.write_text(json.dumps({"overrides": list(overrides), **others}), encoding="utf-8")
    return place


STUB_A_RULE: dict[str, object] = {
    "key": "AGENTS.md#agents/rules/never-send-mail-to-strangers",
    "disposition": "stub",
    "override_rationale": "our gateway does it",
}


# --- the conversion -------------------------------------------------------------------------


def test_auto_writes_the_package_and_prints_the_recap(convert: Run, package: Path) -> None:
    done = convert()
    assert done.code == 0, done.messages
    assert (package / "pipeline.py").is_file()
    assert str(package) in done.out
    assert "Stubs to write: none" in done.out
    assert "Left to the host: 1 (long-term memory 1)" in done.out
    assert "§5 Long-term memory" in done.out
    assert "melleafy-tui smoke" in done.out
    assert "review it in the wizard" in done.out


def test_skills_that_are_not_expanded_are_named_with_the_command_for_them(
    convert: Run, workspace: Path
) -> None:
    for name in ("bell", "horn"):
        skill = workspace / "skills" / name / "SKILL.md"
        skill.parent.mkdir(parents=True)
        skill.write_text(f"---\nname: {name}\ndescription: Sounds the {name}.\n---\n# {name}\n\n- Sound it\n")
    done = convert()
    assert (
        "Skills noted and not expanded: 2 (skills/bell, skills/horn); convert each by its own folder."
        in done.out
    )
    assert f"melleafy-tui {workspace}/skills/bell " in done.out


def test_a_second_run_over_its_own_output_changes_nothing_times_included(convert: Run, package: Path) -> None:
    convert()
    before = {path: path.stat().st_mtime_ns for path in package.parent.rglob("*")}
    done = convert()
    assert done.code == 0
    assert "Up to date" in done.out
    assert {path: path.stat().st_mtime_ns for path in package.parent.rglob("*")} == before


def test_the_stamp_stays_until_something_else_changes(
    convert: Run, package: Path, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stamp() -> str:
        return str(json.loads((package / "melleafy.json").read_text())["generated_at"])

    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1000000000")
    convert()
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    convert()
    assert stamp() == "2001-09-09T01:46:40Z"
    (workspace / "SOUL.md").write_text("# Soul\n\n## Voice\n\nCool\n")
    convert()
    assert stamp() > "2001-09-10"


def test_source_date_epoch_fixes_the_stamp(
    convert: Run, package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1000000000")
    convert()
    assert json.loads((package / "melleafy.json").read_text())["generated_at"] == "2001-09-09T01:46:40Z"


def test_a_source_date_epoch_that_is_no_number_is_a_usage_error(
    convert: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "yesterday")
    done = convert()
    assert done.code == 2
    assert "SOURCE_DATE_EPOCH" in done.messages


def test_dry_run_says_what_it_would_do_and_writes_nothing(
    convert: Run, package: Path, tmp_path: Path
) -> None:
    done = convert("--dry-run")
    assert done.code == 0
    assert "Would write" in done.out
    assert sorted(path.name for path in tmp_path.iterdir()) == ["helper"]


def test_in_place_adds_the_package_to_the_workspace_and_nothing_else(
    convert: Run, workspace: Path, tmp_path: Path
) -> None:
    before = tree(workspace)
    done = convert("--in-place")
    assert done.code == 0, done.messages
    assert sorted(path.name for path in workspace.iterdir()) == sorted([*FILES, "helper_mellea"])
    assert (workspace / "helper_mellea" / "pipeline.py").is_file()
    assert {path: data for path, data in tree(workspace).items() if path in before} == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["helper"]
    again = convert("--in-place")
    assert "Up to date" in again.out


def test_the_source_workspace_is_never_changed(convert: Run, workspace: Path) -> None:
    before = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in workspace.iterdir()}
    convert()
    assert {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in workspace.iterdir()} == before


def test_an_override_of_a_file_reaches_plan_and_manifest_as_the_users(
    run: Run, workspace: Path, package: Path, tmp_path: Path
) -> None:
    path = decisions(tmp_path / "d.json", STUB_A_RULE)
    done = run(workspace, f"--dependencies=config:{path}", "--as-of", AS_OF)
    assert done.code == 0, done.messages
    plan = json.loads((package / "intermediate/dependency_plan.json").read_text())
    (entry,) = [entry for entry in plan["entries"] if entry["key"] == STUB_A_RULE["key"]]
    assert (entry["disposition"], entry["source_of_decision"]) == ("stub", "user")
    assert entry["override_rationale"] == "our gateway does it"
    manifest = json.loads((package / "melleafy.json").read_text())
    resolved = [
        item
        for category in manifest["categories_resolved"].values()
        for item in category["entries"]
        if item["entry_id"] == entry["entry_id"]
    ]
    assert [(item["disposition"], item["source_of_decision"]) for item in resolved] == [("stub", "user")]


def test_auto_with_a_decisions_option_applies_the_file(
    run: Run, workspace: Path, package: Path, tmp_path: Path
) -> None:
    path = decisions(tmp_path / "d.json", STUB_A_RULE)
    done = run(workspace, "--dependencies=auto", "--decisions", path, "--json")
    recap = done.document["recap"]
    assert isinstance(recap, dict)
    assert recap["stubs"] == {"c2_operating_rules": 1}


def test_a_decisions_file_that_lies_there_is_named_and_not_used(convert: Run, workspace: Path) -> None:
    path = decisions(workspace / "melleafy-decisions.json", STUB_A_RULE)
    done = convert()
    assert done.code == 0
    assert "Stubs to write: none" in done.out
    assert f"--dependencies=config:{path}" in done.messages


def test_strict_lists_what_is_left_open_exits_10_and_writes_nothing(
    run: Run, workspace: Path, tmp_path: Path
) -> None:
    done = run(workspace, "--dependencies=strict")
    assert done.code == 10
    assert "delegate_to_runtime" in done.out
    assert sorted(path.name for path in tmp_path.iterdir()) == ["helper"]


def test_strict_with_everything_decided_writes(
    run: Run, workspace: Path, package: Path, tmp_path: Path
) -> None:
    (workspace / "MEMORY.md").unlink()
    done = run(workspace, "--dependencies=strict")
    assert done.code == 0, done.messages
    assert (package / "pipeline.py").is_file()


# --- decisions that cannot be obeyed --------------------------------------------------------

REFUSED = [
    pytest.param({"disposition": "vanish"}, "vanish", id="unknown-disposition"),
    pytest.param({"disposition": "real_impl"}, "", id="not-allowed-there"),
]


@pytest.mark.parametrize(("change", "words"), REFUSED)
@pytest.mark.parametrize("mode", ["config", "plan"])
def test_a_refused_entry_exits_2_and_writes_nothing(
    run: Run, workspace: Path, tmp_path: Path, change: dict[str, object], words: str, mode: str
) -> None:
    path = decisions(tmp_path / "d.json", {**STUB_A_RULE, **change})
    command = (
        ["plan", workspace, "--decisions", path]
        if mode == "plan"
        else [workspace, f"--dependencies=config:{path}"]
    )
    done = run(*command)
    assert done.code == 2
    assert "never-send-mail" in done.messages
    assert words in done.messages
    assert re.search(r"d\.json:\d+", done.messages), "the line of the entry"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["d.json", "helper"]


def test_an_orphaned_override_warns_and_under_strict_decisions_exits_13(
    run: Run, workspace: Path, tmp_path: Path
) -> None:
    path = decisions(
        tmp_path / "d.json",
        {"key": "AGENTS.md#rules/feed-the-office-goldfish-daily", "disposition": "remove"},
    )
    strict = run(workspace, f"--dependencies=config:{path}", "--strict-decisions")
    assert strict.code == 13
    assert not (tmp_path / "helper_mellea").exists()
    lenient = run(workspace, f"--dependencies=config:{path}")
    assert lenient.code == 0
    assert "orphaned" in lenient.messages


def test_plan_shows_the_state_of_each_override(run: Run, workspace: Path, tmp_path: Path) -> None:
    path = decisions(tmp_path / "d.json", STUB_A_RULE)
    done = run("plan", workspace, "--decisions", path, "--json")
    found = done.document["decisions"]
    assert isinstance(found, list)
    assert [(item["name"], item["state"], item["choice"]) for item in found] == [
        (STUB_A_RULE["key"], "applied", "stub")
    ]


@pytest.fixture
def on_another_text(run: Run, workspace: Path, tmp_path: Path) -> Path:
    """A saved decision on a section of which only the heading is left as it was."""
    path = decisions(tmp_path / "d.json", {"key": "MEMORY.md#memory/team", "disposition": "remove"})
    assert run("plan", workspace, "--decisions", path, "--save", path).code == 0
    (workspace / "MEMORY.md").write_text(
        "# Memory\n\n## Team\n\nInvoices go out each quarter, in euros, with VAT at 23 %\n"
    )
    return path


def test_a_decision_on_another_text_is_marked_and_counted_by_every_command(
    run: Run, workspace: Path, on_another_text: Path
) -> None:
    auto = [workspace, "--dependencies=auto"]
    option = ("--decisions", on_another_text)
    for words in (["plan", workspace], auto, ["preview", workspace], ["check", workspace]):
        done = run(*words, *option)
        said = done.messages + done.out
        assert "Applied by its key only" in said, words
        assert "1 changed (1 by key only, on different text)" in said, words
        assert "- Team Five people" in said, words
        assert "+ Team Invoices" in said, words
    for words in (["plan", workspace], auto):
        document = run(*words, *option, "--json").document
        assert document["decision_counts"] == {"changed": 1}
        assert isinstance(document["decisions"], list)
        assert document["decisions"][0]["another_text"] is True


def test_decisions_saved_by_plan_give_the_same_package(run: Run, workspace: Path, tmp_path: Path) -> None:
    path = decisions(tmp_path / "d.json", STUB_A_RULE)
    saved = tmp_path / "saved.json"
    assert (
        run("plan", workspace, "--decisions", path, "--model-id", "granite4.1:8b", "--save", saved).code == 0
    )
    assert json.loads(saved.read_text())["settings"] == {"model_id": "granite4.1:8b"}
    common = ("--as-of", AS_OF, "--json")
    first = run(
        workspace,
        f"--dependencies=config:{path}",
        "--model-id",
        "granite4.1:8b",
        "--out",
        tmp_path / "a",
        *common,
    )
    second = run(workspace, f"--dependencies=config:{saved}", "--out", tmp_path / "b", *common)
    assert (first.code, second.code) == (0, 0)

    assert tree(tmp_path / "a") == tree(tmp_path / "b")


# --- bad input: one clear sentence, the right code, nothing lost ----------------------------


def one_error(done: Done) -> str:
    (line,) = [line for line in done.messages.splitlines() if line.startswith("error: ")]
    assert "Traceback" not in done.messages
    return line


def test_no_such_folder(run: Run) -> None:
    done = run("nowhere", "--dependencies=auto")
    assert done.code == 2
    assert "nowhere" in one_error(done)


def test_an_empty_folder(run: Run, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    done = run("empty", "--dependencies=auto")
    assert done.code == 2
    assert "empty" in one_error(done)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["empty"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read anything")
def test_an_unreadable_file_is_said_and_the_rest_goes_on(convert: Run, workspace: Path) -> None:
    (workspace / "SOUL.md").chmod(0)
    done = convert()
    assert done.code == 0
    assert "SOUL.md" in done.messages


def test_a_malformed_configuration_is_said_with_its_line_and_the_rest_goes_on(
    convert: Run, workspace: Path, package: Path
) -> None:
    (workspace / "openclaw.json").write_text('{\n  "agents": {\n    "defaults": [,]\n')
    done = convert()
    assert done.code == 0
    assert "openclaw.json:3" in done.messages
    assert (package / "pipeline.py").is_file()


def test_an_output_folder_that_is_not_ours(convert: Run, tmp_path: Path) -> None:
    out = tmp_path / "thesis"
    out.mkdir()
    (out / "thesis.tex").write_text("years of work")
    done = convert("--out", out)
    assert done.code == 2
    assert "was not made by melleafy-tui" in one_error(done)
    assert tree(out) == {"thesis.tex": b"years of work"}


@pytest.mark.parametrize("where", [".", "inner", ".."])
def test_an_output_folder_that_would_change_the_source_is_refused(
    convert: Run, workspace: Path, where: str
) -> None:
    before = tree(workspace)
    done = convert("--out", workspace / where)
    assert done.code == 2
    assert tree(workspace) == before


def test_a_linked_output_folder_is_not_followed(convert: Run, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "helper_mellea").symlink_to(tmp_path / "elsewhere")
    done = convert()
    assert done.code == 2
    assert "link" in one_error(done)
    assert tree(tmp_path / "elsewhere") == {}


def test_a_hint_names_what_to_do_with_nested_json_decisions(
    run: Run, workspace: Path, tmp_path: Path
) -> None:
    (tmp_path / "d.json").write_text("{nonsense")
    done = run(workspace, "--dependencies=config:d.json")
    assert done.code == 2
    assert "d.json:1" in one_error(done)


# --- the user's edits -----------------------------------------------------------------------


def test_an_edit_that_conflicts_exits_14_with_the_new_text_beside_it(
    convert: Run, workspace: Path, package: Path
) -> None:
    convert()
    config = package / "config.py"
    edited = re.sub(r"^AGENT_NAME.*$", "AGENT_NAME = 'mine'", config.read_text(), flags=re.MULTILINE)
    config.write_text(edited)
    (workspace / "IDENTITY.md").write_text("name: helper two\n")
    done = convert("--package-name", "helper_mellea")
    assert done.code == 14
    assert "config.py" in one_error(done)
    assert config.read_text() == edited
    assert "helper two" in (package / "config.py.new").read_text()
    forced = convert("--package-name", "helper_mellea", "--force")
    assert forced.code == 0
    assert "helper two" in config.read_text()
    assert (package.parent / ".melleafy-backup/helper_mellea/config.py").read_text() == edited


def test_an_implemented_stub_survives_and_a_deleted_file_stays_deleted(
    convert: Run, workspace: Path, package: Path
) -> None:
    convert()
    slots = package / "constrained_slots.py"
    mine = slots.read_text().replace("return recall(query, folder)", "return 'mine'")
    assert mine != slots.read_text()
    slots.write_text(mine)
    (package / "README.md").unlink()
    (workspace / "AGENTS.md").write_text(FILES["AGENTS.md"] + "- Never use emoji\n")
    done = convert()
    assert done.code == 0, done.messages
    assert "return 'mine'" in slots.read_text()
    assert not (package / "README.md").exists()
    assert "emoji" in (package / "requirements.py").read_text()


@pytest.fixture
def other_workspace(tmp_path: Path) -> Path:
    """A second agent, with the same kinds of files and one of them the same."""
    folder = tmp_path / "gardener"
    folder.mkdir()
    (folder / "SOUL.md").write_text("# Soul\n\n## Voice\n\nPatient\n")
    (folder / "IDENTITY.md").write_text("name: gardener\n")
    (folder / "AGENTS.md").write_text("# Agents\n\n## Rules\n\n- Never water at noon\n")
    (folder / "MEMORY.md").write_text(FILES["MEMORY.md"])
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("command", ["convert", "preview", "check"])
def test_a_second_workspace_in_the_same_output_is_refused_and_the_first_package_stays(
    run: Run, convert: Run, other_workspace: Path, tmp_path: Path, command: str
) -> None:
    out = tmp_path / "both"
    convert("--out", out)
    before = tree(out)
    words = [other_workspace, "--dependencies=auto"] if command == "convert" else [command, other_workspace]
    done = run(*words, "--out", out, "--as-of", AS_OF)
    assert done.code == 2
    assert "helper_mellea, which was made from another workspace" in one_error(done)
    assert "--force" in one_error(done)
    assert tree(out) == before


def namesake(folder: Path, *rules: str) -> Path:
    folder.mkdir()
    (folder / "IDENTITY.md").write_text("name: helper\n")
    (folder / "AGENTS.md").write_text("# Agents\n\n" + "".join(f"- {rule}\n" for rule in rules))
    return folder


def test_a_namesake_in_the_same_output_is_refused_and_the_first_package_stays(
    run: Run, tmp_path: Path
) -> None:
    out = tmp_path / "both"
    first = namesake(
        tmp_path / "a", "Wash cups", "Count pots", "Sweep paths", "Feed cats", "Lock doors", "Oil it"
    )
    assert run(first, "--dependencies=auto", "--out", out, "--as-of", AS_OF).code == 0
    before = tree(out)
    other = namesake(
        tmp_path / "b", "Buy tea", "Bake bread", "Ring bells", "Mend nets", "Cut hedges", "Dig holes"
    )
    (other / "USER.md").write_text("- Likes tea\n")
    for words in ([other, "--dependencies=auto"], ["preview", other], ["check", other]):
        done = run(*words, "--out", out, "--as-of", AS_OF)
        assert done.code == 2, words
        assert "helper_mellea, which was made from another workspace and would be replaced" in one_error(done)
    assert tree(out) == before
    (other / "AGENTS.md").write_text((other / "AGENTS.md").read_text() + "- Feed cats\n")
    assert run("check", other, "--out", out, "--as-of", AS_OF).code == 15


def test_one_line_as_it_was_is_enough_for_the_same_workspace_under_its_name(
    run: Run, convert: Run, workspace: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    convert("--out", out)
    for path in workspace.rglob("*.md"):
        path.write_text(path.read_text() + "\n- One line more\n")
    assert run(workspace, "--dependencies=auto", "--out", out, "--as-of", AS_OF).code == 0


def test_a_second_workspace_replaces_the_first_package_with_force_and_keeps_what_the_user_edited(
    run: Run, convert: Run, other_workspace: Path, tmp_path: Path
) -> None:
    out = tmp_path / "both"
    convert("--out", out)
    config = out / "helper_mellea/config.py"
    config.write_text(config.read_text() + "MINE = 1\n")
    done = run(other_workspace, "--dependencies=auto", "--out", out, "--as-of", AS_OF, "--force")
    assert done.code == 0, done.messages
    assert (out / "gardener_mellea/config.py").is_file()
    assert "MINE = 1" in config.read_text()
    assert not (out / "helper_mellea/pipeline.py").exists()


@pytest.mark.slow
@pytest.mark.parametrize("how", ["option", "identity", "folder"])
def test_the_same_workspace_under_another_name_replaces_its_package(
    run: Run, convert: Run, workspace: Path, tmp_path: Path, how: str
) -> None:
    out = tmp_path / "out"
    convert("--out", out)
    words: list[object] = ["--dependencies=auto", "--as-of", AS_OF, "--out", out]
    if how == "option":
        words += ["--package-name", "renamed"]
    elif how == "identity":
        (workspace / "IDENTITY.md").write_text("name: renamed\n")
    else:
        (workspace / "IDENTITY.md").unlink()
        workspace = workspace.rename(tmp_path / "renamed")
    done = run(workspace, *words)
    assert done.code == 0, done.messages
    assert not (out / "helper_mellea").exists()


def test_two_stubs_a_constant_and_a_deleted_file_survive_a_change_of_the_source(
    run: Run, tmp_path: Path
) -> None:
    """Issue 6, "It must show" 4, on the bundled example."""
    source = tmp_path / "agent"
    shutil.copytree(PROJECT / "examples/ticket-triage", source)
    stub = {"disposition": "stub", "override_rationale": "ours"}
    rules = json.loads(run("plan", source, "--json").out)["entries"]
    keys = [entry["key"] for entry in rules if entry["kind"] == "rule"][:2]
    path = decisions(tmp_path / "d.json", *({"key": key, **stub} for key in keys))
    words = [source, f"--dependencies=config:{path}", "--as-of", AS_OF, "--out", tmp_path / "out"]
    assert run(*words).code == 0
    package = tmp_path / "out/ticket_triage_mellea"
    slots, config = package / "constrained_slots.py", package / "config.py"
    mine = slots.read_text()
    assert mine.count("raise NotImplementedError") >= 2
    written = re.sub(
        r"raise NotImplementedError\((?:[^()]|\n)*?\)",
        'return "" if reply else "empty"  # mine',
        mine,
        count=2,
    )
    slots.write_text(written)
    constant = re.sub(
        r"^(AGENT_ROLE\b[^=]*=).*$", r"\1 'edited by me'", config.read_text(), flags=re.MULTILINE
    )
    assert constant != config.read_text()
    config.write_text(constant)
    (package / "mapping_report.md").unlink()
    rule = "- Never use emoji in a ticket\n"
    agents = source / "AGENTS.md"
    agents.write_text(agents.read_text() + "\n## More rules\n\n" + rule)
    soul = source / "SOUL.md"
    soul.write_text(soul.read_text().rstrip() + " Patient, too.\n")
    done = run(*words)
    assert done.code == 0, done.messages
    assert slots.read_text().count('return "" if reply else "empty"  # mine') == 2
    assert "'edited by me'" in config.read_text()
    assert "Patient, too." in config.read_text()
    assert not (package / "mapping_report.md").exists()
    assert "emoji" in (package / "requirements.py").read_text()
    check = run("check", source, "--decisions", path, "--as-of", AS_OF, "--out", tmp_path / "out")
    assert check.code == 0, check.messages


def test_plan_does_not_save_through_a_link(run: Run, workspace: Path, tmp_path: Path) -> None:
    diary = tmp_path / "diary.txt"
    diary.write_text("dear diary")
    link = workspace / "melleafy-decisions.json"
    link.symlink_to(diary)
    done = run("plan", workspace, "--save", link)
    assert (done.code, "symbolic link" in done.messages) == (2, True)
    assert diary.read_text() == "dear diary"


# --- check, preview -------------------------------------------------------------------------


def test_check_is_15_before_0_after_and_15_when_the_source_moves_on(
    run: Run, convert: Run, workspace: Path
) -> None:
    before = run("check", workspace, "--as-of", AS_OF)
    assert (before.code, before.out) == (15, "")
    assert "holds no package yet. Convert the workspace: `melleafy-tui " in before.messages
    convert()
    fresh = run("check", workspace, "--as-of", AS_OF, "--json")
    assert (fresh.code, fresh.document["fresh"]) == (0, True)
    (workspace / "AGENTS.md").write_text(FILES["AGENTS.md"] + "- Never use emoji\n")
    stale = run("check", workspace, "--as-of", AS_OF)
    assert stale.code == 15
    assert "requirements.py" in stale.out


def test_check_lists_every_file_that_is_not_what_was_emitted_and_exact_fails_on_any(
    run: Run, convert: Run, workspace: Path, package: Path
) -> None:
    convert()
    words = ("check", workspace, "--as-of", AS_OF)
    assert run(*words, "--json").document["differing"] == []
    assert run(*words, "--exact").code == 0
    (package / "__pycache__").mkdir()
    (package / "__pycache__/config.cpython-311.pyc").touch()
    assert (run(*words).code, run(*words, "--exact").code) == (0, 15), "Python would run it for config.py"
    (package / "pipeline.py").write_text((package / "pipeline.py").read_text() + "X = 1\n")
    (package / "mapping_report.md").unlink()
    (package / "json.py").write_text("X = 1\n")
    (package / "link").symlink_to(workspace)
    (package.parent / "mellea.py").write_text("X = 1\n")
    (package.parent / "pydantic").mkdir()
    (package.parent / "pydantic/__init__.py").write_text("X = 1\n")
    (package.parent / "notes.txt").write_text("mine")
    config = package / "config.py"
    before = sha256(config.read_bytes()).hexdigest()
    config.write_text(config.read_text() + "X = 1\n")
    record = package / "intermediate/emitted.json"
    record.write_text(record.read_text().replace(before, sha256(config.read_bytes()).hexdigest()))
    stale = run(*words, "--json")
    assert stale.code == 15, "the record was changed, too"
    rows = stale.document["differing"]
    assert isinstance(rows, list)
    differing = {row["path"].removeprefix(f"{package.name}/"): row["difference"] for row in rows}
    expected = {
        "pipeline.py": "edited",
        "mapping_report.md": "deleted",
        "json.py": "added",
        "link": "added",
        "mellea.py": "added",
        "pydantic/__init__.py": "added",
        "__pycache__/config.cpython-311.pyc": "added",
        "config.py": "stale",
        "intermediate/emitted.json": "stale",
    }
    assert expected.items() <= differing.items()
    assert "notes.txt" not in differing


@pytest.mark.slow
def test_an_exact_check_fails_where_the_plain_one_keeps_the_users_edit(
    run: Run, convert: Run, workspace: Path, package: Path
) -> None:
    convert()
    words = ("check", workspace, "--as-of", AS_OF)
    place = package / "pipeline.py"
    text = place.read_text()
    for name, change in (
        ("pipeline.py", lambda: place.write_text(text + "# mine\n")),
        ("pipeline.py", place.unlink),
        ("mine.py", (package / "mine.py").touch),
    ):
        change()
        plain = run(*words)
        assert (plain.code, name in plain.out) == (0, True)
        assert "is up to date; 1 file differs from what was emitted." in plain.out
        done = run(*words, "--exact")
        assert (done.code, name in done.out) == (15, True)
        place.write_text(text)


def test_a_record_that_cannot_be_read_is_seen_by_check_and_written_again(
    run: Run, convert: Run, workspace: Path, package: Path
) -> None:
    convert()
    place = package / "intermediate/dependency_plan.json"
    emitted = place.read_bytes()
    place.write_bytes(emitted[:-40])
    seen = run("check", workspace, "--as-of", AS_OF)
    assert (seen.code, "dependency_plan.json" in seen.out) == (15, True)
    assert convert().code == 0
    assert place.read_bytes() == emitted


def test_the_pre_commit_hook_fails_with_15_while_stale_and_changes_no_file(
    run: Run, convert: Run, workspace: Path, tmp_path: Path
) -> None:
    """The hook's own entry, run in the repository's root with the arguments of docs/how-to/ci.md."""
    [hook] = yaml.safe_load((PROJECT / ".pre-commit-hooks.yaml").read_text())
    assert hook["pass_filenames"] is False
    program, *rest = hook["entry"].split()
    assert program == "melleafy-tui"

    def hooked() -> int:
        before = tree(tmp_path)
        done = run(*rest, "./helper", "--as-of", AS_OF)
        assert tree(tmp_path) == before
        return done.code

    assert hooked() == 15
    convert()
    assert hooked() == 0
    (workspace / "AGENTS.md").write_text(FILES["AGENTS.md"] + "- Never use emoji\n")
    assert hooked() == 15


def test_a_package_does_not_age_by_the_date_alone(run: Run, convert: Run, workspace: Path) -> None:
    convert()
    assert run("check", workspace).code == 0
    assert "Up to date" in run(workspace, "--dependencies=auto").out


def test_a_day_that_changes_what_is_read_makes_it_stale(run: Run, workspace: Path) -> None:
    (workspace / "memory").mkdir()
    (workspace / "memory/2001-02-03.md").write_text("notes")
    run(workspace, "--dependencies=auto", "--as-of", "2001-02-03")
    assert run("check", workspace, "--as-of", "2001-02-03").code == 0
    assert run("check", workspace).code == 15


def test_preview_writes_nothing_and_lists_every_file(run: Run, workspace: Path, tmp_path: Path) -> None:
    done = run("preview", workspace)
    assert done.code == 0
    assert "helper_mellea/pipeline.py" in done.out
    assert sorted(path.name for path in tmp_path.iterdir()) == ["helper"]


def test_preview_diff_shows_only_what_changes(run: Run, convert: Run, workspace: Path) -> None:
    convert()
    assert run("preview", workspace, "--diff", "--as-of", AS_OF).out == ""
    (workspace / "IDENTITY.md").write_text("name: helper\nvibe: dry\n")
    diff = run("preview", workspace, "--diff", "--as-of", AS_OF).out
    assert "+++ b/helper_mellea/config.py" in diff
    assert re.search(r"^\+.*dry", diff, re.MULTILINE)


# --- JSON and schemas -----------------------------------------------------------------------

DOCUMENTS = [
    pytest.param(("detect", "{workspace}"), "detect", id="detect"),
    pytest.param(("inventory", "{workspace}"), "inventory", id="inventory"),
    pytest.param(("plan", "{workspace}"), "plan", id="plan"),
    pytest.param(("preview", "{workspace}"), "preview", id="preview"),
    pytest.param(("preview", "{workspace}", "--diff"), "preview", id="preview-diff"),
    pytest.param(("check", "{workspace}"), "check", id="check"),
    pytest.param(("{workspace}", "--dependencies=auto"), "convert", id="auto"),
    pytest.param(("{workspace}", "--dependencies=strict"), "convert", id="strict"),
    pytest.param(("{workspace}", "--show-settings"), "settings", id="settings"),
    pytest.param(("lint", "{package}"), "lint", id="lint"),
    pytest.param(("detect", "nowhere"), "error", id="error"),
    pytest.param(("detect",), "error", id="usage-error"),
]


@pytest.mark.parametrize(("words", "name"), DOCUMENTS)
def test_json_is_one_document_that_its_published_schema_accepts(
    run: Run, convert: Run, workspace: Path, package: Path, words: tuple[str, ...], name: str
) -> None:
    if "{package}" in words:
        convert()
    done = run(*(word.format(workspace=workspace, package=package) for word in words), "--json")
    jsonschema.Draft202012Validator(run("schema", name).document).validate(done.document)


def test_the_names_of_schemas_are_those_of_the_table() -> None:
    [name, *_] = arguments_of(COMMANDS_BY_NAME["schema"])
    assert name.choices is not None
    assert tuple(MODELS) == tuple(name.choices)


def test_every_schema_is_a_json_schema(run: Run) -> None:
    for name in MODELS:
        jsonschema.Draft202012Validator.check_schema(run("schema", name).document)


def test_the_schema_of_decisions_is_put_beside_a_file_that_then_names_it(
    run: Run, workspace: Path, tmp_path: Path
) -> None:
    mine = tmp_path / "mine.json"
    assert run("schema", "plan", "--beside", mine).code == 2
    assert list(tmp_path.glob("*.schema.json")) == []
    assert run("schema", "decisions", "--beside", mine).code == 0
    assert run("plan", workspace, "--save", mine).code == 0
    saved = json.loads(mine.read_text())
    schema = json.loads((tmp_path / saved["$schema"]).read_text())
    assert schema == run("schema", "decisions").document
    jsonschema.Draft202012Validator(schema).validate(saved)
    assert run("schema", "decisions", "--beside", tmp_path / "gone" / "x.json").code == 2


def test_the_entry_for_the_catalogue_of_schemas_names_the_decisions_file() -> None:
    entry = json.loads((PROJECT / "docs" / "schemastore.json").read_text(encoding="utf-8"))
    assert set(entry) == {"name", "description", "fileMatch", "url"}
    assert entry["fileMatch"] == [DECISIONS_FILE]
    assert entry["url"] == f"https://www.schemastore.org/{DECISIONS_FILE}"
    assert len(entry["description"]) <= 200


def test_json_is_ascii_so_that_no_character_of_it_acts_on_a_terminal(run: Run, workspace: Path) -> None:
    (workspace / "AGENTS.md").write_text("- Never \x9b31m say \u202e this \x1b[2J\n", encoding="utf-8")
    done = run("inventory", workspace, "--json")
    assert done.out.isascii()
    assert "\x1b" not in done.out


def test_hostile_names_and_text_reach_the_terminal_as_signs(run: Run, workspace: Path) -> None:
    (workspace / "AGENTS.md").write_text("- Never \x1b]0;owned\x07 say this\n", encoding="utf-8")
    for command in ("inventory", "plan", "detect", "preview"):
        done = run(command, workspace)
        assert done.code == 0
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", done.out + done.messages)


# --- settings -------------------------------------------------------------------------------


def test_settings_come_from_flag_then_environment_then_decisions_then_file_then_default(
    run: Run, workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = Path(os.environ["XDG_CONFIG_HOME"]) / "melleafy-tui" / "config.toml"

    def source() -> tuple[object, object]:
        done = run(workspace, "--decisions", "d.json", *flags, "--show-settings", "--json")
        found = done.document["settings"]
        assert isinstance(found, list)
        (item,) = [item for item in found if item["name"] == "model_id"]
        return item["value"], item["source"]

    flags: tuple[str, ...] = ()
    decisions(tmp_path / "d.json")
    assert source() == ("granite4.1:3b", "default")
    config.parent.mkdir(parents=True)
    config.write_text('model_id = "from-file"\n')
    assert source() == ("from-file", str(config))
    decisions(tmp_path / "d.json", settings={"model_id": "from-decisions"})
    assert source() == ("from-decisions", "d.json")
    monkeypatch.setenv("MELLEAFY_MODEL_ID", "from-environment")
    assert source() == ("from-environment", "MELLEAFY_MODEL_ID")
    flags = ("--model-id", "from-flag")
    assert source() == ("from-flag", "--model-id")


def test_a_setting_reaches_the_package_from_every_source(
    convert: Run, package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MELLEAFY_MODEL_ID", "from-environment")
    convert()
    assert "from-environment" in (package / "config.py").read_text()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("colour = 1\n", "'colour'", id="unknown-name"),
        pytest.param("model_id = 3\n", "'model_id' must be a string", id="wrong-type"),
        pytest.param("model_id = \n", "not valid TOML", id="no-toml"),
        pytest.param('modality = "sometimes"\n', "sometimes", id="unknown-value"),
    ],
)
def test_a_configuration_file_that_cannot_be_obeyed_is_named(convert: Run, text: str, words: str) -> None:
    config = Path(os.environ["XDG_CONFIG_HOME"]) / "melleafy-tui" / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text(text)
    done = convert()
    assert done.code == 2
    assert words in one_error(done)
    assert "config.toml" in one_error(done)


# --- usage ----------------------------------------------------------------------------------

USAGE_ERRORS = [
    pytest.param((), "No workspace", id="nothing"),
    pytest.param(("{workspace}", "--dependencies=perhaps"), "perhaps", id="unknown-mode"),
    pytest.param(("{workspace}", "--dependencies=config:"), "names no file", id="config-without-file"),
    pytest.param(
        ("{workspace}", "--dependencies=auto", "--modality", "never"), "never", id="unknown-modality"
    ),
    pytest.param(("{workspace}", "--dependencies=auto", "--as-of", "tomorrow"), "tomorrow", id="no-date"),
    pytest.param(
        ("{workspace}", "--dependencies=auto", "--in-place", "--out", "x"), "contradict", id="contradiction"
    ),
    pytest.param(("{workspace}", "--dep=auto"), "--dep=auto", id="no-abbreviations"),
    pytest.param(("schema", "nonsense"), "nonsense", id="unknown-schema"),
    pytest.param(("smoke", "{workspace}", "--fixture", "x", "--all"), "contradict", id="fixture-and-all"),
]


@pytest.mark.parametrize(("words", "message"), USAGE_ERRORS)
def test_usage_errors_exit_2_with_one_sentence(
    run: Run, workspace: Path, words: tuple[str, ...], message: str
) -> None:
    done = run(*(word.format(workspace=workspace) for word in words))
    assert done.code == 2
    assert message in one_error(done)
    assert done.out == ""


def test_the_wizard_without_a_terminal_names_the_commands_that_work(run: Run, workspace: Path) -> None:
    for words in ((workspace,), (workspace, "--dependencies=ask")):
        done = run(*words)
        assert done.code == 2
        assert "--dependencies=auto`, `config:FILE` or `strict`" in done.messages


def test_yes_answers_with_defaults_and_never_forces(
    run: Run, convert: Run, workspace: Path, package: Path
) -> None:
    done = run(workspace, "--yes", "--as-of", AS_OF)
    assert done.code == 0
    (package / "README.md").write_text("mine\n")
    assert run(workspace, "--yes", "--as-of", AS_OF).code == 0
    assert (package / "README.md").read_text() == "mine\n"


def test_a_folder_called_like_a_command_is_reached_with_its_path(run: Run, workspace: Path) -> None:
    workspace.rename(workspace.parent / "detect")
    assert run("detect").code == 2
    done = run("./detect", "--dependencies=auto", "--dry-run")
    assert done.code == 0
    assert run("detect", "detect").code == 0


def test_options_may_stand_before_the_command(run: Run, workspace: Path) -> None:
    done = run("--json", "--as-of", AS_OF, "detect", workspace)
    assert done.document["workspace"] == "helper"


@pytest.mark.parametrize("command", ["inventory", "context"])
def test_a_document_has_no_character_that_acts(run: Run, workspace: Path, command: str) -> None:
    (workspace / "SOUL.md").write_text("# Soul\n\nNever\x7f \x9b2J\u202e answer.\n", encoding="utf-8")
    done = run(command, workspace, "--json")
    assert done.code == 0
    assert not [
        character
        for character in done.out
        if not ((character.isascii() and character.isprintable()) or character == "\n")
    ]
    assert r"Never\x7f" in str(done.document), "what it was stands in the document all the same"


def test_every_command_has_help(run: Run) -> None:
    for words in ([], *([row.name] for row in NAMED_COMMANDS)):
        done = run(*words, "--help")
        assert done.code == 0, words
        assert "exit status" in done.out, words


def test_quiet_prints_nothing_when_all_is_well(convert: Run) -> None:
    done = convert("--quiet")
    assert (done.code, done.out, done.messages) == (0, "", "")


def test_exit_codes_are_the_documented_ones() -> None:
    documented = {
        "UnusableInput": 2,
        "UsageError": 2,
        "DecisionsRefused": 2,
        "OutputRefused": 2,
        "ClassificationHalted": 3,
        "StrictRefusal": 10,
        "LintFailed": 11,
        "SmokeFailed": 12,
        "DecisionsUnresolved": 13,
        "OutputConflict": 14,
        "OutputStale": 15,
    }
    assert {kind.__name__: code for kind, code in EXIT_CODES.items()} == documented
    kinds = {
        kind
        for kind in vars(errors).values()
        if isinstance(kind, type) and issubclass(kind, errors.MelleafyError)
    }
    told_as_a_diagnostic = {errors.DialectBroken}
    assert kinds - {errors.MelleafyError} - told_as_a_diagnostic == set(EXIT_CODES)


# --- faults ---------------------------------------------------------------------------------


def test_an_unexpected_fault_is_short_and_its_log_quotes_no_source(
    convert: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def break_down(*_arguments: object, **_options: object) -> object:
        raise ValueError("sk-secret-from-the-workspace")

    monkeypatch.setattr("melleafy_tui.cli.commands.convert.open_session", break_down)
    done = convert()
    assert done.code == 1
    assert "ValueError" in one_error(done)
    assert "sk-secret" not in done.messages
    (log,) = (Path(os.environ["XDG_STATE_HOME"]) / "melleafy-tui" / "log").iterdir()
    assert str(log) in done.messages
    assert "ValueError" in log.read_text()
    assert "sk-secret" not in log.read_text()


def test_debug_shows_the_traceback(convert: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def break_down(*_arguments: object, **_options: object) -> object:
        raise ValueError("details")

    monkeypatch.setattr("melleafy_tui.cli.commands.convert.open_session", break_down)
    done = convert("--debug")
    assert done.code == 1
    assert "Traceback" in done.messages


def test_an_interrupt_exits_130(convert: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_arguments: object, **_options: object) -> object:
        raise KeyboardInterrupt

    monkeypatch.setattr("melleafy_tui.cli.commands.convert.open_session", interrupt)
    assert convert().code == 130


def test_a_second_interrupt_while_the_first_is_reported_shows_no_traceback() -> None:
    code = (
        "from melleafy_tui import __main__\n"
        "from melleafy_tui.cli import main\n"
        "def interrupt(*_, **__): raise KeyboardInterrupt\n"
        "main._run = main.Console.message = interrupt\n"
        "__main__.command()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (130, "")


# --- as a process ---------------------------------------------------------------------------


def process(*words: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "melleafy_tui", *words],
        cwd=cwd,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_a_reader_that_goes_away_is_no_error(workspace: Path) -> None:
    command = f"{sys.executable} -m melleafy_tui schema plan | head -c 10"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stderr == ""


def test_without_a_home_it_still_converts(workspace: Path) -> None:
    environment = {
        key: value for key, value in os.environ.items() if key != "HOME" and not key.startswith("XDG_")
    }
    done = subprocess.run(
        [sys.executable, "-m", "melleafy_tui", "detect", str(workspace)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_a_terminal_without_unicode_gets_escapes_and_no_fault(workspace: Path) -> None:
    done = process("plan", str(workspace), cwd=workspace.parent, PYTHONIOENCODING="ascii", LC_ALL="C")
    assert done.returncode == 0, done.stderr


# --- two at once, the wizard's door, the smoke run ------------------------------------------


@pytest.mark.slow
def test_two_conversions_at_once_leave_one_whole_package(
    workspace: Path, package: Path, tmp_path: Path
) -> None:
    command = [sys.executable, "-m", "melleafy_tui", str(workspace), "--dependencies=auto", "--as-of", AS_OF]
    models = ("model-one", "model-two", "model-three")
    running = [
        subprocess.Popen(
            [*command, "--model-id", model], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for model in models
    ]
    for one in running:
        _, messages = one.communicate(timeout=120)
        assert one.returncode == 0 or (one.returncode == 2 and "run" in messages), messages
    config = (package / "config.py").read_text()
    (model,) = [model for model in models if model in config]
    assert json.loads((package / "melleafy.json").read_text())["model_id"] == model
    assert sorted(path.name for path in tmp_path.iterdir()) == ["helper", "helper_mellea"]


def test_the_wizard_gets_conversion_output_decisions_and_force(
    run: Run, workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[LoadedWorkspace] = []

    def run_wizard(to_open: WorkspaceLoader, *, no_color: bool) -> int:
        to_open.prepare()
        loaded = to_open.read(lambda *_: None)
        assert isinstance(loaded, LoadedWorkspace)
        opened.append(loaded)
        return 7

    monkeypatch.setattr("melleafy_tui.wizard.app.run_wizard", run_wizard)
    monkeypatch.setattr("melleafy_tui.cli.commands.wizard.on_terminal", lambda: True)
    path = decisions(tmp_path / "d.json", STUB_A_RULE)
    assert run(workspace, "--decisions", path, "--force", "--out", tmp_path / "there").code == 7
    session = opened[-1].session
    assert (session.out, session.decisions_path, session.force) == (tmp_path / "there", path, True)
    assert list(session.conversion.decisions.overrides) == [STUB_A_RULE["key"]]
    assert [state.state for state in session.states] == ["applied"]
    assert opened[-1].beside is None
    beside = decisions(workspace / "melleafy-decisions.json", STUB_A_RULE)
    run(workspace)
    session = opened[-1].session
    assert [opened[-1].beside, session.decisions_path, session.states] == [beside, None, ()]


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("no-such-folder",), 2, "no-such-folder"),
        ((".", "--modality=sometimes"), 2, "sometimes"),
        (("helper", "--dependencies=never"), 2, "--dependencies is 'never'"),
        (("helper", "--decisions", "missing.json"), 2, "missing.json"),
        (("helper", "--as-of", "someday"), 2, "'someday' is not a date (use YYYY-MM-DD)"),
        (("helper", "--out", "helper/inside"), 2, "lies in the workspace"),
        (("helper", "--decisions", "d.json", "--strict-decisions"), 13, "can't be applied here"),
    ],
)
def test_what_is_wrong_is_said_the_same_with_screens_and_without(
    run: Run, workspace: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], code: int, said: str
) -> None:
    decisions(workspace.parent / "d.json", {**STUB_A_RULE, "key": "AGENTS.md#nothing-of-this-kind"})

    def run_wizard(to_open: WorkspaceLoader, *, no_color: bool) -> int:
        to_open.prepare()
        to_open.read(lambda *_: None)
        return 0

    monkeypatch.setattr("melleafy_tui.wizard.app.run_wizard", run_wizard)
    headless = run(*words, *(() if "--dependencies=never" in words else ("--dependencies=auto",)))
    for module in ("wizard", "convert"):
        monkeypatch.setattr(f"melleafy_tui.cli.commands.{module}.on_terminal", lambda: True)
    on_screens = run(*words)
    assert (headless.code, on_screens.code) == (code, code)
    assert said in on_screens.messages
    assert on_screens.messages == headless.messages


@pytest.mark.slow
def test_smoke_is_0_for_a_sound_package_and_12_for_a_broken_one(
    run: Run, convert: Run, package: Path
) -> None:
    convert()
    sound = run("smoke", package, "--fixture", "message_is_answered", "--json")
    assert sound.code == 0, sound.messages
    jsonschema.validate(sound.document, run("schema", "smoke").document)
    (package / "pipeline.py").write_text("raise RuntimeError('broken')\n")
    broken = run("smoke", package.parent)
    assert broken.code == 12
    assert "broken" in broken.out


@pytest.mark.slow
def test_the_output_is_whole_though_another_thread_is_at_work(workspace: Path) -> None:
    code = (
        "import sys, threading; threading.Thread(target=threading.Event().wait, daemon=True).start(); "
        f"sys.argv = ['melleafy-tui', 'inventory', {str(workspace)!r}, '--json']; "
        "from melleafy_tui.__main__ import command; command()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert json.loads(done.stdout)["elements"]


def test_the_program_says_its_exit_code_and_its_errors(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "melleafy_tui", "detect", str(tmp_path / "nowhere"), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert json.loads(done.stdout)["exit_code"] == 2
    assert done.stderr.startswith("error: ")


@pytest.mark.slow
def test_rules_are_judged_by_options_without_a_file(run: Run, tmp_path: Path) -> None:
    (tmp_path / "SOUL.md").write_text("# Soul\n\nYou speak in short sentences.\n", encoding="utf-8")
    rules = "# Rules\n\n- Sort the mail by sender.\n- Sort the bills by date.\n"
    (tmp_path / "AGENTS.md").write_text(rules, encoding="utf-8")

    def judged(*options: str) -> set[str]:
        cards = json.loads(run("plan", tmp_path, "--json", *options).out)["review"]
        rows = [row for card in cards if card["card"] == "checked" for row in card["rows"]]
        return {row["text"] for row in rows if row["ticked"]}

    persona = "You speak in short sentences."
    assert judged() == {persona}
    assert judged("--no-judge") == set()
    assert judged("--judge", "mail by sender") == {persona, "Sort the mail by sender."}
    assert judged("--judge", "AGENTS.md:4", "--no-judge") == {"Sort the bills by date."}
    assert judged("--judge", "AGENTS.md#rules/sort-the-mail-by-sender") == judged("--judge", "AGENTS.md:3")
    for named, words in (("sort the", "fits 2 rules"), ("dance", "fits no rule")):
        refused = run("plan", tmp_path, "--judge", named)
        assert refused.code == 2
        assert words in refused.messages
