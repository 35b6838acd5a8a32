"""The small inputs of `tests/cases` about what of a folder is read, carried and named, and more of each kind."""

import json
import shutil
import sqlite3
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Final

import pytest

from melleafy_tui.core.errors import UnusableInput
from melleafy_tui.core.models.snapshot import ReadingOptions
from melleafy_tui.core.models.vocabulary import DecisionKind, Disposition, EntryKind
from melleafy_tui.core.pipeline.conversion import Conversion
from melleafy_tui.engine import open_conversion
from tests.conftest import PROJECT
from tests.rows import every_row
from tests.safety.hostile_workspaces import put

CASES: Final = PROJECT / "tests" / "cases"
SOUL: Final = {"SOUL.md": "You are calm.\n", "IDENTITY.md": "- Name: Vale\n"}


def converted(folder: Path, options: ReadingOptions = ReadingOptions()) -> Conversion:  # noqa: B008 - frozen
    return open_conversion(
        folder, as_of=date(2026, 11, 20), generated_at="2026-11-20T00:00:00Z", options=options
    )


def case(name: str, tmp_path: Path, inside: str = "") -> Path:
    """Return a copy of an input, since what lies above it counts."""
    shutil.copytree(CASES / name / "input", tmp_path / "case", symlinks=True)
    return tmp_path / "case" / inside


def made(tmp_path: Path, tree: Mapping[str, str], inside: str = "w") -> Conversion:
    put(tmp_path, dict(tree))
    return converted(tmp_path / inside)


def read(conversion: Conversion) -> set[str]:
    return {file.path for file in conversion.inventory.files if file.status == "read"}


def text_of(conversion: Conversion, name: str) -> str:
    folder = f"{conversion.committed.package_name}/"
    return conversion.files.by_path[folder + name].text if folder + name in conversion.files.by_path else ""


def codes(conversion: Conversion) -> set[str]:
    return {found.code for found in conversion.diagnostics}


# --- source completeness ------------------------------------------------------------------------------


@every_row(
    ("name", "inside", "paths"),
    [
        ("deep-reference-is-read", "", {"references/de/north/hours.md", "scripts/tools/sub/calc.py"}),
        ("deep-agents-file-is-named", "", {"packages/web/AGENTS.md"}),
        ("extra-bootstrap-files-are-read", "workspace", {"teams/north/AGENTS.md"}),
        ("ordered-files-are-read-or-said", "", {"workspace/SOUL.md", "workspace/USER.md"}),
        ("nested-instructions-are-read-or-named", "", {"packages/web/CLAUDE.md", ".claude/rules/a/b/two.md"}),
        ("persona-survives-a-mixed-folder", "", {"SOUL.md", "AGENTS.md"}),
        ("cron-jobs-in-sqlite", "workspace", {"../state/openclaw.sqlite"}),
    ],
)
def test_a_file_of_a_case_is_read(name: str, inside: str, paths: set[str], tmp_path: Path) -> None:
    assert paths <= read(converted(case(name, tmp_path, inside)))


def test_a_file_that_nothing_reads_is_named(tmp_path: Path) -> None:
    conversion = converted(case("unread-folders-are-named", tmp_path))
    assert {each.path for each in conversion.account.named} == {"notes/plan.md", "wiki/tariffs.md"}
    assert "`wiki/tariffs.md`: no text of the agent" in text_of(conversion, "mapping_report.md")


def test_the_whole_skill_of_the_case_travels(tmp_path: Path) -> None:
    conversion = converted(case("skill-folder-is-carried-whole", tmp_path))
    assert conversion.account.named == ()
    assert text_of(conversion, "scripts/office/helpers/merge.py")
    assert text_of(conversion, "core/builder.py")


def test_a_main_file_in_another_case_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnusableInput, match=r"skill\.md"):
        converted(case("lower-case-skill-file-is-named", tmp_path))


