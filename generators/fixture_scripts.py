"""What a scripted model says in the fixtures, and which rules its answers break.

A scripted answer keeps every rule that Python checks, as far as one text can; what it breaks all the same is known,
because the checks are evaluated here, so a fixture can name exactly the rules that its run reports.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Final

from msgspec import Struct

from melleafy_tui.core.language.scripts import HAN, has_any
from melleafy_tui.core.models.committed import CommittedPlan, PlannedElement
from melleafy_tui.core.models.mapping import RuleCheck
from melleafy_tui.core.package.result_schemas import SchemaField
from melleafy_tui.generators.model_steps import FORMS
from melleafy_tui.generators.package_shape import phases, schemas, statement_of
from melleafy_tui.generators.provenance import rule_places
from melleafy_tui.generators.requirements import SortedRules, is_kept, is_stub, sorted_rules

RULES_PER_CALL: Final = 12
"""The most rules that the panel judges in one call, as in rule_panel.py."""

EVERYWHERE: Final = "general"
"""The scope of a run that names none."""

LONGEST_OPENING: Final = 60


class JudgedRule(Struct, frozen=True):
    """One judged rule as the panel gets it.

    Attributes:
        item: The rule.
        scope: The scope of the run in which it is judged.
        place: Its number in the judge's call, from 1.
        unmet: The sources of the rules that a run reports when the judge finds this one broken.
    """

    item: PlannedElement
    scope: str
    place: int
    unmet: tuple[str, ...]

    @property
    def opening(self) -> str:
        """Return the start of the rule, on one line, as the judge's call has it."""
        line = statement_of(self.item.element).split("\n", 1)[0]
        if len(line) <= LONGEST_OPENING:
            return line
        return line[:LONGEST_OPENING].rpartition(" ")[0] or line[:LONGEST_OPENING]


class ScriptedAnswer(Struct, frozen=True):
    """A scripted last answer.

    Attributes:
        title: The title of its schema; `""` for a text.
        reply: What it says; a text goes on with SENTENCE, `repeated` times.
        seen: The texts that checks may see.
        repeated: How often SENTENCE follows.
    """

    title: str
    reply: object
    seen: tuple[str, ...]
    repeated: int = 0


class FixtureScripts:
    """The scripted answers that suit a package.

    Args:
        committed: The committed plan.
    """

    def __init__(self, committed: CommittedPlan) -> None:
        self._committed = committed
        self._rules: SortedRules = sorted_rules(committed)

    @cached_property
    def answer(self) -> ScriptedAnswer:
        """Return an answer that breaks as few checked rules as possible."""
        forms = schemas(self._committed)
        if len(forms) == 1:
            return _typed(forms[0].class_name, sample_form(forms[0].fields))
        if forms:
            return _typed(FORMS, {schema.attribute: sample_form(schema.fields) for schema in forms})
        chinese = any(has_any(statement_of(item.element), HAN) for item in self._rules.required[:20])
        found = kept_text(self._text_checks, chinese=chinese)
        return ScriptedAnswer("", found, (found,))

    @property
    def _text_checks(self) -> list[RuleCheck]:
        """Return the checks of a run without a scope."""
        return [item.mapping.check for item in self._checked(EVERYWHERE) if item.mapping.check]

    @cached_property
    def faulty(self) -> ScriptedAnswer | None:
        """Return a text that breaks as many checked rules as possible, or None if it would break none."""
        checks = self._text_checks
        if not checks or self.answer.title:
            return None
        text, repeated = faulty_text(str(self.answer.reply), checks)
        whole = text + SENTENCE * repeated
        if broken_count(checks, whole) <= broken_count(checks, str(self.answer.reply)):
            return None
        return ScriptedAnswer("", text, (whole,), repeated)

    def unmet_by(self, answer: ScriptedAnswer, scope: str = EVERYWHERE) -> tuple[str, ...] | None:
        """Return the sources of the checked rules that an answer breaks; None where that can't be known.

        Args:
            answer: The answer.
            scope: The scope of the run.
        """
        broken = self._broken(answer, scope)
        return None if broken is None else tuple(rule_places(item.element) for item in broken)

    @cached_property
    def judged(self) -> tuple[JudgedRule, ...]:
        """Return every judged rule with its place in the panel's calls, those of a scope after the general ones."""
        found: list[JudgedRule] = []
        for scope in self._scopes:
            judged = self._judged(scope)
            order = {id(item): number for number, item in enumerate(self._required(scope))}
            kept = self._broken(self.answer, scope) or []
            for item, place in zip(judged, _places(judged), strict=True):
                if (item.element.scope or EVERYWHERE) == scope:
                    broken = sorted([*kept, item], key=lambda rule: order[id(rule)])
                    sources = tuple(rule_places(rule.element) for rule in broken)
                    found.append(JudgedRule(item, scope, place, sources))
        return tuple(found)

    @property
    def drafts(self) -> bool:
        """Return whether phases give a text before a typed answer."""
        return len(phases(self._committed)) > 1 and bool(self.answer.title)

    @cached_property
    def verdicts(self) -> int:
        """Return how many verdicts the longest call of the panel needs; 0 if nothing is judged."""
        return max((max(_places(self._judged(scope)), default=0) for scope in self._scopes), default=0)

    @cached_property
    def many_calls(self) -> bool:
        """Return whether the panel may need more than one call for an answer."""
        return any(
            len(judged) > RULES_PER_CALL or any(item.entry.judge_individually for item in judged[1:])
            for judged in map(self._judged, self._scopes)
        )

    @property
    def _scopes(self) -> tuple[str, ...]:
        return (EVERYWHERE, *self._rules.scoped)

    def _required(self, scope: str) -> list[PlannedElement]:
        """Return the rules of a run that are checked or judged, in order."""
        return [item for item in self._rules.required if (item.element.scope or scope) == scope]

    def _judged(self, scope: str) -> list[PlannedElement]:
        known = {id(item) for item in self._rules.judged}
        return [item for item in self._required(scope) if id(item) in known]

    def _checked(self, scope: str) -> list[PlannedElement]:
        stubs = {id(item) for item in self._rules.stubs}
        return [
            item for item in self._required(scope) if item.mapping.check is not None and id(item) not in stubs
        ]

    def _broken(self, answer: ScriptedAnswer, scope: str) -> list[PlannedElement] | None:
        broken: list[PlannedElement] = []
        for item in self._required(scope):
            found = _outcomes(item, answer)
            if len(found) > 1:
                return None
            if False in found:
                broken.append(item)
        return broken


