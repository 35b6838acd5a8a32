"""Wordings that rules met in workspaces they had never seen, in our own words and several languages."""

import pytest

from melleafy_tui.core.dialects.openclaw.stock_text import is_template_line
from melleafy_tui.core.dialects.openclaw.wake_words import speaks_of_waking
from melleafy_tui.core.language.actions import asks_approval
from melleafy_tui.core.language.wording import join_lines
from melleafy_tui.core.models.facts import ToolFact
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import Category, Tag, Use
from tests.dialects.openclaw.in_memory import elements_of
from tests.guard import bounded
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
    "a persona of orders": ("SOUL.md", "## Work\n\n- Finish the batch.\n- Clean the bench.\n", "CONVERSE", "context"),
    "a persona of traits": ("SOUL.md", "## Self\n\nA calm baker.\n\nFond of rye.\n", "CONVERSE", "context"),
    "files to load": ("AGENTS.md", "- Load: SOUL.md, IDENTITY.md\n", "DECIDE", "runtime_only"),
    "files to read in Portuguese": ("AGENTS.md", "- Ler `SOUL.md`\n", "DECIDE", "runtime_only"),
    "files to read in Japanese": ("AGENTS.md", "- `USER.md` を読む\n", "DECIDE", "runtime_only"),
    "where daily notes are": ("AGENTS.md", "- **每日笔记**：`memory/YYYY-MM-DD.md` — 今天卖了什么\n", "DECIDE", "runtime_only"),
    "a bold sentence": ("AGENTS.md", "**Never touch the till unless Ana asked.**\n", "DECIDE", "enforced"),
    "a bold sentence in Chinese": ("AGENTS.md", "**要说打烊，必须附上账单。**\n", "DECIDE", "guided"),
    "statuses of a table": ("AGENTS.md", "## Orders\n\n| Status | Meaning |\n|---|---|\n| DONE | Baked and paid |\n", "CONFIG", "context"),
    "statuses to choose from": ("AGENTS.md", "## Handing over\n\n- Status: ordered / baked / paid\n", "CONFIG", "context"),
    "the form of a record": ("AGENTS.md", '## Orders\n\nFill in:\n\n```json\n{"loaf": "rye"}\n```\n', "SCHEMA", "context"),
    "the form of OpenClaw's own state": (
        "AGENTS.md", 'Track in `memory/heartbeat-state.json`:\n\n```json\n{"lastChecks": {"oven": 1}}\n```\n', "SCHEMA", "runtime_only"
    ),
    "a bold sentence with a full stop in Chinese": ("AGENTS.md", "## 称重\n\n**没称 = 不说。宁可说“我去称”，也不猜。**\n", "DECIDE", "judged"),
    "an order, then what not to do": (
        "AGENTS.md", "When the oven stops, call Rui at once — do NOT wait for Ana.\n", "DECIDE", "guided"
    ),
    "a bare prohibition in Chinese": ("AGENTS.md", "- 不外泄客人地址\n", "DECIDE", "enforced"),
    "never, in Chinese": ("AGENTS.md", "- 永远不要泄露配方\n", "DECIDE", "enforced"),
    "a moment in Chinese": ("AGENTS.md", "- 每次打烊后记录到 `till.md`\n", "DECIDE", "guided"),
    "who is in charge, in Chinese": ("AGENTS.md", "## 店里\n\n- 烤箱由小李负责\n", "CONFIG", "context"),
    "when to be quiet, in Chinese": ("AGENTS.md", "**保持安静的时机：**\n\n- 客人之间的闲聊\n", "DECIDE", "guided"),
    "a heading with an order and a prohibition": ("AGENTS.md", "### 写下来 - 不要靠记\n\n- 面包的价格\n", "DECIDE", "guided"),
    "a prohibition in Japanese": ("AGENTS.md", "- 客の住所を外に漏らさない\n", "DECIDE", "enforced"),
    "an order in Japanese": ("AGENTS.md", "- 在庫が減ったら担当に知らせる\n", "DECIDE", "guided"),
    "what may be done in Japanese": ("AGENTS.md", "**自由にやってよいこと：**\n\n- 店のWebを検索する\n", "DECIDE", "enforced"),
    "what needs a word first in Japanese": ("AGENTS.md", "**先に確認すること：**\n\n- 客へのメールの送信\n", "DECIDE", "enforced"),
    "an order in Spanish": ("AGENTS.md", "Al cerrar, guarda la llave en el cajón.\n", "DECIDE", "guided"),
    "an order in German": ("AGENTS.md", "Prüfe jeden Montag die Waage.\n", "DECIDE", "guided"),
    "a prohibition after a condition in Spanish": ("AGENTS.md", "Al cerrar, no borrar la cuenta.\n", "DECIDE", "enforced"),
    "traits that look like orders": ("USER.md", "- Direct, calm and low on ceremony in all that he does\n", "CONFIG", "context"),
    "an order in Russian": ("AGENTS.md", "Проверяй весы каждый понедельник.\n", "QUERY", "guided"),
    "files named under words to read": ("AGENTS.md", "Every session, read:\n\n- `USER.md` - the guests\n", "CONFIG", "runtime_only"),
    "how the person is answered": ("USER.md", "- 说人话，不要说套话\n", "VALIDATE_OUTPUT", "judged"),
    "an approval in IDENTITY": ("IDENTITY.md", "- Permission required only for: buying flour\n", "DECIDE", "enforced"),
    "a limit with an approval in Chinese": ("AGENTS.md", "- 大额付款须向老板请示\n", "DECIDE", "enforced"),
    "who confirms, in Chinese": ("AGENTS.md", "- 付款 >100 元需老板确认\n", "DECIDE", "enforced"),
    "a refusal in Chinese": ("AGENTS.md", "- 来路不明的面粉，拒绝收货\n", "DECIDE", "guided"),
    "limits of risk in SOUL": (
        "SOUL.md", "# 小麦\n\n温和。\n\n## 风控\n\n- 大额付款向老板请示\n- 每单都有记录\n- 来路不明的面粉，拒绝收货\n", "DECIDE", "guided"
    ),
    "an algorithm in IDENTITY": ("IDENTITY.md", "## 语言算法\n\n1. 德语 → 用德语\n2. 法语 → 用法语\n3. 混合 → 用多数\n", "DECIDE", "guided"),
    "a persona of manners": ("SOUL.md", "## Voice\n\n- Talk like a baker.\n- Tell short jokes.\n", "CONVERSE", "context"),
    "a command after a label, without marks": (
        "HEARTBEAT.md", "Run: bash /bakery/oven.sh && python3 bell.py\n", "DETERMINISTIC", "schedule"
    ),
    "a condition in a block of comments": (
        "HEARTBEAT.md", "- Light the oven\n\n# Count the loaves with the old scale.\n# If one burns, call Ida.\n", "DECIDE", "schedule"
    ),
    "an order in a block of comments": (
        "HEARTBEAT.md", "- Light the oven\n\n# Oven\n# Count the loaves with the old scale.\n", "ORCHESTRATE", "schedule"
    ),
    "a heading of its own items": ("HEARTBEAT.md", "# Bakery\n\n## Count the loaves.\n\n- Light the oven\n\n## Ring the bell.\n", "NO_DECOMPOSE", "nothing"),
    "comments of an empty heartbeat": ("HEARTBEAT.md", "# Bakery\n# Write tasks for the oven here.\n", "NO_DECOMPOSE", "nothing"),
    "a small condition": ("HEARTBEAT.md", "- Read `till.json` if it exists\n", "QUERY", "schedule"),
    "a prohibition of failing silently": ("HEARTBEAT.md", "- Do not fail silently\n", "DECIDE", "schedule"),
    "hours of quiet": ("HEARTBEAT.md", "- 23:00 - 06:00 不打扰\n", "DECIDE", "schedule"),
    "a step that follows a failure": ("HEARTBEAT.md", "1. 点火\n2. 失败则通知店主\n", "DECIDE", "schedule"),
    "spawning": ("AGENTS.md", "- Spawn a new subagent for the stock count\n", "DECIDE", "runtime_only"),
    "a spawn for what somebody says": (
        "AGENTS.md", '**SMALL:** "fix the lamp," "sweep the floor" → sessions_spawn(task: "<task>")\n', "DECIDE", "runtime_only"
    ),
    "a choice of models": ("AGENTS.md", "## Model selection rule\n\nAlways use **Rye-2**.\n", "DECIDE", "runtime_only"),
    "notes of today": ("AGENTS.md", "- ❌ Don't load YESTERDAY unless asked\n", "DECIDE", "runtime_only"),
    "a fence of openclaw commands": ("TOOLS.md", "```sh\n# start\nopenclaw gateway stop\nopenclaw gateway start\n```\n", "CONFIG", "runtime_only"),
    "a fence of the owner's commands": ("TOOLS.md", "```sh\nmake bread\nmake rolls\nopenclaw gateway start\n```\n", "CONFIG", "context"),
    "a prohibition in Cantonese": ("AGENTS.md", "- 千祈唔好賣隔夜麵包\n", "DECIDE", "judged"),
    "a permission in Cantonese": ("AGENTS.md", "- 唔使問我，直接做\n", "DECIDE", "guided"),
    "an order in Cantonese": ("AGENTS.md", "- 收舖要先數錢先走\n", "DECIDE", "guided"),
    "an order that ends in a noun in Japanese": ("AGENTS.md", "- 閉店後に売上を記録\n", "DECIDE", "guided"),
    "a fact in Japanese": ("AGENTS.md", "- 使用言語は日本語\n", "CONFIG", "context"),
    "how something must be in Chinese": ("AGENTS.md", "- 面包外皮要酥脆\n", "DECIDE", "guided"),
    "a case under a heading": ("AGENTS.md", "## When to call Ana\n\n- A guest is hurt\n", "DECIDE", "guided"),
    "a rank": ("AGENTS.md", "When two say different things (higher wins):\n\n1. Ana\n", "DECIDE", "guided"),
    "a label with a value": ("AGENTS.md", "## Contacts\n\n- Rui: +351 1\n", "CONFIG", "context"),
    "things that an order asks for": (
        "AGENTS.md", "You should usually bring one of these:\n\n- a price list\n", "DECIDE", "guided"
    ),
    "first an order, then what not to say": (
        "AGENTS.md", "- Always bake the rye yourself. Never tell Ana to bake it.\n", "DECIDE", "judged"
    ),
    "a quote of the owner's": ("AGENTS.md", "> Flour waits for nobody.\n", "CONFIG", "context"),
    "a tool in AGENTS.md": ("AGENTS.md", "## Available scripts\n\n- scale: weighs the loaves\n", "TOOL_TEMPLATE", "context"),
    "somebody's word": ("AGENTS.md", "Orders above 200 need Ana's word.\n", "DECIDE", "enforced"),
    "what alone a tool may be used for": (
        "TOOLS.md", "- For the scale, only call it with a clean plate.\n", "DECIDE", "guided"
    ),
    "memory files by their heading": (
        "AGENTS.md", "# A\n\n## Memory\n\n- Daily notes: `memory/YYYY-MM-DD.md`\n", "CONFIG", "runtime_only"
    ),
    "files to load by their heading": (
        "AGENTS.md", "# A\n\n## Session start\n\n- SOUL.md kurz überfliegen\n", "DECIDE", "runtime_only"
    ),
    "OpenClaw's own gateway": (
        "TOOLS.md", "# T\n\n## OpenClaw gateway\n\n- Port: 18789\n", "CONFIG", "runtime_only"
    ),
    "an order under a heading about memory": (
        "AGENTS.md", "# A\n\n## Memory\n\n- Count the loaves at noon\n", "DECIDE", "guided"
    ),
    "a limit of a task": ("HEARTBEAT.md", "- One loaf per guest max\n", "DECIDE", "schedule"),
    "a lead-in that forbids": ("HEARTBEAT.md", "Never at night:\n\n- the mixer\n", "DECIDE", "schedule"),
    "a route to a colleague": ("AGENTS.md", "- Cake orders → report to Sage\n", "DECIDE", "guided"),
    "something to log": ("AGENTS.md", "- Log burnt trays, escalations, and late guests\n", "DECIDE", "guided"),
    "a trait after Be": ("AGENTS.md", "## Reviews\n\nBe:\n\n- crisp\n", "VALIDATE_OUTPUT", "judged"),
    "a trait in Chinese": ("AGENTS.md", "## 沟通风格\n\n- 温和\n", "VALIDATE_OUTPUT", "judged"),
    "a form's blank": ("AGENTS.md", "## Report format\n\n**Bread:** <kind and price>\n", "VALIDATE_OUTPUT", "context"),
    "a number in a paragraph": (
        "AGENTS.md", "**With guests in:**\n6. Read the order book\n7. Run `count.py`\n", "ORCHESTRATE", "guided"
    ),
    "labels on lines of one paragraph": (
        "AGENTS.md", "**Opening:** at five.\n**Closing:** never leave the oven on.\n", "DECIDE", "judged"
    ),
    "what is approved already": ("AGENTS.md", "Move quickly when:\n\n- the cake is already approved\n", "DECIDE", "guided"),
    "several commas in a condition": (
        "USER.md", "- If a cake is stale, cold, or late, do not praise it.\n", "VALIDATE_OUTPUT", "judged"
    ),
    "a part of the agent's work": (
        "AGENTS.md", "## What you handle\n\n- **Till notes** — turn slips into clean sums\n", "CONFIG", "context"
    ),
    "other people in Chinese are no prohibition": ("AGENTS.md", "保持沉默：\n\n- 别人在烤面包\n", "DECIDE", "guided"),
    "no tasks but quiet hours": ("HEARTBEAT.md", "- 23:00-08:00 不打扰，除非紧急\n", "DECIDE", "schedule"),
    "a threshold in Chinese": ("HEARTBEAT.md", "- 温度超过 90 → 关炉子\n", "DECIDE", "schedule"),
    "when to use a heartbeat": ("AGENTS.md", "**Use heartbeat when:**\n\n- bread\n", "DECIDE", "runtime_only"),
    "a prohibition to load cargo": ("HEARTBEAT.md", "Don't load the van at night.\n", "DECIDE", "schedule"),
    "a due time beside a state file": (
        "HEARTBEAT.md", "**Track last bake** in `memory/heartbeat-state.json` — skip if baked within 20 hours.\n",
        "DECIDE", "schedule",
    ),
    "an order in Portuguese": ("AGENTS.md", "- Responda sempre em português\n", "VALIDATE_OUTPUT", "judged"),
    "a heading that forbids in Portuguese": ("AGENTS.md", "## Evite\n\n- Textos longos\n", "DECIDE", "judged"),
    "a dated entry of a log": ("HEARTBEAT.md", "- ✅ 2031-04-02 oven - 18:40 cleaned (tray left)\n", "NO_DECOMPOSE", "nothing"),
    "a dated entry in Chinese": ("HEARTBEAT.md", "- ❌ 2031-04-02 烤炉 - 18:40 没有清理\n", "NO_DECOMPOSE", "nothing"),
    "a dated entry in Spanish": ("HEARTBEAT.md", "- 2031-04-02: pan enviado a la plaza\n", "NO_DECOMPOSE", "nothing"),
    "what is due on a day": ("HEARTBEAT.md", "- 2031-05-01: check the oven licence\n", "QUERY", "schedule"),
    "a row of a dated log": (
        "HEARTBEAT.md", "## Progress (2031-04-02 18:40)\n\n| Nr | Work |\n|---|---|\n| C1 | oven check |\n", "NO_DECOMPOSE", "nothing"
    ),
    "an order in a dated section": ("HEARTBEAT.md", "## Progress (2031-04-02)\n\n- Clean the oven\n", "ORCHESTRATE", "schedule"),
    "finished work in Ukrainian": (
        "HEARTBEAT.md", "## ✅ Завершено: піч (2031-04-02)\n\n- `oven.py` — дані про піч\n", "NO_DECOMPOSE", "nothing"
    ),
    "a heading that was brought up to date": (
        "HEARTBEAT.md", "## Checks (updated 2031-04-02)\n\n- Flour in the cellar\n", "QUERY", "schedule"
    ),
    "a label with the time of a check": ("HEARTBEAT.md", "## Oven check\n\n- **When:** once a day, before dawn\n", "ORCHESTRATE", "schedule"),
    "a label with the time in French": ("HEARTBEAT.md", "- **Quand** : tous les jours à 7h\n", "ORCHESTRATE", "schedule"),
    "a label with a condition": ("HEARTBEAT.md", "- **When:** the oven is cold, light it\n", "DECIDE", "schedule"),
    "cases that alone count": ("HEARTBEAT.md", "Only for:\n\n- a cold oven\n", "DECIDE", "schedule"),
    "cases that are passed over": ("HEARTBEAT.md", "**Bills (no entry):**\n\n- flour bills\n", "DECIDE", "schedule"),
    "cases that alone count in German": ("HEARTBEAT.md", "Nur bei:\n\n- kaltem Ofen\n", "DECIDE", "schedule"),
    "what may be posted in Chinese": ("TOOLS.md", "**可以张贴的内容：**\n\n- ✅ 面包的价格\n", "DECIDE", "enforced"),
    "what may be posted in Spanish": ("TOOLS.md", "**Se puede publicar:**\n\n- precios del pan\n", "DECIDE", "enforced"),
    "a duty in the passive": ("TOOLS.md", "- The scales may drift; weights should be compared with the list first.\n", "DECIDE", "guided"),
    "a duty in Chinese": ("TOOLS.md", "- 秤可能不准，重量必须先和清单对照。\n", "DECIDE", "guided"),
    "a choice between tools": ("TOOLS.md", "- Weigh with the old scales instead of the new\n", "DECIDE", "guided"),
    "a failure in Chinese": ("TOOLS.md", "2. 如失败换到旧秤\n", "DECIDE", "guided"),
    "a row of values": ("TOOLS.md", "| Field | Value | Share |\n|---|---|---|\n| flour | 42 | 93 % |\n", "CONFIG", "context"),
    "the state of a tool": ("TOOLS.md", "**Status:** ready (needs flour)\n", "CONFIG", "context"),
    "cases on lines of their own": (
        "HEARTBEAT.md", "If all is well: `HEARTBEAT_OK`\nIf the oven is cold: light it\n", "DECIDE", "schedule"
    ),
    "an empty heartbeat in Ukrainian": ("HEARTBEAT.md", "_Порожньо, пекти не треба_\n", "NO_DECOMPOSE", "nothing"),
    "an empty heartbeat in Portuguese": ("HEARTBEAT.md", "Vazio por enquanto\n", "NO_DECOMPOSE", "nothing"),
    "an order to keep the file short": ("HEARTBEAT.md", "Keep this file small to save flour.\n", "NO_DECOMPOSE", "nothing"),
    "an order to keep the file short in Chinese": ("HEARTBEAT.md", "请保持此文件精简，省下面粉。\n", "NO_DECOMPOSE", "nothing"),
    "what the file is for in Chinese": ("TOOLS.md", "随时增删。这是你的面包房速查表。\n", "NO_DECOMPOSE", "nothing"),
    "a case under a heading when to do it": (
        "HEARTBEAT.md", "## When to stay away\n\n- Bread already sold\n", "DECIDE", "schedule"
    ),
    "the upkeep of USER.md": ("USER.md", "*Notes on the baker. Update this every week.*\n", "NO_DECOMPOSE", "nothing"),
    "the upkeep of USER.md in Chinese": ("USER.md", "_认识你的面包师，并持续更新。_\n", "NO_DECOMPOSE", "nothing"),
    "a dislike in Portuguese": ("USER.md", "- Não gosta de pão doce no café da manhã\n", "CONFIG", "context"),
    "a goal of the person": ("USER.md", "## Goals\n\n- Learn to bake a plain rye loaf every week\n", "CONFIG", "context"),
    "a name with what it stands for": ("USER.md", "- Flour first — check the scales before building a recipe\n", "CONFIG", "context"),
    "a long order with a dash": ("USER.md", "- Report burnt trays at once — check the scales first\n", "DECIDE", "guided"),
    "a prohibition at the end": ("TOOLS.md", "- 秤在门边，不要用旧秤\n", "DECIDE", "judged"),
    "an item under a prohibition": ("TOOLS.md", "Never use these scales for:\n\n- Hot trays\n", "DECIDE", "judged"),
    "briefs that are short": ("USER.md", "- Keep briefs short and scannable.\n", "VALIDATE_OUTPUT", "judged"),
    "a command that a bot understands": ("AGENTS.md", "- `/list open` - List open orders and messages\n", "CONFIG", "context"),
    "a code file with what it does": ("AGENTS.md", "**Scale:** `lib/scale.py` — Weigh trays\n", "CONFIG", "context"),
    "a goal": ("AGENTS.md", "- **Goal:** Sell all rye before noon\n", "CONFIG", "context"),
    "a cause in Chinese": ("AGENTS.md", "**原因：**\n- 打开了烤箱的门\n", "CONFIG", "context"),
    "steps under a case": (
        "AGENTS.md", "- If the oven is cold, run:\n  1. `tools/gas.sh check`\n  2. `tools/oven.sh light`\n", "ORCHESTRATE", "guided"
    ),
    "steps after an order with an aside": (
        "AGENTS.md", "When a tray is missing, look first — never guess:\n\n1. Search the cellar\n2. Read the tray list\n",
        "ORCHESTRATE", "guided",
    ),
    "steps under a condition that negates": (
        "AGENTS.md", "When you don't find the key:\n\n1. Look under the mat\n2. Open the side door\n", "ORCHESTRATE", "guided"
    ),
    "the last sentence of a lead-in": (
        "AGENTS.md", "Never taste the dough raw. Use the scale:\n\n- weigh one spoon\n", "DECIDE", "guided"
    ),
    "a list of rules is no sequence": (
        "AGENTS.md", "标准:\n\n1. 所有面包必须当天出炉\n2. 检查库存，过期必须丢弃\n3. 创建订单时，必须写日期\n", "DECIDE", "guided"
    ),
    "cases of a numbered list": (
        "AGENTS.md", "If you are about to:\n\n1. Open the oven → WAIT a minute\n2. Cut the loaf → COOL it\n", "DECIDE", "guided"
    ),
    "a rank in a nested list": (
        "AGENTS.md", "- Priority:\n  1. Serve guests in the shop\n  2. Open the side door\n", "DECIDE", "guided"
    ),
    "practices are no sequence": (
        "AGENTS.md", "## Good practices\n\n1. Weigh the flour - it saves dough\n2. Pick fresh yeast - it rises\n", "DECIDE", "guided"
    ),
    "a numbered order without a space in Chinese": (
        "AGENTS.md", "## 开店流程\n\n1.打开店门\n\n2.点亮烤箱\n", "ORCHESTRATE", "guided"
    ),
    "all that is not allowed in Chinese": ("AGENTS.md", "隔夜面包，均不允许出售！\n", "DECIDE", "judged"),
    "a deed that is done in Chinese": ("AGENTS.md", "- 修改了面包的名字\n", "DECIDE", "guided"),
    "a label that forbids in Japanese": ("AGENTS.md", "- 冷めたパンは売らない: 見習いに渡す\n", "DECIDE", "judged"),
    "an order with a colon in Spanish": ("AGENTS.md", "- Al cerrar la tienda, anotar: pan, precio, hora\n", "DECIDE", "guided"),
    "words that are no exception": ("AGENTS.md", "Clean the scale at noon. No exceptions.\n", "DECIDE", "guided"),
    "a purpose": ("AGENTS.md", "The timer is there to ensure even baking.\n", "CONFIG", "context"),
    "no need to ask": ("AGENTS.md", "- Opening files can proceed without asking\n", "DECIDE", "enforced"),
    "an approval as a property": ("AGENTS.md", "- Approval status of each cake\n", "CONFIG", "context"),
    "what every report has": ("AGENTS.md", "- Every report must include the price of flour\n", "VALIDATE_OUTPUT", "judged"),
    "messages that are handled": ("AGENTS.md", "- Skip threads with one message\n", "DECIDE", "guided"),
    "a bold prohibition with a nested list": (
        "AGENTS.md", "1. **Never delete the recipe book**\n", "DECIDE", "enforced"
    ),
    "a part of the day in a wake-up": (
        "AGENTS.md", "## Heartbeats\n\n- **Morning:** oven, till, post\n", "QUERY", "schedule"
    ),
    "an order that opens with its time": ("AGENTS.md", '- Each morning, ask: "How much flour is left?"\n', "DECIDE", "judged"),
    "a label over a condition": ("AGENTS.md", "- Sunday at nine: if Rui calls, open the shop\n", "DECIDE", "guided"),
    "steps under a Chinese condition that negates": (
        "AGENTS.md", "如果烤箱不能点火：\n\n1. 检查煤气\n2. 记录时间\n", "ORCHESTRATE", "guided"
    ),
    "rules with a bracket": ("AGENTS.md", "## Rules (never break)\n\n- Open the shop at six\n", "DECIDE", "guided"),
    "what a bracket forbids": (
        "AGENTS.md", "打烊后的事（学徒禁止做）：\n\n- 写入价目表\n", "DECIDE", "enforced"
    ),
    "what must be filled in": (
        "AGENTS.md", "Required lines (never keep them empty):\n\n- price of the loaf\n", "DECIDE", "guided"
    ),
    "never to lose something": (
        "AGENTS.md", "## Careful - never lose a recipe\n\n- Store `recipes.md` at noon\n", "DECIDE", "guided"
    ),
    "a prohibition in Korean": ("AGENTS.md", "- 가격표를 외부에 보내지 않는다.\n", "DECIDE", "enforced"),
    "an order in Korean": ("AGENTS.md", "- 매일 아침 반죽을 확인한다.\n", "DECIDE", "guided"),
    "a fact in Korean": ("AGENTS.md", "빵집은 강가에 있다.\n", "CONFIG", "context"),
    "a blunt prohibition in Japanese": ("AGENTS.md", "- 夜に窯を開けるな\n", "DECIDE", "judged"),
    "a question that names an approval": (
        "AGENTS.md", "## Before you bake\n\n- Would Ana give her approval?\n", "CONFIG", "context"
    ),
    "a story that names an approval": (
        "AGENTS.md", "What happened:\n\n- The rye was sold without approval\n", "CONFIG", "context"
    ),
    "a row of what a thing is": ("AGENTS.md", "| Name | What it does |\n|---|---|\n| Scale | Weigh the loaves |\n", "CONFIG", "context"),
    "a row of where a file is": ("AGENTS.md", "| File | Content |\n|---|---|\n| `trays.md` | list of the trays |\n", "CONFIG", "context"),
    "a row of what isn't there": ("AGENTS.md", "| Oven | Timer | Lamp |\n|---|---|---|\n| East | ✅ built in | ❌ none |\n", "CONFIG", "context"),
    "a row that binds": ("AGENTS.md", "| Bread | Note |\n|---|---|\n| Rye | must rest a night |\n", "DECIDE", "guided"),
    "a row of cases in Chinese": ("AGENTS.md", "| 情况 | 动作 |\n|---|---|\n| 烤焦 | 查看温度 |\n", "DECIDE", "guided"),
    "a row whose first column forbids": ("AGENTS.md", "| Never | Reason |\n|---|---|\n| Sell raw dough | it makes people sick |\n", "DECIDE", "judged"),
    "a name among facts": ("AGENTS.md", "## Shop\n\n- Owner: Ana\n- Town: Porto\n- Start date: May\n", "CONFIG", "context"),
    "a noun among facts": ("AGENTS.md", "## Shop\n\n- Town: Porto\n- Owner: Ana\n- Ovens for bread, for cakes and for the tin loaves\n", "CONFIG", "context"),
    "an order among facts": ("AGENTS.md", "## Shop\n\n- Owner: Ana\n- Town: Porto\n- Write it down: paper lasts\n", "DECIDE", "guided"),
    "the form of a fact among rules": (
        "AGENTS.md", "## Shop\n\n- Weigh the flour\n- Clean the bench\n- Burnt loaves: for the birds\n", "DECIDE", "guided"
    ),
    "a place among rules": ("AGENTS.md", "## Shop\n\n- Weigh the flour\n- Clean the bench\n- Recipes: `book.md`\n", "CONFIG", "context"),
    "what somebody does not do": ("AGENTS.md", "## What Rui does not do\n\n- Deliveries\n", "DECIDE", "guided"),
    "why somebody does not do it": ("AGENTS.md", "## Why Rui does not bake\n\n- Flour dust\n", "CONFIG", "context"),
    "what needs somebody's approval": ("AGENTS.md", "## Needs Ana's approval\n\n- Large orders\n", "DECIDE", "enforced"),
    "what needs approval in Portuguese": ("AGENTS.md", "## O que precisa de aprovação\n\n- Apagar receitas\n", "DECIDE", "enforced"),
    "what needs no approval": ("AGENTS.md", "## Automated (no approval)\n\n- Checking the price of flour\n", "DECIDE", "enforced"),
    "a place in a checklist": ("HEARTBEAT.md", "## Ovens\n\n- Recipe file: `oven.md`\n", "CONFIG", "context"),
    "a place in a checklist in Chinese": ("HEARTBEAT.md", "## 烤箱\n\n- 配方文件：`oven.md`\n", "CONFIG", "context"),
    "what is known in a checklist": ("HEARTBEAT.md", "## Oven knowledge\n\n- Cordierite holds the heat\n", "CONFIG", "context"),
    "what was found": ("HEARTBEAT.md", "## Findings\n\n- East oven slower than the west one\n", "NO_DECOMPOSE", "nothing"),
    "a row of what was the case": ("HEARTBEAT.md", "| Oven | 状态 |\n|---|---|\n| East | ✅ 干净 |\n", "NO_DECOMPOSE", "nothing"),
    "a row with a cross": ("HEARTBEAT.md", "| Hour | Oven |\n|---|---|\n| night | ❌ |\n", "CONFIG", "context"),
    "cases under a trigger": ("HEARTBEAT.md", "Triggers:\n\n- smoke\n", "DECIDE", "schedule"),
    "cases under a heading in Chinese": ("HEARTBEAT.md", "## 触发条件\n\n- 烤箱冒烟\n", "DECIDE", "schedule"),
    "what may be done at once": ("HEARTBEAT.md", "## Auto-actions allowed\n\n- oven restart\n", "DECIDE", "schedule"),
    "parts of a report": ("HEARTBEAT.md", "Every Friday, report to Ana with:\n\n- loaves sold\n", "VALIDATE_OUTPUT", "schedule"),
    "what is checked in Chinese": ("HEARTBEAT.md", "检查内容：\n\n- 烤箱温度\n", "QUERY", "schedule"),
    "what a lead-in of a checklist forbids": ("HEARTBEAT.md", "Do NOT:\n\n- light the oven at night\n", "DECIDE", "schedule"),
    "what needs no input": ("HEARTBEAT.md", "Jobs that don't require Ana's input:\n\n- oven cleaning\n", "DECIDE", "schedule"),
    "rules of a checklist": ("HEARTBEAT.md", "## Rules\n\n- Clean one oven at a time\n", "DECIDE", "schedule"),
    "the time of a check in Chinese": ("HEARTBEAT.md", "## 检查\n\n- 检查时间：09:00 / 19:00\n", "ORCHESTRATE", "schedule"),
    "what was repaired, in Chinese": ("HEARTBEAT.md", "- 烤箱的灯 → 已修复\n", "NO_DECOMPOSE", "nothing"),
    "what a check found, with a deed": ("HEARTBEAT.md", "- 正常：已更新账本\n", "DECIDE", "schedule"),
    "a section that is switched off": ("HEARTBEAT.md", "# Bakery\n\n## Oven check (disabled)\n\n- Read `oven.log`\n", "NO_DECOMPOSE", "nothing"),
    "a script under a label in Chinese": ("HEARTBEAT.md", "- **脚本：** `count.py`\n", "DETERMINISTIC", "schedule"),
    "prose about the file": ("HEARTBEAT.md", "The oven bot checks this file.\n", "NO_DECOMPOSE", "nothing"),
    "an infinitive in Russian": ("HEARTBEAT.md", "- Накормить закваску\n", "ORCHESTRATE", "schedule"),
    "an infinitive in Portuguese": ("AGENTS.md", "- Pesar a farinha em gramas\n", "DECIDE", "guided"),
    "an infinitive in French": ("AGENTS.md", "- Peser la farine avec la balance\n", "DECIDE", "guided"),
    "a noun in -ть": ("AGENTS.md", "## Пекарня\n\n- Память о печи\n", "DECIDE", "guided"),
    "an order after a bracket in Chinese": ("HEARTBEAT.md", "（可选）写入 `till.json`\n", "ORCHESTRATE", "schedule"),
    "what got better, in a checklist": ("HEARTBEAT.md", "## Oven\n\n**Improvements:**\n\n- even heat in the east oven\n", "CONFIG", "context"),
    "lessons in a checklist in Chinese": ("HEARTBEAT.md", "## 教训\n\n- 烤箱门没关好\n", "CONFIG", "context"),
    "what was reached, in Chinese": ("HEARTBEAT.md", "## 关键成果\n\n- 东烤箱温度稳定\n", "NO_DECOMPOSE", "nothing"),
    "a case by its share": ("HEARTBEAT.md", "- **75%**: 面粉补货\n", "DECIDE", "schedule"),
    "a prohibition after an order": ("HEARTBEAT.md", "- Rui weighs the loaves, doesn't bake them\n", "DECIDE", "schedule"),
    "what isn't done at night in Chinese": ("HEARTBEAT.md", "- 夜间不打扰\n", "DECIDE", "schedule"),
    "what the agent decides itself in Chinese": ("AGENTS.md", "- 小额订单可自行处理\n", "DECIDE", "guided"),
    "the form of an output in Portuguese": ("AGENTS.md", "## Saída padrão\n\n- preço em negrito\n", "VALIDATE_OUTPUT", "judged"),
    "what the agent is for, one heading up": (
        "AGENTS.md", "## Primary responsibilities\n\n### Ovens\n\n- Doors and trays for all of the ovens in town\n", "CONFIG", "context"
    ),
    "a workflow of what the agent is for": (
        "AGENTS.md", "## Primary responsibilities\n\n### Oven workflow\n\n- Doors and trays for all of the ovens in town\n", "DECIDE", "guided"
    ),
    "a numbered list of practices": (
        "AGENTS.md", "## Best practices\n\n1. Trays and doors for all of the ovens in town\n", "DECIDE", "guided"
    ),
    "a sentence among numbered facts": (
        "AGENTS.md", "## Shop\n\n1. Owner: Ana\n2. Town: Porto\n3. Trays and doors for all of the ovens in town\n", "CONFIG", "context"
    ),
    "bounds of a persona with an approval": (
        "SOUL.md", "## Boundaries\n\n- Be a good guest.\n- Deleting a recipe needs Ana's explicit approval.\n", "DECIDE", "enforced"
    ),
    "bounds of a persona alone": ("SOUL.md", "## Boundaries\n\n- Be a good guest.\n- Warmth before wit.\n", "CONVERSE", "context"),
    "steps of a persona under a workflow": (
        "SOUL.md", "# 小麦\n\n## 工作流程\n\n1. 面团的温度\n2. 烤箱的湿度\n", "ORCHESTRATE", "guided"
    ),
    "heartbeat or cron in Chinese": ("AGENTS.md", "**用定时任务当：**\n\n- 面包要准时出炉\n", "DECIDE", "runtime_only"),
    "a cadence of memory in Chinese": ("AGENTS.md", "# 店\n\n## 记忆维护\n\n- **每周**：回顾MEMORY.md\n", "CONFIG", "runtime_only"),
    "a benefit under rules": (
        "AGENTS.md", "## Oven rules\n\n**Expected gains:**\n\n- Write shorter orders to the mill\n", "CONFIG", "context"
    ),
    "a place under rules": ("AGENTS.md", "## Oven rules\n\n- Recipe folder: `/srv/bread/recipes`\n", "CONFIG", "context"),
    "a source in a list": ("TOOLS.md", "## Sources\n\n- Mill gazette\n", "CONFIG", "context"),
    "reactions are no runtime's alone": ("AGENTS.md", "- Use emoji reactions for short thanks\n", "VALIDATE_OUTPUT", "judged"),
    "a nested item under what is never written": (
        "AGENTS.md", "Never write like this:\n\n- Dear guest\n  - with a bow\n", "VALIDATE_OUTPUT", "judged"
    ),
    "a nested item under what is asked first": ("AGENTS.md", "**Ask first:**\n\n- Mail\n  - to the mill\n", "DECIDE", "enforced"),
    "a row under what is asked first": (
        "AGENTS.md", "Ask first before any of these:\n\n| Act | Note |\n|---|---|\n| Delete a recipe | gone for good |\n", "DECIDE", "enforced"
    ),
    "a noun that looks like a verb": ("AGENTS.md", "## Desk\n\n- Sales reports\n", "CONFIG", "context"),
    "an overview": ("AGENTS.md", "## Desk\n\n- Overview of the ovens\n", "CONFIG", "context"),
    "where a result goes": ("AGENTS.md", "## Desk\n\n- Result → `trays.md`\n", "DECIDE", "guided"),
    "an approval in USER.md": ("USER.md", "- Don't push before I say so\n", "DECIDE", "enforced"),
    "a rule of a quote": ("AGENTS.md", "> Orders above 200 need Ana's word.\n", "DECIDE", "enforced"),
    "a rule of a fence": ("AGENTS.md", "```\nask Ana before you delete a recipe\n```\n", "DECIDE", "enforced"),
    "routes of a persona": (
        "SOUL.md", "# Ada\n\nCalm.\n\n## Routing\n\n- Late orders → Ana\n- Broken ovens → Rui\n- Lost keys → Sage\n", "DECIDE", "guided"
    ),
    "a link into the docs": ("AGENTS.md", "- [Ovens](/kitchen/ovens)\n", "NO_DECOMPOSE", "nothing"),
}  # fmt: skip


