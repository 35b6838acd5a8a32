"""`diff`: what changed between two workspaces or packages, as text, as Markdown and as JSON."""

import json
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import jsonschema
import pytest
from markdown_it import MarkdownIt

from tests.e2e.conftest import Done, Run, rows

AS_OF = ("--as-of", "2026-11-01")
FORMS = ((), ("--format", "markdown"), ("--json",))

BASE = {
    "SOUL.md": "# Soul\n\nYou are calm and exact.\n",
    "IDENTITY.md": "name: desk\nrole: Answers questions about orders\n",
    "AGENTS.md": "# Rules\n\n## Mail\n\n- Never send mail to strangers.\n- Answer in at most 90 words.\n"
    "- Ask the customer for the order number first.\n\n## Promises\n\n- Must never promise:\n  - a refund\n",
    "USER.md": "# User\n\n- **Name:** Maren\n- **Team:** Platform support, four people\n",
    "MEMORY.md": "# Memory\n\n## Queues\n\n- The billing queue answers within two days.\n\n"
    "## Issues\n\n- Exports of many rows time out.\n",
    "TOOLS.md": "# Tools\n\n## Orders\n\n"
    "`GET https://orders.example.com/v1/orders` returns the orders of a customer.\n\n"
    "## Stock\n\n`GET https://stock.example.com/v1/items` returns what is in stock.\n",
    "HEARTBEAT.md": "Run every 30m during business hours\n\n"
    "- Check for tickets that have waited more than an hour\n",
    ".env.example": "ORDERS_API_KEY=\nSTOCK_API_KEY=\n",
    "scripts/count.py": "print(1)\n",
}
SKILL = (
    "---\nname: intake\ndescription: Reads invoices. Use it for every invoice.\n---\n\n# Intake\n\n"
    "- Never pay twice.\n\n## Report\n\nFill this schema:\n\n| Field | Type | Description |\n|---|---|---|\n"
    "| supplier | string | Name as printed on the invoice |\n| amount | number | In euros |\n"
)

SECRET = "ghp_" + "q7Rt2Lm9Xc4Vb8Nk1Zs6Wd3Hy5Jf0Pa8Ue2G"


@dataclass(frozen=True)
class Row:
    """One changed element."""

    group: str
    change: str
    old: dict[str, object] | None
    new: dict[str, object] | None
    details: list[dict[str, str]]

    @property
    def texts(self) -> tuple[object, object]:
        return self.old and self.old["text"], self.new and self.new["text"]


Made = Callable[..., Path]


@pytest.fixture
def make(tmp_path: Path) -> Made:
    """Write a workspace with a file in it edited: `make("new", "AGENTS.md", "90 words", "80 words")`."""

    def made(name: str, file: str = "", old: str = "", new: str = "", texts: dict[str, str] = BASE) -> Path:
        folder = tmp_path / name
        for path, text in texts.items():
            place = folder / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8")
        if file:
            text = (folder / file).read_text(encoding="utf-8")
            assert text.count(old) == 1, (file, old)
            (folder / file).write_text(text.replace(old, new), encoding="utf-8")
        return folder

    return made


def changes(done: Done) -> list[Row]:
    return [Row(**row) for row in rows(done.document, "changes")]  # type: ignore[arg-type]


def changed(done: Done) -> list[tuple[str, str]]:
    return [(row.group, row.change) for row in changes(done)]


# --- each group -----------------------------------------------------------------------------

REWORDED = [
    ("Rules", "AGENTS.md", "Answer in at most 90 words", "Answer in at most 40 words"),
    ("Rules", "AGENTS.md", "Must never promise:", "Avoid promising:"),
    ("Tools", "TOOLS.md", "the orders of a customer", "every order of a customer"),
    ("Schedules", "HEARTBEAT.md", "every 30m", "every 15m"),
    ("Facts", "USER.md", "Maren", "Felix"),
    ("Persona", "SOUL.md", "calm and exact", "brisk and exact"),
]
"""Group, file, old words and new words."""

