"""What the Claude Code dialect makes of each form: settings, servers, hooks, frontmatter, arguments, imports."""

import json
from pathlib import Path

from melleafy_tui.core.dialects.agent_skills.frontmatter_fields import read_head
from melleafy_tui.core.dialects.claude_code.command_arguments import read_arguments
from melleafy_tui.core.dialects.claude_code.file_rules import FILE_RULES, rule_for
from melleafy_tui.core.dialects.registry import Dialects
from melleafy_tui.core.models.classification import Classification
from melleafy_tui.core.models.facts import PermissionFact, ToolFact
from melleafy_tui.core.models.inventory import Element, Inventory
from melleafy_tui.core.models.snapshot import SourceFile
from melleafy_tui.generators.literals import json_bytes
from tests.dialects.claude_code.goldens import snapshot_of
from tests.dialects.readings import read
from tests.rows import every_row

Tree = dict[str, object]


def made(base: Path, tree: Tree, named: str = "") -> tuple[Classification, Inventory, list[tuple[str, str]]]:
    """Classification, inventory and findings of a workspace in the folder `agent` of a repository."""
    (base / ".git").mkdir(parents=True, exist_ok=True)
    root = base / "agent"
    root.mkdir(exist_ok=True)
    for path, content in tree.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        text = content if isinstance(content, str) else json.dumps(content, indent=2)
        target.write_text(text, encoding="utf-8")
    reading = read(snapshot_of(root / named), Dialects.default())
    told = [(finding.code, finding.location) for finding in reading.findings]
    return reading.classification, reading.inventory, told


def by_row(inventory: Inventory, row: str) -> list[Element]:
    return [element for element in inventory.elements if element.mapping_row == row]


def statements(inventory: Inventory, row: str) -> list[str]:
    return [element.statement for element in by_row(inventory, row)]


MEMORY = "- Answer in English.\n"


@every_row("rule", [(row.pattern, row.rule_id) for row in FILE_RULES])
def test_file_rule(rule: tuple[str, str]) -> None:
    pattern, rule_id = rule
    found = rule_for(pattern.replace("**", "a/b").replace("*", "a"))
    assert found is not None
    assert found.rule_id == rule_id


def test_every_folder_above_falls_under_the_same_rule() -> None:
    found = rule_for("../../../CLAUDE.md")
    assert found is not None
    assert found.rule_id == "claude.memory.above"


@every_row("path", ["node_modules/CLAUDE.md", ".github/CLAUDE.md", "a/b/CLAUDE.txt", "CLAUDE.txt"])
def test_a_look_alike_is_claimed_by_no_rule(path: str) -> None:
    assert rule_for(path) is None


# --- settings ---------------------------------------------------------------------------------------


def test_lists_of_both_files_count_and_keep_their_source(tmp_path: Path) -> None:
    _, inventory, _ = made(
        tmp_path,
        {
            "CLAUDE.md": MEMORY,
            ".claude/settings.json": {"permissions": {"deny": ["Bash(rm:*)", "Read(./a)"]}},
            ".claude/settings.local.json": {"permissions": {"deny": ["Bash(rm:*)", "Read(./b)"]}},
        },
    )
    assert {
        (e.facts[PermissionFact].denies, e.source_file) for e in by_row(inventory, "permission.deny")
    } == {
        ("Read(./a)", ".claude/settings.json"),
        ("Bash(rm:*)", ".claude/settings.local.json"),
        ("Read(./b)", ".claude/settings.local.json"),
    }


def test_deny_wins_over_ask_and_ask_over_allow_whatever_the_file(tmp_path: Path) -> None:
    _, inventory, _ = made(
        tmp_path,
        {
            "CLAUDE.md": MEMORY,
            ".claude/settings.json": {"permissions": {"deny": ["Bash(a)"], "ask": ["Bash(b)"]}},
            ".claude/settings.local.json": {
                "permissions": {"allow": ["Bash(a)", "Bash(b)", "Bash(c)"], "ask": ["Bash(a)"]}
            },
        },
    )
    assert statements(inventory, "permission.ask") == ["Ask the user to confirm before each call of: Bash(b)"]
    assert statements(inventory, "permission.deny") == ["Never call: Bash(a)"]
    assert statements(inventory, "skill.grant.bash") == ["run_bash: run a shell command, within c"]


