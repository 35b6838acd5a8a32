"""`materialize`: surfaces to a workspace and back, byte for byte; the tables of modes; what is never written (seed 001)."""

import json
import os
import stat
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from melleafy_tui.cli.main import main
from melleafy_tui.core.errors import OutputRefused, StrictRefusal, UnusableInput, UsageError
from melleafy_tui.core.models.surfaces import ExactFile, MaterializeOptions
from melleafy_tui.core.openclaw.surfaces.materialization import materialize as to_workspace
from melleafy_tui.core.openclaw.surfaces.surface_table import NEVER_WRITTEN, SURFACES, never_written
from melleafy_tui.core.output.file_operations import FileOperations
from melleafy_tui.core.output.folder import write_folder
from tests.unit.faults import FaultyOperations, killed_at

to_surfaces = partial(to_workspace, reverse=True)
BYTES = {
    "binary": bytes(range(256)),
    "empty": b"",
    "CRLF": b"one\r\ntwo\r\n",
    "mixed line ends": b"one\r\ntwo\nthree\rfour",
    "no final newline": b"last line",
    "BOM": b"\xef\xbb\xbf# Soul\n",
    "UTF-16": "# Soul\n".encode("utf-16"),
    "invalid UTF-8": b"\xff\xfe\x00caf\xe9",
    "trailing blanks": b"a  \n\n\n\n",
    "braces": b"{{ 7 * 7 }} {% raw %} ${HOME} %s\n",
}
ODD_NAMES = (
    "with space.md",
    "-rf.md",
    "quote'\".md",
    "$(touch x).md",
    "Ümläut-日本語.md",
    "a\nb.md",
    "{{ x }}.md",
    "UPPER.MD",
    "no-extension",
    ".hidden",
    "x" * 200 + ".md",
)
FULL = {surface.source: f"# {surface.name}\n".encode() for surface in SURFACES}
PERSONA = {
    "name": "maya",
    "displayName": "Maya",
    "role": "Librarian",
    "background": "Keeps the catalogue.",
    "emoji": "📚",
}


def tree(folder: Path, files: dict[str, bytes]) -> Path:
    for path, data in files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
    return folder


