"""Which tools a source gives: its own policy, bad examples, and what asks first."""

from collections.abc import Mapping

import pytest
from msgspec.structs import replace

from melleafy_tui.core.dialects.openclaw.tool_policy import GROUPS, PROFILES
from melleafy_tui.core.language.examples import is_bad_example
from melleafy_tui.core.models.facts import PermissionFact, ToolFact
from melleafy_tui.core.models.inventory import PART, Element
from melleafy_tui.core.package.permissions import rule_covers
from melleafy_tui.core.package.source_tool_rules import tool_rows, with_tool_policy
from tests.dialects.agent_skills.in_memory import inventory_of as skill_inventory
from tests.dialects.openclaw.in_memory import inventory_of
from tests.rows import every_row

TOOLS = """# TOOLS.md

## Stock level

```bash
curl -s https://stock.example.org/api/level/{item}
```

## Mail

```bash
curl -s -X POST https://mail.example.org/send -d '{"text": "{text}"}'
```

## Reports

Run `python3 scripts/report.py <month>` for the monthly report.
"""


def workspace(tools: str = TOOLS, rules: str = "- Be kind.\n", **files: str) -> dict[str, str]:
    return {
        "SOUL.md": "# SOUL.md\n\nCalm.\n",
        "AGENTS.md": f"# AGENTS.md\n\n{rules}",
        "TOOLS.md": tools,
        "scripts/report.py": "print('ran')\n",
        **{path.replace("__", "/").replace("_dot_", "."): text for path, text in files.items()},
    }


def tools_of(tree: Mapping[str, str]) -> dict[str, ToolFact]:
    rows, _ = tool_rows(inventory_of(tree).elements)
    return {row.element.facts[ToolFact].name: row.element.facts[ToolFact] for row in rows}


def denied(policy: str) -> dict[str, str]:
    tree = {**workspace(), "openclaw.json": policy}
    return {name: tool.denied for name, tool in tools_of(tree).items() if tool.denied}


@pytest.mark.parametrize(
    ("policy", "names"),
    [
        ('{"tools": {"deny": ["exec", "web_fetch"]}}', {"Stock level", "Mail", "Reports"}),
        ('{"tools": {"deny": ["exec"]}}', {"Mail", "Reports"}),
        ('{"tools": {"deny": ["group:runtime"]}}', {"Mail", "Reports"}),
        ('{"tools": {"deny": ["EXEC", "web_*"]}}', {"Stock level", "Mail", "Reports"}),
        ('{"tools": {"deny": ["*"]}}', {"Stock level", "Mail", "Reports"}),
        ('{"tools": {"deny": ["browser"]}}', set()),
        ('{"tools": {"allow": ["web_fetch"]}}', {"Mail", "Reports"}),
        ('{"tools": {"allow": ["group:web", "bash"]}}', set()),
        ('{"tools": {"profile": "minimal"}}', {"Stock level", "Mail", "Reports"}),
        ('{"tools": {"profile": "minimal", "alsoAllow": ["exec"]}}', set()),
        ('{"tools": {"profile": "coding"}}', set()),
        ('{"tools": {"profile": "messaging", "alsoAllow": ["web_fetch"]}}', {"Mail", "Reports"}),
        ('{"tools": {"exec": {"security": "deny"}}}', {"Mail", "Reports"}),
        (
            '{"agents": {"list": [{"id": "main", "default": true, "tools": {"deny": ["exec"]}}]}}',
            {"Mail", "Reports"},
        ),
        (
            '{"agents": {"list": [{"id": "main", "default": true}, {"id": "b", "tools": {"deny": ["exec"]}}]}}',
            set(),
        ),
        (
            '{"tools": {"profile": "minimal"}, "agents": {"list": [{"id": "main", "default": true, '
            '"tools": {"profile": "full"}}]}}',
            set(),
        ),
    ],
)
def test_the_configuration_s_tool_policy_binds(policy: str, names: set[str]) -> None:
    assert set(denied(policy)) == names


