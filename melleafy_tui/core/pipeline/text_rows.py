"""The rows of the owner's text: what stays out, what may be a secret, and what travels with the package."""

from collections.abc import Iterator
from typing import Final

from melleafy_tui.core.decisions.commands import ReleaseSecret, SetTag, Together
from melleafy_tui.core.decisions.keys import element_digest, text_digest
from melleafy_tui.core.language.wording import counted
from melleafy_tui.core.models.findings import DIAGNOSTICS, Diagnostic
from melleafy_tui.core.models.plan import PlanEntry
from melleafy_tui.core.models.snapshot import SourceFile
from melleafy_tui.core.models.vocabulary import DecisionKind, Disposition, EntryKind, Runtime
from melleafy_tui.core.package.file_account import REASONS
from melleafy_tui.core.pipeline.conversion import Conversion
from melleafy_tui.core.pipeline.review_rows import (
    ReviewAnswer,
    ReviewRow,
    Subject,
    answered,
    disposition_answers,
    result_of,
    subjects,
)
from melleafy_tui.core.source.secrets.masking import SecretPlace, masked_words, secret_places


def rows_left_out(conversion: Conversion) -> Iterator[ReviewRow]:
    """Yield the lines that are left out, template text as one row a file."""
    templates: dict[str, list[Subject]] = {}
    for each in subjects(conversion):
        entry, decision = each.entry, each.element.decided(DecisionKind.LEFT_OUT)
        is_removed = entry is not None and entry.disposition is Disposition.REMOVE
        is_decided = each.retag.left_out is not None and not each.retag.assisted_by
        is_chosen = is_decided or bool(entry and entry.overridden)
        if decision is None and not is_removed and not is_decided:
            continue
        if each.element.template and not is_chosen:
            templates.setdefault(each.element.source_file, []).append(each)
            continue
        is_out = decision is not None or is_removed
        why = decision.reason if decision is not None else entry.reason if entry is not None else ""
        where = "Left out; mapping_report.md lists it" if is_out else "It is in the package"
        row = each.row("left_out", why, where, ticked=is_out)
        answers: tuple[ReviewAnswer, ...] = (_keep(each.key),)
        if not is_out:
            back = SetTag((each.key,), left_out=True)
            answers = (ReviewAnswer("x", "leave", "leave it out", "Left out", back),)
        if decision is None and entry is not None:
            answers = tuple(disposition_answers(entry, (Disposition.BUNDLE, Disposition.STUB)))
        keep = "leave it out" if is_out else "keep it in"
        yield answered(conversion, row, keep, *answers, by_user=is_chosen)
    for file, members in templates.items():
        first, last = members[0].element.line_range[0], members[-1].element.line_range[1]
        row = ReviewRow(
            f"left_out:{file}",
            file,
            f"{first}-{last}" if last > first else str(first),
            f"{counted(len(members), 'line')} of the runtime's template",
            text_digest(" ".join(element_digest(each.element) for each in members)),
            "It is the runtime's own template text; nobody chose it.",
            "Left out; mapping_report.md lists it",
        )
        yield answered(conversion, row, "leave it out", _keep(*(each.key for each in members)))


def _keep(*keys: str) -> ReviewAnswer:
    change = SetTag(keys, left_out=False)
    return ReviewAnswer("y", "keep", "keep it in", "It becomes text of the package", change)


def rows_unread(conversion: Conversion) -> Iterator[ReviewRow]:
    """Yield what wasn't read or carried, the files with one reason as one row."""
    told: dict[tuple[str, str], list[Diagnostic]] = {}
    for each in conversion.diagnostics:
        if each.code in DIAGNOSTICS and DIAGNOSTICS[each.code].unread:
            told.setdefault((each.code, each.message), []).append(each)
    for (code, message), found in told.items():
        places = list(dict.fromkeys(each.file for each in found))
        text = ", ".join(places)
        row = ReviewRow(
            f"unread:{code}:{places[0]}",
            places[0],
            found[0].lines if len(found) == 1 else "",
            text,
            text_digest(f"{message} {text}"),
            message,
            f"Not in the package. {found[0].hint}".strip(),
        )
        yield answered(conversion, row, "leave it out")
    unused = [each for each in conversion.account.rows() if each.reason == _UNUSED]
    if unused and {*_OWN_FOLDER}.intersection(conversion.classification.dialect_runtimes):
        names = [f"{each.path} ({each.count} files)" if each.count > 1 else each.path for each in unused]
        more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
        text = ", ".join(names[:_MOST_NAMED]) + more
        why = f"{REASONS[_UNUSED][0].upper()}{REASONS[_UNUSED][1:]}."
        result = "Not in the package. One that the agent needs is named where it is told to read it"
        row = ReviewRow(f"unread:{_UNUSED}", unused[0].path, "", text, text_digest(text), why, result)
        yield answered(conversion, row, "leave it out")


