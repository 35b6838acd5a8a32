"""What an element is for: the rows of the table of uses, how lists share them, and what a user changes."""

from datetime import date
from pathlib import Path
from shutil import copytree

import pytest

from melleafy_tui.core.decisions.commands import ChangeSettings, SetTag
from melleafy_tui.core.models.facts import ActionFact
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind, Use, ValidationKind
from melleafy_tui.core.pipeline.conversion import Conversion
from melleafy_tui.engine import open_conversion
from tests.dialects.openclaw.in_memory import elements_of
from tests.rows import every_row

RULES = """# Agents

- Keep every reply under 90 words.
- Never email a member without approval.
- Run `make index` after you add a seed packet.
- Reply HEARTBEAT_OK when the shed is quiet.
"""


@pytest.fixture(scope="module")
def seed_library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("uses") / "seed-library"
    root.mkdir()
    (root / "SOUL.md").write_text("# Soul\n\nYou lend seeds.\n")
    (root / "IDENTITY.md").write_text("- **Name:** Pip\n")
    (root / "AGENTS.md").write_text(RULES)
    return root


def opened(root: Path) -> Conversion:
    return open_conversion(root, as_of=date(2026, 8, 1), generated_at="2026-08-01T00:00:00Z")


def rules_of(conversion: Conversion) -> tuple[Element, ...]:
    return tuple(
        e for e in conversion.inventory.elements if e.source_file == "AGENTS.md" and e.kind == "item"
    )


def test_each_use_has_its_place_in_the_package(seed_library: Path) -> None:
    conversion = opened(seed_library)
    rules = rules_of(conversion)
    assert [rule.use.value for rule in rules] == ["judged", "enforced", "guided", "runtime_only"]
    mapped = [conversion.mapping.by_element[rule.element_id] for rule in rules]
    assert [entry.target_symbol for entry in mapped] == ["OPERATING_REQUIREMENTS"] * 4
    assert [entry.validation_kind for entry in mapped] == [ValidationKind.EXECUTABLE, None, None, None]
    fact = rules[1].facts[ActionFact]
    assert (fact.effect, fact.actions) == ("confirm", ("message",))
    planned = {entry.source_elements[:1]: entry for entry in conversion.plan.entries}
    dispositions = [planned[(rule.element_id,)].disposition for rule in rules]
    assert dispositions == [*[Disposition.BUNDLE] * 3, Disposition.REMOVE]
    assert [planned[(rule.element_id,)].use for rule in rules] == [rule.use for rule in rules]


def test_a_user_changes_a_use_like_a_tag_and_the_decisions_file_keeps_it(seed_library: Path) -> None:
    conversion = opened(seed_library)
    judged, _, guided, runtime = (conversion.keys[rule.element_id] for rule in rules_of(conversion))
    conversion.act(SetTag((guided,), use=Use.JUDGED))
    conversion.act(SetTag((judged,), use=Use.NOTHING))
    conversion.act(SetTag((runtime,), use=Use.GUIDED))
    document = conversion.to_document()
    assert [item.use for item in document.retags] == [Use.NOTHING, Use.JUDGED, Use.GUIDED]
    later = opened(seed_library)
    later.load(document)
    for each in (conversion, later):
        rules = rules_of(each)
        assert [rule.use.value for rule in rules] == ["nothing", "enforced", "judged", "guided"]
        assert [rule.use_rationale for rule in rules] == ["user", "action", "user", "user"]
        planned = {entry.source_elements[:1]: entry for entry in each.plan.entries}
        dispositions = [planned[(rule.element_id,)].disposition for rule in rules]
        assert dispositions == [Disposition.REMOVE, *[Disposition.BUNDLE] * 3]
    conversion.act(SetTag((judged,)))
    assert rules_of(conversion)[0].use is Use.JUDGED


