"""OpenClaw's modality signals, its schedule, and what is said about both (seed 000 section 5, spec/conversion.md 2.2)."""

import json
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from melleafy_tui.core.dialects.openclaw.modality import modality_evidence, modality_findings, schedule
from melleafy_tui.core.models.snapshot import Snapshot, SourceFile
from melleafy_tui.core.models.vocabulary import Modality
from melleafy_tui.core.source.secrets.masking import masked_file
from tests.rows import every_row

MakeSnapshot = Callable[..., Snapshot]


def heartbeat(**fields: object) -> str:
    return json.dumps({"agents": {"defaults": {"heartbeat": fields}}}, indent=1)


def signs(snapshot: Snapshot) -> list[tuple[str, str, str, int]]:
    return [
        (found.modality.value, found.rule, found.file, found.line) for found in modality_evidence(snapshot)
    ]


def findings(snapshot: Snapshot) -> list[tuple[str, str]]:
    return [(found.code, found.location) for found in modality_findings(snapshot)]


# --- signals -----------------------------------------------------------------------------------------


@every_row("path", ["openclaw.json", "../openclaw.json", "openclaw.json5"])
def test_heartbeat_every(path: str, snapshot_of: MakeSnapshot) -> None:
    snapshot = snapshot_of({path: heartbeat(every="30m")})
    assert signs(snapshot) == [("heartbeat", "openclaw.json heartbeat.every", path, 5)]


def test_heartbeat_without_every_is_no_signal(snapshot_of: MakeSnapshot) -> None:
    assert signs(snapshot_of({"openclaw.json": heartbeat(target="last")})) == []


def test_only_agents_with_a_heartbeat_of_their_own_are_woken_if_one_has_it(snapshot_of: MakeSnapshot) -> None:
    listed = [{"id": "main", "default": True}, {"id": "clerk", "heartbeat": {"every": "1h"}}]
    settings = {"agents": {"defaults": {"heartbeat": {"every": "30m"}}, "list": listed}}
    snapshot = snapshot_of({"openclaw.json": json.dumps(settings), "HEARTBEAT.md": "- Look at the gate\n"})
    assert signs(snapshot) == []
    assert "heartbeat-off" in [code for code, _ in findings(snapshot)]


@every_row("every", ["0m", "0", 0, "0h"])
def test_off_silences_the_words_of_heartbeat_md_too(every: object, snapshot_of: MakeSnapshot) -> None:
    snapshot = snapshot_of({"openclaw.json": heartbeat(every=every), "HEARTBEAT.md": "Run every 30m\n"})
    assert signs(snapshot) == []
    assert schedule(snapshot).type == ""
    assert findings(snapshot) == [("heartbeat-off", "openclaw.json:5")]


def test_an_agents_own_heartbeat_wins(snapshot_of: MakeSnapshot) -> None:
    text = """{agents: {
      defaults: {heartbeat: {every: "0m"}},
      list: [
        {id: "main"},
        {id: "ops", workspace: "~/work/agent", heartbeat: {every: "5m"}},
      ]}}"""
    snapshot = snapshot_of({"openclaw.json": text})
    assert signs(snapshot) == [("heartbeat", "openclaw.json heartbeat.every", "openclaw.json", 5)]
    assert schedule(snapshot).seconds == 300
    assert findings(snapshot) == [
        ("several-agents", "openclaw.json:5"),
        ("heartbeat-overridden", "openclaw.json:5"),
    ]


@every_row(
    ("line", "cron", "zone"),
    [
        ("**Schedule:** Every Friday at 7:00 AM PT", "0 7 * * 5", "America/Los_Angeles"),
        ("- When: every Friday at 7:00", "0 7 * * 5", ""),
        ("**时间**：每周五 7:00", "0 7 * * 5", ""),
        ("**触发时间：** 每周五 07:00 自动运行", "0 7 * * 5", ""),
        ("**Wann:** jeden Freitag um 7:00 Uhr", "0 7 * * 5", ""),
        ("- Frecuencia: todos los viernes a las 7:00", "0 7 * * 5", ""),
    ],
)
def test_a_line_says_more_exactly_when_its_heading_is_due(
    line: str, cron: str, zone: str, snapshot_of: MakeSnapshot
) -> None:
    text = f"# H\n\n## Fence walk (weekly)\n\n{line}\n\n- Look at every post\n"
    (task,) = schedule(snapshot_of({"HEARTBEAT.md": text})).tasks
    assert (task.title, task.schedule.cron, task.schedule.timezone) == ("Fence walk", cron, zone)


