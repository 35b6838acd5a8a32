"""How a script or a program is called: as a script's `argparse` parser declares it, else as the source's examples show.

A Python script is parsed, never run. Of a parser that isn't written out (names that are computed, parsers of other
modules) nothing is taken. Of examples, what differs between them is a parameter, and what doesn't is kept as it is.
"""

import ast
import re
import shlex
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain, count
from math import isfinite
from operator import attrgetter
from pathlib import PurePosixPath
from typing import Final

from msgspec import Struct, structs

from melleafy_tui.core.errors import UsageError
from melleafy_tui.core.language.python_syntax import all_nodes, parse_python, text_in
from melleafy_tui.core.lazy_regex import LazyRegex
from melleafy_tui.core.models.facts import ToolFact
from melleafy_tui.core.models.snapshot import SourceFile
from melleafy_tui.core.package.naming import python_identifier

MOST_ARGUMENTS: Final = 20
"""A script with more is a program of its own; no model fills them in."""
COMMAND: Final = "command"
"""The parameter that chooses a sub-command."""

OPTIONS: Final = "{options}"
"""Where a call's options stand among its words."""

_TAKEN: Final = frozenset({"extra", "run_program", "run_script", "config", "options"})
"""Names that a parameter of a tool can't have."""
_FLAGS: Final = ("store_true", "store_false", "store_const", "BooleanOptionalAction")
_SILENT: Final = ("help", "version")
_SEVERAL: Final = ("*", "+")
_TYPES: Final = {"int": "int", "float": "float"}
_NOT_WRITTEN_OUT: Final = frozenset({"parse_known_args", "parse_intermixed_args"})
_SHELL: Final = LazyRegex(r"^[|;&<>()]+$|[`$*?\\]|\.\.\.|…")
"""What only a shell reads, besides placeholders; an example is read up to it."""
_ANGLES: Final = LazyRegex(r"<([A-Za-z][\w -]{0,60})>")
_QUOTED: Final = re.compile(r"""(["'])[^"'<>{}$\n]+\1""")
"""A quoted phrase of an example, which stands for any other."""
_PLACEHOLDER: Final = LazyRegex(r"\$?\{+\s*(?P<part>\w+)\s*\}+|\$(?P<variable>[A-Za-z_]\w*)")
_PARAMETER: Final = re.compile(r"\{(\w+)\}")
_OPTION: Final = re.compile(r"--?[A-Za-z][\w-]*")
_SUB_COMMAND: Final = re.compile(r"[a-z][a-z_-]*")


KINDS: Final = {
    "str": "text",
    "int": "whole number",
    "float": "number",
    "bool": "yes/no",
    "list[str]": "texts",
}
"""The types of parameters, as people read them."""

_KIND_OF: Final = {words: kind for kind, words in KINDS.items()}
_OWN_FORM: Final = {"bool", "list[str]"}
"""Types that are put on a command line in a way of their own, so that no other can stand for them."""

_WORDS: Final = re.compile(
    r"(?P<name>\w+) *: *(?P<kind>[^(=]+?) *(?:(?P<optional>\(optional\))|= *(?P<default>.+))?"
)
_FORM: Final = "For example `days: whole number = 3`."


def _is_value(text: str, kind: str, choices: Sequence[str]) -> bool:
    if kind in ("int", "float"):
        with suppress(ValueError):
            return isfinite(int(text) if kind == "int" else float(text))
        return False
    return text in choices if choices else kind == "str"