def test_the_users_own_value_wins_over_the_projects(tmp_path: Path) -> None:
    classification, inventory, _ = made(
        tmp_path,
        {
            "CLAUDE.md": MEMORY,
            ".claude/settings.json": {"permissions": {"defaultMode": "plan"}, "model": "a"},
            ".claude/settings.local.json": {"permissions": {"defaultMode": "default"}, "model": "b"},
        },
    )
    assert classification.modality.value == "synchronous_oneshot"
    assert statements(inventory, "settings.mode") == ["defaultMode: default"]
    assert statements(inventory, "front.model") == ["model: b"]


def test_nearer_settings_replace_farther_ones(tmp_path: Path) -> None:
    farther = tmp_path / ".claude" / "settings.json"
    farther.parent.mkdir()
    farther.write_text('{"permissions": {"deny": ["Bash(far)"]}}')
    _, inventory, found = made(
        tmp_path,
        {"CLAUDE.md": MEMORY, ".claude/settings.json": {"permissions": {"deny": ["Bash(near)"]}}},
    )
    assert statements(inventory, "permission.deny") == ["Never call: Bash(near)"]
    assert ("settings-farther", "../.claude/settings.json") in found


def test_a_header_with_its_credential_in_it_becomes_a_variable(tmp_path: Path) -> None:
    servers = {
        "github": {
            "type": "http",
            "url": "https://a.example/mcp",
            "headers": {"Authorization": "Bearer tangerine-9", "Accept": "text/plain", "X-Org": "nut-4"},
        },
        "erp": {
            "url": "https://b.example/mcp",
            "headers": {"X-API-Key": "papaya-7", "Cookie": "${ERP_COOKIE}"},
        },
    }
    _, inventory, _ = made(tmp_path, {"CLAUDE.md": MEMORY, ".mcp.json": {"mcpServers": servers}})
    found = by_row(inventory, "settings.env")
    assert [element.label for element in found] == ["GITHUB_AUTHORIZATION", "ERP_X_API_KEY", "ERP_COOKIE"]
    assert {element.category.value for element in found} == {"C7"}
    lines = (tmp_path / "agent" / ".mcp.json").read_text().split("\n")
    for element, header in zip(found, ("Authorization", "X-API-Key", "Cookie"), strict=True):
        assert header in lines[int(element.source_lines) - 1]
    held = json_bytes(inventory).decode()
    assert not any(value in held for value in ("tangerine-9", "papaya-7", "nut-4"))


def test_environment_is_names_only(tmp_path: Path) -> None:
    _, inventory, _ = made(
        tmp_path, {"CLAUDE.md": MEMORY, ".claude/settings.json": {"env": {"CHANNEL": "tangerine-9"}}}
    )
    (element,) = by_row(inventory, "settings.env")
    assert (element.label, element.category.value, element.statement) == ("CHANNEL", "C7", "CHANNEL")
    assert "tangerine" not in repr(json_bytes(inventory).decode())


@every_row(
    ("command", "row", "tells"),
    [
        ("./check.sh", "permission.ask", True),
        ("echo 'Not here.' >&2; exit 2", "permission.deny", False),
        ("exit 2", "permission.deny", False),
        ("""echo '{"hookSpecificOutput": {"permissionDecision": "ask"}}'""", "permission.ask", False),
        ("""printf '{"permissionDecision": "deny"}'""", "permission.deny", False),
        ("jq -e .x && exit 2", "permission.ask", True),
    ],
)
def test_a_guard_denies_or_asks(command: str, row: str, tells: bool, tmp_path: Path) -> None:
    hook = {"type": "command", "command": command}
    settings = {"hooks": {"PreToolUse": [{"matcher": "Bash|Edit", "hooks": [hook]}]}}
    classification, inventory, found = made(
        tmp_path, {"CLAUDE.md": MEMORY, ".claude/settings.json": settings}
    )
    assert [element.label for element in by_row(inventory, row)] == ["Bash", "Edit"]
    assert ("guard-not-reproduced" in [code for code, _ in found]) == tells
    assert classification.modality.value == "synchronous_oneshot"


