"""Generates requirements.py: the agent's operating rules as Mellea requirements.

A rule that obliges or forbids is a requirement, checked by Python if its wording allows, else judged by the model.
Permissions and descriptions are notes for the prompt: as requirements they would be demanded of every reply.
"""

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Final

from msgspec import Struct

from melleafy_tui.core.models.committed import CommittedPlan, PlannedElement
from melleafy_tui.core.models.file_set import EmittedFile
from melleafy_tui.core.models.inventory import Element
from melleafy_tui.core.models.mapping import RuleCheck
from melleafy_tui.core.models.vocabulary import Disposition, EntryKind, Polarity
from melleafy_tui.generators.code_layout import Expression, Raw, call, statement
from melleafy_tui.generators.literals import string_literal
from melleafy_tui.generators.package_shape import has_requirements, of_kind, statement_of, symbol_of
from melleafy_tui.generators.provenance import SourceWriter, locations, provenance_comments, source_ranges
from melleafy_tui.generators.validators import Validator, measure_sources, print_validator, validator_name

_KEPT: Final = (Disposition.BUNDLE, Disposition.STUB)


class SortedRules(Struct, frozen=True):
    """The rules of a package, sorted by how they are emitted; each list is in source order.

    Attributes:
        general: Requirements that apply everywhere.
        scoped: Requirements that apply in one folder, by folder.
        notes: Rules that are prompt text only.
        host: Rules that the user left to the host.
        required: Every requirement, general ones first.
        stubs: Requirements whose validator is still to be written.
        judged: Requirements that the model judges.
    """

    general: tuple[PlannedElement, ...]
    scoped: dict[str, tuple[PlannedElement, ...]]
    notes: tuple[PlannedElement, ...]
    host: tuple[PlannedElement, ...]
    required: tuple[PlannedElement, ...]
    stubs: tuple[PlannedElement, ...]
    judged: tuple[PlannedElement, ...]


def is_note(item: PlannedElement) -> bool:
    """Return whether a rule is prompt text only, not a requirement."""
    return item.mapping.validation_kind is None


def is_stub(item: PlannedElement) -> bool:
    """Return whether the validator of a rule is a stub for the user to write."""
    return item.entry.disposition is Disposition.STUB


def sorted_rules(committed: CommittedPlan) -> SortedRules:
    """Return the rules of a plan, each list in source order."""
    kept = of_kind(committed, EntryKind.RULE, *_KEPT)
    requirements = [item for item in kept if not is_note(item)]
    general = tuple(item for item in requirements if not item.element.scope)
    scoped = {
        scope: tuple(item for item in requirements if item.element.scope == scope)
        for scope in sorted({item.element.scope for item in requirements if item.element.scope})
    }
    required = (*general, *chain.from_iterable(scoped.values()))
    return SortedRules(
        general=general,
        scoped=scoped,
        notes=tuple(item for item in kept if is_note(item)),
        host=tuple(of_kind(committed, EntryKind.RULE, Disposition.DELEGATE_TO_RUNTIME)),
        required=required,
        stubs=tuple(item for item in required if is_stub(item)),
        judged=tuple(item for item in required if item.mapping.check is None and not is_stub(item)),
    )


STUBBED: Final = '''class ValidatorFailed(RuntimeError):
    """A validator that the host wrote failed; the message names it and its rule."""


UNCHECKED = "not checked: "


def _stubbed(rule: str, validator: Callable[[str], tuple[bool, str]]) -> Requirement:
    """Return a rule with a validator of the host; while that is still a stub, every reply passes."""

    def validate(reply: str) -> tuple[bool, str]:
        try:
            return validator(reply)
        except NotImplementedError as missing:
            return True, f"{UNCHECKED}{missing}"
        except Exception as error:
            told = f"{type(error).__name__}: {error}"
            raise ValidatorFailed(
                f"{validator.__name__} failed: {told}; its rule: {rule}"
            ) from error

    return req(rule, validation_fn=simple_validate(validate))
'''
"""Code in requirements.py for rules whose validator the host writes."""


def add_attached(writer: SourceWriter, rules: SortedRules) -> None:
    """Add the function that returns the requirements of one reply."""
    alone = [item for item in rules.judged if item.entry.judge_individually]
    if alone:
        _add_individual(writer, alone)
    writer.blank(2)
    given = 'scope: str = "general"' if rules.scoped else ""
    writer.add(f"def attached_requirements({given}) -> list[Requirement]:")
    writer.add(_attached_body(rules, alone))


def _add_individual(writer: SourceWriter, alone: Sequence[PlannedElement]) -> None:
    writer.blank()
    writer.add("JUDGED_INDIVIDUALLY: frozenset[str] = frozenset(")
    writer.add("    {")
    for item in alone:
        entry = statement("", Raw(string_literal(statement_of(item.element))), ",", indent=2)
        writer.add(entry, [item.element])
    writer.add(["    }", ")"])


def _attached_body(rules: SortedRules, alone: Sequence[PlannedElement]) -> list[str]:
    chosen = "OPERATING_REQUIREMENTS"
    body = ['    """Return the requirements of one reply."""']
    if rules.scoped:
        chosen = "rules"
        body.append("    rules = [*OPERATING_REQUIREMENTS, *SCOPED_REQUIREMENTS.get(scope, [])]")
    if len(rules.judged) == len(alone):
        return [*body, f"    return {chosen}" if rules.scoped else f"    return [*{chosen}]"]
    body = [
        '    """Return the requirements of one reply: checked rules one by one, judged ones as one."""',
        *body[1:],
    ]
    if alone:
        body += [
            "    single = [",
            "        r",
            f"        for r in {chosen}",
            "        if r.validation_fn is not None or r.description in JUDGED_INDIVIDUALLY",
            "    ]",
            f"    judged = [r for r in {chosen} if r not in single]",
        ]
    else:
        body += [
            f"    single = [r for r in {chosen} if r.validation_fn is not None]",
            f"    judged = [r for r in {chosen} if r.validation_fn is None]",
        ]
    if not _always_judged(rules):
        body += ["    if not judged:", "        return single"]
    return [
        *body,
        '    lines = "\\n".join(f"- {r.description}" for r in judged)',
        '    return [*single, req(f"The reply follows every one of these rules:\\n{lines}")]',
    ]


