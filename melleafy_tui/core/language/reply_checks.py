"""Which rules about a reply Python can check, and which of those checks exclude each other.

A line gets a check only if it is one limit whose number stands next to its unit, or one thing that a clause forbids or
demands, and that clause says nothing else: every other word of it is a filler or a word for a reply. A hedge, a
condition, a channel or a second thing anywhere leaves the line to the judge: half of the checks that a first try made
of such lines were wrong ("no tables, use lists" became "no lists").

The words are in `reply_checks.toml`. Nothing here runs a check: the functions that do are those that packages get
(`generators/runtime/checks.py`), and `RuleCheck.kind` is the name of one of them.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, combinations
from typing import Final

from melleafy_tui.core.language.words import ANY, Words, has_wide_letters, read_tables, spaced
from melleafy_tui.core.models.mapping import RuleCheck

LONGEST_LINE: Final = 300
"""Characters of a line that may say no more than a limit."""

_FORBIDDABLE_UNITS: Final = ("bullets", "questions")
_COUNTED_THINGS: Final = ("emoji", "exclamation marks")

_QUOTED: Final = re.compile(
    r'"([^"\n]{1,120})"|[“„]([^“”„\n]{1,120})[”“]|「([^」\n]{1,120})」|«([^»\n]{1,120})»'
    r"|(?<!\w)'([^'\n]{1,120})'(?!\w)"
)
_PHRASE: Final = "ƪ"
"""Stands for a quoted phrase while a line is read; a letter, so that it is a word."""

_OPEN_PHRASE: Final = re.compile(r"[\[\]{}<>…]|\.\.")
"""What a quoted phrase has in place of words that it doesn't give."""

_SIGNS: Final = {
    "❌": " no ", "🚫": " no ", "⛔": " no ", "<=": " at most ", "≤": " at most ", "<": " under ", ">=": " at least ",
    "≥": " at least ", _PHRASE: " ",
}  # fmt: skip
"""Signs and the words that they stand for."""

_NUMBER_RANGE: Final = re.compile(r"(?<=\d)\s*[-–—~〜]\s*(?=\d)")
_THOUSANDS: Final = re.compile(r"(?<=\d),(?=\d{3}\b)")

_MARKUP: Final = re.compile(r"[*_`~]|^\s*(?:[-+•]|\d{1,3}[.)])\s+")
_ABBREVIATED_BOUND: Final = re.compile(r"\b(max|min)\.(?=\s*\d)", re.IGNORECASE)
_SENTENCE_END: Final = re.compile(r"[.!?](?=\s|$)|[;。！？；]")
_CLAUSE_END: Final = re.compile(r"[:：，、,()（）–—]|\s-\s")


class _Lists:
    """The lists of `reply_checks.toml`, and those of other tables that a check needs."""

    def __init__(self) -> None:
        self._tables = read_tables("reply_checks.toml")
        self.hedges, self.channels = Words(self._tables["hedges"]), Words(self._tables["channels"])
        self.negations, self.demands = Words(self._tables["negations"]), Words(self._tables["demands"])
        self.bounds, self.verbs = self._group("bounds"), self._group("verbs")
        self.languages = self._group("languages")
        self.units, self.things = self._group("units"), self._group("things")
        self.things |= {name: self.units[name] for name in _FORBIDDABLE_UNITS}
        self.units |= {name: self.things[name] for name in _COUNTED_THINGS}
        replies, topics = read_tables("reply_words.toml"), read_tables("reply_topics.toml")
        self.orders, self.reply = Words(replies["order"]), Words(replies["reply"])
        self._fillers = (self.negations, self.demands, Words(self._tables["fillers"]), self.reply)
        self._manner = (Words(topics["length"]), Words(topics["tone"]))
        self._spoken = {
            word: number
            for words in self._tables["numbers"].values()
            for number, forms in enumerate(words, 1)
            for word in forms.split("/")
        }
        number = rf"(?<= )\d{{1,5}}(?= )|{_any_of(self._spoken)}"
        self.count = re.compile(
            rf"(?:(?P<least>{number}) ?(?:{_any_of(self._every('ranges'))}) ?)?(?P<number>{number}) ?"
            rf"(?:(?:{_any_of(self._every('counters'))}) ?)?"
        )
        """A number or a range; what follows must be its unit."""

    def number(self, text: str) -> int:
        """Return the number that digits or a word stand for."""
        return int(text) if text.isdigit() else self._spoken[text]

    def is_filler(self, clause: str) -> bool:
        """Return whether a clause has only fillers and words for a reply."""
        for words in self._fillers:
            clause = words.without(clause)
        return clause.isspace()

    def says_nothing(self, clause: str) -> bool:
        """Return whether a clause has only fillers and words for a reply or for how it sounds."""
        for words in self._manner:
            clause = words.without(clause)
        return self.is_filler(clause)

    def _group(self, group: str) -> dict[str, Words]:
        start = f"{group}."
        names = (name for name in self._tables if name.startswith(start))
        return {name.removeprefix(start): Words(self._tables[name]) for name in names}

    def _every(self, name: str) -> Iterator[str]:
        return chain.from_iterable(self._tables[name].values())