def test_a_sentence_about_the_line_above_is_no_task(snapshot_of: MakeSnapshot) -> None:
    text = "# H\n\n## Goats\n\n- Open the gate\n- This is most urgent on the first heartbeat of the day\n"
    assert schedule(snapshot_of({"HEARTBEAT.md": text})).tasks == ()


def test_a_task_that_waits_for_a_heartbeat_gives_it_no_zone(snapshot_of: MakeSnapshot) -> None:
    text = "# H\n\n## Weather\n- **When:** one time a day, at the first heartbeat past 06:30 ET\n"
    assert schedule(snapshot_of({"HEARTBEAT.md": text})).timezone == ""


@every_row(
    ("text", "start", "end", "quiet"),
    [
        ("- Feed\n\n## Rules\n- Late night, 22:00-06:00 PT: no bells\n", "06:00", "22:00", "22:00-06:00"),
        ("- Feed\n\n## 规则\n- 安静时间 22:00-06:00\n", "06:00", "22:00", "22:00-06:00"),
        ("- Feed\n\n## Goats\n- Late night, 22:00-06:00 PT: no bells\n", "", "", ""),
        ("## Active hours\n9:00 AM – 10:00 PM EST.\n\n## Checks\n- Feed\n", "09:00", "22:00", ""),
        ("- Feed\n- Quiet hours: 10pm–7am PT\n", "07:00", "22:00", "22:00-07:00"),
        ("- Feed\n- If 7 AM–7 PM: sing\n", "", "", ""),
    ],
)
def test_the_window_of_a_heartbeat(
    text: str, start: str, end: str, quiet: str, snapshot_of: MakeSnapshot
) -> None:
    found = schedule(snapshot_of({"HEARTBEAT.md": "# H\n\n" + text}))
    assert (found.active_start, found.active_end, found.quiet_hours) == (start, end, quiet)


@every_row(
    "text",
    [
        pytest.param("- Check mail\n- Tickets older than 7 days\n", id="ages"),
        pytest.param("<!-- every 30 minutes -->\n- Check mail\n", id="a comment above"),
        pytest.param("| Task | Note |\n|---|---|\n| 09:00 | Mail |\n", id="a clock in another column"),
        pytest.param("- Write, e.g. every 30 minutes, a line\n", id="an example"),
        pytest.param("- One nudge per topic per day max\n", id="a limit that is a rule"),
        pytest.param("- Only try once per heartbeat\n", id="once per heartbeat"),
        pytest.param("- It would be nice to check hourly\n", id="a wish"),
    ],
)
def test_content_without_a_cadence_is_a_heartbeat_without_a_schedule(
    text: str, snapshot_of: MakeSnapshot
) -> None:
    snapshot = snapshot_of({"HEARTBEAT.md": text})
    assert [sign[:2] for sign in signs(snapshot)] == [("heartbeat", "HEARTBEAT.md content")]
    found = schedule(snapshot)
    assert (found.type, found.cadence, found.seconds, found.tasks) == ("", "", None, ())


@every_row(
    ("path", "text"),
    [
        ("AGENTS.md", "- **Daily notes:** `memory/YYYY-MM-DD.md`\n"),
        ("AGENTS.md", "The team meets every Monday at 10:00.\n"),
        ("AGENTS.md", "The folder syncs automatically, cron every 2h.\n"),
        ("AGENTS.md", "Every cron job runs at least once a week.\n"),
        ("USER.md", "- Wakes up daily at 7:00\n"),
        ("TOOLS.md", "The mill (built 2019, 10:30 tour) is old.\n"),
        ("AGENTS.md", "- Thursday at 7pm PT: when the miller asks, sweep the yard\n"),
    ],
)
def test_times_in_other_files_that_are_no_schedule(path: str, text: str, snapshot_of: MakeSnapshot) -> None:
    assert schedule(snapshot_of({"HEARTBEAT.md": "- Feed\n", path: text})).tasks == ()


