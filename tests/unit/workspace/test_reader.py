"""The reader: what of a workspace is opened, what is not, and what is said about it (spec/conversion.md 1)."""

import errno
import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from melleafy_tui.core.errors import UnusableInput
from melleafy_tui.core.models.inventory import snapshot_id
from melleafy_tui.core.models.snapshot import Snapshot, SourceFile
from melleafy_tui.core.source.limits import Limits
from melleafy_tui.core.source.outer_files import OuterFiles
from melleafy_tui.core.source.snapshot_reader import decode, read_snapshot

Tree = dict[str, str | bytes]


def everything(path: str) -> bool:
    return True


@pytest.fixture
def workspace(tmp_path: Path) -> Callable[[Tree], Path]:
    def build(tree: Tree) -> Path:
        root = tmp_path / "agent"
        root.mkdir(exist_ok=True)
        for path, content in tree.items():
            target = root / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content if isinstance(content, bytes) else content.encode())
        return root

    return build


Build = Callable[[Tree], Path]


def codes(snapshot: Snapshot) -> list[tuple[str, str]]:
    return [(finding.code, finding.file) for finding in snapshot.diagnostics]


def paths(snapshot: Snapshot) -> list[str]:
    return [file.path for file in snapshot.files]


# --- roots that cannot be used -----------------------------------------------------------------------


def test_missing_folder(tmp_path: Path) -> None:
    with pytest.raises(UnusableInput) as caught:
        read_snapshot(tmp_path / "nowhere", wants=everything)
    assert caught.value.location == str(tmp_path / "nowhere")
    assert caught.value.hint


def test_empty_folder(tmp_path: Path) -> None:
    with pytest.raises(UnusableInput, match="empty"):
        read_snapshot(tmp_path, wants=everything)


def test_folder_without_a_wanted_file(workspace: Build) -> None:
    root = workspace({"photo.png": b"x"})
    with pytest.raises(UnusableInput, match="no file that can be converted"):
        read_snapshot(root, wants=lambda path: path.endswith(".md"))


def test_root_that_is_a_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UnusableInput, match="neither a folder nor a file"):
        read_snapshot(tmp_path / "pipe", wants=everything)