def _any_of(words: Iterable[str]) -> str:
    """Return the pattern of words without stars."""
    whole = (word if has_wide_letters(word) else f"(?<= ){re.escape(word)}(?= )" for word in words)
    return "|".join(sorted(whole, key=len, reverse=True))


@cache
def _lists() -> _Lists:
    return _Lists()


def check_of(text: str, lead_ins: Sequence[str] = (), headings: Sequence[str] = ()) -> RuleCheck | None:
    """Return the check for a line, or None if a model has to judge it.

    Args:
        text: The line, its Markdown marks included.
        lead_ins: The lead-ins above it, outermost first.
        headings: The headings above it, outermost first.
    """
    if len(text) > LONGEST_LINE:
        return None
    line, phrases = _without_quotes(_plain(text))
    above = [spaced(_plain(each)) for each in (*headings, *lead_ins)]
    lists = _lists()
    words = "".join((spaced(line), *above))
    if lists.hedges.are_in(words) or lists.channels.are_in(words):
        return None
    if not all(map(lists.says_nothing, above[len(headings) :])):
        return None
    return _check_of_line(line, phrases, forbids=bool(above) and _forbids(above[-1]))


def possible_checks(text: str) -> tuple[str, ...]:
    """Return the checks that a line's own numbers and things allow, in words that `check_of` reads."""
    lists, words = _lists(), spaced(_plain(text[:LONGEST_LINE]))
    counted = {
        f"{lists.number(match['number'])} {unit}"
        for match in lists.count.finditer(words)
        for unit, named in lists.units.items()
        if named.after_start_of(f" {words[match.end() :].lstrip()}") is not None
    }
    found = [f"{bound} {count}" for count in sorted(counted) for bound in ("At most", "At least")]
    spoken = (("No", lists.negations), ("Always use", lists.demands), ("Reply in", lists.reply))
    bounds = [bound for bound, told_by in spoken if told_by.are_in(words)]
    found += [f"{bound} {name}" for name, _ in _named_in(words) for bound in bounds]
    return tuple(each for each in found if check_of(each) is not None)


def has_limit(text: str) -> bool:
    """Return whether a spaced text has a number, in digits or as a word, with a unit of a reply at most a word away."""
    lists = _lists()
    after = (f" {text[match.end() :].lstrip()}" for match in lists.count.finditer(text))
    near = (start for rest in after for start in (rest, f" {rest.lstrip().partition(' ')[2]}"))
    return any(words.after_start_of(start) is not None for start in near for words in lists.units.values())


def _plain(text: str) -> str:
    """Return a line without marks, with words for signs."""
    plain = _ABBREVIATED_BOUND.sub(r"\1 ", _MARKUP.sub("", text).replace("’", "'"))
    plain = _THOUSANDS.sub("", _NUMBER_RANGE.sub(" to ", plain))
    for sign, word in _SIGNS.items():
        plain = plain.replace(sign, word)
    return " ".join(plain.split())


