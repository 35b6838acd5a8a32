"""Headed steps of skills and commands: which headings are steps, what each does, and runs on the real Mellea."""

import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from melleafy_tui.core.lint.table import lint_file_set
from melleafy_tui.core.models.procedure import Procedure
from melleafy_tui.core.pipeline.conversion import Conversion
from melleafy_tui.core.pipeline.review_cards import review_cards
from melleafy_tui.core.smoke.fake_server import FakeModelServer
from tests.conftest import SHARED
from tests.dialects.test_source_cases import case, converted
from tests.generators.emitting import loaded_package, write_files
from tests.rows import every_row
from tests.safety.hostile_workspaces import put
from tests.scripted import Script

HEAD = "---\nname: parcels\ndescription: Sends parcels.\n---\n\n# Parcels\n\n"
CLAIM = SHARED / "reference" / "claim_skill"
LETTER = "My policy is HH-2041. On 3 March a pipe burst and soaked the hall. It cost 900 euros."


def skill(tmp_path: Path, body: str, **files: str) -> Conversion:
    """Return the conversion of a skill with a body."""
    scripts = {f"parcels/scripts/{name}.py": text for name, text in files.items()}
    put(tmp_path, {"parcels/SKILL.md": HEAD + body, **scripts})
    return converted(tmp_path / "parcels")


def graph(procedure: Procedure | None) -> list[str]:
    """Return what each step does, in order."""
    return [] if procedure is None else [step.does.value for step in procedure.steps]


def section(*headings: str, order: str = "- Write the note for the depot.") -> str:
    return "".join(f"{heading}\n\n{order}\n\n" for heading in headings)


Run = Callable[..., tuple[Any, list[str]]]
ASK = ["ask", "ask"]


@every_row(
    ("title", "order", "wanted"),
    [
        ("Contact the depots", "Ring each depot and note what it says.", ["wait", "ask"]),
        ("Gather evidence", "The more the better.", ["wait", "ask"]),
        ("Interview the drivers", "Three are enough.", ["wait", "ask"]),
        ("The drivers", "Talk to three of them.", ["wait", "ask"]),
        ("Weigh the parcel", "It must be dry.", []),  # no list has the verb
        ("Frobnicate the parcel", "It must be dry.", []),
        ("The parcel", "It must be dry.", []),
        ("Check the scale", "It must be dry.", []),
        ("Check the scale", "Compare the message with the form.", ASK),
        ("Check the parcel", "It must be dry.", ASK),  # what the skill is about is what it is given
        ("Read the message", "It is short.", ASK),
        ("Summarise the logs", "Of one day.", ["wait", "ask"]),
        ("Summarise the message", "Keep it short. Save it to `note.md`.", ASK),
        ("Summarise the message", "1. Frame it.\n2. Ring the depot.", ["wait", "ask"]),
    ],
)
def test_a_model_is_asked_for_its_own_work_only(
    title: str, order: str, wanted: list[str], tmp_path: Path
) -> None:
    body = section(f"## Step 1: {title}", order=order) + section("## Step 2: Label")
    conversion = skill(tmp_path, body)
    assert graph(conversion.inventory.procedure) == wanted
    codes = [finding.code for finding in conversion.diagnostics]
    assert ("steps-unsure" in codes) == (not wanted)


@every_row(
    ("lists", "wanted"),
    [
        ("## Workflow\n\n1. Summarise the message.\n2. Write the label.\n", ASK),
        (
            "Do the following:\n\n1. Fetch the rates.\n2. **Label**: write it.\n   - In capitals.\n3. Rate it.\n",
            ["wait", "ask", "ask"],
        ),
        ("## Workflow\n\n1. Summarise the message.\n2. Fetch the rates.\n3. Write the label.\n", []),
        ("## Ablauf\n\n1. Fasse die Nachricht zusammen.\n2. Schreibe das Etikett.\n", ASK),
        ("## Workflow\n\n1. Summarise the message.\n2. Frobnicate it.\n", []),
        ("## Workflow\n\n1. Draft the label.\n2. Rate the draft. If it is poor, go back to step 1.\n", []),
        ("## Rules\n\n1. Write short labels.\n2. Write in capitals.\n", []),
        ("## Labels\n\n1. Write short labels.\n2. Write in capitals.\n", []),
        ("## Setup steps\n\n1. Write the key.\n2. Write the name.\n", []),
        ("## Workflow\n\n1. Draft it.\n2. Rate it.\n\n## Other workflow\n\n1. List it.\n2. Sort it.\n", []),
        ("## Workflow\n\n1. List the depots.\n2. For each depot, write a label.\n", ["ask", "repeat"]),
        ("## Workflow\n\n1. Fetch the depots.\n2. For each depot, write a label.\n", []),
    ],
)  # fmt: skip
def test_a_numbered_list_is_steps_if_its_heading_says_so(
    lists: str, wanted: list[str], tmp_path: Path
) -> None:
    conversion = skill(tmp_path, lists)
    assert graph(conversion.inventory.procedure) == wanted
    assert lint_file_set(conversion.files).passed


