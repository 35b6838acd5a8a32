"""Which headings of a skill are phases of its work, each a model call, and which only count topics."""

from melleafy_tui.core.models.facts import PhaseFact
from tests.dialects.agent_skills.in_memory import body

ORDER = "- Write the note for the depot.\n"


def _phases(text: str) -> list[str]:
    """The phases of a body's steps, each once, in source order."""
    found = [element.facts[PhaseFact].phase for element in body(text) if PhaseFact in element.facts]
    return list(dict.fromkeys(found))


def _section(*headings: str) -> str:
    return "".join(f"{heading}\n\n{ORDER}\n" for heading in headings)


def test_which_headings_are_phases() -> None:
    cases = {
        "said to be phases": (
            _section("## Phase 1: Weigh", "## Phase 2: Label"),
            ["Phase 1: Weigh", "Phase 2: Label"],
        ),
        "numbered below a workflow": (
            "# Parcels\n\n## Workflow\n\n" + _section("### 1. The scale", "### 2. The label"),
            [],
        ),
        "numbered orders": (
            "# Parcels\n\n" + _section("## 1. Weigh the parcel", "## 2. Print the label", "## 3. The end"),
            [],
        ),
        "numbered patterns": (
            "# Parcels\n\n## Patterns\n\n" + _section("### 1. Torn labels", "### 2. Wet boxes"),
            [],
        ),
        "numbered alternatives": (
            "# Parcels\n\n## Options\n\n" + _section("### 1. Send by rail", "### 2. Send by road"),
            [],
        ),
        "chapters in Chinese": (_section("## 一、包裹概况", "## 二、标签种类"), []),
        "steps of a setup": (
            "# Parcels\n\n## Setup steps\n\n" + _section("### 1. Install the scale", "### 2. Connect the printer"),
            [],
        ),
        "steps below a phase": (
            "## Phase 1: Weigh\n\n" + _section("### 1.1 Open the box", "### 1.2 Read the scale") + _section("## Phase 2"),
            ["Phase 1: Weigh", "Phase 2"],
        ),
        "a procedure beside phases": (
            _section("## Step 1: Weigh", "## Step 2: Label") + "## Process for complaints\n\n1. Call the depot.\n2. File it.\n",
            ["Step 1: Weigh", "Step 2: Label", "Process for complaints"],
        ),
        "an order before the first phase": (
            "# Parcels\n\nExtract the weight from the bill.\n\n" + _section("## Workflow"),
            [],
        ),
    }  # fmt: skip
    wrong = {name: found for name, (text, wanted) in cases.items() if (found := _phases(text)) != wanted}
    assert not wrong