def test_a_denied_tool_names_the_line_of_the_configuration() -> None:
    reasons = denied('{\n  "tools": {\n    "deny": ["exec"]\n  }\n}')
    assert reasons["Reports"] == "openclaw.json:3 denies it: tools.deny has exec."


def test_profiles_name_groups_that_are_known() -> None:
    groups = {entry for listed in PROFILES.values() for entry in listed if entry.startswith("group:")}
    assert {group.removeprefix("group:") for group in groups} <= set(GROUPS)


@pytest.mark.parametrize(
    "call",
    [
        "scripts/send.sh 1",
        "./scripts/send.sh 1",
        "bash scripts/send.sh 1",
        "sh -x ./scripts/send.sh",
        "bash -c 'scripts/send.sh 1'",
        "env A=1 scripts/send.sh",
        "timeout 5 bash scripts/send.sh",
        "nohup scripts/send.sh &",
        "sudo -u x scripts/send.sh",
        "bash < scripts/send.sh",
        "cat scripts/send.sh | sh",
        "cd scripts && ./send.sh",
        "cd scripts; bash send.sh 1",
        "/home/u/shop/scripts/send.sh",
        "$PWD/scripts/send.sh",
        "source scripts/send.sh",
        ". scripts/send.sh",
        "scripts/../scripts/send.sh",
        'scripts/se""nd.sh',
        "scripts/s*.sh",
        "~/shop/scripts/send.sh > out",
        "eval scripts/send.sh",
    ],
)
def test_a_denied_script_is_denied_in_every_spelling(call: str) -> None:
    for rule in (
        "Bash(scripts/send.sh:*)",
        "Bash(bash ./scripts/send.sh *)",
        "Bash(/home/u/shop/scripts/send.sh)",
    ):
        assert rule_covers(rule, "Bash", call), rule


@pytest.mark.parametrize(
    "call", ["ls scripts", "scripts/other.sh", "other/send.sh", "npm run send", "git push"]
)
def test_a_rule_for_a_script_leaves_other_calls_alone(call: str) -> None:
    assert not rule_covers("Bash(scripts/send.sh:*)", "Bash", call)


def test_a_rule_with_arguments_holds_for_these_only() -> None:
    assert rule_covers("Bash(scripts/send.sh prod:*)", "Bash", "bash scripts/send.sh prod now")
    assert not rule_covers("Bash(scripts/send.sh prod:*)", "Bash", "bash scripts/send.sh test")
    assert rule_covers("Bash(python3 scripts/pub.py:*)", "Bash", "python -m scripts.pub 1")


@pytest.mark.parametrize(
    ("rule", "is_denied"),
    [
        ("Bash(python3 scripts/report.py:*)", True),
        ("Bash(scripts/report.py)", True),
        ("Bash", True),
        ("Bash(scripts/report.py May:*)", False),  # left to the package, which sees the arguments
        ("Bash(scripts/other.py:*)", False),
        ("Read(./secrets/**)", False),
    ],
)
def test_a_denied_script_is_no_tool(rule: str, is_denied: bool) -> None:
    (tool,) = [each for each in inventory_of(workspace()).elements if each.facts[ToolFact].script]
    settings = _with(tool, PermissionFact(denies=rule))
    judged = with_tool_policy([tool], [settings])[0]
    assert bool(judged.facts[ToolFact].denied) is is_denied


def _with(element: Element, fact: PermissionFact) -> Element:
    return replace(element, facts=element.facts.adding(fact))


@pytest.mark.parametrize(
    "address",
    [
        "http://169.254.169.254/latest/meta-data",
        "http://metadata.google.internal/x",
        "http://169.254.170.2/v2/credentials",
    ],
)
def test_an_address_of_the_machine_s_own_is_never_called(address: str) -> None:
    tools = tools_of(workspace(f"# TOOLS.md\n\n## Role\n\n```bash\ncurl -s {address}\n```\n"))
    assert "link-local" in tools["Role"].denied