def test_stock_text_is_judged_only_when_the_user_keeps_it(tmp_path: Path) -> None:
    stock = "**Don't overdo it:** One reaction per message max. Pick the one that fits best."
    (tmp_path / "SOUL.md").write_text("# Soul\n\nYou lend seeds.\n")
    (tmp_path / "IDENTITY.md").write_text("- **Name:** Pip\n")
    (tmp_path / "AGENTS.md").write_text(f"# Agents\n\n{stock}\n")
    conversion = opened(tmp_path)
    before = conversion.inventory.elements[-1]
    conversion.act(ChangeSettings({"keep_stock_text": True}))
    after = conversion.inventory.elements[-1]
    assert (before.template, before.use, after.use) == (True, Use.GUIDED, Use.JUDGED)
    assert conversion.to_document().settings.keep_stock_text


@every_row(
    ("text", "uses"),
    [
        ("## Rules\n\n- Never promise a delivery date.\n- Be brief.\n", ("judged", "judged")),
        ("Never do:\n\n- Push to main\n- Delete branches\n", ("enforced", "enforced")),
        (
            "## Rules\n\n- Never shorten the notes\n- Never tidy the almanac\n- Never clear the logs\n"
            "- Never email a member\n",
            ("guided", "guided", "guided", "enforced"),
        ),
        ("Safe to do freely:\n\n- Look at the stock list\n- Count the jars\n", ("enforced", "enforced")),
    ],
)
def test_items_of_a_list_have_the_use_of_their_list(text: str, uses: tuple[str, ...]) -> None:
    found = [e.use.value for e in elements_of("AGENTS.md", text) if e.kind == "item"]
    assert tuple(found) == uses


@every_row(
    ("line", "use"),
    [
        ("- Feedback about your tone → update `VOICE.md`", "guided"),
        ("- Write what members say about the wording of replies into notes/voice.md", "guided"),
        ("- 会员对语气的反馈：更新 `VOICE.md`", "guided"),
        ("- Comentarios sobre el tono: actualiza `VOICE.md`", "guided"),
        ("- Say thanks, then update `VOICE.md`", "judged"),
        ("- Ask first: deleting and updating `VOICE.md`", "enforced"),
        ("- Keep the tone of VOICE.md in every reply", "judged"),
    ],
)
def test_an_order_to_keep_a_file_is_prompt_text_whatever_the_note_is_about(line: str, use: str) -> None:
    assert [e.use.value for e in elements_of("AGENTS.md", f"# Rules\n\n{line}\n") if e.kind == "item"] == [
        use
    ]


def test_a_rule_about_the_truth_of_what_is_said_is_judged_in_any_list() -> None:
    work = "- Store beans dry.\n- Hang the tools back.\n- Sow in rows.\n"
    lines = f"# Rules\n\n- **Truth:** Never lie about work done. Never exaggerate.\n{work}"
    found = [e.use.value for e in elements_of("AGENTS.md", lines) if e.kind == "item"]
    assert found == ["judged", "guided", "guided", "guided"]


@every_row(
    ("text", "use", "actions"),
    [
        ("- If the oven fails while you run the script: do not give up.", "guided", ()),
        ("- Never sign a recipe off without running the tests.", "guided", ()),
        ("- Do not panic - install the missing oven driver and go on.", "judged", ()),
        ("- Never delete a recipe - not in the archive either.", "enforced", ("delete",)),
        ("- You may read the recipes but cannot edit them.", "enforced", ("write",)),
        ("- Feel free to browse, but do not buy anything.", "enforced", ("spend",)),
        ("- 可以读取文件，但不能修改。", "enforced", ("write",)),
        ("- You may delete drafts, but not the archive.", "enforced", ("delete",)),
        ("- You may send drafts, but only with approval.", "enforced", ("message",)),
        ("- This is a private oven - do not share its key.", "enforced", ("share",)),
        ("- Never send a bill without approval.", "enforced", ("message",)),
        ("- If a guest asks: never share the recipe.", "enforced", ("share",)),
        ("- When in doubt, do not push to main.", "enforced", ("publish_code",)),
    ],
)
def test_only_what_a_prohibition_forbids_is_refused(text: str, use: str, actions: tuple[str, ...]) -> None:
    (rule,) = [e for e in elements_of("AGENTS.md", f"## Rules\n\n{text}\n") if e.kind == "item"]
    assert (rule.use.value, rule.facts[ActionFact].actions) == (use, actions)


