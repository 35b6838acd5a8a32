"""How sure the dialect is: by the rule that matched, and by what doubts it. None of the lines is a real workspace's."""

from typing import Final

from melleafy_tui.core.dialects.openclaw.confidence import DOUBTS, GUESS
from melleafy_tui.core.dialects.openclaw.tag_rules import AGENTS_RULES, HEARTBEAT_RULES
from melleafy_tui.core.models.inventory import LOW_CONFIDENCE
from tests.dialects.openclaw.in_memory import elements_of
from tests.rows import every_row

DOUBTED: Final = {
    "what is the case": ("HEARTBEAT.md", "## Kiln\n\n- 14 of 15 shelves full\n"),
    "at the start of the gateway": ("BOOT.md", "## Kiln\n\n- shelves of cordierite, fifteen\n"),
    "a text that may be a noun": ("AGENTS.md", "- Draft a plan for tomorrow\n"),
    "an address that nothing orders to read": ("HEARTBEAT.md", "- https://kiln.example/load\n"),
}  # fmt: skip
SURE: Final = {
    "a row of what is the case": ("HEARTBEAT.md", "## Kilns\n\n| Kiln | Load |\n|---|---|\n| East | full |\n"),
    "the owner's prose": ("HEARTBEAT.md", "## Kiln\n\nThe east kiln heats faster than the others.\n"),
    "an order": ("HEARTBEAT.md", "## Kiln\n\n- Send the load of the east kiln to Mara\n"),
    "what a part is, under no words for checks": ("HEARTBEAT.md", "## Greenhouse\n\n- Vents: the louvres of the north wall\n"),
    "prose with a time": ("HEARTBEAT.md", "## Kiln\n\nThe east kiln heats faster than the others at 7:00.\n"),
    "a checkbox": ("HEARTBEAT.md", "## Kiln\n\n- [ ] shelves of the east kiln\n"),
    "a question of what holds": ("HEARTBEAT.md", "## 检查\n\n- 窑温记录是否更新\n"),
    "a few words under a heading": ("AGENTS.md", "## Kiln\n\n- cordierite shelves\n"),
    "the owner's prose in AGENTS.md": ("AGENTS.md", "## Kiln\n\nThe east kiln, an old one, next to the door.\n"),
    "an example": ("AGENTS.md", "For example:\n\n- the east kiln on a Monday\n"),
    "a row with a place": ("AGENTS.md", "## Glazes\n\n| Kind | Place |\n|---|---|\n| Ash | `notes/glazes.md` |\n"),
    "any other row": ("AGENTS.md", "## Kilns\n\n| Kiln | Load |\n|---|---|\n| East | full |\n"),
}  # fmt: skip


def _last(path: str, text: str) -> tuple[str, float]:
    found = elements_of(path, text)[-1]
    return found.rationale, found.confidence


@every_row("evidence", DOUBTED)
def test_the_review_asks_where_the_evidence_was_mostly_wrong(evidence: str) -> None:
    rule, confidence = _last(*DOUBTED[evidence])
    assert confidence == GUESS < LOW_CONFIDENCE, rule


@every_row("evidence", SURE)
def test_the_review_does_not_ask_where_it_was_mostly_right(evidence: str) -> None:
    rule, confidence = _last(*SURE[evidence])
    assert confidence >= LOW_CONFIDENCE, rule


def test_every_doubted_rule_exists_and_is_tested() -> None:
    names = {rule.name for rule in (*AGENTS_RULES, *HEARTBEAT_RULES)}
    doubted = {rule for doubt in DOUBTS for rule in doubt.rules}
    tested = {_last(*row)[0].replace("boot.", "heartbeat.") for row in DOUBTED.values()}
    assert doubted <= names
    assert tested == doubted


def test_bounds_that_stay_with_the_persona_are_asked_about() -> None:
    rule, confidence = _last("SOUL.md", "## Boundaries\n\n- Warmth before wit at the kiln.\n")
    assert (rule, confidence) == ("soul.section", GUESS)


def test_tools_that_are_left_out_have_the_confidence_of_their_rule() -> None:
    _, confidence = _last("TOOLS.md", "## Kiln\n\nSee: `notes/kiln.md`\n")
    assert confidence < 1.0
