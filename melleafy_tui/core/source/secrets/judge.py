"""Decides which values of a block of lines are secrets: those whose evidence adds up to more than nothing."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from typing import Final

from melleafy_tui.core.source.secrets.candidates import MADE_CELL, Candidate, candidates, form
from melleafy_tui.core.source.secrets.evidence import WORDY, Described, describe, group_of
from melleafy_tui.core.source.secrets.forms import with_names_alike
from melleafy_tui.core.source.secrets.reading import RUN, Line
from melleafy_tui.core.source.secrets.relations import NO_VALUES, Judged, judged
from melleafy_tui.core.source.secrets.spans import SecretSpan, label_at, variable_before, variable_name
from melleafy_tui.core.source.secrets.vocabulary import NAMING, C, Hit
from melleafy_tui.core.source.secrets.weights import START, points

_KINDS: Final = {
    **dict.fromkeys(
        ("password", "pass", "phrase", "saying", "login", "user", "wifi", "ssid", "vault", "site", "say"),
        ("password", "PASSWORD"),
    ),
    **dict.fromkeys(("pin", "code", "lock", "device", "enter"), ("access code", "ACCESS_CODE")),
    **dict.fromkeys(("token", "key", "service"), ("token", "TOKEN")),
    **dict.fromkeys(("recovery", "spare"), ("recovery code", "RECOVERY_CODE")),
    "seed": ("seed phrase", "SEED_PHRASE"),
}
"""Kind and default variable of a secret by what the word beside it stands for."""

_BY_FORM: Final = {
    **dict.fromkeys(("long", "hex"), ("random string", "SECRET_VALUE")),
    "digits": ("access code", "ACCESS_CODE"),
    "groups": ("recovery code", "RECOVERY_CODE"),
}
_DIRECT: Final = frozenset(("column", "cell", "tight", "field", "is", "beside", "far field", "far is"))
"""Relations that count in text that we generate."""

_OF_LOCKS: Final = frozenset((C.LOCK, C.DEVICE))


def points_of(described: Described) -> int:
    """Return the points of a value; above zero, it's a secret."""
    known = points()
    total = START + sum([known.get(name, 0) for name in described.evidence])
    if described.candidate.form == MADE_CELL and described.relation and described.relation.name in _TABLE:
        total += CELL
    return total + LABELLED if _is_labelled(described) else total


_TABLE: Final = ("cell", "column")
CELL: Final = 60
"""Points more for a whole cell that a program made up, beside or below a word for a secret."""
_GENERATED: Final = ("scrambled", "strong", "marked", "mixed", "random", "at")
"""Forms that a cell has if its value was made by a program."""

LABELLED: Final = 12
"""Points more for what no sentence has behind a label for a secret and a sign."""


def _is_labelled(described: Described) -> bool:
    relation = described.relation
    return (
        relation is not None
        and relation.label in ("password", "token")
        and (
            (relation.name in ("field", "tight") and group_of(described.candidate.form) in ("made", "long"))
            or (relation.name in ("cell", "column") and described.candidate.form in _GENERATED)
            or (relation.name == "beside" and _in_brackets(described))
        )
    )


def _in_brackets(described: Described) -> bool:
    """Return whether a value that nobody says stands in brackets behind its label: "the password (…) is wrong"."""
    return group_of(described.candidate.form) in ("made", "long", "hex") and any(
        name.endswith(" in brackets") for name in described.evidence
    )


_GIVING: Final = NAMING | {C.SAYING}


def may_be_given(text: str, words: Iterable[Hit]) -> bool:
    """Return whether a text can hold a value that counts in what we generate: one with a name, or a random one."""
    return any(hit.concept in _GIVING for hit in words) or RUN.search(text) is not None


def secrets_of_block(
    block: Sequence[Line], known: Sequence[tuple[int, int]], *, near: bool
) -> Iterator[SecretSpan]:
    """Yield the secrets of a block of lines; those of one form in a list speak for others of it.

    Args:
        block: The lines.
        known: Places of the text that are known to be secrets.
        near: Whether values count that stand further from their label.
    """
    like: set[str] = set()
    if len(block) == 1:
        yield from _secrets_of_line(block[0], known, like, frozenset(), near=near)
        return
    listed = groups_listed(block)
    found: list[tuple[Line, list[SecretSpan]]] = []
    for line in block:
        secrets = list(_secrets_of_line(line, known, like, listed, near=near))
        found.append((line, secrets))
    for line, secrets in found:
        if not secrets and like and near:
            secrets = list(_secrets_of_line(line, known, like, listed, near=near))
        yield from secrets


