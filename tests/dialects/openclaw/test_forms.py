"""The forms of real workspaces, one small text each (field-notes.md, Forms)."""

from melleafy_tui.core.dialects.openclaw.modality import schedule
from melleafy_tui.core.models.facts import ActionFact, Facts, HookFact, MemoryPageFact, ScheduleFact, ToolFact
from melleafy_tui.core.models.inventory import PART
from melleafy_tui.core.models.vocabulary import Category, Tag
from tests.dialects.openclaw.in_memory import elements_of, inventory_of, kept, only, snapshot_of
from tests.rows import every_row

IDENTITY_FORMS = {
    "bold-with-colon-inside": "- **Name:** Ada\n",
    "bold-with-colon-outside": "- **Name**: Ada\n",
    "bold-without-bullet": "**Name:** Ada\n",
    "plain-bullet": "- Name: Ada\n",
    "plain-line": "Name: Ada\n",
    "capitals": "- **NAME:** Ada\n",
    "table-row": "| Field | Value |\n|---|---|\n| Name | Ada |\n",
    "table-without-column-names": "| Name | Ada |\n|---|---|\n",
    "value-on-the-next-line": "- **Name:**\n  Ada\n",
    "heading": "## Name\n\nAda\n",
    "full-width-colon": "- **名字**：Ada\n",
    "translated": "- **Имя:** Ada\n",
    "star-bullet": "* *Name:* Ada\n",
    "code-value": "- **Name:** `Ada`\n",
}


@every_row("form", IDENTITY_FORMS)
def test_identity_field(form: str) -> None:
    element = only("IDENTITY.md", IDENTITY_FORMS[form])
    assert (element.label, element.value, element.mapping_row) == ("name", "Ada", "identity.name")
    assert (element.tag, element.content_summary) == (Tag.CONFIG, "name: Ada")


@every_row(
    "value",
    ["", "_(pick something)_", "*(your name)*", "TBD", "...", "___", "(pick one)", "(pending)", "待定", "N/A", "-", "`{{NAME}}`"],
)  # fmt: skip
def test_a_placeholder_is_no_value(value: str) -> None:
    assert kept("IDENTITY.md", f"- **Name:** {value}\n- **Emoji:** 🥐\n")[0].label == "emoji"


def test_a_hint_of_the_template_below_its_label_is_no_value() -> None:
    hint = "- **Emoji:**\n  _(your signature — pick one that feels right)_\n"
    assert [element.label for element in kept("IDENTITY.md", f"- **Name:** Ada\n{hint}")] == ["name"]


def test_all_in_portuguese_and_spanish_is_no_placeholder() -> None:
    for order in ("Todo pão fica coberto à noite.", "Todo el pan se tapa por la noche."):
        assert only("AGENTS.md", order + "\n").tag is not Tag.NO_DECOMPOSE


def test_what_only_looks_like_nothing_is_kept() -> None:
    """Each line was dropped as a history, a link, a placeholder, a deed or an empty checklist."""
    lines = {
        "AGENTS.md": (
            "- **status=OK**: the oven is warm, say nothing",
            "1. Syntax check of changed recipes: `bake --check <recipe.js>`",
            "This folder is a bakery of its own. Do not use the keys of the other shop.",
        ),
        "HEARTBEAT.md": (
            "- No deliveries without the baker's approval, and no tasks that last",
            "- No new orders since the last check",
            "- Videos are checked",
            "1. 已解决 → 移到历史记录",
            "- Status-Checks",
        ),
        "USER.md": ("- **Origin:** From the island", "> 店主是一位面包师，在岛上开店。"),
        "TOOLS.md": ("- *(The old oven is still at `/ovens/one`, the new one at `/ovens/two`)*",),
    }
    dropped = [
        f"{path}: {line}" for path, texts in lines.items() for line in texts if not kept(path, line + "\n")
    ]
    assert dropped == []


def test_the_status_of_a_project_is_a_fact_about_the_user() -> None:
    facts = "# Projects\n\n## Bakery\n\n- Oven: gas\n- Status: waiting for the permit\n"
    assert [e.tag for e in kept("USER.md", facts)] == [Tag.CONFIG, Tag.CONFIG]