@every_row(
    "order", ["Read RATES.md before you answer.", "- Prices: `tables/rates.csv`, always.", "读取RATES.md。"]
)
def test_a_document_that_a_rule_orders_is_read(order: str, tmp_path: Path) -> None:
    files = {"w/RATES.md": "See tables/more.txt.\n", "w/tables/rates.csv": "1\n", "w/tables/more.txt": "2\n"}
    tree = {f"w/{path}": text for path, text in SOUL.items()}
    conversion = made(tmp_path, {**tree, **files, "w/AGENTS.md": f"# Rules\n\n{order}\n"})
    ordered = {"tables/rates.csv"} if "csv" in order else {"RATES.md", "tables/more.txt"}
    assert ordered <= read(conversion)


@every_row(
    "named", ["`docs/Core Positions.md`", "[x](docs/Core%20Positions.md#two)", "<./docs/Core Positions.md>"]
)
@pytest.mark.parametrize("main", ["AGENTS.md", "CLAUDE.md"])
def test_a_document_with_a_space_in_its_name_is_read(named: str, main: str, tmp_path: Path) -> None:
    tree = {**(SOUL if main == "AGENTS.md" else {}), main: f"# Rules\n\n- Read {named} before you answer.\n"}
    conversion = made(tmp_path, {**tree, "docs/Core Positions.md": "1\n"}, ".")
    assert "docs/Core Positions.md" in read(conversion)


@every_row("note", ["Write what you did into LOG.md.", "Update LOG.md after each call."])
def test_a_document_that_the_agent_writes_is_named(note: str, tmp_path: Path) -> None:
    tree = {f"w/{path}": text for path, text in SOUL.items()}
    conversion = made(tmp_path, {**tree, "w/LOG.md": "x\n", "w/AGENTS.md": f"# Rules\n\n- {note}\n"})
    assert {each.path for each in conversion.account.named} == {"LOG.md"}


# --- links, encodings, configurations farther up ------------------------------------------------------


def test_a_link_out_of_the_workspace_has_a_way(tmp_path: Path) -> None:
    folder = case("linked-persona-has-a-way", tmp_path, "workspace-a")
    with pytest.raises(UnusableInput, match="--follow-links"):
        converted(folder)
    followed = converted(folder, ReadingOptions(follow_links=str(tmp_path / "case" / "vault")))
    assert "SOUL.md" in read(followed)
    assert "link-followed" in codes(followed)


@every_row("name", ["SOUL.md", "notes.md"])
def test_only_a_bootstrap_file_is_followed_and_only_into_the_named_folder(name: str, tmp_path: Path) -> None:
    put(tmp_path, {"vault/a.md": "Calm.\n", "other/a.md": "No.\n", **{f"w/{k}": v for k, v in SOUL.items()}})
    (tmp_path / "w" / name).unlink(missing_ok=True)
    (tmp_path / "w" / name).symlink_to(tmp_path / ("vault" if name != "SOUL.md" else "other") / "a.md")
    options = ReadingOptions(follow_links=str(tmp_path / "vault"))
    if name == "SOUL.md":
        with pytest.raises(UnusableInput):
            converted(tmp_path / "w", options)
    else:
        assert name not in read(converted(tmp_path / "w", options))


def test_a_configuration_farther_up_that_names_the_workspace_counts(tmp_path: Path) -> None:
    conversion = converted(case("configuration-two-levels-up", tmp_path, "apps/agent/workspace"))
    assert '"20m"' in text_of(conversion, "config.py")


def test_a_configuration_farther_up_that_names_another_is_told_and_can_be_named(tmp_path: Path) -> None:
    configuration = {"agents": {"defaults": {"workspace": "./else", "heartbeat": {"every": "25m"}}}}
    tree = {f"a/b/w/{path}": text for path, text in SOUL.items()}
    told = made(tmp_path, {**tree, "openclaw.json": json.dumps(configuration)}, "a/b/w")
    assert "configuration-farther" in codes(told)
    options = ReadingOptions(openclaw_config=str(tmp_path / "openclaw.json"))
    assert '"25m"' in text_of(converted(tmp_path / "a/b/w", options), "config.py")


