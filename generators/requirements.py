"""Generates requirements.py: the rules documents as they stand, in pieces, and what is judged or checked."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from melleafy_tui.core.models.committed import CommittedPlan, PlannedElement
from melleafy_tui.core.models.facts import StepFact
from melleafy_tui.core.models.file_set import EmittedFile
from melleafy_tui.core.models.mapping import RuleCheck
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind
from melleafy_tui.core.package import permissions
from melleafy_tui.generators import package_shape as shape
from melleafy_tui.generators.documents import RULES, Documents, Piece, scoped, step_text
from melleafy_tui.generators.literals import RUNTIME_DOOR, Group, literal, string_literal, text_literal
from melleafy_tui.generators.provenance import from_source, lines_from_source, rule_places
from melleafy_tui.generators.runtime import checks, language_check
from melleafy_tui.generators.runtime.checks import Check
from melleafy_tui.generators.templates_environment import code_file

DENIED_CALL: Final = "shows_no_call"
_ELSEWHERE: Final = {DENIED_CALL: permissions, "in_language": language_check}
"""The checks that don't stand in checks.py."""


def is_kept(check: RuleCheck, text: str) -> bool:
    """Return whether a text keeps the rule."""
    module = _ELSEWHERE.get(check.kind, checks)
    made: Check = getattr(module, check.kind)(*_arguments(check))
    return not made(text)


def _arguments(check: RuleCheck) -> tuple[int | str, ...]:
    if check.kind == "between":
        return (check.least, check.limit, check.thing)
    if check.kind in ("at_most", "at_least"):
        return (check.limit, check.thing)
    return (check.thing,) if check.thing else check.phrases


OPERATING: Final = "OPERATING_REQUIREMENTS"
SCOPED: Final = "SCOPED_REQUIREMENTS"
PERSONA_RULES: Final = "PERSONA_RULES"


def is_guidance(item: PlannedElement) -> bool:
    """Return whether a rule is prompt text only."""
    return item.mapping.validation_kind is None


def is_stub(item: PlannedElement) -> bool:
    """Return whether the validator of a rule is a stub for the user to write."""
    return item.entry.disposition is Disposition.STUB and not is_guidance(item)


def required_rules(committed: CommittedPlan) -> list[PlannedElement]:
    """Return the rules of a plan that are checked or judged, general ones first, each scope in source order."""
    kept = shape.of_kind(committed, EntryKind.RULE, Disposition.BUNDLE, Disposition.STUB)
    return sorted((item for item in kept if not is_guidance(item)), key=lambda item: item.element.scope)


def has_rules_to_meet(committed: CommittedPlan) -> bool:
    """Return whether a reply is held against rules; the user may add some to a file of the package."""
    loaded = shape.of_kind(committed, EntryKind.RULE, Disposition.LOAD_FROM_DISK)
    return bool(required_rules(committed) or loaded)


def scopes_of(committed: CommittedPlan) -> list[str]:
    """Return the folders that have rules of their own, guidance included."""
    kept = shape.of_kind(committed, EntryKind.RULE, Disposition.BUNDLE, Disposition.STUB)
    return sorted({item.element.scope for item in kept if item.element.scope})


def generate_requirements(documents: Documents) -> list[EmittedFile]:
    """Return requirements.py, or nothing if the package keeps no rule."""
    committed = documents.committed
    if not shape.has_requirements(committed):
        return []
    required = required_rules(committed)
    host = shape.of_kind(committed, EntryKind.RULE, Disposition.DELEGATE_TO_RUNTIME)
    kinds = {item.mapping.check.kind for item in required if item.mapping.check is not None}

    def listed(text: str) -> list[Group]:
        return [_printed(piece, documents) for piece in pieces_apart(documents, text)]

    return [
        code_file(
            committed,
            "requirements.py",
            {
                RUNTIME_DOOR: {*kinds, IN_TEXTS, "Piece"},
                ".constrained_slots": map(shape.symbol_of, filter(is_stub, required)),
            },
            general=listed(RULES),
            steps={name: listed(text) for name, text in _texts_of_steps(committed)},
            scoped={string_literal(scope): listed(scoped(scope)) for scope in scopes_of(committed)},
            persona=[
                Group("Piece(", ('""', *_rule(item, documents))) for item in rules_without_text(documents)
            ],
            host=[
                Group(
                    "Piece(",
                    (from_source(text_literal(words), [element]), string_literal(rule_places(element))),
                )
                for element, words in (
                    (item.element, shape.whole_statement_of(item.element)) for item in host
                )
            ],
        )
    ]


def _texts_of_steps(committed: CommittedPlan) -> Iterable[tuple[str, str]]:
    """Yield the list of each step that asks the model or has words of the owner, with the name of its text."""
    procedure = committed.inventory.procedure
    worded = {element.facts[StepFact].step for element in committed.inventory.elements}
    if procedure is not None:
        for step in procedure.steps:
            if step.step_id in procedure.reachable and (step.asks or step.step_id in worded):
                yield step.step_id.upper(), step_text(step.step_id)