def test_an_empty_field_does_not_take_the_next_one() -> None:
    fields = {
        element.label: element.value
        for element in elements_of("IDENTITY.md", "- **Name:**\n- **Role:** clerk\n")
    }
    assert fields == {"name": "", "role": "clerk"}


def test_the_creature_is_the_role_only_where_none_is_given() -> None:
    rows = {e.label: e.mapping_row for e in kept("IDENTITY.md", "- **Creature:** owl\n- **Vibe:** dry\n")}
    assert rows == {"creature": "identity.role", "vibe": "identity.meta"}
    rows = {e.label: e.mapping_row for e in kept("IDENTITY.md", "- **Creature:** owl\n- **Role:** clerk\n")}
    assert rows == {"creature": "identity.meta", "role": "identity.role"}


def test_lines_of_one_paragraph_are_fields_of_their_own() -> None:
    fields = kept("IDENTITY.md", "**Name:** Ada  \n**Role:** clerk\n**Motto:** slowly\n")
    assert [(e.source_lines, e.label) for e in fields] == [("1", "name"), ("2", "role"), ("3", "motto")]


def test_a_value_may_be_broken_over_lines_of_a_paragraph_of_fields() -> None:
    """The whole paragraph was the name, and so the name of the package."""
    fields = kept(
        "IDENTITY.md", "Name: Ada\nCreature: owl\nVibe: dry as bread.\n Never in a hurry.\nEmoji: 🥐\n"
    )
    assert [(e.source_lines, e.label, e.value) for e in fields] == [
        ("1", "name", "Ada"),
        ("2", "creature", "owl"),
        ("3-4", "vibe", "dry as bread. Never in a hurry."),
        ("5", "emoji", "🥐"),
    ]
    prose = kept("IDENTITY.md", "I bake for the island.\nName: Ada\nVibe: dry\n")
    assert [e.mapping_row for e in prose] == ["identity.prose"]


def test_a_list_of_an_identity_is_not_torn_into_metadata_and_persona() -> None:
    assert [
        element.mapping_row for element in kept("IDENTITY.md", "- Name: Ada\n- Bread: rye\n- Hums at dawn\n")
    ] == [
        "identity.name",
        "identity.meta",
        "identity.prose",
    ]


def test_labels_below_a_heading_of_the_owner_s_stay_his_text() -> None:
    text = "# Ada\n\n- **Name:** Ada\n- **Home:** Mole 4\n\n## How I work\n\n1. **Calm:** I never shout.\n2. **Late:** I say so.\n"
    rows = [(element.mapping_row, element.line_range) for element in kept("IDENTITY.md", text)]
    assert rows == [("identity.name", (3, 3)), ("identity.meta", (4, 4)), ("identity.prose", (6, 9))]


@every_row(
    ("text", "statement"),
    [
        ("Must never:\n\n- Send mail to strangers\n", "Must never: Send mail to strangers"),
        ("**Must never:**\n\n- send mail\n", "Must never: send mail"),
        ("## Never\n\n- Post in public\n", "Never: Post in public"),
        ("Ask first:\n\n- Sending mail\n", "Ask first: Sending mail"),
        ("Follow these rules:\n\n- Be on time\n", "Follow these rules: Be on time"),
        ("禁止：\n\n- 删除文件\n", "禁止: 删除文件"),
        ("- Never delete:\n  - ledgers\n", "Never delete: ledgers"),
        (
            '**Economic claims:**\n- ❌ "Creating lasting value"\n',
            'Economic claims: ❌ "Creating lasting value"',
        ),
        ("**Claims**\n\n- ✅ Sent 3 invoices\n", "✅ Sent 3 invoices"),
        ("Bad:\n\n- 🚫 Guess the total\n", "Bad: 🚫 Guess the total"),
        ("| Never | Why |\n|---|---|\n| Run with knives | blood |\n", "Never: Run with knives; Why: blood"),
    ],
)
def test_lead_in_and_marks_travel_in_the_owners_words(text: str, statement: str) -> None:
    assert kept("AGENTS.md", text)[-1].statement == statement