@every_row("wording", WORDINGS)
def test_wording(wording: str) -> None:
    path, text, tag, use = WORDINGS[wording]
    found = _last(path, text)
    assert (found.tag.value, found.use.value) == (tag, use), (found.rationale, found.use_rationale)


def _last(path: str, text: str) -> Element:
    return elements_of(path, text)[-1]


@pytest.mark.parametrize("text", ["普通付款无需请示", "付款不需要确认", "付款无需确认即可执行"])
def test_what_needs_no_approval_in_chinese_asks_for_none(text: str) -> None:
    assert not asks_approval(text)


PARAPHRASES = {
    "If you learn a lesson → update AGENTS.md, TOOLS.md or that skill": True,
    '- When someone tells you "remember this" → update `memory/YYYY-MM-DD.md` or the relevant file': True,
    "Late night (22:00-07:00) unless it is urgent": False,
    'When someone says "remember the flour" → write the order book of the bakery': False,
    "Bake destructive loaves after asking the miller": False,
    "Run destructive commands without asking": False,
}


@every_row("line", PARAPHRASES)
def test_paraphrases_of_stock_lines(line: str) -> None:
    assert is_template_line(line) is PARAPHRASES[line]


def test_skills_of_agents_md_are_tools_and_rules_of_a_persona_are_rules() -> None:
    rows = (
        ("AGENTS.md", "## Skills\n\n- **scale**: weighs the loaves\n"),
        WORDINGS["routes of a persona"][:2],
    )
    assert [_last(*row).category for row in rows] == [Category.C6, Category.C2]


