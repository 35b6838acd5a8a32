"""Clock times that name no time zone mean the user's; jobs of OpenClaw's scheduler mean that of its machine."""

import json
from datetime import date
from pathlib import Path

from melleafy_tui.core.dialects.openclaw.modality import modality_findings, schedule
from melleafy_tui.engine import open_conversion
from tests.dialects.openclaw.in_memory import snapshot_of

SETTINGS = json.dumps({"agents": {"defaults": {"userTimezone": "Asia/Tokyo"}}}, indent=1)
TIDE = "## Tide report (7:30 AM)\n- Read the gauge\n"
ROWS: tuple[tuple[dict[str, str], str, str], ...] = (
    ({"USER.md": "- **Timezone:** Europe/Lisbon\n"}, TIDE, "Europe/Lisbon USER.md:1"),
    ({"USER.md": "# USER.md\n\nTime zone: PST (by the sea)\n"}, TIDE, "America/Los_Angeles USER.md:3"),
    ({"USER.md": "- **时区**：GMT+8\n"}, TIDE, "Etc/GMT-8 USER.md:1"),
    ({"USER.md": "| Timezone | Berlin |\n|---|---|\n"}, TIDE, "Europe/Berlin USER.md:1"),
    ({"USER.md": "- **Timezone:** somewhere\n"}, TIDE, " "),
    ({"USER.md": "- **Timezone:** [e.g., America/Los_Angeles]\n"}, TIDE, " "),
    (
        {"USER.md": "- **Timezone:** Europe/Lisbon\n", "openclaw.json": SETTINGS},
        TIDE,
        "Asia/Tokyo openclaw.json:4",
    ),
    # What the heartbeat names counts before what tasks name, and those only if they agree.
    ({}, "Heartbeat: every 2 hours, 8am-8pm EST\n\n" + TIDE, "America/New_York HEARTBEAT.md:1"),
    ({}, TIDE + "\n## Gate check (9 PM CET)\n- Lock it\n", "Europe/Paris HEARTBEAT.md:4"),
    ({}, TIDE + "\n## Gate check (9 PM CET)\n- Lock it\n\n## Tea (4 PM JST)\n- Pour it\n", " "),
)
"""Other files, HEARTBEAT.md, and the zone of its times with what gives it."""


def test_the_zone_of_times_that_name_none() -> None:
    wrong = []
    for files, heartbeat, expected in ROWS:
        snapshot = snapshot_of({"HEARTBEAT.md": heartbeat, **files})
        found = schedule(snapshot)
        zone = f"{found.home_zone} {found.home_zone_source}"
        codes = [finding.code for finding in modality_findings(snapshot)]
        if zone != expected or ("time-zone-not-stated" in codes) != (expected == " "):
            wrong.append(f"{files} {heartbeat!r}: {zone!r} {codes}")
    assert not wrong, "\n".join(wrong)


def test_jobs_of_the_scheduler_keep_the_zone_of_its_machine() -> None:
    jobs = json.dumps({"jobs": [{"name": "Bell", "schedule": {"kind": "cron", "expr": "0 9 * * *"}}]})
    snapshot = snapshot_of({"cron/jobs.json": jobs, "USER.md": "- **Timezone:** Europe/Lisbon\n"})
    assert [finding.code for finding in modality_findings(snapshot)] == ["job-zone-not-stated"]


def package_of(root: Path, **files: str) -> tuple[str, str]:
    """Return config.py and SETUP.md of the package of a workspace with these files."""
    for name, text in {"SOUL": "You keep a lock.\n", **files}.items():
        (root / f"{name}.md").write_text(text, encoding="utf-8")
    conversion = open_conversion(root, as_of=date(2026, 1, 15), generated_at="2026-01-15T00:00:00Z")
    found = conversion.rendered
    config, setup = (found.by_path[f"{found.package_name}/{name}"].text for name in ("config.py", "SETUP.md"))
    return config, setup


def test_the_package_says_the_zone_and_what_gives_it(tmp_path: Path) -> None:
    config, setup = package_of(tmp_path, HEARTBEAT=TIDE, USER="- **Timezone:** Europe/Lisbon\n")
    assert '"timezone": "Europe/Lisbon"' in config
    assert "Times that name no time zone are read in `Europe/Lisbon`, which `USER.md:1` gives." in setup
    assert "\n30 7 * * * cd " in setup
    assert "the source means `Europe/Lisbon`" in setup


def test_limits_alone_name_the_line_of_their_zone(tmp_path: Path) -> None:
    """The zone is most of what such a configuration says, and its words are in another file than the hours."""
    heartbeat = "## Rules\n- Late night (22:00-07:00): no bells\n- Count the boats\n"
    config, _ = package_of(tmp_path, HEARTBEAT=heartbeat, USER="- **Timezone:** Europe/Lisbon (GMT+1)\n")
    assert '"timezone": "Europe/Lisbon"' in config
    assert "# PROVENANCE: HEARTBEAT.md:2\n# PROVENANCE: USER.md:1\n" in config
    conversion = open_conversion(tmp_path, as_of=date(2026, 1, 15), generated_at="2026-01-15T00:00:00Z")
    assert conversion.lints.findings == ()


def test_limits_alone_may_name_their_zone_by_its_letters(tmp_path: Path) -> None:
    """Its name in the database of zones is not in the line, and is most of what the configuration says."""
    heartbeat = "On each heartbeat:\n1. Look at the clock — quiet hours: 10pm–7am PT\n2. Count the boats\n"
    config, _ = package_of(tmp_path, HEARTBEAT=heartbeat)
    assert '"timezone": "America/Los_Angeles"' in config
    conversion = open_conversion(tmp_path, as_of=date(2026, 1, 15), generated_at="2026-01-15T00:00:00Z")
    assert conversion.lints.findings == ()


def test_a_crontab_of_several_zones_says_which_line_means_which(tmp_path: Path) -> None:
    both = TIDE + "\n## Gate check (9 PM CET)\n- Lock it\n"
    _, setup = package_of(tmp_path, HEARTBEAT=both, USER="- **Timezone:** Asia/Tokyo\n")
    crontab = setup.split("```text\n")[1].split("```")[0]
    lines = [line.split(" cd ")[0] for line in crontab.splitlines()]
    assert lines == ["# Asia/Tokyo", "30 7 * * *", "# Europe/Paris", "0 21 * * *"]
    assert "Cron reads all these times in the time zone of its machine." in setup