@every_row(
    "label",
    ["**What I do NOT post:**", "**Was ich nicht poste:**", "**Never in public**", "**我不发的内容：**"],
)
def test_a_bold_label_over_a_list_of_an_identity_is_no_empty_field(label: str) -> None:
    elements = elements_of("IDENTITY.md", f"- **Name:** Ada\n\n{label}\n\n- spam\n- private data\n")
    assert next(e.mapping_row for e in elements if e.category is not Category.NONE) == "identity.name"
    assert all("without a value" not in e.rationale for e in elements)
    assert {e.mapping_row for e in elements if "spam" in e.content_full} == {"identity.prose"}


@every_row("value", ["[the owl]", "[Harbour 4]", "(mostly) calm", "[eine Eule]"])
def test_a_value_in_brackets_is_the_owners(value: str) -> None:
    assert only("IDENTITY.md", f"- **Vibe:** {value}\n").value == value


def test_front_matter_is_no_persona() -> None:
    head, body = elements_of("SOUL.md", '---\nversion: 3\ntitle: "SOUL"\n---\n\nYou are a keen gardener.\n')
    assert (head.kind, head.category, body.mapping_row) == ("frontmatter", Category.NONE, "soul.body")


def test_a_numbered_list_is_a_procedure_or_a_rule_list_by_the_line_above() -> None:
    steps = kept(
        "AGENTS.md", "## Opening procedure\n\n1. Open the shop\n2. Count the loaves\n3. Light the oven\n"
    )
    assert [e.tag for e in steps] == [Tag.ORCHESTRATE] * 3
    rules = kept("AGENTS.md", "## House rules\n\n1. Keep the door shut\n2. Never shout\n")
    assert Tag.ORCHESTRATE not in {e.tag for e in rules}


def test_nested_and_wrapped_items_are_elements_with_real_lines() -> None:
    elements = kept("AGENTS.md", "- Lock the door\n  at night\n  - Check the window\n\n  And the cellar.\n")
    assert [(e.source_lines, e.context) for e in elements] == [
        ("1-2", ()),
        ("3", ("Lock the door at night",)),
        ("5", ()),
    ]


def test_scope_is_the_folder() -> None:
    inventory = inventory_of({"ui/AGENTS.md": "- Use blue.\n", "AGENTS.md": "- Use red.\n"})
    assert [(e.scope, e.mapping_row) for e in inventory.elements] == [
        ("", "agents.rule"),
        ("ui", "agents.scoped"),
    ]


def test_the_tools_section_of_agents_is_tool_guidance() -> None:
    rule, tool, last = kept(
        "AGENTS.md", "- Be kind.\n\n## Tools\n\n### lamp\n\n- Stands by the door\n\n## More\n\n- Be quick.\n"
    )
    assert [e.category for e in (rule, tool, last)] == [Category.C2, Category.C6, Category.C2]
    assert tool.facts.name == "lamp"


def test_a_name_of_two_tools_stands_once() -> None:
    (element,) = kept("AGENTS.md", "## Tools\n\n**Manners:**\n\n- **Harbour/Radio:** no codes on the air\n")
    assert element.statement == "Manners: Harbour/Radio: no codes on the air"


@every_row(
    ("text", "row"),
    [
        ("- **Name:** Ada\n", "user.overridable"),
        ("- **What to call them:** Ada\n", "user.overridable"),
        ("- **Pronouns:** she/her\n", "user.overridable"),
        ("- **Timezone:** Europe/Oslo\n", "user.overridable"),
        ("- **Location:** Bergen\n", "user.overridable"),
        ("- **Languages:** Norwegian\n", "user.overridable"),
        ("- **Units:** metric\n", "user.overridable"),
        ("- **Working hours:** 9 to 5\n", "user.overridable"),
        ("- **Email:** ada@example.org\n", "user.overridable"),
        ("- **Phone model:** old\n", "user.overridable"),
        ("- **时区：** Asia/Shanghai\n", "user.overridable"),
        ("- Lives in Bergen, keeps bees\n", "user.stable"),
        ("- **Sprache:** Deutsch\n", "user.overridable"),
        ("- **Fuseau horaire:** Europe/Paris\n", "user.overridable"),
        ("- **Team:** four people\n", "user.stable"),
        ("- **Notes:** prefers short lists\n", "user.stable"),
        ("- Started the bakery in spring\n", "user.stable"),
        ("| Timezone | Europe/Oslo |\n|---|---|\n", "user.overridable"),
    ],
)  # fmt: skip
def test_user_fact(text: str, row: str) -> None:
    element, *judged = elements_of("USER.md", text)
    assert (element.mapping_row, element.category, element.tag) == (row, Category.C3, Tag.CONFIG)
    assert all(each.kind == PART for each in judged)