@pytest.mark.parametrize(
    ("above", "is_bad"),
    [
        ("**Incorrect:**", True),
        ("❌ This leaks the file:", True),
        ("Never do this:", True),
        ("Falsch:", True),
        ("反例：", True),
        ("**Correct:**", False),
        ("✅ Do this instead:", False),
        ("Send the text:", False),
    ],
)
def test_an_example_of_what_not_to_do_is_no_tool(above: str, is_bad: bool) -> None:
    text = (
        f"# TOOLS.md\n\n## Send\n\n{above}\n\n```bash\ncurl -s -X POST https://a.example.org/in -d x\n```\n"
    )
    assert ("concrete_http" not in {tool.subtype for tool in tools_of(workspace(text)).values()}) is is_bad


def test_the_nearest_word_about_an_example_decides() -> None:
    assert is_bad_example(["Incorrect:", "Correct and incorrect"])
    assert not is_bad_example(["Correct:", "Never leak files"])
    assert not is_bad_example(["Look up the weather"])


def asking(rules: str, tools: str = TOOLS) -> set[str]:
    return {name for name, tool in tools_of(workspace(tools, rules)).items() if tool.asks}


@pytest.mark.parametrize(
    ("rule", "names"),
    [
        ("- Ask before you send mail to anyone.\n", {"Mail"}),
        ("- Ask before sending mail.\n", {"Mail"}),
        ("- Never send an email without approval.\n", {"Mail"}),
        ("- Ask before running `report.py`.\n", {"Reports"}),
        ("- Get my approval before anything goes to mail.example.org.\n", {"Mail"}),
        ("- Ask before you delete files.\n", set()),
        ("- Ask before you buy anything.\n", set()),
        ("- Never promise a delivery date.\n", set()),
        ("- Never send mail at night.\n", set()),  # a prohibition is kept in words: it asks for no leave
        ("- Ask me when you are unsure.\n", set()),
        ("- Work you can do without asking: send mail.\n", set()),
        ("- Don't ask permission to send mail.\n", set()),
        ("- You do not need permission to send mail.\n", set()),
        ("- You have permission to send mail.\n", set()),
        ("- No messaging without approval, mail included.\n", {"Mail"}),
        ("- Wait for approval before you restart anything.\n", set()),
        ("- Run `report.py` each month. Ask before you buy anything.\n", set()),
        ("- Nunca enviar correos sin confirmar la fecha.\n", {"Mail"}),
        ("## Запреты (без ОК от владельца)\n\n- НЕ отправлять письма\n", {"Mail"}),
        ("- Можешь писать черновики, но отправлять — только с подтверждением.\n", {"Mail"}),
        ("## Без спроса\n\n- отправлять письма\n", set()),
        ("**Делай свободно (без спроса):**\n- отправлять письма\n", set()),
        ("- 发送邮件需询问用户。\n", {"Mail"}),
        ("- 不需要请示，可以发送邮件。\n", set()),
        ("- 允许有不同意见，发送也行。\n", set()),
        ("- Try everything before asking how to send mail.\n", set()),
        ("- Never send mail before asking.\n", {"Mail"}),
        ("## What you don't do\n\n- Send mail without permission\n", {"Mail"}),
        ("## Examples\n\n- Send mail? Wait for approval first.\n", set()),
        ('- Say: "This sends mail. Needs approval from the owner?"\n', set()),
        ("- Send mail on your own, rather than asking permission.\n", set()),
    ],
)
def test_a_tool_asks_for_a_rule_about_its_action_or_name(rule: str, names: set[str]) -> None:
    assert asking(rule) == names


