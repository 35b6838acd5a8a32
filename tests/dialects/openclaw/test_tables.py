"""Every row of the dialect's tables, by name: files, mapping, homes, lines left out, budgets."""

import pytest

from melleafy_tui.core.dialects.base import mapping_rows
from melleafy_tui.core.dialects.openclaw.budgets import BUDGETS, budget_of, limit_for, with_own_limits
from melleafy_tui.core.dialects.openclaw.file_rules import FILE_RULES, rule_for
from melleafy_tui.core.dialects.openclaw.reader import READERS
from melleafy_tui.core.errors import UsageError
from melleafy_tui.core.models.facts import HookFact
from melleafy_tui.core.models.vocabulary import Category, Disposition
from melleafy_tui.generators.literals import json_bytes
from tests.dialects.openclaw.in_memory import elements_of, inventory_of, mapped
from tests.rows import every_row

FILES = {
    "SOUL.md": ("openclaw.soul", "Warm.\n"),
    "IDENTITY.md": ("openclaw.identity", "- **Name:** Ada\n"),
    "AGENTS.md": ("openclaw.agents", "- Never lie.\n"),
    "docs/AGENTS.md": ("openclaw.agents.scoped", "- Never lie.\n"),
    "USER.md": ("openclaw.user", "- **Team:** four\n"),
    "TOOLS.md": ("openclaw.tools", "### lamp\n\nThe lamp by the door.\n"),
    "MEMORY.md": ("openclaw.memory", "# Facts\n\nBlue.\n"),
    "DREAMS.md": ("openclaw.dreams", "Perhaps green.\n"),
    "HEARTBEAT.md": ("openclaw.heartbeat", "- Check the mail\n"),
    "BOOTSTRAP.md": ("openclaw.bootstrap", "Hello.\n"),
    "BOOT.md": ("openclaw.boot", "- Turn on the lamp\n"),
    "memory/2026-08-01.md": ("openclaw.memory.daily", "secret diary\n"),
    "memory/tides.md": ("openclaw.memory.notes", "secret diary\n"),
    "memory-wiki/entities/a.md": ("openclaw.wiki.entities", "# A\n"),
    "memory-wiki/concepts/a.md": ("openclaw.wiki.concepts", "# A\n"),
    "memory-wiki/syntheses/a.md": ("openclaw.wiki.syntheses", "# A\n"),
    "memory-wiki/sources/a.md": ("openclaw.wiki.sources", "# A\n"),
    "memory-wiki/_views/a.md": ("openclaw.wiki.views", "# A\n"),
    "openclaw.json": ("openclaw.config", '{"agents": {"defaults": {"heartbeat": {"every": "1h"}}}}'),
    "openclaw.json5": ("openclaw.config", "{agents: {defaults: {heartbeat: {every: '1h'}}}}"),
    "../openclaw.json": ("openclaw.config", '{"agents": {"defaults": {"heartbeat": {"every": "1h"}}}}'),
    "../config/openclaw.json": (
        "openclaw.config",
        '{"agents": {"defaults": {"heartbeat": {"every": "1h"}}}}',
    ),
    "../openclaw.json5": ("openclaw.config", "{agents: {defaults: {heartbeat: {every: '1h'}}}}"),
    "cron/jobs.json": ("openclaw.cron", '{"jobs": [{"name": "digest", "schedule": {"kind": "every", "everyMs": 60000}}]}'),
    "../cron/jobs.json": ("openclaw.cron", '[{"name": "digest", "schedule": {"kind": "cron", "expr": "0 7 * * *"}}]'),
    "HOOK.md": ("openclaw.hook", "# Mail\n\nRuns on mail.\n"),
    "hooks/mail/HOOK.md": ("openclaw.hook", "# Mail\n"),
    "skills/weather/SKILL.md": ("openclaw.skill", "# Weather\n"),
    ".env": ("openclaw.env", "API_KEY=\n"),
    ".env.example": ("openclaw.env", "API_KEY=\n"),
}  # fmt: skip


