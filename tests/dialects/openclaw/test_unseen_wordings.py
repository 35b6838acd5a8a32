"""Wordings that rules met in workspaces they had never seen, in our own words and several languages."""

from time import process_time

from melleafy_tui.core.models.inventory import Element
from tests.dialects.openclaw.in_memory import elements_of
from tests.rows import every_row

WORDINGS = {
    "steps in French": ("AGENTS.md", "Tout de suite :\n\n1. Lire le carnet\n2. Extraire les dates\n", "ORCHESTRATE", "guided"),
    "steps in Portuguese": ("AGENTS.md", "1. Verificar o forno\n2. Carregar a lenha\n", "ORCHESTRATE", "guided"),
    "steps in Spanish": ("AGENTS.md", "1. Revisar el horno\n2. Anotar la hora\n", "ORCHESTRATE", "guided"),
    "steps in German": ("AGENTS.md", "1. Prüfe den Ofen\n2. Schreibe die Uhrzeit auf\n", "ORCHESTRATE", "guided"),
    "steps in Russian": ("AGENTS.md", "1. Проверь печь\n2. Запиши время\n", "ORCHESTRATE", "guided"),
    "steps in Chinese": ("AGENTS.md", "1. 先检查炉子\n2. 记录\n", "ORCHESTRATE", "guided"),
    "steps in Japanese": ("AGENTS.md", "1. 窯の温度を確認\n2. 時刻を記録\n", "ORCHESTRATE", "guided"),
    "a lead-in that says not to wait": ("AGENTS.md", "以下情况立刻写下，不要等到打烊：\n\n- 面包卖完\n", "DECIDE", "guided"),
    "a prohibition in French": ("AGENTS.md", "Ne jamais vendre le pain d'hier.\n", "DECIDE", "judged"),
    "a prohibition after a comma": ("AGENTS.md", "- 没有新面包，不发通知\n", "DECIDE", "enforced"),
    "what needs a person's word": ("AGENTS.md", "## 红线（必须向店主确认）\n\n- 删除账本\n", "DECIDE", "enforced"),
    "what may be run": ("AGENTS.md", "## 黄线（可执行，事后记录）\n\n- `systemctl restart oven`\n", "DECIDE", "enforced"),
    "a write into a file, unless asked": (
        "AGENTS.md", "NEVER write keys to `till.json` unless the owner explicitly requested it.\n", "DECIDE", "enforced"
    ),
    "history that somebody asks for": ("AGENTS.md", "When somebody asks for history:\n\n- Read the ledger\n", "DECIDE", "guided"),
    "a condition in Chinese": ("AGENTS.md", "如果短语含糊，才允许追问。\n", "DECIDE", "guided"),
    "a question of a wake-up": ("AGENTS.md", "## Heartbeats\n\nThings to check:\n\n- **Oven** - is it warm?\n", "QUERY", "schedule"),
    "what a check found": ("HEARTBEAT.md", "- 异常：炉子冷了 → 立刻点火\n", "DECIDE", "schedule"),
    "how to work with a tool": ("TOOLS.md", "## Oven\n\n- Use the oven like a baker does\n", "TOOL_TEMPLATE", "guided"),
    "when to do something with a tool": ("TOOLS.md", "## Oven\n\n- When you see the lamp press it\n", "DECIDE", "guided"),
    "an order about the person": ("USER.md", "- Compare the harvest with last year before every fair\n", "DECIDE", "guided"),
    "a deed of the person": ("USER.md", "- Set up a small bakery in the harbour last year\n", "CONFIG", "context"),
    "a persona of orders": ("SOUL.md", "## Work\n\n- Finish the batch.\n- Clean the bench.\n", "CONVERSE", "guided"),
    "a persona of traits": ("SOUL.md", "## Self\n\nA calm baker.\n\nFond of rye.\n", "CONVERSE", "context"),
    "files to load": ("AGENTS.md", "- Load: SOUL.md, IDENTITY.md\n", "DECIDE", "runtime_only"),
    "files to read in Portuguese": ("AGENTS.md", "- Ler `SOUL.md`\n", "DECIDE", "runtime_only"),
    "files to read in Japanese": ("AGENTS.md", "- `USER.md` を読む\n", "DECIDE", "runtime_only"),
    "where daily notes are": ("AGENTS.md", "- **每日笔记**：`memory/YYYY-MM-DD.md` — 今天卖了什么\n", "DECIDE", "runtime_only"),
    "spawning": ("AGENTS.md", "- Spawn a new subagent for the stock count\n", "DECIDE", "runtime_only"),
    "a spawn for what somebody says": (
        "AGENTS.md", '**SMALL:** "fix the lamp," "sweep the floor" → sessions_spawn(task: "<task>")\n', "DECIDE", "runtime_only"
    ),
    "a choice of models": ("AGENTS.md", "## Model selection rule\n\nAlways use **Rye-2**.\n", "DECIDE", "runtime_only"),
    "notes of today": ("AGENTS.md", "- ❌ Don't load YESTERDAY unless asked\n", "DECIDE", "runtime_only"),
    "a fence of openclaw commands": ("TOOLS.md", "```sh\n# start\nopenclaw gateway stop\nopenclaw gateway start\n```\n", "CONFIG", "runtime_only"),
    "a fence of the owner's commands": ("TOOLS.md", "```sh\nmake bread\nmake rolls\nopenclaw gateway start\n```\n", "CONFIG", "context"),
}  # fmt: skip


@every_row("wording", WORDINGS)
def test_wording(wording: str) -> None:
    path, text, tag, use = WORDINGS[wording]
    found = _last(path, text)
    assert (found.tag.value, found.use.value) == (tag, use), (found.rationale, found.use_rationale)


def _last(path: str, text: str) -> Element:
    return elements_of(path, text)[-1]


def test_a_long_value_of_a_label_is_read_in_linear_time() -> None:
    long = "Path: " + "a" * 400 + "/b" * 200 + ".\n"
    started = process_time()
    _last("TOOLS.md", f"- {long}")
    assert process_time() - started < 1


def test_short_stock_lead_ins_are_stock_only_above_stock_items() -> None:
    owners = elements_of("AGENTS.md", "**Ask first:**\n\n- Lending the van\n")
    stock = elements_of("AGENTS.md", "**Ask first:**\n\n- Sending emails, tweets, public posts\n")
    assert [element.template for element in (owners[0], stock[0])] == [False, True]
