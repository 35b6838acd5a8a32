"""Secrets in places that a search of mutated workspaces found: no lint stops the conversion, and no value comes out."""

import json
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Final

from melleafy_tui.core.source.secrets.detector import find_secrets
from melleafy_tui.engine import open_conversion
from tests.safety.hostile_workspaces import put
from tests.safety.secret_shapes import ALPHANUMERIC

HEX: Final = "6309b0745e3fb8406baf99a52395c447"
TOKEN: Final = "ghp_" + "a8Kd0Qz7Lm2Xw9Rt4Vb6Nc1Yf3Hs5Jp0Gt2E"
KEY: Final = "sk-ant-api03-" + "a8Kd0Qz7Lm2Xw9Rt4Vb6Nc1Yf3Hs5Jp0"
BLOCK: Final = (
    "-----BEGIN RSA PRIVATE KEY-----",
    *(ALPHANUMERIC[number:] + ALPHANUMERIC[:number][:2] for number in (3, 9, 21)),
    "-----END RSA PRIVATE KEY-----",
)
SEED: Final = "legal winner thank year wave sausage worth useful legal winner thank yellow"
"""A test vector of BIP-39, whose checksum is right."""

SKILL: Final = "---\nname: desk\ndescription: Looks after the desk\n---\n\n# Desk\n"
SOUL: Final = {"SOUL.md": "# Soul\n\nCalm.\n"}

WORKSPACES: Final[Mapping[str, tuple[Mapping[str, str], tuple[str, ...]]]] = {
    "the lead-in of numbered steps": (
        {
            **SOUL,
            "AGENTS.md": f"# Agents\n\n## Start\n\nmail: {KEY} (keep)\nDo this first:\n\n1. Read it\n2. Answer\n",
        },
        (KEY,),
    ),
    "a key block as the lead-in of a list": (
        {
            **SOUL,
            "AGENTS.md": "# Agents\n\n" + "\n".join(BLOCK) + "\nOnly ask if:\n\n- It is late\n- It is new\n",
        },
        BLOCK[1:4],
    ),
    "a rule between the lines of a key block": (
        {
            **SOUL,
            "AGENTS.md": "# Agents\n\n## Ask before\n\n"
            + "\n".join((*BLOCK[:2], "> Never tell anyone that the password is OrbitPixel440", *BLOCK[2:]))
            + "\n",
        },
        (*BLOCK[1:4], "OrbitPixel440"),
    ),
    "words in the text of a session": (
        {
            "SKILL.md": SKILL + "\nSee [log](references/log.jsonl).\n",
            "references/log.jsonl": '{"role": "user", "text": "- Wi-Fi password: lantern-tundra-93"}\n'
            '{"role": "user", "text": "Hello\\n## Password: VelvetMaple511\\nbye"}\n',
        },
        ("lantern-tundra-93", "VelvetMaple511"),
    ),
    "a value beside a masked one": (
        {
            "CLAUDE.md": "# Rules\n\n- Be kind.\n\n@docs/log.md\n",
            "docs/log.md": "# Log\n\n## Pod\n\n- 问题：`X_Y` 是 private thing\n- 配置：apiKey=B7xTq2Lm9Wd4Rk1Zp8Vn3Yc6H，workspace=desk047216，project=desk\n",
        },
        ("B7xTq2Lm9Wd4Rk1Zp8Vn3Yc6H",),
    ),
    "the cadence of a heartbeat": (
        {
            **SOUL,
            "openclaw.json": json.dumps(
                {"agents": {"defaults": {"heartbeat": {"every": f"- X-Api-Key: {HEX}", "prompt": "Look in"}}}}
            ),
        },
        (HEX,),
    ),
    "a rule that a finding quotes": (
        {
            "CLAUDE.md": "# Rules\n\n- Be kind.\n",
            ".claude/settings.json": json.dumps(
                {"permissions": {"allow": ["- Admin password: u_+hTfE74!fsydbI_-7"]}}, indent=2
            ),
        },
        ("u_+hTfE74!fsydbI_-7", "u\\_+hTfE74!fsydbI\\_-7"),
    ),
    "a lead-in of steps that are told apart": (
        {
            **SOUL,
            "AGENTS.md": f"# Agents\n\n## Hand over\n\nAccountKey={KEY}\n**@one → @two**\n1. Write it\n2. Read it\n3. Send it\n",
        },
        (KEY,),
    ),
    "a phrase that a summary cuts off": (
        {
            "SKILL.md": SKILL
            + f"\n## 2) Rules (checkable)\n\nWallet seed phrase:\n{SEED}\n**Claims**\nNever say that it is done.\n"
        },
        (SEED[:40],),
    ),
    "a command of a hook that is cut off": (
        {
            "CLAUDE.md": "# Rules\n\n- Be kind.\n",
            ".claude/settings.json": json.dumps(
                {
                    "hooks": {
                        "Stop": [
                            {"hooks": [{"type": "command", "command": f"echo done - Seed phrase: {SEED}"}]}
                        ]
                    }
                }
            ),
        },
        (SEED[:40],),
    ),
    "a bare number below a masked one": (
        {
            "SKILL.md": SKILL + "\nSee [log](assets/log.json).\n",
            "assets/log.json": json.dumps(
                {
                    "id": "- Backup code: 4QDCH-CCVZ9-MKGSD-RL8MH7",
                    "username": "maple_sonar",
                    "metrics": {"likes": 4, "quotes": 0, "impressions": 211, "bookmarks": 0},
                },
                indent=2,
            ),
        },
        ("4QDCH-CCVZ9-MKGSD-RL8MH7",),
    ),
    "a field with characters that are shown as pictures": (
        {
            "SKILL.md": '---\nname: desk\ndescription: Looks after it\nlicense: "safe\\b\\b\\bevil\\x7f"\n---\n\nTidy up.\n'
        },
        (),
    ),
    "a path that reads as a secret after a word of its own": (
        {
            "SKILL.md": SKILL + "\nSee the notes.\n",
            "references/[notes](..\u2215..\u2215..\u2215etc\u2215passwd) [[..\u2215..\u2215secret]] @..\u2215..\u2215..\u2215etc\u2215.md": "# Notes\n\nTidy up.\n",
        },
        (),
    ),
    "names of files and folders": (
        {
            "SKILL.md": SKILL + f"\nRun `scripts/{TOKEN}.py`; see [notes](references/{TOKEN}/a.md).\n",
            f"scripts/{TOKEN}.py": "print(1)\n",
            f"references/{TOKEN}/a.md": "# Notes\n",
        },
        (TOKEN,),
    ),
}


