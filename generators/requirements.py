"""Generates requirements.py: the agent's operating rules as data for the rule panel.

A rule that obliges or forbids is checked by Python if its wording allows, else judged by the panel. Permissions and
descriptions are guidance: prompt text that nothing judges.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Final

from msgspec import Struct

from melleafy_tui.core.models.committed import CommittedPlan, PlannedElement
from melleafy_tui.core.models.file_set import EmittedFile
from melleafy_tui.core.models.inventory import PART, Element
from melleafy_tui.core.models.mapping import RuleCheck
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind, ValidationKind
from melleafy_tui.generators.code_layout import (
    RUNTIME_DOOR,
    Expression,
    Raw,
    call,
    import_lines,
    statement,
    text_block,
    used_names,
    value,
)
from melleafy_tui.generators.excerpts import guidance_by_section
from melleafy_tui.generators.literals import string_literal
from melleafy_tui.generators.package_shape import (
    has_requirements,
    of_kind,
    schemas,
    symbol_of,
    whole_statement_of,
)
from melleafy_tui.generators.provenance import SourceWriter, rule_places
from melleafy_tui.generators.runtime import checks, permissions
from melleafy_tui.generators.runtime.checks import Check

DENIED_CALL: Final = "shows_no_call"
"""The check that stands in permissions.py; the others are in checks.py."""


def check_expression(check: RuleCheck) -> Expression:
    """Return the call that makes a check, such as `at_most(120, "words")`."""
    return call(check.kind, *map(value, _arguments(check)))


def is_kept(check: RuleCheck, text: str) -> bool:
    """Return whether a text keeps the rule."""
    module = permissions if check.kind == DENIED_CALL else checks
    made: Check = getattr(module, check.kind)(*_arguments(check))
    return not made(text)


def _arguments(check: RuleCheck) -> tuple[int | str, ...]:
    if check.kind == "between":
        return (check.least, check.limit, check.thing)
    if check.kind in ("at_most", "at_least"):
        return (check.limit, check.thing)
    return (check.thing,) if check.thing else check.phrases


_KEPT: Final = (Disposition.BUNDLE, Disposition.STUB)

OPERATING: Final = "OPERATING_REQUIREMENTS"
SCOPED: Final = "SCOPED_REQUIREMENTS"
HOST: Final = "HOST_RULES"


class SortedRules(Struct, frozen=True):
    """The rules of a package; each list is in source order.

    Attributes:
        general: Rules that apply everywhere, guidance included.
        scoped: Rules that apply in one folder, by folder, guidance included.
        host: Rules that the user left to the host.
        guidance: Rules that are prompt text only.
        required: Rules that are checked or judged, general ones first.
        stubs: Rules whose validator is still to be written.
        judged: Rules that the panel judges.
    """

    general: tuple[PlannedElement, ...]
    scoped: dict[str, tuple[PlannedElement, ...]]
    host: tuple[PlannedElement, ...]
    guidance: tuple[PlannedElement, ...]
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
    """Return the rules of a plan, each list in source order, the owner's before the runtime's stock text."""
    kept = sorted(of_kind(committed, EntryKind.RULE, *_KEPT), key=lambda item: item.element.template)
    general = tuple(item for item in kept if not item.element.scope)
    scopes = sorted({item.element.scope for item in kept if item.element.scope})
    scoped = {scope: tuple(item for item in kept if item.element.scope == scope) for scope in scopes}
    listed = (*general, *chain.from_iterable(scoped.values()))
    required = tuple(item for item in listed if not is_guidance(item))
    return SortedRules(
        general=general,
        scoped=scoped,
        host=tuple(of_kind(committed, EntryKind.RULE, Disposition.DELEGATE_TO_RUNTIME)),
        guidance=tuple(filter(is_guidance, listed)),
        required=required,
        stubs=tuple(filter(is_stub, required)),
        judged=tuple(filter(_is_judged, required)),
    )


def _is_judged(item: PlannedElement) -> bool:
    executable = item.mapping.validation_kind is ValidationKind.EXECUTABLE
    return not executable and item.mapping.check is None and not is_stub(item)


def generate_requirements(committed: CommittedPlan) -> list[EmittedFile]:
    """Return requirements.py, or nothing if the package keeps no rule."""
    if not has_requirements(committed):
        return []
    rules = sorted_rules(committed)
    body = SourceWriter("")
    body.blank()
    _add_list(body, f"{OPERATING}: list[Rule] = ", _entries(committed, rules.general))
    if rules.scoped:
        body.blank()
        _add_scoped(body, committed, rules.scoped)
    if rules.host:
        body.blank()
        _add_list(body, f"{HOST}: list[Rule] = ", [_one(_guidance(item), item) for item in rules.host])
    writer = SourceWriter(f"{committed.package_name}/requirements.py")
    writer.add('"""Operating rules of the agent, in source order."""')
    writer.blank()
    writer.add(_imports(rules, body.emitted().text))
    writer.extend(body)
    return [writer.emitted()]


def _add_scoped(
    writer: SourceWriter, committed: CommittedPlan, scoped: Mapping[str, Sequence[PlannedElement]]
) -> None:
    writer.add(f"{SCOPED}: dict[str, list[Rule]] = {{")
    for scope, items in scoped.items():
        _add_list(writer, f"{string_literal(scope)}: ", _entries(committed, items), indent=1, after=",")
    writer.add("}")


def _imports(rules: SortedRules, code: str) -> list[str]:
    return import_lines(
        (),
        {
            RUNTIME_DOOR: used_names(code, (*_check_factories(rules), _IN_TEXTS, *_KINDS_OF_RULES)),
            ".constrained_slots": [symbol_of(item) for item in rules.stubs],
        },
    )


def _check_factories(rules: SortedRules) -> list[str]:
    """Return the names of the functions that make the executable checks."""
    return [item.mapping.check.kind for item in rules.required if item.mapping.check and not is_stub(item)]


_IN_TEXTS: Final = "in_texts"
"""The check that applies another one to the texts of a form."""
_KINDS_OF_RULES: Final = ("Rule", "checked", "guidance", "judged", "stubbed")


class _Entry(Struct, frozen=True):
    """An entry of a list of rules: its code, and the elements that it says."""

    code: Expression
    elements: list[Element]


def _one(code: Expression, item: PlannedElement) -> _Entry:
    return _Entry(code, [item.element])


def _entries(committed: CommittedPlan, items: Sequence[PlannedElement]) -> Iterator[_Entry]:
    """Yield the entries of rules; guidance of one section is one entry, where its first line stands."""
    forms = bool(schemas(committed))
    told = {found.first: found for found in guidance_by_section(committed, list(filter(is_guidance, items)))}
    for item in items:
        if not is_guidance(item):
            yield _one(_rule(item, forms=forms), item)
        elif (found := told.get(item.element.element_id)) is not None:
            elements = [each.element for each in found.items]
            yield _Entry(call("guidance", text_block(found.text), value(rule_places(*elements))), elements)


def _add_list(
    writer: SourceWriter, before: str, entries: Iterable[_Entry], *, indent: int = 0, after: str = ""
) -> None:
    margin = "    " * indent
    listed = list(entries)
    if not listed:
        writer.add(f"{margin}{before}[]{after}")
        return
    writer.add(f"{margin}{before}[")
    for entry in listed:
        writer.add(statement("", entry.code, ",", indent=indent + 1), entry.elements)
    writer.add(f"{margin}]{after}")


def _rule(item: PlannedElement, *, forms: bool) -> Expression:
    text, source = _text_and_source(item)
    apart: dict[str, Expression] = {"in_prompt": Raw("False")} if item.element.kind == PART else {}
    if is_stub(item):
        return call("stubbed", text, Raw(symbol_of(item)), source)
    if item.mapping.check is not None:
        check = check_expression(item.mapping.check)
        whole = not forms or item.mapping.check.kind == DENIED_CALL
        return call("checked", text, check if whole else call(_IN_TEXTS, check), source, **apart)
    if item.entry.judge_individually:
        return call("judged", text, source, **apart, own_call=Raw("True"))
    return call("judged", text, source, **apart)


def _guidance(item: PlannedElement) -> Expression:
    return call("guidance", *_text_and_source(item))


def _text_and_source(item: PlannedElement) -> tuple[Expression, Expression]:
    return value(whole_statement_of(item.element)), value(rule_places(item.element))
