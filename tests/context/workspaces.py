"""Twelve workspaces for which prompts are assembled: by us, and by the published packages."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final


def _rules(count: int, words: str = "Rule {}: keep the harbour log in order.") -> str:
    return "".join(f"- {words.format(number)}\n" for number in range(1, count + 1))


def _prose(count: int) -> str:
    return "".join(
        f"Paragraph {number} tells of tides and of boats that wait.\n\n" for number in range(1, count)
    )


_SMALL: Final[Mapping[str, str]] = {
    "AGENTS.md": "# Harbour\n\n- Never open the gate at night.\n- Read the tide table first.\n",
    "SOUL.md": "# Soul\n\nCalm as the sea at noon.\n",
    "IDENTITY.md": "- **Name:** Pilot\n- **Role:** harbour master\n",
    "USER.md": "- **Name:** Ines\n- **Timezone:** Europe/Lisbon\n",
    "TOOLS.md": "### radio\n\nChannel 12.\n",
    "MEMORY.md": "# Memory\n\n## Berths\n\nBerth 4 is shallow.\n",
    "HEARTBEAT.md": "- Look at the tide gauge\n",
    "BOOTSTRAP.md": "Ask for the harbour's name, then delete this file.\n",
}

WORKSPACES: Final[Mapping[str, Mapping[str, str | bytes]]] = {
    "small": _SMALL,
    "bare": {"AGENTS.md": "- Never guess.\n"},
    "empty-files": {**_SMALL, "SOUL.md": "", "USER.md": " \n\n\t\n", "MEMORY.md": "\ufeff \n"},
    "long-rules": {
        **_SMALL,
        "AGENTS.md": "# Rules\n\n" + _prose(120) + _rules(400) + "```\nmust not count\n```\n" + _prose(150),
    },
    "long-persona": {**_SMALL, "SOUL.md": "# Soul\n\n" + _prose(900), "USER.md": _rules(150)},
    "all-long": {name: f"# {name}\n\n" + _rules(380 if name != "MEMORY.md" else 900) for name in _SMALL},
    "frontmatter": {
        **_SMALL,
        "SOUL.md": "---\nname: soul\n---\n\n# Soul\n\nPlain.\n",
        "USER.md": "---\nno end of it\n",
    },
    "own-limits": {
        **_SMALL,
        "SOUL.md": "# Soul\n\n" + _prose(40),
        "AGENTS.md": "# Rules\n\n" + _rules(40),
        "openclaw.json": json.dumps(
            {"agents": {"defaults": {"bootstrapMaxChars": 400, "bootstrapTotalMaxChars": 1500}}}
        ),
    },
    "lower-case-memory": {
        **{name: text for name, text in _SMALL.items() if name != "MEMORY.md"},
        "memory.md": "# Memory\n\nThe old name.\n",
    },
    "odd-bytes": {
        **_SMALL,
        "SOUL.md": b"\xef\xbb\xbf# Soul\r\n\r\nCRLF throughout.\r\n\r\n\r\n\r\nEnd\r\n",
        "TOOLS.md": b"### radio \xff\xfe broken\n\n\n\n\n\nChannel 12.\n\x1c\n",
        "MEMORY.md": "# Erinnerung\n\n\n\n## Hafen\n\nÄ, ß und \u2028 Trenner.\n",
    },
    "astral": {
        **_SMALL,
        "AGENTS.md": "# 港口\n\n" + "🔴 禁止 夜間開門 🚢🚢🚢\n普通的一行 🌊\n" * 1500,
        "USER.md": "🌊" * 2600,
        "MEMORY.md": "x" + "🚢" * 12_000,
    },
    "extra-files": {
        **_SMALL,
        "docs/AGENTS.md": "- Document every berth.\n",
        "ships/one/SOUL.md": "A small ship.\n",
        "ships/one/NOTES.md": "No bootstrap name.\n",
        "ships/one/TOOLS.md": "An anchor.\n",
        "AGENTS.md": _SMALL["AGENTS.md"]
        + "- See [the chart](docs/chart.md) and [berths](memory/berths.md).\n",
        "memory/berths.md": "Berth 1.\n",
        "openclaw.json": json.dumps(
            {
                "hooks": {
                    "internal": {
                        "enabled": True,
                        "entries": {
                            "bootstrap-extra-files": {
                                "enabled": True,
                                "paths": ["docs/AGENTS.md", "ships/*/*.md", "absent/SOUL.md"],
                            }
                        },
                    }
                }
            }
        ),
    },
}
"""By name: path and text, or bytes where they are no UTF-8."""


def write_workspace(name: str, folder: Path) -> Path:
    """Put one of the workspaces on disk and return its folder."""
    root = folder / name
    for path, content in WORKSPACES[name].items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content if isinstance(content, bytes) else content.encode())
    return root
