"""`requirements.py` of the package: the agent's operating rules as Mellea requirements (spec/package.md 3).

A rule that obliges or forbids is a requirement, checked by Python where its wording allows, else judged by the model.
Permissions and descriptions are notes for the prompt: as requirements they would demand the act in every reply.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from melleafy_tui.core.models.mapping import RuleCheck
from melleafy_tui.core.models.package import EmittedFile
from melleafy_tui.core.models.plan import CommittedPlan, PlannedElement
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind, Polarity
from melleafy_tui.generators.layout import Expression, Raw, call, statement
from melleafy_tui.generators.literals import string_literal
from melleafy_tui.generators.provenance import Page, locations, provenance_comments, source_ranges
from melleafy_tui.generators.shape import has_requirements, of_kind, statement_of, symbol_of
from melleafy_tui.generators.validators import (
    Validator,
    measure_sources,
    print_validator,
    validator_name,
)

_KEPT: Final = (Disposition.BUNDLE, Disposition.STUB)

_DOCSTRING: Final = '''"""Operating rules of the agent as Mellea requirements.

OPERATING_REQUIREMENTS has one entry per rule, in source order. Rules that Python can check
carry a validator; the others are judged by the model, together, to save calls.
"""'''

_WRITTEN: Final = '''

def _until_written(validator: Callable[[str], tuple[bool, str]]) -> Validation:
    """Return the validator; while it is still a stub, every reply passes it."""

    def validate(reply: str) -> tuple[bool, str]:
        try:
            return validator(reply)
        except NotImplementedError as missing:
            return True, f"not checked: {missing}"

    return simple_validate(validate)
'''

_UNCHECKED: Final = '''

def unchecked_rules() -> list[str]:
    """Return a note for each rule whose validator is still to be written."""
    notes: list[str] = []
    for validator in STUB_VALIDATORS:
        try:
            validator("")
        except NotImplementedError as missing:
            notes.append(str(missing))
    return notes
'''


@dataclass(frozen=True, slots=True)
class _Rules:
    """The rules of a package, sorted by what becomes of them, each list in source order."""

    general: tuple[PlannedElement, ...]
    scoped: dict[str, tuple[PlannedElement, ...]]
    notes: tuple[PlannedElement, ...]
    host: tuple[PlannedElement, ...]

    @property
    def required(self) -> tuple[PlannedElement, ...]:
        """Return every rule that becomes a requirement."""
        return (*self.general, *(item for items in self.scoped.values() for item in items))


def is_note(item: PlannedElement) -> bool:
    """Return whether a rule is text for the prompt and no requirement."""
    return item.mapping.validation_kind is None


def generate_requirements(committed: CommittedPlan) -> list[EmittedFile]:
    """Return `<package>/requirements.py`, or nothing where the source has no rule that the package keeps.

    Args:
        committed: What the files depend on.
    """
    if not has_requirements(committed):
        return []
    rules = _sorted_rules(committed)
    validators = _validators(rules.required)
    page = Page(f"{committed.package_name}/requirements.py")
    _add_head(page, rules, validators)
    _add_validators(page, rules, validators)
    _add_requirements(page, rules, validators)
    _add_texts(page, "OPERATING_NOTES", rules.notes)
    if rules.host:
        _add_texts(page, "HOST_RULES", rules.host)
    _add_stub_list(page, rules)
    _add_attached(page, rules)
    return [page.emitted()]


def _sorted_rules(committed: CommittedPlan) -> _Rules:
    kept = of_kind(committed, EntryKind.RULE, *_KEPT)
    required = [item for item in kept if not is_note(item)]
    scopes = sorted({item.element.scope for item in required if item.element.scope})
    return _Rules(
        general=tuple(item for item in required if not item.element.scope),
        scoped={scope: tuple(item for item in required if item.element.scope == scope) for scope in scopes},
        notes=tuple(item for item in kept if is_note(item)),
        host=tuple(of_kind(committed, EntryKind.RULE, Disposition.DELEGATE_TO_RUNTIME)),
    )


def _is_stub(item: PlannedElement) -> bool:
    return item.entry.disposition is Disposition.STUB


def _validators(required: Iterable[PlannedElement]) -> dict[RuleCheck, Validator]:
    printed: dict[RuleCheck, Validator] = {}
    names: set[str] = set()
    for item in required:
        check = item.mapping.check
        if check is None or check in printed or _is_stub(item):
            continue
        name = base = validator_name(check)
        number = 2
        while name in names:
            name, number = f"{base}_{number}", number + 1
        names.add(name)
        printed[check] = print_validator(check, name, locations([item.element]))
    return printed


def _add_head(page: Page, rules: _Rules, validators: dict[RuleCheck, Validator]) -> None:
    sources = measure_sources(name for validator in validators.values() for name in validator.measures)
    stubs = [item for item in rules.required if _is_stub(item)]
    judged = [item for item in rules.required if item.mapping.check is None and not _is_stub(item)]
    names = ["Requirement"]
    if any(item.element.polarity is Polarity.FORBIDS for item in judged):
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
    if stubs:
        page.add("from mellea.core import Context, ValidationResult")
    page.add(f"from mellea.stdlib.requirements import {', '.join(names)}")
    if stubs:
        page.blank()
        page.add(_relative_import("constrained_slots", sorted({symbol_of(item) for item in stubs})))
        page.blank()
        page.add("Validation = Callable[[Context], ValidationResult]")
    for source in sources:
        page.blank(2)
        page.add(source)


def _relative_import(module: str, names: Sequence[str]) -> list[str]:
    line = f"from .{module} import {', '.join(names)}"
    if len(line) <= 88:
        return [line]
    return [f"from .{module} import (", *(f"    {name}," for name in names), ")"]


def _add_validators(page: Page, rules: _Rules, validators: dict[RuleCheck, Validator]) -> None:
    if any(_is_stub(item) for item in rules.required):
        page.add(_WRITTEN)
    for check, validator in validators.items():
        page.blank(2)
        page.add(
            validator.lines,
            [item.element for item in rules.required if item.mapping.check == check and not _is_stub(item)],
        )
    page.blank(2 if validators or any(_is_stub(item) for item in rules.required) else 1)


def _add_requirements(page: Page, rules: _Rules, validators: dict[RuleCheck, Validator]) -> None:
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
    for item in items:
        comments = provenance_comments(source_ranges([item.element]))
        entry = statement("", _requirement(item, validators), ",", indent=indent + 1)
        page.add([*(f"{margin}    {comment}" for comment in comments), *entry], [item.element])
    page.add(f"{margin}]{after}")


def _requirement(item: PlannedElement, validators: dict[RuleCheck, Validator]) -> Expression:
    text = Raw(string_literal(statement_of(item.element)))
    if _is_stub(item):
        return call("req", text, validation_fn=call("_until_written", Raw(symbol_of(item))))
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
    for item in items:
        said = statement_of(item.element)
        text = f"In {item.element.scope}: {said}" if item.element.scope else said
        comments = provenance_comments(source_ranges([item.element]))
        entry = statement("", Raw(string_literal(text)), ",", indent=1)
        page.add([*(f"    {comment}" for comment in comments), *entry], [item.element])
    page.add("]")


def _add_stub_list(page: Page, rules: _Rules) -> None:
    stubs = sorted({symbol_of(item) for item in rules.required if _is_stub(item)})
    if stubs:
        page.blank()
        page.add("STUB_VALIDATORS: list[Callable[[str], tuple[bool, str]]] = [")
        page.add([f"    {name}," for name in stubs])
        page.add("]")


def _add_attached(page: Page, rules: _Rules) -> None:
    if any(_is_stub(item) for item in rules.required):
        page.add(_UNCHECKED)
    alone = [
        item
        for item in rules.required
        if item.entry.judge_individually and item.mapping.check is None and not _is_stub(item)
    ]
    if alone:
        _add_texts_alone(page, alone)
    page.blank(2)
    page.add('def attached_requirements(scope: str = "general") -> list[Requirement]:')
    page.add(_attached_body(rules, alone))


def _add_texts_alone(page: Page, alone: Sequence[PlannedElement]) -> None:
    page.blank()
    page.add("JUDGED_INDIVIDUALLY: frozenset[str] = frozenset(")
    page.add("    {")
    for item in alone:
        entry = statement("", Raw(string_literal(statement_of(item.element))), ",", indent=2)
        page.add(entry, [item.element])
    page.add(["    }", ")"])


def _attached_body(rules: _Rules, alone: Sequence[PlannedElement]) -> list[str]:
    chosen = "[*OPERATING_REQUIREMENTS]"
    if rules.scoped:
        chosen = "[*OPERATING_REQUIREMENTS, *SCOPED_REQUIREMENTS.get(scope, [])]"
    body = [
        '    """Return the requirements of one reply.',
        "",
        "    Each rule with a validator stands for itself, one requirement for all judged ones.",
        '    """',
        f"    rules = {chosen}",
    ]
    if not rules.required:
        return [*body, "    return rules"]
    checked = "r.validation_fn is not None"
    if alone:
        checked = "r.validation_fn is not None or r.description in JUDGED_INDIVIDUALLY"
        body += [
            "    single = [",
            "        r",
            "        for r in rules",
            f"        if {checked}",
            "    ]",
        ]
    else:
        body.append(f"    single = [r for r in rules if {checked}]")
    return [
        *body,
        '    judged = [f"- {r.description}" for r in rules if r not in single]',
        "    if not judged:",
        "        return single",
        '    lines = "\\n".join(judged)',
        '    together = f"The reply follows every one of these rules:\\n{lines}"',
        "    return [*single, req(together)]",
    ]
