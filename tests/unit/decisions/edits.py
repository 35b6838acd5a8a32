"""Random single edits of a realistic workspace, and what they do to its overrides; the real reader takes part.

Each rule keeps an identity through an edit, so that a match can be told right from wrong. `benchmarks/rebase.py` prints what
`measure` counts, `test_corpus.py` holds it against the promises of issue 6.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.decisions.rebase import DecisionState, OverrideState
from melleafy_tui.core.decisions.state import Decisions, Override, frozen
from melleafy_tui.core.dialects.registry import Dialects
from melleafy_tui.core.models.decisions import DecisionsDocument
from melleafy_tui.core.models.file_set import FileSet
from melleafy_tui.core.models.snapshot import Snapshot, SourceFile
from melleafy_tui.core.package.dispositions import allowed_for
from melleafy_tui.core.pipeline.conversion import Conversion, RunContext

CORPUS = Path(__file__).with_name("rules.txt")
UNMARKED = frozenset({DecisionState.APPLIED, DecisionState.MOVED, DecisionState.STALE_DEFAULT})
NEW = 10_000
"""The identity of an inserted rule."""


class Rule(Struct, frozen=True):
    """One rule with an identity that survives edits."""

    uid: int
    file: str
    section: str
    text: str


def corpus() -> list[Rule]:
    rules: list[Rule] = []
    file = section = ""
    for line in CORPUS.read_text(encoding="utf-8").splitlines():
        if line.startswith("== "):
            file = line[3:]
        elif line.startswith("## "):
            section = line[3:]
        elif line and not line.startswith("#"):
            rules.append(Rule(len(rules), file, section, line))
    return rules


RULES = corpus()
WORDS = sorted({word.strip(".,;:\"'").casefold() for rule in RULES for word in rule.text.split()} - {""})


def opened(rules: Iterable[Rule]) -> tuple[Conversion, dict[str, int]]:
    """Return the conversion of these rules, and the identity behind each key."""
    lines: dict[str, list[str]] = {}
    owners: dict[tuple[str, int], int] = {}
    sections: dict[str, dict[str, list[Rule]]] = {}
    for rule in rules:
        sections.setdefault(rule.file, {}).setdefault(rule.section, []).append(rule)
    for file, parts in sections.items():
        text = lines.setdefault(file, [f"# {file.removesuffix('.md')}", ""])
        for section, members in parts.items():
            text += [f"## {section}", ""]
            for rule in members:
                text.append(f"- {rule.text}")
                owners[file, len(text)] = rule.uid
            text.append("")
    files = {file: "\n".join(text) for file, text in lines.items()}
    files["SOUL.md"] = "# Soul\n\nWarm and curious.\n"
    sources = tuple(SourceFile(path, text.encode(), text) for path, text in sorted(files.items()))
    conversion = Conversion(
        Snapshot("agent", "/home/me/agent", sources, tuple(sorted(files))),
        dialects=Dialects.default(),
        render=lambda committed: FileSet((), committed.package_name),
        run_context=RunContext(date(2026, 1, 15), "2026-01-15T00:00:00Z"),
    )
    keys = conversion.keys
    uids = {
        keys[element.element_id]: owners[element.source_file, int(element.source_lines.partition("-")[0])]
        for element in conversion.inventory.elements
        if (element.source_file, int(element.source_lines.partition("-")[0])) in owners
    }
    return conversion, uids


def saved_overrides(conversion: Conversion) -> DecisionsDocument:
    """Return the decisions file that overrides every entry."""
    chosen = {
        entry.key: Override(next(each for each in allowed_for(entry.kind) if each is not entry.default_disposition))
        for entry in conversion.plan.entries
    }  # fmt: skip
    return conversion.with_decisions(Decisions(overrides=frozen(chosen))).to_document()


# --- the edits ------------------------------------------------------------------------------------


def reworded(chance: random.Random, text: str) -> str:
    """Return a text in which a fifth of the words was replaced, dropped, doubled by a new one or swapped."""
    words = text.split()
    for _ in range(max(1, len(words) // 5)):
        at = chance.randrange(len(words))
        kind = chance.choice(("replace", "replace", "drop", "add"))
        if kind == "replace":
            words[at] = chance.choice(WORDS)
        elif kind == "drop":
            del words[at]
        else:
            words.insert(at, chance.choice(WORDS))
    return " ".join(words)


def insert(chance: random.Random, rules: list[Rule]) -> tuple[list[Rule], int | None]:
    at = chance.randrange(len(rules))
    near = rules[at]
    return [
        *rules[:at],
        replace(near, uid=NEW, text=reworded(chance, chance.choice(rules).text)),
        *rules[at:],
    ], None


def delete(chance: random.Random, rules: list[Rule]) -> tuple[list[Rule], int | None]:
    gone = chance.choice(rules)
    return [rule for rule in rules if rule is not gone], gone.uid


def move(chance: random.Random, rules: list[Rule]) -> tuple[list[Rule], int | None]:
    moved, there = chance.sample(rules, 2)
    rest = [rule for rule in rules if rule is not moved]
    rest.insert(chance.randrange(len(rest)), replace(moved, file=there.file, section=there.section))
    return rest, moved.uid


def reword(chance: random.Random, rules: list[Rule]) -> tuple[list[Rule], int | None]:
    chosen = chance.choice([rule for rule in rules if len(rule.text.split()) >= 5])
    text = reworded(chance, chosen.text)
    while any(rule.text == text for rule in rules):
        text = reworded(chance, chosen.text)
    return [replace(rule, text=text) if rule is chosen else rule for rule in rules], chosen.uid


def reorder(chance: random.Random, rules: list[Rule]) -> tuple[list[Rule], int | None]:
    return chance.sample(rules, len(rules)), None


def rename_heading(chance: random.Random, rules: list[Rule]) -> tuple[list[Rule], int | None]:
    old = chance.choice(rules)
    return [
        replace(rule, section="House rules") if (rule.file, rule.section) == (old.file, old.section) else rule
        for rule in rules
    ], None


def split_file(chance: random.Random, rules: list[Rule]) -> tuple[list[Rule], int | None]:
    sections = sorted({rule.section for rule in rules if rule.file == "AGENTS.md"})
    taken = set(chance.sample(sections, len(sections) // 2))
    return [
        replace(rule, file="ops/AGENTS.md") if rule.file == "AGENTS.md" and rule.section in taken else rule
        for rule in rules
    ], None


def join_files(_chance: random.Random, rules: list[Rule]) -> tuple[list[Rule], int | None]:
    return [replace(rule, file="AGENTS.md") if rule.file == "ui/AGENTS.md" else rule for rule in rules], None


Edit = Callable[[random.Random, list[Rule]], tuple[list[Rule], int | None]]
EDITS: tuple[Edit, ...] = (insert, delete, move, reword, reorder, rename_heading, split_file, join_files)


# --- what they do ---------------------------------------------------------------------------------


@dataclass
class Figures:
    """What many edits did to the overrides.

    Attributes:
        edits: How many there were.
        untouched: Overrides of rules that the edit did not reword, move to another section or delete.
        kept: Those of them that are applied to their rule.
        touched: State and "right", "wrong" or "none" (no element) of the overrides of reworded, moved or deleted rules.
        unmarked: Overrides that are applied to another rule without being marked; there must be none.
        missing: Overrides without exactly one state; there must be none.
    """

    edits: int = 0
    untouched: int = 0
    kept: int = 0
    touched: Counter[tuple[str, str]] = field(default_factory=Counter)
    unmarked: list[OverrideState] = field(default_factory=list)
    missing: int = 0

    @property
    def found_again(self) -> float:
        """Return the part of touched overrides that found their own rule."""
        right = sum(count for (_, match), count in self.touched.items() if match == "right")
        return right / max(1, self.touched.total())

    @property
    def wrong(self) -> int:
        """Return how many touched overrides name another rule."""
        return sum(count for (_, match), count in self.touched.items() if match == "wrong")


BASE, BASE_UIDS = opened(RULES)


def measure(edit: Edit, edits: int, seed: int, part: float = 0.5) -> Figures:
    """Make single edits on the corpus and count what became of the overrides.

    Args:
        edit: The kind of edit.
        edits: How many.
        seed: Of the random choices.
        part: The part of the rules that has an override, so that there are free ones to be matched wrongly.
    """
    chance = random.Random(seed)
    document = saved_overrides(BASE)
    figures = Figures()
    for _ in range(edits):
        after, touched = edit(chance, RULES)
        conversion, uids = opened(after)
        chosen = tuple(
            item
            for item in document.overrides
            if item.key in BASE_UIDS and (BASE_UIDS[item.key] == touched or chance.random() < part)
        )
        states = conversion.states_of(document.model_copy(update={"overrides": chosen}))
        _count(figures, states, touched, uids)
        figures.missing += len(chosen) != len({state.name for state in states})
        figures.missing += len(chosen) != len(states)
    return figures


def _count(
    figures: Figures, states: Iterable[OverrideState], touched: int | None, uids: dict[str, int]
) -> None:
    figures.edits += 1
    for state in states:
        uid = BASE_UIDS[state.name]
        right = bool(state.key) and uids.get(state.key) == uid
        if state.state in UNMARKED and not right:
            figures.unmarked.append(state)
        if uid == touched:
            figures.touched[state.state.value, "right" if right else "wrong" if state.key else "none"] += 1
        else:
            figures.untouched += 1
            figures.kept += right and state.applied