ONE_SIDED = [
    ("Rules", "AGENTS.md", "- Never send mail to strangers.\n", "Never send mail to strangers."),
    (
        "Tools",
        "TOOLS.md",
        "## Stock\n\n`GET https://stock.example.com/v1/items` returns what is in stock.\n",
        "returns what is in stock",
    ),
    (
        "Schedules",
        "HEARTBEAT.md",
        "- Check for tickets that have waited more than an hour\n",
        "Check for tickets that have waited",
    ),
    ("Facts", "USER.md", "- **Team:** Platform support, four people\n", "Team: Platform support"),
    ("Persona", "IDENTITY.md", "role: Answers questions about orders\n", "role: Answers questions"),
    ("Memory", "MEMORY.md", "\n## Issues\n\n- Exports of many rows time out.\n", "Issues"),
    ("Credentials", ".env.example", "STOCK_API_KEY=\n", "STOCK_API_KEY"),
]
"""Group, file, the lines that one side lacks, and what is shown of them."""


@pytest.mark.parametrize(("group", "file", "before", "after"), REWORDED)
def test_a_reworded_element_shows_both_texts(
    run: Run, make: Made, group: str, file: str, before: str, after: str
) -> None:
    old, new = make("old"), make("new", file, before, after)
    text, markdown, document = (run("diff", old, new, *form, *AS_OF) for form in FORMS)
    assert (text.code, markdown.code, document.code) == (0, 0, 0)
    assert changed(document) == [(group, "reworded")]
    (row,) = changes(document)
    assert before in str(row.texts[0])
    assert after in str(row.texts[1])
    assert f"{group}: 1 reworded\n" in text.out
    assert f"### {group}: 1 reworded\n" in markdown.out
    for shown in (text.out, markdown.out):
        assert re.search(rf"^\s*- .*{re.escape(before)}", shown, re.MULTILINE)
        assert re.search(rf"^\s*\+ .*{re.escape(after)}", shown, re.MULTILINE)


@pytest.mark.slow
@pytest.mark.parametrize(("group", "file", "lines", "words"), ONE_SIDED)
def test_an_added_or_removed_element_is_shown_with_its_sign(
    run: Run, make: Made, group: str, file: str, lines: str, words: str
) -> None:
    whole, short = make("whole"), make("short", file, lines, "")
    for sides, change, sign in (((short, whole), "added", "+"), ((whole, short), "removed", "-")):
        text, markdown, document = (run("diff", *sides, *form, *AS_OF) for form in FORMS)
        assert changed(document) == [(group, change)]
        (row,) = changes(document)
        absent, present = row.texts if change == "added" else row.texts[::-1]
        assert (words in str(present), absent) == (True, None)
        assert f"{group}: 1 {change}\n" in text.out
        assert f"### {group}: 1 {change}\n" in markdown.out
        for shown in (text.out, markdown.out):
            assert re.search(rf"^\s*\{sign} .*{re.escape(words)}", shown, re.MULTILINE), shown


def test_fields_of_a_schema_are_among_the_others(run: Run, make: Made) -> None:
    texts = {"SKILL.md": SKILL}
    old = make("old", texts=texts)
    new = make("new", "SKILL.md", "| amount | number | In euros |", "| amount | number | In dollars |", texts)
    short = make("short", "SKILL.md", "| amount | number | In euros |\n", "", texts)
    assert changed(run("diff", old, new, "--json")) == [("Other", "reworded")]
    assert changed(run("diff", old, short, "--json")) == [("Other", "removed")]
    assert changed(run("diff", short, old, "--json")) == [("Other", "added")]
    assert "Other: 1 reworded" in run("diff", old, new).out
    assert "### Other: 1 reworded" in run("diff", old, new, "--format=markdown").out


