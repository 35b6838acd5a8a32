"""Generates the code of validators for rules that Python can check, based on the measures of `core/rules`.

The measures are copied verbatim; a validator adds the rule's numbers and phrases, phrases only as literals.
"""

import ast
import inspect
from collections.abc import Callable, Iterable
from functools import cache
from types import ModuleType
from typing import Final

from msgspec import Struct

from melleafy_tui.core.language import permissions
from melleafy_tui.core.language.checks import measures
from melleafy_tui.core.language.checks.kinds import KINDS, Family, Kind, counted, measured_features
from melleafy_tui.core.language.python_syntax import parse_python
from melleafy_tui.core.models.mapping import RuleCheck
from melleafy_tui.generators.code_layout import statement, value
from melleafy_tui.generators.literals import identifier

_LONGEST_NAME: Final = 48


class Validator(Struct, frozen=True):
    """The code of a validator: the function's name, its lines, and the measures that it calls."""

    name: str
    lines: tuple[str, ...]
    measures: tuple[str, ...]


def validator_name(check: RuleCheck) -> str:
    """Return a function name that describes a check, such as `_at_most_120_words`."""
    kind = KINDS[check.kind]
    number = counted(kind, check.limit) if kind.singular else ""
    words = {
        Family.AT_MOST: f"at most {number}",
        Family.AT_LEAST: f"at least {number}",
        Family.EXACTLY: f"exactly {number}",
        Family.BETWEEN: f"between {check.least} and {number}",
        Family.NONE_OF: "without " + " ".join(check.phrases),
        Family.NO_CALL: "without " + " ".join(check.phrases),
    }.get(kind.family, " ".join((kind.name, *check.phrases)))
    name = identifier(words, fallback=kind.name)
    if len(name) > _LONGEST_NAME:
        name = name[:_LONGEST_NAME].rpartition("_")[0] or name[:_LONGEST_NAME]
    return f"_{name}"


def print_validator(check: RuleCheck, name: str, source: str) -> Validator:
    """Return the validator for a check.

    Args:
        check: What the rule demands.
        name: The function's name.
        source: The location of the rule, for the docstring.
    """
    kind = KINDS[check.kind]
    body, called = _BODIES[kind.family](check, kind)
    lines = (
        f"def {name}(reply: str) -> tuple[bool, str]:",
        f'    """Return whether the reply keeps {source}, and the reason."""',
        *(f"    {line}" if line else "" for line in body),
    )
    return Validator(name, lines, called)


def permission_sources() -> list[str]:
    """Return the source of the functions that apply permission rules, in the order of their module."""
    return list(_sources(permissions).values())


def measure_sources(names: Iterable[str]) -> list[str]:
    """Return the source of each measure and of the functions it calls, in the order of their module.

    Functions that apply permission rules are left out: they have a module of their own.
    """
    sources = _sources(measures)
    wanted: set[str] = set()
    pending = [name for name in names if name in sources]
    while pending:
        name = pending.pop()
        if name not in wanted:
            wanted.add(name)
            pending += _called(sources[name]) & sources.keys()
    return [source for name, source in sources.items() if name in wanted]


@cache
def _sources(module: ModuleType) -> dict[str, str]:
    text = inspect.getsource(module)
    lines = text.splitlines()
    return {
        node.name: "\n".join(lines[node.lineno - 1 : node.end_lineno])
        for node in parse_python(text).body
        if isinstance(node, ast.FunctionDef)
    }


@cache
def _called(source: str) -> frozenset[str]:
    return frozenset(node.id for node in ast.walk(parse_python(source)) if isinstance(node, ast.Name))


Body = tuple[list[str], tuple[str, ...]]


def _count_body(check: RuleCheck, kind: Kind) -> Body:
    test, wanted = {
        Family.AT_MOST: (f"count <= {check.limit}", f"at most {check.limit} allowed"),
        Family.AT_LEAST: (f"count >= {check.limit}", f"at least {check.limit} needed"),
        Family.EXACTLY: (f"count == {check.limit}", f"exactly {check.limit} needed"),
        Family.BETWEEN: (
            f"{check.least} <= count <= {check.limit}",
            f"{check.least} to {check.limit} needed",
        ),
    }[kind.family]
    body = [
        f"count = {kind.measure}(reply)",
        f'return {test}, f"the reply has {{count}} {kind.noun}; {wanted}"',
    ]
    return body, (kind.measure,)


def _absence_body(check: RuleCheck, _kind: Kind) -> Body:
    features = measured_features(check)
    body: list[str] = []
    for measure, noun in features:
        body += [
            f"found = {measure}(reply)",
            "if found:",
            f'    return False, f"the reply has {{found!r}}; leave out {noun}"',
        ]
    return [*body, 'return True, ""'], tuple(measure for measure, _ in features)


def _presence_body(_check: RuleCheck, kind: Kind) -> Body:
    body = [
        f"if {kind.measure}(reply):",
        '    return True, ""',
        f'return False, "the reply has no {kind.noun}"',
    ]
    return body, (kind.measure,)


def _phrases(check: RuleCheck) -> list[str]:
    return [line.removeprefix("    ") for line in statement("phrases = ", value(check.phrases), indent=1)]


def _every_phrase_body(check: RuleCheck, kind: Kind) -> Body:
    body = [
        *_phrases(check),
        f"missing = [phrase for phrase in phrases if not {kind.measure}(reply, phrase)]",
        "if missing:",
        f'    return False, f"the reply must {kind.noun} {{missing[0]!r}}"',
        'return True, ""',
    ]
    return body, (kind.measure,)


def _no_phrase_body(check: RuleCheck, kind: Kind) -> Body:
    body = [
        *_phrases(check),
        f"present = [phrase for phrase in phrases if {kind.measure}(reply, phrase)]",
        "if present:",
        f'    return False, f"the reply must not {kind.noun} {{present[0]!r}}"',
        'return True, ""',
    ]
    return body, (kind.measure,)


def _any_phrase_body(check: RuleCheck, kind: Kind) -> Body:
    body = [
        *_phrases(check),
        f"if any({kind.measure}(reply, phrase) for phrase in phrases):",
        '    return True, ""',
        'wanted = " or ".join(repr(phrase) for phrase in phrases)',
        f'return False, f"the reply must {kind.noun} {{wanted}}"',
    ]
    return body, (kind.measure,)


def _json_body(_check: RuleCheck, kind: Kind) -> Body:
    body = [
        f"error = {kind.measure}(reply)",
        "if error:",
        '    return False, f"the reply is no JSON: {error}"',
        'return True, ""',
    ]
    return body, (kind.measure,)


def _call_body(check: RuleCheck, kind: Kind) -> Body:
    body = [
        *(line.removeprefix("    ") for line in statement("rule = ", value(check.phrases[0]), indent=1)),
        f"found = {kind.measure}(reply, rule)",
        "if found:",
        '    return False, f"{rule} denies {found!r}"',
        'return True, ""',
    ]
    return body, (kind.measure,)


_BODIES: Final[dict[Family, Callable[[RuleCheck, Kind], Body]]] = {
    Family.AT_MOST: _count_body,
    Family.AT_LEAST: _count_body,
    Family.EXACTLY: _count_body,
    Family.BETWEEN: _count_body,
    Family.ABSENT: _absence_body,
    Family.NONE_OF: _absence_body,
    Family.PRESENT: _presence_body,
    Family.EVERY_PHRASE: _every_phrase_body,
    Family.NO_PHRASE: _no_phrase_body,
    Family.ANY_PHRASE: _any_phrase_body,
    Family.PARSES: _json_body,
    Family.NO_CALL: _call_body,
}