@every_row(
    ("event", "row"),
    [
        ("PreToolUse", "hook.guard"),
        ("PostToolUse", "hook.check"),
        ("Stop", "hook.check"),
        ("UserPromptSubmit", "hook.context"),
        ("SessionStart", "hook.context"),
        ("Notification", "hook.housekeeping"),
    ],
)
def test_no_hook_wakes_the_agent(event: str, row: str, tmp_path: Path) -> None:
    settings = {"hooks": {event: [{"hooks": [{"type": "prompt", "prompt": "Is all done?"}]}]}}
    classification, inventory, _ = made(tmp_path, {"CLAUDE.md": MEMORY, ".claude/settings.json": settings})
    assert statements(inventory, row) == [f"Hook on {event} (prompt: Is all done?)"]
    assert classification.modality.value == "synchronous_oneshot"


def test_hooks_that_are_switched_off_wake_nobody(tmp_path: Path) -> None:
    classification, inventory, _ = made(
        tmp_path,
        {
            "CLAUDE.md": MEMORY,
            ".claude/settings.json": {
                "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x"}]}]},
                "disableAllHooks": True,
            },
        },
    )
    assert classification.modality.value == "synchronous_oneshot"
    assert by_row(inventory, "hook.check") == []


@every_row(
    ("settings", "gated"),
    [
        ({"permissions": {"defaultMode": "plan"}}, ["review_gated"]),
        ({"defaultMode": "plan"}, ["review_gated"]),
        ({"permissions": {"ask": ["Bash(git push:*)"]}}, ["review_gated"]),
        ({"permissions": {"ask": []}}, []),
        ({"permissions": {"defaultMode": "acceptEdits"}}, []),
    ],
)
def test_plan_mode_and_ask_rules_gate_by_review(tmp_path: Path, settings: object, gated: list[str]) -> None:
    classification, _, _ = made(tmp_path, {"CLAUDE.md": MEMORY, ".claude/settings.json": settings})
    assert classification.modality.value == "synchronous_oneshot"
    assert [found.value for found in classification.secondary_modalities] == gated


@every_row(
    "line",
    [
        "Never use /loop 5m here.",
        "Run `/loop 5m /triage` in the morning.",
        "- Stop a `/loop 30m` before you push.",
        "| `/loop 10m` | repeats |",
        "See docs/loop for more.",
        "The loop runs.",
    ],
)
def test_no_text_wakes_the_agent(tmp_path: Path, line: str) -> None:
    classification, _, _ = made(tmp_path, {"CLAUDE.md": f"{line}\n"})
    assert classification.modality.value == "synchronous_oneshot"


def test_servers_of_every_place(tmp_path: Path) -> None:
    _, inventory, _ = made(
        tmp_path,
        {
            "CLAUDE.md": MEMORY,
            ".mcp.json": {
                "mcpServers": {"a": {"command": "npx", "env": {"A_KEY": "x"}}, "off": {"url": "u"}}
            },
            ".claude/settings.json": {
                "mcpServers": {"b": {"type": "sse", "url": "https://b.example.org"}},
                "disabledMcpjsonServers": ["off"],
            },
        },
    )
    assert sorted(e.facts[ToolFact].server for e in by_row(inventory, "mcp.server")) == ["a", "b"]
    assert [element.label for element in by_row(inventory, "settings.env")] == ["A_KEY"]


@every_row(
    ("settings", "code"),
    [
        ({"permissions": {"deny": ["no rule at all"]}}, "permission-no-rule"),
        ({"permissions": {"deny": [7]}}, "permission-no-rule"),
        ({"permissions": {"defaultMode": "bypassPermissions"}}, "mode-bypass"),
        ([], "settings-no-object"),
        ({"hooks": ["x"]}, "settings-no-object"),
        ("{", "json-syntax"),
    ],
)
def test_settings_that_say_something_odd(tmp_path: Path, settings: object, code: str) -> None:
    tree: Tree = {"CLAUDE.md": MEMORY, ".claude/settings.json": settings}
    _, inventory, found = made(tmp_path, tree)
    assert code in [name for name, _ in found]
    assert all(not report.uncovered_lines for report in inventory.coverage)


def test_other_settings_are_reported_one_by_one(tmp_path: Path) -> None:
    _, inventory, _ = made(
        tmp_path,
        {
            "CLAUDE.md": MEMORY,
            ".claude/settings.json": {
                "apiKeyHelper": "./key.sh",
                "permissions": {"additionalDirectories": ["../x"]},
            },
        },
    )
    assert statements(inventory, "settings.other") == [
        "apiKeyHelper: ./key.sh",
        'permissions.additionalDirectories: ["../x"]',
    ]