@every_row("path", FILES)
def test_file_rule(path: str) -> None:
    rule_id, text = FILES[path]
    inventory = inventory_of({path: text})
    (listed,) = [file for file in inventory.files if file.path == path]
    assert listed.dialect_rule_id == rule_id
    assert any(
        element.source_file == path and element.dialect_rule_id == rule_id for element in inventory.elements
    )
    if rule_id in ("openclaw.memory.daily", "openclaw.memory.notes"):
        assert listed.status == "listed"
        assert "diary" not in json_bytes(inventory).decode()
    else:
        assert (listed.status, listed.characters) == ("read", len(text))


def test_every_file_rule_is_tested_and_has_a_reader() -> None:
    tested = {rule_id for rule_id, _ in FILES.values()} | {"openclaw.hook.handler"}
    assert tested == {rule.rule_id for rule in FILE_RULES}
    assert {rule.rule_id for rule in FILE_RULES if rule.contents} == set(READERS)


@every_row(
    "path",
    ["Soul.md", "SOUL-old.md", "SOUL.md.bak", "a/SOUL.md", "skills/a/AGENTS.md", "skills/AGENTS.md", ".trash/AGENTS.md", "memory-wiki/AGENTS.md",
     "memory/notes.txt", "memory-wiki/entities/a/b.md", "hooks/HOOK.md", "x/openclaw.json", "memory-wiki/concepts/x.txt"],
)  # fmt: skip
def test_a_look_alike_is_claimed_by_no_rule(path: str) -> None:
    assert rule_for(path) is None


def test_expected_files_are_recorded_as_absent() -> None:
    absent = {file.path for file in inventory_of({"SOUL.md": "x"}).files if file.status == "absent"}
    assert absent == {
        "IDENTITY.md",
        "AGENTS.md",
        "USER.md",
        "TOOLS.md",
        "MEMORY.md",
        "HEARTBEAT.md",
        "BOOTSTRAP.md",
    }


def test_a_handler_is_noted_and_never_opened() -> None:
    inventory = inventory_of({"hooks/mail/HOOK.md": "# Mail\n", "hooks/mail/handler.ts": "steal()"})
    assert [file.status for file in inventory.files if file.path.endswith("handler.ts")] == ["listed"]
    (hook,) = inventory.elements
    assert hook.facts[HookFact].handler == "hooks/mail/handler.ts"
    assert "steal" not in json_bytes(inventory).decode()