def test_sources_that_disagree_are_a_finding(snapshot_of: MakeSnapshot) -> None:
    files = {"openclaw.json": heartbeat(every="30m"), "HEARTBEAT.md": "# H\n\nRuns every hour.\n"}
    snapshot = snapshot_of(files)
    (finding,) = modality_findings(snapshot)
    assert (finding.code, finding.location) == ("wake-ups-disagree", "HEARTBEAT.md:3")
    assert "every hour" in finding.message
    assert "openclaw.json:5" in finding.message
    assert schedule(snapshot).seconds == 1800
    same = files | {"HEARTBEAT.md": "Runs every 30 minutes.\n"}
    assert findings(snapshot_of(same)) == []


def test_several_wake_ups_are_a_list(snapshot_of: MakeSnapshot) -> None:
    text = "# H\n\n- Heartbeat on weekdays at 9am\n- Heartbeat every Sunday at 18:00\n"
    found = schedule(snapshot_of({"HEARTBEAT.md": text}))
    assert [each.cron for each in (found, *found.others)] == ["0 9 * * 1-5", "0 18 * * 0"]


def test_a_cadence_in_another_file_is_none(snapshot_of: MakeSnapshot) -> None:
    assert signs(snapshot_of({"AGENTS.md": "Check in every 30 minutes.\n", "SOUL.md": "hourly\n"})) == []


@every_row("path", ["HOOK.md", "hooks/mail/HOOK.md"])
def test_hook_files(path: str, snapshot_of: MakeSnapshot) -> None:
    assert signs(snapshot_of({path: "# Hook\n"})) == [("event_triggered", "HOOK.md", path, 0)]


def test_hook_files_elsewhere_are_none(snapshot_of: MakeSnapshot) -> None:
    assert signs(snapshot_of({}, names=("skills/x/HOOK.md", "hooks/a/b/HOOK.md"))) == []


@every_row(
    ("hooks", "line"),
    [
        pytest.param(
            '{"internal": {"entries": {\n"mail": {"events": ["message:sent"]}}}}', 3, id="internal entries"
        ),
        pytest.param('{"entries": {\n"mail": {"event": "gateway:startup"}}}', 3, id="entries"),
        pytest.param('{"mappings": [\n{"match": {"path": "x"}}]}', 3, id="webhook mappings"),
        pytest.param('[\n{"name": "mail"}]', 3, id="list"),
    ],
)
def test_hooks_of_the_configuration(hooks: str, line: int, snapshot_of: MakeSnapshot) -> None:
    snapshot = snapshot_of({"openclaw.json": f'{{\n"hooks": {hooks}}}'})
    assert signs(snapshot) == [("event_triggered", "openclaw.json hooks", "openclaw.json", line)]


def test_a_hook_that_is_switched_off(snapshot_of: MakeSnapshot) -> None:
    text = '{"hooks": {"internal": {"entries": {"mail": {"enabled": false}}}}}'
    assert signs(snapshot_of({"openclaw.json": text})) == []


def test_boot_md_runs_on_an_event(snapshot_of: MakeSnapshot) -> None:
    assert signs(snapshot_of({"BOOT.md": "- Say hello\n"})) == [("event_triggered", "BOOT.md", "BOOT.md", 0)]
    assert signs(snapshot_of({"BOOT.md": "\n"})) == []


@every_row(
    "path", ["AGENTS.md", "TOOLS.md", "HEARTBEAT.md", "memory-wiki/concepts/x.md", "skills/x/SKILL.md"]
)
def test_openclaw_cron_add_anywhere_in_the_inventoried_text(path: str, snapshot_of: MakeSnapshot) -> None:
    snapshot = snapshot_of({path: "# X\n\nRun `openclaw cron add --name brief` once.\n"})
    assert ("scheduled", "openclaw cron add", path, 3) in signs(snapshot)


@every_row(
    ("path", "text"),
    [
        ("README.md", "openclaw cron add"),
        ("AGENTS.md", "openclaw cron list"),
        ("AGENTS.md", "add a cron job"),
    ],
)
def test_what_is_no_cron_add(path: str, text: str, snapshot_of: MakeSnapshot) -> None:
    assert signs(snapshot_of({path: text})) == []


