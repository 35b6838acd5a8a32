"""A record in the output folder may come from anyone: no file is lost because of what it says."""

import json
import os
import stat
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path

import pytest

from melleafy_tui.core.models.file_set import FileSet
from melleafy_tui.core.output.paths import can_be_emitted
from melleafy_tui.core.output.write_plan import plan_write
from melleafy_tui.core.output.writer import write
from tests.conftest import PROJECT
from tests.converted import conversion_of

Emission = Callable[..., FileSet]
Tree = Callable[[Path], dict[str, bytes]]

STUB = "def look_up() -> str:\n    raise NotImplementedError\n"
FILLED = "def look_up() -> str:\n    return 'mine'\n"
TEXTS = {"pyproject.toml": "[project]\n", "agent/__init__.py": "", "agent/constrained_slots.py": STUB}
BACKUP = ".melleafy-backup"


def forge(out: Path, texts: Mapping[str, str], *, base: Mapping[str, str] | None = None) -> None:
    """Write the texts below `out`, and list them in its record as emitted."""
    record, bases = (out / "agent/intermediate" / name for name in ("emitted.json", "emitted_texts.json"))
    document, recorded = json.loads(record.read_text()), json.loads(bases.read_text())
    for path, text in texts.items():
        (out / path).parent.mkdir(parents=True, exist_ok=True)
        (out / path).write_text(text)
        recorded[path] = (base or {}).get(path, text)
        document["files"][path] = sha256(recorded[path].encode()).hexdigest()
    record.write_text(json.dumps(document))
    bases.write_text(json.dumps(recorded))


@pytest.mark.parametrize(
    "path",
    [
        "src/app.py",
        "notes.txt",
        ".git/config",
        "agent/.git/config",
        "agent/.GIT/hooks/pre-commit",
        "agent/sub/.git./config",
        "melleafy-decisions.json",
        "agent/melleafy-decisions.json",
        ".melleafy-backup/mine.py",
    ],
)
def test_a_listed_file_that_no_emission_can_have_is_left_alone(
    path: str, out: Path, emission: Emission
) -> None:
    write(plan_write(emission(TEXTS), out))
    forge(out, {path: "mine\n"})
    plan = plan_write(emission(TEXTS, stamp="2"), out, force=True)
    assert path not in [file.path for file in plan.files]
    write(plan)
    assert (out / path).read_text() == "mine\n"


@pytest.mark.parametrize(
    ("texts", "base"),
    [
        pytest.param({"agent/constrained_slots.py": FILLED}, {}, id="replaced"),
        pytest.param({"agent/mine.py": FILLED}, {}, id="removed"),
        pytest.param({"agent/fixtures/mine.py": FILLED, ".env.example": "A=\n"}, {}, id="removed-beside"),
        pytest.param(
            {"agent/constrained_slots.py": f"# mine\n# mine\n{STUB}\n"},
            {"agent/constrained_slots.py": f"# mine\n# mine\n{STUB}\n# tail\n"},
            id="merged",
        ),
        pytest.param({"agent/intermediate/emitted.json": "{}"}, {}, id="record"),
    ],
)
def test_bytes_that_no_run_of_this_user_emitted_are_copied_and_named(
    texts: dict[str, str], base: dict[str, str], out: Path, emission: Emission
) -> None:
    write(plan_write(emission(TEXTS), out))
    forge(out, texts, base=base)
    standing = {path: (out / path).read_bytes() for path in texts}
    plan = plan_write(emission({**TEXTS, "agent/constrained_slots.py": STUB + "\n"}), out)
    noted = {file.path: file.note for file in plan.files}
    result = write(plan)
    for path, data in standing.items():
        assert (out / path).is_file() is (path in plan.emission.by_path), path
        assert f"{BACKUP}/{path}" in result.backups
        assert (out / BACKUP / path).read_bytes() == data
        assert "copy" in noted[path]


def test_what_this_user_s_runs_emitted_is_replaced_and_removed_without_a_copy(
    out: Path, emission: Emission
) -> None:
    write(plan_write(emission({**TEXTS, "agent/gone.py": "", ".env.example": "A=\n"}), out))
    result = write(plan_write(emission({**TEXTS, "agent/__init__.py": "X = 1\n"}, stamp="2"), out))
    assert result.backups == ()
    assert not (out / BACKUP).exists()
    assert not (out / "agent/gone.py").exists()
    assert not (out / ".env.example").exists()