RETAGS = [
    {"key": "AGENTS.md#rules/mail/never-send-mail-to-strangers", "use": "judged"},
    {"key": "AGENTS.md#rules/mail/answer-in-at-most-90", "category": "C8"},
    {"key": "TOOLS.md#tools/stock/get-https-stock-example-com", "tag": "QUERY"},
    {"key": "HEARTBEAT.md#check-for-tickets-that-have", "tag": "DECIDE"},
    {"key": "USER.md#user/team", "tag": "QUERY"},
    {"key": "IDENTITY.md#role", "tag": "CONVERSE"},
    {"key": "MEMORY.md#memory/queues", "tag": "EXTRACT"},
]
OVERRIDES = [{"key": ".env.example#stock-api-key", "disposition": "remove", "override_rationale": "unused"}]


@pytest.mark.slow
def test_what_is_read_differently_is_said_for_each_group(run: Run, make: Made, tmp_path: Path) -> None:
    workspace, decisions = make("desk"), tmp_path / "d.json"
    decisions.write_text(json.dumps({"retags": RETAGS, "overrides": OVERRIDES}), encoding="utf-8")
    assert run(workspace, "--dependencies=auto", "-o", "one", *AS_OF).code == 0
    made = run(workspace, f"--dependencies=config:{decisions}", "-o", "two", *AS_OF)
    assert made.code == 0, made.messages
    text, markdown, document = (run("diff", "one", "two", *form) for form in FORMS)
    assert document.code == 0, document.messages
    found = {row.group: row for row in changes(document)}
    assert set(found) == {
        *("Rules", "Tools", "Schedules", "Facts", "Persona", "Memory", "Credentials", "Other")
    }
    assert {row.change for row in changes(document)} == {"read differently"}
    details = {
        group: {(each["what"], each["old"], each["new"]) for each in row.details}
        for group, row in found.items()
    }
    assert ("decisions", "none", "judged") in details["Rules"]
    assert ("category", "C2 Operating rules", "C8 Runtime environment") in details["Other"]
    assert ("tag", "ORCHESTRATE", "DECIDE") in details["Schedules"]
    assert ("disposition", "external_input", "remove") in details["Credentials"]
    for shown in (text.out, markdown.out):
        for said in (
            "decisions: none → judged",
            "category: C2 Operating rules → C8 Runtime environment",
            "tag: ORCHESTRATE → DECIDE",
            "disposition: external_input → remove",
        ):
            assert said in shown


def test_many_elements_read_differently_for_one_reason_are_one_entry(run: Run, make: Made) -> None:
    names = ("refunds", "release dates", "prices")
    rules = "".join(f"- Never speak of {name}.\n" for name in names)
    workspace = make("desk", texts={**BASE, "AGENTS.md": f"# Rules\n\n{rules}"})
    retags = [
        {"key": f"AGENTS.md#rules/never-speak-of-{name.replace(' ', '-')}", "category": "C8"}
        for name in names
    ]
    Path("d.json").write_text(json.dumps({"retags": retags}), encoding="utf-8")
    assert run(workspace, "--dependencies=auto", "-o", "one", *AS_OF).code == 0
    assert run(workspace, "--dependencies=config:d.json", "-o", "two", *AS_OF).code == 0
    text, markdown, document = (run("diff", "one", "two", *form) for form in FORMS)
    assert changed(document) == [("Other", "read differently")] * 3
    for shown in (text.out, markdown.out):
        assert shown.count("category: C2 Operating rules → C8 Runtime environment") == 1
        assert "AGENTS.md:4  Never speak of release dates." in shown


def test_elements_of_one_line_differ_by_what_each_says(run: Run, make: Made) -> None:
    texts = {"SKILL.md": SKILL.replace("invoice.\n---", "invoice.\nallowed-tools: Bash(ls *) Read\n---")}
    old = make("old", texts=texts)
    new = make("new", "SKILL.md", "Bash(ls *)", "Bash(rm *)", texts)
    (row,) = changes(run("diff", old, new, "--json"))
    assert (row.group, row.change) == ("Tools", "reworded")
    assert ["ls *" in str(row.texts[0]), "rm *" in str(row.texts[1])] == [True, True]


# --- places and the package as a whole ------------------------------------------------------