def _outcomes(item: PlannedElement, answer: ScriptedAnswer) -> set[bool]:
    """Return the outcomes of a rule's check on the texts that it may see; none if Python doesn't check the rule."""
    check = item.mapping.check
    if check is None or is_stub(item):
        return set()
    return {is_kept(check, text) for text in answer.seen}


def _places(judged: Sequence[PlannedElement]) -> list[int]:
    """Return the number that each rule has in its call: calls are evenly filled, single rules come last."""
    shared = sum(1 for item in judged if not item.entry.judge_individually)
    calls = -(-shared // RULES_PER_CALL) or 1
    size = -(-shared // calls) or 1
    places: list[int] = []
    at = 0
    for item in judged:
        places.append(1 if item.entry.judge_individually else at % size + 1)
        at += not item.entry.judge_individually
    return places


# --- typed answers --------------------------------------------------------------------------------

_SAMPLES: Final = {"int": 1, "float": 1.0, "bool": True}


def sample_form(fields: Iterable[SchemaField]) -> dict[str, object]:
    """Return a made-up filled form."""
    filled: dict[str, object] = {}
    for field in fields:
        said = f"a sample of {field.name.replace('_', ' ')}"
        one: object = field.options[0] if field.options else _SAMPLES.get(field.plain, said)
        filled[field.name] = [one] if field.many else one
    return filled


def _typed(title: str, reply: object) -> ScriptedAnswer:
    return ScriptedAnswer(title, reply, (json.dumps(reply, ensure_ascii=False), *_texts(reply)))


def _texts(reply: object) -> Iterator[str]:
    if isinstance(reply, str):
        yield reply
    elif isinstance(reply, dict | list):
        for part in reply.values() if isinstance(reply, dict) else reply:
            yield from _texts(part)


# --- texts that keep or break checks --------------------------------------------------------------

_SENTENCES: Final = {
    "English": ("The request is in hand.", "This is the result.", "One more thing is noted here."),
    "German": (
        "Die Anfrage ist nicht offen.",
        "Das ist das Ergebnis.",
        "Hier steht noch ein Hinweis auf der Liste.",
    ),
    "Spanish": ("La solicitud está en curso.", "El resultado es este.", "Hay una nota más con los datos."),
    "Portuguese": ("O pedido já não é novo.", "O resultado é este.", "Há mais uma nota com os dados."),
    "French": ("La demande est en cours.", "Le résultat est prêt.", "Une note de plus est dans la liste."),
    "Italian": ("La richiesta è in corso.", "Il risultato è questo.", "Una nota in più non è di troppo."),
    "Russian": ("Запрос уже в работе.", "Вот результат.", "Здесь есть ещё одна заметка."),
    "Chinese": ("这件事正在处理。", "这是结果。", "这里还有一点说明。"),
    "Japanese": ("この件は対応中です。", "これが結果です。", "もう一つお知らせがあります。"),
    "Korean": ("요청을 처리하고 있습니다.", "이것이 결과입니다.", "한 가지 더 알려 드립니다."),
}
_LENGTHS: Final = (1, 2, 3, 4, 5, 8, 12, 20, 40, 80)
_FEATURES: Final = {
    "emoji": "🙂",
    "exclamation marks": "Done!",
    "links": "https://example.com/",
    "tables": "\n\n| a | b |\n|---|---|\n| 1 | 2 |\n",
    "headings": "\n\n# Result\n\n",
    "code fences": "\n\n```\nok\n```\n",
    "bullets": "\n\n- one point\n",
    "lists": "\n\n1. one point\n",
    "questions": "Is that right?",
}
SENTENCE: Final = " One more thing is noted here."
"""What makes a text too long."""

_REPEATS: Final = (10, 40, 160, 640)
_FAULTS: Final = (
    "I am here!",
    "🙂",
    "See https://example.com/ for more.",
    "Is it? Or not?",
    "\n\n# Result\n\n- one point\n- two points",
    "\n\n1. one point\n2. two points",
    "\n\n| a | b |\n|---|---|\n| 1 | 2 |\n",
    "\n\n```\nok\n```",
    "\n\n" + " ".join(_SENTENCES["German"]) * 2,
)


def kept_text(checks: Sequence[RuleCheck], *, chinese: bool = False) -> str:
    """Return a text that breaks as few of the checks as possible, the shortest of such texts.

    Args:
        checks: The checks.
        chinese: Prefer a Chinese text.
    """
    if any(check.kind == "is_json" for check in checks):
        return '{"result": "done"}'
    told = [check.thing for check in checks if check.kind == "in_language"]
    languages = [*told[:1], *(["Chinese"] if chinese else []), "English"]
    best, fewest = "", len(checks) + 1
    bases = (_SENTENCES[language] for language in languages)
    for text in (text for base in bases for length in _LENGTHS for text in _assembled(base, length, checks)):
        broken = broken_count(checks, text)
        if broken < fewest:
            best, fewest = text, broken
        if not broken:
            break
    return best


def _assembled(base: Sequence[str], length: int, checks: Sequence[RuleCheck]) -> Iterator[str]:
    """Yield a text of some sentences with all that the checks ask for, in each layout that a count may need."""
    within = [phrase for check in checks if check.kind == "must_contain" for phrase in check.phrases]
    features = [_FEATURES[check.thing] for check in checks if check.kind == "has"]
    starts, ends = _first_phrases(checks, "must_start_with"), _first_phrases(checks, "must_end_with")
    sentences = [base[number % len(base)] for number in range(length)]
    for between in (" ", "\n\n", "\n- ", "\n"):
        lead = between.strip("\n") if between == "\n- " else ""
        yield " ".join([*starts, lead + between.join(sentences), *within, *features, *ends])


def _first_phrases(checks: Iterable[RuleCheck], kind: str) -> list[str]:
    return [check.phrases[0] for check in checks if check.kind == kind]


def faulty_text(kept: str, checks: Sequence[RuleCheck]) -> tuple[str, int]:
    """Return a text that breaks many of the checks, and how often SENTENCE has to follow it; short where it can be.

    Args:
        kept: A text that keeps them.
        checks: The checks.
    """
    banned = [phrase for check in checks if check.kind.startswith("must_not_") for phrase in check.phrases]
    text = max((kept, _SENTENCES["English"][0], "no"), key=lambda start: broken_count(checks, start))
    for fault in (*banned, *_FAULTS):
        for more in (f"{text} {fault}", f"{fault} {text}"):
            if broken_count(checks, more) > broken_count(checks, text):
                text = more
    repeated = max((0, *_REPEATS), key=lambda times: broken_count(checks, text + SENTENCE * times))
    return text, repeated


def broken_count(checks: Iterable[RuleCheck], text: str) -> int:
    """Return how many of the checks a text breaks."""
    return sum(not is_kept(check, text) for check in checks)