WEEKDAYS = ("mon", "tue", "wed", "thu", "fri")
JOBS = """{"jobs": [
 {"name": "brief", "schedule": {"kind": "cron", "expr": "0 9 * * 1-5", "tz": "Europe/Dublin"}},
 {"name": "poll", "schedule": {"kind": "every", "everyMs": 900000}},
 {"name": "off", "enabled": false, "schedule": {"kind": "every", "everyMs": 1000}}
]}"""


def test_cron_jobs(snapshot_of: MakeSnapshot) -> None:
    snapshot = snapshot_of({"cron/jobs.json": JOBS})
    assert signs(snapshot) == [
        ("scheduled", "cron/jobs.json", "cron/jobs.json", 2),
        ("scheduled", "cron/jobs.json", "cron/jobs.json", 3),
    ]
    found = schedule(snapshot)
    assert (found.seconds, found.cadence, found.file, found.lines) == (900, "15m", "cron/jobs.json", "3")
    (other,) = found.others
    assert (other.cron, other.timezone, other.lines) == ("0 9 * * 1-5", "Europe/Dublin", "2")
    assert [task.title for task in found.tasks] == ["brief", "poll"]


def test_jobs_beside_a_heartbeat_are_tasks(snapshot_of: MakeSnapshot) -> None:
    found = schedule(snapshot_of({"../cron/jobs.json": JOBS, "HEARTBEAT.md": "Run every 30m\n"}))
    assert (found.seconds, found.others) == (1800, ())
    assert [(task.title, task.schedule.file) for task in found.tasks] == [
        ("brief", "../cron/jobs.json"),
        ("poll", "../cron/jobs.json"),
    ]


@every_row(
    ("folder", "names"),
    [
        ("workspace", ["own", "unnamed"]),
        ("workspace-mill", ["mill's"]),
        ("workspace-barn", ["unnamed"]),
        ("farm", None),
    ],
)
def test_jobs_of_other_agents_are_told_by_the_folder(
    folder: str, names: list[str] | None, snapshot_of: MakeSnapshot
) -> None:
    jobs = [
        {"name": "own", "agentId": "main", "schedule": {"kind": "every", "everyMs": 900_000}},
        {"name": "unnamed", "schedule": {"kind": "every", "everyMs": 900_000}},
        {"name": "mill's", "agentId": "mill", "schedule": {"kind": "every", "everyMs": 900_000}},
    ]
    snapshot = snapshot_of({"../cron/jobs.json": json.dumps({"jobs": jobs}), "HEARTBEAT.md": "- Feed\n"})
    found = schedule(replace(snapshot, name=folder))
    assert [task.title for task in found.tasks] == (names or ["own", "unnamed", "mill's"])


def test_signals_come_in_order_of_precedence(snapshot_of: MakeSnapshot) -> None:
    snapshot = snapshot_of(
        {
            "HOOK.md": "h",
            "AGENTS.md": "openclaw cron add",
            "HEARTBEAT.md": "every hour\n",
            "openclaw.json": heartbeat(every="1h"),
        }
    )
    found = [sign[0] for sign in signs(snapshot)]
    assert found == ["heartbeat", "heartbeat", "event_triggered", "scheduled"]
    assert list(Modality)[:3] == [Modality.HEARTBEAT, Modality.EVENT_TRIGGERED, Modality.SCHEDULED]


# --- schedule ----------------------------------------------------------------------------------------


@every_row(
    ("every", "kind", "seconds", "cadence"),
    [
        ("30m", "interval", 1_800, "30m"),
        ("1h30m", "interval", 5_400, "1h30m"),
        (15, "interval", 900, "15m"),
        ("often", "words", None, "often"),
        ("${HEARTBEAT_EVERY}", "words", None, "${HEARTBEAT_EVERY}"),
    ],
)
def test_schedule_of_the_configuration(
    every: object, kind: str, seconds: int | None, cadence: str, snapshot_of: MakeSnapshot
) -> None:
    found = schedule(
        snapshot_of({"openclaw.json": heartbeat(every=every), "HEARTBEAT.md": "every 5 minutes\n"})
    )
    assert (found.type, found.seconds, found.cadence) == (kind, seconds, cadence)
    assert (found.file, found.lines) == ("openclaw.json", "5")