def test_what_moved_says_where_to(run: Run, make: Made) -> None:
    rule = "- Never send mail to strangers.\n"
    old = make("old")
    new = make("new", "AGENTS.md", rule, "")
    place = new / "AGENTS.md"
    place.write_text(place.read_text().replace("## Promises\n\n", f"## Promises\n\n{rule}"))
    done = run("diff", old, new, *AS_OF)
    assert "Rules: 1 moved" in done.out
    assert "section: Rules / Mail → Rules / Promises" in done.out


def test_a_renamed_section_is_one_entry(run: Run, make: Made) -> None:
    done = run("diff", make("old"), make("new", "AGENTS.md", "## Mail", "## Letters"), *AS_OF)
    assert "moved  3 elements" in done.out
    assert done.out.count("section: Rules / Mail → Rules / Letters") == 1


def test_the_package_as_a_whole_is_compared(run: Run, make: Made) -> None:
    tool = ONE_SIDED[1][2]
    short = make("short", "TOOLS.md", tool, "")
    (short / ".env.example").write_text("ORDERS_API_KEY=\n")
    whole = make("whole")
    (short / "notes.md").write_text("1\n")
    (whole / "notes.md").write_text("2\n")
    text, markdown, document = (run("diff", short, whole, *form, *AS_OF) for form in FORMS)
    found = document.document
    assert found["new_callable_tools"] == ["stock"]
    assert found["new_variables"] == ["STOCK_API_KEY"]
    assert found["files"] == [{"path": "notes.md", "change": "changed"}]
    for shown in (text.out, markdown.out):
        assert re.search(r"model calls per run\W+\d+ ", shown)
        assert re.search(r"prompt tokens per run\W+\d+ ", shown)
        assert re.search(r"tools now callable\W+stock\b", shown)
        assert re.search(r"new variables to set\W+STOCK_API_KEY", shown)
        assert "notes.md" in shown
    back = run("diff", whole, short, *AS_OF).out
    assert "tools no longer callable  stock" in back
    assert "variables no longer read  STOCK_API_KEY" in back


def test_a_carried_file_without_elements_is_compared_by_its_content(run: Run, make: Made) -> None:
    texts = {"SKILL.md": SKILL, "assets/form.txt": "Name:\n", "assets/old.txt": "Old.\n"}
    old, new = make("old", texts=texts), make("new", "assets/form.txt", "Name", "Full name", texts)
    (new / "assets/old.txt").unlink()
    text, markdown, document = (run("diff", old, new, *form, *AS_OF) for form in FORMS)
    assert document.document["files"] == [
        {"path": "assets/form.txt", "change": "changed"},
        {"path": "assets/old.txt", "change": "removed"},
    ]
    for shown in (text.out, markdown.out):
        assert "assets/form.txt" in shown


def test_headings_and_blank_lines_are_no_difference(run: Run, make: Made) -> None:
    old = make("old")
    new = make("new", "AGENTS.md", "# Rules\n", "# Rules\n\n\n")
    for form in FORMS:
        done = run("diff", old, new, *form, "--exit-code", *AS_OF)
        assert done.code == 0, done.out
        assert "differences" in done.out or not done.document["differs"]
    assert changes(run("diff", old, new, "--json", *AS_OF)) == []
    (new / ".env.example").write_text("STOCK_API_KEY=\nORDERS_API_KEY=\n")
    assert run("diff", old, new, "--exit-code", *AS_OF).code == 0


def test_a_workspace_and_its_package_do_not_differ(run: Run, make: Made) -> None:
    workspace = make("desk")
    assert run(workspace, "--dependencies=auto", *AS_OF).code == 0
    for package in ("desk_mellea", "desk_mellea/desk_mellea"):
        done = run("diff", workspace, package, "--exit-code", *AS_OF)
        assert (done.code, done.out) == (0, f"{workspace} and {package}: no differences\n")


def test_different_runtimes_are_a_note(run: Run, make: Made) -> None:
    done = run("diff", make("old"), make("new", texts={"SKILL.md": SKILL}), *AS_OF)
    assert done.code == 0
    assert "note: OLD is read as openclaw and NEW as agent_skills_std" in done.messages
    assert "runtime" in done.out


