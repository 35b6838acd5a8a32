"""Workspaces with secrets planted wherever a person may have left one, and the search for them in what comes out."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from tests.safety.hostile_workspaces import put
from tests.safety.secret_shapes import value_of

_SHAPES: Final = (
    "github classic",
    "anthropic",
    "openai project",
    "google",
    "slack bot",
    "telegram",
    "stripe live",
    "npm",
    "hugging face",
    "notion",
    "generated password",
)
FRAGMENT: Final = 12
"""So many characters of a value are enough to say that it is there; screens and pictures break lines."""


class Planter:
    """Gives out values, each another one, and remembers them."""

    def __init__(self) -> None:
        self.values: list[str] = []

    def token(self) -> str:
        shape = _SHAPES[len(self.values) % (len(_SHAPES) - 1)]
        return self._kept(value_of(shape, 1_000 + len(self.values)))

    def password(self) -> str:
        return self._kept(value_of("generated password", 1_000 + len(self.values)))

    def _kept(self, value: str) -> str:
        self.values.append(value)
        return value

    def found_in(self, text: str) -> list[str]:
        """Return the values of which a fragment stands in a text."""
        return [value for value in self.values if _fragment(value) in text]


def _fragment(value: str) -> str:
    middle = max(0, (len(value) - FRAGMENT) // 2)
    return value[middle : middle + FRAGMENT]


def openclaw(plant: Planter, folder: Path) -> Path:
    token, password = plant.token, plant.password
    block = (
        "-----BEGIN RSA PRIVATE KEY-----\nMIIE"
        + token().replace("-", "A")
        + "\n-----END RSA PRIVATE KEY-----"
    )
    put(
        folder,
        {
            "SOUL.md": f"# Soul\n\n## Voice\n\nWarm. My key is {token()}.\n\n## Token {token()}\n\n- Be kind\n",
            "IDENTITY.md": f"- **Name:** helper\n- **Role:** holder of {token()}\n- **API key:** {token()}\n",
            "AGENTS.md": f"# Agents\n\n## Rules\n\n- Never say {token()}\n- Log in with password: {password()}\n"
            f"- Use postgres://bot:{password()}@db.example.com/x for the data\n1. First use `{token()}`\n"
            f"   - then token={token()}\n\n| service | token |\n| - | - |\n| hub | {token()} |\n\n"
            f"```bash\nexport HUB_TOKEN={token()}\ncurl -u bot:{password()} https://example.com\n```\n\n{block}\n",
            "USER.md": f"- **Timezone:** Europe/Dublin\n- **Wifi password:** {password()}\n",
            "MEMORY.md": f"# Memory\n\n- The API key is {token()}\n\n## Keys\n\ntoken: {token()}\n",
            "HEARTBEAT.md": f"Run every 30m\n\n- Fetch https://example.com/?token={token()}\n- every {token()} look\n",
            "TOOLS.md": f"# Tools\n\n## Hub\n\n- `hub`: GET https://api.example.com/x with Authorization: Bearer {token()}\n"
            f"- `deploy {token()}`: deploys\n",
            ".env": f"HUB_TOKEN={token()}\n# OLD={token()}\nBROKEN {token()}\n",
            "openclaw.json": json.dumps(
                {
                    "agents": {"defaults": {"heartbeat": {"every": "1h", "prompt": f"use {token()}"}}},
                    "channels": {"telegram": {"botToken": token()}},
                    "gateway": {"auth": {"token": token(), "password": password()}},
                    "env": {"vars": {"HUB": token()}},
                },
                indent=2,
            ),
            "cron/jobs.json": json.dumps(
                {
                    "jobs": [
                        {
                            "name": "x",
                            "schedule": {"kind": "cron", "expr": token()},
                            "payload": {"message": token()},
                        }
                    ]
                }
            ),
            "skills/hub/SKILL.md": f"---\nname: hub\ndescription: Talks to the hub with {token()}\n---\n\n"
            f"- Run scripts/hub.py with token={token()}\n",
            "skills/hub/scripts/hub.py": f"TOKEN = '{token()}'\nprint(TOKEN)\n",
            "skills/bad/SKILL.md": f"---\nname: bad: {token()}: [\n---\nUse it\n",
            "memory/2026-01-01.md": f"- token: {token()}\n",
            "memory-wiki/concepts/hub.md": f"---\ntoken: {token()}\n---\n# Hub\n\nIts key is {token()}\n",
        },
    )
    return folder


def claude_code(plant: Planter, folder: Path) -> Path:
    token, password = plant.token, plant.password
    put(
        folder,
        {
            "CLAUDE.md": f"# Project\n\n- Never say {token()}\n- Log in with password: {password()}\n\n@notes.md\n",
            "notes.md": f"- The key: {token()}\n",
            ".claude/settings.json": json.dumps(
                {
                    "permissions": {
                        "allow": [f"Bash(curl -H 'Authorization: Bearer {token()}')"],
                        "deny": [f"Bash({token()})"],
                    },
                    "env": {"HUB": token()},
                    "hooks": {
                        "Stop": [
                            {"hooks": [{"type": "command", "command": f"curl -u a:{password()} https://x"}]}
                        ]
                    },
                    "apiKeyHelper": f"echo {token()}",
                },
                indent=2,
            ),
            ".claude/settings.local.json": '{"env": {"A": "' + token() + '", broken',
            ".mcp.json": json.dumps(
                {
                    "mcpServers": {
                        "hub": {"command": "hub", "args": ["--token", token()], "env": {"T": token()}},
                        "web": {
                            "url": f"https://x.example/?key={token()}",
                            "headers": {"Authorization": f"Bearer {token()}"},
                        },
                    }
                },
                indent=2,
            ),
            ".claude/commands/go.md": f"---\ndescription: go with {token()}\n---\nUse {token()}\n",
            ".claude/agents/a.md": f"---\nname: a\ndescription: knows {token()}\n---\nSay {token()}\n",
        },
    )
    return folder


def agent_skill(plant: Planter, folder: Path) -> Path:
    token = plant.token
    put(
        folder,
        {
            "SKILL.md": f"---\nname: hub\ndescription: Hub with {token()}\nlicense: {token()}\n"
            f"compatibility: needs {token()}\nmetadata:\n  key: {token()}\n---\n\n# Hub\n\n1. Use {token()}\n\nSee references/a.md\n",
            "references/a.md": f"# A\n\ntoken: {token()}\n",
            "scripts/run.py": f"import argparse\n\nKEY = '{token()}'\n",
        },
    )
    return folder


def other(plant: Planter, folder: Path) -> Path:
    token = plant.token
    put(
        folder,
        {
            "crew.py": f"from crewai import Agent\n\na = Agent(role='r', goal='use {token()}', backstory='{token()}', api_key='{token()}')\n",
            "bad.py": f"from crewai import Agent\n\nkey = '{token()}\n",
            "config/agents.yaml": f"a:\n  role: r\n  goal: use {token()}\n  api_key: {token()}\n",
        },
    )
    return folder


PLANTED: Final = {
    "openclaw": openclaw,
    "claude-code": claude_code,
    "agent-skills": agent_skill,
    "generic": other,
}


def files_with(plant: Planter, folders: Iterable[Path]) -> list[tuple[str, list[str]]]:
    """Return the files below folders that hold a planted value, with the values."""
    found = []
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and (values := plant.found_in(path.read_bytes().decode("utf-8", "replace"))):
                found.append((str(path.relative_to(folder)), values))
    return found
