"""A value that only looks like a secret is released by the user, one at a time, and nothing else with it (safety 4)."""

import io
import json
import re
import sys
from html import unescape
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from melleafy_tui.cli.main import main
from melleafy_tui.core.decisions.commands import ReleaseSecret
from melleafy_tui.core.models.decisions import DecisionsDocument
from melleafy_tui.core.output.writer import keep_partial
from melleafy_tui.core.pipeline.conversion import Conversion
from melleafy_tui.core.pipeline.review_rows import Card
from melleafy_tui.core.source.secrets.detector import find_secrets, mask_secrets, secret_digest
from melleafy_tui.core.source.secrets.masking import secret_places
from melleafy_tui.engine import open_conversion
from melleafy_tui.wizard.app import WizardApp
from tests.safety.chain import Said, run
from tests.ui.conftest import AS_OF, STAMP, keys, open_session, rendered

BUILD: Final = "ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
"""Looks like a token of GitHub; the workspace's owner knows that it is the number of a build."""

OTHERS: Final = ("Tr0ub4dor-77", "Zk83jfKq92LmPx71QwTe", "hunter2-Xk9")
DIGEST: Final = secret_digest(BUILD)
NAME: Final = "AGENTS.md#GITHUB_TOKEN"
FILES: Final = {
    "SOUL.md": "# Soul\n\nYou are calm.\n",
    "AGENTS.md": "# Rules\n\n"
    f"- Always name the build {BUILD} in the first line.\n"
    f"- Never print the password: {OTHERS[2]}.\n"
    f"- Log in with api_key={OTHERS[1]} at the build {BUILD} and go on.\n",
    "skills/deploy/SKILL.md": "---\nname: deploy\ndescription: Deploys the site.\n---\n# Deploy\n\n"
    f"1. Read the notes.\n2. Deploy the build {BUILD}.\n",
    "TOOLS.md": "# Tools\n\n- `scripts/publish.sh`: publishes the build\n",
    "scripts/publish.sh": f"#!/bin/sh\n# Build {BUILD}\npassword={OTHERS[0]}\n",
}


@pytest.fixture
def workspace(own_world: Path) -> Path:
    return write(own_world / "desk", FILES)