def test_words_broken_over_lines_are_joined() -> None:
    assert (
        join_lines(["a chain-of-", "thought, pre-", "and post-", "war"])
        == "a chain-of-thought, pre- and post-war"
    )


def test_a_step_that_names_a_tool_of_the_runtime_stays_with_its_list() -> None:
    steps = "1. Pull the new image\n2. Run `openclaw gateway restart`\n3. After the restart, wait\n"
    assert [element.runtime_only for element in elements_of("AGENTS.md", steps)] == ["", "", ""]
    alone, _ = elements_of("AGENTS.md", "- Run `openclaw gateway restart`\n- The oven is old\n")
    assert alone.runtime_only
    checks = "- If the till is offline, run `openclaw gateway restart`\n- After the restart, wait\n- Try once only\n"
    assert [element.runtime_only for element in elements_of("HEARTBEAT.md", checks)] == ["", "", ""]


def test_a_case_and_a_rank_keep_what_stands_above_them() -> None:
    assert _last("AGENTS.md", "## When to escalate\n\n- The till is short\n").statement == (
        "When to escalate: the till is short"
    )
    assert _last("AGENTS.md", "Whose word counts (higher wins):\n\n1. Ana\n2. Rui\n").statement == (
        "Whose word counts (higher wins) (2): Rui"
    )