def test_root_that_links_to_itself(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with pytest.raises(UnusableInput):
        read_snapshot(tmp_path / "loop", wants=everything)


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_unreadable_root(workspace: Build) -> None:
    root = workspace({"SOUL.md": "x"})
    root.chmod(0o000)
    try:
        with pytest.raises(UnusableInput, match="cannot be listed"):
            read_snapshot(root, wants=everything)
    finally:
        root.chmod(0o755)


def test_listing_that_fails(workspace: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    root = workspace({"SOUL.md": "x"})

    def refuse(path: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("melleafy_tui.core.source.walk.os.scandir", refuse)
    with pytest.raises(UnusableInput, match="cannot be listed: permission denied"):
        read_snapshot(root, wants=everything)


# --- what is read ------------------------------------------------------------------------------------


def test_only_wanted_names_are_opened(workspace: Build) -> None:
    root = workspace({"SOUL.md": "s", "notes/x.md": "n", "secret.md": "no"})
    snapshot = read_snapshot(root, wants=lambda path: path in ("SOUL.md", "notes/x.md"))
    assert paths(snapshot) == ["SOUL.md", "notes/x.md"]
    assert snapshot.names == ("SOUL.md", "notes/", "notes/x.md", "secret.md")
    assert snapshot.name == "agent"


def test_a_file_means_its_folder_and_is_the_primary_spec(workspace: Build) -> None:
    root = workspace({"spec.md": "x", "SOUL.md": "s"})
    snapshot = read_snapshot(root / "spec.md", wants=lambda path: path == "SOUL.md")
    assert snapshot.primary == "spec.md"
    assert paths(snapshot) == ["SOUL.md", "spec.md"]
    assert snapshot.root == str(root.resolve())


def test_the_snapshot_id_follows_the_bytes_only(workspace: Build) -> None:
    root = workspace({"SOUL.md": "a", "AGENTS.md": "b"})
    first = digest_of(root)
    os.utime(root / "SOUL.md", (1, 1))
    assert digest_of(root) == first
    (root / "SOUL.md").write_bytes(b"c")
    assert digest_of(root) != first


def digest_of(root: Path) -> str:
    snapshot = read_snapshot(root, wants=everything)
    return snapshot_id({file.path: file.sha256 for file in snapshot.files})


@pytest.mark.parametrize("folder", [".git", "node_modules", ".venv", "venv", "__pycache__"])
def test_skipped_trees(workspace: Build, folder: str) -> None:
    root = workspace({"SOUL.md": "s", f"{folder}/SOUL.md": "x", f"deep/{folder}/SOUL.md": "x"})
    snapshot = read_snapshot(root, wants=everything)
    assert paths(snapshot) == ["SOUL.md"]
    assert snapshot.has(f"{folder}/")


def test_an_earlier_output_is_skipped(workspace: Build) -> None:
    root = workspace({"SOUL.md": "s", "agent_mellea/melleafy.json": "{}", "agent_mellea/SOUL.md": "copy"})
    snapshot = read_snapshot(root, wants=everything)
    assert paths(snapshot) == ["SOUL.md"]
    assert ("earlier-output", "agent_mellea/") in codes(snapshot)


def test_a_root_with_a_manifest_is_still_a_workspace(workspace: Build) -> None:
    root = workspace({"SOUL.md": "s", "melleafy.json": "{}"})
    assert "SOUL.md" in paths(read_snapshot(root, wants=everything))


@pytest.mark.parametrize("name", ["credentials/token.md", "a/credentials/token.md", "Credentials/token.md"])
def test_credentials_are_never_opened(workspace: Build, name: str) -> None:
    root = workspace({"SOUL.md": "s", name: "the token"})
    assert paths(read_snapshot(root, wants=everything)) == ["SOUL.md"]


def test_claude_credentials_are_never_opened(workspace: Build) -> None:
    root = workspace({"SOUL.md": "s", ".claude/.credentials.json": "{}"})
    snapshot = read_snapshot(root, wants=everything)
    assert paths(snapshot) == ["SOUL.md"]
    assert snapshot.has(".claude/.credentials.json")


def test_values_of_environment_files_do_not_stay(workspace: Build) -> None:
    root = workspace({"SOUL.md": "s", ".env": "A=hidden-value\n# note\nexport B='x y'\n"})
    snapshot = read_snapshot(root, wants=everything)
    file = snapshot.file(".env")
    assert file is not None
    assert file.lines == ("A=", "# note", "B=")
    assert b"hidden" not in file.data
    assert "hidden" not in repr(snapshot)


# --- links and special files -------------------------------------------------------------------------


def test_link_inside_is_followed(workspace: Build) -> None:
    root = workspace({"real/SOUL.md": "s"})
    (root / "SOUL.md").symlink_to("real/SOUL.md")
    (root / "also").symlink_to("real", target_is_directory=True)
    snapshot = read_snapshot(root, wants=everything)
    assert paths(snapshot) == ["SOUL.md", "also/SOUL.md", "real/SOUL.md"]


@pytest.mark.parametrize("target", ["../outside.md", "/etc/passwd", "../outside"])
def test_link_outside_is_not_followed(workspace: Build, tmp_path: Path, target: str) -> None:
    root = workspace({"SOUL.md": "s"})
    (tmp_path / "outside.md").write_text("private")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "x.md").write_text("private")
    (root / "AGENTS.md").symlink_to(target)
    snapshot = read_snapshot(root, wants=everything)
    assert paths(snapshot) == ["SOUL.md"]
    assert ("link-outside", "AGENTS.md") in codes(snapshot)


def test_link_through_another_link_that_leaves(workspace: Build, tmp_path: Path) -> None:
    root = workspace({"SOUL.md": "s"})
    (tmp_path / "outside").mkdir()
    (root / "way").symlink_to(tmp_path / "outside")
    (tmp_path / "outside" / "x.md").write_text("private")
    (root / "AGENTS.md").symlink_to("way/x.md")
    assert paths(read_snapshot(root, wants=everything)) == ["SOUL.md"]


def test_broken_link(workspace: Build) -> None:
    root = workspace({"SOUL.md": "s"})
    (root / "AGENTS.md").symlink_to("gone.md")
    assert ("link-broken", "AGENTS.md") in codes(read_snapshot(root, wants=everything))


@pytest.mark.parametrize("target", [".", "..", "loop"])
def test_loops_end(workspace: Build, target: str) -> None:
    root = workspace({"SOUL.md": "s", "below/x.md": "x"})
    (root / "below" / "loop").symlink_to(target)
    snapshot = read_snapshot(root, wants=everything)
    assert ("link-loop", "below/loop") in codes(snapshot)
    assert paths(snapshot) == ["SOUL.md", "below/x.md"]


def test_links_between_siblings_end(workspace: Build) -> None:
    root = workspace({"a/x.md": "x", "b/y.md": "y"})
    (root / "a" / "to_b").symlink_to("../b")
    (root / "b" / "to_a").symlink_to("../a")
    snapshot = read_snapshot(root, wants=everything)
    assert {"a/x.md", "b/y.md"} <= set(paths(snapshot))
    assert {code for code, _ in codes(snapshot)} == {"link-loop"}


def test_link_into_credentials_is_not_opened(workspace: Build) -> None:
    root = workspace({"SOUL.md": "s", "credentials/x.md": "token"})
    (root / "AGENTS.md").symlink_to("credentials/x.md")
    snapshot = read_snapshot(root, wants=everything)
    assert paths(snapshot) == ["SOUL.md"]
    assert ("link-private", "AGENTS.md") in codes(snapshot)


def test_pipe_is_not_opened(workspace: Build) -> None:
    root = workspace({"SOUL.md": "s"})
    os.mkfifo(root / "AGENTS.md")
    snapshot = read_snapshot(root, wants=everything)
    assert paths(snapshot) == ["SOUL.md"]
    assert [finding.message for finding in snapshot.diagnostics] == ["It is a pipe, so it was not opened."]


def test_socket_is_not_opened(workspace: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    root = workspace({"SOUL.md": "s"})
    monkeypatch.chdir(root)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("AGENTS.md")
        snapshot = read_snapshot(root, wants=everything)
    assert ("not-a-regular-file", "AGENTS.md") in codes(snapshot)


def test_file_exchanged_for_a_pipe_after_the_walk(workspace: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    root = workspace({"SOUL.md": "s", "AGENTS.md": "a"})
    opened = os.open

    def exchange(path: Path | str, flags: int) -> int:
        if Path(path).name == "AGENTS.md":
            Path(path).unlink()
            os.mkfifo(path)
        return opened(path, flags)

    monkeypatch.setattr("melleafy_tui.core.source.snapshot_reader.os.open", exchange)
    snapshot = read_snapshot(root, wants=everything)
    assert paths(snapshot) == ["SOUL.md"]
    assert ("not-a-regular-file", "AGENTS.md") in codes(snapshot)


def test_file_that_vanishes_after_the_walk(workspace: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    root = workspace({"SOUL.md": "s", "AGENTS.md": "a"})
    opened = os.open

    def vanish(path: Path | str, flags: int) -> int:
        if Path(path).name == "AGENTS.md":
            Path(path).unlink()
        return opened(path, flags)

    monkeypatch.setattr("melleafy_tui.core.source.snapshot_reader.os.open", vanish)
    snapshot = read_snapshot(root, wants=everything)
    assert paths(snapshot) == ["SOUL.md"]
    assert ("unreadable-file", "AGENTS.md") in codes(snapshot)


def test_folder_that_cannot_be_listed(workspace: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    root = workspace({"SOUL.md": "s", "private/x.md": "x"})
    listed = os.scandir

    def refuse(path: Path) -> object:
        if Path(path).name == "private":
            raise PermissionError(13, "Permission denied")
        return listed(path)

    with monkeypatch.context() as patched:  # pytest clears its folders away with the same function
        patched.setattr("melleafy_tui.core.source.walk.os.scandir", refuse)
        snapshot = read_snapshot(root, wants=everything)
    assert ("unreadable-folder", "private/") in codes(snapshot)
    assert paths(snapshot) == ["SOUL.md"]


@pytest.mark.skipif(sys.platform == "darwin", reason="names are always UTF-8 there")
def test_name_that_is_no_text(workspace: Build) -> None:
    root = workspace({"SOUL.md": "s"})
    try:
        Path(os.fsdecode(os.fsencode(root) + b"/caf\xe9.md")).write_text("x")
    except OSError:
        pytest.skip("this file system takes UTF-8 names only")
    snapshot = read_snapshot(root, wants=everything)
    assert paths(snapshot) == ["SOUL.md"]
    (finding,) = snapshot.diagnostics
    assert finding.code == "name-not-text"
    finding.file.encode("utf-8")


def test_a_name_that_holds_a_token_is_not_read(workspace: Build) -> None:
    token = "ghp_" + "a8Kd0Qz7Lm2Xw9Rt4Vb6Nc1Yf3Hs5Jp0Gt2E"
    root = workspace({"SOUL.md": "s", f"memory/{token}.md": "x", f"{token}/a.md": "x", "memory/kite.md": "x"})
    snapshot = read_snapshot(root, wants=everything)
    assert paths(snapshot) == ["SOUL.md", "memory/kite.md"]
    assert not [name for name in snapshot.names if token in name]
    assert [(finding.code, finding.file) for finding in snapshot.diagnostics] == [
        ("name-is-secret", "${GITHUB_TOKEN}"),
        ("name-is-secret", "memory/${GITHUB_TOKEN}.md"),
    ]


# --- limits ------------------------------------------------------------------------------------------


def test_limit_of_one_file(workspace: Build) -> None:
    root = workspace({"SOUL.md": "s" * 10, "AGENTS.md": "a" * 11})
    snapshot = read_snapshot(root, wants=everything, limits=Limits(file_bytes=10))
    assert paths(snapshot) == ["SOUL.md"]
    (finding,) = snapshot.diagnostics
    assert (finding.code, finding.file) == ("file-too-large", "AGENTS.md")
    assert "11" in finding.message
    assert "10" in finding.message


def test_limit_of_all_files_spares_those_near_the_root(workspace: Build) -> None:
    root = workspace({"SOUL.md": "s" * 10, "a/big.md": "b" * 10, "a/small.md": "c" * 2})
    snapshot = read_snapshot(root, wants=everything, limits=Limits(total_bytes=15))
    assert paths(snapshot) == ["SOUL.md", "a/small.md"]
    assert ("workspace-too-large", "a/big.md") in codes(snapshot)


def test_limit_of_names_spares_those_near_the_root(workspace: Build) -> None:
    tree: Tree = {f"a/{number}.md": "x" for number in range(20)}
    root = workspace({**tree, "zz.md": "z"})
    snapshot = read_snapshot(root, wants=everything, limits=Limits(names=10))
    assert len(snapshot.names) == 10
    assert "zz.md" in snapshot.names
    assert ("too-many-names", "a/") in codes(snapshot)


def test_limit_of_depth(workspace: Build) -> None:
    root = workspace({"SOUL.md": "s", "a/b/c/x.md": "x"})
    snapshot = read_snapshot(root, wants=everything, limits=Limits(depth=2))
    assert ("too-deep", "a/b/c/") in codes(snapshot)
    assert paths(snapshot) == ["SOUL.md"]


def test_file_that_grows_while_it_is_read(workspace: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    root = workspace({"SOUL.md": "s", "AGENTS.md": "a"})
    real_fstat = os.fstat

    def small(descriptor: int) -> os.stat_result:
        state = real_fstat(descriptor)
        with (root / "AGENTS.md").open("ab") as stream:
            stream.write(b"a" * 50)
        return state

    with monkeypatch.context() as patched:
        patched.setattr("melleafy_tui.core.source.snapshot_reader.os.fstat", small)
        snapshot = read_snapshot(
            root, wants=lambda path: path in ("SOUL.md", "AGENTS.md"), limits=Limits(file_bytes=20)
        )
    assert ("file-too-large", "AGENTS.md") in codes(snapshot)


# --- upper and lower case ----------------------------------------------------------------------------


def core_names(path: str) -> bool:
    return path in ("SOUL.md", "MEMORY.md", "HEARTBEAT.md", "notes.md")


def test_memory_in_lower_case_is_read(workspace: Build) -> None:
    snapshot = read_snapshot(workspace({"memory.md": "m"}), wants=core_names)
    assert paths(snapshot) == ["memory.md"]
    assert codes(snapshot) == [("name-case-read", "memory.md")]


def test_memory_in_both_cases(workspace: Build) -> None:
    root = workspace({"MEMORY.md": "M", "memory.md": "m"})
    if (root / "MEMORY.md").read_text() != "M":
        pytest.skip("this file system does not tell the cases apart")
    snapshot = read_snapshot(root, wants=core_names)
    assert paths(snapshot) == ["MEMORY.md"]
    assert codes(snapshot) == [("name-case-both", "memory.md")]


@pytest.mark.parametrize("name", ["Soul.md", "soul.md", "SOUL.MD", "heartbeat.md", "Memory.md"])
def test_other_cases_are_named_and_not_read(workspace: Build, name: str) -> None:
    snapshot = read_snapshot(workspace({"notes.md": "n", name: "x"}), wants=core_names)
    assert paths(snapshot) == ["notes.md"]
    (finding,) = snapshot.diagnostics
    assert finding.code == "name-case"
    assert "Rename" in finding.hint


def test_case_is_no_matter_for_names_nobody_looks_for(workspace: Build) -> None:
    snapshot = read_snapshot(workspace({"notes.md": "n", "docs/soul.md": "x"}), wants=core_names)
    assert codes(snapshot) == []


# --- the configuration beside or above ---------------------------------------------------------------


def test_configuration_in_the_root(workspace: Build, tmp_path: Path) -> None:
    (tmp_path / "openclaw.json").write_text("{}")
    snapshot = read_snapshot(workspace({"SOUL.md": "s", "openclaw.json": "{}"}), wants=everything)
    assert paths(snapshot) == ["SOUL.md", "openclaw.json"]
    assert codes(snapshot) == [("configuration-beside", "openclaw.json")]


@pytest.mark.parametrize("name", ["openclaw.json", "openclaw.json5", "config/openclaw.json"])
def test_configuration_above(workspace: Build, tmp_path: Path, name: str) -> None:
    (tmp_path / "config").mkdir()
    (tmp_path / name).write_text("{}")
    snapshot = read_snapshot(workspace({"SOUL.md": "s"}), wants=everything)
    assert paths(snapshot) == [f"../{name}", "SOUL.md"]
    assert codes(snapshot) == [("configuration-above", f"../{name}")]


def test_the_configuration_in_the_folder_above_counts_before_the_one_in_its_config_folder(
    workspace: Build, tmp_path: Path
) -> None:
    (tmp_path / "config").mkdir()
    for name in ("openclaw.json", "config/openclaw.json"):
        (tmp_path / name).write_text("{}")
    snapshot = read_snapshot(workspace({"SOUL.md": "s"}), wants=everything)
    assert paths(snapshot) == ["../openclaw.json", "SOUL.md"]


def test_configuration_above_that_is_no_plain_file_is_not_read_and_is_a_finding(
    workspace: Build, tmp_path: Path
) -> None:
    (tmp_path / "real.json").write_text("{}")
    (tmp_path / "openclaw.json").symlink_to("real.json")
    (tmp_path / "cron/jobs.json").mkdir(parents=True)
    snapshot = read_snapshot(workspace({"SOUL.md": "s"}), wants=everything)
    assert paths(snapshot) == ["SOUL.md"]
    assert codes(snapshot) == [
        ("not-a-regular-file", "../cron/jobs.json"),
        ("link-above", "../openclaw.json"),
    ]


def test_a_file_above_that_cannot_be_looked_at_is_a_finding(
    workspace: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = workspace({"SOUL.md": "s"})
    (tmp_path / ".git").mkdir()
    closed = ("cron/jobs.json", "openclaw.json", ".claude/settings.json")
    for name in closed:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("{}")
    (tmp_path / "CLAUDE.md").symlink_to("gone.md")
    (tmp_path / "LOOP.md").symlink_to("LOOP.md")

    def refusing(real: Callable[..., object]) -> Callable[..., object]:
        def look(path: object, *arguments: object, **named: object) -> object:
            if str(path).endswith(closed):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
            return real(path, *arguments, **named)

        return look

    for name in (
        "lstat",
        "stat",
    ):  # as in a folder without the permission to search it; root has it everywhere
        monkeypatch.setattr(os, name, refusing(getattr(os, name)))
    outer = OuterFiles(names=("CLAUDE.md", "LOOP.md", ".claude/settings.json"))
    snapshot = read_snapshot(root, wants=everything, outer_files=outer)
    assert paths(snapshot) == ["SOUL.md"]
    assert codes(snapshot) == [
        ("unreadable-file", "../.claude/settings.json"),
        ("link-broken", "../CLAUDE.md"),
        ("link-loop", "../LOOP.md"),
        ("unreadable-file", "../cron/jobs.json"),
        ("unreadable-file", "../openclaw.json"),
    ]
    unreadable = [finding.message for finding in snapshot.diagnostics if finding.code == "unreadable-file"]
    assert all("permission denied" in message for message in unreadable)


def test_configuration_above_is_left_alone_when_nobody_wants_it(workspace: Build, tmp_path: Path) -> None:
    (tmp_path / "openclaw.json").write_text("{}")
    assert paths(read_snapshot(workspace({"SOUL.md": "s"}), wants=core_names)) == ["SOUL.md"]


# --- what lies outside -------------------------------------------------------------------------------


def test_home_is_looked_at_for_existence_only(workspace: Build, tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / ".openclaw").mkdir(parents=True)
    (home / ".openclaw" / "openclaw.json").write_text("private")
    (home / ".openclaw").chmod(0o000)
    try:
        snapshot = read_snapshot(workspace({"SOUL.md": "s"}), wants=everything, home=home)
    finally:
        (home / ".openclaw").chmod(0o755)
    assert snapshot.ambient == ("~/.openclaw/",)
    assert paths(snapshot) == ["SOUL.md"]


def test_no_home_is_no_ambient(workspace: Build, own_world: Path) -> None:
    (own_world / ".openclaw").mkdir()
    assert read_snapshot(workspace({"SOUL.md": "s"}), wants=everything).ambient == ()


def test_claude_folder_above_up_to_the_repository(workspace: Build, tmp_path: Path) -> None:
    root = workspace({"SOUL.md": "s"})
    (tmp_path / ".claude").mkdir()
    assert read_snapshot(root, wants=everything).ambient == ()
    (tmp_path / ".git").mkdir()
    assert read_snapshot(root, wants=everything).ambient == ("../.claude/",)
    (root / ".git").mkdir()
    assert read_snapshot(root, wants=everything).ambient == ()


def test_claude_folder_of_the_home_is_not_the_repositorys(workspace: Build, tmp_path: Path) -> None:
    root = workspace({"SOUL.md": "s"})
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".git").mkdir()
    assert read_snapshot(root, wants=everything, home=tmp_path).ambient == ()


# --- always ------------------------------------------------------------------------------------------


@given(st.text(alphabet=st.sampled_from("ab\n\r\f\x0b\x1c\x85\u2028 "), max_size=60))
def test_lines_are_those_of_an_editor(text: str) -> None:
    file = SourceFile("x.md", text.encode(), text)
    expected = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if expected[-1] == "":
        expected.pop()
    assert list(file.lines) == expected
    for number, line in enumerate(file.lines, start=1):
        assert file.cut(number, number) == line
    if file.lines:
        assert file.cut(1, len(file.lines)) == text.removesuffix(
            "\r\n" if text.endswith("\r\n") else text[-1:] if text[-1:] in ("\n", "\r") else ""
        )


@given(st.binary(max_size=40) | st.text(max_size=40).map(lambda text: text.encode("utf-8", "replace")))
@example("in UTF-16".encode("utf-16"))
@example(b"\xef\xbb\xbfwith a mark")
@example(b"\0binary")
def test_a_file_gives_its_bytes_back_and_holds_a_plain_text_once(data: bytes) -> None:
    read = decode("x.md", data)
    file = SourceFile("x.md", data, read.text, read.encoding)
    assert file.data == data
    held = [value for name in file.__struct_fields__ if isinstance(value := getattr(file, name), bytes)]
    assert held == ([] if read.encoding == "utf-8" and not read.diagnostics else [data])
    assert file == SourceFile("x.md", data, read.text, read.encoding)


def test_reading_twice_gives_the_same(workspace: Build) -> None:
    root = workspace({"SOUL.md": "s", "b/x.md": "x", "a/y.md": "y", "Agents.md": "case"})
    assert read_snapshot(root, wants=everything) == read_snapshot(root, wants=everything)


def test_long_lines_and_many_files(workspace: Build) -> None:
    tree: Tree = {f"memory-wiki/entities/{number}.md": f"# {number}\n" for number in range(300)}
    root = workspace({**tree, "MEMORY.md": "x" * 40_000 + "\nend"})
    snapshot = read_snapshot(root, wants=everything)
    assert len(snapshot.files) == 301
    memory = snapshot.file("MEMORY.md")
    assert memory is not None
    assert memory.lines[1] == "end"
