"""BOOTSTRAP.md inlined, wiki pages read and written, files named but absent, stock text, secrets."""

import json
from importlib.resources import files
from pathlib import Path

import pytest

from melleafy_tui.core.dialects.openclaw.stock_text import (
    SHORTEST,
    is_template_line,
    is_template_text,
    normalised,
)
from melleafy_tui.core.models.facts import InliningFact, MemoryPageFact, SecretFact
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import Category, Tag
from melleafy_tui.generators.package_shape import whole_statement_of
from tests.dialects.openclaw.in_memory import elements_of, inventory_of, kept, mapped
from tests.rows import every_row

STOCK = "You're not a chatbot. You're becoming someone."
TOKEN = "ghp_" + "abcdefghij" * 3 + "123456"
BOOTSTRAP = (
    "# Hello\n\nWelcome.\n\n## Tone\n\nLight and warm.\n\n### Words\n\nNo jargon.\n\n## Names\n\nPick one.\n"
)


def rule(tree: dict[str, str], path: str = "AGENTS.md") -> Element:
    return next(
        e for e in inventory_of(tree).elements if e.source_file == path and e.category is not Category.NONE
    )


def test_the_named_part_of_bootstrap_is_inlined() -> None:
    tree = {
        "AGENTS.md": "- As established in the Tone section of BOOTSTRAP.md, keep it light\n",
        "BOOTSTRAP.md": BOOTSTRAP,
    }
    element = rule(tree)
    inlined = element.facts[InliningFact]
    assert (inlined.inlined_file, inlined.inlined_lines) == ("BOOTSTRAP.md", "5-11")
    assert inlined.inlined_text == "## Tone\n\nLight and warm.\n\n### Words\n\nNo jargon."


def test_the_whole_body_is_inlined_where_no_part_is_named() -> None:
    tree = {"SOUL.md": "Be as established in BOOTSTRAP.md.\n", "BOOTSTRAP.md": BOOTSTRAP}
    element = rule(tree, "SOUL.md")
    assert element.facts[InliningFact].inlined_lines == "1-15"
    assert any("inlined" in note for note in element.notes)


def test_the_ritual_of_the_first_run_is_inlined_nowhere() -> None:
    ritual = f"# Hello\n\n## Start\n\n{STOCK}\n\nOurs, a line of the owner.\n\n{STOCK}\n"
    said = "If `BOOTSTRAP.md` is there, do as it says and throw it away.\n"
    assert not rule({"AGENTS.md": said, "BOOTSTRAP.md": ritual}).facts[InliningFact].inlined_text
    ours = ritual.replace(STOCK, "Speak of the house as ours.")
    assert rule({"AGENTS.md": said, "BOOTSTRAP.md": ours}).facts[InliningFact].inlined_text


def test_inlined_text_stands_in_the_whole_statement() -> None:
    element = rule(
        {
            "AGENTS.md": "- Always speak as BOOTSTRAP.md says under Tone\n",
            "BOOTSTRAP.md": "# B\n\n## Tone\n\nWarm.\n",
        }
    )
    assert (
        whole_statement_of(element)
        == "Always speak as BOOTSTRAP.md says under Tone (BOOTSTRAP.md: Tone Warm.)"
    )


def test_a_folder_with_a_soul_of_its_own_is_another_agent() -> None:
    found = inventory_of(
        {
            "SOUL.md": "I am Ada.\n",
            "cook/SOUL.md": "I cook.\n",
            "cook/AGENTS.md": "- Never burn\n",
            "ui/AGENTS.md": "- Be blue\n",
        }
    )
    assert {element.source_file for element in found.elements} == {"SOUL.md", "ui/AGENTS.md"}


def test_bootstrap_is_one_element_that_is_removed() -> None:
    ((element, entry),) = mapped({"BOOTSTRAP.md": BOOTSTRAP})
    assert (element.tag, element.category, element.source_lines) == (Tag.NO_DECOMPOSE, Category.NONE, "1-15")
    assert (entry.primitive, entry.dialect_row) == ("report", "bootstrap.file")


WIKI = {"memory-wiki/entities/acme-corp.md": "# Acme\n", "memory-wiki/concepts/refunds.md": "# Refunds\n"}