def test_a_title_keeps_its_capitals_after_a_lead_in() -> None:
    modes = "Follow these modes:\n\n- **Plan Mode**: think only\n- **Plan** the day\n"
    assert [element.statement for element in elements_of("AGENTS.md", modes)][-2:] == [
        "Follow these modes: Plan Mode: think only",
        "Follow these modes: plan the day",
    ]


def test_an_items_use_is_never_the_approval_or_the_removal_of_its_neighbours() -> None:
    items = "- Never delete the ledger\n- Never send mail\n- Warm bread smells good\n"
    assert [element.use.value for element in elements_of("AGENTS.md", items)][-1] != "enforced"


def test_a_short_bold_line_above_its_items_is_a_heading() -> None:
    heading, *_ = elements_of("AGENTS.md", "**Never do this at the desk**\n\n- Smoke\n")
    assert heading.kind == "heading"


def test_a_long_value_of_a_label_is_read_in_linear_time() -> None:
    with bounded():
        _last("TOOLS.md", "- Path: " + "/long/word " * 400 + "\n")


def test_the_rules_read_the_beginning_of_a_huge_item() -> None:
    with bounded():
        _last("HEARTBEAT.md", "- every " + "9" * 30_000 + " minutes look\n- " + "30m " * 20_000 + "\n")


