"""A toy dialect that uses all that a dialect may: schedule, events, memory, tools, an endpoint, scoped rules.

A LIGHTHOUSE.md is read line by line; its first word says what a line is. It is installed as a distribution of its own
(`test_lighthouse.py`), and nothing outside this module knows it.
"""

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from melleafy_tui.core.dialects.base import Dialect, FileRule, MappingRow, Reading, ReadingContext, Signal
from melleafy_tui.core.dialects.element_factory import (
    UNCONVERTED,
    ElementFactory,
    Home,
    SourceSpan,
)
from melleafy_tui.core.dialects.matchers import name_exists
from melleafy_tui.core.models.classification import ModalityEvidence, Schedule
from melleafy_tui.core.models.facts import Facts, HookFact, JudgmentFact, ScheduleFact, SecretFact, ToolFact
from melleafy_tui.core.models.inventory import Element, InventoriedFile
from melleafy_tui.core.models.mapping import DEFERRED, UnsupportedConstruct, UnsupportedPart
from melleafy_tui.core.models.snapshot import Snapshot, SourceFile
from melleafy_tui.core.models.vocabulary import (
    Category,
    Disposition,
    ElementRole,
    EntryKind,
    Modality,
    Strength,
    Tag,
)

SPEC = "LIGHTHOUSE.md"
EVERY = "every 30 minutes"

WORKSPACE = {
    SPEC: """\
voice I keep the harbour light and speak plainly.
every 30 minutes check the lamp and the fog signal
bell a ship calls the harbour
rule Never leave the light unattended.
rule Reply in at most 60 words.
keeper The keeper's name is Ada.
log The winter storms come from the north-west.
get tide_table http://127.0.0.1:8765/tides?day={day}
run count_ships scripts/count_ships.py
key TIDE_TOKEN
order new_lamp_oil
paint the tower white
""",
    "pier/LIGHTHOUSE.md": "rule Name the berth in every reply.\n",
    "scripts/count_ships.py": 'import sys\n\nprint("ships:", len(sys.argv))\n',
}


class Line(Struct, frozen=True):
    """What a line with one first word becomes."""

    row: MappingRow
    tag: Tag


def _row(
    word: str,
    category: Category,
    kind: EntryKind,
    default: Disposition,
    target: str,
    role: ElementRole | None = None,
    unsupported: UnsupportedPart | None = None,
) -> MappingRow:
    file, _, symbol = target.partition(":")
    primitive = "Requirement" if file == "requirements.py" else default.value
    setup = symbol if symbol.startswith("§") else ""
    reason = f"A lighthouse says it with {word}."
    return MappingRow(
        f"lighthouse.{word}", word, category, kind, default, file, symbol, primitive, primitive, setup, reason, role,
        unsupported,
    )  # fmt: skip


_BELL = UnsupportedPart(DEFERRED, "Bell", "Nobody hears it.", "Let your host ring.")
_C, _K, _D = Category, EntryKind, Disposition
LINES = {
    "voice": Line(_row("voice", _C.C1, _K.IDENTITY, _D.BUNDLE, "config.py:PREFIX_TEXT"), Tag.CONVERSE),
    "every": Line(_row("every", _C.C9, _K.SCHEDULE, _D.REAL_IMPL, "config.py:HEARTBEAT_CHECKLIST"), Tag.ORCHESTRATE),
    "bell": Line(
        _row("bell", _C.C9, _K.SCHEDULE, _D.DELEGATE_TO_RUNTIME, "SETUP.md:§7", ElementRole.EVENT, _BELL),
        Tag.ORCHESTRATE,
    ),
    "rule": Line(_row("rule", _C.C2, _K.RULE, _D.BUNDLE, "requirements.py:OPERATING_REQUIREMENTS"), Tag.DECIDE),
    "scoped": Line(_row("scoped", _C.C2, _K.RULE, _D.BUNDLE, "requirements.py:SCOPED_REQUIREMENTS"), Tag.DECIDE),
    "keeper": Line(_row("keeper", _C.C3, _K.FACT_STABLE, _D.BUNDLE, "config.py:USER_CONTEXT"), Tag.CONFIG),
    "log": Line(
        _row("log", _C.C5, _K.MEMORY, _D.REAL_IMPL, "tools.py:recall_memory"), Tag.QUERY
    ),
    "get": Line(_row("get", _C.C6, _K.TOOL_CONCRETE, _D.REAL_IMPL, "tools.py:TOOLS"), Tag.TOOL_TEMPLATE),
    "run": Line(_row("run", _C.C6, _K.TOOL_CONCRETE, _D.REAL_IMPL, "tools.py:TOOLS"), Tag.TOOL_TEMPLATE),
    "key": Line(
        _row("key", _C.C7, _K.CREDENTIAL, _D.EXTERNAL_INPUT, ".env.example:", ElementRole.CREDENTIAL), Tag.CONFIG
    ),
    "order": Line(
        _row("order", _C.C6, _K.TOOL_ABSTRACT, _D.STUB, "constrained_slots.py:", ElementRole.SKILL), Tag.TOOL_TEMPLATE
    ),
}  # fmt: skip