class Argument(Struct, frozen=True):
    """A parameter of a script's tool.

    Attributes:
        name: Its name as a Python identifier.
        option: The option before its value, `""` if it stands by its place.
        kind: `str`, `int`, `float`, `bool` or `list[str]`.
        choices: The only values that it can have.
        required: Whether a call must give it.
        about: What the script says of it.
        at_once: Whether all values of a list follow one option; else each has the option before it.
        default: What a call passes on that leaves it out, as the user chose it.
    """

    name: str
    option: str = ""
    kind: str = "str"
    choices: tuple[str, ...] = ()
    required: bool = False
    about: str = ""
    at_once: bool = False
    default: str = ""

    @property
    def words(self) -> str:
        """Return it as a person reads and changes it: `days: whole number = 3`."""
        end = f" = {self.default}" if self.default else "" if self.required else " (optional)"
        return f"{self.name}: {'/'.join(self.choices) or KINDS[self.kind]}{end}"

    def changed(self, words: str) -> "Argument":
        """Return it with the name, type and default that a person wrote, in the form of `words`.

        Raises:
            UsageError: they can't be read, or the script takes no such value.
        """
        found = _WORDS.fullmatch(words.strip())
        if found is None:
            raise UsageError(f"{words!r} is no parameter", hint=_FORM)
        name, kind, default = (
            found["name"],
            _KIND_OF.get(found["kind"].casefold(), ""),
            found["default"] or "",
        )
        choices = tuple(part.strip() for part in found["kind"].split("/")) if not kind else ()
        if name != _name(name):
            raise UsageError(f"{name!r} can't be the name of a parameter", hint=_FORM)
        if not kind and (len(choices) < 2 or not all(choices)):
            raise UsageError(f"{found['kind']!r} is no type", hint=f"One of {', '.join(_KIND_OF)}, or a/b/c.")
        kind = kind or "str"
        if kind != self.kind and _OWN_FORM & {kind, self.kind}:
            raise UsageError(f"The script takes {KINDS[self.kind]} for {self.name}")
        if default and not _is_value(default, kind, choices):
            raise UsageError(f"{default!r} can't be the default of {name}")
        required = not default and not found["optional"]
        if self.required and found["optional"]:
            raise UsageError(f"The script needs {self.name}: it can only be left out with a default")
        return structs.replace(
            self, name=name, kind=kind, choices=choices, default=default, required=required
        )

    @property
    def sample(self) -> object:
        """Return a value that it can have."""
        if self.choices:
            return self.choices[0]
        return {"int": 42, "float": 42, "bool": True, "list[str]": ["42"]}.get(self.kind, "42")


class ScriptCall(Struct, frozen=True):
    """How a script is called.

    Attributes:
        words: What stands by its place: words as they are, `{name}` for a parameter, and OPTIONS.
        arguments: The parameters, the required ones first.
    """

    words: tuple[str, ...]
    arguments: tuple[Argument, ...]

    @property
    def options(self) -> tuple[Argument, ...]:
        """Return the parameters that are options."""
        return tuple(each for each in self.arguments if each.option)

    @property
    def samples(self) -> dict[str, object]:
        """Return a value for each parameter that a call must give."""
        return {each.name: each.sample for each in self.arguments if each.required}

    def filled(self, values: Mapping[str, object]) -> list[str]:
        """Return the words of a call, as the package's `run_script` puts them together."""
        options = [
            word
            for each in self.options
            if each.name in values
            for word in (each.option, *([] if each.kind == "bool" else [_spelled(values[each.name])]))
        ]
        found: list[str] = []
        for word in self.words:
            filled = _PARAMETER.sub(lambda match: _spelled(values.get(match[1], "")), word)
            found += options if word == OPTIONS else [filled] if filled else []
        return found


def script_call(tool: ToolFact, source: SourceFile | None) -> ScriptCall | None:
    """Return how a tool's script or program is called, or None if neither the script nor the source says it.

    Args:
        tool: The tool.
        source: Its script.
    """
    is_python = source is not None and tool.script.endswith(".py")
    found = _declared(source.text or "") if source is not None and is_python else None
    if found is None:
        found = _shown((tool.command, *tool.calls), tool.program or PurePosixPath(tool.script).name)
        found = found if found is None or found.arguments or tool.program else None
    return _as_chosen(found, dict(tool.parameters)) if found is not None and tool.parameters else found


def _as_chosen(found: ScriptCall, chosen: Mapping[str, str]) -> ScriptCall:
    """Return a call with the parameters that the user changed; the call as it is, if they don't fit it any more."""
    try:
        changed = {each.name: each.changed(chosen.get(each.name, each.words)) for each in found.arguments}
    except UsageError:
        return found
    if len({each.name for each in changed.values()}) < len(changed):
        return found
    names = {name: each.name for name, each in changed.items()}
    words = (
        _PARAMETER.sub(lambda match: f"{{{names.get(match[1], match[1])}}}", word) for word in found.words
    )
    return ScriptCall(tuple(words), tuple(sorted(changed.values(), key=lambda each: not each.required)))


# --- what a Python script declares ------------------------------------------------------------------


