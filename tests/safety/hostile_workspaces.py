"""Hostile workspaces, made by code: one row each, from a name to a function that fills a folder.

`TEXT_FORMS` put any text into every field of a dialect; `SHAPES` are hostile by form, size, encoding or what lies on disk.
"""

import json
import os
import socket
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from tests.safety.hostile_texts import LINES, as_file_name, one_line

Fill = Callable[[Path], None]


def put(folder: Path, files: Mapping[str, str | bytes]) -> None:
    """Write files below a folder; text that is no UTF-8 by itself goes to disk as its surrogates stand."""
    for name, text in files.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"))


# --- any text in every field ------------------------------------------------------------------


def openclaw_fields(texts: Sequence[str]) -> dict[str, str | bytes]:
    """Return an OpenClaw workspace that holds the texts as bullets, fields, headings, cells, tools, links and names."""
    bullets = "\n".join(f"- {text}" for text in texts)
    lines = [one_line(text) for text in texts]
    headings = "\n\n".join(f"## {line}\n\n- Always {line}\n- Never mention {line}" for line in lines)
    cells = "\n".join(f"| {line} | {line} |" for line in lines)
    files: dict[str, str | bytes] = {
        "SOUL.md": f"# Soul\n\n## Voice\n\n{bullets}\n\n{headings}\n",
        "IDENTITY.md": "".join(
            f"- **Name:** {line}\n- **Role:** {line}\n- **Emoji:** {line}\n" for line in lines
        ),
        "AGENTS.md": f"# Agents\n\n## Rules\n\n{bullets}\n\n{headings}\n\n| Rule | Why |\n| - | - |\n{cells}\n",
        "USER.md": "".join(f"- **Timezone:** {line}\n- **{line}:** {line}\n" for line in lines),
        "MEMORY.md": f"# Memory\n\n{bullets}\n\n{headings}\n",
        "HEARTBEAT.md": "Run every 30m\n\n"
        + bullets
        + "\n"
        + "".join(f"- Every {line}: {line}\n" for line in lines),
        "TOOLS.md": "# Tools\n\n"
        + "".join(
            f"## {line}\n\n- `{line}`: runs `curl https://example.com/{line}`\n- GET https://api.example.com/{line}\n"
            for line in lines
        ),
        "openclaw.json": json.dumps(
            {
                "agents": {
                    "defaults": {
                        "model": lines[0],
                        "heartbeat": {"every": lines[-1], "prompt": " ".join(lines)},
                    },
                    "list": [{"id": line, "name": line, "workspace": line} for line in lines],
                },
                "hooks": {line: {"enabled": True, "command": line} for line in lines},
                "channels": {line: {"token": line} for line in lines},
            }
        ),
        "cron/jobs.json": json.dumps(
            {
                "jobs": [
                    {
                        "id": line,
                        "name": line,
                        "schedule": {"kind": "cron", "expr": line},
                        "payload": {"message": line},
                    }
                    for line in lines
                ]
            }
        ),
    }
    for number, line in enumerate(lines):
        quoted = json.dumps(line)
        files[f"skills/skill-{number}/SKILL.md"] = (
            f"---\nname: {quoted}\ndescription: {quoted}\nallowed-tools: [{quoted}]\nmetadata: {{{quoted}: {quoted}}}\n---\n\n{texts[number]}\n"
        )
        files[f"memory-wiki/concepts/page-{number}.md"] = f"# {line}\n\n{texts[number]}\n\n[[{line}]]\n"
        with suppress(UnicodeEncodeError):
            if name := as_file_name(line):
                files[f"memory/{name}.md"] = f"# {line}\n\n{line}\n"
                files[f"skills/{name}/SKILL.md"] = (
                    f"---\nname: {quoted}\ndescription: x\n---\n\nRun scripts/{name}.sh\n"
                )
                files[f"skills/{name}/scripts/{name}.sh"] = f"#!/bin/sh\necho {quoted}\n"
    return files


def agent_skill_fields(texts: Sequence[str]) -> dict[str, str | bytes]:
    """Return a skill folder that holds the texts in each field of its frontmatter, its body and its files."""
    lines = [one_line(text) for text in texts]
    whole = json.dumps(" ".join(lines))
    files: dict[str, str | bytes] = {
        "SKILL.md": f"---\nname: {whole}\ndescription: {whole}\nlicense: {whole}\ncompatibility: {whole}\n"
        f"allowed-tools: {whole}\nmetadata: {json.dumps({line: line for line in lines})}\n---\n\n# Skill\n\n"
        + "\n".join(f"## Step {number}: {line}\n\n1. {texts[number]}\n" for number, line in enumerate(lines))
        + "\n".join(
            f"See [{line}](references/{line}.md) and run `scripts/{line}.py {line}`." for line in lines
        )
    }
    for line in lines:
        if name := as_file_name(line):
            files[f"references/{name}.md"] = line
            files[f"scripts/{name}.py"] = (
                f'import argparse\n\n\ndef main() -> None:\n    """{json.dumps(line)[1:-1]}"""\n'
            )
            files[f"assets/{name}.txt"] = line
    return files


