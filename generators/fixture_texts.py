"""Texts of the fixtures: messages and names from the workspace's own rules, and what a scripted model says.

A scripted answer keeps every check, or is just over one limit. The checks are evaluated here, so that a fixture names
exactly the rules that its run reports.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from msgspec import Struct

from melleafy_tui.core.language.text_measures import HAN, has_any
from melleafy_tui.core.models.committed import PlannedElement
from melleafy_tui.core.models.mapping import RuleCheck
from melleafy_tui.core.package.result_schemas import SchemaField
from melleafy_tui.core.tables import table_beside
from melleafy_tui.generators.literals import identifier
from melleafy_tui.generators.package_shape import statement_of
from melleafy_tui.generators.requirements import DENIED_CALL, is_kept
from melleafy_tui.generators.runtime import checks as counting
from melleafy_tui.generators.runtime.fixtures.case import Answer

_LONGEST_PIECE: Final = 160
"""Longest piece of a rule that still makes a natural message."""


TEXTS: Final[dict[str, Any]] = table_beside(__file__, "fixture_texts.toml")
"""What stands in fixtures, as data."""


def phrased(name: str, piece: str) -> str:
    """Return a message made of a piece of the workspace's text, in the language of the piece."""
    frame: str = TEXTS["messages"][name]["chinese" if has_any(piece, HAN) else "english"]
    return frame.replace("%", " ".join(piece.split()).rstrip(".。!！?？;；"))


def message_about(item: PlannedElement) -> str:
    """Return a message that tries a rule, in its own words."""
    return phrased("show", statement_of(item.element).split("\n", 1)[0][:_LONGEST_PIECE])


_WORDS_IN_NAME: Final = 5
_LONGEST_NAME: Final = 40


def named(start: str, words: str, otherwise: str) -> str:
    """Return a fixture's name: how it starts and the first words of a text, or what stands in where it has none.

    Args:
        start: How the name starts, such as `breaks`.
        words: The text.
        otherwise: What says the same for a text without Latin letters, such as its place.
    """
    found = re.findall(r"[a-z0-9]+", words.casefold().replace("'", "").replace("’", ""))[:_WORDS_IN_NAME]
    while len("_".join(found)) > _LONGEST_NAME:
        found.pop()
    return f"{start}_{identifier('_'.join(found) or otherwise, fallback='it')}"


def name_of_broken(rules: Iterable[PlannedElement]) -> str:
    """Return the name of a fixture whose reply breaks what is checked: the first rule says what is wrong with it."""
    check, *others = (item.mapping.check for item in rules if item.mapping.check is not None)
    thing = identifier(check.thing, fallback="it").strip("_")
    name = TEXTS["broken"].get(check.kind, "reply_breaks_a_check").format(thing=thing, limit=check.limit)
    return f"{name}_and_more" if others else name


# --- answers ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Reply(Answer):
    """A scripted answer: a text, a filled form, or the call of a tool."""

    @property
    def text(self) -> str:
        """Return the whole text; of a form, its JSON as Mellea gets it."""
        if isinstance(self.reply, str):
            return self.reply + self.more * self.times
        return json.dumps(self.reply, ensure_ascii=False)

    def keeps(self, check: RuleCheck) -> bool:
        """Return whether the answer keeps a check, which sees each text of a form by itself."""
        whole = isinstance(self.reply, str) or check.kind == DENIED_CALL
        return all(is_kept(check, text) for text in ([self.text] if whole else counting.texts_in(self.reply)))


class Replies(Struct, frozen=True):
    """The answers that suit the checks of a package.

    Attributes:
        kept: Answers that keep every check that an answer can keep; the later ones are just within a limit.
        over: Answers that break a limit by one, each with the answer of `kept` beside it.
        faulty: Texts that break as many checks as possible, with the first and with the last of banned phrases.
    """

    kept: tuple[Reply, ...]
    over: tuple[tuple[Reply, Reply], ...] = ()
    faulty: tuple[Reply, ...] = ()


def replies_for(checks: Sequence[RuleCheck], form: dict[str, object] | None) -> Replies:
    """Return the answers that suit the checks.

    Args:
        checks: The checks of a run.
        form: The form that the answer fills; None for a text.
    """
    kept = Reply(kept_text(checks))
    if form is not None:
        plain = Reply(form)
        wrong = [Reply(_with_text(form, faulty_text(kept.text, checks, place).text)) for place in (0, -1)]
        breaks = any(plain.keeps(check) and not wrong[0].keeps(check) for check in checks)
        return Replies((plain,), (), tuple(wrong) if breaks else ())
    pairs = tuple(filter(None, (_at_limit(check, kept, checks) for check in checks)))
    faulty = tuple(faulty_text(kept.text, checks, place) for place in (0, -1))
    breaks = broken_count(checks, faulty[0].text) > broken_count(checks, kept.text)
    return Replies((kept, *(within for within, _ in pairs)), pairs, faulty if breaks else ())


