"""An order of work loses no step, and a router no branch, because one of them speaks of OpenClaw."""

from tests.dialects.openclaw.in_memory import elements_of

TOOL = "`sessions_spawn`"
ROWS = (
    # What a step does beside reading OpenClaw's files keeps it, wherever it stands.
    ("HEARTBEAT.md", "- Read `memory/tides.md`, run `tide.py`, and check the lock\n", "+"),
    ("HEARTBEAT.md", "- Read `memory/tides.md` and `memory/boats.md`\n", "-"),
    ("HEARTBEAT.md", "- 读 `memory/tides.md`，检查闸门\n", "+"),
    ("AGENTS.md", "- If you are in the main session, read MEMORY.md\n", "-"),
    ("AGENTS.md", "- Read SOUL.md, USER.md, and review TOOLS.md\n", "-"),
    # No step goes from the middle of an order; at its ends one may.
    ("AGENTS.md", "1. Close the gate\n2. Update MEMORY.md with the tide\n3. Open the valve\n", "+++"),
    ("AGENTS.md", "1. Read `SOUL.md`\n2. Close the gate\n3. Open the valve\n", "-++"),
    ("HEARTBEAT.md", "1. Count the boats\n2. None → reply HEARTBEAT_OK\n3. Otherwise ring the bell\n", "+++"),
    ("HEARTBEAT.md", "1. Count the boats\n2. Ring the bell\n3. If none, reply HEARTBEAT_OK\n", "++-"),
    ("HEARTBEAT.md", "- Count the boats\n- If none, reply HEARTBEAT_OK\n- Ring the bell\n", "+-+"),
    # A comment with an order beside the token is kept, too.
    (
        "HEARTBEAT.md",
        "- Count boats\n\n# Boats\n# If one leaks, call Ida. Otherwise, reply HEARTBEAT_OK.\n",
        "++",
    ),
    # A list of what to read when a session starts is no order of work.
    ("AGENTS.md", "## Every session\n\n1. Check the lock\n2. Read `USER.md`\n3. Check the gate\n", "+-+"),
    # What is nested in a step stays with it, and a row with most of its table.
    ("AGENTS.md", f"1. Close the gate\n   - {TOOL} a hand\n   - Ring the bell\n2. Open the valve\n", "++++"),
    ("AGENTS.md", f"- Close the gate\n  - {TOOL} a hand\n  - Ring the bell\n", "+-+"),
    (
        "AGENTS.md",
        f"| Tide | Do |\n|---|---|\n| low | Wait. |\n| high | {TOOL} a hand. |\n| flood | Ring. |\n",
        "++++",
    ),
    (
        "AGENTS.md",
        f"| Tide | Do |\n|---|---|\n| low | Wait. |\n| high | {TOOL} a hand. |\n| flood | {TOOL} a crew. |\n",
        "++--",
    ),
    # Of stock text the rest of a list goes with the greater part of it.
    (
        "AGENTS.md",
        "## Memory\n\n### 🧠 MEMORY.md - Your Long-Term Memory\n\n"
        "- **ONLY load in main session** (direct chats with your human)\n"
        "- **DO NOT load in shared contexts** (Discord, group chats, sessions with other people)\n"
        "- You can **read, edit, and update** MEMORY.md freely in main sessions\n",
        "---",
    ),
    (
        "AGENTS.md",
        "Periodically (every few days), use a heartbeat to:\n\n"
        "1. Read through recent `memory/YYYY-MM-DD.md` files\n"
        "2. Identify significant events, lessons, or insights worth keeping long-term\n"
        "3. Update `MEMORY.md` with distilled learnings\n"
        "4. Remove outdated info from MEMORY.md that's no longer relevant\n",
        "+----",
    ),
    # A lead-in goes with all that it introduces, and stays with any of it.
    ("AGENTS.md", "Before the first boat:\n\n- Read `SOUL.md`\n- Read `USER.md`\n\nRing the bell.\n", "---+"),
    ("AGENTS.md", "Before the first boat:\n\n- Read `SOUL.md`\n- Close the gate\n", "+-+"),
    ("AGENTS.md", "Before the first boat:\n\nRead `SOUL.md`.\n", "+-"),
    # What only urges to follow a list goes with all of it: alone it would speak of all that the agent does.
    (
        "AGENTS.md",
        "## Every session\n\n1. Read `SOUL.md`\n2. Read `USER.md`\n\nDon't ask permission. Just do it.\n",
        "---",
    ),
    ("AGENTS.md", "## Startup\n\n- Read `SOUL.md`\n\nDo this every time. No exceptions.\n", "--"),
    (
        "AGENTS.md",
        "## Every session\n\n1. Read `SOUL.md`\n2. Check the lock\n\nDon't ask permission. Just do it.\n",
        "-++",
    ),
    ("AGENTS.md", "## Every session\n\n1. Read `SOUL.md`\n\nDon't ring the bell. Just wait.\n", "-+"),
    # Who does what is work of the owner's, also where it says how OpenClaw starts it.
    (
        "AGENTS.md",
        "## Who does what\n\n- Ada delegates repairs to Bo, who spawns sub-agents\n- Cy owns the boats\n"
        "- Spawn a sub-agent\n",
        "++-",
    ),
    # A drawing or a form isn't OpenClaw's for one line of it.
    (
        "AGENTS.md",
        "```\nKeeper: Ada\n  Rings the bell\n  Model: Claude Opus\n  Deputy: Bo\n    Counts boats\n```\n",
        "+",
    ),
    ("AGENTS.md", "```\nopenclaw gateway restart\n/new\n```\n", "-"),
    # To review work that a memory file lists is more than to read the file.
    ("HEARTBEAT.md", "1. Review open repairs from memory/tides.md\n2. Ring the bell\n", "++"),
    # A router keeps all its branches, or none.
    ("AGENTS.md", f"**Small:** a leak\n→ {TOOL} a hand\n\n**Large:** a flood\n→ call the mayor\n", "++"),
    ("AGENTS.md", f"**Small:** a leak\n→ {TOOL} a hand\n\n**Large:** a flood\n→ {TOOL} a crew\n", "--"),
    # Where OpenClaw's files keep what is no rule, also several to a line; other files are.
    (
        "AGENTS.md",
        "- Rules of the lock → AGENTS.md | Tone → SOUL.md (short)\n- Tides → tides.md | Boats → MEMORY.md\n",
        "-+",
    ),
)
"""A file, its lines, and a sign for each element that isn't a heading: whether it is kept."""


def test_orders_and_routers_stay_whole() -> None:
    wrong = []
    for file, lines, expected in ROWS:
        elements = [element for element in elements_of(file, lines) if element.kind != "heading"]
        found = "".join("-" if element.runtime_only else "+" for element in elements)
        if found != expected:
            wrong.append(f"{lines!r}: {found} instead of {expected}")
    assert not wrong, "\n".join(wrong)