@every_row(
    ("encoding", "text"),
    [("gb18030", "永远先核对合同编号，然后再回答客户的问题。"), ("latin-1", "Grüß jeden Gast höflich.")],
)
def test_a_text_in_another_encoding_is_read_or_refused(encoding: str, text: str, tmp_path: Path) -> None:
    put(tmp_path, {f"w/{path}": words for path, words in SOUL.items()})
    (tmp_path / "w" / "AGENTS.md").write_bytes(f"# A\n\n- {text}\n".encode(encoding))
    if encoding == "latin-1":
        with pytest.raises(UnusableInput, match="--encoding"):
            converted(tmp_path / "w")
    conversion = converted(tmp_path / "w", ReadingOptions(encoding=encoding))
    assert text in [element.statement for element in conversion.inventory.elements]


# --- OpenClaw's configuration -------------------------------------------------------------------------


def test_who_is_woken_in_the_cases(tmp_path: Path) -> None:
    asleep = converted(case("only-agents-with-a-block-are-woken", tmp_path / "a", "workspace"))
    assert asleep.classification.modality.value == "synchronous_oneshot"
    assert any("clerk" in found.message for found in asleep.diagnostics if found.code == "heartbeat-off")
    scout = converted(case("agent-without-workspace-key", tmp_path / "b", "workspace-scout"))
    assert '"2h"' in text_of(scout, "config.py")
    off = converted(case("heartbeat-off-prints-no-crontab", tmp_path / "c", "workspace"))
    assert "cron" not in text_of(off, "README.md") + text_of(off, "SETUP.md")


def test_housekeeping_hooks_wake_nobody(tmp_path: Path) -> None:
    conversion = converted(case("housekeeping-hooks-wake-nobody", tmp_path, "workspace"))
    assert conversion.classification.modality.value == "synchronous_oneshot"
    assert "Hook session-memory (wakes nobody)" in [e.statement for e in conversion.inventory.elements]


@every_row(
    ("hooks", "woken"),
    [
        ({"internal": {"entries": {"mail": {"events": ["message:received"]}}}}, True),
        ({"internal": {"entries": {"mail": {"enabled": True}}}}, False),
        ({"internal": {"entries": {"boot-md": {"events": ["gateway:startup"]}}}}, False),
        ({"internal": {"handlers": [{"event": "command:new"}]}}, False),
        ({"mappings": [{"id": "mail"}]}, True),
    ],
)
def test_a_hook_wakes_by_its_event(hooks: Mapping[str, object], woken: bool, tmp_path: Path) -> None:
    tree = {f"w/{path}": text for path, text in SOUL.items()}
    conversion = made(tmp_path, {**tree, "openclaw.json": json.dumps({"hooks": hooks})})
    assert (conversion.classification.modality.value == "event_triggered") == woken


def test_each_agent_that_may_be_asked_is_a_tool_and_one_that_is_not_declared_is_to_write(
    tmp_path: Path,
) -> None:
    conversion = converted(case("delegation-has-a-tool-or-a-word", tmp_path, "workspace"))
    tools = {entry.target for entry in conversion.plan.entries if entry.kind is EntryKind.TOOL_CONCRETE}
    assert {"tools.py:ask_scout", "constrained_slots.py:ask_clerk"} <= tools


def test_an_identity_of_the_configuration_fills_what_identity_md_leaves_open(tmp_path: Path) -> None:
    agents = {"list": [{"id": "main", "identity": {"name": "Other", "theme": "sea"}}]}
    tree = {f"w/{path}": text for path, text in SOUL.items()}
    conversion = made(tmp_path, {**tree, "openclaw.json": json.dumps({"agents": agents})})
    assert [e.value for e in conversion.inventory.elements if e.rationale == "config.identity"] == ["sea"]


def test_every_key_of_the_configuration_is_named(tmp_path: Path) -> None:
    report = text_of(
        converted(case("configuration-keys-are-named", tmp_path, "workspace")), "mapping_report.md"
    )
    for key in ("subagents", "identity", "tools", "messages"):
        assert f"{key}: " in report


