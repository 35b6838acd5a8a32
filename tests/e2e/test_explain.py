"""`explain`: what a line became and where an emitted line comes from, told by a workspace and by its package alike."""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import jsonschema
import pytest

from tests.conftest import PROJECT
from tests.e2e.conftest import Run, rows

AS_OF = ("--as-of", "2026-11-01")
EXAMPLES = ("ticket-triage", "tool-heavy")
SECRET = "ghp_" + "q7Rt2Lm9Xc4Vb8Nk1Zs6Wd3Hy5Jf0Pa8Ue2G"
TEXTS = {
    "SOUL.md": "# Soul\n\nYou are calm.\n",
    "IDENTITY.md": "name: desk\n",
    "AGENTS.md": "# Rules\n\n- Never send mail to strangers\n- Say \x1b]0;owned\x07 nothing rude\n"
    f"- Use the token {SECRET} for the API\n",
}


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "desk"
    folder.mkdir()
    for name, text in TEXTS.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def package(run: Run, workspace: Path) -> Path:
    assert run(workspace, "--dependencies=auto", *AS_OF).code == 0
    return workspace.parent / "desk_mellea" / "desk_mellea"


# --- workspace and package ------------------------------------------------------------------


def lines_of(place: object) -> tuple[str, range]:
    assert isinstance(place, dict)
    first, _, last = str(place["lines"]).partition("-")
    return str(place["file"]), range(int(first), int(last or first) + 1)


def unmatched(places: object, others: object) -> Iterator[tuple[str, int]]:
    """Yield where places begin that no other place overlaps."""
    assert isinstance(places, list)
    assert isinstance(others, list)
    for file, lines in map(lines_of, places):
        if not any(file == other and set(lines) & set(held) for other, held in map(lines_of, others)):
            yield file, lines[0]


@pytest.mark.slow
@pytest.mark.parametrize("name", EXAMPLES)
def test_workspace_and_package_tell_the_same_of_each_element(run: Run, tmp_path: Path, name: str) -> None:
    example, out = PROJECT / "examples" / name, tmp_path / "out"
    assert run(example, "--dependencies=auto", "--out", out, *AS_OF).code == 0
    elements = rows(run("inventory", example, "--json", *AS_OF).document, "elements")
    seen = 0
    for file in sorted({str(element["source_file"]) for element in elements}):
        of_workspace = rows(
            run("explain", example, file, "--json", "--out", out, *AS_OF).document, "elements"
        )
        of_package = rows(run("explain", out, file, "--json").document, "elements")
        seen += len(of_workspace)
        for here, there in zip(of_workspace, of_package, strict=True):
            places, written = here.pop("emitted"), there.pop("emitted")
            assert here == there
            assert list(unmatched(written, places)) == []
            assert list(unmatched(places, written)) == []
    assert seen == len(elements)


@pytest.mark.slow
@pytest.mark.parametrize("name", EXAMPLES)
def test_each_emitted_place_leads_back_to_its_element(run: Run, tmp_path: Path, name: str) -> None:
    example, out = PROJECT / "examples" / name, tmp_path / "out"
    assert run(example, "--dependencies=auto", "--out", out, *AS_OF).code == 0
    for source, options in ((example, ("--out", out, *AS_OF)), (out, ())):
        for element in rows(run("explain", source, "AGENTS.md", "--json", *options).document, "elements")[:4]:
            places = element["emitted"]
            assert isinstance(places, list)
            for file, lines in map(lines_of, places):
                asked = f"{file}:{lines[0]}-{lines[-1]}"
                back = rows(run("explain", source, asked, "--json", *options).document, "elements")
                assert element["element_id"] in [found["element_id"] for found in back], asked