def claude_code_fields(texts: Sequence[str]) -> dict[str, str | bytes]:
    """Return a Claude Code workspace that holds the texts in memory, settings, hooks, servers, commands and agents."""
    lines = [one_line(text) for text in texts]
    hooks = [
        {"matcher": line, "hooks": [{"type": "command", "command": line, "timeout": 5}]} for line in lines
    ]
    rules = [f"Bash({line})" for line in lines] + [f"WebFetch(domain:{line})" for line in lines] + lines
    files: dict[str, str | bytes] = {
        "CLAUDE.md": "# Project\n\n"
        + "\n".join(f"- {text}" for text in texts)
        + "\n\n"
        + "\n".join(f"@{line}" for line in lines),
        ".claude/settings.json": json.dumps(
            {
                "permissions": {
                    "allow": rules,
                    "deny": rules,
                    "ask": rules,
                    "additionalDirectories": lines,
                    "defaultMode": lines[0],
                },
                "hooks": dict.fromkeys(("PreToolUse", "PostToolUse", "Stop", lines[0]), hooks),
                "env": {line: line for line in lines},
                "model": lines[0],
                "apiKeyHelper": f"touch {lines[0]}",
                "statusLine": {"type": "command", "command": lines[0]},
            }
        ),
        ".mcp.json": json.dumps(
            {
                "mcpServers": {
                    line: {
                        "command": line,
                        "args": [line],
                        "env": {line: line},
                        "url": f"https://{line}",
                        "headers": {line: line},
                    }
                    for line in lines
                }
            }
        ),
    }
    for number, line in enumerate(lines):
        quoted = json.dumps(line)
        body = f"{texts[number]}\n\n!`{line}`\n\n$ARGUMENTS $1 @{line}\n"
        head = f"---\nname: {quoted}\ndescription: {quoted}\nallowed-tools: {quoted}\nargument-hint: {quoted}\nmodel: {quoted}\ntools: {quoted}\n---\n\n"
        files[f".claude/commands/c{number}.md"] = head + body
        files[f".claude/agents/a{number}.md"] = head + body
        files[f".claude/skills/s{number}/SKILL.md"] = head + body
        if name := as_file_name(line):
            files[f".claude/commands/{name}.md"] = head + body
            files[f".claude/agents/{name}.md"] = head + body
    return files


def generic_fields(texts: Sequence[str]) -> dict[str, str | bytes]:
    """Return Python sources and configuration of other runtimes that hold the texts as prompts, roles and tools."""
    lines = [one_line(text) for text in texts]
    return {
        "crew.py": "from crewai import Agent, Crew, Task\nfrom crewai.tools import tool\n\n"
        + "".join(
            f"agent_{number} = Agent(role={text!r}, goal={text!r}, backstory={text!r})\n\n\n"
            f"@tool({text!r})\ndef tool_{number}(words: str) -> str:\n    {text!a}\n    return words\n\n\n"
            for number, text in enumerate(texts)
        ),
        "config/agents.yaml": json.dumps(
            {line: {"role": line, "goal": line, "backstory": line} for line in lines}
        ),
        "config/tasks.yaml": json.dumps(
            {line: {"description": line, "expected_output": line, "agent": line} for line in lines}
        ),
        "README.md": "\n".join(texts),
    }


def hybrid_fields(texts: Sequence[str]) -> dict[str, str | bytes]:
    """Return one folder with the files of several runtimes."""
    return {**openclaw_fields(texts), **claude_code_fields(texts), **generic_fields(texts)}


TEXT_FORMS: Final[dict[str, Callable[[Sequence[str]], dict[str, str | bytes]]]] = {
    "openclaw": openclaw_fields,
    "agent-skills": agent_skill_fields,
    "claude-code": claude_code_fields,
    "generic": generic_fields,
    "hybrid": hybrid_fields,
}


# --- hostile by form, size, encoding, or by what lies on disk ----------------------------------

_SOUL: Final = "# Soul\n\n## Voice\n\nWarm.\n"


def _yaml_bomb() -> str:
    rows = ["a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]"]
    rows += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)]
    return "\n".join(rows)