# --- instructions -----------------------------------------------------------------------------------


def test_imports_are_read_once_in_order_and_what_is_missing_is_told(tmp_path: Path) -> None:
    _, inventory, found = made(
        tmp_path,
        {
            "CLAUDE.md": "- Be brief.\n\n@d/e/one.md\n@d/e/gone.md\n\n`@d/e/code.md`\n",
            "d/e/one.md": "- Be kind.\n\n@two.md\n",
            "d/e/two.md": "- Be exact.\n\n@one.md\n",
            "d/e/code.md": "- Never read.\n",
        },
    )
    assert [e.statement for e in by_row(inventory, "memory.rule")] == [
        "Be brief.",
        "`@d/e/code.md`",
        "Be kind.",
        "Be exact.",
    ]
    assert ("import-missing", "CLAUDE.md:4") in found
    assert ("import-cycle", "d/e/two.md:3") in found


@every_row(
    ("written", "path"),
    [
        ("@docs/tone.md#greetings", "docs/tone.md"),
        (r"@docs\tone.md", "docs/tone.md"),
        (r"@.\docs\tone.md#greetings", "docs/tone.md"),
        (r"@docs/my\ tone.md", "docs/my tone.md"),
        ("@README", "README"),
        ("@../README", "../README"),
        ("@docs/limits.json", "docs/limits.json"),
        ("@src/limits.ts", "src/limits.ts"),
    ],
)
def test_an_import_is_read_however_it_is_written(written: str, path: str, tmp_path: Path) -> None:
    _, inventory, found = made(tmp_path, {"CLAUDE.md": f"See {written} first.\n", path: "Cheers 99.\n"})
    (element,) = (each for each in inventory.elements if each.source_file == path)
    assert (element.category.value, found) == ("C2" if path.endswith(".md") else "C5", [])


@every_row(
    ("written", "code"),
    [
        (r"@C:\docs\tone.md", "import-outside"),
        (r"@\\server\docs\tone.md", "import-outside"),
        ("@~/tone.md#greetings", "import-outside"),
        (r"@docs\gone.md", "import-missing"),
        ("@docs/gone.md#greetings", "import-missing"),
        ("@types/node and @angular/core", None),
    ],
)
def test_an_import_that_is_not_read_is_told(written: str, code: str | None, tmp_path: Path) -> None:
    _, _, found = made(tmp_path, {"CLAUDE.md": f"- Be brief.\n- Mind {written}\n"})
    assert [told for told, _ in found] == ([code] if code else [])


def test_imports_end_after_five_hops(tmp_path: Path) -> None:
    tree: Tree = {f"d/e/{number}.md": f"- Rule {number} holds.\n\n@{number + 1}.md\n" for number in range(7)}
    _, inventory, found = made(tmp_path, {"CLAUDE.md": "@d/e/0.md\n", **tree})
    assert [file.path for file in inventory.files if file.dialect_rule_id == "claude.import"] == [
        f"d/e/{number}.md" for number in range(5)
    ]
    assert ("import-too-deep", "d/e/4.md:3") in found


def test_the_users_own_notes_are_listed_and_never_read(tmp_path: Path) -> None:
    _, inventory, found = made(tmp_path, {"CLAUDE.md": MEMORY, "CLAUDE.local.md": "- My secret rule.\n"})
    (listed,) = [file for file in inventory.files if file.path == "CLAUDE.local.md"]
    assert (listed.status, listed.sha256) == ("listed", "")
    assert ("local-notes-unread", "CLAUDE.local.md") in found
    assert "secret rule" not in repr(inventory.elements)


def test_skills_in_folders_that_are_not_loaded_are_told(tmp_path: Path) -> None:
    skill = "---\nname: bread\ndescription: Bakes.\n---\n1. Bake.\n"
    loaded: dict[str, object] = {"CLAUDE.md": MEMORY, ".claude/skills/bread/SKILL.md": skill}
    assert "skills-elsewhere" not in {code for code, _ in made(tmp_path / "a", loaded)[2]}
    elsewhere = {**loaded, "lessons/bread/SKILL.md": skill, "lessons/bread/old/SKILL.md": skill}
    assert ("skills-elsewhere", "") in made(tmp_path / "b", elsewhere)[2]