def _without_quotes(line: str) -> tuple[str, tuple[str, ...]]:
    """Return a line with a sign in place of each quoted phrase, and the phrases."""
    phrases: list[str] = []

    def keep(match: re.Match[str]) -> str:
        phrases.append(next(filter(None, match.groups())).strip(" .,;:!?。！？"))
        return f" {_PHRASE} "

    return _QUOTED.sub(keep, line), tuple(phrases)


def _forbids(lead_in: str) -> bool:
    """Return whether a lead-in says that what follows is forbidden, and nothing else ("Never:")."""
    lists = _lists()
    return lists.negations.are_in(lead_in) and lists.says_nothing(lead_in)


def _check_of_line(line: str, phrases: tuple[str, ...], *, forbids: bool) -> RuleCheck | None:
    """Return the check of the one clause that has one, if the other clauses say nothing that it would lose."""
    found: list[RuleCheck] = []
    for sentence in _SENTENCE_END.split(line):
        clauses = [spaced(clause) for clause in _CLAUSE_END.split(sentence)]
        checks = [_check_of_clause(clause, phrases, forbids=forbids) for clause in clauses]
        checked = next((place for place, check in enumerate(checks) if check), 0)
        for place, (clause, check) in enumerate(zip(clauses, checks, strict=True)):
            if check is not None:
                found.append(check)
            elif _says_more(clause, is_before=place < checked):
                return None
    return found[0] if len(found) == 1 else None


def _says_more(clause: str, *, is_before: bool) -> bool:
    """Return whether a clause beside the checked one narrows it, or may be a rule of its own."""
    lists = _lists()
    if lists.negations.are_in(clause):
        return True
    if lists.says_nothing(clause):
        return False
    return is_before or _names_something(clause) or lists.orders.are_in(clause)


def _names_something(clause: str) -> bool:
    return bool(_named_in(clause)) or any(map(str.isdigit, clause))


def _named_in(clause: str) -> list[tuple[str, Words]]:
    """Return the things, languages and phrases that a clause names, each with its words."""
    lists = _lists()
    known = [*lists.things.items(), *lists.languages.items(), (_PHRASE, Words({ANY: (_PHRASE,)}))]
    return [(name, words) for name, words in known if words.are_in(clause)]


def _check_of_clause(clause: str, phrases: tuple[str, ...], *, forbids: bool) -> RuleCheck | None:
    lists = _lists()
    limit = _limit(clause, forbids=forbids)
    if limit is not None:
        return limit
    named = _named_in(clause)
    if len(named) != 1:
        return None
    name, words = named[0]
    rest = words.without(clause)
    negated = lists.negations.are_in(rest)
    if negated and forbids:  # "Never: no emoji" may mean either
        return None
    negated = negated or forbids
    demanded = not negated and lists.demands.are_in(rest)
    if name == _PHRASE:
        return _phrase_check(rest, phrases, negated=negated, demanded=demanded)
    if not lists.is_filler(rest):
        return None
    if name in lists.languages or name in _WHOLE_REPLY:
        is_about_reply = not negated and lists.reply.are_in(rest)
        return _whole_reply(name) if is_about_reply else None
    return RuleCheck("without" if negated else "has", thing=name) if negated or demanded else None


_WHOLE_REPLY: Final = {"plain text": "plain_text", "json": "is_json"}
"""Forms of a whole reply, with the functions that check them."""


def _whole_reply(name: str) -> RuleCheck:
    kind = _WHOLE_REPLY.get(name)
    return RuleCheck(kind) if kind else RuleCheck("in_language", thing=name)


def _limit(clause: str, *, forbids: bool) -> RuleCheck | None:
    """Return the check of a clause that is one limit, or None."""
    lists = _lists()
    found = [
        (after, unit, count)
        for count in lists.count.finditer(clause)
        for unit, words in lists.units.items()
        if (after := words.after_start_of(f" {clause[count.end() :].lstrip()}")) is not None
    ]
    if not found:
        return None
    after, unit, match = min(found, key=lambda each: len(each[0]))
    rest, bound = _without_bound(f"{clause[: match.start()]} ", after)
    if _names_something(rest) or not lists.is_filler(rest):
        return None
    number = lists.number(match["number"])
    least = lists.number(match["least"]) if match["least"] else 0
    if forbids or lists.negations.are_in(rest):
        return RuleCheck("at_most", thing=unit, limit=number) if bound == "above" and not least else None
    if bound in ("at_most", "or_less"):
        return RuleCheck("at_most", thing=unit, limit=number)
    if least:
        return RuleCheck("between", thing=unit, least=least, limit=number) if least < number else None
    if bound == "below" and number > 1:
        return RuleCheck("at_most", thing=unit, limit=number - 1)
    return RuleCheck("at_least", thing=unit, limit=number) if bound == "at_least" else None