@every_row(
    ("headings", "wanted", "spans"),
    [  # what nobody can say goes with the step before it, the first one with the step behind it
        (("Step 1: Describe", "Step 2: Frobnicate", "Step 3: Label"), ASK, ["8-17", "18-20"]),
        (("Step 1: Frobnicate", "Step 2: Describe", "Step 3: Label"), ASK, ["8-17", "18-20"]),
        (("Step 1: Fetch it", "Step 2: Frobnicate", "Step 3: Label"), ["wait", "ask"], ["8-17", "18-20"]),
        (("Step 1: Describe", "The form", "Step 2: Label"), ASK, ["8-17", "18-20"]),
        (("Step 1: Describe", "Examples", "Step 2: Label"), ASK, ["8-10", "18-20"]),
        (("Step 1: Frobnicate", "Step 2: Frob it", "Step 3: Label"), [], []),
    ],
)
def test_a_step_of_which_nobody_can_say_goes_with_its_neighbour(
    headings: tuple[str, ...], wanted: list[str], spans: list[str], tmp_path: Path
) -> None:
    own = "- Write the note for the depot."
    orders = ["It must be dry." if "rob" in each or "form" in each else own for each in headings]
    body = "".join(section(f"## {each}", order=order) for each, order in zip(headings, orders, strict=True))
    conversion = skill(tmp_path, body)
    procedure = conversion.inventory.procedure
    assert graph(procedure) == wanted
    found = [step.source.partition(":")[2] for step in procedure.steps] if procedure else []
    assert len(found) == len(spans)
    unsure = [each for each in conversion.diagnostics if each.code == "steps-unsure"]
    assert len(unsure) == any("rob" in each or "form" in each for each in headings)
    assert all(each.severity.value == "warning" for each in unsure)  # `plan` and the review show it


def test_what_is_unclear_is_said_by_plan_and_readme(tmp_path: Path) -> None:
    body = section("## Step 1: Ring the depot", "## Step 2: Frobnicate", order="It must be dry.")
    conversion = skill(tmp_path, body)
    rows = [row for item in review_cards(conversion) for row in item.rows if row.item.startswith("steps:")]
    assert [("Frobnicate" in row.text, row.settled) for row in rows] == [(True, False)]
    readme = conversion.files.by_path[f"{conversion.files.package_name}/README.md"].text
    assert 'no function here does "Ring the depot"' in readme
    assert "No function is left to write" not in readme
    waiting = skill(tmp_path / "other", section("## Step 1: Ring the depot", "## Step 2: Label"))
    readme = waiting.files.by_path[f"{waiting.files.package_name}/README.md"].text
    assert "- Ring the depot (`SKILL.md:8-10`): `ring_the_depot`" in readme
    assert "No function is left to write" not in readme


@every_row(
    ("last", "wanted"),
    [
        ("Rate it. If it is poor, go back to step 2.", [["1"], ["2", "3"]]),
        ("Rate it. If it is poor, go back to step 1.", []),  # one step is none
        ("Ask the user whether it is good. If not, go back to step 2.", []),
    ],
)
def test_steps_that_go_back_are_one(last: str, wanted: list[list[str]], tmp_path: Path) -> None:
    body = section("## Step 1: Describe", "## Step 2: Label") + section("## Step 3: Rate", order=last)
    conversion = skill(tmp_path, body)
    procedure = conversion.inventory.procedure
    assert len(graph(procedure)) == len(wanted)
    if procedure is None and "Ask" in last:
        assert "steps-unsure" in [finding.code for finding in conversion.diagnostics]


