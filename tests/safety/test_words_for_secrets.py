"""Workspaces that speak of passwords without holding one are converted: our own text around theirs is no secret."""

import json
from collections.abc import Mapping
from datetime import date
from pathlib import Path

import pytest

from melleafy_tui.cli.main import main
from melleafy_tui.engine import open_conversion
from tests.safety.hostile_workspaces import put

WORDS = (
    "Password",
    "Reset password",
    "Wifi passphrase",
    "API key",
    "Secret",
    "Token",
    "Forgotten password",
    "Password manager",
    "passwd",
    "Passcode 2",
    "Private key",
    "Bearer",
    "Passwort ändern",
    "Kennwort",
)


def slug(word: str) -> str:
    return word.lower().replace(" ", "-")


def rules() -> str:
    sections = (
        f"## {word}\n\n- Never share the {word.lower()}\n- Always ask for the {word.lower()} in private\n- {word}\n"
        f"\n| {word} | what |\n| - | - |\n| {word} | kept elsewhere |\n\n"
        for word in WORDS
    )
    return "# Agents\n\n" + "".join(sections)


FORMS: Mapping[str, Mapping[str, str]] = {
    "openclaw": {
        "SOUL.md": "# Soul\n\n" + "".join(f"## {word}\n\n- {word}\n" for word in WORDS),
        "AGENTS.md": rules(),
        "TOOLS.md": "# Tools\n\n"
        + "".join(f"## {word}\n\n- `{slug(word)}`: looks up the {word.lower()}\n" for word in WORDS),
        "USER.md": "".join(f"- **{word}:** ask me\n" for word in WORDS),
        "MEMORY.md": "".join(f"- the {word} is in the vault\n" for word in WORDS),
        **{
            f"skills/{slug(word)}/SKILL.md": f"---\nname: {slug(word)}\ndescription: {word}\n---\n\n# {word}\n\n- {word}\n"
            for word in WORDS
        },
    },
    "claude-code": {
        "CLAUDE.md": rules(),
        ".mcp.json": json.dumps({"mcpServers": {slug(word): {"command": word.lower()} for word in WORDS}}),
        ".claude/settings.json": json.dumps(
            {
                "permissions": {
                    "allow": [f"mcp__{slug(word)}__get" for word in WORDS],
                    "deny": ["Read(passwd.txt)"],
                }
            }
        ),
        **{
            f".claude/commands/{slug(word)}.md": f"---\ndescription: {word}\n---\nGet the {word}\n"
            for word in WORDS
        },
    },
    "agent-skills": {
        "SKILL.md": "---\nname: password-reset\ndescription: Reset password\n---\n\n"
        + rules()
        + "".join(f"### Step {number}: {word}\n\nDo the {word}\n" for number, word in enumerate(WORDS))
    },
}


@pytest.mark.slow
def test_talk_of_passwords_is_no_finding_of_the_lints(tmp_path: Path) -> None:
    for form, files in FORMS.items():
        put(tmp_path / form, files)
        conversion = open_conversion(
            tmp_path / form, as_of=date(2026, 11, 1), generated_at="2026-11-01T09:00:00Z"
        )
        assert conversion.lints.findings == (), form


@pytest.mark.slow
def test_the_written_package_passes_its_lints_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(tmp_path / "w", dict(FORMS["openclaw"]))
    assert main([str(tmp_path / "w"), "--dependencies=auto", "--quiet"]) == 0
    assert main(["lint", str(tmp_path / "w_mellea")]) == 0, capsys.readouterr().out


def test_an_agent_that_is_called_like_a_secret_is_converted(tmp_path: Path) -> None:
    for name in ("password", "passwort", "pwd", "1password", "api-key", "secret", "token"):
        root = tmp_path / name / "w"
        put(root, {"SOUL.md": "# Soul\n\nBrief.\n", "IDENTITY.md": f"- **Name:** {name}\n"})
        conversion = open_conversion(root, as_of=date(2026, 11, 1), generated_at="2026-11-01T09:00:00Z")
        project = conversion.files.by_path["pyproject.toml"].data.decode()
        assert f'"{name}" = "' in project or name[0].isdigit(), name
        assert conversion.lints.findings == (), name


def test_beside_the_entry_point_a_secret_is_still_found(tmp_path: Path) -> None:
    put(tmp_path / "w", {"SOUL.md": "# Soul\n\nBrief.\n", "IDENTITY.md": "- **Name:** password\n"})
    assert main([str(tmp_path / "w"), "--dependencies=auto", "--quiet"]) == 0
    project = tmp_path / "w_mellea" / "pyproject.toml"
    held = project.read_text(encoding="utf-8").replace("password_mellea.main:main", "q7Rk2vT9xLm4")
    project.write_text(held, encoding="utf-8")
    assert main(["lint", str(tmp_path / "w_mellea")]) == 11
