"""What the fake model says: a fixture's scripted answers, verdicts on the rules in a prompt, else a minimal answer."""

import json
from collections.abc import Mapping, Sequence
from enum import StrEnum
from itertools import dropwhile
from typing import Final, Protocol, cast

from msgspec import Struct
from msgspec.structs import replace

Schema = Mapping[str, object]
Entry = Mapping[str, object]

PLAIN_ANSWER: Final = "Understood. I have looked into it and this is the result."
REFUSAL: Final = "I'm sorry, but I can't help with that."
BROKEN_JSON: Final = '{"decision": "act", "reason":'
TERSE_ANSWER: Final = "OK."
RAMBLING: Final = "and so on "
_JUDGE_OPENING: Final = "Check whether the output below satisfies the requirement below"
_DEEPEST: Final = 12
_ENDLESS: Final = 40_000
"""The characters of a text or list without a bound: more than any token limit leaves."""
_LETTERS_OF_A_TOKEN: Final = 4


class Behaviour(StrEnum):
    """How the fake model behaves; with any but PLAIN and SLOW it overrides scripted answers."""

    PLAIN = "plain"
    JUDGE_SAYS_NO = "judge-no"
    """The judge finds every rule broken."""
    JUDGE_SAYS_ONE = "judge-one"
    """The judge finds the first rule of each call broken."""
    JUDGE_GARBAGE = "judge-garbage"
    """The judge's verdicts can't be read."""
    JUDGE_EMPTY = "judge-empty"
    """The judge gives no verdict."""
    BROKEN_JSON = "broken-json"
    """Every structured answer is broken JSON."""
    EMPTY = "empty"
    """Every answer but the judge's is empty."""
    DECLINE = "decline"
    """The model refuses in words."""
    SLOW = "slow"
    """Every answer comes late."""
    REFUSE = "refuse"
    """Every call ends with HTTP status 503."""
    BUSY_ONCE = "503-once"
    """Every call ends with HTTP status 503 the first time, and is answered the second time."""
    RAMBLE = "ramble"
    """Every text and list goes on to its bound, or until the token limit of the call cuts it."""
    TERSE = "terse"
    """Texts and lists are as short as they may be, and the judge gives one verdict of many."""
    CUT = "cut"
    """Every answer is cut in its middle by the token limit."""


PLAYS_SCRIPTS: Final = frozenset({Behaviour.PLAIN, Behaviour.SLOW, Behaviour.BUSY_ONCE})
"""The behaviours with which scripted answers are given, so that a fixture's expectations hold."""

_OF_JUDGE: Final = frozenset(
    {Behaviour.JUDGE_SAYS_NO, Behaviour.JUDGE_SAYS_ONE, Behaviour.JUDGE_GARBAGE, Behaviour.JUDGE_EMPTY}
)


class Answer(Struct, frozen=True):
    """One answer of the model: its text, the tools that it calls, and why it ended: `stop` or `length`."""

    text: str
    calls: tuple[Mapping[str, object], ...] = ()
    ended: str = "stop"


class Answers(Protocol):
    """Scripted answers."""

    def answer(
        self, prompt: str, schema: Schema | None, tools: Sequence[str], behaviour: Behaviour
    ) -> Answer | None:
        """Return the scripted answer to a call, or None where the script has none or the behaviour overrides it."""
        ...