def test_jobs_of_the_database_are_tasks_and_the_database_stays_as_it_is(tmp_path: Path) -> None:
    put(tmp_path, {f"w/{path}": text for path, text in SOUL.items()})
    (tmp_path / "state").mkdir()
    database = tmp_path / "state" / "openclaw.sqlite"
    with sqlite3.connect(database) as connection:
        connection.execute(
            "CREATE TABLE cron_jobs (job_id, name, enabled, schedule_expr, payload_message, ran)"
        )
        connection.execute("INSERT INTO cron_jobs VALUES ('a', 'digest', 1, '30 8 * * *', 'Write it.', 1)")
    connection.close()
    before, files = database.read_bytes(), sorted((tmp_path / "state").iterdir())
    first = converted(tmp_path / "w")
    assert "30 8 * * *" in text_of(first, "config.py")
    assert (database.read_bytes(), sorted((tmp_path / "state").iterdir())) == (before, files)
    with sqlite3.connect(database) as connection:
        connection.execute("UPDATE cron_jobs SET ran = 2")
    connection.close()
    assert converted(tmp_path / "w").inventory.snapshot_id == first.inventory.snapshot_id


def test_jobs_that_moved_away_are_told(tmp_path: Path) -> None:
    tree = {f"w/{path}": text for path, text in SOUL.items()}
    moved = made(tmp_path, {**tree, "cron/jobs.json.migrated": "{}"})
    assert "cron-jobs-moved" in codes(moved)
    put(tmp_path, {"state/openclaw.sqlite": "no database"})
    assert "state-database-unread" in codes(converted(tmp_path / "w"))


# --- Claude Code and skills ---------------------------------------------------------------------------


def test_one_text_under_two_names_counts_once(tmp_path: Path) -> None:
    conversion = converted(case("linked-main-file-counts-once", tmp_path / "a"))
    assert read(conversion) == {"AGENTS.md", ".claude/settings.json"}
    put(tmp_path / "b", {"AGENTS.md": "- Be brief.\n", ".claude/settings.json": "{}"})
    (tmp_path / "b" / "CLAUDE.md").symlink_to("AGENTS.md")
    assert read(converted(tmp_path / "b")) == {"AGENTS.md", ".claude/settings.json"}
    put(tmp_path / "c", {"AGENTS.md": "- Be brief.\n", "CLAUDE.md": "- Be kind.\n"})
    alone = converted(tmp_path / "c")
    assert read(alone) == {"CLAUDE.md"}
    assert "instructions-once" in codes(alone)


def test_guards_wake_nobody_in_the_case(tmp_path: Path) -> None:
    conversion = converted(case("guard-hooks-wake-nobody", tmp_path))
    assert conversion.classification.modality.value == "synchronous_oneshot"
    assert "guard-not-reproduced" in codes(conversion)


def test_keys_of_claude_code_in_a_skill_are_not_blamed(tmp_path: Path) -> None:
    assert "skill-key-unknown" not in codes(converted(case("valid-skill-keys-are-not-blamed", tmp_path)))


# --- tools ----------------------------------------------------------------------------------------------


