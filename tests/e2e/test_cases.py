"""The small inputs of `tests/cases` about command line, report, trust and runs of packages, each as its owner expects."""

import json
import re
import shutil
import subprocess
import sys
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from melleafy_tui.core.models.file_set import FileSet
from melleafy_tui.core.models.reports import FixtureStatus
from melleafy_tui.core.smoke.fake_server import FakeModelServer, ModelCall
from melleafy_tui.core.smoke.runner import SmokeRequest, run_smoke
from melleafy_tui.core.smoke.scripted_model import Behaviour
from tests.conftest import PROJECT
from tests.converted import conversion_of
from tests.e2e.conftest import AS_OF, Run
from tests.generators.emitting import loaded_package, write_files
from tests.safety.hostile_workspaces import put

CASES = PROJECT / "tests" / "cases"
DAY = f"--as-of={AS_OF}"


def case(name: str, tmp_path: Path) -> Path:
    """Return a copy of an input, where a test may write."""
    return shutil.copytree(CASES / name / "input", tmp_path / name, symlinks=True)


def package_of(name: str, *, day: date = date(2026, 11, 27)) -> FileSet:
    return conversion_of(CASES / name / "input", day=day).files


def text_of(files: FileSet, name: str) -> str:
    return files.by_path[f"{files.package_name}/{name}"].text


def written(run: Run, source: Path, out: Path, *words: str, code: int = 0) -> Path:
    """Convert a source with every default and return the package's folder."""
    done = run(source, *(words or ("--dependencies=auto",)), "--out", out, DAY)
    assert done.code == code, done.messages
    return next(out.glob("*/melleafy.json")).parent


def test_a_batch_names_the_skills_that_it_left(run: Run, tmp_path: Path) -> None:
    done = run(
        "convert", "--all", case("batch-names-nested-skills", tmp_path), "--out", tmp_path / "out", DAY
    )
    said = done.out + done.messages
    assert (done.code, ".claude/skills/inner" in said, "skills/outer" in said) == (0, True, True)


def test_a_package_hides_no_command(run: Run, tmp_path: Path) -> None:
    done = run(case("command-name-hides-nothing", tmp_path), "--dependencies=auto", "--out", "out", DAY)
    assert "ollama is the name of another command, so that of the package is ollama-agent" in done.messages
    scripts = (tmp_path / "out" / "pyproject.toml").read_text("utf-8").partition("[project.scripts]")[2]
    assert scripts.split("=")[0].strip().strip('"') == "ollama-agent"


def test_a_forged_record_loses_no_file(run: Run, tmp_path: Path) -> None:
    source, out = case("forged-record-loses-nothing", tmp_path), tmp_path / "out"
    package = written(run, source, out)
    record = package / "intermediate" / "emitted.json"
    mine = package / "src" / "app.py"
    mine.parent.mkdir()
    mine.write_text("print('mine')\n", encoding="utf-8")
    stub = next(package.glob("constrained_slots.py"), package / "config.py")
    stub.write_text(stub.read_text("utf-8") + "\n# written by hand\n", encoding="utf-8")
    recorded = json.loads(record.read_text("utf-8"))
    for path in (mine, stub):
        recorded["files"][f"{package.name}/{path.relative_to(package).as_posix()}"] = "0" * 64
    record.write_text(json.dumps(recorded), encoding="utf-8")
    done = run(source, "--dependencies=auto", "--out", out, DAY)
    assert mine.read_text("utf-8") == "print('mine')\n", done.messages
    kept = [path.read_text("utf-8") for path in package.glob(f"{stub.name}*")]
    assert any("# written by hand" in text for text in kept), done.messages


@pytest.mark.parametrize("name", ["install-hints-work", "missing-server-is-explained"])
def test_no_hint_names_an_index_that_has_no_such_package(name: str, run: Run, tmp_path: Path) -> None:
    package = written(run, case(name, tmp_path), tmp_path / "out")
    said = [path.read_text("utf-8") for path in package.parent.rglob("*.md")] + [run("doctor").out]
    assert [text for text in said if "pip install melleafy" in text or 'pip install "melleafy' in text] == []


def test_a_line_break_of_the_source_forges_no_line(run: Run, tmp_path: Path) -> None:
    source = case("line-break-forges-no-line", tmp_path)
    for words in (("detect",), ("plan",), ("inventory",), ("preview",)):
        done = run(*words, source, DAY)
        for line in (done.out + done.messages).splitlines():
            assert not line.lstrip().startswith("error: melleafy-tui is out of date"), (words, line)
    package = written(run, source, tmp_path / "out")
    for page in package.glob("*.md"):
        assert "\nerror: melleafy-tui" not in page.read_text("utf-8"), page.name