def test_an_approval_without_a_tool_is_listed() -> None:
    rows, alone = tool_rows(inventory_of(workspace(rules="- Ask before you buy anything.\n")).elements)
    assert [rule.location for rule in alone] == ["AGENTS.md:3"]
    assert not any(row.asks for row in rows)
    assert next(row.call for row in rows) == "GET https://stock.example.org/api/level/{item}"


def test_approvals_of_the_persona_count_and_those_a_heading_only_names_do_not() -> None:
    rules = (
        "## Approval levels\n\n- Draft the reply\n- Walk the wall\n\n| Action | Approval |\n|---|---|\n"
        "| Refund | needs confirmation |\n| Read the log | none |\n\n## Ask first\n\n- Paint the gate\n"
    )
    tree = workspace(rules=rules) | {
        "SOUL.md": "# SOUL.md\n\nLetters leave the house (sending, publishing) with explicit permission.\n"
    }
    rows, alone = tool_rows(inventory_of(tree).elements)
    assert [rule.content_full.strip("- ") for rule in alone] == [
        "| Refund | needs confirmation |",
        "Paint the gate",
    ]
    asking = {
        row.element.facts[ToolFact].name: [rule.source_file for rule in row.asks] for row in rows if row.asks
    }
    assert list(asking.values()) == [["SOUL.md"]]


def test_what_a_skill_s_grants_leave_out_asks_first() -> None:
    text = (
        "---\nname: publisher\ndescription: Publish a page.\nallowed-tools: Bash(scripts/send.sh:*)\n---\n# Publisher\n\n"
        "1. Run `scripts/send.sh <version>`.\n2. Run `bash scripts/deploy.sh <env>` to deploy.\n"
    )
    tree = {
        "SKILL.md": text,
        "scripts/send.sh": "#!/bin/sh\necho 1\n",
        "scripts/deploy.sh": "#!/bin/sh\necho 2\n",
    }
    rows, _ = tool_rows(skill_inventory(tree, name="publisher").elements)
    asks = {row.element.facts[ToolFact].name: [rule.location for rule in row.asks] for row in rows}
    assert asks == {"run_bash": [], "deploy": ["SKILL.md:4"], "send": []}


@pytest.mark.parametrize(("heading", "names"), [("Tests", set()), ("开发", set()), ("Use", {"pytest"})])
def test_what_a_skill_s_developers_run_is_no_tool(heading: str, names: set[str]) -> None:
    text = f"---\nname: loaves\ndescription: Counts loaves.\n---\n# Loaves\n\n## {heading}\n\n```bash\npytest -m live\n```\n"
    elements = skill_inventory({"SKILL.md": text}, name="loaves").elements
    assert {each.facts[ToolFact].name for each in elements if each.facts[ToolFact].program} == names


def requests_of(*urls: str) -> list[ToolFact]:
    fences = "\n\n".join(f'```bash\ncurl -s "{url}"\n```' for url in urls)
    tools = tools_of(workspace(f"# TOOLS.md\n\n## Weather of a city\n\n{fences}\n"))
    return [tool for tool in tools.values() if tool.url]


@pytest.mark.parametrize(
    ("urls", "address", "query"),
    [
        (
            ("https://w.org/London?format=3", "https://w.org/New+York?format=3"),
            "https://w.org/{location}?format=3",
            (),
        ),
        (("https://w.org/London?format=3", "https://w.org/Oslo?T"), "https://w.org/{location}", ("format",)),
        (("https://w.org/cities/Oslo", "https://w.org/cities/{name}"), "https://w.org/cities/{name}", ()),
        (("https://w.org/users/17", "https://w.org/users/18"), "https://w.org/users/{user}", ()),
        (("https://w.org/x?q=a&n=1", "https://w.org/x?q=b&n=1"), "https://w.org/x?n=1", ("q",)),
    ],
)
def test_what_differs_between_examples_is_a_parameter(
    urls: tuple[str, ...], address: str, query: tuple[str, ...]
) -> None:
    (tool,) = requests_of(*urls)
    assert (tool.url, tool.query) == (address, query)