def test_a_long_word_of_a_heartbeat_is_read_in_linear_time() -> None:
    """A file name may start before `heartbeat-`: looked for at each letter, a long word took minutes."""
    with bounded():
        assert not speaks_of_waking("a" * 400_000)
    assert not speaks_of_waking("see memory/heartbeat-state.json, ./logs/HEARTBEAT_log.txt and HEARTBEAT.md")
    assert speaks_of_waking("see memory/heartbeat-state.json on each heartbeat")


def test_an_item_that_forbids_is_a_rule_whatever_is_nested_in_it() -> None:
    item, nested = elements_of("AGENTS.md", "1. **Never delete the recipe book**\n   - copy it instead\n")
    assert (item.kind, item.tag.value, item.use.value) == ("item", "DECIDE", "enforced")
    assert nested.tag.value == "DECIDE"


def test_short_stock_lead_ins_are_stock_only_above_stock_items() -> None:
    owners = elements_of("AGENTS.md", "**Ask first:**\n\n- Lending the van\n")
    stock = elements_of("AGENTS.md", "**Ask first:**\n\n- Sending emails, tweets, public posts\n")
    assert [element.template for element in (owners[0], stock[0])] == [False, True]


SECTIONS = {
    "cases with what to do": (
        "## Hand-over\n\nWhen a tray burns, tell Ana.\nIf the flour is short, order more.\nCall the mill at noon.\n",
        "C2",
    ),
    "steps with a fence": (
        "## How to ask the mill\n\nWhen flour is short:\n\n1. Write to the mill:\n   ```bash\n   send mill\n   ```\n"
        "2. Wait for the answer\n3. Note it in `mill.md`\n",
        "C2",
    ),
    "prohibitions of actions": (
        "## Guardrails\n\n- Never send mail to guests\n- Never delete recipes without approval\n",
        "C2",
    ),
    "rules in Spanish": (
        "## Reglas del horno\n\n- Nunca prometer pan de ayer\n- Pesar la harina dos veces\n- No vender masa cruda\n",
        "C2",
    ),
    "the agent speaks": (
        "## Drive\n\nI send mail at dawn.\nI never delete a recipe.\nWhen a tray burns, tell Ana.\n",
        "C1",
    ),
    "traits of a person": ("## Protocol\n\n- You do not wait.\n- You do not boast.\n- You bake.\n", "C1"),
    "manner": ("## Voice\n\n- Keep it short\n- Never flatter\n- Say what burnt\n", "C1"),
}