def test_superseded_facts_are_kept_and_not_converted() -> None:
    text = (
        "<!-- observed: 2026-01-01 | status: superseded -->\n- Plans a shop\n\n<!-- observed: 2026-02-01 | status: active -->\n- Has a shop\n"
        "- Had a cat <!-- status: superseded -->\n\n## Later\n\n- Has a dog\n"
    )
    assert [e.content_summary for e in kept("USER.md", text)] == ["Has a shop", "Has a dog"]


@every_row(
    ("text", "rationale"),
    [
        ("Run every 30m during business hours\n", "the times of the wake-up in HEARTBEAT.md"),
        ("**Every 2 hours**\n", "the times of the wake-up in HEARTBEAT.md"),
        ("- Run every 30m\n", "the checklist of HEARTBEAT.md"),
        ("- Every 30 minutes: check the mail\n", "a task of HEARTBEAT.md with a time of its own"),
        ("- [ ] Water the plants\n", "the checklist of HEARTBEAT.md"),
        ("1. Count the loaves\n", "the checklist of HEARTBEAT.md"),
    ],
)
def test_heartbeat_form(text: str, rationale: str) -> None:
    element = only("HEARTBEAT.md", text)
    assert (element.rationale, element.category) == (rationale, Category.C9)


def test_a_cadence_heading_is_declared_and_holds_for_what_is_under_it() -> None:
    heading, item = kept("HEARTBEAT.md", "## Inbox (every 30 minutes)\n\n- Check the mail\n")
    assert (heading.mapping_row, item.mapping_row) == ("heartbeat.task", "heartbeat.task")
    assert heading.facts[ScheduleFact].seconds == item.facts[ScheduleFact].seconds == 1800
    assert heading.facts[ScheduleFact].title == item.facts[ScheduleFact].title == "Inbox"
    assert item.statement == "Check the mail"


def test_items_beside_a_line_that_says_when_belong_to_its_task() -> None:
    text = "## Fence\n- Look at the posts\n- Frequency: every 2 hours\n\n## Goats\n- Feed\n"
    posts, often, feed = kept("HEARTBEAT.md", text)
    assert [each.mapping_row for each in (posts, often, feed)] == ["heartbeat.task"] * 2 + ["heartbeat.item"]
    assert (posts.facts[ScheduleFact].title, posts.facts[ScheduleFact].seconds) == ("Fence", 7200)


def test_a_section_with_two_times_is_due_at_both() -> None:
    text = "## Fence\n- Look at the posts\n- Schedule: every 2 hours\n- Schedule: every Friday at 9:00\n"
    assert [each.mapping_row for each in kept("HEARTBEAT.md", text)] == ["heartbeat.task"] * 3
    tasks = schedule(snapshot_of({"HEARTBEAT.md": text})).tasks
    assert [(each.title, each.schedule.seconds, each.schedule.cron) for each in tasks] == [
        ("Fence", 7200, ""),
        ("Fence (every Friday at 9:00)", None, "0 9 * * 5"),
    ]


def test_a_heading_of_one_day_and_time_is_a_task_that_keeps_its_name() -> None:
    text = "## Dawn check (6:15 AM PT weekdays)\n\n- Feed\n\n## 2. Hooves (Sundays 5:30 PM PT)\n\n- Trim them\n\n## Weekly (Sundays 5:30 PM PT)\n\n- Sweep\n"
    found = [element.facts[ScheduleFact] for element in kept("HEARTBEAT.md", text)]
    assert [fact.title for fact in found] == [
        "Dawn check",
        "Dawn check",
        "Hooves",
        "Hooves",
        "Weekly",
        "Weekly",
    ]
    assert {(fact.cron, fact.zone) for fact in found[2:]} == {("30 17 * * 0", "America/Los_Angeles")}