def _always_judged(rules: SortedRules) -> bool:
    """Return whether some rule that applies in every scope is judged together with others."""
    return any(not item.element.scope and not item.entry.judge_individually for item in rules.judged)


FIND_CALL: Final = "find_call"
"""The function of permissions.py that finds a denied call in a reply."""

_DOCSTRING: Final = '''"""Operating rules of the agent as Mellea requirements.

OPERATING_REQUIREMENTS has one entry per rule, in source order. Rules that Python can check
carry a validator; the others are judged by the model, together, to save calls.
"""'''


def generate_requirements(committed: CommittedPlan) -> list[EmittedFile]:
    """Return requirements.py, or nothing if the package keeps no rule.

    Args:
        committed: The committed plan.
    """
    if not has_requirements(committed):
        return []
    rules = sorted_rules(committed)
    validators = _validators(rules.required)
    writer = SourceWriter(f"{committed.package_name}/requirements.py")
    _add_head(writer, rules, validators)
    _add_validators(writer, rules, validators)
    _add_requirements(writer, rules, validators)
    _add_texts(writer, "OPERATING_NOTES", rules.notes)
    if rules.host:
        _add_texts(writer, "HOST_RULES", rules.host)
    add_attached(writer, rules)
    return [writer.emitted()]


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


def _add_head(writer: SourceWriter, rules: SortedRules, validators: dict[RuleCheck, Validator]) -> None:
    sources = measure_sources(name for validator in validators.values() for name in validator.measures)
    stubs = rules.stubs
    names = ["Requirement"]
    if any(item.element.polarity is Polarity.FORBIDS for item in rules.judged):
        names.append("check")
    if rules.required:
        names.append("req")
    if validators or stubs:
        names.append("simple_validate")
    writer.add(_DOCSTRING)
    standard = [
        f"import {module}" for module in ("json", "re") if any(f"{module}." in text for text in sources)
    ]
    if stubs:
        standard.append("from collections.abc import Callable")
    if standard:
        writer.blank()
        writer.add(standard)
    writer.blank()
    writer.add(f"from mellea.stdlib.requirements import {', '.join(names)}")
    calls = any(FIND_CALL in validator.measures for validator in validators.values())
    if stubs or calls:
        writer.blank()
    if stubs:
        writer.add(_relative_import("constrained_slots", sorted({symbol_of(item) for item in stubs})))
    if calls:
        writer.add(_relative_import("permissions", [FIND_CALL]))
    for source in sources:
        writer.blank(2)
        writer.add(source)


def _relative_import(module: str, names: Sequence[str]) -> list[str]:
    line = f"from .{module} import {', '.join(names)}"
    if len(line) <= 88:
        return [line]
    return [f"from .{module} import (", *(f"    {name}," for name in names), ")"]


def _add_validators(writer: SourceWriter, rules: SortedRules, validators: dict[RuleCheck, Validator]) -> None:
    if rules.stubs:
        writer.blank(2)
        writer.add(STUBBED)
    checked: dict[RuleCheck, list[Element]] = {}
    for item in rules.required:
        if item.mapping.check is not None and not is_stub(item):
            checked.setdefault(item.mapping.check, []).append(item.element)
    for check, validator in validators.items():
        writer.blank(2)
        writer.add(validator.lines, checked[check])
    writer.blank(2 if validators or rules.stubs else 1)


def _add_requirements(
    writer: SourceWriter, rules: SortedRules, validators: dict[RuleCheck, Validator]
) -> None:
    _add_list(writer, "OPERATING_REQUIREMENTS: list[Requirement] = ", rules.general, validators, 0, "")
    if not rules.scoped:
        return
    writer.blank()
    writer.add("SCOPED_REQUIREMENTS: dict[str, list[Requirement]] = {")
    for scope, items in rules.scoped.items():
        _add_list(writer, f"{string_literal(scope)}: ", items, validators, 1, ",")
    writer.add("}")


def _add_list(
    writer: SourceWriter,
    before: str,
    items: Sequence[PlannedElement],
    validators: dict[RuleCheck, Validator],
    indent: int,
    after: str,
) -> None:
    margin = "    " * indent
    if not items:
        writer.add(f"{margin}{before}[]{after}")
        return
    writer.add(f"{margin}{before}[")
    writer.add_items(
        [_requirement_text(item, validators, indent) for item in items], [item.element for item in items]
    )
    writer.add(f"{margin}]{after}")


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


def _add_texts(writer: SourceWriter, name: str, items: Sequence[PlannedElement]) -> None:
    writer.blank()
    if not items:
        writer.add(f"{name}: list[str] = []")
        return
    writer.add(f"{name}: list[str] = [")
    writer.add_items([_note_text(item) for item in items], [item.element for item in items])
    writer.add("]")


def _note_text(item: PlannedElement) -> str:
    said = statement_of(item.element)
    text = f"In {item.element.scope}: {said}" if item.element.scope else said
    return "\n".join([f"    {_comment(item)}", *statement("", Raw(string_literal(text)), ",", indent=1)])


def _comment(item: PlannedElement) -> str:
    return provenance_comments(source_ranges([item.element]))[0]
