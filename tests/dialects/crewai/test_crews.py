"""Crews as packages: what is read of YAML and Python, how the steps run on Mellea, and what is named and left."""

from pathlib import Path

import pytest

from melleafy_tui.cli.main import main
from melleafy_tui.core.models.procedure import Does
from melleafy_tui.core.pipeline.conversion import Conversion
from melleafy_tui.core.smoke.fake_server import FakeModelServer
from melleafy_tui.engine import open_conversion
from tests.converted import DAY, conversion_of
from tests.dialects.judges import complaints
from tests.generators.emitting import loaded_package, write_files

WORKSPACES = Path(__file__).with_name("workspaces")
NAMES = ("harbour", "launch", "managed")


def crew(name: str) -> Conversion:
    return conversion_of(WORKSPACES / name)


def text(name: str, file: str) -> str:
    files = crew(name).rendered
    return files.by_path[f"{files.package_name}/{file}"].text


def found_in(tmp_path: Path, **files: str) -> Conversion:
    for path, words in files.items():
        (tmp_path / path.replace("__", ".")).write_text(words, encoding="utf-8")
    return open_conversion(tmp_path, as_of=DAY, generated_at="2026-08-01T00:00:00Z")


@pytest.mark.slow
def test_outside_judges_find_nothing(tmp_path: Path) -> None:
    assert complaints([crew(name).rendered for name in NAMES], tmp_path, "--isolated") == ""


def test_a_persona_has_the_order_and_frame_of_crewai() -> None:
    config = text("launch", "config.py")
    assert (
        'RESEARCHER_PREFIX_TEXT: Final = """\\\nYou are Market researcher for {topic}\nYou spent ten years'
        in config
    )
    assert "Your personal goal is: Find what the buyers of {topic} worry about\n" in config


def test_tasks_are_verbatim_and_in_order_with_what_they_read() -> None:
    pipeline, rules = text("launch", "pipeline.py"), text("launch", "requirements.py")
    assert "def run_pipeline(topic: str, audience: str) -> StepsReply:" in pipeline
    calls = ["research_task(m, run)", "angle_task(m, run)", "post_task(m, run)"]
    entry = pipeline.partition("def run_pipeline(")[2]
    assert [entry.index(call) for call in calls] == sorted(entry.index(call) for call in calls)
    assert 'reads=["research_task", "angle_task"]' in pipeline
    assert (
        "Choose the one worry that the launch post will answer, and say why\nit matters to {audience}.\n"
        in rules
    )
    assert "description" not in rules + pipeline


def test_no_context_reads_all_and_an_empty_one_nothing() -> None:
    steps = crew("harbour").inventory.procedure
    assert steps is not None
    assert [step.reads for step in steps.steps] == [(), (), ("berth", "weather", "letter_feedback"), ()]
    assert steps.steps[-1].does is Does.WAIT


def test_a_manager_chooses_within_a_bound() -> None:
    pipeline, schemas = text("managed", "pipeline.py"), text("managed", "schemas.py")
    assert "for _ in range(config.MAX_STEPS):" in pipeline
    assert 'task: Literal["sort_letter", "answer_letter", "finish"]' in schemas


def test_what_is_not_taken_is_named() -> None:
    conversion = crew("harbour")
    named = {found.declared.partition(" (")[0] for found in conversion.inventory.unsupported}
    assert {"planner: allow_delegation", "letter: output_file", "harbour: memory"} <= {
        name.replace("crew: memory", "harbour: memory") for name in named
    }
    assert {entry.symbol for entry in conversion.plan.entries if entry.disposition.value == "stub"} == {
        "serperdevtool",
        "tide_table",
    }


@pytest.mark.slow
def test_results_are_in_the_reply_step_by_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("mellea")
    with FakeModelServer() as server:
        monkeypatch.setenv("OLLAMA_HOST", server.url)
        with loaded_package(crew("launch").rendered, tmp_path) as pipeline:
            reply = pipeline.run_pipeline("a folding bike", "{topic}")
        calls = len(server.calls)
        first = server.calls[0].prompt
    assert [result.step for result in reply.steps] == ["research_task", "angle_task", "post_task"]
    assert sum(result.calls for result in reply.steps) == calls
    assert reply.text == reply.steps[-1].text
    assert "Market researcher for a folding bike" in first
    assert "{topic}" not in first


@pytest.mark.slow
def test_always_another_task_ends_at_the_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("mellea")
    with FakeModelServer() as server:  # its answers are the first of the options
        monkeypatch.setenv("OLLAMA_HOST", server.url)
        with loaded_package(crew("managed").rendered, tmp_path) as pipeline:
            reply = pipeline.run_pipeline("Ada")
    assert reply.stopped == "budget"
    assert len(reply.steps) == 25