BEAT = '{"agents": {"defaults": {"heartbeat": {%s}}}}'
ROWS: dict[str, tuple[dict[str, str], str, Category, str, str, str]] = {
    "soul.body": ({"SOUL.md": "Warm.\n"}, "SOUL.md", Category.C1, "config.py", "PREFIX_TEXT", "bundle"),
    "identity.name": ({"IDENTITY.md": "- **Name:** Ada\n"}, "IDENTITY.md", Category.C1, "config.py", "AGENT_NAME", "bundle"),
    "identity.role": ({"IDENTITY.md": "- **Role:** clerk\n"}, "IDENTITY.md", Category.C1, "config.py", "AGENT_ROLE", "bundle"),
    "identity.meta": ({"IDENTITY.md": "- **Emoji:** 🥐\n"}, "IDENTITY.md", Category.C1, "config.py", "AGENT_METADATA", "bundle"),
    "identity.prose": ({"IDENTITY.md": "## Bounds\n\n- Never shout.\n"}, "IDENTITY.md", Category.C1, "config.py", "PREFIX_TEXT", "bundle"),
    "agents.rule": ({"AGENTS.md": "- Never lie.\n"}, "AGENTS.md", Category.C2, "requirements.py", "OPERATING_REQUIREMENTS", "Requirement"),
    "agents.scoped": ({"ui/AGENTS.md": "- Never lie.\n"}, "ui/AGENTS.md", Category.C2, "requirements.py", "SCOPED_REQUIREMENTS", "Requirement"),
    "user.stable": ({"USER.md": "- **Team:** four\n"}, "USER.md", Category.C3, "config.py", "USER_CONTEXT", "bundle"),
    "user.overridable": ({"USER.md": "- **Timezone:** UTC\n"}, "USER.md", Category.C3, "main.py", "--user-context", "parameter"),
    "tools.narrative": ({"TOOLS.md": "### lamp\n\nThe lamp by the door.\n"}, "TOOLS.md", Category.C6, "config.py", "TOOL_GUIDANCE", "bundle"),
    "tools.endpoint": ({"TOOLS.md": "- `GET https://x.example/v1`\n"}, "TOOLS.md", Category.C6, "tools.py", "TOOLS", "tool"),
    "tools.script": ({"TOOLS.md": "- `python3 scripts/a.py`\n", "scripts/a.py": ""}, "TOOLS.md", Category.C6, "tools.py", "TOOLS", "tool"),
    "memory.body": ({"MEMORY.md": "Blue.\n"}, "MEMORY.md", Category.C5, "constrained_slots.py", "recall_memory", "delegate"),
    "dreams.body": ({"DREAMS.md": "Blue.\n"}, "DREAMS.md", Category.C5, "constrained_slots.py", "recall_memory", "delegate"),
    "memory.daily": ({"memory/2026-08-01.md": "x"}, "memory/2026-08-01.md", Category.C4, "constrained_slots.py", "load_working_state", "delegate"),
    "memory.notes": ({"memory/tides.md": "x"}, "memory/tides.md", Category.C5, "constrained_slots.py", "recall_memory", "delegate"),
    "wiki.file": ({"memory-wiki/entities/a.md": "# A\n"}, "memory-wiki/entities/a.md", Category.C5, "constrained_slots.py", "recall_memory", "delegate"),
    "wiki.write": ({"AGENTS.md": "- Update [[a]] often.\n", "memory-wiki/entities/a.md": "# A\n"}, "memory-wiki/entities/a.md", Category.C5,
                   "constrained_slots.py", "update_memory", "delegate"),
    "heartbeat.body": ({"HEARTBEAT.md": "Run every 30m\n"}, "HEARTBEAT.md", Category.C9, "config.py", "SCHEDULE_CONFIG", "delegate"),
    "heartbeat.task": ({"HEARTBEAT.md": "- Every 2 hours: count the goats\n"}, "HEARTBEAT.md", Category.C9, "config.py", "SCHEDULED_TASKS", "delegate"),
    "heartbeat.item": ({"HEARTBEAT.md": "- Check mail\n"}, "HEARTBEAT.md", Category.C9, "config.py", "HEARTBEAT_CHECKLIST", "delegate"),
    "heartbeat.every": ({"openclaw.json": BEAT % '"every": "1h"'}, "openclaw.json", Category.C9, "config.py", "SCHEDULE_CONFIG", "delegate"),
    "heartbeat.activeHours": ({"openclaw.json": BEAT % '"activeHours": {"start": "09:00", "end": "18:00"}'}, "openclaw.json", Category.C9,
                              "config.py", "SCHEDULE_CONFIG", "delegate"),
    "heartbeat.lightContext": ({"openclaw.json": BEAT % '"lightContext": true'}, "openclaw.json", Category.C9, "mapping_report.md",
                               "Runtime-specific constructs not reproduced", "report"),
    "heartbeat.isolatedSession": ({"openclaw.json": BEAT % '"isolatedSession": true'}, "openclaw.json", Category.C9, "mapping_report.md",
                                  "Runtime-specific constructs not reproduced", "report"),
    "heartbeat.other": ({"openclaw.json": BEAT % '"target": "last"'}, "openclaw.json", Category.C9, "mapping_report.md",
                        "Runtime-specific constructs not reproduced", "report"),
    "cron.job": ({"cron/jobs.json": '{"jobs": [{"name": "a", "schedule": {"expr": "0 7 * * *"}}]}'}, "cron/jobs.json", Category.C9, "SETUP.md", "§6", "delegate"),
    "cron.idle_job": ({"cron/jobs.json": '{"jobs": [{"name": "a", "enabled": false, "schedule": {"expr": "0 7 * * *"}}]}'}, "cron/jobs.json", Category.C9,
                      "mapping_report.md", "Runtime-specific constructs not reproduced", "report"),
    "bootstrap.file": ({"BOOTSTRAP.md": "Hi.\n"}, "BOOTSTRAP.md", Category.NONE, "mapping_report.md", "Removed During Audit", "report"),
    "agents.list": ({"openclaw.json": '{"agents": {"list": [{"id": "main"}, {"id": "b"}]}}'}, "openclaw.json", Category.C2, "mapping_report.md",
                    "Detected but not handled (deferred)", "report"),
    "hook.housekeeping": ({"openclaw.json": '{"hooks": {"internal": {"entries": {"boot-md": {}}}}}'}, "openclaw.json", Category.C9, "mapping_report.md",
                          "Runtime-specific constructs not reproduced", "report"),
    "agents.asked": ({"openclaw.json": '{"agents": {"list": [{"id": "main", "subagents": {"allowAgents": ["scout"]}}]}}'}, "openclaw.json", Category.C6,
                     "tools.py", "TOOLS", "tool"),
    "hook.entry": ({"HOOK.md": "# Mail\n"}, "HOOK.md", Category.C9, "SETUP.md", "§7", "delegate"),
    "skill.file": ({"skills/a/SKILL.md": "# A\n"}, "skills/a/SKILL.md", Category.C6, "tools.py", "TOOLS", "tool"),
    "env.var": ({".env": "A=\n"}, ".env", Category.C7, ".env.example", "", "parameter"),
    "boot.item": ({"BOOT.md": "- Turn on the lamp\n"}, "BOOT.md", Category.C9, "SETUP.md", "§7", "delegate"),
}  # fmt: skip