@every_row(
    ("text", "polarities"),
    [
        (
            '**Avoid vague orders:**\n\n- ❌ "Bake more"\n- ✅ "Change `orders.csv`: 20 loaves at 6:00"\n',
            ("forbids", "obliges"),
        ),
        ("Never:\n\n- ✅ Good: name the loaf\n- Post the recipe\n", ("obliges", "forbids")),
        ("## Common mistakes\n\n- No salt. The dough tears.\n- No steam in the oven.\n", ("describes",) * 2),
        ("## Troubleshooting\n\n- No such loaf: install the label printer.\n", ("obliges",)),
        ("## Rules\n\n- No printer found: install the driver.\n", ("obliges",)),
        ("## Mistakes to avoid\n\n- No baking without a label.\n", ("forbids",)),
        ("## Rules\n\n- No deliveries after dark.\n", ("forbids",)),
    ],
)
def test_what_shows_the_right_way_or_names_a_fault_is_no_prohibition(
    text: str, polarities: tuple[str, ...]
) -> None:
    found = [e.polarity.value for e in elements_of("AGENTS.md", text) if e.kind == "item"]
    assert tuple(found) == polarities


@every_row(
    ("line", "use", "actions"),
    [
        ("- No external messages to new members without approval.", "enforced", ("message",)),
        ("- No pushing dull deals.", "judged", ()),
        ("- No pushing to the shed's repository without approval.", "enforced", ("publish_code",)),
        ("- No introductions without Ada's approval. I write, she sends.", "judged", ()),
        ("- No sending keystrokes without approval.", "judged", ()),
    ],
)
def test_the_actions_that_a_rule_guards(line: str, use: str, actions: tuple[str, ...]) -> None:
    (rule,) = [e for e in elements_of("AGENTS.md", f"# Rules\n\n{line}\n") if e.kind == "item"]
    assert (rule.use.value, rule.facts[ActionFact].actions) == (use, actions)


def test_a_skill_keeps_its_name_beside_a_fact_about_the_same_service(tmp_path: Path) -> None:
    root = tmp_path / "nursery"
    (root / "skills/seedbank").mkdir(parents=True)
    (root / "SOUL.md").write_text("You lend seeds.\n")
    (root / "USER.md").write_text("- **Seedbank:** ada@seeds.example\n")
    (root / "skills/seedbank/SKILL.md").write_text(
        "---\nname: seedbank\ndescription: Lends seeds.\n---\nAsk.\n"
    )
    symbols = {entry.symbol for entry in opened(root).plan.entries}
    assert "seedbank" in symbols
    assert "seedbank_2" not in symbols


def test_a_rule_among_facts_about_the_user_is_a_rule_of_the_package(
    seed_library: Path, tmp_path: Path
) -> None:
    root = Path(copytree(seed_library, tmp_path / "seed-library"))
    (root / "USER.md").write_text(
        "- **Name:** Ada\n\n## Writing\n\n- No hyphens in replies, ever\n- Grows beans behind the shed\n"
    )
    conversion = opened(root)
    rule = next(
        e for e in conversion.inventory.elements if e.source_lines == "5" and e.source_file == "USER.md"
    )
    entry = conversion.plan.by_element[rule.element_id]
    assert (rule.category.value, rule.use.value, entry.kind) == ("C3", "judged", EntryKind.RULE)
    files = {file.path.rpartition("/")[2]: file.text for file in conversion.rendered.files}
    requirements, config = files["requirements.py"], files["config.py"]
    assert "USER.md:5" in requirements
    assert "No hyphens" not in config
    assert "Grows beans" in config