LIMITS = "## Output limits\n\n" + section("### Step 1: Describe", "### Step 2: Label")


@every_row(
    ("body", "wanted"),
    [
        (LIMITS, []),
        (LIMITS + "## Workflow\n\n" + section("### 1. Rate it", "### 2. Sort it"), ASK),
        ("## Road\n\n" + section("### Step 1: Load", "### Step 2: Go") + "## Workflow\n\n" + section("### 1. Rate it", "### 2. Sort it"), ASK),
    ],
)  # fmt: skip
def test_the_work_is_what_its_heading_calls_so(body: str, wanted: list[str], tmp_path: Path) -> None:
    assert graph(skill(tmp_path, body).inventory.procedure) == wanted


PRICE = "import sys\nprint(sys.argv[1])\n"


@every_row(
    ("order", "tools", "wanted"),
    [
        ("Look at the history:\n\n```bash\ngit log --oneline\n```\n", "", ["git log"]),
        ("Read the rates with the Grep tool.", "allowed-tools: Grep, Bash\n", ["search_files"]),
        ("Fetch the rates.", "allowed-tools: Grep, Bash\n", ["search_files", "run_bash"]),
        ("Fetch the rates.", "allowed-tools: AskUserQuestion\n", None),
        ("Use AskUserQuestion for the depot.", "allowed-tools: AskUserQuestion, Bash\n", None),
        ("Run `python scripts/price.py <depot>`.", "", ["price"]),
        ("Count:\n\n```bash\npython scripts/price.py Bern | wc -l\n```\n", "", ["price"]),
    ],
)
def test_a_step_with_tools_of_its_own_is_no_input(
    order: str, tools: str, wanted: list[str] | None, tmp_path: Path
) -> None:
    spec = HEAD.replace("description", f"{tools}description") + section("## Step 1: The parcel", order=order)
    put(tmp_path, {"parcels/SKILL.md": spec + section("## Step 2: Label"), "parcels/scripts/price.py": PRICE})
    procedure = converted(tmp_path / "parcels").inventory.procedure
    assert procedure is not None
    assert [step.does.value for step in procedure.steps] == (["wait", "ask"] if wanted is None else ASK)
    assert list(procedure.steps[0].tools) == (wanted or [])