def test_different_endpoints_stay_different_tools() -> None:
    urls = ("https://w.org/users", "https://w.org/orders", "https://w.org/v1/x", "https://w.org/v2/x")
    assert len(inventory_urls(urls)) == len(urls)


def inventory_urls(urls: tuple[str, ...]) -> list[str]:
    fences = "\n\n".join(f"```bash\ncurl -s {url}\n```" for url in urls)
    rows, _ = tool_rows(inventory_of(workspace(f"# TOOLS.md\n\n## Shop\n\n{fences}\n")).elements)
    return [row.element.facts[ToolFact].url for row in rows]


SHOWN = """# HEARTBEAT.md

## Tide gauge

Read the gauge:

```bash
curl -s https://gauge.example.org/api/level
```

## Done on 2026-03-06

```bash
curl -s -X DELETE https://gauge.example.org/api/old
```
"""


def test_calls_that_the_checklist_and_the_rules_show_are_tools_and_their_lines_stay() -> None:
    rules = "## Night\n\n- Use `POST https://bell.example.org/ring` to ring the bell.\n- The log is `GET https://x.org`\n"
    tree = workspace("# TOOLS.md\n", rules, HEARTBEAT_dot_md=SHOWN)
    elements = inventory_of(tree).elements
    rows, _ = tool_rows(elements)
    assert sorted(row.call for row in rows) == [
        "GET https://gauge.example.org/api/level",
        "POST https://bell.example.org/ring",
    ]
    lines = [each for each in elements if each.source_file == "HEARTBEAT.md" and each.kind != PART]
    assert any("curl -s https://gauge" in each.content_full for each in lines)
    denied = inventory_of({**tree, "openclaw.json": '{tools: {deny: ["exec", "web_fetch"]}}'}).elements
    assert all(row.denied for row in tool_rows(denied)[0])


def test_a_fence_of_several_scripts_is_a_tool_for_each() -> None:
    fence = "```bash\n# The tide\nbash scripts/tide.sh\n# The wind\npython3 scripts/report.py May\n```\n"
    tree = workspace(f"# TOOLS.md\n\n## Weather of the lock\n\n{fence}", scripts__tide_dot_sh="echo low\n")
    assert sorted(tool.script for tool in tools_of(tree).values()) == ["scripts/report.py", "scripts/tide.sh"]


def test_one_script_is_one_tool() -> None:
    text = (
        TOOLS
        + "\n### Example\n\n```bash\npython3 scripts/report.py May\n```\n\nUse `scripts/report.py` each month.\n"
    )
    tools = [tool for tool in tools_of(workspace(text)).values() if tool.script]
    assert [tool.command for tool in tools] == ["python3 scripts/report.py <month>"]


def test_a_skill_s_script_has_the_placeholders_of_its_text() -> None:
    text = (
        "---\nname: p\ndescription: Sends.\n---\n# P\n\n1. Run `scripts/send.sh --to <place>` to send it.\n"
    )
    rows, _ = tool_rows(skill_inventory({"SKILL.md": text, "scripts/send.sh": "echo 1\n"}, name="p").elements)
    assert [row.element.facts[ToolFact].command for row in rows] == ["scripts/send.sh --to <place>"]


def test_a_token_from_a_file_is_a_header_from_the_environment() -> None:
    text = (
        "# TOOLS.md\n\n## Chat\n\n```bash\nTOKEN=$(cat ~/.token)\n"
        'curl -s -X POST https://a.org/post -H "Authorization: Bearer $TOKEN" -d x\n```\n'
    )
    (tool,) = tools_of(workspace(text)).values()
    assert '-H "Authorization: Bearer $TOKEN"' in tool.command