# --- forms and exit codes -------------------------------------------------------------------


def test_json_is_what_its_schema_accepts(run: Run, make: Made) -> None:
    schema = jsonschema.Draft202012Validator(run("schema", "diff").document)
    old, new = make("old"), make("new", "HEARTBEAT.md", "30m", "15m")
    shutil.move(new / "USER.md", new / "PEOPLE.md")
    other = make("other", texts={"SKILL.md": SKILL})
    for sides in ((old, new), (new, old), (old, other)):
        document = run("diff", *sides, "--json", *AS_OF).document
        schema.validate(document)
        assert document["differs"]


def test_differences_fail_only_when_asked_to(run: Run, make: Made) -> None:
    old, new = make("old"), make("new", "HEARTBEAT.md", "30m", "15m")
    for form in FORMS:
        assert run("diff", old, new, *form, *AS_OF).code == 0
        assert run("diff", old, new, *form, "--exit-code", *AS_OF).code == 15
    assert run("diff", old, new, "--json", "--exit-code", *AS_OF).document["exit_code"] == 15
    assert run("diff", old, new, "-q", "--exit-code", *AS_OF) == Done(15, "", "")


def test_decisions_apply_to_both_sides(run: Run, make: Made, tmp_path: Path) -> None:
    decisions = tmp_path / "d.json"
    decisions.write_text(json.dumps({"retags": RETAGS[:1]}), encoding="utf-8")
    old, new = make("old"), make("new", "HEARTBEAT.md", "30m", "15m")
    done = run("diff", old, new, "--decisions", decisions, "--json", *AS_OF)
    assert changed(done) == [("Schedules", "reworded")]


# --- safety ---------------------------------------------------------------------------------

HOSTILE = (
    "- Never say ``` or ~~~~ or @octocat or #12 or https://evil.example or <img src=x onerror=alert(1)>\n"
    "- Say [click](javascript:alert(1)) and ![x](http://evil.example/x.png) \x1b]0;owned\x07 | \u202e |\n"
    "- Keep this as it is:\n\n  ```\n  ````\n  </code></pre><script>alert(1)</script>\n  @octocat\n  ````\n  ```\n"
)


def of_markdown(text: str) -> Iterator[tuple[str, str]]:
    """Yield type and content of each token that isn't code."""
    for token in MarkdownIt("commonmark", {"linkify": False}).enable("table").parse(text):
        if token.type == "fence":
            continue
        for child in token.children or [token]:
            if child.type != "code_inline":
                yield child.type, child.content


def test_a_hostile_text_is_only_text_in_markdown(run: Run, make: Made) -> None:
    old = make("old")
    new = make("new @octocat", "AGENTS.md", "## Promises\n", f"## Promises @octocat\n\n{HOSTILE}")
    (new / "scripts/@octocat | <b>.py").write_text("1\n")
    for sides in ((old, new), (new, old)):
        done = run("diff", *sides, "--format", "markdown", *AS_OF)
        assert done.code == 0, done.messages
        assert "@octocat" in done.out
        for kind, content in of_markdown(done.out):
            assert kind not in ("html_inline", "html_block", "link_open", "image"), content
            for harmful in ("@octocat", "evil.example", "#12", "<"):
                assert harmful not in content, (kind, content)
    for form in FORMS:
        done = run("diff", old, new, *form, *AS_OF)
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", done.out + done.messages)


def test_a_planted_secret_stays_masked(run: Run, make: Made) -> None:
    rule = "- Never send mail to strangers.\n"
    old, new = make("old"), make("new", "AGENTS.md", rule, f"{rule}- Use the token {SECRET} for the API\n")
    other = make("other", "AGENTS.md", rule, f"{rule}- Use the token {SECRET[::-1]} for the old API\n")
    for sides in ((old, new), (new, old), (new, other)):
        for form in FORMS:
            done = run("diff", *sides, *form, *AS_OF)
            assert done.code == 0, done.messages
            assert SECRET[8:20] not in done.out + done.messages
    assert "for the API" in run("diff", old, new, *AS_OF).out