def _declared(text: str) -> ScriptCall | None:
    if "add_argument" not in text:
        return None
    try:
        nodes = all_nodes(parse_python(text))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    commands: list[str] = []
    arguments: list[tuple[str, Argument]] = []
    parsers: dict[str, str] = {}
    for node in sorted((each for each in nodes if isinstance(each, ast.Assign)), key=attrgetter("lineno")):
        target, call = node.targets[0], node.value
        if isinstance(call, ast.Call) and _called(call) == "add_parser" and isinstance(target, ast.Name):
            parsers[target.id] = _first(call)
    for call in sorted((each for each in nodes if isinstance(each, ast.Call)), key=attrgetter("lineno")):
        name = _called(call)
        if name in _NOT_WRITTEN_OUT:
            return None
        if name == "add_parser":
            if not _first(call):
                return None
            commands.append(_first(call))
        elif name == "add_argument":
            argument = _argument(call)
            if argument is None:
                return None
            if argument.name:
                arguments.append((parsers.get(_owner(call), ""), argument))
    return _joined_parsers(commands, arguments)


def _joined_parsers(commands: Sequence[str], declared: Sequence[tuple[str, Argument]]) -> ScriptCall | None:
    """Return the call of a parser; with sub-commands, all arguments but these can be left out.

    Args:
        commands: Its sub-commands.
        declared: Its arguments, each with its sub-command.
    """
    if commands:
        choice = Argument(COMMAND, choices=tuple(dict.fromkeys(commands)), required=True)
        rest = (_of_command(command, argument) for command, argument in declared)
        every = [choice, *(each for each in rest if each.name != COMMAND)]
    else:
        every = [argument for _, argument in declared]
    by_name: dict[str, Argument] = {}
    for argument in every:
        by_name.setdefault(argument.name, argument)
    arguments = sorted(by_name.values(), key=lambda each: not each.required)
    if len(arguments) > MOST_ARGUMENTS:
        return None
    words = [f"{{{each.name}}}" for each in by_name.values() if not each.option]
    end = [OPTIONS] if any(each.option for each in arguments) else []
    return ScriptCall((*words, *end), tuple(arguments)) if arguments else None


def _of_command(command: str, argument: Argument) -> Argument:
    about = f"{command}: {argument.about}" if command and argument.about else argument.about or command
    return structs.replace(argument, required=False, about=about)


def _called(call: ast.Call) -> str:
    """Return the name of the method that is called, or `""`."""
    return call.func.attr if isinstance(call.func, ast.Attribute) else ""


def _first(call: ast.Call) -> str:
    """Return the first argument of a call if it is a text, else `""`."""
    return text_in(call.args[0]) or "" if call.args else ""


def _owner(call: ast.Call) -> str:
    """Return the name of the object whose method is called, or `""`."""
    owner = call.func.value if isinstance(call.func, ast.Attribute) else None
    return owner.id if isinstance(owner, ast.Name) else ""


def _argument(call: ast.Call) -> Argument | None:
    """Return what an `add_argument` declares, without a name if it takes no value of a caller; None if it computes."""
    flags = [text_in(each) or "" for each in call.args]
    given = {each.arg: each.value for each in call.keywords}
    if not flags or not all(flags) or None in given:
        return None
    action = text_in(given.get("action")) or getattr(given.get("action"), "attr", "")
    if action in _SILENT:
        return Argument("")
    option = (
        next((each for each in flags if each.startswith("--")), flags[0]) if flags[0].startswith("-") else ""
    )
    nargs = given.get("nargs")
    count = text_in(nargs) or getattr(nargs, "value", None)
    if action in _FLAGS:
        kind = "bool"
    elif action == "append" or count in _SEVERAL or isinstance(count, int):
        kind = "list[str]"
    else:
        kind = _TYPES.get(getattr(given.get("type"), "id", ""), "str")
    required = getattr(given.get("required"), "value", False) is True if option else count not in ("?", "*")
    return Argument(
        _name(text_in(given.get("dest")) or option.lstrip("-") or flags[0]),
        option,
        kind,
        _choices(given.get("choices")) if kind == "str" else (),
        required,
        " ".join((text_in(given.get("help")) or "").split()),
        at_once=kind == "list[str]" and action != "append" and bool(option),
    )


def _choices(node: ast.AST | None) -> tuple[str, ...]:
    listed = [text_in(each) or "" for each in node.elts] if isinstance(node, ast.List | ast.Tuple) else []
    return tuple(listed) if all(listed) else ()


def _name(words: str) -> str:
    return python_identifier(words, set(_TAKEN), fallback="value")


# --- what the source's examples show ----------------------------------------------------------------


class _Example(Struct, frozen=True):
    """One call of the source.

    Attributes:
        words: The words by their place.
        options: The values of its options, None for a flag.
        before: How many words stand before the first option.
    """

    words: tuple[str, ...]
    options: dict[str, str | None]
    before: int