RULES_PER_CALL: Final = 12
"""The most rules that the panel judges in one call, as in rule_panel.py."""


def judge_calls(rules: Sequence[PlannedElement]) -> list[list[PlannedElement]]:
    """Return the rules of each call of the judge, as its panel shares them out: single rules come last."""
    shared: list[PlannedElement] = []
    alone: list[PlannedElement] = []
    for item in rules:  # those in a file of the package are judged together
        single = item.entry.judge_individually and item.entry.disposition is Disposition.BUNDLE
        (alone if single else shared).append(item)
    calls = [shared[at : at + RULES_PER_CALL] for at in range(0, len(shared), RULES_PER_CALL)]
    return calls + [[item] for item in alone]


class Rules:
    """The rules that an answer is checked and judged by.

    Args:
        required: The rules, in the order in which a run reports them.
    """

    def __init__(self, required: Iterable[PlannedElement]) -> None:
        self.required: Final = list(required)
        own = [item for item in self.required if not is_stub(item)]
        self.checked: Final = [item for item in own if item.mapping.check is not None]
        self.calls: Final = judge_calls([item for item in own if item.mapping.check is None])
        """The judged rules by the judge's call."""
        self.judged: Final = [item for call in self.calls for item in call]


def rules_of_run(documents: Documents, *texts: str) -> Rules:
    """Return the rules of a run: those of texts, those of a file, and those whose text stands elsewhere.

    Args:
        documents: The texts of the package.
        texts: The texts, such as that of a scope, besides the general one.
    """
    loaded = shape.of_kind(documents.committed, EntryKind.RULE, Disposition.LOAD_FROM_DISK)
    others = [item for item in loaded if not is_guidance(item) and not item.element.scope]
    return Rules([*_apart(documents, RULES, *texts), *others, *rules_without_text(documents)])


def rules_of_step(documents: Documents, name: str) -> Rules:
    """Return the rules of a step of a procedure, with those of steps before it that no model took."""
    return Rules(_apart(documents, RULES, *texts_told(documents.committed, name), step_text(name)))


def texts_told(committed: CommittedPlan, name: str) -> list[str]:
    """Return the texts of the steps that a step reads and that no model takes."""
    procedure = committed.inventory.procedure
    steps = procedure.by_id if procedure is not None else {}
    return [step_text(read) for read in steps[name].reads if read in steps and not steps[read].asks]


def pieces_apart(documents: Documents, *texts: str, without: Iterable[str] = ()) -> Iterator[Piece]:
    """Yield the pieces of texts, in which each rule that is checked or judged is one of its own."""
    required = [item.element.element_id for item in required_rules(documents.committed)]
    for text in texts:
        yield from documents.pieces(text, apart=required, without=without)


def _apart(documents: Documents, *texts: str) -> list[PlannedElement]:
    """Return the rules in texts that are more than guidance."""
    items = (piece.item for piece in pieces_apart(documents, *texts))
    return [item for item in items if item is not None and not is_guidance(item)]


def rules_without_text(documents: Documents) -> list[PlannedElement]:
    """Return the rules to be judged or checked whose text the persona or the facts have, in source order."""
    committed = documents.committed
    steps = (text for _, text in _texts_of_steps(committed))
    shown = {
        item.element.element_id
        for item in _apart(documents, RULES, *map(scoped, scopes_of(committed)), *steps)
    }
    return [item for item in required_rules(committed) if item.element.element_id not in shown]


def _printed(piece: Piece, documents: Documents) -> Group:
    """Return a piece as code."""
    text, item = text_literal(piece.text), piece.item
    code = lines_from_source(text, (*((None,) if text.startswith('"""') else ()), *piece.elements))
    if item is None or is_guidance(item):
        return Group("Piece(", (code, string_literal(piece.place)))
    return Group("Piece(", (code, *_rule(item, documents)))


def _rule(item: PlannedElement, documents: Documents) -> Iterator[str | Group]:
    """Yield what a piece says of a rule: its source, how it is asked for, and how it is checked."""
    check, element = item.mapping.check, item.element
    yield string_literal(rule_places(element))
    yield f"asks={from_source(string_literal(shape.whole_statement_of(element)), [element])}"
    if is_stub(item):
        yield f"check={shape.symbol_of(item)}"
    elif check is None:
        yield from ["own_call=True"] if item.entry.judge_individually else []
    else:
        arguments = tuple(map(literal, _arguments(check)))
        has_forms = shape.schemas(documents.committed) and documents.committed.inventory.procedure is None
        if has_forms and check.kind != DENIED_CALL:
            yield Group(f"check={IN_TEXTS}(", (Group(f"{check.kind}(", arguments),))
        else:
            yield Group(f"check={check.kind}(", arguments)


IN_TEXTS: Final = "in_texts"
"""The check that applies another one to the texts of a form."""