_FILLERS: Final[dict[str, str]] = TEXTS["fillers"]
"""What adds one of each unit to a text."""


def _at_limit(check: RuleCheck, kept: Reply, checks: Sequence[RuleCheck]) -> tuple[Reply, Reply] | None:
    """Return an answer just within the limit of a check and one just over it, or None if no such answers are known."""
    filler = _FILLERS.get(check.thing, "")
    missing = check.limit - counting.count_of(check.thing, kept.text) if filler else -1
    if check.kind not in ("at_most", "between") or not 0 <= missing <= _LONGEST_FILL:
        return None
    within, over = (_repeated(kept.text, filler, times) for times in (missing, missing + 1))
    others = [other for other in checks if kept.keeps(other)]
    return (within, over) if all(map(within.keeps, others)) and not over.keeps(check) else None


_LONGEST_FILL: Final = 4000


# --- typed answers --------------------------------------------------------------------------------

_SAMPLE: Final = "a sample of"
_SAMPLES: Final = {"int": 1, "float": 1.0, "bool": True}


def sample_form(fields: Iterable[SchemaField]) -> dict[str, object]:
    """Return a made-up filled form."""
    filled: dict[str, object] = {}
    for field in fields:
        said = f"{_SAMPLE} {field.name.replace('_', ' ')}"
        one: object = field.options[0] if field.options else _SAMPLES.get(field.plain, said)
        filled[field.name] = [one] if field.many else one
    return filled


def _with_text(form: dict[str, object], text: str) -> dict[str, object]:
    """Return a filled form in which the first free text is another."""
    for name, said in form.items():
        if isinstance(said, str) and said.startswith(_SAMPLE):
            return {**form, name: text}
        if isinstance(said, dict) and (found := _with_text(said, text)) != said:
            return {**form, name: found}
    return form


# --- texts that keep or break checks --------------------------------------------------------------

_SENTENCES: Final[dict[str, list[str]]] = TEXTS["sentences"]
_LENGTHS: Final = (1, 2, 3, 4, 5, 8, 12, 20, 40, 80)
_FEATURES: Final[dict[str, str]] = TEXTS["features"]
SENTENCE: Final = " One more thing is noted here."
"""What makes a text too long."""


def kept_text(checks: Sequence[RuleCheck]) -> str:
    """Return a text that breaks as few of the checks as possible, the shortest of such texts."""
    if any(check.kind == "is_json" for check in checks):
        return '{"result": "done"}'
    told = [check.thing for check in checks if check.kind == "in_language"]
    languages = [*told[:1], "English"]
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


def faulty_text(kept: str, checks: Sequence[RuleCheck], place: int = 0) -> Reply:
    """Return a text that breaks many of the checks, short where it can be.

    Args:
        kept: A text that keeps them.
        checks: The checks.
        place: Which of the phrases that a check bans it has.
    """
    banned = [
        check.phrases[place] for check in checks if check.kind.startswith("must_not_") and check.phrases
    ]
    calls = [check.thing or check.phrases[0] for check in checks if check.kind == DENIED_CALL]
    banned += [
        f"https://{call.partition('domain:')[2].rstrip(')')}/x"
        if "domain:" in call
        else call.replace(":*", " x")
        for call in calls
    ]
    text = max((kept, _SENTENCES["English"][0], "no"), key=lambda start: broken_count(checks, start))
    for fault in (*banned, *TEXTS["faults"]):
        for more in (f"{text} {fault}", f"{fault} {text}"):
            if broken_count(checks, more) > broken_count(checks, text):
                text = more
    limits = [check.limit + 1 for check in checks if check.kind in ("at_most", "between")]
    counts = sorted({0, *(limit for limit in limits if limit <= _LONGEST_FILL)})
    times = max(counts, key=lambda count: broken_count(checks, text + SENTENCE * count))
    return _repeated(text, SENTENCE, times)


def _repeated(text: str, more: str, times: int) -> Reply:
    return Reply(text, more=more, times=times) if times else Reply(text)


def broken_count(checks: Iterable[RuleCheck], text: str) -> int:
    """Return how many of the checks a text breaks."""
    return sum(not is_kept(check, text) for check in checks)