@every_row("section", SECTIONS)
def test_a_section_that_orders_work_is_rules(section: str) -> None:
    text, category = SECTIONS[section]
    found = elements_of("SOUL.md", f"# Rye\n\nA baker.\n\n{text}")
    assert {e.category.value for e in found[1:] if e.category is not Category.NONE} == {category}


def test_entities_are_decoded_outside_code() -> None:
    (element,) = elements_of(
        "AGENTS.md", "- Light the oven if it is &lt;30 degrees, write `&lt;` in the book\n"
    )
    assert element.statement == "Light the oven if it is <30 degrees, write `&lt;` in the book"


@every_row(
    ("command", "url"),
    [
        ('curl -s "weather.example/Paris?format=3"', "https://weather.example/Paris?format=3"),
        ("curl weather.example/Paris", "https://weather.example/Paris"),
        ("curl -s http://weather.example/Paris", "http://weather.example/Paris"),
        ("curl -o notes.md", ""),
    ],
)
def test_an_address_after_curl_needs_no_scheme(command: str, url: str) -> None:
    found = elements_of("TOOLS.md", f"# Tools\n\n## Weather\n\n```bash\n{command}\n```\n")[-1]
    assert found.facts[ToolFact].url == url


ABOUT_THE_FILE = (
    "_This file is yours to rewrite, as you find out what the shop needs._",
    "*This soul is yours to keep.*",
    "_这个文件由你自行完善。_",
    "_このファイルは、少しずつ進化させてください。_",
    "_Este archivo es tuyo: cámbialo cuando aprendas algo._",
    "_Ce fichier vous appartient._",
    "_Diese Datei gehört dir._",
    "_Этот файл твой: дополняй его._",
)