@every_row("row", ROWS)
def test_mapping_row(row: str) -> None:
    tree, path, category, file, symbol, primitive = ROWS[row]
    element, entry = next((e, m) for e, m in mapped(tree) if e.mapping_row == row)
    assert (element.source_file, element.category) == (path, category)
    assert (entry.target_file, entry.target_symbol, entry.primitive, entry.dialect_row) == (
        file,
        symbol,
        primitive,
        row,
    )


def test_every_mapping_row_is_tested_and_stands_once() -> None:
    assert [row.row_id for row in mapping_rows("openclaw")] == list(
        dict.fromkeys(row.row_id for row in mapping_rows("openclaw"))
    )
    assert set(ROWS) == {row.row_id for row in mapping_rows("openclaw")}


SEED_DEFAULTS = {
    "soul.body": Disposition.BUNDLE,
    "identity.name": Disposition.BUNDLE,
    "identity.role": Disposition.BUNDLE,
    "identity.meta": Disposition.BUNDLE,
    "agents.rule": Disposition.BUNDLE,
    "agents.scoped": Disposition.BUNDLE,
    "user.stable": Disposition.BUNDLE,
    "user.overridable": Disposition.EXTERNAL_INPUT,
    "tools.narrative": Disposition.BUNDLE,
    "memory.body": Disposition.DELEGATE_TO_RUNTIME,
    "memory.daily": Disposition.DELEGATE_TO_RUNTIME,
    "wiki.file": Disposition.DELEGATE_TO_RUNTIME,
    "heartbeat.body": Disposition.DELEGATE_TO_RUNTIME,
    "heartbeat.every": Disposition.DELEGATE_TO_RUNTIME,
    "heartbeat.activeHours": Disposition.DELEGATE_TO_RUNTIME,
    "heartbeat.lightContext": Disposition.REMOVE,
    "heartbeat.isolatedSession": Disposition.REMOVE,
    "bootstrap.file": Disposition.REMOVE,
    "agents.list": Disposition.REMOVE,
}


@every_row("row", SEED_DEFAULTS)
def test_default_disposition_is_the_seeds(row: str) -> None:
    assert (
        next(entry.default for entry in mapping_rows("openclaw") if entry.row_id == row) is SEED_DEFAULTS[row]
    )