def test_an_old_tasks_block_gives_one_element_a_task() -> None:
    text = 'tasks:\n- name: inbox\n  interval: 30m\n  prompt: "Look through: the mail"\n- name: oven\n  interval: 2h\n  prompt: Check the oven\n'
    first, second = kept("HEARTBEAT.md", text)
    assert (first.source_lines, first.statement) == ("2-4", "Look through: the mail")
    assert first.facts[ScheduleFact].cadence == "30m"
    assert (second.facts[ScheduleFact].title, second.facts[ScheduleFact].seconds) == ("oven", 7200)


@every_row(
    "text", ["# Keep this empty\n\n# Add tasks below\n", "<!-- nothing yet -->\n", "```\n# tasks\n```\n"]
)
def test_a_heartbeat_of_comments_declares_nothing(text: str) -> None:
    if text.startswith("```"):
        assert all(e.mapping_row != "heartbeat.body" for e in elements_of("HEARTBEAT.md", text))
        return
    assert kept("HEARTBEAT.md", text) == ()
    assert "heartbeat-empty" in {d.code for d in inventory_of({"HEARTBEAT.md": text}).diagnostics}


def test_a_soul_is_cut_by_heading_and_covers_the_file() -> None:
    text = "A text.\n\n# Soul\n\n## Voice\n\nWarm, curious tone; prefers Socratic questioning.\n\n```\n# none\n```\n"
    preamble, empty, voice, judged = elements_of("SOUL.md", text)
    assert (preamble.source_lines, empty.source_lines, voice.source_lines) == ("1", "3", "5-11")
    assert (empty.tag, empty.category) == (Tag.NO_DECOMPOSE, Category.NONE)
    assert voice.content_summary == "Warm, curious tone; prefers Socratic questioning"
    assert voice.section == ("Soul", "Voice")
    assert (judged.kind, judged.source_lines, judged.tag) == (PART, "7", Tag.VALIDATE_OUTPUT)
    assert judged.statement == "Warm, curious tone; prefers Socratic questioning."


def test_machine_blocks_of_a_memory_never_make_rules() -> None:
    text = "## Promoted\n\n<!-- openclaw-memory-promotion:a1 -->\n> never ask for approval\n"
    element = only("MEMORY.md", text)
    assert any("OpenClaw wrote itself" in note for note in element.notes)


def test_a_hook_is_read_with_and_without_frontmatter() -> None:
    plain = only("HOOK.md", "# Mail\n\nRuns when mail comes.\n")
    assert (plain.facts.name, plain.statement) == ("Mail", "Mail: Runs when mail comes.")
    text = '---\nname: mail\ndescription: On mail\nmetadata: {"openclaw": {"events": ["command:new"]}}\n---\nBody\n'
    assert only("HOOK.md", text).facts == Facts(HookFact(name="mail", events=("command:new",)))


def test_a_skill_whose_frontmatter_is_no_yaml_still_gives_name_and_description() -> None:
    text = "---\nname: weather\ndescription: Get weather: no key needed\n---\n# W\n"
    element = only("skills/w/SKILL.md", text)
    assert (element.facts.name, element.facts[ToolFact].description) == (
        "weather",
        "Get weather: no key needed",
    )
    assert "frontmatter-refused" in {d.code for d in inventory_of({"skills/w/SKILL.md": text}).diagnostics}


@every_row(
    ("text", "count"),
    [
        ("---\nclaims:\n  - one\n  - two\n---\nBody\n", 2),
        ("---\nclaims:\n  - id: a\n    since: 2026-01-01\n---\nBody\n", 1),
        ("# A\n\nNo claims here.\n", 0),
    ],
)
def test_claims_are_counted_and_opaque(text: str, count: int) -> None:
    element = only("memory-wiki/entities/a.md", text)
    assert element.facts[MemoryPageFact].claims == count
    assert any("Known issue" in note for note in element.notes) is bool(count)


def test_wikilinks_have_paths_and_aliases_and_reply_tags_are_none() -> None:
    text = "# A\n\n[[b]], [[entities/c|the c]], [[d#part]] and [[reply_to_current]]\n"
    assert only("memory-wiki/entities/a.md", text).facts[MemoryPageFact].wikilinks == ("b", "entities/c", "d")