def test_a_package_of_somebody_else_is_updated_with_a_copy_of_what_changes(
    out: Path, emission: Emission, own_world: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(plan_write(emission({**TEXTS, "agent/gone.py": "G = 1\n"}), out))
    monkeypatch.setenv("XDG_STATE_HOME", str(own_world / "other"))
    write(plan_write(emission({**TEXTS, "agent/__init__.py": "X = 1\n"}), out))
    assert (out / "agent/__init__.py").read_text() == "X = 1\n"
    assert (out / BACKUP / "agent/__init__.py").read_text() == ""
    assert (out / BACKUP / "agent/gone.py").read_text() == "G = 1\n"
    again = write(plan_write(emission(TEXTS), out))
    assert again.backups == (), "they are this user's from then on"


def test_the_record_of_one_output_says_nothing_of_another(tmp_path: Path, emission: Emission) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    for out in (first, second):
        write(plan_write(emission(TEXTS), out))
    write(plan_write(emission({**TEXTS, "agent/a.py": "A = 1\n"}), first))
    forge(second, {"agent/a.py": "A = 1\n"})
    assert write(plan_write(emission(TEXTS, stamp="2"), second)).backups


def test_a_backup_is_ignored_by_git(out: Path, emission: Emission) -> None:
    write(plan_write(emission(TEXTS), out))
    (out / "agent/__init__.py").write_text("mine\n")
    write(plan_write(emission({**TEXTS, "agent/__init__.py": "X = 1\n"}), out, force=True))
    assert (out / BACKUP / ".gitignore").read_text() == "*\n"


def test_only_the_user_can_read_what_is_kept_in_the_state_folder(out: Path, emission: Emission) -> None:
    before = os.umask(0o022)
    try:
        write(plan_write(emission(TEXTS), out))
    finally:
        os.umask(before)
    state = Path(os.environ["XDG_STATE_HOME"], "melleafy-tui")
    places = [state, *state.rglob("*")]
    assert any(place.is_file() for place in places)
    modes = {place: stat.S_IMODE(place.stat().st_mode) for place in places}
    assert {mode for place, mode in modes.items() if place.is_file()} == {0o600}
    assert {mode for place, mode in modes.items() if place.is_dir()} == {0o700}


def _link(place: Path) -> None:
    place.rename(place.with_name("real"))
    place.symlink_to("real")


def _pipe(place: Path) -> None:
    place.unlink()
    os.mkfifo(place, 0o600)


def _folder(place: Path) -> None:
    place.unlink()
    place.mkdir()


OF_OTHERS: dict[str, Callable[[Path], object]] = {
    "everyone writes the file": lambda place: place.chmod(0o666),
    "everyone writes its folder": lambda place: place.parent.chmod(0o777),
    "everyone writes the state folder": lambda place: place.parent.parent.chmod(0o777),
    "a link": _link,
    "a pipe": _pipe,
    "a folder": _folder,
    "no end": lambda place: os.truncate(place, 1 << 40),
    "nesting": lambda place: place.write_bytes(b"[" * 100_000),
}


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="POSIX has owners")
@pytest.mark.parametrize("how", [*OF_OTHERS, "another owner"])
def test_a_state_that_somebody_else_can_have_written_gives_no_right(
    how: str, out: Path, emission: Emission, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(plan_write(emission(TEXTS), out))
    [place] = Path(os.environ["XDG_STATE_HOME"], "melleafy-tui/emitted").iterdir()
    if how in OF_OTHERS:
        OF_OTHERS[how](place)
    else:
        owner = os.geteuid() + 1
        monkeypatch.setattr("os.geteuid", lambda: owner)
    result = write(plan_write(emission({**TEXTS, "agent/__init__.py": "X = 1\n"}), out))
    assert f"{BACKUP}/agent/__init__.py" in result.backups


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="POSIX has owners")
def test_a_folder_of_somebody_else_in_the_state_folder_s_place_is_left_as_it_is(
    tmp_path: Path, out: Path, emission: Emission, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs = tmp_path / "theirs"
    theirs.mkdir(mode=0o755)
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared/melleafy-tui").symlink_to(theirs)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "shared"))
    owner = os.geteuid() + 1
    monkeypatch.setattr("os.geteuid", lambda: owner)
    write(plan_write(emission(TEXTS), out))
    assert stat.S_IMODE(theirs.stat().st_mode) == 0o755
    assert not [place for place in theirs.rglob("*") if place.is_file()]


@pytest.mark.parametrize("name", ["ticket-triage", "memory-heavy", "invoice-intake"])
def test_each_emitted_path_is_one_that_a_record_may_list(name: str) -> None:
    rendered = conversion_of(PROJECT / "examples" / name).rendered
    assert len(rendered.files) > 20
    for file in rendered.files:
        assert can_be_emitted(file.path, (f"{rendered.package_name}/",)), file.path