_UNUSED: Final = "unused"
_MOST_NAMED: Final = 40
"""Files and folders that the row names; the report names all of them."""
_OWN_FOLDER: Final = (Runtime.OPENCLAW, Runtime.HERMES)
"""Runtimes whose folder is the agent's alone; a project holds much that is none of the agent's."""


def rows_that_travel(conversion: Conversion) -> Iterator[ReviewRow]:
    """Yield the facts about the person and the memory, with whether they travel with the package."""
    for each in subjects(conversion):
        entry = each.entry
        if entry is None:
            continue
        if each.element.decided(DecisionKind.OVERRIDABLE) is not None and not each.element.is_left_out:
            yield _fact_row(conversion, each, entry)
        elif entry.kind is EntryKind.MEMORY:
            is_copied = entry.disposition is Disposition.BUNDLE
            row = each.row("travels", _PRIVATE, result_of(entry), ticked=is_copied)
            answers = disposition_answers(entry, _OF_MEMORY)
            keep = "let it travel" if is_copied else "as planned"
            yield answered(conversion, row, keep, *answers, by_user=entry.overridden or not is_copied)


_PRIVATE: Final = "What the agent has learnt may be private, and a package is passed on."
_OF_MEMORY: Final = (Disposition.BUNDLE, Disposition.LOAD_FROM_DISK, Disposition.REMOVE)
_BEHIND: Final = "Its value is in no file of the package; the caller must give it with --user-context"


def _fact_row(conversion: Conversion, each: Subject, entry: PlanEntry) -> ReviewRow:
    """Return the row of a fact that the caller can give: its value is the default, or in no file of the package."""
    travels = each.element.decided(DecisionKind.TRAVELS)
    is_removed = entry.disposition is Disposition.REMOVE
    stays = each.element.stays_behind and entry.disposition is Disposition.EXTERNAL_INPUT
    is_inside = not (stays or is_removed)
    why = travels.reason if travels is not None else "It was chosen that its value stays behind."
    row = each.row("travels", why, _BEHIND if stays else result_of(entry), ticked=is_inside)
    answers = list(disposition_answers(entry, [Disposition.REMOVE]))
    if not is_removed:
        change = SetTag((each.key,), travels=stays)
        words = ("y", "yes", "let it travel", "Its value is the default")
        answers.insert(
            0, ReviewAnswer(*(words if stays else ("e", "no", "caller gives it", _BEHIND)), change)
        )
    by_user = entry.overridden or each.retag.travels is not None
    keep = "let it travel" if is_inside else "as planned"
    return answered(conversion, row, keep, *answers, by_user=by_user)


def rows_of_secrets(conversion: Conversion) -> Iterator[ReviewRow]:
    """Yield the values that may be secrets, and those that surely are."""
    codes = ("secret-possible", "secret-found", "secret-released")
    files = dict.fromkeys(each.file for each in conversion.diagnostics if each.code in codes)
    for path in files:
        source = conversion.snapshot.file(path)
        named: dict[str, dict[str, SecretPlace]] = {}
        for place in secret_places(source) if source is not None else ():
            named.setdefault(place.name, {})[place.digest] = place
        for name, places in named.items():
            assert source is not None
            yield _secret_row(conversion, source, name, tuple(places.values()))


def _secret_row(
    conversion: Conversion, source: SourceFile, name: str, places: tuple[SecretPlace, ...]
) -> ReviewRow:
    """Return the row of the values that a file has under one name; nothing in it is derived from a value."""
    first = places[0]
    is_released = all(place.digest in conversion.released_secrets for place in places)
    is_sure = all(place.secret.sure for place in places)
    changes = tuple(ReleaseSecret(place.digest, place.name, not is_released) for place in places)
    label = f"{'mask' if is_released else 'release'} {name}"
    change = changes[0] if len(changes) == 1 else Together(changes, label)
    value = "values" if len(places) > 1 else "value"
    why = "It has the form of a secret, so it is masked." if is_sure else _UNSURE
    row = ReviewRow(
        f"secret:{name}",
        first.file,
        first.secret.lines,
        f"{first.secret.kind}, {len(first.secret.value)} characters: {masked_words(source, first)}",
        text_digest(f"{name} {' '.join(place.secret.kind for place in places)}"),
        "It was said to be no secret." if is_released else why,
        f"The {value} as written" if is_released else f"${first.secret.variable} from the environment",
        ticked=not is_released,
    )
    keep, other = ("leave it as written", "mask it") if is_released else ("keep masked", "not a secret")
    result = (
        "masked again" if is_released else f"{counted(len(places), 'value')} shown and converted as written"
    )
    return answered(
        conversion,
        row,
        keep,
        ReviewAnswer("r", "mask" if is_released else "release", other, result, change),
        by_user=is_released or is_sure or f"secret-found:{first.file}" in conversion.decisions.acknowledged,
        tickable=not is_sure,
    )


_UNSURE: Final = "This may be a secret, so its value is masked until you answer."