@every_row(
    ("sentence", "page", "writes"),
    [
        ("Consult [[refunds]] when money is asked back", "memory-wiki/concepts/refunds.md", False),
        ("Update [[acme-corp]] when a contact changes", "memory-wiki/entities/acme-corp.md", True),
        ("Record what Acme says in [[Acme Corp|their page]]", "memory-wiki/entities/acme-corp.md", True),
        ("Read memory-wiki/concepts/refunds.md before you pay", "memory-wiki/concepts/refunds.md", False),
        ("Add a line to `memory-wiki/entities/acme-corp.md`", "memory-wiki/entities/acme-corp.md", True),
        ("Update the log, then look at [[refunds]]", "memory-wiki/concepts/refunds.md", False),
    ],
)
def test_a_wiki_reference_reads_or_writes(sentence: str, page: str, writes: bool) -> None:
    tree = {"AGENTS.md": f"- {sentence}\n", **WIKI}
    element = rule(tree)
    assert element.facts.as_json()["wiki_writes" if writes else "wiki_reads"] == (page,)
    rows = {e.source_file: e.mapping_row for e in inventory_of(tree).elements if e.source_file in WIKI}
    assert rows[page] == ("wiki.write" if writes else "wiki.file")
    assert any("side-effect on shared state" in note for note in element.notes) is writes


def test_a_page_that_is_written_and_read_keeps_both() -> None:
    tree = {
        "AGENTS.md": "- Update [[refunds]] when a rule changes\n- Read [[refunds]] before you pay\n",
        **WIKI,
    }
    page = next(e for e in inventory_of(tree).elements if e.source_file.endswith("refunds.md"))
    assert (page.mapping_row, page.facts[MemoryPageFact].is_read) == ("wiki.write", True)


@every_row(
    ("text", "codes"),
    [
        ("- Follow BREAD.md when baking\n", ["named-file-absent"]),
        ("- Keep state in memory/heartbeat-state.json\n", ["named-file-absent-state"]),
        ("- 读取面包规则BREAD.md\n", ["named-file-absent"]),
        ("- 读取AGENTS.md\n", []),
        ("- See [[nobody]] for more\n", ["wiki-page-absent"]),
        ("- Follow SOUL.md when baking\n", []),
        ("- Write memory/YYYY-MM-DD.md at night\n", []),
        ("- Put it in <name>.md or *.md\n", []),
        ("- Reply with [[reply_to_current]]\n", []),
        ("- See https://x.example/a.md\n", []),
        ("- Write it to script.py\n", []),
        ("- The till runs on Express/Node.js\n", []),
    ],
)
def test_a_file_that_is_named_and_absent_is_told(text: str, codes: list[str]) -> None:
    inventory = inventory_of({"AGENTS.md": text, "SOUL.md": "Warm.\n", **WIKI})
    assert [d.code for d in inventory.diagnostics if "absent" in d.code] == codes


def test_a_missing_file_is_told_once() -> None:
    inventory = inventory_of({"AGENTS.md": "- Follow BREAD.md\n- Follow BREAD.md again\n"})
    assert [d.lines for d in inventory.diagnostics if d.code == "named-file-absent"] == ["1"]


def test_a_list_of_absent_files_is_one_finding() -> None:
    names = ("rye", "wheat", "salt", "yeast")
    listed = "".join(f"- {name}.md says how\n" for name in names)
    inventory = inventory_of({"AGENTS.md": f"# Recipes\n\n{listed}"})
    found = [d for d in inventory.diagnostics if d.code == "named-file-absent"]
    assert [(d.lines, d.message.partition(",")[0]) for d in found] == [("3-6", "The text names rye.md")]
    assert "and 2 more files" in found[0].message