def test_agents_alone_is_read_as_instructions(tmp_path: Path) -> None:
    classification, inventory, _ = made(tmp_path, {"AGENTS.md": "- Never lie.\n"})
    assert classification.source_runtime == "claude_code"
    assert statements(inventory, "memory.rule") == ["Never lie."]


def test_what_a_folder_below_says_holds_for_that_folder(tmp_path: Path) -> None:
    text = "# Oven\n\nThe oven is gas.\n\n- Never open it hot.\n- Racks: three\n"
    _, inventory, _ = made(tmp_path, {"CLAUDE.md": MEMORY, "oven/CLAUDE.md": text})
    found = [element for element in inventory.elements if element.source_file == "oven/CLAUDE.md"]
    assert {(element.kind, element.scope) for element in found if element.kind != "heading"} == {
        ("paragraph", "oven"),
        ("item", "oven"),
    }


@every_row("heading", ["Contributing", "When to use subagents"])
def test_headings_of_instructions_are_not_read_as_those_of_a_skill(tmp_path: Path, heading: str) -> None:
    memory = f"# Shop\n\n## {heading}\n\n- Always run the oven test first.\n"
    _, inventory, _ = made(tmp_path, {"CLAUDE.md": memory})
    assert statements(inventory, "memory.rule") == ["Always run the oven test first."]


# --- specs ------------------------------------------------------------------------------------------


def test_other_specs_are_noted_and_not_expanded(tmp_path: Path) -> None:
    _, inventory, found = made(
        tmp_path,
        {
            "CLAUDE.md": MEMORY,
            ".claude/skills/a/SKILL.md": "---\nname: a\ndescription: Does A.\n---\n- Never stop.\n",
            ".claude/commands/b.md": "Do B.\n",
            ".claude/agents/c.md": "---\nname: c\ndescription: Knows C.\n---\nYou are C.\n",
        },
    )
    assert sorted(statements(inventory, "spec.noted")) == [
        "command b",
        "skill a: Does A.",
        "subagent c: Knows C.",
    ]
    assert "spec-chosen" not in [code for code, _ in found]


def test_the_only_spec_is_converted_where_no_instructions_stand(tmp_path: Path) -> None:
    _, inventory, found = made(tmp_path, {".claude/commands/b.md": "- Never stop at B.\n"})
    assert statements(inventory, "skill.rule") == ["Never stop at B."]
    assert ("spec-chosen", ".claude/commands/b.md") in found


def test_several_specs_without_instructions_ask_for_a_name(tmp_path: Path) -> None:
    _, _, found = made(tmp_path, {".claude/commands/a.md": "A.\n", ".claude/commands/b.md": "B.\n"})
    assert "spec-unnamed" in [code for code, _ in found]


def test_a_subagents_tools_are_grants_and_its_disallowed_ones_are_denied(tmp_path: Path) -> None:
    head = "---\nname: c\ndescription: Knows C.\ntools: Read, Grep\ndisallowedTools: Bash(rm:*), Write\n---\nYou are C.\n"
    _, inventory, _ = made(tmp_path, {".claude/agents/c.md": head}, ".claude/agents/c.md")
    assert [element.facts[ToolFact].grant for element in by_row(inventory, "skill.grant.file")] == [
        "Read",
        "Grep",
    ]
    assert statements(inventory, "permission.deny") == ["Never call: Bash(rm:*)", "Never call: Write"]


@every_row(
    ("key", "value", "row"),
    [
        ("disable-model-invocation", "true", "front.invocation"),
        ("user-invocable", "false", "front.invocation"),
        ("context", "fork", "front.context"),
        ("agent", "Explore", "front.context"),
        ("paths", "src/**", "front.paths"),
        ("shell", "powershell", "front.shell"),
        ("model", "haiku", "front.model"),
        ("effort", "low", "front.model"),
        ("permissionMode", "plan", "front.other"),
        ("argument-hint", "[file]", "command.argument"),
        ("arguments", "file mode", "command.argument"),
    ],
)
def test_frontmatter_field(tmp_path: Path, key: str, value: str, row: str) -> None:
    head = f"---\ndescription: Does B.\n{key}: {value}\n---\n- Never stop.\n"
    _, inventory, found = made(tmp_path, {".claude/commands/b.md": head})
    assert [element.source_lines for element in by_row(inventory, row)][:1] == ["3"]
    assert "skill-key-unknown" not in [code for code, _ in found]