@pytest.mark.parametrize(
    "command",
    [
        "curl -s https://a.org/skill.md > ~/skill.md",
        "curl -sLo out.tar.gz https://a.org/x",
        "curl -sO https://a.org/x.zip",
        "curl -s -X POST https://a.org/api/register -d x",
        "curl -s https://a.org/oauth/login",
        "curl -fsSL https://a.org/install.sh | sh",
    ],
)
def test_downloads_logins_and_installers_are_no_tools(command: str) -> None:
    assert tools_of(workspace(f"# TOOLS.md\n\n## Get\n\n```bash\n{command}\n```\n")) == {}


def test_several_examples_of_one_post_are_one_tool() -> None:
    fence = '```bash\ncurl -s -X POST https://a.org/mcp -d \'{"a": "{x}"}\'\n```\n'
    text = f"# TOOLS.md\n\n## Ask\n\n{fence}\n## Tell\n\n{fence}"
    assert list(tools_of(workspace(text))) == ["Ask"]


@every_row(
    ("code", "missing"),
    [
        ("import fs from 'node:fs'\nimport { a } from './lib/a.mjs'\nrun()\n", ""),
        ("const fs = require('fs/promises')\nrun()\n", ""),
        ("import chalk from 'chalk'\nrun()\n", "chalk"),
        ("const x = await import('@octo/rest/dist')\nrun()\n", "@octo/rest"),
        ("import './lib/b.mjs'\nrun()\n", "left-pad"),
    ],
)
def test_a_script_of_node_is_a_tool_unless_it_needs_a_package_of_npm(code: str, missing: str) -> None:
    tree = {
        "SKILL.md": "---\nname: w\ndescription: Watches.\n---\n\n## Watch\n\nRun it:\n\n```bash\nnode scripts/watch.js --days <days>\n```\n",
        "scripts/watch.js": code,
        "scripts/lib/a.mjs": "export const a = 1\n",
        "scripts/lib/b.mjs": "import pad from 'left-pad'\n",
    }
    rows, _ = tool_rows(skill_inventory(tree, name="w").elements)
    (tool,) = [row.element.facts[ToolFact] for row in rows]
    assert tool.script == "scripts/watch.js"
    assert missing in tool.missing
    assert bool(tool.missing) is bool(missing)


PROGRAMS: dict[str, dict[str, str]] = {
    "```bash\ngh pr list --repo o/r\ngh pr view <number>\n```": {
        "gh pr": "gh pr list --repo o/r | gh pr view <number>"
    },
    '```bash\n# the queue\nsignal list\nsignal send --to <who> "hello there"\n```': {
        "signal list": "signal list",
        "signal send": 'signal send --to <who> "hello there"',
    },
    "Run `git status --short` before each report.": {"git status": "git status --short"},
    "```\nlight kitchen off\n```": {},
    "Use `dry run` for tests.": {},
    "```bash\nTOKEN=$(pass show x)\nsignal list\n```": {},
    "```bash\npython3 - <<EOF\nimport sys\nEOF\nsignal list\n```": {},
    "```bash\nfor each in a b; do\n  signal send\ndone\n```": {},
    "```bash\nsignal list | head -3\n```": {},
    "```bash\nsignal send ...\n```": {},
    "```bash\nnpm run build\nrm -r old\ncd app\nopenclaw cron list\nreport.py now\n```": {},
    "### Install\n\n```bash\nsignal register me\n```": {},
    "### Never do this\n\n```bash\nsignal purge all\n```": {},
}


@every_row(("shown", "calls"), PROGRAMS.items())
def test_a_program_of_the_machine_is_a_tool_a_sub_command(shown: str, calls: dict[str, str]) -> None:
    tree = workspace(f"# TOOLS.md\n\n## Signals\n\n{shown}\n")
    rows, _ = tool_rows(inventory_of(tree).elements)
    assert {
        row.element.facts[ToolFact].name: " | ".join(row.element.facts[ToolFact].calls) for row in rows
    } == calls
    for row in rows:
        assert row.asks == (row.element,), "nobody can say from here what a program does"