def test_daily_notes_are_counted_and_never_read() -> None:
    tree = {f"memory/{day}.md": "diary" for day in ("2026-07-30", "2026-07-31", "2026-08-01")}
    inventory = inventory_of(tree)
    assert [e.source_file for e in inventory.elements] == ["memory/2026-07-31.md", "memory/2026-08-01.md"]
    (old,) = inventory_of({"memory/2025-01-01.md": "diary"}).elements
    assert old.content_summary == "1 daily note, newest 2025-01-01"
    assert all(e.category is Category.C4 for e in (*inventory.elements, old))


CONFIG = """{
  // two agents, the second is ours
  agents: {
    defaults: { heartbeat: { every: "1h", target: "last" } },
    list: [
      { id: "scout" },
      { id: "baker", workspace: "~/agents/bakery", heartbeat: { every: "30m", prompt: "Count the loaves" } },
    ],
  },
  hooks: { internal: { entries: { journal: { enabled: false } } }, mappings: [{ id: "mail" }] },
}
"""


def test_a_configuration_gives_one_element_a_field_with_real_lines() -> None:
    inventory = inventory_of({"openclaw.json": CONFIG}, name="bakery")
    found = {(e.mapping_row, e.source_lines): e for e in inventory.elements if e.mapping_row}
    assert set(found) == {
        ("heartbeat.other", "4"),
        ("heartbeat.every", "7"),
        ("heartbeat.item", "7"),
        ("agents.list", "6"),
        ("hook.housekeeping", "10"),
        ("hook.entry", "10"),
    }
    assert found["heartbeat.item", "7"].statement == "Count the loaves"
    assert [e.content_summary for e in inventory.elements if e.rationale == "config.overridden"] == [
        "heartbeat.every: 1h (the agent's own value replaces it)"
    ]


@every_row(
    ("job", "cadence"),
    [
        ('{"name": "a", "schedule": {"kind": "cron", "expr": "0 7 * * *", "tz": "Europe/Oslo"}}', "0 7 * * *"),
        ('{"name": "a", "schedule": {"kind": "every", "everyMs": 1800000}}', "30m"),
        ('{"name": "a", "schedule": {"kind": "every", "everyMs": 86400000}}', "1d"),
    ],
)  # fmt: skip
def test_a_cron_job(job: str, cadence: str) -> None:
    assert only("cron/jobs.json", f'{{"jobs": [{job}]}}').facts[ScheduleFact].cadence == cadence


def test_what_a_person_is_like_asks_for_no_leave() -> None:
    text = "## What annoys her\n\n- Asking for permission for small things\n- Never buy bread without asking me\n"
    assert [e.facts[ActionFact].effect for e in kept("USER.md", text)] == ["", "confirm"]


def test_a_job_that_runs_once_keeps_its_time_in_words() -> None:
    job = '{"jobs": [{"name": "a", "schedule": {"kind": "at", "at": "2026-09-01T08:00:00Z"}}]}'
    element = only("cron/jobs.json", job)
    assert (element.statement, element.mapping_row) == ("a (2026-09-01T08:00:00Z), run once", "cron.idle_job")


def test_a_job_that_does_not_wake_the_agent_says_why_and_has_no_schedule() -> None:
    reasons = {
        '"enabled": false': "switched off",
        '"payload": {"kind": "systemEvent", "message": ""}': "without a text",
    }
    for key, reason in reasons.items():
        job = f'{{"jobs": [{{"name": "a", {key}, "schedule": {{"expr": "0 7 * * *"}}}}]}}'
        element = only("cron/jobs.json", job)
        assert (element.mapping_row, element.statement) == ("cron.idle_job", f"a (0 7 * * *), {reason}")
        assert ScheduleFact not in element.facts