class CaseScript:
    """The script of a fixture's case: its answers in order, each with what its prompt must contain and must not.

    Args:
        entries: The answers, with the fields of the class `Answer` of a package's fixtures.

    Attributes:
        faults: What didn't go as scripted.
    """

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._entries = list(entries)
        self.faults: list[str] = []

    def answer(
        self, prompt: str, schema: Schema | None, tools: Sequence[str], behaviour: Behaviour
    ) -> Answer | None:
        """Return the next scripted answer, or None after the last and where the behaviour overrides it."""
        if not plays(behaviour, schema):
            return None
        title = str((schema or {}).get("title", ""))
        if behaviour not in PLAYS_SCRIPTS:  # the judge says something else, so other calls are made
            self._entries = list(dropwhile(lambda entry: entry["schema"] not in (title, "*"), self._entries))
        if not self._entries:
            self.faults.append(f"the model was called once more, for {title or 'a text'}")
            return None
        entry = self._entries.pop(0)
        if entry["schema"] not in (title, "*"):
            self.faults.append(f"the model was asked for {title or 'a text'}, expected {_wanted(entry)}")
            return None
        for text in cast(Sequence[str], entry["has"]):
            if text not in prompt:
                self.faults.append(f"not in the prompt for {title or 'a text'}: {text!r}")
        for text in cast(Sequence[str], entry["lacks"]):
            if text in prompt:
                self.faults.append(f"in the prompt for {title or 'a text'}: {text!r}")
        return self._said(entry, schema, tools)

    def _said(self, entry: Entry, schema: Schema | None, tools: Sequence[str]) -> Answer | None:
        reply = entry["reply"]
        if schema is not None and is_verdicts(schema):
            return Answer(_verdicts_on(_fields(schema), cast(Sequence[int], entry["broken"])))
        if reply is None:
            return None
        if isinstance(reply, Mapping) and "tool" in reply:
            if reply["tool"] not in tools:
                self.faults.append(f"the tool {reply['tool']} is not offered")
                return None
            return Answer("", ({"name": reply["tool"], "arguments": reply["arguments"]},))
        if isinstance(reply, str):
            return Answer(reply + str(entry["more"]) * cast(int, entry["times"]))
        return Answer(json.dumps(reply, ensure_ascii=False))

    def left(self) -> list[str]:
        """Return the faults, and the calls that were never made."""
        return [*self.faults, *(f"the model was never asked for {_wanted(entry)}" for entry in self._entries)]


def _wanted(entry: Entry) -> str:
    return str(entry["schema"]) or "a text"


def _verdicts_on(rules: Sequence[str], broken: Sequence[int], reason: str = "expected in this test") -> str:
    """Return verdicts on rules, by the names of their fields: all are kept but the broken ones, counted from 1."""
    found = {
        name: {"reason": reason, "verdict": "broken" if place in broken else "kept"}
        for place, name in enumerate(rules, start=1)
    }
    return json.dumps(found)


def plays(behaviour: Behaviour, schema: Schema | None) -> bool:
    """Return whether scripted answers are given to such a call."""
    return behaviour in PLAYS_SCRIPTS or (behaviour in _OF_JUDGE and not is_verdicts(schema))


def is_judge(prompt: str) -> bool:
    """Return whether a prompt is Mellea 0.8's request to judge an output (its template Requirement.jinja2)."""
    return _JUDGE_OPENING in prompt


def is_verdicts(schema: Schema | None) -> bool:
    """Return whether a schema is that of a rule panel's verdicts."""
    return schema is not None and schema.get("title") == "Verdicts"


def answer(prompt: str, schema: Schema | None, behaviour: Behaviour) -> str:
    """Return the model's answer to a call that no script answers."""
    if schema is not None:
        return _structured(schema, behaviour)
    if is_judge(prompt):
        return "no" if behaviour is Behaviour.JUDGE_SAYS_NO else "yes"
    texts = {
        Behaviour.EMPTY: "",
        Behaviour.DECLINE: REFUSAL,
        Behaviour.TERSE: TERSE_ANSWER,
        Behaviour.RAMBLE: _rambling(_ENDLESS),
    }
    return texts.get(behaviour, PLAIN_ANSWER)


def ended(said: Answer, behaviour: Behaviour, limit: int) -> Answer:
    """Return an answer as the call's token limit leaves it.

    Args:
        said: The whole answer.
        behaviour: Only answers that ramble or are to be cut meet a limit.
        limit: The limit in tokens; 0 if the call sets none.
    """
    most = len(said.text)
    if behaviour is Behaviour.CUT:
        most //= 2
    elif behaviour is Behaviour.RAMBLE and limit:
        most = limit * _LETTERS_OF_A_TOKEN
    return replace(said, text=said.text[:most], ended="length") if most < len(said.text) else said


def _fields(schema: Schema) -> list[str]:
    return list(cast(Schema, schema.get("properties", {})))


def _structured(schema: Schema, behaviour: Behaviour) -> str:
    match behaviour:
        case Behaviour.BROKEN_JSON:
            return BROKEN_JSON
        case Behaviour.RAMBLE:
            return json.dumps(instance_of(schema, None), ensure_ascii=False)
        case _ if is_verdicts(schema):
            return _verdicts(_fields(schema), behaviour)
        case Behaviour.EMPTY:
            return ""
        case Behaviour.DECLINE:
            return REFUSAL
        case Behaviour.TERSE:
            return json.dumps(instance_of(schema, ""), ensure_ascii=False)
    return json.dumps(instance_of(schema), ensure_ascii=False)


