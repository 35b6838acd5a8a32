"""Every row of the dialect's tables, by name: files, mapping, tags, runtime-only instructions, suggestions, budgets."""

import pytest

from melleafy_tui.core.dialects.openclaw.budgets import BUDGETS, budget_of, limit_for, with_own_limits
from melleafy_tui.core.dialects.openclaw.category_suggestions import SUGGESTIONS
from melleafy_tui.core.dialects.openclaw.file_rules import FILE_RULES, rule_for
from melleafy_tui.core.dialects.openclaw.mapping_rows import MAPPING_ROWS
from melleafy_tui.core.dialects.openclaw.reader import READERS
from melleafy_tui.core.dialects.openclaw.runtime_only import RUNTIME_ONLY, runtime_only, runtime_only_row
from melleafy_tui.core.dialects.openclaw.tag_rules import (
    AGENTS_RULES,
    HEARTBEAT_RULES,
    TOOLS_RULES,
    USER_RULES,
)
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
    ["Soul.md", "SOUL-old.md", "SOUL.md.bak", "a/SOUL.md", "a/b/AGENTS.md", "skills/AGENTS.md", ".trash/AGENTS.md", "memory-wiki/AGENTS.md",
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
    "heartbeat.task": ({"HEARTBEAT.md": "- Count the goats every 2 days\n"}, "HEARTBEAT.md", Category.C9, "config.py", "SCHEDULED_TASKS", "delegate"),
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
    "hook.entry": ({"HOOK.md": "# Mail\n"}, "HOOK.md", Category.C9, "SETUP.md", "§7", "delegate"),
    "skill.file": ({"skills/a/SKILL.md": "# A\n"}, "skills/a/SKILL.md", Category.C6, "constrained_slots.py", "", "stub"),
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
    assert [row.row_id for row in MAPPING_ROWS] == list(dict.fromkeys(row.row_id for row in MAPPING_ROWS))
    assert set(ROWS) == {row.row_id for row in MAPPING_ROWS}


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
    assert next(entry.default for entry in MAPPING_ROWS if entry.row_id == row) is SEED_DEFAULTS[row]


TAGS = {
    "agents.heading": ("AGENTS.md", "# Rules\n", "NO_DECOMPOSE"),
    "agents.markup": ("AGENTS.md", "<!-- note -->\n", "NO_DECOMPOSE"),
    "agents.placeholder": ("AGENTS.md", "- _(add your rules)_\n", "NO_DECOMPOSE"),
    "agents.quoted_output": ("AGENTS.md", "> words from a book\n", "CONFIG"),
    "agents.command_fence": ("AGENTS.md", "```bash\ncount --all\n```\n", "DETERMINISTIC"),
    "agents.form_fence": ("AGENTS.md", "## Report format\n\n```\nbread / price\n```\n", "VALIDATE_OUTPUT"),
    "agents.check_that": ("AGENTS.md", "- Check that the oven answers\n", "QUERY"),
    "agents.case": ("AGENTS.md", "## Signals\n\n- Smoke over the oven\n", "DECIDE"),
    "agents.restriction": ("AGENTS.md", "- The till only by Ana\n", "DECIDE"),
    "agents.labelled_order": ("AGENTS.md", "- Load: flour\n", "DECIDE"),
    "agents.labelled_fact": ("AGENTS.md", "- Rui: baker\n", "CONFIG"),
    "agents.bare_noun": ("AGENTS.md", "## Shop\n\n- Quality over quantity\n", "CONFIG"),
    "agents.history": ("AGENTS.md", "Last updated: 2026-02-01\n", "NO_DECOMPOSE"),
    "agents.about_document": ("AGENTS.md", "This file is about bread.\n", "NO_DECOMPOSE"),
    "agents.lead_in_trigger": ("AGENTS.md", "At the end of a session:\n\n- Write a note\n", "DECIDE"),
    "agents.lead_in": ("AGENTS.md", "Must never:\n\n- Send mail\n", "NO_DECOMPOSE"),
    "agents.example": ("AGENTS.md", "For example:\n\n- A loaf of rye\n", "CONFIG"),
    "agents.file_description": ("AGENTS.md", "- `notes.md` — what was said\n", "CONFIG"),
    "agents.step": ("AGENTS.md", "Follow these steps:\n\n1. Open the shop\n2. Count the loaves\n", "ORCHESTRATE"),
    "agents.choice": ("AGENTS.md", "Pick one of these:\n\n1. Call the desk\n2. Wait\n", "DECIDE"),
    "agents.ask_user": ("AGENTS.md", "- Ask the user for the order number\n", "CONVERSE"),
    "agents.remediate": ("AGENTS.md", "- Fix the test and re-run it until it passes\n", "REMEDIATE"),
    "agents.speech_prohibited": ("AGENTS.md", "- Never say sorry twice\n", "VALIDATE_OUTPUT"),
    "agents.output_limit": ("AGENTS.md", "- Keep every reply under 120 words.\n", "VALIDATE_OUTPUT"),
    "agents.domain_check": ("AGENTS.md", "- Verify the invoice total\n", "VALIDATE_DOMAIN"),
    "agents.condition": ("AGENTS.md", "- If the shop is closed, hand over to the night desk\n", "DECIDE"),
    "agents.prohibition": ("AGENTS.md", "- Never delete a ledger\n", "DECIDE"),
    "agents.permission": ("AGENTS.md", "You may use the back door.\n", "DECIDE"),
    "agents.speech": ("AGENTS.md", "- Say which page the number is from\n", "VALIDATE_OUTPUT"),
    "agents.threshold": ("AGENTS.md", "Max retries: 3\n", "CONFIG"),
    "agents.unnamed_step": ("AGENTS.md", "1. Open the shop\n2. Count the loaves\n", "ORCHESTRATE"),
    "agents.classify": ("AGENTS.md", "- Sort orders into rush and normal\n", "CLASSIFY"),
    "agents.extract": ("AGENTS.md", "- Extract the order number\n", "EXTRACT"),
    "agents.transform": ("AGENTS.md", "- Convert prices to euros\n", "TRANSFORM"),
    "agents.query": ("AGENTS.md", "- Look up the stock\n", "QUERY"),
    "agents.generate": ("AGENTS.md", "- Draft a plan for tomorrow\n", "GENERATE"),
    "agents.directive": ("AGENTS.md", "- Prefer rye over wheat\n", "DECIDE"),
    "agents.model": ("AGENTS.md", "- Default: claude-rye\n", "CONFIG"),
    "agents.scope_item": ("AGENTS.md", "## What you build\n\n- Oven doors\n", "CONFIG"),
    "agents.option_row": (
        "AGENTS.md", "以下暗号按此执行：\n\n| 暗号 | 含义 |\n|---|---|\n| 打烊 | 灯与门 |\n", "DECIDE"
    ),
    "tools.failure": ("TOOLS.md", "- 开机失败 → 烤箱电源\n", "DECIDE"),
    "user.upkeep": ("USER.md", "_Notes on the baker. Update this every week._\n", "NO_DECOMPOSE"),
    "tools.permission": ("TOOLS.md", "Allowed:\n\n- the red trays\n", "DECIDE"),
    "tools.order": ("TOOLS.md", "- Weigh with the old scales instead of the new ones\n", "DECIDE"),
    "tools.duty": ("TOOLS.md", "- The tray in the oven should be turned halfway\n", "DECIDE"),
    "tools.value_row": ("TOOLS.md", "| Field | Value | Share |\n|---|---|---|\n| flour | 42 | 93 % |\n", "CONFIG"),
    "heartbeat.logged": ("HEARTBEAT.md", "- ✅ 2031-04-02 oven cleaned\n", "NO_DECOMPOSE"),
    "heartbeat.when": ("HEARTBEAT.md", "## Oven check\n\n- When: once a day, before dawn\n", "ORCHESTRATE"),
    "heartbeat.case_of_rule": ("HEARTBEAT.md", "Only for:\n\n- a cold oven\n", "DECIDE"),
    "tools.labelled_rule": ("TOOLS.md", "- **Rule:** clean the tray every night\n", "DECIDE"),
    "tools.data_file": ("TOOLS.md", "- `data/prices.csv` — the bread\n", "CONFIG"),
    "tools.figures": ("TOOLS.md", "- Model 12, bay 4, fuse 16A\n", "CONFIG"),
    "user.wanted_reply": ("USER.md", "- 简洁回复\n", "VALIDATE_OUTPUT"),
    "heartbeat.status": ("HEARTBEAT.md", "## Current status\n\n- Oven warm\n", "NO_DECOMPOSE"),
    "heartbeat.output_item": ("HEARTBEAT.md", "**Report format:**\n\n- The worst first\n", "VALIDATE_OUTPUT"),
    "heartbeat.route": ("HEARTBEAT.md", "- Flour bills → the office\n", "DECIDE"),
    "heartbeat.hours": ("HEARTBEAT.md", "The shop. Outside these hours: HEARTBEAT_OK at once.\n", "DECIDE"),
    "agents.check": ("AGENTS.md", "Things to check:\n\n- Oven - is it still warm?\n", "QUERY"),
    "agents.conditional": ("AGENTS.md", "Si le four est froid, c'est la fin du service.\n", "DECIDE"),
    "agents.route": ("AGENTS.md", "Late → invoices → the finance desk.\n", "DECIDE"),
    "agents.action_row": ("AGENTS.md", "| Situation | Route |\n|---|---|\n| Lost parcel | finance desk |\n", "DECIDE"),
    "agents.item_under_rules": ("AGENTS.md", "## Principles\n\n- Quality over quantity\n", "DECIDE"),
    "agents.item": ("AGENTS.md", "## Shop\n\n- Quality over quantity for all who come in\n", "DECIDE"),
    "agents.numbered": ("AGENTS.md", "## Shop\n\n1. Quality over quantity for all who come in\n", "ORCHESTRATE"),
    "agents.checkbox": ("AGENTS.md", "## Shop\n\n- [ ] Trays and doors for all of the ovens in town\n", "ORCHESTRATE"),
    "agents.other_language": ("AGENTS.md", "## 规则\n\n质量第一\n", "DECIDE"),
    "agents.prose": ("AGENTS.md", "Small shop, big oven.\n", "CONFIG"),
    "agents.link": ("AGENTS.md", "- Full list: `docs/bread.md`\n", "NO_DECOMPOSE"),
    "agents.json_fence": ("AGENTS.md", '```json\n{"oven": null}\n```\n', "SCHEMA"),
    "agents.persona": ("AGENTS.md", "You are **Rye** — head of the bakery.\n", "CONFIG"),
    "agents.filing": ("AGENTS.md", "Complaints → `memory/complaints.md`\n", "DECIDE"),
    "agents.form_line": ("AGENTS.md", "## Report format\n\n**State:** Draft / Ready to bake\n", "VALIDATE_OUTPUT"),
    "agents.wanted_words": ("AGENTS.md", "- short, honest answers\n", "VALIDATE_OUTPUT"),
    "agents.approval": ("AGENTS.md", "Recipes on the board: the baker's approval.\n", "DECIDE"),
    "agents.statement": ("AGENTS.md", "The oven is behind the door.\n", "CONFIG"),
    "agents.check_row": ("AGENTS.md", "| Check | State |\n|---|---|\n| Flour | dry |\n", "VALIDATE_DOMAIN"),
    "agents.governed": ("AGENTS.md", "## What Rui does not do\n\n- Deliveries\n", "DECIDE"),
    "agents.row": ("AGENTS.md", "| Thing | Place |\n|---|---|\n| Recipes | drawer |\n", "CONFIG"),
    "agents.definition": ("AGENTS.md", "- exit 2 = oven too hot\n", "CONFIG"),
    "agents.canned_reply": ("AGENTS.md", "## Greeting\n\n- \"Good morning, what may I bake for you today?\"\n", "VALIDATE_OUTPUT"),
    "agents.story": ("AGENTS.md", "Root cause:\n\n- Moved the rye before it had cooled\n", "CONFIG"),
    "agents.fact_below": ("AGENTS.md", "Expected gains:\n\n- Write shorter orders to the mill\n", "CONFIG"),
    "tools.listed": ("TOOLS.md", "## Sources\n\n- Mill gazette\n", "CONFIG"),
    "agents.reason": ("AGENTS.md", "- Purpose: keep the crust crisp until noon\n", "CONFIG"),
    "agents.described_command": ("AGENTS.md", "- `/trays` - Show all trays that are out\n", "CONFIG"),
    "agents.form_label": ("AGENTS.md", "- Formato preferido: lista corta con precio\n", "VALIDATE_OUTPUT"),
    "agents.said_in_reply": ("AGENTS.md", "The closing report must include:\n\n- what was left over\n", "VALIDATE_OUTPUT"),
    "agents.scheduled_row": (
        "AGENTS.md", "| Job | Frequency | What |\n|---|---|---|\n| Yeast | 21:00 | feed the starter |\n", "ORCHESTRATE"
    ),
    "agents.named_file": ("AGENTS.md", "- trays.md → what is in the oven\n", "CONFIG"),
    "agents.named_tool": ("AGENTS.md", "## Agents\n\n- `dough-scale` → weighing, portions, loss\n", "CONFIG"),
    "agents.manner": ("AGENTS.md", "Be:\n\n- crisp\n", "VALIDATE_OUTPUT"),
    "agents.output_item": ("AGENTS.md", "## Reply format\n\n- The price in bold\n", "VALIDATE_OUTPUT"),
    "agents.rule_row": ("AGENTS.md", "## Routing\n\n| Bread | Baker |\n|---|---|\n| Rye | Ana |\n", "DECIDE"),
    "tools.status": ("TOOLS.md", "- **Status:** the scale has no token yet\n", "CONFIG"),
    "tools.about_file": ("TOOLS.md", "Lamps differ. This file is for the ones in the shop.\n", "NO_DECOMPOSE"),
    "tools.item_under_rules": ("TOOLS.md", "## Rules\n\n- Clean the tray\n", "DECIDE"),
    "tools.route": ("TOOLS.md", "- Report burnt trays → Ana\n", "DECIDE"),
    "tools.job": ("TOOLS.md", "## Cron\n\n- **06:00 Oven check** (isolated)\n", "CONFIG"),
    "heartbeat.announces": ("HEARTBEAT.md", "Sample report:\n\n> rye 12\n", "NO_DECOMPOSE"),
    "heartbeat.checking_lead_in": ("HEARTBEAT.md", "Open each till and verify it answers:\n\n- front\n", "QUERY"),
    "heartbeat.question": ("HEARTBEAT.md", "- Is the oven warm?\n", "QUERY"),
    "heartbeat.case": ("HEARTBEAT.md", "- New slips on the desk → file them\n", "DECIDE"),
    "heartbeat.item_under_rules": ("HEARTBEAT.md", "Rules:\n\n- One cake per guest\n", "DECIDE"),
    "agents.stock_prose": ("AGENTS.md", "You wake up fresh each session. These files are your continuity:\n", "NO_DECOMPOSE"),
    "tools.link": ("TOOLS.md", "- Full list: `docs/lamps.md`\n", "NO_DECOMPOSE"),
    "tools.described_row": ("TOOLS.md", "| Tool | Place | For |\n|---|---|---|\n| Lamp | door | light |\n", "TOOL_TEMPLATE"),
    "tools.field": ("TOOLS.md", "- Lamp: by the door\n", "CONFIG"),
    "tools.sentence": ("TOOLS.md", "- `--dim` is not supported by `scripts/lamp.py --all`.\n", "TOOL_TEMPLATE"),
    "user.words": ("USER.md", "- Tell me what the pros would do, always.\n", "VALIDATE_OUTPUT"),
    "user.approval": ("USER.md", "- Never push without my permission\n", "DECIDE"),
    "user.barred": ("USER.md", "- Shares: research only; no trades\n", "DECIDE"),
    "user.order": ("USER.md", "- Compare the harvest with last year before the fair\n", "DECIDE"),
    "user.condition": ("USER.md", "- If a plan is weak, offer the better one\n", "DECIDE"),
    "heartbeat.no_tasks": ("HEARTBEAT.md", "No tasks configured.\n", "NO_DECOMPOSE"),
    "heartbeat.fetching_fence": ("HEARTBEAT.md", "```\ncurl -s https://shop.example/health\n```\n", "QUERY"),
    "heartbeat.prohibition": ("HEARTBEAT.md", "- Never wake the baker\n", "DECIDE"),
    "heartbeat.output": ("HEARTBEAT.md", "- Keep the report under 50 words\n", "VALIDATE_OUTPUT"),
    "heartbeat.check_whether": ("HEARTBEAT.md", "- Check if the oven is cold\n", "QUERY"),
    "heartbeat.condition": ("HEARTBEAT.md", "- If the oven is cold, light it\n", "DECIDE"),
    "heartbeat.alert_condition": ("HEARTBEAT.md", "## When to alert\n\n- The oven went out\n", "DECIDE"),
    "heartbeat.outcome": ("HEARTBEAT.md", "- 正常：炉子是热的\n", "DECIDE"),
    "heartbeat.verify": ("HEARTBEAT.md", "- the front door → verify it opens\n", "QUERY"),
    "heartbeat.command": ("HEARTBEAT.md", "- `scripts/flour.py --count`\n", "DETERMINISTIC"),
    "heartbeat.read_only": ("HEARTBEAT.md", "- https://shop.example/orders\n", "QUERY"),
    "heartbeat.thing_to_check": ("HEARTBEAT.md", "## Things to check\n\n- Flour in the cellar\n", "QUERY"),
    "heartbeat.order": ("HEARTBEAT.md", "```\nlight the oven\n```\n", "ORCHESTRATE"),
    "tools.heading": ("TOOLS.md", "# Lamps\n", "NO_DECOMPOSE"),
    "tools.markup": ("TOOLS.md", "---\n", "NO_DECOMPOSE"),
    "tools.placeholder": ("TOOLS.md", "- **Host:** _(your host)_\n", "NO_DECOMPOSE"),
    "tools.quoted_output": ("TOOLS.md", "> words from a book\n", "NO_DECOMPOSE"),
    "tools.history": ("TOOLS.md", "Version: 2\n", "NO_DECOMPOSE"),
    "tools.about_document": ("TOOLS.md", "This file lists lamps.\n", "NO_DECOMPOSE"),
    "tools.lead_in": ("TOOLS.md", "Lamps:\n\n- by the door\n", "NO_DECOMPOSE"),
    "tools.rule": ("TOOLS.md", "- Never leave the lamp on\n", "DECIDE"),
    "tools.command": ("TOOLS.md", "- `ssh root@oven`\n", "CONFIG"),
    "tools.fence": ("TOOLS.md", "```\nlamp=1\n```\n", "CONFIG"),
    "tools.description": ("TOOLS.md", "- The lamp by the door\n", "TOOL_TEMPLATE"),
    "user.heading": ("USER.md", "# Ada\n", "NO_DECOMPOSE"),
    "user.markup": ("USER.md", "---\n", "NO_DECOMPOSE"),
    "user.placeholder": ("USER.md", "- _(to be filled)_\n", "NO_DECOMPOSE"),
    "user.history": ("USER.md", "Last updated: 2026-02-01\n", "NO_DECOMPOSE"),
    "user.about_document": ("USER.md", "This file is about Ada.\n", "NO_DECOMPOSE"),
    "user.lead_in": ("USER.md", "Likes:\n\n- rye\n", "NO_DECOMPOSE"),
    "user.stable": ("USER.md", "- Keeps bees\n", "CONFIG"),
    "heartbeat.markup": ("HEARTBEAT.md", "<!-- nothing -->\n", "NO_DECOMPOSE"),
    "heartbeat.heading": ("HEARTBEAT.md", "# Checks\n", "NO_DECOMPOSE"),
    "heartbeat.placeholder": ("HEARTBEAT.md", "- _(add tasks)_\n", "NO_DECOMPOSE"),
    "heartbeat.history": ("HEARTBEAT.md", "Last updated: 2026-02-01\n", "NO_DECOMPOSE"),
    "heartbeat.lead_in": ("HEARTBEAT.md", "Checks:\n\n- Water the plants\n", "NO_DECOMPOSE"),
    "heartbeat.query": ("HEARTBEAT.md", "- Check the mail\n", "QUERY"),
    "heartbeat.item": ("HEARTBEAT.md", "- Plants by the window\n", "ORCHESTRATE"),
    "heartbeat.instruction": ("HEARTBEAT.md", "Write the day's total on the board.\n", "ORCHESTRATE"),
    "heartbeat.owners_prose": ("HEARTBEAT.md", "The plants are thirsty at 7:00.\n", "ORCHESTRATE"),
    "heartbeat.permission": ("HEARTBEAT.md", "Without asking:\n\n- water the fern\n", "DECIDE"),
    "heartbeat.told": ("HEARTBEAT.md", "The plants are thirsty.\n", "CONFIG"),
    "heartbeat.fact": ("HEARTBEAT.md", "- Owner: Ana\n", "CONFIG"),
    "heartbeat.fact_row": ("HEARTBEAT.md", "| Plant | Pot |\n|---|---|\n| Fern | blue |\n", "CONFIG"),
    "heartbeat.state_row": ("HEARTBEAT.md", "| Plant | Status |\n|---|---|\n| Fern | green |\n", "NO_DECOMPOSE"),
    "heartbeat.acting_row": ("HEARTBEAT.md", "| Situation | Action |\n|---|---|\n| Dry fern | one litre |\n", "DECIDE"),
    "heartbeat.timed_row": ("HEARTBEAT.md", "| Plant | Time |\n|---|---|\n| Fern | at dusk |\n", "ORCHESTRATE"),
    "heartbeat.script": ("HEARTBEAT.md", "- Script: `count.py`\n", "DETERMINISTIC"),
    "heartbeat.check_row": ("HEARTBEAT.md", "| Oven | Check |\n|---|---|\n| East | door |\n", "QUERY"),
    "heartbeat.done": ("HEARTBEAT.md", "## Results of May\n\n- [x] fern in its new pot\n", "NO_DECOMPOSE"),
    "heartbeat.link": ("HEARTBEAT.md", "See `plants.md`\n", "NO_DECOMPOSE"),
    "heartbeat.content": ("HEARTBEAT.md", "Send Ana a summary:\n\n- litres of the week\n", "VALIDATE_OUTPUT"),
    "heartbeat.restriction": ("HEARTBEAT.md", "Repairs: only Ana.\n", "DECIDE"),
    "heartbeat.about_document": ("HEARTBEAT.md", "This file grew with the shop.\n", "NO_DECOMPOSE"),
    "heartbeat.prose": ("HEARTBEAT.md", "> The plants are thirsty.\n", "NO_DECOMPOSE"),
    "heartbeat.lead_in_rule": ("HEARTBEAT.md", "Never while guests are in:\n\n- the oven\n", "DECIDE"),
    "heartbeat.form_fence": ("HEARTBEAT.md", "## Report format\n\n```\nbread / price\n```\n", "VALIDATE_OUTPUT"),
    "heartbeat.command_fence": ("HEARTBEAT.md", "```bash\ncount --all\n```\n", "DETERMINISTIC"),
    "tools.step": ("TOOLS.md", "## Recovery steps\n\n1. Press the lamp\n2. Wait\n", "ORCHESTRATE"),
    "tools.purpose": ("TOOLS.md", "The scale in the shop talks over `/dev/scale` to the till.\n", "TOOL_TEMPLATE"),
    "user.labelled_order": ("USER.md", "- Bread: always bake rye\n", "DECIDE"),
    "tools.file_list": ("TOOLS.md", "## What goes here\n\n- Names of lamps\n", "NO_DECOMPOSE"),
    "tools.action_row": ("TOOLS.md", "| Case | Action |\n|---|---|\n| Smoke | oven off |\n", "DECIDE"),
    "user.manner": ("USER.md", "## Tone\n\n- Avoid puns\n", "VALIDATE_OUTPUT"),
    "user.wish": ("USER.md", "## How to help Ana\n\n- Propose solutions\n", "DECIDE"),
    "heartbeat.cadence": ("HEARTBEAT.md", "Run every 30m\n", "ORCHESTRATE"),
}  # fmt: skip


@every_row("rule", TAGS)
def test_tag_rule(rule: str) -> None:
    path, text, tag = TAGS[rule]
    found = {element.rationale: element for element in elements_of(path, text)}
    assert rule in found, list(found)
    assert found[rule].tag == tag


def test_every_tag_rule_is_tested() -> None:
    names = {
        rule.name for table in (AGENTS_RULES, TOOLS_RULES, USER_RULES, HEARTBEAT_RULES) for rule in table
    }
    assert names - set(TAGS) <= {"user.fact"}, names - set(TAGS)


ONLY_THERE = {
    "file-routing": "Rules of the lock → `AGENTS.md` | Tone → SOUL.md",
    "reply-token": "If nothing is due, reply HEARTBEAT_OK.",
    "reply-tag": "Start with [[reply_to_current]] in groups.",
    "openclaw-command": "Run `openclaw gateway restart` when stuck.",
    "openclaw-tool": "Use the message tool to reach people.",
    "read-bootstrap-file": "Read `SOUL.md` first.",
    "loaded-file": "`MEMORY.md` is loaded at session start.",
    "load-nothing-else": "Don't load anything else.",
    "edit-heartbeat-file": "You may edit `HEARTBEAT.md` with reminders.",
    "read-memory-file": "Read the last lines of `memory/lessons.md`.",
    "memory-upkeep": "Update `MEMORY.md` with distilled lessons.",
    "self-edit": "If you rewrite this file, say so at breakfast.",
    "model-choice": "Fallbacks: kimi, then qwen.",
    "gateway": "The lamp node connects via the gateway.",
    "sessions": "Crons run in isolated sessions.",
    "heartbeat-or-cron": "Use heartbeat when checks can wait.",
    "skill-files": "Check its `SKILL.md`.",
    "bootstrap-ritual": "If BOOTSTRAP.md exists, follow it and delete it.",
    "slash-command": "Use /compact when it gets long.",
}


@every_row("row", ONLY_THERE)
def test_runtime_only_row(row: str) -> None:
    found = runtime_only_row(ONLY_THERE[row])
    assert found is not None
    if row != "bootstrap-ritual":
        assert found.name == row
    (element,) = [e for e in elements_of("AGENTS.md", f"- {ONLY_THERE[row]}\n") if e.kind == "item"]
    assert element.runtime_only == found.reason
    assert element.category is Category.C2


def test_every_runtime_only_row_is_tested() -> None:
    assert set(ONLY_THERE) == {row.name for row in RUNTIME_ONLY}


@every_row(
    "text",
    ["Open the shop at nine.", "Write a message to the baker.", "Use any tool you like.", "See [[bread]]."],
)
def test_ordinary_rules_are_not_runtime_only(text: str) -> None:
    assert runtime_only_row(text) is None


@every_row(
    "text",
    [
        "Check the queue; if it is empty, reply HEARTBEAT_OK",
        "Summarise new mail, otherwise reply HEARTBEAT_OK.",
        "If nothing is due, HEARTBEAT_OK; otherwise report it.",
        "检查邮件，否则回复 HEARTBEAT_OK",
        "Reply HEARTBEAT_OK — if the oven is hot, call the baker",
    ],
)
def test_an_order_beside_a_reply_token_stays(text: str) -> None:
    (element,) = [e for e in elements_of("HEARTBEAT.md", f"- {text}\n") if e.kind == "item"]
    assert not element.runtime_only
    assert runtime_only("Reply HEARTBEAT_OK; nothing else.")
    assert runtime_only("Reply exactly: `HEARTBEAT_OK` — if nothing is due")
    assert runtime_only("Check `memory/heartbeat-state.json` for the last round")


SUGGESTED = {
    "approval_rule": ("SOUL.md", "Warm. Never send money without approval.\n", Category.C2),
    "prohibition": ("USER.md", "- Never mail Ada on Sundays\n", Category.C2),
    "schedule": ("AGENTS.md", "- Write the digest every morning\n", Category.C9),
    "tool": ("AGENTS.md", "- Ask `GET https://api.stock.example/v1` for stock\n", Category.C6),
    "runtime_fact": ("AGENTS.md", "- It runs on a Raspberry Pi, keep it light\n", Category.C8),
    "persona": ("AGENTS.md", "- You are a baker, act like one\n", Category.C1),
}


@every_row("row", SUGGESTED)
def test_suggestion_row(row: str) -> None:
    path, text, category = SUGGESTED[row]
    element = next(e for e in elements_of(path, text) if e.category is not Category.NONE)
    assert element.suggested_category is category
    assert row in element.suggestion_reason
    assert element.category is not category


def test_prose_can_speak_for_a_category() -> None:
    (element,) = elements_of("AGENTS.md", "You are the lead baker of a small shop.\n")
    assert (element.category, element.suggested_category) == (Category.C2, Category.C1)


def test_every_suggestion_row_is_tested() -> None:
    assert set(SUGGESTED) == {row.name for row in SUGGESTIONS}


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
