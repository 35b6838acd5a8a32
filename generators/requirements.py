"""`requirements.py` of the package: the agent's operating rules as Mellea requirements (spec/package.md 3).

A rule that obliges or forbids is a requirement, checked by Python where its wording allows, else judged by the model.
Permissions and descriptions are notes for the prompt: as requirements they would demand the act in every reply.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from melleafy_tui.core.models.committed import CommittedPlan, PlannedElement
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.mapping import RuleCheck
from melleafy_tui.core.models.package import EmittedFile
from melleafy_tui.core.models.vocabulary import Polarity
from melleafy_tui.generators.attached_rules import STUBBED, add_attached
from melleafy_tui.generators.layout import Expression, Raw, call, statement
from melleafy_tui.generators.literals import string_literal
from melleafy_tui.generators.provenance import Page, locations, provenance_comments, source_ranges
from melleafy_tui.generators.shape import has_requirements, statement_of, symbol_of
from melleafy_tui.generators.sorted_rules import SortedRules, is_stub, sorted_rules
from melleafy_tui.generators.validators import (
    Validator,
    measure_sources,
    print_validator,
    validator_name,
)

FIND_CALL: Final = "find_call"
"""The function of permissions.py that finds a denied call in a reply."""

_DOCSTRING: Final = '''"""Operating rules of the agent as Mellea requirements.

OPERATING_REQUIREMENTS has one entry per rule, in source order. Rules that Python can check
carry a validator; the others are judged by the model, together, to save calls.
"""'''


def generate_requirements(committed: CommittedPlan) -> list[EmittedFile]:
    """Return `<package>/requirements.py`, or nothing where the source has no rule that the package keeps.

    Args:
        committed: What the files depend on.
    """
    if not has_requirements(committed):
        return []
    rules = sorted_rules(committed)
    validators = _validators(rules.required)
    page = Page(f"{committed.package_name}/requirements.py")
    _add_head(page, rules, validators)
    _add_validators(page, rules, validators)
    _add_requirements(page, rules, validators)
    _add_texts(page, "OPERATING_NOTES", rules.notes)
    if rules.host:
        _add_texts(page, "HOST_RULES", rules.host)
    add_attached(page, rules)
    return [page.emitted()]


def _validators(required: Iterable[PlannedElement]) -> dict[RuleCheck, Validator]:
    printed: dict[RuleCheck, Validator] = {}
    names: set[str] = set()
    for item in required:
        check = item.mapping.check
        if check is None or check in printed or is_stub(item):
            continue
        name = base = validator_name(check)
        number = 2
        while name in names:
            name, number = f"{base}_{number}", number + 1
        names.add(name)
        printed[check] = print_validator(check, name, locations([item.element]))
    return printed


def _add_head(page: Page, rules: SortedRules, validators: dict[RuleCheck, Validator]) -> None:
    sources = measure_sources(name for validator in validators.values() for name in validator.measures)
    stubs = rules.stubs
    names = ["Requirement"]
    if any(item.element.polarity is Polarity.FORBIDS for item in rules.judged):
        names.append("check")
    if rules.required:
        names.append("req")
    if validators or stubs:
        names.append("simple_validate")
    page.add(_DOCSTRING)
    standard = [
        f"import {module}" for module in ("json", "re") if any(f"{module}." in text for text in sources)
    ]
    if stubs:
        standard.append("from collections.abc import Callable")
    if standard:
        page.blank()
        page.add(standard)
    page.blank()
    page.add(f"from mellea.stdlib.requirements import {', '.join(names)}")
    calls = any(FIND_CALL in validator.measures for validator in validators.values())
    if stubs or calls:
        page.blank()
    if stubs:
        page.add(_relative_import("constrained_slots", sorted({symbol_of(item) for item in stubs})))
    if calls:
        page.add(_relative_import("permissions", [FIND_CALL]))
    for source in sources:
        page.blank(2)
        page.add(source)


def _relative_import(module: str, names: Sequence[str]) -> list[str]:
    line = f"from .{module} import {', '.join(names)}"
    if len(line) <= 88:
        return [line]
    return [f"from .{module} import (", *(f"    {name}," for name in names), ")"]


def _add_validators(page: Page, rules: SortedRules, validators: dict[RuleCheck, Validator]) -> None:
    if rules.stubs:
        page.blank(2)
        page.add(STUBBED)
    checked: dict[RuleCheck, list[Element]] = {}
    for item in rules.required:
        if item.mapping.check is not None and not is_stub(item):
            checked.setdefault(item.mapping.check, []).append(item.element)
    for check, validator in validators.items():
        page.blank(2)
        page.add(validator.lines, checked[check])
    page.blank(2 if validators or rules.stubs else 1)


def _add_requirements(page: Page, rules: SortedRules, validators: dict[RuleCheck, Validator]) -> None:
    _add_list(page, "OPERATING_REQUIREMENTS: list[Requirement] = ", rules.general, validators, 0, "")
    if not rules.scoped:
        return
    page.blank()
    page.add("SCOPED_REQUIREMENTS: dict[str, list[Requirement]] = {")
    for scope, items in rules.scoped.items():
        _add_list(page, f"{string_literal(scope)}: ", items, validators, 1, ",")
    page.add("}")


def _add_list(
    page: Page,
    before: str,
    items: Sequence[PlannedElement],
    validators: dict[RuleCheck, Validator],
    indent: int,
    after: str,
) -> None:
    margin = "    " * indent
    if not items:
        page.add(f"{margin}{before}[]{after}")
        return
    page.add(f"{margin}{before}[")
    page.add_items(
        [_requirement_text(item, validators, indent) for item in items], [item.element for item in items]
    )
    page.add(f"{margin}]{after}")


def _requirement_text(item: PlannedElement, validators: dict[RuleCheck, Validator], indent: int) -> str:
    margin = "    " * (indent + 1)
    entry = statement("", _requirement(item, validators), ",", indent=indent + 1)
    return "\n".join([f"{margin}{_comment(item)}", *entry])


def _requirement(item: PlannedElement, validators: dict[RuleCheck, Validator]) -> Expression:
    text = Raw(string_literal(statement_of(item.element)))
    if is_stub(item):
        return call("_stubbed", text, Raw(symbol_of(item)))
    if item.mapping.check is not None:
        validator = Raw(validators[item.mapping.check].name)
        return call("req", text, validation_fn=call("simple_validate", validator))
    return call("check" if item.element.polarity is Polarity.FORBIDS else "req", text)


def _add_texts(page: Page, name: str, items: Sequence[PlannedElement]) -> None:
    page.blank()
    if not items:
        page.add(f"{name}: list[str] = []")
        return
    page.add(f"{name}: list[str] = [")
    page.add_items([_note_text(item) for item in items], [item.element for item in items])
    page.add("]")


def _note_text(item: PlannedElement) -> str:
    said = statement_of(item.element)
    text = f"In {item.element.scope}: {said}" if item.element.scope else said
    return "\n".join([f"    {_comment(item)}", *statement("", Raw(string_literal(text)), ",", indent=1)])


def _comment(item: PlannedElement) -> str:
    return provenance_comments(source_ranges([item.element]))[0]