def _frontmatters(heads: Sequence[str]) -> Fill:
    def fill(folder: Path) -> None:
        for number, head in enumerate(heads):
            put(folder, {f"skills/s{number}/SKILL.md": f"---\n{head}\n---\n\nDo {number}.\n"})
            put(folder, {f".claude/commands/c{number}.md": f"---\n{head}\n---\n\nDo {number}.\n"})
        put(
            folder,
            {
                "SOUL.md": f"---\n{heads[0]}\n---\n\n{_SOUL}",
                "AGENTS.md": f"---\n{heads[-1]}\n---\n- Be kind\n",
            },
        )

    return fill


def _jsons(texts: Sequence[str | bytes]) -> Fill:
    def fill(folder: Path) -> None:
        for number, text in enumerate(texts):
            below = folder / f"w{number}"
            put(
                below,
                {
                    "SOUL.md": _SOUL,
                    "openclaw.json": text,
                    "cron/jobs.json": text,
                    "CLAUDE.md": "- Be kind\n",
                    ".claude/settings.json": text,
                    ".claude/settings.local.json": text,
                    ".mcp.json": text,
                    ".claude-plugin/plugin.json": text,
                    "hooks/hooks.json": text,
                    "langgraph.json": text,
                },
            )

    return fill


def _each(builders: Mapping[str, Fill]) -> Fill:
    def fill(folder: Path) -> None:
        for name, builder in builders.items():
            builder(folder / name)

    return fill


def _deep_markdown(folder: Path) -> None:
    nested = "\n".join("  " * depth + f"- level {depth}" for depth in range(300))
    quotes = "> " * 500 + "deep"
    brackets = "[" * 3_000 + "x" + "](" * 3_000
    stars = "*a _b " * 3_000
    html = "<div>" * 2_000
    put(folder, {"AGENTS.md": "\n\n".join((nested, quotes, brackets, stars, html)), "SOUL.md": _SOUL})
    put(
        folder,
        {"CLAUDE.md": nested, "SKILL.md": f"---\nname: deep\ndescription: d\n---\n{nested}\n{quotes}\n"},
    )


def _huge_lines(folder: Path) -> None:
    put(
        folder,
        {
            "SOUL.md": "# Soul\n\n" + "word " * 200_000 + "\n",
            "AGENTS.md": "- " + "never " * 100_000 + "\n- " + "a" * 400_000 + "\n- " + "`" * 100_000 + "\n",
            "USER.md": "- **" + "k" * 100_000 + ":** v\n",
            "HEARTBEAT.md": "- every " + "9" * 50_000 + " minutes look\n- " + "30m " * 30_000 + "\n",
            "IDENTITY.md": "- **Name:** " + "N" * 100_000 + "\n",
            "TOOLS.md": "- `" + "t" * 100_000 + "`: " + "https://example.com/" + "p" * 100_000 + "\n",
        },
    )


def _huge_counts(folder: Path) -> None:
    put(
        folder,
        {
            "AGENTS.md": "# Rules\n\n" + "".join(f"- Never say word number {n}\n" for n in range(1_500)),
            "SOUL.md": "".join(f"# Heading {n}\n" for n in range(1_000)),
            "MEMORY.md": "|a|b|\n|-|-|\n" + "|x|y|\n" * 1_000,
            "IDENTITY.md": "- **Name:** many\n" * 500,
            "HEARTBEAT.md": "- every 5m do it\n" * 300,
        },
    )


def _encodings(folder: Path) -> None:
    text = "# Rules\n\n- Never say naïve “things” to 客\n"
    raw = {
        "AGENTS.md": text.encode(),
        "memory-wiki/concepts/a.md": text.encode("latin-1", "replace"),
        "SOUL.md": text.encode("utf-16"),
        "skills/b/SKILL.md": text.encode("utf-32"),
        "memory-wiki/concepts/c.md": b"\xff\xfe\x00\xd8\x00\xd8- lone\x00surrogates\x00",
        "IDENTITY.md": b"\xef\xbb\xbf- **Name:** Vale\n",
        "memory-wiki/concepts/i.md": b"\xef\xbb\xbf- **Name:** \xed\xa0\x80\xc0\xaf\xfe\xff\n",
        "hooks/h/HOOK.md": bytes(range(256)) * 20,
        "TOOLS.md": b"\xfe\xff" + "- `tool`: à\n".encode("utf-16-be"),
        "BOOT.md": b"",
        "memory-wiki/concepts/l.md": b"\n\r\n\r\r\n- \x80\x81\n",
        "memory-wiki/concepts/d.md": b"---\nname: \xff\xfe\ndescription: \x00\n---\n",
        "skills/a/SKILL.md": b"\x89PNG\r\n\x1a\n" + bytes(range(256)),
        "openclaw.json": '{"a": "é"}'.encode("utf-16"),
        "crew.py": b"# coding: utf-7\nfrom crewai import Agent\nx = '\xff'\n",
    }
    put(folder, raw)