def test_a_line_is_explained_with_rule_decision_and_emitted_places(run: Run, workspace: Path) -> None:
    overrides = [
        {
            "key": "AGENTS.md#rules/never-send-mail-to-strangers",
            "disposition": "stub",
            "override_rationale": "our gateway does it",
        }
    ]
    decisions = workspace.parent / "d.json"
    decisions.write_text(json.dumps({"overrides": overrides}), encoding="utf-8")
    done = run("explain", workspace, "AGENTS.md:3", "--decisions", decisions, *AS_OF)
    assert done.code == 0, done.messages
    assert re.search(r"^elem_\d+  AGENTS.md:3$", done.out, re.MULTILINE)
    for said in (
        "- Never send mail to strangers",
        "category C2",
        "openclaw.agents",
        "stub, decided by user",
        "because      our gateway does it",
        "default      bundle: Operating rules",
        "desk_mellea/",
    ):
        assert said in done.out


@pytest.mark.slow
def test_an_emitted_line_names_the_elements_it_comes_from(run: Run, workspace: Path, package: Path) -> None:
    lines = (package / "requirements.py").read_text(encoding="utf-8").splitlines()
    number = next(number for number, line in enumerate(lines, 1) if "strangers" in line)
    for source in (workspace, package, package.parent):
        for name in ("requirements.py", "desk_mellea/requirements.py", package / "requirements.py"):
            done = run("explain", source, f"{name}:{number}")
            assert done.code == 0, done.messages
            assert "  AGENTS.md:3\n" in done.out
    assert "generated code" in run("explain", package, "requirements.py:1").out
    whole = run("explain", package, "requirements.py").out
    assert "AGENTS.md:3" in whole


def test_the_package_answers_without_the_workspace_and_after_an_edit(
    run: Run, workspace: Path, package: Path
) -> None:
    shutil.rmtree(workspace)
    place = package / "requirements.py"
    place.write_text("# mine\n# mine, too\n" + place.read_text(encoding="utf-8"), encoding="utf-8")
    lines = place.read_text(encoding="utf-8").splitlines()
    number = next(number for number, line in enumerate(lines, 1) if "strangers" in line)
    assert "AGENTS.md:3" in run("explain", package, f"requirements.py:{number}").out


@pytest.mark.slow
def test_json_is_what_its_schema_accepts(run: Run, workspace: Path, package: Path) -> None:
    schema = jsonschema.Draft202012Validator(run("schema", "explain").document)
    for source, kind in ((workspace, "workspace"), (package, "package")):
        for name in ("AGENTS.md", "AGENTS.md:1-3", "config.py", "config.py:1"):
            document = run("explain", source, name, "--json").document
            schema.validate(document)
            assert document["kind"] == kind
    document = run("explain", workspace, "nowhere.md", "--json").document
    jsonschema.Draft202012Validator(run("schema", "error").document).validate(document)


# --- safety ---------------------------------------------------------------------------------


def test_a_secret_stays_masked_and_no_text_controls_the_terminal(
    run: Run, workspace: Path, package: Path
) -> None:
    for source in (workspace, package):
        for words in (("AGENTS.md",), ("AGENTS.md:5",), ("AGENTS.md:1-5", "--json"), ("AGENTS.md:4",)):
            done = run("explain", source, *words)
            assert done.code == 0, done.messages
            assert SECRET not in done.out + done.messages
            assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f]", done.out + done.messages)


def test_nothing_outside_is_explained(run: Run, workspace: Path, package: Path) -> None:
    (workspace.parent / "private.md").write_text("# mine\n", encoding="utf-8")
    for source in (workspace, package):
        for name in ("../private.md", workspace.parent / "private.md", "/etc/passwd:1"):
            done = run("explain", source, name)
            assert (done.code, done.out) == (2, "")
            assert "neither a file that was read nor one that is emitted" in done.messages