def _verdicts(rules: Sequence[str], behaviour: Behaviour) -> str:
    """Return the judge's answer on the rules of one call, by the names of their fields."""
    if behaviour is Behaviour.JUDGE_GARBAGE:
        return json.dumps(dict.fromkeys(rules, "fine"))
    few = {Behaviour.JUDGE_EMPTY: 0, Behaviour.TERSE: 1}.get(behaviour, len(rules))
    broken = {Behaviour.JUDGE_SAYS_NO: len(rules), Behaviour.JUDGE_SAYS_ONE: 1}.get(behaviour, 0)
    return _verdicts_on(rules[:few], range(1, broken + 1), "the judge was told to say so")


def instance_of(schema: Schema, text: str | None = "stand-in") -> object:
    """Return a value that a JSON schema allows, taking the first of its choices.

    Args:
        schema: The schema, as pydantic writes it; a recursive one ends in None.
        text: What stands for a text: `""` gives texts and lists that are as short as they may be, None those that go on
            to their bound, and on and on where there is none.
    """
    return _instance(schema, schema, text, 0)


def _instance(schema: Schema, root: Schema, text: str | None, depth: int) -> object:
    if depth > _DEEPEST:
        return None
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return cast(list[object], schema["enum"])[0]
    if "default" in schema:
        return schema["default"]
    reference = schema.get("$ref")
    if isinstance(reference, str):
        definitions = cast(Mapping[str, Schema], root.get("$defs", {}))
        return _instance(definitions[reference.rsplit("/", 1)[-1]], root, text, depth + 1)
    for choice in ("anyOf", "oneOf", "allOf"):
        choices = schema.get(choice)
        if isinstance(choices, list) and choices:
            return _instance(cast(Schema, choices[0]), root, text, depth + 1)
    return _by_type(schema, root, text, depth)


def _by_type(schema: Schema, root: Schema, text: str | None, depth: int) -> object:
    kind = schema.get("type")
    if kind == "object":
        properties = cast(Mapping[str, Schema], schema.get("properties", {}))
        required = cast(list[str], schema.get("required", list(properties)))
        named = (name for name in required if name in properties)
        return {name: _instance(properties[name], root, text, depth + 1) for name in named}
    if kind == "array":
        one = _instance(cast(Schema, schema.get("items", {})), root, text, depth + 1)
        if text is not None:
            return [one] * cast(int, schema.get("minItems", 0))
        return [one] * cast(int, schema.get("maxItems", _ENDLESS // len(json.dumps(one)) + 1))
    if kind in ("integer", "number"):
        number = _number(schema, 1 if kind == "integer" else 0.5)
        return int(number) if kind == "integer" else float(number)
    if kind in ("boolean", "null"):
        return False if kind == "boolean" else None
    return _text(schema, text)


def _number(schema: Schema, step: float) -> float:
    """Return 0, or the number within the bounds that is next to it."""
    bounds = {name: cast(float, schema[name]) for name in _BOUNDS if name in schema}
    least = max(bounds.get("minimum", -1e18), bounds.get("exclusiveMinimum", -1e18) + step)
    most = min(bounds.get("maximum", 1e18), bounds.get("exclusiveMaximum", 1e18) - step)
    return min(max(0, least), most)


_BOUNDS: Final = ("minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum")
_FORMATS: Final = {
    "date": "2026-01-01",
    "date-time": "2026-01-01T00:00:00Z",
    "time": "00:00:00Z",
    "email": "stand-in@example.com",
    "uri": "https://example.com/",
    "uuid": "00000000-0000-4000-8000-000000000000",
}


def _text(schema: Schema, text: str | None) -> str:
    given = _FORMATS.get(str(schema.get("format", "")), text)
    if given is None:
        return _rambling(cast(int, schema.get("maxLength", _ENDLESS)))
    most = cast(int, schema.get("maxLength", len(given)))
    return given[:most].ljust(cast(int, schema.get("minLength", 0)), ".")


def _rambling(most: int) -> str:
    return (RAMBLING * (most // len(RAMBLING) + 1))[:most]