def write(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return root


def conversion_of(root: Path) -> Conversion:
    return open_conversion(root, as_of=AS_OF, generated_at=STAMP)


def released(root: Path) -> Conversion:
    conversion = conversion_of(root)
    assert conversion.act(ReleaseSecret(DIGEST, NAME))
    return conversion


def emitted(conversion: Conversion) -> dict[str, str]:
    return {file.path: file.data.decode("utf-8", "replace") for file in conversion.files.files}


def holding(texts: dict[str, str], *values: str) -> list[str]:
    return [path for path, text in texts.items() if any(value in text for value in values)]


def written(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): path.read_text("utf-8", "replace")
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def convert(root: Path, out: Path, *words: object) -> Said:
    return run(root, "--dependencies=auto", "--as-of", AS_OF, "--out", out, *words)


def decisions(path: Path, *entries: dict[str, str]) -> Path:
    path.write_text(json.dumps({"format_version": "1.0", "released_secrets": entries}), encoding="utf-8")
    return path


# --- the act ----------------------------------------------------------------------------------


def test_one_value_is_released_and_all_others_stay_masked_in_every_artifact(workspace: Path) -> None:
    before, after = emitted(conversion_of(workspace)), emitted(released(workspace))
    assert holding(before, BUILD, *OTHERS) == []
    assert holding(after, *OTHERS) == []
    shown = holding(after, BUILD)
    package = conversion_of(workspace).committed.package_name
    assert f"{package}/requirements.py" in shown
    assert not any(path.endswith("scripts/publish.sh") for path in shown), "held back for its password"


def test_the_released_line_is_a_rule_again_and_the_other_credential_stays_one(workspace: Path) -> None:
    elements = released(workspace).inventory.elements
    said = {
        element.source_lines: element
        for element in elements
        if element.source_file == "AGENTS.md" and element.kind != "variable"
    }
    assert said["3"].category == "C2"
    assert BUILD in said["3"].statement
    assert said["5"].category == "C2"
    assert BUILD in said["5"].statement
    assert OTHERS[1] not in said["5"].statement


@pytest.mark.slow
def test_taking_it_back_and_undo_mask_it_again(workspace: Path) -> None:
    untouched = emitted(conversion_of(workspace))
    conversion = released(workspace)
    shown = emitted(conversion)
    assert conversion.act(ReleaseSecret(DIGEST, NAME, released=False))
    assert emitted(conversion) == untouched
    conversion.undo()
    assert emitted(conversion) == shown
    conversion.undo()
    assert emitted(conversion) == untouched
    assert not conversion.unsaved
    conversion.redo()
    assert emitted(conversion) == shown


def test_the_report_says_what_was_released_and_by_whom(workspace: Path) -> None:
    conversion = released(workspace)
    found = [each for each in conversion.diagnostics if each.code == "secret-released"]
    assert [each.location for each in found] == [
        "AGENTS.md:3",
        "scripts/publish.sh:2",
        "skills/deploy/SKILL.md:8",
    ]
    report = next(text for path, text in emitted(conversion).items() if path.endswith("mapping_report.md"))
    said = re.sub(r"[\\`]", "", report)
    assert f"{NAME} looks like a GitHub Token; you released it as not a secret" in said
    assert "AGENTS.md:3" in said


@pytest.mark.slow
def test_the_lints_pass_in_memory_and_on_the_disk_and_still_find_others(
    workspace: Path, tmp_path: Path
) -> None:
    assert released(workspace).lints.findings == ()
    path = decisions(tmp_path / "d.json", {"key": NAME, "digest": DIGEST})
    out = tmp_path / "out"
    assert convert(workspace, out, "--decisions", path).code == 0
    assert run("lint", out).code == 0
    readme = next(out.rglob("README.md"))
    readme.write_text(f"{readme.read_text()}\nThe token: {BUILD[:-4]}Zz9y\n")
    said = run("lint", out, "--json")
    assert said.code != 0
    assert "looks like a secret" in said.out


# --- the file ---------------------------------------------------------------------------------


def test_the_decisions_file_holds_no_value_and_replays_headless(workspace: Path, tmp_path: Path) -> None:
    by_hand = decisions(tmp_path / "hand.json", {"key": NAME, "digest": DIGEST})
    saved = tmp_path / "saved.json"
    assert run("plan", workspace, "--decisions", by_hand, "--save", saved, "--as-of", AS_OF).code == 0
    text = saved.read_text()
    assert BUILD not in text
    assert json.loads(text)["secrets"] == [
        {"key": NAME, "digest": DIGEST, "kind": "GitHub Token", "lines": "3"}
    ]
    for number, path in enumerate((by_hand, saved)):
        out = tmp_path / f"out{number}"
        said = convert(workspace, out, "--decisions", path)
        assert said.code == 0, said.messages
    package = {name: text for name, text in written(tmp_path / "out0").items() if "melleafy.json" not in name}
    assert holding(package, BUILD)
    assert holding(package, *OTHERS) == []
    assert released(workspace).to_document().released_secrets[0].digest == DIGEST


@pytest.mark.slow
@pytest.mark.parametrize(
    "entry", [{"digest": secret_digest("nowhere")}, {"key": "AGENTS.md#NO_SUCH"}, {"key": "gone.md#X"}]
)
def test_an_entry_without_a_value_is_an_orphan_with_a_notice_and_harms_nothing(
    entry: dict[str, str], workspace: Path, tmp_path: Path
) -> None:
    path, saved = decisions(tmp_path / "d.json", entry), tmp_path / "saved.json"
    said = run("plan", workspace, "--decisions", path, "--save", saved, "--as-of", AS_OF)
    assert said.code == 0
    noticed = convert(workspace, tmp_path / "out", "--decisions", path)
    assert noticed.code == 0
    assert f"orphaned: {next(iter(entry.values()))}" in noticed.messages
    assert holding(written(tmp_path / "out"), BUILD, *OTHERS) == []
    assert json.loads(saved.read_text())["secrets"] == [entry], "it stays in the file"
    conversion = conversion_of(workspace)
    conversion.act(ReleaseSecret(secret_digest("nowhere"), "x"))
    plain = {
        path: text
        for path, text in emitted(conversion).items()
        if not path.endswith(("intermediate/inventory.json", "emitted.json"))
    }
    assert holding(plain, BUILD, *OTHERS) == []
    assert run("plan", workspace, "--decisions", path, "--strict-decisions", "--as-of", AS_OF).code == 13


@pytest.mark.parametrize("entry", [{}, {"digest": "sha256:…"}, {"digest": DIGEST[:20]}, {"value": BUILD}])
def test_an_entry_that_names_no_one_value_is_refused(
    entry: dict[str, str], workspace: Path, tmp_path: Path
) -> None:
    said = run("plan", workspace, "--decisions", decisions(tmp_path / "d.json", entry), "--as-of", AS_OF)
    assert said.code == 2
    assert "Entry 1 of released_secrets" in said.messages


def test_another_value_at_the_same_place_is_not_released(workspace: Path, tmp_path: Path) -> None:
    document = released(workspace).to_document()
    other = "ghp_Z9y8X7w6V5u4T3s2R1q0P9o8N7m6L5k4J3i2"
    write(workspace, {name: text.replace(BUILD, other) for name, text in FILES.items()})
    conversion = conversion_of(workspace)
    (state,) = conversion.load(document)
    assert state.state == "orphaned"
    assert holding(emitted(conversion), other) == []


def test_a_release_that_names_no_value_is_a_suggestion(workspace: Path) -> None:
    conversion = conversion_of(workspace)
    (state,) = conversion.load(DecisionsDocument.model_validate({"secrets": [{"key": NAME}]}))
    assert (state.state, state.applied) == ("suggested", False)
    assert holding(emitted(conversion), BUILD) == []


def test_an_edit_of_the_source_keeps_the_release(workspace: Path) -> None:
    conversion = released(workspace)
    write(workspace, {"AGENTS.md": f"Hello.\n\n{FILES['AGENTS.md']}"})
    (state,) = conversion.reread(conversion_of(workspace).snapshot)
    assert state.state == "applied"
    assert holding(emitted(conversion), BUILD)
    assert holding(emitted(conversion), *OTHERS) == []


def test_no_digest_of_a_secret_is_shown_or_written_before_it_is_released(
    workspace: Path, tmp_path: Path
) -> None:
    digests = [secret_digest(value).removeprefix("sha256:")[:12] for value in (BUILD, *OTHERS)]
    printed = "".join(
        said.out + said.messages
        for command in ("detect", "inventory", "plan")
        for said in [run(command, workspace, "--json", "--as-of", AS_OF)]
    )
    assert NAME in printed, "the name under which it can be released"
    assert not any(digest in printed for digest in digests)
    assert holding(emitted(conversion_of(workspace)), *digests) == []
    assert holding(emitted(released(workspace)), *digests[1:]) == []


SHAPES: Final = {
    "quoted": '- The password: "p4\\w0rd-X9!" must be kept.\n',
    "connection": "- Use postgres://me:S3cr3t-99@host/db always.\n",
    "header": "- Call with `Authorization: Bearer abcDEF123456ghiJKL789`.\n",
    "table": "| name | password |\n|---|---|\n| me | Xk92-pqR7! |\n",
    "umlauts": "- The password: Gr\u00fc\u00dfe-92!x stays.\n",
    "cut": f"- Never tell the token: {OTHERS[1] * 4} to anyone who asks for it, and say so in every reply.\n",
}


@pytest.mark.slow
def test_the_lints_pass_with_each_shape_of_value_released(own_world: Path) -> None:
    for file in ("AGENTS.md", "SOUL.md", "TOOLS.md", "HEARTBEAT.md"):
        for shape, text in SHAPES.items():
            desk = own_world / file / shape / "desk"
            conversion = conversion_of(
                write(desk, {"SOUL.md": "You are calm.\n", file: f"# Rules\n\n{text}"})
            )
            source = conversion.snapshot.file(file)
            assert source is not None
            places = secret_places(source)
            for place in places:
                assert conversion.act(ReleaseSecret(place.digest, place.name)), (file, shape)
            assert places, (file, shape)
            assert conversion.lints.findings == (), (file, shape)


def test_a_private_key_is_never_released(workspace: Path, tmp_path: Path) -> None:
    body = "MIIEpAIBAAKCAQEA7bq1Zk83jfKq92LmPx71QwTeR"
    block = f"-----BEGIN RSA PRIVATE KEY-----\n{body}\n-----END RSA PRIVATE KEY-----"
    write(workspace, {"TOOLS.md": f"# Key\n\n{block}\n"})
    conversion = conversion_of(workspace)
    source = conversion.snapshot.file("TOOLS.md")
    assert source is not None
    assert secret_places(source) == ()
    assert [each.location for each in conversion.diagnostics if each.code == "secret-kept"] == [
        "TOOLS.md:3-5"
    ]
    conversion.act(ReleaseSecret(secret_digest(block), "TOOLS.md#PRIVATE_KEY"))
    assert holding(emitted(conversion), body) == []


SETTINGS: Final[dict[str, dict[str, str]]] = {
    "openclaw": {
        "SOUL.md": "# Soul\n\nYou are calm.\n",
        "openclaw.json": json.dumps(
            {
                "agents": {
                    "defaults": {"heartbeat": {"every": "1h", "prompt": f"Name the build {BUILD} first"}}
                },
                "gateway": {"auth": {"token": OTHERS[1]}},
            },
            indent=2,
        ),
        "cron/jobs.json": json.dumps(
            {
                "jobs": [
                    {
                        "name": "build",
                        "schedule": {"kind": "cron", "expr": "0 9 * * *"},
                        "payload": {"message": f"Look at {BUILD} with password: {OTHERS[0]}"},
                    }
                ]
            }
        ),
    },
    "claude-code": {
        "CLAUDE.md": "# Project\n\n- Be brief.\n",
        ".claude/settings.json": json.dumps(
            {
                "permissions": {
                    "allow": [f"Bash(show {BUILD})"],
                    "deny": [f"Bash(open --token {OTHERS[1]})"],
                },
                "outputStyle": f"build {BUILD}",
                "hooks": {"Stop": [{"hooks": [{"type": "command", "command": f"show {BUILD}"}]}]},
            },
            indent=2,
        ),
        ".mcp.json": json.dumps(
            {"mcpServers": {"hub": {"command": f"hub-{BUILD}", "args": ["--password", OTHERS[0]]}}}, indent=2
        ),
    },
    "plugin": {
        "CLAUDE.md": "# Project\n\n- Be brief.\n",
        ".claude-plugin/plugin.json": json.dumps(
            {"name": "hub", "description": f"Shows the build {BUILD}, password: {OTHERS[0]}"}, indent=2
        ),
    },
}


@pytest.mark.parametrize("files", SETTINGS.values(), ids=SETTINGS)
def test_a_value_in_settings_is_released_like_any_other(files: dict[str, str], own_world: Path) -> None:
    root = write(own_world / "desk", files)
    before, after = conversion_of(root), released(root)
    assert holding(emitted(before), BUILD, *OTHERS) == []
    assert holding(emitted(after), *OTHERS) == []
    for path, text in files.items():
        source = after.snapshot.file(path)
        assert source is not None
        assert (DIGEST in {place.digest for place in secret_places(source)}) == (BUILD in text)
        told = [
            text
            for element in after.inventory.elements
            if element.source_file == path
            for text in (element.statement, element.content_summary)
        ]
        shown = BUILD in text.partition('"gateway"')[0]
        assert any(BUILD in each for each in told) == shown, path
        assert not any("${GITHUB_TOKEN" in each for each in told), path


# --- what stays -------------------------------------------------------------------------------


def test_a_failed_run_keeps_the_released_value_and_no_other(workspace: Path, tmp_path: Path) -> None:
    files = released(workspace).files
    partial = keep_partial(files, tmp_path / "out", frozenset({DIGEST}))
    assert holding(written(partial), BUILD)
    assert holding(written(partial), *OTHERS) == []


def test_context_shows_what_was_released_and_nothing_else(workspace: Path, tmp_path: Path) -> None:
    path = decisions(tmp_path / "d.json", {"key": NAME, "digest": DIGEST})
    for options in ((), ("--json",)):
        said = run("context", workspace, "--decisions", path, "--as-of", AS_OF, *options)
        assert BUILD in said.out
        assert not any(other in said.out + said.messages for other in OTHERS)


LINES = st.lists(
    st.sampled_from(
        [
            f"The build is {BUILD}.",
            f"password: {OTHERS[0]}",
            f"api_key={OTHERS[1]} for {BUILD}",
            f'{{"token": "{OTHERS[1]}"}}',
            "Nothing here.",
            f"postgres://me:{OTHERS[2]}@host/base",
        ]
    ),
    max_size=8,
)


@given(LINES, st.sampled_from([BUILD, *OTHERS]))
@settings(max_examples=60)
def test_nothing_but_the_released_value_changes(lines: list[str], value: str) -> None:
    text = "\n".join(lines)
    variables = {span.variable for span in find_secrets(text) if text[span.start : span.end] == value}
    expected = mask_secrets(text)
    for variable in variables:
        expected = expected.replace(f"${{{variable}}}", value)
    assert mask_secrets(text, {secret_digest(value)}) == expected


# --- the wizard -------------------------------------------------------------------------------


@pytest.mark.slow
async def test_in_the_wizard_a_value_is_seen_released_and_masked_again_on_its_card(
    workspace: Path, tmp_path: Path, own_world: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SSH_CONNECTION", raising=False)
    app = WizardApp(open_session(workspace, out=tmp_path / "out"))
    async with app.run_test(size=(150, 45)) as pilot:
        await rendered(pilot)
        session = app.session.conversion
        app.session.review_place = (Card.SECRETS, "secret:AGENTS.md#GITHUB_TOKEN")
        await keys(pilot, "exclamation_mark")
        assert "GitHubToken,40characters" in picture(app)
        assert "atthebuild••••••" in picture(app), "its own place on the line"
        await keys(pilot, "enter")
        assert not any(value in picture(app) for value in (BUILD, *OTHERS))
        await keys(pilot, "v")
        assert BUILD in picture(app)
        await keys(pilot, "n")
        assert session.released_secrets == {DIGEST}
        assert not any(value in picture(app) for value in OTHERS)
        await keys(pilot, "enter", "y")
        assert session.released_secrets == frozenset()
        assert BUILD not in picture(app)
        await keys(pilot, "u")
        assert session.released_secrets == {DIGEST}


@pytest.mark.slow
async def test_no_value_is_shown_on_a_terminal_elsewhere(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSH_CONNECTION", "192.0.2.1 1 192.0.2.2 22")
    app = WizardApp(open_session(workspace))
    async with app.run_test(size=(150, 45)) as pilot:
        app.session.review_place = (Card.SECRETS, "secret:AGENTS.md#GITHUB_TOKEN")
        await keys(pilot, "exclamation_mark", "enter", "v")
        assert not any(value in picture(app) for value in (BUILD, *OTHERS))


def test_line_by_line_a_value_is_released_and_masked_again(
    workspace: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    number = next(
        element.element_id.rpartition("_")[2].lstrip("0")
        for element in conversion_of(workspace).inventory.elements
        if (element.source_file, element.source_lines) == ("AGENTS.md", "3")
    )
    turn = ("review all", "-", "-", "-", "1 r")  # the answer of a released value masks it again
    answers = ["p", *turn, "-", f"explain {number}", *turn, "-", f"explain {number}", "q", "y"]
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in answers)))
    assert main([str(workspace), "--linear", "--as-of", str(AS_OF)]) == 0
    printed = capsys.readouterr().out
    before, released, masked = printed.split("> 1 r\n")
    assert (BUILD in before, BUILD in released, BUILD in masked) == (False, True, False)
    assert not any(value in printed for value in OTHERS)


def picture(app: WizardApp) -> str:
    texts = re.findall(r"<text[^>]*>(.*?)</text>", app.export_screenshot(), re.DOTALL)
    return re.sub(r"\s", "", unescape("".join(texts)))