HOMES = {
    "a heading": ("AGENTS.md", "# Rules\n", "NO_DECOMPOSE", "—", ""),
    "a lead-in": ("AGENTS.md", "Must never:\n\n- Send mail\n", "NO_DECOMPOSE", "—", ""),
    "a comment": ("AGENTS.md", "<!-- note -->\n", "NO_DECOMPOSE", "—", ""),
    "a link": ("AGENTS.md", "[the map](map.md)\n", "NO_DECOMPOSE", "—", ""),
    "a date": ("AGENTS.md", "Last updated: 2026-02-01\n", "NO_DECOMPOSE", "—", ""),
    "a table's header": ("AGENTS.md", "| Case | Act |\n|---|---|\n| Smoke | off |\n", "NO_DECOMPOSE", "—", ""),
    "a rule of AGENTS.md": ("AGENTS.md", "The oven is by the door.\n", "DECIDE", "C2", "agents.rule"),
    "a step of AGENTS.md": ("AGENTS.md", "Follow these steps:\n\n1. Open the shop\n", "ORCHESTRATE", "C2", "agents.rule"),
    "a rule of a folder's AGENTS.md": ("ui/AGENTS.md", "- Use blue.\n", "DECIDE", "C2", "agents.scoped"),
    "a step of a folder's AGENTS.md": ("ui/AGENTS.md", "## Steps\n\n1. Paint\n", "ORCHESTRATE", "C2", "agents.scoped"),
    "tool guidance": ("TOOLS.md", "- The lamp by the door\n", "TOOL_TEMPLATE", "C6", "tools.narrative"),
    "a request of the tool guidance": ("TOOLS.md", "- `GET https://x.example/v1`\n", "TOOL_TEMPLATE", "C6", "tools.endpoint"),
    "a section of SOUL.md": ("SOUL.md", "Never shout.\n", "CONVERSE", "C1", "soul.body"),
    "the name in IDENTITY.md": ("IDENTITY.md", "- **Name:** Ada\n", "CONFIG", "C1", "identity.name"),
    "the role in IDENTITY.md": ("IDENTITY.md", "- **Role:** clerk\n", "CONFIG", "C1", "identity.role"),
    "a field of IDENTITY.md": ("IDENTITY.md", "- **Motto:** rye\n", "CONFIG", "C1", "identity.meta"),
    "text of IDENTITY.md beside its fields": ("IDENTITY.md", "## Bounds\n\n- Never shout.\n", "CONVERSE", "C1", "identity.prose"),
    "a field without a value": ("IDENTITY.md", "- **Emoji:**\n", "NO_DECOMPOSE", "—", ""),
    "a fact of USER.md": ("USER.md", "- Never call on Sundays\n", "CONFIG", "C3", "user.stable"),
    "a fact of USER.md that the caller may replace": ("USER.md", "- **Timezone:** UTC\n", "CONFIG", "C3", "user.overridable"),
    "the checklist of HEARTBEAT.md": ("HEARTBEAT.md", "- Never wake Ada\n", "ORCHESTRATE", "C9", "heartbeat.item"),
    "the times of the wake-up in HEARTBEAT.md": ("HEARTBEAT.md", "Run every 30m\n", "ORCHESTRATE", "C9", "heartbeat.body"),
    "a task of HEARTBEAT.md with a time of its own": (
        "HEARTBEAT.md", "- Every 2 hours: count the goats\n", "ORCHESTRATE", "C9", "heartbeat.task"
    ),
    "the checklist of BOOT.md": ("BOOT.md", "- Turn on the lamp\n", "ORCHESTRATE", "C9", "boot.item"),
    "a section of MEMORY.md": ("MEMORY.md", "Always ask.\n", "QUERY", "C5", "memory.body"),
    "a section of DREAMS.md": ("DREAMS.md", "Perhaps.\n", "QUERY", "C5", "dreams.body"),
}  # fmt: skip
"""Places with a line that stands there: its tag, category and mapping row, whatever the line says."""


@every_row("place", HOMES)
def test_home_by_place(place: str) -> None:
    path, text, tag, category, row = HOMES[place]
    found = {element.rationale: element for element in elements_of(path, text)}
    assert place in found, list(found)
    assert (found[place].tag, found[place].category, found[place].mapping_row) == (tag, category, row)


LEFT_OUT = [
    "If nothing is due, reply HEARTBEAT_OK.",
    "Reply exactly: `HEARTBEAT_OK` — if nothing is due",
    "没有任务时回复 HEARTBEAT_OK。",
    "Wenn nichts ansteht, antworte nur mit HEARTBEAT_OK.",
    "[[reply_to_current]]",
    "Run `openclaw gateway restart` when stuck.",
    "Use `sessions_spawn` for it.",
    "Read `SOUL.md` — this is who you are",
    "Read `USER.md` and `IDENTITY.md`",
    "Lies SOUL.md",
]