def test_a_step_with_many_tools_is_laid_out_as_ruff_does(tmp_path: Path) -> None:
    names = [f"price_of_parcels_to_{place}" for place in ("bern", "chur", "thun", "zug")]
    files = {f"parcels/scripts/{name}.py": PRICE for name in names}
    order = "\n\n".join(f"Run `python scripts/{name}.py <depot>`." for name in names)
    spec = HEAD + section("## Step 1: The parcel", order=order) + section("## Step 2: Label")
    put(tmp_path, {"parcels/SKILL.md": spec, **files})
    conversion = converted(tmp_path / "parcels")
    package = write_files(conversion.files, tmp_path / "packages")
    command = [sys.executable, "-m", "ruff", "format", "--check", "--no-cache", str(package)]
    told = subprocess.run(command, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stdout


def test_a_tool_that_no_step_names_is_a_finding(tmp_path: Path) -> None:
    body = "Run `python scripts/price.py <depot>`.\n\n" + section("## Step 1: Describe", "## Step 2: Label")
    found = [
        each for each in skill(tmp_path, body, price=PRICE).diagnostics if each.code == "tools-of-no-step"
    ]
    assert ["price" in each.message for each in found] == [True]


def test_what_an_earlier_step_gave_can_be_read(tmp_path: Path) -> None:
    body = section("## Step 1: Fetch the logs", order="Of one day.") + section(
        "## Step 2: Summarise the logs", order="In a few words."
    )
    assert graph(skill(tmp_path, body).inventory.procedure) == ["wait", "ask"]


@every_row(
    ("body", "wanted"),
    [
        (section("## Phase 1: Describe", "## Phase 2: Label"), ASK),
        (section("## Schritt 1: Wiegen", "## Schritt 2: Schreiben"), ASK),
        ("## Workflow\n\n" + section("### 1. The scale", "### 2. The label"), ASK),
        (section("## Step 1: Describe", "## Step 3: Label"), []),
        (section("## Step 1: Describe"), []),
        (section("## Step 1: If it is wet", "## Step 2: If it is dry"), []),
        (section("## 1. Describe the parcel", "## 2. Label it"), []),
        ("## Setup\n\n" + section("### Step 1: The scale", "### Step 2: The label"), []),
        ("## Rail\n\n" + section("### Step 1: Describe", "### Step 2: Pay") + "## Road\n\n" + section("### Step 1: Load", "### Step 2: Go"), []),
        (section("### Step 1: Describe", "### Step 2: Pay") + section("## Step 3: Label"), []),
        ("Do the one that fits.\n\n" + section("## By rail", "## By road"), ["choose", *ASK]),
        (section("## Step 1: Describe") + "## Step 2: Label\n\nRun `git log` for the names.\n", ["ask", "wait"]),
        ("## Step 1: History\n\nRun `git log` first.\n\n" + section("## Step 2: Label"), ["wait", "ask"]),
        ("## Step 1: Approval\n\nAsk the user which depot.\n\n" + section("## Step 2: Label"), ["wait", "ask"]),
        ("## Step 1: History\n\nRun `git log`.\n\n## Step 2: Push\n\nPush it with `git push`.\n", []),
        (
            "## Step 1: Describe\n\nEstimate the weight. If it is over 30 kg, stop and say so.\n\n" + section("## Step 2: Label"),
            ["ask", "stop", "ask"],
        ),
        (section("## Step 1: Describe") + "## Step 2: Sort\n\nSort the parcel into small, large or bulky.\n", ["ask", "choose"]),
        (section("## Step 1: Describe") + "## Step 2: Choose\n\nEither a van or a boat. Came twice? Then nothing.\n", ASK),
    ],
)  # fmt: skip
def test_what_is_plainly_steps(body: str, wanted: list[str], tmp_path: Path) -> None:
    conversion = skill(tmp_path, body)
    assert graph(conversion.inventory.procedure) == wanted
    assert lint_file_set(conversion.files).passed


def test_a_step_that_only_loads_a_page_is_no_call(tmp_path: Path) -> None:
    put(tmp_path, {"parcels/references/rates.md": "A parcel is 4 euros.\n"})
    pages = "## Step 1: Load the rates\n\nLoad `references/rates.md`.\n\n"
    procedure = skill(
        tmp_path, pages + section("## Step 2: Describe", "## Step 3: Label")
    ).inventory.procedure
    assert procedure is not None
    assert [step.reads for step in procedure.steps] == [
        ("message", "rates"),
        ("message", "describe", "rates"),
    ]


def test_a_script_whose_arguments_nobody_knows_is_offered(tmp_path: Path) -> None:
    body = section("## Step 1: Describe") + "## Step 2: Price\n\nRun `python scripts/price.py <depot>`.\n"
    procedure = skill(tmp_path, body, price="import sys\nprint(sys.argv[1])\n").inventory.procedure
    assert procedure is not None
    assert [step.tools for step in procedure.steps] == [(), ("price",)]


def test_a_command_with_steps_takes_its_arguments(tmp_path: Path) -> None:
    body = "---\ndescription: Answer\n---\nAnswer about $ARGUMENTS.\n\n" + section(
        "## Step 1: Describe", "## Step 2: Label"
    )
    put(tmp_path, {"w/.claude/commands/answer.md": body})
    conversion = converted(tmp_path / "w" / ".claude" / "commands" / "answer.md")
    assert graph(conversion.inventory.procedure) == ASK
    assert lint_file_set(conversion.files).passed


@every_row(
    ("form", "typed"),
    [
        ("```markdown\n# Report\n\n## Findings\n[What was found]\n\n## Advice\n[What to do]\n```", True),
        (
            "```markdown\n# Report\n\n## Findings\n- **Risk**: High / Low\n\n## Advice\n[What to do]\n```",
            False,
        ),
        ("```markdown\n# Report\n\n## Findings\n### [Name]\n\n## Advice\n[What to do]\n```", False),
        (
            "```markdown\n# Report\n\n## Findings\n| Part | Risk |\n|---|---|\n\n## Advice\n[What to do]\n```",
            False,
        ),
        ('```json\n{"risk": "high | low", "findings": ["<finding>"]}\n```', True),
        ('```json\n{"risk": "high | low", "findings": [{"part": "<part>", "line": 1}]}\n```', False),
    ],
)
def test_a_form_that_no_schema_holds_whole_is_text(form: str, typed: bool, tmp_path: Path) -> None:
    body = section("## Step 1: Describe", "## Step 2: Label") + f"## Output format\n\n{form}\n"
    conversion = skill(tmp_path, body)
    files = conversion.files
    assert bool(conversion.inventory.procedure and conversion.inventory.procedure.steps[-1].returns) is typed
    rules = files.by_path[f"{files.package_name}/requirements.py"].text
    assert ("What to do" in rules or "<finding>" in rules or "<part>" in rules) is not typed


# --- runs: the claims of the reference, and the cases ---------------------------------------------------


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run the package of a folder with a scripted model; return the result and the prompts."""
    pytest.importorskip("mellea")

    def take(
        folder: Path, message: str, *script: Mapping[str, object], inputs: Mapping[str, str] | None = None
    ) -> tuple[Any, list[str]]:
        with FakeModelServer(script=Script(script)) as server:
            monkeypatch.setenv("OLLAMA_HOST", server.url)
            with loaded_package(converted(folder).rendered, tmp_path / "out") as pipeline:
                return pipeline.run_pipeline(message, **(inputs or {})), [
                    call.prompt for call in server.calls
                ]

    return take


def claim(number: str) -> dict[str, object]:
    return {"schema": "Claim", "reply": {"policy_number": number, "amount_claimed_in_euros": "900"}}


@pytest.mark.slow
def test_the_claims_of_the_reference(run: Run) -> None:
    """Its fixtures, but for two rules that it wrote as code: the amount above the limit, the amount in the letter."""
    if not CLAIM.is_dir():
        pytest.skip("../shared is not there: this is a plain clone")
    way = {"schema": "Way", "reply": {"reason": "One cause.", "way": "an assessor visits"}}
    result, prompts = run(CLAIM, LETTER, claim("HH-2041"), way, {"reply": "HH-2041: we will ring."})
    assert (result.stopped, result.unmet, result.text) == ("", [], "HH-2041: we will ring.")
    assert [step.step for step in result.steps] == [
        "read_the_claim",
        "look_up_the_policy",
        "choose_the_way",
        "write_to_the_customer",
    ]
    assert result.steps[1].text == '{"status": "active", "limit": 3000}'  # the script was run, by code
    read, choose, write = prompts
    assert "take the policy number" in read
    assert "water, glass and storm damage" in choose
    assert '"limit": 3000' in choose
    assert "an assessor will ring within three working days" in write
    assert "an assessor visits" in write
    for number, stopped in {"HH-1987": "expired", "HH-1": "unknown"}.items():
        result, prompts = run(CLAIM, LETTER.replace("HH-2041", number), claim(number))
        assert (result.stopped, len(prompts)) == (stopped, 1)
    result, prompts = run(CLAIM, "The window broke.", claim("HH-2041"))  # a number of the model's own
    assert (result.stopped, result.text, len(prompts)) == (
        "look_up_the_policy",
        "policy number isn't in the text",
        1,
    )
    long = {"reply": "One. Two. Three. Four. Five. We pay."}
    result, prompts = run(CLAIM, LETTER, claim("HH-2041"), way, long, long)
    assert [(rule.source, rule.reason) for rule in result.unmet] == [
        ("SKILL.md:31", "it has 6 sentences; at most 5 allowed")
    ]


@pytest.mark.slow
def test_the_intake_of_the_case_runs_its_script(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = case("headed-steps-run-in-order", tmp_path)
    facts = {"schema": "Facts", "reply": {"policy_number": "P-7"}}
    result, prompts = run(folder, "Policy P-7, on 3 May a fire.", facts)
    assert [step.step for step in result.steps] == [
        "extract_the_facts",
        "check_the_policy",
        "classify",
        "write_the_answer",
    ]
    assert (result.stopped, result.steps[1].text) == ("", "valid")
    result, prompts = run(folder, "Policy Q-7.", {"schema": "Facts", "reply": {"policy_number": "Q-7"}})
    assert (result.stopped, len(prompts)) == ("expired", 1)


@pytest.mark.slow
def test_a_step_is_repeated_over_the_list_of_an_earlier_one(run: Run, tmp_path: Path) -> None:
    steps = (
        "## Workflow\n\n1. List the depots.\n2. For each depot, write a label.\n3. Summarise the labels.\n"
    )
    put(tmp_path, {"parcels/SKILL.md": HEAD + steps})
    depots = {"schema": "Depots", "reply": {"depots": ["Bern", "Ulm"]}}
    labels = [{"reply": f"To {name}.", "times": 1} for name in ("Bern", "Ulm")]
    result, prompts = run(tmp_path / "parcels", "Two depots.", depots, *labels, {"reply": "Two labels."})
    assert [step.text for step in result.steps[1:]] == ["To Bern.", "To Ulm.", "Two labels."]
    assert ["Ulm" in prompt for prompt in prompts[1:]] == [False, True, True]
    assert "To Bern." in prompts[3]


@pytest.mark.slow
def test_a_step_of_a_person_keeps_all_its_words(run: Run, tmp_path: Path) -> None:
    """They were left out as "the input of a run", and the question had the first three sentences."""
    rules = ["One.", "Two.", "Three.", 'Quote `"$branch"` as it is.', "Never mark it ready unless asked."]
    waits = section("## Step 1: Fetch the rates", order="\n".join(f"- {each}" for each in rules))
    put(tmp_path, {"parcels/SKILL.md": HEAD + waits + section("## Step 2: Describe", "## Step 3: Label")})
    folder = tmp_path / "parcels"
    result, prompts = run(folder, "A parcel.")
    assert (result.stopped, prompts) == ("fetch_the_rates", [])
    assert result.question.endswith(waits.strip())
    result, prompts = run(folder, "A parcel.", {"reply": "Good."}, inputs={"fetch_the_rates": "4 euros"})
    assert result.stopped == ""
    assert ["4 euros" in prompt and waits.strip() in prompt for prompt in prompts] == [True, True]


WHOLE = """Never guess a weight.

## Tools

```bash
git log --oneline
jq .weight parcel.json
```

## Phase 1: Fetch the rates

Ring the depot. Use `scripts/price.py`.

```text
Bern 4
```

## Phase 2: Describe the parcel

| Part | Say |
|---|---|
| box | the size |

## GATE: Approval

Ask the user whether it is right.

## Phase 3: Price

Run `python scripts/price.py`.

## Phase 4: Weigh up the price

In one sentence.

## Notes

1. Keep it short.
"""


@pytest.mark.slow
def test_each_line_of_a_document_with_steps_is_told(run: Run, tmp_path: Path) -> None:
    """The property of all packages, read from the wire: no line of the owner is in no prompt."""
    put(tmp_path, {"parcels/SKILL.md": HEAD + WHOLE, "parcels/scripts/price.py": "print(4)\n"})
    conversion = converted(tmp_path / "parcels")
    procedure = conversion.inventory.procedure
    assert procedure is not None
    inputs = {step.step_id: "Yes." for step in procedure.steps if step.does.value == "wait"}
    assert inputs
    result, prompts = run(tmp_path / "parcels", "A box.", {"reply": "Good."}, inputs=inputs)
    assert result.stopped == ""
    lines = [line for line in WHOLE.splitlines() if line.strip()]
    assert [line for line in lines if not any(line in prompt for prompt in prompts)] == []


@pytest.mark.slow
def test_one_of_the_alternatives_is_done(run: Run, tmp_path: Path) -> None:
    folder = case("alternatives-are-a-choice", tmp_path)
    chosen = {"schema": "Choice", "reply": {"reason": "Raw notes.", "choice": "After the meeting: notes"}}
    result, prompts = run(folder, "Here are my notes.", chosen, {"reply": "Key points: none."})
    assert [step.step for step in result.steps] == ["choose", "after_the_meeting_notes"]
    assert "Prepare a brief" not in prompts[1]
    assert result.text == "Key points: none."