def _shown(commands: Iterable[str], script: str) -> ScriptCall | None:
    read = [found for command in dict.fromkeys(commands) if (found := _example(command, script))]
    examples = [each for each in read if each.words or each.options]  # a bare name is a mention
    if not examples:
        return None
    options = list(dict.fromkeys(option for example in examples for option in example.options))
    arguments: list[Argument] = []
    words: list[str] = []
    fixed: list[str] = []
    most = max(len(example.words) for example in examples)
    for place in range(most):
        values = [example.words[place] for example in examples if len(example.words) > place]
        always = len(values) == len(examples)
        is_same = always and len(set(values)) == 1
        if is_same and not _PLACEHOLDER.search(values[0]):
            words.append(values[0])
        elif always and not is_same and place == 0 and all(map(_SUB_COMMAND.fullmatch, values)):
            arguments.append(Argument(COMMAND, choices=tuple(dict.fromkeys(values)), required=True))
            words.append(f"{{{COMMAND}}}")
        else:
            words.append(_placed(values, arguments, required=always))
    for option in options:
        given = [example.options[option] for example in examples if option in example.options]
        value = next((each for each in given if each is not None), None)
        is_same = len(given) == len(examples) and len(set(given)) == 1
        if is_same and (value is None or not _PLACEHOLDER.search(value)):
            fixed += [option] if value is None else [option, value]
        else:
            required = len(given) == len(examples) and value is not None
            kind = "str" if value is not None else "bool"
            arguments.append(Argument(_name(option.lstrip("-")), option, kind, required=required))
    named = {argument.name: argument for argument in arguments}
    if len(named) > MOST_ARGUMENTS:
        return None
    before = min((example.before for example in examples if example.options), default=most)
    words[before:before] = [*fixed, *([OPTIONS] if any(each.option for each in named.values()) else [])]
    return ScriptCall(tuple(words), tuple(sorted(named.values(), key=lambda each: not each.required)))


def _placed(values: Sequence[str], arguments: list[Argument], *, required: bool) -> str:
    """Return the word for what stands at one place of some examples, and add its parameters."""
    shown = next((each for each in values if _PLACEHOLDER.search(each)), "")

    def named(match: re.Match[str]) -> str:
        name = _name((match["part"] or match["variable"]).lower())
        arguments.append(Argument(name, required=required))
        return f"{{{name}}}"

    if shown:
        return _PLACEHOLDER.sub(named, shown)
    is_taken = any(each.name == "value" for each in arguments)
    name = f"value_{len(arguments) + 1}" if is_taken else "value"
    arguments.append(Argument(name, required=required))
    return f"{{{name}}}"


def _example(command: str, script: str) -> _Example | None:
    """Return the words after a script in a command, up to the first that only a shell reads."""
    _, found, rest = command.partition(script)
    if not script or not found:
        return None
    names = chain(("value",), (f"value_{number}" for number in count(2)))
    rest = _QUOTED.sub(lambda _: f"{{{next(names)}}}", rest)
    held = _ANGLES.sub(lambda match: "{" + re.sub(r"[ -]", "_", match[1]) + "}", rest.partition(" #")[0])
    words: list[str] = []
    options: dict[str, str | None] = {}
    waiting, before = "", 0
    for word in _words(held):
        option, equals, value = word.partition("=")
        if _OPTION.fullmatch(option):
            before = before if options else len(words)
            options[option] = _open(value, (option.lstrip("-"),)) if equals else None
            waiting = "" if equals else option
        elif waiting:
            options[waiting], waiting = _open(word, (waiting.lstrip("-"),)), ""
        else:
            words.append(_open(word, words) if "/" in word else word)
    return _Example(tuple(words), options, before)


def _open(value: str, names: Collection[str]) -> str:
    """Return a value that only repeats a name before it, as in `--repo owner/repo`, as a placeholder."""
    last = value.rpartition("/")[2]
    return f"{{{python_identifier(last, ())}}}" if last in names else value


def _words(text: str) -> Iterator[str]:
    """Yield the words of a shell command, up to a pipe, a redirection, an expansion, a bracket or an open quotation."""
    lexer = shlex.shlex(text, posix=True, punctuation_chars=True)
    lexer.whitespace_split, lexer.commenters = True, ""
    with suppress(ValueError):
        for word in lexer:
            if _SHELL.search(_PLACEHOLDER.sub("", word)) or word.startswith("["):
                return
            yield word


def _spelled(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)