def test_only_so_many_texts_are_compared(run: Run, make: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    old = make("old", "AGENTS.md", "- Answer in at most 90 words.\n", "")
    new = make("new", "AGENTS.md", "- Answer in at most 90 words.\n", "")
    for folder, heading, number in ((old, "## Mail\n\n", 90), (new, "## Promises\n\n", 80)):
        place = folder / "AGENTS.md"
        text = place.read_text(encoding="utf-8")
        place.write_text(text.replace(heading, f"{heading}- Stop after {number} words in any letter.\n"))
    assert changed(run("diff", old, new, "--json", *AS_OF)) == [("Rules", "reworded")]
    monkeypatch.setattr("melleafy_tui.actions.workspace_diff.MOST_COMPARED", 0)
    done = run("diff", old, new, "--json", *AS_OF)
    assert sorted(changed(done)) == [("Rules", "added"), ("Rules", "removed")]


def test_a_text_that_is_repeated_hundreds_of_times_is_found_by_its_key_only(run: Run, make: Made) -> None:
    rules = "# Rules\n\n" + "- Never do that again.\n" * 150
    old = make("old", texts={"SOUL.md": "# Soul\n\nCalm.\n", "AGENTS.md": rules})
    new = make("new", texts={"SOUL.md": "# Soul\n\nCalm.\n", "TOOLS.md": rules})
    same = make("same", "AGENTS.md", "# Rules\n\n", "# Rules\n\n- Be kind.\n", {"AGENTS.md": rules})
    found = changes(run("diff", old, new, "--json", *AS_OF))
    assert {row.change for row in found} == {"added", "removed"}
    found = changes(run("diff", old, same, "--json", *AS_OF))
    assert [row.change for row in found if row.group == "Rules"] == ["added"]


# --- errors ---------------------------------------------------------------------------------


def test_what_cannot_be_compared_is_refused_with_what_to_do(run: Run, make: Made, tmp_path: Path) -> None:
    old = make("old")
    (tmp_path / "link").symlink_to(old)
    (tmp_path / "empty").mkdir()
    for words, said in (
        ((old, "nowhere"), "nowhere: The new side doesn't exist. Name two workspaces"),
        (("nowhere", old), "nowhere: The old side doesn't exist. Name two workspaces"),
        ((old, old), "OLD and NEW are the same folder. Name two workspaces"),
        ((old, "old/."), "OLD and NEW are the same folder."),
        ((old, "link"), "OLD and NEW are the same folder."),
        ((old, "empty"), "The folder has no file that can be converted"),
        ((old,), "The following arguments are required: NEW"),
        ((old, "empty", "--json", "--format=markdown"), "--json and --format=markdown contradict each other"),
        ((old, "empty", "--format=html"), "--format is 'html', which is not one of text, markdown"),
    ):
        done = run("diff", *words)
        assert done.code == 2
        assert said in done.messages, done.messages
    refused = run("diff", old, "nowhere", "--json")
    jsonschema.Draft202012Validator(run("schema", "error").document).validate(refused.document)


def test_conversion_options_are_refused_with_two_packages(run: Run, make: Made) -> None:
    workspace = make("desk")
    for out in ("one", "two"):
        assert run(workspace, "--dependencies=auto", "-o", out, *AS_OF).code == 0
    done = run("diff", "one", "two", "--source-runtime=openclaw")
    assert done.code == 2
    assert "--source-runtime doesn't apply to a package" in done.messages
    assert run("diff", "one", "two", "--exit-code").code == 0


def test_a_package_without_usable_records_is_refused(run: Run, make: Made) -> None:
    workspace = make("desk")
    assert run(workspace, "--dependencies=auto", *AS_OF).code == 0
    (workspace.parent / "desk_mellea/desk_mellea/melleafy.json").write_text("{}")
    done = run("diff", workspace, "desk_mellea", *AS_OF)
    assert done.code == 2
    assert "melleafy.json isn't what a conversion writes" in done.messages