class LighthouseDialect(Dialect):
    """Lighthouse agents."""

    interface = 3
    runtime = "lighthouse"
    title = "Lighthouse"
    signals = (Signal(SPEC, Strength.STRONG, name_exists(SPEC)),)
    file_rules = (
        FileRule("lighthouse.spec", SPEC, "the agent", Category.C2),
        FileRule("lighthouse.pier", f"*/{SPEC}", "rules of a place", Category.C2),
        FileRule("lighthouse.scripts", "scripts/*.py", "scripts", Category.C6, contents=False),
    )
    mapping_rows = tuple(line.row for line in LINES.values())

    def wants(self, path: str) -> bool:
        return path.rpartition("/")[2] == SPEC or path.startswith("scripts/")

    def modality_evidence(self, snapshot: Snapshot) -> tuple[ModalityEvidence, ...]:
        woken = {"every": Modality.HEARTBEAT, "bell": Modality.EVENT_TRIGGERED}
        return tuple(
            ModalityEvidence(woken[word], f"lighthouse.{word}", SPEC, number)
            for number, word, _ in _lines(snapshot.file(SPEC))
            if word in woken
        )

    def schedule(self, snapshot: Snapshot) -> Schedule:
        for number, word, _ in _lines(snapshot.file(SPEC)):
            if word == "every":
                return Schedule("interval", EVERY, seconds=1800, file=SPEC, lines=str(number))
        return Schedule()

    def read(self, snapshot: Snapshot, context: ReadingContext) -> Reading:
        specs = [file for file in snapshot.files if file.path.endswith(SPEC)]
        light = UnsupportedConstruct(
            DEFERRED, "Lamp", "A package has no lamp.", "Keep the lamp.", "It shines.", (SPEC,)
        )
        return Reading(
            tuple(self._listed(file) for file in snapshot.files),
            tuple(element for file in specs for element in _elements(file)),
            unsupported=(light,),
        )

    def _listed(self, file: SourceFile) -> InventoriedFile:
        status = "read" if file.path.endswith(SPEC) else "listed"
        return InventoriedFile(
            file.path, "lighthouse file", status, _rule(file), line_count=len(file.lines), runtimes=(self.runtime,)
        )  # fmt: skip


def _rule(file: SourceFile) -> str:
    if file.path == SPEC:
        return "lighthouse.spec"
    return "lighthouse.pier" if file.path.endswith(SPEC) else "lighthouse.scripts"


def _lines(file: SourceFile | None) -> Iterator[tuple[int, str, str]]:
    for number, line in enumerate(file.lines if file else (), 1):
        word, _, rest = line.partition(" ")
        if line.strip():
            yield number, word, rest


def _elements(file: SourceFile) -> Iterator[Element]:
    factory = ElementFactory(file, _rule(file))
    scope = file.path.rpartition("/")[0]
    for number, word, rest in _lines(file):
        line = LINES.get("scoped" if scope and word == "rule" else word)
        span = SourceSpan(number, number, "item")
        if line is None:
            said = Home(*UNCONVERTED, "lighthouse.other")
            yield factory.make(span, f"{word} {rest}", said)
            continue
        decision = Home(line.tag, line.row.category, f"lighthouse.{word}", line.row.row_id)
        yield factory.make(span, _said(word, rest), decision, _facts(word, rest), scope=scope)


def _said(word: str, rest: str) -> str:
    return rest.removeprefix("30 minutes ") if word == "every" else rest


def _facts(word: str, rest: str) -> Facts:
    name, _, called = rest.partition(" ")
    match word:
        case "every":
            return Facts(ScheduleFact(EVERY, 1800, task=_said(word, rest)))
        case "bell":
            return Facts(HookFact(name="bell", events=("bell",)))
        case "keeper":
            return Facts(JudgmentFact("Who keeps the light?", "Ada", "The only name there."))
        case "get":
            return Facts(ToolFact(name=name, url=called, method="GET", subtype="concrete_http"))
        case "run":
            return Facts(ToolFact(name=name, command=called, script=called, subtype="concrete_script"))
        case "key":
            return Facts(SecretFact(variable=rest))
        case "order":
            return Facts(ToolFact(name=name))
        case _:
            return Facts()


def lighthouse_workspace(folder: Path) -> Path:
    """Write a Lighthouse agent."""
    for path, text in WORKSPACE.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return folder