def test_the_window_of_the_configuration(snapshot_of: MakeSnapshot) -> None:
    hours = {"start": "9:00", "end": "18:00", "timezone": "Europe/Dublin"}
    snapshot = snapshot_of({"openclaw.json": heartbeat(every="30m", activeHours=hours)})
    found = schedule(snapshot)
    assert (found.active_hours, found.active_start, found.active_end) == ("09:00-18:00", "09:00", "18:00")
    assert found.timezone == "Europe/Dublin"
    assert findings(snapshot) == [("active-hours-normalised", "openclaw.json:6-10")]


@every_row(("zone", "expected"), [("user", "Asia/Tokyo"), ("", "Asia/Tokyo"), ("local", ""), ("UTC", "UTC")])
def test_the_users_time_zone(zone: str, expected: str, snapshot_of: MakeSnapshot) -> None:
    beat = {"every": "1h", "activeHours": {"start": "09:00", "end": "18:00", "timezone": zone}}
    text = json.dumps({"agents": {"defaults": {"userTimezone": "Asia/Tokyo", "heartbeat": beat}}})
    assert schedule(snapshot_of({"openclaw.json": text})).timezone == expected


def test_the_window_in_words_beside_an_interval_in_the_configuration(snapshot_of: MakeSnapshot) -> None:
    found = schedule(
        snapshot_of(
            {"openclaw.json": heartbeat(every="30m"), "HEARTBEAT.md": "Run every 30m during business hours\n"}
        )
    )
    assert (found.cadence, found.active_hours, found.file) == ("30m", "business hours", "openclaw.json")


def test_the_window_of_the_configuration_beside_a_cadence_in_words(snapshot_of: MakeSnapshot) -> None:
    found = schedule(
        snapshot_of(
            {"openclaw.json": heartbeat(activeHours="09:00-18:00"), "HEARTBEAT.md": "Run every 30m\n"}
        )
    )
    assert (found.cadence, found.active_hours, found.file) == ("30m", "09:00-18:00", "HEARTBEAT.md")


def test_no_schedule(snapshot_of: MakeSnapshot) -> None:
    assert schedule(snapshot_of({"SOUL.md": "s"})).type == ""


# --- findings ----------------------------------------------------------------------------------------


@every_row(
    ("fields", "code"),
    [
        ({"every": "often"}, "cadence-not-understood"),
        ({"every": "0m"}, "heartbeat-off"),
        ({"activeHours": "dawn till dusk"}, "active-hours-not-understood"),
        ({"activeHours": {"start": "08:00", "end": "08:00"}}, "active-hours-never"),
        ({"activeHours": [9, 18]}, "active-hours-normalised"),
    ],
)
def test_findings_about_the_heartbeat(
    fields: dict[str, object], code: str, snapshot_of: MakeSnapshot
) -> None:
    found = modality_findings(snapshot_of({"openclaw.json": heartbeat(**fields)}))
    assert [finding.code for finding in found] == [code]
    assert found[0].lines.partition("-")[0] == "5"


def test_nothing_to_say_about_a_plain_heartbeat(snapshot_of: MakeSnapshot) -> None:
    fields = {"every": "30m", "activeHours": {"start": "09:00", "end": "18:00"}}
    assert findings(snapshot_of({"openclaw.json": heartbeat(**fields)})) == []


@every_row("path", ["openclaw.json", "../openclaw.json", "cron/jobs.json"])
def test_syntax_errors_have_their_place(path: str, snapshot_of: MakeSnapshot) -> None:
    snapshot = snapshot_of({path: '{\n "a": `x`\n}'})
    (finding,) = modality_findings(snapshot)
    assert (finding.code, finding.location) == ("json-syntax", f"{path}:2")
    assert "line 2, column 7" in finding.message
    assert signs(snapshot) == []


def test_a_cadence_in_words_is_named(snapshot_of: MakeSnapshot) -> None:
    snapshot = snapshot_of({"HEARTBEAT.md": "# H\n\nCheck every few hours.\n"})
    assert findings(snapshot) == [("cadence-not-understood", "HEARTBEAT.md:3")]


def test_a_secret_where_an_interval_should_be_is_not_quoted(snapshot_of: MakeSnapshot) -> None:
    value = "ghp_" + "a1B2" * 9
    text = heartbeat(every=value)
    file = masked_file(SourceFile("openclaw.json", text.encode(), text))
    (finding,) = modality_findings(replace(snapshot_of({"openclaw.json": text}), files=(file,)))
    assert value not in finding.message
