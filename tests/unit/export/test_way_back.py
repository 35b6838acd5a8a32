"""`export --host=openclaw`: workspace → package → workspace, identical but for what the report names."""

import json
import shutil
from collections.abc import Mapping, Sequence
from datetime import date
from functools import cache
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from melleafy_tui.cli.main import main
from melleafy_tui.core.decisions.commands import SetDisposition
from melleafy_tui.core.errors import UnusableInput
from melleafy_tui.core.models.file_set import FileSet
from melleafy_tui.core.models.reports import ExportState
from melleafy_tui.core.models.vocabulary import Disposition
from melleafy_tui.core.openclaw.export.exported_package import read_converted
from melleafy_tui.core.openclaw.export.restored_workspace import (
    STAYS_OUTSIDE,
    VALUES_DROPPED,
    Export,
    export_openclaw,
    skill_path,
    skill_text,
)
from melleafy_tui.core.pipeline.conversion import Conversion
from melleafy_tui.engine import open_conversion
from tests.conftest import PROJECT
from tests.dialects.openclaw.goldens import NAMES, root_of

EXAMPLES = sorted(path.name for path in (PROJECT / "examples").iterdir() if path.is_dir())
OF_OTHERS = sorted(
    path
    for dialect in ("agent_skills", "claude_code", "hybrid")
    for path in (PROJECT / "tests/dialects" / dialect / "workspaces").iterdir()
    if path.is_dir()
)
"""Workspaces of other runtimes, and of several."""


def workspace(folder: Path, files: Mapping[str, bytes | str]) -> Path:
    for path, data in files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data if isinstance(data, bytes) else data.encode())
    return folder


def converted(source: Path) -> Conversion:
    return open_conversion(source, as_of=date(2026, 11, 1), generated_at="2026-11-01T00:00:00Z")


@cache
def package_of(source: Path) -> FileSet:
    """Return the files of a committed workspace's package; it is converted once."""
    return converted(source).files


def example(name: str) -> FileSet:
    return package_of(PROJECT / "examples" / name)


def written(files: FileSet, out: Path) -> Path:
    for file in files.files:
        place = out / file.path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(file.data)
    return out


def back(source: Path, out: Path) -> Export:
    files = package_of(source) if source.is_relative_to(PROJECT) else converted(source).files
    return export_openclaw(read_converted(written(files, out), source), skill=False)