@every_row(
    ("text", "told"),
    [
        ("- Follow `docs/rye.md` when baking\n", "docs/rye.md"),
        ("- `docs/rye.md` wins over these rules\n- See docs/salt.md, too\n", "docs/rye.md docs/salt.md"),
        ("- Follow `docs/rye.md` and docs/rye.md\n", "docs/rye.md"),
        ("- Add each new flour to `docs/rye.md`\n", ""),
        ("- Follow SOUL.md and BREAD.md\n", ""),
        ("- Run `bake.sh` at five\n", ""),
        ("- See memory/ovens.md\n", ""),
        ("See docs/rye.md for the whole. In short:\n\n- Knead twice.\n", "docs/rye.md"),
    ],
)
def test_a_document_that_a_text_orders_to_read_is_a_reference(text: str, told: str) -> None:
    there = {"SOUL.md": "Warm.\n", "docs/rye.md": "x\n", "docs/salt.md": "y\n", "memory/ovens.md": "x\n"}
    inventory = inventory_of({"AGENTS.md": text, "bake.sh": "", **there})
    found = [each.path for each in inventory.files if each.dialect_rule_id == "reference.ordered"]
    assert found == told.split()


@every_row("line", [STOCK, f"_{STOCK}_", f"  - **{STOCK}**", f"> {STOCK.upper()}", f"## {STOCK}"])
def test_a_stock_line_is_known_in_any_dress(line: str) -> None:
    assert is_template_line(line)


@every_row("line", ["- Yes", "The baker opens at five.", "", "-" * 20])
def test_other_and_short_lines_are_not(line: str) -> None:
    assert not is_template_line(line)
    assert not is_template_text(line)


def test_stock_text_is_marked_and_real_text_below_it_is_not() -> None:
    stock, own = elements_of("SOUL.md", f"# A\n\n{STOCK}\n\n# B\n\nBrisk and exact, like a clerk.\n")
    assert (stock.template, own.template) == (True, False)
    codes = {d.code for d in inventory_of({"SOUL.md": f"{STOCK}\n"}).diagnostics}
    assert "template-text" in codes


@every_row("path", ["USER.md", "TOOLS.md", "HEARTBEAT.md"])
def test_stock_text_is_no_fact_tool_or_cadence(path: str) -> None:
    assert kept(path, f"- {STOCK}\n") == ()
    assert kept(path, f"```markdown\n{STOCK}\n```\n") == ()


def test_a_stock_rule_is_still_a_rule() -> None:
    (element,) = kept("AGENTS.md", "- Don't exfiltrate private data. Ever.\n")
    assert (element.category, element.template) == (Category.C2, True)


MAINTENANCE = """Periodically (every few days), use a heartbeat to:

1. Read through recent `memory/YYYY-MM-DD.md` files
2. Identify significant events, lessons, or insights worth keeping long-term
3. Update `MEMORY.md` with distilled learnings
4. Remove outdated info from MEMORY.md that's no longer relevant
"""
PROACTIVE = """**Proactive work you can do without asking:**

- Read and organize memory files
- Check on projects (git status, etc.)
- Update documentation
- Commit and push your own changes
"""


@every_row(
    ("text", "left"),
    [
        (MAINTENANCE, 5),
        (PROACTIVE, 0),
        (MAINTENANCE.replace("4. Remove", "4. Water the rye and remove"), 0),
    ],
)
def test_a_list_of_the_template_goes_or_stays_whole(text: str, left: int) -> None:
    elements = [each for each in inventory_of({"AGENTS.md": text}).elements if each.kind != "blank"]
    assert sum(each.is_left_out for each in elements) == left, [
        each.statement for each in elements if each.is_left_out
    ]


@pytest.mark.slow
def test_the_shipped_table_is_the_shared_one(shared: Path) -> None:
    fingerprints = json.loads((shared / "data/openclaw-template-lines.json").read_text(encoding="utf-8"))
    shipped = files("melleafy_tui.core.dialects.openclaw").joinpath("template_lines.bin").read_bytes()
    assert shipped == b"".join(sorted(bytes.fromhex(mark) for mark in fingerprints["lines"]))


def test_normalisation_is_the_documented_one() -> None:
    assert normalised("  1. **See [the _Docs_](https://x.example/a)**  now ") == "see the docs now"
    assert SHORTEST == 12