def test_no_secret_stops_a_conversion_or_comes_out(tmp_path: Path) -> None:
    failures: list[str] = []
    for number, (name, (files, values)) in enumerate(WORKSPACES.items()):
        root = tmp_path / f"{number}" / "w"
        put(root, files)
        conversion = open_conversion(root, as_of=date(2026, 11, 1), generated_at="2026-11-01T09:00:00Z")
        failures += [
            f"{name}: {found.file}:{found.line} {found.message}" for found in conversion.lints.findings
        ]
        failures += [
            f"{name}: {value} in {file.path}"
            for file in conversion.files.files
            for value in values
            if value.encode() in file.data
        ]
    assert not failures, "\n".join(failures)


def test_a_seed_phrase_below_a_heading_that_is_a_word_of_the_list() -> None:
    """The heading, the label and the phrase were one run of listed words with too many kinds of joints."""
    text = f"# Agents\n\n## 1. Memory\n\n- seed phrase: {SEED}\nKeep a journal:\n"
    assert [SEED in text[span.start : span.end] for span in find_secrets(text)] == [True]


def test_lines_without_words_stop_no_conversion(tmp_path: Path) -> None:
    """A table to fill in, and a heading underlined above nothing but a remark on the file: the lints refused both.

    They did a cadence of signs only, too.
    """
    table = "# Desk\n\n## Trend\n\n| Day | Total | Note |\n|-----|-------|------|\n| | | |\n| | | |\n"
    soul = "# Soul\n\nCalm.\n\nOver to you\n---\n\n_This file is yours to evolve. As you learn who you are, update it._\n"
    rows: tuple[Mapping[str, str], ...] = (
        {"SOUL.md": soul},
        {**SOUL, **dict.fromkeys(("AGENTS.md", "TOOLS.md", "USER.md", "HEARTBEAT.md", "MEMORY.md"), table)},
        {"CLAUDE.md": table},
        {"SKILL.md": SKILL + table},
        {"SOUL.md": soul, "openclaw.json": '{"agents": {"defaults": {"heartbeat": {"every": "?!"}}}}'},
    )
    for number, files in enumerate(rows):
        put(tmp_path / f"{number}" / "w", files)
        conversion = open_conversion(
            tmp_path / f"{number}" / "w", as_of=date(2026, 11, 1), generated_at="2026-11-01T09:00:00Z"
        )
        assert conversion.lints.findings == (), files


def test_no_key_of_an_element_holds_a_secret(tmp_path: Path) -> None:
    """The key of settings without a counterpart was made of their first words."""
    settings = '{\n  "agents": {\n"alarm_code": "495295",\n    "defaults": {"workspace": "~/w"}\n  }\n}\n'
    put(tmp_path / "w", {**SOUL, "openclaw.json": settings})
    conversion = open_conversion(tmp_path / "w", as_of=date(2026, 11, 1), generated_at="2026-11-01T09:00:00Z")
    keys = [*conversion.keys, *conversion.keys.values()]
    assert keys
    assert [key for key in keys if "495295" in key] == []