def test_hooks_in_frontmatter(tmp_path: Path) -> None:
    head = "---\ndescription: D.\nhooks:\n  Stop:\n    - hooks:\n        - type: command\n          command: ./x.sh\n---\nB.\n"
    classification, inventory, _ = made(tmp_path, {".claude/commands/b.md": head})
    assert statements(inventory, "hook.check") == ["Hook on Stop (command: ./x.sh)"]
    assert classification.modality.value == "synchronous_oneshot"


def test_a_command_that_the_text_runs_is_told_and_kept(tmp_path: Path) -> None:
    _, inventory, found = made(tmp_path, {".claude/commands/b.md": "Look at this: !`git status`\n"})
    assert ("shell-context", ".claude/commands/b.md:1") in found
    assert any("git status" in element.content_full for element in inventory.elements)


@every_row(
    ("head", "expected"),
    [
        ("argument-hint: <file> [count]", [("file", "str"), ("count", "str")]),
        ('argument-hint: "[file] [mode]"', [("file", "str"), ("mode", "str")]),
        ("argument-hint: [file]", [("file", "str")]),
        ("argument-hint: <low|high>", [("argument_1", "str")]),
        ("argument-hint: --dry-run [--port <n>]", [("dry_run", "bool"), ("port", "str")]),
        ("arguments: issue branch", [("issue", "str"), ("branch", "str")]),
        ("arguments: [issue, limit]", [("issue", "str"), ("limit", "str")]),
        ("model: x", []),
    ],
)
def test_arguments_have_names_and_types(head: str, expected: list[tuple[str, str]]) -> None:
    text = f"---\n{head}\n---\nBody.\n"
    file = SourceFile("b.md", text.encode(), text)
    found = read_arguments(file, read_head(file))
    assert [(argument.name, argument.type) for argument in found] == expected


@every_row(
    ("body", "expected"),
    [
        ("- Never close $1 before $2.", "Never close <argument_1> before <argument_2>."),
        ("- Never close $ARGUMENTS[0].", "Never close <argument_1>."),
        ("- Never close $ARGUMENTS.", "Never close <message>."),
        ("- Never pay $15,000,000.", "Never pay $15,000,000."),
    ],
)
def test_positions_become_names(tmp_path: Path, body: str, expected: str) -> None:
    _, inventory, _ = made(tmp_path, {".claude/commands/b.md": f"{body}\n"})
    assert expected in statements(inventory, "skill.rule")


@every_row(
    ("text", "row", "tag"),
    [
        ("## Commands\n\n- `make test` – run the tests", "memory.rule", "DECIDE"),
        ("- `./scripts/seed.sh`: fill a database", "memory.rule", "DECIDE"),
        ("- `git push --force` - never do it", "memory.rule", "DECIDE"),
        ("- `loans/api.py` – the endpoints", "memory.rule", "DECIDE"),
        ("## Answer format\n\n- First line: `HOLD` or `FINE`.", "memory.rule", "DECIDE"),
        ("## Replies\n\n- Then two short sentences.", "memory.rule", "VALIDATE_OUTPUT"),
        ("## Architecture\n\n- Then two short services.", "memory.rule", "DECIDE"),
        ('# Glossary\n\nAlways say "reader", never "customer".', "memory.rule", "DECIDE"),
        ("# Glossary\n\nA hold is a wish.", "memory.rule", "DECIDE"),
    ],
)
def test_forms_of_instructions(tmp_path: Path, text: str, row: str, tag: str) -> None:
    _, inventory, _ = made(tmp_path, {"CLAUDE.md": f"{text}\n"})
    element = inventory.elements[-1]
    assert (element.mapping_row, element.tag.value) == (row, tag)


def test_a_command_in_instructions_stays_with_the_rules(tmp_path: Path) -> None:
    _, inventory, _ = made(tmp_path, {"CLAUDE.md": "- Run `npm test` after each change.\n"})
    assert statements(inventory, "memory.rule") == ["Run `npm test` after each change."]