@every_row("path", ["AGENTS.md", "TOOLS.md", "USER.md", "IDENTITY.md", "HEARTBEAT.md", "BOOT.md"])
def test_a_mask_replaces_the_value_and_nothing_else(path: str) -> None:
    plain = inventory_of({path: "- **GitHub token:** in the vault\n"}).elements[0]
    inventory = inventory_of({path: f"- **GitHub token:** {TOKEN}\n"})
    element, credential = inventory.elements
    assert (element.category, element.tag, element.kind) == (plain.category, plain.tag, plain.kind)
    assert element.content_full == "- **GitHub token:** ${GITHUB_TOKEN}"
    assert (credential.category, credential.tag, credential.mapping_row) == (
        Category.C7,
        Tag.CONFIG,
        "env.var",
    )
    assert credential.facts[SecretFact].variable == "GITHUB_TOKEN"
    assert TOKEN not in str(inventory)
    assert [d.code for d in inventory.diagnostics if d.code == "secret-found"] == ["secret-found"]


def test_a_doubtful_value_is_masked_and_asked_about() -> None:
    inventory = inventory_of({"USER.md": "- **Security word:** `Marmalade-Otter` (proves who I am)\n"})
    (element,) = inventory.elements
    assert element.content_full == "- **Security word:** `${SECURITY_WORD}` (proves who I am)"
    assert [d.code for d in inventory.diagnostics if "secret" in d.code] == ["secret-possible"]


def test_a_secret_is_told_with_its_article() -> None:
    key = "sk-" + "a1B2c3D4e5F6g7H8i9J0k1L2"
    inventory = inventory_of(
        {"TOOLS.md": f"# Tools\n\n- Camera: key {key}\n- Wifi password: Tango-8841-x!\n"}
    )
    said = [d.message for d in inventory.diagnostics if d.code == "secret-found"]
    assert [message.partition(";")[0] for message in said] == [
        "Found what looks like an API key",
        "Found what looks like a password",
    ]


@every_row(
    ("path", "category"),
    [("SOUL.md", Category.C1), ("MEMORY.md", Category.C5), ("memory-wiki/entities/a.md", Category.C5)],
)
def test_a_whole_section_keeps_its_category_and_is_masked(path: str, category: Category) -> None:
    (element,) = inventory_of({path: f"## Keys\n\nThe desk uses {TOKEN} for GitHub.\n"}).elements
    assert element.category == category
    assert TOKEN not in element.statement + element.content_summary


def test_a_private_key_over_many_lines_is_found_in_each_of_its_elements() -> None:
    key = (
        "-----BEGIN RSA PRIVATE KEY-----\n"
        + "\n\n".join(["MIIEowIBAAKCAQEA" * 3] * 2)
        + "\n-----END RSA PRIVATE KEY-----\n"
    )
    inventory = inventory_of({"TOOLS.md": f"- Door key\n\n{key}\nAfter it.\n"})
    assert "MIIEow" not in str(inventory)
    assert [e.content_summary for e in inventory.elements] == ["Door key", "${PRIVATE_KEY}", "After it"]


def test_names_of_variables_are_kept_and_values_never() -> None:
    inventory = inventory_of({".env": "API_KEY=\n\n# note\nexport OTHER=\n"})
    assert [(e.kind, e.label, e.category) for e in inventory.elements] == [
        ("variable", "API_KEY", Category.C7),
        ("comment", "", Category.NONE),
        ("variable", "OTHER", Category.C7),
    ]


@every_row(
    ("said", "reported"),
    [
        ("Before you answer, read `docs/HOUSE.md`.", True),
        ("每次回答前阅读 `docs/HOUSE.md`。", True),
        ("Lies `docs/HOUSE.md`, bevor du antwortest.", True),
        ("답변 전에 `docs/HOUSE.md`를 읽는다.", True),
        ("Read `USER.md` before you answer.", False),
        ("Read `memory/ovens.md` before you answer.", False),
        ("Write what you learn to `docs/HOUSE.md`.", False),
        ("The house rules of the owner are in Porto.", False),
    ],
)
def test_a_document_is_a_reference_only_if_it_is_to_be_read(said: str, reported: bool) -> None:
    tree = {
        "AGENTS.md": f"# Rules\n\n- {said}\n",
        "USER.md": "- Ana\n",
        "docs/HOUSE.md": "# House\n\nNever sell yesterday's bread.\n",
        "memory/ovens.md": "East oven is slow.\n",
    }
    elements = inventory_of(tree).elements
    assert ("docs/HOUSE.md" in {each.source_file for each in elements}) == reported