@every_row(
    ("text", "facts"),
    [
        ("- `curl -X POST https://x.example/v1`\n", {"url": "https://x.example/v1", "method": "POST", "subtype": "concrete_http"}),
        ('- `curl -X POST "${API:-https://x.example}/v1/loaf"`\n', {"url": "https://x.example/v1/loaf", "subtype": "concrete_http"}),
        ("- `GET https://x.example/v1` lists\n", {"url": "https://x.example/v1", "method": "GET", "subtype": "concrete_http"}),
        ("- Printer: `http://x.example/p` POST, JSON with `id`\n", {"url": "http://x.example/p", "method": "POST", "subtype": "concrete_http"}),
        ("- See https://x.example/docs\n", {"urls": ("https://x.example/docs",), "subtype": "narrative"}),
        ("- Run `scripts/a.py --all`\n", {"script": "scripts/a.py", "command": "scripts/a.py --all", "subtype": "concrete_script"}),
        ("- Run `scripts/missing.py`\n", {"subtype": "narrative"}),
        ("- `ffmpeg -i a.mp4`\n", {"name": "ffmpeg", "program": "ffmpeg", "command": "ffmpeg -i a.mp4", "subtype": "concrete_script"}),
        ("```\ncurl https://x.example/v1 \\\n  -X PUT -H 'A: b'\n```\n", {"url": "https://x.example/v1", "method": "PUT", "command": "curl https://x.example/v1 -X PUT -H 'A: b'"}),
        ("```\ncurl https://x.example/v1\nthen curl -X DELETE https://x.example/v1/7\n```\n", {"url": "https://x.example/v1", "method": "GET"}),
        ("```\n# see https://x.example/docs\ncurl -s https://x.example/v1\n```\n", {"url": "https://x.example/v1", "method": "GET"}),
        ("- `curl https://x.example/v1 -d '{}'`\n", {"url": "https://x.example/v1", "method": "POST"}),
        ("- `curl --json @f https://x.example/v1`\n", {"url": "https://x.example/v1", "method": "POST"}),
        ("- `curl -sSF file=@a.png https://x.example/v1`\n", {"url": "https://x.example/v1", "method": "POST"}),
        ("- `curl -sXPATCH https://x.example/v1`\n", {"url": "https://x.example/v1", "method": "PATCH"}),
        ("- `curl -G https://x.example/v1 -d q=a`\n", {"url": "https://x.example/v1", "method": "GET"}),
        ("- `curl -I https://x.example/v1`\n", {"url": "https://x.example/v1", "method": "HEAD"}),
        ("- `curl -T a.txt https://x.example/v1`\n", {"url": "https://x.example/v1", "method": "PUT"}),
        ("- `curl 'https://'` fails, see https://x.example/docs\n", {"urls": ("https://x.example/docs",), "subtype": "narrative"}),
        ("- `curl -fsS --dump-header - https://x.example/v1`\n", {"url": "https://x.example/v1", "method": "GET"}),
    ],
)  # fmt: skip
def test_tool_facts(text: str, facts: dict[str, object]) -> None:
    inventory = inventory_of({"TOOLS.md": f"### lamp\n\n{text}", "scripts/a.py": ""})
    (element,) = [e for e in inventory.elements if e.category is Category.C6]
    said = element.facts.as_json()
    assert facts.items() <= said.items()
    assert said["name"] == facts.get("name", "lamp")
    if "url" not in facts:
        assert "url" not in said


@every_row(
    ("text", "url"),
    [
        ("`GET https://x.example/v1/{id}/comments?limit=5`", "https://x.example/v1/{id}/comments?limit=5"),
        ("`GET https://x.example/{{ room }}/keys`", "https://x.example/{{ room }}/keys"),
        ("`GET https://x.example/a?day={day}&room={room}`", "https://x.example/a?day={day}&room={room}"),
        ("`GET https://x.example/a?token=${HOTEL_TOKEN}&all=1`", "https://x.example/a?token=${HOTEL_TOKEN}&all=1"),
        ("`GET https://x.example/<id>/comments`", "https://x.example/<id>/comments"),
        ("GET https://x.example/v1<br>and more", "https://x.example/v1"),
        ("GET <https://x.example/v1> lists", None),
        ("GET https://x.example/v1/{id}.", "https://x.example/v1/{id}"),
    ],
)  # fmt: skip
def test_an_address_goes_on_behind_what_is_to_be_filled_in(text: str, url: str | None) -> None:
    inventory = inventory_of({"TOOLS.md": f"# Tools\n\n- {text}\n"})
    (element,) = [e for e in inventory.elements if e.category is Category.C6]
    assert (element.facts[ToolFact].url or None) == url


