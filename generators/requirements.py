"""Generates requirements.py: the rules documents as they stand, in pieces, and what is judged or checked."""

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from melleafy_tui.core.models.committed import CommittedPlan, PlannedElement
from melleafy_tui.core.models.file_set import EmittedFile
from melleafy_tui.core.models.mapping import RuleCheck
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind, ValidationKind
from melleafy_tui.core.package import permissions
from melleafy_tui.generators import package_shape as shape
from melleafy_tui.generators.documents import RULES, Documents, Piece, scoped, step_text
from melleafy_tui.generators.literals import RUNTIME_DOOR, literal, string_literal, text_literal
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


class SortedRules(Struct, frozen=True):
    """The rules of a package that are prompt text and more, in source order, general ones first.

    Attributes:
        scopes: The folders that have rules of their own, guidance included.
        required: Rules that are checked or judged.
        stubs: Those whose validator is still to be written.
        judged: Those that the panel judges.
    """

    scopes: tuple[str, ...]
    required: tuple[PlannedElement, ...]
    stubs: tuple[PlannedElement, ...]
    judged: tuple[PlannedElement, ...]


def is_guidance(item: PlannedElement) -> bool:
    """Return whether a rule is prompt text only."""
    return item.mapping.validation_kind is None


def is_stub(item: PlannedElement) -> bool:
    """Return whether the validator of a rule is a stub for the user to write."""
    return item.entry.disposition is Disposition.STUB and not is_guidance(item)


def sorted_rules(committed: CommittedPlan) -> SortedRules:
    """Return the rules of a plan, each list in source order."""
    kept = shape.of_kind(committed, EntryKind.RULE, Disposition.BUNDLE, Disposition.STUB)
    listed = sorted(kept, key=lambda item: item.element.scope)  # which leaves those of one scope in order
    required = tuple(item for item in listed if not is_guidance(item))
    return SortedRules(
        scopes=tuple(dict.fromkeys(item.element.scope for item in listed if item.element.scope)),
        required=required,
        stubs=tuple(filter(is_stub, required)),
        judged=tuple(filter(_is_judged, required)),
    )


def _is_judged(item: PlannedElement) -> bool:
    executable = item.mapping.validation_kind is ValidationKind.EXECUTABLE
    return not executable and item.mapping.check is None and not is_stub(item)


def generate_requirements(documents: Documents) -> list[EmittedFile]:
    """Return requirements.py, or nothing if the package keeps no rule."""
    committed = documents.committed
    if not shape.has_requirements(committed):
        return []
    rules = sorted_rules(committed)
    required = {item.element.element_id: item for item in rules.required}
    forms = bool(shape.schemas(committed)) and committed.inventory.procedure is None

    def listed(text: str) -> list[_Printed]:
        pieces = documents.pieces(text, apart=required)
        return [_printed(piece, forms=forms) for piece in pieces]

    host = shape.of_kind(committed, EntryKind.RULE, Disposition.DELEGATE_TO_RUNTIME)
    kinds = {item.mapping.check.kind for item in rules.required if item.mapping.check is not None}
    return [
        code_file(
            committed,
            "requirements.py",
            {
                RUNTIME_DOOR: {*kinds, IN_TEXTS, "Piece"},
                ".constrained_slots": map(shape.symbol_of, rules.stubs),
            },
            general=listed(RULES),
            steps={name: listed(text) for name, text in _texts_of_steps(committed)},
            scoped={string_literal(scope): listed(scoped(scope)) for scope in rules.scopes},
            persona=[_without_text(item, forms=forms) for item in rules_without_text(documents)],
            host=list(map(_worded, host)),
        )
    ]


def _texts_of_steps(committed: CommittedPlan) -> Iterable[tuple[str, str]]:
    """Yield the list of each step that asks the model, with the name of its text."""
    procedure = committed.inventory.procedure
    if procedure is not None:
        for step in procedure.steps:
            if step.asks and step.step_id in procedure.reachable:
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
    """Return the rules of a step of a procedure."""
    return Rules(_apart(documents, RULES, step_text(name)))


def _apart(documents: Documents, *texts: str) -> list[PlannedElement]:
    """Return the rules in texts that are more than guidance."""
    required = {item.element.element_id for item in sorted_rules(documents.committed).required}
    pieces = (piece for text in texts for piece in documents.pieces(text, apart=required))
    return [piece.item for piece in pieces if piece.item is not None and not is_guidance(piece.item)]


def rules_without_text(documents: Documents) -> list[PlannedElement]:
    """Return the rules to be judged or checked whose text the persona or the facts have, in source order."""
    rules = sorted_rules(documents.committed)
    texts = (RULES, *map(scoped, rules.scopes), *(text for _, text in _texts_of_steps(documents.committed)))
    shown = {item.element.element_id for item in _apart(documents, *texts)}
    return [item for item in rules.required if item.element.element_id not in shown]


class _Printed(Struct, frozen=True):
    """A piece as code."""

    text: str
    source: str
    asks: str = ""
    check: str = ""
    arguments: tuple[str, ...] | None = None
    in_texts: bool = False
    own_call: bool = False


def _printed(piece: Piece, *, forms: bool) -> _Printed:
    text = text_literal(piece.text)
    first = (None,) if text.startswith('"""') else ()
    plain = _Printed(lines_from_source(text, (*first, *piece.elements)), string_literal(piece.place))
    item = piece.item
    return plain if item is None or is_guidance(item) else _with_rule(plain, item, forms=forms)


def _without_text(item: PlannedElement, *, forms: bool) -> _Printed:
    """Return a rule whose text stands elsewhere in the prompt."""
    return _with_rule(_Printed('""', ""), item, forms=forms)


def _worded(item: PlannedElement) -> _Printed:
    words = from_source(text_literal(shape.whole_statement_of(item.element)), [item.element])
    return _Printed(words, string_literal(rule_places(item.element)))


def _with_rule(plain: _Printed, item: PlannedElement, *, forms: bool) -> _Printed:
    places, words = rule_places(item.element), shape.whole_statement_of(item.element)
    rule = replace(
        plain,
        source=string_literal(places),
        asks=from_source(string_literal(words), [item.element]),
    )
    if is_stub(item):
        return replace(rule, check=shape.symbol_of(item))
    check = item.mapping.check
    if check is None:
        return replace(rule, own_call=item.entry.judge_individually)
    arguments = tuple(map(literal, _arguments(check)))
    in_texts = forms and check.kind != DENIED_CALL
    return replace(rule, check=check.kind, arguments=arguments, in_texts=in_texts)


IN_TEXTS: Final = "in_texts"
"""The check that applies another one to the texts of a form."""
