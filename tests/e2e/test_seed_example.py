"""Seed 000 section 7: the small OpenClaw workspace gives the inventory, mapping and report that are printed there."""

import json
from pathlib import Path

import pytest

from tests.safety.chain import run

FILES = {
    "SOUL.md": "# Soul\n\n## Voice\n\nWarm, curious tone; prefers Socratic questioning\n",
    "IDENTITY.md": "name: ticket-triage\n",
    "AGENTS.md": "# Agents\n\n## Tickets\n\n- Never auto-close a ticket without confirmation\n",
    "HEARTBEAT.md": "Run every 30m during business hours\n",
}


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("seed")
    workspace = folder / "workspace"
    workspace.mkdir()
    for name, text in FILES.items():
        (workspace / name).write_text(text, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SOURCE_DATE_EPOCH", "1793500000")
        done = run(workspace, "--dependencies=auto", "--out", folder / "out")
    assert done.code == 0, done.messages
    return folder / "out" / "ticket_triage_mellea"


def read(package: Path, name: str) -> dict[str, object]:
    document = json.loads((package / name).read_text(encoding="utf-8"))
    assert isinstance(document, dict)
    return document


ELEMENTS = [
    pytest.param("SOUL.md", "CONVERSE", "C1", "Warm, curious tone; prefers Socratic questioning", id="soul"),
    pytest.param("IDENTITY.md", "CONFIG", "C1", "name: ticket-triage", id="identity"),
    pytest.param(
        "AGENTS.md", "DECIDE", "C2", "Rule: never auto-close a ticket without confirmation", id="rule"
    ),
    pytest.param("HEARTBEAT.md", "ORCHESTRATE", "C9", "Run every 30m during business hours", id="heartbeat"),
]


def converting(package: Path, file: str) -> list[dict[str, object]]:
    """Return the elements of a file that convert to something; a judged line of the persona stands beside them."""
    elements = read(package, "intermediate/inventory.json")["elements"]
    assert isinstance(elements, list)
    own = [each for each in elements if each["source_file"] == file]
    parts = [each["content_full"] for each in own if each["kind"] == "part"]
    assert all(any(part in each["content_full"] for each in own if each["kind"] != "part") for part in parts)
    return [each for each in own if each["category"] != "—" and each["kind"] != "part"]


@pytest.mark.parametrize(("file", "tag", "category", "summary"), ELEMENTS)
def test_the_inventory_is_as_printed(package: Path, file: str, tag: str, category: str, summary: str) -> None:
    found = [
        (element["tag"], element["category"], element["content_summary"])
        for element in converting(package, file)
    ]
    assert found == [(tag, category, summary)]


MAPPINGS = [
    pytest.param(
        "SOUL.md", "config.py", "PREFIX_TEXT", "bundle", "prefix= argument on all m.instruct", id="soul"
    ),
    pytest.param("IDENTITY.md", "config.py", "AGENT_NAME", "bundle", "constant", id="identity"),
    pytest.param(
        "AGENTS.md",
        "requirements.py",
        "OPERATING_REQUIREMENTS",
        "Requirement",
        "Requirement(description=..., validation_fn=...)",
        id="rule",
    ),
    pytest.param(
        "HEARTBEAT.md", "config.py", "SCHEDULE_CONFIG", "delegate", "constant + SETUP.md §6", id="heartbeat"
    ),
]


@pytest.mark.parametrize(("file", "target_file", "symbol", "primitive", "construct"), MAPPINGS)
def test_the_mapping_is_as_printed(
    package: Path, file: str, target_file: str, symbol: str, primitive: str, construct: str
) -> None:
    mappings = read(package, "intermediate/element_mapping.json")["mappings"]
    assert isinstance(mappings, list)
    ids = {item["element_id"] for item in converting(package, file)}
    found = [
        (item["target_file"], item["target_symbol"], item["primitive"], item["mellea_construct"])
        for item in mappings
        if item["element_id"] in ids
    ]
    assert found == [(target_file, symbol, primitive, construct)]


def test_the_manifest_says_heartbeat_and_keeps_the_declared_hours(package: Path) -> None:
    manifest = read(package, "melleafy.json")
    assert manifest["package_name"] == "ticket_triage_mellea"
    assert manifest["source_runtime"] == "openclaw"
    assert manifest["modality"] == "heartbeat"
    schedule = manifest["schedule_config"]
    assert isinstance(schedule, dict)
    assert (schedule["type"], schedule["cadence"], schedule["active_hours"]) == (
        "interval",
        "30m",
        "business hours",
    )


def test_the_report_has_its_nine_sections_in_order(package: Path) -> None:
    report = (package / "mapping_report.md").read_text(encoding="utf-8")
    titles = [line.removeprefix("## ") for line in report.splitlines() if line.startswith("## ")]
    assert [title.split(" ", 1)[1] for title in titles[:9]] == [
        "Classification",
        "Decomposition Summary",
        "Element Mapping",
        "Judgment Calls",
        "Removed During Audit",
        "Provenance Appendix",
        "Source file contributions",
        "Runtime-specific constructs not reproduced",
        "Detected but not handled (deferred)",
    ]


def test_the_setup_guide_says_what_the_seed_says_of_active_hours(package: Path) -> None:
    setup = (package / "SETUP.md").read_text(encoding="utf-8")
    assert "§6.1" in setup
    assert "business hours" in setup
    assert "APScheduler" in setup