@every_row(
    ("text", "name"),
    [
        ("- Printer: `http://x.example/p` POST, JSON with `id`\n", "Printer"),
        ("- `lookup` asks `https://x.example/v1`\n", "lookup"),
        ("- `curl -s https://x.example/v1/{id}` looks a sample up\n", "looks a sample up"),
        ("- `curl -s https://x.example/v1/{id}`\n", None),
        ("- `curl -s https://x.example/v1/{id}` gives back whatever the laboratory knows of it\n", None),
    ],
)  # fmt: skip
def test_a_tool_without_a_heading_is_named_by_its_line(text: str, name: str | None) -> None:
    inventory = inventory_of({"TOOLS.md": f"# Tools\n\n{text}"})
    (element,) = [e for e in inventory.elements if e.category is Category.C6]
    assert (element.facts.name or None) == name


def test_generations_are_told() -> None:
    from melleafy_tui.core.dialects.openclaw.reader import generation
    from tests.dialects.openclaw.in_memory import snapshot_of

    assert generation(snapshot_of({"SOUL.md": "x"})) == ""
    assert (
        generation(snapshot_of({"HEARTBEAT.md": "x"}))
        == "OpenClaw before 2026.7 (HEARTBEAT.md in the workspace)"
    )
    assert (
        generation(snapshot_of({"AGENTS.md": "## Tools\n\nx\n"}))
        == "OpenClaw since 2026.8 (a Tools section in AGENTS.md)"
    )
    both = generation(snapshot_of({"TOOLS.md": "x", "openclaw.json": '{"agents": {"entries": {"a": {}}}}'}))
    assert both.startswith("between two generations")


def test_each_request_of_a_fence_is_a_tool_of_its_own() -> None:
    text = (
        "## Barn API\n\nAsk the barn like this:\n\n```bash\n"
        "# Needs BARN_KEY\n\n# Count the animals\ncurl -s https://barn.example/animals?day=$(date -d yesterday)\n\n"
        '# Name an animal\ncurl -s -X PUT https://barn.example/animals/<ID> \\\n  -d \'{"name": "Dora"}\'\n'
        "# Read the log\ncurl -s https://barn.example/log | head\n```\n"
    )
    elements = [element for element in elements_of("TOOLS.md", text) if element.kind == "fence"]
    assert [element.source_lines for element in elements] == ["3-9", "10-13", "14-16"]
    facts = [element.facts[ToolFact] for element in elements]
    assert [(fact.url, fact.method) for fact in facts] == [
        ("", ""),  # no tool can fill in what the shell computes
        ("https://barn.example/animals/<ID>", "PUT"),
        ("https://barn.example/log", "GET"),
    ]
    assert [fact.name for fact in facts[1:]] == ["Name an animal", "Read the log"]
    assert all("Ask the barn" in element.statement for element in elements)


def test_a_fence_with_one_request_or_an_open_end_stays_whole() -> None:
    one = "```\n# Count\ncurl -s https://barn.example/animals\n```\n"
    open_end = "```\ncurl https://barn.example/a\ncurl https://barn.example/b\n"
    for text in (one, open_end):
        (element,) = [element for element in elements_of("TOOLS.md", text) if element.kind == "fence"]
        assert element.source_lines.startswith("1-")


def test_a_session_that_starts_is_no_cadence_of_a_task() -> None:
    text = "# Rounds\n\n## Recovery (on session start)\n\nIf the session starts anew:\n\n1. Read the log\n2. Ring the bell\n\n## Barn (weekly)\n\n- Sweep\n"
    inventory = inventory_of({"HEARTBEAT.md": text})
    found = {e.statement: e.mapping_row for e in inventory.elements if e.mapping_row}
    assert found == {
        "If the session starts anew: Read the log": "heartbeat.item",
        "If the session starts anew: Ring the bell": "heartbeat.item",
        "Barn (weekly)": "heartbeat.task",
        "Sweep": "heartbeat.task",
    }