def _name_tricks(folder: Path) -> None:
    names = [
        "con.md",
        "nul.txt",
        "aux",
        "CON.md",
        "...",
        "..",
        "..a",
        "-rf",
        "--help",
        "~",
        "~root",
        "$HOME",
        "`id`",
        "a;b",
        "a&b",
        "a|b",
        "a'b",
        'a"b',
        "a\\b",
        "*?",
        "<x>",
        "%s",
        "{x}",
        "__init__.py",
        "config.py",
        "melleafy.json",
        "pyproject.toml",
        "class.py",
        "import",
        "é",
        "é",
        "ﬁle",
        "ｆｕｌｌ",
    ]
    put(folder, {"SOUL.md": _SOUL, "AGENTS.md": "- Read the memory\n"})
    for name in names:
        if name in (".", ".."):
            continue
        put(
            folder,
            {
                f"skills/{name}/SKILL.md": f"---\nname: {json.dumps(name)}\ndescription: d\n---\nRun scripts/{name}\n"
            },
        )
        put(
            folder,
            {
                f"skills/{name}/scripts/{name}": "#!/bin/sh\necho hi\n",
                f"memory/{name}.md": f"# {name}\n\nfact\n",
            },
        )
        put(folder, {f"memory-wiki/concepts/{name}.md": f"# {name}\n\n[[{name}]] [x](../{name})\n"})
    with suppress(OSError):
        put(folder, {os.fsdecode(b"memory/\xff\xfe.md"): "x", os.fsdecode(b"skills/\xc3\x28/SKILL.md"): "x"})
    put(folder, {"n" * 250 + ".md": "x", "memory/" + "/".join(["d"] * 80) + "/deep.md": "x"})


def _special_files(folder: Path) -> None:
    put(
        folder,
        {"SOUL.md": _SOUL, "AGENTS.md": "- Be kind\n", "CLAUDE.md": "@pipe.md @socket.md @loop/x.md\n"},
    )
    for name in (
        "skills/q/SKILL.md",
        "pipe.md",
        "skills/p/SKILL.md",
        ".claude/settings.json",
        "openclaw.json",
    ):
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        os.mkfifo(place)
    for name in ("HOOK.md", "socket.md"):
        here = Path.cwd()
        os.chdir(folder)  # the address of a socket is short
        try:
            with socket.socket(socket.AF_UNIX) as listening:
                listening.bind(name)
        finally:
            os.chdir(here)
    for name, target in {
        "skills/zero/SKILL.md": "/dev/zero",
        "skills/stdin/SKILL.md": "/dev/stdin",
        "skills/passwd/SKILL.md": "/etc/passwd",
        "BOOT.md": "BOOT.md",
        "loop": ".",
        "memory/up": "..",
        "memory/away": "/",
        "memory/proc": "/proc/self",
        "skills/away": "../../..",
        ".claude/commands": "../.claude",
    }.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.symlink_to(target)
    with suppress(OSError, PermissionError):
        os.mknod(folder / "DREAMS.md", 0o020666, os.makedev(1, 5))


def _cyclic_imports(folder: Path) -> None:
    put(
        folder,
        {
            "CLAUDE.md": "@a.md @CLAUDE.md @./CLAUDE.md @../CLAUDE.md @" + "x/../" * 200 + "a.md\n",
            "a.md": "@b.md @a.md\n- A\n",
            "b.md": "@c.md\n- B\n",
            "c.md": "@a.md @b.md @CLAUDE.md\n- C\n",
            "fan.md": "\n".join(f"@fan{n}.md" for n in range(300)),
            **{f"fan{n}.md": "\n".join(f"@fan{m}.md" for m in range(300)) for n in range(60)},
            "SOUL.md": "@fan.md [[a]] [[b]]\n",
            "AGENTS.md": "@fan.md\nsee [a](a.md), [b](./b.md), [self](AGENTS.md)\n",
            "memory-wiki/concepts/a.md": "# A\n\n[[b]] [[a]]\n",
            "memory-wiki/concepts/b.md": "# B\n\n[[a]] [[b]]\n",
        },
    )