def found(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def run(*words: str | Path) -> int:
    return main([str(word) for word in ("materialize", *words)])


# --- the mapping, byte for byte -----------------------------------------------------------------


@pytest.mark.parametrize("kind", BYTES)
def test_each_surface_arrives_with_its_bytes_and_goes_back_with_them(kind: str, tmp_path: Path) -> None:
    files = {surface.source: BYTES[kind] for surface in SURFACES}
    source = tree(tmp_path / "in", files)
    assert run(source, tmp_path / "out") == 0
    assert found(tmp_path / "out") == {surface.target: BYTES[kind] for surface in SURFACES}
    assert run(tmp_path / "out", tmp_path / "back", "--reverse") == 0
    assert found(tmp_path / "back") == files


def test_a_surface_alone_arrives_alone_and_goes_back_alone(tmp_path: Path) -> None:
    for surface in SURFACES:
        folder = tmp_path / surface.name
        source = tree(folder / "in", {surface.source: b"alone"})
        assert run(source, folder / "out") == 0
        assert found(folder / "out") == {surface.target: b"alone"}
        assert run(folder / "out", folder / "back", "--reverse") == 0
        assert found(folder / "back") == {surface.source: b"alone"}


@pytest.mark.parametrize("folder", ["skills/a", "memory"])
def test_odd_names_are_kept_in_skills_and_memory(folder: str, tmp_path: Path) -> None:
    files = {f"{folder}/{name}": b"\0odd" for name in ODD_NAMES}
    files |= {f"{folder}/deep/er/{name}": b"" for name in ODD_NAMES}
    assert run(tree(tmp_path / "in", files), tmp_path / "out") == 0
    assert found(tmp_path / "out") == files


@pytest.mark.skipif(os.name == "nt", reason="names are bytes on POSIX only")
def test_a_name_that_is_no_text_is_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = os.fsdecode(b"caf\xe9.bin")
    assert run(tree(tmp_path / "in", {f"memory/{name}": b"x"}), tmp_path / "out", "--json") == 0
    assert [os.fsencode(place.name) for place in (tmp_path / "out/memory").iterdir()] == [b"caf\xe9.bin"]
    assert json.loads(capsys.readouterr().out)["files"][0]["path"] == f"memory/{name}"


def test_a_supporting_script_stays_executable(tmp_path: Path) -> None:
    source = tree(tmp_path / "in", {"skills/a/run.sh": b"#!/bin/sh\n", "skills/a/SKILL.md": b"---\n"})
    (source / "skills/a/run.sh").chmod(0o755)
    assert run(source, tmp_path / "out") == 0
    assert (tmp_path / "out/skills/a/run.sh").stat().st_mode & stat.S_IXUSR
    assert not (tmp_path / "out/skills/a/SKILL.md").stat().st_mode & stat.S_IXUSR


@given(
    files=st.dictionaries(
        st.sampled_from([*FULL, "skills/a/SKILL.md", "skills/b/x.bin", "memory/2026-01-01.md"]),
        st.binary(max_size=200),
        min_size=1,
    )
)
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_there_and_back_is_the_same_for_any_bytes(
    files: dict[str, bytes], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("bytes")
    source = tree(folder / "in", files)
    there = to_workspace(source, MaterializeOptions())
    write_folder(there.files, source, folder / "out")
    back = to_surfaces(folder / "out", MaterializeOptions())
    assert {file.path: file.data for file in back.files} == files


# --- strict and permissive, exact and not: the whole table ---------------------------------------


@pytest.mark.parametrize("surface", SURFACES, ids=lambda surface: surface.name)
@pytest.mark.parametrize("layer", [False, True], ids=["no-layer", "layer"])
@pytest.mark.parametrize("exact", [True, False], ids=["exact", "not-exact"])
@pytest.mark.parametrize("strict", [True, False], ids=["strict", "permissive"])
def test_a_missing_surface(surface: object, layer: bool, exact: bool, strict: bool, tmp_path: Path) -> None:
    assert isinstance(surface, type(SURFACES[0]))
    files = {path: data for path, data in FULL.items() if path != surface.source}
    if layer:
        files["persona.json"] = json.dumps(PERSONA).encode()
    source = tree(tmp_path / "in", files)
    options = MaterializeOptions(exact=exact, strict_missing_surfaces=strict)
    synthesised = layer and bool(surface.layer) and not exact
    if strict and surface.required and not synthesised:
        with pytest.raises(StrictRefusal, match=surface.target):
            to_workspace(source, options)
        return
    made = to_workspace(source, options)
    written = {file.path: file for file in made.listed}
    assert (surface.target in written) == synthesised
    assert {file.path for file in made.listed if not file.exact} == (
        {surface.target} if synthesised else set()
    )
    messages = [warning.message for warning in made.warnings if warning.path == surface.target]
    if synthesised:
        assert messages == [
            f"{surface.target} synthesized from {surface.layer}; byte-exact preservation not possible."
        ]
    elif layer and surface.layer:
        assert "exact mode refuses to synthesise" in messages[0]
    elif surface.marked:
        assert messages == [f"{surface.target} not materialized; OpenClaw may inject a missing-file marker."]
    else:
        assert messages == []


@pytest.mark.parametrize("surface", SURFACES, ids=lambda surface: surface.name)
@pytest.mark.parametrize("strict", [True, False], ids=["strict", "permissive"])
def test_a_missing_file_on_the_way_to_surfaces(surface: object, strict: bool, tmp_path: Path) -> None:
    assert isinstance(surface, type(SURFACES[0]))
    files = {row.target: b"x" for row in SURFACES if row is not surface}
    workspace = tree(tmp_path / "in", files)
    options = MaterializeOptions(strict_missing_surfaces=strict)
    if strict and surface.required:
        with pytest.raises(StrictRefusal, match=surface.target):
            to_surfaces(workspace, options)
        return
    made = to_surfaces(workspace, options)
    assert surface.source not in {file.path for file in made.files}
    assert bool(made.warnings) == surface.required


def test_a_complete_source_has_nothing_to_say_in_any_mode(tmp_path: Path) -> None:
    source = tree(tmp_path / "in", {**FULL, "persona.json": json.dumps(PERSONA).encode()})
    for strict in (True, False):
        for exact in (True, False):
            made = to_workspace(source, MaterializeOptions(strict_missing_surfaces=strict, exact=exact))
            assert made.warnings == []
            assert {file.path for file in made.files} == {surface.target for surface in SURFACES}


def test_what_is_synthesised_holds_the_words_of_the_layer_and_nothing_that_breaks_a_line(
    tmp_path: Path,
) -> None:
    persona = {**PERSONA, "role": "Librarian\n# Injected heading", "emoji": 7}
    source = tree(tmp_path / "in", {"persona.json": json.dumps(persona).encode()})
    made = to_workspace(source, MaterializeOptions(exact=False))
    texts = {file.path: file.data.decode() for file in made.files}
    assert texts["SOUL.md"] == "# Maya\n\n**Role:** Librarian # Injected heading\n\nKeeps the catalogue.\n"
    assert texts["IDENTITY.md"] == (
        "# Identity\n\n- **Name:** Maya\n- **Role:** Librarian # Injected heading\n"
    )


@pytest.mark.parametrize(
    "layer", [b"[1]", b"{", b"\xff", b"[" * 100_000], ids=["list", "torn", "bytes", "deep"]
)
def test_a_persona_layer_that_is_none_is_refused(layer: bytes, tmp_path: Path) -> None:
    with pytest.raises(UnusableInput, match=r"persona\.json"):
        to_workspace(tree(tmp_path, {"persona.json": layer}), MaterializeOptions())


def test_strict_mode_exits_10_and_writes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tree(tmp_path / "in", {"surfaces/persona.md": b"x"})
    assert run(source, tmp_path / "out", "--strict-missing-surfaces", "--json") == 10
    assert not (tmp_path / "out").exists()
    assert "surfaces/instructions.md for AGENTS.md" in json.loads(capsys.readouterr().out)["error"]["message"]


# --- the other options ---------------------------------------------------------------------------


def test_skills_memory_and_bootstrap_can_be_left_out(tmp_path: Path) -> None:
    files = {**FULL, "skills/a/SKILL.md": b"x", "memory/n.md": b"y"}
    source = tree(tmp_path / "in", files)
    for flag, left_out in (
        ("--no-skills", "skills/a/SKILL.md"),
        ("--no-memory", "memory/n.md"),
        ("--no-bootstrap", "BOOTSTRAP.md"),
    ):
        out = tmp_path / flag
        assert run(source, out, flag) == 0
        whole = {surface.target for surface in SURFACES} | {"skills/a/SKILL.md", "memory/n.md"}
        assert set(found(out)) == whole - {left_out}


def test_model_and_hints_are_reported_and_written_nowhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tree(tmp_path / "in", FULL)
    words = ("--model", "m-1", "--model-param", "temperature=0.5", "--config", "note=plain text", "--json")
    assert run(source, tmp_path / "out", *words) == 0
    adapter = json.loads(capsys.readouterr().out)["adapter"]
    assert adapter == {
        "type": "openclaw",
        "runtime": "openclaw",
        "adapterVersion": "1.0.0",
        "model": "m-1",
        "modelParams": {"temperature": 0.5},
        "config": {"note": "plain text"},
    }
    assert set(found(tmp_path / "out")) == {surface.target for surface in SURFACES}
    assert run(source, tmp_path / "other", "--model-param", "temperature") == 2


def test_memory_md_travels_only_where_it_is_mapped(tmp_path: Path) -> None:
    workspace = tree(tmp_path / "in", {"SOUL.md": b"s", "MEMORY.md": b"m"})
    plain = to_surfaces(workspace, MaterializeOptions())
    assert {file.path for file in plain.files} == {"surfaces/persona.md"}
    assert any("--memory-file maps it" in warning.message for warning in plain.warnings)
    assert run(workspace, tmp_path / "s", "--reverse", "--memory-file", "surfaces/memory.md") == 0
    assert run(tmp_path / "s", tmp_path / "w", "--memory-file", "surfaces/memory.md") == 0
    assert found(tmp_path / "w") == found(workspace)


@pytest.mark.parametrize("path", ["../x", "/etc/passwd", "openclaw.json", "credentials/x", ".env", ""])
def test_a_mapping_never_leaves_the_folder_or_takes_what_stays_behind(path: str, tmp_path: Path) -> None:
    workspace = tree(tmp_path / "in", {"SOUL.md": b"s", "MEMORY.md": b"m"})
    if not path:
        assert to_surfaces(workspace, MaterializeOptions(memory_file=path)).files
        return
    with pytest.raises(UsageError):
        to_surfaces(workspace, MaterializeOptions(memory_file=path))


# --- what is never written -----------------------------------------------------------------------

NEVER = {
    "openclaw.json": 0,
    "openclaw.json.bak": 0,
    "../openclaw.json": 0,
    ".openclaw/workspace-state.json": 1,
    "credentials/telegram.json": 2,
    "skills/a/credentials/x": 2,
    "skills/a/.credentials.json": 3,
    "skills/a/auth-profiles.json": 4,
    "agents/main/sessions/abc.jsonl": 5,
    "logs/today": 6,
    "memory/run.log": 7,
    "skills/a/__pycache__/x.pyc": 8,
    "skills/a/x.pyc": 9,
    "skills/a/node_modules/y.js": 10,
    "skills/a/.git/config": 11,
    "memory/.DS_Store": 12,
    "memory/openclaw.json": 0,
    "memory/old/openclaw.json.bak": 0,
    "memory/sessions/abc.jsonl": 13,
    "memory/old/sessions/abc.jsonl.reset.1": 13,
    "memory/sessions.json": 13,
}


def test_every_row_of_the_table_has_an_example() -> None:
    assert set(NEVER.values()) == set(range(len(NEVER_WRITTEN)))


@pytest.mark.parametrize("path", [*NEVER, ".env", "skills/a/.env.local", "prod.env"])
def test_it_is_never_written(path: str) -> None:
    assert never_written(path)
    assert never_written(path.upper())


@pytest.mark.parametrize(
    "path",
    [
        "AGENTS.md",
        "skills/a/SKILL.md",
        "memory/credentials.md",
        "skills/log/x.md",
        ".env.example",
        "memory/sessions/monday.md",
    ],
)
def test_it_is_written(path: str) -> None:
    assert not never_written(path)


def test_never_written_files_stay_behind_in_both_directions_and_are_named(tmp_path: Path) -> None:
    inside = {path: b"SECRET" for path in NEVER if path.startswith(("skills/", "memory/"))}
    source = tree(tmp_path / "in", {**FULL, **inside, "openclaw.json": b"SECRET", "credentials/x": b"SECRET"})
    made = to_workspace(source, MaterializeOptions())
    assert not any(file.data == b"SECRET" for file in made.files)
    named = " ".join(warning.message for warning in made.warnings)
    assert all(any(part in named for part in (path, path.rpartition("/")[0] + "/")) for path in inside)
    assert {warning.path for warning in made.warnings} >= {"openclaw.json", "credentials/"}
    tree(source, {"SOUL.md": b"s"})
    back = to_surfaces(source, MaterializeOptions())
    assert not any(file.data == b"SECRET" for file in back.files)
    assert {warning.path for warning in back.warnings if warning.code == "never-written"} >= {
        "openclaw.json",
        "credentials/",
    }


def test_what_has_no_surface_is_named_in_both_directions(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    beside = {"notes.md": b"n", "AGENTS": b"a", "agents/main/sessions/s.jsonl": b"{}"}
    source = tree(tmp_path / "in", {**FULL, **beside, "surfaces/voice.md": b"v", "surfaces/mem.md": b"m"})
    assert run(source, tmp_path / "w", "--memory-file", "surfaces/mem.md") == 0
    said = capsys.readouterr()
    assert "Adapter: openclaw, adapterVersion 1.0.0" in said.out
    named = [line.split()[1] for line in said.err.splitlines() if "stays behind" in line]
    assert named == ["AGENTS", "agents/", "notes.md", "surfaces/voice.md"]
    assert run(tree(tmp_path / "w", beside), tmp_path / "back", "--reverse") == 0
    named = [line.split()[1] for line in capsys.readouterr().err.splitlines() if "stays behind" in line]
    assert named == ["AGENTS", "MEMORY.md", "agents/", "notes.md"]


# --- links, special files, and the target --------------------------------------------------------


@pytest.mark.parametrize(
    "link",
    ["surfaces/persona.md", "skills/a/x.md", "skills", "memory", "surfaces", "skills/a", "persona.json"],
)
def test_a_link_is_refused_wherever_it_stands(link: str, tmp_path: Path) -> None:
    outside = tree(tmp_path / "outside", {"x.md": b"SECRET", "persona.md": b"SECRET"})
    source = tree(tmp_path / "in", {"surfaces/user.md": b"u", "keep": b""})
    place = source / link
    if place.exists():
        place.joinpath("user.md").unlink()
        place.rmdir()
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to(outside if "." not in link else outside / "x.md")
    with pytest.raises(UnusableInput):
        to_workspace(source, MaterializeOptions())
    assert run(source, tmp_path / "out") == 2
    assert not (tmp_path / "out").exists()


def test_a_pipe_is_refused(tmp_path: Path) -> None:
    source = tree(tmp_path / "in", {"skills/a/SKILL.md": b"x"})
    os.mkfifo(source / "skills/a/pipe")
    with pytest.raises(UnusableInput, match="not a regular file"):
        to_workspace(source, MaterializeOptions())


@pytest.mark.parametrize(
    "to", [".", "..", "../..", "loop", "../a"], ids=["self", "up", "top", "itself", "sibling"]
)
@pytest.mark.parametrize("reverse", [False, True], ids=["workspace", "surfaces"])
def test_a_link_in_a_circle_is_refused_and_not_walked(to: str, reverse: bool, tmp_path: Path) -> None:
    source = tree(tmp_path / "in", {**FULL, "SOUL.md": b"s", "skills/a/SKILL.md": b"x"})
    (source / "skills/a/loop").symlink_to(to, target_is_directory=True)
    options = MaterializeOptions()
    with pytest.raises(UnusableInput, match="skills/a/loop is a symbolic link"):
        to_surfaces(source, options) if reverse else to_workspace(source, options)


@pytest.mark.parametrize("closed", ["", "skills", "skills/a", "skills/a/SKILL.md", "surfaces/persona.md"])
def test_what_must_not_be_read_is_an_error_and_nothing_is_written(
    closed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tree(tmp_path / "in", {**FULL, "skills/a/SKILL.md": b"x"})
    place = source / closed if closed else source

    def refusing(call: Callable[..., object]) -> Callable[..., object]:
        def opened(path: object, *arguments: object, **named: object) -> object:
            if not isinstance(path, int) and Path(str(path)) == place:
                raise PermissionError(13, "Permission denied")
            return call(path, *arguments, **named)

        return opened

    monkeypatch.setattr(os, "scandir", refusing(os.scandir))
    monkeypatch.setattr(os, "open", refusing(os.open))
    assert run(source, tmp_path / "out", "--no-memory") == 2
    assert not (tmp_path / "out").exists()


def test_a_target_that_is_not_empty_is_refused_and_forced_with_a_backup(tmp_path: Path) -> None:
    source = tree(tmp_path / "in", {"surfaces/persona.md": b"new", "surfaces/user.md": b"same"})
    out = tree(tmp_path / "out", {"SOUL.md": b"old", "USER.md": b"same", "mine.txt": b"mine"})
    assert run(source, out) == 2
    assert found(out)["SOUL.md"] == b"old"
    assert run(source, out, "--force") == 0
    assert found(out) == {
        "SOUL.md": b"new",
        "USER.md": b"same",
        "mine.txt": b"mine",
        ".melleafy-backup/.gitignore": b"*\n",
        ".melleafy-backup/SOUL.md": b"old",
    }


def test_a_second_run_changes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tree(tmp_path / "in", FULL)
    assert run(source, tmp_path / "out") == 0
    times = {path: path.stat().st_mtime_ns for path in (tmp_path / "out").iterdir()}
    capsys.readouterr()
    assert run(source, tmp_path / "out", "--force", "--json") == 0
    assert json.loads(capsys.readouterr().out)["written"] == []
    assert times == {path: path.stat().st_mtime_ns for path in (tmp_path / "out").iterdir()}


@pytest.mark.parametrize("where", ["in", "in/below", "."])
def test_source_and_target_never_lie_in_one_another(where: str, tmp_path: Path) -> None:
    source = tree(tmp_path / "in", FULL)
    assert run(source, tmp_path / where, "--force") == 2
    assert found(source) == FULL


@pytest.mark.parametrize("where", ["target", "folder"])
def test_a_link_in_the_target_is_not_followed(where: str, tmp_path: Path) -> None:
    source = tree(tmp_path / "in", {"skills/a/SKILL.md": b"x"})
    outside = tree(tmp_path / "outside", {"keep": b"k"})
    out = tmp_path / "out"
    if where == "target":
        out.symlink_to(outside)
    else:
        out.mkdir()
        (out / "skills").symlink_to(outside)
    assert run(source, out, "--force") == 2
    assert found(outside) == {"keep": b"k"}


def test_a_dry_run_writes_nothing(tmp_path: Path) -> None:
    assert run(tree(tmp_path / "in", FULL), tmp_path / "out", "--dry-run") == 0
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("path", ["../x", "/x", "a/../b", "a\\b", ".melleafy-work/x", ""])
def test_no_path_leaves_the_target(path: str, tmp_path: Path) -> None:
    with pytest.raises(OutputRefused):
        write_folder([ExactFile(path, b"x")], tmp_path / "in", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def _stop() -> None:
    raise KeyboardInterrupt


def _full() -> None:
    raise OSError(28, "No space left on device")


EVERY_POINT = pytest.mark.parametrize(
    "stride", [pytest.param(5, id="sample"), pytest.param(1, id="every-point", marks=pytest.mark.slow)]
)
"""Quick runs take every fifth fault point; `make test-slow` takes each of them."""


@EVERY_POINT
@pytest.mark.parametrize("standing", [True, False], ids=["standing", "new"])
@pytest.mark.parametrize("fault", [_stop, _full], ids=["ctrl-c", "full disk"])
def test_a_stopped_write_leaves_old_or_new_and_the_next_one_the_new(
    standing: bool, fault: Callable[[], None], stride: int, tmp_path: Path
) -> None:
    files = [ExactFile("SOUL.md", b"new"), ExactFile("skills/a/run.sh", b"new", executable=True)]
    old = {"SOUL.md": b"old", "mine": b"m"} if standing else {}
    point, points, stopped = 0, 0, True
    while stopped:
        out = tmp_path / str(point) / "out"
        out.parent.mkdir()
        if standing:
            tree(out, old)
        operations = FaultyOperations(point, fault)
        try:
            write_folder(files, tmp_path / "in", out, force=True, operations=operations)
            stopped = False
        except (KeyboardInterrupt, OSError, OutputRefused):
            left = found(out) if out.is_dir() else {}
            assert left.get("mine") == old.get("mine")
            assert left.get("SOUL.md") in (old.get("SOUL.md"), b"new")
        write_folder(files, tmp_path / "in", out, force=True)
        now = found(out)
        assert now.pop(".melleafy-backup/SOUL.md", None) == old.get("SOUL.md")
        assert (".melleafy-backup/.gitignore" in now) is standing
        now.pop(".melleafy-backup/.gitignore", None)
        expected = {"SOUL.md": b"new", "skills/a/run.sh": b"new"} | {
            k: v for k, v in old.items() if k == "mine"
        }
        assert now == expected
        assert (out / "skills/a/run.sh").stat().st_mode & stat.S_IXUSR
        assert sorted(path.name for path in out.parent.iterdir()) == ["out"]
        point, points = point + stride, points + 1
    assert points > 10 // stride


@EVERY_POINT
def test_a_killed_write_is_followed_up_to_the_new_state(stride: int, tmp_path: Path) -> None:
    files = [ExactFile("SOUL.md", b"new"), ExactFile("USER.md", b"new")]

    def writing(out: Path) -> Callable[[FileOperations], object]:
        return lambda operations: write_folder(files, tmp_path / "in", out, force=True, operations=operations)

    point, killed = 0, True
    while killed:
        out = tree(tmp_path / str(point) / "out", {"SOUL.md": b"old", "mine": b"m"})
        killed = killed_at(point, writing(out))
        writing(out)(FileOperations())
        now = found(out)
        backup = now.pop(".melleafy-backup/SOUL.md")
        assert now.pop(".melleafy-backup/.gitignore") == b"*\n"
        assert (now, backup) == ({"SOUL.md": b"new", "USER.md": b"new", "mine": b"m"}, b"old")
        point += stride
    assert point > 20