def files_of(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def judge(source: Path, export: Export) -> None:
    """Hold what comes back against the source: identical, or named with a reason, and nothing else."""
    before, after = files_of(source), {file.path: file.data for file in export.files}
    states = {file.path: file for file in export.listed}
    left_out = tuple(file.path for file in export.in_state(ExportState.LEFT_OUT))
    assert set(after) <= set(before)
    for path, data in before.items():
        if path not in after:
            assert any(path == name or (name.endswith("/") and path.startswith(name)) for name in left_out), (
                path
            )
        elif after[path] == data:
            assert states[path].state is ExportState.IDENTICAL
        else:
            assert states[path].state is ExportState.CHANGED
            assert states[path].reasons
    assert all(file.reasons for file in export.listed if file.state is not ExportState.IDENTICAL)


@pytest.mark.slow
@pytest.mark.parametrize("name", EXAMPLES)
def test_every_example_comes_back(name: str, tmp_path: Path) -> None:
    export = back(PROJECT / "examples" / name, tmp_path / "out")
    judge(PROJECT / "examples" / name, export)
    changed = {file.path: file.reasons for file in export.in_state(ExportState.CHANGED)}
    secret = "TOOLS.md:9 had a secret, which the package never contained; a placeholder replaces it"
    expected = {
        "bakery-bot": {"USER.md": (secret.replace("TOOLS.md:9", "USER.md:8"),)},
        "hostile": {"TOOLS.md": (secret,)},
        "market-crew": {"config/tasks.yaml": ("its bytes could not be restored",)},
        "release-desk": {".claude/settings.json": (VALUES_DROPPED,)},
    }
    assert changed == expected.get(name, {})


def sampled(cases: Sequence[object], every: int) -> list[object]:
    """Return the cases, all but every so many of them for the slow part."""
    return [
        pytest.param(case, marks=() if number % every == 0 else pytest.mark.slow)
        for number, case in enumerate(cases)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("name", sampled(NAMES, 6))
def test_every_workspace_of_the_dialect_s_tests_comes_back(name: str, tmp_path: Path) -> None:
    root = root_of(name)
    export = back(root, tmp_path / "out")
    judge(root, export)
    assert export.in_state(ExportState.IDENTICAL) or name in ("env-and-secrets", "config-broken")
    assert not any(file.path.startswith("../") for file in export.files)


@pytest.mark.slow
@pytest.mark.parametrize(
    "root", sampled(OF_OTHERS, 4), ids=lambda root: f"{root.parent.parent.name}-{root.name}"
)
def test_a_workspace_of_another_runtime_comes_back_and_that_is_said(root: Path, tmp_path: Path) -> None:
    export = back(root, tmp_path / "out")
    judge(root, export)
    [note] = export.notes
    assert ("not of OpenClaw" in note) == ("openclaw" not in root.name)
    assert "OpenClaw reads its own of them" in note or "the skill that calls the package" in note


def test_the_command_says_that_the_source_was_of_another_runtime(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = written(example("release-desk"), tmp_path / "out")
    words = ["export", "--host=openclaw", str(out), str(tmp_path / "back")]
    assert main([*words, "--json"]) == 0
    said = capsys.readouterr()
    [note] = json.loads(said.out)["notes"]
    assert note.startswith("The source was of claude_code, not of OpenClaw")
    assert note in said.err
    assert (
        main(
            [
                "export",
                "--host=openclaw",
                str(written(example("persona-only"), tmp_path / "p")),
                str(tmp_path / "q"),
                "--json",
            ]
        )
        == 0
    )
    assert json.loads(capsys.readouterr().out)["notes"] == []


FORMS = {
    "CRLF": b"# Soul\r\n\r\nWarm.\r\n\r\n",
    "mixed line ends": b"# Soul\r\n\nWarm.\rKind.\n",
    "no final newline": b"# Soul\n\nWarm.",
    "BOM": b"\xef\xbb\xbf# Soul\n\nWarm.\n",
    "UTF-16 LE": b"\xff\xfe" + "# Soul\n\nWarm.\n".encode("utf-16-le"),
    "UTF-16 BE": b"\xfe\xff" + "# Soul\r\n\r\nWarm.\r\n".encode("utf-16-be"),
    "frontmatter": b"---\nname: desk\ntags: [a, b]\n---\n\n# Soul\n\nWarm.\n",
    "blank lines with blanks": b"# Soul\n   \n\t\n\n\nWarm.  \n \n",
    "form feed": b"# Soul\n\x0c\nWarm.\x0bKind.\n",
    "comments": b"<!-- note -->\n# Soul\n\n<!--\nmore\n-->\nWarm.\n",
    "fences": b"# Soul\n\n```\n# no heading\n\n  x\n```\n",
    "empty": b"",
    "only blanks": b"\n\n  \n",
    "surrogate and emoji": "# Soul\n\n🎫 \u202e x\n".encode(),
    "nested list": b"# Soul\n\n- a\n  - b\n\n    c\n- d\n",
}


@pytest.mark.parametrize("form", sampled(list(FORMS), 3))
def test_a_text_comes_back_in_any_form(form: str, tmp_path: Path) -> None:
    names = ("SOUL.md", "AGENTS.md", "HEARTBEAT.md", "USER.md", "TOOLS.md")
    texts = dict.fromkeys(names, FORMS[form])
    source = workspace(tmp_path / "in", {"IDENTITY.md": "name: desk\n", **texts})
    export = back(source, tmp_path / "out")
    assert {file.path: file.data for file in export.files} == files_of(source)
    assert len(export.in_state(ExportState.IDENTICAL)) == 1 + len(names)


@pytest.mark.slow
@given(
    lines=st.lists(
        st.sampled_from(
            [
                "# A",
                "## B",
                "- rule: never do x",
                "text",
                "",
                "  ",
                "\t",
                "1. step",
                "| a | b |",
                "|---|---|",
                "> q",
                "```",
                "---",
                "name: x",
                "- **Name:** y",
                "<!-- c -->",
                "é\u2028z",
                "    code",
            ]
        ),
        max_size=14,
    ),
    ends=st.lists(st.sampled_from(["\n", "\r\n", "\r", "\n\n"]), min_size=14, max_size=14),
    last=st.booleans(),
    name=st.sampled_from(["AGENTS.md", "IDENTITY.md", "USER.md", "HEARTBEAT.md", "TOOLS.md"]),
)
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_any_text_comes_back(
    lines: list[str], ends: list[str], last: bool, name: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    text = "".join(line + end for line, end in zip(lines, ends, strict=False))
    folder = tmp_path_factory.mktemp("text")
    source = workspace(folder / "in", {"SOUL.md": "# Soul\n", name: text if last else text.rstrip("\r\n")})
    export = back(source, folder / "out")
    assert {file.path: file.data for file in export.files} == files_of(source)


def test_bytes_that_are_no_text_come_back_as_they_were(tmp_path: Path) -> None:
    page = "memory-wiki/concepts/cafe.md"
    source = workspace(
        tmp_path / "in", {"SOUL.md": b"# Soul\n\nWarm.\n", page: b"# Cafe\n\ncaf\xe9\n", "BOOT.md": b"\0\1\2"}
    )
    export = back(source, tmp_path / "out")
    judge(source, export)
    states = {file.path: file.state for file in export.listed}
    assert (states[page], states["BOOT.md"]) == (ExportState.IDENTICAL, ExportState.IDENTICAL)


def test_a_file_that_no_element_uses_is_only_named_in_the_package_and_comes_from_the_workspace(
    tmp_path: Path,
) -> None:
    unused = {
        "lib/tide.py": "import chromadb\n\nTIDE = 4711\n",
        "lib/ebb.py": "import chromadb\n\nEBB = 4712\n",
    }
    source = workspace(tmp_path / "in", {"SOUL.md": "# Soul\n\nWarm.\n", **unused})
    out = written(converted(source).files, tmp_path / "out")
    assert not any(number in data for data in files_of(out).values() for number in (b"4711", b"4712"))
    (source / "lib/ebb.py").write_text("EBB = 1\n", encoding="utf-8")
    for package, states in (
        (read_converted(out), {"tide.py": ExportState.LEFT_OUT, "ebb.py": ExportState.LEFT_OUT}),
        (read_converted(out, source), {"tide.py": ExportState.IDENTICAL, "ebb.py": ExportState.LEFT_OUT}),
    ):
        listed = {file.path: file.state for file in export_openclaw(package, skill=False).listed}
        assert listed == {"SOUL.md": ExportState.IDENTICAL} | {
            f"lib/{name}": state for name, state in states.items()
        }


def test_memory_that_was_left_to_the_host_is_not_called_broken(tmp_path: Path) -> None:
    source = workspace(
        tmp_path / "source", {"SOUL.md": "# Soul\n\nYou are calm.\n", "MEMORY.md": "# M\n\n- Owes 5.\n"}
    )
    out = written(converted(source).files, tmp_path / "out")
    export = export_openclaw(read_converted(out, None), skill=False)
    assert [(file.path, file.reasons) for file in export.in_state(ExportState.LEFT_OUT)] == [
        ("MEMORY.md", (STAYS_OUTSIDE,))
    ]
    assert "MEMORY.md" not in [file.path for file in export.files], "no empty file comes back in its place"
    assert not back(source, tmp_path / "beside").in_state(ExportState.LEFT_OUT), "a workspace still holds it"


def test_no_secret_comes_back_and_each_is_named(tmp_path: Path) -> None:
    token = "ghp_" + "a1B2" * 9
    text = f"# Tools\n\n- GitHub token: {token}\n\n- Plain.\n"
    source = workspace(
        tmp_path / "in",
        {"SOUL.md": "# Soul\n", "TOOLS.md": text, ".env": "A=secretvalue123\n", ".env.example": "B=1\n"},
    )
    out = written(converted(source).files, tmp_path / "out")
    assert not any(token.encode() in data for data in files_of(out).values())
    export = export_openclaw(read_converted(out))
    judge(source, export_openclaw(read_converted(out), skill=False))
    tools = next(file for file in export.files if file.path == "TOOLS.md")
    assert tools.data.decode().splitlines()[::4] == ["# Tools", "- Plain."]
    assert token.encode() not in tools.data
    [listed] = export.in_state(ExportState.CHANGED)
    assert listed.reasons == (
        "TOOLS.md:3 had a secret, which the package never contained; a placeholder replaces it",
    )
    assert {file.path for file in export.in_state(ExportState.LEFT_OUT)} == {".env", ".env.example"}


def test_a_script_with_a_secret_comes_from_the_workspace_or_with_a_placeholder(tmp_path: Path) -> None:
    script = "GATE_TOKEN = 'tide-4821-Heron'\n"
    tools = "- `scripts/gate.sh`: opens the gate\n"
    files = {"lib/tide.py": f"import chromadb\n\n{script}", "scripts/gate.sh": script}
    source = workspace(tmp_path / "in", {"SOUL.md": "# Soul\n", "TOOLS.md": tools, **files})
    out = written(converted(source).files, tmp_path / "out")
    package = export_openclaw(read_converted(out), skill=False)
    assert b"4821" not in b"".join(file.data for file in package.files)
    assert {file.path: file.state for file in package.listed if file.path in files} == {
        "lib/tide.py": ExportState.LEFT_OUT,
        "scripts/gate.sh": ExportState.LEFT_OUT,
    }
    again = {file.path: file for file in export_openclaw(read_converted(out, source), skill=False).listed}
    assert again["lib/tide.py"].state is ExportState.IDENTICAL
    assert "secrets may have changed" in again["lib/tide.py"].reasons[0]
    (source / "lib/tide.py").write_text(f"import chromadb\n\n\n{script}")
    late = {file.path: file for file in export_openclaw(read_converted(out, source), skill=False).listed}
    assert late["lib/tide.py"].state is ExportState.LEFT_OUT


def test_what_the_user_removed_is_gone_and_listed_and_what_goes_by_default_stays(tmp_path: Path) -> None:
    text = "# Agents\n\n- Never lie.\n- Reply HEARTBEAT_OK when nothing is due.\n- Be brief.\n"
    source = workspace(
        tmp_path / "in", {"SOUL.md": "# Soul\n", "AGENTS.md": text, "BOOTSTRAP.md": "Hello.\n"}
    )
    conversion = converted(source)
    entry = next(entry for entry in conversion.plan.entries if "be-brief" in entry.key)
    assert any(
        entry.disposition is Disposition.REMOVE and not entry.overridden for entry in conversion.plan.entries
    )
    conversion.act(SetDisposition((entry.key,), Disposition.REMOVE))
    export = export_openclaw(read_converted(written(conversion.files, tmp_path / "out")), skill=False)
    texts = {file.path: file.data.decode() for file in export.files}
    assert texts["AGENTS.md"] == text.replace("- Be brief.\n", "")
    assert texts["BOOTSTRAP.md"] == "Hello.\n"
    [listed] = export.in_state(ExportState.CHANGED)
    assert listed.reasons[0].startswith("AGENTS.md:5 was removed by your decision: ")


def test_a_file_of_which_everything_was_removed_is_left_out(tmp_path: Path) -> None:
    source = workspace(tmp_path / "in", {"SOUL.md": "# Soul\n", "USER.md": "- **Timezone:** Europe/Dublin\n"})
    conversion = converted(source)
    keys = tuple(entry.key for entry in conversion.plan.entries if entry.key.startswith("USER.md"))
    conversion.act(SetDisposition(keys, Disposition.REMOVE))
    export = export_openclaw(read_converted(written(conversion.files, tmp_path / "out")), skill=False)
    [left] = export.in_state(ExportState.LEFT_OUT)
    assert left.path == "USER.md"
    assert left.reasons == ("everything in it was removed by your decisions (1 elements)",)


def test_files_that_were_never_read_are_named(tmp_path: Path) -> None:
    source = workspace(
        tmp_path / "in",
        {
            "SOUL.md": "# Soul\n",
            "memory/2026-10-31.md": "private",
            "photos/a.jpg": b"\xff",
            "photos/b/c.jpg": b"\xff",
            "README.txt": "x",
            "credentials/x.json": "{}",
        },
    )
    export = back(source, tmp_path / "out")
    judge(source, export)
    assert {file.path: file.data for file in export.files} == {"SOUL.md": b"# Soul\n"}
    assert {file.path for file in export.in_state(ExportState.LEFT_OUT)} >= {
        "memory/",
        "photos/",
        "README.txt",
        "credentials/",
    }


# --- the skill ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_skill_is_one_that_openclaw_reads(name: str, tmp_path: Path) -> None:
    package = read_converted(written(example(name), tmp_path / "out"))
    export = export_openclaw(package)
    [added] = export.in_state(ExportState.ADDED)
    text = next(file.data.decode() for file in export.files if file.path == added.path)
    head = yaml.safe_load(text.split("---\n")[1])
    assert added.path == f"skills/{head['name']}/SKILL.md"
    assert set(head) == {"name", "description", "metadata"}
    assert head["metadata"]["openclaw"]["requires"]["bins"] == ["python3"]
    assert all("\n" not in str(value) for value in head.values())
    assert f"python3 -m {package.manifest.package_name} --json < message.txt" in text
    assert not any(character in text for character in "\x1b\u202e")


def test_a_skill_of_that_name_is_not_overwritten(tmp_path: Path) -> None:
    source = workspace(
        tmp_path / "in",
        {
            "SOUL.md": "# Soul\n",
            "IDENTITY.md": "name: desk\n",
            "skills/desk-mellea/SKILL.md": "---\nname: x\n---\n",
        },
    )
    export = export_openclaw(read_converted(written(converted(source).files, tmp_path / "out")))
    assert [file.path for file in export.in_state(ExportState.ADDED)] == ["skills/desk-mellea-2/SKILL.md"]


def test_a_manifest_with_names_that_are_none_gets_no_skill(tmp_path: Path) -> None:
    package = read_converted(written(example("persona-only"), tmp_path / "out"))
    for name in ("x; rm -rf /", "a\nb", "$(id)", "../x", ""):
        manifest = replace(package.manifest, package_name=name)
        assert skill_text(manifest, skill_path(manifest, ())) is None, name


# --- packages that are none, or were tampered with ------------------------------------------------


def tampered(folder: Path, name: str, change: tuple[str, str]) -> Path:
    out = written(example("persona-only"), folder)
    place = next(out.glob(f"*/{name}"))
    text = place.read_text(encoding="utf-8")
    assert change[0] in text
    place.write_text(text.replace(*change), encoding="utf-8")
    return out


def test_a_path_in_the_layout_never_leads_out(tmp_path: Path) -> None:
    paths = ("../../SOUL.md", "/tmp/SOUL.md", "openclaw.json", "credentials/x", ".melleafy-work/x", "a\\\\b")
    for number, path in enumerate(paths):
        change = ('"path": "SOUL.md"', f'"path": "{path}"')
        out = tampered(tmp_path / f"out{number}", "intermediate/source_layout.json", change)
        export = export_openclaw(read_converted(out), skill=False)
        assert {file.path for file in export.files} == {"IDENTITY.md"}, path


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("intermediate/source_layout.json", ('"lines": ', '"lines": 99999999')),
        ("intermediate/source_layout.json", ('"lines": ', '"lines": -')),
        ("intermediate/inventory.json", ('"source_lines": "1"', '"source_lines": "900-1000"')),
        ("intermediate/inventory.json", ('"content_full": "', '"content_full": "edited ')),
    ],
)
def test_a_changed_record_never_gives_a_file_that_is_called_identical(
    name: str, change: tuple[str, str], tmp_path: Path
) -> None:
    source = PROJECT / "examples/persona-only"
    export = export_openclaw(read_converted(tampered(tmp_path / "out", name, change)), skill=False)
    texts = {file.path: file.data for file in export.files}
    for file in export.in_state(ExportState.IDENTICAL):
        assert texts[file.path] == (source / file.path).read_bytes()
    assert len(export.in_state(ExportState.IDENTICAL)) < 2


RECORDS = (
    "melleafy.json",
    *(
        f"intermediate/{name}.json"
        for name in ("classification", "inventory", "dependency_plan", "source_layout")
    ),
)


@pytest.mark.parametrize("name", RECORDS)
def test_a_record_that_is_none_is_an_error(name: str, tmp_path: Path) -> None:
    out = written(example("persona-only"), tmp_path / "out")
    place = next(out.glob(f"*/{name}"))
    for text in ("", "[]", "{", '{"files": 1}', None):
        place.unlink() if text is None else place.write_text(text)
        if name == "melleafy.json" and text is not None:
            assert main(["export", "--host=openclaw", str(out), str(tmp_path / "back")]) == 2, text
        else:
            with pytest.raises(UnusableInput):
                read_converted(out)


def test_no_package_or_two_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UnusableInput, match="no melleafy"):
        read_converted(tmp_path)
    with pytest.raises(UnusableInput):
        read_converted(tmp_path / "nowhere")
    out = written(example("persona-only"), tmp_path / "out")
    inner = next(out.glob("*_mellea"))
    assert read_converted(inner).folder == inner
    shutil.copytree(inner, out / "second_mellea")
    with pytest.raises(UnusableInput, match="more than one package"):
        read_converted(out)


# --- the command ----------------------------------------------------------------------------------


def test_the_command_writes_reports_and_refuses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = written(example("memory-heavy"), tmp_path / "out")
    words = ["export", "--host=openclaw", str(out), str(tmp_path / "back")]
    assert main([*words, "--dry-run"]) == 0
    assert not (tmp_path / "back").exists()
    assert main(words) == 0
    told = capsys.readouterr().out
    assert "left out: memory/: nothing in it was read" in told
    assert main(words) == 2
    assert main(["export", str(out), str(tmp_path / "other")]) == 2
    capsys.readouterr()
    assert main([*words, "--force", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["host"], document["written"]) == ("openclaw", [])
    assert main([*words[:-1], str(tmp_path / "plain"), "--no-skill"]) == 0
    assert not (tmp_path / "plain/skills").exists()


def test_a_package_that_was_edited_by_hand_is_told(tmp_path: Path) -> None:
    out = written(example("persona-only"), tmp_path / "out")
    folder = next(out.glob("*_mellea"))
    assert read_converted(out).edited == read_converted(folder).edited == ()
    for name in ("config.py", "pipeline.py"):
        (folder / name).write_text("# mine\n")
    (folder / "mine.py").write_text("# mine\n")
    assert read_converted(folder).edited == ("config.py", "pipeline.py")
    export = export_openclaw(read_converted(out), skill=False)
    [note] = export.notes
    assert "edited by hand since (config.py, pipeline.py)" in note
    judge(PROJECT / "examples/persona-only", export)


def test_a_record_that_names_no_file_of_the_package_says_nothing(tmp_path: Path) -> None:
    out = written(example("persona-only"), tmp_path / "out")
    (tmp_path / "x").write_text("outside")
    record = next(out.glob("*/intermediate/emitted.json"))
    outside, gone = '{"persona_only_mellea/../../x": "0"}', '{"a": 1, "persona_only_mellea/gone.py": "0"}'
    for files in ("[]", "null", outside, gone):
        record.write_text(f'{{"files": {files}}}')
        assert read_converted(out).edited == (), files


def test_edits_in_the_target_are_kept_beside_what_replaces_them(tmp_path: Path) -> None:
    out = written(example("persona-only"), tmp_path / "out")
    target = tmp_path / "back"
    words = ["export", "--host=openclaw", str(out), str(target)]
    assert main(words) == 0
    whole = files_of(target)
    for edit in (b"first edit", b"second edit"):
        (target / "SOUL.md").write_bytes(edit)
        assert main(words) == 2
        assert (target / "SOUL.md").read_bytes() == edit
        assert main([*words, "--force"]) == 0
    now = files_of(target)
    backups = {path: data for path, data in now.items() if path.startswith(".melleafy-backup/")}
    assert set(backups.values()) == {b"*\n", b"first edit", b"second edit"}
    assert {path: data for path, data in now.items() if path not in backups} == whole


def test_twice_the_same_bytes(tmp_path: Path) -> None:
    package = read_converted(written(example("rule-heavy"), tmp_path / "out"))
    assert export_openclaw(package).files == export_openclaw(package).files
