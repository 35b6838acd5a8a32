"""The crew and the skill of the packages that were written by hand as the mark: what is emitted from them holds the same.

The reference's tests of those packages, on the emitted ones. They differ on purpose where these lines say so.

The crew:
- Results of earlier tasks are `steps` of the reply, as in every package with steps, not fields of a class of its own.
- "At most five bullet points" is counted by Python, not judged; "at most 80 words without emoji" names two things in one
  clause, which Python never checks, so it is judged.
- The judge sees a task's rules as the paragraphs that they stand in. The hand-written ones leave the order out that
  stands before them ("Write the launch post …"), which is a reading of the sentence.

The skill:
- "A claim above the policy's limit always gets an assessor" is told to the model that chooses, which sees limit and
  claim. By hand it is a comparison in code, and that `amount` is a number in the same unit stands nowhere.
- A number that isn't in the letter ends the run at the script, as there; an amount that isn't is handed on.
- The letter's step is given both pages of `references/letters/`: which one belongs to which way is said in words only.
- Of its rules the number of sentences is checked; "Never name an amount" and the like are offered in the review, since
  they stand below a step's heading and not below one of style.
- "For the office" stays in the prompt of each step: nothing of its form says that it isn't for the model.
"""

import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml

pytest.importorskip("mellea")

from melleafy_tui.core.smoke.fake_server import FakeModelServer
from tests.conftest import SHARED
from tests.converted import conversion_of
from tests.generators.emitting import imported, write_files
from tests.scripted import Script

REFERENCE = SHARED / "reference"
INPUTS = {"topic": "a folding bike", "audience": "commuters"}
RESEARCHER = (
    "You are Market researcher for a folding bike",
    "ten years behind a shop counter",
    "Find what the buyers of a folding bike worry about",
)
WRITER = ("You are Copywriter", "You learnt to write on postcards", "a post that commuters read to the end")
FINDINGS, ANGLE, POST = "- It weighs too much.", "Weight, since commuters carry it.", "You can carry it."
TASKS = (
    ("List what buyers of a folding bike worry about.", "Don't make up figures."),
    ("Choose the one worry", "it matters to commuters", "Two sentences at most."),
    ("Write the launch post for a folding bike.", "at most 80 words"),
)

pytestmark = pytest.mark.skipif(
    not REFERENCE.is_dir(), reason="../shared is not there: this is a plain clone"
)


@pytest.fixture(scope="module")
def crew(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the package of the crew."""
    folder = tmp_path_factory.mktemp("crew")
    source = shutil.copytree(REFERENCE / "launch_crew", folder / "source" / "launch_crew")
    write_files(conversion_of(source).files, folder / "out")
    return folder / "out"


@pytest.fixture
def package(crew: Path) -> Iterator[ModuleType]:
    with imported("launch_crew_mellea", crew) as pipeline:
        yield pipeline


def answer(text: str, match: str, times: int = 9) -> dict[str, Any]:
    return {"schema": "", "match": match, "reply": text, "times": times}


def played(
    package: ModuleType, monkeypatch: pytest.MonkeyPatch, *script: Mapping[str, Any]
) -> tuple[Any, list[str]]:
    """Return the reply of a run with a scripted model, and the prompts of its steps."""
    with FakeModelServer(script=Script([*script])) as server:
        monkeypatch.setenv("OLLAMA_HOST", server.url)
        reply = package.run_pipeline(**INPUTS)
    return reply, [call.prompt for call in server.calls if not call.schema]


TAKEN = (
    answer(FINDINGS, "List what buyers"),
    answer(ANGLE, "Choose the one worry"),
    answer(POST, "Write the launch"),
)


def test_each_task_has_its_agent_and_the_results_that_it_is_given(
    package: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    reply, prompts = played(package, monkeypatch, *TAKEN)
    given = ((), (FINDINGS,), (FINDINGS, ANGLE))
    for prompt, persona, task, results in zip(
        prompts, (RESEARCHER, RESEARCHER, WRITER), TASKS, given, strict=True
    ):
        assert all(words in prompt for words in (*persona, *task, *results))
        assert "{" not in prompt
    assert "postcards" not in prompts[0]
    assert "shop counter" not in prompts[2]
    assert [step.text for step in reply.steps] == [FINDINGS, ANGLE, POST]
    assert (reply.text, reply.unmet) == (POST, [])


def test_limits_hold_for_their_task_alone(package: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    reply, prompts = played(
        package, monkeypatch, TAKEN[0], answer("One. Two. Three.", "Choose the one worry"), TAKEN[2]
    )
    assert [(rule.source, rule.reason) for rule in reply.unmet] == [
        ("config/tasks.yaml:14", "it has 3 sentences; at most 2 allowed")
    ]
    assert "it has 3 sentences; at most 2" in prompts[2]
    assert [len(step.unmet) for step in reply.steps] == [0, 1, 0]


def test_tasks_and_agents_are_the_owners_words(crew: Path) -> None:
    folder = REFERENCE / "launch_crew" / "config"
    tasks = yaml.safe_load((folder / "tasks.yaml").read_text("utf-8"))
    agents = yaml.safe_load((folder / "agents.yaml").read_text("utf-8"))
    with imported("launch_crew_mellea", crew) as pipeline:
        config = vars(pipeline)["config"]
        for name, task in tasks.items():
            pieces = vars(pipeline)[name.upper()]
            text = "".join(piece.text for piece in pieces).split()
            assert text == f"{task['description']} {task['expected_output']}".split()
            persona = " ".join(getattr(config, f"{task['agent'].upper()}_PREFIX_TEXT").split())
            assert all(" ".join(words.split()) in persona for words in agents[task["agent"]].values())


def test_steps_of_the_skill_carry_its_lines_and_its_files(tmp_path: Path) -> None:
    source = shutil.copytree(REFERENCE / "claim_skill", tmp_path / "claim-check")
    files = conversion_of(source).files
    carried = {path.removeprefix(f"{files.package_name}/"): file for path, file in files.by_path.items()}
    for path in source.rglob("*"):
        name = path.relative_to(source).as_posix()
        if path.is_file() and name.startswith(("scripts/", "references/")) and path.suffix != ".pyc":
            assert carried[name].data == path.read_bytes()
    write_files(files, tmp_path / "out")
    lines = (source / "SKILL.md").read_text("utf-8").splitlines(keepends=True)
    with imported(files.package_name, tmp_path / "out") as pipeline:
        for name in ("READ_THE_CLAIM", "CHOOSE_THE_WAY", "WRITE_TO_THE_CUSTOMER"):
            for piece in vars(pipeline)[name]:
                first, _, last = piece.source.partition(":")[2].partition("-")
                assert piece.text == "".join(lines[int(first) - 1 : int(last or first)])