def test_a_package_without_its_server_says_how_to_start_it(run: Run, tmp_path: Path) -> None:
    package = written(run, case("missing-server-is-explained", tmp_path), tmp_path / "out")
    done = subprocess.run(
        [sys.executable, "-m", package.name, "--message", "Hello"],
        cwd=package.parent,
        env={"PATH": "/usr/bin:/bin", "OLLAMA_HOST": "http://127.0.0.1:9", "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert ("ollama serve" in done.stderr, "Traceback" in done.stderr) == (True, False), done.stderr


def test_a_folder_of_an_agent_needs_no_argument(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(case("no-argument-in-the-agents-folder", tmp_path))
    assert run("detect").code == 0


def test_a_misspelt_setting_is_said(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MELLEAFY_MODELID", "x")
    done = run("detect", case("unknown-variable-is-said", tmp_path))
    assert "MELLEAFY_MODELID is not a setting" in done.messages


def test_a_release_is_for_the_value_that_was_seen(run: Run, tmp_path: Path) -> None:
    source, key = case("release-without-a-value-is-not-armed", tmp_path), "A1b2C3d4E5f6G7h8I9j0"
    page = source / "TOOLS.md"
    page.write_text(page.read_text("utf-8").replace("<put yours here>", key), encoding="utf-8")
    out = tmp_path / "out"
    written(run, source, out, f"--dependencies=config:{source / 'melleafy-decisions.json'}")
    assert [path for path in out.rglob("*") if path.is_file() and key.encode() in path.read_bytes()] == []


def test_a_removal_has_no_reason_that_nobody_gave(run: Run, tmp_path: Path) -> None:
    source = case("removal-has-no-borrowed-reason", tmp_path)
    entries = json.loads(run("plan", source, "--json", DAY).out)["entries"]
    (rule,) = (each for each in entries if "delivery date" in str(each))
    decisions = tmp_path / "decisions.json"
    decisions.write_text(
        json.dumps({"format_version": "1.0", "overrides": [{"key": rule["key"], "disposition": "remove"}]}),
        "utf-8",
    )
    package = written(run, source, tmp_path / "out", f"--dependencies=config:{decisions}")
    report = (package / "mapping_report.md").read_text("utf-8")
    removed = report.partition("## 5. Removed During Audit")[2].partition("\n## ")[0]
    assert ("delivery date" in removed, "no reason was given" in removed) == (True, True)
    assert rule["reason"] not in removed


def test_a_wake_up_can_be_decided(run: Run, tmp_path: Path) -> None:
    source = case("schedule-can-be-decided", tmp_path)
    package = written(
        run, source, tmp_path / "out", "--dependencies=auto", "--schedule", "wake-up=every 1 hour"
    )
    assert '"seconds": 3600' in (package / "config.py").read_text("utf-8")


# --- packages on the real Mellea -----------------------------------------------------------------------


def calls_of(
    name: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    message: str = "Where is order 17?",
    behaviour: Behaviour = Behaviour.PLAIN,
) -> tuple[Any, list[ModelCall]]:
    """Run the package of a case once, and return its reply and what was sent."""
    pytest.importorskip("mellea")
    with FakeModelServer(behaviour) as server, loaded_package(package_of(name), tmp_path) as pipeline:
        monkeypatch.setenv("OLLAMA_HOST", server.url)
        reply = pipeline.run_pipeline(message)
        return reply, server.calls


def test_every_structured_answer_has_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, calls = calls_of("structured-answers-are-bounded", tmp_path, monkeypatch)
    assert any(call.schema for call in calls)
    for call in calls:
        assert call.options.get("num_predict"), call.title
        for part in parts_of(call.schema or {}):
            if part.get("type") == "array":
                assert "maxItems" in part, part
            if part.get("type") == "string" and "enum" not in part and "const" not in part:
                assert "maxLength" in part, part


def parts_of(schema: object) -> list[dict[str, object]]:
    """Return all objects of a JSON schema."""
    if isinstance(schema, list):
        return [part for each in schema for part in parts_of(each)]
    if not isinstance(schema, dict):
        return []
    return [schema, *(part for each in schema.values() for part in parts_of(each))]


def test_a_reply_survives_a_judge_that_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = "reply-survives-a-failed-judge"
    for behaviour in (Behaviour.JUDGE_GARBAGE, Behaviour.JUDGE_EMPTY):
        reply, _ = calls_of(name, tmp_path / behaviour.value, monkeypatch, behaviour=behaviour)
        assert all((reply.text, reply.notes)), behaviour


def test_the_date_and_the_note_of_today_reach_the_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MELLEA_AGENT_NOW", "2026-11-27T09:00:00+00:00")
    _, calls = calls_of("date-reaches-the-model", tmp_path / "a", monkeypatch)
    assert "Friday, 27 November 2026" in calls[0].prompt
    name = "todays-note-reaches-the-model"
    (note,) = (CASES / name / "input" / "memory").glob("*.md")
    monkeypatch.setenv("VALE_MEMORY", str(CASES / name / "input"))
    _, calls = calls_of(name, tmp_path / "b", monkeypatch)
    assert note.read_text("utf-8").strip().splitlines()[-1] in calls[0].prompt


def test_samples_notice_an_empty_persona(tmp_path: Path) -> None:
    pytest.importorskip("mellea")
    files = package_of("smoke-notices-an-empty-persona")
    folder = write_files(files, tmp_path)
    assert {run.status for run in run_smoke(SmokeRequest(folder)).runs} <= {
        FixtureStatus.PASSED,
        FixtureStatus.EXPECTED,
    }
    config = folder / "config.py"
    emptied, count = re.subn(
        r'(?ms)^PREFIX_TEXT: Final = """.*?"""', 'PREFIX_TEXT: Final = ""', config.read_text("utf-8")
    )
    assert count == 1
    config.write_text(emptied, encoding="utf-8")
    assert FixtureStatus.FAILED in {run.status for run in run_smoke(SmokeRequest(folder)).runs}


def test_a_memory_that_is_set_is_not_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("mellea")
    source = CASES / "memory-note-is-true" / "input" / "examples" / "agents" / "desk"
    folder = write_files(conversion_of(source).files, tmp_path)
    monkeypatch.setenv("VALE_MEMORY", str(source))
    report = run_smoke(SmokeRequest(folder))
    assert report.made_up_memory
    assert [note for run in report.runs for note in run.notes if "set VALE_MEMORY" in note] == []


def test_a_long_document_is_searched_beside_the_agent_s_own_memory(tmp_path: Path) -> None:
    """Two ways to remember are two functions: the hook on the agent's files hid the copy of the document."""
    pytest.importorskip("mellea")
    lines = "".join(f"Part {number}: turn valve {number} by hand.\n\n" for number in range(300))
    tree = {
        "SOUL.md": "You are calm.\n",
        "IDENTITY.md": "- Name: Vale\n",
        "AGENTS.md": "Read GUIDE.md before you answer questions about valves.\n\nFollow NOTES.md at night.\n",
        "NOTES.md": "# Night\n\nAt night the pier is closed to visitors.\n",
        "MEMORY.md": "# Memory\n\nThe archive has two keys.\n",
        "GUIDE.md": f"# Guide\n\nIf the lamp of the harbour goes out, light the old one on the pier.\n\n{lines}",
    }
    put(tmp_path / "desk", tree)
    files = conversion_of(tmp_path / "desk").files
    slots = text_of(files, "constrained_slots.py")
    assert ("def recall_memory(" in slots, "def search_references(" in slots) == (True, True)
    report = run_smoke(SmokeRequest(write_files(files, tmp_path / "out")))
    assert "memory_is_found" in {run.fixture_id for run in report.runs}
    assert [run for run in report.runs if run.status is FixtureStatus.FAILED] == []
    assert [note for run in report.runs for note in run.notes if "search_references" in note] == []


def test_a_skill_of_a_workspace_is_read_when_it_is_needed(tmp_path: Path) -> None:
    """A skill was a stub that its owner had to write; its text says how, as it does for OpenClaw's agent."""
    pytest.importorskip("mellea")
    skill = "---\nname: oven\ndescription: Heats the oven\n---\n\n# Oven\n\nTurn the left wheel to four.\n"
    tree = {"SOUL.md": "You are calm.\n", "IDENTITY.md": "- Name: Vale\n", "skills/oven/SKILL.md": skill}
    put(tmp_path / "desk", tree)
    conversion = conversion_of(tmp_path / "desk")
    assert [entry.summary for entry in conversion.plan.entries if entry.disposition.value == "stub"] == []
    with loaded_package(conversion.files, tmp_path / "out") as pipeline:
        assert pipeline.tools.oven() == skill.rstrip("\n")
        assert [tool.ask for tool in pipeline.tools.TOOLS] == [False]