@pytest.mark.parametrize("line", ABOUT_THE_FILE)
def test_what_a_persona_says_about_its_file_is_no_persona(line: str) -> None:
    persona, footer = elements_of("SOUL.md", f"## Manner\n\nBrisk, like a baker at dawn.\n\n---\n\n{line}\n")
    assert "baker" in persona.content_full
    assert (persona.use, footer.use) == (Use.CONTEXT, Use.RUNTIME_ONLY)


@pytest.mark.parametrize(
    ("text", "use"),
    [
        (
            "Every morning you wake up fresh. These files are your memory. Read them. Update them.",
            Use.RUNTIME_ONLY,
        ),
        ("每次会话，你都会从零醒来。这些文件就是你的记忆。阅读它们。", Use.RUNTIME_ONLY),
        ("You wake up fresh each day. Bake the rye before anything else.", Use.CONTEXT),
        ("Steady as the oven: the same voice at dawn and at night.", Use.CONTEXT),
    ],
)
def test_a_section_of_the_persona_about_memory_files_alone_goes(text: str, use: Use) -> None:
    (section,) = elements_of("SOUL.md", f"## Continuity\n\n{text}\n")
    assert section.use is use


def test_a_dated_remark_at_the_end_is_no_persona() -> None:
    persona, remark = elements_of(
        "SOUL.md", "## Manner\n\nBrisk.\n\n---\n\n_First baked by Ana, 2026-02-03._\n"
    )
    assert (persona.content_full, remark.tag) == ("## Manner\n\nBrisk.", Tag.NO_DECOMPOSE)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("TOOLS.md", "- tools.exec.ask = off\n"),
        ("TOOLS.md", '```json\n{"channels": {"signal": {"enabled": true}}}\n```\n'),
        ("TOOLS.md", "- **Settings:** `~/.openclaw/openclaw.json`\n"),
        ("TOOLS.md", "```js\nmessage({action: 'send', target: 'oven'})\n```\n"),
        ("HEARTBEAT.md", "**State file:** `memory/heartbeat-state.json`\n"),
    ],
)
def test_settings_of_openclaw_are_its_own(path: str, text: str) -> None:
    assert _last(path, text).use is Use.RUNTIME_ONLY


@pytest.mark.parametrize(
    "text", ["- Ask before you edit `~/.openclaw/openclaw.json`\n", "- The till: `~/bakery/till.json`\n"]
)
def test_a_rule_about_its_settings_and_other_files_stay(text: str) -> None:
    assert _last("TOOLS.md", text).use is not Use.RUNTIME_ONLY


def test_a_stock_line_of_the_persona_stays_beside_one_about_the_file() -> None:
    link = "Want a sharper version? See [SOUL.md Personality Guide](/concepts/soul)."
    opening, footer = elements_of(
        "SOUL.md", f"# SOUL.md\n\n_You're not a chatbot. You're becoming someone._\n\n{link}\n"
    )
    assert (opening.use, footer.use) == (Use.CONTEXT, Use.RUNTIME_ONLY)