@every_row(
    ("script", "extra", "missing"),
    [
        ("import json\nfrom lib import a\nprint(a)\n", {"scripts/lib/a.py": ""}, ""),
        ("import shopkit\nprint(1)\n", {}, "shopkit"),
        ("import shopkit\nprint(1)\n", {"requirements.txt": "shopkit>=2\n"}, ""),
        ("import PIL\nprint(1)\n", {"requirements.txt": "# for labels\nPillow\n"}, ""),
        ("try:\n    import shopkit\nexcept ImportError:\n    pass\nprint(1)\n", {}, ""),
        ("from lib import a\nprint(a)\n", {"scripts/lib/a.py": "import shopkit\n"}, "shopkit"),
        (
            "from lib import a\nprint(a)\n",
            {"scripts/lib/a.py": "", "scripts/lib/b.py": "import shopkit\n"},
            "",
        ),
        ("import core.b\nprint(1)\n", {"core/b.py": ""}, "core"),
        ("import sys\nsys.path.insert(0, '..')\nimport core.b\nprint(1)\n", {"core/b.py": ""}, ""),
    ],
)
def test_a_tool_is_a_stub_if_nothing_provides_an_import(
    script: str, extra: dict[str, str], missing: str, tmp_path: Path
) -> None:
    head = "---\nname: pots\ndescription: Packs pots.\n---\n\nRun `python3 scripts/pack.py` to pack.\n"
    conversion = made(
        tmp_path,
        {f"pots/{k}": v for k, v in {"SKILL.md": head, "scripts/pack.py": script, **extra}.items()},
        "pots",
    )
    (tool,) = [entry for entry in conversion.plan.entries if entry.kind is EntryKind.TOOL_CONCRETE]
    assert (tool.disposition is Disposition.STUB) == bool(missing)
    if missing:
        assert missing in text_of(conversion, "constrained_slots.py")
    elif "requirements.txt" in extra:
        assert extra["requirements.txt"].splitlines()[-1] in conversion.files.by_path["pyproject.toml"].text


# --- report and seeds ---------------------------------------------------------------------------------


def test_a_removal_is_listed_and_an_inlining_stands_where_it_is_said(tmp_path: Path) -> None:
    removed = text_of(converted(case("bootstrap-is-listed-as-removed", tmp_path / "a")), "mapping_report.md")
    assert "`BOOTSTRAP.md:1-3`" in removed.partition("## 5.")[2].partition("## 6.")[0]
    conversion = converted(case("inlined-means-inlined", tmp_path / "b"))
    told = "was inlined" in text_of(conversion, "mapping_report.md")
    assert told == any(
        b"zebrafinch" in file.data for path, file in conversion.files.by_path.items() if path.endswith(".py")
    )


@every_row("name", ["daily-notes-are-seen", "drop-unseen-keeps-daily-notes"])
def test_daily_notes_are_seen(name: str, tmp_path: Path) -> None:
    conversion = converted(case(name, tmp_path))
    notes = [e for e in conversion.inventory.elements if e.source_file.startswith("memory/2026")]
    assert notes
    assert {conversion.seen[each.element_id].visibility.value for each in notes} == {"seen"}
    assert not any(
        "subfolder" in each.reason for each in conversion.context.not_loaded if "2026" in each.path
    )


def test_a_scope_stays_with_its_rule(tmp_path: Path) -> None:
    conversion = converted(case("scope-of-a-rule-is-kept", tmp_path))
    (rule,) = [e for e in conversion.inventory.elements if e.statement.startswith("Never use any")]
    assert rule.scope == "**/*.ts"
    assert rule.decided(DecisionKind.LEFT_OUT) is None


def test_a_hermes_home_is_read(tmp_path: Path) -> None:
    tree = {
        "h/SOUL.md": "You are calm.\n",
        "h/memories/USER.md": "- Name: Ada\n",
        "h/memories/MEMORY.md": "- The ferry leaves at 9.\n",
        "h/config.yaml": "# own\nmodel:\n  default: x\n",
        "h/cron/jobs.json": json.dumps(
            {
                "jobs": [
                    {"id": "a", "name": "digest", "prompt": "Write it.", "schedule": {"expr": "30 8 * * *"}}
                ]
            }
        ),
        "h/skills/sea/tide/SKILL.md": "---\nname: tide\ndescription: d\n---\nTell it.\n",
    }
    conversion = made(tmp_path, tree, "h")
    assert conversion.classification.source_runtime == "hermes"
    assert read(conversion) == {path[2:] for path in tree}
    assert "30 8 * * *" in text_of(conversion, "config.py")
    assert conversion.lints.passed