_BAD_HEADS: Final = (
    _yaml_bomb(),
    "- a\n- list",
    "just words",
    "42",
    "null",
    "name: a\nname: b\ndescription: c\ndescription: d",
    "? [complex, key]\n: value\n? {a: b}\n: other",
    "1: one\n2.5: two\ntrue: three\nnull: four\n2026-01-01: five",
    "name: !!python/object/apply:os.system ['id']",
    "name: !!binary aGVsbG8=\ndescription: !!set {a, b}\nmetadata: !!omap [a: b]",
    "name: &a [*a]\ndescription: x",
    "<<: {name: merged}\n<<: *nothing",
    "name: " + "[" * 200 + "]" * 200,
    "name: " + "{a: " * 100 + "}" * 100,
    "name: " + "9" * 5_000 + "\ndescription: 1e999\nx: .inf\ny: .nan\nz: 0o9\nw: 1:2:3:4",
    "name: [a, b]\ndescription: {a: b}\nallowed-tools: 7\nmetadata: text\nlicense: [1]",
    "name:\ndescription:\nallowed-tools:\nmetadata:",
    "\tname: tabs\n\t- x",
    "name: a: b: c\ndescription: it's: \"odd",
    "--- \n... \n%YAML 9.9",
    'name: "a\\0b\\x1b[2J"\ndescription: "\\ud800 \\U0010FFFF"',
    "name: \x00\x07\ndescription: \ud800".encode("utf-8", "replace").decode(),
    "".join(f"k{n}: v\n" for n in range(4_000)),
)

_BAD_JSONS: Final[tuple[str | bytes, ...]] = (
    "[" * 100_000,
    "{" + '"a":{' * 20_000,
    '{"a":' * 5_000 + "1" + "}" * 5_000,
    "[" * 60 + "]" * 60,
    "null",
    "42",
    '"text"',
    "[]",
    "[1, [2, [3]]]",
    '{"agents": [], "hooks": 3, "mcpServers": "x", "permissions": [1], "jobs": {"a": 1}, "env": [1], "model": {}}',
    '{"agents": {"list": {"a": 1}, "defaults": 7}, "hooks": {"PreToolUse": {"hooks": 1}}, "permissions": {"allow": "x", "deny": {"a": 1}, "ask": null}}',
    '{"hooks": {"PreToolUse": [1, null, {"matcher": 3, "hooks": [4, {"type": 5, "command": 6}]}]}, "mcpServers": {"a": 1, "b": null, "c": {"command": [1], "args": "x", "env": 3, "headers": []}}}',
    '{"a": 1, "a": 2, "env": {"X": "1", "X": "2"}, "agents": 1, "agents": {"list": []}}',
    '{"jobs": [1, null, {}, {"schedule": 3}, {"schedule": {"kind": "cron", "expr": 7}}, {"schedule": {"kind": "every", "everyMs": -1}}, {"schedule": {"kind": "at", "at": 1e400}}]}',
    '{"agents": {"defaults": {"heartbeat": {"every": {"a": 1}, "activeHours": [1], "prompt": 3}}, "list": [3, {"id": 4, "workspace": {}}]}}',
    "{'single': 1, // comment\n trailing: [1,2,],}",
    '{"n": ' + "9" * 10_000 + ', "m": 1e99999, "k": -0x' + "f" * 1_000 + "}",
    '{"s": "' + "\\ud800" * 10 + '\\u0000"}',
    "/* never closed",
    '"' + "\\" * 9_999,
    b"\xff\xfe{\x00}\x00",
    b"\x00\x01\x02",
    "",
    "   \n\t ",
    "{" + ",".join(f'"k{n}": {{"command": "c{n}"}}' for n in range(1_000)) + "}",
)

SHAPES: Final[dict[str, Fill]] = {
    "yaml": _frontmatters(_BAD_HEADS),
    **{f"json {number}": _each({"w": _jsons([text])}) for number, text in enumerate(_BAD_JSONS)},
    "deep markdown": _deep_markdown,
    "huge lines": _huge_lines,
    "huge counts": _huge_counts,
    "encodings": _encodings,
    "name tricks": _name_tricks,
    "special files": _special_files,
    "cyclic imports": _cyclic_imports,
}
"""Each workspace by what is hostile about it; those called `json N` hold the workspace in `w/w0`."""


def make(name: str, folder: Path) -> Path:
    """Make a workspace of `SHAPES` or `TEXT_FORMS` in a folder and return its root."""
    folder.mkdir(parents=True, exist_ok=True)
    if name in TEXT_FORMS:
        put(folder, TEXT_FORMS[name](LINES))
        return folder
    SHAPES[name](folder)
    return folder / "w" / "w0" if name.startswith("json ") else folder