def groups_listed(block: Sequence[Line]) -> frozenset[str]:
    """Return the groups of forms that stand alone on two lines of a block or more, as recovery codes do."""
    seen = Counter(
        group_of(form(words)) for line in block if (words := line.text.strip(_BULLETS)) and " " not in words
    )
    return frozenset(group for group, count in seen.items() if count > 1)


_BULLETS: Final = " \t*-•·☐☑✅>`"


def _secrets_of_line(
    line: Line, known: Sequence[tuple[int, int]], like: set[str], listed: frozenset[str], *, near: bool
) -> Iterator[SecretSpan]:
    """Yield the secrets of a line, unless one like it had none."""
    if not (near or line.context.columns or may_be_given(line.text, line.hits)):
        return
    end = line.offset + len(line.text)
    taken = [
        (first - line.offset, last - line.offset)
        for first, last in known
        if first < end and last > line.offset
    ]
    around = hash((line.context, frozenset(like), listed, near)).to_bytes(8, "big", signed=True)
    alike = with_names_alike(line.text).encode("utf-8", "surrogatepass")
    same = blake2b(alike, digest_size=16, salt=around).digest()
    if not taken and same in _CLEAN:
        return
    clean = True
    for span in _judged_values(line, taken, like, listed, near=near):
        clean = False
        yield span
    if clean and not taken:
        if len(_CLEAN) >= MOST_CLEAN:
            _CLEAN.clear()
        _CLEAN.add(same)


_CLEAN: Final[set[bytes]] = set()
"""Digests of lines without a secret, with what their surroundings say: a masked text is searched again, and many
lines of a file differ in a number at most."""

MOST_CLEAN: Final = 60_000


def _judged_values(
    line: Line, taken: Sequence[tuple[int, int]], like: set[str], listed: frozenset[str], *, near: bool
) -> Iterator[SecretSpan]:
    """Yield the secrets of a line: of values that overlap, the one with most points."""
    values = candidates(line)
    if not values:
        return
    state = judged(line, like)
    state.listed, state.values = listed, ends_of(values)
    state.taken += taken
    best: Described | None = None
    most = 0
    for candidate in values:
        if best is not None and candidate.start >= best.candidate.end:
            yield _taken(state, best, like)
            best, most = None, 0
        if any(first < candidate.end and candidate.start < last for first, last in state.taken):
            continue
        if not near and group_of(candidate.form) in WORDY:
            continue
        described = describe(state, candidate)
        if described is None or not (near or _is_direct(described)):
            continue
        value = points_of(described)
        if value > most:
            best, most = described, value
    if best is not None:
        yield _taken(state, best, like)


_MADE: Final = frozenset(("made", "long", "hex", "digits", "groups"))


def ends_of(values: Sequence[Candidate]) -> tuple[int, int]:
    """Return where the first of some values that aren't plain words ends, and where the last begins."""
    made = [each for each in values if group_of(each.form) in _MADE]
    return (min(each.end for each in made), max(each.start for each in made)) if made else NO_VALUES


def _is_direct(described: Described) -> bool:
    relation = described.relation
    if relation is None:
        return described.candidate.form in ("random", "long random")
    return relation.name in _DIRECT and relation.label in _NAMED


_NAMED: Final = frozenset(("password", "pass", "phrase", "recovery", "pin", "token", "key"))


def _taken(state: Judged, described: Described, like: set[str]) -> SecretSpan:
    """Return a value as a secret, and let it speak for others."""
    candidate, relation = described.candidate, described.relation
    state.taken.append((candidate.start, candidate.end))
    group = group_of(candidate.form)
    state.like.add(group)
    like.add(group)
    kind, variable = _KINDS[relation.label] if relation else _BY_FORM.get(group, ("password", "PASSWORD"))
    if kind == "password" and group == "digits" and (state.line.topics | state.around) & _OF_LOCKS:
        kind, variable = "access code", "ACCESS_CODE"
    offset = state.line.offset
    return SecretSpan(
        offset + candidate.start, offset + candidate.end, kind, _variable(state, described, variable)
    )


def _variable(state: Judged, described: Described, default: str) -> str:
    """Return the name of the variable for a value, from the word that names it."""
    text, relation = state.line.text, described.relation
    hit = relation.hit if relation else None
    if hit is None and state.line.context.columns:
        return default
    if hit is None or hit.start > described.candidate.start:
        return variable_before(text, described.candidate.start) or default
    end = hit.end
    if hit.concept is C.CODE:
        end = max(
            (
                other.end
                for other in state.line.hits
                if hit.end <= other.start
                and other.end <= described.candidate.start
                and other.concept in _OF_LOCKS
            ),
            default=end,
        )
    return variable_name(label_at(text, hit.start, end), default)