def _without_bound(before: str, after: str) -> tuple[str, str]:
    """Return what stands around a number without the words of its bound, and which bound they are."""
    spans = {
        name: span
        for name, words in _lists().bounds.items()
        if (span := words.find(after if name == "or_less" else before))
    }
    if not spans:
        return f"{before} {after}", ""
    name, (start, end) = max(spans.items(), key=lambda each: each[1][1] - each[1][0])
    if name == "or_less":
        return f"{before} {after[:start]} {after[end:]}", name
    return f"{before[:start]} {before[end:]} {after}", name


def _phrase_check(rest: str, phrases: tuple[str, ...], *, negated: bool, demanded: bool) -> RuleCheck | None:
    """Return the check of a clause about quoted phrases, which are all those of its line."""
    lists = _lists()
    if not (negated or demanded) or not all(map(_is_literal, phrases)):
        return None
    verb = next((name for name, words in lists.verbs.items() if words.are_in(rest)), "contain")
    if not lists.is_filler(lists.verbs[verb].without(rest)):
        return None
    kind = {"contain": "contain", "start": "start_with", "end": "end_with"}[verb]
    return RuleCheck(f"must_not_{kind}" if negated else f"must_{kind}", phrases=phrases)


def _is_literal(phrase: str) -> bool:
    return any(map(str.isalnum, phrase)) and not _OPEN_PHRASE.search(phrase)


# --- contradictions ------------------------------------------------------------------------------

_WITHOUT_MARKUP: Final = ("tables", "headings", "bullets", "lists", "code fences")
"""What a reply in plain text or JSON has none of."""


def contradictions(checks: Sequence[RuleCheck]) -> tuple[tuple[int, int], ...]:
    """Return the pairs of checks, by their places, that no reply can keep together."""
    ranges = [dict(_ranges(check)) for check in checks]
    return tuple(
        (first, second)
        for first, second in combinations(range(len(checks)), 2)
        if _two_languages(checks[first], checks[second]) or _exclude(ranges[first], ranges[second])
    )


def _two_languages(one: RuleCheck, other: RuleCheck) -> bool:
    return one.kind == other.kind == "in_language" and one.thing != other.thing


Range = tuple[int, int | None]
"""How many of a thing a reply may have; None where there is no upper end."""


def _ranges(check: RuleCheck) -> Iterator[tuple[str, Range]]:
    """Yield what a check says about the number of each thing in a reply."""
    if check.kind in ("plain_text", "is_json"):
        yield from ((thing, (0, 0)) for thing in _WITHOUT_MARKUP)
    elif check.kind.startswith("must_"):
        span: Range = (0, 0) if "_not_" in check.kind else (1, None)
        yield from (
            (f"{check.kind.replace('_not', '')} {phrase.casefold()}", span) for phrase in check.phrases
        )
    elif check.kind in ("without", "has"):
        yield check.thing, (0, 0) if check.kind == "without" else (1, None)
        if check.kind == "without" and check.thing == "lists":
            yield "bullets", (0, 0)
    elif check.thing:
        upper = None if check.kind == "at_least" else check.limit
        yield check.thing, (check.limit if check.kind == "at_least" else check.least, upper)


def _exclude(one: Mapping[str, Range], other: Mapping[str, Range]) -> bool:
    """Return whether no number of some thing is in both ranges."""
    for thing in one.keys() & other.keys():
        most = min((upper for _, upper in (one[thing], other[thing]) if upper is not None), default=None)
        if most is not None and max(one[thing][0], other[thing][0]) > most:
            return True
    return False