def test_only_what_crewai_fills_is_a_parameter(tmp_path: Path) -> None:
    code = (
        "from crewai import Agent, Crew, Task\n\n"
        "a = Agent(role='R', goal='G', backstory='B')\n"
        "t = Task(description='Use {a-b}, { x }, {a.b} and {{\"k\": 1}}.', expected_output='{a-b}', agent=a)\n"
        "c = Crew(agents=[a], tasks=[t])\n"
    )
    procedure = found_in(tmp_path, crew__py=code).inventory.procedure
    assert procedure is not None
    assert procedure.placeholders == {"a_b": "a-b"}


def test_several_crews_are_never_mixed(tmp_path: Path) -> None:
    one = "from crewai import Agent, Crew, Task\n\na = Agent(role='R', goal='G', backstory='B')\n"
    one += "t = Task(description='Do {}.', expected_output='It.', agent=a)\nc = Crew(agents=[a], tasks=[t])\n"
    conversion = found_in(tmp_path, a__py=one.format("this"), b__py=one.format("that"))
    assert conversion.inventory.procedure is not None
    assert len(conversion.inventory.procedure.steps) == 1
    assert "graph-one-of-several" in {found.code for found in conversion.diagnostics}


def test_of_several_crews_one_is_taken_whose_tasks_are_told(tmp_path: Path) -> None:
    one = "from crewai import Agent, Crew, Task\n\na = Agent(role='R', goal='G', backstory='B')\n"
    one += "{} = Task(description='Do it.', expected_output='It.', agent=a)\nc = Crew(agents=[a], tasks={})\n"
    conversion = found_in(tmp_path, a__py=one.format("some", "load()"), b__py=one.format("whole", "[whole]"))
    assert conversion.inventory.procedure is not None
    assert [step.step_id for step in conversion.inventory.procedure.steps] == ["whole"]
    assert all(each.code != "graph-unread" for each in conversion.diagnostics)


def test_a_list_that_is_computed_is_named_with_its_line(tmp_path: Path) -> None:
    code = (
        "from crewai import Agent, Crew, Task\n\n"
        "a = Agent(role='R', goal='G', backstory='B')\n"
        "t = Task(description='Do.', expected_output='It.', agent=a)\n"
        "c = Crew(agents=[a], tasks=load())\n"
    )
    (finding,) = [
        found for found in found_in(tmp_path, crew__py=code).diagnostics if found.code == "graph-unread"
    ]
    assert finding.lines == "5"


def test_no_name_of_a_source_hides_one_of_the_pipeline(tmp_path: Path) -> None:
    code = (
        "from crewai import Agent, Crew, Task\nfrom pydantic import BaseModel\n\n"
        "class Steps(BaseModel):\n    run: str\n\n"
        "config = Agent(role='R', goal='Know {run}', backstory='B')\n"
        "tools = Task(description='Do {topic}.', expected_output='It.', agent=config, output_pydantic=Steps)\n"
        "topic = Task(description='Do {m} with {topic}.', expected_output='It.', agent=config)\n"
        "c = Crew(agents=[config], tasks=[tools, topic])\n"
    )
    conversion = found_in(tmp_path, crew__py=code)
    procedure = conversion.inventory.procedure
    assert procedure is not None
    names = [*(step.step_id for step in procedure.steps), *procedure.placeholders]
    assert len(names) == len({*names, "run", "tools", "m", "config"} - {"run", "tools", "m", "config"})
    assert procedure.steps[0].type_name == "StepsResult"
    assert conversion.lints.passed


@pytest.mark.parametrize("host", ["langgraph", "mcp", "claude-code"])
def test_a_host_can_call_a_crew(host: str, tmp_path: Path) -> None:
    package = write_files(crew("launch").rendered, tmp_path)
    assert main(["export", str(package), str(tmp_path / "out"), f"--host={host}"]) == 0


@pytest.mark.parametrize(
    ("file", "words"),
    [("config/agents.yaml", "one: [never closed\n"), ("helper.py", "from crewai import Task\ndef (\n")],
)
def test_a_file_that_cannot_be_read_is_named(file: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "config").mkdir()
    (tmp_path / file).write_text(words, encoding="utf-8")
    clerk = 'from crewai import Agent\n\nclerk = Agent(role="Clerk", goal="Answer", backstory="Old hand")\n'
    found = found_in(tmp_path, crew__py=clerk)
    unread = [each for each in found.diagnostics if each.code == "source-unreadable-part"]
    assert [each.file for each in unread] == [file]