@every_row(
    "call",
    [
        "cd scripts && python3 pack.py box",
        "cd scripts; python3 pack.py box",
        "python3 -m scripts.pack box",
        "$ cd scripts && python pack.py box",
    ],
)
def test_a_call_behind_cd_or_as_a_module_is_a_call_of_the_script(call: str, tmp_path: Path) -> None:
    skill = f"---\nname: pots\ndescription: Packs pots.\n---\n\nPack:\n\n```\n{call}\n```\n"
    script = {"pots/scripts/pack.py": "import sys\nprint(sys.argv)\n"}
    conversion = made(tmp_path, {"pots/SKILL.md": skill, **script}, "pots")
    (tool,) = [entry for entry in conversion.plan.entries if entry.kind is EntryKind.TOOL_CONCRETE]
    assert tool.disposition is Disposition.REAL_IMPL


def test_files_that_instruct_a_coding_agent_convert_alone(tmp_path: Path) -> None:
    files = {
        "a/.cursor/rules/x.mdc": "- Be brief.\n",
        "b/.cursorrules": "- Be brief.\n",
        "c/.github/copilot-instructions.md": "- Be brief.\n",
    }
    for folder in "abc":
        conversion = made(tmp_path, files, folder)
        assert "Be brief." in [element.statement for element in conversion.inventory.elements]
        assert "coding-instructions" in codes(conversion)


@every_row(
    "path",
    [
        ".github/agents/a.agent.md",
        ".github/prompts/a.prompt.md",
        ".opencode/agent/a.md",
        ".claude/agents/a.md",
    ],
)
def test_a_single_agent_file_is_a_source(path: str, tmp_path: Path) -> None:
    put(tmp_path, {path: "---\nname: reviewer\ndescription: Reviews.\n---\nYou are a strict reviewer.\n"})
    conversion = converted(tmp_path / path)
    assert conversion.classification.source_runtime == "claude_code"
    assert any("strict reviewer" in element.statement for element in conversion.inventory.elements)


@every_row(
    "above",
    [
        "<critical>",
        '<rules level="high">',
        "<br>",
        "<details>\n<summary>More</summary>",
        '<div align="left">',
    ],
)
def test_a_tag_takes_no_line_below_it(above: str, tmp_path: Path) -> None:
    conversion = made(tmp_path, {**SOUL, "AGENTS.md": f"{above}\n- Never say sorry.\n- No emoji.\n"}, ".")
    judged = [
        each.statement
        for each in conversion.inventory.elements
        if each.decided(DecisionKind.JUDGED, DecisionKind.CHECKED) and each.source_file == "AGENTS.md"
    ]
    assert judged == ["Never say sorry.", "No emoji."]


@every_row("mark", ["```", "~~~~"])
def test_tags_in_a_fence_stay_as_they_are(mark: str, tmp_path: Path) -> None:
    rules = "<rules>\n- Be kind.\n</rules>\n"
    text = f"{rules}\n- Write like this:\n\n{mark}\n<rules>\na < b\n</rules>\n{mark}\n"
    conversion = made(tmp_path, {**SOUL, "AGENTS.md": text}, ".")
    (example,) = (each for each in conversion.inventory.elements if "a < b" in each.content_full)
    assert "<rules>\na < b\n</rules>" in example.statement


# --- two more inputs of each kind ---------------------------------------------------------------------


@every_row(
    ("agents", "wakes"),
    [
        ({"entries": {"main": {"workspace": "./w", "heartbeat": {"every": "15m"}}, "other": {}}}, "15m"),
        ({"entries": {"main": {"workspace": "./w"}, "other": {"heartbeat": {"every": "15m"}}}}, ""),
        ({"defaults": {"heartbeat": {"every": "15m"}}, "list": [{"id": "w"}]}, "15m"),
    ],
)
def test_who_is_woken_in_other_shapes(agents: Mapping[str, object], wakes: str, tmp_path: Path) -> None:
    tree = {f"w/{path}": text for path, text in SOUL.items()}
    conversion = made(tmp_path, {**tree, "openclaw.json": f"// ours\n{json.dumps({'agents': agents})}"})
    assert (conversion.classification.modality.value == "heartbeat") == bool(wakes)
    assert f'"{wakes}"' in text_of(conversion, "config.py") or not wakes