def test_a_changed_line_keeps_its_source_and_a_line_of_the_user_has_none(run: Run, package: Path) -> None:
    place = package / "requirements.py"
    text = place.read_text(encoding="utf-8")
    place.write_text(text.replace("strangers", "anyone") + "\nMINE = 1\n", encoding="utf-8")
    lines = place.read_text(encoding="utf-8").splitlines()
    changed = next(number for number, line in enumerate(lines, 1) if "anyone" in line)
    assert "AGENTS.md:3" in run("explain", package, f"requirements.py:{changed}").out
    assert "generated code" in run("explain", package, f"requirements.py:{len(lines)}").out


# --- errors ---------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("AGNTS.md", "Did you mean AGENTS.md?"),
        ("AGNTS.md:3", "Did you mean AGENTS.md?"),
        ("confg.py:3", "Did you mean config.py?"),
        ("qqqqqq", "Name a file such as"),
        ("AGENTS.md:77", "AGENTS.md:77: The file has only 5 lines. Name a line from 1 to 5."),
        ("AGENTS.md:3-77", "The file has only 5 lines."),
        (
            "AGENTS.md:three",
            "'three' is not a line or a range of lines. Write AGENTS.md:12 or AGENTS.md:12-15.",
        ),
        ("AGENTS.md:0", "'0' is not a line"),
        ("AGENTS.md:4-2", "'4-2' is not a line"),
        ("AGENTS.md:", "'' is not a line"),
        ("config.py:9999", "desk_mellea/config.py:9999: The file has only "),
    ],
)
def test_what_cannot_be_explained_is_refused_with_what_to_do(
    run: Run, workspace: Path, package: Path, name: str, said: str
) -> None:
    for source in (workspace, package):
        done = run("explain", source, name)
        assert (done.code, done.out) == (2, "")
        assert said in done.messages, done.messages


def test_a_package_without_usable_records_is_refused(run: Run, package: Path) -> None:
    record = package / "intermediate" / "inventory.json"
    kept = json.loads(record.read_text(encoding="utf-8"))
    kept["elements"][0]["source_lines"] = "first"
    for text in ('{"elements": 3}', "not JSON", json.dumps(kept)):
        record.write_text(text, encoding="utf-8")
        done = run("explain", package, "AGENTS.md")
        assert (done.code, done.out) == (2, "")
        assert "intermediate/inventory.json isn't what a conversion writes" in done.messages
        assert "Convert the workspace again" in done.messages
    shutil.rmtree(package / "intermediate")
    for source in (package, package.parent):
        done = run("explain", source, "AGENTS.md")
        assert (done.code, done.out) == (2, "")
        assert "no readable intermediate/inventory.json" in done.messages


def test_a_link_is_not_followed_as_a_record(run: Run, package: Path) -> None:
    record = package / "intermediate" / "inventory.json"
    outside = package.parent.parent / "outside.json"
    record.rename(outside)
    record.symlink_to(outside)
    assert run("explain", package, "AGENTS.md").code == 2


def test_conversion_options_are_refused_with_a_package(run: Run, package: Path) -> None:
    done = run("explain", package, "AGENTS.md", "--persona-channel=system")
    assert done.code == 2
    assert "--persona-channel doesn't apply to a package" in done.messages


def test_a_package_in_its_workspace_leaves_that_a_workspace(run: Run, workspace: Path) -> None:
    assert run(workspace, "--dependencies=auto", "--in-place", *AS_OF).code == 0
    document = run(
        "explain", workspace, workspace / "desk_mellea" / "config.py", "--in-place", "--json"
    ).document
    assert (document["kind"], document["file"]) == ("workspace", "desk_mellea/config.py")


def test_one_sentence_says_why_a_line_has_its_home_and_what_was_decided(run: Run) -> None:
    source = PROJECT / "examples" / "ticket-triage"
    (why,) = [
        line for line in run("explain", source, "AGENTS.md:15").out.splitlines() if line.startswith("  why")
    ]
    assert "since it is a rule of AGENTS.md; Python checks on every reply" in why
    assert "under the heading 'Replies'" in why
    (why,) = [
        line for line in run("explain", source, "USER.md:3").out.splitlines() if line.startswith("  why")
    ]
    assert "may replace it" in why