@every_row("text", LEFT_OUT)
def test_a_line_with_a_meaning_on_openclaw_only_is_left_out(text: str) -> None:
    (element,) = [e for e in elements_of("AGENTS.md", f"- {text}\n") if e.kind == "item"]
    assert element.is_left_out
    assert element.category is Category.C2


KEPT = [
    "Open the shop at nine.",
    "Write a message to the baker.",
    "See [[bread]].",
    "**CRITICAL: DO NOT reply HEARTBEAT_OK without acting.**",
    "Never reply HEARTBEAT_OK while a ticket waits.",
    "Check the queue; if it is empty, reply HEARTBEAT_OK",
    "Summarise new mail, otherwise reply HEARTBEAT_OK.",
    "If nothing is due, HEARTBEAT_OK; otherwise report it to Ana.",
    "检查邮件，否则回复 HEARTBEAT_OK",
    "Reply HEARTBEAT_OK — if the oven is hot, call the baker",
    "Read SOUL.md and then water all the plants",
    "Review and update MEMORY.md",
    "Do NOT load MEMORY.md — it is Ana's alone",
    "Keep SOUL.md under two pages.",
    "Read ~/kitchen/memory.md",
    "Read notes/core-memory.md",
    "Read ../bakery/AGENTS.md",
    "Count the loaves, then run `openclaw status`",
]


@every_row("text", KEPT)
def test_a_line_that_says_something_else_stays(text: str) -> None:
    (element,) = [e for e in elements_of("HEARTBEAT.md", f"- {text}\n") if e.kind == "item"]
    assert not element.is_left_out


@every_row(
    ("release", "per_file", "total", "user"),
    [
        ("dialect-1.0", 20_000, 150_000, 20_000),
        ("2026.1.30", 20_000, None, 20_000),
        ("2026.2.16", 20_000, None, 20_000),
        ("2026.2.17", 20_000, 150_000, 20_000),
        ("2026.3.1", 20_000, 150_000, 20_000),
        ("2026.4.20", 12_000, 60_000, 12_000),
        ("2026.5.28", 12_000, 60_000, 12_000),
        ("2026.6.1", 20_000, 60_000, 20_000),
        ("2026.8.2", 20_000, 60_000, 4_000),
        ("2027.1.1", 20_000, 60_000, 4_000),
    ],
)
def test_budget_of_a_release(release: str, per_file: int, total: int | None, user: int) -> None:
    budget = budget_of(release)
    assert (budget.per_file, budget.total, limit_for(budget, "USER.md")) == (per_file, total, user)


def test_releases_stand_in_order() -> None:
    orders = [tuple(int(part) for part in row.release.split(".")) for row in BUDGETS]
    assert orders == sorted(orders)


@every_row("release", ["2025.12.1", "latest", "v2026.2.17"])
def test_an_unknown_release_is_refused(release: str) -> None:
    with pytest.raises(UsageError):
        budget_of(release)


def test_own_limits_win() -> None:
    assert with_own_limits(budget_of("2026.8.2"), 100, None, "here").per_file == 100
    config = '{"agents": {"defaults": {"bootstrapMaxChars": 5, "bootstrapTotalMaxChars": 8}, "list": [{"id": "a", "bootstrapMaxChars": 7}]}}'
    inventory = inventory_of({"SOUL.md": "123456789\n", "openclaw.json": config})
    found = {d.code: d for d in inventory.diagnostics if d.code.startswith("budget")}
    assert set(found) == {"budget-file", "budget-total"}
    assert "limit of 7 " in found["budget-file"].message


@every_row(("release", "codes"), [("dialect-1.0", []), ("2026.4.20", ["budget-file"])])
def test_over_the_limit_is_a_warning_and_nothing_is_cut(release: str, codes: list[str]) -> None:
    text = "word " * 3_000
    inventory = inventory_of({"SOUL.md": text}, release=release)
    assert [d.code for d in inventory.diagnostics if d.code.startswith("budget")] == codes
    assert inventory.elements[0].content_full == text