@every_row(
    ("files", "expected"),
    [
        ({"CLAUDE.md": "@AGENTS.md\n", "AGENTS.md": "- Never use tabs.\n"}, [("AGENTS.md", "")]),
        ({"CLAUDE.md": "- Hi.\n", "a/b/c/CLAUDE.md": "- Never use tabs.\n"}, [("a/b/c/CLAUDE.md", "a/b/c")]),
        (
            {
                "CLAUDE.md": "- Hi.\n",
                ".claude/rules/x/y.md": "---\npaths: ['a/**']\n---\n- Never use tabs.\n",
            },
            [(".claude/rules/x/y.md", "a/**")],
        ),
    ],
)
def test_a_rule_counts_once_and_with_its_scope(
    files: dict[str, str], expected: list[tuple[str, str]], tmp_path: Path
) -> None:
    found = made(tmp_path, files, ".").inventory.elements
    assert [(each.source_file, each.scope) for each in found if "tabs" in each.statement] == expected


@every_row(
    ("key", "blamed"),
    [
        ("context: fork", False),
        ("user-invocable: false", False),
        ("effort: high", False),
        ("licence: MIT", True),
    ],
)
def test_a_key_of_a_skill_is_blamed_only_if_no_runtime_knows_it(
    key: str, blamed: bool, tmp_path: Path
) -> None:
    head = f"---\nname: pots\ndescription: Packs pots. Use when asked to pack.\n{key}\n---\n\nPack.\n"
    assert ("skill-key-unknown" in codes(made(tmp_path, {"pots/SKILL.md": head}, "pots"))) == blamed


@every_row("beside", [{"CLAUDE.md": "- Hi.\n"}, {".mcp.json": "{}"}, {".cursorrules": "Be brief.\n"}])
def test_a_persona_survives_beside_files_of_another_runtime(beside: dict[str, str], tmp_path: Path) -> None:
    conversion = made(tmp_path, {**SOUL, "AGENTS.md": "- Ask first.\n", **beside}, ".")
    assert "You are calm." in text_of(conversion, "config.py")
    assert "Ask first." in text_of(conversion, "requirements.py")
    assert conversion.account.total == len(SOUL) + 1 + len(beside)


@every_row("text", ["# First run\r\n\r\nSay hello.\r\n", "---\ntitle: x\n---\nSay hello.\n"])
def test_a_bootstrap_file_is_removed_with_the_seed_s_reason(text: str, tmp_path: Path) -> None:
    report = text_of(made(tmp_path, {**SOUL, "BOOTSTRAP.md": text}, "."), "mapping_report.md")
    removed = report.partition("## 5. Removed During Audit")[2].partition("\n## ")[0]
    said = "is a one-shot first-run ritual that self-destructs; not reproduced in generated pipeline"
    assert ("`BOOTSTRAP.md:1-" in removed, said in removed) == (True, True)


@every_row("key", ["nonsense", "browser"])
def test_a_key_that_nothing_uses_is_named(key: str, tmp_path: Path) -> None:
    tree = {f"w/{path}": text for path, text in SOUL.items()}
    conversion = made(tmp_path, {**tree, "openclaw.json": json.dumps({key: {"a": 1}})})
    assert f"{key}: " in text_of(conversion, "mapping_report.md")


@every_row(
    ("note", "seen"),
    [("2026-11-20.md", True), ("2026-11-19.md", True), ("2026-11-18.md", False), ("people/ana.md", False)],
)
def test_only_the_notes_of_two_days_are_seen(note: str, seen: bool, tmp_path: Path) -> None:
    notes = {"memory/2026-11-20.md": "- Bob called.\n", f"memory/{note}": "- Ana called.\n"}
    conversion = made(tmp_path, {**SOUL, **notes}, ".")
    visible = {
        each.source_file
        for each in conversion.inventory.elements
        if conversion.seen[each.element_id].visibility.value == "seen"
    }
    assert (f"memory/{note}" in visible) == seen
    assert "Ana called" not in "".join(file.text for file in conversion.files.files)
